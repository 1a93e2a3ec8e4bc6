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
    let members = [("values.yaml", "a: 1\n".to_owned()), ("t.yaml", "a: {{ .x }}\n".into()), ("a.yaml", object("a"))];
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
