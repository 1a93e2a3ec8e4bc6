//! `kcc-backoff explain`: one object after another, in prose or as data.

use std::io::{self, BufWriter, Write};

use super::inputs::{self, PathArgs, WorldArgs};
use super::{Failure, exit};
use crate::assess::{Census, Object};
use crate::object::{Code, Diagnostic, Severity};
use crate::output::{self, Explanation, Terminal};

/// Explain what happens next with each object of a manifest
///
/// For each object of Config Connector: the controller that handles it and why, the ceiling in effect, what happens
/// on failure and when, what wakes it, its drift interval, what deleting it does, and, if the manifest has a status,
/// whether it is halted or retrying and when the next attempt comes.
///
/// For each object of the Plural Console: by what it is looked up, whether it would be created, taken over or only
/// read, by what the Console holds, what deleting it then does, when it is looked at again, and what it waits for.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP_EXPLAIN)]
pub(super) struct Args {
    #[command(flatten)]
    paths: PathArgs,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Format,
    #[command(flatten)]
    world: WorldArgs,
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

pub(super) fn run(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    args.world.check()?;
    let read = inputs::read(&args.paths.inputs("explain")?, &args.paths.reading);
    let (world, context_problems) = args.world.world(args.world.kcc_version, args.world.time(), &read);
    let objects: Vec<&Object> = read.objects().collect();
    let mut problems = read.problems.clone();
    problems.extend(context_problems.into_iter().chain(args.world.doubts()));
    if args.output == Format::Name {
        problems.extend(objects.iter().filter_map(|object| left_out(object)));
    }
    let explanation = Explanation { world: &world, objects: &objects, problems: &problems, summary: read.summary };

    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let written = match args.output {
        Format::Text => output::text(&mut out, terminal.out, explanation),
        Format::Json => output::json(&mut out, explanation),
        Format::Yaml => output::yaml(&mut out, explanation),
        Format::Name => output::names(&mut out, &explanation).map(|()| Census::default()),
    };
    let written = inputs::unless_closed(written.and_then(|census| out.flush().map(|()| census)))?;
    // Complaints and counts come last, where they are seen, and even when nobody reads the output.
    inputs::say(|err| {
        output::complain(err, terminal.err, &problems)?;
        match args.quiet {
            true => Ok(()),
            false => output::summarize(err, &read.summary, &written.unwrap_or_default()),
        }
    })?;
    let failed = read.failed;
    read.forget();
    Ok(if failed { exit::INPUT } else { exit::DONE })
}

/// What is said of an object that `-o name` cannot print.
pub(super) fn left_out(object: &Object) -> Option<Diagnostic> {
    let message = "this object has no name, so -o name leaves it out";
    let nameless = object.reference().name.is_none();
    nameless.then(|| Diagnostic::new(Code::NoName, Severity::Warning, object.place().clone(), message))
}
