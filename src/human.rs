//! Durations and times as people write them. Pure text, used wherever a sentence names a number.

use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::go;

/// `250 ms`, `1 s`, `1.5 s`, `8 min 32 s`, `10 min`, `1 h 30 min`, `2 d 3 h`: at most two units, rounded down past
/// them, except below a minute, where milliseconds are exact.
pub fn duration(value: Duration) -> String {
    let seconds = value.as_secs();
    let millis = value.subsec_millis();
    if seconds == 0 && millis > 0 {
        return format!("{millis} ms");
    }
    if seconds < 60 {
        return match millis {
            0 => format!("{seconds} s"),
            _ => format!("{} s", format!("{seconds}.{millis:03}").trim_end_matches('0')),
        };
    }
    let pair = |big: u64, small: u64, names: (&str, &str)| match small {
        0 => format!("{big} {}", names.0),
        _ => format!("{big} {} {small} {}", names.0, names.1),
    };
    match seconds {
        ..3_600 => pair(seconds / 60, seconds % 60, ("min", "s")),
        3_600..86_400 => pair(seconds / 3_600, seconds % 3_600 / 60, ("h", "min")),
        _ => pair(seconds / 86_400, seconds % 86_400 / 3_600, ("d", "h")),
    }
}

/// `5 to 15 min`, `300 ms to 1.5 s`: the unit once where both ends have the same and no other.
pub fn range(least: Duration, most: Duration) -> String {
    let (least, most) = (duration(least), duration(most));
    match (least.split_once(' '), most.split_once(' ')) {
        (Some((number, unit)), Some((_, same))) if unit == same && !unit.contains(' ') => format!("{number} to {most}"),
        _ => format!("{least} to {most}"),
    }
}

/// `250ms`, `1s`, `1m4s`, `10m`, `1h4m7s`, `1m3.75s`: exact, as Go writes durations but for trailing zeros; for tables.
pub fn compact(value: Duration) -> String {
    if value.subsec_nanos() == 0 {
        return whole_seconds(value.as_secs());
    }
    // Go's durations end at 292 years; beyond, parts of a second are not worth telling.
    let Ok(nanos) = i64::try_from(value.as_nanos()) else { return whole_seconds(value.as_secs()) };
    let exact = go::format_duration(nanos);
    let shorter = exact.strip_suffix("m0s").map_or(exact.clone(), |minutes| format!("{minutes}m"));
    shorter.strip_suffix("h0m").map_or(shorter.clone(), |hours| format!("{hours}h"))
}

/// A duration as people read it: what is drawn at random, or what a bucket makes somebody wait, has more digits. From a
/// second on it is rounded to milliseconds.
pub fn rounded(value: Duration) -> Duration {
    const MILLI: u32 = 1_000_000;
    let beyond = value.subsec_nanos() % MILLI;
    if value < Duration::from_secs(1) || beyond == 0 {
        return value;
    }
    let down = value - Duration::from_nanos(u64::from(beyond));
    if beyond < MILLI / 2 { down } else { down.saturating_add(Duration::from_millis(1)) }
}

/// [`compact`], [`rounded`].
pub fn compact_rounded(value: Duration) -> String {
    compact(rounded(value))
}

/// The same for whole seconds, which most are: one text without any in between.
fn whole_seconds(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds % 3_600 / 60, seconds % 60);
    let mut text = String::with_capacity(12);
    // Writing to memory cannot fail.
    let _ = match (hours, minutes, rest) {
        (0, 0, _) => write!(text, "{rest}s"),
        (0, _, 0) => write!(text, "{minutes}m"),
        (0, _, _) => write!(text, "{minutes}m{rest}s"),
        (_, 0, 0) => write!(text, "{hours}h"),
        (_, _, 0) => write!(text, "{hours}h{minutes}m"),
        (_, _, _) => write!(text, "{hours}h{minutes}m{rest}s"),
    };
    text
}

/// `2026-11-30 03:12:05 UTC`, without seconds where they are zero.
pub fn time(value: Timestamp) -> String {
    let zoned = value.to_zoned(TimeZone::UTC);
    let format = if zoned.second() == 0 { "%Y-%m-%d %H:%M UTC" } else { "%Y-%m-%d %H:%M:%S UTC" };
    zoned.strftime(format).to_string()
}

/// `3.2` or `30`: a rate with at most one decimal.
pub fn rate(value: f64) -> String {
    if value >= 100.0 || value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_told_in_at_most_two_units() {
        let cases = [
            (0, "0 s"),
            (250, "250 ms"),
            (750, "750 ms"),
            (1_000, "1 s"),
            (1_750, "1.75 s"),
            (59_999, "59.999 s"),
            (60_000, "1 min"),
            (120_000, "2 min"),
            (127_750, "2 min 7 s"),
            (512_000, "8 min 32 s"),
            (3_600_000, "1 h"),
            (5_400_000, "1 h 30 min"),
            (86_400_000, "1 d"),
            (97_200_000, "1 d 3 h"),
        ];
        for (millis, expected) in cases {
            assert_eq!(duration(Duration::from_millis(millis)), expected);
        }
    }

    #[test]
    fn a_range_names_a_common_unit_once() {
        let seconds = Duration::from_secs;
        assert_eq!(range(seconds(300), seconds(900)), "5 to 15 min");
        assert_eq!(range(Duration::from_millis(500), Duration::from_millis(1500)), "500 ms to 1.5 s");
        assert_eq!(range(seconds(30), seconds(90)), "30 s to 1 min 30 s");
        assert_eq!(range(seconds(1800), seconds(5400)), "30 min to 1 h 30 min");
        assert_eq!(range(seconds(150), seconds(450)), "2 min 30 s to 7 min 30 s");
    }

    #[test]
    fn tables_have_durations_without_blanks() {
        assert_eq!(compact(Duration::from_millis(250)), "250ms");
        assert_eq!(compact(Duration::from_millis(63_750)), "1m3.75s");
        assert_eq!(compact(Duration::from_secs(1023)), "17m3s");
        assert_eq!(compact(Duration::from_secs(600)), "10m");
        assert_eq!(compact(Duration::from_secs(3600)), "1h");
        assert_eq!(compact(Duration::from_secs(3847)), "1h4m7s");
        assert_eq!(compact(Duration::ZERO), "0s");
        for (seconds, expected) in [(60, "1m"), (90, "1m30s"), (3660, "1h1m"), (3607, "1h0m7s"), (86_400, "24h")] {
            assert_eq!(compact(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn durations_beyond_gos_are_told_to_the_second() {
        let long = Duration::new(1 << 40, 250_000_000);
        // 2^40 s are 305,419,896 h and 2,176 s, which are 36 min 16 s.
        assert_eq!(compact(long), "305419896h36m16s");
        assert_ne!(compact(long), compact(long + Duration::from_secs(1)));
    }

    #[test]
    fn what_is_drawn_is_rounded_to_milliseconds_for_people() {
        for (nanos, expected) in [
            (435_907_510_756, "7m15.908s"),
            (4_099_999_999, "4.1s"),
            (999_999_999, "999.999999ms"),
            (250_000_000, "250ms"),
            (1_000_400_000, "1s"),
        ] {
            assert_eq!(compact_rounded(Duration::from_nanos(nanos)), expected);
        }
    }

    #[test]
    fn times_are_utc_and_to_the_second_where_it_matters() {
        let at = |text: &str| text.parse::<Timestamp>().map(time).unwrap_or_default();
        assert_eq!(at("2026-11-30T03:12:00Z"), "2026-11-30 03:12 UTC");
        assert_eq!(at("2026-11-30T03:12:05+01:00"), "2026-11-30 02:12:05 UTC");
    }
}
