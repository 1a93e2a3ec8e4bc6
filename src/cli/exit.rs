//! Exit codes, the same for every command and output format. The first that applies of 2, 3, 4, 1, 0.

/// Done; nothing that the caller asked to be told about.
pub const DONE: u8 = 0;
/// Findings or differences, where a flag asks to be told of them.
pub const FINDINGS: u8 = 1;
/// Usage error, or input that could not be read.
pub const INPUT: u8 = 2;
/// The Console cannot be reached as a whole, or refuses the credentials.
pub const UNAVAILABLE: u8 = 3;
/// At least one object could not be reconciled, or was refused.
pub const FAILED: u8 = 4;

/// The part of the program's `--help` that documents them.
pub const HELP: &str = "\
Exit codes:
  0  done
  1  findings or differences, where a flag asks for it (list --fail-on, diff --exit-code,
     simulate --expect, simulate --exit-code, reconcile-once --exit-code and --fail-on)
  2  usage error, or input that could not be read (everything readable is still described)
  3  the Plural Console cannot be reached, or refuses the credentials (reconcile-once)
  4  an object could not be looked up, or was refused (reconcile-once)";

/// The same for `reconcile-once`.
pub const HELP_RECONCILE: &str = "\
Exit codes, the first that applies of 2, 3, 4, 1, 0:
  0  done; objects that wait for something included
  1  changes are pending, with --exit-code; or an object comes to an action of --fail-on
  2  usage error, or input that could not be read (everything readable is still planned)
  3  the Console cannot be reached as a whole, or refuses the credentials
  4  an object could not be looked up, or was refused";

/// The same for `console-snapshot`.
pub const HELP_SNAPSHOT: &str = "\
Exit codes, the first that applies of 2, 3, 4, 0:
  0  done
  2  usage error, or input that could not be read
  3  the Console cannot be reached as a whole, or refuses the credentials
  4  something could not be looked up: it is not in the snapshot, and so unknown to plans made of it";

/// The same for `explain`.
pub const HELP_EXPLAIN: &str = "\
Exit codes:
  0  done
  2  usage error, or input that could not be read (everything readable is still described)";

/// The same for `diff`.
pub const HELP_DIFF: &str = "\
Exit codes:
  0  done
  1  there are differences, with --exit-code
  2  usage error, or input that could not be read (everything readable is still compared)";

/// The same for `simulate`.
pub const HELP_SIMULATE: &str = "\
Exit codes:
  0  done
  1  a script differs from --expect, or would not pass, with --exit-code
  2  usage error, or input that could not be read (everything readable is still simulated)";

/// The same for commands that read nothing.
pub const HELP_NO_INPUT: &str = "\
Exit codes:
  0  done
  2  usage error";

/// The same for `list`.
pub const HELP_LIST: &str = "\
Marks, for --only and --fail-on. What the status says:
  halted failing conflict waiting unmanaged deleting paused in-progress unknown deleted up-to-date no-status
What the manifest says:
  refused       the API server refuses it as it stands
  invalid       a ceiling or an interval that the controller refuses, ignores or panics over
  ineffective   a ceiling, override or policy without effect
  frequent      a ceiling that retries more often than none
  halts         a ceiling of \"0\" is in effect: the first error halts it
  no-controller no controller reconciles it
  unknown-kind  its kind is unknown to this version
  create        the Plural controller creates its remote if that is absent
  adopt         the Plural controller takes over a remote that is there
  read-only     the Plural controller only reads a remote that is there
  error         something is wrong with it
  warning       something does not work as its author probably thinks

Exit codes:
  0  done
  1  an object has one of the marks of --fail-on
  2  usage error, or input that could not be read (everything readable is still listed)";
