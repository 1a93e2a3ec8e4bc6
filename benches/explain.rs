//! How fast `kcc-backoff explain` and `list` are, beside kubectl and beside the bare parser, and how much memory a stream
//! of many objects takes; `cargo bench --bench explain`.
//!
//! The folder that it reads is a corpus of manifests, copied until it is large: the folder that the environment
//! variable `KCC_BACKOFF_CORPUS` names, or this repository's `examples`. Everything is measured in turn, round after
//! round, on two threads, so that what else the machine does falls on all alike; only the ratios mean anything on a
//! shared machine. Nothing is asserted.

mod measure;

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use granit_parser::Parser;
use rayon::ThreadPool;
use rayon::prelude::*;

use measure::{Contestant, Result, measure, on_path};

/// The folder grows to at least this many bytes.
const ENOUGH: u64 = 20 * 1024 * 1024;
const THREADS: usize = 2;
const ROUNDS: usize = 9;
const STARTS: usize = 200;
const OURS: &str = env!("CARGO_BIN_EXE_kcc-backoff");

fn main() -> Result<()> {
    // `cargo test --all-targets` runs this file, too, without the argument.
    if !std::env::args().any(|arg| arg == "--bench") {
        println!("nothing measured: run `cargo bench --bench explain`");
        return Ok(());
    }
    let corpus = std::env::var_os("KCC_BACKOFF_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"), PathBuf::from);
    let folder = tempfile::tempdir()?;
    let size = replicate(&corpus, folder.path())?;
    println!(
        "{:.1} MB in {} files, {} times the {} files of {}; {THREADS} threads, {ROUNDS} rounds in turn\n",
        megabytes(size.bytes),
        size.files * size.copies,
        size.copies,
        size.files,
        corpus.display(),
    );
    throughput(folder.path(), size.bytes)?;
    start_up()?;
    memory()?;
    folder.close()?;
    Ok(())
}

struct Size {
    bytes: u64,
    files: usize,
    copies: usize,
}

/// Copies the manifests of `corpus` into numbered folders under `target` until there are enough. Files are never put
/// together: how many there are for the bytes in them matters to all who read them.
fn replicate(corpus: &Path, target: &Path) -> Result<Size> {
    let files = manifests(corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
    let contents = files
        .iter()
        .map(|file| Ok((file.strip_prefix(corpus)?, fs::read(file)?)))
        .collect::<Result<Vec<(&Path, Vec<u8>)>>>()?;
    let one: u64 = contents.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    if one == 0 {
        let complaint = "no manifests to measure with; name others in KCC_BACKOFF_CORPUS";
        return Err(format!("{}: {complaint}", corpus.display()).into());
    }
    let copies = ENOUGH.div_ceil(one);
    for copy in 0..copies {
        let folder = target.join(format!("copy-{copy:05}"));
        for (name, bytes) in &contents {
            let path = folder.join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, bytes)?;
        }
    }
    Ok(Size { bytes: one * copies, files: files.len(), copies: usize::try_from(copies)? })
}

/// The manifests in a folder and its subfolders.
fn manifests(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if ["yaml", "yml", "json"].iter().any(|ending| path.extension() == Some(OsStr::new(ending))) {
                found.push(path);
            }
        }
    }

    Ok(found)
}

fn throughput(folder: &Path, bytes: u64) -> Result<()> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build()?;
    let explain =
        |format: &str| ours(&["explain".as_ref(), "-o".as_ref(), format.as_ref(), "-R".as_ref(), folder.as_os_str()]);
    let list =
        |format: &str| ours(&["list".as_ref(), "-o".as_ref(), format.as_ref(), "-R".as_ref(), folder.as_os_str()]);
    let mut contestants = vec![
        Contestant::process("explain -R", explain("text")),
        Contestant::process("explain -R -o json", explain("json")),
        Contestant::process("explain -R -o name", explain("name")),
        Contestant::process("list -R", list("table")),
        Contestant::process("list -R -o json", list("json")),
        Contestant::new(EVENTS, Box::new(move || bare_events(folder, &pool))),
    ];
    if on_path("kubectl") {
        contestants.push(Contestant::process(KUBECTL, kubectl(folder)));
    } else {
        println!("kubectl is not on the PATH: no comparison with it\n");
    }
    measure(&mut contestants, ROUNDS)?;

    let seconds = |name: &str| contestants.iter().find(|one| one.name == name).map(|one| one.median().as_secs_f64());
    let (kubectl, events) = (seconds(KUBECTL), seconds(EVENTS));
    println!(
        "{:<38} {:>7}  {:<13} {:>6}  {:>12}  {:>10}",
        "", "median", "least to most", "MB/s", "faster than", "times the"
    );
    println!("{:<38} {:>7}  {:<13} {:>6}  {:>12}  {:>10}", "", "s", "s", "", "kubectl", "events");
    for one in &contestants {
        let (least, median, most) = one.spread();
        let own = median.as_secs_f64();
        println!(
            "{:<38} {own:>7.3}  {:<13} {:>6.0}  {:>12}  {:>10}",
            one.name,
            format!("{:.3} to {:.3}", least.as_secs_f64(), most.as_secs_f64()),
            megabytes(bytes) / own,
            kubectl.map_or_else(|| "-".into(), |kubectl| format!("{:.1}", kubectl / own)),
            events.map_or_else(|| "-".into(), |events| format!("{:.2}", own / events)),
        );
    }
    println!();
    for one in contestants.iter().filter(|one| one.failures > 0) {
        println!(
            "note: `{}` ended with an error in {} rounds; it may have left something out\n",
            one.name, one.failures
        );
    }
    for name in ["explain -R", "list -R"] {
        let Some(own) = seconds(name) else { continue };
        let faster = kubectl.map_or_else(|| "unknown".into(), |kubectl| format!("{:.1}", kubectl / own));
        println!("{name}: times faster than kubectl: {faster} (wanted: 6 or more)");
        if let Some(events) = events {
            println!("{name}: times the bare events: {:.2} (wanted: 1.5 or less)", own / events);
        }
    }
    // Other work on the machine takes a core from those who use two, and so bends the medians.
    let least = |name: &str| contestants.iter().find(|one| one.name == name).map(|one| one.spread().0.as_secs_f64());
    for name in ["explain -R", "list -R"] {
        if let (Some(own), Some(events)) = (least(name), least(EVENTS)) {
            let kubectl = least(KUBECTL).map_or_else(|| "unknown".into(), |kubectl| format!("{:.1}", kubectl / own));
            println!("{name}: by the least times instead of the medians: {kubectl} and {:.2}", own / events);
        }
    }
    println!();
    Ok(())
}

const EVENTS: &str = "bare events, in process";
const KUBECTL: &str = "kubectl annotate --local --list -R -f";

fn ours(args: &[&OsStr]) -> Command {
    let mut command = Command::new(OURS);
    command.args(args).env("RAYON_NUM_THREADS", THREADS.to_string());
    command
}

fn kubectl(folder: &Path) -> Command {
    let mut command = Command::new("kubectl");
    command.args(["annotate", "--local", "--list", "-R", "-f"]).arg(folder);
    // As many cores as the others, and no cluster of whoever runs this.
    command.env("GOMAXPROCS", THREADS.to_string()).env("KUBECONFIG", folder.join("no-config"));
    command
}

/// What cannot be avoided: walking the folder, reading the files and parsing them into events that nobody looks at.
fn bare_events(folder: &Path, pool: &ThreadPool) -> Result<bool> {
    let files = manifests(folder)?;
    pool.install(|| {
        files.par_iter().map_init(Vec::new, |bytes, file| read_events(file, bytes)).collect::<std::io::Result<()>>()
    })?;
    Ok(true)
}

fn read_events(file: &Path, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    bytes.clear();
    File::open(file)?.read_to_end(bytes)?;
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(()) };
    let options = granit_parser::options! { emit_comments: false };
    let mut parser = Parser::new_from_str_with_options(text, options);
    while let Some(event) = parser.next() {
        // A broken document does not hide the next.
        if std::hint::black_box(event).is_err() && !parser.proceed_next_document().unwrap_or(false) {
            break;
        }
    }
    Ok(())
}

/// How long the program takes to do nothing much.
fn start_up() -> Result<()> {
    let mut contestants = vec![
        Contestant::process("kcc-backoff --help", ours(&["--help".as_ref()])),
        Contestant::process("kcc-backoff --version", ours(&["--version".as_ref()])),
    ];
    if on_path("true") {
        contestants.push(Contestant::process("true, which does nothing", Command::new("true")));
    }
    measure(&mut contestants, STARTS)?;
    println!("start-up, {STARTS} runs in turn");
    println!("{:<38} {:>7}  least to most, ms", "", "median");
    for one in &contestants {
        let (least, median, most) = one.spread();
        let [least, median, most] = [least, median, most].map(|time| time.as_secs_f64() * 1000.0);
        println!("{:<38} {median:>7.2}  {least:.2} to {most:.2}", one.name);
    }
    println!("(wanted of the first two: under 5 ms)");
    Ok(())
}

/// How much memory `list` takes for a stream of many objects, and what each object more costs.
fn memory() -> Result<()> {
    println!("\nmemory of `list -` for a generated stream of objects");
    let mut before: Option<(u64, u64)> = None;
    for objects in [10_000, 100_000, 1_000_000] {
        let Some((peak, bytes)) = peak_of_list(objects)? else {
            println!("not measured: the system does not tell (it has no /proc)");
            return Ok(());
        };
        let each = before.map_or_else(String::new, |(fewer, less)| {
            format!("; each object more: {} bytes", (peak - less) * 1024 / (objects - fewer))
        });
        println!(
            "{objects:>9} objects, {:>6.1} MB of YAML: {:>7.1} MB at most{each}",
            megabytes(bytes),
            peak as f64 / 1024.0
        );
        before = Some((objects, peak));
    }
    println!("(wanted: about a kilobyte, the object's own YAML included)");
    Ok(())
}

/// The largest resident set in KiB, and the bytes that were read.
fn peak_of_list(objects: u64) -> Result<Option<(u64, u64)>> {
    let mut child = ours(&["list".as_ref(), "-q".as_ref(), "-".as_ref()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let writer = std::thread::spawn(move || -> std::io::Result<u64> {
        let mut bytes = 0;
        for number in 0..objects {
            let object = format!(
                "apiVersion: logging.cnrm.cloud.google.com/v1beta1\nkind: LoggingLogMetric\nmetadata:\n  name: metric-{number}\n  \
                 namespace: team-{}\n  annotations:\n    cnrm.cloud.google.com/backoff-max-delay-in-seconds: \"600\"\nspec:\n  \
                 filter: severity >= ERROR\n---\n",
                number % 100
            );
            bytes += object.len() as u64;
            input.write_all(object.as_bytes())?;
        }
        Ok(bytes)
    });
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut peak = None;
    while child.try_wait()?.is_none() {
        // The high-water mark only rises, so the last look counts.
        if let Ok(text) = fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            peak = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).or(peak);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let bytes = writer.join().map_err(|_| "the writer panicked")??;
    Ok(peak.map(|peak| (peak, bytes)))
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}
