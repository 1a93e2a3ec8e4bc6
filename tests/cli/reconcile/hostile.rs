//! Answers that no Console gives: whatever comes, nothing panics, nothing is absent that was not said to be, and no secret of
//! the inputs is shown.

use std::collections::BTreeMap;
use std::time::Duration;

use kcc_backoff::assess::World;
use kcc_backoff::assess::plural::Inputs as Targets;
use kcc_backoff::console::exchange::{Body, Client, Fault, Limits, Reply, Transport};
use kcc_backoff::console::recording;
use kcc_backoff::output::{PlanReport, Style, Summary, plan_github, plan_json, plan_junit, plan_markdown, plan_text};
use kcc_backoff::plural::console::Answer;
use kcc_backoff::reconcile::{Console, Input, Inputs, Observed, Semantics, look_ups, plan};
use kcc_backoff::source;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::plural::{SEVEN, object};
use crate::support::NOW;

/// Answers every request with these data for its aliases, in turn, and these errors.
struct Stranger {
    data: Vec<Value>,
    errors: Value,
}

impl Transport for Stranger {
    fn send(&self, body: &[u8]) -> Result<Reply, Fault> {
        let request: Value = serde_json::from_slice(body).unwrap();
        let aliases = request["variables"].as_object().unwrap().len();
        let data: Map<String, Value> = (0..aliases)
            .filter_map(|index| Some((format!("a{index}"), self.data.get(index % self.data.len().max(1))?.clone())))
            .collect();
        let body = json!({"data": data, "errors": self.errors}).to_string().into_bytes();
        Ok(Reply { status: 200, retry_after: None, body: Body::Whole(body) })
    }
}

/// Any JSON, with the keys that answers have among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let keys = prop::sample::select(vec![
        "id",
        "name",
        "url",
        "email",
        "type",
        "configuration",
        "slack",
        "readBindings",
        "notificationBindings",
        "user",
        "group",
        "project",
        "health",
        "creates",
        "templates",
        "context",
        "labels",
        "a",
        "***",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z*]{0,4}".prop_map(Value::from),
        Just(json!("PULLABLE")),
        Just(json!("it")),
        Just(json!("\u{1b}[31m\u{202e}")),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((keys.clone(), inner), 0..8).prop_map(|pairs| pairs
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect::<Map<_, _>>()
                .into()),
        ]
    })
}

/// An answer that has at least what makes it usable, and anything else.
fn likely() -> impl Strategy<Value = Value> {
    any_json().prop_map(|value| {
        let mut object = value.as_object().cloned().unwrap_or_default();
        for (key, value) in [("id", "i-1"), ("name", "it"), ("url", "u"), ("email", "e"), ("type", "PLURAL")] {
            object.entry(key).or_insert_with(|| value.into());
        }
        object.entry("configuration").or_insert_with(|| json!({}));
        object.into()
    })
}

fn errors() -> impl Strategy<Value = Value> {
    let message = prop_oneof![Just("could not find resource"), Just("forbidden"), Just("unknown error")];
    let path = prop_oneof![
        Just(json!(null)),
        Just(json!([])),
        Just(json!([7])),
        Just(json!("a0")),
        (0..9usize).prop_map(|index| json!([format!("a{index}")])),
        (0..9usize).prop_map(|index| json!([format!("a{index}"), "x", 0])),
    ];
    prop_oneof![
        3 => Just(json!([])),
        1 => Just(json!(null)),
        3 => prop::collection::vec((message, path), 0..4)
            .prop_map(|all| all.into_iter().map(|(message, path)| json!({"message": message, "path": path})).collect()),
    ]
}

fn manifests() -> String {
    let secret =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: infra}\nstringData: {password: MARKER-p}\n---\n";
    let with = |kind: &str| match kind {
        "Project" => object(kind).spec("bindings: {read: [{groupName: g}, {UserID: u}]}"),
        "GitRepository" => object(kind).spec("credentialsRef: {name: s, namespace: infra}"),
        "NotificationSink" => object(kind).spec("bindings: [{groupName: g}]"),
        "PrAutomation" => object(kind)
            .spec("labels: [a, b]")
            .spec("creates: {templates: [{destination: d, external: true, context: {a: [1, {b: 2}]}}]}"),
        "ServiceContext" => object(kind).spec("configuration: {a: {b: [1, 2]}, c: x}").spec("secretRef: {name: s}"),
        _ => object(kind),
    };
    secret.to_owned() + &SEVEN.iter().map(|(kind, _)| with(kind).text() + "---\n").collect::<String>()
}

fn try_one(data: Vec<Value>, errors: &Value) {
    let text = manifests();
    let mut bytes = text.as_bytes();
    let stdin = [source::Input::Stdin];
    let loaded = source::load(&stdin, &source::Options::default(), &mut bytes, &|item| Input::read(item, None));
    let inputs = Inputs::new(loaded.objects);
    let mut world = World::new(None, None, NOW.parse().unwrap());
    world.inputs = Targets::of(inputs.subjects.iter().map(|subject| &*subject.facts));
    let asked = look_ups(&inputs, &world);
    let limits = Limits { concurrency: 2, budget: Duration::from_secs(10) };
    let stranger = Stranger { data: data.clone(), errors: errors.clone() };
    let client = Client::new(stranger, limits, ("https://c.test", "nowhere"), None, true, Box::new(|_| {}));
    let answers = client.look_up(&asked).unwrap();
    // Absent is only what the Console called so: null, or its words for it at the very alias.
    let missed = errors.as_array().into_iter().flatten().any(|error| {
        error["message"] == "could not find resource" && error["path"].as_array().is_some_and(|path| path.len() == 1)
    });
    for (index, answer) in answers.iter().enumerate().filter(|(_, answer)| **answer == Answer::Absent) {
        let held = data.get(index % data.len().max(1));
        assert!(held.is_some_and(Value::is_null) || missed, "{errors} {answer:?}");
    }
    let recorded = recording::document("c", None, &client.exchanges(), &|text| inputs.redacted(text)).to_string();
    assert!(!recorded.contains("MARKER"));
    let observed = Observed::ask(&client, asked).unwrap();
    for semantics in [Semantics::Documented, Semantics::Controller] {
        let plan = plan(&inputs, &world, &observed, semantics);
        let report = PlanReport {
            plan: &plan,
            told_by: "x",
            unavailable: None,
            forbidden: &[],
            problems: &[],
            summary: Summary::default(),
        };
        let mut out = Vec::new();
        plan_json(&mut out, &report).unwrap();
        let parsed: BTreeMap<String, Value> = serde_json::from_slice(&out).unwrap();
        assert_eq!(parsed["objects"].as_array().unwrap().len(), 7);
        for width in [None, Some(50)] {
            plan_text(&mut out, Style { color: false, width }, &report).unwrap();
        }
        plan_markdown(&mut out, &report).unwrap();
        plan_junit(&mut out, &report).unwrap();
        plan_github(&mut out, &report).unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert!(!shown.contains("MARKER"), "{shown}");
        let bad = shown.chars().find(|character| kcc_backoff::output::is_dangerous(*character) && *character != '\n');
        assert_eq!(bad, None, "{shown}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_answered_is_planned_from_or_called_unknown(
        data in prop::collection::vec(prop_oneof![likely(), any_json(), Just(Value::Null)], 0..9),
        errors in errors(),
    ) {
        try_one(data, &errors);
    }
}
