//! The command line: arguments in, library calls, output out. One file per command.

mod completions;
mod diff;
pub mod exit;
mod explain;
mod inputs;
mod kinds;
mod list;
mod report;
// mod reconcile_once;
mod scenario;
mod simulate;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{CommandFactory, Parser, Subcommand};

use crate::output::{ColorChoice, Terminal};

/// Tells what your Kubernetes controllers will do next with an object.
///
/// For Google's Config Connector: which controller handles an object, how failures are retried, which ceiling or halt
/// is in effect and who says so, what wakes it, when the next attempt comes.
///
/// For the Plural Console: whether an object would create its remote, take over what is there (and later delete it), or
/// only read it, what deleting it does, when it is looked at again, and what it waits for.
#[derive(Debug, Parser)]
#[command(name = "kcc-backoff", version, after_help = exit::HELP, max_term_width = 100)]
struct Cli {
    /// When to use colour; goes before NO_COLOR and CLICOLOR_FORCE.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Explain(explain::Args),
    List(list::Args),
    Diff(diff::Args),
    Simulate(Box<simulate::Args>),
    Kinds(kinds::Args),
    Completions(completions::Args),
}

/// What ends a command early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The user's call cannot be carried out.
    #[error("{0}")]
    Usage(String),
    /// Output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

/// Runs the program with `args` (the program's name first) and returns its exit code; see [`exit`].
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().collect();
    // A shell that asks for completions wants no other word on standard output.
    if let Some(shell) = std::env::var_os(completions::VARIABLE)
        && let Some(code) = completions::answer(&shell, &args, Cli::command)
    {
        return code;
    }
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        // Help and version are successes that clap reports as errors. A closed pipe is a normal end for all of them.
        Err(error) if !error.use_stderr() => {
            let _ = error.print();
            return exit::DONE;
        }
        Err(error) => {
            // The message repeats what the user gave, which may come from a stranger's script.
            let text = error.render().to_string();
            let lines: Vec<_> = text.lines().map(crate::output::escape).collect();
            let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
            return exit::INPUT;
        }
    };
    let terminal = Terminal::detect(cli.color);
    let result = match cli.command {
        Command::Explain(args) => explain::run(&args, terminal),
        Command::List(args) => list::run(&args, terminal),
        Command::Diff(args) => diff::run(&args, terminal),
        Command::Simulate(args) => simulate::run(&args, terminal),
        Command::Kinds(args) => kinds::run(&args, terminal),
        Command::Completions(args) => completions::run(&args),
    };
    match result {
        Ok(code) => code,
        // Nobody reads on: a normal end.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => exit::DONE,
        Err(failure) => {
            let message = failure.to_string();
            let _ = writeln!(io::stderr(), "kcc-backoff: {}", crate::output::escape(&message));
            exit::INPUT
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
