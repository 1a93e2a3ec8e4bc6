//! THE answer: what happens next with an object, and who says so.
//!
//! [`Object::assess`] is a pure function of an object's facts and a [`World`]: release, current time, what was found
//! beside it. Every command starts from its [`Answer`].

mod brief;
pub mod kcc;
mod marks;
pub mod plural;
mod world;

use std::borrow::Cow;
use std::sync::Arc;

pub use brief::{Brief, Interval, LadderInShort, NextAttempt};
pub use marks::{Census, Mark, Marks};
pub use world::{Contexts, Reading, Source, World};

use crate::object::{Diagnostic, Node, Place, Ref};

/// A sentence or clause without a full stop, most often one that stands in the program.
pub type Text<'a> = Cow<'a, str>;

/// What is kept of an object of either system when its tree is dropped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// One of Config Connector.
    Kcc(Box<crate::kcc::Facts>),
    /// One of the Plural Console.
    Plural(Box<crate::plural::Facts>),
}

/// Everything that can be told about one object.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "it lives for a moment, and most objects are of the larger kind")]
pub enum Answer<'a> {
    /// About one of Config Connector.
    Kcc(kcc::Assessment<'a>),
    /// About one of the Plural Console.
    Plural(plural::Assessment<'a>),
}

impl Object {
    /// Reads the facts of the object at `root`, if it is of one of the two systems. Its apiVersion and kind are given
    /// because a typed list may have told them; `namespace` is for objects that name none.
    pub fn read(
        root: Node<'_>,
        api_version: &str,
        kind: &str,
        file: &Arc<str>,
        namespace: Option<&str>,
    ) -> Option<Object> {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        if crate::kcc::is_kcc_group(group) {
            let facts = crate::kcc::Facts::read(root, api_version, kind, file, namespace);
            return Some(Object::Kcc(Box::new(facts)));
        }
        crate::plural::is_plural_group(group).then(|| {
            let facts = crate::plural::Facts::read(root, api_version, kind, file, namespace);
            Object::Plural(Box::new(facts))
        })
    }

    /// What it is called.
    pub fn reference(&self) -> &Ref {
        match self {
            Object::Kcc(facts) => &facts.reference,
            Object::Plural(facts) => &facts.reference,
        }
    }

    /// Where it stands.
    pub fn place(&self) -> &Place {
        match self {
            Object::Kcc(facts) => &facts.place,
            Object::Plural(facts) => &facts.place,
        }
    }

    /// Whether it carries a status, so that the answer may depend on the time.
    pub fn has_status(&self) -> bool {
        match self {
            Object::Kcc(facts) => facts.status.is_some(),
            Object::Plural(facts) => facts.status.is_some(),
        }
    }

    /// Tells what happens next with it.
    pub fn assess<'a>(&'a self, world: &'a World) -> Answer<'a> {
        match self {
            Object::Kcc(facts) => Answer::Kcc(kcc::assess(facts, world)),
            Object::Plural(facts) => Answer::Plural(plural::assess(facts, world)),
        }
    }
}

impl<'a> Answer<'a> {
    /// The answer in short.
    pub fn brief<'s>(&'s self) -> Brief<'s> {
        Brief::of(self)
    }

    /// What is wrong with the object, in the order of the text.
    pub fn problems(&self) -> &[Diagnostic] {
        match self {
            Answer::Kcc(assessment) => &assessment.problems,
            Answer::Plural(assessment) => &assessment.problems,
        }
    }

    /// The same, taken out.
    pub fn into_problems(self) -> Vec<Diagnostic> {
        match self {
            Answer::Kcc(assessment) => assessment.problems,
            Answer::Plural(assessment) => assessment.problems,
        }
    }
}
