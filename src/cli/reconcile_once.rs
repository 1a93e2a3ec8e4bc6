//! `kcc-backoff reconcile-once`: what one pass over objects of the Plural Console would do.

use std::io::{self, BufWriter, Write};

use super::console::ConsoleArgs;
use super::inputs::{self, PathArgs};
use super::report::{PlanFormat, Report};
use super::{Failure, exit};
use crate::assess::{World, plural};
use crate::object::{Code, Diagnostic, Severity};
use crate::output::{self, PlanReport, Summary, Terminal};
use crate::plural::console::{Answer, LookUp};
use crate::reconcile::{self, Entry, Input, Inputs, Observed, Plan, Planned, Semantics};
use crate::source::{self, Item};

/// Plan one pass over objects of the Plural Console
///
/// Looks up in the Console what the objects stand for, or reads it from a snapshot, and says for each what one pass would
/// do: create it, take it over, update it, delete it, only read it, or wait for something; field by field where it differs,
/// with the mutation, the status and the next pass that would follow. Nothing is sent.
///
/// The plan follows the documented rules. Where the controller in the cluster does otherwise, a line says so;
/// `--semantics controller` plans what that does.
///
/// Secrets and ConfigMaps that objects refer to come from the inputs, and what they hold is never printed. References to
/// other objects are resolved among the inputs, and by name in the Console.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP_RECONCILE)]
pub(super) struct Args {
    #[command(flatten)]
    paths: PathArgs,
    /// By whose rules to plan
    #[arg(long, value_enum, default_value_t)]
    semantics: SemanticsArg,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Format,
    /// Write a report beside the output: markdown=FILE, junit=FILE, github=FILE (- is standard error); may be repeated.
    /// $GITHUB_STEP_SUMMARY is added to
    #[arg(long = "report", value_name = "FORMAT=FILE")]
    reports: Vec<Report<PlanFormat>>,
    /// End with 1 if something would be created, adopted, updated or deleted
    #[arg(long)]
    exit_code: bool,
    /// End with 1 if an object comes to one of these actions, separated by commas; may be repeated
    #[arg(long, value_name = "ACTION", value_enum, value_delimiter = ',')]
    fail_on: Vec<ActionArg>,
    /// Leave out the summary
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    console: ConsoleArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Format {
    /// For people, with a coloured diff
    #[default]
    Text,
    /// kcc-backoff/v1alpha1, an object a line
    Json,
    /// The same as YAML
    Yaml,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum SemanticsArg {
    /// The documentation's
    #[default]
    Documented,
    /// The released in-cluster controller's
    Controller,
}

/// An action that can be forbidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ActionArg {
    /// The remote is absent, and would be created
    Create,
    /// A remote that is there would be taken over
    Adopt,
    /// A remote that is the object's own would be changed
    Update,
    /// A remote would be deleted
    Delete,
    /// Only the id of the remote is taken
    ReadOnly,
    /// Something is missing
    Wait,
    /// A look-up failed
    Unknown,
    /// The object must not, or cannot, be reconciled
    Refuse,
    /// The kind is not reconciled by this release
    NotReconciled,
}

impl ActionArg {
    fn planned(self) -> Planned {
        match self {
            ActionArg::Create => Planned::Create,
            ActionArg::Adopt => Planned::Adopt,
            ActionArg::Update => Planned::Update,
            ActionArg::Delete => Planned::Delete,
            ActionArg::ReadOnly => Planned::ReadOnly,
            ActionArg::Wait => Planned::Wait,
            ActionArg::Unknown => Planned::Unknown,
            ActionArg::Refuse => Planned::Refuse,
            ActionArg::NotReconciled => Planned::NotReconciled,
        }
    }
}

/// What a pass was given.
pub(super) struct Given {
    pub(super) inputs: Inputs,
    pub(super) world: World,
    pub(super) problems: Vec<Diagnostic>,
    pub(super) summary: Summary,
    pub(super) failed: bool,
}

/// Reads the inputs of a pass. `verb` is the command's.
pub(super) fn read(paths: &PathArgs, verb: &str) -> Result<Given, Failure> {
    let named = paths.inputs(verb)?;
    let options = source::Options { recurse: paths.reading.recursive, ..source::Options::default() };
    let namespace = paths.reading.namespace.as_deref();
    let loaded = source::load(&named, &options, &mut io::stdin(), &|item: &Item<'_>| Input::read(item, namespace));
    let failed = loaded.failed();
    let mut problems = loaded.problems;
    let inputs = Inputs::new(loaded.objects);
    problems.extend(inputs.holders.iter().flat_map(|holder| &holder.problems).cloned());
    let counts = loaded.counts;
    let summary = Summary {
        files: counts.files,
        documents: counts.documents,
        kcc: inputs.kcc,
        plural: inputs.subjects.len(),
        other: inputs.other + inputs.holders.len(),
        skipped: counts.skipped,
        broken: counts.broken,
    };
    // Neither release nor time plays a part in a pass against the Console.
    let mut world = World::new(None, None, jiff::Timestamp::UNIX_EPOCH);
    world.inputs = plural::Inputs::of(inputs.subjects.iter().map(|subject| &*subject.facts));
    Ok(Given { inputs, world, problems, summary, failed })
}

pub(super) fn run(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    let mut given = read(&args.paths, "reconcile")?;
    let look_ups = reconcile::look_ups(&given.inputs, &given.world);
    let told = args.console.open(terminal, &mut given.problems, given.inputs.redactor())?;
    let all = if args.console.tells_look_ups() { look_ups.clone() } else { Vec::new() };
    let observed = Observed::ask(told.console(), look_ups);
    if let Ok(observed) = &observed {
        inputs::say(|err| {
            all.iter().try_for_each(|look_up| writeln!(err, "{}", given.inputs.redacted(&outcome(look_up, observed))))
        })?;
    }
    let semantics = match args.semantics {
        SemanticsArg::Documented => Semantics::Documented,
        SemanticsArg::Controller => Semantics::Controller,
    };
    let recorded = told.finish(&|text| given.inputs.redacted(text));
    let (plan, unavailable) = match observed {
        Ok(observed) => (reconcile::plan(&given.inputs, &given.world, &observed, semantics), false),
        Err(unavailable) => {
            given.problems.push(Diagnostic {
                code: Code::Unavailable,
                severity: Severity::Error,
                place: None,
                message: given.inputs.redacted(&unavailable.to_string()),
                fix: None,
            });
            (Plan { semantics, entries: Vec::new(), kcc: given.inputs.kcc }, true)
        }
    };
    let forbidden: Vec<Planned> = args.fail_on.iter().map(|action| action.planned()).collect();
    let report = PlanReport {
        plan: &plan,
        told_by: &told.told_by,
        unavailable: given.problems.last().filter(|_| unavailable).map(|problem| problem.message.as_str()),
        forbidden: &forbidden,
        problems: &given.problems,
        summary: given.summary,
    };
    tell(args, terminal, &report, unavailable)?;
    recorded?;
    Ok(code(args, &plan, &forbidden, given.failed, unavailable))
}

/// What came of a look-up, in a line.
fn outcome(look_up: &LookUp, observed: &Observed) -> String {
    let outcome = match observed.answer(look_up.query, &look_up.value) {
        Answer::Absent => "absent".to_owned(),
        Answer::Found(_) => "there".to_owned(),
        Answer::Failed(reason) => format!("not known: {reason}"),
    };
    output::escape(&format!("{look_up}: {outcome}")).into_owned()
}

/// Prints output, reports and summary.
fn tell(args: &Args, terminal: Terminal, report: &PlanReport<'_>, unavailable: bool) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let written = match args.output {
        // Without the Console there is no plan, and an empty one would look like one.
        Format::Text if unavailable => Ok(()),
        Format::Text => output::plan_text(&mut out, terminal.out, report),
        Format::Json => output::plan_json(&mut out, report),
        Format::Yaml => output::plan_yaml(&mut out, report),
    };
    inputs::unless_closed(written.and_then(|()| out.flush()))?;
    // Complaints and counts come last, where they are seen, and even when nobody reads the output.
    inputs::say(|err| {
        output::complain(err, terminal.err, report.problems)?;
        match args.quiet {
            true => Ok(()),
            false => output::plan_summary(err, &report.summary),
        }
    })?;
    for wanted in &args.reports {
        wanted.write(|out| match wanted.format {
            PlanFormat::Markdown => output::plan_markdown(out, report),
            PlanFormat::Junit => output::plan_junit(out, report),
            PlanFormat::Github => output::plan_github(out, report),
        })?;
    }
    Ok(())
}

/// The first that applies of 2, 3, 4, 1, 0.
fn code(args: &Args, plan: &Plan<'_>, forbidden: &[Planned], failed: bool, unavailable: bool) -> u8 {
    let any = |is: &dyn Fn(Planned) -> bool| plan.entries.iter().any(|entry| is(entry.planned));
    if failed {
        return exit::INPUT;
    }
    if unavailable {
        return exit::UNAVAILABLE;
    }
    if plan.entries.iter().any(Entry::has_failed) {
        return exit::FAILED;
    }
    let findings = any(&|planned| forbidden.contains(&planned)) || (args.exit_code && any(&Planned::is_pending));
    if findings { exit::FINDINGS } else { exit::DONE }
}
