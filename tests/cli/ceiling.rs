//! kcc.md sections 1, 3, 4 and 9: which ceiling is in effect, who says so, and what it does to retries.

use std::time::Duration;

use kcc_backoff::assess::{Assessment, Policy, RetryAnswer};
use kcc_backoff::kcc::{Ceiling, Controller, NumberFault};

use crate::support::*;

fn policy(answer: &Assessment<'_>) -> Policy {
    answer.retry.known().unwrap().policy
}

/// (delay, time) of each step in milliseconds.
fn ladder(answer: &Assessment<'_>) -> Vec<(u128, u128)> {
    let ladder = answer.retry.known().unwrap().ladder.unwrap();
    ladder.climb().map(|step| (step.delay.as_millis(), step.at.as_millis())).collect()
}

#[test]
fn every_controller_but_direct_ignores_the_ceiling() {
    let kinds = [
        (TF, Controller::Tf),
        (DCL, Controller::Dcl),
        (("iam", "IAMPolicy"), Controller::IamPolicy),
        (PARTIAL, Controller::IamPartialPolicy),
        (MEMBER, Controller::IamPolicyMember),
        (("iam", "IAMAuditConfig"), Controller::IamAuditConfig),
    ];
    for (kind, controller) in kinds {
        for value in ["600", "0"] {
            let answer = answer(&manifest(kind).with(CEILING, value));
            assert_eq!(answer.controller.controller, controller);
            assert_eq!(answer.ceiling.honoured, Some(false), "{kind:?}");
            assert!(answer.ceiling.reason.contains("only direct reads it"), "{}", answer.ceiling.reason);
            assert_eq!(policy(&answer), Policy::Default, "{kind:?} {value}");
            assert_eq!(answer.halt.on_error, Some(false), "{kind:?} {value}");
            assert_eq!(codes(&answer), ["ineffective-ceiling"]);
        }
    }
    let honoured = answer(&manifest(DIRECT).with(CEILING, "600"));
    assert_eq!(honoured.ceiling.honoured, Some(true));
    assert_eq!(policy(&honoured), Policy::Ceiling);
}

#[test]
fn no_release_up_to_1_159_honours_it_and_main_does() {
    for release in ["1.134.0", "1.135.0", "1.155.1", "1.158.0", "1.159.0", "1.159.3"] {
        let answer = answer_in(&manifest(DIRECT).with(CEILING, "0"), release);
        assert_eq!(answer.ceiling.honoured, Some(false), "{release}");
        assert_eq!(policy(&answer), Policy::Default, "{release}");
        assert!(answer.ceiling.reason.contains(release), "{}", answer.ceiling.reason);
    }
}

#[test]
fn above_1_159_it_is_unknown_unless_the_user_says_since_when() {
    let text = manifest(DIRECT).with(CEILING, "600").text();
    let ask = |release, since| answers(&text, &Ask { release, since, set: &[] }).remove(0);
    let unknown = ask("1.160.0", None);
    assert_eq!(unknown.ceiling.honoured, None);
    match unknown.retry {
        RetryAnswer::Unknown { if_honoured, if_ignored, reason } => {
            assert_eq!((if_honoured.policy, if_ignored.policy), (Policy::Ceiling, Policy::Default));
            assert!(reason.contains("1.160.0"));
        }
        RetryAnswer::Known(retry) => panic!("{retry:?}"),
    }
    assert_eq!(ask("1.161.0", Some("1.161.0")).ceiling.honoured, Some(true));
    assert_eq!(ask("1.160.9", Some("1.161.0")).ceiling.honoured, Some(false));
}

#[test]
fn an_object_without_the_annotation_has_the_default_ladder_even_where_its_support_is_unknown() {
    let answer = answer_in(&manifest(DIRECT), "1.160.0");
    assert_eq!(answer.ceiling.honoured, None);
    assert_eq!(policy(&answer), Policy::Default);
    assert_eq!(answer.halt.on_error, Some(false));
}

#[test]
fn whether_zero_halts_is_unknown_where_its_support_is_unknown() {
    let answer = answer_in(&manifest(DIRECT).with(CEILING, "0"), "1.160.0");
    assert_eq!(answer.halt.on_error, None);
}

#[test]
fn the_default_ladder_is_250_ms_doubling_to_120_s_from_1_155_0_on() {
    let steps = ladder(&answer(&manifest(DIRECT)));
    let expected = [
        (250, 0),
        (500, 250),
        (1_000, 750),
        (2_000, 1_750),
        (4_000, 3_750),
        (8_000, 7_750),
        (16_000, 15_750),
        (32_000, 31_750),
        (64_000, 63_750),
        (120_000, 127_750),
        (120_000, 247_750),
    ];
    assert_eq!(steps, expected);
    assert_eq!(ladder(&answer_in(&manifest(DIRECT), "1.155.0")), expected);
}

#[test]
fn the_default_ladder_is_2_s_doubling_to_120_s_before_1_155_0() {
    let expected = [
        (2_000, 0),
        (4_000, 2_000),
        (8_000, 6_000),
        (16_000, 14_000),
        (32_000, 30_000),
        (64_000, 62_000),
        (120_000, 126_000),
        (120_000, 246_000),
    ];
    for release in ["1.90.0", "1.134.0", "1.154.1"] {
        assert_eq!(ladder(&answer_in(&manifest(DIRECT), release)), expected, "{release}");
    }
}

#[test]
fn a_ceiling_of_10_gives_1_2_4_8_10_10_and_no_token_bucket() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "10"));
    assert_eq!(
        ladder(&answer),
        [(1_000, 0), (2_000, 1_000), (4_000, 3_000), (8_000, 7_000), (10_000, 15_000), (10_000, 25_000)]
    );
    assert_eq!(answer.retry.known().unwrap().bucket, None);
}

#[test]
fn the_default_ladder_has_a_token_bucket_of_10_a_second_and_burst_100_on_top() {
    let bucket = answer(&manifest(TF)).retry.known().unwrap().bucket.unwrap();
    assert_eq!((bucket.per_second, bucket.burst), (10, 100));
}

/// Every spelling of kcc.md section 3, as it stands quoted in a manifest.
#[test]
fn every_spelling_of_section_3_is_judged_as_the_controller_does() {
    let seconds = |seconds| (Ceiling::Seconds(seconds), Policy::Ceiling);
    let halt = (Ceiling::Halt, Policy::Halt);
    let invalid = |fault| (Ceiling::Invalid(fault), Policy::Default);
    let cases = [
        ("600", seconds(600)),
        ("+600", seconds(600)),
        ("0600", seconds(600)),
        ("0", halt),
        ("-0", halt),
        ("", (Ceiling::Unset, Policy::Default)),
        (" 600", invalid(NumberFault::NotAnInteger)),
        ("600 ", invalid(NumberFault::NotAnInteger)),
        ("6e2", invalid(NumberFault::NotAnInteger)),
        ("600s", invalid(NumberFault::NotAnInteger)),
        ("1_000", invalid(NumberFault::NotAnInteger)),
        ("0x10", invalid(NumberFault::NotAnInteger)),
        ("1.5", invalid(NumberFault::NotAnInteger)),
        ("٦٠٠", invalid(NumberFault::NotAnInteger)),
        (" ", invalid(NumberFault::NotAnInteger)),
        ("-1", invalid(NumberFault::Negative)),
        ("2147483647", seconds(2_147_483_647)),
        ("2147483648", invalid(NumberFault::OutOfRange)),
    ];
    for (value, (ceiling, expected)) in cases {
        let answer = answer(&manifest(DIRECT).with(CEILING, value));
        assert_eq!(answer.ceiling.ceiling, ceiling, "{value:?}");
        assert_eq!(answer.ceiling.raw, Some(value));
        assert_eq!(policy(&answer), expected, "{value:?}");
        assert_eq!(answer.halt.on_error, Some(expected == Policy::Halt), "{value:?}");
        let is_invalid = matches!(ceiling, Ceiling::Invalid(_));
        assert_eq!(codes(&answer).contains(&"invalid-ceiling"), is_invalid, "{value:?}");
    }
}

#[test]
fn an_invalid_ceiling_means_the_default_ladder_and_never_a_halt() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "10m"));
    assert_eq!(ladder(&answer)[0].0, 250);
    assert_eq!(answer.halt.on_error, Some(false));
    assert!(answer.problems[0].message.contains("not a halt"));
    assert!(answer.problems[0].fix.as_ref().unwrap().contains("\"600\""));
}

#[test]
fn an_annotation_without_a_value_is_unset_and_a_problem_of_its_own() {
    for written in ["", "~", "null"] {
        let answer = answer(&manifest(DIRECT).raw(CEILING, written));
        assert_eq!(answer.ceiling.ceiling, Ceiling::Unset, "{written:?}");
        assert_eq!(answer.ceiling.raw, Some(""), "{written:?}");
        assert_eq!(policy(&answer), Policy::Default, "{written:?}");
        assert_eq!(codes(&answer), ["null-value"], "{written:?}");
        assert!(answer.problems[0].message.contains("kubectl apply silently drops all annotations"));
    }
}

/// Scalars that sigs.k8s.io/yaml does not read as strings; the complaint is the API server's own (measured with
/// kubectl), and the fix is a quoted form that the controller takes.
#[test]
fn an_unquoted_number_or_boolean_is_refused_by_the_api_server_and_the_fix_is_the_quoted_form_that_works() {
    let number = "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.annotations of type string";
    let boolean = "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.annotations of type string";
    let array = "json: cannot unmarshal array into Go struct field ObjectMeta.metadata.annotations of type string";
    let object = "json: cannot unmarshal object into Go struct field ObjectMeta.metadata.annotations of type string";
    let cases = [
        ("600", number, Some("\"600\"")),
        ("0600", number, Some("\"0600\"")),
        ("1_000", number, Some("\"1000\"")),
        ("1e3", number, Some("\"1000\"")),
        ("0x10", number, Some("\"16\"")),
        ("-0", number, Some("\"-0\"")),
        ("on", boolean, None),
        ("y", boolean, None),
        ("true", boolean, None),
        (".inf", "error converting YAML to JSON: json: unsupported value: +Inf", None),
        ("-.inf", "error converting YAML to JSON: json: unsupported value: -Inf", None),
        (".nan", "error converting YAML to JSON: json: unsupported value: NaN", None),
        ("[600]", array, None),
        ("{a: 600}", object, None),
    ];
    for (written, complaint, fix) in cases {
        let answer = answer(&manifest(DIRECT).raw(CEILING, written));
        assert_eq!(answer.ceiling.ceiling, Ceiling::Invalid(NumberFault::NotAString), "{written}");
        assert_eq!(answer.ceiling.raw, None, "{written}: the API server holds nothing");
        assert_eq!(codes(&answer), ["not-a-string"], "{written}");
        let problem = &answer.problems[0];
        assert!(problem.message.ends_with(complaint), "{written}: {}", problem.message);
        assert_eq!(problem.place.as_ref().map(|place| (place.line, place.column)), Some((7, 57)), "{written}");
        let advice = problem.fix.as_deref().unwrap();
        match fix {
            Some(fix) => assert_eq!(advice, format!("write {CEILING}: {fix}"), "{written}"),
            // Quoting the text would make it a string, but none that the controller takes.
            None => assert!(!advice.contains(&format!("\"{written}\"")), "{written}: {advice}"),
        }
        assert_eq!(answer.controller.controller, Controller::Direct, "{written}: other facts are still shown");
    }
}

#[test]
fn unquoted_texts_that_are_strings_are_strings() {
    for (written, raw) in [
        ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"),
        ("1e400", "1e400"),
        ("600s", "600s"),
        ("!!str 600", "600"),
        ("!!binary NjAw", "600"),
    ] {
        let answer = answer(&manifest(DIRECT).raw(CEILING, written));
        assert_eq!(answer.ceiling.raw, Some(raw), "{written}");
        assert!(!codes(&answer).contains(&"not-a-string"), "{written}");
    }
}

#[test]
fn labels_and_foreign_annotations_that_are_not_strings_are_told_too() {
    let answer = answer(&manifest(DIRECT).raw("example.com/on", "yes").metadata("labels:\n  tier: 1\n  team: ~"));
    assert_eq!(codes(&answer), ["not-a-string", "null-value", "not-a-string"]);
    assert!(answer.problems[0].message.contains("ObjectMeta.metadata.labels"));
    assert_eq!(answer.problems[0].fix.as_deref(), Some("write tier: \"1\""));
}

#[test]
fn annotations_that_are_no_mapping_are_told() {
    let answer = answer(&manifest(DIRECT).metadata("annotations: [a]"));
    assert!(answer.problems[0].message.contains(
        "cannot unmarshal array into Go struct field ObjectMeta.metadata.annotations of type map[string]string"
    ));
}

#[test]
fn a_ceiling_below_120_s_is_warned_of_because_it_retries_more_often_than_none() {
    for (value, warned) in [("1", true), ("30", true), ("119", true), ("120", false), ("600", false), ("0", false)] {
        let answer = answer(&manifest(DIRECT).with(CEILING, value));
        assert_eq!(codes(&answer).contains(&"frequent-ceiling"), warned, "{value}");
    }
    // 3600 s / 30 s = 120 attempts an hour against 3600 s / 120 s = 30.
    let message = answer(&manifest(DIRECT).with(CEILING, "30")).problems.remove(0).message;
    assert!(message.contains("120 attempts an hour instead of 30"), "{message}");
}

#[test]
fn a_ceiling_without_effect_is_not_warned_of_as_frequent() {
    assert_eq!(codes(&answer(&manifest(TF).with(CEILING, "30"))), ["ineffective-ceiling"]);
}

#[test]
fn an_object_being_deleted_is_retried_by_the_default_ladder_whatever_its_ceiling() {
    for value in ["600", "0"] {
        let answer =
            answer(&manifest(DIRECT).with(CEILING, value).metadata("deletionTimestamp: \"2026-11-30T11:00:00Z\""));
        assert_eq!(policy(&answer), Policy::Default, "{value}");
        assert_eq!(answer.halt.on_error, Some(false), "{value}");
        assert_eq!(answer.halt.now, Some(false), "{value}");
    }
}

#[test]
fn an_invalid_drift_interval_means_the_default_ladder_whatever_the_ceiling() {
    for value in ["600", "0"] {
        let answer = answer(&manifest(DIRECT).with(CEILING, value).with(INTERVAL, "10m"));
        assert_eq!(policy(&answer), Policy::Default, "{value}");
        assert_eq!(answer.halt.on_error, Some(false), "{value}");
    }
}

#[test]
fn what_a_ceiling_does_not_govern_is_told_where_a_ceiling_is_set() {
    let told = answer(&manifest(DIRECT).with(CEILING, "600")).ungoverned.join("; ");
    for what in [
        "failing deletions",
        "invalid reconcile-interval-in-seconds",
        "unresolved dependencies",
        "not settled for main",
    ] {
        assert!(told.contains(what), "{told}");
    }
    assert!(answer(&manifest(DIRECT)).ungoverned.is_empty());
    assert!(answer(&manifest(TF).with(CEILING, "600")).ungoverned.is_empty());
}

#[test]
fn direct_kinds_that_requeue_without_an_error_do_so_outside_the_ceiling() {
    for kind in [("composer", "ComposerEnvironment"), ("storage", "StorageAnywhereCache")] {
        let told = answer(&manifest(kind).with(CEILING, "600")).ungoverned.join("; ");
        assert!(told.contains("without an error"), "{kind:?}: {told}");
    }
    for kind in [("dataflow", "DataflowJob"), ("dataflow", "DataflowFlexTemplateJob")] {
        let told = answer(&manifest(kind).with(CEILING, "600").with(RECONCILER, "direct")).ungoverned.join("; ");
        assert!(told.contains("without an error"), "{kind:?}: {told}");
    }
    assert!(!answer(&manifest(DIRECT).with(CEILING, "600")).ungoverned.join("; ").contains("without an error"));
}

#[test]
fn set_answers_as_if_the_object_carried_the_annotation() {
    let text = manifest(DIRECT).with(CEILING, "600").text();
    let ask = |set: &[(&str, &str)]| answers(&text, &Ask { set, ..Ask::default() }).remove(0);
    let halted = ask(&[(CEILING, "0")]);
    assert_eq!(policy(&halted), Policy::Halt);
    assert!(halted.ceiling.set && halted.ceiling.place.is_none());
    assert_eq!(policy(&ask(&[(CEILING, "1"), (CEILING, "x")])), Policy::Default, "the last one counts");
    assert_eq!(ask(&[(RECONCILER, "direct")]).controller.controller, Controller::Direct);
    assert_eq!(ask(&[]).ceiling.ceiling, Ceiling::Seconds(600));
}

#[test]
fn a_ceiling_is_reached_however_large_it_is() {
    let answer = answer(&manifest(DIRECT).with(CEILING, "2147483647"));
    let steps = ladder(&answer);
    // 1, 2, 4 … 2^30 s are 31 steps below 2^31 - 1; then the ceiling and one more.
    assert_eq!(steps.len(), 33);
    assert_eq!(steps[30].0, 1_073_741_824_000);
    assert_eq!(steps[32].0, u128::from(2_147_483_647_000u64));
    let longest = answer.retry.known().unwrap().ladder.unwrap().max();
    assert_eq!(longest, Duration::from_secs(2_147_483_647));
}
