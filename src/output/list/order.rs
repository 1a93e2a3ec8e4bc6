use std::time::Duration;

use rayon::prelude::*;

use super::SortBy;
use crate::assess::{Brief, Interval, Mark, NextAttempt, Object};
use crate::kcc::Ceiling;

/// What a row is sorted by where that is not what the object is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// By the alphabet.
    Word(&'static str),
    /// By number.
    Number(u64),
}

/// The key of a row; `None` where rows are sorted by what their objects are called, or not at all.
pub(super) fn key(brief: &Brief<'_>, sort_by: Option<SortBy>) -> Option<Key> {
    let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX - 8);
    let number = match sort_by? {
        SortBy::Kind | SortBy::Namespace | SortBy::Name => return None,
        SortBy::Controller => return Some(Key::Word(brief.controller)),
        SortBy::State => {
            let rank = |mark| Mark::BY_URGENCY.iter().position(|ranked| *ranked == mark);
            brief.marks.iter().filter_map(rank).min().unwrap_or(Mark::BY_URGENCY.len()) as u64
        }
        SortBy::Ceiling => match brief.ceiling.map(|answer| answer.ceiling) {
            Some(Ceiling::Halt) => 0,
            Some(Ceiling::Seconds(seconds)) => u64::from(seconds),
            Some(Ceiling::Invalid(_)) => u64::MAX - 2,
            Some(Ceiling::Unset) => u64::MAX - 1,
            None => u64::MAX,
        },
        SortBy::Interval => match brief.interval {
            Interval::Between(least, _) => nanos(least),
            Interval::Panics | Interval::Invalid => u64::MAX - 2,
            Interval::Never => u64::MAX - 1,
            Interval::None => u64::MAX,
        },
        SortBy::Next => match brief.next_attempt {
            // Seconds since the year 1, so that all are positive.
            NextAttempt::Within(_, to) => u64::try_from(to.as_second().saturating_add(62_135_596_800)).unwrap_or(0),
            NextAttempt::Never(_) => u64::MAX - 1,
            NextAttempt::Unknown(_) => u64::MAX,
        },
        // The bits of a positive number grow with it.
        SortBy::Rate => brief.attempts_per_hour.map_or(u64::MAX, |rate| u64::MAX - 1 - rate.to_bits()),
    };
    Some(Key::Number(number))
}

/// Sorts the positions of what is shown; of equals, the first of the inputs is the first. `keys` are those of the
/// positions, if there are any.
pub(super) fn sort(shown: &mut Vec<u32>, keys: &[Key], objects: &[&Object], sort_by: SortBy) {
    let reference = |position: u32| objects[position as usize].reference();
    match sort_by {
        SortBy::Kind => shown.par_sort_by_key(|position| {
            let reference = reference(*position);
            (&reference.kind, reference.group(), &reference.namespace, &reference.name)
        }),
        SortBy::Namespace => shown.par_sort_by_key(|position| {
            let reference = reference(*position);
            (&reference.namespace, &reference.name)
        }),
        SortBy::Name => shown.par_sort_by_key(|position| &reference(*position).name),
        _ => {
            let mut keyed: Vec<(Key, u32)> = keys.iter().copied().zip(shown.iter().copied()).collect();
            keyed.par_sort_by_key(|(key, _)| *key);
            *shown = keyed.into_iter().map(|(_, position)| position).collect();
        }
    }
}
