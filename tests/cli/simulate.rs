//! `simulate`: when the retries of one object come. Expected times are worked out from the rules of kcc.md sections 3 to
//! 8 and console.md 2.2 and 2.3, in the comments or by arithmetic written out.

use std::process::Output;

use serde_json::Value;

use crate::support::{CEILING, DIRECT, INTERVAL, MEMBER, TF, binary, deleting, manifest, stderr, stdout};

const START: &str = "2026-11-30T03:12:00Z";

fn run(args: &[&str]) -> Output {
    run_on("", args)
}

/// A run with a manifest in `manifest.yaml`.
pub fn run_on(text: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    binary(folder.path()).arg("simulate").args(args).args(["--now", START]).output().unwrap()
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)))
}

/// The one course of a run without an object.
fn course(args: &[&str]) -> Value {
    let all = json_of(&run(&[args, &["-o", "json"]].concat()));
    let objects = all["objects"].as_array().unwrap().clone();
    assert_eq!(objects.len(), 1, "{objects:?}");
    objects[0].clone()
}

/// The one course of a run on a manifest.
fn course_of(text: &str, args: &[&str]) -> Value {
    let all = json_of(&run_on(text, &[&["manifest.yaml", "-o", "json"], args].concat()));
    let objects = all["objects"].as_array().unwrap().clone();
    assert_eq!(objects.len(), 1, "{objects:?}");
    objects[0].clone()
}

/// Time, outcome, delay and cause of each attempt.
fn attempts(course: &Value) -> Vec<(f64, String, Option<f64>, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    course["attempts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|attempt| {
            let at = attempt["atSeconds"].as_f64().unwrap();
            (at, text(&attempt["outcome"]), attempt["nextSeconds"].as_f64(), text(&attempt["cause"]))
        })
        .collect()
}

fn times(course: &Value) -> Vec<f64> {
    attempts(course).into_iter().map(|attempt| attempt.0).collect()
}

fn failed(at: f64, next: f64, cause: &str) -> (f64, String, Option<f64>, String) {
    (at, "failed".into(), Some(next), cause.into())
}

fn halted(at: f64) -> (f64, String, Option<f64>, String) {
    (at, "failed".into(), None, "halt".into())
}

fn succeeded(at: f64, next: f64) -> (f64, String, Option<f64>, String) {
    (at, "succeeded".into(), Some(next), "drift".into())
}

/// Section 4: base · 2^n capped at 120 s, base 250 ms. The tenth would be 128 s.
#[test]
fn ten_failures_on_the_default_ladder_of_main() {
    let course = course(&["--failures", "10"]);
    let mut expected = Vec::new();
    let (mut at, mut delay) = (0.0, 0.25);
    for _ in 0..9 {
        expected.push(failed(at, delay, "ladder"));
        at += delay;
        delay *= 2.0;
    }
    expected.push(failed(127.75, 120.0, "ceiling"));
    assert_eq!(attempts(&course), expected);
    assert_eq!(course["policy"], "default");
    assert_eq!(course["haltedAtEnd"], false);
    assert_eq!(course["ref"], Value::Null);
}

#[test]
fn ten_failures_are_simulated_if_nothing_is_said() {
    assert_eq!(attempts(&course(&[])), attempts(&course(&["--failures", "10"])));
}

/// Section 4: 2 s before 1.155.0. 2 · 2^6 = 128 s is past 120.
#[test]
fn before_1_155_0_the_default_ladder_begins_at_two_seconds() {
    let course = course(&["--failures", "8", "--kcc-version", "1.154.1"]);
    assert_eq!(times(&course), [0.0, 2.0, 6.0, 14.0, 30.0, 62.0, 126.0, 246.0]);
}

/// Section 9: the ladder for "10" is 1, 2, 4, 8, 10, 10; no bucket. A ceiling that is a power of two is a step.
#[test]
fn a_ceiling_is_reached_by_doubling_from_one_second() {
    let ten = course(&["--policy", "ceiling", "--max-delay", "10", "--failures", "6"]);
    let causes = ["ladder", "ladder", "ladder", "ladder", "ceiling", "ceiling"];
    let delays = [1.0, 2.0, 4.0, 8.0, 10.0, 10.0];
    let at = [0.0, 1.0, 3.0, 7.0, 15.0, 25.0];
    let expected: Vec<_> = (0..6).map(|index| failed(at[index], delays[index], causes[index])).collect();
    assert_eq!(attempts(&ten), expected);
    let four = course(&["--policy", "ceiling", "--max-delay", "4", "--failures", "4"]);
    assert_eq!(
        attempts(&four),
        [
            failed(0.0, 1.0, "ladder"),
            failed(1.0, 2.0, "ladder"),
            failed(3.0, 4.0, "ladder"),
            failed(7.0, 4.0, "ceiling")
        ]
    );
}

#[test]
fn a_ceiling_is_shown_beside_the_default_ladder_and_zero_halts() {
    let both = json_of(&run(&["--max-delay", "0", "-o", "json"]));
    let policies: Vec<&Value> = both["objects"].as_array().unwrap().iter().map(|course| &course["policy"]).collect();
    assert_eq!(policies, ["default", "halt"]);
    assert_eq!(attempts(&both["objects"][1]), [halted(0.0)]);
    assert_eq!(both["objects"][1]["haltedAtEnd"], true);
    assert_eq!(both["objects"][0]["haltedAtEnd"], false);
}

/// console.md 2.3: 5 ms to 1000 s without a bucket; 5 ms · 2^18 = 1310.72 s is past it.
#[test]
fn the_plural_console_retries_from_five_milliseconds_to_a_thousand_seconds() {
    let course = course(&["--policy", "plural", "--failures", "20"]);
    let delays: Vec<f64> = attempts(&course).into_iter().filter_map(|attempt| attempt.2).collect();
    let expected: Vec<f64> =
        (0..20).map(|n| (5_000_000_u64 << n) as f64 / 1e9).map(|delay| delay.min(1000.0)).collect();
    assert_eq!(delays, expected);
    assert_eq!(attempts(&course)[17].3, "ladder");
    assert_eq!(attempts(&course)[18].3, "ceiling");
    assert_eq!(course["policy"], "plural");
}

#[test]
fn policies_are_compared_in_the_order_given() {
    let all = json_of(&run(&["--compare", "default,600,0,plural,controller-runtime", "--failures", "2", "-o", "json"]));
    let told: Vec<(String, Vec<f64>)> = all["objects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|course| (course["policy"].as_str().unwrap().to_owned(), times(course)))
        .collect();
    let expected = [
        ("default", vec![0.0, 0.25]),
        ("ceiling", vec![0.0, 1.0]),
        ("halt", vec![0.0]),
        ("plural", vec![0.0, 0.005]),
        ("controller-runtime", vec![0.0, 0.005]),
    ];
    assert_eq!(told, expected.map(|(policy, times)| (policy.to_owned(), times)));
}

#[test]
fn another_base_delay_is_the_first_of_every_ladder() {
    let all = json_of(&run(&["--base-delay", "3s", "--max-delay", "10", "--failures", "4", "-o", "json"]));
    assert_eq!(times(&all["objects"][0]), [0.0, 3.0, 9.0, 21.0]);
    // 3, 6, then 12 is past the ceiling.
    assert_eq!(times(&all["objects"][1]), [0.0, 3.0, 9.0, 19.0]);
}

/// Section 4: the delay starts when the failing reconcile ends.
#[test]
fn delays_count_from_the_end_of_an_attempt() {
    let course = course(&["--reconcile-duration", "2s", "--failures", "4"]);
    // 0 to 2, +0.25; 2.25 to 4.25, +0.5; 4.75 to 6.75, +1; 7.75.
    assert_eq!(times(&course), [0.0, 2.25, 4.75, 7.75]);
}

#[test]
fn until_includes_its_instant_and_sets_no_limit_of_failures() {
    // Attempts 10, 11 … at 127.75 + 120 k; 1207.75 = 127.75 + 9 · 120.
    let to_the_instant = course(&["--until", "1207.75s"]);
    assert_eq!(times(&to_the_instant).len(), 10 + 9);
    assert_eq!(times(&to_the_instant).last(), Some(&1207.75));
    let just_before = course(&["--until", "1207.749999999s"]);
    assert_eq!(times(&just_before).len(), 10 + 8);
    assert_eq!(to_the_instant["endedBy"], "until");
    assert_eq!(to_the_instant["nextAtSeconds"], 1327.75);
    let both = course(&["--until", "1h", "--failures", "3"]);
    assert_eq!(times(&both), [0.0, 0.25, 0.75]);
}

/// Section 3: a success is requeued after the drift interval, 10 min on average.
#[test]
fn after_so_many_failures_attempts_succeed_and_the_drift_interval_follows() {
    let course = course(&["--succeed-after", "3"]);
    let expected =
        [failed(0.0, 0.25, "ladder"), failed(0.25, 0.5, "ladder"), failed(0.75, 1.0, "ladder"), succeeded(1.75, 600.0)];
    assert_eq!(attempts(&course), expected);
    assert_eq!(course["endedBy"], "settled");
    let at_once = self::course(&["--succeed-after", "0", "--until", "20m"]);
    assert_eq!(attempts(&at_once), [succeeded(0.0, 600.0), succeeded(600.0, 600.0), succeeded(1200.0, 600.0)]);
}

/// Section 1: drawn uniformly from [interval/2, 3·interval/2).
#[test]
fn drift_requeues_come_at_the_ends_or_the_middle_of_their_range_or_are_drawn() {
    let delays = |jitter: &str| -> Vec<f64> {
        let course = course(&["--succeed-after", "0", "--until", "5h", "--jitter", jitter]);
        attempts(&course).into_iter().filter_map(|attempt| attempt.2).collect()
    };
    assert!(delays("min").iter().all(|delay| *delay == 300.0));
    assert!(delays("mean").iter().all(|delay| *delay == 600.0));
    assert!(delays("max").iter().all(|delay| *delay == 900.0));
    let drawn = delays("7");
    assert!(drawn.iter().all(|delay| (300.0..900.0).contains(delay)), "{drawn:?}");
    assert!(drawn.windows(2).any(|pair| pair[0] != pair[1]));
    assert_eq!(drawn, delays("7"), "the same seed");
    assert_ne!(drawn, delays("8"));
}

/// What was recorded with the implementation (section 8): default ladder for 10 s, then "0", then mended, then deleted.
/// The requeue that is pending when the annotation arrives, 8 s after 7.75 s, still causes an attempt.
#[test]
fn the_upstream_recording_is_reproduced() {
    let args = [
        "--event",
        "10s=annotate:ceiling=0",
        "--event",
        "20s=spec",
        "--event",
        "20s=succeeds",
        "--event",
        "20s=delete",
        "--until",
        "1m",
    ];
    let course = course(&args);
    let expected = [
        failed(0.0, 0.25, "ladder"),
        failed(0.25, 0.5, "ladder"),
        failed(0.75, 1.0, "ladder"),
        failed(1.75, 2.0, "ladder"),
        failed(3.75, 4.0, "ladder"),
        failed(7.75, 8.0, "ladder"),
        halted(10.0),
        halted(15.75),
        (20.0, "succeeded".into(), None, "gone".into()),
    ];
    assert_eq!(attempts(&course), expected);
}

#[test]
fn halted_at_the_end_is_what_the_last_attempt_did_even_if_an_older_delayed_add_is_pending() {
    let course = course(&["--event", "10s=annotate:ceiling=0", "--until", "12s"]);
    assert_eq!(course["haltedAtEnd"], true);
    assert_eq!(course["nextAtSeconds"], 15.75);
}

/// Section 4: of several delayed adds the earliest counts and the others vanish; an immediate add does not cancel a
/// pending one. A 120 s retry survives a success and its 10 min requeue.
#[test]
fn a_pending_retry_survives_a_success_and_the_requeue_of_that_success_vanishes() {
    // The tenth failure at 127.75 leaves 120 s: 247.75. The edit at 200 s succeeds and asks for 600 s, which is later.
    let course = course(&["--event", "200s=succeeds", "--event", "200s=spec", "--until", "900s"]);
    let after: Vec<_> = attempts(&course).into_iter().skip(10).collect();
    assert_eq!(after, [succeeded(200.0, 600.0), succeeded(247.75, 600.0), succeeded(847.75, 600.0)]);
    let triggers: Vec<&Value> =
        course["attempts"].as_array().unwrap()[10..].iter().map(|one| &one["trigger"]).collect();
    assert_eq!(triggers, ["spec", "retry", "drift"]);
}

/// Section 4: a change of spec does not reset the direct counter; only a success does.
#[test]
fn an_edit_that_fails_under_a_ceiling_goes_on_with_the_counter_where_it_was() {
    let course = course(&["--policy", "ceiling", "--max-delay", "600", "--event", "20s=spec", "--until", "60s"]);
    // 0, 1, 3, 7, 15 leaves 16 s: 31. The edit at 20 is the sixth failure: 32 s, later than 31, so it vanishes. The
    // seventh, at 31, leaves 64 s.
    let expected = [
        failed(0.0, 1.0, "ladder"),
        failed(1.0, 2.0, "ladder"),
        failed(3.0, 4.0, "ladder"),
        failed(7.0, 8.0, "ladder"),
        failed(15.0, 16.0, "ladder"),
        failed(20.0, 32.0, "ladder"),
        failed(31.0, 64.0, "ladder"),
    ];
    assert_eq!(attempts(&course), expected);
}

/// Section 4: removing the annotation leaves the direct counter as it was; the workqueue's was forgotten each time.
#[test]
fn a_removed_ceiling_starts_the_default_ladder_and_a_new_one_goes_on_with_the_old_counter() {
    let args = [
        "--policy",
        "ceiling",
        "--max-delay",
        "600",
        "--event",
        "10s=unannotate:ceiling",
        "--event",
        "11s=annotate:ceiling=600",
        "--until",
        "20s",
    ];
    let course = course(&args);
    // 0, 1, 3, 7 leaves 8 s: 15. At 10 s the default ladder: 250 ms, 500 ms (10.25), and the edit at 11 comes before
    // 10.75 + 1 s = 11.75, which stays pending. Under the ceiling again the counter is 5: 16 s, later than 11.75.
    let expected = [
        failed(0.0, 1.0, "ladder"),
        failed(1.0, 2.0, "ladder"),
        failed(3.0, 4.0, "ladder"),
        failed(7.0, 8.0, "ladder"),
        failed(10.0, 0.25, "ladder"),
        failed(10.25, 0.5, "ladder"),
        failed(10.75, 1.0, "ladder"),
        failed(11.0, 16.0, "ladder"),
        failed(11.75, 32.0, "ladder"),
    ];
    assert_eq!(attempts(&course), expected);
}

/// Section 3: an invalid value means the default ladder, never a halt; an empty one counts as unset.
#[test]
fn a_ceiling_that_is_changed_to_something_invalid_or_empty_means_the_default_ladder() {
    for value in ["x", "-1", "1.5", ""] {
        let set = format!("1h=annotate:ceiling={value}");
        let course = course(&["--policy", "ceiling", "--max-delay", "0", "--event", &set, "--until", "3600.5s"]);
        assert_eq!(times(&course), [0.0, 3600.0, 3600.25], "{value:?}");
    }
}

/// Section 5: setting the value that it already has is no change; absent and empty compare equal.
#[test]
fn an_annotation_that_does_not_change_wakes_nothing() {
    let ceiling = ["--policy", "ceiling", "--max-delay", "0", "--until", "2h"];
    for (event, attempts) in [
        ("1h=annotate:ceiling=0", 1),
        ("1h=annotate:ceiling=00", 2),
        ("1h=annotate:example.com/x=1", 1),
        ("1h=annotate:deletion-policy=abandon", 1),
        ("1h=unannotate:actuation", 1),
        ("1h=annotate:actuation=", 1),
        ("1h=annotate:actuation=Reconciling", 2),
        ("1h=annotate:project-id=p", 2),
        ("1h=annotate:folder-id=", 1),
        ("1h=annotate:reconcile-cookie=1", 2),
        ("1h=annotate:interval=0", 1),
        ("1h=annotate:interval=+0", 1),
        ("1h=annotate:interval=60", 2),
        ("1h=labels", 2),
        ("1h=spec", 2),
        ("1h=restart", 2),
        ("1h=fails", 1),
        ("1h=succeeds", 1),
        ("1h=dependency-missing", 1),
        ("1h=dependency-ready", 1),
    ] {
        let course = course(&[&ceiling[..], &["--event", event]].concat());
        assert_eq!(times(&course).len(), attempts, "{event}");
    }
}

/// Section 5 by release: a changed interval wakes from 1.138.0 on, the actuation mode from 1.158, the ceiling in main.
#[test]
fn whether_a_changed_annotation_wakes_depends_on_the_release() {
    // With an interval of its own the object is quiet after its first success; a wake adds an attempt.
    let woken = |release: &str, event: &str| {
        let args = ["--succeed-after", "0", "--set", "reconcile-interval-in-seconds=100000", "--until", "2h"];
        let course = course(&[&args[..], &["--kcc-version", release, "--event", event]].concat());
        times(&course).len() == 2
    };
    for (event, release, expected) in [
        ("1h=annotate:interval=50000", "1.137.1", false),
        ("1h=annotate:interval=50000", "1.138.0", true),
        ("1h=annotate:actuation=Reconciling", "1.157.0", false),
        ("1h=annotate:actuation=Reconciling", "1.158.0", true),
        ("1h=annotate:ceiling=600", "1.159.0", false),
        ("1h=annotate:ceiling=600", "main", true),
        ("1h=labels", "1.90.0", true),
    ] {
        assert_eq!(woken(release, event), expected, "{event} in {release}");
    }
}

/// Section 4: the counters live in memory; a restart clears them and queues everything once.
#[test]
fn a_restart_loses_counters_and_pending_adds_and_queues_once() {
    let course = course(&["--event", "100s=restart", "--until", "101s"]);
    // 63.75 leaves 64 s, which is lost.
    assert_eq!(times(&course)[8..], [63.75, 100.0, 100.25, 100.75]);
    let halted = self::course(&["--policy", "ceiling", "--max-delay", "0", "--event", "1h=restart", "--until", "2h"]);
    assert_eq!(attempts(&halted), [self::halted(0.0), self::halted(3600.0)]);
}

#[test]
fn a_restart_cuts_the_running_attempt_off() {
    let course = course(&["--reconcile-duration", "10s", "--event", "4s=restart", "--until", "4s"]);
    assert_eq!(attempts(&course), [(0.0, "interrupted".into(), None, "none".into()), failed(4.0, 0.25, "ladder")]);
    assert_eq!(course["counts"]["interrupted"], 1);
}

/// Section 4: added while it runs, it runs again at once afterwards; the pending delayed add causes one of its own.
#[test]
fn an_object_that_is_woken_while_an_attempt_runs_is_worked_on_again_when_that_ends() {
    let course =
        course(&["--reconcile-duration", "10s", "--event", "4s=spec", "--event", "5s=labels", "--until", "21s"]);
    // 0 to 10 leaves 250 ms: 10.25, which falls into the attempt from 10 to 20 and brings one at 20.
    assert_eq!(times(&course), [0.0, 10.0, 20.0]);
}

#[test]
fn an_attempt_works_on_the_object_as_it_was_when_it_began() {
    let args = ["--reconcile-duration", "10s", "--event", "4s=succeeds", "--event", "5s=annotate:ceiling=0"];
    let course = course(&[&args[..], &["--until", "10s"]].concat());
    assert_eq!(attempts(&course), [failed(0.0, 0.25, "ladder"), succeeded(10.0, 600.0)]);
}

/// Events of one instant come before the attempts of that instant, in the order given.
#[test]
fn an_event_at_the_instant_of_a_retry_is_seen_by_it_and_makes_no_second_attempt() {
    let course = course(&["--event", "750ms=spec", "--event", "750ms=succeeds", "--until", "10s"]);
    assert_eq!(attempts(&course), [failed(0.0, 0.25, "ladder"), failed(0.25, 0.5, "ladder"), succeeded(0.75, 600.0)]);
    let last_counts = self::course(&["--event", "750ms=succeeds", "--event", "750ms=fails", "--until", "1s"]);
    assert_eq!(attempts(&last_counts)[2], failed(0.75, 1.0, "ladder"));
    let at_the_start = self::course(&["--event", "0s=succeeds"]);
    assert_eq!(attempts(&at_the_start), [succeeded(0.0, 600.0)]);
}

#[test]
fn events_need_not_be_given_in_the_order_of_time() {
    let course = course(&["--event", "20s=fails", "--event", "10s=succeeds", "--event", "20s=spec", "--until", "20s"]);
    assert_eq!(attempts(&course).last(), Some(&failed(20.0, 0.25, "ladder")));
}

/// Section 3: a failing deletion uses the workqueue default, also with "0"; section 4: its counter was forgotten.
#[test]
fn a_deletion_that_fails_goes_past_the_ceiling_and_starts_the_default_ladder() {
    for ceiling in ["0", "600"] {
        let args = ["--policy", "ceiling", "--max-delay", ceiling, "--event", "5000s=delete", "--until", "5001s"];
        let course = course(&args);
        let after: Vec<_> = attempts(&course).into_iter().filter(|attempt| attempt.0 >= 5000.0).collect();
        let expected = [failed(5000.0, 0.25, "ladder"), failed(5000.25, 0.5, "ladder"), failed(5000.75, 1.0, "ladder")];
        assert_eq!(after, expected, "{ceiling}");
        assert_eq!(course["haltedAtEnd"], false);
    }
}

#[test]
fn a_deletion_that_succeeds_ends_the_object() {
    let course = course(&["--event", "1s=succeeds", "--event", "1s=delete", "--event", "2s=spec", "--until", "1h"]);
    assert_eq!(attempts(&course)[3..], [(1.0, "succeeded".into(), None, "gone".into())]);
    assert_eq!(course["endedBy"], "gone");
}

/// Section 3: unresolved dependencies are requeued like an error, with no watch on the dependency.
#[test]
fn a_missing_dependency_is_retried_like_an_error_and_its_arrival_wakes_nothing() {
    let args = [
        "--set",
        "backoff-max-delay-in-seconds-",
        "--kcc-version",
        "1.155.1",
        "--event",
        "0s=dependency-missing",
        "--event",
        "1s=dependency-ready",
        "--event",
        "1s=succeeds",
    ];
    let course = course(&args);
    let unresolved = |at: f64, next: f64| (at, "unresolved".to_owned(), Some(next), "ladder".to_owned());
    assert_eq!(
        attempts(&course),
        [unresolved(0.0, 0.25), unresolved(0.25, 0.5), unresolved(0.75, 1.0), succeeded(1.75, 600.0)]
    );
    let called: Vec<&Value> = course["attempts"].as_array().unwrap().iter().map(|attempt| &attempt["called"]).collect();
    assert_eq!(called, [false, false, false, true]);
}

/// Section 3: for IAMPolicyMember a success with the drift interval and a watch that gives up after a jittered 10 min;
/// with interval "0" it then waits for ever in silence.
#[test]
fn an_iam_member_watches_its_dependency_for_ten_minutes() {
    let args = ["--event", "0s=dependency-missing", "--event", "0s=succeeds", "--until", "15m"];
    let ready = |at: &str, interval: &str| {
        let text = manifest(MEMBER).with(INTERVAL, interval).text();
        times(&course_of(&text, &[&args[..], &["--event", at]].concat()))
    };
    assert_eq!(ready("599s=dependency-ready", "0"), [0.0, 599.0]);
    assert_eq!(ready("601s=dependency-ready", "0"), [0.0]);
    // With an interval the requeue comes anyway.
    assert_eq!(ready("300s=dependency-ready", "400"), [0.0, 300.0, 400.0, 800.0]);
}

#[test]
fn it_is_said_that_a_ceiling_and_a_missing_dependency_are_not_settled_for_main() {
    let text = manifest(DIRECT).with(CEILING, "600").text();
    let args = ["--event", "0s=dependency-missing", "--failures", "3"];
    let course = course_of(&text, &args);
    assert!(course["notes"].to_string().contains("not settled for main"), "{}", course["notes"]);
    assert_eq!(times(&course), [0.0, 0.25, 0.75], "simulated as up to 1.159");
    let without = course_of(&manifest(DIRECT).text(), &args);
    assert_eq!(without["notes"].to_string(), "[]");
}

/// Section 5: up to date with interval "0", a reconcile is skipped, whatever woke it; a change of spec gets through.
#[test]
fn skipped_attempts_are_shown_and_are_no_calls() {
    let text = manifest(DIRECT).with(INTERVAL, "0").text();
    let args = ["--succeed-after", "0", "--event", "10s=labels", "--event", "20s=restart", "--event", "30s=spec"];
    let course = course_of(&text, &[&args[..], &["--until", "1h"]].concat());
    let none = |at: f64, outcome: &str| (at, outcome.to_owned(), None, "none".to_owned());
    assert_eq!(
        attempts(&course),
        [none(0.0, "succeeded"), none(10.0, "skipped"), none(20.0, "skipped"), none(30.0, "succeeded")]
    );
    let called: Vec<&Value> = course["attempts"].as_array().unwrap().iter().map(|attempt| &attempt["called"]).collect();
    assert_eq!(called, [true, false, false, true]);
    assert_eq!(course["counts"]["calling"], 2);
}

#[test]
fn interval_zero_does_not_stop_error_retries() {
    let text = manifest(TF).with(INTERVAL, "0").text();
    assert_eq!(times(&course_of(&text, &["--failures", "3"])), [0.0, 0.25, 0.75]);
}

/// Section 3: an invalid interval is an error of every reconcile; on direct only the first attempt of a generation
/// actuates, on the IAM kinds every one does.
#[test]
fn an_invalid_interval_fails_for_ever_and_calls_once_a_generation_but_on_iam_kinds_each_time() {
    let called = |kind, ceiling: &str| -> Vec<(String, bool)> {
        let text = manifest(kind).with(INTERVAL, "x").with(CEILING, ceiling).text();
        let args = ["--succeed-after", "0", "--failures", "4", "--event", "500ms=spec"];
        let course = course_of(&text, &args);
        let attempts = course["attempts"].as_array().unwrap();
        let told = attempts.iter().map(|one| (one["atSeconds"].to_string(), one["called"].as_bool().unwrap()));
        told.collect()
    };
    let at = |calls: [bool; 4]| {
        let times = ["0", "0.25", "0.5", "0.75"];
        times.iter().zip(calls).map(|(at, call)| ((*at).to_owned(), call)).collect::<Vec<_>>()
    };
    for ceiling in ["", "0", "600"] {
        assert_eq!(called(DIRECT, ceiling), at([true, false, true, false]), "{ceiling:?}");
    }
    assert_eq!(called(TF, ""), at([true, false, true, false]));
    assert_eq!(called(MEMBER, ""), at([true, true, true, true]));
}

/// Section 2: paused, nothing is actuated, deletion included, and the result is a success after the drift interval.
#[test]
fn a_paused_object_is_looked_at_by_the_drift_interval_and_resumes_with_the_annotation() {
    let args = [
        "--event",
        "1s=annotate:actuation=Paused",
        "--event",
        "100s=delete",
        "--event",
        "200s=annotate:actuation=Reconciling",
        "--until",
        "200s",
    ];
    let course = course(&args);
    // The failure at 0.75 leaves 1 s, which survives the wake at 1 s.
    let expected = [
        failed(0.0, 0.25, "ladder"),
        failed(0.25, 0.5, "ladder"),
        failed(0.75, 1.0, "ladder"),
        succeeded(1.0, 600.0),
        succeeded(1.75, 600.0),
        succeeded(100.0, 600.0),
        failed(200.0, 0.25, "ladder"),
    ];
    assert_eq!(attempts(&course), expected);
    assert_eq!(course["counts"]["calling"], 4);
}

#[test]
fn what_an_unsettled_actuation_mode_does_is_not_guessed() {
    let course = course(&["--event", "1s=annotate:actuation=AutoPaused", "--until", "1h"]);
    assert_eq!(times(&course), [0.0, 0.25, 0.75]);
    assert_eq!(course["endedBy"], "unknown");
    assert!(course["endedReason"].as_str().unwrap().contains("not settled upstream"));
}

/// Section 4: 10 a second with a burst of 100. Success and failure in turn keep the ladder at 250 ms; the reservations
/// add up.
#[test]
fn the_token_bucket_slows_an_object_that_fails_and_succeeds_in_turn() {
    let mut args: Vec<String> = vec!["--until".into(), "300ms".into()];
    // 150 failures within 150 ms, a success after each: every failure reserves a token.
    for millisecond in 0..150_u32 {
        for event in ["fails", "spec"] {
            args.extend(["--event".into(), format!("{}us={event}", millisecond * 1000)]);
        }
        for event in ["succeeds", "labels"] {
            args.extend(["--event".into(), format!("{}us={event}", millisecond * 1000 + 500)]);
        }
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let course = course(&args);
    let failures: Vec<_> = attempts(&course).into_iter().filter(|attempt| attempt.1 == "failed").collect();
    assert_eq!(failures.len(), 150);
    // Before failure number n (from 1, at (n - 1) ms) the bucket holds 100 - (n - 1) + 10 · (n - 1) / 1000 tokens; below
    // one it lends, and the wait is a tenth of a second for each that is missing. It passes 250 ms once 2.5 are missing.
    for (index, (_, _, next, cause)) in failures.iter().enumerate() {
        let tokens = 100.0 - index as f64 + 0.01 * index as f64 - 1.0;
        let wait = if tokens < 0.0 { -tokens / 10.0 } else { 0.0 };
        let (delay, expected) = if wait > 0.25 { (wait, "token-bucket") } else { (0.25, "ladder") };
        assert_eq!(cause, expected, "failure {index}");
        assert!((next.unwrap() - delay).abs() < 1e-6, "failure {index}: {next:?} for {delay}");
    }
    assert!(failures.iter().any(|failure| failure.3 == "token-bucket"));
}

#[test]
fn any_number_of_failures_is_safe() {
    let course = course(&["--policy", "ceiling", "--max-delay", "2147483647", "--failures", "200"]);
    let delays: Vec<f64> = attempts(&course).into_iter().filter_map(|attempt| attempt.2).collect();
    // 2^30 s is below the ceiling of 2^31 - 1 s.
    assert_eq!(delays[30], 2_f64.powi(30));
    assert!(delays[31..].iter().all(|delay| *delay == 2_147_483_647.0));
    let far = run(&["--max-delay", "2147483647", "--failures", "200", "-o", "csv"]);
    let text = stdout(&far);
    // There is no clock time after the year 9999.
    assert!(text.lines().last().unwrap().ends_with(",retry,"), "{:?}", text.lines().last());
}

/// The controller that handles an object decides, as explain tells it.
#[test]
fn each_object_is_simulated_under_the_policy_that_explain_finds() {
    let direct = manifest(DIRECT).with(CEILING, "600").text();
    let tf = manifest(TF).with(CEILING, "600").text();
    assert_eq!(times(&course_of(&direct, &["--failures", "3"])), [0.0, 1.0, 3.0]);
    assert_eq!(times(&course_of(&tf, &["--failures", "3"])), [0.0, 0.25, 0.75]);
    assert_eq!(times(&course_of(&direct, &["--failures", "3", "--kcc-version", "1.155.1"])), [0.0, 0.25, 0.75]);
    assert_eq!(
        times(&course_of(&direct, &["--failures", "3", "--set", "backoff-max-delay-in-seconds-"])),
        [0.0, 0.25, 0.75]
    );
    let deleting = manifest(DIRECT).with(CEILING, "0").metadata(&deleting("cnrm.cloud.google.com/finalizer")).text();
    assert_eq!(times(&course_of(&deleting, &["--failures", "3"])), [0.0, 0.25, 0.75]);
    let nobody = "apiVersion: vertexai.cnrm.cloud.google.com/v1alpha1\nkind: NoSuchKind\nmetadata: {name: x}\n";
    let course = course_of(nobody, &[]);
    assert_eq!(course["policy"], "none");
    assert_eq!(course["attempts"], Value::Array(Vec::new()));
}

#[test]
fn an_annotation_that_chooses_the_controller_changes_the_rules_from_then_on() {
    let text = manifest(crate::support::EITHER).with(CEILING, "600").text();
    // tf until 3 s: 0, 0.25, 0.75, 1.75 leaves 2 s: 3.75. The override wakes nothing; from 3.75 on the ceiling counts.
    let args = ["--event", "3s=annotate:reconciler=direct", "--until", "5s"];
    let course = course_of(&text, &args);
    assert_eq!(attempts(&course)[4..], [failed(3.75, 1.0, "ladder"), failed(4.75, 2.0, "ladder")]);
}

#[test]
fn policies_can_be_compared_for_an_object_and_a_tf_object_ignores_them() {
    let text = manifest(TF).text();
    let all = json_of(&run_on(&text, &["manifest.yaml", "--max-delay", "600", "--failures", "2", "-o", "json"]));
    let told: Vec<(Value, Vec<f64>)> =
        all["objects"].as_array().unwrap().iter().map(|course| (course["choice"].clone(), times(course))).collect();
    assert_eq!(told, [("found".into(), vec![0.0, 0.25]), ("600".into(), vec![0.0, 0.25])]);
    assert!(all["problems"].to_string().contains("ineffective-ceiling"));
}

/// Where nobody knows whether the release reads the annotation, both are told, and neither is guessed.
#[test]
fn a_release_that_may_read_the_ceiling_is_simulated_both_ways() {
    let text = manifest(DIRECT).with(CEILING, "600").text();
    let args = ["manifest.yaml", "--kcc-version", "1.160.0", "--failures", "2", "-o", "json"];
    let all = json_of(&run_on(&text, &args));
    let told: Vec<(Value, Vec<f64>)> =
        all["objects"].as_array().unwrap().iter().map(|course| (course["assumption"].clone(), times(course))).collect();
    assert_eq!(told, [("ceiling-honoured".into(), vec![0.0, 1.0]), ("ceiling-ignored".into(), vec![0.0, 0.25])]);
    let known = json_of(&run_on(&text, &[&args[..], &["--ceiling-since", "1.160.0"]].concat()));
    assert_eq!(known["objects"].as_array().unwrap().len(), 1);
    // An annotation that comes later matters, too: whether it wakes the object is not known either.
    let later = json_of(&run(&[
        "--kcc-version",
        "1.160.0",
        "--event",
        "130s=annotate:ceiling=600",
        "--until",
        "130.5s",
        "-o",
        "json",
    ]));
    let counts: Vec<usize> = later["objects"].as_array().unwrap().iter().map(|course| times(course).len()).collect();
    assert_eq!(counts, [11, 10]);
}

const PROJECT: &str =
    "apiVersion: deployments.plural.sh/v1alpha1\nkind: Project\nmetadata: {name: p}\nspec:\n  name: p\n";

/// console.md 2.2 and 2.3: requeue by spec.reconciliation, waits of 15 to 45 s, spec changes alone wake.
#[test]
fn an_object_of_the_plural_console_is_woken_by_spec_alone_and_waits_half_a_minute_for_references() {
    let text = format!("{PROJECT}  reconciliation: {{interval: 10m}}\n");
    let args =
        ["--succeed-after", "0", "--event", "100s=labels", "--event", "150s=annotate:x=1", "--event", "200s=spec"];
    let course = course_of(&text, &[&args[..], &["--until", "15m"]].concat());
    // The priority queue has the object once: the edit at 200 s takes the place of the requeue at 600 s.
    assert_eq!(attempts(&course), [succeeded(0.0, 600.0), succeeded(200.0, 600.0), succeeded(800.0, 600.0)]);
    let waiting = course_of(&text, &["--event", "0s=dependency-missing", "--failures", "2"]);
    let wait = |at: f64| (at, "unresolved".to_owned(), Some(30.0), "wait".to_owned());
    assert_eq!(attempts(&waiting), [wait(0.0), wait(30.0)]);
}

#[test]
fn a_plural_object_without_drift_detection_is_not_requeued_and_a_panicking_interval_is_an_error() {
    let quiet = format!("{PROJECT}  reconciliation: {{driftDetection: false}}\n");
    let course = course_of(&quiet, &["--succeed-after", "0", "--until", "2h"]);
    assert_eq!(attempts(&course), [(0.0, "succeeded".into(), None, "none".into())]);
    let panics = format!("{PROJECT}  reconciliation: {{interval: \"0\"}}\n");
    let course = course_of(&panics, &["--succeed-after", "0", "--failures", "3"]);
    let delays: Vec<Option<f64>> = attempts(&course).into_iter().map(|attempt| attempt.2).collect();
    assert_eq!(delays, [Some(0.005), Some(0.01), Some(0.02)]);
}

#[test]
fn wrong_use_is_told_with_what_to_write() {
    for (args, words) in [
        (&["--until", "-5s"][..], "it is negative"),
        (&["--reconcile-duration", "-1ms"], "it is negative"),
        (&["--base-delay", "-1s"], "it is negative"),
        (&["--base-delay", "0s"], "it is 0"),
        (&["--until", "1d"], "write a Go duration such as 90s or 1h30m"),
        (&["--until", "600"], "missing unit"),
        (&["--failures", "0"], "expected a whole number, 1 or more"),
        (&["--failures", "-1"], "expected a whole number, 1 or more"),
        (&["--succeed-after", "-1"], "expected a whole number, 0 or more"),
        (&["--svg", "-"], "--svg writes a file beside the output"),
        (&["--max-delay", "10m"], "write whole seconds such as 600, or 0 to halt"),
        (&["--max-delay", "-1"], "it is negative"),
        (&["--max-delay", ""], "it is empty"),
        (&["--max-delay", "2147483648"], "at most 2147483647"),
        (&["--compare", "default,soon"], "neither default, plural, controller-runtime nor the seconds of a ceiling"),
        (&["--policy", "ceiling"], "--max-delay is missing"),
        (&["--policy", "plural", "--max-delay", "5"], "--max-delay belongs to --policy ceiling"),
        (&["--jitter", "soon"], "expected min, mean, max, or a seed"),
        (&["--event", "10s=explode"], "is not an event; there are fails"),
        (&["--event", "-10s=spec"], "is negative"),
        (&["--event", "spec"], "expected TIME=WHAT"),
        (&["--start", "yesterday"], "expected a time such as"),
        (&["--chart", "-o", "json"], "--chart is for people"),
        (&["--expect", "x.yaml"], "--scenario"),
        (&["--scenario", "x.yaml", "--failures", "3"], "cannot be used with"),
        (&["no-such-file.yaml"], "no-such-file.yaml: error: cannot be read"),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(words), "{args:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{args:?}");
    }
}

#[test]
fn a_key_that_is_probably_misspelt_is_doubted() {
    let output = run(&["--event", "1s=annotate:cnrm.cloud.google.com/backoff-max-delay-in-second=5"]);
    assert!(
        stderr(&output).contains("--event cnrm.cloud.google.com/backoff-max-delay-in-second: not known"),
        "{}",
        stderr(&output)
    );
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn csv_has_a_row_for_each_attempt_with_exact_seconds_and_clock_times() {
    let output = run(&["--failures", "3", "-o", "csv"]);
    let expected = "object,place,policy,number,outcome,called,at_seconds,next_seconds,cause,trigger,time\n\
                    ,,default ladder,1,failed,true,0,0.25,ladder,start,2026-11-30T03:12:00Z\n\
                    ,,default ladder,2,failed,true,0.25,0.5,ladder,retry,2026-11-30T03:12:00.25Z\n\
                    ,,default ladder,3,failed,true,0.75,1,ladder,retry,2026-11-30T03:12:00.75Z\n";
    assert_eq!(stdout(&output), expected);
}

#[test]
fn yaml_says_the_same_as_json() {
    let text = manifest(DIRECT).with(CEILING, "0").text();
    let args =
        ["manifest.yaml", "--max-delay", "600", "--event", "10s=delete", "--event", "12s=succeeds", "--until", "1m"];
    let json = json_of(&run_on(&text, &[&args[..], &["-o", "json"]].concat()));
    let yaml = stdout(&run_on(&text, &[&args[..], &["-o", "yaml"]].concat()));
    // The reader of manifests reads it back, as JSON.
    let output = kcc_backoff::source::load(
        &[kcc_backoff::source::Input::Stdin],
        &kcc_backoff::source::Options::default(),
        &mut yaml.as_bytes(),
        &|item| item.node.json(),
    );
    assert!(output.problems.is_empty(), "{:?}\n{yaml}", output.problems);
    assert_eq!(output.objects, [json]);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let args = ["--succeed-after", "3", "--jitter", "42", "--until", "5h", "--event", "1h=fails", "-o", "json"];
    assert_eq!(run(&args).stdout, run(&args).stdout);
}

#[test]
fn names_of_strangers_stay_in_their_field_and_are_not_obeyed() {
    let text = "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\n\
                metadata: {name: \"a,\\\"b\\\"\\e[31m\", namespace: n}\n";
    for args in [&["-o", "csv"][..], &["-o", "json"], &["-o", "yaml"], &[], &["--chart"]] {
        let output = run_on(text, &[&["manifest.yaml", "--failures", "1"], args].concat());
        assert!(!output.stdout.contains(&0x1b), "{args:?}");
    }
    let csv = stdout(&run_on(text, &["manifest.yaml", "--failures", "1", "-o", "csv"]));
    let row = csv.lines().nth(1).unwrap();
    assert!(
        row.starts_with(
            "\"n/logginglogmetric.logging.cnrm.cloud.google.com/a,\"\"b\"\"\\u{1b}[31m\",manifest.yaml:1:1,default"
        ),
        "{row}"
    );
}

#[test]
fn the_picture_is_written_beside_the_output_and_holds_every_policy() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["simulate", "--compare", "default,600,0", "--until", "1h", "--event", "10m=spec", "--svg", "chart.svg"];
    let output = binary(folder.path()).args(args).args(["--now", START]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let svg = std::fs::read_to_string(folder.path().join("chart.svg")).unwrap();
    for text in
        ["<svg xmlns", ">default ladder</text>", ">ceiling 10 min</text>", ">ceiling 0: halts</text>", "</svg>\n"]
    {
        assert!(svg.contains(text), "{text}: {svg}");
    }
    // The halted lane has its first attempt and the one that the edit brings; the ladder many.
    let strokes = svg.matches("stroke=\"#d55e00\"").count();
    assert!(strokes > 30, "{strokes}");
    let unwritable = binary(folder.path()).args(["simulate", "--svg", "no/such/folder.svg"]).output().unwrap();
    assert_eq!(unwritable.status.code(), Some(2));
    assert!(stderr(&unwritable).contains("cannot write the picture no/such/folder.svg"));
}

#[test]
fn a_million_attempts_come_one_by_one() {
    // What is never all in memory can be read to its beginning and left: a closed pipe is a normal end.
    let folder = tempfile::tempdir().unwrap();
    for format in ["csv", "json", "yaml"] {
        let mut child = binary(folder.path())
            .args(["simulate", "--failures", "18446744073709551615", "-o", format, "--until", "2000000h"])
            .args(["--now", START])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut head = [0; 4096];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut head).unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{format}");
    }
}

/// Section 3: success forgets the direct counter; the next failure is followed by 1 s again.
#[test]
fn a_success_starts_the_ladder_under_a_ceiling_anew() {
    let args = ["--policy", "ceiling", "--max-delay", "600", "--event", "10s=succeeds", "--event", "10s=spec"];
    let again = ["--event", "20s=fails", "--event", "20s=spec", "--until", "21s"];
    let course = course(&[&args[..], &again].concat());
    // 0, 1, 3, 7 leaves 8 s: 15, which survives the success at 10.
    let after: Vec<_> = attempts(&course).into_iter().skip(4).collect();
    let expected =
        [succeeded(10.0, 600.0), succeeded(15.0, 600.0), failed(20.0, 1.0, "ladder"), failed(21.0, 2.0, "ladder")];
    assert_eq!(after, expected);
}

/// Section 4: drift requeues of IAMPolicyMember add the wait of a bucket of 5 a second with a burst of 50.
#[test]
fn drift_requeues_of_iam_members_wait_for_a_bucket_of_their_own() {
    let mut args: Vec<String> = vec!["--succeed-after".into(), "0".into(), "--until".into(), "59ms".into()];
    for millisecond in 1..60 {
        args.extend(["--event".into(), format!("{millisecond}ms=labels")]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let delays = |kind| -> Vec<f64> {
        let course = course_of(&manifest(kind).text(), &args);
        attempts(&course).into_iter().filter_map(|attempt| attempt.2).collect()
    };
    let member = delays(MEMBER);
    assert_eq!(member.len(), 60);
    for (index, delay) in member.iter().enumerate() {
        // At index ms the bucket holds 50 + 5 · index / 1000 tokens less those taken; a missing one is 200 ms away.
        let left = 50.0 + 0.005 * index as f64 - (index + 1) as f64;
        let wait = if left < 0.0 { -left / 5.0 } else { 0.0 };
        assert!((delay - 600.0 - wait).abs() < 1e-6, "{index}: {delay}, {wait}");
    }
    assert!(member.iter().any(|delay| *delay > 600.0));
    assert!(delays(("iam", "IAMPolicy")).iter().all(|delay| *delay == 600.0), "no other kind has that");
}

/// Section 5: the IAM kinds never skip; section 1: ComputeSSLCertificate has no periodic requeue, but skips nothing.
#[test]
fn iam_kinds_and_kinds_whose_own_interval_is_zero_never_skip() {
    let args = ["--succeed-after", "0", "--event", "10s=labels", "--until", "1m"];
    let outcomes = |text: &str| -> Vec<String> {
        attempts(&course_of(text, &args)).into_iter().map(|attempt| attempt.1).collect()
    };
    assert_eq!(outcomes(&manifest(MEMBER).with(INTERVAL, "0").text()), ["succeeded", "succeeded"]);
    assert_eq!(outcomes(&manifest(("compute", "ComputeSSLCertificate")).text()), ["succeeded", "succeeded"]);
    assert_eq!(outcomes(&manifest(TF).with(INTERVAL, "0").text()), ["succeeded", "skipped"]);
}

/// Section 1: direct and the IAM kinds limit one reconcile to 59 min; tf does not.
#[test]
fn an_attempt_of_direct_and_of_iam_is_cut_off_after_59_minutes() {
    let args = ["--reconcile-duration", "2h", "--failures", "2", "--succeed-after", "0"];
    let limited = [failed(0.0, 0.25, "ladder"), failed(3540.25, 0.5, "ladder")];
    assert_eq!(attempts(&course_of(&manifest(DIRECT).text(), &args)), limited);
    assert_eq!(attempts(&course_of(&manifest(MEMBER).text(), &args)), limited);
    assert_eq!(attempts(&course_of(&manifest(TF).text(), &args)), [succeeded(0.0, 600.0)]);
    let exactly = ["--reconcile-duration", "59m", "--succeed-after", "0"];
    assert_eq!(attempts(&course_of(&manifest(DIRECT).text(), &exactly)), [succeeded(0.0, 600.0)]);
}

/// console.md 2.3, 4, 5, 6, 7, 9, 10: what a failed deletion returns, by kind.
#[test]
fn a_failing_deletion_in_the_console_is_retried_as_its_kind_does() {
    let object = |kind: &str, spec: &str| {
        let namespace = if matches!(kind, "NotificationSink" | "ServiceContext") { ", namespace: n" } else { "" };
        format!(
            "apiVersion: deployments.plural.sh/v1alpha1\nkind: {kind}\nmetadata: {{name: it{namespace}}}\nspec: {{{spec}}}\n"
        )
    };
    let args = ["--succeed-after", "0", "--event", "10s=fails", "--event", "10s=delete", "--until", "10s"];
    let left = |kind: &str, spec: &str| {
        let last = attempts(&course_of(&object(kind, spec), &args)).pop().unwrap();
        assert_eq!((last.0, last.1.as_str()), (10.0, "failed"), "{kind}");
        (last.2, last.3)
    };
    let quiet = "reconciliation: {driftDetection: false}";
    for kind in ["Project", "Catalog"] {
        assert_eq!(left(kind, "name: x"), (Some(1800.0), "drift".into()), "{kind}");
        assert_eq!(left(kind, &format!("name: x, {quiet}")), (None, "none".into()), "{kind}");
    }
    assert_eq!(left("GitRepository", "url: x"), (Some(1800.0), "drift".into()));
    assert_eq!(left("GitRepository", &format!("url: x, {quiet}")), (None, "none".into()));
    assert_eq!(left("NotificationSink", "name: x, type: SLACK"), (Some(0.005), "ladder".into()));
    assert_eq!(left("PrAutomation", "name: x"), (Some(0.005), "ladder".into()));
    assert_eq!(left("ServiceContext", "name: x"), (Some(30.0), "wait".into()));
    // Of another kind it was not read: nothing is guessed.
    let unread = course_of(&object("Flow", ""), &args);
    assert_eq!(unread["endedBy"], "unknown");
    assert!(unread["endedReason"].as_str().unwrap().contains("was not read"));
}

/// console.md 9: PrAutomation deletes in one pass and lets go in the next, which `driftDetection: false` never brings.
/// Section 8: ServiceAccount has no finalizer, so nobody sees that it is deleted.
#[test]
fn a_deletion_in_the_console_that_succeeds_ends_the_object_as_its_kind_does() {
    let args = ["--succeed-after", "0", "--event", "10s=delete", "--until", "2h"];
    let object = |kind: &str, metadata: &str, spec: &str| {
        format!(
            "apiVersion: deployments.plural.sh/v1alpha1\nkind: {kind}\nmetadata: {{name: it{metadata}}}\nspec: {{{spec}}}\n"
        )
    };
    let gone = |at: f64| (at, "succeeded".to_owned(), None, "gone".to_owned());
    let twice = course_of(&object("PrAutomation", "", "name: x"), &args);
    assert_eq!(attempts(&twice)[1..], [succeeded(10.0, 1800.0), gone(1810.0)]);
    let stuck = course_of(&object("PrAutomation", "", "reconciliation: {driftDetection: false}"), &args);
    assert_eq!(attempts(&stuck).last(), Some(&(10.0, "succeeded".into(), None, "none".into())));
    assert_eq!(stuck["endedBy"], "quiet");
    let account = course_of(&object("ServiceAccount", "", "email: a@b"), &args);
    assert_eq!((attempts(&account).len(), &account["endedBy"]), (1, &"gone".into()));
    assert!(account["notes"].to_string().contains("seen by nobody"));
    let held = course_of(&object("ServiceAccount", ", finalizers: [example.com/x]", "email: a@b"), &args);
    assert_eq!(attempts(&held)[1], succeeded(10.0, 1800.0), "reconciled as before");
    let project = course_of(&object("Project", "", "name: x"), &args);
    assert_eq!(attempts(&project)[1..], [gone(10.0)]);
}

/// console.md 2.3: a managed NotificationSink is not requeued; a repository that is not pullable waits.
#[test]
fn what_a_success_leaves_behind_in_the_console_depends_on_the_kind() {
    let sink = "apiVersion: deployments.plural.sh/v1alpha1\nkind: NotificationSink\nmetadata: {name: it, namespace: n}\n\
                spec: {name: x, type: SLACK}\nstatus: {conditions: [{type: Readonly, status: \"False\"}], id: a}\n";
    let course = course_of(sink, &["--succeed-after", "0", "--until", "2h"]);
    assert_eq!(attempts(&course), [(0.0, "succeeded".into(), None, "none".into())]);
    let repository = "apiVersion: deployments.plural.sh/v1alpha1\nkind: GitRepository\nmetadata: {name: it}\n\
                      spec: {url: x}\nstatus: {id: a, health: FAILED}\n";
    let course = course_of(repository, &["--succeed-after", "0", "--until", "30s"]);
    let wait = |at: f64| (at, "succeeded".to_owned(), Some(30.0), "wait".to_owned());
    assert_eq!(attempts(&course), [wait(0.0), wait(30.0)]);
}

#[test]
fn the_policies_of_config_connector_do_not_concern_the_console() {
    let all = json_of(&run_on(
        PROJECT,
        &["manifest.yaml", "--compare", "600,0,controller-runtime", "--failures", "1", "-o", "json"],
    ));
    let policies: Vec<&Value> = all["objects"].as_array().unwrap().iter().map(|course| &course["policy"]).collect();
    assert_eq!(policies, ["plural", "controller-runtime"]);
    assert!(all["objects"][0]["notes"].to_string().contains("do not concern it"));
}

/// Section 4: added while it runs, it runs again at once afterwards: that is the next attempt, whatever is pending.
#[test]
fn the_next_attempt_is_told_even_if_it_is_queued_while_the_last_one_ran() {
    let args = ["--reconcile-duration", "10s", "--event", "4s=spec", "--failures", "1"];
    assert_eq!(course(&args)["nextAtSeconds"], 10);
    let halted = course(&[&args[..], &["--policy", "ceiling", "--max-delay", "0"]].concat());
    assert_eq!((&halted["haltedAtEnd"], &halted["nextAtSeconds"]), (&true.into(), &10.into()));
    let text = stdout(&run(&[&args[..], &["--policy", "ceiling", "--max-delay", "0"]].concat()));
    assert!(text.contains("halted, but the next attempt comes at 10s (it was woken while the last one ran)"), "{text}");
}

#[test]
fn an_older_delayed_add_is_told_as_what_it_is() {
    let text = stdout(&run(&["--until", "10m", "--event", "9m=succeeds", "--event", "9m=spec"]));
    // 127.75 + 4 · 120 = 607.75 s.
    assert!(text.contains("the next attempt comes at 10m7.75s (an older delayed add)"), "{text}");
}

#[test]
fn an_object_that_will_fail_again_is_not_settled() {
    let late =
        course(&["--reconcile-duration", "10s", "--event", "0s=succeeds", "--event", "5s=fails", "--failures", "2"]);
    assert_eq!(attempts(&late)[..2], [succeeded(0.0, 600.0), failed(610.0, 0.25, "ladder")]);
    assert_eq!(late["endedBy"], "failures");
    let paused = stdout(&run(&["--event", "0s=annotate:actuation=Paused"]));
    assert!(paused.contains("1 attempt: 1 paused (1 without a call); settled: it stays paused"), "{paused}");
}

#[test]
fn events_are_told_with_what_they_did_and_those_that_were_not_reached() {
    let args = ["--event", "1s=annotate:ceiling=0", "--event", "2s=annotate:ceiling=0", "--event", "1h=spec"];
    let course = course(&args);
    let woke: Vec<&Value> = course["events"].as_array().unwrap().iter().map(|event| &event["woke"]).collect();
    assert_eq!(woke, [&Value::Bool(true), &Value::Bool(false), &Value::Bool(true)], "halted, so the hour is reached");
    assert_eq!(course["events"][0]["what"], "annotate:ceiling=0");
    let text =
        stdout(&run(&["--failures", "2", "--event", "100ms=labels", "--event", "1h=spec", "--event", "2h=spec"]));
    assert!(text.contains("2 events lie after that and did not happen (--until goes on)"), "{text}");
    assert!(text.contains("  Event         100ms       labels: wakes it\n"), "{text}");
}

#[test]
fn a_value_of_an_event_is_doubted_as_one_in_a_manifest_is() {
    for (event, release, words) in [
        ("1s=annotate:ceiling=abc", "main", "is not a decimal integer: the default ladder is used, not a halt"),
        ("1s=annotate:ceiling=0", "1.155.1", "1.155.1 ignores the annotation"),
        ("1s=annotate:interval=-1", "main", "is negative: every reconcile ends in an error"),
        ("1s=annotate:actuation=Paused", "1.150.0", "no effect in 1.150.0"),
        ("1s=annotate:actuation=foo", "main", "not settled upstream"),
    ] {
        let output = run(&["--event", event, "--kcc-version", release]);
        assert!(stderr(&output).contains(words), "{event}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(0));
    }
    for event in ["1s=annotate:ceiling=600", "1s=annotate:interval=60", "1s=annotate:actuation=Paused", "1s=spec"] {
        assert_eq!(stderr(&run(&["--event", event])), "", "{event}");
    }
}

/// To Config Connector absent and empty are equal; a controller without a predicate sees every change.
#[test]
fn a_controller_without_a_predicate_is_woken_by_every_change() {
    let args = ["--succeed-after", "0", "--until", "2h", "--event", "1h=annotate:example.com/x="];
    let counts: Vec<usize> = ["controller-runtime", "plural", "default"]
        .iter()
        .map(|policy| {
            let course = course(&[&args[..], &["--policy", policy]].concat());
            course["attempts"].as_array().unwrap().iter().filter(|one| one["trigger"] == "annotation").count()
        })
        .collect();
    assert_eq!(counts, [1, 0, 0]);
}

#[test]
fn objects_draw_different_delays_with_one_seed_and_the_policies_of_one_object_the_same() {
    let text = [manifest(DIRECT).text(), manifest(TF).text()].join("---\n");
    let args = ["manifest.yaml", "--succeed-after", "0", "--jitter", "7", "--compare", "default,600", "-o", "json"];
    let all = json_of(&run_on(&text, &args));
    let delays: Vec<f64> = all["objects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|course| course["attempts"][0]["nextSeconds"].as_f64().unwrap())
        .collect();
    assert_eq!(delays[0].to_bits(), delays[1].to_bits());
    assert_eq!(delays[2].to_bits(), delays[3].to_bits());
    assert_ne!(delays[0].to_bits(), delays[2].to_bits());
}

#[test]
fn the_controller_of_an_object_is_named_with_who_chose_it() {
    let text = manifest(TF).text();
    let course = course_of(&text, &[]);
    assert_eq!(course["controller"]["name"], "tf");
    assert_eq!(course["controller"]["decidedBy"], "table");
    assert!(stdout(&run_on(&text, &["manifest.yaml"])).contains("\n  Controller    tf          its only controller"));
}

#[test]
fn what_was_asked_stands_in_the_answer() {
    let all = json_of(&run(&["--until", "90s", "--succeed-after", "2", "--reconcile-duration", "1s", "-o", "json"]));
    assert_eq!(
        [&all["untilSeconds"], &all["failures"], &all["succeedAfter"], &all["reconcileSeconds"]],
        [&90.into(), &Value::Null, &2.into(), &1.into()]
    );
}

#[test]
fn a_file_without_anything_to_simulate_says_so() {
    let output = run_on(&crate::support::connector("  mode: cluster\n"), &["manifest.yaml"]);
    assert!(stderr(&output).contains("nothing to simulate"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_file_that_holds_nothing_gets_the_loaders_words_alone() {
    let output = run_on("", &["manifest.yaml"]);
    assert!(stderr(&output).contains("holds no manifest"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("nothing to simulate"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_event_that_its_controller_ignores_is_doubted() {
    let topic = "apiVersion: pubsub.cnrm.cloud.google.com/v1beta1\nkind: PubSubTopic\nmetadata: {name: a}\nspec: {}\n";
    let output = run_on(topic, &["manifest.yaml", "--event", "1s=annotate:ceiling=600"]);
    let said = stderr(&output);
    assert!(said.contains("--event annotate:ceiling=600: ") && said.contains("the tf controller ignores it"), "{said}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_chart_shows_only_events_that_happened_and_explains_only_its_signs() {
    let text = stdout(&run(&["--failures", "3", "--event", "10h=spec", "--chart"]));
    assert!(!text.contains("\nevents"), "{text}");
    assert!(text.contains("\n× failed\n"), "{text}");
    let with = stdout(&run(&["--failures", "3", "--event", "100ms=fails", "--chart"]));
    assert!(with.contains("\nevents") && with.contains("\n× failed, v event\n"), "{with}");
}

#[test]
fn every_event_that_can_happen_stands_in_the_help() {
    let output = run(&["--help"]);
    let help = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    for (word, _) in kcc_backoff::simulate::WORDS {
        assert!(help.contains(word), "{word}");
    }
}

/// Attempts that take longer than the drift interval follow each other at once (section 4: added while it runs): that
/// never ends, so it is told as settled.
#[test]
fn attempts_that_take_longer_than_the_drift_interval_are_settled_too() {
    let course = course(&["--reconcile-duration", "30m", "--event", "1s=succeeds", "--event", "1s=spec"]);
    // The failure at 0 leaves 250 ms from 30 min on, which falls into the attempt of the edit, and brings one at 60 min.
    // The 10 min that the first success leaves fall into that, and from there on it goes on in the same way.
    let told: Vec<(f64, String)> = attempts(&course).into_iter().map(|attempt| (attempt.0, attempt.1)).collect();
    let expected = [(0.0, "failed"), (1800.0, "succeeded"), (3600.0, "succeeded")];
    assert_eq!(told, expected.map(|(at, outcome)| (at, outcome.to_owned())));
    assert_eq!((&course["endedBy"], &course["nextAtSeconds"]), (&"settled".into(), &5400.into()));
}

#[test]
fn an_attempt_that_is_cut_off_is_explained() {
    let text = stdout(&run(&["--reconcile-duration", "2h", "--failures", "1"]));
    assert!(text.contains("its controller cuts an attempt off after 59 min, which is an error"), "{text}");
    assert!(!stdout(&run(&["--reconcile-duration", "59m", "--failures", "1"])).contains("cuts an attempt off"));
}

#[test]
fn pauses_are_counted_apart_in_every_format() {
    let course = course(&["--event", "0s=annotate:actuation=Paused", "--until", "600s"]);
    let counts = &course["counts"];
    assert_eq!((&counts["attempts"], &counts["paused"], &counts["succeeded"]), (&2.into(), &2.into(), &0.into()));
}

/// console.md 2.2 and 6.
#[test]
fn what_a_console_object_does_besides_is_noted() {
    let notes = |text: &str| course_of(text, &["--failures", "1"])["notes"].to_string();
    let panics = format!("{PROJECT}  reconciliation: {{interval: \"0\"}}\n");
    assert!(notes(&panics).contains("then panics over the interval"));
    let repository =
        "apiVersion: deployments.plural.sh/v1alpha1\nkind: GitRepository\nmetadata: {name: it}\nspec: {url: x}\n";
    assert!(notes(repository).contains("till the Console has pulled it"));
    assert_eq!(notes(PROJECT), "[]");
}

/// The same time in both columns.
#[test]
fn times_that_are_drawn_are_rounded_alike_in_both_columns() {
    let text = stdout(&run(&["--jitter", "0", "--succeed-after", "0", "--until", "3h"]));
    let mut seen = 0;
    for line in text.lines().filter(|line| line.contains(" succeeded ") && line.contains("2026-11-30 0")) {
        let part = |text: &str| text.split_once('.').map(|(_, part)| part.trim_end_matches('s').to_owned());
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (at, time) = (columns[4], columns[columns.len() - 1]);
        assert_eq!(part(at), part(time), "{line}");
        seen += usize::from(part(at).is_some());
    }
    assert!(seen > 5, "{text}");
}
/// What explain says of 1.160.0: whether it reads the annotation is not known. Neither course is one without effect.
#[test]
fn a_ceiling_that_may_be_read_is_called_by_what_is_assumed() {
    let args = ["--max-delay", "600", "--kcc-version", "1.160.0", "--failures", "1", "-o", "csv"];
    let text = stdout(&run(&args));
    let labels: Vec<&str> = text.lines().skip(1).map(|row| row.split("\",").next().unwrap_or_default()).collect();
    assert_eq!(
        labels,
        [
            ",,default ladder,1,failed,true,0,0.25,ladder,start,2026-11-30T03:12:00Z",
            ",,\"ceiling 10 min, if honoured",
            ",,\"ceiling 10 min, if ignored"
        ]
    );
    let ignored = stdout(&run(&["--max-delay", "600", "--kcc-version", "1.155.1", "--failures", "1", "-o", "csv"]));
    assert!(ignored.contains("\n,,ceiling 10 min: no effect,1,"), "{ignored}");
}

#[test]
fn the_default_policy_takes_the_ceiling_of_an_object_away() {
    let text = manifest(DIRECT).with(CEILING, "0").text();
    let course = course_of(&text, &["--policy", "default", "--failures", "2"]);
    assert_eq!(attempts(&course), [failed(0.0, 0.25, "ladder"), failed(0.25, 0.5, "ladder")]);
    assert_eq!((&course["policy"], &course["choice"]), (&"default".into(), &"default".into()));
}

#[test]
fn what_is_said_without_an_object_has_neither_controller_nor_place() {
    let all = json_of(&run(&["--set", "backoff-max-delay-in-seconds=abc", "-o", "json"]));
    let course = &all["objects"][0];
    assert_eq!([&course["ref"], &course["place"], &course["controller"]], [&Value::Null; 3]);
    assert_eq!((&all["problems"][0]["code"], &all["problems"][0]["place"]), (&"invalid-ceiling".into(), &Value::Null));
}

/// The rules of another system for an object that is being deleted, and with draws of its own.
#[test]
fn an_object_under_the_rules_of_another_system_keeps_its_deletion_and_its_draws() {
    let deleting = manifest(DIRECT).metadata(&deleting("cnrm.cloud.google.com/finalizer")).text();
    let course = course_of(&deleting, &["--policy", "controller-runtime", "--succeed-after", "0"]);
    assert_eq!(attempts(&course), [(0.0, "succeeded".into(), None, "gone".into())]);
    let text = [manifest(DIRECT).text(), manifest(TF).text()].join("---\n");
    let args = ["manifest.yaml", "--succeed-after", "0", "--jitter", "7", "--policy", "plural", "-o", "json"];
    let all = json_of(&run_on(&text, &args));
    let drawn = |index: usize| all["objects"][index]["attempts"][0]["nextSeconds"].as_f64().unwrap().to_bits();
    assert_ne!(drawn(0), drawn(1));
}

/// Whether 1.160.0 reads a ceiling is not known: that matters to what a ceiling is set for or removed from, alone.
#[test]
fn what_a_release_may_read_is_told_both_ways_only_where_it_matters() {
    let release = ["--kcc-version", "1.160.0", "--until", "2h"];
    let all = json_of(&run(&[&release[..], &["--event", "1s=annotate:interval=60", "-o", "json"]].concat()));
    assert_eq!(all["objects"].as_array().unwrap().len(), 1);
    // An invalid ceiling means the default ladder either way, but whether its removal wakes is not known.
    let text = manifest(DIRECT).with(CEILING, "x").with(INTERVAL, "0").text();
    let args = ["manifest.yaml", "--succeed-after", "0", "--event", "1h=unannotate:ceiling", "-o", "json"];
    let all = json_of(&run_on(&text, &[&release[..], &args].concat()));
    let told: Vec<Vec<f64>> = all["objects"].as_array().unwrap().iter().map(times).collect();
    assert_eq!(told, [vec![0.0, 3600.0], vec![0.0]]);
    // What is only assumed is no complaint about the object.
    let text = manifest(DIRECT).with(CEILING, "600").text();
    let all = json_of(&run_on(&text, &[&["manifest.yaml", "-o", "json"], &release[..]].concat()));
    assert_eq!(all["problems"], Value::Array(Vec::new()));
}

/// Section 3: a deletion that fails and an invalid interval go to the workqueue's default, whatever the ceiling says.
#[test]
fn what_goes_past_the_ceiling_is_told_as_the_default_ladder_with_its_own_reason() {
    let told = |course: &Value| {
        let ladder = &course["ladder"];
        (course["policy"].clone(), ladder["baseSeconds"].as_f64(), ladder["maxSeconds"].as_f64())
    };
    let default = ("default".into(), Some(0.25), Some(120.0));
    for ceiling in ["0", "600"] {
        let gone = deleting("cnrm.cloud.google.com/finalizer");
        let text = manifest(DIRECT).with(CEILING, ceiling).metadata(&gone).text();
        assert_eq!(told(&course_of(&text, &["--failures", "1"])), default, "{ceiling}, deleting");
        let text = manifest(DIRECT).with(CEILING, ceiling).with(INTERVAL, "x").text();
        assert_eq!(told(&course_of(&text, &["--failures", "1"])), default, "{ceiling}, an invalid interval");
    }
    for kind in [DIRECT, TF] {
        let text = manifest(kind).metadata(&deleting("cnrm.cloud.google.com/finalizer")).text();
        let reason = course_of(&text, &["--failures", "1"])["reason"].as_str().unwrap().to_owned();
        assert!(reason.contains("deletion") && !reason.contains("annotation"), "{reason}");
    }
}

/// The notes of a run on a manifest.
fn notes_of(text: &str, args: &[&str]) -> String {
    course_of(text, &[&["--failures", "1"], args].concat())["notes"].to_string()
}

#[test]
fn what_is_taken_for_granted_of_a_deletion_is_said() {
    const GRANTED: &str = "the deletion defender is taken to let go at once";
    const NOTHING: &str = "deletion-policy: abandon asks the cloud for nothing";
    let finalizer = deleting("cnrm.cloud.google.com/finalizer");
    let delete = ["--event", "1h=delete"];
    assert!(notes_of(&manifest(DIRECT).metadata(&finalizer).text(), &[]).contains(GRANTED));
    assert!(notes_of(&manifest(DIRECT).text(), &delete).contains(GRANTED));
    assert!(!notes_of(&manifest(DIRECT).text(), &["--event", "1h=spec"]).contains(GRANTED));
    // Section 6: direct looks the object up in the cloud before it abandons it.
    let abandoned = |kind| manifest(kind).with(crate::support::POLICY, "abandon").text();
    assert!(notes_of(&abandoned(TF), &delete).contains(NOTHING));
    assert!(!notes_of(&abandoned(DIRECT), &delete).contains(NOTHING));
    // Section 1: exactly `abandon`.
    for (value, expected) in [("abandon", true), ("none", false)] {
        let event = format!("30m=annotate:deletion-policy={value}");
        let notes = notes_of(&manifest(TF).text(), &[&delete[..], &["--event", &event]].concat());
        assert_eq!(notes.contains(NOTHING), expected, "{value}: {notes}");
    }
    // Section 6: through 1.155.1 a direct look-up error other than "not found" was ignored.
    for (kind, release, expected) in [(DIRECT, "1.155.1", true), (DIRECT, "main", false), (TF, "1.155.1", false)] {
        let notes = notes_of(&manifest(kind).text(), &[&delete[..], &["--kcc-version", release]].concat());
        assert_eq!(notes.contains("a look-up error other than"), expected, "{kind:?} in {release}: {notes}");
    }
}

/// Section 3: settled for releases up to 1.159, where no ceiling counts; not for main.
#[test]
fn a_ceiling_that_is_set_later_and_a_missing_dependency_are_not_settled_for_main_either() {
    let args = ["--event", "0s=dependency-missing", "--event", "1s=annotate:ceiling=600"];
    let text = manifest(DIRECT).text();
    assert!(notes_of(&text, &args).contains("not settled for main"));
    assert!(!notes_of(&text, &[&args[..], &["--kcc-version", "1.155.1"]].concat()).contains("not settled"));
    assert!(!notes_of(&manifest(TF).text(), &args).contains("not settled"), "tf reads no ceiling");
}

#[test]
fn what_the_simulation_leaves_out_or_assumes_is_said_of_each_object() {
    // Section 3: a watch on the dependency that gives up after a jittered 10 min.
    let watch = "gives up after a time that is drawn from 5 to 15 min";
    let missing = ["--event", "0s=dependency-missing"];
    assert!(notes_of(&manifest(MEMBER).text(), &missing).contains(watch));
    assert!(!notes_of(&manifest(DIRECT).text(), &missing).contains(watch));
    // Section 3: direct kinds that ask for a requeue without an error.
    let requeues = "asks for without an error";
    let job = manifest(("dataflow", "DataflowFlexTemplateJob"));
    assert!(notes_of(&manifest(("composer", "ComposerEnvironment")).text(), &[]).contains(requeues));
    assert!(!notes_of(&job.text(), &[]).contains(requeues), "tf handles it");
    assert!(!notes_of(&manifest(DIRECT).text(), &[]).contains(requeues));
    // Section 2.
    let paused = manifest(DIRECT).with(crate::support::ACTUATION, "Paused").text();
    let course = course_of(&paused, &[]);
    assert!(course["notes"].to_string().contains("it is paused"), "{}", course["notes"]);
    // Before 1.135.0 there is no controller table: controller unknown.
    let unknown = notes_of(&manifest(DIRECT).text(), &["--kcc-version", "1.134.0"]);
    assert!(unknown.contains("tf, dcl and direct, of which one handles it"), "{unknown}");
    assert!(!notes_of(&manifest(DIRECT).text(), &[]).contains("of which one handles it"));
    // Nobody handles it: there is nothing else to say.
    let nobody = "apiVersion: vertexai.cnrm.cloud.google.com/v1alpha1\nkind: NoSuchKind\nmetadata: {name: x}\n";
    assert_eq!(course_of(nobody, &["--event", "1s=delete"])["notes"].to_string(), "[]");
    assert!(!stdout(&run_on(nobody, &["manifest.yaml"])).contains("ATTEMPT"));
}

/// Delays were checked from 1.90.0 on.
#[test]
fn without_an_object_only_what_concerns_the_delays_is_said_of_a_release() {
    let notes = |release: &str| course(&["--kcc-version", release, "--failures", "1"])["notes"].to_string();
    let old = notes("1.80.0");
    assert_eq!(old.matches("those of 1.90.0").count(), 1, "{old}");
    assert!(!notes("1.90.0").contains("those of 1.90.0"));
    assert!(!notes("1.160.0").contains("which controllers"), "no object is asked for");
}

#[test]
fn what_concerns_an_object_of_the_console_is_said_of_it() {
    let status = format!("{PROJECT}status: {{id: a}}\n");
    let says = |text: &str, args: &[&str], words: &str| notes_of(text, args).contains(words);
    assert!(says(&status, &[], "the status in the manifest does not count"));
    assert!(!says(PROJECT, &[], "the status in the manifest"));
    let ceilings = "ceilings are Config Connector's";
    assert!(says(PROJECT, &["--compare", "default"], ceilings));
    assert!(says(PROJECT, &["--compare", "600"], ceilings));
    assert!(!says(PROJECT, &[], ceilings));
    let deletion = "deletion is simulated as that of a managed object";
    let gone = PROJECT.replace(
        "{name: p}",
        "{name: p, deletionTimestamp: \"2026-11-30T03:00:00Z\", finalizers: [projects.deployments.plural.sh/project-protection]}",
    );
    assert!(says(&gone, &[], deletion));
    assert!(!says(PROJECT, &[], deletion));
    // console.md 4: found and deleted, and the finalizer removed in the same pass.
    let course = course_of(&gone, &["--succeed-after", "0"]);
    assert_eq!(attempts(&course), [(0.0, "succeeded".into(), None, "gone".into())]);
}

/// Section 5: setting the value that it already has is no change.
#[test]
fn the_value_that_an_annotation_has_is_that_of_the_manifest_or_the_last_one_set() {
    let again = ["--event", "1h=annotate:ceiling=0", "--until", "2h"];
    let text = manifest(DIRECT).with(CEILING, "0").text();
    assert_eq!(times(&course_of(&text, &again)), [0.0]);
    let set = ["--set", "backoff-max-delay-in-seconds=600", "--policy", "ceiling", "--max-delay", "0"];
    assert_eq!(times(&course(&[&set[..], &again].concat())), [0.0]);
}

#[test]
fn an_attempt_that_waits_because_of_an_edit_is_not_told_as_an_older_delayed_add() {
    let text = stdout(&run(&["--reconcile-duration", "10s", "--event", "4s=spec", "--failures", "1"]));
    assert!(text.contains("the next attempt comes at 10s (it was woken while the last one ran)"), "{text}");
}

#[test]
fn what_happens_after_the_last_instant_does_not_happen_even_if_an_attempt_still_runs() {
    let course = course(&["--until", "5s", "--reconcile-duration", "10s", "--event", "7s=spec"]);
    assert_eq!((&course["events"][0]["woke"], &course["nextAtSeconds"]), (&Value::Null, &10.25.into()));
}

/// Only the drift requeues of successes make a settled object: what is unresolved or fails waits on.
#[test]
fn an_object_that_is_looked_at_again_by_the_drift_interval_is_not_settled_unless_it_succeeds() {
    // Section 3: unresolved, an IAMPolicyMember is requeued after the drift interval.
    let member = course_of(&manifest(MEMBER).text(), &["--event", "0s=dependency-missing"]);
    let ten: Vec<f64> = (0..10).map(|number| 600.0 * f64::from(number)).collect();
    assert_eq!((times(&member), &member["endedBy"]), (ten, &"failures".into()));
    // console.md 4: a failed deletion of a Project likewise.
    let project = course_of(PROJECT, &["--event", "0s=delete", "--failures", "3"]);
    assert_eq!((times(&project), &project["endedBy"]), (vec![0.0, 1800.0, 3600.0], &"failures".into()));
}

#[test]
fn a_success_is_not_the_end_while_events_are_to_come() {
    let course = course(&["--succeed-after", "0", "--event", "25m=fails", "--failures", "1"]);
    let expected =
        [succeeded(0.0, 600.0), succeeded(600.0, 600.0), succeeded(1200.0, 600.0), failed(1800.0, 0.25, "ladder")];
    assert_eq!(attempts(&course), expected);
}

/// README: `fails` means that from now on attempts fail.
#[test]
fn an_event_counts_more_than_the_number_of_failures_that_passed_before_it() {
    let again = ["--event", "10s=fails", "--event", "10s=spec", "--until", "11s"];
    let course = course(&[&["--succeed-after", "1"], &again[..]].concat());
    let expected = [
        failed(0.0, 0.25, "ladder"),
        succeeded(0.25, 600.0),
        failed(10.0, 0.25, "ladder"),
        failed(10.25, 0.5, "ladder"),
        failed(10.75, 1.0, "ladder"),
    ];
    assert_eq!(attempts(&course), expected);
    // The attempt that is running when it happens ends as it began.
    let args = ["--succeed-after", "0", "--reconcile-duration", "10s", "--event", "5s=fails", "--event", "20s=spec"];
    let course = self::course(&[&args[..], &["--until", "20s"]].concat());
    assert_eq!(attempts(&course), [succeeded(0.0, 600.0), failed(20.0, 0.25, "ladder")]);
}

#[test]
fn a_removed_annotation_is_told_and_asked_for_by_its_short_name() {
    let course = course(&["--event", "1s=annotate:ceiling=0", "--event", "2s=unannotate:ceiling", "--failures", "4"]);
    assert_eq!(course["events"][1]["what"], "unannotate:ceiling");
    for (event, words) in [
        ("1s=unannotate", "expected unannotate:KEY, as in unannotate:ceiling"),
        ("1s=annotate", "expected annotate:KEY=VALUE, as in annotate:ceiling=600"),
    ] {
        let output = run(&["--event", event]);
        assert_eq!(output.status.code(), Some(2), "{event}");
        assert!(stderr(&output).contains(words), "{event}: {}", stderr(&output));
    }
}

/// console.md 7: deleted, then the finalizer goes, in one pass. Section 8: deletionTimestamp is not looked at.
#[test]
fn a_notification_sink_goes_in_one_pass_and_a_service_account_that_is_being_deleted_is_as_one_that_is_not() {
    let sink = "apiVersion: deployments.plural.sh/v1alpha1\nkind: NotificationSink\nmetadata: {name: it, namespace: n}\n\
                spec: {name: x, type: SLACK}\n";
    let course = course_of(sink, &["--succeed-after", "0", "--event", "10s=delete", "--until", "1m"]);
    assert_eq!(attempts(&course).last(), Some(&(10.0, "succeeded".into(), None, "gone".into())));
    let account = "apiVersion: deployments.plural.sh/v1alpha1\nkind: ServiceAccount\nmetadata: {name: it, \
                   deletionTimestamp: \"2026-11-30T03:00:00Z\", finalizers: [example.com/x]}\nspec: {email: a@b}\n";
    let course = course_of(account, &["--succeed-after", "0", "--until", "1m"]);
    assert_eq!(attempts(&course), [succeeded(0.0, 1800.0)]);
    let notes = course["notes"].to_string();
    assert!(notes.contains("does not look at a request to delete it"), "{notes}");
}

/// Doubling nothing never goes beyond anything.
#[test]
fn a_ladder_whose_first_delay_is_nothing_never_reaches_its_ceiling() {
    let ladder = kcc_backoff::backoff::Ladder::new(std::time::Duration::ZERO, std::time::Duration::from_secs(5));
    assert!([1, 2, 64, 65, u64::MAX].iter().all(|failure| !ladder.is_capped(*failure)));
}

#[test]
fn an_object_of_a_kind_whose_deletion_was_not_read_is_simulated_until_it_is_deleted() {
    let flow = "apiVersion: deployments.plural.sh/v1alpha1\nkind: Flow\nmetadata: {name: it}\nspec: {name: x}\n";
    // console.md 2.2: without spec.reconciliation every 30 min.
    let course = course_of(flow, &["--succeed-after", "0", "--until", "30m"]);
    assert_eq!(attempts(&course), [succeeded(0.0, 1800.0), succeeded(1800.0, 1800.0)]);
    assert_eq!(course["endedBy"], "until");
}

/// What changes while the last attempt runs can change what comes of the next one, though it wakes nothing.
#[test]
fn an_object_that_changed_while_it_was_worked_on_is_not_settled_yet() {
    let args = ["--succeed-after", "0", "--reconcile-duration", "10s", "--failures", "1", "--event"];
    // Section 5: an interval that becomes 0 does not wake; the reconcile that is pending is skipped.
    let quiet = course(&[&args[..], &["5s=annotate:interval=0"]].concat());
    assert_eq!(attempts(&quiet)[1..], [(610.0, "skipped".into(), None, "none".into())]);
    assert_eq!(quiet["endedBy"], "quiet");
    let missing = course(&[&args[..], &["5s=dependency-missing"]].concat());
    assert_eq!(attempts(&missing)[1..], [(610.0, "unresolved".into(), Some(0.25), "ladder".into())]);
}

#[test]
fn a_chart_reaches_as_far_as_the_events_of_any_of_its_policies() {
    let halted = ["--policy", "ceiling", "--max-delay", "0", "--chart", "--until", "2h"];
    let text = stdout(&run(&[&halted[..], &["--event", "10s=fails", "--event", "1h=fails"]].concat()));
    assert!(text.contains("10m"), "a time between the events: {text}");
    // The ladder has its three failures long before the event, which the halted object lives to see.
    let text = stdout(&run(&["--compare", "0,default", "--failures", "3", "--event", "1h=fails", "--chart"]));
    assert!(text.contains("\nevents"), "{text}");
}

#[test]
fn each_outcome_has_its_sign_in_a_chart() {
    let restarted = ["--reconcile-duration", "10s", "--event", "4s=restart", "--until", "4s", "--chart"];
    let text = stdout(&run(&restarted));
    assert!(text.contains("default ladder  ! ") && text.contains("! interrupted"), "{text}");
    let text = stdout(&run(&["--event", "0s=dependency-missing", "--failures", "1", "--chart"]));
    assert!(text.contains("\ndefault ladder  ?\n") && text.contains("? unresolved"), "{text}");
}

/// The picture of a run: what is written into the file.
fn picture(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = binary(folder.path()).arg("simulate").args(args).args(["--svg", "it.svg"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    std::fs::read_to_string(folder.path().join("it.svg")).unwrap()
}

#[test]
fn an_axis_is_marked_up_to_its_end_in_minutes_hours_days_and_years() {
    let halted = ["--policy", "ceiling", "--max-delay", "0", "--until", "200000h", "--event", "10s=fails"];
    let svg = picture(&[&halted[..], &["--event", "87600h=fails"]].concat());
    // 87600 h are ten years of 365 days.
    for tick in ["0", "1m", "10m", "1h", "10h", "10d", "1y", "10y"] {
        assert!(svg.contains(&format!(">{tick}</text>")), "{tick}: {svg}");
    }
    // Too near to 0 and to 10h to be named.
    assert!(!svg.contains(">10s</text>") && !svg.contains(">1d</text>"), "{svg}");
}

#[test]
fn a_chart_of_several_objects_parts_them_by_an_empty_line_and_one_of_a_single_policy_does_not_name_it_again() {
    let text = [manifest(DIRECT).text(), manifest(TF).text()].join("---\n");
    for chart in [&[][..], &["--chart"]] {
        let told = stdout(&run_on(&text, &[&["manifest.yaml", "--failures", "1"], chart].concat()));
        assert!(told.contains("\n\nAccessContextManagerAccessLevel "), "{told}");
        assert!(told.contains("\n  Then          1 attempt: 1 failed; "), "{told}");
    }
}

#[test]
fn a_row_says_whether_it_called_and_comes_once_however_many_there_are() {
    let paused = stdout(&run(&["--event", "0s=annotate:actuation=Paused", "-o", "csv"]));
    assert!(paused.contains(",1,succeeded,false,0,600,drift,start,"), "{paused}");
    let many = stdout(&run(&["--failures", "3000", "-o", "csv"]));
    assert_eq!(many.lines().count(), 3001);
    let many = json_of(&run(&["--failures", "3000", "-o", "json"]));
    assert_eq!(many["objects"][0]["attempts"].as_array().unwrap().len(), 3000);
    assert_eq!(stdout(&run(&["--failures", "3000"])).matches(" failed ").count(), 3000);
}

/// RFC 4180: a field with a comma or a quote stands in quotes, with each quote doubled.
#[test]
fn a_field_with_a_comma_or_a_quote_is_quoted() {
    for (name, field) in [("a,b", "/a,b\""), ("a\\\"b", "/a\"\"b\"")] {
        let text = format!(
            "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {{name: \"{name}\"}}\n"
        );
        let csv = stdout(&run_on(&text, &["manifest.yaml", "--failures", "1", "-o", "csv"]));
        let expected = format!("\"logginglogmetric.logging.cnrm.cloud.google.com{field},");
        assert!(csv.lines().nth(1).unwrap().starts_with(&expected), "{csv}");
    }
}

#[test]
fn the_answer_in_data_names_release_start_and_choices() {
    let args = ["--compare", "default,600,plural,controller-runtime", "--failures", "1", "-o", "json"];
    let all = json_of(&run(&[&args[..], &["--start", "2001-02-03T04:05:06Z"]].concat()));
    assert_eq!((&all["release"], &all["releaseNamed"]), (&"main".into(), &false.into()));
    assert_eq!(all["start"], "2001-02-03T04:05:06Z");
    assert!(all["note"].as_str().unwrap().starts_with("Told for Config Connector main."), "{}", all["note"]);
    let choices: Vec<&Value> = all["objects"].as_array().unwrap().iter().map(|course| &course["choice"]).collect();
    assert_eq!(choices, ["default", "600", "plural", "controller-runtime"]);
    let ladders: Vec<(f64, f64)> = all["objects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|course| {
            let ladder = &course["ladder"];
            (ladder["baseSeconds"].as_f64().unwrap(), ladder["maxSeconds"].as_f64().unwrap())
        })
        .collect();
    // Section 4, and console.md 2.3.
    assert_eq!(ladders, [(0.25, 120.0), (1.0, 600.0), (0.005, 1000.0), (0.005, 1000.0)]);
    let named = json_of(&run(&["--kcc-version", "1.155.1", "--failures", "1", "-o", "json"]));
    assert_eq!((&named["release"], &named["releaseNamed"]), (&"1.155.1".into(), &true.into()));
}

#[test]
fn what_is_told_of_other_systems_in_general_does_not_depend_on_a_release() {
    const GENERAL: &str = "Told for controllers in general; --kcc-version does not matter.";
    for policies in ["plural", "controller-runtime", "plural,controller-runtime"] {
        let text = stdout(&run(&["--compare", policies, "--failures", "1"]));
        assert!(text.contains(GENERAL), "{policies}: {text}");
    }
    let text = stdout(&run(&["--compare", "plural,default", "--failures", "1"]));
    assert!(text.contains("Told for Config Connector main."), "{text}");
}

#[test]
fn yaml_without_objects_or_attempts_has_empty_lists_and_counts_what_was_read() {
    let none = stdout(&run_on(&crate::support::connector("  mode: cluster\n"), &["manifest.yaml", "-o", "yaml"]));
    assert!(none.contains("\nobjects: []\n"), "{none}");
    let nobody = "apiVersion: vertexai.cnrm.cloud.google.com/v1alpha1\nkind: NoSuchKind\nmetadata: {name: x}\n";
    let yaml = stdout(&run_on(nobody, &["manifest.yaml", "-o", "yaml"]));
    assert!(yaml.contains("\n  attempts: []\n"), "{yaml}");
    let json = json_of(&run_on(nobody, &["manifest.yaml", "-o", "json"]));
    assert_eq!((&json["summary"]["kcc"], &json["summary"]["documents"]), (&1.into(), &1.into()));
    assert!(yaml.contains("\n  kcc: 1\n"), "{yaml}");
}

#[test]
fn a_picture_shows_only_events_that_happened_and_no_name_breaks_it() {
    // The legend has a dashed line of its own.
    let dashed = |event: &str| picture(&["--failures", "3", "--event", event]).matches("stroke-dasharray").count();
    assert_eq!((dashed("10h=spec"), dashed("100ms=fails")), (1, 2));
    let folder = tempfile::tempdir().unwrap();
    let name = format!("a&b<c>\\e[31m{}", "x".repeat(300));
    let text = format!(
        "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {{name: \"{name}\"}}\n"
    );
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    let args = ["simulate", "manifest.yaml", "--failures", "1", "--svg", "it.svg"];
    assert_eq!(binary(folder.path()).args(args).output().unwrap().status.code(), Some(0));
    let svg = std::fs::read_to_string(folder.path().join("it.svg")).unwrap();
    assert!(svg.contains(">LoggingLogMetric a&amp;b&lt;c&gt;"), "{svg}");
    assert!(!svg.contains('\u{1b}'), "{svg}");
    // As much of a name as the picture is wide.
    assert!(svg.lines().all(|line| line.matches('x').count() < 120), "{svg}");
}

#[test]
fn where_jittered_requeues_are_shown_is_said_if_there_are_any() {
    let said = |args: &[&str]| stdout(&run(&[&["--succeed-after", "0"], args].concat()));
    assert!(said(&["--jitter", "min"]).contains("Drift requeues are at the lower end of their range"));
    assert!(said(&["--jitter", "max"]).contains("Drift requeues are at the upper end of their range"));
    assert!(said(&["--compare", "default,controller-runtime"]).contains("Drift requeues are at the mean"));
    assert!(!said(&["--policy", "controller-runtime"]).contains("Drift requeues"));
    // console.md 2.3: a wait is drawn, too.
    let waiting = stdout(&run_on(PROJECT, &["manifest.yaml", "--event", "0s=dependency-missing", "--failures", "2"]));
    assert!(waiting.contains("Drift requeues are at the mean"), "{waiting}");
    // Section 1: 10 min, drawn from 5 to 15.
    assert!(said(&[]).contains("it is looked at again after 10 min (drawn from 5 to 15 min), and so on\n"));
    assert!(said(&["--jitter", "min"]).contains("it is looked at again after 5 min, and so on\n"));
}

#[test]
fn a_note_and_a_complaint_are_told_once_for_the_policies_of_an_object() {
    let text = manifest(DIRECT).with(crate::support::RECONCILER, "tf").text();
    let output = run_on(&text, &["manifest.yaml", "--compare", "default,600,0", "--event", "1h=delete"]);
    let (told, complaints) = (stdout(&output), stderr(&output));
    assert_eq!(told.matches("the deletion defender is taken to let go at once").count(), 1, "{told}");
    assert_eq!(complaints.matches("[ineffective-override]").count(), 1, "{complaints}");
}

#[test]
fn a_table_says_what_attempts_are_for_once_they_are_for_more_than_retries() {
    let retries = stdout(&run(&["--failures", "3"]));
    assert!(retries.contains("  ATTEMPT  OUTCOME  DELAY  FROM    AT     TIME (UTC)\n"), "{retries}");
    let drifting = stdout(&run(&["--succeed-after", "0", "--until", "10m", "--jitter", "7"]));
    assert!(drifting.contains("  FOR    "), "{drifting}");
    // Drawn to the nanosecond, told to the millisecond.
    for row in drifting.lines().filter(|line| line.contains("2026-11-30")) {
        let time = row.rsplit_once("2026-11-30 ").unwrap().1;
        let digits = time.split_once('.').map_or(0, |(_, digits)| digits.len());
        assert!(digits <= 3, "{row}");
    }
}

#[test]
fn two_dozen_events_are_told_one_by_one_and_more_are_not() {
    let told = |count: usize| {
        let events: Vec<String> = (0..count).map(|number| format!("{number}ms=labels")).collect();
        let args: Vec<&str> = events.iter().flat_map(|event| ["--event", event]).collect();
        stdout(&run(&[&args[..], &["--until", "1s"]].concat())).matches("\n  Event ").count()
    };
    assert_eq!((told(24), told(25)), (24, 0));
}

#[test]
fn an_object_that_nobody_handles_has_a_table_only_beside_one_that_somebody_does() {
    let nobody = "apiVersion: vertexai.cnrm.cloud.google.com/v1alpha1\nkind: NoSuchKind\nmetadata: {name: x}\n";
    let text = |args: &[&str]| stdout(&run_on(nobody, &[&["manifest.yaml", "--failures", "1"], args].concat()));
    assert!(text(&["--compare", "default,controller-runtime"]).contains("\n  ATTEMPT "));
    assert!(!text(&["--compare", "default,600"]).contains("ATTEMPT"));
    let late = text(&["--until", "1h", "--event", "2h=spec"]);
    assert!(late.contains("no attempts\n"), "what does not happen to it is not missed: {late}");
}

#[test]
fn the_line_below_a_table_says_what_comes_next() {
    let then = |args: &[&str]| {
        let text = stdout(&run(args));
        text.lines().find_map(|line| line.strip_prefix("  Then          ")).unwrap().to_owned()
    };
    let halt = then(&["--policy", "ceiling", "--max-delay", "0", "--failures", "1"]);
    assert!(halt.starts_with("1 attempt: 1 failed; HALTED: nothing comes by itself"), "{halt}");
    let gone = then(&["--event", "0s=succeeds", "--event", "0s=delete", "--event", "1h=spec", "--until", "30m"]);
    assert_eq!(gone, "1 attempt: 1 succeeded; deleted");
    let one = then(&["--failures", "2", "--event", "1h=spec"]);
    assert!(one.ends_with("; 1 event lies after that and did not happen (--until goes on)"), "{one}");
    // Attempts take 1 s: the eighth failure begins at 21.75 s and leaves 16 s: 38.75 s. The edit at 25 s succeeds; that at
    // 37.6 s fails and asks for 38.85 s.
    let args =
        ["--reconcile-duration", "1s", "--event", "25s=succeeds", "--event", "25s=spec", "--event", "37.6s=fails"];
    let older = then(&[&args[..], &["--event", "37.6s=spec", "--until", "38.7s"]].concat());
    assert!(older.ends_with("the next attempt comes at 38.75s (an older delayed add)"), "{older}");
    // There is no clock time after the year 9999.
    let far = stdout(&run(&["--policy", "ceiling", "--max-delay", "2147483647", "--failures", "200"]));
    let last = far.lines().find(|line| line.starts_with("  200 ")).unwrap();
    assert!(last.ends_with("  -"), "{last}");
    // Section 4: doubling from 1 s, at most the ceiling.
    let level = stdout(&run(&["--policy", "ceiling", "--max-delay", "1", "--failures", "1"]));
    assert!(level.contains("  1 s each time; "), "{level}");
}

#[test]
fn files_can_be_named_with_an_option_and_the_summary_be_left_out() {
    let text = manifest(DIRECT).with(CEILING, "600").text();
    let output = run_on(&text, &["-f", "manifest.yaml", "--failures", "1", "--quiet"]);
    assert!(stdout(&output).starts_with("LoggingLogMetric team-a/it "), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
    assert!(stderr(&run_on(&text, &["manifest.yaml", "--failures", "1"])).contains("1 object"));
}

#[test]
fn what_is_doubted_of_events_and_settings_is_what_concerns_somebody() {
    let complaints = |args: &[&str]| stderr(&run(&[&["--failures", "1"], args].concat()));
    const MISSPELT: &str = "cnrm.cloud.google.com/backoff-max-delay-in-second";
    assert!(complaints(&["--set", &format!("{MISSPELT}=5")]).contains("not known"));
    assert!(complaints(&["--event", &format!("1s=unannotate:{MISSPELT}")]).contains("not known"));
    let invalid = ["--event", "1s=annotate:ceiling=abc", "--compare"];
    assert_eq!(complaints(&[&invalid[..], &["plural"]].concat()), "", "it reads no ceiling");
    assert!(complaints(&[&invalid[..], &["plural,default"]].concat()).contains("[invalid-ceiling]"));
    // Whether 1.160.0 ignores it is not known; an empty mode is none.
    let later = complaints(&["--kcc-version", "1.160.0", "--event", "1s=annotate:ceiling=600"]);
    assert!(!later.contains("ignores the annotation"), "{later}");
    assert_eq!(complaints(&["--event", "1s=annotate:actuation="]), "");
}

#[test]
fn a_start_that_nobody_chose_is_a_whole_second() {
    let folder = tempfile::tempdir().unwrap();
    let call = ["simulate", "--failures", "1", "-o", "json", "--now", "2026-11-30T03:12:00.75Z"];
    let start =
        |args: &[&str]| json_of(&binary(folder.path()).args(call).args(args).output().unwrap())["start"].clone();
    assert_eq!(start(&[]), "2026-11-30T03:12:00Z");
    assert_eq!(start(&["--start", "2026-11-30T03:12:00.25Z"]), "2026-11-30T03:12:00.25Z");
}

/// No release up to 1.159 reads the annotation, so it cannot be said to.
#[test]
fn a_release_that_is_known_to_ignore_ceilings_cannot_be_the_first_that_reads_them() {
    let output = run(&["--ceiling-since", "1.150.0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no release up to 1.159 reads the ceiling annotation"), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
}

/// console.md 2.3 and 6: a failed deletion of a repository returns what `spec.reconciliation` says, pullable or not.
#[test]
fn a_failed_deletion_of_a_repository_that_is_not_pullable_comes_again_with_the_interval() {
    let last = |reconciliation: &str| {
        let text = format!(
            "apiVersion: deployments.plural.sh/v1alpha1\nkind: GitRepository\nmetadata: {{name: it}}\n\
             spec: {{url: x, reconciliation: {{{reconciliation}}}}}\nstatus: {{id: a, health: FAILED}}\n"
        );
        let args = ["--succeed-after", "0", "--event", "10s=fails", "--event", "10s=delete", "--until", "20s"];
        attempts(&course_of(&text, &args)).pop().unwrap()
    };
    assert_eq!(last("interval: 10m"), failed(10.0, 600.0, "drift"));
    assert_eq!(last("interval: 10m, driftDetection: false"), (10.0, "failed".into(), None, "none".into()));
}
