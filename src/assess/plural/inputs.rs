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
    remotes: HashMap<(&'static str, String), (Place, Option<Place>)>,
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
        let mut inputs = Inputs::default();
        for object in objects {
            if let Object::Plural(facts) = object {
                inputs.add(facts);
            }
        }
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
                .and_modify(|(_, second)| {
                    second.get_or_insert_with(|| facts.place.clone());
                })
                .or_insert_with(|| (facts.place.clone(), None));
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
        let second = second.as_ref()?;
        Some(if *first == facts.place { second } else { first })
    }
}

/// Whether anything refers to objects of this kind.
fn is_target(kind: &str) -> bool {
    crate::plural::kinds()
        .iter()
        .take_while(|kind| kind.has_decisions())
        .any(|from| reference_fields(from.name).any(|field| field.target == kind))
}
