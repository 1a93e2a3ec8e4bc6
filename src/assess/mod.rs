//! THE answer: what happens next with an object, and who says so.
//!
//! [`assess`] is a pure function of an object's facts and a [`World`]: release, current time, contexts found. Every
//! command starts from its [`Assessment`].

mod actuation;
mod controller;
mod deletion;
mod drift;
mod halt;
mod live;
mod retry;
mod subject;
mod world;

pub use actuation::{Actuation, ActuationMode, ActuationOrigin};
pub use controller::{ControllerAnswer, DecidedBy};
pub use deletion::{Deletion, Finalizer};
pub use drift::{Drift, DriftOrigin, DriftState};
pub use halt::{Halt, WakeCommand};
pub use live::{Certainty, Live, Next, Told};
pub use retry::{CeilingAnswer, Policy, Retry, RetryAnswer};
pub use world::{Contexts, Reading, Source, World};

use crate::kcc::{self, Controller, Facts};
use crate::object::{Annotation, Diagnostic, Place, Ref};
use subject::Subject;

/// Everything that can be told about one object of Config Connector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment {
    /// What it is called.
    pub reference: Ref,
    /// Where it stands.
    pub place: Place,
    /// Its annotations of Config Connector's family, as written.
    pub annotations: Vec<Annotation>,
    /// Who handles it.
    pub controller: ControllerAnswer,
    /// What its ceiling annotation says.
    pub ceiling: CeilingAnswer,
    /// How failures are retried.
    pub retry: RetryAnswer,
    /// What the ceiling does not govern for this object, in sentences without full stops.
    pub ungoverned: Vec<String>,
    /// Halting and waking.
    pub halt: Halt,
    /// How often it is looked at while it succeeds.
    pub drift: Drift,
    /// Whether attempts reach the cloud.
    pub actuation: Actuation,
    /// What deleting it does.
    pub deletion: Deletion,
    /// What its status tells, if it has one.
    pub live: Option<Live>,
    /// What else is worth knowing, in sentences without full stops.
    pub notes: Vec<String>,
    /// What is wrong with it.
    pub problems: Vec<Diagnostic>,
}

impl Assessment {
    /// Whether the object configures Config Connector instead of being reconciled.
    pub fn is_configuration(&self) -> bool {
        kcc::is_configuration_group(self.reference.group())
    }
}

/// Tells what Config Connector will do with the object whose facts are given.
pub fn assess(facts: &Facts, world: &World) -> Assessment {
    let subject = Subject { facts, world };
    let mut problems = facts.metadata.problems.clone();
    let controller = controller::choose(subject, &mut problems);
    let who = controller.controller;
    let ceiling = retry::ceiling(subject, &controller, &mut problems);
    let drift = drift::drift(subject, who, &mut problems);
    let actuation = actuation::actuation(subject, who, &mut problems);
    let retry = retry::retry(subject, &controller, &ceiling, &drift);
    let halt = halt::halt(subject, who, &retry, &drift, &actuation);
    let deletion = deletion::deletion(subject, who, &actuation);
    let inputs = live::Inputs { subject, controller: who, retry: &retry, drift: &drift, actuation: &actuation };
    let live = facts.status.as_ref().map(|status| live::live(&inputs, status, &halt));
    // In the order of the text, so that a screen of problems reads like the manifest.
    problems.sort_by(|a, b| a.place.cmp(&b.place));
    Assessment {
        reference: facts.reference.clone(),
        place: facts.place.clone(),
        annotations: facts.metadata.annotations.clone(),
        ungoverned: ungoverned(subject, who, &ceiling),
        notes: notes(subject, who),
        controller,
        ceiling,
        retry,
        halt,
        drift,
        actuation,
        deletion,
        live,
        problems,
    }
}

/// What a ceiling that is read does not govern (kcc.md section 3).
fn ungoverned(subject: Subject<'_>, controller: Controller, ceiling: &CeilingAnswer) -> Vec<String> {
    if controller != Controller::Direct || ceiling.honoured == Some(false) || !ceiling.present() {
        return Vec::new();
    }
    let mut list = vec!["failing deletions and an invalid reconcile-interval-in-seconds (default ladder)".to_owned()];
    list.push(if subject.world.release.dependency_rule_settled() {
        "unresolved dependencies (default ladder)".to_owned()
    } else {
        format!(
            "unresolved dependencies (default ladder in releases up to 1.159, not settled for {})",
            subject.world.release
        )
    });
    if kcc::requeues_without_error(subject.group(), subject.kind()) {
        list.push("the passes that this kind asks for without an error while it works (default ladder)".to_owned());
    }
    list
}

fn notes(subject: Subject<'_>, controller: Controller) -> Vec<String> {
    let mut notes = Vec::new();
    if controller == Controller::None {
        return notes;
    }
    if !subject.world.release.delays_checked() {
        notes.push(format!(
            "delays were checked from 1.90.0 on: those of {} are taken to be the same",
            subject.world.release
        ));
    }
    let contexts = &subject.world.contexts;
    if subject.namespace().is_none() && contexts.any_context() && contexts.context(None).is_none() {
        notes.push(
            "its namespace is not in the manifest, so no ConfigConnectorContext was applied (-n names the namespace)"
                .to_owned(),
        );
    }
    if let Some((_, Reading::NotRead)) = contexts.context(subject.namespace()) {
        notes.push("the namespace's ConfigConnectorContext is not read: ConfigConnector is in cluster mode".to_owned());
    }
    notes
}
