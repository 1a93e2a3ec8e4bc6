use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Where in its range a jittered delay lies: the controllers draw it uniformly from half of the mean to one and a half.
#[derive(Debug, Clone, Default)]
pub enum Jitter {
    /// At the lower end.
    Min,
    /// At the mean.
    #[default]
    Mean,
    /// At the upper end, which is never quite reached.
    Max,
    /// Drawn from a generator that was seeded: the same seed gives the same delays.
    Drawn(Pcg64),
}

impl Jitter {
    /// Draws with a seed.
    pub fn seeded(seed: u64) -> Jitter {
        Jitter::Drawn(Pcg64::seed_from_u64(seed))
    }

    /// A delay around `mean`.
    pub(super) fn around(&mut self, mean: Duration) -> Duration {
        let half = mean / 2;
        match self {
            Jitter::Min => half,
            Jitter::Mean => mean,
            Jitter::Max => half.saturating_add(mean),
            Jitter::Drawn(generator) => {
                let nanos = |duration: Duration| u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
                let (least, most) = (nanos(half), nanos(half.saturating_add(mean)));
                Duration::from_nanos(if least < most { generator.random_range(least..most) } else { least })
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
        assert_eq!(Jitter::Min.around(TEN_MINUTES), Duration::from_secs(300));
        assert_eq!(Jitter::Mean.around(TEN_MINUTES), TEN_MINUTES);
        assert_eq!(Jitter::Max.around(TEN_MINUTES), Duration::from_secs(900));
        let mut drawn = Jitter::seeded(7);
        let delays: Vec<Duration> = (0..10_000).map(|_| drawn.around(TEN_MINUTES)).collect();
        assert!(delays.iter().all(|delay| (300..900).contains(&delay.as_secs())));
        // The mean of 10,000 uniform draws from a range of 600 s is within 10 s of its middle but for one in 10^8.
        let mean = delays.iter().sum::<Duration>() / 10_000;
        assert!((590..610).contains(&mean.as_secs()), "{mean:?}");
    }

    #[test]
    fn a_seed_gives_the_same_delays_again_and_another_seed_others() {
        let draw = |seed| {
            let mut jitter = Jitter::seeded(seed);
            (0..5).map(|_| jitter.around(TEN_MINUTES)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn the_shortest_and_the_longest_mean_are_drawn_around() {
        for mean in [Duration::from_nanos(1), Duration::from_nanos(2), Duration::from_nanos(i64::MAX as u64)] {
            for mut jitter in [Jitter::Min, Jitter::Mean, Jitter::Max, Jitter::seeded(1)] {
                let delay = jitter.around(mean);
                assert!(delay >= mean / 2 && delay <= mean / 2 + mean, "{delay:?} around {mean:?}");
            }
        }
    }
}
