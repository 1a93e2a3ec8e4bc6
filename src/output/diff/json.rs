//! The JSON of `diff`, version kcc-backoff/v1alpha1: types of its own, so that a change inside the program does not
//! change what scripts read.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use super::{Diff, DiffSide, each_entry};
use crate::assess::World;
use crate::assess::plural::RequeueState;
use crate::backoff::Ladder;
use crate::diff::{
    CeilingState, CeilingValue, Change, Common, CommonValue, ControllerValue, Counts, Deed, DeletionDeeds,
    DeletionValue, DriftValue, Entry, IdentityValue, LadderValue, Modes, Topic, Value,
};
use crate::kcc::{self, CeilingSupport};
use crate::output::json::{API_VERSION, Place, Problem, Ref, Seconds, append, begin, end, yaml_document};
use crate::output::report::Summary;
use crate::plural;

/// Prints what differs as one JSON document, each object on a line of its own.
///
/// # Errors
/// Those of `out`.
pub fn json(out: &mut dyn Write, diff: Diff<'_>) -> io::Result<()> {
    let comparison = diff.comparison;
    begin(out, &Head::of(&diff))?;
    out.write_all(b",\n\"objects\":[")?;
    // Every object but the first stands behind a comma.
    let (first, rest) = comparison.entries.split_at(comparison.entries.len().min(1));
    for (entries, separator) in [(first, "\n"), (rest, ",\n")] {
        each_entry(out, entries, |bytes, entry| {
            bytes.extend_from_slice(separator.as_bytes());
            let changes = entry.changes(comparison.old, comparison.new);
            append(bytes, &object(entry, &changes, comparison.old, comparison.new))
        })?;
    }
    out.write_all(b"]")?;
    end(out, diff.problems.iter(), &comparison.counts)
}

/// Prints what differs as YAML.
///
/// # Errors
/// Those of `out`.
pub fn yaml(out: &mut dyn Write, diff: Diff<'_>) -> io::Result<()> {
    let comparison = diff.comparison;
    let entries: Vec<_> =
        comparison.entries.iter().map(|entry| (entry, entry.changes(comparison.old, comparison.new))).collect();
    let objects = entries.iter().map(|(entry, changes)| object(entry, changes, comparison.old, comparison.new));
    let document = Document {
        head: Head::of(&diff),
        objects: objects.collect(),
        problems: diff.problems.iter().map(Problem::from).collect(),
        summary: comparison.counts,
    };
    yaml_document(out, &document)
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    objects: Vec<ObjectJson<'a>>,
    problems: Vec<Problem<'a>>,
    summary: Counts,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    api_version: &'static str,
    kind: &'static str,
    from: SideJson<'a>,
    to: SideJson<'a>,
    note: String,
    common: Vec<CommonJson>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SideJson<'a> {
    release: String,
    release_named: bool,
    inputs: &'a [String],
    summary: Summary,
}

#[derive(Serialize)]
struct CommonJson {
    aspect: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<&'static str>,
    from: CommonValueJson,
    to: CommonValueJson,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CommonValueJson {
    Ladder(Span),
    Word(&'static str),
    Holds(Option<bool>),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Span {
    base_seconds: Seconds,
    max_seconds: Seconds,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ObjectJson<'a> {
    #[serde(rename = "ref")]
    reference: Ref<'a>,
    system: &'static str,
    change: &'static str,
    place_old: Option<Place<'a>>,
    place_new: Option<Place<'a>>,
    changes: Vec<ChangeJson<'a>>,
}

#[derive(Serialize)]
struct ChangeJson<'a> {
    aspect: &'static str,
    from: Option<ValueJson<'a>>,
    to: Option<ValueJson<'a>>,
    reason: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ValueJson<'a> {
    Controller(ControllerJson),
    Ceiling(CeilingJson),
    Halting(HaltingJson),
    Ladder(LadderJson),
    Drift(DriftJson),
    Actuation(ActuationJson),
    Deletion(DeletionJson),
    Identity(IdentityJson<'a>),
    Mode(ModeJson),
    Requeue(RequeueJson),
    Deeds(DeedsJson),
}

#[derive(Serialize)]
struct ControllerJson {
    name: &'static str,
    default: Option<&'static str>,
    supported: Vec<&'static str>,
}

#[derive(Serialize)]
struct CeilingJson {
    state: &'static str,
    seconds: Option<u32>,
    refused: bool,
    /// Left out where there is nothing to honour; null: not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    honoured: Option<Option<bool>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HaltingJson {
    /// null: not known.
    on_error: Option<bool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LadderJson {
    policy: Option<&'static str>,
    base_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_honoured: Option<Box<LadderJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    if_ignored: Option<Box<LadderJson>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DriftJson {
    state: &'static str,
    mean_seconds: Option<Seconds>,
    min_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    token_bucket: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    skips_when_up_to_date: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<bool>,
}

#[derive(Serialize)]
struct ActuationJson {
    mode: Option<&'static str>,
}

#[derive(Serialize)]
struct DeletionJson {
    policy: Option<&'static str>,
    requested: Option<bool>,
}

#[derive(Serialize)]
struct IdentityJson<'a> {
    field: Option<&'static str>,
    value: Option<&'a str>,
    masked: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ModeJson {
    if_absent: &'static str,
    if_present: &'static str,
    if_unreachable: Option<&'static str>,
    now: Option<&'static str>,
    mutations: MutationsJson,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MutationsJson {
    if_absent: Option<&'static str>,
    if_present: Option<&'static str>,
    now: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequeueJson {
    state: Option<&'static str>,
    mean_seconds: Option<Seconds>,
    min_seconds: Option<Seconds>,
    max_seconds: Option<Seconds>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeedsJson {
    requested: bool,
    if_absent: &'static str,
    if_present: &'static str,
    now: Option<&'static str>,
}

impl<'a> Head<'a> {
    fn of(diff: &Diff<'a>) -> Head<'a> {
        let comparison = diff.comparison;
        Head {
            api_version: API_VERSION,
            kind: "Diff",
            from: SideJson::of(diff.from, comparison.old),
            to: SideJson::of(diff.to.unwrap_or(diff.from), comparison.new),
            note: diff.told_for(),
            common: comparison.common.iter().map(common).collect(),
        }
    }
}

impl<'a> SideJson<'a> {
    fn of(side: &'a DiffSide, world: &World) -> SideJson<'a> {
        SideJson {
            release: world.release.to_string(),
            release_named: world.release_named,
            inputs: &side.inputs,
            summary: side.summary,
        }
    }
}

fn common(common: &Common) -> CommonJson {
    let (aspect, edit) = match common.topic {
        Topic::Controllers => ("controllers", None),
        Topic::DefaultLadder => ("defaultLadder", None),
        Topic::CeilingAnnotation => ("ceilingAnnotation", None),
        Topic::Wake(wake) => ("wakes", Some(wake.as_str())),
        Topic::ActuationAnnotation => ("actuationAnnotation", None),
        Topic::LookupErrors => ("lookupErrorsCountAsNotFound", None),
        Topic::PartialPolicyChoice => ("partialPolicyChoice", None),
        Topic::MemberDriftBucket => ("policyMemberDriftBucket", None),
    };
    CommonJson { aspect, edit, from: common_value(common.from), to: common_value(common.to) }
}

fn common_value(value: CommonValue) -> CommonValueJson {
    match value {
        CommonValue::Ladder(ladder) => CommonValueJson::Ladder(span(&ladder)),
        CommonValue::Support(CeilingSupport::Honoured) => CommonValueJson::Word("honoured"),
        CommonValue::Support(CeilingSupport::Ignored) => CommonValueJson::Word("ignored"),
        CommonValue::Support(CeilingSupport::Unknown) => CommonValueJson::Word("unknown"),
        CommonValue::Holds(holds) => CommonValueJson::Holds(holds),
        CommonValue::Known(known) => CommonValueJson::Word(if known { "known" } else { "unknown" }),
    }
}

fn span(ladder: &Ladder) -> Span {
    Span { base_seconds: Seconds(ladder.base()), max_seconds: Seconds(ladder.max()) }
}

fn object<'a>(entry: &Entry<'a>, changes: &'a [Change<'_>], old: &World, new: &World) -> ObjectJson<'a> {
    let object = entry.object();
    let place = |object: &'a crate::assess::Object| Some(Place::from(object.place()));
    let (change, place_old, place_new) = match entry {
        Entry::Changed { old, new } => ("changed", place(old), place(new)),
        Entry::Added(new) => ("added", None, place(new)),
        Entry::Removed(old) => ("removed", place(old), None),
    };
    ObjectJson {
        reference: Ref::from(object.reference()),
        system: match object {
            crate::assess::Object::Kcc(_) => "kcc",
            crate::assess::Object::Plural(_) => "plural",
        },
        change,
        place_old,
        place_new,
        changes: changes
            .iter()
            .map(|change| ChangeJson {
                aspect: change.aspect.as_str(),
                from: change.from.as_ref().map(|from| value(from, old)),
                to: change.to.as_ref().map(|to| value(to, new)),
                reason: (!change.reason.is_empty()).then_some(&*change.reason),
            })
            .collect(),
    }
}

fn value<'a>(value: &'a Value<'_>, world: &World) -> ValueJson<'a> {
    match value {
        Value::Controller(value) => ValueJson::Controller(controller(value)),
        Value::Ceiling(value) => ValueJson::Ceiling(ceiling(*value)),
        Value::Halting(on_error) => ValueJson::Halting(HaltingJson { on_error: *on_error }),
        Value::Ladder(value) => ValueJson::Ladder(ladder(*value, world)),
        Value::Drift(value) => ValueJson::Drift(drift(*value)),
        Value::Actuation(mode) => ValueJson::Actuation(ActuationJson { mode: mode.map(|mode| mode.as_str()) }),
        Value::Deletion(value) => ValueJson::Deletion(deletion(*value)),
        Value::Identity(value) => ValueJson::Identity(identity(value)),
        Value::Mode(modes) => ValueJson::Mode(mode(modes)),
        Value::Requeue(state) => ValueJson::Requeue(requeue(*state)),
        Value::Deeds(value) => ValueJson::Deeds(deeds(value)),
    }
}

fn controller(value: &ControllerValue) -> ControllerJson {
    ControllerJson {
        name: value.controller.as_str(),
        default: value.choice.map(|choice| choice.default.as_str()),
        supported: value.choice.into_iter().flat_map(|choice| choice.supported()).map(|one| one.as_str()).collect(),
    }
}

fn ceiling(value: CeilingValue) -> CeilingJson {
    CeilingJson {
        state: value.state.as_str(),
        seconds: match value.state {
            CeilingState::Seconds(seconds) => Some(seconds),
            CeilingState::Halt => Some(0),
            _ => None,
        },
        refused: value.state == CeilingState::Refused,
        honoured: matches!(value.state, CeilingState::Seconds(_) | CeilingState::Halt).then_some(value.honoured),
    }
}

fn ladder(value: LadderValue, world: &World) -> LadderJson {
    let of = |policy, ladder: Option<Ladder>| LadderJson {
        policy: Some(policy),
        base_seconds: ladder.map(|ladder| Seconds(ladder.base())),
        max_seconds: ladder.map(|ladder| Seconds(ladder.max())),
        if_honoured: None,
        if_ignored: None,
    };
    match value {
        LadderValue::Default => of("default", Some(world.release.default_ladder())),
        LadderValue::Ceiling(seconds) => of("ceiling", Some(kcc::ceiling_ladder(seconds))),
        LadderValue::Halt => of("halt", None),
        LadderValue::NoAttempts => of("none", None),
        LadderValue::Unknown(seconds) => LadderJson {
            policy: None,
            base_seconds: None,
            max_seconds: None,
            if_honoured: Some(Box::new(ladder(seconds.map_or(LadderValue::Halt, LadderValue::Ceiling), world))),
            if_ignored: Some(Box::new(ladder(LadderValue::Default, world))),
        },
    }
}

fn drift(value: DriftValue) -> DriftJson {
    let mut json = DriftJson {
        state: "never",
        mean_seconds: None,
        min_seconds: None,
        max_seconds: None,
        token_bucket: None,
        skips_when_up_to_date: None,
        refused: None,
    };
    match value {
        DriftValue::Periodic(mean, bucket) => {
            let (least, most) = kcc::jitter(mean);
            json.state = "periodic";
            json.mean_seconds = Some(Seconds(Duration::from_secs(u64::from(mean))));
            json.min_seconds = Some(Seconds(least));
            json.max_seconds = Some(Seconds(most));
            json.token_bucket = Some(bucket);
        }
        DriftValue::Never(skips) => json.skips_when_up_to_date = Some(skips),
        DriftValue::NoController => {}
        DriftValue::Invalid | DriftValue::Refused => {
            json.state = "invalid";
            json.refused = Some(value == DriftValue::Refused);
        }
    }
    json
}

fn deletion(value: DeletionValue) -> DeletionJson {
    match value {
        DeletionValue::NoController => DeletionJson { policy: None, requested: None },
        DeletionValue::Done => DeletionJson { policy: None, requested: Some(true) },
        DeletionValue::Outcome { keeps, requested } => {
            DeletionJson { policy: Some(if keeps { "abandon" } else { "delete" }), requested: Some(requested) }
        }
    }
}

fn identity<'a>(value: &'a IdentityValue<'_>) -> IdentityJson<'a> {
    IdentityJson { field: value.field, value: value.value.as_deref(), masked: value.masked() }
}

fn action(deed: &Deed) -> &'static str {
    deed.action.as_str()
}

fn mode(modes: &Modes) -> ModeJson {
    ModeJson {
        if_absent: action(&modes.if_absent),
        if_present: action(&modes.if_present),
        if_unreachable: modes.if_unreachable.as_ref().map(action),
        now: modes.now.as_ref().map(action),
        mutations: MutationsJson {
            if_absent: modes.if_absent.mutation,
            if_present: modes.if_present.mutation,
            now: modes.now.and_then(|deed| deed.mutation),
        },
    }
}

fn requeue(state: RequeueState) -> RequeueJson {
    let range = match state {
        RequeueState::Periodic(mean) => Some((mean, plural::jitter(mean))),
        _ => None,
    };
    RequeueJson {
        state: match state {
            RequeueState::Periodic(_) => Some("periodic"),
            RequeueState::Never => Some("never"),
            RequeueState::Panics => Some("panics"),
            RequeueState::Unknown => None,
        },
        mean_seconds: range.map(|(mean, _)| Seconds(mean)),
        min_seconds: range.map(|(_, (least, _))| Seconds(least)),
        max_seconds: range.map(|(_, (_, most))| Seconds(most)),
    }
}

fn deeds(value: &DeletionDeeds) -> DeedsJson {
    DeedsJson {
        requested: value.requested,
        if_absent: action(&value.if_absent),
        if_present: action(&value.if_present),
        now: value.now.as_ref().map(action),
    }
}
