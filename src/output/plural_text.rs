use std::borrow::Cow;
use std::cmp::Ordering;

use super::lines::{Lines, MESSAGE};
use super::report::role;
use super::style::Role;
use crate::assess::plural::{Asked, Assessment, Outcome, RequeueState, State, Wait};
use crate::human;
use crate::object::{Code, Place, Severity};
use crate::plural::{Action, Confidence, Field, IfMissing, IntervalOrigin, Kind, Returns, Scope};

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
        let deleting = assessment.deletion.requested.is_some();
        self.lines.title(&facts.reference.title(), &facts.place);
        self.problems(assessment, Severity::Error);
        let Some(kind) = facts.kind else {
            let of_kind = assessment.problems.iter().find(|problem| problem.code == Code::UnknownKind);
            let fix = of_kind.and_then(|problem| problem.fix.as_ref()).map_or(String::new(), |fix| format!("; {fix}"));
            let text = format!("its kind is not among those of this version, so nothing is told of it{fix}");
            self.lines.put("Kind", Some((Role::Warning, "unknown")), Role::Plain, &text, None);
            self.problems(assessment, Severity::Warning);
            return self.lines.push("\n");
        };
        self.now(assessment);
        // Of an object that is being deleted the decisions are those about its deletion.
        if !deleting || kind.has_decisions() {
            self.modes(assessment);
        }
        if !deleting || !kind.has_decisions() {
            self.deletion(assessment);
        }
        self.documented(assessment);
        self.identity(assessment);
        // One that nobody sees being deleted is reconciled as if it lived, as long as somebody else holds it.
        if !deleting || (kind.has_decisions() && kind.finalizer.is_none() && facts.has_foreign_finalizer()) {
            self.requeue(assessment);
        }
        self.problems(assessment, Severity::Warning);
        if !deleting {
            self.needs(assessment);
            if kind.has_decisions() {
                self.lines.put("Wakes", None, Role::Context, &assessment.wakes, None);
            }
            for (index, added) in assessment.adds.iter().enumerate() {
                self.lines.put(if index == 0 { "Adds" } else { "" }, None, Role::Context, added, None);
            }
        }
        for note in &assessment.notes {
            self.lines.line("Note", note, None);
        }
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
            // What stands at the object's own place says so in the title.
            let place = problem.place.as_ref().filter(|place| **place != assessment.facts.place);
            self.lines.put(label, None, role(severity), &text, place);
        }
    }

    fn now(&mut self, assessment: &Assessment<'_>) {
        if let Some(requested) = assessment.deletion.requested {
            let text = match requested {
                Some(time) => format!("requested at {}", human::time(time)),
                None => "requested".to_owned(),
            };
            self.lines.put("Now", Some((Role::Warning, "DELETING")), Role::Plain, &text, None);
            self.holders(assessment);
        }
        let Some(live) = &assessment.live else { return };
        let word = match live.state {
            State::Ready => Some((Role::Good, "up to date")),
            State::Waiting => Some((Role::Warning, "waiting")),
            State::Failing => Some((Role::Bad, "failing")),
            State::Unknown => Some((Role::Warning, "not known")),
            // Told already, and the conditions are those of a pass before.
            State::Deleting => None,
        };
        let told = match live.told_by {
            Some((kind, condition)) => {
                let since = condition.since.map_or(String::new(), |time| format!("since {}: ", human::time(time)));
                let reason = if condition.reason == kind { "" } else { condition.reason.as_str() };
                let colon = if condition.message.is_empty() { "" } else { ": " };
                let blank = if reason.is_empty() { "" } else { " " };
                format!("{since}{kind}={}{blank}{reason}{colon}{}", condition.status, cut(&condition.message))
            }
            None => "the status has neither Ready nor Synchronized".to_owned(),
        };
        let id = live.status.id.as_ref().map_or("no id".to_owned(), |id| format!("id {id}"));
        let readonly = match live.status.readonly {
            Some(true) => ", Readonly=True",
            Some(false) => ", Readonly=False",
            None => "",
        };
        self.lines.put("Status", word, Role::Plain, &format!("{told} ({id}{readonly})"), None);
    }

    /// The finalizers that hold an object that is being deleted, and whose they are.
    fn holders(&mut self, assessment: &Assessment<'_>) {
        let kind = assessment.facts.kind;
        let own = kind.and_then(|kind| kind.finalizer);
        for (index, finalizer) in assessment.facts.metadata.finalizers.iter().enumerate() {
            let whose = match own {
                Some(own) if own == finalizer => "its controller's own".to_owned(),
                Some(own) => format!("not its controller's, which is {own}"),
                None if kind.is_some_and(Kind::has_no_finalizer) => "not its controller's, which adds none".to_owned(),
                None => "not known to be its controller's".to_owned(),
            };
            let label = if index == 0 { "Waits for" } else { "and for" };
            self.lines.line(label, &format!("the finalizer {finalizer}: {whose}"), None);
        }
    }

    /// What the next pass does, by what the Console holds; first what the status says it holds, if it says it.
    fn modes(&mut self, assessment: &Assessment<'_>) {
        let mode = &assessment.mode;
        let known = mode.now.as_ref();
        if assessment.live.is_some() {
            match known {
                Some(now) if *now == mode.if_present => self.present("Next pass", now, assessment),
                Some(now) => self.outcome("Next pass", now, &said(now, assessment)),
                None => self.lines.line("Next pass", &format!("not known: {}", mode.now_reason), None),
            }
        }
        let (absent, present) = match known.filter(|_| assessment.live.is_some()) {
            Some(_) => ("If gone", "If back"),
            None => ("If absent", "If present"),
        };
        if known != Some(&mode.if_absent) || assessment.live.is_none() {
            self.outcome(absent, &mode.if_absent, &said(&mode.if_absent, assessment));
        }
        if known != Some(&mode.if_present) || assessment.live.is_none() {
            self.present(present, &mode.if_present, assessment);
        }
        // A look-up that fails is an error nearly everywhere, retried with back-off, and promised to be one; where it is
        // something else, that is worth a line.
        if let Some(outcome) = &mode.if_unreachable
            && (outcome.action != Action::Error || outcome.returns != Some(Returns::Error) || outcome.differs())
        {
            let text = format!("the look-up fails: {}", said(outcome, assessment));
            self.outcome("If unknown", outcome, &text);
        }
    }

    /// What is done with what is there, and the `driftDetection` that has decided it.
    fn present(&mut self, label: &str, outcome: &Outcome<'_>, assessment: &Assessment<'_>) {
        let reconciliation = &assessment.facts.reconciliation;
        let said = said(outcome, assessment);
        if assessment.deletion.requested.is_some() {
            return self.outcome(label, outcome, &said);
        }
        let text = match (&reconciliation.drift_detection, reconciliation.present) {
            (Field::Given(value, pos), _) => {
                let place = Place::new(&assessment.facts.place.file, *pos);
                let text = format!("{said}; driftDetection is {value}");
                return self.outcome_at(label, outcome, &text, Some(&place));
            }
            (Field::Refused(_), _) => "driftDetection is true, the CRD's default, as the manifest's is refused",
            (Field::Absent, true) => "driftDetection is true, the CRD's default",
            (Field::Absent, false) => "driftDetection is true, as there is no reconciliation",
        };
        self.outcome(label, outcome, &format!("{said}; {text}"));
    }

    /// Where the documentation promises otherwise, in one line.
    fn documented(&mut self, assessment: &Assessment<'_>) {
        let mode = &assessment.mode;
        let cases = [
            ("absent", Some(&mode.if_absent)),
            ("present", Some(&mode.if_present)),
            ("unknown", mode.if_unreachable.as_ref()),
        ];
        let mut otherwise: Vec<String> = cases
            .into_iter()
            .filter_map(|(when, outcome)| Some(format!("{} if {when}", promised(outcome?)?)))
            .collect();
        // What is promised of a deletion that has been requested already, these have said.
        if assessment.deletion.requested.is_none() {
            let cases = deletions(assessment);
            let mut promises: Vec<(&str, Option<Action>)> =
                cases.into_iter().map(|(when, outcome)| (when, promised(outcome))).collect();
            if let [now @ .., (_, absent), (_, present)] = &promises[..]
                && absent == present
            {
                let (now, later) = (now.first().copied(), *present);
                let always = now.is_none_or(|(_, now)| now == later);
                let after = if always { "" } else { "after another pass" };
                promises = now.filter(|_| !always).into_iter().chain([(after, later)]).collect();
            }
            otherwise.extend(promises.into_iter().filter_map(|(when, action)| {
                let blank = if when.is_empty() { "" } else { " " };
                Some(format!("deletion {}{blank}{when}", does(action?)))
            }));
        }
        if !otherwise.is_empty() {
            let text = format!("otherwise: {}", otherwise.join("; "));
            self.lines.put("Documented", None, Role::Warning, &text, None);
        }
    }

    fn identity(&mut self, assessment: &Assessment<'_>) {
        let identity = &assessment.identity;
        let scope = match identity.scope {
            // A note says more of it.
            _ if assessment.facts.ignored_namespace.is_some() => "",
            Some(Scope::Cluster) => "; cluster-scoped",
            Some(Scope::Namespaced) => "; namespaced",
            None => "",
        };
        let text = match (identity.field, &identity.value, identity.from) {
            (Some("id"), Some(value), _) => format!("known by its id {value}{scope}"),
            (Some(field), Some(value), Some(from)) => match identity.asked {
                Asked::Value => format!("looked up by {field} {value:?} ({from}){scope}"),
                Asked::EmptyName => {
                    format!("looked up by {field} \"\" (spec.name), written by {field} {value:?} ({from}){scope}")
                }
                Asked::Nothing => format!("written by {field} {value:?} ({from}), never looked up by it{scope}"),
            },
            _ => format!("{}{scope}", identity.reason.as_deref().unwrap_or("not known")),
        };
        self.lines.line("Console", &text, identity.place.as_ref());
    }

    fn outcome(&mut self, label: &str, outcome: &Outcome<'_>, text: &str) {
        self.outcome_at(label, outcome, text, None);
    }

    fn outcome_at(&mut self, label: &str, outcome: &Outcome<'_>, text: &str, place: Option<&Place>) {
        let role = match outcome.action {
            Action::Adopt | Action::Delete | Action::Wait | Action::Unknown => Role::Warning,
            Action::Error | Action::Refuse => Role::Bad,
            _ => Role::Value,
        };
        let value = match outcome.action {
            Action::InSyncOrUpdate => "managed",
            action => action.as_str(),
        };
        self.lines.put(label, Some((role, value)), Role::Plain, text, place);
    }

    /// What deletion does to the remote, case by case; what several have in common is said once.
    fn deletion(&mut self, assessment: &Assessment<'_>) {
        let takes = assessment.mode.if_present.action == Action::Adopt;
        let said = |outcome: &Outcome<'_>| deletes(outcome, "the remote", "", assessment);
        let mut lines: Vec<(String, &Outcome<'_>)> = Vec::new();
        match deletions(assessment).as_slice() {
            [now @ .., (when, absent), (other, present)] => {
                let as_now = now.iter().any(|(_, now)| alike(now, absent) && now.confidence == absent.confidence);
                let both =
                    together(absent, present, takes).map(|(which, also)| deletes(present, which, &also, assessment));
                let mut before = String::new();
                for (when, now) in now {
                    match as_now {
                        true if both.is_some() => {}
                        true => before = format!("{when}, or "),
                        false => lines.push((format!("{when}: {}", said(now)), now)),
                    }
                }
                if let Some(both) = both {
                    let after = if lines.is_empty() { "" } else { "after it: " };
                    lines.push((format!("{after}{both}"), present));
                } else {
                    lines.push((format!("{before}{when}: {}", said(absent)), absent));
                    lines.push((format!("{other}: {}", said(present)), present));
                }
            }
            cases => lines.extend(cases.iter().map(|(_, outcome)| (said(outcome), *outcome))),
        }
        for (index, (text, outcome)) in lines.iter().enumerate() {
            let label = if index == 0 { "Deletion" } else { "" };
            self.outcome(label, outcome, text);
        }
    }

    fn requeue(&mut self, assessment: &Assessment<'_>) {
        let requeue = &assessment.requeue;
        let (role, mut text) = match (requeue.range(), requeue.state) {
            (Some((_, least, most)), _) => {
                let by = match (requeue.origin, requeue.raw) {
                    (IntervalOrigin::Spec, Some(raw)) => format!("interval {raw:?}"),
                    _ => requeue.reason.to_string(),
                };
                let while_it = if requeue.waits { "" } else { " while it succeeds" };
                (Role::Plain, format!("every {}{while_it} ({by})", human::range(least, most)))
            }
            (None, RequeueState::Panics) => (Role::Bad, format!("panics: {}", requeue.reason)),
            (None, RequeueState::Unknown) => (Role::Warning, format!("not known: {}", requeue.reason)),
            (None, _) => (Role::Plain, format!("none while it succeeds: {}", requeue.reason)),
        };
        if requeue.confidence.is_some_and(|confidence| confidence != Confidence::Source) {
            text.push_str(" [inferred]");
        }
        // Where driftDetection stands, the line of what it decides has said.
        let place = requeue.place.as_ref().filter(|_| assessment.drift_detection);
        self.lines.put("Requeue", None, role, &text, place);
    }

    /// What has to be there before anything is sent. Users and groups share a line: they are all looked up in the same
    /// way, and wait in the same way.
    fn needs(&mut self, assessment: &Assessment<'_>) {
        let (bound, others): (Vec<&Wait<'_>>, Vec<&Wait<'_>>) =
            assessment.waits.iter().partition(|wait| matches!(wait.target, "user" | "group"));
        let mut label = "Needs";
        for wait in others {
            let (role, word) = match wait.missing {
                IfMissing::Wait => (Role::Warning, "or waits"),
                IfMissing::Error => (Role::Bad, "or fails"),
                IfMissing::SentWithout | IfMissing::Nothing => (Role::Context, "or not"),
            };
            self.lines.put(label, Some((role, word)), Role::Plain, &needs(wait), Some(&wait.place));
            label = "";
        }
        if !bound.is_empty() {
            let names: Vec<String> = bound.iter().map(|wait| format!("{} {}", wait.target, wait.name)).collect();
            let text = format!("in the Console: {}", names.join(", "));
            self.lines.put(label, Some((Role::Warning, "or waits")), Role::Plain, &text, None);
        }
    }
}

/// Longer status messages are cut on the screen; JSON has them whole.
fn cut(message: &str) -> Cow<'_, str> {
    match message.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]).into(),
        None => message.into(),
    }
}

/// The cases in which a deletion may come, and what it does in each: one alone if it is under way, or if the status tells
/// what the pass before it does; else those after a next pass that is not known, and what is known already of one that
/// comes before that pass.
fn deletions<'o>(assessment: &'o Assessment<'_>) -> Vec<(&'static str, &'o Outcome<'o>)> {
    let (deletion, mode) = (&assessment.deletion, &assessment.mode);
    if let Some(now) = deletion.settled(mode) {
        return vec![("", now)];
    }
    let later =
        [(later(&mode.if_absent, true), &deletion.if_absent), (later(&mode.if_present, false), &deletion.if_present)];
    let now = deletion.now.as_ref().map(|now| ("before another pass", now));
    now.into_iter().chain(later).collect()
}

/// Whether the same is done, and the same is to be said of it.
fn alike(one: &Outcome<'_>, other: &Outcome<'_>) -> bool {
    (one.action, one.mutation, &one.note) == (other.action, other.mutation, &other.note)
}

/// What is deleted, and what else is, where the deletion of what was created and that of what was there are told in one
/// line. One of the two may be less sure than the other: then its mark stands behind the words about it.
fn together(absent: &Outcome<'_>, present: &Outcome<'_>, takes: bool) -> Option<(&'static str, Cow<'static, str>)> {
    if !alike(absent, present) {
        return None;
    }
    let takes = takes && present.action == Action::Delete;
    match absent.confidence.cmp(&present.confidence) {
        Ordering::Equal if !takes => Some(("the remote", "".into())),
        // The mark of the whole line is that of its end.
        Ordering::Equal | Ordering::Less if takes => Some(("the remote", ", even one that it took over".into())),
        Ordering::Greater if takes => {
            let also = format!(", and one that it created [{}]", absent.confidence.as_str());
            Some(("one that it took over", also.into()))
        }
        _ => None,
    }
}

/// Under which circumstances a deletion comes, by what the pass before it has done.
fn later(before: &Outcome<'_>, absent: bool) -> &'static str {
    match before.action {
        Action::ReadOnly if absent => "where none was",
        Action::Create => "once created",
        Action::Adopt => "once taken over",
        Action::ReadOnly => "while read-only",
        Action::InSyncOrUpdate | Action::Update => "while managed",
        Action::Wait => "while waiting",
        Action::Delete | Action::Keep | Action::Error | Action::Refuse | Action::Unknown => "else",
    }
}

/// What the documentation promises, where that is something else.
fn promised(outcome: &Outcome<'_>) -> Option<Action> {
    outcome.documented.filter(|_| outcome.differs())
}

/// What the documentation promises of a deletion.
fn does(action: Action) -> &'static str {
    match action {
        Action::Delete => "deletes it",
        Action::Keep => "keeps it",
        action => action.as_str(),
    }
}

/// What a pass does, in a clause.
fn said(outcome: &Outcome<'_>, assessment: &Assessment<'_>) -> String {
    let by = outcome.mutation.map_or(String::new(), |mutation| format!(" ({mutation})"));
    let changed = match assessment.facts.reference.kind.as_str() {
        "GitRepository" | "PrAutomation" => "what it sends has changed",
        _ => "the spec has changed",
    };
    let clause = match outcome.action {
        Action::Create => format!("creates it{by}, and owns it"),
        Action::Update => format!("writes it{by} on every pass"),
        Action::Adopt if outcome.mutation.is_none() && outcome.confidence != Confidence::DocumentedOnly => {
            "takes it over: links it, without an update".to_owned()
        }
        Action::Adopt => format!("takes it over: links it and brings it in line with the spec{by}"),
        Action::InSyncOrUpdate => format!("owned: updates it{by} if {changed}, else does nothing"),
        Action::ReadOnly if assessment.facts.reference.kind == "ServiceContext" => "creates nothing".to_owned(),
        Action::ReadOnly => "takes its id, changes nothing in the Console".to_owned(),
        Action::Delete => format!("deletes it{by}"),
        Action::Keep => "sends nothing".to_owned(),
        Action::Wait | Action::Error | Action::Refuse => {
            let again = match outcome.returns {
                Some(Returns::Wait) => ", comes again after 15 to 45 s",
                Some(Returns::Interval) => match assessment.requeue.state {
                    RequeueState::Panics => ", and panics over the interval",
                    RequeueState::Never => ", and does not come again by itself",
                    RequeueState::Periodic(_) | RequeueState::Unknown => ", comes again with the periodic requeue",
                },
                Some(Returns::Nothing) => ", and does not come again by itself",
                Some(Returns::Error) => ", is retried as an error",
                None => "",
            };
            format!("sends nothing{again}")
        }
        Action::Unknown => String::new(),
    };
    with_notes(clause, outcome)
}

/// What deletion does to the remote, in a clause.
fn deletes(outcome: &Outcome<'_>, which: &str, also: &str, assessment: &Assessment<'_>) -> String {
    let by = outcome.mutation.map_or(String::new(), |mutation| format!(" ({mutation})"));
    let clause = match outcome.action {
        Action::Delete => format!("deletes {which}{by}{also}"),
        Action::Keep => "leaves the remote as it is".to_owned(),
        _ => return said(outcome, assessment),
    };
    with_notes(clause, outcome)
}

fn with_notes(clause: String, outcome: &Outcome<'_>) -> String {
    let note = clearer(&outcome.note);
    let between = match note {
        _ if clause.is_empty() || note.is_empty() => "",
        _ if note.starts_with("says ") => ", ",
        _ => "; ",
    };
    let mark = match outcome.confidence {
        Confidence::Source => "",
        Confidence::Inferred => " [inferred]",
        Confidence::DocumentedOnly => " [documented-only]",
    };
    format!("{clause}{between}{note}{mark}")
}

/// The table's notes that need more words on a screen, or none, as its line says the same.
const CLEARER: [(&str, &str); 21] = [
    ("read-only target gone; id cleared", "its target is gone, and status.id is cleared"),
    ("read-only target gone; id kept", "its target is gone, and status.id is kept"),
    ("read-only target gone; reason Error; id cleared", "its target is gone, and status.id is cleared"),
    ("stays gone while the hash is unchanged", "it stays gone while the spec is unchanged"),
    ("finalizer goes before the look-up", ""),
    ("hash stored without an update", ""),
    ("linked without an update; no stored hash", ""),
    ("saved on every pass", ""),
    (
        "lasts one pass; Ready stays False",
        "for one pass only: the next one updates it, and Ready stays False till then",
    ),
    ("lasts one pass; Readonly is never set", "for one pass only: the next one updates it"),
    ("read-only lasts one pass", "read-only lasted one pass"),
    ("updates after a read-only pass; the empty hash differs", "so also after a pass that only read it"),
    ("inverted test; not created; Ready False", "the controller's test is inverted; Ready stays False"),
    ("inverted test; the remote is overwritten", "the controller's test is inverted"),
    ("read-only but on the managed path", "although it is read-only"),
    ("remote values go into the spec", "what is there is written into this object's spec"),
    ("finalizer goes in the next pass", "the finalizer goes with the periodic requeue after that"),
    ("finalizer waits for another event", "the finalizer stays until something else wakes the object"),
    ("the copy read waits for ever here", "the copy of its controller that was read waits here for ever"),
    ("a same-named remote that was never adopted", "although it never took it over: deletion goes by name"),
    ("look-up with an empty id", "it is looked up by status.id, which is empty"),
];

fn clearer(note: &str) -> &str {
    CLEARER.iter().find(|(terse, _)| *terse == note).map_or(note, |(_, clear)| clear)
}

/// What has to be there; the word before it says what happens while it is not.
fn needs(wait: &Wait<'_>) -> String {
    let name = match wait.namespace {
        Some(namespace) => format!("{namespace}/{}", wait.name),
        None => wait.name.to_string(),
    };
    let id = match wait.without_id {
        IfMissing::Wait => " with an id",
        IfMissing::SentWithout | IfMissing::Error | IfMissing::Nothing => "",
    };
    let found = match &wait.found {
        Some((place, true)) => format!("; among the inputs with an id: {place}"),
        Some((place, false)) => format!("; among the inputs without an id: {place}"),
        None if wait.could_be_found => "; not among the inputs".to_owned(),
        None => String::new(),
    };
    let sent = match wait.without_id {
        IfMissing::SentWithout => "; without an id it is silently left out",
        IfMissing::Wait | IfMissing::Error | IfMissing::Nothing => "",
    };
    format!("{} {name}{id} ({}{found}){sent}", wait.target, wait.field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plural;

    #[test]
    fn every_note_that_is_said_otherwise_is_one_of_the_table() {
        for (terse, _) in CLEARER {
            assert!(plural::decision_rows().iter().any(|row| row.decision.note == terse), "{terse}");
        }
    }
}
