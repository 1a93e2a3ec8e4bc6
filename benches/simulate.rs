//! How fast `kcc-backoff simulate` is: a million attempts of one object as CSV beside `seq` printing as many bytes, and
//! its start-up beside that of `explain`; `cargo bench --bench simulate`. Nothing is asserted.

mod measure;

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};

use measure::{Contestant, Result, measure, on_path, peak};

const ROUNDS: usize = 15;
const STARTS: usize = 200;
const OURS: &str = env!("CARGO_BIN_EXE_kcc-backoff");
const ATTEMPTS: &str = "1000000";
const START: &str = "2026-11-30T00:00:00Z";

fn main() -> Result<()> {
    // `cargo test --all-targets` runs this file, too, without the argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        println!("nothing measured: run `cargo bench --bench simulate`");
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    attempts(folder.path())?;
    start_up(folder.path())?;
    memory()?;
    folder.close()?;
    Ok(())
}

fn ours(args: &[&str]) -> Command {
    let mut command = Command::new(OURS);
    command.args(args).args(["--now", START]);
    command
}

/// A process whose output goes into a file, as a million rows do.
fn into_file<'a>(name: &'static str, folder: &Path, mut command: Command) -> Contestant<'a> {
    let path = folder.join(name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-"));
    command.stdin(Stdio::null()).stderr(Stdio::null());
    Contestant::new(
        name,
        Box::new(move || {
            command.stdout(File::create(&path)?);
            Ok(command.status()?.success())
        }),
    )
}

fn attempts(folder: &Path) -> Result<()> {
    let csv = ["simulate", "--failures", ATTEMPTS, "-o", "csv"];
    let printed = ours(&csv).output()?.stdout.len();
    let mut contestants = vec![into_file("simulate -o csv", folder, ours(&csv))];
    for (name, format) in [("simulate -o json", "json"), ("simulate -o yaml", "yaml"), ("simulate (table)", "table")] {
        contestants.push(into_file(name, folder, ours(&["simulate", "--failures", ATTEMPTS, "-o", format])));
    }
    if on_path("seq") {
        // Seven digits and a line feed a number, eight bytes, from the first million on.
        let mut seq = Command::new("seq");
        seq.args(["1000000", &(1_000_000 + printed / 8).min(99_999_999).to_string()]);
        contestants.push(into_file("seq", folder, seq));
    } else {
        println!("seq is not on the PATH: no comparison with it\n");
    }
    measure(&mut contestants, ROUNDS)?;
    let seq = contestants.iter().find(|one| one.name == "seq");
    println!("{ATTEMPTS} attempts of one object into a file, {ROUNDS} rounds in turn; the CSV has {printed} bytes");
    println!("{:<20} {:>7}  {:<15} {:>10} {:>16}", "", "median", "least to most, s", "times seq", "by the least");
    for one in &contestants {
        let (least, median, most) = one.spread();
        let ratio = |own: f64, base: Option<f64>| base.map_or_else(|| "-".into(), |base| format!("{:.2}", own / base));
        println!(
            "{:<20} {:>7.3}  {:<15}  {:>10} {:>16}",
            one.name,
            median.as_secs_f64(),
            format!("{:.3} to {:.3}", least.as_secs_f64(), most.as_secs_f64()),
            ratio(median.as_secs_f64(), seq.map(|seq| seq.median().as_secs_f64())),
            ratio(least.as_secs_f64(), seq.map(|seq| seq.spread().0.as_secs_f64())),
        );
    }
    println!("(wanted of the CSV: at most twice seq, printing as many bytes)\n");
    Ok(())
}

fn start_up(folder: &Path) -> Result<()> {
    let manifest = folder.join("manifest.yaml");
    let text = "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata: {name: it}\n";
    std::fs::write(&manifest, text)?;
    let on_manifest = |command: &str| {
        let mut call = Command::new(OURS);
        call.args([OsStr::new(command), manifest.as_os_str(), OsStr::new("--now"), OsStr::new(START)]);
        call
    };
    let mut contestants = vec![
        Contestant::process("simulate --failures 10", ours(&["simulate", "--failures", "10"])),
        Contestant::process("simulate manifest.yaml", on_manifest("simulate")),
        Contestant::process("explain manifest.yaml", on_manifest("explain")),
    ];
    measure(&mut contestants, STARTS)?;
    println!("start-up, {STARTS} runs in turn");
    println!("{:<38} {:>7}  least to most, ms", "", "median");
    for one in &contestants {
        let (least, median, most) = one.spread();
        let [least, median, most] = [least, median, most].map(|time| time.as_secs_f64() * 1000.0);
        println!("{:<38} {median:>7.2}  {least:.2} to {most:.2}", one.name);
    }
    println!("(wanted: as for explain)");
    Ok(())
}

/// How much memory attempts take.
fn memory() -> Result<()> {
    println!("\nmemory of `simulate -o csv`, at most");
    for attempts in ["100000", "1000000", "10000000"] {
        match peak(ours(&["simulate", "--failures", attempts, "-o", "csv"]))? {
            Some(kib) => println!("{attempts:>9} attempts: {:.1} MB", kib as f64 / 1024.0),
            None => println!("{attempts:>9} attempts: not measured"),
        }
    }
    Ok(())
}
