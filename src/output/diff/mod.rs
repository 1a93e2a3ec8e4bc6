//! What `diff` prints: text, JSON, YAML, a report in Markdown, and the summary on standard error.

mod json;
mod markdown;
mod text;
mod words;

use std::io::{self, Write};

use rayon::prelude::*;

pub use json::{json as diff_json, yaml as diff_yaml};
pub use markdown::markdown as diff_markdown;
pub use text::{summary as diff_summary, text as diff_text};

use super::report::{Explanation, Summary};
use crate::diff::{Comparison, Entry};
use crate::kcc::Release;
use crate::object::Diagnostic;

/// Everything that `diff` has to say, in whatever format.
#[derive(Debug, Clone, Copy)]
pub struct Diff<'a> {
    /// What differs.
    pub comparison: &'a Comparison<'a>,
    /// Where the old side comes from.
    pub from: &'a DiffSide,
    /// Where the new side comes from; `None` if the same objects are compared in two releases.
    pub to: Option<&'a DiffSide>,
    /// What is wrong with the inputs.
    pub problems: &'a [Diagnostic],
}

/// Where one side comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffSide {
    /// The inputs, as the user named them.
    pub inputs: Vec<String>,
    /// How much was read.
    pub summary: Summary,
}

impl Diff<'_> {
    /// Whether two releases are compared.
    fn is_upgrade(&self) -> bool {
        self.to.is_none()
    }

    /// `old.yaml → new.yaml`, or `Config Connector 1.135.0 → main`.
    fn title(&self) -> String {
        match self.to {
            Some(to) => format!("{} → {}", self.from.inputs.join(" "), to.inputs.join(" ")),
            None => format!("Config Connector {} → {}", self.comparison.old.release, self.comparison.new.release),
        }
    }

    /// Of which releases is spoken, and what is not known of them, in sentences.
    fn told_for(&self) -> String {
        let (old, new) = (self.comparison.old, self.comparison.new);
        let summary = both(self.from.summary, self.to.map_or(Summary::default(), |to| to.summary));
        let mut text = if self.is_upgrade() {
            format!("Told for Config Connector {} and {}.", old.release, new.release)
        } else {
            Explanation { world: new, objects: &[], problems: &[], summary }.told_for()
        };
        if self.is_upgrade() && !old.release_named && old.release == Release::Main {
            text.push_str(" main is the default (--kcc-version names yours).");
        }
        if summary.kcc > 0 {
            let releases = [old.release, new.release];
            let asked = if self.is_upgrade() { &releases[..] } else { &releases[..1] };
            asked.iter().for_each(|release| text.push_str(&not_known(*release)));
        }
        text
    }
}

/// What is not known of a release.
fn not_known(release: Release) -> String {
    let mut text = String::new();
    if !release.has_table() {
        text.push_str(&format!(" Which controllers {release} has is not known."));
    }
    if release.borrows_main_table() {
        text.push_str(&format!(" Which controllers {release} has is not known: main's are shown."));
    }
    if !release.delays_checked() {
        text.push_str(&format!(" The delays of {release} are not known: those of 1.90.0 are shown."));
    }
    text
}

/// The objects of two sides together.
fn both(one: Summary, other: Summary) -> Summary {
    Summary { kcc: one.kcc + other.kcc, plural: one.plural + other.plural, ..one }
}

/// How many objects one task prints, and how many tasks' output is held before it is written.
const TASK: usize = 32;
const BATCH: usize = 32;

/// Prints the objects that differ, many at a time, in their order.
fn each_entry<'a>(
    out: &mut dyn Write,
    entries: &[Entry<'a>],
    print: impl Fn(&mut Vec<u8>, &Entry<'a>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    for batch in entries.chunks(TASK * BATCH) {
        let sheets: io::Result<Vec<Vec<u8>>> = batch
            .par_chunks(TASK)
            .map(|entries| {
                let mut bytes = Vec::new();
                entries.iter().try_for_each(|entry| print(&mut bytes, entry))?;
                Ok(bytes)
            })
            .collect();
        for sheet in sheets? {
            out.write_all(&sheet)?;
        }
    }
    Ok(())
}
