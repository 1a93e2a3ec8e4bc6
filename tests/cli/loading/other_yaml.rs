use super::*;

#[test]
fn yaml_that_is_no_object_is_skipped_in_a_folder_and_an_error_when_named() {
    let root = folder(&[("values.yaml", "a: 1\n---\n- b\n".to_owned()), ("a.yaml", object("a"))]);
    let loaded = load_in(root.path(), &["."], false);
    assert_eq!((loaded.objects.len(), codes(&loaded), loaded.failed()), (1, vec![], false));
    assert_eq!(loaded.counts, Counts { files: 2, documents: 3, skipped: 2, broken: 0 });
    let loaded = load_in(root.path(), &["values.yaml", "a.yaml"], false);
    assert_eq!(loaded.objects.len(), 1);
    assert_eq!(codes(&loaded), [(ERROR, Code::NotAnObject); 2]);
    assert!(loaded.failed());
}

#[test]
fn the_error_says_what_is_missing() {
    for (text, message) in [
        ("a: 1", "apiVersion and kind are missing"),
        ("kind: Thing", "apiVersion is missing"),
        ("apiVersion: v1", "kind is missing"),
        ("{apiVersion: v1, kind: 5}", "kind is not a string"),
        ("{apiVersion: 1, kind: Thing}", "apiVersion is not a string"),
        ("{apiVersion: v1, kind: }", "kind is empty"),
        ("{apiVersion: '', kind: {}}", "apiVersion is empty, kind is not a string"),
        ("- a", "a list, not a mapping"),
        ("text", "a single value, not a mapping"),
    ] {
        assert_eq!(problems(text), [format!("1:1 not-an-object: not a Kubernetes object: {message}")], "{text:?}");
    }
}

/// As Go reads it, to which an apiVersion is a version, or a group, one `/`, and a version.
#[test]
fn an_api_version_with_two_slashes_is_none() {
    for version in ["a/b/c", "a//b", "a/b/"] {
        let text = format!("apiVersion: {version}\nkind: Thing\n");
        let expected = "1:13 not-an-object: not a Kubernetes object: an apiVersion has at most one `/`";
        assert_eq!(problems(&text), [expected], "{text:?}");
    }
    assert_eq!(objects("apiVersion: a/b\nkind: Thing\n"), ["1:1 Thing/?"]);
}
