use std::time::Duration;

use super::mode::{self, Mode};
use crate::assess::Text;
use crate::object::Place;
use crate::plural::{self, Confidence, Facts, Field, Interval, IntervalOrigin, Returns};

/// Whether an object is looked at again by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RequeueState {
    /// Uniformly at random around this mean.
    Periodic(Duration),
    /// Not by itself.
    Never,
    /// The pass ends in a panic, from which the library recovers: retried with back-off.
    Panics,
    /// Not known.
    Unknown,
}

/// When an object is looked at again after a pass that succeeded, or while its repository is not pullable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requeue<'a> {
    /// Whether, and how often.
    pub state: RequeueState,
    /// Who says so.
    pub origin: IntervalOrigin,
    /// The interval as written.
    pub raw: Option<&'a str>,
    /// Where it, or the `driftDetection` that ends it, stands.
    pub place: Option<Place>,
    /// What it follows from, in a clause.
    pub reason: Text<'a>,
    /// Whether it speaks of passes that wait, and not of those that succeed.
    pub waits: bool,
    /// How it is known; `None` where nothing is.
    pub confidence: Option<Confidence>,
}

impl Requeue<'_> {
    /// Mean, least and most delay of a periodic requeue; the most is not reached.
    pub fn range(&self) -> Option<(Duration, Duration, Duration)> {
        match self.state {
            RequeueState::Periodic(mean) => {
                let (least, most) = plural::jitter(mean);
                Some((mean, least, most))
            }
            RequeueState::Never | RequeueState::Panics | RequeueState::Unknown => None,
        }
    }
}

/// Whether this is a NotificationSink that is managed, and so not requeued after a success (pluralsh/console,
/// notificationsink_controller.go, 02fdfd37).
pub(super) fn rests_after_success(facts: &Facts, mode: &Mode<'_>) -> bool {
    facts.reference.kind == "NotificationSink" && mode.if_present.returns == Some(Returns::Nothing)
}

/// The health of a repository that the Console cannot pull: till it can, no pass succeeds, and each asks for the next one
/// soon (pluralsh/console, gitrepository_controller.go, 9d77951c). A read-only one whose target is gone is called failed,
/// too, but its passes return what `spec.reconciliation` says.
pub(super) fn not_pullable(facts: &Facts) -> Option<&str> {
    let status = facts.status.as_ref().filter(|_| facts.reference.kind == "GitRepository")?;
    let health = status.health.as_deref().filter(|health| *health != "PULLABLE")?;
    (facts.metadata.deletion.is_none() && !mode::target_gone(status)).then_some(health)
}

pub(super) fn requeue<'a>(facts: &'a Facts, mode: &Mode<'a>) -> Requeue<'a> {
    let reconciliation = &facts.reconciliation;
    let at = |pos| Some(Place::new(&facts.place.file, pos));
    let (interval, origin) = reconciliation.effective_interval();
    let (raw, place) = match &reconciliation.interval {
        Field::Given(text, pos) => (Some(text.as_str()), at(*pos)),
        Field::Absent | Field::Refused(_) => (None, None),
    };
    let confidence = facts.kind.map(|kind| match kind.has_decisions() {
        true => Confidence::Source,
        // The block of the spec is shared by all kinds; what their controllers return was not read.
        false => Confidence::Inferred,
    });
    let answer = |state, reason: Text<'a>| Requeue {
        state,
        origin,
        raw,
        place: place.clone(),
        reason,
        waits: false,
        confidence,
    };
    if facts.kind.is_none() {
        return answer(RequeueState::Unknown, "the kind is unknown to this version".into());
    }
    if let Some(health) = not_pullable(facts) {
        let reason =
            format!("its health is {health}, and till it is PULLABLE neither interval nor driftDetection count");
        let soon = answer(RequeueState::Periodic(plural::WAIT_MEAN), reason.into());
        return Requeue { place: None, origin: IntervalOrigin::BuiltIn, waits: true, ..soon };
    }
    if let Field::Given(false, pos) = reconciliation.drift_detection {
        let reason = "driftDetection is false, whatever the interval says".into();
        return Requeue { place: at(pos), origin: IntervalOrigin::Spec, ..answer(RequeueState::Never, reason) };
    }
    if rests_after_success(facts, mode) {
        let reason = "a managed NotificationSink is never requeued, whatever the interval says".into();
        return Requeue { origin: IntervalOrigin::BuiltIn, ..answer(RequeueState::Never, reason) };
    }
    match (interval, origin) {
        (Interval::Every(mean), IntervalOrigin::Spec) => answer(RequeueState::Periodic(mean), "the interval of the spec".into()),
        (Interval::Every(mean), IntervalOrigin::CrdDefault) if matches!(reconciliation.interval, Field::Refused(_)) => {
            answer(RequeueState::Periodic(mean), "the CRD's default, as the manifest's interval is refused".into())
        }
        (Interval::Every(mean), IntervalOrigin::CrdDefault) => {
            answer(RequeueState::Periodic(mean), "the CRD's default".into())
        }
        (Interval::Every(mean), IntervalOrigin::BuiltIn) if raw.is_some() => answer(
            RequeueState::Periodic(mean),
            "the controller's 30m, as the interval is no Go duration".into(),
        ),
        (Interval::Every(mean), IntervalOrigin::BuiltIn) => {
            answer(RequeueState::Periodic(mean), "the controller's 30m, as there is no reconciliation".into())
        }
        (Interval::Zero, _) => answer(RequeueState::Never, "half a nanosecond is cut to 0, which is no requeue".into()),
        (Interval::Panics, _) => answer(
            RequeueState::Panics,
            "the interval is not positive: each pass stores a successful status, then panics, and is retried with back-off \
             (inferred: controller-runtime recovers by default)"
                .into(),
        ),
    }
}
