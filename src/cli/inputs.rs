//! What explain, list and diff have in common: the objects to speak of, and the world to speak of them in.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use jiff::Timestamp;

use super::{Failure, completions};
use crate::assess::{Object, World};
use crate::kcc::{self, Release, Version};
use crate::object::{Code, Diagnostic, Severity};
use crate::output::Summary;
use crate::source::{self, Input, Item};

/// Where objects come from.
#[derive(Debug, clap::Args)]
pub(super) struct PathArgs {
    /// Files, folders, .tar.gz archives, or - for standard input
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(super) paths: Vec<PathBuf>,
    /// The same as PATH, as kubectl has it; may be repeated
    #[arg(short = 'f', long = "filename", value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) reading: ReadingArgs,
}

/// How they are read.
#[derive(Debug, clap::Args)]
pub(super) struct ReadingArgs {
    /// Look into the subfolders of folders, too
    #[arg(short = 'R', long)]
    pub(super) recursive: bool,
    /// The namespace of objects that name none
    #[arg(short, long)]
    pub(super) namespace: Option<String>,
}

/// The world that is spoken of.
#[derive(Debug, clap::Args)]
pub(super) struct WorldArgs {
    /// The Config Connector to speak of: X.Y.Z, or main [default: main, where the ceiling annotation works]
    #[arg(long, value_name = "RELEASE", add = ArgValueCandidates::new(completions::releases))]
    pub(super) kcc_version: Option<Release>,
    /// The first release that reads the ceiling annotation, if you know it (not up to 1.159)
    #[arg(long, value_name = "X.Y.Z")]
    pub(super) ceiling_since: Option<Version>,
    /// Answer as if each object of Config Connector carried the annotation KEY with VALUE (KEY- takes it away); may be
    /// repeated. KEY may leave out the domain, as in backoff-max-delay-in-seconds=600
    #[arg(long, value_name = "KEY=VALUE", add = ArgValueCompleter::new(completions::settings))]
    pub(super) set: Vec<Setting>,
    /// The current time, as in 2026-11-30T03:12:00Z; the clock's by default
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub(super) now: Option<Timestamp>,
}

/// An annotation that every object is to be taken to carry, or to lack.
#[derive(Debug, Clone)]
pub(super) struct Setting {
    key: String,
    value: Option<String>,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let (key, value) = match text.split_once('=') {
            Some((key, value)) => (key, Some(value.to_owned())),
            None => match text.strip_suffix('-') {
                Some(key) => (key, None),
                None => return Err("expected KEY=VALUE, or KEY- to take an annotation away".to_owned()),
            },
        };
        if key.is_empty() {
            return Err("the annotation has no key".to_owned());
        }
        Ok(Setting { key: kcc::full_key(key).to_owned(), value })
    }
}

impl Setting {
    /// Doubt about a key that looks like one of Config Connector's and is none that this version knows.
    fn doubt(&self) -> Option<Diagnostic> {
        doubt("--set", &self.key)
    }
}

/// Doubt about the key of an annotation that was given by `flag`.
pub(super) fn doubt(flag: &str, key: &str) -> Option<Diagnostic> {
    let message = match kcc::meant_key(key) {
        Some(meant) => format!("{flag} {key}: not known to this version: is {meant} meant?"),
        None if kcc::is_family_key(key) && !kcc::KNOWN_KEYS.contains(&key) => {
            format!("{flag} {key}: not known to this version, so it changes nothing in the answer")
        }
        None if !key.contains('/') => {
            format!("{flag} {key}: no annotation of Config Connector, so it changes nothing")
        }
        None => return None,
    };
    Some(Diagnostic { code: Code::UnknownKey, severity: Severity::Warning, place: None, message, fix: None })
}

impl PathArgs {
    /// What is to be read.
    ///
    /// # Errors
    /// When nothing is named; `what` is the command's verb.
    pub(super) fn inputs(&self, what: &str) -> Result<Vec<Input>, Failure> {
        let inputs: Vec<Input> = self.paths.iter().chain(&self.files).map(|path| input(path)).collect();
        if inputs.is_empty() {
            return Err(Failure::Usage(format!(
                "nothing to {what}: name a file, a folder or an archive, or - for standard input"
            )));
        }
        Ok(inputs)
    }
}

impl WorldArgs {
    /// Refuses what cannot be.
    ///
    /// # Errors
    /// When `--ceiling-since` names a release that is known to ignore the annotation.
    pub(super) fn check(&self) -> Result<(), Failure> {
        match self.ceiling_since.filter(|since| kcc::ignores_ceiling(*since)) {
            Some(since) => Err(Failure::Usage(format!(
                "--ceiling-since {since}: no release up to 1.159 reads the ceiling annotation, so the first one is later"
            ))),
            None => Ok(()),
        }
    }

    /// The time to answer for.
    pub(super) fn time(&self) -> Timestamp {
        self.now.unwrap_or_else(Timestamp::now)
    }

    /// The world of a release for what was read, and what is wrong with the settings among it.
    pub(super) fn world(&self, release: Option<Release>, now: Timestamp, read: &Read) -> (World, Vec<Diagnostic>) {
        let mut world = World::new(release, self.ceiling_since, now);
        let problems = world.observe(read.objects());
        world.set = self.settings();
        (world, problems)
    }

    /// The annotations of `--set`.
    pub(super) fn settings(&self) -> Vec<(String, Option<String>)> {
        self.set.iter().map(|set| (set.key.clone(), set.value.clone())).collect()
    }

    /// Doubts about the keys of `--set`.
    pub(super) fn doubts(&self) -> impl Iterator<Item = Diagnostic> {
        self.set.iter().filter_map(Setting::doubt)
    }
}

/// What was read.
pub(super) struct Read {
    found: Vec<Option<Object>>,
    /// What is wrong with the inputs as such.
    pub(super) problems: Vec<Diagnostic>,
    /// How much there was.
    pub(super) summary: Summary,
    /// Whether exit code 2 is due.
    pub(super) failed: bool,
}

/// Reads the inputs.
pub(super) fn read(inputs: &[Input], args: &ReadingArgs) -> Read {
    let options = source::Options { recurse: args.recursive, ..source::Options::default() };
    let namespace = args.namespace.as_deref();
    let loaded = source::load(inputs, &options, &mut io::stdin(), &|item: &Item<'_>| {
        Object::read(item.node, item.api_version, item.kind, item.file, namespace)
    });
    let failed = loaded.failed();
    let counts = loaded.counts;
    let mut summary = Summary {
        files: counts.files,
        documents: counts.documents,
        skipped: counts.skipped,
        broken: counts.broken,
        ..Summary::default()
    };
    for object in &loaded.objects {
        match object {
            Some(Object::Kcc(_)) => summary.kcc += 1,
            Some(Object::Plural(_)) => summary.plural += 1,
            None => summary.other += 1,
        }
    }
    Read { found: loaded.objects, problems: loaded.problems, summary, failed }
}

impl Read {
    /// The objects of both systems, in the order of the inputs.
    pub(super) fn objects(&self) -> impl Iterator<Item = &Object> + Clone {
        self.found.iter().flatten()
    }

    /// Lets everything go without taking it apart: at the end of the process, freeing a fleet's facts one by one would
    /// only cost time.
    pub(super) fn forget(self) {
        std::mem::forget(self.found);
    }
}

/// Why `--against main` alone compares nothing.
pub(super) const MAIN_AGAINST_ITSELF: &str =
    "--against main: main is the default, too; name the release to compare it with (--kcc-version)";

/// What to read by the name `path`.
pub(super) fn input(path: &Path) -> Input {
    Input::from(path.as_os_str())
}

/// A stream that nobody reads any more is a normal end; the exit code is still due.
///
/// # Errors
/// Every other failure to write.
pub(super) fn unless_closed<T>(written: io::Result<T>) -> Result<Option<T>, Failure> {
    match written {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Prints to standard error, whoever reads it.
///
/// # Errors
/// When it cannot be written for another reason than that nobody reads it.
pub(super) fn say(print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
    let mut err = io::BufWriter::new(io::stderr());
    unless_closed(print(&mut err).and_then(|()| err.flush())).map(|_| ())
}

/// A time on the command line.
pub(super) fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "expected a time such as 2026-11-30T03:12:00Z".to_owned())
}
