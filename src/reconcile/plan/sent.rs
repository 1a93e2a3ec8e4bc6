//! What an object's pass sends, and what that changes.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::planner::{Case, Planner};
use super::{Entry, Follows, Planned, Sending, Variables};
use crate::plural::Use;
use crate::plural::compare::{Change, Compared, bindings_told};
use crate::plural::kind::{Attributes, Token, token};

impl<'a> Planner<'a, '_> {
    /// The mutation for the action.
    pub fn sending(&self, entry: &Entry<'_>, case: &Case<'_, '_>) -> Option<Sending> {
        let (managed, remote, attributes) = (case.managed, case.text("id"), case.attributes.as_ref());
        let mutation = match entry.planned {
            Planned::Create => managed.create,
            Planned::Delete => managed.delete,
            _ => managed.update,
        };
        let (mut variables, mut shown) = (Map::new(), Map::new());
        for (argument, _) in mutation.arguments {
            let (value, display) = match *argument {
                "id" => (Value::from(remote?), Value::from(remote?)),
                "name" => {
                    let (name, _) = case.facts.identity()?;
                    (name.into(), name.into())
                }
                _ => (attributes?.sent.clone().into(), attributes?.shown.clone().into()),
            };
            variables.insert((*argument).to_owned(), value);
            shown.insert((*argument).to_owned(), display);
        }
        let document = mutation.document(managed.query);
        Some(Sending { field: mutation.field, document, shown, variables: Variables(variables) })
    }

    /// What changes, or would if it were managed.
    pub fn describe(&self, entry: &mut Entry<'a>, case: &Case<'_, '_>) {
        let Some(attributes) = &case.attributes else { return };
        entry.changes = match entry.planned {
            Planned::Create => {
                let mut all = Vec::new();
                flatten("", &attributes.shown, &attributes.labels, &mut all);
                all
            }
            Planned::Adopt | Planned::Update | Planned::ReadOnly | Planned::InSync => case.difference.changes.clone(),
            _ => Vec::new(),
        };
        if matches!(entry.planned, Planned::Adopt | Planned::Update | Planned::ReadOnly | Planned::InSync) {
            entry.uncompared.clone_from(&case.difference.uncompared);
        }
        if entry.planned.is_pending() || entry.planned == Planned::InSync {
            entry.notes.extend(attributes.unsent.iter().map(|(field, why)| format!("{field} is not sent: {why}")));
            emptied(entry, case, attributes);
        }
    }

    /// The token that is made after the user is in sync.
    pub fn token(&self, entry: &mut Entry<'a>) {
        let facts = &*self.subject.facts;
        let is_in_sync = entry.planned.is_pending() || entry.planned == Planned::InSync;
        let Some(reference) = facts.references.iter().find(|reference| reference.field.usage == Use::Written) else {
            return;
        };
        if !is_in_sync || entry.planned == Planned::Delete {
            return;
        }
        match token(facts, &self.subject.spec) {
            Token::Unchanged(why) => entry.notes.push(format!("no token is made: {why}")),
            Token::Made { scopes, expiry, hash } => {
                let namespace = reference.namespace.as_deref().or(facts.reference.namespace.as_deref());
                let secret = format!("{}/{}", namespace.unwrap_or("default"), reference.name);
                entry.follows = Some(Follows { field: "createServiceAccountToken", scopes, expiry, secret, hash });
            }
        }
    }
}

/// Lists of bindings that the manifest empties and the Console keeps (console.md section 2.5).
fn emptied(entry: &mut Entry<'_>, case: &Case<'_, '_>, attributes: &Attributes) {
    let Some(held) = case.held() else { return };
    let sent = |name: &str| attributes.sent.contains_key(name);
    let bound = |name: &str| held.get(name).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
    let lists = case.managed.compared.iter().filter(|(_, how)| *how == Compared::Bindings).map(|(name, _)| *name);
    for list in lists.filter(|list| bound(list) && !sent(list)) {
        entry.notes.push(format!(
            "{list}: the Console has some and the manifest none; a list that is empty is not sent, so they stay"
        ));
    }
}

/// Everything that is sent, field by field: lists of blocks index by index, other lists as a whole.
fn flatten(path: &str, fields: &Map<String, Value>, labels: &BTreeMap<String, String>, into: &mut Vec<Change>) {
    for (key, value) in fields {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Object(fields) if !fields.is_empty() => flatten(&path, fields, labels, into),
            // Attributes of bindings are ids, and people know names.
            Value::Array(_) if path.ends_with("Bindings") => {
                into.push(Change { path, from: Value::Null, to: bindings_told(value, labels) });
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                for (index, item) in items.iter().enumerate() {
                    match item {
                        Value::Object(fields) => flatten(&format!("{path}[{index}]"), fields, labels, into),
                        other => {
                            into.push(Change { path: format!("{path}[{index}]"), from: Value::Null, to: other.clone() })
                        }
                    }
                }
            }
            other => into.push(Change { path, from: Value::Null, to: other.clone() }),
        }
    }
}
