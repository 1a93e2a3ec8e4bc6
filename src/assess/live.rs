use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::Text;
use super::actuation::{Actuation, ActuationMode};
use super::drift::{Drift, DriftState};
use super::halt::Halt;
use super::retry::{Retry, RetryAnswer, default};
use super::subject::Subject;
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
pub struct Told<'a, T> {
    /// The value.
    pub value: T,
    /// How sure it is.
    pub certainty: Certainty,
    /// What it follows from, in a clause.
    pub reason: Text<'a>,
}

fn known<'a, T>(value: T, reason: impl Into<Text<'a>>) -> Told<'a, T> {
    Told { value, certainty: Certainty::Known, reason: reason.into() }
}

fn estimated<'a, T>(value: T, reason: impl Into<Text<'a>>) -> Told<'a, T> {
    Told { value, certainty: Certainty::Estimated, reason: reason.into() }
}

/// When the last attempt was: between two times, which are the same where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastAttempt {
    /// Not before.
    pub from: Timestamp,
    /// Not after.
    pub to: Timestamp,
}

/// When the next attempt comes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next<'a> {
    /// In this window.
    Window {
        /// Not before.
        from: Timestamp,
        /// Not after, as far as it can be told.
        to: Timestamp,
        /// How sure, and what it follows from.
        told: Told<'a, ()>,
    },
    /// Not by itself.
    Never {
        /// Why.
        reason: Text<'a>,
    },
    /// It cannot be told.
    Unknown {
        /// Why.
        reason: Text<'a>,
    },
}

/// What the object's status tells, at the time of the assessment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live<'a> {
    /// The condition `Ready`, as written.
    pub ready: Option<&'a Condition>,
    /// What it means.
    pub outcome: Outcome,
    /// `metadata.generation`.
    pub generation: Option<i64>,
    /// `status.observedGeneration`.
    pub observed_generation: Option<i64>,
    /// Whether an edit is waiting to be looked at: the generation is ahead of the observed one.
    pub behind: Option<bool>,
    /// What generation and observedGeneration mean together.
    pub generation_reason: Text<'a>,
    /// Since when it has been failing, and for how long.
    pub streak: Option<Told<'a, (Timestamp, Duration)>>,
    /// When the last attempt was.
    pub last_attempt: Option<Told<'a, LastAttempt>>,
    /// How many attempts the ladder would have made since the streak began.
    pub attempts: Option<Told<'a, u64>>,
    /// When the next one comes.
    pub next: Next<'a>,
}

/// What the ladder tells of a streak.
struct OnLadder {
    start: Timestamp,
    attempts: u64,
    delay: Duration,
}

pub(super) struct Inputs<'i, 'a> {
    pub(super) subject: Subject<'a>,
    pub(super) controller: Controller,
    pub(super) retry: &'i RetryAnswer<'a>,
    pub(super) drift: &'i Drift<'a>,
    pub(super) actuation: &'i Actuation<'a>,
}

pub(super) fn outcome(status: &Status) -> Outcome {
    status.ready.as_ref().map_or(Outcome::Unknown, |ready| Outcome::of(&ready.status, &ready.reason))
}

/// Whether an edit is waiting. A dependency, conflict or transform message that repeats leaves observedGeneration
/// behind without meaning so (Config Connector, status handling, 1.155.1).
pub(super) fn behind<'a>(subject: Subject<'_>, status: &Status) -> (Option<bool>, Text<'a>) {
    let (Some(generation), Some(observed)) = (subject.facts.metadata.generation, status.observed_generation) else {
        return (None, "generation or observedGeneration is not in the manifest".into());
    };
    if observed >= generation {
        return (Some(false), format!("generation {generation} was observed").into());
    }
    let reason = status.ready.as_ref().map(|ready| ready.reason.as_str()).unwrap_or_default();
    let repeats = matches!(outcome(status), Outcome::Dependency | Outcome::Conflict)
        || matches!(reason, "PreActuationTransformFailed" | "PostActuationTransformFailed");
    if repeats {
        let why = format!(
            "generation {generation}, observed {observed}: with {reason} an unchanged message leaves it behind"
        );
        return (None, why.into());
    }
    let why = format!(
        "generation {generation} was not observed yet (observed: {observed}): an attempt is due, or fails before it writes a status"
    );
    (Some(true), why.into())
}

pub(super) fn live<'a>(inputs: &Inputs<'_, 'a>, status: &'a Status, halt: &Halt<'a>) -> Live<'a> {
    let subject = inputs.subject;
    let outcome = outcome(status);
    let (behind, generation_reason) = behind(subject, status);
    let next = next(inputs, status, behind, halt);
    // Without a next attempt there is no ladder that the object stands on, so none to count on either.
    let on_ladder = match next {
        Next::Window { .. } => on_ladder(inputs, status),
        Next::Never { .. } | Next::Unknown { .. } => None,
    };
    Live {
        ready: status.ready.as_ref(),
        outcome,
        generation: subject.facts.metadata.generation,
        observed_generation: status.observed_generation,
        behind,
        generation_reason,
        streak: streak(subject, status),
        last_attempt: last_attempt(inputs, outcome, on_ladder.as_ref()),
        attempts: on_ladder.as_ref().map(|on_ladder| {
            estimated(on_ladder.attempts, "if attempts take no time and the controller did not restart")
        }),
        next,
    }
}

/// The rule by which a failing object is being retried now, if it is failing.
fn failing_retry<'a>(inputs: &Inputs<'_, 'a>, outcome: Outcome) -> Option<Retry<'a>> {
    let subject = inputs.subject;
    if subject.deleting() {
        // Whatever the status still says: the object is asked about on the default ladder until it is gone.
        return inputs.retry.known().cloned();
    }
    match outcome {
        Outcome::Failed | Outcome::Conflict => inputs.retry.known().cloned(),
        Outcome::Dependency if inputs.controller.watches_dependencies() => None,
        Outcome::Dependency => Some(default(subject, "the ceiling does not govern waiting for dependencies")),
        _ => None,
    }
}

/// When the streak of failures began as far as the ladder is concerned. A deletion begins a new one for an object
/// that was failing under a ceiling before, because the workqueue's counter was forgotten each time.
fn streak_start(subject: Subject<'_>, status: &Status) -> Option<Timestamp> {
    let failing = outcome(status).is_failing();
    let since = status.ready.as_ref().and_then(|ready| ready.since).filter(|_| failing);
    let requested = subject.facts.metadata.deletion.flatten();
    match (since, requested) {
        (Some(since), Some(requested)) => Some(since.max(requested)),
        (since, requested) => since.or(requested),
    }
}

fn streak<'a>(subject: Subject<'a>, status: &Status) -> Option<Told<'a, (Timestamp, Duration)>> {
    if !outcome(status).is_failing() {
        return None;
    }
    let since = status.ready.as_ref()?.since?;
    let lasted = between(since, subject.world.now);
    Some(known((since, lasted), "lastTransitionTime of Ready, which moves only when the status flips"))
}

fn on_ladder(inputs: &Inputs<'_, '_>, status: &Status) -> Option<OnLadder> {
    let ladder = failing_retry(inputs, outcome(status))?.ladder?;
    let start = streak_start(inputs.subject, status)?;
    let attempts = ladder.attempts_within(between(start, inputs.subject.world.now));
    Some(OnLadder { start, attempts, delay: ladder.delay(attempts) })
}

/// tf and dcl rewrite the status at every failed apply, so its last write is the last attempt; the other controllers
/// write an identical status, which leaves no trace (Config Connector, status handling, 1.155.1).
fn written_at_each_attempt(inputs: &Inputs<'_, '_>, outcome: Outcome) -> Option<Timestamp> {
    let rewrites = matches!(inputs.controller, Controller::Tf | Controller::Dcl) && outcome == Outcome::Failed;
    inputs.subject.facts.metadata.last_status_write.filter(|_| rewrites)
}

fn last_attempt<'a>(
    inputs: &Inputs<'_, 'a>,
    outcome: Outcome,
    on_ladder: Option<&OnLadder>,
) -> Option<Told<'a, LastAttempt>> {
    if let Some(written) = written_at_each_attempt(inputs, outcome) {
        let reason =
            format!("managedFields: the {} controller rewrites the status at every failed attempt", inputs.controller);
        return Some(known(LastAttempt { from: written, to: written }, reason));
    }
    let now = inputs.subject.world.now;
    let written = inputs.subject.facts.metadata.last_status_write.filter(|written| *written <= now);
    let Some(on_ladder) = on_ladder else {
        // A halted or waiting object: the last change of its status is the least that is known.
        let from = written.filter(|_| outcome.is_failing())?;
        let reason = "managedFields: the last change of the status; an identical one leaves no trace";
        return Some(estimated(LastAttempt { from, to: now }, reason));
    };
    let earliest = earlier(now, on_ladder.delay).max(on_ladder.start);
    let from = written.map_or(earliest, |written| written.max(earliest));
    Some(estimated(
        LastAttempt { from, to: now },
        "the delay that its ladder stands at; an identical status leaves no trace",
    ))
}

fn never<'a>(reason: impl Into<Text<'a>>) -> Next<'a> {
    Next::Never { reason: reason.into() }
}

fn unknown<'a>(reason: impl Into<Text<'a>>) -> Next<'a> {
    Next::Unknown { reason: reason.into() }
}

fn next<'a>(inputs: &Inputs<'_, 'a>, status: &Status, behind: Option<bool>, halt: &Halt<'a>) -> Next<'a> {
    let subject = inputs.subject;
    let now = subject.world.now;
    let outcome = outcome(status);
    if inputs.controller == Controller::None {
        return never("no controller reconciles the object");
    }
    if status.ready.as_ref().and_then(|ready| ready.since).is_some_and(|since| since > now) {
        return unknown("the status is newer than the time that is asked about (--now, or this machine's clock)");
    }
    if let Some(waiting) = deletion_waits(inputs) {
        return never(waiting);
    }
    if outcome == Outcome::Unmanaged && !subject.deleting() {
        return never("Unmanaged is written once by a separate process and never retried");
    }
    if inputs.actuation.mode == ActuationMode::Paused {
        return by_drift(inputs, "a paused reconcile is requeued after the jittered drift interval");
    }
    if let DriftState::Invalid(_) = inputs.drift.state {
        let most = subject.world.release.default_ladder().max();
        let reason = "the default ladder's longest delay; the status tells nothing about this loop";
        return window(now, later(now, most), estimated((), reason));
    }
    if halt.now == Some(true) {
        return never("halted");
    }
    if behind == Some(true) && !subject.deleting() {
        return window(now, now, estimated((), "an edit is waiting, and edits of spec wake the object at once"));
    }
    if subject.deleting() || outcome.is_failing() {
        return next_of_failing(inputs, status, halt);
    }
    match outcome {
        Outcome::UpToDate | Outcome::Finished => {
            if inputs.drift.skips_when_up_to_date && status.up_to_date {
                return never("it is up to date and its drift interval is \"0\"");
            }
            by_drift(inputs, "the drift interval; when the last success was is not in the status")
        }
        Outcome::Deleted => never("Deleted"),
        Outcome::InProgress => unknown("an attempt is under way, or its end was not written"),
        Outcome::Paused => unknown("the status says Paused, but nothing among the inputs pauses the object"),
        Outcome::Deleting => unknown("the status speaks of a deletion that the object does not ask for"),
        Outcome::Failed | Outcome::Conflict | Outcome::Dependency | Outcome::Unmanaged | Outcome::Unknown => {
            unknown("the status has no Ready condition with a reason known to this version")
        }
    }
}

/// What an object that is being deleted waits for without being looked at again.
fn deletion_waits(inputs: &Inputs<'_, '_>) -> Option<&'static str> {
    let finalizers = &inputs.subject.facts.metadata.finalizers;
    let has = |wanted: &str| finalizers.iter().any(|name| name == wanted);
    if !inputs.subject.deleting() {
        return None;
    }
    if finalizers.is_empty() {
        return Some("no finalizer is left");
    }
    if !has(kcc::FINALIZER) && !has(kcc::DELETION_DEFENDER) {
        return Some("Config Connector is done with it: the finalizers that are left are others'");
    }
    let defended = inputs.controller == Controller::Direct && has(kcc::DELETION_DEFENDER);
    defended.then_some("it waits for the deletion defender's finalizer to go")
}

fn next_of_failing<'a>(inputs: &Inputs<'_, 'a>, status: &Status, halt: &Halt<'a>) -> Next<'a> {
    let now = inputs.subject.world.now;
    let outcome = outcome(status);
    if outcome == Outcome::Dependency && inputs.controller.watches_dependencies() && !inputs.subject.deleting() {
        let reason =
            "a change of the dependency wakes it (the watch gives up after a jittered 10 min), else the drift interval";
        return by_drift(inputs, reason);
    }
    let retry = failing_retry(inputs, outcome);
    if halt.now.is_none() {
        return unknown(halt.now_reason.clone());
    }
    let Some(ladder) = retry.and_then(|retry| retry.ladder) else { return unknown(halt.now_reason.clone()) };
    let Some(on_ladder) = on_ladder(inputs, status) else {
        let reason = "the ladder's longest delay; the status does not say since when it fails";
        return window(now, later(now, ladder.max()), estimated((), reason));
    };
    let Some(last) = written_at_each_attempt(inputs, outcome) else {
        let delay = human::duration(on_ladder.delay);
        return window(
            now,
            later(now, on_ladder.delay),
            estimated((), format!("the ladder stands at a delay of {delay}")),
        );
    };
    let delay = ladder.delay(ladder.attempts_within(between(on_ladder.start, last)));
    let due = later(last, delay);
    if due < now {
        let overdue = human::duration(between(due, now));
        let reason = format!(
            "{} after the last attempt, so it was due {overdue} ago: the manifest is older than that, many objects of the kind fail, or the controller is down",
            human::duration(delay)
        );
        return window(now, now, estimated((), reason));
    }
    window(now, due, estimated((), format!("at most {} after the last attempt", human::duration(delay))))
}

fn by_drift<'a>(inputs: &Inputs<'_, 'a>, reason: &'static str) -> Next<'a> {
    let now = inputs.subject.world.now;
    match inputs.drift.range() {
        Some((_, _, most)) => window(now, later(now, most), estimated((), reason)),
        None => never("it has no periodic requeue"),
    }
}

fn window<'a>(from: Timestamp, to: Timestamp, told: Told<'a, ()>) -> Next<'a> {
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

/// `time` minus `delay`, at least the first time that can be written.
fn earlier(time: Timestamp, delay: Duration) -> Timestamp {
    SignedDuration::try_from(delay).ok().and_then(|delay| time.checked_sub(delay).ok()).unwrap_or(Timestamp::MIN)
}
