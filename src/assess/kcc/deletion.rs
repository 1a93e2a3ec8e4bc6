use jiff::Timestamp;

use super::Text;
use super::actuation::{Actuation, ActuationMode};
use super::retry::{Retry, default};
use super::subject::Subject;
use crate::kcc::{self, Controller};
use crate::object::{Code, Diagnostic, Place, Severity};

/// The one value of the deletion policy that has an effect (Config Connector, pkg/k8s, 1.155.1 and main).
const ABANDON: &str = "abandon";

/// A finalizer that is still there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finalizer<'a> {
    /// Its name.
    pub name: &'a str,
    /// Who is waited for, in a sentence without a full stop.
    pub waits_for: Text<'a>,
}

/// What deleting the object does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion<'a> {
    /// `None`: not requested. `Some(None)`: requested, but the time cannot be read.
    pub requested: Option<Option<Timestamp>>,
    /// Whether the cloud resource is kept (`deletion-policy: abandon`).
    pub abandons: bool,
    /// The policy's text, as the API server holds it.
    pub policy: Option<&'a str>,
    /// Where the policy stands.
    pub place: Option<Place>,
    /// What happens to the cloud resource, in a sentence without a full stop.
    pub outcome: Text<'a>,
    /// The finalizers that are on the object.
    pub finalizers: Vec<Finalizer<'a>>,
    /// How failing deletions are retried; `None` without a controller.
    pub retry: Option<Retry<'a>>,
    /// What else is worth knowing.
    pub notes: Vec<Text<'a>>,
}

pub(super) fn deletion<'a>(
    subject: Subject<'a>,
    controller: Controller,
    actuation: &Actuation<'_>,
    problems: &mut Vec<Diagnostic>,
) -> Deletion<'a> {
    let given = subject.annotation(kcc::DELETION_POLICY);
    let policy = given.as_ref().and_then(|given| given.stored());
    let place = given.and_then(|given| given.place);
    let abandons = policy == Some(ABANDON);
    if let Some(other) = policy.filter(|policy| !policy.is_empty() && *policy != ABANDON)
        && controller != Controller::None
    {
        let place = place.clone().unwrap_or_else(|| subject.facts.place.clone());
        let message = format!(
            "{} {other:?} has no effect: deleting the object deletes the cloud resource; only exactly abandon keeps it",
            kcc::DELETION_POLICY
        );
        // A word near to it was probably meant to keep the resource; others, such as `delete`, say what happens anyway.
        let near = strsim::osa_distance(&other.trim().to_lowercase(), ABANDON) <= 2;
        let severity = if near { Severity::Warning } else { Severity::Info };
        problems.push(Diagnostic::new(Code::IneffectiveDeletionPolicy, severity, place, message));
    }
    let finalizers =
        subject.facts.metadata.finalizers.iter().map(|name| finalizer(name, controller, actuation)).collect();
    let ours = |name: &String| name == kcc::FINALIZER || name == kcc::DELETION_DEFENDER;
    let done = subject.deleting() && !subject.facts.metadata.finalizers.iter().any(ours);
    let mut deletion = Deletion {
        requested: subject.facts.metadata.deletion,
        abandons,
        outcome: match done {
            true => "Config Connector is done with it: none of its finalizers is left",
            false => outcome(controller, abandons, actuation),
        }
        .into(),
        policy,
        place,
        finalizers,
        retry: (controller != Controller::None && !done)
            .then(|| default(subject, "failing deletions ignore the ceiling and the halt")),
        notes: Vec::new(),
    };
    deletion.notes = notes(subject, controller, &deletion);
    deletion
}

fn outcome(controller: Controller, abandons: bool, actuation: &Actuation<'_>) -> &'static str {
    match (controller, abandons, actuation.mode) {
        (Controller::None, ..) => "no controller reconciles the object, so nothing is done in the cloud",
        (_, true, ActuationMode::Paused) => {
            "keeps the cloud resource (deletion-policy: abandon), but not while the object is paused"
        }
        (_, true, _) => "keeps the cloud resource (deletion-policy: abandon)",
        (_, false, ActuationMode::Paused) => "deletes the cloud resource, but not while the object is paused",
        (_, false, _) => "deletes the cloud resource",
    }
}

fn finalizer<'a>(name: &'a str, controller: Controller, actuation: &Actuation<'_>) -> Finalizer<'a> {
    let waits_for = match (name, controller, actuation.mode) {
        (kcc::DELETION_DEFENDER, Controller::Direct, _) => {
            "KCC's deletion defender, which removes it once deletion is allowed; until then the direct controller \
             waits, without retrying"
        }
        // Paused objects are requeued by the drift interval instead.
        (kcc::DELETION_DEFENDER, Controller::None | Controller::Unknown, _)
        | (kcc::DELETION_DEFENDER, _, ActuationMode::Paused) => {
            "KCC's deletion defender, which removes it once deletion is allowed"
        }
        (kcc::DELETION_DEFENDER, ..) => {
            "KCC's deletion defender, which removes it once deletion is allowed; until then the controller requeues it \
             on the default ladder"
        }
        (kcc::FINALIZER, Controller::None, _) => {
            "a controller, but none reconciles the object in this release, so nobody removes it"
        }
        (kcc::FINALIZER, _, ActuationMode::Paused) => "the controller, which does nothing while the object is paused",
        (kcc::FINALIZER, ..) => "the controller, which removes it when the cloud resource is deleted or abandoned",
        _ => "whoever put it there: it is not one of Config Connector's",
    };
    Finalizer { name, waits_for: waits_for.into() }
}

fn notes<'a>(subject: Subject<'a>, controller: Controller, deletion: &Deletion<'_>) -> Vec<Text<'a>> {
    let mut notes: Vec<Text<'a>> = Vec::new();
    if deletion.requested.is_some() && deletion.finalizers.is_empty() {
        notes.push("no finalizer is left: the API server removes the object".into());
    }
    let ours = |finalizer: &Finalizer<'_>| matches!(finalizer.name, kcc::FINALIZER | kcc::DELETION_DEFENDER);
    if deletion.requested.is_some() && deletion.finalizers.iter().any(ours) {
        notes.push(
            "if its CRD is being deleted, the deletion defender removes both finalizers and makes it abandon the cloud resource"
                .into(),
        );
    }
    match controller {
        Controller::None => return notes,
        Controller::Direct if deletion.abandons => notes.push(
            "the direct controller looks the cloud resource up before it abandons it: an error there blocks that".into(),
        ),
        Controller::Tf | Controller::Dcl if deletion.requested.is_some() => notes.push(
            "if its parent object is gone its finalizer is removed without a cloud call; if the parent is not ready it waits (DependencyNotReady)".into(),
        ),
        _ => {}
    }
    if deletion.abandons && deletion.finalizers.iter().any(|finalizer| finalizer.name == kcc::DELETION_DEFENDER) {
        notes.push("the policy counts only once the deletion defender's finalizer is gone".into());
    }
    if controller == Controller::Direct {
        let release = subject.world.release;
        match release.direct_swallows_lookup_errors() {
            Some(true) => notes.push(format!(
                "in {release} a look-up error other than \"not found\" is ignored: the finalizer goes and the cloud resource may stay"
            ).into()),
            None => notes.push(format!(
                "not known for {release} whether a look-up error drops the finalizer and leaves the cloud resource behind, as through 1.155.1"
            ).into()),
            Some(false) => {}
        }
    }
    notes
}
