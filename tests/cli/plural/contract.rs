//! The JSON that scripts may rely on, for objects of the Console.

use serde_json::{Value, json};

use super::*;
use crate::support;

#[test]
fn every_field_of_the_contract_is_there_for_every_kind_and_state() {
    let mut resources: Vec<Resource> = SEVEN.iter().map(|(kind, _)| object(kind)).collect();
    resources.extend(["Flow", "Cluster", "Persona", "Policy"].map(object));
    resources.extend(resources.clone().into_iter().map(|resource| resource.id().readonly(true).drift(false)));
    resources.extend(SEVEN.map(|(kind, _)| object(kind).interval("0s").deleting().finalizer(FOREIGN)));
    let words = [
        "create",
        "update",
        "adopt",
        "in-sync-or-update",
        "read-only",
        "delete",
        "keep",
        "wait",
        "error",
        "refuse",
        "unknown",
    ];
    let json = support::json(&file(&resources), &[]);
    assert_eq!((&json["apiVersion"], &json["kind"]), (&json!("kcc-backoff/v1alpha1"), &json!("Explanation")));
    let objects = json["objects"].as_array().unwrap();
    assert_eq!(objects.len(), resources.len());
    for object in objects {
        assert_eq!(object["system"], "plural");
        assert_eq!(object["ref"]["apiVersion"], "deployments.plural.sh/v1alpha1");
        assert!(object["ref"]["name"].is_string() && object["ref"].get("namespace").is_some());
        assert_eq!(object["place"]["file"], "manifest.yaml");
        let identity = &object["identity"];
        for field in ["scope", "field", "value"] {
            assert!(identity[field].is_string() || identity[field].is_null(), "{identity}");
        }
        // Absent knowledge has a reason beside it.
        assert_eq!(identity["value"].is_null(), identity["reason"].is_string(), "{identity}");
        assert_eq!(identity["scope"].is_null(), identity["scopeReason"].is_string(), "{identity}");
        let mode = &object["mode"];
        for when in ["ifAbsent", "ifPresent"] {
            assert!(words.contains(&mode[when].as_str().unwrap()), "{mode}");
            assert_eq!(mode[when], mode["details"][when]["action"]);
        }
        assert_eq!(mode["ifUnreachable"].is_null(), mode["ifUnreachableReason"].is_string(), "{mode}");
        assert!(mode["now"].is_null() || words.contains(&mode["now"].as_str().unwrap()), "{mode}");
        assert!(mode["nowReason"].as_str().is_some_and(|reason| !reason.is_empty()), "{mode}");
        let requeue = &object["requeue"];
        let state = requeue["state"].as_str();
        assert!([Some("periodic"), Some("never"), Some("panics"), None].contains(&state), "{requeue}");
        assert_eq!(state.is_none(), object["known"] == false, "{requeue}");
        for field in ["meanSeconds", "minSeconds", "maxSeconds"] {
            assert_eq!(requeue[field].is_number(), state == Some("periodic"), "{requeue}");
        }
        assert!(requeue["origin"].is_string() && requeue["reason"].is_string());
        assert_eq!(requeue["confidence"].is_null(), object["known"] == false, "{requeue}");
        let deletion = &object["deletion"];
        for when in ["ifAbsent", "ifPresent"] {
            assert!(words.contains(&deletion[when].as_str().unwrap()), "{deletion}");
        }
        assert_eq!(deletion["now"].is_null(), deletion["nowReason"].is_string(), "{deletion}");
        assert_eq!(object["status"].is_null(), object["statusReason"].is_string());
        assert!(object["notes"].is_array() && object["waitsFor"].is_array() && object["adds"].is_array());
    }
}

#[test]
fn a_project_is_told_as_the_contract_shows_it() {
    let project = json(&object("Project"));
    let wanted =
        json!({"apiVersion": "deployments.plural.sh/v1alpha1", "kind": "Project", "namespace": null, "name": "it"});
    assert_eq!(project["ref"], wanted);
    assert_eq!(project["place"], json!({"file": "manifest.yaml", "line": 1, "column": 1}));
    assert_eq!(project["identity"]["scope"], "cluster");
    assert_eq!(project["identity"]["field"], "name");
    assert_eq!(project["identity"]["value"], "it");
    let words = |key: &str| project["mode"][key].clone();
    assert_eq!((words("ifAbsent"), words("ifPresent"), words("now")), (json!("create"), json!("adopt"), Value::Null));
    let requeue = |key: &str| project["requeue"][key].clone();
    // 30 min = 1800 s; half of it and one and a half.
    assert_eq!((requeue("state"), requeue("meanSeconds")), (json!("periodic"), json!(1800)));
    assert_eq!((requeue("minSeconds"), requeue("maxSeconds")), (json!(900), json!(2700)));
    assert_eq!(requeue("origin"), "built-in");
}

#[test]
fn the_status_is_told_with_its_conditions() {
    let status = json(&object("Project").id().readonly(false).condition("Ready", "True", "Ready", "").condition(
        "Synchronized",
        "True",
        "Synchronized",
        "fine",
    ))["status"]
        .clone();
    let condition = |reason: &str, message: &str| json!({"status": "True", "reason": reason, "message": message, "lastTransitionTime": "2026-11-30T03:12:00Z"});
    let wanted = json!({
        "state": "up-to-date", "id": "7f3a", "hasHash": false, "readonly": false,
        "ready": condition("Ready", ""), "synchronized": condition("Synchronized", "fine"), "health": null,
    });
    assert_eq!(status, wanted);
}

#[test]
fn yaml_tells_the_same_as_json() {
    let text = file(&SEVEN.map(|(kind, _)| object(kind).id().readonly(true).drift(false)));
    let yaml = support::stdout(&support::run(&text, &["-o", "yaml"]));
    let json = support::json(&text, &[]);
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    // By indentation: the words of the mode and of the deletion, and the state of the requeue.
    for (line, path) in [
        ("    ifAbsent: ", ["mode", "ifAbsent"]),
        ("    ifUnreachable: ", ["mode", "ifUnreachable"]),
        ("    state: ", ["requeue", "state"]),
        ("    finalizer: ", ["deletion", "finalizer"]),
    ] {
        let told: Vec<&str> = yaml.lines().filter_map(|found| found.strip_prefix(line)).collect();
        let objects = json["objects"].as_array().unwrap();
        // A deletion has an `ifAbsent` and a status a `state`, too: in the order of the objects.
        let other = match path {
            ["mode", "ifAbsent"] => Some(["deletion", "ifAbsent"]),
            ["requeue", "state"] => Some(["status", "state"]),
            _ => None,
        };
        let paths: Vec<[&str; 2]> = [Some(path), other].into_iter().flatten().collect();
        let wanted: Vec<String> =
            objects.iter().flat_map(|object| paths.iter().map(|[a, b]| plain(&object[a][b]))).collect();
        assert_eq!(told, wanted, "{line}");
    }
}

#[test]
fn names_and_counts_are_those_of_the_console() {
    let text = file(&[object("Project"), object("NotificationSink"), object("Policy")]);
    let output = support::run(&text, &["-o", "name"]);
    let wanted = "project.deployments.plural.sh/it\nnotificationsink.deployments.plural.sh/it\npolicy.deployments.plural.sh/it\n";
    assert_eq!(support::stdout(&output), wanted);
    let json = support::json(&text, &[]);
    assert_eq!(
        (&json["summary"]["plural"], &json["summary"]["kcc"], &json["summary"]["documents"]),
        (&json!(3), &json!(0), &json!(3))
    );
    let told = support::stderr(&support::run(&text, &[]));
    assert!(told.contains("3 of the Plural Console") && told.contains("\n1 unknown-kind\n"), "{told}");
}

#[test]
fn problems_of_objects_are_among_the_problems_of_the_whole() {
    let json = support::json(&object("Project").interval("0s").text(), &[]);
    let problem = &json["problems"][0];
    assert_eq!((&problem["code"], &problem["severity"]), (&json!("invalid-interval"), &json!("error")));
    assert_eq!(problem["place"], json!({"file": "manifest.yaml", "line": 7, "column": 30}));
    assert_eq!(problem["fix"], "write a Go duration such as 30m or 1h30m");
    let output = support::run(&object("Project").interval("0s").text(), &[]);
    assert_eq!(output.status.code(), Some(0), "what explain tells is no failure of its own");
}

#[test]
fn problems_stand_in_the_order_of_the_text() {
    // Lines 7 and 8: found in the other order.
    let account = object("ServiceAccount").spec("tokenSecretRef: {name: token}").interval("1d");
    let json = support::json(&account.text(), &[]);
    let told = json["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (problem["code"].as_str().unwrap(), problem["place"]["line"].as_u64().unwrap()));
    assert_eq!(told.collect::<Vec<_>>(), [("hazard", 7), ("invalid-interval", 8)]);
}

#[test]
fn the_same_input_gives_the_same_bytes_at_any_time() {
    let text = file(&SEVEN.map(|(kind, _)| object(kind)));
    let at = |now: &str| {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("m.yaml"), &text).unwrap();
        let output =
            support::binary(folder.path()).args(["explain", "m.yaml", "-o", "json", "--now", now]).output().unwrap();
        support::stdout(&output)
    };
    assert_eq!(at("2026-11-30T12:00:00Z"), at("2031-01-01T00:00:00Z"));
}

#[test]
fn of_an_unknown_kind_nothing_is_told_but_why() {
    let unknown = json(&object("Frobnicator"));
    for (field, reason) in [("errors", "errorsReason"), ("driftDetection", "driftDetectionReason")] {
        assert_eq!((&unknown[field], &unknown[reason]), (&Value::Null, &"the kind is unknown to this version".into()));
        assert_eq!(json(&object("Project"))[reason], Value::Null);
    }
    let requeue = &unknown["requeue"];
    for field in ["state", "waiting", "meanSeconds"] {
        assert_eq!(requeue[field], Value::Null, "{field}");
    }
    assert_eq!(requeue["reason"], "the kind is unknown to this version");
}

#[test]
fn json_says_of_a_sink_that_it_is_not_looked_up_by_its_name() {
    let identity = |sink: &Resource| json(sink)["identity"].clone();
    let named = identity(&object("NotificationSink"));
    assert_eq!((&named["lookup"], &named["lookupReason"]), (&"notificationSink".into(), &Value::Null));
    let unnamed = identity(&object("NotificationSink").without("name"));
    assert_eq!(unnamed["lookup"], Value::Null);
    assert!(unnamed["lookupReason"].as_str().unwrap().contains("never looked up by it"));
    let empty = identity(&object("NotificationSink").spec("name: \"\""));
    assert_eq!(empty["lookup"], "notificationSink");
    assert!(empty["lookupReason"].as_str().unwrap().starts_with("spec.name is empty"));
}

/// A run of a command on one file with `text`.
fn ran(command: &[&str], text: &str) -> std::process::Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    support::binary(folder.path()).args(command).args(["manifest.yaml", "--now", NOW]).output().unwrap()
}

/// The counts of explain and of list, and the rows of list that bear a mark, are about the same objects.
#[test]
fn an_interval_that_is_not_used_is_not_counted_as_invalid() {
    let bad = |kind: &str, rest: &str| object(kind).spec(&format!("reconciliation: {{interval: \"0\"{rest}}}"));
    let unused = file(&[bad("Project", ", driftDetection: false"), bad("NotificationSink", "")]);
    let used = file(&[bad("Project", ""), bad("Catalog", ", driftDetection: false"), object("Project").interval("1d")]);
    for (text, count) in [(&unused, false), (&used, true)] {
        for command in ["explain", "list"] {
            let said = support::stderr(&ran(&[command], text));
            let counted = said.lines().find(|line| line.contains("invalid"));
            assert_eq!(counted, count.then_some("2 invalid"), "{command}\n{text}");
        }
        let rows = support::stdout(&ran(&["list", "--only", "invalid", "--no-headers"], text));
        assert_eq!(rows.lines().count(), if count { 2 } else { 0 }, "{rows}");
    }
}

#[test]
fn a_condition_that_gives_its_own_name_as_reason_is_no_message() {
    let row = |resource: &Resource| support::stdout(&ran(&["list", "--no-headers", "-q"], &resource.text()));
    let ready = object("GitRepository").id().condition("Ready", "True", "Ready", "").deleting();
    assert!(row(&ready).trim_end().ends_with("5ms…1000s"), "{}", row(&ready));
    let failed = object("Project").condition("Synchronized", "False", "Error", "");
    assert!(row(&failed).trim_end().ends_with("Error"), "{}", row(&failed));
}
