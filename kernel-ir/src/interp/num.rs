//! Scalars during a run. Most expressions are scalars, so they have a type without the overhead of [`Value`].

use super::number::Number;
use super::value::{Shaped, Value};
use crate::data::Scalars;
use crate::ir::Scalar;

/// A scalar. `S` and `D` are the number types for `f32` and `f64`.
#[derive(Clone, Copy, Debug)]
pub(super) enum Num<S, D> {
    Bool(bool),
    I8(i8),
    U8(u8),
    I16(i16),
    U16(u16),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    Index(usize),
    F16(S),
    BF16(S),
    F32(S),
    F64(D),
}

impl<S: Copy, D: Copy> Num<S, D> {
    /// The scalar number `number` in `data`.
    pub(super) fn read(data: &Scalars<S, D>, number: usize) -> Num<S, D> {
        match data {
            Scalars::Bool(data) => Num::Bool(data[number]),
            Scalars::I8(data) => Num::I8(data[number]),
            Scalars::U8(data) => Num::U8(data[number]),
            Scalars::I16(data) => Num::I16(data[number]),
            Scalars::U16(data) => Num::U16(data[number]),
            Scalars::I32(data) => Num::I32(data[number]),
            Scalars::U32(data) => Num::U32(data[number]),
            Scalars::I64(data) => Num::I64(data[number]),
            Scalars::U64(data) => Num::U64(data[number]),
            Scalars::Index(data) => Num::Index(data[number]),
            Scalars::F16(data) => Num::F16(data[number]),
            Scalars::BF16(data) => Num::BF16(data[number]),
            Scalars::F32(data) => Num::F32(data[number]),
            Scalars::F64(data) => Num::F64(data[number]),
        }
    }

    /// Stores the scalar as number `number` in `data`, which has its type.
    pub(super) fn write(self, data: &mut Scalars<S, D>, number: usize) {
        match (self, data) {
            (Num::Bool(x), Scalars::Bool(data)) => data[number] = x,
            (Num::I8(x), Scalars::I8(data)) => data[number] = x,
            (Num::U8(x), Scalars::U8(data)) => data[number] = x,
            (Num::I16(x), Scalars::I16(data)) => data[number] = x,
            (Num::U16(x), Scalars::U16(data)) => data[number] = x,
            (Num::I32(x), Scalars::I32(data)) => data[number] = x,
            (Num::U32(x), Scalars::U32(data)) => data[number] = x,
            (Num::I64(x), Scalars::I64(data)) => data[number] = x,
            (Num::U64(x), Scalars::U64(data)) => data[number] = x,
            (Num::Index(x), Scalars::Index(data)) => data[number] = x,
            (Num::F16(x), Scalars::F16(data)) => data[number] = x,
            (Num::BF16(x), Scalars::BF16(data)) => data[number] = x,
            (Num::F32(x), Scalars::F32(data)) => data[number] = x,
            (Num::F64(x), Scalars::F64(data)) => data[number] = x,
            _ => {}
        }
    }

    /// The integer `value` as a `scalar`. The value must fit.
    pub(super) fn integer(scalar: Scalar, value: i128) -> Num<S, D> {
        match scalar {
            Scalar::I8 => Num::I8(value as i8),
            Scalar::U8 => Num::U8(value as u8),
            Scalar::I16 => Num::I16(value as i16),
            Scalar::U16 => Num::U16(value as u16),
            Scalar::I32 => Num::I32(value as i32),
            Scalar::U32 => Num::U32(value as u32),
            Scalar::I64 => Num::I64(value as i64),
            Scalar::U64 => Num::U64(value as u64),
            Scalar::Bool | Scalar::Index => Num::Index(value as usize),
            Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => Num::Index(value as usize),
        }
    }

    /// The value, if the scalar is an integer.
    pub(super) fn as_integer(self) -> Option<i128> {
        match self {
            Num::I8(x) => Some(x.into()),
            Num::U8(x) => Some(x.into()),
            Num::I16(x) => Some(x.into()),
            Num::U16(x) => Some(x.into()),
            Num::I32(x) => Some(x.into()),
            Num::U32(x) => Some(x.into()),
            Num::I64(x) => Some(x.into()),
            Num::U64(x) => Some(x.into()),
            Num::Index(x) => Some(x as i128),
            Num::Bool(_) | Num::F16(_) | Num::BF16(_) | Num::F32(_) | Num::F64(_) => None,
        }
    }
}

impl<S: Number, D: Number> Num<S, D> {
    /// The number as Rust prints it, with this number of digits behind the point of a float.
    pub(super) fn to_text(self, digits: Option<usize>) -> String {
        let float = |text: String, value: f64| digits.map_or(text, |digits| format!("{value:.digits$}"));
        match self {
            Num::Bool(x) => x.to_string(),
            Num::F16(x) | Num::BF16(x) | Num::F32(x) => float((x.value() as f32).to_string(), x.value()),
            Num::F64(x) => float(x.value().to_string(), x.value()),
            Num::I8(_)
            | Num::U8(_)
            | Num::I16(_)
            | Num::U16(_)
            | Num::I32(_)
            | Num::U32(_)
            | Num::I64(_)
            | Num::U64(_)
            | Num::Index(_) => self.as_integer().map_or_else(String::new, |x| x.to_string()),
        }
    }
}

impl<S, D> From<Num<S, D>> for Value<S, D> {
    fn from(num: Num<S, D>) -> Value<S, D> {
        match num {
            Num::Bool(x) => Value::Bool(x),
            Num::I8(x) => Value::I8(Shaped::Scalar(x)),
            Num::U8(x) => Value::U8(Shaped::Scalar(x)),
            Num::I16(x) => Value::I16(Shaped::Scalar(x)),
            Num::U16(x) => Value::U16(Shaped::Scalar(x)),
            Num::I32(x) => Value::I32(Shaped::Scalar(x)),
            Num::U32(x) => Value::U32(Shaped::Scalar(x)),
            Num::I64(x) => Value::I64(Shaped::Scalar(x)),
            Num::U64(x) => Value::U64(Shaped::Scalar(x)),
            Num::Index(x) => Value::Index(Shaped::Scalar(x)),
            Num::F16(x) => Value::F16(Shaped::Scalar(x)),
            Num::BF16(x) => Value::BF16(Shaped::Scalar(x)),
            Num::F32(x) => Value::F32(Shaped::Scalar(x)),
            Num::F64(x) => Value::F64(Shaped::Scalar(x)),
        }
    }
}

impl<S: Copy, D: Copy> Value<S, D> {
    /// The value, if it is a scalar.
    pub(super) fn num(&self) -> Option<Num<S, D>> {
        Some(match self {
            Value::Bool(x) => Num::Bool(*x),
            Value::I8(Shaped::Scalar(x)) => Num::I8(*x),
            Value::U8(Shaped::Scalar(x)) => Num::U8(*x),
            Value::I16(Shaped::Scalar(x)) => Num::I16(*x),
            Value::U16(Shaped::Scalar(x)) => Num::U16(*x),
            Value::I32(Shaped::Scalar(x)) => Num::I32(*x),
            Value::U32(Shaped::Scalar(x)) => Num::U32(*x),
            Value::I64(Shaped::Scalar(x)) => Num::I64(*x),
            Value::U64(Shaped::Scalar(x)) => Num::U64(*x),
            Value::Index(Shaped::Scalar(x)) => Num::Index(*x),
            Value::F16(Shaped::Scalar(x)) => Num::F16(*x),
            Value::BF16(Shaped::Scalar(x)) => Num::BF16(*x),
            Value::F32(Shaped::Scalar(x)) => Num::F32(*x),
            Value::F64(Shaped::Scalar(x)) => Num::F64(*x),
            Value::I8(_)
            | Value::U8(_)
            | Value::I16(_)
            | Value::U16(_)
            | Value::I32(_)
            | Value::U32(_)
            | Value::I64(_)
            | Value::U64(_)
            | Value::Index(_)
            | Value::F16(_)
            | Value::BF16(_)
            | Value::F32(_)
            | Value::F64(_) => return None,
        })
    }
}
