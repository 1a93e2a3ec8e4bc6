//! What Config Connector does next with one object.

mod actuation;
mod controller;
mod deletion;
mod drift;
mod halt;
mod keys;
mod live;
mod retry;
mod subject;

pub use actuation::{Actuation, ActuationMode, ActuationOrigin};
pub use controller::{ControllerAnswer, DecidedBy};
pub use deletion::{Deletion, Finalizer};
pub use drift::{Drift, DriftOrigin, DriftState};
pub(super) use halt::not_waking;
pub use halt::{Halt, NotWaking, WakeCommand};
pub use live::{Certainty, LastAttempt, Live, Next, Told};
pub use retry::{CeilingAnswer, Policy, Retry, RetryAnswer};

use super::Text;
use super::world::{self, Reading, World};
use crate::kcc::{self, Ceiling, Controller, Facts};
use crate::object::{Code, Diagnostic, Ref};
use subject::Subject;

/// Everything that can be told about one object of Config Connector.
#[derive(Debug, Clone, PartialEq)]
pub struct Assessment<'a> {
    /// The object: its name, its place, its annotations as written.
    pub facts: &'a Facts,
    /// Who handles it.
    pub controller: ControllerAnswer<'a>,
    /// What its ceiling annotation says.
    pub ceiling: CeilingAnswer<'a>,
    /// How failures are retried.
    pub retry: RetryAnswer<'a>,
    /// What the ceiling does not govern for this object.
    pub ungoverned: Vec<Text<'a>>,
    /// Halting and waking.
    pub halt: Halt<'a>,
    /// How often it is looked at while it succeeds.
    pub drift: Drift<'a>,
    /// Whether attempts reach the cloud.
    pub actuation: Actuation<'a>,
    /// What deleting it does.
    pub deletion: Deletion<'a>,
    /// What its status tells, if it has one.
    pub live: Option<Live<'a>>,
    /// What else is worth knowing.
    pub notes: Vec<Text<'a>>,
    /// What is wrong with it, in the order of the text.
    pub problems: Vec<Diagnostic>,
}

impl Assessment<'_> {
    /// Whether the object configures Config Connector instead of being reconciled.
    pub fn is_configuration(&self) -> bool {
        kcc::is_configuration_group(self.facts.reference.group())
    }

    /// The controller by whose rules the object is judged: the chosen one, or, where no table tells (before 1.135.0), the
    /// one that an IAM kind has in every release.
    pub fn acting(&self) -> Controller {
        acting(&self.facts.reference, self.controller.controller)
    }

    /// Whether nobody looks at it: neither a controller nor, as at objects that configure Config Connector, its operator.
    pub fn is_unattended(&self) -> bool {
        self.controller.controller == Controller::None && !self.is_configuration()
    }
}

/// Tells what Config Connector will do with the object whose facts are given.
pub fn assess<'a>(facts: &'a Facts, world: &'a World) -> Assessment<'a> {
    let subject = Subject { facts, world };
    let mut problems = facts.metadata.problems.clone();
    problems.retain(|problem| !replaced(subject, problem));
    keys::complain(subject, &mut problems);
    let controller = controller::choose(subject, &mut problems);
    let who = acting(&facts.reference, controller.controller);
    let ceiling = retry::ceiling(subject, who, &mut problems);
    let drift = drift::drift(subject, who, &mut problems);
    let actuation = actuation::actuation(subject, who, &mut problems);
    let retry = retry::retry(subject, who, &ceiling, &drift);
    let halt = halt::halt(subject, who, &retry, &drift, &actuation);
    let deletion = deletion::deletion(subject, who, &actuation, &mut problems);
    let inputs = live::Inputs { subject, controller: who, retry: &retry, drift: &drift, actuation: &actuation };
    let live = facts.status.as_ref().map(|status| live::live(&inputs, status, &halt));
    // In the order of the text, so that a screen of problems reads like the manifest.
    problems.sort_by(|a, b| a.place.cmp(&b.place));
    Assessment {
        facts,
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

/// Whether a problem is about a value that `--set` replaces or takes away.
fn replaced(subject: Subject<'_>, problem: &Diagnostic) -> bool {
    let metadata = &subject.facts.metadata;
    let mut set = subject.world.set.iter().filter_map(|(key, _)| metadata.annotation(key));
    matches!(problem.code, Code::NotAString | Code::NullValue)
        && set.any(|annotation| {
            let pos = annotation.pos;
            problem.place.as_ref().is_some_and(|place| (place.line, place.column) == (pos.line, pos.column))
        })
}

fn acting(reference: &Ref, chosen: Controller) -> Controller {
    match chosen {
        Controller::Unknown => Controller::of_iam_kind(reference.group(), &reference.kind).unwrap_or(chosen),
        _ => chosen,
    }
}

/// What a ceiling that is read does not govern (Config Connector, direct controller, main; kcc.md section 3).
fn ungoverned<'a>(subject: Subject<'a>, controller: Controller, ceiling: &CeilingAnswer<'_>) -> Vec<Text<'a>> {
    let set = matches!(ceiling.ceiling, Ceiling::Seconds(_) | Ceiling::Halt);
    if controller != Controller::Direct || ceiling.honoured == Some(false) || !set {
        return Vec::new();
    }
    let mut list: Vec<Text<'a>> =
        vec!["failing deletions and an invalid reconcile-interval-in-seconds (default ladder)".into()];
    let release = subject.world.release;
    list.push(if release.ceiling_scope_settled() {
        "unresolved dependencies (default ladder)".into()
    } else {
        format!(
            "perhaps unresolved dependencies (default ladder up to 1.159) and errors outside the main path of a \
             reconcile: not settled for {release}"
        )
        .into()
    });
    if kcc::requeues_without_error(subject.group(), subject.kind()) {
        list.push("the requeues that this kind asks for without an error while it works (default ladder)".into());
    }
    list
}

fn notes<'a>(subject: Subject<'a>, controller: Controller) -> Vec<Text<'a>> {
    let mut notes = Vec::new();
    if controller == Controller::None {
        return notes;
    }
    let release = subject.world.release;
    if !release.delays_checked() {
        notes.push(format!("the delays of {release} are not known: those of 1.90.0 are shown").into());
    }
    if release.borrows_main_table() {
        notes.push(format!("which controllers {release} has is not known: main's are shown").into());
    }
    if subject.facts.status.is_some() && !subject.world.set.is_empty() {
        notes.push("the status is that of the object as it stands, without --set".into());
    }
    let contexts = &subject.world.contexts;
    if contexts.is_empty() {
        return notes;
    }
    if subject.namespace().is_none() && contexts.any_context() && contexts.context(None).is_none() {
        notes.push(
            "its namespace is not in the manifest, so no ConfigConnectorContext was applied (-n names the namespace)"
                .into(),
        );
    }
    let mode = contexts.mode().unwrap_or_default();
    match contexts.context(subject.namespace()) {
        Some((_, Reading::NotRead)) => notes.push(
            format!("the namespace's ConfigConnectorContext is not read: ConfigConnector's mode is {mode:?}").into(),
        ),
        Some((context, Reading::Read)) if mode != "namespaced" && context.settings.actuation.is_some() => notes.push(
            "actuationMode of the namespace's ConfigConnectorContext does not count: it does only if ConfigConnector \
             says mode: namespaced"
                .into(),
        ),
        _ => {}
    }
    notes
}
