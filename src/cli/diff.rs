//! `kcc-backoff diff`: what changes in behaviour between two trees, or between two releases.

use std::io::{self, BufWriter, Write};

use clap_complete::engine::ArgValueCandidates;

use super::inputs::{self, PathArgs, Read, WorldArgs};
use super::report::{Report, ReportFormat};
use super::{Failure, completions, exit};
use crate::assess::Object;
use crate::diff::{Comparison, Side};
use crate::kcc::Release;
use crate::object::Diagnostic;
use crate::output::{self, Diff, DiffSide, Terminal};
use crate::source::Input;

/// Tell what changes in behaviour between two trees, or between two releases
///
/// `diff OLD NEW` compares two files, folders or archives: for each object, whether its controller, its ceiling, what
/// follows a failure, its drift interval, its mode or what deleting it does is another, and which objects are added and
/// removed. Objects are matched by API group, kind, namespace and name: where they stand plays no part.
///
/// `diff PATH… --kcc-version OLD --against NEW` compares the same objects in two releases of Config Connector: an
/// upgrade. What changes for all objects alike is told once, at the head.
///
/// Nothing is printed on standard output where nothing differs.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP_DIFF)]
pub(super) struct Args {
    #[command(flatten)]
    paths: PathArgs,
    /// Compare the same objects in --kcc-version and in this release
    #[arg(long, value_name = "RELEASE", add = ArgValueCandidates::new(completions::releases))]
    against: Option<Release>,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Format,
    /// Write a report beside the output, as in markdown=summary.md; may be repeated. $GITHUB_STEP_SUMMARY is added to
    #[arg(long = "report", value_name = "FORMAT=FILE")]
    reports: Vec<Report<ReportFormat>>,
    /// End with 1 if there are differences
    #[arg(long)]
    exit_code: bool,
    #[command(flatten)]
    world: WorldArgs,
    /// Leave out the summary
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
}

pub(super) fn run(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    args.world.check()?;
    match args.against {
        Some(against) => releases(args, against, terminal),
        None => trees(args, terminal),
    }
}

/// Compares the same objects in two releases.
fn releases(args: &Args, against: Release, terminal: Terminal) -> Result<u8, Failure> {
    if args.world.kcc_version.is_none() && against == Release::Main {
        return Err(Failure::Usage(inputs::MAIN_AGAINST_ITSELF.to_owned()));
    }
    let named = args.paths.inputs("compare")?;
    let read = inputs::read(&named, &args.paths.reading);
    let time = args.world.time();
    let (old, context_problems) = args.world.world(args.world.kcc_version, time, &read);
    let (new, _) = args.world.world(Some(against), time, &read);
    let mut problems = read.problems.clone();
    problems.extend(context_problems.into_iter().chain(args.world.doubts()));
    let objects: Vec<&Object> = read.objects().collect();
    let comparison = Comparison::of_releases(&objects, &old, &new);
    let from = side(&named, &read);
    let diff = Diff { comparison: &comparison, from: &from, to: None, problems: &problems };
    let code = tell(args, terminal, diff, read.failed)?;
    drop(comparison);
    read.forget();
    Ok(code)
}

/// Compares two trees in one release.
fn trees(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    let named = args.paths.inputs("compare")?;
    let [old_input, new_input] = &named[..] else {
        return Err(Failure::Usage(format!(
            "diff compares two trees, OLD and NEW: {} given (--against compares one in two releases)",
            if named.len() == 1 { "only one was".to_owned() } else { format!("{} were", named.len()) }
        )));
    };
    if let (Input::Stdin, Input::Stdin) = (old_input, new_input) {
        return Err(Failure::Usage("standard input can be only one of OLD and NEW".to_owned()));
    }
    let old_read = inputs::read(std::slice::from_ref(old_input), &args.paths.reading);
    let new_read = inputs::read(std::slice::from_ref(new_input), &args.paths.reading);
    let (release, time) = (args.world.kcc_version, args.world.time());
    let (old, old_problems) = args.world.world(release, time, &old_read);
    let (new, new_problems) = args.world.world(release, time, &new_read);
    let mut problems: Vec<Diagnostic> = old_read.problems.clone();
    problems.extend(old_problems);
    problems.extend(new_read.problems.iter().cloned());
    problems.extend(new_problems.into_iter().chain(args.world.doubts()));
    let old_objects: Vec<&Object> = old_read.objects().collect();
    let new_objects: Vec<&Object> = new_read.objects().collect();
    let comparison =
        Comparison::of_trees(Side { objects: &old_objects, world: &old }, Side { objects: &new_objects, world: &new });
    let from = side(std::slice::from_ref(old_input), &old_read);
    let to = side(std::slice::from_ref(new_input), &new_read);
    let diff = Diff { comparison: &comparison, from: &from, to: Some(&to), problems: &problems };
    let code = tell(args, terminal, diff, old_read.failed || new_read.failed)?;
    drop(comparison);
    old_read.forget();
    new_read.forget();
    Ok(code)
}

/// Prints output, reports and summary, and tells the exit code.
fn tell(args: &Args, terminal: Terminal, diff: Diff<'_>, failed: bool) -> Result<u8, Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let written = match args.output {
        Format::Text => output::diff_text(&mut out, terminal.out, diff),
        Format::Json => output::diff_json(&mut out, diff),
        Format::Yaml => output::diff_yaml(&mut out, diff),
    };
    inputs::unless_closed(written.and_then(|()| out.flush()))?;
    // Complaints and counts come last, where they are seen, and even when nobody reads the output.
    inputs::say(|err| {
        output::complain(err, terminal.err, diff.problems)?;
        match args.quiet {
            true => Ok(()),
            false => output::diff_summary(err, diff),
        }
    })?;
    for report in &args.reports {
        match report.format {
            ReportFormat::Markdown => report.write(|out| output::diff_markdown(out, diff))?,
        }
    }
    let differs = args.exit_code && !diff.comparison.is_empty();
    Ok(match (failed, differs) {
        (true, _) => exit::INPUT,
        (false, true) => exit::FINDINGS,
        (false, false) => exit::DONE,
    })
}

fn side(inputs: &[Input], read: &Read) -> DiffSide {
    let name = |input: &Input| match input {
        Input::Path(path) => path.to_string_lossy().into_owned(),
        Input::Stdin => "<stdin>".to_owned(),
    };
    DiffSide { inputs: inputs.iter().map(name).collect(), summary: read.summary }
}
