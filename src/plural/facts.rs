use std::sync::Arc;

use super::kinds::{self, Kind, ReferenceField, Scope, Use};
use super::{FIELD_MANAGER, concerns_plural};
use crate::object::{
    Code, Condition, Diagnostic, Interest, Metadata, Node, NodeKind, Place, Pos, Ref, Severity, condition,
};

const INTEREST: Interest =
    Interest { keep: concerns_plural, seconds: |_| false, sensitive: |_| false, manager: FIELD_MANAGER };

/// What of an object of the Plural Console is kept when its tree is dropped: less than a kilobyte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// What it is called. A namespace that plays no part, as the kind belongs to the whole cluster, is left out.
    pub reference: Ref,
    /// Where it stands.
    pub place: Place,
    /// Annotations of the family, finalizers, deletion …
    pub metadata: Metadata,
    /// What this version knows of the kind; `None` for a kind that is unknown to it.
    pub kind: Option<&'static Kind>,
    /// The namespace that the manifest names although the kind belongs to the whole cluster.
    pub ignored_namespace: Option<String>,
    /// The value that it is looked up by, where it stands in the spec (an empty one included).
    pub lookup: Field<String>,
    /// `spec.reconciliation`, CRD defaults not yet applied.
    pub reconciliation: Reconciliation,
    /// What it refers to, in the order of the controller's fields.
    pub references: Vec<Reference>,
    /// References that are there and name nothing.
    pub nameless: Vec<Reference>,
    /// Users (by e-mail) and groups (by name) that bindings name and that are looked up in the Console.
    pub identities: Vec<Identity>,
    /// What else of the spec decides about something.
    pub details: Details,
    /// Its status, if it has one.
    pub status: Option<Box<Status>>,
}

/// A field that a CRD default fills.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field<T> {
    /// Not in the manifest, or null.
    Absent,
    /// As the manifest says.
    Given(T, Pos),
    /// Of a type that the API server refuses.
    Refused(Pos),
}

impl Field<String> {
    /// The text that the manifest gives, an empty one included.
    pub fn text(&self) -> Option<&str> {
        match self {
            Field::Given(text, _) => Some(text),
            Field::Absent | Field::Refused(_) => None,
        }
    }
}

/// `spec.reconciliation` as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reconciliation {
    /// Whether the block is there: only then does the API server fill its defaults.
    pub present: bool,
    /// `driftDetection`.
    pub drift_detection: Field<bool>,
    /// `interval`.
    pub interval: Field<String>,
}

/// What an object refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// The field of the controller.
    pub field: &'static ReferenceField,
    /// Where in a list it stands.
    pub index: Option<usize>,
    /// The namespace that it names, if it names one and the target is not known to belong to the whole cluster.
    pub namespace: Option<String>,
    /// The name, URL or handle; empty where a reference has no name.
    pub name: String,
    /// Where it stands.
    pub pos: Pos,
}

/// A user or a group that is looked up in the Console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Whether it is a group; a user otherwise.
    pub group: bool,
    /// The group's name, or the user's e-mail.
    pub name: String,
    /// The field that names it first.
    pub field: String,
    /// Where it stands.
    pub pos: Pos,
}

/// What of single kinds' specs decides about something.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details {
    /// `spec.detach`.
    pub detach: bool,
    /// Whether `spec.scopes` of a ServiceAccount holds any.
    pub scopes: bool,
    /// Whether `spec.tokenSecretRef` is there.
    pub token_secret: bool,
    /// Whether both `configMapRef` and `configMapRefs` of a ServiceContext are there.
    pub both_config_maps: bool,
    /// `spec.type`, of a NotificationSink.
    pub sink_type: Option<String>,
}

/// What of a status is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// `status.id`, unless it is empty.
    pub id: Option<String>,
    /// Whether `status.sha` is there and not empty.
    pub sha: bool,
    /// The condition `Readonly`: `None` when there is none, or when it is neither True nor False.
    pub readonly: Option<bool>,
    /// The condition `Ready`.
    pub ready: Option<Condition>,
    /// The condition `Synchronized`.
    pub synchronized: Option<Condition>,
    /// `status.health` of a GitRepository.
    pub health: Option<String>,
}

impl Facts {
    /// Reads the facts of the object at `root`, whose apiVersion and kind are given because a typed list may have
    /// told them. `default_namespace` is for namespaced objects that name none.
    pub fn read(
        root: Node<'_>,
        api_version: &str,
        kind_name: &str,
        file: &Arc<str>,
        default_namespace: Option<&str>,
    ) -> Facts {
        let kind = kinds::kind(kind_name);
        let clusterwide = kind.is_some_and(|kind| kind.scope == Some(Scope::Cluster));
        let name = |field| {
            let text = root.at(&["metadata", field]).and_then(Node::scalar).map(|scalar| scalar.text.to_owned());
            text.filter(|text| !text.is_empty())
        };
        let written = name("namespace");
        let (namespace, ignored_namespace) = match clusterwide {
            true => (None, written),
            false => (written.or_else(|| default_namespace.map(str::to_owned)), None),
        };
        let reference =
            Ref { api_version: api_version.to_owned(), kind: kind_name.to_owned(), namespace, name: name("name") };
        let mut metadata = Metadata::read(root, file, &INTEREST);
        let mut reader = Reader { root, file, known: kind.is_some(), problems: &mut metadata.problems };
        reader.required(kind);
        let path = kind.and_then(|kind| kind.lookup);
        let lookup = path.map_or(Field::Absent, |path| reader.text(path, "put it into quotes"));
        let reconciliation = reader.reconciliation();
        let (references, nameless): (Vec<Reference>, Vec<Reference>) =
            reader.references(kind_name).into_iter().partition(|reference| !reference.name.is_empty());
        let identities = reader.identities(kind_name);
        let details = reader.details();
        let status = root.get("status").filter(|status| status.entries().next().is_some()).map(|_| Status::read(root));
        Facts {
            place: Place::new(file, root.pos()),
            reference,
            metadata,
            kind,
            ignored_namespace,
            lookup,
            reconciliation,
            references,
            nameless,
            identities,
            details,
            status: status.map(Box::new),
        }
    }

    /// The value by which it is looked up, and the path that it comes from: `spec.name`, `metadata.name`, `status.id` …
    pub fn identity(&self) -> Option<(&str, &'static str)> {
        let kind = self.kind?;
        let path = kind.lookup?;
        if path == "status.id" {
            let id = self.status.as_ref()?.id.as_deref()?;
            return Some((id, path));
        }
        match (self.lookup.text(), kind.fallback) {
            (Some(text), None) => Some((text, path)),
            (Some(text), Some(_)) if !text.is_empty() => Some((text, path)),
            (_, Some("metadata.name")) => Some((self.reference.name.as_deref()?, "metadata.name")),
            _ => None,
        }
    }

    /// The references that count: without those that another field overrides (pluralsh/console,
    /// prautomation_attributes.go, 14b8d754).
    pub fn used_references(&self) -> impl Iterator<Item = &Reference> {
        self.used(&self.references)
    }

    /// The same, and those that name nothing, which is never there.
    pub fn all_references(&self) -> impl Iterator<Item = &Reference> {
        self.used(&self.references).chain(self.used(&self.nameless))
    }

    fn used<'a>(&'a self, references: &'a [Reference]) -> impl Iterator<Item = &'a Reference> {
        references.iter().filter(|reference| {
            let by = match reference.field.path {
                "spec.clusterRef" => "spec.cluster",
                "spec.repositoryRef" => "spec.git.url",
                _ => return true,
            };
            !self.references.iter().any(|other| other.field.path == by)
        })
    }

    /// Whether the kind's own finalizer is on the object.
    pub fn has_finalizer(&self) -> bool {
        let own = self.kind.and_then(|kind| kind.finalizer);
        own.is_some_and(|own| self.metadata.finalizers.iter().any(|finalizer| finalizer == own))
    }

    /// Whether its bindings are not sent: those of a NotificationSink of another type than `PLURAL`.
    pub fn leaves_bindings_out(&self) -> bool {
        self.reference.kind == "NotificationSink"
            && self.details.sink_type.as_deref().is_some_and(|sink| sink != "PLURAL")
    }

    /// Whether another finalizer than the kind's own is on the object.
    pub fn has_foreign_finalizer(&self) -> bool {
        let own = self.kind.and_then(|kind| kind.finalizer);
        self.metadata.finalizers.iter().any(|finalizer| Some(finalizer.as_str()) != own)
    }
}

impl Status {
    fn read(root: Node<'_>) -> Status {
        let text = |field| {
            let text = root.at(&["status", field]).and_then(Node::str);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        Status {
            id: text("id"),
            sha: text("sha").is_some(),
            readonly: condition(root, "Readonly").and_then(|condition| match condition.status.as_str() {
                "True" => Some(true),
                "False" => Some(false),
                _ => None,
            }),
            ready: condition(root, "Ready"),
            synchronized: condition(root, "Synchronized"),
            health: text("health"),
        }
    }
}

/// The lists of bindings of a kind: the API server drops any other, so nobody in it is looked up.
fn binding_lists(kind: &str) -> &'static [&'static str] {
    match kind {
        "Project" => &["spec.bindings.read", "spec.bindings.write"],
        "Catalog" => &["spec.bindings.read", "spec.bindings.write", "spec.bindings.create"],
        "NotificationSink" => &["spec.bindings"],
        "ServiceAccount" => &["spec.assumeBindings"],
        "PrAutomation" => &["spec.bindings.write", "spec.bindings.create"],
        _ => &[],
    }
}

struct Reader<'r> {
    root: Node<'r>,
    file: &'r Arc<str>,
    /// Whether the kind is known: of another one nobody can say what the API server refuses.
    known: bool,
    problems: &'r mut Vec<Diagnostic>,
}

impl<'r> Reader<'r> {
    fn at(&self, path: &str) -> Option<Node<'r>> {
        path.split('.').try_fold(self.root, |node, key| node.get(key)).filter(|node| !node.is_null())
    }

    /// A text at a path; one of another type is complained about.
    fn text(&mut self, path: &str, fix: &str) -> Field<String> {
        let Some(node) = self.at(path) else { return Field::Absent };
        match node.str() {
            Some(text) => Field::Given(text.to_owned(), node.pos()),
            None => {
                self.refused(node, path, "a string", fix);
                Field::Refused(node.pos())
            }
        }
    }

    fn refused(&mut self, node: Node<'_>, path: &str, wanted: &str, fix: &str) {
        if !self.known {
            return;
        }
        let message = format!("{path} is not {wanted}, so the API server refuses the object");
        let problem = Diagnostic::new(Code::RefusedField, Severity::Error, Place::new(self.file, node.pos()), message);
        self.problems.push(problem.with_fix(fix));
    }

    fn required(&mut self, kind: Option<&Kind>) {
        let Some(path) = kind.and_then(|kind| kind.required) else { return };
        if self.at(path).is_none() {
            let at = self.at("spec").unwrap_or(self.root).pos();
            let message = format!("{path} is missing: the CRD requires it, so the API server refuses the object");
            self.problems.push(Diagnostic::new(
                Code::MissingField,
                Severity::Error,
                Place::new(self.file, at),
                message,
            ));
        }
    }

    fn reconciliation(&mut self) -> Reconciliation {
        let path = "spec.reconciliation";
        let mut found = Reconciliation { present: false, drift_detection: Field::Absent, interval: Field::Absent };
        let Some(block) = self.at(path) else { return found };
        if block.kind() != NodeKind::Mapping {
            self.refused(block, path, "a mapping", "write it as a block with driftDetection and interval");
            return found;
        }
        found.present = true;
        if let Some(node) = block.get("driftDetection").filter(|node| !node.is_null()) {
            found.drift_detection = match node.bool() {
                Some(value) => Field::Given(value, node.pos()),
                None => {
                    self.refused(
                        node,
                        "spec.reconciliation.driftDetection",
                        "a boolean",
                        "write true or false without quotes",
                    );
                    Field::Refused(node.pos())
                }
            };
        }
        found.interval = self.text("spec.reconciliation.interval", "write a Go duration such as 30m");
        found
    }

    fn references(&mut self, kind: &str) -> Vec<Reference> {
        let mut references = Vec::new();
        for field in kinds::reference_fields(kind) {
            let path = field.path.trim_end_matches("[]");
            let Some(node) = self.at(path) else { continue };
            if path.len() == field.path.len() {
                references.extend(self.reference(field, None, node));
                continue;
            }
            for (index, item) in node.items().enumerate() {
                references.extend(self.reference(field, Some(index), item));
            }
        }
        references
    }

    fn reference(&self, field: &'static ReferenceField, index: Option<usize>, node: Node<'_>) -> Option<Reference> {
        let text = |node: Node<'_>| node.str().filter(|text| !text.is_empty()).map(str::to_owned);
        let name_node = match field.usage {
            Use::Console => node,
            _ if node.kind() != NodeKind::Mapping => return None,
            _ => node.get("name").unwrap_or(node),
        };
        // A reference without a name is one to the name "", which is never there; a direct name that is empty is none.
        let name = match field.usage {
            Use::Console => text(name_node)?,
            _ => text(name_node).unwrap_or_default(),
        };
        let clusterwide = kinds::kind(field.target).is_some_and(|kind| kind.scope == Some(Scope::Cluster));
        Some(Reference {
            field,
            index,
            namespace: node.get("namespace").and_then(text).filter(|_| !clusterwide),
            name,
            pos: name_node.pos(),
        })
    }

    /// An explicit `UserID` or `groupID` wins over the e-mail and the name, which are then not looked up.
    fn identities(&self, kind: &str) -> Vec<Identity> {
        let mut identities: Vec<Identity> = Vec::new();
        let lists = binding_lists(kind).iter().filter_map(|path| Some((*path, self.at(path)?)));
        let bindings = lists.flat_map(|(path, list)| list.items().enumerate().map(move |item| (path, item)));
        for (path, (index, binding)) in bindings {
            for (id, by, group) in [("UserID", "userEmail", false), ("groupID", "groupName", true)] {
                let has_id = binding.get(id).and_then(Node::str).is_some_and(|id| !id.is_empty());
                let Some(node) = binding.get(by).filter(|_| !has_id) else { continue };
                let Some(name) = node.str().filter(|name| !name.is_empty()) else { continue };
                if !identities.iter().any(|known| known.group == group && known.name == name) {
                    let field = format!("{path}[{index}].{by}");
                    identities.push(Identity { group, name: name.to_owned(), field, pos: node.pos() });
                }
            }
        }
        identities
    }

    fn details(&self) -> Details {
        let filled = |path| self.at(path).is_some_and(|node: Node<'_>| node.items().next().is_some());
        Details {
            detach: self.at("spec.detach").and_then(Node::bool) == Some(true),
            scopes: filled("spec.scopes"),
            token_secret: self.at("spec.tokenSecretRef").is_some(),
            both_config_maps: self.at("spec.configMapRef").is_some() && filled("spec.configMapRefs"),
            sink_type: self.at("spec.type").and_then(Node::str).map(str::to_owned),
        }
    }
}
