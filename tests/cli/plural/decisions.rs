//! Every row of console-decisions.csv, for every manifest that it speaks of.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::{FOREIGN, Resource, SEVEN, object};
use crate::support;

const TABLE: &str = include_str!("../../../data/console-decisions.csv");
const REMOTES: [(&str, &str); 3] = [("absent", "ifAbsent"), ("present", "ifPresent"), ("unreachable", "ifUnreachable")];

/// The situation of an object before a pass, in the words of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Before {
    kind: &'static str,
    id: &'static str,
    readonly: &'static str,
    finalizer: &'static str,
    drift: &'static str,
    deleting: &'static str,
}

/// All situations of all kinds: 7 kinds, 2 ids, 3 conditions, 2 finalizers, 2 drift detections, deleting or not.
fn situations() -> Vec<Before> {
    let mut all = Vec::new();
    for (kind, _) in SEVEN {
        for id in ["set", "empty"] {
            for readonly in ["true", "false", "none"] {
                for finalizer in ["ours", "none"] {
                    for drift in ["true", "false"] {
                        for deleting in ["yes", "no"] {
                            all.push(Before { kind, id, readonly, finalizer, drift, deleting });
                        }
                    }
                }
            }
        }
    }
    assert_eq!(all.len(), 7 * 2 * 3 * 2 * 2 * 2);
    all
}

fn rows() -> Vec<Vec<&'static str>> {
    let rows: Vec<Vec<&str>> = TABLE.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 13), "a note with a comma needs a better reader");
    rows
}

/// The numbers of the rows that speak of a situation.
fn matching(before: Before, remote: &str) -> Vec<usize> {
    let wanted = [before.kind, remote, before.id, before.readonly, before.finalizer, before.drift, before.deleting];
    let fits = |row: &Vec<&str>| row.iter().zip(wanted).all(|(cell, wanted)| *cell == "any" || *cell == wanted);
    rows().iter().enumerate().filter(|(_, row)| fits(row)).map(|(number, _)| number).collect()
}

/// The one row that speaks of a situation.
fn row(before: Before, remote: &str) -> Vec<&'static str> {
    let found = matching(before, remote);
    assert_eq!(found.len(), 1, "{before:?} {remote}");
    rows()[found[0]].clone()
}

/// What the JSON has to tell of a row.
fn expected(row: &[&str]) -> Value {
    let [documented, in_cluster, mutation, requeue, confidence, note] = row[7..] else { panic!("{row:?}") };
    let or_null = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    // The note of this row speaks of objects with two names; those of this module have one.
    let note = if note.contains("if spec.name differs from metadata.name") { "" } else { note };
    json!({
        "action": in_cluster, "documented": documented, "mutation": or_null(mutation), "requeue": requeue,
        "confidence": confidence, "note": or_null(note),
    })
}

/// The manifests of a situation: `driftDetection: true` is written in four ways.
fn manifests(before: Before) -> Vec<Resource> {
    let mut base = object(before.kind);
    if before.deleting == "yes" {
        base = base.deleting();
    }
    // An object that is being deleted is there only while somebody holds it.
    if before.deleting == "yes" || before.id == "set" && before.kind != "ServiceAccount" {
        base = base.finalizer(FOREIGN);
    }
    if before.finalizer == "ours" && before.kind != "ServiceAccount" {
        base = base.ours();
    }
    base = match before.id {
        "set" => base.id(),
        // Never set, or emptied.
        _ if before.drift == "true" => base,
        _ => base.status("id: \"\""),
    };
    base = match before.readonly {
        "true" => base.readonly(true),
        "false" => base.readonly(false),
        _ => base,
    };
    let blocks: &[&str] = match before.drift {
        "true" => &["", "{}", "{interval: 5m}", "{driftDetection: true}"],
        _ => &["{driftDetection: false, interval: 10m}"],
    };
    let with = |block: &&str| match *block {
        "" => base.clone(),
        block => base.clone().spec(&format!("reconciliation: {block}")),
    };
    blocks.iter().map(with).collect()
}

/// Every manifest and what explain's JSON tells of it, from one run.
fn explained() -> &'static [(Before, Value)] {
    static EXPLAINED: OnceLock<Vec<(Before, Value)>> = OnceLock::new();
    EXPLAINED.get_or_init(|| {
        let all: Vec<(Before, Resource)> = situations()
            .into_iter()
            .flat_map(|before| manifests(before).into_iter().map(move |manifest| (before, manifest)))
            .collect();
        let text = all.iter().map(|(_, manifest)| manifest.text()).collect::<Vec<_>>().join("---\n");
        let json = support::json(&text, &[]);
        let objects = json["objects"].as_array().unwrap();
        assert_eq!(objects.len(), all.len());
        // 168 with driftDetection false, 168 times four with true.
        assert_eq!(all.len(), 168 + 168 * 4);
        all.iter().zip(objects).map(|((before, _), object)| (*before, object.clone())).collect()
    })
}

#[test]
fn every_situation_matches_exactly_one_row_of_its_kind_and_every_row_some_situation() {
    let mut seen = BTreeMap::new();
    for before in situations() {
        for (remote, _) in REMOTES {
            let found = matching(before, remote);
            assert_eq!(found.len(), 1, "{before:?} {remote}: rows {found:?}");
            *seen.entry(found[0]).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.len(), rows().len());
    assert_eq!(seen.values().sum::<usize>(), 7 * 48 * 3);
}

#[test]
fn the_table_speaks_of_the_seven_kinds_and_in_its_own_words_only() {
    let words = |column: usize| rows().iter().map(|row| row[column]).collect::<BTreeSet<_>>();
    assert_eq!(words(0), SEVEN.iter().map(|(kind, _)| *kind).collect());
    let actions: BTreeSet<&str> =
        ["create", "update", "delete", "adopt", "in-sync-or-update", "read-only", "keep", "wait", "error"].into();
    assert!(words(7).is_subset(&actions) && words(8).is_subset(&actions));
    assert_eq!(words(10), ["interval", "wait", "none", "error"].into());
    assert_eq!(words(11), ["source", "inferred", "documented-only"].into());
}

#[test]
fn explain_tells_every_row_for_every_manifest_that_it_speaks_of() {
    let mut rows_told = BTreeSet::new();
    for (before, object) in explained() {
        for (remote, key) in REMOTES {
            let row = row(*before, remote);
            let told = &object["mode"]["details"][key];
            assert_eq!(*told, expected(&row), "{before:?} {remote}");
            assert_eq!(object["mode"][key], row[8], "{before:?} {remote}");
            rows_told.insert(matching(*before, remote)[0]);
        }
    }
    assert_eq!(rows_told.len(), rows().len());
}

/// Section 3.2, written down once more.
fn promised(before: Before, remote: &str) -> &'static str {
    let (id, drift) = (before.id == "set", before.drift == "true");
    let writes_false_on_read_only = ["ServiceAccount", "ServiceContext"].contains(&before.kind);
    let finalizer_is_for_managed = ["Project", "GitRepository", "NotificationSink"].contains(&before.kind);
    let owned = id
        && match before.readonly {
            "false" => !writes_false_on_read_only,
            "none" => before.finalizer == "ours" && finalizer_is_for_managed,
            _ => false,
        };
    if before.deleting == "yes" {
        return match (id && before.readonly != "true" && (drift || owned), remote) {
            (true, "unreachable") => "error",
            (true, "present") => "delete",
            _ => "keep",
        };
    }
    match remote {
        "unreachable" => "error",
        "absent" if before.readonly == "true" && !drift => "wait",
        "absent" => "create",
        _ if drift && id && before.readonly != "true" => "in-sync-or-update",
        _ if drift => "adopt",
        _ if owned => "in-sync-or-update",
        _ => "read-only",
    }
}

#[test]
fn the_documentations_promise_follows_the_documented_rules() {
    for (before, object) in explained() {
        for (remote, key) in REMOTES {
            let told = &object["mode"]["details"][key]["documented"];
            assert_eq!(*told, promised(*before, remote), "{before:?} {remote}");
        }
    }
}

#[test]
fn with_an_id_the_remote_counts_as_present_now_and_without_one_only_what_is_certain_is_told() {
    for (before, object) in explained() {
        let mode = &object["mode"];
        let has_status = before.id == "set" || before.readonly != "none" || before.drift == "false";
        let now = match before.id {
            "set" => mode["ifPresent"].clone(),
            _ if has_status && mode["ifAbsent"] == mode["ifPresent"] => mode["ifPresent"].clone(),
            _ => Value::Null,
        };
        assert_eq!(mode["now"], now, "{before:?}");
        assert_eq!(mode["now"].is_null(), mode["details"]["now"].is_null());
        assert_ne!(mode["nowReason"], "", "{before:?}");
    }
}

#[test]
fn an_object_with_a_status_is_told_what_its_deletion_would_do_to_a_remote_that_is_there() {
    for (before, object) in explained() {
        let has_status = before.id == "set" || before.readonly != "none" || before.drift == "false";
        let deletion = &object["deletion"];
        let then = Before { deleting: "yes", ..*before };
        if !has_status && before.deleting == "no" {
            assert_eq!(
                (&deletion["now"], &deletion["nowReason"]),
                (&Value::Null, &json!("the manifest has no status"))
            );
        } else if before.kind == "ServiceAccount" && before.deleting == "no" {
            // Nobody holds it, so nobody sees its deletion.
            assert_eq!(deletion["now"], "keep", "{before:?}");
            assert_eq!(deletion["details"]["now"]["documented"], row(then, "present")[7], "{before:?}");
        } else {
            assert_eq!(deletion["details"]["now"], expected(&row(then, "present")), "{before:?}");
            assert_eq!(deletion["now"], row(then, "present")[8], "{before:?}");
        }
    }
}

#[test]
fn an_object_that_is_being_deleted_is_told_what_follows_for_each_remote() {
    for (before, object) in explained().iter().filter(|(before, _)| before.deleting == "yes") {
        for (remote, key) in &REMOTES[..2] {
            let row = row(*before, remote);
            assert_eq!(object["deletion"]["details"][key], expected(&row), "{before:?} {remote}");
            assert_eq!(object["deletion"][key], row[8], "{before:?} {remote}");
        }
        assert_eq!(object["deletion"]["requested"], true);
        assert_eq!(object["deletion"]["requestedAt"], "2026-11-30T11:59:00Z");
    }
}

#[test]
fn drift_detection_has_the_crds_default_however_it_is_written() {
    for (before, object) in explained() {
        assert_eq!(object["driftDetection"]["value"], before.drift == "true", "{before:?}");
    }
}

/// The words about one remote in the line on the documentation.
fn promise(screen: &str, when: &str) -> Option<String> {
    let line = super::lines_of(screen, "Documented").join(" ");
    let clauses = line.strip_prefix("otherwise: ")?.split("; ");
    clauses.filter_map(|clause| clause.strip_suffix(when)).map(|action| action.trim().to_owned()).next()
}

#[test]
fn the_screen_tells_the_documentations_promise_where_it_is_another_one_and_only_there() {
    for before in situations() {
        let screen = super::screen(&manifests(before)[0]);
        for (remote, _) in REMOTES {
            let when = if remote == "unreachable" { " if unknown" } else { &format!(" if {remote}") };
            let [documented, in_cluster] = row(before, remote)[7..9] else { panic!("two columns") };
            let wanted = (documented != in_cluster).then(|| documented.to_owned());
            assert_eq!(promise(&screen, when), wanted, "{before:?} {remote}\n{screen}");
        }
    }
}

#[test]
fn a_failed_look_up_has_a_line_where_it_is_not_what_everybody_expects() {
    let words = [("none", "does not come again by itself"), ("wait", "15 to 45 s"), ("interval", "periodic requeue")];
    for before in situations() {
        let screen = super::screen(&manifests(before)[0]);
        let lines = super::lines_of(&screen, "If unknown");
        let [documented, in_cluster, _, requeue] = row(before, "unreachable")[7..11] else { panic!("four columns") };
        // An error that is retried as one, as the documentation has it.
        let usual = documented == "error" && in_cluster == "error" && requeue == "error";
        assert_eq!(lines.is_empty(), usual, "{before:?}\n{screen}");
        if let ([line], "error") = (&lines[..], in_cluster) {
            let again =
                words.iter().find(|(word, _)| *word == requeue).map_or("is retried as an error", |(_, told)| told);
            assert!(line.contains(again), "{before:?}: {line}");
        }
    }
}

#[test]
fn the_screen_marks_what_is_not_known_from_the_source_and_nothing_else() {
    for before in situations() {
        let manifest = &manifests(before)[0];
        let mode = super::answer(manifest).mode;
        let screen = super::screen(manifest);
        // Known from the status, a case is the next pass, and the other one is what if that is no longer so.
        let cases = [("If absent", "If gone", &mode.if_absent), ("If present", "If back", &mode.if_present)];
        for (unknown, known, outcome) in cases {
            let lines = |label: &str| super::lines_of(&screen, label);
            let line = [unknown, known, "Next pass"].into_iter().flat_map(lines).next();
            let line = line.unwrap_or_else(|| panic!("{before:?}: {unknown}\n{screen}"));
            for word in ["inferred", "documented-only"] {
                let marked = line.contains(&format!(" [{word}]"));
                assert_eq!(marked, outcome.confidence.as_str() == word, "{before:?}: {line}");
            }
        }
    }
}
