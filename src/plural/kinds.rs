use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::decisions::{Action, Confidence, Remote, decision_rows};

/// The kinds of the Plural Console: documented modes (the documentation of August 2026), and of scope, identity and
/// deletion what was read in the controllers (pluralsh/console, go/controller, 2025 and 2026).
const TABLE: &str = include_str!("../../data/console-kinds.csv");
/// What the seven kinds with decision rows refer to (pluralsh/console, the controllers of the seven kinds).
const REFERENCES: &str = include_str!("../../data/console-references.csv");

/// Whether objects of a kind stand in a namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One for the whole cluster: a namespace in the manifest plays no part.
    Cluster,
    /// In a namespace.
    Namespaced,
}

impl Scope {
    /// The word in the table, in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Cluster => "cluster",
            Scope::Namespaced => "namespaced",
        }
    }
}

/// One of the three things a controller may do with what it finds, or does not find, in the Console.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ModeWord {
    /// Creates a remote that is absent.
    Create,
    /// Only takes the id of one that is present.
    ReadOnly,
    /// Takes over one that is present.
    Adopt,
}

impl ModeWord {
    /// All three.
    pub const ALL: [ModeWord; 3] = [ModeWord::Create, ModeWord::ReadOnly, ModeWord::Adopt];

    /// The word on the command line, in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            ModeWord::Create => "create",
            ModeWord::ReadOnly => "read-only",
            ModeWord::Adopt => "adopt",
        }
    }
}

/// When a kind's finalizer is added to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FinalizerWhen {
    /// Before the Console is asked, read-only or not.
    Always,
    /// Before a managed pass writes; a read-only pass takes it away.
    Managed,
    /// Only in the branch that creates.
    Created,
    /// After a successful write.
    Written,
    /// Not read.
    Unknown,
}

/// What deleting an object does to its remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deletes {
    /// As the decision table says.
    ByRow,
    /// Always deletes it.
    Always,
    /// Deletes it by its id; without one it creates a remote, as in any other pass.
    ById,
    /// Never does.
    Never,
    /// Only what the object created: an adopted one has no finalizer.
    CreatedOnly,
    /// Unless the object is read-only.
    UnlessReadOnly,
    /// Detaches it instead with `spec.detach`.
    Detachable,
    /// Deletes or detaches it; what decides was not read.
    OrDetach,
    /// Not read.
    Unknown,
}

impl Deletes {
    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Deletes::ByRow => "by-decision",
            Deletes::Always => "always",
            Deletes::ById => "by-id",
            Deletes::Never => "never",
            Deletes::CreatedOnly => "created-only",
            Deletes::UnlessReadOnly => "unless-read-only",
            Deletes::Detachable => "detachable",
            Deletes::OrDetach => "or-detach",
            Deletes::Unknown => "unknown",
        }
    }
}

/// What a pass returns whose deletion of the remote failed (pluralsh/console, the controllers of the seven kinds, 2025 and
/// 2026; console.md sections 2.3 and 4 to 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailedDelete {
    /// The error: retried with back-off.
    Error,
    /// The periodic requeue, which is none without drift detection.
    Interval,
    /// A requeue after 15 to 45 s.
    Wait,
    /// Not read.
    Unknown,
}

/// When a controller sends an update of what it manages: never because the remote differs, as nothing is compared with
/// the remote (pluralsh/console, the controllers of the seven kinds, 2025 and 2026).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hashed {
    /// When the hash of the spec differs from the stored one.
    Spec,
    /// When the hash of the attributes that it sends differs from the stored one.
    Attributes,
    /// On every pass.
    EveryPass,
    /// Not read.
    Unknown,
}

/// Which copy of a kind's controller was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Copy {
    /// None, or the decision table says.
    None,
    /// One of unknown age.
    Source,
    /// An old one: the released controller may differ.
    Old,
    /// A recent one.
    New,
}

/// A kind of the Plural Console.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The name that its CRD has.
    pub name: &'static str,
    /// The documentation's spelling, where it differs.
    pub documented_as: Option<&'static str>,
    /// Whether the documentation says that an absent remote is created.
    pub create: bool,
    /// Whether it names a read-only mode.
    pub read_only: bool,
    /// Whether it names adoption.
    pub adopt: bool,
    /// Its scope, where known.
    pub scope: Option<Scope>,
    /// What identifies it in the Console: `name`, `url`, `email` …, where known.
    pub field: Option<&'static str>,
    /// The path of the value that it is looked up by, where known.
    pub lookup: Option<&'static str>,
    /// Where the value comes from if that is not set or empty.
    pub fallback: Option<&'static str>,
    /// The field of the Console's API by which it is looked up, where known.
    pub query: Option<&'static str>,
    /// The controller's own finalizer, where there is one and it is known.
    pub finalizer: Option<&'static str>,
    /// When that is added.
    pub finalizer_when: FinalizerWhen,
    /// What deletion does.
    pub deletes: Deletes,
    /// What a pass returns whose deletion failed.
    pub failed_delete: FailedDelete,
    /// Whether the pass that deletes the remote leaves the finalizer to the next one, which the periodic requeue brings.
    pub deletes_in_two_passes: bool,
    /// A field of the spec that the CRD requires, besides others.
    pub required: Option<&'static str>,
    /// When an update is sent.
    pub hashed: Hashed,
    /// Which copy of its controller was read.
    pub copy: Copy,
    /// A clause about the controller that was read, or empty.
    pub note: &'static str,
}

impl Kind {
    /// Whether the decision table speaks of it.
    pub fn has_decisions(&self) -> bool {
        self.deletes == Deletes::ByRow
    }

    /// Whether it is known that the controller adds no finalizer.
    pub fn has_no_finalizer(&self) -> bool {
        self.finalizer.is_none() && (self.has_decisions() || self.deletes == Deletes::Never)
    }

    /// What deleting an object may come to for a remote that is present: `delete`, `keep`, `detach` or `error`; nothing
    /// where it is not known. With decision rows, what the released controller does in one situation or another.
    pub fn deletion_outcomes(&self) -> Vec<&'static str> {
        match self.deletes {
            // Nobody sees the deletion (pluralsh/console, service_account_controller.go).
            Deletes::ByRow if self.finalizer.is_none() => vec!["keep"],
            Deletes::ByRow => {
                let decided = decision_rows()
                    .iter()
                    .filter(|row| row.kind == self.name && row.deleting && row.remote == Remote::Present)
                    .map(|row| row.decision.in_cluster);
                let found: BTreeSet<Action> = decided.collect();
                found.into_iter().map(Action::as_str).collect()
            }
            Deletes::Always | Deletes::ById => vec!["delete"],
            Deletes::Never => vec!["keep"],
            Deletes::CreatedOnly | Deletes::UnlessReadOnly => vec!["delete", "keep"],
            Deletes::Detachable | Deletes::OrDetach => vec!["delete", "detach"],
            Deletes::Unknown => Vec::new(),
        }
    }

    /// How it is known what the released controller does, the surest first: what its decision rows say, or the
    /// documentation alone.
    pub fn confidence(&self) -> Vec<Confidence> {
        if !self.has_decisions() {
            return vec![Confidence::DocumentedOnly];
        }
        let said = decision_rows().iter().filter(|row| row.kind == self.name).map(|row| row.decision.confidence);
        said.collect::<BTreeSet<Confidence>>().into_iter().collect()
    }

    /// Whether the documentation names a mode for it.
    pub fn has_mode(&self, mode: ModeWord) -> bool {
        match mode {
            ModeWord::Create => self.create,
            ModeWord::ReadOnly => self.read_only,
            ModeWord::Adopt => self.adopt,
        }
    }

    /// Whether `name` is this kind: its CRD's name, or the documentation's spelling, in whatever case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
            || self.documented_as.is_some_and(|spelling| spelling.eq_ignore_ascii_case(name))
    }

    fn parse(line: &'static str) -> Option<Kind> {
        let columns: Vec<&'static str> = line.split(',').collect();
        let [
            name,
            documented_as,
            create,
            read_only,
            adopt,
            scope,
            field,
            lookup,
            fallback,
            query,
            finalizer,
            finalizer_when,
            deletes,
            failed_delete,
            required,
            hashed,
            copy,
            note,
        ] = columns.try_into().ok()?;
        let given = |text: &'static str| Some(text).filter(|text| !text.is_empty());
        let yes = |word: &str| match word {
            "y" => Some(true),
            "n" => Some(false),
            _ => None,
        };
        Some(Kind {
            name,
            documented_as: given(documented_as),
            create: yes(create)?,
            read_only: yes(read_only)?,
            adopt: yes(adopt)?,
            scope: match scope {
                "" => None,
                "cluster" => Some(Scope::Cluster),
                "namespaced" => Some(Scope::Namespaced),
                _ => return None,
            },
            field: given(field),
            lookup: given(lookup),
            fallback: given(fallback),
            query: given(query),
            finalizer: given(finalizer),
            finalizer_when: match finalizer_when {
                "" => FinalizerWhen::Unknown,
                "always" => FinalizerWhen::Always,
                "managed" => FinalizerWhen::Managed,
                "created" => FinalizerWhen::Created,
                "written" => FinalizerWhen::Written,
                _ => return None,
            },
            deletes: match deletes {
                "" => Deletes::Unknown,
                "by-row" => Deletes::ByRow,
                "always" => Deletes::Always,
                "by-id" => Deletes::ById,
                "never" => Deletes::Never,
                "created-only" => Deletes::CreatedOnly,
                "unless-read-only" => Deletes::UnlessReadOnly,
                "detachable" => Deletes::Detachable,
                "or-detach" => Deletes::OrDetach,
                _ => return None,
            },
            failed_delete: match failed_delete {
                "" => FailedDelete::Unknown,
                "error" | "error-twice" => FailedDelete::Error,
                "interval" => FailedDelete::Interval,
                "wait" => FailedDelete::Wait,
                _ => return None,
            },
            deletes_in_two_passes: failed_delete == "error-twice",
            required: given(required),
            hashed: match hashed {
                "" => Hashed::Unknown,
                "spec" => Hashed::Spec,
                "attributes" => Hashed::Attributes,
                "every-pass" => Hashed::EveryPass,
                _ => return None,
            },
            copy: match copy {
                "" => Copy::None,
                "source" => Copy::Source,
                "old" => Copy::Old,
                "new" => Copy::New,
                _ => return None,
            },
            note,
        })
    }
}

/// All kinds, those with decision rows first, then the others by name.
pub fn kinds() -> &'static [Kind] {
    static KINDS: OnceLock<Vec<Kind>> = OnceLock::new();
    KINDS.get_or_init(|| TABLE.lines().skip(1).filter_map(Kind::parse).collect())
}

/// The kind whose CRD has this very name; `None` for kinds that are unknown to this version.
pub fn kind(name: &str) -> Option<&'static Kind> {
    kinds().iter().find(|kind| kind.name == name)
}

/// What happens when something that a pass needs is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IfMissing {
    /// The pass ends and comes again after 15 to 45 s.
    Wait,
    /// The pass ends in an error: the work queue's back-off.
    Error,
    /// The mutation is sent without it.
    SentWithout,
    /// Nothing is waited for.
    Nothing,
}

/// How something referred to is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Use {
    /// An object whose `status.id` is needed.
    Id,
    /// A Secret or ConfigMap that is read.
    Read,
    /// A Secret that is written.
    Written,
    /// Something that is looked up in the Console.
    Console,
}

/// A field of a kind by which it refers to something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReferenceField {
    /// The kind that has the field.
    pub kind: &'static str,
    /// The path of the field; a list's ends in `[]`.
    pub path: &'static str,
    /// The kind that it refers to.
    pub target: &'static str,
    /// What happens when the target is missing.
    pub missing: IfMissing,
    /// What happens when it has no `status.id` yet.
    pub without_id: IfMissing,
    /// How it is used.
    pub usage: Use,
}

impl ReferenceField {
    fn parse(line: &'static str) -> Option<ReferenceField> {
        let columns: Vec<&'static str> = line.split(',').collect();
        let [kind, path, target, missing, without_id, usage] = columns.try_into().ok()?;
        let lack = |word: &str| match word {
            "wait" => Some(IfMissing::Wait),
            "error" => Some(IfMissing::Error),
            "sent" => Some(IfMissing::SentWithout),
            "" => Some(IfMissing::Nothing),
            _ => None,
        };
        let (missing, without_id) = (lack(missing)?, lack(without_id)?);
        let usage = match usage {
            "" => Use::Id,
            "read" => Use::Read,
            "written" => Use::Written,
            "console" => Use::Console,
            _ => return None,
        };
        Some(ReferenceField { kind, path, target, missing, without_id, usage })
    }
}

/// The fields by which objects of `kind` refer to others, in the order of the data file.
pub fn reference_fields(kind: &str) -> impl Iterator<Item = &'static ReferenceField> {
    static FIELDS: OnceLock<Vec<ReferenceField>> = OnceLock::new();
    let fields = FIELDS.get_or_init(|| REFERENCES.lines().skip(1).filter_map(ReferenceField::parse).collect());
    fields.iter().filter(move |field| field.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_data_files_is_read() {
        let unread: Vec<_> = TABLE.lines().skip(1).filter(|line| Kind::parse(line).is_none()).collect();
        assert!(unread.is_empty(), "{unread:?}");
        let unread: Vec<_> = REFERENCES.lines().skip(1).filter(|line| ReferenceField::parse(line).is_none()).collect();
        assert!(unread.is_empty(), "{unread:?}");
        assert_eq!(kinds().len(), 40);
    }

    #[test]
    fn kinds_are_listed_once_and_the_seven_with_decisions_come_first() {
        let names: Vec<_> = kinds().iter().map(|kind| kind.name).collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
        let with_rows: Vec<_> = kinds().iter().filter(|kind| kind.has_decisions()).map(|kind| kind.name).collect();
        assert_eq!(with_rows, names[..7]);
    }

    #[test]
    fn a_kind_is_called_by_its_crds_name_or_the_documentations_spelling() {
        let called = |name: &str| kinds().iter().find(|kind| kind.is_called(name)).map(|kind| kind.name);
        assert_eq!(called("PRAutomation"), Some("PrAutomation"));
        assert_eq!(called("SCMConnection"), Some("ScmConnection"));
        assert_eq!(called("scmconnection"), Some("ScmConnection"));
        assert_eq!(called("Policy"), None);
        assert_eq!(kind("PRAutomation"), None, "manifests are judged by the CRD's name");
    }
}
