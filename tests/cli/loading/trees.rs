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
            (scalar.text.to_owned(), scalar.style, scalar.tag.map(str::to_owned), scalar.pos.line, scalar.pos.column)
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
    let expected =
        expected.map(|(text, style, tag, line, column)| (text.to_owned(), style, tag.map(str::to_owned), line, column));
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

/// kubectl ends every line before it parses. Each measured with Go.
#[test]
fn a_block_scalar_at_the_end_of_a_file_ends_with_a_line_feed() {
    for (text, expected) in [
        ("s: |\n  x", "x\n"),
        ("s: >\n  x", "x\n"),
        ("s: |-\n  x", "x"),
        ("s: |\n  x\n  ", "x\n"),
        ("s: |+\n  x\n  ", "x\n\n"),
        ("s: |+\n  x", "x\n"),
        ("s: a|", "a|"),
        ("s: 'a|'", "a|"),
    ] {
        let read = look(&with_data(text), |node| node.get("s").and_then(Node::str).map(str::to_owned));
        assert_eq!(read.as_deref(), Some(expected), "{text:?}");
    }
}

/// libyaml needs no space in front of a comment where a token has ended. Each measured with Go.
#[test]
fn a_comment_may_touch_what_stands_in_front_of_it() {
    let read = |text: &str| {
        look(&with_data(text), |node| {
            let of = |key| node.get(key).and_then(|node| node.str().or_else(|| node.items().next()?.str()));
            let place = |key| node.entry(key).map(|entry| entry.key.pos());
            (of("s").map(str::to_owned), of("t").map(str::to_owned), place("t").map(|pos| (pos.line, pos.column)))
        })
    };
    for text in [
        "s: \"x\"# c\nt: z\n",
        "s: 'x'#\nt: z\n",
        "s: [x]#é: \"\nt: z\n",
        "s: \"x\"# c # d\nt: \"z\"# e\n",
        "s: |# c\n  x\nt: z\n",
    ] {
        let (s, t, place) = read(text);
        assert_eq!((s.as_deref().map(str::trim_end), t.as_deref()), (Some("x"), Some("z")), "{text:?}");
        let line = if text.contains('|') { 7 } else { 6 };
        assert_eq!(place, Some((line, 1)), "{text:?}");
    }
    assert_eq!(entries("data: {# c\n a: b,# c }\n c: d# e\n}# f\n"), pairs(&[("a", "b"), ("c", "d# e")]));
    for text in ["\"s\"# c\n: x\n", "s: \"x\"c\n"] {
        assert_eq!(codes(&stdin(with_data(text))), [(ERROR, Code::Syntax)], "{text:?}");
    }
}

/// Each measured with Go, to which `.nan` is fine as a key.
#[test]
fn a_value_that_cannot_be_json_is_an_error_for_which_kubectl_refuses_the_document() {
    for (text, place, words) in [
        ("s: .nan\n", "5:4", "json: unsupported value: NaN"),
        ("s: [{t: +.inf}]\n", "5:9", "json: unsupported value: +Inf"),
        ("s: &a -.Inf\nt: *a\n", "5:7", "json: unsupported value: -Inf"),
        ("s: !!int s3cr3t\n", "5:4", "yaml: cannot decode !!str `…` as a !!int"),
        ("!!int x: y\n", "5:1", "yaml: cannot decode !!str `…` as a !!int"),
        ("s: !!binary \"!!\"\n", "5:4", "yaml: !!binary value contains invalid base64 data"),
    ] {
        let loaded = stdin(with_data(text));
        assert_eq!(loaded.objects, ["<stdin>:1:1 Thing/a"], "{text:?}");
        let message = format!("kubectl refuses the whole document: error converting YAML to JSON: {words}");
        assert_eq!(problems(with_data(text)), [format!("{place} no-json-value: {message}")], "{text:?}");
        assert!(loaded.failed() && loaded.problems[0].fix.is_some());
    }
    for text in [".nan: x\n", "s: '.nan'\n", "s: -1\n", "s: .5\n", "s: !!int \"5\"\n", "s: !a .nan\n", "s: !!int [a]\n"]
    {
        assert_eq!(objects(&with_data(text)), ["1:1 Thing/a"], "{text:?}");
    }
    // Of annotations and labels those who describe the object tell.
    let object = "apiVersion: v1\nkind: Thing\nmetadata:\n  annotations: {a: .nan}\n  labels: {b: !!int x}\n";
    assert_eq!(objects(object), ["1:1 Thing/?"]);
    // In a folder what is no object is nobody's business.
    let root = folder(&[("values.yaml", "a: .nan\n")]);
    assert_eq!(codes(&load_in(root.path(), &["."], false)), []);
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
        ("{&k <<: *b}", &[("a", "b"), ("x", "b")]),
        ("{&k <<: *b, ? *k : text}", &[("<<", "text"), ("a", "b"), ("x", "b")]),
        ("{! <<: *b}", &[("a", "b"), ("x", "b")]),
        ("{! \"<<\": *b}", &[("a", "b"), ("x", "b")]),
        ("{!!str <<: text}", &[("<<", "text")]),
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
