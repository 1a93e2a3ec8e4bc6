//! The test Console itself: it does what the tests rely on.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::console_server::{Fault, TOKEN, TestConsole};

/// Status line and body of a request made by hand.
fn post(console: &TestConsole, token: &str, body: &Value) -> (String, Value) {
    let body = body.to_string();
    let mut stream = TcpStream::connect(console.url().trim_start_matches("http://")).unwrap();
    write!(
        stream,
        "POST /gql HTTP/1.1\r\nHost: x\r\nAuthorization: Token {token}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.lines().next().unwrap().to_owned(), serde_json::from_str(body).unwrap_or(Value::Null))
}

fn asked(console: &TestConsole, query: &str) -> Value {
    post(console, TOKEN, &json!({"query": query})).1
}

#[test]
fn it_answers_under_aliases_and_misses_as_the_console_does() {
    let console = TestConsole::start();
    console.put("project", json!({"id": "1", "name": "a", "readBindings": [{"group": {"id": "g", "name": "x"}}]}));
    console.fail("project", "c", "forbidden");
    let answer = asked(
        &console,
        r#"{p: project(name: "a") {id description readBindings {group {name}}} q: project(name: "b") {id} r: project(name: "c") {id}
            s: catalog(name: "b") {id}}"#,
    );
    assert_eq!(
        answer["data"]["p"],
        json!({"id": "1", "description": null, "readBindings": [{"group": {"name": "x"}}]})
    );
    assert_eq!((&answer["data"]["q"], &answer["data"]["s"]), (&Value::Null, &Value::Null));
    let errors: Vec<(&str, &str)> = answer["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| (error["path"][0].as_str().unwrap(), error["message"].as_str().unwrap()))
        .collect();
    assert_eq!(errors, [("q", "could not find resource"), ("r", "forbidden")]);
}

#[test]
fn it_refuses_what_its_schema_does_not_have_and_remembers_it() {
    let console = TestConsole::start();
    for (query, variables) in [
        (r#"{project(name: "a") {nonsense}}"#, json!({})),
        ("query($n: Int) {project(name: $n) {id}}", json!({})),
        ("query($n: String!) {group(name: $n) {id}}", json!({})),
        (
            "mutation($a: ProjectAttributes!) {createProject(attributes: $a) {id}}",
            json!({"a": {"name": "x", "colour": "red"}}),
        ),
    ] {
        let (status, answer) = post(&console, TOKEN, &json!({"query": query, "variables": variables}));
        assert!(status.contains("200") && answer["data"].is_null(), "{status} {answer}");
        assert!(answer["errors"][0]["message"].is_string() && answer["errors"][0]["path"].is_null(), "{answer}");
    }
    assert!(console.requests().iter().all(|request| !request.invalid.is_empty()), "{:?}", console.requests());
}

#[test]
fn it_knows_one_token() {
    let (status, answer) = post(&TestConsole::start(), "other", &json!({"query": "{me {id}}"}));
    assert!(status.contains("401"), "{status}");
    assert_eq!(answer, json!({"message": "unauthenticated"}));
}

#[test]
fn it_takes_its_time_and_breaks_off_when_it_is_told_to() {
    let console = TestConsole::start();
    console.fault_next([Fault::Latency(Duration::from_millis(80)), Fault::Cut]);
    let begun = Instant::now();
    assert_eq!(asked(&console, r#"{catalog(name: "a") {id}}"#), json!({"data": {"catalog": null}}));
    assert!(begun.elapsed() >= Duration::from_millis(80));
    let mut stream = TcpStream::connect(console.url().trim_start_matches("http://")).unwrap();
    let head = format!("POST /gql HTTP/1.1\r\nAuthorization: Token {TOKEN}\r\nContent-Length: 2\r\n\r\n{{}}");
    stream.write_all(head.as_bytes()).unwrap();
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert_eq!(rest, b"");
}

#[test]
fn a_mutation_keeps_what_it_leaves_out() {
    let console = TestConsole::start();
    console.put("project", json!({"id": "1", "name": "a", "description": "old"}));
    console.put("group", json!({"id": "g", "name": "x"}));
    let attributes = json!({"name": "a", "readBindings": [{"groupId": "g"}]});
    let query = "mutation($a: ProjectAttributes!) {updateProject(id: \"1\", attributes: $a) {id}}";
    let (_, answer) = post(&console, TOKEN, &json!({"query": query, "variables": {"a": attributes}}));
    assert_eq!(answer, json!({"data": {"updateProject": {"id": "1"}}}));
    let answer = asked(&console, r#"{project(name: "a") {description readBindings {group {name}}}}"#);
    let stored = json!({"description": "old", "readBindings": [{"group": {"name": "x"}}]});
    assert_eq!(answer["data"]["project"], stored);
}
