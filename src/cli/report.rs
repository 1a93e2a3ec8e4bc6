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
pub(super) struct Report {
    /// Its format.
    pub(super) format: ReportFormat,
    path: PathBuf,
}

/// The formats of reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReportFormat {
    /// GitHub's Markdown.
    Markdown,
}

impl FromStr for Report {
    type Err = String;

    fn from_str(text: &str) -> Result<Report, String> {
        let format = match text.split_once('=') {
            Some(("markdown", path)) if !path.is_empty() => (ReportFormat::Markdown, path),
            Some(("markdown", _)) => return Err("the report has no file".to_owned()),
            Some((other, _)) => return Err(format!("the format {other:?} is not known; there is markdown")),
            None => return Err("expected FORMAT=FILE, as in markdown=summary.md".to_owned()),
        };
        Ok(Report { format: format.0, path: PathBuf::from(format.1) })
    }
}

impl Report {
    /// Writes it. A file that is there is replaced, unless it is the summary of a GitHub job, to which every command of
    /// a step adds.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn write(&self, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
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
