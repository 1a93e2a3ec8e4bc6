//! Objects of the Plural Console: what explain tells of them, against console.md and console-decisions.csv.

mod contract;
mod decisions;
mod deletion;
mod hostile;
mod identity;
mod modes;
mod other_kinds;
mod reconciliation;
mod references;
mod status;

use std::fmt::Write as _;

use kcc_backoff::assess::plural::{Assessment, Outcome};
use kcc_backoff::assess::{Answer, Object, World};
use kcc_backoff::output::{self, Explanation, Style, Summary};
use kcc_backoff::source::{self, Input, Options};

use crate::support::{self, NOW};

/// The seven kinds with decision rows, and their own finalizers (sections 4 to 10).
pub const SEVEN: [(&str, Option<&str>); 7] = [
    ("Project", Some("projects.deployments.plural.sh/project-protection")),
    ("Catalog", Some("projects.deployments.plural.sh/catalog-protection")),
    ("GitRepository", Some("deployments.plural.sh/gitrepo-protection")),
    ("NotificationSink", Some("deployments.plural.sh/notification-sink-protection")),
    ("ServiceAccount", None),
    ("PrAutomation", Some("providers.deployments.plural.sh/provider-protection")),
    ("ServiceContext", Some("projects.deployments.plural.sh/service-context-protection")),
];

/// A finalizer that is nobody's of the Console.
pub const FOREIGN: &str = "orchard.test/hold";

pub fn finalizer(kind: &str) -> &'static str {
    SEVEN.iter().find(|(name, _)| *name == kind).and_then(|(_, finalizer)| *finalizer).unwrap()
}

/// An object of the Console in the making.
#[derive(Clone)]
pub struct Resource {
    kind: String,
    metadata: Vec<String>,
    finalizers: Vec<String>,
    spec: Vec<String>,
    status: Vec<String>,
    conditions: Vec<String>,
}

/// The smallest object of a kind that the API server takes; it is called `it`, in the cluster and in the Console.
pub fn object(kind: &str) -> Resource {
    let spec: &[&str] = match kind {
        "Project" => &["name: it"],
        "Catalog" => &["name: it", "author: Orchard"],
        "GitRepository" => &["url: https://git.orchard.test/it.git"],
        "NotificationSink" => &["name: it", "type: PLURAL"],
        "ServiceAccount" => &["email: it@orchard.test"],
        "PrAutomation" => &["name: it", "scmConnectionRef: {name: forge}"],
        "ServiceContext" => &["name: it"],
        _ => &[],
    };
    let metadata: &[&str] = match kind {
        "NotificationSink" | "ServiceContext" => &["name: it", "namespace: infra"],
        _ => &["name: it"],
    };
    let own = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
    Resource {
        kind: kind.to_owned(),
        metadata: own(metadata),
        finalizers: Vec::new(),
        spec: own(spec),
        status: Vec::new(),
        conditions: Vec::new(),
    }
}

impl Resource {
    /// A line of metadata, instead of one with the same key.
    pub fn meta(mut self, line: &str) -> Resource {
        replace(&mut self.metadata, line);
        self
    }

    /// A line of the spec, instead of one with the same key.
    pub fn spec(mut self, line: &str) -> Resource {
        replace(&mut self.spec, line);
        self
    }

    /// The spec without a key.
    pub fn without(mut self, key: &str) -> Resource {
        self.spec.retain(|line| key_of(line) != key);
        self
    }

    pub fn drift(self, detected: bool) -> Resource {
        self.spec(&format!("reconciliation: {{driftDetection: {detected}}}"))
    }

    /// An interval, quoted, and nothing else in the block.
    pub fn interval(self, text: &str) -> Resource {
        self.spec(&format!("reconciliation: {{interval: {}}}", serde_json::to_string(text).unwrap()))
    }

    pub fn finalizer(mut self, finalizer: &str) -> Resource {
        self.finalizers.push(finalizer.to_owned());
        self
    }

    /// The kind's own finalizer.
    pub fn ours(self) -> Resource {
        let own = finalizer(&self.kind);
        self.finalizer(own)
    }

    /// The kind's own finalizer, if it has one.
    pub fn ours_if_any(self) -> Resource {
        let own = SEVEN.iter().find(|(name, _)| *name == self.kind).and_then(|(_, finalizer)| *finalizer);
        if let Some(own) = own { self.finalizer(own) } else { self }
    }

    pub fn deleting(self) -> Resource {
        self.meta("deletionTimestamp: \"2026-11-30T11:59:00Z\"")
    }

    pub fn id(self) -> Resource {
        self.status("id: 7f3a")
    }

    pub fn status(mut self, line: &str) -> Resource {
        self.status.push(line.to_owned());
        self
    }

    pub fn condition(mut self, kind: &str, status: &str, reason: &str, message: &str) -> Resource {
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        self.conditions.push(format!(
            "{{type: {kind}, status: {}, reason: {reason}, message: {}, lastTransitionTime: \"2026-11-30T03:12:00Z\"}}",
            quoted(status),
            quoted(message)
        ));
        self
    }

    /// The condition `Readonly`.
    pub fn readonly(self, readonly: bool) -> Resource {
        let (status, message) = if readonly { ("True", "Running in read-only mode") } else { ("False", "") };
        self.condition("Readonly", status, "Readonly", message)
    }

    pub fn text(&self) -> String {
        let mut text = format!("apiVersion: deployments.plural.sh/v1alpha1\nkind: {}\nmetadata:\n", self.kind);
        let mut block = |head: &str, lines: &[String]| {
            text.push_str(head);
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
        };
        block("", &self.metadata);
        if !self.finalizers.is_empty() {
            block("", &[format!("finalizers: [{}]", self.finalizers.join(", "))]);
        }
        if !self.spec.is_empty() {
            block("spec:\n", &self.spec);
        }
        let mut status = self.status.clone();
        if !self.conditions.is_empty() {
            status.push(format!("conditions: [{}]", self.conditions.join(", ")));
        }
        if !status.is_empty() {
            block("status:\n", &status);
        }
        text
    }
}

fn key_of(line: &str) -> &str {
    line.split_once(':').map_or(line, |(key, _)| key)
}

fn replace(lines: &mut Vec<String>, line: &str) {
    lines.retain(|old| key_of(old) != key_of(line));
    lines.push(line.to_owned());
}

/// The answers for every object in `text`, as the library gives them. They live as long as the test process.
pub fn answers(text: &str) -> Vec<Assessment<'static>> {
    let mut bytes = text.as_bytes();
    let loaded = source::load(&[Input::Stdin], &Options::default(), &mut bytes, &|item| {
        Object::read(item.node, item.api_version, item.kind, item.file, None)
    });
    assert!(loaded.problems.is_empty(), "{:?}\n{text}", loaded.problems);
    let mut world = World::new(None, None, NOW.parse().unwrap());
    assert!(world.observe(loaded.objects.iter().flatten()).is_empty());
    let world: &'static World = Box::leak(Box::new(world));
    let objects: &'static [Option<Object>] = Vec::leak(loaded.objects);
    let answers = objects.iter().flatten().map(|object| object.assess(world));
    answers
        .map(|answer| match answer {
            Answer::Plural(assessment) => assessment,
            Answer::Kcc(_) => panic!("an object of the Console was taken for one of Config Connector:\n{text}"),
        })
        .collect()
}

pub fn answer(resource: &Resource) -> Assessment<'static> {
    let mut all = answers(&resource.text());
    assert_eq!(all.len(), 1);
    all.remove(0)
}

/// The answers for several objects that stand in one file.
pub fn together(resources: &[Resource]) -> Vec<Assessment<'static>> {
    answers(&file(resources))
}

pub fn file(resources: &[Resource]) -> String {
    resources.iter().map(Resource::text).collect::<Vec<_>>().join("---\n")
}

/// What explain prints of these objects off a terminal, a line of the screen per line.
pub fn screen_of(text: &str) -> String {
    let mut bytes = text.as_bytes();
    let loaded = source::load(&[Input::Stdin], &Options::default(), &mut bytes, &|item| {
        Object::read(item.node, item.api_version, item.kind, item.file, None)
    });
    let objects: Vec<&Object> = loaded.objects.iter().flatten().collect();
    let mut world = World::new(None, None, NOW.parse().unwrap());
    let problems = world.observe(objects.iter().copied());
    let explanation =
        Explanation { world: &world, objects: &objects, problems: &problems, summary: Summary::default() };
    let mut out = Vec::new();
    output::text(&mut out, Style::PLAIN, explanation).unwrap();
    String::from_utf8(out).unwrap()
}

pub fn screen(resource: &Resource) -> String {
    screen_of(&resource.text())
}

/// The lines of a screen below a label, without it.
pub fn lines_of(screen: &str, label: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in screen.lines().filter_map(|line| line.strip_prefix("  ")) {
        // A label is at the margin; a line without one belongs to the label above.
        inside = if line.starts_with(' ') { inside } else { line.starts_with(label) };
        if inside {
            found.push(line.strip_prefix(label).unwrap_or(line).split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// The JSON of the one object.
pub fn json(resource: &Resource) -> serde_json::Value {
    support::json(&resource.text(), &[])["objects"][0].clone()
}

pub fn codes(assessment: &Assessment<'_>) -> Vec<(&'static str, &'static str)> {
    assessment.problems.iter().map(|problem| (problem.code.as_str(), problem.severity.as_str())).collect()
}

/// Action, mutation, what the pass returns and how that is known.
pub fn told(outcome: &Outcome<'_>) -> (&'static str, Option<&'static str>, &'static str, &'static str) {
    let returns = outcome.returns.map_or("?", |returns| returns.as_str());
    (outcome.action.as_str(), outcome.mutation, returns, outcome.confidence.as_str())
}

/// Action and mutation.
pub fn does(outcome: &Outcome<'_>) -> (&'static str, Option<&'static str>) {
    (outcome.action.as_str(), outcome.mutation)
}

pub fn documented(outcome: &Outcome<'_>) -> Option<&'static str> {
    outcome.documented.map(|action| action.as_str())
}

pub fn notes(assessment: &Assessment<'_>) -> String {
    assessment.notes.join("\n")
}
