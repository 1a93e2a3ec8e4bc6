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
        assert!(told[0].ends_with("alias-bomb: an alias stands inside the very node that it stands for"), "{told:?}");
    }
}

#[test]
fn an_alias_of_nothing_is_refused() {
    assert_eq!(
        problems("a: *b\nb: &b 1\n"),
        ["1:4 unknown-anchor: an alias (`*name`) of an anchor that this document does not have"]
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

#[test]
fn many_broken_documents_take_no_longer_than_one_long_one() {
    let n = 30_000;
    for broken in ["{a\n", "{]}", "{\"a\": {{ x }}\n", "{'\n", "{#\n", "{\"\n", "{\n\t[}\n", "...\n}\n", "---\n}\n"] {
        quickly(&broken.repeat(n));
    }
    quickly(&"- {\n\ta: b\n  }\n".repeat(n));
    quickly(&"- \"a\"# c\n".repeat(n));
    quickly(&"- .inf\n".repeat(n));
    quickly(&"a: \"b\u{2028}c\"\n".repeat(n));
}
