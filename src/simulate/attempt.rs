use std::time::Duration;

/// One attempt: a reconcile that a controller began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Which, from 1.
    pub number: u64,
    /// When it began, since the start.
    pub at: Duration,
    /// When it ended, or was cut off.
    pub ended: Duration,
    /// What came of it.
    pub outcome: Outcome,
    /// The delay that it leaves behind, counted from its end; `None`: nothing comes of it by itself.
    pub next: Option<Duration>,
    /// Where that delay comes from, or why there is none.
    pub cause: Cause,
    /// What it was begun for.
    pub trigger: Trigger,
    /// Whether it got as far as the cloud (or the Console). Skipped and paused ones, and those that stop at an invalid
    /// interval, did not.
    pub called: bool,
}

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// An error.
    Failed,
    /// No error.
    Succeeded,
    /// A dependency is missing or not ready.
    Unresolved,
    /// Nothing was done: the object is up to date and its interval is `"0"`.
    Skipped,
    /// The controller restarted before it ended.
    Interrupted,
}

impl Attempt {
    /// Whether it did nothing, and succeeded, because the object is paused.
    pub fn is_paused(&self) -> bool {
        self.outcome == Outcome::Succeeded && !self.called
    }

    /// What came of it, as it is called on the screen: a pause is no success to people, and a failure that called nobody no
    /// cost.
    pub fn told(&self) -> &'static str {
        match self.outcome {
            _ if self.is_paused() => "paused",
            Outcome::Failed if !self.called => "failed, no call",
            other => other.as_str(),
        }
    }
}

impl Outcome {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::Failed => "failed",
            Outcome::Succeeded => "succeeded",
            Outcome::Unresolved => "unresolved",
            Outcome::Skipped => "skipped",
            Outcome::Interrupted => "interrupted",
        }
    }
}

/// Where the delay after an attempt comes from, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cause {
    /// A step of the ladder.
    Ladder,
    /// The longest delay of the ladder, which doubling would pass.
    Ceiling,
    /// The token bucket, which made it longer than the ladder does.
    TokenBucket,
    /// The drift interval.
    Drift,
    /// The wait of a controller of the Plural Console for a reference.
    Wait,
    /// A ceiling of `"0"`: none.
    Halt,
    /// A success without a periodic requeue, a skipped attempt or an interrupted one: none.
    None,
    /// The object is gone: none.
    Gone,
}

impl Cause {
    /// The name in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Cause::Ladder => "ladder",
            Cause::Ceiling => "ceiling",
            Cause::TokenBucket => "token-bucket",
            Cause::Drift => "drift",
            Cause::Wait => "wait",
            Cause::Halt => "halt",
            Cause::None => "none",
            Cause::Gone => "gone",
        }
    }
}

/// What an attempt was begun for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Trigger {
    /// The start of the simulation.
    Start,
    /// The delay after an attempt that failed or ended unresolved.
    Retry,
    /// The drift interval.
    Drift,
    /// The wait of a controller of the Plural Console.
    Wait,
    /// An edit of spec.
    Spec,
    /// An edit of the labels.
    Labels,
    /// A changed annotation.
    Annotation,
    /// A request to delete it.
    Delete,
    /// A restart of the controller.
    Restart,
    /// A dependency that became ready while it was watched.
    Dependency,
}

impl Trigger {
    /// The name in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Trigger::Start => "start",
            Trigger::Retry => "retry",
            Trigger::Drift => "drift",
            Trigger::Wait => "wait",
            Trigger::Spec => "spec",
            Trigger::Labels => "labels",
            Trigger::Annotation => "annotation",
            Trigger::Delete => "delete",
            Trigger::Restart => "restart",
            Trigger::Dependency => "dependency",
        }
    }
}

/// The condition `Ready` as the model knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ready {
    /// Its status.
    pub status: bool,
    /// Its reason.
    pub reason: &'static str,
}
