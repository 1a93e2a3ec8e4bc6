//! What the controllers of the Plural Console do next with one object, as far as that can be known without asking the
//! Console: for each thing that it may hold.

mod deletion;
mod identity;
mod inputs;
mod live;
mod mode;
mod notes;
mod requeue;
mod waits;

pub use deletion::Deletion;
pub use identity::{Asked, Identity};
pub use inputs::{Inputs, Target};
pub use live::{Live, State};
pub use mode::{Mode, Outcome, decided, situation};
pub use requeue::{Requeue, RequeueState};
pub use waits::Wait;

use super::{Text, World};
use crate::object::{Code, Diagnostic, Place, Severity};
use crate::plural::{self, Facts, Field, Interval};

/// Everything that can be told about one object of the Plural Console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assessment<'a> {
    /// The object.
    pub facts: &'a Facts,
    /// By what it is looked up in the Console.
    pub identity: Identity<'a>,
    /// The effective `driftDetection`, CRD defaults applied.
    pub drift_detection: bool,
    /// What a pass does, by what the Console holds.
    pub mode: Mode<'a>,
    /// What deleting the object does to the remote.
    pub deletion: Deletion<'a>,
    /// When it is looked at again.
    pub requeue: Requeue<'a>,
    /// What has to be there before anything is sent.
    pub waits: Vec<Wait<'a>>,
    /// What the controller adds to the object and to others.
    pub adds: Vec<Text<'a>>,
    /// What wakes it between its requeues.
    pub wakes: Text<'a>,
    /// What its status tells, if it has one.
    pub live: Option<Live<'a>>,
    /// What else is worth knowing.
    pub notes: Vec<Text<'a>>,
    /// What is wrong with it, in the order of the text.
    pub problems: Vec<Diagnostic>,
}

/// Tells what the controllers of the Plural Console will do with the object whose facts are given.
pub fn assess<'a>(facts: &'a Facts, world: &'a World) -> Assessment<'a> {
    let mut problems = facts.metadata.problems.clone();
    let mode = mode::mode(facts);
    complain(facts, &mode, world, &mut problems);
    let deletion = deletion::deletion(facts, &mode);
    let requeue = requeue::requeue(facts, &mode);
    let live = facts.status.as_ref().map(|status| live::live(facts, status));
    problems.sort_by(|a, b| a.place.cmp(&b.place));
    Assessment {
        facts,
        identity: identity::identity(facts),
        drift_detection: facts.reconciliation.drifts(),
        notes: notes::notes(facts, &mode, &deletion),
        deletion,
        requeue,
        waits: waits::waits(facts, world),
        adds: notes::adds(facts),
        wakes: notes::wakes(facts),
        live,
        mode,
        problems,
    }
}

fn complain(facts: &Facts, mode: &Mode<'_>, world: &World, problems: &mut Vec<Diagnostic>) {
    match facts.kind {
        None => problems.push(unknown_kind(facts)),
        Some(_) => {
            problems.extend(other_version(facts));
            interval(facts, mode, problems);
        }
    }
    if let Some(other) = world.inputs.same_remote(facts) {
        let what = facts.kind.and_then(|kind| kind.field).unwrap_or("identity");
        let message = format!(
            "the {} at {other} has the same {what}, so both stand for one remote: each meets what the other writes or \
             deletes there",
            facts.reference.kind
        );
        problems.push(Diagnostic::new(Code::SameRemote, Severity::Warning, facts.place.clone(), message));
    }
    notes::complain(facts, problems);
}

fn unknown_kind(facts: &Facts) -> Diagnostic {
    let kind = &facts.reference.kind;
    let message = format!("{kind} of {} is unknown to this version: nothing is told of it", plural::GROUP);
    let problem = Diagnostic::new(Code::UnknownKind, Severity::Warning, facts.place.clone(), message);
    // The documentation spells some kinds as no CRD does.
    match plural::kinds().iter().find(|known| known.is_called(kind)) {
        Some(known) => problem.with_fix(format!("write {}, as its CRD is called", known.name)),
        None => problem,
    }
}

/// Only one version of the group was read.
fn other_version(facts: &Facts) -> Option<Diagnostic> {
    let version = facts.reference.api_version.rsplit_once('/').map_or("", |(_, version)| version);
    (version != plural::VERSION).then(|| {
        let message =
            format!("{version} of {} is unknown to this version: it is told as {}", plural::GROUP, plural::VERSION);
        Diagnostic::new(Code::UnknownVersion, Severity::Warning, facts.place.clone(), message)
    })
}

fn interval(facts: &Facts, mode: &Mode<'_>, problems: &mut Vec<Diagnostic>) {
    let Field::Given(text, pos) = &facts.reconciliation.interval else { return };
    let (severity, unused) = match (facts.reconciliation.drifts(), requeue::rests_after_success(facts, mode)) {
        (true, _) if requeue::not_pullable(facts).is_some() => {
            (Severity::Error, " (it is not used till its health is PULLABLE)")
        }
        (false, _) => (Severity::Info, " (it is not used while driftDetection is false)"),
        (true, true) => (Severity::Info, " (it is not used: a managed NotificationSink is not requeued)"),
        (true, false) => (Severity::Error, ""),
    };
    let panics = if unused.is_empty() { "panics" } else { "would panic" };
    let (severity, message) = match Interval::parse(text) {
        None => (
            severity.min(Severity::Warning),
            format!("interval {text:?} is not a Go duration: the controller silently uses 30m{unused}"),
        ),
        Some(Interval::Panics) => (
            severity,
            format!("interval {text:?} is not positive: the controller {panics} at the end of every pass{unused}"),
        ),
        Some(Interval::Zero) => (
            severity.min(Severity::Warning),
            format!("interval {text:?} is cut to 0, so there is no periodic requeue at all{unused}"),
        ),
        Some(Interval::Every(_)) => return,
    };
    let place = Place::new(&facts.place.file, *pos);
    let fix = "write a Go duration such as 30m or 1h30m";
    problems.push(Diagnostic::new(Code::InvalidInterval, severity, place, message).with_fix(fix));
}
