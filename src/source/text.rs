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
///
/// kubectl cuts, too, before it parses, and at more lines: `---# note` and `---` with any Unicode space behind it. Such
/// a line is nothing to YAML, so the next piece begins behind it.
pub(super) fn pieces(text: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    // `chunk` is where the text begins that kubectl has read since it last cut.
    let (mut begin, mut chunk) = (0, 0);
    let (mut counted, mut lines) = (0, 0);
    let mut push = |range: Range<usize>| {
        lines += count_lines(text.get(counted..range.start).unwrap_or_default());
        counted = range.start;
        let start = Start { line: u32::try_from(lines).unwrap_or(u32::MAX), column: 0 };
        pieces.push(Piece { bytes: range, start });
    };
    for marker in memmem::find_iter(text, b"---") {
        // Files that were put together may have a byte order mark at each seam.
        let end = text[..marker].strip_suffix(BOM).map_or(marker, <[u8]>::len);
        if end > 0 && !matches!(text[end - 1], b'\n' | b'\r') {
            continue;
        }
        let rest = text.get(marker + 3..).unwrap_or_default();
        let is_yaml = rest.first().is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
        if !is_yaml && (chunk == marker || !is_space_or_comment(first_line(rest))) {
            continue;
        }
        let next_line = marker + 3 + first_line(rest).len();
        let cut = if is_yaml { begin.max(directives(text, end)) } else { end };
        if cut > begin {
            push(begin..cut);
        }
        begin = if !is_yaml {
            next_line
        } else if cut == end {
            marker
        } else {
            cut
        };
        // A marker with nothing in front of it is text to kubectl.
        if chunk < marker {
            chunk = next_line;
        }
    }
    if begin < text.len() {
        push(begin..text.len());
    }
    pieces
}

/// The first line with what ends it.
fn first_line(text: &[u8]) -> &[u8] {
    let end = match memchr2(b'\n', b'\r', text) {
        Some(at) if text[at..].starts_with(b"\r\n") => at + 2,
        Some(at) => at + 1,
        None => text.len(),
    };
    &text[..end]
}

/// Whether nothing else stands behind a marker: what kubectl asks of a line for it to separate documents.
fn is_space_or_comment(line: &[u8]) -> bool {
    std::str::from_utf8(line).map(str::trim).is_ok_and(|rest| rest.is_empty() || rest.starts_with('#'))
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

/// Whether a text begins as JSON does.
pub(super) fn is_json(text: &str) -> bool {
    text.get(preamble(text)..).is_some_and(|text| text.starts_with('{'))
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

/// Whether bytes that [`is_wide`] are UTF-32: three bytes of four are NUL, or the mark is four bytes long.
pub(super) fn is_utf_32(bytes: &[u8]) -> bool {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => true,
        [a, b, c, d, ..] => matches!((a, b, c, d), (0, 0, 0, 1..) | (1.., 0, 0, 0)),
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

/// The line with the header of the block scalar (`|2`) whose text begins at the byte `at`.
pub(super) fn header_line(text: &str, at: usize) -> Range<usize> {
    let before = text.get(..at).unwrap_or(text).trim_ascii_end();
    before.rfind(['\n', '\r']).map_or(0, |end| end + 1)..before.len()
}

/// Whether the header of a block scalar says how far its text is indented.
pub(super) fn says_its_indent(header: &str) -> bool {
    let indent = header.match_indices(['|', '>']).find_map(|(at, _)| {
        let rest = header[at + 1..].trim_start_matches(|c: char| matches!(c, '+' | '-') || c.is_ascii_digit());
        let comment = rest.trim_ascii_start();
        let is_header = comment.is_empty() || comment.starts_with('#');
        is_header.then(|| header[at + 1..header.len() - rest.len()].bytes().any(|b| b.is_ascii_digit()))
    });
    indent.unwrap_or_default()
}

/// The characters that end a line for libyaml and not for the parser: U+0085, U+2028 and U+2029.
const SEPARATORS: [&str; 3] = ["\u{85}", "\u{2028}", "\u{2029}"];

/// Whether a text holds any of them.
pub(super) fn has_separators(text: &[u8]) -> bool {
    SEPARATORS.iter().any(|separator| memmem::find(text, separator.as_bytes()).is_some())
}

/// Where they stand.
pub(super) fn separators(text: &str) -> Vec<usize> {
    text.match_indices(['\u{85}', '\u{2028}', '\u{2029}']).map(|(at, _)| at).collect()
}

/// Whether a line separator in quotes means the same to libyaml: it keeps U+2028 and U+2029, folds U+0085 into a
/// space, and drops the blanks beside any of them.
pub(super) fn is_kept_in_quotes(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let blank = |byte: Option<&u8>| byte.is_none_or(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\\'));
    bytes.get(at) == Some(&0xe2) && !blank(at.checked_sub(1).and_then(|at| bytes.get(at))) && !blank(bytes.get(at + 3))
}

/// Whether nothing but a comment follows on the line of a line separator, so that it need not end that line.
pub(super) fn ends_its_line(text: &str, at: usize) -> bool {
    let rest = text.get(at..).unwrap_or_default();
    let rest = rest.trim_start_matches([' ', '\t', '\u{85}', '\u{2028}', '\u{2029}']);
    rest.is_empty() || rest.starts_with(['#', '\n', '\r'])
}

/// The first tab of each line that is indented with one, or has one behind the `-` or `?` of block structure; from the
/// line on that begins at the byte `from`. In flow collections and texts of several lines they are harmless.
pub(super) fn leading_tabs(text: &str, mut from: usize) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    std::iter::from_fn(move || {
        loop {
            let tab = from + memchr(b'\t', bytes.get(from..)?)?;
            let begin = memrchr2(b'\n', b'\r', &bytes[from..tab]).map_or(from, |end| from + end + 1);
            from = memchr2(b'\n', b'\r', &bytes[tab..]).map_or(bytes.len(), |end| tab + end + 1);
            let lead = &bytes[begin..tab];
            let structure = lead.iter().enumerate().all(|(at, b)| match b {
                b' ' => true,
                b'-' | b'?' => lead.get(at + 1).is_none_or(|&next| next == b' '),
                _ => false,
            });
            if structure {
                return Some(tab);
            }
        }
    })
}

/// Looks for the marks of templates (`{{`, `{%`) in a piece, once and for all of its errors, which come in order.
#[derive(Default)]
pub(super) struct Marks {
    /// The first mark that counts wherever the error is, in the lines up to here.
    found: Option<usize>,
    searched: usize,
    /// The line that was last looked at closely, and the first mark of all in it.
    line: Range<usize>,
    in_line: Option<usize>,
}

impl Marks {
    /// The first mark that a template language would act on and that can explain an error at the byte `error`: it
    /// stands before the error, and in no comment and no quotes unless on the same line.
    pub fn explain(&mut self, text: &str, error: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let error = error.min(bytes.len());
        if !self.line.contains(&error) {
            let from = self.searched.min(error);
            let begin = memrchr2(b'\n', b'\r', &bytes[from..error]).map_or(from, |end| from + end + 1);
            let end = memchr2(b'\n', b'\r', &bytes[error..]).map_or(bytes.len(), |at| error + at);
            self.line = begin..end + 1;
            self.in_line = mark_in_line(&bytes[begin..end], true).map(|at| begin + at);
        }
        while self.found.is_none() && self.searched < self.line.start {
            let begin = self.searched;
            let end = memchr2(b'\n', b'\r', &bytes[begin..]).map_or(bytes.len(), |at| begin + at);
            self.found = mark_in_line(&bytes[begin..end], false).map(|at| begin + at);
            self.searched = end + 1;
        }
        self.found.or(self.in_line)
    }
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
        assert_eq!(cut("a: 1\n---\u{200b}\n"), [("a: 1\n---\u{200b}\n", 0)]);
        assert_eq!(cut("a: 1\r---\rb: 1"), [("a: 1\r", 0), ("---\rb: 1", 1)]);
        assert_eq!(cut(""), []);
    }

    #[test]
    fn lines_that_separate_only_for_kubectl_belong_to_no_piece() {
        for line in ["---# c", "---####", "---\u{a0}", "---\u{a0}# c", "---\u{b}", "---\u{c}", "---\u{2028}"] {
            assert_eq!(cut(&format!("a: 1\n{line}\nb: 1\n")), [("a: 1\n", 0), ("b: 1\n", 2)], "{line:?}");
        }
        assert_eq!(cut("a: 1\r\n---# c\r\nb: 1\r\n---# c"), [("a: 1\r\n", 0), ("b: 1\r\n", 2)]);
        // Where nothing stands in front of it, kubectl takes the line for text.
        assert_eq!(cut("---# c\n---# d\nb: 1\n"), [("---# c\n", 0), ("b: 1\n", 2)]);
        assert_eq!(cut("a: 1\n---\n---# c\nb: 1\n"), [("a: 1\n", 0), ("---\n---# c\nb: 1\n", 1)]);
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
