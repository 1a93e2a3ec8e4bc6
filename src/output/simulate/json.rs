use std::io::{self, Write};

use serde::Serialize;

use super::Simulated;
use super::words::Tally;
use crate::backoff::Ladder;
use crate::output::json::{self, Place, Problem, Ref, Seconds, append};
use crate::output::report::Summary;
use crate::simulate::{Attempt, Choice, Course, End, Event, Simulation};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    api_version: &'static str,
    kind: &'static str,
    release: String,
    release_named: bool,
    start: String,
    failures: Option<u64>,
    until_seconds: Option<Seconds>,
    succeed_after: Option<u64>,
    reconcile_seconds: Seconds,
    jitter: String,
    note: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectHead<'a> {
    #[serde(rename = "ref")]
    reference: Option<Ref<'a>>,
    place: Option<Place<'a>>,
    controller: Option<ControllerJson<'a>>,
    policy: &'static str,
    choice: String,
    assumption: Option<&'static str>,
    reason: &'a str,
    ladder: Option<Delays>,
    notes: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ControllerJson<'a> {
    name: &'static str,
    decided_by: &'static str,
    reason: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EventJson {
    at_seconds: Seconds,
    what: String,
    /// Whether it woke the object; null if it lies after the end.
    woke: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Delays {
    base_seconds: Seconds,
    max_seconds: Seconds,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::output) struct AttemptJson {
    number: u64,
    at_seconds: Seconds,
    outcome: &'static str,
    next_seconds: Option<Seconds>,
    cause: &'static str,
    trigger: &'static str,
    called: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectTail {
    halted_at_end: bool,
    ended_by: &'static str,
    ended_reason: Option<&'static str>,
    next_at_seconds: Option<Seconds>,
    counts: Tally,
    events: Vec<EventJson>,
}

impl From<&Attempt> for AttemptJson {
    fn from(attempt: &Attempt) -> AttemptJson {
        AttemptJson {
            number: attempt.number,
            at_seconds: Seconds(attempt.at),
            outcome: attempt.outcome.as_str(),
            next_seconds: attempt.next.map(Seconds),
            cause: attempt.cause.as_str(),
            trigger: attempt.trigger.as_str(),
            called: attempt.called,
        }
    }
}

impl From<Ladder> for Delays {
    fn from(ladder: Ladder) -> Delays {
        Delays { base_seconds: Seconds(ladder.base()), max_seconds: Seconds(ladder.max()) }
    }
}

impl<'a> ObjectHead<'a> {
    fn of(course: &'a Course<'_>) -> ObjectHead<'a> {
        ObjectHead {
            reference: course.reference.map(Ref::from),
            place: course.place.map(Place::from),
            controller: course.controller.as_ref().map(|(controller, decided_by, reason)| ControllerJson {
                name: controller.as_str(),
                decided_by,
                reason,
            }),
            policy: course.policy.as_str(),
            choice: match course.choice {
                Choice::Found => "found".to_owned(),
                Choice::Default => "default".to_owned(),
                Choice::Ceiling(seconds) => seconds.to_string(),
                Choice::Plural => "plural".to_owned(),
                Choice::ControllerRuntime => "controller-runtime".to_owned(),
            },
            assumption: course.assumption.map(|assumption| assumption.as_str()),
            reason: &course.reason,
            ladder: course.ladder.map(Delays::from),
            notes: &course.notes,
        }
    }
}

impl ObjectTail {
    fn of(simulation: &Simulation<'_>, counts: Tally, events: &[Event]) -> ObjectTail {
        let end = simulation.end();
        ObjectTail {
            halted_at_end: simulation.halted(),
            ended_by: end.map_or("unknown", End::as_str),
            ended_reason: match end {
                Some(End::Unknown(reason)) => Some(reason),
                _ => None,
            },
            next_at_seconds: simulation.next_at().map(Seconds),
            counts,
            events: events
                .iter()
                .enumerate()
                .map(|(index, event)| EventJson {
                    at_seconds: Seconds(event.at),
                    what: event.what.to_string(),
                    woke: simulation.woken().get(index).copied(),
                })
                .collect(),
        }
    }
}

impl Simulated<'_> {
    fn json_head(&self) -> Head {
        Head {
            api_version: json::API_VERSION,
            kind: "Simulation",
            release: self.world.release.to_string(),
            release_named: self.world.release_named,
            start: self.start.to_string(),
            failures: self.options.failures,
            until_seconds: self.options.until.map(Seconds),
            succeed_after: self.options.succeed_after,
            reconcile_seconds: Seconds(self.options.reconcile),
            jitter: self.options.jitter.to_string(),
            note: self.told_for(),
        }
    }
}

/// Prints the simulation as JSON, an attempt a line.
///
/// # Errors
/// Those of `out`.
pub fn json(out: &mut dyn Write, simulated: &Simulated<'_>) -> io::Result<()> {
    json::begin(out, &simulated.json_head())?;
    out.write_all(b",\n\"objects\":[")?;
    let mut bytes = Vec::new();
    for (index, course) in simulated.courses.iter().enumerate() {
        bytes.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        append(&mut bytes, &ObjectHead::of(course))?;
        bytes.pop();
        bytes.extend_from_slice(b",\"attempts\":[");
        let mut tally = Tally::default();
        let mut simulation = Simulation::new(&course.behaviour, simulated.options);
        for attempt in simulation.by_ref() {
            bytes.extend_from_slice(if tally.attempts == 0 { b"\n" } else { b",\n" });
            append(&mut bytes, &AttemptJson::from(&attempt))?;
            tally.add(&attempt);
            if bytes.len() > 1 << 15 {
                out.write_all(&bytes)?;
                bytes.clear();
            }
        }
        bytes.extend_from_slice(b"],");
        let mut tail = Vec::new();
        append(&mut tail, &ObjectTail::of(&simulation, tally, &simulated.options.events))?;
        bytes.extend_from_slice(tail.strip_prefix(b"{").unwrap_or(&tail));
        out.write_all(&bytes)?;
        bytes.clear();
    }
    out.write_all(b"]")?;
    json::end(out, simulated.problems.iter(), &simulated.summary.unwrap_or_default())
}

/// Prints the same as YAML. The pieces are written one after another, so that the attempts are never all in memory.
///
/// # Errors
/// Those of `out`.
pub fn yaml(out: &mut dyn Write, simulated: &Simulated<'_>) -> io::Result<()> {
    #[derive(Serialize)]
    struct Tail<'a> {
        problems: Vec<Problem<'a>>,
        summary: Summary,
    }
    piece(out, "", &simulated.json_head())?;
    out.write_all(if simulated.courses.is_empty() { b"objects: []\n" } else { b"objects:\n" })?;
    for course in simulated.courses {
        piece(out, "- ", &ObjectHead::of(course))?;
        let mut tally = Tally::default();
        let mut simulation = Simulation::new(&course.behaviour, simulated.options);
        for attempt in simulation.by_ref() {
            if tally.attempts == 0 {
                out.write_all(b"  attempts:\n")?;
            }
            piece(out, "  - ", &AttemptJson::from(&attempt))?;
            tally.add(&attempt);
        }
        if tally.attempts == 0 {
            out.write_all(b"  attempts: []\n")?;
        }
        piece(out, "  ", &ObjectTail::of(&simulation, tally, &simulated.options.events))?;
    }
    let problems = simulated.problems.iter().map(Problem::from).collect();
    piece(out, "", &Tail { problems, summary: simulated.summary.unwrap_or_default() })
}

/// Writes a mapping behind `first`, its other lines below its beginning.
fn piece<T: Serialize>(out: &mut dyn Write, first: &str, value: &T) -> io::Result<()> {
    let mut text = Vec::new();
    json::yaml_document(&mut text, value)?;
    let text = String::from_utf8_lossy(&text);
    let below = " ".repeat(first.len());
    for (index, line) in text.split_inclusive('\n').enumerate() {
        out.write_all(if index == 0 { first.as_bytes() } else { below.as_bytes() })?;
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}
