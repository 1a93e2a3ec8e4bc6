//! kcc.md sections 1, 3, 4 and 5: how often an object that succeeds is looked at again.

use std::time::Duration;

use kcc_backoff::assess::{Drift, DriftOrigin, DriftState};
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
        assert!(drift.notes.join(" ").contains("only a change of spec gets through"));
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
