//! Project, Catalog, GitRepository, NotificationSink and ServiceAccount (console.md sections 4 to 8), and bindings (2.5).

use kcc_backoff::plural::kind::{Token, token};
use serde_json::json;

use super::manifests::*;
use super::{Finds as _, attributes, everything, fault, nothing, object, sent, subject};

#[test]
fn of_a_small_project_only_its_name_is_sent() {
    assert_eq!(sent(PROJECT_SMALL, &nothing()), r#"{"name":"orchard"}"#);
}

#[test]
fn of_a_full_project_description_and_bindings_are_sent_by_id() {
    assert_eq!(
        sent(PROJECT_FULL, &everything()),
        r#"{"name":"orchard-prod","description":"production fleet","readBindings":[{"groupId":"g1"}],"writeBindings":[{"userId":"u1"},{"groupId":"g2"}]}"#
    );
}

#[test]
fn bindings_that_yield_neither_a_user_nor_a_group_are_dropped_and_so_is_a_list_of_nothing_else() {
    assert_eq!(
        sent(PROJECT_FULL, &nothing().group("platform", "g2")),
        r#"{"name":"orchard-prod","description":"production fleet","writeBindings":[{"groupId":"g2"}]}"#
    );
    let text = object("Project", "{name: a, bindings: {read: [{}, {id: b1}], write: []}}");
    assert_eq!(sent(&text, &everything()), r#"{"name":"a"}"#);
}

#[test]
fn an_explicit_id_in_a_binding_wins_over_an_e_mail_and_a_name() {
    let text = object(
        "Project",
        "{name: a, bindings: {read: [{UserID: u9, userEmail: robot@orchard.test, groupID: g9, groupName: platform}]}}",
    );
    assert_eq!(sent(&text, &everything()), r#"{"name":"a","readBindings":[{"userId":"u9","groupId":"g9"}]}"#);
}

#[test]
fn one_binding_of_a_user_and_a_group_stays_one() {
    let text = object("Project", "{name: a, bindings: {read: [{userEmail: robot@orchard.test, groupName: platform}]}}");
    assert_eq!(sent(&text, &everything()), r#"{"name":"a","readBindings":[{"userId":"u1","groupId":"g2"}]}"#);
}

#[test]
fn nobody_in_a_list_that_the_kind_does_not_have_is_looked_up() {
    let text = object("Project", "{name: a, bindings: {create: [{groupName: nobody}], read: [{groupName: platform}]}}");
    let names: Vec<String> = subject(&text).facts.identities.iter().map(|who| who.name.clone()).collect();
    assert_eq!(names, ["platform"]);
}

#[test]
fn a_catalog_without_a_name_is_called_as_the_object_is() {
    assert_eq!(sent(CATALOG_SMALL, &nothing()), r#"{"name":"messaging","author":"Orchard"}"#);
    let empty = object("Catalog", "{name: \"\", author: Orchard}");
    assert_eq!(sent(&empty, &nothing()), r#"{"name":"it","author":"Orchard"}"#);
}

#[test]
fn of_a_full_catalog_tags_are_sent_in_the_order_of_their_names_and_empty_bindings_are_not() {
    assert_eq!(
        sent(CATALOG_FULL, &everything()),
        r#"{"name":"messaging","author":"Orchard","description":"queues and brokers","category":"data","projectId":"p1","icon":"https://img.orchard.test/q.png","tags":[{"name":"team","value":"core"},{"name":"tier","value":"gold"}],"writeBindings":[{"userId":"u2"}],"createBindings":[{"groupId":"g3"}]}"#
    );
}

#[test]
fn a_reference_without_an_id_and_empty_tags_leave_nothing_behind() {
    let text = object("Catalog", "{author: Orchard, tags: {}, projectRef: {name: orchard-prod}}");
    assert_eq!(sent(&text, &nothing()), r#"{"name":"it","author":"Orchard"}"#);
}

#[test]
fn of_a_small_repository_only_its_url_is_sent() {
    assert_eq!(sent(REPOSITORY_SMALL, &nothing()), r#"{"url":"https://git.orchard.test/infra/fleet.git"}"#);
}

#[test]
fn of_a_repository_the_credentials_go_before_the_connection() {
    let all = [("password", "w"), ("username", "u"), ("passphrase", "h"), ("privateKey", "k"), ("token", "t")];
    let found = nothing().id("spec.connectionRef", "scm1").data("spec.credentialsRef", None, &all);
    assert_eq!(
        sent(REPOSITORY_FULL, &found),
        r#"{"url":"ssh://git@git.orchard.test/infra/private.git","privateKey":"k","passphrase":"h","username":"u","password":"w","connectionId":"scm1"}"#
    );
}

#[test]
fn empty_and_missing_keys_of_credentials_are_left_out() {
    let found =
        nothing().data("spec.credentialsRef", None, &[("privateKey", ""), ("passphrase", ""), ("username", "u")]);
    assert_eq!(
        sent(REPOSITORY_FULL, &found),
        r#"{"url":"ssh://git@git.orchard.test/infra/private.git","username":"u"}"#
    );
}

#[test]
fn of_credentials_nothing_is_shown() {
    let all = [("password", "MARKER1"), ("username", "MARKER2"), ("passphrase", "MARKER3"), ("privateKey", "MARKER4")];
    let found = nothing().data("spec.credentialsRef", None, &all);
    let attributes = attributes(REPOSITORY_FULL, &found);
    let shown = format!("{attributes:?} {found:?} {}", serde_json::to_string(&attributes.shown).unwrap());
    assert!(!shown.contains("MARKER"), "{shown}");
    assert_eq!(attributes.shown["privateKey"], "***");
}

#[test]
fn a_login_in_a_url_is_sent_and_not_shown() {
    let text = object("GitRepository", "{url: \"https://me:MARKER@git.orchard.test/a.git\"}");
    let attributes = attributes(&text, &nothing());
    assert_eq!(attributes.sent["url"], "https://me:MARKER@git.orchard.test/a.git");
    assert_eq!(attributes.shown["url"], "https://***@git.orchard.test/a.git");
}

#[test]
fn of_an_in_app_sink_priority_and_bindings_are_sent() {
    assert_eq!(
        sent(SINK_IN_APP, &everything()),
        r#"{"name":"oncall","type":"PLURAL","configuration":{"plural":{"priority":"HIGH","urgent":true}},"notificationBindings":[{"groupId":"g4"}]}"#
    );
}

#[test]
fn a_chat_sink_without_a_name_is_called_as_the_object_is_and_its_url_is_not_shown() {
    assert_eq!(
        sent(SINK_CHAT, &nothing()),
        r#"{"name":"chat","type":"SLACK","configuration":{"slack":{"url":"https://hooks.orchard.test/T1/B1"}}}"#
    );
    let shown = attributes(SINK_CHAT, &nothing()).shown;
    assert_eq!(shown["configuration"], json!({"slack": {"url": "***"}}));
}

#[test]
fn the_configuration_of_a_sink_is_always_sent() {
    assert_eq!(sent(SINK_LEGACY, &nothing()), r#"{"name":"legacy","type":"TEAMS","configuration":{}}"#);
}

#[test]
fn bindings_of_a_sink_that_writes_into_a_chat_are_not_sent_and_that_is_told() {
    for (of, configuration) in [("SLACK", "slack"), ("TEAMS", "teams")] {
        let text = object(
            "NotificationSink",
            &format!(
                "{{type: {of}, configuration: {{{configuration}: {{url: https://x.test}}}}, bindings: [{{groupName: sre}}]}}"
            ),
        );
        let attributes = attributes(&text, &everything());
        assert!(!attributes.sent.contains_key("notificationBindings"), "{of}");
        let fields: Vec<&str> = attributes.unsent.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(fields, ["spec.bindings"], "{of}");
    }
}

#[test]
fn a_plural_sink_without_a_priority_cannot_be_sent() {
    for plural in ["{}", "{urgent: true}", "{priority: null}"] {
        let text = object("NotificationSink", &format!("{{type: PLURAL, configuration: {{plural: {plural}}}}}"));
        assert!(fault(&text, &nothing()).contains("spec.configuration.plural has no priority"), "{plural}");
    }
}

#[test]
fn a_service_account_is_called_as_the_object_is() {
    assert_eq!(sent(ACCOUNT_SMALL, &nothing()), r#"{"name":"robot","email":"robot@orchard.test"}"#);
}

#[test]
fn scopes_and_token_are_no_attributes_of_a_service_account() {
    assert_eq!(
        sent(ACCOUNT_FULL, &everything()),
        r#"{"name":"deployer","email":"deployer@orchard.test","assumeBindings":[{"groupId":"g2"}]}"#
    );
}

fn token_of(text: &str) -> Token {
    let subject = subject(text);
    token(&subject.facts, &subject.spec)
}

/// Worked out over the scopes as Go's encoder writes them:
/// `[{"apis":["updateServiceDeployment"],"ids":["*"]},{"api":"createCluster"}]`.
const SCOPE_HASH: &str = "C6PUACLHI6LRGLVPVCXPIWWMNEYCGECMZ6IDEVMGUBDT5JJ5RACA====";

fn with_scope_hash(text: &str, hash: &str) -> String {
    let annotation = format!("annotations: {{deployments.plural.sh/last-scope-hash: \"{hash}\"}}}}");
    text.replacen("metadata: {name: deployer}", &format!("metadata: {{name: deployer, {annotation}"), 1)
}

#[test]
fn a_token_is_made_when_the_hash_of_the_scopes_is_not_that_of_the_annotation() {
    let made = Token::Made {
        scopes: json!([{"apis": ["updateServiceDeployment"], "ids": ["*"]}, {"api": "createCluster"}]),
        expiry: Some("1w".into()),
        hash: SCOPE_HASH.to_owned(),
    };
    assert_eq!(token_of(ACCOUNT_FULL), made);
    assert_eq!(token_of(&with_scope_hash(ACCOUNT_FULL, "OTHER====")), made);
    assert!(matches!(token_of(&with_scope_hash(ACCOUNT_FULL, SCOPE_HASH)), Token::Unchanged(_)));
}

#[test]
fn without_scopes_or_without_a_secret_to_put_it_into_no_token_is_made() {
    let no_scopes = object("ServiceAccount", "{email: a@orchard.test, tokenSecretRef: {name: t}}");
    let empty = object("ServiceAccount", "{email: a@orchard.test, scopes: [], tokenSecretRef: {name: t}}");
    let no_secret = object("ServiceAccount", "{email: a@orchard.test, scopes: [{api: x}]}");
    for text in [no_scopes, empty, no_secret] {
        assert!(matches!(token_of(&text), Token::Unchanged(_)), "{text}");
    }
}

#[test]
fn taking_all_scopes_away_makes_a_token_without_scopes() {
    let text =
        ACCOUNT_FULL.replace("  scopes: [{apis: [updateServiceDeployment], ids: [\"*\"]}, {api: createCluster}]\n", "");
    assert_ne!(text, ACCOUNT_FULL);
    let made = Token::Made { scopes: json!([]), expiry: Some("1w".into()), hash: String::new() };
    assert_eq!(token_of(&with_scope_hash(&text, SCOPE_HASH)), made);
}
