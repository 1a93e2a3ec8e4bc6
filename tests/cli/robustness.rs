//! No input makes the program panic, or lets anything through to the terminal that its author did not put there.

use kcc_backoff::assess::{Object, World};
use kcc_backoff::diff::{Comparison, Side};
use kcc_backoff::kcc::Release;
use kcc_backoff::output::{
    self, Diff, DiffSide, Explanation, GroupBy, Listing, SortBy, Style, Summary, Wish, is_dangerous,
};
use kcc_backoff::source::{self, Input, Options};
use proptest::prelude::*;

use crate::support::NOW;

const EXAMPLES: [&str; 7] = [
    include_str!("../../examples/config-connector/metrics.yaml"),
    include_str!("../../examples/config-connector/controllers.yaml"),
    include_str!("../../examples/config-connector/traps.yaml"),
    include_str!("../../examples/config-connector/live.yaml"),
    include_str!("../../examples/plural-console/live.yaml"),
    include_str!("../../examples/plural-console/traps.yaml"),
    include_str!("../../examples/plural-console/contexts.yaml"),
];

/// Everything that the commands do with these bytes, in every format.
pub fn explain(mut bytes: &[u8], release: Release) {
    let loaded = source::load(&[Input::Stdin], &Options::default(), &mut bytes, &|item| {
        Object::read(item.node, item.api_version, item.kind, item.file, None)
    });
    let mut world = World::new(Some(release), None, NOW.parse().unwrap());
    let mut problems = world.observe(loaded.objects.iter().flatten());
    problems.extend(loaded.problems);
    let objects: Vec<&Object> = loaded.objects.iter().flatten().collect();
    let explanation =
        || Explanation { world: &world, objects: &objects, problems: &problems, summary: Summary::default() };
    for style in [Style::PLAIN, Style { color: false, width: Some(80) }] {
        let mut out = Vec::new();
        let tally = output::text(&mut out, style, explanation()).unwrap();
        output::complain(&mut out, style, &problems).unwrap();
        output::summarize(&mut out, &Summary::default(), &tally).unwrap();
        safe(&out);
    }
    let mut out = Vec::new();
    output::json(&mut out, explanation()).unwrap();
    safe(&out);
    let parsed: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(parsed["objects"].as_array().unwrap().len(), objects.len());
    let mut out = Vec::new();
    output::yaml(&mut out, explanation()).unwrap();
    output::names(&mut out, &explanation()).unwrap();
    safe(&out);
    list(&world, &explanation());
    diff(&world, &loaded.objects);
}

/// Everything that `list` does with the same objects.
fn list(world: &World, explanation: &Explanation<'_>) {
    for group_by in [None, Some(GroupBy::Kind), Some(GroupBy::Ceiling)] {
        let wish = Wish { group_by, sort_by: Some(SortBy::State), wide: true, ..Wish::default() };
        let listing = Listing::new(world, explanation.objects, wish);
        let mut out = Vec::new();
        for width in [None, Some(50), Some(80)] {
            output::list_table(&mut out, Style { color: false, width }, &listing).unwrap();
        }
        output::list_yaml(&mut out, explanation, &listing).unwrap();
        output::list_names(&mut out, &listing).unwrap();
        output::list_markdown(&mut out, &listing, explanation.problems).unwrap();
        safe(&out);
        let mut out = Vec::new();
        output::list_json(&mut out, explanation, &listing).unwrap();
        safe(&out);
        let parsed: serde_json::Value = serde_json::from_slice(&out).unwrap();
        assert!(group_by.is_some() || parsed["objects"].as_array().unwrap().len() == explanation.objects.len());
    }
}

/// Whatever the objects are, they do not differ from themselves; what differs from an old release is printed safely.
fn diff(world: &World, objects: &[Option<Object>]) {
    let refs: Vec<&Object> = objects.iter().flatten().collect();
    let side = Side { objects: &refs, world };
    let same = Comparison::of_trees(side, side);
    assert!(same.is_empty(), "{:?}", same.entries);
    assert_eq!(same.counts.same, refs.len());
    let mut old = World::new("1.134.0".parse().ok(), None, NOW.parse().unwrap());
    old.observe(objects.iter().flatten());
    let comparison = Comparison::of_releases(&refs, &old, world);
    let from = DiffSide { inputs: vec!["a".to_owned()], summary: Summary { kcc: 1, plural: 1, ..Summary::default() } };
    let diff = Diff { comparison: &comparison, from: &from, to: None, problems: &[] };
    let mut out = Vec::new();
    for width in [None, Some(50), Some(80)] {
        output::diff_text(&mut out, Style { color: false, width }, diff).unwrap();
    }
    output::diff_yaml(&mut out, diff).unwrap();
    output::diff_markdown(&mut out, diff).unwrap();
    safe(&out);
    let mut out = Vec::new();
    output::diff_json(&mut out, diff).unwrap();
    safe(&out);
    serde_json::from_slice::<serde_json::Value>(&out).unwrap();
}

fn safe(out: &[u8]) {
    let text = std::str::from_utf8(out).unwrap();
    let bad: Vec<char> = text.chars().filter(|character| *character != '\n' && is_dangerous(*character)).collect();
    assert!(bad.is_empty(), "{bad:?}");
}

fn release() -> impl Strategy<Value = Release> {
    prop::sample::select(vec!["1.90.0", "1.134.0", "1.135.0", "1.155.1", "1.158.0", "1.160.0", "main"])
        .prop_map(|text| text.parse().unwrap())
}

/// A value as a stranger might write it into any scalar.
fn scalar() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()),
        prop::sample::select(vec![
            "~",
            "0",
            "-1",
            "600",
            ".inf",
            "[]",
            "{a: b}",
            "2026-11-30T03:12:00Z",
            "\"\"",
            "9223372036854775807",
            "!!int 'x'",
            "!!binary 'aGk='",
            "yes",
            "|\n      x"
        ])
        .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_explain_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), release in release()) {
        explain(&bytes, release);
    }

    #[test]
    fn no_change_of_an_example_makes_explain_panic(
        example in 0..EXAMPLES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..8),
        release in release(),
    ) {
        let mut bytes = EXAMPLES[example].as_bytes().to_vec();
        for (index, byte, how) in changes {
            let index = index.index(bytes.len());
            match how {
                0 => bytes[index] = byte,
                1 => bytes.insert(index, byte),
                _ => { bytes.remove(index); }
            }
        }
        explain(&bytes, release);
    }

    #[test]
    fn no_value_of_any_field_makes_explain_panic(
        values in prop::collection::vec(scalar(), 16),
        kind in prop::sample::select(vec![
            "logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric",
            "alloydb.cnrm.cloud.google.com/v1beta1\nkind: AlloyDBCluster",
            "iam.cnrm.cloud.google.com/v1beta1\nkind: IAMPolicyMember",
            "core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnector",
            "x.cnrm.cloud.google.com/v1\nkind: Nobody",
        ]),
        release in release(),
    ) {
        let v = &values;
        let text = format!(
            "apiVersion: {kind}\nmetadata:\n  name: {}\n  namespace: {}\n  generation: {}\n  deletionTimestamp: {}\n  finalizers: [{}]\n  annotations:\n    \
             cnrm.cloud.google.com/backoff-max-delay-in-seconds: {}\n    cnrm.cloud.google.com/reconcile-interval-in-seconds: {}\n    \
             alpha.cnrm.cloud.google.com/reconciler: {}\n    cnrm.cloud.google.com/actuation-mode: {}\n    cnrm.cloud.google.com/deletion-policy: {}\n\
             spec:\n  mode: {}\nstatus:\n  observedGeneration: {}\n  conditions:\n  - type: Ready\n    status: {}\n    reason: {}\n    message: {}\n    lastTransitionTime: {}\n",
            v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15],
        );
        explain(text.as_bytes(), release);
    }
}
