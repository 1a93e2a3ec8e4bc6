use std::collections::HashMap;

use super::identity;
use crate::assess::Object;
use crate::object::Place;
use crate::plural::{Facts, Reference, reference_fields};

/// What the inputs hold that matters to other objects of the Plural Console: what can be referred to, and which remote
/// each object stands for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inputs {
    targets: HashMap<(&'static str, String), Vec<Target>>,
    remotes: HashMap<(&'static str, String), (Holder, Option<Holder>)>,
}

/// An object that stands for a remote.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Holder {
    namespace: Option<Box<str>>,
    name: Option<Box<str>>,
    place: Place,
}

impl Holder {
    fn of(facts: &Facts) -> Holder {
        let boxed = |text: &Option<String>| text.as_deref().map(Box::from);
        Holder {
            namespace: boxed(&facts.reference.namespace),
            name: boxed(&facts.reference.name),
            place: facts.place.clone(),
        }
    }

    /// Whether this is the same object, given once more: a manifest and its live copy, say. Of two without a name the API
    /// server makes two.
    fn is(&self, facts: &Facts) -> bool {
        let same = self.namespace.as_deref() == facts.reference.namespace.as_deref()
            && self.name.as_deref() == facts.reference.name.as_deref();
        self.place == facts.place || (self.name.is_some() && same)
    }
}

/// An object among the inputs that others may refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its namespace, if it has one.
    pub namespace: Option<String>,
    /// Where it stands.
    pub place: Place,
    /// Whether its status has an id.
    pub has_id: bool,
}

impl Inputs {
    /// Gathers them from all objects.
    pub fn gather<'a>(objects: impl Iterator<Item = &'a Object>) -> Inputs {
        Inputs::of(objects.filter_map(|object| match object {
            Object::Plural(facts) => Some(&**facts),
            Object::Kcc(_) => None,
        }))
    }

    /// Gathers them from the facts of all objects of the Plural Console.
    pub fn of<'a>(facts: impl Iterator<Item = &'a Facts>) -> Inputs {
        let mut inputs = Inputs::default();
        facts.for_each(|facts| inputs.add(facts));
        inputs
    }

    fn add(&mut self, facts: &Facts) {
        let Some(kind) = facts.kind else { return };
        if let Some(name) = facts.reference.name.as_ref().filter(|_| is_target(kind.name)) {
            self.targets.entry((kind.name, name.clone())).or_default().push(Target {
                namespace: facts.reference.namespace.clone(),
                place: facts.place.clone(),
                has_id: facts.status.as_ref().is_some_and(|status| status.id.is_some()),
            });
        }
        if let Some(value) = identity::remote(facts) {
            self.remotes
                .entry((kind.name, value.to_owned()))
                .and_modify(|(first, second)| {
                    if second.is_none() && !first.is(facts) {
                        *second = Some(Holder::of(facts));
                    }
                })
                .or_insert_with(|| (Holder::of(facts), None));
        }
    }

    /// The object that a reference of an object in `namespace` names, if it is among the inputs.
    pub fn target(&self, reference: &Reference, namespace: Option<&str>) -> Option<&Target> {
        let found = self.targets.get(&(reference.field.target, reference.name.clone()))?;
        let wanted = reference.namespace.as_deref().or(namespace);
        found
            .iter()
            .find(|target| target.namespace.is_none() || target.namespace.as_deref() == wanted)
            .or_else(|| found.first().filter(|_| wanted.is_none()))
    }

    /// Where another object for the same remote stands.
    pub(super) fn same_remote(&self, facts: &Facts) -> Option<&Place> {
        let kind = facts.kind?;
        let (first, second) = self.remotes.get(&(kind.name, identity::remote(facts)?.to_owned()))?;
        if first.is(facts) { second.as_ref().map(|second| &second.place) } else { Some(&first.place) }
    }
}

/// Whether anything refers to objects of this kind.
fn is_target(kind: &str) -> bool {
    crate::plural::kinds()
        .iter()
        .take_while(|kind| kind.has_decisions())
        .any(|from| reference_fields(from.name).any(|field| field.target == kind))
}
