use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::script::{Applied, MOMENT, Script, Step, Test, holds, key};
use crate::assess::{Contexts, Object, World};
use crate::human;
use crate::kcc::{self, Controller};
use crate::object::{Code, Diagnostic, Place, Ref, Severity};
use crate::simulate::actor::Actor;
use crate::simulate::attempt::{Attempt, Outcome, Ready, Trigger};
use crate::simulate::course;
use crate::simulate::event::What;
use crate::simulate::jitter::Jitter;
use crate::simulate::rules::Behaviour;

/// `--fails-while PATH=VALUE`: attempts on an object fail while a field of its spec has a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailsWhile {
    path: Vec<String>,
    value: String,
}

impl FromStr for FailsWhile {
    type Err = String;

    /// Reads `spec.filter=VALUE`; the leading `spec.` may be left out, items of lists are numbers from 0.
    fn from_str(text: &str) -> Result<FailsWhile, String> {
        let (path, value) = text.split_once('=').ok_or("expected PATH=VALUE, as in spec.filter=severity>=")?;
        let path = path.strip_prefix("spec.").unwrap_or(path);
        let path: Vec<String> = path.split('.').map(str::to_owned).collect();
        if path.iter().any(String::is_empty) {
            return Err("the path has an empty part; write the names of fields with dots between, as in \
                        spec.filter=severity>="
                .to_owned());
        }
        Ok(FailsWhile { path, value: value.to_owned() })
    }
}

impl FailsWhile {
    fn holds(&self, spec: &Value) -> bool {
        let found = self.path.iter().try_fold(spec, |value, part| match value {
            Value::Array(items) => items.get(part.parse::<usize>().ok()?),
            other => other.get(part),
        });
        match found {
            Some(Value::String(text)) => *text == self.value,
            Some(Value::Null) => self.value == "null",
            Some(Value::Bool(value)) => self.value == if *value { "true" } else { "false" },
            Some(Value::Number(number)) => number.to_string() == self.value,
            Some(Value::Array(_) | Value::Object(_)) | None => false,
        }
    }
}

/// How a script is played.
#[derive(Debug, Clone)]
pub struct Play {
    /// How long a step waits for its condition; `None`: as long as Config Connector's own tests do, [`READY_TIMEOUT`] and
    /// [`ANSWER_TIMEOUT`].
    pub timeout: Option<Duration>,
    /// How long an attempt takes.
    pub reconcile: Duration,
    /// Where in its range a drift requeue comes.
    pub jitter: Jitter,
    /// Another first delay for every ladder.
    pub base: Option<Duration>,
    /// Which values of specs make attempts fail, where no `OUTCOME` says so.
    pub fails_while: Vec<FailsWhile>,
}

/// How long a step waits until its object is ready or gone (Config Connector, tests/e2e, main).
pub const READY_TIMEOUT: Duration = Duration::from_secs(35 * 60);
/// How long a step waits for an answer of the cloud (the same).
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// What came of a script.
#[derive(Debug)]
pub struct Told {
    /// Step by step.
    pub steps: Vec<ToldStep>,
    /// What is wrong with the objects.
    pub problems: Vec<Diagnostic>,
}

/// What came of a step.
#[derive(Debug)]
pub struct ToldStep {
    /// `TEST` as it is written.
    pub word: String,
    /// Where the step stands.
    pub place: Place,
    /// Its object.
    pub reference: Option<Ref>,
    /// When it began, since the start.
    pub from: Duration,
    /// When it ended.
    pub to: Duration,
    /// The attempts that began in it, with the number of the object.
    pub attempts: Vec<(usize, Attempt)>,
    /// The objects that had been applied by its end.
    pub objects: Vec<ToldObject>,
    /// Whether it would pass.
    pub passes: bool,
    /// Why (not), in a clause.
    pub reason: String,
}

/// What became of an object by the end of a step.
#[derive(Debug, Clone)]
pub struct ToldObject {
    /// What it is called.
    pub reference: Ref,
    /// Whether it is there.
    pub exists: bool,
    /// Its condition Ready, if it has one.
    pub ready: Option<Ready>,
    /// Whether its last attempt halted it.
    pub halted: bool,
    /// Whether it is the object of the step.
    pub named: bool,
    /// Why it cannot be told what comes next, if it cannot.
    pub unknown: Option<&'static str>,
}

/// An object of the script.
struct Member<'a> {
    applied: Applied,
    /// `None` for objects that are not simulated.
    actor: Option<Actor<'a>>,
    /// What its steps say of its attempts.
    outcome: Option<bool>,
    /// The step in which the attempt that runs began, and the spec that it works on.
    began: (usize, Value),
    /// The specs that attempts that succeeded brought to the cloud.
    sent: Vec<Value>,
    /// Whether it is there, for objects that are not simulated.
    there: bool,
    touched: u64,
}

/// What a step waits for.
enum Until {
    /// Nothing.
    Now,
    /// So long.
    Window(Duration),
    /// Its object is ready.
    Ready,
    /// Its object is gone.
    Gone,
    /// The cloud has answered with this.
    Answer(String),
}

/// Plays a script: in virtual time, step after step.
pub fn play(script: &Script, world: &World, play: &Play) -> Told {
    let mut stage = Stage {
        world: Arc::new(world.clone()),
        play,
        members: Vec::new(),
        steps: Vec::new(),
        specs: Vec::new(),
        problems: Vec::new(),
        now: Duration::ZERO,
    };
    for step in &script.steps {
        stage.step(step);
    }
    stage.finish();
    for condition in &play.fails_while {
        let ever =
            script.steps.iter().filter_map(|step| step.object.as_ref()).any(|object| condition.holds(&object.spec));
        if !ever {
            let (path, value) = (condition.path.join("."), &condition.value);
            let message =
                format!("--fails-while spec.{path}={value}: no step's spec has this value, so nothing fails by it");
            let (code, severity) = (Code::Scenario, Severity::Warning);
            stage.problems.push(Diagnostic { code, severity, place: None, message, fix: None });
        }
    }
    let mut seen = BTreeSet::new();
    let mut problems = stage.problems;
    problems.retain(|problem| seen.insert((problem.place.clone(), problem.message.clone())));
    Told { steps: stage.steps, problems }
}

struct Stage<'p> {
    world: Arc<World>,
    play: &'p Play,
    members: Vec<Member<'static>>,
    steps: Vec<ToldStep>,
    /// The spec of each step's object, when the step ended.
    specs: Vec<Value>,
    problems: Vec<Diagnostic>,
    now: Duration,
}

impl Stage<'_> {
    fn step(&mut self, step: &Step) {
        let from = self.now;
        self.steps.push(ToldStep {
            word: step.word.clone(),
            place: step.place.clone(),
            reference: step.object.as_ref().map(|object| object.reference.clone()),
            from,
            to: from,
            attempts: Vec::new(),
            objects: Vec::new(),
            passes: true,
            reason: String::new(),
        });
        let (passes, reason) = match (&step.test, &step.object) {
            (Test::SystemRun(wait), _) => self.wait(None, &Until::Window(*wait)),
            (_, None) => (true, String::new()),
            (test, Some(object)) => self.with_object(step, test, object),
        };
        let named = step.object.as_ref().and_then(|object| self.find(&object.reference));
        let objects = self.members.iter().enumerate().map(|(index, member)| ToldObject {
            reference: member.applied.reference.clone(),
            exists: member.exists(),
            ready: member.actor.as_ref().and_then(Actor::ready),
            halted: member.actor.as_ref().is_some_and(|actor| actor.halted && actor.exists()),
            named: Some(index) == named,
            unknown: member.actor.as_ref().and_then(Actor::stuck),
        });
        let objects = objects.collect();
        self.specs.push(named.map_or(Value::Null, |index| self.members[index].applied.spec.clone()));
        if let Some(told) = self.steps.last_mut() {
            (told.to, told.objects, told.passes, told.reason) = (self.now, objects, passes, reason);
        }
    }

    fn with_object(&mut self, step: &Step, test: &Test, object: &Applied) -> (bool, String) {
        // No step of a real run gets past an object that the API server refuses.
        if (test.applies() || matches!(test, Test::Patch | Test::AbandonAndReacquire))
            && let Some(refused) = refused(object)
        {
            let message = refused.message.clone();
            self.problems.push(refused);
            return (false, message);
        }
        let index = match test.applies() {
            true => self.apply(object, step.fails),
            false => match self.find(&object.reference) {
                Some(index) => index,
                None => return (false, "the object is not there".to_owned()),
            },
        };
        if !test.applies() {
            if let Some(fails) = step.fails {
                self.members[index].outcome = Some(fails);
                self.judge(index);
            }
            if !self.members[index].exists() {
                return (false, "the object is gone".to_owned());
            }
        }
        match test {
            Test::Apply | Test::WaitForReady => self.wait(Some(index), &Until::Ready),
            Test::ApplyNoWait | Test::Read => self.wait(Some(index), &Until::Now),
            Test::ApplyFor(window) => self.wait(Some(index), &Until::Window(*window)),
            Test::WaitForHttpRequest(value) => self.wait(Some(index), &Until::Answer(value.clone())),
            Test::ReadAndCompare(target) => {
                let (ready, reason) = self.wait(Some(index), &Until::Ready);
                // Steps are counted from 1 there.
                match self.specs.get(target - 1).filter(|_| ready) {
                    Some(spec) if *spec != self.members[index].applied.spec => {
                        (false, "its spec differs from that of the step it is compared with".to_owned())
                    }
                    Some(_) => (true, "ready, and its spec is that of the step it is compared with".to_owned()),
                    None => (ready, reason),
                }
            }
            Test::Touch(window) => {
                let member = &mut self.members[index];
                member.touched += 1;
                let cookie = What::Annotate(kcc::RECONCILE_COOKIE.to_owned(), format!("v{}", member.touched));
                self.happen(index, &cookie);
                self.wait(Some(index), &Until::Window(*window))
            }
            Test::Patch => {
                // The fields are the controller's own from here on; whether the spec changes by it the patch says.
                self.patch(index, object);
                self.wait(Some(index), &Until::Ready)
            }
            Test::Delete => {
                self.happen(index, &What::Delete);
                self.wait(Some(index), &Until::Gone)
            }
            Test::DeleteNoWait => {
                self.happen(index, &What::Delete);
                self.wait(Some(index), &Until::Window(MOMENT))
            }
            Test::Abandon => {
                self.abandon(index);
                self.wait(Some(index), &Until::Gone)
            }
            Test::AbandonAndReacquire => {
                self.abandon(index);
                let (gone, reason) = self.wait(Some(index), &Until::Gone);
                if !gone {
                    return (gone, reason);
                }
                let index = self.apply(object, step.fails);
                self.wait(Some(index), &Until::Ready)
            }
            Test::SystemRun(_) => (true, String::new()),
        }
    }

    fn find(&self, reference: &Ref) -> Option<usize> {
        let wanted = key(reference);
        self.members.iter().position(|member| key(&member.applied.reference) == wanted)
    }

    /// Applies an object as server-side apply does: what the text does not name any more is taken away.
    fn apply(&mut self, object: &Applied, fails: Option<bool>) -> usize {
        let index = match self.find(&object.reference) {
            Some(index) => index,
            None => {
                self.members.push(Member::new(object.clone()));
                self.members.len() - 1
            }
        };
        let old = std::mem::replace(&mut self.members[index].applied, object.clone());
        if fails.is_some() {
            self.members[index].outcome = fails;
        }
        let Some(behaviour) = self.behaviour(index) else {
            self.members[index].there = true;
            self.surround(index);
            return index;
        };
        let (now, play) = (self.now, self.play);
        let member = &mut self.members[index];
        match &mut member.actor {
            None => {
                let mut actor = Actor::new(behaviour, play.reconcile, play.jitter);
                actor.add(Trigger::Start);
                member.actor = Some(actor);
            }
            Some(actor) if !actor.exists() => actor.recreate(behaviour, now),
            Some(actor) => {
                let changed = (old.spec != object.spec, old.labels != object.labels);
                let keys: BTreeSet<&String> = old.annotations.keys().chain(object.annotations.keys()).collect();
                let annotations = keys
                    .iter()
                    .map(|key| (key.as_str(), value(&old.annotations, key), value(&object.annotations, key)));
                actor.apply(behaviour, changed, annotations);
            }
        }
        self.judge(index);
        index
    }

    /// Takes over what a patch says of the spec; the rest stays.
    fn patch(&mut self, index: usize, object: &Applied) {
        let mut patched = self.members[index].applied.clone();
        merge(&mut patched.spec, &object.spec);
        self.apply(&patched, None);
    }

    /// Whether attempts on an object fail: its steps say so, or a value of its spec.
    fn judge(&mut self, index: usize) {
        let play = self.play;
        let member = &mut self.members[index];
        let by_value = || play.fails_while.iter().any(|while_| while_.holds(&member.applied.spec));
        let fails = member.outcome.unwrap_or_else(by_value);
        if let Some(actor) = &mut member.actor {
            actor.fails = fails;
        }
    }

    /// An object that configures Config Connector changes the world of the others, which nobody watches.
    fn surround(&mut self, index: usize) {
        let member = &self.members[index];
        let configures = matches!(&member.applied.object,
            Some(Object::Kcc(facts)) if kcc::is_configuration_group(facts.reference.group()));
        if !configures {
            return;
        }
        let mut world = (*self.world).clone();
        let there = self.members.iter().filter(|member| member.exists());
        let there: Vec<&Object> = there.filter_map(|member| member.applied.object.as_ref()).collect();
        self.problems.extend(world.observe(there.into_iter()));
        self.world = Arc::new(world);
        for other in 0..self.members.len() {
            if let Some(behaviour) = self.behaviour(other)
                && let Some(actor) = &mut self.members[other].actor
            {
                actor.surround(behaviour);
            }
        }
    }

    /// The object as the model needs it; `None` if it is not one that a controller of Config Connector works on.
    fn behaviour(&mut self, index: usize) -> Option<Arc<Behaviour<'static>>> {
        let Some(Object::Kcc(facts)) = &self.members[index].applied.object else { return None };
        if kcc::is_configuration_group(facts.reference.group()) {
            return None;
        }
        let facts: Arc<kcc::Facts> = Arc::new((**facts).clone());
        let assessment = crate::assess::kcc::assess(&facts, &self.world);
        let attended = assessment.acting() != Controller::None;
        self.problems.extend(assessment.problems);
        Some(Arc::new(course::behaviour(facts, Arc::clone(&self.world), self.play.base, index as u64, attended)))
    }

    fn happen(&mut self, index: usize, what: &What) {
        let now = self.now;
        let member = &mut self.members[index];
        match &mut member.actor {
            Some(actor) => {
                // Only a restart cuts an attempt off, and no step restarts the controller.
                let _ = actor.happen(what, now);
            }
            None if *what == What::Delete => {
                member.there = false;
                self.surround(index);
            }
            None => {}
        }
    }

    fn abandon(&mut self, index: usize) {
        self.happen(index, &What::Annotate(kcc::DELETION_POLICY.to_owned(), "abandon".to_owned()));
        self.happen(index, &What::Delete);
    }

    /// Lets time pass until a condition holds, or the step's time is over.
    fn wait(&mut self, index: Option<usize>, until: &Until) -> (bool, String) {
        let from = self.now;
        let deadline = match until {
            Until::Now => from,
            Until::Window(window) => from.saturating_add(*window),
            Until::Ready | Until::Gone => from.saturating_add(self.play.timeout.unwrap_or(READY_TIMEOUT)),
            Until::Answer(_) => from.saturating_add(self.play.timeout.unwrap_or(ANSWER_TIMEOUT)),
        };
        let waited = human::compact(deadline.saturating_sub(from));
        // What the edit wakes at once belongs to the step, even if it has no length.
        self.settle();
        loop {
            if let Some(reason) = index.and_then(|index| self.met(index, until)) {
                return (true, reason);
            }
            let due = self.members.iter().filter_map(|member| member.actor.as_ref()?.due()).min();
            match due.filter(|due| *due < deadline) {
                Some(due) => self.now = self.now.max(due),
                None => break,
            }
            self.settle();
        }
        self.now = deadline;
        let stuck = index.and_then(|index| self.members[index].actor.as_ref()?.stuck());
        if let (Some(reason), Until::Ready | Until::Gone | Until::Answer(_)) = (stuck, until) {
            return (false, format!("not known: {reason}"));
        }
        match until {
            Until::Now => (true, "nothing is waited for".to_owned()),
            Until::Window(_) => (true, format!("{waited} were waited")),
            Until::Ready => (false, format!("not ready after {waited}")),
            Until::Gone => (false, format!("not gone after {waited}")),
            Until::Answer(value) => (false, format!("no answer with {value:?} after {waited}")),
        }
    }

    /// Why a condition holds, if it does.
    fn met(&self, index: usize, until: &Until) -> Option<String> {
        let member = &self.members[index];
        match (until, &member.actor) {
            (Until::Now | Until::Window(_), _) => None,
            (Until::Ready, None) => Some("not simulated: no resource of Config Connector".to_owned()),
            (Until::Ready, Some(actor)) => {
                let ready = actor.exists() && actor.is_observed() && actor.ready().is_some_and(|ready| ready.status);
                ready.then(|| "ready".to_owned())
            }
            (Until::Gone, _) => (!member.exists()).then(|| "gone".to_owned()),
            (Until::Answer(_), None) => Some("not simulated: no resource of Config Connector".to_owned()),
            (Until::Answer(value), Some(_)) => {
                let name = member.applied.reference.name.as_deref().unwrap_or_default();
                let answered = member.sent.iter().any(|spec| holds(spec, value) || name.contains(value));
                answered.then(|| "an attempt that succeeded brought the value to the cloud".to_owned())
            }
        }
    }

    /// Lets everything happen that happens now.
    fn settle(&mut self) {
        let now = self.now;
        let current = self.steps.len().saturating_sub(1);
        for (index, member) in self.members.iter_mut().enumerate() {
            let Some(actor) = &mut member.actor else { continue };
            loop {
                if let Some(attempt) = actor.end(now) {
                    if attempt.outcome == Outcome::Succeeded && attempt.called && !member.sent.contains(&member.began.1)
                    {
                        member.sent.push(member.began.1.clone());
                    }
                    self.steps[member.began.0].attempts.push((index, attempt));
                } else if actor.begin(now) {
                    if actor.is_running() {
                        member.began = (current, member.applied.spec.clone());
                    }
                } else {
                    break;
                }
            }
        }
    }

    /// Lets the attempts end that run when the script is over.
    fn finish(&mut self) {
        for index in 0..self.members.len() {
            let member = &mut self.members[index];
            let Some(actor) = member.actor.as_mut().filter(|actor| actor.is_running()) else { continue };
            while let Some(due) = actor.due() {
                if let Some(attempt) = actor.end(due) {
                    self.steps[member.began.0].attempts.push((index, attempt));
                    break;
                }
                actor.begin(due);
            }
        }
    }
}

impl Member<'_> {
    fn new(applied: Applied) -> Self {
        Member {
            applied,
            actor: None,
            outcome: None,
            began: (0, Value::Null),
            sent: Vec::new(),
            there: false,
            touched: 0,
        }
    }

    fn exists(&self) -> bool {
        self.actor.as_ref().map_or(self.there, Actor::exists)
    }
}

/// Why the API server refuses an object, if it does.
fn refused(object: &Applied) -> Option<Diagnostic> {
    let problems = match object.object.as_ref()? {
        Object::Plural(facts) => facts.metadata.problems.clone(),
        Object::Kcc(facts) => {
            let (_, of_settings) = Contexts::gather(std::iter::once(&**facts));
            let of_settings = of_settings.into_iter().filter(|problem| problem.code == Code::UnknownActuationMode);
            facts.metadata.problems.iter().cloned().chain(of_settings).collect()
        }
    };
    problems.into_iter().find(|problem| matches!(problem.code, Code::NotAString | Code::UnknownActuationMode))
}

fn value<'m>(annotations: &'m BTreeMap<String, String>, key: &str) -> Option<&'m str> {
    annotations.get(key).map(String::as_str)
}

/// Puts the fields of a patch over a value.
fn merge(value: &mut Value, patch: &Value) {
    match (value, patch) {
        (Value::Object(fields), Value::Object(patch)) => {
            for (key, patch) in patch {
                merge(fields.entry(key.clone()).or_insert(Value::Null), patch);
            }
        }
        (_, Value::Null) => {}
        (value, patch) => value.clone_from(patch),
    }
}
