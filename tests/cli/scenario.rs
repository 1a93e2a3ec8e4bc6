//! `simulate --scenario`: end-to-end scripts of Config Connector in virtual time (kcc.md section 8). Expected times are
//! those of the ladders in sections 3 and 4.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::{ACTUATION, CEILING, INTERVAL, RECONCILER, binary, connector, stderr, stdout};

const START: &str = "2026-11-30T03:12:00Z";
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/backoff-max-delay-zero");

/// One document: a LoggingLogMetric with a filter, annotations, and lines at the top level.
fn metric(filter: &str, annotations: &[(&str, &str)], lines: &str) -> String {
    let mut text = String::from(
        "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata:\n  name: m\n  namespace: ns\n",
    );
    if !annotations.is_empty() {
        text.push_str("  annotations:\n");
        for (key, value) in annotations {
            let _ = writeln!(text, "    {key}: {value:?}");
        }
    }
    if !filter.is_empty() {
        let _ = writeln!(text, "spec:\n  filter: {filter:?}");
    }
    format!("{text}{lines}\n")
}

fn wait(duration: &str) -> String {
    format!("kind: SystemRun\nduration: {duration}\n")
}

fn play_with(documents: &[String], expectation: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("script.yaml"), documents.join("---\n")).unwrap();
    std::fs::write(folder.path().join("expected.yaml"), expectation).unwrap();
    let call = ["simulate", "--scenario", "script.yaml", "--now", START];
    binary(folder.path()).args(call).args(args).output().unwrap()
}

fn play(documents: &[String], args: &[&str]) -> Output {
    play_with(documents, "", args)
}

fn steps(documents: &[String], args: &[&str]) -> Vec<Value> {
    let output = play(documents, &[&["-o", "json"], args].concat());
    let told: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(&output), stderr(&output)));
    told["steps"].as_array().unwrap().clone()
}

fn times(step: &Value) -> Vec<f64> {
    step["attempts"].as_array().unwrap().iter().map(|attempt| attempt["atSeconds"].as_f64().unwrap()).collect()
}

/// Status and reason of Ready, whether it is halted, and whether the step would pass.
fn state(step: &Value) -> (Value, Value, Value, Value) {
    (step["ready"].clone(), step["reason"].clone(), step["halted"].clone(), step["passes"].clone())
}

fn is(ready: &str, reason: &str, halted: bool, passes: bool) -> (Value, Value, Value, Value) {
    (ready.into(), reason.into(), halted.into(), passes.into())
}

/// Section 8, "What was recorded upstream with the implementation".
#[test]
fn the_upstream_recording_is_reproduced_window_by_window() {
    let zero = [(CEILING, "0")];
    let script = [
        metric("severity>=", &[], "TEST: APPLY-10-SEC\nOUTCOME: fails"),
        metric("severity>=", &zero, "TEST: APPLY-10-SEC"),
        metric("severity>=ERROR", &zero, "TEST: APPLY\nOUTCOME: succeeds"),
        metric("", &[], "TEST: DELETE"),
    ];
    let steps = steps(&script, &[]);
    let expected: [&[f64]; 4] = [&[0.0, 0.25, 0.75, 1.75, 3.75, 7.75], &[10.0, 15.75], &[20.0], &[20.0]];
    assert_eq!(steps.iter().map(times).collect::<Vec<_>>(), expected);
    assert_eq!(state(&steps[0]), is("False", "UpdateFailed", false, true));
    assert_eq!(state(&steps[1]), is("False", "UpdateFailed", true, true));
    assert_eq!(state(&steps[2]), is("True", "UpToDate", false, true));
    assert_eq!((&steps[3]["exists"], &steps[3]["passes"]), (&Value::Bool(false), &Value::Bool(true)));
    assert_eq!(steps[0]["callCount"], 6);
}

fn example(script: &str, args: &[&str]) -> Output {
    let call = ["simulate", "--scenario", script, "--now", START];
    binary(Path::new(EXAMPLES)).args(call).args(args).output().unwrap()
}

#[test]
fn the_scenario_of_the_design_comes_out_as_its_expectation_says() {
    let output = example("script.yaml", &["--expect", "expected.yaml"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "4 steps: 4 would pass; as expected\n");
    // The expectation is not met by a release that ignores the annotation.
    let before = example("script.yaml", &["--expect", "expected.yaml", "--kcc-version", "1.155.1"]);
    assert_eq!(before.status.code(), Some(1));
    assert!(
        stderr(&before).contains("expected.yaml:13:11: error: step 0, halted: expected true, got false"),
        "{}",
        stderr(&before)
    );
}

/// 1023 s bring attempt 11 under 600 s, then every 600 s. Raised at 3600 s, the sixteenth failure asks for 1800 s; the
/// 600 s that are pending since 3423 s are earlier. Removed at 7200 s, the default ladder begins.
#[test]
fn a_ceiling_that_is_raised_and_removed_while_failing() {
    let output = example("raised-and-removed.yaml", &["-o", "json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let told: Vec<Vec<f64>> = told["steps"].as_array().unwrap().iter().map(times).collect();
    let climb = (1..=10).map(|n| f64::from((1 << n) - 1));
    let level = (1..=4).map(|n| 1023.0 + 600.0 * f64::from(n));
    let expected = [
        vec![0.0],
        climb.chain(level).collect(),
        vec![3600.0],
        vec![4023.0, 5823.0],
        vec![7200.0, 7200.25, 7200.75, 7201.75, 7203.75, 7207.75],
        vec![7215.75, 7231.75],
    ];
    assert_eq!(told, expected);
}

/// Section 6: failing deletions always use the workqueue default, whose counter a halt has forgotten.
#[test]
fn a_deletion_that_fails_while_halted() {
    let output = example("deletion-while-halted.yaml", &["-o", "json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    let steps = told["steps"].as_array().unwrap();
    let expected: [&[f64]; 4] = [&[0.0], &[10.0, 10.25, 10.75, 11.75], &[13.75, 17.75], &[25.75]];
    assert_eq!(steps.iter().map(times).collect::<Vec<_>>(), expected);
    assert_eq!(state(&steps[0]), is("False", "UpdateFailed", true, true));
    assert_eq!(state(&steps[1]), is("False", "DeleteFailed", false, true));
    // It waits from 20 s until the object is gone.
    assert_eq!((&steps[3]["fromSeconds"], &steps[3]["toSeconds"]), (&20.into(), &25.75.into()));
    assert_eq!(steps[3]["exists"], false);
}

#[test]
fn attempts_succeed_unless_the_script_says_otherwise() {
    let steps = steps(&[metric("x", &[], ""), wait("5m")], &[]);
    assert_eq!(state(&steps[0]), is("True", "UpToDate", false, true));
    assert_eq!(times(&steps[1]), [] as [f64; 0]);
}

#[test]
fn a_step_that_waits_in_vain_times_out_and_would_not_pass() {
    let script = [metric("x", &[], "OUTCOME: fails"), metric("", &[], "TEST: READ-OBJECT")];
    let output = play(&script, &["-o", "json", "--exit-code"]);
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["steps"][0]["passes"], false);
    assert_eq!(told["steps"][0]["toSeconds"], 2100);
    assert_eq!(told["summary"]["passing"], 1);
    assert_eq!(play(&script, &[]).status.code(), Some(0), "nobody asked");
    let steps = steps(&script, &["--step-timeout", "10s"]);
    assert_eq!(steps[0]["toSeconds"], 10);
    assert_eq!(steps[0]["attemptCount"], 6);
    assert!(stdout(&play(&script, &[])).contains("A real run would stop at step 0"));
}

#[test]
fn an_outcome_stands_until_another_step_says_otherwise_and_wakes_nothing() {
    let script = [
        metric("x", &[], "TEST: APPLY-10-SEC\nOUTCOME: fails"),
        metric("", &[], "TEST: READ-OBJECT\nOUTCOME: succeeds"),
        metric("", &[], "TEST: WAIT-FOR-READY"),
    ];
    let steps = steps(&script, &[]);
    assert_eq!(times(&steps[1]), [] as [f64; 0]);
    // The retry after 7.75 s comes 8 s later.
    assert_eq!(times(&steps[2]), [15.75]);
    assert_eq!(steps[2]["toSeconds"], 15.75);
}

#[test]
fn attempts_fail_while_a_field_of_the_spec_has_a_value() {
    let script = [
        metric("severity>=", &[], "TEST: APPLY-NO-WAIT"),
        metric("severity>=ERROR", &[], "TEST: APPLY-NO-WAIT"),
        metric("severity>=", &[], "TEST: APPLY-NO-WAIT\nOUTCOME: succeeds"),
    ];
    for path in ["spec.filter=severity>=", "filter=severity>="] {
        let steps = steps(&script, &["--fails-while", path]);
        let ready: Vec<&Value> = steps.iter().map(|step| &step["ready"]).collect();
        assert_eq!(ready, ["False", "True", "True"], "{path}: OUTCOME goes first");
    }
    let numbers = ["apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {name: m}\n\
                    spec: {buckets: [{bounds: 5}, {'off': true}]}\nTEST: APPLY-NO-WAIT\n"
        .to_owned()];
    for (value, ready) in
        [("spec.buckets.0.bounds=5", "False"), ("spec.buckets.1.off=true", "False"), ("spec.buckets.2.x=5", "True")]
    {
        assert_eq!(steps(&numbers, &["--fails-while", value])[0]["ready"], ready, "{value}");
    }
    for wrong in ["filter", "spec..filter=x", "=x"] {
        assert_eq!(play(&numbers, &["--fails-while", wrong]).status.code(), Some(2), "{wrong}");
    }
}

/// Each TEST value: what it does and how long it takes.
#[test]
fn each_test_value_does_what_its_name_says() {
    let applied = metric("a", &[], "");
    let after = |document: String, args: &[&str]| {
        let mut steps = steps(&[applied.clone(), document], args);
        steps.remove(1)
    };
    let window = |step: &Value| (step["fromSeconds"].as_f64().unwrap(), step["toSeconds"].as_f64().unwrap());
    let cases: [(&str, &str, f64, usize); 11] = [
        ("APPLY", "b", 0.0, 1),
        ("APPLY-NO-WAIT", "b", 0.0, 1),
        ("APPLY-10-SEC", "b", 10.0, 1),
        ("APPLY-30-SEC", "a", 30.0, 0),
        ("READ-OBJECT", "", 0.0, 0),
        ("DELETE", "", 0.0, 1),
        ("DELETE-NO-WAIT", "", 2.0, 1),
        ("ABANDON", "", 0.0, 1),
        ("WAIT-FOR-READY", "", 0.0, 0),
        ("TOUCH", "", 2.0, 1),
        ("TOUCH-5-SEC", "", 5.0, 1),
    ];
    for (test, filter, length, attempts) in cases {
        let step = after(metric(filter, &[], &format!("TEST: {test}")), &[]);
        assert_eq!(step["test"], test);
        assert_eq!(window(&step), (0.0, length), "{test}");
        assert_eq!(times(&step).len(), attempts, "{test}");
        assert_eq!(step["passes"], true, "{test}");
    }
    let patched = after(metric("b", &[], "TEST: PATCH-EXTERNALLY-MANAGED-FIELDS"), &[]);
    assert_eq!((times(&patched), &patched["passes"]), (vec![0.0], &true.into()));
    // Deleted and applied again: two attempts, and it is there.
    let reacquired = after(metric("a", &[], "TEST: ABANDON-AND-REACQUIRE"), &[]);
    assert_eq!((times(&reacquired).len(), &reacquired["exists"]), (2, &true.into()));
}

#[test]
fn an_answer_is_waited_for_that_holds_a_value() {
    let wants = |value: &str, filter: &str| {
        let lines = format!("TEST: WAIT-FOR-HTTP-REQUEST\nVALUE_PRESENT: {value:?}");
        let script = [metric("a", &[], "TEST: APPLY-NO-WAIT"), metric(filter, &[], &lines)];
        steps(&script, &["--step-timeout", "1m"]).remove(1)
    };
    assert_eq!(wants("severity>=ERROR", "severity>=ERROR")["passes"], true);
    let in_vain = wants("nowhere", "b");
    assert_eq!((&in_vain["passes"], &in_vain["toSeconds"]), (&false.into(), &60.into()));
    // It waits for an attempt that succeeds.
    let script = [
        metric("a", &[], "TEST: APPLY-NO-WAIT\nOUTCOME: fails"),
        metric("b", &[], "TEST: WAIT-FOR-HTTP-REQUEST\nVALUE_PRESENT: b"),
    ];
    assert_eq!(steps(&script, &["--step-timeout", "1m"])[1]["passes"], false);
}

#[test]
fn a_spec_is_compared_with_that_of_another_step() {
    // Steps are counted from 1 there: the second holds b.
    let compare = |filter: &str| {
        let lines = "TEST: READ-OBJECT-AND-COMPARE-SPEC\nTARGET_STEP_FOR_READ_AND_COMPARE: 2";
        let script = [metric("a", &[], ""), metric("b", &[], ""), metric(filter, &[], ""), metric("", &[], lines)];
        steps(&script, &[])[3]["passes"].clone()
    };
    assert_eq!(compare("b"), true);
    assert_eq!(compare("c"), false);
}

/// Server-side apply takes away what the text does not name any more.
#[test]
fn an_annotation_that_the_next_text_leaves_out_is_removed() {
    let script = [
        metric("x", &[(CEILING, "0")], "TEST: APPLY-NO-WAIT\nOUTCOME: fails"),
        wait("1h"),
        metric("x", &[], "TEST: APPLY-NO-WAIT"),
        wait("1s"),
    ];
    let steps = steps(&script, &[]);
    assert_eq!(times(&steps[2]), [3600.0], "the removal wakes it");
    assert_eq!(times(&steps[3]), [3600.25, 3600.75]);
    assert_eq!(steps[3]["halted"], false);
}

#[test]
fn a_text_that_changes_nothing_wakes_nothing_and_labels_do() {
    let labelled =
        metric("x", &[], "TEST: APPLY-NO-WAIT").replace("  namespace: ns\n", "  namespace: ns\n  labels: {a: b}\n");
    let script = [metric("x", &[], ""), metric("x", &[], "TEST: APPLY-NO-WAIT"), labelled.clone(), labelled];
    let counts: Vec<usize> = steps(&script, &[]).iter().map(|step| times(step).len()).collect();
    assert_eq!(counts, [1, 0, 1, 0]);
}

#[test]
fn duration_is_seconds_or_a_duration_string() {
    for (written, seconds) in [("10", 10.0), ("0.5", 0.5), ("10s", 10.0), ("\"1m30s\"", 90.0), ("0", 0.0)] {
        let steps = steps(&[wait(written)], &[]);
        assert_eq!(steps[0]["toSeconds"].as_f64(), Some(seconds), "{written}");
    }
}

/// Windows go from the edit up to, not including, their end: an attempt at the end belongs to the next step.
#[test]
fn an_attempt_at_the_instant_at_which_a_window_ends_belongs_to_the_next_step() {
    let script = [metric("x", &[(CEILING, "1")], "TEST: APPLY-10-SEC\nOUTCOME: fails"), wait("1s"), wait("0")];
    let told: Vec<Vec<f64>> = steps(&script, &[]).iter().map(times).collect();
    let ten: Vec<f64> = (0..10).map(f64::from).collect();
    assert_eq!(told, [ten, vec![10.0], vec![11.0]]);
}

/// Section 9: the counter is forgotten by a reconcile that finds the object gone, or with the object.
#[test]
fn an_object_that_is_created_again_begins_at_one_second() {
    let failing = metric("x", &[(CEILING, "600")], "TEST: APPLY-NO-WAIT\nOUTCOME: fails");
    let script =
        [failing.clone(), wait("20s"), metric("", &[], "TEST: DELETE\nOUTCOME: succeeds"), failing, wait("5s")];
    let told: Vec<Vec<f64>> = steps(&script, &[]).iter().map(times).collect();
    let expected: [&[f64]; 5] = [&[0.0], &[1.0, 3.0, 7.0, 15.0], &[20.0], &[20.0], &[21.0, 23.0]];
    assert_eq!(told, expected);
}

#[test]
fn a_pause_of_the_cluster_takes_effect_at_the_next_requeue_and_nobody_watches_it() {
    let cluster = |mode: &str| connector(&format!("  mode: cluster\n  actuationMode: {mode}\n"));
    let script = [
        cluster("Paused"),
        metric("x", &[(INTERVAL, "60")], "TEST: APPLY-NO-WAIT"),
        cluster("Reconciling"),
        wait("90s"),
    ];
    let steps = steps(&script, &[]);
    assert_eq!(steps[1]["reason"], "Paused");
    assert_eq!(steps[1]["callCount"], 0);
    assert_eq!(times(&steps[2]), [] as [f64; 0]);
    assert_eq!(times(&steps[3]), [60.0]);
    assert_eq!(steps[3]["callCount"], 1);
    // With the annotation it is woken at once.
    let script = [
        metric("x", &[(ACTUATION, "Paused")], "TEST: APPLY-NO-WAIT"),
        metric("x", &[(ACTUATION, "Reconciling")], "TEST: APPLY"),
    ];
    assert_eq!(state(&self::steps(&script, &[])[1]), is("True", "UpToDate", false, true));
}

#[test]
fn what_an_unsettled_actuation_mode_does_is_not_guessed() {
    let script = [metric("x", &[(ACTUATION, "AutoPaused")], "TEST: APPLY")];
    let step = steps(&script, &[]).remove(0);
    assert_eq!(step["passes"], false);
    assert!(step["why"].as_str().unwrap().contains("not settled upstream"), "{}", step["why"]);
    assert!(step["objects"][0]["unknown"].as_str().unwrap().contains("not settled"));
}

#[test]
fn a_changed_spec_can_choose_another_controller() {
    let instance = |spec: &str, test: &str| {
        format!(
            "apiVersion: spanner.cnrm.cloud.google.com/v1beta1\nkind: SpannerInstance\nmetadata:\n  name: s\n  \
             annotations: {{{CEILING}: \"600\"}}\nspec: {{{spec}}}\n{test}\nOUTCOME: fails\n"
        )
    };
    let told = steps(
        &[instance("config: a", "TEST: APPLY-NO-WAIT"), instance("config: a, edition: E", "TEST: APPLY-NO-WAIT")],
        &[],
    );
    let delays: Vec<&Value> = told.iter().map(|step| &step["attempts"][0]["nextSeconds"]).collect();
    let default = crate::support::answers(&instance("config: a", ""), &crate::support::Ask::default());
    // tf by the table: the default ladder, then direct by the spec: the ceiling's first second.
    assert_eq!(default[0].controller.controller.as_str(), "tf");
    assert_eq!(delays, [0.25, 1.0]);
}

#[test]
fn objects_of_others_are_applied_and_not_simulated() {
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n".to_owned();
    let script = [namespace.clone(), metric("x", &[], ""), format!("{namespace}TEST: DELETE\n")];
    let steps = steps(&script, &[]);
    assert_eq!((&steps[0]["passes"], &steps[0]["attemptCount"]), (&true.into(), &0.into()));
    assert_eq!(steps[0]["ready"], Value::Null);
    assert_eq!(steps[2]["exists"], false);
}

#[test]
fn several_objects_are_told_apart() {
    let other = metric("y", &[], "TEST: APPLY-10-SEC\nOUTCOME: fails").replace("name: m", "name: other");
    let script = [metric("x", &[(CEILING, "0")], "TEST: APPLY-NO-WAIT\nOUTCOME: fails"), other];
    let step = steps(&script, &[]).remove(1);
    assert_eq!(times(&step), [0.0, 0.25, 0.75, 1.75, 3.75, 7.75]);
    assert!(step["attempts"].as_array().unwrap().iter().all(|one| one["object"] == "LoggingLogMetric ns/other"));
    let halted: Vec<&Value> = step["objects"].as_array().unwrap().iter().map(|object| &object["halted"]).collect();
    assert_eq!(halted, [true, false]);
}

#[test]
fn placeholders_stay_as_they_are_written() {
    let script = [metric("x", &[], "")
        .replace("name: m", "name: metric-${uniqueId}")
        .replace("namespace: ns", "namespace: ${projectId}")];
    let step = steps(&script, &[]).remove(0);
    assert_eq!(step["ref"]["name"], "metric-${uniqueId}");
    assert_eq!(step["ref"]["namespace"], "${projectId}");
}

#[test]
fn an_attempt_that_runs_beyond_its_window_belongs_to_the_step_in_which_it_began() {
    let script = [metric("x", &[], "TEST: APPLY-10-SEC\nOUTCOME: fails"), wait("1s")];
    let told: Vec<Vec<f64>> = steps(&script, &["--reconcile-duration", "8s"]).iter().map(times).collect();
    // 0 to 8, then 8.25 to 16.25, which is after the end of the script at 11 s.
    assert_eq!(told, [vec![0.0, 8.25], vec![]]);
}

/// Everything that is wrong is told at once, with step, line and column.
#[test]
fn a_script_that_makes_no_sense_is_refused_with_step_and_line() {
    let cases = [
        (
            vec![metric("", &[], "TEST: DELETE")],
            "script.yaml:1:1: error: step 0 (DELETE) names LoggingLogMetric ns/m, which no step before it applies",
        ),
        (
            vec![metric("x", &[], ""), metric("", &[], "TEST: TOUCH").replace("name: m", "name: other")],
            "script.yaml:10:1: error: step 1 (TOUCH) names LoggingLogMetric ns/other",
        ),
        (
            vec![metric("x", &[], "TEST: APPLY-SOON")],
            "script.yaml:8:7: error: step 0: TEST \"APPLY-SOON\" is not known; there are APPLY, APPLY-NO-WAIT, APPLY-10-SEC, READ-OBJECT, READ-OBJECT-AND-COMPARE-SPEC, DELETE, DELETE-NO-WAIT, ABANDON, WAIT-FOR-HTTP-REQUEST, WAIT-FOR-READY, TOUCH, PATCH-EXTERNALLY-MANAGED-FIELDS and ABANDON-AND-REACQUIRE",
        ),
        (vec![metric("x", &[], "TEST: APPLY--SEC")], "TEST \"APPLY--SEC\" is not known"),
        (vec![metric("x", &[], "TEST: 5")], "is no string"),
        (vec![metric("x", &[], "OUTCOME: maybe")], "OUTCOME is neither fails nor succeeds"),
        (vec![metric("x", &[], "TEST: WAIT-FOR-HTTP-REQUEST")], "WAIT-FOR-HTTP-REQUEST without VALUE_PRESENT"),
        (vec![wait("1d")], "script.yaml:2:11: error: step 0: time: unknown unit \"d\""),
        (vec![wait("-5")], "is not between 0 and"),
        (vec![wait("-5s")], "the duration is negative"),
        (vec!["kind: SystemRun\n".to_owned()], "a SystemRun without a duration"),
        (vec![format!("{}OUTCOME: fails\n", wait("5"))], "OUTCOME stands beside an object"),
        (vec![metric("x", &[], "").replace("  name: m\n", "")], "step 0: the object has no name"),
        (
            vec![
                metric("x", &[], ""),
                metric("", &[], "TEST: READ-OBJECT-AND-COMPARE-SPEC\nTARGET_STEP_FOR_READ_AND_COMPARE: 4"),
            ],
            "step 1 compares with step 4, counted from 1, which does not come before it",
        ),
        (vec!["just: text\n".to_owned()], "not a Kubernetes object"),
        (vec!["a: [\n".to_owned()], "script.yaml:"),
    ];
    for (script, words) in cases {
        let output = play(&script, &[]);
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(stderr(&output).contains(words), "{words}\n{}", stderr(&output));
        assert_eq!(stdout(&output), "", "{words}");
    }
    let two = play(&[metric("x", &[], "TEST: SOON"), metric("x", &[], "TEST: LATER")], &[]);
    assert!(stderr(&two).contains("\"SOON\"") && stderr(&two).contains("\"LATER\""), "{}", stderr(&two));
}

#[test]
fn a_script_with_a_ceiling_needs_to_know_whether_the_release_reads_it() {
    let script = [metric("x", &[(CEILING, "0")], "")];
    let output = play(&script, &["--kcc-version", "1.160.0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("--ceiling-since"), "{}", stderr(&output));
    assert_eq!(play(&script, &["--kcc-version", "1.160.0", "--ceiling-since", "1.160.0"]).status.code(), Some(0));
}

#[test]
fn what_is_wrong_with_the_objects_is_said_once() {
    let script = [metric("x", &[(CEILING, "x"), (RECONCILER, "tf")], ""), metric("y", &[], "")];
    let output = play(&script, &[]);
    let complaints = stderr(&output);
    assert_eq!(complaints.matches("[invalid-ceiling]").count(), 1, "{complaints}");
    assert!(complaints.contains("[ineffective-override]"), "{complaints}");
}

const HEAD: &str = "apiVersion: kcc-backoff/v1alpha1\nkind: ScenarioSimulation\n";

#[test]
fn an_expectation_is_compared_field_by_field_and_each_difference_has_its_place() {
    let script = [metric("x", &[(CEILING, "0")], "TEST: APPLY-NO-WAIT\nOUTCOME: fails"), wait("15s")];
    let compare = |expectation: &str| {
        let output = play_with(&script, &format!("{HEAD}{expectation}"), &["--expect", "expected.yaml"]);
        (output.status.code(), stderr(&output))
    };
    for met in [
        "steps:\n- attemptCount: 1\n  ready: False\n  halted: true\n- attemptCount: 0\n",
        "steps:\n- step: 1\n  toSeconds: 15.0\n",
        "release: main\nsteps:\n- attempts: [{atSeconds: 0, nextSeconds: null}]\n",
    ] {
        let (code, told) = compare(met);
        assert_eq!((code, told.as_str()), (Some(0), "2 steps: 2 would pass; as expected\n"), "{met}");
    }
    for (unmet, words) in [
        ("steps:\n- attemptCount: 2\n", "expected.yaml:4:17: error: step 0, attemptCount: expected 2, got 1"),
        ("steps:\n- step: 1\n  halted: false\n", "expected.yaml:5:11: error: step 1, halted: expected false, got true"),
        ("steps:\n- ready: \"True\"\n", "step 0, ready: expected \"True\", got \"False\""),
        ("steps:\n- attempts: []\n", "step 0, attempts: expected 0, got 1"),
        ("steps:\n- attempts: [{atSeconds: 1}]\n", "step 0, attempts[0], atSeconds: expected 1, got 0"),
        ("steps:\n- step: 2\n", "there is no such step: the script has 2, from 0"),
        ("steps: [{step: 0}]\nrelease: 1.155.1\n", "release: expected \"1.155.1\", got \"main\""),
    ] {
        let (code, told) = compare(unmet);
        assert_eq!(code, Some(1), "{unmet}");
        assert!(told.contains(words) && told.contains("[difference]"), "{words}\n{told}");
    }
    // What cannot be compared is no difference: the expectation itself is wrong.
    for (wrong, words) in [
        ("steps:\n- halt: true\n", "expected.yaml:4:3: error: step 0: no field \"halt\"; there are step, test"),
        ("release: main\n", "no steps are expected"),
        ("steps: []\n", "no steps are expected"),
        ("stepps: [{step: 0}]\n", "\"stepps\" cannot be compared"),
        ("steps: 5\n", "steps is not a list"),
    ] {
        let (code, told) = compare(wrong);
        assert_eq!(code, Some(2), "{wrong}");
        assert!(told.contains(words) && told.contains("[expectation]"), "{words}\n{told}");
    }
}

#[test]
fn what_is_said_of_a_script_needs_one() {
    for args in [&["--expect", "x"][..], &["--exit-code"], &["--step-timeout", "1s"], &["--fails-while", "a=b"]] {
        for path in [&[][..], &["x.yaml"]] {
            let folder = tempfile::tempdir().unwrap();
            let output = binary(folder.path()).arg("simulate").args(path).args(args).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert!(stderr(&output).contains("--scenario"), "{}", stderr(&output));
        }
    }
}

#[test]
fn what_was_printed_is_an_expectation_that_is_met() {
    let script = [metric("x", &[(CEILING, "0")], "TEST: APPLY-NO-WAIT\nOUTCOME: fails"), wait("15s")];
    for format in ["yaml", "json"] {
        let printed = stdout(&play(&script, &["-o", format]));
        let output = play_with(&script, &printed, &["--expect", "expected.yaml", "--start", "2001-01-01T00:00:00Z"]);
        assert_eq!(output.status.code(), Some(0), "{format}: {}", stderr(&output));
    }
}

#[test]
fn an_expectation_that_cannot_be_read_is_an_error_and_not_a_success() {
    let script = [metric("x", &[], "")];
    for expectation in ["", "steps: []\n", "a: [\n", "apiVersion: v1\nkind: ConfigMap\n"] {
        let output = play_with(&script, expectation, &["--expect", "expected.yaml"]);
        assert_eq!(output.status.code(), Some(2), "{expectation:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("not compared"), "{}", stderr(&output));
    }
    assert_eq!(play(&script, &["--expect", "no-such-file.yaml"]).status.code(), Some(2));
}

#[test]
fn the_attempts_of_a_script_as_csv_have_their_step() {
    let script = [metric("x", &[(CEILING, "0")], "TEST: APPLY-NO-WAIT\nOUTCOME: fails"), wait("15s")];
    let expected = "step,test,object,number,outcome,called,at_seconds,next_seconds,cause,trigger,time\n\
                    0,APPLY-NO-WAIT,ns/logginglogmetric.logging.cnrm.cloud.google.com/m,1,failed,true,0,,halt,start,2026-11-30T03:12:00Z\n";
    assert_eq!(stdout(&play(&script, &["-o", "csv"])), expected);
}

#[test]
fn the_screen_of_a_script() {
    insta::assert_snapshot!(stdout(&example("script.yaml", &[])));
}

#[test]
fn an_object_that_the_api_server_refuses_is_not_applied_and_the_step_would_not_pass() {
    let refused = metric("x", &[], "").replace("  namespace: ns\n", "  namespace: n\n");
    let unquoted = metric("x", &[], "").replace("spec:", "  annotations: {a: 0}\nspec:");
    for script in [refused, unquoted] {
        let step = steps(std::slice::from_ref(&script), &[]).remove(0);
        assert_eq!((&step["passes"], &step["attemptCount"]), (&false.into(), &0.into()), "{script}");
        assert!(step["why"].as_str().unwrap().contains("the API server refuses the object"), "{}", step["why"]);
        assert_eq!(play(&[script], &["--exit-code"]).status.code(), Some(1));
    }
}

#[test]
fn a_context_that_is_deleted_or_changed_counts_no_longer() {
    let paused = connector("  mode: cluster\n  actuationMode: Paused\n");
    let deleted = format!("{paused}TEST: DELETE\n");
    let script = [paused, deleted, metric("x", &[], "")];
    assert_eq!(steps(&script, &[])[2]["reason"], "UpToDate");
}

#[test]
fn what_could_not_be_told_can_be_told_again_once_the_mode_is_settled() {
    let script = [
        metric("x", &[(ACTUATION, "AutoPaused")], "TEST: APPLY-10-SEC"),
        metric("x", &[(ACTUATION, "Reconciling")], "TEST: APPLY"),
    ];
    let steps = steps(&script, &[]);
    assert!(steps[0]["objects"][0]["unknown"].is_string());
    assert_eq!(state(&steps[1]), is("True", "UpToDate", false, true));
    assert_eq!(steps[1]["toSeconds"], 10);
}

/// An answer is waited for for 10 s, readiness for 35 min, or for as long as is said.
#[test]
fn a_step_waits_as_long_as_config_connectors_own_tests_do() {
    let answer = "TEST: WAIT-FOR-HTTP-REQUEST\nVALUE_PRESENT: nowhere";
    let last = |lines: &str, args: &[&str]| {
        let script = [metric("x", &[], &format!("{lines}\nOUTCOME: fails"))];
        steps(&script, args)[0]["toSeconds"].clone()
    };
    assert_eq!(last(answer, &[]), 10);
    assert_eq!(last("TEST: APPLY", &[]), 2100);
    assert_eq!(last(answer, &["--step-timeout", "3s"]), 3);
    assert_eq!(last("TEST: APPLY", &["--step-timeout", "3s"]), 3);
}

#[test]
fn steps_to_compare_with_are_counted_from_one() {
    let compare = |target: &str| {
        let lines = format!("TEST: READ-OBJECT-AND-COMPARE-SPEC\n{target}");
        play(&[metric("a", &[], ""), metric("b", &[], ""), metric("", &[], &lines)], &["--exit-code"])
    };
    assert_eq!(compare("TARGET_STEP_FOR_READ_AND_COMPARE: 2").status.code(), Some(0));
    assert_eq!(compare("TARGET_STEP_FOR_READ_AND_COMPARE: 1").status.code(), Some(1));
    for (target, words) in [
        ("TARGET_STEP_FOR_READ_AND_COMPARE: 0", "is not the number of a step"),
        ("TARGET_STEP_FOR_READ_AND_COMPARE: x", "is not the number of a step"),
        ("TARGET_STEP_FOR_READ_AND_COMPARE: 3", "which does not come before it"),
        ("", "without TARGET_STEP_FOR_READ_AND_COMPARE"),
    ] {
        let output = compare(target);
        assert_eq!(output.status.code(), Some(2), "{target}");
        assert!(stderr(&output).contains(words), "{target}: {}", stderr(&output));
    }
}

#[test]
fn a_value_that_no_spec_ever_has_is_doubted() {
    let script = [metric("x", &[], "")];
    let output = play(&script, &["--fails-while", "spec.fliter=x"]);
    assert!(
        stderr(&output).contains("--fails-while spec.fliter=x: no step's spec has this value"),
        "{}",
        stderr(&output)
    );
    assert!(
        !stderr(&play(&script, &["--fails-while", "spec.filter=x", "--step-timeout", "1s"])).contains("no step's spec")
    );
}

#[test]
fn what_is_wrong_is_told_in_data_too() {
    let broken = play(&[metric("x", &[], "TEST: SOON")], &["-o", "json"]);
    let told: Value = serde_json::from_slice(&broken.stdout).unwrap();
    assert_eq!((&told["steps"], &told["problems"][0]["code"]), (&Value::Array(Vec::new()), &"scenario".into()));
    let expectation = format!("{HEAD}steps:\n- attemptCount: 7\n");
    let differs = play_with(&[metric("x", &[], "")], &expectation, &["--expect", "expected.yaml", "-o", "json"]);
    let told: Value = serde_json::from_slice(&differs.stdout).unwrap();
    assert_eq!(told["problems"][0]["code"], "difference");
    assert_eq!(differs.status.code(), Some(1));
}

#[test]
fn a_folder_is_no_script() {
    let folder = tempfile::tempdir().unwrap();
    let output = binary(folder.path()).args(["simulate", "--scenario", "."]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(". is a folder: name one script"), "{}", stderr(&output));
}

/// Section 9: a reconcile that finds the object gone forgets the counter; so a delayed add that is pending from before
/// and comes due in between changes nothing for the new object.
#[test]
fn a_delayed_add_from_before_a_deletion_brings_an_attempt_on_the_new_object() {
    let failing = metric("x", &[], "TEST: APPLY-NO-WAIT\nOUTCOME: fails");
    let script = [
        failing.clone(),
        wait("3s"),
        metric("", &[], "TEST: DELETE\nOUTCOME: succeeds"),
        metric("x", &[(INTERVAL, "0")], "TEST: APPLY-NO-WAIT"),
        wait("5s"),
    ];
    // 0, 0.25, 0.75, 1.75 leaves 2 s: 3.75, which is pending while the object is deleted and created at 3 s.
    let steps = steps(&script, &[]);
    assert_eq!(times(&steps[4]), [3.75]);
    assert_eq!(steps[4]["attempts"][0]["outcome"], "skipped");
}

#[test]
fn pauses_before_1_158_leave_the_status_alone() {
    let script = [connector("  mode: cluster\n  actuationMode: Paused\n"), metric("x", &[], "TEST: APPLY-NO-WAIT")];
    assert_eq!(steps(&script, &["--kcc-version", "1.157.0"])[1]["ready"], Value::Null);
    assert_eq!(steps(&script, &["--kcc-version", "1.158.0"])[1]["reason"], "Paused");
}

/// The words of a script that name an object which has to be there.
#[test]
fn only_a_step_that_applies_may_be_the_first_to_name_an_object() {
    for lines in [
        "TEST: READ-OBJECT",
        "TEST: READ-OBJECT-AND-COMPARE-SPEC\nTARGET_STEP_FOR_READ_AND_COMPARE: 1",
        "TEST: DELETE",
        "TEST: DELETE-NO-WAIT",
        "TEST: ABANDON",
        "TEST: ABANDON-AND-REACQUIRE",
        "TEST: WAIT-FOR-READY",
        "TEST: TOUCH",
        "TEST: TOUCH-5-SEC",
        "TEST: PATCH-EXTERNALLY-MANAGED-FIELDS",
    ] {
        let output = play(&[metric("x", &[], lines)], &[]);
        assert_eq!(output.status.code(), Some(2), "{lines}");
        assert!(stderr(&output).contains("which no step before it applies"), "{lines}: {}", stderr(&output));
    }
}

fn config_map(metadata: &str, lines: &str) -> String {
    format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{{metadata}}}\n{lines}\n")
}

/// To Kubernetes an empty field of the metadata is as none.
#[test]
fn an_empty_namespace_is_none_and_an_empty_name_is_no_name() {
    let script = [config_map("name: c, namespace: \"\"", ""), config_map("name: c", "TEST: DELETE")];
    let steps = steps(&script, &[]);
    assert_eq!((&steps[1]["passes"], &steps[1]["exists"]), (&true.into(), &false.into()));
    let nameless = play(&[config_map("name: \"\"", "")], &[]);
    assert_eq!(nameless.status.code(), Some(2));
    assert!(stderr(&nameless).contains("step 0: the object has no name"), "{}", stderr(&nameless));
}

#[test]
fn a_wait_may_be_as_long_as_the_message_about_longer_ones_says() {
    assert_eq!(steps(&[wait("9000000000")], &[])[0]["toSeconds"], 9_000_000_000_u64);
    let longer = play(&[wait("9000000001")], &[]);
    assert_eq!(longer.status.code(), Some(2));
    assert!(stderr(&longer).contains("is not between 0 and 9000000000 seconds"), "{}", stderr(&longer));
}

#[test]
fn a_number_of_seconds_in_a_word_is_written_in_digits_alone_and_a_value_to_wait_for_is_not_empty() {
    for (lines, words) in [
        ("TEST: APPLY-+5-SEC", "TEST \"APPLY-+5-SEC\" is not known"),
        ("TEST: APPLY-5.5-SEC", "TEST \"APPLY-5.5-SEC\" is not known"),
        ("TEST: WAIT-FOR-HTTP-REQUEST\nVALUE_PRESENT: \"\"", "VALUE_PRESENT is not a string, or empty"),
        ("TEST: WAIT-FOR-HTTP-REQUEST\nVALUE_PRESENT: 5", "VALUE_PRESENT is not a string, or empty"),
    ] {
        let output = play(&[metric("x", &[], lines)], &[]);
        assert_eq!(output.status.code(), Some(2), "{lines}");
        assert!(stderr(&output).contains(words), "{lines}: {}", stderr(&output));
    }
}

/// One that cannot be read may have been meant to apply.
#[test]
fn a_step_that_cannot_be_read_is_the_only_complaint_and_those_after_it_are_not_blamed() {
    let script = [metric("x", &[], "TEST: SOON"), metric("", &[], "TEST: TOUCH")];
    let complaints = stderr(&play(&script, &[]));
    assert_eq!(complaints.matches("error").count(), 1, "{complaints}");
    assert!(complaints.contains("step 0: TEST \"SOON\" is not known"), "{complaints}");
}

/// The version of an API is none of them.
#[test]
fn objects_differ_by_group_kind_namespace_and_name() {
    let object = |api: &str, kind: &str, namespace: &str, name: &str| {
        format!("apiVersion: {api}\nkind: {kind}\nmetadata: {{name: {name}, namespace: {namespace}}}\n")
    };
    let script = [
        object("v1", "ConfigMap", "a", "x"),
        object("example.com/v1", "ConfigMap", "a", "x"),
        object("v1", "Secret", "a", "x"),
        object("v1", "ConfigMap", "b", "x"),
        object("v1", "ConfigMap", "a", "y"),
        object("example.com/v2", "ConfigMap", "a", "x"),
    ];
    let counts: Vec<usize> = steps(&script, &[]).iter().map(|step| step["objects"].as_array().unwrap().len()).collect();
    assert_eq!(counts, [1, 2, 3, 4, 5, 5]);
}

/// README: waits until an attempt that succeeds has brought the value to the cloud.
#[test]
fn a_value_is_found_in_whatever_was_sent_and_in_the_name_of_the_object() {
    let passes = |value: &str| {
        let script = [format!(
            "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {{name: named}}\n\
             spec: {{filter: words, buckets: [{{bounds: 55}}, {{disabled: true}}]}}\nTEST: WAIT-FOR-HTTP-REQUEST\n\
             VALUE_PRESENT: {value:?}\n"
        )];
        steps(&script, &[])[0]["passes"].clone()
    };
    for value in ["words", "55", "true", "buckets", "bounds", "named"] {
        assert_eq!(passes(value), true, "{value}");
    }
    for value in ["56", "false", "LoggingLogMetric"] {
        assert_eq!(passes(value), false, "{value}");
    }
}

/// Paused: nothing is actuated (section 2), so the cloud sees nothing.
#[test]
fn a_paused_object_brings_no_value_to_the_cloud() {
    let script = [metric("x", &[(ACTUATION, "Paused")], "TEST: WAIT-FOR-HTTP-REQUEST\nVALUE_PRESENT: x")];
    let step = steps(&script, &[]).remove(0);
    assert_eq!((&step["passes"], &step["toSeconds"]), (&false.into(), &10.into()));
}

#[test]
fn an_object_of_others_is_waited_for_in_no_way() {
    for lines in ["TEST: WAIT-FOR-HTTP-REQUEST\nVALUE_PRESENT: nowhere", "TEST: APPLY"] {
        let step = steps(&[config_map("name: c", lines)], &[]).remove(0);
        assert_eq!((&step["passes"], &step["toSeconds"]), (&true.into(), &0.into()), "{lines}");
    }
}

#[test]
fn an_empty_test_is_that_without_one() {
    let step = steps(&[metric("x", &[], "TEST: \"\"\nOUTCOME: fails")], &["--step-timeout", "3s"]).remove(0);
    assert_eq!((&step["test"], &step["toSeconds"]), (&"APPLY".into(), &3.into()));
}

#[test]
fn a_field_without_a_value_and_one_that_is_false_can_make_attempts_fail() {
    let script = ["apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {name: m}\n\
                   spec: {filter: null, disabled: false}\nTEST: APPLY-NO-WAIT\n"
        .to_owned()];
    for (value, ready) in [
        ("filter=null", "False"),
        ("filter=x", "True"),
        ("disabled=false", "False"),
        ("disabled=true", "True"),
        ("disabled=x", "True"),
    ] {
        assert_eq!(steps(&script, &["--fails-while", value])[0]["ready"], ready, "{value}");
    }
}

/// A ConfigConnector changes the world of the objects before it: they are looked at again, and not told again.
#[test]
fn what_is_wrong_with_an_object_is_not_said_again_when_its_surroundings_change() {
    let script = [metric("x", &[(CEILING, "x")], ""), connector("  mode: cluster\n")];
    let complaints = stderr(&play(&script, &[]));
    assert_eq!(complaints.matches("[invalid-ceiling]").count(), 1, "{complaints}");
}

/// Section 9: overrides for a whole cluster are not applied; one line where one is seen.
#[test]
fn what_is_wrong_with_an_object_that_configures_config_connector_is_said() {
    let overrides = "  experiments: {controllerOverrides: {BigQueryDataset.bigquery.cnrm.cloud.google.com: direct}}\n";
    let complaints = stderr(&play(&[connector(&format!("  mode: cluster\n{overrides}"))], &[]));
    assert!(complaints.contains("controllerOverrides of a ConfigConnector"), "{complaints}");
}

#[test]
fn a_spec_can_be_compared_with_that_of_a_step_that_only_read_it_and_counts_only_once_it_is_ready() {
    let compare = "TEST: READ-OBJECT-AND-COMPARE-SPEC\nTARGET_STEP_FOR_READ_AND_COMPARE: 2";
    let script = |filter: &str| {
        [metric("a", &[], ""), metric("", &[], "TEST: READ-OBJECT"), metric(filter, &[], ""), metric("", &[], compare)]
    };
    assert_eq!(steps(&script("a"), &[])[3]["passes"], true);
    assert_eq!(steps(&script("b"), &[])[3]["passes"], false);
    let failing =
        [metric("a", &[], "TEST: APPLY-NO-WAIT\nOUTCOME: fails"), metric("", &[], compare).replace(": 2", ": 1")];
    let step = steps(&failing, &["--step-timeout", "1m"]).remove(1);
    assert_eq!((&step["passes"], &step["toSeconds"]), (&false.into(), &60.into()));
}

#[test]
fn a_text_that_the_api_server_refuses_neither_patches_nor_is_applied_again() {
    for test in ["PATCH-EXTERNALLY-MANAGED-FIELDS", "ABANDON-AND-REACQUIRE"] {
        let refused = metric("x", &[], &format!("TEST: {test}")).replace("spec:", "  annotations: {a: 0}\nspec:");
        let output = play(&[metric("x", &[], ""), refused], &["-o", "json"]);
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let step = &told["steps"][1];
        assert_eq!((&step["passes"], &step["attemptCount"], &step["exists"]), (&false.into(), &0.into(), &true.into()));
        assert!(step["why"].as_str().unwrap().contains("the API server refuses the object"), "{test}: {step}");
        assert_eq!(told["problems"][0]["code"], "not-a-string", "{test}");
        assert!(stderr(&output).contains("[not-a-string]"), "{}", stderr(&output));
    }
}

#[test]
fn a_step_about_an_object_that_is_gone_would_not_pass() {
    for lines in ["TEST: READ-OBJECT", "TEST: TOUCH", "TEST: DELETE", "TEST: WAIT-FOR-READY"] {
        let script = [metric("x", &[], ""), metric("", &[], "TEST: DELETE"), metric("", &[], lines)];
        let step = steps(&script, &[]).remove(2);
        assert_eq!((&step["passes"], &step["why"]), (&false.into(), &"the object is gone".into()), "{lines}");
    }
}

/// Section 5: the force-reconcile annotation wakes when it changes, so each time it takes another value.
#[test]
fn each_touch_wakes() {
    let touch = metric("", &[], "TEST: TOUCH");
    let script = [metric("x", &[], ""), touch.clone(), touch.clone(), touch];
    let told: Vec<Vec<f64>> = steps(&script, &[]).iter().map(times).collect();
    assert_eq!(told, [[0.0], [0.0], [2.0], [4.0]]);
}

#[test]
fn a_patch_waits_until_ready_and_leaves_the_other_fields_alone() {
    let object = |spec: &str, lines: &str| {
        format!(
            "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {{name: m}}\n\
             spec: {{{spec}}}\n{lines}\n"
        )
    };
    let patch = "TEST: PATCH-EXTERNALLY-MANAGED-FIELDS";
    // The third text is what the first makes of the second: nothing changes.
    let script = [
        object("filter: a, options: {one: 1, two: 2}", ""),
        object("options: {two: 3}", patch),
        object("filter: a, options: {one: 1, two: 3}", "TEST: APPLY-NO-WAIT"),
    ];
    let counts: Vec<usize> = steps(&script, &[]).iter().map(|step| times(step).len()).collect();
    assert_eq!(counts, [1, 1, 0]);
    let failing = [object("filter: a", ""), object("filter: b", &format!("{patch}\nOUTCOME: fails"))];
    let step = steps(&failing, &["--step-timeout", "10s"]).remove(1);
    assert_eq!((&step["passes"], &step["toSeconds"]), (&false.into(), &10.into()));
}

#[test]
fn abandoning_waits_until_the_object_is_gone_and_reacquiring_until_it_is_ready_again() {
    let applied = metric("x", &[], "");
    for test in ["ABANDON", "ABANDON-AND-REACQUIRE"] {
        let failing = metric("x", &[], &format!("TEST: {test}\nOUTCOME: fails"));
        let step = steps(&[applied.clone(), failing], &["--step-timeout", "10s"]).remove(1);
        assert_eq!((&step["passes"], &step["exists"]), (&false.into(), &true.into()), "{test}");
        assert_eq!(step["toSeconds"], 10, "{test}: nothing is applied again before the object is gone");
    }
    let script = [applied, metric("x", &[], "TEST: ABANDON-AND-REACQUIRE")];
    let step = steps(&script, &["--reconcile-duration", "2s"]).remove(1);
    // Created from 0 to 2, deleted to 4, created again to 6.
    assert_eq!((times(&step), &step["toSeconds"], &step["passes"]), (vec![2.0, 4.0], &6.into(), &true.into()));
}

/// Section 7: the status speaks of a generation.
#[test]
fn an_object_whose_new_spec_was_not_worked_on_yet_is_not_ready() {
    let script = [metric("a", &[], ""), metric("b", &[], "")];
    let steps = steps(&script, &["--reconcile-duration", "5s"]);
    assert_eq!((&steps[0]["toSeconds"], &steps[1]["toSeconds"]), (&5.into(), &10.into()));
}

/// Section 1: drawn for each object.
#[test]
fn the_objects_of_a_script_draw_different_delays_with_one_seed() {
    let script = [metric("x", &[], ""), metric("x", &[], "").replace("name: m", "name: other")];
    let drawn = |jitter: &str| -> Vec<f64> {
        let steps = steps(&script, &["--jitter", jitter]);
        steps.iter().map(|step| step["attempts"][0]["nextSeconds"].as_f64().unwrap()).collect()
    };
    let delays = drawn("7");
    assert!(delays.iter().all(|delay| (300.0..900.0).contains(delay)), "{delays:?}");
    assert_ne!(delays[0].to_bits(), delays[1].to_bits());
    assert_eq!(drawn("min"), [300.0, 300.0]);
}

#[test]
fn an_attempt_brings_the_spec_to_the_cloud_with_which_it_began_and_belongs_to_the_step_in_which_it_began() {
    let lines = "TEST: WAIT-FOR-HTTP-REQUEST\nVALUE_PRESENT: second";
    let script = [metric("first", &[], "TEST: APPLY-NO-WAIT"), metric("second", &[], lines)];
    let steps = steps(&script, &["--reconcile-duration", "5s", "--step-timeout", "1m"]);
    // The attempt on the first text ends after 5 s, that on the second after 10.
    assert_eq!((times(&steps[0]), times(&steps[1])), (vec![0.0], vec![5.0]));
    assert_eq!((&steps[1]["toSeconds"], &steps[1]["passes"]), (&10.into(), &true.into()));
}

#[test]
fn a_patch_that_says_nothing_of_the_spec_changes_nothing() {
    let script = [metric("x", &[], ""), metric("", &[], "TEST: PATCH-EXTERNALLY-MANAGED-FIELDS"), metric("x", &[], "")];
    let counts: Vec<usize> = steps(&script, &[]).iter().map(|step| times(step).len()).collect();
    assert_eq!(counts, [1, 0, 0]);
}

#[test]
fn an_object_of_the_console_that_the_api_server_refuses_is_not_applied_either() {
    let project = "apiVersion: deployments.plural.sh/v1alpha1\nkind: Project\nmetadata: {name: p, annotations: {a: 0}}\n\
                   spec: {name: p}\n";
    let step = steps(&[project.to_owned()], &[]).remove(0);
    assert_eq!(step["passes"], false);
    assert!(step["why"].as_str().unwrap().contains("the API server refuses the object"), "{}", step["why"]);
}

#[test]
fn an_expectation_of_ready_may_be_written_without_quotes_and_one_of_no_steps_is_none() {
    let compare = |outcome: &str, expectation: &str| {
        let script = [metric("x", &[], &format!("TEST: APPLY-NO-WAIT\nOUTCOME: {outcome}"))];
        let output = play_with(&script, &format!("{HEAD}{expectation}"), &["--expect", "expected.yaml"]);
        (output.status.code(), stderr(&output))
    };
    for (outcome, ready, code) in
        [("succeeds", "True", 0), ("fails", "False", 0), ("fails", "True", 1), ("succeeds", "False", 1)]
    {
        let (told, words) = compare(outcome, &format!("steps:\n- ready: {ready}\n"));
        assert_eq!(told, Some(code), "{outcome}, {ready}: {words}");
    }
    for (unmet, words) in [("steps: []\n", "no steps are expected"), ("steps: {}\n", "steps is not a list")] {
        let (code, told) = compare("succeeds", unmet);
        assert_eq!(code, Some(2), "{unmet}");
        assert!(told.contains(words), "{unmet}: {told}");
    }
}

/// Fifteen attempts are told one by one; of more, the first twelve and the last two.
#[test]
fn many_attempts_of_a_step_are_shortened() {
    let text = |seconds: u32| {
        let script = [metric("x", &[(CEILING, "1")], &format!("TEST: APPLY-{seconds}-SEC\nOUTCOME: fails"))];
        stdout(&play(&script, &[]))
    };
    assert!(text(15).contains("11s failed, 12s failed, 13s failed, 14s failed\n"), "{}", text(15));
    assert!(text(16).contains("10s failed, 11s failed, … 14s failed, 15s failed\n"), "{}", text(16));
}

#[test]
fn the_screen_of_a_script_tells_what_became_of_its_objects() {
    let halted = metric("x", &[(CEILING, "0")], "TEST: APPLY-NO-WAIT\nOUTCOME: fails");
    let alone = stdout(&play(std::slice::from_ref(&halted), &[]));
    assert!(alone.contains("\n  Attempts      1           0s failed\n"), "{alone}");
    assert!(alone.contains("\n  Ready         False       UpdateFailed\n                HALTED\n"), "{alone}");
    let other = metric("y", &[], "").replace("name: m", "name: other");
    let text = stdout(&play(&[halted, other, metric("", &[], "TEST: DELETE\nOUTCOME: succeeds")], &[]));
    assert!(text.contains("\n  Ready         gone        LoggingLogMetric ns/m\n"), "{text}");
    assert!(text.contains("0s succeeded LoggingLogMetric ns/other\n"), "{text}");
    assert!(text.contains("\n\nStep 1  APPLY  LoggingLogMetric ns/other  script.yaml:"), "{text}");
    assert!(!text.contains("A real run would stop"), "{text}");
    let unsettled = stdout(&play(&[metric("x", &[(ACTUATION, "AutoPaused")], "TEST: APPLY-NO-WAIT")], &[]));
    assert!(unsettled.contains("unknown     what its actuation mode does is not settled upstream"), "{unsettled}");
    let last = play(&[metric("x", &[], "OUTCOME: fails")], &["--step-timeout", "1s"]);
    assert!(!stdout(&last).contains("A real run would stop"), "nothing follows: {}", stdout(&last));
    assert_eq!(stderr(&last), "1 step: 0 would pass\n");
    assert_eq!(stderr(&play(&[metric("x", &[], "")], &["--quiet"])), "");
}

#[test]
fn the_data_of_a_script_say_when_steps_were_whose_state_they_tell_and_for_which_release() {
    let other = metric("y", &[], "TEST: APPLY-10-SEC").replace("name: m", "name: other");
    let script = [metric("x", &[], "TEST: APPLY-NO-WAIT\nOUTCOME: fails"), wait("3s"), other, wait("1s")];
    let args = ["-o", "json", "--kcc-version", "1.155.1", "--start", "2001-02-03T04:05:06Z"];
    let told: Value = serde_json::from_slice(&play(&script, &args).stdout).unwrap();
    assert_eq!((&told["release"], &told["releaseNamed"]), (&"1.155.1".into(), &true.into()));
    assert_eq!(told["start"], "2001-02-03T04:05:06Z");
    let steps = told["steps"].as_array().unwrap();
    let from: Vec<&Value> = steps.iter().map(|step| &step["fromSeconds"]).collect();
    assert_eq!(from, [0, 0, 3, 13]);
    assert_eq!(steps[1]["test"], "SystemRun 3s");
    // A wait tells of the only object there is, a step of its own, and a wait among several of none.
    let ready: Vec<&Value> = steps.iter().map(|step| &step["ready"]).collect();
    assert_eq!(ready, [&"False".into(), &"False".into(), &"True".into(), &Value::Null]);
    // The default release is not one that was named.
    let told: Value = serde_json::from_slice(&play(&script, &["-o", "json"]).stdout).unwrap();
    assert_eq!((&told["release"], &told["releaseNamed"]), (&"main".into(), &false.into()));
}

#[test]
fn what_the_call_says_counts_for_a_script_too() {
    let nameless = metric("x", &[], "OUTCOME: fails").replace("  namespace: ns\n", "");
    let step = steps(&[nameless], &["-n", "team-b", "--base-delay", "1s", "--step-timeout", "8s"]).remove(0);
    assert_eq!(step["ref"]["namespace"], "team-b");
    assert_eq!(times(&step), [0.0, 1.0, 3.0, 7.0]);
    let complaints =
        stderr(&play(&[metric("x", &[], "")], &["--set", "cnrm.cloud.google.com/backoff-max-delay-in-second=5"]));
    assert!(complaints.contains("not known"), "{complaints}");
    // Without a ceiling it does not matter whether the release reads one.
    assert_eq!(play(&[metric("x", &[], "")], &["--kcc-version", "1.160.0"]).status.code(), Some(0));
}

#[test]
fn a_file_that_is_no_expectation_is_told_once_and_differences_are_counted() {
    let script = [metric("x", &[], "")];
    let compare = |expectation: &str| stderr(&play_with(&script, expectation, &["--expect", "expected.yaml"]));
    const NONE: &str = "no expectation: it begins with apiVersion: kcc-backoff/v1alpha1 and kind: ScenarioSimulation";
    let config = config_map("name: c", "");
    for foreign in ["steps: []\n", &config, &format!("{config}---\n{config}")] {
        assert_eq!(compare(foreign).matches(NONE).count(), 1, "{foreign}: {}", compare(foreign));
    }
    let one = format!("{HEAD}steps:\n- attemptCount: 7\n");
    assert!(compare(&one).ends_with("1 step: 1 would pass; 1 difference from what is expected\n"), "{}", compare(&one));
    let two = format!("{one}  halted: true\n");
    assert!(compare(&two).ends_with("; 2 differences from what is expected\n"), "{}", compare(&two));
}

#[test]
fn a_configuration_that_the_api_server_refuses_does_not_pass_and_a_misnamed_one_is_told() {
    let sometimes = connector("  mode: cluster\n  actuationMode: Sometimes\n");
    let step = steps(std::slice::from_ref(&sometimes), &[]).remove(0);
    assert_eq!(step["passes"], false);
    assert!(step["why"].as_str().unwrap().contains("the API server refuses it"), "{}", step["why"]);
    let misnamed = crate::support::context_of("ns", "  actuationMode: Paused\n")
        .replace("name: configconnectorcontext.core.cnrm.cloud.google.com", "name: other");
    let output = play(&[format!("{misnamed}\n")], &[]);
    assert!(stderr(&output).contains("this one has no effect"), "{}", stderr(&output));
}
