//! `reconcile-once`: what a pass against the Console would do, against console.md and console-decisions.csv.

mod plans;
mod references;
mod rows;

use std::collections::BTreeMap;

use kcc_backoff::assess::World;
use kcc_backoff::assess::plural::Inputs as Targets;
use kcc_backoff::output::{PlanReport, Summary, plan_json};
use kcc_backoff::plural::console::{Answer, LookUp};
use kcc_backoff::reconcile::{Console, Input, Inputs, Observed, Semantics, Unavailable, look_ups, plan};
use kcc_backoff::source;
use serde_json::Value;

/// What a Console holds.
#[derive(Default, Clone)]
pub struct Holding {
    there: Vec<(String, Value)>,
    forbidden: Vec<(String, String)>,
}

impl Holding {
    pub fn put(&mut self, field: &str, value: Value) {
        self.there.push((field.to_owned(), value));
    }

    pub fn forbid(&mut self, field: &str, value: &str) {
        self.forbidden.push((field.to_owned(), value.to_owned()));
    }
}

/// What is asked besides the manifests.
#[derive(Default)]
pub struct Asked<'a> {
    pub args: &'a [&'a str],
}

struct Memory(BTreeMap<(String, String), Answer>);

impl Console for Memory {
    fn look_up(&self, look_ups: &[LookUp]) -> Result<Vec<Answer>, Unavailable> {
        let answer = |look_up: &LookUp| {
            let key = (look_up.query.field.to_owned(), look_up.value.clone());
            self.0.get(&key).cloned().unwrap_or(Answer::Absent)
        };
        Ok(look_ups.iter().map(answer).collect())
    }
}

pub fn plan_of(holding: &Holding, text: &str, asked: &Asked<'_>) -> Value {
    let mut memory = Memory(BTreeMap::new());
    for (field, value) in &holding.there {
        let key = ["name", "url", "email"]
            .into_iter()
            .filter(|key| *key != "name" || field != "user")
            .find_map(|key| value[key].as_str());
        let key = if field == "user" { value["email"].as_str() } else { key };
        memory.0.insert((field.clone(), key.unwrap().to_owned()), Answer::Found(value.clone()));
    }
    for (field, value) in &holding.forbidden {
        memory.0.insert((field.clone(), value.clone()), Answer::Failed("forbidden".to_owned()));
    }
    let semantics = if asked.args.contains(&"controller") { Semantics::Controller } else { Semantics::Documented };
    let mut bytes = text.as_bytes();
    let loaded =
        source::load(&[source::Input::Stdin], &source::Options::default(), &mut bytes, &|item| Input::read(item, None));
    assert!(loaded.problems.is_empty(), "{:?}", loaded.problems);
    let inputs = Inputs::new(loaded.objects);
    let mut world = World::new(None, None, crate::support::NOW.parse().unwrap());
    world.inputs = Targets::of(inputs.subjects.iter().map(|subject| &*subject.facts));
    let observed = Observed::ask(&memory, look_ups(&inputs, &world)).unwrap();
    let plan = plan(&inputs, &world, &observed, semantics);
    let mut out = Vec::new();
    let report =
        PlanReport { plan: &plan, told_by: "memory", forbidden: &[], problems: &[], summary: Summary::default() };
    plan_json(&mut out, &report).unwrap();
    serde_json::from_slice(&out).unwrap()
}
