//! What a controller of the Plural Console does, in words: one for the eye, a clause for the sentence.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::assess::plural::{Assessment, Outcome, RequeueState, Wait};
use crate::output::style::Role;
use crate::plural::{Action, Confidence, Hashed, IfMissing, Returns};

/// The word for what a pass does.
pub(in crate::output) fn action(action: Action) -> &'static str {
    match action {
        Action::InSyncOrUpdate => "managed",
        action => action.as_str(),
    }
}

/// How the word looks: what takes over, deletes or does not go on deserves a look.
pub(in crate::output) fn role(action: Action) -> Role {
    match action {
        Action::Adopt | Action::Delete | Action::Wait | Action::Unknown => Role::Warning,
        Action::Error | Action::Refuse => Role::Bad,
        _ => Role::Value,
    }
}

/// How it is known, unless it was read in the source.
pub(in crate::output) fn mark(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Source => "",
        Confidence::Inferred => " [inferred]",
        Confidence::DocumentedOnly => " [documented-only]",
    }
}

/// The cases in which a deletion may come, and what it does in each: one alone if it is under way, or if the status tells
/// what the pass before it does; else those after a next pass that is not known, and what is known already of one that
/// comes before that pass.
pub(super) fn deletions<'o>(assessment: &'o Assessment<'_>) -> Vec<(&'static str, &'o Outcome<'o>)> {
    let (deletion, mode) = (&assessment.deletion, &assessment.mode);
    if let Some(now) = deletion.settled(mode) {
        return vec![("", now)];
    }
    let later =
        [(later(&mode.if_absent, true), &deletion.if_absent), (later(&mode.if_present, false), &deletion.if_present)];
    let now = deletion.now.as_ref().map(|now| ("before another pass", now));
    now.into_iter().chain(later).collect()
}

/// Whether the same is done, and the same is to be said of it.
pub(super) fn alike(one: &Outcome<'_>, other: &Outcome<'_>) -> bool {
    (one.action, one.mutation, &one.note) == (other.action, other.mutation, &other.note)
}

/// What is deleted, and what else is, where the deletion of what was created and that of what was there are told in one
/// line. One of the two may be less sure than the other: then its mark stands behind the words about it.
pub(super) fn together(
    absent: &Outcome<'_>,
    present: &Outcome<'_>,
    takes: bool,
) -> Option<(&'static str, Cow<'static, str>)> {
    if !alike(absent, present) {
        return None;
    }
    let takes = takes && present.action == Action::Delete;
    match absent.confidence.cmp(&present.confidence) {
        Ordering::Equal if !takes => Some(("the remote", "".into())),
        // The mark of the whole line is that of its end.
        Ordering::Equal | Ordering::Less if takes => Some(("the remote", ", even one that it took over".into())),
        Ordering::Greater if takes => {
            let also = format!(", and one that it created [{}]", absent.confidence.as_str());
            Some(("one that it took over", also.into()))
        }
        _ => None,
    }
}

/// Under which circumstances a deletion comes, by what the pass before it has done.
fn later(before: &Outcome<'_>, absent: bool) -> &'static str {
    match before.action {
        Action::ReadOnly if absent => "where none was",
        Action::Create => "once created",
        Action::Adopt => "once taken over",
        Action::ReadOnly => "while read-only",
        Action::InSyncOrUpdate | Action::Update => "while managed",
        Action::Wait => "while waiting",
        Action::Delete | Action::Keep | Action::Error | Action::Refuse | Action::Unknown => "else",
    }
}

/// What the documentation promises, where that is something else.
pub(super) fn promised(outcome: &Outcome<'_>) -> Option<Action> {
    outcome.documented.filter(|_| outcome.differs())
}

/// What the documentation promises of a deletion.
pub(super) fn does(action: Action) -> &'static str {
    match action {
        Action::Delete => "deletes it",
        Action::Keep => "keeps it",
        action => action.as_str(),
    }
}

/// What a pass does, in a clause.
pub(super) fn said(outcome: &Outcome<'_>, assessment: &Assessment<'_>) -> String {
    let by = outcome.mutation.map_or(String::new(), |mutation| format!(" ({mutation})"));
    let changed = match assessment.facts.kind.map(|kind| kind.hashed) {
        Some(Hashed::Attributes) => "what it sends has changed",
        _ => "the spec has changed",
    };
    let clause = match outcome.action {
        Action::Create => format!("creates it{by}, and owns it"),
        Action::Update => format!("writes it{by} on every pass"),
        Action::Adopt if outcome.mutation.is_none() && outcome.confidence != Confidence::DocumentedOnly => {
            "takes it over: links it, without an update".to_owned()
        }
        Action::Adopt => format!("takes it over: links it and brings it in line with the spec{by}"),
        Action::InSyncOrUpdate => format!("owned: updates it{by} if {changed}, else does nothing"),
        // Where a creation, or none of it, was to be expected, there is nothing of which it could take the id.
        Action::ReadOnly if matches!(outcome.documented, Some(Action::Create | Action::Wait | Action::Error)) => {
            "creates nothing".to_owned()
        }
        Action::ReadOnly => "takes its id, changes nothing in the Console".to_owned(),
        Action::Delete => format!("deletes it{by}"),
        Action::Keep => "sends nothing".to_owned(),
        Action::Wait | Action::Error | Action::Refuse => {
            let again = match outcome.returns {
                Some(Returns::Wait) => ", comes again after 15 to 45 s",
                Some(Returns::Interval) => match assessment.requeue.state {
                    RequeueState::Panics => ", and panics over the interval",
                    RequeueState::Never => ", and does not come again by itself",
                    RequeueState::Periodic(_) | RequeueState::Unknown => ", comes again with the periodic requeue",
                },
                Some(Returns::Nothing) => ", and does not come again by itself",
                Some(Returns::Error) => ", is retried as an error",
                None => "",
            };
            format!("sends nothing{again}")
        }
        Action::Unknown => String::new(),
    };
    with_notes(clause, outcome)
}

/// What deletion does to the remote, in a clause.
pub(super) fn deletes(outcome: &Outcome<'_>, which: &str, also: &str, assessment: &Assessment<'_>) -> String {
    let by = outcome.mutation.map_or(String::new(), |mutation| format!(" ({mutation})"));
    let clause = match outcome.action {
        Action::Delete => format!("deletes {which}{by}{also}"),
        Action::Keep => "leaves the remote as it is".to_owned(),
        _ => return said(outcome, assessment),
    };
    with_notes(clause, outcome)
}

fn with_notes(clause: String, outcome: &Outcome<'_>) -> String {
    let note = clearer(&outcome.note);
    let between = match note {
        _ if clause.is_empty() || note.is_empty() => "",
        _ if note.starts_with("says ") => ", ",
        _ => "; ",
    };
    let mark = mark(outcome.confidence);
    format!("{clause}{between}{note}{mark}")
}

/// The table's notes that need more words on a screen, or none, as its line says the same.
const CLEARER: [(&str, &str); 21] = [
    ("read-only target gone; id cleared", "its target is gone, and status.id is cleared"),
    ("read-only target gone; id kept", "its target is gone, and status.id is kept"),
    ("read-only target gone; reason Error; id cleared", "its target is gone, and status.id is cleared"),
    ("stays gone while the hash is unchanged", "it stays gone while the spec is unchanged"),
    ("finalizer goes before the look-up", ""),
    ("hash stored without an update", ""),
    ("linked without an update; no stored hash", ""),
    ("saved on every pass", ""),
    (
        "lasts one pass; Ready stays False",
        "for one pass only: the next one updates it, and Ready stays False till then",
    ),
    ("lasts one pass; Readonly is never set", "for one pass only: the next one updates it"),
    ("read-only lasts one pass", "read-only lasted one pass"),
    ("updates after a read-only pass; the empty hash differs", "so also after a pass that only read it"),
    ("inverted test; not created; Ready False", "the controller's test is inverted; Ready stays False"),
    ("inverted test; the remote is overwritten", "the controller's test is inverted"),
    ("read-only but on the managed path", "although it is read-only"),
    ("remote values go into the spec", "what is there is written into this object's spec"),
    ("finalizer goes in the next pass", "the finalizer goes with the periodic requeue after that"),
    ("finalizer waits for another event", "the finalizer stays until something else wakes the object"),
    ("the copy read waits for ever here", "the copy of its controller that was read waits here for ever"),
    ("a same-named remote that was never adopted", "although it never took it over: deletion goes by name"),
    ("look-up with an empty id", "it is looked up by status.id, which is empty"),
];

fn clearer(note: &str) -> &str {
    CLEARER.iter().find(|(terse, _)| *terse == note).map_or(note, |(_, clear)| clear)
}

/// What has to be there; the word before it says what happens while it is not.
pub(super) fn needs(wait: &Wait<'_>) -> String {
    let name = match wait.namespace {
        Some(namespace) => format!("{namespace}/{}", wait.name),
        None => wait.name.to_string(),
    };
    let id = match wait.without_id {
        IfMissing::Wait => " with an id",
        IfMissing::SentWithout | IfMissing::Error | IfMissing::Nothing => "",
    };
    let found = match &wait.found {
        Some((place, true)) => format!("; among the inputs with an id: {place}"),
        Some((place, false)) => format!("; among the inputs without an id: {place}"),
        None if wait.could_be_found => "; not among the inputs".to_owned(),
        None => String::new(),
    };
    let sent = match wait.without_id {
        IfMissing::SentWithout => "; without an id it is silently left out",
        IfMissing::Wait | IfMissing::Error | IfMissing::Nothing => "",
    };
    format!("{} {name}{id} ({}{found}){sent}", wait.target, wait.field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plural;

    #[test]
    fn every_note_that_is_said_otherwise_is_one_of_the_table() {
        for (terse, _) in CLEARER {
            assert!(plural::decision_rows().iter().any(|row| row.decision.note == terse), "{terse}");
        }
    }
}
