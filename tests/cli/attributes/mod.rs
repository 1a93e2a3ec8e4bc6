//! What is sent of the seven kinds, against console.md sections 2.4 to 2.6, 4 to 10 and 14, and the Console's schema.

mod answers;
mod comparison;
mod hashes;
mod manifests;
mod pr_automation;
mod refused;
mod schema;
mod sent;
mod service_context;

use kcc_backoff::go;
use kcc_backoff::plural::kind::{Attributes, Data, Found, Managed, Wanted, managed};
use kcc_backoff::reconcile::{Input, Subject};
use kcc_backoff::source::{self, Options};
use serde_json::Value;

/// The objects of the Console in `text`, as a pass reads them.
fn subjects(text: &str) -> Vec<Subject> {
    let mut bytes = text.as_bytes();
    let loaded =
        source::load(&[source::Input::Stdin], &Options::default(), &mut bytes, &|item| Input::read(item, None));
    assert!(loaded.problems.is_empty(), "{:?}\n{text}", loaded.problems);
    let subject = |input| match input {
        Input::Plural(subject) => Some(*subject),
        _ => None,
    };
    loaded.objects.into_iter().filter_map(subject).collect()
}

fn subject(text: &str) -> Subject {
    let mut all = subjects(text);
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

/// An object of a kind, called `it` in `infra`, with this spec in one line.
fn object(kind: &str, spec: &str) -> String {
    format!(
        "apiVersion: deployments.plural.sh/v1alpha1\nkind: {kind}\nmetadata: {{name: it, namespace: infra}}\nspec: {spec}\n"
    )
}

fn of(kind: &str) -> &'static Managed {
    managed(kind).unwrap()
}

fn attributes_of(subject: &Subject, found: &Found) -> Result<Attributes, String> {
    let managed = subject.managed.unwrap();
    (managed.attributes)(&Wanted { facts: &subject.facts, spec: &subject.spec, found })
}

fn attributes(text: &str, found: &Found) -> Attributes {
    let subject = subject(text);
    assert!(subject.problems.is_empty(), "{:?}\n{text}", subject.problems);
    attributes_of(&subject, found).unwrap()
}

/// What is sent, as JSON in which the order of the keys counts.
fn sent(text: &str, found: &Found) -> String {
    go::json(&attributes(text, found).sent.into())
}

fn fault(text: &str, found: &Found) -> String {
    attributes_of(&subject(text), found).unwrap_err()
}

/// What references have come to.
trait Finds: Sized {
    fn id(self, path: &'static str, id: &str) -> Self;
    fn user(self, email: &str, id: &str) -> Self;
    fn group(self, name: &str, id: &str) -> Self;
    fn data(self, path: &'static str, index: Option<usize>, data: &[(&str, &str)]) -> Self;
}

impl Finds for Found {
    fn id(mut self, path: &'static str, id: &str) -> Found {
        self.ids.insert(path, id.to_owned());
        self
    }

    fn user(mut self, email: &str, id: &str) -> Found {
        self.users.insert(email.to_owned(), id.to_owned());
        self
    }

    fn group(mut self, name: &str, id: &str) -> Found {
        self.groups.insert(name.to_owned(), id.to_owned());
        self
    }

    fn data(mut self, path: &'static str, index: Option<usize>, data: &[(&str, &str)]) -> Found {
        let data = data.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        self.data.insert((path, index), Data(data));
        self
    }
}

fn nothing() -> Found {
    Found::default()
}

/// Everything that the manifests of section 14 refer to, found.
fn everything() -> Found {
    nothing()
        .id("spec.projectRef", "p1")
        .id("spec.connectionRef", "scm1")
        .id("spec.scmConnectionRef", "scm1")
        .id("spec.repositoryRef", "r1")
        .id("spec.catalogRef", "c1")
        .id("spec.clusterRef", "k1")
        .id("spec.serviceRef", "s1")
        .user("robot@orchard.test", "u1")
        .user("a@orchard.test", "u2")
        .group("auditors", "g1")
        .group("platform", "g2")
        .group("developers", "g3")
        .group("sre", "g4")
        .data("spec.credentialsRef", None, &[("username", "octo"), ("password", "MARKER-PASSWORD")])
        .data("spec.configMapRefs[]", Some(0), &[("region", "everywhere"), ("engine", "mysql")])
        .data("spec.configMapRefs[]", Some(1), &[("region", "eu-1")])
        .data("spec.secretRef", None, &[("password", "MARKER-SECRET")])
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}
