//! The semantics of every operation.
//!
//! [`Family::of`] classifies the operations, and each family has a file. Scalars take a fast path ([`apply_scalars`]);
//! [`apply`] handles all shapes. Floats are generic over [`Number`] (the perturbed models) and [`Algebra`] (dual
//! numbers), and vectors follow the order of operations of `kernel-rt`, so that results are bitwise equal to
//! the CPU version.

pub(super) mod integer;
mod matrix;
mod operands;
mod random;
pub(super) mod scalar;
#[cfg(test)]
pub(super) mod tests;
mod vector;

pub(super) use operands::Outcome;

use super::num::Num;
use super::value::{Shaped, Value};
use super::{Algebra, Number};
use crate::ir::{FloatFormat, Type};
use crate::ops::Op;
use integer::Integer;
use operands::{Operands, compare, undefined};

/// The kind of an operation.
enum Family {
    /// Predicates and comparisons, with a `bool` result.
    Question,
    /// Bit counts, with a `u32` result.
    Bits,
    /// Arithmetic and functions of scalars. Vectors take them componentwise; matrices and quaternions define some of
    /// them.
    Arithmetic,
    /// Construction and decomposition of vectors.
    Vector,
    /// States of random generators, and draws from them.
    Random,
    /// From the components of vectors to a scalar.
    Reduction,
    /// Lengths, directions and products of vectors.
    Geometry,
    /// The operations that exist only for matrices and quaternions.
    Matrix,
}

impl Family {
    fn of(op: Op) -> Family {
        match op {
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::IsNan | Op::IsFinite => Family::Question,
            Op::CountOnes | Op::LeadingZeros | Op::TrailingZeros => Family::Bits,
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Neg => Family::Arithmetic,
            Op::StrongMul | Op::StrongDiv => Family::Arithmetic,
            Op::And | Op::Or | Op::Not | Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr => Family::Arithmetic,
            Op::WrappingAdd | Op::WrappingSub | Op::WrappingMul | Op::SaturatingSub => Family::Arithmetic,
            Op::AbsDiff | Op::Pow | Op::RotateLeft | Op::RotateRight | Op::RemEuclid | Op::Below => Family::Arithmetic,
            Op::Min | Op::Max | Op::Clamp | Op::Abs | Op::Signum | Op::Copysign => Family::Arithmetic,
            Op::Floor | Op::Ceil | Op::Round | Op::Trunc | Op::Fract => Family::Arithmetic,
            Op::Sqrt | Op::Cbrt | Op::Recip | Op::MulAdd | Op::Powi | Op::Powf | Op::Hypot => Family::Arithmetic,
            Op::Exp | Op::Exp2 | Op::ExpM1 | Op::Ln | Op::Ln1p | Op::Log2 | Op::Log10 => Family::Arithmetic,
            Op::Sin | Op::Cos | Op::Tan | Op::Asin | Op::Acos | Op::Atan | Op::Atan2 => Family::Arithmetic,
            Op::Sinh | Op::Cosh | Op::Tanh | Op::ToRadians | Op::ToDegrees => Family::Arithmetic,
            Op::RandInit | Op::RandSeed | Op::Randu | Op::RanduRange | Op::Randi | Op::RandiRange => Family::Random,
            Op::Randf | Op::RandfRange | Op::Randn => Family::Random,
            Op::VecNew | Op::Splat | Op::Extend | Op::Truncate => Family::Vector,
            Op::Dot | Op::StrongDot | Op::MinElement | Op::MaxElement | Op::ElementSum | Op::ElementProduct => {
                Family::Reduction
            }
            Op::Cross | Op::StrongCross | Op::PerpDot | Op::Length | Op::LengthSquared => Family::Geometry,
            Op::Distance | Op::DistanceSquared | Op::Lerp | Op::Reflect => Family::Geometry,
            Op::Normalize | Op::NormalizeOrZero => Family::Geometry,
            Op::MatFromCols | Op::FromDiagonal | Op::Outer | Op::Skew => Family::Matrix,
            Op::QuatNew | Op::Conjugate => Family::Matrix,
            Op::Row | Op::Transpose | Op::Trace | Op::Determinant | Op::Inverse => Family::Matrix,
        }
    }
}

/// Whether vectors take the operation componentwise.
pub(super) fn is_arithmetic(op: Op) -> bool {
    matches!(Family::of(op), Family::Arithmetic)
}

/// Computes `op` of the evaluated `args`, with a result of type `ret`.
pub(super) fn apply<S: Number, D: Number>(op: Op, args: &[Value<S, D>], ret: Type) -> Outcome<Value<S, D>> {
    if let (true, Some(scalars)) = (ret.is_scalar(), scalars(args)) {
        return apply_scalars(op, &scalars[..args.len()]).map(Value::from);
    }
    macro_rules! numbers {
        ($family:ident, $kind:ident, $first:expr) => {{
            let operands = Operands::new(args, $first, ret, |value| match value {
                Value::$kind(number) => Some(number),
                _ => None,
            });
            $family(op, &operands).map(Value::$kind)
        }};
    }
    match args.first() {
        Some(Value::I8(first)) => numbers!(shaped_integers, I8, first),
        Some(Value::U8(first)) => numbers!(shaped_integers, U8, first),
        Some(Value::I16(first)) => numbers!(shaped_integers, I16, first),
        Some(Value::U16(first)) => numbers!(shaped_integers, U16, first),
        Some(Value::I32(first)) => numbers!(shaped_integers, I32, first),
        Some(Value::U32(first)) => numbers!(shaped_integers, U32, first),
        Some(Value::I64(first)) => numbers!(shaped_integers, I64, first),
        Some(Value::U64(first)) => numbers!(shaped_integers, U64, first),
        Some(Value::Index(first)) => numbers!(shaped_integers, Index, first),
        // There are no vectors of these, and scalars are computed above.
        Some(Value::F16(_) | Value::BF16(_)) => Err(undefined(op)),
        Some(Value::F32(first)) => numbers!(shaped_floats, F32, first),
        Some(Value::F64(first)) => numbers!(shaped_floats, F64, first),
        Some(Value::Bool(_)) | None => Err(undefined(op)),
    }
}

/// The largest number of operands of an operation on scalars with a scalar result.
pub(super) const MOST_SCALARS: usize = 3;

/// The arguments, if they are at most three scalars. Unused entries are arbitrary.
fn scalars<S: Copy, D: Copy>(args: &[Value<S, D>]) -> Option<[Num<S, D>; MOST_SCALARS]> {
    let mut scalars = [Num::Bool(false); MOST_SCALARS];
    if args.len() > scalars.len() {
        return None;
    }
    for (scalar, arg) in scalars.iter_mut().zip(args) {
        *scalar = arg.num()?;
    }
    Some(scalars)
}

/// Computes `op` of at most three scalars, with a scalar result.
pub(super) fn apply_scalars<S: Number, D: Number>(op: Op, args: &[Num<S, D>]) -> Outcome<Num<S, D>> {
    macro_rules! numbers {
        ($family:ident, $kind:ident, $first:expr) => {
            numbers!($family, Num::$kind, $kind, $first)
        };
        ($family:ident, $wrap:expr, $kind:ident, $first:expr) => {{
            let first = *$first;
            let at = |place: usize| if let Some(Num::$kind(number)) = args.get(place) { *number } else { first };
            let number = || args.get(1).and_then(|number| number.as_integer());
            $family(op, [first, at(1), at(2)], number, $wrap)
        }};
    }
    match args {
        args if op.is_random() => random::apply(op, args),
        [Num::Bool(a), rest @ ..] => {
            let b = if let [Num::Bool(b), ..] = rest { *b } else { *a };
            truths(op, *a, b).map(Num::Bool)
        }
        [Num::I8(first), ..] => numbers!(integers, I8, first),
        [Num::U8(first), ..] => numbers!(integers, U8, first),
        [Num::I16(first), ..] => numbers!(integers, I16, first),
        [Num::U16(first), ..] => numbers!(integers, U16, first),
        [Num::I32(first), ..] => numbers!(integers, I32, first),
        [Num::U32(first), ..] => numbers!(integers, U32, first),
        [Num::I64(first), ..] => numbers!(integers, I64, first),
        [Num::U64(first), ..] => numbers!(integers, U64, first),
        [Num::Index(first), ..] => numbers!(integers, Index, first),
        [Num::F16(first), ..] => numbers!(floats, |x: S| Num::F16(x.rounded_to(FloatFormat::F16)), F16, first),
        [Num::BF16(first), ..] => numbers!(floats, |x: S| Num::BF16(x.rounded_to(FloatFormat::BF16)), BF16, first),
        [Num::F32(first), ..] => numbers!(floats, F32, first),
        [Num::F64(first), ..] => numbers!(floats, F64, first),
        [] => Err(undefined(op)),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "an operation that is not of this kind is an error")]
pub(super) fn truths(op: Op, a: bool, b: bool) -> Outcome<bool> {
    match op {
        Op::Not => Ok(!a),
        Op::And | Op::BitAnd => Ok(a & b),
        Op::Or | Op::BitOr => Ok(a | b),
        Op::Eq => Ok(a == b),
        Op::Ne | Op::BitXor => Ok(a != b),
        _ => Err(undefined(op)),
    }
}

fn integers<T: Integer, S, D>(
    op: Op,
    operands: [T; 3],
    number: impl Fn() -> Option<i128>,
    wrap: impl Fn(T) -> Num<S, D>,
) -> Outcome<Num<S, D>> {
    match Family::of(op) {
        Family::Question => compare(op, operands[0], operands[1]).map(Num::Bool),
        Family::Bits => integer::bits(op, operands[0]).map(Num::U32),
        Family::Arithmetic => integer::arithmetic(op, operands, number()).map(wrap),
        Family::Random | Family::Vector | Family::Reduction | Family::Geometry | Family::Matrix => Err(undefined(op)),
    }
}

fn floats<N: Number, S, D>(
    op: Op,
    operands: [N; 3],
    number: impl Fn() -> Option<i128>,
    wrap: impl Fn(N) -> Num<S, D>,
) -> Outcome<Num<S, D>> {
    match Family::of(op) {
        Family::Question => scalar::question(op, operands[0], operands[1]).map(Num::Bool),
        Family::Arithmetic => scalar::arithmetic(op, operands, number()).map(wrap),
        Family::Bits | Family::Random | Family::Vector | Family::Reduction | Family::Geometry | Family::Matrix => {
            Err(undefined(op))
        }
    }
}

fn shaped_integers<T: Integer>(op: Op, x: &Operands<T>) -> Outcome<Shaped<T>> {
    let arithmetic = |op, operands| integer::arithmetic(op, operands, x.number);
    match Family::of(op) {
        Family::Arithmetic => vector::by_component(op, x, arithmetic),
        Family::Vector => vector::build(op, x),
        Family::Reduction => vector::reduce(op, x, arithmetic).map(Shaped::Scalar),
        Family::Question | Family::Bits | Family::Random | Family::Geometry | Family::Matrix => Err(undefined(op)),
    }
}

fn shaped_floats<N: Number>(op: Op, x: &Operands<N>) -> Outcome<Shaped<N>> {
    match Family::of(op) {
        Family::Arithmetic if !x.has_matrix() => vector::by_component(op, x, scalar::component),
        Family::Vector => vector::build(op, x),
        Family::Geometry if op == Op::NormalizeOrZero => vector::normalize_or_zero(op, x),
        Family::Question
        | Family::Bits
        | Family::Arithmetic
        | Family::Random
        | Family::Reduction
        | Family::Geometry
        | Family::Matrix => algebra(op, x),
    }
}

/// The operations that need only [`Algebra`], so that dual numbers share them.
fn algebra<N: Algebra>(op: Op, x: &Operands<N>) -> Outcome<Shaped<N>> {
    match Family::of(op) {
        Family::Arithmetic if x.has_matrix() => matrix::arithmetic(op, x.all[0], x.all[1]),
        Family::Reduction => vector::reduce(op, x, vector::pair).map(Shaped::Scalar),
        Family::Geometry => vector::geometry(op, x),
        Family::Matrix => matrix::build(op, x),
        Family::Question | Family::Bits | Family::Arithmetic | Family::Random | Family::Vector => Err(undefined(op)),
    }
}

/// Computes `op` of floats of these shapes, if it needs only [`Algebra`]; see [`algebra`].
pub(super) fn apply_algebra<N: Algebra>(op: Op, args: &[Shaped<N>], ret: Type) -> Option<Shaped<N>> {
    let first = args.first()?;
    let all = std::array::from_fn(|place| args.get(place).unwrap_or(first));
    algebra(op, &Operands { all, number: None, ret }).ok()
}
