//! What the reader of manifests takes, what it refuses, and what it says about it.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use kcc_backoff::object::{Code, Diagnostic, Node, ScalarStyle, Severity};
use kcc_backoff::source::{Counts, Input, Item, Loaded, Options, load};
use proptest::prelude::*;
use tempfile::TempDir;

/// An object as these tests look at it: `file:line:column Kind/name`.
fn summary(item: &Item<'_>) -> String {
    let pos = item.node.pos();
    let name = item.node.at(&["metadata", "name"]).and_then(Node::str).unwrap_or("?");
    format!("{}:{}:{} {}/{name}", item.file, pos.line, pos.column, item.kind)
}

fn load_all(inputs: &[Input], recurse: bool, stdin: &mut dyn Read) -> Loaded<String> {
    load(inputs, &Options { recurse }, stdin, &summary)
}

/// Reads a text from standard input: as if it were a file that was named.
fn stdin(text: impl AsRef<[u8]>) -> Loaded<String> {
    load_all(&[Input::from("-")], false, &mut text.as_ref())
}

/// The objects in a text, without the file's name.
fn objects(text: &str) -> Vec<String> {
    let loaded = stdin(text);
    assert_eq!(loaded.problems, [], "{text:?}");
    loaded.objects.iter().map(|object| object.replace("<stdin>:", "")).collect()
}

/// The complaints about a text: `line:column code: message`.
fn problems(text: impl AsRef<[u8]>) -> Vec<String> {
    stdin(text).problems.iter().map(told).collect()
}

fn told(problem: &Diagnostic) -> String {
    let Some(place) = &problem.place else { return problem.message.clone() };
    format!("{}:{} {}: {}", place.line, place.column, problem.code.as_str(), problem.message)
}

/// What `read` finds in the only object of a text.
fn look<T: Send>(text: &str, read: impl Fn(Node<'_>) -> T + Sync) -> T {
    let mut loaded =
        load(&[Input::Stdin], &Options::default(), &mut text.as_bytes(), &|item: &Item<'_>| read(item.node));
    assert_eq!(loaded.problems, [], "{text:?}");
    assert_eq!(loaded.objects.len(), 1, "{text:?}");
    loaded.objects.remove(0)
}

fn object(name: &str) -> String {
    format!("apiVersion: v1\nkind: Thing\nmetadata:\n  name: {name}\n")
}

fn json(name: &str) -> String {
    format!(r#"{{"apiVersion": "v1", "kind": "Thing", "metadata": {{"name": "{name}"}}}}"#)
}

/// A folder with these files.
fn folder<B: AsRef<[u8]>>(files: &[(&str, B)]) -> TempDir {
    let root = TempDir::new().expect("a temporary folder");
    for (path, content) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, content).expect("a file");
    }
    root
}

/// Reads what is called `names` in a folder; places are told relative to it.
fn load_in(root: &Path, names: &[&str], recurse: bool) -> Loaded<String> {
    let inputs: Vec<Input> = names.iter().map(|name| Input::Path(root.join(name))).collect();
    let mut loaded = load_all(&inputs, recurse, &mut std::io::empty());
    let prefix = format!("{}/", root.display());
    for object in &mut loaded.objects {
        *object = object.replace(&prefix, "");
    }
    for problem in &mut loaded.problems {
        if let Some(place) = &mut problem.place {
            place.file = place.file.replace(&prefix, "").into();
        }
    }
    loaded
}

fn codes<T>(loaded: &Loaded<T>) -> Vec<(Severity, Code)> {
    loaded.problems.iter().map(|problem| (problem.severity, problem.code)).collect()
}

const ERROR: Severity = Severity::Error;

mod paths {
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
}

mod archives {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).expect("memory takes all");
        encoder.finish().expect("memory takes all")
    }

    fn tar<B: AsRef<[u8]>>(members: &[(&str, B)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (path, content) in members {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.as_ref().len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, path, content.as_ref()).expect("memory takes all");
        }
        builder.into_inner().expect("memory takes all")
    }

    fn tgz<B: AsRef<[u8]>>(members: &[(&str, B)]) -> Vec<u8> {
        gzip(&tar(members))
    }

    fn load_one(name: &str, bytes: &[u8]) -> Loaded<String> {
        let root = folder(&[(name, bytes)]);
        load_in(root.path(), &[name], false)
    }

    #[test]
    fn members_are_shown_behind_the_name_of_the_archive_and_sorted() {
        let bytes = tgz(&[
            ("dir/b.yaml", object("b")),
            ("./dir/a.json", json("a")),
            ("README.md", "no manifest".into()),
            ("dir/._b.yaml", "\0\u{5}\u{16}\u{7}".into()),
        ]);
        for name in ["x.tgz", "x.tar.gz"] {
            let loaded = load_one(name, &bytes);
            let places = [format!("{name}!dir/a.json:1:1 Thing/a"), format!("{name}!dir/b.yaml:1:1 Thing/b")];
            assert_eq!(loaded.objects, places);
            assert_eq!(loaded.counts, Counts { files: 2, documents: 2, skipped: 0, broken: 0 });
            assert!(!loaded.failed());
        }
    }

    #[test]
    fn what_is_no_object_in_an_archive_is_only_counted() {
        let members =
            [("values.yaml", "a: 1\n".to_owned()), ("t.yaml", "a: {{ .x }}\n".into()), ("a.yaml", object("a"))];
        let loaded = load_one("x.tgz", &tgz(&members));
        assert_eq!(loaded.objects, ["x.tgz!a.yaml:1:1 Thing/a"]);
        assert_eq!(codes(&loaded), [(Severity::Info, Code::Template)]);
        assert_eq!((loaded.counts.skipped, loaded.failed()), (2, false));
    }

    #[test]
    fn a_broken_member_is_an_error_at_its_place() {
        let loaded = load_one("x.tgz", &tgz(&[("a.yaml", "a: [\n".to_owned()), ("b.yaml", object("b"))]));
        assert_eq!(loaded.objects, ["x.tgz!b.yaml:1:1 Thing/b"]);
        assert_eq!(loaded.problems[0].place.as_ref().map(|place| &*place.file), Some("x.tgz!a.yaml"));
        assert!(loaded.failed());
    }

    #[test]
    fn an_archive_on_standard_input_is_read_too() {
        assert_eq!(stdin(tgz(&[("a.yaml", object("a"))])).objects, ["<stdin>!a.yaml:1:1 Thing/a"]);
    }

    #[test]
    fn of_members_with_the_same_path_the_last_counts() {
        let loaded =
            load_one("x.tgz", &tgz(&[("a.yaml", object("old")), ("b.yaml", object("b")), ("a.yaml", object("new"))]));
        assert_eq!(loaded.objects, ["x.tgz!a.yaml:1:1 Thing/new", "x.tgz!b.yaml:1:1 Thing/b"]);
    }

    #[test]
    fn a_damaged_archive_keeps_the_members_before_the_damage() {
        let noise: String = (0..20_000u32).map(|n| format!("{:x}", n.wrapping_mul(2_654_435_761))).collect();
        let bytes = tgz(&[("a.yaml", object("a")), ("noise.yaml", format!("# {noise}\n")), ("b.yaml", object("b"))]);
        let loaded = load_one("x.tgz", &bytes[..bytes.len() / 2]);
        assert_eq!(loaded.objects, ["x.tgz!a.yaml:1:1 Thing/a"]);
        assert_eq!(codes(&loaded), [(ERROR, Code::Archive)]);
        assert!(loaded.problems[0].message.starts_with("a damaged archive, of which only 1 manifests could be read"));

        let mut flipped = bytes.clone();
        let end = flipped.len() - 6;
        flipped[end] ^= 1;
        let loaded = load_one("x.tgz", &flipped);
        assert_eq!((loaded.objects.len(), codes(&loaded)), (2, vec![(ERROR, Code::Archive)]));
    }

    #[test]
    fn an_archive_that_unpacks_to_too_much_is_refused() {
        let mut header = tar::Header::new_gnu();
        header.set_path("huge.yaml").expect("a short path");
        header.set_size(1 << 40);
        header.set_cksum();
        let mut bytes = tar(&[("a.yaml", object("a"))]);
        bytes.truncate(1024);
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(&[b'#'; 4096]);
        let loaded = load_one("bomb.tgz", &gzip(&bytes));
        assert_eq!(loaded.objects, ["bomb.tgz!a.yaml:1:1 Thing/a"]);
        assert_eq!(told(&loaded.problems[0]), "0:0 archive: unpacks to more than 512 MiB; the rest was not read");
    }

    #[test]
    fn other_kinds_of_archives_say_what_to_do() {
        let cases: [(&str, Vec<u8>, &str); 5] = [
            ("x.tar", tar(&[("a.yaml", object("a"))]), "a tar archive that is not compressed"),
            ("x.yaml.gz", gzip(object("a").as_bytes()), "compressed, but not a tar archive"),
            ("x.zip", b"PK\x03\x04\x14\0\0\0".to_vec(), "a zip archive"),
            ("x.tgz", object("a").into_bytes(), "not compressed with gzip, against its name"),
            ("y.tgz", b"\x1f\x8b\x08\0garbage".to_vec(), "a damaged archive"),
        ];
        for (name, bytes, message) in cases {
            let loaded = load_one(name, &bytes);
            assert_eq!(codes(&loaded), [(ERROR, Code::Archive)], "{name}");
            assert!(loaded.problems[0].message.starts_with(message), "{name}: {}", loaded.problems[0].message);
            assert!(loaded.problems[0].fix.is_some(), "{name}");
            assert!(loaded.failed());
        }
    }

    #[test]
    fn an_archive_without_manifests_is_an_error() {
        assert_eq!(codes(&load_one("x.tgz", &tgz(&[("README", "a")]))), [(ERROR, Code::NoManifests)]);
    }
}

mod streams {
    use super::*;

    #[test]
    fn documents_are_found_however_they_are_separated() {
        let (a, b) = (object("a"), object("b"));
        for (text, at) in [
            (format!("{a}---\n{b}"), ["1:1", "6:1"]),
            (format!("---\n{a}--- # note\n{b}"), ["2:1", "7:1"]),
            (format!("%YAML 1.2\n---\n{a}...\n%TAG !e! tag:e,2000:\n---\n{b}"), ["3:1", "10:1"]),
            (format!("{a}%YAML 1.1\n---\n{b}"), ["1:1", "7:1"]),
            (format!("{a}...\n{b}"), ["1:1", "6:1"]),
            (format!("# c\n\n---\n# c\n---\n\n---\n{a}---\n---\n{b}---\n# c\n"), ["8:1", "14:1"]),
            (format!("--- {}\n--- {}", json("a"), json("b")), ["1:5", "2:5"]),
            (format!("\u{feff}{a}---\n\u{feff}{b}"), ["1:1", "6:1"]),
            (format!("{a}\u{feff}---\n{b}"), ["1:1", "6:1"]),
            (format!("{a}---\n# c\n\u{feff}{b}"), ["1:1", "7:1"]),
            (format!("{a}---\n{b}").replace('\n', "\r\n"), ["1:1", "6:1"]),
            (format!("{a}---\n{b}").replace('\n', "\r"), ["1:1", "6:1"]),
            (format!("{a}---\n{}", b.trim_end()), ["1:1", "6:1"]),
            (format!("{a}---\nnull\n---\n~\n---\n{b}"), ["1:1", "10:1"]),
        ] {
            let expected = [format!("{} Thing/a", at[0]), format!("{} Thing/b", at[1])];
            assert_eq!(objects(&text), expected, "{text:?}");
            assert_eq!(stdin(&text).counts, Counts { files: 1, documents: 2, skipped: 0, broken: 0 }, "{text:?}");
        }
    }

    #[test]
    fn json_documents_may_follow_each_other_without_anything_between() {
        let (a, b) = (json("a"), json("b"));
        let pretty = |name: &str| json(name).replace('{', "{\n\t").replace('}', "\n}").replace(", ", ",\n\t");
        for (text, at) in [
            (format!("{a}{b}"), ["1:1".to_owned(), format!("1:{}", a.len() + 1)]),
            (format!("{a} {b}"), ["1:1".to_owned(), format!("1:{}", a.len() + 2)]),
            (format!("{a}\n{b}\n"), ["1:1".to_owned(), "2:1".to_owned()]),
            (format!("\t{a}\n\n\t {b}"), ["1:2".to_owned(), "3:3".to_owned()]),
            (format!("{}\n{}\n", pretty("a"), pretty("b")), ["1:1".to_owned(), "8:1".to_owned()]),
            (format!("{}{}", pretty("a"), pretty("b")), ["1:1".to_owned(), "7:2".to_owned()]),
            (format!("{a}\n---\n{b}\n"), ["1:1".to_owned(), "3:1".to_owned()]),
        ] {
            assert_eq!(objects(&text), [format!("{} Thing/a", at[0]), format!("{} Thing/b", at[1])], "{text:?}");
        }
    }

    #[test]
    fn documents_are_numbered_from_0_and_empty_ones_do_not_count() {
        let text = format!("# c\n---\n{}---\n---\na: 1\n---\n{}{}", object("a"), json("b"), json("c"));
        let loaded = load(&[Input::Stdin], &Options::default(), &mut text.as_bytes(), &|item: &Item<'_>| item.document);
        assert_eq!(loaded.objects, [0, 2, 3]);
    }

    #[test]
    fn a_large_file_is_read_in_parallel_with_the_same_result() {
        let mut text = String::new();
        for n in 0..8_000 {
            text += &format!("--- # {n}\n{}", object(&format!("n{n}")));
            if n % 1000 == 0 {
                text += "---\n# nothing\n---\na: [\n";
            }
        }
        let loaded = load(&[Input::Stdin], &Options::default(), &mut text.as_bytes(), &|item: &Item<'_>| {
            (item.document, item.node.pos().line, summary(item))
        });
        assert_eq!(loaded.objects.len(), 8_000);
        assert_eq!(loaded.counts, Counts { files: 1, documents: 8_008, skipped: 0, broken: 8 });
        let numbers: Vec<&str> = text.lines().collect();
        for (n, (document, line, summary)) in loaded.objects.iter().enumerate() {
            assert_eq!(*document, n + n.div_ceil(1000));
            assert_eq!(numbers[*line as usize - 2], format!("--- # {n}"));
            assert!(summary.ends_with(&format!("/n{n}")));
        }
        assert!(loaded.problems.windows(2).all(|pair| pair[0].place < pair[1].place));
    }

    #[test]
    fn nothing_at_all_is_an_error_when_it_was_named() {
        for text in ["", "# c\n", "---\n---\n", "\u{feff}", "null", "...\n", " \n\n"] {
            assert_eq!(
                problems(text),
                ["0:0 no-manifests: holds no manifest: it is empty, or all comments"],
                "{text:?}"
            );
        }
        let root = folder(&[("a.yaml", "# c\n")]);
        let loaded = load_in(root.path(), &["."], false);
        assert_eq!((codes(&loaded), loaded.failed()), (vec![], false));
    }

    #[test]
    fn one_broken_document_hides_no_other() {
        for broken in [
            "a: [1\n",
            "a: \"\n",
            "a: b: c\n",
            "a: 1\n  b: 2\n",
            "a: 1\na: 2\n",
            "- [",
            "\ta: 1\n",
            "a: *b\n",
            "? {a: b}\n: c\n",
            "a: 1\n]\n",
        ] {
            let text = format!("{}---\n{broken}---\n{}", object("a"), object("b"));
            let loaded = stdin(&text);
            let line = 7 + broken.matches('\n').count() - usize::from(!broken.ends_with('\n'));
            if broken.ends_with('\n') {
                assert_eq!(loaded.objects, ["<stdin>:1:1 Thing/a".to_owned(), format!("<stdin>:{line}:1 Thing/b")]);
            }
            assert_eq!(loaded.problems.len(), 1, "{broken:?}");
            assert!(loaded.problems[0].place.as_ref().is_some_and(|place| place.line >= 6), "{broken:?}");
            assert_eq!(loaded.counts.broken, 1, "{broken:?}");
            assert!(loaded.failed());
        }
    }

    #[test]
    fn one_broken_line_of_json_hides_no_other() {
        for broken in ["{\"a\": [}", "{\"a\": \"b}", "{\"a\" 1}", "{\"a\": 1, \"a\": 2}", "{a b: {}]}"] {
            let loaded = stdin(format!("{}\n{broken}\n{}\n", json("a"), json("b")));
            assert_eq!(loaded.objects, ["<stdin>:1:1 Thing/a", "<stdin>:3:1 Thing/b"], "{broken:?}");
            assert_eq!(
                loaded.problems.iter().filter_map(|p| p.place.as_ref()).map(|p| p.line).collect::<Vec<_>>(),
                [2]
            );
        }
        assert_eq!(stdin(format!("{{\"a\": [}}\n{}", json("b"))).objects, ["<stdin>:2:1 Thing/b"]);
    }

    #[test]
    fn what_follows_a_document_without_a_marker_breaks_it() {
        assert_eq!(problems(format!("{}\n{{", json("a"))).len(), 1);
        let loaded = stdin(format!("{}\na: 1\n", json("a")));
        assert_eq!((loaded.objects.len(), loaded.counts.broken), (0, 1));
    }
}

mod lists {
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

    #[test]
    fn items_of_a_typed_list_inherit_what_they_leave_out() {
        let text = concat!(
            "apiVersion: x/v1\nkind: ThingList\nitems:\n",
            "- metadata: {name: a}\n- metadata: {name: b}\n  kind: Other\n- {apiVersion: y/v2, metadata: {name: c}}\n",
        );
        let loaded = load(&[Input::Stdin], &Options::default(), &mut text.as_bytes(), &|item: &Item<'_>| {
            format!("{} {}", item.api_version, item.kind)
        });
        assert_eq!(loaded.objects, ["x/v1 Thing", "x/v1 Other", "y/v2 Thing"]);
    }

    #[test]
    fn a_kind_that_ends_in_list_is_a_list_only_if_it_has_items() {
        assert_eq!(objects("apiVersion: v1\nkind: AllowList\nmetadata: {name: a}\n"), ["1:1 AllowList/a"]);
        assert_eq!(objects("apiVersion: v1\nkind: AllowList\nmetadata: {name: a}\nitems: {}\n"), ["1:1 AllowList/a"]);
        assert!(objects("apiVersion: v1\nkind: AllowList\nitems:\n").is_empty());
        assert!(objects("apiVersion: v1\nkind: AllowList\nitems: []\n").is_empty());
        assert!(objects("apiVersion: v1\nkind: List\n").is_empty());
        assert_eq!(objects("kind: List\nitems:\n- {apiVersion: v1, kind: Thing}\n"), ["3:3 Thing/?"]);
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
}

mod trees {
    use super::*;

    fn with_data(data: &str) -> String {
        format!("{}{data}", object("a"))
    }

    #[test]
    fn every_scalar_knows_its_place_its_style_and_its_text() {
        let text = with_data(concat!(
            "s:\n  plain: 600\n  single: 'it''s'\n  double: \"a\\u00e9\\\"\"\n",
            "  literal: |\n    x\n    y\n  folded: >-\n    x\n    y\n",
            "  absent:\n  tagged: !!str 1\n  über: x\n",
        ));
        let scalars = look(&text, |node| {
            let entries = node.get("s").into_iter().flat_map(Node::entries);
            let facts = entries.filter_map(|entry| entry.value.scalar()).map(|scalar| {
                (
                    scalar.text.to_owned(),
                    scalar.style,
                    scalar.tag.map(str::to_owned),
                    scalar.pos.line,
                    scalar.pos.column,
                )
            });
            facts.collect::<Vec<_>>()
        });
        use ScalarStyle as S;
        let expected = [
            ("600", S::Plain, None, 6, 10),
            ("it's", S::SingleQuoted, None, 7, 11),
            ("aé\"", S::DoubleQuoted, None, 8, 11),
            ("x\ny\n", S::Literal, None, 10, 5),
            ("x y", S::Folded, None, 13, 5),
            ("", S::Plain, None, 15, 9),
            ("1", S::Plain, Some("tag:yaml.org,2002:str"), 16, 11),
            ("x", S::Plain, None, 17, 9),
        ];
        let expected = expected
            .map(|(text, style, tag, line, column)| (text.to_owned(), style, tag.map(str::to_owned), line, column));
        assert_eq!(scalars, expected);
    }

    #[test]
    fn values_are_what_kubectl_makes_of_them() {
        let text = with_data("s: {a: yes, b: 0600, c: \"600\", d: ~, e: word, f: 1.5, g: !!str 5, h: }\n");
        let told = look(&text, |node| {
            let of = |key| node.at(&["s", key]).map(|n| (n.str().map(str::to_owned), n.bool(), n.int(), n.is_null()));
            ["a", "b", "c", "d", "e", "f", "g", "h"].map(|key| of(key).unwrap_or((None, None, None, false)))
        });
        let string = |text: &str| (Some(text.to_owned()), None, None, false);
        assert_eq!(
            told,
            [
                (None, Some(true), None, false),
                (None, None, Some(384), false),
                string("600"),
                (None, None, None, true),
                string("word"),
                (None, None, None, false),
                string("5"),
                (None, None, None, true),
            ]
        );
    }

    #[test]
    fn a_block_scalar_ends_with_the_file_as_libyaml_ends_it() {
        let text = with_data("s: |\n  x");
        assert_eq!(look(&text, |node| node.get("s").and_then(Node::str).map(str::to_owned)).as_deref(), Some("x"));
    }

    fn entries(text: &str) -> Vec<(String, String)> {
        look(&with_data(text), |node| {
            let entries = node.get("data").into_iter().flat_map(Node::entries);
            entries.filter_map(|e| Some((e.key.scalar()?.text.to_owned(), e.value.str()?.to_owned()))).collect()
        })
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn an_alias_is_the_node_it_stands_for() {
        assert_eq!(entries("b: &b text\ndata: {x: *b, y: *b}\n"), pairs(&[("x", "text"), ("y", "text")]));
        assert_eq!(entries("b: &b {k: v}\ndata: *b\n"), pairs(&[("k", "v")]));
        assert_eq!(entries("b: &b old\nc: &b new\ndata: {x: *b}\n"), pairs(&[("x", "new")]));
        assert_eq!(entries("b: &b key\ndata: {*b : v}\n"), pairs(&[("key", "v")]));
    }

    /// Measured with `kubectl annotate --local` 1.32.
    #[test]
    fn merges_give_what_kubectl_gives() {
        let base = "b: &b {a: b, x: b}\nc: &c {a: c, y: c}\n";
        for (data, expected) in [
            ("{<<: *b, a: own}", &[("a", "own"), ("x", "b")][..]),
            ("{z: own, <<: *b, a: own}", &[("z", "own"), ("a", "own"), ("x", "b")]),
            // Entries are set one after another: a merge overrides what stands above it.
            ("{a: own, <<: *b}", &[("a", "b"), ("x", "b")]),
            ("{<<: [*b, *c]}", &[("a", "b"), ("y", "c"), ("x", "b")]),
            ("{<<: *b, <<: *c}", &[("a", "c"), ("x", "b"), ("y", "c")]),
            ("{<<: {a: inline}, k: v}", &[("k", "v"), ("a", "inline")]),
            ("{<<: {<<: *b, x: i}}", &[("x", "i"), ("a", "b")]),
            ("{!!merge <<: *b}", &[("a", "b"), ("x", "b")]),
            ("{\"<<\": text}", &[("<<", "text")]),
        ] {
            assert_eq!(entries(&format!("{base}data: {data}\n")), pairs(expected), "{data}");
        }
    }

    #[test]
    fn a_merge_of_anything_but_mappings_is_refused() {
        for value in ["text", "", "[text]", "[[{a: b}]]", "*list"] {
            let text = with_data(&format!("b: &list [{{a: b}}]\ndata:\n  <<: {value}\n"));
            let told = problems(&text);
            assert_eq!(told.len(), 1, "{value}");
            assert!(told[0].starts_with("7:3 bad-merge: a merge (`<<`) takes a mapping"), "{}", told[0]);
        }
    }

    #[test]
    fn a_key_given_twice_is_an_error_that_names_both_lines() {
        let text = "apiVersion: v1\nkind: Thing\nspec:\n  a: 1\nmetadata: {}\n\n\"spec\": {}\n";
        assert_eq!(problems(text), ["7:1 duplicate-key: key \"spec\" is given twice in one mapping: lines 3 and 7"]);
        assert_eq!(
            problems("{\"a\": 1, \"a\": 2}"),
            ["1:10 duplicate-key: key \"a\" is given twice in one mapping: both on line 1"]
        );
        let many: String = (0..1000).map(|n| format!("k{n}: 1\n")).collect();
        assert_eq!(
            problems(format!("{many}k7: 2\nk3: 2\n")),
            ["1001:1 duplicate-key: key \"k7\" is given twice in one mapping: lines 8 and 1001"]
        );
        assert!(objects(&with_data("data: {a: {k: 1}, b: {k: 1}}\n")).len() == 1);
    }

    #[test]
    fn keys_that_are_no_text_are_refused() {
        assert_eq!(problems("a:\n  {b: c}: d\n"), ["2:3 bad-key: a mapping cannot be a key"]);
        assert_eq!(problems("? - a\n: b\n"), ["1:3 bad-key: a sequence cannot be a key"]);
        assert_eq!(problems("a: &a [b]\n*a : c\n"), ["2:1 bad-key: a sequence cannot be a key"]);
        assert_eq!(problems("~: a\n"), ["1:1 bad-key: a key cannot be null"]);
        assert_eq!(problems("a: {: b}\n"), ["1:5 bad-key: a key cannot be null"]);
        assert_eq!(entries("data: {'~': v, 1: v, yes: v}\n"), pairs(&[("~", "v"), ("1", "v"), ("yes", "v")]));
    }
}

mod limits {
    use super::*;
    use std::time::{Duration, Instant};

    fn quickly(text: &str) -> Vec<String> {
        let begin = Instant::now();
        let told = problems(text);
        assert!(begin.elapsed() < Duration::from_secs(5), "took {:?}", begin.elapsed());
        told
    }

    #[test]
    fn an_alias_bomb_ends_quickly_in_an_error_with_its_place() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
        for n in 1..9 {
            let aliases = vec![format!("*a{}", n - 1); 9].join(", ");
            bomb += &format!("a{n}: &a{n} [{aliases}]\n");
        }
        let told = quickly(&bomb);
        assert_eq!(told, ["7:10 alias-bomb: aliases make this document larger than 1000000 nodes"]);
    }

    #[test]
    fn a_bomb_of_merges_ends_quickly_too() {
        let base: String = (0..2000).map(|n| format!("k{n}: 1, ")).collect();
        let merges = "- {<<: *b}\n".repeat(2000);
        let told = quickly(&format!("b: &b {{{base}}}\nc:\n{merges}"));
        assert!(told[0].contains("alias-bomb"), "{told:?}");
    }

    #[test]
    fn many_aliases_of_something_small_are_fine() {
        let aliases = "- *a\n".repeat(50_000);
        assert_eq!(objects(&format!("{}a: &a text\nb:\n{aliases}", object("a"))), ["1:1 Thing/a"]);
    }

    #[test]
    fn an_alias_inside_of_what_it_stands_for_is_refused() {
        for text in ["a: &a [*a]\n", "a: &a {b: {c: *a}}\n"] {
            let told = problems(text);
            assert!(
                told[0].ends_with("alias-bomb: an alias stands inside the very node that it stands for"),
                "{told:?}"
            );
        }
    }

    #[test]
    fn an_alias_of_nothing_is_refused() {
        assert_eq!(
            problems("a: *b\nb: &b 1\n"),
            ["1:4 syntax: an alias (`*name`) of an anchor that this document does not have"]
        );
        assert_eq!(problems("a: &a 1\n---\nb: *a\n").len(), 2, "anchors end with their document");
    }

    #[test]
    fn deep_nesting_ends_quickly_in_an_error() {
        for text in
            ["[".repeat(100_000), "- ".repeat(100_000), (0..2000).map(|n| format!("{}a:\n", " ".repeat(n))).collect()]
        {
            let told = quickly(&text);
            assert!(told[0].ends_with("too-deep: nested more than 255 levels deep"), "{told:?}");
        }
        let mut chain = String::from("- &a0 [x]\n");
        for n in 1..1400 {
            chain += &format!("- &a{n} [*a{}]\n", n - 1);
        }
        assert!(quickly(&chain)[0].contains("too-deep: aliases nest more than 512 levels deep"));
    }

    #[test]
    fn long_lines_take_no_longer_than_many_lines() {
        let n = 300_000;
        for text in [
            format!("a: \"{}\"\nb: [\n", "{{".repeat(n)),
            format!("# {}\nb: [\n", "{{".repeat(n)),
            format!("a: b\n{}\nc: [\n", "\t".repeat(n)),
            format!("{}\n", "- ?\t".repeat(n)),
            "---\n".repeat(n),
            "# c\n".repeat(n),
            format!("{}a: [\n", "...\n".repeat(n)),
            "{}".repeat(n / 10),
            format!("{{{}", "\n".repeat(n)),
            format!("{{a{}", "\n{".repeat(n)),
            "%TAG ! x\n".repeat(n),
            format!("a: '{}", "\t\n".repeat(n)),
        ] {
            quickly(&text);
        }
    }

    #[test]
    fn a_hundred_levels_are_fine() {
        let text = format!("{}a: {}x{}\n", object("a"), "[".repeat(100), "]".repeat(100));
        assert_eq!(objects(&text), ["1:1 Thing/a"]);
    }
}

mod encodings {
    use super::*;

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn utf_16_is_told_by_its_mark_or_its_zeros() {
        for mark in ["\u{feff}", ""] {
            for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
                let loaded = stdin(utf16(&format!("{mark}{}", object("a")), bytes));
                assert_eq!(told(&loaded.problems[0]), "0:0 encoding: UTF-16, not UTF-8");
                assert!(loaded.problems[0].fix.as_deref().is_some_and(|fix| fix.contains("iconv -f UTF-16")));
                assert_eq!((loaded.counts.broken, loaded.failed()), (1, true));
            }
        }
    }

    #[test]
    fn what_is_not_utf_8_is_told_once_with_its_first_place_and_hides_no_other_document() {
        let mut bytes = object("a").into_bytes();
        bytes.extend(b"---\na: \xc3\xa9caf\xe9\n---\nb: \xff\n---\n");
        bytes.extend(object("b").into_bytes());
        let loaded = stdin(&bytes);
        assert_eq!(loaded.objects, ["<stdin>:1:1 Thing/a", "<stdin>:10:1 Thing/b"]);
        assert_eq!(loaded.problems.len(), 1);
        assert_eq!(
            told(&loaded.problems[0]),
            "6:8 encoding: 2 of 4 documents are not UTF-8: the first wrong byte is here"
        );
        assert!(loaded.problems[0].fix.is_some());
        assert_eq!(loaded.counts.broken, 2);
    }

    #[test]
    fn control_characters_are_told_by_their_number() {
        for (character, line) in
            [('\u{7}', "U+0007"), ('\u{7f}', "U+007F"), ('\u{9b}', "U+009B"), ('\u{fffe}', "U+FFFE")]
        {
            let told = problems(format!("{}a: \"é{character}\"\n", object("a")));
            assert_eq!(told, [format!("5:6 syntax: a control character ({line}), which YAML forbids")]);
        }
        assert_eq!(objects(&format!("{}a: \"b\u{85}\u{feff}c\"\n", object("a"))), ["1:1 Thing/a"]);
    }

    /// Each measured with `kubectl annotate --local` 1.32, which refuses exactly these.
    #[test]
    fn tabs_that_indent_are_refused_where_kubectl_refuses_them() {
        let refused = [
            ("a:\n\tb: c\n", "6:1"),
            ("a:\n  \tb: c\n", "6:3"),
            ("a: b\n\t\nc: d\n", "6:1"),
            ("a: b\n\t# c\n", "6:1"),
            ("a: b\n\tc\n", "6:1"),
            ("a:\n-\tb\n", "6:2"),
            ("a:\n-\tb: c\n", "6:2"),
            ("a:\n  ?\tb\n  : c\n", "6:4"),
            ("a: \"b\"\n\t\nc: d\n", "6:1"),
            ("a: {}\n\t\nc: d\n", "6:1"),
            ("a:\n\t\n  b: c\n", "6:1"),
            ("a: |\n\tb\n", "6:1"),
            ("a: |\n  b\n\tc\n", "7:1"),
        ];
        for (text, place) in refused {
            let expected = format!("{place} tab-indentation: indented with a tab; YAML allows only spaces");
            assert_eq!(problems(format!("{}{text}", object("a"))), [expected], "{text:?}");
        }
        for text in ["\ta: b\n", "\t\na: b\n", "\t# c\na: b\n"] {
            assert_eq!(
                problems(text),
                ["1:1 tab-indentation: indented with a tab; YAML allows only spaces"],
                "{text:?}"
            );
        }
    }

    #[test]
    fn tabs_that_do_not_indent_are_as_good_as_spaces() {
        for text in [
            "a:\tb\n",
            "a:\t\n  b: c\n",
            "a: b\t\n",
            "a: b \t# c\n",
            "a: b\n   \tc\n",
            "a: {\n\tb: c\n}\n",
            "a: [\n\t1,\n\t{\n\t\tb: '\n\t'\n\t}\n]\nd: [\n\t2\n]\n",
            "a: \"b\n\tc\"\n",
            "a: |\n  b\n  \tc\n",
        ] {
            assert_eq!(objects(&format!("{}{text}", object("a"))), ["1:1 Thing/a"], "{text:?}");
        }
    }

    #[test]
    fn an_error_in_json_that_is_indented_with_tabs_is_not_put_down_to_the_tabs() {
        let told = problems("{\n\t\"a\": 1,\n\t\"b\": [2}\n}\n");
        assert!(told[0].starts_with("3:") && told[0].contains("syntax"), "{told:?}");
    }
}

mod templates {
    use super::*;

    const HELM: &str = "apiVersion: v1\nkind: Thing\nmetadata:\n  name: {{ .Values.name }}\n";

    #[test]
    fn documents_that_are_templates_are_told_once_per_file_and_hide_no_other() {
        let liquid = "{% if x %}\na: 1\n{% endif %}\n";
        let loaded = stdin(format!("{}---\n{HELM}---\n{liquid}---\n{}", object("a"), object("b")));
        assert_eq!(loaded.objects, ["<stdin>:1:1 Thing/a", "<stdin>:15:1 Thing/b"]);
        assert_eq!(codes(&loaded), [(ERROR, Code::Template)]);
        let message = "2 of 4 documents are templates that must be rendered first; here is the first";
        assert_eq!(told(&loaded.problems[0]), format!("9:9 template: {message}"));
        assert!(loaded.problems[0].fix.as_deref().is_some_and(|fix| fix.contains("helm template")));
        assert_eq!(loaded.counts, Counts { files: 1, documents: 4, skipped: 2, broken: 0 });
        assert!(loaded.failed());
    }

    #[test]
    fn templates_in_a_folder_are_worth_a_note_and_no_error() {
        let root = folder(&[("t.yaml", HELM.to_owned()), ("a.yaml", object("a"))]);
        let loaded = load_in(root.path(), &["."], false);
        assert_eq!(loaded.objects.len(), 1);
        assert_eq!(codes(&loaded), [(Severity::Info, Code::Template)]);
        assert!(!loaded.failed());
    }

    #[test]
    fn every_usual_shape_of_template_is_known_for_one() {
        for text in [
            "{{- if .Values.x }}\na: 1\n{{- end }}\n",
            "a:\n  {{- toYaml .x | nindent 2 }}\n",
            "{{ .key }}: 1\n",
            "a: {{ .x }}-{{ .y }}\n",
            "a: \"{{ .x | default \"y\" }}\"\n",
            "a: [{{ .x }}, 1]\n",
            "{% for x in y %}\n- {{ x }}\n{% endfor %}\n",
            "a:\n\t{{ .x }}\n",
        ] {
            let loaded = stdin(text);
            assert_eq!(codes(&loaded), [(ERROR, Code::Template)], "{text:?}");
        }
    }

    #[test]
    fn braces_in_texts_are_no_template() {
        let text =
            format!("{}a: \"{{{{ .x }}}}\"\nb: x-{{{{ .y }}}}\nc: ${{uniqueId}}\nd: |\n  {{% x %}}\n", object("a"));
        assert_eq!(objects(&text), ["1:1 Thing/a"]);
        // An error that has nothing to do with them is an error.
        let loaded = stdin("a: \"{{ .x }}\" # {{ y }}\nb: [\n");
        assert_eq!(codes(&loaded), [(ERROR, Code::Syntax)]);
        assert_eq!(codes(&stdin("a: 1\na: 2\n# {{ x }}\n")), [(ERROR, Code::DuplicateKey)]);
    }
}

mod other_yaml {
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
}

mod robustness {
    use super::*;

    #[test]
    fn no_message_repeats_the_content_of_a_file() {
        let secret = "s3cr3t";
        for text in [
            format!("a: {secret}: b\n"),
            format!("a: \"{secret}\n"),
            format!("a: [{secret}\n"),
            format!("a: '{secret}' {secret}\n"),
            format!("a: *{secret}\n"),
            format!("a: !{secret}!x {secret}\n"),
            format!("a: {secret}\n {secret}: 1\n"),
            format!("a: {{{{ {secret} }}}}\n"),
            format!("{secret}\n"),
            format!("a: \"\\{secret}\"\n"),
            format!("%{secret} {secret}\n---\na: 1\n"),
            format!("a: >{secret}\n"),
            format!("a: @{secret}\n"),
            format!("{{\"a\": {secret}\"}}\n"),
            format!("a:\n  <<: {secret}\n"),
            format!("? [{secret}]\n: b\n"),
        ] {
            for problem in stdin(&text).problems {
                assert!(!problem.message.contains(secret), "{text:?}: {}", problem.message);
                assert!(!problem.fix.unwrap_or_default().contains(secret), "{text:?}");
            }
        }
    }

    #[test]
    fn messages_are_sentences_of_one_line() {
        for text in [
            "a: [1\n",
            "a: b: c\n",
            "a: \"\n",
            "a: 1\n- b\n",
            "a: |x\n",
            "&\n",
            "!<\n",
            "a: 1\n]\n",
            "{a: 1}}\n",
            "%YAML 3.0\n---\na: 1\n",
        ] {
            for problem in stdin(text).problems {
                assert!(!problem.message.contains('\n') && !problem.message.is_empty());
                assert!(problem.place.is_some_and(|place| place.line > 0 && place.column > 0), "{text:?}");
            }
        }
    }

    /// Everything that a reader of objects may ask of a node.
    fn visit(node: Node<'_>) -> usize {
        let own = usize::from(node.is_null()) + node.str().map_or(0, str::len) + usize::from(node.bool().is_some());
        let pos = node.pos();
        assert!(pos.line > 0 && pos.column > 0);
        let entries: usize = node.entries().map(|entry| visit(entry.key) + visit(entry.value)).sum();
        own + entries + node.items().map(visit).sum::<usize>()
    }

    fn survive(bytes: &[u8]) {
        let mut bytes_read = bytes;
        let loaded = load(&[Input::Stdin], &Options::default(), &mut bytes_read, &|item: &Item<'_>| visit(item.node));
        assert!(loaded.counts.broken + loaded.counts.skipped <= loaded.counts.documents + bytes.len() + 1);
        assert!(loaded.failed() || !loaded.objects.is_empty() || loaded.counts.documents > 0);
        for problem in &loaded.problems {
            assert!(!problem.message.is_empty());
        }
    }

    const FIXTURES: [&str; 6] = [
        concat!(
            "apiVersion: v1\nkind: Thing\nmetadata:\n  name: a\n  annotations: {a/b: \"0\", c: 'd'}\n",
            "spec:\n- x: |\n    text\n- &a {b: c}\n- *a\n",
        ),
        "%YAML 1.2\n--- # c\n{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"a\": [1, 2.5, null]}]}\n...\n",
        "a: &a {k: v}\nb:\n  <<: [*a, {x: y}]\n  ? z\n  : !!str 5\n---\n\u{feff}c: >-\n  é\n\n  ü\n",
        "{\"a\": \"\\ud83d\\ude00\"}{\"b\": {}}\n{\n\t\"c\": [\n\t\t1\n\t]\n}\n",
        "metadata:\n  name: {{ .Values.name }}\n{{- if .x }}\n  a: \"{{ .y }}\"\n{{- end }}\n---\n{% x %}\n",
        "a: {\n\tb: [\n\t\t'c\n\td'\n\t]\n}\r\ne: \"f\\\n  g\"\r\n-\th\n",
    ];

    /// Small changes of a text: bytes replaced, pieces cut out, doubled or swapped.
    fn mutate(text: &[u8], changes: &[(u8, usize, usize, u8)]) -> Vec<u8> {
        const ODD: &[u8] = b"-:?{}[]&*!|>'\"%@`#,~<\t\n\r \\\0\xff\xef\xbb\xbf\xc2.";
        let mut bytes = text.to_vec();
        for &(what, at, len, byte) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at % bytes.len();
            let end = (at + len % 40).min(bytes.len());
            match what % 5 {
                0 => bytes[at] = byte,
                1 => bytes[at] = ODD[usize::from(byte) % ODD.len()],
                2 => bytes.insert(at, ODD[usize::from(byte) % ODD.len()]),
                3 => drop(bytes.drain(at..end)),
                _ => {
                    let piece = bytes[at..end].to_vec();
                    let to = usize::from(byte) * 7 % bytes.len();
                    bytes.splice(to..to, piece);
                }
            }
        }
        bytes
    }

    fn changes() -> impl Strategy<Value = Vec<(u8, usize, usize, u8)>> {
        prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>(), any::<u8>()), 0..12)
    }

    /// Whatever means something to YAML.
    const STRUCTURE: &str = r#"([-:?{}\[\]&*!|>'"%#,~<\t\n ab.]|---|\.\.\.|\{\{|<<: |\n  ){0,60}"#;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            survive(&bytes);
        }

        #[test]
        fn no_structure_makes_the_reader_panic(text in STRUCTURE) {
            survive(text.as_bytes());
        }

        #[test]
        fn no_change_of_a_manifest_makes_the_reader_panic(which in 0..FIXTURES.len(), changes in changes()) {
            survive(&mutate(FIXTURES[which].as_bytes(), &changes));
        }

        #[test]
        fn no_change_of_a_document_hides_those_around_it(changes in changes(), which in 0..FIXTURES.len()) {
            let mut bytes = mutate(FIXTURES[which].as_bytes(), &changes);
            // A directive at the end of a document belongs to the next, which it can break.
            bytes.retain(|&byte| byte != b'%');
            let mut stream = format!("{}---\n", object("first")).into_bytes();
            stream.extend(&bytes);
            stream.extend(format!("\n---\n{}", object("last")).into_bytes());
            let loaded = stdin(&stream);
            let ends = (loaded.objects.first(), loaded.objects.last());
            let text = String::from_utf8_lossy(&bytes);
            prop_assert!(ends.0.is_some_and(|object| object.ends_with("Thing/first")), "{text:?}");
            prop_assert!(ends.1.is_some_and(|object| object.ends_with("Thing/last")), "{text:?}");
        }
    }

    #[test]
    #[cfg_attr(not(has_corpus), ignore = "KCC_BACKOFF_CORPUS is not set")]
    fn no_change_of_a_real_manifest_makes_the_reader_panic() {
        let corpus = std::env::var_os("KCC_BACKOFF_CORPUS").expect("KCC_BACKOFF_CORPUS is not set");
        let mut folders = vec![std::path::PathBuf::from(corpus)];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "yaml") {
                    files.push(path);
                }
            }
        }
        files.sort();
        assert!(!files.is_empty(), "the corpus holds no manifests");
        let texts: Vec<Vec<u8>> =
            files.iter().step_by(files.len().div_ceil(200)).map(|f| fs::read(f).expect("a file")).collect();
        let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) };
        proptest!(config, |(which in 0..texts.len(), changes in changes())| {
            survive(&mutate(&texts[which], &changes));
        });
    }
}
