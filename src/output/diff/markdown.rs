use std::borrow::Cow;
use std::io::{self, Write};

use super::Diff;
use super::text::counts;
use super::words::{self, Line};
use crate::diff::Entry;
use crate::output::markdown;

/// More objects than these nobody reads about in a job's summary.
const MOST: usize = 2_000;

/// Writes what differs as Markdown, for a CI job's summary.
///
/// # Errors
/// Those of `out`.
pub fn markdown(out: &mut dyn Write, diff: Diff<'_>) -> io::Result<()> {
    let comparison = diff.comparison;
    let mut report = markdown::Report::new(out);
    report.line(&format!("### {}\n", markdown::text(&diff.title())))?;
    let told_for = markdown::text(&diff.told_for());
    if comparison.is_empty() {
        return report.line(format!("No differences: {}. {told_for}", counts(comparison)).trim_end());
    }
    report.line(&format!("{}. {told_for}\n", counts(comparison)))?;
    if !comparison.common.is_empty() {
        report.line("For all objects of Config Connector:\n")?;
        report.head(&["what", "old", "new", "why"])?;
        let lines = words::common(&comparison.common, comparison.old, comparison.new);
        let rows: Vec<_> = lines.into_iter().map(|line| cells(line, Vec::new())).collect();
        report.rows(&rows)?;
        report.line("")?;
    }
    if comparison.entries.is_empty() {
        return Ok(());
    }
    report.head(&["", "object", "place", "what", "old", "new", "why"])?;
    for (told, entry) in comparison.entries.iter().enumerate() {
        if told == MOST || !report.rows(&rows(&diff, entry))? {
            let more = comparison.entries.len() - told;
            return report
                .line(&format!("\n{more} more {}.", if more == 1 { "object differs" } else { "objects differ" }));
        }
    }
    Ok(())
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
