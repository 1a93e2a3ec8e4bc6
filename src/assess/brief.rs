use std::borrow::Cow;
use std::time::Duration;

use jiff::Timestamp;

use super::kcc::{self, DriftState, Next, Policy, RetryAnswer};
use super::plural::{self, RequeueState, State};
use super::{Answer, Mark, Marks, Text};
use crate::kcc::{Controller, Outcome};
use crate::object::{Place, Ref, Severity};
use crate::plural::{ERROR_BASE, ERROR_MAX};

/// How often an object is looked at while it succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// At random between these two.
    Between(Duration, Duration),
    /// Not by itself.
    Never,
    /// The controller refuses the value.
    Invalid,
    /// The controller panics over the value.
    Panics,
    /// Not known, or nobody looks.
    None,
}

/// How failures are retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LadderInShort {
    /// From the first delay to the longest.
    Climbs {
        /// The first delay.
        base: Duration,
        /// The longest.
        max: Duration,
        /// Whether it is only one of two possibilities: it is not known whether the release reads the ceiling.
        doubtful: bool,
    },
    /// Not at all.
    Halt {
        /// Whether it is only one of two possibilities.
        doubtful: bool,
    },
    /// Nobody retries, or it is not known.
    None,
}

/// When the next attempt comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextAttempt<'a> {
    /// Not before the first time, and not after the second as far as it can be told; both are now where it is due.
    Within(Timestamp, Timestamp),
    /// Not by itself, with the reason.
    Never(&'a str),
    /// It is not known, with the reason.
    Unknown(&'a str),
}

/// One object in short: a row of a list.
#[derive(Debug, Clone)]
pub struct Brief<'a> {
    /// What it is called.
    pub reference: &'a Ref,
    /// Where it stands.
    pub place: &'a Place,
    /// Its controller: of Config Connector's by name, else `plural`.
    pub controller: &'static str,
    /// Who chose the controller; `None` where there is no choice.
    pub decided_by: Option<&'static str>,
    /// Its state: the one mark that tells what its status says.
    pub state: Mark,
    /// All that is to be said of it, the state included.
    pub marks: Marks,
    /// Its ceiling; `None` for objects of the Plural Console.
    pub ceiling: Option<&'a kcc::CeilingAnswer<'a>>,
    /// Its modes; `None` for objects of Config Connector.
    pub mode: Option<&'a plural::Mode<'a>>,
    /// How often it is looked at while it succeeds.
    pub interval: Interval,
    /// Who says so; `none` for nobody.
    pub interval_origin: &'static str,
    /// How failures are retried.
    pub ladder: LadderInShort,
    /// When the next attempt comes.
    pub next_attempt: NextAttempt<'a>,
    /// Since when it has been failing.
    pub failing_since: Option<Timestamp>,
    /// How many attempts an hour come while it stays as it is.
    pub attempts_per_hour: Option<f64>,
    /// What its status says, or else what is wrong with it.
    pub message: Text<'a>,
}

const NO_STATUS: &str = "the manifest has no status";

impl<'a> Brief<'a> {
    pub(super) fn of(answer: &'a Answer<'a>) -> Brief<'a> {
        let (state, marks) = (answer.state(), answer.marks());
        let mut brief = match answer {
            Answer::Kcc(assessment) => of_kcc(assessment, state, marks),
            Answer::Plural(assessment) => of_plural(assessment, state, marks),
        };
        if brief.message.is_empty()
            && let Some(problem) =
                answer.problems().iter().max_by(|a, b| a.severity.cmp(&b.severity).then(b.place.cmp(&a.place)))
            // What is only worth knowing is told where a mark rests on it: no row says that something is wrong without
            // saying what.
            && (problem.severity > Severity::Info || Mark::of(problem).is_some())
        {
            // A row has little room: the domain of the annotation says nothing there.
            let message = problem.message.strip_prefix("alpha.").unwrap_or(&problem.message);
            brief.message = Cow::Borrowed(message.strip_prefix("cnrm.cloud.google.com/").unwrap_or(message));
        }
        brief
    }

    /// What stands in the column of states: the state, unless there is no status, and the findings.
    pub fn in_short(&self) -> String {
        let shown = self.marks.iter().filter(|mark| {
            let said_by_others =
                matches!(mark, Mark::Error | Mark::Warning | Mark::Create | Mark::Adopt | Mark::ReadOnly);
            *mark != Mark::NoStatus && !said_by_others
        });
        // A halted object says so already.
        let shown = shown.filter(|mark| *mark != Mark::Halts || self.state != Mark::Halted);
        let words: Vec<&str> = shown.map(Mark::as_str).collect();
        words.join(",")
    }
}

fn of_kcc<'a>(assessment: &'a kcc::Assessment<'a>, state: Mark, marks: Marks) -> Brief<'a> {
    let live = assessment.live.as_ref();
    let nobody = assessment.controller.controller == Controller::None;
    let unattended = assessment.is_unattended();
    let is_bad = matches!(
        live.map(|live| live.outcome),
        Some(outcome) if outcome != Outcome::UpToDate && outcome != Outcome::Finished
    );
    let message = match live.and_then(|live| live.ready).filter(|_| is_bad) {
        Some(ready) if ready.message.is_empty() => Cow::Borrowed(ready.reason.as_str()),
        Some(ready) => Cow::Owned(format!("{}: {}", ready.reason, ready.message)),
        None => Cow::Borrowed(""),
    };
    Brief {
        reference: &assessment.facts.reference,
        place: &assessment.facts.place,
        controller: assessment.controller.controller.as_str(),
        decided_by: Some(assessment.controller.decided_by.as_str()),
        state,
        marks,
        ceiling: Some(&assessment.ceiling),
        mode: None,
        interval: match (assessment.drift.range(), assessment.drift.state) {
            _ if nobody => Interval::None,
            (Some((_, least, most)), _) => Interval::Between(least, most),
            (None, DriftState::Invalid(_)) => Interval::Invalid,
            (None, _) => Interval::Never,
        },
        interval_origin: assessment.drift.origin.as_str(),
        ladder: ladder(&assessment.retry),
        next_attempt: match live.map(|live| &live.next) {
            Some(Next::Window { from, to, .. }) => NextAttempt::Within(*from, *to),
            Some(Next::Never { reason }) => NextAttempt::Never(reason),
            Some(Next::Unknown { reason }) => NextAttempt::Unknown(reason),
            None if unattended => NextAttempt::Never("no controller reconciles the object"),
            None => NextAttempt::Unknown(NO_STATUS),
        },
        failing_since: live.and_then(|live| live.streak.as_ref()).map(|streak| streak.value.0),
        attempts_per_hour: match live {
            Some(live) => live.attempts_per_hour,
            None => unattended.then_some(0.0),
        },
        message,
    }
}

fn ladder(answer: &RetryAnswer<'_>) -> LadderInShort {
    let (retry, doubtful) = match answer {
        RetryAnswer::Known(retry) => (retry, false),
        RetryAnswer::Unknown { if_honoured, .. } => (if_honoured, true),
    };
    match (retry.policy, retry.ladder) {
        (_, Some(ladder)) => LadderInShort::Climbs { base: ladder.base(), max: ladder.max(), doubtful },
        (Policy::Halt, None) => LadderInShort::Halt { doubtful },
        (_, None) => LadderInShort::None,
    }
}

fn of_plural<'a>(assessment: &'a plural::Assessment<'a>, state: Mark, marks: Marks) -> Brief<'a> {
    let live = assessment.live.as_ref();
    let mode = &assessment.mode;
    // A condition that is true tells of a pass that succeeded.
    let told = live.and_then(|live| live.told_by).filter(|(_, condition)| condition.status != "True");
    let message = match told {
        // The reason that is the condition's own name tells nothing.
        Some((kind, condition)) if condition.message.is_empty() && condition.reason == kind => Cow::Borrowed(""),
        Some((_, condition)) if condition.message.is_empty() => Cow::Borrowed(condition.reason.as_str()),
        Some((_, condition)) => Cow::Owned(format!("{}: {}", condition.reason, condition.message)),
        None => Cow::Borrowed(""),
    };
    let range = assessment.requeue.range();
    Brief {
        reference: &assessment.facts.reference,
        place: &assessment.facts.place,
        controller: "plural",
        decided_by: None,
        state,
        marks,
        ceiling: None,
        mode: Some(mode),
        interval: match (range, assessment.requeue.state) {
            (Some((_, least, most)), _) => Interval::Between(least, most),
            (None, RequeueState::Panics) => Interval::Panics,
            (None, RequeueState::Unknown) => Interval::None,
            (None, _) => Interval::Never,
        },
        interval_origin: match assessment.requeue.state {
            RequeueState::Unknown => "none",
            _ => assessment.requeue.origin.as_str(),
        },
        ladder: match assessment.facts.kind {
            Some(_) => LadderInShort::Climbs { base: ERROR_BASE, max: ERROR_MAX, doubtful: false },
            None => LadderInShort::None,
        },
        next_attempt: match live {
            Some(_) => NextAttempt::Unknown("its status does not tell when the last pass was"),
            None => NextAttempt::Unknown(NO_STATUS),
        },
        failing_since: told.filter(|_| state == Mark::Failing).and_then(|(_, condition)| condition.since),
        // Only where the pass before came by itself and the next one does, too.
        attempts_per_hour: match (live.map(|live| live.state), range, assessment.requeue.state) {
            (Some(State::Ready), Some((mean, ..)), _) => Some(3600.0 / mean.as_secs_f64()),
            (Some(State::Ready), None, RequeueState::Never) => Some(0.0),
            _ => None,
        },
        message,
    }
}
