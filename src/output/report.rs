use std::io::{self, Write};

use super::escape::escape;
use super::style::{Role, Style};
use crate::assess::Assessment;
use crate::kcc::Release;
use crate::object::{Diagnostic, Severity};

/// Everything that `explain` has to say, in whatever format.
#[derive(Debug)]
pub struct Explanation {
    /// Which Config Connector is spoken of.
    pub release: Release,
    /// Whether the user named it.
    pub release_named: bool,
    /// The objects, in the order of the inputs.
    pub objects: Vec<Assessment>,
    /// What is wrong with the inputs as such (problems of an object are in its assessment).
    pub problems: Vec<Diagnostic>,
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

impl Explanation {
    /// What has to be said about the release, in a sentence without a full stop.
    pub fn release_line(&self) -> String {
        match self.release {
            Release::Main if !self.release_named => {
                "Told for Config Connector main, the default: releases up to 1.159 \
                                                     ignore the ceiling annotation (--kcc-version names yours)"
                    .to_owned()
            }
            release => format!("Told for Config Connector {release}"),
        }
    }
}

/// Prints complaints, one a line: `file:line:column: error: message (fix) [code]`.
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

/// Prints the summary line: `3 objects in 1 file: 2 Config Connector, 1 of neither system`.
///
/// # Errors
/// Those of `out`.
pub fn summarize(out: &mut dyn Write, summary: &Summary) -> io::Result<()> {
    let objects = summary.kcc + summary.plural + summary.other;
    let mut parts = Vec::new();
    let mut part = |count: usize, what: &str| {
        if count > 0 {
            parts.push(format!("{count} {what}"));
        }
    };
    part(summary.kcc, "of Config Connector");
    part(summary.plural, "of the Plural Console (counted, not described by this version)");
    part(summary.other, "of neither system");
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    write!(
        out,
        "{} in {} of {}{parts}",
        count(objects, "object"),
        count(summary.documents, "document"),
        count(summary.files, "file")
    )?;
    if summary.skipped > 0 {
        write!(out, "; {} skipped (no Kubernetes object, or a template)", summary.skipped)?;
    }
    if summary.broken > 0 {
        write!(out, "; {} broken", summary.broken)?;
    }
    writeln!(out)
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
