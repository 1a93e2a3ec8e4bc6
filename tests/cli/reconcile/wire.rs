//! How the Console is asked, and what becomes of it when that fails.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use kcc_backoff::plural::console::{Of, Output};
use kcc_backoff::plural::kind::MANAGED;

use serde_json::{Value, json};

use super::{reconcile, run};
use crate::console_server::{Fault, TOKEN, TestConsole};
use crate::plural::object;
use crate::support::{binary, stderr, stdout};

fn projects(count: usize) -> String {
    (0..count)
        .map(|number| {
            object("Project").meta(&format!("name: p-{number}")).spec(&format!("name: p-{number}")).text() + "---\n"
        })
        .collect()
}

/// Exit code, and the action of each object.
fn outcome(console: &TestConsole, text: &str, args: &[&str]) -> (i32, Vec<String>, Value, String) {
    let output = run(console, text, &[&["-o", "json"], args].concat());
    let plan: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let actions = plan["objects"].as_array().into_iter().flatten();
    let actions = actions.map(|object| object["action"].as_str().unwrap().to_owned()).collect();
    (output.status.code().unwrap(), actions, plan, stderr(&output))
}

fn with_project() -> TestConsole {
    let console = TestConsole::start();
    console.put("project", json!({"id": "1", "name": "p-0"}));
    console
}

#[test]
fn a_request_says_who_asks_in_which_form_and_holds_only_what_it_uses() {
    let console = with_project();
    let output = run(&console, &projects(2), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    console.assert_valid();
    let requests = console.requests();
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/gql"));
    assert_eq!(request.headers["authorization"], format!("Token {TOKEN}"));
    assert_eq!(request.headers["content-type"], "application/json; charset=utf-8");
    assert_eq!(request.headers["accept"], "application/json; charset=utf-8");
    assert!(request.headers["user-agent"].starts_with("kcc-backoff/"));
    assert_eq!(request.json["variables"], json!({"v0": "p-0", "v1": "p-1"}));
    assert_eq!(request.fields, 2);
}

#[test]
fn many_objects_cost_few_requests_and_each_identity_is_asked_for_once() {
    let console = TestConsole::start();
    let bound: String = (0..100)
        .map(|number| {
            let named = object("Project").meta(&format!("name: p-{number}")).spec(&format!("name: p-{number}"));
            named.spec("bindings: {read: [{groupName: all}]}").text() + "---\n"
        })
        .collect();
    let output = run(&console, &bound, &["--concurrency", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    console.assert_valid();
    // A hundred projects and one group, forty a request.
    let fields: Vec<usize> = console.requests().iter().map(|request| request.fields).collect();
    assert_eq!(fields.iter().sum::<usize>(), 101);
    assert_eq!(fields.len(), 3, "{fields:?}");
    assert!(console.most_in_flight() <= 2);
}

#[test]
fn no_more_requests_are_in_flight_than_are_allowed() {
    let console = TestConsole::start();
    console.fault(Fault::Latency(Duration::from_millis(30)));
    let output = run(&console, &projects(400), &["--concurrency", "3"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(console.requests().len(), 10);
    assert!((2..=3).contains(&console.most_in_flight()), "{}", console.most_in_flight());
}

/// A Console that does not answer as it should, once and for all: the exit code, and what is said.
#[test]
fn each_fault_of_the_whole_console_ends_with_3_and_its_cause_and_plans_nothing() {
    let html = "<html>".to_owned();
    for (fault, cause) in [
        (
            Fault::Status(401, r#"{"message":"invalid_token"}"#.into(), None),
            "refuses the credentials (HTTP 401: invalid_token)",
        ),
        (Fault::Status(403, html.clone(), None), "refuses the credentials (HTTP 403"),
        (Fault::Status(429, String::new(), Some("120".into())), "HTTP 429, too many requests"),
        (Fault::Status(500, html, None), "HTTP 500 with an HTML page"),
        (Fault::StatusAfter(500), "HTTP 500"),
        (Fault::Cut, "the connection was closed"),
        (Fault::CutAfter, "the connection was closed"),
        (Fault::Truncated, "the connection was closed"),
        (Fault::Html(200), "the answer is an HTML page"),
        (Fault::Html(502), "HTTP 502 with an HTML page"),
        (Fault::Redirect("http://127.0.0.1:9/elsewhere".into()), "a redirect, which is not followed"),
        (Fault::Latency(Duration::from_millis(700)), "it took too long"),
        (Fault::SlowBody(Duration::from_millis(700)), "it took too long"),
        (Fault::Garbled, "the answer is no JSON"),
        (Fault::Oversized(17 << 20), "the answer is longer than is read"),
    ] {
        // The same for one object and for several.
        let console = with_project();
        console.fault(fault.clone());
        let timeout = if matches!(fault, Fault::Oversized(_)) { "20s" } else { "300ms" };
        assert_eq!(outcome(&console, &projects(1), &["--request-timeout", timeout]).0, 3, "{fault:?}");
        let begun = Instant::now();
        let (code, actions, plan, said) = outcome(&console, &projects(2), &["--request-timeout", timeout]);
        assert_eq!((code, actions.len()), (3, 0), "{fault:?}: {said}");
        assert!(said.contains(cause), "{fault:?}: {said}");
        assert!(!said.contains(TOKEN) && !plan.to_string().contains(TOKEN));
        assert_eq!(plan["problems"][0]["code"], "console-unavailable", "{fault:?}");
        // Three attempts of 0.3 s, pauses of 0.25 and 1 s.
        assert!(begun.elapsed() < Duration::from_secs(15), "{fault:?}");
        console.assert_valid();
    }
}

/// Faults that leave something to be said of single objects.
#[test]
fn each_fault_of_an_answer_makes_its_objects_unknown_with_4_and_never_absent() {
    for (fault, reason) in [
        (Fault::Pathless, "unknown error"),
        (Fault::NullData, "the answer holds nothing for it"),
        (Fault::Empty, "the answer holds nothing for it"),
        (Fault::Schema, "Cannot query field"),
        (Fault::Null("name"), "project.name is missing"),
    ] {
        let console = with_project();
        console.put("project", json!({"id": "2", "name": "p-1"}));
        console.fault(fault.clone());
        let (code, actions, plan, said) = outcome(&console, &projects(2), &[]);
        assert_eq!(code, 4, "{fault:?}: {said}");
        assert_eq!(actions, ["unknown", "unknown"], "{fault:?}");
        assert!(plan["objects"][0]["reason"].as_str().unwrap().contains(reason), "{fault:?}: {plan:#}");
    }
}

#[test]
fn one_look_up_that_fails_leaves_the_others() {
    let console = with_project();
    console.fail("project", "p-1", "forbidden");
    console.fail("project", "p-2", "token scopes not satisfied");
    let (code, actions, plan, _) = outcome(&console, &projects(4), &[]);
    assert_eq!(code, 4);
    assert_eq!(actions, ["adopt", "unknown", "unknown", "create"]);
    assert!(plan["objects"][2]["reason"].as_str().unwrap().ends_with("token scopes not satisfied"));
    let console = with_project();
    console.fault(Fault::ErrorsBeside);
    let (code, actions, ..) = outcome(&console, &projects(2), &[]);
    assert_eq!((code, actions), (4, vec!["unknown".to_owned(), "create".to_owned()]));
}

#[test]
fn a_batch_with_an_error_that_names_nobody_is_asked_again_singly() {
    let console = with_project();
    console.fault_next([Fault::Pathless]);
    let (code, actions, ..) = outcome(&console, &projects(3), &[]);
    assert_eq!((code, actions), (0, vec!["adopt".to_owned(), "create".into(), "create".into()]));
    let fields: Vec<usize> = console.requests().iter().map(|request| request.fields).collect();
    assert_eq!(fields, [3, 1, 1, 1]);
    // One that fails alone takes no other along.
    let console = with_project();
    console.fault_on("project", "p-1", Fault::Schema);
    let (code, actions, ..) = outcome(&console, &projects(3), &[]);
    assert_eq!((code, actions), (4, vec!["adopt".to_owned(), "unknown".into(), "create".into()]));
}

#[test]
fn what_is_over_in_a_moment_is_asked_again() {
    for fault in [
        Fault::Status(500, String::new(), None),
        Fault::Status(429, String::new(), Some("1".into())),
        Fault::StatusAfter(503),
        Fault::Cut,
        Fault::CutAfter,
        Fault::Truncated,
        Fault::Html(502),
    ] {
        let console = with_project();
        console.fault_next([fault.clone()]);
        let begun = Instant::now();
        let (code, actions, ..) = outcome(&console, &projects(1), &[]);
        assert_eq!((code, actions), (0, vec!["adopt".to_owned()]), "{fault:?}");
        assert_eq!(console.requests().len(), 2, "{fault:?}");
        let pause = if matches!(fault, Fault::Status(429, ..)) { 1000 } else { 250 };
        assert!(begun.elapsed() >= Duration::from_millis(pause), "{fault:?}");
    }
}

#[test]
fn an_unknown_value_is_refused_only_where_something_is_decided_by_it() {
    let console = TestConsole::start();
    console.put("gitRepository", json!({"url": "https://git.orchard.test/it.git", "health": "PULLABLE"}));
    console.fault(Fault::UnknownValue("health"));
    let (code, actions, plan, _) = outcome(&console, &object("GitRepository").text(), &[]);
    assert_eq!((code, actions), (4, vec!["unknown".to_owned()]));
    let reason = plan["objects"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("gitRepository.health is \"SOMETHING_NEW\""), "{reason}");
    let console = TestConsole::start();
    console.put("notificationSink", json!({"name": "it", "type": "PLURAL", "configuration": {"id": "c"}}));
    console.fault(Fault::UnknownValue("type"));
    let (code, actions, plan, _) = outcome(&console, &object("NotificationSink").text(), &[]);
    assert_eq!((code, actions), (0, vec!["adopt".to_owned()]));
    assert_eq!(plan["objects"][0]["changes"], json!([{"path": "type", "from": "SOMETHING_NEW", "to": "PLURAL"}]));
}

#[test]
fn the_header_is_not_carried_to_where_a_redirect_points() {
    let elsewhere = TestConsole::start();
    let console = with_project();
    console.fault(Fault::Redirect(format!("{}/gql", elsewhere.url())));
    assert_eq!(run(&console, &projects(1), &[]).status.code(), Some(3));
    assert_eq!(elsewhere.requests().len(), 0);
}

#[test]
fn address_and_token_come_from_one_source_of_the_environment() {
    let (console, other) = (with_project(), with_project());
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), projects(1)).unwrap();
    let call = |variables: &[(&str, &str)], args: &[&str]| {
        let mut command = binary(folder.path());
        command.args(["reconcile-once", "manifest.yaml"]).args(args).envs(variables.iter().copied());
        command.output().unwrap()
    };
    let (url, other_url) = (console.url(), other.url());
    let output = call(&[("CONSOLE_URL", &url), ("CONSOLE_TOKEN", TOKEN)], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains(&format!("from the Console at {url}")));
    // The first that has an address: without a token of its own that is an error, and nobody is asked.
    let before = console.requests().len() + other.requests().len();
    let pair = [("PLURAL_CONSOLE_URL", other_url.as_str()), ("CONSOLE_URL", &url), ("CONSOLE_TOKEN", TOKEN)];
    let output = call(&pair, &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("PLURAL_CONSOLE_TOKEN is not"), "{}", stderr(&output));
    let variables = [("PLURAL_CONSOLE_URL", other_url.as_str()), ("PLURAL_CONSOLE_TOKEN", TOKEN)];
    let output = call(&variables, &["--console-url", &url]);
    assert_eq!(output.status.code(), Some(2), "another host's token: {}", stderr(&output));
    assert_eq!(console.requests().len() + other.requests().len(), before);
    let output = call(&variables, &["--console-url", &other_url]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let output = call(&[], &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no Console is named"), "{}", stderr(&output));
    // The Plural CLI's file.
    std::fs::create_dir(folder.path().join(".plural")).unwrap();
    let file = format!("kind: Console\nspec: {{url: \"{url}\", token: \"{TOKEN}\"}}\n");
    std::fs::write(folder.path().join(".plural/console.yml"), file).unwrap();
    let output = call(&[], &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_refused_token_is_said_to_come_from_where_it_came_from() {
    let console = with_project();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), projects(1)).unwrap();
    let output = binary(folder.path())
        .args(["reconcile-once", "manifest.yaml"])
        .env("PLURAL_CONSOLE_URL", console.url())
        .env("PLURAL_CONSOLE_TOKEN", "wrong-MARKER")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(said.contains("the token comes from PLURAL_CONSOLE_URL"), "{said}");
    assert!(!said.contains("MARKER"), "{said}");
}

#[test]
fn a_console_that_is_not_there_ends_with_3_and_its_address() {
    let url = TestConsole::start().url();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), projects(1)).unwrap();
    std::fs::write(folder.path().join("token"), TOKEN).unwrap();
    let args = ["reconcile-once", "manifest.yaml", "--console-token-file", "token", "--console-url", &url];
    let output = binary(folder.path()).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains(&format!("cannot reach the Console at {url}: ")), "{}", stderr(&output));
    assert_eq!(stdout(&output), "", "no plan");
}

#[test]
fn an_object_that_needs_no_look_up_asks_nobody() {
    let console = TestConsole::start();
    console.fault(Fault::Status(401, String::new(), None));
    let kcc = "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {name: a, namespace: b}\n";
    let (code, actions, plan, _) = outcome(&console, kcc, &[]);
    assert_eq!((code, actions.len(), console.requests().len()), (0, 0, 0));
    assert_eq!(plan["summary"]["kcc"], 1);
    let output = run(&console, kcc, &[]);
    assert!(
        stdout(&output).contains("1 object of Config Connector is not reconciled by this tool."),
        "{}",
        stdout(&output)
    );
}

#[test]
fn requests_are_told_of_when_that_is_asked_for() {
    let console = with_project();
    let output = run(&console, &projects(2), &["-v"]);
    assert!(stderr(&output).starts_with("request 1: 2 look-ups, "), "{}", stderr(&output));
    let output = run(&console, &projects(2), &["-vv"]);
    assert!(stderr(&output).contains("project \"p-0\": there\nproject \"p-1\": absent\n"), "{}", stderr(&output));
}

#[test]
fn a_proxy_of_the_environment_is_not_asked_for_this_machine() {
    let console = with_project();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), projects(1)).unwrap();
    let mut command = reconcile(&console, folder.path(), &[]);
    command.env("HTTPS_PROXY", "http://127.0.0.1:9").env("HTTP_PROXY", "http://127.0.0.1:9");
    assert_eq!(command.output().unwrap().status.code(), Some(0));
}

/// An answer in which one field after another is null: what the schema lets be null is understood, what it does not is
/// refused with its path, and nothing is taken for absent.
#[test]
fn each_field_may_be_null_where_the_schema_lets_it_and_is_refused_where_not() {
    fn names(fields: &[Output], all: &mut BTreeMap<&'static str, bool>) {
        for field in fields {
            // The name alone decides in the test Console: of two fields of a name one that must be there counts.
            *all.entry(field.name).or_default() |= field.required;
            if let Of::Object(fields) = field.of {
                names(fields, all);
            }
        }
    }
    for managed in MANAGED {
        let mut all = BTreeMap::new();
        names(managed.query.returned, &mut all);
        let console = TestConsole::start();
        console.put("scmConnection", json!({"id": "forge-1", "name": "forge", "type": "GITHUB"}));
        console.put(managed.query.field, filled(managed.query.returned));
        for (name, required) in all {
            // The connection is looked up in the same request, and must have its id and name.
            let elsewhere = managed.kind == "PrAutomation" && ["id", "name"].contains(&name);
            console.fault(Fault::Null(name));
            let (code, actions, plan, said) = outcome(&console, &object(managed.kind).text(), &[]);
            let action = actions[0].as_str();
            if required {
                assert_eq!((code, action), (4, "unknown"), "{}.{name}: {said}", managed.kind);
                let reason = plan["objects"][0]["reason"].as_str().unwrap();
                let path = reason.contains(&format!(".{name} is missing")) && reason.contains(managed.query.field);
                assert!(path || elsewhere, "{reason}");
            } else {
                assert_eq!((code, action), (0, "adopt"), "{}.{name}: {said}", managed.kind);
            }
        }
        console.assert_valid();
    }
}

/// An answer that has every field, each list with one item, under the identity of the smallest manifest.
fn filled(fields: &[Output]) -> Value {
    let one = |field: &Output| {
        let value = match (field.of, field.name) {
            (Of::Object(fields), _) => filled(fields),
            (Of::Map | Of::SecretMap, _) => json!({"a": 1}),
            (Of::Enum(words), _) => json!(words[0]),
            (_, "name") => json!("it"),
            (_, "email") => json!("it@orchard.test"),
            (_, "url") => json!("https://git.orchard.test/it.git"),
            _ => json!("x"),
        };
        (field.name.to_owned(), if field.list { json!([value]) } else { value })
    };
    fields.iter().map(one).collect::<serde_json::Map<_, _>>().into()
}
