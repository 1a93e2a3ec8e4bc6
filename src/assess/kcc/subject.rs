use super::World;
use crate::kcc::Facts;
use crate::object::{AnnotationValue, Place};

/// An object in its world: its facts, with the annotations that the user asks it to be taken to carry.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) facts: &'a Facts,
    pub(super) world: &'a World,
}

/// An annotation as it counts for the answer.
pub(super) struct Given<'a> {
    pub(super) value: GivenValue<'a>,
    /// Where it stands; `None` when `--set` gave it.
    pub(super) place: Option<Place>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum GivenValue<'a> {
    Text(&'a str),
    Null,
    NotAString(Option<&'a str>),
}

impl<'a> Given<'a> {
    /// The string that the API server holds; `None` when it would refuse the object.
    pub(super) fn stored(&self) -> Option<&'a str> {
        match self.value {
            GivenValue::Text(text) => Some(text),
            GivenValue::Null => Some(""),
            GivenValue::NotAString(_) => None,
        }
    }

    /// What is written, quotes aside.
    pub(super) fn written(&self) -> Option<&'a str> {
        match self.value {
            GivenValue::Text(text) => Some(text),
            GivenValue::Null => None,
            GivenValue::NotAString(text) => text,
        }
    }
}

impl<'a> Subject<'a> {
    pub(super) fn group(&self) -> &'a str {
        self.facts.reference.group()
    }

    pub(super) fn kind(&self) -> &'a str {
        &self.facts.reference.kind
    }

    pub(super) fn namespace(&self) -> Option<&'a str> {
        self.facts.reference.namespace.as_deref()
    }

    pub(super) fn deleting(&self) -> bool {
        self.facts.metadata.deletion.is_some()
    }

    /// The annotation with `key`: what `--set` says of it, else what the manifest says.
    pub(super) fn annotation(&self, key: &str) -> Option<Given<'a>> {
        if let Some((_, value)) = self.world.set.iter().rev().find(|(set, _)| set == key) {
            return value.as_deref().map(|text| Given { value: GivenValue::Text(text), place: None });
        }
        let annotation = self.facts.metadata.annotation(key)?;
        let value = match &annotation.value {
            AnnotationValue::Text(text) => GivenValue::Text(text),
            AnnotationValue::Null => GivenValue::Null,
            AnnotationValue::NotAString(text) => GivenValue::NotAString(text.as_deref()),
        };
        Some(Given { value, place: Some(Place::new(&self.facts.place.file, annotation.pos)) })
    }
}
