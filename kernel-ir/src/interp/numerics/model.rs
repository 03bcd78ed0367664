//! Perturbed models of floating-point arithmetic.

use crate::interp::hash::mix;
use crate::interp::num::Num;
use crate::interp::number::Number;
use crate::interp::tid::Tid;
use crate::ir::FloatFormat;
use crate::ops::{Accuracy, Op};
use std::ops::Range;

/// The number of models whose errors are those of real machines.
pub(super) const MODELS: u64 = 8;

/// The marking models. Their functions differ by the bound in the table, and their results are marked. Operations on what
/// depends on these round otherwise, see [`Varied`](crate::interp::Varied), and in each model in another way. In simulated
/// libraries, the tolerances by two models were exceeded, and those by eight were not.
pub(super) const MARKS: Range<u64> = MODELS..MODELS + 8;

/// The model whose functions are exact, and which adds magnitudes.
pub(super) const MAGNITUDES: u64 = MARKS.end;

/// The perturbation of a function, in multiples of the bound in the table. Twice the bound leaves room for errors that
/// add up.
const PERTURBATION: f64 = 2.0;

/// The perturbation of a sum or difference in another form of the kernel, in multiples of the larger operand. It differs
/// from that of products and quotients: perturbations of one size and of opposite signs would cancel in `a + b / c`.
const PERTURBATION_OF_SUMS: f64 = 3.0;

/// The model of magnitudes adds terms that are larger by this part, so that it differs even from a sum of one term.
const MORE: f64 = 1e-3;

/// A sum of terms up to this multiple of the larger operand counts as exact in any order, if it needs no more digits
/// than the type has.
const SUM_TERMS: f64 = 16.0;

/// A model of floating-point arithmetic with perturbed functions.
#[derive(Clone, Copy, Debug)]
pub struct PerturbedModel {
    pub(super) number: u64,
    /// Whether the model perturbs exact operations too, because another form of the kernel rounds in other places.
    pub(super) reassociates: bool,
}

impl PerturbedModel {
    /// The models that perturb `+ − × ÷ √` too.
    pub fn reassociating() -> impl Iterator<Item = PerturbedModel> {
        (0..MODELS).map(|number| PerturbedModel { number, reassociates: true })
    }

    /// The same model, which also perturbs `+ − × ÷ √` if `reassociates`.
    #[must_use]
    pub fn reassociating_if(self, reassociates: bool) -> PerturbedModel {
        PerturbedModel { reassociates: self.reassociates || reassociates, ..self }
    }

    /// The order of the threads in this model, if the order of sums is free.
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

    /// The number of consecutive threads that add into a partial sum first; `None` for no partial sums.
    pub(in crate::interp) fn part(self) -> Option<usize> {
        // One sum for all threads, pairs, warps of 32, and a size that does not divide a block.
        match self.number {
            1 => Some(usize::MAX),
            3 => Some(2),
            5 => Some(32),
            7 => Some(7),
            _ => None,
        }
    }

    /// The factor of the magnitudes that this model adds in the place of terms, to show the largest partial sum.
    pub(in crate::interp) fn magnitudes(self) -> Option<f64> {
        (self.number == MAGNITUDES).then_some(1.0 + MORE)
    }

    /// The mark of inexact values, if this is a marking model.
    fn mark(self) -> Option<u8> {
        MARKS.contains(&self.number).then_some(self.number as u8)
    }

    /// The perturbed result of `op` on `operands`; `value` is the unperturbed result.
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
            Some(Num::F16(x) | Num::BF16(x) | Num::F32(x)) => x.value(),
            Some(Num::F64(x)) => x.value(),
            other => other.and_then(|other| other.as_integer()).unwrap_or_default() as f64,
        };
        let operands = &[operand(0), operand(1)][..operands.len().min(2)];
        match value {
            Num::F16(x) => Num::F16(self.other(op, operands, x, FloatFormat::F16).rounded_to(FloatFormat::F16)),
            Num::BF16(x) => Num::BF16(self.other(op, operands, x, FloatFormat::BF16).rounded_to(FloatFormat::BF16)),
            Num::F32(x) => Num::F32(self.other(op, operands, x, FloatFormat::F32)),
            Num::F64(x) => Num::F64(self.other(op, operands, x, FloatFormat::F64)),
            other @ (Num::Bool(_) | Num::Index(_)) => other,
            other @ (Num::I8(_)
            | Num::U8(_)
            | Num::I16(_)
            | Num::U16(_)
            | Num::I32(_)
            | Num::U32(_)
            | Num::I64(_)
            | Num::U64(_)) => other,
        }
    }

    /// The perturbed number for `x`, the result of `op` in this format.
    pub(in crate::interp) fn other<N: Number>(self, op: Op, operands: &[f64], x: N, format: FloatFormat) -> N {
        if self.number == MAGNITUDES {
            return x;
        }
        let off = |ulp: u32| self.off(op, operands, x, PERTURBATION * f64::from(ulp), format);
        match op.accuracy() {
            Accuracy::Exact => x,
            Accuracy::EitherZero => self.either_zero(op, operands, x),
            Accuracy::Ulp(ulp) => off(ulp),
            // Every library keeps the values of these functions in [-1, 1]. A perturbed value outside could make a
            // later `acos` NaN.
            Accuracy::UlpWithinOne(ulp) => off(ulp).min(N::constant(1.0)).max(N::constant(-1.0)),
        }
    }

    /// The number `x`, or the zero that this model chooses if `x` is the minimum or maximum of both zeros.
    fn either_zero<N: Number>(self, op: Op, operands: &[f64], x: N) -> N {
        match *operands {
            [a, b] if a == 0.0 && b == 0.0 && a.to_bits() != b.to_bits() && self.number < MODELS => {
                N::constant(if self.rounds_up(op, operands) { 0.0 } else { -0.0 })
            }
            _ => x,
        }
    }

    /// The number `x`, perturbed by `times` units in the last place, or marked.
    fn off<N: Number>(self, op: Op, operands: &[f64], x: N, times: f64, format: FloatFormat) -> N {
        let value = x.value();
        // Every library is exact in these cases: sin 0, exp 0, hypot(x, 0), ln 1, powers of 1.
        let is_simple = operands.contains(&0.0) || (operands[0].abs() == 1.0 && value.abs() == 1.0);
        if is_simple || value == 0.0 {
            return x;
        }
        let Some(mark) = self.mark() else { return self.moved(op, operands, x, times, format) };
        self.moved(op, operands, x, times / PERTURBATION, format).marked(mark)
    }

    /// The number `x`, which is not 0, moved up or down by `times` units in the last place.
    fn moved<N: Number>(self, op: Op, operands: &[f64], x: N, times: f64, format: FloatFormat) -> N {
        let value = x.value();
        let (up, error) = (self.rounds_up(op, operands), times * format.epsilon());
        if format.epsilon() * value.abs() < format.least() {
            // The unit of a subnormal number is the smallest number. The perturbed one keeps the sign.
            let (size, least) = (value.abs(), format.least());
            let moved = if up { size + times * least } else { (size - times * least).max(least) };
            return x + N::constant((moved - size) * value.signum());
        }
        x * N::constant(1.0 + if up { error } else { -error })
    }

    /// Whether this model perturbs exact operations too.
    pub(in crate::interp) fn reassociates(self) -> bool {
        self.reassociates
    }

    /// The number `x`, the result of `op` on these operands, as another form of the kernel might round it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed of all operations is meant")]
    pub(in crate::interp) fn reassociated<N: Number>(self, op: Op, [a, b]: [f64; 2], x: N, format: FloatFormat) -> N {
        let value = x.value();
        // The product of two shorter floats is exact in `f64`. For `f64`, the fused multiply-add shows the rounding error.
        let is_short = format != FloatFormat::F64;
        let is_exact = |a: f64, b: f64, product: f64| {
            if is_short { a * b == product } else { a.mul_add(b, -product) == 0.0 }
        };
        let size = match op {
            Op::Add | Op::Sub if a == 0.0 || b == 0.0 || has_few_digits(a, b, format) => 0.0,
            // Cancellation: the error of another form has the size of the operands, not of the difference.
            Op::Add | Op::Sub => a.abs().max(b.abs()),
            Op::Mul | Op::StrongMul if !is_exact(a, b, value) => value.abs(),
            Op::Div | Op::StrongDiv if !is_exact(value, b, a) => value.abs(),
            Op::Sqrt if !is_exact(value, value, a) => value.abs(),
            _ => 0.0,
        };
        // An infinite result is the same in every form.
        if size == 0.0 || value == 0.0 || !value.is_finite() || self.number == MAGNITUDES {
            return x;
        }
        if let Some(mark) = self.mark() {
            return x.marked(mark);
        }
        let times = if matches!(op, Op::Add | Op::Sub) { PERTURBATION_OF_SUMS } else { PERTURBATION };
        let error = times * (format.epsilon() * size).max(format.least());
        x + N::constant(if self.rounds_up(op, &[a, b]) { error } else { -error })
    }

    /// The number `rounded`, a conversion of `exact` to this format, as another form of the kernel might have it: one
    /// that rounds to 16 bits elsewhere, or not at all.
    pub(in crate::interp) fn reassociated_rounding<N: Number>(self, exact: N, rounded: N, format: FloatFormat) -> N {
        if exact == rounded || !rounded.value().is_finite() || self.number == MAGNITUDES {
            return rounded;
        }
        if let Some(mark) = self.mark() {
            return rounded.marked(mark);
        }
        let error = PERTURBATION * (format.epsilon() * rounded.value().abs()).max(format.least());
        let up = self.rounds_up(Op::Mul, &[exact.value()]);
        (rounded + N::constant(if up { error } else { -error })).rounded_to(format)
    }

    /// The sign of the perturbation. The two models of a pair share the hash and take opposite signs.
    fn rounds_up(self, op: Op, operands: &[f64]) -> bool {
        let pair = mix(self.number / 2 + 1, op as u64);
        let hash = operands.iter().fold(pair, |hash, operand| mix(hash, operand.to_bits()));
        (hash >> 63 == 1) == self.number.is_multiple_of(2)
    }
}

/// Whether sums of several terms of this size are exact in this format.
fn has_few_digits(a: f64, b: f64, format: FloatFormat) -> bool {
    SUM_TERMS * format.epsilon() * a.abs().max(b.abs()) < last_digit(a).min(last_digit(b))
}

/// The value of the lowest set bit of `x`.
fn last_digit(x: f64) -> f64 {
    const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
    if x == 0.0 {
        return f64::INFINITY;
    }
    let digits = x.to_bits() & ((1 << DIGITS) - 1) | 1 << DIGITS;
    x.abs() / (digits >> digits.trailing_zeros()) as f64
}
