//! console.md sections 3 and 4 to 10: what a pass does, by what the Console holds and by what the status tells.

use kcc_backoff::plural::{Action, Remote, Situation};

use super::*;

/// Action and mutation if absent and if present, of a manifest without a status.
fn modes(resource: &Resource) -> [(&'static str, Option<&'static str>); 2] {
    let mode = answer(resource).mode;
    assert_eq!((mode.now, &*mode.now_reason), (None, "the manifest has no status"));
    [does(&mode.if_absent), does(&mode.if_present)]
}

/// What the next pass does, which must be known.
fn now(resource: &Resource) -> (&'static str, Option<&'static str>) {
    does(&answer(resource).mode.now.expect("what the next pass does is known"))
}

#[test]
fn with_drift_detection_each_kind_creates_what_is_absent_and_takes_over_what_is_present() {
    let cases = [
        ("Project", "createProject", Some("updateProject")),
        ("Catalog", "upsertCatalog", Some("upsertCatalog")),
        ("GitRepository", "createGitRepository", Some("updateGitRepository")),
        ("NotificationSink", "upsertNotificationSink", Some("upsertNotificationSink")),
        ("ServiceAccount", "createServiceAccount", Some("updateServiceAccount")),
        // The hash is stored without an update (section 9).
        ("PrAutomation", "createPrAutomation", None),
        ("ServiceContext", "saveServiceContext", Some("saveServiceContext")),
    ];
    for (kind, create, update) in cases {
        let wanted = [("create", Some(create)), ("adopt", update)];
        assert_eq!(modes(&object(kind)), wanted, "{kind}");
        assert_eq!(modes(&object(kind).drift(true)), wanted, "{kind}");
        assert_eq!(modes(&object(kind).interval("5m")), wanted, "{kind}");
    }
}

#[test]
fn without_drift_detection_what_is_absent_is_created_and_owned_all_the_same() {
    for (kind, _) in SEVEN.into_iter().filter(|(kind, _)| *kind != "ServiceContext") {
        let answer = answer(&object(kind).drift(false));
        assert_eq!(answer.mode.if_absent.action.as_str(), "create", "{kind}");
        // And not looked at again.
        let requeue = told(&answer.mode.if_absent).2;
        assert_eq!(requeue, if kind == "GitRepository" { "wait" } else { "none" }, "{kind}");
        assert!(lines_of(&screen(&object(kind).drift(false)), "If absent")[0].contains("and owns it"), "{kind}");
    }
}

#[test]
fn without_drift_detection_only_the_id_of_what_is_present_is_taken() {
    for (kind, _) in SEVEN.into_iter().filter(|(kind, _)| *kind != "ServiceContext") {
        let answer = answer(&object(kind).drift(false));
        assert_eq!(told(&answer.mode.if_present), ("read-only", None, "none", "source"), "{kind}");
        let line = lines_of(&screen(&object(kind).drift(false)), "If present").remove(0);
        assert!(line.starts_with("read-only takes its id, changes nothing in the Console"), "{kind}: {line}");
    }
}

#[test]
fn the_adoption_that_no_code_was_found_for_is_marked() {
    let confidence = |kind| answer(&object(kind)).mode.if_present.confidence.as_str();
    // Section 0: of Project and Catalog the pattern is known, of the other two only the documentation.
    assert_eq!([confidence("Project"), confidence("Catalog")], ["inferred"; 2]);
    assert_eq!([confidence("GitRepository"), confidence("NotificationSink")], ["documented-only"; 2]);
    for kind in ["ServiceAccount", "PrAutomation", "ServiceContext"] {
        assert_eq!(confidence(kind), "source", "{kind}");
    }
}

#[test]
fn an_object_managed_already_stays_managed_when_drift_detection_is_switched_off() {
    for kind in ["Project", "Catalog", "GitRepository", "NotificationSink"] {
        let managed = object(kind).ours().id().readonly(false);
        for drift in [true, false] {
            assert_eq!(now(&managed.clone().drift(drift)).0, "in-sync-or-update", "{kind} {drift}");
        }
    }
}

#[test]
fn a_read_only_object_is_adopted_by_the_next_pass_when_drift_detection_is_switched_on() {
    for (kind, mutation) in [("Project", "updateProject"), ("Catalog", "upsertCatalog")] {
        let read_only = object(kind).id().readonly(true);
        assert_eq!(now(&read_only.clone().drift(false)), ("read-only", None), "{kind}");
        for on in [read_only.clone(), read_only.clone().drift(true), read_only.clone().interval("1h")] {
            assert_eq!(now(&on), ("adopt", Some(mutation)), "{kind}");
        }
    }
    assert_eq!(now(&object("GitRepository").id().readonly(true)), ("adopt", Some("updateGitRepository")));
    assert_eq!(now(&object("NotificationSink").id().readonly(true)), ("adopt", Some("upsertNotificationSink")));
}

#[test]
fn the_condition_readonly_counts_and_the_field_readonly_of_the_status_does_not() {
    // Section 2.1: the field keeps saying true after a change from read-only to managed.
    for drift in [true, false] {
        let managed = object("Project").ours().id().status("readonly: true").readonly(false).drift(drift);
        assert_eq!(now(&managed), ("in-sync-or-update", Some("updateProject")));
    }
    let read_only = object("Project").id().status("readonly: false").readonly(true).drift(false);
    assert_eq!(now(&read_only), ("read-only", None));
}

#[test]
fn a_readonly_condition_that_is_neither_true_nor_false_counts_as_none() {
    let with = |status: &str| object("Project").id().condition("Readonly", status, "Readonly", "").drift(false);
    // No condition, no finalizer: the row of a Project that has an id only.
    let row = (does(&answer(&with("Unknown")).mode.if_present), documented(&answer(&with("Unknown")).mode.if_present));
    assert_eq!(row, (("in-sync-or-update", Some("updateProject")), Some("read-only")));
    assert_eq!(answer(&with("True")).mode.if_present.action.as_str(), "read-only");
}

#[test]
fn a_project_that_was_deleted_in_the_console_is_created_again_under_another_id() {
    let managed = object("Project").ours().id().readonly(false);
    assert_eq!(does(&answer(&managed).mode.if_absent), ("create", Some("createProject")));
    assert!(notes(&answer(&managed)).contains("created again, and status.id changes"));
    // Nothing to lose yet, or nothing that would be created.
    assert!(!notes(&answer(&object("Project"))).contains("created again"));
    assert!(!notes(&answer(&object("Project").id().readonly(true).drift(false))).contains("created again"));
}

#[test]
fn a_catalog_in_the_steady_state_is_not_looked_up_so_one_deleted_in_the_console_stays_gone() {
    let steady = answer(&object("Catalog").ours().id().readonly(false).status("sha: ABC"));
    assert_eq!(does(&steady.mode.if_absent), ("in-sync-or-update", Some("upsertCatalog")));
    assert!(steady.mode.if_absent.note.contains("stays gone"), "{}", steady.mode.if_absent.note);
    assert_eq!(documented(&steady.mode.if_absent), Some("create"));
    // Not even a Console that cannot be reached is noticed.
    assert_eq!(steady.mode.if_unreachable.as_ref().unwrap().action.as_str(), "in-sync-or-update");
    let screen = screen(&object("Catalog").ours().id().readonly(false));
    assert!(lines_of(&screen, "If gone")[0].contains("it stays gone while the spec is unchanged"), "{screen}");
    assert!(lines_of(&screen, "If unknown")[0].starts_with("managed the look-up fails: owned"), "{screen}");
    assert_eq!(lines_of(&screen, "Documented"), ["otherwise: create if absent; error if unknown"]);
}

#[test]
fn the_finalizer_of_a_git_repository_outweighs_its_readonly_condition() {
    let present =
        |resource: Resource| answer(&resource.id().readonly(true).drift(false)).mode.if_present.action.as_str();
    assert_eq!(present(object("GitRepository").ours()), "in-sync-or-update");
    assert_eq!(present(object("GitRepository")), "read-only");
    assert_eq!(present(object("GitRepository").finalizer(FOREIGN)), "read-only");
}

#[test]
fn a_git_repository_that_has_the_finalizer_but_no_id_is_linked_without_an_update() {
    for drift in [true, false] {
        let mode = answer(&object("GitRepository").ours().drift(drift)).mode;
        assert_eq!(does(&mode.if_present), ("adopt", None), "{drift}");
        let line = lines_of(&screen(&object("GitRepository").ours().drift(drift)), "If present").remove(0);
        assert!(line.contains("takes it over: links it, without an update"), "{line}");
    }
}

#[test]
fn a_new_git_repository_ends_its_first_pass_not_ready_and_comes_again_soon() {
    for drift in [true, false] {
        let answer = answer(&object("GitRepository").drift(drift));
        assert_eq!(told(&answer.mode.if_absent).2, "wait");
        let notes = notes(&answer);
        let told =
            "until its health is PULLABLE, as after its creation, it is not ready and a pass comes every 15 to 45 s";
        assert!(notes.contains(told), "{notes}");
    }
    // Where the health is known, what follows from it is told instead.
    for health in ["PULLABLE", "FAILED"] {
        let known = object("GitRepository").ours().id().status(&format!("health: {health}"));
        assert!(!notes(&answer(&known)).contains("PULLABLE"), "{health}");
    }
}

#[test]
fn a_read_only_git_repository_whose_target_is_gone_keeps_its_id_and_is_not_looked_at_again() {
    let gone = object("GitRepository").id().readonly(true).drift(false).condition(
        "Synchronized",
        "False",
        "NotFound",
        "could not find the repository",
    );
    let answer = answer(&gone);
    let now = answer.mode.now.unwrap();
    assert_eq!(told(&now), ("wait", None, "none", "source"));
    assert!(now.note.contains("id kept"), "{}", now.note);
    let line = lines_of(&screen(&gone), "Next pass").remove(0);
    assert!(line.contains("sends nothing") && line.contains("does not come again by itself"), "{line}");
    assert!(!line.contains("15 to 45"), "{line}");
}

#[test]
fn other_read_only_objects_whose_target_is_gone_lose_their_id_and_wait() {
    let cases = [
        ("Project", "NotFound", "Could not find resource in Console API"),
        ("Catalog", "NotFound", "Could not find resource in Console API"),
        ("NotificationSink", "Error", " \"it\" not found"),
    ];
    for (kind, reason, message) in cases {
        let gone = object(kind).readonly(true).drift(false).condition("Synchronized", "False", reason, message);
        let answer = answer(&gone);
        let now = answer.mode.now.unwrap();
        assert_eq!(told(&now), ("wait", None, "wait", "source"), "{kind}");
        assert!(now.note.contains("id cleared"), "{kind}: {}", now.note);
        assert_eq!(answer.live.unwrap().state.as_str(), "waiting", "{kind}");
        let line = lines_of(&screen(&gone), "Next pass").remove(0);
        assert!(line.contains("comes again after 15 to 45 s"), "{kind}: {line}");
    }
}

#[test]
fn a_sink_with_a_name_that_exists_is_read_only_whether_or_not_its_id_is_known() {
    for with_id in [true, false] {
        let sink = object("NotificationSink").drift(false);
        let sink = if with_id { sink.id() } else { sink };
        assert_eq!(does(&answer(&sink).mode.if_present), ("read-only", None));
    }
    // The finalizer says that it is managed, the condition outweighs both.
    let held = object("NotificationSink").drift(false).ours();
    assert_eq!(answer(&held).mode.if_present.action.as_str(), "adopt");
    assert_eq!(answer(&held.clone().id()).mode.if_present.action.as_str(), "in-sync-or-update");
    assert_eq!(answer(&held.id().readonly(true)).mode.if_present.action.as_str(), "read-only");
}

#[test]
fn a_sink_without_spec_name_takes_over_its_namesake_whatever_drift_detection_says() {
    for drift in [true, false] {
        let sink = object("NotificationSink").without("name").drift(drift);
        let answer = answer(&sink);
        assert_eq!(told(&answer.mode.if_absent), ("create", Some("upsertNotificationSink"), "none", "source"));
        assert_eq!(told(&answer.mode.if_present), ("adopt", Some("upsertNotificationSink"), "none", "source"));
        assert!(notes(&answer).contains("whatever driftDetection says"));
        assert_eq!(now(&sink.clone().id()), ("in-sync-or-update", Some("upsertNotificationSink")));
    }
    // null is absent to the API server.
    let null = object("NotificationSink").spec("name: null").drift(false);
    assert_eq!(answer(&null).mode.if_present.action.as_str(), "adopt");
    assert!(!notes(&answer(&object("NotificationSink"))).contains("whatever driftDetection says"));
}

#[test]
fn a_sink_with_an_empty_name_is_managed_too_as_presumably_nothing_is_called_so() {
    for drift in [true, false] {
        let sink = object("NotificationSink").spec("name: \"\"").drift(drift);
        let answer = answer(&sink);
        // The look-up of "" has to find nothing for that: inferred.
        assert_eq!(told(&answer.mode.if_absent), ("create", Some("upsertNotificationSink"), "none", "inferred"));
        assert_eq!(told(&answer.mode.if_present), ("adopt", Some("upsertNotificationSink"), "none", "inferred"));
        assert_eq!(documented(&answer.mode.if_present), Some(if drift { "adopt" } else { "read-only" }));
        assert_eq!(told(answer.mode.if_unreachable.as_ref().unwrap()), ("error", None, "error", "source"));
        assert!(notes(&answer).contains("the look-up of \"\" presumably finds nothing"), "{}", notes(&answer));
        assert!(notes(&answer).contains("whatever driftDetection says"), "{}", notes(&answer));
        assert_eq!(now(&sink.clone().id()), ("in-sync-or-update", Some("upsertNotificationSink")), "{drift}");
        // Condition and finalizer decide before anything is looked up.
        for known in [sink.clone().ours().id(), sink.clone().id().readonly(false)] {
            assert_eq!(told(&super::answer(&known).mode.if_present).3, "source", "{drift}");
        }
        // As sure as the pass before it.
        assert_eq!(told(&answer.deletion.if_present).3, "inferred", "{drift}");
    }
}

#[test]
fn a_read_only_sink_whose_name_is_emptied_looks_for_nothing_and_does_not_panic() {
    let mode = answer(&object("NotificationSink").spec("name: \"\"").id().readonly(true).drift(false)).mode;
    assert_eq!(told(&mode.if_absent), ("wait", None, "wait", "source"));
    assert_eq!(told(&mode.if_present), ("wait", None, "wait", "inferred"));
    assert_eq!(documented(&mode.if_present), Some("read-only"));
}

#[test]
fn the_promise_for_a_sink_without_a_name_is_the_one_for_every_sink() {
    // Without condition and finalizer nothing says that it is owned: driftDetection false promises read-only.
    for sink in [object("NotificationSink").without("name"), object("NotificationSink").spec("name: \"\"")] {
        let present = answer(&sink.id().drift(false)).mode.if_present;
        assert_eq!((present.action.as_str(), documented(&present)), ("in-sync-or-update", Some("read-only")));
    }
}

#[test]
fn a_read_only_sink_whose_name_is_removed_makes_the_controller_panic() {
    let sink = object("NotificationSink").without("name").id().readonly(true).drift(false);
    let mode = answer(&sink).mode;
    for outcome in [&mode.if_absent, &mode.if_present, &mode.if_unreachable.unwrap(), &mode.now.unwrap()] {
        assert_eq!(told(outcome), ("error", None, "error", "source"));
        assert!(outcome.note.contains("panics"), "{}", outcome.note);
    }
    // So nothing is taken over.
    assert!(!notes(&answer(&sink)).contains("takes over"));
    // With drift detection it is no longer read-only, as far as the documentation goes.
    let adopted = object("NotificationSink").without("name").id().readonly(true).drift(true);
    assert_eq!(
        told(&answer(&adopted).mode.if_present),
        ("adopt", Some("upsertNotificationSink"), "none", "documented-only")
    );
    // With the name, or no longer read-only, it does not.
    assert_eq!(now(&object("NotificationSink").id().readonly(true).drift(false)).0, "read-only");
    assert_eq!(
        now(&object("NotificationSink").without("name").id().readonly(false).drift(false)).0,
        "in-sync-or-update"
    );
}

#[test]
fn a_read_only_sink_gets_the_remote_values_written_into_its_spec() {
    let mode = answer(&object("NotificationSink").drift(false)).mode;
    assert_eq!(mode.if_present.note, "remote values go into the spec");
}

#[test]
fn the_readonly_condition_of_a_service_account_is_not_consulted() {
    for readonly in [true, false] {
        let account = object("ServiceAccount").readonly(readonly).drift(false);
        assert_eq!(does(&answer(&account).mode.if_absent), ("create", Some("createServiceAccount")), "{readonly}");
        assert_eq!(does(&answer(&account).mode.if_present), ("read-only", None), "{readonly}");
    }
}

#[test]
fn read_only_lasts_one_pass_for_service_accounts_and_pr_automations() {
    let cases = [("ServiceAccount", "updateServiceAccount"), ("PrAutomation", "updatePrAutomation")];
    for (kind, mutation) in cases {
        let fresh = object(kind).drift(false);
        assert_eq!(does(&answer(&fresh).mode.if_present), ("read-only", None), "{kind}");
        assert_eq!(now(&fresh.clone().id()), ("in-sync-or-update", Some(mutation)), "{kind}");
        assert_eq!(documented(&answer(&fresh.clone().id()).mode.if_present), Some("read-only"), "{kind}");
        let lasts = "for one pass only: the next one updates it";
        let line = |resource: &Resource| lines_of(&screen(resource), "If present").remove(0);
        assert!(line(&fresh).contains(lasts), "{}", line(&fresh));
        assert_eq!(codes(&answer(&fresh)), [("hazard", "warning")], "{kind}");
        let message = &answer(&fresh).problems[0].message;
        assert!(message.contains("the second pass updates the remote"), "{message}");
        // With drift detection nothing is read-only at all.
        assert!(!line(&object(kind)).contains("for one pass"), "{kind}");
        assert_eq!(codes(&answer(&object(kind).drift(true))), [], "{kind}");
    }
    let account = answer(&object("ServiceAccount").drift(false));
    assert!(account.mode.if_present.note.contains("Ready stays False"));
    let line = lines_of(&screen(&object("ServiceAccount").drift(false)), "If present").remove(0);
    assert!(line.contains("Ready stays False till then"), "{line}");
}

#[test]
fn a_pr_automation_never_says_that_it_is_read_only() {
    let told = |resource: &Resource| notes(&answer(resource)).contains("Readonly and status.readonly are never set");
    assert!(told(&object("PrAutomation").drift(false)));
    // Of no use where nothing is read-only, or any more.
    assert!(!told(&object("PrAutomation")) && !told(&object("PrAutomation").drift(false).ours().id().deleting()));
    // Its condition, set by hand, changes nothing.
    for readonly in [true, false] {
        let automation = object("PrAutomation").id().readonly(readonly).drift(false);
        assert_eq!(now(&automation), ("in-sync-or-update", Some("updatePrAutomation")));
    }
}

#[test]
fn creating_a_pr_automation_is_inferred_as_the_copy_read_waits_for_ever() {
    for drift in [true, false] {
        let mode = answer(&object("PrAutomation").drift(drift)).mode;
        assert_eq!(told(&mode.if_absent).3, "inferred");
        assert!(mode.if_absent.note.contains("waits for ever"));
    }
}

#[test]
fn the_drift_test_of_a_service_context_is_inverted() {
    let of = |drift| answer(&object("ServiceContext").drift(drift)).mode;
    let on = of(true);
    assert_eq!(told(&on.if_absent), ("create", Some("saveServiceContext"), "interval", "source"));
    assert_eq!(told(&on.if_present), ("adopt", Some("saveServiceContext"), "interval", "source"));
    let off = of(false);
    // Absent: not created. Present: overwritten.
    assert_eq!(told(&off.if_absent), ("read-only", None, "none", "source"));
    assert_eq!(told(&off.if_present), ("adopt", Some("saveServiceContext"), "none", "source"));
    assert_eq!((documented(&off.if_absent), documented(&off.if_present)), (Some("create"), Some("read-only")));
    let off = object("ServiceContext").drift(false);
    assert_eq!(codes(&answer(&off)), [("hazard", "warning")]);
    let message = &answer(&off).problems[0].message;
    assert!(message.contains("inverted") && message.contains("overwrites what is there"), "{message}");
    assert_eq!(codes(&answer(&object("ServiceContext").drift(true))), []);
    let on = screen(&object("ServiceContext").drift(true));
    let screen = screen(&off);
    for label in ["If absent", "If present"] {
        assert!(lines_of(&screen, label)[0].contains("the controller's test is inverted"), "{screen}");
        assert!(!lines_of(&on, label)[0].contains("inverted"), "{on}");
    }
    assert!(lines_of(&screen, "If absent")[0].starts_with("read-only creates nothing"), "{screen}");
    let promise =
        "otherwise: create if absent; read-only if present; error if unknown; deletion keeps it once taken over";
    assert_eq!(lines_of(&screen, "Documented"), [promise]);
}

#[test]
fn a_failed_look_up_of_a_service_context_counts_as_absent() {
    let unreachable = |drift| answer(&object("ServiceContext").drift(drift)).mode.if_unreachable.unwrap();
    assert_eq!(told(&unreachable(true)), ("create", Some("saveServiceContext"), "interval", "source"));
    assert_eq!(told(&unreachable(false)), ("read-only", None, "none", "source"));
    for (drift, told) in
        [(true, "create the look-up fails: creates it"), (false, "read-only the look-up fails: creates nothing")]
    {
        let line = lines_of(&screen(&object("ServiceContext").drift(drift)), "If unknown").remove(0);
        assert!(line.starts_with(told) && line.ends_with("a failed look-up counts as absent"), "{line}");
    }
}

#[test]
fn a_service_context_is_saved_on_every_pass() {
    for drift in [true, false] {
        let managed = object("ServiceContext").ours().id().readonly(false).drift(drift);
        assert_eq!(now(&managed), ("update", Some("saveServiceContext")));
    }
    let line = lines_of(&screen(&object("ServiceContext").ours().id().readonly(false)), "Next pass").remove(0);
    assert!(line.starts_with("update writes it (saveServiceContext) on every pass"), "{line}");
}

#[test]
fn a_failed_look_up_of_the_other_kinds_is_an_error_and_never_counts_as_absent() {
    for (kind, _) in SEVEN.into_iter().filter(|(kind, _)| *kind != "ServiceContext") {
        for drift in [true, false] {
            let resource = object(kind).drift(drift);
            assert_eq!(
                told(&answer(&resource).mode.if_unreachable.unwrap()),
                ("error", None, "error", "source"),
                "{kind}"
            );
            assert_eq!(lines_of(&screen(&resource), "If unknown"), Vec::<String>::new(), "{kind}");
        }
    }
}

#[test]
fn remote_edits_are_noticed_only_where_every_pass_saves() {
    // Section 2.4: the hash compares the spec with the last spec.
    for kind in ["Project", "Catalog", "NotificationSink", "ServiceAccount"] {
        let notes = notes(&answer(&object(kind)));
        assert!(notes.contains("edits in the Console stay"), "{kind}: {notes}");
        assert!(notes.contains("a change of the spec (reconciliation included)"), "{kind}: {notes}");
    }
    for kind in ["GitRepository", "PrAutomation"] {
        let notes = notes(&answer(&object(kind)));
        assert!(notes.contains("edits in the Console stay"), "{kind}: {notes}");
        assert!(notes.contains("(a Secret's or a reference's included, reconciliation not)"), "{kind}: {notes}");
    }
    let notes = notes(&answer(&object("ServiceContext")));
    assert!(notes.contains("edits in the Console are overwritten"), "{notes}");
    assert!(!notes.contains("edits in the Console stay"), "{notes}");
}

#[test]
fn an_edit_of_the_spec_or_a_restart_wakes_an_object() {
    for (kind, _) in SEVEN {
        let also = match kind {
            "NotificationSink" => "a change of the NamespaceCredentials that its annotation names, ",
            _ => "",
        };
        let wanted =
            format!("an edit of spec, {also}a restart of its controller. Not: labels, annotations, the status");
        assert!(answer(&object(kind)).wakes.starts_with(&wanted), "{kind}");
    }
    // The controller of ServiceAccounts watches the Secrets that it controls: those of the tokens that it made.
    let account = object("ServiceAccount").spec("tokenSecretRef: {name: token}");
    assert!(!answer(&account).wakes.contains("Secret"));
    let account = account.spec("scopes: [{api: createCluster}]");
    assert!(answer(&account).wakes.contains("a change of the Secret that holds its token"));
    for reference in ["secretRef: {name: s}", "configMapRef: {name: c}", "configMapRefs: [{name: c}]"] {
        let context = answer(&object("ServiceContext").spec(reference));
        assert!(context.wakes.contains("an edit of a Secret or ConfigMap that it refers to"), "{reference}");
    }
    let context = answer(&object("ServiceContext").spec("projectRef: {name: p}"));
    assert!(!context.wakes.contains("Secret"), "{}", context.wakes);
    let repository = answer(&object("GitRepository").spec("credentialsRef: {name: s}"));
    assert!(repository.wakes.contains("Not: labels, annotations, the status, edits of what it refers to"));
}

#[test]
fn the_screen_tells_the_mode_in_words_before_the_promise_of_the_documentation() {
    let screen = screen(&object("PrAutomation").drift(false).id());
    assert_eq!(lines_of(&screen, "Documented"), ["otherwise: read-only if present; deletion keeps it"]);
    let at = |label: &str| screen.find(&format!("\n  {label}")).unwrap_or_else(|| panic!("{label}: {screen}"));
    assert!(at("Next pass") < at("If gone") && at("If gone") < at("Deletion"), "{screen}");
    assert!(at("Deletion") < at("Documented") && at("Documented") < at("Console"), "{screen}");
    assert!(
        lines_of(&screen, "Next pass")[0].starts_with("managed owned: updates it (updatePrAutomation)"),
        "{screen}"
    );
    // Where both agree, there is no such line.
    assert_eq!(lines_of(&super::screen(&object("Project")), "Documented"), Vec::<String>::new());
}

/// What the next pass meets after one that did `action` with what was as in a manifest without a status.
fn after(kind: &str, remote: Remote, action: Action) -> Situation {
    fresh(remote).after(kind, action)
}

fn fresh(remote: Remote) -> Situation {
    Situation {
        remote,
        id_set: false,
        readonly: None,
        finalizer: false,
        drift_detection: true,
        deleting: false,
        unnamed_sink: false,
    }
}

#[test]
fn each_kind_ends_a_pass_with_its_own_id_condition_and_finalizer() {
    let state = |situation: Situation| (situation.remote, situation.id_set, situation.readonly, situation.finalizer);
    let managed = |kind| state(after(kind, Remote::Absent, Action::Create));
    let here = Remote::Present;
    assert_eq!(managed("Project"), (here, true, Some(false), true));
    assert_eq!(managed("Catalog"), (here, true, Some(false), true));
    assert_eq!(managed("GitRepository"), (here, true, Some(false), true));
    assert_eq!(managed("NotificationSink"), (here, true, Some(false), true));
    assert_eq!(managed("ServiceAccount"), (here, true, Some(false), false));
    assert_eq!(managed("PrAutomation"), (here, true, None, true));
    assert_eq!(managed("ServiceContext"), (here, true, Some(false), true));
    let read_only = |kind| state(after(kind, Remote::Present, Action::ReadOnly));
    // Section 4: removed on the read-only branch; section 5: added before the test.
    assert_eq!(read_only("Project"), (here, true, Some(true), false));
    assert_eq!(read_only("Catalog"), (here, true, Some(true), true));
    assert_eq!(read_only("GitRepository"), (here, true, Some(true), false));
    assert_eq!(read_only("NotificationSink"), (here, true, Some(true), false));
    // Sections 8 and 9: neither writes the condition.
    assert_eq!(read_only("ServiceAccount"), (here, true, None, false));
    assert_eq!(read_only("PrAutomation"), (here, true, None, true));
    // Section 10: only an absent one is read-only, and the id is cleared.
    let known = Situation { id_set: true, ..fresh(Remote::Absent) };
    assert_eq!(state(known.after("ServiceContext", Action::ReadOnly)), (Remote::Absent, false, Some(true), true));
    // Section 6: adoption adds no finalizer; section 7: a successful upsert does.
    assert!(!after("GitRepository", Remote::Present, Action::Adopt).finalizer);
    assert!(after("NotificationSink", Remote::Present, Action::Adopt).finalizer);
}

#[test]
fn a_read_only_project_loses_its_finalizer_and_a_waiting_one_keeps_what_it_has() {
    let held = Situation { finalizer: true, readonly: Some(true), id_set: true, ..fresh(Remote::Present) };
    assert!(!held.after("Project", Action::ReadOnly).finalizer);
    assert!(held.after("GitRepository", Action::ReadOnly).finalizer);
    for action in [Action::Wait, Action::Error, Action::Keep] {
        assert_eq!(held.after("Project", action), held);
    }
}

#[test]
fn an_update_manages_as_an_adoption_does() {
    // Section 8: the second pass after a read-only one updates the user, and says that it is not read-only.
    let second = Situation { id_set: true, readonly: Some(true), drift_detection: false, ..fresh(Remote::Present) };
    assert_eq!(second.after("ServiceAccount", Action::Update).readonly, Some(false));
    for action in [Action::Create, Action::Update, Action::Adopt, Action::InSyncOrUpdate] {
        assert!(action.manages(), "{action}");
    }
    for action in [Action::ReadOnly, Action::Delete, Action::Keep, Action::Wait, Action::Error, Action::Unknown] {
        assert!(!action.manages(), "{action}");
    }
}
