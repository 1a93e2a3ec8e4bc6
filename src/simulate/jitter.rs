use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use rand::RngExt;
use rand_pcg::Pcg64;

/// Where in its range a jittered delay lies: the controllers draw it uniformly from half of the mean to one and a half.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Jitter {
    /// At the lower end.
    Min,
    /// At the mean.
    #[default]
    Mean,
    /// At the upper end, which is never quite reached.
    Max,
    /// Drawn by a generator with this seed: the same seed gives each object the same delays again.
    Seed(u64),
}

/// A [`Jitter`] in use for one object.
#[derive(Debug, Clone)]
pub(super) struct Draws {
    jitter: Jitter,
    generator: Pcg64,
}

impl fmt::Display for Jitter {
    /// As it is written.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Jitter::Min => f.write_str("min"),
            Jitter::Mean => f.write_str("mean"),
            Jitter::Max => f.write_str("max"),
            Jitter::Seed(seed) => seed.fmt(f),
        }
    }
}

impl FromStr for Jitter {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Jitter, &'static str> {
        Ok(match text {
            "min" => Jitter::Min,
            "mean" => Jitter::Mean,
            "max" => Jitter::Max,
            seed => Jitter::Seed(
                seed.parse().map_err(|_| "expected min, mean, max, or a seed from 0 to 18446744073709551615")?,
            ),
        })
    }
}

impl Jitter {
    /// The delays of one object. Objects of other numbers draw others.
    pub(super) fn of(self, object: u64) -> Draws {
        let seed = match self {
            Jitter::Seed(seed) => seed,
            Jitter::Min | Jitter::Mean | Jitter::Max => 0,
        };
        Draws { jitter: self, generator: Pcg64::new(u128::from(seed), u128::from(object)) }
    }
}

impl Draws {
    /// A delay around `mean`.
    pub(super) fn around(&mut self, mean: Duration) -> Duration {
        let half = mean / 2;
        match self.jitter {
            Jitter::Min => half,
            Jitter::Mean => mean,
            Jitter::Max => half.saturating_add(mean),
            Jitter::Seed(_) => {
                let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
                let (least, most) = (nanos(half), nanos(half.saturating_add(mean)));
                Duration::from_nanos(if least < most { self.generator.random_range(least..most) } else { least })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEN_MINUTES: Duration = Duration::from_secs(600);

    #[test]
    fn ten_minutes_lie_between_five_and_fifteen() {
        assert_eq!(Jitter::Min.of(0).around(TEN_MINUTES), Duration::from_secs(300));
        assert_eq!(Jitter::Mean.of(0).around(TEN_MINUTES), TEN_MINUTES);
        assert_eq!(Jitter::Max.of(0).around(TEN_MINUTES), Duration::from_secs(900));
        let mut drawn = Jitter::Seed(7).of(0);
        let delays: Vec<Duration> = (0..10_000).map(|_| drawn.around(TEN_MINUTES)).collect();
        assert!(delays.iter().all(|delay| (300..900).contains(&delay.as_secs())));
        // The mean of 10,000 uniform draws from a range of 600 s is within 10 s of its middle but for one in 10^8.
        let mean = delays.iter().sum::<Duration>() / 10_000;
        assert!((590..610).contains(&mean.as_secs()), "{mean:?}");
    }

    #[test]
    fn a_jitter_is_shown_as_it_is_read() {
        for jitter in [Jitter::Min, Jitter::Mean, Jitter::Max, Jitter::Seed(0), Jitter::Seed(u64::MAX)] {
            assert_eq!(jitter.to_string().parse(), Ok(jitter));
        }
    }

    #[test]
    fn a_seed_gives_the_same_delays_again_and_another_seed_or_object_others() {
        let draw = |seed, object| {
            let mut draws = Jitter::Seed(seed).of(object);
            (0..5).map(|_| draws.around(TEN_MINUTES)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1, 0), draw(1, 0));
        assert_ne!(draw(1, 0), draw(2, 0));
        assert_ne!(draw(1, 0), draw(1, 1));
    }

    #[test]
    fn the_shortest_and_the_longest_mean_are_drawn_around() {
        for mean in [Duration::from_nanos(1), Duration::from_nanos(2), Duration::from_nanos(i64::MAX as u64)] {
            for jitter in [Jitter::Min, Jitter::Mean, Jitter::Max, Jitter::Seed(1)] {
                let delay = jitter.of(0).around(mean);
                assert!(delay >= mean / 2 && delay <= mean / 2 + mean, "{delay:?} around {mean:?}");
            }
        }
    }
}
