//! Interpolation of samples, for several types.

use kernel_rt::prelude::*;

/// Natural cubic splines through eight samples each, one a thread: the second derivatives solve a tridiagonal system, by the
/// elimination of Thomas. Samples lie at growing places, one after the other at distances `gaps`. The spline is evaluated at
/// four places: value, slope and curvature; `bending` is the integral of the square of the curvature, `length` that of
/// the whole piece.
#[kernel(family = "loop", instances(f32, f64))]
pub fn cubic_spline<T: Float>(
    #[shape(dim0, 8)]
    #[domain(0.5..1.5)]
    gaps: &Array2<T>,
    #[shape(dim0, 8)]
    #[domain(-1.0..1.0)]
    samples: &Array2<T>,
    #[shape(dim0, 4)]
    #[domain(0.0..1.0)]
    places: &Array2<T>,
    #[shape(dim0, 4)] values: &mut Array2<T>,
    #[shape(dim0, 4)] slopes: &mut Array2<T>,
    bending: &mut [T],
    length: &mut [T],
) {
    const N: usize = 8;
    let i = tid();
    let six = T::lit(6.0);
    let mut ratio = [T::ZERO; 8];
    let mut curvature = [T::ZERO; 8];
    for k in 1..N - 1 {
        let (before, behind) = (gaps[[i, k - 1]], gaps[[i, k]]);
        let jump = (samples[[i, k + 1]] - samples[[i, k]]) / behind - (samples[[i, k]] - samples[[i, k - 1]]) / before;
        let pivot = T::lit(2.0) * (before + behind) - before * ratio[k - 1];
        ratio[k] = behind / pivot;
        curvature[k] = (six * jump - before * curvature[k - 1]) / pivot;
    }
    let mut energy = T::ZERO;
    let mut whole = T::ZERO;
    for k in (0..N - 1).rev() {
        curvature[k] -= ratio[k] * curvature[k + 1];
        let (a, b) = (curvature[k], curvature[k + 1]);
        whole += gaps[[i, k]];
        energy += gaps[[i, k]] * (a * a + a * b + b * b) / T::lit(3.0);
    }
    bending[i] = energy;
    length[i] = whole;

    for j in 0..4 {
        // The piece that a place is in, and how far it is from both of its ends.
        let mut rest = places[[i, j]] * T::lit(3.5);
        let mut k = 0;
        while k < N - 2 && rest >= gaps[[i, k]] {
            rest -= gaps[[i, k]];
            k += 1;
        }
        let width = gaps[[i, k]];
        let left = width - rest;
        let (a, b) = (curvature[k], curvature[k + 1]);
        let start = samples[[i, k]] / width - a * width / six;
        let end = samples[[i, k + 1]] / width - b * width / six;
        let cubes = a * left * left * left + b * rest * rest * rest;
        values[[i, j]] = cubes / (six * width) + start * left + end * rest;
        slopes[[i, j]] = (b * rest * rest - a * left * left) / (T::lit(2.0) * width) + end - start;
    }
}
