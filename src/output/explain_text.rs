use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use super::ladder::Said;
use super::lines::{Lines, cut, wrap};
use super::plural;
use super::report::{Explanation, each_object};
use super::style::{Role, Style};
use crate::assess::kcc::{
    ActuationMode, ActuationOrigin, Assessment, CeilingAnswer, DriftOrigin, DriftState, Live, Next, NotWaking, Policy,
    Retry, RetryAnswer, Told,
};
use crate::assess::{Answer, Census, World};
use crate::backoff::Ladder;
use crate::human;
use crate::kcc::{self, Ceiling, Controller, NumberFault, Outcome, Wake};
use crate::object::{AnnotationValue, Code, Diagnostic, Severity};

/// Prints the explanation for people: the answer first, who says so beside it.
///
/// # Errors
/// Those of `out`.
pub fn text(out: &mut dyn Write, style: Style, explanation: Explanation<'_>) -> io::Result<Census> {
    let world = explanation.world;
    let told = (!explanation.objects.is_empty()).then(|| explanation.told_for());
    let mut wakes_line = Vec::new();
    Lines { bytes: &mut wakes_line, style }.put("Wakes", None, Role::Context, &wakes(world), None);
    let wakes = String::from_utf8_lossy(&wakes_line);
    let (census, _) = each_object(out, &explanation, false, |bytes, ladders: &mut Ladders, answer| {
        let lines = Lines { bytes, style };
        match answer {
            Answer::Kcc(assessment) => Block { lines, ladders, wakes: &wakes, world }.assessment(assessment),
            Answer::Plural(assessment) => plural::block(lines, assessment),
        }
        Ok(())
    })?;
    if let Some(told) = told {
        for line in wrap(&told, style.width.unwrap_or(usize::MAX), "") {
            writeln!(out, "{}", style.paint(Role::Context, &line))?;
        }
    }
    Ok(census)
}

/// What was said of each ladder: fleets have few different ones.
type Ladders = HashMap<(Duration, Duration), Arc<Said>>;

/// What wakes an object: the same for all objects of a release.
fn wakes(world: &World) -> String {
    let (woken, not) = world.watch_filter();
    let woken: Vec<&str> = woken.iter().map(wake_words).collect();
    let not: Vec<&str> = not
        .iter()
        .map(|not| match not {
            NotWaking::Ceiling => "the ceiling annotation",
            NotWaking::DriftInterval => "reconcile-interval-in-seconds",
            NotWaking::OtherAnnotations => "other annotations",
            NotWaking::Status => "the status",
            NotWaking::ReferencedSecrets => "Secrets that the spec refers to",
            NotWaking::EmptyValues => "a key added or removed with an empty value",
        })
        .collect();
    format!("{}. Not: {}", woken.join(", "), not.join(", "))
}

/// An edit or event that wakes an object, as it is called on the screen.
pub(super) fn wake_words(wake: &Wake) -> &'static str {
    match wake {
        Wake::Spec => "an edit of spec",
        Wake::Labels => "labels",
        Wake::ContainerAnnotations => "project-id, folder-id or organization-id",
        Wake::Ceiling => "the ceiling annotation",
        Wake::DriftInterval => "reconcile-interval-in-seconds (unless to 0)",
        Wake::ActuationMode => "actuation-mode",
        Wake::ReconcileCookie => kcc::RECONCILE_COOKIE,
        Wake::Deletion => "a request to delete it, or the deletion-defender finalizer's removal",
        Wake::ControllerRestart => "a restart of the controller",
    }
}

struct Block<'a> {
    lines: Lines<'a>,
    ladders: &'a mut Ladders,
    /// The line that says what wakes an object: the same for all of a release.
    wakes: &'a str,
    world: &'a World,
}

impl Block<'_> {
    fn assessment(&mut self, assessment: &Assessment<'_>) {
        let nobody = assessment.controller.controller == Controller::None;
        let deleting = assessment.deletion.requested.is_some();
        self.title(assessment);
        self.problems(assessment, Severity::Error);
        if deleting {
            self.being_deleted(assessment);
        }
        if let Some(live) = &assessment.live {
            self.live(assessment, live);
        }
        let unmanaged = assessment.live.as_ref().is_some_and(|live| live.outcome == Outcome::Unmanaged);
        if unmanaged && !deleting {
            self.lines.line("Note", "what follows holds once a controller reconciles it again", None);
        }
        self.controller(assessment);
        if !nobody {
            self.actuation(assessment);
        }
        if !nobody || assessment.ceiling.present() {
            self.ceiling(assessment);
        }
        if !nobody {
            self.retry(assessment);
            self.waking(assessment);
        }
        let paused = assessment.actuation.mode == ActuationMode::Paused;
        let invalid_interval = matches!(assessment.drift.state, DriftState::Invalid(_));
        if !nobody && (!deleting || paused || invalid_interval) {
            self.drift(assessment);
        }
        if !assessment.is_configuration() && (!nobody || deleting) {
            self.deletion(assessment);
        }
        for note in &assessment.notes {
            self.lines.line("Note", note, None);
        }
        self.problems(assessment, Severity::Warning);
        self.problems(assessment, Severity::Info);
        self.lines.push("\n");
    }

    /// What the other lines say already is not said again here.
    fn problems(&mut self, assessment: &Assessment<'_>, severity: Severity) {
        for problem in assessment.problems.iter().filter(|problem| problem.severity == severity) {
            let said = matches!(
                problem.code,
                Code::IneffectiveCeiling | Code::NoController | Code::InvalidCeiling | Code::InvalidDriftInterval
            ) || problem.message == assessment.controller.reason;
            if !said {
                self.lines.problem(problem, problem.place.as_ref());
            }
        }
    }

    /// What to do about a value whose line has said what is wrong with it.
    fn fix(&mut self, assessment: &Assessment<'_>, code: Code) {
        let of_code = |problem: &&Diagnostic| problem.code == code;
        if let Some(fix) = assessment.problems.iter().find(of_code).and_then(|problem| problem.fix.as_ref()) {
            self.lines.line("", fix, None);
        }
    }

    fn title(&mut self, assessment: &Assessment<'_>) {
        self.lines.title(&assessment.facts.reference.title(), &assessment.facts.place);
    }

    fn controller(&mut self, assessment: &Assessment<'_>) {
        let answer = &assessment.controller;
        let role = match answer.controller {
            Controller::None | Controller::Unknown if !assessment.is_configuration() => Role::Warning,
            _ => Role::Value,
        };
        self.lines.put(
            "Controller",
            Some((role, answer.controller.as_str())),
            Role::Plain,
            &answer.reason,
            answer.place.as_ref(),
        );
    }

    fn ceiling(&mut self, assessment: &Assessment<'_>) {
        let ceiling = &assessment.ceiling;
        let mut text = given(assessment);
        let invalid_interval = matches!(assessment.drift.state, DriftState::Invalid(_));
        let (role, value) = match (ceiling.ceiling, ceiling.honoured) {
            (Ceiling::Unset, _) if ceiling.present() => {
                text.push_str(": empty counts as unset");
                (Role::Context, "unset".to_owned())
            }
            (Ceiling::Unset, _) => {
                text = "no annotation".to_owned();
                (Role::Context, "unset".to_owned())
            }
            (Ceiling::Invalid(NumberFault::NotAString), _) => {
                text.push_str(": the API server refuses the object");
                (Role::Bad, "invalid".to_owned())
            }
            (Ceiling::Invalid(fault), Some(true) | None) => {
                let _ = write!(text, " {}: the default ladder, not a halt", fault.clause());
                (Role::Bad, "invalid".to_owned())
            }
            (_, Some(false)) => {
                let _ = write!(text, ": {}", ceiling.reason);
                (Role::Warning, "no effect".to_owned())
            }
            (Ceiling::Seconds(_) | Ceiling::Halt, None) => {
                let _ = write!(text, ": {}", ceiling.reason);
                (Role::Warning, "not known".to_owned())
            }
            (Ceiling::Seconds(_) | Ceiling::Halt, Some(true)) if assessment.deletion.requested.is_some() => {
                text.push_str(": bypassed, because the object is being deleted");
                (Role::Warning, "bypassed".to_owned())
            }
            (Ceiling::Seconds(_) | Ceiling::Halt, Some(true)) if invalid_interval => {
                text.push_str(": without effect while reconcile-interval-in-seconds is invalid");
                (Role::Warning, "no effect".to_owned())
            }
            (Ceiling::Halt, Some(true)) => (Role::Bad, "HALT".to_owned()),
            (Ceiling::Seconds(seconds), Some(true)) => {
                (Role::Value, human::duration(Duration::from_secs(u64::from(seconds))))
            }
        };
        self.lines.put("Ceiling", Some((role, &value)), Role::Plain, &text, ceiling.place.as_ref());
        self.fix(assessment, Code::InvalidCeiling);
        let set = matches!(ceiling.ceiling, Ceiling::Seconds(_) | Ceiling::Halt);
        if ceiling.honoured == Some(true) && set && !self.world.release_named {
            // Where their ladders begin differs from release to release, where they end does not.
            let longest = human::duration(self.world.release.default_ladder().max());
            let before = match self.world.ceiling_since {
                Some(since) => format!("releases before {since}"),
                None => "releases up to 1.159".to_owned(),
            };
            let text = format!("read by main; {before} ignore it and come to a retry every {longest}");
            self.lines.put("", None, Role::Context, &text, None);
        }
    }

    fn retry(&mut self, assessment: &Assessment<'_>) {
        match &assessment.retry {
            RetryAnswer::Known(retry) => self.one_retry("On failure", retry),
            RetryAnswer::Unknown { if_honoured, if_ignored, .. } => {
                self.one_retry("If it is read", if_honoured);
                self.one_retry("If it is not", if_ignored);
            }
        }
        if !assessment.ungoverned.is_empty() && assessment.deletion.requested.is_none() {
            let text = format!("from the ceiling: {}", assessment.ungoverned.join("; "));
            self.lines.put("Exempt", None, Role::Context, &text, None);
        }
    }

    fn one_retry(&mut self, label: &str, retry: &Retry<'_>) {
        let Some(ladder) = &retry.ladder else {
            let (role, text) = match retry.policy {
                Policy::Halt => (Role::Bad, "halts at the first error: no retry by itself"),
                _ => (Role::Plain, retry.reason.as_ref()),
            };
            return self.lines.put(label, None, role, text, None);
        };
        let said = self.said(ladder);
        if retry.policy == Policy::Default {
            let text = format!("{} (default ladder of {}: {})", said.sentence, self.world.release, retry.reason);
            self.lines.line(label, &text, None);
        } else {
            self.lines.line(label, &said.sentence, None);
        }
        self.lines.push(&said.table);
        let bucket = match retry.bucket {
            Some(_) => "all failing objects of the kind share a token bucket on top: 10 retries a second, burst 100",
            None => "no token bucket on top: many failing objects retry as fast as the 20 workers allow",
        };
        self.lines.put("", None, Role::Context, bucket, None);
    }

    fn said(&mut self, ladder: &Ladder) -> Arc<Said> {
        let style = self.lines.style;
        let said =
            self.ladders.entry((ladder.base(), ladder.max())).or_insert_with(|| Arc::new(Said::of(ladder, style)));
        Arc::clone(said)
    }

    fn waking(&mut self, assessment: &Assessment<'_>) {
        let halt = &assessment.halt;
        // A healthy object needs no waking.
        let healthy =
            assessment.live.as_ref().is_some_and(|live| matches!(live.outcome, Outcome::UpToDate | Outcome::Finished));
        let wanted = !healthy
            || assessment.deletion.requested.is_some()
            || matches!(assessment.drift.state, DriftState::Invalid(_));
        if wanted {
            for (index, command) in halt.commands.iter().enumerate() {
                self.lines.line(if index == 0 { "Wake it" } else { "or" }, command.does, None);
                self.lines.command(&command.line);
            }
            if let Some(reason) = &halt.no_command {
                self.lines.line("Wake it", &format!("no command: {reason}"), None);
            }
        }
        if halt.woken_by.len() == self.world.watch_filter().0.len() {
            self.lines.push(self.wakes);
        } else {
            let interval = halt.woken_by.contains(&Wake::DriftInterval);
            let interval = if interval { ", reconcile-interval-in-seconds (unless to 0)" } else { "" };
            let text =
                format!("an edit of spec{interval}, a request to delete it. Everything else is skipped (see Drift)");
            self.lines.put("Wakes", None, Role::Context, &text, None);
        }
    }

    fn drift(&mut self, assessment: &Assessment<'_>) {
        let drift = &assessment.drift;
        let set = if drift.origin == DriftOrigin::Annotation && drift.place.is_none() { " (--set)" } else { "" };
        let who = match (drift.origin, drift.raw) {
            (DriftOrigin::Annotation, Some(raw)) => format!("reconcile-interval-in-seconds: {raw:?}{set}"),
            (DriftOrigin::Annotation, None) => "reconcile-interval-in-seconds".to_owned(),
            (DriftOrigin::Kind, _) => "built-in for this kind".to_owned(),
            _ => "built-in".to_owned(),
        };
        let (role, text) = match (drift.range(), drift.state) {
            (Some((_, least, most)), _) => {
                (Role::Plain, format!("requeued every {} while it succeeds ({who})", human::range(least, most)))
            }
            (None, DriftState::Invalid(fault)) => (Role::Bad, format!("invalid: {who} {}", fault.clause())),
            (None, _) => (Role::Plain, format!("not requeued by itself while it succeeds ({who})")),
        };
        self.lines.put("Drift", None, role, &text, drift.place.as_ref());
        for note in &drift.notes {
            self.lines.line("", note, None);
        }
        self.fix(assessment, Code::InvalidDriftInterval);
    }

    fn actuation(&mut self, assessment: &Assessment<'_>) {
        let actuation = &assessment.actuation;
        if actuation.mode == ActuationMode::Reconciling && actuation.origin == ActuationOrigin::BuiltIn {
            return;
        }
        let role = if actuation.mode == ActuationMode::Reconciling { Role::Value } else { Role::Warning };
        let value = Some((role, actuation.mode.as_str()));
        self.lines.put("Actuation", value, Role::Plain, &actuation.reason, actuation.place.as_ref());
        for note in &actuation.notes {
            self.lines.line("", note, None);
        }
    }

    fn deletion(&mut self, assessment: &Assessment<'_>) {
        let deletion = &assessment.deletion;
        let mut text = deletion.outcome.clone().into_owned();
        if let Some(ladder) = deletion.retry.as_ref().and_then(|retry| retry.ladder) {
            let _ = write!(
                text,
                "; failures ignore any ceiling and retry after {} … {}",
                human::duration(ladder.base()),
                human::duration(ladder.max())
            );
        }
        self.lines.line("Deletion", &text, deletion.place.as_ref());
        for note in &deletion.notes {
            self.lines.line("", note, None);
        }
    }

    fn being_deleted(&mut self, assessment: &Assessment<'_>) {
        let deletion = &assessment.deletion;
        let text = match deletion.requested.flatten() {
            Some(time) => format!("requested at {}", human::time(time)),
            None => "requested".to_owned(),
        };
        let bypassed = if assessment.ceiling.present() { "; the ceiling and the halt are bypassed" } else { "" };
        self.lines.put("Now", Some((Role::Warning, "DELETING")), Role::Plain, &format!("{text}{bypassed}"), None);
        for (index, finalizer) in deletion.finalizers.iter().enumerate() {
            let label = if index == 0 { "Waits for" } else { "and for" };
            self.lines.line(label, &format!("{}: {}", finalizer.name, finalizer.waits_for), None);
        }
    }

    fn live(&mut self, assessment: &Assessment<'_>, live: &Live<'_>) {
        let (role, word) = match (assessment.halt.now, live.outcome) {
            (Some(true), _) => (Role::Bad, "HALTED"),
            (_, Outcome::Failed | Outcome::TransformFailed) => (Role::Warning, "failing"),
            (_, Outcome::Dependency) => (Role::Warning, "waiting"),
            (_, Outcome::Conflict) => (Role::Warning, "conflict"),
            (_, Outcome::UpToDate | Outcome::Finished) => (Role::Good, "up to date"),
            (_, Outcome::Paused) => (Role::Warning, "paused"),
            (_, Outcome::Unmanaged) => (Role::Warning, "unmanaged"),
            (_, Outcome::InProgress) => (Role::Value, "in progress"),
            (_, Outcome::Deleting) => (Role::Value, "deleting"),
            (_, Outcome::Deleted) => (Role::Value, "deleted"),
            (_, Outcome::Unknown) => (Role::Warning, "not known"),
        };
        let label = if assessment.deletion.requested.is_some() { "Status" } else { "Now" };
        // `lastTransitionTime` is when it began to fail; when it was halted is not in the status.
        let since = if assessment.halt.now == Some(true) { "failing since" } else { "since" };
        self.lines.put(label, Some((role, word)), Role::Plain, &now_text(live, since), None);
        if live.behind == Some(true)
            || (live.behind.is_none()
                && live.generation != live.observed_generation
                && live.observed_generation.is_some())
        {
            self.lines.line("Generation", &live.generation_reason, None);
        } else if assessment.halt.now.is_none() && assessment.halt.on_error != Some(false) {
            self.lines.line("Halted", &format!("not known: {}", assessment.halt.now_reason), None);
        }
        if let Some(attempts) = &live.attempts {
            let (count, since) = attempts.value;
            let text = format!("about {count} since {} ({})", human::time(since), certain(attempts));
            self.lines.line("Attempts", &text, None);
        }
        if let Some(last) = &live.last_attempt {
            let text = match (last.value.from, last.value.to) {
                (from, to) if from == to => human::time(from),
                (from, _) => format!("not before {}", human::time(from)),
            };
            self.lines.line("Last attempt", &format!("{text} ({})", certain(last)), None);
        }
        match &live.next {
            Next::Window { from, to, told } if from == to => {
                self.lines.line("Next attempt", &format!("now ({})", certain(told)), None);
            }
            Next::Window { to, told, .. } => {
                self.lines.line(
                    "Next attempt",
                    &format!("between now and {} ({})", human::time(*to), certain(told)),
                    None,
                );
            }
            Next::Never { reason } => self.lines.line("Next attempt", &format!("none by itself: {reason}"), None),
            Next::Unknown { reason } => self.lines.line("Next attempt", &format!("not known: {reason}"), None),
        }
    }
}

/// `backoff-max-delay-in-seconds: "600"`, or what `--set` gave.
fn given(assessment: &Assessment<'_>) -> String {
    let ceiling: &CeilingAnswer<'_> = &assessment.ceiling;
    let name = "backoff-max-delay-in-seconds";
    let is_null = || {
        let annotation = assessment.facts.metadata.annotation(kcc::CEILING);
        annotation.is_some_and(|annotation| annotation.value == AnnotationValue::Null)
    };
    match (ceiling.raw, ceiling.written) {
        (Some(raw), _) if ceiling.set => format!("{name}: {raw:?} (--set)"),
        (Some(_), _) if is_null() => format!("{name}: null"),
        (Some(raw), _) => format!("{name}: {raw:?}"),
        (None, Some(written)) if !written.is_empty() => format!("{name}: {written} is not a string"),
        (None, _) => format!("{name} is not a string"),
    }
}

fn certain<T>(told: &Told<'_, T>) -> String {
    format!("{}: {}", told.certainty.as_str(), told.reason)
}

fn now_text(live: &Live<'_>, word: &str) -> String {
    let Some(ready) = live.ready else {
        return "the status has no Ready condition".to_owned();
    };
    let mut text = match (&live.streak, ready.since) {
        (Some(streak), _) => {
            let (since, lasted) = streak.value;
            let certainty = streak.certainty.as_str();
            format!("{word} {} ({}, {certainty}): ", human::time(since), human::duration(lasted))
        }
        (None, Some(since)) => format!("since {}: ", human::time(since)),
        (None, None) => String::new(),
    };
    let _ = write!(text, "Ready={} {}", ready.status, ready.reason);
    if !ready.message.is_empty() {
        let _ = write!(text, ": {}", cut(&ready.message));
    }
    text
}
