use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use comfy_table::{ContentArrangement, Table};
use rayon::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::escape::escape;
use super::report::{Explanation, role};
use super::style::{Role, Style};
use crate::assess::{
    ActuationMode, ActuationOrigin, Assessment, CeilingAnswer, DriftOrigin, DriftState, Live, Next, Policy, Retry,
    RetryAnswer, Told,
};
use crate::backoff::Ladder;
use crate::human;
use crate::kcc::{self, Ceiling, Controller, NumberFault, Outcome, Wake};
use crate::object::{Code, Diagnostic, Place, Severity};

/// Width of the column of labels, and of the column of values beside it (longer values push their sentence on).
const LABEL: usize = 14;
const VALUE: usize = 12;
/// Longer status messages are cut on the screen; JSON has them whole.
const MESSAGE: usize = 400;

/// Prints the explanation for people: the answer first, who says so beside it.
///
/// # Errors
/// Those of `out`.
pub fn text(out: &mut dyn Write, style: Style, explanation: &Explanation) -> io::Result<()> {
    let ladders = Ladders::of(&explanation.objects, style);
    for chunk in explanation.objects.chunks(4096) {
        let blocks: Vec<String> = chunk
            .par_iter()
            .map(|assessment| {
                let mut block = Block { text: String::with_capacity(2048), style, ladders: &ladders };
                block.assessment(assessment);
                block.text
            })
            .collect();
        for block in blocks {
            out.write_all(block.as_bytes())?;
        }
    }
    if !explanation.objects.is_empty() {
        let line = format!("{}.", explanation.release_line());
        for line in wrap(&line, style.width.unwrap_or(usize::MAX), "") {
            writeln!(out, "{}", style.paint(Role::Context, &line))?;
        }
    }
    Ok(())
}

/// What is said of each ladder, made once: fleets have few different ones.
struct Ladders(HashMap<(Duration, Duration), Phrases>);

struct Phrases {
    sentence: String,
    table: Vec<String>,
}

impl Ladders {
    fn of(objects: &[Assessment], style: Style) -> Ladders {
        let mut ladders = HashMap::new();
        let mut add = |retry: &Retry| {
            if let Some(ladder) = retry.ladder {
                ladders
                    .entry((ladder.base(), ladder.max()))
                    .or_insert_with(|| Phrases { sentence: sentence(&ladder), table: table(&ladder, style) });
            }
        };
        for object in objects {
            match &object.retry {
                RetryAnswer::Known(retry) => add(retry),
                RetryAnswer::Unknown { if_honoured, if_ignored, .. } => {
                    add(if_honoured);
                    add(if_ignored);
                }
            }
        }
        Ladders(ladders)
    }

    fn get(&self, ladder: &Ladder) -> Option<&Phrases> {
        self.0.get(&(ladder.base(), ladder.max()))
    }
}

/// `retries after 1 s, 2 s, 4 s … 8 min 32 s, then every 10 min; 15 attempts in the first hour, 6 an hour after`.
fn sentence(ladder: &Ladder) -> String {
    let plateau = ladder.plateau().unwrap_or(1);
    let delays: Vec<String> = (1..plateau).map(|attempt| human::duration(ladder.delay(attempt))).collect();
    let climb = match delays.as_slice() {
        [] => String::new(),
        [first @ .., last] if first.len() > 3 => format!("after {} … {last}, then ", first[..3].join(", ")),
        all => format!("after {}, then ", all.join(", ")),
    };
    let hour = Duration::from_secs(3600);
    let first_hour = match ladder.attempts_within(hour) {
        1 => "1 attempt".to_owned(),
        attempts => format!("{attempts} attempts"),
    };
    let level = 3600.0 / ladder.max().as_secs_f64();
    let level = if level >= 1.0 { format!("{} an hour after", human::rate(level)) } else { "fewer after".to_owned() };
    format!("retries {climb}every {}; {first_hour} in the first hour, {level}", human::duration(ladder.max()))
}

/// The ladder as lines of a table: attempt, delay, time.
fn table(ladder: &Ladder, style: Style) -> Vec<String> {
    let steps: Vec<[String; 3]> = ladder
        .climb()
        .map(|step| [step.attempt.to_string(), human::compact(step.delay), human::compact(step.at)])
        .collect();
    // Off a terminal nothing is broken into lines.
    let room = style.width.map_or(usize::MAX, |width| width.saturating_sub(LABEL + 2 + "attempt  ".len()));
    let mut lines = Vec::new();
    let mut rest = steps.as_slice();
    while !rest.is_empty() {
        let mut used = 0;
        let fitting = rest
            .iter()
            .take_while(|cells| {
                used += cells.iter().map(|cell| cell.width()).max().unwrap_or(0) + 2;
                used <= room
            })
            .count()
            .max(1);
        let (now, later) = rest.split_at(fitting);
        rest = later;
        let mut table = Table::new();
        table.load_style(comfy_table::presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        for (row, name) in ["attempt", "delay", "at"].into_iter().enumerate() {
            table.add_row(std::iter::once(name.to_owned()).chain(now.iter().map(|cells| cells[row].clone())));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        lines.extend(table.lines().map(|line| line.trim_end().to_owned()));
    }
    lines
}

/// Breaks `text` at blanks only: a key or a path that is cut at its hyphens can no longer be searched for.
fn wrap(text: &str, width: usize, first: &str) -> Vec<String> {
    let options = textwrap::Options::new(width)
        .initial_indent(first)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

struct Block<'a> {
    text: String,
    style: Style,
    ladders: &'a Ladders,
}

impl Block<'_> {
    fn assessment(&mut self, assessment: &Assessment) {
        self.title(assessment);
        self.controller(assessment);
        let nobody = assessment.controller.controller == Controller::None;
        if assessment.deletion.requested.is_some() {
            self.being_deleted(assessment);
        }
        if let Some(live) = &assessment.live {
            self.live(assessment, live);
        }
        if !nobody || assessment.ceiling.present() {
            self.ceiling(assessment);
        }
        if !nobody {
            self.retry(assessment);
            self.waking(assessment);
            self.drift(assessment);
            self.actuation(assessment);
        }
        if !assessment.is_configuration() && (!nobody || assessment.deletion.requested.is_some()) {
            self.deletion(assessment);
        }
        for note in &assessment.notes {
            self.line("Note", note, None);
        }
        for problem in &assessment.problems {
            if problem.message != assessment.controller.reason {
                self.problem(problem);
            }
        }
        self.text.push('\n');
    }

    /// What the lines above have already said is not said again; what to do about it is.
    fn problem(&mut self, problem: &Diagnostic) {
        match (problem.code, &problem.fix) {
            (Code::IneffectiveCeiling | Code::NoController, _) => {}
            (Code::InvalidCeiling | Code::InvalidDriftInterval, Some(fix)) => self.line("Fix", fix, None),
            (_, fix) => {
                let fix = fix.as_ref().map_or(String::new(), |fix| format!("; {fix}"));
                let label = match problem.severity {
                    Severity::Error => "Error",
                    Severity::Warning => "Warning",
                    Severity::Info => "Note",
                };
                let text = format!("{}{fix}", problem.message);
                self.labelled(label, role(problem.severity), &text, problem.place.as_ref());
            }
        }
    }

    fn title(&mut self, assessment: &Assessment) {
        let reference = &assessment.reference;
        let name = reference.name.as_deref().unwrap_or("(no name)");
        let title = match &reference.namespace {
            Some(namespace) => format!("{} {namespace}/{name}", reference.kind),
            None => format!("{} {name}", reference.kind),
        };
        let title = escape(&title);
        let place = assessment.place.to_string();
        let place = escape(&place);
        let gap = match self.style.width {
            Some(width) => width.saturating_sub(title.width() + place.width()).max(2),
            None => 2,
        };
        let _ = writeln!(
            self.text,
            "{}{:gap$}{}",
            self.style.paint(Role::Title, &title),
            "",
            self.style.paint(Role::Context, &place)
        );
    }

    fn controller(&mut self, assessment: &Assessment) {
        let answer = &assessment.controller;
        let role = match answer.controller {
            Controller::None | Controller::Unknown if !assessment.is_configuration() => Role::Warning,
            _ => Role::Value,
        };
        self.valued("Controller", role, answer.controller.as_str(), &answer.reason, answer.place.as_ref());
    }

    fn ceiling(&mut self, assessment: &Assessment) {
        let ceiling = &assessment.ceiling;
        let given = self.given(ceiling);
        let place = ceiling.place.as_ref();
        let (role, value, text) = match (ceiling.ceiling, ceiling.honoured) {
            (Ceiling::Unset, _) if ceiling.present() => {
                (Role::Context, "unset".to_owned(), format!("{given}: empty counts as unset"))
            }
            (Ceiling::Unset, _) => {
                let text = assessment.retry.known().map_or("no annotation", |retry| &retry.reason);
                (Role::Context, "unset".to_owned(), text.to_owned())
            }
            (Ceiling::Invalid(NumberFault::NotAString), _) => {
                (Role::Bad, "invalid".to_owned(), format!("{given} is not a string: the API server refuses the object"))
            }
            (Ceiling::Invalid(fault), Some(true) | None) => {
                (Role::Bad, "invalid".to_owned(), format!("{given} {}: the default ladder, not a halt", fault.clause()))
            }
            (_, Some(false)) => (Role::Warning, "no effect".to_owned(), format!("{given}: {}", ceiling.reason)),
            (Ceiling::Seconds(_) | Ceiling::Halt, None) => {
                (Role::Warning, "not known".to_owned(), format!("{given}: {}", ceiling.reason))
            }
            (Ceiling::Halt, Some(true)) => (Role::Bad, "HALT".to_owned(), given),
            (Ceiling::Seconds(seconds), Some(true)) => {
                (Role::Value, human::duration(Duration::from_secs(u64::from(seconds))), given)
            }
        };
        self.valued("Ceiling", role, &value, &text, place);
    }

    /// `backoff-max-delay-in-seconds: "600"`, or what `--set` gave.
    fn given(&self, ceiling: &CeilingAnswer) -> String {
        let name = "backoff-max-delay-in-seconds";
        let from = if ceiling.set { " (--set)" } else { "" };
        match (&ceiling.raw, &ceiling.written) {
            (Some(raw), _) => format!("{name}: {raw:?}{from}"),
            (None, Some(written)) if !written.is_empty() => format!("{name}: {written}"),
            (None, _) => name.to_owned(),
        }
    }

    fn retry(&mut self, assessment: &Assessment) {
        match &assessment.retry {
            RetryAnswer::Known(retry) => self.one_retry("On failure", retry, assessment),
            RetryAnswer::Unknown { if_honoured, if_ignored, .. } => {
                self.one_retry("If it is read", if_honoured, assessment);
                self.one_retry("If it is not", if_ignored, assessment);
            }
        }
        if !assessment.ungoverned.is_empty() {
            self.labelled("Not governed", Role::Context, &assessment.ungoverned.join("; "), None);
        }
    }

    fn one_retry(&mut self, label: &str, retry: &Retry, assessment: &Assessment) {
        match (retry.policy, &retry.ladder) {
            (Policy::Halt, _) => {
                self.labelled(label, Role::Bad, "halts at the first error: no retry by itself", None);
            }
            (_, Some(ladder)) => {
                let ladders = self.ladders;
                let Some(told) = ladders.get(ladder) else { return };
                // With an unset ceiling the line above has already said which ladder it is.
                let why = match (retry.policy, assessment.ceiling.ceiling) {
                    (Policy::Default, Ceiling::Unset) if !assessment.ceiling.present() => String::new(),
                    (Policy::Default, ..) => format!(" ({})", retry.reason),
                    _ => String::new(),
                };
                self.labelled(label, Role::Label, &format!("{}{why}", told.sentence), None);
                for line in &told.table {
                    let _ = writeln!(
                        self.text,
                        "{:indent$}{}",
                        "",
                        self.style.paint(Role::Context, line),
                        indent = LABEL + 2
                    );
                }
                let bucket = match &retry.bucket {
                    Some(bucket) => format!(
                        "all failing objects of the kind share a token bucket on top: {} retries a second, burst {}",
                        bucket.per_second, bucket.burst
                    ),
                    None => {
                        "no token bucket on top: many failing objects retry as fast as the 20 workers allow".to_owned()
                    }
                };
                self.labelled("", Role::Context, &bucket, None);
            }
            (_, None) => self.line(label, &retry.reason, None),
        }
    }

    fn waking(&mut self, assessment: &Assessment) {
        let halt = &assessment.halt;
        for (index, command) in halt.commands.iter().enumerate() {
            self.line(if index == 0 { "Wake it" } else { "or" }, command.does, None);
            // Never wrapped: it is there to be copied.
            let line = escape(&command.line);
            let _ = writeln!(self.text, "{:indent$}{}", "", self.style.paint(Role::Value, &line), indent = LABEL + 2);
        }
        if let Some(reason) = &halt.no_command {
            self.line("Wake it", &format!("no command: {reason}"), None);
        }
        let names: Vec<&str> = halt.woken_by.iter().map(|wake| wake_name(*wake)).collect();
        let text = format!("{}. Not: {}", names.join(", "), halt.not_woken_by.join(", "));
        self.labelled("Wakes", Role::Context, &text, None);
    }

    fn drift(&mut self, assessment: &Assessment) {
        let drift = &assessment.drift;
        let who = match (drift.origin, &drift.raw) {
            (DriftOrigin::Annotation, Some(raw)) => format!("reconcile-interval-in-seconds: {raw:?}"),
            (DriftOrigin::Annotation, None) => "reconcile-interval-in-seconds".to_owned(),
            (DriftOrigin::Kind, _) => "built-in for this kind".to_owned(),
            _ => "built-in".to_owned(),
        };
        let (role, text) = match (drift.range(), drift.state) {
            (Some((_, least, most)), _) => {
                (Role::Label, format!("looked at again every {} while it succeeds ({who})", human::range(least, most)))
            }
            (None, DriftState::Invalid(fault)) => (Role::Bad, format!("invalid: {who} {}", fault.clause())),
            (None, _) => (Role::Label, format!("never looked at again by itself while it succeeds ({who})")),
        };
        self.labelled("Drift", role, &text, drift.place.as_ref());
        for note in &drift.notes {
            self.line("", note, None);
        }
    }

    fn actuation(&mut self, assessment: &Assessment) {
        let actuation = &assessment.actuation;
        if actuation.mode == ActuationMode::Reconciling && actuation.origin == ActuationOrigin::BuiltIn {
            return;
        }
        let role = if actuation.mode == ActuationMode::Reconciling { Role::Value } else { Role::Warning };
        self.valued("Actuation", role, actuation.mode.as_str(), &actuation.reason, actuation.place.as_ref());
        for note in &actuation.notes {
            self.line("", note, None);
        }
    }

    fn deletion(&mut self, assessment: &Assessment) {
        let deletion = &assessment.deletion;
        let ladder = deletion.retry.as_ref().and_then(|retry| retry.ladder);
        let failures = ladder.map_or(String::new(), |ladder| {
            format!(
                "; failures ignore any ceiling and retry after {} … {}",
                human::duration(ladder.base()),
                human::duration(ladder.max())
            )
        });
        self.labelled("Deletion", Role::Label, &format!("{}{failures}", deletion.outcome), deletion.place.as_ref());
        for note in &deletion.notes {
            self.line("", note, None);
        }
    }

    fn being_deleted(&mut self, assessment: &Assessment) {
        let deletion = &assessment.deletion;
        let at =
            deletion.requested.flatten().map_or("requested".to_owned(), |time| format!("since {}", human::time(time)));
        let text = format!("deletion {at}; the ceiling and the halt are bypassed");
        self.valued("Now", Role::Warning, "DELETING", &text, None);
        for (index, finalizer) in deletion.finalizers.iter().enumerate() {
            let label = if index == 0 { "Waits for" } else { "and" };
            self.line(label, &format!("{}: {}", finalizer.name, finalizer.waits_for), None);
        }
    }

    fn live(&mut self, assessment: &Assessment, live: &Live) {
        let (role, word) = match (assessment.halt.now, live.outcome) {
            (Some(true), _) => (Role::Bad, "HALTED"),
            (_, Outcome::Failed) => (Role::Warning, "failing"),
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
        self.valued(label, role, word, &now_text(live), None);
        if assessment.halt.now.is_none() && assessment.halt.on_error != Some(false) {
            self.line("Halted", &format!("not known: {}", assessment.halt.now_reason), None);
        }
        if live.behind != Some(false) {
            self.line("Generation", &live.generation_reason, None);
        }
        if let Some(attempts) = &live.attempts {
            let text = match attempts.value {
                1 => format!("about 1 since then ({})", certain(attempts)),
                many => format!("about {many} since then ({})", certain(attempts)),
            };
            self.line("Attempts", &text, None);
        }
        if let Some(last) = &live.last_attempt {
            self.line("Last attempt", &format!("{} ({})", human::time(last.value), certain(last)), None);
        }
        match &live.next {
            Next::Window { from, to, told } if from == to => {
                self.line("Next attempt", &format!("now ({})", certain(told)), None);
            }
            Next::Window { to, told, .. } => {
                self.line("Next attempt", &format!("between now and {} ({})", human::time(*to), certain(told)), None);
            }
            Next::Never { reason } => self.line("Next attempt", &format!("none by itself: {reason}"), None),
            Next::Unknown { reason } => self.line("Next attempt", &format!("not known: {reason}"), None),
        }
    }

    /// A line with a value that catches the eye before its sentence.
    fn valued(&mut self, label: &str, role: Role, value: &str, text: &str, place: Option<&Place>) {
        let value = escape(value);
        let shown = self.style.paint(role, &value).into_owned();
        let pad = VALUE.saturating_sub(value.width()).max(2);
        let head = if value.is_empty() { String::new() } else { format!("{shown}{:pad$}", "") };
        let used = if value.is_empty() { 0 } else { value.width() + pad };
        self.put(label, &head, used, Role::Label, text, place);
    }

    /// A line of a sentence alone.
    fn line(&mut self, label: &str, text: &str, place: Option<&Place>) {
        self.put(label, "", 0, Role::Label, text, place);
    }

    /// A line of a sentence in a role.
    fn labelled(&mut self, label: &str, role: Role, text: &str, place: Option<&Place>) {
        self.put(label, "", 0, role, text, place);
    }

    fn put(&mut self, label: &str, head: &str, used: usize, role: Role, text: &str, place: Option<&Place>) {
        let text = escape(text);
        let place = place.map(|place| place.to_string());
        let place = place.as_deref().map(escape);
        let _ = write!(self.text, "  {label:LABEL$}{head}");
        let mut column = LABEL + 2 + used;
        match self.style.width {
            None => self.text.push_str(&self.style.paint(role, &text)),
            Some(width) => {
                let room = width.saturating_sub(LABEL + 2).max(20);
                let first = " ".repeat(used);
                // Wrapped as if the value stood before it, which is then left out again.
                let lines = wrap(&text, room, &first);
                for (index, line) in lines.iter().enumerate() {
                    let line = if index == 0 { line.get(used..).unwrap_or_default() } else { line };
                    if index > 0 {
                        let _ = write!(self.text, "\n{:indent$}", "", indent = LABEL + 2);
                        column = LABEL + 2;
                    }
                    self.text.push_str(&self.style.paint(role, line));
                    column += line.width();
                }
            }
        }
        if let Some(place) = place {
            let fits = self.style.width.is_none_or(|width| column + 2 + place.width() <= width);
            match fits {
                true => self.text.push_str("  "),
                false => {
                    let _ = write!(self.text, "\n{:indent$}", "", indent = LABEL + 2);
                }
            }
            self.text.push_str(&self.style.paint(Role::Context, &place));
        }
        self.text.push('\n');
    }
}

fn certain<T>(told: &Told<T>) -> String {
    format!("{}: {}", told.certainty.as_str(), told.reason)
}

fn now_text(live: &Live) -> String {
    let Some(ready) = &live.ready else {
        return "the status has no Ready condition".to_owned();
    };
    let mut text = match (&live.streak, ready.since) {
        (Some(streak), _) => {
            format!("since {} ({}): ", human::time(streak.value.0), human::duration(streak.value.1))
        }
        (None, Some(since)) => format!("since {}: ", human::time(since)),
        (None, None) => String::new(),
    };
    let _ = write!(text, "Ready={} {}", ready.status, ready.reason);
    if !ready.message.is_empty() {
        let cut = ready.message.char_indices().nth(MESSAGE).map_or(ready.message.len(), |(index, _)| index);
        let more = if cut < ready.message.len() { "…" } else { "" };
        let _ = write!(text, ": {}{more}", &ready.message[..cut]);
    }
    text
}

fn wake_name(wake: Wake) -> &'static str {
    match wake {
        Wake::Spec => "an edit of spec",
        Wake::Labels => "labels",
        Wake::ContainerAnnotations => "project-id, folder-id or organization-id",
        Wake::Ceiling => "the ceiling annotation",
        Wake::DriftInterval => "reconcile-interval-in-seconds (unless to 0)",
        Wake::ActuationMode => "actuation-mode",
        Wake::ReconcileCookie => kcc::RECONCILE_COOKIE,
        Wake::Deletion => "a request to delete it, the deletion defender's finalizer going",
        Wake::ControllerRestart => "a restart of the controller",
    }
}
