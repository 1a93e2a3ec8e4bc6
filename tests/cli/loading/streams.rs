use super::*;

#[test]
fn documents_are_found_however_they_are_separated() {
    let (a, b) = (object("a"), object("b"));
    for (text, at) in [
        (format!("{a}---\n{b}"), ["1:1", "6:1"]),
        (format!("---\n{a}--- # note\n{b}"), ["2:1", "7:1"]),
        (format!("%YAML 1.2\n---\n{a}...\n%TAG !e! tag:e,2000:\n---\n{b}"), ["3:1", "10:1"]),
        (format!("{a}%YAML 1.1\n---\n{b}"), ["1:1", "7:1"]),
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
        assert_eq!(problems(text), ["0:0 no-manifests: holds no manifest: it is empty, or all comments"], "{text:?}");
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
        assert_eq!(loaded.problems.iter().filter_map(|p| p.place.as_ref()).map(|p| p.line).collect::<Vec<_>>(), [2]);
    }
    assert_eq!(stdin(format!("{{\"a\": [}}\n{}", json("b"))).objects, ["<stdin>:2:1 Thing/b"]);
}

/// kubectl cuts a file before it parses it. Each measured with Go.
#[test]
fn lines_separate_documents_where_they_do_for_kubectl() {
    let (a, b) = (object("a"), object("b"));
    for line in ["---# c", "---####", "---\u{a0}", "---\u{3000}# c", "---\u{b}", "---\u{c}", "---\u{2028}"] {
        assert_eq!(objects(&format!("{a}{line}\n{b}")), ["1:1 Thing/a", "6:1 Thing/b"], "{line:?}");
        assert_eq!(objects(&format!("{a}{line}")), ["1:1 Thing/a"], "{line:?}");
    }
    for line in ["---x", "---\u{200b}", "---\"\""] {
        assert_eq!(stdin(format!("{a}{line}\n{b}")).objects.len(), 0, "{line:?}");
    }
    // Where nothing stands in front of it, the line is text.
    assert_eq!(codes(&stdin(format!("---# c\n{a}"))), [(ERROR, Code::Syntax)]);
}

#[test]
fn what_follows_three_dots_is_read_with_a_warning_because_kubectl_ignores_it() {
    let (a, b) = (object("a"), object("b"));
    let warning = "ignored-document: kubectl stops reading at `...`: what follows up to the next `---` is not applied";
    for (text, place, objects) in [
        (format!("{a}...\n{b}"), "5:1", 2),
        (format!("{a}... # c\n\n{b}...\n{b}---\n{b}"), "5:1", 4),
        (format!("---\n...\n{b}"), "2:1", 1),
        (format!("--- {}\n...\n{b}", json("a")), "2:1", 2),
    ] {
        let loaded = stdin(&text);
        assert_eq!(problems(&text), [format!("{place} {warning}")], "{text:?}");
        assert_eq!((loaded.objects.len(), loaded.failed()), (objects, false), "{text:?}");
        assert_eq!(loaded.problems[0].fix.as_deref(), Some("write `---` instead"));
    }
    for text in [format!("{a}...\n"), format!("{a}...\n# c\n...\n"), format!("{a}...\n---\n{b}")] {
        assert_eq!(stdin(&text).problems, [], "{text:?}");
    }
    // What is broken behind them does not break what stands in front.
    for broken in ["@", "a: [", "\"a"] {
        let loaded = stdin(format!("{a}...\n{broken}\n"));
        assert_eq!(loaded.objects, ["<stdin>:1:1 Thing/a"], "{broken:?}");
        assert_eq!(codes(&loaded), [(Severity::Warning, Code::IgnoredDocument), (ERROR, Code::Syntax)]);
    }
}

#[test]
fn a_brace_that_begins_a_line_begins_no_document_inside_of_one() {
    for spec in ["[{b: c}, # x\n{b: d}]", "\"a\n{b\"", "'a\n{b'", "'a}{b'", "&a\n{b: c}", "[{b: c},# x\n{b: d}]"] {
        let a = format!("{{apiVersion: v1, kind: Thing, metadata: {{name: a}}, spec: {spec}}}");
        assert_eq!(objects(&format!("---\n{a}\n")), ["2:1 Thing/a"], "{a:?}");
        let b = json("b");
        let line = 3 + a.matches('\n').count();
        let expected = ["1:1 Thing/b".to_owned(), "2:1 Thing/a".to_owned(), format!("{line}:1 Thing/b")];
        assert_eq!(objects(&format!("{b}\n{a}\n{b}\n")), expected, "{a:?}");
    }
}

#[test]
fn files_that_were_put_together_without_a_line_feed_are_recognised() {
    for end in ["x: y", "spec:\n  a: [b]\n  x: y"] {
        let loaded = stdin(format!("{}{end}---\n{}", object("a"), object("b")));
        assert_eq!(codes(&loaded), [(ERROR, Code::DuplicateKey)]);
        let fix = loaded.problems[0].fix.as_deref().unwrap_or_default();
        assert!(fix.contains("put together") && fix.contains("a line of its own"), "{fix}");
    }
    let loaded = stdin(format!("{}apiVersion: v1\n", object("a---b")));
    assert_eq!(loaded.problems[0].fix.as_deref(), Some("keep one of the two"));
}

#[test]
fn what_follows_a_document_without_a_marker_breaks_it() {
    assert_eq!(problems(format!("{}\n{{", json("a"))).len(), 1);
    let loaded = stdin(format!("{}\na: 1\n", json("a")));
    assert_eq!((loaded.objects.len(), loaded.counts.broken), (0, 1));
}
