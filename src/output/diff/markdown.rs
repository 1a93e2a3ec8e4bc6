use std::borrow::Cow;
use std::io::{self, Write};

use super::Diff;
use super::text::counts;
use super::words::{self, Line};
use crate::diff::Entry;
use crate::output::markdown;

/// How many objects a report tells of: GitHub refuses summaries above 1 MiB as a whole.
const MOST: usize = 2_000;

/// Writes what differs as Markdown, for a CI job's summary.
///
/// # Errors
/// Those of `out`.
pub fn markdown(out: &mut dyn Write, diff: Diff<'_>) -> io::Result<()> {
    let comparison = diff.comparison;
    writeln!(out, "### {}\n", markdown::text(&diff.title()))?;
    if comparison.is_empty() {
        let text = format!("No differences: {}. {}", counts(comparison), markdown::text(&diff.told_for()));
        return writeln!(out, "{}", text.trim_end());
    }
    writeln!(out, "{}. {}\n", counts(comparison), markdown::text(&diff.told_for()))?;
    if !comparison.common.is_empty() {
        writeln!(out, "For all objects of Config Connector:\n")?;
        let lines = words::common(&comparison.common, comparison.old, comparison.new);
        let rows = lines.into_iter().map(|line| cells(line, Vec::new()));
        markdown::table(out, &["what", "old", "new", "why"], rows)?;
        writeln!(out)?;
    }
    if comparison.entries.is_empty() {
        return Ok(());
    }
    let told = comparison.entries.iter().take(MOST);
    markdown::table(
        out,
        &["", "object", "place", "what", "old", "new", "why"],
        told.flat_map(|entry| rows(&diff, entry)),
    )?;
    match comparison.entries.len().saturating_sub(MOST) {
        0 => Ok(()),
        more => writeln!(out, "\n{more} more objects differ."),
    }
}

/// A row for each change; an added or removed object has one.
fn rows(diff: &Diff<'_>, entry: &Entry<'_>) -> Vec<Vec<Cow<'static, str>>> {
    let comparison = diff.comparison;
    let object = entry.object();
    let head = |sign: &'static str| {
        vec![Cow::Borrowed(sign), object.reference().title().into(), object.place().to_string().into()]
    };
    match entry {
        Entry::Added(_) => vec![padded(head("added"))],
        Entry::Removed(_) => vec![padded(head("removed"))],
        Entry::Changed { .. } => {
            let changes = entry.changes(comparison.old, comparison.new);
            let lines = changes.iter().flat_map(|change| words::lines(change, comparison.old, comparison.new));
            lines.map(|line| cells(line, head("changed"))).collect()
        }
    }
}

fn padded(mut row: Vec<Cow<'static, str>>) -> Vec<Cow<'static, str>> {
    row.resize(7, Cow::Borrowed(""));
    row
}

fn cells(line: Line<'_>, mut row: Vec<Cow<'static, str>>) -> Vec<Cow<'static, str>> {
    let owned = |text: Option<Cow<'_, str>>| Cow::Owned(text.unwrap_or_default().into_owned());
    row.extend([line.label.into(), owned(line.from), owned(line.to), Cow::Owned(line.reason.into_owned())]);
    row
}
