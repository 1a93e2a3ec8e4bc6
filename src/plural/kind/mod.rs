//! The kinds that this release reconciles: one file each, with what its spec may hold, what is sent of it, what the Console
//! returns, and how the two are compared.

mod catalog;
mod git_repository;
mod notification_sink;
mod pr_automation;
mod project;
mod service_account;
mod service_context;

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Facts;
use super::compare::Compared;
use super::console::{CLUSTER, GROUP, Query, SCM_CONNECTION, logins_masked};
use super::shape::Member;

pub use service_account::{Token, token};

/// What this release knows of a kind that it reconciles.
#[derive(Debug, Clone, Copy)]
pub struct Managed {
    /// The kind.
    pub kind: &'static str,
    /// What the Console calls it.
    pub called: &'static str,
    /// How it is looked up.
    pub query: &'static Query,
    /// Its spec, in the order of Go's struct; of kinds whose attributes are hashed, in the order of those.
    pub spec: &'static [Member],
    /// What is sent of it.
    ///
    /// # Errors
    /// Why nothing can be sent: what the controller would end in an error over.
    pub attributes: fn(&Wanted<'_>) -> Result<Attributes, String>,
    /// How attributes are compared whose counterpart in the answer is not of the same name and form.
    pub compared: &'static [(&'static str, Compared)],
    /// What creates it.
    pub create: Mutation,
    /// What changes it.
    pub update: Mutation,
    /// What deletes it.
    pub delete: Mutation,
}

/// The kinds that this release reconciles.
pub static MANAGED: [&Managed; 7] = [
    &project::PROJECT,
    &catalog::CATALOG,
    &git_repository::GIT_REPOSITORY,
    &notification_sink::NOTIFICATION_SINK,
    &service_account::SERVICE_ACCOUNT,
    &pr_automation::PR_AUTOMATION,
    &service_context::SERVICE_CONTEXT,
];

/// What is known of reconciling a kind; `None` for those that this release does not reconcile.
pub fn managed(kind: &str) -> Option<&'static Managed> {
    MANAGED.into_iter().find(|managed| managed.kind == kind)
}

/// Everything that is looked up: the kinds, and what they refer to besides.
pub fn queries() -> impl Iterator<Item = &'static Query> {
    MANAGED.into_iter().map(|managed| managed.query).chain([&GROUP, &SCM_CONNECTION, &CLUSTER])
}

/// The look-up by a field of the Console's query type.
pub fn query(field: &str) -> Option<&'static Query> {
    queries().find(|query| query.field == field)
}

/// A mutation of the Console's schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mutation {
    /// Its name.
    pub field: &'static str,
    /// Its arguments and their types: `id`, `name`, `attributes`.
    pub arguments: &'static [(&'static str, &'static str)],
}

impl Mutation {
    /// The document to send, with the selection of what is to come back.
    pub fn document(&self, query: &Query) -> String {
        let list =
            |form: &dyn Fn(&(&str, &str)) -> String| self.arguments.iter().map(form).collect::<Vec<_>>().join(", ");
        format!(
            "mutation({}) {{{}({}) {}}}",
            list(&|(name, of)| format!("${name}: {of}")),
            self.field,
            list(&|(name, _)| format!("{name}: ${name}")),
            super::console::selection(query.returned)
        )
    }
}

/// What attributes are made of.
#[derive(Clone, Copy)]
pub struct Wanted<'a> {
    /// The object.
    pub facts: &'a Facts,
    /// Its spec, see [`super::shape::canonical`].
    pub spec: &'a Map<String, Value>,
    /// What it refers to.
    pub found: &'a Found,
}

/// The object alone: a spec may hold what whoever reads a log must not know.
impl std::fmt::Debug for Wanted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wanted").field("object", &self.facts.reference).finish_non_exhaustive()
    }
}

/// What the references of an object have come to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Ids, by the path of the field that names what they are of.
    pub ids: BTreeMap<&'static str, String>,
    /// The data of Secrets and ConfigMaps, by the path of the field and the index in it.
    pub data: BTreeMap<(&'static str, Option<usize>), Data>,
    /// Ids of users, by e-mail.
    pub users: BTreeMap<String, String>,
    /// Ids of groups, by name.
    pub groups: BTreeMap<String, String>,
}

/// The data of a Secret or a ConfigMap. What it holds is never printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Data(pub BTreeMap<String, String>);

/// Keys only: a log is no place for the values.
impl std::fmt::Debug for Data {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// What is sent of an object.
#[derive(Clone, Default, PartialEq)]
pub struct Attributes {
    /// As the Console gets it, in the order of the schema.
    pub sent: Map<String, Value>,
    /// The same as it may be shown.
    pub shown: Map<String, Value>,
    /// What the users and groups of bindings are called, by their id.
    pub labels: BTreeMap<String, String>,
    /// Fields of the spec of which nothing is sent, and why.
    pub unsent: Vec<(String, &'static str)>,
}

/// What may be shown of it.
impl std::fmt::Debug for Attributes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Attributes").field("shown", &self.shown).finish_non_exhaustive()
    }
}

impl Attributes {
    /// Adds an attribute that may be shown, logins in URLs masked.
    fn put(&mut self, name: &str, value: Value) {
        self.shown.insert(name.to_owned(), logins_masked(&value));
        self.sent.insert(name.to_owned(), value);
    }

    /// Adds an attribute, and what is shown of it.
    fn put_masked(&mut self, name: &str, value: Value, shown: Value) {
        self.shown.insert(name.to_owned(), shown);
        self.sent.insert(name.to_owned(), value);
    }

    /// Adds fields of the spec under their own names, where they are there.
    fn copy(&mut self, spec: &Map<String, Value>, names: &[&str]) {
        for name in names {
            if let Some(value) = spec.get(*name) {
                self.put(name, value.clone());
            }
        }
    }

    /// Adds the id that a reference has come to.
    fn id(&mut self, name: &str, wanted: &Wanted<'_>, path: &str) {
        if let Some(id) = wanted.found.ids.get(path) {
            self.put(name, id.as_str().into());
        }
    }

    /// Adds a list of bindings, unless none is left (pluralsh/console, internal/common/bindings.go, 2026: one that yields
    /// neither a user nor a group is dropped, and empty lists are not sent).
    fn bindings(&mut self, name: &str, list: Option<&Value>, wanted: &Wanted<'_>) {
        let bindings: Vec<Value> = list
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|binding| attribute(binding, wanted.found))
            .collect();
        if !bindings.is_empty() {
            let all = wanted.found.users.iter().chain(&wanted.found.groups);
            self.labels.extend(all.map(|(name, id)| (id.clone(), name.clone())));
            self.put(name, bindings.into());
        }
    }
}

/// An explicit id goes before an e-mail and a name.
fn attribute(binding: &Value, found: &Found) -> Option<Value> {
    let text = |key: &str| binding.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let id = |id: &str, by: &str, known: &BTreeMap<String, String>| {
        text(id).map(str::to_owned).or_else(|| known.get(text(by)?).cloned())
    };
    let mut attributes = Map::new();
    if let Some(user) = id("UserID", "userEmail", &found.users) {
        attributes.insert("userId".to_owned(), user.into());
    }
    if let Some(group) = id("groupID", "groupName", &found.groups) {
        attributes.insert("groupId".to_owned(), group.into());
    }
    (!attributes.is_empty()).then(|| attributes.into())
}

/// The name that is sent: `spec.name`, or `metadata.name` if that is not set or empty.
fn name(wanted: &Wanted<'_>) -> Value {
    wanted.facts.identity().map_or(Value::Null, |(name, _)| name.into())
}
