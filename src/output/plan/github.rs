use std::io::{self, Write};

use super::PlanReport;
use crate::object::Severity;
use crate::output::escape;
use crate::reconcile::{Entry, Planned};

/// Writes the plan as workflow commands of GitHub Actions, which become annotations at the objects' lines: errors for what
/// could not be planned, was refused or is not allowed, warnings for what is taken over or deleted, notices for the other
/// changes.
///
/// # Errors
/// Those of `out`.
pub fn github(out: &mut dyn Write, report: &PlanReport<'_>) -> io::Result<()> {
    for problem in report.problems.iter().filter(|problem| problem.severity == Severity::Error) {
        let place = problem.place.as_ref().map_or(String::new(), |place| {
            format!(" file={},line={},col={}", property(&place.file), place.line, place.column)
        });
        writeln!(out, "::error{place}::{}", data(&problem.message))?;
    }
    for entry in &report.plan.entries {
        let forbidden = report.forbidden.contains(&entry.planned);
        let level = match entry.planned {
            _ if forbidden || entry.unseen => "error",
            Planned::Unknown | Planned::Refuse => "error",
            Planned::Adopt | Planned::Delete => "warning",
            Planned::Create | Planned::Update | Planned::Wait => "notice",
            Planned::ReadOnly | Planned::InSync | Planned::Keep | Planned::NotReconciled => {
                warnings(out, entry)?;
                continue;
            }
        };
        let not_allowed = if forbidden { " (not allowed)" } else { "" };
        let message = format!("{}{not_allowed}: {}", entry.planned.as_str(), entry.reason);
        command(out, level, entry, &message)?;
        warnings(out, entry)?;
    }
    Ok(())
}

fn warnings(out: &mut dyn Write, entry: &Entry<'_>) -> io::Result<()> {
    entry.warnings.iter().try_for_each(|warning| command(out, "warning", entry, warning))
}

fn command(out: &mut dyn Write, level: &str, entry: &Entry<'_>, message: &str) -> io::Result<()> {
    let place = &entry.facts.place;
    writeln!(
        out,
        "::{level} file={},line={},col={},title={}::{}",
        property(&place.file),
        place.line,
        place.column,
        property(&entry.title()),
        data(message)
    )
}

/// GitHub's own escapes: a line feed would end the command, and a second command might begin.
fn data(text: &str) -> String {
    escape(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
