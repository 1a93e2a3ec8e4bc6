//! What the API server refuses of a spec or drops, told with its place.

use kcc_backoff::object::Diagnostic;

use super::manifests::*;
use super::{object, subject};

type Told = (&'static str, &'static str, u32, u32, String, Option<String>);

fn told(problem: &Diagnostic) -> Told {
    let place = problem.place.as_ref().unwrap();
    let (code, severity) = (problem.code.as_str(), problem.severity.as_str());
    (code, severity, place.line, place.column, problem.message.clone(), problem.fix.clone())
}

fn problems(text: &str) -> Vec<Told> {
    subject(text).problems.iter().map(told).collect()
}

/// The messages alone, of a spec in one line.
fn messages(kind: &str, spec: &str) -> Vec<String> {
    problems(&object(kind, spec)).into_iter().map(|(.., message, _)| message).collect()
}

#[test]
fn the_manifests_of_the_documentation_are_accepted() {
    for text in [
        PROJECT_SMALL,
        PROJECT_FULL,
        CATALOG_SMALL,
        CATALOG_FULL,
        REPOSITORY_SMALL,
        REPOSITORY_FULL,
        SINK_IN_APP,
        SINK_CHAT,
        SINK_LEGACY,
        ACCOUNT_SMALL,
        ACCOUNT_FULL,
        AUTOMATION_SMALL,
        AUTOMATION_FULL,
        AUTOMATION_WITH_EVERYTHING,
        CONTEXT_SMALL,
        CONTEXT_FULL,
    ] {
        assert_eq!(problems(text), [], "{text}");
    }
}

#[test]
fn a_value_of_another_type_is_refused_where_it_stands() {
    let text = "apiVersion: deployments.plural.sh/v1alpha1\nkind: Catalog\nmetadata: {name: it}\nspec:\n  author: 5\n  tags:\n    tier: 1\n  bindings:\n    read:\n    - groupName: yes\n";
    let refused = |line, column, path: &str, wanted: &str| {
        let message = format!("{path} is not {wanted}, so the API server refuses the object");
        ("refused-field", "error", line, column, message, None)
    };
    assert_eq!(
        problems(text),
        [
            refused(5, 11, "spec.author", "a string"),
            refused(7, 11, "spec.tags.tier", "a string"),
            refused(10, 18, "spec.bindings.read[0].groupName", "a string"),
        ]
    );
}

#[test]
fn every_type_of_field_has_its_word() {
    let automation = |rest: &str| messages("PrAutomation", &format!("{{scmConnectionRef: {{name: f}}, {rest}}}"));
    let refused =
        |path: &str, wanted: &str| vec![format!("{path} is not {wanted}, so the API server refuses the object")];
    assert_eq!(automation("patch: \"true\""), refused("spec.patch", "a boolean"));
    assert_eq!(automation("labels: one"), refused("spec.labels", "a list"));
    assert_eq!(automation("labels: [one, 2]"), refused("spec.labels[1]", "a string"));
    assert_eq!(automation("git: main"), refused("spec.git", "a mapping"));
    assert_eq!(automation("projectRef: p"), refused("spec.projectRef", "a mapping"));
    assert_eq!(automation("creates: []"), refused("spec.creates", "a mapping"));
    assert_eq!(
        automation("configuration: [{name: one, type: INT, page: \"1\"}]"),
        refused("spec.configuration[0].page", "a whole number")
    );
    assert_eq!(
        automation("configuration: [{name: one, type: INT, page: 1.5}]"),
        refused("spec.configuration[0].page", "a whole number")
    );
    assert_eq!(messages("Catalog", "{author: a, tags: [x]}"), refused("spec.tags", "a mapping"));
    assert_eq!(messages("Project", "[a]"), refused("spec", "a mapping"));
    assert_eq!(
        messages("Project", "{name: a, reconciliation: {driftDetection: \"no\"}}"),
        refused("spec.reconciliation.driftDetection", "a boolean")
    );
}

#[test]
fn a_word_that_is_none_of_an_enum_is_refused_with_those_that_are() {
    let automation = |rest: &str| messages("PrAutomation", &format!("{{scmConnectionRef: {{name: f}}, {rest}}}"));
    let one_of =
        |path: &str, words: &str| vec![format!("{path} is not one of {words}, so the API server refuses the object")];
    assert_eq!(messages("NotificationSink", "{type: slack}"), one_of("spec.type", "SLACK, TEAMS, PLURAL"));
    assert_eq!(
        messages("NotificationSink", "{type: PLURAL, configuration: {plural: {priority: URGENT}}}"),
        one_of("spec.configuration.plural.priority", "LOW, MEDIUM, HIGH")
    );
    assert_eq!(automation("role: NONE"), one_of("spec.role", "CLUSTER, SERVICE, PIPELINE, UPDATE, UPGRADE, COST"));
    assert_eq!(
        automation("updates: {matchStrategy: NONE}"),
        one_of("spec.updates.matchStrategy", "ANY, ALL, RECURSIVE")
    );
    assert_eq!(
        automation("updates: {yamlOverlays: [{file: f, yaml: z, listMerge: MERGE}]}"),
        one_of("spec.updates.yamlOverlays[0].listMerge", "OVERWRITE, APPEND")
    );
    // The schema knows types that the CRD does not.
    for of in ["DOMAIN", "BUCKET", "FILE", "FUNCTION"] {
        assert_eq!(automation(&format!("configuration: [{{name: one, type: {of}}}]")).len(), 1, "{of}");
    }
    for of in ["STRING", "INT", "BOOL", "JSON", "PASSWORD", "ENUM", "CLUSTER", "PROJECT", "GROUP", "USER", "FLOW"] {
        assert_eq!(automation(&format!("configuration: [{{name: one, type: {of}}}]")).len(), 0, "{of}");
    }
    for operation in ["NOT", "GT", "LT", "EQ", "GTE", "LTE", "PREFIX", "SUFFIX"] {
        let condition =
            format!("configuration: [{{name: one, type: INT, condition: {{field: f, operation: {operation}}}}}]");
        assert_eq!(automation(&condition).len(), 0, "{operation}");
    }
    for scope in ["PROJECT", "CLUSTER"] {
        let validation =
            format!("configuration: [{{name: one, type: INT, validation: {{uniqBy: {{scope: {scope}}}}}}}]");
        assert_eq!(automation(&validation).len(), 0, "{scope}");
    }
}

#[test]
fn required_fields_are_missed_at_the_block_that_lacks_them() {
    let text = "apiVersion: deployments.plural.sh/v1alpha1\nkind: PrAutomation\nmetadata: {name: it}\nspec:\n  scmConnectionRef: {name: f}\n  git:\n    url: u\n";
    let missing = |name: &str| {
        let message = format!("spec.git.{name} is missing: the CRD requires it, so the API server refuses the object");
        ("missing-field", "error", 7, 5, message, None)
    };
    assert_eq!(problems(text), [missing("ref"), missing("folder")]);
}

#[test]
fn each_kind_has_the_required_fields_of_its_section() {
    let missing = |kind: &str, spec: &str| -> Vec<String> {
        let messages = messages(kind, spec);
        messages.iter().map(|message| message.split(' ').next().unwrap().to_owned()).collect()
    };
    assert_eq!(missing("Project", "{}"), ["spec.name"]);
    assert_eq!(missing("Catalog", "{}"), ["spec.author"]);
    assert_eq!(missing("GitRepository", "{}"), ["spec.url"]);
    assert_eq!(missing("NotificationSink", "{}"), ["spec.type"]);
    assert_eq!(missing("ServiceAccount", "{}"), ["spec.email"]);
    assert_eq!(missing("PrAutomation", "{}"), ["spec.scmConnectionRef"]);
    assert_eq!(missing("ServiceContext", "{}"), [""; 0]);
    assert_eq!(missing("ServiceContext", "{configMapRefs: [{scope: s}]}"), ["spec.configMapRefs[0].name"]);
    let blocks = [
        ("configuration: [{}]", &["configuration[0].type", "configuration[0].name"][..]),
        (
            "configuration: [{name: one, type: INT, condition: {}}]",
            &["configuration[0].condition.operation", "configuration[0].condition.field"],
        ),
        (
            "configuration: [{name: one, type: INT, validation: {uniqBy: {}}}]",
            &["configuration[0].validation.uniqBy.scope"],
        ),
        ("confirmation: {checklist: [{}]}", &["confirmation.checklist[0].label"]),
        (
            "creates: {git: {}, templates: [{}]}",
            &[
                "creates.git.ref",
                "creates.git.folder",
                "creates.templates[0].destination",
                "creates.templates[0].external",
            ],
        ),
        (
            "updates: {regexReplacements: [{}], yamlOverlays: [{}]}",
            &[
                "updates.regexReplacements[0].regex",
                "updates.regexReplacements[0].replacement",
                "updates.regexReplacements[0].file",
                "updates.yamlOverlays[0].file",
                "updates.yamlOverlays[0].yaml",
            ],
        ),
        ("deletes: {}, lua: {}, updates: {}, vendor: {}, bindings: {}", &[]),
        ("secrets: {}", &["secrets.cluster", "secrets.namespace", "secrets.name", "secrets.entries"]),
        (
            "secrets: {cluster: c, namespace: s, name: m, entries: [{}]}",
            &["secrets.entries[0].name", "secrets.entries[0].documentation"],
        ),
        (
            "vendor: {helm: {}}",
            &["vendor.helm.url", "vendor.helm.chart", "vendor.helm.version", "vendor.helm.destination"],
        ),
        ("git: {}", &["git.ref", "git.folder"]),
        ("proxy: {}", &["proxy.url"]),
        ("ai: {}", &["ai.prompt"]),
    ];
    for (block, fields) in blocks {
        let mut expected: Vec<String> = fields.iter().map(|field| format!("spec.{field}")).collect();
        let mut found = missing("PrAutomation", &format!("{{scmConnectionRef: {{name: f}}, {block}}}"));
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{block}");
    }
}

#[test]
fn an_object_without_a_spec_misses_what_is_required() {
    let text = "apiVersion: deployments.plural.sh/v1alpha1\nkind: Catalog\nmetadata: {name: it}\n";
    let message = "spec.author is missing: the CRD requires it, so the API server refuses the object".to_owned();
    assert_eq!(problems(text), [("missing-field", "error", 1, 1, message, None)]);
}

#[test]
fn null_counts_as_absent() {
    assert_eq!(
        messages("Catalog", "{author: a, name: null, tags: null, bindings: null, reconciliation: null}"),
        [""; 0]
    );
    assert_eq!(messages("Catalog", "{author: null}").len(), 1);
}

#[test]
fn an_unknown_field_is_dropped_and_the_closest_known_one_is_named() {
    let text = "apiVersion: deployments.plural.sh/v1alpha1\nkind: Project\nmetadata: {name: it}\nspec:\n  name: a\n  descripton: d\n  reconciliation:\n    intervall: 5m\n  colour: red\n";
    let unknown = |line, column, path: &str, fix: Option<&str>| {
        let message = format!("{path} is unknown to the CRD: the API server drops it");
        ("unknown-field", "warning", line, column, message, fix.map(str::to_owned))
    };
    assert_eq!(
        problems(text),
        [
            unknown(8, 5, "spec.reconciliation.intervall", Some("is interval meant?")),
            unknown(6, 3, "spec.descripton", Some("is description meant?")),
            unknown(9, 3, "spec.colour", None),
        ]
    );
}

#[test]
fn of_several_known_fields_the_closest_is_meant() {
    let fix = |field: &str| {
        let text = object("PrAutomation", &format!("{{scmConnectionRef: {{name: f}}, {field}: x}}"));
        problems(&text).remove(0).5
    };
    // Both `ai` and `git` are two letters away at most.
    assert_eq!(fix("gti").as_deref(), Some("is git meant?"));
    assert_eq!(fix("darkicon").as_deref(), Some("is darkIcon meant?"));
    assert_eq!(fix("x"), None);
}

#[test]
fn whatever_a_configuration_or_a_context_holds_is_known() {
    assert_eq!(messages("ServiceContext", "{configuration: {any: {thing: [1, {x: null}]}}}"), [""; 0]);
    let text =
        "{scmConnectionRef: {name: f}, creates: {templates: [{destination: d, external: true, context: {a: 1}}]}}";
    assert_eq!(messages("PrAutomation", text), [""; 0]);
}
