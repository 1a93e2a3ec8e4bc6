//! What can be said of a file's bytes before a parser sees them: encoding, documents, tabs, templates.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr, memrchr2};

use crate::object::Pos;

/// U+FEFF in UTF-8.
pub(super) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Where a piece of text begins in its file, both from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Start {
    pub line: u32,
    pub column: u32,
}

impl Start {
    /// The position in the file of what stands at a line (from 1) and column (from 0) of the piece.
    pub fn pos(self, line: usize, column: usize) -> Pos {
        let first = if line <= 1 { self.column } else { 0 };
        let (line, column) = (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX));
        Pos { line: self.line.saturating_add(line.max(1)), column: first.saturating_add(column).saturating_add(1) }
    }

    /// The position in the file of a byte of the piece.
    pub fn locate(self, text: &str, byte: usize) -> Pos {
        let before = text.get(..byte).unwrap_or(text);
        let line = memrchr2(b'\n', b'\r', before.as_bytes()).map_or(0, |end| end + 1);
        self.pos(1 + count_lines(before.as_bytes()), before.get(line..).unwrap_or_default().chars().count())
    }
}

/// How many lines end in a text. A line ends with LF, CR LF or CR.
pub(super) fn count_lines(text: &[u8]) -> usize {
    let feeds = memchr_iter(b'\n', text).count();
    if memchr(b'\r', text).is_none() {
        return feeds;
    }
    feeds + memchr_iter(b'\r', text).filter(|&at| text.get(at + 1) != Some(&b'\n')).count()
}

/// A part of a file that can be read on its own: one document with the directives above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub bytes: Range<usize>,
    pub start: Start,
}

/// Cuts a file at its document markers. This is exact: `---` at the beginning of a line always is one, block scalars
/// and quoted texts included. So a broken document cannot hide the next.
pub(super) fn pieces(text: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut begin, mut counted, mut lines) = (0, 0, 0);
    let mut push = |range: Range<usize>| {
        lines += count_lines(text.get(counted..range.start).unwrap_or_default());
        counted = range.start;
        let start = Start { line: u32::try_from(lines).unwrap_or(u32::MAX), column: 0 };
        pieces.push(Piece { bytes: range, start });
    };
    for marker in memmem::find_iter(text, b"---") {
        if !text.get(marker + 3).is_none_or(|b| b.is_ascii_whitespace()) {
            continue;
        }
        // Files that were put together may have a byte order mark at each seam.
        let end = text[..marker].strip_suffix(BOM).map_or(marker, <[u8]>::len);
        if end > 0 && !matches!(text[end - 1], b'\n' | b'\r') {
            continue;
        }
        let cut = begin.max(directives(text, end));
        let next = if cut == end { marker } else { cut };
        if cut > begin {
            push(begin..cut);
        }
        begin = next;
    }
    if begin < text.len() {
        push(begin..text.len());
    }
    pieces
}

/// Where the directives (`%YAML`, `%TAG`) in front of a document marker begin: they belong to the document behind it.
/// The marker itself, if there are none.
fn directives(text: &[u8], marker: usize) -> usize {
    let mut found = marker;
    let mut end = marker;
    while end > 0 {
        let body = text[..end].strip_suffix(b"\n").unwrap_or(&text[..end]);
        let body = body.strip_suffix(b"\r").unwrap_or(body);
        let begin = memrchr2(b'\n', b'\r', body).map_or(0, |line| line + 1);
        match body[begin..].trim_ascii_start().first() {
            Some(b'%') if is_directive(&body[begin..]) => found = begin,
            None | Some(b'#') => {}
            _ => break,
        }
        end = begin;
    }
    found
}

fn is_directive(line: &[u8]) -> bool {
    let rest = line.strip_prefix(b"%YAML").or_else(|| line.strip_prefix(b"%TAG"));
    rest.and_then(<[u8]>::first).is_some_and(u8::is_ascii_whitespace)
}

/// What stands in front of the first content of a document: its marker, blank lines and comments.
pub(super) fn preamble(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = if bytes.starts_with(b"---") && bytes.get(3).is_none_or(u8::is_ascii_whitespace) { 3 } else { 0 };
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'#' if at == 0 || bytes[at - 1].is_ascii_whitespace() => {
                at += memchr2(b'\n', b'\r', &bytes[at..]).unwrap_or(bytes.len() - at);
            }
            _ => break,
        }
    }
    at
}

/// The text up to the second of several JSON documents in a row; all of it, if it is anything else.
pub(super) fn first_document(text: &str) -> &str {
    let begin = preamble(text);
    let bytes = text.as_bytes();
    if bytes.get(begin) != Some(&b'{') {
        return text;
    }
    let (mut depth, mut quoted, mut at) = (0_usize, false, begin);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'\n' => {
                quoted = false;
                // After a whole value a brace that begins a line begins a document, whatever the one above left open.
                if bytes.get(at) == Some(&b'{') && ends_value(&bytes[begin..at]) {
                    break;
                }
            }
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    let rest = text.get(at..).unwrap_or_default();
    let next = rest.trim_ascii_start();
    if next.starts_with('{') { text.get(..text.len() - next.len()).unwrap_or(text) } else { text }
}

fn ends_value(json: &[u8]) -> bool {
    json.trim_ascii_end().last().is_some_and(|last| !b",:[{".contains(last))
}

/// Whether there is nothing in a document, or nothing but an explicit null, which kubectl passes over, too.
pub(super) fn is_blank(text: &str) -> bool {
    matches!(text.get(preamble(text)..).map(str::trim_ascii_end), None | Some("" | "~" | "null" | "..."))
}

/// UTF-16 and UTF-32, which begin with a mark of their own or, as manifests begin with ASCII, have a NUL in every other
/// byte.
pub(super) fn is_wide(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [0, 0, 0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => {
            matches!((a, b, c, d), (0, 1.., 0, 1..) | (1.., 0, 1.., 0) | (0, 0, 0, 1..) | (1.., 0, 0, 0))
        }
        _ => false,
    }
}

/// Whether a text may hold characters that YAML forbids. Quick: all of the input goes through it.
pub(super) fn may_have_controls(text: &str) -> bool {
    // Without an early exit the loop is made of vector instructions.
    let ascii = text.bytes().fold(false, |found, b| found | is_control(b));
    ascii || (!text.is_ascii() && find_control(text).is_some())
}

fn is_control(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r') | (byte == 0x7f)
}

/// The first character that YAML forbids: where it is, in bytes, and which.
pub(super) fn find_control(text: &str) -> Option<(usize, char)> {
    text.char_indices().find(|&(_, c)| match c {
        '\t' | '\n' | '\r' | '\u{85}' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        c => c.is_control(),
    })
}

/// The first tab of each line that is indented with one, or has one behind the `-` or `?` of block structure. In flow
/// collections and texts of several lines they are harmless.
pub(super) fn leading_tabs(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let mut tabs = Vec::new();
    let mut from = 0;
    while let Some(tab) = memchr(b'\t', &bytes[from..]).map(|at| from + at) {
        let begin = memrchr2(b'\n', b'\r', &bytes[from..tab]).map_or(from, |end| from + end + 1);
        let lead = &bytes[begin..tab];
        let structure = lead.iter().enumerate().all(|(at, b)| match b {
            b' ' => true,
            b'-' | b'?' => lead.get(at + 1).is_none_or(|&next| next == b' '),
            _ => false,
        });
        if structure {
            tabs.push(tab);
        }
        from = memchr2(b'\n', b'\r', &bytes[tab..]).map_or(bytes.len(), |end| tab + end + 1);
    }
    tabs
}

/// The text with the tabs that indent the inside of a flow collection replaced by as many spaces, from the tab at
/// `from` on, around which `open` collections are open. libyaml takes such tabs, the parser does not.
pub(super) fn without_flow_tabs(text: &str, from: usize, open: u32) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let (mut open, mut quote, mut leading) = (open, None, true);
    let mut at = from;
    while let Some(&byte) = bytes.get(at).filter(|_| open > 0) {
        match (byte, quote) {
            (b'\t', _) if leading => bytes[at] = b' ',
            (b'\\', Some(b'"')) => at += 1,
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'"' | b'\'', Some(opened)) if opened == byte => quote = None,
            (b'[' | b'{', None) => open += 1,
            (b']' | b'}', None) => open -= 1,
            _ => {}
        }
        leading = matches!(byte, b'\n' | b'\r') || (leading && matches!(byte, b'\t' | b' '));
        at += 1;
    }
    // Spaces for tabs: it is as good UTF-8 as it was.
    String::from_utf8(bytes).unwrap_or_default()
}

/// The first `{{` or `{%` that a template language would act on and that can explain an error at the byte `error`: it
/// stands before the error, and in no comment and no quotes unless on the same line.
pub(super) fn template_mark(text: &str, error: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let error = error.min(bytes.len());
    let error_line = memrchr2(b'\n', b'\r', &bytes[..error]).map_or(0, |end| end + 1);
    let mut begin = 0;
    while begin <= error_line {
        let end = memchr2(b'\n', b'\r', &bytes[begin..]).map_or(bytes.len(), |at| begin + at);
        if let Some(at) = mark_in_line(&bytes[begin..end], begin == error_line) {
            return Some(begin + at);
        }
        begin = end + 1;
    }
    None
}

/// The first `{{` or `{%` of a line, or the first that is in no comment and no quotes.
fn mark_in_line(line: &[u8], any: bool) -> Option<usize> {
    let (mut single, mut double) = (false, false);
    for at in memchr_iter(b'{', line) {
        let since = memrchr(b'{', &line[..at]).unwrap_or(0);
        for (offset, byte) in line[since..at].iter().enumerate() {
            match byte {
                b'\'' => single = !single,
                b'"' => double = !double,
                b'#' if !any && (since + offset == 0 || line[since + offset - 1].is_ascii_whitespace()) => return None,
                _ => {}
            }
        }
        if matches!(line.get(at + 1), Some(b'{' | b'%')) && (any || !(single || double)) {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(&str, u32)> {
        pieces(text.as_bytes()).into_iter().map(|piece| (&text[piece.bytes], piece.start.line)).collect()
    }

    #[test]
    fn a_file_is_cut_at_markers_and_only_there() {
        assert_eq!(
            cut("a: 1\n---\nb: ---\n--- # c\nc: |\n ---\n"),
            [("a: 1\n", 0), ("---\nb: ---\n", 1), ("--- # c\nc: |\n ---\n", 3)]
        );
        assert_eq!(cut("---x: 1\n----\n"), [("---x: 1\n----\n", 0)]);
        assert_eq!(cut("a: 1\r---\rb: 1"), [("a: 1\r", 0), ("---\rb: 1", 1)]);
        assert_eq!(cut(""), []);
    }

    #[test]
    fn directives_stay_with_the_document_behind_them() {
        assert_eq!(
            cut("%YAML 1.2\n# c\n---\na: 1\n...\n%TAG ! x\n\n---\nb: 1\n"),
            [("%YAML 1.2\n# c\n---\na: 1\n...\n", 0), ("%TAG ! x\n\n---\nb: 1\n", 5)]
        );
    }

    #[test]
    fn a_byte_order_mark_at_a_seam_belongs_to_nobody() {
        assert_eq!(cut("a: 1\n\u{feff}---\nb: 1\n"), [("a: 1\n", 0), ("---\nb: 1\n", 1)]);
    }

    #[test]
    fn blank_is_what_kubectl_passes_over() {
        for text in ["", "---", "--- # c\n", "# c\n\n  # d\n", "---\nnull\n", "~"] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["a: 1", "--- a", "---a", "--- |\n", "#c\na"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }
}
