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
