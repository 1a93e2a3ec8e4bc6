//! What `reconcile-once` prints: text with a diff, JSON, YAML, and reports in Markdown, JUnit's XML and GitHub's workflow
//! commands.

mod github;
mod json;
mod junit;
mod markdown;
mod text;
mod words;

pub use github::github as plan_github;
pub use json::{json as plan_json, yaml as plan_yaml};
pub use junit::junit as plan_junit;
pub use markdown::markdown as plan_markdown;
pub use text::text as plan_text;

use std::io::{self, Write};

use crate::object::Diagnostic;
use crate::output::Summary;
use crate::reconcile::{Plan, Planned};

/// Prints how many objects of what were read, and from where.
///
/// # Errors
/// Those of `out`.
pub fn plan_summary(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    crate::output::report::read_summary_with(out, summary, "other (Secrets and ConfigMaps included)")
}

/// Everything that `reconcile-once` has to say, in whatever format.
#[derive(Debug, Clone, Copy)]
pub struct PlanReport<'a> {
    /// The plan.
    pub plan: &'a Plan<'a>,
    /// Who said what the Console holds: its address, or a file.
    pub told_by: &'a str,
    /// Why nothing could be asked of the Console, so that there is no plan.
    pub unavailable: Option<&'a str>,
    /// Actions that the caller does not allow.
    pub forbidden: &'a [Planned],
    /// What is wrong with the inputs as such.
    pub problems: &'a [Diagnostic],
    /// How much was read.
    pub summary: Summary,
}
