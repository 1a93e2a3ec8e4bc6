//! Hashes by the path that a pass takes: manifest, spec or attributes, hash (console.md section 2.4).

use kcc_backoff::go;
use kcc_backoff::plural::hash;

use super::manifests::*;
use super::{attributes, everything, nothing, object, subject};

fn spec(text: &str) -> String {
    go::json(&subject(text).spec.into())
}

fn spec_hash(text: &str) -> String {
    hash(&subject(text).spec.into())
}

fn attribute_hash(text: &str) -> String {
    hash(&attributes(text, &nothing()).sent.into())
}

#[test]
fn the_hash_of_upstreams_own_test_of_a_project_comes_out() {
    assert_eq!(
        spec_hash(&object("Project", "{name: test}")),
        "PWP5EBI7YMVTF7VLCCKG7K3LXEKCNK36HGVFIOJIT3MJFBSKVEOQ===="
    );
}

#[test]
fn defaults_of_the_crd_are_hashed_where_the_block_is_there() {
    for block in [
        "{}",
        "{interval: 30m}",
        "{driftDetection: true}",
        "{interval: 30m, driftDetection: true}",
        "{interval: null, driftDetection: null}",
    ] {
        assert_eq!(
            spec_hash(&object("Project", &format!("{{reconciliation: {block}, name: alpha}}"))),
            "B5H6N3H2GVYTAQMTUEJXVD4WMYGSWSXVXHJMRFS4C5GWOZWFMIQQ====",
            "{block}"
        );
    }
    for absent in ["{name: alpha}", "{name: alpha, reconciliation: null}"] {
        assert_eq!(spec(&object("Project", absent)), r#"{"name":"alpha"}"#, "{absent}");
    }
}

#[test]
fn html_is_escaped_before_it_is_hashed() {
    assert_eq!(
        spec_hash(&object("Project", "{description: a < b & c, name: alpha}")),
        "4DOF3P6V2XRXR5RSJ4PVOYFIXYI4MGQT4F6DK5ZIMMABBVAQEKZQ===="
    );
}

#[test]
fn of_a_repository_the_attributes_are_hashed_so_that_its_reconciliation_does_not_count() {
    for (url, expected) in [
        ("https://git.example.test/team/app.git", "7EMUVQDR3RGU2SMDDDPJKC3733FK27UPKEVRZGOZ4LLSXFNZTWXQ===="),
        ("https://test", "NIDONAJF4QLR3LFF2JF6EAWMZ3CE53R4OZNEWGAXYZSNPO5UHVSA===="),
    ] {
        assert_eq!(attribute_hash(&object("GitRepository", &format!("{{url: \"{url}\"}}"))), expected);
        let reconciled = format!("{{url: \"{url}\", reconciliation: {{interval: 5m}}}}");
        assert_eq!(attribute_hash(&object("GitRepository", &reconciled)), expected);
    }
}

#[test]
fn a_sink_without_a_configuration_is_hashed_with_an_empty_one() {
    let text = r#"{"name":"legacy","type":"TEAMS","configuration":{},"reconciliation":{"driftDetection":false,"interval":"30m"}}"#;
    assert_eq!(spec(SINK_LEGACY), text);
    // Worked out over that text.
    assert_eq!(spec_hash(SINK_LEGACY), "G2N45VTPEOXY6TWOVT4DWUVBUID6VU6HV5CU3ZF3DQU72STMCV4Q====");
    assert_eq!(
        spec(&object("NotificationSink", "{type: SLACK, configuration: null}")),
        r#"{"type":"SLACK","configuration":{}}"#
    );
}

#[test]
fn a_context_without_a_configuration_is_hashed_with_null() {
    for empty in ["{}", "{configuration: null}", "{configMapRefs: []}"] {
        let text = object("ServiceContext", empty);
        assert_eq!(spec(&text), r#"{"configuration":null}"#, "{empty}");
        assert_eq!(spec_hash(&text), "6CZFCPDXDTL35JJR66BDUOTODEPIWNCLOAXJSTNFST5X6X6EBXOQ====", "{empty}");
    }
}

#[test]
fn fields_are_hashed_in_the_order_of_the_structs_whatever_the_manifest_says() {
    let project = object(
        "Project",
        "{reconciliation: {interval: 1m, driftDetection: false}, bindings: {write: [{groupName: g, groupID: i, userEmail: e, UserID: u, id: b}], read: [{groupName: r}]}, description: d, name: m}",
    );
    assert_eq!(
        spec(&project),
        r#"{"name":"m","description":"d","bindings":{"read":[{"groupName":"r"}],"write":[{"id":"b","UserID":"u","userEmail":"e","groupID":"i","groupName":"g"}]},"reconciliation":{"driftDetection":false,"interval":"1m"}}"#
    );
    let catalog = object(
        "Catalog",
        "{reconciliation: {}, bindings: {write: [{id: w}], read: [{id: r}], create: [{id: c}]}, tags: {b: \"1\", a: \"2\"}, \
         projectRef: {fieldPath: f, resourceVersion: v, apiVersion: a, uid: u, name: m, namespace: s, kind: k}, category: c, \
         description: d, darkIcon: k, icon: i, author: a, name: m}",
    );
    assert_eq!(
        spec(&catalog),
        r#"{"name":"m","author":"a","icon":"i","darkIcon":"k","description":"d","category":"c","projectRef":{"kind":"k","namespace":"s","name":"m","uid":"u","apiVersion":"a","resourceVersion":"v","fieldPath":"f"},"tags":{"a":"2","b":"1"},"bindings":{"create":[{"id":"c"}],"read":[{"id":"r"}],"write":[{"id":"w"}]},"reconciliation":{"driftDetection":true,"interval":"30m"}}"#
    );
    let sink = object(
        "NotificationSink",
        "{reconciliation: {}, bindings: [{groupName: g}], configuration: {plural: {urgent: true, priority: LOW}, teams: {url: t}, slack: {url: s}}, type: PLURAL, name: m}",
    );
    assert_eq!(
        spec(&sink),
        r#"{"name":"m","type":"PLURAL","configuration":{"slack":{"url":"s"},"teams":{"url":"t"},"plural":{"priority":"LOW","urgent":true}},"bindings":[{"groupName":"g"}],"reconciliation":{"driftDetection":true,"interval":"30m"}}"#
    );
    let account = object(
        "ServiceAccount",
        "{reconciliation: {}, assumeBindings: [{groupName: g}], tokenSecretRef: {namespace: s, name: m}, tokenExpiry: 1d, scopes: [{ids: [x], identifier: w, apis: [z], api: a}], email: e}",
    );
    assert_eq!(
        spec(&account),
        r#"{"email":"e","scopes":[{"api":"a","apis":["z"],"identifier":"w","ids":["x"]}],"tokenExpiry":"1d","tokenSecretRef":{"name":"m","namespace":"s"},"assumeBindings":[{"groupName":"g"}],"reconciliation":{"driftDetection":true,"interval":"30m"}}"#
    );
    let context = object(
        "ServiceContext",
        "{reconciliation: {}, projectRef: {name: p}, secretRef: {namespace: s, name: m}, configMapRefs: [{scope: c, namespace: s, name: m}], configMapRef: {namespace: t, name: k}, configuration: {b: {d: 1, c: 2}, a: [<]}, name: m}",
    );
    assert_eq!(
        spec(&context),
        r#"{"name":"m","configuration":{"a":["\u003c"],"b":{"c":2,"d":1}},"configMapRef":{"name":"k","namespace":"t"},"configMapRefs":[{"name":"m","namespace":"s","scope":"c"}],"secretRef":{"name":"m","namespace":"s"},"projectRef":{"name":"p"},"reconciliation":{"driftDetection":true,"interval":"30m"}}"#
    );
}

#[test]
fn a_full_project_has_the_hash_of_its_spec_written_by_hand() {
    // Worked out over the spec of section 14 with keys in the order of the table.
    assert_eq!(spec_hash(PROJECT_FULL), "DYQ7XVHUEKWVIR6URQGUULTPEEPLVAWLWFIZMLF6CYTEVMSDR7VA====");
}

#[test]
fn what_the_api_server_drops_and_what_is_null_or_empty_is_not_hashed() {
    let text = object("Catalog", "{author: a, nmae: x, icon: null, tags: {}, bindings: {read: [], write: null}}");
    assert_eq!(spec(&text), r#"{"author":"a","bindings":{}}"#);
}

#[test]
fn another_secret_or_reference_changes_the_hash_of_attributes_and_not_that_of_a_spec() {
    let repository = subject(REPOSITORY_FULL);
    let hash_with = |found| hash(&super::attributes_of(&repository, &found).unwrap().sent.into());
    assert_ne!(hash_with(nothing()), hash_with(everything()));
}
