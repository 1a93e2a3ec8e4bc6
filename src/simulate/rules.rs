use std::time::Duration;

use super::queue::QueueKind;
use crate::assess::World;
use crate::assess::kcc::{ActuationMode, Assessment, DriftOrigin, DriftState};
use crate::assess::plural::{self, RequeueState};
use crate::backoff::{Ladder, TokenBucket};
use crate::kcc::{self, Ceiling, Controller, Wake};
use crate::plural::{ERROR_BASE, ERROR_MAX, Facts, FailedDelete, Interval, WAIT_MEAN};

/// Annotations that were set (`Some`) or removed since the start.
pub type Changes = [(String, Option<String>)];

/// How the controller of an object behaves while the object's annotations and its surroundings are as they are.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// The delays after errors.
    pub ladder: Ladder,
    /// The bucket that errors share on top of the ladder.
    pub bucket: Option<TokenBucket>,
    /// The queue.
    pub queue: QueueKind,
    /// What a failure on the main path of a reconcile leaves behind.
    pub main_path: MainPath,
    /// What a success leaves behind.
    pub drift: Drift,
    /// The bucket that drift requeues share on top of the interval.
    pub drift_bucket: Option<TokenBucket>,
    /// Whether a reconcile is skipped while the object is up to date and its generation observed: interval `"0"` on tf,
    /// dcl and direct.
    pub skips: bool,
    /// Whether an invalid interval is looked at before anything is done, once the generation is observed: tf, dcl and
    /// direct.
    pub checks_interval_first: bool,
    /// Whether attempts reach the cloud.
    pub acts: Acts,
    /// Whether a pause is written into the status.
    pub reports_pause: bool,
    /// What an attempt leaves behind that ends unresolved.
    pub waiting: Waiting,
    /// What a request to delete the object leads to.
    pub deletion: Deletion,
    /// How long an attempt may take before it is cut off, which is an error.
    pub limit: Option<Duration>,
}

/// What a request to delete an object leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// Attempts that delete it. One that fails ends as `failed` says, one that succeeds ends the object, or leaves that to
    /// the next.
    Attempts {
        /// What a failure leaves behind.
        failed: FailedDelete,
        /// The periodic requeue that a failure may leave behind: what the spec says, whatever a success waits for.
        requeue: Drift,
        /// Whether the object goes with the attempt after the one that succeeds.
        twice: bool,
    },
    /// Nobody sees it: the object is gone at once, unless somebody else's finalizer holds it.
    Unseen {
        /// Whether one does.
        held: bool,
    },
    /// It cannot be told, and why.
    Unknown(&'static str),
}

/// What a failure on the main path of a reconcile leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MainPath {
    /// An error: the workqueue's ladder and bucket.
    Default,
    /// A success with a delay of its own: the ladder under a ceiling.
    Ceiling(Ladder),
    /// A success without anything.
    Halt,
}

/// What a success leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drift {
    /// A requeue around this mean.
    Every(Duration),
    /// A requeue around this mean because it waits for something.
    Waits(Duration),
    /// Nothing.
    Never,
    /// An error, whatever came of the attempt: the interval is invalid.
    Invalid,
    /// It cannot be told, and why.
    Unknown(&'static str),
}

/// Whether attempts reach the cloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acts {
    /// They do.
    Yes,
    /// They do nothing and succeed.
    Paused,
    /// It cannot be told, and why.
    Unknown(&'static str),
}

/// What an attempt leaves behind that ends unresolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// A requeue like that of an error.
    Error,
    /// A success with the drift requeue, and a watch on the dependency that gives up after a time around this mean.
    Watch(Duration),
    /// A success with a requeue around this mean.
    Every(Duration),
}

/// How long the watch on a dependency lasts on average (Config Connector, IAM controllers, 1.155.1).
const WATCH_MEAN: Duration = Duration::from_secs(600);

/// How long one reconcile of direct and of the IAM controllers may take (Config Connector, pkg/controller, 1.155.1 and
/// main). tf and dcl have no limit.
const RECONCILE_LIMIT: Duration = Duration::from_secs(59 * 60);

/// Deletions that are retried like any error.
const BY_ERRORS: Deletion = Deletion::Attempts { failed: FailedDelete::Error, requeue: Drift::Never, twice: false };

/// Why nothing is told of objects whose actuation mode is neither Reconciling nor Paused.
const UNSETTLED: &str = "what its actuation mode does is not settled upstream";

/// Which changes of an object wake it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Watch {
    /// Config Connector's watch filter: those in the list.
    Kcc(Vec<Wake>),
    /// A change of the generation (pluralsh/console, GenerationChangedPredicate of each controller).
    Generation,
    /// Every change: controller-runtime without a predicate.
    Everything,
}

/// The annotation with a key, as the API server holds it.
pub type AnnotationOf<'a> = dyn Fn(&str) -> Option<String> + Send + Sync + 'a;
/// The rules after changes of annotations.
pub type RulesOf<'a> = dyn Fn(&Changes) -> Rules + Send + Sync + 'a;

/// An object as the model needs it.
pub struct Behaviour<'a> {
    /// The number of the object, by which its draws differ from those of others.
    pub number: u64,
    /// Which changes wake it.
    pub watch: Watch,
    /// Whether deletion is requested at the start.
    pub deleting: bool,
    /// Whether any controller looks at it.
    pub attended: bool,
    /// The annotation with a key at the start, as the API server holds it.
    pub annotation: Box<AnnotationOf<'a>>,
    /// The rules with these changes.
    pub rules: Box<RulesOf<'a>>,
}

impl Rules {
    /// The rules for an object of Config Connector. `base` replaces the first delay of every ladder.
    pub fn of_kcc(assessment: &Assessment<'_>, world: &World, base: Option<Duration>) -> Rules {
        let controller = assessment.acting();
        let with_base = |ladder: Ladder| base.map_or(ladder, |base| ladder.with_base(base));
        let ceiling = assessment.ceiling.honoured.unwrap_or(false).then_some(assessment.ceiling.ceiling);
        let drift = &assessment.drift;
        Rules {
            ladder: with_base(world.release.default_ladder()),
            bucket: Some(kcc::RETRY_BUCKET),
            queue: QueueKind::Workqueue,
            main_path: match ceiling {
                Some(Ceiling::Seconds(seconds)) => MainPath::Ceiling(with_base(kcc::ceiling_ladder(seconds))),
                Some(Ceiling::Halt) => MainPath::Halt,
                Some(Ceiling::Unset | Ceiling::Invalid(_)) | None => MainPath::Default,
            },
            drift: match drift.state {
                DriftState::Periodic(mean) => Drift::Every(Duration::from_secs(u64::from(mean))),
                DriftState::Never => Drift::Never,
                DriftState::Invalid(_) => Drift::Invalid,
            },
            drift_bucket: drift.bucket,
            // Kinds whose own interval is 0 skip nothing.
            skips: !controller.is_iam() && drift.state == DriftState::Never && drift.origin == DriftOrigin::Annotation,
            checks_interval_first: !controller.is_iam(),
            acts: match assessment.actuation.mode {
                ActuationMode::Reconciling => Acts::Yes,
                ActuationMode::Paused => Acts::Paused,
                ActuationMode::AutoPaused | ActuationMode::Unsettled => Acts::Unknown(UNSETTLED),
            },
            reports_pause: world.release.has_actuation_annotation(),
            waiting: match controller.watches_dependencies() {
                true => Waiting::Watch(WATCH_MEAN),
                false => Waiting::Error,
            },
            deletion: BY_ERRORS,
            limit: (controller == Controller::Direct || controller.is_iam()).then_some(RECONCILE_LIMIT),
        }
    }

    /// The rules for an object of the Plural Console.
    pub fn of_plural(assessment: &plural::Assessment<'_>, base: Option<Duration>) -> Rules {
        let facts = assessment.facts;
        let drift = match assessment.requeue.state {
            RequeueState::Periodic(mean) if assessment.requeue.waits => Drift::Waits(mean),
            RequeueState::Periodic(mean) => Drift::Every(mean),
            RequeueState::Never => Drift::Never,
            RequeueState::Panics => Drift::Invalid,
            RequeueState::Unknown => Drift::Unknown("when an object of its kind is looked at again is not known"),
        };
        let acts = match facts.kind {
            Some(_) => Acts::Yes,
            None => Acts::Unknown("its kind is unknown to this version"),
        };
        let deletion = match facts.kind {
            Some(kind) if kind.has_no_finalizer() => Deletion::Unseen { held: facts.has_foreign_finalizer() },
            Some(kind) if kind.failed_delete != FailedDelete::Unknown => Deletion::Attempts {
                failed: kind.failed_delete,
                requeue: periodic(facts),
                twice: kind.deletes_in_two_passes,
            },
            _ => Deletion::Unknown("how a deletion of its kind is retried was not read"),
        };
        Rules { drift, acts, deletion, ..Rules::plural(base) }
    }

    /// The rules of the Plural Console's controllers for an object without `spec.reconciliation`: controller-runtime
    /// v0.23.1 with its priority queue, so no bucket, and requeues around 30 minutes.
    pub fn plural(base: Option<Duration>) -> Rules {
        Rules {
            bucket: None,
            queue: QueueKind::Priority,
            drift: Drift::Every(crate::plural::DEFAULT_INTERVAL),
            waiting: Waiting::Every(WAIT_MEAN),
            ..Rules::controller_runtime(base)
        }
    }

    /// The rules of controller-runtime's defaults: 5 ms to 1000 s, a bucket of 10 a second with a burst of 100, and
    /// nothing after a success (client-go v0.33.10, DefaultTypedControllerRateLimiter; controller-runtime v0.20.4).
    pub fn controller_runtime(base: Option<Duration>) -> Rules {
        Rules {
            ladder: Ladder::new(base.unwrap_or(ERROR_BASE), ERROR_MAX),
            bucket: Some(TokenBucket { per_second: 10, burst: 100 }),
            queue: QueueKind::Workqueue,
            main_path: MainPath::Default,
            drift: Drift::Never,
            drift_bucket: None,
            skips: false,
            checks_interval_first: false,
            acts: Acts::Yes,
            reports_pause: false,
            waiting: Waiting::Error,
            deletion: BY_ERRORS,
            limit: None,
        }
    }
}

/// What `spec.reconciliation` of an object of the Plural Console says about periodic requeues.
fn periodic(facts: &Facts) -> Drift {
    match facts.reconciliation.effective_interval().0 {
        _ if !facts.reconciliation.drifts() => Drift::Never,
        Interval::Every(mean) => Drift::Every(mean),
        Interval::Zero => Drift::Never,
        Interval::Panics => Drift::Invalid,
    }
}

impl Watch {
    /// Whether a changed annotation wakes the object; `old` and `new` are its values. To Config Connector absent and empty
    /// ones are equal.
    pub(super) fn annotation_wakes(&self, key: &str, old: Option<&str>, new: Option<&str>) -> bool {
        match self {
            Watch::Everything => old != new,
            Watch::Generation => false,
            Watch::Kcc(wakes) => {
                let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
                let to_zero = |wake| wake == Wake::DriftInterval && kcc::parse_seconds(new) == Ok(0);
                old != new && Wake::of_annotation(key).is_some_and(|wake| wakes.contains(&wake) && !to_zero(wake))
            }
        }
    }

    /// Whether changed labels wake the object.
    pub(super) fn labels_wake(&self) -> bool {
        !matches!(self, Watch::Generation)
    }
}
