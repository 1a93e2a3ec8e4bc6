//! Config Connector's end-to-end scripts, played against the model without a cluster.
//!
//! A script is a YAML file of many documents: objects that are applied in turn, each with a `TEST` that says what the
//! step does and waits for (Config Connector, tests/e2e, 1.155.1 and main). Steps follow each other without a pause. A
//! step's attempts are those that begin from its edit on and before its end; what its edit wakes at once belongs to it,
//! too, if it ends at once.
//!
//! Each object has its workqueue for itself: the token bucket that the objects of a kind share never runs dry in scripts
//! with fewer than a dozen failing objects.

mod expect;
mod play;
mod script;

pub use expect::differences;
pub use play::{ANSWER_TIMEOUT, FailsWhile, Play, READY_TIMEOUT, Told, ToldObject, ToldStep, play};
pub use script::{Applied, Script, Step, StepDoc, Test};

/// Kinds of documents that stand for no object and need no apiVersion.
pub const BARE_KINDS: [&str; 1] = ["SystemRun"];
