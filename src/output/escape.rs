use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character could do something to a terminal, or make a line read otherwise than it is: control
/// characters (C0, DEL, C1), and the invisible marks that reorder or hide text.
pub fn is_dangerous(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// Whether a text has a dangerous character. Most have none, and most are ASCII but for a dash or an ellipsis.
fn has_dangerous(text: &str) -> bool {
    let bytes = text.as_bytes();
    // Without a way out of the loop the compiler looks at many bytes at a time.
    if bytes.iter().fold(false, |bad, byte| bad | (*byte < b' ') | (*byte == 0x7f)) {
        return true;
    }
    // Characters beyond ASCII begin with a byte of 0xC0 or more.
    !text.is_ascii()
        && bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte >= 0xc0)
            .any(|(at, _)| text.get(at..).and_then(|rest| rest.chars().next()).is_some_and(is_dangerous))
}

/// `text` for a terminal: every dangerous character as `\n`, `\t`, `\u{1b}` …, everything else as it is. What comes
/// from files, clusters and error messages passes through here before it is printed.
pub fn escape(text: &str) -> Cow<'_, str> {
    if !has_dangerous(text) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\r' => escaped.push_str("\\r"),
            other if is_dangerous(other) => {
                let _ = write!(escaped, "\\u{{{:x}}}", other as u32);
            }
            other => escaped.push(other),
        }
    }
    Cow::Owned(escaped)
}

/// A formatter of JSON that also escapes what JSON allows but a terminal would obey (DEL, C1 and the like).
pub struct SafeJson;

impl serde_json::ser::Formatter for SafeJson {
    fn write_string_fragment<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> std::io::Result<()> {
        if !has_dangerous(fragment) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some((index, character)) = rest.char_indices().find(|(_, character)| is_dangerous(*character)) {
            writer.write_all(&rest.as_bytes()[..index])?;
            for unit in character.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = &rest[index + character.len_utf8()..];
        }
        writer.write_all(rest.as_bytes())
    }
}

/// A line of YAML (`key: scalar` or `- scalar`, with its line break) in which nothing is left that a terminal would
/// obey: the emitter escapes control characters, but not the invisible marks.
pub(super) fn safe_yaml_line(line: &str) -> Cow<'_, str> {
    let (body, end) = match line.strip_suffix('\n') {
        Some(body) => (body, "\n"),
        None => (line, ""),
    };
    if !has_dangerous(body) {
        return Cow::Borrowed(line);
    }
    // Keys are this program's own, so the scalar begins behind the first `: ` or the last leading `- `.
    let dashes = body.len() - body.trim_start_matches([' ', '-']).len();
    let start = body.find(": ").map_or(dashes, |colon| colon + 2).max(dashes);
    let (head, scalar) = body.split_at(start);
    let mut safe = head.to_owned();
    match scalar.strip_prefix('"') {
        Some(_) => escape_marks(&mut safe, scalar),
        None => {
            let single = scalar.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\''));
            let text = single.map_or(scalar.to_owned(), |inner| inner.replace("\'\'", "\'"));
            let quoted = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
            escape_marks(&mut safe, &quoted);
        }
    }
    safe.push_str(end);
    Cow::Owned(safe)
}

fn escape_marks(to: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            // YAML has an escape of eight digits; surrogate pairs are JSON's way.
            other if is_dangerous(other) && other > '\u{ffff}' => {
                let _ = write!(to, "\\U{:08x}", other as u32);
            }
            other if is_dangerous(other) => {
                let _ = write!(to, "\\u{:04x}", other as u32);
            }
            other => to.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;

    #[test]
    fn escape_sequences_and_invisible_marks_are_shown_not_sent() {
        let cases = [
            ("plain name-1", "plain name-1"),
            ("größer 大", "größer 大"),
            ("\u{1b}[31mred\u{1b}[0m", "\\u{1b}[31mred\\u{1b}[0m"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("a\nb\tc\rd\u{7f}", "a\\nb\\tc\\rd\\u{7f}"),
            ("abc\u{202e}fed", "abc\\u{202e}fed"),
            ("zero\u{200b}width", "zero\\u{200b}width"),
        ];
        for (text, expected) in cases {
            assert_eq!(escape(text), expected);
        }
    }

    #[test]
    fn json_strings_hold_no_character_that_a_terminal_would_obey_and_mean_the_same() {
        let text = "\u{1b}[31m \u{9b}1m \u{7f} \u{202e} größer \u{e0041} 😀";
        let mut bytes = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, SafeJson);
        text.serialize(&mut serializer).unwrap_or_else(|error| panic!("{error}"));
        let json = String::from_utf8(bytes).unwrap_or_default();
        assert!(!json.chars().any(is_dangerous), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).ok().as_deref(), Some(text));
    }
}
