use std::fmt;
use std::sync::OnceLock;

/// What one pass decides, by kind and situation (pluralsh/console, go/controller, 2025 and 2026; the documentation of
/// August 2026). Column `in_cluster` is the released controller's, `documented` the documentation's.
const TABLE: &str = include_str!("../../data/console-decisions.csv");

/// What the Console holds under an object's identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Remote {
    /// The look-up found nothing.
    Absent,
    /// The look-up found it.
    Present,
    /// The look-up failed, or was refused: never the same as absent.
    Unreachable,
}

impl Remote {
    /// All three, in the order of the table.
    pub const ALL: [Remote; 3] = [Remote::Absent, Remote::Present, Remote::Unreachable];

    /// The word in the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Remote::Absent => "absent",
            Remote::Present => "present",
            Remote::Unreachable => "unreachable",
        }
    }
}

/// What a pass does with an object: the words of the decision table, and `unknown` for what it does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Creates the remote.
    Create,
    /// Changes the remote.
    Update,
    /// Links the existing remote by its id and brings it in line with the spec; without a mutation it only links it.
    Adopt,
    /// Managed: changes the remote if something differs, else nothing.
    InSyncOrUpdate,
    /// Takes the id, changes nothing remotely.
    ReadOnly,
    /// Deletes the remote.
    Delete,
    /// A deletion that sends nothing.
    Keep,
    /// A precondition is missing: nothing is sent.
    Wait,
    /// A look-up or its use failed: nothing is sent.
    Error,
    /// Nothing is sent because of something that the table does not show, such as two inputs for one remote.
    Refuse,
    /// Not known.
    Unknown,
}

impl Action {
    const ALL: [Action; 11] = [
        Action::Create,
        Action::Update,
        Action::Adopt,
        Action::InSyncOrUpdate,
        Action::ReadOnly,
        Action::Delete,
        Action::Keep,
        Action::Wait,
        Action::Error,
        Action::Refuse,
        Action::Unknown,
    ];

    /// The word in the table, in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Create => "create",
            Action::Update => "update",
            Action::Adopt => "adopt",
            Action::InSyncOrUpdate => "in-sync-or-update",
            Action::ReadOnly => "read-only",
            Action::Delete => "delete",
            Action::Keep => "keep",
            Action::Wait => "wait",
            Action::Error => "error",
            Action::Refuse => "refuse",
            Action::Unknown => "unknown",
        }
    }

    fn parse(word: &str) -> Option<Action> {
        Action::ALL.into_iter().find(|action| action.as_str() == word)
    }

    /// Whether the remote is the object's own after this: created, taken over or kept in line.
    pub fn manages(self) -> bool {
        matches!(self, Action::Create | Action::Update | Action::Adopt | Action::InSyncOrUpdate)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a pass of the controller returns if all that it sends succeeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Returns {
    /// A requeue by `spec.reconciliation`.
    Interval,
    /// A requeue after 15 to 45 s.
    Wait,
    /// Nothing: it is not looked at again until something wakes it.
    Nothing,
    /// An error: the work queue's back-off.
    Error,
}

impl Returns {
    /// The word in the table.
    pub fn as_str(self) -> &'static str {
        match self {
            Returns::Interval => "interval",
            Returns::Wait => "wait",
            Returns::Nothing => "none",
            Returns::Error => "error",
        }
    }

    fn parse(word: &str) -> Option<Returns> {
        [Returns::Interval, Returns::Wait, Returns::Nothing, Returns::Error]
            .into_iter()
            .find(|returns| returns.as_str() == word)
    }
}

/// How it is known what the released controller does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Read in its code.
    Source,
    /// Derived from the code of a sibling, or from older code.
    Inferred,
    /// No code was found: only the documentation says so.
    DocumentedOnly,
}

impl Confidence {
    /// The word in the table, in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Source => "source",
            Confidence::Inferred => "inferred",
            Confidence::DocumentedOnly => "documented-only",
        }
    }

    fn parse(word: &str) -> Option<Confidence> {
        [Confidence::Source, Confidence::Inferred, Confidence::DocumentedOnly]
            .into_iter()
            .find(|confidence| confidence.as_str() == word)
    }
}

/// Everything that one pass decides by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Situation {
    /// What the Console holds.
    pub remote: Remote,
    /// Whether `status.id` is set.
    pub id_set: bool,
    /// The condition `Readonly`; `None` when there is none.
    pub readonly: Option<bool>,
    /// Whether the kind's own finalizer is on the object.
    pub finalizer: bool,
    /// The effective `driftDetection`, CRD defaults applied.
    pub drift_detection: bool,
    /// Whether `metadata.deletionTimestamp` is set.
    pub deleting: bool,
    /// Whether this is a NotificationSink whose `spec.name` is absent, so that it is managed before anything is looked up,
    /// or empty, so that the look-up of `""` presumably finds nothing: both as if it had the finalizer (pluralsh/console,
    /// notificationsink_controller.go, 02fdfd37).
    pub unnamed_sink: bool,
}

/// What one pass decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// What the documentation says.
    pub documented: Action,
    /// What the released controller does.
    pub in_cluster: Action,
    /// The mutation that it sends; for `in-sync-or-update` only if the stored hash differs.
    pub mutation: Option<&'static str>,
    /// What its pass returns.
    pub returns: Returns,
    /// How the controller's part is known.
    pub confidence: Confidence,
    /// A clause on top, or empty.
    pub note: &'static str,
}

/// A row of the decision table; `None` in a condition stands for every value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionRow {
    /// The kind.
    pub kind: &'static str,
    /// What the Console holds.
    pub remote: Remote,
    /// Whether `status.id` is set.
    pub id_set: Option<bool>,
    /// The condition `Readonly`, `Some(None)` where there must be none.
    pub readonly: Option<Option<bool>>,
    /// Whether the kind's own finalizer is there.
    pub finalizer: Option<bool>,
    /// The effective `driftDetection`.
    pub drift_detection: Option<bool>,
    /// Whether the object is being deleted.
    pub deleting: bool,
    /// What is decided.
    pub decision: Decision,
}

impl DecisionRow {
    fn parse(line: &'static str) -> Option<DecisionRow> {
        let columns: Vec<&'static str> = line.split(',').collect();
        let [
            kind,
            remote,
            id,
            readonly,
            finalizer,
            drift,
            deleting,
            documented,
            in_cluster,
            mutation,
            returns,
            confidence,
            note,
        ] = columns.try_into().ok()?;
        let either = |word: &str, yes: &str, no: &str| match word {
            "any" => Some(None),
            word if word == yes => Some(Some(true)),
            word if word == no => Some(Some(false)),
            _ => None,
        };
        Some(DecisionRow {
            kind,
            remote: Remote::ALL.into_iter().find(|known| known.as_str() == remote)?,
            id_set: either(id, "set", "empty")?,
            readonly: match readonly {
                "any" => None,
                "none" => Some(None),
                "true" => Some(Some(true)),
                "false" => Some(Some(false)),
                _ => return None,
            },
            finalizer: either(finalizer, "ours", "none")?,
            drift_detection: either(drift, "true", "false")?,
            deleting: either(deleting, "yes", "no")??,
            decision: Decision {
                documented: Action::parse(documented)?,
                in_cluster: Action::parse(in_cluster)?,
                mutation: Some(mutation).filter(|mutation| !mutation.is_empty()),
                returns: Returns::parse(returns)?,
                confidence: Confidence::parse(confidence)?,
                note,
            },
        })
    }

    /// Whether the row speaks of this situation.
    pub fn matches(&self, situation: &Situation) -> bool {
        self.remote == situation.remote
            && self.id_set.is_none_or(|set| set == situation.id_set)
            && self.readonly.is_none_or(|readonly| readonly == situation.readonly)
            && self.finalizer.is_none_or(|finalizer| finalizer == situation.finalizer)
            && self.drift_detection.is_none_or(|drift| drift == situation.drift_detection)
            && self.deleting == situation.deleting
    }
}

/// All rows of the decision table, in the order of the data file.
pub fn decision_rows() -> &'static [DecisionRow] {
    static ROWS: OnceLock<Vec<DecisionRow>> = OnceLock::new();
    ROWS.get_or_init(|| TABLE.lines().skip(1).filter_map(DecisionRow::parse).collect())
}

/// What one pass decides about an object of `kind` in a situation; `None` for kinds without rows.
pub fn decide(kind: &str, situation: &Situation) -> Option<Decision> {
    let row = |situation: &Situation| {
        let row = decision_rows().iter().find(|row| row.kind == kind && row.matches(situation))?;
        Some(row.decision)
    };
    let decision = row(situation)?;
    if !situation.manages_unnamed() {
        return Some(decision);
    }
    // What the documentation promises does not hang on what the controller takes for granted.
    let managed = row(&Situation { finalizer: true, ..*situation })?;
    Some(Decision { documented: decision.documented, ..managed })
}

impl Situation {
    /// Whether the missing name of a sink decides that it is managed: neither condition nor finalizer has done so before.
    pub fn manages_unnamed(&self) -> bool {
        self.unnamed_sink && self.readonly.is_none() && !self.finalizer && !self.deleting
    }

    /// The situation that the next pass meets after one that did `action` with an object of `kind`, if all that it
    /// sent succeeded. What each kind writes: pluralsh/console, the controllers of the seven kinds.
    pub fn after(mut self, kind: &str, action: Action) -> Situation {
        let managed = action.manages();
        if managed && self.remote == Remote::Absent {
            self.remote = Remote::Present;
        }
        if managed || (action == Action::ReadOnly && self.remote == Remote::Present) {
            self.id_set = true;
        }
        match kind {
            // The conditions of a read-only pass are commented out, and there is no finalizer.
            "ServiceAccount" => self.readonly = if managed { Some(false) } else { self.readonly },
            // The condition is never set; the finalizer comes first, read-only or not.
            "PrAutomation" => self.finalizer = true,
            "Catalog" => {
                self.finalizer = true;
                self.set_readonly(action);
            }
            // "Read-only" is what the inverted test makes of an absent remote: the id is cleared.
            "ServiceContext" => {
                self.finalizer = true;
                self.set_readonly(action);
                if action == Action::ReadOnly {
                    self.id_set = false;
                }
            }
            "Project" => {
                self.set_readonly(action);
                if managed || action == Action::ReadOnly {
                    self.finalizer = managed;
                }
            }
            // Only the branch that creates adds the finalizer.
            "GitRepository" => {
                self.set_readonly(action);
                self.finalizer |= action == Action::Create;
            }
            "NotificationSink" => {
                self.set_readonly(action);
                self.finalizer |= managed;
            }
            _ => {}
        }
        self
    }

    fn set_readonly(&mut self, action: Action) {
        if action.manages() || action == Action::ReadOnly {
            self.readonly = Some(action == Action::ReadOnly);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_data_file_is_a_row() {
        let unread: Vec<_> = TABLE.lines().skip(1).filter(|line| DecisionRow::parse(line).is_none()).collect();
        assert!(unread.is_empty(), "{unread:?}");
        assert_eq!(
            TABLE.lines().next(),
            Some(
                "kind,remote,status_id,readonly_condition,finalizer,drift_detection,deleting,documented,in_cluster,\
                 mutation,requeue,confidence,note"
            )
        );
        assert_eq!(decision_rows().len(), 242);
    }

    #[test]
    fn a_line_with_an_unknown_word_or_another_number_of_columns_is_no_row() {
        let good = "Project,absent,any,none,any,true,no,create,create,createProject,interval,source,";
        assert!(DecisionRow::parse(good).is_some());
        for (from, to) in [
            ("absent", "gone"),
            ("any,none", "some,none"),
            (",none,", ",maybe,"),
            (",no,", ",any,"),
            ("create,create,", "make,create,"),
            ("interval", "later"),
            ("source,", "rumour,"),
            ("source,", "source"),
            ("source,", "source,,"),
        ] {
            let bad: &'static str = Box::leak(good.replacen(from, to, 1).into_boxed_str());
            assert_eq!(DecisionRow::parse(bad), None, "{bad}");
        }
    }
}
