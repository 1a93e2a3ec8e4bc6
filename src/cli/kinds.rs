//! `kcc-backoff kinds`: the tables as data.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};

use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};

use super::inputs::{self, say, unless_closed};
use super::{Failure, completions, exit};
use crate::kcc::{self, Controller, Move, Release, Row};
use crate::output::{self, KccKinds, KindList, Terminal};
use crate::plural::{self, Kind, ModeWord};

/// List the kinds that are known: controllers by release, modes of the Console's kinds
///
/// Of Config Connector: the controller that handles each kind in a release unless something says otherwise, those that
/// can be chosen for it, and from which to which release this row of the table holds. With --against, the kinds whose
/// rows differ: moved (another default), choice (another set to choose from), added, removed.
///
/// Of the Plural Console: the modes that the documentation names for each kind; its scope, identity, finalizer and
/// what deletion may come to where they are known; and what is known of what the released controller makes of the
/// modes: the words of the decision table for seven kinds, documented-only for the others.
///
/// A filter that may be repeated takes what fits any of its values; different filters must all fit. Filters that only
/// one system's kinds can fit leave out the other system's table.
#[derive(Debug, clap::Args)]
#[command(after_help = exit::HELP_NO_INPUT)]
pub(super) struct Args {
    /// The Config Connector to speak of: X.Y.Z, or main [default: main]
    #[arg(long, value_name = "RELEASE", add = ArgValueCandidates::new(completions::releases))]
    kcc_version: Option<Release>,
    /// Compare with this release: which kinds of Config Connector differ, from --kcc-version to this one
    #[arg(long, value_name = "RELEASE", add = ArgValueCandidates::new(completions::releases))]
    against: Option<Release>,
    /// Only kinds of this API group, in full or its first label (compute); may be repeated
    #[arg(short, long, value_name = "GROUP", add = ArgValueCandidates::new(completions::groups))]
    group: Vec<String>,
    /// Only this kind, in whatever case; may be repeated
    #[arg(short, long, value_name = "KIND", add = ArgValueCompleter::new(completions::kinds))]
    kind: Vec<String>,
    /// Only kinds that this controller handles unless something says otherwise (column CONTROLLER; with --against, in
    /// either release); may be repeated
    #[arg(long, value_name = "CONTROLLER", value_parser = controllers(), conflicts_with = "mode")]
    controller: Vec<Controller>,
    /// Only kinds for which this controller can be chosen (column SUPPORTED; with --against, in either release); may
    /// be repeated
    #[arg(long, value_name = "CONTROLLER", value_parser = controllers(), conflicts_with = "mode")]
    supports: Vec<Controller>,
    /// Only kinds of the Console for which the documentation names this mode; may be repeated
    #[arg(long, value_name = "MODE", value_parser = modes(), conflicts_with = "against")]
    mode: Vec<ModeWord>,
    /// Only the kinds of one system
    #[arg(long, value_enum)]
    system: Option<System>,
    /// How to print
    #[arg(short, long, value_enum, default_value_t)]
    output: Format,
    /// Leave out titles and column headers
    #[arg(long)]
    no_headers: bool,
    /// Leave out the counts
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum System {
    /// Config Connector
    Kcc,
    /// The Plural Console
    Plural,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Format {
    /// For people
    #[default]
    Table,
    /// kcc-backoff/v1alpha1, a kind a line
    Json,
    /// The same as YAML
    Yaml,
    /// kind.group, as kubectl get takes it
    Name,
}

fn controllers() -> impl clap::builder::TypedValueParser<Value = Controller> {
    PossibleValuesParser::new(Controller::ALL.map(Controller::as_str))
        .map(|name| Controller::parse(&name).unwrap_or(Controller::Unknown))
}

fn modes() -> impl clap::builder::TypedValueParser<Value = ModeWord> {
    PossibleValuesParser::new(ModeWord::ALL.map(ModeWord::as_str))
        .try_map(|name| ModeWord::ALL.into_iter().find(|mode| mode.as_str() == name).ok_or("no mode"))
}

pub(super) fn run(args: &Args, terminal: Terminal) -> Result<u8, Failure> {
    let list = list(args)?;
    let mut out = BufWriter::new(io::stdout());
    let written = match args.output {
        Format::Table => output::kinds_table(&mut out, terminal.out, &list, !args.no_headers),
        Format::Json => output::kinds_json(&mut out, &list),
        Format::Yaml => output::kinds_yaml(&mut out, &list),
        Format::Name => output::kind_names(&mut out, &list),
    };
    unless_closed(written.and_then(|()| out.flush()))?;
    say(|err| {
        output::kind_notes(err, terminal.err, &list)?;
        if args.quiet { Ok(()) } else { output::kind_counts(err, &list) }
    })?;
    Ok(exit::DONE)
}

fn list(args: &Args) -> Result<KindList, Failure> {
    args.check()?;
    let (kcc, plural) = (args.wants_kcc(), args.wants_plural());
    if !kcc && !plural {
        return Err(Failure::Usage(
            "these filters exclude each other: no kind of either system can fit all of them".to_owned(),
        ));
    }
    let release = args.release();
    let mut notes = Vec::new();
    let kcc = match args.against {
        _ if !kcc => KccKinds::LeftOut,
        _ if !release.has_table() => {
            KccKinds::NoTable(format!("{}, so who handles a kind is not known", no_table(release)))
        }
        Some(against) => KccKinds::Moves(args.moves(against, &mut notes)),
        None => KccKinds::Rows(args.rows(&mut notes)),
    };
    if !matches!(kcc, KccKinds::LeftOut) {
        let borrowing: BTreeSet<Release> = [Some(release), args.against]
            .into_iter()
            .flatten()
            .filter(|release| release.borrows_main_table())
            .collect();
        notes.extend(borrowing.into_iter().map(borrowed));
    }
    let plural = plural.then(|| plural::kinds().iter().filter(|kind| args.takes_kind(kind)).collect());
    Ok(KindList { release, against: args.against, kcc, plural, notes })
}

fn no_table(release: Release) -> String {
    format!("{release} has no table of controllers (the first is in 1.135.0)")
}

fn borrowed(release: Release) -> String {
    format!("{release} is told by the table of main: the last release whose own table was read is 1.155.1")
}

impl Args {
    fn release(&self) -> Release {
        self.kcc_version.unwrap_or(Release::Main)
    }

    /// Refuses names that no table has, and releases that cannot be compared.
    fn check(&self) -> Result<(), Failure> {
        let unknown_kinds = self.kind.iter().filter(|name| !is_known_kind(name)).map(|name| unknown_kind(name));
        let unknown_groups = self.group.iter().filter(|name| !is_known_group(name)).map(|name| unknown_group(name));
        let unknown: Vec<String> = unknown_groups.chain(unknown_kinds).collect();
        if !unknown.is_empty() {
            return Err(Failure::Usage(unknown.join("; ")));
        }
        let Some(against) = self.against else { return Ok(()) };
        if self.kcc_version.is_none() && against == Release::Main {
            return Err(Failure::Usage(inputs::MAIN_AGAINST_ITSELF.to_owned()));
        }
        match [self.release(), against].into_iter().find(|release| !release.has_table()) {
            Some(release) => Err(Failure::Usage(format!("{}, so nothing can be compared with it", no_table(release)))),
            None => Ok(()),
        }
    }

    fn wants_kcc(&self) -> bool {
        self.system != Some(System::Plural)
            && self.mode.is_empty()
            && (self.group.is_empty() || kcc::rows().iter().any(|row| self.takes_group(row.group)))
            && (self.kind.is_empty() || kcc::rows().iter().any(|row| self.takes_name(row.kind)))
    }

    fn wants_plural(&self) -> bool {
        self.system != Some(System::Kcc)
            && self.against.is_none()
            && self.controller.is_empty()
            && self.supports.is_empty()
            && self.takes_group(plural::GROUP)
            && (self.kind.is_empty() || plural::kinds().iter().any(|kind| self.names(kind)))
    }

    fn takes_group(&self, group: &str) -> bool {
        self.group.is_empty() || self.group.iter().any(|name| is_group(group, name))
    }

    fn takes_name(&self, kind: &str) -> bool {
        self.kind.is_empty() || self.kind.iter().any(|name| name.eq_ignore_ascii_case(kind))
    }

    fn takes_controllers(&self, row: &Row) -> bool {
        (self.controller.is_empty() || self.controller.contains(&row.default))
            && (self.supports.is_empty() || self.supports.iter().any(|controller| row.supported.contains(controller)))
    }

    fn names(&self, kind: &Kind) -> bool {
        self.kind.is_empty() || self.kind.iter().any(|name| kind.is_called(name))
    }

    fn takes_kind(&self, kind: &Kind) -> bool {
        self.names(kind) && (self.mode.is_empty() || self.mode.iter().any(|mode| kind.has_mode(*mode)))
    }

    /// The rows that hold, and a note for each kind that was asked for by name and has none.
    fn rows(&self, notes: &mut Vec<String>) -> Vec<&'static Row> {
        let release = self.release();
        let named = |row: &&Row| self.takes_group(row.group) && self.takes_name(row.kind);
        let holding: Vec<&Row> = kcc::rows().iter().filter(named).filter(|row| row.holds(release)).collect();
        if !self.kind.is_empty() {
            let absent =
                kcc::rows().iter().filter(named).filter(|row| kcc::row(row.group, row.kind, release).is_none());
            let absent: BTreeSet<(&str, &str)> = absent.map(|row| (row.group, row.kind)).collect();
            notes.extend(absent.into_iter().map(|(group, kind)| without_row(group, kind, release)));
        }
        holding.into_iter().filter(|row| self.takes_controllers(row)).collect()
    }

    /// The kinds that differ, and a note for each kind that was asked for by name and does not.
    fn moves(&self, against: Release, notes: &mut Vec<String>) -> Vec<Move> {
        let release = self.release();
        let mut moves = kcc::moves(release, against);
        moves.retain(|moved| self.takes_group(moved.group) && self.takes_name(moved.kind));
        if !self.kind.is_empty() {
            let named = kcc::rows().iter().filter(|row| self.takes_group(row.group) && self.takes_name(row.kind));
            let named: BTreeSet<(&str, &str)> = named.map(|row| (row.group, row.kind)).collect();
            let moving = |name: &(&str, &str)| moves.iter().any(|moved| (moved.group, moved.kind) == *name);
            notes.extend(
                named
                    .into_iter()
                    .filter(|name| !moving(name))
                    .map(|(group, kind)| format!("{kind} ({group}) is the same in {release} and {against}")),
            );
        }
        moves.retain(|moved| moved.rows().any(|row| self.takes_controllers(row)));
        moves
    }
}

fn without_row(group: &str, kind: &str, release: Release) -> String {
    let spans: Vec<String> = kcc::rows_of(group, kind)
        .map(|row| match row.until {
            Some(until) => format!("from {} to {until}", row.since),
            None => format!("from {} on", row.since),
        })
        .collect();
    format!("{kind} ({group}) has no row in {release}: its rows hold {}", spans.join(", "))
}

fn is_group(group: &str, name: &str) -> bool {
    group.eq_ignore_ascii_case(name) || first_label(group).eq_ignore_ascii_case(name)
}

fn first_label(group: &str) -> &str {
    group.split('.').next().unwrap_or(group)
}

/// All API groups of the tables, sorted.
pub(super) fn groups() -> BTreeSet<&'static str> {
    kcc::rows().iter().map(|row| row.group).chain([plural::GROUP]).collect()
}

/// All kinds of the tables with their groups, sorted; the documentation's spellings among them.
pub(super) fn kinds() -> BTreeSet<(&'static str, &'static str)> {
    let plural = plural::kinds().iter().flat_map(|kind| [Some(kind.name), kind.documented_as]).flatten();
    kcc::rows().iter().map(|row| (row.kind, row.group)).chain(plural.map(|name| (name, plural::GROUP))).collect()
}

fn is_known_group(name: &str) -> bool {
    groups().into_iter().any(|group| is_group(group, name))
}

fn is_known_kind(name: &str) -> bool {
    kinds().into_iter().any(|(kind, _)| kind.eq_ignore_ascii_case(name))
}

fn unknown_group(name: &str) -> String {
    let known = groups().into_iter().flat_map(|group| [first_label(group), group]);
    format!("the group {name:?} is unknown to this version{}", meant(name, known))
}

fn unknown_kind(name: &str) -> String {
    let known = kinds();
    let guess = meant(name, known.iter().map(|(kind, _)| *kind));
    if !guess.is_empty() || name.len() < 4 {
        return format!("the kind {name:?} is unknown to this version{guess}");
    }
    // Most kinds begin with their service's name, which is easily left out: Bucket for StorageBucket.
    let ending = |kind: &str| kind.to_lowercase().ends_with(&name.to_lowercase());
    let mut longer: Vec<&str> = known.iter().map(|(kind, _)| *kind).filter(|kind| ending(kind)).collect();
    longer.sort_by_key(|kind| kind.len());
    longer.truncate(3);
    format!("the kind {name:?} is unknown to this version{}", ask(&longer))
}

/// The known names that differ in few letters, as a question.
fn meant<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let lower = name.to_lowercase();
    let near = known
        .map(|known| (strsim::osa_distance(&lower, &known.to_lowercase()), known))
        .filter(|(distance, known)| *distance <= 1 + known.len() / 6);
    let near: BTreeSet<(usize, &str)> = near.collect();
    let best = near.first().map(|(distance, _)| *distance);
    let closest: Vec<&str> =
        near.iter().filter(|(distance, _)| Some(*distance) == best).map(|(_, known)| *known).take(3).collect();
    ask(&closest)
}

fn ask(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => format!(": is {one} meant?"),
        more => format!(": is one of {} meant?", more.join(", ")),
    }
}
