use std::time::Duration;

use super::Text;
use super::drift::{Drift, DriftState};
use super::subject::{Given, GivenValue, Subject};
use crate::backoff::{Ladder, TokenBucket};
use crate::human;
use crate::kcc::{self, Ceiling, CeilingSupport, Controller, NumberFault};
use crate::object::{Code, Diagnostic, Place, Severity};

/// What the ceiling annotation says, and whether anybody listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CeilingAnswer<'a> {
    /// What it says.
    pub ceiling: Ceiling,
    /// The string that the API server holds; `None` when the annotation is absent or no string.
    pub raw: Option<&'a str>,
    /// What is written in the manifest, where the API server would refuse it.
    pub written: Option<&'a str>,
    /// Where the value stands.
    pub place: Option<Place>,
    /// Whether `--set` gave the value.
    pub set: bool,
    /// Whether the object's controller reads the annotation in this release; `None`: not known.
    pub honoured: Option<bool>,
    /// Why (not), in a sentence without a full stop.
    pub reason: Text<'a>,
}

impl CeilingAnswer<'_> {
    /// Whether the annotation is there, even if empty.
    pub fn present(&self) -> bool {
        self.raw.is_some() || self.written.is_some() || self.place.is_some() || self.set
    }
}

/// Which rule the delays after failures follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The default ladder of the workqueue.
    Default,
    /// The ladder under a ceiling.
    Ceiling,
    /// No retry at all.
    Halt,
    /// No controller, so no attempts.
    None,
}

impl Policy {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Policy::Default => "default",
            Policy::Ceiling => "ceiling",
            Policy::Halt => "halt",
            Policy::None => "none",
        }
    }
}

/// How failed attempts are retried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retry<'a> {
    /// The rule.
    pub policy: Policy,
    /// The delays; `None` when nothing is retried.
    pub ladder: Option<Ladder>,
    /// The bucket that all failing objects of the kind share on top of the ladder.
    pub bucket: Option<TokenBucket>,
    /// Why this rule, in a sentence without a full stop.
    pub reason: Text<'a>,
}

/// How failures are retried, as far as it can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetryAnswer<'a> {
    /// It can be told.
    Known(Retry<'a>),
    /// It depends on whether the release reads the annotation, which is not known.
    Unknown {
        /// If it does.
        if_honoured: Retry<'a>,
        /// If it does not.
        if_ignored: Retry<'a>,
        /// Why it is not known.
        reason: Text<'a>,
    },
}

impl<'a> RetryAnswer<'a> {
    /// The answer, if it can be told.
    pub fn known(&self) -> Option<&Retry<'a>> {
        match self {
            RetryAnswer::Known(retry) => Some(retry),
            RetryAnswer::Unknown { .. } => None,
        }
    }
}

pub(super) fn ceiling<'a>(
    subject: Subject<'a>,
    controller: Controller,
    problems: &mut Vec<Diagnostic>,
) -> CeilingAnswer<'a> {
    let given = subject.annotation(kcc::CEILING);
    let ceiling = match given.as_ref().map(|given| given.value) {
        None | Some(GivenValue::Null) => Ceiling::Unset,
        Some(GivenValue::Text(text)) => Ceiling::parse(Some(text)),
        Some(GivenValue::NotAString(_)) => Ceiling::Invalid(NumberFault::NotAString),
    };
    let (honoured, reason) = honoured(subject, controller);
    let answer = CeilingAnswer {
        ceiling,
        raw: given.as_ref().and_then(Given::stored),
        written: match ceiling {
            Ceiling::Invalid(NumberFault::NotAString) => given.as_ref().and_then(Given::written).or(Some("")),
            _ => None,
        },
        set: given.as_ref().is_some_and(|given| given.place.is_none()),
        place: given.and_then(|given| given.place),
        honoured,
        reason,
    };
    complain(subject, controller, &answer, problems);
    answer
}

fn honoured(subject: Subject<'_>, controller: Controller) -> (Option<bool>, Text<'_>) {
    let world = subject.world;
    match (controller, world.release.ceiling_support(world.ceiling_since)) {
        (Controller::None, _) => (Some(false), "no controller reconciles the object".into()),
        (_, CeilingSupport::Ignored) => (Some(false), world.ignored.as_str().into()),
        (Controller::Direct, CeilingSupport::Honoured) => (Some(true), "the direct controller reads it".into()),
        (Controller::Direct, CeilingSupport::Unknown) => (None, world.unknown.as_str().into()),
        (Controller::Tf, _) => (Some(false), "the tf controller ignores it: only direct reads it".into()),
        (Controller::Dcl, _) => (Some(false), "the dcl controller ignores it: only direct reads it".into()),
        (other, _) => (Some(false), format!("the {other} controller ignores it: only direct reads it").into()),
    }
}

fn complain(subject: Subject<'_>, controller: Controller, answer: &CeilingAnswer<'_>, problems: &mut Vec<Diagnostic>) {
    let place = || answer.place.clone().unwrap_or_else(|| subject.facts.place.clone());
    let shown = answer.raw.unwrap_or_default();
    match answer.ceiling {
        // The reader complains about values that are not strings.
        Ceiling::Unset | Ceiling::Invalid(NumberFault::NotAString) => return,
        // Nobody reads it, so nothing is wrong with it that matters.
        Ceiling::Invalid(_) if controller == Controller::None => return,
        Ceiling::Invalid(fault) => {
            let message =
                format!("{} {shown:?} {}: the default ladder is used, not a halt", kcc::CEILING, fault.clause());
            let fix = match is_placeholder(shown) {
                true => "it looks like a placeholder: fill it in first, or try values with --set".to_owned(),
                false => format!("write whole seconds such as {}: \"600\", or \"0\" to halt", kcc::CEILING),
            };
            problems.push(Diagnostic::new(Code::InvalidCeiling, Severity::Error, place(), message).with_fix(fix));
        }
        Ceiling::Seconds(_) | Ceiling::Halt => {}
    }
    if answer.honoured == Some(false) && controller != Controller::None {
        let message = format!("{} {shown:?} has no effect: {}", kcc::CEILING, answer.reason);
        problems.push(Diagnostic::new(Code::IneffectiveCeiling, Severity::Warning, place(), message));
    }
    if let (Ceiling::Seconds(seconds), Some(true)) = (answer.ceiling, answer.honoured)
        && Duration::from_secs(u64::from(seconds)) < subject.world.release.default_ladder().max()
    {
        let message = format!(
            "a ceiling of {} retries more often than no ceiling at all: {} attempts an hour instead of {}, \
             and no token bucket slows many objects down",
            human::duration(Duration::from_secs(u64::from(seconds))),
            human::rate(3600.0 / f64::from(seconds)),
            human::rate(3600.0 / subject.world.release.default_ladder().max().as_secs_f64()),
        );
        problems.push(Diagnostic::new(Code::FrequentCeiling, Severity::Warning, place(), message));
    }
}

fn is_placeholder(value: &str) -> bool {
    value.contains("${") || value.contains("{{") || value.contains("$(")
}

pub(super) fn retry<'a>(
    subject: Subject<'a>,
    controller: Controller,
    ceiling: &CeilingAnswer<'a>,
    drift: &Drift<'_>,
) -> RetryAnswer<'a> {
    if controller == Controller::None {
        return RetryAnswer::Known(Retry {
            policy: Policy::None,
            ladder: None,
            bucket: None,
            reason: "no controller reconciles the object".into(),
        });
    }
    if let DriftState::Invalid(NumberFault::NotAString) = drift.state {
        return RetryAnswer::Known(default(subject, REFUSED));
    }
    if let DriftState::Invalid(_) = drift.state {
        let why = "the invalid reconcile-interval-in-seconds is an error of every reconcile, whatever the ceiling says";
        return RetryAnswer::Known(default(subject, why));
    }
    if subject.deleting() {
        return RetryAnswer::Known(default(subject, "failing deletions always use it"));
    }
    match ceiling.honoured {
        Some(true) => RetryAnswer::Known(under_ceiling(subject, ceiling)),
        Some(false) => RetryAnswer::Known(default(
            subject,
            match ceiling.ceiling {
                Ceiling::Unset => "no ceiling is set",
                _ => "the ceiling annotation has no effect",
            },
        )),
        None if matches!(ceiling.ceiling, Ceiling::Seconds(_) | Ceiling::Halt) => RetryAnswer::Unknown {
            if_honoured: under_ceiling(subject, ceiling),
            if_ignored: default(subject, "the ceiling annotation has no effect"),
            reason: ceiling.reason.clone(),
        },
        None => RetryAnswer::Known(under_ceiling(subject, ceiling)),
    }
}

fn under_ceiling<'a>(subject: Subject<'a>, ceiling: &CeilingAnswer<'_>) -> Retry<'a> {
    match ceiling.ceiling {
        Ceiling::Unset => default(subject, "no ceiling is set"),
        Ceiling::Invalid(NumberFault::NotAString) => default(subject, REFUSED),
        Ceiling::Invalid(_) => default(subject, "an invalid ceiling leaves it, and is not a halt"),
        Ceiling::Halt => Retry {
            policy: Policy::Halt,
            ladder: None,
            bucket: None,
            reason: "a ceiling of \"0\" ends retries at the first error".into(),
        },
        Ceiling::Seconds(seconds) => Retry {
            policy: Policy::Ceiling,
            ladder: Some(kcc::ceiling_ladder(seconds)),
            bucket: None,
            reason: "the ceiling annotation sets it; no token bucket slows many objects down".into(),
        },
    }
}

const REFUSED: &str = "the API server refuses the object as it stands; one without the value is retried so";

/// The default ladder of the release, and why it is that.
pub(super) fn default<'a>(subject: Subject<'a>, why: &'static str) -> Retry<'a> {
    Retry {
        policy: Policy::Default,
        ladder: Some(subject.world.release.default_ladder()),
        bucket: Some(kcc::RETRY_BUCKET),
        reason: why.into(),
    }
}
