//! Floats.

use super::{Outcome, compare, undefined};
use crate::interp::Number;
use crate::ops::Op;

pub(super) fn question<N: Number>(op: Op, a: N, b: N) -> Outcome<bool> {
    match op {
        Op::IsNan => Ok(a.value().is_nan()),
        Op::IsFinite => Ok(a.value().is_finite()),
        _ => compare(op, a, b),
    }
}

/// What `op` does to the components of vectors: the same as to scalars, but for glam's own choice of `min` and `max`.
pub(super) fn component<N: Number>(op: Op, operands: [N; 3]) -> Outcome<N> {
    let [a, b, _] = operands;
    match op {
        Op::Min => Ok(a.lesser(b)),
        Op::Max => Ok(a.greater(b)),
        _ => arithmetic(op, operands, None),
    }
}

/// `op` of scalars; `number` is the second operand where that is an integer.
pub(super) fn arithmetic<N: Number>(op: Op, [a, b, c]: [N; 3], number: Option<i128>) -> Outcome<N> {
    Ok(match op {
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a / b,
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
        _ => return function(op, a).ok_or_else(|| undefined(op)),
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

/// The operations of one float.
fn function<N: Number>(op: Op, a: N) -> Option<N> {
    Some(match op {
        Op::Abs => a.abs(),
        Op::Signum => a.signum(),
        Op::Floor => a.floor(),
        Op::Ceil => a.ceil(),
        Op::Round => a.round(),
        Op::Trunc => a.trunc(),
        Op::Fract => a.fract(),
        Op::Sqrt => a.sqrt(),
        Op::Cbrt => a.cbrt(),
        Op::Recip => a.recip(),
        Op::Exp => a.exp(),
        Op::Exp2 => a.exp2(),
        Op::ExpM1 => a.exp_m1(),
        Op::Ln => a.ln(),
        Op::Ln1p => a.ln_1p(),
        Op::Log2 => a.log2(),
        Op::Log10 => a.log10(),
        Op::Sin => a.sin(),
        Op::Cos => a.cos(),
        Op::Tan => a.tan(),
        Op::Asin => a.asin(),
        Op::Acos => a.acos(),
        Op::Atan => a.atan(),
        Op::Sinh => a.sinh(),
        Op::Cosh => a.cosh(),
        Op::Tanh => a.tanh(),
        Op::ToRadians => a.to_radians(),
        Op::ToDegrees => a.to_degrees(),
        _ => return None,
    })
}
