//! What was asked and answered, without secrets and tokens: for a bug report, and to be planned from again.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::exchange::{Body, Exchange, Fault, Reply, Request, answers};
use super::{Token, redacted};
use crate::object::masked_url;
use crate::plural::console::{Answer, LookUp, masked_with};
use crate::plural::kind::query;
use crate::reconcile::{Console, Unavailable};

/// The version of recordings.
const API_VERSION: &str = "kcc-backoff/v1alpha1";
/// What the document is.
const KIND: &str = "ConsoleRecording";

/// The document of what was asked and answered. `console` is what is shown of its address; `secrets` takes secrets out of
/// messages.
pub fn document(
    console: &str,
    token: Option<&Token>,
    exchanges: &[Exchange],
    secrets: &dyn Fn(&str) -> String,
) -> Value {
    let told = |exchange: &Exchange| told(exchange, &|text: &str| redacted(&secrets(text), token));
    let exchanges: Vec<Value> = exchanges.iter().map(told).collect();
    json!({
        "apiVersion": API_VERSION,
        "kind": KIND,
        "version": env!("CARGO_PKG_VERSION"),
        "console": console,
        "exchanges": exchanges,
    })
}

fn told(exchange: &Exchange, redacted: &dyn Fn(&str) -> String) -> Value {
    let look_ups: Vec<Value> = exchange
        .look_ups
        .iter()
        .map(|look_up| json!({"field": look_up.query.field, "value": masked_url(&look_up.value)}))
        .collect();
    let Request { query, variables } = &exchange.request;
    let variables: Map<String, Value> = variables
        .iter()
        .map(|(name, value)| (name.clone(), masked_url(value.as_str().unwrap_or_default()).into()))
        .collect();
    let mut told = json!({"lookUps": look_ups, "query": query, "variables": variables});
    match &exchange.reply {
        Err(fault) => told["fault"] = redacted(&fault.message).into(),
        Ok(reply) => {
            let (body, body_is) = body(&exchange.look_ups, &reply.body, redacted);
            told["reply"] = json!({
                "status": reply.status,
                "retryAfterSeconds": reply.retry_after.map(|pause| pause.as_secs()),
                "body": body,
                "bodyIs": body_is,
            });
        }
    }
    told
}

/// The body as far as its form is known, and what it is otherwise. What is not known is not kept: it may hold anything.
fn body(look_ups: &[LookUp], body: &Body, redacted: &dyn Fn(&str) -> String) -> (Value, String) {
    let bytes = match body {
        Body::TooLong => return (Value::Null, "longer than is read".to_owned()),
        Body::Whole(bytes) => bytes,
    };
    let sort = if bytes.trim_ascii_start().starts_with(b"<") { "a page" } else { "no JSON" };
    let Ok(Value::Object(object)) = serde_json::from_slice(bytes) else {
        return (Value::Null, format!("{sort} of {} bytes", bytes.len()));
    };
    let mut kept = Map::new();
    if let Some(data) = object.get("data") {
        kept.insert("data".to_owned(), data_without_secrets(look_ups, data, redacted));
    }
    if let Some(errors) = object.get("errors").and_then(Value::as_array) {
        let error = |error: &Value| {
            let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
            json!({"message": redacted(message), "path": error.get("path").cloned().unwrap_or(Value::Null)})
        };
        kept.insert("errors".to_owned(), errors.iter().map(error).collect());
    }
    if let Some(message) = object.get("message").and_then(Value::as_str) {
        kept.insert("message".to_owned(), redacted(message).into());
    }
    (kept.into(), "JSON".to_owned())
}

fn data_without_secrets(look_ups: &[LookUp], data: &Value, redacted: &dyn Fn(&str) -> String) -> Value {
    let Value::Object(data) = data else { return Value::Null };
    let answer = |(index, look_up): (usize, &LookUp)| {
        let alias = format!("a{index}");
        let value = masked_with(data.get(&alias)?, look_up.query.returned, redacted);
        Some((alias, value))
    };
    look_ups.iter().enumerate().filter_map(answer).collect::<Map<_, _>>().into()
}

/// A recording that is asked instead of the Console.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Replay {
    /// The Console that was asked.
    pub console: String,
    /// Why nothing at all could be asked then, if so.
    unavailable: Option<String>,
    answers: HashMap<(&'static str, String), Answer>,
    /// Identities that differ only in what is masked, and whose answers differ: nobody can tell which is whose.
    ambiguous: HashSet<(&'static str, String)>,
}

impl Replay {
    /// Reads a recording.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(bytes: &[u8]) -> Result<Replay, String> {
        let document: Value = serde_json::from_slice(bytes).map_err(|error| format!("is no JSON: {error}"))?;
        if document["kind"] != KIND || document["apiVersion"] != API_VERSION {
            return Err(format!("is no {KIND} of {API_VERSION}: --record writes one"));
        }
        let mut replay = Replay {
            console: document["console"].as_str().unwrap_or("an unnamed Console").to_owned(),
            answers: HashMap::new(),
            ambiguous: HashSet::new(),
            unavailable: None,
        };
        let exchanges = document["exchanges"].as_array().ok_or("has no list of exchanges")?;
        for (index, exchange) in exchanges.iter().enumerate() {
            replay.add(exchange).map_err(|error| format!("exchanges[{index}] {error}"))?;
        }
        let is_usable = |exchange: &Value| exchange["reply"]["status"] == 200 && exchange["reply"]["bodyIs"] == "JSON";
        let reasons = || {
            replay.answers.values().filter_map(|answer| match answer {
                Answer::Failed(reason) => Some(reason),
                _ => None,
            })
        };
        if !exchanges.iter().any(is_usable)
            && let Some(reason) = reasons().min()
        {
            replay.unavailable = Some(format!("nothing usable came from the Console at {}: {reason}", replay.console));
        }
        Ok(replay)
    }

    fn add(&mut self, exchange: &Value) -> Result<(), String> {
        let list = exchange["lookUps"].as_array().ok_or("has no list lookUps")?;
        let look_up = |item: &Value| {
            let (field, value) = (item["field"].as_str()?, item["value"].as_str()?);
            Some(LookUp::new(query(field)?, value))
        };
        let look_ups: Vec<LookUp> = list
            .iter()
            .map(look_up)
            .collect::<Option<_>>()
            .ok_or("looks up something that this version does not know")?;
        let reply = match exchange["fault"].as_str() {
            Some(fault) => Err(Fault { message: fault.to_owned() }),
            None => {
                let status = exchange["reply"]["status"].as_u64().and_then(|status| u16::try_from(status).ok());
                let retry_after = exchange["reply"]["retryAfterSeconds"].as_u64().map(Duration::from_secs);
                let body = match (&exchange["reply"]["body"], exchange["reply"]["bodyIs"].as_str()) {
                    (Value::Null, Some("longer than is read")) => Body::TooLong,
                    (Value::Null, Some(page)) if page.starts_with("a page") => Body::Whole(b"<".to_vec()),
                    (Value::Null, _) => Body::Whole(Vec::new()),
                    (body, _) => Body::Whole(body.to_string().into_bytes()),
                };
                Ok(Reply { status: status.ok_or("has neither a fault nor a status")?, retry_after, body })
            }
        };
        for (look_up, answer) in look_ups.iter().zip(answers(&look_ups, &reply)) {
            let Some(answer) = answer else { continue };
            let key = (look_up.query.field, masked_url(&look_up.value).into_owned());
            let differs = |other: &Answer| !matches!(other, Answer::Failed(_)) && *other != answer;
            if !matches!(answer, Answer::Failed(_)) && self.answers.get(&key).is_some_and(differs) {
                self.ambiguous.insert(key.clone());
            }
            // What was answered at last counts, and no failure instead of an answer.
            if !matches!(answer, Answer::Failed(_)) || !self.answers.contains_key(&key) {
                self.answers.insert(key, answer);
            }
        }
        Ok(())
    }
}

impl Console for Replay {
    fn look_up(&self, look_ups: &[LookUp]) -> Result<Vec<Answer>, Unavailable> {
        if let Some(reason) = &self.unavailable {
            return Err(Unavailable(reason.clone()));
        }
        let answer = |look_up: &LookUp| {
            let key = (look_up.query.field, masked_url(&look_up.value).into_owned());
            if self.ambiguous.contains(&key) {
                return Answer::Failed(format!(
                    "the recording holds several answers for {look_up}, whose login is masked"
                ));
            }
            let known = self.answers.get(&key).cloned();
            known.unwrap_or_else(|| Answer::Failed(format!("the recording does not hold {look_up}")))
        };
        Ok(look_ups.iter().map(answer).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sink(name: &str) -> LookUp {
        LookUp::new(query("notificationSink").unwrap_or(&crate::plural::console::GROUP), name)
    }

    fn exchange(look_ups: &[LookUp], reply: Result<Reply, Fault>) -> Exchange {
        let request = Request::of(&look_ups.iter().collect::<Vec<_>>());
        Exchange { look_ups: look_ups.to_vec(), request, reply }
    }

    fn whole(status: u16, body: &str) -> Result<Reply, Fault> {
        Ok(Reply { status, retry_after: None, body: Body::Whole(body.as_bytes().to_vec()) })
    }

    #[test]
    fn a_recording_holds_no_secret_and_is_replayed() {
        let repository =
            LookUp::new(query("gitRepository").unwrap_or(&crate::plural::console::GROUP), "https://u:MARKER@h.test/a");
        let context = LookUp::new(query("serviceContext").unwrap_or(&crate::plural::console::GROUP), "ctx");
        let all = [sink("a"), repository.clone(), context.clone(), sink("gone"), sink("denied")];
        let body = json!({
            "data": {
                "a0": {"id": "1", "name": "a", "type": "SLACK", "configuration": {"slack": {"url": "https://hooks.test/MARKER"}}},
                "a1": {"id": "2", "url": "https://u:MARKER@h.test/a", "error": "clone of https://u:MARKER@h.test/a failed"},
                "a2": {"id": "3", "name": "ctx", "configuration": {"key": "MARKER", "list": ["MARKER", 7]}},
                "a3": null, "a4": null,
                "a9": "MARKER",
            },
            "errors": [{"message": "bad token console-MARKER", "path": ["a4"], "extensions": {"x": "MARKER"}}],
            "extensions": "MARKER",
        });
        let page = exchange(&[sink("page")], whole(200, "<html>MARKER</html>"));
        let fault =
            exchange(&[sink("cut")], Err(Fault { message: "closed by https://u:MARKER@proxy.test".to_owned() }));
        let token = Token::new("console-MARKER").ok();
        let exchanges = [exchange(&all, whole(200, &body.to_string())), page, fault];
        let document = document("https://c.test", token.as_ref(), &exchanges, &str::to_owned);
        let text = document.to_string();
        assert!(!text.contains("MARKER"), "{document:#}");
        let replay = Replay::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(replay.console, "https://c.test");
        let asked = [sink("a"), repository, context, sink("gone"), sink("denied"), sink("page"), sink("other")];
        let answers = replay.look_up(&asked).unwrap_or_default();
        let url = json!({"slack": {"url": "***"}});
        assert!(matches!(&answers[0], Answer::Found(value) if value["configuration"] == url), "{answers:?}");
        assert!(matches!(&answers[1], Answer::Found(value) if value["id"] == "2"), "{answers:?}");
        let masked = json!({"key": "***", "list": ["***", "***"]});
        assert!(matches!(&answers[2], Answer::Found(value) if value["configuration"] == masked), "{answers:?}");
        assert_eq!(answers[3], Answer::Absent);
        assert_eq!(answers[4], Answer::Failed("bad token ***".to_owned()));
        assert!(matches!(&answers[5], Answer::Failed(reason) if reason.contains("HTML page")), "{answers:?}");
        assert_eq!(answers[6], Answer::Failed("the recording does not hold notificationSink \"other\"".to_owned()));
    }

    #[test]
    fn what_is_no_recording_is_refused() {
        for (text, why) in [
            ("", "is no JSON"),
            ("{}", "is no ConsoleRecording"),
            (r#"{"apiVersion":"kcc-backoff/v1alpha1","kind":"ConsoleRecording"}"#, "no list of exchanges"),
            (
                r#"{"apiVersion":"kcc-backoff/v1alpha1","kind":"ConsoleRecording","exchanges":[{"lookUps":[{"field":"x","value":"y"}]}]}"#,
                "exchanges[0] looks up something",
            ),
        ] {
            let error = Replay::read(text.as_bytes()).err().unwrap_or_default();
            assert!(error.contains(why), "{error}");
        }
    }
}
