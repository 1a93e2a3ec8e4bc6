//! Manifests from a few words, answers from the library, runs of the binary.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use kcc_backoff::assess::kcc::{Assessment, assess};
use kcc_backoff::assess::{Contexts, World};
use kcc_backoff::kcc::Facts;
use kcc_backoff::object::Diagnostic;
use kcc_backoff::source::{self, Input, Options};

pub const CEILING: &str = "cnrm.cloud.google.com/backoff-max-delay-in-seconds";
pub const INTERVAL: &str = "cnrm.cloud.google.com/reconcile-interval-in-seconds";
pub const RECONCILER: &str = "alpha.cnrm.cloud.google.com/reconciler";
pub const ACTUATION: &str = "cnrm.cloud.google.com/actuation-mode";
pub const POLICY: &str = "cnrm.cloud.google.com/deletion-policy";
pub const NOW: &str = "2026-11-30T12:00:00Z";

/// A direct-only, a tf-only and a dcl-only kind, and one that tf handles and direct can.
pub const DIRECT: (&str, &str) = ("logging", "LoggingLogMetric");
pub const TF: (&str, &str) = ("accesscontextmanager", "AccessContextManagerAccessLevel");
pub const DCL: (&str, &str) = ("apigee", "ApigeeOrganization");
pub const EITHER: (&str, &str) = ("alloydb", "AlloyDBCluster");
pub const MEMBER: (&str, &str) = ("iam", "IAMPolicyMember");
pub const PARTIAL: (&str, &str) = ("iam", "IAMPartialPolicy");

/// A manifest in the making.
pub struct Manifest {
    kind: (&'static str, &'static str),
    annotations: Vec<(String, String)>,
    metadata: String,
    rest: String,
}

pub fn manifest(kind: (&'static str, &'static str)) -> Manifest {
    Manifest { kind, annotations: Vec::new(), metadata: String::new(), rest: String::new() }
}

impl Manifest {
    /// An annotation with a quoted value.
    pub fn with(self, key: &str, value: &str) -> Manifest {
        let quoted = serde_json::to_string(value).unwrap();
        self.raw(key, &quoted)
    }

    /// An annotation with its value as it is to be written.
    pub fn raw(mut self, key: &str, value: &str) -> Manifest {
        self.annotations.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Lines below `metadata`.
    pub fn metadata(mut self, lines: &str) -> Manifest {
        for line in lines.lines() {
            let _ = writeln!(self.metadata, "  {line}");
        }
        self
    }

    /// Lines at the top level.
    pub fn and(mut self, lines: &str) -> Manifest {
        let _ = writeln!(self.rest, "{lines}");
        self
    }

    /// A status with one Ready condition, False since 03:12 (8 h 48 min before NOW) unless it says otherwise.
    pub fn ready(self, status: &str, reason: &str) -> Manifest {
        self.and(&format!(
            "status:\n  observedGeneration: 3\n  conditions:\n  - type: Ready\n    status: \"{status}\"\n    reason: {reason}\n    \
             message: it is so\n    lastTransitionTime: \"2026-11-30T03:12:00Z\""
        ))
        .metadata("generation: 3")
    }

    pub fn text(&self) -> String {
        let (group, kind) = self.kind;
        let mut text = format!(
            "apiVersion: {group}.cnrm.cloud.google.com/v1beta1\nkind: {kind}\nmetadata:\n  name: it\n  namespace: team-a\n{}",
            self.metadata
        );
        if !self.annotations.is_empty() {
            text.push_str("  annotations:\n");
            for (key, value) in &self.annotations {
                let _ = writeln!(text, "    {key}: {value}");
            }
        }
        text + &self.rest
    }
}

/// What to ask besides the manifest.
#[derive(Default)]
pub struct Ask<'a> {
    pub release: &'a str,
    pub since: Option<&'a str>,
    pub set: &'a [(&'a str, &'a str)],
}

/// The answers for every object of Config Connector in `text`. Facts and world live as long as the test process.
pub fn answers(text: &str, ask: &Ask<'_>) -> Vec<Assessment<'static>> {
    let mut bytes = text.as_bytes();
    let loaded = source::load(&[Input::Stdin], &Options::default(), &mut bytes, &|item| {
        Facts::read(item.node, item.api_version, item.kind, item.file, None)
    });
    assert!(loaded.problems.is_empty(), "{:?}\n{text}", loaded.problems);
    let release = if ask.release.is_empty() { "main" } else { ask.release };
    let since = ask.since.map(|since| since.parse().unwrap());
    let mut world = World::new(Some(release.parse().unwrap()), since, NOW.parse().unwrap());
    world.set = ask.set.iter().map(|(key, value)| ((*key).to_owned(), Some((*value).to_owned()))).collect();
    let (contexts, _) = Contexts::gather(loaded.objects.iter());
    world.contexts = contexts;
    let (facts, world): (&'static [Facts], &'static World) = (Vec::leak(loaded.objects), Box::leak(Box::new(world)));
    facts.iter().map(|facts| assess(facts, world)).collect()
}

/// The answer for the one manifest, in main.
pub fn answer(manifest: &Manifest) -> Assessment<'static> {
    answer_in(manifest, "main")
}

/// The answer for the one manifest, in a release.
pub fn answer_in(manifest: &Manifest, release: &str) -> Assessment<'static> {
    let mut all = answers(&manifest.text(), &Ask { release, ..Ask::default() });
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// The answer for the last object of several documents.
pub fn last_answer(documents: &[&str], release: &str) -> Assessment<'static> {
    answers(&documents.join("\n---\n"), &Ask { release, ..Ask::default() }).pop().unwrap()
}

pub fn codes(assessment: &Assessment<'_>) -> Vec<&'static str> {
    assessment.problems.iter().map(|problem| problem.code.as_str()).collect()
}

/// The binary, with nothing of the caller's environment that could change what it prints.
pub fn binary(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kcc-backoff"));
    for name in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "TERM",
        "COLUMNS",
        "COMPLETE",
        "RUST_BACKTRACE",
        "RAYON_NUM_THREADS",
        "GITHUB_STEP_SUMMARY",
        "PLURAL_CONSOLE_URL",
        "PLURAL_CONSOLE_TOKEN",
        "CONSOLE_URL",
        "CONSOLE_TOKEN",
        "HTTPS_PROXY",
        "https_proxy",
        "HTTP_PROXY",
        "http_proxy",
        "ALL_PROXY",
        "all_proxy",
        "NO_PROXY",
        "no_proxy",
    ] {
        command.env_remove(name);
    }
    // The Plural CLI's file is looked for in the home.
    command.env("HOME", folder);
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// A run of the binary on one file with `text`.
pub fn run(text: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("manifest.yaml"), text).unwrap();
    binary(folder.path()).arg("explain").arg("manifest.yaml").args(args).args(["--now", NOW]).output().unwrap()
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The JSON of a run that must succeed in printing some.
pub fn json(text: &str, args: &[&str]) -> serde_json::Value {
    let output = run(text, &[args, &["-o", "json"]].concat());
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", stdout(&output)))
}

/// The facts of the first object of Config Connector in `text`.
pub fn facts(text: &str) -> Facts {
    let mut bytes = text.as_bytes();
    let mut loaded = source::load(&[Input::Stdin], &Options::default(), &mut bytes, &|item| {
        Facts::read(item.node, item.api_version, item.kind, item.file, None)
    });
    assert!(loaded.problems.is_empty(), "{:?}\n{text}", loaded.problems);
    loaded.objects.remove(0)
}

/// What is wrong with the contexts in `text` as such: code, severity, line, message.
pub fn context_problems(text: &str) -> Vec<(&'static str, &'static str, u32, String)> {
    let mut bytes = text.as_bytes();
    let loaded = source::load(&[Input::Stdin], &Options::default(), &mut bytes, &|item| {
        Facts::read(item.node, item.api_version, item.kind, item.file, None)
    });
    let (_, problems) = Contexts::gather(loaded.objects.iter());
    let line = |problem: &Diagnostic| problem.place.as_ref().map_or(0, |place| place.line);
    problems
        .into_iter()
        .map(|problem| (problem.code.as_str(), problem.severity.as_str(), line(&problem), problem.message))
        .collect()
}

/// A ConfigConnector with these lines below `spec`.
pub fn connector(spec: &str) -> String {
    format!(
        "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnector\nmetadata:\n  \
         name: configconnector.core.cnrm.cloud.google.com\nspec:\n{spec}"
    )
}

/// A ConfigConnectorContext of a namespace with these lines below `spec`.
pub fn context_of(namespace: &str, spec: &str) -> String {
    format!(
        "apiVersion: core.cnrm.cloud.google.com/v1beta1\nkind: ConfigConnectorContext\nmetadata:\n  \
         name: configconnectorcontext.core.cnrm.cloud.google.com\n  namespace: {namespace}\nspec:\n{spec}"
    )
}

/// `deletionTimestamp` at 11:59, a minute before NOW, with these finalizers.
pub fn deleting(finalizers: &str) -> String {
    format!("deletionTimestamp: \"2026-11-30T11:59:00Z\"\nfinalizers: [{finalizers}]")
}

pub const FINALIZER: &str = "cnrm.cloud.google.com/finalizer";
pub const DEFENDER: &str = "cnrm.cloud.google.com/deletion-defender";

/// The seven controllers, each with a kind that main's table gives it.
pub const EVERY_CONTROLLER: [(&str, (&str, &str)); 7] = [
    ("direct", DIRECT),
    ("tf", TF),
    ("dcl", DCL),
    ("iampolicy", ("iam", "IAMPolicy")),
    ("iampartialpolicy", PARTIAL),
    ("iampolicymember", MEMBER),
    ("iamauditconfig", ("iam", "IAMAuditConfig")),
];

/// A text without the escape sequences of colours.
pub fn without_colour(painted: &str) -> String {
    let mut stripped = String::new();
    let mut rest = painted;
    while let Some(start) = rest.find('\u{1b}') {
        stripped.push_str(&rest[..start]);
        let end = rest[start..].find('m').unwrap();
        rest = &rest[start + end + 1..];
    }
    stripped.push_str(rest);
    stripped
}
