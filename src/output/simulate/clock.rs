use std::io::Write as _;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

const DAY: u64 = 86_400;

/// Writes clock times of a simulation. Rows come by the million and few of them begin a new day, so the date is
/// reckoned once a day.
pub(super) struct Clock {
    start: Timestamp,
    /// Seconds since the epoch at which the day of `date` begins.
    day: i64,
    date: String,
}

impl Clock {
    pub(super) fn new(start: Timestamp) -> Clock {
        Clock { start, day: i64::MIN, date: String::new() }
    }

    /// Appends the time `since` the start, with `T` or a blank between date and time, and what ends it. Returns whether
    /// there is such a time: not after the year 9999.
    pub(super) fn append(&mut self, bytes: &mut Vec<u8>, since: Duration, between: u8, end: &str) -> bool {
        let since = SignedDuration::try_from(since).ok();
        let Some(time) = since.and_then(|since| self.start.checked_add(since).ok()) else { return false };
        // Before 1970 the parts below the second are negative.
        let (mut second, mut nanos) = (time.as_second(), time.subsec_nanosecond());
        if nanos < 0 {
            (second, nanos) = (second - 1, nanos + 1_000_000_000);
        }
        let in_day = second.rem_euclid(DAY as i64);
        if second - in_day != self.day {
            self.day = second - in_day;
            let noon = Timestamp::from_second(second).unwrap_or(time);
            self.date = noon.strftime("%Y-%m-%d").to_string();
        }
        bytes.extend_from_slice(self.date.as_bytes());
        bytes.push(between);
        two(bytes, in_day / 3_600);
        bytes.push(b':');
        two(bytes, in_day / 60 % 60);
        bytes.push(b':');
        two(bytes, in_day % 60);
        fraction(bytes, nanos.unsigned_abs());
        bytes.extend_from_slice(end.as_bytes());
        true
    }
}

fn two(bytes: &mut Vec<u8>, value: i64) {
    let value = value.rem_euclid(100) as u8;
    bytes.extend([b'0' + value / 10, b'0' + value % 10]);
}

/// Appends `.25` for 250 million nanoseconds; nothing for none.
pub(super) fn fraction(bytes: &mut Vec<u8>, nanos: u32) {
    if nanos == 0 {
        return;
    }
    let mut digits = [b'0'; 9];
    let mut rest = nanos;
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    let used = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
    bytes.push(b'.');
    bytes.extend_from_slice(&digits[..used]);
}

/// Appends seconds, exactly: `127.75`.
pub(super) fn seconds(bytes: &mut Vec<u8>, value: Duration) {
    // Writing to memory cannot fail.
    let _ = match value.as_secs() {
        small @ 0..10 => bytes.write_all(&[b'0' + small as u8]),
        other => bytes.write_all(itoa::Buffer::new().format(other).as_bytes()),
    };
    fraction(bytes, value.subsec_nanos());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(start: &str, since: Duration) -> String {
        let mut bytes = Vec::new();
        let start = start.parse().unwrap_or(Timestamp::UNIX_EPOCH);
        assert!(Clock::new(start).append(&mut bytes, since, b'T', "Z"));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn clock_times_are_those_of_jiff() {
        let mut clock = Clock::new(Timestamp::UNIX_EPOCH);
        let start: Timestamp = "2026-11-30T23:59:58.5Z".parse().unwrap_or(Timestamp::UNIX_EPOCH);
        clock.start = start;
        for millis in [0, 250, 1_499, 1_500, 60_000, 86_400_000, 86_401_501, 31_536_000_000] {
            let since = Duration::from_millis(millis);
            let mut bytes = Vec::new();
            assert!(clock.append(&mut bytes, since, b'T', "Z"));
            let expected = start + SignedDuration::from_millis(i64::try_from(millis).unwrap_or_default());
            assert_eq!(String::from_utf8_lossy(&bytes), expected.to_string());
        }
        assert_eq!(told("1969-12-31T23:59:59.75Z", Duration::ZERO), "1969-12-31T23:59:59.75Z");
    }

    #[test]
    fn there_is_no_clock_time_after_the_year_9999() {
        let mut bytes = Vec::new();
        let mut clock = Clock::new(Timestamp::UNIX_EPOCH);
        assert!(!clock.append(&mut bytes, Duration::from_secs(1 << 40), b'T', "Z"));
        assert!(!clock.append(&mut bytes, Duration::MAX, b'T', "Z"));
        assert!(bytes.is_empty());
    }

    #[test]
    fn seconds_are_exact_to_the_nanosecond() {
        for (value, expected) in [
            (Duration::ZERO, "0"),
            (Duration::from_millis(250), "0.25"),
            (Duration::from_millis(127_750), "127.75"),
            (Duration::from_nanos(1), "0.000000001"),
            (Duration::from_secs(4_000_000_000), "4000000000"),
        ] {
            let mut bytes = Vec::new();
            seconds(&mut bytes, value);
            assert_eq!(String::from_utf8_lossy(&bytes), expected);
        }
    }
}
