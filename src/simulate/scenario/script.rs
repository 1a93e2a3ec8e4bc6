use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::assess::Object;
use crate::go;
use crate::object::{Code, Diagnostic, Node, Place, Ref, Severity};

/// What a step does, and what it waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// `APPLY`: apply, and wait until ready.
    Apply,
    /// `APPLY-NO-WAIT`.
    ApplyNoWait,
    /// `APPLY-10-SEC`: apply, and wait so long.
    ApplyFor(Duration),
    /// `READ-OBJECT`.
    Read,
    /// `READ-OBJECT-AND-COMPARE-SPEC`: wait until ready, and compare the spec with that of another step, counted from 1.
    ReadAndCompare(usize),
    /// `DELETE`: delete, and wait until gone.
    Delete,
    /// `DELETE-NO-WAIT`: delete, and wait 2 s.
    DeleteNoWait,
    /// `ABANDON`: set the deletion policy, delete, and wait until gone.
    Abandon,
    /// `WAIT-FOR-HTTP-REQUEST`: apply, and wait until an answer of the cloud has held this value.
    WaitForHttpRequest(String),
    /// `WAIT-FOR-READY`.
    WaitForReady,
    /// `TOUCH`: change the force-reconcile annotation, and wait so long.
    Touch(Duration),
    /// `PATCH-EXTERNALLY-MANAGED-FIELDS`: patch as the controller would, and wait until ready.
    Patch,
    /// `ABANDON-AND-REACQUIRE`: abandon, apply again, and wait until ready.
    AbandonAndReacquire,
    /// A document of kind SystemRun: wait so long.
    SystemRun(Duration),
}

/// How long `TOUCH` and `DELETE-NO-WAIT` wait (Config Connector, tests/e2e, main).
pub(super) const MOMENT: Duration = Duration::from_secs(2);

/// The values of `TEST`, as an error lists them.
const VALUES: &str = "APPLY, APPLY-NO-WAIT, APPLY-10-SEC, READ-OBJECT, READ-OBJECT-AND-COMPARE-SPEC, DELETE, \
                      DELETE-NO-WAIT, ABANDON, WAIT-FOR-HTTP-REQUEST, WAIT-FOR-READY, TOUCH, \
                      PATCH-EXTERNALLY-MANAGED-FIELDS and ABANDON-AND-REACQUIRE";

impl Test {
    /// Whether the step's document is applied, so that it may be the first that names its object.
    pub fn applies(&self) -> bool {
        matches!(self, Test::Apply | Test::ApplyNoWait | Test::ApplyFor(_) | Test::WaitForHttpRequest(_))
    }
}

/// The object of a step.
#[derive(Debug, Clone)]
pub struct Applied {
    /// What it is called, placeholders as written.
    pub reference: Ref,
    /// What is kept of it as an object of Config Connector or the Plural Console; `None` for others.
    pub object: Option<Object>,
    /// Its spec; null without one.
    pub spec: Value,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its annotations.
    pub annotations: BTreeMap<String, String>,
}

/// One document of a script as it was read.
#[derive(Debug)]
pub struct StepDoc {
    place: Place,
    parsed: Result<(Test, String), Diagnostic>,
    outcome: Result<Option<bool>, Diagnostic>,
    applied: Option<Applied>,
}

/// One step.
#[derive(Debug, Clone)]
pub struct Step {
    /// What it does.
    pub test: Test,
    /// The same as it is written.
    pub word: String,
    /// Where it stands.
    pub place: Place,
    /// Whether attempts on its object fail from this step on, if it says so.
    pub fails: Option<bool>,
    /// Its object; `None` for a SystemRun.
    pub object: Option<Applied>,
}

/// A script whose steps make sense.
#[derive(Debug, Clone)]
pub struct Script {
    /// The steps, in their order.
    pub steps: Vec<Step>,
}

/// A document while it is read.
#[derive(Clone, Copy)]
struct Item<'t> {
    node: Node<'t>,
    api_version: &'t str,
    kind: &'t str,
    file: &'t Arc<str>,
}

impl StepDoc {
    /// Reads the document of a script at `node`, whose apiVersion and kind are given because a typed list may have told
    /// them. `namespace` is for objects that name none.
    pub fn read<'t>(
        node: Node<'t>,
        api_version: &'t str,
        kind: &'t str,
        file: &'t Arc<str>,
        namespace: Option<&str>,
    ) -> StepDoc {
        let item = &Item { node, api_version, kind, file };
        let root = item.node;
        let place = Place::new(item.file, root.pos());
        if item.kind == "SystemRun" {
            let outcome = match root.get("OUTCOME") {
                None => Ok(None),
                Some(node) => Err(complaint(item, node, "OUTCOME stands beside an object, and a SystemRun has none")
                    .with_fix("put it into the step before")),
            };
            let parsed = duration(item)
                .map(|wait| (Test::SystemRun(wait), format!("SystemRun {}", crate::human::compact(wait))));
            return StepDoc { place, parsed, outcome, applied: None };
        }
        StepDoc { place, parsed: test(item), outcome: outcome(item), applied: Some(Applied::read(item, namespace)) }
    }
}

impl Applied {
    fn read(item: &Item<'_>, namespace: Option<&str>) -> Applied {
        let root = item.node;
        let object = Object::read(root, item.api_version, item.kind, item.file, namespace);
        let name = |field| root.at(&["metadata", field]).and_then(Node::scalar).map(|scalar| scalar.text.to_owned());
        let reference = match &object {
            Some(object) => object.reference().clone(),
            None => Ref {
                api_version: item.api_version.to_owned(),
                kind: item.kind.to_owned(),
                namespace: name("namespace").filter(|namespace| !namespace.is_empty()),
                name: name("name").filter(|name| !name.is_empty()),
            },
        };
        let strings = |field: &str| {
            let entries = root.at(&["metadata", field]).into_iter().flat_map(Node::entries);
            let text = |node: Node<'_>| node.scalar().map(|scalar| scalar.text.to_owned()).unwrap_or_default();
            entries.map(|entry| (text(entry.key), text(entry.value))).collect()
        };
        Applied {
            reference,
            object,
            spec: root.get("spec").map_or(Value::Null, Node::json),
            labels: strings("labels"),
            annotations: strings("annotations"),
        }
    }
}

fn complaint(item: &Item<'_>, node: Node<'_>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::Scenario, Severity::Error, Place::new(item.file, node.pos()), message)
}

/// Seconds, or a Go duration.
fn duration(item: &Item<'_>) -> Result<Duration, Diagnostic> {
    const FIX: &str = "write seconds, or a Go duration such as 10s or 1m30s";
    let Some(node) = item.node.get("duration") else {
        return Err(complaint(item, item.node, "a SystemRun without a duration").with_fix(FIX));
    };
    let refuse = |message: String| Err(complaint(item, node, message).with_fix(FIX));
    let nanos = match node.json() {
        Value::Number(number) => match number.as_f64() {
            Some(seconds) if (0.0..=9e9).contains(&seconds) => return Ok(Duration::from_secs_f64(seconds)),
            _ => return refuse(format!("the duration {number} is not between 0 and 9000000000 seconds")),
        },
        Value::String(text) => match go::parse_duration(&text) {
            Ok(nanos) => nanos,
            Err(error) => return refuse(error.to_string()),
        },
        _ => return refuse("the duration is neither a number nor a string".to_owned()),
    };
    match u64::try_from(nanos) {
        Ok(nanos) => Ok(Duration::from_nanos(nanos)),
        Err(_) => refuse("the duration is negative".to_owned()),
    }
}

fn test(item: &Item<'_>) -> Result<(Test, String), Diagnostic> {
    let root = item.node;
    let Some(node) = root.get("TEST") else { return Ok((Test::Apply, "APPLY".to_owned())) };
    let unknown = |shown: String| Err(complaint(item, node, format!("TEST {shown} is not known; there are {VALUES}")));
    let Some(word) = node.str() else { return unknown("is no string, so it".to_owned()) };
    let test = match word {
        "" | "APPLY" => Test::Apply,
        "APPLY-NO-WAIT" => Test::ApplyNoWait,
        "READ-OBJECT" => Test::Read,
        "READ-OBJECT-AND-COMPARE-SPEC" => Test::ReadAndCompare(target(item)?),
        "DELETE" => Test::Delete,
        "DELETE-NO-WAIT" => Test::DeleteNoWait,
        "ABANDON" => Test::Abandon,
        "WAIT-FOR-HTTP-REQUEST" => Test::WaitForHttpRequest(value_present(item)?),
        "WAIT-FOR-READY" => Test::WaitForReady,
        "TOUCH" => Test::Touch(MOMENT),
        "PATCH-EXTERNALLY-MANAGED-FIELDS" => Test::Patch,
        "ABANDON-AND-REACQUIRE" => Test::AbandonAndReacquire,
        other => match (seconds(other, "APPLY-"), seconds(other, "TOUCH-")) {
            (Some(wait), _) => Test::ApplyFor(wait),
            (_, Some(wait)) => Test::Touch(wait),
            _ => return unknown(format!("{other:?}")),
        },
    };
    let word = if word.is_empty() { "APPLY" } else { word };
    Ok((test, word.to_owned()))
}

/// The time in a value such as `APPLY-10-SEC`.
fn seconds(word: &str, prefix: &str) -> Option<Duration> {
    let digits = word.strip_prefix(prefix)?.strip_suffix("-SEC")?;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse::<u32>().ok()).flatten().map(|seconds| Duration::from_secs(u64::from(seconds)))
}

fn value_present(item: &Item<'_>) -> Result<String, Diagnostic> {
    let fix = "write the text that an answer of the cloud will hold, such as VALUE_PRESENT: \"severity>=ERROR\"";
    match item.node.get("VALUE_PRESENT") {
        None => Err(complaint(item, item.node, "WAIT-FOR-HTTP-REQUEST without VALUE_PRESENT").with_fix(fix)),
        Some(node) => match node.str().filter(|text| !text.is_empty()) {
            Some(text) => Ok(text.to_owned()),
            None => Err(complaint(item, node, "VALUE_PRESENT is not a string, or empty").with_fix(fix)),
        },
    }
}

/// The step to compare with, from 1 (Config Connector, tests/e2e, main, which counts all other steps from 0).
fn target(item: &Item<'_>) -> Result<usize, Diagnostic> {
    const FIX: &str = "write the number of a step before this one, the first being 1";
    let Some(node) = item.node.get("TARGET_STEP_FOR_READ_AND_COMPARE") else {
        let message = "READ-OBJECT-AND-COMPARE-SPEC without TARGET_STEP_FOR_READ_AND_COMPARE";
        return Err(complaint(item, item.node, message).with_fix(FIX));
    };
    match node.int().and_then(|step| usize::try_from(step).ok()).filter(|step| *step > 0) {
        Some(step) => Ok(step),
        None => {
            let message = "TARGET_STEP_FOR_READ_AND_COMPARE is not the number of a step";
            Err(complaint(item, node, message).with_fix(FIX))
        }
    }
}

fn outcome(item: &Item<'_>) -> Result<Option<bool>, Diagnostic> {
    let Some(node) = item.node.get("OUTCOME") else { return Ok(None) };
    match node.str() {
        Some("fails") => Ok(Some(true)),
        Some("succeeds") => Ok(Some(false)),
        _ => Err(complaint(item, node, "OUTCOME is neither fails nor succeeds")),
    }
}

impl Script {
    /// The script that the documents make.
    ///
    /// # Errors
    /// Everything that is wrong with its steps: unknown words, objects that are named before they are applied.
    pub fn new(documents: Vec<StepDoc>) -> Result<Script, Vec<Diagnostic>> {
        let mut steps = Vec::new();
        let mut problems = Vec::new();
        let mut applied = HashSet::new();
        for (number, document) in documents.into_iter().enumerate() {
            let StepDoc { place, parsed, outcome, applied: object } = document;
            let in_step = |problem: Diagnostic| {
                let message = format!("step {number}: {}", problem.message);
                Diagnostic { message, ..problem }
            };
            let fails = outcome.unwrap_or_else(|problem| {
                problems.push(in_step(problem));
                None
            });
            let refuse = |message: String| Diagnostic::new(Code::Scenario, Severity::Error, place.clone(), message);
            if let Some(object) = &object {
                let reference = &object.reference;
                if reference.name.is_none() {
                    problems.push(refuse(format!("step {number}: the object has no name")));
                }
                let key = key(reference);
                let applies = parsed.as_ref().is_ok_and(|(test, _)| test.applies());
                if !applies && parsed.is_ok() && !applied.contains(&key) {
                    let word = parsed.as_ref().map_or("", |(_, word)| word.as_str());
                    problems.push(
                        refuse(format!(
                            "step {number} ({word}) names {}, which no step before it applies",
                            reference.title()
                        ))
                        .with_fix("apply it first, and name it by the same kind, namespace and name"),
                    );
                }
                // A step that cannot be read may have been one that applies: what follows is not blamed for it.
                if applies || parsed.is_err() {
                    applied.insert(key);
                }
            }
            match parsed {
                Err(problem) => problems.push(in_step(problem)),
                Ok((test, word)) => {
                    if let Test::ReadAndCompare(target) = test
                        && target > number
                    {
                        let message = format!(
                            "step {number} compares with step {target}, counted from 1, which does not come before it"
                        );
                        problems.push(refuse(message));
                    }
                    steps.push(Step { test, word, place, fails, object });
                }
            }
        }
        if problems.is_empty() { Ok(Script { steps }) } else { Err(problems) }
    }
}

/// By what objects of a script are told apart.
pub(super) fn key(reference: &Ref) -> (String, String, Option<String>, Option<String>) {
    let Ref { kind, namespace, name, .. } = reference;
    (reference.group().to_owned(), kind.clone(), namespace.clone(), name.clone())
}

/// Whether a text stands somewhere in a value.
pub(super) fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => value.to_string().contains(text),
        Value::Number(number) => number.to_string().contains(text),
        Value::String(string) => string.contains(text),
        Value::Array(items) => items.iter().any(|item| holds(item, text)),
        Value::Object(entries) => entries.iter().any(|(key, value)| key.contains(text) || holds(value, text)),
    }
}
