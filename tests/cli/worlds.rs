//! kcc.md sections 1, 2 and 9: what ConfigConnector and ConfigConnectorContext among the inputs say about other objects,
//! and what release, status and `--set` make worth a note.

use kcc_backoff::assess::kcc::{Assessment, DecidedBy};
use kcc_backoff::kcc::Controller;

use crate::support::*;

const ALLOYDB: &str = "AlloyDBCluster.alloydb.cnrm.cloud.google.com";

/// `spec.experiments.resourceSettings` with a mode and one entry.
fn settings(mode: &str, entry: &str) -> String {
    format!("  mode: namespaced\n  experiments:\n    resourceSettings: {{mode: {mode}, resources: [{{{entry}}}]}}")
}

fn overriding(to: &str) -> String {
    format!("  experiments:\n    controllerOverrides:\n      {ALLOYDB}: {to}")
}

fn notes(answer: &Assessment<'_>) -> String {
    answer.notes.join("\n")
}

#[test]
fn a_second_connector_and_a_second_context_of_a_namespace_are_told_and_the_last_one_counts() {
    let connectors = [connector("  actuationMode: Paused"), connector("  actuationMode: Reconciling")].join("\n---\n");
    let told = context_problems(&connectors);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].0, told[0].1, told[0].2), ("context", "warning", 8));
    assert_eq!(
        told[0].3,
        "a second ConfigConnector is among the inputs; the last one counts (the first is at <stdin>:1:1)"
    );
    let answer = last_answer(&[&connectors, &manifest(DIRECT).text()], "main");
    assert_eq!(answer.actuation.mode.as_str(), "Reconciling");

    let contexts =
        [context_of("team-a", &overriding("tf")), context_of("team-a", &overriding("direct"))].join("\n---\n");
    let told = context_problems(&contexts);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].3.starts_with("a second ConfigConnectorContext of namespace team-a is among"), "{}", told[0].3);
    let answer = last_answer(&[&contexts, &manifest(EITHER).text()], "main");
    assert_eq!(answer.controller.controller, Controller::Direct);

    let apart = [context_of("team-a", "  x: y"), context_of("team-b", "  x: y"), connector("  x: y")].join("\n---\n");
    assert_eq!(context_problems(&apart), []);
    let unnamed = context_of("team-a", "  x: y").replace("  namespace: team-a\n", "");
    let told = context_problems(&[unnamed.clone(), unnamed].join("\n---\n"));
    assert!(told[0].3.starts_with("a second ConfigConnectorContext without a namespace is"), "{told:?}");
}

/// Section 2: the name is `configconnectorcontext.core.cnrm.cloud.google.com`.
#[test]
fn a_context_under_another_name_has_no_effect_and_that_is_told_of_the_core_group_only() {
    let misnamed = context_of("team-a", "  actuationMode: Paused").replace("name: configconnectorcontext", "name: my");
    let told = context_problems(&misnamed);
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].0, told[0].1, told[0].2), ("context", "warning", 1));
    assert!(told[0].3.contains("configconnectorcontext.core.cnrm.cloud.google.com: this one has no effect"));
    let answer = last_answer(&[&misnamed, &manifest(DIRECT).text()], "main");
    assert_eq!(answer.actuation.mode.as_str(), "Reconciling");
    assert_eq!(context_problems(&misnamed.replace("core.cnrm.cloud.google.com/v1", "x.cnrm.cloud.google.com/v1")), []);
}

/// Section 2: Reconciling and Paused are the values of actuationMode.
#[test]
fn an_actuation_mode_that_is_neither_reconciling_nor_paused_is_refused_and_its_effect_is_unknown() {
    for written in ["AutoPaused", "paused", "Stopped"] {
        let spec = format!("  actuationMode: {written}");
        for document in [connector(&spec), context_of("team-a", &spec)] {
            let told = context_problems(&document);
            assert_eq!(told.len(), 1, "{told:?}");
            assert_eq!((told[0].0, told[0].1), ("unknown-actuation-mode", "error"));
            assert!(told[0].3.contains(&format!("{written:?} is neither Reconciling nor Paused")), "{}", told[0].3);
            let actuation = last_answer(&[&document, &manifest(DIRECT).text()], "main").actuation;
            assert_eq!(actuation.mode.as_str(), "unknown", "{written}");
            assert!(actuation.notes.is_empty(), "{:?}", actuation.notes);
        }
    }
    for known in ["Reconciling", "Paused"] {
        assert_eq!(context_problems(&connector(&format!("  actuationMode: {known}"))), []);
    }
}

#[test]
fn an_empty_actuation_mode_says_nothing_and_leaves_it_to_the_next_that_is_asked() {
    let connector = connector("  mode: namespaced\n  actuationMode: Paused");
    let context = context_of("team-a", "  actuationMode: \"\"");
    assert_eq!(context_problems(&[connector.clone(), context.clone()].join("\n---\n")), []);
    let actuation = last_answer(&[&connector, &context, &manifest(DIRECT).text()], "main").actuation;
    assert_eq!((actuation.mode.as_str(), actuation.origin.as_str()), ("Paused", "connector"));
    assert_eq!(actuation.place.map(|place| (place.line, place.column)), Some((7, 18)));
    assert!(actuation.reason.contains("the ConfigConnector says Paused"));
}

#[test]
fn settings_are_read_from_connectors_and_contexts_of_the_core_group_only() {
    let core = connector("  mode: namespaced\n  actuationMode: Paused");
    let settings = facts(&core).settings.unwrap();
    assert_eq!(settings.mode.as_deref(), Some("namespaced"));
    for other in [
        core.replace("core.cnrm.cloud.google.com/v1", "customize.core.cnrm.cloud.google.com/v1"),
        core.replace("core.cnrm.cloud.google.com/v1", "logging.cnrm.cloud.google.com/v1"),
        core.replace("kind: ConfigConnector", "kind: Other"),
    ] {
        assert_eq!(facts(&other).settings, None, "{other}");
        let answer = last_answer(&[&other, &manifest(DIRECT).text()], "main");
        assert_eq!(answer.actuation.mode.as_str(), "Reconciling", "{other}");
    }
}

/// Of the list form only `enabled: false` was read to have an effect.
#[test]
fn an_entry_of_the_list_form_disables_a_kind_only_if_it_says_enabled_false() {
    for (enabled, expected) in [
        (", enabled: false", Controller::None),
        (", enabled: no", Controller::None),
        (", enabled: true", Controller::Tf),
        ("", Controller::Tf),
        (", enabled: \"false\"", Controller::Tf),
    ] {
        let spec = format!(
            "  experiments:\n    resourceSettings:\n    - {{group: alloydb.cnrm.cloud.google.com, kind: AlloyDBCluster{enabled}}}"
        );
        let answer = last_answer(&[&connector(&spec), &manifest(EITHER).text()], "main");
        assert_eq!(answer.controller.controller, expected, "{enabled:?}");
    }
}

#[test]
fn an_entry_without_a_kind_means_the_group_and_one_with_a_kind_no_other() {
    for (entry, excluded) in [
        ("group: alloydb.cnrm.cloud.google.com", true),
        ("group: alloydb.cnrm.cloud.google.com, kind: AlloyDBCluster", true),
        ("group: alloydb.cnrm.cloud.google.com, kind: AlloyDBInstance", false),
        ("group: logging.cnrm.cloud.google.com, kind: AlloyDBCluster", false),
        ("kind: AlloyDBCluster", false),
    ] {
        let spec = settings("exclude", entry);
        let answer = last_answer(&[&connector(&spec), &manifest(EITHER).text()], "main").controller;
        assert_eq!(answer.controller == Controller::None, excluded, "{entry}");
        if excluded {
            assert_eq!(answer.decided_by, DecidedBy::Context);
            assert_eq!(answer.place.map(|place| place.line), Some(8), "the entry's place");
            assert!(answer.reason.starts_with("excluded by resourceSettings of the ConfigConnector,"));
            assert_eq!(answer.supported, [Controller::Direct, Controller::Tf], "what the kind supports is still said");
        }
    }
}

/// Section 2: "kinds excluded by resourceSettings" are not registered at all, the IAM kinds included.
#[test]
fn resource_settings_leave_iam_kinds_without_a_controller_too() {
    for kind in ["IAMPolicy", "IAMPolicyMember", "IAMPartialPolicy", "IAMAuditConfig"] {
        let spec = settings("exclude", &format!("group: iam.cnrm.cloud.google.com, kind: {kind}"));
        let answer = last_answer(&[&connector(&spec), &manifest(("iam", kind)).text()], "main").controller;
        assert_eq!(answer.controller, Controller::None, "{kind}");
        assert_eq!(answer.decided_by, DecidedBy::Context, "{kind}");
    }
}

/// Section 2: in cluster mode the context is never read.
#[test]
fn resource_settings_of_a_context_do_not_count_in_cluster_mode_and_are_assumed_to_without_a_connector() {
    let context = context_of("team-a", &settings("exclude", "group: alloydb.cnrm.cloud.google.com"));
    let object = manifest(EITHER).text();
    let cluster = last_answer(&[&connector("  mode: cluster"), &context, &object], "main").controller;
    assert_eq!(cluster.controller, Controller::Tf);
    let namespaced = last_answer(&[&connector("  mode: namespaced"), &context, &object], "main").controller;
    assert_eq!(namespaced.controller, Controller::None);
    assert!(namespaced.reason.contains("of the namespace's ConfigConnectorContext"));
    assert!(!namespaced.reason.contains("assumed"), "{}", namespaced.reason);
    let alone = last_answer(&[&context, &object], "main").controller;
    assert_eq!(alone.controller, Controller::None);
    assert!(alone.reason.contains("namespaced mode assumed: no ConfigConnector among the inputs"), "{}", alone.reason);
    let include = context_of("team-a", &settings("include", "group: pubsub.cnrm.cloud.google.com"));
    let left_out = last_answer(&[&include, &object], "main").controller;
    assert!(left_out.reason.contains("not among the kinds that resourceSettings of the namespace's"));
    assert!(left_out.reason.contains("namespaced mode assumed"), "{}", left_out.reason);
    assert_eq!(left_out.place.map(|place| place.line), Some(1), "the context's place");
}

#[test]
fn a_kind_that_one_excludes_and_the_other_includes_has_no_controller_whichever_says_which() {
    let excluding = settings("exclude", "group: alloydb.cnrm.cloud.google.com, kind: AlloyDBCluster");
    let including = settings("include", "group: alloydb.cnrm.cloud.google.com");
    let object = manifest(EITHER).text();
    for (of_connector, of_context, who) in [
        (&excluding, &including, "the ConfigConnector,"),
        (&including, &excluding, "the namespace's ConfigConnectorContext,"),
    ] {
        let documents = [&connector(of_connector), &context_of("team-a", of_context), &object];
        let answer = last_answer(&documents.map(String::as_str), "main").controller;
        assert_eq!(answer.controller, Controller::None, "{who}");
        assert!(answer.reason.starts_with(&format!("excluded by resourceSettings of {who}")), "{}", answer.reason);
    }
    // Neither speaks against it: one includes it and the other excludes another kind.
    let other = settings("exclude", "group: alloydb.cnrm.cloud.google.com, kind: AlloyDBInstance");
    let documents = [&connector(&other), &context_of("team-a", &including), &object];
    let answer = last_answer(&documents.map(String::as_str), "main").controller;
    assert_eq!(answer.controller, Controller::Tf);
}

#[test]
fn an_object_of_another_namespace_is_not_touched_by_a_context() {
    let context = context_of("team-b", &settings("exclude", "group: alloydb.cnrm.cloud.google.com"));
    let answer = last_answer(&[&context, &manifest(EITHER).text()], "main");
    assert_eq!(answer.controller.decided_by, DecidedBy::Table);
    assert_eq!(notes(&answer), "");
}

#[test]
fn controller_overrides_of_a_connector_are_not_applied_and_one_line_says_so_at_their_place() {
    let told = context_problems(&connector(&overriding("direct")));
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((told[0].0, told[0].1, told[0].2), ("context", "warning", 8));
    assert!(told[0].3.contains("only a design of mid 2026: no code reads them, so they are not applied"));
    assert_eq!(context_problems(&context_of("team-a", &overriding("direct"))), []);
}

/// Section 2: tf, dcl and direct are the values of controllerOverrides, and the key is `Kind.group`.
#[test]
fn overrides_of_a_context_name_kind_and_group_and_one_of_three_controllers() {
    let of = |kind: (&'static str, &'static str), key: &str, to: &str| {
        let spec = format!("  experiments:\n    controllerOverrides:\n      {key}: {to}");
        let answer = last_answer(&[&context_of("team-a", &spec), &manifest(kind).text()], "main");
        let codes = codes(&answer);
        (answer.controller.controller, answer.controller.decided_by, codes)
    };
    use Controller::{Dcl, Direct, Tf};
    use DecidedBy::{Context, Fallback, Table};
    let budget = ("billingbudgets", "BillingBudgetsBudget");
    let of_budget = "BillingBudgetsBudget.billingbudgets.cnrm.cloud.google.com";
    assert_eq!(of(EITHER, ALLOYDB, "direct"), (Direct, Context, vec![]));
    assert_eq!(of(EITHER, ALLOYDB, "tf"), (Tf, Context, vec![]));
    assert_eq!(of(budget, of_budget, "dcl"), (Dcl, Context, vec![]));
    assert_eq!(of(budget, of_budget, "direct"), (Direct, Context, vec![]));
    assert_eq!(of(budget, of_budget, "tf"), (Dcl, Fallback, vec!["ineffective-override"]));
    assert_eq!(of(EITHER, ALLOYDB, "iampolicy"), (Tf, Fallback, vec!["ineffective-override"]));
    assert_eq!(of(EITHER, "AlloyDBCluster", "direct"), (Tf, Table, vec![]));
    assert_eq!(of(EITHER, "alloydb.cnrm.cloud.google.com.AlloyDBCluster", "direct"), (Tf, Table, vec![]));
}

#[test]
fn a_fallback_says_what_was_asked_for_what_is_supported_and_where_it_was_asked() {
    let spec = overriding("dcl");
    let answer = last_answer(&[&context_of("team-a", &spec), &manifest(EITHER).text()], "main");
    let reason = &answer.controller.reason;
    assert!(reason.contains("\"dcl\" is not supported for AlloyDBCluster in main (supported: direct, tf)"), "{reason}");
    assert!(reason.ends_with("so it silently falls back to the table's default"), "{reason}");
    assert_eq!(answer.controller.place.as_ref().map(|place| place.line), Some(9));
    assert_eq!(answer.problems[0].place, answer.controller.place);
    assert_eq!(answer.problems[0].severity.as_str(), "warning");
}

/// Section 4: checked from 1.90.0 on.
#[test]
fn delays_of_releases_before_1_90_0_are_said_to_be_unknown() {
    for (release, noted) in [("1.89.0", true), ("1.0.0", true), ("1.90.0", false), ("main", false)] {
        let answer = answer_in(&manifest(DIRECT), release);
        let expected = format!("the delays of {release} are not known: those of 1.90.0 are shown");
        assert_eq!(answer.notes.iter().any(|note| *note == expected), noted, "{release}: {:?}", answer.notes);
        let ladder = answer.retry.known().unwrap().ladder.unwrap();
        assert_eq!(ladder.base().as_millis(), if release == "main" { 250 } else { 2000 }, "{release}");
    }
}

/// Section 2: "for a release after 1.155.1 use `main`'s rows and say so".
#[test]
fn that_the_table_is_borrowed_is_said_whatever_decided() {
    let spec = overriding("direct");
    let context = context_of("team-a", &spec);
    let spanner = manifest(("spanner", "SpannerInstance")).and("spec: {edition: ENTERPRISE}").text();
    let cases = [
        ("annotation", manifest(EITHER).with(RECONCILER, "direct").text()),
        ("spec", spanner),
        ("table", manifest(TF).text()),
        ("table", manifest(MEMBER).text()),
        ("fallback", manifest(TF).with(RECONCILER, "direct").text()),
        ("context", format!("{context}\n---\n{}", manifest(EITHER).text())),
    ];
    for (by, text) in &cases {
        for (release, borrowed) in [("1.156.0", true), ("1.160.0", true), ("1.155.1", false), ("main", false)] {
            let answer = answers(text, &Ask { release, ..Ask::default() }).pop().unwrap();
            assert_eq!(answer.controller.decided_by.as_str(), *by);
            let note = format!("which controllers {release} has is not known: main's are shown");
            assert_eq!(answer.notes.iter().any(|told| *told == note), borrowed, "{by} in {release}");
            if *by == "table" {
                let table = if borrowed {
                    format!("(table of main, as that of {release} is not known)")
                } else {
                    format!("(table of {release})")
                };
                assert!(answer.controller.reason.ends_with(&table), "{}", answer.controller.reason);
            }
        }
    }
    let nobody = answer_in(&manifest(("logging", "LoggingNoSuchKind")), "1.156.0");
    assert!(nobody.controller.reason.ends_with("no row in the table of main, as that of 1.156.0 is not known"));
    assert_eq!(notes(&nobody), "", "no controller, no notes about controllers");
}

#[test]
fn an_answer_under_set_says_that_the_status_is_that_of_the_object_as_it_stands() {
    let note = "the status is that of the object as it stands, without --set";
    let with_status = manifest(DIRECT).ready("False", "UpdateFailed").text();
    for (text, set, told) in [
        (&with_status, &[(CEILING, "0")][..], true),
        (&with_status, &[][..], false),
        (&manifest(DIRECT).text(), &[(CEILING, "0")][..], false),
    ] {
        let answer = answers(text, &Ask { set, ..Ask::default() }).remove(0);
        assert_eq!(answer.notes.iter().any(|told| told == note), told, "{set:?}");
    }
}

#[test]
fn a_context_that_is_not_read_or_whose_actuation_mode_does_not_count_is_noted() {
    let pausing = context_of("team-a", "  actuationMode: Paused");
    let silent = context_of("team-a", "  googleServiceAccount: x");
    let not_read = "the namespace's ConfigConnectorContext is not read: ConfigConnector's mode is \"cluster\"";
    let not_counting = "actuationMode of the namespace's ConfigConnectorContext does not count: it does only if \
                        ConfigConnector says mode: namespaced";
    for (mode, context, expected) in [
        ("  mode: cluster", &pausing, not_read),
        ("  mode: cluster", &silent, not_read),
        ("  x: y", &pausing, not_counting),
        ("  x: y", &silent, ""),
        ("  mode: namespaced", &pausing, ""),
    ] {
        let answer = last_answer(&[&connector(mode), context, &manifest(DIRECT).text()], "main");
        assert_eq!(notes(&answer), expected, "{mode}");
    }
    let assumed = last_answer(&[&pausing, &manifest(DIRECT).text()], "main");
    assert_eq!(notes(&assumed), "");
}

#[test]
fn an_object_without_a_namespace_is_told_that_no_context_was_applied_and_what_option_names_one() {
    let unnamed = manifest(DIRECT).text().replace("  namespace: team-a\n", "");
    let hint =
        "its namespace is not in the manifest, so no ConfigConnectorContext was applied (-n names the namespace)";
    let context = context_of("team-a", "  x: y");
    assert_eq!(notes(&last_answer(&[&context, &unnamed], "main")), hint);
    assert_eq!(notes(&last_answer(&[&connector("  x: y"), &unnamed], "main")), "", "no context, nothing to apply");
    assert_eq!(notes(&last_answer(&[&context, &manifest(DIRECT).text()], "main")), "");
    let unnamed_context = context.replace("  namespace: team-a\n", "");
    assert_eq!(notes(&last_answer(&[&unnamed_context, &context, &unnamed], "main")), "", "theirs is the unnamed one");
}

#[test]
fn the_problems_of_an_object_stand_in_the_order_of_the_text() {
    let text = manifest(TF)
        .with(POLICY, "Abandon")
        .with("cnrm.cloud.google.com/brand-new-thing", "1")
        .with(INTERVAL, "10m")
        .with(RECONCILER, "direct")
        .with(CEILING, "600")
        .with(ACTUATION, "AutoPaused")
        .raw("example.com/on", "yes")
        .text();
    let answer = answers(&text, &Ask::default()).remove(0);
    let told: Vec<(u32, &str)> = answer
        .problems
        .iter()
        .map(|problem| (problem.place.as_ref().map_or(0, |place| place.line), problem.code.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            (7, "ineffective-deletion-policy"),
            (8, "unknown-key"),
            (9, "invalid-drift-interval"),
            (10, "ineffective-override"),
            (11, "ineffective-ceiling"),
            (12, "unknown-actuation-mode"),
            (13, "not-a-string"),
        ]
    );
}

/// Section 1: objects of the group core and customize configure KCC; ConfigConnector belongs to the whole cluster.
#[test]
fn the_namespace_of_the_command_line_is_not_given_to_objects_of_the_whole_cluster() {
    let object = |group: &str, kind: &str| {
        format!("apiVersion: {group}.cnrm.cloud.google.com/v1beta1\nkind: {kind}\nmetadata: {{name: x}}")
    };
    for (group, kind, given) in [
        ("core", "ConfigConnector", false),
        ("core", "ConfigConnectorContext", true),
        ("customize.core", "ControllerResource", false),
        ("customize.core", "NamespacedControllerResource", true),
        ("logging", "LoggingLogMetric", true),
        ("logging", "ConfigConnector", true),
    ] {
        let report = json(&object(group, kind), &["-n", "team-z"]);
        let expected = if given { serde_json::json!("team-z") } else { serde_json::Value::Null };
        assert_eq!(report["objects"][0]["ref"]["namespace"], expected, "{group} {kind}");
    }
}

#[test]
fn set_silences_the_complaints_about_the_value_that_it_replaces_and_no_others() {
    let text = manifest(DIRECT).raw(CEILING, "0").raw(INTERVAL, "~").text();
    let with = answers(&text, &Ask { set: &[(CEILING, "60"), (INTERVAL, "600")], ..Ask::default() }).remove(0);
    assert_eq!(codes(&with), ["frequent-ceiling"]);
    let half = answers(&text, &Ask { set: &[(CEILING, "600")], ..Ask::default() }).remove(0);
    assert_eq!(codes(&half), ["null-value", "invalid-drift-interval"]);
}

#[test]
fn a_name_that_is_no_string_and_metadata_that_is_no_mapping_are_refused_by_the_api_server() {
    let head = "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\n";
    for (metadata, said) in [
        ("metadata: {name: 5, namespace: a}", "metadata.name is not a string"),
        ("metadata: {name: a, namespace: 12}", "metadata.namespace is not a string"),
        ("metadata: [x]", "metadata is not a mapping"),
        ("metadata: text", "metadata is not a mapping"),
    ] {
        let answer = answers(&format!("{head}{metadata}"), &Ask::default()).remove(0);
        assert_eq!(codes(&answer), ["not-a-string"], "{metadata}");
        assert!(answer.problems[0].message.contains(said), "{metadata}: {}", answer.problems[0].message);
    }
}

#[test]
fn a_null_drift_interval_is_never_told_to_become_the_empty_string_that_breaks_it() {
    let answer = answer(&manifest(DIRECT).raw(INTERVAL, "null"));
    let fixes: Vec<&str> = answer.problems.iter().filter_map(|problem| problem.fix.as_deref()).collect();
    assert!(!fixes.is_empty());
    assert!(fixes.iter().all(|fix| !fix.contains("\"\"")), "{fixes:?}");
}
