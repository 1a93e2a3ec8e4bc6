//! kcc.md section 6: what deleting an object does, and who is waited for.

use kcc_backoff::assess::kcc::Deletion;

use crate::support::*;

const BOTH: &str = "deletionTimestamp: \"2026-11-30T11:00:00Z\"\nfinalizers:\n- cnrm.cloud.google.com/finalizer\n- cnrm.cloud.google.com/deletion-defender\n- example.com/mine";

fn deletion(manifest: &Manifest) -> Deletion<'static> {
    answer(manifest).deletion
}

#[test]
fn deleting_deletes_the_cloud_resource_and_exactly_abandon_keeps_it() {
    for (value, keeps) in [("abandon", true), ("Abandon", false), ("delete", false), ("abandon ", false), ("", false)] {
        let deletion = deletion(&manifest(TF).with(POLICY, value));
        assert_eq!(deletion.abandons, keeps, "{value:?}");
        assert_eq!(deletion.outcome.starts_with("keeps"), keeps, "{value:?}: {}", deletion.outcome);
    }
}

#[test]
fn a_policy_that_looks_like_abandon_is_warned_of_and_any_other_is_only_mentioned() {
    let told = |value| {
        let problems = answer(&manifest(TF).with(POLICY, value)).problems;
        problems.iter().map(|problem| (problem.code.as_str(), problem.severity.as_str())).collect::<Vec<_>>()
    };
    for value in ["Abandon", "abandon ", "abandoned", "ABANDON"] {
        assert_eq!(told(value), [("ineffective-deletion-policy", "warning")], "{value:?}");
    }
    for value in ["delete", "deletion", "none"] {
        assert_eq!(told(value), [("ineffective-deletion-policy", "info")], "{value:?}");
    }
    assert_eq!(told("abandon"), []);
    assert_eq!(told(""), []);
}

#[test]
fn each_finalizer_says_who_is_waited_for() {
    let deletion = deletion(&manifest(TF).metadata(BOTH));
    let told: Vec<(&str, &str)> =
        deletion.finalizers.iter().map(|finalizer| (finalizer.name, finalizer.waits_for.as_ref())).collect();
    assert!(told[0].1.contains("the controller"), "{told:?}");
    assert!(told[1].1.contains("deletion defender"), "{told:?}");
    assert!(told[2].1.contains("not one of Config Connector's"), "{told:?}");
}

#[test]
fn while_the_defender_is_there_direct_waits_and_the_others_ask_again() {
    let waits = |kind| deletion(&manifest(kind).metadata(BOTH)).finalizers.remove(1).waits_for;
    assert!(waits(DIRECT).contains("without retrying"));
    for kind in [TF, DCL, MEMBER] {
        assert!(waits(kind).contains("requeues it on the default ladder"), "{kind:?}");
    }
}

#[test]
fn failing_deletions_use_the_default_ladder_whatever_the_ceiling() {
    for value in ["600", "0"] {
        let retry = deletion(&manifest(DIRECT).with(CEILING, value).metadata(BOTH)).retry.unwrap();
        let ladder = retry.ladder.unwrap();
        assert_eq!((ladder.base().as_millis(), ladder.max().as_secs()), (250, 120));
    }
}

#[test]
fn abandoning_counts_only_after_the_defender_and_direct_looks_first() {
    let direct = deletion(&manifest(DIRECT).with(POLICY, "abandon").metadata(BOTH)).notes.join("; ");
    assert!(
        direct.contains("an error there blocks that") && direct.contains("only once the deletion defender"),
        "{direct}"
    );
    let tf = deletion(&manifest(TF).with(POLICY, "abandon").metadata(BOTH)).notes.join("; ");
    assert!(!tf.contains("an error there blocks that") && tf.contains("only once the deletion defender"), "{tf}");
}

#[test]
fn tf_and_dcl_let_go_when_the_parent_is_gone_and_wait_when_it_is_not_ready() {
    for (kind, told) in [(TF, true), (DCL, true), (DIRECT, false), (MEMBER, false)] {
        let notes = deletion(&manifest(kind).metadata(BOTH)).notes.join("; ");
        assert_eq!(notes.contains("parent object is gone"), told, "{kind:?}");
    }
}

#[test]
fn through_1_155_1_a_direct_lookup_error_drops_the_finalizer() {
    let notes = |release| answer_in(&manifest(DIRECT), release).deletion.notes.join("; ");
    assert!(notes("1.155.1").contains("the finalizer goes and the cloud resource may stay"));
    assert!(notes("1.157.0").contains("not known for 1.157.0"));
    assert!(!notes("main").contains("look-up error"));
}

#[test]
fn a_paused_object_is_not_deleted() {
    let deletion = deletion(&manifest(DIRECT).with(ACTUATION, "Paused").metadata(BOTH));
    assert!(deletion.outcome.contains("not while the object is paused"));
    assert!(deletion.finalizers[0].waits_for.contains("does nothing while the object is paused"));
}

#[test]
fn the_last_finalizer_gone_the_api_server_removes_the_object() {
    let deletion = deletion(&manifest(DIRECT).metadata("deletionTimestamp: \"2026-11-30T11:00:00Z\""));
    assert!(deletion.notes.join("; ").contains("no finalizer is left"));
}

#[test]
fn a_deletion_time_that_cannot_be_read_is_still_a_deletion() {
    let answer = answer(&manifest(DIRECT).metadata("deletionTimestamp: soon"));
    assert_eq!(answer.deletion.requested, Some(None));
    assert_eq!(codes(&answer), ["unreadable-field"]);
}

/// Section 6: who is waited for with each controller.
#[test]
fn each_finalizer_with_each_controller_says_who_is_waited_for() {
    let waits = |kind, release, paused: bool| {
        let mut asked = manifest(kind).metadata(BOTH);
        if paused {
            asked = asked.with(ACTUATION, "Paused");
        }
        let finalizers = answer_in(&asked, release).deletion.finalizers;
        (finalizers[0].waits_for.to_string(), finalizers[1].waits_for.to_string())
    };
    let defender = "KCC's deletion defender, which removes it once deletion is allowed";
    for (name, kind) in EVERY_CONTROLLER {
        let (ours, theirs) = waits(kind, "main", false);
        assert_eq!(ours, "the controller, which removes it when the cloud resource is deleted or abandoned", "{name}");
        let direct = format!("{defender}; until then the direct controller waits, without retrying");
        let others = format!("{defender}; until then the controller requeues it on the default ladder");
        assert_eq!(theirs, if name == "direct" { direct } else { others }, "{name}");
        let (ours, _) = waits(kind, "main", true);
        assert_eq!(ours, "the controller, which does nothing while the object is paused", "{name}");
    }
    let (ours, theirs) = waits(("logging", "LoggingNoSuchKind"), "main", false);
    assert_eq!(ours, "a controller, but none reconciles the object in this release, so nobody removes it");
    assert_eq!(theirs, defender);
    // Before the table it is not known how the controller waits, except of the IAM kinds.
    assert_eq!(waits(DIRECT, "1.134.1", false).1, defender);
    assert!(waits(MEMBER, "1.134.1", false).1.ends_with("requeues it on the default ladder"));
}

/// Section 6: "Direct looks the cloud object up before it honours it: an error there blocks abandoning"; the policy
/// counts only after the defender; CRD being deleted: both finalizers go and `abandon` is set.
#[test]
fn each_note_about_deleting_stands_where_it_holds() {
    const LOOKS: &str = "looks the cloud resource up before it abandons it: an error there blocks that";
    const AFTER: &str = "only once the deletion defender's finalizer is gone";
    const CRD: &str = "if its CRD is being deleted, the deletion defender removes both finalizers";
    const PARENT: &str = "if its parent object is gone";
    let only = |finalizer| deleting(finalizer);
    let alive = |finalizer: &str| format!("finalizers: [{finalizer}]");
    let abandon = |kind| manifest(kind).with(POLICY, "abandon");
    let cases: Vec<(&str, Manifest, &[&str])> = vec![
        ("direct, alive", manifest(DIRECT), &[]),
        ("direct, alive, abandon", abandon(DIRECT), &[LOOKS]),
        ("direct, alive, abandon, defended", abandon(DIRECT).metadata(&alive(DEFENDER)), &[LOOKS, AFTER]),
        ("direct, deleting", manifest(DIRECT).metadata(&only(FINALIZER)), &[CRD]),
        ("direct, deleting, abandon", abandon(DIRECT).metadata(&only(FINALIZER)), &[CRD, LOOKS]),
        ("direct, deleting, abandon, defended", abandon(DIRECT).metadata(BOTH), &[CRD, LOOKS, AFTER]),
        ("tf, alive", manifest(TF), &[]),
        ("tf, alive, abandon", abandon(TF), &[]),
        ("tf, alive, abandon, defended", abandon(TF).metadata(&alive(DEFENDER)), &[AFTER]),
        ("tf, deleting", manifest(TF).metadata(&only(DEFENDER)), &[CRD, PARENT]),
        ("dcl, deleting", manifest(DCL).metadata(&only(FINALIZER)), &[CRD, PARENT]),
        ("tf, deleting, foreign", manifest(TF).metadata(&only("example.com/mine")), &[PARENT]),
        ("member, deleting", manifest(MEMBER).metadata(&only(FINALIZER)), &[CRD]),
        ("member, deleting, abandon, defended", abandon(MEMBER).metadata(BOTH), &[CRD, AFTER]),
        ("partial, alive, abandon", abandon(PARTIAL), &[]),
        ("nobody, deleting", manifest(("logging", "LoggingNoSuchKind")).metadata(BOTH), &[CRD]),
        ("nobody, abandon", abandon(("logging", "LoggingNoSuchKind")).metadata(&alive(DEFENDER)), &[]),
        ("a policy that does not abandon", manifest(DIRECT).with(POLICY, "delete").metadata(&alive(DEFENDER)), &[]),
    ];
    for (what, asked, expected) in cases {
        let notes = answer(&asked).deletion.notes;
        assert_eq!(notes.len(), expected.len(), "{what}: {notes:?}");
        for (note, words) in notes.iter().zip(expected) {
            assert!(note.contains(words), "{what}: {note}");
        }
    }
}

/// Section 6: through 1.155.1, of direct only; of the releases after it nothing is known but main.
#[test]
fn a_look_up_error_matters_with_direct_only() {
    for (kind, release, words) in [
        (DIRECT, "1.135.0", Some("in 1.135.0 a look-up error other than \"not found\" is ignored")),
        (DIRECT, "1.155.1", Some("in 1.155.1 a look-up error other than \"not found\" is ignored")),
        (DIRECT, "1.155.2", Some("not known for 1.155.2 whether a look-up error drops the finalizer")),
        (DIRECT, "1.160.0", Some("not known for 1.160.0")),
        (DIRECT, "main", None),
        (DIRECT, "1.134.1", None),
        (TF, "1.155.1", None),
        (MEMBER, "1.155.1", None),
    ] {
        let notes = answer_in(&manifest(kind), release).deletion.notes;
        match words {
            Some(words) => assert!(notes.iter().any(|note| note.contains(words)), "{kind:?} {release}: {notes:?}"),
            None => assert!(notes.is_empty(), "{kind:?} {release}: {notes:?}"),
        }
    }
}

/// Section 9: a pause holds deletion, too. AutoPaused does not: deletion goes on.
#[test]
fn the_outcome_says_what_happens_to_the_cloud_resource_and_when_not() {
    let keeps = "keeps the cloud resource (deletion-policy: abandon)";
    let deletes = "deletes the cloud resource";
    let paused = "but not while the object is paused";
    for (kind, policy, mode, expected) in [
        (TF, "", "", deletes.to_owned()),
        (TF, "abandon", "", keeps.to_owned()),
        (TF, "", "Paused", format!("{deletes}, {paused}")),
        (TF, "abandon", "Paused", format!("{keeps}, {paused}")),
        (TF, "", "AutoPaused", deletes.to_owned()),
        (TF, "abandon", "Reconciling", keeps.to_owned()),
        (
            ("logging", "LoggingNoSuchKind"),
            "abandon",
            "",
            "no controller reconciles the object, so nothing is done in the cloud".to_owned(),
        ),
    ] {
        let answer = answer(&manifest(kind).with(POLICY, policy).with(ACTUATION, mode));
        assert_eq!(answer.deletion.outcome, expected, "{policy:?} {mode:?}");
        assert_eq!(answer.deletion.policy, Some(policy));
        assert_eq!(answer.deletion.abandons, policy == "abandon");
        assert_eq!(answer.deletion.place.map(|place| place.line), Some(7));
    }
    let nobody = answer(&manifest(("logging", "LoggingNoSuchKind")).with(POLICY, "Abandon"));
    assert_eq!(codes(&nobody), ["no-controller"], "nothing else is wrong with it that matters");
    assert_eq!(nobody.deletion.retry, None);
    let unset = answer(&manifest(TF)).deletion;
    assert_eq!((unset.policy, unset.place, unset.requested), (None, None, None));
}

/// Section 3, first row, and section 6: failing deletions always use the workqueue default.
#[test]
fn failing_deletions_are_retried_by_the_default_ladder_of_the_release_with_every_controller() {
    for (name, kind) in EVERY_CONTROLLER {
        for (release, base) in [("main", 250), ("1.155.0", 250), ("1.154.1", 2000), ("1.134.1", 2000)] {
            let retry = answer_in(&manifest(kind).with(CEILING, "0"), release).deletion.retry.unwrap();
            let ladder = retry.ladder.unwrap();
            assert_eq!((ladder.base().as_millis(), ladder.max().as_secs()), (base, 120), "{name} in {release}");
            assert_eq!(retry.reason, "failing deletions ignore the ceiling and the halt");
            assert!(retry.bucket.is_some());
        }
    }
}

#[test]
fn a_deletion_policy_that_has_no_effect_says_what_does() {
    let problem = answer(&manifest(TF).with(POLICY, "Abandon")).problems.remove(0);
    assert_eq!(
        problem.message,
        format!(
            "{POLICY} \"Abandon\" has no effect: deleting the object deletes the cloud resource; only exactly abandon keeps it"
        )
    );
    assert_eq!(problem.place.map(|place| (place.line, place.column)), Some((7, 44)));
}
