use std::io::{self, Write};

use super::{PlanReport, words};
use crate::object::Severity;
use crate::output::escape;
use crate::reconcile::{Entry, Planned};

/// Writes the plan as JUnit's XML: a test case for each object, which fails where the object could not be planned, was
/// refused, or comes to an action that is not allowed.
///
/// # Errors
/// Those of `out`.
pub fn junit(out: &mut dyn Write, report: &PlanReport<'_>) -> io::Result<()> {
    let entries = &report.plan.entries;
    let is_forbidden = |entry: &Entry<'_>| report.forbidden.contains(&entry.planned);
    let broken = || report.problems.iter().filter(|problem| problem.severity == Severity::Error);
    let errors = entries.iter().filter(|entry| entry.has_failed() && !is_forbidden(entry)).count() + broken().count();
    let failures = entries.iter().filter(|entry| is_forbidden(entry)).count();
    let skipped = entries.iter().filter(|entry| is_skipped(entry) && !is_forbidden(entry)).count();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let tests = entries.len() + broken().count();
    let counts = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"");
    writeln!(out, "<testsuites name=\"kcc-backoff reconcile-once\" {counts}>")?;
    writeln!(out, "  <testsuite name=\"plan\" {counts}>")?;
    for problem in broken() {
        let place = problem.place.as_ref().map_or_else(|| "the Console".to_owned(), ToString::to_string);
        let (place, code) = (xml(&place), problem.code.as_str());
        writeln!(out, "    <testcase classname=\"inputs\" name=\"{place} {code}\">")?;
        writeln!(
            out,
            "      <error message=\"{code}\" type=\"{code}\">{}</error>\n    </testcase>",
            xml(&problem.message)
        )?;
    }
    for entry in entries {
        let place = entry.facts.place.to_string();
        write!(
            out,
            "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
            xml(&entry.facts.reference.kind),
            xml(&format!("{} {}", entry.title(), place)),
            xml(&entry.facts.place.file),
            entry.facts.place.line
        )?;
        let planned = entry.planned.as_str();
        let told = xml(&entry.reason);
        if is_forbidden(entry) {
            let message = format!("{planned} is not allowed");
            writeln!(out, ">\n      <failure message=\"{message}\" type=\"{planned}\">{told}</failure>")?;
        } else if entry.has_failed() {
            writeln!(out, ">\n      <error message=\"{planned}\" type=\"{planned}\">{told}</error>")?;
        } else if is_skipped(entry) {
            writeln!(out, ">\n      <skipped message=\"{planned}: {told}\"/>")?;
        } else {
            writeln!(out, ">\n      <system-out>{planned}: {told}{}</system-out>", xml(&changes(entry)))?;
        }
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn is_skipped(entry: &Entry<'_>) -> bool {
    matches!(entry.planned, Planned::Wait | Planned::NotReconciled)
}

fn changes(entry: &Entry<'_>) -> String {
    let line = |change: &crate::plural::compare::Change| {
        format!("\n{}: {} → {}", change.path, words::value(&change.from), words::value(&change.to))
    };
    entry.changes.iter().map(line).collect()
}

/// A text in which nothing means more to XML than what it says. Line feeds stay, other control characters are shown.
fn xml(text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| escape(line).into_owned()).collect();
    lines.join("\n").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
