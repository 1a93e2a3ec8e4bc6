//! The simulation against client-go itself: random scripts of events are played twice, by the library and by
//! `tests/go/queue`, whose queue, ladder and token bucket are the real ones on a fake clock. Every attempt must agree to
//! the nanosecond.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::Duration;

use kcc_backoff::assess::{Object, World};
use kcc_backoff::go::format_duration;
use kcc_backoff::simulate::{Attempt, Cause, Choice, Event, Options, Outcome, Simulation, Trigger, What, courses};
use kcc_backoff::source::{self, Input};
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64;
use serde_json::{Value, json};

use crate::support::{ACTUATION, CEILING, DIRECT, INTERVAL, NOW, TF, manifest};

const SCRIPTS: usize = 2_000;

/// More attempts than any script has room for: what never ends is to be told, too.
const MANY: usize = 20_000;

/// A module of its own, because client-go asks for a newer Go than `tests/go/oracle` does.
const MODULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/go/queue");

// ---------------------------------------------------------------------------------------------------------------------
// Scripts
// ---------------------------------------------------------------------------------------------------------------------

/// One object, and what happens to it.
#[derive(Debug, Clone)]
struct Script {
    direct: bool,
    release: &'static str,
    annotations: Vec<(&'static str, &'static str)>,
    reconcile: Duration,
    until: Duration,
    events: Vec<Event>,
}

/// An attempt as far as both sides tell of it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Told {
    at: Duration,
    outcome: String,
    next: Option<Duration>,
    called: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Play {
    attempts: Vec<Told>,
    halted: bool,
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let controller = if self.direct { "direct" } else { "tf" };
        let (reconcile, until) = (go_text(self.reconcile), go_text(self.until));
        writeln!(f, "{controller}, release {}, an attempt takes {reconcile}, until {until}", self.release)?;
        for (key, value) in &self.annotations {
            writeln!(f, "  {key}: {value:?}")?;
        }
        for Event { at, what } in &self.events {
            let what = match what {
                What::Annotate(key, value) => format!("annotate:{key}={value}"),
                What::Unannotate(key) => format!("unannotate:{key}"),
                other => word(other).to_owned(),
            };
            writeln!(f, "  {}={what}", go_text(*at))?;
        }
        Ok(())
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = self.next.map_or_else(|| "-".to_owned(), go_text);
        let called = if self.called { "called" } else { "" };
        write!(f, "{:<14} {:<11} {next:<12} {called:<6}", go_text(self.at), self.outcome)
    }
}

impl Script {
    fn as_json(&self) -> Value {
        let events = self.events.iter().map(|Event { at, what }| {
            let (key, value) = match what {
                What::Annotate(key, value) => (key.as_str(), value.as_str()),
                What::Unannotate(key) => (key.as_str(), ""),
                _ => ("", ""),
            };
            json!({"at": nanos(*at), "what": word(what), "key": key, "value": value})
        });
        json!({
            "controller": if self.direct { "direct" } else { "tf" },
            "release": self.release,
            "annotations": self.annotations.iter().copied().collect::<HashMap<_, _>>(),
            "reconcile": nanos(self.reconcile),
            "until": nanos(self.until),
            "events": events.collect::<Vec<_>>(),
        })
    }

    /// Scripts with less in them: without a run of so many events each, without an annotation, with attempts that take no
    /// time.
    fn simpler(&self, run: usize) -> Vec<Script> {
        let starts = (0..self.events.len()).step_by(run);
        let without = |start: usize| {
            let mut script = self.clone();
            script.events.drain(start..self.events.len().min(start + run));
            script
        };
        let mut scripts: Vec<Script> = starts.map(without).collect();
        for index in 0..self.annotations.len() {
            let mut script = self.clone();
            script.annotations.remove(index);
            scripts.push(script);
        }
        if !self.reconcile.is_zero() {
            scripts.push(Script { reconcile: Duration::ZERO, ..self.clone() });
        }
        scripts
    }
}

fn word(what: &What) -> &'static str {
    match what {
        What::Fails => "fails",
        What::Succeeds => "succeeds",
        What::Spec => "spec",
        What::Labels => "labels",
        What::Annotate(..) => "annotate",
        What::Unannotate(..) => "unannotate",
        What::Delete => "delete",
        What::Restart => "restart",
        What::DependencyMissing => "dependency-missing",
        What::DependencyReady => "dependency-ready",
    }
}

fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap()
}

fn go_text(duration: Duration) -> String {
    format_duration(nanos(duration))
}

// ---------------------------------------------------------------------------------------------------------------------
// Chance
// ---------------------------------------------------------------------------------------------------------------------

const CEILINGS: [&str; 16] =
    ["0", "0", "1", "2", "3", "5", "10", "60", "600", "2147483647", "+4", "-0", "", "-1", "2147483648", "6e1"];
const INTERVALS: [&str; 12] = ["0", "0", "1", "2", "7", "60", "600", "2147483647", "", "-1", "2147483648", "10m"];
const MODES: [&str; 3] = ["Paused", "Paused", "Reconciling"];
const OTHERS: [(&str, &str); 3] = [
    ("cnrm.cloud.google.com/project-id", "p"),
    ("cnrm.cloud.google.com/deletion-policy", "abandon"),
    ("test.cnrm.cloud.google.com/reconcile-cookie", "c"),
];

struct Author(Pcg64);

impl Author {
    fn pick<T: Clone>(&mut self, among: &[T]) -> T {
        among[self.0.random_range(0..among.len())].clone()
    }

    fn one_in(&mut self, times: u32) -> bool {
        self.0.random_range(0..times) == 0
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0.random_range(0..limit)
    }

    /// A time at which something may well be going on: times of attempts are sums of steps of the ladders, of drift
    /// intervals and of reconcile durations, and so are these.
    fn time(&mut self, reconcile: Duration, until: Duration) -> Duration {
        let mut time = Duration::ZERO;
        for _ in 0..=self.below(4) {
            time += match self.below(8) {
                0..=2 => Duration::from_millis(250 * ((1 << self.below(10)) - 1)),
                3 | 4 => Duration::from_millis(250 * self.below(16)),
                5 => Duration::from_secs((1 << self.below(8)) - 1),
                6 => Duration::from_secs(self.pick(&[2, 7, 60, 120, 600])),
                _ => Duration::from_nanos(self.pick(&[1, 333_333_333])),
            };
            time += reconcile * u32::try_from(self.below(4)).unwrap();
        }
        // Later times are folded back; what is left of them meets attempts, too.
        match time.as_nanos().checked_rem(until.as_nanos()) {
            Some(rest) if time > until => Duration::from_nanos(u64::try_from(rest).unwrap()),
            _ => time.min(until),
        }
    }

    fn annotation(&mut self) -> (&'static str, &'static str) {
        match self.below(16) {
            0..=7 => (CEILING, self.pick(&CEILINGS)),
            8..=12 => (INTERVAL, self.pick(&INTERVALS)),
            13 => (ACTUATION, self.pick(&MODES)),
            _ => self.pick(&OTHERS),
        }
    }

    fn what(&mut self) -> What {
        match self.below(32) {
            0..=5 => What::Succeeds,
            6..=8 => What::Fails,
            9..=12 => What::Spec,
            13 | 14 => What::Labels,
            15..=20 => {
                let (key, value) = self.annotation();
                What::Annotate(key.to_owned(), value.to_owned())
            }
            21 | 22 => What::Unannotate(self.annotation().0.to_owned()),
            23 => What::Delete,
            24..=26 => What::Restart,
            27 | 28 => What::DependencyMissing,
            _ => What::DependencyReady,
        }
    }

    /// An object with a handful of events, spread over minutes or hours.
    fn everyday(&mut self) -> Script {
        let reconcile = match self.below(8) {
            0..=2 => Duration::ZERO,
            3 => Duration::from_nanos(self.pick(&[1, 333_333_333])),
            4..=6 => Duration::from_millis(250 << self.below(7)),
            _ => Duration::from_secs(self.pick(&[2, 7, 120, 130, 600])),
        };
        let longest = Duration::from_secs(self.pick(&[10, 60, 300, 300, 2_000, 10_000]));
        let until = if self.one_in(2) { longest } else { self.time(reconcile, longest) };
        let mut annotations: Vec<_> = (0..self.below(3)).map(|_| self.annotation()).collect();
        annotations.dedup_by_key(|(key, _)| *key);
        let mut events: Vec<Event> =
            (0..self.below(14)).map(|_| Event { at: self.time(reconcile, until), what: self.what() }).collect();
        // Several things at one instant, in an order that chance gives.
        for index in 1..events.len() {
            if self.one_in(5) {
                events[index].at = events[index - 1].at;
            }
        }
        self.finish(annotations, reconcile, until, events)
    }

    /// Hundreds of events within seconds. Failures and successes by turns keep the object at the foot of its ladder,
    /// where the token bucket is what makes it wait.
    fn burst(&mut self) -> Script {
        let step = match self.below(3) {
            // Where the last nanosecond falls depends on how the bucket reckons.
            0 => self.0.random_range(1..12_000_000),
            1 => self.pick(&[1_000_000, 3_333_333, 5_000_000]),
            _ => self.pick(&[10_000_000, 31_250_000, 333_333_333]),
        };
        let step = Duration::from_nanos(step);
        let reconcile = self.pick(&[Duration::ZERO, Duration::ZERO, Duration::ZERO, step / 2, step, step * 3]);
        let start = self.time(reconcile, Duration::from_secs(60));
        let turns = !self.one_in(4);
        let mut events = Vec::new();
        let count = self.0.random_range(140..440);
        for index in 0..count {
            let at = start + step * index;
            if turns {
                events.push(Event { at, what: if index % 2 == 0 { What::Succeeds } else { What::Fails } });
            }
            events.push(Event { at, what: self.pick(&[What::Spec, What::Labels]) });
        }
        // In the middle, where the bucket would go on being empty.
        if self.one_in(4) {
            let at = events[events.len() / 2].at;
            events.push(Event { at, what: What::Restart });
        }
        let last = start + step * count;
        for _ in 0..self.below(6) {
            let at = self.time(reconcile, last + Duration::from_secs(30));
            events.push(Event { at, what: self.what() });
        }
        let annotations = if self.one_in(4) { vec![self.annotation()] } else { Vec::new() };
        let until = last + Duration::from_secs(self.below(120));
        self.finish(annotations, reconcile, until, events)
    }

    fn finish(
        &mut self,
        annotations: Vec<(&'static str, &'static str)>,
        reconcile: Duration,
        until: Duration,
        mut events: Vec<Event>,
    ) -> Script {
        events.sort_by_key(|event| event.at);
        let direct = !self.one_in(3);
        let release = if self.one_in(3) { "1.150.0" } else { "main" };
        Script { direct, release, annotations, reconcile, until, events }
    }
}

/// Always the same ones, so that a failure can be repeated.
static SCRIPTS_OF_CHANCE: LazyLock<Vec<Script>> = LazyLock::new(|| {
    let mut author = Author(Pcg64::seed_from_u64(7));
    (0..SCRIPTS).map(|index| if index % 16 == 0 { author.burst() } else { author.everyday() }).collect()
});

// ---------------------------------------------------------------------------------------------------------------------
// Both plays
// ---------------------------------------------------------------------------------------------------------------------

/// The attempts that the library simulates, and whether they end halted.
fn simulate(script: &Script) -> (Vec<Attempt>, bool) {
    let with = |manifest: crate::support::Manifest, (key, value): &(&str, &str)| manifest.with(key, value);
    let text = script.annotations.iter().fold(manifest(if script.direct { DIRECT } else { TF }), with).text();
    let mut bytes = text.as_bytes();
    let loaded = source::load(&[Input::Stdin], &source::Options::default(), &mut bytes, &|item| {
        Object::read(item.node, item.api_version, item.kind, item.file, None)
    });
    assert!(loaded.problems.is_empty(), "{:?}\n{text}", loaded.problems);
    let objects: Vec<&Object> = loaded.objects.iter().flatten().collect();
    let world = World::new(Some(script.release.parse().unwrap()), None, NOW.parse().unwrap());
    let options = Options {
        until: Some(script.until),
        reconcile: script.reconcile,
        events: script.events.clone(),
        ..Options::default()
    };
    let courses = courses(Some(&objects), &world, &[Choice::Found], None, &options);
    assert_eq!(courses.len(), 1, "{script}");
    let mut simulation = Simulation::new(&courses[0].behaviour, &options);
    let attempts: Vec<Attempt> = simulation.by_ref().take(MANY).collect();
    (attempts, simulation.halted())
}

fn by_the_library(script: &Script) -> Play {
    let (attempts, halted) = simulate(script);
    let told = |attempt: Attempt| Told {
        at: attempt.at,
        outcome: attempt.outcome.as_str().to_owned(),
        next: attempt.next,
        called: attempt.called,
    };
    Play { attempts: attempts.into_iter().map(told).collect(), halted }
}

/// The program in `tests/go/queue`, built once.
struct Queue {
    folder: tempfile::TempDir,
}

impl Queue {
    fn build() -> Queue {
        let folder = tempfile::tempdir().unwrap();
        let built = go(&["build", "-mod=readonly", "-buildvcs=false", "-o"]).arg(folder.path().join("queue")).output();
        let built = built.expect("the build script found a Go toolchain");
        if !built.status.success() {
            // A toolchain that is too old may complain of anything but its age.
            let go_mod = std::fs::read_to_string(format!("{MODULE}/go.mod")).unwrap();
            let needed = go_mod.lines().find_map(|line| line.strip_prefix("go ")).unwrap();
            let version = go(&["version"]).output().unwrap();
            panic!(
                "go build in tests/go/queue, which needs Go {needed} or later: {}\n{}{}",
                built.status,
                String::from_utf8_lossy(&version.stdout),
                String::from_utf8_lossy(&built.stderr)
            );
        }
        Queue { folder }
    }

    fn play(&self, scripts: &[Script]) -> Vec<Play> {
        let mut child = Command::new(self.folder.path().join("queue"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let questions: String = scripts.iter().map(|script| format!("{}\n", script.as_json())).collect();
        // It answers after the last question. If it dies early, its stderr says more than the broken pipe.
        let _ = child.stdin.take().unwrap().write_all(questions.as_bytes());
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        assert!(status.success(), "tests/go/queue: {status}\n{}", String::from_utf8_lossy(&stderr));
        let plays: Vec<Play> = String::from_utf8(stdout).unwrap().lines().map(read_play).collect();
        assert_eq!(plays.len(), scripts.len(), "the program must play every script");
        plays
    }
}

fn go(args: &[&str]) -> Command {
    let mut command = Command::new("go");
    // A workspace file above this folder would leave the module out.
    command.args(args).current_dir(MODULE).env("GOWORK", "off");
    command
}

fn read_play(line: &str) -> Play {
    let play: Value = serde_json::from_str(line).unwrap();
    let time = |value: &Value| value.as_u64().map(Duration::from_nanos);
    let told = |attempt: &Value| Told {
        at: time(&attempt["at"]).unwrap(),
        outcome: attempt["outcome"].as_str().unwrap().to_owned(),
        next: time(&attempt["next"]),
        called: attempt["called"].as_bool().unwrap(),
    };
    Play {
        attempts: play["attempts"].as_array().unwrap().iter().map(told).collect(),
        halted: play["halted"].as_bool().unwrap(),
    }
}

/// The script without what the two do not need in order to disagree.
fn smallest(queue: &Queue, mut script: Script) -> Script {
    let mut run = script.events.len().div_ceil(2).max(1);
    // Enough for every script but the longest, and soon over for those.
    for _ in 0..60 {
        let simpler = script.simpler(run);
        let plays = queue.play(&simpler);
        let still = simpler.into_iter().zip(plays).find(|(script, play)| by_the_library(script) != *play);
        match still {
            Some((simpler, _)) => script = simpler,
            None if run == 1 => break,
            None => run = run.div_ceil(2),
        }
    }
    script
}

/// Two plays side by side, around the first difference.
fn side_by_side(ours: &Play, theirs: &Play) -> String {
    const AROUND: usize = 12;
    let length = ours.attempts.len().max(theirs.attempts.len());
    let differs = |index: &usize| ours.attempts.get(*index) != theirs.attempts.get(*index);
    let first = (0..length).find(differs).unwrap_or(length);
    let shown = first.saturating_sub(AROUND)..length.min(first + AROUND);
    let left_out = |count: usize| if count > 0 { format!("  … {count} more\n") } else { String::new() };
    let (before, behind) = (left_out(shown.start), left_out(length - shown.end));
    let line = |index: usize| {
        let told = |play: &Play| play.attempts.get(index).map_or_else(String::new, Told::to_string);
        let mark = if differs(&index) { "!" } else { " " };
        format!("{mark} {:<48}| {}\n", told(ours), told(theirs).trim_end())
    };
    let lines: String = shown.map(line).collect();
    format!("  {:<48}| client-go\n{before}{lines}{behind}  halted: {:<40}| {}", "library", ours.halted, theirs.halted)
}

#[test]
#[cfg_attr(
    not(has_recent_go),
    ignore = "needs Go 1.21 or newer on PATH, which fetches the 1.24 that client-go asks for"
)]
fn every_attempt_comes_when_client_go_lets_it_come() {
    let queue = Queue::build();
    let scripts = &*SCRIPTS_OF_CHANCE;
    let plays = queue.play(scripts);
    let disagreeing: Vec<&Script> = scripts
        .iter()
        .zip(&plays)
        .filter(|(script, play)| by_the_library(script) != **play)
        .map(|(script, _)| script)
        .collect();
    let Some(shortest) = disagreeing.iter().min_by_key(|script| script.events.len()) else { return };
    let script = smallest(&queue, (*shortest).clone());
    let theirs = queue.play(std::slice::from_ref(&script)).remove(0);
    panic!(
        "{} of {} scripts disagree, for example\n{script}{}",
        disagreeing.len(),
        scripts.len(),
        side_by_side(&by_the_library(&script), &theirs)
    );
}

/// Whether an attempt began for a delayed add that is older than the success before it, and that the success did not
/// take with it.
fn survived_a_success(script: &Script, attempts: &[Attempt]) -> bool {
    attempts.windows(2).any(|pair| {
        let (success, later) = (&pair[0], &pair[1]);
        success.outcome == Outcome::Succeeded
            && later.trigger == Trigger::Retry
            && later.at > success.at + script.reconcile
    })
}

#[test]
fn the_scripts_of_chance_reach_what_is_to_be_compared() {
    use Cause::{Ceiling, Drift, Gone, Halt, Ladder, TokenBucket};
    use Outcome::{Failed, Interrupted, Skipped, Succeeded, Unresolved};
    use Trigger::{Annotation, Delete, Labels, Restart, Retry, Spec, Start};

    let mut outcomes = HashSet::new();
    let mut causes = HashSet::new();
    let mut triggers = HashSet::new();
    let (mut halted, mut survived, mut at_once, mut met, mut bucket) = (0, 0, 0, 0, 0);
    for script in &*SCRIPTS_OF_CHANCE {
        let (attempts, ended_halted) = simulate(script);
        outcomes.extend(attempts.iter().map(|attempt| attempt.outcome));
        causes.extend(attempts.iter().map(|attempt| attempt.cause));
        triggers.extend(attempts.iter().map(|attempt| attempt.trigger));
        halted += u32::from(ended_halted);
        bucket += u32::from(attempts.iter().any(|attempt| attempt.cause == TokenBucket));
        survived += u32::from(survived_a_success(script, &attempts));
        // Added while an attempt ran.
        at_once += u32::from(
            !script.reconcile.is_zero() && attempts.windows(2).any(|pair| pair[0].at + script.reconcile == pair[1].at),
        );
        // Something happens at the very instant at which a delay is over.
        met += u32::from(attempts.iter().any(|attempt| {
            let due = attempt.next.map(|next| attempt.at + script.reconcile + next);
            script.events.iter().any(|event| Some(event.at) == due)
        }));
    }
    assert_eq!(outcomes, HashSet::from([Failed, Succeeded, Unresolved, Skipped, Interrupted]));
    assert_eq!(causes, HashSet::from([Ladder, Ceiling, TokenBucket, Drift, Halt, Cause::None, Gone]));
    // Dependencies wake only objects of IAM kinds, which have other tests.
    assert_eq!(triggers, HashSet::from([Start, Retry, Trigger::Drift, Spec, Labels, Annotation, Delete, Restart]));
    for (name, scripts) in
        [("halted", halted), ("survived", survived), ("at once", at_once), ("met", met), ("bucket", bucket)]
    {
        assert!(scripts >= 20, "{name}: only {scripts} scripts");
    }
}
