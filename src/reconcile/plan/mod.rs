//! What a pass would do with each object, and why.

mod after;
mod planner;
mod reason;
mod sent;

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde_json::{Map, Value, json};

use self::planner::Planner;
use super::input::{Inputs, Subject};
use super::observe::{Missing, Observed, look_up_of};
use super::status::NewStatus;
use crate::assess::{Text, World};
use crate::object::{Diagnostic, masked_text};
use crate::plural::compare::{Change, Uncompared};
use crate::plural::{Confidence, Facts};

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
