use std::borrow::Cow;
use std::io::{self, Write};

use super::{PlanReport, words};
use crate::object::Severity;
use crate::output::markdown::{Report, text};
use crate::reconcile::Planned;

/// Writes the plan as GitHub's Markdown, for the comment of a pull request or a job's summary.
///
/// # Errors
/// Those of `out`.
pub fn markdown(out: &mut dyn Write, report: &PlanReport<'_>) -> io::Result<()> {
    let plan = report.plan;
    let mut page = Report::new(out);
    page.line("### What one pass against the Plural Console would do")?;
    page.line("")?;
    for problem in report.problems.iter().filter(|problem| problem.severity == Severity::Error) {
        let place = problem.place.as_ref().map_or(String::new(), |place| format!("{place}: "));
        page.line(&format!("**Error** {}", text(&format!("{place}{}", problem.message))))?;
        page.line("")?;
    }
    if report.unavailable.is_some() {
        return page.line("There is no plan.");
    }
    let mut said = vec![format!("{}.", words::summary(&plan.counts()))];
    said.extend(words::of_kcc(plan.kcc));
    said.push(words::told_for(plan.semantics, report.told_by));
    page.line(&text(&said.join(" ")))?;
    page.line("")?;
    if plan.entries.is_empty() {
        return Ok(());
    }
    page.head(&["action", "object", "why", "place"])?;
    let mut left_out = 0;
    for entry in &plan.entries {
        let forbidden = if report.forbidden.contains(&entry.planned) { " (not allowed)" } else { "" };
        let row: Vec<Cow<'_, str>> = vec![
            format!("{}{forbidden}", entry.planned.as_str()).into(),
            entry.title().into(),
            entry.reason.as_str().into(),
            entry.facts.place.to_string().into(),
        ];
        if !page.rows(&[row])? {
            left_out += 1;
        }
    }
    for entry in plan.entries.iter().filter(|entry| is_told(entry.planned)) {
        if left_out > 0 {
            break;
        }
        let mut items: Vec<String> = entry
            .changes
            .iter()
            .map(|change| match (change.from.is_null(), change.to.is_null()) {
                (true, _) => format!("+ {}: {}", change.path, words::value(&change.to)),
                (_, true) => format!("- {}: {}", change.path, words::value(&change.from)),
                _ => format!("~ {}: {} → {}", change.path, words::value(&change.from), words::value(&change.to)),
            })
            .collect();
        items.extend(
            entry.uncompared.iter().map(|field| format!("{} cannot be compared: {}", field.path, field.reason)),
        );
        items.extend(entry.later.iter().map(|later| format!("later: {later}")));
        items.extend(
            entry.controller.iter().map(|controller| format!("in-cluster: {}", words::controller(controller, entry))),
        );
        items.extend(entry.warnings.iter().map(|warning| format!("warning: {warning}")));
        if items.is_empty() {
            continue;
        }
        page.line("")?;
        page.line(&format!("**{}** {}", text(&entry.title()), entry.planned.as_str()))?;
        page.line("")?;
        for item in items {
            if !page.item(&item)? {
                left_out += 1;
                break;
            }
        }
    }
    if left_out > 0 {
        page.line("")?;
        page.line("The rest is left out, as the report would become too long: `-o json` has it whole.")?;
    }
    Ok(())
}

/// Whether more is said of it than its row.
fn is_told(planned: Planned) -> bool {
    planned.is_pending() || matches!(planned, Planned::ReadOnly | Planned::InSync | Planned::Wait)
}
