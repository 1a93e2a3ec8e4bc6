//! Ladders of delays: pure arithmetic, no controller's name in it.
//!
//! Both ladders that matter here double: the delay after the n-th failed attempt (n from 1) is
//! `base · 2^(n-1)`, never more than `max`. client-go's per-object limiter counts failures from 0 and computes in
//! floating point; powers of two times a whole number of nanoseconds are exact there, so whole-number arithmetic
//! gives the same delays.

mod bucket;

use std::time::Duration;

pub use bucket::Bucket;

/// A doubling ladder: `base`, `2·base`, `4·base` … up to `max`, then `max` for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ladder {
    base: Duration,
    max: Duration,
}

/// One failed attempt on a [`Ladder`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The attempt, from 1.
    pub attempt: u64,
    /// When it happens, counted from the first attempt, if attempts take no time themselves.
    pub at: Duration,
    /// How long after it the next one comes.
    pub delay: Duration,
}

impl Ladder {
    /// A ladder from `base` to `max`. A `base` above `max` is a ladder of `max` alone; a `base` of zero stays zero.
    pub const fn new(base: Duration, max: Duration) -> Ladder {
        Ladder { base, max }
    }

    /// The delay before any doubling.
    pub const fn base(&self) -> Duration {
        self.base
    }

    /// The longest delay.
    pub const fn max(&self) -> Duration {
        self.max
    }

    /// The delay after failed attempt `attempt` (from 1; 0 is taken as 1). Never more than [`Ladder::max`], for any
    /// number of failures.
    pub fn delay(&self, attempt: u64) -> Duration {
        let doublings = attempt.saturating_sub(1);
        if self.base.is_zero() {
            return Duration::ZERO.min(self.max);
        }
        // 2^64 ns are 584 years, past any `max` that a controller takes; larger shifts would overflow.
        let factor = if doublings < 64 { 1u128 << doublings } else { return self.max };
        match self.base.as_nanos().checked_mul(factor) {
            Some(nanos) if nanos < self.max.as_nanos() => from_nanos(nanos),
            _ => self.max,
        }
    }

    /// Whether the delay after failed attempt `attempt` (from 1) is [`Ladder::max`] because doubling would go beyond it.
    pub fn is_capped(&self, attempt: u64) -> bool {
        let doublings = attempt.saturating_sub(1);
        if self.base.is_zero() {
            return false;
        }
        doublings >= 64
            || self.base.as_nanos().checked_mul(1u128 << doublings).is_none_or(|nanos| nanos > self.max.as_nanos())
    }

    /// The same ladder from another first delay.
    pub const fn with_base(self, base: Duration) -> Ladder {
        Ladder { base, max: self.max }
    }

    /// The first attempt whose delay is [`Ladder::max`]; `None` for a ladder that never gets there (base zero).
    pub fn plateau(&self) -> Option<u64> {
        if self.base.is_zero() && !self.max.is_zero() {
            return None;
        }
        (1..=65).find(|&attempt| self.delay(attempt) == self.max)
    }

    /// When attempt `attempt` (from 1) happens, counted from the first, if attempts take no time themselves.
    pub fn at(&self, attempt: u64) -> Duration {
        let before = attempt.saturating_sub(1);
        let Some(plateau) = self.plateau() else { return Duration::ZERO };
        let climbing = before.min(plateau - 1);
        // base + 2·base + … = base · (2^climbing - 1)
        let climbed = self.base.as_nanos().saturating_mul((1u128 << climbing) - 1);
        let level = self.max.as_nanos().saturating_mul(u128::from(before - climbing));
        from_nanos(climbed.saturating_add(level))
    }

    /// Attempt `attempt` with its time and the delay after it.
    pub fn step(&self, attempt: u64) -> Step {
        Step { attempt, at: self.at(attempt), delay: self.delay(attempt) }
    }

    /// The steps until `max` is reached, and one more.
    pub fn climb(&self) -> impl Iterator<Item = Step> + '_ {
        let last = self.plateau().map_or(1, |attempt| attempt + 1);
        (1..=last).map(|attempt| self.step(attempt))
    }

    /// How many attempts happen within `elapsed` of the first, both ends included; at least 1. `u64::MAX` for a
    /// ladder without delays.
    pub fn attempts_within(&self, elapsed: Duration) -> u64 {
        let Some(plateau) = self.plateau() else { return u64::MAX };
        if self.max.is_zero() {
            return u64::MAX;
        }
        let level_from = self.at(plateau);
        if elapsed < level_from {
            return (1..=plateau).take_while(|&attempt| self.at(attempt) <= elapsed).count() as u64;
        }
        let on_level = (elapsed - level_from).as_nanos() / self.max.as_nanos();
        plateau.saturating_add(u64::try_from(on_level).unwrap_or(u64::MAX))
    }
}

/// A token bucket: `burst` tokens at once, `per_second` new ones a second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenBucket {
    /// New tokens a second.
    pub per_second: u32,
    /// Tokens that a full bucket holds.
    pub burst: u32,
}

fn from_nanos(nanos: u128) -> Duration {
    const PER_SECOND: u128 = 1_000_000_000;
    match u64::try_from(nanos / PER_SECOND) {
        Ok(seconds) => Duration::new(seconds, (nanos % PER_SECOND) as u32),
        Err(_) => Duration::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: Ladder = Ladder::new(Duration::from_millis(250), Duration::from_secs(120));

    fn millis(ladder: &Ladder) -> Vec<(u64, u128, u128)> {
        ladder.climb().map(|step| (step.attempt, step.at.as_millis(), step.delay.as_millis())).collect()
    }

    #[test]
    fn the_default_ladder_doubles_from_250_ms_and_stays_at_120_s() {
        // 250 ms · 2^8 = 64 s is the last step below 120 s; times are the sums of the delays before.
        let expected = [
            (1, 0, 250),
            (2, 250, 500),
            (3, 750, 1_000),
            (4, 1_750, 2_000),
            (5, 3_750, 4_000),
            (6, 7_750, 8_000),
            (7, 15_750, 16_000),
            (8, 31_750, 32_000),
            (9, 63_750, 64_000),
            (10, 127_750, 120_000),
            (11, 247_750, 120_000),
        ];
        assert_eq!(millis(&DEFAULT), expected);
    }

    #[test]
    fn a_ceiling_of_10_s_gives_1_2_4_8_10_10() {
        let ladder = Ladder::new(Duration::from_secs(1), Duration::from_secs(10));
        let delays: Vec<_> = ladder.climb().map(|step| step.delay.as_secs()).collect();
        assert_eq!(delays, [1, 2, 4, 8, 10, 10]);
    }

    #[test]
    fn a_ceiling_that_is_a_power_of_two_is_reached_by_doubling_and_not_passed() {
        let ladder = Ladder::new(Duration::from_secs(1), Duration::from_secs(4));
        let delays: Vec<_> = ladder.climb().map(|step| step.delay.as_secs()).collect();
        assert_eq!(delays, [1, 2, 4, 4]);
    }

    #[test]
    fn the_smallest_and_the_largest_ceiling_have_finite_ladders() {
        let one = Ladder::new(Duration::from_secs(1), Duration::from_secs(1));
        assert_eq!(one.climb().count(), 2);
        let largest = Ladder::new(Duration::from_secs(1), Duration::from_secs(2_147_483_647));
        // 2^0 … 2^30 are below 2^31 - 1, so step 32 is the first at the ceiling.
        assert_eq!(largest.plateau(), Some(32));
        assert_eq!(largest.climb().count(), 33);
    }

    #[test]
    fn a_base_above_the_ceiling_waits_for_the_ceiling_at_once() {
        let ladder = Ladder::new(Duration::from_secs(2), Duration::from_secs(1));
        assert_eq!(ladder.delay(1), Duration::from_secs(1));
    }

    #[test]
    fn no_number_of_failures_overflows() {
        assert_eq!(DEFAULT.delay(u64::MAX), Duration::from_secs(120));
        assert_eq!(DEFAULT.delay(0), Duration::from_millis(250));
        let _ = DEFAULT.at(u64::MAX);
        let _ = DEFAULT.attempts_within(Duration::MAX);
    }

    #[test]
    fn a_ceiling_of_600_s_makes_15_attempts_in_the_first_hour() {
        // 1+2+…+512 = 1023 s brings attempt 11, then every 600 s: 1623, 2223, 2823, 3423 s are within the hour.
        let ladder = Ladder::new(Duration::from_secs(1), Duration::from_secs(600));
        assert_eq!(ladder.attempts_within(Duration::from_secs(3600)), 15);
    }

    #[test]
    fn times_and_counts_agree_with_adding_up_the_delays_one_by_one() {
        for (base, max) in [(250, 120_000), (2_000, 120_000), (1_000, 600_000), (1_000, 1_000), (1_000, 7_000)] {
            let ladder = Ladder::new(Duration::from_millis(base), Duration::from_millis(max));
            let mut at = Duration::ZERO;
            for attempt in 1..200 {
                assert_eq!(ladder.at(attempt), at, "attempt {attempt} of {base}..{max}");
                assert_eq!(ladder.attempts_within(at), attempt);
                if !at.is_zero() {
                    assert_eq!(ladder.attempts_within(at - Duration::from_nanos(1)), attempt - 1);
                }
                at += ladder.delay(attempt);
            }
        }
    }

    #[test]
    fn a_ladder_without_delays_ends_nowhere_but_answers() {
        let none = Ladder::new(Duration::ZERO, Duration::ZERO);
        assert_eq!(none.attempts_within(Duration::from_secs(1)), u64::MAX);
        assert_eq!(none.at(5), Duration::ZERO);
    }
}
