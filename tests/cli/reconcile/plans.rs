//! What a plan says of an object besides its action: why, what differs, what it would look like afterwards, what comes later.

use serde_json::{Value, json};

use super::{Asked, Holding, plan_of};
use crate::plural::{Resource, SEVEN, object};

fn planned(holding: &Holding, text: &str) -> Value {
    plan_of(holding, text, &Asked::default())["objects"][0].clone()
}

fn with(field: &str, value: Value) -> Holding {
    let mut holding = Holding::default();
    holding.put(field, value);
    holding.put("scmConnection", json!({"id": "forge-1", "name": "forge", "type": "GITHUB"}));
    holding
}

/// What the Console returns of the smallest object of a kind.
fn remote(kind: &str) -> (&'static str, Value) {
    match kind {
        "Project" => ("project", json!({"id": "7f3a", "name": "it"})),
        "Catalog" => ("catalog", json!({"id": "7f3a", "name": "it", "author": "Orchard"})),
        "GitRepository" => {
            ("gitRepository", json!({"id": "7f3a", "url": "https://git.orchard.test/it.git", "health": "PULLABLE"}))
        }
        "NotificationSink" => {
            ("notificationSink", json!({"id": "7f3a", "name": "it", "type": "PLURAL", "configuration": {"id": "c"}}))
        }
        "ServiceAccount" => ("user", json!({"id": "7f3a", "name": "it", "email": "it@orchard.test"})),
        "PrAutomation" => {
            let connection = json!({"id": "forge-1", "name": "forge", "type": "GITHUB"});
            ("prAutomation", json!({"id": "7f3a", "name": "it", "connection": connection}))
        }
        _ => ("serviceContext", json!({"id": "7f3a", "name": "it"})),
    }
}

fn present(kind: &str) -> Holding {
    let (field, value) = remote(kind);
    with(field, value)
}

fn absent() -> Holding {
    with("group", json!({"id": "g", "name": "nobody"}))
}

/// Type, status, reason and message of the conditions.
fn conditions(object: &Value) -> Vec<(String, String, String, String)> {
    let text = |one: &Value, key: &str| one[key].as_str().unwrap().to_owned();
    let all = object["status"]["conditions"].as_array().unwrap();
    all.iter().map(|one| (text(one, "type"), text(one, "status"), text(one, "reason"), text(one, "message"))).collect()
}

fn condition(object: &Value, kind: &str) -> Option<(String, String, String)> {
    let found = conditions(object).into_iter().find(|(known, ..)| known == kind)?;
    Some((found.1, found.2, found.3))
}

fn told(status: &str, reason: &str, message: &str) -> Option<(String, String, String)> {
    Some((status.into(), reason.into(), message.into()))
}

// ---------------------------------------------------------------------------------------------------------------------
// Whose it is
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn without_a_status_a_remote_that_is_there_is_taken_over_or_already_ours() {
    for (kind, _) in SEVEN {
        let plan = planned(&present(kind), &object(kind).text());
        assert_eq!(plan["action"], "adopt", "{plan:#}");
        assert_eq!(plan["ownership"], "unknown");
        assert!(plan["reason"].as_str().unwrap().contains("take over, or already ours"), "{plan:#}");
        // A first adoption always sends its update.
        assert!(plan["mutation"].is_string(), "{plan:#}");
        let plan = planned(&present(kind), &object(kind).drift(false).text());
        assert_eq!(plan["action"], "read-only", "{plan:#}");
        assert_eq!(plan["remoteId"], "7f3a");
        assert!(plan["reason"].as_str().unwrap().contains("whether it is ours already"), "{plan:#}");
    }
}

#[test]
fn a_status_without_an_id_tells_that_the_remote_is_not_ours() {
    let plan = planned(&present("Project"), &object("Project").status("id: \"\"").text());
    assert_eq!((&plan["action"], &plan["ownership"]), (&json!("adopt"), &json!("foreign")), "{plan:#}");
    assert!(!plan["reason"].as_str().unwrap().contains("already ours"));
}

#[test]
fn another_remote_under_the_name_is_warned_of_and_never_deleted() {
    let other = with("project", json!({"id": "another", "name": "it"}));
    let plan = planned(&other, &object("Project").id().readonly(false).text());
    assert_eq!(plan["action"], "in-sync", "{plan:#}");
    assert!(plan["warnings"][0].as_str().unwrap().contains("status.id is 7f3a"), "{plan:#}");
    let plan = planned(&other, &object("Project").id().readonly(false).ours().deleting().text());
    assert_eq!((&plan["action"], &plan["mutation"]), (&json!("refuse"), &Value::Null), "{plan:#}");
}

// ---------------------------------------------------------------------------------------------------------------------
// What is refused
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn two_inputs_for_one_remote_are_both_refused() {
    for (kind, _) in SEVEN {
        let one = object(kind).text();
        let other = object(kind).meta("name: other").text();
        let text = if ["ServiceAccount", "GitRepository"].contains(&kind) || kind == "Project" {
            format!("{one}---\n{other}")
        } else {
            format!("{one}---\n{}", object(kind).meta("name: other").spec("name: it").text())
        };
        let plan = plan_of(&present(kind), &text, &Asked::default());
        for index in [0, 1] {
            let object = &plan["objects"][index];
            assert_eq!((&object["action"], &object["outcome"]), (&json!("refuse"), &json!("failed")), "{object:#}");
            assert!(object["reason"].as_str().unwrap().contains("only one may stand for it"), "{object:#}");
        }
        assert_eq!(plan["summary"]["refuse"], 2);
    }
}

#[test]
fn what_the_api_server_refuses_is_refused_with_the_place() {
    let text = object("Catalog").without("author").spec("tags: [a]").spec("colour: red").text();
    let plan = planned(&absent(), &text);
    assert_eq!(plan["action"], "refuse", "{plan:#}");
    let problems: Vec<(&str, u64)> = plan["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["code"].as_str().unwrap(), one["place"]["line"].as_u64().unwrap()))
        .collect();
    for code in ["missing-field", "refused-field", "unknown-field"] {
        assert!(problems.iter().any(|(known, line)| *known == code && *line > 1), "{code}: {problems:?}");
    }
}

#[test]
fn an_unknown_field_alone_is_a_warning() {
    let plan = planned(&absent(), &object("Project").spec("descripton: x").text());
    assert_eq!(plan["action"], "create", "{plan:#}");
    assert_eq!(plan["problems"][0]["code"], "unknown-field");
    assert_eq!(plan["problems"][0]["fix"], "is description meant?");
    assert_eq!(plan["variables"]["attributes"], json!({"name": "it"}));
}

#[test]
fn what_the_console_would_refuse_is_refused_before_it_is_sent() {
    let sink = object("NotificationSink").spec("configuration: {plural: {urgent: true}}").text();
    let plan = planned(&absent(), &sink);
    assert_eq!(plan["action"], "refuse", "{plan:#}");
    assert!(plan["reason"].as_str().unwrap().contains("priority"), "{plan:#}");
    let context = object("ServiceContext").spec("configuration: [1]").text();
    let plan = planned(&absent(), &context);
    assert_eq!(plan["action"], "refuse", "{plan:#}");
    assert!(plan["reason"].as_str().unwrap().starts_with("failed to parse configuration JSON: "), "{plan:#}");
}

#[test]
fn other_kinds_are_not_reconciled_and_their_documented_mode_is_told() {
    let flow = "apiVersion: deployments.plural.sh/v1alpha1\nkind: Flow\nmetadata: {name: x, namespace: y}\nspec: {}\n";
    let plan = planned(&absent(), flow);
    assert_eq!((&plan["action"], &plan["outcome"]), (&json!("not-reconciled"), &json!("skipped")), "{plan:#}");
    assert!(plan["reason"].as_str().unwrap().contains("documented: create if absent, adopt if present"), "{plan:#}");
    let unknown = flow.replace("Flow", "Nonsense");
    assert_eq!(planned(&absent(), &unknown)["reason"], "the kind is unknown to this version");
}

// ---------------------------------------------------------------------------------------------------------------------
// What differs
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn what_is_ours_is_in_sync_when_nothing_that_can_be_compared_differs_and_the_hash_matches() {
    // Section 2.4: the hash of {"name":"test"}.
    let hash = "PWP5EBI7YMVTF7VLCCKG7K3LXEKCNK36HGVFIOJIT3MJFBSKVEOQ====";
    let named = |sha: &str| {
        let made = object("Project").spec("name: test").id().readonly(false);
        if sha.is_empty() { made.text() } else { made.status(&format!("sha: {sha}")).text() }
    };
    let console = with("project", json!({"id": "7f3a", "name": "test"}));
    for (sha, action) in [("", "in-sync"), (hash, "in-sync"), ("OTHER", "update")] {
        let plan = planned(&console, &named(sha));
        assert_eq!(plan["action"], action, "{sha}: {plan:#}");
        assert_eq!(plan["status"]["sha"], hash);
    }
    let drifted = with("project", json!({"id": "7f3a", "name": "test", "description": "by hand"}));
    // What the manifest does not say is not sent, and stays.
    assert_eq!(planned(&drifted, &named(hash))["action"], "in-sync");
}

#[test]
fn drift_is_corrected_and_the_controller_that_compares_hashes_alone_is_said_to_do_nothing() {
    let made = object("Project").spec("name: test").spec("description: new").id().readonly(false);
    let hash = planned(&absent(), &made.text())["status"]["sha"].as_str().unwrap().to_owned();
    let console = with("project", json!({"id": "7f3a", "name": "test", "description": "old"}));
    let plan = planned(&console, &made.status(&format!("sha: {hash}")).text());
    assert_eq!((&plan["action"], &plan["mutation"]), (&json!("update"), &json!("updateProject")), "{plan:#}");
    assert_eq!(plan["changes"], json!([{"path": "description", "from": "old", "to": "new"}]));
    assert_eq!(plan["inCluster"]["action"], "in-sync");
    assert!(plan["inCluster"]["text"].as_str().unwrap().contains("does not compare with the remote"), "{plan:#}");
}

#[test]
fn what_is_only_read_differs_and_stays() {
    let console = with("project", json!({"id": "7f3a", "name": "it", "description": "old"}));
    let plan = planned(&console, &object("Project").spec("description: new").drift(false).text());
    assert_eq!(plan["action"], "read-only", "{plan:#}");
    assert_eq!(plan["changes"], json!([]));
    assert_eq!(plan["differences"], json!([{"path": "description", "from": "old", "to": "new"}]));
}

#[test]
fn a_list_of_bindings_that_the_manifest_empties_is_said_to_stay() {
    let held =
        json!({"id": "7f3a", "name": "it", "readBindings": [{"id": "b", "group": {"id": "g", "name": "auditors"}}]});
    let plan = planned(&with("project", held), &object("Project").spec("bindings: {read: []}").text());
    assert!(plan["notes"][0].as_str().unwrap().starts_with("readBindings: the Console has some"), "{plan:#}");
}

#[test]
fn fields_that_the_console_does_not_return_are_named() {
    let catalog = object("Catalog").spec("tags: {tier: gold}").text();
    let plan = planned(&present("Catalog"), &catalog);
    assert_eq!(plan["notCompared"], json!([{"path": "tags", "reason": "the Console does not return it"}]), "{plan:#}");
}

// ---------------------------------------------------------------------------------------------------------------------
// What the status would be
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn a_managed_pass_ends_ready_with_id_and_hash() {
    for (kind, _) in SEVEN {
        let plan = planned(&present(kind), &object(kind).text());
        assert_eq!(plan["status"]["id"], "7f3a", "{plan:#}");
        assert!(plan["status"]["sha"].as_str().unwrap().ends_with("===="), "52 characters and padding: {plan:#}");
        assert_eq!(condition(&plan, "Synchronized"), told("True", "Synchronized", ""), "{kind}");
        assert_eq!(condition(&plan, "Ready"), told("True", "Ready", ""), "{kind}");
        // Section 9: the condition is never set for this kind.
        let readonly = if kind == "PrAutomation" { None } else { told("False", "Readonly", "") };
        assert_eq!(condition(&plan, "Readonly"), readonly, "{kind}");
        let token = if kind == "ServiceAccount" { told("True", "Ready", "") } else { None };
        assert_eq!(condition(&plan, "ReadyToken"), token, "{kind}");
        let credentials = told("False", "DefaultCredentials", "Using default credentials");
        let credentials = if kind == "NotificationSink" { credentials } else { None };
        assert_eq!(condition(&plan, "NamespacedCredentials"), credentials, "{kind}");
    }
}

#[test]
fn the_id_of_what_is_created_is_given_by_the_console() {
    let plan = planned(&absent(), &object("Project").text());
    assert_eq!(plan["status"]["id"], Value::Null);
    assert_eq!(plan["status"]["idReason"], "the Console gives it");
}

#[test]
fn a_read_only_pass_takes_the_id_and_says_so() {
    for kind in ["Project", "Catalog", "GitRepository", "NotificationSink", "ServiceContext"] {
        let plan = planned(&present(kind), &object(kind).drift(false).text());
        assert_eq!(condition(&plan, "Readonly"), told("True", "Readonly", "Running in read-only mode"), "{kind}");
        assert_eq!(condition(&plan, "Ready"), told("True", "Ready", ""), "{kind}");
        assert_eq!(plan["status"]["readonly"], true);
        assert_eq!(plan["status"]["sha"], Value::Null);
    }
    // Section 8: neither Synchronized nor Ready. Section 9: the id and an empty hash, and success.
    let account = planned(&present("ServiceAccount"), &object("ServiceAccount").drift(false).text());
    assert_eq!(condition(&account, "Synchronized"), None, "{account:#}");
    assert_eq!(condition(&account, "Ready"), told("False", "Ready", ""));
    let automation = planned(&present("PrAutomation"), &object("PrAutomation").drift(false).text());
    assert_eq!(automation["status"]["sha"], "", "{automation:#}");
    assert_eq!(condition(&automation, "Readonly"), None);
}

#[test]
fn a_repository_is_ready_only_when_it_can_be_pulled() {
    let created = planned(&absent(), &object("GitRepository").text());
    assert_eq!(
        condition(&created, "Ready"),
        told("False", "Ready", "The repository is not pullable yet"),
        "{created:#}"
    );
    assert_eq!(created["requeue"]["maxSeconds"], 45);
    let failed =
        json!({"id": "7f3a", "url": "https://git.orchard.test/it.git", "health": "FAILED", "error": "no access"});
    let failed = planned(&with("gitRepository", failed), &object("GitRepository").text());
    assert_eq!(condition(&failed, "Ready"), told("False", "Ready", "The repository is not pullable yet"));
    assert_eq!((&failed["status"]["health"], &failed["status"]["message"]), (&json!("FAILED"), &json!("no access")));
    assert_eq!(failed["requeue"]["maxSeconds"], 45);
}

#[test]
fn a_read_only_object_whose_target_is_gone_waits_each_kind_in_its_way() {
    let plan = planned(&absent(), &object("Project").id().readonly(true).drift(false).text());
    assert_eq!(plan["action"], "wait", "{plan:#}");
    let gone = told("False", "NotFound", "Could not find resource in Console API");
    assert_eq!(condition(&plan, "Synchronized"), gone);
    assert_eq!(plan["status"]["idReason"], "it is taken away");
    assert_eq!(plan["requeue"]["maxSeconds"], 45);
    let plan = planned(&absent(), &object("NotificationSink").id().readonly(true).drift(false).text());
    assert_eq!(condition(&plan, "Synchronized"), told("False", "Error", " \"it\" not found"), "{plan:#}");
    let plan = planned(&absent(), &object("GitRepository").id().readonly(true).drift(false).text());
    assert_eq!(
        condition(&plan, "Synchronized"),
        told("False", "NotFound", "could not find the repository"),
        "{plan:#}"
    );
    assert_eq!(plan["status"]["idReason"], "it stays as it was");
    assert_eq!(plan["status"]["health"], "FAILED");
    assert_eq!(plan["requeue"]["state"], "never");
}

#[test]
fn a_look_up_that_fails_leaves_the_conditions_of_before_and_is_retried_as_an_error() {
    let mut console = absent();
    console.forbid("project", "it");
    let plan = planned(&console, &object("Project").text());
    assert_eq!((&plan["action"], &plan["outcome"]), (&json!("unknown"), &json!("unknown")), "{plan:#}");
    assert_eq!(condition(&plan, "Synchronized"), told("False", "Error", "forbidden"));
    assert_eq!(condition(&plan, "Readonly"), None);
    assert_eq!(plan["requeue"]["state"], "back-off");
    assert_eq!(plan["status"]["idReason"], "it stays as it was");
}

#[test]
fn a_context_that_is_there_stays_ready_while_it_waits() {
    let waiting = object("ServiceContext").spec("projectRef: {name: nowhere}");
    let there = planned(&present("ServiceContext"), &waiting.clone().text());
    assert_eq!(condition(&there, "Ready"), told("True", "Ready", ""), "{there:#}");
    let gone = planned(&absent(), &waiting.text());
    assert_eq!(condition(&gone, "Ready"), told("False", "Ready", ""), "{gone:#}");
}

// ---------------------------------------------------------------------------------------------------------------------
// What comes later
// ---------------------------------------------------------------------------------------------------------------------

#[test]
fn the_next_pass_comes_by_the_interval_or_not_at_all() {
    let cases: [(Resource, Value); 6] = [
        (object("Project"), json!({"state": "within", "minSeconds": 900, "maxSeconds": 2700})),
        (object("Project").interval("5m"), json!({"state": "within", "minSeconds": 150, "maxSeconds": 450})),
        (object("Project").interval("1d"), json!({"state": "within", "minSeconds": 900, "maxSeconds": 2700})),
        // Section 15: not fed to a random call by this tool.
        (object("Project").interval("0s"), json!({"state": "within", "minSeconds": 900, "maxSeconds": 2700})),
        (object("Project").interval("1ns"), json!({"state": "never", "minSeconds": null, "maxSeconds": null})),
        (object("NotificationSink"), json!({"state": "never", "minSeconds": null, "maxSeconds": null})),
    ];
    for (resource, requeue) in cases {
        assert_eq!(planned(&absent(), &resource.text())["requeue"], requeue, "{}", resource.text());
    }
}

#[test]
fn what_is_taken_over_is_said_to_be_deleted_later_although_it_was_not_created() {
    let taken = planned(&present("Project"), &object("Project").status("id: \"\"").text());
    assert_eq!(taken["deletion"], "deleting this object deletes the Console's project, which it did not create");
    let read = planned(&present("Project"), &object("Project").drift(false).text());
    assert_eq!(read["deletion"], "deleting this object leaves the Console's project as it is");
    // Section 8: the controller has no finalizer, and leaves the user.
    let account = planned(&absent(), &object("ServiceAccount").text());
    let said = "deleting this object deletes the Console's user (the in-cluster controller leaves it)";
    assert_eq!(account["deletion"], said);
}

#[test]
fn a_controller_that_would_take_what_is_created_for_somebody_elses_is_warned_of() {
    for kind in ["Project", "Catalog", "GitRepository", "NotificationSink", "ServiceAccount", "PrAutomation"] {
        let plan = planned(&absent(), &object(kind).drift(false).text());
        assert_eq!(plan["action"], "create", "{plan:#}");
        assert!(plan["warnings"][0].as_str().unwrap().contains("somebody else's"), "{kind}: {plan:#}");
    }
    let plan = planned(&absent(), &object("Project").text());
    assert_eq!(plan["warnings"], json!([]));
    // For these the code that takes over was not found.
    for kind in ["GitRepository", "NotificationSink"] {
        let plan = planned(&absent(), &object(kind).text());
        assert!(plan["warnings"][0].as_str().unwrap().contains("was not found"), "{kind}: {plan:#}");
    }
}

#[test]
fn a_token_follows_when_the_scopes_are_others_than_those_of_the_last_one() {
    let account = object("ServiceAccount")
        .spec("scopes: [{api: createCluster}]")
        .spec("tokenExpiry: 1w")
        .spec("tokenSecretRef: {name: t, namespace: infra}");
    let plan = planned(&absent(), &account.clone().text());
    let scopes = json!([{"api": "createCluster"}]);
    assert_eq!(
        plan["followedBy"],
        json!({"mutation": "createServiceAccountToken", "variables": {"scopes": scopes, "expiry": "1w"}, "secret": "infra/t"}),
        "{plan:#}"
    );
    // printf '[{"api":"createCluster"}]' | sha256sum | cut -c1-64 | xxd -r -p | base32 -w0
    let known = "QDYFC5CK3CMEHDS5OEJHULRPLWTLBKAYNFEL6DGAFDJZFKI3OAFQ====";
    let annotated = account.meta(&format!("annotations: {{deployments.plural.sh/last-scope-hash: \"{known}\"}}"));
    assert_eq!(planned(&absent(), &annotated.text())["followedBy"], Value::Null);
    let without = object("ServiceAccount").spec("tokenSecretRef: {name: t}").text();
    assert_eq!(planned(&absent(), &without)["followedBy"], Value::Null, "no scopes, no token");
}

#[test]
fn a_deletion_sends_the_id_that_was_looked_up() {
    let plan = planned(&present("Catalog"), &object("Catalog").id().readonly(false).ours().deleting().text());
    assert_eq!(plan["mutation"], "deleteCatalog", "{plan:#}");
    assert_eq!(plan["variables"], json!({"id": "7f3a"}));
    assert_eq!(plan["status"], Value::Null);
}

#[test]
fn a_create_whose_answer_may_have_been_lost_is_warned_of() {
    let plan = planned(&present("Project"), &object("Project").status("id: \"\"").readonly(false).drift(false).text());
    assert_eq!(plan["action"], "read-only", "{plan:#}");
    assert!(plan["warnings"][0].as_str().unwrap().contains("whose answer was lost"), "{plan:#}");
}

#[test]
fn the_controller_panics_over_an_interval_that_this_tool_does_not_take() {
    let text = object("Project").interval("-1m").text();
    let plan = planned(&absent(), &text);
    assert!(plan["notes"].to_string().contains("the controller panics"), "{plan:#}");
    let plan = plan_of(&absent(), &text, &Asked { args: &["--semantics", "controller"] });
    assert_eq!(plan["objects"][0]["requeue"]["state"], "panics");
}

#[test]
fn what_this_tool_takes_over_is_deleted_by_the_controller_too_as_the_finalizer_is_there() {
    for (kind, _) in SEVEN {
        let plan = planned(&present(kind), &object(kind).status("id: \"\"").text());
        let said = plan["deletion"].as_str().unwrap();
        assert!(said.contains("which it did not create"), "{said}");
        // Section 8: nobody looks at the deletion of a service account.
        assert_eq!(said.contains("(the in-cluster controller leaves it)"), kind == "ServiceAccount", "{kind}: {said}");
    }
}

#[test]
fn a_token_alone_is_a_pending_change() {
    let account = object("ServiceAccount").id().readonly(false);
    let account = account.spec("scopes: [{api: createCluster}]").spec("tokenSecretRef: {name: t, namespace: infra}");
    let plan = planned(&present("ServiceAccount"), &account.text());
    assert_eq!((&plan["action"], &plan["mutation"]), (&json!("update"), &Value::Null), "{plan:#}");
    assert_eq!(plan["followedBy"]["mutation"], "createServiceAccountToken");
    let without = object("ServiceAccount").spec("tokenSecretRef: {name: t}").text();
    let plan = planned(&present("ServiceAccount"), &without);
    assert!(plan["notes"].to_string().contains("no token is made: spec.scopes is empty"), "{plan:#}");
}

#[test]
fn an_id_that_is_no_text_is_no_answer() {
    for id in [json!(1), json!(true), json!("")] {
        let mut answer = json!({"id": id, "name": "it"});
        // The test Console keeps what it is given.
        answer["name"] = "it".into();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("manifest.yaml"), object("Project").text()).unwrap();
        let snapshot = json!({"apiVersion": "kcc-backoff/v1alpha1", "kind": "ConsoleSnapshot", "project": [answer]});
        std::fs::write(folder.path().join("console.yaml"), snapshot.to_string()).unwrap();
        let args = ["reconcile-once", "manifest.yaml", "--console-snapshot", "console.yaml"];
        let output = crate::support::binary(folder.path()).args(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{id}");
        let said = crate::support::stderr(&output);
        assert!(said.contains("project.id is no text that is an id"), "{id}: {said}");
    }
}

#[test]
fn a_binding_of_nobody_is_no_difference() {
    let group = json!({"id": "g-1", "name": "all"});
    let bindings = json!([null, {"id": "b", "user": null, "group": null}, {"id": "c", "group": group}]);
    let mut console = with("project", json!({"id": "7f3a", "name": "it", "readBindings": bindings}));
    console.put("group", group);
    let project = object("Project").spec("bindings: {read: [{groupName: all}]}").id().readonly(false);
    let plan = planned(&console, &project.text());
    assert_eq!(plan["action"], "in-sync", "{plan:#}");
}

#[test]
fn the_controllers_plan_does_not_hide_that_a_look_up_failed() {
    let mut console = absent();
    console.forbid("serviceContext", "it");
    let plan = plan_of(&console, &object("ServiceContext").text(), &Asked { args: &["--semantics", "controller"] });
    let object = &plan["objects"][0];
    assert_eq!(object["action"], "create", "{object:#}");
    assert!(object["reason"].as_str().unwrap().contains("could not be looked up (forbidden)"), "{object:#}");
}

#[test]
fn what_the_controller_does_not_send_stays_as_it_differs() {
    let held = json!({"id": "7f3a", "name": "it", "title": "old", "connection": {"id": "forge-1", "name": "forge"}});
    let text = object("PrAutomation").spec("title: new").text();
    let controller = Asked { args: &["--semantics", "controller"] };
    let plan = plan_of(&with("prAutomation", held), &text, &controller);
    let one = &plan["objects"][0];
    assert_eq!((&one["action"], &one["mutation"]), (&json!("adopt"), &Value::Null), "{one:#}");
    assert_eq!(one["changes"], json!([]));
    assert_eq!(one["differences"], json!([{"path": "title", "from": "old", "to": "new"}]));
    // A catalog that is gone stays gone while its hash is unchanged, and keeps its id.
    let catalog = object("Catalog").id().readonly(false);
    let sha = planned(&absent(), &catalog.clone().text())["status"]["sha"].as_str().unwrap().to_owned();
    let text = catalog.status(&format!("sha: {sha}")).text();
    let plan = plan_of(&absent(), &text, &controller);
    let one = &plan["objects"][0];
    assert_eq!(
        (&one["action"], &one["status"]["idReason"]),
        (&json!("in-sync"), &json!("it stays as it was")),
        "{one:#}"
    );
    assert!(one["reason"].as_str().unwrap().contains("the controller goes by the stored hash"), "{one:#}");
}

#[test]
fn a_context_whose_merge_fails_is_retried_as_an_error_with_its_words() {
    let text = object("ServiceContext").spec("configuration: [1]").text();
    let plan = planned(&present("ServiceContext"), &text);
    assert_eq!((&plan["action"], &plan["requeue"]["state"]), (&json!("refuse"), &json!("back-off")), "{plan:#}");
    let (status, reason, message) = condition(&plan, "Synchronized").unwrap();
    assert_eq!((status.as_str(), reason.as_str()), ("False", "Error"));
    assert!(message.starts_with("failed to parse configuration JSON: "), "{message}");
    assert_eq!(condition(&plan, "Ready"), told("True", "Ready", ""));
}

#[test]
fn the_next_pass_is_that_of_the_first_thing_that_is_missing() {
    let text = object("ServiceContext").spec("projectRef: {name: nowhere}").spec("configMapRef: {name: common}").text();
    let plan = planned(&absent(), &text);
    assert_eq!(plan["missing"].as_array().unwrap().len(), 2, "{plan:#}");
    assert_eq!(plan["missing"][0]["field"], "spec.projectRef");
    assert_eq!(plan["requeue"]["state"], "within", "{plan:#}");
}

#[test]
fn a_secret_of_another_namespace_is_not_taken() {
    let secret =
        "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: other-team}\nstringData: {password: x}\n---\n";
    let repository = object("GitRepository").spec("credentialsRef: {name: key}").text();
    let plan = plan_of(&absent(), &format!("{secret}{repository}"), &Asked::default());
    assert_eq!(plan["objects"][0]["action"], "wait", "{plan:#}");
}

/// Section 3, step a: with the condition False the controller takes it for managed, whatever it finds.
#[test]
fn an_object_that_was_managed_before_is_not_taken_for_somebody_elses() {
    let plan = planned(&absent(), &object("Project").id().readonly(false).drift(false).text());
    assert_eq!(plan["action"], "create", "{plan:#}");
    assert_eq!(plan["warnings"], json!([]), "{plan:#}");
}
