//! Scalar constants.

use super::{Scalar, Type};

/// A scalar constant. Floats are stored as bits, so literals compare and hash exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// `bool`.
    Bool(bool),
    /// `i8`.
    I8(i8),
    /// `u8`.
    U8(u8),
    /// `i16`.
    I16(i16),
    /// `u16`.
    U16(u16),
    /// `i32`.
    I32(i32),
    /// `u32`.
    U32(u32),
    /// `i64`.
    I64(i64),
    /// `u64`.
    U64(u64),
    /// `usize`. The value is at most `u32::MAX`, so that it fits both index widths.
    Index(u32),
    /// An `f16`, as the bits of the `f32` of the same value.
    F16(u32),
    /// A `bf16`, as the bits of the `f32` of the same value.
    BF16(u32),
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
}

impl Literal {
    /// An `f32` constant.
    pub fn f32(value: f32) -> Literal {
        Literal::F32(value.to_bits())
    }

    /// An `f64` constant.
    pub fn f64(value: f64) -> Literal {
        Literal::F64(value.to_bits())
    }

    /// The float `value` as a constant of type `scalar`, rounded to the type; `None` if `scalar` is no float.
    pub fn float(value: f64, scalar: Scalar) -> Option<Literal> {
        let rounded = scalar.format()?.round(value);
        Some(match scalar {
            Scalar::F16 => Literal::F16((rounded as f32).to_bits()),
            Scalar::BF16 => Literal::BF16((rounded as f32).to_bits()),
            Scalar::F32 => Literal::f32(rounded as f32),
            _ => Literal::f64(rounded),
        })
    }

    /// The value; `None` if the constant is not a float.
    pub fn as_float(self) -> Option<f64> {
        match self {
            Literal::F16(bits) | Literal::BF16(bits) | Literal::F32(bits) => Some(f32::from_bits(bits).into()),
            Literal::F64(bits) => Some(f64::from_bits(bits)),
            Literal::Bool(_) | Literal::Index(_) => None,
            Literal::I8(_) | Literal::I16(_) | Literal::I32(_) | Literal::I64(_) => None,
            Literal::U8(_) | Literal::U16(_) | Literal::U32(_) | Literal::U64(_) => None,
        }
    }

    /// The integer `value` as a constant of type `ty`; `None` if it does not fit or `ty` is not an integer type.
    pub fn int(value: i128, ty: Type) -> Option<Literal> {
        Some(match ty.scalar {
            _ if !ty.is_scalar() => return None,
            Scalar::I8 => Literal::I8(value.try_into().ok()?),
            Scalar::U8 => Literal::U8(value.try_into().ok()?),
            Scalar::I16 => Literal::I16(value.try_into().ok()?),
            Scalar::U16 => Literal::U16(value.try_into().ok()?),
            Scalar::I32 => Literal::I32(value.try_into().ok()?),
            Scalar::U32 => Literal::U32(value.try_into().ok()?),
            Scalar::I64 => Literal::I64(value.try_into().ok()?),
            Scalar::U64 => Literal::U64(value.try_into().ok()?),
            Scalar::Index => Literal::Index(value.try_into().ok()?),
            Scalar::Bool | Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => return None,
        })
    }

    /// The value; `None` if the constant is not an integer.
    pub fn as_integer(self) -> Option<i128> {
        match self {
            Literal::I8(value) => Some(value.into()),
            Literal::U8(value) => Some(value.into()),
            Literal::I16(value) => Some(value.into()),
            Literal::U16(value) => Some(value.into()),
            Literal::I32(value) => Some(value.into()),
            Literal::U32(value) | Literal::Index(value) => Some(value.into()),
            Literal::I64(value) => Some(value.into()),
            Literal::U64(value) => Some(value.into()),
            Literal::Bool(_) => None,
            Literal::F16(_) | Literal::BF16(_) | Literal::F32(_) | Literal::F64(_) => None,
        }
    }

    /// The scalar type of the constant.
    pub fn scalar(self) -> Scalar {
        match self {
            Literal::Bool(_) => Scalar::Bool,
            Literal::I8(_) => Scalar::I8,
            Literal::U8(_) => Scalar::U8,
            Literal::I16(_) => Scalar::I16,
            Literal::U16(_) => Scalar::U16,
            Literal::I32(_) => Scalar::I32,
            Literal::U32(_) => Scalar::U32,
            Literal::I64(_) => Scalar::I64,
            Literal::U64(_) => Scalar::U64,
            Literal::Index(_) => Scalar::Index,
            Literal::F16(_) => Scalar::F16,
            Literal::BF16(_) => Scalar::BF16,
            Literal::F32(_) => Scalar::F32,
            Literal::F64(_) => Scalar::F64,
        }
    }

    /// The type of the constant.
    pub fn ty(self) -> Type {
        Type::of(self.scalar())
    }
}
