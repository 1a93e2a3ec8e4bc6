use std::borrow::Cow;
use std::io::{self, Write};
use std::time::Duration;

use super::GroupBy;
use super::survey::{Group, GroupKey, Listing};
use crate::assess::{Brief, Interval, LadderInShort, Mark, NextAttempt, World};
use crate::human;
use crate::kcc::Ceiling;
use crate::output::plural::words;
use crate::output::report::{Explanation, each_object};
use crate::output::style::{Role, Style};
use crate::output::table::{Cell, Column, DISPENSABLE, Layout, lay_out};

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
    let shown = Explanation { world, objects: &listing.shown, problems: &[], summary: <_>::default() };
    let printed = each_object(out, &shown, false, |bytes, _: &mut (), answer| {
        layout.row(bytes, &cells(&answer.brief(), wide, world));
        Ok(())
    });
    printed.map(|_| ())
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
    let mut bytes = Vec::new();
    let rows = listing.groups.iter().map(|(key, group)| group_cells(key, group));
    lay_out(&mut bytes, style, &columns, rows, !listing.wish.no_headers);
    out.write_all(&bytes)
}

pub(super) fn group_cells<'g>((key, _): &'g GroupKey, group: &Group) -> Vec<Cell<'g>> {
    let count = |count: usize, role| {
        if count == 0 { Cell::new(Role::Context, "0") } else { Cell::new(role, count.to_string()) }
    };
    let mut cells = vec![Cell::new(Role::Title, key.as_str()), count(group.census.objects, Role::Plain)];
    cells.extend(GROUPED.map(|mark| count(group.census.count(mark), Role::Warning)));
    cells.push(match group.of_known {
        0 => Cell::none(),
        known if known < group.census.objects => Cell::plain(format!("{}+", human::rate(group.attempts_per_hour))),
        _ => Cell::plain(human::rate(group.attempts_per_hour)),
    });
    cells
}

/// Where among them the column of ceilings and modes stands.
pub(super) const CEILING: usize = 4;
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

impl Listing<'_> {
    /// The columns of a table of rows.
    pub(super) fn columns(&self) -> Vec<Column> {
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

pub(super) fn cells<'b>(brief: &'b Brief<'b>, wide: bool, world: &World) -> Vec<Cell<'b>> {
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
fn name<'b>(brief: &Brief<'b>) -> Cow<'b, str> {
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
    if let Some(now) = &mode.now {
        return Cell::new(words::role(now.action), words::action(now.action));
    }
    let (absent, present) = (words::action(mode.if_absent.action), words::action(mode.if_present.action));
    let text = if absent == present { absent.to_owned() } else { format!("{absent}/{present}") };
    Cell::new(words::role(mode.if_present.action), text)
}

fn interval<'b>(brief: &Brief<'b>) -> Cell<'b> {
    match brief.interval {
        Interval::Between(least, most) => Cell::plain(format!("{}…{}", human::compact(least), human::compact(most))),
        Interval::Never => Cell::plain("never"),
        Interval::Invalid => Cell::new(Role::Bad, "invalid"),
        Interval::Panics => Cell::new(Role::Bad, "panics"),
        Interval::None => Cell::none(),
    }
}

/// `250ms…120s`, `1s…600s`, `HALT`: seconds throughout, so that ladders compare at a glance.
fn ladder<'b>(brief: &Brief<'b>) -> Cell<'b> {
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
