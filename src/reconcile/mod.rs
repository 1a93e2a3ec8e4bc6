//! One pass against the Plural Console: observe, decide, plan. It speaks to the Console through a trait, so that the
//! same pass runs against the wire, a snapshot or a recording. Nothing here reads a file, a clock or the environment.

mod input;
mod observe;
mod plan;
mod status;

pub use input::{Holder, Input, Inputs, Redactor, Subject};
pub use observe::{Missing, Observed, look_ups};
pub use plan::{Controller, Counts, Entry, Follows, Ownership, Plan, Planned, Requeue, Semantics, Sending, plan};
pub use status::{Id, NewCondition, NewStatus};

use crate::plural::console::{Answer, LookUp};

/// Whoever knows what the Console holds.
pub trait Console {
    /// Answers each look-up, in their order. None is given twice.
    ///
    /// # Errors
    /// When nothing at all could be asked: the Console is not there, or refuses the credentials.
    fn look_up(&self, look_ups: &[LookUp]) -> Result<Vec<Answer>, Unavailable>;
}

/// Why nothing at all could be asked of the Console.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(pub String);
