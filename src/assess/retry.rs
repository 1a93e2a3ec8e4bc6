use std::time::Duration;

use super::controller::ControllerAnswer;
use super::drift::{Drift, DriftState};
use super::subject::{Given, GivenValue, Subject};
use crate::backoff::{Ladder, TokenBucket};
use crate::human;
use crate::kcc::{self, Ceiling, CeilingSupport, Controller, NumberFault};
use crate::object::{Code, Diagnostic, Place, Severity};

/// What the ceiling annotation says, and whether anybody listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CeilingAnswer {
    /// What it says.
    pub ceiling: Ceiling,
    /// The string that the API server holds; `None` when the annotation is absent or no string.
    pub raw: Option<String>,
    /// What is written in the manifest, where the API server would refuse it.
    pub written: Option<String>,
    /// Where the value stands.
    pub place: Option<Place>,
    /// Whether `--set` gave the value.
    pub set: bool,
    /// Whether the object's controller reads the annotation in this release; `None`: not known.
    pub honoured: Option<bool>,
    /// Why (not), in a sentence without a full stop.
    pub reason: String,
}

impl CeilingAnswer {
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
pub struct Retry {
    /// The rule.
    pub policy: Policy,
    /// The delays; `None` when nothing is retried.
    pub ladder: Option<Ladder>,
    /// The bucket that all failing objects of the kind share on top of the ladder.
    pub bucket: Option<TokenBucket>,
    /// Why this rule, in a sentence without a full stop.
    pub reason: String,
}

/// How failures are retried, as far as it can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetryAnswer {
    /// It can be told.
    Known(Retry),
    /// It depends on whether the release reads the annotation, which is not known.
    Unknown {
        /// If it does.
        if_honoured: Retry,
        /// If it does not.
        if_ignored: Retry,
        /// Why it is not known.
        reason: String,
    },
}

impl RetryAnswer {
    /// The answer, if it can be told.
    pub fn known(&self) -> Option<&Retry> {
        match self {
            RetryAnswer::Known(retry) => Some(retry),
            RetryAnswer::Unknown { .. } => None,
        }
    }
}

pub(super) fn ceiling(
    subject: Subject<'_>,
    controller: &ControllerAnswer,
    problems: &mut Vec<Diagnostic>,
) -> CeilingAnswer {
    let given = subject.annotation(kcc::CEILING);
    let ceiling = match given.as_ref().map(|given| given.value) {
        None | Some(GivenValue::Null) => Ceiling::Unset,
        Some(GivenValue::Text(text)) => Ceiling::parse(Some(text)),
        Some(GivenValue::NotAString(_)) => Ceiling::Invalid(NumberFault::NotAString),
    };
    let (honoured, reason) = honoured(subject, controller.controller);
    let answer = CeilingAnswer {
        ceiling,
        raw: given.as_ref().and_then(Given::stored).map(str::to_owned),
        written: match ceiling {
            Ceiling::Invalid(NumberFault::NotAString) => {
                Some(given.as_ref().and_then(Given::written).unwrap_or_default().to_owned())
            }
            _ => None,
        },
        set: given.as_ref().is_some_and(|given| given.place.is_none()),
        place: given.and_then(|given| given.place),
        honoured,
        reason,
    };
    complain(subject, controller.controller, &answer, problems);
    answer
}

fn honoured(subject: Subject<'_>, controller: Controller) -> (Option<bool>, String) {
    let release = subject.world.release;
    let support = release.ceiling_support(subject.world.ceiling_since);
    match (controller, support) {
        (Controller::None, _) => (Some(false), "no controller reconciles the object".to_owned()),
        (_, CeilingSupport::Ignored) => (
            Some(false),
            match subject.world.ceiling_since {
                Some(since) if release.ceiling_support(None) == CeilingSupport::Unknown => {
                    format!("{release} ignores the annotation: the first that reads it is {since} (--ceiling-since)")
                }
                _ => format!("{release} ignores the annotation, as every release up to 1.159 does"),
            },
        ),
        (Controller::Direct, CeilingSupport::Honoured) => {
            (Some(true), format!("the direct controller reads it ({})", since_clause(subject)))
        }
        (Controller::Direct, CeilingSupport::Unknown) => (
            None,
            format!(
                "not known whether {release} reads the annotation: the first release that does was not seen (--ceiling-since says it)"
            ),
        ),
        (other, _) => (Some(false), format!("the {other} controller ignores the annotation: only direct reads it")),
    }
}

fn since_clause(subject: Subject<'_>) -> String {
    match subject.world.ceiling_since {
        Some(since) => format!("{}, by --ceiling-since {since}", subject.world.release),
        None => subject.world.release.to_string(),
    }
}

fn complain(subject: Subject<'_>, controller: Controller, answer: &CeilingAnswer, problems: &mut Vec<Diagnostic>) {
    let place = || answer.place.clone().unwrap_or_else(|| subject.facts.place.clone());
    let shown = answer.raw.as_deref().unwrap_or_default();
    match answer.ceiling {
        // The reader complains about values that are not strings.
        Ceiling::Unset | Ceiling::Invalid(NumberFault::NotAString) => return,
        Ceiling::Invalid(fault) => {
            let message = format!(
                "{} {} {}: the default ladder is used, not a halt",
                kcc::CEILING,
                quoted(shown),
                fault.clause()
            );
            let fix = match is_placeholder(shown) {
                true => "render the template first, so that the value is known".to_owned(),
                false => format!("write whole seconds such as {}: \"600\", or \"0\" to halt", kcc::CEILING),
            };
            problems.push(Diagnostic::new(Code::InvalidCeiling, Severity::Error, place(), message).with_fix(fix));
        }
        Ceiling::Seconds(_) | Ceiling::Halt => {}
    }
    if answer.honoured == Some(false) && controller != Controller::None {
        let message = format!("{} {} has no effect: {}", kcc::CEILING, quoted(shown), answer.reason);
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

/// A value as people write it in a manifest, unambiguous even with blanks.
fn quoted(value: &str) -> String {
    format!("{value:?}")
}

fn is_placeholder(value: &str) -> bool {
    value.contains("${") || value.contains("{{") || value.contains("$(")
}

pub(super) fn retry(
    subject: Subject<'_>,
    controller: &ControllerAnswer,
    ceiling: &CeilingAnswer,
    drift: &Drift,
) -> RetryAnswer {
    if controller.controller == Controller::None {
        return RetryAnswer::Known(Retry {
            policy: Policy::None,
            ladder: None,
            bucket: None,
            reason: "no controller reconciles the object".to_owned(),
        });
    }
    if subject.deleting() {
        return RetryAnswer::Known(default(subject, "failing deletions always use the default ladder"));
    }
    if let DriftState::Invalid(_) = drift.state {
        return RetryAnswer::Known(default(
            subject,
            "an invalid reconcile-interval-in-seconds is an error of every reconcile, on the default ladder whatever the ceiling says",
        ));
    }
    match ceiling.honoured {
        Some(true) => RetryAnswer::Known(under_ceiling(subject, ceiling)),
        Some(false) => RetryAnswer::Known(without_ceiling(subject, ceiling)),
        None if matches!(ceiling.ceiling, Ceiling::Seconds(_) | Ceiling::Halt) => RetryAnswer::Unknown {
            if_honoured: under_ceiling(subject, ceiling),
            if_ignored: default(subject, "if the release ignores the annotation"),
            reason: ceiling.reason.clone(),
        },
        None => RetryAnswer::Known(under_ceiling(subject, ceiling)),
    }
}

fn without_ceiling(subject: Subject<'_>, ceiling: &CeilingAnswer) -> Retry {
    match ceiling.ceiling {
        Ceiling::Unset => default(subject, "no ceiling is set"),
        _ => default(subject, "the ceiling annotation has no effect"),
    }
}

fn under_ceiling(subject: Subject<'_>, ceiling: &CeilingAnswer) -> Retry {
    match ceiling.ceiling {
        Ceiling::Unset => default(subject, "no ceiling is set"),
        Ceiling::Invalid(NumberFault::NotAString) => {
            default(subject, "the API server refuses the object as it stands; one without a ceiling has this ladder")
        }
        Ceiling::Invalid(_) => default(subject, "an invalid ceiling leaves the default ladder, not a halt"),
        Ceiling::Halt => Retry {
            policy: Policy::Halt,
            ladder: None,
            bucket: None,
            reason: "a ceiling of \"0\" ends retries at the first error".to_owned(),
        },
        Ceiling::Seconds(seconds) => Retry {
            policy: Policy::Ceiling,
            ladder: Some(kcc::ceiling_ladder(seconds)),
            bucket: None,
            reason: "the ceiling annotation sets it; no token bucket slows many objects down".to_owned(),
        },
    }
}

/// The default ladder of the release, for a reason.
pub(super) fn default(subject: Subject<'_>, why: &str) -> Retry {
    let release = subject.world.release;
    Retry {
        policy: Policy::Default,
        ladder: Some(release.default_ladder()),
        bucket: Some(kcc::RETRY_BUCKET),
        reason: format!("default ladder of {release}: {why}"),
    }
}
