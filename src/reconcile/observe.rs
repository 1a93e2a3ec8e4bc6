//! What has to be asked of the Console, and what references come to.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::input::{Inputs, Subject};
use super::{Console, Unavailable};
use crate::assess::World;
use crate::assess::plural::{Outcome, decided, situation};
use crate::object::{Place, masked_url};
use crate::plural::console::{Answer, CLUSTER, GROUP, LookUp, Query, SCM_CONNECTION, USER};
use crate::plural::kind::{Data, Found, managed};
use crate::plural::{Action, Facts, IfMissing, Reference, Remote, Use};

/// What the Console holds under each identity that the inputs name.
#[derive(Debug, Default)]
pub struct Observed {
    answers: HashMap<(&'static str, String), Answer>,
}

impl Observed {
    /// Asks the Console, once for each identity.
    ///
    /// # Errors
    /// When nothing at all could be asked.
    pub fn ask(console: &dyn Console, look_ups: Vec<LookUp>) -> Result<Observed, Unavailable> {
        let answers = if look_ups.is_empty() { Vec::new() } else { console.look_up(&look_ups)? };
        let pairs = look_ups.into_iter().zip(answers);
        Ok(Observed {
            answers: pairs.map(|(look_up, answer)| ((look_up.query.field, look_up.value), answer)).collect(),
        })
    }

    /// What was answered. What was not asked for is not known, which is never the same as absent.
    pub fn answer(&self, query: &Query, value: &str) -> &Answer {
        static UNASKED: std::sync::LazyLock<Answer> =
            std::sync::LazyLock::new(|| Answer::Failed("it was not asked for".to_owned()));
        // The key owns its text, so a look-up needs one, too.
        self.answers.get(&(query.field, value.to_owned())).unwrap_or(&UNASKED)
    }
}

/// How an object is looked up that a reference of `kind` names, or that stands among the inputs.
fn query(kind: &str) -> Option<&'static Query> {
    match kind {
        "ScmConnection" => Some(&SCM_CONNECTION),
        "Cluster" | "cluster" => Some(&CLUSTER),
        "repository" => managed("GitRepository").map(|managed| managed.query),
        kind => managed(kind).map(|managed| managed.query),
    }
}

/// By what an object of the inputs is looked up, where it is.
pub(super) fn look_up_of(subject: &Subject) -> Option<LookUp> {
    let facts = &*subject.facts;
    let query = query(&facts.reference.kind)?;
    let (value, _) = facts.identity().filter(|(value, from)| !value.is_empty() && *from != "status.id")?;
    Some(LookUp::new(query, value))
}

/// Whether what the Console holds decides about an object: a deletion that keeps the remote whatever is there needs no
/// look-up (console.md section 3.2, rule 6), unless the controller's part of the plan hangs on it.
fn is_asked_for(facts: &Facts) -> bool {
    let Some(kind) = facts.kind else { return false };
    if facts.metadata.deletion.is_none() {
        return true;
    }
    let outcomes = Remote::ALL.map(|remote| decided(facts, kind, &situation(facts, remote)));
    let settled = |outcome: &Outcome<'_>| (outcome.documented, outcome.action, outcome.returns);
    outcomes[0].documented != Some(Action::Keep) || outcomes.iter().any(|one| settled(one) != settled(&outcomes[0]))
}

/// Whether a pass may write what the object says: one that is being deleted is still reconciled by a controller that does
/// not look at that (console.md section 8).
fn is_written(facts: &Facts) -> bool {
    let Some(kind) = facts.kind else { return false };
    let manages = |remote| decided(facts, kind, &situation(facts, remote)).action.manages();
    facts.metadata.deletion.is_none() || Remote::ALL.into_iter().any(manages)
}

/// Everything that one pass asks, each once, in the order of the inputs.
pub fn look_ups(inputs: &Inputs, world: &World) -> Vec<LookUp> {
    let mut all: Vec<LookUp> = Vec::new();
    let mut seen: HashSet<(&'static str, String)> = HashSet::new();
    let mut ask = |look_up: LookUp| {
        if seen.insert((look_up.query.field, look_up.value.clone())) {
            all.push(look_up);
        }
    };
    let managed = || inputs.subjects.iter().filter(|subject| subject.managed.is_some());
    // What an object itself is looked up by comes first: of a user that a binding names, too, less is asked.
    for subject in managed().filter(|subject| is_asked_for(&subject.facts)) {
        look_up_of(subject).into_iter().for_each(&mut ask);
    }
    for subject in managed() {
        let facts = &*subject.facts;
        if !is_written(facts) {
            continue;
        }
        for reference in facts.used_references() {
            if let Some(look_up) = target(subject, reference, inputs, world).look_up {
                ask(look_up);
            }
        }
        if !facts.leaves_bindings_out() {
            for identity in &facts.identities {
                ask(LookUp::new(if identity.group { &GROUP } else { &USER }, identity.name.as_str()));
            }
        }
    }
    all
}

/// What a reference names.
struct Target<'a> {
    /// The object among the inputs, if it is one of them.
    subject: Option<&'a Subject>,
    /// How it is looked up, if it is.
    look_up: Option<LookUp>,
}

fn target<'a>(subject: &Subject, reference: &Reference, inputs: &'a Inputs, world: &World) -> Target<'a> {
    let name = reference.name.as_str();
    let field = reference.field;
    match field.usage {
        Use::Written | Use::Read => Target { subject: None, look_up: None },
        Use::Console => Target { subject: None, look_up: query(field.target).map(|query| LookUp::new(query, name)) },
        Use::Id => {
            let own = subject.facts.reference.namespace.as_deref();
            let found = world.inputs.target(reference, own).and_then(|target| at(inputs, &target.place));
            let look_up = match found {
                // What has its id already is not asked for again, unless the pass looks at it anyway.
                Some(found) if found.managed.is_none() && status_id(found).is_some() => None,
                Some(found) => look_up_of(found),
                // A repository is known by its URL alone, which a reference does not have.
                None if field.target == "GitRepository" => None,
                // Nothing has the name "".
                None if name.is_empty() => None,
                None => query(field.target).map(|query| LookUp::new(query, name)),
            };
            Target { subject: found, look_up }
        }
    }
}

fn at<'a>(inputs: &'a Inputs, place: &Place) -> Option<&'a Subject> {
    inputs.subjects.iter().find(|subject| subject.facts.place == *place)
}

fn status_id(subject: &Subject) -> Option<&str> {
    subject.facts.status.as_ref()?.id.as_deref()
}

/// Something that a pass waits for, or cannot do without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The field that names it.
    pub field: String,
    /// What it is, and what is the matter with it, in a clause.
    pub what: String,
    /// What the controller writes into the condition `Synchronized`.
    pub text: String,
    /// Whether it could not be found out if it is there.
    pub unknown: bool,
    /// What the controller does without it.
    pub then: IfMissing,
    /// Where the reference stands.
    pub place: Place,
}

/// What the references of an object have come to.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    pub found: Found,
    /// What holds the pass up.
    pub missing: Vec<Missing>,
    /// What is left out of what is sent, or taken by its name alone.
    pub warnings: Vec<String>,
    pub notes: Vec<String>,
}

/// Finds out what an object's references and bindings stand for.
pub(super) fn resolve(subject: &Subject, inputs: &Inputs, world: &World, observed: &Observed) -> Resolved {
    let facts = &*subject.facts;
    let mut resolved = Resolved::default();
    for reference in facts.all_references() {
        match reference.field.usage {
            Use::Written => {}
            Use::Read => holder(facts, reference, inputs, &mut resolved),
            Use::Id | Use::Console => id(subject, reference, inputs, world, observed, &mut resolved),
        }
    }
    if !facts.leaves_bindings_out() {
        identities(facts, inputs, observed, &mut resolved);
    }
    resolved
}

/// A field with its index.
fn path(reference: &Reference) -> String {
    match reference.index {
        Some(index) => format!("{}[{index}]", reference.field.path.trim_end_matches("[]")),
        None => reference.field.path.to_owned(),
    }
}

fn holder(facts: &Facts, reference: &Reference, inputs: &Inputs, resolved: &mut Resolved) {
    let kind = reference.field.target;
    let own = facts.reference.namespace.as_deref();
    let namespace = reference.namespace.as_deref().or(own);
    match inputs.holder(kind, namespace, &reference.name) {
        Some(holder) if holder.problems.is_empty() => {
            let data: Data = holder.data.clone();
            resolved.found.data.insert((reference.field.path, reference.index), data);
        }
        found => {
            let shown = if reference.name.is_empty() { "\"\"" } else { &reference.name };
            let shown = namespace.map_or(shown.to_owned(), |namespace| format!("{namespace}/{shown}"));
            let plural = if kind == "Secret" { "secrets" } else { "configmaps" };
            let not_found = format!("{plural} {:?} not found", reference.name);
            resolved.missing.push(Missing {
                field: path(reference),
                what: match found {
                    Some(_) => format!("the {kind} {shown} is one that the API server refuses"),
                    None => format!("the {kind} {shown} is not among the inputs"),
                },
                text: match facts.reference.kind.as_str() {
                    "ServiceContext" => format!("failed to get {} {shown}: {not_found}", kind.to_lowercase()),
                    _ => not_found,
                },
                unknown: false,
                then: reference.field.missing,
                place: Place::new(&facts.place.file, reference.pos),
            });
        }
    }
}

/// What a reference without an id is called in the condition (pluralsh/console, the controllers of the kinds).
fn not_ready(target: &str) -> &'static str {
    match target {
        "ScmConnection" => "scm connection is not ready",
        "GitRepository" | "repository" => "git repository is not ready",
        _ => "project is not ready",
    }
}

fn id(
    subject: &Subject,
    reference: &Reference,
    inputs: &Inputs,
    world: &World,
    observed: &Observed,
    resolved: &mut Resolved,
) {
    let field = reference.field;
    let kind = field.target;
    let facts = &*subject.facts;
    let shown = if reference.name.is_empty() { "\"\"".to_owned() } else { masked_url(&reference.name).into_owned() };
    let target = target(subject, reference, inputs, world);
    let answer = target.look_up.as_ref().map(|look_up| observed.answer(look_up.query, &look_up.value));
    let mut lacks = |what: String, text: String, unknown: bool, then: IfMissing| {
        let place = Place::new(&facts.place.file, reference.pos);
        resolved.missing.push(Missing { field: path(reference), what, text, unknown, then, place });
    };
    let known = match (target.subject, answer) {
        (_, Some(Answer::Found(remote))) => remote.get("id").and_then(Value::as_str).map(str::to_owned),
        (_, Some(Answer::Failed(reason))) => {
            let what = format!("whether {kind} {shown} is there could not be found out: {}", inputs.redacted(reason));
            return lacks(what, reason.clone(), true, IfMissing::Error);
        }
        (Some(target), None) if target.managed.is_none() => status_id(target).map(str::to_owned),
        (_, Some(Answer::Absent) | None) => None,
    };
    match (known, target.subject) {
        (Some(id), found) => {
            if found.is_none() && field.usage == Use::Id {
                resolved.notes.push(format!(
                    "{}: {kind} {shown} is not among the inputs, and was taken from the Console by that name (the name in \
                     its spec may be another)",
                    path(reference)
                ));
            }
            resolved.found.ids.insert(field.path, id);
        }
        (None, Some(found)) => {
            let how = match found.managed {
                Some(_) => "it is not in the Console yet",
                None => "it is not in the Console, and its status has no id",
            };
            let what = format!("{kind} {shown} has no id yet: {how} ({})", found.facts.place);
            match field.without_id {
                IfMissing::SentWithout => resolved.warnings.push(format!(
                    "{}: {what}; it is left out of what is sent, as the controller does",
                    path(reference)
                )),
                then => lacks(what, not_ready(kind).to_owned(), false, then),
            }
        }
        (None, None) if field.usage == Use::Console => {
            let text = match kind {
                "repository" => not_ready(kind).to_owned(),
                _ => format!(" {:?} not found", reference.name),
            };
            lacks(format!("the {kind} {shown} is not in the Console"), text, false, field.missing);
        }
        (None, None) => {
            let asked = match (answer.is_some(), kind) {
                (false, _) if reference.name.is_empty() => "nowhere: the reference has no name",
                (true, _) => "neither among the inputs nor in the Console",
                (false, "GitRepository") => {
                    "not among the inputs (the Console knows repositories by their URL: give its manifest)"
                }
                (false, _) => "not among the inputs, and cannot be looked up by its name alone",
            };
            let plural = format!("{}s.deployments.plural.sh", kind.to_lowercase()).replace("ys.", "ies.");
            let text = format!("{plural} {:?} not found", reference.name);
            lacks(format!("{kind} {shown} is {asked}"), text, false, field.missing);
        }
    }
}

fn identities(facts: &Facts, inputs: &Inputs, observed: &Observed, resolved: &mut Resolved) {
    for identity in &facts.identities {
        let (query, what): (&Query, _) = if identity.group { (&GROUP, "group") } else { (&USER, "user") };
        let known: &mut BTreeMap<String, String> =
            if identity.group { &mut resolved.found.groups } else { &mut resolved.found.users };
        let (text, unknown, how) = match observed.answer(query, &identity.name) {
            Answer::Found(remote) => {
                // An answer without one is refused before it comes here.
                if let Some(id) = remote.get("id").and_then(Value::as_str) {
                    known.insert(identity.name.clone(), id.to_owned());
                }
                continue;
            }
            Answer::Absent if identity.group => {
                (format!(" {:?} not found", identity.name), false, "is not in the Console".to_owned())
            }
            Answer::Absent => {
                (format!("user {:?} not found", identity.name), false, "is not in the Console".to_owned())
            }
            Answer::Failed(reason) => {
                let reason = inputs.redacted(reason);
                (reason.clone(), true, format!("could not be looked up: {reason}"))
            }
        };
        resolved.missing.push(Missing {
            field: identity.field.clone(),
            what: format!("the {what} {} {how}", identity.name),
            text,
            unknown,
            then: if unknown { IfMissing::Error } else { IfMissing::Wait },
            place: Place::new(&facts.place.file, identity.pos),
        });
    }
}
