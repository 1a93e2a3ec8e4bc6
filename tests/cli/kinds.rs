//! `kinds`: the tables as data. Expected values are read from the data files by hand, or typed in from the
//! documentation's table.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Output;

use kcc_backoff::kcc;
use kcc_backoff::output::{self, KccKinds, KindList, Style};
use kcc_backoff::plural;
use serde_json::{Value, json as value};

use crate::support::*;

fn kinds(args: &[&str]) -> Output {
    binary(Path::new(env!("CARGO_MANIFEST_DIR"))).arg("kinds").args(args).output().unwrap()
}

fn listed(args: &[&str]) -> Value {
    let output = kinds(&[args, &["-o", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

fn names(list: &Value, system: &str) -> Vec<String> {
    list[system].as_array().unwrap().iter().map(|kind| kind["kind"].as_str().unwrap().to_owned()).collect()
}

fn refused(args: &[&str]) -> String {
    let output = kinds(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
    assert_eq!(stdout(&output), "", "{args:?}");
    stderr(&output)
}

/// A line of data/kcc-controllers.csv.
type Line = (String, String, String, String, String, BTreeSet<String>);

fn table() -> Vec<Line> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/kcc-controllers.csv");
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .skip(1)
        .map(|line| {
            let columns: Vec<String> = line.split(',').map(str::to_owned).collect();
            let [group, kind, since, until, default, supported] = columns.try_into().unwrap();
            (group, kind, since, until, default, supported.split('|').map(str::to_owned).collect())
        })
        .collect()
}

/// A release as numbers; main, and releases after 1.155.1, which are told by it, come after all others.
fn number(release: &str) -> (u32, u32, u32) {
    let numbers: Vec<u32> = release.split('.').filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [major, minor, patch] if (major, minor, patch) <= (1, 155, 1) => (major, minor, patch),
        _ => (u32::MAX, 0, 0),
    }
}

/// The lines that hold in a release, by group and kind.
fn holding(release: &str) -> BTreeMap<(String, String), Line> {
    let at = number(release);
    let holds = |line: &Line| number(&line.2) <= at && (line.3.is_empty() || at <= number(&line.3));
    table().into_iter().filter(holds).map(|line| ((line.0.clone(), line.1.clone()), line)).collect()
}

#[test]
fn each_kind_has_the_controllers_that_the_table_of_the_release_gives_it() {
    for release in ["1.135.0", "1.137.1", "1.150.0", "1.152.0", "1.153.0", "1.154.0", "1.155.1", "1.157.0", "main"] {
        let list = listed(&["--kcc-version", release]);
        let expected: Vec<Value> = holding(release)
            .into_values()
            .map(|(group, kind, since, until, controller, supported)| {
                let until = (!until.is_empty()).then_some(until);
                value!({"group": group, "kind": kind, "controller": controller, "supported": supported, "since": since, "until": until})
            })
            .collect();
        assert!(expected.len() > 400);
        assert_eq!(list["kcc"].as_array().unwrap(), &expected, "{release}");
        assert_eq!(list["release"], release);
        assert_eq!(list["against"], Value::Null);
    }
    assert_eq!(listed(&[]), listed(&["--kcc-version", "main"]), "main is the default");
}

#[test]
fn against_another_release_exactly_the_kinds_are_told_whose_rows_differ() {
    for (from, to) in [
        ("1.150.0", "main"),
        ("1.135.0", "main"),
        ("1.153.0", "1.154.0"),
        ("1.137.0", "1.138.0"),
        ("main", "1.150.0"),
        ("1.155.1", "1.160.0"),
        ("1.160.0", "main"),
        ("1.140.0", "1.140.0"),
    ] {
        let (before, after) = (holding(from), holding(to));
        let all: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        let mut expected = BTreeMap::new();
        for key in all {
            let changes: Vec<&str> = match (before.get(key), after.get(key)) {
                (None, _) => vec!["added"],
                (_, None) => vec!["removed"],
                (Some(before), Some(after)) => {
                    let moved = (before.4 != after.4).then_some("moved");
                    moved.into_iter().chain((before.5 != after.5).then_some("choice")).collect()
                }
            };
            if !changes.is_empty() {
                expected.insert(key.clone(), (value!(changes), before.get(key).cloned(), after.get(key).cloned()));
            }
        }
        let list = listed(&["--kcc-version", from, "--against", to]);
        let told = list["kcc"].as_array().unwrap();
        assert_eq!(told.len(), expected.len(), "{from} {to}");
        for (kind, ((group, name), (changes, before, after))) in told.iter().zip(expected) {
            assert_eq!((&kind["group"], &kind["kind"]), (&value!(group), &value!(name)), "{from} {to}");
            assert_eq!(kind["changes"], changes, "{name}");
            for (side, line) in [("from", before), ("to", after)] {
                let controller = line.as_ref().map(|line| line.4.clone());
                assert_eq!(kind[side]["controller"], value!(controller), "{name} {side}");
                assert_eq!(kind[side]["supported"], value!(line.map(|line| line.5)), "{name} {side}");
            }
        }
        assert_eq!((&list["against"], &list["plural"]), (&value!(to), &value!([])), "the Console's kinds do not move");
    }
}

#[test]
fn who_moved_is_counted_on_standard_error() {
    let said = |args: &[&str]| stderr(&kinds(args));
    let (before, after) = (holding("1.150.0"), holding("main"));
    let both = before.iter().filter_map(|(key, old)| Some((old, after.get(key)?)));
    let moved = both.clone().filter(|(old, new)| old.4 != new.4).count();
    let choice = both.clone().filter(|(old, new)| old.5 != new.5).count();
    let differ = both.filter(|(old, new)| (&old.4, &old.5) != (&new.4, &new.5)).count();
    let added = after.keys().filter(|key| !before.contains_key(*key)).count();
    assert_eq!(before.keys().filter(|key| !after.contains_key(*key)).count(), 0);
    assert_eq!(
        said(&["--kcc-version", "1.150.0", "--against", "main"]),
        format!(
            "{} kinds of Config Connector differ between 1.150.0 and main: {moved} moved, {choice} with another choice, \
             {added} added\n",
            differ + added
        )
    );
    assert_eq!(
        said(&["--kcc-version", "1.153.0", "--against", "1.154.0", "--kind", "DataflowJob"]),
        "1 kind of Config Connector differs between 1.153.0 and 1.154.0: 1 with another choice\n"
    );
    assert_eq!(said(&["--kcc-version", "main", "--against", "main", "-q"]), "");
}

#[test]
fn main_against_the_default_compares_nothing_and_says_so() {
    let output = kinds(&["--against", "main"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    assert!(stderr(&output).contains("main is the default, too; name the release"), "{}", stderr(&output));
    assert_eq!(kinds(&["--kcc-version", "main", "--against", "main"]).status.code(), Some(0), "that was asked for");
    assert_eq!(kinds(&["--against", "1.150.0"]).status.code(), Some(0));
}

#[test]
fn releases_before_there_was_a_table_are_said_to_have_none() {
    let reason = "1.134.9 has no table of controllers (the first is in 1.135.0), so who handles a kind is not known";
    let output = kinds(&["--kcc-version", "1.134.9", "--system", "kcc"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""));
    assert_eq!(stderr(&output), format!("warning: {reason}\n"));
    let list = listed(&["--kcc-version", "1.134.9"]);
    assert_eq!((&list["kcc"], &list["tableOf"]), (&Value::Null, &Value::Null), "unknown is not absent");
    assert_eq!(list["kccReason"], reason);
    assert_eq!(list["plural"].as_array().unwrap().len(), 40);
    for args in [["--kcc-version", "1.134.9", "--against", "main"], ["--kcc-version", "main", "--against", "1.134.9"]] {
        let said = refused(&args);
        assert!(said.contains("1.134.9 has no table of controllers (the first is in 1.135.0), so nothing"), "{said}");
    }
}

#[test]
fn releases_after_the_last_table_that_was_read_are_said_to_be_told_by_main() {
    let note = "1.155.2 is told by the table of main: the last release whose own table was read is 1.155.1";
    let output = kinds(&["--kcc-version", "1.155.2", "--system", "kcc", "-q"]);
    assert_eq!(stderr(&output), format!("note: {note}\n"));
    let list = listed(&["--kcc-version", "1.155.2", "--against", "1.155.1"]);
    assert_eq!((&list["tableOf"], &list["againstTableOf"]), (&value!("main"), &value!("1.155.1")));
    assert_eq!(list["notes"], value!([note]));
    for release in ["1.155.1", "main"] {
        assert_eq!(listed(&["--kcc-version", release])["notes"], value!([]), "{release}");
    }
    assert_eq!(listed(&["--kcc-version", "1.155.2", "--system", "plural"])["notes"], value!([]), "not spoken of");
}

/// The documentation's table: create, read-only, adopt.
const DOCUMENTED: &str = "BootstrapToken y/n/n, Cluster n/y/y, ClusterRestore y/y/n, ClusterRestoreTrigger y/n/n, \
CloudConnection y/y/n, ComplianceReportGenerator y/n/n, CustomCompatibilityMatrix y/n/y, CustomStackRun y/n/n, \
DeploymentSettings y/n/n, FederatedCredential y/n/n, Flow y/n/y, GlobalService y/n/y, Group y/y/n, HelmRepository y/n/y, \
InfrastructureStack y/n/y, ManagedNamespace y/y/y, MCPServer y/n/y, NamespaceCredentials n/y/n, NotificationRouter y/n/y, \
ObservabilityProvider y/y/n, Observer y/n/y, OIDCProvider y/n/y, Persona y/n/n, Pipeline y/n/n, PipelineContext y/n/n, \
PrAutomationTrigger y/n/n, PreviewEnvironmentTemplate y/n/y, PrGovernance y/n/y, ScmConnection y/y/n, Sentinel y/n/n, \
ServiceDeployment y/n/y, StackDefinition y/n/n, UpgradePlanCallout y/n/y";

/// The kinds that the decision table speaks of.
const DECIDED: [&str; 7] =
    ["Project", "Catalog", "GitRepository", "NotificationSink", "ServiceAccount", "PrAutomation", "ServiceContext"];

fn documented() -> BTreeMap<&'static str, [bool; 3]> {
    let others = DOCUMENTED.split(", ").map(|entry| {
        let (kind, modes) = entry.split_once(' ').unwrap();
        let modes: Vec<bool> = modes.split('/').map(|word| word == "y").collect();
        (kind, modes.try_into().unwrap())
    });
    others.chain(DECIDED.map(|kind| (kind, [true; 3]))).collect()
}

#[test]
fn each_kind_of_the_console_has_its_documented_modes() {
    let list = listed(&["--system", "plural"]);
    let told: BTreeMap<String, [bool; 3]> = list["plural"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| {
            assert_eq!(kind["group"], "deployments.plural.sh");
            let modes = ["create", "readOnly", "adopt"].map(|mode| kind[mode].as_bool().unwrap());
            (kind["kind"].as_str().unwrap().to_owned(), modes)
        })
        .collect();
    let expected: BTreeMap<String, [bool; 3]> =
        documented().into_iter().map(|(kind, modes)| (kind.to_owned(), modes)).collect();
    assert_eq!(told, expected);
    assert_eq!(list["kcc"], value!([]));
}

#[test]
fn seven_kinds_are_judged_by_the_decision_table_and_the_others_are_only_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/console-decisions.csv");
    let text = std::fs::read_to_string(path).unwrap();
    let mut words: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        words.entry(columns[0]).or_default().insert(columns[11]);
    }
    assert_eq!(words.keys().copied().collect::<BTreeSet<_>>(), DECIDED.into_iter().collect());
    for kind in listed(&["--system", "plural"])["plural"].as_array().unwrap() {
        let told: BTreeSet<&str> =
            kind["confidence"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        let expected = words.get(kind["kind"].as_str().unwrap()).cloned();
        assert_eq!(told, expected.unwrap_or_else(|| ["documented-only"].into()), "{}", kind["kind"]);
    }
}

#[test]
fn scope_identity_and_finalizer_are_told_where_they_are_known_and_null_with_a_reason_where_not() {
    let kind = |name: &str| listed(&["--kind", name, "--system", "plural"])["plural"][0].clone();
    let catalog = kind("Catalog");
    assert_eq!(catalog["scope"], "cluster");
    assert_eq!(
        catalog["identity"],
        value!({"field": "name", "valueFrom": "spec.name", "elseFrom": "metadata.name", "query": "catalog"})
    );
    assert_eq!(catalog["finalizer"], "projects.deployments.plural.sh/catalog-protection");
    assert_eq!(catalog["finalizerAdded"], "always");
    assert_eq!((&catalog["reason"], &catalog["note"]), (&Value::Null, &Value::Null));
    assert_eq!(kind("ServiceContext")["scope"], "namespaced");
    assert_eq!(kind("ServiceAccount")["identity"]["field"], "email");
    assert_eq!(kind("GitRepository")["identity"]["elseFrom"], Value::Null);
    let token = kind("BootstrapToken");
    for unknown in ["scope", "identity", "finalizer", "finalizerAdded"] {
        assert_eq!(token[unknown], Value::Null, "{unknown}");
    }
    assert_eq!(token["deletion"], value!({"rule": "unknown", "outcomes": []}));
    for kind in listed(&["--system", "plural"])["plural"].as_array().unwrap() {
        let lacks = ["scope", "identity", "finalizer"].iter().any(|field| kind[field].is_null());
        assert!(!lacks || kind["reason"].is_string(), "{kind}");
    }
}

/// What the released controllers do with a remote that is present; console.md on kinds without decision rows.
#[test]
fn the_age_of_the_copy_that_was_read_is_one_word_and_what_is_null_has_its_reason_elsewhere() {
    let list = listed(&["--system", "plural"]);
    for kind in list["plural"].as_array().unwrap() {
        let copy = &kind["controllerCopy"];
        assert!(copy.is_null() || ["unknown", "old", "recent"].contains(&copy.as_str().unwrap()), "{kind}");
    }
    let group = &listed(&["--kind", "Group"])["plural"][0];
    assert_eq!((&group["finalizer"], &group["controllerCopy"]), (&Value::Null, &Value::from("old")));
    assert!(group["reason"].as_str().unwrap().starts_with("its controller adds no finalizer"), "{group}");
}

#[test]
fn what_deletion_may_come_to_is_told() {
    let list = listed(&["--system", "plural"]);
    let outcomes = |name: &str| {
        let kinds = list["plural"].as_array().unwrap();
        kinds.iter().find(|kind| kind["kind"] == name).unwrap()["deletion"]["outcomes"].clone()
    };
    for (kind, expected) in [
        ("Project", value!(["delete", "keep"])),
        ("GitRepository", value!(["delete", "keep"])),
        ("PrAutomation", value!(["delete", "error"])),
        // It has no finalizer.
        ("ServiceAccount", value!(["keep"])),
        ("Cluster", value!(["keep"])),
        ("GlobalService", value!(["delete", "keep"])),
        ("InfrastructureStack", value!(["delete", "detach"])),
        ("Persona", value!(["delete"])),
        ("Pipeline", value!([])),
    ] {
        assert_eq!(outcomes(kind), expected, "{kind}");
    }
}

#[test]
fn a_group_is_taken_in_full_or_by_its_first_label_in_whatever_case() {
    let expected: Vec<String> = holding("main")
        .into_keys()
        .filter(|(group, _)| group == "compute.cnrm.cloud.google.com")
        .map(|(_, kind)| kind)
        .collect();
    for group in ["compute", "COMPUTE", "compute.cnrm.cloud.google.com"] {
        let list = listed(&["--group", group]);
        assert_eq!(names(&list, "kcc"), expected, "{group}");
        assert_eq!(list["plural"], value!([]), "{group}: the other system is left out");
    }
    for group in ["deployments.plural.sh", "deployments"] {
        let list = listed(&["-g", group]);
        assert_eq!(list["kcc"], value!([]), "{group}");
        assert_eq!(list["plural"].as_array().unwrap().len(), 40, "{group}");
    }
    let both = listed(&["-g", "sql", "-g", "deployments"]);
    assert!(names(&both, "kcc").contains(&"SQLInstance".to_owned()));
    assert_eq!(both["plural"].as_array().unwrap().len(), 40);
}

#[test]
fn a_kind_is_taken_by_its_crds_name_in_whatever_case_or_by_the_documentations_spelling() {
    for (given, kcc, plural) in [
        ("SQLInstance", &["SQLInstance"][..], &[][..]),
        ("sqlinstance", &["SQLInstance"], &[]),
        ("PrAutomation", &[], &["PrAutomation"]),
        ("PRAutomation", &[], &["PrAutomation"]),
        ("SCMConnection", &[], &["ScmConnection"]),
        ("scmconnection", &[], &["ScmConnection"]),
        // Both systems have one.
        ("Project", &["Project"], &["Project"]),
    ] {
        let list = listed(&["--kind", given]);
        assert_eq!(names(&list, "kcc"), kcc, "{given}");
        assert_eq!(names(&list, "plural"), plural, "{given}");
    }
    let list = listed(&["-k", "ComputeDisk", "-k", "Catalog"]);
    assert_eq!((names(&list, "kcc"), names(&list, "plural")), (vec!["ComputeDisk".into()], vec!["Catalog".into()]));
    assert_eq!(listed(&["-k", "PRAutomation"])["plural"][0]["documentedAs"], "PRAutomation");
}

#[test]
fn a_name_that_no_table_knows_is_2_with_the_names_that_may_be_meant() {
    for (args, expected) in [
        (&["--kind", "ComputeDsk"][..], "the kind \"ComputeDsk\" is unknown to this version: is ComputeDisk meant?"),
        (&["--kind", "catalogue"], "the kind \"catalogue\" is unknown to this version: is Catalog meant?"),
        (&["--kind", "Bucket"], "StorageBucket"),
        (&["--kind", "Nonsense"], "the kind \"Nonsense\" is unknown to this version\n"),
        (&["--group", "computer"], "the group \"computer\" is unknown to this version: is compute meant?"),
        (&["--kind", "Catalog", "--kind", "ComputeDsk"], "is ComputeDisk meant?"),
        (&["--kind", ""], "the kind \"\" is unknown to this version"),
        (&["--group", ""], "the group \"\" is unknown to this version"),
        (&["--controller", "terraform"], "possible values: direct, tf, dcl"),
        (&["--mode", "readonly"], "a similar value exists: 'read-only'"),
        (&["--kcc-version", "1.155"], "expected X.Y.Z (for example 1.155.1) or main"),
    ] {
        let said = refused(args);
        assert!(said.contains(expected), "{args:?}: {said}");
    }
    let said = refused(&["--kind", "x\u{1b}[2J\u{9b}"]);
    assert!(!said.chars().any(|c| c != '\n' && kcc_backoff::output::is_dangerous(c)), "{said}");
}

#[test]
fn a_kind_of_another_release_is_said_to_have_no_row_in_this_one() {
    let output = kinds(&["--kind", "AIStreamsCluster"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), ""));
    assert_eq!(
        stderr(&output),
        "note: AIStreamsCluster (aistreams.cnrm.cloud.google.com) has no row in main: its rows hold from 1.153.0 to 1.154.1\n\
         0 kinds of Config Connector main\n"
    );
    assert_eq!(
        names(&listed(&["--kind", "AIStreamsCluster", "--kcc-version", "1.154.0"]), "kcc"),
        ["AIStreamsCluster"]
    );
    let same = listed(&["--kind", "ComputeNetwork", "--kcc-version", "1.155.1", "--against", "main"]);
    assert_eq!(
        same["notes"],
        value!(["ComputeNetwork (compute.cnrm.cloud.google.com) is the same in 1.155.1 and main"])
    );
}

#[test]
fn controller_is_the_one_that_handles_a_kind_and_supports_those_that_can_be_chosen() {
    for controller in ["direct", "tf", "dcl", "iampolicy", "iampartialpolicy", "iampolicymember", "iamauditconfig"] {
        let expected = |takes: &dyn Fn(&Line) -> bool| -> Vec<String> {
            holding("main").into_values().filter(takes).map(|line| line.1).collect()
        };
        let list = listed(&["--controller", controller]);
        assert_eq!(names(&list, "kcc"), expected(&|line| line.4 == controller), "{controller}");
        assert_eq!(list["plural"], value!([]));
        let list = listed(&["--supports", controller]);
        assert_eq!(names(&list, "kcc"), expected(&|line| line.5.contains(controller)), "{controller}");
        let list = listed(&["--supports", "direct", "--controller", controller]);
        let both = expected(&|line| line.4 == controller && line.5.contains("direct"));
        assert_eq!(names(&list, "kcc"), both, "{controller}");
    }
    let (direct, dcl, either) = (&["--controller", "direct"][..], &["--controller", "dcl"][..], 0);
    let count = |args: &[&str]| names(&listed(args), "kcc").len() + either;
    assert_eq!(count(&[direct, dcl].concat()), count(direct) + count(dcl));
    // In either release.
    let moved = listed(&["--kcc-version", "1.135.0", "--against", "main", "--controller", "dcl"]);
    for kind in moved["kcc"].as_array().unwrap() {
        assert!(kind["from"]["controller"] == "dcl" || kind["to"]["controller"] == "dcl", "{kind}");
    }
}

#[test]
fn a_mode_takes_the_kinds_that_the_documentation_names_it_for() {
    for (index, mode) in ["create", "read-only", "adopt"].into_iter().enumerate() {
        let list = listed(&["--mode", mode]);
        let told: BTreeSet<String> = names(&list, "plural").into_iter().collect();
        let expected: BTreeSet<String> =
            documented().into_iter().filter(|(_, modes)| modes[index]).map(|(kind, _)| kind.to_owned()).collect();
        assert_eq!(told, expected, "{mode}");
        assert_eq!(list["kcc"], value!([]), "{mode}: the other system is left out");
    }
    let either = names(&listed(&["--mode", "read-only", "--mode", "adopt"]), "plural").len();
    assert_eq!(either, documented().values().filter(|modes| modes[1] || modes[2]).count());
}

#[test]
fn filters_that_exclude_each_other_are_2() {
    for args in [
        &["--controller", "tf", "--mode", "adopt"][..],
        &["--mode", "adopt", "--against", "1.150.0"],
        &["--system", "plural", "--controller", "tf"],
        &["--system", "kcc", "--mode", "adopt"],
        &["--group", "compute", "--mode", "adopt"],
        &["--group", "compute", "--kind", "PrAutomation"],
        &["--system", "plural", "--against", "1.150.0"],
    ] {
        refused(args);
    }
}

#[test]
fn tables_stand_below_titles_if_there_are_two_and_counts_on_standard_error() {
    let output = kinds(&["-k", "Project"]);
    assert_eq!(
        stdout(&output),
        "Config Connector main\n\
         KIND     CONTROLLER  SUPPORTED  SINCE    UNTIL  GROUP\n\
         Project  tf          tf         1.135.0  -      resourcemanager.cnrm.cloud.google.com\n\
         \n\
         Plural Console, modes as documented\n\
         KIND     MODES                     SCOPE    IDENTITY  FROM       DELETION        CONFIDENCE        FINALIZER\n\
         Project  create, read-only, adopt  cluster  name      spec.name  delete or keep  source, inferred  \
         projects.deployments.plural.sh/project-protection\n"
    );
    assert_eq!(stderr(&output), "1 kind of Config Connector main, 1 kind of the Plural Console\n");
    let bare = kinds(&["-k", "Project", "--no-headers", "-q"]);
    assert_eq!(stderr(&bare), "");
    let lines: Vec<String> = stdout(&bare).lines().map(str::to_owned).collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.starts_with("Project  ")), "{lines:?}");
    let one = kinds(&["-k", "Project", "--system", "kcc"]);
    assert!(stdout(&one).starts_with("KIND  "), "one table needs no title");
}

#[test]
fn off_a_terminal_nothing_is_cut_and_there_is_no_colour() {
    for args in [&[][..], &["--kcc-version", "1.135.0", "--against", "main"], &["--mode", "create"]] {
        let text = stdout(&kinds(args));
        assert!(!text.contains('…') && !text.contains('\u{1b}'), "{args:?}");
        assert!(text.lines().all(|line| !line.ends_with(' ')), "{args:?}");
    }
    assert_eq!(stdout(&kinds(&["--no-headers"])).lines().count(), holding("main").len() + 40);
}

#[test]
fn yaml_says_the_same_as_json() {
    for args in [
        &["-k", "Project"][..],
        &["--kcc-version", "1.150.0", "--against", "main", "-g", "sql"],
        &["--kcc-version", "1.100.0", "-k", "Project"],
    ] {
        let yaml = stdout(&kinds(&[args, &["-o", "yaml"]].concat()));
        let list = listed(args);
        assert_eq!(yaml_keys(&yaml), list.as_object().unwrap().keys().cloned().collect::<Vec<_>>(), "{args:?}");
        for kind in list["kcc"].as_array().into_iter().flatten() {
            assert!(yaml.contains(&format!("  kind: {}\n", kind["kind"].as_str().unwrap())), "{yaml}");
        }
    }
}

fn yaml_keys(yaml: &str) -> Vec<String> {
    let keys = yaml.lines().filter(|line| !line.starts_with([' ', '-']));
    keys.map(|line| line.split(':').next().unwrap().to_owned()).collect()
}

#[test]
fn json_carries_what_scripts_may_rely_on_in_its_order() {
    let list = listed(&["-k", "SQLInstance"]);
    let keys: Vec<&String> = list.as_object().unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "apiVersion",
            "kind",
            "release",
            "tableOf",
            "against",
            "againstTableOf",
            "kcc",
            "kccReason",
            "plural",
            "notes"
        ]
    );
    assert_eq!((&list["apiVersion"], &list["kind"]), (&value!("kcc-backoff/v1alpha1"), &value!("KindList")));
}

#[test]
fn names_are_resources_as_kubectl_takes_them() {
    let output = kinds(&["-k", "Project", "-o", "name"]);
    assert_eq!(stdout(&output), "project.resourcemanager.cnrm.cloud.google.com\nproject.deployments.plural.sh\n");
    let moved = kinds(&["--kcc-version", "1.153.0", "--against", "1.154.0", "-k", "DataflowJob", "-o", "name"]);
    assert_eq!(stdout(&moved), "dataflowjob.dataflow.cnrm.cloud.google.com\n");
}

/// The screen for a list at a width.
fn screen(kcc: KccKinds, plural: Option<Vec<&'static plural::Kind>>, against: Option<&str>, width: usize) -> String {
    let release = if against.is_some() { "1.150.0" } else { "main" };
    let list = KindList {
        release: release.parse().unwrap(),
        against: against.map(|release| release.parse().unwrap()),
        kcc,
        plural,
        notes: Vec::new(),
    };
    let mut bytes = Vec::new();
    output::kinds_table(&mut bytes, Style { color: false, width: Some(width) }, &list, true).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn rows(group: &str) -> KccKinds {
    let in_main = kcc::rows().iter().filter(|row| row.holds(kcc::Release::Main));
    KccKinds::Rows(in_main.filter(|row| row.group.starts_with(group)).collect())
}

fn moves(takes: impl Fn(&kcc::Move) -> bool) -> KccKinds {
    let moves = kcc::moves("1.150.0".parse().unwrap(), kcc::Release::Main);
    KccKinds::Moves(moves.into_iter().filter(takes).collect())
}

#[test]
fn kinds_of_iam_and_of_the_console_at_80_columns() {
    insta::assert_snapshot!(screen(rows("iam."), Some(plural::kinds().iter().collect()), None, 80));
}

#[test]
fn kinds_that_moved_at_80_columns() {
    let kept = moves(|moved| {
        moved.group.starts_with("identityplatform")
            || moved.kind.starts_with("VertexAI")
            || moved.kind.starts_with("Data")
    });
    insta::assert_snapshot!(screen(kept, None, Some("main"), 80));
}

#[test]
fn no_table_is_wider_than_the_terminal() {
    for width in [50, 60, 80, 100, 120, 200] {
        for text in [
            screen(rows(""), Some(plural::kinds().iter().collect()), None, width),
            screen(moves(|_| true), None, Some("main"), width),
        ] {
            for line in text.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
    let wide = screen(rows("compute."), None, None, 120);
    assert!(wide.contains("GROUP") && !wide.contains('…'), "where there is room, nothing leaves");
}
