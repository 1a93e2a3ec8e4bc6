//! Reports as GitHub's Markdown, for a CI job's summary.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::escape::escape;

/// Writes a table. Cells may come from strangers: what Markdown or HTML would obey is escaped.
pub(super) fn table<'c>(
    out: &mut dyn Write,
    titles: &[&str],
    rows: impl Iterator<Item = Vec<std::borrow::Cow<'c, str>>>,
) -> io::Result<()> {
    head(out, titles)?;
    for cells in rows {
        row(out, &cells)?;
    }
    Ok(())
}

/// Writes the titles of a table and the rule below them.
pub(super) fn head(out: &mut dyn Write, titles: &[&str]) -> io::Result<()> {
    writeln!(out, "| {} |", titles.join(" | "))?;
    writeln!(out, "|{}", "---|".repeat(titles.len()))
}

/// Writes one row.
pub(super) fn row(out: &mut dyn Write, cells: &[std::borrow::Cow<'_, str>]) -> io::Result<()> {
    let cells: Vec<String> = cells.iter().map(|cell| text(cell)).collect();
    writeln!(out, "| {} |", cells.join(" | "))
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

    #[test]
    fn a_table_has_a_title_a_rule_and_a_line_for_each_row() {
        let mut bytes = Vec::new();
        let rows = [vec!["x".into(), "1".into()]];
        assert!(table(&mut bytes, &["name", "count"], rows.into_iter()).is_ok());
        assert_eq!(String::from_utf8_lossy(&bytes), "| name | count |\n|---|---|\n| x | 1 |\n");
    }
}
