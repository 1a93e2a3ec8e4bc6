use jiff::Timestamp;

use super::mode::{self, Mode, Outcome};
use crate::assess::Text;
use crate::plural::{Action, Confidence, Deletes, Facts, Kind, Remote};

/// What deleting the object does to the remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deletion<'a> {
    /// When deletion was requested: `Some(None)` if at a time that cannot be read.
    pub requested: Option<Option<Timestamp>>,
    /// If the remote was absent at the next pass, and the object was deleted after that.
    pub if_absent: Outcome<'a>,
    /// If the remote was present at the next pass, and the object was deleted after that.
    pub if_present: Outcome<'a>,
    /// If the object is deleted in the state that its status tells, and the remote is there.
    pub now: Option<Outcome<'a>>,
    /// Why that is not known.
    pub now_reason: Text<'a>,
}

impl<'a> Deletion<'a> {
    /// What it does, where it is under way, or where the status tells what the pass before it does; `None` where that hangs
    /// on a pass of which nothing is known.
    pub fn settled(&self, mode: &Mode<'_>) -> Option<&Outcome<'a>> {
        self.now.as_ref().filter(|_| self.requested.is_some() || mode.now.is_some())
    }

    /// Whether it deletes the remote in any case that is not ruled out.
    pub(super) fn may_delete(&self, mode: &Mode<'_>) -> bool {
        let deletes = |outcome: &Outcome<'_>| outcome.action == Action::Delete;
        match self.settled(mode) {
            Some(now) => deletes(now),
            None => {
                [self.now.as_ref(), Some(&self.if_absent), Some(&self.if_present)].into_iter().flatten().any(deletes)
            }
        }
    }
}

pub(super) fn deletion<'a>(facts: &'a Facts, mode: &Mode<'a>) -> Deletion<'a> {
    let requested = facts.metadata.deletion;
    let Some(kind) = facts.kind else {
        let unknown = || Outcome::documented(Action::Unknown, "the kind is unknown to this version");
        return Deletion {
            requested,
            if_absent: unknown(),
            if_present: unknown(),
            now: None,
            now_reason: "the kind is unknown to this version".into(),
        };
    };
    let later = |remote, before: &Outcome<'_>| {
        if !kind.has_decisions() {
            return by_kind(facts, kind, before.action);
        }
        let mut after = by_row(facts, kind, remote, before.action);
        if before.confidence != Confidence::Source {
            // It rests on a pass of which the code was not read.
            after.confidence = after.confidence.max(Confidence::Inferred);
        }
        after
    };
    let (now, now_reason) = match (&facts.status, requested.is_some()) {
        (None, false) => (None, "the manifest has no status"),
        _ if kind.has_decisions() => (Some(by_row(facts, kind, Remote::Present, Action::Unknown)), ""),
        (Some(_), false) if !has_id(facts) && mode.now.is_none() => (None, "status.id is not set"),
        _ => {
            let before = mode::by_status(facts, kind).map_or(Action::Unknown, |(action, _)| action);
            (Some(by_kind(facts, kind, before)), "")
        }
    };
    Deletion {
        requested,
        if_absent: later(Remote::Absent, &mode.if_absent),
        if_present: later(Remote::Present, &mode.if_present),
        now,
        now_reason: now_reason.into(),
    }
}

fn has_id(facts: &Facts) -> bool {
    facts.status.as_ref().is_some_and(|status| status.id.is_some())
}

/// What the decision table says of a deletion after a pass that did `action`.
fn by_row(facts: &Facts, kind: &'static Kind, remote: Remote, action: Action) -> Outcome<'static> {
    let before = mode::situation(facts, remote);
    let mut then = if before.deleting { before } else { before.after(kind.name, action) };
    then.deleting = true;
    // Without a finalizer nobody sees the deletion: what the table says holds while somebody else's is there.
    if kind.finalizer.is_none() && !facts.has_foreign_finalizer() {
        return Outcome {
            action: Action::Keep,
            documented: crate::plural::decide(kind.name, &then).map(|decision| decision.documented),
            mutation: None,
            returns: None,
            confidence: Confidence::Source,
            note: "the controller has no finalizer, so it never sees the deletion".into(),
        };
    }
    mode::decided(facts, kind, &then)
}

/// What is known of the deletion of the other kinds.
fn by_kind(facts: &Facts, kind: &'static Kind, action: Action) -> Outcome<'static> {
    let known = |action, note: Text<'static>| Outcome {
        action,
        documented: None,
        mutation: None,
        returns: None,
        confidence: Confidence::Source,
        note,
    };
    let read = mode::copy_read(kind.copy);
    match (kind.deletes, action) {
        (Deletes::ByRow | Deletes::Unknown, _) => {
            Outcome::documented(Action::Unknown, "what deletion does to this kind's remote was not read")
        }
        (Deletes::ById, _) if facts.metadata.deletion.is_some() && !has_id(facts) => {
            known(Action::Create, format!("although deletion was requested, as status.id is not set, {read}").into())
        }
        (Deletes::Always | Deletes::ById, _) => known(Action::Delete, read.into()),
        (Deletes::Never, _) => known(Action::Keep, format!("it is never deleted, {read}").into()),
        (Deletes::CreatedOnly, Action::Create) => known(Action::Delete, read.into()),
        (Deletes::CreatedOnly, Action::Adopt) => {
            known(Action::Keep, format!("an adopted one has no finalizer, {read}").into())
        }
        (Deletes::UnlessReadOnly, Action::ReadOnly) => known(Action::Keep, format!("read-only, {read}").into()),
        (Deletes::UnlessReadOnly, Action::Create | Action::InSyncOrUpdate) => known(Action::Delete, read.into()),
        (Deletes::CreatedOnly, _) if action == Action::InSyncOrUpdate || facts.metadata.deletion.is_some() => {
            match facts.has_finalizer() {
                true => known(Action::Delete, read.into()),
                false => known(Action::Keep, format!("it has no finalizer, {read}").into()),
            }
        }
        (Deletes::CreatedOnly | Deletes::UnlessReadOnly, _) => {
            Outcome::documented(Action::Unknown, "it depends on what the pass before did, which is not known")
        }
        (Deletes::Detachable, _) if facts.details.detach => {
            known(Action::Keep, format!("spec.detach is true, so it is only detached, {read}").into())
        }
        (Deletes::Detachable, _) => known(Action::Delete, read.into()),
        (Deletes::OrDetach, _) => {
            Outcome::documented(Action::Unknown, "it is deleted or detached; what decides was not read")
        }
    }
}
