use crate::plural::console::{Output, Query, bindings, reference};

/// A catalog by its name.
pub static QUERY: Query = Query {
    field: "catalog",
    argument: "name",
    argument_type: "String",
    returned: &[
        Output::must("id"),
        Output::must("name"),
        Output::may("author"),
        Output::may("description"),
        Output::may("category"),
        Output::may("icon"),
        Output::may("darkIcon"),
        reference("project"),
        bindings("readBindings"),
        bindings("writeBindings"),
        bindings("createBindings"),
    ],
};
