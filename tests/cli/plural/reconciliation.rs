//! console.md sections 2.2 and 2.3: drift detection, intervals and what a pass returns.

use std::time::Duration;

use kcc_backoff::assess::plural::RequeueState;
use serde_json::json;

use super::*;

const HALF_HOUR: u64 = 30 * 60;

/// State and range in seconds, who says so, and what is complained about.
fn requeue(resource: &Resource) -> (&'static str, Option<(f64, f64, f64)>, &'static str) {
    let requeue = answer(resource).requeue;
    let state = match requeue.state {
        RequeueState::Periodic(_) => "periodic",
        RequeueState::Never => "never",
        RequeueState::Panics => "panics",
        RequeueState::Unknown => "unknown",
    };
    let seconds = |duration: Duration| duration.as_secs_f64();
    let range = requeue.range().map(|(mean, least, most)| (seconds(mean), seconds(least), seconds(most)));
    (state, range, requeue.origin.as_str())
}

fn with(block: &str) -> Resource {
    object("Project").spec(&format!("reconciliation: {block}"))
}

/// t/2, uniformly up to 3t/2.
fn around(mean: f64) -> Option<(f64, f64, f64)> {
    Some((mean, mean / 2.0, mean / 2.0 + mean))
}

#[test]
fn without_a_block_there_is_drift_detection_and_a_base_of_30_minutes() {
    for resource in
        [object("Project"), object("Project").spec("reconciliation: null"), object("Project").spec("reconciliation:")]
    {
        assert!(answer(&resource).drift_detection);
        assert_eq!(requeue(&resource), ("periodic", around(HALF_HOUR as f64), "built-in"));
        assert_eq!(codes(&answer(&resource)), []);
    }
}

#[test]
fn in_a_block_the_crds_defaults_fill_what_is_missing() {
    let cases = [
        ("{}", true, ("periodic", around(1800.0), "crd-default")),
        ("{driftDetection: true}", true, ("periodic", around(1800.0), "crd-default")),
        ("{driftDetection: null, interval: null}", true, ("periodic", around(1800.0), "crd-default")),
        // Taken literally, without the default, this would be read-only.
        ("{interval: 5m}", true, ("periodic", around(300.0), "spec")),
        ("{interval: 5m, driftDetection: true}", true, ("periodic", around(300.0), "spec")),
        ("{driftDetection: false}", false, ("never", None, "spec")),
        ("{driftDetection: false, interval: 5m}", false, ("never", None, "spec")),
    ];
    for (block, drift, wanted) in cases {
        let answer = answer(&with(block));
        assert_eq!(answer.drift_detection, drift, "{block}");
        assert_eq!(requeue(&with(block)), wanted, "{block}");
        assert_eq!(answer.mode.if_present.action.as_str(), if drift { "adopt" } else { "read-only" }, "{block}");
        assert_eq!(codes(&answer), [], "{block}");
    }
}

#[test]
fn json_says_whose_word_drift_detection_is() {
    let told = |block: &str| json(&with(block))["driftDetection"].clone();
    assert_eq!(json(&object("Project"))["driftDetection"], json!({"value": true, "origin": "built-in", "place": null}));
    assert_eq!(told("{}"), json!({"value": true, "origin": "crd-default", "place": null}));
    let place = json!({"file": "manifest.yaml", "line": 7, "column": 36});
    assert_eq!(told("{driftDetection: false}"), json!({"value": false, "origin": "spec", "place": place}));
    assert_eq!(told("{driftDetection: true}"), json!({"value": true, "origin": "spec", "place": place}));
}

#[test]
fn the_screen_says_whose_word_drift_detection_is() {
    // Beside what it decides: what is done with a remote that is there.
    let last = |resource: &Resource| {
        let line = lines_of(&screen(resource), "If present").remove(0);
        line.rsplit_once("; ").unwrap().1.to_owned()
    };
    assert_eq!(last(&object("Project")), "driftDetection is true, as there is no reconciliation");
    assert_eq!(last(&with("{}")), "driftDetection is true, the CRD's default");
    let refused = "driftDetection is true, the CRD's default, as the manifest's is refused";
    assert_eq!(last(&with("{driftDetection: \"false\"}")), refused);
    assert_eq!(last(&with("{driftDetection: false}")), "driftDetection is false <stdin>:7:36");
    assert_eq!(last(&with("{driftDetection: true}")), "driftDetection is true <stdin>:7:36");
    // Known or not, it is said; only a deletion does not hang on it.
    let next = lines_of(&screen(&with("{driftDetection: false}").id()), "Next pass").remove(0);
    assert!(next.ends_with("driftDetection is false <stdin>:7:36"), "{next}");
}

#[test]
fn a_go_duration_is_the_mean_of_a_range_from_half_to_one_and_a_half() {
    let cases = [
        ("5m30s", 330.0),
        ("30m", 1800.0),
        ("1h", 3600.0),
        ("1h30m", 5400.0),
        ("1.5h", 5400.0),
        ("+90s", 90.0),
        (".5s", 0.5),
        ("250ms", 0.25),
        ("48h", 172_800.0),
        ("500000us", 0.5),
    ];
    for (text, mean) in cases {
        assert_eq!(requeue(&object("Project").interval(text)), ("periodic", around(mean), "spec"), "{text}");
        assert_eq!(codes(&answer(&object("Project").interval(text))), [], "{text}");
    }
    // 330 s: from 165 s to 495 s.
    let line = lines_of(&screen(&object("Project").interval("5m30s")), "Requeue").remove(0);
    assert!(line.starts_with("every 2 min 45 s to 8 min 15 s while it succeeds"), "{line}");
    let line = lines_of(&screen(&object("Project")), "Requeue").remove(0);
    assert!(line.starts_with("every 15 to 45 min while it succeeds"), "{line}");
}

#[test]
fn an_odd_number_of_nanoseconds_is_halved_as_go_halves() {
    // 3 ns: 1 ns plus less than 3 ns.
    let requeue = answer(&object("Project").interval("3ns")).requeue;
    let nanos = Duration::from_nanos;
    assert_eq!(requeue.range(), Some((nanos(3), nanos(1), nanos(4))));
}

#[test]
fn the_range_is_that_of_the_released_formula_and_of_no_older_one() {
    // The older ones add to t: 30 min to 45 min 30 s, and 30 s to 45 s.
    let (_, least, most) = answer(&object("Project")).requeue.range().unwrap();
    assert_eq!((least.as_secs(), most.as_secs()), (HALF_HOUR / 2, HALF_HOUR * 3 / 2));
}

#[test]
fn an_interval_that_is_no_go_duration_silently_becomes_30_minutes_and_explain_says_so() {
    for text in ["1d", "5", "", "30 m", "5M", "5m ", " 5m", "1w", "soon", "5m5", "m", ".", "-", "9999999h"] {
        let resource = object("Project").interval(text);
        assert_eq!(requeue(&resource), ("periodic", around(1800.0), "built-in"), "{text:?}");
        assert_eq!(codes(&answer(&resource)), [("invalid-interval", "warning")], "{text:?}");
        let problem = &answer(&resource).problems[0];
        assert!(problem.message.contains(&format!("{text:?} is not a Go duration")), "{}", problem.message);
        assert!(problem.message.ends_with("silently uses 30m"), "{}", problem.message);
        assert!(answer(&resource).requeue.reason.contains("the interval is no Go duration"));
    }
}

#[test]
fn an_interval_of_zero_or_less_makes_the_controller_panic() {
    // 0.9 ns are 0 in whole nanoseconds.
    for text in ["0", "0s", "0m", "-5m", "-1ns", "+0", "0h0m0s", "0.9ns"] {
        let resource = object("Project").interval(text);
        assert_eq!(requeue(&resource), ("panics", None, "spec"), "{text:?}");
        assert_eq!(codes(&answer(&resource)), [("invalid-interval", "error")], "{text:?}");
        assert!(answer(&resource).problems[0].message.ends_with("the controller panics at the end of every pass"));
        let reason = answer(&resource).requeue.reason.into_owned();
        // Stored before the panic; that the library's default holds is inferred.
        assert!(reason.contains("stores a successful status, then panics"), "{reason}");
        assert!(reason.contains("retried with back-off (inferred"), "{reason}");
        assert!(
            lines_of(&screen(&resource), "Requeue")[0].starts_with("panics: the interval is not positive"),
            "{text}"
        );
        // As written, with the place and what to write.
        let error = lines_of(&screen(&resource), "Error").remove(0);
        assert!(error.starts_with(&format!("interval {text:?} is not positive")), "{error}");
    }
}

#[test]
fn a_nanosecond_is_no_requeue_and_two_are_one() {
    for text in ["1ns", "1.9ns"] {
        let resource = object("Project").interval(text);
        assert_eq!(requeue(&resource), ("never", None, "spec"), "{text}");
        assert_eq!(codes(&answer(&resource)), [("invalid-interval", "warning")], "{text}");
        assert!(answer(&resource).problems[0].message.contains("no periodic requeue at all"));
        assert!(answer(&resource).requeue.reason.contains("cut to 0"));
    }
    assert_eq!(requeue(&object("Project").interval("2ns")).0, "periodic");
}

#[test]
fn without_drift_detection_the_interval_is_not_used_whatever_it_is() {
    for (text, complaints) in [("5m", 0), ("1d", 1), ("0s", 1), ("-5m", 1), ("1ns", 1)] {
        let resource = with(&format!("{{driftDetection: false, interval: {text}}}"));
        let answer = answer(&resource);
        assert_eq!(answer.requeue.state, RequeueState::Never, "{text}");
        assert_eq!(codes(&answer), vec![("invalid-interval", "info"); complaints], "{text}");
        for problem in &answer.problems {
            assert!(problem.message.ends_with("(it is not used while driftDetection is false)"), "{}", problem.message);
            assert!(!problem.message.contains("panics"), "{}", problem.message);
        }
        assert!(answer.requeue.reason.contains("driftDetection is false"));
        assert_eq!(answer.requeue.raw, Some(text));
        let place = answer.requeue.place.unwrap();
        assert_eq!((place.line, place.column), (7, 36), "the place of driftDetection");
        let line = lines_of(&screen(&resource), "Requeue").remove(0);
        assert_eq!(line, "none while it succeeds: driftDetection is false, whatever the interval says");
    }
}

#[test]
fn a_managed_sink_is_not_requeued_and_so_its_interval_cannot_make_the_controller_panic() {
    let resources = [
        object("NotificationSink"),
        object("NotificationSink").ours().id().readonly(false),
        object("NotificationSink").without("name"),
    ];
    for resource in resources {
        for text in ["5m", "0s", "1d"] {
            let resource = resource.clone().interval(text);
            let answer = answer(&resource);
            assert_eq!(answer.requeue.state, RequeueState::Never, "{text}");
            assert!(answer.requeue.reason.contains("a managed NotificationSink is never requeued"), "{text}");
            assert_eq!(
                codes(&answer),
                if text == "5m" { vec![] } else { vec![("invalid-interval", "info")] },
                "{text}"
            );
            assert!(answer.problems.iter().all(|problem| !problem.message.contains("panics")), "{:?}", answer.problems);
        }
    }
    // Every other kind uses its interval.
    for (kind, _) in SEVEN.into_iter().filter(|(kind, _)| *kind != "NotificationSink") {
        assert_eq!(requeue(&object(kind).interval("0s")).0, "panics", "{kind}");
        assert_eq!(requeue(&object(kind).interval("10m")), ("periodic", around(600.0), "spec"), "{kind}");
    }
}

#[test]
fn a_repository_that_is_not_pullable_is_looked_at_every_15_to_45_seconds_whatever_the_spec_says() {
    let unhealthy = |health: &str| object("GitRepository").ours().id().status(&format!("health: {health}"));
    let soon = ("periodic", around(30.0), "built-in");
    for readonly in [true, false] {
        let failed = unhealthy("FAILED").readonly(readonly);
        for resource in [failed.clone(), failed.clone().interval("1h"), failed.clone().drift(false)] {
            assert_eq!(requeue(&resource), soon, "{}", resource.text());
            let reason = answer(&resource).requeue.reason.into_owned();
            assert!(reason.contains("its health is FAILED") && reason.contains("till it is PULLABLE"), "{reason}");
            let line = lines_of(&screen(&resource), "Requeue").remove(0);
            assert!(line.starts_with("every 15 to 45 s (its health is FAILED"), "{line}");
            // Said once.
            assert!(!notes(&answer(&resource)).contains("PULLABLE"), "{}", notes(&answer(&resource)));
        }
    }
    let told = json(&unhealthy("FAILED").interval("1h"))["requeue"].clone();
    assert_eq!((&told["meanSeconds"], &told["minSeconds"], &told["maxSeconds"]), (&json!(30), &json!(15), &json!(45)));
    assert_eq!((&told["raw"], &told["place"]), (&json!("1h"), &json!(null)));
    // With health, or without any word of it, the spec counts.
    assert_eq!(requeue(&unhealthy("PULLABLE").interval("1h")), ("periodic", around(3600.0), "spec"));
    assert_eq!(requeue(&object("GitRepository").ours().id().interval("1h")), ("periodic", around(3600.0), "spec"));
    assert_eq!(requeue(&unhealthy("PULLABLE").drift(false)), ("never", None, "spec"));
    // A read-only one whose target is gone is called failed as well, but waits for its interval.
    let gone = object("GitRepository").id().readonly(true).status("health: FAILED").condition(
        "Synchronized",
        "False",
        "NotFound",
        "could not find the repository",
    );
    assert_eq!(requeue(&gone.clone().interval("1h")), ("periodic", around(3600.0), "spec"));
    assert_eq!(requeue(&gone.drift(false)), ("never", None, "spec"));
    // Of another kind the field tells nothing.
    assert_eq!(requeue(&object("Project").id().status("health: FAILED")), ("periodic", around(1800.0), "built-in"));
    // An interval that is not positive makes nothing panic as long as it is not used.
    let zero = answer(&unhealthy("FAILED").interval("0s"));
    assert_eq!(codes(&zero), [("invalid-interval", "error")]);
    let message = &zero.problems[0].message;
    assert!(message.contains("would panic") && message.ends_with("till its health is PULLABLE)"), "{message}");
}

#[test]
fn json_says_how_a_requeue_is_known() {
    for (kind, _) in SEVEN {
        for resource in [object(kind), object(kind).drift(false), object(kind).interval("0s")] {
            assert_eq!(json(&resource)["requeue"]["confidence"], "source", "{kind}");
        }
    }
    for kind in ["Flow", "Cluster", "ManagedNamespace"] {
        for resource in [object(kind), object(kind).drift(false), object(kind).interval("0s")] {
            assert_eq!(json(&resource)["requeue"]["confidence"], "inferred", "{kind}");
            assert!(lines_of(&screen(&resource), "Requeue")[0].contains("[inferred]"), "{kind}");
        }
    }
    // Nothing is known, so nothing is known in any way.
    assert_eq!(json(&object("Policy"))["requeue"]["confidence"], json!(null));
}

#[test]
fn a_field_of_a_type_that_the_api_server_refuses_is_complained_about_and_the_default_counts() {
    for block in
        ["{driftDetection: \"false\"}", "{driftDetection: 0}", "{driftDetection: []}", "{driftDetection: {a: b}}"]
    {
        assert!(answer(&with(block)).drift_detection, "{block}");
        assert_eq!(codes(&answer(&with(block))), [("refused-field", "error")], "{block}");
        assert_eq!(requeue(&with(block)), ("periodic", around(1800.0), "crd-default"), "{block}");
        assert!(answer(&with(block)).problems[0].message.contains("driftDetection is not a boolean"), "{block}");
    }
    for block in ["{interval: 30}", "{interval: 1.5}", "{interval: true}", "{interval: [5m]}"] {
        assert_eq!(codes(&answer(&with(block))), [("refused-field", "error")], "{block}");
        assert_eq!(requeue(&with(block)), ("periodic", around(1800.0), "crd-default"), "{block}");
    }
    for block in ["5m", "[]", "true"] {
        assert_eq!(codes(&answer(&with(block))), [("refused-field", "error")], "{block}");
        assert_eq!(requeue(&with(block)), ("periodic", around(1800.0), "built-in"), "{block}");
    }
}

#[test]
fn booleans_are_those_that_kubectl_reads() {
    for (word, value) in [("no", false), ("off", false), ("False", false), ("yes", true), ("on", true), ("TRUE", true)]
    {
        let answer = answer(&with(&format!("{{driftDetection: {word}}}")));
        assert_eq!((answer.drift_detection, codes(&answer)), (value, vec![]), "{word}");
    }
}

#[test]
fn a_pass_that_waits_comes_again_after_15_to_45_seconds_and_errors_are_retried_from_5_ms_to_1000_s() {
    for (kind, _) in SEVEN {
        let json = json(&object(kind).drift(false));
        // 30 s with a jitter of half of it.
        assert_eq!(json["requeue"]["waiting"], json!({"minSeconds": 30 / 2, "maxSeconds": 30 * 3 / 2}), "{kind}");
        assert_eq!(json["errors"], json!({"retryBaseSeconds": 0.005, "retryMaxSeconds": 1000}), "{kind}");
        let screen = support::stdout(&support::run(&object(kind).text(), &[]));
        // Said once, at the end: it holds for all. 1000 s = 16 min 40 s.
        let told = "A pass that waits comes again after 15 to 45 s, one that ends in an error after 5 ms, doubling up to 16 \
                    min 40 s (inferred).\n";
        assert!(screen.contains(told), "{kind}: {screen}");
        assert_eq!(screen.matches("16 min 40 s").count(), 1, "{kind}: {screen}");
    }
}

#[test]
fn a_deletion_that_fails_comes_again_only_with_the_periodic_requeue() {
    // Section 2.3: Project and Catalog as far as they were read, and what the Console refuses of a repository.
    for kind in ["Project", "Catalog", "GitRepository"] {
        let on = notes(&answer(&object(kind)));
        assert!(on.contains("is tried again by the next periodic requeue"), "{kind}: {on}");
        assert!(on.contains("till then the finalizer stays"), "{kind}: {on}");
        // Section 0: what was read of two of them is older than what is released.
        assert_eq!(on.contains("says an old copy of its controller"), kind != "GitRepository", "{kind}: {on}");
        assert!(!on.contains("never tried again"), "{kind}: {on}");
        let off = notes(&answer(&object(kind).drift(false)));
        assert!(off.contains("is never tried again, as driftDetection is false"), "{kind}: {off}");
        assert!(!off.contains("next periodic requeue"), "{kind}: {off}");
    }
    // An interval of which no requeue comes is as good as none; one that is not positive makes the pass panic instead.
    for kind in ["Project", "Catalog", "GitRepository"] {
        let zero = notes(&answer(&object(kind).interval("1ns")));
        assert!(zero.contains("is never tried again, as no requeue comes of the interval"), "{kind}: {zero}");
        let panics = notes(&answer(&object(kind).interval("0s")));
        assert!(!panics.contains("tried again"), "{kind}: {panics}");
    }
    // Nothing is said of it where nothing is deleted.
    for kind in ["Project", "Catalog", "GitRepository"] {
        let read_only = notes(&answer(&object(kind).id().readonly(true).drift(false)));
        assert!(!read_only.contains("tried again"), "{kind}: {read_only}");
        let deleting = notes(&answer(&object(kind).ours().id().readonly(false).deleting()));
        assert!(deleting.contains("is tried again by the next periodic requeue"), "{kind}: {deleting}");
    }
    for kind in ["NotificationSink", "ServiceAccount", "PrAutomation", "ServiceContext"] {
        let told = notes(&answer(&object(kind))) + &notes(&answer(&object(kind).drift(false)));
        assert!(!told.contains("tried again"), "{kind}: {told}");
    }
}

#[test]
fn the_screen_says_how_a_swallowed_failure_of_a_deletion_comes_again() {
    let project = object("Project").deleting().ours().id().readonly(false);
    let line = |resource: &Resource| lines_of(&screen(resource), "If unknown").remove(0);
    let on = line(&project);
    assert!(on.contains("sends nothing") && on.contains("comes again with the periodic requeue"), "{on}");
    let panics = line(&project.clone().interval("0s"));
    assert!(panics.contains("sends nothing") && panics.contains("panics over the interval"), "{panics}");
    let never = line(&project.clone().interval("1ns"));
    assert!(never.contains("sends nothing") && never.contains("does not come again by itself"), "{never}");
    let off = line(&project.clone().drift(false));
    assert!(off.contains("sends nothing") && off.contains("does not come again by itself"), "{off}");
    // Without the condition the failure is returned: a plain error, which has a line only where it is not what is promised.
    let returned = object("Project").deleting().ours().id();
    assert_eq!(lines_of(&screen(&returned), "If unknown"), Vec::<String>::new());
    let promised = line(&object("Project").deleting().ours());
    assert!(promised.contains("sends nothing") && promised.contains("is retried as an error"), "{promised}");
    assert!(promised.contains("look-up by name comes first"), "{promised}");
    let documented = lines_of(&screen(&object("Project").deleting().ours()), "Documented");
    assert_eq!(documented, ["otherwise: keep if unknown"]);
    let context = line(&object("ServiceContext").deleting().ours().id().readonly(false));
    assert!(context.contains("sends nothing") && context.contains("comes again after 15 to 45 s"), "{context}");
}
