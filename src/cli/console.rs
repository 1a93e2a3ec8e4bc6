//! Where the Console's state comes from, as options, and what is written of it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Failure, inputs};
use crate::console::exchange::Event;
use crate::console::recording::Replay;
use crate::console::snapshot::{self, Snapshot};
use crate::human;
use crate::object::{Diagnostic, Severity};
use crate::output::{self, Terminal, escape};
use crate::reconcile::{Console, Redactor};
use crate::{go, source};

/// The Console.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The Console")]
pub(super) struct ConsoleArgs {
    /// The address of the Console; /gql is added to one without a path. By default PLURAL_CONSOLE_URL or CONSOLE_URL, each
    /// with its _TOKEN, or the Plural CLI's file
    #[arg(long, value_name = "URL", conflicts_with_all = ["console_snapshot", "replay"])]
    console_url: Option<String>,
    /// A file that holds the token for --console-url; PLURAL_CONSOLE_TOKEN by default. A token is no argument: everybody on
    /// the machine could read it
    #[arg(long, value_name = "FILE", requires = "console_url", value_hint = clap::ValueHint::FilePath)]
    console_token_file: Option<PathBuf>,
    /// Certificates (PEM) to trust besides the system's
    #[arg(long, value_name = "FILE", conflicts_with_all = ["console_snapshot", "replay"], value_hint = clap::ValueHint::FilePath)]
    console_ca: Option<PathBuf>,
    /// Plan from what this file says that the Console holds, with no network and no token
    #[arg(long, value_name = "FILE", conflicts_with = "replay", value_hint = clap::ValueHint::FilePath)]
    console_snapshot: Option<PathBuf>,
    /// Plan from a recording
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    replay: Option<PathBuf>,
    #[command(flatten)]
    wire: WireArgs,
}

/// How the Console is asked.
#[derive(Debug, clap::Args)]
struct WireArgs {
    /// Write what was asked and answered, without secrets and tokens
    #[arg(long, value_name = "FILE", conflicts_with_all = ["console_snapshot", "replay"], value_hint = clap::ValueHint::FilePath)]
    record: Option<PathBuf>,
    /// How many requests may be in flight at once
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=64))]
    concurrency: u8,
    /// How long one request may take, a Go duration
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = timeout)]
    request_timeout: Duration,
    /// Tell of each request; twice, of each look-up
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
}

/// A positive Go duration.
fn timeout(text: &str) -> Result<Duration, String> {
    let nanos = go::parse_duration(text).map_err(|error| error.to_string())?;
    match u64::try_from(nanos) {
        Ok(nanos) if nanos > 0 => Ok(Duration::from_nanos(nanos)),
        _ => Err("has to be positive".to_owned()),
    }
}

/// All requests of a run together may take this long, pauses included.
#[cfg(feature = "reconcile")]
const BUDGET: Duration = Duration::from_secs(120);

/// Whoever says what the Console holds.
pub(super) struct Told {
    /// Who it is, as it is shown.
    pub(super) told_by: String,
    /// What is shown of the Console's address, if one was asked.
    pub(super) address: String,
    kind: Kind,
}

enum Kind {
    #[cfg(feature = "reconcile")]
    Wire(Box<wire::Asked>),
    Snapshot(Box<Snapshot>),
    Replay(Replay),
}

impl Told {
    /// The Console.
    pub(super) fn console(&self) -> &dyn Console {
        match &self.kind {
            #[cfg(feature = "reconcile")]
            Kind::Wire(asked) => asked.console(),
            Kind::Snapshot(snapshot) => &**snapshot,
            Kind::Replay(replay) => replay,
        }
    }

    /// Writes the recording, if one was asked for, also of a run that failed. `secrets` takes secrets out of messages.
    ///
    /// # Errors
    /// When the file cannot be written.
    #[cfg_attr(not(feature = "reconcile"), expect(unused_variables, reason = "only what was asked is recorded"))]
    pub(super) fn finish(&self, secrets: &dyn Fn(&str) -> String) -> Result<(), Failure> {
        match &self.kind {
            #[cfg(feature = "reconcile")]
            Kind::Wire(asked) => {
                wire::Asked::ended();
                asked.record(&self.address, secrets)
            }
            Kind::Snapshot(_) | Kind::Replay(_) => Ok(()),
        }
    }
}

impl ConsoleArgs {
    /// Whoever says what the Console holds. Doubts about a snapshot become problems; `redactor` takes secrets out of what is
    /// told on the way.
    ///
    /// # Errors
    /// When there is nobody, or what was named cannot be read.
    pub(super) fn open(
        &self,
        terminal: Terminal,
        problems: &mut Vec<Diagnostic>,
        redactor: Redactor,
    ) -> Result<Told, Failure> {
        if let Some(path) = &self.console_snapshot {
            return from_snapshot(path, terminal, problems);
        }
        if let Some(path) = &self.replay {
            let shown = path.display();
            let bytes = std::fs::read(path).map_err(|error| unreadable("recording", path, &error))?;
            let replay =
                Replay::read(&bytes).map_err(|error| Failure::Usage(format!("the recording {shown} {error}")))?;
            let told_by = format!("the recording {shown} of {}", replay.console);
            return Ok(Told { told_by, address: replay.console.clone(), kind: Kind::Replay(replay) });
        }
        self.ask(redactor)
    }

    /// Whether each look-up is to be told.
    pub(super) fn tells_look_ups(&self) -> bool {
        self.wire.verbose > 1
    }

    #[cfg(not(feature = "reconcile"))]
    fn ask(&self, _: Redactor) -> Result<Told, Failure> {
        Err(Failure::Usage(
            "this build has no network: give --console-snapshot FILE, or build with the feature reconcile".to_owned(),
        ))
    }

    #[cfg(feature = "reconcile")]
    fn ask(&self, redactor: Redactor) -> Result<Told, Failure> {
        let token = match &self.console_token_file {
            Some(path) => Some(std::fs::read_to_string(path).map_err(|error| unreadable("token file", path, &error))?),
            None => None,
        };
        let home = std::env::home_dir();
        let given = crate::console::endpoint::Given {
            url: self.console_url.as_deref(),
            token: token.as_deref(),
            variable: &|name| std::env::var(name).ok(),
            home: home.as_deref(),
        };
        let endpoint = crate::console::endpoint::endpoint(&given).map_err(Failure::Usage)?;
        let shown = endpoint.shown.clone();
        let asked = wire::Asked::new(endpoint, self.console_ca.as_deref(), &self.wire, redactor)?;
        let told_by = format!("the Console at {shown}");
        Ok(Told { told_by, address: shown, kind: Kind::Wire(Box::new(asked)) })
    }
}

#[cfg(feature = "reconcile")]
mod wire {
    use std::io::{IsTerminal, Write as _};
    use std::path::PathBuf;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    use super::{BUDGET, Failure, Redactor, WireArgs, tell};
    use crate::console::Token;
    use crate::console::endpoint::Endpoint;
    use crate::console::exchange::Event;
    use crate::console::exchange::{Client, Limits, Watch};
    use crate::console::recording;
    use crate::console::wire::Wire;
    use crate::reconcile::Console;

    /// Shorter runs show no progress.
    const PATIENCE: Duration = Duration::from_secs(1);
    /// Whether a line of progress stands on the terminal.
    static SHOWN: AtomicBool = AtomicBool::new(false);

    /// Shows on a terminal how far it is, once it takes longer than a moment.
    fn progress(event: &Event) {
        static BEGUN: OnceLock<Instant> = OnceLock::new();
        static ANSWERED: AtomicUsize = AtomicUsize::new(0);
        let begun = BEGUN.get_or_init(Instant::now);
        let answered = match event {
            Event::Asked { .. } => ANSWERED.fetch_add(1, Ordering::Relaxed) + 1,
            Event::Again { .. } => ANSWERED.load(Ordering::Relaxed),
        };
        if begun.elapsed() > PATIENCE {
            SHOWN.store(true, Ordering::Relaxed);
            let _ = write!(std::io::stderr(), "\rasking the Console: {answered} requests so far");
        }
    }

    /// A Console on the wire, and where its recording goes.
    pub(super) struct Asked {
        client: Client<Wire>,
        token: Token,
        record: Option<PathBuf>,
    }

    impl Asked {
        pub(super) fn new(
            endpoint: Endpoint,
            ca: Option<&std::path::Path>,
            args: &WireArgs,
            redactor: Redactor,
        ) -> Result<Asked, Failure> {
            let limits = Limits { concurrency: args.concurrency.into(), budget: BUDGET };
            let (shown, source, token) = (endpoint.shown.clone(), endpoint.source, endpoint.token.clone());
            let wire = Wire::new(endpoint, ca, args.request_timeout, &|name| std::env::var(name).ok())
                .map_err(Failure::Usage)?;
            let watch: Watch = match args.verbose {
                0 if std::io::stderr().is_terminal() => Box::new(progress),
                0 => Box::new(|_| {}),
                _ => Box::new(move |event| tell(event, &redactor)),
            };
            let keeps = args.record.is_some();
            let client = Client::new(wire, limits, (&shown, source), Some(token.clone()), keeps, watch);
            Ok(Asked { client, token, record: args.record.clone() })
        }

        pub(super) fn console(&self) -> &dyn Console {
            &self.client
        }

        /// Takes the line of progress away again.
        pub(super) fn ended() {
            if SHOWN.load(Ordering::Relaxed) {
                let _ = write!(std::io::stderr(), "\r\u{1b}[K");
            }
        }

        pub(super) fn record(&self, shown: &str, secrets: &dyn Fn(&str) -> String) -> Result<(), Failure> {
            let Some(path) = &self.record else { return Ok(()) };
            let document = recording::document(shown, Some(&self.token), &self.client.exchanges(), secrets);
            let mut bytes = Vec::new();
            crate::output::any_json(&mut bytes, &document)?;
            std::fs::write(path, bytes)
                .map_err(|error| Failure::Usage(format!("cannot write the recording {}: {error}", path.display())))
        }
    }
}

fn from_snapshot(path: &Path, terminal: Terminal, problems: &mut Vec<Diagnostic>) -> Result<Told, Failure> {
    let shown = path.display();
    match snapshot::read(path) {
        Ok((snapshot, doubts)) => {
            problems.extend(doubts);
            let of = snapshot.console.as_ref().map_or(String::new(), |console| format!(" of {console}"));
            let taken = snapshot.taken.as_ref().map_or(String::new(), |taken| format!(", taken {taken}"));
            let address = snapshot.console.clone().unwrap_or_default();
            let told_by = format!("the snapshot {shown}{of}{taken}");
            Ok(Told { told_by, address, kind: Kind::Snapshot(Box::new(snapshot)) })
        }
        Err(faults) => {
            let errors = faults.iter().filter(|fault| fault.severity == Severity::Error).count();
            inputs::say(|err| output::complain(err, terminal.err, &faults))?;
            let them = if errors == 1 { "an error".to_owned() } else { format!("{errors} errors") };
            Err(Failure::Usage(format!("the snapshot {shown} cannot be used: {them}")))
        }
    }
}

fn unreadable(what: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::Usage(format!("cannot read the {what} {}: {}", path.display(), source::io_words(error)))
}

/// Says what happens on the way, a line each.
#[cfg_attr(not(feature = "reconcile"), expect(dead_code, reason = "only the network has a way"))]
fn tell(event: &Event, redactor: &Redactor) {
    let line = match event {
        Event::Asked { number, look_ups, outcome, took } => {
            let plural = if *look_ups == 1 { "" } else { "s" };
            format!(
                "request {number}: {look_ups} look-up{plural}, {}: {}",
                human::duration(*took),
                redactor.redacted(outcome)
            )
        }
        Event::Again { number, reason, pause } => {
            format!("request {number}: again after {}: {}", human::duration(*pause), redactor.redacted(reason))
        }
    };
    // Nobody who watches reads on: that is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{}", escape(&line));
}
