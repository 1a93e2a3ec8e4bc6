use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use super::event::{Event, What};
use super::rules::{Behaviour, Drift, MainPath, Rules, Watch};
use crate::assess::kcc::{RetryAnswer, assess};
use crate::assess::{Object, World, plural};
use crate::backoff::Ladder;
use crate::human;
use crate::kcc::{self, CeilingSupport, Controller, Release, Version};
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
    /// The default ladder of Config Connector's workqueues.
    Default,
    /// The ladder under a ceiling.
    Ceiling,
    /// No retry at all.
    Halt,
    /// No controller, so no attempts.
    None,
    /// The ladder of the Plural Console's controllers.
    Plural,
    /// The ladder of controller-runtime's defaults.
    ControllerRuntime,
}

impl Policy {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Policy::Default => "default",
            Policy::Ceiling => "ceiling",
            Policy::Halt => "halt",
            Policy::None => "none",
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
            (Choice::Ceiling(seconds), Policy::Default) if self.assumption.is_some() => {
                format!("ceiling {}", written(seconds))
            }
            (Choice::Ceiling(seconds), Policy::Default) => format!("ceiling {}: no effect", written(seconds)),
            (_, Policy::Default) => "default ladder".to_owned(),
            (_, Policy::Ceiling) => match self.ladder {
                Some(ladder) => format!("ceiling {}", human::duration(ladder.max())),
                None => "ceiling".to_owned(),
            },
            (_, Policy::Halt) => "ceiling 0: halts".to_owned(),
            (_, Policy::None) => "no controller".to_owned(),
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
    events: &[Event],
) -> Vec<Course<'a>> {
    let maker = Maker { base, events, worlds: choices.iter().map(|choice| worlds(world, *choice)).collect() };
    let mut courses = Vec::new();
    match objects {
        None => {
            for (choice, worlds) in choices.iter().zip(&maker.worlds) {
                maker.anything(*choice, worlds, &mut courses);
            }
        }
        Some(objects) => {
            for object in objects {
                match object {
                    Object::Kcc(facts) => {
                        for (choice, worlds) in choices.iter().zip(&maker.worlds) {
                            maker.of_kcc(facts, *choice, worlds, &mut courses);
                        }
                    }
                    Object::Plural(facts) => {
                        if let Some(worlds) = maker.worlds.first() {
                            courses.push(maker.of_plural(facts, &worlds.known));
                        }
                    }
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
    events: &'m [Event],
    worlds: Vec<Worlds>,
}

impl Maker<'_> {
    /// An object of the direct controller in general, or one of another system.
    fn anything<'a>(&self, choice: Choice, worlds: &Worlds, courses: &mut Vec<Course<'a>>) {
        let (policy, rules, watch, reason) = match choice {
            Choice::Found | Choice::Default | Choice::Ceiling(_) => {
                for mut course in self.kcc(Arc::new(typical()), choice, worlds) {
                    // It stands nowhere.
                    course.problems.iter_mut().for_each(|problem| problem.place = None);
                    courses.push(course);
                }
                return;
            }
            Choice::Plural => (
                Policy::Plural,
                Rules::plural(self.base),
                Watch::Generation,
                "controller-runtime v0.23.1 with its priority queue: no token bucket (inferred)",
            ),
            Choice::ControllerRuntime => (
                Policy::ControllerRuntime,
                Rules::controller_runtime(self.base),
                Watch::Everything,
                "what controller-runtime does unless it is told otherwise; token bucket of 10 a second (burst 100)",
            ),
        };
        let ladder = Some(rules.ladder);
        courses.push(Course {
            reference: None,
            place: None,
            choice,
            policy,
            ladder,
            assumption: None,
            reason: reason.to_owned(),
            notes: Vec::new(),
            problems: Vec::new(),
            behaviour: Arc::new(Behaviour {
                watch,
                deleting: false,
                attended: true,
                annotation: Box::new(|_| None),
                rules: Box::new(move |_| rules.clone()),
            }),
        });
    }

    fn of_kcc<'a>(&self, facts: &'a kcc::Facts, choice: Choice, worlds: &Worlds, courses: &mut Vec<Course<'a>>) {
        if matches!(choice, Choice::Plural | Choice::ControllerRuntime) {
            self.anything(choice, worlds, courses);
            if let Some(course) = courses.last_mut() {
                course.reference = Some(&facts.reference);
                course.place = Some(&facts.place);
            }
            return;
        }
        for course in self.kcc(facts, choice, worlds) {
            courses.push(Course { reference: Some(&facts.reference), place: Some(&facts.place), ..course });
        }
    }

    fn kcc<'a, F>(&self, facts: F, choice: Choice, worlds: &Worlds) -> Vec<Course<'a>>
    where
        F: Deref<Target = kcc::Facts> + Clone + Send + Sync + 'a,
    {
        let known = assess(&facts, &worlds.known);
        let matters = matches!(known.retry, RetryAnswer::Unknown { .. })
            || self.events.iter().any(|event| match &event.what {
                What::Annotate(key, _) | What::Unannotate(key) => key == kcc::CEILING,
                _ => false,
            });
        let Some(cases) = worlds.cases.as_ref().filter(|_| matters) else {
            drop(known);
            return vec![self.one(facts, choice, Arc::clone(&worlds.known))];
        };
        let release = worlds.known.release;
        let assumed = cases.iter().map(|(assumption, world)| {
            let mut course = self.one(facts.clone(), choice, Arc::clone(world));
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

    fn one<'a, F>(&self, facts: F, choice: Choice, world: Arc<World>) -> Course<'a>
    where
        F: Deref<Target = kcc::Facts> + Clone + Send + Sync + 'a,
    {
        let assessment = assess(&facts, &world);
        let rules = Rules::of_kcc(&assessment, &world, self.base);
        let attended = assessment.acting() != Controller::None;
        let deleting = assessment.facts.metadata.deletion.is_some();
        let past_ceiling = deleting || rules.drift == Drift::Invalid;
        let (policy, ladder) = match rules.main_path {
            _ if !attended => (Policy::None, None),
            MainPath::Default => (Policy::Default, Some(rules.ladder)),
            _ if past_ceiling => (Policy::Default, Some(rules.ladder)),
            MainPath::Ceiling(ladder) => (Policy::Ceiling, Some(ladder)),
            MainPath::Halt => (Policy::Halt, None),
        };
        let reason = match (attended, assessment.retry.known()) {
            (false, _) => assessment.controller.reason.to_string(),
            (true, Some(retry)) if assessment.ceiling.honoured != Some(false) || policy != Policy::Default => {
                retry.reason.to_string()
            }
            (true, _) if assessment.ceiling.present() => {
                format!("the ceiling annotation has no effect: {}", assessment.ceiling.reason)
            }
            (true, Some(retry)) => retry.reason.to_string(),
            (true, None) => String::new(),
        };
        let notes = self.notes(&assessment, &world, &rules, attended);
        let problems = assessment.problems.clone();
        drop(assessment);
        Course {
            reference: None,
            place: None,
            choice,
            policy,
            ladder,
            assumption: None,
            reason,
            notes,
            problems,
            behaviour: Arc::new(behaviour(facts, world, self.base)),
        }
    }

    fn notes(
        &self,
        assessment: &crate::assess::kcc::Assessment<'_>,
        world: &World,
        rules: &Rules,
        attended: bool,
    ) -> Vec<String> {
        let mut notes = Vec::new();
        if !attended {
            return notes;
        }
        let release = world.release;
        let facts = assessment.facts;
        let happens = |wanted: &dyn Fn(&What) -> bool| self.events.iter().any(|event| wanted(&event.what));
        if facts.status.is_some() {
            notes.push(
                "the status in the manifest does not count: the first attempt is the first of its generation".into(),
            );
        }
        if !release.delays_checked() {
            notes.push(format!("the delays of {release} are not known: those of 1.90.0 are used"));
        }
        if happens(&|what| *what == What::DependencyMissing) {
            let sets_ceiling = |what: &What| matches!(what, What::Annotate(key, _) if key == kcc::CEILING);
            let ceiling = rules.main_path != MainPath::Default || happens(&sets_ceiling);
            if ceiling && !release.ceiling_scope_settled() && assessment.acting() == Controller::Direct {
                notes.push(format!(
                    "whether a ceiling governs waiting for dependencies is not settled for {release}: it is simulated as up to \
                     1.159, on the default ladder"
                ));
            }
        }
        if facts.metadata.deletion.is_some() || happens(&|what| *what == What::Delete) {
            notes.push("the deletion defender is taken to let go at once".into());
        }
        if kcc::requeues_without_error(facts.reference.group(), &facts.reference.kind)
            && assessment.acting() == Controller::Direct
        {
            notes.push("the requeues that its kind asks for without an error while it works are not simulated".into());
        }
        notes
    }

    fn of_plural<'a>(&self, facts: &'a crate::plural::Facts, world: &Arc<World>) -> Course<'a> {
        let assessment = plural::assess(facts, world);
        let rules = Rules::of_plural(&assessment, self.base);
        let mut notes = Vec::new();
        if facts.status.is_some() {
            notes.push("the status in the manifest does not count, but for the health of a repository".into());
        }
        Course {
            reference: Some(&facts.reference),
            place: Some(&facts.place),
            choice: Choice::Found,
            policy: Policy::Plural,
            ladder: Some(rules.ladder),
            assumption: None,
            reason: "controller-runtime v0.23.1 with its priority queue: no token bucket (inferred)".into(),
            notes,
            problems: assessment.problems.clone(),
            behaviour: Arc::new(Behaviour {
                watch: Watch::Generation,
                deleting: facts.metadata.deletion.is_some(),
                attended: true,
                annotation: Box::new(|_| None),
                rules: Box::new(move |_| rules.clone()),
            }),
        }
    }
}

/// An object of Config Connector as the model needs it. `base` replaces the first delay of every ladder.
pub(super) fn behaviour<'a, F>(facts: F, world: Arc<World>, base: Option<Duration>) -> Behaviour<'a>
where
    F: Deref<Target = kcc::Facts> + Clone + Send + Sync + 'a,
{
    let attended = assess(&facts, &world).acting() != Controller::None;
    let held = facts.clone();
    let set = Arc::clone(&world);
    Behaviour {
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
