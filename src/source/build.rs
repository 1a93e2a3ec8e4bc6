//! From the parser's events to a [`Tree`].

use std::collections::HashMap;

use granit_parser::{Event, Marker, ScalarStyle as Style, Span, StructureStyle, Tag, TrySpannedEventReceiver};

use super::oddities::Ahead;
use super::text::Start;
use super::trouble::{Trouble, shown};
use crate::object::{Code, NodeKind, Pos, ScalarStyle, Tree};

/// Nodes that all aliases of a document may stand for together. Real files stay below a thousandth of it; an alias
/// bomb of ten lines goes beyond 10^9.
const MAX_ALIASED: u64 = 1_000_000;

/// How deep a tree may become through aliases of aliases. The parser itself stops at 255 levels of each style.
const MAX_DEPTH: u32 = 512;

/// Mappings up to this size are searched for duplicate keys by comparing all with all.
const SMALL: usize = 12;

/// What is left of one document when the next begins: memory to use again.
#[derive(Default)]
pub(super) struct Memory {
    tree: Tree<'static>,
    pub frames: Vec<Frame>,
    pub pending: Vec<u32>,
    anchors: Vec<Anchor>,
    sorted: Vec<u32>,
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

/// Takes the events of one document.
pub(super) struct Builder<'b, 's> {
    pub tree: Tree<'s>,
    pub memory: &'b mut Memory,
    pub start: Start,
    pub offset: usize,
    pub ahead: Ahead<'s>,
    seen: Seen,
    /// How many flow collections are open.
    pub flow: u32,
    /// Where the last token ends, in bytes of the parser's text.
    last: usize,
    /// Where a `...` ended the document.
    ended: Option<Pos>,
    /// Where the last token ends if it was a plain scalar, which swallows the blanks behind it.
    pub plain_end: Option<usize>,
    /// Nodes so far, those behind aliases counted each time.
    expanded: u64,
    aliased: u64,
}

/// What a builder holds when the parser is done with a document, or gives up.
pub(super) struct Built<'s> {
    pub tree: Tree<'s>,
    pub seen: Seen,
    /// How many flow collections are open, and where the last token ends.
    pub flow: u32,
    pub last: usize,
    /// Where a `...` ended the document.
    pub ended: Option<Pos>,
    pub ahead: Ahead<'s>,
}

impl<'b, 's> Builder<'b, 's> {
    /// A builder for a document of the text `text`, which begins at the byte `offset` of its piece and at `start` of
    /// its file.
    pub fn new(
        text: &'s str,
        offset: usize,
        start: Start,
        ahead: Ahead<'s>,
        memory: &'b mut Memory,
    ) -> Builder<'b, 's> {
        let tree = std::mem::take(&mut memory.tree).over(text);
        memory.clear();
        Builder {
            tree,
            memory,
            start,
            offset,
            ahead,
            seen: Seen::Nothing,
            flow: 0,
            last: 0,
            ended: None,
            plain_end: None,
            expanded: 0,
            aliased: 0,
        }
    }

    pub fn finish(self) -> Built<'s> {
        let Builder { tree, seen, flow, last, ended, ahead, .. } = self;
        Built { tree, seen, flow, last, ended, ahead }
    }
}

pub(super) enum Seen {
    Nothing,
    Empty,
    Root(u32),
}

/// An open sequence or mapping.
pub(super) struct Frame {
    id: u32,
    pub mapping: bool,
    pub flow: bool,
    /// Whether one of its keys is `<<`.
    merges: bool,
    /// Where its children begin in `pending`.
    base: usize,
    /// What `expanded` was before it.
    before: u64,
    /// Levels below it.
    height: u32,
    /// Column of a block collection, from 0.
    pub indent: usize,
    /// Index into the anchors.
    anchor: Option<usize>,
}

impl Frame {
    /// Whether the next node is a key; `pending` are the children so far.
    pub fn wants_key(&self, pending: &[u32]) -> bool {
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
        if !self.ahead.tabs.is_empty() {
            self.judge_tabs(&event, &span)?;
        }
        if !self.ahead.separators.is_empty() {
            self.judge_separators(&event, &span)?;
        }
        self.last = span.end.byte_offset().unwrap_or(self.last);
        match event {
            Event::Scalar(text, style, anchor, tag) => self.scalar(&text, style, anchor, tag.as_deref(), &span),
            Event::MappingStart(style, anchor, tag) => self.open(true, style, anchor, tag.as_deref(), &span),
            Event::SequenceStart(style, anchor, tag) => self.open(false, style, anchor, tag.as_deref(), &span),
            Event::MappingEnd | Event::SequenceEnd => self.close(),
            Event::Alias(number) => self.alias(number, &span),
            Event::DocumentEnd => {
                let explicit = span.start.index() < span.end.index();
                self.ended = explicit.then(|| self.pos(&span.start));
                Ok(())
            }
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
        // Nothing else can be a number without a place in JSON, or at odds with its tag.
        if tag != 0 || (style == ScalarStyle::Plain && matches!(text.as_bytes().first(), Some(b'.' | b'+' | b'-'))) {
            let is_key = self.memory.frames.last().is_some_and(|frame| frame.wants_key(&self.memory.pending));
            self.tree.check_fitness(id, is_key);
        }
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
            indent: self.indent_of(mapping || flow, span),
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
            && self.tree.is_merge_key(key)
            && self.tree.kind_of(id) != NodeKind::Mapping
        {
            return self.bad_merge(key);
        }
        // An alias of a `<<` is a key like any other.
        let is_text = frame.wants_key(&self.memory.pending) && self.tree.is_merge_key(id);
        let pos = self.pos(&span.start);
        let id = if is_text { self.tree.push_scalar("<<", ScalarStyle::DoubleQuoted, pos, 0) } else { id };
        self.place(id, pos, &span.start)
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
        let trouble = |message: &str, fix: &str| Err(Trouble::new(Code::BadKey, pos, byte, message).with_fix(fix));
        let tree = &self.tree;
        match tree.kind_of(id) {
            NodeKind::Mapping => return trouble("a mapping cannot be a key", "quote it, if it is meant as text"),
            NodeKind::Sequence => return trouble("a sequence cannot be a key", "quote it, if it is meant as text"),
            NodeKind::Scalar => {}
        }
        let text = tree.text_of(id);
        if text.len() > 4 {
            return Ok(());
        }
        frame.merges |= tree.is_merge_key(id);
        match text {
            _ if !tree.is_bare(id) => {}
            "" | "~" | "null" | "Null" | "NULL" => return trouble("a key cannot be null", "name or quote it"),
            _ => {}
        }
        Ok(())
    }

    /// No key twice. kubectl lets the last one win without a word, which hides what the author lost. Merges may be
    /// repeated: each adds to the mapping.
    fn refuse_duplicates(&mut self, base: usize) -> Result<(), Box<Trouble>> {
        let pairs = self.memory.pending.get(base..).unwrap_or_default();
        let tree = &self.tree;
        let merges = |first, second| tree.is_merge_key(first) || tree.is_merge_key(second);
        let twice = if pairs.len() <= 2 * SMALL {
            pairs.chunks(2).enumerate().find_map(|(index, pair)| {
                let text = tree.text_of(pair[0]);
                let earlier = pairs.chunks(2).take(index).find(|pair| tree.text_of(pair[0]) == text)?;
                (!merges(earlier[0], pair[0])).then_some((earlier[0], pair[0]))
            })
        } else {
            let sorted = &mut self.memory.sorted;
            sorted.clear();
            sorted.extend(pairs.chunks(2).map(|pair| pair[0]));
            // An alias as a key has an id of its own place; the order of the file is that of `pairs`.
            sorted.sort_by(|a, b| tree.text_of(*a).cmp(tree.text_of(*b)));
            let equal = |pair: &&[u32]| tree.text_of(pair[0]) == tree.text_of(pair[1]);
            let found = self.memory.sorted.windows(2).filter(equal).filter(|pair| !merges(pair[0], pair[1]));
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
        // Files that are put together where the first ends without a line feed make one document of two.
        let glued = self.memory.frames.is_empty()
            && matches!(key, "apiVersion" | "kind")
            && second.checked_sub(1).is_some_and(|before| tree.text_of(before).ends_with("---"));
        let fix = if glued {
            "files were put together: put the `---` at the end of the line above on a line of its own"
        } else {
            "keep one of the two"
        };
        Err(Trouble::new(Code::DuplicateKey, pos, usize::MAX, message).with_fix(fix))
    }

    /// Resolves `<<` as kubectl does (measured): entries are set one after another, so a merge overrides the keys
    /// above it and is overridden by those below it; of a sequence of mappings the first wins.
    fn merge(&mut self, base: usize) -> Result<(), Box<Trouble>> {
        let pairs: Vec<u32> = self.memory.pending.drain(base..).collect();
        let mut merged = Merged::default();
        for pair in pairs.chunks_exact(2) {
            let (key, value) = (pair[0], pair[1]);
            let tree = &self.tree;
            if !tree.is_merge_key(key) {
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
                    return Err(Trouble::new(Code::AliasBomb, tree.pos_of(key), usize::MAX, message));
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
        let message = "a merge (`<<`) takes a mapping, an alias of one, or a list of these";
        let fix = "quote the key, if it is meant as text";
        Err(Trouble::new(Code::BadMerge, self.tree.pos_of(key), usize::MAX, message).with_fix(fix))
    }

    fn fail(&self, code: Code, span: &Span, message: impl Into<String>) -> Result<(), Box<Trouble>> {
        let byte = self.offset + span.start.byte_offset().unwrap_or(0);
        Err(Trouble::new(code, self.pos(&span.start), byte, message))
    }

    pub fn pos(&self, marker: &Marker) -> Pos {
        self.start.pos(marker.line(), marker.col())
    }

    /// Keeps a tag; its number, and where the node starts: at its tag, if it has one.
    fn tag(&mut self, tag: Option<&Tag>, span: &Span) -> (u32, Marker) {
        let Some(tag) = tag else { return (0, span.start) };
        let (handle, suffix) = tag.parts();
        (self.tree.push_tag(format!("{handle}{suffix}")), span.tag_start().unwrap_or(span.start))
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
