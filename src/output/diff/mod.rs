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
use crate::assess::Object;
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

    /// Of which releases is spoken, what is not known of them, and what marks mean, in sentences.
    fn told_for(&self) -> String {
        let (old, new) = (self.comparison.old, self.comparison.new);
        let mut said = Vec::new();
        let kcc = self.from.summary.kcc + self.to.map_or(0, |to| to.summary.kcc);
        let plural = self.from.summary.plural + self.to.map_or(0, |to| to.summary.plural);
        let asked = if self.is_upgrade() { vec![old.release, new.release] } else { vec![new.release] };
        if self.is_upgrade() {
            said.push(format!("Told for Config Connector {} and {}.", old.release, new.release));
            if !old.release_named && old.release == Release::Main {
                said.push("main is the default (--kcc-version names yours).".to_owned());
            }
        } else if kcc > 0 || plural == 0 {
            // What explain says of the release; of the Plural Console it says more than a comparison needs.
            let explanation = Explanation { world: new, objects: &[], problems: &[], summary: Summary::default() };
            said.push(explanation.told_for());
        }
        if kcc > 0 {
            said.extend(asked.into_iter().flat_map(not_known));
        }
        if self.comparison.entries.iter().any(|entry| matches!(entry.object(), Object::Plural(_))) {
            let marks = "[inferred] and [documented-only] mark what was not read in the Plural Console's controllers.";
            said.push(marks.to_owned());
        }
        said.join(" ")
    }
}

/// What is not known of a release.
fn not_known(release: Release) -> Vec<String> {
    let mut said = Vec::new();
    if !release.has_table() {
        said.push(format!("Which controllers {release} has is not known."));
    }
    if release.borrows_main_table() {
        said.push(format!("Which controllers {release} has is not known: main's are shown."));
    }
    if !release.delays_checked() {
        said.push(format!("The delays of {release} are not known: those of 1.90.0 are shown."));
    }
    said
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
