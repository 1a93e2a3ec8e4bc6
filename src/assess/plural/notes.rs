//! What else the controllers do that a user should know before merging (pluralsh/console, go/controller: the controller
//! of each of the seven kinds, of 2025 and 2026).

use super::deletion::Deletion;
use super::mode::Mode;
use crate::assess::Text;
use crate::object::{Code, Diagnostic, Place, Severity};
use crate::plural::{self, Action, Confidence, Facts, Field, FinalizerWhen, Hashed, Interval, Kind, Reference, Use};

/// What the controller adds to the object and to others.
pub(super) fn adds(facts: &Facts) -> Vec<Text<'_>> {
    let mut adds = Vec::new();
    let Some(kind) = facts.kind else { return adds };
    // One that is there already is not added.
    if let Some(finalizer) = kind.finalizer.filter(|_| !facts.has_finalizer()) {
        let when = match kind.finalizer_when {
            FinalizerWhen::Always => "before it asks the Console, read-only or not",
            FinalizerWhen::Managed => "before a managed pass writes; a read-only pass takes it away",
            FinalizerWhen::Created => "only when it creates the remote",
            FinalizerWhen::Written => "after a successful write",
            FinalizerWhen::Unknown => "when was not read",
        };
        adds.push(format!("the finalizer {finalizer} ({when})").into());
    }
    match kind.name {
        "NotificationSink" => adds.push(
            format!(
                "the annotation {} while a NamespaceCredentials object lists its namespace",
                plural::NAMESPACED_CREDENTIALS
            )
            .into(),
        ),
        "ServiceAccount" => {
            if let Some(secret) = token_secret(facts) {
                adds.push(format!("the annotation {} when its scopes change", plural::LAST_SCOPE_HASH).into());
                adds.push(
                    format!("the key token in the Secret {secret}, and itself as that Secret's controller").into(),
                );
            }
        }
        "GitRepository" if facts.references.iter().any(|reference| reference.field.usage != Use::Console) => adds.push(
            "itself as an owner of the Secret and the ScmConnection that it refers to: Kubernetes may collect them once \
             their last owner is gone (inferred)"
                .into(),
        ),
        "ServiceContext" if facts.references.iter().any(|reference| reference.field.usage == Use::Read) => adds.push(
            "an annotation with its name on the Secrets and ConfigMaps that it refers to, so that their changes wake it"
                .into(),
        ),
        _ => {}
    }
    adds
}

/// The Secret of a ServiceAccount's token, if one is made: of scopes, or of none that were some before (pluralsh/console,
/// service_account_controller.go, 2026). The object's own namespace plays no part, as it has none in the cluster.
fn token_secret(facts: &Facts) -> Option<String> {
    let secret = refers_to(facts, "spec.tokenSecretRef")?;
    let namespace = secret.namespace.as_deref().unwrap_or("default");
    (facts.details.scopes || had_scopes(facts)).then(|| format!("{namespace}/{}", secret.name))
}

/// Whether a ServiceAccount had scopes when its token was made.
fn had_scopes(facts: &Facts) -> bool {
    let hash = facts.metadata.annotation(plural::LAST_SCOPE_HASH);
    hash.and_then(|hash| hash.stored()).is_some_and(|hash| !hash.is_empty())
}

pub(super) fn notes<'a>(facts: &'a Facts, mode: &Mode<'a>, deletion: &Deletion<'a>) -> Vec<Text<'a>> {
    let mut notes: Vec<Text<'a>> = Vec::new();
    let Some(kind) = facts.kind else { return notes };
    if let Some(namespace) = &facts.ignored_namespace {
        notes.push(format!("the kind is cluster-scoped: the namespace {namespace:?} plays no part").into());
    }
    if !kind.has_decisions() {
        // What was read of a mode is told of that mode.
        let read = [&mode.if_absent, &mode.if_present].map(|outcome| outcome.confidence != Confidence::DocumentedOnly);
        let which = if read.contains(&true) { "the other modes" } else { "the modes" };
        notes.push(format!("only the documentation tells {which} of this kind").into());
        if !kind.note.is_empty() {
            notes.push(kind.note.into());
        }
        return notes;
    }
    // What only speaks of writing is not said where no pass writes: read-only by its status, or being deleted.
    let manages =
        facts.metadata.deletion.is_none() && (mode.if_absent.action.manages() || mode.if_present.action.manages());
    of_the_seven(facts, kind, mode, manages, &mut notes);
    if deletion.may_delete(mode) {
        notes.extend(failed_deletion(facts, kind));
    }
    if manages {
        hash(kind, &mut notes);
    }
    notes
}

/// What of the seven kinds' own ways bears on identity, modes, deletion and requeues.
fn of_the_seven<'a>(facts: &'a Facts, kind: &Kind, mode: &Mode<'a>, manages: bool, notes: &mut Vec<Text<'a>>) {
    let drifts = facts.reconciliation.drifts();
    let deleting = facts.metadata.deletion.is_some();
    if matches!(kind.name, "Catalog" | "NotificationSink" | "ServiceContext") && manages {
        notes.push("another spec.name later makes a second remote, and leaves this one behind".into());
    }
    match kind.name {
        "Project" => {
            let named = facts.lookup.text();
            if named.is_some() && named != facts.reference.name.as_deref() {
                notes.push("metadata.name plays no part: the Console knows it by spec.name".into());
            }
            if facts.status.as_ref().is_some_and(|status| status.id.is_some())
                && mode.if_absent.action == Action::Create
            {
                notes.push("a remote that was deleted is created again, and status.id changes".into());
            }
        }
        "Catalog" => {
            if facts.status.is_none() && mode.if_present.action == Action::ReadOnly {
                notes.push(
                    "deleted before a pass has found the catalog, it deletes the catalog, although it never took it over"
                        .into(),
                );
            }
            if !deleting {
                let never = !drifts || facts.reconciliation.effective_interval().0 == Interval::Zero;
                let again = if never { ", and no pass comes again" } else { "" };
                notes.push(
                    format!(
                        "once the catalog is gone from the Console, deleting this object hangs: its finalizer is never \
                         removed{again}"
                    )
                    .into(),
                );
            }
        }
        "GitRepository" if !deleting => {
            notes.push("spec.url cannot be changed".into());
            // Where the status has a health, the requeue says what follows from it.
            if facts.status.as_ref().is_none_or(|status| status.health.is_none()) {
                notes.push(
                    "until its health is PULLABLE, as after its creation, it is not ready and a pass comes every 15 to 45 s"
                        .into(),
                );
            }
        }
        "NotificationSink" => {
            match facts.lookup.text() {
                // Where nothing is written, nothing is taken over.
                _ if deleting || !manages => {}
                None => notes.push(
                    "without spec.name nothing is looked up by name: the upsert takes over a sink of its metadata.name, \
                     whatever driftDetection says"
                        .into(),
                ),
                Some("") => notes.push(
                    "spec.name is empty: the look-up of \"\" presumably finds nothing, so the upsert takes over a sink of its \
                     metadata.name, whatever driftDetection says"
                        .into(),
                ),
                Some(_) => {}
            }
            if facts.leaves_bindings_out() && !facts.identities.is_empty() {
                notes.push("its bindings are sent only for the type PLURAL".into());
            }
        }
        "ServiceAccount" => {
            notes.push(
                "a human user with this e-mail is taken for it, too; an update overwrites the name with metadata.name"
                    .into(),
            );
            if facts.details.scopes && refers_to(facts, "spec.tokenSecretRef").is_some() {
                notes.push(
                    "only a change of the scopes makes a token (taking all away: one without scopes); a lost Secret, another \
                     tokenExpiry or a failed call makes none"
                        .into(),
                );
            }
        }
        "PrAutomation" if !drifts && !deleting => {
            notes.push("the condition Readonly and status.readonly are never set for this kind".into());
        }
        "ServiceContext" => {
            notes.push(
                "its namespace plays no part in the Console: contexts of the same name in two namespaces are one"
                    .into(),
            );
        }
        _ => {}
    }
}

/// What follows on a failed deletion, for the kinds whose controllers swallow some failures: Project and Catalog all, as
/// far as they were read (a sibling of 2026 waits instead); GitRepository what the Console says of each of its own.
fn failed_deletion(facts: &Facts, kind: &Kind) -> Option<Text<'static>> {
    let (which, read) = match kind.name {
        "Project" | "Catalog" => ("a deletion that fails", ", says an old copy of its controller"),
        "GitRepository" => ("a deletion that the Console refuses, for whatever cause,", ""),
        _ => return None,
    };
    let text = match (facts.reconciliation.drifts(), facts.reconciliation.effective_interval().0) {
        (false, _) => format!("{which} is never tried again, as driftDetection is false{read}: the finalizer stays"),
        (true, Interval::Zero) => {
            format!("{which} is never tried again, as no requeue comes of the interval{read}: the finalizer stays")
        }
        (true, Interval::Every(_)) => {
            format!("{which} is tried again by the next periodic requeue{read}; till then the finalizer stays")
        }
        // Each pass panics over it, and is retried for that.
        (true, Interval::Panics) => return None,
    };
    Some(text.into())
}

/// What is written when: the remote is never compared.
fn hash(kind: &Kind, notes: &mut Vec<Text<'_>>) {
    notes.extend(match kind.hashed {
        Hashed::EveryPass => Some("it is saved on every pass: edits in the Console are overwritten".into()),
        Hashed::Attributes => Some(
            "edits in the Console stay: an update follows only a change of what is sent (a Secret's or a reference's \
             included, reconciliation not)"
                .into(),
        ),
        Hashed::Spec => Some(
            "edits in the Console stay: an update follows only a change of the spec (reconciliation included)".into(),
        ),
        Hashed::Unknown => None,
    });
}

/// What wakes the object between its requeues (pluralsh/console: the event filter of all seven is a change of the
/// generation).
pub(super) fn wakes(facts: &Facts) -> Text<'static> {
    let Some(kind) = facts.kind else { return "not known: the kind is unknown to this version".into() };
    if !kind.has_decisions() {
        return "not known: what wakes this kind was not read".into();
    }
    let reads = facts.references.iter().any(|reference| reference.field.usage == Use::Read);
    let (also, others) = match kind.name {
        "ServiceContext" if reads => ("an edit of a Secret or ConfigMap that it refers to, ", ""),
        // pluralsh/console, notificationsink_controller.go, 02fdfd37, and internal/credentials/kubernetes.go, 6b5d6417.
        "NotificationSink" => ("a change of the NamespaceCredentials that its annotation names, ", ""),
        // pluralsh/console, service_account_controller.go, 02fdfd37: it watches the Secrets that it controls.
        "ServiceAccount" if token_secret(facts).is_some() => ("a change of the Secret that holds its token, ", ""),
        _ => ("", ", edits of what it refers to"),
    };
    // When a controller starts it is given every object (sigs.k8s.io/controller-runtime v0.23.1, pkg/predicate: the filter
    // lets what is new to it pass).
    format!("an edit of spec, {also}a restart of its controller. Not: labels, annotations, the status{others}").into()
}

/// What the controller trips over, or what does something else than it seems to.
pub(super) fn complain(facts: &Facts, problems: &mut Vec<Diagnostic>) {
    let hazard = |place: Place, message: &str, fix: &str| {
        Diagnostic::new(Code::Hazard, Severity::Warning, place, message).with_fix(fix)
    };
    let at = |pos| Place::new(&facts.place.file, pos);
    let kind = facts.reference.kind.as_str();
    if let (true, Some(secret)) =
        (kind == "ServiceAccount" && !facts.details.scopes, refers_to(facts, "spec.tokenSecretRef"))
    {
        let message = match had_scopes(facts) {
            true => {
                "its scopes were taken away: that makes a token without scopes, which replaces the one in the Secret"
            }
            false => "without scopes no token is made and the Secret is not written, although ReadyToken becomes True",
        };
        problems.push(hazard(at(secret.pos), message, "name the scopes, or leave tokenSecretRef out"));
    }
    if kind == "ServiceContext" && facts.details.both_config_maps {
        let message = "spec.configMapRef and spec.configMapRefs exclude each other: every pass ends in an error";
        problems.push(hazard(facts.place.clone(), message, "keep one of them"));
    }
    if facts.metadata.deletion.is_some() {
        return;
    }
    if let (Some(kind), Field::Given(false, pos)) = (facts.kind, &facts.reconciliation.drift_detection) {
        let message = match kind.name {
            "ServiceContext" => {
                "driftDetection: false is inverted in the controller: it overwrites what is there, and creates nothing"
            }
            "ServiceAccount" | "PrAutomation" => {
                "driftDetection: false does not keep this kind read-only: the second pass updates the remote"
            }
            _ => return,
        };
        problems.push(hazard(at(*pos), message, "leave the object out, if the remote must not be changed"));
    }
}

fn refers_to<'a>(facts: &'a Facts, path: &str) -> Option<&'a Reference> {
    facts.references.iter().find(|reference| reference.field.path == path)
}
