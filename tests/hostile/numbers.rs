//! Hostile numbers: near overflow, infinite, NaN, zero, equal, denormal.

use crate::rng::Rng;
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::FloatFormat;
use std::ops::Neg;

/// One in this many floats is replaced. Each launch has one of these rates.
const RATES: [usize; 3] = [4, 12, 40];

/// The arguments with some floats replaced by hostile ones.
pub(crate) fn hostile(args: &[Arg], seed: u64) -> Vec<Arg> {
    hostile_sparingly(args, seed, 1)
}

/// The same, with one hostile number where there would be `sparing` of them.
pub(crate) fn hostile_sparingly(args: &[Arg], seed: u64, sparing: usize) -> Vec<Arg> {
    let mut rng = Rng::new(seed ^ 0x5eed);
    let rate = rng.pick(&RATES) * sparing;
    let mut args = args.to_vec();
    for arg in &mut args {
        match &mut arg.data {
            Data::F16(data) => replace(data, &mut rng, rate, &of_half(FloatFormat::F16)),
            Data::BF16(data) => replace(data, &mut rng, rate, &of_half(FloatFormat::BF16)),
            Data::F32(data) => {
                let sizes = [1e20, f32::MAX, f32::MIN_POSITIVE / 64.0, 0.0, f32::INFINITY, f32::NAN];
                replace(data, &mut rng, rate, &sizes);
            }
            Data::F64(data) => {
                let sizes = [1e160, f64::MAX, f64::MIN_POSITIVE / 64.0, 0.0, f64::INFINITY, f64::NAN];
                replace(data, &mut rng, rate, &sizes);
            }
            _ => {}
        }
    }
    args
}

/// The hostile numbers of a type with 16 bits. The square of the first one is near its limit.
fn of_half(format: FloatFormat) -> [f32; 6] {
    let sizes = [format.largest().sqrt(), format.largest(), format.least_normal() / 64.0, 0.0, f64::INFINITY, f64::NAN];
    sizes.map(|size| format.round(size) as f32)
}

/// Replaces one in `rate` numbers by one of `sizes` with a random sign, or by another element of `data`.
fn replace<T: Copy + Neg<Output = T>>(data: &mut [T], rng: &mut Rng, rate: usize, sizes: &[T]) {
    for place in 0..data.len() {
        if rng.below(rate) == 0 {
            let choices = [rng.pick(sizes), data[rng.below(data.len())]];
            let size = rng.pick(&choices);
            data[place] = if rng.percent(50) { size } else { -size };
        }
    }
}
