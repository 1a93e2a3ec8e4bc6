//! The form of a spec: what the API server accepts of it, and in which order Go's structs have its fields.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::go;
use crate::object::{Code, Diagnostic, Node, NodeKind, Place, Severity};

/// A field of a spec.
#[derive(Debug, Clone, Copy)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Whether the CRD requires it.
    pub required: bool,
    /// What it holds.
    pub shape: Shape,
    /// What Go's encoder writes where the manifest has nothing.
    pub otherwise: Otherwise,
}

/// What a field holds.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// A text.
    Text,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A boolean.
    Bool,
    /// A whole number.
    Int,
    /// Anything.
    Any,
    /// Texts by key.
    Texts,
    /// A list.
    List(&'static Shape),
    /// These fields.
    Object(&'static [Member]),
}

/// What Go's encoder writes of a field that the manifest leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Otherwise {
    /// Nothing.
    Nothing,
    /// A default of the CRD, where the object around it is there.
    Text(&'static str),
    /// The same.
    True,
    /// `{}`.
    Empty,
    /// `null`.
    Null,
}

/// A field that may be left out.
pub(super) const fn may(name: &'static str, shape: Shape) -> Member {
    Member { name, required: false, shape, otherwise: Otherwise::Nothing }
}

/// A field that the CRD requires.
pub(super) const fn must(name: &'static str, shape: Shape) -> Member {
    Member { name, required: true, shape, otherwise: Otherwise::Nothing }
}

impl Member {
    /// The same, with something in its place where it is left out.
    pub(super) const fn or(mut self, otherwise: Otherwise) -> Member {
        self.otherwise = otherwise;
        self
    }
}

/// `spec.reconciliation` with the CRD's defaults (pluralsh/console, api/v1alpha1/reconciliation.go, 2026).
pub(super) const RECONCILIATION: Member = may(
    "reconciliation",
    Shape::Object(&[
        may("driftDetection", Shape::Bool).or(Otherwise::True),
        may("interval", Shape::Text).or(Otherwise::Text("30m")),
    ]),
);

/// A reference to an object, in Go's order (k8s.io/api core/v1 `ObjectReference`).
pub(super) const OBJECT_REFERENCE: Shape = Shape::Object(&[
    may("kind", Shape::Text),
    may("namespace", Shape::Text),
    may("name", Shape::Text),
    may("uid", Shape::Text),
    may("apiVersion", Shape::Text),
    may("resourceVersion", Shape::Text),
    may("fieldPath", Shape::Text),
]);

/// A reference to a Secret (k8s.io/api core/v1 `SecretReference`).
pub(super) const SECRET_REFERENCE: Shape = Shape::Object(&[may("name", Shape::Text), may("namespace", Shape::Text)]);

/// A list of bindings, keys in Go's order (pluralsh/console, api/v1alpha1/binding_types.go).
pub(super) const BINDINGS: Shape = Shape::List(&Shape::Object(&[
    may("id", Shape::Text),
    may("UserID", Shape::Text),
    may("userEmail", Shape::Text),
    may("groupID", Shape::Text),
    may("groupName", Shape::Text),
]));

/// A list of texts.
pub(super) const TEXTS: Shape = Shape::List(&Shape::Text);

/// The spec as the controller's structs hold it: fields in their order, defaults applied, and nothing that the API server
/// drops or that is null. Lists and maps that are empty are left out, as Go's encoder does (`omitempty`).
pub fn canonical(node: Option<Node<'_>>, members: &[Member]) -> Map<String, Value> {
    let mut fields = Map::new();
    for member in members {
        let given = node.and_then(|node| node.get(member.name)).filter(|node| !node.is_null());
        let value = match (given, member.otherwise) {
            (Some(given), _) => one(given, member.shape),
            (None, Otherwise::Nothing) => None,
            (None, Otherwise::Text(text)) => Some(text.into()),
            (None, Otherwise::True) => Some(true.into()),
            (None, Otherwise::Empty) => Some(Map::new().into()),
            (None, Otherwise::Null) => Some(Value::Null),
        };
        if let Some(value) = value {
            fields.insert(member.name.to_owned(), value);
        }
    }
    fields
}

fn one(node: Node<'_>, shape: Shape) -> Option<Value> {
    match shape {
        Shape::Object(members) => Some(canonical(Some(node), members).into()),
        Shape::List(of) => {
            let items: Vec<Value> = node.items().map(|item| one(item, *of).unwrap_or_default()).collect();
            (!items.is_empty()).then(|| items.into())
        }
        Shape::Texts => {
            let all = go::sorted(&node.json());
            all.as_object().is_some_and(|all| !all.is_empty()).then_some(all)
        }
        Shape::Any => Some(go::sorted(&node.json())),
        Shape::Text | Shape::Word(_) | Shape::Bool | Shape::Int => Some(node.json()),
    }
}

/// What of a spec the API server refuses, and what it silently drops.
pub fn problems(spec: Option<Node<'_>>, root: Node<'_>, members: &[Member], file: &Arc<str>) -> Vec<Diagnostic> {
    let mut checker = Checker { file, problems: Vec::new() };
    match spec {
        Some(spec) => checker.object(spec, members, "spec"),
        None => checker.missing(root, members, "spec"),
    }
    checker.problems
}

struct Checker<'f> {
    file: &'f Arc<str>,
    problems: Vec<Diagnostic>,
}

impl Checker<'_> {
    fn missing(&mut self, at: Node<'_>, members: &[Member], path: &str) {
        for member in members.iter().filter(|member| member.required) {
            let message =
                format!("{path}.{} is missing: the CRD requires it, so the API server refuses the object", member.name);
            let place = Place::new(self.file, at.pos());
            self.problems.push(Diagnostic::new(Code::MissingField, Severity::Error, place, message));
        }
    }

    fn object(&mut self, node: Node<'_>, members: &[Member], path: &str) {
        if node.kind() != NodeKind::Mapping {
            return self.refused(node, path, "a mapping");
        }
        for member in members {
            match node.get(member.name).filter(|node| !node.is_null()) {
                Some(value) => self.value(value, member.shape, &format!("{path}.{}", member.name)),
                None => self.missing(node, std::slice::from_ref(member), path),
            }
        }
        for entry in node.entries() {
            let key = entry.key.scalar().map_or("", |scalar| scalar.text);
            if members.iter().any(|member| member.name == key) {
                continue;
            }
            let message = format!("{path}.{key} is unknown to the CRD: the API server drops it");
            let place = Place::new(self.file, entry.key.pos());
            let problem = Diagnostic::new(Code::UnknownField, Severity::Warning, place, message);
            // Of short names, two letters are too much to be a slip.
            let near = members.iter().filter_map(|member| {
                let distance = strsim::damerau_levenshtein(member.name, key);
                (distance <= 2 && distance < member.name.len().min(key.len())).then_some((distance, member.name))
            });
            self.problems.push(match near.min_by_key(|(distance, _)| *distance) {
                Some((_, meant)) => problem.with_fix(format!("is {meant} meant?")),
                None => problem,
            });
        }
    }

    fn value(&mut self, node: Node<'_>, shape: Shape, path: &str) {
        match shape {
            Shape::Any => {}
            Shape::Text if node.str().is_some() => {}
            Shape::Text => self.refused(node, path, "a string"),
            Shape::Word(words) if node.str().is_some_and(|word| words.contains(&word)) => {}
            Shape::Word(words) => self.refused(node, path, &format!("one of {}", words.join(", "))),
            Shape::Bool if node.bool().is_some() => {}
            Shape::Bool => self.refused(node, path, "a boolean"),
            Shape::Int if node.int().is_some() => {}
            Shape::Int => self.refused(node, path, "a whole number"),
            Shape::Texts => {
                if node.kind() != NodeKind::Mapping {
                    return self.refused(node, path, "a mapping");
                }
                for entry in node.entries() {
                    let key = entry.key.scalar().map_or("", |scalar| scalar.text);
                    self.value(entry.value, Shape::Text, &format!("{path}.{key}"));
                }
            }
            Shape::List(of) => {
                if node.kind() != NodeKind::Sequence {
                    return self.refused(node, path, "a list");
                }
                for (index, item) in node.items().enumerate() {
                    self.value(item, *of, &format!("{path}[{index}]"));
                }
            }
            Shape::Object(members) => self.object(node, members, path),
        }
    }

    fn refused(&mut self, node: Node<'_>, path: &str, wanted: &str) {
        let message = format!("{path} is not {wanted}, so the API server refuses the object");
        let place = Place::new(self.file, node.pos());
        self.problems.push(Diagnostic::new(Code::RefusedField, Severity::Error, place, message));
    }
}
