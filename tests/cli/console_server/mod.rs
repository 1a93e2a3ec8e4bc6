//! The test Console: real HTTP on loopback, the Console's schema, its state, and its ways of failing (console.md section 1).

#![allow(dead_code, reason = "it knows more faults than one set of tests asks for")]

mod execute;
mod http;

use std::collections::{HashMap, HashSet};
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

/// The only token that is accepted; tests look for it in everything that is printed.
pub const TOKEN: &str = "console-MARKER-0123456789abcdef";

/// What goes wrong with a request.
#[derive(Debug, Clone)]
pub enum Fault {
    /// The answer comes later.
    Latency(Duration),
    /// An answer with this status, body and `Retry-After`, before anything is executed.
    Status(u16, String, Option<String>),
    /// It is executed, and then answered with this status.
    StatusAfter(u16),
    /// The connection is closed before it is executed.
    Cut,
    /// It is executed, and the connection closed.
    CutAfter,
    /// The body ends before its length.
    Truncated,
    /// The answer is valid, with so many bytes more.
    Oversized(usize),
    /// A page.
    Html(u16),
    /// The first alias fails, the others have data.
    ErrorsBeside,
    /// An error that names nobody, and no data.
    Pathless,
    /// `{"data": null}`.
    NullData,
    /// `{}`.
    Empty,
    /// What a Console with another schema says.
    Schema,
    /// This field of every answer has a value that nobody knows.
    UnknownValue(&'static str),
    /// This field of every answer is null.
    Null(&'static str),
    /// A redirect to this address.
    Redirect(String),
    /// Half the body, then a pause, then the rest.
    SlowBody(Duration),
    /// An answer that is not JSON, though it begins like it.
    Garbled,
}

/// A request that came.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub headers: HashMap<String, String>,
    pub body: String,
    pub json: Value,
    /// What the schema says against it.
    pub invalid: Vec<String>,
    /// How many root fields it has.
    pub fields: usize,
    pub status: u16,
}

#[derive(Default)]
struct State {
    /// By root field and identity.
    there: HashMap<(String, String), Value>,
    errors: HashMap<(String, String), String>,
    always: Option<Fault>,
    next: Vec<Fault>,
    on: Vec<(String, String, Fault)>,
    requests: Vec<Request>,
    ids: usize,
}

struct Shared {
    state: Mutex<State>,
    stop: AtomicBool,
    in_flight: AtomicUsize,
    most: AtomicUsize,
    token: &'static str,
}

/// A Console for one test. It ends when it is dropped.
pub struct TestConsole {
    shared: Arc<Shared>,
    address: SocketAddr,
}

/// By what a root field finds what is stored.
fn identity(field: &str) -> &'static str {
    match field {
        "gitRepository" => "url",
        "user" => "email",
        "cluster" => "handle",
        _ => "name",
    }
}

impl TestConsole {
    pub fn start() -> TestConsole {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            state: Mutex::default(),
            stop: AtomicBool::new(false),
            in_flight: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            token: TOKEN,
        });
        let server = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if server.stop.load(Ordering::SeqCst) {
                    break;
                }
                let Ok(stream) = stream else { continue };
                let shared = Arc::clone(&server);
                std::thread::spawn(move || http::serve(&stream, &shared));
            }
        });
        TestConsole { shared, address }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.shared.state.lock().unwrap()
    }

    /// Stores what a look-up of `field` returns, and tells its id.
    pub fn put(&self, field: &str, mut value: Value) -> String {
        let mut state = self.state();
        if value["id"].is_null() {
            state.ids += 1;
            value["id"] = format!("id-{}", state.ids).into();
        }
        let id = value["id"].as_str().unwrap().to_owned();
        let key = value[identity(field)].as_str().unwrap().to_owned();
        state.there.insert((field.to_owned(), key), value);
        id
    }

    /// Lets a look-up fail with a message that has its path.
    pub fn fail(&self, field: &str, identity: &str, message: &str) {
        self.state().errors.insert((field.to_owned(), identity.to_owned()), message.to_owned());
    }

    /// What goes wrong with every request.
    pub fn fault(&self, fault: Fault) {
        self.state().always = Some(fault);
    }

    /// What goes wrong with the next requests, in this order.
    pub fn fault_next(&self, faults: impl IntoIterator<Item = Fault>) {
        self.state().next.extend(faults);
    }

    /// What goes wrong with requests that look this up.
    pub fn fault_on(&self, field: &str, identity: &str, fault: Fault) {
        self.state().on.push((field.to_owned(), identity.to_owned(), fault));
    }

    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// The most requests that were being answered at once.
    pub fn most_in_flight(&self) -> usize {
        self.shared.most.load(Ordering::SeqCst)
    }

    /// Every request was one that the schema allows.
    pub fn assert_valid(&self) {
        for request in self.requests() {
            assert!(request.invalid.is_empty(), "{:#?}\n{}", request.invalid, request.body);
        }
    }
}

impl Drop for TestConsole {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        // Wakes the one that waits for a connection.
        let _ = std::net::TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

/// The values that a request looks up, whichever alias and variable hold them.
fn looked_up(json: &Value) -> HashSet<String> {
    let variables = json["variables"].as_object().into_iter().flatten();
    variables.filter_map(|(_, value)| value.as_str().map(str::to_owned)).collect()
}
