//! kcc.md sections 1, 3, 4 and 5: how often an object that succeeds is looked at again.

use std::time::Duration;

use kcc_backoff::assess::kcc::{Drift, DriftOrigin, DriftState};
use kcc_backoff::kcc::NumberFault;

use crate::support::*;

fn drift(manifest: &Manifest) -> Drift<'static> {
    answer(manifest).drift
}

fn seconds(drift: &Drift<'_>) -> Option<(f64, f64, f64)> {
    drift.range().map(|(mean, least, most)| (mean.as_secs_f64(), least.as_secs_f64(), most.as_secs_f64()))
}

#[test]
fn the_built_in_interval_is_10_min_drawn_from_5_to_15_for_every_controller() {
    for kind in [DIRECT, TF, DCL, MEMBER, PARTIAL] {
        let drift = drift(&manifest(kind));
        assert_eq!(drift.origin, DriftOrigin::BuiltIn, "{kind:?}");
        assert_eq!(seconds(&drift), Some((600.0, 300.0, 900.0)), "{kind:?}");
    }
}

#[test]
fn bigtable_and_service_kinds_have_an_interval_of_an_hour() {
    for kind in [("bigtable", "BigtableInstance"), ("bigtable", "BigtableTable"), ("serviceusage", "Service")] {
        let drift = drift(&manifest(kind));
        assert_eq!(drift.origin, DriftOrigin::Kind, "{kind:?}");
        assert_eq!(seconds(&drift), Some((3600.0, 1800.0, 5400.0)), "{kind:?}");
    }
}

#[test]
fn ssl_certificates_and_service_identities_have_no_periodic_requeue_but_skip_nothing() {
    for kind in [("compute", "ComputeSSLCertificate"), ("serviceusage", "ServiceIdentity")] {
        let drift = drift(&manifest(kind));
        assert_eq!((drift.state, drift.origin), (DriftState::Never, DriftOrigin::Kind), "{kind:?}");
        assert!(!drift.skips_when_up_to_date, "{kind:?}");
        assert!(drift.notes.join(" ").contains("nothing is skipped"));
    }
}

#[test]
fn the_annotation_goes_before_the_kind() {
    let drift = drift(&manifest(("bigtable", "BigtableInstance")).with(INTERVAL, "20"));
    assert_eq!(drift.origin, DriftOrigin::Annotation);
    assert_eq!(seconds(&drift), Some((20.0, 10.0, 30.0)));
    assert_eq!(drift.place.map(|place| place.line), Some(7));
}

/// kcc.md section 3: ParseInt(value, 10, 32), negative and empty refused.
#[test]
fn spellings_of_the_interval_are_judged_as_the_controllers_do() {
    let cases = [
        ("600", DriftState::Periodic(600)),
        ("+600", DriftState::Periodic(600)),
        ("0600", DriftState::Periodic(600)),
        ("1", DriftState::Periodic(1)),
        ("0", DriftState::Never),
        ("-0", DriftState::Never),
        ("", DriftState::Invalid(NumberFault::Empty)),
        (" ", DriftState::Invalid(NumberFault::NotAnInteger)),
        ("10m", DriftState::Invalid(NumberFault::NotAnInteger)),
        ("1.5", DriftState::Invalid(NumberFault::NotAnInteger)),
        ("-1", DriftState::Invalid(NumberFault::Negative)),
        ("2147483648", DriftState::Invalid(NumberFault::OutOfRange)),
    ];
    for (value, expected) in cases {
        assert_eq!(drift(&manifest(DIRECT).with(INTERVAL, value)).state, expected, "{value:?}");
    }
}

#[test]
fn an_interval_of_one_second_is_drawn_from_half_a_second_to_one_and_a_half() {
    let (_, least, most) = drift(&manifest(DIRECT).with(INTERVAL, "1")).range().unwrap();
    assert_eq!((least, most), (Duration::from_millis(500), Duration::from_millis(1500)));
}

#[test]
fn zero_skips_an_up_to_date_object_on_tf_dcl_and_direct_and_never_on_iam_kinds() {
    for kind in [DIRECT, TF, DCL] {
        let drift = drift(&manifest(kind).with(INTERVAL, "0"));
        assert!(drift.skips_when_up_to_date, "{kind:?}");
        assert!(
            drift
                .notes
                .join(" ")
                .contains("only a change of spec or of this interval, or a request to delete, gets through")
        );
    }
    for kind in [MEMBER, PARTIAL, ("iam", "IAMPolicy"), ("iam", "IAMAuditConfig")] {
        let drift = drift(&manifest(kind).with(INTERVAL, "0"));
        assert!(!drift.skips_when_up_to_date, "{kind:?}");
        assert!(drift.notes.join(" ").contains("never skip"), "{kind:?}");
    }
}

#[test]
fn zero_does_not_stop_error_retries() {
    let answer = answer(&manifest(TF).with(INTERVAL, "0"));
    assert!(answer.retry.known().unwrap().ladder.is_some());
    assert!(answer.drift.notes.join(" ").contains("does not stop error retries"));
}

#[test]
fn zero_leaves_three_iam_kinds_waiting_in_silence_for_a_dependency() {
    for (kind, silent) in
        [("IAMPolicy", true), ("IAMPolicyMember", true), ("IAMAuditConfig", true), ("IAMPartialPolicy", false)]
    {
        let notes = drift(&manifest(("iam", kind)).with(INTERVAL, "0")).notes.join(" ");
        assert_eq!(notes.contains("in silence"), silent, "{kind}");
    }
}

#[test]
fn an_invalid_interval_does_its_damage_by_controller() {
    for kind in [DIRECT, TF, DCL] {
        let notes = drift(&manifest(kind).with(INTERVAL, "10m")).notes.join(" ");
        assert!(notes.contains("only the first attempt of a generation actuates"), "{kind:?}");
        assert!(notes.contains("a failed deletion is stuck"), "{kind:?}");
    }
    for kind in [MEMBER, PARTIAL] {
        let notes = drift(&manifest(kind).with(INTERVAL, "10m")).notes.join(" ");
        assert!(notes.contains("every attempt actuates"), "{kind:?}");
    }
    let answer = answer(&manifest(DIRECT).with(INTERVAL, ""));
    assert_eq!(codes(&answer), ["invalid-drift-interval"]);
}

#[test]
fn a_null_interval_is_stored_empty_and_so_invalid() {
    let answer = answer(&manifest(DIRECT).raw(INTERVAL, "~"));
    assert_eq!(answer.drift.state, DriftState::Invalid(NumberFault::Empty));
}

#[test]
fn iam_members_and_partial_policies_wait_for_a_bucket_of_their_own() {
    for (kind, release, bucket) in [
        (MEMBER, "main", true),
        (PARTIAL, "main", true),
        (("iam", "IAMPolicy"), "main", false),
        (DIRECT, "main", false),
    ] {
        let drift = answer_in(&manifest(kind), release).drift;
        assert_eq!(drift.bucket.map(|bucket| (bucket.per_second, bucket.burst)), bucket.then_some((5, 50)), "{kind:?}");
    }
}

#[test]
fn an_object_without_a_controller_is_never_looked_at() {
    let drift = drift(&manifest(("logging", "LoggingNoSuchKind")));
    assert_eq!((drift.state, drift.origin), (DriftState::Never, DriftOrigin::NoController));
}

/// Section 4: "IAMPolicyMember (from 1.103.0) and IAMPartialPolicy"; their controllers are unknown before 1.135.0, but
/// the rules are the kinds'.
#[test]
fn the_bucket_of_drift_requeues_begins_with_1_103_0_for_members_and_has_always_been_there_for_partial_policies() {
    let note = "also wait for a token bucket of their own (5 a second, burst 50)";
    for (kind, release, bucket) in [
        (MEMBER, "1.90.0", false),
        (MEMBER, "1.102.0", false),
        (MEMBER, "1.103.0", true),
        (MEMBER, "1.134.1", true),
        (MEMBER, "1.135.0", true),
        (MEMBER, "main", true),
        (PARTIAL, "1.102.0", true),
        (PARTIAL, "1.103.0", true),
        (PARTIAL, "main", true),
        (("iam", "IAMPolicy"), "1.103.0", false),
        (("iam", "IAMAuditConfig"), "main", false),
        (TF, "1.103.0", false),
        (TF, "main", false),
        (DCL, "main", false),
    ] {
        let drift = answer_in(&manifest(kind), release).drift;
        assert_eq!(drift.bucket.is_some(), bucket, "{kind:?} in {release}");
        assert_eq!(drift.notes.iter().any(|told| told.contains(note)), bucket, "{kind:?} in {release}");
    }
    // No periodic requeue, nothing that waits for the bucket.
    let never = drift(&manifest(MEMBER).with(INTERVAL, "0"));
    assert!(!never.notes.iter().any(|told| told.contains(note)), "{:?}", never.notes);
}

/// Section 3 and 5: what is known of tf, dcl, direct and the IAM kinds is not known of a controller that is unknown.
#[test]
fn of_an_unknown_controller_neither_a_skip_nor_what_the_iam_kinds_do_is_told() {
    for release in ["1.90.0", "1.134.1"] {
        for kind in [DIRECT, TF, DCL] {
            let zero = answer_in(&manifest(kind).with(INTERVAL, "0"), release).drift;
            assert_eq!(zero.notes, ["interval \"0\" does not stop error retries"], "{kind:?}");
            assert!(!zero.skips_when_up_to_date, "{kind:?}");
            let invalid = answer_in(&manifest(kind).with(INTERVAL, "10m"), release).drift;
            assert_eq!(
                invalid.notes,
                ["every reconcile ends in an error on the default ladder, for ever, whatever the ceiling says"],
                "{kind:?}"
            );
        }
        let silent = answer_in(&manifest(MEMBER).with(INTERVAL, "0"), release).drift.notes.join(" ");
        assert!(silent.contains("never skip") && silent.contains("in silence"), "{silent}");
        let invalid = answer_in(&manifest(PARTIAL).with(INTERVAL, "10m"), release).drift.notes.join(" ");
        assert!(invalid.contains("every attempt actuates"), "{invalid}");
        assert!(!invalid.contains("first attempt of a generation"), "{invalid}");
    }
}

#[test]
fn an_interval_that_is_no_string_is_complained_about_once_and_its_damage_is_that_the_api_server_refuses_the_object() {
    for kind in [DIRECT, TF, MEMBER] {
        for written in ["600", "0", "on", "[600]"] {
            let answer = answer(&manifest(kind).raw(INTERVAL, written));
            assert_eq!(codes(&answer), ["not-a-string"], "{kind:?} {written}");
            assert_eq!(answer.drift.state, DriftState::Invalid(NumberFault::NotAString), "{kind:?} {written}");
            assert_eq!(answer.drift.notes, ["the API server refuses the object as it stands"], "{kind:?} {written}");
            assert_eq!((answer.drift.raw, answer.drift.range()), (None, None));
            assert_eq!(answer.drift.place.map(|place| place.line), Some(7));
        }
    }
}

#[test]
fn an_invalid_interval_is_told_with_its_fault_its_place_and_advice() {
    for (value, fault) in [
        ("", "is empty"),
        ("10m", "is not a decimal integer"),
        ("-1", "is negative"),
        ("2147483648", "does not fit into 32 bits (at most 2147483647)"),
    ] {
        let answer = answer(&manifest(TF).with(INTERVAL, value));
        let problem = &answer.problems[0];
        assert_eq!(
            problem.message,
            format!(
                "{INTERVAL} {value:?} {fault}: every reconcile ends in an error, for ever, whatever the ceiling says"
            )
        );
        assert_eq!((problem.code.as_str(), problem.severity.as_str()), ("invalid-drift-interval", "error"));
        assert_eq!(
            problem.fix.as_deref(),
            Some(&*format!("write whole seconds such as {INTERVAL}: \"600\", or remove the annotation"))
        );
        assert_eq!(problem.place.as_ref().map(|place| (place.line, place.column)), Some((7, 58)));
        assert_eq!(answer.drift.range(), None, "{value:?}");
        assert_eq!(answer.drift.origin, DriftOrigin::Annotation);
    }
}

#[test]
fn each_value_and_origin_of_the_interval_has_its_notes() {
    let notes = |manifest: Manifest| drift(&manifest).notes.join("; ");
    assert_eq!(notes(manifest(TF)), "");
    assert_eq!(notes(manifest(TF).with(INTERVAL, "20")), "");
    assert_eq!(
        notes(manifest(("compute", "ComputeSSLCertificate"))),
        "no periodic requeue for this kind, but nothing is skipped either"
    );
    // The annotation goes before the kind: its zero skips, its seconds are periodic.
    assert!(drift(&manifest(("compute", "ComputeSSLCertificate")).with(INTERVAL, "0")).skips_when_up_to_date);
    assert_eq!(
        seconds(&drift(&manifest(("compute", "ComputeSSLCertificate")).with(INTERVAL, "100"))),
        Some((100.0, 50.0, 150.0))
    );
    for (origin, word) in [
        (DriftOrigin::Annotation, "annotation"),
        (DriftOrigin::Kind, "kind"),
        (DriftOrigin::BuiltIn, "built-in"),
        (DriftOrigin::NoController, "none"),
    ] {
        assert_eq!(origin.as_str(), word);
    }
    // Without a controller nothing is complained about, and what is written is still told.
    let nobody = answer(&manifest(("logging", "LoggingNoSuchKind")).with(INTERVAL, "10m"));
    assert_eq!(codes(&nobody), ["no-controller"]);
    assert_eq!(nobody.drift.raw, Some("10m"));
    assert!(nobody.drift.notes.is_empty());
}
