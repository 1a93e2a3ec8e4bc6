//! Why an object comes to its action, in a clause.

use super::planner::{Case, Planner};
use super::{Entry, Ownership, Planned, Semantics};
use crate::plural::console::Answer;
use crate::plural::{Field, Hashed, Kind};

impl Planner<'_, '_> {
    /// Why the object comes to its action.
    pub fn reason(&self, entry: &Entry<'_>, case: &Case<'_, '_>) -> String {
        let Case { facts, kind, look_up, difference, .. } = case;
        let id = entry.remote.as_deref().unwrap_or_default();
        let drift = match &facts.reconciliation.drift_detection {
            Field::Given(value, _) => format!("driftDetection {value}"),
            _ => "driftDetection true (default)".to_owned(),
        };
        let failure = case.failure().map(|reason| self.inputs.redacted(reason));
        if let (Some(reason), false) = (&failure, matches!(entry.planned, Planned::Keep | Planned::Unknown)) {
            return format!(
                "{look_up} could not be looked up ({reason}), which the controller does not take for a failure"
            );
        }
        match entry.planned {
            Planned::Create => format!("the Console has no {look_up}"),
            Planned::Adopt if entry.ownership == Ownership::Unknown => {
                format!("exists (id {id}), {drift}; no status tells whose it is: take over, or already ours")
            }
            Planned::Adopt => format!("exists (id {id}), {drift}"),
            Planned::Update => {
                let stored = self.subject.sha.as_deref();
                let differs = stored.is_some_and(|stored| Some(stored) != case.hash.as_deref());
                match (difference.changes.len(), differs) {
                    (0, true) => format!("ours (id {id}): the stored hash differs from that of the {}", hashed(kind)),
                    (0, false) if kind.hashed == Hashed::EveryPass => format!("ours (id {id}): written on every pass"),
                    (0, false) => format!("ours (id {id}): no hash is stored, so it is written"),
                    (1, _) => format!("ours (id {id}): 1 field differs"),
                    (count, _) => format!("ours (id {id}): {count} fields differ"),
                }
            }
            Planned::InSync if self.semantics == Semantics::Controller && entry.remote.is_none() => {
                format!("the Console has no {look_up}, and nothing is done: the controller goes by the stored hash")
            }
            Planned::InSync if self.semantics == Semantics::Controller => {
                format!("ours (id {id}): the controller goes by the stored hash, and sends nothing")
            }
            Planned::InSync => format!("ours (id {id}): nothing that can be compared differs"),
            Planned::ReadOnly if entry.remote.is_none() => format!("the Console has no {look_up}: nothing is created"),
            Planned::ReadOnly => {
                let unless = match entry.ownership {
                    Ownership::Unknown => "; no status tells whether it is ours already, and then it would be managed",
                    _ => "",
                };
                format!("exists (id {id}), {drift}: only its id is taken{unless}")
            }
            Planned::Delete => format!("the object is being deleted, and the remote (id {id}) is its own"),
            Planned::Keep => self.kept(case),
            Planned::Wait => format!("it is only read, and the Console has no {look_up} any more"),
            Planned::Unknown => match failure {
                Some(reason) => format!("{look_up} could not be looked up: {reason}"),
                None => "the controller's pass ends in an error".to_owned(),
            },
            Planned::Refuse | Planned::NotReconciled => String::new(),
        }
    }

    fn kept(&self, case: &Case<'_, '_>) -> String {
        let status = case.facts.status.as_deref();
        let why = match (status, case.answer) {
            (None, _) => "no status tells that the remote is its own",
            (Some(status), _) if status.id.is_none() => "its status has no id, so nothing is its own",
            (Some(status), _) if status.readonly == Some(true) => "the remote was only read",
            (_, Answer::Absent) => "the remote is gone already",
            _ => "driftDetection is false, and nothing tells that the remote is its own",
        };
        format!("the object is being deleted: {why}")
    }
}

fn hashed(kind: &Kind) -> &'static str {
    if kind.hashed == Hashed::Attributes { "attributes" } else { "spec" }
}
