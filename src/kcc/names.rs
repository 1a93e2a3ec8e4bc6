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
/// The project of the cloud resource.
pub const PROJECT_ID: &str = "cnrm.cloud.google.com/project-id";
/// The folder of the cloud resource.
pub const FOLDER_ID: &str = "cnrm.cloud.google.com/folder-id";
/// The organization of the cloud resource.
pub const ORGANIZATION_ID: &str = "cnrm.cloud.google.com/organization-id";
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

/// Every key of the family that Config Connector reads or writes on objects and CRDs (Config Connector, pkg/k8s and
/// the controllers, 1.155.1 and main). Others are "not known to this version", never wrong.
pub const KNOWN_KEYS: [&str; 30] = [
    CEILING,
    DRIFT_INTERVAL,
    RECONCILER,
    ACTUATION_MODE,
    DELETION_POLICY,
    UNMANAGED,
    RECONCILE_COOKIE,
    "cnrm.cloud.google.com/state-into-spec",
    PROJECT_ID,
    FOLDER_ID,
    ORGANIZATION_ID,
    "cnrm.cloud.google.com/management-conflict-prevention-policy",
    "cnrm.cloud.google.com/observed-secret-versions",
    "cnrm.cloud.google.com/mutable-but-unreadable-fields",
    "cnrm.cloud.google.com/last-changed-cookie",
    "cnrm.cloud.google.com/create-gsa-key-secret",
    "cnrm.cloud.google.com/ignore-warnings",
    "cnrm.cloud.google.com/allow-stopping-for-update",
    "cnrm.cloud.google.com/auto-create-network",
    "cnrm.cloud.google.com/delete-contents-on-destroy",
    "cnrm.cloud.google.com/disable-dependent-services",
    "cnrm.cloud.google.com/disable-on-destroy",
    "cnrm.cloud.google.com/force-destroy",
    "cnrm.cloud.google.com/on-delete",
    "cnrm.cloud.google.com/remove-default-node-pool",
    "cnrm.cloud.google.com/skip-wait-on-job-termination",
    "cnrm.cloud.google.com/system",
    "cnrm.cloud.google.com/stability-level",
    "cnrm.cloud.google.com/default-controller",
    "cnrm.cloud.google.com/version",
];

/// The full key for a known name given without its domain (`backoff-max-delay-in-seconds`); every other text is
/// returned as it is.
pub fn full_key(name: &str) -> &str {
    KNOWN_KEYS.into_iter().find(|key| short(key) == name).unwrap_or(name)
}

/// The known key that `key` is probably meant to be: the same name without its domain or under another one of the
/// family, or one that differs in a few letters. `None` for known keys and for keys that resemble none.
pub fn meant_key(key: &str) -> Option<&'static str> {
    if KNOWN_KEYS.contains(&key) {
        return None;
    }
    let name = short(key);
    // A key of another domain is somebody else's, whatever its name, and so is a single word without a domain:
    // `version` and `system` are common ones.
    if !is_family_key(key) && (key.contains('/') || !key.contains('-')) {
        return None;
    }
    let alike = |known: &&&str| {
        let distance = strsim::osa_distance(&name.to_lowercase(), short(known));
        distance == 0 || (is_family_key(key) && distance <= 2)
    };
    KNOWN_KEYS.iter().find(alike).copied()
}

/// Whether a key of an annotation or label is worth keeping: one of the family, or one that lacks its domain.
pub fn concerns_kcc(key: &str) -> bool {
    is_family_key(key) || (!key.contains('/') && KNOWN_KEYS.iter().any(|known| short(known).eq_ignore_ascii_case(key)))
}

/// Whether an annotation holds whole seconds.
pub fn is_seconds_key(key: &str) -> bool {
    key == CEILING || key == DRIFT_INTERVAL
}

/// Annotations whose values may repeat what a Secret or a field that the API hides holds. They are never shown.
pub fn is_sensitive_key(key: &str) -> bool {
    matches!(short(key), "mutable-but-unreadable-fields" | "observed-secret-versions")
}

fn short(key: &str) -> &str {
    key.rsplit_once('/').map_or(key, |(_, name)| name)
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

    #[test]
    fn a_misspelt_key_is_recognised_and_a_foreign_one_is_left_alone() {
        let cases = [
            ("cnrm.cloud.google.com/backoff-max-delay-in-second", Some(CEILING)),
            ("cnrm.cloud.google.com/backoff-max-delay-in-secodns", Some(CEILING)),
            ("cnrm.cloud.google.com/Backoff-Max-Delay-In-Seconds", Some(CEILING)),
            ("alpha.cnrm.cloud.google.com/backoff-max-delay-in-seconds", Some(CEILING)),
            ("cnrm.cloud.google.com/reconciler", Some(RECONCILER)),
            ("backoff-max-delay-in-seconds", Some(CEILING)),
            (CEILING, None),
            ("cnrm.cloud.google.com/brand-new-thing", None),
            ("example.com/backoff-max-delay-in-seconds", None),
            ("app", None),
            ("versions", None),
            ("version", None),
            ("system", None),
        ];
        for (key, expected) in cases {
            assert_eq!(meant_key(key), expected, "{key}");
        }
    }

    /// kcc.md section 1: the configuration groups, the annotations of whole seconds; and which values may hold secrets.
    #[test]
    fn groups_that_configure_keys_of_seconds_and_keys_whose_values_are_never_shown() {
        for (group, configures) in [
            ("core.cnrm.cloud.google.com", true),
            ("customize.core.cnrm.cloud.google.com", true),
            ("logging.cnrm.cloud.google.com", false),
            ("x.core.cnrm.cloud.google.com", false),
        ] {
            assert_eq!(is_configuration_group(group), configures, "{group}");
        }
        for key in KNOWN_KEYS {
            assert_eq!(is_seconds_key(key), key.ends_with("-in-seconds"), "{key}");
            let sensitive =
                key.ends_with("/mutable-but-unreadable-fields") || key.ends_with("/observed-secret-versions");
            assert_eq!(is_sensitive_key(key), sensitive, "{key}");
        }
        assert!(is_sensitive_key("observed-secret-versions"), "also without its domain");
    }

    #[test]
    fn keys_are_kept_if_they_are_of_the_family_or_lack_its_domain() {
        for (key, kept) in [
            (CEILING, true),
            ("cnrm.cloud.google.com/brand-new-thing", true),
            ("test.cnrm.cloud.google.com/x", true),
            ("backoff-max-delay-in-seconds", true),
            ("Deletion-Policy", true),
            ("app", false),
            ("example.com/deletion-policy", false),
            ("kubectl.kubernetes.io/last-applied-configuration", false),
        ] {
            assert_eq!(concerns_kcc(key), kept, "{key}");
        }
    }
}
