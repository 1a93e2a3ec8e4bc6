//! `list`: a fleet at a glance.

use std::process::Output;

use kcc_backoff::assess::{Object, World};
use kcc_backoff::output::{self, Listing, Style, Wish};
use kcc_backoff::source::{self, Input, Options};

use crate::support::*;

fn list(text: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    binary(folder.path()).args(["list", "manifest.yaml", "--now", NOW]).args(args).output().unwrap()
}

/// The cells of the rows, without the titles. Columns are at least two blanks apart.
fn rows(text: &str, args: &[&str]) -> Vec<Vec<String>> {
    let output = list(text, &[args, &["--no-headers"]].concat());
    let cells =
        |line: &str| line.split("  ").map(|cell| cell.trim().to_owned()).filter(|cell| !cell.is_empty()).collect();
    stdout(&output).lines().map(cells).collect()
}

/// One column of the only row.
fn cell(manifest: &Manifest, args: &[&str], column: usize) -> String {
    let rows = rows(&manifest.text(), args);
    assert_eq!(rows.len(), 1);
    rows[0].get(column).cloned().unwrap_or_default()
}

fn state(manifest: &Manifest) -> String {
    cell(manifest, &[], 3)
}

fn listed(text: &str, args: &[&str]) -> serde_json::Value {
    let output = list(text, &[args, &["-o", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

fn together(manifests: &[Manifest]) -> String {
    manifests.iter().map(Manifest::text).collect::<Vec<_>>().join("---\n")
}

/// A manifest of the Plural Console.
fn plural(kind: &str, name: &str, rest: &str) -> String {
    format!("apiVersion: deployments.plural.sh/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\n{rest}\n")
}

#[test]
fn a_row_has_kind_name_controller_state_ceiling_interval_ladder_and_message() {
    let output = list(&manifest(DIRECT).with(CEILING, "600").text(), &[]);
    assert_eq!(
        stdout(&output),
        "KIND              NAME       CONTROLLER  STATE  CEILING  INTERVAL  LADDER   MESSAGE\n\
         LoggingLogMetric  team-a/it  direct      -      600s     5m…15m    1s…600s\n"
    );
    assert_eq!(output.status.code(), Some(0));
}

/// kcc.md section 4: 250 ms … 120 s from 1.155.0 on, 2 s … 120 s before; section 9: 1 s … the ceiling, or a halt.
#[test]
fn the_ladder_is_told_in_short_in_seconds_from_the_first_delay_to_the_longest() {
    let ladder = |manifest: &Manifest, release: &str| cell(manifest, &["--kcc-version", release], 6);
    let with = |value: &str| manifest(DIRECT).with(CEILING, value);
    assert_eq!(ladder(&manifest(DIRECT), "main"), "250ms…120s");
    assert_eq!(ladder(&manifest(DIRECT), "1.155.0"), "250ms…120s");
    assert_eq!(ladder(&manifest(DIRECT), "1.154.1"), "2s…120s");
    assert_eq!(ladder(&with("600"), "main"), "1s…600s");
    assert_eq!(ladder(&with("0"), "main"), "HALT");
    assert_eq!(ladder(&with("10m"), "main"), "250ms…120s", "an invalid ceiling is not a halt");
    assert_eq!(ladder(&with("600"), "1.155.1"), "250ms…120s", "no release up to 1.159 reads it");
    assert_eq!(ladder(&with("600"), "1.160.0"), "1s…600s?", "whether 1.160.0 reads it is not known");
    assert_eq!(ladder(&with("0"), "1.160.0"), "HALT?");
    assert_eq!(ladder(&manifest(TF).with(CEILING, "0"), "main"), "250ms…120s", "tf ignores it");
}

#[test]
fn the_ceiling_is_told_as_it_is_written_and_marked_where_its_effect_is_not_known() {
    let ceiling =
        |value: &str, release: &str| cell(&manifest(DIRECT).with(CEILING, value), &["--kcc-version", release], 4);
    assert_eq!(ceiling("600", "main"), "600s");
    assert_eq!(ceiling("0", "main"), "0");
    assert_eq!(ceiling("soon", "main"), "invalid");
    assert_eq!(ceiling("600", "1.160.0"), "600s?");
    assert_eq!(cell(&manifest(DIRECT), &[], 4), "-");
}

/// kcc.md section 6: the mean interval is drawn from half to one and a half; built in: 600 s.
#[test]
fn the_interval_is_told_from_its_least_to_its_most() {
    let interval = |value: &str| cell(&manifest(DIRECT).with(INTERVAL, value), &[], 5);
    assert_eq!(cell(&manifest(DIRECT), &[], 5), "5m…15m");
    assert_eq!(interval("60"), "30s…1m30s");
    assert_eq!(interval("0"), "never");
    assert_eq!(interval("1h"), "invalid");
}

#[test]
fn the_state_is_what_the_status_says() {
    let failing = |reason: &str| state(&manifest(DIRECT).ready("False", reason));
    assert_eq!(failing("UpdateFailed"), "failing");
    assert_eq!(failing("DependencyNotReady"), "waiting");
    assert_eq!(failing("Deleting"), "deleting");
    assert_eq!(failing("Updating"), "in-progress");
    assert_eq!(failing("Unmanaged"), "unmanaged");
    assert_eq!(failing("Nonsense"), "unknown");
    assert_eq!(state(&manifest(DIRECT).ready("True", "UpToDate")), "up-to-date");
    assert_eq!(state(&manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed")), "halted");
    assert_eq!(state(&manifest(DIRECT).metadata(&deleting(FINALIZER))), "deleting");
    assert_eq!(state(&manifest(TF).ready("False", "ManagementConflict")), "conflict");
}

#[test]
fn what_is_wrong_with_an_object_stands_beside_its_state() {
    assert_eq!(state(&manifest(TF).with(CEILING, "600")), "ineffective");
    assert_eq!(state(&manifest(DIRECT).with(CEILING, "10m")), "invalid");
    assert_eq!(state(&manifest(DIRECT).raw(CEILING, "600")), "refused");
    assert_eq!(state(&manifest(DIRECT).with(CEILING, "60")), "frequent");
    assert_eq!(state(&manifest(DIRECT).with(CEILING, "0")), "halts");
    assert_eq!(state(&manifest(DIRECT).with(ACTUATION, "Paused")), "paused");
    assert_eq!(state(&manifest(("nobody", "NoSuchKind"))), "no-controller");
    assert_eq!(state(&manifest(TF).with(CEILING, "600").ready("False", "UpdateFailed")), "failing,ineffective");
    assert_eq!(state(&manifest(DIRECT)), "-");
}

#[test]
fn the_message_is_the_statuss_or_else_the_worst_thing_wrong() {
    assert_eq!(cell(&manifest(DIRECT).ready("False", "UpdateFailed"), &[], 7), "UpdateFailed: it is so");
    assert_eq!(cell(&manifest(DIRECT).ready("True", "UpToDate"), &[], 7), "");
    let wrong = cell(&manifest(TF).with(CEILING, "600"), &[], 7);
    assert!(wrong.starts_with("backoff-max-delay-in-seconds \"600\" has no effect: the tf controller"), "{wrong}");
}

#[test]
fn marks_tell_the_state_and_what_is_wrong_and_nothing_else() {
    let marks = |text: &str| -> Vec<String> {
        let marks = &listed(text, &[])["objects"][0]["marks"];
        marks.as_array().unwrap().iter().map(|mark| mark.as_str().unwrap().to_owned()).collect()
    };
    let paused = |kind| manifest(kind).with(ACTUATION, "Paused").ready("True", "UpToDate").text();
    assert_eq!(marks(&paused(DIRECT)), ["paused", "up-to-date"]);
    assert_eq!(marks(&paused(("foo", "FooBar"))), ["up-to-date", "no-controller", "warning"], "nobody pauses");
    for reason in ["PreActuationTransformFailed", "PostActuationTransformFailed"] {
        assert_eq!(marks(&manifest(DIRECT).ready("False", reason).text()), ["failing"], "{reason}");
    }
    let status = |ready: &str, readonly: &str, id: &str| {
        format!(
            "spec: {{name: a}}\nstatus:\n  id: {id}\n  conditions:\n  - {{type: Readonly, status: \"{readonly}\"}}\n  - {ready}"
        )
    };
    let ready = "{type: Ready, status: \"True\", reason: Ready, message: fine}";
    let managed = plural("Project", "a", &status(ready, "False", "some-id"));
    let managed = managed
        .replace("{name: a}\nspec", "{name: a, finalizers: [projects.deployments.plural.sh/project-protection]}\nspec");
    assert_eq!(marks(&managed), ["up-to-date"], "what it manages it neither creates nor adopts");
    assert_eq!(marks(&plural("Project", "a", "spec: {name: a}")), ["no-status", "create", "adopt"]);
    let interval = |interval: &str| {
        plural("Project", "a", &format!("spec: {{name: a, reconciliation: {{interval: {interval}}}}}"))
    };
    assert!(marks(&interval("soon")).contains(&"invalid".to_owned()));
    assert!(marks(&interval("\"-5m\"")).contains(&"invalid".to_owned()));
    let rests = interval("1ns").replace("spec:", &format!("status: {{conditions: [{ready}]}}\nspec:"));
    assert_eq!(listed(&rests, &[])["objects"][0]["attemptsPerHour"], 0.0, "cut to 0: no periodic requeue");
    let unused = plural("Project", "a", "spec: {name: a, reconciliation: {interval: soon, driftDetection: false}}");
    assert!(!marks(&unused).contains(&"invalid".to_owned()), "nobody reads it");
    assert_eq!(listed(&unused, &[])["objects"][0]["message"], serde_json::Value::Null, "no warning");
}

#[test]
fn the_message_of_a_status_is_told_where_it_does_not_tell_of_success() {
    let message = |text: &str| listed(text, &[])["objects"][0]["message"].clone();
    assert_eq!(message(&manifest(DIRECT).ready("True", "UpToDate").text()), serde_json::Value::Null);
    let job = manifest(("dataflow", "DataflowJob")).ready("False", "UpToDate");
    assert_eq!(message(&job.text()), serde_json::Value::Null, "a job in a final state");
    assert_eq!(message(&manifest(DIRECT).ready("False", "UpdateFailed").text()), "UpdateFailed: it is so");
    let console = |state: &str, metadata: &str| {
        let condition = "lastTransitionTime: \"2026-11-30T03:12:00Z\"";
        plural("Project", "a", &format!("spec: {{name: a}}\nstatus: {{conditions: [{{{state}, {condition}}}]}}"))
            .replace("{name: a}\nspec", &format!("{{name: a{metadata}}}\nspec"))
    };
    let ready = "type: Ready, status: \"True\", reason: Ready, message: fine";
    let waiting = "type: Synchronized, status: \"False\", reason: NotFound, message: no such thing";
    let failing = "type: Synchronized, status: \"False\", reason: Error, message: no";
    let deletion = ", deletionTimestamp: \"2026-11-30T03:12:00Z\"";
    assert_eq!(message(&console(ready, "")), serde_json::Value::Null);
    assert_eq!(message(&console(ready, deletion)), serde_json::Value::Null, "it was ready before");
    assert_eq!(message(&console(waiting, "")), "NotFound: no such thing");
    let since = |text: &str| listed(text, &[])["objects"][0]["failingSince"].clone();
    assert_eq!(since(&console(failing, "")), "2026-11-30T03:12:00Z");
    assert_eq!(since(&console(waiting, "")), serde_json::Value::Null, "to wait is not to fail");
}

#[test]
fn of_problems_that_are_equally_bad_the_first_is_the_message() {
    let both = manifest(TF).with(INTERVAL, "x").with(CEILING, "y");
    assert!(cell(&both, &[], 7).starts_with("reconcile-interval"), "{}", cell(&both, &[], 7));
    let turned = manifest(TF).with(CEILING, "y").with(INTERVAL, "x");
    assert!(cell(&turned, &[], 7).starts_with("backoff-max-delay"), "{}", cell(&turned, &[], 7));
}

/// kcc.md: only exactly `abandon` keeps the cloud resource.
#[test]
fn a_row_that_bears_a_mark_says_what_the_mark_rests_on_even_if_that_is_only_worth_knowing() {
    let row = rows(&manifest(TF).with(POLICY, "deletion").text(), &[]).remove(0);
    assert_eq!(row[3], "ineffective");
    assert!(row.last().unwrap().starts_with("deletion-policy \"deletion\" has no effect"), "{row:?}");
    // What bears no mark is left to explain.
    let unknown_key = manifest(DIRECT).with("cnrm.cloud.google.com/brand-new", "x");
    assert_eq!((state(&unknown_key), cell(&unknown_key, &[], 7)), ("-".to_owned(), String::new()));
}

#[test]
fn objects_of_the_console_tell_what_happens_if_the_remote_is_absent_and_if_it_is_present() {
    let project = |rest: &str| plural("Project", "a", &format!("spec: {{name: a{rest}}}"));
    let row = |text: &str| rows(text, &[]).remove(0);
    assert_eq!(row(&project("")), ["Project", "a", "plural", "-", "create/adopt", "15m…45m", "5ms…1000s"]);
    let off = project(", reconciliation: {driftDetection: false}");
    assert_eq!(row(&off)[4..6], ["create/read-only", "never"]);
    let panics = project(", reconciliation: {interval: 0s}");
    assert_eq!((&*row(&panics)[3], &*row(&panics)[5]), ("invalid", "panics"));
    let owned = format!(
        "{}status:\n  id: x\n  conditions:\n  - {{type: Readonly, status: \"False\", reason: Readonly}}\n  - {{type: Ready, \
         status: \"True\", reason: Ready}}\n",
        project("")
    );
    assert_eq!(row(&owned)[3..5], ["up-to-date", "managed"]);
    let unknown = plural("Policy", "a", "spec: {}");
    assert_eq!(row(&unknown)[3..7], ["unknown-kind", "unknown", "-", "-"]);
}

#[test]
fn the_fifth_column_is_called_by_what_it_shows() {
    let kcc = manifest(DIRECT).text();
    let console = plural("Project", "a", "spec: {name: a}");
    let title =
        |text: &str| stdout(&list(text, &[])).lines().next().unwrap().split_whitespace().nth(4).unwrap().to_owned();
    assert_eq!(title(&kcc), "CEILING");
    assert_eq!(title(&console), "MODE");
    assert_eq!(title(&format!("{kcc}---\n{console}")), "CEILING/MODE");
}

fn fleet() -> String {
    together(&[
        manifest(DIRECT).with(CEILING, "600"),
        manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed"),
        manifest(TF).with(CEILING, "600"),
        manifest(DIRECT).with(CEILING, "10m"),
    ])
}

#[test]
fn only_shows_objects_with_one_of_the_marks_and_says_how_many_of_how_many() {
    let output = list(&fleet(), &["--only", "halted,ineffective", "--no-headers"]);
    let shown = stdout(&output);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].contains("halted") && lines[1].contains("ineffective"), "{shown}");
    assert!(stderr(&output).starts_with("2 of 4 objects shown: halted, ineffective\n"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
    let none = list(&fleet(), &["--only", "paused"]);
    assert_eq!(stdout(&none), "", "no titles over nothing");
    assert!(stderr(&none).starts_with("0 of 4 objects shown: paused\n"));
    assert_eq!(listed(&fleet(), &["--only", "invalid"])["objects"].as_array().unwrap().len(), 1);
    assert_eq!(stdout(&list(&fleet(), &["--only", "ineffective", "-o", "name"])).lines().count(), 1);
}

#[test]
fn the_summary_counts_all_objects_by_the_words_of_only() {
    let conflict = manifest(TF).ready("False", "ManagementConflict");
    let deleting = manifest(TF)
        .ready("False", "DeleteFailed")
        .metadata("deletionTimestamp: \"2026-11-30T03:12:00Z\"\nfinalizers: [cnrm.cloud.google.com/finalizer]");
    let nobody = manifest(("foo", "FooBar")).with(CEILING, "600");
    let text = [fleet(), together(&[conflict, deleting, nobody])].join("---\n");
    let output = list(&text, &["--only", "conflict"]);
    let said = stderr(&output);
    let counts = said.lines().last().unwrap();
    assert_eq!(counts, "1 halted, 1 invalid, 1 conflict, 2 ineffective, 1 no-controller", "{said}");
    for count in counts.split(", ") {
        let (number, mark) = count.split_once(' ').unwrap();
        let shown = stdout(&list(&text, &["--only", mark, "--no-headers"]));
        assert_eq!(shown.lines().count().to_string(), number, "{mark}: {shown}");
    }
}

#[test]
fn names_complain_of_nameless_objects_only_where_they_would_be_shown() {
    let nameless = manifest(DIRECT).text().replace("  name: it\n", "  generateName: it-\n");
    let complaint = |only: &str| stderr(&list(&nameless, &["-o", "name", "--only", only])).contains("has no name");
    assert!(complaint("no-status"));
    assert!(!complaint("halted"));
}

#[test]
fn a_ceiling_that_nobody_could_read_is_ineffective_whoever_is_missing() {
    let nobody = manifest(("foo", "FooBar")).with(CEILING, "600");
    assert_eq!(cell(&nobody, &[], 3), "ineffective,no-controller");
    assert_eq!(cell(&nobody, &["--kcc-version", "1.134.0"], 3), "ineffective", "no table: its controller is not known");
    assert_eq!(cell(&manifest(("foo", "FooBar")), &[], 3), "no-controller");
    assert_eq!(list(&nobody.text(), &["--fail-on", "ineffective"]).status.code(), Some(1));
}

#[test]
fn what_no_controller_reconciles_is_known_to_make_no_attempts() {
    let nobody = &listed(&manifest(("foo", "FooBar")).text(), &[])["objects"][0];
    assert_eq!(nobody["attemptsPerHour"], 0.0);
    assert_eq!(nobody["nextAttempt"], serde_json::Value::Null);
    assert_eq!(nobody["nextAttemptReason"], "none by itself: no controller reconciles the object");
    let context = &listed(
        "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnectorContext\nmetadata: {name: it}\n",
        &[],
    )["objects"][0];
    assert_eq!(context["attemptsPerHour"], serde_json::Value::Null, "its operator looks at it");
}

#[test]
fn whatever_is_null_in_json_for_want_of_knowledge_has_a_reason_beside_it() {
    let texts = [
        manifest(DIRECT).text(),
        manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed").text(),
        manifest(DIRECT).ready("True", "UpToDate").text(),
        manifest(DIRECT).with(INTERVAL, "0").ready("True", "UpToDate").text(),
        manifest(TF).ready("False", "Updating").text(),
        manifest(("foo", "FooBar")).text(),
        plural("Project", "a", "spec: {name: a}"),
        plural("Nonsense", "b", ""),
    ];
    let list = listed(&texts.join("---\n"), &["--kcc-version", "1.160.0"]);
    let objects = list["objects"].as_array().unwrap();
    assert_eq!(objects.len(), texts.len());
    for object in objects {
        for (value, reason) in [
            ("/nextAttempt", "/nextAttemptReason"),
            ("/failingSince", "/failingSinceReason"),
            ("/attemptsPerHour", "/attemptsPerHourReason"),
            ("/interval/state", "/interval/reason"),
            ("/ladder/state", "/ladder/reason"),
        ] {
            let (value, reason) = (object.pointer(value).unwrap(), object.pointer(reason));
            assert_eq!(value.is_null(), reason.and_then(|reason| reason.as_str()).is_some(), "{reason:?}: {object}");
        }
        if let Some(mode) = object["mode"].as_object() {
            assert_eq!(mode["now"].is_null(), mode.contains_key("nowReason"), "{object}");
        }
    }
    let said = |index: usize, pointer: &str| objects[index].pointer(pointer).unwrap().as_str().unwrap().to_owned();
    assert_eq!(said(3, "/nextAttemptReason"), "none by itself: it is up to date and its drift interval is \"0\"");
    assert_eq!(said(7, "/interval/origin"), "none", "nobody says so");
    assert_eq!(said(7, "/ladder/reason"), "the kind is unknown to this version");
    assert!(said(5, "/ladder/reason").starts_with("no controller"), "{}", objects[5]);
}

#[test]
fn an_unknown_mark_is_a_usage_error() {
    let output = list(&fleet(), &["--only", "sleeping"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("sleeping"));
}

#[test]
fn fail_on_makes_the_exit_code_1_when_any_object_shown_or_not_has_the_mark() {
    let output = list(&fleet(), &["--fail-on", "halted,paused,ineffective", "--only", "invalid", "-q"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr(&output), "--fail-on: 1 halted, 1 ineffective\n", "the reason is told even with -q");
    assert_eq!(list(&fleet(), &["--fail-on", "paused,conflict"]).status.code(), Some(0));
    for format in ["table", "wide", "json", "yaml", "name"] {
        assert_eq!(list(&fleet(), &["--fail-on", "halted", "-o", format]).status.code(), Some(1), "{format}");
    }
}

#[test]
fn input_that_cannot_be_read_makes_the_exit_code_2_whatever_fail_on_says_and_the_rest_is_listed() {
    let output = list(&format!("{}---\na: [\n", fleet()), &["--fail-on", "halted"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stdout(&output).lines().count(), 5);
    assert!(stderr(&output).contains("manifest.yaml:"));
    assert_eq!(list("", &[]).status.code(), Some(2));
}

#[test]
fn rows_stand_in_the_order_of_the_inputs_unless_sorted() {
    let named = |kind: (&'static str, &'static str), namespace: &str, name: &str| {
        manifest(kind).text().replace("name: it", &format!("name: {name}")).replace("team-a", namespace)
    };
    let text = [named(TF, "b", "x"), named(DIRECT, "a", "z"), named(DIRECT, "b", "y")].join("---\n");
    let order = |args: &[&str]| -> Vec<String> { rows(&text, args).into_iter().map(|row| row[1].clone()).collect() };
    assert_eq!(order(&[]), ["b/x", "a/z", "b/y"]);
    assert_eq!(order(&["--sort-by", "kind"]), ["b/x", "a/z", "b/y"], "AccessContext… before Logging…");
    assert_eq!(order(&["--sort-by", "namespace"]), ["a/z", "b/x", "b/y"]);
    assert_eq!(order(&["--sort-by", "name"]), ["b/x", "b/y", "a/z"]);
    assert_eq!(order(&["--sort-by", "controller"]), ["a/z", "b/y", "b/x"], "of equals, the order of the inputs");
}

#[test]
fn sorting_by_state_puts_what_needs_attention_first() {
    let text = together(&[
        manifest(DIRECT).ready("True", "UpToDate"),
        manifest(DIRECT),
        manifest(DIRECT).ready("False", "UpdateFailed"),
        manifest(TF).with(CEILING, "600"),
        manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed"),
    ]);
    let states: Vec<String> = rows(&text, &["--sort-by", "state"]).into_iter().map(|row| row[3].clone()).collect();
    assert_eq!(states, ["halted", "failing", "ineffective", "up-to-date", "-"]);
}

/// Halts, then the shortest ceiling, then invalid ones and none.
#[test]
fn sorting_by_ceiling_interval_and_rate_puts_the_busiest_first() {
    let with = |value: &str| manifest(DIRECT).with(CEILING, value);
    let text = together(&[with("1800"), manifest(DIRECT), with("30"), with("0"), with("soon")]);
    let column = |text: &str, by: &str, index: usize| -> Vec<String> {
        rows(text, &["--sort-by", by]).into_iter().map(|row| row[index].clone()).collect()
    };
    assert_eq!(column(&text, "ceiling", 4), ["0", "30s", "1800s", "invalid", "-"]);
    let text = together(&[
        manifest(DIRECT).with(INTERVAL, "0"),
        manifest(DIRECT),
        manifest(DIRECT).with(INTERVAL, "60"),
        manifest(DIRECT).with(INTERVAL, "x"),
    ]);
    assert_eq!(column(&text, "interval", 5), ["30s…1m30s", "5m…15m", "invalid", "never"]);
    // 3600/600 = 6, 3600/120 = 30, halted 0 attempts an hour; without a status not known.
    let text = together(&[
        manifest(DIRECT),
        manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed"),
        with("600").ready("False", "UpdateFailed"),
        manifest(DIRECT).ready("False", "UpdateFailed"),
    ]);
    assert_eq!(column(&text, "rate", 6), ["250ms…120s", "1s…600s", "HALT", "250ms…120s"]);
}

#[test]
fn sorting_by_the_next_attempt_puts_the_soonest_first_then_never_then_the_unknown() {
    let texts = [
        manifest(DIRECT).text().replace("name: it", "name: unknown"),
        manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed").text().replace("name: it", "name: never"),
        manifest(DIRECT).ready("True", "UpToDate").text().replace("name: it", "name: later"),
        manifest(DIRECT).ready("False", "UpdateFailed").text().replace("name: it", "name: soon"),
        manifest(DIRECT)
            .ready("False", "UpdateFailed")
            .text()
            .replace("name: it", "name: now")
            .replace("metadata:\n", "metadata:\n  labels: {a: b}\n")
            .replace("generation: 3\n", "generation: 4\n"),
    ];
    let rows = rows(&texts.join("---\n"), &["--sort-by", "next", "-o", "wide"]);
    let names: Vec<&str> = rows.iter().map(|row| &row[1]["team-a/".len()..]).collect();
    assert_eq!(names, ["now", "soon", "later", "never", "unknown"]);
    assert!(rows[0].contains(&"now".to_owned()), "an edit is waiting: {:?}", rows[0]);
    assert!(rows[1].contains(&"by 2026-11-30 12:02 UTC".to_owned()), "{:?}", rows[1]);
}

#[test]
fn a_large_group_adds_up_all_its_attempts() {
    let text = manifest(TF).ready("False", "UpdateFailed").text();
    let text: Vec<&str> = (0..1100).map(|_| text.as_str()).collect();
    let rows = rows(&text.join("---\n"), &["--group-by", "kind"]);
    assert_eq!(rows[0].last().unwrap(), "33000", "30 an hour each: {:?}", rows[0]);
}

#[test]
fn groups_count_objects_and_those_that_need_attention() {
    let output = list(&fleet(), &["--group-by", "controller"]);
    assert_eq!(
        stdout(&output),
        "CONTROLLER  OBJECTS  HALTED  FAILING  WAITING  INVALID  INEFFECTIVE  ATTEMPTS/H\n\
         direct      3        1       0        0        1        0            0+\n\
         tf          1        0       0        0        0        1            -\n",
        "the attempts of two of the three are not known"
    );
    let keys = |by: &str| -> Vec<String> {
        rows(&fleet(), &["--group-by", by]).into_iter().map(|row| format!("{} {}", row[0], row[1])).collect()
    };
    assert_eq!(keys("kind"), ["LoggingLogMetric 3", "AccessContextManagerAccessLevel 1"]);
    assert_eq!(keys("namespace"), ["team-a 4"]);
    assert_eq!(keys("ceiling"), ["600s 2", "0 1", "invalid 1"]);
}

#[test]
fn groups_of_what_only_shows() {
    assert_eq!(rows(&fleet(), &["--group-by", "controller", "--only", "ineffective"]).len(), 1);
}

#[test]
fn groups_in_json_hold_every_count() {
    let json = listed(&fleet(), &["--group-by", "kind"]);
    assert_eq!(json["groupBy"], "kind");
    assert_eq!(json["objects"], serde_json::Value::Null);
    let group = &json["groups"][0];
    assert_eq!(
        (&group["key"], &group["apiGroup"]),
        (&"LoggingLogMetric".into(), &"logging.cnrm.cloud.google.com".into())
    );
    assert_eq!(
        (&group["objects"], &group["marks"]["halted"], &group["marks"]["invalid"]),
        (&3.into(), &1.into(), &1.into())
    );
    let yaml = stdout(&list(&fleet(), &["--group-by", "kind", "-o", "yaml"]));
    assert!(yaml.contains("groups:\n") && !yaml.contains("objects:\n"), "{yaml}");
}

#[test]
fn names_of_groups_are_refused() {
    let output = list(&fleet(), &["--group-by", "kind", "-o", "name"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn json_has_an_object_a_line_with_what_scripts_may_rely_on() {
    let text = together(&[manifest(DIRECT).with(CEILING, "600").ready("False", "UpdateFailed"), manifest(TF)]);
    let json = listed(&text, &[]);
    assert_eq!((&json["apiVersion"], &json["kind"]), (&"kcc-backoff/v1alpha1".into(), &"ObjectList".into()));
    let object = &json["objects"][0];
    assert_eq!(object["ref"]["kind"], "LoggingLogMetric");
    assert_eq!(object["controller"], "direct");
    assert_eq!(object["state"], "failing");
    assert_eq!((&object["ceiling"]["state"], &object["ceiling"]["seconds"]), (&"seconds".into(), &600.into()));
    assert_eq!(object["failingSince"], "2026-11-30T03:12:00Z");
    assert_eq!(object["nextAttempt"]["from"], NOW);
    // 8 h 48 min into a ladder that stands at 600 s.
    assert_eq!(object["nextAttempt"]["to"], "2026-11-30T12:10:00Z");
    assert_eq!(object["attemptsPerHour"], 6.0);
    assert_eq!(object["message"], "UpdateFailed: it is so");
    let bare = &json["objects"][1];
    assert_eq!(bare["state"], "no-status");
    for field in ["nextAttempt", "failingSince", "attemptsPerHour"] {
        assert_eq!(bare[field], serde_json::Value::Null, "{field}");
        assert_eq!(bare[format!("{field}Reason")], "the manifest has no status", "{field}");
    }
    let lines = stdout(&list(&text, &["-o", "json"]));
    assert_eq!(lines.lines().filter(|line| line.starts_with("{\"ref\"")).count(), 2, "{lines}");
    assert_eq!(json["summary"]["kcc"], 2);
}

#[test]
fn json_tells_a_halt_and_what_is_uncertain() {
    let of = |ceiling: &str, release: &str| {
        let manifest = manifest(DIRECT).with(CEILING, ceiling).ready("False", "UpdateFailed");
        listed(&manifest.text(), &["--kcc-version", release])["objects"][0].clone()
    };
    let (halt, doubtful_halt) = (of("0", "main"), of("0", "1.160.0"));
    assert_eq!((&halt["ceiling"]["seconds"], &halt["ladder"]["state"]), (&0.into(), &"halt".into()));
    assert_eq!((&halt["ladder"]["certain"], &doubtful_halt["ladder"]["certain"]), (&true.into(), &false.into()));
    let (ladder, doubtful) = (of("600", "main"), of("600", "1.160.0"));
    assert_eq!((&ladder["ladder"]["certain"], &doubtful["ladder"]["certain"]), (&true.into(), &false.into()));
    assert_eq!((&ladder["attemptsPerHour"], &doubtful["attemptsPerHour"]), (&6.0.into(), &serde_json::Value::Null));
    assert_eq!(doubtful["attemptsPerHourReason"], "which delays hold is not known");
    assert_eq!(doubtful_halt["attemptsPerHourReason"], "when the next attempt comes is not known");
}

#[test]
fn json_and_yaml_say_the_same() {
    let text = format!("{}---\n{}", fleet(), plural("Catalog", "c", "spec: {author: a}"));
    for args in [&[][..], &["--only", "ineffective"], &["--group-by", "ceiling"]] {
        let json = listed(&text, args);
        let yaml = stdout(&list(&text, &[args, &["-o", "yaml"]].concat()));
        // YAML is read back by the reader that is tested against Go's.
        for (key, value) in [("kind", "ObjectList"), ("apiVersion", "kcc-backoff/v1alpha1")] {
            assert!(yaml.contains(&format!("{key}: {value}")), "{yaml}");
        }
        let count = json["objects"].as_array().map_or(0, Vec::len);
        assert_eq!(yaml.matches("\n- ref:").count().max(yaml.matches("- ref:").count()), count, "{yaml}");
    }
}

#[test]
fn attempts_an_hour_follow_from_the_longest_delay_or_the_mean_interval() {
    let rate = |manifest: Manifest| listed(&manifest.text(), &[])["objects"][0]["attemptsPerHour"].clone();
    assert_eq!(rate(manifest(DIRECT).ready("False", "UpdateFailed")), 30.0, "3600/120");
    assert_eq!(rate(manifest(DIRECT).with(CEILING, "1800").ready("False", "UpdateFailed")), 2.0, "3600/1800");
    assert_eq!(rate(manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed")), 0.0, "halted");
    assert_eq!(rate(manifest(DIRECT).ready("True", "UpToDate")), 6.0, "3600/600");
    assert_eq!(rate(manifest(DIRECT).with(INTERVAL, "60").ready("True", "UpToDate")), 60.0, "3600/60");
    assert_eq!(rate(manifest(DIRECT).with(INTERVAL, "0").ready("True", "UpToDate")), 0.0, "not requeued");
    assert_eq!(rate(manifest(DIRECT).with(INTERVAL, "x").ready("True", "UpToDate")), 30.0, "an error loop");
    assert_eq!(
        rate(manifest(("iam", "IAMPolicyMember")).ready("False", "DependencyNotReady")),
        6.0,
        "a watch and drift"
    );
    assert_eq!(
        rate(manifest(DIRECT).with(CEILING, "600").ready("False", "DependencyNotReady")),
        serde_json::Value::Null
    );
}

#[test]
fn wide_adds_who_says_so_the_release_the_next_attempt_and_the_place() {
    let text = manifest(DIRECT).with(CEILING, "600").ready("False", "UpdateFailed").text();
    let output = stdout(&list(&text, &["-o", "wide", "--kcc-version", "main"]));
    let titles: Vec<&str> =
        output.lines().next().unwrap().split("  ").map(str::trim).filter(|title| !title.is_empty()).collect();
    assert_eq!(
        titles,
        [
            "KIND",
            "NAME",
            "CONTROLLER",
            "STATE",
            "CEILING",
            "INTERVAL",
            "LADDER",
            "CHOSEN BY",
            "INTERVAL BY",
            "RELEASE",
            "NEXT ATTEMPT",
            "PLACE",
            "MESSAGE"
        ]
    );
    let row = rows(&text, &["-o", "wide"]).remove(0);
    assert_eq!(row[7..12], ["table", "built-in", "main", "by 2026-11-30 12:10 UTC", "manifest.yaml:1:1"]);
}

#[test]
fn off_a_terminal_nothing_is_cut_or_wrapped() {
    let long = "x".repeat(3000);
    let text = manifest(DIRECT)
        .and(&format!(
            "status:\n  conditions:\n  - {{type: Ready, status: \"False\", reason: UpdateFailed, message: {long}}}"
        ))
        .text();
    let output = stdout(&list(&text, &[]));
    assert_eq!(output.lines().count(), 2);
    assert!(output.contains(&long));
}

#[test]
fn escape_sequences_of_strangers_reach_no_format() {
    let text = manifest(DIRECT)
        .and("status:\n  conditions:\n  - {type: Ready, status: \"False\", reason: UpdateFailed, message: \"a\\e[31mb\\u202ec\"}")
        .text();
    for format in ["table", "wide", "json", "yaml", "name"] {
        let output = list(&text, &["-o", format, "--report", "markdown=report.md"]);
        let shown = stdout(&output) + &stderr(&output);
        assert!(!shown.contains('\u{1b}') && !shown.contains('\u{202e}'), "{format}: {shown}");
    }
}

#[test]
fn a_report_in_markdown_is_written_beside_the_output() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), fleet()).unwrap();
    let run = |args: &[&str]| {
        binary(folder.path()).args(["list", "manifest.yaml", "--now", NOW]).args(args).output().unwrap()
    };
    let output = run(&["--report", "markdown=a.md", "--only", "ineffective"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output).lines().count(), 2);
    let report = std::fs::read_to_string(folder.path().join("a.md")).unwrap();
    assert_eq!(
        report,
        "### kcc-backoff list\n\n1 of 4 objects, told for Config Connector main.\n\n\
         | kind | name | controller | state | ceiling | interval | ladder | message | place |\n\
         |---|---|---|---|---|---|---|---|---|\n\
         | AccessContextManagerAccessLevel | team-a/it | tf | ineffective | 600s | 5m…15m | 250ms…120s | \
         backoff-max-delay-in-seconds \"600\" has no effect: the tf controller ignores it: only direct reads it | \
         manifest.yaml:26:1 |\n"
    );
    let groups = run(&["--report", "markdown=b.md", "--group-by", "controller", "-o", "json"]);
    assert_eq!(groups.status.code(), Some(0));
    let report = std::fs::read_to_string(folder.path().join("b.md")).unwrap();
    assert!(report.contains("| direct | 3 | 1 | 0 | 0 | 1 | 0 | 0+ |\n"), "{report}");
}

#[test]
fn a_report_replaces_what_is_there_and_is_added_to_the_summary_of_a_github_job() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), fleet()).unwrap();
    let run = |file: &str| {
        let mut command = binary(folder.path());
        command.env("GITHUB_STEP_SUMMARY", "summary.md").args(["list", "manifest.yaml", "-q"]);
        assert_eq!(command.arg("--report").arg(format!("markdown={file}")).status().unwrap().code(), Some(0));
        std::fs::read_to_string(folder.path().join(file)).unwrap()
    };
    let once = run("a.md");
    assert_eq!(run("a.md"), once);
    assert_eq!(run("summary.md"), once);
    assert_eq!(run("summary.md"), format!("{once}{once}"));
}

#[test]
fn a_report_stops_at_two_thousand_rows_and_says_how_many_more_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let text: Vec<String> = (0..2003).map(|_| manifest(DIRECT).text()).collect();
    std::fs::write(folder.path().join("manifest.yaml"), text.join("---\n")).unwrap();
    let run = binary(folder.path()).args(["list", "manifest.yaml", "--report", "markdown=a.md"]).output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    let report = std::fs::read_to_string(folder.path().join("a.md")).unwrap();
    assert_eq!(report.lines().filter(|line| line.starts_with("| LoggingLogMetric |")).count(), 2000);
    assert!(report.ends_with("\nand 3 objects more.\n"), "{}", &report[report.len() - 60..]);
    assert_eq!(stdout(&run).lines().count(), 2004, "the output itself is whole");
}

#[test]
fn a_report_fits_a_jobs_summary_however_long_the_messages_are() {
    let folder = tempfile::tempdir().unwrap();
    let text = manifest(TF).ready("False", "UpdateFailed").text().replace("it is so", &"<long> ".repeat(2000));
    let text: Vec<&str> = (0..1500).map(|_| text.as_str()).collect();
    std::fs::write(folder.path().join("manifest.yaml"), text.join("---\n")).unwrap();
    let run = binary(folder.path()).args(["list", "manifest.yaml", "--report", "markdown=a.md"]).output().unwrap();
    assert_eq!(run.status.code(), Some(0));
    let report = std::fs::read_to_string(folder.path().join("a.md")).unwrap();
    let rows = report.lines().filter(|line| line.starts_with("| AccessContext")).count();
    assert!(report.len() < 1 << 20, "GitHub takes 1 MiB: {}", report.len());
    assert!(rows > 500, "{rows}");
    assert!(report.ends_with(&format!("\nand {} objects more.\n", 1500 - rows)), "{}", &report[report.len() - 60..]);
}

#[test]
fn a_report_counts_the_problems_with_the_inputs_and_has_no_table_without_rows() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), manifest(DIRECT).text()).unwrap();
    let args = ["list", "manifest.yaml", "gone", "lost", "--only", "halted", "--report", "markdown=a.md"];
    assert_eq!(binary(folder.path()).args(args).output().unwrap().status.code(), Some(2));
    let report = std::fs::read_to_string(folder.path().join("a.md")).unwrap();
    assert_eq!(
        report,
        "### kcc-backoff list\n\n0 of 1 object.\n\n2 problems with the inputs:\n\n\
         - gone: error: cannot be read: there is no such file\n- lost: error: cannot be read: there is no such file\n"
    );
}

#[test]
fn what_was_found_is_told_even_where_a_report_cannot_be_written() {
    let output =
        list(&format!("{}---\na: [\n", fleet()), &["--fail-on", "halted", "--report", "markdown=no/such/a.md"]);
    assert_eq!(output.status.code(), Some(2));
    for said in ["manifest.yaml:", "4 objects in", "--fail-on: 1 halted\n", "cannot write the report no/such/a.md"] {
        assert!(stderr(&output).contains(said), "{said}: {}", stderr(&output));
    }
}

#[test]
fn a_report_that_cannot_be_written_or_is_not_known_is_exit_code_2() {
    for report in ["markdown=no/such/folder/a.md", "markdown=", "html=a.html", "markdown"] {
        let output = list(&fleet(), &["--report", report]);
        assert_eq!(output.status.code(), Some(2), "{report}");
        assert!(!stderr(&output).is_empty());
    }
}

#[test]
fn a_closed_pipe_is_a_normal_end_and_the_exit_code_is_still_due() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), fleet()).unwrap();
    let script = format!(
        "{} list manifest.yaml --fail-on halted -q 2>/dev/null | true; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_kcc-backoff")
    );
    let status = std::process::Command::new("bash").arg("-c").arg(script).current_dir(folder.path()).status().unwrap();
    assert_eq!(status.code(), Some(1));
}

#[test]
fn set_answers_what_if() {
    let text = manifest(DIRECT).text();
    assert_eq!(rows(&text, &["--set", "backoff-max-delay-in-seconds=0"])[0][6], "HALT");
}

#[test]
fn a_context_that_comes_last_decides_about_the_rows_before_it() {
    let text = [
        manifest(EITHER).with(CEILING, "600").text(),
        connector("  mode: namespaced"),
        context_of(
            "team-a",
            &format!(
                "  experiments:\n    controllerOverrides: {{{}.{}.cnrm.cloud.google.com: direct}}",
                EITHER.1, EITHER.0
            ),
        ),
    ]
    .join("\n---\n");
    assert_eq!(rows(&text, &[])[0][2], "direct");
}

/// Many objects are looked at in many tasks: none is lost, none changes its place.
#[test]
fn thousands_of_rows_stand_in_their_order() {
    let text: Vec<String> =
        (0..3000).map(|number| manifest(DIRECT).text().replace("name: it", &format!("name: it-{number}"))).collect();
    let text = text.join("---\n");
    let expected: Vec<String> = (0..3000).map(|number| format!("team-a/it-{number}")).collect();
    let names: Vec<String> = rows(&text, &[]).into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(names, expected);
    let json = listed(&text, &["--sort-by", "state"]);
    let names: Vec<String> = json["objects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|object| format!("team-a/{}", object["ref"]["name"].as_str().unwrap()))
        .collect();
    assert_eq!(names, expected, "of equals, the order of the inputs");
}

/// The table for a text on a terminal of a width.
fn on_terminal(text: &str, width: usize, wish: Wish) -> String {
    let mut bytes = text.as_bytes();
    let loaded = source::load(&[Input::Stdin], &Options::default(), &mut bytes, &|item| {
        Object::read(item.node, item.api_version, item.kind, item.file, None)
    });
    let mut world = World::new(None, None, NOW.parse().unwrap());
    world.observe(loaded.objects.iter().flatten());
    let objects: Vec<&Object> = loaded.objects.iter().flatten().collect();
    let listing = Listing::new(&world, &objects, wish);
    let mut out = Vec::new();
    output::list_table(&mut out, Style { color: false, width: Some(width) }, &listing).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn at_every_width_no_line_is_longer_than_the_terminal_and_the_important_columns_stay() {
    use unicode_width::UnicodeWidthStr;
    let text = fleet();
    for width in 20..220 {
        let shown = on_terminal(&text, width, Wish::default());
        assert_eq!(shown.lines().count(), 5);
        for line in shown.lines() {
            assert!(line.width() <= width, "{width}: {line}");
        }
        for title in ["KIND", "NAME", "STATE", "CEILING"].into_iter().filter(|_| width >= 62) {
            assert!(shown.lines().next().unwrap().contains(title), "{width}: {shown}");
        }
    }
}

#[test]
fn wide_characters_align() {
    use unicode_width::UnicodeWidthStr;
    let text = [manifest(DIRECT).text().replace("name: it", "name: 大きい名前"), manifest(DIRECT).text()].join("---\n");
    let shown = on_terminal(&text, 200, Wish::default());
    let column = |line: &str, word: &str| line[..line.find(word).unwrap()].width();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(column(lines[1], "direct"), column(lines[2], "direct"));
    assert_eq!(column(lines[0], "CONTROLLER"), column(lines[1], "direct"));
}

#[test]
fn the_fleet_of_the_examples_at_80_columns() {
    let text = ["metrics", "controllers", "traps", "live"]
        .map(|name| std::fs::read_to_string(format!("examples/config-connector/{name}.yaml")).unwrap())
        .join("\n---\n");
    insta::assert_snapshot!(on_terminal(&text, 80, Wish::default()));
}

#[test]
fn the_fleet_of_the_examples_at_200_columns() {
    let text = ["metrics", "controllers", "traps", "live"]
        .map(|name| std::fs::read_to_string(format!("examples/config-connector/{name}.yaml")).unwrap())
        .join("\n---\n");
    insta::assert_snapshot!(on_terminal(&text, 200, Wish { wide: true, ..Wish::default() }));
}
