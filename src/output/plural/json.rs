//! The JSON of an object of the Plural Console.

use serde::Serialize;

use crate::assess::Text;
use crate::assess::plural::{Asked, Assessment, Deletion, Live, Mode, Outcome, Requeue, RequeueState, Wait};
use crate::output::json::{self, Place, Ref, Seconds};
use crate::plural::{self, Field, IfMissing};

/// Why nothing is told of an object.
const UNKNOWN_KIND: &str = "the kind is unknown to this version";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::output) struct Object<'a> {
    #[serde(rename = "ref")]
    reference: Ref<'a>,
    place: Place<'a>,
    system: &'static str,
    known: bool,
    identity: IdentityJson<'a>,
    drift_detection: Option<DriftDetectionJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drift_detection_reason: Option<&'static str>,
    mode: ModeJson<'a>,
    requeue: RequeueJson<'a>,
    deletion: DeletionJson<'a>,
    waits_for: Vec<WaitJson<'a>>,
    adds: &'a [Text<'a>],
    woken_by: &'a str,
    errors: Option<ErrorsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors_reason: Option<&'static str>,
    status: Option<StatusJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status_reason: Option<&'static str>,
    notes: &'a [Text<'a>],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct IdentityJson<'a> {
    scope: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scope_reason: Option<&'static str>,
    field: Option<&'static str>,
    value: Option<&'a str>,
    masked: bool,
    from: Option<&'static str>,
    place: Option<Place<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    lookup: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lookup_reason: Option<&'static str>,
}

#[derive(Serialize)]
struct DriftDetectionJson<'a> {
    value: bool,
    origin: &'static str,
    place: Option<Place<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModeJson<'a> {
    if_absent: &'static str,
    if_present: &'static str,
    if_unreachable: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_unreachable_reason: Option<&'static str>,
    now: Option<&'static str>,
    now_reason: &'a str,
    details: ModeDetails<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModeDetails<'a> {
    if_absent: OutcomeJson<'a>,
    if_present: OutcomeJson<'a>,
    if_unreachable: Option<OutcomeJson<'a>>,
    now: Option<OutcomeJson<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutcomeJson<'a> {
    action: &'static str,
    documented: Option<&'static str>,
    mutation: Option<&'static str>,
    requeue: Option<&'static str>,
    confidence: &'static str,
    note: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequeueJson<'a> {
    state: Option<&'static str>,
    mean_seconds: Option<Seconds>,
    min_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
    origin: &'static str,
    raw: Option<&'a str>,
    place: Option<Place<'a>>,
    reason: &'a str,
    confidence: Option<&'static str>,
    waiting: Option<RangeJson>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RangeJson {
    min_seconds: Seconds,
    max_seconds: Seconds,
}

/// What follows an error of a pass.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErrorsJson {
    retry_base_seconds: Seconds,
    retry_max_seconds: Seconds,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeletionJson<'a> {
    requested: bool,
    requested_at: Option<String>,
    if_absent: &'static str,
    if_present: &'static str,
    now: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    now_reason: Option<&'a str>,
    finalizer: Option<&'static str>,
    has_finalizer: bool,
    other_finalizers: Vec<&'a str>,
    details: DeletionDetails<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeletionDetails<'a> {
    if_absent: OutcomeJson<'a>,
    if_present: OutcomeJson<'a>,
    now: Option<OutcomeJson<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WaitJson<'a> {
    field: &'a str,
    kind: &'static str,
    namespace: Option<&'a str>,
    name: &'a str,
    place: Place<'a>,
    found_at: Option<Place<'a>>,
    has_id: Option<bool>,
    if_missing: &'static str,
    if_without_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatusJson<'a> {
    state: &'static str,
    id: Option<&'a str>,
    has_hash: bool,
    readonly: Option<bool>,
    ready: Option<json::Condition<'a>>,
    synchronized: Option<json::Condition<'a>>,
    health: Option<&'a str>,
}

impl<'a> Object<'a> {
    pub(in crate::output) fn of(assessment: &'a Assessment<'a>) -> Object<'a> {
        let facts = assessment.facts;
        let (origin, place) = match &facts.reconciliation.drift_detection {
            Field::Given(_, pos) => ("spec", Some(Place::from_pos(&facts.place.file, *pos))),
            _ if facts.reconciliation.present => ("crd-default", None),
            _ => ("built-in", None),
        };
        Object {
            reference: Ref::from(&facts.reference),
            place: Place::from(&facts.place),
            system: "plural",
            known: facts.kind.is_some(),
            identity: identity(assessment),
            // Whether a kind that is not known has the field is not known either.
            drift_detection: facts.kind.map(|_| DriftDetectionJson {
                value: assessment.drift_detection,
                origin,
                place,
            }),
            drift_detection_reason: facts.kind.is_none().then_some(UNKNOWN_KIND),
            mode: mode(&assessment.mode),
            requeue: requeue(&assessment.requeue, facts.kind.is_some()),
            deletion: deletion(assessment, &assessment.deletion),
            waits_for: assessment.waits.iter().map(wait).collect(),
            adds: &assessment.adds,
            woken_by: &assessment.wakes,
            errors: facts.kind.map(|_| ErrorsJson {
                retry_base_seconds: Seconds(plural::ERROR_BASE),
                retry_max_seconds: Seconds(plural::ERROR_MAX),
            }),
            errors_reason: facts.kind.is_none().then_some(UNKNOWN_KIND),
            status: assessment.live.as_ref().map(status),
            status_reason: assessment.live.is_none().then_some("the manifest has no status"),
            notes: &assessment.notes,
        }
    }
}

fn identity<'a>(assessment: &'a Assessment<'a>) -> IdentityJson<'a> {
    let (facts, identity) = (assessment.facts, &assessment.identity);
    let query = facts.kind.and_then(|kind| kind.query);
    let (lookup, lookup_reason) = match identity.asked {
        Asked::Value => (query, None),
        Asked::EmptyName => (query, Some("spec.name is empty: it is looked up by that, and written by metadata.name")),
        Asked::Nothing => {
            (None, Some("spec.name is not set: it is written by metadata.name, and never looked up by it"))
        }
    };
    IdentityJson {
        lookup_reason,
        scope: identity.scope.map(|scope| scope.as_str()),
        scope_reason: identity.scope.is_none().then_some("the scope of this kind was not read"),
        field: identity.field,
        value: identity.value.as_deref(),
        masked: identity.masked,
        from: identity.from,
        place: identity.place.as_ref().map(Place::from),
        reason: identity.reason.as_deref(),
        lookup,
    }
}

fn mode<'a>(mode: &'a Mode<'a>) -> ModeJson<'a> {
    ModeJson {
        if_absent: mode.if_absent.action.as_str(),
        if_present: mode.if_present.action.as_str(),
        if_unreachable: mode.if_unreachable.as_ref().map(|outcome| outcome.action.as_str()),
        if_unreachable_reason: mode
            .if_unreachable
            .is_none()
            .then_some("what a failed look-up of this kind leads to was not read"),
        now: mode.now.as_ref().map(|outcome| outcome.action.as_str()),
        now_reason: &mode.now_reason,
        details: ModeDetails {
            if_absent: outcome(&mode.if_absent),
            if_present: outcome(&mode.if_present),
            if_unreachable: mode.if_unreachable.as_ref().map(outcome),
            now: mode.now.as_ref().map(outcome),
        },
    }
}

fn outcome<'a>(outcome: &'a Outcome<'a>) -> OutcomeJson<'a> {
    OutcomeJson {
        action: outcome.action.as_str(),
        documented: outcome.documented.map(|action| action.as_str()),
        mutation: outcome.mutation,
        requeue: outcome.returns.map(|returns| returns.as_str()),
        confidence: outcome.confidence.as_str(),
        note: Some(outcome.note.as_ref()).filter(|note| !note.is_empty()),
    }
}

fn requeue<'a>(requeue: &'a Requeue<'a>, known: bool) -> RequeueJson<'a> {
    let range = requeue.range();
    RequeueJson {
        state: match requeue.state {
            RequeueState::Periodic(_) => Some("periodic"),
            RequeueState::Never => Some("never"),
            RequeueState::Panics => Some("panics"),
            RequeueState::Unknown => None,
        },
        mean_seconds: range.map(|range| Seconds(range.0)),
        min_seconds: range.map(|range| Seconds(range.1)),
        max_seconds: range.map(|range| Seconds(range.2)),
        origin: requeue.origin.as_str(),
        raw: requeue.raw,
        place: requeue.place.as_ref().map(Place::from),
        reason: &requeue.reason,
        confidence: requeue.confidence.map(|confidence| confidence.as_str()),
        waiting: known
            .then_some(RangeJson { min_seconds: Seconds(plural::WAIT.0), max_seconds: Seconds(plural::WAIT.1) }),
    }
}

fn deletion<'a>(assessment: &'a Assessment<'a>, deletion: &'a Deletion<'a>) -> DeletionJson<'a> {
    let own = assessment.facts.kind.and_then(|kind| kind.finalizer);
    let finalizers = &assessment.facts.metadata.finalizers;
    DeletionJson {
        requested: deletion.requested.is_some(),
        requested_at: deletion.requested.flatten().map(|time| time.to_string()),
        if_absent: deletion.if_absent.action.as_str(),
        if_present: deletion.if_present.action.as_str(),
        now: deletion.now.as_ref().map(|outcome| outcome.action.as_str()),
        now_reason: Some(deletion.now_reason.as_ref()).filter(|reason| !reason.is_empty()),
        finalizer: own,
        has_finalizer: assessment.facts.has_finalizer(),
        other_finalizers: finalizers.iter().map(String::as_str).filter(|name| Some(*name) != own).collect(),
        details: DeletionDetails {
            if_absent: outcome(&deletion.if_absent),
            if_present: outcome(&deletion.if_present),
            now: deletion.now.as_ref().map(outcome),
        },
    }
}

fn wait<'a>(wait: &'a Wait<'a>) -> WaitJson<'a> {
    let lack = |lack| match lack {
        IfMissing::Wait => "wait",
        IfMissing::Error => "error",
        IfMissing::SentWithout => "sent-without",
        IfMissing::Nothing => "nothing",
    };
    WaitJson {
        field: &wait.field,
        kind: wait.target,
        namespace: wait.namespace,
        name: &wait.name,
        place: Place::from(&wait.place),
        found_at: wait.found.as_ref().map(|(place, _)| Place::from(place)),
        has_id: wait.found.as_ref().map(|(_, has_id)| *has_id),
        if_missing: lack(wait.missing),
        if_without_id: lack(wait.without_id),
    }
}

fn status<'a>(live: &'a Live<'a>) -> StatusJson<'a> {
    StatusJson {
        state: live.state.as_str(),
        id: live.status.id.as_deref(),
        has_hash: live.status.sha,
        readonly: live.status.readonly,
        ready: live.status.ready.as_ref().map(json::Condition::from),
        synchronized: live.status.synchronized.as_ref().map(json::Condition::from),
        health: live.status.health.as_deref(),
    }
}
