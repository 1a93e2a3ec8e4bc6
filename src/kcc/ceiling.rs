use crate::go;

/// What the ceiling annotation of an object says, whether or not anybody reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ceiling {
    /// Absent or empty: the default ladder.
    Unset,
    /// A ceiling of so many seconds, 1 to 2147483647.
    Seconds(u32),
    /// Zero: the first error halts retries.
    Halt,
    /// Refused by the controller, which then uses the default ladder. Never a halt.
    Invalid(NumberFault),
}

/// Why the controllers refuse a number in an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFault {
    /// Not a decimal integer.
    NotAnInteger,
    /// An integer that does not fit into 32 bits; the controllers' message is that of [`NumberFault::NotAnInteger`].
    OutOfRange,
    /// An integer below zero.
    Negative,
    /// Empty, where empty is not the same as absent.
    Empty,
    /// Not a string at all in the manifest, so the API server refuses the object.
    NotAString,
}

impl NumberFault {
    /// A clause that completes "… is not a valid value: it …".
    pub fn clause(self) -> &'static str {
        match self {
            NumberFault::NotAnInteger => "is not a decimal integer",
            NumberFault::OutOfRange => "does not fit into 32 bits (at most 2147483647)",
            NumberFault::Negative => "is negative",
            NumberFault::Empty => "is empty",
            NumberFault::NotAString => "is not a string, so the API server refuses the object",
        }
    }
}

impl Ceiling {
    /// Judges the annotation's value; `None` is an absent annotation.
    ///
    /// The implementation parses with `strconv.ParseInt(value, 10, 32)` (Config Connector, direct controller, main);
    /// the design document wrote 64 bits.
    pub fn parse(value: Option<&str>) -> Ceiling {
        let Some(value) = value.filter(|value| !value.is_empty()) else { return Ceiling::Unset };
        match parse_seconds(value) {
            Ok(0) => Ceiling::Halt,
            Ok(seconds) => Ceiling::Seconds(seconds),
            Err(fault) => Ceiling::Invalid(fault),
        }
    }
}

/// Seconds as the controllers read them in an annotation: `strconv.ParseInt(value, 10, 32)`, negative values refused.
///
/// # Errors
/// The reason why the controllers refuse `value`.
pub fn parse_seconds(value: &str) -> Result<u32, NumberFault> {
    if value.is_empty() {
        return Err(NumberFault::Empty);
    }
    match go::parse_int(value, 10, 32) {
        Ok(seconds) => u32::try_from(seconds).map_err(|_| NumberFault::Negative),
        Err(go::IntError::Range { .. }) => Err(NumberFault::OutOfRange),
        Err(_) => Err(NumberFault::NotAnInteger),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// kcc.md section 3, "Parsing of the ceiling".
    #[test]
    fn every_spelling_is_judged_as_the_controller_judges_it() {
        use Ceiling::{Halt, Invalid, Seconds, Unset};
        use NumberFault::{Negative, NotAnInteger, OutOfRange};
        let cases = [
            (None, Unset),
            (Some(""), Unset),
            (Some("600"), Seconds(600)),
            (Some("+600"), Seconds(600)),
            (Some("0600"), Seconds(600)),
            (Some("1"), Seconds(1)),
            (Some("2147483647"), Seconds(2_147_483_647)),
            (Some("0"), Halt),
            (Some("-0"), Halt),
            (Some("+0"), Halt),
            (Some("000"), Halt),
            (Some(" 600"), Invalid(NotAnInteger)),
            (Some("600 "), Invalid(NotAnInteger)),
            (Some("600\n"), Invalid(NotAnInteger)),
            (Some("6e2"), Invalid(NotAnInteger)),
            (Some("600s"), Invalid(NotAnInteger)),
            (Some("1_000"), Invalid(NotAnInteger)),
            (Some("0x10"), Invalid(NotAnInteger)),
            (Some("1.5"), Invalid(NotAnInteger)),
            (Some("٦٠٠"), Invalid(NotAnInteger)),
            (Some(" "), Invalid(NotAnInteger)),
            (Some("-1"), Invalid(Negative)),
            (Some("2147483648"), Invalid(OutOfRange)),
            (Some("99999999999999999999"), Invalid(OutOfRange)),
        ];
        for (value, expected) in cases {
            assert_eq!(Ceiling::parse(value), expected, "{value:?}");
        }
    }

    #[test]
    fn a_drift_interval_refuses_what_a_ceiling_takes_for_unset() {
        assert_eq!(parse_seconds(""), Err(NumberFault::Empty));
        assert_eq!(parse_seconds("0"), Ok(0));
        assert_eq!(parse_seconds("-1"), Err(NumberFault::Negative));
        assert_eq!(parse_seconds("2147483648"), Err(NumberFault::OutOfRange));
        assert_eq!(parse_seconds("10m"), Err(NumberFault::NotAnInteger));
    }
}
