//! Chance: prices, magnets and samples by random numbers.

use kernel_rt::prelude::*;

/// The market in which an option is priced, by the model of Heston (1993).
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Market {
    /// The interest rate a year.
    pub rate: f32,
    /// How fast the variance returns to its mean, a year.
    pub reversion: f32,
    /// The mean of the variance.
    pub mean_variance: f32,
    /// The volatility of the variance.
    pub volatility: f32,
    /// The correlation of price and variance.
    pub correlation: f32,
}

/// Prices of options with a barrier on a stock whose variance is random, too: the mean over random paths of twelve steps, each with its
/// mirror image, which draws the opposite numbers. A path that falls below the barrier pays nothing; else it pays a call on
/// the mean of the prices (an Asian option). Steps are those of Euler with variances cut off at 0 (Lord, Koekkoek and van
/// Dijk, 2010). `alive` is the share of the paths that stay above the barrier.
#[kernel(family = "random_math")]
pub fn barrier_option(
    #[domain(0..1000000)] seed: i32,
    #[domain(1..5)] pairs: u32,
    #[domain(0.1..0.4)] market: Market,
    #[domain(0.2..1.0)] years: f32,
    #[domain(60.0..85.0)] barrier: f32,
    #[domain(80.0..120.0)] strike: &[f32],
    #[domain(90.0..110.0)] spot: &[f32],
    price: &mut [f32],
    alive: &mut [f32],
) {
    const STEPS: u32 = 12;
    let i = tid();
    let mut rng = rand_init(seed, i as i32);
    let dt = years / STEPS as f32;
    let other_part = (1.0 - market.correlation * market.correlation).sqrt();
    let mut paid = 0.0;
    let mut survived = 0;
    for _ in 0..pairs {
        // The mirror image draws the same numbers again, from a copy of the state.
        let start = rng;
        for mirror in 0..2 {
            rng = start;
            let sign = if mirror == 0 { 1.0 } else { -1.0 };
            let mut log_price = spot[i].ln();
            let mut variance = 0.2 * market.mean_variance;
            let mut sum = 0.0;
            let mut above = true;
            for _ in 0..STEPS {
                let first = sign * randn(&mut rng);
                let second = market.correlation * first + other_part * sign * randn(&mut rng);
                let positive = variance.max(0.0001);
                let spread = (positive * dt).sqrt();
                log_price += (market.rate - 0.5 * positive) * dt + spread * first;
                let pull = market.reversion * (market.mean_variance - positive) * dt;
                variance += pull + market.volatility * spread * second;
                let now = log_price.exp();
                sum += now;
                if now < barrier {
                    above = false;
                }
            }
            if above {
                survived += 1;
                paid += (sum / STEPS as f32 - strike[i]).max(0.0);
            }
        }
    }
    let paths = (2 * pairs) as f32;
    price[i] = (-market.rate * years).exp() * paid / paths;
    alive[i] = survived as f32 / paths;
}

/// A sweep over half of the spins of a magnet after Ising, at the fields of a chessboard of one colour, on a torus (Metropolis and
/// others, 1953): a spin turns if that lowers the energy, else with the probability exp(−ΔE/T). Spins are 1 and −1, a bit of
/// the state each; eight copies of the magnet with the same spins at the start take other random numbers. `energy` is that of
/// the bonds of the field in all copies, `turned` the number of spins that turned.
#[kernel(family = "random_math")]
pub fn ising_sweep(
    #[domain(0..1000000)] seed: i32,
    #[domain(0..2)] colour: usize,
    #[domain(1.0..4.0)] temperature: f32,
    #[domain(-0.5..0.5)] field: f32,
    #[domain(0..256)] spins: &Array2<u32>,
    next: &mut Array2<u32>,
    energy: &mut Array2<i32>,
    #[shape(1)] turned: &mut [u32],
) {
    const COPIES: u32 = 8;
    let (row, column) = tid2();
    let (rows, columns) = (spins.shape()[0], spins.shape()[1]);
    let here = spins[[row, column]];
    let above = spins[[(row + rows - 1) % rows, column]];
    let below = spins[[(row + 1) % rows, column]];
    let left = spins[[row, (column + columns - 1) % columns]];
    let right = spins[[row, (column + 1) % columns]];
    let mut rng = rand_init(seed, (row * columns + column) as i32);
    let active = (row + column) % 2 == colour;
    let mut state = here;
    let mut bonds = 0;
    let mut flips = 0;
    for copy in 0..COPIES {
        let bit = 1u32 << copy;
        let spin = if here & bit == 0 { -1 } else { 1 };
        let mut around = -4;
        if above & bit != 0 {
            around += 2;
        }
        if below & bit != 0 {
            around += 2;
        }
        if left & bit != 0 {
            around += 2;
        }
        if right & bit != 0 {
            around += 2;
        }
        let mut after = spin;
        let cost = 2.0 * spin as f32 * (around as f32 + field);
        let draw = randf(&mut rng);
        if active && (cost <= 0.0 || draw < (-cost / temperature).exp()) {
            after = -spin;
            state ^= bit;
            flips += 1;
        }
        bonds -= after * around;
    }
    next[[row, column]] = state;
    energy[[row, column]] = bonds;
    atomic_add(&mut turned[0], flips);
}
