use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{PlanReport, words};
use crate::object::{Place, Severity};
use crate::output::escape;
use crate::output::lines::{Lines, wrap};
use crate::output::style::{Role, Style};
use crate::plural::compare::Change;
use crate::reconcile::{Entry, Planned};

/// Prints the plan for people.
///
/// # Errors
/// Those of `out`.
pub fn text(out: &mut dyn Write, style: Style, report: &PlanReport<'_>) -> io::Result<()> {
    let mut bytes = Vec::new();
    for entry in &report.plan.entries {
        bytes.clear();
        Block { lines: Lines { bytes: &mut bytes, style }, report }.entry(entry);
        out.write_all(&bytes)?;
    }
    let counts = report.plan.counts();
    let mut closing = vec![format!("{}.", capital(&words::summary(&counts)))];
    closing.extend(words::of_kcc(report.plan.kcc));
    let style_of = |line: &str, role| format!("{}\n", style.paint(role, line));
    for line in wrap(&closing.join(" "), style.width.unwrap_or(usize::MAX), "") {
        out.write_all(style_of(&line, Role::Title).as_bytes())?;
    }
    let told = words::told_for(report.plan.semantics, report.told_by);
    for line in wrap(&escape(&told), style.width.unwrap_or(usize::MAX), "") {
        out.write_all(style_of(&line, Role::Context).as_bytes())?;
    }
    Ok(())
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

struct Block<'a> {
    lines: Lines<'a>,
    report: &'a PlanReport<'a>,
}

/// Values of a change that are longer are cut on the screen; JSON has them whole.
const LONGEST: usize = 600;

impl Block<'_> {
    fn entry(&mut self, entry: &Entry<'_>) {
        self.lines.title(&entry.title(), &entry.facts.place);
        self.problems(entry, Severity::Error);
        let planned = entry.planned;
        // What one thing is missing the reason says; where it is named stands beside it.
        let place = match &entry.missing[..] {
            [one] => Some(&one.place),
            _ => None,
        };
        let reason = match &entry.missing[..] {
            [_, _, ..] => &format!("{} things are missing", entry.missing.len()),
            _ => &entry.reason,
        };
        self.lines.put("Plan", Some((words::role(planned), planned.as_str())), Role::Plain, reason, place);
        if self.report.forbidden.contains(&planned) {
            let text = format!("{planned_word} is not allowed here (--fail-on)", planned_word = planned.as_str());
            self.lines.put("Forbidden", None, Role::Bad, &text, None);
        }
        for missing in entry.missing.iter().filter(|_| entry.missing.len() > 1) {
            self.lines.line("Missing", &format!("{} ({})", missing.what, missing.field), Some(&missing.place));
        }
        if let Some(then) = entry.then.filter(|_| planned == Planned::Wait) {
            self.lines.line("Then", &format!("it would {}", infinitive(then)), None);
        }
        if let Some(sending) = &entry.sending {
            self.lines.put("Sends", Some((Role::Value, sending.field)), Role::Plain, "", None);
        }
        self.changes(entry);
        for (fields, reason) in grouped(entry) {
            self.lines.line("Not compared", &format!("{fields}: {reason}"), None);
        }
        if let Some(follows) = &entry.follows {
            let text = format!("{}, for the Secret {}", follows.field, follows.secret);
            self.lines.line("Then", &text, None);
        }
        if let Some(later) = &entry.later {
            let role = if entry.planned == Planned::Adopt { Role::Warning } else { Role::Plain };
            self.lines.put("Later", None, role, later, None);
        }
        if let Some(controller) = &entry.controller {
            self.lines.line("In-cluster", &words::controller(controller, entry), None);
        }
        for warning in &entry.warnings {
            self.lines.put("Warning", None, Role::Warning, warning, None);
        }
        self.problems(entry, Severity::Warning);
        if let Some(status) = &entry.status {
            self.lines.put("Status", None, Role::Context, &words::status(status), None);
        }
        let is_over = matches!(planned, Planned::NotReconciled | Planned::Keep | Planned::Delete);
        if !is_over && (planned != Planned::Refuse || entry.status.is_some()) {
            self.lines.put("Next pass", None, Role::Context, &words::requeue(entry.requeue), None);
        }
        for note in &entry.notes {
            self.lines.put("Note", None, Role::Context, note, None);
        }
        self.problems(entry, Severity::Info);
        self.lines.push("\n");
    }

    fn problems(&mut self, entry: &Entry<'_>, severity: Severity) {
        for problem in entry.problems.iter().filter(|problem| problem.severity == severity) {
            // What stands at the object's own place says so in the title.
            let place: Option<&Place> = problem.place.as_ref().filter(|place| **place != entry.facts.place);
            self.lines.problem(problem, place);
        }
    }

    fn changes(&mut self, entry: &Entry<'_>) {
        if entry.changes.is_empty() {
            return;
        }
        if !entry.is_sent() {
            self.lines.line("Differs", "and stays as it is in the Console:", None);
        }
        let widest = entry.changes.iter().map(|change| escape(&change.path).width()).max().unwrap_or(0);
        let column = widest.min(40);
        for change in &entry.changes {
            self.change(change, column, entry.planned == Planned::Create);
        }
    }

    fn change(&mut self, change: &Change, column: usize, created: bool) {
        let style = self.lines.style;
        let path = escape(&change.path).into_owned();
        let show = |value: &serde_json::Value| cut(&escape(&words::value(value)));
        let (from, to) = (show(&change.from), show(&change.to));
        let (sign, role) = match (created || change.from.is_null(), change.to.is_null()) {
            (true, _) => ("+", Role::Good),
            (_, true) => ("-", Role::Bad),
            _ => ("~", Role::Warning),
        };
        let gap = " ".repeat(column.saturating_sub(path.width()) + 2);
        self.lines.push("  ");
        self.lines.push(&style.paint(role, sign));
        self.lines.push(" ");
        self.lines.push(&path);
        let from = (sign != "+").then_some(from);
        let to = (sign != "-").then_some(to);
        let length = 4
            + path.width()
            + gap.len()
            + from.as_ref().map_or(0, |from| from.width() + 3)
            + to.as_ref().map_or(0, |to| to.width());
        let same = from.is_some() && from == to;
        // Two values that look the same differ in what is masked.
        let hint = if same { "  (another value)" } else { "" };
        let painted = |from: &str, role| style.paint(role, from).into_owned();
        if style.width.is_none_or(|width| length + hint.len() <= width) {
            self.lines.push(&gap);
            let parts: Vec<String> =
                [from.map(|from| painted(&from, Role::Bad)), to.map(|to| painted(&to, Role::Good))]
                    .into_iter()
                    .flatten()
                    .collect();
            self.lines.push(&parts.join(" → "));
            self.lines.push(hint);
            return self.lines.push("\n");
        }
        self.lines.push(hint);
        self.lines.push("\n");
        let width = style.width.unwrap_or(usize::MAX);
        for (sign, role, value) in [("- ", Role::Bad, from), ("+ ", Role::Good, to)] {
            let Some(value) = value else { continue };
            let lead = format!("      {sign}");
            for line in broken(&value, width.saturating_sub(8).max(20)).iter().enumerate() {
                let (index, line) = line;
                let lead = if index == 0 { lead.as_str() } else { "        " };
                self.lines.push(&format!("{lead}{}\n", style.paint(role, line)));
            }
        }
    }
}

/// A text in pieces of at most `width` columns, broken anywhere: a value is no prose.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut used = 0;
    for character in text.chars() {
        let wide = unicode_width::UnicodeWidthChar::width(character).unwrap_or(0);
        if used + wide > width {
            pieces.push(String::new());
            used = 0;
        }
        used += wide;
        if let Some(last) = pieces.last_mut() {
            last.push(character);
        }
    }
    pieces
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What would be done.
fn infinitive(planned: Planned) -> &'static str {
    match planned {
        Planned::Create => "create it",
        Planned::Adopt => "take it over",
        Planned::Update => "update it",
        Planned::InSync => "find it in sync",
        other => other.as_str(),
    }
}

/// Fields that cannot be compared, by the reason.
fn grouped(entry: &Entry<'_>) -> Vec<(String, &'static str)> {
    let mut groups: Vec<(Vec<&str>, &'static str)> = Vec::new();
    for field in &entry.uncompared {
        match groups.iter_mut().find(|(_, reason)| *reason == field.reason) {
            Some((fields, _)) => fields.push(&field.path),
            None => groups.push((vec![&field.path], field.reason)),
        }
    }
    groups.into_iter().map(|(fields, reason)| (fields.join(", "), reason)).collect()
}
