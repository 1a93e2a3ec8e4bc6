//! What objects refer to: ready, not ready, missing, or not to be found out (console.md section 2.6).

use serde_json::{Value, json};

use super::{Asked, Holding, plan_of};
use crate::plural::object;

fn forge() -> (&'static str, Value) {
    ("scmConnection", json!({"id": "forge-1", "name": "forge", "type": "GITHUB"}))
}

fn holding(all: &[(&str, Value)]) -> Holding {
    let mut holding = Holding::default();
    all.iter().for_each(|(field, value)| holding.put(field, value.clone()));
    holding
}

/// The plan of the last object of some documents.
fn last(holding: &Holding, documents: &[&str]) -> Value {
    let plan = plan_of(holding, &documents.join("---\n"), &Asked::default());
    plan["objects"].as_array().unwrap().last().unwrap().clone()
}

fn soon() -> Value {
    json!({"state": "within", "minSeconds": 15, "maxSeconds": 45})
}

fn as_an_error() -> Value {
    json!({"state": "back-off", "minSeconds": 0.005, "maxSeconds": 1000})
}

fn synchronized(object: &Value) -> &Value {
    object["status"]["conditions"].as_array().unwrap().iter().find(|one| one["type"] == "Synchronized").unwrap()
}

/// The kinds with a reference that is waited for, the reference, its target's kind, query and a manifest of it without an
/// id, the attribute that it becomes, and what the condition says while it has no id.
fn waited_for() -> Vec<(&'static str, &'static str, &'static str, &'static str, String, &'static str, &'static str)> {
    let project = object("Project").meta("name: orchard").spec("name: orchard").text();
    let forge = "apiVersion: deployments.plural.sh/v1alpha1\nkind: ScmConnection\nmetadata: {name: forge}\nspec: {name: forge}\n";
    let not_ready = "project is not ready";
    vec![
        (
            "Catalog",
            "projectRef: {name: orchard}",
            "spec.projectRef",
            "project",
            project.clone(),
            "projectId",
            not_ready,
        ),
        (
            "ServiceContext",
            "projectRef: {name: orchard}",
            "spec.projectRef",
            "project",
            project,
            "projectId",
            not_ready,
        ),
        (
            "GitRepository",
            "connectionRef: {name: forge}",
            "spec.connectionRef",
            "scmConnection",
            forge.to_owned(),
            "connectionId",
            "scm connection is not ready",
        ),
        (
            "PrAutomation",
            "scmConnectionRef: {name: forge}",
            "spec.scmConnectionRef",
            "scmConnection",
            forge.to_owned(),
            "connectionId",
            "scm connection is not ready",
        ),
    ]
}

fn found(query: &str) -> (&str, Value) {
    match query {
        "project" => (query, json!({"id": "t-1", "name": "orchard"})),
        _ => (query, json!({"id": "t-1", "name": "forge", "type": "GITHUB"})),
    }
}

#[test]
fn a_reference_that_is_ready_gives_its_id_to_what_is_sent() {
    for (kind, reference, _, query, target, attribute, _) in waited_for() {
        let object = object(kind).spec(reference).text();
        let console = holding(&[found(query)]);
        for documents in [vec![target.as_str(), &object], vec![&object]] {
            let plan = last(&console, &documents);
            assert_eq!(plan["action"], "create", "{plan:#}");
            assert_eq!(plan["variables"]["attributes"][attribute], "t-1", "{plan:#}");
        }
    }
}

#[test]
fn a_reference_to_an_input_without_an_id_is_waited_for() {
    for (kind, reference, field, _, target, _, text) in waited_for() {
        let object = object(kind).spec(reference).text();
        let plan = last(&Holding::default(), &[&target, &object]);
        assert_eq!(plan["action"], "wait", "{plan:#}");
        assert_eq!(plan["outcome"], "held-back");
        assert_eq!(plan["then"], "create");
        assert_eq!(plan["mutation"], Value::Null);
        assert_eq!(plan["missing"][0]["field"], field);
        assert!(plan["reason"].as_str().unwrap().contains("has no id yet"), "{plan:#}");
        assert_eq!(synchronized(&plan)["message"], text);
        assert_eq!(plan["requeue"], soon());
    }
}

#[test]
fn a_reference_to_what_is_nowhere_is_waited_for() {
    for (kind, reference, field, query, _, _, _) in waited_for() {
        let object = object(kind).spec(reference).text();
        let plan = last(&Holding::default(), &[&object]);
        assert_eq!(plan["action"], "wait", "{plan:#}");
        assert_eq!(plan["missing"][0]["field"], field);
        assert!(plan["reason"].as_str().unwrap().contains("neither among the inputs nor in the Console"), "{plan:#}");
        // Section 1.1: plural and group, then the name.
        let text = match query {
            "project" => "projects.deployments.plural.sh \"orchard\" not found",
            _ => "scmconnections.deployments.plural.sh \"forge\" not found",
        };
        assert_eq!(synchronized(&plan)["message"], text);
        assert_eq!(plan["requeue"], soon());
    }
}

#[test]
fn a_reference_that_could_not_be_looked_up_makes_the_object_unknown_and_never_absent() {
    for (kind, reference, _, query, target, _, _) in waited_for() {
        let object = object(kind).spec(reference).text();
        let mut console = Holding::default();
        console.forbid(query, if query == "project" { "orchard" } else { "forge" });
        for documents in [vec![target.as_str(), &object], vec![&object]] {
            let plan = last(&console, &documents);
            assert_eq!(plan["action"], "unknown", "{plan:#}");
            assert_eq!(plan["mutation"], Value::Null);
            assert!(plan["reason"].as_str().unwrap().contains("forbidden"), "{plan:#}");
            assert_eq!(plan["requeue"], as_an_error());
        }
    }
}

#[test]
fn an_object_that_is_only_read_waits_for_nothing() {
    let catalog = object("Catalog").spec("projectRef: {name: nowhere}").drift(false).text();
    let plan = last(&holding(&[("catalog", json!({"id": "c-1", "name": "it", "author": "Orchard"}))]), &[&catalog]);
    assert_eq!(plan["action"], "read-only", "{plan:#}");
}

#[test]
fn other_references_of_an_automation_without_an_id_are_left_out_with_a_warning() {
    let targets = [
        ("projectRef", "Project", object("Project").meta("name: later").spec("name: later").text()),
        ("catalogRef", "Catalog", object("Catalog").meta("name: later").spec("name: later").text()),
        (
            "repositoryRef",
            "GitRepository",
            object("GitRepository").meta("name: later").spec("url: https://git.orchard.test/later.git").text(),
        ),
        (
            "clusterRef",
            "Cluster",
            "apiVersion: deployments.plural.sh/v1alpha1\nkind: Cluster\nmetadata: {name: later}\nspec: {handle: later}\n".into(),
        ),
        (
            "serviceRef",
            "ServiceDeployment",
            "apiVersion: deployments.plural.sh/v1alpha1\nkind: ServiceDeployment\nmetadata: {name: later}\nspec: {}\n".into(),
        ),
    ];
    for (field, kind, target) in targets {
        let object = object("PrAutomation").spec(&format!("{field}: {{name: later}}")).text();
        let plan = last(&holding(&[forge()]), &[&target, &object]);
        assert_eq!(plan["action"], "create", "{field}: {plan:#}");
        let attribute = field.replace("Ref", "Id");
        assert_eq!(plan["variables"]["attributes"][&attribute], Value::Null, "{plan:#}");
        let warning = plan["warnings"][0].as_str().unwrap();
        assert!(warning.contains(&format!("spec.{field}: {kind} later has no id yet")), "{warning}");
        // The same target, but nowhere: waited for.
        let plan = last(&holding(&[forge()]), &[&object]);
        assert_eq!(plan["action"], "wait", "{field}: {plan:#}");
    }
}

#[test]
fn the_status_of_a_referenced_object_of_another_kind_gives_its_id_without_a_look_up() {
    let cluster = "apiVersion: deployments.plural.sh/v1alpha1\nkind: Cluster\nmetadata: {name: prod}\n\
                   spec: {handle: prod}\nstatus: {id: cluster-7}\n";
    let object = object("PrAutomation").spec("clusterRef: {name: prod}").text();
    let plan = last(&holding(&[forge()]), &[cluster, &object]);
    assert_eq!(plan["variables"]["attributes"]["clusterId"], "cluster-7", "{plan:#}");
}

#[test]
fn a_cluster_that_is_named_directly_and_the_url_of_a_repository_go_before_the_references() {
    let console = holding(&[
        forge(),
        ("cluster", json!({"id": "cluster-1", "name": "prod", "handle": "prod"})),
        ("gitRepository", json!({"id": "repository-1", "url": "https://git.orchard.test/fleet.git"})),
    ]);
    let object = object("PrAutomation")
        .spec("cluster: prod")
        .spec("clusterRef: {name: nowhere}")
        .spec("repositoryRef: {name: nowhere}")
        .spec("git: {ref: main, folder: x, url: \"https://git.orchard.test/fleet.git\"}")
        .text();
    let plan = last(&console, &[&object]);
    assert_eq!(plan["action"], "create", "{plan:#}");
    assert_eq!(plan["variables"]["attributes"]["clusterId"], "cluster-1");
    assert_eq!(plan["variables"]["attributes"]["repositoryId"], "repository-1");
    assert_eq!(plan["variables"]["attributes"]["git"], json!({"ref": "main", "folder": "x"}));
    let plan = last(&holding(&[forge()]), &[&object]);
    assert_eq!(plan["action"], "wait");
    assert_eq!(plan["missing"].as_array().unwrap().len(), 2, "{plan:#}");
}

#[test]
fn users_and_groups_of_bindings_are_looked_up_and_waited_for() {
    let project = object("Project")
        .spec("bindings: {read: [{groupName: auditors}], write: [{userEmail: robot@orchard.test}]}")
        .text();
    let group = ("group", json!({"id": "g-1", "name": "auditors"}));
    let user = ("user", json!({"id": "u-1", "name": "Robot", "email": "robot@orchard.test"}));
    let plan = last(&holding(&[group.clone(), user]), &[&project]);
    assert_eq!(plan["variables"]["attributes"]["readBindings"], json!([{"groupId": "g-1"}]), "{plan:#}");
    assert_eq!(plan["variables"]["attributes"]["writeBindings"], json!([{"userId": "u-1"}]));
    let plan = last(&holding(&[group]), &[&project]);
    assert_eq!(plan["action"], "wait", "{plan:#}");
    assert_eq!(synchronized(&plan)["message"], "user \"robot@orchard.test\" not found");
    let plan = last(&Holding::default(), &[&project]);
    // Section 1.1: with a blank in front, as the resource is empty.
    assert_eq!(synchronized(&plan)["message"], " \"auditors\" not found", "{plan:#}");
    assert_eq!(plan["missing"].as_array().unwrap().len(), 2);
}

const SECRET: &str = "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: infra}\n\
                      data: {privateKey: TUFSS0VSLWtleQ==, password: \"\"}\nstringData: {username: MARKER-user}\n";

#[test]
fn credentials_come_from_a_secret_among_the_inputs_and_are_not_shown() {
    let repository = object("GitRepository").spec("credentialsRef: {name: key, namespace: infra}").text();
    let plan = last(&Holding::default(), &[SECRET, &repository]);
    assert_eq!(plan["action"], "create", "{plan:#}");
    let attributes = &plan["variables"]["attributes"];
    assert_eq!(
        *attributes,
        json!({"url": "https://git.orchard.test/it.git", "privateKey": "***", "username": "***"}),
        "an empty password is left out"
    );
    let plan = last(&Holding::default(), &[&repository]);
    assert_eq!(plan["action"], "wait", "{plan:#}");
    assert!(plan["reason"].as_str().unwrap().contains("the Secret infra/key is not among the inputs"), "{plan:#}");
    assert_eq!(plan["requeue"], soon());
}

#[test]
fn a_missing_config_map_or_secret_of_a_context_is_retried_as_an_error() {
    for (reference, text) in [
        ("configMapRef: {name: common}", "failed to get configmap infra/common: configmaps \"common\" not found"),
        ("secretRef: {name: common}", "failed to get secret infra/common: secrets \"common\" not found"),
        ("configMapRefs: [{name: common}]", "failed to get configmap infra/common: configmaps \"common\" not found"),
    ] {
        let context = object("ServiceContext").spec(reference).text();
        let plan = last(&Holding::default(), &[&context]);
        assert_eq!(plan["action"], "wait", "{plan:#}");
        assert_eq!(synchronized(&plan)["message"], text);
        assert_eq!(plan["requeue"], as_an_error());
    }
}

/// The controller looks up the name "", which is never there.
#[test]
fn a_reference_without_a_name_is_waited_for() {
    for (kind, reference) in [
        ("Catalog", "projectRef: {}"),
        ("PrAutomation", "scmConnectionRef: {namespace: infra}"),
        ("PrAutomation", "projectRef: {name: \"\"}"),
        ("GitRepository", "credentialsRef: {namespace: infra}"),
        ("ServiceContext", "secretRef: {namespace: infra}"),
    ] {
        let plan = last(&holding(&[forge()]), &[&object(kind).spec(reference).text()]);
        assert_eq!((&plan["action"], &plan["mutation"]), (&json!("wait"), &Value::Null), "{plan:#}");
    }
}

#[test]
fn what_is_wrong_in_itself_is_said_whatever_is_missing() {
    let both = object("ServiceContext").spec("configMapRef: {name: a}").spec("configMapRefs: [{name: b}]").text();
    let plan = last(&Holding::default(), &[&both]);
    let reason = "spec.configMapRef and spec.configMapRefs are mutually exclusive";
    assert_eq!((&plan["action"], &plan["reason"]), (&json!("refuse"), &json!(reason)), "{plan:#}");
}

#[test]
fn a_secret_that_the_api_server_refuses_is_not_used() {
    for bad in ["data: {password: \"no base64!\"}", "stringData: {password: 7}"] {
        let secret = format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: key, namespace: infra}}\n{bad}\n");
        let repository = object("GitRepository").spec("credentialsRef: {name: key, namespace: infra}").text();
        let plan = last(&Holding::default(), &[&secret, &repository]);
        assert_eq!(plan["action"], "wait", "{plan:#}");
        assert!(plan["reason"].as_str().unwrap().contains("is one that the API server refuses"), "{plan:#}");
    }
}
