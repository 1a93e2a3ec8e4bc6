//! What Kubernetes controllers will do next with an object, told from its manifest.
//!
//! The binary `kcc-backoff` is a thin wrapper over this library. Arrows between modules point down only:
//!
//! ```text
//! cli        arguments in, library calls, output out; one file per command
//! output     everything that is printed: text, tables, JSON, YAML, names, Markdown
//! source     where objects come from: files, folders, archives, standard input
//! simulate   when the attempts come: a model of an object in its queue, events, end-to-end scripts
//! diff       what changes in behaviour between two trees, or two releases
//! assess     THE answer: Object::assess(world) -> Answer, for both systems, and the same in short for lists
//! kcc        what Config Connector does: controllers by release, ceiling, drift interval, wake-ups
//! plural     what the Plural Console's controllers do: decisions by situation, kinds, identity, requeues
//! backoff    ladders: pure arithmetic of delays
//! object     what an object is: spanned tree, identity, metadata, conditions, places; Diagnostic
//! go         parsing that must agree with Go to the letter
//! human      durations and times as people write them
//! ```
//!
//! `go`, `human`, `object`, `backoff`, `kcc`, `plural`, `assess`, `diff` and `simulate` are pure: no I/O, no clock, no environment.
//! The current time, the release and the defaults are arguments.
#![forbid(unsafe_code)]
#![warn(missing_docs)]
// Only `output` prints, and to the writer it is given; nothing ends the process but the end of `main`.
#![cfg_attr(
    not(test),
    deny(
        clippy::print_stdout,
        clippy::print_stderr,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::exit,
        clippy::todo,
        clippy::unimplemented,
        clippy::dbg_macro
    )
)]

pub mod assess;
pub mod backoff;
pub mod cli;
pub mod console;
pub mod diff;
pub mod go;
pub mod human;
pub mod kcc;
pub mod object;
pub mod output;
pub mod plural;
pub mod reconcile;
pub mod simulate;
pub mod source;
