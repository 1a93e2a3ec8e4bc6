use crate::plural::console::{Output, Query, bindings};

/// A user by the e-mail.
pub static QUERY: Query = Query {
    field: "user",
    argument: "email",
    argument_type: "String!",
    returned: &[Output::must("id"), Output::must("name"), Output::must("email"), bindings("assumeBindings")],
};
