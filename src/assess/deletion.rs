use jiff::Timestamp;

use super::actuation::{Actuation, ActuationMode};
use super::retry::{Retry, default};
use super::subject::Subject;
use crate::kcc::{self, Controller};
use crate::object::Place;

/// A finalizer that is still there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finalizer {
    /// Its name.
    pub name: String,
    /// Who is waited for, in a sentence without a full stop.
    pub waits_for: String,
}

/// What deleting the object does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion {
    /// `None`: not requested. `Some(None)`: requested, but the time cannot be read.
    pub requested: Option<Option<Timestamp>>,
    /// Whether the cloud resource is kept (`deletion-policy: abandon`).
    pub abandons: bool,
    /// The policy's text, as the API server holds it.
    pub policy: Option<String>,
    /// Where the policy stands.
    pub place: Option<Place>,
    /// What happens to the cloud resource, in a sentence without a full stop.
    pub outcome: String,
    /// The finalizers that are on the object.
    pub finalizers: Vec<Finalizer>,
    /// How failing deletions are retried; `None` without a controller.
    pub retry: Option<Retry>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

pub(super) fn deletion(subject: Subject<'_>, controller: Controller, actuation: &Actuation) -> Deletion {
    let given = subject.annotation(kcc::DELETION_POLICY);
    let policy = given.as_ref().and_then(|given| given.stored()).map(str::to_owned);
    let place = given.and_then(|given| given.place);
    let abandons = policy.as_deref() == Some("abandon");
    let mut deletion = Deletion {
        requested: subject.facts.metadata.deletion,
        abandons,
        outcome: outcome(controller, policy.as_deref(), actuation),
        policy,
        place,
        finalizers: subject
            .facts
            .metadata
            .finalizers
            .iter()
            .map(|name| finalizer(name, controller, actuation))
            .collect(),
        retry: (controller != Controller::None)
            .then(|| default(subject, "failing deletions ignore the ceiling and the halt")),
        notes: Vec::new(),
    };
    deletion.notes = notes(subject, controller, &deletion);
    deletion
}

fn outcome(controller: Controller, policy: Option<&str>, actuation: &Actuation) -> String {
    if controller == Controller::None {
        return "no controller reconciles the object, so nothing is done in the cloud".to_owned();
    }
    let held = match actuation.mode {
        ActuationMode::Paused => ", but not while the object is paused",
        _ => "",
    };
    match policy {
        Some("abandon") => format!("keeps the cloud resource (deletion-policy: abandon){held}"),
        Some(other) if !other.is_empty() => {
            format!("deletes the cloud resource{held} (deletion-policy {other:?} has no effect: only abandon has)")
        }
        _ => format!("deletes the cloud resource{held}"),
    }
}

fn finalizer(name: &str, controller: Controller, actuation: &Actuation) -> Finalizer {
    let waits_for = match name {
        kcc::DELETION_DEFENDER => {
            let meanwhile = match controller {
                Controller::Direct => "; until then the direct controller waits for it to go, without retrying",
                Controller::None | Controller::Unknown => "",
                _ => "; until then the controller asks again on the default ladder",
            };
            format!("the deletion defender, which takes it off once deletion is allowed{meanwhile}")
        }
        kcc::FINALIZER => match (controller, actuation.mode) {
            (Controller::None, _) => {
                "no controller reconciles the object, so nobody in this release takes it off".to_owned()
            }
            (_, ActuationMode::Paused) => "the controller, which does nothing while the object is paused".to_owned(),
            _ => "the controller, which takes it off when the cloud resource is gone or let go".to_owned(),
        },
        _ => "whoever put it there: not one of Config Connector's".to_owned(),
    };
    Finalizer { name: name.to_owned(), waits_for }
}

fn notes(subject: Subject<'_>, controller: Controller, deletion: &Deletion) -> Vec<String> {
    let mut notes = Vec::new();
    if deletion.requested.is_some() && deletion.finalizers.is_empty() {
        notes.push("no finalizer is left: the API server removes the object".to_owned());
    }
    match controller {
        Controller::None => return notes,
        Controller::Direct if deletion.abandons => notes.push(
            "the direct controller looks the cloud resource up before it abandons it: an error there blocks that".to_owned(),
        ),
        Controller::Tf | Controller::Dcl if deletion.requested.is_some() => notes.push(
            "if its parent object is gone it is let go without a cloud call; if the parent is not ready it waits (DependencyNotReady)"
                .to_owned(),
        ),
        _ => {}
    }
    if deletion.abandons && deletion.finalizers.iter().any(|finalizer| finalizer.name == kcc::DELETION_DEFENDER) {
        notes.push("the policy counts only once the deletion defender has let go".to_owned());
    }
    if controller == Controller::Direct {
        let release = subject.world.release;
        match release.direct_swallows_lookup_errors() {
            Some(true) => notes.push(format!(
                "in {release} a look-up error other than \"not found\" is ignored: the finalizer goes and the cloud resource may stay"
            )),
            None => notes.push(format!(
                "not known for {release} whether a look-up error drops the finalizer and leaves the cloud resource behind, as through 1.155.1"
            )),
            Some(false) => {}
        }
    }
    notes
}
