//! kcc.md sections 1, 3, 4 and 9: which ceiling is in effect, who says so, and what it does to retries.

use std::time::Duration;

use kcc_backoff::assess::kcc::{Assessment, Policy, RetryAnswer};
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

/// Head of kcc.md: up to 1.159 ignored, main honours, above that unknown unless the user knows.
#[test]
fn whether_a_ceiling_is_honoured_and_why_is_told_of_every_controller_and_release() {
    let everyone = "ignores the annotation, as every release up to 1.159 does";
    let only = "controller ignores it: only direct reads it";
    for (kind, release, since, honoured, reason) in [
        (DIRECT, "main", None, Some(true), "the direct controller reads it".to_owned()),
        (DIRECT, "main", Some("1.170.0"), Some(true), "the direct controller reads it".to_owned()),
        (DIRECT, "1.159.0", None, Some(false), format!("1.159.0 {everyone}")),
        (TF, "1.159.0", None, Some(false), format!("1.159.0 {everyone}")),
        (DIRECT, "1.159.0", Some("1.160.0"), Some(false), format!("1.159.0 {everyone}")),
        (DIRECT, "1.134.0", None, Some(false), format!("1.134.0 {everyone}")),
        (
            DIRECT,
            "1.160.0",
            None,
            None,
            "whether 1.160.0 reads the annotation is not known (--ceiling-since says since when)".to_owned(),
        ),
        (DIRECT, "1.160.0", Some("1.160.0"), Some(true), "the direct controller reads it".to_owned()),
        (
            DIRECT,
            "1.160.0",
            Some("1.161.0"),
            Some(false),
            "1.160.0 ignores the annotation: the first that reads it is 1.161.0 (--ceiling-since)".to_owned(),
        ),
        // What is not known of the release does not matter where nobody but direct would read it.
        (TF, "1.160.0", None, Some(false), format!("the tf {only}")),
        (DCL, "1.160.0", None, Some(false), format!("the dcl {only}")),
        (MEMBER, "1.160.0", None, Some(false), format!("the iampolicymember {only}")),
        (PARTIAL, "main", None, Some(false), format!("the iampartialpolicy {only}")),
        (
            ("logging", "LoggingNoSuchKind"),
            "1.160.0",
            None,
            Some(false),
            "no controller reconciles the object".to_owned(),
        ),
    ] {
        for value in ["600", "0", "x", ""] {
            let text = manifest(kind).with(CEILING, value).text();
            let answer = answers(&text, &Ask { release, since, set: &[] }).remove(0).ceiling;
            assert_eq!(answer.honoured, honoured, "{kind:?} {release} {since:?} {value:?}");
            assert_eq!(answer.reason, reason, "{kind:?} {release} {since:?} {value:?}");
        }
    }
}

#[test]
fn where_support_is_unknown_only_a_ceiling_that_could_be_read_leaves_retries_unknown() {
    for (kind, value, policies) in [
        (DIRECT, "600", Some((Policy::Ceiling, Policy::Default))),
        (DIRECT, "0", Some((Policy::Halt, Policy::Default))),
        (DIRECT, "x", None),
        (DIRECT, "-1", None),
        (DIRECT, "", None),
        (TF, "600", None),
        (TF, "0", None),
        (MEMBER, "0", None),
    ] {
        let answer = answer_in(&manifest(kind).with(CEILING, value), "1.160.0");
        match (&answer.retry, policies) {
            (RetryAnswer::Unknown { if_honoured, if_ignored, .. }, Some(expected)) => {
                assert_eq!((if_honoured.policy, if_ignored.policy), expected, "{kind:?} {value:?}");
                let ignored = if_ignored.ladder.unwrap();
                assert_eq!((ignored.base().as_millis(), ignored.max().as_secs()), (250, 120));
                assert!(if_ignored.bucket.is_some() && if_honoured.bucket.is_none());
            }
            (RetryAnswer::Known(retry), None) => {
                assert_eq!(retry.policy, Policy::Default, "{kind:?} {value:?}");
                assert!(retry.bucket.is_some(), "{kind:?} {value:?}");
            }
            (retry, _) => panic!("{kind:?} {value:?}: {retry:?}"),
        }
        let expected = match (kind, value) {
            (DIRECT, "0") => None,
            _ => Some(false),
        };
        assert_eq!(answer.halt.on_error, expected, "{kind:?} {value:?}");
    }
}

#[test]
fn each_rule_of_retries_says_why_it_applies() {
    let ceiling = |kind, value| manifest(kind).with(CEILING, value);
    let deleting = deleting(FINALIZER);
    let refused = "the API server refuses the object as it stands; one without the value is retried so";
    let cases = [
        (manifest(DIRECT), Policy::Default, "no ceiling is set"),
        (manifest(TF), Policy::Default, "no ceiling is set"),
        (ceiling(DIRECT, ""), Policy::Default, "no ceiling is set"),
        (ceiling(TF, "600"), Policy::Default, "the ceiling annotation has no effect"),
        (ceiling(TF, "x"), Policy::Default, "the ceiling annotation has no effect"),
        (ceiling(DIRECT, "x"), Policy::Default, "an invalid ceiling leaves it, and is not a halt"),
        (ceiling(DIRECT, "0"), Policy::Halt, "a ceiling of \"0\" ends retries at the first error"),
        (
            ceiling(DIRECT, "600"),
            Policy::Ceiling,
            "the ceiling annotation sets it; no token bucket slows many objects down",
        ),
        (ceiling(DIRECT, "0").metadata(&deleting), Policy::Default, "failing deletions always use it"),
        (
            // Section 3: a failed deletion is stuck until the interval is mended, so that is what matters.
            ceiling(DIRECT, "0").with(INTERVAL, "x").metadata(&deleting),
            Policy::Default,
            "the invalid reconcile-interval-in-seconds is an error of every reconcile, whatever the ceiling says",
        ),
        (
            ceiling(DIRECT, "0").with(INTERVAL, "x"),
            Policy::Default,
            "the invalid reconcile-interval-in-seconds is an error of every reconcile, whatever the ceiling says",
        ),
        (ceiling(DIRECT, "600").raw(INTERVAL, "600"), Policy::Default, refused),
        (manifest(DIRECT).raw(CEILING, "600"), Policy::Default, refused),
        (manifest(("logging", "LoggingNoSuchKind")), Policy::None, "no controller reconciles the object"),
    ];
    for (asked, expected, reason) in cases {
        let answer = answer(&asked);
        let retry = answer.retry.known().unwrap();
        assert_eq!((retry.policy, retry.reason.as_ref()), (expected, reason));
        assert_eq!(retry.ladder.is_some(), matches!(expected, Policy::Default | Policy::Ceiling), "{reason}");
        assert_eq!(retry.bucket.is_some(), expected == Policy::Default, "{reason}: section 4");
    }
    for (policy, word) in
        [(Policy::Default, "default"), (Policy::Ceiling, "ceiling"), (Policy::Halt, "halt"), (Policy::None, "none")]
    {
        assert_eq!(policy.as_str(), word);
    }
}

/// Section 4: "a ceiling below 120 retries more often than the default does", which is said where it is known to be read.
#[test]
fn a_frequent_ceiling_is_warned_of_only_where_it_is_known_to_be_read() {
    for (kind, release, since, warned) in [
        (DIRECT, "main", None, true),
        (DIRECT, "1.160.0", None, false),
        (DIRECT, "1.160.0", Some("1.160.0"), true),
        (DIRECT, "1.160.0", Some("1.161.0"), false),
        (DIRECT, "1.159.0", None, false),
        (TF, "main", None, false),
        (MEMBER, "main", None, false),
    ] {
        let text = manifest(kind).with(CEILING, "30").text();
        let answer = answers(&text, &Ask { release, since, set: &[] }).remove(0);
        assert_eq!(codes(&answer).contains(&"frequent-ceiling"), warned, "{kind:?} {release} {since:?}");
        let ineffective = answer.ceiling.honoured == Some(false);
        assert_eq!(codes(&answer).contains(&"ineffective-ceiling"), ineffective, "{kind:?} {release} {since:?}");
    }
    // 3600 / 7 = 514.3 attempts an hour, told without the fraction; 3600 / 119 = 30.25.
    for (value, words) in [("7", "514 attempts an hour instead of 30"), ("119", "30.3 attempts an hour instead of 30")]
    {
        let problem = answer(&manifest(DIRECT).with(CEILING, value)).problems.remove(0);
        assert!(problem.message.contains(words), "{}", problem.message);
        assert_eq!(problem.severity.as_str(), "warning");
    }
}

#[test]
fn an_invalid_ceiling_is_told_with_its_fault_its_place_and_advice() {
    for (value, fault) in [
        ("10m", "is not a decimal integer"),
        ("-1", "is negative"),
        ("2147483648", "does not fit into 32 bits (at most 2147483647)"),
    ] {
        let problem = answer(&manifest(DIRECT).with(CEILING, value)).problems.remove(0);
        assert_eq!(problem.message, format!("{CEILING} {value:?} {fault}: the default ladder is used, not a halt"));
        assert_eq!(problem.severity.as_str(), "error");
        assert_eq!(problem.place.map(|place| (place.line, place.column)), Some((7, 57)));
        assert_eq!(problem.fix, Some(format!("write whole seconds such as {CEILING}: \"600\", or \"0\" to halt")));
    }
    // On tf nobody reads it: both are said.
    assert_eq!(codes(&answer(&manifest(TF).with(CEILING, "10m"))), ["invalid-ceiling", "ineffective-ceiling"]);
    // Without a controller there is nothing to say of it beside that.
    assert_eq!(codes(&answer(&manifest(("logging", "LoggingNoSuchKind")).with(CEILING, "10m"))), ["no-controller"]);
    for placeholder in ["${delay}", "{{ .Values.delay }}", "$(delay)"] {
        let fix = answer(&manifest(DIRECT).with(CEILING, placeholder)).problems.remove(0).fix.unwrap();
        assert!(fix.contains("looks like a placeholder"), "{placeholder}: {fix}");
    }
}

/// Section 3: what the ceiling does not govern, where one is set and is or may be read.
#[test]
fn what_a_ceiling_does_not_govern_is_told_only_where_it_is_set_and_may_be_read() {
    let told = |kind, value: &str, release, since| {
        let text = manifest(kind).with(CEILING, value).text();
        answers(&text, &Ask { release, since, set: &[] }).remove(0).ungoverned
    };
    for (kind, value, release, since, expected) in [
        (DIRECT, "600", "main", None, true),
        (DIRECT, "0", "main", None, true),
        (DIRECT, "", "main", None, false),
        (DIRECT, "x", "main", None, false),
        (TF, "600", "main", None, false),
        (MEMBER, "0", "main", None, false),
        (DIRECT, "600", "1.159.0", None, false),
        (DIRECT, "600", "1.160.0", None, true),
        (DIRECT, "600", "1.160.0", Some("1.160.0"), true),
        (DIRECT, "600", "1.160.0", Some("1.161.0"), false),
    ] {
        let told = told(kind, value, release, since);
        assert_eq!(!told.is_empty(), expected, "{kind:?} {value:?} {release} {since:?}");
        if expected {
            let all = told.join("; ");
            assert!(all.contains("failing deletions and an invalid reconcile-interval-in-seconds (default ladder)"));
            assert!(all.contains(&format!("not settled for {release}")), "{all}");
            assert!(all.contains("unresolved dependencies") && all.contains("errors outside the main path"), "{all}");
        }
    }
}

#[test]
fn a_value_of_set_is_judged_and_complained_about_like_one_of_the_manifest_and_has_no_place() {
    let text = manifest(DIRECT).text();
    let ask = |set: &[(&str, &str)]| answers(&text, &Ask { set, ..Ask::default() }).remove(0);
    for (value, code) in [("x", "invalid-ceiling"), ("30", "frequent-ceiling")] {
        let answer = ask(&[(CEILING, value)]);
        assert_eq!(codes(&answer), [code]);
        assert_eq!(answer.ceiling.raw, Some(value));
        assert_eq!(answer.problems[0].place.as_ref().map(|place| place.line), Some(1), "the object's place");
        assert!(answer.ceiling.present() && answer.ceiling.set && answer.ceiling.place.is_none());
    }
    let interval = ask(&[(INTERVAL, "x")]);
    assert_eq!(codes(&interval), ["invalid-drift-interval"]);
    assert_eq!((interval.drift.raw, interval.drift.place), (Some("x"), None));
    let chosen = answers(&manifest(EITHER).text(), &Ask { set: &[(RECONCILER, "direct")], ..Ask::default() });
    assert_eq!(chosen[0].controller.reason, "asked for by --set alpha.cnrm.cloud.google.com/reconciler");
    let written = answer(&manifest(EITHER).with(RECONCILER, "direct"));
    assert_eq!(written.controller.reason, "asked for by the annotation alpha.cnrm.cloud.google.com/reconciler");
    assert!(!answer(&manifest(DIRECT)).ceiling.present());
}

#[test]
fn what_is_written_of_a_value_that_is_no_string_is_kept_and_nothing_of_one_that_is() {
    for (written, raw, kept) in [
        ("600", None, Some("600")),
        ("on", None, Some("on")),
        ("[600]", None, Some("")),
        ("\"600\"", Some("600"), None),
        ("~", Some(""), None),
    ] {
        let answer = answer(&manifest(DIRECT).raw(CEILING, written)).ceiling;
        assert_eq!((answer.raw, answer.written), (raw, kept), "{written}");
        assert!(answer.present(), "{written}");
    }
}

/// The quoted form is the text that was written, except for keys that want whole seconds.
#[test]
fn the_quoted_form_of_a_value_that_wants_no_number_is_the_text_as_written() {
    for (key, written, quoted) in [
        ("example.com/x", "1_000", "\"1_000\""),
        ("example.com/x", "0x10", "\"0x10\""),
        ("example.com/x", "yes", "\"yes\""),
        ("example.com/x", "1.5", "\"1.5\""),
        (POLICY, "1e3", "\"1e3\""),
        (CEILING, "0x10", "\"16\""),
        (INTERVAL, "1_000", "\"1000\""),
        (INTERVAL, "1e3", "\"1000\""),
    ] {
        let problems = answer(&manifest(DIRECT).raw(key, written)).problems;
        let fixes: Vec<_> = problems.iter().filter_map(|problem| problem.fix.as_deref()).collect();
        assert_eq!(fixes, [format!("write {key}: {quoted}")], "{written}");
    }
    for (key, written) in
        [(CEILING, "1.5"), (CEILING, "-5"), (INTERVAL, "yes"), (CEILING, "3000000000"), (INTERVAL, "-0x1")]
    {
        let problems = answer(&manifest(DIRECT).raw(key, written)).problems;
        let fix = problems.iter().find(|problem| problem.code.as_str() == "not-a-string").unwrap().fix.clone();
        assert_eq!(fix, Some(format!("write whole seconds in quotes, such as {key}: \"600\"")), "{written}");
    }
    // A label holds no seconds, whatever its key.
    let label = answer(&manifest(DIRECT).metadata(&format!("labels:\n  {CEILING}: 0x10"))).problems;
    let label = label.iter().find(|problem| problem.code.as_str() == "not-a-string").unwrap();
    assert_eq!(label.fix, Some(format!("write {CEILING}: \"0x10\"")));
    let list = answer(&manifest(DIRECT).raw("example.com/x", "[a]")).problems.remove(0).fix;
    assert_eq!(list.as_deref(), Some("give example.com/x a string in quotes"));
}

#[test]
fn what_kubectl_apply_does_with_a_null_is_said_of_annotations_and_not_of_labels() {
    let lost = "kubectl apply silently drops all annotations";
    let annotation = answer(&manifest(DIRECT).raw("example.com/x", "~")).problems.remove(0);
    assert!(
        annotation
            .message
            .starts_with("annotation example.com/x is null: create and server-side apply store it as \"\"")
    );
    assert!(annotation.message.contains(lost));
    assert_eq!(annotation.fix.as_deref(), Some("remove the line, or write example.com/x: \"\""));
    let label = answer(&manifest(DIRECT).metadata("labels:\n  tier: ~")).problems.remove(0);
    assert_eq!(label.message, "label tier is null: create and server-side apply store it as \"\"");
    for empty in ["labels: ~", "annotations: ~", "labels: {}"] {
        assert!(answer(&manifest(DIRECT).metadata(empty)).problems.is_empty(), "{empty}");
    }
    let scalar = answer(&manifest(DIRECT).metadata("labels: text")).problems.remove(0).message;
    assert_eq!(
        scalar,
        "labels is not a mapping, so the API server refuses the object: json: cannot unmarshal string into Go struct field ObjectMeta.metadata.labels of type map[string]string"
    );
}
