use std::collections::BTreeMap;

use rayon::prelude::*;

use super::order::{self, Key};
use super::table::{ceiling, cells};
use super::{GroupBy, Wish};
use crate::assess::{Brief, Census, Mark, Object, World};
use crate::output::report::plain_count;
use crate::output::table::Widths;

/// What of a group is counted.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) census: Census,
    /// The attempts of those whose number is known, an hour.
    pub(super) attempts_per_hour: f64,
    pub(super) of_known: usize,
}

impl Group {
    fn add(&mut self, brief: &Brief<'_>) {
        self.census.add(brief.marks);
        if let Some(rate) = brief.attempts_per_hour {
            self.attempts_per_hour += rate;
            self.of_known += 1;
        }
    }

    fn merge(&mut self, other: &Group) {
        self.census.merge(&other.census);
        self.attempts_per_hour += other.attempts_per_hour;
        self.of_known += other.of_known;
    }
}

/// Name of a group and, for kinds, their API group.
pub(super) type GroupKey = (String, String);

/// A list in the making: what is shown of the objects, in which order and how wide.
pub struct Listing<'a> {
    pub(super) world: &'a World,
    pub(super) wish: Wish,
    pub(super) shown: Vec<&'a Object>,
    pub(super) groups: Vec<(GroupKey, Group)>,
    pub(super) widths: Widths,
    pub(super) has_kcc: bool,
    pub(super) has_plural: bool,
    /// The marks of all objects, shown or not.
    pub census: Census,
}

/// What one task has seen of its objects.
#[derive(Default)]
struct Survey {
    /// The positions of what is shown.
    shown: Vec<u32>,
    /// What they are sorted by, if that is not what the objects are called.
    keys: Vec<Key>,
    groups: BTreeMap<GroupKey, Group>,
    census: Census,
    widths: Widths,
    has_kcc: bool,
    has_plural: bool,
}

const TASK: usize = 512;

impl<'a> Listing<'a> {
    /// Looks at all objects once. Nothing is kept of each but its place in the list, so that a fleet's rows are never
    /// all in memory.
    pub fn new(world: &'a World, objects: &[&'a Object], wish: Wish) -> Listing<'a> {
        let surveys: Vec<Survey> = objects
            .par_chunks(TASK)
            .enumerate()
            .map(|(task, chunk)| {
                let mut survey = Survey::default();
                for (index, object) in chunk.iter().enumerate() {
                    let position = u32::try_from(task * TASK + index).unwrap_or(u32::MAX);
                    survey.see(object, position, world, &wish);
                }
                survey
            })
            .collect();
        let mut all = Survey::default();
        for survey in surveys {
            all.merge(survey);
        }
        if let Some(sort_by) = wish.sort_by {
            order::sort(&mut all.shown, &all.keys, objects, sort_by);
        }
        let shown = all.shown.iter().filter_map(|position| objects.get(*position as usize).copied()).collect();
        let mut groups: Vec<(GroupKey, Group)> = all.groups.into_iter().collect();
        groups.sort_by(|(a, one), (b, other)| other.census.objects.cmp(&one.census.objects).then_with(|| a.cmp(b)));
        Listing {
            world,
            wish,
            shown,
            groups,
            widths: all.widths,
            has_kcc: all.has_kcc,
            has_plural: all.has_plural,
            census: all.census,
        }
    }

    /// The objects that are shown, or counted in groups, in their order.
    pub fn shown(&self) -> &[&'a Object] {
        &self.shown
    }

    /// How many objects have each of the marks that were to be watched, over all objects.
    pub fn watched(&self) -> Vec<(Mark, usize)> {
        let counts = self.wish.watch.iter().map(|mark| (mark, self.census.count(mark)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// `12 of 345 objects`, if not all are shown.
    pub fn shown_of_all(&self) -> Option<String> {
        self.wish.only.map(|_| format!("{} of {}", self.shown.len(), plain_count(self.census.objects, "object")))
    }
}

impl Survey {
    fn see(&mut self, object: &Object, position: u32, world: &World, wish: &Wish) {
        let answer = object.assess(world);
        let brief = answer.brief();
        self.census.add(brief.marks);
        if wish.only.is_some_and(|only| !brief.marks.meet(only)) {
            return;
        }
        match object {
            Object::Kcc(_) => self.has_kcc = true,
            Object::Plural(_) => self.has_plural = true,
        }
        self.shown.push(position);
        self.keys.extend(order::key(&brief, wish.sort_by));
        match wish.group_by {
            Some(group_by) => self.groups.entry(group_key(&brief, group_by)).or_default().add(&brief),
            None if wish.no_table => {}
            None => self.widths.see(&cells(&brief, wish.wide, world)),
        }
    }

    fn merge(&mut self, mut other: Survey) {
        self.shown.append(&mut other.shown);
        self.keys.append(&mut other.keys);
        for (key, group) in other.groups {
            self.groups.entry(key).or_default().merge(&group);
        }
        self.census.merge(&other.census);
        self.widths.merge(&other.widths);
        self.has_kcc |= other.has_kcc;
        self.has_plural |= other.has_plural;
    }
}

fn group_key(brief: &Brief<'_>, group_by: GroupBy) -> GroupKey {
    match group_by {
        GroupBy::Kind => (brief.reference.kind.clone(), brief.reference.group().to_owned()),
        GroupBy::Namespace => (brief.reference.namespace.clone().unwrap_or_else(|| "-".to_owned()), String::new()),
        GroupBy::Controller => (brief.controller.to_owned(), String::new()),
        GroupBy::Ceiling => (ceiling(brief).text().to_owned(), String::new()),
    }
}
