use std::sync::Arc;

use serde_json::Value;

use crate::object::{Code, Diagnostic, Node, NodeKind, Place, Severity};

/// Compares what is expected of a played script with what came of it. The expectation is a part of what is printed as
/// JSON or YAML: a mapping whose `steps` name the fields that matter. A step is the one with its number, or the one at
/// its place in the list; of a list inside a step every item counts.
///
/// Returns what differs ([`Code::Difference`]), and what of the expectation cannot be compared ([`Code::Expectation`]),
/// each at its place.
pub fn differences(expected: Node<'_>, file: &Arc<str>, told: &Value) -> Vec<Diagnostic> {
    let mut comparison = Comparison { file, found: Vec::new() };
    let mut compared = false;
    for entry in expected.entries() {
        let key = entry.key.scalar().map_or("", |scalar| scalar.text);
        match key {
            "apiVersion" | "kind" => {}
            "steps" => {
                compared |= entry.value.items().next().is_some();
                comparison.steps(entry.value, &told["steps"]);
            }
            "release" => comparison.value(entry.value, &told["release"], "release"),
            // What a saved output holds besides depends on the call, not on the script.
            known if told.get(known).is_some() => {}
            _ => comparison.fault(entry.key, format!("{key:?} cannot be compared; there are release and steps")),
        }
    }
    if !compared {
        comparison.fault(expected, "no steps are expected, so nothing is compared".to_owned());
    }
    comparison.found
}

struct Comparison<'f> {
    file: &'f Arc<str>,
    found: Vec<Diagnostic>,
}

impl Comparison<'_> {
    fn say(&mut self, code: Code, node: Node<'_>, message: String) {
        self.found.push(Diagnostic::new(code, Severity::Error, Place::new(self.file, node.pos()), message));
    }

    /// Something in the expectation that nothing can be compared with.
    fn fault(&mut self, node: Node<'_>, message: String) {
        self.say(Code::Expectation, node, message);
    }

    fn differs(&mut self, node: Node<'_>, message: String) {
        self.say(Code::Difference, node, message);
    }

    fn steps(&mut self, expected: Node<'_>, told: &Value) {
        if expected.kind() != NodeKind::Sequence {
            return self.fault(expected, "steps is not a list".to_owned());
        }
        let told = told.as_array().map_or(&[][..], Vec::as_slice);
        for (place, step) in expected.items().enumerate() {
            let number = match step.get("step") {
                Some(number) => number.int().and_then(|number| usize::try_from(number).ok()),
                None => Some(place),
            };
            match number.and_then(|number| Some((number, told.get(number)?))) {
                Some((number, told)) => self.value(step, told, &format!("step {number}")),
                None => {
                    self.differs(step, format!("there is no such step: the script has {}, from 0", told.len()));
                }
            }
        }
    }

    fn value(&mut self, expected: Node<'_>, told: &Value, path: &str) {
        match (expected.kind(), told) {
            (NodeKind::Mapping, Value::Object(fields)) => {
                for entry in expected.entries() {
                    let key = entry.key.scalar().map_or("", |scalar| scalar.text);
                    match fields.get(key) {
                        Some(told) => self.value(entry.value, told, &format!("{path}, {key}")),
                        None => {
                            let known: Vec<&str> = fields.keys().map(String::as_str).collect();
                            self.fault(entry.key, format!("{path}: no field {key:?}; there are {}", known.join(", ")));
                        }
                    }
                }
            }
            (NodeKind::Sequence, Value::Array(items)) => {
                let count = expected.items().count();
                if count != items.len() {
                    return self.differs(expected, format!("{path}: expected {count}, got {}: {told}", items.len()));
                }
                for (index, (expected, told)) in expected.items().zip(items).enumerate() {
                    self.value(expected, told, &format!("{path}[{index}]"));
                }
            }
            (NodeKind::Scalar, _) if same(&expected.json(), told) => {}
            _ => self.differs(expected, format!("{path}: expected {}, got {told}", expected.json())),
        }
    }
}

/// Whether a scalar is what was told. Numbers are compared by value, and the status of a condition, which is a string,
/// may be written without quotes.
fn same(expected: &Value, told: &Value) -> bool {
    match (expected, told) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Bool(true), Value::String(text)) => text == "True",
        (Value::Bool(false), Value::String(text)) => text == "False",
        (one, other) => one == other,
    }
}
