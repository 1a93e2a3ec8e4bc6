use std::time::Duration;

use crate::backoff::Ladder;
use crate::human;
use crate::simulate::{Attempt, Course, Drift, End, Outcome, Simulation};

/// How many attempts came to what.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tally {
    pub(super) attempts: u64,
    pub(super) failed: u64,
    pub(super) succeeded: u64,
    pub(super) unresolved: u64,
    pub(super) skipped: u64,
    pub(super) interrupted: u64,
    /// Attempts that got as far as the cloud, or the Console.
    pub(super) calling: u64,
}

impl Tally {
    pub(super) fn add(&mut self, attempt: &Attempt) {
        self.attempts += 1;
        self.calling += u64::from(attempt.called);
        *match attempt.outcome {
            Outcome::Failed => &mut self.failed,
            Outcome::Succeeded => &mut self.succeeded,
            Outcome::Unresolved => &mut self.unresolved,
            Outcome::Skipped => &mut self.skipped,
            Outcome::Interrupted => &mut self.interrupted,
        } += 1;
    }

    /// `13 attempts: 10 failed, 3 succeeded`, and how many of them called, if not all did.
    pub(super) fn words(&self) -> String {
        let parts = [
            (self.failed, "failed"),
            (self.succeeded, "succeeded"),
            (self.unresolved, "unresolved"),
            (self.skipped, "skipped"),
            (self.interrupted, "interrupted"),
        ];
        let parts: Vec<String> =
            parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        let attempts = match self.attempts {
            0 => return "no attempts".to_owned(),
            1 => "1 attempt".to_owned(),
            attempts => format!("{attempts} attempts"),
        };
        let calls = match self.attempts - self.calling {
            0 => String::new(),
            without => format!(" ({without} without a call)"),
        };
        format!("{attempts}: {}{calls}", parts.join(", "))
    }
}

/// `250 ms doubling to 2 min`.
pub(super) fn ladder(ladder: &Ladder) -> String {
    match ladder.base() >= ladder.max() {
        true => format!("{} each time", human::duration(ladder.max())),
        false => format!("{} doubling to {}", human::duration(ladder.base()), human::duration(ladder.max())),
    }
}

/// How a course behaves at its start: ladder, bucket, and why.
pub(super) fn policy(course: &Course<'_>) -> String {
    let rules = (course.behaviour.rules)(&[]);
    let on_ladder = course.ladder.map(|own| ladder(&own));
    let bucket = rules
        .bucket
        .filter(|_| course.ladder == Some(rules.ladder))
        .map(|bucket| format!("a token bucket of {} a second (burst {})", bucket.per_second, bucket.burst));
    [on_ladder, bucket, Some(course.reason.clone())].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// What comes after the last attempt that is shown, in a sentence without a full stop.
pub(super) fn end(course: &Course<'_>, simulation: &Simulation<'_>, last: Option<&Attempt>) -> String {
    let next = simulation.next_at().map(human::compact);
    match simulation.end() {
        Some(End::Failures | End::Until) => match (next, simulation.halted()) {
            (Some(next), true) => {
                format!("halted, but an older delayed add is pending: it brings an attempt at {next}")
            }
            (None, true) => HALTED.to_owned(),
            (Some(next), false) => format!("the next attempt comes at {next}"),
            (None, false) => "nothing comes by itself".to_owned(),
        },
        Some(End::Settled) => settled(course, last),
        Some(End::Quiet) if simulation.halted() => HALTED.to_owned(),
        // The policy says why.
        Some(End::Quiet) if !course.behaviour.attended => String::new(),
        Some(End::Quiet) => "nothing more comes by itself".to_owned(),
        Some(End::Gone) => "deleted".to_owned(),
        Some(End::Unknown(reason)) => format!("from here on it is not known: {reason}"),
        Some(End::Beyond) => "the next attempt is farther away than can be reckoned".to_owned(),
        None => String::new(),
    }
}

const HALTED: &str = "HALTED: nothing comes by itself; an edit that passes the watch filter, or a restart, wakes it";

fn settled(course: &Course<'_>, last: Option<&Attempt>) -> String {
    let rules = (course.behaviour.rules)(&[]);
    let range = match rules.drift {
        Drift::Every(mean) if last.and_then(|last| last.next) == Some(mean) => {
            format!(" (drawn from {})", human::range(mean / 2, mean / 2 + mean))
        }
        _ => String::new(),
    };
    let next = last.and_then(|last| last.next).map_or(String::new(), |next| {
        format!("; it is looked at again after {}{range}, and so on", human::duration(next))
    });
    format!("settled: it succeeds from here on{next}")
}

/// What stands in a table for one attempt where there is no column for its outcome.
pub(super) fn delay_with_outcome(attempt: &Attempt) -> String {
    let delay = attempt.next.map(human::compact);
    match (attempt.outcome, delay) {
        (Outcome::Failed, Some(delay)) => delay,
        (Outcome::Failed, None) => "halts".to_owned(),
        (outcome, Some(delay)) => format!("{} {delay}", outcome.as_str()),
        (outcome, None) => outcome.as_str().to_owned(),
    }
}

/// A delay as it stands in a table.
pub(super) fn delay(next: Option<Duration>) -> String {
    next.map_or_else(|| "-".to_owned(), human::compact)
}
