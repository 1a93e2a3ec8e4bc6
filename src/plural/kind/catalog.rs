use serde_json::{Value, json};

use super::{Attributes, Managed, Mutation, Wanted, name};
use crate::plural::compare::Compared;
use crate::plural::console::{Output, Query, bindings, reference};
use crate::plural::shape::{BINDINGS, OBJECT_REFERENCE, RECONCILIATION, Shape, may, must};

/// pluralsh/console, catalog_controller.go (598e8a2f, 02fdfd37) and catalog_types.go (02fdfd37). The upsert matches by name.
pub(super) static CATALOG: Managed = Managed {
    kind: "Catalog",
    called: "catalog",
    query: &QUERY,
    spec: &[
        may("name", Shape::Text),
        must("author", Shape::Text),
        may("icon", Shape::Text),
        may("darkIcon", Shape::Text),
        may("description", Shape::Text),
        may("category", Shape::Text),
        may("projectRef", OBJECT_REFERENCE),
        may("tags", Shape::Texts),
        may("bindings", Shape::Object(&[may("create", BINDINGS), may("read", BINDINGS), may("write", BINDINGS)])),
        RECONCILIATION,
    ],
    attributes,
    compared: &[
        ("projectId", Compared::Id("project")),
        ("readBindings", Compared::Bindings),
        ("writeBindings", Compared::Bindings),
        ("createBindings", Compared::Bindings),
    ],
    create: UPSERT,
    update: UPSERT,
    delete: Mutation { field: "deleteCatalog", arguments: &[("id", "ID!")] },
};

const UPSERT: Mutation = Mutation { field: "upsertCatalog", arguments: &[("attributes", "CatalogAttributes")] };

static QUERY: Query = Query {
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

fn attributes(wanted: &Wanted<'_>) -> Result<Attributes, String> {
    let spec = wanted.spec;
    let mut attributes = Attributes::default();
    attributes.put("name", name(wanted));
    attributes.copy(spec, &["author", "description", "category"]);
    attributes.id("projectId", wanted, "spec.projectRef");
    attributes.copy(spec, &["icon", "darkIcon"]);
    if let Some(tags) = spec.get("tags").and_then(Value::as_object) {
        // The controller sends them in random order.
        let tags: Vec<Value> = tags.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        attributes.put("tags", tags.into());
    }
    let bindings = |list: &str| spec.get("bindings").and_then(|bindings| bindings.get(list));
    attributes.bindings("readBindings", bindings("read"), wanted);
    attributes.bindings("writeBindings", bindings("write"), wanted);
    attributes.bindings("createBindings", bindings("create"), wanted);
    Ok(attributes)
}
