//! The JSON of `explain`, version kcc-backoff/v1alpha1: types of its own, so that a change inside the program does
//! not change what scripts read.

use std::collections::HashMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use serde_json::value::RawValue;

use super::escape::escape;
use super::json::{Condition, FirstComma, Head, Place, Problem, Ref, Seconds, append, begin, end, yaml_document};
use super::plural;
use super::report::{Explanation, Summary, each_object};
use crate::assess::kcc::{
    Actuation, Assessment, CeilingAnswer, ControllerAnswer, Deletion, Drift, DriftState, Halt, Live, Next, NotWaking,
    Policy, Retry, RetryAnswer,
};
use crate::assess::{Answer, Census, Text};
use crate::backoff::{Ladder, TokenBucket};
use crate::kcc::{self, Ceiling, Controller};
use crate::object::{self, AnnotationValue};

/// Prints the explanation as one JSON document, each object on a line of its own.
///
/// # Errors
/// Those of `out`.
pub fn json(out: &mut dyn Write, explanation: Explanation<'_>) -> io::Result<Census> {
    let (input_problems, summary) = (explanation.problems, explanation.summary);
    begin(out, &Head::of("Explanation", &explanation))?;
    out.write_all(b",\n\"objects\":[")?;
    let mut first = FirstComma::new(out);
    let (census, problems) = each_object(&mut first, &explanation, true, |bytes, ladders: &mut Ladders, answer| {
        bytes.extend_from_slice(b",\n");
        append(bytes, &ObjectJson::of(answer, Some(ladders)))
    })?;
    out.write_all(b"]")?;
    end(out, input_problems.iter().chain(&problems), &summary)?;
    Ok(census)
}

/// Prints the explanation as YAML.
///
/// # Errors
/// Those of `out`.
pub fn yaml(out: &mut dyn Write, explanation: Explanation<'_>) -> io::Result<Census> {
    let world = explanation.world;
    let mut census = Census::default();
    let answers: Vec<Answer<'_>> = explanation.objects.iter().map(|object| object.assess(world)).collect();
    answers.iter().for_each(|answer| census.add(answer.marks()));
    let problems = explanation.problems.iter().chain(answers.iter().flat_map(Answer::problems));
    let document = Document {
        head: Head::of("Explanation", &explanation),
        objects: answers.iter().map(|answer| ObjectJson::of(answer, None)).collect(),
        problems: problems.map(Problem::from).collect(),
        summary: explanation.summary,
    };
    yaml_document(out, &document)?;
    Ok(census)
}

/// Prints the objects' names as kubectl does: `kind.group/name`. Objects without a name have no line.
///
/// # Errors
/// Those of `out`.
pub fn names(out: &mut dyn Write, explanation: &Explanation<'_>) -> io::Result<()> {
    for object in explanation.objects.iter().filter(|object| object.reference().name.is_some()) {
        writeln!(out, "{}", escape(&object.reference().resource()))?;
    }
    Ok(())
}

/// The JSON of each ladder, made once: fleets have few different ones.
type Ladders = HashMap<(Duration, Duration), Box<RawValue>>;

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head,
    objects: Vec<ObjectJson<'a>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<&'static str>,
    annotations: Vec<AnnotationJson<'a>>,
    notes: &'a [Text<'a>],
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
    does_not_govern: &'a [Text<'a>],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RetryJson<'a> {
    policy: Option<&'static str>,
    base_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
    token_bucket: Option<BucketJson>,
    ladder: LadderJson,
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

/// The steps of a ladder, or the JSON of them that is there already.
#[derive(Serialize)]
#[serde(untagged)]
enum LadderJson {
    Made(Box<RawValue>),
    Steps(Vec<StepJson>),
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
    #[serde(skip_serializing_if = "Option::is_none")]
    on_error_reason: Option<&'a str>,
    now: Option<bool>,
    reason: &'a str,
    woken_by: Vec<&'static str>,
    not_woken_by: Vec<&'static str>,
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
    notes: &'a [Text<'a>],
}

#[derive(Serialize)]
struct ActuationJson<'a> {
    mode: &'static str,
    origin: &'static str,
    place: Option<Place<'a>>,
    reason: &'a str,
    notes: &'a [Text<'a>],
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
    notes: &'a [Text<'a>],
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
    ready: Option<Condition<'a>>,
    state: &'static str,
    generation: Option<i64>,
    observed_generation: Option<i64>,
    edit_waiting: Option<bool>,
    generation_reason: &'a str,
    failing: Option<FailingJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_reason: Option<&'a str>,
    attempts: Option<AttemptsJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts_reason: Option<&'a str>,
    last_attempt: Option<LastJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_attempt_reason: Option<&'a str>,
    next_attempt: NextJson<'a>,
}

#[derive(Serialize)]
struct FailingJson<'a> {
    since: String,
    seconds: Seconds,
    certainty: &'static str,
    reason: &'a str,
}

#[derive(Serialize)]
struct AttemptsJson<'a> {
    value: u64,
    since: String,
    certainty: &'static str,
    reason: &'a str,
}

#[derive(Serialize)]
struct LastJson<'a> {
    from: String,
    to: String,
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
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    masked: bool,
    quoted: bool,
    line: u32,
    column: u32,
}

/// An object of either system.
#[derive(Serialize)]
#[serde(untagged)]
enum ObjectJson<'a> {
    Kcc(Box<Object<'a>>),
    Plural(Box<plural::Object<'a>>),
}

impl<'a> ObjectJson<'a> {
    fn of(answer: &'a Answer<'a>, ladders: Option<&mut Ladders>) -> ObjectJson<'a> {
        match answer {
            Answer::Kcc(assessment) => ObjectJson::Kcc(Box::new(Object::of(assessment, ladders))),
            Answer::Plural(assessment) => ObjectJson::Plural(Box::new(plural::Object::of(assessment))),
        }
    }
}

impl<'a> Object<'a> {
    fn of(assessment: &'a Assessment<'a>, ladders: Option<&mut Ladders>) -> Object<'a> {
        let facts = assessment.facts;
        Object {
            reference: Ref::from(&facts.reference),
            place: Place::from(&facts.place),
            system: "kcc",
            controller: controller(&assessment.controller),
            ceiling: ceiling(&assessment.ceiling, &assessment.ungoverned),
            retry: retry(&assessment.retry, ladders),
            halt: halt(&assessment.halt, &assessment.ceiling),
            drift: drift(&assessment.drift),
            actuation: actuation(&assessment.actuation),
            deletion: deletion(&assessment.deletion),
            status: assessment.live.as_ref().map(|live| status(live, &assessment.halt)),
            status_reason: assessment.live.is_none().then_some("the manifest has no status"),
            annotations: facts.metadata.annotations.iter().map(annotation).collect(),
            notes: &assessment.notes,
        }
    }
}

fn controller<'a>(answer: &'a ControllerAnswer<'a>) -> ControllerJson<'a> {
    ControllerJson {
        name: answer.controller.as_str(),
        decided_by: answer.decided_by.as_str(),
        supported: answer.supported.iter().map(|controller: &Controller| controller.as_str()).collect(),
        reason: &answer.reason,
        place: answer.place.as_ref().map(Place::from),
    }
}

fn ceiling<'a>(answer: &'a CeilingAnswer<'a>, ungoverned: &'a [Text<'a>]) -> CeilingJson<'a> {
    let (state, seconds, fault) = match answer.ceiling {
        Ceiling::Unset => ("unset", None, None),
        Ceiling::Seconds(seconds) => ("seconds", Some(seconds), None),
        Ceiling::Halt => ("halt", Some(0), None),
        Ceiling::Invalid(fault) => ("invalid", None, Some(fault.clause())),
    };
    CeilingJson {
        state,
        seconds,
        raw: answer.raw,
        written: answer.written,
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

fn retry<'a>(answer: &'a RetryAnswer<'a>, mut ladders: Option<&mut Ladders>) -> RetryJson<'a> {
    match answer {
        RetryAnswer::Known(retry) => one_retry(retry, ladders),
        RetryAnswer::Unknown { if_honoured, if_ignored, reason } => RetryJson {
            policy: None,
            base_seconds: None,
            max_seconds: None,
            token_bucket: None,
            ladder: LadderJson::Steps(Vec::new()),
            reason,
            if_honoured: Some(Box::new(one_retry(if_honoured, ladders.as_deref_mut()))),
            if_ignored: Some(Box::new(one_retry(if_ignored, ladders))),
        },
    }
}

fn one_retry<'a>(retry: &'a Retry<'a>, ladders: Option<&mut Ladders>) -> RetryJson<'a> {
    let ladder = match (retry.ladder, ladders) {
        (Some(ladder), Some(ladders)) => made(&ladder, ladders),
        (Some(ladder), None) => LadderJson::Steps(steps(&ladder)),
        (None, _) if retry.policy == Policy::Halt => {
            LadderJson::Steps(vec![StepJson { attempt: 1, at_seconds: Seconds(Duration::ZERO), delay_seconds: None }])
        }
        (None, _) => LadderJson::Steps(Vec::new()),
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

fn steps(ladder: &Ladder) -> Vec<StepJson> {
    let step = |step: crate::backoff::Step| StepJson {
        attempt: step.attempt,
        at_seconds: Seconds(step.at),
        delay_seconds: Some(Seconds(step.delay)),
    };
    ladder.climb().map(step).collect()
}

fn made(ladder: &Ladder, ladders: &mut Ladders) -> LadderJson {
    let key = (ladder.base(), ladder.max());
    if let Some(made) = ladders.get(&key) {
        return LadderJson::Made(made.clone());
    }
    let steps = steps(ladder);
    match serde_json::value::to_raw_value(&steps) {
        Ok(made) => {
            ladders.insert(key, made.clone());
            LadderJson::Made(made)
        }
        Err(_) => LadderJson::Steps(steps),
    }
}

fn bucket_json(bucket: TokenBucket, shared_by: &'static str) -> BucketJson {
    BucketJson { per_second: bucket.per_second, burst: bucket.burst, shared_by }
}

fn halt<'a>(halt: &'a Halt<'a>, ceiling: &'a CeilingAnswer<'a>) -> HaltJson<'a> {
    HaltJson {
        on_error: halt.on_error,
        on_error_reason: halt.on_error.is_none().then_some(ceiling.reason.as_ref()),
        now: halt.now,
        reason: &halt.now_reason,
        woken_by: halt.woken_by.iter().map(|wake| wake.as_str()).collect(),
        not_woken_by: halt.not_woken_by.iter().map(|not: &NotWaking| not.as_str()).collect(),
        commands: halt.commands.iter().map(|wake| CommandJson { command: &wake.line, does: wake.does }).collect(),
        no_command: halt.no_command.as_deref(),
    }
}

fn drift<'a>(drift: &'a Drift<'a>) -> DriftJson<'a> {
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
        raw: drift.raw,
        place: drift.place.as_ref().map(Place::from),
        token_bucket: drift.bucket.map(|bucket| bucket_json(bucket, "drift requeues of the kind")),
        skips_when_up_to_date: drift.skips_when_up_to_date,
        notes: &drift.notes,
    }
}

fn actuation<'a>(actuation: &'a Actuation<'a>) -> ActuationJson<'a> {
    ActuationJson {
        mode: actuation.mode.as_str(),
        origin: actuation.origin.as_str(),
        place: actuation.place.as_ref().map(Place::from),
        reason: &actuation.reason,
        notes: &actuation.notes,
    }
}

fn deletion<'a>(deletion: &'a Deletion<'a>) -> DeletionJson<'a> {
    let ladder = deletion.retry.as_ref().and_then(|retry| retry.ladder);
    DeletionJson {
        requested: deletion.requested.is_some(),
        requested_at: deletion.requested.flatten().map(|time| time.to_string()),
        policy: if deletion.abandons { "abandon" } else { "delete" },
        raw: deletion.policy,
        place: deletion.place.as_ref().map(Place::from),
        outcome: &deletion.outcome,
        ceiling_applies: false,
        retry_base_seconds: ladder.map(|ladder| Seconds(ladder.base())),
        retry_max_seconds: ladder.map(|ladder| Seconds(ladder.max())),
        finalizers: deletion
            .finalizers
            .iter()
            .map(|finalizer| FinalizerJson { name: finalizer.name, waits_for: &finalizer.waits_for })
            .collect(),
        notes: &deletion.notes,
    }
}

fn status<'a>(live: &'a Live<'a>, halt: &Halt<'_>) -> StatusJson<'a> {
    // What decides the next attempt also decides that no ladder can be counted on.
    let next_reason: &str = match &live.next {
        Next::Window { told, .. } => &told.reason,
        Next::Never { reason } | Next::Unknown { reason } => reason,
    };
    let failing_reason = match live.outcome.is_failing() {
        true => "Ready has no lastTransitionTime",
        false => "the status is not that of a failing object",
    };
    StatusJson {
        failing_reason: live.streak.is_none().then_some(failing_reason),
        attempts_reason: live.attempts.is_none().then_some(next_reason),
        last_attempt_reason: live.last_attempt.is_none().then_some("nothing in the object tells"),
        ready: live.ready.map(Condition::from),
        state: if halt.now == Some(true) { "halted" } else { live.outcome.as_str() },
        generation: live.generation,
        observed_generation: live.observed_generation,
        edit_waiting: live.behind,
        generation_reason: &live.generation_reason,
        failing: live.streak.as_ref().map(|streak| FailingJson {
            since: streak.value.0.to_string(),
            seconds: Seconds(streak.value.1),
            certainty: streak.certainty.as_str(),
            reason: &streak.reason,
        }),
        attempts: live.attempts.as_ref().map(|told| AttemptsJson {
            value: told.value.0,
            since: told.value.1.to_string(),
            certainty: told.certainty.as_str(),
            reason: &told.reason,
        }),
        last_attempt: live.last_attempt.as_ref().map(|told| LastJson {
            from: told.value.from.to_string(),
            to: told.value.to.to_string(),
            certainty: told.certainty.as_str(),
            reason: &told.reason,
        }),
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

fn annotation(annotation: &object::Annotation) -> AnnotationJson<'_> {
    let masked = kcc::is_sensitive_key(&annotation.key);
    AnnotationJson {
        key: &annotation.key,
        value: match &annotation.value {
            _ if masked => None,
            AnnotationValue::Text(text) => Some(text),
            AnnotationValue::Null => None,
            AnnotationValue::NotAString(text) => text.as_deref(),
        },
        string: matches!(annotation.value, AnnotationValue::Text(_)),
        masked,
        quoted: annotation.quoted,
        line: annotation.pos.line,
        column: annotation.pos.column,
    }
}
