use std::io::{self, Write};

use serde::Serialize;
use serde_json::Value;

use super::{PlanReport, words};
use crate::output::json::{self, Place, Problem, Ref, Seconds};
use crate::plural::compare::Change;
use crate::reconcile::{Entry, Id, NewStatus, Planned, Requeue, Semantics};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    api_version: &'static str,
    kind: &'static str,
    semantics: &'static str,
    told_by: &'a str,
    sent: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Object<'a> {
    #[serde(rename = "ref")]
    reference: Ref<'a>,
    place: Place<'a>,
    action: &'static str,
    /// What would be done if nothing were missing.
    then: Option<&'static str>,
    reason: &'a str,
    outcome: &'static str,
    forbidden: bool,
    ownership: &'static str,
    remote_id: Option<&'a str>,
    mutation: Option<&'static str>,
    document: Option<&'a str>,
    variables: Option<&'a serde_json::Map<String, Value>>,
    followed_by: Option<FollowedBy<'a>>,
    changes: Vec<ChangeJson<'a>>,
    /// Where the Console differs, and stays as it is.
    differences: Vec<ChangeJson<'a>>,
    not_compared: Vec<NotCompared<'a>>,
    deletion: Option<&'a str>,
    status: Option<StatusJson<'a>>,
    requeue: RequeueJson,
    in_cluster: Option<InCluster<'a>>,
    missing: Vec<MissingJson<'a>>,
    warnings: &'a [String],
    notes: &'a [String],
    problems: Vec<Problem<'a>>,
}

#[derive(Serialize)]
struct FollowedBy<'a> {
    mutation: &'static str,
    variables: Value,
    secret: &'a str,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    path: &'a str,
    from: &'a Value,
    to: &'a Value,
}

#[derive(Serialize)]
struct NotCompared<'a> {
    path: &'a str,
    reason: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatusJson<'a> {
    id: Option<&'a str>,
    id_reason: Option<&'static str>,
    sha: Option<&'a str>,
    readonly: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    health: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Option<&'a str>>,
    conditions: Vec<ConditionJson<'a>>,
}

#[derive(Serialize)]
struct ConditionJson<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    status: &'static str,
    reason: &'static str,
    message: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequeueJson {
    state: &'static str,
    min_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
}

#[derive(Serialize)]
struct InCluster<'a> {
    action: &'static str,
    mutation: Option<&'static str>,
    confidence: &'static str,
    note: Option<&'a str>,
    text: String,
}

#[derive(Serialize)]
struct MissingJson<'a> {
    field: &'a str,
    what: &'a str,
    place: Place<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SummaryJson {
    create: usize,
    adopt: usize,
    update: usize,
    delete: usize,
    read_only: usize,
    in_sync: usize,
    keep: usize,
    wait: usize,
    unknown: usize,
    refuse: usize,
    not_reconciled: usize,
    forbidden: usize,
    #[serde(flatten)]
    read: crate::output::Summary,
}

/// The names of what is missing and what counts are given: the version `kcc-backoff/v1alpha1` of `Plan`.
impl<'a> Object<'a> {
    fn of(entry: &'a Entry<'a>, report: &PlanReport<'a>) -> Object<'a> {
        let changes = |when: bool| -> Vec<ChangeJson<'a>> {
            let all = entry.changes.iter().filter(|_| when);
            all.map(|Change { path, from, to }| ChangeJson { path, from, to }).collect()
        };
        let stays = !entry.is_sent();
        Object {
            reference: Ref::from(&entry.facts.reference),
            place: Place::from(&entry.facts.place),
            action: entry.planned.as_str(),
            then: entry.then.map(Planned::as_str),
            reason: &entry.reason,
            outcome: outcome(entry.planned),
            forbidden: report.forbidden.contains(&entry.planned),
            ownership: entry.ownership.as_str(),
            remote_id: entry.remote.as_deref(),
            mutation: entry.sending.as_ref().map(|sending| sending.field),
            document: entry.sending.as_ref().map(|sending| sending.document.as_str()),
            variables: entry.sending.as_ref().map(|sending| &sending.shown),
            followed_by: entry.follows.as_ref().map(|follows| FollowedBy {
                mutation: follows.field,
                variables: follows.variables(),
                secret: &follows.secret,
            }),
            changes: changes(!stays),
            differences: changes(stays),
            not_compared: entry
                .uncompared
                .iter()
                .map(|field| NotCompared { path: &field.path, reason: field.reason })
                .collect(),
            deletion: entry.later.as_deref(),
            status: entry.status.as_ref().map(status),
            requeue: requeue(entry.requeue),
            in_cluster: entry.controller.as_ref().map(|controller| InCluster {
                action: controller.planned.as_str(),
                mutation: controller.mutation,
                confidence: controller.confidence.as_str(),
                note: Some(controller.note.as_ref()).filter(|note| !note.is_empty()),
                text: words::controller(controller, entry),
            }),
            missing: entry
                .missing
                .iter()
                .map(|missing| MissingJson {
                    field: &missing.field,
                    what: &missing.what,
                    place: Place::from(&missing.place),
                })
                .collect(),
            warnings: &entry.warnings,
            notes: &entry.notes,
            problems: entry.problems.iter().map(Problem::from).collect(),
        }
    }
}

fn outcome(planned: Planned) -> &'static str {
    match planned {
        Planned::Wait => "held-back",
        Planned::Unknown => "unknown",
        Planned::Refuse => "failed",
        Planned::NotReconciled => "skipped",
        _ => "planned",
    }
}

fn status(status: &NewStatus) -> StatusJson<'_> {
    let (id, id_reason) = match &status.id {
        Id::Known(id) => (Some(id.as_str()), None),
        Id::Given => (None, Some("the Console gives it")),
        Id::Cleared => (None, Some("it is taken away")),
        Id::Unchanged => (None, Some("it stays as it was")),
    };
    StatusJson {
        id,
        id_reason,
        sha: status.sha.as_deref(),
        readonly: status.readonly,
        health: status.repository.as_ref().map(|(health, _)| health.as_deref()),
        message: status.repository.as_ref().map(|(_, message)| message.as_deref()),
        conditions: status
            .conditions
            .iter()
            .map(|condition| ConditionJson {
                kind: condition.kind,
                status: if condition.status { "True" } else { "False" },
                reason: condition.reason,
                message: &condition.message,
            })
            .collect(),
    }
}

fn requeue(requeue: Requeue) -> RequeueJson {
    let (state, range) = match requeue {
        Requeue::Within(least, most) => ("within", Some((least, most))),
        Requeue::BackOff(least, most) => ("back-off", Some((least, most))),
        Requeue::Never => ("never", None),
        Requeue::Panics => ("panics", None),
    };
    RequeueJson {
        state,
        min_seconds: range.map(|(least, _)| Seconds(least)),
        max_seconds: range.map(|(_, most)| Seconds(most)),
    }
}

fn head<'a>(report: &PlanReport<'a>) -> Head<'a> {
    Head {
        api_version: json::API_VERSION,
        kind: "Plan",
        semantics: match report.plan.semantics {
            Semantics::Documented => "documented",
            Semantics::Controller => "controller",
        },
        told_by: report.told_by,
        sent: false,
    }
}

fn summary(report: &PlanReport<'_>) -> SummaryJson {
    let counts = report.plan.counts();
    let count = |planned: Planned| counts.get(&planned).copied().unwrap_or_default();
    SummaryJson {
        create: count(Planned::Create),
        adopt: count(Planned::Adopt),
        update: count(Planned::Update),
        delete: count(Planned::Delete),
        read_only: count(Planned::ReadOnly),
        in_sync: count(Planned::InSync),
        keep: count(Planned::Keep),
        wait: count(Planned::Wait),
        unknown: count(Planned::Unknown),
        refuse: count(Planned::Refuse),
        not_reconciled: count(Planned::NotReconciled),
        forbidden: report.forbidden.iter().map(|planned| count(*planned)).sum(),
        read: report.summary,
    }
}

/// Prints the plan as JSON, an object a line.
///
/// # Errors
/// Those of `out`.
pub fn json(out: &mut dyn Write, report: &PlanReport<'_>) -> io::Result<()> {
    json::begin(out, &head(report))?;
    json::array(out, "objects", report.plan.entries.iter().map(|entry| Object::of(entry, report)))?;
    json::end(out, report.problems.iter(), &summary(report))
}

/// Prints the same as YAML.
///
/// # Errors
/// Those of `out`.
pub fn yaml(out: &mut dyn Write, report: &PlanReport<'_>) -> io::Result<()> {
    let mut bytes = Vec::new();
    json(&mut bytes, report)?;
    let document: Value = serde_json::from_slice(&bytes).map_err(io::Error::other)?;
    json::yaml_document(out, &document)
}
