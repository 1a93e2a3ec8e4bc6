//! kcc.md section 7: what can be told from a status. NOW is 12:00; streaks begin at 03:12, 31,680 s before.

use std::time::Duration;

use kcc_backoff::assess::{Assessment, Certainty, Live, Next};
use kcc_backoff::kcc::Outcome;

use crate::support::*;

fn live(manifest: &Manifest) -> Live<'static> {
    answer(manifest).live.unwrap()
}

fn managed(time: &str) -> String {
    format!(
        "managedFields:\n- manager: cnrm-controller-manager\n  subresource: status\n  operation: Update\n  time: \"{time}\"\n- manager: kubectl\n  operation: Apply\n  time: \"2026-11-30T11:59:59Z\""
    )
}

/// The window of the next attempt in seconds from NOW.
fn window(live: &Live<'_>) -> (i64, i64) {
    match &live.next {
        Next::Window { from, to, .. } => {
            let now: jiff::Timestamp = NOW.parse().unwrap();
            (from.duration_since(now).as_secs(), to.duration_since(now).as_secs())
        }
        other => panic!("{other:?}"),
    }
}

fn never<'a>(answer: &'a Assessment<'_>) -> &'a str {
    match &answer.live.as_ref().unwrap().next {
        Next::Never { reason } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_manifest_without_a_status_tells_nothing_about_now() {
    assert_eq!(answer(&manifest(DIRECT)).live, None);
    assert_eq!(answer(&manifest(DIRECT).and("status: {}")).live, None);
}

#[test]
fn last_transition_time_is_the_start_of_the_streak_never_the_last_attempt() {
    let live = live(&manifest(DIRECT).ready("False", "UpdateFailed"));
    assert_eq!(live.outcome, Outcome::Failed);
    let streak = live.streak.unwrap();
    assert_eq!(streak.certainty, Certainty::Known);
    assert_eq!(streak.value.1, Duration::from_secs(31_680));
    assert_eq!(live.last_attempt.unwrap().certainty, Certainty::Estimated);
}

#[test]
fn the_attempts_that_the_ladder_would_have_made_are_counted() {
    // Default ladder: attempt 10 at 127.75 s, then one every 120 s: (31680 - 127.75) / 120 = 262.9, so 10 + 262.
    let default = live(&manifest(DIRECT).ready("False", "UpdateFailed"));
    assert_eq!(default.attempts.as_ref().unwrap().value.0, 272);
    assert_eq!(default.attempts.unwrap().certainty, Certainty::Estimated);
    // Ceiling 600: attempt 11 at 1023 s, then one every 600 s: (31680 - 1023) / 600 = 51.1, so 11 + 51.
    let ceiling = live(&manifest(DIRECT).with(CEILING, "600").ready("False", "UpdateFailed"));
    assert_eq!(ceiling.attempts.unwrap().value.0, 62);
    // 2 s base before 1.155.0: attempt 7 at 126 s, (31680 - 126) / 120 = 262.9, so 7 + 262.
    let old = answer_in(&manifest(DIRECT).ready("False", "UpdateFailed"), "1.154.1").live.unwrap();
    assert_eq!(old.attempts.unwrap().value.0, 269);
}

#[test]
fn a_direct_object_is_tried_again_within_the_step_that_its_ladder_stands_at() {
    assert_eq!(window(&live(&manifest(DIRECT).ready("False", "UpdateFailed"))), (0, 120));
    assert_eq!(window(&live(&manifest(DIRECT).with(CEILING, "600").ready("False", "UpdateFailed"))), (0, 600));
}

#[test]
fn on_tf_and_dcl_the_last_write_of_the_status_is_the_last_attempt() {
    for kind in [TF, DCL] {
        let live = live(&manifest(kind).ready("False", "UpdateFailed").metadata(&managed("2026-11-30T11:59:00Z")));
        let last = live.last_attempt.as_ref().unwrap();
        assert_eq!(last.certainty, Certainty::Known, "{kind:?}");
        let at = "2026-11-30T11:59:00Z".parse().unwrap();
        assert_eq!((last.value.from, last.value.to), (at, at));
        // 120 s after 11:59:00 is 12:01:00.
        assert_eq!(window(&live), (0, 60), "{kind:?}");
    }
}

#[test]
fn on_direct_the_last_write_of_the_status_is_not_the_last_attempt() {
    let live = live(&manifest(DIRECT).ready("False", "UpdateFailed").metadata(&managed("2026-11-30T03:12:00Z")));
    let last = live.last_attempt.unwrap();
    assert_eq!(last.certainty, Certainty::Estimated);
    // Its ladder stands at 120 s, so the last attempt was not before 11:58:00, whatever was written at 03:12.
    assert_eq!(last.value.from, "2026-11-30T11:58:00Z".parse().unwrap());
    assert_eq!(last.value.to, NOW.parse().unwrap());
}

#[test]
fn an_attempt_that_was_due_long_ago_says_that_the_manifest_is_old() {
    let live = live(&manifest(TF).ready("False", "UpdateFailed").metadata(&managed("2026-11-30T10:00:00Z")));
    match live.next {
        Next::Window { told, .. } => assert!(told.reason.contains("it was due 1 h 58 min ago"), "{}", told.reason),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_halted_object_has_no_next_attempt() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed"));
    assert_eq!(never(&answer), "halted");
    assert_eq!(answer.live.unwrap().attempts, None);
}

#[test]
fn an_edit_that_was_not_observed_makes_an_attempt_due_now() {
    let text = manifest(DIRECT).ready("False", "UpdateFailed").text().replace("  generation: 3", "  generation: 5");
    let live = answers(&text, &Ask::default()).remove(0).live.unwrap();
    assert_eq!(live.behind, Some(true));
    assert_eq!(window(&live), (0, 0));
}

#[test]
fn repeated_dependency_conflict_and_transform_messages_may_leave_the_observed_generation_behind() {
    for reason in
        ["DependencyNotReady", "ManagementConflict", "PreActuationTransformFailed", "PostActuationTransformFailed"]
    {
        let text = manifest(TF).ready("False", reason).text().replace("  generation: 3", "  generation: 5");
        let live = answers(&text, &Ask::default()).remove(0).live.unwrap();
        assert_eq!(live.behind, None, "{reason}");
        assert!(live.generation_reason.contains(reason));
    }
}

#[test]
fn a_dependency_wait_is_retried_by_the_default_ladder_except_on_three_iam_kinds() {
    for kind in [DIRECT, TF, DCL, PARTIAL] {
        let live = live(&manifest(kind).ready("False", "DependencyNotReady"));
        assert_eq!(live.outcome, Outcome::Dependency);
        assert_eq!(window(&live), (0, 120), "{kind:?}");
    }
    for kind in ["IAMPolicy", "IAMPolicyMember", "IAMAuditConfig"] {
        let live = live(&manifest(("iam", kind)).ready("False", "DependencyNotReady"));
        // The drift interval: 1.5 · 600 s at the latest.
        assert_eq!(window(&live), (0, 900), "{kind}");
        assert_eq!(live.attempts, None, "{kind}");
        let silent = answer(&manifest(("iam", kind)).with(INTERVAL, "0").ready("False", "DependencyNotReady"));
        assert_eq!(never(&silent), "it has no periodic requeue", "{kind}");
    }
}

#[test]
fn a_direct_dependency_wait_under_a_ceiling_is_not_stretched_by_it() {
    let released = answer_in(&manifest(DIRECT).with(CEILING, "600").ready("False", "DependencyNotReady"), "1.155.1");
    assert_eq!(window(&released.live.unwrap()), (0, 120));
}

#[test]
fn an_up_to_date_object_is_looked_at_within_one_and_a_half_intervals() {
    assert_eq!(window(&live(&manifest(DIRECT).ready("True", "UpToDate"))), (0, 900));
    assert_eq!(window(&live(&manifest(TF).with(INTERVAL, "20").ready("True", "UpToDate"))), (0, 30));
    let never_again = answer(&manifest(DIRECT).with(INTERVAL, "0").ready("True", "UpToDate"));
    assert!(never(&never_again).contains("drift interval is \"0\""));
}

#[test]
fn a_finished_dataflow_job_is_requeued_by_the_drift_interval() {
    let live = live(&manifest(("dataflow", "DataflowJob")).ready("False", "UpToDate"));
    assert_eq!(live.outcome, Outcome::Finished);
    assert_eq!(window(&live), (0, 900));
}

#[test]
fn a_conflict_is_an_error_on_the_default_ladder() {
    let live = live(&manifest(TF).ready("False", "ManagementConflict"));
    assert_eq!(live.outcome, Outcome::Conflict);
    assert_eq!(window(&live), (0, 120));
}

#[test]
fn an_unmanaged_object_is_never_retried() {
    let answer = answer(&manifest(TF).ready("False", "Unmanaged"));
    assert!(never(&answer).contains("never retried"));
}

#[test]
fn a_paused_object_is_requeued_by_the_drift_interval() {
    let live = live(&manifest(TF).with(ACTUATION, "Paused").ready("False", "Paused"));
    assert_eq!(live.outcome, Outcome::Paused);
    assert_eq!(window(&live), (0, 900));
}

#[test]
fn an_invalid_interval_loops_on_the_default_ladder_and_the_status_tells_nothing_of_it() {
    let live = live(&manifest(DIRECT).with(INTERVAL, "x").ready("True", "UpToDate"));
    assert_eq!(window(&live), (0, 120));
}

#[test]
fn a_deletion_starts_its_own_ladder() {
    let deleting = "deletionTimestamp: \"2026-11-30T11:59:00Z\"\nfinalizers: [cnrm.cloud.google.com/finalizer]";
    let live = live(&manifest(DIRECT).with(CEILING, "0").ready("False", "DeleteFailed").metadata(deleting));
    // 60 s after the request: attempt 8 is at 31.75 s and waits 32 s, attempt 9 would be at 63.75 s.
    assert_eq!(live.attempts.as_ref().unwrap().value.0, 8);
    assert_eq!(window(&live), (0, 32));
}

#[test]
fn a_direct_deletion_waits_for_the_defender_without_retrying() {
    let deleting = "deletionTimestamp: \"2026-11-30T11:59:00Z\"\nfinalizers: [cnrm.cloud.google.com/finalizer, cnrm.cloud.google.com/deletion-defender]";
    let direct = answer(&manifest(DIRECT).ready("False", "Deleting").metadata(deleting));
    assert!(never(&direct).contains("deletion defender"));
    let tf = live(&manifest(TF).ready("False", "Deleting").metadata(deleting));
    assert_eq!(window(&tf), (0, 32));
}

#[test]
fn an_object_that_is_being_deleted_is_on_the_default_ladder_whatever_its_status_still_says() {
    let deleting = "deletionTimestamp: \"2026-11-30T11:59:00Z\"\nfinalizers: [cnrm.cloud.google.com/finalizer]";
    for (status, reason) in [("True", "UpToDate"), ("False", "Deleting"), ("False", "UpdateFailed")] {
        let live = live(&manifest(DIRECT).ready(status, reason).metadata(deleting));
        assert_eq!(window(&live), (0, 32), "{reason}");
    }
}

#[test]
fn a_reason_that_is_not_known_is_said_to_be_so() {
    let live = live(&manifest(DIRECT).ready("False", "BrandNewReason"));
    assert_eq!(live.outcome, Outcome::Unknown);
    assert!(matches!(live.next, Next::Unknown { .. }));
}

#[test]
fn a_status_from_the_future_tells_nothing_and_is_no_panic() {
    let text = manifest(DIRECT).ready("False", "UpdateFailed").text().replace("2026-11-30T03", "2027-11-30T03");
    let live = answers(&text, &Ask::default()).remove(0).live.unwrap();
    match &live.next {
        Next::Unknown { reason } => assert!(reason.contains("newer than the time that is asked about"), "{reason}"),
        other => panic!("{other:?}"),
    }
    assert_eq!((live.attempts, live.last_attempt), (None, None));
}

#[test]
fn where_it_is_not_known_whether_an_object_is_halted_no_attempts_are_counted() {
    let live = live(&manifest(DIRECT).with(CEILING, "0").ready("False", "DependencyNotFound"));
    assert!(matches!(live.next, Next::Unknown { .. }));
    assert_eq!((live.attempts, live.last_attempt), (None, None));
}

#[test]
fn an_object_that_only_foreign_finalizers_hold_is_not_looked_at_again() {
    let deleting = "deletionTimestamp: \"2026-11-30T11:59:00Z\"\nfinalizers: [example.com/mine]";
    let answer = answer(&manifest(TF).ready("False", "Deleted").metadata(deleting));
    assert!(never(&answer).contains("the finalizers that are left are others'"));
}

#[test]
fn a_ready_condition_without_a_time_still_has_a_window() {
    let text = manifest(DIRECT)
        .ready("False", "UpdateFailed")
        .text()
        .replace("    lastTransitionTime: \"2026-11-30T03:12:00Z\"\n", "");
    let live = answers(&text, &Ask::default()).remove(0).live.unwrap();
    assert_eq!((live.streak.is_none(), live.attempts.is_none()), (true, true));
    assert_eq!(window(&live), (0, 120));
}
