//! The merged configuration of a ServiceContext (console.md section 10).

use kcc_backoff::plural::kind::Found;
use serde_json::Value;

use super::manifests::*;
use super::{Finds as _, attributes, everything, fault, nothing, object, parsed, sent};

/// The configuration that is sent: a text that holds JSON.
fn configuration(text: &str, found: &Found) -> String {
    attributes(text, found).sent["configuration"].as_str().unwrap().to_owned()
}

fn refs(entries: &str) -> String {
    object("ServiceContext", &format!("{{configuration: {{engine: postgres}}, configMapRefs: [{entries}]}}"))
}

fn map(index: usize, data: &[(&str, &str)]) -> Found {
    nothing().data("spec.configMapRefs[]", Some(index), data)
}

#[test]
fn a_configuration_is_sent_as_a_text_that_holds_json() {
    assert_eq!(sent(CONTEXT_SMALL, &nothing()), r#"{"configuration":"{\"vpc\":\"vpc-1\",\"zones\":[\"a\",\"b\"]}"}"#);
}

#[test]
fn config_maps_come_after_the_spec_and_the_secret_after_them() {
    // `engine` stands in the spec and in the first ConfigMap, whose values are texts; the second has a key of its own.
    let found = everything();
    assert_eq!(
        parsed(&configuration(CONTEXT_FULL, &found)),
        serde_json::json!({
            "engine": "mysql",
            "eu": {"region": "eu-1"},
            "password": "MARKER-SECRET",
            "region": "everywhere",
            "size": {"cpu": 4},
        })
    );
    let all = attributes(CONTEXT_FULL, &found);
    assert_eq!(all.sent.keys().collect::<Vec<_>>(), ["projectId", "configuration"]);
    assert_eq!(all.sent["projectId"], "p1");
}

#[test]
fn of_several_config_maps_the_later_one_wins_and_the_secret_wins_over_all() {
    let text = object(
        "ServiceContext",
        "{configuration: {a: 0, b: 0, c: 0, d: 0}, configMapRefs: [{name: one}, {name: two}], secretRef: {name: s}}",
    );
    let found = map(0, &[("b", "1"), ("c", "1"), ("d", "1")])
        .data("spec.configMapRefs[]", Some(1), &[("c", "2"), ("d", "2")])
        .data("spec.secretRef", None, &[("d", "3")]);
    assert_eq!(configuration(&text, &found), r#"{"a":0,"b":"1","c":"2","d":"3"}"#);
}

#[test]
fn the_single_config_map_is_merged_without_a_scope() {
    let text = object("ServiceContext", "{configuration: {a: 0}, configMapRef: {name: one}}");
    let found = nothing().data("spec.configMapRef", None, &[("a", "1"), ("b", "true")]);
    assert_eq!(configuration(&text, &found), r#"{"a":"1","b":"true"}"#);
}

#[test]
fn an_empty_list_of_config_maps_beside_the_single_one_is_no_conflict() {
    let text = object("ServiceContext", "{configMapRef: {name: one}, configMapRefs: []}");
    assert_eq!(configuration(&text, &nothing()), "{}");
}

#[test]
fn a_scope_puts_a_config_map_under_one_key_an_empty_one_too() {
    assert_eq!(
        configuration(&refs("{name: one, scope: eu}"), &map(0, &[("x", "1")])),
        r#"{"engine":"postgres","eu":{"x":"1"}}"#
    );
    assert_eq!(configuration(&refs("{name: one, scope: eu}"), &map(0, &[])), r#"{"engine":"postgres","eu":{}}"#);
}

#[test]
fn without_a_configuration_an_empty_object_is_sent() {
    for spec in ["{}", "{configuration: null}", "{configuration: {}}"] {
        assert_eq!(sent(&object("ServiceContext", spec), &nothing()), r#"{"configuration":"{}"}"#, "{spec}");
    }
}

#[test]
fn whole_numbers_above_two_to_the_53rd_lose_digits_and_html_is_escaped() {
    let text = object(
        "ServiceContext",
        "{configuration: {z: 9007199254740993, \"y\": 9007199254740991, x: \"<a> & b\", w: 1.0, v: 1e21, \"<k>\": 0.0000001}}",
    );
    assert_eq!(
        configuration(&text, &nothing()),
        r#"{"\u003ck\u003e":1e-7,"v":1e+21,"w":1,"x":"\u003ca\u003e \u0026 b","y":9007199254740991,"z":9007199254740992}"#
    );
}

#[test]
fn a_configuration_that_is_no_object_cannot_be_parsed() {
    for configuration in ["[1]", "text", "5", "true"] {
        let text = object("ServiceContext", &format!("{{configuration: {configuration}}}"));
        let fault = fault(&text, &nothing());
        assert!(fault.starts_with("failed to parse configuration JSON: "), "{fault}");
    }
}

#[test]
fn both_forms_of_reference_to_config_maps_exclude_each_other() {
    let text = object("ServiceContext", "{configMapRef: {name: one}, configMapRefs: [{name: two}]}");
    assert_eq!(fault(&text, &nothing()), "spec.configMapRef and spec.configMapRefs are mutually exclusive");
}

#[test]
fn a_scope_may_not_meet_a_key_that_is_there() {
    assert_eq!(
        fault(&refs("{name: one, scope: engine}"), &map(0, &[])),
        r#"configMapRefs[0].scope "engine" conflicts with an existing configuration key"#
    );
    // A key of a ConfigMap in front, and another scope.
    let flat = map(0, &[("eu", "1")]).data("spec.configMapRefs[]", Some(1), &[]);
    let scoped = map(0, &[]).data("spec.configMapRefs[]", Some(1), &[]);
    let message = r#"configMapRefs[1].scope "eu" conflicts with an existing configuration key"#;
    assert_eq!(fault(&refs("{name: one}, {name: two, scope: eu}"), &flat), message);
    assert_eq!(fault(&refs("{name: one, scope: eu}, {name: two, scope: eu}"), &scoped), message);
}

#[test]
fn a_flat_key_may_not_meet_a_scope_in_front_of_it() {
    let found = map(0, &[]).data("spec.configMapRefs[]", Some(1), &[("eu", "1")]);
    assert_eq!(
        fault(&refs("{name: one, scope: eu}, {name: two}"), &found),
        r#"configMapRefs[1] key "eu" conflicts with a ConfigMap scope"#
    );
}

#[test]
fn a_key_of_the_secret_may_not_meet_a_scope() {
    let text = object("ServiceContext", "{configMapRefs: [{name: one, scope: eu}], secretRef: {name: s}}");
    let found = map(0, &[]).data("spec.secretRef", None, &[("eu", "MARKER")]);
    assert_eq!(fault(&text, &found), r#"secret key "eu" conflicts with ConfigMap scope"#);
}

#[test]
fn entries_of_config_maps_are_checked_one_by_one() {
    for (entry, message) in [
        ("{name: \"\"}", "configMapRefs[1].name must not be empty"),
        ("{name: \" two\"}", "configMapRefs[1].name must not contain leading or trailing whitespace"),
        ("{name: \"two\\t\"}", "configMapRefs[1].name must not contain leading or trailing whitespace"),
        ("{name: two, namespace: \" \"}", "configMapRefs[1].namespace must not be blank"),
        ("{name: two, scope: \"  \"}", "configMapRefs[1].scope must not be blank"),
    ] {
        assert_eq!(fault(&refs(&format!("{{name: one}}, {entry}")), &nothing()), message, "{entry}");
    }
    assert_eq!(configuration(&refs("{name: one, namespace: \"\"}"), &nothing()), r#"{"engine":"postgres"}"#);
}

#[test]
fn values_of_config_maps_and_secrets_are_not_shown_and_those_of_the_manifest_are() {
    let found = everything().data("spec.configMapRefs[]", Some(1), &[("region", "MARKER-MAP")]);
    let attributes = attributes(CONTEXT_FULL, &found);
    let shown = attributes.shown["configuration"].as_str().unwrap();
    assert_eq!(shown, r#"{"engine":"***","eu":{"region":"***"},"password":"***","region":"***","size":{"cpu":4}}"#);
    assert!(attributes.sent["configuration"].as_str().unwrap().contains("MARKER-SECRET"));
    assert!(!format!("{attributes:?} {found:?}").contains("MARKER"));
}

#[test]
fn the_text_that_is_sent_is_json() {
    let text = object("ServiceContext", "{configuration: {a: \"quote \\\" backslash \\\\ line\\n \\u2028\"}}");
    let sent: Value = parsed(&configuration(&text, &nothing()));
    assert_eq!(sent["a"], "quote \" backslash \\ line\n \u{2028}");
}

/// sigs.k8s.io/yaml makes JSON's keys of what YAML 1.1 takes the keys for: booleans and numbers, too.
#[test]
fn keys_are_what_kubectl_makes_of_them() {
    let text = object("ServiceContext", "{configuration: {on: 1, \"y\": 2, no: 3, 0x10: 4, 010: 5, 1.0: 6, 'off': 7}}");
    assert_eq!(configuration(&text, &nothing()), r#"{"1":6,"16":4,"8":5,"false":3,"off":7,"true":1,"y":2}"#);
}
