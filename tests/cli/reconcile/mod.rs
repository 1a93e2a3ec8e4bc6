//! `reconcile-once`: what a pass against the Console would do, against console.md and console-decisions.csv. The real binary
//! asks the test Console.

mod files;
mod hostile;
mod plans;
mod references;
mod rows;
mod screens;
mod wire;

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::console_server::{TOKEN, TestConsole};
use crate::support::{binary, stderr, stdout};

/// What a Console holds.
#[derive(Default, Clone)]
pub struct Holding {
    there: Vec<(String, Value)>,
    forbidden: Vec<(String, String)>,
}

impl Holding {
    pub fn put(&mut self, field: &str, value: Value) {
        self.there.push((field.to_owned(), value));
    }

    pub fn forbid(&mut self, field: &str, value: &str) {
        self.forbidden.push((field.to_owned(), value.to_owned()));
    }

    fn console(&self) -> TestConsole {
        let console = TestConsole::start();
        for (field, value) in &self.there {
            console.put(field, value.clone());
        }
        for (field, value) in &self.forbidden {
            console.fail(field, value, "forbidden");
        }
        console
    }
}

/// What is asked besides the manifests.
#[derive(Default)]
pub struct Asked<'a> {
    pub args: &'a [&'a str],
}

/// `reconcile-once` on `manifest.yaml` of a folder, against a Console.
pub fn reconcile(console: &TestConsole, folder: &Path, args: &[&str]) -> Command {
    std::fs::write(folder.join("token"), TOKEN).unwrap();
    let mut command = binary(folder);
    command.args(["reconcile-once", "manifest.yaml", "--console-token-file", "token", "--console-url"]);
    command.arg(console.url()).args(args);
    command
}

/// A run of it on a text.
pub fn run(console: &TestConsole, text: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    reconcile(console, folder.path(), args).output().unwrap()
}

/// The JSON of a plan, whatever its exit code. Every request of it was one that the schema allows.
pub fn plan_of(holding: &Holding, text: &str, asked: &Asked<'_>) -> Value {
    let console = holding.console();
    let output = run(&console, text, &[&["-o", "json"], asked.args].concat());
    console.assert_valid();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}\n{}", stdout(&output), stderr(&output)))
}
