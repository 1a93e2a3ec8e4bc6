//! One pass against the Plural Console: observe, decide, plan. It speaks to the Console through a trait, so that the
//! same pass runs against the wire, a snapshot or a recording.

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
