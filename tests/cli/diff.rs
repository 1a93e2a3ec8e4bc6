//! `diff`: what changes in behaviour between two trees, and between two releases.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Output, Stdio};

use kcc_backoff::assess::{Object, World};
use kcc_backoff::diff::{Comparison, Side};
use kcc_backoff::output::{self, Diff, DiffSide, Style, Summary};
use kcc_backoff::source::{self, Input, Options};
use serde_json::{Value, json as value};

use crate::support::*;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

/// A run of `diff` in a folder.
fn diff_in(folder: &Path, args: &[&str]) -> Output {
    binary(folder).arg("diff").args(args).output().unwrap()
}

/// A run on old.yaml and new.yaml with these texts.
fn diff(old: &str, new: &str, args: &[&str]) -> Output {
    let folder = folder(&[("old.yaml", old), ("new.yaml", new)]);
    diff_in(folder.path(), &[&["old.yaml", "new.yaml"], args].concat())
}

/// Its JSON.
fn report(old: &str, new: &str, args: &[&str]) -> Value {
    parsed(&diff(old, new, &[args, &["-o", "json"]].concat()))
}

/// The JSON of one text in two releases.
fn upgrade(text: &str, from: &str, to: &str) -> Value {
    let folder = folder(&[("all.yaml", text)]);
    parsed(&diff_in(folder.path(), &["all.yaml", "--kcc-version", from, "--against", to, "-o", "json"]))
}

fn parsed(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)))
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// The changes of the only object that differs, by aspect.
fn changes(report: &Value) -> BTreeMap<String, (Value, Value)> {
    let objects = report["objects"].as_array().unwrap();
    assert_eq!(objects.len(), 1, "{report}");
    of_object(&objects[0])
}

fn of_object(object: &Value) -> BTreeMap<String, (Value, Value)> {
    let changes = object["changes"].as_array().unwrap().iter();
    changes
        .map(|change| (change["aspect"].as_str().unwrap().to_owned(), (change["from"].clone(), change["to"].clone())))
        .collect()
}

fn aspects(report: &Value) -> Vec<String> {
    changes(report).into_keys().collect()
}

/// `changed`, `added` … with the object's name, in the order of the report.
fn fates(report: &Value) -> Vec<String> {
    let objects = report["objects"].as_array().unwrap().iter();
    objects
        .map(|object| {
            format!("{} {}", object["change"].as_str().unwrap(), object["ref"]["name"].as_str().unwrap_or("(no name)"))
        })
        .collect()
}

fn named(kind: (&'static str, &'static str), name: &str) -> String {
    manifest(kind).text().replace("name: it", &format!("name: {name}"))
}

fn console(kind: &str, spec: &str) -> String {
    format!(
        "apiVersion: deployments.plural.sh/v1alpha1\nkind: {kind}\nmetadata: {{name: it, namespace: a}}\nspec:\n{spec}"
    )
}

#[test]
fn the_same_objects_in_another_layout_and_version_have_no_differences() {
    let (one, two, three) = (named(DIRECT, "one"), named(TF, "two"), console("Project", "  name: x"));
    let list = format!(
        "{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{}]}}",
        value!({"apiVersion": "accesscontextmanager.cnrm.cloud.google.com/v1alpha1", "kind": TF.1,
                "metadata": {"name": "two", "namespace": "team-a"}})
    );
    let folder = folder(&[
        ("old/all.yaml", &[one.as_str(), &two, &three].join("\n---\n")),
        ("new/a/project.yaml", &three),
        ("new/b/list.json", &list),
        ("new/one.yaml", &format!("# a comment\n\n{one}")),
    ]);
    let output = diff_in(folder.path(), &["-R", "old", "new", "--exit-code"]);
    assert_eq!((code(&output), stdout(&output)), (0, String::new()));
    assert!(
        stderr(&output).ends_with(
            "no differences: 3 objects the same. Told for Config Connector main. main is the default; releases up to 1.159 \
             ignore the ceiling annotation (--kcc-version names yours).\n"
        ),
        "{}",
        stderr(&output)
    );
    assert_eq!(stderr(&diff_in(folder.path(), &["-R", "old", "new", "-q"])), "");
}

#[test]
fn what_changes_nothing_in_behaviour_is_no_difference() {
    let ceiling = |text: &str| manifest(DIRECT).with(CEILING, text).text();
    let cases = [
        (ceiling("600"), ceiling("+600")),
        (ceiling("0"), ceiling("-0")),
        (ceiling(""), manifest(DIRECT).text()),
        (manifest(DIRECT).raw(CEILING, "~").text(), manifest(DIRECT).text()),
        (ceiling("600s"), ceiling("10m")),
        (manifest(DIRECT).with(INTERVAL, "600").text(), manifest(DIRECT).text()),
        (manifest(DIRECT).with(POLICY, "delete").text(), manifest(DIRECT).text()),
        (manifest(EITHER).with(RECONCILER, "tf").text(), manifest(EITHER).text()),
        (manifest(DIRECT).with("example.test/note", "x").text(), manifest(DIRECT).and("spec: {filter: x}").text()),
        (console("Project", "  name: it"), console("Project", "  reconciliation: {interval: 30m}\n  name: it")),
        // The identity is metadata.name without spec.name (console.md: Project).
    ];
    for (old, new) in cases {
        assert_eq!(report(&old, &new, &[])["objects"], value!([]), "{old}{new}");
        assert_eq!(report(&new, &old, &[])["summary"], value!({"changed": 0, "added": 0, "removed": 0, "same": 1}));
    }
}

/// kcc.md sections 2 to 4: tf → direct, and with it the ceiling is read and the ladder is 1 s … 600 s.
#[test]
fn a_change_of_controller_takes_the_ceiling_and_the_ladder_with_it() {
    let old = manifest(EITHER).with(CEILING, "600");
    let report = report(&old.text(), &old.with(RECONCILER, "direct").text(), &[]);
    let object = &report["objects"][0];
    assert_eq!(object["change"], "changed");
    assert_eq!(object["system"], "kcc");
    assert_eq!(object["ref"]["kind"], "AlloyDBCluster");
    assert_eq!(object["placeOld"]["file"], "old.yaml");
    assert_eq!(object["placeNew"]["file"], "new.yaml");
    let changes = changes(&report);
    assert_eq!(changes.keys().collect::<Vec<_>>(), ["ceiling", "controller", "ladder"]);
    assert_eq!(
        (&changes["controller"].0["name"], &changes["controller"].1["name"]),
        (&value!("tf"), &value!("direct"))
    );
    assert_eq!(changes["ceiling"].0, value!({"state": "seconds", "seconds": 600, "refused": false, "honoured": false}));
    assert_eq!(changes["ceiling"].1, value!({"state": "seconds", "seconds": 600, "refused": false, "honoured": true}));
    assert_eq!(changes["ladder"].0, value!({"policy": "default", "baseSeconds": 0.25, "maxSeconds": 120}));
    assert_eq!(changes["ladder"].1, value!({"policy": "ceiling", "baseSeconds": 1, "maxSeconds": 600}));
    assert_eq!(object["changes"][0]["reason"], "asked for by the annotation alpha.cnrm.cloud.google.com/reconciler");
    assert_eq!(report["summary"], value!({"changed": 1, "added": 0, "removed": 0, "same": 0}));
}

/// People read at most two units, and 3600 and 3601 s are both an hour.
#[test]
fn seconds_that_hours_would_hide_are_told() {
    let said = |old: &str, new: &str, line: &str| {
        let folder = folder(&[("old.yaml", old), ("new.yaml", new)]);
        let shown = stdout(&diff_in(folder.path(), &["old.yaml", "new.yaml", "-q", "--report", "markdown=a.md"]));
        assert!(shown.contains(line), "{shown}");
        let report = std::fs::read_to_string(folder.path().join("a.md")).unwrap();
        assert!(report.contains("| changed |"), "{report}");
    };
    let ceiling = |value: &str| manifest(DIRECT).with(CEILING, value).text();
    said(&ceiling("3600"), &ceiling("3601"), "  Ceiling       1 h (3600 s) → 1 h (3601 s)  ");
    said(&ceiling("3600"), &ceiling("3601"), "  On failure    1 s … 1 h (3600 s) → 1 s … 1 h (3601 s)  ");
    let interval = |value: &str| manifest(DIRECT).with(INTERVAL, value).text();
    let range = "every 30 min to 1 h 30 min";
    said(&interval("3600"), &interval("3601"), &format!("{range} (around 3600 s) → {range} (around 3601 s)"));
    let requeue = |value: &str| console("Project", &format!("  name: a\n  reconciliation: {{interval: {value}}}"));
    said(&requeue("2h"), &requeue("2h0m1s"), "every 1 to 3 h (around 7200 s) → every 1 to 3 h (around 7201 s)");
    let shown = stdout(&diff(&ceiling("3600"), &ceiling("7200"), &[]));
    assert!(shown.contains("1 h → 2 h  ") && !shown.contains("3600"), "{shown}");
}

#[test]
fn each_aspect_of_config_connector_is_told_and_no_other() {
    let plain = manifest(DIRECT).text();
    let with = |key: &str, text: &str| manifest(DIRECT).with(key, text).text();
    let cases: [(String, &[&str], &str, Value); 9] = [
        (with(CEILING, "0"), &["ceiling", "halting", "ladder"], "halting", value!({"onError": true})),
        (
            with(CEILING, "30"),
            &["ceiling", "ladder"],
            "ladder",
            value!({"policy": "ceiling", "baseSeconds": 1, "maxSeconds": 30}),
        ),
        // An invalid ceiling means the default ladder, never a halt.
        (with(CEILING, "x"), &["ceiling"], "ceiling", value!({"state": "invalid", "seconds": null, "refused": false})),
        (
            manifest(DIRECT).raw(CEILING, "600").text(),
            &["ceiling"],
            "ceiling",
            value!({"state": "invalid", "seconds": null, "refused": true}),
        ),
        // A mean of 3600 s is drawn from 1800 to 5400.
        (
            with(INTERVAL, "3600"),
            &["drift"],
            "drift",
            value!({"state": "periodic", "meanSeconds": 3600, "minSeconds": 1800, "maxSeconds": 5400, "tokenBucket": false}),
        ),
        (
            with(INTERVAL, "0"),
            &["drift"],
            "drift",
            value!({"state": "never", "meanSeconds": null, "minSeconds": null, "maxSeconds": null, "skipsWhenUpToDate": true}),
        ),
        (
            with(INTERVAL, "-1"),
            &["drift"],
            "drift",
            value!({"state": "invalid", "meanSeconds": null, "minSeconds": null, "maxSeconds": null, "refused": false}),
        ),
        (with(ACTUATION, "Paused"), &["actuation"], "actuation", value!({"mode": "Paused"})),
        (with(POLICY, "abandon"), &["deletion"], "deletion", value!({"policy": "abandon", "requested": false})),
    ];
    for (new, expected, aspect, to) in cases {
        let changes = changes(&report(&plain, &new, &[]));
        assert_eq!(changes.keys().collect::<Vec<_>>(), expected, "{new}");
        assert_eq!(changes[aspect].1, to, "{new}");
    }
    let gone = manifest(DIRECT).metadata(&deleting(FINALIZER)).text();
    assert_eq!(changes(&report(&plain, &gone, &[]))["deletion"].1, value!({"policy": "delete", "requested": true}));
}

/// A ceiling that nobody reads still is one that its author wrote: the report says that it has no effect.
#[test]
fn a_ceiling_without_effect_is_told_as_such() {
    let changes = changes(&report(&manifest(TF).text(), &manifest(TF).with(CEILING, "600").text(), &[]));
    assert_eq!(changes.keys().collect::<Vec<_>>(), ["ceiling"]);
    assert_eq!(changes["ceiling"].1["honoured"], false);
}

/// console.md section 2: driftDetection false turns adoption into reading; what is only read is not deleted.
#[test]
fn each_aspect_of_the_plural_console_is_told() {
    let old = console("Project", "  name: platform");
    let new = console("Project", "  name: platform\n  reconciliation: {driftDetection: false}");
    let changed = changes(&report(&old, &new, &[]));
    assert_eq!(changed.keys().collect::<Vec<_>>(), ["deletion", "mode", "requeue"]);
    assert_eq!(
        (&changed["mode"].0["ifPresent"], &changed["mode"].1["ifPresent"]),
        (&value!("adopt"), &value!("read-only"))
    );
    assert_eq!(changed["mode"].0["ifAbsent"], "create");
    assert_eq!(
        (&changed["requeue"].0["meanSeconds"], &changed["requeue"].1["state"]),
        (&value!(1800), &value!("never"))
    );
    assert_eq!(
        (&changed["deletion"].0["ifPresent"], &changed["deletion"].1["ifPresent"]),
        (&value!("delete"), &value!("keep"))
    );
    let renamed = changes(&report(&old, &console("Project", "  name: other"), &[]));
    assert_eq!(renamed.keys().collect::<Vec<_>>(), ["identity"]);
    assert_eq!(renamed["identity"].1, value!({"field": "name", "value": "other", "masked": false}));
    let seldom = changes(&report(&old, &console("Project", "  name: platform\n  reconciliation: {interval: 1h}"), &[]));
    assert_eq!(
        seldom["requeue"].1,
        value!({"state": "periodic", "meanSeconds": 3600, "minSeconds": 1800, "maxSeconds": 5400})
    );
    let owned = format!("{old}\nstatus: {{id: \"1\"}}");
    assert!(changes(&report(&old, &owned, &[]))["mode"].1["now"].is_string());
}

#[test]
fn a_login_in_a_url_is_compared_and_never_shown() {
    let repository = |login: &str| console("GitRepository", &format!("  url: https://{login}@git.example.test/a.git"));
    let (old, new) = (repository("u:hunter2"), repository("u:hunter3"));
    for format in ["text", "json", "yaml"] {
        let output = diff(&old, &new, &["-o", format]);
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains("***@git.example.test") && !said.contains("hunter"), "{format}: {said}");
    }
    assert_eq!(aspects(&report(&old, &new, &[])), ["identity"]);
    assert_eq!(report(&old, &old, &[])["objects"], value!([]));
}

#[test]
fn objects_are_added_and_removed_by_identity_and_told_in_the_order_of_their_names() {
    let old = [named(DIRECT, "stays"), named(DIRECT, "goes"), named(TF, "stays")].join("\n---\n");
    let new = [named(TF, "stays"), named(DIRECT, "comes"), named(DIRECT, "stays")].join("\n---\n");
    let report = report(&old, &new, &[]);
    assert_eq!(fates(&report), ["added comes", "removed goes"]);
    assert_eq!(report["summary"], value!({"changed": 0, "added": 1, "removed": 1, "same": 2}));
    let added = &report["objects"][0];
    assert_eq!((&added["placeOld"], &added["placeNew"]["file"]), (&Value::Null, &value!("new.yaml")));
    assert_eq!(added["changes"].as_array().unwrap().len(), 7, "what it will do: every aspect");
    assert!(added["changes"].as_array().unwrap().iter().all(|change| change["from"].is_null()));
    let removed = &report["objects"][1];
    assert_eq!((&removed["placeNew"], &removed["placeOld"]["file"]), (&Value::Null, &value!("old.yaml")));
    assert!(removed["changes"].as_array().unwrap().iter().all(|change| change["to"].is_null()));
}

#[test]
fn another_namespace_kind_or_group_is_another_object() {
    let one = manifest(DIRECT).text();
    for other in [
        one.replace("team-a", "team-b"),
        one.replace("LoggingLogMetric", "LoggingLogSink"),
        one.replace("logging.cnrm", "storage.cnrm"),
        one.replace("  namespace: team-a\n", ""),
    ] {
        let summary = &report(&one, &other, &[])["summary"];
        assert_eq!(*summary, value!({"changed": 0, "added": 1, "removed": 1, "same": 0}), "{other}");
    }
    let unnamed = one.replace("  namespace: team-a\n", "");
    assert_eq!(report(&one, &unnamed, &["-n", "team-a"])["summary"]["same"], 1);
}

/// Equal behaviours cancel, wherever they stand; the rest pair in order; what is left over came or went.
#[test]
fn an_identity_that_occurs_several_times_is_matched_as_a_multiset() {
    let ceilings = |list: &[&str]| {
        let texts: Vec<String> = list.iter().map(|text| manifest(DIRECT).with(CEILING, text).text()).collect();
        texts.join("\n---\n")
    };
    let seconds = |report: &Value| -> Vec<(Value, Value)> {
        let objects = report["objects"].as_array().unwrap().iter();
        objects
            .map(|object| {
                let (from, to) = of_object(object)["ceiling"].clone();
                (from["seconds"].clone(), to["seconds"].clone())
            })
            .collect()
    };
    type Pairs = Vec<(Value, Value)>;
    let none = Value::Null;
    let cases: [(&[&str], &[&str], Pairs, usize); 6] = [
        (&["1", "2", "3"], &["3", "1", "2"], vec![], 3),
        (&["1", "2"], &["2", "7"], vec![(value!(1), value!(7))], 1),
        (&["1", "2", "3"], &["5", "2", "4"], vec![(value!(1), value!(5)), (value!(3), value!(4))], 1),
        (&["1", "1"], &["1"], vec![(value!(1), none.clone())], 1),
        (&["1"], &["1", "1", "1"], vec![(none.clone(), value!(1)), (none.clone(), value!(1))], 1),
        (&["1", "1", "2"], &["2", "2"], vec![(value!(1), value!(2)), (value!(1), none)], 1),
    ];
    for (old, new, expected, same) in cases {
        let report = report(&ceilings(old), &ceilings(new), &[]);
        assert_eq!(seconds(&report), expected, "{old:?} {new:?}");
        assert_eq!(report["summary"]["same"], same, "{old:?} {new:?}");
    }
}

#[test]
fn objects_without_a_name_are_matched_as_a_multiset_too() {
    let nameless =
        |value: &str| manifest(DIRECT).with(CEILING, value).text().replace("  name: it\n", "  generateName: it-\n");
    let two = [nameless("1"), nameless("2")].join("\n---\n");
    let reversed = [nameless("2"), nameless("1")].join("\n---\n");
    assert_eq!(report(&two, &reversed, &[])["summary"]["same"], 2);
    assert_eq!(fates(&report(&two, &nameless("2"), &[])), ["removed (no name)"]);
}

#[test]
fn a_context_in_one_tree_only_changes_the_objects_of_its_namespace() {
    let other = manifest(EITHER).text().replace("team-a", "team-b");
    let old = [manifest(EITHER).text(), other].join("\n---\n");
    let context = context_of(
        "team-a",
        "  experiments:\n    controllerOverrides:\n      AlloyDBCluster.alloydb.cnrm.cloud.google.com: direct\n",
    );
    let report = report(&old, &format!("{old}\n---\n{context}"), &[]);
    assert_eq!(fates(&report), ["changed it", "added configconnectorcontext.core.cnrm.cloud.google.com"]);
    let object = &report["objects"][0];
    assert_eq!(object["ref"]["namespace"], "team-a");
    let changes = of_object(object);
    assert_eq!(changes.keys().collect::<Vec<_>>(), ["controller"]);
    assert_eq!(changes["controller"].1["name"], "direct");
    assert!(object["changes"][0]["reason"].as_str().unwrap().starts_with("controllerOverrides of the namespace's"));
    // ConfigConnector in cluster mode: the context is never read.
    let cluster = connector("  mode: cluster\n");
    let unread =
        self::report(&format!("{old}\n---\n{cluster}"), &format!("{old}\n---\n{cluster}\n---\n{context}"), &[]);
    assert_eq!(unread["summary"]["changed"], 0);
}

#[test]
fn set_holds_on_both_sides() {
    let (old, new) = (manifest(EITHER).text(), manifest(EITHER).with(RECONCILER, "direct").text());
    let without = changes(&report(&old, &new, &[]));
    assert_eq!(without.keys().collect::<Vec<_>>(), ["controller"]);
    let with = changes(&report(&old, &new, &["--set", "backoff-max-delay-in-seconds=0"]));
    assert_eq!(with.keys().collect::<Vec<_>>(), ["ceiling", "controller", "halting", "ladder"]);
    let alike = report(&old, &new, &["--set", "alpha.cnrm.cloud.google.com/reconciler=direct"]);
    assert_eq!(alike["summary"]["same"], 1);
    let doubted = diff(&old, &old, &["--set", "backoff-max-delay=0"]);
    assert!(stderr(&doubted).starts_with("warning: --set"), "{}", stderr(&doubted));
}

#[test]
fn the_exit_code_is_1_only_where_it_is_asked_for_and_something_differs() {
    let (one, other) = (manifest(DIRECT).text(), manifest(DIRECT).with(CEILING, "0").text());
    assert_eq!(code(&diff(&one, &other, &[])), 0);
    assert_eq!(code(&diff(&one, &other, &["--exit-code"])), 1);
    assert_eq!(code(&diff(&one, &other, &["--exit-code", "-o", "json"])), 1);
    assert_eq!(code(&diff(&one, &one, &["--exit-code"])), 0);
    assert_eq!(code(&diff(&one, &format!("{other}\n---\na: ["), &["--exit-code"])), 2);
    // An upgrade that changes something for all objects is a difference, even if none changes on its own.
    let folder = folder(&[("all.yaml", &one), ("other.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: x}")]);
    let upgrade = |file: &str, from: &str, to: &str| {
        code(&diff_in(folder.path(), &[file, "--kcc-version", from, "--against", to, "--exit-code"]))
    };
    assert_eq!(upgrade("all.yaml", "1.154.1", "1.155.0"), 1);
    assert_eq!(upgrade("all.yaml", "1.155.0", "1.155.1"), 0);
    assert_eq!(upgrade("all.yaml", "main", "main"), 0);
    assert_eq!(upgrade("other.yaml", "1.154.1", "1.155.0"), 0, "nothing of Config Connector is there to change");
}

#[test]
fn broken_documents_are_2_and_everything_readable_is_compared() {
    let old = manifest(DIRECT).text();
    let new = format!("a: [\n---\n{}", manifest(DIRECT).with(CEILING, "0").text());
    let output = diff(&old, &new, &[]);
    assert_eq!(code(&output), 2);
    assert!(stdout(&output).starts_with("~ LoggingLogMetric team-a/it  new.yaml:3:1\n"), "{}", stdout(&output));
    assert!(stderr(&output).starts_with("new.yaml:"), "{}", stderr(&output));
    assert!(stderr(&output).contains("; 1 unreadable\n1 changed\n"), "{}", stderr(&output));
    let report = report(&old, &new, &[]);
    assert_eq!(report["problems"][0]["severity"], "error");
    assert_eq!((&report["from"]["summary"]["broken"], &report["to"]["summary"]["broken"]), (&value!(0), &value!(1)));
    let missing = diff_in(folder(&[("old.yaml", &old)]).path(), &["old.yaml", "nowhere.yaml"]);
    assert_eq!(code(&missing), 2);
    assert!(stdout(&missing).starts_with("- LoggingLogMetric team-a/it"), "{}", stdout(&missing));
}

#[test]
fn usage_errors_say_what_is_wanted() {
    let folder = folder(&[]);
    let cases: [(&[&str], &str); 9] = [
        (&[], "nothing to compare: name a file, a folder or an archive"),
        (&["a"], "diff compares two trees, OLD and NEW: only one was given (--against compares one in two releases)"),
        (&["a", "b", "c"], "diff compares two trees, OLD and NEW: 3 were given"),
        (&["a", "-f", "b", "c"], "3 were given"),
        (&["-", "-"], "standard input can be only one of OLD and NEW"),
        (&["a", "--against", "main"], "main is the default, too; name the release to compare it with (--kcc-version)"),
        (&["a", "--against", "1.155"], "expected X.Y.Z (for example 1.155.1) or main"),
        (&["a", "b", "--report", "html=x"], "there is markdown"),
        (&["a", "b", "--ceiling-since", "1.150.0"], "no release up to 1.159 reads"),
    ];
    for (args, expected) in cases {
        let output = diff_in(folder.path(), args);
        assert_eq!(code(&output), 2, "{args:?}");
        assert!(stderr(&output).contains(expected), "{args:?}: {}", stderr(&output));
        assert!(output.stdout.is_empty(), "{args:?}");
    }
    let help = stdout(&diff_in(folder.path(), &["--help"]));
    assert!(help.contains("1  there are differences, with --exit-code"), "{help}");
    let unwritable = diff(&manifest(DIRECT).text(), "", &["--report", "markdown=no/such/folder.md"]);
    assert_eq!(code(&unwritable), 2);
    assert!(stderr(&unwritable).contains("cannot write the report"), "{}", stderr(&unwritable));
}

#[test]
fn either_side_may_be_standard_input() {
    let folder = folder(&[("it.yaml", &manifest(DIRECT).text())]);
    for (args, from) in [(["-", "it.yaml"], value!(0)), (["it.yaml", "-"], Value::Null)] {
        let mut child = binary(folder.path())
            .arg("diff")
            .args(args)
            .args(["-o", "json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(manifest(DIRECT).with(CEILING, "0").text().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let report = parsed(&output);
        assert_eq!(changes(&report)["ceiling"].0["seconds"], from, "{args:?}");
        let inputs = [&report["from"]["inputs"][0], &report["to"]["inputs"][0]];
        assert_eq!(inputs.map(|input| input == "<stdin>"), args.map(|arg| arg == "-"));
    }
}

#[test]
fn a_closed_pipe_is_a_normal_end_and_the_exit_code_is_still_due() {
    let texts: Vec<String> = (0..3000).map(|number| named(DIRECT, &format!("n{number}"))).collect();
    let folder =
        folder(&[("old.yaml", "# nothing\n---\n"), ("new.yaml", &texts.join("\n---\n")), ("one.yaml", &texts[0])]);
    for format in ["text", "json", "yaml"] {
        let mut child = binary(folder.path())
            .args(["diff", "one.yaml", "new.yaml", "--exit-code", "-o", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(code(&output), 1, "{format}: {}", stderr(&output));
        assert!(stderr(&output).ends_with("2999 added, 1 the same\n"), "{format}: {}", stderr(&output));
    }
}

#[test]
fn many_objects_keep_their_order_and_none_is_lost() {
    let old: Vec<String> = (0..3000).rev().map(|number| named(DIRECT, &format!("n{number:04}"))).collect();
    let new: Vec<String> = (0..3000)
        .map(|number| manifest(DIRECT).with(CEILING, "0").text().replace("name: it", &format!("name: n{number:04}")))
        .collect();
    let (old, new) = (old.join("\n---\n"), new.join("\n---\n"));
    let report = report(&old, &new, &[]);
    let expected: Vec<String> = (0..3000).map(|number| format!("changed n{number:04}")).collect();
    assert_eq!(fates(&report), expected);
    assert_eq!(stdout(&diff(&old, &new, &[])), stdout(&diff(&old, &new, &[])));
    let yaml = stdout(&diff(&old, &new, &["-o", "yaml"]));
    assert_eq!(yaml.matches("\n  change: changed\n").count(), 3000);
}

#[test]
fn names_of_strangers_reach_neither_terminal_nor_markdown_as_they_are() {
    let hostile = |ceiling: &str| {
        let text = manifest(DIRECT).with(CEILING, ceiling).text();
        text.replace("name: it", "name: \"\\e[2J|<b>\\u202e[x](http://y)@all\"")
    };
    let folder = folder(&[("old.yaml", &hostile("1")), ("new.yaml", &hostile("2"))]);
    for format in ["text", "json", "yaml"] {
        let args = ["old.yaml", "new.yaml", "-o", format, "--report", "markdown=report.md"];
        let output = diff_in(folder.path(), &args);
        let said = stdout(&output) + &stderr(&output);
        let bad: Vec<char> = said.chars().filter(|c| *c != '\n' && output::is_dangerous(*c)).collect();
        assert!(bad.is_empty(), "{format}: {bad:?} in {said}");
    }
    let markdown = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    assert!(!markdown.chars().any(|c| c != '\n' && output::is_dangerous(c)), "{markdown}");
    assert!(markdown.contains("\\|&lt;b&gt;"), "{markdown}");
    assert!(markdown.contains("\\[x\\]\\(http&#58;//y\\)&#64;all"), "{markdown}");
    let rows: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| changed")).collect();
    assert_eq!(rows.len(), 2, "a row for the ceiling, one for the ladder: {markdown}");
}

#[test]
fn a_report_fits_a_jobs_summary_and_says_how_many_objects_it_leaves_out() {
    let many = |ceiling: &str, name: &str| {
        let text = manifest(DIRECT).with(CEILING, ceiling).text();
        let all = (0..2500).map(|number| text.replace("name: it", &format!("name: {name}-{number:04}")));
        all.collect::<Vec<_>>().join("---\n")
    };
    let report = |name: &str| {
        let folder = folder(&[("old.yaml", &many("60", name)), ("new.yaml", &many("0", name))]);
        let args = ["old.yaml", "new.yaml", "-q", "--report", "markdown=a.md"];
        assert_eq!(code(&diff_in(folder.path(), &args)), 0);
        let report = std::fs::read_to_string(folder.path().join("a.md")).unwrap();
        assert!(report.len() < 1 << 20, "GitHub takes 1 MiB: {}", report.len());
        let told = report.lines().filter(|line| line.contains("| Ceiling |")).count();
        assert_eq!(told, report.lines().filter(|line| line.contains("| On failure |")).count(), "whole objects");
        assert!(report.ends_with(&format!("\n\n{} more objects differ.\n", 2500 - told)), "{told}");
        told
    };
    assert_eq!(report("short"), 2000);
    assert!((1000..2000).contains(&report(&"long".repeat(60))));
}

#[test]
fn a_report_says_what_the_screen_says_also_where_nothing_differs() {
    let folder = folder(&[("old.yaml", &manifest(DIRECT).text()), ("new.yaml", &named(DIRECT, "other"))]);
    let written = |args: &[&str]| {
        let report = ["--report", "markdown=a.md", "--report", "markdown=b.md", "-q"];
        assert_eq!(code(&diff_in(folder.path(), &[args, &report].concat())), 0);
        let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("a.md"), read("b.md"));
        read("a.md")
    };
    let two = written(&["old.yaml", "new.yaml"]);
    assert!(two.starts_with("### old.yaml → new.yaml\n\n1 added, 1 removed. Told for"), "{two}");
    assert!(two.contains("\n| removed | LoggingLogMetric team-a/it | old.yaml:1:1 |"), "{two}");
    let none = written(&["old.yaml", "old.yaml"]);
    assert!(none.contains("\n\nNo differences: 1 the same. Told for Config Connector main."), "{none}");
    let upgrade = written(&["old.yaml", "--kcc-version", "1.154.0", "--against", "1.155.0"]);
    assert!(upgrade.contains("\n| Ladder | 2 s … 2 min | 250 ms … 2 min |"), "{upgrade}");
}

/// kcc.md sections 4, 5, 6 and 9; told once, at the head, and for no object.
#[test]
fn what_an_upgrade_changes_for_all_objects_is_told_once_at_the_head() {
    let text = [manifest(DIRECT).text(), manifest(TF).text(), manifest(DCL).text()].join("\n---\n");
    let common = |from: &str, to: &str| -> Vec<String> {
        let report = upgrade(&text, from, to);
        assert_eq!(report["objects"], value!([]), "{from} {to}: nothing of their own changes");
        let common = report["common"].as_array().unwrap().iter();
        common
            .map(|one| {
                let edit = one["edit"].as_str().map_or(String::new(), |edit| format!(" {edit}"));
                format!("{}{edit}: {} -> {}", one["aspect"].as_str().unwrap(), one["from"], one["to"])
            })
            .collect()
    };
    let ladder = "defaultLadder: {\"baseSeconds\":2,\"maxSeconds\":120} -> {\"baseSeconds\":0.25,\"maxSeconds\":120}";
    let interval = "wakes reconcile-interval-in-seconds: false -> true";
    let actuation = ["wakes actuation-mode: false -> true", "actuationAnnotation: false -> true"];
    let read = "ceilingAnnotation: \"ignored\" -> \"honoured\"";
    let ceiling = "wakes backoff-max-delay-in-seconds: false -> true";
    assert_eq!(common("1.137.0", "1.138.0"), [interval]);
    assert_eq!(common("1.154.1", "1.155.0"), [ladder]);
    assert_eq!(common("1.155.0", "1.155.1"), Vec::<String>::new());
    assert_eq!(common("1.157.0", "1.158.0"), actuation);
    assert_eq!(
        common("1.135.0", "main"),
        [ladder, read, ceiling, interval, actuation[0], actuation[1], "lookupErrorsCountAsNotFound: true -> false"]
    );
    assert_eq!(
        common("1.159.0", "1.160.0"),
        ["ceilingAnnotation: \"ignored\" -> \"unknown\"", "wakes backoff-max-delay-in-seconds: false -> null"]
    );
    assert_eq!(common("1.134.0", "1.135.0"), ["controllers: \"unknown\" -> \"known\""]);
}

#[test]
fn what_holds_for_one_kind_is_told_at_the_head_where_objects_of_it_are_there() {
    let topics = |text: &str, from: &str, to: &str| -> Vec<Value> {
        upgrade(text, from, to)["common"].as_array().unwrap().iter().map(|one| one["aspect"].clone()).collect()
    };
    // Section 4: the bucket of IAMPolicyMember is there from 1.103.0 on.
    assert_eq!(topics(&manifest(MEMBER).text(), "1.102.0", "1.103.0"), ["policyMemberDriftBucket"]);
    assert!(topics(&manifest(TF).text(), "1.102.0", "1.103.0").is_empty());
    assert_eq!(upgrade(&manifest(MEMBER).text(), "1.102.0", "1.103.0")["objects"], value!([]));
    // Section 2: IAMPartialPolicy goes through the choice from 1.137.0 on.
    assert_eq!(topics(&manifest(PARTIAL).text(), "1.136.0", "1.137.0"), ["partialPolicyChoice"]);
    assert!(topics(&manifest(TF).text(), "1.136.0", "1.137.0").is_empty());
    let context = connector("  mode: cluster\n");
    assert!(topics(&context, "1.135.0", "main").is_empty(), "it configures the controllers, which do not reconcile it");
}

/// Section 2: only direct reads the ceiling. Section 6: the swallowed look-up errors are its own. An edit of the ceiling
/// wakes whoever handles the object (section 5).
#[test]
fn what_holds_for_the_direct_controller_is_told_at_the_head_only_where_it_may_handle_an_object() {
    let topics = |text: &str| -> Vec<String> {
        let report = upgrade(text, "1.155.1", "main");
        let common = report["common"].as_array().unwrap().iter();
        common
            .map(|one| format!("{} {}", one["aspect"].as_str().unwrap(), one["edit"].as_str().unwrap_or("")))
            .collect()
    };
    let of_direct = ["ceilingAnnotation ", "lookupErrorsCountAsNotFound "];
    let told = |text: &str| {
        let topics = topics(text);
        assert!(topics.iter().any(|topic| topic == "wakes backoff-max-delay-in-seconds"), "{topics:?}");
        let of_direct = of_direct.map(|topic| topics.iter().any(|told| told == topic));
        assert_eq!(of_direct[0], of_direct[1], "{topics:?}");
        of_direct[0]
    };
    for others in [TF, DCL, EITHER, MEMBER, PARTIAL] {
        assert!(!told(&manifest(others).with(CEILING, "600").text()), "{others:?}");
    }
    assert!(told(&manifest(DIRECT).text()));
    assert!(told(&manifest(EITHER).with(RECONCILER, "direct").text()));
    assert!(told(&[manifest(TF).text(), manifest(DIRECT).text()].join("\n---\n")), "one object is enough");
    // Who handles a kind is not known of a release before the tables.
    let look_ups = |kind| {
        let report = upgrade(&manifest(kind).text(), "1.134.0", "main");
        report["common"].as_array().unwrap().iter().any(|one| one["aspect"] == "lookupErrorsCountAsNotFound")
    };
    assert!(look_ups(TF));
}

#[test]
fn an_upgrade_changes_nothing_for_a_kind_that_no_controller_reconciles_in_either_release() {
    for kind in [("unknown", "NoSuchKind"), ("core", "ConfigConnectorContext")] {
        let report = upgrade(&manifest(kind).text(), "1.135.0", "main");
        assert_eq!((&report["common"], &report["objects"]), (&value!([]), &value!([])), "{kind:?}");
    }
}

#[test]
fn an_upgrade_tells_of_an_object_only_what_is_its_own() {
    let direct = |ceiling| manifest(DIRECT).with(CEILING, ceiling).text();
    let honoured = changes(&upgrade(&direct("600"), "1.155.1", "main"));
    assert_eq!(honoured.keys().collect::<Vec<_>>(), ["ceiling", "ladder"]);
    assert_eq!(honoured["ladder"].1["maxSeconds"], 600);
    let halted = changes(&upgrade(&direct("0"), "1.155.1", "main"));
    assert_eq!(halted["halting"], (value!({"onError": false}), value!({"onError": true})));
    let unknown = changes(&upgrade(&direct("0"), "1.159.0", "1.160.0"));
    assert_eq!(unknown["ceiling"].1["honoured"], Value::Null);
    assert_eq!(unknown["halting"].1, value!({"onError": null}));
    assert_eq!(unknown["ladder"].1["ifHonoured"]["policy"], "halt");
    assert_eq!(unknown["ladder"].1["ifIgnored"], value!({"policy": "default", "baseSeconds": 0.25, "maxSeconds": 120}));
    let paused = manifest(DIRECT).with(ACTUATION, "Paused").text();
    assert_eq!(aspects(&upgrade(&paused, "1.157.0", "1.158.0")), ["actuation"]);
    for same in [manifest(TF).with(CEILING, "600").text(), manifest(DIRECT).with(INTERVAL, "0").text()] {
        for from in ["1.130.0", "1.154.0"] {
            assert_eq!(upgrade(&same, from, "main")["objects"], value!([]), "{from} {same}");
        }
    }
    // The same identity twice: each is compared with itself.
    let twice = [
        manifest(EITHER).with(CEILING, "9").text(),
        manifest(EITHER).with(CEILING, "9").with(RECONCILER, "direct").text(),
    ];
    let report = upgrade(&twice.join("\n---\n"), "1.155.1", "main");
    assert_eq!(report["summary"], value!({"changed": 1, "added": 0, "removed": 0, "same": 1}));
}

/// kcc.md section 1: ComputeSSLCertificate has no periodic requeue, but nothing is skipped either, whoever handles it.
#[test]
fn a_kind_without_periodic_requeue_has_none_in_any_release() {
    let text = manifest(("compute", "ComputeSSLCertificate")).text();
    assert_eq!(fates(&upgrade(&text, "1.134.0", "main")), [""; 0]);
}

#[test]
fn a_deletion_that_is_done_is_told_as_such() {
    let deleting = |finalizer: &str| {
        let metadata = format!("deletionTimestamp: \"2026-11-30T03:12:00Z\"\nfinalizers: [{finalizer}]");
        manifest(DIRECT).metadata(&metadata).text()
    };
    let shown = stdout(&diff(&deleting("cnrm.cloud.google.com/finalizer"), &deleting("example.org/other"), &[]));
    assert!(shown.contains("requested: deletes the cloud resource → Config Connector is done with it"), "{shown}");
}

#[test]
fn a_controller_that_a_release_does_not_tell_is_no_change() {
    for kind in [DIRECT, TF, DCL, MEMBER, PARTIAL, ("unknown", "NoSuchKind")] {
        let report = upgrade(&manifest(kind).text(), "1.134.0", "1.135.0");
        assert_eq!(report["objects"], value!([]), "{kind:?}");
    }
    assert_eq!(upgrade(&manifest(TF).text(), "1.134.0", "1.135.0")["common"][0]["aspect"], "controllers");
}

/// A release as three numbers, main above all: an independent reading of the table.
fn release(text: &str) -> (u32, u32, u32) {
    if text == "main" {
        return (u32::MAX, 0, 0);
    }
    let mut parts = text.split('.').map(|part| part.parse().unwrap());
    (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
}

type RowOf = (String, BTreeSet<String>);

/// The rows of the data file that hold in a release, by group and kind: default and supported controllers.
fn rows_in(text: &str) -> BTreeMap<(String, String), RowOf> {
    // Releases after 1.155.1 are told by the rows of main.
    let asked = if release(text) > (1, 155, 1) { release("main") } else { release(text) };
    let table = include_str!("../../data/kcc-controllers.csv");
    let mut rows = BTreeMap::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let until = if columns[3].is_empty() { release("main") } else { release(columns[3]) };
        if release(columns[2]) <= asked && asked <= until {
            let supported = columns[5].split('|').map(str::to_owned).collect();
            rows.insert((columns[0].to_owned(), columns[1].to_owned()), (columns[4].to_owned(), supported));
        }
    }
    rows
}

fn kinds_of_the_table() -> BTreeSet<(String, String)> {
    let table = include_str!("../../data/kcc-controllers.csv").lines().skip(1);
    table
        .map(|line| {
            let mut columns = line.split(',');
            (columns.next().unwrap().to_owned(), columns.next().unwrap().to_owned())
        })
        .collect()
}

/// The kinds whose objects have a change of controller in a report.
fn moved(report: &Value) -> BTreeSet<(String, String)> {
    let objects = report["objects"].as_array().unwrap().iter();
    objects
        .filter(|object| of_object(object).contains_key("controller"))
        .map(|object| {
            let api_version = object["ref"]["apiVersion"].as_str().unwrap();
            let group = api_version.split_once('/').unwrap().0.to_owned();
            (group, object["ref"]["kind"].as_str().unwrap().to_owned())
        })
        .collect()
}

fn kinds_whose_rows_differ(from: &str, to: &str) -> BTreeSet<(String, String)> {
    let (before, after) = (rows_in(from), rows_in(to));
    kinds_of_the_table().into_iter().filter(|kind| before.get(kind) != after.get(kind)).collect()
}

#[test]
fn the_controller_changes_of_an_upgrade_name_exactly_the_kinds_whose_rows_differ() {
    let mut text = String::new();
    for (group, kind) in kinds_of_the_table() {
        let _ = write!(text, "apiVersion: {group}/v1beta1\nkind: {kind}\nmetadata: {{name: a, namespace: b}}\n---\n");
    }
    let mut found = 0;
    for (from, to) in [
        ("1.135.0", "main"),
        ("main", "1.135.0"),
        ("1.135.0", "1.155.1"),
        ("1.137.1", "1.138.0"),
        ("1.150.0", "1.153.0"),
        ("1.154.0", "1.155.0"),
        ("1.155.1", "main"),
        ("1.155.1", "1.157.0"),
        ("1.156.0", "main"),
    ] {
        let report = upgrade(&text, from, to);
        let expected = kinds_whose_rows_differ(from, to);
        assert_eq!(moved(&report), expected, "{from} {to}");
        found += expected.len();
        for object in report["objects"].as_array().unwrap() {
            let key = |object: &Value| {
                let group = object["ref"]["apiVersion"].as_str().unwrap().split_once('/').unwrap().0.to_owned();
                (group, object["ref"]["kind"].as_str().unwrap().to_owned())
            };
            let (before, after) = &of_object(object)["controller"];
            for (value, rows) in [(before, rows_in(from)), (after, rows_in(to))] {
                let default = rows.get(&key(object)).map_or("none", |row| row.0.as_str());
                assert_eq!(value["name"], default, "{object}");
            }
        }
    }
    assert!(found > 200, "only {found} rows differ");
    assert!(kinds_whose_rows_differ("1.156.0", "main").is_empty());
}

#[test]
fn the_reason_of_a_change_of_controller_says_what_the_row_says_now() {
    let reason = |text: &str, from: &str, to: &str| {
        upgrade(text, from, to)["objects"][0]["changes"][0]["reason"].as_str().unwrap().to_owned()
    };
    let job = manifest(("dataflow", "DataflowJob")).text();
    // The table: DataflowJob is direct's, too, from 1.154.0 on.
    assert_eq!(reason(&job, "1.153.0", "1.154.0"), "in 1.154.0 direct can be chosen");
    assert_eq!(reason(&job, "1.154.0", "1.153.0"), "in 1.153.0 direct cannot be chosen");
    let (appeared, _) = rows_in("main")
        .into_keys()
        .map(|key| (key.clone(), rows_in("1.135.0").contains_key(&key)))
        .find(|(_, was)| !was)
        .unwrap();
    let text = format!("apiVersion: {}/v1\nkind: {}\nmetadata: {{name: a}}", appeared.0, appeared.1);
    assert!(reason(&text, "1.135.0", "main").starts_with("no row in the table of 1.135.0; "));
    assert_eq!(reason(&text, "main", "1.135.0"), "no row in the table of 1.135.0");
}

#[test]
#[cfg_attr(not(has_corpus), ignore = "KCC_BACKOFF_CORPUS is not set")]
fn the_samples_differ_from_themselves_in_nothing_and_between_releases_by_the_rows_of_their_kinds() {
    let corpus = std::env::var("KCC_BACKOFF_CORPUS").unwrap();
    let folder = Path::new(&corpus);
    let itself = diff_in(folder, &["-R", ".", ".", "--exit-code"]);
    assert_eq!((code(&itself), stdout(&itself)), (0, String::new()), "{}", stderr(&itself));
    let all: Value =
        serde_json::from_slice(&binary(folder).args(["explain", "-R", ".", "-o", "json"]).output().unwrap().stdout)
            .unwrap();
    let objects: Vec<&Value> = all["objects"].as_array().unwrap().iter().collect();
    let differ = kinds_whose_rows_differ("1.135.0", "main");
    let key = |object: &Value| {
        let group = object["ref"]["apiVersion"].as_str().unwrap().split_once('/').unwrap().0.to_owned();
        (group, object["ref"]["kind"].as_str().unwrap().to_owned())
    };
    let report = parsed(&diff_in(folder, &["-R", ".", "--kcc-version", "1.135.0", "--against", "main", "-o", "json"]));
    let expected: BTreeSet<_> = objects.iter().map(|object| key(object)).filter(|kind| differ.contains(kind)).collect();
    assert!(expected.len() > 50, "{}", expected.len());
    assert_eq!(moved(&report), expected);
    let changed = objects.iter().filter(|object| differ.contains(&key(object))).count();
    let with_controller = report["objects"].as_array().unwrap().iter();
    assert_eq!(with_controller.filter(|object| of_object(object).contains_key("controller")).count(), changed);
}

/// The screen for two texts, or for one in two releases.
fn screen(old: &str, new: Option<&str>, releases: (&str, &str), style: Style) -> String {
    let load = |text: &str, file: &str| {
        let folder = folder(&[(file, text)]);
        let inputs = [Input::Path(folder.path().join(file))];
        let loaded = source::load(&inputs, &Options::default(), &mut std::io::empty(), &|item| {
            Object::read(item.node, item.api_version, item.kind, &file.into(), None)
        });
        loaded.objects.into_iter().flatten().collect::<Vec<Object>>()
    };
    let side = |file: &str, objects: &[Object]| DiffSide {
        inputs: vec![file.to_owned()],
        summary: Summary {
            kcc: objects.iter().filter(|object| matches!(object, Object::Kcc(_))).count(),
            plural: objects.iter().filter(|object| matches!(object, Object::Plural(_))).count(),
            ..Summary::default()
        },
    };
    let world = |release: &str, objects: &[Object]| {
        let mut world = World::new(Some(release.parse().unwrap()), None, NOW.parse().unwrap());
        world.observe(objects.iter());
        world
    };
    let old = load(old, "old.yaml");
    let new = new.map(|new| load(new, "new.yaml"));
    let refs: Vec<&Object> = old.iter().collect();
    let new_refs: Vec<&Object> = new.iter().flatten().collect();
    let (old_world, new_world) = (world(releases.0, &old), world(releases.1, new.as_ref().unwrap_or(&old)));
    let comparison = match new {
        None => Comparison::of_releases(&refs, &old_world, &new_world),
        Some(_) => Comparison::of_trees(
            Side { objects: &refs, world: &old_world },
            Side { objects: &new_refs, world: &new_world },
        ),
    };
    let from = side("old.yaml", &old);
    let to = new.as_ref().map(|new| side("new.yaml", new));
    let mut bytes = Vec::new();
    let diff = Diff { comparison: &comparison, from: &from, to: to.as_ref(), problems: &[] };
    output::diff_text(&mut bytes, style, diff).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Two trees that differ in everything that can.
fn two_trees() -> (String, String) {
    let project = |spec: &str| console("Project", spec);
    let repository = |login: &str, more: &str| {
        console("GitRepository", &format!("  url: https://{login}@git.example.test/platform/infra.git\n{more}"))
    };
    let old = [
        named(DIRECT, "errors"),
        manifest(EITHER).with(CEILING, "600").text(),
        manifest(TF).with(POLICY, "abandon").text(),
        project("  name: platform"),
        repository("me:one", ""),
    ];
    let halted = manifest(DIRECT)
        .with(CEILING, "0")
        .with(INTERVAL, "3600")
        .with(ACTUATION, "Paused")
        .with(POLICY, "abandon")
        .text()
        .replace("name: it", "name: errors");
    let new = [
        repository("me:two", "  reconciliation: {interval: 5m}"),
        project("  name: platform\n  reconciliation: {driftDetection: false}"),
        console("Catalog", "  name: tools"),
        manifest(EITHER).with(CEILING, "600").with(RECONCILER, "direct").text(),
        halted,
        manifest(DIRECT).with(CEILING, "1800").text().replace("name: it", "name: audit"),
        manifest(MEMBER).with(CEILING, "x").text(),
    ];
    (old.join("\n---\n"), new.join("\n---\n"))
}

fn columns(width: usize) -> Style {
    Style { color: false, width: Some(width) }
}

#[test]
fn two_trees_off_a_terminal() {
    let (old, new) = two_trees();
    insta::assert_snapshot!(screen(&old, Some(&new), ("main", "main"), Style::PLAIN));
}

#[test]
fn two_trees_at_80_columns() {
    let (old, new) = two_trees();
    insta::assert_snapshot!(screen(&old, Some(&new), ("main", "main"), columns(80)));
}

#[test]
fn an_upgrade_at_80_columns() {
    let text = [
        manifest(DIRECT).with(CEILING, "600").text(),
        manifest(("dataflow", "DataflowJob")).text(),
        manifest(("cloudidentity", "CloudIdentityGroup")).text(),
        manifest(EITHER).with(ACTUATION, "Paused").text(),
        manifest(MEMBER).text(),
        manifest(PARTIAL).text(),
    ];
    insta::assert_snapshot!(screen(&text.join("\n---\n"), None, ("1.135.0", "main"), columns(80)));
}

#[test]
fn no_line_is_wider_than_the_terminal_except_a_title_or_a_single_word() {
    let (old, new) = two_trees();
    for width in [60, 80, 100, 200] {
        for line in screen(&old, Some(&new), ("main", "main"), columns(width)).lines() {
            // What cannot be broken: a value with a long URL in it.
            let whole = line.contains("https://");
            assert!(whole || line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn colour_changes_nothing_but_escape_sequences() {
    colored::control::set_override(true);
    let (old, new) = two_trees();
    let plain = screen(&old, Some(&new), ("main", "main"), columns(100));
    let painted = screen(&old, Some(&new), ("main", "main"), Style { color: true, width: Some(100) });
    assert_ne!(plain, painted);
    assert_eq!(plain, without_colour(&painted));
}

#[test]
fn of_what_no_controller_reconciles_only_that_is_told() {
    let nothing = "apiVersion: v1\nkind: Namespace\nmetadata: {name: x}";
    let kcc = manifest(("unknown", "NoSuchKind")).text();
    let plural = console("NoSuchKind", "  name: x");
    let added = stdout(&diff(nothing, &[kcc.as_str(), &plural].join("\n---\n"), &[]));
    assert!(
        added.contains(
            "Controller    none        no controller reconciles it in main: it has no row in the table of main\n\n"
        ),
        "{added}"
    );
    assert!(added.contains("\n  Kind          unknown     the kind is unknown to this version\n\n"), "{added}");
    let removed = stdout(&diff(&kcc, nothing, &[]));
    assert!(removed.contains("\n  Deletion      nothing (no controller)\n\n"), "{removed}");
    // A kind that is excluded loses everything that a controller does.
    let excluding = connector(
        "  mode: cluster\n  experiments:\n    resourceSettings:\n      mode: exclude\n      resources: [{group: logging.cnrm.cloud.google.com}]\n",
    );
    let one = manifest(DIRECT).text();
    let report = report(&one, &format!("{one}\n---\n{excluding}"), &[]);
    let changed = report["objects"].as_array().unwrap().iter().find(|object| object["change"] == "changed").unwrap();
    let changes = of_object(changed);
    assert_eq!(changes.keys().collect::<Vec<_>>(), ["actuation", "controller", "deletion", "drift", "ladder"]);
    assert_eq!(changes["controller"].1["name"], "none");
    assert_eq!(changes["ladder"].1, value!({"policy": "none", "baseSeconds": null, "maxSeconds": null}));
}

/// kcc.md, head: no table before 1.135.0, main's rows after 1.155.1, delays checked from 1.90.0 on.
#[test]
fn what_is_not_known_of_a_release_is_said_beside_the_answer() {
    let text = manifest(DIRECT).text();
    let note = |from: &str, to: &str| upgrade(&text, from, to)["note"].as_str().unwrap().to_owned();
    assert_eq!(note("1.150.0", "main"), "Told for Config Connector 1.150.0 and main.");
    assert_eq!(
        note("1.156.0", "1.157.0"),
        "Told for Config Connector 1.156.0 and 1.157.0. Which controllers 1.156.0 has is not known: main's are shown. \
         Which controllers 1.157.0 has is not known: main's are shown."
    );
    assert_eq!(
        note("1.80.0", "1.135.0"),
        "Told for Config Connector 1.80.0 and 1.135.0. Which controllers 1.80.0 has is not known. The delays of 1.80.0 are \
         not known: those of 1.90.0 are shown."
    );
    let folder = folder(&[("all.yaml", &text)]);
    let from_main = parsed(&diff_in(folder.path(), &["all.yaml", "--against", "1.150.0", "-o", "json"]));
    assert_eq!(
        from_main["note"],
        "Told for Config Connector main and 1.150.0. main is the default (--kcc-version names yours)."
    );
    assert_eq!((&from_main["from"]["release"], &from_main["to"]["release"]), (&value!("main"), &value!("1.150.0")));
}

#[test]
fn the_line_on_what_is_told_speaks_of_the_systems_that_are_there() {
    let (plural, kcc) = (console("Project", "  name: x"), manifest(DIRECT).text());
    let note = |old: &str, new: &str| report(old, new, &[])["note"].as_str().unwrap().to_owned();
    let marks = "[inferred] and [documented-only] mark what was not read in the Plural Console's controllers.";
    let release = "Told for Config Connector main. main is the default; releases up to 1.159 ignore the ceiling annotation \
                   (--kcc-version names yours).";
    assert_eq!(note(&plural, &console("Project", "  name: y")), marks);
    assert_eq!(note(&plural, &plural), "");
    assert_eq!(note(&kcc, &kcc), release);
    assert_eq!(note(&kcc, &plural), format!("{release} {marks}"));
}
