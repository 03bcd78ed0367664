//! Launch arguments as data. The interpreter, the runtime and the dataset exchange them.

use crate::ir::{FloatFormat, Scalar, Type};

/// An argument with the declared types.
pub type Arg = Argument<f32, f64>;

/// Scalars of one declared type.
pub type Data = Scalars<f32, f64>;

/// An argument: a value or a row-major array. `S` and `D` represent the kernel's `f32` and `f64`, because the
/// [interpreter](crate::interp) also computes with dual numbers and other models.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument<S, D> {
    /// The type of the value, or of an element.
    pub ty: Type,
    /// The extents of the array, outermost first; empty for a value.
    pub shape: Vec<usize>,
    /// The scalars, element after element. The components of an element are in order, and a matrix is
    /// stored by columns.
    pub data: Scalars<S, D>,
}

/// Scalars of one type. `S` and `D` represent `f32` and `f64`.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalars<S, D> {
    /// `bool`.
    Bool(Vec<bool>),
    /// `i8`.
    I8(Vec<i8>),
    /// `u8`.
    U8(Vec<u8>),
    /// `i16`.
    I16(Vec<i16>),
    /// `u16`.
    U16(Vec<u16>),
    /// `i32`.
    I32(Vec<i32>),
    /// `u32`.
    U32(Vec<u32>),
    /// `i64`.
    I64(Vec<i64>),
    /// `u64`.
    U64(Vec<u64>),
    /// `usize`.
    Index(Vec<usize>),
    /// `f16`, each as the number of the same value that stands for an `f32`.
    F16(Vec<S>),
    /// `bf16`, each as the number of the same value that stands for an `f32`.
    BF16(Vec<S>),
    /// `f32`.
    F32(Vec<S>),
    /// `f64`.
    F64(Vec<D>),
}

impl<S, D> Argument<S, D> {
    /// A zero argument. Panics if the number of elements overflows in a debug build.
    pub fn zeros(ty: Type, shape: &[usize]) -> Argument<S, D>
    where
        S: Clone + Default,
        D: Clone + Default,
    {
        let len = shape.iter().product::<usize>() * ty.components();
        Argument { ty, shape: shape.to_vec(), data: Scalars::zeros(ty.scalar(), len) }
    }

    /// The argument with its floats converted by `single` (for `f32`) and `double` (for `f64`).
    pub fn map_floats<S2, D2>(&self, single: impl Fn(&S) -> S2, double: impl Fn(&D) -> D2) -> Argument<S2, D2> {
        Argument { ty: self.ty, shape: self.shape.clone(), data: self.data.map_floats(single, double) }
    }

    /// The number of elements; 1 for a value.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<S, D> Scalars<S, D> {
    /// `len` zeros.
    pub fn zeros(scalar: Scalar, len: usize) -> Scalars<S, D>
    where
        S: Clone + Default,
        D: Clone + Default,
    {
        match scalar {
            Scalar::Bool => Scalars::Bool(vec![false; len]),
            Scalar::I8 => Scalars::I8(vec![0; len]),
            Scalar::U8 => Scalars::U8(vec![0; len]),
            Scalar::I16 => Scalars::I16(vec![0; len]),
            Scalar::U16 => Scalars::U16(vec![0; len]),
            Scalar::I32 => Scalars::I32(vec![0; len]),
            Scalar::U32 => Scalars::U32(vec![0; len]),
            Scalar::I64 => Scalars::I64(vec![0; len]),
            Scalar::U64 => Scalars::U64(vec![0; len]),
            Scalar::Index => Scalars::Index(vec![0; len]),
            Scalar::F16 => Scalars::F16(vec![S::default(); len]),
            Scalar::BF16 => Scalars::BF16(vec![S::default(); len]),
            Scalar::F32 => Scalars::F32(vec![S::default(); len]),
            Scalar::F64 => Scalars::F64(vec![D::default(); len]),
        }
    }

    /// The type of the scalars.
    pub fn scalar(&self) -> Scalar {
        match self {
            Scalars::Bool(_) => Scalar::Bool,
            Scalars::I8(_) => Scalar::I8,
            Scalars::U8(_) => Scalar::U8,
            Scalars::I16(_) => Scalar::I16,
            Scalars::U16(_) => Scalar::U16,
            Scalars::I32(_) => Scalar::I32,
            Scalars::U32(_) => Scalar::U32,
            Scalars::I64(_) => Scalar::I64,
            Scalars::U64(_) => Scalar::U64,
            Scalars::Index(_) => Scalar::Index,
            Scalars::F16(_) => Scalar::F16,
            Scalars::BF16(_) => Scalar::BF16,
            Scalars::F32(_) => Scalar::F32,
            Scalars::F64(_) => Scalar::F64,
        }
    }

    /// The number of scalars.
    pub fn len(&self) -> usize {
        match self {
            Scalars::Bool(data) => data.len(),
            Scalars::I8(data) => data.len(),
            Scalars::U8(data) => data.len(),
            Scalars::I16(data) => data.len(),
            Scalars::U16(data) => data.len(),
            Scalars::I32(data) => data.len(),
            Scalars::U32(data) => data.len(),
            Scalars::I64(data) => data.len(),
            Scalars::U64(data) => data.len(),
            Scalars::Index(data) => data.len(),
            Scalars::F16(data) | Scalars::BF16(data) | Scalars::F32(data) => data.len(),
            Scalars::F64(data) => data.len(),
        }
    }

    /// Whether there are no scalars.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The scalars, if they are integers whose type fits `i64`.
    pub fn integers(&self) -> Option<Vec<i64>> {
        fn each<T: Copy + Into<i64>>(values: &[T]) -> Vec<i64> {
            values.iter().map(|value| (*value).into()).collect()
        }
        Some(match self {
            Scalars::I8(values) => each(values),
            Scalars::U8(values) => each(values),
            Scalars::I16(values) => each(values),
            Scalars::U16(values) => each(values),
            Scalars::I32(values) => each(values),
            Scalars::U32(values) => each(values),
            Scalars::I64(values) => values.clone(),
            Scalars::U64(_) | Scalars::Index(_) | Scalars::Bool(_) => return None,
            Scalars::F16(_) | Scalars::BF16(_) | Scalars::F32(_) | Scalars::F64(_) => return None,
        })
    }

    /// The numbers that `S` represents: `f16`, `bf16` and `f32`. `None` for other scalars.
    pub fn singles(&self) -> Option<&Vec<S>> {
        if let Scalars::F16(data) | Scalars::BF16(data) | Scalars::F32(data) = self { Some(data) } else { None }
    }

    /// The numbers that `D` represents: `f64`. `None` for other scalars.
    pub fn doubles(&self) -> Option<&Vec<D>> {
        if let Scalars::F64(data) = self { Some(data) } else { None }
    }

    /// Scalars of one of the types that `S` represents. They are not rounded to it: see [`Data::rounded`].
    pub fn of_singles(scalar: Scalar, data: Vec<S>) -> Scalars<S, D> {
        match scalar {
            Scalar::F16 => Scalars::F16(data),
            Scalar::BF16 => Scalars::BF16(data),
            _ => Scalars::F32(data),
        }
    }

    /// The scalars with floats converted by `single` (for `f32`) and `double` (for `f64`).
    pub fn map_floats<S2, D2>(&self, single: impl Fn(&S) -> S2, double: impl Fn(&D) -> D2) -> Scalars<S2, D2> {
        match self {
            Scalars::Bool(data) => Scalars::Bool(data.clone()),
            Scalars::I8(data) => Scalars::I8(data.clone()),
            Scalars::U8(data) => Scalars::U8(data.clone()),
            Scalars::I16(data) => Scalars::I16(data.clone()),
            Scalars::U16(data) => Scalars::U16(data.clone()),
            Scalars::I32(data) => Scalars::I32(data.clone()),
            Scalars::U32(data) => Scalars::U32(data.clone()),
            Scalars::I64(data) => Scalars::I64(data.clone()),
            Scalars::U64(data) => Scalars::U64(data.clone()),
            Scalars::Index(data) => Scalars::Index(data.clone()),
            Scalars::F16(data) => Scalars::F16(data.iter().map(single).collect()),
            Scalars::BF16(data) => Scalars::BF16(data.iter().map(single).collect()),
            Scalars::F32(data) => Scalars::F32(data.iter().map(single).collect()),
            Scalars::F64(data) => Scalars::F64(data.iter().map(double).collect()),
        }
    }
}

impl Scalars<f32, f64> {
    /// Floats of the type `scalar`, which is `f16`, `bf16` or `f32`, each rounded to it.
    pub fn rounded(scalar: Scalar, mut data: Vec<f32>) -> Data {
        if let Some(format) = scalar.format().filter(|_| scalar.is_half()) {
            data.iter_mut().for_each(|value| *value = format.round((*value).into()) as f32);
        }
        Data::of_singles(scalar, data)
    }

    /// The scalars as bytes in memory; `None` for `usize`, whose size differs between the targets.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        fn each<const N: usize, T: Copy>(values: &[T], to: fn(T) -> [u8; N]) -> Vec<u8> {
            values.iter().flat_map(|value| to(*value)).collect()
        }
        Some(match self {
            Scalars::Bool(v) => each(v, |value| [u8::from(value)]),
            Scalars::I8(v) => each(v, i8::to_le_bytes),
            Scalars::U8(v) => each(v, u8::to_le_bytes),
            Scalars::I16(v) => each(v, i16::to_le_bytes),
            Scalars::U16(v) => each(v, u16::to_le_bytes),
            Scalars::I32(v) => each(v, i32::to_le_bytes),
            Scalars::U32(v) => each(v, u32::to_le_bytes),
            Scalars::I64(v) => each(v, i64::to_le_bytes),
            Scalars::U64(v) => each(v, u64::to_le_bytes),
            Scalars::F16(v) => each(v, |value| FloatFormat::F16.to_bits(value).to_le_bytes()),
            Scalars::BF16(v) => each(v, |value| FloatFormat::BF16.to_bits(value).to_le_bytes()),
            Scalars::F32(v) => each(v, f32::to_le_bytes),
            Scalars::F64(v) => each(v, f64::to_le_bytes),
            Scalars::Index(_) => return None,
        })
    }

    /// The scalars in `bytes`; `None` for `usize`, and if a byte of a `bool` is neither 0 nor 1. Bytes beyond the last
    /// whole scalar are left out.
    pub fn from_bytes(scalar: Scalar, bytes: &[u8]) -> Option<Data> {
        fn each<const N: usize, T>(bytes: &[u8], from: fn([u8; N]) -> T) -> Vec<T> {
            bytes.as_chunks::<N>().0.iter().map(|bytes| from(*bytes)).collect()
        }
        Some(match scalar {
            Scalar::Bool if bytes.iter().any(|byte| *byte > 1) => return None,
            Scalar::Bool => Scalars::Bool(each(bytes, |[byte]| byte == 1)),
            Scalar::I8 => Scalars::I8(each(bytes, i8::from_le_bytes)),
            Scalar::U8 => Scalars::U8(each(bytes, u8::from_le_bytes)),
            Scalar::I16 => Scalars::I16(each(bytes, i16::from_le_bytes)),
            Scalar::U16 => Scalars::U16(each(bytes, u16::from_le_bytes)),
            Scalar::I32 => Scalars::I32(each(bytes, i32::from_le_bytes)),
            Scalar::U32 => Scalars::U32(each(bytes, u32::from_le_bytes)),
            Scalar::I64 => Scalars::I64(each(bytes, i64::from_le_bytes)),
            Scalar::U64 => Scalars::U64(each(bytes, u64::from_le_bytes)),
            Scalar::F16 => Scalars::F16(each(bytes, |bytes| FloatFormat::F16.from_bits(u16::from_le_bytes(bytes)))),
            Scalar::BF16 => Scalars::BF16(each(bytes, |bytes| FloatFormat::BF16.from_bits(u16::from_le_bytes(bytes)))),
            Scalar::F32 => Scalars::F32(each(bytes, f32::from_le_bytes)),
            Scalar::F64 => Scalars::F64(each(bytes, f64::from_le_bytes)),
            Scalar::Index => return None,
        })
    }
}

/// A float whose gradient can be divided among winners.
pub trait Share: Copy + Default + PartialEq {
    /// `self / winners`. `winners` is at least 1.
    fn share(self, winners: u32) -> Self;
}

impl Share for f32 {
    fn share(self, winners: u32) -> f32 {
        self / winners as f32
    }
}

impl Share for f64 {
    fn share(self, winners: u32) -> f64 {
        self / f64::from(winners)
    }
}
