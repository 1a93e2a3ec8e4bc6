//! `kcc-backoff simulate`: when the retries come.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap_complete::engine::ArgValueCompleter;
use jiff::Timestamp;

use super::inputs::{self, PathArgs, WorldArgs};
use super::scenario::ScenarioArgs;
use super::{Failure, completions, exit};
use crate::assess::{Object, World};
use crate::go;
use crate::kcc;
use crate::output::simulate::{self as output, Simulated};
use crate::output::{Terminal, complain, summarize};
use crate::simulate::{Choice, Event, Jitter, Options, Watch, courses};

/// Simulate when the retries come
///
/// Without PATH: one object of the direct controller in general, on the default ladder of the release, beside a ceiling
/// given by --max-delay. With PATH: each object under the policy that explain finds for it. Initially every attempt
/// fails; events change that, and whatever else happens to the object.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP_SIMULATE)]
pub(super) struct Args {
    #[command(flatten)]
    pub(super) paths: PathArgs,
    /// End after N attempts that failed or ended unresolved [default: 10, without --until]
    #[arg(long, value_name = "N", value_parser = one_or_more, allow_hyphen_values = true)]
    failures: Option<u64>,
    /// End with the attempts at DURATION from the start; sets no limit of failures
    #[arg(long, value_name = "DURATION", value_parser = not_negative, allow_hyphen_values = true)]
    until: Option<Duration>,
    /// Attempts succeed after N failures
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true)]
    succeed_after: Option<u64>,
    /// A ceiling to set beside, written like the annotation: whole seconds, 0 halts
    #[arg(long, value_name = "SECONDS", value_parser = ceiling, allow_hyphen_values = true)]
    max_delay: Option<u32>,
    /// Another first delay for every ladder
    #[arg(long, value_name = "DURATION", value_parser = positive, allow_hyphen_values = true)]
    pub(super) base_delay: Option<Duration>,
    /// How long an attempt takes; delays count from its end [default: 0]
    #[arg(long, value_name = "DURATION", value_parser = not_negative, allow_hyphen_values = true)]
    pub(super) reconcile_duration: Option<Duration>,
    /// The clock time of the start, as in 2026-11-30T03:12:00Z [default: now]
    #[arg(long, value_name = "TIME", value_parser = inputs::time)]
    pub(super) start: Option<Timestamp>,
    /// Simulate under this policy only; `ceiling` takes its seconds from --max-delay
    #[arg(long, value_name = "POLICY", value_enum, conflicts_with = "compare")]
    policy: Option<PolicyArg>,
    /// Simulate under these policies, side by side (delays and times): default, plural, controller-runtime, or the seconds of a ceiling, as
    /// in default,600,1800,0
    #[arg(
        long,
        value_name = "POLICY",
        value_delimiter = ',',
        allow_hyphen_values = true,
        conflicts_with = "max_delay",
        add = ArgValueCompleter::new(completions::policies)
    )]
    compare: Vec<Compared>,
    /// Where drift requeues come in their range: min, mean, max, or the seed of a generator to draw with
    #[arg(long, value_name = "WHERE", default_value_t, allow_hyphen_values = true)]
    pub(super) jitter: Jitter,
    /// Something that happens, TIME a Go duration from the start: fails, succeeds, spec, labels, annotate:KEY=VALUE,
    /// unannotate:KEY, delete, restart, dependency-missing, dependency-ready; may be repeated. KEY may be ceiling, interval,
    /// actuation, or any annotation's
    #[arg(
        long = "event",
        value_name = "TIME=WHAT",
        allow_hyphen_values = true,
        add = ArgValueCompleter::new(completions::events)
    )]
    events: Vec<Event>,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    pub(super) output: Format,
    /// Show the attempts over time, on a logarithmic axis, instead of in a table
    #[arg(long)]
    chart: bool,
    /// Write the same chart to FILE as a picture, beside the output
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    svg: Option<PathBuf>,
    #[command(flatten)]
    scenario: ScenarioArgs,
    #[command(flatten)]
    pub(super) world: WorldArgs,
    /// Leave out the summary line
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PolicyArg {
    /// Config Connector's default ladder
    Default,
    /// The ladder under a ceiling
    Ceiling,
    /// That of the Plural Console's controllers
    Plural,
    /// That of controller-runtime's defaults
    ControllerRuntime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Table,
    /// kcc-backoff/v1alpha1, an attempt a line
    Json,
    /// The same as YAML
    Yaml,
    /// Comma-separated values, an attempt a line
    Csv,
}

/// A policy of `--compare`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Compared(Choice);

impl FromStr for Compared {
    type Err = String;

    fn from_str(text: &str) -> Result<Compared, String> {
        Ok(Compared(match text {
            "default" => Choice::Default,
            "plural" => Choice::Plural,
            "controller-runtime" => Choice::ControllerRuntime,
            seconds => Choice::Ceiling(ceiling(seconds).map_err(|error| {
                format!("neither default, plural, controller-runtime nor the seconds of a ceiling: {error}")
            })?),
        }))
    }
}

/// Seconds of a ceiling as the controller reads the annotation.
fn ceiling(text: &str) -> Result<u32, String> {
    kcc::parse_seconds(text)
        .map_err(|fault| format!("it {}; write whole seconds such as 600, or 0 to halt", fault.clause()))
}

fn count(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| "expected a whole number, 0 or more".to_owned())
}

fn one_or_more(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "expected a whole number, 1 or more".to_owned())
}

pub(super) fn not_negative(text: &str) -> Result<Duration, String> {
    let nanos = go::parse_duration(text)
        .map_err(|error| format!("{error}; write a Go duration such as 90s or 1h30m, up to 292 years"))?;
    u64::try_from(nanos)
        .map(Duration::from_nanos)
        .map_err(|_| "it is negative; a duration is 0 or more here".to_owned())
}

fn positive(text: &str) -> Result<Duration, String> {
    match not_negative(text)? {
        Duration::ZERO => {
            Err("it is 0, and a delay that never grows would retry at once without end; write one such as 250ms"
                .to_owned())
        }
        delay => Ok(delay),
    }
}

impl Args {
    /// Under which policies to simulate.
    fn choices(&self) -> Result<Vec<Choice>, Failure> {
        if !self.compare.is_empty() {
            return Ok(self.compare.iter().map(|compared| compared.0).collect());
        }
        let first = Choice::Found;
        match (self.policy, self.max_delay) {
            (None, None) => Ok(vec![first]),
            (None, Some(seconds)) => Ok(vec![first, Choice::Ceiling(seconds)]),
            (Some(PolicyArg::Ceiling), Some(seconds)) => Ok(vec![Choice::Ceiling(seconds)]),
            (Some(PolicyArg::Ceiling), None) => {
                Err(Failure::Usage("--policy ceiling: --max-delay is missing, which gives its seconds".to_owned()))
            }
            (Some(_), Some(_)) => Err(Failure::Usage(
                "--max-delay belongs to --policy ceiling; --compare sets policies side by side".to_owned(),
            )),
            (Some(PolicyArg::Default), None) => Ok(vec![Choice::Default]),
            (Some(PolicyArg::Plural), None) => Ok(vec![Choice::Plural]),
            (Some(PolicyArg::ControllerRuntime), None) => Ok(vec![Choice::ControllerRuntime]),
        }
    }

    fn options(&self) -> Options {
        let mut events = self.events.clone();
        // Events of the same time stay in the order given.
        events.sort_by_key(|event| event.at);
        Options {
            failures: self.failures.or(self.until.is_none().then_some(DEFAULT_FAILURES)),
            until: self.until,
            succeed_after: self.succeed_after,
            reconcile: self.reconcile_duration.unwrap_or_default(),
            jitter: self.jitter,
            events,
        }
    }
}

/// How many failures are simulated if nothing else is said.
const DEFAULT_FAILURES: u64 = 10;

pub(super) fn run(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    args.world.check()?;
    args.scenario.check()?;
    if let Some(script) = &args.scenario.scenario {
        return args.scenario.run(script, args, terminal);
    }
    if args.chart && args.output != Format::Table {
        return Err(Failure::Usage("--chart is for people: leave it or -o out (--svg writes a picture)".to_owned()));
    }
    let picture = args.svg.as_deref().map(create).transpose()?;
    let of_objects = !args.paths.paths.is_empty() || !args.paths.files.is_empty();
    let choices = args.choices()?;
    let read = match of_objects {
        true => Some(inputs::read(&args.paths.inputs("simulate")?, &args.paths.reading)),
        false => None,
    };
    let now = args.world.time();
    let (world, mut problems) = match &read {
        Some(read) => {
            let (world, context) = args.world.world(args.world.kcc_version, now, read);
            (world, read.problems.iter().cloned().chain(context).collect())
        }
        None => (args.world.bare(now), Vec::new()),
    };
    let options = args.options();
    let objects: Option<Vec<&Object>> =
        read.as_ref().map(|read| read.objects().filter(|one| is_worked_on(one)).collect());
    let courses = courses(objects.as_deref(), &world, &choices, args.base_delay, &options);
    let mut seen = HashSet::new();
    for problem in courses.iter().flat_map(|course| &course.problems) {
        if seen.insert((problem.place.as_ref(), problem.code, problem.message.as_str())) {
            problems.push(problem.clone());
        }
    }
    problems.extend(args.world.doubts());
    if courses.iter().any(|course| matches!(course.behaviour.watch, Watch::Kcc(_))) {
        let keys = options.events.iter().filter_map(|event| event.what.annotation());
        problems.extend(keys.filter_map(|(key, _)| inputs::doubt("--event", key)));
    }
    let simulated = Simulated {
        world: &world,
        courses: &courses,
        options: &options,
        start: args.start.unwrap_or_else(|| whole_seconds(now)),
        problems: &problems,
        summary: read.as_ref().map(|read| read.summary),
    };
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let written = match args.output {
        Format::Table if args.chart => output::chart(&mut out, terminal.out, &simulated),
        Format::Table => output::table(&mut out, terminal.out, &simulated),
        Format::Json => output::json(&mut out, &simulated),
        Format::Yaml => output::yaml(&mut out, &simulated),
        Format::Csv => output::csv(&mut out, &simulated),
    };
    inputs::unless_closed(written.and_then(|()| out.flush()))?;
    inputs::say(|err| {
        complain(err, terminal.err, &problems)?;
        if courses.is_empty() && read.as_ref().is_some_and(|read| read.objects().next().is_some()) {
            writeln!(err, "nothing to simulate: none of the objects has a resource controller")?;
        }
        match (&read, args.quiet) {
            (Some(read), false) => summarize(err, &read.summary, &crate::assess::Census::default()),
            _ => Ok(()),
        }
    })?;
    if let (Some(file), Some(path)) = (picture, &args.svg) {
        let mut file = BufWriter::new(file);
        let written = output::svg(&mut file, &simulated).and_then(|()| file.flush());
        written.map_err(|error| unwritable(path, &error))?;
    }
    let failed = read.as_ref().is_some_and(|read| read.failed);
    Ok(if failed { exit::INPUT } else { exit::DONE })
}

/// The file of the picture: what cannot be written is told before anything is simulated.
fn create(path: &Path) -> Result<File, Failure> {
    if path.as_os_str() == "-" {
        return Err(Failure::Usage("--svg writes a file beside the output: name one".to_owned()));
    }
    File::create(path).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::Usage(format!("cannot write the picture {}: {error}", path.display()))
}

/// Whether a resource controller works on an object, and not an operator that it configures.
fn is_worked_on(object: &Object) -> bool {
    match object {
        Object::Kcc(facts) => !kcc::is_configuration_group(facts.reference.group()),
        Object::Plural(_) => true,
    }
}

/// A start of nobody's choice need not have more digits than are worth reading.
pub(super) fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}

impl WorldArgs {
    /// The world without any inputs.
    pub(super) fn bare(&self, now: Timestamp) -> World {
        let mut world = World::new(self.kcc_version, self.ceiling_since, now);
        world.set = self.settings();
        world
    }
}
