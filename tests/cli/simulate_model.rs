//! The simulation against a second one, written without it: kcc.md sections 1 to 6 and console.md sections 2.2 and 2.3
//! once more, one thing at a time, with every rule spelt out where it applies.
//!
//! The model below uses nothing of the library: numbers, releases, the ladder, the token bucket, the watch filter and
//! the queues are its own. Random cases, small but made for collisions, go through both, and every attempt must come
//! out alike.
//!
//! The same 6,000 cases in every run. `PROPTEST_CASES` makes it more or fewer and `PROPTEST_RNG_SEED` others, as in
//! `PROPTEST_CASES=200000 PROPTEST_RNG_SEED=7 cargo test --release --test cli simulate_model`.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::time::Duration;

use kcc_backoff::assess::{Object, World};
use kcc_backoff::simulate::{Choice, Event, Jitter, Options, Simulation, What, courses};
use kcc_backoff::source::{self, Input};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Union};
use proptest::test_runner::{RngAlgorithm, RngSeed, TestRunner};

use crate::support::{ACTUATION, CEILING, FINALIZER, INTERVAL, NOW, RECONCILER};

const MILLISECOND: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MILLISECOND;
const MINUTE: u64 = 60 * SECOND;

const PROJECT_ID: &str = "cnrm.cloud.google.com/project-id";
const FOLDER_ID: &str = "cnrm.cloud.google.com/folder-id";
const ORGANIZATION_ID: &str = "cnrm.cloud.google.com/organization-id";
const COOKIE: &str = "test.cnrm.cloud.google.com/reconcile-cookie";
const MERGE: &str = "cnrm.cloud.google.com/state-into-spec";
const FOREIGN: &str = "example.com/owner";

// ---------------------------------------------------------------------------------------------------------------------
// Cases
// ---------------------------------------------------------------------------------------------------------------------

/// What is known of a kind.
#[derive(Debug)]
struct Subject {
    api_version: &'static str,
    kind: &'static str,
    /// Annotations that make it be handled by this controller.
    by_annotation: bool,
    controller: &'static str,
    /// Seconds between drift requeues without an annotation.
    interval: u64,
}

const fn subject(api_version: &'static str, kind: &'static str, controller: &'static str) -> Subject {
    Subject { api_version, kind, by_annotation: false, controller, interval: 600 }
}

const SUBJECTS: [Subject; 11] = [
    subject("logging.cnrm.cloud.google.com/v1beta1", "LoggingLogMetric", "direct"),
    Subject { by_annotation: true, ..subject("alloydb.cnrm.cloud.google.com/v1beta1", "AlloyDBCluster", "direct") },
    subject("accesscontextmanager.cnrm.cloud.google.com/v1beta1", "AccessContextManagerAccessLevel", "tf"),
    Subject { interval: 3600, ..subject("bigtable.cnrm.cloud.google.com/v1beta1", "BigtableInstance", "tf") },
    Subject { interval: 0, ..subject("compute.cnrm.cloud.google.com/v1beta1", "ComputeSSLCertificate", "tf") },
    subject("apigee.cnrm.cloud.google.com/v1beta1", "ApigeeOrganization", "dcl"),
    subject("iam.cnrm.cloud.google.com/v1beta1", "IAMPolicy", "iampolicy"),
    subject("iam.cnrm.cloud.google.com/v1beta1", "IAMPartialPolicy", "iampartialpolicy"),
    subject("iam.cnrm.cloud.google.com/v1beta1", "IAMPolicyMember", "iampolicymember"),
    subject("iam.cnrm.cloud.google.com/v1beta1", "IAMAuditConfig", "iamauditconfig"),
    Subject { interval: 1800, ..subject("deployments.plural.sh/v1alpha1", "Project", "plural") },
];

const RELEASES: [&str; 8] = ["main", "1.158.0", "1.157.0", "1.155.1", "1.155.0", "1.150.0", "1.138.0", "1.137.0"];

/// What stands in `spec.reconciliation` of a Project, and the seconds between its requeues.
const RECONCILIATIONS: [(&str, Option<u64>); 5] = [
    ("", Some(1800)),
    ("{interval: 45s}", Some(45)),
    ("{interval: 1d}", Some(1800)),
    ("{driftDetection: true, interval: 2m}", Some(120)),
    ("{driftDetection: false, interval: 2m}", None),
];

#[derive(Clone)]
struct Case {
    subject: &'static Subject,
    release: &'static str,
    annotations: Vec<(&'static str, &'static str)>,
    reconciliation: usize,
    deleting: bool,
    /// Nanoseconds, like all times here.
    reconcile: u64,
    until: u64,
    events: Vec<(u64, What)>,
}

impl Case {
    fn manifest(&self) -> String {
        let Subject { api_version, kind, .. } = self.subject;
        let mut text = format!("apiVersion: {api_version}\nkind: {kind}\nmetadata:\n  name: it\n");
        if self.subject.controller != "plural" {
            text.push_str("  namespace: team-a\n");
        }
        if self.deleting {
            let _ = writeln!(text, "  deletionTimestamp: \"2026-11-30T11:59:00Z\"\n  finalizers: [{FINALIZER}]");
        }
        if !self.annotations.is_empty() {
            text.push_str("  annotations:\n");
            for (key, value) in &self.annotations {
                let _ = writeln!(text, "    {key}: \"{value}\"");
            }
        }
        let (reconciliation, _) = RECONCILIATIONS[self.reconciliation];
        if self.subject.controller == "plural" {
            text.push_str("spec:\n  name: it\n");
            if !reconciliation.is_empty() {
                let _ = writeln!(text, "  reconciliation: {reconciliation}");
            }
        }
        text
    }
}

impl fmt::Debug for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{}---", self.manifest())?;
        let [reconcile, until] = [self.reconcile, self.until].map(Duration::from_nanos);
        writeln!(f, "release {}, a reconcile takes {reconcile:?}, until {until:?}", self.release)?;
        for (at, what) in &self.events {
            let word = match what {
                What::Annotate(key, value) => format!("annotate:{key}={value}"),
                What::Unannotate(key) => format!("unannotate:{key}"),
                What::DependencyMissing => "dependency-missing".to_owned(),
                What::DependencyReady => "dependency-ready".to_owned(),
                other => format!("{other:?}").to_lowercase(),
            };
            writeln!(f, "{:?}={word}", Duration::from_nanos(*at))?;
        }
        Ok(())
    }
}

/// What both tell of an attempt.
#[derive(Clone, Debug, PartialEq)]
struct Told {
    at: u64,
    outcome: &'static str,
    next: Option<u64>,
    cause: &'static str,
    called: bool,
}

// ---------------------------------------------------------------------------------------------------------------------
// The model
// ---------------------------------------------------------------------------------------------------------------------

/// Something that is going to happen. At one instant: an end, then the events, then a delayed add.
#[derive(Clone, Copy, PartialEq)]
enum Thing {
    End,
    Event(usize),
    DelayedAdd,
}

/// `metadata.generation` for which the status was written, and what it says.
#[derive(Clone, Copy)]
struct Status {
    generation: u64,
    says: &'static str,
}

/// An object as it was when the attempt on it began.
#[derive(Clone)]
struct Begun {
    at: u64,
    annotations: Vec<(String, String)>,
    generation: u64,
    deleting: bool,
    fails: bool,
    missing: bool,
    status: Option<Status>,
}

enum Answer {
    Error,
    After(u64, &'static str),
    Empty(&'static str),
}

/// golang.org/x/time/rate, in its own floating point.
struct Bucket {
    rate: f64,
    burst: f64,
    tokens: f64,
    last: u64,
}

impl Bucket {
    fn full(rate: f64, burst: f64) -> Bucket {
        Bucket { rate, burst, tokens: burst, last: 0 }
    }

    fn reserve(&mut self, now: u64) -> u64 {
        let elapsed = now - self.last;
        let seconds = (elapsed / SECOND) as f64 + (elapsed % SECOND) as f64 / 1e9;
        self.tokens += seconds * self.rate;
        if self.tokens > self.burst {
            self.tokens = self.burst;
        }
        self.tokens -= 1.0;
        self.last = now;
        if self.tokens < 0.0 { (-self.tokens / self.rate * 1e9) as u64 } else { 0 }
    }
}

/// `base`, doubled `times` times; the most there is, and "ceiling", once doubling would pass it.
fn doubled(base: u64, times: u64, most: u64) -> (u64, &'static str) {
    let mut delay = base;
    for _ in 0..times {
        delay *= 2;
        if delay > most {
            return (most, "ceiling");
        }
    }
    if delay > most { (most, "ceiling") } else { (delay, "ladder") }
}

/// Seconds, as `strconv.ParseInt(text, 10, 32)` reads them and without the negative ones.
fn whole_seconds(text: &str) -> Option<u64> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value: u64 = 0;
    for digit in digits.bytes() {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + u64::from(digit - b'0');
        if value > 2_147_483_647 {
            return None;
        }
    }
    if negative && value > 0 { None } else { Some(value) }
}

/// Whether a release is 1.`minor`.0 or later.
fn since(release: &str, minor: u32) -> bool {
    if release == "main" {
        return true;
    }
    let middle: String = release.chars().skip(2).take_while(|letter| *letter != '.').collect();
    middle.parse::<u32>().unwrap() >= minor
}

fn look_up(annotations: &[(String, String)], key: &str) -> Option<String> {
    for (name, value) in annotations {
        if name == key {
            return Some(value.clone());
        }
    }
    None
}

/// The drift interval.
#[derive(Clone, Copy, PartialEq)]
enum Interval {
    Invalid,
    /// The annotation is 0.
    Off,
    /// The kind has none.
    Never,
    Seconds(u64),
}

struct Model<'a> {
    case: &'a Case,
    now: u64,
    pending: Vec<(u64, Thing)>,
    /// Waiting to run; while it runs: to run again.
    queued: bool,
    running: Option<Begun>,
    /// The workqueue's count of failures.
    failures: u64,
    /// The direct controller's own.
    direct: u64,
    errors: Bucket,
    requeues: Bucket,
    watched_until: Option<u64>,
    annotations: Vec<(String, String)>,
    generation: u64,
    deleting: bool,
    gone: bool,
    fails: bool,
    missing: bool,
    status: Option<Status>,
    told: Vec<Told>,
}

impl<'a> Model<'a> {
    fn new(case: &'a Case) -> Model<'a> {
        let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let events = case.events.iter().enumerate().filter(|(_, (at, _))| *at <= case.until);
        Model {
            case,
            now: 0,
            pending: events.map(|(index, (at, _))| (*at, Thing::Event(index))).collect(),
            queued: true,
            running: None,
            failures: 0,
            direct: 0,
            errors: Bucket::full(10.0, 100.0),
            requeues: Bucket::full(5.0, 50.0),
            watched_until: None,
            annotations: case.annotations.iter().map(own).collect(),
            generation: 1,
            deleting: case.deleting,
            gone: false,
            fails: true,
            missing: false,
            status: None,
            told: Vec::new(),
        }
    }

    fn is(&self, controllers: &[&str]) -> bool {
        controllers.contains(&self.case.subject.controller)
    }

    fn run(mut self) -> Vec<Told> {
        loop {
            let first = self.first();
            let nothing_more_now = first.is_none_or(|index| self.pending[index].0 > self.now);
            if nothing_more_now && self.queued && self.running.is_none() && !self.gone && self.now <= self.case.until {
                self.begin();
                continue;
            }
            let Some(index) = first else { return self.told };
            let (at, thing) = self.pending.remove(index);
            self.now = at;
            match thing {
                Thing::End => self.end(),
                Thing::Event(index) => self.happen(&self.case.events[index].1),
                Thing::DelayedAdd => self.queued = true,
            }
        }
    }

    /// Where the thing that comes first is.
    fn first(&self) -> Option<usize> {
        let rank = |thing: Thing| match thing {
            Thing::End => (0, 0),
            Thing::Event(index) => (1, index),
            Thing::DelayedAdd => (2, 0),
        };
        let mut first: Option<usize> = None;
        for (index, (at, thing)) in self.pending.iter().enumerate() {
            let sooner = match first {
                None => true,
                Some(other) => (*at, rank(*thing)) < (self.pending[other].0, rank(self.pending[other].1)),
            };
            if sooner {
                first = Some(index);
            }
        }
        first
    }

    fn begin(&mut self) {
        self.queued = false;
        self.running = Some(Begun {
            at: self.now,
            annotations: self.annotations.clone(),
            generation: self.generation,
            deleting: self.deleting,
            fails: self.fails,
            missing: self.missing,
            status: self.status,
        });
        self.pending.push((self.now + self.case.reconcile, Thing::End));
    }

    fn end(&mut self) {
        let begun = self.running.take().unwrap();
        let (outcome, called, answer) = match self.is(&["plural"]) {
            true => self.pass(&begun),
            false => self.reconcile(&begun),
        };
        let (next, cause) = match answer {
            Answer::Error => {
                let (delay, cause) = self.back_off();
                self.add_after(delay);
                (Some(delay), cause)
            }
            Answer::After(delay, cause) => {
                self.failures = 0;
                self.add_after(delay);
                (Some(delay), cause)
            }
            Answer::Empty(cause) => {
                self.failures = 0;
                (None, cause)
            }
        };
        self.told.push(Told { at: begun.at, outcome, next, cause, called });
    }

    // The queue.

    fn back_off(&mut self) -> (u64, &'static str) {
        let failures = self.failures;
        self.failures += 1;
        if self.is(&["plural"]) {
            return doubled(5 * MILLISECOND, failures, 1000 * SECOND);
        }
        let base = if since(self.case.release, 155) { 250 * MILLISECOND } else { 2 * SECOND };
        let (delay, cause) = doubled(base, failures, 120 * SECOND);
        let wait = self.errors.reserve(self.now);
        if wait > delay { (wait, "token-bucket") } else { (delay, cause) }
    }

    fn forget_delayed_add(&mut self) {
        self.pending.retain(|(_, thing)| *thing != Thing::DelayedAdd);
    }

    fn add(&mut self) {
        self.queued = true;
        if self.is(&["plural"]) {
            // In the priority queue an object is once.
            self.forget_delayed_add();
        }
    }

    fn add_after(&mut self, delay: u64) {
        if delay == 0 {
            return self.add();
        }
        if self.is(&["plural"]) && self.queued {
            return;
        }
        let mut at = self.now + delay;
        for (other, thing) in &self.pending {
            if *thing == Thing::DelayedAdd {
                at = at.min(*other);
            }
        }
        self.forget_delayed_add();
        self.pending.push((at, Thing::DelayedAdd));
    }

    // One reconcile of Config Connector, at its end.

    fn interval(&self, begun: &Begun) -> Interval {
        match look_up(&begun.annotations, INTERVAL) {
            None if self.case.subject.interval == 0 => Interval::Never,
            None => Interval::Seconds(self.case.subject.interval),
            Some(text) => match whole_seconds(&text) {
                None => Interval::Invalid,
                Some(0) => Interval::Off,
                Some(seconds) => Interval::Seconds(seconds),
            },
        }
    }

    fn write(&mut self, begun: &Begun, says: &'static str) {
        self.status = Some(Status { generation: begun.generation, says });
    }

    fn reconcile(&mut self, begun: &Begun) -> (&'static str, bool, Answer) {
        let interval = self.interval(begun);
        let observed = begun.status.is_some_and(|status| status.generation == begun.generation);
        let up_to_date = begun.status.is_some_and(|status| status.says == "ready");
        let looks_before = self.is(&["tf", "dcl", "direct"]);
        if looks_before && observed && interval == Interval::Invalid {
            return ("failed", false, Answer::Error);
        }
        if looks_before && observed && up_to_date && interval == Interval::Off {
            return ("skipped", false, Answer::Empty("none"));
        }
        let paused = look_up(&begun.annotations, ACTUATION).as_deref() == Some("Paused");
        if paused && since(self.case.release, 158) {
            self.write(begun, "paused");
            let (outcome, answer) = self.success(interval);
            return (outcome, false, answer);
        }
        if begun.missing {
            return ("unresolved", false, self.unresolved(begun, interval));
        }
        if begun.fails {
            self.write(begun, "failed");
            let answer = self.failure(begun, interval);
            return ("failed", true, answer);
        }
        if begun.deleting {
            self.gone = true;
            self.direct = 0;
            return ("succeeded", true, Answer::Empty("gone"));
        }
        self.write(begun, "ready");
        let (outcome, answer) = self.success(interval);
        (outcome, true, answer)
    }

    fn success(&mut self, interval: Interval) -> (&'static str, Answer) {
        if interval == Interval::Invalid {
            return ("failed", Answer::Error);
        }
        self.direct = 0;
        ("succeeded", self.requeue(interval))
    }

    fn requeue(&mut self, interval: Interval) -> Answer {
        match interval {
            Interval::Invalid => Answer::Error,
            Interval::Off | Interval::Never => Answer::Empty("none"),
            Interval::Seconds(seconds) => {
                let wait = match self.is(&["iampolicymember", "iampartialpolicy"]) {
                    true => self.requeues.reserve(self.now),
                    false => 0,
                };
                Answer::After(seconds * SECOND + wait, "drift")
            }
        }
    }

    fn unresolved(&mut self, begun: &Begun, interval: Interval) -> Answer {
        if begun.status.is_none_or(|status| status.says != "unresolved") {
            self.write(begun, "unresolved");
        }
        if !self.is(&["iampolicy", "iampolicymember", "iamauditconfig"]) {
            return Answer::Error;
        }
        let end = self.now + 10 * MINUTE;
        if self.watched_until.is_none_or(|other| other < end) {
            self.watched_until = Some(end);
        }
        self.requeue(interval)
    }

    fn failure(&mut self, begun: &Begun, interval: Interval) -> Answer {
        let honours = self.is(&["direct"]) && self.case.release == "main";
        if begun.deleting || interval == Interval::Invalid || !honours {
            return Answer::Error;
        }
        let ceiling = look_up(&begun.annotations, CEILING).unwrap_or_default();
        match whole_seconds(&ceiling) {
            None => Answer::Error,
            Some(0) => Answer::Empty("halt"),
            Some(seconds) => {
                self.direct += 1;
                let (delay, cause) = doubled(SECOND, self.direct - 1, seconds * SECOND);
                Answer::After(delay, cause)
            }
        }
    }

    // One pass of the Plural Console's controller, at its end.

    fn pass(&mut self, begun: &Begun) -> (&'static str, bool, Answer) {
        let (_, interval) = RECONCILIATIONS[self.case.reconciliation];
        if begun.missing {
            return ("unresolved", false, Answer::After(30 * SECOND, "wait"));
        }
        let requeue = || match interval {
            Some(seconds) => Answer::After(seconds * SECOND, "drift"),
            None => Answer::Empty("none"),
        };
        // console.md 2.3: a deletion of a Project that fails returns what `spec.reconciliation` says.
        if begun.fails && begun.deleting {
            return ("failed", true, requeue());
        }
        if begun.fails {
            return ("failed", true, Answer::Error);
        }
        if begun.deleting {
            self.gone = true;
            return ("succeeded", true, Answer::Empty("gone"));
        }
        ("succeeded", true, requeue())
    }

    // Events.

    fn happen(&mut self, what: &What) {
        if self.gone {
            return;
        }
        match what {
            What::Fails => self.fails = true,
            What::Succeeds => self.fails = false,
            What::Spec => {
                self.generation += 1;
                self.add();
            }
            What::Labels if self.is(&["plural"]) => {}
            What::Labels => self.add(),
            What::Annotate(key, value) => self.annotate(key, Some(value)),
            What::Unannotate(key) => self.annotate(key, None),
            What::Delete if self.deleting => {}
            What::Delete => {
                self.deleting = true;
                self.generation += 1;
                self.add();
            }
            What::Restart => {
                if let Some(begun) = self.running.take() {
                    self.pending.retain(|(_, thing)| *thing != Thing::End);
                    let (outcome, cause) = ("interrupted", "none");
                    self.told.push(Told { at: begun.at, outcome, next: None, cause, called: false });
                }
                self.forget_delayed_add();
                self.failures = 0;
                self.direct = 0;
                self.errors = Bucket::full(10.0, 100.0);
                self.requeues = Bucket::full(5.0, 50.0);
                self.watched_until = None;
                self.queued = true;
            }
            What::DependencyMissing => self.missing = true,
            What::DependencyReady => {
                self.missing = false;
                if self.watched_until.is_some_and(|end| self.now < end) {
                    self.watched_until = None;
                    self.add();
                }
            }
        }
    }

    fn annotate(&mut self, key: &str, value: Option<&str>) {
        let old = look_up(&self.annotations, key).unwrap_or_default();
        self.annotations.retain(|(name, _)| name != key);
        if let Some(value) = value {
            self.annotations.push((key.to_owned(), value.to_owned()));
        }
        let new = value.unwrap_or_default();
        let release = self.case.release;
        let wakes = match key {
            CEILING => release == "main",
            INTERVAL => since(release, 138) && whole_seconds(new) != Some(0),
            ACTUATION => since(release, 158),
            PROJECT_ID | FOLDER_ID | ORGANIZATION_ID | COOKIE => true,
            _ => false,
        };
        // Absent and empty compare equal.
        if wakes && old != new && !self.is(&["plural"]) {
            self.add();
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// The library
// ---------------------------------------------------------------------------------------------------------------------

fn nanoseconds(duration: Duration) -> u64 {
    duration.as_nanos().try_into().unwrap()
}

/// The attempts as the library tells them, and whether it says at the end that the object is halted.
fn simulated(case: &Case) -> (Vec<Told>, bool) {
    let text = case.manifest();
    let loaded = source::load(&[Input::Stdin], &source::Options::default(), &mut text.as_bytes(), &|item| {
        Object::read(item.node, item.api_version, item.kind, item.file, None)
    });
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    let objects: Vec<&Object> = loaded.objects.iter().flatten().collect();
    let mut world = World::new(Some(case.release.parse().unwrap()), None, NOW.parse().unwrap());
    world.observe(objects.iter().copied());
    let happens = |(at, what): &(u64, What)| Event { at: Duration::from_nanos(*at), what: what.clone() };
    let events: Vec<Event> = case.events.iter().map(happens).collect();
    let options = Options {
        failures: None,
        until: Some(Duration::from_nanos(case.until)),
        succeed_after: None,
        reconcile: Duration::from_nanos(case.reconcile),
        jitter: Jitter::Mean,
        events,
    };
    let courses = courses(Some(&objects), &world, &[Choice::Found], None, &options);
    assert_eq!(courses.len(), 1);
    let mut simulation = Simulation::new(&courses[0].behaviour, &options);
    let mut told = Vec::new();
    // More than any case makes: a queue that runs wild must end, too.
    for attempt in simulation.by_ref().take(20_000) {
        assert_eq!(attempt.number, told.len() as u64 + 1);
        told.push(Told {
            at: nanoseconds(attempt.at),
            outcome: attempt.outcome.as_str(),
            next: attempt.next.map(nanoseconds),
            cause: attempt.cause.as_str(),
            called: attempt.called,
        });
    }
    let halted = simulation.halted();
    (told, halted)
}

// ---------------------------------------------------------------------------------------------------------------------
// Random cases
// ---------------------------------------------------------------------------------------------------------------------

/// A time, before it is known what a reconcile takes.
#[derive(Clone, Copy, Debug)]
enum Moment {
    At(u64),
    /// When an attempt begins that follows on so many failures with this first delay.
    Retry(u64, u32),
    /// When it ends.
    RetryEnds(u64, u32),
    /// When a watch ends that began with the end of such an attempt.
    WatchEnds(u64, u32),
}

fn moment() -> BoxedStrategy<Moment> {
    const BASES: [u64; 4] = [5 * MILLISECOND, 250 * MILLISECOND, SECOND, 2 * SECOND];
    prop_oneof![
        8 => (0_u64..60).prop_map(|quarters| Moment::At(quarters * 250 * MILLISECOND)),
        3 => (0_u64..130).prop_map(|seconds| Moment::At(seconds * SECOND)),
        4 => (select(&BASES[..]), 0_u32..9).prop_map(|(base, failures)| Moment::Retry(base, failures)),
        2 => (select(&BASES[..]), 0_u32..9).prop_map(|(base, failures)| Moment::RetryEnds(base, failures)),
        1 => (select(&BASES[..]), 0_u32..3).prop_map(|(base, failures)| Moment::WatchEnds(base, failures)),
        3 => select(vec![150, 240, 300, 600, 601, 660, 1200, 1800, 1900, 3000])
            .prop_map(|seconds| Moment::At(seconds * SECOND)),
    ]
    .boxed()
}

fn resolve(moment: Moment, reconcile: u64) -> u64 {
    let retry = |base: u64, failures: u32| base * ((1 << failures) - 1) + u64::from(failures) * reconcile;
    match moment {
        Moment::At(at) => at,
        Moment::Retry(base, failures) => retry(base, failures),
        Moment::RetryEnds(base, failures) => retry(base, failures) + reconcile,
        Moment::WatchEnds(base, failures) => retry(base, failures) + reconcile + 10 * MINUTE,
    }
}

fn ceiling() -> BoxedStrategy<&'static str> {
    select(vec!["", "0", "0", "1", "10", "600", "x", "-1", "+4", "-0", "2147483647", "2147483648"]).boxed()
}

fn interval() -> BoxedStrategy<&'static str> {
    select(vec!["", "0", "0", "1", "600", "x", "30", "+007", "-0", "-1", "2147483647"]).boxed()
}

fn actuation() -> BoxedStrategy<&'static str> {
    select(vec!["Paused", "Paused", "Reconciling", ""]).boxed()
}

fn annotate(key: &str, value: &str) -> What {
    What::Annotate(key.to_owned(), value.to_owned())
}

fn what() -> BoxedStrategy<What> {
    let woken = select(vec![PROJECT_ID, FOLDER_ID, ORGANIZATION_ID, COOKIE]);
    let slept = select(vec![MERGE, FOREIGN]);
    let any = select(vec![CEILING, CEILING, INTERVAL, INTERVAL, ACTUATION, PROJECT_ID, COOKIE, FOREIGN]);
    let value = select(vec!["", "a", "b"]);
    prop_oneof![
        2 => Just(What::Fails),
        4 => Just(What::Succeeds),
        2 => Just(What::Spec),
        3 => Just(What::Labels),
        3 => ceiling().prop_map(|value| annotate(CEILING, value)),
        3 => interval().prop_map(|value| annotate(INTERVAL, value)),
        2 => actuation().prop_map(|value| annotate(ACTUATION, value)),
        1 => (woken, value.clone()).prop_map(|(key, value)| annotate(key, value)),
        1 => (slept, value).prop_map(|(key, value)| annotate(key, value)),
        2 => any.prop_map(|key| What::Unannotate(key.to_owned())),
        1 => Just(What::Delete),
        2 => Just(What::Restart),
        2 => Just(What::DependencyMissing),
        3 => Just(What::DependencyReady),
    ]
    .boxed()
}

/// Many wakes in a short time, in turns, so that the buckets run dry; then successes and failures, so that the
/// ladder starts anew while the bucket is still empty.
fn burst() -> BoxedStrategy<(u64, Vec<Vec<What>>)> {
    let resumes = What::Unannotate(ACTUATION.to_owned());
    let turns = prop_oneof![
        4 => Just(vec![vec![What::Labels]]),
        2 => Just(vec![vec![What::Spec], vec![What::Labels]]),
        2 => Just(vec![vec![What::Succeeds, What::Labels], vec![What::Spec]]),
        1 => Just(vec![vec![What::Succeeds, What::Labels], vec![What::Fails, What::Spec]]),
        1 => Just(vec![vec![annotate(CEILING, "10")], vec![annotate(CEILING, "")]]),
        1 => Just(vec![vec![annotate(CEILING, "0")], vec![annotate(CEILING, "600")], vec![annotate(CEILING, "x")]]),
        1 => Just(vec![vec![What::DependencyMissing, What::Spec], vec![What::DependencyReady, What::Spec]]),
        1 => Just(vec![vec![annotate(ACTUATION, "Paused"), What::Labels], vec![resumes, What::Labels]]),
    ];
    let spacing = select(vec![1, 1, 3, 7, 10, 25]).prop_map(|spacing| spacing * MILLISECOND);
    let anew = [vec![What::Succeeds, What::Spec], vec![What::Fails, What::Spec]];
    (turns, spacing, 60_usize..250, 2_usize..30)
        .prop_map(move |(turns, spacing, count, again)| {
            (spacing, turns.into_iter().cycle().take(count).chain(anew.iter().cycle().take(again).cloned()).collect())
        })
        .boxed()
}

fn case() -> impl Strategy<Value = Case> {
    let weight = |subject: &Subject| match subject.controller {
        "tf" => 2,
        "direct" | "iampartialpolicy" | "iampolicymember" => 4,
        _ => 3,
    };
    let subject = Union::new_weighted(SUBJECTS.iter().map(|subject| (weight(subject), Just(subject))).collect());
    let release = Union::new_weighted(
        RELEASES.iter().map(|release| (if *release == "main" { 6 } else { 1 }, Just(*release))).collect(),
    );
    let annotations = (
        prop::option::weighted(0.5, ceiling()),
        prop::option::weighted(0.4, interval()),
        prop::option::weighted(0.15, actuation()),
    );
    let reconcile = prop_oneof![
        4 => Just(0),
        4 => select(vec![MILLISECOND, 5 * MILLISECOND, 250 * MILLISECOND, SECOND]),
        2 => select(vec![3 * SECOND, 10 * SECOND, 130 * SECOND]),
    ];
    let until = prop_oneof![
        6 => select(vec![2, 15, 63, 120, 300]),
        2 => select(vec![600, 1200, 2000]),
        1 => Just(3600),
    ];
    let nearly = prop_oneof![8 => Just(0), 1 => Just(1), 1 => Just(-1)];
    // Often with a wake, as half of what can happen wakes nothing.
    let whats = prop_oneof![
        2 => what().prop_map(|what| vec![what]),
        1 => (what(), select(vec![What::Spec, What::Labels])).prop_map(|(what, wake)| vec![what, wake]),
    ];
    let events = vec((moment(), nearly.clone(), whats), 0..16);
    let start = Moment::At(0);
    let at_first = prop_oneof![
        7 => Just(vec![]),
        1 => Just(vec![(start, What::Succeeds)]),
        1 => Just(vec![(start, What::DependencyMissing)]),
        // What would come at the end of a watch is not hidden by a drift requeue.
        1 => Just(vec![
            (start, What::DependencyMissing),
            (start, annotate(INTERVAL, "0")),
            (Moment::WatchEnds(SECOND, 0), What::DependencyReady),
        ]),
    ];
    // A burst of wakes is one of attempts where they take no time.
    let starts = select(vec![0, 250 * MILLISECOND, SECOND, 50 * SECOND]);
    let burst = prop::option::weighted(0.12, (starts, burst(), prop::bool::weighted(0.75)));
    let object = (subject, release, annotations, 0..RECONCILIATIONS.len(), prop::bool::weighted(0.08));
    (object, reconcile, (until, nearly), (at_first, events), burst).prop_map(
        |(object, reconcile, until, events, burst)| {
            let (subject, release, (ceiling, interval, actuation), reconciliation, deleting) = object;
            let reconcile = if burst.as_ref().is_some_and(|(_, _, at_once)| *at_once) { 0 } else { reconcile };
            let by_annotation = subject.by_annotation.then_some((RECONCILER, "direct"));
            let annotations = [(CEILING, ceiling), (INTERVAL, interval), (ACTUATION, actuation)];
            let present = annotations.into_iter().filter_map(|(key, value)| Some((key, value?)));
            let near = |at: u64, nearly: i64| at.saturating_add_signed(nearly);
            let (at_first, chosen) = events;
            let mut events: Vec<(u64, What)> =
                at_first.into_iter().map(|(moment, what)| (resolve(moment, reconcile), what)).collect();
            for (moment, nearly, whats) in chosen {
                let at = near(resolve(moment, reconcile), nearly);
                events.extend(whats.into_iter().map(|what| (at, what)));
            }
            if let Some((start, (spacing, turns), _)) = burst {
                for (turn, whats) in turns.into_iter().enumerate() {
                    events.extend(whats.into_iter().map(|what| (start + turn as u64 * spacing, what)));
                }
            }
            events.sort_by_key(|(at, _)| *at);
            Case {
                subject,
                release,
                annotations: by_annotation.into_iter().chain(present).collect(),
                reconciliation,
                deleting,
                reconcile,
                until: near(until.0 * SECOND, until.1),
                events,
            }
        },
    )
}

/// The same cases in every run.
fn repeatable() -> ProptestConfig {
    // The cheaper of proptest's generators: it is copied for every alternative that is not drawn.
    let (rng_algorithm, rng_seed) = (RngAlgorithm::XorShift, RngSeed::Fixed(0));
    ProptestConfig { cases: 6_000, rng_algorithm, rng_seed, failure_persistence: None, ..ProptestConfig::default() }
}

/// Those, unless the environment asks for more or for others.
fn as_asked() -> ProptestConfig {
    let (mut config, asked) = (repeatable(), ProptestConfig::default());
    if std::env::var_os("PROPTEST_CASES").is_some() {
        config.cases = asked.cases;
    }
    if asked.rng_seed != RngSeed::Random {
        config.rng_seed = asked.rng_seed;
    }
    config
}

// ---------------------------------------------------------------------------------------------------------------------
// The comparison
// ---------------------------------------------------------------------------------------------------------------------

/// The first attempts that the two tell differently, with those before.
fn difference(ours: &[Told], model: &[Told]) -> Option<String> {
    let longer = ours.len().max(model.len());
    let first = (0..longer).find(|index| ours.get(*index) != model.get(*index))?;
    let mut text = String::new();
    for (index, attempt) in model.iter().enumerate().take(first).skip(first.saturating_sub(3)) {
        let _ = writeln!(text, "attempt {}, both:    {attempt:?}", index + 1);
    }
    let _ = writeln!(text, "attempt {}, library: {:?}", first + 1, ours.get(first));
    let _ = writeln!(text, "attempt {}, model:   {:?}", first + 1, model.get(first));
    Some(text)
}

#[test]
fn a_naive_model_of_the_same_facts_tells_every_attempt_alike() {
    let compared = TestRunner::new(as_asked()).run(&case(), |case| {
        let model = Model::new(&case).run();
        let (ours, halted) = simulated(&case);
        if let Some(difference) = difference(&ours, &model) {
            return Err(TestCaseError::fail(difference));
        }
        prop_assert_eq!(halted, model.last().is_some_and(|last| last.cause == "halt"), "halted");
        Ok(())
    });
    compared.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_wait_of_the_bucket_that_is_as_long_as_the_step_of_the_ladder_is_told_as_the_ladders() {
    // Each turn takes a token, and refills a quarter of one; then every second turn takes one.
    let empties = (0..135).map(|_| vec![What::Labels]);
    let ebbs = (0..15).flat_map(|_| [vec![What::Succeeds, What::Spec], vec![What::Fails, What::Spec]]);
    let turns = empties.chain(ebbs).enumerate();
    let case = Case {
        subject: &SUBJECTS[0],
        release: "main",
        annotations: Vec::new(),
        reconciliation: 0,
        deleting: false,
        reconcile: 0,
        until: 10 * SECOND,
        events: turns
            .flat_map(|(turn, whats)| whats.into_iter().map(move |what| (turn as u64 * 25 * MILLISECOND, what)))
            .collect(),
    };
    let (ours, _) = simulated(&case);
    let model = Model::new(&case).run();
    assert_eq!(difference(&ours, &model), None, "{case:?}");
    let failures = ours.iter().filter(|attempt| attempt.outcome == "failed" && attempt.at > 135 * 25 * MILLISECOND);
    let told: Vec<_> = failures.map(|failure| (failure.next.unwrap() / MILLISECOND, failure.cause)).collect();
    let around = [(250, "ladder"), (250, "ladder"), (300, "token-bucket")];
    assert!(told.windows(3).any(|three| three == around), "{told:?}");
}

/// What a comparison of these attempts can show.
fn reached(case: &Case, told: &[Told], mut reach: impl FnMut(String)) {
    let controller = case.subject.controller;
    let events_at = |instant: u64| case.events.iter().any(|(at, _)| *at == instant);
    let mut anything: Vec<String> = Vec::new();
    for (index, attempt) in told.iter().enumerate() {
        anything.push(format!("outcome {}", attempt.outcome));
        anything.push(format!("cause {}", attempt.cause));
        anything.push(format!("{controller} {}", attempt.outcome));
        anything.push(format!("{controller} {}", attempt.cause));
        let Some(next) = attempt.next else { continue };
        let due = attempt.at + case.reconcile + next;
        let after = &told[index + 1..];
        if after.iter().any(|later| later.at == due) && events_at(due) {
            anything.push("an event at the instant of a retry".to_owned());
        }
        if after.iter().any(|later| later.at == due) && after.first().is_some_and(|later| later.at < due) {
            anything.push("a delayed add that outlives another attempt".to_owned());
        }
        if after.first().is_some_and(|later| later.at == attempt.at + case.reconcile && !events_at(later.at)) {
            anything.push("an attempt that follows at once".to_owned());
        }
        if due <= case.until && !after.iter().any(|later| later.at == due) {
            anything.push("a delayed add that vanishes".to_owned());
        }
        if attempt.cause == "drift" && next % SECOND != 0 {
            anything.push("a drift requeue with the wait of its bucket".to_owned());
        }
        if case.reconcile > 0 && events_at(attempt.at + case.reconcile) {
            anything.push("an event at the instant of an end".to_owned());
        }
        if attempt.at == case.until {
            anything.push("an attempt at the last instant".to_owned());
        }
    }
    if told.last().is_some_and(|last| last.cause == "halt") {
        anything.push("halted at the end".to_owned());
    }
    anything.sort();
    anything.dedup();
    anything.into_iter().for_each(&mut reach);
}

#[test]
fn the_random_cases_reach_every_outcome_and_every_cause_with_every_controller_that_has_it() {
    let mut wanted: Vec<String> = Vec::new();
    for outcome in ["failed", "succeeded", "unresolved", "skipped", "interrupted"] {
        wanted.push(format!("outcome {outcome}"));
    }
    for cause in ["ladder", "ceiling", "token-bucket", "drift", "wait", "halt", "none", "gone"] {
        wanted.push(format!("cause {cause}"));
    }
    for subject in &SUBJECTS {
        for word in ["failed", "succeeded", "unresolved", "interrupted", "ladder", "ceiling", "drift", "none", "gone"] {
            wanted.push(format!("{} {word}", subject.controller));
        }
        if subject.controller != "plural" {
            wanted.push(format!("{} token-bucket", subject.controller));
        }
    }
    for controller in ["tf", "dcl", "direct"] {
        wanted.push(format!("{controller} skipped"));
    }
    for place in [
        "direct halt",
        "plural wait",
        "halted at the end",
        "an event at the instant of a retry",
        "an event at the instant of an end",
        "an attempt at the last instant",
        "an attempt that follows at once",
        "a delayed add that outlives another attempt",
        "a delayed add that vanishes",
        "a drift requeue with the wait of its bucket",
    ] {
        wanted.push(place.to_owned());
    }
    let counts = std::cell::RefCell::new(BTreeMap::<String, u32>::new());
    let drawn = TestRunner::new(repeatable()).run(&case(), |case| {
        let told = Model::new(&case).run();
        reached(&case, &told, |what| *counts.borrow_mut().entry(what).or_default() += 1);
        Ok(())
    });
    assert!(drawn.is_ok());
    let counts = counts.into_inner();
    println!("{counts:#?}");
    for what in wanted {
        let count = counts.get(&what).copied().unwrap_or_default();
        assert!(count >= 3, "{what}: in {count} of the cases\n{counts:#?}");
    }
    // What must never come out of it.
    for what in ["plural token-bucket", "plural skipped", "tf halt", "dcl halt", "iampolicy skipped", "direct wait"] {
        assert_eq!(counts.get(what), None, "{what}");
    }
}
