use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{Attributes, Managed, Mutation, Wanted};
use crate::go;
use crate::plural::compare::Compared;
use crate::plural::console::{MASK, Of, Output, Query, logins_masked, reference};
use crate::plural::shape::{OBJECT_REFERENCE, Otherwise, RECONCILIATION, SECRET_REFERENCE, Shape, may, must};

/// pluralsh/console, servicecontext_controller.go (02fdfd37, and the copy with `configMapRefs`) and servicecontext_types.go
/// (02fdfd37). It is saved by name.
pub(super) static SERVICE_CONTEXT: Managed = Managed {
    kind: "ServiceContext",
    called: "context",
    query: &QUERY,
    spec: &[
        may("name", Shape::Text),
        may("configuration", Shape::Any).or(Otherwise::Null),
        may("configMapRef", SECRET_REFERENCE),
        may(
            "configMapRefs",
            Shape::List(&Shape::Object(&[
                must("name", Shape::Text),
                may("namespace", Shape::Text),
                may("scope", Shape::Text),
            ])),
        ),
        may("secretRef", SECRET_REFERENCE),
        may("projectRef", OBJECT_REFERENCE),
        RECONCILIATION,
    ],
    attributes,
    compared: &[("projectId", Compared::Id("project")), ("configuration", Compared::Json)],
    create: SAVE,
    update: SAVE,
    delete: Mutation { field: "deleteServiceContext", arguments: &[("id", "ID!")] },
};

const SAVE: Mutation = Mutation {
    field: "saveServiceContext",
    arguments: &[("name", "String!"), ("attributes", "ServiceContextAttributes!")],
};

static QUERY: Query = Query {
    field: "serviceContext",
    argument: "name",
    argument_type: "String!",
    returned: &[
        Output::must("id"),
        Output::must("name"),
        // The values of Secrets end up in it.
        Output::may("configuration").of(Of::SecretMap),
        reference("project"),
    ],
};

fn attributes(wanted: &Wanted<'_>) -> Result<Attributes, String> {
    let mut attributes = Attributes::default();
    attributes.id("projectId", wanted, "spec.projectRef");
    let (merged, shown) = merge(wanted)?;
    // It is decoded into `any` and encoded again.
    attributes.put_masked(
        "configuration",
        go::json_of_any(&merged.into()).into(),
        go::json_of_any(&logins_masked(&shown.into())).into(),
    );
    Ok(attributes)
}

type Merged = Map<String, Value>;

/// The configuration: the spec's, then the ConfigMaps' in their order, then the Secret's; and the same with everything
/// masked that does not stand in the manifest.
fn merge(wanted: &Wanted<'_>) -> Result<(Merged, Merged), String> {
    let spec = wanted.spec;
    let mut merged = match spec.get("configuration") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(configuration)) => configuration.clone(),
        Some(other) => {
            let sort = match other {
                Value::Array(_) => "array",
                Value::String(_) => "string",
                Value::Bool(_) => "bool",
                _ => "number",
            };
            return Err(format!(
                "failed to parse configuration JSON: spec.configuration is a JSON {sort}, and has to be an object"
            ));
        }
    };
    let mut shown = merged.clone();
    let texts = |data: &BTreeMap<String, String>, masked: bool| -> Merged {
        let value = |text: &String| if masked { MASK.into() } else { Value::from(text.as_str()) };
        data.iter().map(|(key, text)| (key.clone(), value(text))).collect()
    };
    let list = spec.get("configMapRefs").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if spec.contains_key("configMapRef") && !list.is_empty() {
        return Err("spec.configMapRef and spec.configMapRefs are mutually exclusive".to_owned());
    }
    check(list)?;
    let mut scopes: Vec<&str> = Vec::new();
    let single = wanted.found.data.get(&("spec.configMapRef", None)).map(|data| (data, None, 0));
    let several = list.iter().enumerate().filter_map(|(index, entry)| {
        let data = wanted.found.data.get(&("spec.configMapRefs[]", Some(index)))?;
        Some((data, entry.get("scope").and_then(Value::as_str).filter(|scope| !scope.is_empty()), index))
    });
    for (data, scope, index) in single.into_iter().chain(several) {
        match scope {
            Some(scope) => {
                if merged.contains_key(scope) {
                    return Err(format!(
                        "configMapRefs[{index}].scope {} conflicts with an existing configuration key",
                        go::quote(scope)
                    ));
                }
                scopes.push(scope);
                merged.insert(scope.to_owned(), texts(&data.0, false).into());
                shown.insert(scope.to_owned(), texts(&data.0, true).into());
            }
            None => {
                if let Some(key) = data.0.keys().find(|key| scopes.contains(&key.as_str())) {
                    let key = go::quote(key);
                    return Err(format!("configMapRefs[{index}] key {key} conflicts with a ConfigMap scope"));
                }
                merged.extend(texts(&data.0, false));
                shown.extend(texts(&data.0, true));
            }
        }
    }
    if let Some(secret) = wanted.found.data.get(&("spec.secretRef", None)) {
        if let Some(key) = secret.0.keys().find(|key| scopes.contains(&key.as_str())) {
            return Err(format!("secret key {} conflicts with ConfigMap scope", go::quote(key)));
        }
        merged.extend(texts(&secret.0, false));
        shown.extend(texts(&secret.0, true));
    }
    Ok((merged, shown))
}

/// The entries of `configMapRefs`, before anything is read.
fn check(list: &[Value]) -> Result<(), String> {
    for (index, entry) in list.iter().enumerate() {
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let name = text("name").unwrap_or_default();
        if name.trim().is_empty() {
            return Err(format!("configMapRefs[{index}].name must not be empty"));
        }
        if name.trim() != name {
            return Err(format!("configMapRefs[{index}].name must not contain leading or trailing whitespace"));
        }
        // An empty namespace means the object's own; an empty scope none.
        for key in ["namespace", "scope"] {
            if text(key).is_some_and(|text| text.trim().is_empty() && !text.is_empty()) {
                return Err(format!("configMapRefs[{index}].{key} must not be blank"));
            }
        }
    }
    Ok(())
}
