//! What an update would change: the attributes of an object beside what the Console returned.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Number, Value};

use super::console::{MASK, Of, Output, is_password, leaves_masked, logins_masked};
use super::kind::{Attributes, Managed};
use crate::object::masked_text;

/// How an attribute is compared whose counterpart in the answer is not of the same name and form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// An id with that of the object in this field.
    Id(&'static str),
    /// Bindings: sets of users and groups.
    Bindings,
    /// A text that holds JSON with the value that it means.
    Json,
}

/// A field in which the Console differs from what would be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Its path in the attributes.
    pub path: String,
    /// What the Console holds, as it may be shown; null where it holds nothing.
    pub from: Value,
    /// What would be sent, as it may be shown; null for something that would go.
    pub to: Value,
}

/// A field that cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uncompared {
    /// Its path in the attributes.
    pub path: String,
    /// Why.
    pub reason: &'static str,
}

/// What comes of a comparison.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Difference {
    /// Where the two differ, in the order of the attributes.
    pub changes: Vec<Change>,
    /// What cannot be compared.
    pub uncompared: Vec<Uncompared>,
}

/// The Console's schema has no such field in what it returns.
const NOT_RETURNED: &str = "the Console does not return it";
/// What a snapshot or a recording holds instead of a secret.
const MASKED: &str = "its value is masked";

/// Compares what would be sent with what the Console returned. Fields that are not sent are left as they are, and so are
/// not compared.
pub fn compare(managed: &Managed, attributes: &Attributes, answer: &Value) -> Difference {
    let mut comparison = Comparison { managed, labels: &attributes.labels, difference: Difference::default() };
    comparison.fields("", "", &attributes.sent, &attributes.shown, answer, managed.query.returned);
    comparison.difference
}

struct Comparison<'a> {
    managed: &'a Managed,
    labels: &'a BTreeMap<String, String>,
    difference: Difference,
}

/// What the Console holds, as it may be shown.
fn shown(value: &Value, of: Of) -> Value {
    match (of, value) {
        (_, Value::Null) => Value::Null,
        (Of::Object(fields), _) => super::console::masked(value, fields),
        (Of::Secret, _) => MASK.into(),
        (Of::SecretMap, _) => leaves_masked(value),
        _ => logins_masked(value),
    }
}

impl Comparison<'_> {
    fn change(&mut self, path: &str, from: Value, to: Value) {
        self.difference.changes.push(Change { path: path.to_owned(), from, to });
    }

    fn cannot(&mut self, path: &str, reason: &'static str) {
        self.difference.uncompared.push(Uncompared { path: path.to_owned(), reason });
    }

    /// The fields of an object. `rule` is its path without indices.
    fn fields(
        &mut self,
        path: &str,
        rule: &str,
        sent: &Map<String, Value>,
        display: &Map<String, Value>,
        answer: &Value,
        outputs: &[Output],
    ) {
        // By what it is here or there: neither value may be shown then.
        let password = is_password(sent) || answer.as_object().is_some_and(is_password);
        let below = |path: &str, key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        for (key, value) in sent {
            let (path, rule) = (below(path, key), below(rule, key));
            let to = display.get(key).cloned().unwrap_or(Value::Null);
            let rules = self.managed.compared;
            let how = rules.iter().find(|(path, _)| *path == rule).map(|(_, how)| *how);
            let counterpart = match how {
                Some(Compared::Id(field)) => field,
                _ => key.as_str(),
            };
            let Some(output) = outputs.iter().find(|output| output.name == counterpart) else {
                self.cannot(&path, NOT_RETURNED);
                continue;
            };
            let held = answer.get(counterpart).unwrap_or(&Value::Null);
            match how {
                Some(Compared::Id(_)) => self.id(&path, value, held),
                Some(Compared::Bindings) => self.bindings(&path, value, held),
                Some(Compared::Json) => self.json(&path, value, &to, held, output.of),
                None if password && output.name == "default" => {
                    let to = if to.is_null() { to } else { MASK.into() };
                    self.value(&path, &rule, value, &to, held, &output.of(Of::Secret));
                }
                None => self.value(&path, &rule, value, &to, held, output),
            }
        }
    }

    fn value(&mut self, path: &str, rule: &str, sent: &Value, display: &Value, held: &Value, output: &Output) {
        match (sent, held) {
            (Value::Array(sent), _) => self.list(path, rule, sent, display, held, output),
            (Value::Object(sent), Value::Object(_)) => {
                if let (Of::Object(outputs), Value::Object(display)) = (output.of, display) {
                    self.fields(path, rule, sent, display, held, outputs);
                }
            }
            // An empty block asks for nothing.
            (Value::Object(sent), Value::Null) if sent.is_empty() => {}
            _ if output.of == Of::Secret && held.as_str() == Some(MASK) => self.cannot(path, MASKED),
            _ => match meet(sent, held) {
                Meeting::Same => {}
                Meeting::Masked => self.cannot(path, MASKED),
                Meeting::Different => self.change(path, shown(held, output.of), display.clone()),
            },
        }
    }

    fn list(&mut self, path: &str, rule: &str, sent: &[Value], display: &Value, held: &Value, output: &Output) {
        let empty = Vec::new();
        let held = held.as_array().unwrap_or(&empty);
        let display = display.as_array().unwrap_or(&empty);
        if !sent.iter().any(Value::is_object) {
            return match meet_all(sent, held) {
                Meeting::Same => {}
                Meeting::Masked => self.cannot(path, MASKED),
                Meeting::Different => {
                    let from = held.iter().map(|item| shown(item, output.of)).collect();
                    self.change(path, from, display.clone().into());
                }
            };
        }
        for index in 0..sent.len().max(held.len()) {
            let path = format!("{path}[{index}]");
            match (sent.get(index), held.get(index)) {
                (Some(sent), Some(held)) if !held.is_null() => {
                    let one = Output { list: false, ..*output };
                    self.value(&path, rule, sent, display.get(index).unwrap_or(&Value::Null), held, &one);
                }
                (Some(_), _) => {
                    self.change(&path, Value::Null, display.get(index).cloned().unwrap_or_default());
                }
                (None, held) => {
                    let from = held.map_or(Value::Null, |held| shown(held, output.of));
                    self.change(&path, from, Value::Null);
                }
            }
        }
    }

    fn id(&mut self, path: &str, sent: &Value, held: &Value) {
        let id = held.get("id").unwrap_or(&Value::Null);
        if id != sent {
            // The name says more to people than the id alone.
            let name = ["name", "url"].iter().find_map(|key| held.get(*key)?.as_str());
            let from = match (id.as_str(), name) {
                (Some(id), Some(name)) => format!("{id} ({})", crate::object::masked_url(name)).into(),
                _ => id.clone(),
            };
            self.change(path, from, sent.clone());
        }
    }

    fn bindings(&mut self, path: &str, sent: &Value, held: &Value) {
        let items = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let pair = |user: Option<&Value>, group: Option<&Value>| {
            let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
            (text(user), text(group))
        };
        let wanted: BTreeSet<_> =
            items(sent).iter().map(|binding| pair(binding.get("userId"), binding.get("groupId"))).collect();
        let id = |binding: &Value, of: &str| binding.get(of).and_then(|of| of.get("id")).cloned();
        let held = items(held);
        let there: BTreeSet<_> = held
            .iter()
            .map(|binding| pair(id(binding, "user").as_ref(), id(binding, "group").as_ref()))
            // Of nobody, or null.
            .filter(|pair| *pair != (None, None))
            .collect();
        if wanted != there {
            let name = |kind: &str, id: &Option<String>| {
                let id = id.as_ref()?;
                let known = held.iter().find_map(|binding| {
                    let of = binding.get(kind).filter(|of| of.get("id").and_then(Value::as_str) == Some(id))?;
                    of.get(if kind == "user" { "email" } else { "name" })?.as_str()
                });
                let known = known.or_else(|| self.labels.get(id).map(String::as_str));
                Some(format!("{kind} {}", known.unwrap_or(id)))
            };
            let told = |pairs: &BTreeSet<(Option<String>, Option<String>)>| -> Value {
                let one = |(user, group): &(Option<String>, Option<String>)| -> Value {
                    let parts: Vec<String> = [name("user", user), name("group", group)].into_iter().flatten().collect();
                    parts.join(" and ").into()
                };
                pairs.iter().map(one).collect()
            };
            self.change(path, told(&there), told(&wanted));
        }
    }

    /// Key by key, so that one that differs is named and the others are not.
    fn json(&mut self, path: &str, sent: &Value, display: &Value, held: &Value, of: Of) {
        let parsed =
            |text: &Value| text.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok()).unwrap_or_default();
        let (sent, display) = (parsed(sent), parsed(display));
        let nothing = Value::Object(Map::new());
        let held = if held.is_null() { &nothing } else { held };
        self.json_value(path, &sent, &display, held, of);
    }

    fn json_value(&mut self, path: &str, sent: &Value, display: &Value, held: &Value, of: Of) {
        if let (Value::Object(sent), Value::Object(held)) = (sent, held) {
            let keys: BTreeSet<&String> = sent.keys().chain(held.keys()).collect();
            for key in keys {
                let path = format!("{path}.{key}");
                let display = display.get(key).unwrap_or(&Value::Null);
                match (sent.get(key), held.get(key)) {
                    (Some(sent), Some(held)) => self.json_value(&path, sent, display, held, of),
                    (Some(_), None) => self.change(&path, Value::Null, display.clone()),
                    (None, held) => {
                        self.change(&path, held.map_or(Value::Null, |held| json_shown(held, of)), Value::Null)
                    }
                }
            }
            return;
        }
        match meet(sent, held) {
            Meeting::Same => {}
            Meeting::Masked => self.cannot(path, MASKED),
            Meeting::Different => self.change(path, json_shown(held, of), display.clone()),
        }
    }
}

fn json_shown(value: &Value, of: Of) -> Value {
    if of == Of::SecretMap { leaves_masked(value) } else { logins_masked(value) }
}

/// A list of bindings that is sent, as people call the users and groups in it.
pub fn bindings_told(sent: &Value, labels: &BTreeMap<String, String>) -> Value {
    let one = |binding: &Value| -> Value {
        let name = |kind: &str, key: &str| {
            let id = binding.get(key)?.as_str()?;
            Some(format!("{kind} {}", labels.get(id).map_or(id, String::as_str)))
        };
        let parts: Vec<String> = [name("user", "userId"), name("group", "groupId")].into_iter().flatten().collect();
        parts.join(" and ").into()
    };
    sent.as_array().into_iter().flatten().map(one).collect()
}

/// How what would be sent meets what is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Meeting {
    /// They mean the same.
    Same,
    /// As far as what is masked lets it be told.
    Masked,
    /// They surely differ.
    Different,
}

fn meet(sent: &Value, held: &Value) -> Meeting {
    let whether = |same: bool| if same { Meeting::Same } else { Meeting::Different };
    match (sent, held) {
        (Value::Number(a), Value::Number(b)) => whether(match (whole(a), whole(b)) {
            (Some(a), Some(b)) => a == b,
            _ => a.as_f64() == b.as_f64(),
        }),
        (Value::Array(a), Value::Array(b)) => meet_all(a, b),
        (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
            let one = |(key, value)| b.get(key).map_or(Meeting::Different, |other| meet(value, other));
            a.iter().map(one).max().unwrap_or(Meeting::Same)
        }
        _ if sent == held => Meeting::Same,
        // The keys of what is masked are left, and so a list or an object is no masked value.
        (Value::Bool(_) | Value::Number(_) | Value::String(_), Value::String(text)) if text == MASK => Meeting::Masked,
        (Value::String(sent), Value::String(held)) if held.contains(MASK) && masked_text(sent) == held.as_str() => {
            Meeting::Masked
        }
        _ => Meeting::Different,
    }
}

fn meet_all(sent: &[Value], held: &[Value]) -> Meeting {
    if sent.len() != held.len() {
        return Meeting::Different;
    }
    sent.iter().zip(held).map(|(sent, held)| meet(sent, held)).max().unwrap_or(Meeting::Same)
}

fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}
