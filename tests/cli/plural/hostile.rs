//! Manifests as strangers write them: no panic, nothing obeyed by a terminal, no secret shown.

use kcc_backoff::kcc::Release;
use proptest::prelude::*;

use super::*;
use crate::robustness::explain;
use crate::support;

/// Everything that explain prints of a text, in every format and on both streams.
fn everything(text: &str) -> String {
    let mut all = String::new();
    for format in ["text", "json", "yaml", "name"] {
        let args: &[&str] = if format == "text" { &[] } else { &["-o", format] };
        let output = support::run(text, args);
        all += &support::stdout(&output);
        all += &support::stderr(&output);
    }
    all
}

/// Values of every type, in places where another is wanted.
const ODD: [&str; 12] = [
    "null",
    "[]",
    "{}",
    "text",
    "5",
    "1.5",
    "true",
    "\"\"",
    "[null]",
    "[[]]",
    "{name: []}",
    "[{name: {}}, 5, null, {}]",
];

#[test]
fn no_value_of_any_type_in_any_field_makes_explain_panic() {
    let fields = [
        "name",
        "url",
        "email",
        "author",
        "type",
        "handle",
        "reconciliation",
        "bindings",
        "assumeBindings",
        "projectRef",
        "connectionRef",
        "credentialsRef",
        "scmConnectionRef",
        "clusterRef",
        "serviceRef",
        "repositoryRef",
        "catalogRef",
        "cluster",
        "git",
        "configMapRef",
        "configMapRefs",
        "secretRef",
        "tokenSecretRef",
        "scopes",
        "detach",
        "configuration",
    ];
    for (kind, _) in SEVEN {
        for odd in ODD {
            let of_spec = |line: String| object(kind).spec(&line).text();
            let mut texts: Vec<String> = fields.iter().map(|field| of_spec(format!("{field}: {odd}"))).collect();
            texts.extend(["read", "write", "create"].map(|field| of_spec(format!("bindings: {{{field}: {odd}}}"))));
            let block = ["driftDetection", "interval"];
            texts.extend(block.map(|field| of_spec(format!("reconciliation: {{{field}: {odd}}}"))));
            let binding = ["userEmail", "groupName", "UserID", "groupID"];
            texts.extend(binding.map(|field| of_spec(format!("bindings: [{{{field}: {odd}}}]"))));
            let status = ["id", "sha", "conditions", "health", "readonly"];
            texts.extend(status.map(|field| object(kind).status(&format!("{field}: {odd}")).text()));
            let head = format!("apiVersion: deployments.plural.sh/v1alpha1\nkind: {kind}\n");
            texts.extend(["metadata", "spec", "status"].map(|whole| format!("{head}{whole}: {odd}\n")));
            assert_eq!(texts.len(), fields.len() + 3 + 2 + 4 + 5 + 3);
            explain(texts.join("---\n").as_bytes(), Release::Main);
        }
    }
}

#[test]
fn references_that_are_not_mappings_refer_to_nothing() {
    for odd in ["forge", "5", "[]", "[{name: forge}]", "{}", "{name: 5}", "{name: \"\"}", "{name: null}"] {
        for field in ["connectionRef", "credentialsRef"] {
            let answer = answer(&object("GitRepository").spec(&format!("{field}: {odd}")));
            assert!(answer.waits.is_empty(), "{field}: {odd}");
        }
        let bindings = answer(&object("Project").spec(&format!("bindings: {odd}")));
        assert!(bindings.waits.is_empty(), "{odd}");
    }
}

#[test]
fn a_spec_or_a_status_of_another_type_is_as_good_as_none() {
    let head = "apiVersion: deployments.plural.sh/v1alpha1\nkind: Project\nmetadata: {name: it}\n";
    for spec in ["spec: []", "spec: text", "spec: 5", "spec: null", "spec: {}", ""] {
        let answer = answers(&format!("{head}{spec}\n")).remove(0);
        assert_eq!((answer.identity.value, answer.drift_detection), (None, true), "{spec}");
        assert_eq!(answer.mode.if_present.action.as_str(), "adopt", "{spec}");
    }
    for id in ["5", "true", "[]", "{a: b}", "null", "\"\""] {
        let answer = answer(&object("Project").status(&format!("id: {id}")));
        assert!(answer.live.unwrap().status.id.is_none(), "{id}");
        assert!(answer.mode.now.is_none(), "{id}");
    }
    for conditions in ["text", "[text, 5, null]", "{type: Readonly}", "[{type: Readonly}]", "[{type: [], status: {}}]"]
    {
        let answer = answer(&object("Project").id().status(&format!("conditions: {conditions}")));
        assert_eq!(answer.live.unwrap().status.readonly, None, "{conditions}");
    }
}

#[test]
fn an_object_with_a_generated_name_is_told_without_one() {
    let text = object("NotificationSink").without("name").text().replace("name: it", "generateName: it-");
    let answer = answers(&text).remove(0);
    assert_eq!(answer.facts.reference.name, None);
    assert_eq!(answer.identity.reason.as_deref(), Some("neither spec.name nor metadata.name is set"));
    assert_eq!(answer.mode.if_absent.action.as_str(), "create");
    let context =
        object("ServiceContext").text().replace("  name: it\n  namespace", "  generateName: it-\n  namespace");
    // With which name the API server will look it up is not known.
    assert_eq!(does(&answers(&context).remove(0).deletion.if_present), ("delete", Some("deleteServiceContext")));
    assert!(everything(&text).contains("no name"));
}

const MARK: &str = "hunter2";

#[test]
fn the_login_of_a_repository_url_is_shown_nowhere() {
    let urls = [
        "https://bob:hunter2@git.orchard.test/it.git",
        "https://hunter2@git.orchard.test/it.git",
        "HTTP://bob:hunter2@git.orchard.test/it.git",
        "ssh://git:hunter2@git.orchard.test/it.git",
        "https://bob:hunter2/x@git.orchard.test/it.git",
        "https://bob:a@hunter2@git.orchard.test/it.git",
        "git:hunter2@git.orchard.test:it.git",
    ];
    for url in urls {
        let repository = object("GitRepository").spec(&format!("url: {url}"));
        let twin = repository.clone().meta("name: twin");
        let chart = object("HelmRepository").spec(&format!("url: {url}"));
        let automation = object("PrAutomation").spec(&format!("git: {{url: \"{url}\", folder: a, ref: b}}"));
        let odd = object("GitRepository").spec(&format!("url: [\"{url}\"]"));
        let all = everything(&file(&[repository.clone(), twin, chart, automation, odd]));
        assert!(!all.contains(MARK), "{url}\n{all}");
        assert!(all.contains("***@git.orchard.test"), "{url}");
        let json = json(&repository);
        assert_eq!(json["identity"]["masked"], true, "{url}");
    }
    assert_eq!(json(&object("GitRepository"))["identity"]["masked"], false);
    // Two that differ in the login only are two remotes to the Console.
    let pair = |login: &str| object("GitRepository").spec(&format!("url: https://{login}@git.orchard.test/it.git"));
    assert!(together(&[pair("a:x"), pair("b:y")]).iter().all(|answer| answer.problems.is_empty()));
}

#[test]
fn the_url_of_a_chat_is_shown_nowhere() {
    for (kind, block) in [("SLACK", "slack"), ("TEAMS", "teams")] {
        for url in [format!("https://hooks.orchard.test/{MARK}"), format!("[{MARK}]"), format!("\"{MARK}\\u001b\"")] {
            let sink = object("NotificationSink")
                .spec(&format!("type: {kind}"))
                .spec(&format!("configuration: {{{block}: {{url: {url}}}}}"));
            let all =
                everything(&file(&[sink.clone(), sink.clone().meta("namespace: other"), sink.id().readonly(true)]));
            assert!(!all.contains(MARK) && !all.contains("hooks.orchard.test"), "{all}");
        }
    }
}

#[test]
fn values_of_contexts_are_shown_nowhere() {
    let context =
        object("ServiceContext").spec(&format!("configuration: {{password: {MARK}, nested: {{token: {MARK}}}}}"));
    assert!(!everything(&file(&[context.clone(), context.meta("namespace: b")])).contains(MARK));
}

#[test]
fn control_characters_never_reach_the_output() {
    let evil = "\"\\u001b[31mred\\u0007\\u202e\\u009b\\n\\r\"";
    let mut resources = vec![
        object("Project")
            .spec(&format!("name: {evil}"))
            .spec(&format!("bindings: {{read: [{{groupName: {evil}, userEmail: {evil}}}]}}")),
        object("Project").spec(&format!("name: {evil}")),
        object("GitRepository")
            .spec(&format!("url: {evil}"))
            .spec(&format!("connectionRef: {{name: {evil}, namespace: {evil}}}")),
        object("NotificationSink").spec(&format!("type: {evil}")),
        object("ServiceAccount").spec(&format!("tokenSecretRef: {{name: {evil}}}")),
        object("ServiceContext").spec(&format!("name: {evil}")),
        object("Catalog")
            .meta(&format!("namespace: {evil}"))
            .status(&format!("id: {evil}"))
            .status(&format!("health: {evil}")),
        object("Persona").status(&format!("id: {evil}")),
        object("Project").spec(&format!("reconciliation: {{interval: {evil}}}")).finalizer(evil),
    ];
    let condition = format!(
        "conditions: [{{type: Ready, status: {evil}, reason: {evil}, message: {evil}}}, {{type: Synchronized, status: \"False\", reason: {evil}, message: {evil}}}]"
    );
    resources.push(object("Project").id().status(&condition));
    for resource in &resources {
        explain(resource.text().as_bytes(), Release::Main);
    }
    explain(file(&resources).as_bytes(), Release::Main);
    let all = everything(&file(&resources));
    let escapes: Vec<char> =
        all.chars().filter(|character| *character != '\n' && kcc_backoff::output::is_dangerous(*character)).collect();
    assert!(escapes.is_empty(), "{escapes:?}");
    assert!(all.contains("red"), "shown, but escaped");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_in_any_field_of_the_console_makes_explain_panic(
        kind in prop::sample::select(vec!["Project", "Catalog", "GitRepository", "NotificationSink", "ServiceAccount", "PrAutomation", "ServiceContext", "Flow", "Persona", "Policy"]),
        values in prop::collection::vec(any::<String>().prop_map(|text| serde_json::to_string(&text).unwrap()), 16),
        deleting: bool,
    ) {
        let v = &values;
        let mut resource = object(kind)
            .meta(&format!("name: {}", v[0]))
            .meta(&format!("namespace: {}", v[1]))
            .finalizer(&v[2])
            .spec(&format!("name: {}", v[3]))
            .spec(&format!("url: {}", v[4]))
            .spec(&format!("email: {}", v[5]))
            .spec(&format!("reconciliation: {{interval: {}}}", v[6]))
            .spec(&format!("projectRef: {{name: {}, namespace: {}}}", v[7], v[8]))
            .spec(&format!("bindings: {{read: [{{userEmail: {}, groupName: {}}}]}}", v[9], v[10]))
            .spec(&format!("type: {}", v[11]))
            .status(&format!("id: {}", v[12]))
            .status(&format!("conditions: [{{type: Readonly, status: {}}}, {{type: Synchronized, status: \"False\", reason: {}, message: {}}}]", v[13], v[14], v[15]));
        if deleting {
            resource = resource.deleting();
        }
        explain(resource.text().as_bytes(), Release::Main);
    }

    #[test]
    fn a_login_is_masked_whatever_it_looks_like(user in "[a-z]{1,8}", secret in "[A-Z]{6}[a-zA-Z0-9%._~!$&'()*+,;=-]{0,12}") {
        for url in [format!("https://{user}:{secret}@git.orchard.test/a/b.git"), format!("ssh://{user}:{secret}@git.orchard.test:22/b.git"), format!("https://{secret}@git.orchard.test")] {
            let quoted = serde_json::to_string(&url).unwrap();
            let answer = answer(&object("GitRepository").spec(&format!("url: {quoted}")));
            let shown = answer.identity.value.unwrap();
            prop_assert!(!shown.contains(&secret), "{} {}", url, shown);
            prop_assert!(shown.contains("***@git.orchard.test"), "{} {}", url, shown);
        }
    }
}
