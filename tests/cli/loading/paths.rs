use super::*;

#[test]
fn a_folder_gives_its_yaml_yml_and_json_files_in_order_of_their_names() {
    let root = folder(&[
        ("b.yml", object("b")),
        ("a.yaml", object("a")),
        ("c.json", json("c")),
        ("d.YAML", object("d")),
        ("README.md", "no: manifest".into()),
    ]);
    let loaded = load_in(root.path(), &["."], false);
    assert_eq!(loaded.objects, ["./a.yaml:1:1 Thing/a", "./b.yml:1:1 Thing/b", "./c.json:1:1 Thing/c"]);
    assert_eq!(loaded.counts, Counts { files: 3, documents: 3, skipped: 0, broken: 0 });
    assert!(!loaded.failed());
}

#[test]
fn subfolders_are_read_only_with_recurse_and_stand_where_their_names_belong() {
    let root = folder(&[
        ("x/b-c.yaml", object("last")),
        ("x/b/z.yaml", object("second")),
        ("x/a.yaml", object("first")),
        ("x/b/c/d.yaml", object("deep")),
    ]);
    let flat = load_in(root.path(), &["x"], false);
    assert_eq!(flat.objects, ["x/a.yaml:1:1 Thing/first", "x/b-c.yaml:1:1 Thing/last"]);
    let deep = load_in(root.path(), &["x"], true);
    assert_eq!(
        deep.objects,
        [
            "x/a.yaml:1:1 Thing/first",
            "x/b/c/d.yaml:1:1 Thing/deep",
            "x/b/z.yaml:1:1 Thing/second",
            "x/b-c.yaml:1:1 Thing/last",
        ]
    );
}

#[test]
fn hidden_and_git_ignored_files_are_read_as_kubectl_reads_them() {
    let root = folder(&[
        (".gitignore", "*.yaml\n".to_owned()),
        (".git/config.yaml", object("git")),
        (".hidden.yaml", object("hidden")),
        (".yaml", object("bare")),
    ]);
    let loaded = load_in(root.path(), &["."], true);
    assert_eq!(
        loaded.objects,
        ["./.git/config.yaml:1:1 Thing/git", "./.hidden.yaml:1:1 Thing/hidden", "./.yaml:1:1 Thing/bare"]
    );
}

#[cfg(unix)]
#[test]
fn links_to_files_are_read_and_links_to_folders_are_not_followed() {
    use std::os::unix::fs::symlink;
    let root = folder(&[("x/a.yaml", object("a")), ("y/b.yaml", object("b"))]);
    symlink("../y/b.yaml", root.path().join("x/link.yaml")).expect("a link");
    symlink("../y", root.path().join("x/folder")).expect("a link");
    symlink("..", root.path().join("x/loop.yaml")).expect("a link");
    let loaded = load_in(root.path(), &["x"], true);
    assert_eq!(loaded.objects, ["x/a.yaml:1:1 Thing/a", "x/link.yaml:1:1 Thing/b"]);
    assert!(!loaded.failed());

    symlink("nowhere", root.path().join("x/dangling.yaml")).expect("a link");
    let loaded = load_in(root.path(), &["x"], true);
    assert_eq!(loaded.objects.len(), 2);
    assert_eq!(codes(&loaded), [(ERROR, Code::Unreadable)]);
}

#[test]
fn a_named_file_is_read_whatever_it_is_called() {
    let root = folder(&[("manifest.txt", object("a")), ("Kindly", object("b"))]);
    let loaded = load_in(root.path(), &["manifest.txt", "Kindly"], false);
    assert_eq!(loaded.objects, ["manifest.txt:1:1 Thing/a", "Kindly:1:1 Thing/b"]);
}

#[test]
fn objects_come_in_the_order_of_the_inputs() {
    let root = folder(&[("d/2.yaml", object("d2")), ("d/1.yaml", object("d1")), ("z.yaml", object("z"))]);
    let inputs = [Input::Path(root.path().join("z.yaml")), Input::from("-"), Input::Path(root.path().join("d"))];
    let loaded = load(&inputs, &Options::default(), &mut json("s").as_bytes(), &|item: &Item<'_>| {
        item.node.at(&["metadata", "name"]).and_then(Node::str).map(str::to_owned)
    });
    let names: Vec<String> = loaded.objects.into_iter().flatten().collect();
    assert_eq!(names, ["z", "s", "d1", "d2"]);
}

#[test]
fn a_dash_is_standard_input_and_is_read_once() {
    let loaded = load_all(&[Input::from("-"), Input::from("-")], false, &mut object("a").as_bytes());
    assert_eq!(loaded.objects, ["<stdin>:1:1 Thing/a"]);
    assert!(!loaded.failed());
}

#[test]
fn what_is_not_there_is_an_error_and_the_rest_is_read() {
    let root = folder(&[("a.yaml", object("a"))]);
    let loaded = load_in(root.path(), &["nothing.yaml", "a.yaml"], false);
    assert_eq!(loaded.objects, ["a.yaml:1:1 Thing/a"]);
    assert_eq!(codes(&loaded), [(ERROR, Code::Unreadable)]);
    assert_eq!(loaded.problems[0].message, "cannot be read: there is no such file");
    assert!(loaded.failed());

    let loaded = load_all(&[Input::from("https://example.com/a.yaml")], false, &mut std::io::empty());
    assert!(loaded.problems[0].fix.as_deref().is_some_and(|fix| fix.contains("curl")));
}

#[test]
fn a_folder_without_manifests_is_an_error_that_knows_of_subfolders() {
    let root = folder(&[("empty/README", object("a")), ("x/y/z/a.yaml", object("a"))]);
    let loaded = load_in(root.path(), &["empty"], false);
    assert_eq!(codes(&loaded), [(ERROR, Code::NoManifests)]);
    assert_eq!(loaded.problems[0].fix, None);
    let loaded = load_in(root.path(), &["x"], false);
    assert_eq!(codes(&loaded), [(ERROR, Code::NoManifests)]);
    assert!(loaded.problems[0].fix.as_deref().is_some_and(|fix| fix.contains("-R")));
    assert!(loaded.failed());
}
