//! console.md sections 4 to 10, the rows on identity and scope; 1.2 on writes by name; 2.6 on namespaces.

use kcc_backoff::plural::Scope;

use super::*;

/// Field, value and where it comes from.
fn identity(resource: &Resource) -> (Option<&'static str>, Option<String>, Option<&'static str>) {
    let identity = answer(resource).identity;
    (identity.field, identity.value.map(String::from), identity.from)
}

fn looked_up(
    field: &'static str,
    value: &str,
    from: &'static str,
) -> (Option<&'static str>, Option<String>, Option<&'static str>) {
    (Some(field), Some(value.to_owned()), Some(from))
}

#[test]
fn each_kind_is_looked_up_by_its_own_field() {
    let cases = [
        ("Project", "name", "it", "spec.name", "project"),
        ("Catalog", "name", "it", "spec.name", "catalog"),
        ("GitRepository", "url", "https://git.orchard.test/it.git", "spec.url", "gitRepository"),
        ("NotificationSink", "name", "it", "spec.name", "notificationSink"),
        ("ServiceAccount", "email", "it@orchard.test", "spec.email", "user"),
        ("PrAutomation", "name", "it", "spec.name", "prAutomation"),
        ("ServiceContext", "name", "it", "spec.name", "serviceContext"),
    ];
    for (kind, field, value, from, query) in cases {
        let resource = object(kind).meta("name: other");
        assert_eq!(identity(&resource), looked_up(field, value, from), "{kind}");
        assert_eq!(json(&resource)["identity"]["lookup"], query, "{kind}");
        let line = lines_of(&screen(&resource), "Console").remove(0);
        assert!(line.starts_with(&format!("looked up by {field} {value:?} ({from})")), "{line}");
    }
}

#[test]
fn the_name_falls_back_to_metadata_name_where_the_controller_does() {
    for kind in ["Catalog", "NotificationSink", "PrAutomation", "ServiceContext"] {
        for spec in [object(kind).without("name"), object(kind).spec("name: \"\""), object(kind).spec("name: null")] {
            assert_eq!(identity(&spec.meta("name: other")), looked_up("name", "other", "metadata.name"), "{kind}");
        }
    }
}

#[test]
fn a_project_is_never_known_by_its_metadata_name() {
    // Told where there are two names.
    assert!(notes(&answer(&object("Project").meta("name: other"))).contains("metadata.name plays no part"));
    assert!(!notes(&answer(&object("Project"))).contains("metadata.name plays no part"));
    let nameless = answer(&object("Project").without("name"));
    assert_eq!(
        (nameless.identity.value.as_deref(), nameless.identity.reason.as_deref()),
        (None, Some("spec.name is not set"))
    );
    assert_eq!(codes(&nameless), [("missing-field", "error")]);
    // An empty name is what it is looked up by.
    assert_eq!(identity(&object("Project").spec("name: \"\"")), looked_up("name", "", "spec.name"));
}

#[test]
fn the_fields_that_the_crds_require_are_asked_for() {
    let cases = [
        ("Project", "name"),
        ("Catalog", "author"),
        ("GitRepository", "url"),
        ("NotificationSink", "type"),
        ("ServiceAccount", "email"),
        ("PrAutomation", "scmConnectionRef"),
    ];
    for (kind, field) in cases {
        for resource in [object(kind).without(field), object(kind).spec(&format!("{field}: null"))] {
            let answer = answer(&resource);
            assert_eq!(codes(&answer), [("missing-field", "error")], "{kind}");
            assert!(answer.problems[0].message.starts_with(&format!("spec.{field} is missing")), "{kind}");
        }
        assert_eq!(codes(&answer(&object(kind))), [], "{kind}");
    }
    assert_eq!(codes(&answer(&object("ServiceContext").without("name").spec("configuration: {}"))), []);
    let bare = object("ServiceContext").without("name");
    assert_eq!(codes(&answer(&bare)), [], "{}", bare.text());
}

#[test]
fn a_value_that_is_no_string_is_not_said_to_be_missing() {
    let identity = |kind: &str, spec: &str| {
        let answer = answer(&object(kind).without("name").spec(spec));
        assert_eq!(codes(&answer), [("refused-field", "error")], "{kind}");
        (answer.identity.value.as_deref().map(str::to_owned), answer.identity.reason.as_deref().map(str::to_owned))
    };
    assert_eq!(identity("Project", "name: 5"), (None, Some("spec.name is no string".to_owned())));
    // Where something stands in for it, that is the value.
    assert_eq!(identity("Catalog", "name: 5"), (Some("it".to_owned()), None));
}

#[test]
fn without_a_value_the_reason_stands_beside_it() {
    for (kind, field, reason) in
        [("GitRepository", "url", "spec.url is not set"), ("ServiceAccount", "email", "spec.email is not set")]
    {
        let json = json(&object(kind).without(field));
        assert_eq!((json["identity"]["value"].as_str(), json["identity"]["reason"].as_str()), (None, Some(reason)));
        assert!(lines_of(&screen(&object(kind).without(field)), "Console")[0].starts_with(reason));
    }
    let nameless = object("Catalog").without("name").meta("generateName: it-");
    let nameless = nameless.text().replace("  name: it\n", "");
    let identity = answers(&nameless).remove(0).identity;
    assert_eq!(identity.reason.as_deref(), Some("neither spec.name nor metadata.name is set"));
}

#[test]
fn five_kinds_belong_to_the_cluster_and_two_stand_in_a_namespace() {
    for (kind, _) in SEVEN {
        let namespaced = ["NotificationSink", "ServiceContext"].contains(&kind);
        let answer = answer(&object(kind));
        let scope = if namespaced { Scope::Namespaced } else { Scope::Cluster };
        assert_eq!(answer.identity.scope, Some(scope), "{kind}");
        let line = lines_of(&screen(&object(kind)), "Console").remove(0);
        assert_eq!(line.contains("cluster-scoped"), !namespaced, "{line}");
        assert_eq!(line.contains("namespaced"), namespaced, "{line}");
    }
}

#[test]
fn a_namespace_on_a_kind_of_the_whole_cluster_plays_no_part_and_explain_says_so() {
    for (kind, _) in SEVEN {
        let namespaced = ["NotificationSink", "ServiceContext"].contains(&kind);
        let resource = object(kind).meta("namespace: elsewhere");
        let answer = answer(&resource);
        assert_eq!(answer.facts.reference.namespace.as_deref(), namespaced.then_some("elsewhere"), "{kind}");
        let told = "the kind is cluster-scoped: the namespace \"elsewhere\" plays no part";
        assert_eq!(notes(&answer).contains(told), !namespaced, "{kind}");
        // Said once.
        let screen = screen(&resource);
        assert_eq!(screen.matches("cluster-scoped").count(), usize::from(!namespaced), "{screen}");
    }
    assert!(!notes(&answer(&object("Project"))).contains("plays no part"));
}

#[test]
fn the_namespace_of_a_service_context_plays_no_part_in_the_console() {
    assert!(notes(&answer(&object("ServiceContext"))).contains("its namespace plays no part in the Console"));
}

#[test]
fn a_kind_written_by_name_leaves_its_remote_behind_when_the_name_changes() {
    for (kind, _) in SEVEN {
        let by_name = ["Catalog", "NotificationSink", "ServiceContext"].contains(&kind);
        let told =
            |resource: &Resource| notes(&answer(resource)).contains("another spec.name later makes a second remote");
        assert_eq!(told(&object(kind)), by_name, "{kind}");
        assert_eq!(told(&object(kind).ours_if_any().id().readonly(false)), by_name, "{kind}");
        // Not where no pass writes any more.
        assert!(!told(&object(kind).id().readonly(false).deleting().finalizer(FOREIGN)), "{kind}");
    }
}

#[test]
fn the_url_of_a_repository_cannot_be_changed() {
    assert!(notes(&answer(&object("GitRepository"))).contains("spec.url cannot be changed"));
}

#[test]
fn a_service_account_meets_human_users_and_overwrites_their_names() {
    let notes = notes(&answer(&object("ServiceAccount")));
    assert!(notes.contains("a human user with this e-mail is taken for it"), "{notes}");
    assert!(notes.contains("overwrites the name with metadata.name"), "{notes}");
}

#[test]
fn a_sink_without_spec_name_is_written_by_name_and_not_looked_up_by_it() {
    let line = |sink: &Resource| lines_of(&screen(sink), "Console").remove(0);
    let absent = line(&object("NotificationSink").without("name"));
    assert!(absent.starts_with("written by name \"it\" (metadata.name), never looked up by it"), "{absent}");
    // An empty one is looked up, but not by what is written.
    let empty = line(&object("NotificationSink").spec("name: \"\""));
    assert!(empty.starts_with("looked up by name \"\" (spec.name), written by name \"it\" (metadata.name)"), "{empty}");
}

#[test]
fn two_objects_for_one_remote_are_told_of_each_other() {
    let pairs = [
        [object("Project").meta("name: a"), object("Project").meta("name: b")],
        // By the name that is sent, wherever it comes from.
        [object("Catalog").meta("name: a"), object("Catalog").without("name")],
        [object("GitRepository").meta("name: a"), object("GitRepository").meta("name: b")],
        [object("ServiceAccount").meta("name: a"), object("ServiceAccount").meta("name: b")],
        // Namespaces play no part.
        [object("ServiceContext").meta("namespace: a"), object("ServiceContext").meta("namespace: b")],
        [object("NotificationSink").meta("namespace: a"), object("NotificationSink").meta("namespace: b")],
    ];
    for pair in pairs {
        let answers = together(&pair);
        for (this, other) in [(0, 1), (1, 0)] {
            assert_eq!(codes(&answers[this]), [("same-remote", "warning")]);
            let message = &answers[this].problems[0].message;
            assert!(message.contains(&answers[other].facts.place.to_string()), "{message}");
            assert!(message.contains("both stand for one remote"), "{message}");
        }
    }
    // The same word in another kind, or another name, is another remote.
    for pair in [[object("Project"), object("Catalog")], [object("Project"), object("Project").spec("name: other")]] {
        assert!(together(&pair).iter().all(|answer| answer.problems.is_empty()));
    }
    let three = together(&[object("Project"), object("Project").meta("name: b"), object("Project").meta("name: c")]);
    assert!(three.iter().all(|answer| codes(answer) == [("same-remote", "warning")]));
}

#[test]
fn an_object_that_is_given_twice_is_not_another_one_for_its_remote() {
    for (kind, _) in SEVEN {
        // A manifest and its live copy. Where the namespace plays no part, one of them may name another one.
        let copies = together(&[object(kind), object(kind).id().readonly(false)]);
        assert!(copies.iter().all(|answer| answer.problems.is_empty()), "{kind}");
    }
    let copies = together(&[object("Project").meta("namespace: a"), object("Project")]);
    assert!(copies.iter().all(|answer| answer.problems.is_empty()));
    // Another object beside the two is told of, and each of the two is told of that one.
    let all = together(&[object("Project"), object("Project").id(), object("Project").meta("name: other")]);
    let third = all[2].facts.place.to_string();
    for (index, other) in [(0, &third), (1, &third), (2, &all[0].facts.place.to_string())] {
        assert_eq!(codes(&all[index]), [("same-remote", "warning")], "{index}");
        let message = &all[index].problems[0].message;
        assert!(message.contains(other.as_str()), "{index}: {message}");
    }
    // Of two without a name the API server makes two.
    let generated = object("Project").text().replace("  name: it\nspec", "  generateName: it-\nspec");
    let two = answers(&format!("{generated}---\n{generated}"));
    assert_eq!(two.len(), 2);
    assert!(two.iter().all(|answer| codes(answer) == [("same-remote", "warning")]));
}

#[test]
fn the_warning_about_one_remote_holds_where_one_object_only_reads_it() {
    let pair = together(&[object("Project"), object("Project").meta("name: observer").drift(false)]);
    for answer in pair {
        assert_eq!(codes(&answer), [("same-remote", "warning")]);
        let message = &answer.problems[0].message;
        assert!(message.contains("each meets what the other writes or deletes there"), "{message}");
        assert!(!message.contains("both would"), "{message}");
    }
}

#[test]
fn an_id_of_a_status_makes_no_two_inputs_of_one_remote() {
    let persona = || object("Persona").id();
    assert!(together(&[persona(), persona().meta("name: b")]).iter().all(|answer| answer.problems.is_empty()));
}

#[test]
fn what_has_no_identity_stands_for_no_remote() {
    let nameless = || object("Project").without("name");
    assert!(together(&[nameless(), nameless()]).iter().all(|answer| codes(answer) == [("missing-field", "error")]));
    let empty = || object("Project").spec("name: \"\"");
    assert!(together(&[empty(), empty()]).iter().all(|answer| answer.problems.is_empty()));
}

#[test]
fn a_value_of_another_type_is_refused_and_identifies_nothing() {
    for value in ["5", "true", "[a]", "{a: b}", "1.5"] {
        let answer = answer(&object("Project").spec(&format!("name: {value}")));
        assert_eq!(codes(&answer), [("refused-field", "error")], "{value}");
        assert_eq!(answer.identity.value, None, "{value}");
    }
}

#[test]
fn the_place_of_the_identity_is_where_it_is_written() {
    // Line 6: "  name: it".
    let place = answer(&object("Project")).identity.place.unwrap();
    assert_eq!((place.line, place.column), (6, 9));
    assert_eq!(answer(&object("Catalog").without("name")).identity.place, None);
}

#[test]
fn the_finalizer_and_when_it_comes_are_told() {
    let when = [
        ("Project", "before a managed pass writes; a read-only pass takes it away"),
        ("Catalog", "before it asks the Console, read-only or not"),
        ("GitRepository", "only when it creates the remote"),
        ("NotificationSink", "after a successful write"),
        ("PrAutomation", "before it asks the Console, read-only or not"),
        ("ServiceContext", "before it asks the Console, read-only or not"),
    ];
    for (kind, when) in when {
        let finalizer = finalizer(kind);
        assert_eq!(answer(&object(kind)).adds[0], format!("the finalizer {finalizer} ({when})"), "{kind}");
        let json = json(&object(kind).ours().finalizer(FOREIGN));
        assert_eq!(
            (&json["deletion"]["finalizer"], &json["deletion"]["hasFinalizer"]),
            (&finalizer.into(), &true.into())
        );
        assert_eq!(json["deletion"]["otherFinalizers"], serde_json::json!([FOREIGN]), "{kind}");
        assert!(lines_of(&screen(&object(kind)), "Adds")[0].contains(finalizer), "{kind}");
    }
    // One that is there already is not added.
    assert!(!answer(&object("Catalog").ours()).adds.join("\n").contains("finalizer"));
    // A ServiceAccount has none, which its deletion says.
    assert_eq!(answer(&object("ServiceAccount")).adds, Vec::<String>::new());
    let account = json(&object("ServiceAccount"))["deletion"].clone();
    assert_eq!((&account["finalizer"], &account["hasFinalizer"]), (&serde_json::Value::Null, &false.into()));
    assert!(lines_of(&screen(&object("ServiceAccount")), "Deletion")[0].contains("the controller has no finalizer"));
}

#[test]
fn the_annotations_that_controllers_add_are_told() {
    let adds = |resource: &Resource| answer(resource).adds.join("\n");
    assert!(adds(&object("NotificationSink")).contains("deployments.plural.sh/namespaced-credentials while"));
    let account = object("ServiceAccount").spec("tokenSecretRef: {name: token}").spec("scopes: [{api: createCluster}]");
    assert!(adds(&account).contains("deployments.plural.sh/last-scope-hash when its scopes change"));
    assert!(adds(&account).contains("the key token in the Secret default/token"));
    let elsewhere = account.spec("tokenSecretRef: {name: token, namespace: infra}");
    assert!(adds(&elsewhere).contains("the key token in the Secret infra/token"));
    assert!(!adds(&object("ServiceAccount")).contains("last-scope-hash"));
    for reference in ["connectionRef: {name: forge}", "credentialsRef: {name: s}"] {
        assert!(adds(&object("GitRepository").spec(reference)).contains("itself as an owner"), "{reference}");
    }
    assert!(!adds(&object("GitRepository")).contains("owner"));
    for reference in ["secretRef: {name: s}", "configMapRef: {name: c}", "configMapRefs: [{name: c}]"] {
        assert!(adds(&object("ServiceContext").spec(reference)).contains("an annotation with its name"), "{reference}");
    }
    assert!(!adds(&object("ServiceContext").spec("projectRef: {name: p}")).contains("annotation"));
}
