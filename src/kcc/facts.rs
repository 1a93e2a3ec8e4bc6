use std::sync::Arc;

use super::context::Settings;
use super::{CONTEXT_NAME, CORE_GROUP, CUSTOMIZE_GROUP, FIELD_MANAGER, concerns_kcc, is_seconds_key, is_sensitive_key};
use crate::object::{
    Code, Condition, Diagnostic, Interest, Metadata, Node, Place, Ref, Severity, condition, condition_status,
};

/// The fields of a spec that send an object to the direct controller whatever the table says, by kind
/// (Config Connector, pkg/controller/parent, 1.135.0 to main). A field counts when it is there and not null; an empty
/// `labels: {}` counts too.
const SPEC_RULES: [(&str, &[&str]); 5] = [
    ("BigQueryTable", &["spec.labels"]),
    ("ComputeForwardingRule", &["spec.target.googleAPIsBundle"]),
    // Upstream compares the location with "global" by pointer, which is never equal: any location counts.
    ("ComputeTargetTCPProxy", &["spec.location"]),
    ("SecretManagerSecret", &["spec.labels"]),
    ("SpannerInstance", &["spec.defaultBackupScheduleType", "spec.labels", "spec.edition", "spec.autoscalingConfig"]),
];

const INTEREST: Interest =
    Interest { keep: concerns_kcc, seconds: is_seconds_key, sensitive: is_sensitive_key, manager: FIELD_MANAGER };

/// What of an object of Config Connector is kept when its tree is dropped: about a kilobyte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// What it is called.
    pub reference: Ref,
    /// Where it stands.
    pub place: Place,
    /// Annotations of the family, generation, finalizers …
    pub metadata: Metadata,
    /// The field of its spec that asks for the direct controller, and where it stands.
    pub spec_rule: Option<(&'static str, Place)>,
    /// Its status, if it has one.
    pub status: Option<Box<Status>>,
    /// What it says about other objects' controllers, if it is a ConfigConnector or a ConfigConnectorContext.
    pub settings: Option<Box<Settings>>,
}

/// What of a status is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// `status.observedGeneration`.
    pub observed_generation: Option<i64>,
    /// The condition `Ready`.
    pub ready: Option<Condition>,
    /// Whether any condition is True with reason UpToDate, which is what the skip under interval 0 looks for.
    pub up_to_date: bool,
}

impl Facts {
    /// Reads the facts of the object at `root`, whose apiVersion and kind are given because a typed list may have
    /// told them. `default_namespace` is for objects that name none.
    pub fn read(
        root: Node<'_>,
        api_version: &str,
        kind: &str,
        file: &Arc<str>,
        default_namespace: Option<&str>,
    ) -> Facts {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        // ConfigConnector and most of what tunes its pods belong to the whole cluster.
        let clusterwide = (group == CORE_GROUP && kind != "ConfigConnectorContext")
            || (group == CUSTOMIZE_GROUP && !kind.starts_with("Namespaced"));
        let default_namespace = default_namespace.filter(|_| !clusterwide);
        let name = |field| root.at(&["metadata", field]).and_then(Node::scalar).map(|scalar| scalar.text.to_owned());
        let namespace = name("namespace").filter(|namespace| !namespace.is_empty());
        let reference = Ref {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            namespace: namespace.or_else(|| default_namespace.map(str::to_owned)),
            name: name("name").filter(|name| !name.is_empty()),
        };
        let settings = (reference.group() == CORE_GROUP
            && (kind == "ConfigConnector"
                || (kind == "ConfigConnectorContext" && reference.name.as_deref() == Some(CONTEXT_NAME))))
        .then(|| Box::new(Settings::read(root)));
        let status =
            root.get("status").filter(|status| status.entries().next().is_some()).map(|_| Box::new(Status::read(root)));
        let mut metadata = Metadata::read(root, file, &INTEREST);
        metadata.problems.extend(unreadable_time(root, status.as_deref(), file));
        Facts {
            metadata,
            place: Place::new(file, root.pos()),
            spec_rule: spec_rule(root, kind, file),
            status,
            settings,
            reference,
        }
    }
}

impl Status {
    fn read(root: Node<'_>) -> Status {
        let conditions = root.at(&["status", "conditions"]);
        Status {
            observed_generation: root.at(&["status", "observedGeneration"]).and_then(Node::int),
            ready: condition(root, "Ready"),
            up_to_date: conditions.into_iter().flat_map(Node::items).any(|item| {
                condition_status(item) == "True" && item.get("reason").and_then(Node::str) == Some("UpToDate")
            }),
        }
    }
}

/// A `lastTransitionTime` of Ready that is there and no time: nothing can be told of a streak then.
fn unreadable_time(root: Node<'_>, status: Option<&Status>, file: &Arc<str>) -> Option<Diagnostic> {
    let ready = status?.ready.as_ref().filter(|ready| ready.since.is_none())?;
    let conditions = root.at(&["status", "conditions"])?;
    let time = conditions.items().find(|item| item.pos() == ready.pos)?.get("lastTransitionTime")?;
    let message = "lastTransitionTime of Ready is not a time such as 2026-11-30T03:12:00Z";
    Some(Diagnostic::new(Code::UnreadableField, Severity::Warning, Place::new(file, time.pos()), message))
}

fn spec_rule(root: Node<'_>, kind: &str, file: &Arc<str>) -> Option<(&'static str, Place)> {
    let (_, paths) = SPEC_RULES.iter().find(|rule| rule.0 == kind)?;
    paths.iter().find_map(|path| {
        let node = path.split('.').try_fold(root, |node, key| node.get(key)).filter(|node| !node.is_null())?;
        Some((*path, Place::new(file, node.pos())))
    })
}
