//! The JSON of `explain`, version kcc-backoff/v1alpha1: types of its own, so that a change inside the program does
//! not change what scripts read.

use std::io::{self, Write};
use std::time::Duration;

use rayon::prelude::*;
use serde::{Serialize, Serializer};

use super::escape::{SafeJson, escape, safe_yaml_line};
use super::report::{Explanation, Summary};
use crate::assess::{
    Actuation, Assessment, CeilingAnswer, ControllerAnswer, Deletion, Drift, DriftState, Halt, Live, Next, Retry,
    RetryAnswer, Told,
};
use crate::backoff::TokenBucket;
use crate::kcc::{Ceiling, Controller};
use crate::object::{self, AnnotationValue, Diagnostic};

const API_VERSION: &str = "kcc-backoff/v1alpha1";

/// Prints the explanation as one JSON document, each object on a line of its own.
///
/// # Errors
/// Those of `out`.
pub fn json(out: &mut dyn Write, explanation: &Explanation) -> io::Result<()> {
    write!(out, "{{\"apiVersion\":\"{API_VERSION}\",\"kind\":\"Explanation\",\"release\":")?;
    out.write_all(&line(&explanation.release.to_string())?)?;
    write!(out, ",\"releaseNote\":")?;
    out.write_all(&line(&explanation.release_line())?)?;
    array(out, "objects", &explanation.objects, |assessment| line(&Object::from(assessment)))?;
    let problems: Vec<&Diagnostic> = problems(explanation).collect();
    array(out, "problems", &problems, |problem| line(&Problem::from(*problem)))?;
    write!(out, ",\n\"summary\":")?;
    out.write_all(&line(&explanation.summary)?)?;
    writeln!(out, "}}")
}

/// Prints the explanation as YAML.
///
/// # Errors
/// Those of `out`.
pub fn yaml(out: &mut dyn Write, explanation: &Explanation) -> io::Result<()> {
    let document = Document {
        api_version: API_VERSION,
        kind: "Explanation",
        release: explanation.release.to_string(),
        release_note: explanation.release_line(),
        objects: explanation.objects.iter().map(Object::from).collect(),
        problems: problems(explanation).map(Problem::from).collect(),
        summary: explanation.summary,
    };
    // One line a scalar, which is what `safe_yaml_line` relies on.
    let options = serde_yaml::ser_options! { prefer_block_scalars: false };
    let mut text = String::new();
    serde_yaml::to_fmt_writer_with_options(&mut text, &document, options).map_err(io::Error::other)?;
    for line in text.split_inclusive('\n') {
        out.write_all(safe_yaml_line(line).as_bytes())?;
    }
    Ok(())
}

/// Prints the objects' names as kubectl does: `kind.group/name`.
///
/// # Errors
/// Those of `out`.
pub fn names(out: &mut dyn Write, explanation: &Explanation) -> io::Result<()> {
    for assessment in &explanation.objects {
        let reference = &assessment.reference;
        let name = reference.name.as_deref().unwrap_or_default();
        let text = format!("{}.{}/{name}", reference.kind.to_lowercase(), reference.group());
        writeln!(out, "{}", escape(&text))?;
    }
    Ok(())
}

fn problems(explanation: &Explanation) -> impl Iterator<Item = &Diagnostic> {
    explanation.problems.iter().chain(explanation.objects.iter().flat_map(|object| &object.problems))
}

fn line<T: Serialize + ?Sized>(value: &T) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(4096);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, SafeJson)).map_err(io::Error::other)?;
    Ok(bytes)
}

fn array<T: Sync>(
    out: &mut dyn Write,
    name: &str,
    items: &[T],
    line: impl Fn(&T) -> io::Result<Vec<u8>> + Sync,
) -> io::Result<()> {
    write!(out, ",\n\"{name}\":[")?;
    let mut separator = "\n";
    for chunk in items.chunks(4096) {
        let lines: io::Result<Vec<Vec<u8>>> = chunk.par_iter().map(&line).collect();
        for line in lines? {
            out.write_all(separator.as_bytes())?;
            out.write_all(&line)?;
            separator = ",\n";
        }
    }
    out.write_all(b"]")
}

/// Seconds: a whole number where they are whole.
struct Seconds(Duration);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.subsec_nanos() {
            0 => serializer.serialize_u64(self.0.as_secs()),
            _ => serializer.serialize_f64(self.0.as_secs_f64()),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    api_version: &'static str,
    kind: &'static str,
    release: String,
    release_note: String,
    objects: Vec<Object<'a>>,
    problems: Vec<Problem<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    #[serde(rename = "ref")]
    reference: Ref<'a>,
    place: Place<'a>,
    system: &'static str,
    controller: ControllerJson<'a>,
    ceiling: CeilingJson<'a>,
    retry: RetryJson<'a>,
    halt: HaltJson<'a>,
    drift: DriftJson<'a>,
    actuation: ActuationJson<'a>,
    deletion: DeletionJson<'a>,
    status: Option<StatusJson<'a>>,
    annotations: Vec<AnnotationJson<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ref<'a> {
    api_version: &'a str,
    kind: &'a str,
    namespace: Option<&'a str>,
    name: Option<&'a str>,
}

#[derive(Serialize)]
struct Place<'a> {
    file: &'a str,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ControllerJson<'a> {
    name: &'static str,
    decided_by: &'static str,
    supported: Vec<&'static str>,
    reason: &'a str,
    place: Option<Place<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CeilingJson<'a> {
    state: &'static str,
    seconds: Option<u32>,
    raw: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    written: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'static str>,
    place: Option<Place<'a>>,
    from: Option<&'static str>,
    honoured: Option<bool>,
    reason: &'a str,
    does_not_govern: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RetryJson<'a> {
    policy: Option<&'static str>,
    base_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
    token_bucket: Option<BucketJson>,
    ladder: Vec<StepJson>,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_honoured: Option<Box<RetryJson<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_ignored: Option<Box<RetryJson<'a>>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BucketJson {
    per_second: u32,
    burst: u32,
    shared_by: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StepJson {
    attempt: u64,
    at_seconds: Seconds,
    delay_seconds: Option<Seconds>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HaltJson<'a> {
    on_error: Option<bool>,
    now: Option<bool>,
    reason: &'a str,
    woken_by: Vec<&'static str>,
    not_woken_by: &'a [&'static str],
    commands: Vec<CommandJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_command: Option<&'a str>,
}

#[derive(Serialize)]
struct CommandJson<'a> {
    command: &'a str,
    does: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DriftJson<'a> {
    state: &'static str,
    mean_seconds: Option<Seconds>,
    min_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
    origin: &'static str,
    raw: Option<&'a str>,
    place: Option<Place<'a>>,
    token_bucket: Option<BucketJson>,
    skips_when_up_to_date: bool,
    notes: &'a [String],
}

#[derive(Serialize)]
struct ActuationJson<'a> {
    mode: &'static str,
    origin: &'static str,
    place: Option<Place<'a>>,
    reason: &'a str,
    notes: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeletionJson<'a> {
    requested: bool,
    requested_at: Option<String>,
    policy: &'static str,
    raw: Option<&'a str>,
    place: Option<Place<'a>>,
    outcome: &'a str,
    ceiling_applies: bool,
    retry_base_seconds: Option<Seconds>,
    retry_max_seconds: Option<Seconds>,
    finalizers: Vec<FinalizerJson<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FinalizerJson<'a> {
    name: &'a str,
    waits_for: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatusJson<'a> {
    ready: Option<ReadyJson<'a>>,
    state: &'static str,
    generation: Option<i64>,
    observed_generation: Option<i64>,
    edit_waiting: Option<bool>,
    generation_reason: &'a str,
    failing_since: Option<String>,
    failing_seconds: Option<Seconds>,
    attempts: Option<ToldJson<'a, u64>>,
    last_attempt: Option<ToldJson<'a, String>>,
    next_attempt: NextJson<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReadyJson<'a> {
    status: &'a str,
    reason: &'a str,
    message: &'a str,
    last_transition_time: Option<String>,
}

#[derive(Serialize)]
struct ToldJson<'a, T> {
    value: T,
    certainty: &'static str,
    reason: &'a str,
}

#[derive(Serialize)]
struct NextJson<'a> {
    from: Option<String>,
    to: Option<String>,
    certainty: Option<&'static str>,
    reason: &'a str,
}

#[derive(Serialize)]
struct AnnotationJson<'a> {
    key: &'a str,
    value: Option<&'a str>,
    string: bool,
    quoted: bool,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct Problem<'a> {
    code: &'static str,
    severity: &'static str,
    place: Option<Place<'a>>,
    message: &'a str,
    fix: Option<&'a str>,
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

impl<'a> From<&'a Assessment> for Object<'a> {
    fn from(assessment: &'a Assessment) -> Object<'a> {
        let reference = &assessment.reference;
        Object {
            reference: Ref {
                api_version: &reference.api_version,
                kind: &reference.kind,
                namespace: reference.namespace.as_deref(),
                name: reference.name.as_deref(),
            },
            place: Place::from(&assessment.place),
            system: "kcc",
            controller: controller(&assessment.controller),
            ceiling: ceiling(&assessment.ceiling, &assessment.ungoverned),
            retry: retry(&assessment.retry),
            halt: halt(&assessment.halt),
            drift: drift(&assessment.drift),
            actuation: actuation(&assessment.actuation),
            deletion: deletion(&assessment.deletion),
            status: assessment.live.as_ref().map(status),
            annotations: assessment.annotations.iter().map(annotation).collect(),
            notes: &assessment.notes,
        }
    }
}

fn controller(answer: &ControllerAnswer) -> ControllerJson<'_> {
    ControllerJson {
        name: answer.controller.as_str(),
        decided_by: answer.decided_by.as_str(),
        supported: answer.supported.iter().map(|controller: &Controller| controller.as_str()).collect(),
        reason: &answer.reason,
        place: answer.place.as_ref().map(Place::from),
    }
}

fn ceiling<'a>(answer: &'a CeilingAnswer, ungoverned: &'a [String]) -> CeilingJson<'a> {
    let (state, seconds, fault) = match answer.ceiling {
        Ceiling::Unset => ("unset", None, None),
        Ceiling::Seconds(seconds) => ("seconds", Some(seconds), None),
        Ceiling::Halt => ("halt", Some(0), None),
        Ceiling::Invalid(fault) => ("invalid", None, Some(fault.clause())),
    };
    CeilingJson {
        state,
        seconds,
        raw: answer.raw.as_deref(),
        written: answer.written.as_deref(),
        fault,
        place: answer.place.as_ref().map(Place::from),
        from: match (answer.present(), answer.set) {
            (_, true) => Some("--set"),
            (true, false) => Some("annotation"),
            (false, false) => None,
        },
        honoured: answer.honoured,
        reason: &answer.reason,
        does_not_govern: ungoverned,
    }
}

fn retry(answer: &RetryAnswer) -> RetryJson<'_> {
    match answer {
        RetryAnswer::Known(retry) => one_retry(retry),
        RetryAnswer::Unknown { if_honoured, if_ignored, reason } => RetryJson {
            policy: None,
            base_seconds: None,
            max_seconds: None,
            token_bucket: None,
            ladder: Vec::new(),
            reason,
            if_honoured: Some(Box::new(one_retry(if_honoured))),
            if_ignored: Some(Box::new(one_retry(if_ignored))),
        },
    }
}

fn one_retry(retry: &Retry) -> RetryJson<'_> {
    let ladder = match retry.ladder {
        Some(ladder) => ladder
            .climb()
            .map(|step| StepJson {
                attempt: step.attempt,
                at_seconds: Seconds(step.at),
                delay_seconds: Some(Seconds(step.delay)),
            })
            .collect(),
        None if retry.policy == crate::assess::Policy::Halt => {
            vec![StepJson { attempt: 1, at_seconds: Seconds(Duration::ZERO), delay_seconds: None }]
        }
        None => Vec::new(),
    };
    RetryJson {
        policy: Some(retry.policy.as_str()),
        base_seconds: retry.ladder.map(|ladder| Seconds(ladder.base())),
        max_seconds: retry.ladder.map(|ladder| Seconds(ladder.max())),
        token_bucket: retry.bucket.map(|bucket| bucket_json(bucket, "failing objects of the kind")),
        ladder,
        reason: &retry.reason,
        if_honoured: None,
        if_ignored: None,
    }
}

fn bucket_json(bucket: TokenBucket, shared_by: &'static str) -> BucketJson {
    BucketJson { per_second: bucket.per_second, burst: bucket.burst, shared_by }
}

fn halt(halt: &Halt) -> HaltJson<'_> {
    HaltJson {
        on_error: halt.on_error,
        now: halt.now,
        reason: &halt.now_reason,
        woken_by: halt.woken_by.iter().map(|wake| wake.as_str()).collect(),
        not_woken_by: &halt.not_woken_by,
        commands: halt.commands.iter().map(|wake| CommandJson { command: &wake.line, does: wake.does }).collect(),
        no_command: halt.no_command.as_deref(),
    }
}

fn drift(drift: &Drift) -> DriftJson<'_> {
    let range = drift.range();
    DriftJson {
        state: match drift.state {
            DriftState::Periodic(_) => "periodic",
            DriftState::Never => "never",
            DriftState::Invalid(_) => "invalid",
        },
        mean_seconds: range.map(|range| Seconds(range.0)),
        min_seconds: range.map(|range| Seconds(range.1)),
        max_seconds: range.map(|range| Seconds(range.2)),
        origin: drift.origin.as_str(),
        raw: drift.raw.as_deref(),
        place: drift.place.as_ref().map(Place::from),
        token_bucket: drift.bucket.map(|bucket| bucket_json(bucket, "drift requeues of the kind")),
        skips_when_up_to_date: drift.skips_when_up_to_date,
        notes: &drift.notes,
    }
}

fn actuation(actuation: &Actuation) -> ActuationJson<'_> {
    ActuationJson {
        mode: actuation.mode.as_str(),
        origin: actuation.origin.as_str(),
        place: actuation.place.as_ref().map(Place::from),
        reason: &actuation.reason,
        notes: &actuation.notes,
    }
}

fn deletion(deletion: &Deletion) -> DeletionJson<'_> {
    let ladder = deletion.retry.as_ref().and_then(|retry| retry.ladder);
    DeletionJson {
        requested: deletion.requested.is_some(),
        requested_at: deletion.requested.flatten().map(|time| time.to_string()),
        policy: if deletion.abandons { "abandon" } else { "delete" },
        raw: deletion.policy.as_deref(),
        place: deletion.place.as_ref().map(Place::from),
        outcome: &deletion.outcome,
        ceiling_applies: false,
        retry_base_seconds: ladder.map(|ladder| Seconds(ladder.base())),
        retry_max_seconds: ladder.map(|ladder| Seconds(ladder.max())),
        finalizers: deletion
            .finalizers
            .iter()
            .map(|finalizer| FinalizerJson { name: &finalizer.name, waits_for: &finalizer.waits_for })
            .collect(),
        notes: &deletion.notes,
    }
}

fn status(live: &Live) -> StatusJson<'_> {
    StatusJson {
        ready: live.ready.as_ref().map(|ready| ReadyJson {
            status: &ready.status,
            reason: &ready.reason,
            message: &ready.message,
            last_transition_time: ready.since.map(|time| time.to_string()),
        }),
        state: live.outcome.as_str(),
        generation: live.generation,
        observed_generation: live.observed_generation,
        edit_waiting: live.behind,
        generation_reason: &live.generation_reason,
        failing_since: live.streak.as_ref().map(|streak| streak.value.0.to_string()),
        failing_seconds: live.streak.as_ref().map(|streak| Seconds(streak.value.1)),
        attempts: live.attempts.as_ref().map(|told| told_json(told, told.value)),
        last_attempt: live.last_attempt.as_ref().map(|told| told_json(told, told.value.to_string())),
        next_attempt: match &live.next {
            Next::Window { from, to, told } => NextJson {
                from: Some(from.to_string()),
                to: Some(to.to_string()),
                certainty: Some(told.certainty.as_str()),
                reason: &told.reason,
            },
            Next::Never { reason } | Next::Unknown { reason } => {
                NextJson { from: None, to: None, certainty: None, reason }
            }
        },
    }
}

fn told_json<T, U>(told: &Told<T>, value: U) -> ToldJson<'_, U> {
    ToldJson { value, certainty: told.certainty.as_str(), reason: &told.reason }
}

fn annotation(annotation: &object::Annotation) -> AnnotationJson<'_> {
    AnnotationJson {
        key: &annotation.key,
        value: match &annotation.value {
            AnnotationValue::Text(text) => Some(text),
            AnnotationValue::Null => None,
            AnnotationValue::NotAString(text) => text.as_deref(),
        },
        string: matches!(annotation.value, AnnotationValue::Text(_)),
        quoted: annotation.quoted,
        line: annotation.pos.line,
        column: annotation.pos.column,
    }
}
