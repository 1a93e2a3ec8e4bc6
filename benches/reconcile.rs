//! How long `kcc-backoff reconcile-once` takes to plan a thousand objects against a Console that answers after 50 ms, and how
//! many requests that costs; beside the same plan with one request at a time, and beside a Console that answers at once;
//! `cargo bench --bench reconcile`. Nothing is asserted.

#[path = "../tests/cli/console_server/mod.rs"]
mod console_server;
mod measure;

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use console_server::{Fault, TOKEN, TestConsole};
use measure::{Contestant, Result, measure};
use serde_json::json;

const OBJECTS: usize = 1000;
const ROUNDS: usize = 7;
const LATENCY: Duration = Duration::from_millis(50);
const OURS: &str = env!("CARGO_BIN_EXE_kcc-backoff");

fn main() -> Result<()> {
    // `cargo test --all-targets` runs this file, too, without the argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        println!("nothing measured: run `cargo bench --bench reconcile`");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("token"), TOKEN)?;
    std::fs::write(folder.path().join("manifest.yaml"), manifests()?)?;
    let (slow, prompt) = (console(), console());
    slow.fault(Fault::Latency(LATENCY));
    let call = |console: &TestConsole, concurrency: &str| {
        let mut command = Command::new(OURS);
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.args([
            "reconcile-once",
            "manifest.yaml",
            "--console-token-file",
            "token",
            "--console-url",
            &console.url(),
        ]);
        command.args(["--concurrency", concurrency]);
        command
    };
    let status = call(&slow, "8").status()?;
    let requests = slow.requests();
    let look_ups: usize = requests.iter().map(|request| request.fields).sum();
    println!(
        "{OBJECTS} objects of seven kinds: {} requests with {look_ups} look-ups, at most {} at once; exit code {:?}",
        requests.len(),
        slow.most_in_flight(),
        status.code()
    );
    println!("(wanted: fewer than 100 requests)\n");
    let mut contestants = vec![
        Contestant::process("50 ms, 8 at once", call(&slow, "8")),
        Contestant::process("50 ms, 1 at a time", call(&slow, "1")),
        Contestant::process("0 ms, 8 at once", call(&prompt, "8")),
        Contestant::process("explain, no Console", explain(folder.path())),
    ];
    measure(&mut contestants, ROUNDS)?;
    println!(
        "{ROUNDS} rounds in turn; a look-up a request, one after another, would wait {} s alone",
        OBJECTS as f64 * 0.05
    );
    println!("{:<22} {:>7}  least to most, s", "", "median");
    for one in &contestants {
        let (least, median, most) = one.spread();
        let [least, median, most] = [least, median, most].map(|time| time.as_secs_f64());
        println!("{:<22} {median:>7.3}  {least:.3} to {most:.3}", one.name);
    }
    println!("(wanted of the first: under 3 s)");
    folder.close()?;
    Ok(())
}

fn explain(folder: &Path) -> Command {
    let mut command = Command::new(OURS);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.args(["explain", "manifest.yaml"]);
    command
}

/// Seven kinds in turn, with references and bindings that repeat as they do in a fleet.
fn manifests() -> std::result::Result<String, std::fmt::Error> {
    let mut text = String::new();
    for number in 0..OBJECTS {
        let (kind, spec) = match number % 7 {
            0 => {
                ("Project", format!("{{name: x-{number}, bindings: {{read: [{{groupName: team-{}}}]}}}}", number % 40))
            }
            1 => ("Catalog", "{author: Meadow, projectRef: {name: shared}}".to_owned()),
            2 => ("GitRepository", format!("{{url: \"https://git.meadow.example/x-{number}.git\"}}")),
            3 => (
                "NotificationSink",
                format!("{{name: x-{number}, type: PLURAL, bindings: [{{groupName: team-{}}}]}}", number % 40),
            ),
            4 => ("ServiceAccount", format!("{{email: x-{number}@meadow.example}}")),
            5 => (
                "PrAutomation",
                "{scmConnectionRef: {name: forge}, title: t, message: m, configuration: [{name: a, type: STRING}]}"
                    .to_owned(),
            ),
            _ => {
                ("ServiceContext", "{projectRef: {name: shared}, configuration: {a: 1, b: {c: [1, 2, 3]}}}".to_owned())
            }
        };
        write!(
            text,
            "apiVersion: deployments.plural.sh/v1alpha1\nkind: {kind}\nmetadata: {{name: x-{number}, namespace: infra}}\nspec: {spec}\n---\n"
        )?;
    }
    Ok(text)
}

/// Half of them are there.
fn console() -> TestConsole {
    let console = TestConsole::start();
    console.put("project", json!({"name": "shared"}));
    console.put("scmConnection", json!({"name": "forge", "type": "GITHUB"}));
    for team in 0..40 {
        console.put("group", json!({"name": format!("team-{team}")}));
    }
    for number in (0..OBJECTS).filter(|number| number % 2 == 0) {
        let name = format!("x-{number}");
        match number % 7 {
            0 => console.put("project", json!({"name": name})),
            1 => console.put("catalog", json!({"name": name, "author": "Meadow"})),
            2 => console.put(
                "gitRepository",
                json!({"url": format!("https://git.meadow.example/{name}.git"), "health": "PULLABLE"}),
            ),
            3 => console.put("notificationSink", json!({"name": name, "type": "PLURAL", "configuration": {"id": "c"}})),
            4 => console.put("user", json!({"name": name, "email": format!("{name}@meadow.example")})),
            5 => console.put("prAutomation", json!({"name": name, "title": "t"})),
            _ => console.put("serviceContext", json!({"name": name, "configuration": {"a": 1}})),
        };
    }
    console
}
