//! The plan in words.

use serde_json::Value;

use crate::human;
use crate::output::report::plain_count;
use crate::output::style::Role;
use crate::plural::console::MASK;
use crate::reconcile::{Controller, Counts, Entry, Id, NewStatus, Planned, Requeue, Semantics};

/// How the word for an action looks: what takes over or deletes deserves a look, what went wrong more so.
pub(super) fn role(planned: Planned) -> Role {
    match planned {
        Planned::Create | Planned::Update => Role::Good,
        Planned::Adopt | Planned::Delete | Planned::Wait => Role::Warning,
        Planned::Unknown | Planned::Refuse => Role::Bad,
        Planned::ReadOnly | Planned::InSync | Planned::Keep => Role::Value,
        Planned::NotReconciled => Role::Context,
    }
}

/// What a summary calls so many objects of an action: `2 to create`, `1 read-only`.
fn counted(planned: Planned) -> &'static str {
    match planned {
        Planned::Create => "to create",
        Planned::Adopt => "to adopt",
        Planned::Update => "to update",
        Planned::Delete => "to delete",
        Planned::ReadOnly => "read-only",
        Planned::InSync => "in sync",
        Planned::Keep => "kept",
        Planned::Wait => "waiting",
        Planned::Unknown => "unknown",
        Planned::Refuse => "refused",
        Planned::NotReconciled => "not reconciled by this release",
    }
}

/// `1 to create, 2 to adopt, 1 read-only`.
pub(super) fn summary(counts: &Counts) -> String {
    let parts: Vec<String> = Planned::ALL
        .into_iter()
        .filter_map(|planned| Some((planned, *counts.get(&planned)?)))
        .map(|(planned, count)| format!("{count} {}", counted(planned)))
        .collect();
    if parts.is_empty() { "nothing to reconcile".to_owned() } else { parts.join(", ") }
}

/// How many objects of Config Connector there are, in a sentence; nothing without any.
pub(super) fn of_kcc(count: usize) -> Option<String> {
    let verb = if count == 1 { "is" } else { "are" };
    (count > 0)
        .then(|| format!("{} of Config Connector {verb} not reconciled by this tool.", plain_count(count, "object")))
}

/// By whose rules, and where the Console's state comes from.
pub(super) fn told_for(semantics: Semantics, told_by: &str) -> String {
    match semantics {
        Semantics::Documented => {
            format!("Planned by the documented rules, from {told_by}. Nothing was sent: this release only plans.")
        }
        Semantics::Controller => {
            format!("What the released in-cluster controller does, from {told_by}. Nothing was sent.")
        }
    }
}

/// A value of a change.
pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) if text == MASK => MASK.to_owned(),
        // A text that holds JSON is told as that.
        Value::String(text) if text.starts_with(['{', '[']) && serde_json::from_str::<Value>(text).is_ok() => {
            text.clone()
        }
        Value::Array(items) if items.iter().all(|item| item.as_str().is_some_and(is_plain)) => {
            format!("[{}]", items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// Whether a text in a list needs no quotes.
fn is_plain(text: &str) -> bool {
    let plain = |character: char| character.is_alphanumeric() || " -_.@:/".contains(character);
    !text.is_empty() && !text.starts_with(' ') && !text.ends_with(' ') && text.chars().all(plain)
}

/// When an object is looked at again.
pub(super) fn requeue(requeue: Requeue) -> String {
    match requeue {
        Requeue::Within(least, most) => format!("after {}", human::range(least, most)),
        Requeue::BackOff(least, most) => {
            format!("as an error: after {}, doubling up to {}", human::duration(least), human::duration(most))
        }
        Requeue::Never => "not by itself".to_owned(),
        Requeue::Panics => "the controller panics over the interval, and retries with back-off".to_owned(),
    }
}

/// What the released controller would do.
pub(super) fn controller(controller: &Controller<'_>, entry: &Entry<'_>) -> String {
    let by = controller.mutation.map_or(String::new(), |mutation| format!(" ({mutation})"));
    let clause = match controller.planned {
        Planned::Create => format!("creates it{by}"),
        Planned::Adopt if controller.mutation.is_none() => "takes it over, without an update".to_owned(),
        Planned::Adopt => format!("takes it over{by}"),
        Planned::Update => format!("updates it{by}"),
        Planned::Delete => format!("deletes the remote{by}"),
        Planned::ReadOnly if entry.remote.is_none() => "creates nothing".to_owned(),
        Planned::ReadOnly => "only takes its id".to_owned(),
        Planned::InSync if entry.remote.is_none() => "does nothing: the stored hash matches".to_owned(),
        Planned::InSync => "does nothing: the stored hash matches, and it does not compare with the remote".to_owned(),
        Planned::Keep if entry.facts.metadata.deletion.is_some() => "keeps the remote".to_owned(),
        Planned::Keep => "sends nothing".to_owned(),
        Planned::Wait => "waits".to_owned(),
        Planned::Unknown => "ends in an error".to_owned(),
        Planned::Refuse | Planned::NotReconciled => "does nothing".to_owned(),
    };
    let note = match controller.note.as_ref() {
        "" => String::new(),
        note => format!("; {note}"),
    };
    let mark = match controller.confidence {
        crate::plural::Confidence::Source => "",
        crate::plural::Confidence::Inferred => " [inferred]",
        crate::plural::Confidence::DocumentedOnly => " [documented-only]",
    };
    format!("{clause}{note}{mark}")
}

/// The status that an object would get, in a line.
pub(super) fn status(status: &NewStatus) -> String {
    let id = match &status.id {
        Id::Known(id) => format!("id {id}"),
        Id::Given => "the id that the Console gives".to_owned(),
        Id::Cleared => "no id".to_owned(),
        Id::Unchanged => "the id stays".to_owned(),
    };
    let sha = match status.sha.as_deref() {
        Some("") => ", an empty sha".to_owned(),
        Some(sha) => format!(", sha {sha}"),
        None => String::new(),
    };
    let conditions: Vec<String> = status
        .conditions
        .iter()
        .map(|condition| {
            let status = if condition.status { "True" } else { "False" };
            let reason = if condition.reason == condition.kind { "" } else { condition.reason };
            let told = [reason, condition.message.trim()].into_iter().filter(|text| !text.is_empty());
            let told = told.collect::<Vec<_>>().join(": ");
            if told.is_empty() {
                format!("{}={status}", condition.kind)
            } else {
                format!("{}={status} ({told})", condition.kind)
            }
        })
        .collect();
    format!("{id}{sha}; {}", conditions.join(", "))
}
