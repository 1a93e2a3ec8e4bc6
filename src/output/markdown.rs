//! Reports as GitHub's Markdown, for a CI job's summary.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write};

use super::escape::escape;

/// GitHub refuses a job's summary above 1 MiB as a whole; what is left out is said in what remains.
const MOST: usize = 1_000_000;

/// How much of a cell is shown: messages have no bound.
const LONGEST_CELL: usize = 500;

/// A report in the making, which stops before it becomes too long for a job's summary.
pub(super) struct Report<'o> {
    out: &'o mut dyn Write,
    left: usize,
}

impl<'o> Report<'o> {
    /// Nothing is written yet.
    pub(super) fn new(out: &'o mut dyn Write) -> Report<'o> {
        Report { out, left: MOST }
    }

    /// Writes a line, whatever room there is: a heading, or what was left out.
    pub(super) fn line(&mut self, line: &str) -> io::Result<()> {
        self.left = self.left.saturating_sub(line.len() + 1);
        writeln!(self.out, "{line}")
    }

    /// Writes the titles of a table and the rule below them.
    pub(super) fn head(&mut self, titles: &[&str]) -> io::Result<()> {
        self.line(&format!("| {} |", titles.join(" | ")))?;
        self.line(&format!("|{}", "---|".repeat(titles.len())))
    }

    /// Writes the rows of one object, or none of them: then there is no room for this one, nor for any other, and the
    /// answer is no. Cells may come from strangers: what Markdown or HTML would obey is escaped.
    pub(super) fn rows(&mut self, rows: &[Vec<Cow<'_, str>>]) -> io::Result<bool> {
        let mut lines = String::new();
        for cells in rows {
            let cells: Vec<String> = cells.iter().map(|cell| text(&shortened(cell))).collect();
            let _ = writeln!(lines, "| {} |", cells.join(" | "));
        }
        self.if_it_fits(&lines)
    }

    /// Writes an item of a list, or answers no, as [`Report::rows`] does.
    pub(super) fn item(&mut self, item: &str) -> io::Result<bool> {
        self.if_it_fits(&format!("- {}\n", text(&shortened(item))))
    }

    fn if_it_fits(&mut self, lines: &str) -> io::Result<bool> {
        let Some(left) = self.left.checked_sub(lines.len()) else {
            self.left = 0;
            return Ok(false);
        };
        self.left = left;
        self.out.write_all(lines.as_bytes()).map(|()| true)
    }
}

fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST_CELL) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// A text in which nothing means more to Markdown, or to the HTML in it, than what it says.
pub(super) fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 8);
    for character in escape(text).chars() {
        match character {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '@' | '#' => {
                // No mention of a person, no link to an issue.
                let _ = write!(safe, "&#{};", character as u32);
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '|' | '~' | '!' | '$' | '{' | '}' => {
                safe.push('\\');
                safe.push(character);
            }
            other => safe.push(other),
        }
    }
    // A bare URL would become a link.
    safe.replace("://", "&#58;//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_and_html_in_names_and_messages_are_shown_and_not_obeyed() {
        let cases = [
            ("plain-name", "plain-name"),
            ("a|b", "a\\|b"),
            ("<img src=x>", "&lt;img src=x&gt;"),
            ("[x](http://y)", "\\[x\\]\\(http&#58;//y\\)"),
            ("**bold** `code`", "\\*\\*bold\\*\\* \\`code\\`"),
            ("two\nlines", "two\\\\nlines"),
            ("@everyone", "&#64;everyone"),
        ];
        for (given, expected) in cases {
            assert_eq!(text(given), expected);
        }
    }

    fn cells(text: &str) -> Vec<Vec<Cow<'_, str>>> {
        vec![vec![text.into(), "1".into()]]
    }

    #[test]
    fn a_table_has_titles_a_rule_and_a_line_for_each_row() {
        let mut bytes = Vec::new();
        let mut report = Report::new(&mut bytes);
        assert!(report.head(&["name", "count"]).is_ok());
        assert!(report.rows(&cells("x")).is_ok_and(|told| told));
        assert_eq!(String::from_utf8_lossy(&bytes), "| name | count |\n|---|---|\n| x | 1 |\n");
    }

    #[test]
    fn a_report_stops_before_it_is_too_long_and_tells_nothing_behind_what_it_left_out() {
        let mut bytes = Vec::new();
        let mut report = Report::new(&mut bytes);
        let long = "m".repeat(LONGEST_CELL);
        let told = (0..3000).take_while(|_| report.rows(&cells(&long)).is_ok_and(|told| told)).count();
        assert!(report.rows(&cells("x")).is_ok_and(|told| !told), "though this one is short");
        assert!(report.item("x").is_ok_and(|told| !told));
        assert!(report.line("and more").is_ok());
        assert_eq!(told, MOST / (LONGEST_CELL + "|  | 1 |\n".len()));
        assert!(bytes.len() < 1 << 20 && bytes.ends_with(b" |\nand more\n"), "{}", bytes.len());
    }

    #[test]
    fn a_huge_message_is_cut() {
        let mut bytes = Vec::new();
        assert!(Report::new(&mut bytes).item(&"é".repeat(LONGEST_CELL + 1)).is_ok_and(|told| told));
        assert_eq!(String::from_utf8_lossy(&bytes), format!("- {}…\n", "é".repeat(LONGEST_CELL)));
    }
}
