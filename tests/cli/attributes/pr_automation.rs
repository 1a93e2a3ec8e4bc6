//! What is sent of a PrAutomation (console.md section 9).

use serde_json::json;

use super::manifests::*;
use super::{Finds as _, attributes, everything, nothing, object, parsed, sent};

#[test]
fn of_a_small_automation_title_message_and_parameters_are_sent_with_its_connection() {
    assert_eq!(
        sent(AUTOMATION_SMALL, &nothing().id("spec.scmConnectionRef", "scm1")),
        r#"{"name":"add-queue","identifier":"orchard/fleet","title":"add queue {{ context.name }}","message":"add queue {{ context.name }}","connectionId":"scm1","configuration":[{"type":"STRING","name":"name","documentation":"queue name"}]}"#
    );
}

#[test]
fn of_a_full_automation_everything_is_sent_in_the_order_of_the_schema() {
    let mut referred = everything();
    referred.ids.retain(|path, _| !matches!(*path, "spec.clusterRef" | "spec.serviceRef"));
    assert_eq!(
        sent(AUTOMATION_FULL, &referred),
        concat!(
            r#"{"name":"bump-cluster","role":"UPGRADE","identifier":"orchard/fleet","title":"bump","message":"bump","#,
            r#""branch":"trunk","updates":{"regexReplacements":[{"regex":"version = \".*\"","#,
            r#""replacement":"version = \"{{ context.v }}\"","file":"clusters/main.tf"}],"#,
            r#""files":["clusters/main.tf"],"matchStrategy":"ANY"},"#,
            r#""creates":{"git":{"ref":"main","folder":"templates/queue"},"templates":[{"source":"svc.yaml","#,
            r#""destination":"apps/{{ context.name }}.yaml","context":"{\"kind\":\"queue\"}","external":true}]},"#,
            r#""deletes":{"files":["old.yaml"]},"labels":["automated"],"#,
            r#""connectionId":"scm1","catalogId":"c1","projectId":"p1","repositoryId":"r1","#,
            r#""configuration":[{"type":"ENUM","name":"v","values":["1.31","1.32"]},"#,
            r#"{"type":"STRING","name":"why","optional":true,"#,
            r#""condition":{"operation":"EQ","field":"v","value":"1.32"},"validation":{"regex":"^[a-z ]+$"}}],"#,
            r#""confirmation":{"text":"read the notes","checklist":[{"label":"backups done"}]},"#,
            r#""writeBindings":[{"groupId":"g2"}],"createBindings":[{"groupId":"g3"}]}"#
        )
    );
}

#[test]
fn every_block_is_sent_but_ai_and_the_urls_of_git() {
    assert_eq!(
        sent(AUTOMATION_WITH_EVERYTHING, &everything()),
        concat!(
            r#"{"name":"everything","role":"UPDATE","identifier":"orchard/fleet","documentation":"what it does","#,
            r#""title":"a title","message":"a message","branch":"trunk","patch":true,"branchPrefix":"bot/","#,
            r#""proxy":{"url":"http://proxy.orchard.test","noproxy":".orchard.test"},"#,
            r#""updates":{"regexes":["v[0-9]+"],"#,
            r#""regexReplacements":[{"regex":"old","replacement":"new","file":"main.tf","templated":false}],"#,
            r#""yamlOverlays":[{"file":"values.yaml","yaml":"a: 1","listMerge":"APPEND","templated":true}],"#,
            r#""files":["main.tf"],"replaceTemplate":"{{ context.v }}","yq":".a = 1","matchStrategy":"RECURSIVE"},"#,
            r#""creates":{"git":{"ref":"v1","folder":"other","files":["b.yaml"]},"#,
            r#""templates":[{"source":"","destination":"out.yaml","#,
            r#""context":"{\"a\":\"x \\u003c y\",\"b\":1}","condition":"context.on","external":false}]},"#,
            r#""deletes":{"files":["old.yaml"],"folders":["attic"]},"#,
            r#""vendor":{"helm":{"url":"https://charts.orchard.test","chart":"queue","version":"1.2.3","destination":"charts"}},"#,
            r#""lua":{"external":false,"script":"return 1","folder":"scripts"},"#,
            r#""git":{"ref":"main","folder":"templates","files":["a.yaml"]},"labels":["automated","bump"],"#,
            r#""icon":"https://img.orchard.test/light.png","darkIcon":"https://img.orchard.test/dark.png","addon":"queue","#,
            r#""clusterId":"k1","serviceId":"s1","connectionId":"scm1","catalogId":"c1","projectId":"p1","repositoryId":"r1","#,
            r#""configuration":[{"type":"ENUM","name":"letter","default":"a","documentation":"which letter","#,
            r#""longform":"a long text","displayName":"Letter","placeholder":"pick one","page":2,"optional":false,"#,
            r#""condition":{"operation":"PREFIX","field":"other","value":"x"},"#,
            r#""validation":{"regex":"^[ab]$","json":false,"uniqBy":{"scope":"PROJECT"}},"values":["a","b"]}],"#,
            r#""secrets":{"cluster":"fleet","namespace":"infra","name":"queue","#,
            r#""entries":[{"name":"token","documentation":"what for","autogenerate":true}]},"#,
            r#""confirmation":{"text":"read the notes","checklist":[{"label":"backups done"}]},"#,
            r#""writeBindings":[{"groupId":"g2"}],"createBindings":[{"groupId":"g3"}]}"#
        )
    );
    let unsent = attributes(AUTOMATION_WITH_EVERYTHING, &everything()).unsent;
    assert_eq!(unsent.iter().map(|(field, _)| field.as_str()).collect::<Vec<_>>(), ["spec.ai"]);
}

#[test]
fn references_that_have_no_id_yet_are_left_out() {
    let sent = parsed(&sent(AUTOMATION_WITH_EVERYTHING, &nothing().id("spec.scmConnectionRef", "scm1")));
    let ids: Vec<&str> =
        sent.as_object().unwrap().keys().map(String::as_str).filter(|key| key.ends_with("Id")).collect();
    assert_eq!(ids, ["connectionId"]);
    assert!(sent.get("writeBindings").is_none() && sent.get("createBindings").is_none());
}

#[test]
fn a_handle_goes_before_the_reference_to_a_cluster_and_a_url_before_that_to_a_repository() {
    let found = everything().id("spec.cluster", "k9").id("spec.git.url", "r9");
    let sent = parsed(&sent(AUTOMATION_WITH_EVERYTHING, &found));
    assert_eq!((&sent["clusterId"], &sent["repositoryId"]), (&json!("k9"), &json!("r9")));
}

#[test]
fn what_a_handle_and_a_url_override_is_not_looked_up() {
    let text = AUTOMATION_WITH_EVERYTHING.replace("  addon: queue\n", "  addon: queue\n  cluster: fleet-handle\n");
    let used = |text: &str| -> Vec<&'static str> {
        super::subject(text).facts.used_references().map(|reference| reference.field.path).collect()
    };
    assert!(used(&text).contains(&"spec.cluster") && !used(&text).contains(&"spec.clusterRef"));
    // The URL of `creates.git` names nothing; that of `git` is what overrides the reference.
    assert!(used(&text).contains(&"spec.git.url") && !used(&text).contains(&"spec.repositoryRef"));
    let without = AUTOMATION_WITH_EVERYTHING.replace("url: https://git.orchard.test/t.git, ", "");
    assert!(used(&without).contains(&"spec.clusterRef") && used(&without).contains(&"spec.repositoryRef"));
}

#[test]
fn a_context_is_sent_as_json_with_sorted_keys_whatever_it_is() {
    for (context, expected) in [
        ("{b: 1, a: {d: null, c: [1.5, true]}}", r#"{"a":{"c":[1.5,true],"d":null},"b":1}"#),
        ("[1, two]", r#"[1,"two"]"#),
        ("text", r#""text""#),
        ("9007199254740993", "9007199254740993"),
        ("{}", "{}"),
    ] {
        let text = object(
            "PrAutomation",
            &format!(
                "{{scmConnectionRef: {{name: f}}, creates: {{templates: [{{destination: d, external: true, context: {context}}}]}}}}"
            ),
        );
        let sent = parsed(&sent(&text, &nothing()));
        assert_eq!(sent["creates"]["templates"][0]["context"], expected, "{context}");
        assert_eq!(sent["creates"]["templates"][0]["source"], "", "{context}");
    }
}

#[test]
fn empty_lists_within_blocks_are_left_out_and_empty_blocks_are_not() {
    let text = object(
        "PrAutomation",
        "{scmConnectionRef: {name: f}, labels: [], configuration: [], updates: {files: [], regexReplacements: []}, deletes: {folders: []}}",
    );
    assert_eq!(sent(&text, &nothing()), r#"{"name":"it","updates":{},"deletes":{}}"#);
}

#[test]
fn a_login_is_not_shown_wherever_it_stands() {
    let text = object(
        "PrAutomation",
        "{scmConnectionRef: {name: f}, proxy: {url: \"http://me:MARKER@proxy.test\"}, \
         vendor: {helm: {url: \"https://me:MARKER@charts.test\", chart: c, version: v, destination: d}}, \
         creates: {templates: [{destination: d, external: true, context: {a: \"https://h.test/?x=1&token=MARKER\"}}]}}",
    );
    let attributes = attributes(&text, &nothing());
    let shown = serde_json::to_string(&attributes.shown).unwrap();
    assert!(!shown.contains("MARKER") && !format!("{attributes:?}").contains("MARKER"), "{shown}");
    assert_eq!(serde_json::to_string(&attributes.sent).unwrap().matches("MARKER").count(), 3);
}

#[test]
fn the_default_of_a_password_is_sent_and_not_shown() {
    let text = object(
        "PrAutomation",
        "{scmConnectionRef: {name: f}, configuration: [{name: p, type: PASSWORD, default: MARKER}, {name: s, type: STRING, default: plain}]}",
    );
    let attributes = attributes(&text, &nothing());
    assert_eq!(attributes.sent["configuration"][0]["default"], "MARKER");
    assert_eq!(attributes.shown["configuration"][0]["default"], "***");
    assert_eq!(attributes.shown["configuration"][1]["default"], "plain");
}
