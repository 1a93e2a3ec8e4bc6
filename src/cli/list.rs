//! `kcc-backoff list`: the fleet at a glance.

use std::io::{self, BufWriter, Write};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::inputs::{self, PathArgs, WorldArgs};
use super::report::{Report, ReportFormat};
use super::{Failure, exit, explain};
use crate::assess::{Mark, Marks, Object};
use crate::output::{self, Explanation, GroupBy, Listing, SortBy, Terminal, Wish};

/// List the objects of a fleet, one row each
///
/// The same objects as explain, in short: controller, state, ceiling (or, for the Plural Console, what happens if the
/// remote is absent, and if it is present), how often each is looked at while it succeeds, the ladder of its retries,
/// and what its status says, or else what is wrong with it.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP_LIST)]
pub(super) struct Args {
    #[command(flatten)]
    paths: PathArgs,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Format,
    /// Show only objects with one of these marks, as in halted,ineffective
    #[arg(long, value_name = "MARK", value_delimiter = ',', value_parser = marks(), hide_possible_values = true)]
    only: Vec<Mark>,
    /// Sort by this, instead of the order of the inputs
    #[arg(long, value_name = "COLUMN", value_enum)]
    sort_by: Option<SortBy>,
    /// Count objects by this, instead of listing them
    #[arg(long, value_name = "COLUMN", value_enum)]
    group_by: Option<GroupBy>,
    /// Exit with code 1 if any object, shown or not, has one of these marks
    #[arg(long, value_name = "MARK", value_delimiter = ',', value_parser = marks(), hide_possible_values = true)]
    fail_on: Vec<Mark>,
    /// Leave out the line of titles
    #[arg(long)]
    no_headers: bool,
    /// Write a report beside the output, as in markdown=summary.md; may be repeated. $GITHUB_STEP_SUMMARY is added to
    #[arg(long, value_name = "FORMAT=FILE")]
    report: Vec<Report<ReportFormat>>,
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
    Table,
    /// With who says so, the next attempt and the place
    Wide,
    /// kcc-backoff/v1alpha1, an object a line
    Json,
    /// The same as YAML
    Yaml,
    /// kind.group/name
    Name,
}

fn marks() -> impl TypedValueParser<Value = Mark> {
    let values = Mark::ALL.map(|mark| PossibleValue::new(mark.as_str()).help(mark.meaning()));
    PossibleValuesParser::new(values).try_map(|word| Mark::parse(&word).ok_or("unknown mark"))
}

pub(super) fn run(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    args.world.check()?;
    if args.output == Format::Name && args.group_by.is_some() {
        return Err(Failure::Usage(
            "-o name prints objects, and --group-by leaves none: leave one of them out".to_owned(),
        ));
    }
    let read = inputs::read(&args.paths.inputs("list")?, &args.paths.reading);
    let (world, context_problems) = args.world.world(args.world.kcc_version, args.world.time(), &read);
    let objects: Vec<&Object> = read.objects().collect();
    let wish = Wish {
        only: (!args.only.is_empty()).then(|| args.only.iter().copied().collect()),
        sort_by: args.sort_by,
        group_by: args.group_by,
        watch: args.fail_on.iter().copied().collect::<Marks>(),
        no_headers: args.no_headers,
        wide: args.output == Format::Wide,
        no_table: !matches!(args.output, Format::Table | Format::Wide),
    };
    let listing = Listing::new(&world, &objects, wish);
    let mut problems = read.problems.clone();
    problems.extend(context_problems.into_iter().chain(args.world.doubts()));
    if args.output == Format::Name {
        problems.extend(listing.shown().iter().filter_map(|object| explain::left_out(object)));
    }
    let explanation = Explanation { world: &world, objects: &objects, problems: &problems, summary: read.summary };

    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let written = match args.output {
        Format::Table | Format::Wide => output::list_table(&mut out, terminal.out, &listing),
        Format::Json => output::list_json(&mut out, &explanation, &listing),
        Format::Yaml => output::list_yaml(&mut out, &explanation, &listing),
        Format::Name => output::list_names(&mut out, &listing),
    };
    inputs::unless_closed(written.and_then(|()| out.flush()))?;
    let found = listing.watched();
    // Complaints, counts and marks that were found are told even where a report cannot be written.
    inputs::say(|err| {
        output::complain(err, terminal.err, &problems)?;
        if !args.quiet {
            if let Some(shown) = listing.shown_of_all() {
                let words: Vec<&str> = args.only.iter().map(|mark| mark.as_str()).collect();
                writeln!(err, "{shown} shown: {}", words.join(", "))?;
            }
            output::summarize(err, &read.summary, &listing.census)?;
        }
        // Why the exit code is 1 is never left out.
        if found.is_empty() {
            return Ok(());
        }
        let found: Vec<String> = found.iter().map(|(mark, count)| format!("{count} {mark}")).collect();
        writeln!(err, "--fail-on: {}", found.join(", "))
    })?;
    for report in &args.report {
        report.write(|out| match report.format {
            ReportFormat::Markdown => output::list_markdown(out, &listing, &problems),
        })?;
    }
    let code = match (read.failed, found.is_empty()) {
        (true, _) => exit::INPUT,
        (false, false) => exit::FINDINGS,
        (false, true) => exit::DONE,
    };
    read.forget();
    Ok(code)
}
