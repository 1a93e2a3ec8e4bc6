use super::live;
use crate::assess::Text;
use crate::plural::{self, Action, Confidence, Copy, Decision, Facts, Kind, Remote, Returns, Situation, Status};

/// What a pass does with an object in one case, and how that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome<'a> {
    /// What the released controller does.
    pub action: Action,
    /// What the documentation says, where it says something.
    pub documented: Option<Action>,
    /// The mutation that the controller sends.
    pub mutation: Option<&'static str>,
    /// What its pass returns; `None` when that is not known.
    pub returns: Option<Returns>,
    /// How the controller's part is known.
    pub confidence: Confidence,
    /// A clause on top, or empty.
    pub note: Text<'a>,
}

impl Outcome<'_> {
    pub(super) fn of(decision: Decision) -> Outcome<'static> {
        Outcome {
            action: decision.in_cluster,
            documented: Some(decision.documented),
            mutation: decision.mutation,
            returns: Some(decision.returns),
            confidence: decision.confidence,
            note: decision.note.into(),
        }
    }

    /// What only the documentation tells.
    pub(super) fn documented(action: Action, note: &'static str) -> Outcome<'static> {
        Outcome {
            action,
            documented: Some(action).filter(|action| *action != Action::Unknown),
            mutation: None,
            returns: None,
            confidence: Confidence::DocumentedOnly,
            note: note.into(),
        }
    }

    /// Whether the documentation promises something else.
    pub fn differs(&self) -> bool {
        self.documented.is_some_and(|documented| documented != self.action)
    }
}

/// What a pass does, by what the Console holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mode<'a> {
    /// If the look-up finds nothing.
    pub if_absent: Outcome<'a>,
    /// If it finds the remote.
    pub if_present: Outcome<'a>,
    /// If it fails; `None` where only the documentation is known.
    pub if_unreachable: Option<Outcome<'a>>,
    /// In the state that the status tells, if it tells one.
    pub now: Option<Outcome<'a>>,
    /// What that follows from, or why it is not known.
    pub now_reason: Text<'a>,
}

/// The situation of an object, given what the Console holds.
pub fn situation(facts: &Facts, remote: Remote) -> Situation {
    let status = facts.status.as_ref();
    Situation {
        remote,
        id_set: status.is_some_and(|status| status.id.is_some()),
        readonly: status.and_then(|status| status.readonly),
        finalizer: facts.has_finalizer(),
        drift_detection: facts.reconciliation.drifts(),
        deleting: facts.metadata.deletion.is_some(),
        unnamed_sink: facts.reference.kind == "NotificationSink" && facts.lookup.text().is_none_or(str::is_empty),
    }
}

pub(super) fn mode(facts: &Facts) -> Mode<'_> {
    let Some(kind) = facts.kind else {
        let unknown = || Outcome::documented(Action::Unknown, "the kind is unknown to this version");
        return Mode {
            if_absent: unknown(),
            if_present: unknown(),
            if_unreachable: None,
            now: None,
            now_reason: "the kind is unknown to this version".into(),
        };
    };
    let (if_absent, if_present, if_unreachable) = if kind.has_decisions() {
        let decided = |remote| decided(facts, kind, &situation(facts, remote));
        (decided(Remote::Absent), decided(Remote::Present), Some(decided(Remote::Unreachable)))
    } else {
        let (absent, present) = by_documentation(facts, kind);
        (absent, present, None)
    };
    let (now, now_reason) = now(facts, kind, &if_absent, &if_present);
    Mode { if_absent, if_present, if_unreachable, now, now_reason }
}

/// By the decision table, and by what it does not show.
pub fn decided(facts: &Facts, kind: &Kind, situation: &Situation) -> Outcome<'static> {
    let Some(decision) = plural::decide(kind.name, situation) else {
        return Outcome::documented(Action::Unknown, "no row of the decision table speaks of this");
    };
    let mut outcome = Outcome::of(decision);
    let read_only = situation.readonly == Some(true) && !situation.drift_detection && !situation.deleting;
    if situation.unnamed_sink {
        match facts.lookup.text().is_some() {
            // pluralsh/console, notificationsink_controller.go, 02fdfd37: the name is dereferenced unseen.
            false if read_only => {
                outcome.action = Action::Error;
                outcome.returns = Some(Returns::Error);
                outcome.note = "the controller panics: the read-only branch reads spec.name, which is not set".into();
            }
            // The look-up of "" presumably finds nothing, whatever is there under metadata.name.
            true if read_only && situation.remote == Remote::Present => {
                let missed = decided(facts, kind, &Situation { remote: Remote::Absent, ..*situation });
                return Outcome { documented: outcome.documented, confidence: Confidence::Inferred, ..missed };
            }
            true if situation.manages_unnamed() && situation.remote != Remote::Unreachable => {
                outcome.confidence = outcome.confidence.max(Confidence::Inferred);
            }
            _ => {}
        }
    }
    if kind.name == "ServiceContext" && outcome.action == Action::Delete {
        match other_name(facts) {
            Some((looked_up, saved)) => {
                outcome.action = Action::Keep;
                outcome.mutation = None;
                outcome.note = format!(
                    "left behind: deletion looks for {looked_up:?} (metadata.name), and the context was saved as \
                     {saved:?} (spec.name)"
                )
                .into();
            }
            None => outcome.note = "".into(),
        }
    }
    outcome
}

/// The names by which a ServiceContext is looked up at its deletion and by which it was saved, if they differ.
fn other_name(facts: &Facts) -> Option<(&str, &str)> {
    let saved = facts.lookup.text().filter(|name| !name.is_empty())?;
    let looked_up = facts.reference.name.as_deref()?;
    (saved != looked_up).then_some((looked_up, saved))
}

/// The other kinds, by their documented row: creation wants no match, reading a match and `driftDetection: false`,
/// adoption a match and `driftDetection: true`.
fn by_documentation(facts: &Facts, kind: &Kind) -> (Outcome<'static>, Outcome<'static>) {
    let deleting = facts.metadata.deletion.is_some();
    if deleting {
        let unknown = || Outcome::documented(Action::Unknown, "the object is being deleted: see what deletion does");
        return (unknown(), unknown());
    }
    let absent = match kind.create {
        // pluralsh/console, scmconnection_controller.go, a recent copy: without a token there is nothing to create it with.
        true if kind.name == "ScmConnection" && !facts.details.token_secret => Outcome {
            action: Action::ReadOnly,
            documented: Some(Action::Create),
            mutation: None,
            returns: None,
            confidence: Confidence::Source,
            note: format!("spec.tokenSecretRef is not set (reason NotFound), {}", copy_read(kind.copy)).into(),
        },
        true => Outcome::documented(Action::Create, ""),
        false => {
            Outcome::documented(Action::Unknown, "this kind is documented not to create; what happens instead is not")
        }
    };
    let drifts = facts.reconciliation.drifts();
    let present = match (kind.read_only, kind.adopt) {
        (true, true) if drifts => Outcome::documented(Action::Adopt, ""),
        (true, true) => Outcome::documented(Action::ReadOnly, ""),
        (false, true) if drifts => Outcome::documented(Action::Adopt, ""),
        (false, true) => Outcome::documented(
            Action::Unknown,
            "adoption is documented for driftDetection true; this kind has no read-only mode for false",
        ),
        (true, false) => Outcome::documented(Action::ReadOnly, "adoption is not documented for this kind"),
        (false, false) => {
            Outcome::documented(Action::Unknown, "neither read-only nor adoption is documented for this kind")
        }
    };
    (absent, present)
}

fn now<'a>(
    facts: &'a Facts,
    kind: &'static Kind,
    if_absent: &Outcome<'a>,
    if_present: &Outcome<'a>,
) -> (Option<Outcome<'a>>, Text<'a>) {
    let Some(status) = &facts.status else { return (None, "the manifest has no status".into()) };
    if !kind.has_decisions() {
        if facts.metadata.deletion.is_some() {
            return (None, "the object is being deleted: see what deletion does".into());
        }
        return match by_status(facts, kind) {
            Some((action, reason)) => (Some(Outcome::documented(action, "")), reason.into()),
            None => (None, "status.id is not set".into()),
        };
    }
    if target_gone(status) {
        return (Some(if_absent.clone()), "the last pass did not find its read-only target".into());
    }
    if status.id.is_some() {
        return (Some(if_present.clone()), "status.id is set: the remote was there at the last pass".into());
    }
    if if_absent.action == if_present.action {
        return (Some(if_present.clone()), "the same whether the remote is there or not".into());
    }
    (None, "status.id is not set, so what the Console holds decides".into())
}

/// Whether the last pass did not find the target of a read-only object.
pub(super) fn target_gone(status: &Status) -> bool {
    let missed = status.synchronized.as_ref().is_some_and(|condition| {
        condition.status == "False" && (condition.reason == "NotFound" || live::is_not_found(&condition.message))
    });
    missed && status.readonly == Some(true)
}

/// What the status of one of the other kinds says of it, and by what.
pub(super) fn by_status(facts: &Facts, kind: &Kind) -> Option<(Action, &'static str)> {
    let status = facts.status.as_ref()?;
    match status.readonly {
        Some(true) if kind.adopt && facts.reconciliation.drifts() => {
            Some((Action::Adopt, "the condition Readonly is True, and driftDetection is true"))
        }
        Some(true) => Some((Action::ReadOnly, "the condition Readonly is True")),
        _ if status.id.is_some() => Some((Action::InSyncOrUpdate, "status.id is set, and Readonly is not True")),
        _ => None,
    }
}

/// A word on the copy of a controller that was read.
pub(super) fn copy_read(copy: Copy) -> &'static str {
    match copy {
        Copy::None => "",
        Copy::Source => "says its controller",
        Copy::Old => "says an old copy of its controller",
        Copy::New => "says a recent copy of its controller",
    }
}
