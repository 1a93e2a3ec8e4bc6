use std::time::Duration;

use super::lines::Lines;
use super::report::role;
use super::style::Role;
use crate::assess::plural::{Assessment, Outcome, RequeueState, State, Wait};
use crate::human;
use crate::object::{Code, Severity};
use crate::plural::{self, Action, Confidence, Field, IfMissing, Returns, Scope};

/// Prints what is told of one object of the Plural Console.
pub(super) fn block(lines: Lines<'_>, assessment: &Assessment<'_>) {
    Block { lines }.assessment(assessment);
}

struct Block<'a> {
    lines: Lines<'a>,
}

impl Block<'_> {
    fn assessment(&mut self, assessment: &Assessment<'_>) {
        let facts = assessment.facts;
        self.lines.title(&facts.reference.title(), &facts.place);
        self.problems(assessment, Severity::Error);
        if assessment.facts.kind.is_none() {
            let text = "its kind is not among those of this version, so nothing is told of it";
            self.lines.put("Kind", Some((Role::Warning, "unknown")), Role::Plain, text, None);
            self.problems(assessment, Severity::Warning);
            return self.lines.push("\n");
        }
        self.now(assessment);
        self.identity(assessment);
        self.modes(assessment);
        self.deletion(assessment);
        self.requeue(assessment);
        self.lines.put("Wakes", None, Role::Context, &assessment.wakes, None);
        for (index, wait) in assessment.waits.iter().enumerate() {
            let label = if index == 0 { "Needs" } else { "" };
            self.lines.line(label, &needs(wait), Some(&wait.place));
        }
        for (index, added) in assessment.adds.iter().enumerate() {
            self.lines.put(if index == 0 { "Adds" } else { "" }, None, Role::Context, added, None);
        }
        for note in &assessment.notes {
            self.lines.line("Note", note, None);
        }
        self.problems(assessment, Severity::Warning);
        self.problems(assessment, Severity::Info);
        self.lines.push("\n");
    }

    fn problems(&mut self, assessment: &Assessment<'_>, severity: Severity) {
        let problems = assessment.problems.iter().filter(|problem| problem.severity == severity);
        for problem in problems.filter(|problem| problem.code != Code::UnknownKind) {
            let label = match severity {
                Severity::Error => "Error",
                Severity::Warning => "Warning",
                Severity::Info => "Note",
            };
            let fix = problem.fix.as_ref().map_or(String::new(), |fix| format!("; {fix}"));
            let text = format!("{}{fix}", problem.message);
            self.lines.put(label, None, role(severity), &text, problem.place.as_ref());
        }
    }

    fn now(&mut self, assessment: &Assessment<'_>) {
        if let Some(requested) = assessment.deletion.requested {
            let text = match requested {
                Some(time) => format!("requested at {}", human::time(time)),
                None => "requested".to_owned(),
            };
            self.lines.put("Now", Some((Role::Warning, "DELETING")), Role::Plain, &text, None);
        }
        let Some(live) = &assessment.live else { return };
        let (role, word) = match live.state {
            State::Ready => (Role::Good, "up to date"),
            State::Waiting => (Role::Warning, "waiting"),
            State::Failing => (Role::Warning, "failing"),
            State::Deleting => (Role::Value, "deleting"),
            State::Unknown => (Role::Warning, "not known"),
        };
        let mut text = match live.told_by {
            Some((kind, condition)) => {
                let since = condition.since.map_or(String::new(), |time| format!("since {}: ", human::time(time)));
                let message = if condition.message.is_empty() { "" } else { ": " };
                format!("{since}{kind}={} {}{message}{}", condition.status, condition.reason, condition.message)
            }
            None => "the status has neither Ready nor Synchronized".to_owned(),
        };
        let id = live.status.id.as_ref().map_or("no id".to_owned(), |id| format!("id {id}"));
        let readonly = match live.status.readonly {
            Some(true) => ", Readonly=True",
            Some(false) => ", Readonly=False",
            None => "",
        };
        text = format!("{text} ({id}{readonly})");
        self.lines.put("Status", Some((role, word)), Role::Plain, &text, None);
        match &assessment.mode.now {
            Some(outcome) => {
                let text = said(outcome);
                self.outcome("Next pass", outcome, &format!("{text}; {}", assessment.mode.now_reason));
            }
            None => {
                let text = format!("not known: {}", assessment.mode.now_reason);
                self.lines.line("Next pass", &text, None);
            }
        }
    }

    fn identity(&mut self, assessment: &Assessment<'_>) {
        let identity = &assessment.identity;
        let scope = match identity.scope {
            Some(Scope::Cluster) => "; the object belongs to the whole cluster",
            Some(Scope::Namespaced) => "; the object stands in a namespace",
            None => "",
        };
        let text = match (identity.field, &identity.value, identity.from) {
            (Some("id"), Some(value), _) => format!("known by its id {value}{scope}"),
            // Nothing looks for such a sink by name: the upsert meets it.
            (Some(field), Some(value), Some("metadata.name"))
                if assessment.facts.reference.kind == "NotificationSink" =>
            {
                format!("written by {field} {value:?} (metadata.name){scope}")
            }
            (Some(field), Some(value), Some(from)) => format!("looked up by {field} {value:?} ({from}){scope}"),
            _ => format!("{}{scope}", identity.reason.as_deref().unwrap_or("not known")),
        };
        self.lines.line("Console", &text, identity.place.as_ref());
    }

    fn modes(&mut self, assessment: &Assessment<'_>) {
        let mode = &assessment.mode;
        let absent = match mode.if_absent.action {
            Action::ReadOnly => with_notes("creates nothing".to_owned(), &mode.if_absent),
            _ => said(&mode.if_absent),
        };
        self.outcome("If absent", &mode.if_absent, &absent);
        self.outcome("If present", &mode.if_present, &said(&mode.if_present));
        // A look-up that fails is an error nearly everywhere, retried with back-off; what else it is is worth a line.
        if let Some(outcome) = &mode.if_unreachable
            && !(outcome.action == Action::Error && outcome.returns == Some(Returns::Error) && outcome.note.is_empty())
        {
            let does = match outcome.action {
                Action::ReadOnly => with_notes("creates nothing".to_owned(), outcome),
                _ => said(outcome),
            };
            self.outcome("If unknown", outcome, &format!("when the look-up fails: {does}"));
        }
        let cases = [("if absent ", Some(&mode.if_absent)), ("if present ", Some(&mode.if_present))];
        self.promised("Documented", cases.into_iter().chain([("if unknown ", mode.if_unreachable.as_ref())]));
        let drift = match (&assessment.facts.reconciliation.drift_detection, assessment.drift_detection) {
            (Field::Given(_, pos), value) => {
                let place = crate::object::Place::new(&assessment.facts.place.file, *pos);
                return self.lines.line("driftDetection", &value.to_string(), Some(&place));
            }
            (Field::Refused(_), _) => "true (the CRD's default; what the manifest says is refused)",
            (Field::Absent, _) if assessment.facts.reconciliation.present => "true (the CRD's default)",
            (Field::Absent, _) => "true (there is no reconciliation)",
        };
        self.lines.put("driftDetection", None, Role::Context, drift, None);
    }

    /// What the documentation promises, where it is something else.
    fn promised<'o>(&mut self, label: &str, cases: impl IntoIterator<Item = (&'o str, Option<&'o Outcome<'o>>)>) {
        let promised: Vec<String> = cases
            .into_iter()
            .filter_map(|(when, outcome)| {
                let outcome = outcome.filter(|outcome| outcome.differs())?;
                Some(format!("{when}{}", outcome.documented?))
            })
            .collect();
        if !promised.is_empty() {
            let text = format!("the documentation promises otherwise: {}", promised.join(", "));
            self.lines.put(label, None, Role::Warning, &text, None);
        }
    }

    fn outcome(&mut self, label: &str, outcome: &Outcome<'_>, text: &str) {
        let role = match outcome.action {
            Action::Adopt | Action::Delete | Action::Wait | Action::Unknown => Role::Warning,
            Action::Error | Action::Refuse => Role::Bad,
            _ => Role::Value,
        };
        let value = match outcome.action {
            Action::InSyncOrUpdate => "managed",
            action => action.as_str(),
        };
        self.lines.put(label, Some((role, value)), Role::Plain, text, None);
    }

    fn deletion(&mut self, assessment: &Assessment<'_>) {
        let deletion = &assessment.deletion;
        let (absent, present) = (&deletion.if_absent, &deletion.if_present);
        let mode = &assessment.mode;
        let mut label = "Deletion";
        if let Some(now) = &deletion.now {
            let when = match (mode.now.is_some(), deletion.requested.is_some()) {
                (true, _) => "",
                (false, true) => "if it is there",
                (false, false) => "before another pass",
            };
            let before = |mark| if when.is_empty() { String::new() } else { format!("{when}{mark} ") };
            self.outcome(label, now, &format!("{}{}", before(":"), deletes(now)));
            self.promised("", [(before("").as_str(), Some(now))]);
            // What the next pass does is known, or it is the deletion itself.
            if mode.now.is_some() || deletion.requested.is_some() {
                return;
            }
            label = "";
        }
        let takes =
            matches!(mode.if_present.action, Action::Adopt | Action::ReadOnly) && present.action == Action::Delete;
        let same = absent.note == present.note
            && absent.confidence == present.confidence
            && absent.documented == present.documented;
        if absent.action == present.action && same && !takes {
            self.outcome(label, absent, &deletes(absent));
            return self.promised("", [("", Some(absent))]);
        }
        self.outcome(label, absent, &format!("if it was absent ({}): {}", mode.if_absent.action, deletes(absent)));
        let foreign = if takes { ", which this object did not create" } else { "" };
        let text = format!("if it was present ({}{foreign}): {}", mode.if_present.action, deletes(present));
        self.outcome("", present, &text);
        self.promised("", [("if it was absent ", Some(absent)), ("if it was present ", Some(present))]);
    }

    fn requeue(&mut self, assessment: &Assessment<'_>) {
        let requeue = &assessment.requeue;
        let raw = requeue.raw.map_or(String::new(), |raw| format!("interval {raw:?}: "));
        let (role, text) = match (requeue.range(), requeue.state) {
            (Some((_, least, most)), _) => (
                Role::Plain,
                format!("every {} while it succeeds ({raw}{})", human::range(least, most), requeue.reason),
            ),
            (None, RequeueState::Panics) => (Role::Bad, format!("panics: {raw}{}", requeue.reason)),
            (None, RequeueState::Unknown) => (Role::Warning, format!("not known: {}", requeue.reason)),
            (None, _) => (Role::Plain, format!("not requeued by itself while it succeeds: {}", requeue.reason)),
        };
        self.lines.put("Requeue", None, role, &text, requeue.place.as_ref());
        let text = format!(
            "a pass that waits comes again after {}; an error is retried after {} … {} (inferred)",
            range(plural::WAIT),
            human::duration(plural::ERROR_BASE),
            human::duration(plural::ERROR_MAX),
        );
        self.lines.put("", None, Role::Context, &text, None);
    }
}

fn range((least, most): (Duration, Duration)) -> String {
    human::range(least, most)
}

/// What a pass does, in a clause.
fn said(outcome: &Outcome<'_>) -> String {
    let with = outcome.mutation.map_or(String::new(), |mutation| format!(" with {mutation}"));
    let clause = match outcome.action {
        Action::Create => format!("creates it{with}, and owns it"),
        Action::Update => format!("writes it{with} on every pass"),
        Action::Adopt if outcome.mutation.is_none() && outcome.confidence != Confidence::DocumentedOnly => {
            "takes it over: links it by its id, without an update".to_owned()
        }
        Action::Adopt => format!("takes it over: links it by its id and brings it in line with the spec{with}"),
        Action::InSyncOrUpdate => {
            let with = outcome.mutation.map_or("updates it".to_owned(), |mutation| format!("sends {mutation}"));
            format!("owned: {with} if what it is to be has changed, else nothing")
        }
        Action::ReadOnly => "takes its id, changes nothing in the Console".to_owned(),
        Action::Delete => format!("deletes it{with}"),
        Action::Keep => "sends nothing".to_owned(),
        Action::Wait | Action::Error => format!("sends nothing{}", again(outcome)),
        Action::Refuse => "sends nothing".to_owned(),
        Action::Unknown => "not known".to_owned(),
    };
    with_notes(clause, outcome)
}

/// When a pass that could not do its work comes again.
fn again(outcome: &Outcome<'_>) -> String {
    match outcome.returns {
        Some(Returns::Wait) => format!(", and comes again after {}", range(plural::WAIT)),
        Some(Returns::Interval) => ", and comes again with the periodic requeue".to_owned(),
        Some(Returns::Nothing) => ", and does not come again by itself".to_owned(),
        Some(Returns::Error) => ", and is retried as an error".to_owned(),
        None => String::new(),
    }
}

/// What deletion does to the remote, in a clause.
fn deletes(outcome: &Outcome<'_>) -> String {
    let with = outcome.mutation.map_or(String::new(), |mutation| format!(" with {mutation}"));
    let clause = match outcome.action {
        Action::Delete => format!("deletes the remote{with}"),
        Action::Keep => "leaves the remote as it is".to_owned(),
        _ => return said(outcome),
    };
    with_notes(clause, outcome)
}

fn with_notes(clause: String, outcome: &Outcome<'_>) -> String {
    let mut text = clause;
    if !outcome.note.is_empty() {
        text.push_str("; ");
        text.push_str(&outcome.note);
    }
    match outcome.confidence {
        Confidence::Source => {}
        Confidence::Inferred => text.push_str(" [inferred]"),
        Confidence::DocumentedOnly => text.push_str(" [documented-only]"),
    }
    text
}

/// What has to be there, and what happens while it is not.
fn needs(wait: &Wait<'_>) -> String {
    let name = match wait.namespace {
        Some(namespace) => format!("{namespace}/{}", wait.name),
        None => wait.name.to_string(),
    };
    let again = format!("comes again after {}", range(plural::WAIT));
    let missing = match wait.missing {
        IfMissing::Wait => format!("missing: the pass {again}"),
        IfMissing::Error => "missing: the pass ends in an error".to_owned(),
        IfMissing::SentWithout | IfMissing::Nothing => "missing: nothing is waited for".to_owned(),
    };
    let without_id = match wait.without_id {
        IfMissing::Wait => ", without an id likewise",
        IfMissing::SentWithout => ", without an id: sent silently without it",
        IfMissing::Error | IfMissing::Nothing => "",
    };
    let found = match &wait.found {
        Some((place, true)) => format!(" (among the inputs with an id: {place})"),
        Some((place, false)) => format!(" (among the inputs without an id: {place})"),
        None if wait.could_be_found => " (not among the inputs)".to_owned(),
        None => String::new(),
    };
    format!("{} {name} ({}){found}; {missing}{without_id}", wait.target, wait.field)
}
