//! HTTP/1.1 by hand: what breaks off in the middle cannot be had from a library.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Fault, Request, Shared, execute, looked_up};

/// Answers the requests of a connection.
pub fn serve(stream: &TcpStream, shared: &Shared) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream);
    while let Some(request) = read(&mut reader) {
        let now = shared.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        shared.most.fetch_max(now, Ordering::SeqCst);
        let goes_on = answer(stream, shared, request);
        shared.in_flight.fetch_sub(1, Ordering::SeqCst);
        if !goes_on {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}

fn read(reader: &mut BufReader<&TcpStream>) -> Option<Request> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let mut words = line.split_whitespace();
    let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8(body).ok()?;
    let json = serde_json::from_str(&body).unwrap_or(Value::Null);
    Some(Request { method, path, headers, body, json, invalid: Vec::new(), fields: 0, status: 0 })
}

/// Answers one request, and says whether the connection goes on.
fn answer(stream: &TcpStream, shared: &Shared, mut request: Request) -> bool {
    let wants_close = request.headers.get("connection").is_some_and(|value| value == "close");
    let fault = fault(shared, &request);
    if let Some(Fault::Latency(pause)) = &fault {
        std::thread::sleep(*pause);
    }
    let token = format!("Token {}", shared.token);
    let plain = if request.path != "/gql" {
        Some((404, "<html>not here</html>".to_owned()))
    } else if request.method != "POST" {
        Some((405, String::new()))
    } else if request.headers.get("authorization") != Some(&token) {
        Some((401, json!({"message": "unauthenticated"}).to_string()))
    } else {
        None
    };
    if let Some((status, body)) = plain {
        keep(shared, request, status);
        return write(stream, status, "", &body, body.len()) && !wants_close;
    }
    let before = match &fault {
        Some(Fault::Status(status, body, retry_after)) => {
            let header = retry_after.as_ref().map_or(String::new(), |pause| format!("Retry-After: {pause}\r\n"));
            Some((*status, header, body.clone()))
        }
        Some(Fault::Html(status)) => Some((*status, String::new(), "<!DOCTYPE html><p>sorry".to_owned())),
        Some(Fault::Redirect(to)) => Some((302, format!("Location: {to}\r\n"), String::new())),
        Some(Fault::Cut) => {
            keep(shared, request, 0);
            return false;
        }
        _ => None,
    };
    let checked = execute::check(&request.json);
    if let Err(errors) = &checked {
        request.invalid = errors.clone();
    }
    request.fields = checked.as_ref().map_or(0, execute::Checked::fields);
    if let Some((status, header, body)) = before {
        keep(shared, request, status);
        return write(stream, status, &header, &body, body.len()) && !wants_close;
    }
    let mut body = match &checked {
        Ok(checked) => shared.state.lock().map(|mut state| execute::run(checked, &mut state)).unwrap(),
        Err(errors) => {
            let told: Vec<Value> =
                errors.iter().map(|error| json!({"message": error, "locations": [{"line": 1, "column": 1}]})).collect();
            json!({"errors": told})
        }
    };
    let unknown = json!({"message": "unknown error"});
    match &fault {
        Some(Fault::CutAfter) => {
            keep(shared, request, 0);
            return false;
        }
        Some(Fault::StatusAfter(status)) => {
            keep(shared, request, *status);
            return write(stream, *status, "", "", 0) && !wants_close;
        }
        Some(Fault::NullData) => body = json!({"data": null}),
        Some(Fault::Empty) => body = json!({}),
        Some(Fault::Pathless) => body = json!({"data": null, "errors": [unknown]}),
        Some(Fault::Schema) => {
            let message = "Cannot query field \"x\" on type \"Y\".";
            body = json!({"errors": [{"message": message, "locations": [{"line": 1, "column": 1}]}]});
        }
        Some(Fault::ErrorsBeside) => {
            let alias = body["data"].as_object().and_then(|data| data.keys().next().cloned()).unwrap_or_default();
            body["data"][&alias] = Value::Null;
            body["errors"] = json!([{"message": "unknown error", "path": [alias]}]);
        }
        Some(Fault::UnknownValue(field)) => replace(&mut body["data"], field, &json!("SOMETHING_NEW")),
        Some(Fault::Null(field)) => replace(&mut body["data"], field, &Value::Null),
        _ => {}
    }
    keep(shared, request, 200);
    let mut text = body.to_string();
    if let Some(Fault::Oversized(bytes)) = fault {
        text = format!("{{\"extensions\":\"{}\",{}", "x".repeat(bytes), text.trim_start_matches('{'));
    }
    match fault {
        Some(Fault::Garbled) => {
            let half = &text[..text.len() / 2];
            write(stream, 200, "", half, half.len()) && !wants_close
        }
        Some(Fault::Truncated) => {
            let half = &text[..text.len() / 2];
            write(stream, 200, "", half, text.len());
            false
        }
        Some(Fault::SlowBody(pause)) => {
            let (first, rest) = text.split_at(text.len() / 2);
            write(stream, 200, "", first, text.len());
            std::thread::sleep(pause);
            (&mut &*stream).write_all(rest.as_bytes()).is_ok() && !wants_close
        }
        _ => write(stream, 200, "", &text, text.len()) && !wants_close,
    }
}

/// What goes wrong with a request: what was scripted for what it looks up, for the next one, or for all.
fn fault(shared: &Shared, request: &Request) -> Option<Fault> {
    let mut state = shared.state.lock().unwrap();
    let values = looked_up(&request.json);
    let query = request.json["query"].as_str().unwrap_or_default();
    let on = state.on.iter().find(|(field, value, _)| values.contains(value) && query.contains(&format!("{field}(")));
    if let Some((_, _, fault)) = on {
        return Some(fault.clone());
    }
    if !state.next.is_empty() {
        return Some(state.next.remove(0));
    }
    state.always.clone()
}

fn keep(shared: &Shared, mut request: Request, status: u16) {
    request.status = status;
    shared.state.lock().unwrap().requests.push(request);
}

fn write(mut stream: &TcpStream, status: u16, headers: &str, body: &str, length: usize) -> bool {
    let head =
        format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{headers}\r\n");
    stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).is_ok()
}

/// Every field of this name gets this value.
fn replace(value: &mut Value, field: &str, with: &Value) {
    match value {
        Value::Object(object) => {
            for (key, value) in object.iter_mut() {
                if key == field { value.clone_from(with) } else { replace(value, field, with) }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, field, with)),
        _ => {}
    }
}
