//! kcc.md section 2: which controller handles an object, and which step of the decision says so.

use kcc_backoff::assess::kcc::DecidedBy;
use kcc_backoff::kcc::{Controller, Release, Since, rows};

use crate::support::*;

fn chosen(manifest: &Manifest, release: &str) -> (Controller, DecidedBy) {
    let answer = answer_in(manifest, release);
    (answer.controller.controller, answer.controller.decided_by)
}

fn context(namespace: &str, overrides: &str) -> String {
    format!(
        "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnectorContext\nmetadata:\n  \
         name: configconnectorcontext.core.cnrm.cloud.google.com\n  namespace: {namespace}\nspec:\n  experiments:\n    \
         controllerOverrides:\n      {overrides}"
    )
}

fn connector(spec: &str) -> String {
    format!(
        "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnector\nmetadata:\n  \
         name: configconnector.core.cnrm.cloud.google.com\nspec:\n{spec}"
    )
}

#[test]
fn every_row_of_the_table_gives_its_default_in_every_release_in_which_it_holds() {
    let releases =
        ["1.135.0", "1.137.1", "1.140.0", "1.150.0", "1.152.0", "1.153.0", "1.154.1", "1.155.1", "1.160.0", "main"];
    let mut checked = 0;
    for release in releases {
        let parsed: Release = release.parse().unwrap();
        let holding: Vec<_> = rows().iter().filter(|row| row.holds(parsed)).collect();
        let manifests: Vec<String> = holding
            .iter()
            .map(|row| {
                format!("apiVersion: {}/v1beta1\nkind: {}\nmetadata: {{name: a, namespace: b}}", row.group, row.kind)
            })
            .collect();
        let answers = answers(&manifests.join("\n---\n"), &Ask { release, ..Ask::default() });
        assert_eq!(answers.len(), holding.len());
        for (row, answer) in holding.iter().zip(&answers) {
            assert_eq!(answer.controller.controller, row.default, "{} in {release}", row.kind);
            assert_eq!(answer.controller.decided_by, DecidedBy::Table, "{} in {release}", row.kind);
            assert_eq!(answer.controller.supported, row.supported, "{} in {release}", row.kind);
            checked += 1;
        }
    }
    assert!(checked > 4000, "only {checked} rows checked");
}

#[test]
fn a_kind_outside_the_span_of_its_rows_has_no_controller_there() {
    let mut checked = 0;
    for row in rows() {
        if let Some(until) = row.until.filter(|_| rows().iter().filter(|other| other.kind == row.kind).count() == 1) {
            let text = format!("apiVersion: {}/v1\nkind: {}\nmetadata: {{name: a}}", row.group, row.kind);
            for release in ["1.155.1", "main"] {
                let answer = answers(&text, &Ask { release, ..Ask::default() }).remove(0);
                assert_eq!(answer.controller.controller, Controller::None, "{} after {until}", row.kind);
            }
            checked += 1;
        }
        if row.since == Since::Main {
            let text = format!("apiVersion: {}/v1\nkind: {}\nmetadata: {{name: a}}", row.group, row.kind);
            let before = answers(&text, &Ask { release: "1.155.1", ..Ask::default() }).remove(0);
            if rows().iter().filter(|other| other.kind == row.kind && other.group == row.group).count() == 1 {
                assert_eq!(before.controller.controller, Controller::None, "{} before main", row.kind);
            }
            let after = answers(&text, &Ask { release: "1.156.0", ..Ask::default() }).remove(0);
            assert_eq!(after.controller.controller, row.default, "{} in 1.156.0 is told by main's rows", row.kind);
            assert!(after.controller.reason.contains("table of main, as that of 1.156.0 is not known"));
            checked += 1;
        }
    }
    assert!(checked > 5);
}

#[test]
fn before_1_135_0_the_controller_is_unknown_but_the_delays_are_known() {
    let answer = answer_in(&manifest(DIRECT), "1.134.1");
    assert_eq!(answer.controller.controller, Controller::Unknown);
    assert_eq!(answer.controller.decided_by, DecidedBy::None);
    let ladder = answer.retry.known().and_then(|retry| retry.ladder).unwrap();
    assert_eq!((ladder.base().as_secs(), ladder.max().as_secs()), (2, 120));
}

#[test]
fn the_annotation_direct_goes_first_where_direct_is_supported() {
    let asked = manifest(EITHER).with(RECONCILER, "direct");
    assert_eq!(chosen(&asked, "main"), (Controller::Direct, DecidedBy::Annotation));
    assert_eq!(chosen(&manifest(EITHER), "main"), (Controller::Tf, DecidedBy::Table));
}

#[test]
fn the_annotation_falls_back_to_the_tables_default_where_direct_is_not_supported() {
    let answer = answer(&manifest(TF).with(RECONCILER, "direct"));
    assert_eq!(answer.controller.controller, Controller::Tf);
    assert_eq!(answer.controller.decided_by, DecidedBy::Fallback);
    assert!(answer.controller.reason.contains("not supported"), "{}", answer.controller.reason);
    assert_eq!(codes(&answer), ["ineffective-override"]);
}

#[test]
fn the_annotation_has_no_effect_with_any_other_value() {
    for value in ["Direct", "direct ", "tf", "dcl", "true"] {
        let answer = answer(&manifest(EITHER).with(RECONCILER, value));
        assert_eq!(answer.controller.controller, Controller::Tf, "{value}");
        assert_eq!(answer.controller.decided_by, DecidedBy::Table, "{value}");
        assert_eq!(codes(&answer), ["ineffective-override"], "{value}");
    }
}

/// kcc.md section 2, step 2. Each rule sends the object to direct if the field is there and not null.
#[test]
fn rules_by_spec_choose_direct() {
    let table = ("bigquery", "BigQueryTable");
    let rule = ("compute", "ComputeForwardingRule");
    let proxy = ("compute", "ComputeTargetTCPProxy");
    let secret = ("secretmanager", "SecretManagerSecret");
    let spanner = ("spanner", "SpannerInstance");
    let cases = [
        (table, "spec: {labels: {a: b}}", true),
        (table, "spec: {labels: {}}", true),
        (table, "spec: {labels: null}", false),
        (table, "spec: {friendlyName: x}", false),
        (rule, "spec: {target: {googleAPIsBundle: all-apis}}", true),
        (rule, "spec: {target: {targetHTTPProxyRef: {name: x}}}", false),
        (proxy, "spec: {location: global}", true),
        (proxy, "spec: {location: europe-west1}", true),
        (proxy, "spec: {backendServiceRef: {name: x}}", false),
        (secret, "spec: {labels: {a: b}}", true),
        (secret, "spec: {replication: {auto: {}}}", false),
        (spanner, "spec: {defaultBackupScheduleType: AUTOMATIC}", true),
        (spanner, "spec: {labels: {a: b}}", true),
        (spanner, "spec: {edition: ENTERPRISE}", true),
        (spanner, "spec: {autoscalingConfig: {autoscalingLimits: {}}}", true),
        (spanner, "spec: {numNodes: 1}", false),
    ];
    for (kind, spec, direct) in cases {
        let (controller, by) = chosen(&manifest(kind).and(spec), "main");
        let default = chosen(&manifest(kind), "main");
        assert_eq!(default.1, DecidedBy::Table, "{kind:?}");
        if direct {
            assert_eq!((controller, by), (Controller::Direct, DecidedBy::Spec), "{kind:?} {spec}");
        } else {
            assert_eq!((controller, by), default, "{kind:?} {spec}");
        }
    }
}

#[test]
fn a_bigquery_table_with_the_unmanaged_annotation_is_direct_whatever_its_value() {
    for value in ["spec.x", ""] {
        let asked = manifest(("bigquery", "BigQueryTable")).with("cnrm.cloud.google.com/unmanaged", value);
        assert_eq!(chosen(&asked, "main"), (Controller::Direct, DecidedBy::Spec), "{value:?}");
    }
    let other = manifest(EITHER).with("cnrm.cloud.google.com/unmanaged", "spec.x");
    assert_eq!(chosen(&other, "main"), (Controller::Tf, DecidedBy::Table));
}

#[test]
fn a_context_of_the_namespace_overrides_the_table_and_the_place_of_the_entry_is_told() {
    let key = "AlloyDBCluster.alloydb.cnrm.cloud.google.com: direct";
    let object = manifest(EITHER).text();
    let answer = last_answer(&[&context("team-a", key), &object], "main");
    assert_eq!(answer.controller.controller, Controller::Direct);
    assert_eq!(answer.controller.decided_by, DecidedBy::Context);
    assert!(answer.controller.reason.contains("namespaced mode assumed"), "{}", answer.controller.reason);
    assert_eq!(answer.controller.place.as_ref().map(|place| place.line), Some(9));
    let elsewhere = last_answer(&[&context("team-b", key), &object], "main");
    assert_eq!(elsewhere.controller.decided_by, DecidedBy::Table);
}

#[test]
fn a_context_counts_wherever_it_stands_among_the_inputs() {
    let key = "AlloyDBCluster.alloydb.cnrm.cloud.google.com: direct";
    let documents = [manifest(EITHER).text(), context("team-a", key)].join("\n---\n");
    let answers = answers(&documents, &Ask::default());
    assert_eq!(answers[0].controller.controller, Controller::Direct);
}

#[test]
fn a_context_is_read_in_namespaced_mode_and_never_in_cluster_mode() {
    let key = "AlloyDBCluster.alloydb.cnrm.cloud.google.com: direct";
    let object = manifest(EITHER).text();
    for (mode, expected) in [
        ("  mode: namespaced", Controller::Direct),
        ("  googleServiceAccount: x", Controller::Direct),
        ("  mode: \"\"", Controller::Direct),
        ("  mode: cluster", Controller::Tf),
    ] {
        let answer = last_answer(&[&connector(mode), &context("team-a", key), &object], "main");
        assert_eq!(answer.controller.controller, expected, "{mode}");
        assert!(!answer.controller.reason.contains("assumed"), "{mode}");
    }
}

#[test]
fn an_override_that_is_not_supported_or_not_a_controller_falls_back() {
    for value in ["dcl", "nonsense"] {
        let key = format!("AlloyDBCluster.alloydb.cnrm.cloud.google.com: {value}");
        let answer = last_answer(&[&context("team-a", &key), &manifest(EITHER).text()], "main");
        assert_eq!(answer.controller.controller, Controller::Tf, "{value}");
        assert_eq!(answer.controller.decided_by, DecidedBy::Fallback, "{value}");
    }
}

#[test]
fn annotation_spec_context_and_table_are_asked_in_this_order() {
    let key = "SpannerInstance.spanner.cnrm.cloud.google.com: tf";
    let spanner = ("spanner", "SpannerInstance");
    let by =
        |manifest: Manifest| last_answer(&[&context("team-a", key), &manifest.text()], "main").controller.decided_by;
    let labelled = || manifest(spanner).and("spec: {labels: {a: b}}");
    assert_eq!(by(labelled().with(RECONCILER, "direct")), DecidedBy::Annotation);
    assert_eq!(by(labelled()), DecidedBy::Spec);
    assert_eq!(by(manifest(spanner)), DecidedBy::Context);
}

#[test]
fn a_context_under_another_name_is_not_looked_up() {
    let key = "AlloyDBCluster.alloydb.cnrm.cloud.google.com: direct";
    let misnamed = context("team-a", key).replace("name: configconnectorcontext.core", "name: context.core");
    let answer = last_answer(&[&misnamed, &manifest(EITHER).text()], "main");
    assert_eq!(answer.controller.decided_by, DecidedBy::Table);
}

#[test]
fn iam_kinds_with_a_controller_of_their_own_never_go_through_the_choice() {
    for (kind, expected) in [
        ("IAMPolicy", Controller::IamPolicy),
        ("IAMPolicyMember", Controller::IamPolicyMember),
        ("IAMAuditConfig", Controller::IamAuditConfig),
    ] {
        let asked = manifest(("iam", kind)).with(RECONCILER, "direct");
        assert_eq!(chosen(&asked, "main"), (expected, DecidedBy::Table), "{kind}");
        let key = format!("{kind}.iam.cnrm.cloud.google.com: direct");
        let answer = last_answer(&[&context("team-a", &key), &manifest(("iam", kind)).text()], "main");
        assert_eq!(answer.controller.controller, expected, "{kind}");
    }
}

#[test]
fn iam_partial_policy_can_be_direct_from_1_137_0_on_where_its_row_says_so() {
    let asked = || manifest(PARTIAL).with(RECONCILER, "direct");
    assert_eq!(chosen(&asked(), "1.136.0").0, Controller::IamPartialPolicy);
    assert_eq!(chosen(&asked(), "main"), (Controller::Direct, DecidedBy::Annotation));
    assert_eq!(chosen(&manifest(PARTIAL), "main"), (Controller::IamPartialPolicy, DecidedBy::Table));
}

#[test]
fn a_kind_without_a_row_is_reconciled_by_nobody() {
    let answer = answer(&manifest(("logging", "LoggingNoSuchKind")).with(CEILING, "600"));
    assert_eq!(answer.controller.controller, Controller::None);
    assert_eq!(answer.controller.decided_by, DecidedBy::None);
    assert!(answer.controller.reason.contains("no controller reconciles it in main"));
    assert_eq!(answer.ceiling.honoured, Some(false));
    assert!(answer.halt.woken_by.is_empty() && answer.halt.commands.is_empty());
    assert_eq!(codes(&answer), ["no-controller"]);
}

#[test]
fn a_kind_is_told_apart_by_its_group() {
    // serviceusage's Service is Config Connector's; a Service of another of its groups is not in the table.
    assert_eq!(chosen(&manifest(("serviceusage", "Service")), "main").0, Controller::Tf);
    assert_eq!(chosen(&manifest(("logging", "Service")), "main").0, Controller::None);
}

#[test]
fn core_and_customize_groups_configure_kcc_and_are_not_reconciled_by_these_controllers() {
    for (group, kind) in [("core", "ConfigConnector"), ("customize.core", "ControllerReconciler")] {
        let text = format!("apiVersion: {group}.cnrm.cloud.google.com/v1beta1\nkind: {kind}\nmetadata: {{name: x}}");
        let answer = answers(&text, &Ask::default()).remove(0);
        assert_eq!(answer.controller.controller, Controller::None);
        assert_eq!(answer.controller.reason, "configures KCC; not reconciled by these controllers");
        assert!(codes(&answer).is_empty(), "being configuration is not a problem");
    }
}

#[test]
fn kinds_excluded_by_resource_settings_have_no_controller_in_both_forms_that_were_read() {
    let object = manifest(EITHER).text();
    let list = "  mode: namespaced\n  experiments:\n    resourceSettings:\n    - {group: alloydb.cnrm.cloud.google.com, kind: AlloyDBCluster, enabled: false}";
    let enabled = list.replace("false", "true");
    let group = "  experiments:\n    resourceSettings:\n      resources: [{group: alloydb.cnrm.cloud.google.com}]";
    let include = "  experiments:\n    resourceSettings:\n      mode: include\n      resources: [{group: pubsub.cnrm.cloud.google.com}]";
    let included = include.replace("pubsub", "alloydb");
    for (spec, expected) in [
        (list, Controller::None),
        (enabled.as_str(), Controller::Tf),
        (group, Controller::None),
        (include, Controller::None),
        (included.as_str(), Controller::Tf),
    ] {
        let answer = last_answer(&[&connector(spec), &object], "main");
        assert_eq!(answer.controller.controller, expected, "{spec}");
        if expected == Controller::None {
            assert_eq!(answer.controller.decided_by, DecidedBy::Context);
            assert!(answer.controller.reason.contains("read when the controllers start"));
        }
    }
}

#[test]
fn what_connector_and_context_include_adds_up() {
    let include = "  mode: namespaced\n  experiments:\n    resourceSettings:\n      mode: include\n      resources: [{group: pubsub.cnrm.cloud.google.com}]";
    let context = "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnectorContext\nmetadata:\n  \
                   name: configconnectorcontext.core.cnrm.cloud.google.com\n  namespace: team-a\nspec:\n  experiments:\n    \
                   resourceSettings: {mode: include, resources: [{group: alloydb.cnrm.cloud.google.com, kind: AlloyDBCluster}]}";
    let answer = last_answer(&[&connector(include), context, &manifest(EITHER).text()], "main");
    assert_eq!(answer.controller.controller, Controller::Tf);
}

#[test]
fn overrides_for_a_whole_cluster_are_only_a_design_and_one_line_says_so() {
    let spec = "  experiments:\n    controllerOverrides:\n      AlloyDBCluster.alloydb.cnrm.cloud.google.com: direct";
    let documents = [connector(spec), manifest(EITHER).text()].join("\n---\n");
    let report = json(&documents, &[]);
    assert_eq!(report["objects"][1]["controller"]["name"], "tf");
    let problems = report["problems"].as_array().unwrap();
    assert_eq!(problems.iter().filter(|problem| problem["code"] == "context").count(), 1, "{problems:?}");
}

/// Section 2: "IAMPartialPolicy does, from 1.137.0 on, and can be `direct` where its row says so". Its rows: direct is
/// supported in 1.137.0 to 1.137.1 and from 1.139.0 on, not in 1.138.
#[test]
fn iam_partial_policy_chooses_from_1_137_0_exactly_and_is_direct_where_its_row_of_the_release_says_so() {
    use Controller::{Direct, IamPartialPolicy};
    let asked = || manifest(PARTIAL).with(RECONCILER, "direct");
    for (release, controller, by, told) in [
        ("1.136.0", IamPartialPolicy, DecidedBy::Table, "one fixed controller"),
        ("1.136.1", IamPartialPolicy, DecidedBy::Table, "one fixed controller"),
        ("1.137.0", Direct, DecidedBy::Annotation, "asked for"),
        ("1.137.1", Direct, DecidedBy::Annotation, "asked for"),
        ("1.138.0", IamPartialPolicy, DecidedBy::Fallback, "not supported"),
        ("1.139.0", Direct, DecidedBy::Annotation, "asked for"),
        ("main", Direct, DecidedBy::Annotation, "asked for"),
    ] {
        let answer = answer_in(&asked(), release);
        assert_eq!((answer.controller.controller, answer.controller.decided_by), (controller, by), "{release}");
        assert!(answer.controller.reason.contains(told), "{release}: {}", answer.controller.reason);
        let complains = controller == IamPartialPolicy;
        assert_eq!(codes(&answer).contains(&"ineffective-override"), complains, "{release}");
    }
}

/// Section 2: IAMPolicy, IAMPolicyMember and IAMAuditConfig never go through the choice.
#[test]
fn an_override_on_an_iam_kind_with_one_fixed_controller_is_told_to_have_no_effect() {
    for kind in ["IAMPolicy", "IAMPolicyMember", "IAMAuditConfig"] {
        let told = answer(&manifest(("iam", kind)).with(RECONCILER, "direct"));
        assert_eq!(codes(&told), ["ineffective-override"], "{kind}");
        assert_eq!(
            told.problems[0].message,
            format!("{RECONCILER} has no effect on {kind}: it has one fixed controller")
        );
        assert_eq!(told.problems[0].severity.as_str(), "warning");
        assert_eq!(told.problems[0].place.as_ref().map(|place| place.line), Some(7));
        assert!(codes(&answer(&manifest(("iam", kind)))).is_empty(), "{kind}");
        assert!(
            codes(&answer(&manifest(("iam", kind)).with(RECONCILER, ""))).is_empty(),
            "{kind}: empty asks for nothing"
        );
        assert_eq!(told.controller.place, None, "the table decided");
    }
}

#[test]
fn the_empty_annotation_asks_for_nothing_and_is_no_mistake() {
    for value in ["\"\"", "~"] {
        let answer = answer(&manifest(EITHER).raw(RECONCILER, value));
        assert_eq!(answer.controller.decided_by, DecidedBy::Table, "{value}");
        assert!(!codes(&answer).contains(&"ineffective-override"), "{value}");
    }
    let wrong = answer(&manifest(EITHER).with(RECONCILER, "Direct")).problems.remove(0);
    assert_eq!(
        wrong.message,
        format!("{RECONCILER} has an effect only with the exact value direct, not with \"Direct\"")
    );
    assert_eq!(
        wrong.fix.as_deref(),
        Some("write alpha.cnrm.cloud.google.com/reconciler: direct, or remove the annotation")
    );
    // No string at all: the API server refuses it, and it asks for nothing.
    let number = answer(&manifest(EITHER).raw(RECONCILER, "1"));
    assert_eq!((number.controller.decided_by, codes(&number)), (DecidedBy::Table, vec!["not-a-string"]));
}

/// Section 2, step 2: the annotation's rule is of BigQueryTable, the fields' rules of the five kinds.
#[test]
fn rules_by_spec_belong_to_their_kinds() {
    for (kind, spec) in [
        (EITHER, "spec: {labels: {a: b}}"),
        (("compute", "ComputeForwardingRule"), "spec: {labels: {a: b}}"),
        (("compute", "ComputeForwardingRule"), "spec: {location: global}"),
        (("secretmanager", "SecretManagerSecret"), "spec: {edition: x}"),
        (("spanner", "SpannerInstance"), "spec: {location: x}"),
        (("bigquery", "BigQueryTable"), "labels: {a: b}"),
    ] {
        assert_eq!(chosen(&manifest(kind).and(spec), "main"), chosen(&manifest(kind), "main"), "{kind:?} {spec}");
    }
    for kind in [EITHER, ("spanner", "SpannerInstance"), ("secretmanager", "SecretManagerSecret")] {
        let asked = manifest(kind).with("cnrm.cloud.google.com/unmanaged", "spec.x");
        assert_eq!(chosen(&asked, "main"), chosen(&manifest(kind), "main"), "{kind:?}");
    }
}

#[test]
fn a_rule_by_spec_tells_its_field_and_place_and_falls_back_where_direct_is_not_supported() {
    let by_field = answer(&manifest(("spanner", "SpannerInstance")).and("spec:\n  edition: ENTERPRISE")).controller;
    assert_eq!(by_field.reason, "SpannerInstance with spec.edition goes to the direct controller");
    assert_eq!(by_field.place.map(|place| (place.line, place.column)), Some((7, 12)));
    let by_annotation = answer(&manifest(("bigquery", "BigQueryTable")).with("cnrm.cloud.google.com/unmanaged", "x"));
    assert_eq!(
        by_annotation.controller.reason,
        "BigQueryTable with cnrm.cloud.google.com/unmanaged goes to the direct controller"
    );
    assert_eq!(by_annotation.controller.place.map(|place| place.line), Some(7));
    // In releases whose row does not support direct the rule falls back, as every choice does.
    for kind in
        ["BigQueryTable", "ComputeForwardingRule", "ComputeTargetTCPProxy", "SecretManagerSecret", "SpannerInstance"]
    {
        for row in rows().iter().filter(|row| row.kind == kind) {
            let Since::Version(since) = row.since else { continue };
            let spec = match kind {
                "ComputeForwardingRule" => "spec: {target: {googleAPIsBundle: all-apis}}",
                "ComputeTargetTCPProxy" => "spec: {location: x}",
                _ => "spec: {labels: {a: b}}",
            };
            let group = row.group.strip_suffix(".cnrm.cloud.google.com").unwrap();
            let (controller, by) = chosen(&manifest((group, row.kind)).and(spec), &since.to_string());
            let expected = if row.supported.contains(&Controller::Direct) {
                (Controller::Direct, DecidedBy::Spec)
            } else {
                (row.default, DecidedBy::Fallback)
            };
            assert_eq!((controller, by), expected, "{kind} in {since}");
        }
    }
}

#[test]
fn a_kind_says_of_which_releases_its_rows_are_where_it_has_none() {
    // The data file: AIStreamsCluster 1.153.0 to 1.154.1; CCInsightsQAScorecard only main; BigtableBackup from 1.153.0.
    for (kind, release, told) in [
        (("aistreams", "AIStreamsCluster"), "main", "only from 1.153.0 to 1.154.1"),
        (("aistreams", "AIStreamsCluster"), "1.152.0", "only from 1.153.0 to 1.154.1"),
        (("contactcenterinsights", "CCInsightsQAScorecard"), "1.155.1", "only from main (after 1.155.1) on"),
        (("bigtable", "BigtableBackup"), "1.152.0", "only from 1.153.0 on"),
        (("logging", "LoggingNoSuchKind"), "1.155.1", "it has no row in the table of 1.155.1"),
    ] {
        let answer = answer_in(&manifest(kind), release);
        assert_eq!(answer.controller.controller, Controller::None, "{kind:?} in {release}");
        let reason = &answer.controller.reason;
        assert!(reason.starts_with(&format!("no controller reconciles it in {release}:")), "{reason}");
        assert!(reason.ends_with(told), "{reason}");
        assert_eq!(answer.problems[0].message, format!("{}: {reason}", kind.1));
        assert_eq!(answer.problems[0].severity.as_str(), "warning");
    }
}

#[test]
fn the_tables_answer_says_whether_there_was_a_choice() {
    for (kind, reason) in [
        (DIRECT, "its only controller (table of main)"),
        (EITHER, "the default; supported: direct, tf (table of main)"),
        (MEMBER, "this kind has one fixed controller (table of main)"),
        (PARTIAL, "the default; supported: direct, iampartialpolicy (table of main)"),
    ] {
        assert_eq!(answer(&manifest(kind)).controller.reason, reason, "{kind:?}");
    }
    assert_eq!(
        answer_in(&manifest(EITHER), "1.134.1").controller.reason,
        "1.134.1 has no table of controllers (the first is in 1.135.0): not known"
    );
    for (by, word) in [
        (DecidedBy::Annotation, "annotation"),
        (DecidedBy::Spec, "spec"),
        (DecidedBy::Context, "context"),
        (DecidedBy::Table, "table"),
        (DecidedBy::Fallback, "fallback"),
        (DecidedBy::None, "none"),
    ] {
        assert_eq!(by.as_str(), word);
    }
}

/// Head of kcc.md: before 1.135.0 the controller is unknown, whatever is asked for, and nobody complains.
#[test]
fn before_1_135_0_no_choice_is_told_and_iam_kinds_are_judged_by_the_rules_that_are_theirs_in_every_release() {
    for (name, kind) in EVERY_CONTROLLER {
        let told = answer_in(&manifest(kind).with(RECONCILER, "direct"), "1.134.1");
        assert_eq!(told.controller.controller, Controller::Unknown, "{name}");
        assert_eq!(told.controller.supported, []);
        assert!(codes(&told).is_empty(), "{name}: {:?}", codes(&told));
        let iam = name.starts_with("iam");
        let interval = answer_in(&manifest(kind).with(INTERVAL, "0"), "1.134.1").drift;
        assert_eq!(interval.notes.iter().any(|note| note.contains("never skip")), iam, "{name}");
        assert!(!interval.skips_when_up_to_date, "{name}: not known of the others");
    }
}
