use std::time::Duration;

use super::attempt::Trigger;

/// Which queue a controller has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueKind {
    /// client-go's workqueue: delayed adds lie beside the queue (client-go v0.33.10, util/workqueue).
    Workqueue,
    /// controller-runtime's priority queue: an object is in it once, queued or delayed
    /// (controller-runtime v0.23.1, pkg/controller/priorityqueue).
    Priority,
}

/// One object's place in the queue of its controller.
#[derive(Debug, Clone)]
pub(super) struct Queue {
    kind: QueueKind,
    /// Queued; while an attempt runs: to be worked on again as soon as it ends.
    ready: Option<Trigger>,
    delayed: Option<(Duration, Trigger)>,
}

impl Queue {
    pub(super) fn new(kind: QueueKind) -> Queue {
        Queue { kind, ready: None, delayed: None }
    }

    /// Queues the object. One that is queued already is not queued twice. In the workqueue a delayed add stays and
    /// causes an attempt of its own; in the priority queue it is this one.
    pub(super) fn add(&mut self, trigger: Trigger) {
        self.ready.get_or_insert(trigger);
        if self.kind == QueueKind::Priority {
            self.delayed = None;
        }
    }

    /// Queues the object at a later time. Of several such adds the earliest counts and the others vanish; in the
    /// priority queue it vanishes, too, if the object is queued already.
    pub(super) fn add_after(&mut self, now: Duration, delay: Duration, trigger: Trigger) {
        if delay.is_zero() {
            return self.add(trigger);
        }
        if self.kind == QueueKind::Priority && self.ready.is_some() {
            return;
        }
        let at = now.saturating_add(delay);
        if self.delayed.is_none_or(|(pending, _)| at < pending) {
            self.delayed = Some((at, trigger));
        }
    }

    /// Takes the object out to be worked on, if it is queued, or due by now.
    pub(super) fn take(&mut self, now: Duration) -> Option<Trigger> {
        self.release(now);
        self.ready.take()
    }

    /// Puts in what is due by now, while an attempt runs.
    pub(super) fn release(&mut self, now: Duration) {
        if let Some((_, trigger)) = self.delayed.take_if(|(at, _)| *at <= now) {
            self.add(trigger);
        }
    }

    /// When the pending delayed add is due, and what it is.
    pub(super) fn delayed(&self) -> Option<(Duration, Trigger)> {
        self.delayed
    }

    /// What the object is queued for, if it is.
    pub(super) fn ready(&self) -> Option<Trigger> {
        self.ready
    }

    /// Everything is lost.
    pub(super) fn clear(&mut self) {
        self.ready = None;
        self.delayed = None;
    }
}
