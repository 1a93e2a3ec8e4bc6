//! No input makes the program panic, or lets anything through to the terminal that its author did not put there.

use kcc_backoff::assess::{Object, World};
use kcc_backoff::kcc::Release;
use kcc_backoff::output::{self, Explanation, Style, Summary, is_dangerous};
use kcc_backoff::source::{self, Input, Options};
use proptest::prelude::*;

use crate::support::NOW;

const EXAMPLES: [&str; 4] = [
    include_str!("../../examples/config-connector/metrics.yaml"),
    include_str!("../../examples/config-connector/controllers.yaml"),
    include_str!("../../examples/config-connector/traps.yaml"),
    include_str!("../../examples/config-connector/live.yaml"),
];

/// Everything that `explain` does with these bytes, in every format.
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
