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
            Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
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
            Literal::Bool(_) | Literal::F32(_) | Literal::F64(_) => None,
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
            Literal::F32(_) => Scalar::F32,
            Literal::F64(_) => Scalar::F64,
        }
    }

    /// The type of the constant.
    pub fn ty(self) -> Type {
        Type::of(self.scalar())
    }
}
