//! The way from what was observed to the plan of one object.

use serde_json::Value;

use super::{Entry, Ownership, Planned, Requeue, Semantics};
use crate::assess::World;
use crate::assess::plural::{Outcome, assess, decided, situation};
use crate::object::{Code, Diagnostic, Severity};
use crate::plural::compare::{Difference, compare};
use crate::plural::console::{Answer, LookUp};
use crate::plural::kind::{Attributes, Managed, Wanted};
use crate::plural::{Action, Facts, Hashed, Kind, Remote, Situation, hash};
use crate::reconcile::input::{Inputs, Subject};
use crate::reconcile::observe::{self, Missing, Observed, Resolved, look_up_of};

/// Plans one object.
pub(super) struct Planner<'a, 'o> {
    pub subject: &'a Subject,
    pub inputs: &'a Inputs,
    pub world: &'a World,
    pub observed: &'o Observed,
    pub semantics: Semantics,
}

/// Everything that the plan of an object follows from, once the Console has been asked.
pub(super) struct Case<'a, 'o> {
    pub facts: &'a Facts,
    pub managed: &'static Managed,
    pub kind: &'static Kind,
    pub look_up: LookUp,
    pub answer: &'o Answer,
    pub situation: Situation,
    /// What the table says of it.
    pub outcome: Outcome<'static>,
    /// The word of it that is followed.
    pub action: Action,
    /// What would be sent; `None` where not all of it is known, or nothing ever is.
    pub attributes: Option<Attributes>,
    /// Why nothing can be sent, whatever is missing.
    pub fault: Option<String>,
    pub difference: Difference,
    /// The hash that the status would get.
    pub hash: Option<String>,
}

impl<'o> Case<'_, 'o> {
    /// What the Console holds.
    pub fn held(&self) -> Option<&'o Value> {
        match self.answer {
            Answer::Found(held) => Some(held),
            Answer::Absent | Answer::Failed(_) => None,
        }
    }

    /// Why the look-up failed, if it did.
    pub fn failure(&self) -> Option<&'o str> {
        match self.answer {
            Answer::Failed(reason) => Some(reason),
            Answer::Absent | Answer::Found(_) => None,
        }
    }

    /// A text of what the Console holds.
    pub fn text(&self, field: &str) -> Option<&'o str> {
        self.held()?.get(field)?.as_str()
    }

    /// Whether the pass writes what the object says.
    pub fn writes(&self) -> bool {
        self.action.manages()
    }

    /// Whether it is only read, and its target is gone.
    pub fn target_gone(&self) -> bool {
        self.action == Action::Wait
    }

    /// Whether it is a repository that the Console cannot pull, or has not yet.
    pub fn not_pullable(&self) -> bool {
        self.is_repository() && self.text("health") != Some("PULLABLE")
    }

    pub fn is_repository(&self) -> bool {
        self.managed.kind == "GitRepository"
    }
}

impl<'a, 'o> Planner<'a, 'o> {
    /// The plan of the object; `conflicts` are the places of others that stand for the same.
    pub fn entry(&self, conflicts: &[String]) -> Entry<'a> {
        let facts = &*self.subject.facts;
        let assessment = assess(facts, self.world);
        let mut entry = Entry {
            facts,
            planned: Planned::Refuse,
            then: None,
            reason: String::new(),
            ownership: Ownership::of(facts),
            remote: None,
            sending: None,
            follows: None,
            changes: Vec::new(),
            uncompared: Vec::new(),
            later: None,
            status: None,
            requeue: Requeue::Never,
            controller: None,
            unseen: false,
            missing: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            problems: Vec::new(),
        };
        // A remote that two inputs stand for is refused, and said so here; the assessment says it of the first pair only.
        let assessed = assessment.problems.iter().filter(|problem| problem.code != Code::SameRemote);
        for problem in assessed.chain(&self.subject.problems) {
            let known = |other: &Diagnostic| {
                (&other.place, other.code, &other.message) == (&problem.place, problem.code, &problem.message)
            };
            if !entry.problems.iter().any(known) {
                entry.problems.push(problem.clone());
            }
        }
        let (Some(managed), Some(kind)) = (self.subject.managed, facts.kind) else {
            entry.planned = Planned::NotReconciled;
            entry.reason = match facts.kind {
                Some(_) => {
                    let (absent, present) = (&assessment.mode.if_absent, &assessment.mode.if_present);
                    format!(
                        "this release does not reconcile it; documented: {} if absent, {} if present",
                        absent.documented.map_or("not known", Action::as_str),
                        present.documented.map_or("not known", Action::as_str)
                    )
                }
                None => "the kind is unknown to this version".to_owned(),
            };
            return entry;
        };
        match self.refusal(conflicts) {
            Ok(look_up) => self.decide(&mut entry, managed, kind, look_up),
            Err(reason) => entry.reason = reason,
        }
        entry
    }

    /// What the object is looked up by.
    ///
    /// # Errors
    /// Why nothing is done with it, whatever the Console holds.
    fn refusal(&self, conflicts: &[String]) -> Result<LookUp, String> {
        let facts = &*self.subject.facts;
        let problems = facts.metadata.problems.iter().chain(&self.subject.problems);
        let mut errors: Vec<&str> = Vec::new();
        for problem in problems.filter(|problem| problem.severity == Severity::Error) {
            if !errors.contains(&problem.message.as_str()) {
                errors.push(&problem.message);
            }
        }
        if let [first, more @ ..] = &errors[..] {
            let more = if more.is_empty() { String::new() } else { format!(" (and {} more)", more.len()) };
            return Err(format!("the API server refuses it as it stands: {first}{more}"));
        }
        let Some(look_up) = look_up_of(self.subject) else {
            return Err("it has no name to be looked up by".to_owned());
        };
        if !conflicts.is_empty() {
            return Err(format!("the same {look_up} is meant at {}: only one may stand for it", conflicts.join(", ")));
        }
        Ok(look_up)
    }

    /// Looks at what was observed of the object and of what it refers to.
    fn case(&self, managed: &'static Managed, kind: &'static Kind, look_up: LookUp) -> (Case<'a, 'o>, Resolved) {
        let facts = &*self.subject.facts;
        let answer = self.observed.answer(look_up.query, &look_up.value);
        let remote = match answer {
            Answer::Absent => Remote::Absent,
            Answer::Found(_) => Remote::Present,
            Answer::Failed(_) => Remote::Unreachable,
        };
        let situation = situation(facts, remote);
        let outcome = decided(facts, kind, &situation);
        let action = match self.semantics {
            Semantics::Documented => outcome.documented.unwrap_or(Action::Unknown),
            Semantics::Controller => outcome.action,
        };
        let is_live = facts.metadata.deletion.is_none() || action.manages();
        let resolved = match is_live {
            true => observe::resolve(self.subject, self.inputs, self.world, self.observed),
            false => Resolved::default(),
        };
        // What is wrong in itself is wrong whatever is missing.
        let wanted = Wanted { facts, spec: &self.subject.spec, found: &resolved.found };
        let (attributes, fault) = match (managed.attributes)(&wanted) {
            Ok(attributes) => (Some(attributes).filter(|_| resolved.missing.is_empty() && is_live), None),
            Err(fault) => (None, Some(fault)),
        };
        let difference = match (&attributes, answer) {
            (Some(attributes), Answer::Found(held)) => compare(managed, attributes, held),
            _ => Difference::default(),
        };
        let hash = self.hash(kind, attributes.as_ref());
        let case = Case {
            facts,
            managed,
            kind,
            look_up,
            answer,
            situation,
            outcome,
            action,
            attributes,
            fault,
            difference,
            hash,
        };
        (case, resolved)
    }

    fn decide(&self, entry: &mut Entry<'a>, managed: &'static Managed, kind: &'static Kind, look_up: LookUp) {
        let (case, mut resolved) = self.case(managed, kind, look_up);
        entry.remote = case.text("id").map(str::to_owned);
        let (planned, mutates) = self.act(self.semantics, &case);
        entry.planned = planned;
        if case.writes() {
            entry.warnings.append(&mut resolved.warnings);
            entry.notes.append(&mut resolved.notes);
        } else if case.held().is_some() && !resolved.missing.is_empty() {
            entry.notes.push("what it refers to is not all there, so it was not compared with the Console".to_owned());
        }
        if !self.hold(entry, &case, resolved.missing) {
            self.guard(entry, &case);
        }
        entry.unseen = case.failure().is_some() && entry.planned != Planned::Keep;
        if entry.reason.is_empty() {
            entry.reason = self.reason(entry, &case);
        }
        if mutates && entry.planned.is_pending() {
            entry.sending = self.sending(entry, &case);
        }
        self.describe(entry, &case);
        self.token(entry);
        self.later(entry, &case);
        self.foresee(entry, &case);
        self.mind_the_interval(entry, &case);
        entry.status = self.status(entry, &case);
        entry.requeue = self.requeue(entry, &case);
        entry.controller = self.controller(entry, &case);
        // A token is a change, too.
        if entry.follows.is_some() && entry.planned == Planned::InSync {
            entry.planned = Planned::Update;
            entry.reason = format!("{}; a token would be made for its scopes", entry.reason);
        }
    }

    /// What the case comes to by the rules of `semantics`, and whether a mutation is sent for it.
    pub fn act(&self, semantics: Semantics, case: &Case<'_, '_>) -> (Planned, bool) {
        let documented = semantics == Semantics::Documented;
        let action = if documented { case.outcome.documented.unwrap_or(Action::Unknown) } else { case.outcome.action };
        match action {
            Action::Create => (Planned::Create, true),
            // The documentation says that it is brought in line at once.
            Action::Adopt => (Planned::Adopt, documented || case.outcome.mutation.is_some()),
            Action::Update => (Planned::Update, true),
            Action::InSyncOrUpdate => {
                let stored = self.subject.sha.as_deref();
                let differs = match documented {
                    // An empty hash was stored by a pass that sent nothing.
                    true => {
                        !case.difference.changes.is_empty()
                            || stored.is_some_and(|stored| Some(stored) != case.hash.as_deref())
                    }
                    false => self.controller_updates(case),
                };
                if differs { (Planned::Update, true) } else { (Planned::InSync, false) }
            }
            Action::ReadOnly => (Planned::ReadOnly, false),
            Action::Delete => (Planned::Delete, true),
            Action::Keep => (Planned::Keep, false),
            Action::Wait => (Planned::Wait, false),
            Action::Error | Action::Unknown => (Planned::Unknown, false),
            Action::Refuse => (Planned::Refuse, false),
        }
    }

    /// Whether the controller sends an update of what it manages: it compares hashes, and never the remote (console.md
    /// section 2.4).
    fn controller_updates(&self, case: &Case<'_, '_>) -> bool {
        let stored = self.subject.sha.as_deref();
        match case.kind.hashed {
            Hashed::EveryPass => true,
            Hashed::Attributes => stored.is_some_and(|stored| Some(stored) != case.hash.as_deref()),
            Hashed::Spec | Hashed::Unknown => stored != case.hash.as_deref(),
        }
    }

    /// The hash that the status would get.
    fn hash(&self, kind: &Kind, attributes: Option<&Attributes>) -> Option<String> {
        match kind.hashed {
            Hashed::Attributes => attributes.map(|attributes| hash(&attributes.sent.clone().into())),
            _ => Some(hash(&self.subject.spec.clone().into())),
        }
    }

    /// Stops what cannot be done for want of something, and says whether it has.
    fn hold(&self, entry: &mut Entry<'a>, case: &Case<'_, '_>, missing: Vec<Missing>) -> bool {
        if !case.writes() {
            return false;
        }
        if let Some(fault) = &case.fault {
            entry.then = Some(entry.planned);
            entry.planned = Planned::Refuse;
            entry.reason = self.inputs.redacted(fault);
            return true;
        }
        if missing.is_empty() {
            return false;
        }
        let unknown = missing.iter().any(|missing| missing.unknown);
        // Whether something differs is not known before all of it is.
        entry.then = Some(entry.planned).filter(|then| !matches!(then, Planned::Update | Planned::InSync));
        entry.planned = if unknown { Planned::Unknown } else { Planned::Wait };
        let told: Vec<String> = missing.iter().map(|missing| format!("{}: {}", missing.field, missing.what)).collect();
        entry.reason = told.join("; ");
        entry.missing = missing;
        true
    }

    /// A status that names another remote than the one that is there, or none although it was managed.
    fn guard(&self, entry: &mut Entry<'a>, case: &Case<'_, '_>) {
        let status = self.subject.facts.status.as_deref();
        let managed_before = status.is_some_and(|status| status.id.is_none() && status.readonly == Some(false));
        if managed_before && entry.planned == Planned::ReadOnly && self.semantics == Semantics::Documented {
            entry.warnings.push(
                "its status says that it was managed, and has no id: this may be its own remote, created by a pass whose \
                 answer was lost"
                    .to_owned(),
            );
        }
        let known = status.and_then(|status| status.id.as_deref());
        let (Some(known), Some(there)) = (known, case.text("id")) else { return };
        if known == there {
            return;
        }
        let told = format!("status.id is {known}, and the remote of that name has the id {there}");
        match entry.planned {
            Planned::Delete => {
                entry.planned = Planned::Refuse;
                entry.reason = format!("{told}: what is there is not what this object owned");
            }
            _ => entry.warnings.push(format!("{told}: it is another one")),
        }
    }
}
