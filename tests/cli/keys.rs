//! Keys that are probably meant to be others (kcc.md section 1: other keys of the family are "not known to this
//! version", never wrong).

use kcc_backoff::assess::kcc::Policy;

use crate::support::*;

fn told(manifest: &Manifest) -> Vec<(&'static str, String)> {
    let problems = answer(manifest).problems;
    problems.into_iter().map(|problem| (problem.severity.as_str(), problem.message)).collect()
}

#[test]
fn a_misspelt_key_has_no_effect_and_the_meant_one_is_named() {
    let manifest = manifest(DIRECT).with("cnrm.cloud.google.com/backoff-max-delay-in-second", "0");
    let told = told(&manifest);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].0, "warning");
    assert!(told[0].1.ends_with("is cnrm.cloud.google.com/backoff-max-delay-in-seconds meant?"), "{}", told[0].1);
    assert_eq!(answer(&manifest).retry.known().unwrap().policy, Policy::Default);
}

#[test]
fn a_key_without_its_domain_is_told() {
    let told = told(&manifest(DIRECT).with("backoff-max-delay-in-seconds", "600"));
    assert!(told[0].1.contains("is cnrm.cloud.google.com/backoff-max-delay-in-seconds meant?"));
}

#[test]
fn an_annotation_among_the_labels_is_told() {
    let told = told(&manifest(DIRECT).metadata("labels:\n  cnrm.cloud.google.com/backoff-max-delay-in-seconds: \"0\""));
    assert_eq!(told.len(), 1);
    assert!(told[0].1.contains("is a label here, which has no effect"), "{}", told[0].1);
}

#[test]
fn a_key_of_the_family_that_resembles_none_is_not_known_and_not_wrong() {
    let told = told(&manifest(DIRECT).with("cnrm.cloud.google.com/brand-new-thing", "1"));
    assert_eq!(
        told,
        [("info", "the annotation cnrm.cloud.google.com/brand-new-thing is not known to this version".to_owned())]
    );
}

#[test]
fn every_known_key_and_every_foreign_key_is_left_alone() {
    for key in kcc_backoff::kcc::KNOWN_KEYS.into_iter().filter(|key| !key.ends_with("-in-seconds")) {
        let told = told(&manifest(TF).with(key, ""));
        assert!(told.is_empty(), "{key}: {told:?}");
    }
    assert!(told(&manifest(TF).with("example.com/backoff-max-delay-in-seconds", "x").with("app", "y")).is_empty());
}

#[test]
fn set_doubts_a_key_that_changes_nothing() {
    let text = manifest(DIRECT).text();
    for (set, doubt) in [
        ("backoff-max-delay-in-second=0", "changes nothing"),
        (
            "cnrm.cloud.google.com/backoff-max-delay-in-second=0",
            "is cnrm.cloud.google.com/backoff-max-delay-in-seconds meant?",
        ),
        ("BACKOFF-MAX-DELAY-IN-SECONDS=5", "is cnrm.cloud.google.com/backoff-max-delay-in-seconds meant?"),
        ("cnrm.cloud.google.com/brand-new-thing=5", "not known to this version"),
    ] {
        let output = run(&text, &["--set", set]);
        assert!(stderr(&output).contains(doubt), "{set}: {}", stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{set}");
    }
    assert!(!stderr(&run(&text, &["--set", "example.com/x=5"])).contains("example.com"));
    assert!(!stderr(&run(&text, &["--set", "actuation-mode=Paused"])).contains("actuation"));
}

/// Section 1: other keys are never wrong, and a label without the domain is not one of the family.
#[test]
fn labels_that_share_a_short_name_with_an_annotation_are_left_alone() {
    for label in ["version", "system", "project-id", "reconciler", "unmanaged", "on-delete", "example.com/version"] {
        let told = told(&manifest(DIRECT).metadata(&format!("labels:\n  {label}: x")));
        assert!(told.is_empty(), "{label}: {told:?}");
    }
    let told = told(&manifest(DIRECT).metadata("labels:\n  backoff-max-delay-in-seconds: \"0\""));
    assert!(told[0].1.contains("is a label here, which has no effect"), "{}", told[0].1);
}
