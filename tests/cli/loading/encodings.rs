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
fn utf_32_is_told_by_its_mark_or_its_zeros() {
    for mark in ["\u{feff}", ""] {
        for bytes in [u32::to_le_bytes, u32::to_be_bytes] {
            let text = format!("{mark}{}", object("a"));
            let wide: Vec<u8> = text.chars().flat_map(|character| bytes(character as u32)).collect();
            let loaded = stdin(wide);
            assert_eq!(told(&loaded.problems[0]), "0:0 encoding: UTF-32, not UTF-8");
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
    assert_eq!(told(&loaded.problems[0]), "6:8 encoding: 2 of 4 documents are not UTF-8: the first wrong byte is here");
    assert!(loaded.problems[0].fix.is_some());
    assert_eq!(loaded.counts.broken, 2);
}

#[test]
fn control_characters_are_told_by_their_number() {
    for (character, line) in [('\u{7}', "U+0007"), ('\u{7f}', "U+007F"), ('\u{9b}', "U+009B"), ('\u{fffe}', "U+FFFE")] {
        let told = problems(format!("{}a: \"é{character}\"\n", object("a")));
        assert_eq!(told, [format!("5:6 control-character: a control character ({line}), which YAML forbids")]);
    }
    assert_eq!(objects(&format!("{}a: \"b\u{feff}c\"\n", object("a"))), ["1:1 Thing/a"]);
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
        assert_eq!(problems(text), ["1:1 tab-indentation: indented with a tab; YAML allows only spaces"], "{text:?}");
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

/// To libyaml, and so to kubectl, they end a line. Each measured with Go.
#[test]
fn line_separators_are_told_where_they_change_what_kubectl_reads() {
    for (character, number) in [('\u{2028}', "2028"), ('\u{2029}', "2029"), ('\u{85}', "0085")] {
        for (text, place) in [
            ("a: b@c\n", "5:5"),
            ("a: \"b @c\"\n", "5:7"),
            ("a: \"b@ c\"\n", "5:6"),
            ("a: \"b\n  @c\"\n", "6:3"),
            ("\"b@c\": d\n", "5:3"),
            ("a: |\n  b@c\n", "6:4"),
            ("a: |@  b\n", "5:5"),
            ("a: b # c@d: e\n", "5:9"),
            ("# c@d\na: b\n", "5:4"),
            ("a: [b@c]\n", "5:6"),
        ] {
            let text = format!("{}{}", object("a"), text.replace('@', &character.to_string()));
            let message = format!("syntax: an invisible U+{number}, which ends a line for kubectl");
            assert_eq!(problems(&text), [format!("{place} {message}")], "{text:?}");
        }
        for text in ["# c@\na: b\n", "# c@# d\na: b\n", "# c @ @\n"] {
            let text = format!("{}{}", object("a"), text.replace('@', &character.to_string()));
            assert_eq!(objects(&text), ["1:1 Thing/a"], "{text:?}");
        }
        // JSON is read by another parser.
        let text = json("a").replace("Thing", &format!("Thing {character}"));
        assert_eq!(stdin(&text).problems, [], "{text:?}");
        let text = json("a").replace("\"kind\"", &format!("{character}\"kind\""));
        assert_eq!(problems(&text), [format!("1:22 syntax: an invisible U+{number}, which ends a line for kubectl")]);
    }
    for text in ["a: \"b\u{2028}c\"\n", "a: 'b\u{2029}\u{2028}c'\n", "a: {b: \"\u{2028}\"}\n"] {
        assert_eq!(objects(&format!("{}{text}...\n", object("a"))), ["1:1 Thing/a"], "{text:?}");
    }
    assert_eq!(problems(format!("{}a: 'b\u{85}c'\n", object("a"))).len(), 1, "U+0085 becomes a space");
}

/// As libyaml, which takes one for a character like any other; measured with Go.
#[test]
fn a_byte_order_mark_inside_a_document_is_text() {
    let text = |text: &str| {
        look(&format!("{}{text}", object("a")), |node| {
            node.entries().last().map(|entry| format!("{:?}: {:?}", entry.key.str(), entry.value.str()))
        })
    };
    for (written, read) in [
        ("a: \u{feff}b\n", "Some(\"a\"): Some(\"\\u{feff}b\")"),
        ("\u{feff}a: b\n", "Some(\"\\u{feff}a\"): Some(\"b\")"),
        ("a: \"\u{feff}\"\n", "Some(\"a\"): Some(\"\\u{feff}\")"),
    ] {
        assert_eq!(text(written).as_deref(), Some(read));
    }
    for broken in ["a: {b: c}\u{feff}\n", "a: b\n\u{feff}\n", "\u{feff}# c\n"] {
        assert_eq!(problems(format!("{}{broken}", object("a"))).len(), 1, "{broken:?}");
    }
}

/// Each measured with Go.
#[test]
fn tabs_inside_of_flow_collections_are_read_wherever_the_collection_begins() {
    for text in [
        "spec:\n- {\n\t\"a\": \"b\"\n  }\n",
        "spec:\n- [\n\t\"a\"\n  ]\n",
        "spec:\n  {\n\t\"a\": \"b\"\n\t}\n",
        "spec:\n- - {\n\ta: b}\n",
        "spec:\n  &a !!map {\n\ta: it's, # {\n\tb: \"}\n\t{\" }\n",
        "spec:\n- a: {\n\tb: [\n\t\tc\n   \t]\n  }\n",
        "spec: {\n\ta: b\n,\n\tc: d\n}\n",
    ] {
        assert_eq!(objects(&format!("{}{text}", object("a"))), ["1:1 Thing/a"], "{text:?}");
    }
    let many = "- {\n\ta: b\n  }\n".repeat(200);
    assert_eq!(objects(&format!("{}spec:\n{many}---\n{}", object("a"), object("b"))).len(), 2);
    // A plain text goes on up to the next token, and asks for indentation.
    for text in [
        "spec: |\n  [\n\t\tx\n",
        "spec: a [\n\tc\n",
        "spec: {\n\ta: b\n\t}\n",
        "spec: {\n  a: b c\n\td}\n",
        "spec:\n  a: [\n  b\n  \t]\n",
        "spec:\n  \t|\n  b\n",
    ] {
        assert_eq!(codes(&stdin(format!("{}{text}", object("a")))), [(ERROR, Code::TabIndentation)], "{text:?}");
    }
    // Documents behind others of the same piece are mended, too, and none is told twice.
    let second = format!("{}spec:\n- {{\n\ta: b}}\n", object("b"));
    let loaded = stdin(format!("{}...\n{second}...\n{}", object("a"), object("c")));
    assert_eq!(loaded.objects.len(), 3);
    assert_eq!(codes(&loaded), [(Severity::Warning, Code::IgnoredDocument)]);
}

/// Each measured with Go.
#[test]
fn a_tab_on_a_blank_line_behind_a_plain_scalar_needs_only_the_indentation_that_libyaml_counts() {
    for text in [
        "spec:\n- a\n \t\n- b\n",
        "spec:\n- a\n\n \t\n- b\n",
        "spec:\n  - a\n   \t\n  - b\n",
        "spec:\n- a\n \tb\n- c\n",
        "spec:\n- a\n \t# c\n- c\n",
        "spec:\n- - a\n   \t\n  - c\n",
        "spec:\n-\n  a\n \t\n- c\n",
    ] {
        assert_eq!(objects(&format!("{}{text}", object("a"))), ["1:1 Thing/a"], "{text:?}");
    }
    for text in [
        "spec:\n- a\n\t\n- b\n",
        "spec:\n  - a\n \t\n  - b\n",
        "spec:\n- \"a\"\n \t\n- b\n",
        "spec: a # c\n  \t\n",
        "spec:\n- - a\n  \t\n  - c\n",
        "spec:\n- a: b\n \t\n- c\n",
    ] {
        assert_eq!(codes(&stdin(format!("{}{text}", object("a")))), [(ERROR, Code::TabIndentation)], "{text:?}");
    }
}

/// Each measured with Go.
#[test]
fn a_block_whose_text_begins_with_a_tab_is_refused_unless_its_header_says_how_far_it_is_indented() {
    for (text, place) in [
        ("a: |\n    \tb\n", "6:5"),
        ("a: >-\n\n  \tb\n  c\n", "7:3"),
        ("a: | # 2\n  \tb\n", "6:3"),
        ("a: |-\n  \t\n", "6:3"),
        ("a:\n- &x |+\n  \t\n  b\n", "7:3"),
    ] {
        let message = "the text of a block (`|` or `>`) begins with a tab, where kubectl looks for its indentation";
        let expected = format!("{place} tab-indentation: {message}");
        assert_eq!(problems(format!("{}{text}", object("a"))), [expected], "{text:?}");
    }
    for text in ["a: |2\n  \tb\n", "a: >1- # c\n \tb\n", "a: |\n  b\n  \tc\n", "a: |\n  b\n\n  \t\n"] {
        assert_eq!(objects(&format!("{}{text}", object("a"))), ["1:1 Thing/a"], "{text:?}");
    }
}
