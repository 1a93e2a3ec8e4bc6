//! kcc.md sections 3 and 5: whether an error halts an object, whether it is halted, and what wakes it.

use kcc_backoff::assess::NotWaking;
use kcc_backoff::kcc::Wake;

use crate::support::*;

#[test]
fn an_object_with_ceiling_zero_whose_last_reconcile_failed_is_halted() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed"));
    assert_eq!(answer.halt.on_error, Some(true));
    assert_eq!(answer.halt.now, Some(true));
}

#[test]
fn without_a_status_it_is_not_known_whether_it_is_halted() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "0"));
    assert_eq!(answer.halt.now, None);
    assert_eq!(answer.halt.now_reason, "the manifest has no status");
}

#[test]
fn an_edit_that_was_not_observed_yet_leaves_the_halt_unknown() {
    let text = manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed").text();
    let edited = text.replace("  generation: 3", "  generation: 4");
    let answer = answers(&edited, &Ask::default()).remove(0);
    assert_eq!(answer.halt.now, None);
    assert!(answer.halt.now_reason.contains("generation 4 was not observed yet (observed: 3)"));
}

#[test]
fn a_successful_object_is_not_halted() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "0").ready("True", "UpToDate"));
    assert_eq!(answer.halt.now, Some(false));
    assert_eq!(answer.halt.on_error, Some(true));
}

#[test]
fn waiting_for_a_dependency_under_a_halt_is_not_settled_for_main_and_no_halt_before() {
    let waiting = || manifest(DIRECT).with(CEILING, "0").ready("False", "DependencyNotReady");
    let main = answer(&waiting());
    assert_eq!(main.halt.now, None);
    assert!(main.halt.now_reason.contains("not settled"));
    assert_eq!(answer_in(&waiting(), "1.155.1").halt.now, Some(false));
}

#[test]
fn every_edit_that_passes_the_watch_filter_is_named() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "0"));
    assert_eq!(
        answer.halt.woken_by,
        [
            Wake::Spec,
            Wake::Labels,
            Wake::ContainerAnnotations,
            Wake::Ceiling,
            Wake::DriftInterval,
            Wake::ActuationMode,
            Wake::ReconcileCookie,
            Wake::Deletion,
            Wake::ControllerRestart,
        ]
    );
}

#[test]
fn the_watch_filter_is_the_same_for_every_controller() {
    let direct = answer(&manifest(DIRECT)).halt.woken_by;
    for kind in [TF, DCL, MEMBER, PARTIAL] {
        assert_eq!(answer(&manifest(kind)).halt.woken_by, direct, "{kind:?}");
    }
}

#[test]
fn what_does_not_wake_it_is_named() {
    let always = [NotWaking::OtherAnnotations, NotWaking::Status, NotWaking::ReferencedSecrets, NotWaking::EmptyValues];
    assert_eq!(answer(&manifest(DIRECT)).halt.not_woken_by, always);
    assert_eq!(
        answer_in(&manifest(DIRECT), "1.155.1").halt.not_woken_by,
        [&[NotWaking::Ceiling], &always[..]].concat()
    );
    let before = [&[NotWaking::Ceiling, NotWaking::DriftInterval], &always[..]].concat();
    assert_eq!(answer_in(&manifest(DIRECT), "1.137.0").halt.not_woken_by, before);
    // Whether 1.160.0 reads the ceiling is not known, so neither is whether a changed one wakes.
    let unknown = answer_in(&manifest(DIRECT), "1.160.0").halt;
    assert_eq!(unknown.not_woken_by, always);
    assert!(!unknown.woken_by.contains(&Wake::Ceiling));
}

#[test]
fn the_first_command_for_a_halting_object_ends_the_halt_and_the_second_makes_one_attempt() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "0"));
    let commands: Vec<&str> = answer.halt.commands.iter().map(|command| command.line.as_str()).collect();
    assert_eq!(
        commands,
        [
            "kubectl annotate logginglogmetric.logging.cnrm.cloud.google.com/it -n team-a \
             cnrm.cloud.google.com/backoff-max-delay-in-seconds=600 --overwrite",
            "kubectl annotate logginglogmetric.logging.cnrm.cloud.google.com/it -n team-a \
             test.cnrm.cloud.google.com/reconcile-cookie=\"$(date +%s)\" --overwrite",
        ]
    );
}

#[test]
fn an_object_that_nothing_halts_is_woken_by_the_force_reconcile_annotation() {
    let answer = answer(&manifest(TF));
    assert_eq!(answer.halt.commands.len(), 1);
    assert!(answer.halt.commands[0].line.contains("test.cnrm.cloud.google.com/reconcile-cookie="));
}

#[test]
fn names_are_quoted_for_the_shell_and_names_that_no_object_can_have_give_no_command() {
    let named = |name: &str| {
        let text = format!(
            "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata:\n  name: {}",
            serde_json::to_string(name).unwrap()
        );
        answers(&text, &Ask::default()).remove(0).halt
    };
    let placeholder = named("metric-${uniqueId}").commands.remove(0).line;
    assert!(
        placeholder
            .starts_with("kubectl annotate 'logginglogmetric.logging.cnrm.cloud.google.com/metric-${uniqueId}' ")
    );
    let hostile = named("a';rm$IFS-rf$IFS~;'").commands.remove(0).line;
    assert!(hostile.contains("/a'\\'';rm$IFS-rf$IFS~;'\\'''"), "{hostile}");
    for name in ["a\u{1b}[2J", "größe", "a\nb", "a b"] {
        let halt = named(name);
        assert!(halt.commands.is_empty(), "{name:?}");
        assert!(halt.no_command.is_some(), "{name:?}");
    }
}

#[test]
fn an_object_that_is_up_to_date_under_interval_zero_cannot_be_woken_by_an_annotation() {
    let answer = answer(&manifest(DIRECT).with(INTERVAL, "0").ready("True", "UpToDate"));
    assert!(answer.halt.commands.is_empty());
    assert!(answer.halt.no_command.unwrap().contains("only a change of spec"));
}

#[test]
fn an_object_that_is_paused_by_its_annotation_is_resumed_by_it_and_one_paused_elsewhere_by_no_edit_of_its_own() {
    let paused = answer(&manifest(DIRECT).with(ACTUATION, "Paused")).halt;
    assert_eq!(paused.commands.len(), 1);
    assert!(paused.commands[0].line.ends_with(" cnrm.cloud.google.com/actuation-mode=Reconciling --overwrite"));
    let context = "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnectorContext\nmetadata:\n  \
                   name: configconnectorcontext.core.cnrm.cloud.google.com\n  namespace: team-a\nspec:\n  actuationMode: Paused";
    let elsewhere = last_answer(&[context, &manifest(DIRECT).text()], "main").halt;
    assert!(elsewhere.commands.is_empty());
    assert!(elsewhere.no_command.unwrap().contains("no edit of the object resumes it"));
}

#[test]
fn an_invalid_interval_is_woken_by_taking_it_away() {
    let halt = answer(&manifest(TF).with(INTERVAL, "10m")).halt;
    assert_eq!(halt.commands.len(), 1);
    assert!(halt.commands[0].line.contains(" cnrm.cloud.google.com/reconcile-interval-in-seconds- test.cnrm"));
}

#[test]
fn a_direct_object_that_waits_for_the_deletion_defender_is_hurried_by_nothing() {
    let deleting = "deletionTimestamp: \"2026-11-30T11:59:00Z\"\nfinalizers: [cnrm.cloud.google.com/deletion-defender]";
    assert!(answer(&manifest(DIRECT).metadata(deleting)).halt.commands.is_empty());
    assert_eq!(answer(&manifest(TF).metadata(deleting)).halt.commands.len(), 1);
}

#[test]
fn a_healthy_object_under_a_halt_is_not_told_to_give_the_halt_up() {
    let halt = answer(&manifest(DIRECT).with(CEILING, "0").ready("True", "UpToDate")).halt;
    assert_eq!(halt.commands.len(), 1);
    assert!(halt.commands[0].line.contains("reconcile-cookie"));
}

#[test]
fn an_object_without_a_name_has_no_command_and_says_why() {
    let text =
        "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {generateName: a-}";
    let halt = answers(text, &Ask::default()).remove(0).halt;
    assert_eq!(halt.no_command.as_deref(), Some("it has no name in the manifest"));
}
