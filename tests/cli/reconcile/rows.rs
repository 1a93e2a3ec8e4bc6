//! Every row of console-decisions.csv: manifests in every situation that it speaks of, planned by the real binary against
//! the test Console.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Asked, Holding, plan_of};
use crate::plural::{FOREIGN, Resource, SEVEN, object};

const TABLE: &str = include_str!("../../../data/console-decisions.csv");

/// The situation of an object before a pass, in the words of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Before {
    kind: &'static str,
    remote: &'static str,
    id: &'static str,
    readonly: &'static str,
    finalizer: &'static str,
    drift: &'static str,
    deleting: &'static str,
}

/// All situations: 7 kinds, 3 remotes, 2 ids, 3 conditions, 2 finalizers, 2 drift detections, deleting or not.
fn situations() -> Vec<Before> {
    let mut all = Vec::new();
    for (kind, own) in SEVEN {
        for remote in ["absent", "present", "unreachable"] {
            for id in ["set", "empty"] {
                for readonly in ["true", "false", "none"] {
                    for finalizer in ["ours", "none"].into_iter().filter(|word| own.is_some() || *word == "none") {
                        for drift in ["true", "false"] {
                            for deleting in ["yes", "no"] {
                                all.push(Before { kind, remote, id, readonly, finalizer, drift, deleting });
                            }
                        }
                    }
                }
            }
        }
    }
    // A ServiceAccount has no finalizer of its own.
    assert_eq!(all.len(), (6 * 2 + 1) * 3 * 2 * 3 * 2 * 2);
    all
}

struct Row {
    documented: &'static str,
    in_cluster: &'static str,
    mutation: &'static str,
    requeue: &'static str,
}

/// The one row that speaks of a situation, and its number.
fn row(before: Before) -> (usize, Row) {
    let wanted =
        [before.kind, before.remote, before.id, before.readonly, before.finalizer, before.drift, before.deleting];
    let rows = TABLE.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()).enumerate();
    let found: Vec<(usize, Vec<&str>)> = rows
        .filter(|(_, row)| row.iter().zip(wanted).all(|(cell, wanted)| *cell == "any" || *cell == wanted))
        .collect();
    assert_eq!(found.len(), 1, "{before:?}");
    let (number, row) = &found[0];
    (*number, Row { documented: row[7], in_cluster: row[8], mutation: row[9], requeue: row[10] })
}

/// What an object is called, in the cluster and in the Console.
fn name(kind: &str, number: usize) -> String {
    match kind {
        "GitRepository" => format!("https://git.orchard.test/it-{number}.git"),
        "ServiceAccount" => format!("it-{number}@orchard.test"),
        _ => format!("it-{number}"),
    }
}

/// How the hash of the last pass stands to this one's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stored {
    None,
    Other,
}

/// The manifest of a situation.
fn manifest(before: Before, number: usize, stored: Stored) -> Resource {
    let field = match before.kind {
        "GitRepository" => "url",
        "ServiceAccount" => "email",
        _ => "name",
    };
    let mut made = object(before.kind)
        .meta(&format!("name: it-{number}"))
        .spec(&format!("{field}: {}", name(before.kind, number)))
        .drift(before.drift == "true");
    // `status: {}` is no status; one with an empty id is.
    made = match before.id {
        "set" => made.status(&format!("id: id-{number}")),
        _ => made.status("id: \"\""),
    };
    if stored == Stored::Other {
        made = made.status("sha: OLD");
    }
    made = match before.readonly {
        "true" => made.readonly(true),
        "false" => made.readonly(false),
        _ => made,
    };
    if before.finalizer == "ours" {
        made = made.ours();
    }
    if before.deleting == "yes" { made.deleting().finalizer(FOREIGN) } else { made }
}

/// What the Console returns of it when it is what the manifest says.
fn remote(kind: &str, number: usize) -> Value {
    let name = name(kind, number);
    let mut remote = match kind {
        "Project" | "ServiceContext" => json!({"name": name}),
        "Catalog" => json!({"name": name, "author": "Orchard"}),
        "GitRepository" => json!({"url": name, "health": "PULLABLE"}),
        "NotificationSink" => json!({"name": name, "type": "PLURAL", "configuration": {"id": "c"}}),
        "ServiceAccount" => json!({"email": name, "name": format!("it-{number}")}),
        "PrAutomation" => json!({"name": name, "connection": {"id": "forge-1", "name": "forge", "type": "GITHUB"}}),
        other => panic!("{other}"),
    };
    remote["id"] = format!("id-{number}").into();
    remote
}

fn query(kind: &str) -> &'static str {
    match kind {
        "Project" => "project",
        "Catalog" => "catalog",
        "GitRepository" => "gitRepository",
        "NotificationSink" => "notificationSink",
        "ServiceAccount" => "user",
        "PrAutomation" => "prAutomation",
        "ServiceContext" => "serviceContext",
        other => panic!("{other}"),
    }
}

/// The mutations of a kind: create, update, delete (console.md sections 4 to 10).
fn mutations(kind: &str) -> [&'static str; 3] {
    match kind {
        "Project" => ["createProject", "updateProject", "deleteProject"],
        "Catalog" => ["upsertCatalog", "upsertCatalog", "deleteCatalog"],
        "GitRepository" => ["createGitRepository", "updateGitRepository", "deleteGitRepository"],
        "NotificationSink" => ["upsertNotificationSink", "upsertNotificationSink", "deleteNotificationSink"],
        "ServiceAccount" => ["createServiceAccount", "updateServiceAccount", "deleteUser"],
        "PrAutomation" => ["createPrAutomation", "updatePrAutomation", "deletePrAutomation"],
        "ServiceContext" => ["saveServiceContext", "saveServiceContext", "deleteServiceContext"],
        other => panic!("{other}"),
    }
}

/// The action and the mutation that a plan by the documented rules has for a word of the table, where the remote is what
/// the manifest says.
fn documented(kind: &str, word: &str, stored: Stored) -> (&'static str, Option<&'static str>) {
    let [create, update, delete] = mutations(kind);
    match (word, stored) {
        ("create", _) => ("create", Some(create)),
        ("adopt", _) => ("adopt", Some(update)),
        ("in-sync-or-update", Stored::None) => ("in-sync", None),
        ("in-sync-or-update", Stored::Other) => ("update", Some(update)),
        ("read-only", _) => ("read-only", None),
        ("delete", _) => ("delete", Some(delete)),
        ("keep", _) => ("keep", None),
        ("wait", _) => ("wait", None),
        ("error", _) => ("unknown", None),
        other => panic!("{other:?}"),
    }
}

/// The action and the mutation of the released controller: it goes by the hash alone, the kinds each in their way (section
/// 2.4).
fn controller(kind: &str, row: &Row, stored: Stored) -> (&'static str, Option<&'static str>) {
    let mutation = Some(row.mutation).filter(|mutation| !mutation.is_empty());
    match row.in_cluster {
        "create" => ("create", mutation),
        "adopt" => ("adopt", mutation),
        "update" => ("update", mutation),
        "in-sync-or-update" => {
            let sends = match kind {
                // Without a stored hash these send nothing.
                "GitRepository" | "PrAutomation" => stored == Stored::Other,
                _ => true,
            };
            if sends { ("update", mutation) } else { ("in-sync", None) }
        }
        "read-only" => ("read-only", None),
        "delete" => ("delete", mutation),
        "keep" => ("keep", None),
        "wait" => ("wait", None),
        "error" => ("unknown", None),
        other => panic!("{other}"),
    }
}

/// What the Console holds for all situations, and all manifests.
fn all(stored: Stored) -> (Holding, String, Vec<(Before, usize, Row)>) {
    let mut holding = Holding::default();
    holding.put("scmConnection", json!({"id": "forge-1", "name": "forge", "type": "GITHUB"}));
    let mut text = String::new();
    let mut cases = Vec::new();
    for (index, before) in situations().into_iter().enumerate() {
        let (number, row) = row(before);
        match before.remote {
            "present" => holding.put(query(before.kind), remote(before.kind, index)),
            "unreachable" => holding.forbid(query(before.kind), &name(before.kind, index)),
            _ => {}
        }
        text.push_str(&manifest(before, index, stored).text());
        text.push_str("---\n");
        cases.push((before, number, row));
    }
    (holding, text, cases)
}

/// The minimal and maximal seconds of a requeue, in the words of the JSON.
fn requeue(kind: &str, word: &str) -> Value {
    match word {
        // 30m: uniform in [15, 45) min.
        "interval" => json!({"state": "within", "minSeconds": 900, "maxSeconds": 2700}),
        "wait" => json!({"state": "within", "minSeconds": 15, "maxSeconds": 45}),
        "error" => json!({"state": "back-off", "minSeconds": 0.005, "maxSeconds": 1000}),
        "none" => json!({"state": "never", "minSeconds": null, "maxSeconds": null}),
        other => panic!("{kind} {other}"),
    }
}

/// When this tool's pass would come again, in the words of the table (sections 2.3 and 6, with the reconciliation of the
/// manifests: 30m, or none without drift detection).
fn own_requeue(before: Before, action: &str) -> &'static str {
    let periodic = if before.drift == "true" { "interval" } else { "none" };
    match (before.kind, action) {
        // What was just created has no health yet.
        ("GitRepository", "create") => "wait",
        ("GitRepository", "wait") => periodic,
        // A managed sink is not requeued.
        ("NotificationSink", "create" | "adopt" | "update" | "in-sync") => "none",
        (_, "create" | "adopt" | "update" | "in-sync" | "read-only") => periodic,
        (_, "wait") => "wait",
        (_, "unknown") => "error",
        (_, "delete" | "keep") => "none",
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_row_is_planned_by_the_documented_rules_and_says_where_the_controller_does_otherwise() {
    for stored in [Stored::None, Stored::Other] {
        let (holding, text, cases) = all(stored);
        let plan = plan_of(&holding, &text, &Asked::default());
        let objects = plan["objects"].as_array().unwrap();
        assert_eq!(objects.len(), cases.len());
        let mut seen = BTreeMap::new();
        for ((before, number, row), object) in cases.iter().zip(objects) {
            let case = format!("{before:?} {stored:?}: {object:#}");
            let (action, mutation) = documented(before.kind, row.documented, stored);
            assert_eq!(object["action"], action, "{case}");
            assert_eq!(object["mutation"], json!(mutation), "{case}");
            let theirs = controller(before.kind, row, stored);
            // Of a context that has another name the controller leaves behind what it deletes; these have one.
            let in_cluster = &object["inCluster"];
            if theirs == (action, mutation) || (theirs.0 == action && theirs.1.is_some() == mutation.is_some()) {
                assert_eq!(*in_cluster, Value::Null, "{case}");
            } else {
                assert_eq!(in_cluster["action"], theirs.0, "{case}");
                assert_eq!(in_cluster["mutation"], json!(theirs.1), "{case}");
            }
            let own = own_requeue(*before, action);
            assert_eq!(object["requeue"], requeue(before.kind, own), "{case}");
            *seen.entry(*number).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 242, "every row speaks of some manifest");
    }
}

#[test]
fn every_row_is_planned_as_the_controller_does_it_where_that_is_asked_for() {
    for stored in [Stored::None, Stored::Other] {
        let (holding, text, cases) = all(stored);
        let plan = plan_of(&holding, &text, &Asked { args: &["--semantics", "controller"] });
        for ((before, _, row), object) in cases.iter().zip(plan["objects"].as_array().unwrap()) {
            let case = format!("{before:?} {stored:?}: {object:#}");
            let (action, mutation) = controller(before.kind, row, stored);
            assert_eq!(object["action"], action, "{case}");
            assert_eq!(object["inCluster"], Value::Null, "{case}");
            // A project is updated with the id of its status, and this tool always takes the one that was looked up.
            let sent = object["mutation"].as_str();
            assert_eq!(sent.is_some(), mutation.is_some(), "{case}");
            if before.remote == "present" && sent.is_some() {
                assert_eq!(sent, mutation, "{case}");
            }
            assert_eq!(object["requeue"], requeue(before.kind, row.requeue), "{case}");
        }
    }
}

/// How what an object refers to stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reference {
    /// In the Console.
    Ready,
    /// Nowhere.
    Missing,
    /// Among the inputs, and not in the Console.
    NotReady,
    /// Not to be found out.
    Forbidden,
}

/// What each kind refers to, as a line of its spec, and by what that is looked up.
fn reference(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "Project" => ("bindings: {read: [{groupName: other}]}", "group"),
        "Catalog" | "ServiceContext" => ("projectRef: {name: other}", "project"),
        "GitRepository" => ("connectionRef: {name: other}", "scmConnection"),
        "NotificationSink" => ("bindings: [{groupName: other}]", "group"),
        "ServiceAccount" => ("assumeBindings: [{groupName: other}]", "group"),
        "PrAutomation" => ("scmConnectionRef: {name: other}", "scmConnection"),
        other => panic!("{other}"),
    }
}

/// Every row again, with what the object refers to in each of its states: it holds up what writes, and nothing else.
#[test]
fn every_row_that_writes_waits_for_what_it_refers_to_and_no_other_does() {
    for state in [Reference::Ready, Reference::Missing, Reference::NotReady, Reference::Forbidden] {
        let (mut holding, _, cases) = all(Stored::Other);
        let mut text = String::new();
        for field in ["group", "project", "scmConnection"] {
            match state {
                Reference::Ready => holding.put(field, json!({"id": "other-1", "name": "other", "type": "GITHUB"})),
                Reference::Forbidden => holding.forbid(field, "other"),
                Reference::Missing | Reference::NotReady => {}
            }
        }
        for (index, (before, ..)) in cases.iter().enumerate() {
            let object = manifest(*before, index, Stored::Other).spec(reference(before.kind).0);
            text.push_str(&object.text());
            text.push_str("---\n");
        }
        if state == Reference::NotReady {
            text.push_str(&object("Project").meta("name: other").spec("name: other").text());
            text.push_str("---\napiVersion: deployments.plural.sh/v1alpha1\nkind: ScmConnection\n");
            text.push_str("metadata: {name: other}\nspec: {name: other}\n");
        }
        let plan = plan_of(&holding, &text, &Asked::default());
        for ((before, _, row), object) in cases.iter().zip(plan["objects"].as_array().unwrap()) {
            let case = format!("{state:?} {before:?}: {object:#}");
            let (action, mutation) = documented(before.kind, row.documented, Stored::Other);
            let writes = ["create", "adopt", "update"].contains(&action);
            let (action, mutation) = match state {
                _ if !writes => (action, mutation),
                Reference::Ready => (action, mutation),
                Reference::Missing | Reference::NotReady => ("wait", None),
                Reference::Forbidden => ("unknown", None),
            };
            assert_eq!(object["action"], action, "{case}");
            assert_eq!(object["mutation"], json!(mutation), "{case}");
            if writes && state != Reference::Ready {
                let requeue_of = if state == Reference::Forbidden { "error" } else { "wait" };
                assert_eq!(object["requeue"], requeue(before.kind, requeue_of), "{case}");
            }
        }
    }
}
