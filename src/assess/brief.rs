use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use super::kcc::{self, ActuationMode, DriftState, Next, Policy, RetryAnswer};
use super::plural::{self, RequeueState, State};
use super::{Answer, Text};
use crate::kcc::{Ceiling, Controller, Outcome};
use crate::object::{Code, Place, Ref, Severity};
use crate::plural::{Action, ERROR_BASE, ERROR_MAX};

/// Something about an object by which fleets are filtered. The first ones, up to [`Mark::NoStatus`], are states: an
/// object has exactly one of them, and may be `paused` besides. It may have any number of the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Mark {
    /// Its last reconcile failed, and a ceiling of "0" ended retries.
    Halted,
    /// Its last reconcile failed, and it is retried.
    Failing,
    /// Another controller manages the cloud resource.
    Conflict,
    /// It waits for something that is not there or not ready.
    Waiting,
    /// No controller manager watches its namespace.
    Unmanaged,
    /// Its deletion is under way.
    Deleting,
    /// Nothing is actuated.
    Paused,
    /// An attempt is under way.
    InProgress,
    /// Its status does not tell.
    Unknown,
    /// Its status says that it is deleted.
    Deleted,
    /// Its last reconcile succeeded.
    UpToDate,
    /// The manifest has no status.
    NoStatus,
    /// The API server refuses it as it stands.
    Refused,
    /// A ceiling or an interval whose value the controller refuses, or panics over.
    Invalid,
    /// A ceiling, override or policy without effect.
    Ineffective,
    /// A ceiling that retries more often than none.
    Frequent,
    /// A ceiling of "0" is in effect: the first error halts it.
    Halts,
    /// No controller reconciles it.
    NoController,
    /// Its kind is unknown to this version.
    UnknownKind,
    /// The controller would create its remote if that is absent.
    Create,
    /// The controller would take over a remote that is there.
    Adopt,
    /// The controller only reads a remote that is there.
    ReadOnly,
    /// Something is wrong with it.
    Error,
    /// Something does not work as its author probably thinks.
    Warning,
}

impl Mark {
    /// All of them, states first.
    pub const ALL: [Mark; 24] = [
        Mark::Halted,
        Mark::Failing,
        Mark::Conflict,
        Mark::Waiting,
        Mark::Unmanaged,
        Mark::Deleting,
        Mark::Paused,
        Mark::InProgress,
        Mark::Unknown,
        Mark::Deleted,
        Mark::UpToDate,
        Mark::NoStatus,
        Mark::Refused,
        Mark::Invalid,
        Mark::Ineffective,
        Mark::Frequent,
        Mark::Halts,
        Mark::NoController,
        Mark::UnknownKind,
        Mark::Create,
        Mark::Adopt,
        Mark::ReadOnly,
        Mark::Error,
        Mark::Warning,
    ];

    /// The word on the command line, in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Mark::Halted => "halted",
            Mark::Failing => "failing",
            Mark::Conflict => "conflict",
            Mark::Waiting => "waiting",
            Mark::Unmanaged => "unmanaged",
            Mark::Deleting => "deleting",
            Mark::Paused => "paused",
            Mark::InProgress => "in-progress",
            Mark::Unknown => "unknown",
            Mark::Deleted => "deleted",
            Mark::UpToDate => "up-to-date",
            Mark::NoStatus => "no-status",
            Mark::Refused => "refused",
            Mark::Invalid => "invalid",
            Mark::Ineffective => "ineffective",
            Mark::Frequent => "frequent",
            Mark::Halts => "halts",
            Mark::NoController => "no-controller",
            Mark::UnknownKind => "unknown-kind",
            Mark::Create => "create",
            Mark::Adopt => "adopt",
            Mark::ReadOnly => "read-only",
            Mark::Error => "error",
            Mark::Warning => "warning",
        }
    }

    /// What it says of an object, in a clause.
    pub fn meaning(self) -> &'static str {
        match self {
            Mark::Halted => "failed, and a ceiling of \"0\" ended retries",
            Mark::Failing => "failed, and is retried",
            Mark::Conflict => "another controller manages the cloud resource",
            Mark::Waiting => "waits for something that is missing or not ready",
            Mark::Unmanaged => "no controller manager watches its namespace",
            Mark::Deleting => "its deletion is under way",
            Mark::Paused => "nothing is actuated",
            Mark::InProgress => "an attempt is under way",
            Mark::Unknown => "its status does not tell",
            Mark::Deleted => "its status says that it is deleted",
            Mark::UpToDate => "its last reconcile succeeded",
            Mark::NoStatus => "the manifest has no status",
            Mark::Refused => "the API server refuses it as it stands",
            Mark::Invalid => "a ceiling or an interval that the controller refuses, ignores or panics over",
            Mark::Ineffective => "a ceiling, override or policy without effect",
            Mark::Frequent => "a ceiling that retries more often than none",
            Mark::Halts => "a ceiling of \"0\" is in effect",
            Mark::NoController => "no controller reconciles it",
            Mark::UnknownKind => "its kind is unknown to this version",
            Mark::Create => "the Plural controller creates its remote if that is absent",
            Mark::Adopt => "the Plural controller takes over a remote that is there",
            Mark::ReadOnly => "the Plural controller only reads a remote that is there",
            Mark::Error => "something is wrong with it",
            Mark::Warning => "something does not work as its author probably thinks",
        }
    }

    /// The mark of that word.
    pub fn parse(word: &str) -> Option<Mark> {
        Mark::ALL.into_iter().find(|mark| mark.as_str() == word)
    }

    /// Whether it is a state.
    pub fn is_state(self) -> bool {
        self <= Mark::NoStatus
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A set of marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks(u32);

impl Marks {
    /// Adds one.
    pub fn add(&mut self, mark: Mark) {
        self.0 |= 1 << mark as u8;
    }

    /// Whether it holds one.
    pub fn has(self, mark: Mark) -> bool {
        self.0 & (1 << mark as u8) != 0
    }

    /// Whether both hold one.
    pub fn meet(self, other: Marks) -> bool {
        self.0 & other.0 != 0
    }

    /// Its marks in their order.
    pub fn iter(self) -> impl Iterator<Item = Mark> {
        Mark::ALL.into_iter().filter(move |mark| self.has(*mark))
    }
}

impl FromIterator<Mark> for Marks {
    fn from_iter<T: IntoIterator<Item = Mark>>(marks: T) -> Marks {
        let mut set = Marks::default();
        marks.into_iter().for_each(|mark| set.add(mark));
        set
    }
}

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
        let mut brief = match answer {
            Answer::Kcc(assessment) => of_kcc(assessment),
            Answer::Plural(assessment) => of_plural(assessment),
        };
        for problem in answer.problems() {
            match problem.severity {
                Severity::Error => brief.marks.add(Mark::Error),
                Severity::Warning => brief.marks.add(Mark::Warning),
                Severity::Info => {}
            }
            if let Some(mark) = mark_of(problem.code, problem.severity) {
                brief.marks.add(mark);
            }
        }
        brief.marks.add(brief.state);
        if brief.message.is_empty()
            && let Some(problem) =
                answer.problems().iter().max_by(|a, b| a.severity.cmp(&b.severity).then(b.place.cmp(&a.place)))
            // What is only worth knowing is told where a mark rests on it: no row says that something is wrong without
            // saying what.
            && (problem.severity > Severity::Info || mark_of(problem.code, problem.severity).is_some())
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

fn mark_of(code: Code, severity: Severity) -> Option<Mark> {
    match code {
        Code::NotAString | Code::RefusedField | Code::MissingField => Some(Mark::Refused),
        Code::InvalidCeiling | Code::InvalidDriftInterval => Some(Mark::Invalid),
        Code::InvalidInterval => (severity > Severity::Info).then_some(Mark::Invalid),
        Code::IneffectiveCeiling | Code::IneffectiveOverride | Code::IneffectiveDeletionPolicy => {
            Some(Mark::Ineffective)
        }
        Code::FrequentCeiling => Some(Mark::Frequent),
        Code::UnknownKind => Some(Mark::UnknownKind),
        _ => None,
    }
}

fn of_kcc<'a>(assessment: &'a kcc::Assessment<'a>) -> Brief<'a> {
    let live = assessment.live.as_ref();
    let nobody = assessment.controller.controller == Controller::None;
    // Objects that configure Config Connector are looked at by its operator.
    let unattended = nobody && !assessment.is_configuration();
    let mut marks = Marks::default();
    if unattended {
        marks.add(Mark::NoController);
    }
    // Where nobody reconciles the object, that is the only problem that is told.
    let asks = matches!(assessment.ceiling.ceiling, Ceiling::Seconds(_) | Ceiling::Halt);
    if asks && assessment.ceiling.honoured == Some(false) {
        marks.add(Mark::Ineffective);
    }
    if assessment.halt.on_error == Some(true) {
        marks.add(Mark::Halts);
    }
    if assessment.actuation.mode == ActuationMode::Paused && !nobody {
        marks.add(Mark::Paused);
    }
    let state = match live.map(|live| live.outcome) {
        _ if assessment.deletion.requested.is_some() => Mark::Deleting,
        _ if assessment.halt.now == Some(true) => Mark::Halted,
        None => Mark::NoStatus,
        Some(Outcome::Failed | Outcome::TransformFailed) => Mark::Failing,
        Some(Outcome::Dependency) => Mark::Waiting,
        Some(Outcome::Conflict) => Mark::Conflict,
        Some(Outcome::UpToDate | Outcome::Finished) => Mark::UpToDate,
        Some(Outcome::Paused) => Mark::Paused,
        Some(Outcome::Unmanaged) => Mark::Unmanaged,
        Some(Outcome::InProgress) => Mark::InProgress,
        Some(Outcome::Deleting) => Mark::Deleting,
        Some(Outcome::Deleted) => Mark::Deleted,
        Some(Outcome::Unknown) => Mark::Unknown,
    };
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

fn of_plural<'a>(assessment: &'a plural::Assessment<'a>) -> Brief<'a> {
    let live = assessment.live.as_ref();
    let mode = &assessment.mode;
    let mut marks = Marks::default();
    let managed = mode.now.as_ref().is_some_and(|now| now.action == Action::InSyncOrUpdate);
    for (outcome, action, mark) in [
        (&mode.if_absent, Action::Create, Mark::Create),
        (&mode.if_present, Action::Adopt, Mark::Adopt),
        (&mode.if_present, Action::ReadOnly, Mark::ReadOnly),
    ] {
        if outcome.action == action && !managed {
            marks.add(mark);
        }
    }
    let state = match live.map(|live| live.state) {
        _ if assessment.deletion.requested.is_some() => Mark::Deleting,
        None => Mark::NoStatus,
        Some(State::Ready) => Mark::UpToDate,
        Some(State::Waiting) => Mark::Waiting,
        Some(State::Failing) => Mark::Failing,
        Some(State::Deleting) => Mark::Deleting,
        Some(State::Unknown) => Mark::Unknown,
    };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_has_a_word_of_its_own_and_states_come_first() {
        for mark in Mark::ALL {
            assert_eq!(Mark::parse(mark.as_str()), Some(mark));
        }
        let states: Vec<Mark> = Mark::ALL.into_iter().filter(|mark| mark.is_state()).collect();
        assert_eq!(states, Mark::ALL[..12]);
        assert_eq!(Mark::parse("Halted"), None);
    }

    #[test]
    fn a_set_of_marks_holds_what_was_put_in() {
        let set: Marks = [Mark::Warning, Mark::Halted].into_iter().collect();
        assert!(set.has(Mark::Halted) && set.has(Mark::Warning) && !set.has(Mark::Failing));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Mark::Halted, Mark::Warning]);
        assert!(set.meet([Mark::Failing, Mark::Warning].into_iter().collect()));
        assert!(!set.meet([Mark::Failing].into_iter().collect()));
    }
}
