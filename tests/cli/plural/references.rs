//! console.md sections 2.5 and 2.6: what a pass waits for, and what it goes on without.

use kcc_backoff::plural::IfMissing;
use serde_json::json;

use super::*;

use IfMissing::{Error, Nothing, SentWithout, Wait};

/// Field, target, namespace, name, and what happens while it is missing and while it has no id.
type Need = (String, &'static str, Option<String>, String, IfMissing, IfMissing);

fn needs(resource: &Resource) -> Vec<Need> {
    let waits = answer(resource).waits;
    waits
        .into_iter()
        .map(|wait| {
            let namespace = wait.namespace.map(str::to_owned);
            (wait.field.into_owned(), wait.target, namespace, wait.name.into_owned(), wait.missing, wait.without_id)
        })
        .collect()
}

fn need(
    field: &str,
    target: &'static str,
    namespace: Option<&str>,
    name: &str,
    missing: IfMissing,
    without_id: IfMissing,
) -> Need {
    (field.to_owned(), target, namespace.map(str::to_owned), name.to_owned(), missing, without_id)
}

#[test]
fn a_project_reference_is_waited_for_and_its_namespace_is_ignored() {
    for kind in ["Catalog", "ServiceContext"] {
        let resource = object(kind).spec("projectRef: {name: orchard-prod, namespace: elsewhere}");
        assert_eq!(needs(&resource), [need("spec.projectRef", "Project", None, "orchard-prod", Wait, Wait)], "{kind}");
    }
}

#[test]
fn a_repository_waits_for_its_connection_and_for_the_secret_of_its_credentials() {
    let resource = object("GitRepository")
        .spec("connectionRef: {name: forge, namespace: infra}")
        .spec("credentialsRef: {name: forge-creds, namespace: infra}");
    let wanted = [
        need("spec.connectionRef", "ScmConnection", Some("infra"), "forge", Wait, Wait),
        need("spec.credentialsRef", "Secret", Some("infra"), "forge-creds", Wait, Nothing),
    ];
    assert_eq!(needs(&resource), wanted);
    // Without a namespace there is none: the repository has none of its own.
    let bare = object("GitRepository").meta("namespace: infra").spec("credentialsRef: {name: s}");
    assert_eq!(needs(&bare), [need("spec.credentialsRef", "Secret", None, "s", Wait, Nothing)]);
}

#[test]
fn a_pr_automation_waits_for_its_connection_and_goes_on_without_other_ids() {
    let resource = object("PrAutomation")
        .spec("clusterRef: {name: c, namespace: infra}")
        .spec("serviceRef: {name: s, namespace: infra}")
        .spec("repositoryRef: {name: r, namespace: infra}")
        .spec("projectRef: {name: p, namespace: infra}")
        .spec("catalogRef: {name: k, namespace: infra}");
    let wanted = [
        need("spec.scmConnectionRef", "ScmConnection", None, "forge", Wait, Wait),
        need("spec.clusterRef", "Cluster", Some("infra"), "c", Wait, SentWithout),
        need("spec.serviceRef", "ServiceDeployment", Some("infra"), "s", Wait, SentWithout),
        // Those of the whole cluster have no namespace.
        need("spec.repositoryRef", "GitRepository", None, "r", Wait, SentWithout),
        need("spec.projectRef", "Project", None, "p", Wait, SentWithout),
        need("spec.catalogRef", "Catalog", None, "k", Wait, SentWithout),
    ];
    assert_eq!(needs(&resource), wanted);
    let lines = lines_of(&screen(&resource), "Needs");
    // Every one of them has to be there, and one of them has to have an id.
    assert!(lines.len() == 6 && lines.iter().all(|line| line.starts_with("or waits ")), "{lines:?}");
    assert!(lines[0].starts_with("or waits ScmConnection forge with an id"), "{lines:?}");
    for line in &lines[1..] {
        assert!(line.contains("without an id it is silently left out") && !line.contains("with an id"), "{line}");
    }
}

#[test]
fn a_handle_and_a_url_of_a_pr_automation_outweigh_the_references() {
    let resource = object("PrAutomation")
        .spec("clusterRef: {name: c}")
        .spec("repositoryRef: {name: r}")
        .spec("cluster: mgmt")
        .spec("git: {url: \"https://git.orchard.test/x.git\", folder: a, ref: main}");
    let wanted = [
        need("spec.scmConnectionRef", "ScmConnection", None, "forge", Wait, Wait),
        need("spec.cluster", "cluster", None, "mgmt", Wait, Nothing),
        need("spec.git.url", "repository", None, "https://git.orchard.test/x.git", Wait, Nothing),
    ];
    assert_eq!(needs(&resource), wanted);
    // An empty one names nothing, so the reference stays.
    let empty = object("PrAutomation").spec("clusterRef: {name: c}").spec("cluster: \"\"");
    assert_eq!(needs(&empty)[1].0, "spec.clusterRef");
}

#[test]
fn what_a_service_context_reads_must_be_there_or_the_pass_ends_in_an_error() {
    let resource = object("ServiceContext")
        .spec("configMapRefs: [{name: common}, {name: eu, namespace: other, scope: eu}, {name: \"\"}, {scope: x}]")
        .spec("secretRef: {name: db}");
    let wanted = [
        // An empty namespace means the object's own.
        need("spec.configMapRefs[0]", "ConfigMap", Some("infra"), "common", Error, Nothing),
        need("spec.configMapRefs[1]", "ConfigMap", Some("other"), "eu", Error, Nothing),
        need("spec.secretRef", "Secret", Some("infra"), "db", Error, Nothing),
    ];
    assert_eq!(needs(&resource), wanted);
    let single = object("ServiceContext").spec("configMapRef: {name: common, namespace: \"\"}");
    assert_eq!(needs(&single), [need("spec.configMapRef", "ConfigMap", Some("infra"), "common", Error, Nothing)]);
    assert!(lines_of(&screen(&single), "Needs")[0].starts_with("or fails ConfigMap infra/common"));
}

#[test]
fn two_forms_of_config_map_references_exclude_each_other() {
    let both = object("ServiceContext").spec("configMapRef: {name: a}").spec("configMapRefs: [{name: b}]");
    assert_eq!(codes(&answer(&both)), [("hazard", "warning")]);
    assert!(answer(&both).problems[0].message.contains("every pass ends in an error"));
    for one in ["configMapRef: {name: a}", "configMapRefs: [{name: b}]"] {
        assert_eq!(codes(&answer(&object("ServiceContext").spec(one))), []);
    }
    let empty = object("ServiceContext").spec("configMapRef: {name: a}").spec("configMapRefs: []");
    assert_eq!(codes(&answer(&empty)), []);
}

#[test]
fn a_secret_that_is_written_is_not_waited_for() {
    let account =
        object("ServiceAccount").spec("scopes: [{api: x}]").spec("tokenSecretRef: {name: token, namespace: infra}");
    assert_eq!(needs(&account), []);
    assert_eq!(codes(&answer(&account)), []);
}

#[test]
fn without_scopes_a_service_account_gets_no_token() {
    for scopes in ["", "scopes: []", "scopes: null"] {
        let account = object("ServiceAccount").spec("tokenSecretRef: {name: token}");
        let account = if scopes.is_empty() { account } else { account.spec(scopes) };
        assert_eq!(codes(&answer(&account)), [("hazard", "warning")], "{scopes}");
        assert!(answer(&account).problems[0].message.contains("although ReadyToken becomes True"));
    }
    assert_eq!(codes(&answer(&object("ServiceAccount"))), []);
}

#[test]
fn scopes_that_were_taken_away_make_a_token_without_any() {
    let account = object("ServiceAccount").spec("tokenSecretRef: {name: token}");
    let adds = |resource: &Resource| answer(resource).adds.join("\n");
    // The hash of none is empty, and so is an annotation that is not there.
    assert_eq!(adds(&account), "");
    assert_eq!(adds(&account.clone().meta("annotations: {deployments.plural.sh/last-scope-hash: \"\"}")), "");
    let taken = account.meta("annotations: {deployments.plural.sh/last-scope-hash: PWP5}");
    assert!(answer(&taken).problems[0].message.contains("that makes a token without scopes"));
    assert!(adds(&taken).contains("the key token in the Secret default/token"));
}

#[test]
fn users_and_groups_of_bindings_are_waited_for() {
    let bindings = "[{userEmail: a@orchard.test}, {groupName: sre}, {userEmail: b@orchard.test, groupName: dev}]";
    let wanted = [
        need("userEmail", "user", None, "a@orchard.test", Wait, Nothing),
        need("groupName", "group", None, "sre", Wait, Nothing),
        // One binding may carry both.
        need("userEmail", "user", None, "b@orchard.test", Wait, Nothing),
        need("groupName", "group", None, "dev", Wait, Nothing),
    ];
    let cases = [
        ("Project", format!("bindings: {{read: {bindings}}}")),
        ("Project", format!("bindings: {{write: {bindings}}}")),
        ("Catalog", format!("bindings: {{create: {bindings}}}")),
        ("PrAutomation", format!("bindings: {{write: {bindings}}}")),
        ("NotificationSink", format!("bindings: {bindings}")),
        ("ServiceAccount", format!("assumeBindings: {bindings}")),
    ];
    for (kind, spec) in cases {
        let needs = needs(&object(kind).spec(&spec));
        let found: Vec<&Need> = needs.iter().filter(|need| need.0 != "spec.scmConnectionRef").collect();
        assert_eq!(found, wanted.iter().collect::<Vec<_>>(), "{kind} {spec}");
    }
}

#[test]
fn an_explicit_id_wins_so_nobody_is_looked_up() {
    let named = |binding: &str| needs(&object("Project").spec(&format!("bindings: {{read: [{binding}]}}"))).len();
    assert_eq!(named("{UserID: u1, userEmail: a@orchard.test}"), 0);
    assert_eq!(named("{groupID: g1, groupName: sre}"), 0);
    // Each id wins over its own kind only; an empty one is none; a key in another case is none either.
    assert_eq!(named("{UserID: u1, groupName: sre}"), 1);
    assert_eq!(named("{groupID: g1, userEmail: a@orchard.test}"), 1);
    assert_eq!(named("{UserID: \"\", userEmail: a@orchard.test}"), 1);
    assert_eq!(named("{userId: u1, userEmail: a@orchard.test}"), 1);
    assert_eq!(named("{id: x, userEmail: a@orchard.test}"), 1);
    // A binding that yields neither is dropped.
    assert_eq!(named("{}"), 0);
    assert_eq!(named("{id: x}"), 0);
    assert_eq!(named("{userEmail: \"\"}"), 0);
    // The same one twice is looked up once: results are kept.
    assert_eq!(named("{groupName: sre}, {groupName: sre}, {userEmail: sre}"), 2);
}

#[test]
fn bindings_of_a_chat_sink_are_not_sent() {
    let sink =
        |kind: &str| object("NotificationSink").spec(&format!("type: {kind}")).spec("bindings: [{groupName: sre}]");
    for (kind, told) in [("SLACK", true), ("TEAMS", true), ("PLURAL", false)] {
        assert_eq!(notes(&answer(&sink(kind))).contains("bindings are sent only for the type PLURAL"), told, "{kind}");
    }
    assert!(!notes(&answer(&object("NotificationSink").spec("type: SLACK"))).contains("only for the type PLURAL"));
    // So nobody is looked up for them, and nothing waits.
    assert_eq!(needs(&sink("TEAMS")), []);
    assert_eq!(needs(&sink("PLURAL")).len(), 1);
}

#[test]
fn what_is_referred_to_is_found_among_the_inputs_with_or_without_an_id() {
    let catalog = object("Catalog").spec("projectRef: {name: it, namespace: anywhere}");
    let found = |others: &[Resource]| {
        let mut all = vec![catalog.clone()];
        all.extend(others.iter().cloned());
        let mut answers = together(&all);
        answers.remove(0).waits.remove(0).found.map(|(place, has_id)| (place.line, has_id))
    };
    let line = 1 + catalog.text().lines().count() as u32 + 1;
    assert_eq!(found(&[object("Project")]), Some((line, false)));
    assert_eq!(found(&[object("Project").id()]), Some((line, true)));
    // A status alone is no id.
    assert_eq!(found(&[object("Project").readonly(false)]), Some((line, false)));
    // A namespace on the target plays no part either; another kind or another name is not it.
    assert_eq!(found(&[object("Project").meta("namespace: x").id()]), Some((line, true)));
    assert_eq!(found(&[object("Project").meta("name: other").id()]), None);
    assert_eq!(found(&[object("GitRepository").id()]), None);
    let mut text = file(&[catalog.clone(), object("Project").id()]);
    assert!(lines_of(&screen_of(&text), "Needs")[0].contains("; among the inputs with an id: "), "{text}");
    text = file(&[catalog.clone(), object("Project")]);
    assert!(lines_of(&screen_of(&text), "Needs")[0].contains("; among the inputs without an id: "), "{text}");
    assert!(lines_of(&screen(&catalog), "Needs")[0].contains("; not among the inputs)"));
}

#[test]
fn a_target_in_a_namespace_is_found_only_there() {
    let service = |namespace: &str| object("ServiceDeployment").meta(&format!("namespace: {namespace}")).id();
    let automation = object("PrAutomation").spec("serviceRef: {name: it, namespace: infra}");
    let found = |others: [Resource; 2]| {
        let [one, two] = others;
        let mut answers = together(&[automation.clone(), one, two]);
        let wait = answers.remove(0).waits.remove(1);
        wait.found.map(|(place, _)| place.line)
    };
    let first = 2 + automation.text().lines().count() as u32;
    let second = first + service("infra").text().lines().count() as u32 + 1;
    assert_eq!(found([service("infra"), service("other")]), Some(first));
    assert_eq!(found([service("other"), service("infra")]), Some(second));
    assert_eq!(found([service("other"), service("third")]), None);
}

#[test]
fn a_target_or_a_reference_without_a_namespace_is_taken_for_the_one() {
    let found = |reference: &str, target: Resource| {
        let repository = object("GitRepository").spec(&format!("connectionRef: {reference}"));
        together(&[repository, target]).remove(0).waits.remove(0).found.is_some()
    };
    let forge = || object("ScmConnection").meta("name: forge").spec("name: forge");
    assert!(found("{name: forge, namespace: infra}", forge()));
    assert!(found("{name: forge}", forge().meta("namespace: infra")));
    assert!(found("{name: forge}", forge()));
    assert!(!found("{name: forge, namespace: infra}", forge().meta("namespace: other")));
}

#[test]
fn secrets_users_and_what_is_looked_up_in_the_console_are_not_sought_among_the_inputs() {
    let resources = [
        object("GitRepository").spec("credentialsRef: {name: s}"),
        object("Project").spec("bindings: {read: [{groupName: sre}]}"),
        object("PrAutomation").spec("cluster: mgmt").without("scmConnectionRef"),
    ];
    for resource in resources {
        let wait = answer(&resource).waits.remove(0);
        assert_eq!((wait.found, wait.could_be_found), (None, false), "{}", wait.target);
        let line = lines_of(&screen(&resource), "Needs").remove(0);
        assert!(!line.contains("among the inputs"), "{line}");
    }
}

#[test]
fn json_tells_what_is_waited_for() {
    let json = json(&object("Catalog").spec("projectRef: {name: p}"));
    let wanted = json!([{
        "field": "spec.projectRef", "kind": "Project", "namespace": null, "name": "p",
        "place": {"file": "manifest.yaml", "line": 8, "column": 22},
        "foundAt": null, "hasId": null, "ifMissing": "wait", "ifWithoutId": "wait",
    }]);
    assert_eq!(json["waitsFor"], wanted);
    let words = |resource: &Resource| {
        let waits = super::json(resource)["waitsFor"].clone();
        let last = waits.as_array().unwrap().last().unwrap().clone();
        (last["ifMissing"].clone(), last["ifWithoutId"].clone())
    };
    assert_eq!(words(&object("ServiceContext").spec("secretRef: {name: s}")), (json!("error"), json!("nothing")));
    assert_eq!(words(&object("PrAutomation").spec("catalogRef: {name: s}")), (json!("wait"), json!("sent-without")));
}
