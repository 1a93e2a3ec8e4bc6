use serde_json::{Map, Value};

use super::{Attributes, Managed, Mutation, Wanted, name};
use crate::plural::compare::Compared;
use crate::plural::console::{MASK, Of, Output, Query, bindings};
use crate::plural::shape::{BINDINGS, Otherwise, RECONCILIATION, Shape, may, must};

/// pluralsh/console, notificationsink_controller.go (23928025, 02fdfd37) and notificationsink_types.go (02fdfd37). The upsert
/// matches by name.
pub(super) static NOTIFICATION_SINK: Managed = Managed {
    kind: "NotificationSink",
    called: "sink",
    query: &QUERY,
    spec: &[
        may("name", Shape::Text),
        must("type", Shape::Word(&["SLACK", "TEAMS", "PLURAL"])),
        may(
            "configuration",
            Shape::Object(&[
                may("slack", Shape::Object(&[must("url", Shape::Text)])),
                may("teams", Shape::Object(&[must("url", Shape::Text)])),
                may(
                    "plural",
                    Shape::Object(&[
                        may("priority", Shape::Word(&["LOW", "MEDIUM", "HIGH"])),
                        may("urgent", Shape::Bool),
                    ]),
                ),
            ]),
        )
        .or(Otherwise::Empty),
        may("bindings", BINDINGS),
        RECONCILIATION,
    ],
    attributes,
    compared: &[("notificationBindings", Compared::Bindings)],
    create: UPSERT,
    update: UPSERT,
    delete: Mutation { field: "deleteNotificationSink", arguments: &[("id", "ID!")] },
};

const UPSERT: Mutation =
    Mutation { field: "upsertNotificationSink", arguments: &[("attributes", "NotificationSinkAttributes!")] };

/// The address of a chat: whoever knows it can write there.
const URL: &[Output] = &[Output::must("url").of(Of::Secret)];
const PLURAL: &[Output] = &[Output::must("priority"), Output::may("urgent")];

static QUERY: Query = Query {
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

fn attributes(wanted: &Wanted<'_>) -> Result<Attributes, String> {
    let spec = wanted.spec;
    let mut attributes = Attributes::default();
    attributes.put("name", name(wanted));
    attributes.copy(spec, &["type"]);
    let configuration = spec.get("configuration").and_then(Value::as_object).cloned().unwrap_or_default();
    if let Some(plural) = configuration.get("plural")
        && plural.get("priority").is_none()
    {
        return Err(
            "spec.configuration.plural has no priority: the CRD lets it be left out, and the Console's API refuses \
                    what is sent then"
                .to_owned(),
        );
    }
    let shown = configuration.iter().map(|(key, value)| match value.get("url") {
        Some(_) => (key.clone(), Value::from(Map::from_iter([("url".to_owned(), Value::from(MASK))]))),
        None => (key.clone(), value.clone()),
    });
    let shown: Map<String, Value> = shown.collect();
    attributes.put_masked("configuration", configuration.into(), shown.into());
    // Only sinks within the Console notify users and groups (pluralsh/console, notificationsink_controller.go, 02fdfd37).
    if !wanted.facts.leaves_bindings_out() {
        attributes.bindings("notificationBindings", spec.get("bindings"), wanted);
    } else if spec.contains_key("bindings") {
        attributes.unsent.push(("spec.bindings".to_owned(), "bindings are sent for type PLURAL alone"));
    }
    Ok(attributes)
}
