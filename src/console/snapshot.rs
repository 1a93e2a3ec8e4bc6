//! What a Console holds, as a file: to plan with where there is no network and no token.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::object::{Code, Diagnostic, Node, NodeKind, Place, Severity, masked_url};
use crate::plural::console::{Answer, LookUp, Of, Output, Query, check, masked_with};
use crate::plural::kind::{queries, query};
use crate::reconcile::{Console, Unavailable};
use crate::source::{self, Input, Item};

/// The version of snapshots.
const API_VERSION: &str = "kcc-backoff/v1alpha1";
/// What the document is.
const KIND: &str = "ConsoleSnapshot";

/// A snapshot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Snapshot {
    /// The file, as it is shown.
    pub name: String,
    /// When it was taken, if it says so.
    pub taken: Option<String>,
    /// The Console that it was taken of, if it says so.
    pub console: Option<String>,
    /// Whether what it does not list is absent.
    pub complete: bool,
    there: HashMap<(&'static str, String), Value>,
    absent: HashSet<(&'static str, String)>,
}

impl Console for Snapshot {
    fn look_up(&self, look_ups: &[LookUp]) -> Result<Vec<Answer>, Unavailable> {
        let answer = |look_up: &LookUp| {
            let key = (look_up.query.field, masked_url(&look_up.value).into_owned());
            match self.there.get(&key) {
                Some(value) => Answer::Found(value.clone()),
                None if self.complete || self.absent.contains(&key) => Answer::Absent,
                None => Answer::Failed(format!(
                    "the snapshot {} does not say whether there is {look_up} (`complete: true` in it says that what it does \
                     not list is absent)",
                    self.name
                )),
            }
        };
        Ok(look_ups.iter().map(answer).collect())
    }
}

/// Reads a snapshot, with what is doubtful about it.
///
/// # Errors
/// What is wrong with it, each with its place.
pub fn read(path: &Path) -> Result<(Snapshot, Vec<Diagnostic>), Vec<Diagnostic>> {
    let loaded = source::load(
        &[Input::Path(path.to_owned())],
        &source::Options::default(),
        &mut std::io::empty(),
        &|item: &Item<'_>| {
            (item.api_version == API_VERSION && item.kind == KIND).then(|| {
                let mut reader = Reader { file: item.file, snapshot: Snapshot::default(), problems: Vec::new() };
                reader.document(item.node);
                (reader.snapshot, reader.problems)
            })
        },
    );
    let is_error = |problem: &Diagnostic| problem.severity == Severity::Error;
    let mut problems = loaded.problems;
    if problems.iter().any(is_error) {
        return Err(problems);
    }
    let mut found: Vec<(Snapshot, Vec<Diagnostic>)> = loaded.objects.into_iter().flatten().collect();
    let file: std::sync::Arc<str> = path.to_string_lossy().into();
    if found.len() != 1 {
        let message =
            format!("holds {} documents of kind {KIND} and apiVersion {API_VERSION}, and one is wanted", found.len());
        let problem = Diagnostic::new(Code::Snapshot, Severity::Error, Place::file(&file), message);
        problems.push(problem.with_fix("`kcc-backoff console-snapshot` writes one"));
        return Err(problems);
    }
    let (mut snapshot, own) = found.remove(0);
    problems.extend(own);
    if problems.iter().any(is_error) {
        return Err(problems);
    }
    snapshot.name = file.to_string();
    Ok((snapshot, problems))
}

struct Reader<'f> {
    file: &'f std::sync::Arc<str>,
    snapshot: Snapshot,
    problems: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn complain(&mut self, severity: Severity, node: Node<'_>, message: String, fix: Option<&str>) {
        let problem = Diagnostic::new(Code::Snapshot, severity, Place::new(self.file, node.pos()), message);
        self.problems.push(match fix {
            Some(fix) => problem.with_fix(fix),
            None => problem,
        });
    }

    fn document(&mut self, root: Node<'_>) {
        for entry in root.entries() {
            let key = entry.key.scalar().map_or("", |scalar| scalar.text);
            let value = entry.value;
            match key {
                "apiVersion" | "kind" | "metadata" => {}
                "taken" => self.snapshot.taken = value.scalar().map(|scalar| scalar.text.to_owned()),
                "console" => self.snapshot.console = value.str().map(str::to_owned),
                "complete" => match value.bool() {
                    Some(complete) => self.snapshot.complete = complete,
                    None => {
                        self.complain(Severity::Error, value, "complete is neither true nor false".to_owned(), None)
                    }
                },
                "absent" => self.absent(value),
                other => match query(other) {
                    Some(query) => self.list(query, value),
                    None => {
                        let known: Vec<&str> = queries().map(|query| query.field).collect();
                        let meant = known.iter().find(|known| strsim::damerau_levenshtein(known, other) <= 2);
                        let fix = meant.map(|meant| format!("is {meant} meant?"));
                        let message = format!("{other:?} is nothing that is looked up: there are {}", known.join(", "));
                        self.complain(Severity::Error, entry.key, message, fix.as_deref());
                    }
                },
            }
        }
        let both = self.snapshot.absent.iter().filter(|key| self.snapshot.there.contains_key(*key));
        if let Some((field, value)) = both.min() {
            let message = format!("{field} {value:?} is listed both as there and as absent");
            self.complain(Severity::Error, root, message, None);
        }
    }

    fn absent(&mut self, node: Node<'_>) {
        for entry in node.entries() {
            let key = entry.key.scalar().map_or("", |scalar| scalar.text);
            let Some(query) = query(key) else {
                self.complain(Severity::Error, entry.key, format!("absent.{key} is nothing that is looked up"), None);
                continue;
            };
            for item in entry.value.items() {
                match item.str() {
                    Some(name) => {
                        self.snapshot.absent.insert((query.field, masked_url(name).into_owned()));
                    }
                    None => {
                        let fix = Some("put it into quotes");
                        self.complain(
                            Severity::Error,
                            item,
                            format!("absent.{key}: a {} is a string", query.argument),
                            fix,
                        );
                    }
                }
            }
        }
    }

    fn list(&mut self, query: &'static Query, node: Node<'_>) {
        if node.kind() != NodeKind::Sequence && !node.is_null() {
            return self.complain(Severity::Error, node, format!("{} is not a list", query.field), None);
        }
        for item in node.items() {
            self.unknown(item, query.returned, query.field);
            let value = item.json();
            if let Err(fault) = check(&value, query.returned, query.field) {
                self.complain(Severity::Error, item, fault, None);
                continue;
            }
            let Some(identity) = value.get(query.argument).and_then(Value::as_str) else {
                let message = format!("this {} has no {}, by which it is looked up", query.field, query.argument);
                self.complain(Severity::Error, item, message, None);
                continue;
            };
            let key = (query.field, masked_url(identity).into_owned());
            if self.snapshot.there.insert(key, value.clone()).is_some() {
                let message = format!("{} {:?} is listed twice", query.field, masked_url(identity));
                self.complain(Severity::Error, item, message, None);
            }
        }
    }

    /// Fields that nobody asks for: misspelt, most often.
    fn unknown(&mut self, node: Node<'_>, fields: &[Output], path: &str) {
        for entry in node.entries() {
            let key = entry.key.scalar().map_or("", |scalar| scalar.text);
            let Some(field) = fields.iter().find(|field| field.name == key) else {
                self.complain(Severity::Warning, entry.key, format!("{path}.{key} is not looked at"), None);
                continue;
            };
            if let Of::Object(fields) = field.of {
                let path = format!("{path}.{key}");
                if field.list {
                    entry.value.items().for_each(|item| self.unknown(item, fields, &path));
                } else {
                    self.unknown(entry.value, fields, &path);
                }
            }
        }
    }
}

/// Look-ups that a snapshot cannot tell from another one, as they differ only in what is masked.
pub fn ambiguous(look_ups: &[LookUp]) -> Vec<bool> {
    let key = |look_up: &LookUp| (look_up.query.field, masked_url(&look_up.value).into_owned());
    let mut counts: HashMap<(&str, String), usize> = HashMap::new();
    for look_up in look_ups {
        *counts.entry(key(look_up)).or_default() += 1;
    }
    look_ups.iter().map(|look_up| counts.get(&key(look_up)).is_some_and(|count| *count > 1)).collect()
}

/// The document of what a Console answered: without secrets, sorted. What could not be looked up is left out, and so stays
/// unknown to whoever plans with it.
///
/// `redacted` takes secrets out of messages.
pub fn document(
    console: &str,
    taken: &str,
    look_ups: &[LookUp],
    answers: &[Answer],
    redacted: &dyn Fn(&str) -> String,
) -> Value {
    let mut there: BTreeMap<&str, BTreeMap<String, Value>> = BTreeMap::new();
    let mut absent: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let told_apart = ambiguous(look_ups).into_iter().map(|ambiguous| !ambiguous);
    for ((look_up, answer), _) in look_ups.iter().zip(answers).zip(told_apart).filter(|(_, told_apart)| *told_apart) {
        let (field, identity) = (look_up.query.field, masked_url(&look_up.value).into_owned());
        match answer {
            Answer::Found(value) => {
                let value = without_nulls(&masked_with(value, look_up.query.returned, redacted));
                there.entry(field).or_default().insert(identity, value);
            }
            Answer::Absent => {
                absent.entry(field).or_default().insert(identity);
            }
            Answer::Failed(_) => {}
        }
    }
    let mut document = Map::new();
    document.insert("apiVersion".to_owned(), API_VERSION.into());
    document.insert("kind".to_owned(), KIND.into());
    document.insert("taken".to_owned(), taken.into());
    document.insert("console".to_owned(), console.into());
    document.insert("complete".to_owned(), false.into());
    for (field, items) in there {
        document.insert(field.to_owned(), items.into_values().collect());
    }
    if !absent.is_empty() {
        document.insert("absent".to_owned(), json!(absent));
    }
    document.into()
}

/// An object without fields that are null, which a reader takes for the same.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.iter().filter(|(_, value)| !value.is_null());
            kept.map(|(key, value)| (key.clone(), without_nulls(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<(Snapshot, Vec<Diagnostic>), Vec<Diagnostic>> {
        let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("{error}"));
        let path = folder.path().join("console.yaml");
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("{error}"));
        read(&path)
    }

    const HEAD: &str = "apiVersion: kcc-backoff/v1alpha1\nkind: ConsoleSnapshot\n";

    fn look_up(field: &str, value: &str) -> LookUp {
        LookUp::new(query(field).unwrap_or(&crate::plural::console::GROUP), value)
    }

    fn answer(snapshot: &Snapshot, field: &str, value: &str) -> Answer {
        snapshot.look_up(&[look_up(field, value)]).unwrap_or_default().remove(0)
    }

    #[test]
    fn what_a_snapshot_does_not_list_is_unknown_unless_it_is_complete() {
        let body = "project:\n- {id: \"1\", name: there}\nabsent: {project: [gone]}\n";
        let (snapshot, doubts) = read_text(&format!("{HEAD}{body}")).unwrap_or_default();
        assert_eq!(doubts, []);
        assert_eq!(answer(&snapshot, "project", "there"), Answer::Found(json!({"id": "1", "name": "there"})));
        assert_eq!(answer(&snapshot, "project", "gone"), Answer::Absent);
        assert!(
            matches!(answer(&snapshot, "project", "other"), Answer::Failed(reason) if reason.contains("complete: true"))
        );
        let (complete, _) = read_text(&format!("{HEAD}complete: true\n{body}")).unwrap_or_default();
        assert_eq!(answer(&complete, "project", "other"), Answer::Absent);
    }

    #[test]
    fn what_is_wrong_with_a_snapshot_is_told_with_its_place() {
        for (body, line, column, why) in [
            ("project: {id: x}\n", 3, 10, "project is not a list"),
            ("project:\n- name: a\n", 4, 3, "project.id is missing"),
            ("project:\n- {id: \"1\", name: a}\n- {id: \"2\", name: a}\n", 5, 3, "is listed twice"),
            ("projects: []\n", 3, 1, "is nothing that is looked up"),
            ("complete: maybe\n", 3, 11, "neither true nor false"),
            ("absent: {project: [1]}\n", 3, 20, "is a string"),
            ("cluster:\n- {id: \"1\", name: a}\n", 4, 3, "has no handle"),
            ("gitRepository:\n- {id: \"1\", url: x, health: GREEN}\n", 4, 3, "does not know"),
            ("project:\n- {id: \"1\", name: a}\nabsent: {project: [a]}\n", 1, 1, "both as there and as absent"),
        ] {
            let problems = read_text(&format!("{HEAD}{body}")).err().unwrap_or_default();
            let [problem] = &problems[..] else { panic!("{body}: {problems:?}") };
            let place = problem.place.as_ref().map(|place| (place.line, place.column));
            assert_eq!(place, Some((line, column)), "{body}");
            assert!(problem.message.contains(why), "{}", problem.message);
        }
        assert!(
            read_text("a: b\n").is_err() && read_text("").is_err() && read_text(&format!("{HEAD}---\n{HEAD}")).is_err()
        );
    }

    #[test]
    fn a_field_that_nobody_asks_for_is_doubted() {
        let (_, doubts) =
            read_text(&format!("{HEAD}project:\n- {{id: \"1\", name: a, descripton: x}}\n")).unwrap_or_default();
        assert_eq!(doubts.len(), 1);
        assert!(doubts[0].message.contains("project.descripton is not looked at"));
    }

    #[test]
    fn what_is_written_is_read_again_and_holds_no_secret() {
        let look_ups = [
            look_up("notificationSink", "b"),
            look_up("notificationSink", "a"),
            look_up("project", "gone"),
            look_up("project", "failed"),
            look_up("gitRepository", "https://u:MARKER@h.test/a"),
        ];
        let sink = |name: &str| {
            let configuration = json!({"slack": {"url": "https://h.test/MARKER"}, "teams": null});
            Answer::Found(
                json!({"id": name, "name": name, "type": "SLACK", "configuration": configuration, "extra": "MARKER"}),
            )
        };
        let repository = Answer::Found(json!({"id": "r", "url": "https://u:MARKER@h.test/a", "health": null}));
        let answers = [sink("b"), sink("a"), Answer::Absent, Answer::Failed("boom".to_owned()), repository];
        let document = document("https://c.test", "2026-11-30T12:00:00Z", &look_ups, &answers, &str::to_owned);
        let text = document.to_string();
        assert!(!text.contains("MARKER") && !text.contains("boom"), "{text}");
        let (snapshot, doubts) = read_text(&text).unwrap_or_else(|problems| panic!("{problems:?}"));
        assert_eq!(doubts, []);
        assert_eq!(snapshot.console.as_deref(), Some("https://c.test"));
        let found = json!({"id": "a", "name": "a", "type": "SLACK", "configuration": {"slack": {"url": "***"}}});
        assert_eq!(answer(&snapshot, "notificationSink", "a"), Answer::Found(found));
        assert_eq!(answer(&snapshot, "project", "gone"), Answer::Absent);
        assert!(matches!(answer(&snapshot, "project", "failed"), Answer::Failed(_)));
        assert!(matches!(answer(&snapshot, "gitRepository", "https://u:MARKER@h.test/a"), Answer::Found(_)));
    }
}
