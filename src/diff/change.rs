use super::behaviour::{
    Behaviour, CeilingState, CeilingValue, ControllerValue, DeletionDeeds, DeletionValue, DriftValue, IdentityValue,
    Kcc, LadderValue, Modes, Plural,
};
use crate::assess::kcc::{ActuationMode, Assessment as KccAssessment, DriftOrigin, RetryAnswer};
use crate::assess::plural::{Assessment as PluralAssessment, RequeueState};
use crate::assess::{Answer, Text, World};
use crate::kcc::Controller;

/// What of an object's behaviour changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Who handles it, or who could.
    Controller,
    /// What its ceiling says, or whether it is read.
    Ceiling,
    /// Whether the first error halts it.
    Halting,
    /// How failures are retried.
    Ladder,
    /// How often it is looked at while it succeeds.
    Drift,
    /// Whether attempts reach the cloud.
    Actuation,
    /// By what it is looked up in the Console.
    Identity,
    /// What a pass does, by what the Console holds.
    Mode,
    /// When the Console's controller looks at it again.
    Requeue,
    /// What deleting it does.
    Deletion,
}

impl Aspect {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Aspect::Controller => "controller",
            Aspect::Ceiling => "ceiling",
            Aspect::Halting => "halting",
            Aspect::Ladder => "ladder",
            Aspect::Drift => "drift",
            Aspect::Actuation => "actuation",
            Aspect::Identity => "identity",
            Aspect::Mode => "mode",
            Aspect::Requeue => "requeue",
            Aspect::Deletion => "deletion",
        }
    }
}

/// How one aspect is on one side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of [`Aspect::Controller`].
    Controller(ControllerValue),
    /// Of [`Aspect::Ceiling`].
    Ceiling(CeilingValue),
    /// Of [`Aspect::Halting`]; `None`: not known.
    Halting(Option<bool>),
    /// Of [`Aspect::Ladder`].
    Ladder(LadderValue),
    /// Of [`Aspect::Drift`].
    Drift(DriftValue),
    /// Of [`Aspect::Actuation`]; `None` without a controller.
    Actuation(Option<ActuationMode>),
    /// Of [`Aspect::Deletion`], for Config Connector.
    Deletion(DeletionValue),
    /// Of [`Aspect::Identity`].
    Identity(IdentityValue<'a>),
    /// Of [`Aspect::Mode`].
    Mode(Modes),
    /// Of [`Aspect::Requeue`].
    Requeue(RequeueState),
    /// Of [`Aspect::Deletion`], for the Plural Console.
    Deeds(DeletionDeeds),
}

/// One aspect that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change<'a> {
    /// Which.
    pub aspect: Aspect,
    /// How it is on the old side; `None` if the object is not there.
    pub from: Option<Value<'a>>,
    /// How it is on the new side; `None` if the object is not there.
    pub to: Option<Value<'a>>,
    /// Why it is so on the new side (of a removed object: was so on the old one), in a clause; empty where nothing is
    /// to be said.
    pub reason: Text<'a>,
}

/// What changes between two answers about one object.
pub(super) fn between<'a>(old: &Answer<'a>, old_world: &World, new: &Answer<'a>, new_world: &World) -> Vec<Change<'a>> {
    let (before, after) = (Behaviour::of(old, old_world), Behaviour::of(new, new_world));
    let after = match (&before, after) {
        (Behaviour::Kcc(before), Behaviour::Kcc(after)) => Behaviour::Kcc(after.comparable_with(before)),
        (_, after) => after,
    };
    let pairs = values(before).into_iter().zip(values(after));
    let changed = pairs.filter(|((_, from), (_, to))| from != to);
    changed
        .map(|((aspect, from), (_, to))| {
            let reason = match (&from, &to) {
                (Value::Controller(from), Value::Controller(to)) => {
                    controllers(from, old_world, to, new_world, reason(aspect, new))
                }
                _ => reason(aspect, new),
            };
            Change { aspect, from: Some(from), to: Some(to), reason }
        })
        .collect()
}

/// What an answer tells about an object that is on one side only.
pub(super) fn alone<'a>(answer: &Answer<'a>, world: &World, added: bool) -> Vec<Change<'a>> {
    let values = values(Behaviour::of(answer, world)).into_iter();
    values
        .map(|(aspect, value)| {
            let (from, to) = if added { (None, Some(value)) } else { (Some(value), None) };
            Change { aspect, from, to, reason: reason(aspect, answer) }
        })
        .collect()
}

/// Every aspect of a behaviour, in the order in which they are told.
fn values(behaviour: Behaviour<'_>) -> Vec<(Aspect, Value<'_>)> {
    match behaviour {
        Behaviour::Kcc(Kcc { controller, ceiling, halting, ladder, drift, actuation, deletion }) => vec![
            (Aspect::Controller, Value::Controller(controller)),
            (Aspect::Ceiling, Value::Ceiling(ceiling)),
            (Aspect::Halting, Value::Halting(halting)),
            (Aspect::Ladder, Value::Ladder(ladder)),
            (Aspect::Drift, Value::Drift(drift)),
            (Aspect::Actuation, Value::Actuation(actuation)),
            (Aspect::Deletion, Value::Deletion(deletion)),
        ],
        Behaviour::Plural(plural) => {
            let Plural { identity, modes, requeue, deletion } = *plural;
            vec![
                (Aspect::Identity, Value::Identity(identity)),
                (Aspect::Mode, Value::Mode(modes)),
                (Aspect::Requeue, Value::Requeue(requeue)),
                (Aspect::Deletion, Value::Deeds(deletion)),
            ]
        }
    }
}

fn reason<'a>(aspect: Aspect, answer: &Answer<'a>) -> Text<'a> {
    match answer {
        Answer::Kcc(assessment) => kcc_reason(aspect, assessment),
        Answer::Plural(assessment) => plural_reason(aspect, assessment),
    }
}

fn kcc_reason<'a>(aspect: Aspect, assessment: &KccAssessment<'a>) -> Text<'a> {
    match aspect {
        Aspect::Controller => assessment.controller.reason.clone(),
        Aspect::Ceiling if assessment.ceiling.present() => assessment.ceiling.reason.clone(),
        Aspect::Ceiling => "no annotation".into(),
        Aspect::Halting | Aspect::Ladder => match &assessment.retry {
            RetryAnswer::Known(retry) => retry.reason.clone(),
            RetryAnswer::Unknown { reason, .. } => reason.clone(),
        },
        Aspect::Drift => match assessment.drift.origin {
            DriftOrigin::Annotation => "reconcile-interval-in-seconds".into(),
            DriftOrigin::Kind => "built-in for this kind".into(),
            DriftOrigin::BuiltIn => "built-in".into(),
            DriftOrigin::NoController => "no controller reconciles the object".into(),
        },
        Aspect::Actuation if assessment.controller.controller == Controller::None => {
            "no controller reconciles the object".into()
        }
        Aspect::Actuation => assessment.actuation.reason.clone(),
        Aspect::Deletion => assessment.deletion.outcome.clone(),
        _ => "".into(),
    }
}

fn plural_reason<'a>(aspect: Aspect, assessment: &PluralAssessment<'a>) -> Text<'a> {
    match aspect {
        Aspect::Identity => match (&assessment.identity.reason, assessment.identity.from) {
            (Some(reason), _) => reason.clone(),
            (None, Some(from)) => from.into(),
            (None, None) => "".into(),
        },
        Aspect::Mode if assessment.drift_detection => "driftDetection: true".into(),
        Aspect::Mode => "driftDetection: false".into(),
        Aspect::Requeue => assessment.requeue.reason.clone(),
        _ => "".into(),
    }
}

/// Why a controller is told as changed: what the row of the kind says differently, and who decides.
fn controllers<'a>(
    from: &ControllerValue,
    old: &World,
    to: &ControllerValue,
    new: &World,
    decides: Text<'a>,
) -> Text<'a> {
    let release = new.release;
    let row = match (from.choice, to.choice) {
        (None, Some(_)) => format!("no row in the table of {}", old.release),
        (Some(_), None) => format!("no row in the table of {release}"),
        (Some(before), Some(after)) => {
            let names = |list: Vec<Controller>| {
                let names: Vec<_> = list.into_iter().map(Controller::as_str).collect();
                (!names.is_empty()).then(|| names.join(", "))
            };
            let gained = names(after.supported().filter(|controller| !before.supports(*controller)).collect());
            let lost = names(before.supported().filter(|controller| !after.supports(*controller)).collect());
            let mut said = Vec::new();
            said.extend(gained.map(|gained| format!("in {release} {gained} can be chosen")));
            said.extend(lost.map(|lost| format!("in {release} {lost} cannot be chosen")));
            if before.default != after.default {
                said.push(format!("its default is {} instead of {}", after.default, before.default));
            }
            said.join("; ")
        }
        (None, None) => String::new(),
    };
    match (row.is_empty(), from.controller == to.controller || to.choice.is_none()) {
        (true, _) => decides,
        (false, true) => row.into(),
        (false, false) => format!("{row}; {decides}").into(),
    }
}

impl CeilingState {
    /// The word in JSON, the same as in explain's.
    pub fn as_str(self) -> &'static str {
        match self {
            CeilingState::Unset => "unset",
            CeilingState::Seconds(_) => "seconds",
            CeilingState::Halt => "halt",
            CeilingState::Invalid | CeilingState::Refused => "invalid",
        }
    }
}
