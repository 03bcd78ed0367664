//! The random number generator: ChaCha8 keyed by seed, sample and attempt. It gives the same numbers on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng};

/// A stream of random choices.
pub(crate) struct Rng(ChaCha8Rng);

impl Rng {
    /// The stream of attempt `attempt` at sample `index` of seed `seed`. Streams are independent.
    pub(crate) fn new(seed: u64, index: u64, attempt: u64) -> Rng {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&index.to_le_bytes());
        key[16..24].copy_from_slice(&attempt.to_le_bytes());
        key[24..].copy_from_slice(b"wf synth");
        Rng(ChaCha8Rng::from_seed(key))
    }

    /// 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `count`, which must not be 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        // Lemire's multiply-shift without rejection. The bias is about `count` / 2^64.
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// True with a probability of `cases` percent.
    pub(crate) fn percent(&mut self, cases: usize) -> bool {
        self.below(100) < cases
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn int(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// A number from `low` to below `high`.
    pub(crate) fn float(&mut self, low: f64, high: f64) -> f64 {
        let part = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * part
    }

    /// One of `choices`, which must not be empty.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// One of `choices`, with a probability proportional to its weight. The weights must not all be 0.
    pub(crate) fn weighted<T: Copy>(&mut self, choices: &[(usize, T)]) -> T {
        let total: usize = choices.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(total.max(1));
        for (weight, choice) in choices {
            if left < *weight {
                return *choice;
            }
            left -= weight;
        }
        choices[0].1
    }
}
