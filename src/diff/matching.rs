use std::collections::HashMap;

use rayon::prelude::*;

use super::Behaviour;
use crate::assess::{Object, World};

/// By what objects are matched, in the order in which they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key<'a> {
    kind: &'a str,
    group: &'a str,
    namespace: Option<&'a str>,
    name: Option<&'a str>,
}

impl<'a> Key<'a> {
    pub(super) fn of(object: &'a Object) -> Key<'a> {
        let reference = object.reference();
        Key {
            kind: &reference.kind,
            group: reference.group(),
            namespace: reference.namespace.as_deref(),
            name: reference.name.as_deref(),
        }
    }
}

/// The objects of one identity on both sides, each in the order of its inputs.
pub(super) struct Group<'a> {
    pub(super) old: Vec<&'a Object>,
    pub(super) new: Vec<&'a Object>,
}

/// All identities, sorted.
pub(super) fn groups<'a>(old: &[&'a Object], new: &[&'a Object]) -> Vec<Group<'a>> {
    let (old, new) = rayon::join(|| sorted(old), || sorted(new));
    let (mut old, mut new) = (&old[..], &new[..]);
    let mut groups = Vec::with_capacity(old.len().max(new.len()));
    while let Some(key) = [old.first(), new.first()].into_iter().flatten().map(|(key, _)| *key).min() {
        groups.push(Group { old: take(&mut old, key), new: take(&mut new, key) });
    }
    groups
}

fn sorted<'a>(objects: &[&'a Object]) -> Vec<(Key<'a>, &'a Object)> {
    let mut keyed: Vec<_> = objects.iter().map(|object| (Key::of(object), *object)).collect();
    // Stable: objects of one identity stay in the order of the inputs.
    keyed.par_sort_by(|a, b| a.0.cmp(&b.0));
    keyed
}

/// Takes the objects of the identity `key` from the front.
fn take<'a>(from: &mut &[(Key<'a>, &'a Object)], key: Key<'a>) -> Vec<&'a Object> {
    let end = from.iter().position(|(other, _)| *other != key).unwrap_or(from.len());
    let (taken, rest) = from.split_at(end);
    *from = rest;
    taken.iter().map(|(_, object)| *object).collect()
}

/// Cancels objects that behave alike: how many pairs, and what is left on either side, in its order.
pub(super) fn cancel<'a>(
    old: &[&'a Object],
    old_world: &World,
    new: &[&'a Object],
    new_world: &World,
) -> (usize, Vec<&'a Object>, Vec<&'a Object>) {
    let mut waiting: HashMap<Behaviour<'_>, usize> = HashMap::new();
    for object in old {
        *waiting.entry(Behaviour::of(&object.assess(old_world), old_world)).or_default() += 1;
    }
    let mut cancelled: HashMap<Behaviour<'_>, usize> = HashMap::new();
    let mut rest_new = Vec::new();
    let mut same = 0;
    for object in new {
        let behaviour = Behaviour::of(&object.assess(new_world), new_world);
        match waiting.get_mut(&behaviour).filter(|count| **count > 0) {
            Some(count) => {
                *count -= 1;
                same += 1;
                *cancelled.entry(behaviour).or_default() += 1;
            }
            None => rest_new.push(*object),
        }
    }
    let mut rest_old = Vec::new();
    for object in old {
        let behaviour = Behaviour::of(&object.assess(old_world), old_world);
        match cancelled.get_mut(&behaviour).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => rest_old.push(*object),
        }
    }
    (same, rest_old, rest_new)
}
