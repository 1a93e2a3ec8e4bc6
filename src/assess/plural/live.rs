use crate::object::Condition;
use crate::plural::{Facts, Status};

/// What the conditions tell of the last pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It succeeded.
    Ready,
    /// It waits for something.
    Waiting,
    /// It failed.
    Failing,
    /// The object is being deleted.
    Deleting,
    /// The conditions do not tell.
    Unknown,
}

impl State {
    /// The word in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Ready => "up-to-date",
            State::Waiting => "waiting",
            State::Failing => "failing",
            State::Deleting => "deleting",
            State::Unknown => "unknown",
        }
    }
}

/// What the object's status tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Live<'a> {
    /// What the last pass came to.
    pub state: State,
    /// The status.
    pub status: &'a Status,
    /// The condition that tells it, if one does.
    pub told_by: Option<(&'static str, &'a Condition)>,
}

/// How messages begin that end like those of a pass that waits, but stand for errors that are retried with back-off: a
/// ServiceContext's configuration, a NotificationSink's credentials and its read-only test (pluralsh/console,
/// servicecontext_controller.go and notificationsink_controller.go, 2026).
const ERRORS: [&str; 2] = ["failed to ", "could not check "];
/// The messages of a pass that waits (pluralsh/console, internal/common, 2025 and 2026).
const WAITING: [&str; 4] = [
    "project is not ready",
    "scm connection is not ready",
    "git repository is not ready",
    "The repository is not pullable yet",
];

pub(super) fn live<'a>(facts: &Facts, status: &'a Status) -> Live<'a> {
    let (state, told_by) = told(status);
    let state = if facts.metadata.deletion.is_some() { State::Deleting } else { state };
    Live { state, status, told_by }
}

/// Whether a message tells of something missing that the controller waits for.
pub(super) fn is_not_found(message: &str) -> bool {
    message.ends_with(" not found") && !ERRORS.iter().any(|error| message.starts_with(error))
}

fn told(status: &Status) -> (State, Option<(&'static str, &Condition)>) {
    let synchronized = status.synchronized.as_ref().map(|condition| ("Synchronized", condition));
    let ready = status.ready.as_ref().map(|condition| ("Ready", condition));
    let is = |told: &Option<(&'static str, &Condition)>, status: &str| {
        told.is_some_and(|(_, condition)| condition.status == status)
    };
    let waits = |told: &Option<(&'static str, &Condition)>| {
        told.is_some_and(|(_, condition)| {
            condition.status == "False"
                && (condition.reason == "NotFound"
                    || is_not_found(&condition.message)
                    || WAITING.contains(&condition.message.as_str()))
        })
    };
    if waits(&synchronized) {
        return (State::Waiting, synchronized);
    }
    if waits(&ready) {
        return (State::Waiting, ready);
    }
    if is(&synchronized, "False") {
        return (State::Failing, synchronized);
    }
    if is(&ready, "True") {
        return (State::Ready, ready);
    }
    (State::Unknown, ready.or(synchronized))
}
