//! What is said of a ladder: a sentence and a table.

use std::fmt::Write as _;
use std::time::Duration;

use comfy_table::{ContentArrangement, Table};
use unicode_width::UnicodeWidthStr;

use super::lines::INDENT;
use super::style::{Role, Style};
use crate::backoff::Ladder;
use crate::human;

/// What is said of a ladder.
pub(super) struct Said {
    /// `retries after 1 s, 2 s, 4 s … 8 min 32 s, then every 10 min; …`
    pub(super) sentence: String,
    /// The lines of a table, indented.
    pub(super) table: String,
}

impl Said {
    pub(super) fn of(ladder: &Ladder, style: Style) -> Said {
        Said { sentence: sentence(ladder), table: table(ladder, style) }
    }
}

/// `retries after 1 s, 2 s, 4 s … 8 min 32 s, then every 10 min; 15 attempts in the first hour, 6 an hour after`.
fn sentence(ladder: &Ladder) -> String {
    let plateau = ladder.plateau().unwrap_or(1);
    let delays: Vec<String> = (1..plateau).map(|attempt| human::duration(ladder.delay(attempt))).collect();
    let climb = match delays.as_slice() {
        [] => String::new(),
        [first @ .., last] if first.len() > 3 => format!("after {} … {last}, then ", first[..3].join(", ")),
        all => format!("after {}, then ", all.join(", ")),
    };
    let hour = Duration::from_secs(3600);
    let first_hour = match ladder.attempts_within(hour) {
        1 => "1 attempt".to_owned(),
        attempts => format!("{attempts} attempts"),
    };
    let level = 3600.0 / ladder.max().as_secs_f64();
    let level = if level >= 1.0 {
        format!("{} an hour after", human::rate(level))
    } else {
        "less than 1 an hour after".to_owned()
    };
    format!("retries {climb}every {}; {first_hour} in the first hour, {level}", human::duration(ladder.max()))
}

/// The ladder as lines of a table: attempt, delay, time.
fn table(ladder: &Ladder, style: Style) -> String {
    let steps: Vec<[String; 3]> = ladder
        .climb()
        .map(|step| [step.attempt.to_string(), human::compact(step.delay), human::compact(step.at)])
        .collect();
    // Off a terminal nothing is broken into lines.
    let room = style.width.map_or(usize::MAX, |width| width.saturating_sub(INDENT + "attempt  ".len()));
    let mut lines = String::new();
    let mut rest = steps.as_slice();
    while !rest.is_empty() {
        let mut used = 0;
        let fitting = rest
            .iter()
            .take_while(|cells| {
                used += cells.iter().map(|cell| cell.width()).max().unwrap_or(0) + 2;
                used <= room
            })
            .count()
            .max(1);
        let (now, later) = rest.split_at(fitting);
        rest = later;
        let mut table = Table::new();
        table.load_style(comfy_table::presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        for (row, name) in ["attempt", "delay", "at"].into_iter().enumerate() {
            table.add_row(std::iter::once(name.to_owned()).chain(now.iter().map(|cells| cells[row].clone())));
        }
        for column in table.column_iter_mut() {
            column.set_padding((0, 2));
        }
        for line in table.lines() {
            let _ = writeln!(lines, "{:INDENT$}{}", "", style.paint(Role::Context, line.trim_end()));
        }
    }
    lines
}
