//! The two ways in which Go's standard library quotes a text inside an error message.

use std::fmt::Write as _;

/// The text as a double-quoted Go string literal, as error messages of `strconv` show it.
///
/// Source: Go 1.26, `strconv.Quote`. Control characters become `\n`, `\x00` and the like, other characters that Go
/// does not print become `\u200b` or `\U000e0001`.
///
/// Which characters beyond ASCII print is a matter of Unicode tables, and the table used here is the one of Rust's
/// standard library. It draws the line where Go does (letters, marks, numbers, punctuation and symbols print), but
/// from a newer Unicode: a character younger than Go's tables is shown as itself here and escaped by Go.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        push_escaped(&mut quoted, character);
    }
    quoted.push('"');
    quoted
}

fn push_escaped(quoted: &mut String, character: char) {
    let code = u32::from(character);
    match character {
        '"' | '\\' => quoted.extend(['\\', character]),
        '\x07' => quoted.push_str("\\a"),
        '\x08' => quoted.push_str("\\b"),
        '\x0c' => quoted.push_str("\\f"),
        '\n' => quoted.push_str("\\n"),
        '\r' => quoted.push_str("\\r"),
        '\t' => quoted.push_str("\\t"),
        '\x0b' => quoted.push_str("\\v"),
        ' '..='~' => quoted.push(character),
        // Writing to a String cannot fail, here and below.
        _ if character.is_ascii() => _ = write!(quoted, "\\x{code:02x}"),
        _ if is_printable(character) => quoted.push(character),
        _ if code < 0x1_0000 => _ = write!(quoted, "\\u{code:04x}"),
        _ => _ = write!(quoted, "\\U{code:08x}"),
    }
}

/// The standard library tells what prints only through `escape_debug`, which also escapes a combining character, but
/// only at the start of a text. Hence the letter in front.
fn is_printable(character: char) -> bool {
    let text = String::from_iter(['a', character]);
    text.escape_debug().nth(1) == Some(character)
}

/// The text between double quotes as error messages of package `time` show it: `time` has a quoting of its own, which
/// writes every byte of a character beyond ASCII as `\xc2`, and DEL as itself.
///
/// Source: Go 1.26, `time.quote`.
pub(super) fn quote_for_time(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=0x7f => quoted.push(char::from(byte)),
            _ => _ = write!(quoted, "\\x{byte:02x}"),
        }
    }
    quoted.push('"');
    quoted
}
