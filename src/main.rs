//! The command line tool: runs the library, then exits with one code.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(kcc_backoff::cli::run(std::env::args_os()))
}
