use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::Simulated;
use super::clock::Clock;
use super::words::{self, Tally};
use crate::human;
use crate::output::lines::{Lines, wrap};
use crate::output::style::{Role, Style};
use crate::output::table::{Cell, Column, DISPENSABLE, Layout, Widths};
use crate::simulate::{Attempt, Cause, Course, Event, Jitter, Outcome, Simulation, Trigger};

/// Prints the attempts for people: a table for each object, policies side by side.
///
/// # Errors
/// Those of `out`.
pub fn table(out: &mut dyn Write, style: Style, simulated: &Simulated<'_>) -> io::Result<()> {
    let mut groups = 0;
    for group in simulated.groups() {
        if groups > 0 {
            writeln!(out)?;
        }
        groups += 1;
        head(out, style, group)?;
        match group {
            [alone] => one(out, style, simulated, alone)?,
            several => side_by_side(out, style, simulated, several)?,
        }
        notes(out, style, group)?;
    }
    if groups > 0 {
        remark(out, style, simulated)?;
        for line in wrap(&simulated.told_for(), style.width.unwrap_or(usize::MAX), "") {
            writeln!(out, "{}", style.paint(Role::Context, &line))?;
        }
    }
    Ok(())
}

/// Says where in their range drift requeues are shown, if there are any.
pub(super) fn remark(out: &mut dyn Write, style: Style, simulated: &Simulated<'_>) -> io::Result<()> {
    let jittered = |course: &Course<'_>| {
        Simulation::new(&course.behaviour, simulated.options)
            .take(MEASURED)
            .any(|attempt| matches!(attempt.cause, Cause::Drift | Cause::Wait))
    };
    let at = match simulated.options.jitter {
        Jitter::Mean => "at the mean of their range",
        Jitter::Min => "at the lower end of their range",
        Jitter::Max => "at the upper end of their range",
        Jitter::Seed(_) => return Ok(()),
    };
    if !simulated.courses.iter().any(jittered) {
        return Ok(());
    }
    let text = format!("Drift requeues are {at}: --jitter says where else.");
    for line in wrap(&text, style.width.unwrap_or(usize::MAX), "") {
        writeln!(out, "{}", style.paint(Role::Context, &line))?;
    }
    Ok(())
}

/// The object, and what is in effect for it.
pub(super) fn head(out: &mut dyn Write, style: Style, group: &[Course<'_>]) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut lines = Lines { bytes: &mut bytes, style };
    if let Some(first) = group.first()
        && let (Some(reference), Some(place)) = (first.reference, first.place)
    {
        lines.title(&reference.title(), place);
        if let Some((controller, _, reason)) = &first.controller {
            lines.put("Controller", Some((Role::Value, controller.as_str())), Role::Context, reason, None);
        }
    }
    for course in group {
        let label = course.label();
        lines.put("Policy", Some((Role::Value, &label)), Role::Context, &words::policy(course), None);
    }
    out.write_all(&bytes)
}

pub(super) fn notes(out: &mut dyn Write, style: Style, group: &[Course<'_>]) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut lines = Lines { bytes: &mut bytes, style };
    let mut said: Vec<&str> = Vec::new();
    for note in group.iter().flat_map(|course| &course.notes) {
        if !said.contains(&note.as_str()) {
            lines.line("Note", note, None);
            said.push(note);
        }
    }
    out.write_all(&bytes)
}

/// What comes after the rows: how many there were, and what comes next.
pub(super) fn foot(
    out: &mut dyn Write,
    style: Style,
    label: &str,
    (course, simulation): (&Course<'_>, &Simulation<'_>),
    (tally, last): (&Tally, Option<&Attempt>),
    events: &[Event],
) -> io::Result<()> {
    let mut bytes = Vec::new();
    let role = if simulation.halted() { Role::Bad } else { Role::Plain };
    let text = match words::end(course, simulation, last, events.len()) {
        end if end.is_empty() => tally.words(),
        end => format!("{}; {end}", tally.words()),
    };
    let text = if label.is_empty() { text } else { format!("{label}: {text}") };
    Lines { bytes: &mut bytes, style }.put("Then", None, role, &text, None);
    out.write_all(&bytes)
}

const COLUMNS: [Column; 7] = [
    Column { title: "ATTEMPT", rank: 0, least: usize::MAX },
    Column { title: "OUTCOME", rank: 0, least: usize::MAX },
    Column { title: "DELAY", rank: 0, least: usize::MAX },
    Column { title: "FROM", rank: DISPENSABLE, least: usize::MAX },
    Column { title: "AT", rank: 0, least: usize::MAX },
    Column { title: "FOR", rank: DISPENSABLE + 1, least: usize::MAX },
    Column { title: "TIME (UTC)", rank: DISPENSABLE + 2, least: usize::MAX },
];
/// The column of what an attempt was begun for, which tells something only where something happens.
const FOR: usize = 5;

/// How many attempts are looked at for the width of a table, so that one of very many begins before it ends. Those behind
/// them may be wider.
const MEASURED: usize = 100_000;

/// A table of one course. The rows are reckoned twice, first for how wide they are, so that none is kept.
fn one(out: &mut dyn Write, style: Style, simulated: &Simulated<'_>, course: &Course<'_>) -> io::Result<()> {
    let mut clock = Clock::new(simulated.start);
    let mut seen = Widths::default();
    let mut eventful = false;
    for attempt in Simulation::new(&course.behaviour, simulated.options).take(MEASURED) {
        eventful |= !matches!(attempt.trigger, Trigger::Start | Trigger::Retry);
        seen.see(&cells(&attempt, &mut clock));
    }
    let columns: Vec<Column> =
        COLUMNS.iter().enumerate().filter(|(index, _)| eventful || *index != FOR).map(|(_, column)| *column).collect();
    let keep = |mut cells: Vec<Cell<'static>>| {
        if !eventful {
            cells.remove(FOR);
        }
        cells
    };
    if !eventful {
        seen.forget(FOR);
    }
    let narrower = Style { width: style.width.map(|width| width.saturating_sub(INDENT.len())), ..style };
    let layout = Layout::new(&columns, &seen, true, narrower);
    let mut bytes = Vec::new();
    let mut tally = Tally::default();
    let mut last = None;
    let mut simulation = Simulation::new(&course.behaviour, simulated.options);
    for attempt in simulation.by_ref() {
        if last.is_none() {
            bytes.extend_from_slice(INDENT.as_bytes());
            layout.header(&mut bytes);
        }
        bytes.extend_from_slice(INDENT.as_bytes());
        layout.row(&mut bytes, &keep(cells(&attempt, &mut clock)));
        tally.add(&attempt);
        last = Some(attempt);
        if bytes.len() > 1 << 15 {
            out.write_all(&bytes)?;
            bytes.clear();
        }
    }
    out.write_all(&bytes)?;
    foot(out, style, "", (course, &simulation), (&tally, last.as_ref()), &simulated.options.events)?;
    happened(out, style, &simulated.options.events, simulation.woken())
}

/// More events than this are not told one by one.
const EVENTS: usize = 24;

/// The events that happened, and whether they woke the object: those that did not leave no row.
pub(super) fn happened(out: &mut dyn Write, style: Style, events: &[Event], woken: &[bool]) -> io::Result<()> {
    if woken.len() > EVENTS {
        return Ok(());
    }
    let mut bytes = Vec::new();
    let mut lines = Lines { bytes: &mut bytes, style };
    for (event, woke) in events.iter().zip(woken) {
        let effect = if *woke { "wakes it" } else { "wakes nothing" };
        let at = human::compact_rounded(event.at);
        lines.put("Event", Some((Role::Value, &at)), Role::Context, &format!("{}: {effect}", event.what), None);
    }
    out.write_all(&bytes)
}

fn cells(attempt: &Attempt, clock: &mut Clock) -> Vec<Cell<'static>> {
    let mut time = Vec::new();
    if !clock.append(&mut time, human::rounded(attempt.at), b' ', "") {
        time.extend_from_slice(b"-");
    }
    vec![
        Cell::plain(attempt.number.to_string()),
        Cell::new(role(attempt.outcome), attempt.told()),
        Cell::new(Role::Value, words::delay(attempt.next)),
        Cell::new(Role::Context, attempt.cause.as_str()),
        Cell::plain(human::compact_rounded(attempt.at)),
        Cell::new(Role::Context, attempt.trigger.as_str()),
        Cell::new(Role::Context, String::from_utf8_lossy(&time).into_owned()),
    ]
}

pub(super) fn role(outcome: Outcome) -> Role {
    match outcome {
        Outcome::Failed => Role::Warning,
        Outcome::Succeeded => Role::Good,
        Outcome::Unresolved => Role::Warning,
        Outcome::Skipped | Outcome::Interrupted => Role::Context,
    }
}

/// Tables begin where the labels of other lines do.
const INDENT: &str = "  ";
const GAP: usize = 2;
/// Between two policies.
const WIDE_GAP: usize = 4;
const ATTEMPT: usize = INDENT.len() + "ATTEMPT".len();

/// How wide the two columns of a course are.
struct Pair {
    delay: usize,
    at: usize,
}

impl Pair {
    fn width(&self) -> usize {
        self.delay + GAP + self.at
    }
}

/// Tables of several courses beside each other, as many as the terminal is wide.
fn side_by_side(
    out: &mut dyn Write,
    style: Style,
    simulated: &Simulated<'_>,
    courses: &[Course<'_>],
) -> io::Result<()> {
    let pairs: Vec<Pair> = courses.iter().map(|course| measure(simulated, course)).collect();
    let mut from = 0;
    while from < courses.len() {
        let mut used = ATTEMPT;
        let fitting = pairs[from..].iter().take_while(|pair| {
            used += WIDE_GAP + pair.width();
            style.width.is_none_or(|width| used <= width)
        });
        let to = from + fitting.count().max(1);
        if from > 0 {
            writeln!(out)?;
        }
        beside(out, style, simulated, &courses[from..to], &pairs[from..to])?;
        from = to;
    }
    Ok(())
}

fn measure(simulated: &Simulated<'_>, course: &Course<'_>) -> Pair {
    let mut pair = Pair { delay: "DELAY".len(), at: "AT".len() };
    for attempt in Simulation::new(&course.behaviour, simulated.options).take(MEASURED) {
        pair.delay = pair.delay.max(words::delay_with_outcome(&attempt).width());
        pair.at = pair.at.max(human::compact_rounded(attempt.at).width());
    }
    // The name of the course stands above both.
    pair.at = pair.at.max(course.label().width().saturating_sub(pair.delay + GAP));
    pair
}

fn beside(
    out: &mut dyn Write,
    style: Style,
    simulated: &Simulated<'_>,
    courses: &[Course<'_>],
    pairs: &[Pair],
) -> io::Result<()> {
    let mut simulations: Vec<Simulation<'_>> =
        courses.iter().map(|course| Simulation::new(&course.behaviour, simulated.options)).collect();
    let mut told = vec![(Tally::default(), None); courses.len()];
    let mut line = Row { style, line: String::new(), column: 0 };
    // Objects without a controller have no rows.
    if courses.iter().any(|course| course.behaviour.attended) {
        titles(out, &mut line, courses, pairs)?;
    }
    for number in 1_u64.. {
        line.at(INDENT.len(), Role::Plain, &number.to_string());
        let mut any = false;
        let mut start = ATTEMPT;
        for ((simulation, pair), (tally, last)) in simulations.iter_mut().zip(pairs).zip(&mut told) {
            if let Some(attempt) = simulation.next() {
                any = true;
                tally.add(&attempt);
                line.at(start + WIDE_GAP, role(attempt.outcome), &words::delay_with_outcome(&attempt));
                line.at(start + WIDE_GAP + pair.delay + GAP, Role::Plain, &human::compact_rounded(attempt.at));
                *last = Some(attempt);
            }
            start += WIDE_GAP + pair.width();
        }
        if !any {
            break;
        }
        line.end(out)?;
    }
    for ((course, simulation), (tally, last)) in courses.iter().zip(&simulations).zip(&told) {
        foot(out, style, &course.label(), (course, simulation), (tally, last.as_ref()), &simulated.options.events)?;
    }
    Ok(())
}

/// The names of the courses, and of the columns below them.
fn titles(out: &mut dyn Write, line: &mut Row, courses: &[Course<'_>], pairs: &[Pair]) -> io::Result<()> {
    let mut start = ATTEMPT;
    for (course, pair) in courses.iter().zip(pairs) {
        line.at(start + WIDE_GAP, Role::Value, &course.label());
        start += WIDE_GAP + pair.width();
    }
    line.end(out)?;
    line.at(INDENT.len(), Role::Context, "ATTEMPT");
    start = ATTEMPT;
    for pair in pairs {
        line.at(start + WIDE_GAP, Role::Context, "DELAY");
        line.at(start + WIDE_GAP + pair.delay + GAP, Role::Context, "AT");
        start += WIDE_GAP + pair.width();
    }
    line.end(out)
}

/// A line in the making. Blanks are written only before something: no line ends in them.
struct Row {
    style: Style,
    line: String,
    column: usize,
}

impl Row {
    fn at(&mut self, column: usize, role: Role, text: &str) {
        for _ in self.column..column {
            self.line.push(' ');
        }
        self.line.push_str(&self.style.paint(role, text));
        self.column = self.column.max(column) + text.width();
    }

    fn end(&mut self, out: &mut dyn Write) -> io::Result<()> {
        self.line.push('\n');
        out.write_all(self.line.as_bytes())?;
        self.line.clear();
        self.column = 0;
        Ok(())
    }
}
