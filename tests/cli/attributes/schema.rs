//! Queries, mutations and attributes against the Console's schema (`tests/data/console.graphql`).

use std::sync::LazyLock;

use apollo_compiler::ast::{OperationType, Type};
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Schema};
use kcc_backoff::plural::console::{CLUSTER, GROUP, Of, Output, Query, SCM_CONNECTION, USER, selection};
use kcc_backoff::plural::kind::{Found, MANAGED, Mutation, Token, token};
use serde_json::{Map, Value, json};

use super::manifests::*;
use super::{Finds as _, attributes, everything, nothing, object, of, subject};

static SCHEMA: LazyLock<Valid<Schema>> = LazyLock::new(|| {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/console.graphql"));
    Schema::parse_and_validate(text, "console.graphql").unwrap()
});

fn document(text: &str) -> Valid<ExecutableDocument> {
    ExecutableDocument::parse_and_validate(&SCHEMA, text, "document.graphql")
        .unwrap_or_else(|error| panic!("{text}\n{}", error.errors))
}

fn root(operation: OperationType) -> &'static str {
    SCHEMA.root_operation(operation).unwrap().as_str()
}

fn is_accepted(document: &Valid<ExecutableDocument>, variables: &Value) -> Result<(), String> {
    let operation = document.operations.iter().next().unwrap();
    let variables = serde_json::from_value(variables.clone()).unwrap();
    coerce_variable_values(&SCHEMA, operation, &variables).map(|_| ()).map_err(|error| format!("{error:?}"))
}

fn queries() -> impl Iterator<Item = &'static Query> {
    MANAGED.into_iter().map(|managed| managed.query).chain([&USER, &GROUP, &SCM_CONNECTION, &CLUSTER])
}

/// The fields that inputs of GitRepository and others have and this release never sends.
const NEVER_SENT: [&str; 8] =
    ["disableInsights", "httpsPath", "urlFormat", "decrypt", "recurseSubmodules", "roles", "governanceId", "ai"];

#[test]
fn each_query_fits_the_schema() {
    for query in queries() {
        let Query { field, argument, argument_type, returned } = query;
        let text = format!("query($value: {argument_type}) {{{field}({argument}: $value) {}}}", selection(returned));
        let document = document(&text);
        assert_eq!(is_accepted(&document, &json!({"value": "x"})), Ok(()), "{field}");
        // The argument's type is exactly that of the schema.
        let declared = SCHEMA.type_field(root(OperationType::Query), field).unwrap();
        let declared = declared.argument_by_name(argument).unwrap();
        assert_eq!(declared.ty.to_string(), *argument_type, "{field}");
    }
}

#[test]
fn what_is_asked_for_is_null_a_list_a_word_or_an_object_as_in_the_schema() {
    let mut seen = 0;
    for query in queries() {
        let of = SCHEMA.type_field(root(OperationType::Query), query.field).unwrap();
        walk(query.returned, of.ty.inner_named_type().as_str(), query.field, &mut seen);
    }
    assert!(seen > 100, "only {seen} fields");
}

fn walk(fields: &[Output], type_name: &str, path: &str, seen: &mut usize) {
    for field in fields {
        *seen += 1;
        let path = format!("{path}.{}", field.name);
        let declared = &SCHEMA.type_field(type_name, field.name).unwrap().ty;
        assert_eq!(field.required, declared.is_non_null(), "{path}: {declared}");
        assert_eq!(field.list, declared.is_list(), "{path}: {declared}");
        // No list of lists.
        assert!(matches!(declared.item_type(), Type::Named(_) | Type::NonNullNamed(_)), "{path}: {declared}");
        let inner = declared.inner_named_type().as_str();
        match (field.of, &SCHEMA.types[inner]) {
            (Of::Object(fields), ExtendedType::Object(_)) => walk(fields, inner, &path, seen),
            (Of::Map | Of::SecretMap, ExtendedType::Scalar(_)) => assert_eq!(inner, "Map", "{path}"),
            (Of::Enum(words), ExtendedType::Enum(declared)) => {
                let all: Vec<&str> = declared.values.keys().map(|word| word.as_str()).collect();
                assert_eq!(words, all, "{path}");
            }
            (Of::Scalar | Of::Message | Of::Secret, ExtendedType::Scalar(_)) => assert_ne!(inner, "Map", "{path}"),
            (Of::Scalar, ExtendedType::Enum(_)) => {}
            (of, _) => panic!("{path}: {of:?} is {inner} in the schema"),
        }
    }
}

#[test]
fn each_mutation_fits_the_schema_and_asks_for_what_the_look_up_returns() {
    for managed in MANAGED {
        for mutation in [managed.create, managed.update, managed.delete] {
            let Mutation { field, arguments } = mutation;
            document(&mutation.document(managed.query));
            let declared = SCHEMA.type_field(root(OperationType::Mutation), field).unwrap();
            let all: Vec<(&str, String)> =
                declared.arguments.iter().map(|argument| (argument.name.as_str(), argument.ty.to_string())).collect();
            let ours: Vec<(&str, String)> = arguments.iter().map(|(name, of)| (*name, (*of).to_owned())).collect();
            assert_eq!(ours, all, "{field}");
            let looked_up = SCHEMA.type_field(root(OperationType::Query), managed.query.field).unwrap();
            assert_eq!(declared.ty, looked_up.ty, "{field}");
        }
    }
}

#[test]
fn each_kind_has_the_mutations_of_its_section() {
    let mutations = |kind: &str| {
        let managed = of(kind);
        [managed.create, managed.update, managed.delete].map(|mutation| mutation.field)
    };
    assert_eq!(mutations("Project"), ["createProject", "updateProject", "deleteProject"]);
    assert_eq!(mutations("Catalog"), ["upsertCatalog", "upsertCatalog", "deleteCatalog"]);
    assert_eq!(mutations("GitRepository"), ["createGitRepository", "updateGitRepository", "deleteGitRepository"]);
    let sink = ["upsertNotificationSink", "upsertNotificationSink", "deleteNotificationSink"];
    assert_eq!(mutations("NotificationSink"), sink);
    assert_eq!(mutations("ServiceAccount"), ["createServiceAccount", "updateServiceAccount", "deleteUser"]);
    assert_eq!(mutations("PrAutomation"), ["createPrAutomation", "updatePrAutomation", "deletePrAutomation"]);
    assert_eq!(mutations("ServiceContext"), ["saveServiceContext", "saveServiceContext", "deleteServiceContext"]);
}

/// A sink with all three blocks.
fn sink() -> String {
    object(
        "NotificationSink",
        "{type: PLURAL, name: a, bindings: [{groupName: sre}], configuration: {slack: {url: https://a.test}, teams: {url: https://b.test}, plural: {urgent: false, priority: LOW}}}",
    )
}

/// Manifests with what they refer to, which make every attribute that this release sends.
fn manifests() -> Vec<(String, Found)> {
    let credentials = [("password", "w"), ("username", "u"), ("passphrase", "h"), ("privateKey", "k")];
    let repository = everything().data("spec.credentialsRef", None, &credentials);
    let mut all: Vec<(String, Found)> = [
        PROJECT_SMALL,
        PROJECT_FULL,
        CATALOG_SMALL,
        CATALOG_FULL,
        REPOSITORY_SMALL,
        SINK_IN_APP,
        SINK_CHAT,
        SINK_LEGACY,
        ACCOUNT_SMALL,
        ACCOUNT_FULL,
        AUTOMATION_SMALL,
        AUTOMATION_FULL,
        AUTOMATION_WITH_EVERYTHING,
        CONTEXT_SMALL,
        CONTEXT_FULL,
    ]
    .into_iter()
    .map(|text| (text.to_owned(), everything()))
    .collect();
    all.push((REPOSITORY_FULL.to_owned(), repository));
    all.push((sink(), everything()));
    let catalog = CATALOG_FULL.replace("read: []", "read: [{groupName: auditors}]");
    all.push((catalog.replace("  icon:", "  darkIcon: https://img.orchard.test/dark.png\n  icon:"), everything()));
    all
}

#[test]
fn the_attributes_of_every_manifest_are_what_the_mutations_take() {
    for (text, found) in manifests() {
        let attributes = attributes(&text, &found);
        let managed = subject(&text).managed.unwrap();
        for mutation in [managed.create, managed.update] {
            let variable = |(name, _): &(&str, &str)| {
                let value = if *name == "attributes" { attributes.sent.clone().into() } else { Value::from("7") };
                ((*name).to_owned(), value)
            };
            let variables: Value = mutation.arguments.iter().map(variable).collect::<Map<_, _>>().into();
            let document = document(&mutation.document(managed.query));
            assert_eq!(is_accepted(&document, &variables), Ok(()), "{text}");
        }
    }
}

#[test]
fn the_schema_refuses_what_it_should() {
    // So that the test above tells something.
    let refused = |attributes: Value| {
        let managed = of("NotificationSink");
        is_accepted(&document(&managed.create.document(managed.query)), &json!({"attributes": attributes})).is_err()
    };
    assert!(!refused(json!({"name": "a", "type": "SLACK", "configuration": {}})));
    assert!(refused(json!({"name": "a", "type": "SLACK"})));
    assert!(refused(json!({"name": "a", "type": "IRC", "configuration": {}})));
    assert!(refused(json!({"name": "a", "type": "SLACK", "configuration": {}, "unknown": 1})));
    // What the controller sends of a sink without a priority.
    assert!(refused(json!({"name": "a", "type": "PLURAL", "configuration": {"plural": {"priority": ""}}})));
}

#[test]
fn what_a_token_is_made_with_is_what_its_mutation_takes() {
    let subject = subject(ACCOUNT_FULL);
    let Token::Made { scopes, expiry, .. } = token(&subject.facts, &subject.spec) else { panic!("no token is made") };
    let text = "mutation($id: ID!, $scopes: [ScopeAttributes], $expiry: String) {createServiceAccountToken(id: $id, scopes: $scopes, expiry: $expiry) {id token}}";
    let variables = json!({"id": "7", "scopes": scopes, "expiry": expiry});
    assert_eq!(is_accepted(&document(text), &variables), Ok(()));
}

/// The fields of an input in the order of the schema, each with the input that it holds, if it holds one.
fn input_fields(name: &str) -> Vec<(&'static str, Option<&'static str>)> {
    let input = SCHEMA.get_input_object(name).unwrap_or_else(|| panic!("{name} is no input"));
    let fields = input.fields.iter().map(|(field, definition)| {
        let inner = definition.ty.inner_named_type().as_str();
        (field.as_str(), SCHEMA.get_input_object(inner).map(|_| inner))
    });
    fields.collect()
}

/// Checks the order of keys, and notes which fields are there.
fn in_order(value: &Value, input: &str, path: &str, seen: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| in_order(item, input, path, seen)),
        Value::Object(object) => {
            let fields = input_fields(input);
            let place = |key: &str| fields.iter().position(|(name, _)| *name == key);
            let places: Vec<usize> =
                object.keys().map(|key| place(key).unwrap_or_else(|| panic!("{input} has no {key}"))).collect();
            assert!(places.is_sorted(), "{path}: {:?}", object.keys().collect::<Vec<_>>());
            for (key, value) in object {
                seen.push(format!("{input}.{key}"));
                if let Some(inner) = fields[place(key).unwrap()].1 {
                    in_order(value, inner, &format!("{path}.{key}"), seen);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn attributes_stand_in_the_order_of_the_schema_and_lack_none_of_its_fields() {
    let mut seen = Vec::new();
    let mut inputs: Vec<&str> = Vec::new();
    for (text, found) in manifests() {
        let (_, of) = *subject(&text).managed.unwrap().create.arguments.last().unwrap();
        let input = of.trim_end_matches('!');
        let attributes = attributes(&text, &found).sent;
        in_order(&attributes.into(), input, input, &mut seen);
        let mut open = vec![SCHEMA.get_input_object(input).unwrap().name.as_str()];
        while let Some(input) = open.pop() {
            if !inputs.contains(&input) {
                inputs.push(input);
                open.extend(input_fields(input).into_iter().filter_map(|(_, inner)| inner));
            }
        }
    }
    let mut unseen: Vec<String> = inputs
        .iter()
        .flat_map(|input| input_fields(input).into_iter().map(move |(field, _)| (*input, field)))
        .filter(|(_, field)| !NEVER_SENT.contains(field))
        .map(|(input, field)| format!("{input}.{field}"))
        .filter(|field| !seen.contains(field))
        .collect();
    unseen.sort();
    // The id of a binding is deprecated, an admin's role is never given, nor the secrets of a context apart from its
    // configuration; ai as above.
    let never = [
        "ConfigAttributes.name",
        "ConfigAttributes.value",
        "PolicyBindingAttributes.id",
        "PrAiSpecAttributes.enabled",
        "PrAiSpecAttributes.prompt",
        "ServiceContextAttributes.secrets",
        "UserRoleAttributes.admin",
    ];
    assert_eq!(unseen, never);
}

#[test]
fn what_the_schema_returns_of_what_is_sent_is_asked_for() {
    // Of each kind: the attributes without a counterpart in the answer, by the schema alone.
    let lacking = |kind: &str| -> Vec<&'static str> {
        let managed = of(kind);
        let (_, input) = *managed.create.arguments.last().unwrap();
        let input = input.trim_end_matches('!');
        let answer = SCHEMA.type_field(root(OperationType::Query), managed.query.field).unwrap();
        let answer = answer.ty.inner_named_type().as_str();
        let input_fields = SCHEMA.get_input_object(input).unwrap().fields.keys();
        let mut lacking = Vec::new();
        for field in input_fields.map(|name| name.as_str()).filter(|name| !NEVER_SENT.contains(name)) {
            let counterpart = field.strip_suffix("Id").unwrap_or(field);
            match SCHEMA.type_field(answer, counterpart) {
                Err(_) => lacking.push(field),
                Ok(_) => assert!(
                    managed.query.returned.iter().any(|output| output.name == counterpart)
                        || (kind, field) == ("ServiceContext", "secrets"),
                    "{kind}.{counterpart} is not asked for"
                ),
            }
        }
        lacking
    };
    assert_eq!(lacking("Project"), [""; 0]);
    assert_eq!(lacking("Catalog"), ["tags"]);
    assert_eq!(lacking("GitRepository"), ["privateKey", "passphrase", "username", "password", "connectionId"]);
    assert_eq!(lacking("NotificationSink"), [""; 0]);
    assert_eq!(lacking("ServiceAccount"), [""; 0]);
    assert_eq!(lacking("PrAutomation"), ["branch", "patch"]);
    assert_eq!(lacking("ServiceContext"), [""; 0]);
}

#[test]
fn nothing_is_asked_for_that_is_newer_than_the_schema_that_was_read() {
    for query in queries() {
        let text = selection(query.returned);
        let words: Vec<&str> = text.split(|character: char| !character.is_alphanumeric()).collect();
        for newer in ["ai", "disableInsights", "recurseSubmodules", "bitbucketDatacenter"] {
            assert!(!words.contains(&newer), "{}: {newer}", query.field);
        }
    }
}

#[test]
fn a_reference_that_has_come_to_nothing_is_left_out_rather_than_sent_as_null() {
    for (text, _) in manifests() {
        let managed = subject(&text).managed.unwrap();
        if managed.kind == "NotificationSink" || managed.kind == "PrAutomation" || managed.kind == "Catalog" {
            let sent = serde_json::to_string(&attributes(&text, &nothing()).sent).unwrap();
            assert!(!sent.contains("null"), "{sent}");
        }
    }
}
