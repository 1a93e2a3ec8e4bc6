//! kcc.md section 7: what can be told from a status. NOW is 12:00; streaks begin at 03:12, 31,680 s before.

use std::time::Duration;

use kcc_backoff::assess::kcc::{Assessment, Certainty, Live, Next};
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
    // Section 4: a delayed requeue that was pending when the annotation arrived still comes; when that was is not told.
    assert_eq!(
        never(&answer),
        "halted; only a retry that was pending when the ceiling became \"0\" may still come, once"
    );
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
        // Section 3: the watch gives up after a jittered 10 min, and with interval 0 it then waits for ever.
        assert!(never(&silent).contains("after that nothing does"), "{kind}");
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

/// What a row of the tables below expects of the next attempt.
#[derive(Debug, Clone, Copy)]
enum Then {
    /// Within so many seconds from now.
    Within(i64),
    /// Not by itself, for a reason with these words.
    Never(&'static str),
    /// It cannot be told, for a reason with these words.
    Unknown(&'static str),
}

/// Seconds from NOW, negative before it.
fn from_now(time: jiff::Timestamp) -> i64 {
    time.duration_since(NOW.parse().unwrap()).as_secs()
}

/// Checks the next attempt and the count of those the ladder would have made, which there is only where the next one
/// follows from one ladder.
fn check(answer: &Assessment<'_>, then: Then, attempts: Option<u64>, what: &str) {
    let live = answer.live.as_ref().unwrap();
    match (&live.next, then) {
        (Next::Window { from, to, told }, Then::Within(seconds)) => {
            assert_eq!((from_now(*from), from_now(*to)), (0, seconds), "{what}: {}", told.reason);
            assert_eq!(told.certainty, Certainty::Estimated, "{what}");
        }
        (Next::Never { reason }, Then::Never(words)) | (Next::Unknown { reason }, Then::Unknown(words)) => {
            assert!(reason.contains(words), "{what}: {reason}");
        }
        (next, then) => panic!("{what}: {next:?} instead of {then:?}"),
    }
    assert_eq!(live.attempts.as_ref().map(|told| told.value.0), attempts, "{what}");
}

use Then::{Never, Unknown, Within};

/// Attempts and delays after the streak of 31,680 s that `ready` writes.
/// Base 250 ms: attempt 10 at 127.75 s, then (31680 - 127.75) / 120 = 262.9: 272. Base 2 s: attempt 7 at 126 s: 269.
/// Ceiling 600: attempt 11 at 1023 s, then (31680 - 1023) / 600 = 51.1: 62. Ceiling 10: attempt 5 at 15 s, then
/// (31680 - 15) / 10 = 3166.5: 3171.
const DEFAULT: (Then, Option<u64>) = (Within(120), Some(272));
const OLD_DEFAULT: (Then, Option<u64>) = (Within(120), Some(269));
const UNDER_600: (Then, Option<u64>) = (Within(600), Some(62));
const UNDER_10: (Then, Option<u64>) = (Within(10), Some(3171));
/// One and a half times 600 s.
const BY_DRIFT: (Then, Option<u64>) = (Within(900), None);
/// Deletion requested 60 s ago. Base 250 ms: attempt 8 at 31.75 s waits 32 s. Base 2 s: attempt 5 at 30 s waits 32 s.
const DELETING: (Then, Option<u64>) = (Within(32), Some(8));
const OLD_DELETING: (Then, Option<u64>) = (Within(32), Some(5));

/// Sections 2, 3 and 7: every reason with every controller, nothing set.
#[test]
fn each_reason_says_when_the_next_attempt_comes_with_each_controller() {
    let watches = |name: &str| matches!(name, "iampolicy" | "iampolicymember" | "iamauditconfig");
    for (name, kind) in EVERY_CONTROLLER {
        let dependency = if watches(name) { BY_DRIFT } else { DEFAULT };
        let mut cases = vec![
            ("False", "UpdateFailed", DEFAULT),
            ("False", "DeleteFailed", DEFAULT),
            ("False", "PreActuationTransformFailed", DEFAULT),
            ("False", "PostActuationTransformFailed", DEFAULT),
            ("False", "DependencyNotReady", dependency),
            ("False", "DependencyNotFound", dependency),
            ("False", "DependencyInvalid", dependency),
            ("True", "UpToDate", BY_DRIFT),
            ("True", "SomethingNew", BY_DRIFT),
            ("False", "UpToDate", (Unknown("no Ready condition with a reason known"), None)),
            ("False", "SomethingNew", (Unknown("no Ready condition with a reason known"), None)),
            ("False", "Creating", (Unknown("under way"), None)),
            ("False", "Updating", (Unknown("under way"), None)),
            ("False", "Deleting", (Unknown("a deletion that the object does not ask for"), None)),
            ("False", "Deleted", (Unknown("does not ask for deletion"), None)),
            ("False", "Unmanaged", (Never("written once by a separate process and never retried"), None)),
            ("False", "Paused", (Unknown("nothing among the inputs pauses the object"), None)),
        ];
        match name {
            "direct" => cases.push(("False", "ManagementConflict", (Unknown("takes no lease"), None))),
            "tf" | "dcl" => cases.push(("False", "ManagementConflict", DEFAULT)),
            _ => {}
        }
        for (status, reason, (then, attempts)) in cases {
            let answer = answer(&manifest(kind).ready(status, reason));
            check(&answer, then, attempts, &format!("{name} {status} {reason}"));
            let failing = attempts.is_some() || (reason.starts_with("Dependency")) || reason == "ManagementConflict";
            assert_eq!(answer.live.unwrap().streak.is_some(), failing, "{name} {reason}");
        }
    }
    let answer = answer(&manifest(("logging", "LoggingNoSuchKind")).ready("False", "UpdateFailed"));
    check(&answer, Never("no controller reconciles the object"), None, "no controller");
    assert_eq!(answer.live.unwrap().outcome, Outcome::Failed, "what the status says is still told");
}

/// Section 3: Dataflow jobs in a final state are False with reason UpToDate, requeued by the drift interval; on other
/// kinds that means nothing known.
#[test]
fn false_and_up_to_date_means_a_finished_job_on_dataflow_kinds_only() {
    for (kind, outcome) in [
        (("dataflow", "DataflowJob"), Outcome::Finished),
        (("dataflow", "DataflowFlexTemplateJob"), Outcome::Finished),
        (DIRECT, Outcome::Unknown),
        (TF, Outcome::Unknown),
        (("composer", "ComposerEnvironment"), Outcome::Unknown),
    ] {
        let answer = answer(&manifest(kind).ready("False", "UpToDate"));
        assert_eq!(answer.live.as_ref().unwrap().outcome, outcome, "{kind:?}");
        if outcome == Outcome::Finished {
            check(&answer, Within(900), None, "finished");
        }
    }
    let finished = manifest(("dataflow", "DataflowJob")).with(INTERVAL, "0").ready("False", "UpToDate");
    check(&answer(&finished), Never("no periodic requeue"), None, "finished under interval 0");
}

/// Sections 3, 4 and 9: ceiling, release and what the user knows of releases.
#[test]
fn a_ceiling_and_the_release_decide_the_ladder_of_a_failing_object() {
    let longer_of_two = |seconds| (Within(seconds), None);
    let lease = (Unknown("takes no lease"), None);
    let unsettled = (Unknown("not settled for main"), None);
    let not_known = (Unknown("not known"), None);
    let (failed, dependency, transform) = ("UpdateFailed", "DependencyNotReady", "PreActuationTransformFailed");
    let cases = [
        (DIRECT, "600", failed, "main", None, UNDER_600),
        (DIRECT, "600", "DeleteFailed", "main", None, UNDER_600),
        (DIRECT, "10", failed, "main", None, UNDER_10),
        (DIRECT, "+600", failed, "main", None, UNDER_600),
        (DIRECT, "10m", failed, "main", None, DEFAULT),
        (DIRECT, "", failed, "main", None, DEFAULT),
        (DIRECT, "0", failed, "main", None, (Never("halted"), None)),
        // Not settled for main whether a ceiling governs these: the longer of both ladders bounds the window.
        (DIRECT, "600", dependency, "main", None, longer_of_two(600)),
        (DIRECT, "600", transform, "main", None, longer_of_two(600)),
        (DIRECT, "10", dependency, "main", None, longer_of_two(120)),
        (DIRECT, "10", transform, "main", None, longer_of_two(120)),
        (DIRECT, "0", dependency, "main", None, unsettled),
        (DIRECT, "0", transform, "main", None, unsettled),
        (DIRECT, "10m", dependency, "main", None, DEFAULT),
        (DIRECT, "0", "ManagementConflict", "main", None, lease),
        (DIRECT, "600", "ManagementConflict", "main", None, lease),
        // Releases up to 1.159 ignore it.
        (DIRECT, "600", failed, "1.155.1", None, DEFAULT),
        (DIRECT, "600", dependency, "1.159.0", None, DEFAULT),
        (DIRECT, "600", transform, "1.159.0", None, DEFAULT),
        (DIRECT, "0", failed, "1.155.1", None, DEFAULT),
        (DIRECT, "0", dependency, "1.155.1", None, DEFAULT),
        (DIRECT, "600", failed, "1.154.1", None, OLD_DEFAULT),
        (DIRECT, "0", failed, "1.134.0", None, OLD_DEFAULT),
        // Unknown above that: one of two ladders, or a halt or none.
        (DIRECT, "600", failed, "1.160.0", None, longer_of_two(600)),
        (DIRECT, "10", failed, "1.160.0", None, longer_of_two(120)),
        (DIRECT, "600", dependency, "1.160.0", None, longer_of_two(600)),
        (DIRECT, "0", failed, "1.160.0", None, not_known),
        (DIRECT, "10m", failed, "1.160.0", None, DEFAULT),
        (DIRECT, "", failed, "1.160.0", None, DEFAULT),
        (DIRECT, "600", failed, "1.160.0", Some("1.160.0"), UNDER_600),
        (DIRECT, "0", failed, "1.160.0", Some("1.160.0"), (Never("halted"), None)),
        (DIRECT, "600", failed, "1.160.0", Some("1.161.0"), DEFAULT),
        (DIRECT, "600", failed, "main", Some("1.161.0"), UNDER_600),
        // Only direct reads it.
        (TF, "600", failed, "main", None, DEFAULT),
        (TF, "0", failed, "main", None, DEFAULT),
        (TF, "0", failed, "1.160.0", None, DEFAULT),
        (DCL, "10", dependency, "main", None, DEFAULT),
        (PARTIAL, "0", failed, "main", None, DEFAULT),
        (PARTIAL, "600", dependency, "main", None, DEFAULT),
        (MEMBER, "0", failed, "main", None, DEFAULT),
        (MEMBER, "600", dependency, "main", None, BY_DRIFT),
        (MEMBER, "600", dependency, "1.134.0", None, BY_DRIFT),
    ];
    for (kind, ceiling, reason, release, since, (then, attempts)) in cases {
        let text = manifest(kind).with(CEILING, ceiling).ready("False", reason).text();
        let answer = answers(&text, &Ask { release, since, set: &[] }).remove(0);
        check(&answer, then, attempts, &format!("{kind:?} {ceiling:?} {reason} {release} since {since:?}"));
    }
}

/// A streak of some seconds, in place of the 31,680.
fn young(manifest: Manifest, since: &str) -> String {
    manifest.text().replace("2026-11-30T03:12:00Z", since)
}

/// Section 3: whether the ceiling's ladder or the default one, the longer delay bounds the window. 15.5 s after the
/// first failure: ceiling ladder 0, 1, 3, 7, 15 s, so at attempt 5 with 16 s; default 0 … 7.75 s, so at attempt 6 with
/// 8 s. 20 s after it: ceiling 10 at attempt 5 with 10 s; default at attempt 7 (15.75 s) with 16 s.
#[test]
fn of_two_possible_ladders_the_longer_delay_bounds_the_window() {
    for (ceiling, since, longest) in [
        ("600", "2026-11-30T11:59:44.5Z", 16),
        ("10", "2026-11-30T11:59:44.5Z", 10),
        ("10", "2026-11-30T11:59:40Z", 16),
    ] {
        let text = young(manifest(DIRECT).with(CEILING, ceiling).ready("False", "DependencyNotReady"), since);
        let answer = answers(&text, &Ask::default()).remove(0);
        check(&answer, Within(longest), None, &format!("{ceiling} since {since}"));
        match answer.live.unwrap().next {
            Next::Window { told, .. } => assert!(told.reason.contains("not settled for main"), "{}", told.reason),
            other => panic!("{other:?}"),
        }
        let unknown = young(manifest(DIRECT).with(CEILING, ceiling).ready("False", "UpdateFailed"), since);
        let unknown = answers(&unknown, &Ask { release: "1.160.0", ..Ask::default() }).remove(0);
        check(&unknown, Within(longest), None, &format!("{ceiling} since {since} in 1.160.0"));
    }
    // Without a time the longest delay of either bounds it.
    let text = manifest(DIRECT).with(CEILING, "600").ready("False", "DependencyNotReady").text();
    let text = text.replace("    lastTransitionTime: \"2026-11-30T03:12:00Z\"\n", "");
    check(&answers(&text, &Ask::default()).remove(0), Within(600), None, "no time");
}

#[test]
fn a_young_streak_stands_low_on_its_ladder() {
    for (ceiling, since, within, attempts) in [
        // 5 s: default attempt 5 (3.75 s) waits 4 s; ceiling attempt 3 (3 s) waits 4 s, or 3 s under a ceiling of 3.
        (None, "2026-11-30T11:59:55Z", 4, 5),
        (Some("600"), "2026-11-30T11:59:55Z", 4, 3),
        (Some("3"), "2026-11-30T11:59:55Z", 3, 3),
        // Ceiling 1: one attempt a second, the first at 0: 6 in 5 s.
        (Some("1"), "2026-11-30T11:59:55Z", 1, 6),
        // A streak that begins now has made its first attempt.
        (Some("600"), NOW, 1, 1),
    ] {
        let mut asked = manifest(DIRECT).ready("False", "UpdateFailed");
        if let Some(ceiling) = ceiling {
            asked = asked.with(CEILING, ceiling);
        }
        let answer = answers(&young(asked, since), &Ask::default()).remove(0);
        check(&answer, Within(within), Some(attempts), &format!("{ceiling:?} since {since}"));
    }
}

/// Section 9: AutoPaused exists only in a design, and other values are not settled.
#[test]
fn under_an_actuation_mode_that_is_not_settled_nothing_is_told_of_the_next_attempt() {
    for mode in ["AutoPaused", "paused"] {
        let answer = answer(&manifest(DIRECT).with(CEILING, "0").with(ACTUATION, mode).ready("False", "UpdateFailed"));
        assert_eq!(answer.halt.now, None, "{mode}");
        let live = answer.live.unwrap();
        match &live.next {
            Next::Unknown { reason } => assert!(reason.contains("not settled upstream"), "{mode}: {reason}"),
            other => panic!("{mode}: {other:?}"),
        }
        assert_eq!(live.attempts, None, "{mode}");
    }
}

/// Sections 3 and 9: being deleted, everything is on the default ladder, which begins with the request.
#[test]
fn an_object_that_is_being_deleted_is_on_the_default_ladder_with_every_controller_reason_and_ceiling() {
    for (name, kind) in EVERY_CONTROLLER {
        for (status, reason) in [
            ("True", "UpToDate"),
            ("False", "UpdateFailed"),
            ("False", "DeleteFailed"),
            ("False", "Deleting"),
            ("False", "DependencyNotReady"),
            ("False", "ManagementConflict"),
            ("False", "PreActuationTransformFailed"),
            ("False", "Updating"),
            ("False", "Deleted"),
            ("False", "SomethingNew"),
            // It was not managed once; its request to be deleted is still an error's ladder if somebody manages it now.
            ("False", "Unmanaged"),
        ] {
            for (release, (then, attempts)) in [("main", DELETING), ("1.160.0", DELETING), ("1.154.1", OLD_DELETING)] {
                for ceiling in [None, Some("0"), Some("600"), Some("10"), Some("x")] {
                    let mut asked = manifest(kind).ready(status, reason).metadata(&deleting(FINALIZER));
                    if let Some(ceiling) = ceiling {
                        asked = asked.with(CEILING, ceiling);
                    }
                    let answer = answer_in(&asked, release);
                    check(&answer, then, attempts, &format!("{name} {reason} {ceiling:?} {release}"));
                    let since = answer.live.unwrap().attempts.unwrap().value.1;
                    assert_eq!(from_now(since), -60, "{name} {reason}: since the request");
                }
            }
        }
    }
}

/// Section 6: who is waited for; section 2: a pause holds deletion, too.
#[test]
fn what_is_left_of_the_finalizers_decides_whether_an_object_being_deleted_is_looked_at() {
    let both = format!("{FINALIZER}, {DEFENDER}");
    let defender = (Never("waits for the deletion defender"), None);
    let gone = (Never("no finalizer is left"), None);
    let others = (Never("Config Connector is done with it"), None);
    let foreign = format!("example.com/mine, {FINALIZER}");
    for (name, kind) in EVERY_CONTROLLER {
        let defended = if name == "direct" { defender } else { DELETING };
        for (finalizers, (then, attempts)) in [
            ("", gone),
            ("example.com/mine", others),
            (FINALIZER, DELETING),
            (&foreign, DELETING),
            (DEFENDER, defended),
            (&both, defended),
        ] {
            let asked = || manifest(kind).ready("False", "DeleteFailed").metadata(&deleting(finalizers));
            check(&answer(&asked()), then, attempts, &format!("{name} {finalizers}"));
            let (then, attempts) = if then_is_window(then) { BY_DRIFT } else { (then, attempts) };
            check(&answer(&asked().with(ACTUATION, "Paused")), then, attempts, &format!("{name} {finalizers} paused"));
        }
    }
    let alive = manifest(DIRECT).ready("False", "UpdateFailed").metadata(&format!("finalizers: [{both}]"));
    check(&answer(&alive), Within(120), Some(272), "the defender is waited for only when a deletion is asked for");
}

fn then_is_window(then: Then) -> bool {
    matches!(then, Within(_))
}

/// Section 4: the counter goes on if the deletion was asked for before the streak began.
#[test]
fn the_streak_of_a_deletion_begins_with_the_later_of_request_and_first_failure() {
    let at = |requested: &str, status: &str, reason: &str| {
        let asked = manifest(TF)
            .ready(status, reason)
            .metadata(&format!("deletionTimestamp: \"{requested}\"\nfinalizers: [{FINALIZER}]"));
        answer(&asked)
    };
    check(&at("2026-11-30T02:00:00Z", "False", "DeleteFailed"), Within(120), Some(272), "request first");
    check(&at("2026-11-30T11:59:00Z", "False", "DeleteFailed"), Within(32), Some(8), "failure first");
    // A success before the request is no streak: 35,880 s since 02:02: (35880 - 127.75) / 120 = 297.9, so 10 + 297.
    check(&at("2026-11-30T02:02:00Z", "True", "UpToDate"), Within(120), Some(307), "no failure");
    let unreadable = manifest(TF)
        .ready("False", "DeleteFailed")
        .metadata(&format!("deletionTimestamp: soon\nfinalizers: [{FINALIZER}]"));
    check(&answer(&unreadable), Within(120), Some(272), "a time that cannot be read");
    let nothing =
        manifest(TF).ready("True", "UpToDate").metadata(&format!("deletionTimestamp: soon\nfinalizers: [{FINALIZER}]"));
    check(&answer(&nothing), Within(120), None, "nothing says since when");
}

/// Sections 2 and 9: a paused reconcile is a success, requeued by the drift interval, whatever else is so.
#[test]
fn a_paused_object_is_requeued_by_the_drift_interval_whatever_its_status_and_ceiling() {
    for (status, reason) in
        [("False", "Paused"), ("False", "UpdateFailed"), ("True", "UpToDate"), ("False", "DependencyNotReady")]
    {
        for (name, kind) in EVERY_CONTROLLER {
            for ceiling in ["", "0", "600"] {
                let asked = manifest(kind).with(CEILING, ceiling).with(ACTUATION, "Paused").ready(status, reason);
                check(&answer(&asked), Within(900), None, &format!("{name} {reason} {ceiling:?}"));
                check(&answer(&asked.with(INTERVAL, "20")), Within(30), None, &format!("{name} {reason} {ceiling:?}"));
            }
        }
    }
    let silent = manifest(DIRECT).with(ACTUATION, "Paused").with(INTERVAL, "0").ready("False", "Paused");
    check(&answer(&silent), Never("no periodic requeue"), None, "interval 0");
    // Not read before 1.158.
    let before = manifest(DIRECT).with(ACTUATION, "Paused").ready("False", "UpdateFailed");
    check(&answer_in(&before, "1.157.0"), Within(120), Some(272), "1.157.0");
    // A change of spec does not resume it.
    let edited = manifest(DIRECT).with(ACTUATION, "Paused").ready("False", "Paused").text();
    let edited = answers(&edited.replace("  generation: 3", "  generation: 4"), &Ask::default()).remove(0);
    check(&edited, Within(900), None, "edited while paused");
    // Unmanaged is never retried, paused or not.
    let unmanaged = manifest(TF).with(ACTUATION, "Paused").ready("False", "Unmanaged");
    check(&answer(&unmanaged), Never("never retried"), None, "unmanaged");
}

/// Section 3: the default ladder for ever, whatever the ceiling says, and the status tells nothing of it.
#[test]
fn an_invalid_interval_is_on_the_default_ladder_whatever_status_ceiling_and_controller() {
    for (name, kind) in EVERY_CONTROLLER {
        for (status, reason) in [
            ("True", "UpToDate"),
            ("False", "UpdateFailed"),
            ("False", "DependencyNotReady"),
            ("False", "Updating"),
            ("False", "SomethingNew"),
        ] {
            for ceiling in ["", "0", "600", "10"] {
                for interval in ["", "10m", "-1"] {
                    let asked = manifest(kind).with(CEILING, ceiling).with(INTERVAL, interval).ready(status, reason);
                    check(&answer(&asked), Within(120), None, &format!("{name} {reason} {ceiling:?} {interval:?}"));
                }
            }
        }
    }
    let deleting = manifest(TF).with(INTERVAL, "10m").ready("False", "DeleteFailed").metadata(&deleting(FINALIZER));
    check(&answer(&deleting), Within(120), None, "stuck until the value is mended");
}

/// Section 7: generation against observedGeneration.
#[test]
fn an_edit_that_was_not_observed_is_due_now_except_where_a_repeated_message_leaves_it_behind() {
    let due = (Within(0), None);
    let cases = [
        ("True", "UpToDate", None, Some(true), due),
        ("False", "UpdateFailed", None, Some(true), due),
        ("False", "UpdateFailed", Some("0"), Some(true), due),
        ("False", "UpdateFailed", Some("600"), Some(true), due),
        ("False", "Updating", None, Some(true), due),
        ("False", "SomethingNew", None, Some(true), due),
        ("False", "DependencyNotReady", None, None, DEFAULT),
        ("False", "PreActuationTransformFailed", None, None, DEFAULT),
    ];
    for (status, reason, ceiling, behind, (then, attempts)) in cases {
        let mut asked = manifest(DIRECT).ready(status, reason);
        if let Some(ceiling) = ceiling {
            asked = asked.with(CEILING, ceiling);
        }
        let text = asked.text().replace("  generation: 3", "  generation: 4");
        let answer = answers(&text, &Ask::default()).remove(0);
        assert_eq!(answer.live.as_ref().unwrap().behind, behind, "{reason}");
        check(&answer, then, attempts, &format!("{reason} {ceiling:?}"));
    }
    for (generation, observed, behind, words) in [
        ("  generation: 3\n", "  observedGeneration: 3\n", Some(false), "generation 3 was observed"),
        ("  generation: 2\n", "  observedGeneration: 3\n", Some(false), "generation 2 was observed"),
        (
            "  generation: 4\n",
            "  observedGeneration: 3\n",
            Some(true),
            "generation 4 was not observed yet (observed: 3)",
        ),
        ("", "  observedGeneration: 3\n", None, "not in the manifest"),
        ("  generation: 3\n", "", None, "not in the manifest"),
    ] {
        let text = manifest(DIRECT).ready("False", "UpdateFailed").text();
        let text = text.replace("  generation: 3\n", generation).replace("  observedGeneration: 3\n", observed);
        let live = answers(&text, &Ask::default()).remove(0).live.unwrap();
        assert_eq!(live.behind, behind, "{generation:?} {observed:?}");
        assert!(live.generation_reason.contains(words), "{}", live.generation_reason);
    }
    // A request to delete raises the generation, too.
    let asked = manifest(DIRECT).ready("False", "UpdateFailed").metadata(&deleting(FINALIZER)).text();
    let answer = answers(&asked.replace("  generation: 3", "  generation: 4"), &Ask::default()).remove(0);
    assert_eq!(answer.live.as_ref().unwrap().behind, None);
    check(&answer, Within(32), Some(8), "deleting");
}

/// Section 7: tf and dcl rewrite the status at every failed apply, so the entry of managedFields is the last attempt.
/// Of every other case the last attempt is only estimated.
#[test]
fn the_last_attempt_is_known_only_for_a_failing_apply_of_tf_and_dcl() {
    let written = || managed("2026-11-30T11:59:00Z");
    let failed = |kind| manifest(kind).ready("False", "UpdateFailed");
    let known = [
        ("tf", failed(TF).metadata(&written())),
        ("dcl", failed(DCL).metadata(&written())),
        ("tf by table though direct could", failed(EITHER).metadata(&written())),
        ("tf under a ceiling that it ignores", failed(TF).with(CEILING, "0").metadata(&written())),
        ("tf with interval 0, which stops no error retries", failed(TF).with(INTERVAL, "0").metadata(&written())),
        ("tf reconciling by annotation", failed(TF).with(ACTUATION, "Reconciling").metadata(&written())),
    ];
    for (what, asked) in known {
        let live = live(&asked);
        let last = live.last_attempt.as_ref().unwrap();
        assert_eq!((last.certainty, from_now(last.value.from), from_now(last.value.to)), (Certainty::Known, -60, -60));
        // 120 s after the last attempt: 60 s from now.
        assert_eq!(window(&live), (0, 60), "{what}");
        assert_eq!(live.attempts.unwrap().value.0, 272, "{what}");
    }
    let estimated = [
        ("direct", failed(DIRECT)),
        ("direct by annotation", failed(EITHER).with(RECONCILER, "direct")),
        ("iampartialpolicy", failed(PARTIAL)),
        ("iampolicymember", failed(MEMBER)),
        ("DeleteFailed", manifest(TF).ready("False", "DeleteFailed")),
        ("DependencyNotReady", manifest(TF).ready("False", "DependencyNotReady")),
        ("ManagementConflict", manifest(TF).ready("False", "ManagementConflict")),
        ("PreActuationTransformFailed", manifest(TF).ready("False", "PreActuationTransformFailed")),
        ("deleting", failed(TF).metadata(&deleting(FINALIZER))),
        ("paused", failed(TF).with(ACTUATION, "Paused")),
        ("invalid interval", failed(TF).with(INTERVAL, "10m")),
    ];
    for (what, asked) in estimated {
        let last = live(&asked.metadata(&written())).last_attempt.unwrap();
        assert_eq!(last.certainty, Certainty::Estimated, "{what}");
        // The status changed at 11:59:00, which is later than one delay (120 s) ago or the request to delete.
        let from = if what == "deleting" { -32 } else { -60 };
        assert_eq!((from_now(last.value.from), from_now(last.value.to)), (from, 0), "{what}");
    }
    for (what, asked) in [
        ("succeeding", manifest(TF).ready("True", "UpToDate")),
        ("unmanaged", manifest(TF).ready("False", "Unmanaged")),
        ("under way", manifest(TF).ready("False", "Updating")),
    ] {
        assert_eq!(live(&asked.metadata(&written())).last_attempt, None, "{what}");
    }
}

#[test]
fn a_last_attempt_is_never_in_the_future_and_one_at_this_moment_counts() {
    let failed = |time: &str| live(&manifest(TF).ready("False", "UpdateFailed").metadata(&managed(time)));
    let future = failed("2026-11-30T12:00:01Z");
    let last = future.last_attempt.as_ref().unwrap();
    assert_eq!((last.certainty, from_now(last.value.from), from_now(last.value.to)), (Certainty::Estimated, -120, 0));
    assert_eq!(window(&future), (0, 120));
    let now = failed(NOW);
    let last = now.last_attempt.as_ref().unwrap();
    assert_eq!((last.certainty, from_now(last.value.from)), (Certainty::Known, 0));
    assert_eq!(window(&now), (0, 120));
}

/// The streak is 20 s old and the last attempt was 4 s ago, at 16 s: attempt 7 (15.75 s), which waits 16 s, so the
/// next is due in 12 s. Counted from now it would be 16 s.
#[test]
fn a_known_last_attempt_bounds_the_window_and_not_the_current_time() {
    let text = young(
        manifest(TF).ready("False", "UpdateFailed").metadata(&managed("2026-11-30T11:59:56Z")),
        "2026-11-30T11:59:40Z",
    );
    let live = answers(&text, &Ask::default()).remove(0).live.unwrap();
    assert_eq!(window(&live), (0, 12));
    match &live.next {
        Next::Window { told, .. } => assert_eq!(told.reason, "at most 16 s after the last attempt"),
        other => panic!("{other:?}"),
    }
    // 30 s into a streak of 40 s: attempt 7 again, so due 16 s after 11:59:50; by now the ladder would stand at attempt 8.
    let text = young(
        manifest(TF).ready("False", "UpdateFailed").metadata(&managed("2026-11-30T11:59:50Z")),
        "2026-11-30T11:59:20Z",
    );
    let live = answers(&text, &Ask::default()).remove(0).live.unwrap();
    assert_eq!((window(&live), live.attempts.unwrap().value.0), ((0, 6), 8));
    // Due at 12:00:00 exactly is not overdue; a second earlier is.
    let due =
        |written: &str| match live_of(manifest(TF).ready("False", "UpdateFailed").metadata(&managed(written))).next {
            Next::Window { from, to, told } => (from_now(from), from_now(to), told.reason.contains("was due")),
            other => panic!("{other:?}"),
        };
    assert_eq!(due("2026-11-30T11:58:00Z"), (0, 0, false));
    assert_eq!(due("2026-11-30T11:57:59Z"), (0, 0, true));
}

fn live_of(manifest: Manifest) -> Live<'static> {
    live(&manifest)
}

/// Section 7: the entry with manager cnrm-controller-manager and subresource status; the latest of several.
#[test]
fn of_managed_fields_only_the_controllers_latest_write_of_the_status_counts() {
    let entry = |manager: &str, rest: &str| format!("- manager: {manager}\n  operation: Update{rest}\n");
    let status = "\n  subresource: status\n  time: \"2026-11-30T11:59:00Z\"";
    let earlier = "\n  subresource: status\n  time: \"2026-11-30T11:00:00Z\"";
    let ours = "cnrm-controller-manager";
    let expected = Some("2026-11-30T11:59:00Z".parse::<jiff::Timestamp>().unwrap());
    let cases = [
        (vec![entry(ours, status)], expected),
        (vec![entry(ours, earlier), entry(ours, status)], expected),
        (vec![entry(ours, status), entry(ours, earlier)], expected),
        (vec![entry("kubectl", status)], None),
        (vec![entry("cnrm-controller-manager2", status)], None),
        (vec![entry(ours, "\n  time: \"2026-11-30T11:59:00Z\"")], None),
        (vec![entry(ours, &status.replace("status", "scale"))], None),
        (vec![entry(ours, "\n  subresource: status\n  time: soon"), entry(ours, status)], expected),
        (vec![entry(ours, "\n  subresource: status")], None),
        (vec![entry("kubectl", &status.replace("11:59", "12:00")), entry(ours, status)], expected),
    ];
    for (entries, expected) in cases {
        let text = manifest(TF).metadata(&format!("managedFields:\n{}", entries.concat())).text();
        let metadata = facts(&text).metadata;
        assert_eq!(metadata.last_status_write, expected, "{entries:?}");
        assert!(metadata.problems.is_empty(), "{:?}", metadata.problems);
    }
}

#[test]
fn a_null_deletion_timestamp_is_no_deletion() {
    for written in ["~", "null", ""] {
        let answer = answer(&manifest(DIRECT).metadata(&format!("deletionTimestamp: {written}")));
        assert_eq!(answer.deletion.requested, None, "{written:?}");
        assert!(answer.problems.is_empty());
    }
}

/// Section 5: any condition that is True with reason UpToDate.
#[test]
fn up_to_date_means_that_any_condition_is_true_for_that_reason() {
    let status = |conditions: &str| manifest(DIRECT).and(&format!("status:\n  conditions:\n{conditions}")).text();
    for (conditions, expected) in [
        ("  - {type: Ready, status: \"True\", reason: UpToDate}", true),
        ("  - {type: Ready, status: True, reason: UpToDate}", true),
        ("  - {type: Other, status: \"True\", reason: UpToDate}", true),
        (
            "  - {type: Ready, status: \"False\", reason: X}\n  - {type: Other, status: \"True\", reason: UpToDate}",
            true,
        ),
        ("  - {type: Ready, status: \"False\", reason: UpToDate}", false),
        ("  - {type: Ready, status: \"True\", reason: SomethingNew}", false),
        ("  - {type: Ready, status: \"True\"}", false),
        ("  - {type: Ready, reason: UpToDate}", false),
        ("  - {type: A, status: \"True\", reason: X}\n  - {type: B, status: \"False\", reason: UpToDate}", false),
        ("  - {}", false),
    ] {
        assert_eq!(facts(&status(conditions)).status.unwrap().up_to_date, expected, "{conditions}");
    }
}

/// Section 7: `Ready` is the only condition type.
#[test]
fn only_the_condition_of_type_ready_is_judged_and_unquoted_booleans_are_its_status() {
    for (conditions, expected) in [
        (
            "  - {type: Other, status: \"False\", reason: UpdateFailed}\n  - {type: Ready, status: \"True\", reason: UpToDate}",
            Outcome::UpToDate,
        ),
        ("  - {type: Ready, status: True, reason: UpToDate}", Outcome::UpToDate),
        ("  - {type: Ready, status: False, reason: UpdateFailed}", Outcome::Failed),
        ("  - {type: Ready, status: False, reason: Whatever}", Outcome::Unknown),
        ("  - {type: Ready, status: True, reason: Whatever}", Outcome::UpToDate),
        ("  - {type: ready, status: \"False\", reason: UpdateFailed}", Outcome::Unknown),
        ("  - {type: Other, status: \"False\", reason: UpdateFailed}", Outcome::Unknown),
        ("  - {type: Ready, status: \"False\"}", Outcome::Unknown),
        ("  - {}", Outcome::Unknown),
    ] {
        let asked = manifest(DIRECT).and(&format!("status:\n  conditions:\n{conditions}"));
        let live = live(&asked);
        assert_eq!(live.outcome, expected, "{conditions}");
        let written = live.ready.map(|ready| ready.status.clone());
        let quoted = conditions.contains("type: Ready");
        assert_eq!(written.is_some(), quoted, "{conditions}");
        assert!(written.is_none_or(|written| written == "True" || written == "False"), "{conditions}");
    }
}

#[test]
fn a_generation_or_a_time_that_cannot_be_read_is_told_at_its_place() {
    let generation = answer(&manifest(DIRECT).metadata("generation: three"));
    let told: Vec<_> = generation.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(told, ["metadata.generation is not a whole number"]);
    assert_eq!(generation.problems[0].place.as_ref().map(|place| (place.line, place.column)), Some((6, 15)));
    assert_eq!(generation.problems[0].severity.as_str(), "warning");
    assert!(answer(&manifest(DIRECT).metadata("generation: ~")).problems.is_empty());

    let text = young(manifest(DIRECT).ready("False", "UpdateFailed"), "yesterday");
    let answer = answers(&text, &Ask::default()).remove(0);
    assert_eq!(codes(&answer), ["unreadable-field"]);
    assert!(answer.problems[0].message.starts_with("lastTransitionTime of Ready is not a time"));
    assert_eq!(answer.problems[0].place.as_ref().map(|place| (place.line, place.column)), Some((14, 25)));
    check(&answer, Within(120), None, "a window without a streak");
    // A condition that is not Ready does not matter, nor one without a time.
    let other =
        young(manifest(DIRECT).ready("False", "UpdateFailed"), "yesterday").replace("type: Ready", "type: Other");
    assert!(answers(&other, &Ask::default())[0].problems.is_empty());
    let deletion = self::answer(&manifest(DIRECT).metadata("deletionTimestamp: soon"));
    assert!(deletion.problems[0].message.starts_with("metadata.deletionTimestamp is not a time"));
}

/// Section 5, interval 0: the object is skipped while it is up to date; the IAM kinds never skip, but nothing requeues
/// them either.
#[test]
fn interval_zero_ends_periodic_requeues_but_no_error_retries() {
    for (name, kind) in EVERY_CONTROLLER {
        let done = answer(&manifest(kind).with(INTERVAL, "0").ready("True", "UpToDate"));
        let iam = name.starts_with("iam");
        let why = if iam { "no periodic requeue" } else { "up to date and its drift interval is \"0\"" };
        check(&done, Never(why), None, name);
        let failing = answer(&manifest(kind).with(INTERVAL, "0").ready("False", "UpdateFailed"));
        check(&failing, Within(120), Some(272), name);
    }
    let other_reason = answer(&manifest(TF).with(INTERVAL, "0").ready("True", "SomethingNew"));
    check(&other_reason, Never("no periodic requeue"), None, "True for another reason is not skipped");
}

#[test]
fn what_is_estimated_says_what_it_follows_from() {
    let direct = live(&manifest(DIRECT).ready("False", "UpdateFailed"));
    match &direct.next {
        Next::Window { told, .. } => assert_eq!(told.reason, "the ladder stands at a delay of 2 min"),
        other => panic!("{other:?}"),
    }
    assert_eq!(
        direct.attempts.unwrap().reason,
        "if attempts take no time and the controller did not restart",
        "section 7: a restart clears the counters"
    );
    assert_eq!(direct.last_attempt.unwrap().reason, "the delay that its ladder stands at");
    let tf = live(&manifest(TF).ready("False", "UpdateFailed").metadata(&managed("2026-11-30T11:59:00Z")));
    assert_eq!(
        tf.last_attempt.unwrap().reason,
        "managedFields: the tf controller rewrites the status at every failed attempt"
    );
    // 25 s into the streak its ladder stands at attempt 7 (15.75 s) and a delay of 16 s. Under a ceiling of 600, 15.5 s
    // into it, at attempt 5 (15 s) and 16 s: but before the streak began there was no attempt.
    for (ceiling, since, from) in [
        ("x", "2026-11-30T11:59:35Z", "2026-11-30T11:59:44Z"),
        ("600", "2026-11-30T11:59:44.5Z", "2026-11-30T11:59:44.5Z"),
    ] {
        let text = young(manifest(DIRECT).with(CEILING, ceiling).ready("False", "UpdateFailed"), since);
        let last = answers(&text, &Ask::default()).remove(0).live.unwrap().last_attempt.unwrap();
        assert_eq!(last.value.from, from.parse().unwrap(), "{ceiling}");
    }
}
