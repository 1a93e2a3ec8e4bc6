use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::Text;
use super::actuation::{self, Actuation, ActuationMode};
use super::drift::{Drift, DriftState};
use super::halt::Halt;
use super::retry::RetryAnswer;
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
#[derive(Debug, Clone, PartialEq)]
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
    /// How many attempts the ladder would have made, and since when: since the streak began, or since deletion was
    /// requested.
    pub attempts: Option<Told<'a, (u64, Timestamp)>>,
    /// When the next one comes.
    pub next: Next<'a>,
    /// How many attempts an hour come while it stays as it is: while it fails by the longest delay of its ladder, else
    /// by the mean drift interval. `None` where that cannot be told.
    pub attempts_per_hour: Option<f64>,
}

/// By which delays a failing object is retried now.
enum Rule<'a> {
    /// By one ladder.
    Ladder(Ladder),
    /// By one of two, it is not known which.
    Either(Ladder, Ladder, Text<'a>),
    /// It is not known whether it is retried at all.
    Unknown(Text<'a>),
    /// By the drift interval, with a watch on the dependency.
    Watch,
}

/// Where on its ladder an object stands.
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

/// What the status means. False with reason UpToDate means something on jobs of Dataflow only.
pub(super) fn outcome(subject: Subject<'_>, status: &Status) -> Outcome {
    match status.ready.as_ref().map(|ready| Outcome::of(&ready.status, &ready.reason)) {
        None => Outcome::Unknown,
        Some(Outcome::Finished) if subject.group() != "dataflow.cnrm.cloud.google.com" => Outcome::Unknown,
        Some(outcome) => outcome,
    }
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
    if subject.deleting() {
        let why =
            format!("generation {generation}, observed {observed}: a request to delete raises the generation, too");
        return (None, why.into());
    }
    let reason = status.ready.as_ref().map(|ready| ready.reason.as_str()).unwrap_or_default();
    if matches!(outcome(subject, status), Outcome::Dependency | Outcome::Conflict | Outcome::TransformFailed) {
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
    let outcome = outcome(subject, status);
    let (behind, generation_reason) = behind(subject, status);
    let (next, on_ladder) = next(inputs, status, behind, halt);
    Live {
        ready: status.ready.as_ref(),
        outcome,
        generation: subject.facts.metadata.generation,
        observed_generation: status.observed_generation,
        behind,
        generation_reason,
        streak: streak(subject, status),
        last_attempt: last_attempt(inputs, status, on_ladder.as_ref()),
        attempts: on_ladder.as_ref().map(|on_ladder| {
            let reason = "if attempts take no time and the controller did not restart";
            estimated((on_ladder.attempts, on_ladder.start), reason)
        }),
        attempts_per_hour: attempts_per_hour(inputs, status, &next, behind, halt),
        next,
    }
}

fn attempts_per_hour(
    inputs: &Inputs<'_, '_>,
    status: &Status,
    next: &Next<'_>,
    behind: Option<bool>,
    halt: &Halt<'_>,
) -> Option<f64> {
    let every = |delay: Duration| Some(3600.0 / delay.as_secs_f64());
    let by_drift = inputs.drift.range().map_or(Some(0.0), |(mean, ..)| every(mean));
    match next {
        Next::Never { .. } => return Some(0.0),
        Next::Unknown { .. } => return None,
        Next::Window { .. } => {}
    }
    let (subject, outcome) = (inputs.subject, outcome(inputs.subject, status));
    if inputs.actuation.mode == ActuationMode::Paused {
        return by_drift;
    }
    if let DriftState::Invalid(_) = inputs.drift.state {
        return every(subject.world.release.default_ladder().max());
    }
    if behind == Some(true) {
        return None;
    }
    if !subject.deleting() && !outcome.is_failing() {
        return by_drift;
    }
    match rule(inputs, status, halt) {
        Rule::Ladder(ladder) => every(ladder.max()),
        Rule::Watch => by_drift,
        Rule::Either(..) | Rule::Unknown(_) => None,
    }
}

/// The rule by which a failing object, or one that is being deleted, is retried now.
fn rule<'a>(inputs: &Inputs<'_, 'a>, status: &Status, halt: &Halt<'_>) -> Rule<'a> {
    let subject = inputs.subject;
    let default = subject.world.release.default_ladder();
    if subject.deleting() {
        return Rule::Ladder(default);
    }
    let settled = subject.world.release.ceiling_scope_settled();
    let by_retry = || match inputs.retry {
        RetryAnswer::Known(retry) => {
            retry.ladder.map_or_else(|| Rule::Unknown(halt.now_reason.to_string().into()), Rule::Ladder)
        }
        RetryAnswer::Unknown { if_honoured, if_ignored, reason } => match (if_honoured.ladder, if_ignored.ladder) {
            (Some(honoured), Some(ignored)) => Rule::Either(honoured, ignored, reason.clone()),
            _ => Rule::Unknown(reason.clone()),
        },
    };
    // Errors of which it is not settled whether the ceiling governs them.
    let unsettled = |what: &str| match by_retry() {
        Rule::Ladder(ladder) if settled || ladder == default => Rule::Ladder(default),
        Rule::Ladder(ladder) => {
            let release = subject.world.release;
            Rule::Either(
                ladder,
                default,
                format!("whether a ceiling governs {what} is not settled for {release}").into(),
            )
        }
        other => other,
    };
    match outcome(subject, status) {
        Outcome::Dependency if inputs.controller.watches_dependencies() => Rule::Watch,
        Outcome::Dependency => unsettled("waiting for dependencies"),
        Outcome::TransformFailed => unsettled("errors outside the main path of a reconcile"),
        Outcome::Conflict if inputs.controller == Controller::Direct => {
            Rule::Unknown("the direct controller takes no lease: this status was left by another controller".into())
        }
        _ => by_retry(),
    }
}

/// When the streak of failures began as far as the ladder is concerned. A deletion begins a new one for an object
/// that was failing under a ceiling before, because the workqueue's counter was forgotten each time.
fn streak_start(subject: Subject<'_>, status: &Status) -> Option<Timestamp> {
    let failing = outcome(subject, status).is_failing();
    let since = status.ready.as_ref().and_then(|ready| ready.since).filter(|_| failing);
    let requested = subject.facts.metadata.deletion.flatten();
    match (since, requested) {
        (Some(since), Some(requested)) => Some(since.max(requested)),
        (since, requested) => since.or(requested),
    }
}

fn streak<'a>(subject: Subject<'a>, status: &Status) -> Option<Told<'a, (Timestamp, Duration)>> {
    if !outcome(subject, status).is_failing() {
        return None;
    }
    let since = status.ready.as_ref()?.since?;
    let lasted = between(since, subject.world.now);
    Some(known((since, lasted), "lastTransitionTime of Ready, which moves only when the status flips"))
}

fn on_ladder(subject: Subject<'_>, status: &Status, ladder: &Ladder) -> Option<OnLadder> {
    let start = streak_start(subject, status)?;
    let attempts = ladder.attempts_within(between(start, subject.world.now));
    Some(OnLadder { start, attempts, delay: ladder.delay(attempts) })
}

/// tf and dcl rewrite the status at every failed apply (False/Updating, then False/UpdateFailed), so its last write is
/// the last attempt. Nothing of the kind is known of other failures, of an interval that is invalid (the status stays
/// as it is), of pauses and deletions; direct writes an identical status, which leaves no trace
/// (Config Connector, status handling, 1.155.1).
fn written_at_each_attempt(inputs: &Inputs<'_, '_>, status: &Status) -> Option<Timestamp> {
    let rewrites = matches!(inputs.controller, Controller::Tf | Controller::Dcl)
        && status.ready.as_ref().is_some_and(|ready| ready.reason == "UpdateFailed")
        && !matches!(inputs.drift.state, DriftState::Invalid(_))
        && inputs.actuation.mode != ActuationMode::Paused
        && !inputs.subject.deleting();
    let now = inputs.subject.world.now;
    inputs.subject.facts.metadata.last_status_write.filter(|written| rewrites && *written <= now)
}

fn last_attempt<'a>(
    inputs: &Inputs<'_, 'a>,
    status: &Status,
    on_ladder: Option<&OnLadder>,
) -> Option<Told<'a, LastAttempt>> {
    if let Some(written) = written_at_each_attempt(inputs, status) {
        let reason =
            format!("managedFields: the {} controller rewrites the status at every failed attempt", inputs.controller);
        return Some(known(LastAttempt { from: written, to: written }, reason));
    }
    let now = inputs.subject.world.now;
    let written = inputs.subject.facts.metadata.last_status_write.filter(|written| *written <= now);
    let Some(on_ladder) = on_ladder else {
        let from = written.filter(|_| outcome(inputs.subject, status).is_failing())?;
        let reason = "managedFields: the last change of the status; attempts that change nothing leave no trace";
        return Some(estimated(LastAttempt { from, to: now }, reason));
    };
    let earliest = earlier(now, on_ladder.delay).max(on_ladder.start);
    let from = written.map_or(earliest, |written| written.max(earliest));
    Some(estimated(LastAttempt { from, to: now }, "the delay that its ladder stands at"))
}

fn never<'a>(reason: impl Into<Text<'a>>) -> Next<'a> {
    Next::Never { reason: reason.into() }
}

fn unknown<'a>(reason: impl Into<Text<'a>>) -> Next<'a> {
    Next::Unknown { reason: reason.into() }
}

/// When the next attempt comes, and where on its ladder the object stands if that decides it.
fn next<'a>(
    inputs: &Inputs<'_, 'a>,
    status: &Status,
    behind: Option<bool>,
    halt: &Halt<'a>,
) -> (Next<'a>, Option<OnLadder>) {
    let subject = inputs.subject;
    let now = subject.world.now;
    let outcome = outcome(subject, status);
    let next = if inputs.controller == Controller::None {
        never("no controller reconciles the object")
    } else if status.ready.as_ref().and_then(|ready| ready.since).is_some_and(|since| since > now) {
        unknown("the status is newer than the time that is asked about (--now, or this machine's clock)")
    } else if let Some(waiting) = deletion_waits(inputs) {
        never(waiting)
    } else if outcome == Outcome::Unmanaged && !subject.deleting() {
        never("Unmanaged is written once by a separate process and never retried")
    } else if inputs.actuation.mode == ActuationMode::Paused {
        by_drift(inputs, "a paused reconcile is requeued after the jittered drift interval")
    } else if inputs.actuation.mode != ActuationMode::Reconciling && !subject.deleting() {
        unknown(actuation::UNSETTLED)
    } else if let DriftState::Invalid(_) = inputs.drift.state {
        let most = subject.world.release.default_ladder().max();
        let reason = "the default ladder's longest delay; the status tells nothing about this loop";
        window(now, later(now, most), estimated((), reason))
    } else if halt.now == Some(true) {
        // A delayed requeue that is pending when a halt comes stays pending (client-go's workqueue).
        never("halted; only a retry that was pending when the ceiling became \"0\" may still come, once")
    } else if behind == Some(true) {
        window(now, now, estimated((), "an edit is waiting, and edits of spec wake the object at once"))
    } else if subject.deleting() || outcome.is_failing() {
        return next_of_failing(inputs, status, halt);
    } else {
        next_of_others(inputs, status, outcome)
    };
    (next, None)
}

fn next_of_others<'a>(inputs: &Inputs<'_, 'a>, status: &Status, outcome: Outcome) -> Next<'a> {
    match outcome {
        Outcome::UpToDate | Outcome::Finished => {
            if inputs.drift.skips_when_up_to_date && status.up_to_date {
                return never("it is up to date and its drift interval is \"0\"");
            }
            by_drift(inputs, "the drift interval; when the last success was is not in the status")
        }
        Outcome::Deleted => unknown("the status says Deleted, but the object does not ask for deletion"),
        Outcome::InProgress => unknown("an attempt is under way, or its end was not written"),
        Outcome::Paused => unknown("the status says Paused, but nothing among the inputs pauses the object"),
        Outcome::Deleting => unknown("the status speaks of a deletion that the object does not ask for"),
        _ => unknown("the status has no Ready condition with a reason known to this version for this kind"),
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

fn next_of_failing<'a>(inputs: &Inputs<'_, 'a>, status: &Status, halt: &Halt<'a>) -> (Next<'a>, Option<OnLadder>) {
    let now = inputs.subject.world.now;
    let ladder = match rule(inputs, status, halt) {
        Rule::Ladder(ladder) => ladder,
        Rule::Either(one, other, reason) => {
            let longest =
                |ladder: &Ladder| on_ladder(inputs.subject, status, ladder).map_or(ladder.max(), |on| on.delay);
            return (window(now, later(now, longest(&one).max(longest(&other))), estimated((), reason)), None);
        }
        Rule::Unknown(reason) => return (unknown(reason), None),
        Rule::Watch => {
            if inputs.drift.range().is_none() {
                let reason = "a change of the dependency wakes it only until the watch on it gives up, a jittered 10 min after \
                              the last attempt; after that nothing does, as it has no periodic requeue";
                return (never(reason), None);
            }
            let reason = "a change of the dependency wakes it (the watch gives up after a jittered 10 min), else the drift interval";
            return (by_drift(inputs, reason), None);
        }
    };
    let Some(on_ladder) = on_ladder(inputs.subject, status, &ladder) else {
        let reason = "the ladder's longest delay; the status does not say since when it fails";
        return (window(now, later(now, ladder.max()), estimated((), reason)), None);
    };
    let next = match written_at_each_attempt(inputs, status) {
        Some(last) => after(last, ladder.delay(ladder.attempts_within(between(on_ladder.start, last))), now),
        None => {
            let reason = format!("the ladder stands at a delay of {}", human::duration(on_ladder.delay));
            window(now, later(now, on_ladder.delay), estimated((), reason))
        }
    };
    (next, Some(on_ladder))
}

/// The next attempt, `delay` after a known last one.
fn after<'a>(last: Timestamp, delay: Duration, now: Timestamp) -> Next<'a> {
    let due = later(last, delay);
    let delay = human::duration(delay);
    if due < now {
        let overdue = human::duration(between(due, now));
        let reason = format!(
            "{delay} after the last attempt, so it was due {overdue} ago: the manifest is older than that, many objects of the kind fail, or the controller is down"
        );
        return window(now, now, estimated((), reason));
    }
    window(now, due, estimated((), format!("at most {delay} after the last attempt")))
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
