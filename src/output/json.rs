//! What every JSON of this program is made of, version kcc-backoff/v1alpha1: types of its own, so that a change inside
//! the program does not change what scripts read.

use std::io::{self, Write};
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::escape::{SafeJson, safe_yaml_line};
use super::report::Explanation;
use crate::object::{self, Diagnostic};

/// The version of all JSON and YAML.
pub(super) const API_VERSION: &str = "kcc-backoff/v1alpha1";

/// Writes a document as YAML, in which nothing is left that a terminal would obey.
///
/// # Errors
/// Those of `out`.
pub fn yaml_document<T: Serialize>(out: &mut dyn Write, document: &T) -> io::Result<()> {
    // One line a scalar, which is what `safe_yaml_line` relies on.
    let options = serde_yaml::ser_options! { prefer_block_scalars: false };
    let mut text = String::new();
    serde_yaml::to_fmt_writer_with_options(&mut text, document, options).map_err(io::Error::other)?;
    for line in text.split_inclusive('\n') {
        out.write_all(safe_yaml_line(line).as_bytes())?;
    }
    Ok(())
}

/// Writes a value as JSON on one line, in which nothing is left that a terminal would obey.
///
/// # Errors
/// Those of `out`.
pub fn json_document<T: Serialize>(out: &mut dyn Write, document: &T) -> io::Result<()> {
    let mut bytes = Vec::new();
    append(&mut bytes, document)?;
    bytes.push(b'\n');
    out.write_all(&bytes)
}

/// Every object is printed behind a comma; there is none in front of the first.
pub(super) struct FirstComma<'o> {
    out: &'o mut dyn Write,
    skipped: bool,
}

impl<'o> FirstComma<'o> {
    /// Nothing is printed yet.
    pub(super) fn new(out: &'o mut dyn Write) -> FirstComma<'o> {
        FirstComma { out, skipped: false }
    }
}

impl Write for FirstComma<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.skipped || bytes.is_empty() {
            return self.out.write(bytes);
        }
        self.skipped = true;
        Ok(1)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Appends a value as JSON on one line, in which nothing is left that a terminal would obey.
pub(super) fn append<T: Serialize + ?Sized>(bytes: &mut Vec<u8>, value: &T) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(bytes, SafeJson)).map_err(io::Error::other)
}

/// What stands at the head of every document about objects in one world.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Head {
    api_version: &'static str,
    kind: &'static str,
    release: String,
    release_named: bool,
    now: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now_reason: Option<&'static str>,
    note: String,
}

impl Head {
    pub(super) fn of(kind: &'static str, explanation: &Explanation<'_>) -> Head {
        let world = explanation.world;
        let now = explanation.time();
        Head {
            api_version: API_VERSION,
            kind,
            release: world.release.to_string(),
            release_named: world.release_named,
            now: now.map(|now| now.to_string()),
            now_reason: now.is_none().then_some("no object has a status, so no answer depends on the time"),
            note: explanation.told_for(),
        }
    }
}

/// Writes the beginning of a document: the head's fields, to be gone on with by [`array`] and [`end`].
pub(super) fn begin<T: Serialize>(out: &mut dyn Write, head: &T) -> io::Result<()> {
    let mut bytes = Vec::new();
    append(&mut bytes, head)?;
    out.write_all(bytes.strip_suffix(b"}").unwrap_or(&bytes))
}

/// Writes a field that is an array, each item on a line of its own.
pub(super) fn array<T: Serialize>(out: &mut dyn Write, field: &str, items: impl Iterator<Item = T>) -> io::Result<()> {
    write!(out, ",\n\"{field}\":[")?;
    let mut line = Vec::new();
    for (index, item) in items.enumerate() {
        line.clear();
        line.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        append(&mut line, &item)?;
        out.write_all(&line)?;
    }
    out.write_all(b"]")
}

/// Writes the problems and the summary, which end every document about objects.
pub(super) fn end<'p, T: Serialize>(
    out: &mut dyn Write,
    problems: impl Iterator<Item = &'p Diagnostic>,
    summary: &T,
) -> io::Result<()> {
    array(out, "problems", problems.map(Problem::from))?;
    let mut tail = b",\n\"summary\":".to_vec();
    append(&mut tail, summary)?;
    tail.extend_from_slice(b"}\n");
    out.write_all(&tail)
}

/// Seconds: a whole number where they are whole.
pub(super) struct Seconds(pub(super) Duration);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.subsec_nanos() {
            0 => serializer.serialize_u64(self.0.as_secs()),
            _ => serializer.serialize_f64(nearest(self.0)),
        }
    }
}

/// The number that is nearest to so many seconds, so that 2.28 s are 2.28: seconds and parts of one added up are not
/// always.
fn nearest(value: Duration) -> f64 {
    // Whole numbers below 2^53 are exact, and a division of two of them is rounded once.
    match value.as_nanos() {
        nanos if nanos < 1 << 53 => nanos as f64 / 1e9,
        _ => format!("{}.{:09}", value.as_secs(), value.subsec_nanos()).parse().unwrap_or(f64::MAX),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Ref<'a> {
    pub(super) api_version: &'a str,
    pub(super) kind: &'a str,
    pub(super) namespace: Option<&'a str>,
    pub(super) name: Option<&'a str>,
}

#[derive(Serialize)]
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) line: Option<u32>,
    pub(super) column: Option<u32>,
}

#[derive(Serialize)]
pub(super) struct Problem<'a> {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
    pub(super) place: Option<Place<'a>>,
    pub(super) message: &'a str,
    pub(super) fix: Option<&'a str>,
}

impl<'a> From<&'a object::Place> for Place<'a> {
    fn from(place: &'a object::Place) -> Place<'a> {
        let counted = |number| (number > 0).then_some(number);
        Place { file: &place.file, line: counted(place.line), column: counted(place.column) }
    }
}

impl<'a> From<&'a Diagnostic> for Problem<'a> {
    fn from(problem: &'a Diagnostic) -> Problem<'a> {
        Problem {
            code: problem.code.as_str(),
            severity: problem.severity.as_str(),
            place: problem.place.as_ref().map(Place::from),
            message: &problem.message,
            fix: problem.fix.as_deref(),
        }
    }
}

/// A condition of a status.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Condition<'a> {
    status: &'a str,
    reason: &'a str,
    message: &'a str,
    last_transition_time: Option<String>,
}

impl<'a> From<&'a object::Condition> for Condition<'a> {
    fn from(condition: &'a object::Condition) -> Condition<'a> {
        Condition {
            status: &condition.status,
            reason: &condition.reason,
            message: &condition.message,
            last_transition_time: condition.since.map(|time| time.to_string()),
        }
    }
}

impl<'a> From<&'a object::Ref> for Ref<'a> {
    fn from(reference: &'a object::Ref) -> Ref<'a> {
        Ref {
            api_version: &reference.api_version,
            kind: &reference.kind,
            namespace: reference.namespace.as_deref(),
            name: reference.name.as_deref(),
        }
    }
}

impl<'a> Place<'a> {
    /// The place of something in a file.
    pub(super) fn from_pos(file: &'a str, pos: object::Pos) -> Place<'a> {
        Place { file, line: Some(pos.line), column: Some(pos.column) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_in_json_are_the_numbers_that_one_would_write() {
        for (nanos, expected) in [
            (2_280_000_000, "2.28"),
            (3_250_000_003, "3.250000003"),
            (600_000_000_000, "600"),
            (250_000_000, "0.25"),
            (10_000_000_000_000_000, "10000000"),
            (10_000_000_280_000_000, "10000000.28"),
        ] {
            let told = serde_json::to_string(&Seconds(Duration::from_nanos(nanos))).unwrap_or_default();
            assert_eq!(told, expected);
        }
    }
}
