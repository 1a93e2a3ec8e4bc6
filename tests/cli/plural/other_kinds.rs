//! console.md section 11 and the documented modes of the kinds without rows; kinds outside the tables.

use serde_json::json;

use super::*;

/// Create, read-only, adopt: the appendix of the issue on explain for the Console, in its spelling and order.
const DOCUMENTED: &str = "BootstrapToken y/n/n, Cluster n/y/y, ClusterRestore y/y/n, ClusterRestoreTrigger y/n/n, CloudConnection y/y/n, \
    ComplianceReportGenerator y/n/n, CustomCompatibilityMatrix y/n/y, CustomStackRun y/n/n, DeploymentSettings y/n/n, \
    FederatedCredential y/n/n, Flow y/n/y, GlobalService y/n/y, Group y/y/n, HelmRepository y/n/y, InfrastructureStack y/n/y, \
    ManagedNamespace y/y/y, MCPServer y/n/y, NamespaceCredentials n/y/n, NotificationRouter y/n/y, ObservabilityProvider y/y/n, \
    Observer y/n/y, OIDCProvider y/n/y, Persona y/n/n, Pipeline y/n/n, PipelineContext y/n/n, PrAutomationTrigger y/n/n, \
    PreviewEnvironmentTemplate y/n/y, PrGovernance y/n/y, ScmConnection y/y/n, Sentinel y/n/n, ServiceDeployment y/n/y, \
    StackDefinition y/n/n, UpgradePlanCallout y/n/y";

/// Kind, create, read-only, adopt.
fn table() -> Vec<(&'static str, bool, bool, bool)> {
    let rows = DOCUMENTED.split(", ").map(|row| {
        let (kind, modes) = row.split_once(' ').unwrap();
        let modes: Vec<bool> = modes.split('/').map(|word| word == "y").collect();
        (kind.trim(), modes[0], modes[1], modes[2])
    });
    rows.collect()
}

/// An object with what its controller cannot do without: a ScmConnection is not created without a token.
fn with_all(kind: &'static str) -> Resource {
    match kind {
        "ScmConnection" => object(kind).spec("tokenSecretRef: {name: token}"),
        _ => object(kind),
    }
}

#[test]
fn every_row_of_the_documented_modes_is_told_with_and_without_drift_detection() {
    assert_eq!(table().len(), 33);
    for (kind, create, read_only, adopt) in table() {
        for drift in [true, false] {
            let mode = answer(&with_all(kind).drift(drift)).mode;
            assert_eq!(mode.if_absent.action.as_str(), if create { "create" } else { "unknown" }, "{kind}");
            // Section 3: with driftDetection a match is adopted, without it is read-only; what a kind's row lacks is not
            // documented, but a kind that has no adoption is read-only in either case.
            let present = match (read_only, adopt, drift) {
                (_, true, true) => "adopt",
                (true, true, false) | (true, false, _) => "read-only",
                (false, true, false) | (false, false, _) => "unknown",
            };
            assert_eq!(mode.if_present.action.as_str(), present, "{kind} {drift}");
            for outcome in [&mode.if_absent, &mode.if_present] {
                assert_eq!((outcome.confidence.as_str(), outcome.mutation), ("documented-only", None), "{kind}");
                assert_eq!(
                    outcome.note.is_empty(),
                    outcome.action.as_str() != "unknown" && (adopt || present != outcome.action.as_str()),
                    "{kind}: {}",
                    outcome.note
                );
            }
            assert_eq!((mode.if_unreachable, mode.now), (None, None), "{kind}");
        }
        // Without a block the default counts.
        let default = answer(&with_all(kind)).mode;
        assert_eq!(default, answer(&with_all(kind).drift(true)).mode, "{kind}");
        assert!(notes(&answer(&with_all(kind))).contains("only the documentation tells the modes"), "{kind}");
    }
}

/// The issue: kinds compare by their CRDs' names; the documentation spells two of them otherwise.
#[test]
fn a_kind_as_only_the_documentation_spells_it_is_unknown_and_its_crds_name_is_told() {
    for (spelling, name) in [("PRAutomation", "PrAutomation"), ("SCMConnection", "ScmConnection")] {
        let misspelt = answer(&object(spelling));
        assert_eq!(codes(&misspelt), [("unknown-kind", "warning")]);
        let fix = format!("write {name}, as its CRD is called");
        assert_eq!(misspelt.problems[0].fix.as_deref(), Some(&*fix));
        assert!(screen(&object(spelling)).contains(&fix));
    }
    assert_eq!(answer(&object("Policy")).problems[0].fix, None);
}

/// Head of console.md: the controllers' version is v1alpha1.
#[test]
fn another_version_of_the_group_is_said_to_be_told_as_the_one_that_is_known() {
    let text = object("Project").text();
    assert_eq!(codes(&answers(&text)[0]), []);
    let newer = answers(&text.replace("/v1alpha1", "/v1beta1"));
    assert_eq!(codes(&newer[0]), [("unknown-version", "warning")]);
    assert_eq!(
        newer[0].problems[0].message,
        "v1beta1 of deployments.plural.sh is unknown to this version: it is told as v1alpha1"
    );
    let unknown = object("Policy").text().replace("/v1alpha1", "/v1beta1");
    assert_eq!(codes(&answers(&unknown)[0]), [("unknown-kind", "warning")], "nothing is told of it at all");
}

#[test]
fn the_screen_marks_that_only_the_documentation_is_known() {
    for (kind, create, ..) in table().into_iter().filter(|(_, create, ..)| *create) {
        let line = lines_of(&screen(&with_all(kind)), "If absent").remove(0);
        assert_eq!(line, "create creates it, and owns it [documented-only]", "{kind} {create}");
    }
    let line = lines_of(&screen(&object("Flow")), "If present").remove(0);
    let taken = "adopt takes it over: links it and brings it in line with the spec [documented-only]";
    assert!(line.starts_with(taken), "{line}");
}

#[test]
fn of_kinds_that_were_not_read_neither_identity_nor_deletion_is_guessed() {
    let read = [
        "ScmConnection",
        "Flow",
        "Group",
        "HelmRepository",
        "NotificationRouter",
        "ObservabilityProvider",
        "Persona",
        "Observer",
        "MCPServer",
        "OIDCProvider",
        "GlobalService",
        "InfrastructureStack",
        "ServiceDeployment",
        "Cluster",
    ];
    for (kind, ..) in table() {
        let answer = answer(&object(kind).spec("name: x").spec("url: y"));
        assert_eq!(answer.identity.scope, None, "{kind}");
        assert_eq!(answer.wakes, "not known: what wakes this kind was not read", "{kind}");
        if read.contains(&kind) {
            assert!(answer.identity.field.is_some(), "{kind}");
            continue;
        }
        assert_eq!((answer.identity.field, answer.identity.value), (None, None), "{kind}");
        assert_eq!(answer.identity.reason.as_deref(), Some("by what this kind is looked up was not read"), "{kind}");
        for outcome in [&answer.deletion.if_absent, &answer.deletion.if_present] {
            assert_eq!(told(outcome), ("unknown", None, "?", "documented-only"), "{kind}");
        }
        assert!(answer.adds.is_empty(), "{kind}");
    }
}

#[test]
fn identity_is_told_where_it_was_read() {
    let value = |resource: &Resource| {
        let identity = answer(resource).identity;
        (identity.field, identity.value.map(String::from), identity.from, identity.reason.map(String::from))
    };
    let known = |field, value: &str, from| (Some(field), Some(value.to_owned()), Some(from), None);
    assert_eq!(value(&object("ScmConnection").spec("name: forge")), known("name", "forge", "spec.name"));
    assert_eq!(value(&object("Cluster").spec("handle: mgmt")), known("handle", "mgmt", "spec.handle"));
    let url = "https://charts.orchard.test";
    assert_eq!(value(&object("HelmRepository").spec(&format!("url: {url}"))), known("url", url, "spec.url"));
    for kind in ["Persona", "OIDCProvider", "InfrastructureStack"] {
        assert_eq!(value(&object(kind).id()), known("id", "7f3a", "status.id"), "{kind}");
        let reason = "it is known by status.id alone, which is not set".to_owned();
        assert_eq!(value(&object(kind)), (Some("id"), None, None, Some(reason)), "{kind}");
        assert!(lines_of(&screen(&object(kind).id()), "Console")[0].starts_with("known by its id 7f3a"), "{kind}");
    }
    for (kind, field) in [
        ("Flow", "name"),
        ("Group", "name"),
        ("NotificationRouter", "name"),
        ("ObservabilityProvider", "name"),
        ("Observer", "name"),
        ("MCPServer", "name"),
        ("GlobalService", "name"),
        ("ServiceDeployment", "cluster and name"),
    ] {
        let reason = format!("it is looked up by {field}; which field gives it was not read");
        assert_eq!(value(&object(kind)), (Some(field), None, None, Some(reason)), "{kind}");
    }
    for (kind, query) in [
        ("ScmConnection", "scmConnection"),
        ("Group", "group"),
        ("HelmRepository", "helmRepository"),
        ("Observer", "observer"),
        ("Cluster", "cluster"),
    ] {
        assert_eq!(json(&object(kind))["identity"]["lookup"], query, "{kind}");
    }
}

#[test]
fn what_is_inferred_of_an_identity_says_so() {
    assert!(notes(&answer(&object("GlobalService"))).contains("identity inferred: spec.name or metadata.name"));
    assert!(notes(&answer(&object("HelmRepository"))).contains("the look-up by spec.url is inferred"));
    assert!(notes(&answer(&object("Observer"))).contains("the look-up by name is inferred"));
    assert!(notes(&answer(&object("Persona"))).contains("a lost id makes a duplicate"));
}

#[test]
fn the_finalizers_of_the_other_kinds_are_told_with_when_they_come() {
    let cases = [
        (
            "ScmConnection",
            "scmconnections.deployments.plural.sh/scmconnection-protection (before it asks the Console, read-only or not)",
        ),
        ("Flow", "deployments.plural.sh/flow-protection (after a successful write)"),
        ("NotificationRouter", "deployments.plural.sh/notification-router-protection (after a successful write)"),
        ("ObservabilityProvider", "deployments.plural.sh/observabilityprovider-protection (when was not read)"),
        ("Persona", "deployments.plural.sh/personas-protection (when was not read)"),
        ("Observer", "deployments.plural.sh/observer-protection (when was not read)"),
        ("MCPServer", "deployments.plural.sh/mcp-server-protection (after a successful write)"),
        ("OIDCProvider", "deployments.plural.sh/oidcprovider-protection (when was not read)"),
        ("GlobalService", "deployments.plural.sh/global-service-protection (only when it creates the remote)"),
        ("InfrastructureStack", "deployments.plural.sh/stack-protection (only when it creates the remote)"),
        ("ServiceDeployment", "deployments.plural.sh/service-protection (only when it creates the remote)"),
    ];
    for (kind, finalizer) in cases {
        assert_eq!(answer(&object(kind)).adds, [format!("the finalizer {finalizer}")], "{kind}");
    }
    for kind in ["Group", "HelmRepository", "Cluster"] {
        assert!(answer(&object(kind)).adds.is_empty(), "{kind}");
    }
}

#[test]
fn deletion_of_the_other_kinds_is_told_as_far_as_it_was_read() {
    // If it was absent, and created; if it was present.
    let cases = [
        ("Flow", "delete", "delete"),
        ("NotificationRouter", "delete", "delete"),
        ("Observer", "delete", "delete"),
        ("MCPServer", "delete", "delete"),
        ("OIDCProvider", "delete", "delete"),
        ("Persona", "delete", "delete"),
        ("InfrastructureStack", "delete", "delete"),
        // Unless read-only, which is what a match turns into.
        ("ScmConnection", "delete", "keep"),
        ("ObservabilityProvider", "delete", "keep"),
        // An adopted one has no finalizer.
        ("GlobalService", "delete", "keep"),
        ("Group", "keep", "keep"),
        ("HelmRepository", "keep", "keep"),
        ("Cluster", "keep", "keep"),
        ("ServiceDeployment", "unknown", "unknown"),
    ];
    for (kind, absent, present) in cases {
        let deletion = answer(&with_all(kind)).deletion;
        assert_eq!(
            [deletion.if_absent.action.as_str(), deletion.if_present.action.as_str()],
            [absent, present],
            "{kind}"
        );
        assert_eq!((deletion.now, &*deletion.now_reason), (None, "the manifest has no status"), "{kind}");
    }
}

#[test]
fn the_age_of_the_copy_that_was_read_stands_beside_what_it_tells() {
    let note = |kind: &str| answer(&object(kind)).deletion.if_absent.note.into_owned();
    for kind in [
        "Flow",
        "Group",
        "HelmRepository",
        "NotificationRouter",
        "ObservabilityProvider",
        "InfrastructureStack",
        "Cluster",
    ] {
        assert!(note(kind).ends_with("says an old copy of its controller"), "{kind}: {}", note(kind));
    }
    for kind in ["ScmConnection", "MCPServer", "GlobalService"] {
        assert!(note(kind).ends_with("says a recent copy of its controller"), "{kind}: {}", note(kind));
    }
    for kind in ["Persona", "Observer", "OIDCProvider"] {
        assert!(note(kind).ends_with("says its controller"), "{kind}: {}", note(kind));
    }
}

#[test]
fn a_detached_stack_keeps_its_remote() {
    for (detach, action) in [("true", "keep"), ("false", "delete"), ("null", "delete"), ("\"true\"", "delete")] {
        let stack = object("InfrastructureStack").spec(&format!("detach: {detach}"));
        assert_eq!(answer(&stack).deletion.if_absent.action.as_str(), action, "{detach}");
        let now = answer(&stack.id()).deletion.now.unwrap();
        assert_eq!(now.action.as_str(), action, "{detach}");
    }
    assert!(notes(&answer(&object("InfrastructureStack"))).contains("waits until the stack is gone"));
    // Of services it is not known what decides.
    let service = answer(&object("ServiceDeployment").spec("detach: true"));
    assert_eq!(service.deletion.if_absent.action.as_str(), "unknown");
}

#[test]
fn deletion_of_a_global_service_hangs_on_its_finalizer() {
    let own = "deployments.plural.sh/global-service-protection";
    for (held, action) in [(true, "delete"), (false, "keep")] {
        let service = object("GlobalService").id();
        let service = if held { service.finalizer(own) } else { service.finalizer(FOREIGN) };
        assert_eq!(answer(&service).deletion.now.unwrap().action.as_str(), action);
        assert_eq!(answer(&service.clone().deleting()).deletion.now.unwrap().action.as_str(), action);
        assert_eq!(answer(&service.deleting()).deletion.if_present.action.as_str(), action);
    }
    let line = lines_of(&screen(&object("GlobalService")), "Deletion").remove(1);
    assert!(line.contains("an adopted one has no finalizer"), "{line}");
}

#[test]
fn other_kinds_that_are_read_only_keep_their_remote() {
    for kind in ["ScmConnection", "ObservabilityProvider"] {
        assert_eq!(answer(&object(kind).id().readonly(true)).deletion.now.unwrap().action.as_str(), "keep", "{kind}");
        assert_eq!(
            answer(&object(kind).id().readonly(false)).deletion.now.unwrap().action.as_str(),
            "delete",
            "{kind}"
        );
        assert_eq!(answer(&object(kind).id()).deletion.now.unwrap().action.as_str(), "delete", "{kind}");
        // Read-only is known without an id, too.
        assert_eq!(answer(&object(kind).readonly(true)).deletion.now.unwrap().action.as_str(), "keep", "{kind}");
        // Without both, nothing is.
        let unknown = answer(&object(kind).status("sha: x")).deletion;
        assert_eq!((unknown.now, &*unknown.now_reason), (None, "status.id is not set"), "{kind}");
    }
}

#[test]
fn the_status_of_another_kind_says_whether_it_is_managed() {
    let now = |resource: &Resource| answer(resource).mode.now.map(|outcome| outcome.action.as_str());
    assert_eq!(now(&object("ScmConnection").id().readonly(true)), Some("read-only"));
    assert_eq!(now(&object("ScmConnection").id().readonly(false)), Some("in-sync-or-update"));
    assert_eq!(now(&object("Flow").id()), Some("in-sync-or-update"));
    assert_eq!(now(&object("Flow").status("sha: x")), None);
    // Read-only objects whose driftDetection is true are adopted, where the kind has adoption.
    for (kind, read_only, adopted) in [
        ("ManagedNamespace", "read-only", "adopt"),
        ("Cluster", "read-only", "adopt"),
        ("ScmConnection", "read-only", "read-only"),
    ] {
        assert_eq!(now(&object(kind).id().readonly(true).drift(false)), Some(read_only), "{kind}");
        assert_eq!(now(&object(kind).id().readonly(true).drift(true)), Some(adopted), "{kind}");
        assert_eq!(now(&object(kind).id().readonly(true)), Some(adopted), "{kind}");
    }
}

/// console.md section 11: without `tokenSecretRef` an absent one turns read-only with `NotFound`, and is never created.
#[test]
fn an_scm_connection_without_a_token_is_never_created() {
    let without = object("ScmConnection").spec("name: forge");
    for drift in [true, false] {
        let answer = answer(&without.clone().drift(drift));
        let absent = &answer.mode.if_absent;
        assert_eq!(told(absent), ("read-only", None, "?", "source"));
        assert_eq!(absent.documented.map(|action| action.as_str()), Some("create"));
        assert!(absent.note.contains("spec.tokenSecretRef is not set"), "{}", absent.note);
        // What is there is read, with a token or without.
        assert_eq!(told(&answer.mode.if_present), ("read-only", None, "?", "documented-only"));
        // And what is read-only keeps its remote.
        let deletion = [&answer.deletion.if_absent, &answer.deletion.if_present].map(|outcome| outcome.action.as_str());
        assert_eq!(deletion, ["keep", "keep"]);
        assert!(notes(&answer).contains("only the documentation tells the other modes of this kind"));
    }
    let shown = screen(&without);
    let line = lines_of(&shown, "If absent").remove(0);
    let why = "spec.tokenSecretRef is not set (reason NotFound), says a recent copy of its controller";
    assert_eq!(line, format!("read-only creates nothing; {why}"));
    assert_eq!(lines_of(&shown, "Documented"), ["otherwise: create if absent"]);

    let with = without.spec("tokenSecretRef: {name: token}");
    assert_eq!(told(&answer(&with).mode.if_absent), ("create", None, "?", "documented-only"));
    assert!(notes(&answer(&with)).contains("still updated if spec.default is set or the Secret of its token changed"));
    let other = answer(&object("ObservabilityProvider")).mode;
    assert_eq!(other.if_absent.action.as_str(), "create", "of no other kind that is known");
}

/// console.md section 11: deleting an OIDCProvider without an id creates one.
#[test]
fn an_oidc_provider_that_is_deleted_without_an_id_is_created() {
    let own = "deployments.plural.sh/oidcprovider-protection";
    let now = |resource: Resource| {
        let deletion = answer(&resource).deletion;
        deletion.now.map(|outcome| (outcome.action.as_str(), outcome.note.into_owned()))
    };
    let (action, note) = now(object("OIDCProvider").deleting().finalizer(own)).unwrap();
    assert_eq!(action, "create");
    assert!(note.contains("status.id is not set"), "{note}");
    assert_eq!(now(object("OIDCProvider").readonly(false).deleting().finalizer(own)).unwrap().0, "create");
    assert_eq!(now(object("OIDCProvider").id().deleting().finalizer(own)).unwrap().0, "delete");
    assert_eq!(now(object("Flow").deleting().finalizer("deployments.plural.sh/flow-protection")).unwrap().0, "delete");
    // Once a pass has created it, it has an id.
    assert_eq!(answer(&object("OIDCProvider")).deletion.if_absent.action.as_str(), "delete");
}

#[test]
fn what_single_kinds_do_otherwise_than_documented_is_noted() {
    assert!(notes(&answer(&object("Cluster"))).contains("marked read-only and updated"));
    assert!(notes(&answer(&object("OIDCProvider"))).contains("whose status has no id creates a provider"));
    assert!(notes(&answer(&object("HelmRepository"))).contains("the old copy read still had a read-only mode"));
    for (kind, upsert) in
        [("Flow", "upsertFlow"), ("MCPServer", "upsertMcpServer"), ("NotificationRouter", "upsertNotificationRouter")]
    {
        assert!(notes(&answer(&object(kind))).contains(upsert), "{kind}");
    }
}

#[test]
fn while_it_is_deleted_the_modes_of_another_kind_are_not_told() {
    let answer = answer(&object("Flow").id().deleting().finalizer("deployments.plural.sh/flow-protection"));
    assert_eq!([answer.mode.if_absent.action.as_str(), answer.mode.if_present.action.as_str()], ["unknown"; 2]);
    assert_eq!(
        (answer.mode.now, &*answer.mode.now_reason),
        (None, "the object is being deleted: see what deletion does")
    );
    assert_eq!(answer.deletion.now.unwrap().action.as_str(), "delete");
    // What the status says of it decides about the deletion all the same.
    for (readonly, action) in [(true, "keep"), (false, "delete")] {
        let connection = object("ScmConnection").id().readonly(readonly).deleting().finalizer(FOREIGN);
        let json = json(&connection);
        assert_eq!((&json["mode"]["now"], &json["deletion"]["now"]), (&json!(null), &json!(action)));
        assert_eq!(json["mode"]["nowReason"], "the object is being deleted: see what deletion does");
        assert!(!screen(&connection).contains("Next pass"), "{}", screen(&connection));
    }
}

#[test]
fn kinds_outside_the_tables_are_unknown_to_this_version_and_nothing_is_guessed() {
    for kind in ["Policy", "Workbench", "WorkbenchTool", "PRAutomation", "SCMConnection", "project", "Secret"] {
        let resource = object(kind)
            .id()
            .readonly(true)
            .spec("reconciliation: {interval: 1d, driftDetection: \"no\"}")
            .spec("name: x");
        let answer = answer(&resource);
        assert_eq!(codes(&answer), [("unknown-kind", "warning")], "{kind}");
        assert!(answer.problems[0].message.contains("unknown to this version"), "{kind}");
        for outcome in
            [&answer.mode.if_absent, &answer.mode.if_present, &answer.deletion.if_absent, &answer.deletion.if_present]
        {
            assert_eq!(
                (outcome.action.as_str(), documented(outcome), outcome.mutation),
                ("unknown", None, None),
                "{kind}"
            );
        }
        assert_eq!((answer.mode.now, answer.deletion.now, answer.identity.value), (None, None, None), "{kind}");
        assert!(answer.adds.is_empty() && answer.notes.is_empty() && answer.waits.is_empty(), "{kind}");
        let json = json(&resource);
        assert_eq!(json["known"], false);
        assert_eq!(json["requeue"]["state"], json!(null));
        assert_eq!(json["requeue"]["reason"], "the kind is unknown to this version");
        assert_eq!(json["driftDetection"], json!(null));
        assert_eq!(json["wokenBy"], "not known: the kind is unknown to this version");
        let screen = screen(&resource);
        assert!(lines_of(&screen, "Kind")[0].starts_with("unknown the kind is unknown to this version"), "{screen}");
        assert!(!screen.contains("Requeue") && !screen.contains("If absent") && !screen.contains("30m"), "{screen}");
    }
    assert_eq!(json(&object("Flow"))["known"], true);
}

#[test]
fn the_group_alone_decides_who_reconciles() {
    let other = object("Project").text().replace("deployments.plural.sh/v1alpha1", "plural.sh/v1alpha1");
    assert_eq!(answers(&other).len(), 0);
    let newer = object("Project").text().replace("deployments.plural.sh/v1alpha1", "deployments.plural.sh/v1beta1");
    assert_eq!(answers(&newer).len(), 1);
}

#[test]
fn kinds_says_none_where_a_controller_was_read_that_adds_no_finalizer() {
    let folder = tempfile::tempdir().unwrap();
    let finalizer = |kind: &str| {
        let output = support::binary(folder.path()).args(["kinds", "--kind", kind, "--no-headers", "-q"]).output();
        let row = support::stdout(&output.unwrap());
        row.split_whitespace().next_back().unwrap_or_default().to_owned()
    };
    for kind in ["ServiceAccount", "Group", "HelmRepository", "Cluster"] {
        assert_eq!(finalizer(kind), "none", "{kind}");
    }
    assert_eq!(finalizer("Pipeline"), "unknown");
    assert_eq!(finalizer("Flow"), "deployments.plural.sh/flow-protection");
}
