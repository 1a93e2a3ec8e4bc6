//! What `kinds` prints: the tables as data.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::escape::escape;
use super::json::{API_VERSION, append, array, begin, yaml_document};
use super::style::{Role, Style};
use super::table::{Cell, Column, DISPENSABLE, lay_out};
use crate::kcc::{Change, Controller, Move, Release, Row};
use crate::plural::{self, Confidence, Copy, FinalizerWhen, Kind, ModeWord};

/// The kinds that were asked for.
#[derive(Debug)]
pub struct KindList {
    /// The release of Config Connector that is spoken of.
    pub release: Release,
    /// The release that it is compared with.
    pub against: Option<Release>,
    /// Config Connector's kinds.
    pub kcc: KccKinds,
    /// The Plural Console's kinds; `None` if they were not asked for.
    pub plural: Option<Vec<&'static Kind>>,
    /// What has to be said besides, in sentences.
    pub notes: Vec<String>,
}

/// What is told of Config Connector's kinds.
#[derive(Debug)]
pub enum KccKinds {
    /// They were not asked for.
    LeftOut,
    /// The release has no table; the sentence says so.
    NoTable(String),
    /// The rows that hold in the release.
    Rows(Vec<&'static Row>),
    /// The kinds whose rows differ between the two releases.
    Moves(Vec<Move>),
}

impl KccKinds {
    fn count(&self) -> Option<usize> {
        match self {
            KccKinds::LeftOut | KccKinds::NoTable(_) => None,
            KccKinds::Rows(rows) => Some(rows.len()),
            KccKinds::Moves(moves) => Some(moves.len()),
        }
    }
}

/// How narrow the column of kinds may become before a column leaves: a name that is cut cannot be copied.
const KIND: Column = Column { title: "KIND", rank: 0, least: 20 };

/// A column that is whole or leaves.
const fn whole(title: &'static str, rank: u8) -> Column {
    Column { title, rank, least: usize::MAX }
}

const ROWS: [Column; 6] = [
    KIND,
    whole("CONTROLLER", 0),
    whole("SUPPORTED", 1),
    whole("SINCE", DISPENSABLE + 3),
    whole("UNTIL", DISPENSABLE + 4),
    whole("GROUP", DISPENSABLE + 5),
];

const MOVES: [Column; 5] = [
    KIND,
    whole("CHANGE", 0),
    Column { title: "CONTROLLER", rank: 0, least: 11 },
    whole("SUPPORTED", 1),
    whole("GROUP", DISPENSABLE + 3),
];

const PLURAL: [Column; 8] = [
    KIND,
    Column { title: "MODES", rank: 0, least: 20 },
    whole("SCOPE", DISPENSABLE + 4),
    Column { title: "IDENTITY", rank: 2, least: 8 },
    whole("FROM", DISPENSABLE + 5),
    whole("DELETION", 1),
    whole("CONFIDENCE", DISPENSABLE + 3),
    whole("FINALIZER", DISPENSABLE + 6),
];

/// Prints the tables, each below a title if there are both.
///
/// # Errors
/// Those of `out`.
pub fn kinds_table(out: &mut dyn Write, style: Style, list: &KindList, headers: bool) -> io::Result<()> {
    let plural = list.plural.as_deref().unwrap_or_default();
    let both = list.kcc.count().is_some_and(|count| count > 0) && !plural.is_empty();
    let mut bytes = Vec::new();
    if both && headers {
        bytes.extend_from_slice(style.paint(Role::Title, &format!("Config Connector {}", list.release)).as_bytes());
        bytes.push(b'\n');
    }
    match &list.kcc {
        KccKinds::LeftOut | KccKinds::NoTable(_) => {}
        KccKinds::Rows(rows) => lay_out(&mut bytes, style, &ROWS, rows.iter().map(|row| row_cells(row)), headers),
        KccKinds::Moves(moves) => lay_out(&mut bytes, style, &MOVES, moves.iter().map(move_cells), headers),
    }
    if both && headers {
        bytes.push(b'\n');
        let title = "Plural Console, modes as documented";
        bytes.extend_from_slice(style.paint(Role::Title, title).as_bytes());
        bytes.push(b'\n');
    }
    lay_out(&mut bytes, style, &PLURAL, plural.iter().map(|kind| kind_cells(kind)), headers);
    out.write_all(&bytes)
}

fn row_cells(row: &'static Row) -> Vec<Cell<'static>> {
    vec![
        Cell::plain(row.kind),
        Cell::new(controller_role(row.default), row.default.as_str()),
        Cell::plain(joined(&row.supported)),
        Cell::new(Role::Context, since(row)),
        row.until.map_or_else(Cell::none, |until| Cell::new(Role::Context, until.to_string())),
        Cell::new(Role::Context, row.group),
    ]
}

fn move_cells(moved: &Move) -> Vec<Cell<'static>> {
    let changes = moved.changes();
    let words: Vec<&str> = changes.iter().map(|change| change.as_str()).collect();
    vec![
        Cell::plain(moved.kind),
        Cell::new(change_role(&changes), words.join(", ")),
        Cell::plain(in_both(moved, |row| row.default.as_str().to_owned())),
        Cell::plain(in_both(moved, |row| joined(&row.supported))),
        Cell::new(Role::Context, moved.group),
    ]
}

/// What both rows say, once if they say the same.
fn in_both(moved: &Move, say: impl Fn(&Row) -> String) -> String {
    let mut said: Vec<String> = moved.rows().map(say).collect();
    said.dedup();
    said.join(" → ")
}

fn change_role(changes: &[Change]) -> Role {
    match changes.first() {
        Some(Change::Moved) => Role::Value,
        Some(Change::Added) => Role::Good,
        Some(Change::Removed) => Role::Warning,
        Some(Change::Choice) | None => Role::Plain,
    }
}

/// Only direct reads the ceiling, so it is what the eye looks for.
fn controller_role(controller: Controller) -> Role {
    if controller == Controller::Direct { Role::Value } else { Role::Plain }
}

fn kind_cells(kind: &'static Kind) -> Vec<Cell<'static>> {
    let unknown = || Cell::new(Role::Context, "unknown");
    let known = |text: Option<&'static str>| text.map_or_else(unknown, Cell::plain);
    let outcomes = kind.deletion_outcomes();
    let confidence: Vec<&str> = kind.confidence().into_iter().map(Confidence::as_str).collect();
    vec![
        Cell::plain(kind.name),
        Cell::plain(modes(kind)),
        known(kind.scope.map(plural::Scope::as_str)),
        known(kind.field),
        looked_up_by(kind).map_or_else(unknown, Cell::plain),
        if outcomes.is_empty() { unknown() } else { Cell::plain(outcomes.join(" or ")) },
        Cell::new(Role::Context, confidence.join(", ")),
        match kind.finalizer {
            Some(finalizer) => Cell::new(Role::Context, finalizer),
            None if kind.has_no_finalizer() => Cell::new(Role::Context, "none"),
            None => unknown(),
        },
    ]
}

fn modes(kind: &Kind) -> String {
    let documented: Vec<&str> =
        ModeWord::ALL.into_iter().filter(|mode| kind.has_mode(*mode)).map(ModeWord::as_str).collect();
    documented.join(", ")
}

fn looked_up_by(kind: &Kind) -> Option<Cow<'static, str>> {
    kind.lookup.map(|lookup| match kind.fallback {
        Some(fallback) => format!("{lookup}, else {fallback}").into(),
        None => lookup.into(),
    })
}

fn joined(controllers: &[Controller]) -> String {
    let names: Vec<&str> = controllers.iter().map(|controller| controller.as_str()).collect();
    names.join(", ")
}

fn since(row: &Row) -> String {
    match row.since {
        crate::kcc::Since::Version(version) => version.to_string(),
        crate::kcc::Since::Main => "main".to_owned(),
    }
}

/// Prints `kind.group`, a line each, as kubectl takes it for a resource.
///
/// # Errors
/// Those of `out`.
pub fn kind_names(out: &mut dyn Write, list: &KindList) -> io::Result<()> {
    let kcc: Vec<(&str, &str)> = match &list.kcc {
        KccKinds::LeftOut | KccKinds::NoTable(_) => Vec::new(),
        KccKinds::Rows(rows) => rows.iter().map(|row| (row.kind, row.group)).collect(),
        KccKinds::Moves(moves) => moves.iter().map(|moved| (moved.kind, moved.group)).collect(),
    };
    let plural = list.plural.iter().flatten().map(|kind| (kind.name, plural::GROUP));
    for (kind, group) in kcc.into_iter().chain(plural) {
        writeln!(out, "{}.{group}", kind.to_lowercase())?;
    }
    Ok(())
}

/// Prints what has to be said besides, a line each.
///
/// # Errors
/// Those of `out`.
pub fn kind_notes(out: &mut dyn Write, style: Style, list: &KindList) -> io::Result<()> {
    let missing = match &list.kcc {
        KccKinds::NoTable(reason) => Some(reason),
        _ => None,
    };
    let warning = style.paint(Role::Warning, "warning");
    missing.into_iter().try_for_each(|reason| writeln!(out, "{warning}: {}", escape(reason)))?;
    list.notes.iter().try_for_each(|note| writeln!(out, "{}: {}", style.paint(Role::Context, "note"), escape(note)))
}

/// Prints how many kinds there are.
///
/// # Errors
/// Those of `out`.
pub fn kind_counts(out: &mut dyn Write, list: &KindList) -> io::Result<()> {
    let release = list.release;
    let mut parts = Vec::new();
    match (&list.kcc, list.against) {
        (KccKinds::Moves(moves), Some(against)) => parts.push(format!(
            "{} of Config Connector {} between {release} and {against}{}",
            counted(moves.len(), "kind", "kinds"),
            if moves.len() == 1 { "differs" } else { "differ" },
            tally(moves)
        )),
        (kinds, _) => parts.extend(
            kinds.count().map(|count| format!("{} of Config Connector {release}", counted(count, "kind", "kinds"))),
        ),
    }
    if let Some(kinds) = &list.plural {
        parts.push(format!("{} of the Plural Console", counted(kinds.len(), "kind", "kinds")));
    }
    if parts.is_empty() { Ok(()) } else { writeln!(out, "{}", parts.join(", ")) }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A kind that has moved may have another choice, too, and is counted for both.
fn tally(moves: &[Move]) -> String {
    let count = |change: Change| moves.iter().filter(|moved| moved.changes().contains(&change)).count();
    let words = [
        (count(Change::Moved), "moved"),
        (count(Change::Choice), "with another choice"),
        (count(Change::Added), "added"),
        (count(Change::Removed), "removed"),
    ];
    let some: Vec<String> =
        words.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if some.is_empty() { String::new() } else { format!(": {}", some.join(", ")) }
}

/// Prints one JSON document, each kind on a line of its own.
///
/// # Errors
/// Those of `out`.
pub fn kinds_json(out: &mut dyn Write, list: &KindList) -> io::Result<()> {
    let document = Document::of(list);
    begin(out, &document.head)?;
    match &document.kcc {
        Some(kcc) => array(out, "kcc", kcc.iter())?,
        None => out.write_all(b",\n\"kcc\":null")?,
    }
    let mut reason = b",\n\"kccReason\":".to_vec();
    append(&mut reason, &document.kcc_reason)?;
    out.write_all(&reason)?;
    array(out, "plural", document.plural.iter())?;
    let mut notes = b",\n\"notes\":".to_vec();
    append(&mut notes, &document.notes)?;
    notes.extend_from_slice(b"}\n");
    out.write_all(&notes)
}

/// Prints the same as YAML.
///
/// # Errors
/// Those of `out`.
pub fn kinds_yaml(out: &mut dyn Write, list: &KindList) -> io::Result<()> {
    yaml_document(out, &Document::of(list))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    #[serde(flatten)]
    head: Head,
    kcc: Option<Vec<KccJson>>,
    kcc_reason: Option<&'a str>,
    plural: Vec<PluralJson>,
    notes: &'a [String],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    api_version: &'static str,
    kind: &'static str,
    release: String,
    /// The release whose table tells this one's controllers.
    table_of: Option<String>,
    against: Option<String>,
    against_table_of: Option<String>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum KccJson {
    Row {
        group: &'static str,
        kind: &'static str,
        #[serde(flatten)]
        row: RowJson,
    },
    Move {
        group: &'static str,
        kind: &'static str,
        changes: Vec<&'static str>,
        from: Option<RowJson>,
        to: Option<RowJson>,
    },
}

#[derive(Serialize)]
struct RowJson {
    controller: &'static str,
    supported: Vec<&'static str>,
    /// `main` for rows that no release that was read has.
    since: String,
    /// `null` while the row holds in main.
    until: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PluralJson {
    group: &'static str,
    kind: &'static str,
    documented_as: Option<&'static str>,
    create: bool,
    read_only: bool,
    adopt: bool,
    scope: Option<&'static str>,
    identity: Option<IdentityJson>,
    finalizer: Option<&'static str>,
    finalizer_added: Option<&'static str>,
    deletion: DeletionJson,
    /// What the modes rest on.
    confidence: Vec<&'static str>,
    /// The age of the copy of its controller that tells the rest, if there are no decision rows.
    controller_copy: Option<&'static str>,
    /// Why something above is null.
    reason: Option<&'static str>,
    note: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct IdentityJson {
    field: &'static str,
    value_from: Option<&'static str>,
    else_from: Option<&'static str>,
    query: Option<&'static str>,
}

#[derive(Serialize)]
struct DeletionJson {
    rule: &'static str,
    outcomes: Vec<&'static str>,
}

impl<'a> Document<'a> {
    fn of(list: &'a KindList) -> Document<'a> {
        let table_of = |release: Release| release.table().map(|table| table.to_string());
        let (kcc, kcc_reason) = match &list.kcc {
            KccKinds::LeftOut => (Some(Vec::new()), None),
            KccKinds::NoTable(reason) => (None, Some(reason.as_str())),
            KccKinds::Rows(rows) => (Some(rows.iter().map(|row| KccJson::of_row(row)).collect()), None),
            KccKinds::Moves(moves) => (Some(moves.iter().map(KccJson::of_move).collect()), None),
        };
        Document {
            head: Head {
                api_version: API_VERSION,
                kind: "KindList",
                release: list.release.to_string(),
                table_of: table_of(list.release),
                against: list.against.map(|against| against.to_string()),
                against_table_of: list.against.and_then(table_of),
            },
            kcc,
            kcc_reason,
            plural: list.plural.iter().flatten().map(|kind| PluralJson::of(kind)).collect(),
            notes: &list.notes,
        }
    }
}

impl KccJson {
    fn of_row(row: &Row) -> KccJson {
        KccJson::Row { group: row.group, kind: row.kind, row: RowJson::of(row) }
    }

    fn of_move(moved: &Move) -> KccJson {
        KccJson::Move {
            group: moved.group,
            kind: moved.kind,
            changes: moved.changes().into_iter().map(Change::as_str).collect(),
            from: moved.from.map(RowJson::of),
            to: moved.to.map(RowJson::of),
        }
    }
}

impl RowJson {
    fn of(row: &Row) -> RowJson {
        RowJson {
            controller: row.default.as_str(),
            supported: row.supported.iter().map(|controller| controller.as_str()).collect(),
            since: since(row),
            until: row.until.map(|until| until.to_string()),
        }
    }
}

impl PluralJson {
    fn of(kind: &Kind) -> PluralJson {
        PluralJson {
            group: plural::GROUP,
            kind: kind.name,
            documented_as: kind.documented_as,
            create: kind.create,
            read_only: kind.read_only,
            adopt: kind.adopt,
            scope: kind.scope.map(plural::Scope::as_str),
            identity: kind.field.map(|field| IdentityJson {
                field,
                value_from: kind.lookup,
                else_from: kind.fallback,
                query: kind.query,
            }),
            finalizer: kind.finalizer,
            finalizer_added: match kind.finalizer_when {
                FinalizerWhen::Always => Some("always"),
                FinalizerWhen::Managed => Some("managed"),
                FinalizerWhen::Created => Some("created"),
                FinalizerWhen::Written => Some("written"),
                FinalizerWhen::Unknown => None,
            },
            deletion: DeletionJson { rule: kind.deletes.as_str(), outcomes: kind.deletion_outcomes() },
            confidence: kind.confidence().into_iter().map(Confidence::as_str).collect(),
            controller_copy: match kind.copy {
                Copy::None => None,
                Copy::Source => Some("unknown"),
                Copy::Old => Some("old"),
                Copy::New => Some("recent"),
            },
            reason: reason(kind),
            note: Some(kind.note).filter(|note| !note.is_empty()),
        }
    }
}

/// Why something about a kind is null.
fn reason(kind: &Kind) -> Option<&'static str> {
    match kind.copy {
        Copy::None if kind.has_decisions() => {
            kind.has_no_finalizer().then_some("its controller adds no finalizer, so it never sees a deletion")
        }
        Copy::None => Some("only the documentation was read, and it tells no more than the modes"),
        Copy::Source => Some("what is null was not found in the copy of its controller that was read"),
        Copy::Old if kind.has_no_finalizer() => Some(
            "its controller adds no finalizer; what else is null was not found in the copy of it that was read, an old one",
        ),
        Copy::Old => Some("what is null was not found in the copy of its controller that was read, an old one"),
        Copy::New => Some("what is null was not found in the copy of its controller that was read, a recent one"),
    }
}
