//! Look-ups in requests and answers: many in one, each answered, missed or failed for itself.

mod client;
mod reply;
#[cfg(test)]
mod tests;

use std::time::Duration;

use serde_json::{Map, Value, json};

pub use client::Client;
pub(super) use reply::answers;

use crate::plural::console::{LookUp, selection};

/// How many look-ups one request holds at most: a thousand objects cost tens of requests, and no answer becomes huge.
pub const BATCH: usize = 40;

/// A request to send: a document and its variables.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The document.
    pub query: String,
    /// Its variables: those that are used.
    pub variables: Map<String, Value>,
}

impl Request {
    /// Look-ups under the aliases `a0`, `a1` …, with the variables `v0`, `v1` …
    pub fn of(look_ups: &[&LookUp]) -> Request {
        let numbered = || look_ups.iter().enumerate();
        let declared: Vec<String> =
            numbered().map(|(index, look_up)| format!("$v{index}: {}", look_up.query.argument_type)).collect();
        let fields: Vec<String> = numbered()
            .map(|(index, look_up)| {
                let query = look_up.query;
                format!("a{index}: {}({}: $v{index}) {}", query.field, query.argument, selection(query.returned))
            })
            .collect();
        Request {
            query: format!("query LookUp({}) {{{}}}", declared.join(", "), fields.join(" ")),
            variables: numbered()
                .map(|(index, look_up)| (format!("v{index}"), look_up.value.as_str().into()))
                .collect(),
        }
    }

    /// The body of the request (pluralsh/console, go/client: `query`, `variables`, `operationName`).
    pub fn body(&self) -> Vec<u8> {
        let body = json!({"operationName": "LookUp", "query": self.query, "variables": self.variables});
        body.to_string().into_bytes()
    }
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// What `Retry-After` says.
    pub retry_after: Option<Duration>,
    /// The body.
    pub body: Body,
}

/// The body of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// All of it.
    Whole(Vec<u8>),
    /// Longer than what is read.
    TooLong,
}

/// Why nothing came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The cause, without a word of what was sent.
    pub message: String,
}

/// Whoever carries requests.
pub trait Transport: Sync {
    /// Sends a body and waits for what comes back.
    ///
    /// # Errors
    /// When nothing whole came back.
    fn send(&self, body: &[u8]) -> Result<Reply, Fault>;
}

/// Something that happens on the way, for those who want to watch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A request has been answered, or not.
    Asked {
        /// Which request, from 1.
        number: usize,
        /// How many look-ups it holds.
        look_ups: usize,
        /// What came of it.
        outcome: String,
        /// How long it took.
        took: Duration,
    },
    /// A request is sent again after a pause.
    Again {
        /// Which one.
        number: usize,
        /// Why.
        reason: String,
        /// The pause.
        pause: Duration,
    },
}

/// A request and what came of it, without secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct Exchange {
    /// What was looked up.
    pub look_ups: Vec<LookUp>,
    /// The request.
    pub request: Request,
    /// What came back.
    pub reply: Result<Reply, Fault>,
}

/// How requests are sent.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How many are in flight at once, at most.
    pub concurrency: usize,
    /// How long all of them may take together, pauses included.
    pub budget: Duration,
}

/// Whoever is told of what happens on the way.
pub type Watch = Box<dyn Fn(&Event) + Send + Sync>;
