/// What a `Ready` condition tells about an object's last reconcile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The last reconcile succeeded.
    UpToDate,
    /// The last reconcile failed; retried by the ladder or halted.
    Failed,
    /// A transformation before or after actuation failed. Whether a ceiling governs such errors outside the main path
    /// of a reconcile is not settled.
    TransformFailed,
    /// Waiting for a dependency.
    Dependency,
    /// Another controller manages the cloud resource.
    Conflict,
    /// Nothing is actuated.
    Paused,
    /// Written once by a separate process because no controller manager watches the namespace; never retried.
    Unmanaged,
    /// An attempt is under way, or the resource is being created.
    InProgress,
    /// Deletion is under way.
    Deleting,
    /// Deleted.
    Deleted,
    /// False with reason UpToDate: a job of Dataflow in a final state, requeued by the drift interval. On other kinds
    /// it means nothing that is known.
    Finished,
    /// A reason that this program does not know.
    Unknown,
}

impl Outcome {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::UpToDate => "up-to-date",
            Outcome::Failed | Outcome::TransformFailed => "error-retry",
            Outcome::Dependency => "dependency-wait",
            Outcome::Conflict => "conflict",
            Outcome::Paused => "paused",
            Outcome::Unmanaged => "unmanaged",
            Outcome::InProgress => "in-progress",
            Outcome::Deleting => "deleting",
            Outcome::Deleted => "deleted",
            Outcome::Finished => "finished",
            Outcome::Unknown => "unknown",
        }
    }

    /// Whether the object is retried on an error ladder in this state.
    pub fn is_failing(self) -> bool {
        matches!(self, Outcome::Failed | Outcome::TransformFailed | Outcome::Dependency | Outcome::Conflict)
    }

    /// Judges a `Ready` condition by its status and reason (Config Connector, pkg/k8s, 1.155.1 and main).
    pub fn of(status: &str, reason: &str) -> Outcome {
        match (status, reason) {
            ("False", "UpToDate") => Outcome::Finished,
            ("True", "UpToDate") => Outcome::UpToDate,
            (_, "UpdateFailed" | "DeleteFailed") => Outcome::Failed,
            (_, "PreActuationTransformFailed" | "PostActuationTransformFailed") => Outcome::TransformFailed,
            (_, "DependencyNotReady" | "DependencyNotFound" | "DependencyInvalid") => Outcome::Dependency,
            (_, "ManagementConflict") => Outcome::Conflict,
            (_, "Paused") => Outcome::Paused,
            (_, "Unmanaged") => Outcome::Unmanaged,
            (_, "Creating" | "Updating") => Outcome::InProgress,
            (_, "Deleting") => Outcome::Deleting,
            (_, "Deleted") => Outcome::Deleted,
            ("True", _) => Outcome::UpToDate,
            _ => Outcome::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_that_config_connector_writes_has_its_meaning() {
        let cases = [
            ("True", "UpToDate", Outcome::UpToDate),
            ("False", "UpToDate", Outcome::Finished),
            ("False", "Creating", Outcome::InProgress),
            ("False", "Updating", Outcome::InProgress),
            ("False", "UpdateFailed", Outcome::Failed),
            ("False", "Deleting", Outcome::Deleting),
            ("False", "Deleted", Outcome::Deleted),
            ("False", "DeleteFailed", Outcome::Failed),
            ("False", "DependencyNotReady", Outcome::Dependency),
            ("False", "DependencyNotFound", Outcome::Dependency),
            ("False", "DependencyInvalid", Outcome::Dependency),
            ("False", "ManagementConflict", Outcome::Conflict),
            ("False", "PreActuationTransformFailed", Outcome::TransformFailed),
            ("False", "PostActuationTransformFailed", Outcome::TransformFailed),
            ("False", "Unmanaged", Outcome::Unmanaged),
            ("False", "Paused", Outcome::Paused),
            ("False", "SomethingNew", Outcome::Unknown),
            ("True", "SomethingNew", Outcome::UpToDate),
            ("True", "", Outcome::UpToDate),
            ("False", "", Outcome::Unknown),
            ("Unknown", "SomethingNew", Outcome::Unknown),
            ("Unknown", "UpToDate", Outcome::Unknown),
            ("", "", Outcome::Unknown),
            ("Unknown", "UpdateFailed", Outcome::Failed),
        ];
        for (status, reason, expected) in cases {
            assert_eq!(Outcome::of(status, reason), expected, "{status}/{reason}");
        }
    }

    /// The words of the JSON and whether the object is retried on an error ladder: kcc.md section 3 (errors, dependencies
    /// and conflicts are), section 9 (a paused reconcile is a success) and section 7 (Unmanaged is never retried).
    #[test]
    fn each_outcome_has_its_word_and_is_or_is_not_on_an_error_ladder() {
        let cases = [
            (Outcome::UpToDate, "up-to-date", false),
            (Outcome::Failed, "error-retry", true),
            (Outcome::TransformFailed, "error-retry", true),
            (Outcome::Dependency, "dependency-wait", true),
            (Outcome::Conflict, "conflict", true),
            (Outcome::Paused, "paused", false),
            (Outcome::Unmanaged, "unmanaged", false),
            (Outcome::InProgress, "in-progress", false),
            (Outcome::Deleting, "deleting", false),
            (Outcome::Deleted, "deleted", false),
            (Outcome::Finished, "finished", false),
            (Outcome::Unknown, "unknown", false),
        ];
        for (outcome, word, failing) in cases {
            assert_eq!(outcome.as_str(), word);
            assert_eq!(outcome.is_failing(), failing, "{word}");
        }
    }
}
