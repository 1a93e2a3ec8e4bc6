//! Names that Config Connector gives meaning to (Config Connector, pkg/k8s, 1.155.1 and main).

/// The suffix of every API group of Config Connector.
pub const GROUP_SUFFIX: &str = ".cnrm.cloud.google.com";
/// The group that configures Config Connector itself.
pub const CORE_GROUP: &str = "core.cnrm.cloud.google.com";
/// The group that tunes Config Connector's own pods and webhooks.
pub const CUSTOMIZE_GROUP: &str = "customize.core.cnrm.cloud.google.com";

/// The ceiling of the retry delay, in seconds; `0` halts.
pub const CEILING: &str = "cnrm.cloud.google.com/backoff-max-delay-in-seconds";
/// The mean drift interval, in seconds.
pub const DRIFT_INTERVAL: &str = "cnrm.cloud.google.com/reconcile-interval-in-seconds";
/// The controller override; only the exact value `direct` has an effect.
pub const RECONCILER: &str = "alpha.cnrm.cloud.google.com/reconciler";
/// Whether an object is actuated at all.
pub const ACTUATION_MODE: &str = "cnrm.cloud.google.com/actuation-mode";
/// What deleting the object does to the cloud resource; only the exact value `abandon` keeps it.
pub const DELETION_POLICY: &str = "cnrm.cloud.google.com/deletion-policy";
/// Fields that Config Connector leaves alone; its mere presence sends BigQueryTable to the direct controller.
pub const UNMANAGED: &str = "cnrm.cloud.google.com/unmanaged";
/// Internal: a changed value passes the watch filter and has no other effect.
pub const RECONCILE_COOKIE: &str = "test.cnrm.cloud.google.com/reconcile-cookie";

/// The controllers' own finalizer.
pub const FINALIZER: &str = "cnrm.cloud.google.com/finalizer";
/// The deletion defender's finalizer.
pub const DELETION_DEFENDER: &str = "cnrm.cloud.google.com/deletion-defender";
/// The field manager of the controllers.
pub const FIELD_MANAGER: &str = "cnrm-controller-manager";

/// The one name under which a ConfigConnectorContext is looked up in its namespace.
pub const CONTEXT_NAME: &str = "configconnectorcontext.core.cnrm.cloud.google.com";

/// Whether `group` is one of Config Connector's.
pub fn is_kcc_group(group: &str) -> bool {
    group.ends_with(GROUP_SUFFIX)
}

/// Whether `group` configures Config Connector and is not reconciled by its resource controllers.
pub fn is_configuration_group(group: &str) -> bool {
    group == CORE_GROUP || group == CUSTOMIZE_GROUP
}

/// Whether an annotation or label key belongs to Config Connector's family (`cnrm.cloud.google.com/…` and its
/// subdomains).
pub fn is_family_key(key: &str) -> bool {
    key.split_once('/').is_some_and(|(domain, _)| {
        domain.strip_suffix("cnrm.cloud.google.com").is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// The full key for a name given without its domain (`backoff-max-delay-in-seconds`), when it is one that this
/// program reads; every other text is returned as it is.
pub fn full_key(name: &str) -> &str {
    [CEILING, DRIFT_INTERVAL, RECONCILER, ACTUATION_MODE, DELETION_POLICY, UNMANAGED]
        .into_iter()
        .find(|key| key.split_once('/').is_some_and(|(_, short)| short == name))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_below_cnrm_cloud_google_com_is_config_connectors_and_no_other() {
        for group in ["logging.cnrm.cloud.google.com", CORE_GROUP, CUSTOMIZE_GROUP] {
            assert!(is_kcc_group(group), "{group}");
        }
        for group in ["cnrm.cloud.google.com", "xcnrm.cloud.google.com", "apps", "", "deployments.plural.sh"] {
            assert!(!is_kcc_group(group), "{group}");
        }
    }

    #[test]
    fn a_key_is_of_the_family_by_its_domain() {
        for key in [CEILING, RECONCILER, RECONCILE_COOKIE] {
            assert!(is_family_key(key), "{key}");
        }
        for key in ["backoff-max-delay-in-seconds", "xcnrm.cloud.google.com/y", "cloud.google.com/x", ""] {
            assert!(!is_family_key(key), "{key}");
        }
    }

    #[test]
    fn a_short_name_stands_for_its_full_key() {
        assert_eq!(full_key("backoff-max-delay-in-seconds"), CEILING);
        assert_eq!(full_key("reconciler"), RECONCILER);
        assert_eq!(full_key("example.com/x"), "example.com/x");
    }
}
