use std::borrow::Cow;

use crate::assess::Text;
use crate::object::{Place, masked_url};
use crate::plural::{Facts, Field, Scope};

/// By what an object is looked up in the Console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity<'a> {
    /// Whether the kind stands in a namespace, where known.
    pub scope: Option<Scope>,
    /// The field of the remote: `name`, `url`, `email` …, where known.
    pub field: Option<&'static str>,
    /// The value, credentials in a URL masked; `None` when it is not known.
    pub value: Option<Cow<'a, str>>,
    /// Whether something of the value is masked.
    pub masked: bool,
    /// Where the value comes from: `spec.name`, `metadata.name` …
    pub from: Option<&'static str>,
    /// Where that stands, if it stands in the spec.
    pub place: Option<Place>,
    /// Why there is no value.
    pub reason: Option<Text<'a>>,
    /// What the Console is asked for.
    pub asked: Asked,
}

/// What the Console is asked for when an object is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The value.
    Value,
    /// An empty name: the value is only what is written.
    EmptyName,
    /// Nothing: the value is only what is written.
    Nothing,
}

/// A NotificationSink is looked up by spec.name, and written by the value that stands in for it (pluralsh/console,
/// notificationsink_controller.go, 02fdfd37).
fn asked(facts: &Facts) -> Asked {
    match facts.lookup.text() {
        _ if facts.reference.kind != "NotificationSink" => Asked::Value,
        None => Asked::Nothing,
        Some("") => Asked::EmptyName,
        Some(_) => Asked::Value,
    }
}

/// What makes two objects of a kind stand for the same remote; `None` where that is not known.
pub(super) fn remote(facts: &Facts) -> Option<&str> {
    let (text, from) = facts.identity()?;
    (from != "status.id" && !text.is_empty()).then_some(text)
}

pub(super) fn identity(facts: &Facts) -> Identity<'_> {
    let kind = facts.kind;
    let found = facts.identity();
    let shown = found.map(|(text, from)| (masked_url(text), from));
    let reason = match (&found, kind) {
        (Some(_), _) => None,
        (None, None) => Some("the kind is unknown to this version".into()),
        (None, Some(kind)) => Some(match (kind.lookup, kind.fallback) {
            (Some(path), _) if matches!(facts.lookup, Field::Refused(_)) => format!("{path} is no string").into(),
            (Some("status.id"), _) => "it is known by status.id alone, which is not set".into(),
            (Some(path), Some(_)) => format!("neither {path} nor metadata.name is set").into(),
            (Some(path), None) => format!("{path} is not set").into(),
            (None, _) => match kind.field {
                Some(field) => format!("it is looked up by {field}; which field gives it was not read").into(),
                None => "by what this kind is looked up was not read".into(),
            },
        }),
    };
    Identity {
        scope: kind.and_then(|kind| kind.scope),
        field: kind.and_then(|kind| kind.field),
        masked: shown.as_ref().is_some_and(|(text, _)| matches!(text, Cow::Owned(_))),
        from: shown.as_ref().map(|(_, from)| *from),
        place: match (&facts.lookup, &found) {
            (Field::Given(_, pos), Some((_, from))) if from.starts_with("spec.") => {
                Some(Place::new(&facts.place.file, *pos))
            }
            _ => None,
        },
        asked: asked(facts),
        value: shown.map(|(text, _)| text),
        reason,
    }
}
