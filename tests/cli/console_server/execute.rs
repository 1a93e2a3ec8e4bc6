//! What the Console does with a request: checks it against its schema, looks things up, changes them.

use std::sync::OnceLock;

use apollo_compiler::executable::{Field, Operation, Selection, SelectionSet};
use apollo_compiler::request::coerce_variable_values;
use apollo_compiler::response::JsonMap;
use apollo_compiler::validation::Valid;
use apollo_compiler::{ExecutableDocument, Node, Schema, ast};
use serde_json::{Map, Value, json};

use super::{State, identity};

const SDL: &str = include_str!("../../data/console.graphql");

/// The Console's schema.
pub fn schema() -> &'static Valid<Schema> {
    static SCHEMA: OnceLock<Valid<Schema>> = OnceLock::new();
    SCHEMA.get_or_init(|| Schema::parse_and_validate(SDL, "console.graphql").unwrap())
}

/// A request that the schema allows.
pub struct Checked {
    document: Valid<ExecutableDocument>,
    variables: Map<String, Value>,
}

impl Checked {
    fn operation(&self) -> &Node<Operation> {
        self.document.operations.get(None).unwrap()
    }

    pub fn fields(&self) -> usize {
        self.operation().selection_set.selections.len()
    }
}

/// What the schema says against a request; one message for each fault.
pub fn check(request: &Value) -> Result<Checked, Vec<String>> {
    let query = request["query"].as_str().ok_or_else(|| vec!["there is no query".to_owned()])?;
    let document = ExecutableDocument::parse_and_validate(schema(), query, "request.graphql")
        .map_err(|faults| faults.errors.iter().map(|error| error.error.to_string()).collect::<Vec<_>>())?;
    let variables = request["variables"].as_object().cloned().unwrap_or_default();
    let operation = document.operations.get(None).map_err(|error| vec![error.message().to_string()])?;
    // The strict reading of a server: what is not declared is not sent either.
    if let Some(name) =
        variables.keys().find(|name| !operation.variables.iter().any(|known| known.name == name.as_str()))
    {
        return Err(vec![format!("the variable {name} is not declared")]);
    }
    let values: JsonMap =
        serde_json::from_value(Value::from(variables.clone())).map_err(|error| vec![error.to_string()])?;
    coerce_variable_values(schema(), operation, &values).map_err(|error| vec![error.message().to_string()])?;
    Ok(Checked { document, variables })
}

/// Runs a request, and tells the answer.
pub(super) fn run(checked: &Checked, state: &mut State) -> Value {
    let operation = checked.operation();
    let mut data = Map::new();
    let mut errors = Vec::new();
    for selection in &operation.selection_set.selections {
        let Selection::Field(field) = selection else { continue };
        let key = field.response_key().to_string();
        let arguments = arguments(field, &checked.variables);
        let answer = match operation.operation_type {
            ast::OperationType::Mutation => mutate(&field.name, &arguments, state),
            _ => look_up(&field.name, &arguments, state),
        };
        match answer {
            Ok(None) => {
                data.insert(key, Value::Null);
            }
            Ok(Some(stored)) => {
                data.insert(key, select(&stored, &field.selection_set));
            }
            Err(message) => {
                data.insert(key.clone(), Value::Null);
                errors.push(json!({"message": message, "path": [key]}));
            }
        }
    }
    if errors.is_empty() { json!({"data": data}) } else { json!({"data": data, "errors": errors}) }
}

fn arguments(field: &Field, variables: &Map<String, Value>) -> Map<String, Value> {
    let value = |value: &ast::Value| match value {
        ast::Value::Variable(name) => variables.get(name.as_str()).cloned().unwrap_or(Value::Null),
        ast::Value::String(text) => text.as_str().into(),
        _ => Value::Null,
    };
    field.arguments.iter().map(|argument| (argument.name.to_string(), value(&argument.value))).collect()
}

/// Section 1.2: which misses are errors.
fn miss(field: &str) -> Result<Option<Value>, String> {
    match field {
        "project" | "user" | "group" => Err("could not find resource".to_owned()),
        _ => Ok(None),
    }
}

fn look_up(field: &str, arguments: &Map<String, Value>, state: &State) -> Result<Option<Value>, String> {
    if let Some(id) = arguments.get("id").and_then(Value::as_str) {
        let found = state.there.iter().find(|((known, _), value)| known == field && value["id"] == id);
        return found.map_or_else(|| miss(field), |(_, value)| Ok(Some(value.clone())));
    }
    let value = arguments.get(identity(field)).and_then(Value::as_str).unwrap_or_default();
    let key = (field.to_owned(), value.to_owned());
    if let Some(message) = state.errors.get(&key) {
        return Err(message.clone());
    }
    state.there.get(&key).map_or_else(|| miss(field), |value| Ok(Some(value.clone())))
}

/// The fields that were asked for; what is not stored is null.
fn select(stored: &Value, set: &SelectionSet) -> Value {
    match stored {
        Value::Array(items) => items.iter().map(|item| select(item, set)).collect(),
        Value::Object(object) if !set.selections.is_empty() => {
            let fields = set.selections.iter().filter_map(|selection| match selection {
                Selection::Field(field) => Some(field),
                _ => None,
            });
            let value = |field: &Node<Field>| {
                let value = object.get(field.name.as_str()).unwrap_or(&Value::Null);
                (field.response_key().to_string(), select(value, &field.selection_set))
            };
            fields.map(value).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// The root field of what a mutation changes, and whether it finds it by its identity.
fn target(mutation: &str) -> Option<(&'static str, bool)> {
    Some(match mutation {
        "createProject" | "updateProject" | "deleteProject" => ("project", false),
        "upsertCatalog" => ("catalog", true),
        "deleteCatalog" => ("catalog", false),
        "createGitRepository" | "updateGitRepository" | "deleteGitRepository" => ("gitRepository", false),
        "upsertNotificationSink" => ("notificationSink", true),
        "deleteNotificationSink" => ("notificationSink", false),
        "createServiceAccount" | "updateServiceAccount" | "deleteUser" => ("user", false),
        "createPrAutomation" | "updatePrAutomation" | "deletePrAutomation" => ("prAutomation", false),
        "saveServiceContext" => ("serviceContext", true),
        "deleteServiceContext" => ("serviceContext", false),
        _ => return None,
    })
}

fn mutate(mutation: &str, arguments: &Map<String, Value>, state: &mut State) -> Result<Option<Value>, String> {
    if mutation == "createServiceAccountToken" {
        return Ok(Some(json!({"id": "token-1", "token": "MARKER-minted-token"})));
    }
    let (field, by_identity) = target(mutation).ok_or("unknown error")?;
    let attributes = arguments.get("attributes").cloned().unwrap_or(Value::Null);
    let id = arguments.get("id").and_then(Value::as_str);
    let stored = match (id, by_identity) {
        (Some(id), _) => {
            let found = state.there.iter().find(|((known, _), value)| known == field && value["id"] == id);
            Some(found.map(|(key, value)| (key.clone(), value.clone())).ok_or("could not find resource")?)
        }
        (None, true) => {
            let name = arguments.get("name").unwrap_or(&attributes["name"]).as_str().unwrap_or_default();
            let key = (field.to_owned(), name.to_owned());
            state.there.get(&key).map(|value| (key.clone(), value.clone()))
        }
        (None, false) => None,
    };
    if mutation.starts_with("delete") {
        let (key, value) = stored.ok_or("could not find resource")?;
        state.there.remove(&key);
        return Ok(Some(value));
    }
    let mut value = match stored {
        Some((key, value)) => {
            state.there.remove(&key);
            value
        }
        None => {
            state.ids += 1;
            json!({"id": format!("made-{}", state.ids)})
        }
    };
    if let Some(name) = arguments.get("name") {
        value["name"] = name.clone();
    }
    for (key, sent) in attributes.as_object().into_iter().flatten().filter(|(_, sent)| !sent.is_null()) {
        let (key, sent) = as_stored(key, sent, state);
        value[key] = sent;
    }
    let key = value[identity(field)].as_str().ok_or("unknown error")?.to_owned();
    if mutation.starts_with("create") && state.there.contains_key(&(field.to_owned(), key.clone())) {
        return Err(format!("{} has already been taken", identity(field)));
    }
    state.there.insert((field.to_owned(), key), value.clone());
    Ok(Some(value))
}

/// How an attribute is stored: ids as what they are of, texts that hold JSON as that.
fn as_stored(key: &str, sent: &Value, state: &State) -> (String, Value) {
    let by_id = |field: &str, id: &Value| {
        state
            .there
            .iter()
            .find(|((known, _), value)| known == field && value["id"] == *id)
            .map(|(_, value)| value.clone())
    };
    let of = |field: &str, key: &str| (key.to_owned(), by_id(field, sent).unwrap_or(Value::Null));
    match key {
        "projectId" => of("project", "project"),
        "catalogId" => of("catalog", "catalog"),
        "connectionId" => of("scmConnection", "connection"),
        "repositoryId" => of("gitRepository", "repository"),
        "clusterId" => of("cluster", "cluster"),
        "configuration" if sent.is_string() => {
            (key.to_owned(), sent.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or(Value::Null))
        }
        key if key.ends_with("Bindings") => {
            let binding = |binding: &Value| json!({"id": "b", "user": by_id("user", &binding["userId"]), "group": by_id("group", &binding["groupId"])});
            (key.to_owned(), sent.as_array().into_iter().flatten().map(binding).collect())
        }
        key => (key.to_owned(), sent.clone()),
    }
}
