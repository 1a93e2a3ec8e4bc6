//! What would be sent beside what the Console holds (console.md sections 2.5, 13 and 15).

use kcc_backoff::plural::compare::{Difference, compare};
use kcc_backoff::plural::console::masked;
use kcc_backoff::plural::kind::Found;
use serde_json::{Value, json};

use super::manifests::*;
use super::{Finds as _, attributes, everything, nothing, object, of, subject};

fn difference(text: &str, found: &Found, held: &Value) -> Difference {
    compare(subject(text).managed.unwrap(), &attributes(text, found), held)
}

/// Paths with what is held and what would be sent, as shown.
fn changes(text: &str, found: &Found, held: &Value) -> Vec<(String, Value, Value)> {
    difference(text, found, held).changes.into_iter().map(|change| (change.path, change.from, change.to)).collect()
}

fn uncompared(text: &str, found: &Found, held: &Value) -> Vec<String> {
    difference(text, found, held).uncompared.into_iter().map(|field| field.path).collect()
}

fn change(path: &str, from: Value, to: Value) -> (String, Value, Value) {
    (path.to_owned(), from, to)
}

fn user(id: &str) -> Value {
    json!({"id": format!("b-{id}"), "user": {"id": id, "name": id, "email": format!("{id}@orchard.test")}, "group": null})
}

fn group(id: &str, name: &str) -> Value {
    json!({"id": format!("b-{id}"), "user": null, "group": {"id": id, "name": name}})
}

fn project(name: &str, description: Value, read: Value, write: Value) -> Value {
    json!({"id": "7", "name": name, "description": description, "readBindings": read, "writeBindings": write})
}

/// An answer that holds what `AUTOMATION_WITH_EVERYTHING` sends.
fn automation() -> Value {
    json!({
        "id": "7", "name": "everything", "role": "UPDATE", "identifier": "orchard/fleet",
        "documentation": "what it does", "title": "a title", "message": "a message", "branchPrefix": "bot/",
        "proxy": {"url": "http://proxy.orchard.test", "noproxy": ".orchard.test"},
        "updates": {
            "regexes": ["v[0-9]+"],
            "regexReplacements": [{"regex": "old", "file": "main.tf", "replacement": "new", "templated": false}],
            "yamlOverlays": [{"file": "values.yaml", "yaml": "a: 1", "listMerge": "APPEND", "templated": true}],
            "files": ["main.tf"], "replaceTemplate": "{{ context.v }}", "yq": ".a = 1", "matchStrategy": "RECURSIVE"
        },
        "creates": {
            "git": {"ref": "v1", "folder": "other", "files": ["b.yaml"]},
            "templates": [{
                "source": "", "destination": "out.yaml", "context": {"b": 1, "a": "x < y"}, "condition": "context.on",
                "external": false
            }]
        },
        "deletes": {"files": ["old.yaml"], "folders": ["attic"]},
        "vendor": {"helm": {
            "url": "https://charts.orchard.test", "chart": "queue", "version": "1.2.3", "destination": "charts"
        }},
        "lua": {"external": false, "script": "return 1", "folder": "scripts"},
        "git": {"ref": "main", "folder": "templates", "files": ["a.yaml"]},
        "labels": ["automated", "bump"],
        "icon": "https://img.orchard.test/light.png", "darkIcon": "https://img.orchard.test/dark.png", "addon": "queue",
        "cluster": {"id": "k1", "name": "fleet"}, "service": {"id": "s1", "name": "queue"},
        "connection": {"id": "scm1", "name": "forge"}, "catalog": {"id": "c1", "name": "messaging"},
        "project": {"id": "p1", "name": "orchard-prod"},
        "repository": {"id": "r1", "url": "https://git.orchard.test/infra/fleet.git"},
        "configuration": [{
            "type": "ENUM", "name": "letter", "default": "a", "documentation": "which letter", "longform": "a long text",
            "displayName": "Letter", "placeholder": "pick one", "page": 2, "optional": false,
            "condition": {"operation": "PREFIX", "field": "other", "value": "x"}, "values": ["a", "b"]
        }],
        "secrets": {"cluster": "fleet", "namespace": "infra", "name": "queue", "entries": [
            {"name": "token", "documentation": "what for", "autogenerate": true}
        ]},
        "confirmation": {"text": "read the notes", "checklist": [{"label": "backups done"}]},
        "writeBindings": [group("g2", "platform")], "createBindings": [group("g3", "developers")]
    })
}

/// The answer with another value at a JSON pointer.
fn automation_but(pointer: &str, value: Value) -> Value {
    let mut held = automation();
    *held.pointer_mut(pointer).unwrap() = value;
    held
}

fn automation_changes(held: &Value) -> Vec<(String, Value, Value)> {
    changes(AUTOMATION_WITH_EVERYTHING, &everything(), held)
}

#[test]
fn what_the_console_holds_as_it_would_be_sent_does_not_differ() {
    let same = project(
        "orchard-prod",
        "production fleet".into(),
        json!([group("g1", "auditors")]),
        json!([group("g2", "platform"), user("u1")]),
    );
    assert_eq!(difference(PROJECT_FULL, &everything(), &same), Difference::default());
    assert_eq!(automation_changes(&automation()), []);
    let context = json!({
        "id": "7", "name": "database", "project": {"id": "p1", "name": "orchard-prod"},
        "configuration": {
            "size": {"cpu": 4.0}, "engine": "mysql", "region": "everywhere", "password": "MARKER-SECRET",
            "eu": {"region": "eu-1"}
        }
    });
    assert_eq!(difference(CONTEXT_FULL, &everything(), &context), Difference::default());
}

#[test]
fn of_each_kind_exactly_what_the_console_does_not_return_cannot_be_compared() {
    assert_eq!(uncompared(PROJECT_FULL, &everything(), &json!({})), [""; 0]);
    assert_eq!(uncompared(CATALOG_FULL, &everything(), &json!({})), ["tags"]);
    let all = [("password", "w"), ("username", "u"), ("passphrase", "h"), ("privateKey", "k")];
    let found = nothing().id("spec.connectionRef", "scm1").data("spec.credentialsRef", None, &all);
    assert_eq!(
        uncompared(REPOSITORY_FULL, &found, &json!({})),
        ["privateKey", "passphrase", "username", "password", "connectionId"]
    );
    for sink in [SINK_IN_APP, SINK_CHAT, SINK_LEGACY] {
        assert_eq!(uncompared(sink, &everything(), &json!({})), [""; 0]);
    }
    assert_eq!(uncompared(ACCOUNT_FULL, &everything(), &json!({})), [""; 0]);
    assert_eq!(
        uncompared(AUTOMATION_WITH_EVERYTHING, &everything(), &automation()),
        ["branch", "patch", "configuration[0].validation"]
    );
    assert_eq!(uncompared(CONTEXT_FULL, &everything(), &json!({})), [""; 0]);
}

#[test]
fn a_value_of_another_text_or_none_is_a_change() {
    let held = |description| project("orchard", description, json!([]), json!([]));
    let text = object("Project", "{name: orchard, description: new}");
    for old in [json!("old"), Value::Null] {
        assert_eq!(changes(&text, &nothing(), &held(old.clone())), [change("description", old, "new".into())]);
    }
    assert_eq!(
        automation_changes(&automation_but("/role", Value::Null)),
        [change("role", Value::Null, "UPDATE".into())]
    );
}

#[test]
fn what_is_not_sent_is_not_compared() {
    let held = project("orchard", "kept".into(), json!([user("u7")]), json!([user("u7")]));
    assert_eq!(changes(PROJECT_SMALL, &nothing(), &held), []);
}

#[test]
fn a_list_of_texts_differs_as_a_whole_and_by_its_order() {
    let sent = json!(["automated", "bump"]);
    for old in [json!(["bump", "automated"]), json!(["automated"]), json!([])] {
        assert_eq!(automation_changes(&automation_but("/labels", old.clone())), [change("labels", old, sent.clone())]);
    }
    assert_eq!(automation_changes(&automation_but("/labels", Value::Null)), [change("labels", json!([]), sent)]);
}

#[test]
fn a_field_within_blocks_and_lists_is_named_by_its_path() {
    for (pointer, path, sent) in [
        ("/vendor/helm/version", "vendor.helm.version", json!("1.2.3")),
        ("/lua/external", "lua.external", json!(false)),
        ("/updates/regexReplacements/0/replacement", "updates.regexReplacements[0].replacement", json!("new")),
        ("/configuration/0/page", "configuration[0].page", json!(2)),
        ("/configuration/0/condition/operation", "configuration[0].condition.operation", json!("PREFIX")),
        ("/secrets/entries/0/autogenerate", "secrets.entries[0].autogenerate", json!(true)),
        ("/confirmation/checklist/0/label", "confirmation.checklist[0].label", json!("backups done")),
        ("/creates/git/ref", "creates.git.ref", json!("v1")),
    ] {
        let held = automation_but(pointer, Value::from("other"));
        assert_eq!(automation_changes(&held), [change(path, "other".into(), sent)], "{pointer}");
    }
}

#[test]
fn a_block_that_the_console_does_not_hold_is_one_change() {
    let lua = json!({"external": false, "script": "return 1", "folder": "scripts"});
    assert_eq!(automation_changes(&automation_but("/lua", Value::Null)), [change("lua", Value::Null, lua)]);
}

#[test]
fn an_empty_block_asks_for_nothing() {
    let text =
        object("PrAutomation", "{name: everything, scmConnectionRef: {name: f}, deletes: {}, updates: {files: []}}");
    assert_eq!(changes(&text, &nothing(), &automation_but("/deletes", Value::Null)), []);
}

#[test]
fn in_a_list_of_blocks_one_too_many_and_one_too_few_are_named_by_their_index() {
    let label = |text: &str| json!({"label": text});
    let longer = automation_but("/confirmation/checklist", json!([label("backups done"), label("more")]));
    assert_eq!(automation_changes(&longer), [change("confirmation.checklist[1]", label("more"), Value::Null)]);
    for shorter in [json!([]), Value::Null] {
        let held = automation_but("/confirmation/checklist", shorter);
        assert_eq!(
            automation_changes(&held),
            [change("confirmation.checklist[0]", Value::Null, label("backups done"))]
        );
    }
}

#[test]
fn bindings_are_sets_whatever_their_order_and_however_often_one_stands_there() {
    let held =
        |write: Value| project("orchard-prod", "production fleet".into(), json!([group("g1", "auditors")]), write);
    let same = [
        json!([user("u1"), group("g2", "platform")]),
        json!([group("g2", "platform"), user("u1"), group("g2", "platform")]),
    ];
    for write in same {
        assert_eq!(changes(PROJECT_FULL, &everything(), &held(write)), []);
    }
    let (told_user, told_group) = ("user robot@orchard.test", "group platform");
    for (write, from) in [
        (json!([]), json!([])),
        (Value::Null, json!([])),
        (json!([user("u1")]), json!(["user u1@orchard.test"])),
        (json!([user("u7"), group("g7", "guests")]), json!(["group guests", "user u7@orchard.test"])),
    ] {
        // The Console's own name of a user goes before that of the manifest.
        let known = if from == json!(["user u1@orchard.test"]) { "user u1@orchard.test" } else { told_user };
        let to = json!([told_group, known]);
        assert_eq!(changes(PROJECT_FULL, &everything(), &held(write)), [change("writeBindings", from, to)]);
    }
}

#[test]
fn a_user_and_a_group_in_one_binding_are_not_the_same_as_in_two() {
    let text = object("Project", "{name: a, bindings: {read: [{UserID: u1, groupID: g2}]}}");
    let one = json!([{"id": "b", "user": user("u1")["user"], "group": group("g2", "platform")["group"]}]);
    let two = json!([user("u1"), group("g2", "platform")]);
    assert_eq!(changes(&text, &nothing(), &project("a", Value::Null, one, json!([]))), []);
    assert_eq!(
        changes(&text, &nothing(), &project("a", Value::Null, two, json!([]))),
        [change(
            "readBindings",
            json!(["group platform", "user u1@orchard.test"]),
            json!(["user u1@orchard.test and group platform"])
        )]
    );
}

#[test]
fn ids_are_compared_with_what_the_console_refers_to() {
    let cases = [
        ("/project", "projectId", json!({"id": "p9", "name": "other"}), json!("p9 (other)"), "p1"),
        ("/cluster", "clusterId", Value::Null, Value::Null, "k1"),
        ("/service", "serviceId", json!({"id": "s9", "name": "other"}), json!("s9 (other)"), "s1"),
        ("/connection", "connectionId", Value::Null, Value::Null, "scm1"),
        ("/catalog", "catalogId", json!({"id": "c9", "name": "other"}), json!("c9 (other)"), "c1"),
        (
            "/repository",
            "repositoryId",
            json!({"id": "r9", "url": "https://me:MARKER@git.test/a.git"}),
            json!("r9 (https://***@git.test/a.git)"),
            "r1",
        ),
    ];
    for (pointer, path, held, from, to) in cases {
        assert_eq!(automation_changes(&automation_but(pointer, held)), [change(path, from, to.into())], "{path}");
    }
    // Another name of the same is no other.
    assert_eq!(automation_changes(&automation_but("/project/name", "renamed".into())), []);
}

#[test]
fn a_configuration_is_compared_key_by_key_and_what_the_console_holds_is_not_shown() {
    let text = object("ServiceContext", "{configuration: {a: 1, b: {c: x, d: z}, e: [1, 2], f: new}}");
    let held = json!({
        "id": "7", "name": "it", "project": null,
        "configuration": {"a": 1, "b": {"c": "MARKER", "g": "MARKER"}, "e": [1, "MARKER"], "h": "MARKER"}
    });
    assert_eq!(
        changes(&text, &nothing(), &held),
        [
            change("configuration.b.c", "***".into(), "x".into()),
            change("configuration.b.d", Value::Null, "z".into()),
            change("configuration.b.g", "***".into(), Value::Null),
            change("configuration.e", json!(["***", "***"]), json!([1, 2])),
            change("configuration.f", Value::Null, "new".into()),
            change("configuration.h", "***".into(), Value::Null),
        ]
    );
}

#[test]
fn a_console_without_a_configuration_lacks_every_key_and_none_where_none_is_sent() {
    let held = json!({"id": "7", "name": "it", "configuration": null, "project": null});
    let text = object("ServiceContext", "{configuration: {a: 1, b: 2}}");
    let expected = [("configuration.a", 1), ("configuration.b", 2)];
    assert_eq!(
        changes(&text, &nothing(), &held),
        expected.map(|(path, value)| change(path, Value::Null, value.into()))
    );
    assert_eq!(changes(&object("ServiceContext", "{}"), &nothing(), &held), []);
}

#[test]
fn numbers_are_compared_by_their_value_and_whole_ones_to_the_last_digit() {
    let text = object("ServiceContext", "{configuration: {\"n\": 9007199254740992, f: 1.0, t: \"1\"}}");
    let held = |n: u64| json!({"configuration": {"n": n, "f": 1, "t": "1"}});
    assert_eq!(changes(&text, &nothing(), &held(9_007_199_254_740_992)), []);
    assert_eq!(changes(&text, &nothing(), &held(9_007_199_254_740_993)).len(), 1);
    // A text that looks like a number is none.
    let other = json!({"configuration": {"n": 9_007_199_254_740_992_u64, "f": 1, "t": 1}});
    assert_eq!(changes(&text, &nothing(), &other), [change("configuration.t", "***".into(), "1".into())]);
}

#[test]
fn a_template_s_context_is_compared_key_by_key_and_shown() {
    let path = "creates.templates[0].context";
    let held = automation_but("/creates/templates/0/context", json!({"a": "old", "c": [1]}));
    assert_eq!(
        automation_changes(&held),
        [
            change(&format!("{path}.a"), "old".into(), "x < y".into()),
            change(&format!("{path}.b"), Value::Null, 1.into()),
            change(&format!("{path}.c"), json!([1]), Value::Null),
        ]
    );
    assert_eq!(automation_changes(&automation_but("/creates/templates/0/context", Value::Null)).len(), 2);
}

#[test]
fn the_url_of_a_chat_is_compared_and_never_shown() {
    let held = |slack: Value| json!({"id": "7", "name": "chat", "type": "SLACK", "configuration": {"slack": slack}, "notificationBindings": null});
    assert_eq!(changes(SINK_CHAT, &nothing(), &held(json!({"url": "https://hooks.orchard.test/T1/B1"}))), []);
    assert_eq!(
        changes(SINK_CHAT, &nothing(), &held(json!({"url": "https://hooks.orchard.test/MARKER"}))),
        [change("configuration.slack.url", "***".into(), "***".into())]
    );
    assert_eq!(
        changes(SINK_CHAT, &nothing(), &held(Value::Null)),
        [change("configuration.slack", Value::Null, json!({"url": "***"}))]
    );
}

#[test]
fn the_default_of_a_password_is_compared_and_never_shown() {
    let text = |of: &str, default: &str| {
        object(
            "PrAutomation",
            &format!("{{scmConnectionRef: {{name: f}}, configuration: [{{name: p, type: {of}, default: {default}}}]}}"),
        )
    };
    let held = |of: &str, default: &str| json!({"name": "it", "configuration": [{"name": "p", "type": of, "default": default}]});
    let password = text("PASSWORD", "MARKER-NEW");
    assert_eq!(changes(&password, &nothing(), &held("PASSWORD", "MARKER-NEW")), []);
    let path = "configuration[0].default";
    let hidden = || change(path, "***".into(), "***".into());
    assert_eq!(changes(&password, &nothing(), &held("PASSWORD", "MARKER-OLD")), [hidden()]);
    // It was one, or becomes one.
    for (text, held) in [
        (text("STRING", "MARKER-NEW"), held("PASSWORD", "MARKER-OLD")),
        (password.clone(), held("STRING", "MARKER-OLD")),
    ] {
        assert_eq!(changes(&text, &nothing(), &held)[1..], [hidden()]);
    }
    // One that is not held at all, or no longer wanted.
    let shown = format!("{:?}", changes(&password, &nothing(), &json!({"name": "it", "configuration": []})));
    assert!(!shown.contains("MARKER"), "{shown}");
    let two = json!({"name": "it", "configuration": [
        {"name": "p", "type": "PASSWORD", "default": "MARKER-NEW"}, {"name": "q", "type": "PASSWORD", "default": "MARKER"}
    ]});
    let shown = format!("{:?}", changes(&password, &nothing(), &two));
    assert!(!shown.contains("MARKER"), "{shown}");
}

#[test]
fn what_a_snapshot_masks_cannot_be_compared_and_is_no_change() {
    // What a snapshot stores of each answer, and which fields are then unknown.
    let stored = |kind: &str, held: &Value| masked(held, of(kind).query.returned);
    let chat =
        json!({"id": "7", "name": "chat", "type": "SLACK", "configuration": {"slack": {"url": "https://other.test"}}});
    let chat = stored("NotificationSink", &chat);
    assert_eq!(chat["configuration"]["slack"]["url"], "***");
    assert_eq!(changes(SINK_CHAT, &nothing(), &chat), []);
    assert_eq!(uncompared(SINK_CHAT, &nothing(), &chat), ["configuration.slack.url"]);

    let text = object("ServiceContext", "{configuration: {a: 1, b: {c: x}, e: [1, 2], f: [1], \"n\": null, o: []}}");
    let context = json!({"id": "7", "name": "it", "configuration": {
        "a": 2, "b": {"c": "y", "gone": true}, "e": [3, 4], "f": [1, 2], "n": null, "o": []
    }});
    let context = stored("ServiceContext", &context);
    assert!(!context.to_string().contains('4'), "{context}");
    assert_eq!(
        changes(&text, &nothing(), &context),
        [
            change("configuration.b.gone", "***".into(), Value::Null),
            change("configuration.f", json!(["***", "***"]), json!([1])),
        ]
    );
    assert_eq!(uncompared(&text, &nothing(), &context), ["configuration.a", "configuration.b.c", "configuration.e"]);

    let text = object(
        "PrAutomation",
        "{name: it, scmConnectionRef: {name: f}, configuration: [{name: p, type: PASSWORD, default: x}], labels: [\"https://me:x@a.test\"]}",
    );
    let automation = json!({"id": "7", "name": "it", "labels": ["https://me:y@a.test"], "configuration": [
        {"name": "p", "type": "PASSWORD", "default": "y"}
    ]});
    let automation = stored("PrAutomation", &automation);
    assert_eq!(changes(&text, &nothing(), &automation), []);
    assert_eq!(uncompared(&text, &nothing(), &automation), ["labels", "configuration[0].default"]);
}

#[test]
fn a_list_that_differs_in_what_is_not_masked_is_a_change() {
    let text = object("ServiceContext", "{configuration: {a: [[], 1]}}");
    let held = json!({"configuration": {"a": [[], 2]}});
    assert_eq!(changes(&text, &nothing(), &held), [change("configuration.a", json!([[], "***"]), json!([[], 1]))]);
}

#[test]
fn a_snapshot_holds_no_secret_and_nothing_that_was_not_asked_for() {
    let held = json!({
        "id": "7", "name": "it", "identifier": "https://me:MARKER@git.test/a", "unasked": "MARKER",
        "configuration": [{"type": "PASSWORD", "name": "p", "default": "MARKER"}],
        "creates": {"templates": [{"source": "", "destination": "d", "external": true,
            "context": {"url": "https://me:MARKER@git.test/a"}}]}
    });
    let stored = masked(&held, of("PrAutomation").query.returned).to_string();
    assert!(!stored.contains("MARKER"), "{stored}");
}

#[test]
fn what_is_found_in_the_console_is_not_printed_for_a_log() {
    use kcc_backoff::plural::console::{Answer, LookUp};
    let found = Answer::Found(json!({"id": "7", "configuration": {"password": "MARKER"}}));
    let look_up = LookUp::new(of("GitRepository").query, "https://me:MARKER@git.test/a.git");
    let told = format!("{found:?} {look_up:?} {look_up}");
    assert!(!told.contains("MARKER") && told.contains('7'), "{told}");
}
