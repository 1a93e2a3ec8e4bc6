//! The documents of a text, one after another, as the parser reads them.

use granit_parser::{ErrorKind, Parser, ScanError, StrInput, TryLoadError};

use super::build::{Builder, Built, Memory, Seen};
use super::mend::{Flow, Mend};
use super::oddities::{Ahead, Oddities};
use super::text::{self, Start};
use super::trouble::Trouble;
use crate::object::{Pos, Tree};

/// How many bytes of a piece may be read twice because it is not plain where a document of it ends.
const PATIENCE: usize = 1024 * 1024;

/// How far the parser may have looked beyond an error.
const LOOKAHEAD: usize = 1024;

/// What the next thing in a piece of text is.
pub(super) enum Next<'s> {
    /// A document with content.
    Document(Tree<'s>),
    /// A document that holds nothing.
    Empty,
    /// Nothing any more.
    End,
    /// A document that cannot be read.
    Broken(Box<Trouble>),
}

/// Reads the documents of one piece of text.
///
/// JSON documents may follow each other without anything between them. YAML's parser does not know that, so each has a
/// parser of its own, and one that is broken hides no other.
pub(super) struct Documents<'s> {
    whole: &'s str,
    oddities: &'s Oddities,
    /// The part of it that the parser was given, where it begins, and whether the parser is done with it.
    text: &'s str,
    offset: usize,
    start: Start,
    parser: Parser<'s, StrInput<'s>>,
    ahead: Ahead<'s>,
    spent: bool,
    /// What is wrong with the next document, if that is known already.
    pending: Option<Box<Trouble>>,
    /// How far the parser came before an error.
    reached: usize,
    /// What is left of [`PATIENCE`].
    patience: usize,
    /// Where a `...` ended a document of the text, and where one ended the document before the last one.
    ended: Option<Pos>,
    ignored_since: Option<Pos>,
}

impl<'s> Documents<'s> {
    pub fn new(whole: &'s str, start: Start, oddities: &'s Oddities) -> Documents<'s> {
        let text = text::first_document(whole);
        Documents {
            whole,
            oddities,
            text,
            offset: 0,
            start,
            parser: parser(text),
            ahead: oddities.from(0),
            spent: false,
            pending: None,
            reached: 0,
            patience: PATIENCE,
            ended: None,
            ignored_since: None,
        }
    }

    /// The next document; its tree goes back into `memory` with [`Memory::take_back`].
    pub fn next(&mut self, memory: &mut Memory) -> Next<'s> {
        loop {
            if self.spent && !self.go_on() {
                return Next::End;
            }
            let ended = self.ended.take();
            let pending = self.pending.take().map(Next::Broken);
            let next = match pending.unwrap_or_else(|| self.next_of_parser(memory, false)) {
                Next::End => {
                    self.spent = true;
                    continue;
                }
                Next::Broken(trouble) => {
                    self.spent = true;
                    let whole = if trouble.mend.is_none() { self.without_cut(memory) } else { None };
                    whole.unwrap_or(Next::Broken(trouble))
                }
                other => other,
            };
            match next {
                Next::Empty => self.ended = self.ended.or(ended),
                _ => self.ignored_since = self.ignored_since.or(ended),
            }
            return next;
        }
    }

    /// Where a `...` stands behind which kubectl ignores the last document.
    pub fn ignored_since(&mut self) -> Option<Pos> {
        self.ignored_since.take()
    }

    /// Goes on behind the text that the parser had; `false` if nothing is there.
    fn go_on(&mut self) -> bool {
        let offset = self.offset + self.text.len();
        let rest = self.whole.get(offset..).unwrap_or_default();
        if rest.is_empty() {
            return false;
        }
        let Pos { line, column } = self.start.locate(self.text, self.text.len());
        self.start = Start { line: line - 1, column: column - 1 };
        self.offset = offset;
        self.text = text::first_document(rest);
        self.parser = parser(self.text);
        self.ahead = self.oddities.from(offset);
        self.spent = false;
        self.ended = None;
        true
    }

    /// Reads a broken document once more, in case that it was cut off where YAML goes on: in quotes or in a comment,
    /// or at a brace in the first column. Where it ends, the parser says.
    fn without_cut(&mut self, memory: &mut Memory) -> Option<Next<'s>> {
        let (cut, rest) = (self.text, self.whole.get(self.offset..)?);
        if rest.len() == cut.len() || self.patience == 0 {
            return None;
        }
        self.text = rest;
        self.parser = parser(rest);
        self.ahead = self.oddities.from(self.offset);
        self.spent = false;
        match self.next_of_parser(memory, true) {
            document @ Next::Document(_) => Some(document),
            _ => {
                self.patience = self.patience.saturating_sub(self.reached + LOOKAHEAD);
                (self.text, self.spent) = (cut, true);
                None
            }
        }
    }

    /// What the parser makes of its text. With `in_row` another JSON document may follow.
    fn next_of_parser(&mut self, memory: &mut Memory, in_row: bool) -> Next<'s> {
        let mut builder = Builder::new(self.text, self.offset, self.start, self.ahead, memory);
        let outcome = self.parser.try_load(&mut builder, false);
        let Built { tree, seen, flow, last, ended, ahead } = builder.finish();
        (self.ended, self.ahead) = (ended, ahead);
        let next = match (outcome, seen) {
            (Err(TryLoadError::Receiver(trouble)), _) => {
                self.reached = trouble.byte.saturating_sub(self.offset).min(self.text.len());
                Next::Broken(trouble)
            }
            (Err(TryLoadError::Scan(error)), _) => Next::Broken(self.explain(&error, flow, last)),
            (Ok(()), Seen::Nothing) => Next::End,
            (Ok(()), Seen::Empty) => Next::Empty,
            // A document is good only if what follows is the end or another document.
            (Ok(()), Seen::Root(root)) => match self.parser.peek().and_then(Result::err) {
                None => return Next::Document(tree.with_root(root)),
                Some(error) => {
                    let byte = error.marker().byte_offset().unwrap_or(0);
                    let (text, rest) = self.text.split_at_checked(byte).unwrap_or((self.text, ""));
                    if in_row && matches!(error.kind(), ErrorKind::ExpectedDocumentStart) && rest.starts_with('{') {
                        (self.text, self.spent) = (text, true);
                        return Next::Document(tree.with_root(root));
                    }
                    let trouble = self.explain(&error, 0, last);
                    if ended.is_some() {
                        self.pending = Some(trouble);
                        return Next::Document(tree.with_root(root));
                    }
                    Next::Broken(trouble)
                }
            },
        };
        memory.take_back(tree);
        next
    }

    /// What an error of the parser means. When it told of the token that ends at the byte `last`, `flow` collections
    /// were open; it scans ahead of what it tells.
    fn explain(&mut self, error: &ScanError, flow: u32, last: usize) -> Box<Trouble> {
        let (kind, marker) = (error.kind(), error.marker());
        let byte = marker.byte_offset().unwrap_or(0).min(self.text.len());
        self.reached = match kind {
            // What is never closed stands where it was opened.
            ErrorKind::UnclosedQuotedScalar | ErrorKind::UnclosedFlowCollection { .. } => self.text.len(),
            _ => byte,
        };
        if let Some(at) = self.separator_near(byte) {
            let character = self.text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or_default();
            return Trouble::line_separator(self.start.locate(self.text, at), self.offset + at, character);
        }
        let flow_at = |at| Flow::at(self.text.as_bytes(), last.min(at), flow, at).open;
        if let Some(tab) = self.guilty_tab(kind, byte, flow_at(byte) > 0) {
            let mut trouble = Trouble::tab(self.start.locate(self.text, tab), self.offset + tab);
            if flow_at(tab) > 0 {
                let (since, from) = (self.offset + last.min(tab), self.offset + tab);
                trouble.mend = Some(Mend::FlowTabs { since, open: flow, from });
            }
            return trouble;
        }
        let pos = self.start.pos(marker.line(), marker.col());
        let mut trouble = Trouble::from_parser(kind, pos, self.offset + byte);
        if matches!(kind, ErrorKind::CommentNotSeparated) {
            trouble.mend = Some(Mend::Comment { from: self.offset + byte });
        }
        trouble
    }

    /// The first line separator on the line of an error, which it probably caused.
    fn separator_near(&self, byte: usize) -> Option<usize> {
        let known = &self.oddities.separators;
        let (before, behind) = self.text.as_bytes().split_at_checked(byte)?;
        let begin = self.offset + memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        let at = *known.get(known.partition_point(|&at| at < begin))?;
        let end = self.offset + byte + memchr::memchr(b'\n', behind).unwrap_or(behind.len());
        (at < end).then(|| at - self.offset)
    }

    /// The tab that an error is about, if it is about one: the parser says so, or the line of the error is indented
    /// with one in block structure.
    fn guilty_tab(&self, kind: &ErrorKind, byte: usize, in_flow: bool) -> Option<usize> {
        let before = &self.text.as_bytes()[..byte];
        let line = memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1);
        let says_so = matches!(
            kind,
            ErrorKind::TabNotAllowed
                | ErrorKind::TabInBlockIndentation
                | ErrorKind::TabInIndentation
                | ErrorKind::TabAtBlockScalarStart
                | ErrorKind::TabInPlainScalar
        );
        let tab = before.get(line..)?.iter().position(|&b| b != b' ').map(|at| line + at);
        match tab {
            Some(tab) if before[tab] == b'\t' && (says_so || !in_flow) => Some(tab),
            // It may be on the line after the one where the scalar began.
            _ if says_so => text::leading_tabs(self.text, line)
                .next()
                .or_else(|| memchr::memchr(b'\t', &self.text.as_bytes()[line..]).map(|at| line + at)),
            _ => None,
        }
    }
}

fn parser(text: &str) -> Parser<'_, StrInput<'_>> {
    // Comments are switched off at run time because another crate of the build may have switched the feature on.
    // To libyaml, and so to kubectl, a byte order mark is a character like any other except where a document begins.
    let options = granit_parser::options! { emit_comments: false, bom_inside_document_as_content: true };
    Parser::new_from_str_with_options(text, options)
}
