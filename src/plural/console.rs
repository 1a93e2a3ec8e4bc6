//! What the Console is asked, and the form of its answers: names, types and nullability of its GraphQL schema
//! (pluralsh/console, schema/schema.graphql, 1b85cf99 of 2025).

use std::fmt;

use serde_json::Value;

/// A field of an answer that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: &'static str,
    /// Whether the schema says that it is never null.
    pub required: bool,
    /// Whether it is a list.
    pub list: bool,
    /// What it, or each item of it, is.
    pub of: Of,
}

/// What a field of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// A number, a boolean, or a text: an enum's value, too, where nothing is decided by it.
    Scalar,
    /// An enum by whose value something is decided: one that is not known cannot be used.
    Enum(&'static [&'static str]),
    /// An object without a schema.
    Map,
    /// An object of which these fields are asked for.
    Object(&'static [Output]),
    /// A message, which may repeat what was given.
    Message,
    /// A text that is a secret: it is compared, and never shown or stored.
    Secret,
    /// An object without a schema whose values may be secrets.
    SecretMap,
}

impl Output {
    /// A field that may be null.
    pub const fn may(name: &'static str) -> Output {
        Output { name, required: false, list: false, of: Of::Scalar }
    }

    /// A field that is never null.
    pub const fn must(name: &'static str) -> Output {
        Output { name, required: true, list: false, of: Of::Scalar }
    }

    /// The same field, of this content.
    pub const fn of(mut self, of: Of) -> Output {
        self.of = of;
        self
    }

    /// The same field, an object of these fields.
    pub const fn object(self, fields: &'static [Output]) -> Output {
        self.of(Of::Object(fields))
    }

    /// The same field, a list of what it was.
    pub const fn list(mut self) -> Output {
        self.list = true;
        self
    }
}

/// A look-up that the Console answers: a field of its query type, asked by one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query {
    /// The field of the query type.
    pub field: &'static str,
    /// The argument by which it is asked.
    pub argument: &'static str,
    /// The argument's type in GraphQL.
    pub argument_type: &'static str,
    /// What is asked for.
    pub returned: &'static [Output],
}

/// What stands under an identity in the Console: one thing to be looked up.
#[derive(Clone, PartialEq, Eq)]
pub struct LookUp {
    /// How.
    pub query: &'static Query,
    /// The name, URL, e-mail or handle.
    pub value: String,
}

impl LookUp {
    /// A look-up of a value.
    pub fn new(query: &'static Query, value: impl Into<String>) -> LookUp {
        LookUp { query, value: value.into() }
    }
}

/// `project "orchard"`, logins in URLs masked.
impl fmt::Display for LookUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.query.field, crate::object::masked_url(&self.value))
    }
}

/// As it is displayed: a log is no place for logins.
impl fmt::Debug for LookUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What the Console said to a look-up.
#[derive(Clone, PartialEq)]
pub enum Answer {
    /// There is nothing under that identity.
    Absent,
    /// What is there, in the form of the query's fields.
    Found(Value),
    /// The look-up failed, or was refused, for this reason: which is never the same as absent.
    Failed(String),
}

/// The id alone of what was found: a log is no place for the rest.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Absent => f.write_str("Absent"),
            Answer::Found(held) => f.debug_tuple("Found").field(&held.get("id")).finish(),
            Answer::Failed(reason) => f.debug_tuple("Failed").field(&crate::object::masked_text(reason)).finish(),
        }
    }
}

/// What is written in place of a secret. An answer from a snapshot or a recording holds it, and then cannot be compared.
pub const MASK: &str = "***";

/// The selection of `fields` as it is written in a query, braces included.
pub fn selection(fields: &[Output]) -> String {
    let mut text = String::from("{");
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        text.push_str(field.name);
        if let Of::Object(fields) = field.of {
            text.push(' ');
            text.push_str(&selection(fields));
        }
    }
    text.push('}');
    text
}

/// Checks that an object has the form that was asked for: a null or a missing field where the schema has none, another
/// type, or an unknown value of an enum by which something is decided.
///
/// # Errors
/// What is wrong, with the path of the field below `path`.
pub fn check(value: &Value, fields: &[Output], path: &str) -> Result<(), String> {
    let Value::Object(object) = value else { return Err(format!("{path} is {}, not an object", sort(value))) };
    for field in fields {
        let path = format!("{path}.{}", field.name);
        match object.get(field.name).unwrap_or(&Value::Null) {
            value
                if field.required
                    && field.name == "id"
                    && !value.is_object()
                    && !value.is_array()
                    && value.as_str().is_none_or(str::is_empty) =>
            {
                let what =
                    if value.is_null() { "missing, which the schema does not allow" } else { "no text that is an id" };
                return Err(format!("{path} is {what}"));
            }
            Value::Null if field.required => return Err(format!("{path} is missing, which the schema does not allow")),
            Value::Null => {}
            Value::Array(items) if field.list => {
                for (index, item) in items.iter().enumerate().filter(|(_, item)| !item.is_null()) {
                    check_one(item, field.of, &format!("{path}[{index}]"))?;
                }
            }
            other if field.list => return Err(format!("{path} is {}, not a list", sort(other))),
            other => check_one(other, field.of, &path)?,
        }
    }
    Ok(())
}

fn check_one(value: &Value, of: Of, path: &str) -> Result<(), String> {
    match (of, value) {
        (Of::Object(fields), _) => check(value, fields, path),
        (Of::Map | Of::SecretMap, Value::Object(_)) => Ok(()),
        (Of::Map | Of::SecretMap, other) => Err(format!("{path} is {}, not an object", sort(other))),
        (_, Value::Object(_) | Value::Array(_)) => Err(format!("{path} is {}, not a single value", sort(value))),
        (Of::Enum(known), value) if !value.as_str().is_some_and(|word| known.contains(&word)) => {
            Err(format!("{path} is {value}, which this version does not know: it knows {}", known.join(", ")))
        }
        (Of::Scalar | Of::Enum(_) | Of::Message | Of::Secret, _) => Ok(()),
    }
}

fn sort(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// An answer with its secrets replaced by [`MASK`], logins in URLs included, and without fields that were not asked for.
pub fn masked(value: &Value, fields: &[Output]) -> Value {
    masked_with(value, fields, &|text| crate::object::masked_text(text).into_owned())
}

/// The same; `redacted` is for messages, in which a Console may repeat anything that it was given.
pub fn masked_with(value: &Value, fields: &[Output], redacted: &dyn Fn(&str) -> String) -> Value {
    let object = match value {
        Value::Object(object) => object,
        Value::Null => return Value::Null,
        // Of another form than was asked for, so nobody knows what it is.
        _ => return MASK.into(),
    };
    let field = |field: &Output| {
        let value = object.get(field.name)?;
        let one = |value: &Value| masked_one(value, field.of, redacted);
        let masked = match value {
            Value::Array(items) if field.list => items.iter().map(one).collect(),
            value => one(value),
        };
        Some((field.name.to_owned(), masked))
    };
    let mut masked: serde_json::Map<String, Value> = fields.iter().filter_map(field).collect();
    if is_password(object)
        && let Some(default) = masked.get_mut("default").filter(|default| !default.is_null())
    {
        *default = MASK.into();
    }
    Value::Object(masked)
}

/// Whether an object is a parameter that is a password: its default is one, too.
pub(super) fn is_password(object: &serde_json::Map<String, Value>) -> bool {
    object.get("type").and_then(Value::as_str) == Some("PASSWORD")
}

fn masked_one(value: &Value, of: Of, redacted: &dyn Fn(&str) -> String) -> Value {
    match (of, value) {
        (Of::Object(fields), _) => masked_with(value, fields, redacted),
        (_, Value::Null) => Value::Null,
        (Of::Secret, _) => MASK.into(),
        (Of::Message, Value::String(text)) => redacted(text).into(),
        (Of::SecretMap, _) => leaves_masked(value),
        (_, value) => logins_masked(value),
    }
}

/// A value in which logins in URLs are masked.
pub fn logins_masked(value: &Value) -> Value {
    match value {
        Value::String(text) => crate::object::masked_text(text).into_owned().into(),
        Value::Array(items) => items.iter().map(logins_masked).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (key.clone(), logins_masked(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

/// A value of which only the keys are left.
pub fn leaves_masked(value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Array(items) => items.iter().map(leaves_masked).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (key.clone(), leaves_masked(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => MASK.into(),
    }
}

/// A user or a group of a binding.
const USER_OF_BINDING: &[Output] = &[Output::must("id"), Output::must("name"), Output::must("email")];
const GROUP_OF_BINDING: &[Output] = &[Output::must("id"), Output::must("name")];
/// A binding.
const BINDING: &[Output] =
    &[Output::may("id"), Output::may("user").object(USER_OF_BINDING), Output::may("group").object(GROUP_OF_BINDING)];

/// A list of bindings.
pub(super) const fn bindings(name: &'static str) -> Output {
    Output::may(name).object(BINDING).list()
}

/// What is asked of something that is only referred to.
const ID_AND_NAME: &[Output] = &[Output::must("id"), Output::must("name")];

/// A reference to something of which id and name are asked.
pub(super) const fn reference(name: &'static str) -> Output {
    Output::may(name).object(ID_AND_NAME)
}

/// A user, whom bindings name by e-mail.
pub static USER: Query =
    Query { field: "user", argument: "email", argument_type: "String!", returned: USER_OF_BINDING };
/// A group, which bindings name by name.
pub static GROUP: Query =
    Query { field: "group", argument: "name", argument_type: "String!", returned: GROUP_OF_BINDING };
/// A connection to a forge.
pub static SCM_CONNECTION: Query =
    Query { field: "scmConnection", argument: "name", argument_type: "String", returned: ID_AND_NAME };
/// A cluster.
pub static CLUSTER: Query = Query {
    field: "cluster",
    argument: "handle",
    argument_type: "String",
    returned: &[Output::must("id"), Output::must("name"), Output::may("handle")],
};
