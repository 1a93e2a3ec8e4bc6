use std::collections::BTreeMap;

use data_encoding::BASE64;
use serde_json::{Map, Value};

use crate::assess::Object;
use crate::object::{Code, Diagnostic, Node, Place, Severity};
use crate::plural::kind::{Data, Managed, managed};
use crate::plural::{Facts, shape};
use crate::source::Item;

/// What a pass keeps of one Kubernetes object among its inputs.
#[derive(Debug)]
pub enum Input {
    /// One of the Plural Console.
    Plural(Box<Subject>),
    /// A Secret or a ConfigMap, which others may refer to.
    Holder(Holder),
    /// One of Config Connector, which has no pass of this kind.
    Kcc,
    /// Any other.
    Other,
}

/// An object of the Plural Console with all that is sent of it.
#[derive(Debug)]
pub struct Subject {
    /// Its facts, as every command has them.
    pub facts: Box<Facts>,
    /// What this release knows of reconciling its kind.
    pub managed: Option<&'static Managed>,
    /// Its spec as the controller's structs hold it.
    pub spec: Map<String, Value>,
    /// `status.sha`, an empty one included: a pass that sent nothing stores that.
    pub sha: Option<String>,
    /// What of its spec the API server refuses or drops, besides what the facts tell.
    pub problems: Vec<Diagnostic>,
}

/// A Secret or a ConfigMap.
#[derive(Debug)]
pub struct Holder {
    /// `Secret` or `ConfigMap`.
    pub kind: &'static str,
    /// Its namespace, if it or the caller names one.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
    /// What it holds.
    pub data: Data,
    /// Keys whose values cannot be read.
    pub problems: Vec<Diagnostic>,
}

impl Input {
    /// Reads what a pass needs of an object. `namespace` is for objects that name none.
    pub fn read(item: &Item<'_>, namespace: Option<&str>) -> Input {
        let root = item.node;
        if let ("v1", kind @ ("Secret" | "ConfigMap")) = (item.api_version, item.kind) {
            let kind = if kind == "Secret" { "Secret" } else { "ConfigMap" };
            return holder(item, kind, namespace).map_or(Input::Other, Input::Holder);
        }
        match Object::read(root, item.api_version, item.kind, item.file, namespace) {
            Some(Object::Plural(facts)) => {
                let managed = managed(item.kind);
                let spec = root.get("spec").filter(|spec| !spec.is_null());
                let members = managed.map_or(&[][..], |managed| managed.spec);
                let sha = root.at(&["status", "sha"]).and_then(Node::str);
                Input::Plural(Box::new(Subject {
                    facts,
                    managed,
                    spec: shape::canonical(spec, members),
                    sha: sha.map(str::to_owned),
                    problems: if managed.is_some() {
                        shape::problems(spec, root, members, item.file)
                    } else {
                        Vec::new()
                    },
                }))
            }
            Some(Object::Kcc(_)) => Input::Kcc,
            None => Input::Other,
        }
    }
}

fn holder(item: &Item<'_>, kind: &'static str, default_namespace: Option<&str>) -> Option<Holder> {
    let root = item.node;
    let text = |field| root.at(&["metadata", field]).and_then(Node::str).filter(|text| !text.is_empty());
    let mut holder = Holder {
        kind,
        namespace: text("namespace").or(default_namespace).map(str::to_owned),
        name: text("name")?.to_owned(),
        data: Data::default(),
        problems: Vec::new(),
    };
    let place = |node: Node<'_>| Place::new(item.file, node.pos());
    let mut data = BTreeMap::new();
    for entry in root.get("data").into_iter().flat_map(Node::entries) {
        let key = entry.key.scalar().map_or("", |scalar| scalar.text);
        let Some(value) = entry.value.str().or_else(|| entry.value.is_null().then_some("")) else {
            let message = format!("data.{key} is not a string, so the API server refuses the {kind}");
            holder.problems.push(Diagnostic::new(Code::RefusedField, Severity::Error, place(entry.value), message));
            continue;
        };
        let value = if kind == "Secret" { decoded(value) } else { Some(value.to_owned()) };
        match value {
            Some(value) => {
                data.insert(key.to_owned(), value);
            }
            None => {
                // Not a word of the value itself.
                let message = format!("data.{key} is no base64, so the API server refuses the Secret");
                let problem = Diagnostic::new(Code::RefusedField, Severity::Error, place(entry.value), message);
                holder.problems.push(problem.with_fix("encode it, or put it under stringData"));
            }
        }
    }
    // What the API server makes of it: it goes before `data`.
    let texts = root.get("stringData").filter(|_| kind == "Secret");
    for entry in texts.into_iter().flat_map(Node::entries) {
        if let Some(value) = entry.value.str() {
            data.insert(entry.key.scalar().map_or("", |scalar| scalar.text).to_owned(), value.to_owned());
        }
    }
    holder.data = Data(data);
    Some(holder)
}

/// The bytes that base64 stands for, as text: Go puts them into a string as they are, and JSON can hold only text.
fn decoded(text: &str) -> Option<String> {
    let text: String = text.split_ascii_whitespace().collect();
    let bytes = BASE64.decode(text.as_bytes()).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Everything that a pass is given.
#[derive(Debug, Default)]
pub struct Inputs {
    /// The objects of the Plural Console, in the order of the inputs.
    pub subjects: Vec<Subject>,
    /// The Secrets and ConfigMaps.
    pub holders: Vec<Holder>,
    /// How many objects of Config Connector there are.
    pub kcc: usize,
    /// How many others.
    pub other: usize,
}

impl Inputs {
    /// Sorts what was read.
    pub fn new(all: impl IntoIterator<Item = Input>) -> Inputs {
        let mut inputs = Inputs::default();
        for input in all {
            match input {
                Input::Plural(subject) => inputs.subjects.push(*subject),
                Input::Holder(holder) => inputs.holders.push(holder),
                Input::Kcc => inputs.kcc += 1,
                Input::Other => inputs.other += 1,
            }
        }
        inputs
    }

    /// The Secret or ConfigMap of a name; one that names no namespace stands for every one.
    pub(super) fn holder(&self, kind: &str, namespace: Option<&str>, name: &str) -> Option<&Holder> {
        let named = || self.holders.iter().filter(|holder| holder.kind == kind && holder.name == name);
        named()
            .find(|holder| holder.namespace.as_deref() == namespace)
            .or_else(|| named().find(|holder| holder.namespace.is_none() || namespace.is_none()))
    }

    /// A text in which no value of a Secret among the inputs is left. Shorter values than four characters are no secrets,
    /// and would tear every text apart.
    pub(super) fn redacted(&self, text: &str) -> String {
        let secrets = self.holders.iter().filter(|holder| holder.kind == "Secret");
        let mut text = crate::object::masked_text(text).into_owned();
        for value in secrets.flat_map(|secret| secret.data.0.values()).filter(|value| value.len() >= 4) {
            if text.contains(value.as_str()) {
                text = text.replace(value.as_str(), crate::plural::console::MASK);
            }
        }
        text
    }
}
