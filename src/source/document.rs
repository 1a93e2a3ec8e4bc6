//! From the text of one file to the objects in it.

use std::borrow::Cow;
use std::sync::Arc;

use memchr::{memchr, memchr2, memmem};
use rayon::prelude::*;

use super::build::Memory;
use super::mend::Mend;
use super::oddities::Oddities;
use super::parse::{Documents, Next};
use super::text::{self, Marks, Piece, Start};
use super::trouble::Trouble;
use super::{Counts, Item};
use crate::object::{Code, Diagnostic, Node, NodeKind, Place, Pos, Severity, Tree};

/// From this size on the documents of a file are read in parallel. Below it the files themselves are enough work for
/// all cores.
const LARGE: usize = 256 * 1024;

/// How many of its pieces one task reads.
const PIECES: usize = 32;

/// How often, and how many bytes together, a piece may be read once more because something in it had to be mended.
/// One of these is enough.
const MENDS: usize = 16;
const MENDED_BYTES: usize = 8 * 1024 * 1024;

/// A file whose bytes have been read, and what is done with its objects.
pub(super) struct Source<'f, T> {
    pub name: &'f Arc<str>,
    /// Whether the user named this file; one that was found in a folder or archive may hold anything.
    pub named: bool,
    /// Kinds that need no apiVersion.
    pub bare_kinds: &'static [&'static str],
    pub read: &'f (dyn Fn(&Item<'_>) -> T + Sync),
}

/// What came of a file, a part of one, or many.
pub(super) struct Report<T> {
    pub objects: Vec<T>,
    pub problems: Vec<Diagnostic>,
    pub counts: Counts,
}

impl<T> Default for Report<T> {
    fn default() -> Report<T> {
        Report { objects: Vec::new(), problems: Vec::new(), counts: Counts::default() }
    }
}

impl<T> Report<T> {
    /// Just a complaint.
    pub fn problem(problem: Diagnostic) -> Report<T> {
        Report { problems: vec![problem], ..Report::default() }
    }

    /// Puts another report behind this one.
    pub fn append(&mut self, mut other: Report<T>) {
        self.objects.append(&mut other.objects);
        self.problems.append(&mut other.problems);
        let (mine, others) = (&mut self.counts, other.counts);
        mine.files += others.files;
        mine.documents += others.documents;
        mine.skipped += others.skipped;
        mine.broken += others.broken;
    }
}

/// What came of some of a file's documents. What is said once per file is counted here first.
struct Part<T> {
    report: Report<T>,
    templates: Tally,
    not_utf8: Tally,
}

#[derive(Default)]
struct Tally {
    count: usize,
    first: Option<Pos>,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.count += other.count;
        self.first = self.first.or(other.first);
    }

    fn one(&mut self, pos: Pos) {
        self.add(Tally { count: 1, first: Some(pos) });
    }
}

impl<T> Default for Part<T> {
    fn default() -> Part<T> {
        Part { report: Report::default(), templates: Tally::default(), not_utf8: Tally::default() }
    }
}

/// What is looked for in each document only because something like it is somewhere in the file.
#[derive(Clone, Copy)]
struct Suspicions {
    tabs: bool,
    controls: bool,
    separators: bool,
    marks: bool,
}

impl<T: Send> Source<'_, T> {
    /// Reads all documents of a file.
    pub fn read_file(&self, bytes: &[u8], memory: &mut Memory) -> Report<T> {
        let bytes = bytes.strip_prefix(text::BOM).unwrap_or(bytes);
        let mut part = self.read_bytes(bytes, memory);
        part.report.counts.files = 1;
        self.sum_up(&mut part);
        part.report
    }

    fn read_bytes(&self, bytes: &[u8], memory: &mut Memory) -> Part<T> {
        if let Some(problem) = self.foreign(bytes) {
            let mut report = Report::problem(problem);
            report.counts.broken = 1;
            return Part { report, ..Part::default() };
        }
        let whole = std::str::from_utf8(bytes);
        let is_ascii = whole.is_ok_and(str::is_ascii);
        let suspicions = Suspicions {
            tabs: memchr(b'\t', bytes).is_some(),
            controls: whole.is_ok_and(text::may_have_controls) || whole.is_err(),
            separators: !is_ascii && text::has_separators(bytes),
            marks: !is_ascii && memmem::find(bytes, text::BOM).is_some(),
        };
        let pieces = text::pieces(bytes);
        let text_of = |piece: &Piece| match whole {
            Ok(text) => Ok(text.get(piece.bytes.clone()).unwrap_or_default()),
            Err(_) => {
                let bytes = bytes.get(piece.bytes.clone()).unwrap_or_default();
                std::str::from_utf8(bytes).map_err(|error| (bytes, error.valid_up_to()))
            }
        };
        let read = |piece: &Piece, memory: &mut Memory, part: &mut Part<T>, first: usize| match text_of(piece) {
            Ok(text) => self.read_piece(text, piece.start, suspicions, memory, part, first),
            Err((bytes, bad)) => {
                let readable = std::str::from_utf8(bytes.get(..bad).unwrap_or_default()).unwrap_or_default();
                part.not_utf8.one(piece.start.locate(readable, bad));
                part.report.counts.documents += 1;
                part.report.counts.broken += 1;
            }
        };
        if bytes.len() >= LARGE && pieces.len() > 1 && one_document_each(bytes, &pieces) {
            return self.read_in_parallel(&pieces, text_of, read);
        }
        let mut part = Part::default();
        for piece in &pieces {
            read(piece, memory, &mut part, 0);
        }
        part
    }

    fn read_in_parallel<'b>(
        &self,
        pieces: &[Piece],
        text_of: impl Fn(&Piece) -> Result<&'b str, (&'b [u8], usize)>,
        read: impl Fn(&Piece, &mut Memory, &mut Part<T>, usize) + Sync,
    ) -> Part<T> {
        let mut documents = 0;
        let numbered: Vec<(usize, &Piece)> = pieces
            .iter()
            .map(|piece| {
                let number = documents;
                documents += usize::from(!text_of(piece).is_ok_and(text::is_blank));
                (number, piece)
            })
            .collect();
        // What a part of its own costs must not be paid for each document of a stream of a million.
        let read_some = |memory: &mut Memory, pieces: &[(usize, &Piece)]| {
            let mut part = Part::default();
            for (number, piece) in pieces {
                let first = number - part.report.counts.documents;
                read(piece, memory, &mut part, first);
            }
            part
        };
        let parts: Vec<Part<T>> = numbered.par_chunks(PIECES).map_init(Memory::default, read_some).collect();
        let mut all = Part::default();
        for part in parts {
            all.report.append(part.report);
            all.templates.add(part.templates);
            all.not_utf8.add(part.not_utf8);
        }
        all
    }

    /// Reads one piece. `first` is the number of its first document, less those that `part` has already.
    fn read_piece(
        &self,
        text: &str,
        start: Start,
        suspicions: Suspicions,
        memory: &mut Memory,
        part: &mut Part<T>,
        first: usize,
    ) {
        if text::is_blank(text) {
            return;
        }
        let (text, start) = if suspicions.marks { behind_mark(text, start) } else { (text, start) };
        if suspicions.controls
            && let Some((at, character)) = text::find_control(text)
        {
            let message = format!("a control character (U+{:04X}), which YAML forbids", u32::from(character));
            let fix = "remove it, or write it as an escape in double quotes";
            let place = self.at(start.locate(text, at));
            let problem = Diagnostic::new(Code::ControlCharacter, Severity::Error, place, message).with_fix(fix);
            self.broken(part, problem);
            return;
        }
        let mut mended = Cow::Borrowed(text);
        // kubectl ends every line before it parses, which block scalars at the end of a file can tell.
        if !text.ends_with('\n') && memchr2(b'|', b'>', text.as_bytes()).is_some() {
            mended.to_mut().push('\n');
        }
        let mut reading = Reading { start, first, done: 0, mends: 0, warned: false, marks: Marks::default() };
        let oddities = Oddities {
            tabs: if suspicions.tabs { text::leading_tabs(text, 0).collect() } else { Vec::new() },
            separators: if suspicions.separators { text::separators(text) } else { Vec::new() },
            json: suspicions.separators && text::is_json(text),
        };
        loop {
            match self.read_documents(&mended, &oddities, &mut reading, memory, part) {
                None => return,
                Some(mend) => mended = Cow::Owned(mend.apply(&mended)),
            }
        }
    }

    /// Reads the documents of a piece, but for those that were read when something behind them had to be mended; what
    /// has to be mended now.
    fn read_documents(
        &self,
        text: &str,
        oddities: &Oddities,
        reading: &mut Reading,
        memory: &mut Memory,
        part: &mut Part<T>,
    ) -> Option<Mend> {
        let mut documents = Documents::new(text, reading.start, oddities);
        let may_mend = reading.mends < MENDS || reading.mends.saturating_mul(text.len()) < MENDED_BYTES;
        reading.mends += 1;
        let mut number = 0;
        loop {
            let next = documents.next(memory);
            if matches!(next, Next::End) {
                return None;
            }
            number += 1;
            let ignored = documents.ignored_since();
            if number <= reading.done {
                if let Next::Document(tree) = next {
                    memory.take_back(tree);
                }
                continue;
            }
            if let Next::Broken(trouble) = &next
                && let Some(mend) = trouble.mend.filter(|_| may_mend)
            {
                return Some(mend);
            }
            reading.done = number;
            if let Some(pos) = ignored
                && !std::mem::replace(&mut reading.warned, true)
            {
                let message = "kubectl stops reading at `...`: what follows up to the next `---` is not applied";
                let problem = Diagnostic::new(Code::IgnoredDocument, Severity::Warning, self.at(pos), message);
                part.report.problems.push(problem.with_fix("write `---` instead"));
            }
            match next {
                Next::End | Next::Empty => {}
                Next::Document(tree) => {
                    if !tree.root().is_null() {
                        let document = reading.first + part.report.counts.documents;
                        part.report.counts.documents += 1;
                        self.document(&tree, document, &mut part.report);
                    }
                    memory.take_back(tree);
                }
                Next::Broken(trouble) => self.broken_or_template(text, *trouble, reading, part),
            }
        }
    }

    /// Hands over what a document holds, and says if kubectl refuses all of it for one value.
    fn document(&self, tree: &Tree<'_>, document: usize, report: &mut Report<T>) {
        let mut unfit: Vec<Node<'_>> = tree.unfit().collect();
        let before = report.objects.len();
        self.objects(tree.root(), document, None, &mut unfit, report);
        if report.objects.len() == before && !self.named {
            return;
        }
        for node in unfit {
            let Some((scalar, value)) = node.scalar().map(|scalar| (scalar, scalar.resolve())) else { continue };
            let Some(words) = value.go_error() else { continue };
            // The value may be a secret.
            let words = match (words.find('`'), words.rfind('`')) {
                (Some(begin), Some(end)) if begin < end => format!("{}…{}", &words[..=begin], &words[end..]),
                _ => words.into_owned(),
            };
            let message = format!("kubectl refuses the whole document: error converting YAML to JSON: {words}");
            let fix = if scalar.tag.is_some() {
                "correct the value or its tag"
            } else {
                "quote it, if it is meant as text: JSON has no number for it"
            };
            let problem = Diagnostic::new(Code::NoJsonValue, Severity::Error, self.at(node.pos()), message);
            report.problems.push(problem.with_fix(fix));
        }
    }

    /// Hands the object at `node` over, or, if it is a list, the objects in it. `inherited` are `apiVersion` and `kind`
    /// for items of a typed list that have neither. What will be said of the object's own metadata leaves `unfit`.
    fn objects(
        &self,
        node: Node<'_>,
        document: usize,
        inherited: Option<(&str, &str)>,
        unfit: &mut Vec<Node<'_>>,
        report: &mut Report<T>,
    ) {
        let own = |key| node.get(key).and_then(Node::str).filter(|text| !text.is_empty());
        let (api_version, kind) = match (own("apiVersion"), own("kind"), inherited) {
            (None, None, Some((api_version, kind))) => (Some(api_version), Some(kind)),
            (None, Some(kind), _) if self.bare_kinds.contains(&kind) => (Some(""), Some(kind)),
            (api_version, kind, _) => (api_version, kind),
        };
        let is_mapping = node.kind() == NodeKind::Mapping;
        if is_mapping && kind.is_some() && api_version.is_some_and(|version| version.matches('/').count() > 1) {
            let message = "not a Kubernetes object: an apiVersion has at most one `/`".to_owned();
            let at = node.get("apiVersion").unwrap_or(node);
            self.refused(at, message, report);
            return;
        }
        let items = node.get("items");
        if let Some(list) = kind.filter(|_| is_mapping)
            && let Some(item_kind) = list.strip_suffix("List")
            && (item_kind.is_empty() || items.is_some())
        {
            if let Some(items) = items.filter(|items| items.kind() != NodeKind::Sequence && !items.is_null()) {
                let found = match items.scalar() {
                    Some(scalar) => scalar.resolve().json_type(),
                    None => "object",
                };
                let message = format!(
                    "the items of a list are not a list, so kubectl refuses it: json: cannot unmarshal {found} into Go \
                     struct field decodeList.items of type []json.RawMessage"
                );
                self.refused(items, message, report);
                return;
            }
            let inherited = api_version.filter(|_| !item_kind.is_empty()).map(|version| (version, item_kind));
            for item in items.into_iter().flat_map(Node::items) {
                self.objects(item, document, inherited, unfit, report);
            }
            return;
        }
        match (api_version, kind) {
            (Some(api_version), Some(kind)) if is_mapping => {
                report.objects.push((self.read)(&Item { node, file: self.name, api_version, kind, document }));
                if !unfit.is_empty() {
                    unfit.retain(|value| !is_of_metadata(node, *value));
                }
            }
            _ => {
                report.counts.skipped += 1;
                if self.named {
                    let missing = (api_version.is_none(), kind.is_none());
                    report.problems.push(self.not_an_object(node, missing, inherited.is_some()));
                }
            }
        }
    }

    /// Something that is meant as an object and that kubectl refuses: an error wherever it is found.
    fn refused(&self, node: Node<'_>, message: String, report: &mut Report<T>) {
        report.counts.skipped += 1;
        report.problems.push(Diagnostic::new(Code::NotAnObject, Severity::Error, self.at(node.pos()), message));
    }

    /// `missing` are apiVersion and kind.
    fn not_an_object(&self, node: Node<'_>, missing: (bool, bool), in_typed_list: bool) -> Diagnostic {
        let what = |key: &str| match node.get(key) {
            None => "is missing",
            Some(value) if value.is_null() || value.str() == Some("") => "is empty",
            Some(_) => "is not a string",
        };
        let message = match node.kind() {
            NodeKind::Scalar => "not a Kubernetes object: a single value, not a mapping".to_owned(),
            NodeKind::Sequence => "not a Kubernetes object: a list, not a mapping".to_owned(),
            NodeKind::Mapping => match missing {
                (true, true) if what("apiVersion") == what("kind") && what("kind") == "is missing" => {
                    "not a Kubernetes object: apiVersion and kind are missing".to_owned()
                }
                (true, true) => {
                    let (version, kind) = (what("apiVersion"), what("kind"));
                    format!("not a Kubernetes object: apiVersion {version}, kind {kind}")
                }
                (true, false) => format!("not a Kubernetes object: apiVersion {}", what("apiVersion")),
                _ => format!("not a Kubernetes object: kind {}", what("kind")),
            },
        };
        let problem = Diagnostic::new(Code::NotAnObject, Severity::Error, self.at(node.pos()), message);
        if in_typed_list && node.kind() == NodeKind::Mapping {
            return problem.with_fix("give it both or neither: the items of a list have the list's only together");
        }
        problem
    }

    fn broken_or_template(&self, text: &str, trouble: Trouble, reading: &mut Reading, part: &mut Part<T>) {
        let Trouble { code, pos, byte, message, fix, .. } = trouble;
        // Bombs of aliases and keys given twice are not what a template looks like to a YAML parser.
        let explicable = matches!(code, Code::Syntax | Code::UnknownAnchor | Code::BadKey | Code::TabIndentation);
        if explicable && let Some(mark) = reading.marks.explain(text, byte) {
            let first = part.templates.first.unwrap_or_else(|| reading.start.locate(text, mark));
            part.templates.one(first);
            part.report.counts.documents += 1;
            part.report.counts.skipped += 1;
            return;
        }
        let mut problem = Diagnostic::new(code, Severity::Error, self.at(pos), message);
        problem.fix = fix;
        self.broken(part, problem);
    }

    fn broken(&self, part: &mut Part<T>, problem: Diagnostic) {
        part.report.counts.documents += 1;
        part.report.counts.broken += 1;
        part.report.problems.push(problem);
    }

    /// Says what is said once per file, and puts all that is said into the order of the text.
    fn sum_up(&self, part: &mut Part<T>) {
        let Part { report, templates, not_utf8 } = part;
        let documents = report.counts.documents;
        if let Some(pos) = templates.first {
            let severity = if self.named { Severity::Error } else { Severity::Info };
            let message = match (templates.count, documents) {
                (_, 1) => "a template, not a manifest: it must be rendered first".to_owned(),
                (1, all) => format!("1 of {all} documents is a template that must be rendered first"),
                (some, all) => {
                    format!("{some} of {all} documents are templates that must be rendered first; here is the first")
                }
            };
            let fix = "render it (`helm template …`, or the tool that it is written for) and give the output";
            report.problems.push(Diagnostic::new(Code::Template, severity, self.at(pos), message).with_fix(fix));
        }
        if let Some(pos) = not_utf8.first {
            let message = match (not_utf8.count, documents) {
                (_, 1) => "not UTF-8: the first wrong byte is here".to_owned(),
                (some, all) => format!("{some} of {all} documents are not UTF-8: the first wrong byte is here"),
            };
            let fix = "convert it, for example with `iconv -f LATIN1 -t UTF-8`";
            report.problems.push(Diagnostic::new(Code::Encoding, Severity::Error, self.at(pos), message).with_fix(fix));
        }
        report.problems.sort_by_key(|problem| problem.place.as_ref().map(|place| (place.line, place.column)));
        if self.named && documents == 0 && report.problems.is_empty() {
            let message = "holds no manifest: it is empty, or all comments";
            let place = Place::file(self.name);
            report.problems.push(Diagnostic::new(Code::NoManifests, Severity::Error, place, message));
        }
    }

    /// What a file is instead of text that can be read.
    fn foreign(&self, bytes: &[u8]) -> Option<Diagnostic> {
        let place = Place::file(self.name);
        if text::is_wide(bytes) {
            let (message, fix) = match text::is_utf_32(bytes) {
                true => ("UTF-32, not UTF-8", "convert it: `iconv -f UTF-32 -t UTF-8 OLD > NEW`"),
                false => (
                    "UTF-16, not UTF-8",
                    "convert it: `iconv -f UTF-16 -t UTF-8 OLD > NEW` (in PowerShell `>` writes UTF-16)",
                ),
            };
            return Some(Diagnostic::new(Code::Encoding, Severity::Error, place, message).with_fix(fix));
        }
        if u32::try_from(bytes.len()).is_err() {
            let fix = "split it";
            return Some(Diagnostic::new(Code::Unreadable, Severity::Error, place, "larger than 4 GiB").with_fix(fix));
        }
        None
    }

    fn at(&self, pos: Pos) -> Place {
        Place::new(self.name, pos)
    }
}

/// What has come of a piece so far.
struct Reading {
    start: Start,
    /// The number of its first document, less those that its part has already.
    first: usize,
    /// How many of its documents are read, empty and broken ones included.
    done: usize,
    /// How often it has been read.
    mends: usize,
    /// Whether it was told that kubectl ignores a part of it.
    warned: bool,
    marks: Marks,
}

/// Whether a value is one of the annotations or labels of an object.
fn is_of_metadata(object: Node<'_>, value: Node<'_>) -> bool {
    ["annotations", "labels"]
        .into_iter()
        .filter_map(|field| object.at(&["metadata", field]))
        .any(|field| field.kind() == NodeKind::Mapping && field.entries().any(|entry| entry.value.pos() == value.pos()))
}

/// Whether each piece holds one document or none, so that documents can be numbered before they are read. Others
/// (`...` ends a document, too, and JSON documents need nothing between them) are read one after another.
fn one_document_each(bytes: &[u8], pieces: &[Piece]) -> bool {
    let starts_with_brace = |piece: &Piece| {
        let piece = bytes.get(piece.bytes.clone()).unwrap_or_default();
        let piece = piece.strip_prefix(b"---").unwrap_or(piece);
        piece.trim_ascii_start().starts_with(b"{")
    };
    !memmem::find_iter(bytes, b"...").any(|at| at == 0 || matches!(bytes[at - 1], b'\n' | b'\r'))
        && !pieces.iter().any(starts_with_brace)
}

/// A document without a byte order mark in front of it, which files that were put together have.
fn behind_mark(text: &str, start: Start) -> (&str, Start) {
    let preamble = text::preamble(text);
    match text.get(preamble..).and_then(|rest| rest.strip_prefix('\u{feff}')) {
        Some(rest) => {
            let Pos { line, column } = start.locate(text, preamble);
            (rest, Start { line: line - 1, column: column - 1 })
        }
        None => (text, start),
    }
}
