use super::Text;
use super::actuation::{Actuation, ActuationMode, ActuationOrigin};
use super::drift::{Drift, DriftState};
use super::live;
use super::retry::{Policy, RetryAnswer};
use super::subject::Subject;
use crate::kcc::{self, CeilingSupport, Controller, Outcome, Release, Version, Wake};
use crate::object::Condition;

/// Whether errors halt the object, whether it is halted, and what wakes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halt<'a> {
    /// Whether the next error would halt it; `None`: not known.
    pub on_error: Option<bool>,
    /// Whether it is halted now; `None`: not known.
    pub now: Option<bool>,
    /// Why `now` is what it is.
    pub now_reason: Text<'a>,
    /// Every edit and event that wakes it.
    pub woken_by: &'a [Wake],
    /// Edits that do not wake it.
    pub not_woken_by: &'a [NotWaking],
    /// Commands that wake it now, the best one first; empty when nothing would.
    pub commands: Vec<WakeCommand>,
    /// Why there is no command.
    pub no_command: Option<Text<'a>>,
}

/// A command for a shell that wakes an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WakeCommand {
    /// What it does, in a clause.
    pub does: &'static str,
    /// The command.
    pub line: String,
}

/// An edit that does not pass the watch filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotWaking {
    /// The ceiling annotation, in releases that ignore it.
    Ceiling,
    /// The drift interval, before 1.138.0.
    DriftInterval,
    /// Every other annotation.
    OtherAnnotations,
    /// The status.
    Status,
    /// Secrets that the spec refers to.
    ReferencedSecrets,
    /// A key added with an empty value, or an empty one removed: absent and empty compare equal.
    EmptyValues,
}

impl NotWaking {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            NotWaking::Ceiling => "backoff-max-delay-in-seconds",
            NotWaking::DriftInterval => "reconcile-interval-in-seconds",
            NotWaking::OtherAnnotations => "other-annotations",
            NotWaking::Status => "status",
            NotWaking::ReferencedSecrets => "referenced-secrets",
            NotWaking::EmptyValues => "empty-values",
        }
    }
}

/// The edits that wake nothing in `release` (Config Connector, pkg/controller/predicate, 1.155.1 and main). A changed
/// ceiling is among them where it is known to be ignored.
pub(super) fn not_waking(release: Release, ceiling_since: Option<Version>) -> Vec<NotWaking> {
    let mut not = Vec::new();
    if release.ceiling_support(ceiling_since) == CeilingSupport::Ignored {
        not.push(NotWaking::Ceiling);
    }
    if !release.interval_wakes() {
        not.push(NotWaking::DriftInterval);
    }
    not.extend([NotWaking::OtherAnnotations, NotWaking::Status, NotWaking::ReferencedSecrets, NotWaking::EmptyValues]);
    not
}

/// The ceiling that the suggested command gives a halted object, in seconds: rarer than the default's 120 s.
const SUGGESTED_CEILING: u32 = 600;

pub(super) fn halt<'a>(
    subject: Subject<'a>,
    controller: Controller,
    retry: &RetryAnswer<'a>,
    drift: &Drift<'_>,
    actuation: &Actuation<'_>,
) -> Halt<'a> {
    let on_error = match retry {
        RetryAnswer::Known(retry) => Some(retry.policy == Policy::Halt),
        RetryAnswer::Unknown { if_honoured, .. } if if_honoured.policy == Policy::Halt => None,
        RetryAnswer::Unknown { .. } => Some(false),
    };
    let (now, now_reason) = now(subject, controller, on_error, actuation);
    let (woken_by, not_woken_by) = match controller {
        Controller::None => (&[][..], &[][..]),
        _ => (subject.world.wakes.as_slice(), subject.world.not_waking.as_slice()),
    };
    let (commands, no_command) = match commands(subject, controller, (on_error, now), drift, actuation) {
        Ok(commands) => (commands, None),
        Err(reason) => (Vec::new(), Some(reason.into())),
    };
    Halt { on_error, now, now_reason, woken_by, not_woken_by, commands, no_command }
}

fn now<'a>(
    subject: Subject<'a>,
    controller: Controller,
    on_error: Option<bool>,
    actuation: &Actuation<'_>,
) -> (Option<bool>, Text<'a>) {
    if controller == Controller::None {
        return (Some(false), "no controller reconciles the object".into());
    }
    if subject.deleting() {
        return (Some(false), "it is being deleted, and deletion bypasses the halt".into());
    }
    let Some(status) = &subject.facts.status else {
        return (None, "the manifest has no status".into());
    };
    if on_error == Some(false) {
        return (Some(false), "nothing halts it".into());
    }
    if actuation.mode == ActuationMode::Paused {
        return (Some(false), "it is paused, and a paused reconcile is a success".into());
    }
    match live::outcome(subject, status) {
        Outcome::TransformFailed if !subject.world.release.ceiling_scope_settled() => {
            let release = subject.world.release;
            (
                None,
                format!(
                    "whether a ceiling governs errors outside the main path of a reconcile is not settled for {release}"
                )
                .into(),
            )
        }
        Outcome::Failed | Outcome::TransformFailed => match (live::behind(subject, status), on_error) {
            ((Some(true), reason), _) => (None, reason),
            (_, None) => (None, subject.world.unknown.as_str().into()),
            _ => {
                (Some(true), "its last reconcile failed, and a ceiling of \"0\" ends retries at the first error".into())
            }
        },
        Outcome::Dependency if subject.world.release.ceiling_scope_settled() => {
            (Some(false), "waiting for a dependency is not governed by the ceiling".into())
        }
        Outcome::Dependency => {
            let release = subject.world.release;
            (None, format!("whether a ceiling governs waiting for dependencies is not settled for {release}").into())
        }
        Outcome::Conflict => {
            (None, "the direct controller takes no lease: this status was left by another controller".into())
        }
        Outcome::UpToDate | Outcome::Finished => (Some(false), "its last reconcile succeeded".into()),
        Outcome::Paused | Outcome::Unmanaged => (Some(false), "its status is not that of an error".into()),
        Outcome::InProgress | Outcome::Deleting | Outcome::Deleted | Outcome::Unknown => {
            (None, "its status does not tell how the last reconcile ended".into())
        }
    }
}

/// The commands that wake the object as things stand; an error says why none does.
fn commands(
    subject: Subject<'_>,
    controller: Controller,
    (on_error, halted): (Option<bool>, Option<bool>),
    drift: &Drift<'_>,
    actuation: &Actuation<'_>,
) -> Result<Vec<WakeCommand>, &'static str> {
    let facts = subject.facts;
    if controller == Controller::None {
        return Err("no controller reconciles the object");
    }
    let mut annotate = annotate(subject)?;
    if actuation.mode == ActuationMode::Paused {
        if actuation.origin != ActuationOrigin::Annotation {
            return Err("it is paused for its whole namespace or cluster: no edit of the object resumes it");
        }
        annotate.extend([" ", kcc::ACTUATION_MODE, "=Reconciling --overwrite"]);
        return Ok(vec![WakeCommand { does: "resumes it, at once", line: annotate }]);
    }
    if let DriftState::Invalid(_) = drift.state {
        annotate.extend([" ", kcc::DRIFT_INTERVAL, "- ", kcc::RECONCILE_COOKIE, COOKIE]);
        return Ok(vec![WakeCommand {
            does: "takes the invalid interval away and makes one attempt, at once",
            line: annotate,
        }]);
    }
    let unmanaged = |ready: &Condition| Outcome::of(&ready.status, &ready.reason) == Outcome::Unmanaged;
    if facts.status.as_ref().and_then(|status| status.ready.as_ref()).is_some_and(unmanaged) && !subject.deleting() {
        return Err("its status is Unmanaged: no controller watches it");
    }
    let defended = facts.metadata.finalizers.iter().any(|name| name == kcc::DELETION_DEFENDER);
    if subject.deleting() && controller == Controller::Direct && defended {
        return Err("it waits for the deletion defender, which no edit hurries");
    }
    let observed = facts.status.as_ref().and_then(|status| status.observed_generation);
    let skipped = facts.status.as_ref().is_some_and(|status| status.up_to_date)
        && observed.is_some()
        && observed == facts.metadata.generation;
    if drift.skips_when_up_to_date && skipped && !subject.deleting() {
        return Err("it is up to date and its drift interval is \"0\": only a change of spec gets through");
    }
    let mut commands = Vec::new();
    if on_error == Some(true) && halted != Some(false) {
        let line = format!("{annotate} {}={SUGGESTED_CEILING} --overwrite", kcc::CEILING);
        let does =
            "at once, and ends the halt: if it fails again it is retried after 1 s, 2 s, 4 s … then every 10 min";
        commands.push(WakeCommand { does, line });
    }
    annotate.extend([" ", kcc::RECONCILE_COOKIE, COOKIE]);
    let does =
        if on_error == Some(true) { "one attempt, at once; an error halts it again" } else { "one attempt, at once" };
    commands.push(WakeCommand { does, line: annotate });
    Ok(commands)
}

/// A new value for the force-reconcile annotation at every call.
const COOKIE: &str = "=\"$(date +%s)\" --overwrite";

/// `kubectl annotate kind.group/name -n namespace`.
fn annotate(subject: Subject<'_>) -> Result<String, &'static str> {
    const IMPOSSIBLE: &str = "its name or namespace is not one that an object can have";
    let reference = &subject.facts.reference;
    if reference.name.is_none() {
        return Err("it has no name in the manifest");
    }
    let target = reference.resource();
    let mut line = String::with_capacity(320);
    line.push_str("kubectl annotate ");
    shell_word(&mut line, &target).ok_or(IMPOSSIBLE)?;
    if let Some(namespace) = &reference.namespace {
        line.push_str(" -n ");
        shell_word(&mut line, namespace).ok_or(IMPOSSIBLE)?;
    }
    Ok(line)
}

/// Appends `text` as one word of a POSIX shell; `None` for texts that no Kubernetes name can be (blanks, control
/// characters, and anything that is not ASCII). Placeholders such as `${uniqueId}` are quoted, so the shell leaves
/// them alone.
fn shell_word(line: &mut String, text: &str) -> Option<()> {
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) || text.is_empty() {
        return None;
    }
    if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_./:".contains(&byte)) {
        line.push_str(text);
    } else {
        line.extend(["'", &text.replace('\'', "'\\''"), "'"]);
    }
    Some(())
}
