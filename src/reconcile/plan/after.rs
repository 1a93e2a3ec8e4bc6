//! What comes of a pass: the status, the next one, and what the controller in the cluster makes of it.

use super::planner::{Case, Planner};
use super::{Controller, Entry, Ownership, Planned, Requeue, Semantics};
use crate::assess::plural::decided;
use crate::plural::{self, Action, Confidence, Facts, IfMissing, Interval, Remote, Returns, Situation};
use crate::reconcile::status::{self, NewStatus, Pass};

/// The periodic requeue (pluralsh/console, internal/common/reconciliation.go, 2026).
fn periodic(facts: &Facts, semantics: Semantics) -> Requeue {
    if !facts.reconciliation.drifts() {
        return Requeue::Never;
    }
    match facts.reconciliation.effective_interval().0 {
        Interval::Every(mean) => {
            let (least, most) = plural::jitter(mean);
            Requeue::Within(least, most)
        }
        Interval::Zero => Requeue::Never,
        Interval::Panics if semantics == Semantics::Controller => Requeue::Panics,
        Interval::Panics => {
            let (least, most) = plural::jitter(plural::DEFAULT_INTERVAL);
            Requeue::Within(least, most)
        }
    }
}

const SOON: Requeue = Requeue::Within(plural::WAIT.0, plural::WAIT.1);
const BACK_OFF: Requeue = Requeue::BackOff(plural::ERROR_BASE, plural::ERROR_MAX);

impl<'a> Planner<'a, '_> {
    /// What deleting the object after this pass does to the remote.
    pub fn later(&self, entry: &mut Entry<'a>, case: &Case<'_, '_>) {
        let Case { facts, managed, kind, situation, .. } = case;
        let action = match entry.planned {
            Planned::Create => Action::Create,
            Planned::Adopt => Action::Adopt,
            Planned::Update | Planned::InSync => Action::InSyncOrUpdate,
            Planned::ReadOnly if entry.remote.is_some() => Action::ReadOnly,
            _ => return,
        };
        let mut after = situation.after(kind.name, action);
        // The tool adds it itself where the controller would not (console.md section 6).
        after.finalizer |= self.semantics == Semantics::Documented && action.manages() && kind.finalizer.is_some();
        let deletion = decided(facts, kind, &Situation { deleting: true, remote: Remote::Present, ..after });
        let documented = deletion.documented.unwrap_or(Action::Unknown);
        let (ours, theirs) = match self.semantics {
            Semantics::Documented => (documented, Some(deletion.action)),
            Semantics::Controller => (deletion.action, None),
        };
        let made = match (entry.planned, entry.ownership) {
            (Planned::Adopt, Ownership::Unknown) => ", whether it created it or not",
            (Planned::Adopt, _) => ", which it did not create",
            _ => "",
        };
        let what = |action: Action| match action {
            Action::Delete => "deletes",
            Action::Keep => "keeps",
            // Nobody looks at the deletion.
            _ => "leaves",
        };
        let thing = managed.called;
        let mut text = match ours {
            Action::Delete => format!("deleting this object deletes the Console's {thing}{made}"),
            _ => format!("deleting this object leaves the Console's {thing} as it is"),
        };
        if let Some(theirs) = theirs.filter(|theirs| (*theirs == Action::Delete) != (ours == Action::Delete)) {
            text.push_str(&format!(" (the in-cluster controller {} it)", what(theirs)));
        }
        entry.later = Some(text);
    }

    /// How a controller in the cluster, which has not seen this pass, takes what it creates.
    pub fn foresee(&self, entry: &mut Entry<'a>, case: &Case<'_, '_>) {
        if entry.planned != Planned::Create || self.semantics == Semantics::Controller {
            return;
        }
        // What it knows of the object is what the object's status says.
        let next = Situation { remote: Remote::Present, ..case.situation };
        let outcome = decided(case.facts, case.kind, &next);
        match outcome.action {
            Action::ReadOnly => entry.warnings.push(
                "a controller in the cluster that meets this object later takes what was created for somebody else's, and \
                 only reads it: it neither updates nor deletes it"
                    .to_owned(),
            ),
            Action::Adopt if outcome.confidence == Confidence::DocumentedOnly => entry.warnings.push(
                "a controller in the cluster that meets this object later takes what was created for somebody else's: by \
                 the documentation it takes it over, and the code that does so was not found"
                    .to_owned(),
            ),
            Action::Adopt => entry.notes.push(
                "a controller in the cluster that meets this object later finds what was created, and takes it over".to_owned(),
            ),
            _ => {}
        }
    }

    /// The interval that this tool does not take as it is (console.md section 15).
    pub fn mind_the_interval(&self, entry: &mut Entry<'a>, case: &Case<'_, '_>) {
        let reconciliation = &case.facts.reconciliation;
        let is_taken = self.semantics == Semantics::Controller || !reconciliation.drifts();
        if !is_taken && reconciliation.effective_interval().0 == Interval::Panics {
            let note = "this tool takes 30m for an interval that is not positive; the controller panics";
            entry.notes.push(note.to_owned());
        }
    }

    /// The status that the object would get.
    pub fn status(&self, entry: &Entry<'_>, case: &Case<'_, '_>) -> Option<NewStatus> {
        let error = case.text("error").map(|error| self.inputs.redacted(error));
        let failure = self.failure(entry, case);
        status::status(&Pass {
            facts: case.facts,
            planned: entry.planned,
            remote: entry.remote.as_deref(),
            hash: case.hash.as_deref(),
            repository: case.is_repository().then_some((case.text("health"), error.as_deref())),
            failure: failure.as_deref(),
            target_gone: case.target_gone(),
            own_failed: case.failure().is_some(),
        })
    }

    /// What the condition `Synchronized` says of a pass that fails.
    fn failure(&self, entry: &Entry<'_>, case: &Case<'_, '_>) -> Option<String> {
        let text = match (entry.missing.first(), case.failure()) {
            (Some(missing), _) => missing.text.as_str(),
            // What the merge of a context trips over.
            (None, _) if entry.planned == Planned::Refuse => &entry.reason,
            (None, Some(reason)) => reason,
            (None, None) => return None,
        };
        Some(self.inputs.redacted(text))
    }

    /// When the object is looked at again.
    pub fn requeue(&self, entry: &Entry<'_>, case: &Case<'_, '_>) -> Requeue {
        let facts = case.facts;
        if !entry.missing.is_empty() {
            // The pass ends at the first.
            let error = entry.missing.first().is_some_and(|missing| missing.then == IfMissing::Error);
            return if error { BACK_OFF } else { SOON };
        }
        let succeeds = entry.planned.is_pending() | matches!(entry.planned, Planned::InSync | Planned::ReadOnly);
        if succeeds && case.not_pullable() && entry.planned != Planned::Delete {
            return SOON;
        }
        if self.semantics == Semantics::Controller && entry.planned != Planned::Refuse {
            return match case.outcome.returns {
                Some(Returns::Interval) => periodic(facts, self.semantics),
                Some(Returns::Wait) => SOON,
                Some(Returns::Error) => BACK_OFF,
                Some(Returns::Nothing) | None => Requeue::Never,
            };
        }
        match entry.planned {
            // A managed sink is not requeued (pluralsh/console, notificationsink_controller.go, 02fdfd37).
            Planned::Create | Planned::Adopt | Planned::Update | Planned::InSync
                if facts.reference.kind == "NotificationSink" =>
            {
                Requeue::Never
            }
            Planned::Create | Planned::Adopt | Planned::Update | Planned::InSync | Planned::ReadOnly => {
                periodic(facts, self.semantics)
            }
            Planned::Wait if case.target_gone() && case.is_repository() => periodic(facts, self.semantics),
            Planned::Wait => SOON,
            Planned::Unknown => BACK_OFF,
            // What the controller trips over itself it tries again.
            Planned::Refuse if entry.then.is_some() => BACK_OFF,
            Planned::Refuse | Planned::Delete | Planned::Keep | Planned::NotReconciled => Requeue::Never,
        }
    }

    /// What the released controller would do, where that is something else.
    pub fn controller(&self, entry: &Entry<'_>, case: &Case<'_, '_>) -> Option<Controller<'a>> {
        if self.semantics == Semantics::Controller || entry.planned == Planned::Refuse {
            return None;
        }
        // What waits is compared by what it would do then, as far as that is known.
        let ours = if entry.missing.is_empty() { Some(entry.planned) } else { entry.then }?;
        let sends = if entry.missing.is_empty() { entry.sending.is_some() } else { ours.is_pending() };
        if !entry.missing.is_empty() && case.outcome.action == Action::InSyncOrUpdate {
            return None;
        }
        let (planned, mutates) = self.act(Semantics::Controller, case);
        let mutation = case.outcome.mutation.filter(|_| mutates);
        if planned == ours && mutation.is_some() == sends {
            return None;
        }
        let (confidence, note) = (case.outcome.confidence, case.outcome.note.clone());
        Some(Controller { planned, mutation, confidence, note })
    }
}
