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

/// Its name only: the spec may hold the address of a chat, or a password.
impl std::fmt::Debug for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject").field("reference", &self.facts.reference).finish_non_exhaustive()
    }
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
        let key = entry.key.key();
        let Some(value) = entry.value.str().or_else(|| entry.value.is_null().then_some("")) else {
            let message = format!("data.{key} is not a string, so the API server refuses the {kind}");
            holder.problems.push(Diagnostic::new(Code::RefusedField, Severity::Error, place(entry.value), message));
            continue;
        };
        let value = if kind == "Secret" { decoded(value) } else { Some(value.to_owned()) };
        match value {
            Some(value) => {
                data.insert(key.into_owned(), value);
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
        let key = entry.key.key();
        match entry.value.str().or_else(|| entry.value.is_null().then_some("")) {
            Some(value) => {
                data.insert(key.into_owned(), value.to_owned());
            }
            None => {
                let message = format!("stringData.{key} is not a string, so the API server refuses the Secret");
                holder.problems.push(Diagnostic::new(Code::RefusedField, Severity::Error, place(entry.value), message));
            }
        }
    }
    holder.data = Data(data);
    Some(holder)
}

/// The bytes that base64 stands for, as text. Go's decoder skips line ends; its JSON has U+FFFD for each byte that is no
/// UTF-8.
fn decoded(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|character| !matches!(character, '\r' | '\n')).collect();
    let bytes = BASE64.decode(text.as_bytes()).ok()?;
    let mut decoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        decoded.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Some(decoded)
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
    known: std::sync::OnceLock<Redactor>,
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
            .or_else(|| named().find(|holder| holder.namespace.is_none()))
    }

    /// What takes the secrets of the inputs out of texts: values of Secrets, addresses of chats and defaults of passwords.
    pub fn redactor(&self) -> Redactor {
        let mut secrets: Vec<&str> = Vec::new();
        for holder in self.holders.iter().filter(|holder| holder.kind == "Secret") {
            secrets.extend(holder.data.0.values().map(String::as_str));
        }
        for subject in &self.subjects {
            let configuration = subject.spec.get("configuration");
            for chat in ["slack", "teams"] {
                let url = configuration.and_then(|all| all.get(chat)).and_then(|chat| chat.get("url"));
                secrets.extend(url.and_then(Value::as_str));
            }
            let parameters = configuration.and_then(Value::as_array).into_iter().flatten();
            let passwords = parameters.filter(|parameter| parameter["type"] == "PASSWORD");
            secrets.extend(passwords.filter_map(|parameter| parameter["default"].as_str()));
        }
        // Shorter ones are no secrets, and would tear every text apart.
        secrets.retain(|secret| secret.len() >= 4);
        let in_json = |secret: &&str| Value::from(*secret).to_string().trim_matches('"').to_owned();
        let mut forms: Vec<String> = secrets.iter().map(in_json).collect();
        forms.extend(secrets.into_iter().map(str::to_owned));
        // A shorter one must not tear a longer one apart.
        forms.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        Redactor(forms)
    }

    /// See [`Redactor::redacted`].
    pub fn redacted(&self, text: &str) -> String {
        self.known.get_or_init(|| self.redactor()).redacted(text)
    }
}

/// Takes secrets out of texts of strangers.
#[derive(Clone, Default)]
pub struct Redactor(Vec<String>);

/// It is made of secrets.
impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} secrets", self.0.len())
    }
}

/// Longer messages of strangers are cut.
const LONGEST: usize = 300;

impl Redactor {
    /// A text without the secrets and without logins in URLs, and not longer than a sentence.
    pub fn redacted(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for secret in &self.0 {
            if text.contains(secret.as_str()) {
                text = text.replace(secret.as_str(), crate::plural::console::MASK);
            }
        }
        let text = crate::object::masked_text(&text).into_owned();
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}
