//! Look-ups in requests and answers: many in one, each answered, missed or failed for itself.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};

use super::{Token, redacted};
use crate::plural::console::{Answer, LookUp, check, selection};
use crate::reconcile::{Console, Unavailable};

/// How many look-ups one request holds at most: a thousand objects cost tens of requests, and no answer becomes huge.
pub const BATCH: usize = 40;

/// The message of a miss (pluralsh/console, lib/console/graphql/middleware/error_handler.ex).
const NOT_FOUND: &str = "could not find resource";
/// The message of a request without a login (the same file).
const UNAUTHENTICATED: &str = "unauthenticated";

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

/// A Console that is asked over a transport.
pub struct Client<T> {
    transport: T,
    limits: Limits,
    /// What errors call it.
    shown: String,
    /// Where the token comes from.
    source: &'static str,
    token: Option<Token>,
    watch: Watch,
    exchanges: Mutex<Vec<(usize, Exchange)>>,
    keeps: bool,
    /// Whether anything usable has come back.
    reached: AtomicBool,
}

/// Pauses before a request is sent again. Look-ups change nothing, so that sending one twice does no harm.
const PAUSES: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(1)];
/// The longest pause that a `Retry-After` is obeyed for.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What came of a batch.
enum Outcome {
    /// An answer for each look-up; `None` for those that have to be asked again singly, and why.
    Answered(Vec<Option<Answer>>, String),
    /// What came back could not be read: all of it has to be asked again singly.
    Unread(String),
    /// It was not sent, as nothing came of another request.
    Stopped,
    /// Nothing usable: all of it failed for this reason.
    Failed(String),
    /// Nothing came back at all, for this reason.
    Silent(String),
    /// The credentials are refused.
    Refused(String),
}

impl<T: Transport> Client<T> {
    /// A client; `keeps` says whether exchanges are kept for a recording.
    pub fn new(
        transport: T,
        limits: Limits,
        (shown, source): (&str, &'static str),
        token: Option<Token>,
        keeps: bool,
        watch: Watch,
    ) -> Client<T> {
        let exchanges = Mutex::new(Vec::new());
        Client {
            transport,
            limits,
            shown: shown.to_owned(),
            source,
            token,
            watch,
            exchanges,
            keeps,
            reached: AtomicBool::new(false),
        }
    }

    /// What was asked and answered so far, in the order of the requests.
    pub fn exchanges(&self) -> Vec<Exchange> {
        let mut all = self.exchanges.lock().map(|all| all.clone()).unwrap_or_default();
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, exchange)| exchange).collect()
    }

    /// One request, as often as it takes.
    fn ask(&self, batch: &[&LookUp], number: usize, end: Instant, stop: &AtomicBool) -> Outcome {
        let request = Request::of(batch);
        let body = request.body();
        let mut pauses = PAUSES.into_iter();
        loop {
            if stop.load(Ordering::Relaxed) {
                return Outcome::Stopped;
            }
            let begun = Instant::now();
            let reply = self.transport.send(&body);
            self.keep(number, batch, &request, &reply);
            let read = self.read(batch, &reply);
            let outcome = match &read {
                Read::Answered(..) => "answered".to_owned(),
                Read::Again(reason, _) | Read::Unread(reason) | Read::Failed(reason) | Read::Refused(reason) => {
                    reason.clone()
                }
            };
            (self.watch)(&Event::Asked { number, look_ups: batch.len(), outcome, took: begun.elapsed() });
            if matches!(read, Read::Answered(..)) {
                self.reached.store(true, Ordering::Relaxed);
            }
            match read {
                Read::Answered(answers, why) => return Outcome::Answered(answers, why),
                Read::Unread(reason) => return Outcome::Unread(reason),
                Read::Failed(reason) => return Outcome::Failed(reason),
                Read::Refused(reason) => return Outcome::Refused(reason),
                Read::Again(reason, wanted) => {
                    let Some(pause) = pauses.next() else { return self.given_up(batch, &reply, reason) };
                    let pause = wanted.unwrap_or(pause);
                    if pause > LONGEST_PAUSE || Instant::now() + pause > end {
                        return Outcome::Failed(format!("{reason}, and no time is left to ask again"));
                    }
                    (self.watch)(&Event::Again { number, reason, pause });
                    std::thread::sleep(pause);
                }
            }
        }
    }

    /// What becomes of a batch after the last attempt: what came back damaged may be damaged by one of it.
    fn given_up(&self, batch: &[&LookUp], reply: &Result<Reply, Fault>, reason: String) -> Outcome {
        match reply {
            Ok(reply) if reply.status == 200 && batch.len() > 1 => Outcome::Unread(reason),
            Ok(_) => Outcome::Failed(reason),
            Err(_) => Outcome::Silent(reason),
        }
    }

    fn keep(&self, number: usize, batch: &[&LookUp], request: &Request, reply: &Result<Reply, Fault>) {
        if !self.keeps {
            return;
        }
        let look_ups = batch.iter().map(|look_up| (*look_up).clone()).collect();
        let exchange = Exchange { look_ups, request: request.clone(), reply: reply.clone() };
        if let Ok(mut all) = self.exchanges.lock() {
            all.push((number, exchange));
        }
    }

    fn read(&self, batch: &[&LookUp], reply: &Result<Reply, Fault>) -> Read {
        let token = self.token.as_ref();
        let reply = match reply {
            Ok(reply) => reply,
            Err(fault) => return Read::Again(redacted(&fault.message, token), None),
        };
        read(batch, reply, token)
    }

    /// Asks batches, a few at a time. The answers come in the order of the batches.
    fn ask_all(
        &self,
        batches: Vec<Vec<usize>>,
        look_ups: &[LookUp],
        before: usize,
        end: Instant,
    ) -> Result<Vec<(Vec<usize>, Outcome)>, Unavailable> {
        let stop = AtomicBool::new(false);
        let threads = self.limits.concurrency.clamp(1, batches.len().max(1));
        let queue = Mutex::new(batches.into_iter().enumerate().collect::<VecDeque<_>>());
        let done: Mutex<Vec<(usize, Vec<usize>, Outcome)>> = Mutex::new(Vec::new());
        let work = || {
            while let Some((place, batch)) = queue.lock().ok().and_then(|mut queue| queue.pop_front()) {
                let asked: Vec<&LookUp> = batch.iter().map(|index| &look_ups[*index]).collect();
                let outcome = if Instant::now() > end {
                    Outcome::Failed("no time was left to ask".to_owned())
                } else {
                    self.ask(&asked, before + place + 1, end, &stop)
                };
                // Where nobody has answered yet, and one request got nothing three times, the others would get nothing, too.
                match outcome {
                    Outcome::Refused(_) => stop.store(true, Ordering::Relaxed),
                    Outcome::Silent(_) if !self.reached.load(Ordering::Relaxed) => stop.store(true, Ordering::Relaxed),
                    _ => {}
                }
                if let Ok(mut done) = done.lock() {
                    done.push((place, batch, outcome));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(place, ..)| *place);
        if let Some(reason) = done.iter().find_map(|(_, _, outcome)| match outcome {
            Outcome::Refused(reason) => Some(reason),
            _ => None,
        }) {
            return Err(Unavailable(format!(
                "the Console at {} refuses the credentials ({reason}): the token comes from {}",
                self.shown, self.source
            )));
        }
        Ok(done.into_iter().map(|(_, batch, outcome)| (batch, outcome)).collect())
    }
}

impl<T: Transport> Console for Client<T> {
    fn look_up(&self, look_ups: &[LookUp]) -> Result<Vec<Answer>, Unavailable> {
        let end = Instant::now() + self.limits.budget;
        let indices: Vec<usize> = (0..look_ups.len()).collect();
        let batches: Vec<Vec<usize>> = indices.chunks(BATCH).map(<[usize]>::to_vec).collect();
        let mut answers: Vec<Option<Answer>> = vec![None; look_ups.len()];
        let mut again: Vec<Vec<usize>> = Vec::new();
        let mut reached = false;
        let mut cause = String::new();
        let mut settle = |asked: Vec<(Vec<usize>, Outcome)>, again: &mut Vec<Vec<usize>>, singly: bool| {
            for (batch, outcome) in asked {
                match outcome {
                    Outcome::Answered(found, why) => {
                        reached = true;
                        let alone = batch.len() == 1;
                        for (index, answer) in batch.into_iter().zip(found) {
                            match answer {
                                None if !singly && !alone => again.push(vec![index]),
                                None => answers[index] = Some(Answer::Failed(why.clone())),
                                answer => answers[index] = answer,
                            }
                        }
                    }
                    Outcome::Unread(reason) => {
                        again.extend(batch.into_iter().map(|index| vec![index]));
                        if cause.is_empty() {
                            cause = reason;
                        }
                    }
                    Outcome::Stopped => {
                        for index in batch {
                            answers[index] = Some(Answer::Failed("nothing came of another request".to_owned()));
                        }
                    }
                    Outcome::Failed(reason) | Outcome::Silent(reason) | Outcome::Refused(reason) => {
                        for index in batch {
                            answers[index] = Some(Answer::Failed(reason.clone()));
                        }
                        // The first says more than that nothing more was sent.
                        if cause.is_empty() {
                            cause = reason;
                        }
                    }
                }
            }
        };
        let first = batches.len();
        settle(self.ask_all(batches, look_ups, 0, end)?, &mut again, false);
        let singles = std::mem::take(&mut again);
        settle(self.ask_all(singles, look_ups, first, end)?, &mut again, true);
        if !reached && !look_ups.is_empty() {
            return Err(Unavailable(format!("cannot reach the Console at {}: {cause}", self.shown)));
        }
        let answered =
            |answer: Option<Answer>| answer.unwrap_or_else(|| Answer::Failed("it was not asked for".to_owned()));
        Ok(answers.into_iter().map(answered).collect())
    }
}

/// What a reply means.
enum Read {
    /// See [`Outcome::Answered`].
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

fn read(batch: &[&LookUp], reply: &Reply, token: Option<&Token>) -> Read {
    let Body::Whole(body) = &reply.body else {
        let reason = "the answer is longer than is read".to_owned();
        return if batch.len() > 1 { Read::Unread(reason) } else { Read::Failed(reason) };
    };
    let told = || redacted(&format!("HTTP {}{}", reply.status, of_what(body)), token);
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
        Err(_) => return Read::Failed(format!("the answer is no JSON{}", of_what(body))),
    };
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

/// What a body is, in a clause: its content is a stranger's and may be anything.
fn of_what(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let trimmed = text.trim_start();
    if trimmed.is_empty() {
        return String::new();
    }
    if trimmed.starts_with('<') {
        return " with an HTML page".to_owned();
    }
    // `{"message": "invalid_token"}`, or an error of GraphQL.
    let message = serde_json::from_str::<Value>(trimmed).ok().and_then(|value| {
        let first = value.get("errors").and_then(|errors| errors.get(0)).unwrap_or(&value);
        first.get("message").and_then(Value::as_str).map(str::to_owned)
    });
    message.map_or_else(|| " with a body that is no JSON".to_owned(), |message| format!(": {message}"))
}

/// The answers that a reply holds, as far as it does: what a recording is replayed by.
pub(super) fn answers(look_ups: &[LookUp], reply: &Result<Reply, Fault>) -> Vec<Option<Answer>> {
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::plural::console::{GROUP, USER};
    use crate::plural::kind::managed;

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
        (answers, client.transport.1.load(Ordering::SeqCst))
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
        let script = |_: usize, body: &Value| match (
            body["variables"].as_object().map_or(0, Map::len),
            &body["variables"]["v0"],
        ) {
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
        for body in
            [r#"{"data":null}"#, "{}", r#"{"data":{}}"#, r#"{"data":{"a0":null},"errors":[{"message":"boom"}]}"#]
        {
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
        assert_eq!(error, "cannot reach the Console at https://c.test: HTTP 502 with an HTML page");
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
            (200, "<html>log in</html>", "no JSON with an HTML page"),
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
}
