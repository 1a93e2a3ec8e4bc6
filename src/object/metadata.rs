use std::sync::Arc;

use jiff::Timestamp;

use super::{Code, Diagnostic, Node, NodeKind, Place, Pos, Severity, masked_text};
use crate::go::yaml;

/// What an object is called.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ref {
    /// `apiVersion` as written: group and version.
    pub api_version: String,
    /// Kind.
    pub kind: String,
    /// Namespace; `None` when the manifest names none.
    pub namespace: Option<String>,
    /// Name; `None` for an object with only a `generateName`, or without any.
    pub name: Option<String>,
}

impl Ref {
    /// `kind.group/name`, the kind in lower case: what kubectl takes for a name of the object. The group is always
    /// named, as kinds such as Service and Project exist in others, too. An object without a name ends in the `/`.
    pub fn resource(&self) -> String {
        let name = self.name.as_deref().unwrap_or_default();
        let mut resource = String::with_capacity(self.kind.len() + self.api_version.len() + name.len() + 2);
        resource.push_str(&self.kind);
        resource.make_ascii_lowercase();
        resource.extend([".", self.group(), "/", name]);
        resource
    }

    /// `Kind namespace/name`, as a title.
    pub fn title(&self) -> String {
        let name = self.name.as_deref().unwrap_or("(no name)");
        match &self.namespace {
            Some(namespace) => format!("{} {namespace}/{name}", self.kind),
            None => format!("{} {name}", self.kind),
        }
    }

    /// The API group: what stands before the `/` of the apiVersion, empty for the core group.
    pub fn group(&self) -> &str {
        self.api_version.split_once('/').map_or("", |(group, _)| group)
    }
}

/// The value of an annotation, as the API server would hold it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnnotationValue {
    /// A string.
    Text(String),
    /// Null: stored as the empty string by create and server-side apply; `kubectl apply` loses all annotations.
    Null,
    /// Not a string: the API server refuses the object. What is written in the manifest, where that is a scalar.
    NotAString(Option<String>),
}

/// One annotation with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: AnnotationValue,
    /// Where the value stands.
    pub pos: Pos,
    /// Whether the value is written in quotes (or as a block).
    pub quoted: bool,
}

impl Annotation {
    /// The string that the API server would hold: the text, or the empty string for null. `None` when it would
    /// refuse the object.
    pub fn stored(&self) -> Option<&str> {
        match &self.value {
            AnnotationValue::Text(text) => Some(text),
            AnnotationValue::Null => Some(""),
            AnnotationValue::NotAString(_) => None,
        }
    }
}

/// One status condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// `status`: `True`, `False`, `Unknown`, as written.
    pub status: String,
    /// `reason`, possibly empty.
    pub reason: String,
    /// `message`, possibly empty; logins and tokens in URLs masked.
    pub message: String,
    /// `lastTransitionTime`, if it can be read.
    pub since: Option<Timestamp>,
    /// Where the condition stands.
    pub pos: Pos,
}

/// What a system wants to know of an object's metadata.
#[derive(Debug, Clone, Copy)]
pub struct Interest {
    /// Which annotations and labels are kept.
    pub keep: fn(&str) -> bool,
    /// Which annotations hold whole seconds.
    pub seconds: fn(&str) -> bool,
    /// Whose values may hold a secret and are never shown.
    pub sensitive: fn(&str) -> bool,
    /// The field manager whose writes of the status are looked for.
    pub manager: &'static str,
}

/// The facts of an object's `metadata` that are kept when its tree is dropped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The annotations that were asked for.
    pub annotations: Vec<Annotation>,
    /// The labels that were asked for by the same rule: their keys and places.
    pub labels: Vec<(String, Pos)>,
    /// `metadata.generation`.
    pub generation: Option<i64>,
    /// `metadata.deletionTimestamp`: `Some(None)` when it is set to something that is no timestamp.
    pub deletion: Option<Option<Timestamp>>,
    /// `metadata.finalizers`.
    pub finalizers: Vec<String>,
    /// The latest time at which a given field manager wrote the status, from `metadata.managedFields`.
    pub last_status_write: Option<Timestamp>,
    /// Annotations and labels that are not strings, and fields that cannot be read.
    pub problems: Vec<Diagnostic>,
}

impl Metadata {
    /// Reads `metadata` of the object at `root`. Values of annotations and labels that are not strings become problems
    /// whatever their key.
    pub fn read(root: Node<'_>, file: &Arc<str>, interest: &Interest) -> Metadata {
        let mut metadata = Metadata::default();
        let Some(node) = root.get("metadata") else { return metadata };
        metadata.check_map(node, file, "metadata", "ObjectMeta");
        for entry in node.entries() {
            match entry.key.scalar().map(|key| key.text) {
                Some("annotations") => metadata.read_annotations(entry.value, file, interest),
                Some("labels") => metadata.read_labels(entry.value, file, interest),
                Some(field @ ("name" | "namespace")) if entry.value.str().is_none() && !entry.value.is_null() => {
                    let complaint = complaint(entry.value, field, "string");
                    let message =
                        format!("metadata.{field} is not a string, so the API server refuses the object: {complaint}");
                    let place = Place::new(file, entry.value.pos());
                    let problem = Diagnostic::new(Code::NotAString, Severity::Error, place, message);
                    metadata.problems.push(problem.with_fix(format!("put the {field} into quotes")));
                }
                Some("generation") => {
                    metadata.generation = entry.value.int();
                    if metadata.generation.is_none() && !entry.value.is_null() {
                        metadata.unreadable(entry.value, "metadata.generation is not a whole number", file);
                    }
                }
                Some("deletionTimestamp") if !entry.value.is_null() => {
                    metadata.deletion = Some(metadata.timestamp(entry.value, "metadata.deletionTimestamp", file));
                }
                Some("finalizers") => {
                    metadata.finalizers = entry.value.items().filter_map(Node::str).map(str::to_owned).collect();
                }
                Some("managedFields") => metadata.last_status_write = last_status_write(entry.value, interest.manager),
                _ => {}
            }
        }
        // Most objects have one annotation of interest; a vector makes room for four.
        metadata.annotations.shrink_to_fit();
        metadata
    }

    /// The annotation with `key`, if it is there and was kept.
    pub fn annotation(&self, key: &str) -> Option<&Annotation> {
        self.annotations.iter().find(|annotation| annotation.key == key)
    }

    fn read_annotations(&mut self, node: Node<'_>, file: &Arc<str>, interest: &Interest) {
        self.check_map(node, file, "annotations", "map[string]string");
        for entry in node.entries() {
            let Some(key) = entry.key.scalar().map(|key| key.text) else { continue };
            if let Some(problem) = not_a_string(entry.value, key, "annotations", interest, file) {
                self.problems.push(problem);
            }
            if (interest.keep)(key) {
                self.annotations.push(Annotation {
                    key: key.to_owned(),
                    value: annotation_value(entry.value),
                    pos: entry.value.pos(),
                    quoted: entry.value.scalar().is_some_and(|scalar| scalar.quoted()),
                });
            }
        }
    }

    fn read_labels(&mut self, node: Node<'_>, file: &Arc<str>, interest: &Interest) {
        self.check_map(node, file, "labels", "map[string]string");
        for entry in node.entries() {
            let Some(key) = entry.key.scalar().map(|key| key.text) else { continue };
            if let Some(problem) = not_a_string(entry.value, key, "labels", interest, file) {
                self.problems.push(problem);
            }
            if (interest.keep)(key) {
                self.labels.push((key.to_owned(), entry.key.pos()));
            }
        }
    }

    fn check_map(&mut self, node: Node<'_>, file: &Arc<str>, field: &str, wanted: &str) {
        if node.kind() == NodeKind::Mapping || node.is_null() {
            return;
        }
        let complaint = match field {
            "metadata" => String::new(),
            _ => format!(": {}", complaint(node, field, wanted)),
        };
        let message = format!("{field} is not a mapping, so the API server refuses the object{complaint}");
        let place = Place::new(file, node.pos());
        self.problems.push(Diagnostic::new(Code::NotAString, Severity::Error, place, message));
    }

    fn timestamp(&mut self, node: Node<'_>, field: &str, file: &Arc<str>) -> Option<Timestamp> {
        let time = node.str().and_then(|text| text.parse().ok());
        if time.is_none() {
            self.unreadable(node, &format!("{field} is not a time such as 2026-11-30T03:12:00Z"), file);
        }
        time
    }

    fn unreadable(&mut self, node: Node<'_>, message: &str, file: &Arc<str>) {
        let place = Place::new(file, node.pos());
        self.problems.push(Diagnostic::new(Code::UnreadableField, Severity::Warning, place, message));
    }
}

/// The condition of type `kind` in `status.conditions` of the object at `root`.
pub fn condition(root: Node<'_>, kind: &str) -> Option<Condition> {
    let conditions = root.at(&["status", "conditions"])?;
    let node = conditions.items().find(|item| item.get("type").and_then(Node::str) == Some(kind))?;
    let text = |key| node.get(key).and_then(Node::str).unwrap_or_default().to_owned();
    Some(Condition {
        status: condition_status(node).to_owned(),
        reason: text("reason"),
        message: masked_text(&text("message")).into_owned(),
        since: node.get("lastTransitionTime").and_then(Node::str).and_then(|text| text.parse().ok()),
        pos: node.pos(),
    })
}

/// The status of a condition. `status: True` without quotes is a boolean; the API server would refuse it, but the
/// meaning is plain.
pub fn condition_status(condition: Node<'_>) -> &str {
    let Some(status) = condition.get("status") else { return "" };
    match status.bool() {
        Some(true) => "True",
        Some(false) => "False",
        None => status.str().unwrap_or_default(),
    }
}

fn last_status_write(managed: Node<'_>, manager: &str) -> Option<Timestamp> {
    let field = |item: Node<'_>, key, wanted| item.get(key).and_then(Node::str) == Some(wanted);
    managed
        .items()
        .filter(|item| field(*item, "manager", manager) && field(*item, "subresource", "status"))
        .filter_map(|item| item.get("time").and_then(Node::str).and_then(|text| text.parse().ok()))
        .max()
}

fn annotation_value(node: Node<'_>) -> AnnotationValue {
    if node.is_null() {
        return AnnotationValue::Null;
    }
    match (node.str(), node.scalar()) {
        (Some(text), _) => AnnotationValue::Text(text.to_owned()),
        (None, Some(scalar)) => match scalar.resolve() {
            // `!!binary`: the API server gets what it decodes to.
            yaml::Scalar::Decoded(text) => AnnotationValue::Text(text),
            _ => AnnotationValue::NotAString(Some(scalar.text.to_owned())),
        },
        (None, None) => AnnotationValue::NotAString(None),
    }
}

/// The complaint of the API server about a value of the wrong type, in its own words (measured with kubectl 1.32).
fn complaint(node: Node<'_>, field: &str, wanted: &str) -> String {
    let found = match node.kind() {
        NodeKind::Mapping => "object",
        NodeKind::Sequence => "array",
        NodeKind::Scalar => match node.scalar().map(|scalar| scalar.resolve()) {
            Some(yaml::Scalar::NonFinite(value)) => return unsupported(value),
            Some(yaml::Scalar::Invalid(message)) => return format!("error converting YAML to JSON: {message}"),
            Some(other) => other.json_type(),
            None => "string",
        },
    };
    format!("json: cannot unmarshal {found} into Go struct field ObjectMeta.metadata.{field} of type {wanted}")
}

fn unsupported(value: f64) -> String {
    let value = if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "+Inf"
    } else {
        "-Inf"
    };
    format!("error converting YAML to JSON: json: unsupported value: {value}")
}

fn not_a_string(node: Node<'_>, key: &str, field: &str, interest: &Interest, file: &Arc<str>) -> Option<Diagnostic> {
    let seconds = field == "annotations" && (interest.seconds)(key);
    if node.str().is_some() || matches!(annotation_value(node), AnnotationValue::Text(_)) {
        return None;
    }
    let place = Place::new(file, node.pos());
    let singular = field.trim_end_matches('s');
    if node.is_null() {
        // What kubectl apply does was measured on a real server, for annotations only.
        let lost =
            if field == "annotations" { ", kubectl apply silently drops all annotations of the object" } else { "" };
        let message = format!("{singular} {key} is null: create and server-side apply store it as \"\"{lost}");
        // Where whole seconds are wanted, empty is a mistake of its own.
        let fix = match seconds {
            true => format!("remove the line, or write whole seconds in quotes, such as {key}: \"600\""),
            false => format!("remove the line, or write {key}: \"\""),
        };
        return Some(Diagnostic::new(Code::NullValue, Severity::Error, place, message).with_fix(fix));
    }
    if (interest.sensitive)(key) {
        let message = format!("{singular} {key} is not a string, so the API server refuses the object");
        let problem = Diagnostic::new(Code::NotAString, Severity::Error, place, message);
        return Some(problem.with_fix(format!("give {key} a string in quotes")));
    }
    let message = format!(
        "{singular} {key} is not a string, so the API server refuses the object: {}",
        complaint(node, field, "string")
    );
    let problem = Diagnostic::new(Code::NotAString, Severity::Error, place, message);
    Some(match node.scalar() {
        Some(scalar) => problem.with_fix(match quoted_form(seconds, scalar.text, &scalar.resolve()) {
            Some(quoted) => format!("write {key}: {quoted}"),
            None => format!("write whole seconds in quotes, such as {key}: \"600\""),
        }),
        None => problem.with_fix(format!("give {key} a string in quotes")),
    })
}

/// The quoted form that works. Quoting what is written is right unless the annotation wants whole seconds and
/// YAML had read another spelling of one (`1_000`, `1e3`, `0x10`): then it is that number in decimal. `None` where a
/// number is wanted and none is meant (`on`, `1.5`).
fn quoted_form(wants_number: bool, text: &str, value: &yaml::Scalar) -> Option<String> {
    let seconds = |text: &str| crate::go::parse_int(text, 10, 32).is_ok_and(|number| number >= 0);
    if wants_number && !seconds(text) {
        let number = match value {
            yaml::Scalar::Int(number) => number.to_string(),
            yaml::Scalar::Float(number) if number.fract() == 0.0 => format!("{number:.0}"),
            _ => return None,
        };
        return seconds(&number).then(|| format!("\"{number}\""));
    }
    Some(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
}
