use std::time::Duration;

use crate::backoff::Ladder;
use crate::human;
use crate::simulate::{Attempt, Cause, Course, Drift, End, Outcome, Simulation};

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
    /// Attempts that succeeded because the object is paused; they do not count as succeeded.
    pub(super) paused: u64,
    /// Attempts that got as far as the cloud, or the Console.
    pub(super) calling: u64,
}

impl Tally {
    pub(super) fn add(&mut self, attempt: &Attempt) {
        self.attempts += 1;
        self.calling += u64::from(attempt.called);
        *match attempt.outcome {
            Outcome::Failed => &mut self.failed,
            Outcome::Succeeded if attempt.is_paused() => &mut self.paused,
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
            (self.paused, "paused"),
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

/// What comes after the last attempt that is shown, in a sentence without a full stop; empty where the policy says it.
pub(super) fn end(course: &Course<'_>, simulation: &Simulation<'_>, last: Option<&Attempt>, events: usize) -> String {
    let halted = simulation.halted();
    let end = match simulation.end() {
        Some(End::Failures | End::Until) => match (coming(simulation, last), halted) {
            (Some(coming), true) => format!("halted, but {coming}"),
            (Some(coming), false) => coming,
            (None, true) => HALTED.to_owned(),
            (None, false) => "nothing comes by itself".to_owned(),
        },
        Some(End::Settled) => settled(simulation, last),
        Some(End::Quiet) if halted => HALTED.to_owned(),
        Some(End::Quiet) if !course.behaviour.attended => String::new(),
        Some(End::Quiet) => "nothing more comes by itself".to_owned(),
        Some(End::Gone) => "deleted".to_owned(),
        Some(End::Unknown(reason)) => format!("from here on it is not known: {reason}"),
        Some(End::Beyond) => "the next attempt is farther away than can be reckoned".to_owned(),
        None => String::new(),
    };
    let unreached = match events - simulation.woken().len() {
        _ if matches!(simulation.end(), Some(End::Gone)) || end.is_empty() => return end,
        0 => return end,
        1 => "1 event lies after that and did not happen".to_owned(),
        many => format!("{many} events lie after that and did not happen"),
    };
    match simulation.end() {
        Some(End::Failures | End::Settled) => format!("{end}; {unreached} (--until goes on)"),
        _ => format!("{end}; {unreached}"),
    }
}

const HALTED: &str = "HALTED: nothing comes by itself; an edit that passes the watch filter, or a restart, wakes it";

/// When the next attempt comes, and what for if that is not what the last one asked for.
fn coming(simulation: &Simulation<'_>, last: Option<&Attempt>) -> Option<String> {
    let next = simulation.next_at()?;
    let asked = last.and_then(|last| Some(last.ended.saturating_add(last.next?)));
    let remark = match simulation.next_for() {
        None => " (it was woken while the last one ran)",
        Some(_) if asked.is_none_or(|asked| next < asked) => " (an older delayed add)",
        Some(_) => "",
    };
    Some(format!("the next attempt comes at {}{remark}", human::compact_rounded(next)))
}

fn settled(simulation: &Simulation<'_>, last: Option<&Attempt>) -> String {
    let range = match simulation.drift() {
        Drift::Every(mean) | Drift::Waits(mean) if last.and_then(|last| last.next) == Some(mean) => {
            format!(" (drawn from {})", human::range(mean / 2, mean / 2 + mean))
        }
        _ => String::new(),
    };
    let next = match (simulation.next_for(), last.and_then(|last| last.next)) {
        // It takes longer than the interval.
        (None, _) => "; it is looked at again at once, and so on".to_owned(),
        (Some(_), Some(next)) => {
            format!("; it is looked at again after {}{range}, and so on", human::duration(next))
        }
        (Some(_), None) => String::new(),
    };
    match last.is_some_and(Attempt::is_paused) {
        true => format!("settled: it stays paused{next}"),
        false => format!("settled: it succeeds from here on{next}"),
    }
}

/// What stands in a table for one attempt where there is no column for its outcome.
pub(super) fn delay_with_outcome(attempt: &Attempt) -> String {
    let delay = attempt.next.map(human::compact_rounded);
    match (attempt.outcome, attempt.cause, delay) {
        (Outcome::Failed, _, Some(delay)) => delay,
        (Outcome::Failed, Cause::Halt, None) => "halts".to_owned(),
        (_, _, Some(delay)) => format!("{} {delay}", attempt.told()),
        (_, _, None) => attempt.told().to_owned(),
    }
}

/// A delay as it stands in a table.
pub(super) fn delay(next: Option<Duration>) -> String {
    next.map_or_else(|| "-".to_owned(), human::compact_rounded)
}
