/// What a `Ready` condition tells about an object's last reconcile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The last reconcile succeeded.
    UpToDate,
    /// The last reconcile failed with an error of the main path; retried by the ladder or halted.
    Failed,
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
    /// A job of Dataflow in a final state: False with reason UpToDate, requeued by the drift interval.
    Finished,
    /// A reason that this program does not know.
    Unknown,
}

impl Outcome {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Outcome::UpToDate => "up-to-date",
            Outcome::Failed => "error-retry",
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
        matches!(self, Outcome::Failed | Outcome::Dependency | Outcome::Conflict)
    }

    /// Judges a `Ready` condition by its status and reason (Config Connector, pkg/k8s, 1.155.1 and main).
    pub fn of(status: &str, reason: &str) -> Outcome {
        match (status, reason) {
            ("False", "UpToDate") => Outcome::Finished,
            ("True", "UpToDate") => Outcome::UpToDate,
            (_, "UpdateFailed" | "DeleteFailed" | "PreActuationTransformFailed" | "PostActuationTransformFailed") => {
                Outcome::Failed
            }
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
            ("False", "PreActuationTransformFailed", Outcome::Failed),
            ("False", "PostActuationTransformFailed", Outcome::Failed),
            ("False", "Unmanaged", Outcome::Unmanaged),
            ("False", "Paused", Outcome::Paused),
            ("False", "SomethingNew", Outcome::Unknown),
        ];
        for (status, reason, expected) in cases {
            assert_eq!(Outcome::of(status, reason), expected, "{status}/{reason}");
        }
    }
}
