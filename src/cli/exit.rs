//! Exit codes, the same for every command and output format.

/// Done; nothing that the caller asked to be told about.
pub const DONE: u8 = 0;
/// Usage error, or input that could not be read.
pub const INPUT: u8 = 2;

/// The part of `--help` that documents them.
pub const HELP: &str = "\
Exit codes:
  0  done
  2  usage error, or input that could not be read (everything readable is still described)";
