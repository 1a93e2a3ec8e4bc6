//! What changes in behaviour between two trees in one release, or for one tree between two releases. Pure: it takes
//! objects and their worlds, and returns what differs.
//!
//! Objects are matched by API group, kind, namespace and name: not by version, file or order, so that another layout of
//! the same objects is no difference.

mod behaviour;
mod change;
mod common;
mod matching;

use rayon::prelude::*;

pub use behaviour::{
    Behaviour, CeilingState, CeilingValue, Choice, ControllerValue, Deed, DeletionDeeds, DeletionValue, DriftValue,
    IdentityValue, Kcc, LadderValue, Modes, Plural,
};
pub use change::{Aspect, Change, Value};
pub use common::{Common, CommonValue, Topic};

use common::Handled;

use crate::assess::{Object, World};

/// One side of a comparison: objects, and the world that they are assessed in.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// The objects, in the order of the inputs.
    pub objects: &'a [&'a Object],
    /// Their world.
    pub world: &'a World,
}

/// An object that differs. What differs is made on demand, by [`Entry::changes`]: a fleet's changes are never all in
/// memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry<'a> {
    /// It is on both sides and behaves differently.
    Changed {
        /// As it is on the old side.
        old: &'a Object,
        /// As it is on the new side.
        new: &'a Object,
    },
    /// It is only on the new side.
    Added(&'a Object),
    /// It is only on the old side.
    Removed(&'a Object),
}

/// How many objects of which fate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// On both sides, with another behaviour.
    pub changed: usize,
    /// Only on the new side.
    pub added: usize,
    /// Only on the old side.
    pub removed: usize,
    /// On both sides, with the same behaviour.
    pub same: usize,
}

/// What differs between two sides.
#[derive(Debug, Clone)]
pub struct Comparison<'a> {
    /// The world of the old side.
    pub old: &'a World,
    /// The world of the new side.
    pub new: &'a World,
    /// What differs for all objects of Config Connector alike.
    pub common: Vec<Common>,
    /// The objects that differ, sorted by kind, group, namespace and name.
    pub entries: Vec<Entry<'a>>,
    /// How many there are of each.
    pub counts: Counts,
}

/// How many objects one task compares.
const TASK: usize = 256;

impl<'a> Comparison<'a> {
    /// Compares two trees. An identity that occurs several times is matched as a multiset: those that behave alike
    /// cancel, the rest pair in the order of the inputs, and what is left over was added or removed.
    pub fn of_trees(old: Side<'a>, new: Side<'a>) -> Comparison<'a> {
        let groups = matching::groups(old.objects, new.objects);
        let parts: Vec<Part<'a>> = groups
            .par_chunks(TASK)
            .map(|groups| {
                let mut part = Part::default();
                groups.iter().for_each(|group| part.match_group(group, old.world, new.world));
                part
            })
            .collect();
        Comparison::joined(parts, old.world, new.world)
    }

    /// Compares the same objects in two worlds, each with itself.
    pub fn of_releases(objects: &'a [&'a Object], old: &'a World, new: &'a World) -> Comparison<'a> {
        let parts: Vec<Part<'a>> = objects
            .par_chunks(TASK)
            .map(|objects| {
                let mut part = Part::default();
                objects.iter().for_each(|object| part.pair(object, object, old, new));
                part
            })
            .collect();
        let handled = parts.iter().fold(Handled::default(), |all, part| all.joined(part.handled));
        let mut comparison = Comparison::joined(parts, old, new);
        comparison.entries.par_sort_by(|a, b| matching::Key::of(a.object()).cmp(&matching::Key::of(b.object())));
        // What concerns none of the objects is not told.
        comparison.common = common::between(old, new);
        comparison.common.retain(|common| common.topic.concerns(objects, handled));
        comparison
    }

    fn joined(parts: Vec<Part<'a>>, old: &'a World, new: &'a World) -> Comparison<'a> {
        let mut all = Comparison { old, new, common: Vec::new(), entries: Vec::new(), counts: Counts::default() };
        for part in parts {
            all.entries.extend(part.entries);
            all.counts.same += part.same;
        }
        for entry in &all.entries {
            match entry {
                Entry::Changed { .. } => all.counts.changed += 1,
                Entry::Added(_) => all.counts.added += 1,
                Entry::Removed(_) => all.counts.removed += 1,
            }
        }
        all
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.common.is_empty()
    }
}

impl<'a> Entry<'a> {
    /// The object, as it is on the new side if it is there.
    pub fn object(&self) -> &'a Object {
        match self {
            Entry::Changed { new, .. } => new,
            Entry::Added(object) | Entry::Removed(object) => object,
        }
    }

    /// What changes in its behaviour: of an added or removed object every aspect, without a counterpart.
    pub fn changes(&self, old: &'a World, new: &'a World) -> Vec<Change<'a>> {
        match self {
            Entry::Changed { old: before, new: after } => {
                change::between(&before.assess(old), old, &after.assess(new), new)
            }
            Entry::Added(object) => change::alone(&object.assess(new), new, true),
            Entry::Removed(object) => change::alone(&object.assess(old), old, false),
        }
    }
}

/// What one task has found.
#[derive(Default)]
struct Part<'a> {
    entries: Vec<Entry<'a>>,
    same: usize,
    handled: Handled,
}

impl<'a> Part<'a> {
    fn pair(&mut self, old: &'a Object, new: &'a Object, old_world: &World, new_world: &World) {
        let before = Behaviour::of(&old.assess(old_world), old_world);
        let after = Behaviour::of(&new.assess(new_world), new_world);
        [&before, &after].into_iter().filter_map(Behaviour::controller).for_each(|one| self.handled.note(one));
        self.judge(old, &before, new, &after);
    }

    fn judge(&mut self, old: &'a Object, before: &Behaviour<'_>, new: &'a Object, after: &Behaviour<'_>) {
        match before.differs(after) {
            true => self.entries.push(Entry::Changed { old, new }),
            false => self.same += 1,
        }
    }

    fn match_group(&mut self, group: &matching::Group<'a>, old_world: &World, new_world: &World) {
        if let ([old], [new]) = (&group.old[..], &group.new[..]) {
            return self.pair(old, new, old_world, new_world);
        }
        let (same, rest_old, rest_new) = if group.old.is_empty() || group.new.is_empty() {
            (0, group.old.clone(), group.new.clone())
        } else {
            matching::cancel(&group.old, old_world, &group.new, new_world)
        };
        self.same += same;
        let both = rest_old.len().min(rest_new.len());
        for (old, new) in rest_old.iter().zip(&rest_new) {
            self.pair(old, new, old_world, new_world);
        }
        self.entries.extend(rest_old.iter().skip(both).map(|object| Entry::Removed(object)));
        self.entries.extend(rest_new.iter().skip(both).map(|object| Entry::Added(object)));
    }
}
