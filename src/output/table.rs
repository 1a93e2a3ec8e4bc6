//! Tables without borders: columns aligned by what a terminal shows, fitted to its width, whole off a terminal.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::escape::escape;
use super::style::{Role, Style};

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// What stands above it.
    pub(super) title: &'static str,
    /// When it leaves a terminal that is too narrow: the highest rank goes first, 0 stays. From [`DISPENSABLE`] on it
    /// leaves before anything is narrowed.
    pub(super) rank: u8,
    /// How narrow it may become before a column leaves.
    pub(super) least: usize,
}

/// Columns of this rank and above leave before any but the last is narrowed.
pub(super) const DISPENSABLE: u8 = 10;

/// What stands in a column of one row. What comes from strangers is escaped when it is made.
#[derive(Debug, Clone)]
pub(super) struct Cell<'a> {
    role: Role,
    text: Cow<'a, str>,
}

impl<'a> Cell<'a> {
    /// A cell in a role.
    pub(super) fn new(role: Role, text: impl Into<Cow<'a, str>>) -> Cell<'a> {
        let text = match text.into() {
            Cow::Borrowed(text) => escape(text),
            Cow::Owned(text) => match escape(&text) {
                Cow::Borrowed(_) => Cow::Owned(text),
                Cow::Owned(escaped) => Cow::Owned(escaped),
            },
        };
        Cell { role, text }
    }

    /// A cell without a role.
    pub(super) fn plain(text: impl Into<Cow<'a, str>>) -> Cell<'a> {
        Cell::new(Role::Plain, text)
    }

    /// What stands where there is nothing to say.
    pub(super) fn none() -> Cell<'a> {
        Cell { role: Role::Context, text: Cow::Borrowed("-") }
    }

    /// The text, escaped.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// The widest cell of each column.
#[derive(Debug, Clone, Default)]
pub(super) struct Widths(Vec<usize>);

impl Widths {
    /// Takes note of a row.
    pub(super) fn see(&mut self, cells: &[Cell<'_>]) {
        self.0.resize(self.0.len().max(cells.len()), 0);
        for (width, cell) in self.0.iter_mut().zip(cells) {
            *width = (*width).max(shown_width(&cell.text));
        }
    }

    /// Leaves a column out: those behind it move up.
    pub(super) fn forget(&mut self, column: usize) {
        if column < self.0.len() {
            self.0.remove(column);
        }
    }

    /// Takes note of all that another one has seen.
    pub(super) fn merge(&mut self, other: &Widths) {
        self.0.resize(self.0.len().max(other.0.len()), 0);
        for (width, other) in self.0.iter_mut().zip(&other.0) {
            *width = (*width).max(*other);
        }
    }
}

/// Blanks between columns.
const GAP: usize = 2;

/// How wide each column is, and which of them have left.
#[derive(Debug, Clone)]
pub(super) struct Layout<'c> {
    columns: &'c [Column],
    widths: Vec<Option<usize>>,
    style: Style,
}

impl<'c> Layout<'c> {
    /// Fits the columns to the terminal. Off a terminal every column has its full width.
    pub(super) fn new(columns: &'c [Column], seen: &Widths, headers: bool, style: Style) -> Layout<'c> {
        let natural = columns.iter().enumerate().map(|(index, column)| {
            let title = if headers { column.title.width() } else { 0 };
            Some(seen.0.get(index).copied().unwrap_or(0).max(title))
        });
        let mut layout = Layout { columns, widths: natural.collect(), style };
        if let Some(width) = style.width {
            layout.fit(width);
        }
        layout
    }

    fn total(&self) -> usize {
        let present = self.widths.iter().flatten();
        present.clone().sum::<usize>() + GAP * present.count().saturating_sub(1)
    }

    /// Narrows the last column, lets dispensable columns go, then narrows the others, from the last to the first, then
    /// drops those by rank, until the table fits. Where even the columns that stay are too wide, all are narrowed
    /// alike: a line that wraps is worse to read than one that is cut.
    fn fit(&mut self, width: usize) {
        let last = self.columns.last().zip(self.widths.last().copied().flatten());
        let spare = last.map_or(0, |(column, own)| own.saturating_sub(column.least));
        while self.total().saturating_sub(spare) > width
            && let Some(next) = self.next_to_leave().filter(|next| self.columns[*next].rank >= DISPENSABLE)
        {
            self.widths[next] = None;
        }
        loop {
            let full = self.widths.clone();
            for index in (0..self.columns.len()).rev() {
                let excess = self.total().saturating_sub(width);
                if let Some(own) = &mut self.widths[index] {
                    let least = self.columns[index].least.min(*own);
                    *own = own.saturating_sub(excess).max(least);
                }
            }
            if self.total() <= width {
                return;
            }
            let Some(next) = self.next_to_leave() else { break };
            self.widths = full;
            self.widths[next] = None;
        }
        while self.total() > width
            && let Some(widest) = self.widths.iter_mut().flatten().max_by_key(|own| **own).filter(|own| **own > 1)
        {
            *widest -= 1;
        }
    }

    fn next_to_leave(&self) -> Option<usize> {
        let droppable = |index: &usize| self.widths[*index].is_some() && self.columns[*index].rank > 0;
        (0..self.columns.len()).filter(droppable).max_by_key(|index| self.columns[*index].rank)
    }

    /// Appends the line of titles.
    pub(super) fn header(&self, bytes: &mut Vec<u8>) {
        let titles: Vec<Cell<'_>> =
            self.columns.iter().map(|column| Cell { role: Role::Context, text: Cow::Borrowed(column.title) }).collect();
        self.row(bytes, &titles);
    }

    /// Appends a row.
    pub(super) fn row(&self, bytes: &mut Vec<u8>, cells: &[Cell<'_>]) {
        let last = self.widths.iter().rposition(Option::is_some).unwrap_or(0);
        let mut pending = 0;
        for (index, (width, cell)) in self.widths.iter().zip(cells).enumerate() {
            let Some(width) = *width else { continue };
            let (shown, used) = cut(&cell.text, width);
            if !shown.is_empty() {
                // Blanks are written only before something: no line ends in them.
                bytes.resize(bytes.len() + pending, b' ');
                bytes.extend_from_slice(self.style.paint(cell.role, &shown).as_bytes());
                pending = 0;
            }
            if index < last {
                pending += width - used.min(width) + GAP;
            }
        }
        bytes.push(b'\n');
    }
}

/// Appends a table of few rows, all of which are there at once; nothing at all for none.
pub(super) fn lay_out<'a>(
    bytes: &mut Vec<u8>,
    style: Style,
    columns: &[Column],
    rows: impl Iterator<Item = Vec<Cell<'a>>>,
    headers: bool,
) {
    let rows: Vec<Vec<Cell<'a>>> = rows.collect();
    if rows.is_empty() {
        return;
    }
    let mut seen = Widths::default();
    rows.iter().for_each(|row| seen.see(row));
    let layout = Layout::new(columns, &seen, headers, style);
    if headers {
        layout.header(bytes);
    }
    rows.iter().for_each(|row| layout.row(bytes, row));
}

/// How wide a terminal shows a text. Most are ASCII, and fleets have many.
fn shown_width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// As much of a text as fits, with `…` where something is left out, and its width.
fn cut(text: &str, room: usize) -> (Cow<'_, str>, usize) {
    let width = shown_width(text);
    if width <= room {
        return (Cow::Borrowed(text), width);
    }
    if room == 0 {
        return (Cow::Borrowed(""), 0);
    }
    let mut used = 0;
    let mut shown = String::with_capacity(room);
    for character in text.chars() {
        let width = character.width().unwrap_or(0);
        if used + width > room - 1 {
            break;
        }
        used += width;
        shown.push(character);
    }
    shown.push('…');
    (Cow::Owned(shown), used + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Column; 3] = [
        Column { title: "KIND", rank: 0, least: 4 },
        Column { title: "STATE", rank: 1, least: 5 },
        Column { title: "MESSAGE", rank: 0, least: 6 },
    ];

    fn shown(rows: &[[&str; 3]], width: Option<usize>) -> Vec<String> {
        let rows: Vec<Vec<Cell<'_>>> =
            rows.iter().map(|row| row.iter().map(|text| Cell::plain(*text)).collect()).collect();
        let mut seen = Widths::default();
        rows.iter().for_each(|row| seen.see(row));
        let layout = Layout::new(&COLUMNS, &seen, true, Style { color: false, width });
        let mut bytes = Vec::new();
        layout.header(&mut bytes);
        rows.iter().for_each(|row| layout.row(&mut bytes, row));
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    #[test]
    fn columns_align_by_what_a_terminal_shows() {
        let lines = shown(&[["大きい", "ok", "x"], ["abc", "failed", ""]], None);
        assert_eq!(lines, ["KIND    STATE   MESSAGE", "大きい  ok      x", "abc     failed"]);
    }

    #[test]
    fn off_a_terminal_nothing_is_cut() {
        let long = "m".repeat(300);
        let lines = shown(&[["abc", "ok", &long]], None);
        assert!(lines[1].ends_with(&long));
    }

    #[test]
    fn on_a_narrow_terminal_the_last_column_shrinks_first_and_then_the_highest_rank_leaves() {
        let row = ["abcdef", "failed", "a long message"];
        assert_eq!(shown(&[row], Some(30))[1], "abcdef  failed  a long message");
        assert_eq!(shown(&[row], Some(24))[1], "abcdef  failed  a long …");
        assert_eq!(shown(&[row], Some(16))[1], "abcdef  a long …", "STATE has left");
    }

    #[test]
    fn on_a_terminal_too_narrow_for_the_columns_that_stay_the_widest_are_cut() {
        let row = ["abcdef", "failed", "a long message"];
        assert_eq!(shown(&[row], Some(12))[1], "abc…  a lon…");
        assert_eq!(shown(&[row], Some(8))[1], "ab…  a …");
        assert_eq!(shown(&[row], Some(1))[1], "…  …", "a column and a gap are the least");
    }

    #[test]
    fn a_dispensable_column_leaves_before_any_but_the_last_is_narrowed() {
        let columns = [COLUMNS[0], Column { title: "GROUP", rank: DISPENSABLE, least: 3 }, COLUMNS[2]];
        let row = ["abcdef", "some group", "a long message"].map(Cell::plain);
        let mut seen = Widths::default();
        seen.see(&row);
        let fitted = |width| {
            let layout = Layout::new(&columns, &seen, true, Style { color: false, width: Some(width) });
            let mut bytes = Vec::new();
            layout.row(&mut bytes, &row);
            String::from_utf8_lossy(&bytes).trim_end().to_owned()
        };
        assert_eq!(fitted(34), "abcdef  some group  a long message");
        assert_eq!(fitted(33), "abcdef  some group  a long messa…", "the last column is narrowed first");
        assert_eq!(fitted(26), "abcdef  some group  a lon…");
        assert_eq!(fitted(25), "abcdef  a long message");
        assert_eq!(fitted(21), "abcdef  a long messa…");
    }

    #[test]
    fn escape_sequences_are_shown_and_counted_as_shown() {
        assert_eq!(shown(&[["\u{1b}[31m", "a", "b"]], None)[1], "\\u{1b}[31m  a      b");
    }
}
