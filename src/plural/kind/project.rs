use crate::plural::console::{Output, Query, bindings};

/// A project by its name.
pub static QUERY: Query = Query {
    field: "project",
    argument: "name",
    argument_type: "String",
    returned: &[
        Output::must("id"),
        Output::must("name"),
        Output::may("description"),
        bindings("readBindings"),
        bindings("writeBindings"),
    ],
};
