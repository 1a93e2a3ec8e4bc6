//! `kcc-backoff console-snapshot`: what a Console holds, to plan with offline.

use std::io::{self, BufWriter, Write};

use jiff::Timestamp;

use super::console::ConsoleArgs;
use super::inputs::{self, PathArgs};
use super::{Failure, exit, reconcile_once};
use crate::console::snapshot;
use crate::object::{Code, Diagnostic, Severity};
use crate::output::{self, Terminal};
use crate::plural::console::Answer;
use crate::reconcile;

/// Write what a Console holds of what the objects name, without secrets
///
/// Asks for what `reconcile-once` would ask for the same objects, and prints the answers as a YAML file that it plans from
/// with `--console-snapshot`. What the Console does not hold is listed as absent, what could not be looked up is left out,
/// and is unknown to plans. Secrets are written as ***: plans say of them that they cannot be compared.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP_SNAPSHOT)]
pub(super) struct Args {
    #[command(flatten)]
    paths: PathArgs,
    /// The time to write into it, as in 2026-11-30T03:12:00Z; the clock's by default
    #[arg(long, value_name = "TIME", value_parser = inputs::time)]
    now: Option<Timestamp>,
    /// Leave out the summary
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    console: ConsoleArgs,
}

pub(super) fn run(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    let mut given = reconcile_once::read(&args.paths, "take a snapshot for")?;
    let look_ups = reconcile::look_ups(&given.inputs, &given.world);
    let told = args.console.open(terminal, &mut given.problems, given.inputs.redactor())?;
    let asked = if look_ups.is_empty() { Ok(Vec::new()) } else { told.console().look_up(&look_ups) };
    let recorded = told.finish(&|text| given.inputs.redacted(text));
    let complaint =
        |message: String, code| Diagnostic { code, severity: Severity::Error, place: None, message, fix: None };
    let answers = match asked {
        Ok(answers) => answers,
        Err(unavailable) => {
            given.problems.push(complaint(given.inputs.redacted(&unavailable.to_string()), Code::Unavailable));
            inputs::say(|err| output::complain(err, terminal.err, &given.problems))?;
            recorded?;
            return Ok(if given.failed { exit::INPUT } else { exit::UNAVAILABLE });
        }
    };
    let taken = args.now.unwrap_or_else(Timestamp::now);
    let taken = taken.round(jiff::Unit::Second).unwrap_or(taken).to_string();
    let document = snapshot::document(&told.address, &taken, &look_ups, &answers, &|text| given.inputs.redacted(text));
    let mut out = BufWriter::new(io::stdout());
    inputs::unless_closed(output::any_yaml(&mut out, &document).and_then(|()| out.flush()))?;
    let (mut there, mut absent, mut failed) = (0, 0, 0);
    for ((look_up, answer), ambiguous) in look_ups.iter().zip(&answers).zip(snapshot::ambiguous(&look_ups)) {
        match answer {
            _ if ambiguous => {
                failed += 1;
                let message = format!("{look_up} is left out: without its login it cannot be told from another one");
                given.problems.push(complaint(message, Code::Snapshot));
            }
            Answer::Found(_) => there += 1,
            Answer::Absent => absent += 1,
            Answer::Failed(reason) => {
                failed += 1;
                given.problems.push(complaint(
                    format!("{look_up} could not be looked up: {}", given.inputs.redacted(reason)),
                    Code::Unavailable,
                ));
            }
        }
    }
    inputs::say(|err| {
        output::complain(err, terminal.err, &given.problems)?;
        match args.quiet {
            true => Ok(()),
            false => writeln!(err, "{there} there, {absent} absent, {failed} not looked up"),
        }
    })?;
    recorded?;
    Ok(match (given.failed, failed) {
        (true, _) => exit::INPUT,
        (false, 0) => exit::DONE,
        (false, _) => exit::FAILED,
    })
}
