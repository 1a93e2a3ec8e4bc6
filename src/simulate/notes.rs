//! What has to be known besides the attempts, in sentences without full stops.

use super::Options;
use super::event::{Event, What};
use super::rules::{Acts, Deletion, Drift, MainPath, Rules, Waiting};
use crate::assess::World;
use crate::assess::kcc::Assessment;
use crate::human;
use crate::kcc::{self, Controller};

/// About an object of Config Connector that a controller works on.
pub(super) fn of_kcc(assessment: &Assessment<'_>, world: &World, rules: &Rules, options: &Options) -> Vec<String> {
    let subject = Subject { assessment, world, rules, events: &options.events };
    let mut notes = subject.about_the_object();
    if let Some(limit) = rules.limit.filter(|limit| options.reconcile > *limit) {
        let limit = human::duration(limit);
        notes.push(format!("its controller cuts an attempt off after {limit}, which is an error"));
    }
    if subject.happens(&|what| *what == What::DependencyMissing) {
        notes.extend(subject.about_waiting());
    }
    if assessment.facts.metadata.deletion.is_some() || subject.happens(&|what| *what == What::Delete) {
        notes.extend(subject.about_deletion());
    }
    notes
}

/// About an object of the Plural Console.
pub(super) fn of_plural(facts: &crate::plural::Facts, rules: &Rules, events: &[Event]) -> Vec<String> {
    let mut notes = Vec::new();
    if facts.status.is_some() {
        notes.push("the status in the manifest does not count, but for the health of a repository".to_owned());
    }
    if rules.drift == Drift::Invalid {
        let panics = "a pass that succeeds stores its status, then panics over the interval, which counts as an error";
        notes.push(panics.to_owned());
    }
    if facts.reference.kind == "GitRepository" && !matches!(rules.drift, Drift::Waits(_)) {
        let new = "till the Console has pulled it, as after its creation, each pass comes 15 to 45 s after the one before, \
                   whatever the interval says: that is simulated only where status.health says so";
        notes.push(new.to_owned());
    }
    if facts.metadata.deletion.is_some() || events.iter().any(|event| event.what == What::Delete) {
        let note = match rules.deletion {
            Deletion::Unseen { held: false } => "its controller has no finalizer: deleting it is seen by nobody",
            Deletion::Unseen { held: true } => {
                "its controller does not look at a request to delete it: while another finalizer holds it, it is reconciled \
                 as before"
            }
            // The end says so.
            Deletion::Unknown(_) => return notes,
            Deletion::Attempts { .. } => {
                "deletion is simulated as that of a managed object whose remote is there: explain tells the other cases"
            }
        };
        notes.push(note.to_owned());
    }
    notes
}

struct Subject<'s> {
    assessment: &'s Assessment<'s>,
    world: &'s World,
    rules: &'s Rules,
    events: &'s [Event],
}

impl Subject<'_> {
    fn happens(&self, wanted: &dyn Fn(&What) -> bool) -> bool {
        self.events.iter().any(|event| wanted(&event.what))
    }

    fn controller(&self) -> Controller {
        self.assessment.acting()
    }

    fn about_the_object(&self) -> Vec<String> {
        let (release, facts) = (self.world.release, self.assessment.facts);
        let mut notes: Vec<String> = Vec::new();
        if facts.place.file.is_empty() {
            // No object in particular: most of what explain notes does not concern it.
            if !release.delays_checked() {
                notes.push(format!("the delays of {release} are not known: those of 1.90.0 are used"));
            }
            return notes;
        }
        if self.controller() == Controller::Unknown {
            let same = "tf, dcl and direct, of which one handles it, do the same here: none of them reads a ceiling";
            notes.push(same.into());
        }
        notes.extend(self.assessment.notes.iter().map(ToString::to_string));
        if facts.status.is_some() {
            let first = "the status in the manifest does not count: the first attempt is the first of its generation";
            notes.push(first.into());
        }
        if self.rules.acts == Acts::Paused && self.rules.drift != Drift::Invalid {
            let why = &self.assessment.actuation.reason;
            notes.push(format!("it is paused ({why}): attempts succeed without a call"));
        }
        let works = kcc::requeues_without_error(facts.reference.group(), &facts.reference.kind);
        if works && self.controller() == Controller::Direct {
            notes.push("the requeues that its kind asks for without an error while it works are not simulated".into());
        }
        notes
    }

    fn about_waiting(&self) -> Vec<String> {
        let release = self.world.release;
        let mut notes = Vec::new();
        let sets_ceiling = |what: &What| matches!(what, What::Annotate(key, _) if key == kcc::CEILING);
        let ceiling = self.rules.main_path != MainPath::Default || self.happens(&sets_ceiling);
        if ceiling && !release.ceiling_scope_settled() && self.controller() == Controller::Direct {
            notes.push(format!(
                "whether a ceiling governs waiting for dependencies is not settled for {release}: it is simulated as up to \
                 1.159, on the default ladder"
            ));
        }
        if matches!(self.rules.waiting, Waiting::Watch(_)) {
            let watch =
                "the watch on a dependency gives up after a time that is drawn from 5 to 15 min, as --jitter says";
            notes.push(watch.into());
        }
        notes
    }

    fn about_deletion(&self) -> Vec<String> {
        let release = self.world.release;
        let mut notes = vec!["the deletion defender is taken to let go at once".to_owned()];
        let sets_policy = |what: &What| matches!(what, What::Annotate(key, value) if key == kcc::DELETION_POLICY && value == "abandon");
        let abandons = self.assessment.deletion.abandons || self.happens(&sets_policy);
        if abandons && self.controller() != Controller::Direct {
            let why = "deletion-policy: abandon asks the cloud for nothing, so such a deletion fails only for other reasons \
                       than the cloud's";
            notes.push(why.into());
        }
        if release.direct_swallows_lookup_errors() == Some(true) && self.controller() == Controller::Direct {
            notes.push(format!(
                "in {release} a look-up error other than \"not found\" lets the object go at once, which is not simulated"
            ));
        }
        notes
    }
}
