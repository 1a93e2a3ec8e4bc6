//! The JSON that scripts rely on: every field of design.md section 5 and of kcc-backoff/v1alpha1, with its value, for
//! objects in the states that matter.

use serde_json::{Value, json as value};

use crate::support::*;

/// Whether `found` is what is expected: the same fields in the same places and no others. Of prose, an expected text
/// that begins with `~` is a part of it, between bars several; `*` is any text that is not empty.
fn agree(expected: &Value, found: &Value, path: &str, wrong: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(wanted), Value::Object(had)) => {
            for (key, value) in wanted {
                match had.get(key) {
                    Some(found) => agree(value, found, &format!("{path}.{key}"), wrong),
                    None => wrong.push(format!("{path}.{key} is missing")),
                }
            }
            wrong.extend(had.keys().filter(|key| !wanted.contains_key(*key)).map(|key| format!("{path}.{key} is new")));
        }
        (Value::Array(wanted), Value::Array(had)) if wanted.len() == had.len() => {
            for (index, (value, found)) in wanted.iter().zip(had).enumerate() {
                agree(value, found, &format!("{path}[{index}]"), wrong);
            }
        }
        (Value::String(wanted), Value::String(had)) if wanted == "*" && !had.is_empty() => {}
        (Value::String(wanted), Value::String(had)) if wanted.starts_with('~') => {
            for part in wanted[1..].split('|').filter(|part| !had.contains(part)) {
                wrong.push(format!("{path}: no {part:?} in {had:?}"));
            }
        }
        _ if expected == found => {}
        _ => wrong.push(format!("{path}: {found} instead of {expected}")),
    }
}

fn assert_agrees(expected: &Value, found: &Value) {
    let mut wrong = Vec::new();
    agree(expected, found, "", &mut wrong);
    assert!(wrong.is_empty(), "{}\n{found:#}", wrong.join("\n"));
}

/// Section 4: 250 ms doubling up to 120 s; each time is the sum of the delays before.
fn default_ladder() -> Value {
    steps(&[
        (0.0, 0.25),
        (0.25, 0.5),
        (0.75, 1.0),
        (1.75, 2.0),
        (3.75, 4.0),
        (7.75, 8.0),
        (15.75, 16.0),
        (31.75, 32.0),
        (63.75, 64.0),
        (127.75, 120.0),
        (247.75, 120.0),
    ])
}

/// (time, delay) of each attempt; whole numbers of seconds are whole in JSON.
fn steps(of: &[(f64, f64)]) -> Value {
    let number = |seconds: f64| if seconds.fract() == 0.0 { value!(seconds as u64) } else { value!(seconds) };
    of.iter()
        .enumerate()
        .map(|(index, (at, delay))| {
            value!({"attempt": index + 1, "atSeconds": number(*at), "delaySeconds": number(*delay)})
        })
        .collect()
}

fn default_retry(reason: &str) -> Value {
    value!({
        "policy": "default", "baseSeconds": 0.25, "maxSeconds": 120,
        "tokenBucket": {"perSecond": 10, "burst": 100, "sharedBy": "failing objects of the kind"},
        "ladder": default_ladder(), "reason": reason,
    })
}

fn halt_retry() -> Value {
    value!({
        "policy": "halt", "baseSeconds": null, "maxSeconds": null, "tokenBucket": null,
        "ladder": [{"attempt": 1, "atSeconds": 0, "delaySeconds": null}],
        "reason": "a ceiling of \"0\" ends retries at the first error",
    })
}

/// Section 5, for main.
fn woken_by() -> Value {
    value!([
        "spec",
        "labels",
        "container-annotations",
        "backoff-max-delay-in-seconds",
        "reconcile-interval-in-seconds",
        "actuation-mode",
        "reconcile-cookie",
        "deletion",
        "controller-restart"
    ])
}

fn not_woken_by() -> Value {
    value!(["other-annotations", "status", "referenced-secrets", "empty-values"])
}

/// Section 1: 10 min, drawn from 5 to 15.
fn built_in_drift() -> Value {
    value!({
        "state": "periodic", "meanSeconds": 600, "minSeconds": 300, "maxSeconds": 900, "origin": "built-in", "raw": null,
        "place": null, "tokenBucket": null, "skipsWhenUpToDate": false, "notes": [],
    })
}

fn reconciling() -> Value {
    value!({"mode": "Reconciling", "origin": "built-in", "place": null, "reason": "*", "notes": []})
}

fn no_deletion() -> Value {
    value!({
        "requested": false, "requestedAt": null, "policy": "delete", "raw": null, "place": null,
        "outcome": "deletes the cloud resource", "ceilingApplies": false, "retryBaseSeconds": 0.25, "retryMaxSeconds": 120,
        "finalizers": [], "notes": [],
    })
}

fn place(line: u32, column: u32) -> Value {
    value!({"file": "manifest.yaml", "line": line, "column": column})
}

fn reference(group: &str, kind: &str) -> Value {
    value!({"apiVersion": format!("{group}.cnrm.cloud.google.com/v1beta1"), "kind": kind, "namespace": "team-a", "name": "it"})
}

fn cookie(target: &str, does: &str) -> Value {
    value!({
        "command": format!("kubectl annotate {target}.cnrm.cloud.google.com/it -n team-a test.cnrm.cloud.google.com/reconcile-cookie=\"$(date +%s)\" --overwrite"),
        "does": does,
    })
}

fn ready(reason: &str) -> Value {
    value!({"status": "False", "reason": reason, "message": "it is so", "lastTransitionTime": "2026-11-30T03:12:00Z"})
}

fn unset() -> Value {
    value!({
        "state": "unset", "seconds": null, "raw": null, "place": null, "from": null, "honoured": false,
        "reason": "~the tf controller ignores it: only direct reads it", "doesNotGovern": [],
    })
}

#[test]
fn a_direct_object_under_a_ceiling_without_a_status() {
    let report = json(&manifest(DIRECT).with(CEILING, "600").text(), &[]);
    let expected = value!({
        "apiVersion": "kcc-backoff/v1alpha1", "kind": "Explanation", "release": "main", "releaseNamed": false,
        "now": null, "nowReason": "*",
        "note": "~main is the default|releases up to 1.159 ignore the ceiling annotation",
        "objects": [{
            "ref": reference("logging", "LoggingLogMetric"), "place": place(1, 1), "system": "kcc",
            "controller": {
                "name": "direct", "decidedBy": "table", "supported": ["direct"],
                "reason": "its only controller (table of main)", "place": null,
            },
            "ceiling": {
                "state": "seconds", "seconds": 600, "raw": "600", "place": place(7, 57), "from": "annotation",
                "honoured": true, "reason": "the direct controller reads it",
                "doesNotGovern": ["~failing deletions|invalid reconcile-interval-in-seconds", "~not settled for main"],
            },
            "retry": {
                "policy": "ceiling", "baseSeconds": 1, "maxSeconds": 600, "tokenBucket": null,
                // 1, 2, 4 … 512, 600, 600; times 2^(n-1) - 1, then 1023 and 1623.
                "ladder": steps(&[
                    (0.0, 1.0), (1.0, 2.0), (3.0, 4.0), (7.0, 8.0), (15.0, 16.0), (31.0, 32.0), (63.0, 64.0),
                    (127.0, 128.0), (255.0, 256.0), (511.0, 512.0), (1023.0, 600.0), (1623.0, 600.0),
                ]),
                "reason": "~the ceiling annotation sets it",
            },
            "halt": {
                "onError": false, "now": null, "reason": "the manifest has no status", "wokenBy": woken_by(),
                "notWokenBy": not_woken_by(),
                "commands": [cookie("logginglogmetric.logging", "one attempt, at once")],
            },
            "drift": built_in_drift(), "actuation": reconciling(), "deletion": no_deletion(),
            "status": null, "statusReason": "the manifest has no status",
            "annotations": [{"key": CEILING, "value": "600", "string": true, "quoted": true, "line": 7, "column": 57}],
            "notes": [],
        }],
        "problems": [],
        "summary": {"files": 1, "documents": 1, "kcc": 1, "plural": 0, "other": 0, "skipped": 0, "broken": 0},
    });
    assert_agrees(&expected, &report);
}

#[test]
fn a_halted_object() {
    let report = json(&manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed").text(), &[]);
    let target = "logginglogmetric.logging";
    let expected = value!({
        "ref": reference("logging", "LoggingLogMetric"), "place": place(1, 1), "system": "kcc",
        "controller": {
            "name": "direct", "decidedBy": "table", "supported": ["direct"], "reason": "*", "place": null,
        },
        "ceiling": {
            "state": "halt", "seconds": 0, "raw": "0", "place": place(8, 57), "from": "annotation", "honoured": true,
            "reason": "*", "doesNotGovern": ["*", "*"],
        },
        "retry": halt_retry(),
        "halt": {
            "onError": true, "now": true,
            "reason": "its last reconcile failed, and a ceiling of \"0\" ends retries at the first error",
            "wokenBy": woken_by(), "notWokenBy": not_woken_by(),
            "commands": [
                {
                    "command": format!("kubectl annotate {target}.cnrm.cloud.google.com/it -n team-a {CEILING}=600 --overwrite"),
                    "does": "~ends any halt",
                },
                cookie(target, "one attempt, at once; an error halts it again"),
            ],
        },
        "drift": built_in_drift(), "actuation": reconciling(), "deletion": no_deletion(),
        "status": {
            "ready": ready("UpdateFailed"), "state": "halted", "generation": 3, "observedGeneration": 3,
            "editWaiting": false, "generationReason": "generation 3 was observed",
            "failing": {
                "since": "2026-11-30T03:12:00Z", "seconds": 31680, "certainty": "known", "reason": "~lastTransitionTime",
            },
            "attempts": null, "attemptsReason": "*",
            "lastAttempt": null, "lastAttemptReason": "*",
            "nextAttempt": {"from": null, "to": null, "certainty": null, "reason": "~halted|pending when the ceiling became \"0\""},
        },
        "annotations": [{"key": CEILING, "value": "0", "string": true, "quoted": true, "line": 8, "column": 57}],
        "notes": [],
    });
    assert_agrees(&expected, &report["objects"][0]);
    assert_eq!(report["problems"], value!([]));
}

#[test]
fn an_object_being_deleted_that_abandons() {
    let asked = manifest(DIRECT)
        .with(POLICY, "abandon")
        .with(CEILING, "0")
        .ready("False", "DeleteFailed")
        .metadata(&deleting(&format!("{FINALIZER}, {DEFENDER}, example.com/mine")));
    let report = json(&asked.text(), &[]);
    let expected = value!({
        "ref": reference("logging", "LoggingLogMetric"), "place": place(1, 1), "system": "kcc",
        "controller": {"name": "direct", "decidedBy": "table", "supported": ["direct"], "reason": "*", "place": null},
        "ceiling": {
            "state": "halt", "seconds": 0, "raw": "0", "place": place(11, 57), "from": "annotation", "honoured": true,
            "reason": "*", "doesNotGovern": ["*", "*"],
        },
        "retry": default_retry("failing deletions always use it"),
        "halt": {
            "onError": false, "now": false, "reason": "it is being deleted, and deletion bypasses the halt",
            "wokenBy": woken_by(), "notWokenBy": not_woken_by(), "commands": [],
            "noCommand": "it waits for the deletion defender, which no edit hurries",
        },
        "drift": built_in_drift(), "actuation": reconciling(),
        "deletion": {
            "requested": true, "requestedAt": "2026-11-30T11:59:00Z", "policy": "abandon", "raw": "abandon",
            "place": place(10, 44), "outcome": "keeps the cloud resource (deletion-policy: abandon)",
            "ceilingApplies": false, "retryBaseSeconds": 0.25, "retryMaxSeconds": 120,
            "finalizers": [
                {"name": FINALIZER, "waitsFor": "~the controller, which removes it"},
                {"name": DEFENDER, "waitsFor": "~deletion defender|without retrying"},
                {"name": "example.com/mine", "waitsFor": "~not one of Config Connector's"},
            ],
            "notes": ["~if its CRD is being deleted", "~an error there blocks that", "~only once the deletion defender's"],
        },
        "status": {
            "ready": ready("DeleteFailed"), "state": "error-retry", "generation": 3, "observedGeneration": 3,
            "editWaiting": false, "generationReason": "generation 3 was observed",
            "failing": {
                "since": "2026-11-30T03:12:00Z", "seconds": 31680, "certainty": "known", "reason": "*",
            },
            "attempts": null, "attemptsReason": "*", "lastAttempt": null, "lastAttemptReason": "*",
            "nextAttempt": {
                "from": null, "to": null, "certainty": null, "reason": "it waits for the deletion defender's finalizer to go",
            },
        },
        "annotations": [
            {"key": POLICY, "value": "abandon", "string": true, "quoted": true, "line": 10, "column": 44},
            {"key": CEILING, "value": "0", "string": true, "quoted": true, "line": 11, "column": 57},
        ],
        "notes": [],
    });
    assert_agrees(&expected, &report["objects"][0]);
}

#[test]
fn an_object_of_tf_that_fails_and_whose_last_attempt_stands_in_managed_fields() {
    let asked = manifest(TF).with(CEILING, "0").ready("False", "UpdateFailed").metadata(
        "managedFields:\n- manager: cnrm-controller-manager\n  subresource: status\n  time: \"2026-11-30T11:59:00Z\"",
    );
    let report = json(&asked.text(), &[]);
    let ineffective = format!("{CEILING} \"0\" has no effect: the tf controller ignores it: only direct reads it");
    let expected = value!({
        "ref": reference("accesscontextmanager", "AccessContextManagerAccessLevel"), "place": place(1, 1), "system": "kcc",
        "controller": {
            "name": "tf", "decidedBy": "table", "supported": ["tf"], "reason": "its only controller (table of main)",
            "place": null,
        },
        "ceiling": {
            "state": "halt", "seconds": 0, "raw": "0", "place": place(12, 57), "from": "annotation", "honoured": false,
            "reason": "the tf controller ignores it: only direct reads it", "doesNotGovern": [],
        },
        "retry": default_retry("the ceiling annotation has no effect"),
        "halt": {
            "onError": false, "now": false, "reason": "nothing halts it", "wokenBy": woken_by(),
            "notWokenBy": not_woken_by(),
            "commands": [cookie("accesscontextmanageraccesslevel.accesscontextmanager", "one attempt, at once")],
        },
        "drift": built_in_drift(), "actuation": reconciling(), "deletion": no_deletion(),
        "status": {
            "ready": ready("UpdateFailed"), "state": "error-retry", "generation": 3, "observedGeneration": 3,
            "editWaiting": false, "generationReason": "generation 3 was observed",
            "failing": {"since": "2026-11-30T03:12:00Z", "seconds": 31680, "certainty": "known", "reason": "*"},
            // Attempt 10 at 127.75 s, then one every 120 s: (31680 - 127.75) / 120 = 262.9, so 10 + 262.
            "attempts": {"value": 272, "since": "2026-11-30T03:12:00Z", "certainty": "estimated", "reason": "*"},
            "lastAttempt": {
                "from": "2026-11-30T11:59:00Z", "to": "2026-11-30T11:59:00Z", "certainty": "known",
                "reason": "~managedFields|tf",
            },
            // 120 s after 11:59.
            "nextAttempt": {
                "from": "2026-11-30T12:00:00Z", "to": "2026-11-30T12:01:00Z", "certainty": "estimated",
                "reason": "at most 2 min after the last attempt",
            },
        },
        "annotations": [{"key": CEILING, "value": "0", "string": true, "quoted": true, "line": 12, "column": 57}],
        "notes": [],
    });
    assert_agrees(&expected, &report["objects"][0]);
    assert_agrees(
        &value!([{
            "code": "ineffective-ceiling", "severity": "warning", "place": place(12, 57), "message": ineffective, "fix": null,
        }]),
        &report["problems"],
    );
}

#[test]
fn an_object_paused_by_its_context_and_what_falls_back() {
    let context = context_of("team-a", "  actuationMode: Paused");
    let object = manifest(EITHER).with(INTERVAL, "20").ready("False", "Paused").text();
    let report = json(&format!("{context}\n---\n{object}"), &[]);
    let expected = value!({
        "ref": reference("alloydb", "AlloyDBCluster"), "place": place(9, 1), "system": "kcc",
        "controller": {
            "name": "tf", "decidedBy": "table", "supported": ["direct", "tf"],
            "reason": "the default; supported: direct, tf (table of main)", "place": null,
        },
        "ceiling": unset(),
        "retry": default_retry("no ceiling is set"),
        "halt": report["objects"][1]["halt"],
        "drift": {
            "state": "periodic", "meanSeconds": 20, "minSeconds": 10, "maxSeconds": 30, "origin": "annotation", "raw": "20",
            "place": place(16, 58), "tokenBucket": null, "skipsWhenUpToDate": false, "notes": [],
        },
        "actuation": {
            "mode": "Paused", "origin": "context", "place": place(7, 18),
            "reason": "~ConfigConnectorContext says Paused|namespaced mode assumed",
            "notes": ["~nothing reaches the cloud|finalizers are still added", "~is a success", "~is not watched"],
        },
        "deletion": {
            "requested": false, "requestedAt": null, "policy": "delete", "raw": null, "place": null,
            "outcome": "deletes the cloud resource, but not while the object is paused", "ceilingApplies": false,
            "retryBaseSeconds": 0.25, "retryMaxSeconds": 120, "finalizers": [], "notes": [],
        },
        "status": {
            "ready": ready("Paused"), "state": "paused", "generation": 3, "observedGeneration": 3, "editWaiting": false,
            "generationReason": "*", "failing": null, "failingReason": "*", "attempts": null, "attemptsReason": "*", "lastAttempt": null, "lastAttemptReason": "*",
            "nextAttempt": {
                "from": "2026-11-30T12:00:00Z", "to": "2026-11-30T12:00:30Z", "certainty": "estimated",
                "reason": "a paused reconcile is requeued after the jittered drift interval",
            },
        },
        "annotations": [{"key": INTERVAL, "value": "20", "string": true, "quoted": true, "line": 16, "column": 58}],
        "notes": [],
    });
    assert_agrees(&expected, &report["objects"][1]);
    let halt = &report["objects"][1]["halt"];
    assert_eq!(
        (&halt["onError"], &halt["now"], &halt["reason"]),
        (&value!(false), &value!(false), &value!("nothing halts it"))
    );
    assert_eq!((&halt["wokenBy"], &halt["notWokenBy"]), (&woken_by(), &not_woken_by()));
    let configuration = &report["objects"][0];
    assert_agrees(
        &value!({
            "name": "none", "decidedBy": "none", "supported": [],
            "reason": "configures KCC; not reconciled by these controllers", "place": null,
        }),
        &configuration["controller"],
    );
    assert_agrees(
        &value!({
            "policy": "none", "baseSeconds": null, "maxSeconds": null, "tokenBucket": null, "ladder": [],
            "reason": "no controller reconciles the object",
        }),
        &configuration["retry"],
    );
    assert_agrees(
        &value!({
            "state": "never", "meanSeconds": null, "minSeconds": null, "maxSeconds": null, "origin": "none", "raw": null,
            "place": null, "tokenBucket": null, "skipsWhenUpToDate": false, "notes": [],
        }),
        &configuration["drift"],
    );
    assert_eq!(configuration["deletion"]["retryBaseSeconds"], Value::Null);
    assert_eq!(configuration["deletion"]["retryMaxSeconds"], Value::Null);
    assert_eq!(configuration["halt"]["wokenBy"], value!([]));
    assert_eq!(configuration["halt"]["notWokenBy"], value!([]));
    assert_eq!(configuration["halt"]["noCommand"], "no controller reconciles the object");

    let fallback = json(&manifest(TF).with(RECONCILER, "direct").text(), &[]);
    assert_agrees(
        &value!({
            "name": "tf", "decidedBy": "fallback", "supported": ["tf"],
            "reason": "~asked for by the annotation|direct is not supported|falls back to the table's default",
            "place": place(7, 45),
        }),
        &fallback["objects"][0]["controller"],
    );
    assert_agrees(
        &value!([{
            "code": "ineffective-override", "severity": "warning", "place": place(7, 45), "message": "*", "fix": null,
        }]),
        &fallback["problems"],
    );
}

#[test]
fn an_object_of_a_release_of_which_it_is_not_known_whether_it_reads_the_ceiling() {
    let text = manifest(DIRECT).with(CEILING, "0").ready("False", "UpdateFailed").text();
    let report = json(&text, &["--kcc-version", "1.160.0"]);
    assert_eq!(report["release"], "1.160.0");
    assert_eq!(report["releaseNamed"], true);
    assert_eq!(report["note"], "Told for Config Connector 1.160.0 at 2026-11-30 12:00 UTC.");
    let unknown = "whether 1.160.0 reads the annotation is not known (--ceiling-since says since when)";
    let wakes: Value = woken_by()
        .as_array()
        .unwrap()
        .iter()
        .filter(|wake| **wake != "backoff-max-delay-in-seconds")
        .cloned()
        .collect();
    let expected = value!({
        "ref": reference("logging", "LoggingLogMetric"), "place": place(1, 1), "system": "kcc",
        "controller": {
            "name": "direct", "decidedBy": "table", "supported": ["direct"],
            "reason": "its only controller (table of main, as that of 1.160.0 is not known)", "place": null,
        },
        "ceiling": {
            "state": "halt", "seconds": 0, "raw": "0", "place": place(8, 57), "from": "annotation", "honoured": null,
            "reason": unknown, "doesNotGovern": ["*", "~not settled for 1.160.0"],
        },
        "retry": {
            "policy": null, "baseSeconds": null, "maxSeconds": null, "tokenBucket": null, "ladder": [], "reason": unknown,
            "ifHonoured": halt_retry(), "ifIgnored": default_retry("the ceiling annotation has no effect"),
        },
        "halt": {
            "onError": null, "onErrorReason": unknown, "now": null, "reason": unknown, "wokenBy": wakes, "notWokenBy": not_woken_by(),
            "commands": [cookie("logginglogmetric.logging", "one attempt, at once")],
        },
        "drift": built_in_drift(), "actuation": reconciling(),
        "deletion": {
            "requested": false, "requestedAt": null, "policy": "delete", "raw": null, "place": null,
            "outcome": "deletes the cloud resource", "ceilingApplies": false, "retryBaseSeconds": 0.25,
            "retryMaxSeconds": 120, "finalizers": [], "notes": ["~not known for 1.160.0"],
        },
        "status": {
            "ready": ready("UpdateFailed"), "state": "error-retry", "generation": 3, "observedGeneration": 3,
            "editWaiting": false, "generationReason": "*",
            "failing": {"since": "2026-11-30T03:12:00Z", "seconds": 31680, "certainty": "known", "reason": "*"},
            "attempts": null, "attemptsReason": "*", "lastAttempt": null, "lastAttemptReason": "*",
            "nextAttempt": {"from": null, "to": null, "certainty": null, "reason": unknown},
        },
        "annotations": [{"key": CEILING, "value": "0", "string": true, "quoted": true, "line": 8, "column": 57}],
        "notes": ["which controllers 1.160.0 has is not known: main's are shown"],
    });
    assert_agrees(&expected, &report["objects"][0]);
}

#[test]
fn values_that_are_no_strings_and_states_of_the_drift_interval() {
    let report = json(&manifest(DIRECT).raw(CEILING, "600").raw(INTERVAL, "~").text(), &[]);
    let object = &report["objects"][0];
    assert_agrees(
        &value!({
            "state": "invalid", "seconds": null, "raw": null, "written": "600",
            "fault": "is not a string, so the API server refuses the object", "place": place(7, 57), "from": "annotation",
            "honoured": true, "reason": "*", "doesNotGovern": [],
        }),
        &object["ceiling"],
    );
    assert_agrees(
        &value!({
            "state": "invalid", "meanSeconds": null, "minSeconds": null, "maxSeconds": null, "origin": "annotation",
            "raw": "", "place": place(8, 58), "tokenBucket": null, "skipsWhenUpToDate": false,
            "notes": ["*", "~first attempt of a generation", "~a failed deletion is stuck"],
        }),
        &object["drift"],
    );
    assert_eq!(
        object["annotations"],
        value!([
            {"key": CEILING, "value": "600", "string": false, "quoted": false, "line": 7, "column": 57},
            {"key": INTERVAL, "value": null, "string": false, "quoted": false, "line": 8, "column": 58},
        ])
    );
    assert_agrees(
        &value!([
            {"code": "not-a-string", "severity": "error", "place": place(7, 57), "message": "*", "fix": format!("write {CEILING}: \"600\"")},
            {"code": "null-value", "severity": "error", "place": place(8, 58), "message": "*", "fix": "*"},
            {"code": "invalid-drift-interval", "severity": "error", "place": place(8, 58), "message": "*", "fix": "*"},
        ]),
        &report["problems"],
    );
    let zero = json(&manifest(TF).with(INTERVAL, "0").text(), &[]);
    assert_agrees(
        &value!({
            "state": "never", "meanSeconds": null, "minSeconds": null, "maxSeconds": null, "origin": "annotation",
            "raw": "0", "place": place(7, 58), "tokenBucket": null, "skipsWhenUpToDate": true, "notes": ["*", "*"],
        }),
        &zero["objects"][0]["drift"],
    );
    // Section 4: 5 a second, burst 50.
    let member = json(&manifest(MEMBER).with(INTERVAL, "1").text(), &[]);
    assert_agrees(
        &value!({
            "state": "periodic", "meanSeconds": 1, "minSeconds": 0.5, "maxSeconds": 1.5, "origin": "annotation", "raw": "1",
            "place": place(7, 58), "tokenBucket": {"perSecond": 5, "burst": 50, "sharedBy": "drift requeues of the kind"},
            "skipsWhenUpToDate": false, "notes": ["*"],
        }),
        &member["objects"][0]["drift"],
    );
    let empty = json(&manifest(DIRECT).with(CEILING, "").text(), &[]);
    let ceiling = &empty["objects"][0]["ceiling"];
    assert_eq!(
        (&ceiling["state"], &ceiling["raw"], &ceiling["from"]),
        (&value!("unset"), &value!(""), &value!("annotation"))
    );
    let invalid = json(&manifest(DIRECT).with(CEILING, "10m").text(), &[]);
    let ceiling = &invalid["objects"][0]["ceiling"];
    assert_eq!((&ceiling["state"], &ceiling["seconds"]), (&value!("invalid"), &Value::Null));
    assert_eq!((&ceiling["fault"], ceiling.get("written")), (&value!("is not a decimal integer"), None));
}

#[test]
fn a_status_with_gaps_has_nulls_and_says_why() {
    let status = "status:\n  conditions:\n  - type: Ready\n    status: \"False\"\n    reason: UpdateFailed";
    let report = json(&manifest(DIRECT).and(status).text(), &[]);
    assert_agrees(
        &value!({
            "ready": {"status": "False", "reason": "UpdateFailed", "message": "", "lastTransitionTime": null},
            "state": "error-retry", "generation": null, "observedGeneration": null, "editWaiting": null,
            "generationReason": "generation or observedGeneration is not in the manifest", "failing": null, "failingReason": "*",
            "attempts": null, "attemptsReason": "*", "lastAttempt": null, "lastAttemptReason": "*",
            "nextAttempt": {
                "from": "2026-11-30T12:00:00Z", "to": "2026-11-30T12:02:00Z", "certainty": "estimated",
                "reason": "the ladder's longest delay; the status does not say since when it fails",
            },
        }),
        &report["objects"][0]["status"],
    );
    let report = json(&manifest(DIRECT).and("status:\n  observedGeneration: 4").metadata("generation: 5").text(), &[]);
    assert_agrees(
        &value!({
            "ready": null, "state": "unknown", "generation": 5, "observedGeneration": 4, "editWaiting": true,
            "generationReason": "~generation 5 was not observed yet", "failing": null, "failingReason": "*", "attempts": null, "attemptsReason": "*",
            "lastAttempt": null, "lastAttemptReason": "*",
            "nextAttempt": {
                "from": "2026-11-30T12:00:00Z", "to": "2026-11-30T12:00:00Z", "certainty": "estimated", "reason": "*",
            },
        }),
        &report["objects"][0]["status"],
    );
    assert_eq!(report["objects"][0].get("statusReason"), None, "there is a status");
}

#[test]
fn what_set_gives_says_so_and_has_no_place() {
    let text = manifest(EITHER).ready("False", "UpdateFailed").text();
    let report = json(
        &text,
        &[
            "--set",
            "backoff-max-delay-in-seconds=600",
            "--set",
            "reconciler=direct",
            "--set",
            "reconcile-interval-in-seconds=20",
            "--set",
            "actuation-mode=Paused",
            "--set",
            "deletion-policy=abandon",
        ],
    );
    let object = &report["objects"][0];
    assert_eq!(object["controller"]["name"], "direct");
    assert_eq!(object["controller"]["decidedBy"], "annotation");
    assert_eq!(object["controller"]["reason"], "asked for by --set alpha.cnrm.cloud.google.com/reconciler");
    assert_eq!((&object["ceiling"]["seconds"], &object["ceiling"]["from"]), (&value!(600), &value!("--set")));
    assert_eq!((&object["drift"]["origin"], &object["drift"]["raw"]), (&value!("annotation"), &value!("20")));
    assert_eq!(
        (&object["actuation"]["mode"], &object["actuation"]["origin"]),
        (&value!("Paused"), &value!("annotation"))
    );
    assert_eq!((&object["deletion"]["policy"], &object["deletion"]["raw"]), (&value!("abandon"), &value!("abandon")));
    for part in ["controller", "ceiling", "drift", "actuation", "deletion"] {
        assert_eq!(object[part]["place"], Value::Null, "{part}");
    }
    assert_eq!(object["notes"], value!(["the status is that of the object as it stands, without --set"]));
    assert_eq!(object["annotations"], value!([]), "those of the manifest");
    let taken = json(&manifest(DIRECT).with(CEILING, "600").text(), &["--set", "backoff-max-delay-in-seconds-"]);
    let ceiling = &taken["objects"][0]["ceiling"];
    assert_eq!((&ceiling["state"], &ceiling["from"], &ceiling["raw"]), (&value!("unset"), &Value::Null, &Value::Null));
}

/// Values that may repeat what a Secret or a hidden field holds.
#[test]
fn values_that_may_hold_secrets_are_in_no_output_format_and_on_no_stream() {
    let secret = "hunter2-hunter2";
    let text = manifest(DIRECT)
        .with(
            "cnrm.cloud.google.com/mutable-but-unreadable-fields",
            &format!("{{\"spec\":{{\"password\":\"{secret}\"}}}}"),
        )
        .with("cnrm.cloud.google.com/observed-secret-versions", secret)
        .with("observed-secret-versions", secret)
        .with("alpha.cnrm.cloud.google.com/mutable-but-unreadable-fields", secret)
        .ready("False", "UpdateFailed")
        .text();
    for format in ["text", "json", "yaml", "name"] {
        let output = run(&text, &["-o", format]);
        assert_eq!(output.status.code(), Some(0));
        let said = stdout(&output) + &stderr(&output);
        assert!(!said.contains("hunter2"), "{format}: {said}");
    }
    let annotations = json(&text, &[])["objects"][0]["annotations"].clone();
    assert_eq!(annotations.as_array().unwrap().len(), 4);
    for annotation in annotations.as_array().unwrap() {
        assert_eq!((&annotation["value"], &annotation["masked"]), (&Value::Null, &value!(true)), "{annotation}");
        assert_eq!(annotation["string"], true);
    }
    let shown = json(&manifest(DIRECT).with(POLICY, "abandon").text(), &[])["objects"][0]["annotations"][0].clone();
    assert_eq!((shown.get("masked"), &shown["value"]), (None, &value!("abandon")));
}

/// JSON and YAML hold the problems of the inputs, too: design.md section 4, "errors are in them too".
#[test]
fn problems_of_the_inputs_come_before_those_of_the_objects_and_a_whole_file_has_no_line() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), manifest(TF).with(CEILING, "600").text()).unwrap();
    let output = binary(folder.path())
        .args(["explain", "manifest.yaml", "missing.yaml", "-o", "json", "--now", NOW])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_agrees(
        &value!([
            {"code": "unreadable", "severity": "error", "place": {"file": "missing.yaml", "line": null, "column": null}, "message": "*", "fix": report["problems"][0]["fix"]},
            {"code": "ineffective-ceiling", "severity": "warning", "place": place(7, 57), "message": "*", "fix": null},
        ]),
        &report["problems"],
    );
    let none = binary(folder.path()).args(["explain", "missing.yaml", "-o", "json", "--now", NOW]).output().unwrap();
    let report: Value = serde_json::from_slice(&none.stdout).unwrap();
    assert_eq!(report["objects"], value!([]));
}

#[test]
fn names_are_those_that_kubectl_takes() {
    let unnamed = manifest(TF).text().replace("  name: it\n", "  generateName: it-\n");
    let text = [manifest(DIRECT).text(), unnamed, manifest(("serviceusage", "Service")).text()].join("\n---\n");
    let output = run(&text, &["-o", "name"]);
    assert_eq!(
        stdout(&output),
        "logginglogmetric.logging.cnrm.cloud.google.com/it\nservice.serviceusage.cnrm.cloud.google.com/it\n"
    );
    // Five lines of the first object, an empty one and the separator stand before it.
    let said = stderr(&output);
    assert!(said.contains("manifest.yaml:8:1: warning: this object has no name, so -o name leaves it out"), "{said}");
}

#[test]
fn what_is_estimated_is_called_so() {
    let report = json(&manifest(DIRECT).ready("False", "UpdateFailed").text(), &[]);
    let status = &report["objects"][0]["status"];
    assert_agrees(
        &value!({
            "from": "2026-11-30T11:58:00Z", "to": "2026-11-30T12:00:00Z", "certainty": "estimated",
            "reason": "the delay that its ladder stands at",
        }),
        &status["lastAttempt"],
    );
    assert_agrees(
        &value!({
            "from": "2026-11-30T12:00:00Z", "to": "2026-11-30T12:02:00Z", "certainty": "estimated",
            "reason": "the ladder stands at a delay of 2 min",
        }),
        &status["nextAttempt"],
    );
}

#[test]
fn each_object_has_the_ladder_of_its_own_ceiling() {
    let ceilings = [1, 2, 3, 600, 1200, 3];
    let documents: Vec<String> =
        ceilings.iter().map(|ceiling| manifest(DIRECT).with(CEILING, &ceiling.to_string()).text()).collect();
    let report = json(&documents.join("\n---\n"), &[]);
    for (ceiling, object) in ceilings.iter().zip(report["objects"].as_array().unwrap()) {
        let ladder = object["retry"]["ladder"].as_array().unwrap();
        assert_eq!(object["retry"]["maxSeconds"], *ceiling);
        assert_eq!(ladder.last().unwrap()["delaySeconds"], *ceiling, "{ceiling}");
        // The first at the ceiling is attempt n with 2^(n-1) at or above it; then one more.
        let plateau = (1u32..).find(|attempt| 1u32 << (attempt - 1) >= *ceiling).unwrap();
        assert_eq!(ladder.len(), plateau as usize + 1, "{ceiling}");
    }
}

#[test]
fn values_that_may_hold_secrets_are_not_shown_where_they_are_no_strings_either() {
    for written in ["12345678", "!!int hunter2", "!!binary \"hunter2!\"", "[hunter2]", "{a: hunter2}"] {
        for key in ["observed-secret-versions", "mutable-but-unreadable-fields"] {
            let text = manifest(DIRECT).raw(&format!("cnrm.cloud.google.com/{key}"), written).text();
            for format in ["text", "json", "yaml"] {
                let output = run(&text, &["-o", format]);
                let said = stdout(&output) + &stderr(&output);
                assert!(!said.contains("hunter2") && !said.contains("12345678"), "{written} {format}: {said}");
                assert!(said.contains("is not a string"), "{written} {format}: {said}");
            }
        }
    }
}

#[test]
fn the_time_is_told_only_where_an_answer_depends_on_it() {
    // Without a status nothing depends on the clock, and the same input gives the same bytes at any time.
    let timeless = manifest(DIRECT).with(CEILING, "600").metadata("deletionTimestamp: \"2026-11-30T11:00:00Z\"").text();
    for format in ["text", "json", "yaml"] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("manifest.yaml"), &timeless).unwrap();
        let args = ["explain", "manifest.yaml", "-o", format];
        let now = binary(folder.path()).args(args).output().unwrap().stdout;
        let then = binary(folder.path()).args(args).args(["--now", "2027-01-01T00:00:00Z"]).output().unwrap().stdout;
        assert!(now == then && !now.is_empty(), "{format}");
    }
    let report = json(&timeless, &[]);
    assert_eq!(report["now"], Value::Null);
    assert_eq!(report["nowReason"], "no object has a status, so no answer depends on the time");
    let timed = json(&manifest(DIRECT).ready("False", "UpdateFailed").text(), &[]);
    assert_eq!(timed["now"], NOW);
    assert_eq!(timed.get("nowReason"), None);
}
