use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use super::Simulated;
use super::table::{foot, happened, head, notes, remark, role};
use super::words::Tally;
use crate::human;
use crate::output::lines::wrap;
use crate::output::style::{Role, Style};
use crate::simulate::{Attempt, Course, Options, Outcome, Simulation};

/// How wide a chart is off a terminal.
const WIDTH: usize = 100;
/// How wide the names of the courses may be at most.
const LABEL: usize = 30;
/// How narrow the part with the attempts may become.
const LEAST: usize = 20;

/// A logarithmic axis of time. Time 0, which has no logarithm, lies alone at its beginning.
pub(super) struct Axis {
    least: f64,
    most: f64,
    /// Where the part after 0 begins, and how long it is.
    from: f64,
    length: f64,
}

impl Axis {
    /// An axis for all times between `least` (more than 0) and `most`.
    pub(super) fn new((least, most): (Duration, Duration), from: f64, length: f64) -> Axis {
        let logarithm = |time: Duration| time.as_secs_f64().max(1e-9).log10();
        Axis { least: logarithm(least), most: logarithm(most.max(least)), from, length }
    }

    /// Where a time lies; 0 for time 0.
    pub(super) fn at(&self, time: Duration) -> f64 {
        if time.is_zero() {
            return 0.0;
        }
        let span = self.most - self.least;
        let part = if span > 0.0 { (time.as_secs_f64().log10() - self.least) / span } else { 0.0 };
        self.from + self.length * part.clamp(0.0, 1.0)
    }

    /// The round times on it.
    pub(super) fn ticks(&self) -> impl Iterator<Item = Duration> + '_ {
        const TICKS: [u64; 20] = [
            1,
            10,
            100,
            1_000,
            10_000,
            60_000,
            600_000,
            3_600_000,
            36_000_000,
            86_400_000,
            864_000_000,
            8_640_000_000,
            31_536_000_000,
            315_360_000_000,
            3_153_600_000_000,
            31_536_000_000_000,
            315_360_000_000_000,
            3_153_600_000_000_000,
            31_536_000_000_000_000,
            315_360_000_000_000_000,
        ];
        TICKS.into_iter().map(Duration::from_millis).filter(|tick| {
            let logarithm = tick.as_secs_f64().log10();
            logarithm >= self.least && logarithm <= self.most
        })
    }
}

/// The name of a tick: `10s`, `1h`, `10d`, `1y`.
pub(super) fn tick_name(tick: Duration) -> String {
    const DAY: u64 = 86_400;
    match tick.as_secs() {
        seconds if seconds >= 365 * DAY => format!("{}y", seconds / (365 * DAY)),
        seconds if seconds >= DAY => format!("{}d", seconds / DAY),
        _ => human::compact(tick),
    }
}

/// The first and last of the times after 0 in a group, one second for a group without any, and how many of the events
/// happened.
pub(super) fn span(group: &[Course<'_>], options: &Options) -> (Duration, Duration, usize) {
    let mut span: Option<(Duration, Duration)> = None;
    let mut see = |time: Duration| {
        if !time.is_zero() {
            let (least, most) = span.unwrap_or((time, time));
            span = Some((least.min(time), most.max(time)));
        }
    };
    let mut happened = 0;
    for course in group {
        let mut simulation = Simulation::new(&course.behaviour, options);
        simulation.by_ref().for_each(|attempt| see(attempt.at));
        happened = happened.max(simulation.woken().len());
    }
    options.events[..happened].iter().for_each(|event| see(event.at));
    let (least, most) = span.unwrap_or((Duration::from_secs(1), Duration::from_secs(1)));
    (least, most, happened)
}

/// What stands in one cell.
#[derive(Clone, Copy, Default)]
struct Mark {
    count: u64,
    /// The outcome that matters most.
    outcome: Option<Outcome>,
}

impl Mark {
    fn add(&mut self, attempt: &Attempt) {
        self.count += 1;
        // A pause does as little as a skip.
        let outcome = if attempt.is_paused() { Outcome::Skipped } else { attempt.outcome };
        let weight = |outcome: Outcome| match outcome {
            Outcome::Skipped => 0,
            Outcome::Interrupted => 1,
            Outcome::Succeeded => 2,
            Outcome::Unresolved => 3,
            Outcome::Failed => 4,
        };
        self.outcome = self.outcome.filter(|held| weight(*held) >= weight(outcome)).or(Some(outcome));
    }

    fn shown(self) -> char {
        match (self.count, self.outcome) {
            (0, _) | (_, None) => ' ',
            (1, Some(Outcome::Failed)) => '×',
            (1, Some(Outcome::Succeeded)) => 'o',
            (1, Some(Outcome::Unresolved)) => '?',
            (1, Some(Outcome::Skipped)) => '-',
            (1, Some(Outcome::Interrupted)) => '!',
            (count @ 2..=9, _) => char::from(b'0' + count as u8),
            _ => '#',
        }
    }
}

/// Prints the attempts over time on a logarithmic axis, the courses of one object under each other.
///
/// # Errors
/// Those of `out`.
pub fn chart(out: &mut dyn Write, style: Style, simulated: &Simulated<'_>) -> io::Result<()> {
    let mut any = false;
    let mut shown = BTreeSet::new();
    for group in simulated.groups() {
        if any {
            writeln!(out)?;
        }
        any = true;
        head(out, style, group)?;
        Chart::of(simulated.options, group, style).print(out, &mut shown)?;
        notes(out, style, group)?;
    }
    if any {
        remark(out, style, simulated)?;
        let width = style.width.unwrap_or(usize::MAX);
        for line in [&key(&shown), &simulated.told_for()].iter().flat_map(|text| wrap(text, width, "")) {
            writeln!(out, "{}", style.paint(Role::Context, &line))?;
        }
    }
    Ok(())
}

struct Chart<'c> {
    options: &'c Options,
    group: &'c [Course<'c>],
    style: Style,
    labels: usize,
    width: usize,
    axis: Axis,
    happened: usize,
}

impl<'c> Chart<'c> {
    fn of(options: &'c Options, group: &'c [Course<'c>], style: Style) -> Chart<'c> {
        let labels = group.iter().map(|course| course.label().width()).max().unwrap_or(0).clamp("events".len(), LABEL);
        let width = style.width.unwrap_or(WIDTH).saturating_sub(labels + 2).max(LEAST);
        let (least, most, happened) = span(group, options);
        let axis = Axis::new((least, most), 2.0, (width - 3) as f64);
        Chart { options, group, style, labels, width, axis, happened }
    }

    fn column(&self, time: Duration) -> usize {
        (self.axis.at(time).round() as usize).min(self.width - 1)
    }

    fn print(&self, out: &mut dyn Write, shown: &mut BTreeSet<char>) -> io::Result<()> {
        writeln!(out, "{}", self.style.paint(Role::Context, self.scale().trim_end()))?;
        let events = self.events();
        if !events.trim().is_empty() {
            shown.insert('v');
            let label = format!("{:<1$}  ", "events", self.labels);
            writeln!(out, "{}{}", self.style.paint(Role::Context, &label), events.trim_end())?;
        }
        let mut told: Vec<(Tally, Option<Attempt>, Simulation<'_>)> = Vec::new();
        for course in self.group {
            let mut marks = vec![Mark::default(); self.width];
            let mut tally = Tally::default();
            let mut last = None;
            let mut simulation = Simulation::new(&course.behaviour, self.options);
            for attempt in simulation.by_ref() {
                marks[self.column(attempt.at)].add(&attempt);
                tally.add(&attempt);
                last = Some(attempt);
            }
            shown.extend(marks.iter().map(|mark| mark.shown()));
            self.lane(out, &course.label(), &marks)?;
            told.push((tally, last, simulation));
        }
        for (course, (tally, last, simulation)) in self.group.iter().zip(&told) {
            let label = if self.group.len() > 1 { course.label() } else { String::new() };
            foot(out, self.style, &label, (course, simulation), (tally, last.as_ref()), &self.options.events)?;
            if self.group.len() == 1 {
                happened(out, self.style, &self.options.events, simulation.woken())?;
            }
        }
        Ok(())
    }

    fn lane(&self, out: &mut dyn Write, label: &str, marks: &[Mark]) -> io::Result<()> {
        let label: String = label.chars().take(self.labels).collect();
        let gap = " ".repeat(self.labels - label.width().min(self.labels) + 2);
        let mut line = format!("{}{gap}", self.style.paint(Role::Value, &label));
        let used = marks.iter().rposition(|mark| mark.count > 0).map_or(0, |last| last + 1);
        for mark in &marks[..used] {
            let shown = mark.shown().to_string();
            line.push_str(&self.style.paint(mark.outcome.map_or(Role::Plain, role), &shown));
        }
        writeln!(out, "{}", line.trim_end())
    }

    /// The line of ticks, each beginning where its time lies.
    fn scale(&self) -> String {
        let mut line = " ".repeat(self.labels + 2);
        line.push('0');
        let mut used = 1;
        for tick in self.axis.ticks() {
            let (column, name) = (self.column(tick), tick_name(tick));
            if column < used + 2 || column + name.len() > self.width {
                continue;
            }
            line.push_str(&" ".repeat(column - used));
            line.push_str(&name);
            used = column + name.len();
        }
        line
    }

    fn events(&self) -> String {
        let mut line = vec![' '; self.width];
        for event in &self.options.events[..self.happened] {
            line[self.column(event.at)] = 'v';
        }
        line.into_iter().collect()
    }
}

/// What the signs of a chart mean: those that are in it.
fn key(shown: &BTreeSet<char>) -> String {
    const SIGNS: [(char, &str); 7] = [
        ('×', "× failed"),
        ('o', "o succeeded"),
        ('?', "? unresolved"),
        ('-', "- skipped or paused"),
        ('!', "! interrupted"),
        ('#', "# ten or more"),
        ('v', "v event"),
    ];
    let signs = SIGNS.iter().filter(|(sign, _)| shown.contains(sign)).map(|(_, words)| *words);
    let numbers = shown.iter().any(char::is_ascii_digit).then_some("2 to 9 so many attempts");
    signs.chain(numbers).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::{Cause, Trigger};

    #[test]
    fn a_tenfold_time_lies_as_far_from_the_one_before_as_that_from_the_one_before_it() {
        let axis = Axis::new((Duration::from_secs(1), Duration::from_secs(1_000)), 2.0, 60.0);
        for (seconds, at) in [(0, 0.0), (1, 2.0), (10, 22.0), (100, 42.0), (1_000, 62.0)] {
            assert!((axis.at(Duration::from_secs(seconds)) - at).abs() < 1e-9, "{seconds} s");
        }
        let ticks: Vec<String> = axis.ticks().map(tick_name).collect();
        assert_eq!(ticks, ["1s", "10s", "1m", "10m"]);
    }

    #[test]
    fn an_axis_of_a_single_time_has_a_place_for_it() {
        let axis = Axis::new((Duration::from_secs(5), Duration::from_secs(5)), 2.0, 60.0);
        assert!((axis.at(Duration::from_secs(5)) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_cell_shows_how_many_attempts_lie_in_it_and_failures_go_first() {
        let attempt = |outcome| Attempt {
            number: 1,
            at: Duration::ZERO,
            ended: Duration::ZERO,
            outcome,
            next: None,
            cause: Cause::None,
            trigger: Trigger::Start,
            called: true,
        };
        let mut mark = Mark::default();
        assert_eq!(mark.shown(), ' ');
        mark.add(&attempt(Outcome::Succeeded));
        assert_eq!(mark.shown(), 'o');
        mark.add(&attempt(Outcome::Failed));
        assert_eq!((mark.shown(), mark.outcome), ('2', Some(Outcome::Failed)));
        (0..7).for_each(|_| mark.add(&attempt(Outcome::Skipped)));
        assert_eq!((mark.shown(), mark.outcome), ('9', Some(Outcome::Failed)));
        mark.add(&attempt(Outcome::Skipped));
        assert_eq!(mark.shown(), '#');
        let mut paused = Mark::default();
        paused.add(&Attempt { called: false, ..attempt(Outcome::Succeeded) });
        assert_eq!(paused.shown(), '-');
    }
}
