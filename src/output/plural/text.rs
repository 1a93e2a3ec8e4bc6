use super::words::{self, alike, deletes, deletions, does, needs, promised, said, together};
use crate::assess::plural::{Asked, Assessment, Outcome, RequeueState, State, Wait};
use crate::human;
use crate::object::{Code, Place, Severity};
use crate::output::lines::{Lines, cut};
use crate::output::style::Role;
use crate::plural::{Action, Confidence, Field, IfMissing, IntervalOrigin, Kind, Returns, Scope};

/// Prints what is told of one object of the Plural Console.
pub(in crate::output) fn block(lines: Lines<'_>, assessment: &Assessment<'_>) {
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
            let text = format!("the kind is unknown to this version, so nothing is told of it{fix}");
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
            // What stands at the object's own place says so in the title.
            let place = problem.place.as_ref().filter(|place| **place != assessment.facts.place);
            self.lines.problem(problem, place);
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
        let value = (words::role(outcome.action), words::action(outcome.action));
        self.lines.put(label, Some(value), Role::Plain, text, place);
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
