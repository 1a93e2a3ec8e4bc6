use crate::plural::console::{Of, Output, Query, bindings};

/// The address of a chat: whoever knows it can write there.
const URL: &[Output] = &[Output::must("url").of(Of::Secret)];
const PLURAL: &[Output] = &[Output::must("priority"), Output::may("urgent")];

/// A sink by its name.
pub static QUERY: Query = Query {
    field: "notificationSink",
    argument: "name",
    argument_type: "String",
    returned: &[
        Output::must("id"),
        Output::must("name"),
        Output::must("type"),
        Output::must("configuration").object(&[
            Output::may("slack").object(URL),
            Output::may("teams").object(URL),
            Output::may("plural").object(PLURAL),
        ]),
        bindings("notificationBindings"),
    ],
};
