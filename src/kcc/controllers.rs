use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::OnceLock;

use super::release::{LANDMARKS, LAST_TABLE, Release, Version};

/// Controllers by kind and release, read off Config Connector's table (pkg/controller/resourceconfig) at its release
/// tags from 1.135.0 to 1.155.1 and at main of August 2026.
const TABLE: &str = include_str!("../../data/kcc-controllers.csv");

/// What reconciles an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Controller {
    /// Config Connector's own controllers: the only ones that read the ceiling.
    Direct,
    /// The Terraform-based controller.
    Tf,
    /// The controller based on the Declarative Client Library.
    Dcl,
    /// IAMPolicy's own controller.
    IamPolicy,
    /// IAMPartialPolicy's own controller.
    IamPartialPolicy,
    /// IAMPolicyMember's own controller.
    IamPolicyMember,
    /// IAMAuditConfig's own controller.
    IamAuditConfig,
    /// No controller at all.
    None,
    /// One that cannot be told, because the release has no table.
    Unknown,
}

impl Controller {
    /// The name in the table, in JSON and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Controller::Direct => "direct",
            Controller::Tf => "tf",
            Controller::Dcl => "dcl",
            Controller::IamPolicy => "iampolicy",
            Controller::IamPartialPolicy => "iampartialpolicy",
            Controller::IamPolicyMember => "iampolicymember",
            Controller::IamAuditConfig => "iamauditconfig",
            Controller::None => "none",
            Controller::Unknown => "unknown",
        }
    }

    /// Those that the table names.
    pub const ALL: [Controller; 7] = [
        Controller::Direct,
        Controller::Tf,
        Controller::Dcl,
        Controller::IamPolicy,
        Controller::IamPartialPolicy,
        Controller::IamPolicyMember,
        Controller::IamAuditConfig,
    ];

    /// The controller that the table calls `name`.
    pub fn parse(name: &str) -> Option<Controller> {
        Controller::ALL.into_iter().find(|controller| controller.as_str() == name)
    }

    /// Whether this is one of the four controllers of IAM kinds.
    pub fn is_iam(self) -> bool {
        matches!(
            self,
            Controller::IamPolicy
                | Controller::IamPartialPolicy
                | Controller::IamPolicyMember
                | Controller::IamAuditConfig
        )
    }

    /// The controller of an IAM kind that has one of its own, whatever the release: also before there was a table.
    pub fn of_iam_kind(group: &str, kind: &str) -> Option<Controller> {
        match (group, kind) {
            ("iam.cnrm.cloud.google.com", "IAMPolicy") => Some(Controller::IamPolicy),
            ("iam.cnrm.cloud.google.com", "IAMPartialPolicy") => Some(Controller::IamPartialPolicy),
            ("iam.cnrm.cloud.google.com", "IAMPolicyMember") => Some(Controller::IamPolicyMember),
            ("iam.cnrm.cloud.google.com", "IAMAuditConfig") => Some(Controller::IamAuditConfig),
            _ => None,
        }
    }

    /// Whether unresolved dependencies are waited for with a watch and the drift interval, instead of being retried
    /// on the default ladder (Config Connector, IAM controllers, 1.155.1).
    pub fn watches_dependencies(self) -> bool {
        matches!(self, Controller::IamPolicy | Controller::IamPolicyMember | Controller::IamAuditConfig)
    }
}

impl fmt::Display for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// From which release a row holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// From a release on.
    Version(Version),
    /// Only in main (and so in releases after 1.155.1, which are told by main's rows).
    Main,
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Since::Version(version) => version.fmt(f),
            Since::Main => f.write_str("main (after 1.155.1)"),
        }
    }
}

/// One row of the table: the controllers of a kind for a span of releases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// API group.
    pub group: &'static str,
    /// Kind.
    pub kind: &'static str,
    /// First release in which the row holds.
    pub since: Since,
    /// Last release in which it holds; `None`: still in main.
    pub until: Option<Version>,
    /// The controller that handles the kind unless something says otherwise.
    pub default: Controller,
    /// The controllers that can be chosen for it.
    pub supported: Vec<Controller>,
}

impl Row {
    /// Whether the row holds in `release`. Releases after 1.155.1 are told by the rows of main.
    pub fn holds(&self, release: Release) -> bool {
        match release {
            Release::Version(version) if version <= LAST_TABLE => {
                matches!(self.since, Since::Version(since) if since <= version)
                    && self.until.is_none_or(|until| version <= until)
            }
            _ => self.until.is_none(),
        }
    }

    fn parse(line: &'static str) -> Option<Row> {
        let mut columns = line.split(',');
        let (group, kind) = (columns.next()?, columns.next()?);
        let since = match columns.next()? {
            "main" => Since::Main,
            version => Since::Version(version.parse().ok()?),
        };
        let until = match columns.next()? {
            "" => None,
            version => Some(version.parse().ok()?),
        };
        let default = Controller::parse(columns.next()?)?;
        let supported = columns.next()?.split('|').map(Controller::parse).collect::<Option<Vec<_>>>()?;
        columns.next().is_none().then_some(Row { group, kind, since, until, default, supported })
    }
}

struct Table {
    rows: Vec<Row>,
    by_kind: HashMap<&'static str, Vec<usize>>,
}

fn table() -> &'static Table {
    static PARSED: OnceLock<Table> = OnceLock::new();
    PARSED.get_or_init(|| {
        let rows: Vec<Row> = TABLE.lines().skip(1).filter_map(Row::parse).collect();
        let mut by_kind: HashMap<&'static str, Vec<usize>> = HashMap::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            by_kind.entry(row.kind).or_default().push(index);
        }
        Table { rows, by_kind }
    })
}

/// All rows of the table, in the order of the data file.
pub fn rows() -> &'static [Row] {
    &table().rows
}

/// The rows of one kind, of every release.
pub fn rows_of(group: &str, kind: &str) -> impl Iterator<Item = &'static Row> {
    let table = table();
    let indices = table.by_kind.get(kind).map_or(&[][..], Vec::as_slice);
    let group = group.to_owned();
    indices.iter().map(|&index| &table.rows[index]).filter(move |row| row.group == group)
}

/// The row of a kind that holds in `release`.
pub fn row(group: &str, kind: &str, release: Release) -> Option<&'static Row> {
    let table = table();
    let indices = table.by_kind.get(kind)?;
    indices.iter().map(|&index| &table.rows[index]).find(|row| row.group == group && row.holds(release))
}

/// The releases that something is known of, the newest first: `main`, those in which a row begins or ends, and those
/// in which something else begins. Every other release has a meaning, too.
pub fn known_releases() -> Vec<Release> {
    let versions = rows().iter().flat_map(|row| {
        let since = match row.since {
            Since::Version(version) => Some(version),
            Since::Main => None,
        };
        since.into_iter().chain(row.until)
    });
    let known: BTreeSet<Version> = versions.chain(LANDMARKS).collect();
    std::iter::once(Release::Main).chain(known.into_iter().rev().map(Release::Version)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_data_file_is_a_row() {
        let unread: Vec<_> = TABLE.lines().skip(1).filter(|line| Row::parse(line).is_none()).collect();
        assert!(unread.is_empty(), "{unread:?}");
        assert_eq!(TABLE.lines().next(), Some("group,kind,since,until,default_controller,supported_controllers"));
        assert!(rows().len() > 600);
    }

    #[test]
    fn a_kind_has_at_most_one_row_in_any_release() {
        let releases: Vec<Release> =
            ["1.135.0", "1.137.1", "1.140.0", "1.153.0", "1.154.0", "1.155.1", "1.170.0", "main"]
                .iter()
                .filter_map(|text| text.parse().ok())
                .collect();
        for row in rows() {
            for &release in &releases {
                let holding = rows_of(row.group, row.kind).filter(|row| row.holds(release)).count();
                assert!(holding <= 1, "{} has {holding} rows in {release}", row.kind);
            }
        }
    }

    #[test]
    fn every_default_is_among_the_supported_controllers() {
        for row in rows() {
            assert!(row.supported.contains(&row.default), "{}", row.kind);
        }
    }

    #[test]
    fn a_row_holds_from_its_first_to_its_last_release_and_main_rows_only_after_1_155_1() {
        let group = "dataflow.cnrm.cloud.google.com";
        let supported = |text: &str| {
            let release = text.parse().unwrap_or(Release::Main);
            row(group, "DataflowJob", release).map(|row| row.supported.len())
        };
        assert_eq!(supported("1.134.0"), None);
        assert_eq!(supported("1.135.0"), Some(1));
        assert_eq!(supported("1.153.0"), Some(1));
        assert_eq!(supported("1.154.0"), Some(2));
        assert_eq!(supported("main"), Some(2));
        let only_main = rows().iter().find(|row| row.since == Since::Main);
        let only_main = only_main.map(|row| (row.holds(Release::Main), row.holds(Release::Version(LAST_TABLE))));
        assert_eq!(only_main, Some((true, false)));
    }

    /// kcc.md section 2 (four IAM kinds with a controller of their own) and section 3 (three of them watch).
    #[test]
    fn controllers_have_their_names_and_the_iam_ones_their_kinds() {
        let group = "iam.cnrm.cloud.google.com";
        let cases = [
            (Controller::Direct, "direct", None, false),
            (Controller::Tf, "tf", None, false),
            (Controller::Dcl, "dcl", None, false),
            (Controller::IamPolicy, "iampolicy", Some("IAMPolicy"), true),
            (Controller::IamPartialPolicy, "iampartialpolicy", Some("IAMPartialPolicy"), false),
            (Controller::IamPolicyMember, "iampolicymember", Some("IAMPolicyMember"), true),
            (Controller::IamAuditConfig, "iamauditconfig", Some("IAMAuditConfig"), true),
            (Controller::None, "none", None, false),
            (Controller::Unknown, "unknown", None, false),
        ];
        for (controller, name, kind, watches) in cases {
            assert_eq!(controller.to_string(), name);
            assert_eq!(controller.is_iam(), kind.is_some(), "{name}");
            assert_eq!(controller.watches_dependencies(), watches, "{name}");
            if let Some(kind) = kind {
                assert_eq!(Controller::of_iam_kind(group, kind), Some(controller));
                assert_eq!(Controller::of_iam_kind("logging.cnrm.cloud.google.com", kind), None, "{kind}");
            }
        }
        assert_eq!(Controller::of_iam_kind(group, "IAMServiceAccount"), None);
        assert_eq!(Controller::parse("none"), None);
    }

    #[test]
    fn a_line_with_a_column_too_few_or_too_many_or_a_controller_unknown_is_no_row() {
        assert!(Row::parse("g,K,1.135.0,,tf,direct|tf").is_some());
        for line in ["g,K,1.135.0,,tf", "g,K,1.135.0,,tf,tf,x", "g,K,1.135.0,,tf,tf|nobody", "g,K,soon,,tf,tf"] {
            assert_eq!(Row::parse(line), None, "{line}");
        }
        assert_eq!(Since::Main.to_string(), "main (after 1.155.1)");
    }
}
