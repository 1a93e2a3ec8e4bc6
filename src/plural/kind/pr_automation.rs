use serde_json::{Map, Value};

use super::{Attributes, Managed, Mutation, Wanted, name};
use crate::go;
use crate::plural::compare::Compared;
use crate::plural::console::{MASK, Of, Output, Query, bindings, is_password, logins_masked, reference};
use crate::plural::shape::{BINDINGS, Member, OBJECT_REFERENCE, Otherwise, RECONCILIATION, Shape, TEXTS, may, must};

/// pluralsh/console, prautomation_controller.go (04826341, 957f6e53), prautomation_attributes.go (14b8d754) and
/// prautomation_types.go (05f973e5). The fields stand in the order of the schema's inputs, as the attributes are hashed.
pub(super) static PR_AUTOMATION: Managed = Managed {
    kind: "PrAutomation",
    called: "automation",
    query: &QUERY,
    spec: &[
        may("name", Shape::Text),
        may("role", Shape::Word(&["CLUSTER", "SERVICE", "PIPELINE", "UPDATE", "UPGRADE", "COST"])),
        may("identifier", Shape::Text),
        may("documentation", Shape::Text),
        may("title", Shape::Text),
        may("message", Shape::Text),
        may("branch", Shape::Text),
        may("patch", Shape::Bool),
        may("branchPrefix", Shape::Text),
        may("proxy", Shape::Object(&[must("url", Shape::Text), may("noproxy", Shape::Text)])),
        may("updates", Shape::Object(UPDATES)),
        may("creates", Shape::Object(CREATES)),
        may("deletes", Shape::Object(&[may("files", TEXTS), may("folders", TEXTS)])),
        may("vendor", Shape::Object(&[may("helm", Shape::Object(HELM))])),
        may("ai", Shape::Object(&[may("enabled", Shape::Bool), must("prompt", Shape::Text)])),
        may(
            "lua",
            Shape::Object(&[may("external", Shape::Bool), may("script", Shape::Text), may("folder", Shape::Text)]),
        ),
        may("git", Shape::Object(GIT)),
        may("labels", TEXTS),
        may("icon", Shape::Text),
        may("darkIcon", Shape::Text),
        may("addon", Shape::Text),
        may("cluster", Shape::Text),
        may("clusterRef", OBJECT_REFERENCE),
        may("serviceRef", OBJECT_REFERENCE),
        must("scmConnectionRef", OBJECT_REFERENCE),
        may("catalogRef", OBJECT_REFERENCE),
        may("projectRef", OBJECT_REFERENCE),
        may("repositoryRef", OBJECT_REFERENCE),
        may("configuration", Shape::List(&Shape::Object(CONFIGURATION))),
        may("secrets", Shape::Object(SECRETS)),
        may(
            "confirmation",
            Shape::Object(&[
                may("text", Shape::Text),
                may("checklist", Shape::List(&Shape::Object(&[must("label", Shape::Text)]))),
            ]),
        ),
        may("bindings", Shape::Object(&[may("create", BINDINGS), may("write", BINDINGS)])),
        RECONCILIATION,
    ],
    attributes,
    compared: &[
        ("clusterId", Compared::Id("cluster")),
        ("serviceId", Compared::Id("service")),
        ("connectionId", Compared::Id("connection")),
        ("catalogId", Compared::Id("catalog")),
        ("projectId", Compared::Id("project")),
        ("repositoryId", Compared::Id("repository")),
        ("creates.templates.context", Compared::Json),
        ("writeBindings", Compared::Bindings),
        ("createBindings", Compared::Bindings),
    ],
    create: Mutation { field: "createPrAutomation", arguments: &[("attributes", "PrAutomationAttributes!")] },
    update: Mutation {
        field: "updatePrAutomation",
        arguments: &[("id", "ID!"), ("attributes", "PrAutomationAttributes!")],
    },
    delete: Mutation { field: "deletePrAutomation", arguments: &[("id", "ID!")] },
};

/// `url` is not sent: it is by what the repository is found.
const GIT: &[Member] =
    &[must("ref", Shape::Text), must("folder", Shape::Text), may("files", TEXTS), may("url", Shape::Text)];
const UPDATES: &[Member] = &[
    may("regexes", TEXTS),
    may(
        "regexReplacements",
        Shape::List(&Shape::Object(&[
            must("regex", Shape::Text),
            must("replacement", Shape::Text),
            must("file", Shape::Text),
            may("templated", Shape::Bool),
        ])),
    ),
    may(
        "yamlOverlays",
        Shape::List(&Shape::Object(&[
            must("file", Shape::Text),
            must("yaml", Shape::Text),
            may("listMerge", Shape::Word(&["OVERWRITE", "APPEND"])),
            may("templated", Shape::Bool),
        ])),
    ),
    may("files", TEXTS),
    may("replaceTemplate", Shape::Text),
    may("yq", Shape::Text),
    may("matchStrategy", Shape::Word(&["ANY", "ALL", "RECURSIVE"])),
];
const CREATES: &[Member] = &[
    may("git", Shape::Object(GIT)),
    may(
        "templates",
        Shape::List(&Shape::Object(&[
            // Optional in the CRD, and always sent.
            may("source", Shape::Text).or(Otherwise::Text("")),
            must("destination", Shape::Text),
            may("context", Shape::Any),
            may("condition", Shape::Text),
            must("external", Shape::Bool),
        ])),
    ),
];
const HELM: &[Member] = &[
    must("url", Shape::Text),
    must("chart", Shape::Text),
    must("version", Shape::Text),
    must("destination", Shape::Text),
];
const CONFIGURATION: &[Member] = &[
    must(
        "type",
        Shape::Word(&[
            "STRING", "INT", "BOOL", "JSON", "PASSWORD", "ENUM", "CLUSTER", "PROJECT", "GROUP", "USER", "FLOW",
        ]),
    ),
    must("name", Shape::Text),
    may("default", Shape::Text),
    may("documentation", Shape::Text),
    may("longform", Shape::Text),
    may("displayName", Shape::Text),
    may("placeholder", Shape::Text),
    may("page", Shape::Int),
    may("optional", Shape::Bool),
    may(
        "condition",
        Shape::Object(&[
            must("operation", Shape::Word(&["NOT", "GT", "LT", "EQ", "GTE", "LTE", "PREFIX", "SUFFIX"])),
            must("field", Shape::Text),
            may("value", Shape::Text),
        ]),
    ),
    may(
        "validation",
        Shape::Object(&[
            may("regex", Shape::Text),
            may("json", Shape::Bool),
            may("uniqBy", Shape::Object(&[must("scope", Shape::Word(&["PROJECT", "CLUSTER"]))])),
        ]),
    ),
    may("values", TEXTS),
];
const SECRETS: &[Member] = &[
    must("cluster", Shape::Text),
    must("namespace", Shape::Text),
    must("name", Shape::Text),
    must(
        "entries",
        Shape::List(&Shape::Object(&[
            must("name", Shape::Text),
            must("documentation", Shape::Text),
            may("autogenerate", Shape::Bool),
        ])),
    ),
];

const GIT_RETURNED: &[Output] = &[Output::must("ref"), Output::must("folder"), Output::may("files").list()];
const UPDATES_RETURNED: &[Output] = &[
    Output::may("regexes").list(),
    Output::may("regexReplacements").list().object(&[
        Output::must("regex"),
        Output::must("file"),
        Output::must("replacement"),
        Output::may("templated"),
    ]),
    Output::may("yamlOverlays").list().object(&[
        Output::must("file"),
        Output::must("yaml"),
        Output::may("listMerge"),
        Output::may("templated"),
    ]),
    Output::may("files").list(),
    Output::may("replaceTemplate"),
    Output::may("yq"),
    Output::may("matchStrategy"),
];
const CREATES_RETURNED: &[Output] = &[
    Output::may("git").object(GIT_RETURNED),
    Output::may("templates").list().object(&[
        Output::must("source"),
        Output::must("destination"),
        Output::may("context").of(Of::Map),
        Output::may("condition"),
        Output::must("external"),
    ]),
];
const CONFIGURATION_RETURNED: &[Output] = &[
    Output::must("type"),
    Output::must("name"),
    Output::may("default"),
    Output::may("documentation"),
    Output::may("longform"),
    Output::may("displayName"),
    Output::may("placeholder"),
    Output::may("page"),
    Output::may("optional"),
    Output::may("condition").object(&[Output::must("operation"), Output::must("field"), Output::may("value")]),
    Output::may("values").list(),
];
const SECRETS_RETURNED: &[Output] = &[
    Output::may("cluster"),
    Output::may("namespace"),
    Output::may("name"),
    Output::may("entries").list().object(&[
        Output::may("name"),
        Output::may("documentation"),
        Output::may("autogenerate"),
    ]),
];

/// An automation by its name. Branch, patch and the validation of parameters are written, and not returned; `ai` is newer
/// than the schema that was read.
static QUERY: Query = Query {
    field: "prAutomation",
    argument: "name",
    argument_type: "String",
    returned: &[
        Output::must("id"),
        Output::must("name"),
        Output::may("role"),
        Output::may("identifier"),
        Output::may("documentation"),
        Output::may("title"),
        Output::may("message"),
        Output::may("branchPrefix"),
        Output::may("proxy").object(&[Output::must("url"), Output::may("noproxy")]),
        Output::may("updates").object(UPDATES_RETURNED),
        Output::may("creates").object(CREATES_RETURNED),
        Output::may("deletes").object(&[Output::may("files").list(), Output::may("folders").list()]),
        Output::may("vendor").object(&[Output::may("helm").object(&[
            Output::must("url"),
            Output::must("chart"),
            Output::must("version"),
            Output::must("destination"),
        ])]),
        Output::may("lua").object(&[Output::may("external"), Output::may("script"), Output::may("folder")]),
        Output::may("git").object(GIT_RETURNED),
        Output::may("labels").list(),
        Output::may("icon"),
        Output::may("darkIcon"),
        Output::may("addon"),
        reference("cluster"),
        reference("service"),
        reference("connection"),
        reference("catalog"),
        reference("project"),
        Output::may("repository").object(&[Output::must("id"), Output::must("url")]),
        Output::may("configuration").list().object(CONFIGURATION_RETURNED),
        Output::may("secrets").object(SECRETS_RETURNED),
        Output::may("confirmation")
            .object(&[Output::may("text"), Output::may("checklist").list().object(&[Output::must("label")])]),
        bindings("writeBindings"),
        bindings("createBindings"),
    ],
};

/// What is sent under its own name in front of the ids, and behind them.
const BEFORE: [&str; 19] = [
    "role",
    "identifier",
    "documentation",
    "title",
    "message",
    "branch",
    "patch",
    "branchPrefix",
    "proxy",
    "updates",
    "creates",
    "deletes",
    "vendor",
    "lua",
    "git",
    "labels",
    "icon",
    "darkIcon",
    "addon",
];
const BEHIND: [&str; 3] = ["configuration", "secrets", "confirmation"];

fn attributes(wanted: &Wanted<'_>) -> Result<Attributes, String> {
    let spec = wanted.spec;
    let mut attributes = Attributes::default();
    attributes.put("name", name(wanted));
    copy(&mut attributes, spec, &BEFORE);
    // What is named directly goes before the reference.
    let or = |direct: &'static str, path: &'static str| {
        if wanted.found.ids.contains_key(direct) { direct } else { path }
    };
    attributes.id("clusterId", wanted, or("spec.cluster", "spec.clusterRef"));
    attributes.id("serviceId", wanted, "spec.serviceRef");
    attributes.id("connectionId", wanted, "spec.scmConnectionRef");
    attributes.id("catalogId", wanted, "spec.catalogRef");
    attributes.id("projectId", wanted, "spec.projectRef");
    attributes.id("repositoryId", wanted, or("spec.git.url", "spec.repositoryRef"));
    copy(&mut attributes, spec, &BEHIND);
    let bindings = |list: &str| spec.get("bindings").and_then(|bindings| bindings.get(list));
    attributes.bindings("writeBindings", bindings("write"), wanted);
    attributes.bindings("createBindings", bindings("create"), wanted);
    if spec.contains_key("ai") {
        attributes.unsent.push(("spec.ai".to_owned(), "the controller code that was read does not send it"));
    }
    Ok(attributes)
}

/// Adds blocks of the spec. They are masked before they become text: within JSON that is text, a URL cannot be told from
/// what follows it.
fn copy(attributes: &mut Attributes, spec: &Map<String, Value>, names: &[&str]) {
    for name in names {
        if let Some(value) = spec.get(*name) {
            attributes.put_masked(name, sent(name, value), sent(name, &masked(value)));
        }
    }
}

/// A block as it may be shown: the default of a parameter that is a password is one, too.
fn masked(value: &Value) -> Value {
    let mut shown = logins_masked(value);
    for parameter in shown.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        if is_password(parameter)
            && let Some(default) = parameter.get_mut("default")
        {
            *default = MASK.into();
        }
    }
    shown
}

/// A block as it is sent: contexts of templates as texts that hold JSON, blocks of git without their URL.
fn sent(key: &str, value: &Value) -> Value {
    match (key, value) {
        ("context", value) => go::json(value).into(),
        (_, Value::Array(items)) => items.iter().map(|item| sent("", item)).collect(),
        ("git", Value::Object(git)) => git
            .iter()
            .filter(|(key, _)| *key != "url")
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect::<Map<_, _>>()
            .into(),
        ("creates" | "" | "bindings", Value::Object(object)) => {
            object.iter().map(|(key, value)| (key.clone(), sent(key, value))).collect::<Map<_, _>>().into()
        }
        _ => value.clone(),
    }
}
