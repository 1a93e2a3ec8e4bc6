//! Things measured in turn, round after round, so that what else the machine does falls on all alike.

// Each bench uses a part of it.
#![allow(dead_code)]

use std::error::Error;
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Whether a program can be called by its name.
pub fn on_path(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| {
            let name = OsString::from(format!("{program}{}", std::env::consts::EXE_SUFFIX));
            folder.join(name).is_file()
        })
    })
}

/// The largest resident set of a process in KiB; `None` where the system does not tell (it has no /proc).
pub fn peak(mut command: Command) -> Result<Option<u64>> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    while child.try_wait()?.is_none() {
        // The high-water mark only rises, so the last look counts.
        if let Ok(text) = std::fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            peak = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).or(peak);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(peak)
}

/// Something that is measured. Its run tells whether it succeeded.
pub struct Contestant<'a> {
    /// What it is called.
    pub name: &'static str,
    run: Box<dyn FnMut() -> Result<bool> + 'a>,
    times: Vec<Duration>,
    /// How many rounds ended with an error.
    pub failures: usize,
}

impl<'a> Contestant<'a> {
    pub fn new(name: &'static str, run: Box<dyn FnMut() -> Result<bool> + 'a>) -> Contestant<'a> {
        Contestant { name, run, times: Vec::new(), failures: 0 }
    }

    pub fn process(name: &'static str, mut command: Command) -> Contestant<'a> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Contestant::new(
            name,
            Box::new(move || {
                let status = command.status().map_err(|error| format!("{name}: {error}"))?;
                Ok(status.success())
            }),
        )
    }

    /// The least, the median and the most.
    pub fn spread(&self) -> (Duration, Duration, Duration) {
        let mut times = self.times.clone();
        times.sort_unstable();
        let at = |index: usize| times.get(index).copied().unwrap_or_default();
        (at(0), at(times.len() / 2), at(times.len().saturating_sub(1)))
    }

    pub fn median(&self) -> Duration {
        self.spread().1
    }
}

/// Runs everything in turn, after a first round that is not counted.
pub fn measure(contestants: &mut [Contestant<'_>], rounds: usize) -> Result<()> {
    for round in 0..=rounds {
        for one in contestants.iter_mut() {
            let begin = Instant::now();
            let succeeded = (one.run)()?;
            let time = begin.elapsed();
            if round > 0 {
                one.times.push(time);
                one.failures += usize::from(!succeeded);
            }
        }
    }
    Ok(())
}
