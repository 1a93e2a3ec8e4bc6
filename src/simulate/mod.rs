//! When the retries come: a discrete-event model of one object in the queue of its controller.
//!
//! Everything here is pure: time, seed, release and events are arguments, and the same input gives the same attempts.
//! Time is a [`Duration`] since the start; nothing is kept of what is over, so any number of attempts takes the same
//! memory.
//!
//! What happens at one instant happens in this order:
//! 1. a running attempt ends, and leaves behind what its result asks for;
//! 2. the events of that instant happen, in the order in which they were given;
//! 3. a delayed add that is due puts the object into the queue;
//! 4. an object that is queued and not being worked on is: the attempt begins, on the object as it is then.
//!
//! So an edit at the very instant of a retry is seen by it, and both make one attempt.

mod actor;
mod attempt;
mod course;
mod event;
mod jitter;
mod notes;
mod queue;
mod rules;
pub mod scenario;

use std::sync::Arc;
use std::time::Duration;

pub use attempt::{Attempt, Cause, Outcome, Ready, Trigger};
pub use course::{Assumption, Choice, Course, courses};
pub use event::{Event, EventError, WORDS, What};
pub use jitter::Jitter;
pub use rules::{Acts, AnnotationOf, Behaviour, Changes, Deletion, Drift, MainPath, Rules, RulesOf, Waiting, Watch};

use actor::Actor;

/// How one object is simulated.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// End with this many attempts that failed or ended unresolved. Without it and [`Options::until`] the simulation
    /// ends where only the drift requeues of a success go on.
    pub failures: Option<u64>,
    /// End with the attempts that begin at this instant.
    pub until: Option<Duration>,
    /// Attempts succeed once this many have failed.
    pub succeed_after: Option<u64>,
    /// How long an attempt takes.
    pub reconcile: Duration,
    /// Where in its range a drift requeue comes.
    pub jitter: Jitter,
    /// What happens, in the order in which it happens.
    pub events: Vec<Event>,
}

/// Why a simulation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The attempts of [`Options::failures`] have failed.
    Failures,
    /// What would come next is after [`Options::until`].
    Until,
    /// The object succeeds, and only its drift requeues go on.
    Settled,
    /// Nothing is due any more: it is halted, skipped, or has no periodic requeue.
    Quiet,
    /// The object is deleted.
    Gone,
    /// What comes next cannot be told, and why.
    Unknown(&'static str),
    /// The next attempt lies beyond all times that can be reckoned with (584 thousand million years).
    Beyond,
}

impl End {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            End::Failures => "failures",
            End::Until => "until",
            End::Settled => "settled",
            End::Quiet => "quiet",
            End::Gone => "gone",
            End::Unknown(_) => "unknown",
            End::Beyond => "beyond",
        }
    }
}

/// The attempts on one object, one after another.
pub struct Simulation<'a> {
    actor: Actor<'a>,
    options: &'a Options,
    now: Duration,
    end: Option<End>,
    /// For each event that has happened, whether it woke the object.
    woken: Vec<bool>,
}

impl<'a> Simulation<'a> {
    /// Simulates an object that behaves so, from an attempt at time 0 on. Initially every attempt fails.
    pub fn new(behaviour: &Arc<Behaviour<'a>>, options: &'a Options) -> Simulation<'a> {
        let mut actor = Actor::new(Arc::clone(behaviour), options.reconcile, options.jitter);
        actor.fails = options.succeed_after != Some(0);
        actor.add(Trigger::Start);
        Simulation { actor, options, now: Duration::ZERO, end: None, woken: Vec::new() }
    }

    /// Why it ended; `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Whether the last attempt halted the object. An older delayed add may be pending nevertheless.
    pub fn halted(&self) -> bool {
        self.actor.halted
    }

    /// When the next attempt would come, since the start: at once, if it was queued while the last one ran.
    pub fn next_at(&self) -> Option<Duration> {
        if self.actor.is_ready() { Some(self.now) } else { self.actor.due() }
    }

    /// What a success leaves behind at the end.
    pub fn drift(&self) -> Drift {
        self.actor.drift_now()
    }

    /// What the next attempt would come for, if it would come by itself.
    pub fn next_for(&self) -> Option<Trigger> {
        self.actor.due_for().filter(|_| !self.actor.is_ready())
    }

    /// For each event that has happened, whether it woke the object.
    pub fn woken(&self) -> &[bool] {
        &self.woken
    }

    fn next_event(&self) -> Option<&'a Event> {
        let options = self.options;
        let beyond = |event: &&Event| options.until.is_none_or(|until| event.at <= until);
        options.events.get(self.woken.len()).filter(beyond)
    }

    /// Whether an attempt that has just ended is the last one.
    fn is_last(&self, attempt: &Attempt) -> Option<End> {
        if self.options.failures.is_some_and(|failures| self.actor.failed + self.actor.unresolved >= failures)
            && matches!(attempt.outcome, Outcome::Failed | Outcome::Unresolved)
        {
            return Some(End::Failures);
        }
        let settled = self.options.until.is_none()
            && attempt.outcome == Outcome::Succeeded
            && self.woken.len() == self.options.events.len()
            && self.actor.rests();
        settled.then_some(End::Settled)
    }

    /// Takes note of an attempt that has just ended.
    fn told(&mut self, attempt: Attempt) -> Attempt {
        if self.options.succeed_after.is_some_and(|failures| failures == self.actor.failed)
            && attempt.outcome == Outcome::Failed
        {
            self.actor.fails = false;
        }
        self.end = self.is_last(&attempt);
        attempt
    }

    /// Moves on to the next instant at which something happens, or to the end.
    fn advance(&mut self) {
        if let Some(reason) = self.actor.stuck() {
            self.end = Some(End::Unknown(reason));
            return;
        }
        let due = self.actor.due();
        let event = self.next_event().map(|event| event.at);
        let next = match (due, event) {
            (Some(due), Some(event)) => due.min(event),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => {
                self.end = Some(match self.actor.exists() {
                    true => End::Quiet,
                    false => End::Gone,
                });
                return;
            }
        };
        // A running attempt that began in time is told to its end.
        if !self.actor.is_running() && self.options.until.is_some_and(|until| next > until) {
            self.end = Some(End::Until);
        } else if next == Duration::MAX {
            self.end = Some(End::Beyond);
        } else {
            self.now = next;
        }
    }
}

impl Iterator for Simulation<'_> {
    type Item = Attempt;

    fn next(&mut self) -> Option<Attempt> {
        while self.end.is_none() {
            if let Some(attempt) = self.actor.end(self.now) {
                return Some(self.told(attempt));
            }
            while let Some(event) = self.next_event().filter(|event| event.at <= self.now) {
                let before = self.actor.woken;
                let interrupted = self.actor.happen(&event.what, self.now);
                self.woken.push(self.actor.woken > before);
                if let Some(interrupted) = interrupted {
                    return Some(self.told(interrupted));
                }
            }
            // An attempt that began in time may end after the last instant, at which no other begins.
            if self.options.until.is_some_and(|until| self.now > until) && !self.actor.is_running() {
                self.end = Some(End::Until);
            } else if !self.actor.begin(self.now) {
                self.advance();
            }
        }
        None
    }
}
