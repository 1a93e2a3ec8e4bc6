//! Blanks that the parser and libyaml take for different things, and what becomes of documents with them.

use granit_parser::{Event, ScalarStyle as Style, Span, StructureStyle};

use super::build::Builder;
use super::text;
use super::trouble::Trouble;

/// Where in a piece stands what the parser and libyaml may take for different things.
#[derive(Default)]
pub(super) struct Oddities {
    /// Tabs that must not stand in block structure; see [`text::leading_tabs`].
    pub tabs: Vec<usize>,
    /// Line separators that are no line feeds; see [`text::separators`].
    pub separators: Vec<usize>,
    /// Whether the piece begins as JSON does, whose texts kubectl may read with another parser.
    pub json: bool,
}

impl Oddities {
    /// Those from a place of the piece on.
    pub fn from(&self, offset: usize) -> Ahead<'_> {
        let tab = self.tabs.partition_point(|&at| at < offset);
        let separator = self.separators.partition_point(|&at| at < offset);
        Ahead {
            tabs: self.tabs.get(tab..).unwrap_or_default(),
            separators: self.separators.get(separator..).unwrap_or_default(),
            json: self.json,
        }
    }
}

/// The oddities that no token has been judged by yet.
#[derive(Clone, Copy)]
pub(super) struct Ahead<'s> {
    pub tabs: &'s [usize],
    pub separators: &'s [usize],
    json: bool,
}

impl Builder<'_, '_> {
    /// The column that a block collection is indented to. A list may stand in the column of its key, and the parser
    /// says only where its first item is.
    pub(super) fn indent_of(&self, own: bool, span: &Span) -> usize {
        let column = span.start.col();
        let parent = self.memory.frames.last().filter(|frame| frame.mapping && !frame.flow && !own);
        let Some(parent) = parent.filter(|_| !self.ahead.tabs.is_empty()) else { return column };
        let at = span.start.byte_offset().unwrap_or(0);
        let bytes = self.tree.source().as_bytes();
        let line = bytes.get(..at).and_then(|before| memchr::memrchr2(b'\n', b'\r', before)).map_or(0, |end| end + 1);
        let in_line = bytes.get(line + parent.indent) == Some(&b'-');
        if in_line || bytes.get(at) != Some(&b'-') { parent.indent } else { column }
    }

    /// Refuses the tabs that libyaml refuses and this parser lets pass: in front of a token on its line outside flow
    /// collections, and in or behind a plain scalar on a line that is indented less than that. Events come in the order
    /// of the text, so each tab is judged by the token that follows it.
    pub(super) fn judge_tabs(&mut self, event: &Event<'_>, span: &Span) -> Result<(), Box<Trouble>> {
        let source = self.tree.source();
        let (start, end) = (span.start.byte_offset().unwrap_or(0), span.end.byte_offset().unwrap_or(0));
        let in_flow = self.flow > 0
            || (self.memory.frames.is_empty()
                && matches!(
                    event,
                    Event::MappingStart(StructureStyle::Flow, ..) | Event::SequenceStart(StructureStyle::Flow, ..)
                ));
        let (mut text_begin, mut plain) = (None, false);
        if let Event::Scalar(text, style, ..) = event {
            plain = *style == Style::Plain && start < end;
            if matches!(style, Style::Literal | Style::Folded) {
                let header = text::header_line(source, start);
                // Behind its header a block scalar says itself which tabs are text.
                text_begin = Some(header.end);
                if text.trim_start_matches('\n').starts_with('\t')
                    && !text::says_its_indent(source.get(header).unwrap_or_default())
                {
                    return Err(Trouble::tab_in_block(self.pos(&span.start), self.offset + start));
                }
            }
        }
        let structure = !matches!(event, Event::StreamStart | Event::DocumentStart(..) | Event::StreamEnd);
        let indent = self.memory.frames.iter().rev().find(|frame| !frame.flow).map_or(0, |frame| frame.indent + 1);
        while let Some(&tab) = self.ahead.tabs.first() {
            let at = tab - self.offset;
            let inside = matches!(event, Event::Scalar(..)) && at < end;
            if !(inside || structure && at < start) {
                break;
            }
            let before = source.as_bytes().get(..at).unwrap_or_default();
            let column = at - memchr::memrchr2(b'\n', b'\r', before).map_or(0, |line| line + 1);
            let good = if at >= start {
                !plain || column >= indent
            } else if text_begin.is_some_and(|begin| at >= begin) {
                true
            } else {
                let blank =
                    |end: &usize| before.get(*end..).is_some_and(|text| text.iter().all(u8::is_ascii_whitespace));
                self.plain_end = self.plain_end.filter(blank).map(|_| at);
                if self.plain_end.is_some() { column >= indent } else { in_flow }
            };
            if !good {
                return Err(Trouble::tab(self.start.locate(source, at), tab));
            }
            self.ahead.tabs = self.ahead.tabs.get(1..).unwrap_or_default();
        }
        if structure {
            self.plain_end = plain.then_some(end);
        }
        Ok(())
    }

    /// Refuses the line separators that make libyaml read something else: all but those in quotes that it keeps, and
    /// those that end a line which ends there anyway.
    pub(super) fn judge_separators(&mut self, event: &Event<'_>, span: &Span) -> Result<(), Box<Trouble>> {
        let source = self.tree.source();
        let start = span.start.byte_offset().unwrap_or(0);
        let end = span.end.byte_offset().unwrap_or(0);
        let scalar = matches!(event, Event::Scalar(..));
        let quoted = matches!(event, Event::Scalar(_, Style::SingleQuoted | Style::DoubleQuoted, ..));
        // With a line separator in it a key has two lines, and a key must have one.
        let is_key = self.memory.frames.last().is_some_and(|frame| frame.wants_key(&self.memory.pending));
        while let Some(at) = self.ahead.separators.first().map(|at| at - self.offset) {
            let harmless = if at < start {
                text::ends_its_line(source, at)
            } else if scalar && at < end {
                quoted && (self.ahead.json || !is_key && text::is_kept_in_quotes(source, at))
            } else {
                break;
            };
            if !harmless {
                let character = source.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
                return Err(Trouble::line_separator(self.start.locate(source, at), self.offset + at, character));
            }
            self.ahead.separators = self.ahead.separators.get(1..).unwrap_or_default();
        }
        Ok(())
    }
}
