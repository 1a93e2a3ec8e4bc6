use super::{Attributes, Managed, Mutation, Wanted};
use crate::plural::compare::Compared;
use crate::plural::console::{Output, Query, bindings};
use crate::plural::shape::{BINDINGS, RECONCILIATION, Shape, may, must};

/// pluralsh/console, project_controller.go and project_types.go (02fdfd37).
pub(super) static PROJECT: Managed = Managed {
    kind: "Project",
    called: "project",
    query: &QUERY,
    spec: &[
        must("name", Shape::Text),
        may("description", Shape::Text),
        may("bindings", Shape::Object(&[may("read", BINDINGS), may("write", BINDINGS)])),
        RECONCILIATION,
    ],
    attributes,
    compared: &[("readBindings", Compared::Bindings), ("writeBindings", Compared::Bindings)],
    create: Mutation { field: "createProject", arguments: &[("attributes", "ProjectAttributes!")] },
    update: Mutation { field: "updateProject", arguments: &[("id", "ID!"), ("attributes", "ProjectAttributes!")] },
    delete: Mutation { field: "deleteProject", arguments: &[("id", "ID!")] },
};

static QUERY: Query = Query {
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

fn attributes(wanted: &Wanted<'_>) -> Result<Attributes, String> {
    let mut attributes = Attributes::default();
    attributes.copy(wanted.spec, &["name", "description"]);
    let bindings = |list: &str| wanted.spec.get("bindings").and_then(|bindings| bindings.get(list));
    attributes.bindings("readBindings", bindings("read"), wanted);
    attributes.bindings("writeBindings", bindings("write"), wanted);
    Ok(attributes)
}
