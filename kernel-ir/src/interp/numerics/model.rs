//! Perturbed models of floating-point arithmetic.

use crate::interp::num::Num;
use crate::interp::number::Number;
use crate::interp::tid::Tid;
use crate::ops::{Accuracy, Op};

/// How many models have the errors of real machines.
pub(super) const MODELS: u64 = 8;

/// The ninth model, which probes.
pub(super) const PROBE: u64 = MODELS;

/// The tenth model, whose functions are exact, and which adds up magnitudes.
pub(super) const MAGNITUDES: u64 = MODELS + 1;

/// The perturbation of a function, in terms of what the table allows.
const PERTURBATION: f64 = 2.0;

/// The relative perturbation of the ninth model.
const PROBE_ERROR: f64 = 1e-3;

/// How many times the larger operand the terms of a sum may come to that is exact however they are added.
const SUM_TERMS: f64 = 16.0;

/// A model of floating-point arithmetic whose functions are perturbed.
#[derive(Clone, Copy, Debug)]
pub struct PerturbedModel {
    pub(super) number: u64,
    /// Whether it perturbs exact operations too: another form of the kernel rounds elsewhere.
    pub(super) reassociates: bool,
}

impl PerturbedModel {
    /// The models in which `+ − × ÷ √` are perturbed too, but for the one that probes.
    pub fn reassociating() -> impl Iterator<Item = PerturbedModel> {
        (0..MODELS).map(|number| PerturbedModel { number, reassociates: true })
    }

    /// The order of the threads, where sums may be taken in any.
    pub(in crate::interp) fn order(self, mut threads: Vec<Tid>) -> Vec<Tid> {
        match self.number {
            0 | 1 => {}
            2 | 3 => threads.reverse(),
            number if number < MODELS => {
                threads.sort_by_cached_key(|tid| tid.iter().fold(number, |hash, index| mix(hash, *index as u64 + 1)));
            }
            _ => {}
        }
        threads
    }

    /// How many threads, neighbours in that order, add up among themselves first.
    pub(in crate::interp) fn part(self) -> Option<usize> {
        match self.number {
            1 => Some(usize::MAX),
            3 => Some(2),
            5 => Some(32),
            7 => Some(7),
            _ => None,
        }
    }

    /// The factor of the magnitudes that it adds in the place of terms: the tenth model shows the largest partial sum.
    pub(in crate::interp) fn magnitudes(self) -> Option<f64> {
        (self.number == MAGNITUDES).then_some(1.0 + PROBE_ERROR)
    }

    /// The perturbed result of `op` on `operands`, whose exact result is `value`.
    pub(in crate::interp) fn perturb<S: Number, D: Number>(
        self,
        op: Op,
        operands: &[Num<S, D>],
        value: Num<S, D>,
    ) -> Num<S, D> {
        if op.accuracy() == Accuracy::Exact {
            return value;
        }
        let operand = |place: usize| match operands.get(place) {
            Some(Num::F32(x)) => x.value(),
            Some(Num::F64(x)) => x.value(),
            other => other.and_then(|other| other.as_integer()).unwrap_or_default() as f64,
        };
        let operands = &[operand(0), operand(1)][..operands.len().min(2)];
        match value {
            Num::F32(x) => Num::F32(self.other(op, operands, x, f64::from(f32::EPSILON))),
            Num::F64(x) => Num::F64(self.other(op, operands, x, f64::EPSILON)),
            other @ (Num::Bool(_) | Num::I32(_) | Num::U32(_) | Num::I64(_) | Num::U64(_) | Num::Index(_)) => other,
        }
    }

    /// The perturbed number for `x`, whose last place is the part `epsilon` of it.
    pub(in crate::interp) fn other<N: Number>(self, op: Op, operands: &[f64], x: N, epsilon: f64) -> N {
        if self.number == MAGNITUDES {
            return x;
        }
        let off = |ulp: u32| self.off(op, operands, x, PERTURBATION * f64::from(ulp) * epsilon);
        match op.accuracy() {
            Accuracy::Exact => x,
            Accuracy::EitherZero => self.either_zero(op, operands, x),
            Accuracy::Ulp(ulp) => off(ulp),
            Accuracy::UlpWithinOne(ulp) => off(ulp).min(N::constant(1.0)).max(N::constant(-1.0)),
        }
    }

    /// The number `x`, or this model's zero if it is one of two zeros.
    fn either_zero<N: Number>(self, op: Op, operands: &[f64], x: N) -> N {
        match *operands {
            [a, b] if a == 0.0 && b == 0.0 && a.to_bits() != b.to_bits() && self.number < MODELS => {
                N::constant(if self.rounds_up(op, operands) { 0.0 } else { -0.0 })
            }
            _ => x,
        }
    }

    /// The number `x`, perturbed by the part `error` of it, or by the probe error.
    fn off<N: Number>(self, op: Op, operands: &[f64], x: N, error: f64) -> N {
        let value = x.value();
        // There every library is exact: sin 0, exp 0, hypot(x, 0); ln 1, the powers of 1.
        let is_simple = operands.contains(&0.0) || (operands[0].abs() == 1.0 && value.abs() == 1.0);
        if is_simple || value == 0.0 {
            return x;
        }
        let error = if self.number < MODELS { error } else { PROBE_ERROR };
        x * N::constant(1.0 + if self.rounds_up(op, operands) { error } else { -error })
    }

    /// Whether it perturbs exact operations too.
    pub(in crate::interp) fn reassociates(self) -> bool {
        self.reassociates
    }

    /// The number `x`, the result of `op` on these operands, in another form of the kernel.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed of all operations is meant")]
    pub(in crate::interp) fn reassociated<N: Number>(self, op: Op, [a, b]: [f64; 2], x: N, epsilon: f64) -> N {
        let value = x.value();
        // Products of numbers with half of the digits of `f64` are exact there.
        let is_short = epsilon > f64::EPSILON;
        let is_exact = |a: f64, b: f64, product: f64| {
            if is_short { a * b == product } else { a.mul_add(b, -product) == 0.0 }
        };
        let size = match op {
            Op::Add | Op::Sub if a == 0.0 || b == 0.0 || has_few_digits(a, b, epsilon) => 0.0,
            Op::Add | Op::Sub => a.abs().max(b.abs()),
            Op::Mul | Op::StrongMul if !is_exact(a, b, value) => value.abs(),
            Op::Div | Op::StrongDiv if !is_exact(value, b, a) => value.abs(),
            Op::Sqrt if !is_exact(value, value, a) => value.abs(),
            _ => 0.0,
        };
        if size == 0.0 || value == 0.0 || self.number == MAGNITUDES {
            return x;
        }
        let error = if self.number < MODELS { PERTURBATION * epsilon * size } else { PROBE_ERROR * value.abs() };
        x + N::constant(if self.rounds_up(op, &[a, b]) { error } else { -error })
    }

    fn rounds_up(self, op: Op, operands: &[f64]) -> bool {
        let pair = mix(self.number / 2 + 1, op as u64);
        let hash = operands.iter().fold(pair, |hash, operand| mix(hash, operand.to_bits()));
        (hash >> 63 == 1) == self.number.is_multiple_of(2)
    }
}

/// Whether sums of several such terms are exact in numbers whose last place is the part `epsilon` of them.
fn has_few_digits(a: f64, b: f64, epsilon: f64) -> bool {
    SUM_TERMS * epsilon * a.abs().max(b.abs()) < last_digit(a).min(last_digit(b))
}

/// The value of the last binary digit of `x` that is not 0.
fn last_digit(x: f64) -> f64 {
    const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
    if x == 0.0 {
        return f64::INFINITY;
    }
    let digits = x.to_bits() & ((1 << DIGITS) - 1) | 1 << DIGITS;
    x.abs() / (digits >> digits.trailing_zeros()) as f64
}

fn mix(hash: u64, word: u64) -> u64 {
    let z = (hash ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (z >> 32)
}
