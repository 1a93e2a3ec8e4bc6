//! Parsing that agrees with Go to the letter.
//!
//! The controllers whose behaviour this crate predicts are written in Go: they read annotations with
//! `strconv.ParseInt`, durations with `time.ParseDuration`, and manifests reach them through `kubectl`, which reads
//! YAML with `sigs.k8s.io/yaml`. A value that one of these refuses, or takes for another number, changes what the
//! controller does next. So these functions take exactly the texts Go takes, give the same values, and word refusals
//! as Go words them. Oddities of Go are kept on purpose.
//!
//! Everything here is a pure function of its arguments. `tests/cli/go_parity.rs` compares each with Go itself.

mod duration;
mod int;
mod json;
mod quote;
pub mod yaml;

pub use duration::{DurationError, DurationFault, format_duration, parse_duration};
pub use int::{IntError, parse_int};
pub use json::{json, json_of_any, sorted};
pub use quote::quote;
pub use yaml::{Scalar, Style, resolve};
