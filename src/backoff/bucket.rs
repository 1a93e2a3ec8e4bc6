//! A token bucket that lends: a reservation beyond its tokens is granted and told how long to wait.

use std::time::Duration;

use super::TokenBucket;

/// A [`TokenBucket`] in use.
///
/// It reckons in floating point as golang.org/x/time/rate v0.9.0 does, which client-go's workqueue uses, so that the
/// last nanosecond falls the same way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    rate: TokenBucket,
    tokens: f64,
    last: Duration,
}

impl Bucket {
    /// A full bucket.
    pub fn full(rate: TokenBucket) -> Bucket {
        Bucket::full_at(rate, Duration::ZERO)
    }

    /// A bucket that is full at `now`.
    pub fn full_at(rate: TokenBucket, now: Duration) -> Bucket {
        Bucket { rate, tokens: f64::from(rate.burst), last: now }
    }

    /// Takes a token at `now`, which is never earlier than before, and says how long to wait for it: zero while there
    /// are tokens.
    pub fn reserve(&mut self, now: Duration) -> Duration {
        let per_second = f64::from(self.rate.per_second);
        let gained = seconds(now.saturating_sub(self.last)) * per_second;
        self.tokens = (self.tokens + gained).min(f64::from(self.rate.burst)) - 1.0;
        self.last = now;
        if self.tokens >= 0.0 {
            return Duration::ZERO;
        }
        // Never negative, and cut towards zero as in Go.
        Duration::from_nanos((1e9 * (-self.tokens / per_second)) as u64)
    }
}

/// As Go's `Duration.Seconds` reckons.
fn seconds(elapsed: Duration) -> f64 {
    elapsed.as_secs() as f64 + f64::from(elapsed.subsec_nanos()) / 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN: TokenBucket = TokenBucket { per_second: 10, burst: 100 };

    #[test]
    fn the_burst_is_free_and_then_each_waits_a_tenth_of_a_second_longer() {
        let mut bucket = Bucket::full(TEN);
        for _ in 0..100 {
            assert_eq!(bucket.reserve(Duration::ZERO), Duration::ZERO);
        }
        for waiting in 1..=1_300 {
            // Go cuts 1e9 · 4.1, which is a hair below 4.1 s in floating point, to 4.099999999 s.
            let exact = Duration::from_millis(100 * waiting);
            let wait = bucket.reserve(Duration::ZERO);
            assert!(wait <= exact && exact - wait <= Duration::from_nanos(1), "{wait:?} for {exact:?}");
        }
    }

    #[test]
    fn tokens_come_back_ten_a_second_up_to_the_burst() {
        let mut bucket = Bucket::full(TEN);
        for _ in 0..101 {
            bucket.reserve(Duration::ZERO);
        }
        // One was lent: after 0.2 s one is there, and the next is a tenth of a second away.
        assert_eq!(bucket.reserve(Duration::from_millis(200)), Duration::ZERO);
        assert_eq!(bucket.reserve(Duration::from_millis(200)), Duration::from_millis(100));
        let later = Duration::from_secs(3_600);
        let free = (0..200).filter(|_| bucket.reserve(later).is_zero()).count();
        assert_eq!(free, 100);
    }
}
