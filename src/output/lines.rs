//! How a screen is laid out: titles, and lines of a label, a value, a sentence and a place.

use std::borrow::Cow;
use std::io::Write as _;

use unicode_width::UnicodeWidthStr;

use super::escape::escape;
use super::report::role;
use super::style::{Role, Style};
use crate::object::{Diagnostic, Place, Severity};

/// Width of the column of labels, and of the column of values beside it (longer values push their sentence on).
const LABEL: usize = 14;
const VALUE: usize = 12;
/// Where sentences begin.
pub(super) const INDENT: usize = LABEL + 2;
/// Longer status messages are cut on the screen; JSON has them whole.
const MESSAGE: usize = 400;
/// Titles' places are flush right at this column at most: farther from the name the eye loses them.
const TITLE: usize = 110;

/// Breaks `text` at blanks only: a key or a path that is cut at its hyphens can no longer be searched for.
pub(super) fn wrap(text: &str, width: usize, first: &str) -> Vec<String> {
    let options = textwrap::Options::new(width)
        .initial_indent(first)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::wrap(text, options).into_iter().map(|line| line.into_owned()).collect()
}

/// A status message as it stands on a screen.
pub(super) fn cut(message: &str) -> Cow<'_, str> {
    match message.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]).into(),
        None => message.into(),
    }
}

/// Appends lines to a text. What it is given may come from strangers: it is escaped here.
pub(super) struct Lines<'a> {
    pub(super) bytes: &'a mut Vec<u8>,
    pub(super) style: Style,
}

impl Lines<'_> {
    /// Appends text that is this program's own, or escaped already.
    pub(super) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// The name of what is spoken of, and its place.
    pub(super) fn title(&mut self, title: &str, place: &Place) {
        let title = escape(title);
        self.push(&self.style.paint(Role::Title, &title));
        if self.style == Style::PLAIN {
            self.push("  ");
            self.plain_place(place);
            return self.push("\n");
        }
        let place = place.to_string();
        let place = escape(&place);
        match self.style.width {
            None => self.push("  "),
            Some(width) if title.width() + 2 + place.width() > width => self.push("\n  "),
            Some(width) => {
                let gap = width.min(TITLE).saturating_sub(title.width() + place.width()).max(2);
                self.blanks(gap);
            }
        }
        self.push(&self.style.paint(Role::Context, &place));
        self.push("\n");
    }

    /// A place without colour, as most places of a fleet are printed.
    fn plain_place(&mut self, place: &Place) {
        let file = escape(&place.file);
        self.push(&file);
        // Writing to memory cannot fail.
        let _ = match place.line {
            0 => Ok(()),
            line => write!(self.bytes, ":{line}:{}", place.column),
        };
    }

    /// A line that is there to be copied: never wrapped.
    pub(super) fn command(&mut self, line: &str) {
        let line = escape(line);
        self.blanks(INDENT);
        self.push(&self.style.paint(Role::Value, &line));
        self.push("\n");
    }

    /// A problem with its fix, and where it stands.
    pub(super) fn problem(&mut self, problem: &Diagnostic, place: Option<&Place>) {
        let label = match problem.severity {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
            Severity::Info => "Note",
        };
        let fix = problem.fix.as_ref().map_or(String::new(), |fix| format!("; {fix}"));
        self.put(label, None, role(problem.severity), &format!("{}{fix}", problem.message), place);
    }

    /// A line of a sentence alone.
    pub(super) fn line(&mut self, label: &str, text: &str, place: Option<&Place>) {
        self.put(label, None, Role::Plain, text, place);
    }

    /// A line: a label, a value that catches the eye, a sentence, and where it stands.
    pub(super) fn put(
        &mut self,
        label: &str,
        value: Option<(Role, &str)>,
        role: Role,
        text: &str,
        place: Option<&Place>,
    ) {
        let text = escape(text);
        self.push("  ");
        self.push(label);
        self.blanks(LABEL.saturating_sub(label.len()).max(1));
        let mut used = 0;
        if let Some((role, value)) = value {
            let value = escape(value);
            let gap = VALUE.saturating_sub(value.width()).max(2);
            self.push(&self.style.paint(role, &value));
            if text.is_empty() && place.is_none() {
                // No line ends in blanks.
                return self.push("\n");
            }
            self.blanks(gap);
            used = value.width() + gap;
        }
        let mut column = INDENT + used;
        match self.style.width {
            None => self.push(&self.style.paint(role, &text)),
            Some(width) => {
                // Wrapped as if blanks stood in the value's place, which are then left out again.
                let lines = wrap(&text, width.saturating_sub(INDENT).max(20), &" ".repeat(used));
                for (index, line) in lines.iter().enumerate() {
                    let line = if index == 0 { line.get(used..).unwrap_or_default() } else { line };
                    if index > 0 {
                        self.new_line();
                        column = INDENT;
                    }
                    self.push(&self.style.paint(role, line));
                    column += line.width();
                }
            }
        }
        if let (Some(place), true) = (place, self.style == Style::PLAIN) {
            self.push("  ");
            self.plain_place(place);
        } else if let Some(place) = place {
            let place = place.to_string();
            let place = escape(&place);
            match self.style.width {
                Some(width) if column + 2 + place.width() > width => self.new_line(),
                _ => self.push("  "),
            }
            self.push(&self.style.paint(Role::Context, &place));
        }
        self.push("\n");
    }

    fn new_line(&mut self) {
        self.push("\n");
        self.blanks(INDENT);
    }

    fn blanks(&mut self, count: usize) {
        const BLANKS: &str = "                                ";
        let mut left = count;
        while left > 0 {
            let now = left.min(BLANKS.len());
            self.push(&BLANKS[..now]);
            left -= now;
        }
    }
}
