use std::borrow::Cow;
use std::fmt;

use super::Pos;
use crate::go::yaml;

/// One document as it is written: every node knows its place and every scalar its style, which the values that
/// kubectl makes of them no longer tell.
///
/// Aliases and merges (`<<`) are resolved: an alias is the node that it stands for, without a copy, and a mapping
/// shows what was merged into it. Text stays in the source wherever the source holds it as it is meant.
#[derive(Default)]
pub struct Tree<'s> {
    source: &'s str,
    nodes: Vec<Slot>,
    /// The children of all sequences and mappings; of a mapping: key, value, key, value.
    children: Vec<u32>,
    /// Texts that do not stand in the source as they are meant (escapes, folded lines).
    decoded: String,
    tags: Vec<String>,
    /// Scalars that cannot become JSON.
    unfit: Vec<u32>,
    root: u32,
}

impl Tree<'_> {
    /// The document's top node.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, id: self.root }
    }

    /// The scalars that cannot become JSON, for each of which kubectl refuses the whole document.
    pub(crate) fn unfit(&self) -> impl Iterator<Item = Node<'_>> {
        self.unfit.iter().map(|&id| Node { tree: self, id })
    }
}

/// What a [`Node`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A single value: text and how it was written.
    Scalar,
    /// A list of nodes.
    Sequence,
    /// Keys with a value each.
    Mapping,
}

/// A node of a [`Tree`]: a handle that is copied freely.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree<'t>,
    id: u32,
}

impl<'t> Node<'t> {
    /// What it is.
    pub fn kind(self) -> NodeKind {
        self.tree.kind_of(self.id)
    }

    /// Where it stands in the file. A node with a tag stands at its tag, a block scalar at the first character of
    /// its text, the node of an alias where the anchor is.
    pub fn pos(self) -> Pos {
        self.tree.pos_of(self.id)
    }

    /// The value under `key`, if this is a mapping that has it.
    pub fn get(self, key: &str) -> Option<Node<'t>> {
        self.entry(key).map(|entry| entry.value)
    }

    /// Key and value of `key`, if this is a mapping that has it.
    pub fn entry(self, key: &str) -> Option<Entry<'t>> {
        self.entries().find(|entry| entry.key.text() == key)
    }

    /// The value at the end of a path of keys.
    pub fn at(self, path: &[&str]) -> Option<Node<'t>> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The entries of a mapping in the order of the file, merged ones after its own; none for other nodes.
    pub fn entries(self) -> impl Iterator<Item = Entry<'t>> + Clone {
        let children = if self.kind() == NodeKind::Mapping { self.tree.children_of(self.id) } else { &[] };
        let tree = self.tree;
        children
            .chunks_exact(2)
            .map(move |pair| Entry { key: Node { tree, id: pair[0] }, value: Node { tree, id: pair[1] } })
    }

    /// The items of a sequence; none for other nodes.
    pub fn items(self) -> impl Iterator<Item = Node<'t>> + Clone {
        let children = if self.kind() == NodeKind::Sequence { self.tree.children_of(self.id) } else { &[] };
        let tree = self.tree;
        children.iter().map(move |&id| Node { tree, id })
    }

    /// The scalar, if it is one.
    pub fn scalar(self) -> Option<Scalar<'t>> {
        let Shape::Scalar { style, .. } = self.tree.nodes[self.id as usize].shape else { return None };
        Some(Scalar { text: self.text(), style, tag: self.tree.tag_of(self.id), pos: self.pos() })
    }

    /// The text of a scalar that kubectl reads as a string.
    pub fn str(self) -> Option<&'t str> {
        match self.scalar()?.resolve() {
            yaml::Scalar::Str => Some(self.text()),
            _ => None,
        }
    }

    /// Whether kubectl reads it as null.
    pub fn is_null(self) -> bool {
        self.scalar().is_some_and(|scalar| matches!(scalar.resolve(), yaml::Scalar::Null))
    }

    /// The boolean that kubectl reads, `yes` and `off` included.
    pub fn bool(self) -> Option<bool> {
        match self.scalar()?.resolve() {
            yaml::Scalar::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The whole number that kubectl reads: of `0600` that is 384.
    pub fn int(self) -> Option<i64> {
        match self.scalar()?.resolve() {
            yaml::Scalar::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The JSON that kubectl makes of it. What cannot become JSON is null.
    pub fn json(self) -> serde_json::Value {
        use serde_json::Value;
        match self.kind() {
            NodeKind::Sequence => Value::Array(self.items().map(Node::json).collect()),
            NodeKind::Mapping => {
                Value::Object(self.entries().map(|entry| (entry.key.key().into_owned(), entry.value.json())).collect())
            }
            NodeKind::Scalar => match self.scalar().map(Scalar::resolve) {
                Some(yaml::Scalar::Bool(value)) => value.into(),
                Some(yaml::Scalar::Int(value)) => value.into(),
                Some(yaml::Scalar::Uint(value)) => value.into(),
                Some(yaml::Scalar::Float(value)) => value.into(),
                Some(yaml::Scalar::Str) => self.text().into(),
                Some(yaml::Scalar::Decoded(text)) => text.into(),
                None | Some(yaml::Scalar::Null | yaml::Scalar::NonFinite(_) | yaml::Scalar::Invalid(_)) => Value::Null,
            },
        }
    }

    /// The key that kubectl makes of a scalar that stands as one: of `on` that is `true`, of `0x10` that is `16` (sigs.k8s.io
    /// yaml, `convertToJSONableObject`).
    pub fn key(self) -> Cow<'t, str> {
        match self.scalar().map(Scalar::resolve) {
            Some(yaml::Scalar::Bool(value)) => if value { "true" } else { "false" }.into(),
            Some(yaml::Scalar::Int(value)) => value.to_string().into(),
            Some(yaml::Scalar::Uint(value)) => value.to_string().into(),
            // Go writes it with the digits of a 32-bit float.
            Some(yaml::Scalar::Float(value)) => (value as f32).to_string().into(),
            Some(yaml::Scalar::Decoded(text)) => text.into(),
            _ => self.text().into(),
        }
    }

    fn text(self) -> &'t str {
        self.tree.text_of(self.id)
    }
}

/// Kind and place: the content may be a secret, and a log is no place for it.
impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pos { line, column } = self.pos();
        write!(f, "{:?} at {line}:{column}", self.kind())
    }
}

/// One entry of a mapping.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'t> {
    /// The key, always a scalar.
    pub key: Node<'t>,
    /// Its value.
    pub value: Node<'t>,
}

/// A scalar as it is written.
#[derive(Debug, Clone, Copy)]
pub struct Scalar<'t> {
    /// The text, quotes taken off and escapes decoded. A value that is left out is the empty text in plain style.
    pub text: &'t str,
    /// How it was written.
    pub style: ScalarStyle,
    /// Its tag, resolved: `tag:yaml.org,2002:str` for `!!str`, `!secret` for `!secret`.
    pub tag: Option<&'t str>,
    /// Where it stands, as [`Node::pos`].
    pub pos: Pos,
}

impl Scalar<'_> {
    /// Whether it was written in any style but plain: such a scalar is a string, unless a tag says otherwise.
    pub fn quoted(self) -> bool {
        self.style != ScalarStyle::Plain
    }

    /// What kubectl makes of it.
    pub fn resolve(self) -> yaml::Scalar {
        let style = if self.quoted() { yaml::Style::Quoted } else { yaml::Style::Plain };
        yaml::resolve(self.text, style, self.tag)
    }
}

/// The five ways of writing a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarStyle {
    /// Without quotes.
    Plain,
    /// In `'…'`.
    SingleQuoted,
    /// In `"…"`.
    DoubleQuoted,
    /// A block after `|`.
    Literal,
    /// A block after `>`.
    Folded,
}

/// A node: for a scalar, where its text is (in bytes); otherwise where its children are.
#[derive(Clone, Copy)]
struct Slot {
    start: u32,
    len: u32,
    pos: Pos,
    /// Index into the tags, plus one.
    tag: u32,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Scalar { style: ScalarStyle, decoded: bool },
    Sequence,
    Mapping,
}

/// What a tree's numbers can count; the builder refuses a document that is longer (4 GiB) before it gets here.
fn small(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// What the builder needs. A node is a number here.
impl<'s> Tree<'s> {
    /// An empty tree over another source, in the memory of this one.
    pub(crate) fn over(self, source: &str) -> Tree<'_> {
        let Tree { mut nodes, mut children, mut decoded, mut tags, mut unfit, .. } = self;
        nodes.clear();
        children.clear();
        decoded.clear();
        tags.clear();
        unfit.clear();
        Tree { source, nodes, children, decoded, tags, unfit, root: 0 }
    }

    /// The text that the tree is over.
    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    /// A scalar whose text is `text`; it is copied only if it does not lie in the source.
    pub(crate) fn push_scalar(&mut self, text: &str, style: ScalarStyle, pos: Pos, tag: u32) -> u32 {
        let offset = (text.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        let decoded = offset.checked_add(text.len()).is_none_or(|end| end > self.source.len());
        let start = if decoded {
            self.decoded.push_str(text);
            self.decoded.len() - text.len()
        } else {
            offset
        };
        let shape = Shape::Scalar { style, decoded };
        self.push(Slot { start: small(start), len: small(text.len()), pos, tag, shape })
    }

    /// Remembers a scalar if kubectl could not make JSON of it. Go takes `.nan` as a key, and writes it as text.
    pub(crate) fn check_fitness(&mut self, id: u32, is_key: bool) {
        let value = Node { tree: self, id }.scalar().map(Scalar::resolve);
        let unfit = match value {
            Some(yaml::Scalar::NonFinite(_)) => !is_key,
            Some(value) => value.go_error().is_some(),
            None => false,
        };
        if unfit {
            self.unfit.push(id);
        }
    }

    /// A sequence or mapping whose children come with [`Tree::close`].
    pub(crate) fn open(&mut self, kind: NodeKind, pos: Pos, tag: u32) -> u32 {
        let shape = if kind == NodeKind::Sequence { Shape::Sequence } else { Shape::Mapping };
        self.push(Slot { start: 0, len: 0, pos, tag, shape })
    }

    /// Gives a sequence or mapping its children.
    pub(crate) fn close(&mut self, id: u32, children: &[u32]) {
        let slot = &mut self.nodes[id as usize];
        slot.start = small(self.children.len());
        slot.len = small(children.len());
        self.children.extend_from_slice(children);
    }

    /// Keeps a tag; the number is what [`Tree::push_scalar`] and [`Tree::open`] take, 0 meaning none.
    pub(crate) fn push_tag(&mut self, tag: String) -> u32 {
        self.tags.push(tag);
        small(self.tags.len())
    }

    /// The same tree with a node on top.
    pub(crate) fn with_root(self, root: u32) -> Tree<'s> {
        Tree { root, ..self }
    }

    /// What a node is.
    pub(crate) fn kind_of(&self, id: u32) -> NodeKind {
        match self.nodes[id as usize].shape {
            Shape::Scalar { .. } => NodeKind::Scalar,
            Shape::Sequence => NodeKind::Sequence,
            Shape::Mapping => NodeKind::Mapping,
        }
    }

    /// Where a node stands.
    pub(crate) fn pos_of(&self, id: u32) -> Pos {
        self.nodes[id as usize].pos
    }

    /// The text of a scalar; empty for other nodes.
    pub(crate) fn text_of(&self, id: u32) -> &str {
        let slot = &self.nodes[id as usize];
        let Shape::Scalar { decoded, .. } = slot.shape else { return "" };
        let whole = if decoded { self.decoded.as_str() } else { self.source };
        let start = slot.start as usize;
        whole.get(start..start + slot.len as usize).unwrap_or_default()
    }

    /// Whether kubectl takes a node for a merge key: plain `<<`, or any `<<` whose tag leaves it to the text or says so.
    pub(crate) fn is_merge_key(&self, id: u32) -> bool {
        self.text_of(id) == "<<"
            && (self.is_bare(id) || matches!(self.tag_of(id), Some("!" | "tag:yaml.org,2002:merge")))
    }

    /// Whether a node is a plain scalar without a tag.
    pub(crate) fn is_bare(&self, id: u32) -> bool {
        let slot = &self.nodes[id as usize];
        slot.tag == 0 && matches!(slot.shape, Shape::Scalar { style: ScalarStyle::Plain, .. })
    }

    /// The tag of a node.
    pub(crate) fn tag_of(&self, id: u32) -> Option<&str> {
        let index = (self.nodes[id as usize].tag as usize).checked_sub(1)?;
        self.tags.get(index).map(String::as_str)
    }

    /// The children of a node that has been closed.
    pub(crate) fn children_of(&self, id: u32) -> &[u32] {
        let slot = &self.nodes[id as usize];
        if matches!(slot.shape, Shape::Scalar { .. }) {
            return &[];
        }
        let start = slot.start as usize;
        self.children.get(start..start + slot.len as usize).unwrap_or_default()
    }

    fn push(&mut self, slot: Slot) -> u32 {
        self.nodes.push(slot);
        small(self.nodes.len() - 1)
    }
}
