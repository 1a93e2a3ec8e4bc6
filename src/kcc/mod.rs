//! What Config Connector (KCC) does, by release: pure facts, each with its source beside it.

mod ceiling;
mod context;
mod controllers;
mod drift;
mod facts;
mod moves;
mod names;
mod release;
mod status;
mod wake;

pub use ceiling::{Ceiling, NumberFault, parse_seconds};
pub use context::{ResourceSettings, Settings};
pub use controllers::{Controller, Row, Since, known_releases, row, rows, rows_of};
pub use drift::{MEAN_SECONDS, interval_of_kind, jitter, requeues_without_error};
pub use facts::{Facts, Status};
pub use moves::{Change, Move, moves};
pub use names::*;
pub use release::{
    CeilingSupport, IAM_DRIFT_BUCKET, RETRY_BUCKET, Release, ReleaseError, Version, ceiling_ladder, ignores_ceiling,
};
pub use status::Outcome;
pub use wake::{Wake, wakes};
