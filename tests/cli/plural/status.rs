//! console.md sections 2.1, 2.3 and 3.1: what the conditions tell of the last pass.

use super::*;

fn state(resource: &Resource) -> &'static str {
    answer(resource).live.unwrap().state.as_str()
}

fn synchronized(kind: &str, status: &str, reason: &str, message: &str) -> Resource {
    object(kind).condition("Synchronized", status, reason, message).condition("Ready", "False", "Ready", "")
}

#[test]
fn the_outcomes_of_a_pass_show_in_its_conditions() {
    // Section 3.1, line by line.
    let done = object("Project")
        .id()
        .readonly(false)
        .condition("Synchronized", "True", "Synchronized", "")
        .condition("Ready", "True", "Ready", "");
    assert_eq!(state(&done), "up-to-date");
    let read_only = object("Project")
        .id()
        .readonly(true)
        .condition("Synchronized", "True", "Synchronized", "")
        .condition("Ready", "True", "Ready", "");
    assert_eq!(state(&read_only), "up-to-date");
    let gone = "Could not find resource in Console API";
    assert_eq!(state(&synchronized("Project", "False", "NotFound", gone).readonly(true)), "waiting");
    assert_eq!(
        state(&synchronized("Project", "False", "Error", "{\"networkErrors\":null,\"graphqlErrors\":[]}")),
        "failing"
    );
    let failed = "{\"networkErrors\":null,\"graphqlErrors\":[{\"message\":\"could not find resource\"}]}";
    assert_eq!(state(&synchronized("Project", "False", "Error", failed).readonly(false)), "failing");
}

#[test]
fn a_missing_reference_user_or_group_is_waited_for() {
    let messages = [
        "project is not ready",
        "scm connection is not ready",
        "git repository is not ready",
        "user \"a@orchard.test\" not found",
        " \"sre\" not found",
        "scmconnections.deployments.plural.sh \"forge\" not found",
    ];
    for message in messages {
        assert_eq!(state(&synchronized("Catalog", "False", "Error", message)), "waiting", "{message}");
        assert_eq!(state(&synchronized("Catalog", "True", "Synchronized", message)), "unknown", "{message}");
    }
}

#[test]
fn errors_that_end_like_something_missing_are_errors_all_the_same() {
    let cases = [
        // Section 10: returned as plain errors.
        ("ServiceContext", "failed to get configmap infra/common: configmaps \"common\" not found"),
        ("ServiceContext", "failed to get secret infra/db: secrets \"db\" not found"),
        // Section 2.7: on failure the error is returned.
        ("NotificationSink", "failed to use infra namespace credentials: secrets \"token\" not found"),
        // Section 7: a failed read-only test returns an error.
        ("NotificationSink", "could not check if cluster is existing resource, got error:  \"it\" not found"),
    ];
    for (kind, message) in cases {
        assert_eq!(state(&synchronized(kind, "False", "Error", message)), "failing", "{message}");
        // Nor is it a read-only target that is gone.
        let read_only = synchronized(kind, "False", "Error", message).readonly(true).id().drift(false);
        assert!(!answer(&read_only).mode.now_reason.contains("did not find"), "{message}");
    }
}

#[test]
fn a_repository_that_is_not_pullable_waits() {
    let waiting = object("GitRepository")
        .id()
        .readonly(false)
        .condition("Synchronized", "True", "Synchronized", "")
        .condition("Ready", "False", "Ready", "The repository is not pullable yet")
        .status("health: FAILED");
    assert_eq!(state(&waiting), "waiting");
    assert_eq!(answer(&waiting).live.unwrap().told_by.unwrap().0, "Ready");
    assert_eq!(json(&waiting)["status"]["health"], "FAILED");
}

#[test]
fn a_service_context_that_failed_after_the_look_up_is_failing_although_ready_is_true() {
    let context = object("ServiceContext").id().readonly(false).condition("Ready", "True", "Ready", "").condition(
        "Synchronized",
        "False",
        "Error",
        "failed to parse configuration JSON: no object",
    );
    assert_eq!(state(&context), "failing");
    let project = object("ServiceContext").id().condition("Ready", "True", "Ready", "").condition(
        "Synchronized",
        "False",
        "Error",
        "project is not ready",
    );
    assert_eq!(state(&project), "waiting");
}

#[test]
fn ready_false_alone_tells_nothing_as_every_pass_begins_so() {
    // A read-only ServiceAccount stays like that.
    let account = object("ServiceAccount").id().condition("Ready", "False", "Ready", "").drift(false);
    assert_eq!(state(&account), "unknown");
    assert_eq!(state(&object("Project").id()), "unknown");
    let line = lines_of(&screen(&object("Project").id()), "Status").remove(0);
    assert_eq!(line, "not known the status has neither Ready nor Synchronized (id 7f3a)");
}

#[test]
fn a_status_is_shown_with_what_told_it_since_when_and_which_id() {
    let failing = synchronized("Project", "False", "Error", "boom").id().readonly(false);
    let screen = screen(&failing);
    let line = "failing since 2026-11-30 03:12 UTC: Synchronized=False Error: boom (id 7f3a, Readonly=False)";
    assert_eq!(lines_of(&screen, "Status"), [line]);
    let none = object("Project").condition("Ready", "True", "Ready", "").readonly(true);
    // A reason that only says the condition's name again is left out; JSON has it.
    let told = lines_of(&super::screen(&none), "Status").remove(0);
    assert_eq!(told, "up to date since 2026-11-30 03:12 UTC: Ready=True (no id, Readonly=True)");
    assert_eq!(json(&none)["status"]["ready"]["reason"], "Ready");
}

#[test]
fn the_reason_for_the_next_pass_stands_beside_it() {
    let reason = |resource: &Resource| answer(resource).mode.now_reason.into_owned();
    assert_eq!(reason(&object("Project").id()), "status.id is set: the remote was there at the last pass");
    assert_eq!(reason(&object("Project").readonly(false)), "status.id is not set, so what the Console holds decides");
    let gone = object("GitRepository").id().readonly(true).condition("Synchronized", "False", "NotFound", "");
    assert_eq!(reason(&gone), "the last pass did not find its read-only target");
    // Only of a read-only object; and not if it was found.
    let managed = object("GitRepository").id().readonly(false).condition("Synchronized", "False", "NotFound", "");
    assert_eq!(reason(&managed), "status.id is set: the remote was there at the last pass");
    let found = object("GitRepository").id().readonly(true).condition("Synchronized", "True", "NotFound", "");
    assert_eq!(reason(&found), "status.id is set: the remote was there at the last pass");
    let sink = object("NotificationSink").deleting().finalizer(FOREIGN).readonly(false);
    assert_eq!(reason(&sink), "the same whether the remote is there or not");
    let line = lines_of(&screen(&object("Project").readonly(false)), "Next pass").remove(0);
    assert_eq!(line, "not known: status.id is not set, so what the Console holds decides");
}

#[test]
fn an_empty_status_is_none() {
    for status in ["status: {}\n", "status: null\n", "status:\n", "status: []\n", "status: text\n", ""] {
        let text = object("Project").text() + status;
        let answer = answers(&text).remove(0);
        assert_eq!((answer.live, &*answer.mode.now_reason), (None, "the manifest has no status"), "{status}");
    }
}

#[test]
fn the_hash_is_told_as_there_or_not() {
    assert_eq!(json(&object("Project").id().status("sha: ABC"))["status"]["hasHash"], true);
    for resource in [object("Project").id(), object("Project").id().status("sha: \"\"")] {
        assert_eq!(json(&resource)["status"]["hasHash"], false);
    }
}
