use crate::object::{Node, NodeKind, Pos};

/// What a ConfigConnector or ConfigConnectorContext says about the controllers of other objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// `spec.mode` of a ConfigConnector, as written.
    pub mode: Option<String>,
    /// `spec.actuationMode`, as written, and where.
    pub actuation: Option<(String, Pos)>,
    /// `spec.experiments.controllerOverrides`: `Kind.group`, controller, place of the entry.
    pub overrides: Vec<(String, String, Pos)>,
    /// `spec.experiments.resourceSettings`.
    pub resources: ResourceSettings,
}

/// `spec.experiments.resourceSettings`: kinds that get no controller at start-up.
///
/// Two forms were read. A list of `{group, kind, enabled}`, in which only `enabled: false` has an effect (January
/// 2026); and `{mode: exclude|include, resources: [{group, kind}]}`, in which an entry without a kind means the whole
/// group (June 2026). Entries of ConfigConnector and context add up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourceSettings {
    /// Whether the entries are the only kinds that get a controller, instead of those that get none.
    pub include: bool,
    /// Group, kind (`None`: the whole group) and place of each entry.
    pub entries: Vec<(String, Option<String>, Pos)>,
}

impl ResourceSettings {
    /// The place of the entry that names a kind.
    pub fn entry(&self, group: &str, kind: &str) -> Option<Pos> {
        let names = |entry: &&(String, Option<String>, Pos)| {
            entry.0 == group && entry.1.as_deref().is_none_or(|entry| entry == kind)
        };
        self.entries.iter().find(names).map(|entry| entry.2)
    }

    fn read(node: Node<'_>) -> ResourceSettings {
        let text = |node: Node<'_>, key| node.get(key).and_then(Node::str).map(str::to_owned);
        let entry = |item: Node<'_>| Some((text(item, "group")?, text(item, "kind"), item.pos()));
        if node.kind() == NodeKind::Sequence {
            let disabled = node.items().filter(|item| item.get("enabled").and_then(Node::bool) == Some(false));
            return ResourceSettings { include: false, entries: disabled.filter_map(entry).collect() };
        }
        ResourceSettings {
            include: node.get("mode").and_then(Node::str) == Some("include"),
            entries: node.get("resources").into_iter().flat_map(Node::items).filter_map(entry).collect(),
        }
    }
}

impl Settings {
    /// Reads the settings from the root of a ConfigConnector or ConfigConnectorContext.
    pub fn read(root: Node<'_>) -> Settings {
        let Some(spec) = root.get("spec") else { return Settings::default() };
        let experiments = spec.get("experiments");
        let overrides = experiments.and_then(|node| node.get("controllerOverrides"));
        Settings {
            mode: spec.get("mode").and_then(Node::str).map(str::to_owned),
            actuation: spec
                .get("actuationMode")
                .and_then(|node| Some((node.str()?.to_owned(), node.pos())))
                .filter(|(mode, _)| !mode.is_empty()),
            overrides: overrides
                .into_iter()
                .flat_map(Node::entries)
                .filter_map(|entry| Some((entry.key.str()?.to_owned(), entry.value.str()?.to_owned(), entry.key.pos())))
                .collect(),
            resources: experiments
                .and_then(|node| node.get("resourceSettings"))
                .map(ResourceSettings::read)
                .unwrap_or_default(),
        }
    }
}
