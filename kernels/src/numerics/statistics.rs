//! Statistics of samples, and likelihoods.

use kernel_rt::prelude::*;

/// The first four moments of each row of samples in one pass, as they are added one after the other (Welford, 1962; Pébay, 2008):
/// mean, variance, skewness and excess kurtosis. `normality` is the statistic of Jarque and Bera. Samples below `missing` are
/// left out.
#[kernel(family = "reduction", instances(f32, f64))]
pub fn row_moments<T: Float>(
    #[domain(6..24)] columns: usize,
    #[domain(-2.0..-1.0)] missing: T,
    #[shape(dim0, columns)]
    #[domain(-2.0..2.0)]
    samples: &Array2<T>,
    mean: &mut [T],
    variance: &mut [T],
    skewness: &mut [T],
    kurtosis: &mut [T],
    normality: &mut [T],
    range: &mut [T],
    used: &mut [u32],
) {
    let i = tid();
    let mut count = T::ZERO;
    let mut centre = T::ZERO;
    let (mut second, mut third, mut fourth) = (T::ZERO, T::ZERO, T::ZERO);
    let (mut least, mut most) = (T::MAX, T::MIN);
    let mut present = 0;
    for j in 0..columns {
        let value = samples[[i, j]];
        if value < missing {
            continue;
        }
        present += 1;
        let before = count;
        count += T::ONE;
        let step = value - centre;
        let part = step / count;
        let square = part * part;
        let term = step * part * before;
        centre += part;
        let n = count;
        fourth += term * square * (n * n - T::lit(3.0) * n + T::lit(3.0)) + T::lit(6.0) * square * second
            - T::lit(4.0) * part * third;
        third += term * part * (n - T::lit(2.0)) - T::lit(3.0) * part * second;
        second += term;
        least = least.min(value);
        most = most.max(value);
    }
    used[i] = present;
    if count < T::lit(2.0) || second <= T::EPSILON {
        mean[i] = centre;
        return;
    }
    let spread = second / count;
    let lean = third / count / (spread * spread.sqrt());
    let tails = fourth / count / (spread * spread) - T::lit(3.0);
    mean[i] = centre;
    variance[i] = second / (count - T::ONE);
    skewness[i] = lean;
    kurtosis[i] = tails;
    normality[i] = count / T::lit(6.0) * (lean * lean + T::lit(0.25) * tails * tails);
    range[i] = most - least;
}

/// One class of a mixture: a normal distribution in the plane.
#[device]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normal {
    /// The mean.
    pub mean: Vec2,
    /// The lower triangle of the factor of Cholesky of the precision: the logarithms of its diagonal.
    pub log_diagonal: Vec2,
    /// The element below the diagonal.
    pub below: f32,
    /// The logarithm of the weight, not normalised.
    pub log_weight: f32,
}

/// The logarithm of the density of a normal distribution at a point, with its weight.
#[device]
fn log_density(normal: Normal, point: Vec2) -> f32 {
    let d = point - normal.mean;
    let first = normal.log_diagonal.x.exp() * d.x + normal.below * d.y;
    let second = normal.log_diagonal.y.exp() * d.y;
    let peak = normal.log_diagonal.x + normal.log_diagonal.y - 1.837877;
    normal.log_weight + peak - 0.5 * (first * first + second * second)
}

/// Likelihoods of rows of points under a mixture of five normal distributions: the mean over the row of ln ∑ₖ wₖ·pₖ(x), by the
/// largest term, so that nothing underflows. `entropy` says how unsure the classes of the points are, `label` is the class
/// that takes the largest part of the row. The weights need not add up to 1.
#[kernel(family = "reduction")]
pub fn mixture_likelihood(
    #[shape(5)]
    #[domain(-0.8..0.8)]
    classes: &[Normal],
    #[shape(dim0, 6)]
    #[domain(-2.0..2.0)]
    points: &Array2<Vec2>,
    likelihood: &mut [f32],
    entropy: &mut [f32],
    label: &mut [u32],
) {
    const CLASSES: usize = 5;
    let i = tid();
    let mut weights = 0.0;
    for k in 0..CLASSES {
        weights += classes[k].log_weight.exp();
    }
    let columns = points.shape()[1];
    let mut shares = [0.0f32; CLASSES];
    let mut sum = 0.0;
    let mut unsure = 0.0;
    for j in 0..columns {
        let mut terms = [0.0f32; CLASSES];
        let mut largest = log_density(classes[0], points[[i, j]]);
        for k in 0..CLASSES {
            terms[k] = log_density(classes[k], points[[i, j]]);
            largest = largest.max(terms[k]);
        }
        let mut total = 0.0;
        for k in 0..CLASSES {
            terms[k] = (terms[k] - largest).exp();
            total += terms[k];
        }
        sum += largest + total.ln() - weights.ln();
        for k in 0..CLASSES {
            let share = terms[k] / total;
            shares[k] += share;
            unsure -= share * (share + 1e-6).ln();
        }
    }
    let mut best = 0;
    for k in 1..CLASSES {
        if shares[k] > shares[best] {
            best = k;
        }
    }
    likelihood[i] = sum / columns as f32;
    entropy[i] = unsure / columns as f32;
    label[i] = best as u32;
}
