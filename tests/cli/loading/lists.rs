use super::*;

#[test]
fn the_items_of_a_list_are_objects_at_any_depth() {
    let text = concat!(
        "kind: List\napiVersion: v1\nitems:\n",
        "- apiVersion: v1\n  kind: Thing\n  metadata: {name: a}\n",
        "- kind: List\n  apiVersion: v1\n  items:\n",
        "  - {apiVersion: v1, kind: Thing, metadata: {name: b}}\n",
    );
    assert_eq!(objects(text), ["4:3 Thing/a", "10:5 Thing/b"]);
    assert_eq!(stdin(text).counts.documents, 1);
}

/// Measured with Go, to which `1` is no kind, either.
#[test]
fn items_of_a_typed_list_inherit_kind_and_api_version_if_they_have_neither() {
    let text = concat!(
        "apiVersion: x/v1\nkind: ThingList\nitems:\n- metadata: {name: a}\n",
        "- {apiVersion: y/v2, kind: Other}\n- {apiVersion: '', kind: 1}\n",
    );
    let loaded = load(&[Input::Stdin], &Options::default(), &mut text.as_bytes(), &|item: &Item<'_>| {
        format!("{} {}", item.api_version, item.kind)
    });
    assert_eq!(loaded.objects, ["x/v1 Thing", "y/v2 Other", "x/v1 Thing"]);
    assert_eq!(loaded.problems, []);

    let text = "apiVersion: x/v1\nkind: ThingList\nitems:\n- {kind: Other}\n- {apiVersion: y/v2}\n";
    let loaded = stdin(text);
    assert_eq!(loaded.objects.len(), 0);
    assert_eq!(
        problems(text),
        [
            "4:3 not-an-object: not a Kubernetes object: apiVersion is missing",
            "5:3 not-an-object: not a Kubernetes object: kind is missing",
        ]
    );
    assert!(loaded.problems[0].fix.as_deref().is_some_and(|fix| fix.contains("both or neither")));
}

#[test]
fn a_kind_that_ends_in_list_is_a_list_only_if_it_has_items() {
    assert_eq!(objects("apiVersion: v1\nkind: AllowList\nmetadata: {name: a}\n"), ["1:1 AllowList/a"]);
    assert!(objects("apiVersion: v1\nkind: AllowList\nitems:\n").is_empty());
    assert!(objects("apiVersion: v1\nkind: AllowList\nitems: []\n").is_empty());
    assert!(objects("apiVersion: v1\nkind: List\n").is_empty());
    assert_eq!(objects("kind: List\nitems:\n- {apiVersion: v1, kind: Thing}\n"), ["3:3 Thing/?"]);
    assert_eq!(objects("apiVersion: v1\nkind: Thing\nmetadata: {name: a}\nitems: {}\n"), ["1:1 Thing/a"]);
}

#[test]
fn a_list_whose_items_are_no_list_is_an_error_wherever_it_is_found() {
    for (kind, items, found) in
        [("AllowList", "{}", "object"), ("List", "{a: b}", "object"), ("AllowList", "5", "number")]
    {
        let text = format!("apiVersion: v1\nkind: {kind}\nitems: {items}\n");
        let message = format!(
            "the items of a list are not a list, so kubectl refuses it: json: cannot unmarshal {found} into Go struct \
             field decodeList.items of type []json.RawMessage"
        );
        assert_eq!(problems(&text), [format!("3:8 not-an-object: {message}")]);
        let root = folder(&[("a.yaml", text)]);
        let loaded = load_in(root.path(), &["."], false);
        assert_eq!((codes(&loaded), loaded.objects.len()), (vec![(ERROR, Code::NotAnObject)], 0));
    }
}

#[test]
fn items_that_are_no_objects_are_errors_at_their_place_when_the_file_was_named() {
    let text =
        "apiVersion: v1\nkind: List\nitems:\n- a: 1\n- {apiVersion: v1, kind: Thing, metadata: {name: a}}\n- x\n";
    let loaded = stdin(text);
    assert_eq!(loaded.objects, ["<stdin>:5:3 Thing/a"]);
    assert_eq!(
        problems(text),
        [
            "4:3 not-an-object: not a Kubernetes object: apiVersion and kind are missing",
            "6:3 not-an-object: not a Kubernetes object: a single value, not a mapping",
        ]
    );
    assert_eq!(loaded.counts.skipped, 2);
}
