use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::actuation::{Actuation, ActuationMode};
use super::drift::{Drift, DriftState};
use super::halt::Halt;
use super::retry::{Policy, Retry, RetryAnswer, default};
use super::subject::Subject;
use crate::backoff::Ladder;
use crate::human;
use crate::kcc::{self, Controller, Outcome, Status};
use crate::object::Condition;

/// How sure an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// It stands in the object.
    Known,
    /// It follows from the ladder, if attempts take no time and the controller's pod did not restart.
    Estimated,
}

impl Certainty {
    /// The name in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Certainty::Known => "known",
            Certainty::Estimated => "estimated",
        }
    }
}

/// A value that is known or estimated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told<T> {
    /// The value.
    pub value: T,
    /// How sure it is.
    pub certainty: Certainty,
    /// What it follows from, in a clause.
    pub reason: String,
}

fn known<T>(value: T, reason: impl Into<String>) -> Told<T> {
    Told { value, certainty: Certainty::Known, reason: reason.into() }
}

fn estimated<T>(value: T, reason: impl Into<String>) -> Told<T> {
    Told { value, certainty: Certainty::Estimated, reason: reason.into() }
}

/// When the next attempt comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// In this window.
    Window {
        /// Not before.
        from: Timestamp,
        /// Not after, as far as it can be told.
        to: Timestamp,
        /// How sure, and what it follows from.
        told: Told<()>,
    },
    /// Not by itself.
    Never {
        /// Why.
        reason: String,
    },
    /// It cannot be told.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// What the object's status tells, at the time of the assessment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live {
    /// The condition `Ready`, as written.
    pub ready: Option<Condition>,
    /// What it means.
    pub outcome: Outcome,
    /// `metadata.generation`.
    pub generation: Option<i64>,
    /// `status.observedGeneration`.
    pub observed_generation: Option<i64>,
    /// Whether an edit is waiting to be looked at: the generation is ahead of the observed one.
    pub behind: Option<bool>,
    /// What generation and observedGeneration mean together, in a sentence without a full stop.
    pub generation_reason: String,
    /// Since when it has been failing, and for how long.
    pub streak: Option<Told<(Timestamp, Duration)>>,
    /// When the last attempt was.
    pub last_attempt: Option<Told<Timestamp>>,
    /// How many attempts the ladder would have made since the streak began.
    pub attempts: Option<Told<u64>>,
    /// When the next one comes.
    pub next: Next,
}

/// What the ladder tells of a streak.
struct OnLadder {
    attempts: u64,
    last: Timestamp,
    delay: Duration,
}

pub(super) struct Inputs<'a> {
    pub(super) subject: Subject<'a>,
    pub(super) controller: Controller,
    pub(super) retry: &'a RetryAnswer,
    pub(super) drift: &'a Drift,
    pub(super) actuation: &'a Actuation,
}

pub(super) fn outcome(status: &Status) -> Outcome {
    status.ready.as_ref().map_or(Outcome::Unknown, |ready| Outcome::of(&ready.status, &ready.reason))
}

/// Whether an edit is waiting. A dependency, conflict or transform message that repeats leaves observedGeneration
/// behind without meaning so (Config Connector, status handling, 1.155.1).
pub(super) fn behind(subject: Subject<'_>, status: &Status) -> (Option<bool>, String) {
    let (Some(generation), Some(observed)) = (subject.facts.metadata.generation, status.observed_generation) else {
        return (None, "generation or observedGeneration is not in the manifest".to_owned());
    };
    if observed >= generation {
        return (Some(false), format!("generation {generation} was observed"));
    }
    let reason = status.ready.as_ref().map(|ready| ready.reason.as_str()).unwrap_or_default();
    let repeats = matches!(outcome(status), Outcome::Dependency | Outcome::Conflict)
        || matches!(reason, "PreActuationTransformFailed" | "PostActuationTransformFailed");
    if repeats {
        let why = format!(
            "generation {generation}, observed {observed}: with {reason} an unchanged message leaves it behind"
        );
        return (None, why);
    }
    (
        Some(true),
        format!(
            "generation {generation} was not observed yet (observed: {observed}): an attempt is due or fails before it writes a status"
        ),
    )
}

pub(super) fn live(inputs: &Inputs<'_>, status: &Status, halt: &Halt) -> Live {
    let subject = inputs.subject;
    let outcome = outcome(status);
    let (behind, generation_reason) = behind(subject, status);
    let ladder = failing_retry(inputs, outcome);
    let start = streak_start(subject, status, outcome);
    let on_ladder = ladder
        .as_ref()
        .and_then(|retry| retry.ladder.as_ref())
        .zip(start)
        .map(|(ladder, start)| on_ladder(subject, ladder, start));
    Live {
        ready: status.ready.clone(),
        outcome,
        generation: subject.facts.metadata.generation,
        observed_generation: status.observed_generation,
        behind,
        generation_reason,
        streak: streak(subject, status, outcome),
        last_attempt: last_attempt(inputs, outcome, halt, on_ladder.as_ref()),
        attempts: on_ladder.as_ref().map(|on_ladder| {
            estimated(on_ladder.attempts, "if attempts take no time and the controller did not restart")
        }),
        next: next(inputs, status, outcome, behind, halt, ladder.as_ref(), on_ladder.as_ref()),
    }
}

/// The rule by which a failing object is being retried now, if it is failing.
fn failing_retry(inputs: &Inputs<'_>, outcome: Outcome) -> Option<Retry> {
    let subject = inputs.subject;
    if subject.deleting() {
        // Whatever the status still says: the object is asked about on the default ladder until it is gone.
        return inputs.retry.known().cloned();
    }
    match outcome {
        Outcome::Failed => inputs.retry.known().cloned(),
        Outcome::Dependency if inputs.controller.watches_dependencies() => None,
        Outcome::Dependency => Some(default(subject, "the ceiling does not govern waiting for dependencies")),
        Outcome::Conflict => inputs.retry.known().cloned(),
        _ => None,
    }
}

/// When the streak of failures began as far as the ladder is concerned. A deletion begins a new one for an object
/// that was failing under a ceiling before, because the workqueue's counter was forgotten each time.
fn streak_start(subject: Subject<'_>, status: &Status, outcome: Outcome) -> Option<Timestamp> {
    let since = status.ready.as_ref().and_then(|ready| ready.since).filter(|_| outcome.is_failing());
    let requested = subject.facts.metadata.deletion.flatten();
    match (since, requested) {
        (Some(since), Some(requested)) => Some(since.max(requested)),
        (since, requested) => since.or(requested),
    }
}

fn streak(subject: Subject<'_>, status: &Status, outcome: Outcome) -> Option<Told<(Timestamp, Duration)>> {
    if !outcome.is_failing() {
        return None;
    }
    let since = status.ready.as_ref()?.since?;
    let lasted = between(since, subject.world.now);
    Some(known((since, lasted), "lastTransitionTime of Ready, which moves only when the status flips"))
}

fn on_ladder(subject: Subject<'_>, ladder: &Ladder, start: Timestamp) -> OnLadder {
    let attempts = ladder.attempts_within(between(start, subject.world.now));
    OnLadder { attempts, last: later(start, ladder.at(attempts)), delay: ladder.delay(attempts) }
}

/// tf and dcl rewrite the status at every failed apply, so its last write is the last attempt; the other controllers
/// write an identical status, which leaves no trace.
fn last_attempt(
    inputs: &Inputs<'_>,
    outcome: Outcome,
    halt: &Halt,
    on_ladder: Option<&OnLadder>,
) -> Option<Told<Timestamp>> {
    let written = inputs.subject.facts.metadata.last_status_write;
    let rewrites = matches!(inputs.controller, Controller::Tf | Controller::Dcl) && outcome == Outcome::Failed;
    if let (true, Some(written)) = (rewrites, written) {
        let reason =
            format!("managedFields: the {} controller rewrites the status at every failed attempt", inputs.controller);
        return Some(known(written, reason));
    }
    if halt.now == Some(true) {
        return written
            .map(|written| estimated(written, "the last change of the status; an identical one leaves no trace"));
    }
    let on_ladder = on_ladder?;
    let last = written.map_or(on_ladder.last, |written| written.max(on_ladder.last));
    Some(estimated(last, "by the ladder since the streak began; the controller's identical statuses leave no trace"))
}

#[allow(clippy::too_many_arguments)]
fn next(
    inputs: &Inputs<'_>,
    status: &Status,
    outcome: Outcome,
    behind: Option<bool>,
    halt: &Halt,
    retry: Option<&Retry>,
    on_ladder: Option<&OnLadder>,
) -> Next {
    let subject = inputs.subject;
    let now = subject.world.now;
    let never = |reason: &str| Next::Never { reason: reason.to_owned() };
    let unknown = |reason: &str| Next::Unknown { reason: reason.to_owned() };
    if inputs.controller == Controller::None {
        return never("no controller reconciles the object");
    }
    if outcome == Outcome::Unmanaged && !subject.deleting() {
        return never("Unmanaged is written once by a separate process and never retried");
    }
    if subject.deleting() {
        let finalizers = &subject.facts.metadata.finalizers;
        if finalizers.is_empty() {
            return never("no finalizer is left");
        }
        if inputs.controller == Controller::Direct && finalizers.iter().any(|name| name == kcc::DELETION_DEFENDER) {
            return never("it waits for the deletion defender's finalizer to go");
        }
    }
    if inputs.actuation.mode == ActuationMode::Paused || outcome == Outcome::Paused {
        return by_drift(inputs, "a paused reconcile is requeued after the jittered drift interval");
    }
    if let DriftState::Invalid(_) = inputs.drift.state {
        let most = subject.world.release.default_ladder().max();
        return window(
            now,
            later(now, most),
            estimated((), "the default ladder's longest delay; the status tells nothing about this loop"),
        );
    }
    if halt.now == Some(true) {
        return never("halted");
    }
    if behind == Some(true) {
        return window(now, now, estimated((), "an edit is waiting, and edits of spec wake the object at once"));
    }
    if subject.deleting() || outcome.is_failing() {
        if outcome == Outcome::Dependency && inputs.controller.watches_dependencies() && !subject.deleting() {
            return by_drift(
                inputs,
                "a change of the dependency wakes it (the watch gives up after a jittered 10 min), else the drift interval",
            );
        }
        if halt.now.is_none() && retry.is_none_or(|retry| retry.policy == Policy::Halt) {
            return unknown(&halt.now_reason);
        }
        return match (on_ladder, retry.and_then(|retry| retry.ladder)) {
            (Some(on_ladder), _) => {
                on_ladder_next(inputs, outcome, retry, on_ladder, streak_start(subject, status, outcome))
            }
            (None, Some(ladder)) => {
                let reason = "the ladder's longest delay; the status does not say since when it fails";
                window(now, later(now, ladder.max()), estimated((), reason))
            }
            (None, None) => unknown(&halt.now_reason),
        };
    }
    match outcome {
        Outcome::UpToDate | Outcome::Finished => {
            if inputs.drift.skips_when_up_to_date && status.up_to_date {
                return never("it is up to date and its drift interval is \"0\"");
            }
            by_drift(inputs, "the drift interval; when the last success was is not in the status")
        }
        Outcome::Deleted => never("Deleted"),
        Outcome::Failed | Outcome::Conflict | Outcome::Dependency | Outcome::Deleting => {
            unknown("the status speaks of a deletion that the object no longer asks for")
        }
        Outcome::InProgress => unknown("an attempt is under way, or its end was not written"),
        Outcome::Paused | Outcome::Unmanaged => {
            unknown("the status names a state that the annotations no longer ask for")
        }
        Outcome::Unknown => unknown("the status has no Ready condition with a reason known to this version"),
    }
}

fn on_ladder_next(
    inputs: &Inputs<'_>,
    outcome: Outcome,
    retry: Option<&Retry>,
    on_ladder: &OnLadder,
    start: Option<Timestamp>,
) -> Next {
    let now = inputs.subject.world.now;
    let rewrites = matches!(inputs.controller, Controller::Tf | Controller::Dcl) && outcome == Outcome::Failed;
    let written = inputs.subject.facts.metadata.last_status_write.filter(|_| rewrites);
    let ladder = retry.and_then(|retry| retry.ladder);
    if let (Some(last), Some(ladder), Some(start)) = (written, ladder, start) {
        let delay = ladder.delay(ladder.attempts_within(between(start, last)));
        let due = later(last, delay);
        if due < now {
            let overdue = human::duration(between(due, now));
            let reason = format!(
                "{} after the last attempt, so it was due {overdue} ago: the manifest is older than that, many objects of the kind fail, or the controller is down",
                human::duration(delay)
            );
            return window(now, now, estimated((), reason));
        }
        let reason = format!("at most {} after the last attempt", human::duration(delay));
        return window(now, due, estimated((), reason));
    }
    let reason = format!(
        "the ladder stands at {}, and when exactly the last attempt was is not in the status",
        human::duration(on_ladder.delay)
    );
    window(now, later(now, on_ladder.delay), estimated((), reason))
}

fn by_drift(inputs: &Inputs<'_>, reason: &str) -> Next {
    let now = inputs.subject.world.now;
    match inputs.drift.range() {
        Some((_, _, most)) => window(now, later(now, most), estimated((), reason)),
        None => Next::Never { reason: "it has no periodic requeue".to_owned() },
    }
}

fn window(from: Timestamp, to: Timestamp, told: Told<()>) -> Next {
    Next::Window { from, to: to.max(from), told }
}

/// The time from `start` to `end`, zero if `end` is earlier.
fn between(start: Timestamp, end: Timestamp) -> Duration {
    Duration::try_from(end.duration_since(start)).unwrap_or_default()
}

/// `time` plus `delay`, at most the last time that can be written.
fn later(time: Timestamp, delay: Duration) -> Timestamp {
    SignedDuration::try_from(delay).ok().and_then(|delay| time.checked_add(delay).ok()).unwrap_or(Timestamp::MAX)
}
