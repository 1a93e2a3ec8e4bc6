//! kcc.md sections 2 and 9: whether attempts reach the cloud.

use kcc_backoff::assess::kcc::{Actuation, ActuationMode, ActuationOrigin};

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

const HELD: &str = "nothing reaches the cloud: create, update, delete and drift correction are held";
const SUCCESS: &str = "a paused reconcile is a success, requeued after the jittered drift interval";
const WATCHED: &str = "changing the annotation wakes the object; a change of spec does not resume it";
const UNWATCHED: &str = "unpausing there is not watched: it takes effect at the object's next requeue (with drift \
                         interval \"0\" never by itself)";
const AUTO: &str = "by the design deletion goes on and a change of spec resumes";

/// Sections 2 and 9: what each mode means, by who says so.
#[test]
fn each_mode_has_its_consequences_by_where_it_was_said() {
    let finalizers = format!("{HELD}; finalizers are still added");
    let annotated = |value: &str| answer(&manifest(DIRECT).with(ACTUATION, value)).actuation.notes;
    assert_eq!(annotated("Paused"), [&finalizers, SUCCESS, WATCHED]);
    assert_eq!(annotated("AutoPaused"), [AUTO]);
    for value in ["Reconciling", "", "paused", "Stopped"] {
        assert!(annotated(value).is_empty(), "{value:?}");
    }
    for documents in [&[connector("cluster", "Paused")][..], &[context("Paused")][..]] {
        let documents: Vec<&str> = documents.iter().map(String::as_str).collect();
        assert_eq!(under(&documents).notes, [&finalizers, SUCCESS, UNWATCHED]);
        let nobody = manifest(("logging", "LoggingNoSuchKind")).text();
        let nobody = last_answer(&[&documents[..], &[&nobody]].concat(), "main").actuation;
        assert!(nobody.notes.is_empty(), "nobody acts on it: {:?}", nobody.notes);
    }
    assert!(under(&[&connector("namespaced", "Reconciling")]).notes.is_empty());
}

/// Section 2: "finalizers are still added (not for the four IAM kinds)", by kind whatever the release.
#[test]
fn no_finalizers_are_added_to_the_four_iam_kinds_under_a_pause_before_1_135_0_either() {
    for (name, kind) in EVERY_CONTROLLER {
        for release in ["1.134.1", "1.135.0", "1.155.1", "main"] {
            let documents = format!("{}\n---\n{}", connector("cluster", "Paused"), manifest(kind).text());
            let answer = answers(&documents, &Ask { release, ..Ask::default() }).pop().unwrap();
            assert_eq!(answer.actuation.mode, ActuationMode::Paused);
            let adds = answer.actuation.notes[0].contains("finalizers are still added");
            assert_eq!(adds, !name.starts_with("iam"), "{name} in {release}");
        }
    }
}

#[test]
fn each_mode_and_origin_says_who_says_so_and_where() {
    let of = |value: &str| answer(&manifest(DIRECT).with(ACTUATION, value));
    for (value, mode, word, reason, complaints) in [
        ("Reconciling", ActuationMode::Reconciling, "Reconciling", "the object's annotation says so", 0),
        ("Paused", ActuationMode::Paused, "Paused", "the object's annotation says so", 0),
        (
            "AutoPaused",
            ActuationMode::AutoPaused,
            "AutoPaused",
            "the object's annotation says so, but this value exists only in a design",
            1,
        ),
        (
            "Off",
            ActuationMode::Unsettled,
            "unknown",
            "the object's annotation holds a value whose meaning is not settled upstream",
            1,
        ),
    ] {
        let answer = of(value);
        assert_eq!((answer.actuation.mode, answer.actuation.mode.as_str()), (mode, word));
        assert_eq!(answer.actuation.reason, reason);
        assert_eq!(answer.actuation.origin.as_str(), "annotation");
        assert_eq!(answer.actuation.place.map(|place| place.line), Some(7));
        assert_eq!(answer.problems.len(), complaints, "{value}");
        for problem in &answer.problems {
            assert_eq!((problem.code.as_str(), problem.severity.as_str()), ("unknown-actuation-mode", "warning"));
            let fix = "write cnrm.cloud.google.com/actuation-mode: Paused or Reconciling";
            assert_eq!(problem.fix.as_deref(), Some(fix));
        }
    }
    let built_in = answer(&manifest(DIRECT)).actuation;
    assert_eq!((built_in.origin.as_str(), built_in.place), ("built-in", None));
    assert_eq!(under(&[&connector("namespaced", "Paused")]).origin.as_str(), "connector");
    let by_context = under(&[&connector("namespaced", "Paused"), &context("Reconciling")]);
    assert_eq!(by_context.origin.as_str(), "context");
    assert_eq!(by_context.reason, "the namespace's ConfigConnectorContext says Reconciling");
    // Read from 1.158 on: before, the contexts decide, and that the annotation does nothing is told.
    let before = answer_in(&manifest(DIRECT).with(ACTUATION, "Paused"), "1.157.9");
    assert!(before.problems[0].message.ends_with("has no effect in 1.157.9: it is read from 1.158.0 on"));
    assert_eq!(before.actuation.origin, ActuationOrigin::BuiltIn);
}

/// Section 9: the annotation wins over ConfigConnectorContext and ConfigConnector, and `--set` over what is written.
#[test]
fn an_annotation_that_set_gives_or_takes_away_is_the_one_that_counts() {
    let text = manifest(DIRECT).with(ACTUATION, "Paused").text();
    let given = answers(&text, &Ask { set: &[(ACTUATION, "Reconciling")], ..Ask::default() }).remove(0).actuation;
    assert_eq!((given.mode, given.origin), (ActuationMode::Reconciling, ActuationOrigin::Annotation));
    assert_eq!(given.place, None);
}
