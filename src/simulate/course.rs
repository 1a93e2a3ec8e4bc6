use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use super::event::Event;
use super::rules::{Behaviour, Drift, MainPath, Rules, Watch};
use super::{Options, notes};
use crate::assess::kcc::{self as kcc_answer, Policy as Rule, RetryAnswer, assess};
use crate::assess::{Object, World, plural};
use crate::backoff::Ladder;
use crate::human;
use crate::kcc::{self, Ceiling, CeilingSupport, Controller, Release, Version};
use crate::object::{Diagnostic, Metadata, Place, Ref};

/// Under which policy an object is simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The one that is found for it.
    Found,
    /// Config Connector's without a ceiling.
    Default,
    /// Config Connector's with a ceiling annotation of so many seconds; 0 halts.
    Ceiling(u32),
    /// That of the Plural Console's controllers.
    Plural,
    /// That of controller-runtime's defaults.
    ControllerRuntime,
}

/// The rule that the delays after failures follow at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// One of Config Connector's.
    Kcc(kcc_answer::Policy),
    /// The ladder of the Plural Console's controllers.
    Plural,
    /// The ladder of controller-runtime's defaults.
    ControllerRuntime,
}

impl Policy {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Policy::Kcc(policy) => policy.as_str(),
            Policy::Plural => "plural",
            Policy::ControllerRuntime => "controller-runtime",
        }
    }
}

/// What is assumed where it is not known whether a release reads the ceiling annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// It does.
    Honoured,
    /// It does not.
    Ignored,
}

impl Assumption {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Assumption::Honoured => "ceiling-honoured",
            Assumption::Ignored => "ceiling-ignored",
        }
    }
}

/// One thing to simulate: an object, or none in particular, under a policy.
pub struct Course<'a> {
    /// The object; `None` for one of the direct controller in general.
    pub reference: Option<&'a Ref>,
    /// Where it stands.
    pub place: Option<&'a Place>,
    /// What was asked for.
    pub choice: Choice,
    /// Who handles it, which step of the decision chose that controller, and why; `None` where no object of Config
    /// Connector is spoken of.
    pub controller: Option<(Controller, &'static str, String)>,
    /// What is in effect at the start.
    pub policy: Policy,
    /// The delays after failures at the start; `None` without retries.
    pub ladder: Option<Ladder>,
    /// What is assumed.
    pub assumption: Option<Assumption>,
    /// Why this policy, in a sentence without a full stop.
    pub reason: String,
    /// What else has to be known, in sentences without full stops.
    pub notes: Vec<String>,
    /// What is wrong with the object.
    pub problems: Vec<Diagnostic>,
    /// The object as the model needs it.
    pub behaviour: Arc<Behaviour<'a>>,
}

impl fmt::Debug for Course<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Course")
            .field("reference", &self.reference)
            .field("choice", &self.choice)
            .field("policy", &self.policy)
            .field("assumption", &self.assumption)
            .finish_non_exhaustive()
    }
}

impl Course<'_> {
    /// What it is called beside others: `default ladder`, `ceiling 10 min`.
    pub fn label(&self) -> String {
        let label = match (self.choice, self.policy) {
            (Choice::Ceiling(seconds), Policy::Kcc(Rule::Default)) if self.assumption.is_some() => {
                format!("ceiling {}", written(seconds))
            }
            (Choice::Ceiling(seconds), Policy::Kcc(Rule::Default)) => {
                format!("ceiling {}: no effect", written(seconds))
            }
            (_, Policy::Kcc(Rule::Default)) => "default ladder".to_owned(),
            (_, Policy::Kcc(Rule::Ceiling)) => match self.ladder {
                Some(ladder) => format!("ceiling {}", human::duration(ladder.max())),
                None => "ceiling".to_owned(),
            },
            (_, Policy::Kcc(Rule::Halt)) => "ceiling 0: halts".to_owned(),
            (_, Policy::Kcc(Rule::None)) => "no controller".to_owned(),
            (_, Policy::Plural) => "Plural Console".to_owned(),
            (_, Policy::ControllerRuntime) => "controller-runtime".to_owned(),
        };
        match self.assumption {
            Some(Assumption::Honoured) => format!("{label}, if honoured"),
            Some(Assumption::Ignored) => format!("{label}, if ignored"),
            None => label,
        }
    }
}

fn written(seconds: u32) -> String {
    match seconds {
        0 => "0".to_owned(),
        seconds => human::duration(Duration::from_secs(u64::from(seconds))),
    }
}

/// What is to be simulated: every object under every choice, or, without objects, one of the direct controller in
/// general. `base` replaces the first delay of every ladder. Where it is not known whether the release reads the
/// ceiling annotation, and that matters, there is one course for each.
pub fn courses<'a>(
    objects: Option<&[&'a Object]>,
    world: &World,
    choices: &[Choice],
    base: Option<Duration>,
    options: &Options,
) -> Vec<Course<'a>> {
    let maker = Maker { base, options, choices, worlds: choices.iter().map(|choice| worlds(world, *choice)).collect() };
    let mut courses = Vec::new();
    match objects {
        None => {
            for (choice, worlds) in choices.iter().zip(&maker.worlds) {
                maker.anything(*choice, worlds, &mut courses);
            }
        }
        Some(objects) => {
            for (object, number) in objects.iter().zip(0..) {
                match object {
                    Object::Kcc(facts) => maker.of_kcc(facts, number, &mut courses),
                    Object::Plural(facts) => maker.of_plural(facts, number, &mut courses),
                }
            }
        }
    }
    courses
}

/// The worlds of one choice: as things are known, and, where the release may or may not read the ceiling, of each case.
struct Worlds {
    known: Arc<World>,
    cases: Option<[(Assumption, Arc<World>); 2]>,
}

fn worlds(world: &World, choice: Choice) -> Worlds {
    let mut known = world.clone();
    match choice {
        Choice::Default => known.set.push((kcc::CEILING.to_owned(), None)),
        Choice::Ceiling(seconds) => known.set.push((kcc::CEILING.to_owned(), Some(seconds.to_string()))),
        Choice::Found | Choice::Plural | Choice::ControllerRuntime => {}
    }
    let cases = match (known.release, known.release.ceiling_support(known.ceiling_since)) {
        (Release::Version(version), CeilingSupport::Unknown) => {
            let later = Version { patch: version.patch.saturating_add(1), ..version };
            let case = |since| Arc::new(known.with_ceiling_since(since));
            Some([(Assumption::Honoured, case(version)), (Assumption::Ignored, case(later))])
        }
        _ => None,
    };
    Worlds { known: Arc::new(known), cases }
}

struct Maker<'m> {
    base: Option<Duration>,
    options: &'m Options,
    choices: &'m [Choice],
    worlds: Vec<Worlds>,
}

impl Maker<'_> {
    /// An object of the direct controller in general, or one of another system.
    fn anything<'a>(&self, choice: Choice, worlds: &Worlds, courses: &mut Vec<Course<'a>>) {
        match choice {
            Choice::Plural | Choice::ControllerRuntime => courses.push(self.foreign(choice)),
            Choice::Found | Choice::Default | Choice::Ceiling(_) => {
                for mut course in self.kcc(Arc::new(typical()), choice, worlds, 0) {
                    // It is no object that has a controller, and stands nowhere.
                    course.controller = None;
                    course.problems.iter_mut().for_each(|problem| problem.place = None);
                    courses.push(course);
                }
            }
        }
    }

    /// The rules of another system than Config Connector, whatever the object.
    fn foreign<'a>(&self, choice: Choice) -> Course<'a> {
        let (policy, rules, watch, reason) = match choice {
            Choice::ControllerRuntime => (
                Policy::ControllerRuntime,
                Rules::controller_runtime(self.base),
                Watch::Everything,
                "controller-runtime v0.20.4 on client-go's workqueue, unless it is told otherwise",
            ),
            _ => (Policy::Plural, Rules::plural(self.base), Watch::Generation, PLURAL),
        };
        Course {
            reference: None,
            place: None,
            choice,
            controller: None,
            policy,
            ladder: Some(rules.ladder),
            assumption: None,
            reason: reason.to_owned(),
            notes: Vec::new(),
            problems: Vec::new(),
            behaviour: Arc::new(fixed(rules, watch, false, 0)),
        }
    }

    fn of_kcc<'a>(&self, facts: &'a kcc::Facts, number: u64, courses: &mut Vec<Course<'a>>) {
        let (reference, place) = (Some(&facts.reference), Some(&facts.place));
        for (choice, worlds) in self.choices.iter().zip(&self.worlds) {
            if matches!(choice, Choice::Plural | Choice::ControllerRuntime) {
                courses.push(Course { reference, place, ..self.foreign_of(*choice, &facts.metadata, number) });
                continue;
            }
            for course in self.kcc(facts, *choice, worlds, number) {
                courses.push(Course { reference, place, ..course });
            }
        }
    }

    /// The rules of another system for an object: whether it is being deleted at the start counts.
    fn foreign_of<'a>(&self, choice: Choice, metadata: &Metadata, number: u64) -> Course<'a> {
        let course = self.foreign(choice);
        let rules = (course.behaviour.rules)(&[]);
        let behaviour = fixed(rules, course.behaviour.watch.clone(), metadata.deletion.is_some(), number);
        Course { behaviour: Arc::new(behaviour), ..course }
    }

    fn kcc<'a, F>(&self, facts: F, choice: Choice, worlds: &Worlds, number: u64) -> Vec<Course<'a>>
    where
        F: Deref<Target = kcc::Facts> + Clone + Send + Sync + 'a,
    {
        let Some(cases) = &worlds.cases else {
            return vec![self.one(facts, choice, Arc::clone(&worlds.known), number)];
        };
        let known = assess(&facts, &worlds.known);
        let matters = matches!(known.retry, RetryAnswer::Unknown { .. })
            || self.annotations().any(|(_, (key, _))| key == kcc::CEILING);
        if !matters {
            drop(known);
            return vec![self.one(facts, choice, Arc::clone(&worlds.known), number)];
        }
        let release = worlds.known.release;
        let assumed = cases.iter().map(|(assumption, world)| {
            let mut course = self.one(facts.clone(), choice, Arc::clone(world), number);
            course.assumption = Some(*assumption);
            course.reason = match assumption {
                Assumption::Honoured => format!("if {release} reads the ceiling annotation, which is not known"),
                Assumption::Ignored => format!("if {release} ignores the ceiling annotation, which is not known"),
            };
            course.problems.clone_from(&known.problems);
            course
        });
        assumed.collect()
    }

    fn one<'a, F>(&self, facts: F, choice: Choice, world: Arc<World>, number: u64) -> Course<'a>
    where
        F: Deref<Target = kcc::Facts> + Clone + Send + Sync + 'a,
    {
        let assessment = assess(&facts, &world);
        let rules = Rules::of_kcc(&assessment, &world, self.base);
        let attended = assessment.acting() != Controller::None;
        let deleting = assessment.facts.metadata.deletion.is_some();
        let past_ceiling = deleting || rules.drift == Drift::Invalid;
        let (policy, ladder) = match rules.main_path {
            _ if !attended => (Rule::None, None),
            MainPath::Default => (Rule::Default, Some(rules.ladder)),
            _ if past_ceiling => (Rule::Default, Some(rules.ladder)),
            MainPath::Ceiling(ladder) => (Rule::Ceiling, Some(ladder)),
            MainPath::Halt => (Rule::Halt, None),
        };
        let reason = match (attended, assessment.retry.known()) {
            (false, _) => assessment.controller.reason.to_string(),
            (true, Some(_))
                if policy == Rule::Default && assessment.ceiling.ceiling == Ceiling::Unset && !past_ceiling =>
            {
                "no ceiling annotation is set".to_owned()
            }
            (true, Some(retry)) if assessment.ceiling.honoured != Some(false) || policy != Rule::Default => {
                retry.reason.to_string()
            }
            (true, _) if assessment.ceiling.present() => {
                format!("the ceiling annotation has no effect: {}", assessment.ceiling.reason)
            }
            (true, Some(retry)) => retry.reason.to_string(),
            (true, None) => String::new(),
        };
        let controller = Some((
            assessment.acting(),
            assessment.controller.decided_by.as_str(),
            assessment.controller.reason.to_string(),
        ));
        let notes = if attended { notes::of_kcc(&assessment, &world, &rules, self.options) } else { Vec::new() };
        let mut problems = assessment.problems.clone();
        drop(assessment);
        self.complain(&facts, &world, &mut problems);
        Course {
            reference: None,
            place: None,
            choice,
            controller,
            policy: Policy::Kcc(policy),
            ladder,
            assumption: None,
            reason,
            notes,
            problems,
            behaviour: Arc::new(behaviour(facts, world, self.base, number, attended)),
        }
    }

    /// The events that change annotations, in their order.
    fn annotations(&self) -> impl Iterator<Item = (&Event, (&str, Option<&str>))> {
        self.options.events.iter().filter_map(|event| Some((event, event.what.annotation()?)))
    }

    /// What becomes wrong with an object when an event changes an annotation: what a manifest would be told of it.
    fn complain(&self, facts: &kcc::Facts, world: &World, problems: &mut Vec<Diagnostic>) {
        let mut changed: Option<World> = None;
        for (event, (key, value)) in self.annotations() {
            let world = changed.get_or_insert_with(|| world.clone());
            world.set.push((key.to_owned(), value.map(str::to_owned)));
            for problem in assess(facts, world).problems {
                let known =
                    |other: &Diagnostic| other.code == problem.code && other.message.ends_with(&problem.message);
                if !problems.iter().any(known) {
                    let message = format!("--event {}: {}", event.what, problem.message);
                    problems.push(Diagnostic { message, ..problem });
                }
            }
        }
    }

    fn of_plural<'a>(&self, facts: &'a crate::plural::Facts, number: u64, courses: &mut Vec<Course<'a>>) {
        let (reference, place) = (Some(&facts.reference), Some(&facts.place));
        let Some(world) = self.worlds.first().map(|worlds| &worlds.known) else { return };
        let mut told = false;
        for choice in self.choices {
            if *choice == Choice::ControllerRuntime {
                courses.push(Course { reference, place, ..self.foreign_of(*choice, &facts.metadata, number) });
            } else if !told {
                told = true;
                courses.push(Course { reference, place, ..self.plural(facts, world, number) });
            }
        }
    }

    fn plural<'a>(&self, facts: &'a crate::plural::Facts, world: &World, number: u64) -> Course<'a> {
        let assessment = plural::assess(facts, world);
        let rules = Rules::of_plural(&assessment, self.base);
        let deleting = facts.metadata.deletion.is_some();
        let mut notes = notes::of_plural(facts, &rules, &self.options.events);
        if self.choices.iter().any(|choice| matches!(choice, Choice::Default | Choice::Ceiling(_))) {
            notes.push("ceilings are Config Connector's: they do not concern it".into());
        }
        Course {
            reference: None,
            place: None,
            choice: Choice::Found,
            controller: None,
            policy: Policy::Plural,
            ladder: facts.kind.map(|_| rules.ladder),
            assumption: None,
            reason: if facts.kind.is_some() { PLURAL } else { "its kind is unknown to this version" }.into(),
            notes,
            problems: assessment.problems.clone(),
            behaviour: Arc::new(fixed(rules, Watch::Generation, deleting, number)),
        }
    }
}

const PLURAL: &str = "controller-runtime v0.23.1 with its priority queue: no token bucket (inferred)";

/// An object whose rules do not change with its annotations.
fn fixed<'a>(rules: Rules, watch: Watch, deleting: bool, number: u64) -> Behaviour<'a> {
    Behaviour {
        number,
        watch,
        deleting,
        attended: true,
        annotation: Box::new(|_| None),
        rules: Box::new(move |_| rules.clone()),
    }
}

/// An object of Config Connector as the model needs it. `base` replaces the first delay of every ladder; `number` tells
/// its draws from those of others, `attended` whether a controller looks at it.
pub(super) fn behaviour<'a, F>(
    facts: F,
    world: Arc<World>,
    base: Option<Duration>,
    number: u64,
    attended: bool,
) -> Behaviour<'a>
where
    F: Deref<Target = kcc::Facts> + Clone + Send + Sync + 'a,
{
    let held = facts.clone();
    let set = Arc::clone(&world);
    Behaviour {
        number,
        watch: Watch::Kcc(world.watch_filter().0.to_vec()),
        deleting: facts.metadata.deletion.is_some(),
        attended,
        annotation: Box::new(move |key| stored(&held.metadata, &set, key)),
        rules: Box::new(move |changes| {
            if changes.is_empty() {
                return Rules::of_kcc(&assess(&facts, &world), &world, base);
            }
            let mut changed = (*world).clone();
            changed.set.extend(changes.iter().cloned());
            Rules::of_kcc(&assess(&facts, &changed), &changed, base)
        }),
    }
}

/// The annotation with a key as the API server holds it: as it is set, else as it stands in the manifest.
fn stored(metadata: &Metadata, world: &World, key: &str) -> Option<String> {
    match world.set.iter().rev().find(|(set, _)| set == key) {
        Some((_, value)) => value.clone(),
        None => metadata.annotation(key).and_then(|annotation| annotation.stored()).map(str::to_owned),
    }
}

/// An object of the direct controller in general: of a kind that no other controller handles.
fn typical() -> kcc::Facts {
    kcc::Facts {
        reference: Ref {
            api_version: "logging.cnrm.cloud.google.com/v1beta1".to_owned(),
            kind: "LoggingLogMetric".to_owned(),
            namespace: None,
            name: None,
        },
        place: Place::file(&"".into()),
        metadata: Metadata::default(),
        spec_rule: None,
        status: None,
        settings: None,
    }
}
