use std::time::Duration;

use serde_json::Value;

use super::{Body, Fault, Reply};
use crate::console::{Token, redacted};
use crate::plural::console::{Answer, LookUp, check};

/// The message of a miss (pluralsh/console, lib/console/graphql/middleware/error_handler.ex).
const NOT_FOUND: &str = "could not find resource";
/// The message of a request without a login (the same file).
const UNAUTHENTICATED: &str = "unauthenticated";

/// What a reply means.
pub(super) enum Read {
    /// An answer for each look-up; `None` for those that it leaves open, and why.
    Answered(Vec<Option<Answer>>, String),
    /// Too long for so many look-ups.
    Unread(String),
    /// To be asked again, after this pause if one is named.
    Again(String, Option<Duration>),
    /// Not to be asked again.
    Failed(String),
    /// The credentials are refused.
    Refused(String),
}

/// An error of GraphQL. What is no text or no list where one should be is as good as none: it hides nothing else.
struct GraphError {
    message: String,
    path: Vec<Value>,
}

impl GraphError {
    fn of(error: &Value) -> GraphError {
        let message = error.get("message").and_then(Value::as_str).unwrap_or("an error without a message");
        let path = error.get("path").and_then(Value::as_array).cloned().unwrap_or_default();
        GraphError { message: message.to_owned(), path }
    }
}

/// Reads what came back for a batch.
pub(super) fn read(batch: &[&LookUp], reply: &Reply, token: Option<&Token>) -> Read {
    let Body::Whole(body) = &reply.body else {
        let reason = "the answer is longer than is read".to_owned();
        return if batch.len() > 1 { Read::Unread(reason) } else { Read::Failed(reason) };
    };
    let told = || redacted(&format!("HTTP {}{}", reply.status, with_what(body)), token);
    match reply.status {
        200 => {}
        401 | 403 => return Read::Refused(told()),
        429 => return Read::Again("HTTP 429, too many requests".to_owned(), reply.retry_after),
        300..=399 => return Read::Failed(format!("HTTP {}, a redirect, which is not followed", reply.status)),
        500..=599 => return Read::Again(told(), reply.retry_after),
        _ => return Read::Failed(told()),
    }
    let envelope: Value = match serde_json::from_slice(body) {
        Ok(envelope) => envelope,
        Err(_) if body.trim_ascii_start().starts_with(b"{") => {
            return Read::Again("the answer is no JSON".to_owned(), None);
        }
        Err(_) if is_page(body) => return Read::Failed("the answer is an HTML page".to_owned()),
        Err(_) => return Read::Failed("the answer is no JSON".to_owned()),
    };
    if !envelope.is_object() {
        return Read::Failed("the answer is no JSON object".to_owned());
    }
    let errors: Vec<GraphError> = match &envelope["errors"] {
        Value::Null => Vec::new(),
        Value::Array(errors) => errors.iter().map(GraphError::of).collect(),
        other => vec![GraphError::of(other)],
    };
    if errors.iter().any(|error| error.message == UNAUTHENTICATED) {
        return Read::Refused(UNAUTHENTICATED.to_owned());
    }
    let aliases: Vec<String> = (0..batch.len()).map(|index| format!("a{index}")).collect();
    let alias_of = |error: &GraphError| {
        let first = error.path.first()?.as_str()?;
        aliases.iter().position(|alias| alias == first)
    };
    let pathless = errors.iter().find(|error| alias_of(error).is_none());
    let data = envelope["data"].as_object();
    let answer = |(index, look_up): (usize, &&LookUp)| {
        if let Some(error) = errors.iter().find(|error| alias_of(error) == Some(index)) {
            let message = redacted(&error.message, token);
            // One deeper down is a miss of something inside.
            let is_whole = error.path.len() == 1;
            let is_null = data.and_then(|data| data.get(&aliases[index])).is_none_or(Value::is_null);
            let is_miss = error.message == NOT_FOUND && is_whole && is_null;
            return Some(if is_miss { Answer::Absent } else { Answer::Failed(message) });
        }
        match data?.get(&aliases[index])? {
            // An error that names nobody may have been this one's.
            _ if pathless.is_some() => None,
            Value::Null => Some(Answer::Absent),
            value => Some(match check(value, look_up.query.returned, look_up.query.field) {
                Ok(()) => Answer::Found(value.clone()),
                Err(fault) => Answer::Failed(redacted(&format!("the answer cannot be used: {fault}"), token)),
            }),
        }
    };
    let answers: Vec<Option<Answer>> = batch.iter().enumerate().map(answer).collect();
    let why = match pathless {
        Some(error) => redacted(&error.message, token),
        None => "the answer holds nothing for it".to_owned(),
    };
    Read::Answered(answers, why)
}

fn is_page(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
}

/// What comes with a status, in a clause: the content is a stranger's and may be anything.
fn with_what(body: &[u8]) -> String {
    let body = body.trim_ascii();
    if body.is_empty() {
        return String::new();
    }
    if is_page(body) {
        return " with an HTML page".to_owned();
    }
    // `{"message": "invalid_token"}`, or an error of GraphQL.
    let message = serde_json::from_slice::<Value>(body).ok().and_then(|value| {
        let first = value.get("errors").and_then(|errors| errors.get(0)).unwrap_or(&value);
        first.get("message").and_then(Value::as_str).map(str::to_owned)
    });
    message.map_or_else(|| " without a message that is understood".to_owned(), |message| format!(": {message}"))
}

/// The answers that a reply holds, as far as it does: what a recording is replayed by.
pub(in crate::console) fn answers(look_ups: &[LookUp], reply: &Result<Reply, Fault>) -> Vec<Option<Answer>> {
    let batch: Vec<&LookUp> = look_ups.iter().collect();
    let reply = match reply {
        Ok(reply) => reply,
        Err(fault) => return vec![Some(Answer::Failed(fault.message.clone())); batch.len()],
    };
    match read(&batch, reply, None) {
        Read::Answered(answers, why) if batch.len() == 1 => {
            answers.into_iter().map(|answer| answer.or_else(|| Some(Answer::Failed(why.clone())))).collect()
        }
        Read::Answered(answers, _) => answers,
        Read::Unread(_) => vec![None; batch.len()],
        Read::Again(reason, _) | Read::Failed(reason) | Read::Refused(reason) => {
            vec![Some(Answer::Failed(reason)); batch.len()]
        }
    }
}
