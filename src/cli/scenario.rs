//! `kcc-backoff simulate --scenario`: an end-to-end script of Config Connector, played without a cluster.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::simulate::{Args, Format, not_negative, whole_seconds};
use super::{Failure, exit, inputs};
use crate::assess::World;
use crate::kcc::{self, CeilingSupport};
use crate::object::{Code, Diagnostic, Place, Severity};
use crate::output::simulate::{self as output, Played};
use crate::output::{Terminal, complain};
use crate::simulate::scenario::{BARE_KINDS, FailsWhile, Play, Script, Step, StepDoc, Told, differences, play};
use crate::source::{self, Item};

/// What concerns a script.
#[derive(Debug, clap::Args)]
pub(super) struct ScenarioArgs {
    /// Play an end-to-end script of Config Connector (script.yaml) instead, in virtual time
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with_all = [
        "failures", "until", "succeed_after", "max_delay", "policy", "compare", "events", "chart", "svg", "paths", "files",
    ])]
    pub(super) scenario: Option<PathBuf>,
    /// Compare with this file, which holds any part of the steps that --scenario -o yaml prints, and exit with code 1 on a
    /// difference
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "scenario")]
    expect: Option<PathBuf>,
    /// Attempts of the script fail while a field of the spec has a value, as in spec.filter=severity>=; an OUTCOME in a
    /// step goes before it; may be repeated
    #[arg(long, value_name = "PATH=VALUE", requires = "scenario")]
    fails_while: Vec<FailsWhile>,
    /// How long a step of the script waits for its condition [default: as Config Connector's own tests do, 10s for
    /// WAIT-FOR-HTTP-REQUEST and 35m for others]
    #[arg(long, value_name = "DURATION", value_parser = not_negative, allow_hyphen_values = true, requires = "scenario")]
    step_timeout: Option<Duration>,
    /// Exit with code 1 if a step of the script would not pass
    #[arg(long, requires = "scenario")]
    exit_code: bool,
}

impl ScenarioArgs {
    /// Refuses what makes sense only with a script. (To clap, an option whose requirement conflicts with another that was
    /// given is free of it.)
    ///
    /// # Errors
    /// When there is no script, and something was said of one.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let given = [
            ("--expect", self.expect.is_some()),
            ("--fails-while", !self.fails_while.is_empty()),
            ("--step-timeout", self.step_timeout.is_some()),
            ("--exit-code", self.exit_code),
        ];
        match given.iter().find(|(_, given)| *given && self.scenario.is_none()) {
            Some((option, _)) => Err(Failure::Usage(format!("{option} needs a script: --scenario names it"))),
            None => Ok(()),
        }
    }

    /// Plays the script at `path`.
    ///
    /// # Errors
    /// When the call cannot be carried out, or the output not be written.
    pub(super) fn run(&self, path: &Path, args: &Args, terminal: Terminal) -> Result<u8, Failure> {
        if path.is_dir() {
            return Err(Failure::Usage(format!("{} is a folder: name one script", path.display())));
        }
        let world = args.world.bare(args.world.time());
        let start = args.start.unwrap_or_else(|| whole_seconds(world.now));
        let (script, mut problems) = read(path, args.paths.reading.namespace.as_deref());
        let Some(script) = script else {
            // What is wrong is told in data, too.
            let told = Told { steps: Vec::new(), problems: Vec::new() };
            if matches!(args.output, Format::Json | Format::Yaml) {
                print(args.output, terminal, &Played { world: &world, told: &told, start, problems: &problems })?;
            }
            inputs::say(|err| complain(err, terminal.err, &problems))?;
            return Ok(exit::INPUT);
        };
        refuse_guessing(&script, &world)?;
        let how = Play {
            timeout: self.step_timeout,
            reconcile: args.reconcile_duration.unwrap_or_default(),
            jitter: args.jitter,
            base: args.base_delay,
            fails_while: self.fails_while.clone(),
        };
        let told = play(&script, &world, &how);
        problems.extend(told.problems.iter().cloned());
        problems.extend(args.world.doubts());
        let compared = match &self.expect {
            None => None,
            Some(path) => {
                let played = Played { world: &world, told: &told, start, problems: &[] };
                Some(compare(path, &output::scenario_value(&played)?))
            }
        };
        if let Some(compared) = &compared {
            problems.extend(compared.problems.iter().chain(&compared.differences).cloned());
        }
        let played = Played { world: &world, told: &told, start, problems: &problems };
        print(args.output, terminal, &played)?;
        let (steps, passing) = (told.steps.len(), played.passing());
        inputs::say(|err| {
            complain(err, terminal.err, &problems)?;
            if args.quiet {
                return Ok(());
            }
            let plural = if steps == 1 { "step" } else { "steps" };
            let verdict = compared.as_ref().map_or_else(String::new, Compared::verdict);
            writeln!(err, "{steps} {plural}: {passing} would pass{verdict}")
        })?;
        Ok(match compared {
            Some(compared) if !compared.problems.is_empty() => exit::INPUT,
            Some(compared) if !compared.differences.is_empty() => exit::FINDINGS,
            _ if self.exit_code && passing < steps => exit::FINDINGS,
            _ => exit::DONE,
        })
    }
}

/// The script in a file, unless something is wrong with it: one with a hole in it would be another script.
fn read(path: &Path, namespace: Option<&str>) -> (Option<Script>, Vec<Diagnostic>) {
    let options = source::Options { bare_kinds: &BARE_KINDS, ..source::Options::default() };
    let loaded = source::load(&[inputs::input(path)], &options, &mut io::stdin(), &|item: &Item<'_>| {
        StepDoc::read(item.node, item.api_version, item.kind, item.file, namespace)
    });
    if loaded.failed() {
        return (None, loaded.problems);
    }
    match Script::new(loaded.objects) {
        Ok(script) => (Some(script), loaded.problems),
        Err(problems) => (None, loaded.problems.into_iter().chain(problems).collect()),
    }
}

/// Refuses a script with a ceiling where it is not known whether the release reads it.
fn refuse_guessing(script: &Script, world: &World) -> Result<(), Failure> {
    let has_ceiling =
        |step: &Step| step.object.as_ref().is_some_and(|object| object.annotations.contains_key(kcc::CEILING));
    let unknown = world.release.ceiling_support(world.ceiling_since) == CeilingSupport::Unknown;
    if !unknown || !script.steps.iter().any(has_ceiling) {
        return Ok(());
    }
    let release = world.release;
    Err(Failure::Usage(format!(
        "whether {release} reads the ceiling annotation of the script is not known: --ceiling-since says since when \
         ({release}, or a later one to play it as ignored)"
    )))
}

fn print(format: Format, terminal: Terminal, played: &Played<'_>) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
    let written = match format {
        Format::Table => output::scenario_text(&mut out, terminal.out, played),
        Format::Json => output::scenario_json(&mut out, played),
        Format::Yaml => output::scenario_yaml(&mut out, played),
        Format::Csv => output::scenario_csv(&mut out, played),
    };
    inputs::unless_closed(written.and_then(|()| out.flush())).map(|_| ())
}

/// What came of a comparison.
struct Compared {
    /// Why the expectation cannot be read.
    problems: Vec<Diagnostic>,
    /// What differs.
    differences: Vec<Diagnostic>,
}

impl Compared {
    /// What is said of it behind the counts.
    fn verdict(&self) -> String {
        match self.differences.len() {
            _ if !self.problems.is_empty() => "; not compared: the expectation is not one".to_owned(),
            0 => "; as expected".to_owned(),
            1 => "; 1 difference from what is expected".to_owned(),
            count => format!("; {count} differences from what is expected"),
        }
    }
}

/// Compares with the expectation in a file.
fn compare(path: &Path, told: &serde_json::Value) -> Compared {
    const NONE: &str = "no expectation: it begins with apiVersion: kcc-backoff/v1alpha1 and kind: ScenarioSimulation";
    let options = source::Options::default();
    let loaded = source::load(&[inputs::input(path)], &options, &mut io::stdin(), &|item: &Item<'_>| match (
        item.api_version,
        item.kind,
    ) {
        ("kcc-backoff/v1alpha1", "ScenarioSimulation") => Ok(differences(item.node, item.file, told)),
        _ => {
            let place = Place::new(item.file, item.node.pos());
            Err(Diagnostic::new(Code::Expectation, Severity::Error, place, NONE))
        }
    });
    let mut compared = Compared { problems: loaded.problems, differences: Vec::new() };
    compared.problems.retain(|problem| problem.severity == Severity::Error);
    for problem in &mut compared.problems {
        // What a manifest lacks is not what an expectation lacks.
        if problem.code == Code::NotAnObject {
            (problem.code, problem.message, problem.fix) = (Code::Expectation, NONE.to_owned(), None);
        }
    }
    for object in loaded.objects {
        match object {
            Ok(found) => {
                let (differences, faults): (Vec<_>, Vec<_>) =
                    found.into_iter().partition(|problem| problem.code == Code::Difference);
                compared.differences.extend(differences);
                compared.problems.extend(faults);
            }
            // One is enough to know that it is another file.
            Err(problem) => {
                compared.problems.push(problem);
                break;
            }
        }
    }
    compared
}
