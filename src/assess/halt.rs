use super::actuation::{Actuation, ActuationMode};
use super::drift::Drift;
use super::live;
use super::retry::{Policy, RetryAnswer};
use super::subject::Subject;
use crate::kcc::{self, Controller, Outcome, Wake};

/// Whether errors halt the object, whether it is halted, and what wakes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halt {
    /// Whether the next error would halt it; `None`: not known.
    pub on_error: Option<bool>,
    /// Whether it is halted now; `None`: not known.
    pub now: Option<bool>,
    /// Why `now` is what it is, in a clause.
    pub now_reason: String,
    /// Every edit and event that wakes it.
    pub woken_by: Vec<Wake>,
    /// Edits that do not wake it.
    pub not_woken_by: Vec<&'static str>,
    /// Commands that wake it now, the best one first; empty when nothing would.
    pub commands: Vec<WakeCommand>,
    /// Why there is no command.
    pub no_command: Option<String>,
}

/// A command for a shell that wakes an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WakeCommand {
    /// What it does, in a clause.
    pub does: &'static str,
    /// The command.
    pub line: String,
}

/// The ceiling that the suggested command gives a halted object, in seconds.
const SUGGESTED_CEILING: u32 = 60;

pub(super) fn halt(
    subject: Subject<'_>,
    controller: Controller,
    retry: &RetryAnswer,
    drift: &Drift,
    actuation: &Actuation,
) -> Halt {
    let on_error = match retry {
        RetryAnswer::Known(retry) => Some(retry.policy == Policy::Halt),
        RetryAnswer::Unknown { if_honoured, .. } if if_honoured.policy == Policy::Halt => None,
        RetryAnswer::Unknown { .. } => Some(false),
    };
    let (now, now_reason) = now(subject, controller, on_error, actuation);
    let (woken_by, not_woken_by) = match controller {
        Controller::None => (Vec::new(), Vec::new()),
        _ => (kcc::wakes(subject.world.release, subject.world.ceiling_since), not_woken_by(subject)),
    };
    let (commands, no_command) = commands(subject, controller, on_error, drift);
    Halt { on_error, now, now_reason, woken_by, not_woken_by, commands, no_command }
}

fn now(
    subject: Subject<'_>,
    controller: Controller,
    on_error: Option<bool>,
    actuation: &Actuation,
) -> (Option<bool>, String) {
    let told = |now, reason: &str| (now, reason.to_owned());
    if controller == Controller::None {
        return told(Some(false), "no controller reconciles the object");
    }
    if subject.deleting() {
        return told(Some(false), "it is being deleted, and deletion bypasses the halt");
    }
    let Some(status) = &subject.facts.status else {
        return told(None, "the manifest has no status");
    };
    if on_error == Some(false) {
        return told(Some(false), "nothing halts it");
    }
    if actuation.mode == ActuationMode::Paused {
        return told(Some(false), "it is paused, and a paused reconcile is a success");
    }
    let outcome = live::outcome(status);
    match outcome {
        Outcome::Failed => match (live::behind(subject, status), on_error) {
            ((Some(true), reason), _) => (None, reason),
            (_, None) => told(None, "not known whether the release reads the annotation"),
            _ => told(Some(true), "its last reconcile failed, and a ceiling of \"0\" ends retries at the first error"),
        },
        Outcome::Dependency if subject.world.release.dependency_rule_settled() => {
            told(Some(false), "waiting for a dependency is not governed by the ceiling")
        }
        Outcome::Dependency => told(
            None,
            "not settled in what was read of this release: whether a ceiling governs waiting for dependencies",
        ),
        Outcome::Conflict => {
            told(None, "the direct controller takes no lease: this status was left by another controller")
        }
        Outcome::UpToDate | Outcome::Finished => told(Some(false), "its last reconcile succeeded"),
        Outcome::Paused | Outcome::Unmanaged => told(Some(false), "its status is not that of an error"),
        Outcome::InProgress | Outcome::Deleting | Outcome::Deleted | Outcome::Unknown => {
            told(None, "its status does not tell how the last reconcile ended")
        }
    }
}

fn not_woken_by(subject: Subject<'_>) -> Vec<&'static str> {
    let woken = kcc::wakes(subject.world.release, subject.world.ceiling_since);
    let mut not = Vec::new();
    if !woken.contains(&Wake::Ceiling)
        && subject.world.release.ceiling_support(subject.world.ceiling_since) == kcc::CeilingSupport::Ignored
    {
        not.push("the ceiling annotation");
    }
    if !woken.contains(&Wake::DriftInterval) {
        not.push("reconcile-interval-in-seconds");
    }
    not.extend([
        "other annotations",
        "the status",
        "Secrets that the spec refers to",
        "a key added or removed with an empty value",
    ]);
    not
}

fn commands(
    subject: Subject<'_>,
    controller: Controller,
    on_error: Option<bool>,
    drift: &Drift,
) -> (Vec<WakeCommand>, Option<String>) {
    let none = |reason: &str| (Vec::new(), Some(reason.to_owned()));
    if controller == Controller::None {
        return none("no controller reconciles the object");
    }
    let skipped = subject.facts.status.as_ref().is_some_and(|status| {
        status.up_to_date
            && status.observed_generation.is_some()
            && status.observed_generation == subject.facts.metadata.generation
    });
    if drift.skips_when_up_to_date && skipped && !subject.deleting() {
        return none("it is up to date and its drift interval is \"0\": only a change of spec gets through");
    }
    let Some(annotate) = annotate(subject) else {
        return none("its name is not one that can be put into a command");
    };
    let mut commands = Vec::new();
    if on_error == Some(true) {
        commands.push(WakeCommand {
            does: "at once, and from then on it is retried, at most every minute",
            line: format!("{annotate} {}={SUGGESTED_CEILING} --overwrite", kcc::CEILING),
        });
    }
    commands.push(WakeCommand {
        does: if on_error == Some(true) { "one attempt; an error halts it again" } else { "one attempt, at once" },
        line: format!("{annotate} {}=\"$(date +%s)\" --overwrite", kcc::RECONCILE_COOKIE),
    });
    (commands, None)
}

/// `kubectl annotate kind.group/name -n namespace`. The group is always named: kinds such as Service and Project
/// exist in other groups, too.
fn annotate(subject: Subject<'_>) -> Option<String> {
    let reference = &subject.facts.reference;
    let name = reference.name.as_deref()?;
    let target = shell_word(&format!("{}.{}/{name}", reference.kind.to_lowercase(), reference.group()))?;
    Some(match &reference.namespace {
        Some(namespace) => format!("kubectl annotate {target} -n {}", shell_word(namespace)?),
        None => format!("kubectl annotate {target}"),
    })
}

/// `text` as one word of a POSIX shell; `None` for texts that no Kubernetes name can be (control characters, and
/// anything that is not ASCII). Placeholders such as `${uniqueId}` are quoted, so the shell leaves them alone.
fn shell_word(text: &str) -> Option<String> {
    if !text.bytes().all(|byte| byte.is_ascii_graphic() || byte == b' ') || text.is_empty() {
        return None;
    }
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./:".contains(&byte));
    Some(if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) })
}
