use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::time::Duration;

use crate::assess::kcc::{ActuationMode, Assessment as KccAssessment, Drift, DriftState, Policy, Retry, RetryAnswer};
use crate::assess::plural::{Assessment as PluralAssessment, Outcome, RequeueState};
use crate::assess::{Answer, World};
use crate::kcc::{self, Ceiling, Controller, NumberFault};
use crate::plural::{Action, Confidence};

/// What an object does, without who says so and where: two objects that compare equal behave alike in one release.
/// Small, as there is one for each object of a fleet while it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Behaviour<'a> {
    /// One of Config Connector.
    Kcc(Kcc),
    /// One of the Plural Console.
    Plural(Box<Plural<'a>>),
}

/// The behaviour of an object of Config Connector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Kcc {
    /// Who handles it, and who could.
    pub controller: ControllerValue,
    /// What its ceiling annotation says, and whether anybody listens.
    pub ceiling: CeilingValue,
    /// Whether the first error halts it; `None`: not known.
    pub halting: Option<bool>,
    /// How failures are retried.
    pub ladder: LadderValue,
    /// How often it is looked at while it succeeds.
    pub drift: DriftValue,
    /// Whether attempts reach the cloud; `None` without a controller.
    pub actuation: Option<ActuationMode>,
    /// What deleting it does.
    pub deletion: DeletionValue,
}

/// Who handles an object, and what the table's row of its kind says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ControllerValue {
    /// The controller.
    pub controller: Controller,
    /// The row of the kind; `None` where it has none.
    pub choice: Option<Choice>,
}

/// A row of the table: the default and what can be chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Choice {
    /// The table's default.
    pub default: Controller,
    supported: u16,
}

/// What a ceiling annotation says, and whether anybody listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CeilingValue {
    /// What it says.
    pub state: CeilingState,
    /// Whether the controller reads it (`None`: not known); `Some(true)` where there is nothing to read.
    pub honoured: Option<bool>,
}

/// What a ceiling annotation says, spelling aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CeilingState {
    /// Absent or empty.
    Unset,
    /// A ceiling of so many seconds.
    Seconds(u32),
    /// `"0"`.
    Halt,
    /// Refused by the controller.
    Invalid,
    /// Refused by the API server, with the object.
    Refused,
}

/// How failed attempts are retried. The default ladder is the same value in every release: where it begins is told for
/// all objects at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LadderValue {
    /// The release's default ladder.
    Default,
    /// 1 s doubling up to so many seconds.
    Ceiling(u32),
    /// No retry: the first error halts it.
    Halt,
    /// No attempts at all: there is no controller.
    NoAttempts,
    /// So many seconds, or (`None`) a halt, if the annotation is read; else the default ladder.
    Unknown(Option<u32>),
}

/// How often an object that succeeds is looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DriftValue {
    /// Around this mean in seconds; whether requeues share a bucket of the kind on top.
    Periodic(u32, bool),
    /// Not by itself; whether every reconcile is skipped while it is up to date.
    Never(bool),
    /// The annotation is refused by the controller: every reconcile is an error.
    Invalid,
    /// The annotation is refused by the API server, with the object.
    Refused,
    /// There is no controller.
    NoController,
}

/// What deleting an object of Config Connector does. That nothing is done while it is paused is told by its actuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeletionValue {
    /// Nothing in the cloud: there is no controller.
    NoController,
    /// Nothing any more: Config Connector is done with it.
    Done,
    /// The cloud resource is deleted or kept.
    Outcome {
        /// Whether it is kept.
        keeps: bool,
        /// Whether deletion is requested.
        requested: bool,
    },
}

/// The behaviour of an object of the Plural Console.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Plural<'a> {
    /// By what it is looked up.
    pub identity: IdentityValue<'a>,
    /// What a pass does.
    pub modes: Modes,
    /// When it is looked at again.
    pub requeue: RequeueState,
    /// What deleting it does to the remote.
    pub deletion: DeletionDeeds,
}

/// By what an object is looked up in the Console.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdentityValue<'a> {
    /// The field of the remote, where known.
    pub field: Option<&'static str>,
    /// The value, a login in a URL masked.
    pub value: Option<Cow<'a, str>>,
    /// The value with its login, which is compared and never shown.
    login: Option<Login<'a>>,
}

/// A text that is compared and never shown, not even for debugging.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Login<'a>(&'a str);

impl std::fmt::Debug for Login<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

/// What a pass does, by what the Console holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Modes {
    /// If the look-up finds nothing.
    pub if_absent: Deed,
    /// If it finds the remote.
    pub if_present: Deed,
    /// If it fails; `None` where only the documentation is known.
    pub if_unreachable: Option<Deed>,
    /// In the state that the status tells; `None` where it tells none.
    pub now: Option<Deed>,
}

/// What deleting an object does to its remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DeletionDeeds {
    /// Whether deletion is requested.
    pub requested: bool,
    /// If the remote was absent at the pass before.
    pub if_absent: Deed,
    /// If it was present.
    pub if_present: Deed,
    /// In the state that the status tells; `None` where it tells none.
    pub now: Option<Deed>,
}

/// What is done to a remote, and by which mutation. How well that is known plays no part in a comparison.
#[derive(Debug, Clone, Copy)]
pub struct Deed {
    /// What is done.
    pub action: Action,
    /// What is sent, where that is known.
    pub mutation: Option<&'static str>,
    /// How that is known.
    pub confidence: Confidence,
}

impl Deed {
    fn compared(&self) -> (Action, Option<&'static str>) {
        (self.action, self.mutation)
    }
}

impl PartialEq for Deed {
    fn eq(&self, other: &Deed) -> bool {
        self.compared() == other.compared()
    }
}

impl Eq for Deed {}

impl Hash for Deed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.compared().hash(state);
    }
}

impl<'a> Behaviour<'a> {
    /// The behaviour that an answer tells.
    pub fn of(answer: &Answer<'a>, world: &World) -> Behaviour<'a> {
        match answer {
            Answer::Kcc(assessment) => Behaviour::Kcc(Kcc::of(assessment, world)),
            Answer::Plural(assessment) => Behaviour::Plural(Box::new(Plural::of(assessment))),
        }
    }

    /// The controller of an object of Config Connector.
    pub(super) fn controller(&self) -> Option<Controller> {
        match self {
            Behaviour::Kcc(kcc) => Some(kcc.controller.controller),
            Behaviour::Plural(_) => None,
        }
    }

    /// Whether two behaviours of one object differ, as far as they can be compared.
    pub fn differs(&self, other: &Behaviour<'_>) -> bool {
        match (self, other) {
            (Behaviour::Kcc(one), Behaviour::Kcc(other)) => *one != other.comparable_with(one),
            (Behaviour::Plural(one), Behaviour::Plural(other)) => one != other,
            _ => true,
        }
    }
}

impl Kcc {
    fn of(assessment: &KccAssessment<'_>, world: &World) -> Kcc {
        let controller = assessment.controller.controller;
        Kcc {
            controller: ControllerValue::of(assessment, world),
            ceiling: CeilingValue::of(assessment.ceiling.ceiling, assessment.ceiling.honoured),
            halting: assessment.halt.on_error,
            ladder: LadderValue::of(&assessment.retry),
            drift: DriftValue::of(assessment),
            actuation: (controller != Controller::None).then_some(assessment.actuation.mode),
            deletion: DeletionValue::of(assessment),
        }
    }

    /// This behaviour with what cannot be compared taken over from the other one. Where a release has no table of
    /// controllers, none is known: that is told for all objects at once, and is no change of any.
    pub(super) fn comparable_with(&self, other: &Kcc) -> Kcc {
        let unknown = |kcc: &Kcc| kcc.controller.controller == Controller::Unknown;
        if unknown(self) == unknown(other) {
            return *self;
        }
        // Everything else rests on the assumption that there is a controller.
        if [self, other].iter().any(|kcc| kcc.controller.controller == Controller::None) {
            return *other;
        }
        Kcc { controller: other.controller, ..*self }
    }
}

impl ControllerValue {
    fn of(assessment: &KccAssessment<'_>, world: &World) -> ControllerValue {
        let reference = &assessment.facts.reference;
        // The row, and not what the assessment supports: a kind that a context excludes still has one.
        let row = match world.release.has_table() {
            true => kcc::row(reference.group(), &reference.kind, world.release),
            false => None,
        };
        ControllerValue {
            controller: assessment.controller.controller,
            choice: row.map(|row| Choice {
                default: row.default,
                supported: row.supported.iter().fold(0, |set, controller| set | bit(*controller)),
            }),
        }
    }
}

/// The controllers that stand in the table, in the order in which they are told.
const IN_TABLE: [Controller; 7] = [
    Controller::Direct,
    Controller::Tf,
    Controller::Dcl,
    Controller::IamPolicy,
    Controller::IamPartialPolicy,
    Controller::IamPolicyMember,
    Controller::IamAuditConfig,
];

fn bit(controller: Controller) -> u16 {
    1 << controller as u16
}

impl Choice {
    /// Whether a controller can be chosen.
    pub fn supports(&self, controller: Controller) -> bool {
        self.supported & bit(controller) != 0
    }

    /// The controllers that can be chosen.
    pub fn supported(self) -> impl Iterator<Item = Controller> {
        IN_TABLE.into_iter().filter(move |controller| self.supports(*controller))
    }
}

impl CeilingValue {
    fn of(ceiling: Ceiling, honoured: Option<bool>) -> CeilingValue {
        let state = match ceiling {
            Ceiling::Unset => CeilingState::Unset,
            Ceiling::Seconds(seconds) => CeilingState::Seconds(seconds),
            Ceiling::Halt => CeilingState::Halt,
            Ceiling::Invalid(NumberFault::NotAString) => CeilingState::Refused,
            Ceiling::Invalid(_) => CeilingState::Invalid,
        };
        let something = matches!(state, CeilingState::Seconds(_) | CeilingState::Halt);
        CeilingValue { state, honoured: if something { honoured } else { Some(true) } }
    }
}

impl LadderValue {
    fn of(answer: &RetryAnswer<'_>) -> LadderValue {
        let seconds = |retry: &Retry<'_>| {
            let max = retry.ladder.map_or(Duration::ZERO, |ladder| ladder.max());
            // A ceiling has at most 31 bits.
            u32::try_from(max.as_secs()).unwrap_or(u32::MAX)
        };
        match answer {
            RetryAnswer::Known(retry) => match retry.policy {
                Policy::Default => LadderValue::Default,
                Policy::Ceiling => LadderValue::Ceiling(seconds(retry)),
                Policy::Halt => LadderValue::Halt,
                Policy::None => LadderValue::NoAttempts,
            },
            RetryAnswer::Unknown { if_honoured, .. } => {
                LadderValue::Unknown((if_honoured.policy == Policy::Ceiling).then(|| seconds(if_honoured)))
            }
        }
    }
}

impl DriftValue {
    fn of(assessment: &KccAssessment<'_>) -> DriftValue {
        let drift: &Drift<'_> = &assessment.drift;
        let controller = assessment.controller.controller;
        if controller == Controller::None {
            return DriftValue::NoController;
        }
        let reference = &assessment.facts.reference;
        // From which release on IAMPolicyMember has its bucket is told for all objects at once.
        let bucket = drift.bucket.is_some()
            || Controller::of_iam_kind(reference.group(), &reference.kind) == Some(Controller::IamPolicyMember);
        // A kind without a controller of its own was handled by tf, dcl or direct before there was a table, too, and
        // all three skip (Config Connector, the tf, dcl and direct controllers).
        let skips = drift.skips_when_up_to_date
            || (controller == Controller::Unknown
                && drift.raw.is_some()
                && Controller::of_iam_kind(reference.group(), &reference.kind).is_none());
        match drift.state {
            DriftState::Periodic(mean) => DriftValue::Periodic(mean, bucket),
            DriftState::Never => DriftValue::Never(skips),
            DriftState::Invalid(NumberFault::NotAString) => DriftValue::Refused,
            DriftState::Invalid(_) => DriftValue::Invalid,
        }
    }
}

impl DeletionValue {
    fn of(assessment: &KccAssessment<'_>) -> DeletionValue {
        let deletion = &assessment.deletion;
        if assessment.controller.controller == Controller::None {
            return DeletionValue::NoController;
        }
        match deletion.retry {
            // Nothing is left to retry only once none of its finalizers is left.
            None => DeletionValue::Done,
            Some(_) => DeletionValue::Outcome { keeps: deletion.abandons, requested: deletion.requested.is_some() },
        }
    }
}

impl<'a> Plural<'a> {
    fn of(assessment: &PluralAssessment<'a>) -> Plural<'a> {
        let identity = &assessment.identity;
        let (mode, deletion) = (&assessment.mode, &assessment.deletion);
        let login = assessment.facts.lookup.text().filter(|_| identity.masked);
        Plural {
            identity: IdentityValue { field: identity.field, value: identity.value.clone(), login: login.map(Login) },
            modes: Modes {
                if_absent: Deed::of(&mode.if_absent),
                if_present: Deed::of(&mode.if_present),
                if_unreachable: mode.if_unreachable.as_ref().map(Deed::of),
                now: mode.now.as_ref().map(Deed::of),
            },
            requeue: assessment.requeue.state,
            deletion: DeletionDeeds {
                requested: deletion.requested.is_some(),
                if_absent: Deed::of(&deletion.if_absent),
                if_present: Deed::of(&deletion.if_present),
                now: deletion.now.as_ref().map(Deed::of),
            },
        }
    }
}

impl IdentityValue<'_> {
    /// Whether something of the value is masked.
    pub fn masked(&self) -> bool {
        self.login.is_some()
    }
}

impl Deed {
    fn of(outcome: &Outcome<'_>) -> Deed {
        Deed { action: outcome.action, mutation: outcome.mutation, confidence: outcome.confidence }
    }
}
