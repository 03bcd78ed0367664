//! Casts: Rust's `as`.

use super::num::Num;
use super::{Dual, Number};
use crate::ir::{FloatFormat, Literal, Scalar};

/// The operand of a cast, without loss.
enum Source {
    Integer(i128),
    Float(Dual),
}

/// The scalar `value` as a `to`. Integers are truncated, floats saturate, NaN becomes 0. `None` for a cast from a float
/// to `bool`.
pub(super) fn cast<S: Number, D: Number>(value: Num<S, D>, to: Scalar) -> Option<Num<S, D>> {
    let source = match value {
        Num::Bool(value) => Source::Integer(value.into()),
        Num::F16(x) | Num::BF16(x) | Num::F32(x) => Source::Float(x.to_dual()),
        Num::F64(x) => Source::Float(x.to_dual()),
        Num::I8(_)
        | Num::U8(_)
        | Num::I16(_)
        | Num::U16(_)
        | Num::I32(_)
        | Num::U32(_)
        | Num::I64(_)
        | Num::U64(_)
        | Num::Index(_) => Source::Integer(value.as_integer()?),
    };
    Some(match (to, source) {
        (Scalar::Bool, Source::Integer(x)) => Num::Bool(x != 0),
        (Scalar::Bool, Source::Float(_)) => return None,
        (Scalar::F16, Source::Integer(x)) => Num::F16(S::from_integer(x).rounded_to(FloatFormat::F16)),
        (Scalar::F16, Source::Float(x)) => Num::F16(S::from_dual(x).rounded_to(FloatFormat::F16)),
        (Scalar::BF16, Source::Integer(x)) => Num::BF16(S::from_integer(x).rounded_to(FloatFormat::BF16)),
        (Scalar::BF16, Source::Float(x)) => Num::BF16(S::from_dual(x).rounded_to(FloatFormat::BF16)),
        (Scalar::F32, Source::Integer(x)) => Num::F32(S::from_integer(x)),
        (Scalar::F32, Source::Float(x)) => Num::F32(S::from_dual(x)),
        (Scalar::F64, Source::Integer(x)) => Num::F64(D::from_integer(x)),
        (Scalar::F64, Source::Float(x)) => Num::F64(D::from_dual(x)),
        (_, Source::Integer(x)) => Num::integer(to, x),
        (Scalar::I8, Source::Float(x)) => Num::I8(x.value as i8),
        (Scalar::U8, Source::Float(x)) => Num::U8(x.value as u8),
        (Scalar::I16, Source::Float(x)) => Num::I16(x.value as i16),
        (Scalar::U16, Source::Float(x)) => Num::U16(x.value as u16),
        (Scalar::I32, Source::Float(x)) => Num::I32(x.value as i32),
        (Scalar::U32, Source::Float(x)) => Num::U32(x.value as u32),
        (Scalar::I64, Source::Float(x)) => Num::I64(x.value as i64),
        (Scalar::U64, Source::Float(x)) => Num::U64(x.value as u64),
        (Scalar::Index, Source::Float(x)) => Num::Index(x.value as usize),
    })
}

/// A literal as a scalar.
pub(super) fn literal<S: Number, D: Number>(value: Literal) -> Num<S, D> {
    match value {
        Literal::Bool(value) => Num::Bool(value),
        Literal::I8(value) => Num::I8(value),
        Literal::U8(value) => Num::U8(value),
        Literal::I16(value) => Num::I16(value),
        Literal::U16(value) => Num::U16(value),
        Literal::I32(value) => Num::I32(value),
        Literal::U32(value) => Num::U32(value),
        Literal::I64(value) => Num::I64(value),
        Literal::U64(value) => Num::U64(value),
        Literal::Index(value) => Num::Index(value as usize),
        Literal::F16(bits) => Num::F16(S::constant(f32::from_bits(bits).into())),
        Literal::BF16(bits) => Num::BF16(S::constant(f32::from_bits(bits).into())),
        Literal::F32(bits) => Num::F32(S::constant(f32::from_bits(bits).into())),
        Literal::F64(bits) => Num::F64(D::constant(f64::from_bits(bits))),
    }
}
