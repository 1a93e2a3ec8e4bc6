use super::Text;
use super::actuation::{self, Actuation, ActuationMode, ActuationOrigin};
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
pub(in crate::assess) fn not_waking(release: Release, ceiling_since: Option<Version>) -> Vec<NotWaking> {
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
        _ if skips_now(subject, drift) => (through_skip(subject.world.release), subject.world.not_waking.as_slice()),
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
    match actuation.mode {
        ActuationMode::Paused => return (Some(false), "it is paused, and a paused reconcile is a success".into()),
        ActuationMode::AutoPaused | ActuationMode::Unsettled => return (None, actuation::UNSETTLED.into()),
        ActuationMode::Reconciling => {}
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
    if let Some(reason) = unreachable(subject, controller) {
        return Err(reason);
    }
    let annotate = annotate(subject)?;
    if let Some(command) = unblocking(subject, drift, actuation, &annotate) {
        return command.map(|command| vec![command]);
    }
    let mut commands = Vec::new();
    if on_error == Some(true) && halted != Some(false) {
        let line = format!("{annotate} {}={SUGGESTED_CEILING} --overwrite", kcc::CEILING);
        let does =
            "at once, and ends any halt: if it fails again it is retried after 1 s, 2 s, 4 s … then every 10 min";
        commands.push(WakeCommand { does, line });
    }
    let does =
        if on_error == Some(true) { "one attempt, at once; an error halts it again" } else { "one attempt, at once" };
    commands.push(WakeCommand { does, line: format!("{annotate} {}{COOKIE}", kcc::RECONCILE_COOKIE) });
    Ok(commands)
}

/// Whether every reconcile of the object is skipped as things stand: interval `"0"`, up to date, its generation
/// observed (Config Connector, pkg/controller/resourceactuation).
fn skips_now(subject: Subject<'_>, drift: &Drift<'_>) -> bool {
    let up_to_date = subject.facts.status.as_ref().is_some_and(|status| {
        let observed = status.observed_generation;
        status.up_to_date && observed.is_some() && observed == subject.facts.metadata.generation
    });
    drift.skips_when_up_to_date && up_to_date && !subject.deleting()
}

/// What gets an object that [`skips_now`] reconciled.
fn through_skip(release: Release) -> &'static [Wake] {
    match release.interval_wakes() {
        true => &[Wake::Spec, Wake::DriftInterval, Wake::Deletion],
        false => &[Wake::Spec, Wake::Deletion],
    }
}

/// Why no edit of the object makes a controller work on it.
fn unreachable(subject: Subject<'_>, controller: Controller) -> Option<&'static str> {
    let facts = subject.facts;
    if controller == Controller::None {
        return Some("no controller reconciles the object");
    }
    let has = |wanted: &str| facts.metadata.finalizers.iter().any(|name| name == wanted);
    if subject.deleting() {
        if !has(kcc::FINALIZER) && !has(kcc::DELETION_DEFENDER) {
            return Some("Config Connector is done with it: none of its finalizers is left");
        }
        let defended = controller == Controller::Direct && has(kcc::DELETION_DEFENDER);
        return defended.then_some("it waits for the deletion defender, which no edit hurries");
    }
    let unmanaged = |ready: &Condition| Outcome::of(&ready.status, &ready.reason) == Outcome::Unmanaged;
    let ready = facts.status.as_ref().and_then(|status| status.ready.as_ref());
    ready.is_some_and(unmanaged).then_some("its status is Unmanaged, which is never retried")
}

/// The one command for an object on which a plain wake would change nothing: it is paused, its interval is invalid, or
/// its interval `"0"` skips every reconcile.
fn unblocking(
    subject: Subject<'_>,
    drift: &Drift<'_>,
    actuation: &Actuation<'_>,
    annotate: &str,
) -> Option<Result<WakeCommand, &'static str>> {
    let release = subject.world.release;
    if actuation.mode == ActuationMode::Paused {
        let own = actuation.origin == ActuationOrigin::Annotation;
        // The annotation goes before context and ConfigConnector in the releases that read it.
        if !own && !release.has_actuation_annotation() {
            return Some(Err("it is paused for its whole namespace or cluster: no edit of the object resumes it"));
        }
        let does = match own {
            true => "resumes it, at once",
            false => "resumes this object alone, at once: its annotation goes before its namespace and cluster",
        };
        return Some(Ok(WakeCommand {
            does,
            line: format!("{annotate} {}=Reconciling --overwrite", kcc::ACTUATION_MODE),
        }));
    }
    if let DriftState::Invalid(_) = drift.state {
        let line = format!("{annotate} {}- {}{COOKIE}", kcc::DRIFT_INTERVAL, kcc::RECONCILE_COOKIE);
        return Some(Ok(WakeCommand { does: "takes the invalid interval away and makes one attempt, at once", line }));
    }
    if !skips_now(subject, drift) {
        return None;
    }
    if !release.interval_wakes() {
        return Some(Err(
            "it is up to date and its drift interval is \"0\": only a change of spec or a request to delete gets through",
        ));
    }
    // A changed interval passes the watch filter unless it is 0, and with another one nothing is skipped.
    let does = "at once, and every 5 to 15 min after: under its interval \"0\" it is skipped";
    Some(Ok(WakeCommand { does, line: format!("{annotate} {}=600 --overwrite", kcc::DRIFT_INTERVAL) }))
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
