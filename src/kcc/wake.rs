use super::{
    ACTUATION_MODE, CEILING, CeilingSupport, DRIFT_INTERVAL, FOLDER_ID, ORGANIZATION_ID, PROJECT_ID, RECONCILE_COOKIE,
    Release, Version,
};

/// A change that makes a controller look at an object at once, because it passes the watch filter
/// (Config Connector, pkg/controller/predicate, 1.155.1 and main; the same for every controller).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wake {
    /// A changed `spec` (metadata.generation).
    Spec,
    /// A changed label.
    Labels,
    /// A changed `project-id`, `folder-id` or `organization-id` annotation.
    ContainerAnnotations,
    /// The ceiling annotation added, changed or removed, also to `"0"`.
    Ceiling,
    /// A changed drift interval, unless the new value is 0.
    DriftInterval,
    /// A changed actuation mode annotation.
    ActuationMode,
    /// The internal force-reconcile annotation.
    ReconcileCookie,
    /// Deletion requested, or the deletion defender's finalizer removed.
    Deletion,
    /// A restart of the controller's pod, which queues every object once.
    ControllerRestart,
}

impl Wake {
    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Wake::Spec => "spec",
            Wake::Labels => "labels",
            Wake::ContainerAnnotations => "container-annotations",
            Wake::Ceiling => "backoff-max-delay-in-seconds",
            Wake::DriftInterval => "reconcile-interval-in-seconds",
            Wake::ActuationMode => "actuation-mode",
            Wake::ReconcileCookie => "reconcile-cookie",
            Wake::Deletion => "deletion",
            Wake::ControllerRestart => "controller-restart",
        }
    }
}

impl Wake {
    /// What a change of the annotation `key` is to the watch filter; `None` for annotations that it does not look at.
    pub fn of_annotation(key: &str) -> Option<Wake> {
        match key {
            CEILING => Some(Wake::Ceiling),
            DRIFT_INTERVAL => Some(Wake::DriftInterval),
            ACTUATION_MODE => Some(Wake::ActuationMode),
            RECONCILE_COOKIE => Some(Wake::ReconcileCookie),
            PROJECT_ID | FOLDER_ID | ORGANIZATION_ID => Some(Wake::ContainerAnnotations),
            _ => None,
        }
    }
}

/// Everything that wakes an object in `release`. Whether a changed ceiling does depends on whether the release reads
/// it; where that is unknown it is left out.
pub fn wakes(release: Release, ceiling_since: Option<Version>) -> Vec<Wake> {
    let mut wakes = vec![Wake::Spec, Wake::Labels, Wake::ContainerAnnotations];
    if release.ceiling_support(ceiling_since) == CeilingSupport::Honoured {
        wakes.push(Wake::Ceiling);
    }
    if release.interval_wakes() {
        wakes.push(Wake::DriftInterval);
    }
    if release.has_actuation_annotation() {
        wakes.push(Wake::ActuationMode);
    }
    wakes.extend([Wake::ReconcileCookie, Wake::Deletion, Wake::ControllerRestart]);
    wakes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(release: &str) -> Vec<&'static str> {
        let release = release.parse().unwrap_or_else(|error| panic!("{error}"));
        wakes(release, None).into_iter().map(Wake::as_str).collect()
    }

    #[test]
    fn the_watch_filter_of_each_release_lets_through_what_kcc_md_section_5_lists() {
        let always_first = ["spec", "labels", "container-annotations"];
        let always_last = ["reconcile-cookie", "deletion", "controller-restart"];
        let cases: [(&str, &[&str]); 5] = [
            ("1.137.1", &[]),
            ("1.138.0", &["reconcile-interval-in-seconds"]),
            ("1.157.0", &["reconcile-interval-in-seconds"]),
            ("1.158.0", &["reconcile-interval-in-seconds", "actuation-mode"]),
            ("main", &["backoff-max-delay-in-seconds", "reconcile-interval-in-seconds", "actuation-mode"]),
        ];
        for (release, between) in cases {
            let expected = [&always_first[..], between, &always_last[..]].concat();
            assert_eq!(names(release), expected, "{release}");
        }
    }

    /// kcc.md section 5, "any other annotation: no".
    #[test]
    fn the_watch_filter_looks_at_seven_annotations_and_no_other() {
        for (key, wake) in [
            ("cnrm.cloud.google.com/backoff-max-delay-in-seconds", Some(Wake::Ceiling)),
            ("cnrm.cloud.google.com/reconcile-interval-in-seconds", Some(Wake::DriftInterval)),
            ("cnrm.cloud.google.com/actuation-mode", Some(Wake::ActuationMode)),
            ("test.cnrm.cloud.google.com/reconcile-cookie", Some(Wake::ReconcileCookie)),
            ("cnrm.cloud.google.com/project-id", Some(Wake::ContainerAnnotations)),
            ("cnrm.cloud.google.com/folder-id", Some(Wake::ContainerAnnotations)),
            ("cnrm.cloud.google.com/organization-id", Some(Wake::ContainerAnnotations)),
            ("cnrm.cloud.google.com/deletion-policy", None),
            ("alpha.cnrm.cloud.google.com/reconciler", None),
            ("example.com/x", None),
        ] {
            assert_eq!(Wake::of_annotation(key), wake, "{key}");
        }
    }

    /// kcc.md section 5: "in releases that honour it: yes. Before: no".
    #[test]
    fn a_changed_ceiling_wakes_where_it_is_read() {
        let passes = |release: &str, since: Option<&str>| {
            let release = release.parse().unwrap_or_else(|error| panic!("{error}"));
            wakes(release, since.and_then(|since| since.parse().ok())).contains(&Wake::Ceiling)
        };
        for (release, since, expected) in [
            ("main", None, true),
            ("main", Some("1.170.0"), true),
            ("1.159.0", None, false),
            ("1.160.0", None, false),
            ("1.160.0", Some("1.160.0"), true),
            ("1.160.0", Some("1.161.0"), false),
        ] {
            assert_eq!(passes(release, since), expected, "{release} since {since:?}");
        }
    }
}
