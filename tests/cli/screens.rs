//! What people see. Each snapshot is read by a person before it is accepted.

use std::path::Path;

use kcc_backoff::assess::{Object, World};
use kcc_backoff::output::{self, Explanation, Style, Summary};
use kcc_backoff::source::{self, Input, Options};

use crate::support::*;

const EXAMPLES: [&str; 14] = [
    "config-connector/metrics.yaml",
    "config-connector/controllers.yaml",
    "config-connector/traps.yaml",
    "config-connector/live.yaml",
    "plural-console/projects.yaml",
    "plural-console/catalogs.yaml",
    "plural-console/repositories.yaml",
    "plural-console/notifications.yaml",
    "plural-console/service-accounts.yaml",
    "plural-console/pr-automations.yaml",
    "plural-console/contexts.yaml",
    "plural-console/live.yaml",
    "plural-console/traps.yaml",
    "plural-console/others.yaml",
];

/// The screen for an example of the repository.
fn screen(example: &str, style: Style) -> String {
    let path = Path::new("examples").join(example);
    let inputs = [Input::Path(path)];
    let loaded = source::load(&inputs, &Options::default(), &mut std::io::empty(), &|item| {
        Object::read(item.node, item.api_version, item.kind, item.file, None)
    });
    let mut world = World::new(None, None, NOW.parse().unwrap());
    world.observe(loaded.objects.iter().flatten());
    let objects: Vec<&Object> = loaded.objects.iter().flatten().collect();
    let plural = objects.iter().filter(|object| matches!(object, Object::Plural(_))).count();
    let summary = Summary { kcc: objects.len() - plural, plural, ..Summary::default() };
    let explanation = Explanation { world: &world, objects: &objects, problems: &[], summary };
    let mut bytes = Vec::new();
    output::text(&mut bytes, style, explanation).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn columns(width: usize) -> Style {
    Style { color: false, width: Some(width) }
}

#[test]
fn a_ceiling_and_a_halted_object_off_a_terminal() {
    insta::assert_snapshot!(screen("config-connector/metrics.yaml", Style::PLAIN));
}

#[test]
fn a_ceiling_and_a_halted_object_at_80_columns() {
    insta::assert_snapshot!(screen("config-connector/metrics.yaml", columns(80)));
}

#[test]
fn every_step_of_the_choice_of_a_controller_at_200_columns() {
    insta::assert_snapshot!(screen("config-connector/controllers.yaml", columns(200)));
}

#[test]
fn values_that_do_not_do_what_they_seem_to_at_120_columns() {
    insta::assert_snapshot!(screen("config-connector/traps.yaml", columns(120)));
}

#[test]
fn objects_with_a_status_at_120_columns() {
    insta::assert_snapshot!(screen("config-connector/live.yaml", columns(120)));
}

#[test]
fn projects_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/projects.yaml", columns(80)));
}

#[test]
fn catalogs_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/catalogs.yaml", columns(80)));
}

#[test]
fn repositories_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/repositories.yaml", columns(80)));
}

#[test]
fn notifications_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/notifications.yaml", columns(80)));
}

#[test]
fn service_accounts_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/service-accounts.yaml", columns(80)));
}

#[test]
fn pr_automations_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/pr-automations.yaml", columns(80)));
}

#[test]
fn contexts_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/contexts.yaml", columns(80)));
}

#[test]
fn console_objects_with_a_status_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/live.yaml", columns(80)));
}

#[test]
fn console_values_that_do_not_do_what_they_seem_to_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/traps.yaml", columns(80)));
}

#[test]
fn other_kinds_of_the_console_at_80_columns() {
    insta::assert_snapshot!(screen("plural-console/others.yaml", columns(80)));
}

#[test]
fn no_line_is_wider_than_the_terminal_except_a_command_or_a_single_word() {
    for example in EXAMPLES {
        for width in [60, 80, 100, 200] {
            for line in screen(example, columns(width)).lines() {
                let text = line.trim();
                let copied = text.starts_with("kubectl ") || !text.contains(' ');
                // A title is never broken; its place goes behind it.
                let title = !line.starts_with(' ');
                assert!(copied || title || line.chars().count() <= width, "{example} at {width}: {line}");
            }
        }
    }
}

#[test]
fn colour_changes_nothing_but_escape_sequences() {
    colored::control::set_override(true);
    for example in EXAMPLES {
        let plain = screen(example, columns(100));
        let painted = screen(example, Style { color: true, width: Some(100) });
        assert_ne!(plain, painted);
        assert_eq!(plain, without_colour(&painted));
    }
}

/// The lines that the binary prints for a manifest, off a terminal.
fn lines(asked: &Manifest, args: &[&str]) -> Vec<String> {
    stdout(&run(&asked.text(), args)).lines().map(str::to_owned).collect()
}

/// The text behind a label, blanks aside; empty where there is no such line.
fn labelled(lines: &[String], label: &str) -> String {
    let prefix = format!("  {label} ");
    let line = lines.iter().find(|line| line.starts_with(&prefix));
    line.map_or(String::new(), |line| line[prefix.len()..].split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn each_state_of_a_ceiling_has_its_word_and_its_reason() {
    let name = "backoff-max-delay-in-seconds";
    let ceiling = |value: &str| manifest(DIRECT).with(CEILING, value);
    let refused = "invalid backoff-max-delay-in-seconds: 600 is not a string: the API server refuses the object";
    let gone = deleting(FINALIZER);
    let cases: Vec<(Manifest, &[&str], String)> = vec![
        (manifest(DIRECT), &[], "unset no annotation".to_owned()),
        (ceiling(""), &[], format!("unset {name}: \"\": empty counts as unset manifest.yaml:7:57")),
        (
            manifest(DIRECT).raw(CEILING, "~"),
            &[],
            format!("unset {name}: null: empty counts as unset manifest.yaml:7:57"),
        ),
        (ceiling("600"), &[], format!("10 min {name}: \"600\" manifest.yaml:7:57")),
        (ceiling("0"), &[], format!("HALT {name}: \"0\" manifest.yaml:7:57")),
        (
            ceiling("-1"),
            &[],
            format!("invalid {name}: \"-1\" is negative: the default ladder, not a halt manifest.yaml:7:57"),
        ),
        (manifest(DIRECT).raw(CEILING, "600"), &[], format!("{refused} manifest.yaml:7:57")),
        (
            manifest(DIRECT).raw(CEILING, "[600]"),
            &[],
            format!("invalid {name} is not a string: the API server refuses the object manifest.yaml:7:57"),
        ),
        (
            manifest(TF).with(CEILING, "0"),
            &[],
            format!("no effect {name}: \"0\": the tf controller ignores it: only direct reads it manifest.yaml:7:57"),
        ),
        (
            ceiling("0"),
            &["--kcc-version", "1.159.0"],
            format!(
                "no effect {name}: \"0\": 1.159.0 ignores the annotation, as every release up to 1.159 does manifest.yaml:7:57"
            ),
        ),
        (
            ceiling("0"),
            &["--kcc-version", "1.160.0"],
            format!(
                "not known {name}: \"0\": whether 1.160.0 reads the annotation is not known (--ceiling-since says since when) manifest.yaml:7:57"
            ),
        ),
        (
            ceiling("600"),
            &["--kcc-version", "1.160.0"],
            format!(
                "not known {name}: \"600\": whether 1.160.0 reads the annotation is not known (--ceiling-since says since when) manifest.yaml:7:57"
            ),
        ),
        (
            ceiling("0").metadata(&gone),
            &[],
            format!("bypassed {name}: \"0\": bypassed, because the object is being deleted manifest.yaml:9:57"),
        ),
        (
            ceiling("600").with(INTERVAL, "x"),
            &[],
            format!(
                "no effect {name}: \"600\": without effect while reconcile-interval-in-seconds is invalid manifest.yaml:7:57"
            ),
        ),
        (ceiling("600"), &["--set", "backoff-max-delay-in-seconds=0"], format!("HALT {name}: \"0\" (--set)")),
        (
            manifest(("logging", "LoggingNoSuchKind")).with(CEILING, "0"),
            &[],
            format!("no effect {name}: \"0\": no controller reconciles the object manifest.yaml:7:57"),
        ),
        (manifest(("logging", "LoggingNoSuchKind")), &[], String::new()),
    ];
    for (asked, args, expected) in cases {
        assert_eq!(labelled(&lines(&asked, args), "Ceiling"), expected);
    }
    // Head of kcc.md: when the release is main by default, one line says what releases do.
    let said = |args: &[&str], asked: Manifest| {
        lines(&asked, args).into_iter().find(|line| line.contains("ignore it and come")).unwrap_or_default()
    };
    assert!(
        said(&[], ceiling("600"))
            .ends_with("read by main; releases up to 1.159 ignore it and come to a retry every 2 min")
    );
    let since = said(&["--ceiling-since", "1.161.0"], ceiling("600"));
    assert!(
        since.ends_with("read by main; releases before 1.161.0 ignore it and come to a retry every 2 min"),
        "{since}"
    );
    assert_eq!(said(&["--kcc-version", "main"], ceiling("600")), "");
    assert_eq!(said(&[], manifest(DIRECT)), "");
    assert_eq!(said(&[], manifest(TF).with(CEILING, "600")), "");
}

#[test]
fn what_happens_on_failure_is_said_by_ladder_halt_and_bucket() {
    // 3600 s under the default ladder: attempt 10 at 127.75 s, then (3600 - 127.75) / 120 = 28.9: 38.
    let default = "retries after 250 ms, 500 ms, 1 s … 1 min 4 s, then every 2 min; 38 attempts in the first hour, 30 an hour after";
    let share = "all failing objects of the kind share a token bucket on top: 10 retries a second, burst 100";
    let none = "no token bucket on top: many failing objects retry as fast as the 20 workers allow";
    let all = |asked: Manifest, args: &[&str]| lines(&asked, args);
    let plain = all(manifest(TF), &[]);
    assert_eq!(labelled(&plain, "On failure"), format!("{default} (default ladder of main: no ceiling is set)"));
    assert!(plain.iter().any(|line| line.trim() == share));
    let ceiling = all(manifest(DIRECT).with(CEILING, "600"), &[]);
    assert_eq!(
        labelled(&ceiling, "On failure"),
        "retries after 1 s, 2 s, 4 s … 8 min 32 s, then every 10 min; 15 attempts in the first hour, 6 an hour after"
    );
    assert!(ceiling.iter().any(|line| line.trim() == none));
    assert!(labelled(&ceiling, "Exempt").starts_with("from the ceiling: failing deletions"));
    let halting = all(manifest(DIRECT).with(CEILING, "0"), &[]);
    assert_eq!(labelled(&halting, "On failure"), "halts at the first error: no retry by itself");
    let unknown = all(manifest(DIRECT).with(CEILING, "0"), &["--kcc-version", "1.160.0"]);
    assert_eq!(labelled(&unknown, "If it is read"), "halts at the first error: no retry by itself");
    assert!(labelled(&unknown, "If it is not").starts_with(default));
    // A ceiling of two hours: 1 + 2 + … + 2048 = 4095 s brings attempt 13, so 12 in the first hour.
    let rare = labelled(&all(manifest(DIRECT).with(CEILING, "7200"), &[]), "On failure");
    assert_eq!(
        rare,
        "retries after 1 s, 2 s, 4 s … 1 h 8 min, then every 2 h; 12 attempts in the first hour, less than 1 an hour after"
    );
    let short = labelled(&all(manifest(DIRECT).with(CEILING, "3"), &[]), "On failure");
    // 0, 1, 3 s, then every 3 s: (3600 - 3) / 3 = 1199: 3 + 1199.
    assert_eq!(short, "retries after 1 s, 2 s, then every 3 s; 1202 attempts in the first hour, 1200 an hour after");
    let one = labelled(&all(manifest(DIRECT).with(CEILING, "1"), &[]), "On failure");
    assert_eq!(one, "retries every 1 s; 3601 attempts in the first hour, 3600 an hour after");
    // Being deleted, the ceiling governs nothing, so nothing is exempt from it.
    let gone = all(manifest(DIRECT).with(CEILING, "600").metadata(&deleting(FINALIZER)), &[]);
    assert_eq!(labelled(&gone, "Exempt"), "");
    assert!(labelled(&gone, "On failure").ends_with("(default ladder of main: failing deletions always use it)"));
}

#[test]
fn an_object_that_is_being_deleted_says_so_first_with_who_is_waited_for() {
    let asked = manifest(DIRECT).metadata(&deleting(&format!("{FINALIZER}, {DEFENDER}, example.com/mine")));
    let plain = lines(&asked, &[]);
    assert_eq!(labelled(&plain, "Now"), "DELETING requested at 2026-11-30 11:59 UTC");
    assert!(plain[1].starts_with("  Now "), "{plain:?}");
    assert!(labelled(&plain, "Waits for").starts_with("cnrm.cloud.google.com/finalizer: the controller"));
    assert_eq!(plain.iter().filter(|line| line.starts_with("  and for ")).count(), 2);
    assert_eq!(labelled(&plain, "Drift"), "", "it will not succeed periodically any more");
    let halting = lines(&asked.with(CEILING, "0").ready("False", "DeleteFailed"), &[]);
    assert_eq!(
        labelled(&halting, "Now"),
        "DELETING requested at 2026-11-30 11:59 UTC; the ceiling and the halt are bypassed"
    );
    assert!(labelled(&halting, "Status").starts_with("failing since 2026-11-30 03:12 UTC (8 h 48 min, known):"));
    let soon = lines(&manifest(DIRECT).metadata("deletionTimestamp: soon"), &[]);
    assert_eq!(labelled(&soon, "Now"), "DELETING requested");
    // Nobody deletes it, which is worth a line only while somebody waits for it.
    let nobody = manifest(("logging", "LoggingNoSuchKind"));
    assert_eq!(labelled(&lines(&nobody, &[]), "Deletion"), "");
    let nobody = labelled(&lines(&nobody.metadata(&deleting(FINALIZER)), &[]), "Deletion");
    assert_eq!(nobody, "no controller reconciles the object, so nothing is done in the cloud");
    let deletes = labelled(&lines(&manifest(TF), &["--kcc-version", "1.154.1"]), "Deletion");
    assert_eq!(deletes, "deletes the cloud resource; failures ignore any ceiling and retry after 2 s … 2 min");
}

#[test]
fn each_status_has_its_word_on_the_screen() {
    let since = "(8 h 48 min, known): Ready=False";
    for (status, reason, ceiling, start) in [
        ("False", "UpdateFailed", "", format!("failing since 2026-11-30 03:12 UTC {since} UpdateFailed: it is so")),
        (
            "False",
            "UpdateFailed",
            "0",
            format!("HALTED failing since 2026-11-30 03:12 UTC {since} UpdateFailed: it is so"),
        ),
        ("False", "PreActuationTransformFailed", "", format!("failing since 2026-11-30 03:12 UTC {since}")),
        ("False", "DependencyNotReady", "", format!("waiting since 2026-11-30 03:12 UTC {since}")),
        ("False", "ManagementConflict", "", format!("conflict since 2026-11-30 03:12 UTC {since}")),
        ("True", "UpToDate", "", "up to date since 2026-11-30 03:12 UTC: Ready=True UpToDate: it is so".to_owned()),
        ("False", "Paused", "", "paused since 2026-11-30 03:12 UTC: Ready=False Paused".to_owned()),
        ("False", "Unmanaged", "", "unmanaged since".to_owned()),
        ("False", "Updating", "", "in progress since".to_owned()),
        ("False", "Deleting", "", "deleting since".to_owned()),
        ("False", "Deleted", "", "deleted since".to_owned()),
        ("False", "SomethingNew", "", "not known since".to_owned()),
    ] {
        let now = labelled(&lines(&manifest(DIRECT).with(CEILING, ceiling).ready(status, reason), &[]), "Now");
        assert!(now.starts_with(&start), "{reason}: {now}");
    }
    let empty = labelled(&lines(&manifest(DIRECT).and("status:\n  observedGeneration: 1"), &[]), "Now");
    assert_eq!(empty, "not known the status has no Ready condition");
}

#[test]
fn attempts_the_last_and_the_next_one_are_told_with_how_sure_they_are() {
    let direct = lines(&manifest(DIRECT).ready("False", "UpdateFailed"), &[]);
    assert_eq!(
        labelled(&direct, "Attempts"),
        "about 272 since 2026-11-30 03:12 UTC (estimated: if attempts take no time and the controller did not restart)"
    );
    assert_eq!(
        labelled(&direct, "Last attempt"),
        "not before 2026-11-30 11:58 UTC (estimated: the delay that its ladder stands at)"
    );
    assert_eq!(
        labelled(&direct, "Next attempt"),
        "between now and 2026-11-30 12:02 UTC (estimated: the ladder stands at a delay of 2 min)"
    );
    assert_eq!(labelled(&direct, "Generation"), "");
    assert_eq!(labelled(&direct, "Halted"), "");
    let managed =
        "managedFields:\n- manager: cnrm-controller-manager\n  subresource: status\n  time: \"2026-11-30T11:59:00Z\"";
    let tf = lines(&manifest(TF).ready("False", "UpdateFailed").metadata(managed), &[]);
    assert!(labelled(&tf, "Last attempt").starts_with("2026-11-30 11:59 UTC (known: managedFields: the tf controller"));
    let overdue = lines(&manifest(TF).ready("False", "UpdateFailed").metadata(&managed.replace("11:59", "11:00")), &[]);
    assert!(
        labelled(&overdue, "Next attempt")
            .starts_with("now (estimated: 2 min after the last attempt, so it was due 58 min ago")
    );
    let halted = lines(&manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed"), &[]);
    assert!(labelled(&halted, "Next attempt").starts_with("none by itself: halted; only a retry that was pending"));
    let unsettled = lines(&manifest(DIRECT).with(CEILING, "0").ready("False", "DependencyNotReady"), &[]);
    assert!(labelled(&unsettled, "Next attempt").starts_with("not known: whether a ceiling governs"));
    assert!(
        labelled(&unsettled, "Halted").starts_with("not known: whether a ceiling governs waiting for dependencies")
    );
    let behind = manifest(DIRECT).ready("False", "UpdateFailed").text().replace("  generation: 3", "  generation: 4");
    let behind: Vec<String> = stdout(&run(&behind, &[])).lines().map(str::to_owned).collect();
    assert!(labelled(&behind, "Generation").starts_with("generation 4 was not observed yet (observed: 3)"));
    assert!(labelled(&behind, "Next attempt").starts_with("now (estimated: an edit is waiting"));
    let left = manifest(TF).ready("False", "DependencyNotReady").text().replace("  generation: 3", "  generation: 4");
    let left: Vec<String> = stdout(&run(&left, &[])).lines().map(str::to_owned).collect();
    assert!(labelled(&left, "Generation").contains("an unchanged message leaves it behind"));
}

#[test]
fn commands_are_shown_where_an_object_needs_waking() {
    let wake = |asked: Manifest| labelled(&lines(&asked, &[]), "Wake it");
    assert!(
        wake(manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed"))
            .starts_with("at once, and ends any halt")
    );
    assert_eq!(wake(manifest(TF).ready("False", "UpdateFailed")), "one attempt, at once");
    assert_eq!(wake(manifest(TF)), "one attempt, at once");
    assert_eq!(wake(manifest(TF).ready("True", "UpToDate")), "", "a healthy object needs no waking");
    assert_eq!(wake(manifest(TF).ready("True", "UpToDate").metadata(&deleting(FINALIZER))), "one attempt, at once");
    assert!(
        wake(manifest(TF).with(INTERVAL, "x").ready("True", "UpToDate")).starts_with("takes the invalid interval away")
    );
    assert!(wake(manifest(TF).ready("False", "Unmanaged")).starts_with("no command: its status is Unmanaged"));
    let halted = lines(&manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed"), &[]);
    assert_eq!(labelled(&halted, "or"), "one attempt, at once; an error halts it again");
    assert_eq!(halted.iter().filter(|line| line.starts_with("                kubectl annotate ")).count(), 2);
}

/// kcc.md section 5, as a sentence: what passes the watch filter and what does not, by release.
#[test]
fn the_line_about_waking_follows_the_release() {
    let wakes = |release: &str| labelled(&lines(&manifest(DIRECT), &["--kcc-version", release]), "Wakes");
    let always = "test.cnrm.cloud.google.com/reconcile-cookie, a request to delete it, or the deletion-defender \
                  finalizer's removal, a restart of the controller. Not: ";
    let never =
        "other annotations, the status, Secrets that the spec refers to, a key added or removed with an empty value";
    let first = "an edit of spec, labels, project-id, folder-id or organization-id, ";
    let interval = "reconcile-interval-in-seconds (unless to 0), ";
    assert_eq!(wakes("main"), format!("{first}the ceiling annotation, {interval}actuation-mode, {always}{never}"));
    assert_eq!(wakes("1.160.0"), format!("{first}{interval}actuation-mode, {always}{never}"));
    assert_eq!(wakes("1.157.0"), format!("{first}{interval}{always}the ceiling annotation, {never}"));
    assert_eq!(
        wakes("1.137.0"),
        format!("{first}{always}the ceiling annotation, reconcile-interval-in-seconds, {never}")
    );
    assert_eq!(labelled(&lines(&manifest(("logging", "LoggingNoSuchKind")), &[]), "Wakes"), "");
}

#[test]
fn the_drift_interval_says_who_says_so() {
    let drift = |asked: Manifest, args: &[&str]| labelled(&lines(&asked, args), "Drift");
    let of = |value: &str| manifest(TF).with(INTERVAL, value);
    assert_eq!(drift(manifest(TF), &[]), "requeued every 5 to 15 min while it succeeds (built-in)");
    assert_eq!(
        drift(manifest(("bigtable", "BigtableTable")), &[]),
        "requeued every 30 min to 1 h 30 min while it succeeds (built-in for this kind)"
    );
    assert_eq!(
        drift(manifest(("serviceusage", "ServiceIdentity")), &[]),
        "not requeued by itself while it succeeds (built-in for this kind)"
    );
    assert_eq!(
        drift(of("20"), &[]),
        "requeued every 10 to 30 s while it succeeds (reconcile-interval-in-seconds: \"20\") manifest.yaml:7:58"
    );
    assert_eq!(
        drift(of("20"), &["--set", "reconcile-interval-in-seconds=0"]),
        "not requeued by itself while it succeeds (reconcile-interval-in-seconds: \"0\" (--set))"
    );
    assert_eq!(drift(of("-1"), &[]), "invalid: reconcile-interval-in-seconds: \"-1\" is negative manifest.yaml:7:58");
    assert_eq!(
        drift(manifest(TF).raw(INTERVAL, "600"), &[]),
        "invalid: reconcile-interval-in-seconds is not a string, so the API server refuses the object manifest.yaml:7:58"
    );
    let fix = lines(&of("-1"), &[]);
    assert!(fix.iter().any(|line| line.trim().starts_with("write whole seconds such as")), "{fix:?}");
}

#[test]
fn the_actuation_mode_is_shown_where_somebody_says_something_of_it() {
    let actuation = |asked: Manifest| labelled(&lines(&asked, &[]), "Actuation");
    assert_eq!(actuation(manifest(TF)), "");
    assert_eq!(
        actuation(manifest(TF).with(ACTUATION, "Reconciling")),
        "Reconciling the object's annotation says so manifest.yaml:7:43"
    );
    assert_eq!(
        actuation(manifest(TF).with(ACTUATION, "Paused")),
        "Paused the object's annotation says so manifest.yaml:7:43"
    );
    assert_eq!(actuation(manifest(("logging", "LoggingNoSuchKind")).with(ACTUATION, "Paused")), "");
}

#[test]
fn a_long_message_is_cut_on_the_screen_after_400_characters_and_whole_in_json() {
    for (length, cut) in [(400, false), (401, true)] {
        let message = "ü".repeat(length);
        let text = manifest(DIRECT).ready("False", "UpdateFailed").text().replace("it is so", &message);
        let shown = stdout(&run(&text, &[]));
        assert_eq!(shown.contains(&format!("{}…", "ü".repeat(400))), cut, "{length}");
        assert_eq!(shown.contains(&message), !cut, "{length}");
        assert_eq!(json(&text, &[])["objects"][0]["status"]["ready"]["message"], message.as_str());
    }
}

#[test]
fn problems_are_shown_by_severity_and_not_twice_where_a_line_has_said_them() {
    let asked = manifest(TF)
        .with("cnrm.cloud.google.com/brand-new-thing", "1")
        .with(POLICY, "Abandon")
        .raw("example.com/on", "yes")
        .with(CEILING, "600");
    let shown = lines(&asked, &[]);
    assert!(labelled(&shown, "Error").starts_with("annotation example.com/on is not a string"));
    assert!(labelled(&shown, "Error").ends_with("; write example.com/on: \"yes\" manifest.yaml:9:21"));
    assert!(labelled(&shown, "Warning").starts_with("cnrm.cloud.google.com/deletion-policy \"Abandon\" has no effect"));
    assert!(labelled(&shown, "Note").ends_with("brand-new-thing is not known to this version manifest.yaml:7:44"));
    assert_eq!(
        shown.iter().filter(|line| line.starts_with("  Warning ")).count(),
        1,
        "the ceiling's line says the other"
    );
    let fallback = lines(&manifest(TF).with(RECONCILER, "direct"), &[]);
    assert_eq!(labelled(&fallback, "Warning"), "", "the controller's line says it");
    assert!(labelled(&fallback, "Controller").starts_with("tf asked for by the annotation"));
}
