//! Rust's `as`.

use super::value::{Shaped, Value};
use super::{Dual, Number};
use crate::ir::{Literal, Scalar};

/// What a cast starts from: any scalar, exactly.
enum Source {
    Integer(i128),
    Float(Dual),
}

/// The scalar `value` as a `to`. Integers are cut to the width, floats saturate, NaN becomes 0.
pub(super) fn cast<S: Number, D: Number>(value: &Value<S, D>, to: Scalar) -> Option<Value<S, D>> {
    let source = match value {
        Value::Bool(value) => Source::Integer((*value).into()),
        Value::F32(x) => Source::Float(x.scalar()?.to_dual()),
        Value::F64(x) => Source::Float(x.scalar()?.to_dual()),
        _ => Source::Integer(value.as_integer()?),
    };
    Some(match (to, source) {
        (Scalar::Bool, Source::Integer(x)) => Value::Bool(x != 0),
        (Scalar::Bool, Source::Float(_)) => return None,
        (Scalar::F32, Source::Integer(x)) => Value::F32(Shaped::Scalar(S::from_integer(x))),
        (Scalar::F32, Source::Float(x)) => Value::F32(Shaped::Scalar(S::from_dual(x))),
        (Scalar::F64, Source::Integer(x)) => Value::F64(Shaped::Scalar(D::from_integer(x))),
        (Scalar::F64, Source::Float(x)) => Value::F64(Shaped::Scalar(D::from_dual(x))),
        (_, Source::Integer(x)) => Value::integer(to, x),
        (Scalar::I32, Source::Float(x)) => Value::I32(Shaped::Scalar(x.value as i32)),
        (Scalar::U32, Source::Float(x)) => Value::U32(Shaped::Scalar(x.value as u32)),
        (Scalar::I64, Source::Float(x)) => Value::I64(Shaped::Scalar(x.value as i64)),
        (Scalar::U64, Source::Float(x)) => Value::U64(Shaped::Scalar(x.value as u64)),
        (Scalar::Index, Source::Float(x)) => Value::index(x.value as usize),
    })
}

/// A constant.
pub(super) fn literal<S: Number, D: Number>(value: Literal) -> Value<S, D> {
    match value {
        Literal::Bool(value) => Value::Bool(value),
        Literal::I32(value) => Value::I32(Shaped::Scalar(value)),
        Literal::U32(value) => Value::U32(Shaped::Scalar(value)),
        Literal::I64(value) => Value::I64(Shaped::Scalar(value)),
        Literal::U64(value) => Value::U64(Shaped::Scalar(value)),
        Literal::Index(value) => Value::index(value as usize),
        Literal::F32(bits) => Value::F32(Shaped::Scalar(S::constant(f32::from_bits(bits).into()))),
        Literal::F64(bits) => Value::F64(Shaped::Scalar(D::constant(f64::from_bits(bits)))),
    }
}
