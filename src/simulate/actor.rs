use std::sync::Arc;
use std::time::Duration;

use super::attempt::{Attempt, Cause, Outcome, Ready, Trigger};
use super::event::What;
use super::jitter::{Draws, Jitter};
use super::queue::Queue;
use super::rules::{Acts, Behaviour, Deletion, Drift, MainPath, Rules, Waiting};
use crate::backoff::{Bucket, Ladder};
use crate::plural::{FailedDelete, WAIT_MEAN};

/// What the status of the object says.
#[derive(Debug, Clone, Copy, Default)]
struct Status {
    ready: Option<Ready>,
    observed: Option<u64>,
}

/// An attempt that runs, with the object as it was when it began.
#[derive(Debug, Clone)]
struct Running {
    began: Duration,
    ends: Duration,
    trigger: Trigger,
    generation: u64,
    /// Whether the status, when it began, spoke of this generation.
    observed: bool,
    up_to_date: bool,
    deleting: bool,
    /// What was said of attempts when it began.
    failing: bool,
    /// The same, but that one that takes too long fails.
    fails: bool,
    missing: bool,
    rules: Rules,
}

/// What a reconciler returns.
enum Returned {
    /// An error, or a wish to be requeued.
    Error,
    /// No error, and a delay.
    After(Duration, Cause),
    /// No error, and nothing else.
    Nothing(Cause),
}

/// One object, its controller as far as it concerns this object, and the queue between them.
pub(super) struct Actor<'a> {
    behaviour: Arc<Behaviour<'a>>,
    reconcile: Duration,
    jitter: Draws,
    changes: Vec<(String, Option<String>)>,
    rules: Rules,
    /// Whether attempts fail.
    pub(super) fails: bool,
    missing: bool,
    exists: bool,
    deleting: bool,
    /// Whether an attempt deleted what the object stands for, and left the object to the next one.
    half_deleted: bool,
    generation: u64,
    status: Status,
    queue: Queue,
    running: Option<Running>,
    /// Failures as the workqueue's limiter counts them.
    errors: u64,
    /// Failures as the direct controller counts them.
    direct: u64,
    bucket: Option<Bucket>,
    drift_bucket: Option<Bucket>,
    watching_until: Option<Duration>,
    stuck: Option<&'static str>,
    number: u64,
    /// How many attempts failed.
    pub(super) failed: u64,
    /// How many ended unresolved.
    pub(super) unresolved: u64,
    /// Whether the last attempt halted the object.
    pub(super) halted: bool,
    /// How often something woke it.
    pub(super) woken: u64,
    /// Whether nothing has changed since the last attempt began.
    steady: bool,
}

impl<'a> Actor<'a> {
    pub(super) fn new(behaviour: Arc<Behaviour<'a>>, reconcile: Duration, jitter: Jitter) -> Actor<'a> {
        let rules = (behaviour.rules)(&[]);
        let jitter = jitter.of(behaviour.number);
        Actor {
            deleting: behaviour.deleting && !matches!(rules.deletion, Deletion::Unseen { .. }),
            behaviour,
            reconcile,
            jitter,
            changes: Vec::new(),
            fails: true,
            missing: false,
            exists: true,
            half_deleted: false,
            generation: 1,
            status: Status::default(),
            queue: Queue::new(rules.queue),
            running: None,
            errors: 0,
            direct: 0,
            bucket: rules.bucket.map(Bucket::full),
            drift_bucket: rules.drift_bucket.map(Bucket::full),
            watching_until: None,
            stuck: None,
            number: 0,
            failed: 0,
            unresolved: 0,
            halted: false,
            woken: 0,
            steady: false,
            rules,
        }
    }

    /// Queues the object, if anybody looks at it.
    pub(super) fn add(&mut self, trigger: Trigger) {
        if self.behaviour.attended {
            self.woken += 1;
            self.queue.add(trigger);
        }
    }

    /// What a success leaves behind now.
    pub(super) fn drift_now(&self) -> Drift {
        self.rules.drift
    }

    /// What the attempt that is due next comes for.
    pub(super) fn due_for(&self) -> Option<Trigger> {
        self.queue.delayed().map(|(_, trigger)| trigger)
    }

    /// When something happens next by itself.
    pub(super) fn due(&self) -> Option<Duration> {
        let ends = self.running.as_ref().map(|running| running.ends);
        let delayed = self.queue.delayed().map(|(at, _)| at).filter(|_| self.exists && self.stuck.is_none());
        match (ends, delayed) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    pub(super) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    pub(super) fn exists(&self) -> bool {
        self.exists
    }

    /// Why nothing can be told any more.
    pub(super) fn stuck(&self) -> Option<&'static str> {
        self.stuck
    }

    /// The condition `Ready`.
    pub(super) fn ready(&self) -> Option<Ready> {
        self.status.ready
    }

    /// Whether the status speaks of the object as it is.
    pub(super) fn is_observed(&self) -> bool {
        self.status.observed == Some(self.generation)
    }

    /// Whether the object is queued and worked on at once.
    pub(super) fn is_ready(&self) -> bool {
        self.queue.ready().is_some() && self.exists
    }

    /// Whether nothing is pending but drift requeues, of which one may be due already, and the next attempt will come to
    /// the same.
    pub(super) fn rests(&self) -> bool {
        let delayed = self.queue.delayed().map(|(_, trigger)| trigger);
        let mut pending = [self.queue.ready(), delayed].into_iter().flatten().peekable();
        self.steady
            && pending.peek().is_some()
            && pending.all(|trigger| matches!(trigger, Trigger::Drift | Trigger::Wait))
    }

    /// Lets something happen at `now`. Returns the attempt that it cut off.
    pub(super) fn happen(&mut self, what: &What, now: Duration) -> Option<Attempt> {
        match what {
            What::Fails => self.fails = true,
            What::Succeeds => self.fails = false,
            What::DependencyMissing => self.missing = true,
            What::DependencyReady => {
                self.missing = false;
                if self.exists && self.watching_until.take().is_some_and(|until| now < until) {
                    self.add(Trigger::Dependency);
                }
            }
            What::Restart => return self.restart(now),
            _ if !self.exists => {}
            What::Spec => {
                self.generation += 1;
                self.add(Trigger::Spec);
            }
            What::Labels => {
                if self.behaviour.watch.labels_wake() {
                    self.add(Trigger::Labels);
                }
            }
            What::Annotate(key, value) => self.annotate(key, Some(value)),
            What::Unannotate(key) => self.annotate(key, None),
            What::Delete => self.delete(),
        }
        None
    }

    fn delete(&mut self) {
        match self.rules.deletion {
            _ if self.deleting => return,
            Deletion::Unseen { held: false } => return self.exists = false,
            // It is worked on as if nothing had happened.
            Deletion::Unseen { held: true } => {}
            Deletion::Attempts { .. } | Deletion::Unknown(_) => self.deleting = true,
        }
        // The API server raises the generation when it marks an object for deletion.
        self.generation += 1;
        self.add(Trigger::Delete);
    }

    /// Puts another text of the object in place of the one that was applied before. `spec` and `labels` say whether those
    /// changed; `annotations` are keys with their old and new values. What passes the watch filter wakes it.
    pub(super) fn apply<'k>(
        &mut self,
        behaviour: Arc<Behaviour<'a>>,
        (spec, labels): (bool, bool),
        annotations: impl Iterator<Item = (&'k str, Option<&'k str>, Option<&'k str>)>,
    ) {
        self.changes.clear();
        self.surround(behaviour);
        if spec {
            self.generation += 1;
            self.add(Trigger::Spec);
        }
        if labels && self.behaviour.watch.labels_wake() {
            self.add(Trigger::Labels);
        }
        for (key, old, new) in annotations {
            if self.behaviour.watch.annotation_wakes(key, old, new) {
                self.add(Trigger::Annotation);
            }
        }
    }

    /// Lets its surroundings change, which nobody watches.
    pub(super) fn surround(&mut self, behaviour: Arc<Behaviour<'a>>) {
        self.behaviour = behaviour;
        self.rules = (self.behaviour.rules)(&self.changes);
        // What could not be told may be told from here on.
        self.stuck = None;
    }

    /// Creates the object anew at `now`, after it was deleted. The queue and its counters are those of its name.
    pub(super) fn recreate(&mut self, behaviour: Arc<Behaviour<'a>>, now: Duration) {
        if self.queue.take(now).is_some() {
            // It came due while the object was gone.
            self.errors = 0;
            self.direct = 0;
        }
        self.changes.clear();
        self.surround(behaviour);
        self.exists = true;
        self.deleting = false;
        self.half_deleted = false;
        self.generation = 1;
        self.status = Status::default();
        self.halted = false;
        self.add(Trigger::Start);
    }

    fn annotate(&mut self, key: &str, value: Option<&str>) {
        let changed = self.changes.iter().position(|(changed, _)| changed == key);
        let old = match changed {
            Some(index) => self.changes[index].1.clone(),
            None => (self.behaviour.annotation)(key),
        };
        if old.as_deref() == value {
            return;
        }
        let entry = (key.to_owned(), value.map(str::to_owned));
        match changed {
            Some(index) => self.changes[index] = entry,
            None => self.changes.push(entry),
        }
        self.rules = (self.behaviour.rules)(&self.changes);
        if self.behaviour.watch.annotation_wakes(key, old.as_deref(), value) {
            self.add(Trigger::Annotation);
        }
    }

    fn restart(&mut self, now: Duration) -> Option<Attempt> {
        let interrupted = self.running.take();
        self.queue.clear();
        self.errors = 0;
        self.direct = 0;
        self.bucket = self.rules.bucket.map(|rate| Bucket::full_at(rate, now));
        self.drift_bucket = self.rules.drift_bucket.map(|rate| Bucket::full_at(rate, now));
        self.watching_until = None;
        if self.exists {
            self.add(Trigger::Restart);
        }
        let running = interrupted?;
        self.halted = false;
        self.number += 1;
        Some(Attempt {
            number: self.number,
            at: running.began,
            ended: now,
            outcome: Outcome::Interrupted,
            next: None,
            cause: Cause::None,
            trigger: running.trigger,
            called: false,
        })
    }

    /// Begins an attempt at `now`, if the object is queued or due, and none runs. Returns whether it did.
    pub(super) fn begin(&mut self, now: Duration) -> bool {
        if self.running.is_some() {
            self.queue.release(now);
            return false;
        }
        if self.stuck.is_some() {
            return false;
        }
        let Some(trigger) = self.queue.take(now) else { return false };
        if !self.exists {
            // A reconcile that finds the object gone forgets its counters, and is no attempt.
            self.errors = 0;
            self.direct = 0;
            return true;
        }
        match (self.rules.acts, self.rules.deletion) {
            (Acts::Unknown(reason), _) => self.stuck = Some(reason),
            (_, Deletion::Unknown(reason)) if self.deleting => self.stuck = Some(reason),
            _ => {}
        }
        if self.stuck.is_some() {
            return false;
        }
        let limit = self.rules.limit.unwrap_or(Duration::MAX);
        self.running = Some(Running {
            began: now,
            ends: now.saturating_add(self.reconcile.min(limit)),
            trigger,
            generation: self.generation,
            observed: self.is_observed(),
            up_to_date: self.status.ready.is_some_and(|ready| ready.status),
            deleting: self.deleting,
            failing: self.fails,
            // One that takes longer is cut off, which is an error.
            fails: self.fails || self.reconcile > limit,
            missing: self.missing,
            rules: self.rules.clone(),
        });
        true
    }

    /// Ends the attempt that runs, if it ends at `now`.
    pub(super) fn end(&mut self, now: Duration) -> Option<Attempt> {
        let running = self.running.take_if(|running| running.ends <= now)?;
        self.halted = false;
        self.steady = running.rules == self.rules
            && (running.failing, running.missing, running.generation) == (self.fails, self.missing, self.generation);
        let (outcome, called, returned) = self.reconcile(&running, now);
        let (next, cause) = match returned {
            Returned::Error => {
                let (delay, cause) = self.rate_limited(running.rules.ladder, now);
                self.queue.add_after(now, delay, Trigger::Retry);
                (Some(delay), cause)
            }
            Returned::After(delay, cause) => {
                self.errors = 0;
                let trigger = match cause {
                    Cause::Drift => Trigger::Drift,
                    Cause::Wait => Trigger::Wait,
                    _ => Trigger::Retry,
                };
                self.queue.add_after(now, delay, trigger);
                (Some(delay), cause)
            }
            Returned::Nothing(cause) => {
                self.errors = 0;
                (None, cause)
            }
        };
        self.failed += u64::from(outcome == Outcome::Failed);
        self.unresolved += u64::from(outcome == Outcome::Unresolved);
        self.number += 1;
        let (number, at, trigger) = (self.number, running.began, running.trigger);
        Some(Attempt { number, at, ended: now, outcome, next, cause, trigger, called })
    }

    /// The workqueue's delay after an error: the larger of the ladder's and the bucket's.
    fn rate_limited(&mut self, ladder: Ladder, now: Duration) -> (Duration, Cause) {
        self.errors = self.errors.saturating_add(1);
        let step = ladder.delay(self.errors);
        let wait = self.bucket.as_mut().map_or(Duration::ZERO, |bucket| bucket.reserve(now));
        if wait > step {
            return (wait, Cause::TokenBucket);
        }
        (step, of_ladder(ladder, self.errors))
    }

    /// One reconcile, from the first check to what it returns (Config Connector, the controllers' Reconcile, 1.155.1
    /// and main; kcc.md sections 2 to 6). The Plural Console's controllers are the case without skips, ceilings and
    /// pauses (console.md section 2.3).
    fn reconcile(&mut self, running: &Running, now: Duration) -> (Outcome, bool, Returned) {
        let rules = &running.rules;
        let invalid = rules.drift == Drift::Invalid;
        if running.observed && rules.checks_interval_first && invalid {
            return (Outcome::Failed, false, Returned::Error);
        }
        if running.observed && rules.skips && running.up_to_date {
            return (Outcome::Skipped, false, Returned::Nothing(Cause::None));
        }
        if rules.acts == Acts::Paused {
            if rules.reports_pause {
                self.write(running, false, "Paused");
            }
            return self.succeed(rules, false, now);
        }
        if running.missing {
            return self.wait(running, now);
        }
        if running.fails {
            let reason = if running.deleting { "DeleteFailed" } else { "UpdateFailed" };
            self.write(running, false, reason);
            return (Outcome::Failed, true, self.fail(running, now));
        }
        if running.deleting && matches!(rules.deletion, Deletion::Attempts { twice: true, .. }) && !self.half_deleted {
            self.half_deleted = true;
            return self.succeed(rules, true, now);
        }
        if running.deleting {
            self.exists = false;
            self.direct = 0;
            self.status = Status::default();
            return (Outcome::Succeeded, true, Returned::Nothing(Cause::Gone));
        }
        self.write(running, true, "UpToDate");
        self.succeed(rules, true, now)
    }

    fn write(&mut self, running: &Running, status: bool, reason: &'static str) {
        self.status = Status { ready: Some(Ready { status, reason }), observed: Some(running.generation) };
    }

    fn fail(&mut self, running: &Running, now: Duration) -> Returned {
        // A failing deletion and an invalid interval go past the ceiling.
        if let (true, Deletion::Attempts { failed, requeue, .. }) = (running.deleting, running.rules.deletion) {
            return match (failed, requeue) {
                (FailedDelete::Wait, _) => Returned::After(self.jitter.around(WAIT_MEAN), Cause::Wait),
                (FailedDelete::Interval, Drift::Every(mean)) => Returned::After(self.drift(mean, now), Cause::Drift),
                (FailedDelete::Interval, Drift::Never) => Returned::Nothing(Cause::None),
                _ => Returned::Error,
            };
        }
        if running.rules.drift == Drift::Invalid {
            return Returned::Error;
        }
        match running.rules.main_path {
            MainPath::Default => Returned::Error,
            MainPath::Halt => {
                self.halted = true;
                Returned::Nothing(Cause::Halt)
            }
            MainPath::Ceiling(ladder) => {
                self.direct = self.direct.saturating_add(1);
                Returned::After(ladder.delay(self.direct), of_ladder(ladder, self.direct))
            }
        }
    }

    /// The end of a reconcile that met no error.
    fn succeed(&mut self, rules: &Rules, called: bool, now: Duration) -> (Outcome, bool, Returned) {
        match rules.drift {
            Drift::Invalid => (Outcome::Failed, called, Returned::Error),
            Drift::Never => {
                self.direct = 0;
                (Outcome::Succeeded, called, Returned::Nothing(Cause::None))
            }
            Drift::Unknown(reason) => {
                self.stuck = Some(reason);
                (Outcome::Succeeded, called, Returned::Nothing(Cause::None))
            }
            Drift::Every(mean) => {
                self.direct = 0;
                (Outcome::Succeeded, called, Returned::After(self.drift(mean, now), Cause::Drift))
            }
            Drift::Waits(mean) => (Outcome::Succeeded, called, Returned::After(self.drift(mean, now), Cause::Wait)),
        }
    }

    fn drift(&mut self, mean: Duration, now: Duration) -> Duration {
        let wait = self.drift_bucket.as_mut().map_or(Duration::ZERO, |bucket| bucket.reserve(now));
        self.jitter.around(mean).saturating_add(wait)
    }

    /// The end of a reconcile that met a dependency that is missing. An unchanged message leaves observedGeneration
    /// behind.
    fn wait(&mut self, running: &Running, now: Duration) -> (Outcome, bool, Returned) {
        const REASON: &str = "DependencyNotReady";
        if self.status.ready.is_none_or(|ready| ready.reason != REASON) {
            self.write(running, false, REASON);
        }
        let returned = match running.rules.waiting {
            Waiting::Error => Returned::Error,
            Waiting::Every(mean) => Returned::After(self.jitter.around(mean), Cause::Wait),
            Waiting::Watch(mean) => {
                let until = now.saturating_add(self.jitter.around(mean));
                self.watching_until = self.watching_until.max(Some(until));
                match running.rules.drift {
                    Drift::Invalid => Returned::Error,
                    Drift::Every(mean) | Drift::Waits(mean) => Returned::After(self.drift(mean, now), Cause::Drift),
                    Drift::Never | Drift::Unknown(_) => Returned::Nothing(Cause::None),
                }
            }
        };
        (Outcome::Unresolved, false, returned)
    }
}

/// Whether failure `n` stands on a step of a ladder or at its longest delay.
fn of_ladder(ladder: Ladder, n: u64) -> Cause {
    if ladder.is_capped(n) { Cause::Ceiling } else { Cause::Ladder }
}
