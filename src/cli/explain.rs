//! `kcc-backoff explain`: one object after another, in prose or as data.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use jiff::Timestamp;

use super::{Failure, exit};
use crate::assess::{Contexts, World};
use crate::kcc::{self, Facts, Release, Version};
use crate::object::{Code, Diagnostic, Severity};
use crate::output::{self, Explanation, Summary, Tally, Terminal};
use crate::plural;
use crate::source::{self, Input, Item};

/// Explain what happens next with each object of a manifest
///
/// For each object of Config Connector: the controller that handles it and why, the ceiling in effect, what happens
/// on failure and when, what wakes it, its drift interval, what deleting it does, and, if the manifest has a status,
/// whether it is halted or retrying and when the next attempt comes.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP)]
pub(super) struct Args {
    /// Files, folders, .tar.gz archives, or - for standard input
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The same as PATH, as kubectl has it; may be repeated
    #[arg(short = 'f', long = "filename", value_name = "PATH")]
    files: Vec<PathBuf>,
    /// Look into the subfolders of folders, too
    #[arg(short = 'R', long)]
    recursive: bool,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Format,
    /// The Config Connector to speak of: X.Y.Z, or main [default: main, where the ceiling annotation works]
    #[arg(long, value_name = "RELEASE")]
    kcc_version: Option<Release>,
    /// The first release that reads the ceiling annotation, if you know it (not up to 1.159)
    #[arg(long, value_name = "X.Y.Z")]
    ceiling_since: Option<Version>,
    /// Answer as if each object carried the annotation KEY with VALUE (KEY- takes it away); may be repeated. KEY may
    /// leave out the domain, as in backoff-max-delay-in-seconds=600
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<Setting>,
    /// The namespace of objects that name none
    #[arg(short, long)]
    namespace: Option<String>,
    /// The current time, as in 2026-11-30T03:12:00Z; the clock's by default
    #[arg(long, value_name = "TIME", value_parser = time)]
    now: Option<Timestamp>,
    /// Leave out the summary line
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// kcc-backoff/v1alpha1, an object a line
    Json,
    /// The same as YAML
    Yaml,
    /// kind.group/name
    Name,
}

#[derive(Debug, Clone)]
struct Setting {
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
        let key = &self.key;
        let message = match kcc::meant_key(key) {
            Some(meant) => format!("--set {key}: not known to this version: is {meant} meant?"),
            None if kcc::is_family_key(key) && !kcc::KNOWN_KEYS.contains(&key.as_str()) => {
                format!("--set {key}: not known to this version, so it changes nothing in the answer")
            }
            None if !key.contains('/') => {
                format!("--set {key}: no annotation of Config Connector, so it changes nothing")
            }
            None => return None,
        };
        Some(Diagnostic { code: Code::UnknownKey, severity: Severity::Warning, place: None, message, fix: None })
    }
}

/// What is kept of an object when its tree is dropped.
enum Found {
    Kcc(Box<Facts>),
    Plural,
    Other,
}

pub(super) fn run(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    if let Some(since) = args.ceiling_since.filter(|since| kcc::ignores_ceiling(*since)) {
        return Err(Failure::Usage(format!(
            "--ceiling-since {since}: no release up to 1.159 reads the ceiling annotation, so the first one is later"
        )));
    }
    let inputs: Vec<Input> = args.paths.iter().chain(&args.files).map(|path| input(path)).collect();
    if inputs.is_empty() {
        return Err(Failure::Usage(
            "nothing to explain: name a file, a folder or an archive, or - for standard input".to_owned(),
        ));
    }
    let options = source::Options { recurse: args.recursive };
    let namespace = args.namespace.as_deref();
    let loaded = source::load(&inputs, &options, &mut io::stdin(), &|item| found(item, namespace));
    let failed = loaded.failed();
    let found = loaded.objects;
    let (objects, summary) = sort(&found, loaded.counts);
    let (contexts, context_problems) = Contexts::gather(objects.iter().copied());
    let mut world = World::new(args.kcc_version, args.ceiling_since, args.now.unwrap_or_else(Timestamp::now));
    world.contexts = contexts;
    world.set = args.set.iter().map(|set| (set.key.clone(), set.value.clone())).collect();
    let problems: Vec<Diagnostic> =
        loaded.problems.into_iter().chain(context_problems).chain(args.set.iter().filter_map(Setting::doubt)).collect();
    let problems = match args.output {
        Format::Name => problems.into_iter().chain(objects.iter().filter_map(|facts| left_out(facts))).collect(),
        _ => problems,
    };
    let explanation = Explanation { world: &world, objects: &objects, problems: &problems, summary };

    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let written = match args.output {
        Format::Text => output::text(&mut out, terminal.out, explanation),
        Format::Json => output::json(&mut out, explanation),
        Format::Yaml => output::yaml(&mut out, explanation),
        Format::Name => output::names(&mut out, &explanation).map(|()| Tally::default()),
    };
    let written = unless_closed(written.and_then(|tally| out.flush().map(|()| tally)))?;
    // Complaints and counts come last, where they are seen, and even when nobody reads the output.
    let mut err = BufWriter::new(io::stderr());
    let said = output::complain(&mut err, terminal.err, &problems).and_then(|()| match args.quiet {
        true => Ok(()),
        false => output::summarize(&mut err, &summary, &written.unwrap_or_default()),
    });
    unless_closed(said.and_then(|()| err.flush()))?;
    // The process ends here: taking a fleet's facts apart one by one would only cost time.
    std::mem::forget(found);
    Ok(if failed { exit::INPUT } else { exit::DONE })
}

/// A stream that nobody reads any more is a normal end; the exit code is still due.
fn unless_closed<T>(written: io::Result<T>) -> Result<Option<T>, Failure> {
    match written {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn time(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "expected a time such as 2026-11-30T03:12:00Z".to_owned())
}

fn input(path: &Path) -> Input {
    if path.as_os_str() == "-" { Input::Stdin } else { Input::Path(path.to_owned()) }
}

fn found(item: &Item<'_>, namespace: Option<&str>) -> Found {
    let group = item.api_version.split_once('/').map_or("", |(group, _)| group);
    if kcc::is_kcc_group(group) {
        Found::Kcc(Box::new(Facts::read(item.node, item.api_version, item.kind, item.file, namespace)))
    } else if plural::is_plural_group(group) {
        Found::Plural
    } else {
        Found::Other
    }
}

/// What is said of an object that `-o name` cannot print.
fn left_out(facts: &Facts) -> Option<Diagnostic> {
    let message = "this object has no name, so -o name leaves it out";
    let nameless = facts.reference.name.is_none();
    nameless.then(|| Diagnostic::new(Code::NoName, Severity::Warning, facts.place.clone(), message))
}

/// The objects of Config Connector, and how many there are of everything.
fn sort(found: &[Found], counts: source::Counts) -> (Vec<&Facts>, Summary) {
    let mut summary = Summary {
        files: counts.files,
        documents: counts.documents,
        skipped: counts.skipped,
        broken: counts.broken,
        ..Summary::default()
    };
    let mut objects = Vec::with_capacity(found.len());
    for object in found {
        match object {
            Found::Kcc(facts) => objects.push(&**facts),
            Found::Plural => summary.plural += 1,
            Found::Other => summary.other += 1,
        }
    }
    summary.kcc = objects.len();
    (objects, summary)
}
