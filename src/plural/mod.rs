//! What the controllers of the Plural Console do: decisions by kind and situation, identity, intervals. Pure facts,
//! each with its source beside it.

pub mod compare;
pub mod console;
mod decisions;
mod facts;
mod hash;
pub mod kind;
mod kinds;
mod requeue;
pub mod shape;

pub use decisions::{Action, Confidence, Decision, DecisionRow, Remote, Returns, Situation, decide, decision_rows};
pub use facts::{Details, Facts, Field, Identity, Reconciliation, Reference, Status};
pub use hash::hash;
pub use kinds::{
    Copy, Deletes, FailedDelete, FinalizerWhen, Hashed, IfMissing, Kind, ModeWord, ReferenceField, Scope, Use, kind,
    kinds, reference_fields,
};
pub use requeue::{DEFAULT_INTERVAL, ERROR_BASE, ERROR_MAX, Interval, IntervalOrigin, WAIT, WAIT_MEAN, jitter};

/// The API group of the Plural Console's controllers (pluralsh/console, go/controller, v1alpha1).
pub const GROUP: &str = "deployments.plural.sh";
/// The version of it that was read, the only one known.
pub const VERSION: &str = "v1alpha1";
/// The annotation by which a NotificationSink's controller notes whose credentials it used (pluralsh/console,
/// notificationsink_controller.go, 02fdfd37).
pub const NAMESPACED_CREDENTIALS: &str = "deployments.plural.sh/namespaced-credentials";
/// The annotation that holds the hash of a ServiceAccount's scopes (pluralsh/console, service_account_controller.go).
pub const LAST_SCOPE_HASH: &str = "deployments.plural.sh/last-scope-hash";

/// No field manager of the controllers is known, so none is looked for.
const FIELD_MANAGER: &str = "";

/// Whether `group` is reconciled against a Plural Console.
pub fn is_plural_group(group: &str) -> bool {
    group == GROUP
}

/// Whether an annotation or label key is worth keeping.
fn concerns_plural(key: &str) -> bool {
    key.split_once('/').is_some_and(|(domain, _)| domain == GROUP || domain.ends_with(".deployments.plural.sh"))
}
