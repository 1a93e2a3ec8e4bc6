//! kcc.md sections 2 and 9: whether attempts reach the cloud.

use kcc_backoff::assess::{Actuation, ActuationMode, ActuationOrigin};

use crate::support::*;

fn connector(mode: &str, actuation: &str) -> String {
    let mode = if mode.is_empty() { String::new() } else { format!("  mode: {mode}\n") };
    format!(
        "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnector\nmetadata:\n  \
         name: configconnector.core.cnrm.cloud.google.com\nspec:\n{mode}  actuationMode: {actuation}"
    )
}

fn context(actuation: &str) -> String {
    format!(
        "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnectorContext\nmetadata:\n  \
         name: configconnectorcontext.core.cnrm.cloud.google.com\n  namespace: team-a\nspec:\n  actuationMode: {actuation}"
    )
}

fn under(documents: &[&str]) -> Actuation<'static> {
    let object = manifest(DIRECT).text();
    last_answer(&[documents, &[&object]].concat(), "main").actuation
}

#[test]
fn objects_are_reconciled_unless_something_says_otherwise() {
    let actuation = answer(&manifest(DIRECT)).actuation;
    assert_eq!((actuation.mode, actuation.origin), (ActuationMode::Reconciling, ActuationOrigin::BuiltIn));
}

#[test]
fn the_annotation_counts_from_1_158_on() {
    let paused = || manifest(TF).with(ACTUATION, "Paused");
    let before = answer_in(&paused(), "1.157.0");
    assert_eq!(before.actuation.mode, ActuationMode::Reconciling);
    assert_eq!(codes(&before), ["unknown-actuation-mode"]);
    for release in ["1.158.0", "main"] {
        let after = answer_in(&paused(), release).actuation;
        assert_eq!((after.mode, after.origin), (ActuationMode::Paused, ActuationOrigin::Annotation), "{release}");
        assert!(after.notes.join(" ").contains("a change of spec does not resume it"));
    }
}

#[test]
fn the_annotation_wins_over_context_and_connector() {
    let object = manifest(DIRECT).with(ACTUATION, "Reconciling").text();
    let answer = last_answer(&[&connector("namespaced", "Paused"), &context("Paused"), &object], "main");
    assert_eq!(answer.actuation.mode, ActuationMode::Reconciling);
    assert_eq!(answer.actuation.origin, ActuationOrigin::Annotation);
}

#[test]
fn a_context_wins_over_the_connector_only_if_its_mode_is_literally_namespaced() {
    let cases = [
        ("namespaced", ActuationMode::Reconciling, ActuationOrigin::Context),
        ("", ActuationMode::Paused, ActuationOrigin::Connector),
        ("cluster", ActuationMode::Paused, ActuationOrigin::Connector),
    ];
    for (mode, expected, origin) in cases {
        let actuation = under(&[&connector(mode, "Paused"), &context("Reconciling")]);
        assert_eq!((actuation.mode, actuation.origin), (expected, origin), "mode {mode:?}");
    }
}

#[test]
fn a_context_without_a_connector_is_read_on_the_assumption_of_namespaced_mode() {
    let actuation = under(&[&context("Paused")]);
    assert_eq!((actuation.mode, actuation.origin), (ActuationMode::Paused, ActuationOrigin::Context));
    assert!(actuation.reason.contains("assumed"));
    assert_eq!(actuation.place.map(|place| place.line), Some(7));
}

#[test]
fn unpausing_a_context_is_not_watched() {
    let notes = under(&[&context("Paused")]).notes.join(" ");
    assert!(notes.contains("not watched") && notes.contains("never by itself"), "{notes}");
}

#[test]
fn a_pause_still_adds_finalizers_except_on_the_four_iam_kinds() {
    for (kind, adds) in [(DIRECT, true), (TF, true), (MEMBER, false), (PARTIAL, false)] {
        let notes = answer(&manifest(kind).with(ACTUATION, "Paused")).actuation.notes.join(" ");
        assert_eq!(notes.contains("finalizers are still added"), adds, "{kind:?}");
    }
}

#[test]
fn auto_paused_does_not_belong_in_a_manifest_and_other_values_are_not_settled() {
    let auto = answer(&manifest(DIRECT).with(ACTUATION, "AutoPaused"));
    assert_eq!(auto.actuation.mode, ActuationMode::AutoPaused);
    assert!(auto.problems[0].message.contains("does not belong in a manifest"));
    let other = answer(&manifest(DIRECT).with(ACTUATION, "paused"));
    assert_eq!(other.actuation.mode, ActuationMode::Unsettled);
    assert!(other.problems[0].message.contains("not settled upstream"));
}

#[test]
fn an_empty_annotation_is_as_good_as_none() {
    let actuation = answer(&manifest(DIRECT).with(ACTUATION, "")).actuation;
    assert_eq!(actuation.origin, ActuationOrigin::BuiltIn);
}
