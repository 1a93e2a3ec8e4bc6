//! `--report FORMAT=PATH`: what is written beside the output.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::str::FromStr;

use super::Failure;

/// The environment variable by which GitHub Actions names the file of a job's summary.
const JOB_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// A report that was asked for.
#[derive(Debug, Clone)]
pub(super) struct Report<F> {
    /// Its format.
    pub(super) format: F,
    path: PathBuf,
}

/// The formats that a command's reports have.
pub(super) trait ReportFormats: Sized + Copy + 'static {
    /// All of them, by name.
    const ALL: &'static [(&'static str, Self)];
}

/// The formats of reports about a fleet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportFormat {
    /// GitHub's Markdown.
    Markdown,
}

impl ReportFormats for ReportFormat {
    const ALL: &'static [(&'static str, ReportFormat)] = &[("markdown", ReportFormat::Markdown)];
}

/// The formats of reports about a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlanFormat {
    /// GitHub's Markdown.
    Markdown,
    /// JUnit's XML.
    Junit,
    /// GitHub's workflow commands.
    Github,
}

impl ReportFormats for PlanFormat {
    const ALL: &'static [(&'static str, PlanFormat)] =
        &[("markdown", PlanFormat::Markdown), ("junit", PlanFormat::Junit), ("github", PlanFormat::Github)];
}

impl<F: ReportFormats> FromStr for Report<F> {
    type Err = String;

    fn from_str(text: &str) -> Result<Report<F>, String> {
        let Some((word, path)) = text.split_once('=') else {
            return Err("expected FORMAT=FILE, as in markdown=summary.md".to_owned());
        };
        let Some((_, format)) = F::ALL.iter().find(|(known, _)| *known == word) else {
            let known: Vec<&str> = F::ALL.iter().map(|(known, _)| *known).collect();
            let verb = if known.len() == 1 { "there is" } else { "there are" };
            return Err(format!("the format {word:?} is not known; {verb} {}", known.join(", ")));
        };
        if path.is_empty() {
            return Err("the report has no file".to_owned());
        }
        Ok(Report { format: *format, path: PathBuf::from(path) })
    }
}

impl<F> Report<F> {
    /// Writes it. A file that is there is replaced, unless it is the summary of a GitHub job, to which every command of
    /// a step adds. `-` stands for standard error, whose lines GitHub obeys, too.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn write(&self, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        if self.path.as_os_str() == "-" {
            return super::inputs::say(|err| print(err));
        }
        let summary = std::env::var_os(JOB_SUMMARY).is_some_and(|summary| summary == self.path.as_os_str());
        let mut options = File::options();
        let options = options.create(true).write(true).append(summary).truncate(!summary);
        let written = options.open(&self.path).and_then(|file| {
            let mut out = BufWriter::new(file);
            print(&mut out).and_then(|()| out.flush())
        });
        written.map_err(|error| Failure::Usage(format!("cannot write the report {}: {error}", self.path.display())))
    }
}
