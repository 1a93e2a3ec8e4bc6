//! kcc.md section 6: what deleting an object does, and who is waited for.

use kcc_backoff::assess::Deletion;

use crate::support::*;

const BOTH: &str = "deletionTimestamp: \"2026-11-30T11:00:00Z\"\nfinalizers:\n- cnrm.cloud.google.com/finalizer\n- cnrm.cloud.google.com/deletion-defender\n- example.com/mine";

fn deletion(manifest: &Manifest) -> Deletion<'static> {
    answer(manifest).deletion
}

#[test]
fn deleting_deletes_the_cloud_resource_and_exactly_abandon_keeps_it() {
    for (value, keeps) in [("abandon", true), ("Abandon", false), ("delete", false), ("abandon ", false), ("", false)] {
        let deletion = deletion(&manifest(TF).with(POLICY, value));
        assert_eq!(deletion.abandons, keeps, "{value:?}");
        assert_eq!(deletion.outcome.starts_with("keeps"), keeps, "{value:?}: {}", deletion.outcome);
    }
}

#[test]
fn a_policy_that_looks_like_abandon_is_warned_of_and_any_other_is_only_mentioned() {
    let told = |value| {
        let problems = answer(&manifest(TF).with(POLICY, value)).problems;
        problems.iter().map(|problem| (problem.code.as_str(), problem.severity.as_str())).collect::<Vec<_>>()
    };
    for value in ["Abandon", "abandon ", "abandoned", "ABANDON"] {
        assert_eq!(told(value), [("ineffective-deletion-policy", "warning")], "{value:?}");
    }
    for value in ["delete", "deletion", "none"] {
        assert_eq!(told(value), [("ineffective-deletion-policy", "info")], "{value:?}");
    }
    assert_eq!(told("abandon"), []);
    assert_eq!(told(""), []);
}

#[test]
fn each_finalizer_says_who_is_waited_for() {
    let deletion = deletion(&manifest(TF).metadata(BOTH));
    let told: Vec<(&str, &str)> =
        deletion.finalizers.iter().map(|finalizer| (finalizer.name, finalizer.waits_for.as_ref())).collect();
    assert!(told[0].1.contains("the controller"), "{told:?}");
    assert!(told[1].1.contains("deletion defender"), "{told:?}");
    assert!(told[2].1.contains("not one of Config Connector's"), "{told:?}");
}

#[test]
fn while_the_defender_is_there_direct_waits_and_the_others_ask_again() {
    let waits = |kind| deletion(&manifest(kind).metadata(BOTH)).finalizers.remove(1).waits_for;
    assert!(waits(DIRECT).contains("without retrying"));
    for kind in [TF, DCL, MEMBER] {
        assert!(waits(kind).contains("requeues it on the default ladder"), "{kind:?}");
    }
}

#[test]
fn failing_deletions_use_the_default_ladder_whatever_the_ceiling() {
    for value in ["600", "0"] {
        let retry = deletion(&manifest(DIRECT).with(CEILING, value).metadata(BOTH)).retry.unwrap();
        let ladder = retry.ladder.unwrap();
        assert_eq!((ladder.base().as_millis(), ladder.max().as_secs()), (250, 120));
    }
}

#[test]
fn abandoning_counts_only_after_the_defender_and_direct_looks_first() {
    let direct = deletion(&manifest(DIRECT).with(POLICY, "abandon").metadata(BOTH)).notes.join("; ");
    assert!(
        direct.contains("an error there blocks that") && direct.contains("only once the deletion defender"),
        "{direct}"
    );
    let tf = deletion(&manifest(TF).with(POLICY, "abandon").metadata(BOTH)).notes.join("; ");
    assert!(!tf.contains("an error there blocks that") && tf.contains("only once the deletion defender"), "{tf}");
}

#[test]
fn tf_and_dcl_let_go_when_the_parent_is_gone_and_wait_when_it_is_not_ready() {
    for (kind, told) in [(TF, true), (DCL, true), (DIRECT, false), (MEMBER, false)] {
        let notes = deletion(&manifest(kind).metadata(BOTH)).notes.join("; ");
        assert_eq!(notes.contains("parent object is gone"), told, "{kind:?}");
    }
}

#[test]
fn through_1_155_1_a_direct_lookup_error_drops_the_finalizer() {
    let notes = |release| answer_in(&manifest(DIRECT), release).deletion.notes.join("; ");
    assert!(notes("1.155.1").contains("the finalizer goes and the cloud resource may stay"));
    assert!(notes("1.157.0").contains("not known for 1.157.0"));
    assert!(!notes("main").contains("look-up error"));
}

#[test]
fn a_paused_object_is_not_deleted() {
    let deletion = deletion(&manifest(DIRECT).with(ACTUATION, "Paused").metadata(BOTH));
    assert!(deletion.outcome.contains("not while the object is paused"));
    assert!(deletion.finalizers[0].waits_for.contains("does nothing while the object is paused"));
}

#[test]
fn the_last_finalizer_gone_the_api_server_removes_the_object() {
    let deletion = deletion(&manifest(DIRECT).metadata("deletionTimestamp: \"2026-11-30T11:00:00Z\""));
    assert!(deletion.notes.join("; ").contains("no finalizer is left"));
}

#[test]
fn a_deletion_time_that_cannot_be_read_is_still_a_deletion() {
    let answer = answer(&manifest(DIRECT).metadata("deletionTimestamp: soon"));
    assert_eq!(answer.deletion.requested, Some(None));
    assert_eq!(codes(&answer), ["unreadable-field"]);
}
