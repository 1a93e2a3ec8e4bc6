use crate::assess::{Object, World};
use crate::backoff::Ladder;
use crate::kcc::{CeilingSupport, Controller, Wake};

/// Something that differs between two releases for all objects of Config Connector alike, or for all of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Common {
    /// What it is about.
    pub topic: Topic,
    /// How it is in the old release.
    pub from: CommonValue,
    /// How it is in the new one.
    pub to: CommonValue,
}

/// What differs for all objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// Whether the controllers of the release are known.
    Controllers,
    /// The default ladder.
    DefaultLadder,
    /// Whether the ceiling annotation is read.
    CeilingAnnotation,
    /// Whether an edit passes the watch filter.
    Wake(Wake),
    /// Whether the actuation annotation on an object is read.
    ActuationAnnotation,
    /// Whether the direct controller takes every look-up error for "not found", also at a deletion.
    LookupErrors,
    /// Whether IAMPartialPolicy goes through the choice of a controller.
    PartialPolicyChoice,
    /// Whether drift requeues of IAMPolicyMember wait for a token bucket of their own.
    MemberDriftBucket,
}

/// How it is in one release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommonValue {
    /// A ladder.
    Ladder(Ladder),
    /// Whether the ceiling is read.
    Support(CeilingSupport),
    /// Whether it is so; `None`: not known.
    Holds(Option<bool>),
    /// Whether it is known at all.
    Known(bool),
}

/// What differs between the releases of two worlds.
pub(super) fn between(old: &World, new: &World) -> Vec<Common> {
    let (from, to) = (told(old), told(new));
    let pairs = from.into_iter().zip(to);
    pairs.filter(|(from, to)| from.1 != to.1).map(|((topic, from), (_, to))| Common { topic, from, to }).collect()
}

/// What is known of the controllers of the objects that are compared, on either side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Handled {
    /// Whether one of them is reconciled, or may be.
    at_all: bool,
    /// Whether one of them is reconciled by the direct controller, or may be.
    by_direct: bool,
}

impl Handled {
    pub(super) fn note(&mut self, controller: Controller) {
        self.at_all |= controller != Controller::None;
        self.by_direct |= matches!(controller, Controller::Direct | Controller::Unknown);
    }

    pub(super) fn joined(self, other: Handled) -> Handled {
        Handled { at_all: self.at_all || other.at_all, by_direct: self.by_direct || other.by_direct }
    }
}

impl Topic {
    /// Whether it concerns one of the objects.
    pub(super) fn concerns(self, objects: &[&Object], handled: Handled) -> bool {
        let any_of = |controller: Controller| {
            objects.iter().any(|object| match object {
                Object::Kcc(facts) => {
                    Controller::of_iam_kind(facts.reference.group(), &facts.reference.kind) == Some(controller)
                }
                Object::Plural(_) => false,
            })
        };
        match self {
            Topic::PartialPolicyChoice => any_of(Controller::IamPartialPolicy),
            Topic::MemberDriftBucket => any_of(Controller::IamPolicyMember),
            // No other controller reads the ceiling, and no other took every look-up error for "not found" (Config
            // Connector, direct controller, 1.155.1 and main).
            Topic::CeilingAnnotation | Topic::LookupErrors => handled.by_direct,
            Topic::Controllers | Topic::DefaultLadder | Topic::Wake(_) | Topic::ActuationAnnotation => handled.at_all,
        }
    }
}

const WAKES: [Wake; 9] = [
    Wake::Spec,
    Wake::Labels,
    Wake::ContainerAnnotations,
    Wake::Ceiling,
    Wake::DriftInterval,
    Wake::ActuationMode,
    Wake::ReconcileCookie,
    Wake::Deletion,
    Wake::ControllerRestart,
];

/// Everything that is the same for all objects of a release, in the order of the head.
fn told(world: &World) -> Vec<(Topic, CommonValue)> {
    let release = world.release;
    let support = release.ceiling_support(world.ceiling_since);
    let holds = |value: bool| CommonValue::Holds(Some(value));
    let (woken, _) = world.watch_filter();
    let wake = |wake: Wake| {
        // Where it is not known whether the annotation is read, it is not known whether it wakes.
        let known = wake != Wake::Ceiling || support != CeilingSupport::Unknown;
        (Topic::Wake(wake), CommonValue::Holds(known.then(|| woken.contains(&wake))))
    };
    let mut told = vec![
        (Topic::Controllers, CommonValue::Known(release.has_table())),
        (Topic::DefaultLadder, CommonValue::Ladder(release.default_ladder())),
        (Topic::CeilingAnnotation, CommonValue::Support(support)),
    ];
    told.extend(WAKES.map(wake));
    told.extend([
        (Topic::ActuationAnnotation, holds(release.has_actuation_annotation())),
        (Topic::LookupErrors, CommonValue::Holds(release.direct_swallows_lookup_errors())),
        (Topic::PartialPolicyChoice, holds(release.partial_policy_chooses())),
        (Topic::MemberDriftBucket, holds(release.has_member_drift_bucket())),
    ]);
    told
}
