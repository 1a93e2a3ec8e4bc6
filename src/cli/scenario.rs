//! `kcc-backoff simulate --scenario`: an end-to-end script of Config Connector, played without a cluster.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::simulate::{Args, Format, not_negative, whole_seconds};
use super::{Failure, exit, inputs};
use crate::kcc::{self, CeilingSupport};
use crate::object::{Code, Diagnostic, Place, Severity};
use crate::output::simulate::{self as output, Played};
use crate::output::{Terminal, complain};
use crate::simulate::scenario::{BARE_KINDS, FailsWhile, Play, Script, Step, StepDoc, TIMEOUT, differences, play};
use crate::source::{self, Item};

/// What concerns a script.
#[derive(Debug, clap::Args)]
pub(super) struct ScenarioArgs {
    /// Play an end-to-end script of Config Connector (script.yaml) instead, in virtual time
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, conflicts_with_all = [
        "failures", "until", "succeed_after", "max_delay", "policy", "compare", "events", "chart", "svg", "paths", "files",
    ])]
    pub(super) scenario: Option<PathBuf>,
    /// Compare with this file, a part of what --scenario -o yaml prints, and exit with code 1 on a difference
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "scenario")]
    expect: Option<PathBuf>,
    /// Attempts of the script fail while a field of the spec has a value, as in spec.filter=severity>=; an OUTCOME in a
    /// step goes before it; may be repeated
    #[arg(long, value_name = "PATH=VALUE", requires = "scenario")]
    fails_while: Vec<FailsWhile>,
    /// How long a step of the script waits for its condition [default: 35m, as Config Connector's own tests do]
    #[arg(long, value_name = "DURATION", value_parser = not_negative, allow_hyphen_values = true, requires = "scenario")]
    step_timeout: Option<Duration>,
    /// Exit with code 1 if a step of the script would not pass
    #[arg(long, requires = "scenario")]
    exit_code: bool,
}

impl ScenarioArgs {
    /// Plays the script at `path`.
    ///
    /// # Errors
    /// When the call cannot be carried out, or the output not be written.
    pub(super) fn run(&self, path: &Path, args: &Args, terminal: Terminal) -> Result<u8, Failure> {
        let options = source::Options { bare_kinds: &BARE_KINDS, ..source::Options::default() };
        let namespace = args.paths.reading.namespace.as_deref();
        let loaded = source::load(&[inputs::input(path)], &options, &mut io::stdin(), &|item: &Item<'_>| {
            StepDoc::read(item.node, item.api_version, item.kind, item.file, namespace)
        });
        // A script with a hole in it would be another script.
        if loaded.failed() {
            inputs::say(|err| complain(err, terminal.err, &loaded.problems))?;
            return Ok(exit::INPUT);
        }
        let script = match Script::new(loaded.objects) {
            Ok(script) => script,
            Err(problems) => {
                inputs::say(|err| complain(err, terminal.err, &problems))?;
                return Ok(exit::INPUT);
            }
        };
        let now = args.world.time();
        let world = args.world.bare(now);
        let has_ceiling =
            |step: &Step| step.object.as_ref().is_some_and(|object| object.annotations.contains_key(kcc::CEILING));
        if world.release.ceiling_support(world.ceiling_since) == CeilingSupport::Unknown
            && script.steps.iter().any(has_ceiling)
        {
            return Err(Failure::Usage(format!(
                "whether {} reads the ceiling annotation of the script is not known: --ceiling-since says since when",
                world.release
            )));
        }
        let how = Play {
            timeout: self.step_timeout.unwrap_or(TIMEOUT),
            reconcile: args.reconcile_duration.unwrap_or_default(),
            jitter: args.jitter.jitter.clone(),
            base: args.base_delay,
            fails_while: self.fails_while.clone(),
        };
        let told = play(&script, &world, &how);
        let mut problems = loaded.problems;
        problems.extend(told.problems.iter().cloned());
        problems.extend(args.world.doubts());
        let start = args.start.unwrap_or_else(|| whole_seconds(now));
        let played = Played { world: &world, told: &told, start, problems: &problems };
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout());
        let written = match args.output {
            Format::Table => output::scenario_text(&mut out, terminal.out, &played),
            Format::Json => output::scenario_json(&mut out, &played),
            Format::Yaml => output::scenario_yaml(&mut out, &played),
            Format::Csv => output::scenario_csv(&mut out, &played),
        };
        inputs::unless_closed(written.and_then(|()| out.flush()))?;
        let (steps, passing) = (told.steps.len(), played.passing());
        let compared =
            self.expect.as_deref().map(|path| compare(path, &output::scenario_value(&played)?)).transpose()?;
        inputs::say(|err| {
            complain(err, terminal.err, &problems)?;
            if let Some(compared) = &compared {
                complain(err, terminal.err, &compared.problems)?;
                complain(err, terminal.err, &compared.differences)?;
            }
            if args.quiet {
                return Ok(());
            }
            let verdict = match &compared {
                None => String::new(),
                Some(compared) if !compared.problems.is_empty() => {
                    "; not compared: the expectation cannot be read".to_owned()
                }
                Some(compared) => match compared.differences.len() {
                    0 => "; as expected".to_owned(),
                    1 => "; 1 difference from what is expected".to_owned(),
                    count => format!("; {count} differences from what is expected"),
                },
            };
            let plural = if steps == 1 { "step" } else { "steps" };
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

/// What came of a comparison.
struct Compared {
    /// Why the expectation cannot be read.
    problems: Vec<Diagnostic>,
    /// What differs.
    differences: Vec<Diagnostic>,
}

/// Compares with the expectation in a file.
fn compare(path: &Path, told: &serde_json::Value) -> Result<Compared, Failure> {
    let options = source::Options::default();
    let loaded = source::load(&[inputs::input(path)], &options, &mut io::stdin(), &|item: &Item<'_>| match (
        item.api_version,
        item.kind,
    ) {
        ("kcc-backoff/v1alpha1", "ScenarioSimulation") => Ok(differences(item.node, item.file, told)),
        _ => {
            let message =
                "no expectation: it begins with apiVersion: kcc-backoff/v1alpha1 and kind: ScenarioSimulation";
            let place = Place::new(item.file, item.node.pos());
            Err(Diagnostic::new(Code::Expectation, Severity::Error, place, message))
        }
    });
    let mut compared = Compared { problems: loaded.problems, differences: Vec::new() };
    compared.problems.retain(|problem| problem.severity == Severity::Error);
    for object in loaded.objects {
        match object {
            Ok(mut found) => compared.differences.append(&mut found),
            // One is enough to know that it is another file.
            Err(problem) => {
                compared.problems.push(problem);
                break;
            }
        }
    }
    Ok(compared)
}
