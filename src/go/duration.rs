//! Durations as Go's package `time` reads and writes them.

use super::quote::quote_for_time;

/// A text that is no duration. `Display` gives Go's own words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("time: {fault} {}", quote_for_time(text))]
pub struct DurationError {
    /// What is wrong.
    pub fault: DurationFault,
    /// Where, in bytes from the start of `text`. For a number out of range this is where its part of the duration
    /// begins, and for one missing at the end, the length of the text.
    pub offset: usize,
    /// The whole text that was refused.
    pub text: String,
}

/// The kinds of fault that Go tells apart. `Display` gives Go's words without the text that was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DurationFault {
    /// No number where one must stand, or more nanoseconds than 64 bits can hold.
    #[error("invalid duration")]
    Invalid,
    /// A number without a unit.
    #[error("missing unit in duration")]
    MissingUnit,
    /// A unit that Go does not have, such as the `d` of `1d`. Blanks become part of a unit too: `1h 30m` has the unit
    /// `h `.
    #[error("unknown unit {} in duration", quote_for_time(.0))]
    UnknownUnit(String),
}

/// The nanoseconds that `text` stands for, from `i64::MIN` to `i64::MAX`.
///
/// A duration is a sign, or none, and a row of decimal numbers with a unit each: `ns`, `us` (or `µs` with either of
/// Unicode's two signs), `ms`, `s`, `m`, `h`. A bare `0` is allowed too. What is finer than a nanosecond is cut off.
///
/// Source: Go 1.26, `time.ParseDuration`.
///
/// # Errors
///
/// See [`DurationFault`].
///
/// ```
/// use kcc_backoff::go::parse_duration;
///
/// assert_eq!(parse_duration("1.5h"), Ok(5_400_000_000_000));
/// let refused = parse_duration("1d").unwrap_err();
/// assert_eq!(refused.to_string(), r#"time: unknown unit "d" in duration "1d""#);
/// assert_eq!(refused.offset, 1);
/// ```
pub fn parse_duration(text: &str) -> Result<i64, DurationError> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if unsigned == "0" {
        return Ok(0);
    }
    // Offsets are told as what is left of the text, which the parts below know without knowing the beginning.
    let refuse = |refusal: Refusal| DurationError {
        fault: refusal.fault,
        offset: text.len() - refusal.left,
        text: text.to_owned(),
    };
    if unsigned.is_empty() {
        return Err(refuse(Refusal::invalid(unsigned)));
    }
    let mut total = 0_u64;
    let mut rest = unsigned;
    while !rest.is_empty() {
        let (part, after) = read_part(rest).map_err(refuse)?;
        // Go does not look for the carry here: two parts of 2^63 ns each make 2^64, which is 0.
        total = total.wrapping_add(part);
        if total > LIMIT {
            return Err(refuse(Refusal::invalid(rest)));
        }
        rest = after;
    }
    let value = if text.starts_with('-') {
        // Cannot fail, as the total is at most 2^63.
        0_i64.checked_sub_unsigned(total)
    } else {
        i64::try_from(total).ok()
    };
    value.ok_or_else(|| refuse(Refusal::invalid(unsigned)))
}

/// The largest magnitude Go reckons with, in nanoseconds: that of `i64::MIN`. One more than a duration without a minus
/// may have, which is looked at in the end.
const LIMIT: u64 = 1 << 63;

struct Refusal {
    fault: DurationFault,
    /// Length of what was still unread where the fault lies.
    left: usize,
}

impl Refusal {
    fn invalid(unread: &str) -> Self {
        Self { fault: DurationFault::Invalid, left: unread.len() }
    }
}

/// Reads one number with its unit; gives its nanoseconds, at most [`LIMIT`], and what follows it.
fn read_part(text: &str) -> Result<(u64, &str), Refusal> {
    let (whole_digits, after_whole) = split_digits(text);
    let whole = whole_number(whole_digits).ok_or_else(|| Refusal::invalid(text))?;
    let (fraction_digits, after_number) = match after_whole.strip_prefix('.') {
        Some(after_point) => split_digits(after_point),
        None => ("", after_whole),
    };
    if whole_digits.is_empty() && fraction_digits.is_empty() {
        return Err(Refusal::invalid(text));
    }
    let unit_length = after_number.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(after_number.len());
    let (unit, rest) = after_number.split_at(unit_length);
    let left = after_number.len();
    if unit.is_empty() {
        return Err(Refusal { fault: DurationFault::MissingUnit, left });
    }
    let nanoseconds =
        unit_nanoseconds(unit).ok_or_else(|| Refusal { fault: DurationFault::UnknownUnit(unit.to_owned()), left })?;
    whole
        .checked_mul(nanoseconds)
        // The product is looked at before the fraction is added, but as the fraction only adds, once is enough.
        .and_then(|product| product.checked_add(fraction_nanoseconds(fraction_digits, nanoseconds)))
        .filter(|part| *part <= LIMIT)
        .map(|part| (part, rest))
        .ok_or_else(|| Refusal::invalid(text))
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

fn unit_nanoseconds(unit: &str) -> Option<u64> {
    match unit {
        "ns" => Some(1),
        // U+00B5, the micro sign, and U+03BC, the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => Some(1_000),
        "ms" => Some(1_000_000),
        "s" => Some(1_000_000_000),
        "m" => Some(60_000_000_000),
        "h" => Some(3_600_000_000_000),
        _ => None,
    }
}

/// The number that the digits make, 0 if there are none; `None` above [`LIMIT`].
fn whole_number(digits: &str) -> Option<u64> {
    digits.bytes().try_fold(0_u64, |value, byte| {
        let shifted = value.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
        (shifted <= LIMIT).then_some(shifted)
    })
}

/// The nanoseconds of a fraction of a unit, reckoned in floating point as Go does, so that the last nanosecond falls
/// the same way. Digits beyond what 63 bits hold are not read.
fn fraction_nanoseconds(digits: &str, unit: u64) -> u64 {
    let mut fraction = 0_u64;
    let mut scale = 1_f64;
    for byte in digits.bytes() {
        let Some(longer) = fraction.checked_mul(10).and_then(|f| f.checked_add(u64::from(byte - b'0'))) else {
            break;
        };
        if longer > LIMIT {
            break;
        }
        fraction = longer;
        scale *= 10.0;
    }
    // Less than one unit, or one unit by rounding: far from what a u64 holds. The cast cuts towards zero, as in Go.
    (fraction as f64 * (unit as f64 / scale)) as u64
}

/// The duration of `ns` nanoseconds as Go prints it: `1h0m0s`, `1.5s`, `20ms`, `0s`. [`parse_duration`] reads it back
/// to the same number.
///
/// Source: Go 1.26, `time.Duration.String`.
///
/// ```
/// use kcc_backoff::go::format_duration;
///
/// assert_eq!(format_duration(-5_400_500_000_000), "-1h30m0.5s");
/// ```
pub fn format_duration(ns: i64) -> String {
    const SECOND: u64 = 1_000_000_000;
    const MINUTE: u64 = 60 * SECOND;
    const HOUR: u64 = 60 * MINUTE;

    let sign = if ns < 0 { "-" } else { "" };
    let total = ns.unsigned_abs();
    let seconds = || decimal(total % MINUTE, 9);
    match total {
        0 => "0s".to_owned(),
        1..1_000 => format!("{sign}{total}ns"),
        1_000..1_000_000 => format!("{sign}{}\u{b5}s", decimal(total, 3)),
        1_000_000..SECOND => format!("{sign}{}ms", decimal(total, 6)),
        SECOND..MINUTE => format!("{sign}{}s", seconds()),
        MINUTE..HOUR => format!("{sign}{}m{}s", total / MINUTE, seconds()),
        HOUR.. => format!("{sign}{}h{}m{}s", total / HOUR, total % HOUR / MINUTE, seconds()),
    }
}

/// `value` divided by ten to the power of `places`, without zeros at the end.
fn decimal(value: u64, places: usize) -> String {
    let digits = format!("{value:0width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    match fraction.trim_end_matches('0') {
        "" => whole.to_owned(),
        fraction => format!("{whole}.{fraction}"),
    }
}
