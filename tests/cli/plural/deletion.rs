//! console.md sections 3 and 4 to 10 on deletion: what becomes of the remote.

use super::*;

/// What deletion does after a pass that found the remote absent, or present.
fn later(resource: &Resource) -> [(&'static str, Option<&'static str>, &'static str, &'static str); 2] {
    let deletion = answer(resource).deletion;
    assert_eq!((deletion.now, &*deletion.now_reason), (None, "the manifest has no status"));
    [told(&deletion.if_absent), told(&deletion.if_present)]
}

fn delete(
    mutation: &'static str,
    returns: &'static str,
    confidence: &'static str,
) -> (&'static str, Option<&'static str>, &'static str, &'static str) {
    ("delete", Some(mutation), returns, confidence)
}

/// What the documentation promises otherwise, clause by clause.
fn promises(resource: &Resource) -> Vec<String> {
    let line = lines_of(&screen(resource), "Documented").join(" ");
    let clauses = line.strip_prefix("otherwise: ").map(|clauses| clauses.split("; ").map(str::to_owned).collect());
    clauses.unwrap_or_default()
}

const KEEP: (&str, Option<&str>, &str, &str) = ("keep", None, "none", "source");

#[test]
fn deleting_an_object_deletes_what_it_created() {
    for drift in [true, false] {
        let created = |kind| later(&object(kind).drift(drift))[0];
        assert_eq!(created("Project"), delete("deleteProject", "none", "source"));
        assert_eq!(created("Catalog"), delete("deleteCatalog", "none", "source"));
        assert_eq!(created("GitRepository"), delete("deleteGitRepository", "none", "source"));
        assert_eq!(created("NotificationSink"), delete("deleteNotificationSink", "none", "source"));
        // That it creates at all is inferred. Its finalizer goes with a later pass, if one comes.
        let returns = if drift { "interval" } else { "none" };
        assert_eq!(created("PrAutomation"), delete("deletePrAutomation", returns, "inferred"));
    }
    assert_eq!(later(&object("ServiceContext"))[0], delete("deleteServiceContext", "none", "source"));
    // The inverted test created nothing.
    assert_eq!(later(&object("ServiceContext").drift(false))[0], KEEP);
}

#[test]
fn deleting_an_adopted_object_deletes_a_remote_that_it_did_not_create() {
    let adopted = |kind| later(&object(kind))[1];
    // As sure as the adoption itself is known, and no surer.
    assert_eq!(adopted("Project"), delete("deleteProject", "none", "inferred"));
    assert_eq!(adopted("Catalog"), delete("deleteCatalog", "none", "inferred"));
    assert_eq!(adopted("NotificationSink"), delete("deleteNotificationSink", "none", "inferred"));
    assert_eq!(adopted("PrAutomation"), delete("deletePrAutomation", "interval", "source"));
    assert_eq!(adopted("ServiceContext"), delete("deleteServiceContext", "none", "source"));
    for kind in ["Project", "Catalog", "NotificationSink", "PrAutomation", "ServiceContext"] {
        let lines = lines_of(&screen(&object(kind)), "Deletion");
        let last = lines.last().unwrap();
        assert!(last.starts_with("delete "), "{lines:?}");
        // One line for both cases, the mark behind what it is about.
        assert_eq!(lines.len(), 1, "{lines:?}");
        let [created, taken] = later(&object(kind)).map(|outcome| outcome.3);
        match (created, taken) {
            ("source", "source") => assert!(last.ends_with("), even one that it took over"), "{last}"),
            ("source", "inferred") => assert!(last.ends_with("), even one that it took over [inferred]"), "{last}"),
            ("inferred", "source") => {
                assert!(last.starts_with("delete deletes one that it took over ("), "{last}");
                assert!(last.contains("), and one that it created [inferred]; "), "{last}");
                assert_eq!(last.matches("[inferred]").count(), 1, "{last}");
            }
            other => panic!("{kind}: {other:?}"),
        }
    }
    // Overwritten in spite of driftDetection false, and then deleted.
    assert_eq!(later(&object("ServiceContext").drift(false))[1], delete("deleteServiceContext", "none", "source"));
}

#[test]
fn an_adopted_git_repository_gets_no_finalizer_so_its_remote_is_never_deleted() {
    assert_eq!(later(&object("GitRepository"))[1], ("keep", None, "none", "inferred"));
    let deletion = answer(&object("GitRepository")).deletion;
    assert_eq!(documented(&deletion.if_present), Some("delete"));
    let lines = lines_of(&screen(&object("GitRepository")), "Deletion");
    assert!(lines[0].starts_with("delete once created: deletes the remote"), "{lines:?}");
    assert!(lines[1].starts_with("keep once taken over: leaves the remote as it is"), "{lines:?}");
    assert!(lines[1].ends_with("nothing is done without the finalizer [inferred]"), "{lines:?}");
    assert_eq!(promises(&object("GitRepository")), ["deletion deletes it once taken over"]);
}

#[test]
fn deleting_a_read_only_object_keeps_the_remote() {
    for kind in ["Project", "Catalog", "GitRepository", "NotificationSink"] {
        assert_eq!(later(&object(kind).drift(false))[1], KEEP, "{kind}");
        let read_only = answer(&object(kind).id().readonly(true).drift(false)).deletion.now.unwrap();
        assert_eq!(told(&read_only).0, "keep", "{kind}");
    }
}

#[test]
fn deleting_a_read_only_pr_automation_deletes_the_remote() {
    let deletion = answer(&object("PrAutomation").drift(false)).deletion;
    assert_eq!(does(&deletion.if_present), ("delete", Some("deletePrAutomation")));
    assert_eq!(documented(&deletion.if_present), Some("keep"));
    // Nothing calls again, so the finalizer stays.
    assert_eq!(deletion.if_present.note, "finalizer waits for another event");
    let lines = lines_of(&screen(&object("PrAutomation").drift(false)), "Deletion");
    assert!(lines[1].starts_with("delete while read-only: deletes the remote (deletePrAutomation)"), "{lines:?}");
    assert!(lines[1].contains("the finalizer stays until something else wakes the object"), "{lines:?}");
    assert_eq!(promises(&object("PrAutomation").drift(false)), ["deletion keeps it"]);
}

#[test]
fn removing_a_service_account_leaves_the_user() {
    for (drift, promised) in [(true, "delete"), (false, "keep")] {
        let account = object("ServiceAccount").drift(drift);
        for resource in [account.clone(), account.clone().id().readonly(false), account.clone().deleting()] {
            let deletion = answer(&resource).deletion;
            for outcome in [&deletion.if_absent, &deletion.if_present] {
                assert_eq!(does(outcome), ("keep", None), "{drift}");
                assert!(outcome.note.contains("no finalizer, so it never sees the deletion"), "{}", outcome.note);
            }
        }
        assert_eq!(documented(&answer(&account).deletion.if_present), Some(promised));
        // Said once, also where it is known already, and where the status does not tell what the next pass does.
        for (resource, promise) in [
            (account.clone(), "deletion deletes it"),
            (account.clone().id().readonly(false), "deletion deletes it"),
            (account.clone().readonly(false), "deletion deletes it after another pass"),
        ] {
            let lines = lines_of(&screen(&resource), "Deletion");
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(lines[0].starts_with("keep leaves the remote as it is"), "{lines:?}");
            let of_deletion: Vec<String> =
                promises(&resource).into_iter().filter(|promise| promise.starts_with("deletion")).collect();
            assert_eq!(of_deletion, if drift { vec![promise] } else { vec![] }, "{drift}");
        }
    }
}

#[test]
fn a_service_account_that_somebody_else_holds_is_reconciled_as_if_it_lived() {
    let held = object("ServiceAccount").deleting().finalizer(FOREIGN);
    let deletion = answer(&held).deletion;
    assert_eq!(does(&deletion.if_absent), ("create", Some("createServiceAccount")));
    assert_eq!(does(&deletion.if_present), ("adopt", Some("updateServiceAccount")));
    assert_eq!(deletion.if_present.note, "no deletion handling; reconciled as if live");
    assert_eq!(does(&answer(&held).mode.if_present), ("adopt", Some("updateServiceAccount")));
    // And comes again like one.
    assert!(lines_of(&screen(&held), "Requeue")[0].starts_with("every 15 to 45 min while it succeeds"));
}

#[test]
fn a_project_that_is_read_only_but_has_drift_detection_again_is_deleted_remotely() {
    let read_only = object("Project").id().readonly(true);
    let now = answer(&read_only.clone().drift(true)).deletion.now.unwrap();
    assert_eq!(told(&now), ("delete", Some("deleteProject"), "none", "inferred"));
    assert_eq!(documented(&now), Some("keep"));
    assert_eq!(does(&answer(&read_only.drift(false)).deletion.now.unwrap()), ("keep", None));
    let lines = lines_of(&screen(&object("Project").id().readonly(true)), "Deletion");
    assert_eq!(lines, ["delete deletes the remote (deleteProject); although it is read-only [inferred]"]);
    assert_eq!(promises(&object("Project").id().readonly(true)), ["deletion keeps it"]);
}

#[test]
fn a_project_without_an_id_lets_go_at_once() {
    for resource in [
        object("Project").ours().readonly(false),
        object("Project").ours().condition("Synchronized", "False", "Error", "boom"),
    ] {
        assert_eq!(does(&answer(&resource).deletion.now.unwrap()), ("keep", None));
        // What the next pass makes of it is still told.
        let lines = lines_of(&screen(&resource), "Deletion");
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert_eq!(lines[0], "keep before another pass: leaves the remote as it is");
        assert!(lines[1].starts_with("delete after it: deletes the remote (deleteProject)"), "{lines:?}");
        assert!(lines[1].ends_with("even one that it took over [inferred]"), "{lines:?}");
    }
    // Where the next pass may also turn it read-only, both of them are told.
    let either = object("Project").ours().condition("Synchronized", "False", "Error", "boom").drift(false);
    let lines = lines_of(&screen(&either), "Deletion");
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("keep before another pass: leaves"), "{lines:?}");
    assert!(lines[1].starts_with("delete once created: deletes the remote"), "{lines:?}");
    assert!(lines[2].starts_with("keep while read-only: leaves the remote"), "{lines:?}");
    // What is the same before another pass and after one shares a line.
    let context = object("ServiceContext").ours().readonly(false).drift(false);
    let lines = lines_of(&screen(&context), "Deletion");
    assert_eq!(lines[0], "keep before another pass, or where none was: leaves the remote as it is");
    assert!(lines[1].starts_with("delete once taken over: deletes the remote"), "{lines:?}");
}

#[test]
fn without_a_readonly_condition_the_look_up_by_name_comes_before_the_deletion_of_a_project() {
    let unreachable = |resource: Resource| answer(&resource.deleting().ours()).mode.if_unreachable.unwrap();
    let outcome = unreachable(object("Project").id());
    assert_eq!((told(&outcome).2, &*outcome.note), ("error", "look-up by name comes first"));
    // With one, a failed look-up by id is swallowed: it comes again only by the interval.
    let outcome = unreachable(object("Project").id().readonly(false));
    assert_eq!((told(&outcome).2, &*outcome.note), ("interval", "no condition is set"));
    assert_eq!(told(&unreachable(object("Project").id().readonly(false).drift(false))).2, "none");
}

#[test]
fn a_catalog_that_failed_before_it_was_adopted_deletes_its_namesake() {
    let failed = object("Catalog").ours().condition("Synchronized", "False", "Error", "boom");
    for drift in [true, false] {
        let failed = failed.clone().drift(drift);
        let now = answer(&failed).deletion.now.unwrap();
        assert_eq!(told(&now), ("delete", Some("deleteCatalog"), "none", "source"), "{drift}");
        assert_eq!(now.note, "a same-named remote that was never adopted");
        let lines = lines_of(&screen(&failed), "Deletion");
        assert!(lines[0].starts_with("delete before another pass: deletes the remote (deleteCatalog)"), "{lines:?}");
        assert!(lines[0].contains("although it never took it over"), "{lines:?}");
        assert_eq!(promises(&failed), ["deletion keeps it before another pass"], "{drift}");
        // After another pass it is an adopted one, or still a read-only one.
        let after =
            if drift { "delete after it: deletes the remote" } else { "delete once created: deletes the remote" };
        assert!(lines[1].starts_with(after), "{lines:?}");
        assert_eq!(lines.get(2).is_some_and(|line| line.starts_with("keep while read-only")), !drift, "{lines:?}");
    }
}

#[test]
fn a_catalog_whose_remote_is_gone_keeps_its_finalizer_for_ever() {
    let on = answer(&object("Catalog").deleting().ours().id().readonly(false));
    assert_eq!((told(&on.mode.if_absent).2, &*on.mode.if_absent.note), ("interval", "finalizer is never removed"));
    let off = answer(&object("Catalog").deleting().ours().id().readonly(false).drift(false));
    assert_eq!(told(&off.mode.if_absent).2, "none");
    // Told before anything is deleted, too.
    let notes_of = |drift| notes(&answer(&object("Catalog").drift(drift)));
    for drift in [true, false] {
        let notes = notes_of(drift);
        assert!(notes.contains("deleting this object hangs: its finalizer is never removed"), "{notes}");
        assert_eq!(notes.contains("never removed, and no pass comes again"), !drift, "{notes}");
    }
    // While it is deleted, too.
    for (drift, again) in [(true, "comes again with the periodic requeue"), (false, "does not come again by itself")] {
        let deleting = object("Catalog").deleting().ours().id().readonly(false).drift(drift);
        let line = lines_of(&screen(&deleting), "If gone").remove(0);
        assert!(line.contains("finalizer is never removed") && line.contains(again), "{line}");
    }
}

#[test]
fn a_git_repository_is_deleted_only_with_finalizer_and_id_and_unless_read_only() {
    for (finalizer, id, readonly, wanted) in [
        (true, true, Some(false), "delete"),
        (true, true, None, "delete"),
        (true, true, Some(true), "keep"),
        (true, false, Some(false), "keep"),
        (false, true, Some(false), "keep"),
        (false, false, None, "keep"),
    ] {
        let mut resource = object("GitRepository").deleting().finalizer(FOREIGN);
        resource = if finalizer { resource.ours() } else { resource };
        resource = if id { resource.id() } else { resource };
        resource = if let Some(readonly) = readonly { resource.readonly(readonly) } else { resource };
        assert_eq!(told(&answer(&resource).deletion.if_present).0, wanted, "{}", resource.text());
    }
}

#[test]
fn whatever_the_console_refuses_to_delete_of_a_repository_looks_the_same() {
    for (drift, what) in
        [(true, "tried again by the next periodic requeue"), (false, "never tried again, as driftDetection is false")]
    {
        let notes = notes(&answer(&object("GitRepository").drift(drift)));
        let told = format!("a deletion that the Console refuses, for whatever cause, is {what}");
        assert!(notes.contains(&told) && notes.contains("the finalizer stays"), "{notes}");
    }
    // Not where nothing is deleted.
    let read_only = object("GitRepository").id().readonly(true).drift(false);
    assert!(!notes(&answer(&read_only)).contains("refuses"), "{}", notes(&answer(&read_only)));
}

#[test]
fn the_readonly_condition_of_a_sink_is_not_consulted_at_its_deletion() {
    let held = object("NotificationSink").ours().id().readonly(true).drift(false);
    let now = answer(&held).deletion.now.unwrap();
    assert_eq!(does(&now), ("delete", Some("deleteNotificationSink")));
    assert_eq!((documented(&now), &*now.note), (Some("keep"), "the Readonly condition is not consulted"));
    // Read-only sinks normally have no finalizer.
    let usual = object("NotificationSink").id().readonly(true).drift(false);
    assert_eq!(does(&answer(&usual).deletion.now.unwrap()), ("keep", None));
}

#[test]
fn a_sink_without_spec_name_is_deleted_only_with_its_finalizer() {
    let sink = object("NotificationSink").without("name").id().deleting().finalizer(FOREIGN);
    assert_eq!(does(&answer(&sink).deletion.if_present), ("keep", None));
    assert_eq!(does(&answer(&sink.ours()).deletion.if_present), ("delete", Some("deleteNotificationSink")));
    // The name is not asked for, so nothing panics.
    let read_only = object("NotificationSink").without("name").id().readonly(true).drift(false).ours();
    for resource in [read_only.clone(), read_only.deleting()] {
        assert_eq!(does(&answer(&resource).deletion.now.unwrap()), ("delete", Some("deleteNotificationSink")));
    }
    // Its first pass ends with the finalizer on it.
    let fresh = answer(&object("NotificationSink").without("name").drift(false)).deletion;
    assert_eq!(told(&fresh.if_present), delete("deleteNotificationSink", "none", "source"));
}

#[test]
fn a_pr_automation_without_an_id_cannot_be_deleted() {
    let resource = object("PrAutomation").ours().condition("Synchronized", "False", "Error", "boom");
    let now = answer(&resource).deletion.now.unwrap();
    assert_eq!(told(&now), ("error", None, "error", "inferred"));
    assert_eq!(now.note, "look-up with an empty id");
}

#[test]
fn the_finalizer_of_a_pr_automation_goes_with_a_later_pass_if_one_comes() {
    let note = |drift| answer(&object("PrAutomation").ours().id().drift(drift)).deletion.now.unwrap().note;
    assert_eq!((&*note(true), &*note(false)), ("finalizer goes in the next pass", "finalizer waits for another event"));
    let line = |drift| {
        let deleting = object("PrAutomation").ours().id().deleting().drift(drift);
        lines_of(&screen(&deleting), "Next pass").remove(0)
    };
    assert!(line(true).contains("the finalizer goes with the periodic requeue after that"), "{}", line(true));
    assert!(line(false).contains("the finalizer stays until something else wakes the object"), "{}", line(false));
}

#[test]
fn a_service_context_with_two_names_is_left_behind() {
    let two = object("ServiceContext").spec("name: database");
    let wanted =
        "left behind: deletion looks for \"it\" (metadata.name), and the context was saved as \"database\" (spec.name)";
    for outcome in [answer(&two).deletion.if_absent, answer(&two).deletion.if_present] {
        assert_eq!((does(&outcome), &*outcome.note), (("keep", None), wanted));
        assert_eq!(documented(&outcome), Some("delete"));
    }
    let managed = two.clone().ours().id().readonly(false);
    for resource in [managed.clone(), managed.clone().deleting()] {
        let now = answer(&resource).deletion.now.unwrap();
        assert_eq!((does(&now), &*now.note), (("keep", None), wanted));
    }
    // With one name, however it is written, it is deleted; and what is kept anyway is not left behind.
    for one in [
        object("ServiceContext"),
        object("ServiceContext").without("name"),
        object("ServiceContext").spec("name: \"\""),
    ] {
        let outcome = answer(&one).deletion.if_present;
        assert_eq!((does(&outcome), &*outcome.note), (("delete", Some("deleteServiceContext")), ""));
    }
    let read_only = two.ours().id().readonly(true);
    assert_eq!(answer(&read_only).deletion.now.unwrap().note, "");
}

#[test]
fn a_service_context_without_an_id_or_read_only_keeps_the_remote() {
    for resource in
        [object("ServiceContext").ours().readonly(false), object("ServiceContext").ours().id().readonly(true)]
    {
        assert_eq!(does(&answer(&resource).deletion.now.unwrap()), ("keep", None));
    }
    // A failed look-up waits, unless there is nothing to look up.
    let deleting = object("ServiceContext").ours().deleting();
    assert_eq!(told(&answer(&deleting.clone().id()).mode.if_unreachable.unwrap()).2, "wait");
    assert_eq!(told(&answer(&deleting).mode.if_unreachable.unwrap()).0, "keep");
}

#[test]
fn an_object_that_is_being_deleted_says_so_and_what_the_next_pass_does() {
    let deleting = object("Project").ours().id().readonly(false).deleting();
    let screen = screen(&deleting);
    assert!(lines_of(&screen, "Now")[0].starts_with("DELETING requested at 2026-11-30 11:59 UTC"), "{screen}");
    assert_eq!(lines_of(&screen, "Next pass"), ["delete deletes it (deleteProject)"], "{screen}");
    assert_eq!(lines_of(&screen, "If gone"), ["keep sends nothing"], "{screen}");
    // The decisions are those about the deletion, so no other line repeats them; nothing else comes of the object.
    for label in ["Deletion", "Requeue", "Wakes", "Adds"] {
        assert_eq!(lines_of(&screen, label), Vec::<String>::new(), "{label}");
    }
    assert_eq!(answer(&deleting).live.unwrap().state.as_str(), "deleting");
    // No hash decides anything any more.
    assert!(!notes(&answer(&deleting)).contains("edits in the Console"));
    assert!(notes(&answer(&object("Project"))).contains("edits in the Console"));
}

#[test]
fn a_deletion_time_that_cannot_be_read_is_still_a_deletion() {
    let resource = object("Project").ours().id().meta("deletionTimestamp: soon");
    let answer = answer(&resource);
    assert_eq!((answer.deletion.requested, codes(&answer)), (Some(None), vec![("unreadable-field", "warning")]));
    assert_eq!(answer.mode.if_present.action.as_str(), "delete");
    assert!(lines_of(&screen(&resource), "Now")[0].starts_with("DELETING requested"));
    let json = json(&resource);
    assert_eq!(
        (&json["deletion"]["requested"], &json["deletion"]["requestedAt"]),
        (&true.into(), &serde_json::Value::Null)
    );
}

#[test]
fn the_finalizer_of_another_kind_is_not_the_objects_own() {
    let resource = object("GitRepository").id().finalizer(finalizer("Project")).deleting();
    assert_eq!(does(&answer(&resource).deletion.if_present), ("keep", None));
    assert_eq!(json(&resource)["deletion"]["hasFinalizer"], false);
}

#[test]
fn what_holds_an_object_that_is_being_deleted_is_named() {
    let held = |resource: Resource| lines_of(&screen(&resource.deleting()), "Waits for");
    let own = finalizer("Project");
    assert_eq!(held(object("Project").ours().id()), [format!("the finalizer {own}: its controller's own")]);
    assert_eq!(
        held(object("Project").finalizer(FOREIGN)),
        [format!("the finalizer {FOREIGN}: not its controller's, which is {own}")]
    );
    assert_eq!(
        held(object("ServiceAccount").finalizer(FOREIGN)),
        [format!("the finalizer {FOREIGN}: not its controller's, which adds none")]
    );
    let both = screen(&object("Catalog").ours().finalizer(FOREIGN).deleting());
    assert!(lines_of(&both, "and for")[0].contains(FOREIGN), "{both}");
    // As long as nothing has been asked for, nothing is held.
    assert_eq!(lines_of(&screen(&object("Project").finalizer(FOREIGN)), "Waits for"), Vec::<String>::new());
}

#[test]
fn a_deletion_that_is_under_way_hangs_on_whether_the_remote_is_there() {
    let deleting = object("Catalog").ours().deleting().condition("Synchronized", "False", "Error", "boom");
    let screen = screen(&deleting);
    let present = "delete deletes it (deleteCatalog); although it never took it over: deletion goes by name";
    assert_eq!(lines_of(&screen, "If present"), [present], "{screen}");
    let absent = "error sends nothing, comes again with the periodic requeue; finalizer is never removed";
    assert_eq!(lines_of(&screen, "If absent"), [absent], "{screen}");
    let promised = lines_of(&screen, "Documented").remove(0);
    assert!(promised.starts_with("otherwise: keep if absent; keep if present"), "{screen}");
}
