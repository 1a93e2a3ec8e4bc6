use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::backoff::{Ladder, TokenBucket};

/// A released version of Config Connector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// X of X.Y.Z.
    pub major: u32,
    /// Y of X.Y.Z.
    pub minor: u32,
    /// Z of X.Y.Z.
    pub patch: u32,
}

impl Version {
    /// Version `major.minor.patch`.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Version {
        Version { major, minor, patch }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// Why a text is not a release.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a release of Config Connector: expected X.Y.Z (for example 1.155.1){}", if *main_allowed { " or main" } else { "" })]
pub struct ReleaseError {
    main_allowed: bool,
}

impl FromStr for Version {
    type Err = ReleaseError;

    /// Reads `X.Y.Z`, with or without a leading `v`.
    fn from_str(text: &str) -> Result<Version, ReleaseError> {
        let error = ReleaseError { main_allowed: false };
        let mut parts = text.strip_prefix('v').unwrap_or(text).split('.').map(number);
        match (parts.next().flatten(), parts.next().flatten(), parts.next().flatten(), parts.next()) {
            (Some(major), Some(minor), Some(patch), None) => Ok(Version { major, minor, patch }),
            _ => Err(error),
        }
    }
}

/// Digits only: `u32::from_str` alone would take a sign.
fn number(part: &str) -> Option<u32> {
    if part.bytes().all(|byte| byte.is_ascii_digit()) { part.parse().ok() } else { None }
}

/// Which Config Connector is spoken of: a release, or `main`, which is the annotation's design and implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Release {
    /// A release.
    Version(Version),
    /// The main branch: later than every release.
    Main,
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Release::Version(version) => version.fmt(f),
            Release::Main => f.write_str("main"),
        }
    }
}

impl FromStr for Release {
    type Err = ReleaseError;

    /// Reads `main` or a [`Version`].
    fn from_str(text: &str) -> Result<Release, ReleaseError> {
        if text == "main" {
            return Ok(Release::Main);
        }
        text.parse().map(Release::Version).map_err(|_: ReleaseError| ReleaseError { main_allowed: true })
    }
}

/// Whether a release reads the ceiling annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CeilingSupport {
    /// It does.
    Honoured,
    /// It does not: the annotation is text without effect.
    Ignored,
    /// Not known: the first release that does was not seen.
    Unknown,
}

/// The first release with the table of controllers (Config Connector, pkg/controller/resourceconfig, 1.135.0).
const FIRST_TABLE: Version = Version::new(1, 135, 0);
/// The last release whose table was read; later ones are told by the rows of main.
pub(crate) const LAST_TABLE: Version = Version::new(1, 155, 1);
/// The first release whose ladder starts at 250 ms (Config Connector, pkg/controller/ratelimiter, 1.155.0).
const FIRST_QUARTER_SECOND: Version = Version::new(1, 155, 0);
/// The earliest release whose delays were checked.
const FIRST_CHECKED: Version = Version::new(1, 90, 0);
/// The last minor release known to ignore the ceiling annotation (Config Connector, release tags up to 1.159).
const LAST_IGNORING: (u32, u32) = (1, 159);
/// The first release whose watch filter lets a changed drift interval through (Config Connector, pkg/controller/predicate).
const FIRST_INTERVAL_WAKE: Version = Version::new(1, 138, 0);
/// The first release with the actuation annotation on objects (Config Connector, pkg/controller/resourceactuation).
const FIRST_ACTUATION_ANNOTATION: Version = Version::new(1, 158, 0);
/// The first release in which IAMPartialPolicy goes through the choice of a controller.
const FIRST_PARTIAL_POLICY_CHOICE: Version = Version::new(1, 137, 0);
/// The first release in which IAMPolicyMember's drift requeues go through a token bucket of their own
/// (Config Connector, pkg/controller/iam). For IAMPartialPolicy no first release is known.
const FIRST_MEMBER_BUCKET: Version = Version::new(1, 103, 0);

/// The releases above.
pub(super) const LANDMARKS: [Version; 8] = [
    FIRST_TABLE,
    LAST_TABLE,
    FIRST_QUARTER_SECOND,
    FIRST_CHECKED,
    FIRST_INTERVAL_WAKE,
    FIRST_ACTUATION_ANNOTATION,
    FIRST_PARTIAL_POLICY_CHOICE,
    FIRST_MEMBER_BUCKET,
];

/// The longest delay of the default ladder (Config Connector, pkg/controller/ratelimiter, 1.90.0 to main).
const DEFAULT_MAX: Duration = Duration::from_secs(120);
/// The first delay under a ceiling (Config Connector, direct controller, main).
const CEILING_BASE: Duration = Duration::from_secs(1);

/// The bucket that error retries of one kind share (Config Connector, pkg/controller/ratelimiter, 1.90.0 to main).
pub const RETRY_BUCKET: TokenBucket = TokenBucket { per_second: 10, burst: 100 };
/// The bucket that drift requeues of IAMPolicyMember and IAMPartialPolicy share (Config Connector, IAM controllers).
pub const IAM_DRIFT_BUCKET: TokenBucket = TokenBucket { per_second: 5, burst: 50 };

impl Release {
    fn since(self, first: Version) -> bool {
        self >= Release::Version(first)
    }

    /// The ladder of error retries without a ceiling: 250 ms to 120 s from 1.155.0 on, 2 s to 120 s before.
    pub fn default_ladder(self) -> Ladder {
        let base = if self.since(FIRST_QUARTER_SECOND) { Duration::from_millis(250) } else { Duration::from_secs(2) };
        Ladder::new(base, DEFAULT_MAX)
    }

    /// Whether the default ladder of this release was checked in source (1.90.0 on).
    pub fn delays_checked(self) -> bool {
        self.since(FIRST_CHECKED)
    }

    /// Whether this release has a table of controllers (1.135.0 on).
    pub fn has_table(self) -> bool {
        self.since(FIRST_TABLE)
    }

    /// The release whose table tells this one's controllers: itself, or `main` for those after 1.155.1; `None` before
    /// there was one.
    pub fn table(self) -> Option<Release> {
        match self {
            _ if !self.has_table() => None,
            _ if self.borrows_main_table() => Some(Release::Main),
            own => Some(own),
        }
    }

    /// Whether this release's controllers are told by the rows of main because its own were not read
    /// (releases after 1.155.1).
    pub fn borrows_main_table(self) -> bool {
        self > Release::Version(LAST_TABLE) && self != Release::Main
    }

    /// Whether the ceiling annotation is read. `since` is the user's knowledge of the first release that does; it
    /// decides for releases above 1.159 and cannot contradict what was read of the others.
    pub fn ceiling_support(self, since: Option<Version>) -> CeilingSupport {
        match self {
            Release::Main => CeilingSupport::Honoured,
            Release::Version(version) if ignores_ceiling(version) => CeilingSupport::Ignored,
            Release::Version(version) => match since {
                Some(since) if version >= since => CeilingSupport::Honoured,
                Some(_) => CeilingSupport::Ignored,
                None => CeilingSupport::Unknown,
            },
        }
    }

    /// Whether a changed `reconcile-interval-in-seconds` passes the watch filter (1.138.0 on).
    pub fn interval_wakes(self) -> bool {
        self.since(FIRST_INTERVAL_WAKE)
    }

    /// Whether the actuation annotation on an object is read (1.158.0 on).
    pub fn has_actuation_annotation(self) -> bool {
        self.since(FIRST_ACTUATION_ANNOTATION)
    }

    /// Whether IAMPartialPolicy goes through the choice of a controller (1.137.0 on).
    pub fn partial_policy_chooses(self) -> bool {
        self.since(FIRST_PARTIAL_POLICY_CHOICE)
    }

    /// Whether drift requeues of IAMPolicyMember share a token bucket (1.103.0 on).
    pub fn has_member_drift_bucket(self) -> bool {
        self.since(FIRST_MEMBER_BUCKET)
    }

    /// Whether a direct controller of this release takes every look-up error for "not found". So through 1.155.1, the
    /// last release that was read; not in main; `None` for the releases between.
    pub fn direct_swallows_lookup_errors(self) -> Option<bool> {
        match self {
            Release::Main => Some(false),
            Release::Version(version) if version <= LAST_TABLE => Some(true),
            Release::Version(_) => None,
        }
    }

    /// Whether it is known that a ceiling does not govern waiting for dependencies and errors outside the main path of
    /// a reconcile: so in releases up to 1.159; for later ones and main it is not settled.
    pub fn ceiling_scope_settled(self) -> bool {
        matches!(self, Release::Version(version) if ignores_ceiling(version))
    }
}

/// Whether `version` is among the releases known to ignore the ceiling annotation: all up to 1.159.
pub fn ignores_ceiling(version: Version) -> bool {
    (version.major, version.minor) <= LAST_IGNORING
}

/// The ladder under a ceiling of `seconds` (1 or more): 1 s doubling up to the ceiling.
pub fn ceiling_ladder(seconds: u32) -> Ladder {
    Ladder::new(CEILING_BASE, Duration::from_secs(u64::from(seconds)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn release(text: &str) -> Release {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn a_release_is_three_numbers_or_main() {
        assert_eq!(release("1.155.1"), Release::Version(Version::new(1, 155, 1)));
        assert_eq!(release("v1.155.1"), release("1.155.1"));
        assert_eq!(release("main"), Release::Main);
        for wrong in ["", "1.155", "1.155.1.2", "1.+5.1", "1.-5.1", "latest", "Main", "1.155.x", "1..1", "1.155.1 "] {
            assert!(wrong.parse::<Release>().is_err(), "{wrong:?} was taken for a release");
        }
    }

    #[test]
    fn releases_are_ordered_by_number_and_main_is_the_latest() {
        assert!(release("1.9.0") < release("1.10.0"));
        assert!(release("999.0.0") < Release::Main);
    }

    #[test]
    fn the_ladder_starts_at_250_ms_from_1_155_0_on_and_at_2_s_before() {
        for (text, millis) in [("1.90.0", 2_000), ("1.154.1", 2_000), ("1.155.0", 250), ("1.160.0", 250), ("main", 250)]
        {
            assert_eq!(release(text).default_ladder().base().as_millis(), millis, "{text}");
            assert_eq!(release(text).default_ladder().max().as_secs(), 120, "{text}");
        }
    }

    #[test]
    fn releases_up_to_1_159_ignore_the_ceiling_whatever_the_user_says() {
        for text in ["1.90.0", "1.155.1", "1.159.0", "1.159.9"] {
            assert_eq!(release(text).ceiling_support(None), CeilingSupport::Ignored, "{text}");
            assert_eq!(release(text).ceiling_support(Some(Version::new(1, 100, 0))), CeilingSupport::Ignored, "{text}");
        }
    }

    #[test]
    fn above_1_159_the_ceiling_is_unknown_unless_the_user_knows_the_first_release() {
        assert_eq!(release("1.160.0").ceiling_support(None), CeilingSupport::Unknown);
        assert_eq!(release("1.161.0").ceiling_support(Some(Version::new(1, 161, 0))), CeilingSupport::Honoured);
        assert_eq!(release("1.160.5").ceiling_support(Some(Version::new(1, 161, 0))), CeilingSupport::Ignored);
        assert_eq!(Release::Main.ceiling_support(None), CeilingSupport::Honoured);
    }

    #[test]
    fn the_table_exists_from_1_135_0_on_and_is_mains_after_1_155_1() {
        assert!(!release("1.134.1").has_table());
        assert!(release("1.135.0").has_table());
        assert!(!release("1.155.1").borrows_main_table());
        assert!(release("1.155.2").borrows_main_table());
        assert!(!Release::Main.borrows_main_table());
    }

    #[test]
    fn what_wakes_an_object_grew_with_the_releases() {
        assert!(!release("1.137.1").interval_wakes() && release("1.138.0").interval_wakes());
        assert!(!release("1.157.9").has_actuation_annotation() && release("1.158.0").has_actuation_annotation());
    }

    /// kcc.md: the first release of which each thing holds, with the last one before it.
    #[test]
    fn each_rule_begins_with_the_release_that_kcc_md_names_and_not_one_earlier() {
        type Rule = fn(Release) -> bool;
        let rules: [(&str, Rule, &str, &str); 6] = [
            ("section 4: base delay checked from 1.90.0", Release::delays_checked, "1.89.99", "1.90.0"),
            (
                "section 4: bucket of IAMPolicyMember from 1.103.0",
                Release::has_member_drift_bucket,
                "1.102.0",
                "1.103.0",
            ),
            ("head: a table from 1.135.0", Release::has_table, "1.134.99", "1.135.0"),
            (
                "section 2: IAMPartialPolicy chooses from 1.137.0",
                Release::partial_policy_chooses,
                "1.136.99",
                "1.137.0",
            ),
            ("section 5: a changed interval wakes from 1.138.0", Release::interval_wakes, "1.137.99", "1.138.0"),
            ("section 9: actuation annotation from 1.158", Release::has_actuation_annotation, "1.157.99", "1.158.0"),
        ];
        for (what, holds, last_without, first_with) in rules {
            assert!(!holds(release(last_without)), "{what}: not yet in {last_without}");
            for later in [first_with, "1.159.0", "1.200.0", "2.0.0", "main"] {
                assert!(holds(release(later)), "{what}: in {later}");
            }
        }
    }

    #[test]
    fn main_reads_the_ceiling_whatever_the_user_says_of_releases() {
        for since in ["1.160.0", "1.999.0", "9.0.0"] {
            let since = since.parse().ok();
            assert!(since.is_some());
            assert_eq!(Release::Main.ceiling_support(since), CeilingSupport::Honoured);
        }
    }

    #[test]
    fn the_first_release_that_reads_the_ceiling_is_itself_one_that_does() {
        let since = Some(Version::new(1, 161, 2));
        for (text, expected) in [
            ("1.160.9", CeilingSupport::Ignored),
            ("1.161.1", CeilingSupport::Ignored),
            ("1.161.2", CeilingSupport::Honoured),
            ("1.161.3", CeilingSupport::Honoured),
            ("2.0.0", CeilingSupport::Honoured),
        ] {
            assert_eq!(release(text).ceiling_support(since), expected, "{text}");
        }
    }

    /// "Releases up to 1.159": by number, not by the second figure alone.
    #[test]
    fn releases_up_to_1_159_are_those_of_a_smaller_number() {
        for (text, ignores) in [
            ("0.200.0", true),
            ("1.0.0", true),
            ("1.159.0", true),
            ("1.159.99", true),
            ("1.160.0", false),
            ("2.0.0", false),
            ("2.1.0", false),
        ] {
            let version = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(ignores_ceiling(version), ignores, "{text}");
        }
    }

    /// Section 3: what the ceiling does not govern is known of releases up to 1.159, and not settled for main.
    #[test]
    fn what_a_ceiling_does_not_govern_is_settled_up_to_1_159_only() {
        for (text, settled) in
            [("1.90.0", true), ("1.155.1", true), ("1.159.9", true), ("1.160.0", false), ("main", false)]
        {
            assert_eq!(release(text).ceiling_scope_settled(), settled, "{text}");
        }
    }

    /// Section 6: through 1.155.1; main does not; nothing was read of the releases between.
    #[test]
    fn look_up_errors_are_ignored_through_1_155_1_not_in_main_and_unknown_between() {
        for (text, expected) in [
            ("1.90.0", Some(true)),
            ("1.155.1", Some(true)),
            ("1.155.2", None),
            ("1.160.0", None),
            ("main", Some(false)),
        ] {
            assert_eq!(release(text).direct_swallows_lookup_errors(), expected, "{text}");
        }
    }

    /// Section 4: 10 per second, burst 100; IAM drift: 5 per second, burst 50. Section 9: a ceiling starts at 1 s.
    #[test]
    fn buckets_and_ladders_have_the_numbers_of_section_4() {
        assert_eq!((RETRY_BUCKET.per_second, RETRY_BUCKET.burst), (10, 100));
        assert_eq!((IAM_DRIFT_BUCKET.per_second, IAM_DRIFT_BUCKET.burst), (5, 50));
        for seconds in [1, 10, 600, 2_147_483_647] {
            let ladder = ceiling_ladder(seconds);
            assert_eq!(ladder.base(), Duration::from_secs(1));
            assert_eq!(ladder.max(), Duration::from_secs(u64::from(seconds)));
        }
    }

    #[test]
    fn an_error_about_a_release_says_what_one_looks_like_and_main_only_where_main_is_taken() {
        let of_release = "x".parse::<Release>().map_err(|error| error.to_string());
        let of_version = "x".parse::<Version>().map_err(|error| error.to_string());
        let text = "not a release of Config Connector: expected X.Y.Z (for example 1.155.1)";
        assert_eq!(of_release, Err(format!("{text} or main")));
        assert_eq!(of_version, Err(text.to_owned()));
        assert_eq!(release("v1.160.0").to_string(), "1.160.0");
        assert_eq!(Release::Main.to_string(), "main");
    }
}
