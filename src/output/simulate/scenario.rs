//! What is printed of an end-to-end script that was played.

use std::io::{self, Write};

use jiff::Timestamp;
use serde::Serialize;

use super::clock::Clock;
use super::csv::{field, object_field};
use super::json::AttemptJson;
use crate::assess::World;
use crate::human;
use crate::object::Diagnostic;
use crate::output::json::{self, Place, Problem, Ref, Seconds};
use crate::output::lines::{Lines, wrap};
use crate::output::report::{Explanation, Summary};
use crate::output::style::{Role, Style};
use crate::simulate::Outcome;
use crate::simulate::scenario::{Told, ToldObject, ToldStep};

/// A script that was played and is to be printed.
pub struct Played<'a> {
    /// The world that is spoken of.
    pub world: &'a World,
    /// What came of it.
    pub told: &'a Told,
    /// The clock time of the start.
    pub start: Timestamp,
    /// What is wrong with the script and its objects.
    pub problems: &'a [Diagnostic],
}

impl Played<'_> {
    fn told_for(&self) -> String {
        let summary = Summary::default();
        Explanation { world: self.world, objects: &[], problems: &[], summary }.told_for()
    }

    /// How many steps would pass.
    pub fn passing(&self) -> usize {
        self.told.steps.iter().filter(|step| step.passes).count()
    }
}

/// Prints the steps for people.
///
/// # Errors
/// Those of `out`.
pub fn scenario_text(out: &mut dyn Write, style: Style, played: &Played<'_>) -> io::Result<()> {
    let several = played.told.steps.iter().any(|step| step.objects.len() > 1);
    let mut bytes = Vec::new();
    for (number, step) in played.told.steps.iter().enumerate() {
        if number > 0 {
            bytes.push(b'\n');
        }
        let mut lines = Lines { bytes: &mut bytes, style };
        let object = step.reference.as_ref().map_or(String::new(), |reference| format!("  {}", reference.title()));
        lines.title(&format!("Step {number}  {}{object}", step.word), &step.place);
        attempts(&mut lines, step, several);
        for object in &step.objects {
            state(&mut lines, object, several);
        }
        let (role, verdict) = if step.passes { (Role::Good, "yes") } else { (Role::Bad, "NO") };
        lines.put("Passes", Some((role, verdict)), Role::Context, &step.reason, None);
    }
    out.write_all(&bytes)?;
    let width = style.width.unwrap_or(usize::MAX);
    let stops = played.told.steps.iter().position(|step| !step.passes);
    if let Some(first) = stops.filter(|first| first + 1 < played.told.steps.len()) {
        let text = format!("A real run would stop at step {first}; what follows is told as if it went on.");
        for line in wrap(&text, width, "") {
            writeln!(out, "{line}")?;
        }
    }
    for line in wrap(&played.told_for(), width, "") {
        writeln!(out, "{}", style.paint(Role::Context, &line))?;
    }
    Ok(())
}

/// When the step was, and its attempts with their times.
fn attempts(lines: &mut Lines<'_>, step: &ToldStep, several: bool) {
    let window = match step.from == step.to {
        true => format!("at {}", human::compact_rounded(step.from)),
        false => format!("{} to {}", human::compact_rounded(step.from), human::compact_rounded(step.to)),
    };
    lines.line("Window", &window, None);
    let shown: Vec<String> = step
        .attempts
        .iter()
        .map(|(index, attempt)| {
            let object = step.objects.get(*index).filter(|_| several);
            let name = object.map_or(String::new(), |object| format!(" {}", object.reference.title()));
            format!("{} {}{name}", human::compact_rounded(attempt.at), attempt.told())
        })
        .collect();
    let count = match step.attempts.len() {
        0 => "none".to_owned(),
        count => count.to_string(),
    };
    let failed = step.attempts.iter().any(|(_, attempt)| attempt.outcome == Outcome::Failed);
    let role = if failed { Role::Warning } else { Role::Value };
    lines.put("Attempts", Some((role, &count)), Role::Plain, &shortened(&shown), None);
}

/// The first and the last of many.
fn shortened(shown: &[String]) -> String {
    const FIRST: usize = 12;
    const LAST: usize = 2;
    match shown.len() {
        count if count > FIRST + LAST + 1 => {
            format!("{}, … {}", shown[..FIRST].join(", "), shown[count - LAST..].join(", "))
        }
        _ => shown.join(", "),
    }
}

fn state(lines: &mut Lines<'_>, object: &ToldObject, several: bool) {
    let name = if several { object.reference.title() } else { String::new() };
    if !object.exists {
        return lines.put("Ready", Some((Role::Context, "gone")), Role::Context, &name, None);
    }
    let (role, value, reason) = match object.ready {
        None => (Role::Context, "no status", ""),
        Some(ready) if ready.status => (Role::Good, "True", ready.reason),
        Some(ready) => (Role::Warning, "False", ready.reason),
    };
    let text = [reason, &name].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(": ");
    lines.put("Ready", Some((role, value)), Role::Plain, &text, None);
    if object.halted {
        lines.put("", Some((Role::Bad, "HALTED")), Role::Plain, &name, None);
    }
    if let Some(reason) = object.unknown {
        lines.put("", Some((Role::Bad, "unknown")), Role::Plain, reason, None);
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    api_version: &'static str,
    kind: &'static str,
    release: String,
    release_named: bool,
    start: String,
    note: String,
    steps: Vec<StepJson<'a>>,
    problems: Vec<Problem<'a>>,
    summary: StepSummary,
}

#[derive(Serialize)]
struct StepSummary {
    steps: usize,
    passing: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StepJson<'a> {
    step: usize,
    test: &'a str,
    #[serde(rename = "ref")]
    reference: Option<Ref<'a>>,
    place: Place<'a>,
    from_seconds: Seconds,
    to_seconds: Seconds,
    attempt_count: usize,
    call_count: usize,
    attempts: Vec<ScriptAttempt>,
    #[serde(flatten)]
    state: State,
    objects: Vec<ObjectJson<'a>>,
    passes: bool,
    why: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ScriptAttempt {
    object: Option<String>,
    #[serde(flatten)]
    attempt: AttemptJson,
}

/// The state of the object of the step, or of the only object.
#[derive(Serialize, Default)]
struct State {
    exists: Option<bool>,
    ready: Option<&'static str>,
    reason: Option<&'static str>,
    halted: Option<bool>,
}

#[derive(Serialize)]
struct ObjectJson<'a> {
    #[serde(rename = "ref")]
    reference: Ref<'a>,
    #[serde(flatten)]
    state: State,
    unknown: Option<&'static str>,
}

impl From<&ToldObject> for State {
    fn from(object: &ToldObject) -> State {
        State {
            exists: Some(object.exists),
            ready: object.ready.map(|ready| if ready.status { "True" } else { "False" }),
            reason: object.ready.map(|ready| ready.reason),
            halted: Some(object.halted),
        }
    }
}

impl<'a> StepJson<'a> {
    fn of(number: usize, step: &'a ToldStep) -> StepJson<'a> {
        let own = step.objects.iter().find(|object| object.named);
        let only = match step.objects.as_slice() {
            [only] => Some(only),
            _ => None,
        };
        let attempt = |(index, attempt): &(usize, crate::simulate::Attempt)| ScriptAttempt {
            object: step.objects.get(*index).map(|object| object.reference.title()),
            attempt: attempt.into(),
        };
        StepJson {
            step: number,
            test: &step.word,
            reference: step.reference.as_ref().map(Ref::from),
            place: (&step.place).into(),
            from_seconds: Seconds(step.from),
            to_seconds: Seconds(step.to),
            attempt_count: step.attempts.len(),
            call_count: step.attempts.iter().filter(|(_, attempt)| attempt.called).count(),
            attempts: step.attempts.iter().map(attempt).collect(),
            state: own.or(only).map(State::from).unwrap_or_default(),
            objects: step
                .objects
                .iter()
                .map(|object| ObjectJson {
                    reference: (&object.reference).into(),
                    state: object.into(),
                    unknown: object.unknown,
                })
                .collect(),
            passes: step.passes,
            why: &step.reason,
        }
    }
}

impl<'a> Document<'a> {
    fn of(played: &'a Played<'_>) -> Document<'a> {
        let steps = &played.told.steps;
        Document {
            api_version: json::API_VERSION,
            kind: "ScenarioSimulation",
            release: played.world.release.to_string(),
            release_named: played.world.release_named,
            start: played.start.to_string(),
            note: played.told_for(),
            steps: steps.iter().enumerate().map(|(number, step)| StepJson::of(number, step)).collect(),
            problems: played.problems.iter().map(Problem::from).collect(),
            summary: StepSummary { steps: steps.len(), passing: played.passing() },
        }
    }
}

/// The same as a value, for expectations to be compared with.
///
/// # Errors
/// None: every field has JSON.
pub fn scenario_value(played: &Played<'_>) -> io::Result<serde_json::Value> {
    serde_json::to_value(Document::of(played)).map_err(io::Error::other)
}

/// Prints the steps as JSON.
///
/// # Errors
/// Those of `out`.
pub fn scenario_json(out: &mut dyn Write, played: &Played<'_>) -> io::Result<()> {
    let document = Document::of(played);
    let mut bytes = Vec::new();
    json::append(&mut bytes, &document)?;
    bytes.push(b'\n');
    out.write_all(&bytes)
}

/// Prints the same as YAML.
///
/// # Errors
/// Those of `out`.
pub fn scenario_yaml(out: &mut dyn Write, played: &Played<'_>) -> io::Result<()> {
    json::yaml_document(out, &Document::of(played))
}

/// Prints the attempts as comma-separated values, each with its step.
///
/// # Errors
/// Those of `out`.
pub fn scenario_csv(out: &mut dyn Write, played: &Played<'_>) -> io::Result<()> {
    out.write_all(b"step,test,object,number,outcome,called,at_seconds,next_seconds,cause,trigger,time\n")?;
    let mut clock = Clock::new(played.start);
    let mut bytes = Vec::new();
    for (number, step) in played.told.steps.iter().enumerate() {
        for (index, attempt) in &step.attempts {
            let object = step.objects.get(*index).map(|object| object_field(&object.reference)).unwrap_or_default();
            let head = format!("{number},{},{},{},", field(&step.word), field(&object), attempt.number);
            bytes.extend_from_slice(head.as_bytes());
            super::csv::attempt(&mut bytes, attempt, &mut clock);
        }
    }
    out.write_all(&bytes)
}
