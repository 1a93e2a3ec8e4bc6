//! What a pass would do with each object, and why.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::input::{Inputs, Subject};
use super::observe::{self, Missing, Observed, Resolved, look_up_of};
use super::status::{self, NewStatus, Pass};
use crate::assess::plural::{Outcome, assess, decided, situation};
use crate::assess::{Text, World};
use crate::object::{Code, Diagnostic, Severity, masked_text};
use crate::plural::compare::{Change, Compared, Difference, Uncompared, bindings_told, compare};
use crate::plural::console::Answer;
use crate::plural::kind::{Attributes, Managed, Token, Wanted, token};
use crate::plural::{
    self, Action, Confidence, Facts, Field, Hashed, IfMissing, Interval, Kind, Remote, Returns, Situation, Use, hash,
};

/// By whose rules a plan is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Semantics {
    /// The documentation's, which this tool follows when it acts.
    #[default]
    Documented,
    /// The released controller's.
    Controller,
}

/// What a pass would do with an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Planned {
    /// Create the remote.
    Create,
    /// Take over the remote that is there, and bring it in line.
    Adopt,
    /// Change the remote, which is the object's own.
    Update,
    /// Delete the remote.
    Delete,
    /// Take the id, and change nothing remotely.
    ReadOnly,
    /// Nothing: the remote is the object's own, and nothing differs.
    InSync,
    /// Nothing: the object is being deleted, and the remote is kept.
    Keep,
    /// Nothing yet: something is missing.
    Wait,
    /// Nothing: a look-up failed, so it is not known what there is to do.
    Unknown,
    /// Nothing: it must not, or cannot, be done.
    Refuse,
    /// Nothing: this release does not reconcile the kind.
    NotReconciled,
}

impl Planned {
    /// All of them, in the order of summaries.
    pub const ALL: [Planned; 11] = [
        Planned::Create,
        Planned::Adopt,
        Planned::Update,
        Planned::Delete,
        Planned::ReadOnly,
        Planned::InSync,
        Planned::Keep,
        Planned::Wait,
        Planned::Unknown,
        Planned::Refuse,
        Planned::NotReconciled,
    ];

    /// The word in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Planned::Create => "create",
            Planned::Adopt => "adopt",
            Planned::Update => "update",
            Planned::Delete => "delete",
            Planned::ReadOnly => "read-only",
            Planned::InSync => "in-sync",
            Planned::Keep => "keep",
            Planned::Wait => "wait",
            Planned::Unknown => "unknown",
            Planned::Refuse => "refuse",
            Planned::NotReconciled => "not-reconciled",
        }
    }

    /// Whether it changes what the Console holds, or whose it is.
    pub fn is_pending(self) -> bool {
        matches!(self, Planned::Create | Planned::Adopt | Planned::Update | Planned::Delete)
    }

    /// Whether the object could not be reconciled, or was refused.
    pub fn has_failed(self) -> bool {
        matches!(self, Planned::Unknown | Planned::Refuse)
    }
}

/// Whose the remote is, as far as the object's status tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// The status has an id, and does not say that it is only read.
    Ours,
    /// The status says that it is only read.
    ReadOnly,
    /// The status has no id.
    Foreign,
    /// There is no status to tell.
    Unknown,
}

impl Ownership {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Ownership::Ours => "ours",
            Ownership::ReadOnly => "read-only",
            Ownership::Foreign => "foreign",
            Ownership::Unknown => "unknown",
        }
    }

    fn of(facts: &Facts) -> Ownership {
        match facts.status.as_deref() {
            None => Ownership::Unknown,
            Some(status) if status.readonly == Some(true) => Ownership::ReadOnly,
            Some(status) if status.id.is_some() => Ownership::Ours,
            Some(_) => Ownership::Foreign,
        }
    }
}

/// A mutation that would be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Sending {
    /// Its name.
    pub field: &'static str,
    /// The document.
    pub document: String,
    /// Its variables as they may be shown.
    pub shown: Map<String, Value>,
    /// Its variables as they are sent: they may hold secrets.
    pub variables: Variables,
}

/// Variables of a mutation, which may hold secrets.
#[derive(Clone, PartialEq)]
pub struct Variables(pub Map<String, Value>);

/// Names only: a log is no place for the values.
impl std::fmt::Debug for Variables {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The token that follows a service account.
#[derive(Debug, Clone, PartialEq)]
pub struct Follows {
    /// The mutation.
    pub field: &'static str,
    /// The scopes that are asked for.
    pub scopes: Value,
    /// How long it is valid, if the spec says so.
    pub expiry: Option<Value>,
    /// The Secret that it goes into, by its key `token`.
    pub secret: String,
    /// The hash of the scopes, which goes into an annotation.
    pub hash: String,
}

/// When an object is looked at again after the pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requeue {
    /// At random in this range; the most is not reached.
    Within(Duration, Duration),
    /// By the work queue's back-off, from the first delay to the last.
    BackOff(Duration, Duration),
    /// Not by itself.
    Never,
    /// The controller panics over the interval, and is retried with back-off.
    Panics,
}

/// What the released controller would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Controller<'a> {
    /// What it does.
    pub planned: Planned,
    /// The mutation that it sends.
    pub mutation: Option<&'static str>,
    /// How that is known.
    pub confidence: Confidence,
    /// A clause on top, or empty.
    pub note: Text<'a>,
}

/// The plan for one object.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry<'a> {
    /// The object.
    pub facts: &'a Facts,
    /// What would be done.
    pub planned: Planned,
    /// What would be done if nothing were missing.
    pub then: Option<Planned>,
    /// Why, in a clause.
    pub reason: String,
    /// Whose the remote is.
    pub ownership: Ownership,
    /// The id of the remote, if it is there.
    pub remote: Option<String>,
    /// What would be sent.
    pub sending: Option<Sending>,
    /// What follows it.
    pub follows: Option<Follows>,
    /// Where the Console differs from the manifest: what the mutation changes, or, where it is only read, what stays.
    pub changes: Vec<Change>,
    /// What cannot be compared.
    pub uncompared: Vec<Uncompared>,
    /// What deleting the object later does to the remote, in a sentence.
    pub later: Option<String>,
    /// The status that it would get.
    pub status: Option<NewStatus>,
    /// When it is looked at again.
    pub requeue: Requeue,
    /// What the released controller would do, where that is something else.
    pub controller: Option<Controller<'a>>,
    /// Whether the look-up failed, and the plan hangs on it.
    pub unseen: bool,
    /// What is missing.
    pub missing: Vec<Missing>,
    /// What deserves attention.
    pub warnings: Vec<String>,
    /// What is worth knowing.
    pub notes: Vec<String>,
    /// What is wrong with the manifest.
    pub problems: Vec<Diagnostic>,
}

/// How many objects come to what.
pub type Counts = BTreeMap<Planned, usize>;

/// The plan of one pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<'a> {
    /// By whose rules.
    pub semantics: Semantics,
    /// The objects of the Plural Console, in the order of the inputs.
    pub entries: Vec<Entry<'a>>,
    /// How many objects of Config Connector are not reconciled by this tool.
    pub kcc: usize,
}

impl Plan<'_> {
    /// How many objects come to what.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::new();
        for entry in &self.entries {
            *counts.entry(entry.planned).or_default() += 1;
        }
        counts
    }
}

/// Plans one pass over the inputs, given what the Console holds.
pub fn plan<'a>(inputs: &'a Inputs, world: &'a World, observed: &Observed, semantics: Semantics) -> Plan<'a> {
    let conflicts = conflicts(inputs);
    let entry = |(index, subject): (usize, &'a Subject)| {
        let planner = Planner { subject, inputs, world, observed, semantics };
        planner.entry(conflicts.get(&index).map(Vec::as_slice).unwrap_or_default())
    };
    Plan { semantics, entries: inputs.subjects.iter().enumerate().map(entry).collect(), kcc: inputs.kcc }
}

/// For each object that shares its remote with others, where those stand.
fn conflicts(inputs: &Inputs) -> HashMap<usize, Vec<String>> {
    let mut holders: HashMap<(&'static str, String), Vec<usize>> = HashMap::new();
    for (index, subject) in inputs.subjects.iter().enumerate().filter(|(_, subject)| subject.managed.is_some()) {
        if let Some(look_up) = look_up_of(subject) {
            holders.entry((look_up.query.field, look_up.value)).or_default().push(index);
        }
    }
    let mut conflicts = HashMap::new();
    for all in holders.into_values().filter(|all| all.len() > 1) {
        for index in &all {
            let others = all.iter().filter(|other| *other != index);
            let place = |other: &usize| inputs.subjects[*other].facts.place.to_string();
            conflicts.insert(*index, others.map(place).collect());
        }
    }
    conflicts
}

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

struct Planner<'a, 'o> {
    subject: &'a Subject,
    inputs: &'a Inputs,
    world: &'a World,
    observed: &'o Observed,
    semantics: Semantics,
}

/// What has been decided, before anything is said about it.
struct Decided {
    planned: Planned,
    mutates: bool,
}

impl<'a> Planner<'a, '_> {
    fn entry(&self, conflicts: &[String]) -> Entry<'a> {
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
        if let Some(reason) = self.refusal(conflicts) {
            entry.reason = reason;
            return entry;
        }
        self.decide(&mut entry, managed, kind);
        entry
    }

    /// Why nothing is done with the object, whatever the Console holds.
    fn refusal(&self, conflicts: &[String]) -> Option<String> {
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
            return Some(format!("the API server refuses it as it stands: {first}{more}"));
        }
        let Some(look_up) = look_up_of(self.subject) else {
            return Some("it has no name to be looked up by".to_owned());
        };
        if !conflicts.is_empty() {
            return Some(format!("the same {look_up} is meant at {}: only one may stand for it", conflicts.join(", ")));
        }
        None
    }

    fn answer(&self) -> &Answer {
        static NAMELESS: std::sync::LazyLock<Answer> =
            std::sync::LazyLock::new(|| Answer::Failed("it has no name to be looked up by".to_owned()));
        match look_up_of(self.subject) {
            Some(look_up) => self.observed.answer(look_up.query, &look_up.value),
            None => &NAMELESS,
        }
    }

    fn decide(&self, entry: &mut Entry<'a>, managed: &'static Managed, kind: &'static Kind) {
        let facts = &*self.subject.facts;
        let answer = self.answer();
        let remote = match answer {
            Answer::Absent => Remote::Absent,
            Answer::Found(_) => Remote::Present,
            Answer::Failed(_) => Remote::Unreachable,
        };
        let held = match answer {
            Answer::Found(held) => Some(held),
            _ => None,
        };
        entry.remote = held.and_then(|held| held.get("id")).and_then(Value::as_str).map(str::to_owned);
        let situation = situation(facts, remote);
        let outcome = decided(facts, kind, &situation);
        let action = match self.semantics {
            Semantics::Documented => outcome.documented.unwrap_or(Action::Unknown),
            Semantics::Controller => outcome.action,
        };
        // What a pass does that writes needs what it refers to.
        let writes = action.manages();
        let is_live = facts.metadata.deletion.is_none() || writes;
        let mut resolved = match is_live {
            true => observe::resolve(self.subject, self.inputs, self.world, self.observed),
            false => Resolved::default(),
        };
        // What is wrong in itself is wrong whatever is missing.
        let wanted = Wanted { facts, spec: &self.subject.spec, found: &resolved.found };
        let (attributes, fault) = match (managed.attributes)(&wanted) {
            Ok(attributes) => (Some(attributes).filter(|_| resolved.missing.is_empty() && is_live), None),
            Err(fault) => (None, Some(fault)),
        };
        let difference = match (&attributes, held) {
            (Some(attributes), Some(held)) => compare(managed, attributes, held),
            _ => Difference::default(),
        };
        let hash = self.hash(kind, attributes.as_ref());
        let decided = self.act(action, kind, &outcome, &difference, hash.as_deref());
        entry.planned = decided.planned;
        if writes {
            entry.warnings.append(&mut resolved.warnings);
            entry.notes.append(&mut resolved.notes);
        } else if is_live && held.is_some() && !resolved.missing.is_empty() {
            entry.notes.push("what it refers to is not all there, so it was not compared with the Console".to_owned());
        }
        if !self.hold(entry, writes, resolved.missing, fault) {
            self.guard(entry, answer);
        }
        let target_gone = action == Action::Wait;
        entry.unseen = matches!(answer, Answer::Failed(_)) && entry.planned != Planned::Keep;
        if entry.reason.is_empty() {
            entry.reason = self.reason(entry, answer, &difference, hash.as_deref(), kind);
        }
        let planned = entry.planned;
        if matches!(planned, Planned::Create | Planned::Adopt | Planned::Update | Planned::Delete) && decided.mutates {
            entry.sending = self.sending(managed, planned, entry.remote.as_deref(), attributes.as_ref());
        }
        if let Some(attributes) = &attributes {
            self.describe(entry, attributes, difference);
        }
        if managed.kind == "ServiceAccount" && planned.is_pending() | (planned == Planned::InSync) {
            self.token(entry);
        }
        if self.semantics == Semantics::Documented
            && facts.reconciliation.drifts()
            && facts.reconciliation.effective_interval().0 == Interval::Panics
        {
            entry
                .notes
                .push("this tool takes 30m for an interval that is not positive; the controller panics".to_owned());
        }
        self.later(entry, managed, kind, &situation);
        self.foresee(entry, kind, &situation);
        let health = |held: &'_ Value| held.get("health").and_then(Value::as_str).map(str::to_owned);
        let health = held.and_then(health);
        let is_repository = managed.kind == "GitRepository";
        let error =
            held.and_then(|held| held.get("error")).and_then(Value::as_str).map(|error| self.inputs.redacted(error));
        let failure = self.failure(entry, answer);
        entry.status = status::status(&Pass {
            facts,
            planned,
            remote: entry.remote.as_deref(),
            hash: hash.as_deref(),
            repository: is_repository.then_some((health.as_deref(), error.as_deref())),
            failure: failure.as_deref(),
            target_gone,
            own_failed: matches!(answer, Answer::Failed(_)),
        });
        entry.requeue =
            self.requeue(entry, &outcome, target_gone, is_repository && health.as_deref() != Some("PULLABLE"));
        if self.semantics == Semantics::Documented && !matches!(planned, Planned::Refuse) {
            entry.controller = self.controller(entry, kind, outcome, hash.as_deref());
        }
        // A token is a change, too.
        if entry.follows.is_some() && entry.planned == Planned::InSync {
            entry.planned = Planned::Update;
            entry.reason = format!("{}; a token would be made for its scopes", entry.reason);
        }
    }

    /// What an action comes to, given what differs.
    fn act(
        &self,
        action: Action,
        kind: &Kind,
        outcome: &Outcome<'_>,
        difference: &Difference,
        hash: Option<&str>,
    ) -> Decided {
        let documented = self.semantics == Semantics::Documented;
        let (planned, mutates) = match action {
            Action::Create => (Planned::Create, true),
            Action::Adopt => (Planned::Adopt, documented || outcome.mutation.is_some()),
            Action::Update => (Planned::Update, true),
            Action::InSyncOrUpdate => {
                let differs = match documented {
                    // An empty hash was stored by a pass that sent nothing.
                    true => {
                        let stored = self.subject.sha.as_deref();
                        !difference.changes.is_empty() || stored.is_some_and(|stored| Some(stored) != hash)
                    }
                    false => self.controller_updates(kind, hash),
                };
                if differs { (Planned::Update, true) } else { (Planned::InSync, false) }
            }
            Action::ReadOnly => (Planned::ReadOnly, false),
            Action::Delete => (Planned::Delete, true),
            Action::Keep => (Planned::Keep, false),
            Action::Wait => (Planned::Wait, false),
            Action::Error | Action::Unknown => (Planned::Unknown, false),
            Action::Refuse => (Planned::Refuse, false),
        };
        Decided { planned, mutates }
    }

    /// Whether the controller sends an update of what it manages: it compares hashes, and never the remote (console.md
    /// section 2.4).
    fn controller_updates(&self, kind: &Kind, hash: Option<&str>) -> bool {
        let stored = self.subject.sha.as_deref();
        match kind.hashed {
            Hashed::EveryPass => true,
            Hashed::Attributes => stored.is_some_and(|stored| Some(stored) != hash),
            Hashed::Spec | Hashed::Unknown => stored != hash,
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
    fn hold(&self, entry: &mut Entry<'a>, writes: bool, missing: Vec<Missing>, fault: Option<String>) -> bool {
        if !writes {
            return false;
        }
        if let Some(fault) = fault {
            entry.then = Some(entry.planned);
            entry.planned = Planned::Refuse;
            entry.reason = self.inputs.redacted(&fault);
            entry.requeue = BACK_OFF;
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
    fn guard(&self, entry: &mut Entry<'a>, answer: &Answer) {
        let status = self.subject.facts.status.as_deref();
        let managed_before = status.is_some_and(|status| status.id.is_none() && status.readonly == Some(false));
        if managed_before && entry.planned == Planned::ReadOnly && self.semantics == Semantics::Documented {
            entry.warnings.push(
                "its status says that it was managed, and has no id: this may be its own remote, created by a pass whose \
                 answer was lost"
                    .to_owned(),
            );
        }
        let known = self.subject.facts.status.as_ref().and_then(|status| status.id.as_deref());
        let (Some(known), Answer::Found(_), Some(there)) = (known, answer, entry.remote.as_deref()) else { return };
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

    fn reason(
        &self,
        entry: &Entry<'_>,
        answer: &Answer,
        difference: &Difference,
        hash: Option<&str>,
        kind: &Kind,
    ) -> String {
        let facts = &*self.subject.facts;
        let id = entry.remote.as_deref().unwrap_or_default();
        let drift = match &facts.reconciliation.drift_detection {
            Field::Given(value, _) => format!("driftDetection {value}"),
            _ => "driftDetection true (default)".to_owned(),
        };
        let look_up = look_up_of(self.subject).map_or(String::new(), |look_up| look_up.to_string());
        if let (Answer::Failed(reason), false) = (answer, matches!(entry.planned, Planned::Keep | Planned::Unknown)) {
            let reason = self.inputs.redacted(reason);
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
                let differs = stored.is_some_and(|stored| Some(stored) != hash);
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
            Planned::Keep => self.kept(answer),
            Planned::Wait => format!("it is only read, and the Console has no {look_up} any more"),
            Planned::Unknown => match answer {
                Answer::Failed(reason) => format!("{look_up} could not be looked up: {}", self.inputs.redacted(reason)),
                _ => "the controller's pass ends in an error".to_owned(),
            },
            Planned::Refuse | Planned::NotReconciled => String::new(),
        }
    }

    fn kept(&self, answer: &Answer) -> String {
        let status = self.subject.facts.status.as_deref();
        let why = match (status, answer) {
            (None, _) => "no status tells that the remote is its own",
            (Some(status), _) if status.id.is_none() => "its status has no id, so nothing is its own",
            (Some(status), _) if status.readonly == Some(true) => "the remote was only read",
            (_, Answer::Absent) => "the remote is gone already",
            _ => "driftDetection is false, and nothing tells that the remote is its own",
        };
        format!("the object is being deleted: {why}")
    }

    fn sending(
        &self,
        managed: &'static Managed,
        planned: Planned,
        remote: Option<&str>,
        attributes: Option<&Attributes>,
    ) -> Option<Sending> {
        let mutation = match planned {
            Planned::Create => managed.create,
            Planned::Delete => managed.delete,
            _ => managed.update,
        };
        let (mut variables, mut shown) = (Map::new(), Map::new());
        for (argument, _) in mutation.arguments {
            let (value, display) = match *argument {
                "id" => (Value::from(remote?), Value::from(remote?)),
                "name" => {
                    let (name, _) = self.subject.facts.identity()?;
                    (name.into(), name.into())
                }
                _ => (attributes?.sent.clone().into(), attributes?.shown.clone().into()),
            };
            variables.insert((*argument).to_owned(), value);
            shown.insert((*argument).to_owned(), display);
        }
        let document = mutation.document(managed.query);
        Some(Sending { field: mutation.field, document, shown, variables: Variables(variables) })
    }

    /// What changes, or would if it were managed.
    fn describe(&self, entry: &mut Entry<'a>, attributes: &Attributes, difference: Difference) {
        entry.changes = match entry.planned {
            Planned::Create => {
                let mut all = Vec::new();
                flatten("", &attributes.shown, &attributes.labels, &mut all);
                all
            }
            Planned::Adopt | Planned::Update | Planned::ReadOnly | Planned::InSync => difference.changes,
            _ => Vec::new(),
        };
        if matches!(entry.planned, Planned::Adopt | Planned::Update | Planned::ReadOnly | Planned::InSync) {
            entry.uncompared = difference.uncompared;
        }
        if entry.planned.is_pending() || entry.planned == Planned::InSync {
            entry.notes.extend(attributes.unsent.iter().map(|(field, why)| format!("{field} is not sent: {why}")));
            self.emptied(entry, attributes);
        }
    }

    /// Lists of bindings that the manifest empties and the Console keeps (console.md section 2.5).
    fn emptied(&self, entry: &mut Entry<'a>, attributes: &Attributes) {
        let Answer::Found(held) = self.answer() else { return };
        let sent = |name: &str| attributes.sent.contains_key(name);
        let bound = |name: &str| held.get(name).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        let bindings = self.subject.managed.map_or(&[][..], |managed| managed.compared).iter();
        let lists = bindings.filter(|(_, how)| *how == Compared::Bindings).map(|(name, _)| *name);
        for list in lists.filter(|list| bound(list) && !sent(list)) {
            entry.notes.push(format!(
                "{list}: the Console has some and the manifest none; a list that is empty is not sent, so they stay"
            ));
        }
    }

    /// The token that is made after the user is in sync.
    fn token(&self, entry: &mut Entry<'a>) {
        let facts = &*self.subject.facts;
        let Some(reference) = facts.references.iter().find(|reference| reference.field.usage == Use::Written) else {
            return;
        };
        match token(facts, &self.subject.spec) {
            Token::Unchanged(why) => entry.notes.push(format!("no token is made: {why}")),
            Token::Made { scopes, expiry, hash } => {
                let namespace = reference.namespace.as_deref().or(facts.reference.namespace.as_deref());
                let secret = format!("{}/{}", namespace.unwrap_or("default"), reference.name);
                entry.follows = Some(Follows { field: "createServiceAccountToken", scopes, expiry, secret, hash });
            }
        }
    }

    /// What deleting the object after this pass does to the remote.
    fn later(&self, entry: &mut Entry<'a>, managed: &Managed, kind: &'static Kind, before: &Situation) {
        let action = match entry.planned {
            Planned::Create => Action::Create,
            Planned::Adopt => Action::Adopt,
            Planned::Update | Planned::InSync => Action::InSyncOrUpdate,
            Planned::ReadOnly if entry.remote.is_some() => Action::ReadOnly,
            _ => return,
        };
        let mut after = before.after(kind.name, action);
        // The tool adds it itself where the controller would not (console.md section 6).
        after.finalizer |= self.semantics == Semantics::Documented && action.manages() && kind.finalizer.is_some();
        let deletion =
            decided(&self.subject.facts, kind, &Situation { deleting: true, remote: Remote::Present, ..after });
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
    fn foresee(&self, entry: &mut Entry<'a>, kind: &'static Kind, before: &Situation) {
        if entry.planned != Planned::Create || self.semantics == Semantics::Controller {
            return;
        }
        let first = Situation {
            remote: Remote::Present,
            id_set: false,
            readonly: None,
            finalizer: false,
            deleting: false,
            ..*before
        };
        let outcome = decided(&self.subject.facts, kind, &first);
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

    /// What the condition `Synchronized` says of a pass that fails.
    fn failure(&self, entry: &Entry<'_>, answer: &Answer) -> Option<String> {
        let text = match (entry.missing.first(), answer) {
            (Some(missing), _) => &missing.text,
            // What the merge of a context trips over.
            (None, _) if entry.planned == Planned::Refuse => &entry.reason,
            (None, Answer::Failed(reason)) => reason,
            (None, _) => return None,
        };
        Some(self.inputs.redacted(text))
    }

    fn requeue(&self, entry: &Entry<'_>, outcome: &Outcome<'_>, target_gone: bool, not_pullable: bool) -> Requeue {
        let facts = &*self.subject.facts;
        if !entry.missing.is_empty() {
            // The pass ends at the first.
            let error = entry.missing.first().is_some_and(|missing| missing.then == IfMissing::Error);
            return if error { BACK_OFF } else { SOON };
        }
        let succeeds = entry.planned.is_pending() | matches!(entry.planned, Planned::InSync | Planned::ReadOnly);
        if succeeds && not_pullable && entry.planned != Planned::Delete {
            return SOON;
        }
        if self.semantics == Semantics::Controller && entry.planned != Planned::Refuse {
            return match outcome.returns {
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
            Planned::Wait if target_gone && facts.reference.kind == "GitRepository" => periodic(facts, self.semantics),
            Planned::Wait => SOON,
            Planned::Unknown => BACK_OFF,
            Planned::Refuse => entry.requeue,
            Planned::Delete | Planned::Keep | Planned::NotReconciled => Requeue::Never,
        }
    }

    /// What the released controller would do, where that is something else.
    fn controller(
        &self,
        entry: &Entry<'_>,
        kind: &'static Kind,
        outcome: Outcome<'a>,
        hash: Option<&str>,
    ) -> Option<Controller<'a>> {
        let (planned, mutates) = match outcome.action {
            Action::InSyncOrUpdate if entry.then.is_some() || !entry.missing.is_empty() => return None,
            Action::InSyncOrUpdate if self.controller_updates(kind, hash) => (Planned::Update, true),
            Action::InSyncOrUpdate => (Planned::InSync, false),
            Action::Create => (Planned::Create, true),
            Action::Adopt => (Planned::Adopt, outcome.mutation.is_some()),
            Action::Update => (Planned::Update, true),
            Action::ReadOnly => (Planned::ReadOnly, false),
            Action::Delete => (Planned::Delete, true),
            Action::Keep => (Planned::Keep, false),
            Action::Wait => (Planned::Wait, false),
            Action::Error | Action::Unknown | Action::Refuse => (Planned::Unknown, false),
        };
        if entry.then.is_none() && !entry.missing.is_empty() {
            return None;
        }
        let ours = entry.then.unwrap_or(entry.planned);
        let sends = entry.sending.is_some() || entry.then.is_some_and(Planned::is_pending);
        let mutation = outcome.mutation.filter(|_| mutates);
        if planned == ours && mutation.is_some() == sends {
            return None;
        }
        Some(Controller { planned, mutation, confidence: outcome.confidence, note: outcome.note })
    }
}

/// Everything that is sent, field by field: lists of blocks index by index, other lists as a whole.
fn flatten(path: &str, fields: &Map<String, Value>, labels: &BTreeMap<String, String>, into: &mut Vec<Change>) {
    for (key, value) in fields {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match value {
            Value::Object(fields) if !fields.is_empty() => flatten(&path, fields, labels, into),
            // Attributes of bindings are ids, and people know names.
            Value::Array(_) if path.ends_with("Bindings") => {
                into.push(Change { path, from: Value::Null, to: bindings_told(value, labels) });
            }
            Value::Array(items) if items.iter().any(Value::is_object) => {
                for (index, item) in items.iter().enumerate() {
                    match item {
                        Value::Object(fields) => flatten(&format!("{path}[{index}]"), fields, labels, into),
                        other => {
                            into.push(Change { path: format!("{path}[{index}]"), from: Value::Null, to: other.clone() })
                        }
                    }
                }
            }
            other => into.push(Change { path, from: Value::Null, to: other.clone() }),
        }
    }
}

fn hashed(kind: &Kind) -> &'static str {
    if kind.hashed == Hashed::Attributes { "attributes" } else { "spec" }
}

impl Follows {
    /// The variables that would be sent after the id is known.
    pub fn variables(&self) -> Value {
        json!({"scopes": self.scopes, "expiry": self.expiry})
    }
}

impl Entry<'_> {
    /// Whether what differs is sent: otherwise it stays as it is in the Console.
    pub fn is_sent(&self) -> bool {
        self.sending.is_some()
    }

    /// Whether the object could not be looked up or reconciled, or was refused.
    pub fn has_failed(&self) -> bool {
        self.unseen || self.planned.has_failed()
    }

    /// Its title, logins in a URL masked.
    pub fn title(&self) -> String {
        masked_text(&self.facts.reference.title()).into_owned()
    }
}
