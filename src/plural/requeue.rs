use std::time::Duration;

use super::facts::{Field, Reconciliation};
use crate::go;

/// The base of the periodic requeue without a usable interval, and the CRD's default (pluralsh/console,
/// internal/common/reconciliation.go and api/v1alpha1/reconciliation.go, 2026).
pub const DEFAULT_INTERVAL: Duration = Duration::from_secs(30 * 60);
/// How soon a pass comes again that waits for something, on average (pluralsh/console, internal/common, 2026).
pub const WAIT_MEAN: Duration = Duration::from_secs(30);
/// The same with its jitter.
pub const WAIT: (Duration, Duration) = (Duration::from_secs(15), Duration::from_secs(45));
/// The delays after errors: controller-runtime v0.23.1 doubles 5 ms up to 1000 s, per object, without a token bucket
/// while its priority queue is on, as it is by default (pluralsh/console, go/controller/go.mod, 2026).
pub const ERROR_BASE: Duration = Duration::from_millis(5);
/// The longest of them.
pub const ERROR_MAX: Duration = Duration::from_secs(1000);

/// How `spec.reconciliation.interval` is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interval {
    /// The requeue comes uniformly at random in [t/2, 3t/2).
    Every(Duration),
    /// The random delay is always 0, which is no requeue: `1ns`.
    Zero,
    /// 0 or negative: the random call panics.
    Panics,
}

/// Who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalOrigin {
    /// The spec.
    Spec,
    /// The CRD's default: the block is there without the field.
    CrdDefault,
    /// The controller's base: there is no block, or what the spec says is no Go duration.
    BuiltIn,
}

impl IntervalOrigin {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            IntervalOrigin::Spec => "spec",
            IntervalOrigin::CrdDefault => "crd-default",
            IntervalOrigin::BuiltIn => "built-in",
        }
    }
}

impl Interval {
    /// What a controller of 2026 makes of an interval; `None` if it is no Go duration, for which 30 minutes are used.
    pub fn parse(text: &str) -> Option<Interval> {
        let nanos = go::parse_duration(text).ok()?;
        Some(match u64::try_from(nanos) {
            Err(_) | Ok(0) => Interval::Panics,
            // t/2 is cut to 0, and a random number below 1 is 0.
            Ok(1) => Interval::Zero,
            Ok(nanos) => Interval::Every(Duration::from_nanos(nanos)),
        })
    }
}

/// The least and the most of a delay that is drawn from [t/2, 3t/2); the most is not reached.
pub fn jitter(mean: Duration) -> (Duration, Duration) {
    let half = mean / 2;
    (half, half.saturating_add(mean))
}

impl Reconciliation {
    /// The effective `driftDetection`, CRD defaults applied. A value that the API server refuses counts as absent.
    pub fn drifts(&self) -> bool {
        !matches!(self.drift_detection, Field::Given(false, _))
    }

    /// The effective interval and who says so.
    pub fn effective_interval(&self) -> (Interval, IntervalOrigin) {
        match &self.interval {
            Field::Given(text, _) => match Interval::parse(text) {
                Some(interval) => (interval, IntervalOrigin::Spec),
                None => (Interval::Every(DEFAULT_INTERVAL), IntervalOrigin::BuiltIn),
            },
            Field::Absent | Field::Refused(_) if self.present => {
                (Interval::Every(DEFAULT_INTERVAL), IntervalOrigin::CrdDefault)
            }
            Field::Absent | Field::Refused(_) => (Interval::Every(DEFAULT_INTERVAL), IntervalOrigin::BuiltIn),
        }
    }
}
