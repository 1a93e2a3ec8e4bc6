use crate::plural::console::{Of, Output, Query, bindings, reference};

const GIT: &[Output] = &[Output::must("ref"), Output::must("folder"), Output::may("files").list()];
const UPDATES: &[Output] = &[
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
const CREATES: &[Output] = &[
    Output::may("git").object(GIT),
    Output::may("templates").list().object(&[
        Output::must("source"),
        Output::must("destination"),
        Output::may("context").of(Of::Map),
        Output::may("condition"),
        Output::must("external"),
    ]),
];
const CONFIGURATION: &[Output] = &[
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
const SECRETS: &[Output] = &[
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
pub static QUERY: Query = Query {
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
        Output::may("updates").object(UPDATES),
        Output::may("creates").object(CREATES),
        Output::may("deletes").object(&[Output::may("files").list(), Output::may("folders").list()]),
        Output::may("vendor").object(&[Output::may("helm").object(&[
            Output::must("url"),
            Output::must("chart"),
            Output::must("version"),
            Output::must("destination"),
        ])]),
        Output::may("lua").object(&[Output::may("external"), Output::may("script"), Output::may("folder")]),
        Output::may("git").object(GIT),
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
        Output::may("configuration").list().object(CONFIGURATION),
        Output::may("secrets").object(SECRETS),
        Output::may("confirmation")
            .object(&[Output::may("text"), Output::may("checklist").list().object(&[Output::must("label")])]),
        bindings("writeBindings"),
        bindings("createBindings"),
    ],
};
