//! Integers as Go's `strconv` reads them.

use super::quote;

/// Why Go would not take a text for an integer. `Display` gives the reason alone, [`IntError::message`] Go's whole
/// sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IntError {
    /// Not an integer in the asked base. An empty text is one of these.
    #[error("invalid syntax")]
    Syntax,
    /// More than the asked number of bits can hold. Go stops at the digit that makes the number too large, so whatever
    /// follows that digit may be anything.
    #[error("value out of range")]
    Range {
        /// The nearest value that fits, which Go returns next to its error.
        clamped: i64,
    },
    /// The caller asked for a base that is neither 0 nor 2 to 36.
    #[error("invalid base {0}")]
    Base(u32),
    /// The caller asked for more than 64 bits.
    #[error("invalid bit size {0}")]
    BitSize(u32),
}

impl IntError {
    /// The error as Go writes it, for example `strconv.ParseInt: parsing "6e2": invalid syntax`. `text` is the text
    /// that was refused.
    pub fn message(self, text: &str) -> String {
        format!("strconv.ParseInt: parsing {}: {self}", quote(text))
    }
}

/// The integer that `text` spells in `base`, if it fits into `bits` bits with a sign.
///
/// `base` is 2 to 36, or 0 for what the text itself says: `0x`, `0o` or a plain leading `0`, `0b`, else decimal, with
/// single underscores allowed between digits. In any other base a leading `0` means nothing and an underscore is an
/// error. `bits` is 1 to 64; 0 means 64, as in Go on the platforms the controllers run on. One sign may lead, `+` or
/// `-`; blanks are never allowed.
///
/// Source: Go 1.26, `strconv.ParseInt`.
///
/// # Errors
///
/// See [`IntError`].
///
/// ```
/// use kcc_backoff::go::{IntError, parse_int};
///
/// assert_eq!(parse_int("+0600", 10, 32), Ok(600));
/// assert_eq!(parse_int("0600", 0, 32), Ok(384));
/// let refused = parse_int("6e2", 10, 32).unwrap_err();
/// assert_eq!(refused, IntError::Syntax);
/// assert_eq!(refused.message("6e2"), r#"strconv.ParseInt: parsing "6e2": invalid syntax"#);
/// ```
pub fn parse_int(text: &str, base: u32, bits: u32) -> Result<i64, IntError> {
    let (negative, unsigned) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    let magnitude = match parse_uint(unsigned, base, bits) {
        Ok(magnitude) => magnitude,
        // Go goes on with the largest unsigned number, and judges that. It makes a difference at one bit only, where
        // that number is 1: `-2` is then taken for -1.
        Err(UintError::Range { max }) => max,
        Err(UintError::Syntax) => return Err(IntError::Syntax),
        Err(UintError::Base) => return Err(IntError::Base(base)),
        Err(UintError::BitSize) => return Err(IntError::BitSize(bits)),
    };
    let width = if bits == 0 { 64 } else { bits };
    let (lowest, highest) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
    if negative {
        let value = 0_i64.checked_sub_unsigned(magnitude).filter(|value| *value >= lowest);
        value.ok_or(IntError::Range { clamped: lowest })
    } else {
        let value = i64::try_from(magnitude).ok().filter(|value| *value <= highest);
        value.ok_or(IntError::Range { clamped: highest })
    }
}

/// Why a text is not an unsigned integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UintError {
    Syntax,
    /// Too large; `max` is the largest number of the asked size.
    Range {
        max: u64,
    },
    Base,
    BitSize,
}

/// [`parse_int`] without a sign. Source: Go 1.26, `strconv.ParseUint`.
pub(super) fn parse_uint(text: &str, base: u32, bits: u32) -> Result<u64, UintError> {
    // Before the other arguments are looked at, because Go reports this first.
    if text.is_empty() {
        return Err(UintError::Syntax);
    }
    let (radix, digits) = match base {
        0 => split_prefix(text),
        2..=36 => (base, text),
        _ => return Err(UintError::Base),
    };
    let max = match bits {
        0 => u64::MAX,
        1..=64 => u64::MAX >> (64 - bits),
        _ => return Err(UintError::BitSize),
    };
    let mut value = 0_u64;
    let mut underscores = false;
    for byte in digits.bytes() {
        if byte == b'_' && base == 0 {
            underscores = true;
            continue;
        }
        let digit = char::from(byte).to_digit(radix).ok_or(UintError::Syntax)?;
        value = value
            .checked_mul(u64::from(radix))
            .and_then(|shifted| shifted.checked_add(u64::from(digit)))
            .filter(|value| *value <= max)
            .ok_or(UintError::Range { max })?;
    }
    // Only now: an overflow among the digits comes before a misplaced underscore.
    let has_prefix = digits.len() < text.len();
    if underscores && !underscores_are_inside(digits, has_prefix) {
        return Err(UintError::Syntax);
    }
    Ok(value)
}

/// The base that the text asks for itself, and what is left of it. A prefix with nothing behind it is none, so that
/// `0x` is an octal number with a bad digit and `0` an octal number without digits: zero.
fn split_prefix(text: &str) -> (u32, &str) {
    match text.as_bytes() {
        [b'0', b'b' | b'B', _, ..] => (2, &text[2..]),
        [b'0', b'o' | b'O', _, ..] => (8, &text[2..]),
        [b'0', b'x' | b'X', _, ..] => (16, &text[2..]),
        [b'0', ..] => (8, &text[1..]),
        _ => (10, text),
    }
}

/// Whether each underscore stands between two digits; a base prefix counts as a digit. All else in `digits` is known
/// to be digits.
fn underscores_are_inside(digits: &str, has_prefix: bool) -> bool {
    (has_prefix || !digits.starts_with('_')) && !digits.ends_with('_') && !digits.contains("__")
}
