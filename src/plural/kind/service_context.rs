use crate::plural::console::{Of, Output, Query, reference};

/// A context by its name.
pub static QUERY: Query = Query {
    field: "serviceContext",
    argument: "name",
    argument_type: "String!",
    returned: &[
        Output::must("id"),
        Output::must("name"),
        // The values of Secrets end up in it.
        Output::may("configuration").of(Of::SecretMap),
        reference("project"),
    ],
};
