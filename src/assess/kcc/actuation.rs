use super::Text;
use super::subject::Subject;
use super::world::Reading;
use crate::kcc::{self, Controller};
use crate::object::{Code, Diagnostic, Place, Severity};

/// Whether attempts reach the cloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActuationMode {
    /// They do.
    Reconciling,
    /// Nothing is actuated, deletion included.
    Paused,
    /// Only in a design: deletion goes on, a change of spec resumes.
    AutoPaused,
    /// A value whose meaning is not settled upstream.
    Unsettled,
}

impl ActuationMode {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            ActuationMode::Reconciling => "Reconciling",
            ActuationMode::Paused => "Paused",
            ActuationMode::AutoPaused => "AutoPaused",
            ActuationMode::Unsettled => "unknown",
        }
    }
}

/// What is said where everything depends on a mode whose meaning is not settled.
pub(super) const UNSETTLED: &str = "what its actuation mode does is not settled upstream";

/// Who says what the actuation mode is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActuationOrigin {
    /// The object's annotation.
    Annotation,
    /// The namespace's ConfigConnectorContext.
    Context,
    /// The ConfigConnector.
    Connector,
    /// Nobody: the built-in default.
    BuiltIn,
}

impl ActuationOrigin {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            ActuationOrigin::Annotation => "annotation",
            ActuationOrigin::Context => "context",
            ActuationOrigin::Connector => "connector",
            ActuationOrigin::BuiltIn => "built-in",
        }
    }
}

/// The actuation mode in effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actuation<'a> {
    /// The mode.
    pub mode: ActuationMode,
    /// Who says so.
    pub origin: ActuationOrigin,
    /// Where it stands.
    pub place: Option<Place>,
    /// Why, in a sentence without a full stop.
    pub reason: Text<'a>,
    /// What follows from it.
    pub notes: Vec<Text<'a>>,
}

pub(super) fn actuation<'a>(
    subject: Subject<'a>,
    controller: Controller,
    problems: &mut Vec<Diagnostic>,
) -> Actuation<'a> {
    let mut actuation = by_annotation(subject, problems).unwrap_or_else(|| by_contexts(subject));
    if controller != Controller::None {
        actuation.notes.extend(consequences(&actuation, controller));
    }
    actuation
}

fn by_annotation<'a>(subject: Subject<'a>, problems: &mut Vec<Diagnostic>) -> Option<Actuation<'a>> {
    let given = subject.annotation(kcc::ACTUATION_MODE)?;
    let stored = given.stored().filter(|value| !value.is_empty())?;
    let place = given.place.clone();
    let at = || place.clone().unwrap_or_else(|| subject.facts.place.clone());
    let release = subject.world.release;
    if !release.has_actuation_annotation() {
        let message = format!("{} has no effect in {release}: it is read from 1.158.0 on", kcc::ACTUATION_MODE);
        problems.push(Diagnostic::new(Code::UnknownActuationMode, Severity::Warning, at(), message));
        return None;
    }
    let (mode, reason) = match stored {
        "Reconciling" => (ActuationMode::Reconciling, "the object's annotation says so"),
        "Paused" => (ActuationMode::Paused, "the object's annotation says so"),
        "AutoPaused" => {
            (ActuationMode::AutoPaused, "the object's annotation says so, but this value exists only in a design")
        }
        _ => (ActuationMode::Unsettled, "the object's annotation holds a value whose meaning is not settled upstream"),
    };
    let complaint = match mode {
        ActuationMode::AutoPaused => Some(format!(
            "{} AutoPaused is set by Config Connector itself, and only in a design: it does not belong in a manifest",
            kcc::ACTUATION_MODE
        )),
        ActuationMode::Unsettled => Some(format!(
            "{} {stored:?} is neither Reconciling nor Paused: what it does is not settled upstream",
            kcc::ACTUATION_MODE
        )),
        ActuationMode::Reconciling | ActuationMode::Paused => None,
    };
    if let Some(message) = complaint {
        let problem = Diagnostic::new(Code::UnknownActuationMode, Severity::Warning, at(), message);
        problems.push(problem.with_fix(format!("write {}: Paused or Reconciling", kcc::ACTUATION_MODE)));
    }
    Some(Actuation { mode, origin: ActuationOrigin::Annotation, place, reason: reason.into(), notes: Vec::new() })
}

/// The context wins only if the ConfigConnector's mode is literally `namespaced`
/// (Config Connector, pkg/controller/resourceactuation).
fn by_contexts(subject: Subject<'_>) -> Actuation<'_> {
    let contexts = &subject.world.contexts;
    let context = contexts
        .context(subject.namespace())
        .filter(|(_, reading)| *reading == Reading::Assumed || contexts.mode() == Some("namespaced"));
    if let Some((source, reading)) = context
        && let Some((mode, pos)) = &source.settings.actuation
    {
        let assumed = reading.remark();
        return Actuation {
            mode: parse(mode),
            origin: ActuationOrigin::Context,
            place: Some(source.at(*pos)),
            reason: format!("the namespace's ConfigConnectorContext says {mode}{assumed}").into(),
            notes: Vec::new(),
        };
    }
    if let Some(source) = contexts.connector()
        && let Some((mode, pos)) = &source.settings.actuation
    {
        return Actuation {
            mode: parse(mode),
            origin: ActuationOrigin::Connector,
            place: Some(source.at(*pos)),
            reason: format!("the ConfigConnector says {mode}").into(),
            notes: Vec::new(),
        };
    }
    Actuation {
        mode: ActuationMode::Reconciling,
        origin: ActuationOrigin::BuiltIn,
        place: None,
        reason: "nothing among the inputs says otherwise".into(),
        notes: Vec::new(),
    }
}

fn parse(mode: &str) -> ActuationMode {
    match mode {
        "Reconciling" => ActuationMode::Reconciling,
        "Paused" => ActuationMode::Paused,
        _ => ActuationMode::Unsettled,
    }
}

fn consequences<'a>(actuation: &Actuation<'_>, controller: Controller) -> Vec<Text<'a>> {
    if actuation.mode == ActuationMode::Reconciling {
        return Vec::new();
    }
    let mut notes = Vec::new();
    match actuation.mode {
        ActuationMode::Reconciling => return notes,
        ActuationMode::Paused => {
            let finalizers = if controller.is_iam() { "" } else { "; finalizers are still added" };
            notes.push(
                format!("nothing reaches the cloud: create, update, delete and drift correction are held{finalizers}")
                    .into(),
            );
            notes.push("a paused reconcile is a success, requeued after the jittered drift interval".into());
        }
        ActuationMode::AutoPaused => {
            notes.push("by the design deletion goes on and a change of spec resumes".into());
            return notes;
        }
        ActuationMode::Unsettled => return notes,
    }
    match actuation.origin {
        ActuationOrigin::Annotation => {
            notes.push("changing the annotation wakes the object; a change of spec does not resume it".into());
        }
        _ => notes.push(
            "unpausing there is not watched: it takes effect at the object's next requeue (with drift interval \"0\" never by itself)".into(),
        ),
    }
    notes
}
