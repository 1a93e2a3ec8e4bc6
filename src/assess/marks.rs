//! What is to be said of an object in single words, by which fleets are filtered and counted.

use std::fmt;

use super::Answer;
use super::kcc::{self, ActuationMode};
use super::plural::{self, State};
use crate::kcc::{Ceiling, Controller, Outcome};
use crate::object::{Code, Diagnostic, Severity};
use crate::plural::Action;

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

    /// What needs attention, most urgent first; from [`Mark::Halts`] on nothing is wrong: what stands there is wanted, or
    /// on its way.
    pub const BY_URGENCY: [Mark; 18] = [
        Mark::Halted,
        Mark::Refused,
        Mark::Invalid,
        Mark::Failing,
        Mark::Conflict,
        Mark::Waiting,
        Mark::Unmanaged,
        Mark::Ineffective,
        Mark::Frequent,
        Mark::NoController,
        Mark::UnknownKind,
        Mark::Halts,
        Mark::Deleting,
        Mark::Paused,
        Mark::InProgress,
        Mark::Unknown,
        Mark::Deleted,
        Mark::UpToDate,
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

    /// The mark that rests on a problem, if one does.
    pub fn of(problem: &Diagnostic) -> Option<Mark> {
        match problem.code {
            Code::NotAString | Code::RefusedField | Code::MissingField => Some(Mark::Refused),
            Code::InvalidCeiling | Code::InvalidDriftInterval => Some(Mark::Invalid),
            Code::InvalidInterval => (problem.severity > Severity::Info).then_some(Mark::Invalid),
            Code::IneffectiveCeiling | Code::IneffectiveOverride | Code::IneffectiveDeletionPolicy => {
                Some(Mark::Ineffective)
            }
            Code::FrequentCeiling => Some(Mark::Frequent),
            Code::UnknownKind => Some(Mark::UnknownKind),
            _ => None,
        }
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

/// How many objects bear each mark.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Census {
    /// All objects.
    pub objects: usize,
    marks: [usize; Mark::ALL.len()],
}

impl Census {
    /// Counts an object with these marks.
    pub fn add(&mut self, marks: Marks) {
        self.objects += 1;
        marks.iter().for_each(|mark| self.marks[mark as usize] += 1);
    }

    /// Counts all that another one has counted.
    pub fn merge(&mut self, other: &Census) {
        self.objects += other.objects;
        self.marks.iter_mut().zip(other.marks).for_each(|(mine, others)| *mine += others);
    }

    /// How many bear a mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.marks[mark as usize]
    }
}

impl Answer<'_> {
    /// The one mark that tells what the object's status says.
    pub fn state(&self) -> Mark {
        match self {
            Answer::Kcc(assessment) => state_of_kcc(assessment),
            Answer::Plural(assessment) => state_of_plural(assessment),
        }
    }

    /// All that is to be said of the object, the state included.
    pub fn marks(&self) -> Marks {
        let mut marks = match self {
            Answer::Kcc(assessment) => marks_of_kcc(assessment),
            Answer::Plural(assessment) => marks_of_plural(assessment),
        };
        for problem in self.problems() {
            match problem.severity {
                Severity::Error => marks.add(Mark::Error),
                Severity::Warning => marks.add(Mark::Warning),
                Severity::Info => {}
            }
            if let Some(mark) = Mark::of(problem) {
                marks.add(mark);
            }
        }
        marks.add(self.state());
        marks
    }
}

fn state_of_kcc(assessment: &kcc::Assessment<'_>) -> Mark {
    match assessment.live.as_ref().map(|live| live.outcome) {
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
    }
}

fn marks_of_kcc(assessment: &kcc::Assessment<'_>) -> Marks {
    let mut marks = Marks::default();
    if assessment.is_unattended() {
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
    if assessment.actuation.mode == ActuationMode::Paused && assessment.controller.controller != Controller::None {
        marks.add(Mark::Paused);
    }
    marks
}

fn state_of_plural(assessment: &plural::Assessment<'_>) -> Mark {
    match assessment.live.as_ref().map(|live| live.state) {
        _ if assessment.deletion.requested.is_some() => Mark::Deleting,
        None => Mark::NoStatus,
        Some(State::Ready) => Mark::UpToDate,
        Some(State::Waiting) => Mark::Waiting,
        Some(State::Failing) => Mark::Failing,
        Some(State::Deleting) => Mark::Deleting,
        Some(State::Unknown) => Mark::Unknown,
    }
}

fn marks_of_plural(assessment: &plural::Assessment<'_>) -> Marks {
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
    marks
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

    #[test]
    fn a_census_counts_objects_and_each_of_their_marks() {
        let mut census = Census::default();
        census.add([Mark::Halted, Mark::Warning].into_iter().collect());
        let mut other = Census::default();
        other.add([Mark::Halted].into_iter().collect());
        other.add(Marks::default());
        census.merge(&other);
        let counts = [Mark::Halted, Mark::Warning, Mark::Failing].map(|mark| census.count(mark));
        assert_eq!((census.objects, counts), (3, [2, 1, 0]));
    }
}
