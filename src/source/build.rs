//! From the parser's events to a [`Tree`](crate::object::Tree). All that is known of granit-parser is in here.

use std::collections::HashMap;

use granit_parser::{
    ErrorKind, Event, Marker, Parser, ScalarStyle as Style, ScanError, Span, StrInput, StructureStyle, Tag,
    TryLoadError, TrySpannedEventReceiver,
};

use super::text::{self, Start};
use crate::object::{Code, NodeKind, Pos, ScalarStyle, Tree};

/// Nodes that all aliases of a document may stand for together. Real files stay below a thousandth of it; an alias
/// bomb of ten lines goes beyond 10^9.
const MAX_ALIASED: u64 = 1_000_000;

/// How deep a tree may become through aliases of aliases. The parser itself stops at 255 levels of each style.
const MAX_DEPTH: u32 = 512;

/// Mappings up to this size are searched for duplicate keys by comparing all with all.
const SMALL: usize = 12;

/// Why a document cannot be read.
#[derive(Debug)]
pub(super) struct Trouble {
    pub code: Code,
    pub pos: Pos,
    /// Where in the text of the piece, in bytes.
    pub byte: usize,
    pub message: String,
    pub fix: Option<String>,
    /// How many flow collections are open around a tab that only the parser objects to, not libyaml.
    pub open: u32,
}

/// What is left of one document when the next begins: memory to use again.
#[derive(Default)]
pub(super) struct Memory {
    tree: Tree<'static>,
    frames: Vec<Frame>,
    pending: Vec<u32>,
    anchors: Vec<Anchor>,
    sorted: Vec<u32>,
}

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
    /// The part of it that the parser was given, where it begins, and whether the parser is done with it.
    text: &'s str,
    offset: usize,
    start: Start,
    parser: Parser<'s, StrInput<'s>>,
    spent: bool,
    /// Where tabs stand that must not stand in block structure; see [`text::leading_tabs`].
    tabs: &'s [usize],
}

impl<'s> Documents<'s> {
    pub fn new(whole: &'s str, start: Start, tabs: &'s [usize]) -> Documents<'s> {
        let text = text::first_document(whole);
        Documents { whole, text, offset: 0, start, parser: parser(text), spent: false, tabs }
    }

    /// The next document; its tree goes back into `memory` with [`Memory::take_back`].
    pub fn next(&mut self, memory: &mut Memory) -> Next<'s> {
        loop {
            if self.spent && !self.go_on() {
                return Next::End;
            }
            match self.next_of_parser(memory) {
                Next::End => self.spent = true,
                broken @ Next::Broken(_) => {
                    self.spent = true;
                    return broken;
                }
                other => return other,
            }
        }
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
        self.spent = false;
        true
    }

    fn next_of_parser(&mut self, memory: &mut Memory) -> Next<'s> {
        let tree = std::mem::take(&mut memory.tree).over(self.text);
        memory.clear();
        let mut builder = Builder {
            tree,
            memory,
            start: self.start,
            offset: self.offset,
            tabs: self.tabs,
            seen: Seen::Nothing,
            flow: 0,
            after_plain: false,
            expanded: 0,
            aliased: 0,
        };
        let outcome = self.parser.try_load(&mut builder, false);
        let Builder { tree, seen, tabs, flow, .. } = builder;
        self.tabs = tabs;
        let next = match (outcome, seen) {
            (Err(TryLoadError::Receiver(trouble)), _) => Next::Broken(trouble),
            (Err(TryLoadError::Scan(error)), _) => Next::Broken(self.explain(&error, flow)),
            (Ok(()), Seen::Nothing) => Next::End,
            (Ok(()), Seen::Empty) => Next::Empty,
            // A document is good only if what follows is the end or another document.
            (Ok(()), Seen::Root(root)) => match self.parser.peek().and_then(Result::err) {
                None => return Next::Document(tree.with_root(root)),
                Some(error) => Next::Broken(self.explain(&error, 0)),
            },
        };
        memory.take_back(tree);
        next
    }

    fn explain(&self, error: &ScanError, flow: u32) -> Box<Trouble> {
        let marker = error.marker();
        let byte = marker.byte_offset().unwrap_or(0).min(self.text.len());
        if let Some(tab) = self.guilty_tab(error.kind(), byte, flow > 0 || self.is_json()) {
            let pos = self.start.locate(self.text, tab);
            return Box::new(Trouble { open: flow, ..*tab_trouble(pos, self.offset + tab) });
        }
        let (code, message, fix) = describe(error.kind());
        Box::new(Trouble {
            code,
            pos: self.start.pos(marker.line(), marker.col()),
            byte: self.offset + byte,
            message,
            fix,
            open: 0,
        })
    }

    /// Whether the document is one flow collection. The scanner runs ahead of the events, so an error in it may come
    /// before the event of its beginning.
    fn is_json(&self) -> bool {
        self.text.get(text::preamble(self.text)..).is_some_and(|text| text.starts_with(['{', '[']))
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
            _ if says_so => {
                let known = self.tabs.iter().map(|tab| tab.wrapping_sub(self.offset)).find(|&tab| tab >= line);
                known.or_else(|| memchr::memchr(b'\t', &self.text.as_bytes()[line..]).map(|at| line + at))
            }
            _ => None,
        }
    }
}

impl Memory {
    /// Gives the memory of a tree back.
    pub fn take_back(&mut self, tree: Tree<'_>) {
        self.tree = tree.over("");
    }

    fn clear(&mut self) {
        self.frames.clear();
        self.pending.clear();
        self.anchors.clear();
    }
}

fn parser(text: &str) -> Parser<'_, StrInput<'_>> {
    // Comments are switched off at run time because another crate of the build may have switched the feature on.
    // libyaml, and so kubectl, adds no line feed to a block scalar that ends with the file.
    let options = granit_parser::options! { emit_comments: false, block_scalar_eof_without_line_feed: true };
    Parser::new_from_str_with_options(text, options)
}

fn tab_trouble(pos: Pos, byte: usize) -> Box<Trouble> {
    Box::new(Trouble {
        code: Code::TabIndentation,
        pos,
        byte,
        message: "indented with a tab; YAML allows only spaces".into(),
        fix: Some("put spaces in the tab's place".into()),
        open: 0,
    })
}

struct Builder<'b, 's> {
    tree: Tree<'s>,
    memory: &'b mut Memory,
    start: Start,
    offset: usize,
    tabs: &'s [usize],
    seen: Seen,
    /// How many flow collections are open.
    flow: u32,
    /// Whether the last token was a plain scalar, which swallows blank lines behind it.
    after_plain: bool,
    /// Nodes so far, those behind aliases counted each time.
    expanded: u64,
    aliased: u64,
}

enum Seen {
    Nothing,
    Empty,
    Root(u32),
}

/// An open sequence or mapping.
struct Frame {
    id: u32,
    mapping: bool,
    flow: bool,
    /// Whether one of its keys is `<<`.
    merges: bool,
    /// Where its children begin in `pending`.
    base: usize,
    /// What `expanded` was before it.
    before: u64,
    /// Levels below it.
    height: u32,
    /// Column of a block collection, from 0.
    indent: usize,
    /// Index into the anchors.
    anchor: Option<usize>,
}

impl Frame {
    /// Whether the next node is a key; `pending` are the children so far.
    fn wants_key(&self, pending: &[u32]) -> bool {
        self.mapping && (pending.len() - self.base).is_multiple_of(2)
    }

    /// Whether the next node is the value of the last one.
    fn wants_value(&self, pending: &[u32]) -> bool {
        self.mapping && !self.wants_key(pending)
    }
}

struct Anchor {
    /// The parser's number for it; they ascend.
    number: usize,
    id: u32,
    /// Nodes in it, those behind aliases counted each time; `None` while it is open.
    weight: Option<u64>,
    height: u32,
}

impl<'s> TrySpannedEventReceiver<'s> for Builder<'_, 's> {
    type Error = Box<Trouble>;

    fn on_event(&mut self, event: Event<'s>, span: Span) -> Result<(), Box<Trouble>> {
        if !self.tabs.is_empty() {
            self.judge_tabs(&event, &span)?;
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => self.scalar(&text, style, anchor, tag.as_deref(), &span),
            Event::MappingStart(style, anchor, tag) => self.open(true, style, anchor, tag.as_deref(), &span),
            Event::SequenceStart(style, anchor, tag) => self.open(false, style, anchor, tag.as_deref(), &span),
            Event::MappingEnd | Event::SequenceEnd => self.close(),
            Event::Alias(number) => self.alias(number, &span),
            _ => Ok(()),
        }
    }
}

impl Builder<'_, '_> {
    fn scalar(
        &mut self,
        text: &str,
        style: Style,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
    ) -> Result<(), Box<Trouble>> {
        let absent = span.start.index() == span.end.index() && style == Style::Plain;
        let text = if absent { "" } else { text };
        let (tag, start) = self.tag(tag, span);
        let pos = self.pos(&start);
        if absent && tag == 0 && anchor == 0 && self.memory.frames.is_empty() {
            self.seen = Seen::Empty;
            return Ok(());
        }
        let style = match style {
            Style::Plain => ScalarStyle::Plain,
            Style::SingleQuoted => ScalarStyle::SingleQuoted,
            Style::DoubleQuoted => ScalarStyle::DoubleQuoted,
            Style::Literal => ScalarStyle::Literal,
            Style::Folded => ScalarStyle::Folded,
        };
        let id = self.tree.push_scalar(text, style, pos, tag);
        self.expanded += 1;
        if anchor != 0 {
            self.memory.anchors.push(Anchor { number: anchor, id, weight: Some(1), height: 0 });
        }
        self.place(id, pos, &span.start)
    }

    fn open(
        &mut self,
        mapping: bool,
        style: StructureStyle,
        anchor: usize,
        tag: Option<&Tag>,
        span: &Span,
    ) -> Result<(), Box<Trouble>> {
        let (tag, start) = self.tag(tag, span);
        let pos = self.pos(&start);
        let kind = if mapping { NodeKind::Mapping } else { NodeKind::Sequence };
        let id = self.tree.open(kind, pos, tag);
        self.place(id, pos, &span.start)?;
        let anchor = (anchor != 0).then(|| {
            self.memory.anchors.push(Anchor { number: anchor, id, weight: None, height: 0 });
            self.memory.anchors.len() - 1
        });
        let flow = style == StructureStyle::Flow;
        self.flow += u32::from(flow);
        self.memory.frames.push(Frame {
            id,
            mapping,
            flow,
            merges: false,
            base: self.memory.pending.len(),
            before: self.expanded,
            height: 0,
            indent: span.start.col(),
            anchor,
        });
        self.expanded += 1;
        Ok(())
    }

    fn close(&mut self) -> Result<(), Box<Trouble>> {
        let Some(frame) = self.memory.frames.pop() else { return Ok(()) };
        self.flow -= u32::from(frame.flow);
        if frame.mapping {
            self.refuse_duplicates(frame.base)?;
        }
        if frame.merges {
            self.merge(frame.base)?;
        }
        let memory = &mut *self.memory;
        self.tree.close(frame.id, memory.pending.get(frame.base..).unwrap_or_default());
        memory.pending.truncate(frame.base);
        if let Some(parent) = memory.frames.last_mut() {
            parent.height = parent.height.max(frame.height + 1);
        }
        if let Some(anchor) = frame.anchor.and_then(|index| memory.anchors.get_mut(index)) {
            anchor.weight = Some(self.expanded - frame.before);
            anchor.height = frame.height + 1;
        }
        Ok(())
    }

    fn alias(&mut self, number: usize, span: &Span) -> Result<(), Box<Trouble>> {
        let anchors = &self.memory.anchors;
        let found = anchors.binary_search_by_key(&number, |anchor| anchor.number);
        let Some(anchor) = found.ok().and_then(|index| anchors.get(index)) else { return Ok(()) };
        let (id, height) = (anchor.id, anchor.height);
        let Some(weight) = anchor.weight else {
            return self.fail(Code::AliasBomb, span, "an alias stands inside the very node that it stands for");
        };
        self.expanded += weight;
        self.aliased += weight;
        if self.aliased > MAX_ALIASED {
            let message = format!("aliases make this document larger than {MAX_ALIASED} nodes");
            return self.fail(Code::AliasBomb, span, message);
        }
        let depth = self.memory.frames.len() as u64;
        if depth + u64::from(height) > u64::from(MAX_DEPTH) {
            return self.fail(Code::TooDeep, span, format!("aliases nest more than {MAX_DEPTH} levels deep"));
        }
        let Some(frame) = self.memory.frames.last_mut() else { return Ok(()) };
        frame.height = frame.height.max(height);
        // kubectl takes a list of mappings for a merge only where it is written out.
        let key = self.memory.pending.last().filter(|_| frame.merges && frame.wants_value(&self.memory.pending));
        if let Some(&key) = key
            && self.is_merge_key(key)
            && self.tree.kind_of(id) != NodeKind::Mapping
        {
            return self.bad_merge(key);
        }
        self.place(id, self.pos(&span.start), &span.start)
    }

    /// Puts a node where it belongs: under its parent, or on top.
    fn place(&mut self, id: u32, pos: Pos, at: &Marker) -> Result<(), Box<Trouble>> {
        let Some(frame) = self.memory.frames.last_mut() else {
            self.seen = Seen::Root(id);
            return Ok(());
        };
        let is_key = frame.wants_key(&self.memory.pending);
        self.memory.pending.push(id);
        if !is_key {
            return Ok(());
        }
        let byte = self.offset + at.byte_offset().unwrap_or(0);
        let trouble = |message: &str, fix: &str| {
            let fix = Some(fix.to_owned());
            Err(Box::new(Trouble { code: Code::BadKey, pos, byte, message: message.to_owned(), fix, open: 0 }))
        };
        let tree = &self.tree;
        match tree.kind_of(id) {
            NodeKind::Mapping => return trouble("a mapping cannot be a key", "quote it, if it is meant as text"),
            NodeKind::Sequence => return trouble("a sequence cannot be a key", "quote it, if it is meant as text"),
            NodeKind::Scalar => {}
        }
        let text = tree.text_of(id);
        if text.len() > 4 || !tree.is_bare(id) {
            frame.merges |= text == "<<" && tree.tag_of(id) == Some("tag:yaml.org,2002:merge");
            return Ok(());
        }
        match text {
            "<<" => frame.merges = true,
            "" | "~" | "null" | "Null" | "NULL" => return trouble("a key cannot be null", "name or quote it"),
            _ => {}
        }
        Ok(())
    }

    /// Whether a key is a merge, as kubectl sees it: plain `<<`, or any `<<` with the tag that says so.
    fn is_merge_key(&self, key: u32) -> bool {
        let tree = &self.tree;
        tree.text_of(key) == "<<" && (tree.is_bare(key) || tree.tag_of(key) == Some("tag:yaml.org,2002:merge"))
    }

    /// No key twice. kubectl lets the last one win without a word, which hides what the author lost. Merges may be
    /// repeated: each adds to the mapping.
    fn refuse_duplicates(&mut self, base: usize) -> Result<(), Box<Trouble>> {
        let pairs = self.memory.pending.get(base..).unwrap_or_default();
        let tree = &self.tree;
        let twice = if pairs.len() <= 2 * SMALL {
            pairs.chunks(2).enumerate().find_map(|(index, pair)| {
                let text = tree.text_of(pair[0]);
                let earlier = pairs.chunks(2).take(index).find(|pair| tree.text_of(pair[0]) == text)?;
                (!self.is_merge_key(pair[0])).then_some((earlier[0], pair[0]))
            })
        } else {
            let sorted = &mut self.memory.sorted;
            sorted.clear();
            sorted.extend(pairs.chunks(2).map(|pair| pair[0]));
            // An alias as a key has an id of its own place; the order of the file is that of `pairs`.
            sorted.sort_by(|a, b| tree.text_of(*a).cmp(tree.text_of(*b)));
            let equal = |pair: &&[u32]| tree.text_of(pair[0]) == tree.text_of(pair[1]);
            let found = self.memory.sorted.windows(2).filter(equal).filter(|pair| !self.is_merge_key(pair[1]));
            found.map(|pair| (pair[0], pair[1])).min_by_key(|(_, second)| tree.pos_of(*second))
        };
        let Some((first, second)) = twice else { return Ok(()) };
        let (from, pos) = (tree.pos_of(first), tree.pos_of(second));
        let key = tree.text_of(second);
        let lines = if from.line == pos.line {
            format!("both on line {}", pos.line)
        } else {
            format!("lines {} and {}", from.line, pos.line)
        };
        let message = format!("key {} is given twice in one mapping: {lines}", shown(key));
        let fix = Some("keep one of the two".into());
        Err(Box::new(Trouble { code: Code::DuplicateKey, pos, byte: usize::MAX, message, fix, open: 0 }))
    }

    /// Resolves `<<` as kubectl does (measured): entries are set one after another, so a merge overrides the keys
    /// above it and is overridden by those below it; of a sequence of mappings the first wins.
    fn merge(&mut self, base: usize) -> Result<(), Box<Trouble>> {
        let pairs: Vec<u32> = self.memory.pending.drain(base..).collect();
        let mut merged = Merged::default();
        for pair in pairs.chunks_exact(2) {
            let (key, value) = (pair[0], pair[1]);
            let tree = &self.tree;
            if !self.is_merge_key(key) {
                merged.set(tree, key, value, true);
                continue;
            }
            let sources: &[u32] = match tree.kind_of(value) {
                NodeKind::Mapping => &[value],
                NodeKind::Sequence => tree.children_of(value),
                NodeKind::Scalar => return self.bad_merge(key),
            };
            for &source in sources.iter().rev() {
                if tree.kind_of(source) != NodeKind::Mapping {
                    return self.bad_merge(key);
                }
                let entries = tree.children_of(source);
                self.aliased += entries.len() as u64;
                if self.aliased > MAX_ALIASED {
                    let message = format!("merges make this document larger than {MAX_ALIASED} nodes");
                    let pos = tree.pos_of(key);
                    let code = Code::AliasBomb;
                    return Err(Box::new(Trouble { code, pos, byte: usize::MAX, message, fix: None, open: 0 }));
                }
                for entry in entries.chunks_exact(2) {
                    merged.set(tree, entry[0], entry[1], false);
                }
            }
        }
        for own in [true, false] {
            let wanted = merged.entries.iter().filter(|entry| entry.own == own);
            self.memory.pending.extend(wanted.flat_map(|entry| [entry.key, entry.value]));
        }
        Ok(())
    }

    fn bad_merge(&self, key: u32) -> Result<(), Box<Trouble>> {
        Err(Box::new(Trouble {
            code: Code::BadMerge,
            pos: self.tree.pos_of(key),
            byte: usize::MAX,
            message: "a merge (`<<`) takes a mapping, an alias of one, or a list of these".into(),
            fix: Some("quote the key, if it is meant as text".into()),
            open: 0,
        }))
    }

    fn fail(&self, code: Code, span: &Span, message: impl Into<String>) -> Result<(), Box<Trouble>> {
        let byte = self.offset + span.start.byte_offset().unwrap_or(0);
        Err(Box::new(Trouble { code, pos: self.pos(&span.start), byte, message: message.into(), fix: None, open: 0 }))
    }

    fn pos(&self, marker: &Marker) -> Pos {
        self.start.pos(marker.line(), marker.col())
    }

    /// Keeps a tag; its number, and where the node starts: at its tag, if it has one.
    fn tag(&mut self, tag: Option<&Tag>, span: &Span) -> (u32, Marker) {
        let Some(tag) = tag else { return (0, span.start) };
        let (handle, suffix) = tag.parts();
        (self.tree.push_tag(format!("{handle}{suffix}")), span.tag_start().unwrap_or(span.start))
    }

    /// Refuses the tabs that libyaml refuses and this parser lets pass: in front of a token on its line, outside
    /// flow collections. Events come in the order of the text, so each tab is judged by the token that follows it.
    fn judge_tabs(&mut self, event: &Event<'_>, span: &Span) -> Result<(), Box<Trouble>> {
        let start = self.offset + span.start.byte_offset().unwrap_or(0);
        let end = self.offset + span.end.byte_offset().unwrap_or(0);
        let top_level_json = self.memory.frames.is_empty()
            && matches!(
                event,
                Event::MappingStart(StructureStyle::Flow, ..) | Event::SequenceStart(StructureStyle::Flow, ..)
            );
        // Block scalars say themselves which tabs are text.
        let block_scalar = matches!(event, Event::Scalar(_, Style::Literal | Style::Folded, ..));
        let indent = self.memory.frames.iter().rev().find(|frame| !frame.flow).map_or(0, |frame| frame.indent + 1);
        while let Some(&tab) = self.tabs.first() {
            let Some(at) = tab.checked_sub(self.offset) else {
                self.tabs = self.tabs.get(1..).unwrap_or_default();
                continue;
            };
            let judged =
                tab < start && !matches!(event, Event::StreamStart | Event::DocumentStart(..) | Event::StreamEnd);
            if judged && self.flow == 0 && !top_level_json && !block_scalar {
                let before = &self.tree.source().as_bytes()[..at];
                let column = at - memchr::memrchr2(b'\n', b'\r', before).map_or(0, |line| line + 1);
                if !(self.after_plain && column >= indent) {
                    return Err(tab_trouble(self.start.locate(self.tree.source(), at), tab));
                }
            }
            let inside = matches!(event, Event::Scalar(..)) && tab < end;
            if !judged && !inside {
                break;
            }
            self.tabs = self.tabs.get(1..).unwrap_or_default();
        }
        let is_key = self.memory.frames.last().is_some_and(|frame| frame.wants_key(&self.memory.pending));
        self.after_plain = matches!(event, Event::Scalar(_, Style::Plain, ..)) && start < end && !is_key;
        Ok(())
    }
}

/// The entries of a mapping while merges are resolved.
#[derive(Default)]
struct Merged<'a> {
    entries: Vec<Merge>,
    index: HashMap<&'a str, usize>,
}

struct Merge {
    key: u32,
    value: u32,
    own: bool,
}

impl<'a> Merged<'a> {
    fn set(&mut self, tree: &'a Tree<'a>, key: u32, value: u32, own: bool) {
        let entry = Merge { key, value, own };
        let at = *self.index.entry(tree.text_of(key)).or_insert(self.entries.len());
        match self.entries.get_mut(at) {
            Some(earlier) => *earlier = entry,
            None => self.entries.push(entry),
        }
    }
}

/// A key as it may stand in a message: keys are no secrets, but they may be long.
fn shown(key: &str) -> String {
    const MOST: usize = 80;
    let mut text: String = key.chars().take(MOST).collect();
    if text.len() < key.len() {
        text.push('…');
    }
    format!("{text:?}")
}

/// What the parser's errors mean to someone who wrote a manifest, and what to do.
fn describe(kind: &ErrorKind) -> (Code, String, Option<String>) {
    use ErrorKind as E;
    let (code, message, fix) = match kind {
        E::RecursionLimitExceeded => (Code::TooDeep, "nested more than 255 levels deep", None),
        E::UnclosedQuotedScalar => (Code::Syntax, "a quote that is opened here is never closed", None),
        E::DocumentIndicatorInQuotedScalar => {
            (Code::Syntax, "a quote is still open where the next document begins", None)
        }
        E::ExpectedBlockMappingKey | E::ExpectedBlockSequenceEntry | E::InvalidIndentation => {
            let fix = "indent it like the lines it belongs to";
            (Code::Syntax, "this does not fit the indentation of the lines above", Some(fix))
        }
        E::MappingValueNotAllowed | E::InvalidColonPlacement => {
            let fix = "quote a text that contains `: `, or correct the indentation";
            (Code::Syntax, "a `:` that makes a key is not allowed here", Some(fix))
        }
        E::BlockSequenceEntryNotAllowed => {
            (Code::Syntax, "a list item (`- `) is not allowed here", Some("begin the list on a line of its own"))
        }
        E::SimpleKeyExpected | E::InvalidSimpleKey => {
            (Code::Syntax, "a key without its `:`", Some("write `key: value`"))
        }
        E::UnexpectedEofFlowSequence | E::UnexpectedEofFlowMapping | E::UnexpectedEofImplicitFlowMapping => {
            (Code::Syntax, "a bracket or brace is never closed", None)
        }
        E::UnexpectedCharacter { character: '@' | '`' | '%' } => {
            (Code::Syntax, "a value cannot begin with this character", Some("quote the value"))
        }
        E::UnknownAnchor => {
            let fix = "define it with `&name` before it is used, or quote a value that begins with `*`";
            (Code::Syntax, "an alias (`*name`) of an anchor that this document does not have", Some(fix))
        }
        E::UnknownQuotedScalarEscape => {
            let fix = "double the backslash, or use single quotes";
            (Code::Syntax, "an unknown escape (`\\`) in a text in double quotes", Some(fix))
        }
        E::ExpectedDocumentStart => {
            (Code::Syntax, "the document ends before this", Some("put a line `---` before the next document"))
        }
        E::BomInsideDocument => (Code::Syntax, "a byte order mark in the middle of a document", Some("remove it")),
        E::UndeclaredTagHandle => (Code::Syntax, "a tag whose prefix no %TAG line declares", None),
        _ => return (Code::Syntax, not_yaml(kind), None),
    };
    (code, message.to_owned(), fix.map(str::to_owned))
}

fn not_yaml(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::UnclosedFlowCollection { open } => format!("a `{open}` is never closed"),
        ErrorKind::MismatchedFlowCollectionEnd { open, close } => format!("a `{open}` is closed with `{close}`"),
        // The parser's texts do not quote the file, except this one, by one character.
        ErrorKind::UnexpectedCharacter { character } => {
            format!("not valid YAML: a character that cannot stand here (U+{:04X})", u32::from(*character))
        }
        _ => format!("not valid YAML: {kind}"),
    }
}
