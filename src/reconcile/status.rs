//! What a pass writes into an object's status (pluralsh/console, api/v1alpha1/condition.go and the controllers of the seven
//! kinds; console.md sections 2.1 and 3.1).

use super::plan::Planned;
use crate::plural::Facts;

/// The id that the status gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Id {
    /// This one.
    Known(String),
    /// The one that the Console gives to what is created.
    Given,
    /// None: it is taken away.
    Cleared,
    /// Whatever it had.
    Unchanged,
}

/// A condition that the pass sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCondition {
    /// Its type.
    pub kind: &'static str,
    /// True or False.
    pub status: bool,
    /// Its reason.
    pub reason: &'static str,
    /// Its message, empty most often.
    pub message: String,
}

/// The status after a pass, as far as the pass changes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewStatus {
    /// Its id.
    pub id: Id,
    /// Its hash; `None` where it is left as it was.
    pub sha: Option<String>,
    /// `status.readonly`, which is only ever set to true.
    pub readonly: Option<bool>,
    /// The conditions that are set.
    pub conditions: Vec<NewCondition>,
    /// Health and message of a repository.
    pub repository: Option<(Option<String>, Option<String>)>,
}

/// What a status follows from.
pub(super) struct Pass<'a> {
    pub facts: &'a Facts,
    pub planned: Planned,
    /// The id of the remote, if it is there.
    pub remote: Option<&'a str>,
    pub hash: Option<&'a str>,
    /// Health and error of a repository, where it is one and there.
    pub repository: Option<(Option<&'a str>, Option<&'a str>)>,
    /// Why nothing could be done, as the condition has it.
    pub failure: Option<&'a str>,
    /// Whether its own look-up failed.
    pub own_failed: bool,
    /// Whether it waits because its read-only target is gone.
    pub target_gone: bool,
}

/// `None` where no status is written: the object goes, or the pass does not happen.
pub(super) fn status(pass: &Pass<'_>) -> Option<NewStatus> {
    match pass.planned {
        Planned::Create | Planned::Adopt | Planned::Update | Planned::InSync => Some(managed(pass)),
        Planned::ReadOnly => Some(read_only(pass)),
        Planned::Wait if pass.target_gone => Some(gone(pass)),
        Planned::Wait | Planned::Unknown => Some(failed(pass)),
        // Its merge ends in an error (pluralsh/console, servicecontext_controller.go, the copy with `configMapRefs`).
        Planned::Refuse if pass.facts.reference.kind == "ServiceContext" && pass.failure.is_some() => {
            Some(failed(pass))
        }
        Planned::Delete | Planned::Keep | Planned::Refuse | Planned::NotReconciled => None,
    }
}

fn set(kind: &'static str, status: bool, reason: &'static str, message: &str) -> NewCondition {
    NewCondition { kind, status, reason, message: message.to_owned() }
}

const READ_ONLY: &str = "Running in read-only mode";
const NOT_PULLABLE: &str = "The repository is not pullable yet";
const TARGET_GONE: &str = "Could not find resource in Console API";
const REPOSITORY_GONE: &str = "could not find the repository";

/// A sink notes on each pass whose credentials it used (pluralsh/console, notificationsink_controller.go, 02fdfd37).
fn credentials(pass: &Pass<'_>, conditions: &mut Vec<NewCondition>) {
    if pass.facts.reference.kind == "NotificationSink" {
        conditions.push(set("NamespacedCredentials", false, "DefaultCredentials", "Using default credentials"));
    }
}

fn ready(pass: &Pass<'_>) -> NewCondition {
    match &pass.repository {
        Some((health, _)) if *health != Some("PULLABLE") => set("Ready", false, "Ready", NOT_PULLABLE),
        _ => set("Ready", true, "Ready", ""),
    }
}

fn repository(pass: &Pass<'_>) -> Option<(Option<String>, Option<String>)> {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    pass.repository.map(|(health, error)| (owned(health), owned(error)))
}

fn managed(pass: &Pass<'_>) -> NewStatus {
    let kind = pass.facts.reference.kind.as_str();
    let mut conditions = Vec::new();
    // An automation never gets this condition (pluralsh/console, prautomation_controller.go, 04826341).
    if kind != "PrAutomation" {
        conditions.push(set("Readonly", false, "Readonly", ""));
    }
    credentials(pass, &mut conditions);
    conditions.push(set("Synchronized", true, "Synchronized", ""));
    conditions.push(ready(pass));
    if kind == "ServiceAccount" {
        conditions.push(set("ReadyToken", true, "Ready", ""));
    }
    NewStatus {
        id: match pass.remote {
            Some(id) => Id::Known(id.to_owned()),
            None if pass.planned == Planned::InSync => Id::Unchanged,
            None => Id::Given,
        },
        sha: pass.hash.map(str::to_owned),
        readonly: None,
        conditions,
        repository: repository(pass),
    }
}

fn read_only(pass: &Pass<'_>) -> NewStatus {
    let kind = pass.facts.reference.kind.as_str();
    let mut conditions = Vec::new();
    let id = pass.remote.map_or(Id::Cleared, |id| Id::Known(id.to_owned()));
    match kind {
        // The conditions of a read-only pass are commented out (pluralsh/console, service_account_controller.go, 02fdfd37).
        "ServiceAccount" => {
            conditions.push(set("Ready", false, "Ready", ""));
            return NewStatus { id, sha: None, readonly: None, conditions, repository: None };
        }
        // The id and an empty hash, and no word of being read-only (pluralsh/console, prautomation_controller.go, 04826341).
        "PrAutomation" => {
            conditions.push(set("Synchronized", true, "Synchronized", ""));
            conditions.push(set("Ready", true, "Ready", ""));
            return NewStatus { id, sha: Some(String::new()), readonly: None, conditions, repository: None };
        }
        _ => {}
    }
    conditions.push(set("Readonly", true, "Readonly", READ_ONLY));
    credentials(pass, &mut conditions);
    conditions.push(set("Synchronized", true, "Synchronized", ""));
    // The inverted test of the controller: what is absent is called read-only, and not ready.
    conditions.push(if pass.remote.is_none() { set("Ready", false, "Ready", "") } else { ready(pass) });
    NewStatus { id, sha: None, readonly: Some(true), conditions, repository: repository(pass) }
}

/// A read-only object whose target is gone.
fn gone(pass: &Pass<'_>) -> NewStatus {
    let name = pass.facts.identity().map_or("", |(name, _)| name);
    let (reason, message, id, repository) = match pass.facts.reference.kind.as_str() {
        "NotificationSink" => ("Error", format!(" {name:?} not found"), Id::Cleared, None),
        "GitRepository" => {
            let told = (Some("FAILED".to_owned()), Some(REPOSITORY_GONE.to_owned()));
            ("NotFound", REPOSITORY_GONE.to_owned(), Id::Unchanged, Some(told))
        }
        _ => ("NotFound", TARGET_GONE.to_owned(), Id::Cleared, None),
    };
    let mut conditions = Vec::new();
    if repository.is_none() {
        conditions.push(set("Readonly", true, "Readonly", READ_ONLY));
    }
    credentials(pass, &mut conditions);
    conditions.push(set("Synchronized", false, reason, &message));
    conditions.push(set("Ready", false, "Ready", ""));
    NewStatus { id, sha: None, readonly: repository.is_none().then_some(true), conditions, repository }
}

/// A pass that ends before it writes.
fn failed(pass: &Pass<'_>) -> NewStatus {
    let kind = pass.facts.reference.kind.as_str();
    let mut conditions = Vec::new();
    // These set no other condition before a deletion (console.md sections 4 and 5).
    if pass.facts.metadata.deletion.is_some() && matches!(kind, "Project" | "Catalog") {
        conditions.push(set("Ready", false, "Ready", ""));
        return NewStatus { id: Id::Unchanged, sha: None, readonly: None, conditions, repository: None };
    }
    // After a failed look-up nothing is known of it.
    if !pass.own_failed && kind != "PrAutomation" {
        conditions.push(set("Readonly", false, "Readonly", ""));
    }
    credentials(pass, &mut conditions);
    conditions.push(set("Synchronized", false, "Error", pass.failure.unwrap_or_default()));
    // A context that is there becomes ready before it fails (pluralsh/console, servicecontext_controller.go, 02fdfd37).
    let stays = kind == "ServiceContext" && pass.remote.is_some();
    conditions.push(set("Ready", stays, "Ready", ""));
    // It also takes the id, or gives it up, before it fails.
    let id = match (kind, pass.remote) {
        ("ServiceContext", Some(id)) => Id::Known(id.to_owned()),
        ("ServiceContext", None) if !pass.own_failed => Id::Cleared,
        _ => Id::Unchanged,
    };
    NewStatus { id, sha: None, readonly: None, conditions, repository: None }
}
