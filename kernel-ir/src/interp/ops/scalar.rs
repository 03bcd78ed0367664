//! Scalar floats.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "an operation that these operands do not have is an error, and a test runs every row of the table"
)]

use super::operands::{Outcome, compare, undefined};
use crate::interp::Number;
use crate::ops::Op;

pub(in crate::interp) fn question<N: Number>(op: Op, a: N, b: N) -> Outcome<bool> {
    match op {
        Op::IsNan => Ok(a.value().is_nan()),
        Op::IsFinite => Ok(a.value().is_finite()),
        _ => compare(op, a, b),
    }
}

/// Computes `op` on components of vectors: as on scalars, except that `min` and `max` of vectors are comparisons,
/// which shows for signed zeros and NaN.
pub(super) fn component<N: Number>(op: Op, operands: [N; 3]) -> Outcome<N> {
    let [a, b, _] = operands;
    match op {
        Op::Min => Ok(a.lesser(b)),
        Op::Max => Ok(a.greater(b)),
        _ => arithmetic(op, operands, None),
    }
}

/// Computes `op` of scalars. `number` is the second operand if it is an integer.
pub(in crate::interp) fn arithmetic<N: Number>(op: Op, [a, b, c]: [N; 3], number: Option<i128>) -> Outcome<N> {
    Ok(match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
        Op::StrongMul => a.strong_mul(b),
        Op::StrongDiv => a.strong_div(b),
        Op::Rem => a % b,
        Op::Neg => -a,
        Op::Min => a.min(b),
        Op::Max => a.max(b),
        Op::Clamp => clamp(a, b, c)?,
        Op::Copysign => a.copysign(b),
        Op::RemEuclid => a.rem_euclid(b),
        Op::MulAdd => a.mul_add(b, c),
        Op::Powf => a.powf(b),
        Op::Powi => a.powi(number.ok_or_else(|| undefined(op))? as i32),
        Op::Hypot => a.hypot(b),
        Op::Atan2 => a.atan2(b),
        _ => function(op).ok_or_else(|| undefined(op))?(a),
    })
}

fn clamp<N: Number>(a: N, low: N, high: N) -> Outcome<N> {
    if low > high || low.value().is_nan() || high.value().is_nan() {
        return Err(format!("`clamp` to bounds that are not in order: {:?} and {:?}", low.value(), high.value()));
    }
    Ok(if a < low {
        low
    } else if a > high {
        high
    } else {
        a
    })
}

/// The function of an operation on one float.
pub(in crate::interp) fn function<N: Number>(op: Op) -> Option<fn(N) -> N> {
    Some(match op {
        Op::Abs => N::abs,
        Op::Signum => N::signum,
        Op::Floor => N::floor,
        Op::Ceil => N::ceil,
        Op::Round => N::round,
        Op::Trunc => N::trunc,
        Op::Fract => N::fract,
        Op::Sqrt => N::sqrt,
        Op::Cbrt => N::cbrt,
        Op::Recip => N::recip,
        Op::Exp => N::exp,
        Op::Exp2 => N::exp2,
        Op::ExpM1 => N::exp_m1,
        Op::Ln => N::ln,
        Op::Ln1p => N::ln_1p,
        Op::Log2 => N::log2,
        Op::Log10 => N::log10,
        Op::Sin => N::sin,
        Op::Cos => N::cos,
        Op::Tan => N::tan,
        Op::Asin => N::asin,
        Op::Acos => N::acos,
        Op::Atan => N::atan,
        Op::Sinh => N::sinh,
        Op::Cosh => N::cosh,
        Op::Tanh => N::tanh,
        Op::ToRadians => N::to_radians,
        Op::ToDegrees => N::to_degrees,
        _ => return None,
    })
}
