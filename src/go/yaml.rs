//! What a YAML scalar means to `kubectl`.
//!
//! Source: `sigs.k8s.io/yaml` v1.4.0, which kubectl 1.32 uses, with its fork `goyaml.v2`. It decodes without a wanted
//! type and turns the result into JSON, so the words of YAML 1.1 count (`on`, `0600`), not those of YAML 1.2.

use std::borrow::Cow;

use super::int::{IntError, parse_int, parse_uint};

/// What a scalar becomes on its way to JSON.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// JSON's `null`.
    Null,
    /// A boolean, which YAML 1.1 also spells `yes`, `on`, `y` and so on.
    Bool(bool),
    /// An integer that an `i64` holds.
    Int(i64),
    /// An integer above `i64::MAX`.
    Uint(u64),
    /// A finite number; negative zero is possible.
    Float(f64),
    /// An infinity or NaN, for which JSON has no number: the conversion fails, see [`Scalar::go_error`].
    NonFinite(f64),
    /// The text itself, as a string.
    Str,
    /// A string other than the text: what a `!!binary` holds, with U+FFFD for each byte that is not UTF-8.
    Decoded(String),
    /// The tag cannot be applied to the text. Holds Go's words, for example
    /// ``yaml: cannot decode !!str `x` as a !!int``.
    Invalid(String),
}

impl Scalar {
    /// The word `encoding/json` has for the type, as in `json: cannot unmarshal number into Go struct field`:
    /// `null`, `bool`, `number` or `string`.
    ///
    /// A scalar with a [`Scalar::go_error`] never gets to be JSON; for it the answer is what its text was going to be,
    /// `number` for [`Scalar::NonFinite`] and `string` for [`Scalar::Invalid`].
    pub fn json_type(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Uint(_) | Self::Float(_) | Self::NonFinite(_) => "number",
            Self::Str | Self::Decoded(_) | Self::Invalid(_) => "string",
        }
    }

    /// Go's words for why the document that holds this scalar cannot become JSON; `None` if it can.
    ///
    /// `kubectl` puts `error converting YAML to JSON: ` in front.
    pub fn go_error(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Invalid(words) => Some(Cow::Borrowed(words)),
            Self::NonFinite(number) if number.is_nan() => Some(Cow::Borrowed("json: unsupported value: NaN")),
            Self::NonFinite(number) if *number < 0.0 => Some(Cow::Borrowed("json: unsupported value: -Inf")),
            Self::NonFinite(_) => Some(Cow::Borrowed("json: unsupported value: +Inf")),
            _ => None,
        }
    }
}

/// How a scalar is written, as far as its meaning depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In single or double quotes, or as a literal (`|`) or folded (`>`) block.
    Quoted,
}

/// What `kubectl` makes of a scalar with this text (after unescaping and folding), style and tag.
///
/// `tag` may be short (`!!int`), long (`tag:yaml.org,2002:int`), verbatim (`!<tag:yaml.org,2002:int>`), `!`, or one of
/// an application's own (`!Ref`); the last two make a string, and an empty one is none. As in Go, a tag counts more
/// than quotes: `!!int "5"` is a number. An absent value (`key:`) is the empty text in plain style.
///
/// `<<` as a value is a string. Its meaning as a key, a merge, is not a matter of scalars.
///
/// One difference from Go is known: a number of more than 800 digits with an exponent is read as what it says. Go loses
/// count of its digits then and reads, for example, 0.1 instead of 1.
///
/// Allocates only for numbers with underscores, for binary data and for errors.
///
/// ```
/// use kcc_backoff::go::{Scalar, Style, resolve};
///
/// assert_eq!(resolve("0600", Style::Plain, None), Scalar::Int(384));
/// assert_eq!(resolve("0600", Style::Quoted, None), Scalar::Str);
/// assert_eq!(resolve("0800", Style::Plain, None), Scalar::Float(800.0));
/// ```
pub fn resolve(text: &str, style: Style, tag: Option<&str>) -> Scalar {
    match tag.filter(|tag| !tag.is_empty()) {
        None if style == Style::Quoted => Scalar::Str,
        None => resolve_plain(text),
        Some(tag) => resolve_tagged(text, tag),
    }
}

/// The longest of the words that are not strings: `false`, `+.inf`.
const LONGEST_WORD: usize = 5;

fn resolve_plain(text: &str) -> Scalar {
    let Some(first) = text.bytes().next() else {
        return Scalar::Null;
    };
    // Nearly every annotation ends here: its first letter already rules out all but a string.
    let other = match first {
        b'0'..=b'9' => return number(text).unwrap_or(Scalar::Str),
        b'+' | b'-' => number(text),
        b'.' => pointed_number(text),
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => None,
        _ => return Scalar::Str,
    };
    other.or_else(|| word(text)).unwrap_or(Scalar::Str)
}

fn word(text: &str) -> Option<Scalar> {
    if text.len() > LONGEST_WORD {
        return None;
    }
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(Scalar::Bool(true)),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Scalar::Bool(false))
        }
        "~" | "null" | "Null" | "NULL" => Some(Scalar::Null),
        ".nan" | ".NaN" | ".NAN" => Some(Scalar::NonFinite(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(Scalar::NonFinite(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => Some(Scalar::NonFinite(f64::NEG_INFINITY)),
        _ => None,
    }
}

/// A number that begins with a digit or a sign. Underscores may be anywhere behind that: Go takes them out unseen.
fn number(text: &str) -> Option<Scalar> {
    let text = without_underscores(text);
    match parse_int(&text, 0, 64) {
        Ok(value) => return Some(Scalar::Int(value)),
        Err(IntError::Range { .. }) => {
            if let Ok(value) = parse_uint(&text, 0, 64) {
                return Some(Scalar::Uint(value));
            }
        }
        Err(_) => {}
    }
    if is_decimal(&text) {
        // An octal number with an 8 or 9 in it comes here too, and is decimal then.
        return parse_float(&text).map(Scalar::Float);
    }
    // Other binary numbers were read above. What is left for this is a sign in an odd place: `0b-101` is -5.
    let signed = text.strip_prefix("0b")?;
    parse_int(signed, 2, 64).ok().map(Scalar::Int)
}

/// A number that begins with its point. Go reads these by another path than those that begin with a digit, one that
/// is strict about where underscores stand.
fn pointed_number(text: &str) -> Option<Scalar> {
    let digits = without_underscores(text);
    if !is_decimal(&digits) || !underscores_part_digits(text) {
        return None;
    }
    parse_float(&digits).map(Scalar::Float)
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}

fn underscores_part_digits(text: &str) -> bool {
    let mut pieces = text.split('_');
    let Some(mut before) = pieces.next() else {
        return true;
    };
    pieces.all(|after| {
        let parts = before.ends_with(|c: char| c.is_ascii_digit()) && after.starts_with(|c: char| c.is_ascii_digit());
        before = after;
        parts
    })
}

/// Whether the text is `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, the pattern of `goyaml.v2`.
fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let after_whole = unsigned.trim_start_matches(|c: char| c.is_ascii_digit());
    let after_digits = match after_whole.strip_prefix('.') {
        Some(fraction) => {
            let rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            // The point needs a digit on one side.
            if after_whole.len() == unsigned.len() && rest.len() == fraction.len() {
                return false;
            }
            rest
        }
        None if after_whole.len() == unsigned.len() => return false,
        None => after_whole,
    };
    match after_digits.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let digits = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => after_digits.is_empty(),
    }
}

/// The nearest double; `None` for one that is too large, which Go refuses (and which therefore stays a string). The
/// text [`is_decimal`].
fn parse_float(text: &str) -> Option<f64> {
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// The tags that the fork knows, in short form. Any other makes a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Null,
    Bool,
    Int,
    Float,
    Str,
    Timestamp,
    Binary,
}

impl Known {
    fn read(tag: &str) -> Option<Self> {
        let verbatim = tag.strip_prefix("!<").and_then(|rest| rest.strip_suffix('>'));
        let name = match verbatim {
            // Between these brackets nothing is abbreviated: `!<!!int>` is no integer.
            Some(long) => long.strip_prefix("tag:yaml.org,2002:"),
            None => tag.strip_prefix("tag:yaml.org,2002:").or_else(|| tag.strip_prefix("!!")),
        };
        match name? {
            "null" => Some(Self::Null),
            "bool" => Some(Self::Bool),
            "int" => Some(Self::Int),
            "float" => Some(Self::Float),
            "str" => Some(Self::Str),
            "timestamp" => Some(Self::Timestamp),
            "binary" => Some(Self::Binary),
            _ => None,
        }
    }

    fn of(scalar: &Scalar) -> Self {
        match scalar {
            Scalar::Null => Self::Null,
            Scalar::Bool(_) => Self::Bool,
            Scalar::Int(_) | Scalar::Uint(_) => Self::Int,
            Scalar::Float(_) | Scalar::NonFinite(_) => Self::Float,
            Scalar::Str | Scalar::Decoded(_) | Scalar::Invalid(_) => Self::Str,
        }
    }

    fn short(self) -> &'static str {
        match self {
            Self::Null => "!!null",
            Self::Bool => "!!bool",
            Self::Int => "!!int",
            Self::Float => "!!float",
            Self::Str => "!!str",
            Self::Timestamp => "!!timestamp",
            Self::Binary => "!!binary",
        }
    }
}

fn resolve_tagged(text: &str, tag: &str) -> Scalar {
    let wanted = match Known::read(tag) {
        None | Some(Known::Str) => return Scalar::Str,
        Some(Known::Binary) => return decode_binary(text),
        Some(wanted) => wanted,
    };
    let found = resolve_plain(text);
    match found {
        // A timestamp is checked, and then the text is kept.
        Scalar::Str if wanted == Known::Timestamp && is_timestamp(text) => Scalar::Str,
        // Only for integers of 64 bits with a sign; Go refuses a larger one.
        Scalar::Int(value) if wanted == Known::Float => Scalar::Float(value as f64),
        _ if Known::of(&found) == wanted => found,
        _ => {
            let (found, wanted) = (Known::of(&found).short(), wanted.short());
            Scalar::Invalid(format!("yaml: cannot decode {found} `{text}` as a {wanted}"))
        }
    }
}

/// Whether Go can read the text as a moment: a date alone, or with a time after a `T` or `t` that ends in a zone, or
/// with a time after blanks that has no zone.
///
/// Source: `goyaml.v2`, `parseTimestamp`, and Go 1.26, `time.Parse`.
fn is_timestamp(text: &str) -> bool {
    timestamp_rest(text).is_some_and(str::is_empty)
}

/// What follows the timestamp at the beginning of the text.
fn timestamp_rest(text: &str) -> Option<&str> {
    let (year, rest) = text.split_at_checked(4)?;
    if !year.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (month, rest) = short_number(rest.strip_prefix('-')?, 12)?;
    let (day, rest) = short_number(rest.strip_prefix('-')?, 31)?;
    if day < 1 || day > days_in(year.parse().ok()?, month)? {
        return None;
    }
    if rest.is_empty() {
        return Some(rest);
    }
    let (time, zoned) = match rest.strip_prefix(['T', 't']) {
        Some(time) => (time, true),
        None => (rest.strip_prefix(' ')?.trim_start_matches(' '), false),
    };
    let (_hour, rest) = short_number(time, 23)?;
    let (_minute, rest) = short_number(rest.strip_prefix(':')?, 59)?;
    let (_second, rest) = short_number(rest.strip_prefix(':')?, 59)?;
    let rest = skip_fraction(rest);
    if zoned { skip_zone(rest) } else { Some(rest) }
}

/// A number of one or two digits, at most `highest`, and what follows it.
fn short_number(text: &str, highest: u32) -> Option<(u32, &str)> {
    let length = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    digits.parse().ok().filter(|value| *value <= highest).map(|value| (value, rest))
}

fn days_in(year: u32, month: u32) -> Option<u32> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => Some(31),
        4 | 6 | 9 | 11 => Some(30),
        2 => Some(if leap { 29 } else { 28 }),
        _ => None,
    }
}

fn skip_fraction(text: &str) -> &str {
    match text.strip_prefix(['.', ',']) {
        Some(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
            digits.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        _ => text,
    }
}

/// Skips `Z` or an offset such as `+01:00`. Go lets the offset be 24 hours and 60 minutes.
fn skip_zone(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some(rest);
    }
    let (offset, rest) = text.split_at_checked(6)?;
    let (hours, minutes) = offset.strip_prefix(['+', '-'])?.split_once(':')?;
    let within = |digits: &str, highest| {
        digits.len() == 2 && short_number(digits, highest).is_some_and(|(_, rest)| rest.is_empty())
    };
    (within(hours, 24) && within(minutes, 60)).then_some(rest)
}

/// The string that `encoding/json` makes of the bytes of a `!!binary`.
fn decode_binary(text: &str) -> Scalar {
    let Some(bytes) = decode_base64(text) else {
        return Scalar::Invalid("yaml: !!binary value contains invalid base64 data".to_owned());
    };
    let mut decoded = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        decoded.push_str(chunk.valid());
        // One replacement for each byte, where `String::from_utf8_lossy` would put one for several.
        decoded.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Scalar::Decoded(decoded)
}

/// Base64 with its padding. Line ends are skipped anywhere, and bits left over in the last digit are not looked at.
///
/// Source: Go 1.26, `base64.StdEncoding.DecodeString`.
fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let symbols: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    if !symbols.len().is_multiple_of(4) {
        return None;
    }
    let padding = symbols.iter().rev().take(2).take_while(|symbol| **symbol == b'=').count();
    let mut bytes = Vec::with_capacity(symbols.len() / 4 * 3);
    for group in symbols[..symbols.len() - padding].chunks(4) {
        let digits = group.iter().try_fold(0_u32, |bits, symbol| Some(bits << 6 | base64_digit(*symbol)?))?;
        // Left-aligned in 24 bits, a group of n symbols holds n - 1 whole bytes.
        let aligned = digits << (6 * (4 - group.len()));
        bytes.extend_from_slice(&aligned.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

fn base64_digit(symbol: u8) -> Option<u32> {
    let digit = match symbol {
        b'A'..=b'Z' => symbol - b'A',
        b'a'..=b'z' => symbol - b'a' + 26,
        b'0'..=b'9' => symbol - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    };
    Some(u32::from(digit))
}
