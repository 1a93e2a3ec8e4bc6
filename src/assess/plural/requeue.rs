use std::time::Duration;

use super::mode::Mode;
use crate::assess::Text;
use crate::object::Place;
use crate::plural::{self, Facts, Field, Interval, IntervalOrigin, Returns};

/// Whether an object is looked at again by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// When an object is looked at again after a pass that succeeded.
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

pub(super) fn requeue<'a>(facts: &'a Facts, mode: &Mode<'a>) -> Requeue<'a> {
    let reconciliation = &facts.reconciliation;
    let at = |pos| Some(Place::new(&facts.place.file, pos));
    let (interval, origin) = reconciliation.effective_interval();
    let (raw, place) = match &reconciliation.interval {
        Field::Given(text, pos) => (Some(text.as_str()), at(*pos)),
        Field::Absent | Field::Refused(_) => (None, None),
    };
    let answer = |state, reason: Text<'a>| Requeue { state, origin, raw, place: place.clone(), reason };
    if facts.kind.is_none() {
        return answer(RequeueState::Unknown, "the kind is unknown to this version".into());
    }
    if let Field::Given(false, pos) = reconciliation.drift_detection {
        let reason = "driftDetection is false: no periodic requeue, whatever the interval says".into();
        return Requeue { place: at(pos), origin: IntervalOrigin::Spec, ..answer(RequeueState::Never, reason) };
    }
    if rests_after_success(facts, mode) {
        let reason = "a managed NotificationSink is not requeued after a success, whatever the interval says".into();
        return Requeue { origin: IntervalOrigin::BuiltIn, ..answer(RequeueState::Never, reason) };
    }
    match (interval, origin) {
        (Interval::Every(mean), IntervalOrigin::Spec) => answer(RequeueState::Periodic(mean), "the interval of the spec".into()),
        (Interval::Every(mean), IntervalOrigin::CrdDefault) => {
            answer(RequeueState::Periodic(mean), "the CRD's default, as reconciliation leaves it out".into())
        }
        (Interval::Every(mean), IntervalOrigin::BuiltIn) if raw.is_some() => answer(
            RequeueState::Periodic(mean),
            "the controller's 30m, as the interval is not a Go duration".into(),
        ),
        (Interval::Every(mean), IntervalOrigin::BuiltIn) => {
            answer(RequeueState::Periodic(mean), "the controller's 30m, as there is no reconciliation".into())
        }
        (Interval::Zero, _) => answer(RequeueState::Never, "half a nanosecond is cut to 0, which is no requeue".into()),
        (Interval::Panics, _) => answer(
            RequeueState::Panics,
            "the interval is not positive: the pass stores a successful status, then panics; controller-runtime recovers \
             by default and retries with back-off (inferred)"
                .into(),
        ),
    }
}
