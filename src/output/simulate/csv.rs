use std::borrow::Cow;
use std::io::{self, Write};

use super::Simulated;
use super::clock::{Clock, seconds};
use crate::object::Ref;
use crate::output::escape::escape;
use crate::simulate::{Attempt, Course, Simulation};

/// How many bytes are gathered before they are written.
const SHEET: usize = 1 << 16;

/// Prints the attempts as comma-separated values (RFC 4180, lines ended by a line feed): one row each, with a row of
/// names.
///
/// # Errors
/// Those of `out`.
pub fn csv(out: &mut dyn Write, simulated: &Simulated<'_>) -> io::Result<()> {
    out.write_all(b"object,place,policy,number,outcome,called,at_seconds,next_seconds,cause,trigger,time\n")?;
    let mut bytes = Vec::with_capacity(SHEET + 1024);
    let mut clock = Clock::new(simulated.start);
    for course in simulated.courses {
        let head = head(course);
        for attempt in Simulation::new(&course.behaviour, simulated.options) {
            bytes.extend_from_slice(head.as_bytes());
            bytes.extend_from_slice(itoa::Buffer::new().format(attempt.number).as_bytes());
            bytes.push(b',');
            self::attempt(&mut bytes, &attempt, &mut clock);
            if bytes.len() >= SHEET {
                out.write_all(&bytes)?;
                bytes.clear();
            }
        }
    }
    out.write_all(&bytes)
}

/// Appends the fields of an attempt behind its number, and ends the line.
pub(super) fn attempt(bytes: &mut Vec<u8>, attempt: &Attempt, clock: &mut Clock) {
    bytes.extend_from_slice(attempt.outcome.as_str().as_bytes());
    bytes.extend_from_slice(if attempt.called { b",true," } else { b",false," });
    seconds(bytes, attempt.at);
    bytes.push(b',');
    if let Some(next) = attempt.next {
        seconds(bytes, next);
    }
    bytes.push(b',');
    bytes.extend_from_slice(attempt.cause.as_str().as_bytes());
    bytes.push(b',');
    bytes.extend_from_slice(attempt.trigger.as_str().as_bytes());
    bytes.push(b',');
    clock.append(bytes, attempt.at, b'T', "Z");
    bytes.push(b'\n');
}

/// The fields that all rows of a course begin with.
fn head(course: &Course<'_>) -> String {
    let object = course.reference.map(object_field).unwrap_or_default();
    let place = course.place.map(ToString::to_string).unwrap_or_default();
    format!("{},{},{},", field(&object), field(&place), field(&course.label()))
}

/// What an object is called in one field: `namespace/kind.group/name`, as kubectl has no way of writing all.
pub(super) fn object_field(reference: &Ref) -> String {
    match &reference.namespace {
        Some(namespace) => format!("{namespace}/{}", reference.resource()),
        None => reference.resource(),
    }
}

/// A text as a field: nothing in it ends the field, or is obeyed by a terminal.
pub(super) fn field(text: &str) -> Cow<'_, str> {
    let text = escape(text);
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text,
    }
}
