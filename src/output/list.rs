//! `list`: one row an object, in whatever format.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use rayon::prelude::*;

use super::list_json::{self, ListHead};
use super::markdown;
use super::report::{Explanation, Summary, each_object, listed, plain_count, read_summary};
use super::style::{Role, Style};
use super::table::{Cell, Column, DISPENSABLE, Layout, Widths};
use crate::assess::{Brief, Interval, LadderInShort, Mark, Marks, NextAttempt, Object, World};
use crate::human;
use crate::kcc::Ceiling;
use crate::object::Diagnostic;
use crate::plural::Action;

/// By what rows are sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortBy {
    /// Kind, then namespace and name.
    Kind,
    /// Namespace, then name.
    Namespace,
    /// Name.
    Name,
    /// Controller.
    Controller,
    /// State, what needs attention first.
    State,
    /// Ceiling: halts, then the shortest first, then none.
    Ceiling,
    /// Drift or requeue interval, the shortest first.
    Interval,
    /// Next attempt, the soonest first.
    Next,
    /// Attempts an hour, the most first.
    Rate,
}

/// By what objects are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    /// Kind.
    Kind,
    /// Namespace.
    Namespace,
    /// Controller.
    Controller,
    /// Ceiling, or mode.
    Ceiling,
}

impl GroupBy {
    /// The word on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            GroupBy::Kind => "kind",
            GroupBy::Namespace => "namespace",
            GroupBy::Controller => "controller",
            GroupBy::Ceiling => "ceiling",
        }
    }
}

/// What is asked of a list.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wish {
    /// Only objects with one of these marks.
    pub only: Option<Marks>,
    /// Sorted, instead of in the order of the inputs.
    pub sort_by: Option<SortBy>,
    /// Counted, instead of one by one.
    pub group_by: Option<GroupBy>,
    /// Marks that the caller is told of, whatever is shown.
    pub watch: Marks,
    /// Without a line of titles.
    pub no_headers: bool,
    /// With more columns.
    pub wide: bool,
    /// Not printed as a table: no width is measured.
    pub no_table: bool,
}

/// What of a group is counted.
#[derive(Debug, Clone, Default)]
pub(super) struct Group {
    pub(super) objects: usize,
    pub(super) marks: [usize; Mark::ALL.len()],
    /// The attempts of those whose number is known, an hour.
    pub(super) attempts_per_hour: f64,
    pub(super) of_known: usize,
}

impl Group {
    fn add(&mut self, brief: &Brief<'_>) {
        self.objects += 1;
        brief.marks.iter().for_each(|mark| self.marks[mark as usize] += 1);
        if let Some(rate) = brief.attempts_per_hour {
            self.attempts_per_hour += rate;
            self.of_known += 1;
        }
    }

    fn merge(&mut self, other: &Group) {
        self.objects += other.objects;
        self.marks.iter_mut().zip(other.marks).for_each(|(mine, others)| *mine += others);
        self.attempts_per_hour += other.attempts_per_hour;
        self.of_known += other.of_known;
    }

    pub(super) fn count(&self, mark: Mark) -> usize {
        self.marks[mark as usize]
    }
}

/// Name of a group and, for kinds, their API group.
pub(super) type GroupKey = (String, String);

/// A list in the making: what is shown of the objects, in which order and how wide.
pub struct Listing<'a> {
    pub(super) world: &'a World,
    pub(super) wish: Wish,
    pub(super) shown: Vec<&'a Object>,
    pub(super) groups: Vec<(GroupKey, Group)>,
    /// All objects, shown or not.
    all: Group,
    widths: Widths,
    has_kcc: bool,
    has_plural: bool,
}

/// What one task has seen of its objects.
#[derive(Default)]
struct Survey {
    /// Positions and sort keys of what is shown.
    shown: Vec<(u32, u64)>,
    groups: BTreeMap<GroupKey, Group>,
    all: Group,
    widths: Widths,
    has_kcc: bool,
    has_plural: bool,
}

const TASK: usize = 512;

impl<'a> Listing<'a> {
    /// Looks at all objects once. Nothing is kept of each but its place in the list, so that a fleet's rows are never
    /// all in memory.
    pub fn new(world: &'a World, objects: &[&'a Object], wish: Wish) -> Listing<'a> {
        let surveys: Vec<Survey> = objects
            .par_chunks(TASK)
            .enumerate()
            .map(|(task, chunk)| {
                let mut survey = Survey::default();
                for (index, object) in chunk.iter().enumerate() {
                    let position = u32::try_from(task * TASK + index).unwrap_or(u32::MAX);
                    survey.see(object, position, world, &wish);
                }
                survey
            })
            .collect();
        let mut all = Survey::default();
        for survey in surveys {
            all.merge(survey);
        }
        if let Some(sort_by) = wish.sort_by {
            sort(&mut all.shown, objects, sort_by);
        }
        let shown = all.shown.iter().filter_map(|(position, _)| objects.get(*position as usize).copied()).collect();
        let mut groups: Vec<(GroupKey, Group)> = all.groups.into_iter().collect();
        groups.sort_by(|(a, one), (b, other)| other.objects.cmp(&one.objects).then_with(|| a.cmp(b)));
        Listing {
            world,
            wish,
            shown,
            groups,
            all: all.all,
            widths: all.widths,
            has_kcc: all.has_kcc,
            has_plural: all.has_plural,
        }
    }

    /// The objects that are shown, or counted in groups, in their order.
    pub fn shown(&self) -> &[&'a Object] {
        &self.shown
    }

    /// How many objects have each of the marks that were to be watched, over all objects.
    pub fn watched(&self) -> Vec<(Mark, usize)> {
        let counts = self.wish.watch.iter().map(|mark| (mark, self.all.count(mark)));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// `12 of 345 objects`, if not all are shown.
    pub fn shown_of_all(&self) -> Option<String> {
        self.wish.only.map(|_| format!("{} of {}", self.shown.len(), plain_count(self.all.objects, "object")))
    }

    fn columns(&self) -> Vec<Column> {
        let mut columns: Vec<Column> = COLUMNS.to_vec();
        columns[CEILING].title = match (self.has_kcc, self.has_plural) {
            (true, true) => "CEILING/MODE",
            (false, true) => "MODE",
            _ => "CEILING",
        };
        if self.wish.wide {
            // The message is last, as it has no bound.
            let last = columns.len() - 1;
            columns.splice(last..last, WIDE);
        }
        columns
    }
}

impl Survey {
    fn see(&mut self, object: &Object, position: u32, world: &World, wish: &Wish) {
        let answer = object.assess(world);
        let brief = answer.brief();
        self.all.add(&brief);
        if wish.only.is_some_and(|only| !brief.marks.meet(only)) {
            return;
        }
        match object {
            Object::Kcc(_) => self.has_kcc = true,
            Object::Plural(_) => self.has_plural = true,
        }
        let key = wish.sort_by.map_or(0, |sort_by| sort_key(&brief, sort_by));
        self.shown.push((position, key));
        match wish.group_by {
            Some(group_by) => self.groups.entry(group_key(&brief, group_by)).or_default().add(&brief),
            None if wish.no_table => {}
            None => self.widths.see(&cells(&brief, wish.wide, world)),
        }
    }

    fn merge(&mut self, mut other: Survey) {
        self.shown.append(&mut other.shown);
        for (key, group) in other.groups {
            self.groups.entry(key).or_default().merge(&group);
        }
        self.all.merge(&other.all);
        self.widths.merge(&other.widths);
        self.has_kcc |= other.has_kcc;
        self.has_plural |= other.has_plural;
    }
}

/// The names of controllers in the order of the alphabet.
const CONTROLLERS: [&str; 10] = [
    "dcl",
    "direct",
    "iamauditconfig",
    "iampartialpolicy",
    "iampolicy",
    "iampolicymember",
    "none",
    "plural",
    "tf",
    "unknown",
];

/// What needs attention, most urgent first.
const ATTENTION: [Mark; 18] = [
    Mark::Halted,
    Mark::Refused,
    Mark::Invalid,
    Mark::Failing,
    Mark::Conflict,
    Mark::Waiting,
    Mark::Unmanaged,
    Mark::Ineffective,
    Mark::Frequent,
    Mark::NoController,
    Mark::UnknownKind,
    Mark::Halts,
    Mark::Deleting,
    Mark::Paused,
    Mark::InProgress,
    Mark::Unknown,
    Mark::Deleted,
    Mark::UpToDate,
];

/// What rows are sorted by where that is not a name.
fn sort_key(brief: &Brief<'_>, sort_by: SortBy) -> u64 {
    let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX - 8);
    match sort_by {
        SortBy::Kind | SortBy::Namespace | SortBy::Name => 0,
        SortBy::Controller => {
            CONTROLLERS.iter().position(|name| *name == brief.controller).unwrap_or(usize::MAX) as u64
        }
        SortBy::State => {
            let rank = |mark| ATTENTION.iter().position(|ranked| *ranked == mark);
            brief.marks.iter().filter_map(rank).min().unwrap_or(ATTENTION.len()) as u64
        }
        SortBy::Ceiling => match brief.ceiling.map(|answer| answer.ceiling) {
            Some(Ceiling::Halt) => 0,
            Some(Ceiling::Seconds(seconds)) => u64::from(seconds),
            Some(Ceiling::Invalid(_)) => u64::MAX - 2,
            Some(Ceiling::Unset) => u64::MAX - 1,
            None => u64::MAX,
        },
        SortBy::Interval => match brief.interval {
            Interval::Between(least, _) => nanos(least),
            Interval::Panics | Interval::Invalid => u64::MAX - 2,
            Interval::Never => u64::MAX - 1,
            Interval::None => u64::MAX,
        },
        SortBy::Next => match brief.next_attempt {
            // Seconds since the year 1, so that all are positive.
            NextAttempt::Within(_, to) => u64::try_from(to.as_second().saturating_add(62_135_596_800)).unwrap_or(0),
            NextAttempt::Never(_) => u64::MAX - 1,
            NextAttempt::Unknown(_) => u64::MAX,
        },
        // The bits of a positive number grow with it.
        SortBy::Rate => brief.attempts_per_hour.map_or(u64::MAX, |rate| u64::MAX - 1 - rate.to_bits()),
    }
}

fn sort(shown: &mut [(u32, u64)], objects: &[&Object], sort_by: SortBy) {
    let reference = |position: u32| objects[position as usize].reference();
    match sort_by {
        SortBy::Kind => shown.par_sort_by_key(|(position, _)| {
            let reference = reference(*position);
            (&reference.kind, reference.group(), &reference.namespace, &reference.name)
        }),
        SortBy::Namespace => shown.par_sort_by_key(|(position, _)| {
            let reference = reference(*position);
            (&reference.namespace, &reference.name)
        }),
        SortBy::Name => shown.par_sort_by_key(|(position, _)| &reference(*position).name),
        _ => shown.par_sort_by_key(|(_, key)| *key),
    }
}

fn group_key(brief: &Brief<'_>, group_by: GroupBy) -> GroupKey {
    match group_by {
        GroupBy::Kind => (brief.reference.kind.clone(), brief.reference.group().to_owned()),
        GroupBy::Namespace => (brief.reference.namespace.clone().unwrap_or_else(|| "-".to_owned()), String::new()),
        GroupBy::Controller => (brief.controller.to_owned(), String::new()),
        GroupBy::Ceiling => (ceiling(brief).text().to_owned(), String::new()),
    }
}

const CEILING: usize = 4;
const COLUMNS: [Column; 8] = [
    Column { title: "KIND", rank: 0, least: 16 },
    Column { title: "NAME", rank: 0, least: 20 },
    Column { title: "CONTROLLER", rank: 3, least: usize::MAX },
    // Wide enough for `ineffective`, and for `create/read-only`.
    Column { title: "STATE", rank: 0, least: 11 },
    Column { title: "CEILING", rank: 0, least: 16 },
    Column { title: "INTERVAL", rank: 5, least: usize::MAX },
    Column { title: "LADDER", rank: 4, least: usize::MAX },
    Column { title: "MESSAGE", rank: 2, least: 12 },
];
const WIDE: [Column; 5] = [
    Column { title: "CHOSEN BY", rank: DISPENSABLE + 3, least: usize::MAX },
    Column { title: "INTERVAL BY", rank: DISPENSABLE + 2, least: usize::MAX },
    Column { title: "RELEASE", rank: DISPENSABLE + 4, least: usize::MAX },
    Column { title: "NEXT ATTEMPT", rank: 7, least: usize::MAX },
    Column { title: "PLACE", rank: 6, least: 16 },
];

fn cells<'b>(brief: &'b Brief<'b>, wide: bool, world: &World) -> Vec<Cell<'b>> {
    let or_none = |text: Cow<'b, str>| if text.is_empty() { Cell::none() } else { Cell::plain(text) };
    // Room for all of them at once: growing would have the threads of a fleet wait for the allocator.
    let mut cells = Vec::with_capacity(COLUMNS.len() + if wide { WIDE.len() } else { 0 });
    cells.extend([
        Cell::plain(brief.reference.kind.as_str()),
        Cell::new(Role::Title, name(brief)),
        Cell::new(if brief.controller == "none" { Role::Warning } else { Role::Plain }, brief.controller),
        state(brief),
        ceiling(brief),
        interval(brief),
        ladder(brief),
    ]);
    if wide {
        cells.push(brief.decided_by.map_or_else(Cell::none, Cell::plain));
        cells.push(or_none(brief.interval_origin.into()));
        cells.push(match brief.ceiling {
            Some(_) => Cell::plain(world.release.to_string()),
            None => Cell::none(),
        });
        cells.push(match brief.next_attempt {
            NextAttempt::Within(from, to) if from == to => Cell::plain("now"),
            NextAttempt::Within(_, to) => Cell::plain(format!("by {}", human::time(to))),
            NextAttempt::Never(_) => Cell::plain("never"),
            NextAttempt::Unknown(_) => Cell::none(),
        });
        cells.push(Cell::new(Role::Context, brief.place.to_string()));
    }
    cells.push(Cell::plain(&*brief.message));
    cells
}

/// `namespace/name`.
pub(super) fn name<'b>(brief: &Brief<'b>) -> Cow<'b, str> {
    let name = brief.reference.name.as_deref().unwrap_or("(no name)");
    match &brief.reference.namespace {
        Some(namespace) => format!("{namespace}/{name}").into(),
        None => name.into(),
    }
}

fn state<'b>(brief: &Brief<'b>) -> Cell<'b> {
    let text = brief.in_short();
    if text.is_empty() {
        return Cell::none();
    }
    let bad = [Mark::Halted, Mark::Refused, Mark::Invalid];
    let role = match brief.marks {
        marks if marks.meet(bad.into_iter().collect()) => Role::Bad,
        _ if text == Mark::UpToDate.as_str() => Role::Good,
        _ => Role::Warning,
    };
    Cell::new(role, text)
}

/// The ceiling, or, for objects of the Plural Console, the mode.
pub(super) fn ceiling<'b>(brief: &Brief<'b>) -> Cell<'b> {
    let Some(answer) = brief.ceiling else { return mode(brief) };
    let doubt = if answer.honoured.is_none() { "?" } else { "" };
    match answer.ceiling {
        Ceiling::Unset => Cell::none(),
        Ceiling::Seconds(seconds) => Cell::new(Role::Value, format!("{seconds}s{doubt}")),
        Ceiling::Halt => Cell::new(Role::Value, format!("0{doubt}")),
        Ceiling::Invalid(_) => Cell::new(Role::Bad, "invalid"),
    }
}

/// What the status tells, or else what would happen if the remote is absent, and if it is present.
fn mode<'b>(brief: &Brief<'b>) -> Cell<'b> {
    let Some(mode) = brief.mode else { return Cell::none() };
    let word = |action: Action| if action == Action::InSyncOrUpdate { "managed" } else { action.as_str() };
    if let Some(now) = &mode.now {
        return Cell::new(Role::Value, word(now.action));
    }
    let (absent, present) = (mode.if_absent.action, mode.if_present.action);
    let role = if present == Action::Adopt { Role::Warning } else { Role::Value };
    Cell::new(
        role,
        if absent == present { word(absent).to_owned() } else { format!("{}/{}", word(absent), word(present)) },
    )
}

pub(super) fn interval<'b>(brief: &Brief<'b>) -> Cell<'b> {
    match brief.interval {
        Interval::Between(least, most) => Cell::plain(format!("{}…{}", human::compact(least), human::compact(most))),
        Interval::Never => Cell::plain("never"),
        Interval::Invalid => Cell::new(Role::Bad, "invalid"),
        Interval::Panics => Cell::new(Role::Bad, "panics"),
        Interval::None => Cell::none(),
    }
}

/// `250ms…120s`, `1s…600s`, `HALT`: seconds throughout, so that ladders compare at a glance.
pub(super) fn ladder<'b>(brief: &Brief<'b>) -> Cell<'b> {
    let short = |delay: Duration| match (delay.as_secs(), delay.subsec_millis()) {
        (0, millis) => format!("{millis}ms"),
        (seconds, _) => format!("{seconds}s"),
    };
    match brief.ladder {
        LadderInShort::Climbs { base, max, doubtful } => {
            let doubt = if doubtful { "?" } else { "" };
            Cell::plain(format!("{}…{}{doubt}", short(base), short(max)))
        }
        LadderInShort::Halt { doubtful } => Cell::new(Role::Bad, if doubtful { "HALT?" } else { "HALT" }),
        LadderInShort::None => Cell::none(),
    }
}

/// Prints the rows, or the groups, as a table.
///
/// # Errors
/// Those of `out`.
pub fn table(out: &mut dyn Write, style: Style, listing: &Listing<'_>) -> io::Result<()> {
    if listing.wish.group_by.is_some() {
        return groups(out, style, listing);
    }
    if listing.shown.is_empty() {
        return Ok(());
    }
    let columns = listing.columns();
    let headers = !listing.wish.no_headers;
    let layout = Layout::new(&columns, &listing.widths, headers, style);
    if headers {
        let mut header = Vec::new();
        layout.header(&mut header);
        out.write_all(&header)?;
    }
    let (wide, world) = (listing.wish.wide, listing.world);
    each(out, world, &listing.shown, |bytes, brief| {
        layout.row(bytes, &cells(brief, wide, world));
        Ok(())
    })
}

fn each(
    out: &mut dyn Write,
    world: &World,
    objects: &[&Object],
    print: impl Fn(&mut Vec<u8>, &Brief<'_>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let explanation = Explanation { world, objects, problems: &[], summary: <_>::default() };
    each_object(out, &explanation, false, |bytes, _: &mut (), answer| print(bytes, &answer.brief())).map(|_| ())
}

const GROUPED: [Mark; 5] = [Mark::Halted, Mark::Failing, Mark::Waiting, Mark::Invalid, Mark::Ineffective];

fn groups(out: &mut dyn Write, style: Style, listing: &Listing<'_>) -> io::Result<()> {
    let title = match listing.wish.group_by {
        Some(GroupBy::Kind) | None => "KIND",
        Some(GroupBy::Namespace) => "NAMESPACE",
        Some(GroupBy::Controller) => "CONTROLLER",
        Some(GroupBy::Ceiling) => listing.columns()[CEILING].title,
    };
    let fixed = usize::MAX;
    let columns = [
        Column { title, rank: 0, least: 16 },
        Column { title: "OBJECTS", rank: 0, least: fixed },
        Column { title: "HALTED", rank: 1, least: fixed },
        Column { title: "FAILING", rank: 2, least: fixed },
        Column { title: "WAITING", rank: 4, least: fixed },
        Column { title: "INVALID", rank: 3, least: fixed },
        Column { title: "INEFFECTIVE", rank: 5, least: fixed },
        Column { title: "ATTEMPTS/H", rank: 6, least: fixed },
    ];
    let rows: Vec<Vec<Cell<'_>>> = listing.groups.iter().map(|(key, group)| group_cells(key, group)).collect();
    let mut widths = Widths::default();
    rows.iter().for_each(|row| widths.see(row));
    let headers = !listing.wish.no_headers;
    let layout = Layout::new(&columns, &widths, headers, style);
    let mut bytes = Vec::new();
    if headers && !rows.is_empty() {
        layout.header(&mut bytes);
    }
    rows.iter().for_each(|row| layout.row(&mut bytes, row));
    out.write_all(&bytes)
}

fn group_cells<'g>((key, _): &'g GroupKey, group: &Group) -> Vec<Cell<'g>> {
    let count = |count: usize, role| {
        if count == 0 { Cell::new(Role::Context, "0") } else { Cell::new(role, count.to_string()) }
    };
    let mut cells = vec![Cell::new(Role::Title, key.as_str()), count(group.objects, Role::Plain)];
    cells.extend(GROUPED.map(|mark| count(group.count(mark), Role::Warning)));
    cells.push(match group.of_known {
        0 => Cell::none(),
        known if known < group.objects => Cell::plain(format!("{}+", human::rate(group.attempts_per_hour))),
        _ => Cell::plain(human::rate(group.attempts_per_hour)),
    });
    cells
}

/// Prints the list as one JSON document, each object, or group, on a line of its own. Returns nothing more: the
/// problems of the objects are in it.
///
/// # Errors
/// Those of `out`.
pub fn list_json(out: &mut dyn Write, explanation: &Explanation<'_>, listing: &Listing<'_>) -> io::Result<()> {
    list_json::json(out, &ListHead::of(explanation, listing), explanation, listing)
}

/// Prints the same as YAML.
///
/// # Errors
/// Those of `out`.
pub fn list_yaml(out: &mut dyn Write, explanation: &Explanation<'_>, listing: &Listing<'_>) -> io::Result<()> {
    list_json::yaml(out, &ListHead::of(explanation, listing), explanation, listing)
}

/// Prints the names of the rows, `kind.group/name`, or those of the groups. Objects without a name have no line.
///
/// # Errors
/// Those of `out`.
pub fn list_names(out: &mut dyn Write, listing: &Listing<'_>) -> io::Result<()> {
    let explanation =
        Explanation { world: listing.world, objects: &listing.shown, problems: &[], summary: <_>::default() };
    super::names(out, &explanation)
}

/// Prints what was read, and how many objects have each of the marks that deserve a look, by the words of `--only`.
///
/// # Errors
/// Those of `out`.
pub fn list_summary(out: &mut dyn Write, summary: &Summary, listing: &Listing<'_>) -> io::Result<()> {
    read_summary(out, summary)?;
    // From there on nothing is wrong: what stands there is wanted, or on its way.
    let notable = ATTENTION.into_iter().take_while(|mark| *mark != Mark::Halts);
    let counts: Vec<(usize, &str)> = notable.map(|mark| (listing.all.count(mark), mark.as_str())).collect();
    match listed("", &counts) {
        none if none.is_empty() => Ok(()),
        some => writeln!(out, "{some}"),
    }
}

/// Writes the rows, or the groups, as a table in GitHub's Markdown.
///
/// # Errors
/// Those of `out`.
pub fn list_markdown(out: &mut dyn Write, listing: &Listing<'_>, problems: &[Diagnostic]) -> io::Result<()> {
    let mut report = markdown::Report::new(out);
    report.line("### kcc-backoff list\n")?;
    let mut said = listing.shown_of_all().unwrap_or_else(|| plain_count(listing.shown.len(), "object"));
    if listing.has_kcc {
        said = format!("{said}, told for Config Connector {}", listing.world.release);
    }
    report.line(&format!("{said}."))?;
    match listing.wish.group_by {
        _ if listing.shown.is_empty() => {}
        Some(group_by) => markdown_groups(&mut report, group_by, listing)?,
        None => markdown_rows(&mut report, listing)?,
    }
    if problems.is_empty() {
        return Ok(());
    }
    report.line(&format!("\n{} with the inputs:\n", plain_count(problems.len(), "problem")))?;
    for (told, problem) in problems.iter().enumerate() {
        let place = problem.place.as_ref().map_or(String::new(), |place| format!("{place}: "));
        if !report.item(&format!("{place}{}: {}", problem.severity.as_str(), problem.message))? {
            return report.line(&format!("\nand {} more.", problems.len() - told));
        }
    }
    Ok(())
}

fn markdown_groups(report: &mut markdown::Report<'_>, group_by: GroupBy, listing: &Listing<'_>) -> io::Result<()> {
    report.line("")?;
    report.head(&[
        group_by.as_str(),
        "objects",
        "halted",
        "failing",
        "waiting",
        "invalid",
        "ineffective",
        "attempts an hour",
    ])?;
    for (told, (key, group)) in listing.groups.iter().enumerate() {
        let row = group_cells(key, group).iter().map(|cell| Cow::Owned(cell.text().to_owned())).collect();
        if !report.rows(&[row])? {
            return report.line(&format!("\nand {} more.", listing.groups.len() - told));
        }
    }
    Ok(())
}

fn markdown_rows(report: &mut markdown::Report<'_>, listing: &Listing<'_>) -> io::Result<()> {
    let ceiling = listing.columns()[CEILING].title.to_lowercase();
    report.line("")?;
    report.head(&["kind", "name", "controller", "state", &ceiling, "interval", "ladder", "message", "place"])?;
    for (told, object) in listing.shown.iter().enumerate() {
        let answer = object.assess(listing.world);
        let brief = answer.brief();
        let cells = cells(&brief, false, listing.world);
        let mut row: Vec<Cow<'_, str>> = cells.iter().map(|cell| Cow::Borrowed(cell.text())).collect();
        row.push(Cow::Owned(brief.place.to_string()));
        if told == MARKDOWN_ROWS || !report.rows(&[row])? {
            return report.line(&format!("\nand {} more.", plain_count(listing.shown.len() - told, "object")));
        }
    }
    Ok(())
}

/// More rows than these nobody reads in a job's summary.
const MARKDOWN_ROWS: usize = 2000;
