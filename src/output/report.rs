use std::io::{self, Write};

use jiff::Timestamp;
use rayon::prelude::*;

use super::escape::escape;
use super::style::{Role, Style};
use crate::assess::{Answer, Census, Mark, Object, World};
use crate::human;
use crate::kcc::Release;
use crate::object::{Diagnostic, Severity};

/// Everything that `explain` has to say, in whatever format. The objects are assessed while they are printed, so that
/// a fleet's assessments are never all in memory.
#[derive(Debug)]
pub struct Explanation<'a> {
    /// The world that the objects are assessed in.
    pub world: &'a World,
    /// The objects, in the order of the inputs.
    pub objects: &'a [&'a Object],
    /// What is wrong with the inputs as such (what is wrong with an object is in its assessment).
    pub problems: &'a [Diagnostic],
    /// How much was read.
    pub summary: Summary,
}

/// How much was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// Files, members of archives included.
    pub files: usize,
    /// Documents that are not empty.
    pub documents: usize,
    /// Objects of Config Connector.
    pub kcc: usize,
    /// Objects of the Plural Console.
    pub plural: usize,
    /// Objects of neither.
    pub other: usize,
    /// Documents that are no Kubernetes objects, or templates.
    pub skipped: usize,
    /// Documents and files that cannot be read.
    pub broken: usize,
}

impl Explanation<'_> {
    /// The time that the answers are for, if any of them depends on it: only what a status tells does. Without, the
    /// same input gives the same bytes at any time.
    pub(super) fn time(&self) -> Option<Timestamp> {
        self.objects.iter().any(|object| object.has_status()).then_some(self.world.now)
    }

    /// What has to be said about the release and the time, in sentences.
    pub(super) fn told_for(&self) -> String {
        let of_plural = format!(
            "What the Plural Console's controllers do was read in their source of 2025 and 2026; [inferred] and \
             [documented-only] mark what was not. A pass that waits comes again after {}, one that ends in an error after \
             {}, doubling up to {} (inferred).",
            human::range(crate::plural::WAIT.0, crate::plural::WAIT.1),
            human::duration(crate::plural::ERROR_BASE),
            human::duration(crate::plural::ERROR_MAX),
        );
        match (self.summary.kcc, self.summary.plural) {
            (_, 0) => self.told_for_release(),
            (0, _) => of_plural,
            _ => format!("{} {of_plural}", self.told_for_release()),
        }
    }

    fn told_for_release(&self) -> String {
        let world = self.world;
        let at = self.time().map_or(String::new(), |time| format!(" at {}", human::time(time)));
        let release = format!("Told for Config Connector {}{at}.", world.release);
        if world.release_named || world.release != Release::Main {
            return release;
        }
        let before = match world.ceiling_since {
            Some(since) => format!("releases before {since}"),
            None => "releases up to 1.159".to_owned(),
        };
        format!("{release} main is the default; {before} ignore the ceiling annotation (--kcc-version names yours).")
    }
}

/// How many objects one task assesses and prints, and how many tasks' output is held before it is written.
const TASK: usize = 32;
const BATCH: usize = 32;

/// What one task has made of its objects. Sheets are used again from batch to batch: fresh memory for every object of
/// a fleet costs more than printing it.
#[derive(Default)]
struct Sheet<S> {
    bytes: Vec<u8>,
    state: S,
    census: Census,
    problems: Vec<Diagnostic>,
}

/// Assesses the objects and prints them, many at a time, in their order. `print` appends one object to the bytes; the
/// state is one task's own, for things worth keeping from one object to the next. Returns the objects' problems if
/// they are asked for.
pub(super) fn each_object<S: Default + Send>(
    out: &mut dyn Write,
    explanation: &Explanation<'_>,
    keep_problems: bool,
    print: impl Fn(&mut Vec<u8>, &mut S, &Answer<'_>) -> io::Result<()> + Sync,
) -> io::Result<(Census, Vec<Diagnostic>)> {
    let world = explanation.world;
    let mut census = Census::default();
    let mut problems = Vec::new();
    let mut sheets: Vec<Sheet<S>> = (0..BATCH).map(|_| Sheet::default()).collect();
    for batch in explanation.objects.chunks(TASK * BATCH) {
        let tasks = batch.par_chunks(TASK).zip(sheets.par_iter_mut());
        tasks.try_for_each(|(objects, sheet)| {
            sheet.bytes.clear();
            for object in objects {
                let answer = object.assess(world);
                sheet.census.add(answer.marks());
                print(&mut sheet.bytes, &mut sheet.state, &answer)?;
                if keep_problems {
                    sheet.problems.append(&mut answer.into_problems());
                }
            }
            io::Result::Ok(())
        })?;
        for sheet in sheets.iter_mut().take(batch.len().div_ceil(TASK)) {
            out.write_all(&sheet.bytes)?;
            census.merge(&std::mem::take(&mut sheet.census));
            problems.append(&mut sheet.problems);
        }
    }
    Ok((census, problems))
}

/// Prints complaints, one a line: `file:line:column: error: message; fix [code]`.
///
/// # Errors
/// Those of `out`.
pub fn complain(out: &mut dyn Write, style: Style, problems: &[Diagnostic]) -> io::Result<()> {
    for problem in problems {
        if let Some(place) = &problem.place {
            write!(out, "{}: ", escape(&place.to_string()))?;
        }
        let severity = style.paint(role(problem.severity), problem.severity.as_str());
        write!(out, "{severity}: {}", escape(&problem.message))?;
        if let Some(fix) = &problem.fix {
            write!(out, "; {}", escape(fix))?;
        }
        writeln!(out, " {}", style.paint(Role::Context, &format!("[{}]", problem.code.as_str())))?;
    }
    Ok(())
}

pub(super) fn role(severity: Severity) -> Role {
    match severity {
        Severity::Error => Role::Bad,
        Severity::Warning => Role::Warning,
        Severity::Info => Role::Context,
    }
}

/// Prints the summary: how many objects of what, from where, and how many of them bear each of the marks that deserve a
/// look, by the words of `list --only`.
///
/// # Errors
/// Those of `out`.
pub fn summarize(out: &mut dyn Write, summary: &Summary, census: &Census) -> io::Result<()> {
    read_summary(out, summary)?;
    let notable = Mark::BY_URGENCY.into_iter().take_while(|mark| *mark != Mark::Halts);
    let counts: Vec<(usize, &str)> = notable.map(|mark| (census.count(mark), mark.as_str())).collect();
    match listed("", &counts) {
        none if none.is_empty() => Ok(()),
        some => writeln!(out, "{some}"),
    }
}

/// Prints how many objects of what there are, and from where.
fn read_summary(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    read_summary_with(out, summary, "other (not explained)")
}

/// The same, for a command that calls what it leaves alone by `other`.
pub(super) fn read_summary_with(out: &mut dyn Write, summary: &Summary, other: &str) -> io::Result<()> {
    let of = [(summary.kcc, "of Config Connector"), (summary.plural, "of the Plural Console"), (summary.other, other)];
    write!(
        out,
        "{} in {} of {}{}",
        plain_count(summary.kcc + summary.plural + summary.other, "object"),
        plain_count(summary.documents, "document"),
        plain_count(summary.files, "file"),
        listed(": ", &of),
    )?;
    let unread = [(summary.skipped, "skipped (no Kubernetes object, or a template)"), (summary.broken, "unreadable")];
    writeln!(out, "{}", listed("; ", &unread))
}

pub(super) fn listed(lead: &str, parts: &[(usize, &str)]) -> String {
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if parts.is_empty() { String::new() } else { format!("{lead}{}", parts.join(", ")) }
}

/// `1 object`, `2 objects`.
pub(super) fn plain_count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
