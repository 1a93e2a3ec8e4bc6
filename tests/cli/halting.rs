//! kcc.md sections 3 and 5: whether an error halts an object, whether it is halted, and what wakes it.

use kcc_backoff::assess::kcc::NotWaking;
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

/// Section 5: a changed interval passes from 1.138.0 on unless it is 0, and only "0" skips.
#[test]
fn an_object_that_is_up_to_date_under_interval_zero_is_woken_by_another_interval_from_1_138_0_on() {
    let asked = || manifest(DIRECT).with(INTERVAL, "0").ready("True", "UpToDate");
    for release in ["1.138.0", "main"] {
        let halt = answer_in(&asked(), release).halt;
        assert_eq!(halt.commands.len(), 1, "{release}");
        assert!(
            halt.commands[0].line.ends_with(" cnrm.cloud.google.com/reconcile-interval-in-seconds=600 --overwrite")
        );
    }
    let before = answer_in(&asked(), "1.137.1").halt;
    assert!(before.commands.is_empty());
    assert!(before.no_command.unwrap().contains("only a change of spec"));
}

/// Section 9: from 1.158 on the annotation wins over ConfigConnectorContext and ConfigConnector.
#[test]
fn a_paused_object_is_resumed_by_its_annotation_wherever_the_pause_was_said_from_1_158_on() {
    let context = context_of("team-a", "  actuationMode: Paused");
    let object = manifest(DIRECT).text();
    let resume = " cnrm.cloud.google.com/actuation-mode=Reconciling --overwrite";
    for (release, resumed) in [("1.157.0", false), ("1.158.0", true), ("main", true)] {
        for pausing in [context.clone(), connector("  actuationMode: Paused")] {
            let halt = last_answer(&[&pausing, &object], release).halt;
            assert_eq!(halt.commands.iter().any(|command| command.line.ends_with(resume)), resumed, "{release}");
            assert_eq!(halt.no_command.is_some(), !resumed, "{release}");
        }
    }
    let own = answer(&manifest(DIRECT).with(ACTUATION, "Paused")).halt;
    assert_eq!(own.commands.len(), 1);
    assert!(own.commands[0].line.ends_with(resume));
}

#[test]
fn an_object_that_only_foreign_finalizers_hold_has_no_command_because_nobody_would_look_at_it() {
    for finalizers in ["", "example.com/mine"] {
        let halt = answer(&manifest(TF).metadata(&deleting(finalizers))).halt;
        assert!(halt.commands.is_empty(), "{finalizers:?}");
        assert!(halt.no_command.unwrap().contains("none of its finalizers is left"));
    }
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

/// What a status with this reason tells of a direct object that an error would halt, generation observed: kcc.md
/// sections 3, 7 and 9.
const NOW_BY_REASON: [(&str, &str, Option<bool>); 17] = [
    ("False", "UpdateFailed", Some(true)),
    ("False", "DeleteFailed", Some(true)),
    // Not settled for main: dependencies, and errors outside the main path.
    ("False", "DependencyNotReady", None),
    ("False", "DependencyNotFound", None),
    ("False", "DependencyInvalid", None),
    ("False", "PreActuationTransformFailed", None),
    ("False", "PostActuationTransformFailed", None),
    // Direct takes no lease, so another controller left it.
    ("False", "ManagementConflict", None),
    ("True", "UpToDate", Some(false)),
    ("True", "SomethingNew", Some(false)),
    ("False", "Paused", Some(false)),
    ("False", "Unmanaged", Some(false)),
    ("False", "Creating", None),
    ("False", "Updating", None),
    ("False", "Deleting", None),
    ("False", "Deleted", None),
    ("False", "SomethingNew", None),
];

#[test]
fn whether_an_object_is_halted_now_follows_from_its_status_and_from_nothing_else_if_nothing_halts_it() {
    for (status, reason, expected) in NOW_BY_REASON {
        let asked = || manifest(DIRECT).ready(status, reason);
        let halting = || asked().with(CEILING, "0");
        let what = format!("{status} {reason}");
        assert_eq!(answer(&halting()).halt.now, expected, "{what}");
        assert_eq!(answer(&halting()).halt.on_error, Some(true), "{what}");
        // Deletion bypasses the halt, and a paused reconcile is a success.
        let gone = answer(&halting().metadata(&deleting(FINALIZER))).halt;
        assert_eq!((gone.now, gone.on_error), (Some(false), Some(false)), "{what} deleting");
        assert_eq!(gone.now_reason, "it is being deleted, and deletion bypasses the halt");
        let paused = answer(&halting().with(ACTUATION, "Paused")).halt;
        assert_eq!((paused.now, paused.on_error), (Some(false), Some(true)), "{what} paused");
        assert!(paused.now_reason.contains("a paused reconcile is a success"));
        // Nothing halts it: no ceiling, one in seconds, an invalid one, one that is not read, an invalid interval.
        let never = [
            answer(&asked()),
            answer(&asked().with(CEILING, "600")),
            answer(&asked().with(CEILING, "x")),
            answer_in(&halting(), "1.159.0"),
            answer(&halting().with(INTERVAL, "10m")),
            answer(&manifest(TF).with(CEILING, "0").ready(status, reason)),
        ];
        for (index, answer) in never.iter().enumerate() {
            assert_eq!(answer.halt.now, Some(false), "{what} {index}");
            assert_eq!(answer.halt.on_error, Some(false), "{what} {index}");
            assert_eq!(answer.halt.now_reason, "nothing halts it", "{what} {index}");
        }
        // An edit that was not observed: the halt that an error brought is over, the rest is as unknown as before.
        let edited = halting().text().replace("  generation: 3", "  generation: 4");
        let edited = answers(&edited, &Ask::default()).remove(0).halt.now;
        assert_eq!(edited, if expected == Some(true) { None } else { expected }, "{what} edited");
        // Where it is not known whether the ceiling is read, it is not known whether it halted anything.
        let unknown = answer_in(&halting(), "1.160.0").halt;
        assert_eq!(unknown.on_error, None, "{what}");
        assert_eq!(unknown.now, if expected == Some(true) { None } else { expected }, "{what} in 1.160.0");
        // The user knows since when.
        let ask = Ask { release: "1.160.0", since: Some("1.160.0"), set: &[] };
        assert_eq!(answers(&halting().text(), &ask).remove(0).halt.now, expected, "{what} since 1.160.0");
    }
    let nobody = manifest(("logging", "LoggingNoSuchKind")).with(CEILING, "0").ready("False", "UpdateFailed");
    let nobody = answer(&nobody).halt;
    assert_eq!((nobody.now, nobody.on_error), (Some(false), Some(false)));
    assert_eq!(nobody.now_reason, "no controller reconciles the object");
    assert!(nobody.woken_by.is_empty() && nobody.not_woken_by.is_empty() && nobody.commands.is_empty());
    assert_eq!(nobody.no_command.as_deref(), Some("no controller reconciles the object"));
}

#[test]
fn each_answer_about_a_halt_says_why() {
    for (reason, release, words) in [
        ("UpdateFailed", "main", "its last reconcile failed, and a ceiling of \"0\" ends retries at the first error"),
        ("UpdateFailed", "1.160.0", "whether 1.160.0 reads the annotation is not known"),
        ("DependencyNotReady", "main", "waiting for dependencies is not settled for main"),
        ("DependencyNotReady", "1.160.0", "waiting for dependencies is not settled for 1.160.0"),
        ("PreActuationTransformFailed", "main", "errors outside the main path of a reconcile is not settled for main"),
        ("ManagementConflict", "main", "takes no lease"),
        ("Paused", "main", "not that of an error"),
        ("Updating", "main", "does not tell how the last reconcile ended"),
    ] {
        let halt = answer_in(&manifest(DIRECT).with(CEILING, "0").ready("False", reason), release).halt;
        assert!(halt.now_reason.contains(words), "{reason} in {release}: {}", halt.now_reason);
    }
    let done = answer(&manifest(DIRECT).with(CEILING, "0").ready("True", "UpToDate")).halt;
    assert_eq!(done.now_reason, "its last reconcile succeeded");
}

/// A command in short: what it does to which annotation.
fn commands(asked: &Manifest) -> Vec<&'static str> {
    in_short(&answer(asked).halt)
}

fn in_short(halt: &kcc_backoff::assess::kcc::Halt<'_>) -> Vec<&'static str> {
    let target = "kubectl annotate ";
    halt.commands
        .iter()
        .map(|command| {
            assert!(command.line.starts_with(target), "{}", command.line);
            match command.line.split_once(" -n team-a ").unwrap().1 {
                "test.cnrm.cloud.google.com/reconcile-cookie=\"$(date +%s)\" --overwrite" => "cookie",
                "cnrm.cloud.google.com/backoff-max-delay-in-seconds=600 --overwrite" => "ceiling",
                "cnrm.cloud.google.com/actuation-mode=Reconciling --overwrite" => "resume",
                "cnrm.cloud.google.com/reconcile-interval-in-seconds- test.cnrm.cloud.google.com/reconcile-cookie=\"$(date +%s)\" --overwrite" => "interval",
                _ => "another",
            }
        })
        .collect()
}

/// Sections 3 and 5: which edits pass the watch filter and are then acted on.
#[test]
fn each_state_has_the_commands_that_wake_it() {
    let failed = |kind| manifest(kind).ready("False", "UpdateFailed");
    let done = |kind| manifest(kind).ready("True", "UpToDate");
    let cases: Vec<(&str, Manifest, &[&str])> = vec![
        ("nothing known", manifest(TF), &["cookie"]),
        ("failing", failed(TF), &["cookie"]),
        ("failing under a ceiling", failed(DIRECT).with(CEILING, "600"), &["cookie"]),
        ("perhaps halted", manifest(DIRECT).with(CEILING, "0"), &["ceiling", "cookie"]),
        ("halted", failed(DIRECT).with(CEILING, "0"), &["ceiling", "cookie"]),
        (
            "not settled",
            manifest(DIRECT).with(CEILING, "0").ready("False", "DependencyInvalid"),
            &["ceiling", "cookie"],
        ),
        ("halting, healthy", done(DIRECT).with(CEILING, "0"), &["cookie"]),
        ("a zero that tf ignores", failed(TF).with(CEILING, "0"), &["cookie"]),
        ("paused", failed(TF).with(ACTUATION, "Paused"), &["resume"]),
        ("paused and halting", failed(DIRECT).with(CEILING, "0").with(ACTUATION, "Paused"), &["resume"]),
        ("paused with an invalid interval", failed(TF).with(INTERVAL, "x").with(ACTUATION, "Paused"), &["resume"]),
        ("invalid interval", failed(TF).with(INTERVAL, "10m"), &["interval"]),
        ("invalid interval under a halt", failed(DIRECT).with(INTERVAL, "").with(CEILING, "0"), &["interval"]),
        ("unmanaged", manifest(TF).ready("False", "Unmanaged"), &[]),
        ("deleting", failed(DIRECT).metadata(&deleting(FINALIZER)), &["cookie"]),
        ("deleting under a halt", failed(DIRECT).with(CEILING, "0").metadata(&deleting(FINALIZER)), &["cookie"]),
        (
            "deleting, unmanaged once",
            manifest(TF).ready("False", "Unmanaged").metadata(&deleting(FINALIZER)),
            &["cookie"],
        ),
        ("defended", failed(DIRECT).metadata(&deleting(DEFENDER)), &[]),
        ("defended, tf", failed(TF).metadata(&deleting(DEFENDER)), &["cookie"]),
        ("defended, iam", failed(MEMBER).metadata(&deleting(DEFENDER)), &["cookie"]),
        ("defender, not deleting", failed(DIRECT).metadata(&format!("finalizers: [{DEFENDER}]")), &["cookie"]),
        ("interval 0 and failing", failed(TF).with(INTERVAL, "0"), &["cookie"]),
        ("interval 0 and up to date, iam", done(MEMBER).with(INTERVAL, "0"), &["cookie"]),
        ("interval 0 of the kind", done(("compute", "ComputeSSLCertificate")), &["cookie"]),
        ("interval 0, up to date, deleting", done(TF).with(INTERVAL, "0").metadata(&deleting(FINALIZER)), &["cookie"]),
        ("up to date", done(TF), &["cookie"]),
        ("up to date, interval 600", done(TF).with(INTERVAL, "600"), &["cookie"]),
    ];
    for (what, asked, expected) in cases {
        assert_eq!(commands(&asked), expected, "{what}");
        assert_eq!(answer(&asked).halt.no_command.is_some(), expected.is_empty(), "{what}");
    }
    let unmanaged = answer(&manifest(TF).ready("False", "Unmanaged")).halt.no_command.unwrap();
    assert!(unmanaged.contains("never retried"));
    let defended = answer(&failed(DIRECT).metadata(&deleting(DEFENDER))).halt.no_command.unwrap();
    assert!(defended.contains("it waits for the deletion defender"));
    // In 1.160.0 it is not known whether an error halts it, so whether a ceiling in its place does anything neither.
    let unknown = answer_in(&failed(DIRECT).with(CEILING, "0"), "1.160.0").halt;
    assert_eq!(in_short(&unknown), ["cookie"]);
}

#[test]
fn each_command_says_what_it_does() {
    let does = |asked: &Manifest| answer(asked).halt.commands.iter().map(|command| command.does).collect::<Vec<_>>();
    // The ladder under the ceiling that the command gives: 1, 2, 4 s … and then 600 s.
    let ends = "at once, and ends any halt: if it fails again it is retried after 1 s, 2 s, 4 s … then every 10 min";
    let failed = |kind| manifest(kind).ready("False", "UpdateFailed");
    assert_eq!(does(&failed(DIRECT).with(CEILING, "0")), [ends, "one attempt, at once; an error halts it again"]);
    assert_eq!(
        does(&manifest(DIRECT).with(CEILING, "0").ready("True", "UpToDate")),
        ["one attempt, at once; an error halts it again"]
    );
    assert_eq!(does(&failed(DIRECT)), ["one attempt, at once"]);
    assert_eq!(does(&failed(TF).with(CEILING, "0")), ["one attempt, at once"]);
    assert_eq!(does(&failed(TF).with(ACTUATION, "Paused")), ["resumes it, at once"]);
    assert_eq!(
        does(&failed(TF).with(INTERVAL, "x")),
        ["takes the invalid interval away and makes one attempt, at once"]
    );
}

/// Section 5: "if any condition is True with reason UpToDate and observedGeneration equals generation, the reconcile is
/// skipped, whatever woke it", on tf, dcl and direct; and being deleted is no such reconcile.
#[test]
fn a_reconcile_is_skipped_only_when_up_to_date_and_observed_under_interval_zero() {
    let text = |kind| manifest(kind).with(INTERVAL, "0").ready("True", "UpToDate").text();
    let wakes = |text: &str| in_short(&answers(text, &Ask::default()).remove(0).halt) == ["cookie"];
    for kind in [DIRECT, TF, DCL] {
        assert!(!wakes(&text(kind)), "{kind:?}");
        for (what, changed) in [
            ("an edit waits", text(kind).replace("  generation: 3", "  generation: 4")),
            ("generation not told", text(kind).replace("  generation: 3\n", "")),
            ("observedGeneration not told", text(kind).replace("  observedGeneration: 3\n", "")),
            ("neither told", text(kind).replace("  generation: 3\n", "").replace("  observedGeneration: 3\n", "")),
            ("another reason", text(kind).replace("reason: UpToDate", "reason: SomethingNew")),
            ("False", text(kind).replace("status: \"True\"", "status: \"False\"")),
            ("interval 20", text(kind).replace("seconds: \"0\"", "seconds: \"20\"")),
        ] {
            assert!(wakes(&changed), "{kind:?} {what}");
        }
        // Any condition will do, not only Ready.
        let other = text(kind).replace("type: Ready", "type: Other");
        assert!(!wakes(&other), "{kind:?}");
    }
    for kind in [MEMBER, PARTIAL] {
        assert!(wakes(&text(kind)), "{kind:?}");
    }
}

#[test]
fn names_and_namespaces_with_a_dollar_sign_or_a_quote_are_words_of_the_shell() {
    let line = |name: &str, namespace: &str| {
        let [name, namespace] = [name, namespace].map(|text| serde_json::to_string(text).unwrap());
        let text = format!(
            "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {{name: {name}, namespace: {namespace}}}"
        );
        answers(&text, &Ask::default()).remove(0).halt.commands.first().map(|command| command.line.clone())
    };
    let cookie = " test.cnrm.cloud.google.com/reconcile-cookie=\"$(date +%s)\" --overwrite";
    let group = "logginglogmetric.logging.cnrm.cloud.google.com";
    for (name, namespace, words) in [
        ("a-1.b_c", "team-a", format!("{group}/a-1.b_c -n team-a")),
        ("a:b", "team-a", format!("{group}/a:b -n team-a")),
        ("a", "ns-${projectId}", format!("{group}/a -n 'ns-${{projectId}}'")),
        ("${uniqueId}", "$HOME", format!("'{group}/${{uniqueId}}' -n '$HOME'")),
        ("a", "it's", format!("{group}/a -n 'it'\\''s'")),
        ("a;b", "x&y", format!("'{group}/a;b' -n 'x&y'")),
        ("a*", "~", format!("'{group}/a*' -n '~'")),
    ] {
        assert_eq!(line(name, namespace), Some(format!("kubectl annotate {words}{cookie}")), "{name} {namespace}");
    }
    for (name, namespace) in [("a", "b c"), ("a", "größe"), ("a", "b\n"), ("a\u{1}", "b")] {
        assert_eq!(line(name, namespace), None, "{name:?} {namespace:?}");
    }
    // An empty namespace is none.
    assert_eq!(line("a", ""), Some(format!("kubectl annotate {group}/a{cookie}")));
}

#[test]
fn the_words_for_what_wakes_and_what_does_not_are_those_of_the_annotations() {
    let woken: Vec<&str> = answer(&manifest(DIRECT)).halt.woken_by.iter().map(|wake| wake.as_str()).collect();
    assert_eq!(
        woken,
        [
            "spec",
            "labels",
            "container-annotations",
            "backoff-max-delay-in-seconds",
            "reconcile-interval-in-seconds",
            "actuation-mode",
            "reconcile-cookie",
            "deletion",
            "controller-restart",
        ]
    );
    let not: Vec<&str> =
        answer_in(&manifest(DIRECT), "1.137.0").halt.not_woken_by.iter().map(|not| not.as_str()).collect();
    assert_eq!(
        not,
        [
            "backoff-max-delay-in-seconds",
            "reconcile-interval-in-seconds",
            "other-annotations",
            "status",
            "referenced-secrets",
            "empty-values",
        ]
    );
}

/// Section 5: under interval 0 an up-to-date object is skipped, whatever woke it.
#[test]
fn what_is_skipped_anyway_is_not_said_to_wake_an_object() {
    let idle = || manifest(TF).with(INTERVAL, "0").ready("True", "UpToDate");
    assert_eq!(answer(&idle()).halt.woken_by, [Wake::Spec, Wake::DriftInterval, Wake::Deletion]);
    assert_eq!(answer_in(&idle(), "1.137.0").halt.woken_by, [Wake::Spec, Wake::Deletion]);
    let failing = manifest(TF).with(INTERVAL, "0").ready("False", "UpdateFailed");
    assert!(answer(&failing).halt.woken_by.contains(&Wake::Labels));
}
