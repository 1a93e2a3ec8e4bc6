use crate::plural::console::{Of, Output, Query};

/// The values of a repository's health.
const HEALTH: &[&str] = &["PULLABLE", "FAILED"];

/// A repository by its URL.
pub static QUERY: Query = Query {
    field: "gitRepository",
    argument: "url",
    argument_type: "String",
    returned: &[
        Output::must("id"),
        Output::must("url"),
        // Decides whether the object becomes ready.
        Output::may("health").of(Of::Enum(HEALTH)),
        Output::may("authMethod"),
        Output::may("error"),
    ],
};
