//! What users get: one crate of tests, a module for each thing they care about.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod actuation;
mod attributes;
mod ceiling;
mod completions;
mod console_itself;
mod console_server;
mod contract;
mod controllers;
mod deletion;
mod diff;
mod drift;
mod go_parity;
mod halting;
mod json;
mod keys;
mod kinds;
mod list;
mod loading;
mod plural;
mod readme;
mod reconcile;
mod robustness;
mod scenario;
mod screens;
mod simulate;
mod simulate_go;
mod simulate_model;
mod simulate_screens;
mod status;
mod support;
mod worlds;
