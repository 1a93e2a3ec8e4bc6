//! Why a document cannot be read: what the parser's errors mean to someone who wrote a manifest, and what to do.

use granit_parser::ErrorKind;

use super::mend::Mend;
use crate::object::{Code, Pos};

/// Why a document cannot be read.
#[derive(Debug)]
pub(super) struct Trouble {
    pub code: Code,
    pub pos: Pos,
    /// Where in the text of the piece, in bytes. Behind all of it, if a template cannot explain the trouble.
    pub byte: usize,
    pub message: String,
    pub fix: Option<String>,
    /// What to change in the text if only the parser objects to it, not libyaml.
    pub mend: Option<Mend>,
}

impl Trouble {
    pub fn new(code: Code, pos: Pos, byte: usize, message: impl Into<String>) -> Box<Trouble> {
        Box::new(Trouble { code, pos, byte, message: message.into(), fix: None, mend: None })
    }

    pub fn with_fix(mut self: Box<Self>, fix: impl Into<String>) -> Box<Trouble> {
        self.fix = Some(fix.into());
        self
    }

    /// A tab where YAML wants spaces.
    pub fn tab(pos: Pos, byte: usize) -> Box<Trouble> {
        let message = "indented with a tab; YAML allows only spaces";
        Trouble::new(Code::TabIndentation, pos, byte, message).with_fix("put spaces in the tab's place")
    }

    /// A tab in front of the text of a block scalar whose header does not say how far it is indented.
    pub fn tab_in_block(pos: Pos, byte: usize) -> Box<Trouble> {
        let message = "the text of a block (`|` or `>`) begins with a tab, where kubectl looks for its indentation";
        let fix = "put spaces in the tab's place, or say how far the text is indented (`|2`)";
        Trouble::new(Code::TabIndentation, pos, byte, message).with_fix(fix)
    }

    /// A character that ends a line for libyaml, and for nobody who looks at the file.
    pub fn line_separator(pos: Pos, byte: usize, character: char) -> Box<Trouble> {
        let number = u32::from(character);
        let message = format!("an invisible U+{number:04X}, which ends a line for kubectl");
        let fix = format!("remove it, or write it as `\\u{number:04x}` in double quotes");
        Trouble::new(Code::Syntax, pos, byte, message).with_fix(fix)
    }

    /// What an error of the parser means.
    pub fn from_parser(kind: &ErrorKind, pos: Pos, byte: usize) -> Box<Trouble> {
        let (code, message, fix) = describe(kind);
        let fix = fix.map(str::to_owned);
        Box::new(Trouble { code, pos, byte, message, fix, mend: None })
    }
}

/// A key as it may stand in a message: keys are no secrets, but they may be long.
pub(super) fn shown(key: &str) -> String {
    const MOST: usize = 80;
    let mut text: String = key.chars().take(MOST).collect();
    if text.len() < key.len() {
        text.push('…');
    }
    format!("{text:?}")
}

fn describe(kind: &ErrorKind) -> (Code, String, Option<&'static str>) {
    use ErrorKind as E;
    let (message, fix) = match kind {
        E::RecursionLimitExceeded => return (Code::TooDeep, "nested more than 255 levels deep".to_owned(), None),
        E::UnknownAnchor => {
            let message = "an alias (`*name`) of an anchor that this document does not have";
            let fix = "define it with `&name` before it is used, or quote a value that begins with `*`";
            return (Code::UnknownAnchor, message.to_owned(), Some(fix));
        }
        E::UnclosedQuotedScalar => ("a quote that is opened here is never closed", None),
        E::DocumentIndicatorInQuotedScalar => ("a quote is still open where the next document begins", None),
        E::ExpectedBlockMappingKey | E::ExpectedBlockSequenceEntry | E::InvalidIndentation => {
            let fix = "indent it like the lines it belongs to";
            ("this does not fit the indentation of the lines above", Some(fix))
        }
        E::MappingValueNotAllowed | E::InvalidColonPlacement => {
            let fix = "quote a text that contains `: `, or correct the indentation";
            ("a `:` that makes a key is not allowed here", Some(fix))
        }
        E::BlockSequenceEntryNotAllowed => {
            ("a list item (`- `) is not allowed here", Some("begin the list on a line of its own"))
        }
        E::SimpleKeyExpected | E::InvalidSimpleKey => ("a key without its `:`", Some("write `key: value`")),
        E::UnexpectedEofFlowSequence | E::UnexpectedEofFlowMapping | E::UnexpectedEofImplicitFlowMapping => {
            ("a bracket or brace is never closed", None)
        }
        E::UnexpectedCharacter { character: '@' | '`' | '%' } => {
            ("a value cannot begin with this character", Some("quote the value"))
        }
        E::UnknownQuotedScalarEscape => {
            let fix = "double the backslash, or use single quotes; `'` needs no backslash in double quotes";
            ("an unknown escape (`\\`) in a text in double quotes", Some(fix))
        }
        E::ExpectedDocumentStart => {
            ("the document ends before this", Some("put a line `---` before the next document"))
        }
        E::CommentNotSeparated => ("a comment without a space in front of its `#`", Some("put a space there")),
        E::BomInsideDocument => ("a byte order mark in the middle of a document", Some("remove it")),
        E::UndeclaredTagHandle => ("a tag whose prefix no %TAG line declares", None),
        _ => return (Code::Syntax, not_yaml(kind), None),
    };
    (Code::Syntax, message.to_owned(), fix)
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
