use std::borrow::Cow;
use std::io::{self, Write};

use super::GroupBy;
use super::survey::Listing;
use super::table::{CEILING, cells, group_cells};
use crate::object::Diagnostic;
use crate::output::markdown::Report;
use crate::output::report::plain_count;

/// More rows than these nobody reads in a job's summary.
const MARKDOWN_ROWS: usize = 2000;

/// Writes the rows, or the groups, as a table in GitHub's Markdown.
///
/// # Errors
/// Those of `out`.
pub fn markdown(out: &mut dyn Write, listing: &Listing<'_>, problems: &[Diagnostic]) -> io::Result<()> {
    let mut report = Report::new(out);
    report.line("### kcc-backoff list\n")?;
    let mut said = listing.shown_of_all().unwrap_or_else(|| plain_count(listing.shown.len(), "object"));
    if listing.has_kcc {
        said = format!("{said}, told for Config Connector {}", listing.world.release);
    }
    report.line(&format!("{said}."))?;
    match listing.wish.group_by {
        _ if listing.shown.is_empty() => {}
        Some(group_by) => markdown_groups(&mut report, group_by, listing)?,
        None => markdown_rows(&mut report, listing)?,
    }
    if problems.is_empty() {
        return Ok(());
    }
    report.line(&format!("\n{} with the inputs:\n", plain_count(problems.len(), "problem")))?;
    for (told, problem) in problems.iter().enumerate() {
        let place = problem.place.as_ref().map_or(String::new(), |place| format!("{place}: "));
        if !report.item(&format!("{place}{}: {}", problem.severity.as_str(), problem.message))? {
            return report.line(&format!("\nand {} more.", problems.len() - told));
        }
    }
    Ok(())
}

fn markdown_groups(report: &mut Report<'_>, group_by: GroupBy, listing: &Listing<'_>) -> io::Result<()> {
    report.line("")?;
    report.head(&[
        group_by.as_str(),
        "objects",
        "halted",
        "failing",
        "waiting",
        "invalid",
        "ineffective",
        "attempts an hour",
    ])?;
    for (told, (key, group)) in listing.groups.iter().enumerate() {
        let row = group_cells(key, group).iter().map(|cell| Cow::Owned(cell.text().to_owned())).collect();
        if !report.rows(&[row])? {
            return report.line(&format!("\nand {} more.", listing.groups.len() - told));
        }
    }
    Ok(())
}

fn markdown_rows(report: &mut Report<'_>, listing: &Listing<'_>) -> io::Result<()> {
    let ceiling = listing.columns()[CEILING].title.to_lowercase();
    report.line("")?;
    report.head(&["kind", "name", "controller", "state", &ceiling, "interval", "ladder", "message", "place"])?;
    for (told, object) in listing.shown.iter().enumerate() {
        let answer = object.assess(listing.world);
        let brief = answer.brief();
        let cells = cells(&brief, false, listing.world);
        let mut row: Vec<Cow<'_, str>> = cells.iter().map(|cell| Cow::Borrowed(cell.text())).collect();
        row.push(Cow::Owned(brief.place.to_string()));
        if told == MARKDOWN_ROWS || !report.rows(&[row])? {
            return report.line(&format!("\nand {} more.", plain_count(listing.shown.len() - told, "object")));
        }
    }
    Ok(())
}
