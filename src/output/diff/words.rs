//! What changes, in words: the same for the screen and for reports.

use std::borrow::Cow;
use std::time::Duration;

use crate::assess::World;
use crate::assess::kcc::ActuationMode;
use crate::assess::plural::RequeueState;
use crate::backoff::Ladder;
use crate::diff::{
    Aspect, CeilingState, CeilingValue, Change, Common, CommonValue, Deed, DeletionDeeds, DeletionValue, DriftValue,
    IdentityValue, LadderValue, Topic, Value,
};
use crate::human;
use crate::kcc::{self, CeilingSupport};
use crate::output::explain_text::wake_words;
use crate::output::plural::words;
use crate::output::style::Role;
use crate::plural::{self, Action};

/// One line about an object: what, how it was, how it is, and why.
pub(super) struct Line<'a> {
    pub(super) label: &'static str,
    pub(super) from: Option<Cow<'a, str>>,
    pub(super) to: Option<Cow<'a, str>>,
    pub(super) role: Role,
    pub(super) reason: Cow<'a, str>,
}

impl Line<'_> {
    /// `old → new`, or the one that there is.
    pub(super) fn value(&self) -> String {
        match (&self.from, &self.to) {
            (Some(from), Some(to)) => format!("{from} → {to}"),
            (one, other) => one.as_ref().or(other.as_ref()).map(|text| text.to_string()).unwrap_or_default(),
        }
    }
}

/// The label of what a pass does when its look-up fails.
pub(super) const IF_UNKNOWN: &str = "If unknown";

/// The lines that tell a change.
pub(super) fn lines<'c>(change: &'c Change<'_>, old: &World, new: &World) -> Vec<Line<'c>> {
    let (from, to) = (change.from.as_ref(), change.to.as_ref());
    let label = match change.aspect {
        Aspect::Controller => "Controller",
        Aspect::Ceiling => "Ceiling",
        // Whether it halts is what its ladder's line says.
        Aspect::Halting => return Vec::new(),
        Aspect::Ladder => "On failure",
        Aspect::Drift => "Drift",
        Aspect::Actuation => "Actuation",
        Aspect::Identity => "Console",
        Aspect::Mode => return modes(change),
        Aspect::Requeue => "Requeue",
        Aspect::Deletion => "Deletion",
    };
    let [mut from, mut to] = [from.map(|value| told(value, old)), to.map(|value| told(value, new))];
    // Hours and minutes may hide the seconds that differ.
    if from.is_some() && from == to {
        let exactly = |text: Option<Cow<'c, str>>, value: Option<&Value<'_>>| {
            let exact = value.and_then(exact_seconds);
            text.map(|text| exact.map_or(text.clone(), |exact| format!("{text} ({exact})").into()))
        };
        from = exactly(from, change.from.as_ref());
        to = exactly(to, change.to.as_ref());
    }
    if let (Some(Value::Identity(_)), true) = (&change.to, from.is_some() && from == to) {
        to = to.map(|text| format!("{text} (another login)").into());
    }
    // Another controller of the row, and not of the object, is told by the reason.
    if from.is_some() && from == to && change.aspect != Aspect::Controller {
        return Vec::new();
    }
    let role = change.to.as_ref().map_or(Role::Context, role);
    // An outcome of Config Connector's is told by the value itself.
    let reason = if change.aspect == Aspect::Deletion { "".into() } else { Cow::Borrowed(&*change.reason) };
    vec![Line { label, from, to, role, reason }]
}

/// The seconds behind a duration, or a range of durations, that people write in two units at most.
fn exact_seconds(value: &Value<'_>) -> Option<String> {
    match value {
        Value::Ceiling(CeilingValue { state: CeilingState::Seconds(seconds), .. })
        | Value::Ladder(LadderValue::Ceiling(seconds) | LadderValue::Unknown(Some(seconds))) => {
            Some(format!("{seconds} s"))
        }
        Value::Drift(DriftValue::Periodic(mean, _)) => Some(format!("around {mean} s")),
        Value::Requeue(RequeueState::Periodic(mean)) => Some(format!("around {} s", mean.as_secs_f64())),
        _ => None,
    }
}

/// How one aspect is on one side.
fn told<'v>(value: &'v Value<'_>, world: &World) -> Cow<'v, str> {
    match value {
        Value::Controller(value) => value.controller.as_str().into(),
        Value::Ceiling(value) => ceiling(*value),
        Value::Halting(_) | Value::Mode(_) => "".into(),
        Value::Ladder(value) => ladder(*value, world),
        Value::Drift(value) => drift(*value),
        Value::Actuation(None) => "none".into(),
        Value::Actuation(Some(ActuationMode::Unsettled)) => "not settled".into(),
        Value::Actuation(Some(mode)) => mode.as_str().into(),
        Value::Deletion(value) => deletion(*value).into(),
        Value::Identity(value) => identity(value),
        Value::Requeue(value) => requeue(*value),
        Value::Deeds(value) => deeds(value).into(),
    }
}

/// How it looks on the new side.
fn role(value: &Value<'_>) -> Role {
    match value {
        Value::Ceiling(CeilingValue { state: CeilingState::Invalid | CeilingState::Refused, .. })
        | Value::Drift(DriftValue::Invalid | DriftValue::Refused)
        | Value::Requeue(RequeueState::Panics) => Role::Bad,
        Value::Ceiling(CeilingValue { honoured: Some(true), state: CeilingState::Halt })
        | Value::Ladder(LadderValue::Halt) => Role::Bad,
        Value::Ceiling(CeilingValue { honoured: Some(false) | None, .. })
        | Value::Ladder(LadderValue::NoAttempts | LadderValue::Unknown(_))
        | Value::Drift(DriftValue::NoController)
        | Value::Actuation(None | Some(ActuationMode::Paused | ActuationMode::AutoPaused | ActuationMode::Unsettled)) => {
            Role::Warning
        }
        _ => Role::Value,
    }
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_secs(u64::from(seconds))
}

pub(super) fn span(ladder: &Ladder) -> String {
    format!("{} … {}", human::duration(ladder.base().min(ladder.max())), human::duration(ladder.max()))
}

fn ceiling(value: CeilingValue) -> Cow<'static, str> {
    let effect = match value.honoured {
        Some(true) => "",
        Some(false) => " (no effect)",
        None => " (effect not known)",
    };
    match value.state {
        CeilingState::Unset => "unset".into(),
        CeilingState::Seconds(number) => format!("{}{effect}", human::duration(seconds(number))).into(),
        CeilingState::Halt => format!("HALT{effect}").into(),
        CeilingState::Invalid => "invalid".into(),
        CeilingState::Refused => "no string".into(),
    }
}

fn ladder(value: LadderValue, world: &World) -> Cow<'static, str> {
    let default = || span(&world.release.default_ladder());
    match value {
        LadderValue::Default => default().into(),
        LadderValue::Ceiling(number) => span(&kcc::ceiling_ladder(number)).into(),
        LadderValue::Halt => "HALT".into(),
        LadderValue::NoAttempts => "no attempts".into(),
        LadderValue::Unknown(Some(number)) => format!("{} or {}", span(&kcc::ceiling_ladder(number)), default()).into(),
        LadderValue::Unknown(None) => format!("HALT or {}", default()).into(),
    }
}

fn drift(value: DriftValue) -> Cow<'static, str> {
    match value {
        DriftValue::Periodic(mean, bucket) => {
            let (least, most) = kcc::jitter(mean);
            let bucket = if bucket { ", behind a token bucket" } else { "" };
            format!("every {}{bucket}", human::range(least, most)).into()
        }
        DriftValue::Never(true) => "never, and skipped while up to date".into(),
        DriftValue::Never(false) => "never".into(),
        DriftValue::Invalid => "invalid".into(),
        DriftValue::Refused => "no string".into(),
        DriftValue::NoController => "none".into(),
    }
}

fn deletion(value: DeletionValue) -> &'static str {
    match value {
        DeletionValue::NoController => "nothing (no controller)",
        DeletionValue::Done => "Config Connector is done with it",
        DeletionValue::Outcome { keeps: false, requested: false } => "deletes the cloud resource",
        DeletionValue::Outcome { keeps: true, requested: false } => "keeps the cloud resource",
        DeletionValue::Outcome { keeps: false, requested: true } => "requested: deletes the cloud resource",
        DeletionValue::Outcome { keeps: true, requested: true } => "requested: keeps the cloud resource",
    }
}

fn identity<'v>(value: &'v IdentityValue<'_>) -> Cow<'v, str> {
    match (value.field, &value.value) {
        (Some(field), Some(value)) => format!("{field} {value:?}").into(),
        (None, Some(value)) => format!("{value:?}").into(),
        (_, None) => "not known".into(),
    }
}

fn requeue(value: RequeueState) -> Cow<'static, str> {
    match value {
        RequeueState::Periodic(mean) => {
            let (least, most) = plural::jitter(mean);
            format!("every {}", human::range(least, most)).into()
        }
        RequeueState::Never => "never".into(),
        RequeueState::Panics => "panics".into(),
        RequeueState::Unknown => "not known".into(),
    }
}

/// What a pass does, with what it sends and how that is known.
fn deed(deed: &Deed) -> String {
    let sent = deed.mutation.map_or(String::new(), |mutation| format!(" ({mutation})"));
    format!("{}{sent}{}", words::action(deed.action), words::mark(deed.confidence))
}

fn deeds(value: &DeletionDeeds) -> String {
    let word = |deed: &Deed| {
        let word = match deed.action {
            Action::Delete => "deletes the remote",
            Action::Keep => "leaves the remote",
            // Of a ServiceAccount that another finalizer holds: its controller goes on as if nothing had been asked for.
            action => words::action(action),
        };
        format!("{word}{}", words::mark(deed.confidence))
    };
    let requested = if value.requested { "requested: " } else { "" };
    let does = match &value.now {
        Some(now) => format!("now {}", word(now)),
        None if value.if_absent.action == value.if_present.action => word(&value.if_absent),
        None => format!("if it was absent {}, if present {}", word(&value.if_absent), word(&value.if_present)),
    };
    format!("{requested}{does}")
}

/// A line for each case that differs.
fn modes<'c>(change: &'c Change<'_>) -> Vec<Line<'c>> {
    let cases = |value: Option<&Value<'_>>| match value {
        Some(Value::Mode(modes)) => {
            [Some(modes.if_absent), Some(modes.if_present), modes.if_unreachable, modes.now].map(Some)
        }
        _ => [None; 4],
    };
    let labels = ["If absent", "If present", IF_UNKNOWN, "Next pass"];
    let (from, to) = (cases(change.from.as_ref()), cases(change.to.as_ref()));
    let said = |deed_of: Option<Option<Deed>>| {
        deed_of.map(|known| known.map_or(Cow::Borrowed("not known"), |known| deed(&known).into()))
    };
    let pairs = labels.into_iter().zip(from.into_iter().zip(to));
    pairs
        .filter(|(_, (from, to))| from != to)
        .map(|(label, (from, to))| {
            let role = to.flatten().map_or(Role::Value, |deed| words::role(deed.action));
            Line { label, from: said(from), to: said(to), role, reason: Cow::Borrowed(&*change.reason) }
        })
        .collect()
}

/// The lines that tell what is common to all objects; what wakes them in one.
pub(super) fn common(common: &[Common], old: &World, new: &World) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut wakes_told = false;
    for one in common {
        if let Topic::Wake(_) = one.topic {
            if !std::mem::replace(&mut wakes_told, true) {
                lines.push(wakes(common, old, new));
            }
            continue;
        }
        let (label, reason) = match one.topic {
            Topic::Controllers => ("Controllers", "which controller handles a kind: the tables begin with 1.135.0"),
            Topic::DefaultLadder => {
                ("Ladder", "the default one: without a ceiling in effect, and for failing deletions")
            }
            Topic::CeilingAnnotation => ("Ceiling", "the annotation, by direct controllers; no other reads it"),
            Topic::ActuationAnnotation => ("Actuation", "the annotation actuation-mode on an object"),
            Topic::LookupErrors => (
                "Look-ups",
                "whether direct controllers take every error for \"not found\": at a deletion the finalizer goes, and the \
                 cloud resource may stay",
            ),
            Topic::PartialPolicyChoice => ("Choice", "whether the controller of an IAMPartialPolicy can be chosen"),
            Topic::MemberDriftBucket => {
                ("Bucket", "whether drift requeues of IAMPolicyMembers wait for 5 tokens a second")
            }
            Topic::Wake(_) => continue,
        };
        let (from, to) = (common_value(one, one.from), common_value(one, one.to));
        lines.push(Line { label, from: Some(from), to: Some(to), role: Role::Value, reason: reason.into() });
    }
    lines
}

fn common_value(common: &Common, value: CommonValue) -> Cow<'static, str> {
    match (value, common.topic) {
        (CommonValue::Ladder(ladder), _) => span(&ladder).into(),
        (CommonValue::Support(CeilingSupport::Honoured), _) => "read".into(),
        (CommonValue::Support(CeilingSupport::Ignored), _) => "ignored".into(),
        (CommonValue::Support(CeilingSupport::Unknown), _) | (CommonValue::Holds(None), _) => "not known".into(),
        (CommonValue::Known(known), _) => if known { "known" } else { "not known" }.into(),
        (CommonValue::Holds(Some(holds)), Topic::ActuationAnnotation) => if holds { "read" } else { "ignored" }.into(),
        (CommonValue::Holds(Some(holds)), _) => if holds { "yes" } else { "no" }.into(),
    }
}

/// Which edits begin and cease to wake an object.
fn wakes(common: &[Common], old: &World, new: &World) -> Line<'static> {
    let of = |from: CommonValue, to: CommonValue| {
        let found = common.iter().filter(move |one| (one.from, one.to) == (from, to));
        let words: Vec<&str> = found
            .filter_map(|one| match &one.topic {
                Topic::Wake(wake) => Some(wake_words(wake)),
                _ => None,
            })
            .collect();
        words.join(", ")
    };
    let (yes, no, unknown) =
        (CommonValue::Holds(Some(true)), CommonValue::Holds(Some(false)), CommonValue::Holds(None));
    let said = [
        (of(no, yes), format!("in {} also", new.release)),
        (of(yes, no), format!("in {} not", new.release)),
        ([of(no, unknown), of(yes, unknown)].concat(), format!("not known in {}", new.release)),
        ([of(unknown, no), of(unknown, yes)].concat(), format!("not known in {}", old.release)),
    ];
    let said: Vec<String> =
        said.into_iter().filter(|(what, _)| !what.is_empty()).map(|(what, head)| format!("{head}: {what}")).collect();
    Line { label: "Wakes", from: None, to: None, role: Role::Plain, reason: said.join("; ").into() }
}
