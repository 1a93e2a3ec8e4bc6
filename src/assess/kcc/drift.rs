use std::time::Duration;

use super::Text;
use super::subject::{GivenValue, Subject};
use crate::backoff::TokenBucket;
use crate::kcc::{self, Controller, NumberFault};
use crate::object::{Code, Diagnostic, Place, Severity};

/// How often an object that succeeds is looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriftState {
    /// Again and again, at a jittered interval with this mean in seconds (1 or more).
    Periodic(u32),
    /// Not by itself.
    Never,
    /// The annotation is refused: every reconcile ends in an error.
    Invalid(NumberFault),
}

/// Who says what the drift interval is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriftOrigin {
    /// The annotation `reconcile-interval-in-seconds`.
    Annotation,
    /// The kind has an interval of its own.
    Kind,
    /// The interval of every other kind.
    BuiltIn,
    /// There is no controller.
    NoController,
}

impl DriftOrigin {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            DriftOrigin::Annotation => "annotation",
            DriftOrigin::Kind => "kind",
            DriftOrigin::BuiltIn => "built-in",
            DriftOrigin::NoController => "none",
        }
    }
}

/// The drift interval in effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift<'a> {
    /// How often.
    pub state: DriftState,
    /// Who says so.
    pub origin: DriftOrigin,
    /// The annotation's text, as the API server holds it.
    pub raw: Option<&'a str>,
    /// Where the annotation stands.
    pub place: Option<Place>,
    /// The bucket that drift requeues of the kind share on top of the interval.
    pub bucket: Option<TokenBucket>,
    /// Whether the reconcile is skipped while the object is up to date, whatever woke it (annotation `"0"` on tf, dcl
    /// and direct).
    pub skips_when_up_to_date: bool,
    /// What follows from it, in sentences without full stops.
    pub notes: Vec<Text<'a>>,
}

impl Drift<'_> {
    /// The mean interval and the ends of its jitter, when there is one.
    pub fn range(&self) -> Option<(Duration, Duration, Duration)> {
        match self.state {
            DriftState::Periodic(mean) => {
                let (least, most) = kcc::jitter(mean);
                Some((Duration::from_secs(u64::from(mean)), least, most))
            }
            DriftState::Never | DriftState::Invalid(_) => None,
        }
    }
}

pub(super) fn drift<'a>(subject: Subject<'a>, controller: Controller, problems: &mut Vec<Diagnostic>) -> Drift<'a> {
    let (group, kind) = (subject.group(), subject.kind());
    let of_kind = kcc::interval_of_kind(group, kind);
    let given = subject.annotation(kcc::DRIFT_INTERVAL);
    let raw = given.as_ref().and_then(|given| given.stored());
    let place = given.as_ref().and_then(|given| given.place.clone());
    let bucket = has_bucket(subject, controller).then_some(kcc::IAM_DRIFT_BUCKET);
    let mut drift = Drift {
        state: DriftState::Never,
        origin: DriftOrigin::NoController,
        raw,
        place,
        bucket,
        skips_when_up_to_date: false,
        notes: Vec::new(),
    };
    if controller == Controller::None {
        return drift;
    }
    let parsed = match given.as_ref().map(|given| given.value) {
        None => None,
        // Null is stored as the empty string, which is invalid here.
        Some(GivenValue::Null) => Some(Err(NumberFault::Empty)),
        Some(GivenValue::Text(text)) => Some(kcc::parse_seconds(text)),
        Some(GivenValue::NotAString(_)) => Some(Err(NumberFault::NotAString)),
    };
    match parsed {
        None => {
            drift.origin = if of_kind.is_some() { DriftOrigin::Kind } else { DriftOrigin::BuiltIn };
            drift.state = match of_kind.unwrap_or(kcc::MEAN_SECONDS) {
                0 => DriftState::Never,
                mean => DriftState::Periodic(mean),
            };
            if drift.state == DriftState::Never {
                drift.notes.push("no periodic requeue for this kind, but nothing is skipped either".into());
            }
        }
        Some(Ok(0)) => {
            drift.origin = DriftOrigin::Annotation;
            zero(subject, &mut drift, controller);
        }
        Some(Ok(mean)) => {
            drift.origin = DriftOrigin::Annotation;
            drift.state = DriftState::Periodic(mean);
        }
        Some(Err(fault)) => {
            drift.origin = DriftOrigin::Annotation;
            drift.state = DriftState::Invalid(fault);
            invalid(subject, &mut drift, controller, fault, problems);
        }
    }
    if drift.bucket.is_some() && matches!(drift.state, DriftState::Periodic(_)) {
        drift.notes.push(
            "drift requeues of this kind also wait for a token bucket of their own (5 a second, burst 50)".into(),
        );
    }
    drift
}

fn has_bucket(subject: Subject<'_>, controller: Controller) -> bool {
    match controller {
        Controller::IamPolicyMember => subject.world.release.has_member_drift_bucket(),
        Controller::IamPartialPolicy => true,
        _ => false,
    }
}

fn zero(subject: Subject<'_>, drift: &mut Drift<'_>, controller: Controller) {
    drift.state = DriftState::Never;
    drift.notes.push("interval \"0\" does not stop error retries".into());
    if controller.is_iam() {
        drift.notes.push("the IAM controllers never skip a reconcile for it".into());
        if controller.watches_dependencies() {
            drift.notes.push(
                "while a dependency is missing it waits in silence for ever once the watch on it gives up (a jittered 10 min)".into(),
            );
        }
    } else if controller != Controller::Unknown {
        drift.skips_when_up_to_date = true;
        drift.notes.push(
            match subject.world.release.interval_wakes() {
                true => {
                    "while it is up to date every reconcile is skipped, whatever woke it (labels, container annotations and \
                     restarts included): only a change of spec or of this interval, or a request to delete, gets through"
                }
                false => {
                    "while it is up to date every reconcile is skipped, whatever woke it (labels, container annotations and \
                     restarts included): only a change of spec or a request to delete gets through"
                }
            }
            .into(),
        );
    }
}

fn invalid(
    subject: Subject<'_>,
    drift: &mut Drift<'_>,
    controller: Controller,
    fault: NumberFault,
    problems: &mut Vec<Diagnostic>,
) {
    if fault == NumberFault::NotAString {
        drift.notes.push("the API server refuses the object as it stands".into());
        return;
    }
    drift
        .notes
        .push("every reconcile ends in an error on the default ladder, for ever, whatever the ceiling says".into());
    if controller.is_iam() {
        drift.notes.push("every attempt actuates, that is, calls the cloud".into());
    } else if controller != Controller::Unknown {
        drift.notes.push(
            "only the first attempt of a generation actuates; later ones fail before anything is done, the status unchanged".into(),
        );
        drift.notes.push("a failed deletion is stuck until the value is fixed".into());
    }
    let place = drift.place.clone().unwrap_or_else(|| subject.facts.place.clone());
    let message = format!(
        "{} {:?} {}: every reconcile ends in an error, for ever, whatever the ceiling says",
        kcc::DRIFT_INTERVAL,
        drift.raw.unwrap_or_default(),
        fault.clause()
    );
    let fix = format!("write whole seconds such as {}: \"600\", or remove the annotation", kcc::DRIFT_INTERVAL);
    problems.push(Diagnostic::new(Code::InvalidDriftInterval, Severity::Error, place, message).with_fix(fix));
}
