use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use super::*;
use crate::console::Token;
use crate::plural::console::Answer;
use crate::plural::console::{GROUP, USER};
use crate::plural::kind::managed;
use crate::reconcile::{Console, Unavailable};

fn project(name: &str) -> LookUp {
    LookUp::new(managed("Project").map_or(&GROUP, |managed| managed.query), name)
}

/// Answers each request by a function of how often it was asked before and what it holds.
struct Script<F>(F, AtomicUsize);

impl<F: Fn(usize, &Value) -> Result<Reply, Fault> + Sync> Transport for Script<F> {
    fn send(&self, body: &[u8]) -> Result<Reply, Fault> {
        let number = self.1.fetch_add(1, Ordering::SeqCst);
        (self.0)(number, &serde_json::from_slice(body).unwrap_or_default())
    }
}

fn reply(status: u16, body: &str) -> Result<Reply, Fault> {
    Ok(Reply { status, retry_after: None, body: Body::Whole(body.as_bytes().to_vec()) })
}

/// The answers, and how many requests they took.
fn asked(
    look_ups: &[LookUp],
    script: impl Fn(usize, &Value) -> Result<Reply, Fault> + Sync,
) -> (Result<Vec<Answer>, Unavailable>, usize) {
    let limits = Limits { concurrency: 1, budget: Duration::from_secs(60) };
    let token = Token::new("console-MARKER").ok();
    let client = Client::new(
        Script(script, AtomicUsize::new(0)),
        limits,
        ("https://c.test", "a file"),
        token,
        false,
        Box::new(|_| {}),
    );
    let answers = client.look_up(look_ups);
    (answers, client.transport().1.load(Ordering::SeqCst))
}

fn failed(text: &str) -> Answer {
    Answer::Failed(text.to_owned())
}

#[test]
fn a_request_holds_an_alias_and_a_variable_for_each_look_up() {
    let (one, other) = (project("a"), LookUp::new(&USER, "x@y.test"));
    let request = Request::of(&[&one, &other]);
    assert_eq!(
        request.query,
        "query LookUp($v0: String, $v1: String!) {a0: project(name: $v0) {id name description readBindings {id user {id \
         name email} group {id name}} writeBindings {id user {id name email} group {id name}}} a1: user(email: $v1) {id \
         name email}}"
    );
    assert_eq!(Value::from(request.variables), json!({"v0": "a", "v1": "x@y.test"}));
}

#[test]
fn each_look_up_is_answered_missed_or_failed_for_itself() {
    let all: Vec<LookUp> = ["there", "null", "missed", "forbidden", "broken", "partial"].map(project).into();
    let body = json!({
        "data": {
            "a0": {"id": "1", "name": "there", "description": null},
            "a1": null, "a2": null, "a3": null,
            "a4": {"name": "broken"},
            "a5": {"id": "5", "name": "partial", "readBindings": null},
        },
        "errors": [
            {"message": "could not find resource", "path": ["a2"]},
            {"message": "forbidden", "path": ["a3"]},
            {"message": "could not find resource", "path": ["a5", "readBindings", 0, "user"]},
        ],
    });
    let (answers, requests) = asked(&all, |_, _| reply(200, &body.to_string()));
    assert_eq!(requests, 1);
    assert_eq!(
        answers,
        Ok(vec![
            Answer::Found(json!({"id": "1", "name": "there", "description": null})),
            Answer::Absent,
            Answer::Absent,
            failed("forbidden"),
            failed("the answer cannot be used: project.id is missing, which the schema does not allow"),
            failed("could not find resource"),
        ])
    );
}

#[test]
fn an_error_without_a_path_makes_a_batch_unknown_and_it_is_asked_again_singly() {
    let all = ["a", "b", "c"].map(project);
    let script =
        |_: usize, body: &Value| match (body["variables"].as_object().map_or(0, Map::len), &body["variables"]["v0"]) {
            (1, name) if name == "b" => reply(200, r#"{"errors":[{"message":"Cannot query field \"x\""}]}"#),
            (1, name) => reply(200, &json!({"data": {"a0": {"id": "1", "name": name}}}).to_string()),
            _ => reply(200, r#"{"data":null,"errors":[{"message":"unknown error"}]}"#),
        };
    let (answers, requests) = asked(&all, script);
    assert_eq!(requests, 1 + 3);
    let found = |name: &str| Answer::Found(json!({"id": "1", "name": name}));
    assert_eq!(answers, Ok(vec![found("a"), failed("Cannot query field \"x\""), found("c")]));
}

#[test]
fn what_an_answer_leaves_out_is_not_absent() {
    for body in [r#"{"data":null}"#, "{}", r#"{"data":{}}"#, r#"{"data":{"a0":null},"errors":[{"message":"boom"}]}"#] {
        let (answers, _) = asked(&[project("a")], |_, _| reply(200, body));
        assert!(matches!(answers.as_deref(), Ok([Answer::Failed(_)])), "{body}: {answers:?}");
    }
}

#[test]
fn an_error_of_a_strange_form_names_nobody() {
    for errors in
        [r#"[{"message":"x","path":"a0"}]"#, r#"[{"message":7,"path":[0]}]"#, r#"{"message":"x"}"#, "[7]", "true"]
    {
        let body = format!(r#"{{"data":{{"a0":{{"id":"1","name":"a"}},"a1":null}},"errors":{errors}}}"#);
        let (answers, requests) = asked(&[project("a"), project("b")], |_, request| {
            let single = request["variables"].as_object().map_or(0, Map::len) == 1;
            reply(200, if single { r#"{"data":{"a0":null}}"# } else { &body })
        });
        // It may have been anybody's, so everybody is asked for again.
        assert_eq!((answers, requests), (Ok(vec![Answer::Absent, Answer::Absent]), 3), "{errors}");
    }
}

#[test]
fn data_beside_an_error_that_names_nobody_is_not_planned_from() {
    let body = r#"{"data":{"a0":{"id":"1","name":"a"}},"errors":[{"message":"unknown error"}]}"#;
    assert_eq!(asked(&[project("a")], |_, _| reply(200, body)), (Ok(vec![failed("unknown error")]), 1));
}

#[test]
fn refused_credentials_end_everything_and_say_where_the_token_came_from() {
    let all: Vec<LookUp> = (0..200).map(|number| project(&number.to_string())).collect();
    for (status, body) in [
        (401, r#"{"message":"invalid_token"}"#),
        (403, "<html>console-MARKER</html>"),
        (200, r#"{"data":{"a0":null},"errors":[{"message":"unauthenticated","path":["a0"]}]}"#),
    ] {
        let (answers, requests) = asked(&all, |_, _| reply(status, body));
        let error = answers.err().unwrap_or_else(|| Unavailable(String::new())).0;
        assert!(error.contains("refuses the credentials") && error.contains("a file"), "{error}");
        assert!(!error.contains("MARKER"), "{error}");
        assert_eq!(requests, 1, "no more requests are sent");
    }
}

#[test]
fn what_may_be_over_in_a_moment_is_asked_three_times() {
    let good = r#"{"data":{"a0":null}}"#;
    let cut = || Err(Fault { message: "the connection was closed".to_owned() });
    for first in [reply(500, "<html>"), reply(503, ""), reply(429, ""), cut(), reply(200, r#"{"data":{"a0":"#)] {
        let (answers, requests) =
            asked(&[project("a")], |number, _| if number < 1 { first.clone() } else { reply(200, good) });
        assert_eq!((answers, requests), (Ok(vec![Answer::Absent]), 2), "{first:?}");
    }
    let (answers, requests) = asked(&[project("a")], |_, _| reply(502, "<html>"));
    assert_eq!(requests, 3);
    let error = answers.err().unwrap_or_else(|| Unavailable(String::new())).0;
    assert_eq!(error, "nothing usable comes from the Console at https://c.test: HTTP 502 with an HTML page");
}

#[test]
fn a_pause_that_is_too_long_is_not_waited_for() {
    let wait = Ok(Reply { status: 429, retry_after: Some(Duration::from_secs(31)), body: Body::Whole(Vec::new()) });
    let begun = Instant::now();
    let (answers, requests) = asked(&[project("a")], |_, _| wait.clone());
    assert!(answers.is_err_and(|error| error.0.contains("no time is left")));
    assert!(requests == 1 && begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_redirect_and_a_page_are_not_asked_again() {
    for (status, body, reason) in [
        (302, "", "a redirect, which is not followed"),
        (200, "<html>log in</html>", "the answer is an HTML page"),
        (200, "[]", "the answer is no JSON object"),
        (200, "hello", "the answer is no JSON"),
        (404, "<html>", "HTTP 404 with an HTML page"),
        (400, r#"{"errors":[{"message":"bad query"}]}"#, "HTTP 400: bad query"),
    ] {
        let (answers, requests) = asked(&[project("a")], |_, _| reply(status, body));
        assert!(answers.is_err_and(|error| error.0.contains(reason)), "{reason}");
        assert_eq!(requests, 1);
    }
}

#[test]
fn an_answer_that_is_too_long_is_asked_for_in_parts() {
    let all = ["a", "b"].map(project);
    let script = |_: usize, body: &Value| match body["variables"].as_object().map_or(0, Map::len) {
        1 => reply(200, r#"{"data":{"a0":null}}"#),
        _ => Ok(Reply { status: 200, retry_after: None, body: Body::TooLong }),
    };
    assert_eq!(asked(&all, script), (Ok(vec![Answer::Absent, Answer::Absent]), 3));
}

#[test]
fn one_batch_that_fails_leaves_the_others() {
    let all: Vec<LookUp> = (0..BATCH + 1).map(|number| project(&number.to_string())).collect();
    let script = |_: usize, body: &Value| match body["variables"].as_object().map_or(0, Map::len) {
        1 => reply(200, r#"{"data":{"a0":null}}"#),
        _ => reply(404, ""),
    };
    let (answers, _) = asked(&all, script);
    let answers = answers.unwrap_or_default();
    assert_eq!(answers.len(), BATCH + 1);
    assert!(answers[..BATCH].iter().all(|answer| *answer == failed("HTTP 404")));
    assert_eq!(answers[BATCH], Answer::Absent);
}
