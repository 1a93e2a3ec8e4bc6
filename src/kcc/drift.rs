use std::time::Duration;

/// The mean drift interval of every kind without one of its own (Config Connector, pkg/k8s, 1.155.1 and main; the
/// design document's "10 to 20 minutes" is not what the source does).
pub const MEAN_SECONDS: u32 = 600;

/// Kinds with an interval of their own, whatever the controller
/// (Config Connector, pkg/controller/reconciliationinterval, 1.155.1).
const BY_KIND: [(&str, &str, u32); 5] = [
    ("bigtable.cnrm.cloud.google.com", "BigtableInstance", 3600),
    ("bigtable.cnrm.cloud.google.com", "BigtableTable", 3600),
    ("serviceusage.cnrm.cloud.google.com", "Service", 3600),
    ("serviceusage.cnrm.cloud.google.com", "ServiceIdentity", 0),
    ("compute.cnrm.cloud.google.com", "ComputeSSLCertificate", 0),
];

/// Direct kinds that ask for another pass without reporting an error; that pass comes on the default ladder
/// (Config Connector, direct controllers, 1.155.1 and main).
const REQUEUES_WITHOUT_ERROR: [(&str, &str); 4] = [
    ("dataflow.cnrm.cloud.google.com", "DataflowJob"),
    ("dataflow.cnrm.cloud.google.com", "DataflowFlexTemplateJob"),
    ("composer.cnrm.cloud.google.com", "ComposerEnvironment"),
    ("storage.cnrm.cloud.google.com", "StorageAnywhereCache"),
];

/// The mean drift interval that belongs to a kind, in seconds; 0 is "no periodic requeue". `None` for kinds without
/// one of their own.
pub fn interval_of_kind(group: &str, kind: &str) -> Option<u32> {
    BY_KIND.iter().find(|row| row.0 == group && row.1 == kind).map(|row| row.2)
}

/// Whether objects of a kind are requeued on the default ladder without an error while they work.
pub fn requeues_without_error(group: &str, kind: &str) -> bool {
    REQUEUES_WITHOUT_ERROR.contains(&(group, kind))
}

/// The jitter around a mean interval: from half of it to one and a half (the upper end excluded).
pub fn jitter(mean_seconds: u32) -> (Duration, Duration) {
    let mean = Duration::from_secs(u64::from(mean_seconds));
    (mean / 2, mean * 3 / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_with_an_interval_of_their_own_are_five() {
        let bigtable = "bigtable.cnrm.cloud.google.com";
        let usage = "serviceusage.cnrm.cloud.google.com";
        assert_eq!(interval_of_kind(bigtable, "BigtableInstance"), Some(3600));
        assert_eq!(interval_of_kind(bigtable, "BigtableTable"), Some(3600));
        assert_eq!(interval_of_kind(usage, "Service"), Some(3600));
        assert_eq!(interval_of_kind(usage, "ServiceIdentity"), Some(0));
        assert_eq!(interval_of_kind("compute.cnrm.cloud.google.com", "ComputeSSLCertificate"), Some(0));
        assert_eq!(interval_of_kind("run.cnrm.cloud.google.com", "Service"), None);
        assert_eq!(interval_of_kind(bigtable, "BigtableGCPolicy"), None);
    }

    #[test]
    fn ten_minutes_are_drawn_from_five_to_fifteen() {
        assert_eq!(jitter(MEAN_SECONDS), (Duration::from_secs(300), Duration::from_secs(900)));
        assert_eq!(jitter(1), (Duration::from_millis(500), Duration::from_millis(1500)));
        assert_eq!(jitter(2_147_483_647).1, Duration::from_millis(3_221_225_470_500));
    }

    /// kcc.md section 3: DataflowJob, DataflowFlexTemplateJob, ComposerEnvironment, StorageAnywhereCache.
    #[test]
    fn four_direct_kinds_requeue_without_an_error_told_apart_by_group_and_kind() {
        let kinds = [
            ("dataflow", "DataflowJob"),
            ("dataflow", "DataflowFlexTemplateJob"),
            ("composer", "ComposerEnvironment"),
            ("storage", "StorageAnywhereCache"),
        ];
        for (group, kind) in kinds {
            assert!(requeues_without_error(&format!("{group}.cnrm.cloud.google.com"), kind), "{kind}");
            assert!(!requeues_without_error("logging.cnrm.cloud.google.com", kind), "{kind} of another group");
            assert!(!requeues_without_error(&format!("{group}.cnrm.cloud.google.com"), "Other"), "another of {group}");
        }
        assert!(!requeues_without_error("storage.cnrm.cloud.google.com", "StorageBucket"));
    }

    #[test]
    fn an_interval_belongs_to_group_and_kind() {
        for (group, kind) in [
            ("x", "BigtableInstance"),
            ("bigtable.cnrm.cloud.google.com", "Service"),
            ("compute.cnrm.cloud.google.com", "ServiceIdentity"),
        ] {
            assert_eq!(interval_of_kind(group, kind), None, "{group} {kind}");
        }
        assert_eq!(MEAN_SECONDS, 10 * 60);
    }
}
