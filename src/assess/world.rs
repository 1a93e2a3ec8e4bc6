use std::collections::HashMap;

use jiff::Timestamp;

use super::Object;
use super::kcc::{NotWaking, not_waking};
use crate::kcc::{self, CeilingSupport, Facts, Release, Settings, Version, Wake};
use crate::object::{Code, Diagnostic, Place, Pos, Severity};

/// Everything an answer depends on besides the object itself, and what follows from it for every object alike.
#[derive(Debug, Clone)]
pub struct World {
    /// Which Config Connector is spoken of.
    pub release: Release,
    /// Whether the user named the release.
    pub release_named: bool,
    /// The first release that reads the ceiling annotation, if the user knows.
    pub ceiling_since: Option<Version>,
    /// The current time.
    pub now: Timestamp,
    /// Annotations that every object is to be taken to carry (`Some`), or to lack (`None`).
    pub set: Vec<(String, Option<String>)>,
    /// ConfigConnector and ConfigConnectorContext objects among the inputs.
    pub contexts: Contexts,
    /// What the inputs hold that matters to other objects of the Plural Console.
    pub inputs: super::plural::Inputs,
    pub(super) wakes: Vec<Wake>,
    pub(super) not_waking: Vec<NotWaking>,
    pub(super) table: String,
    pub(super) ignored: String,
    pub(super) unknown: String,
}

impl World {
    /// The world of a release at a time; nothing set, no contexts, `main` if no release is named.
    pub fn new(release: Option<Release>, ceiling_since: Option<Version>, now: Timestamp) -> World {
        let named = release.is_some();
        let release = release.unwrap_or(Release::Main);
        let table = if release.borrows_main_table() {
            format!("table of main, as that of {release} is not known")
        } else {
            format!("table of {release}")
        };
        let ignored = match ceiling_since {
            Some(since) if release.ceiling_support(None) == CeilingSupport::Unknown => {
                format!("{release} ignores the annotation: the first that reads it is {since} (--ceiling-since)")
            }
            _ => format!("{release} ignores the annotation, as every release up to 1.159 does"),
        };
        World {
            release,
            release_named: named,
            ceiling_since,
            now,
            set: Vec::new(),
            contexts: Contexts::default(),
            inputs: super::plural::Inputs::default(),
            wakes: kcc::wakes(release, ceiling_since),
            not_waking: not_waking(release, ceiling_since),
            table,
            ignored,
            unknown: format!("whether {release} reads the annotation is not known (--ceiling-since says since when)"),
        }
    }

    /// The same world, but with knowledge of the first release that reads the ceiling annotation.
    pub fn with_ceiling_since(&self, since: Version) -> World {
        let known = World::new(self.release_named.then_some(self.release), Some(since), self.now);
        let World { set, contexts, inputs, .. } = self.clone();
        World { release: self.release, set, contexts, inputs, ..known }
    }

    /// Takes note of what among the objects matters to others: contexts, and what the Plural Console's objects refer to.
    /// What contradicts itself or has no effect becomes a problem.
    pub fn observe<'a>(&mut self, objects: impl Iterator<Item = &'a Object> + Clone) -> Vec<Diagnostic> {
        let of_kcc = objects.clone().filter_map(|object| match object {
            Object::Kcc(facts) => Some(&**facts),
            Object::Plural(_) => None,
        });
        let (contexts, problems) = Contexts::gather(of_kcc);
        self.contexts = contexts;
        self.inputs = super::plural::Inputs::gather(objects);
        problems
    }

    /// The edits and events that wake an object, and those that do not: the same for every object of a release.
    pub fn watch_filter(&self) -> (&[Wake], &[NotWaking]) {
        (&self.wakes, &self.not_waking)
    }
}

/// The settings of a ConfigConnector or a ConfigConnectorContext, with the file they stand in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What it says.
    pub settings: Settings,
    /// Where the object stands.
    pub place: Place,
}

impl Source {
    /// The place of something inside the object.
    pub fn at(&self, pos: Pos) -> Place {
        Place::new(&self.place.file, pos)
    }
}

/// How the context of a namespace counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A ConfigConnector in namespaced mode says that it is read.
    Read,
    /// No ConfigConnector among the inputs: namespaced mode is assumed.
    Assumed,
    /// A ConfigConnector in cluster mode says that it is not read.
    NotRead,
}

/// The ConfigConnector and ConfigConnectorContext objects among the inputs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Contexts {
    connector: Option<Source>,
    by_namespace: HashMap<Option<String>, Source>,
}

impl Reading {
    /// What has to be said beside an answer that rests on a context.
    pub(super) fn remark(self) -> &'static str {
        match self {
            Reading::Assumed => " (namespaced mode assumed: no ConfigConnector among the inputs)",
            Reading::Read | Reading::NotRead => "",
        }
    }
}

impl Contexts {
    /// Gathers them from all facts; what contradicts itself or has no effect becomes a problem.
    pub fn gather<'a>(facts: impl Iterator<Item = &'a Facts>) -> (Contexts, Vec<Diagnostic>) {
        let mut contexts = Contexts::default();
        let mut problems = Vec::new();
        for fact in facts {
            if fact.reference.kind == "ConfigConnectorContext" && fact.settings.is_none() {
                problems.extend(misnamed(fact));
            }
            let Some(settings) = &fact.settings else { continue };
            let source = Source { settings: (**settings).clone(), place: fact.place.clone() };
            problems.extend(unknown_mode(&source));
            let replaced = if fact.reference.kind == "ConfigConnector" {
                if let Some((_, _, pos)) = settings.overrides.first() {
                    problems.push(cluster_overrides(&source, *pos));
                }
                contexts.connector.replace(source)
            } else {
                contexts.by_namespace.insert(fact.reference.namespace.clone(), source)
            };
            if let Some(replaced) = replaced {
                problems.push(given_twice(fact, &replaced));
            }
        }
        (contexts, problems)
    }

    /// The ConfigConnector, if there is one.
    pub fn connector(&self) -> Option<&Source> {
        self.connector.as_ref()
    }

    /// The context of a namespace, and whether it is read. A context is read only when a ConfigConnector exists whose
    /// mode is `namespaced` or empty (Config Connector, operator/pkg/kccstate).
    pub fn context(&self, namespace: Option<&str>) -> Option<(&Source, Reading)> {
        if self.by_namespace.is_empty() {
            return None;
        }
        let context = self.by_namespace.get(&namespace.map(str::to_owned))?;
        let reading = match self.mode() {
            None => Reading::Assumed,
            Some("" | "namespaced") => Reading::Read,
            Some(_) => Reading::NotRead,
        };
        Some((context, reading))
    }

    /// The ConfigConnector's `spec.mode`, empty when it does not say; `None` without a ConfigConnector.
    pub fn mode(&self) -> Option<&str> {
        self.connector.as_ref().map(|connector| connector.settings.mode.as_deref().unwrap_or_default())
    }

    /// Whether any namespace has a context.
    pub fn any_context(&self) -> bool {
        !self.by_namespace.is_empty()
    }

    /// Whether nothing at all was found.
    pub fn is_empty(&self) -> bool {
        self.connector.is_none() && self.by_namespace.is_empty()
    }
}

fn cluster_overrides(source: &Source, pos: Pos) -> Diagnostic {
    let message = "controllerOverrides of a ConfigConnector are only a design of mid 2026: no code reads them, \
                   so they are not applied";
    Diagnostic::new(Code::Context, Severity::Warning, source.at(pos), message)
        .with_fix("set them in the namespace's ConfigConnectorContext")
}

fn unknown_mode(source: &Source) -> Option<Diagnostic> {
    let (mode, pos) = source.settings.actuation.as_ref()?;
    if matches!(mode.as_str(), "Reconciling" | "Paused") {
        return None;
    }
    let message = format!("actuationMode {mode:?} is neither Reconciling nor Paused: the API server refuses it");
    Some(Diagnostic::new(Code::UnknownActuationMode, Severity::Error, source.at(*pos), message))
}

fn misnamed(fact: &Facts) -> Option<Diagnostic> {
    if fact.reference.group() != kcc::CORE_GROUP {
        return None;
    }
    let message =
        format!("a ConfigConnectorContext is read only under the name {}: this one has no effect", kcc::CONTEXT_NAME);
    Some(Diagnostic::new(Code::Context, Severity::Warning, fact.place.clone(), message))
}

fn given_twice(fact: &Facts, earlier: &Source) -> Diagnostic {
    let whose = match (&fact.reference.kind[..], &fact.reference.namespace) {
        ("ConfigConnector", _) => "ConfigConnector is".into(),
        (_, Some(namespace)) => format!("ConfigConnectorContext of namespace {namespace} is"),
        (_, None) => "ConfigConnectorContext without a namespace is".into(),
    };
    let message = format!("a second {whose} among the inputs; the last one counts (the first is at {})", earlier.place);
    Diagnostic::new(Code::Context, Severity::Warning, fact.place.clone(), message)
}
