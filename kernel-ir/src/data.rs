//! Arguments of a launch, as data: what the interpreter, the runtime and the dataset exchange.

use crate::ir::{Scalar, Type};

/// One argument: a value or a row-major array.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// The type of the value, or of an element.
    pub ty: Type,
    /// The extents of the array, outermost first; empty for a value.
    pub shape: Vec<usize>,
    /// The scalars, element after element. The components of an element lie as glam stores them: matrices column by
    /// column.
    pub data: Data,
}

/// Scalars of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `bool`.
    Bool(Vec<bool>),
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
    /// `f32`.
    F32(Vec<f32>),
    /// `f64`.
    F64(Vec<f64>),
}

impl Arg {
    /// An argument of zeros.
    pub fn zeros(ty: Type, shape: &[usize]) -> Arg {
        let len = shape.iter().product::<usize>() * ty.components();
        Arg { ty, shape: shape.to_vec(), data: Data::zeros(ty.scalar(), len) }
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

impl Data {
    /// `len` zeros.
    pub fn zeros(scalar: Scalar, len: usize) -> Data {
        match scalar {
            Scalar::Bool => Data::Bool(vec![false; len]),
            Scalar::I32 => Data::I32(vec![0; len]),
            Scalar::U32 => Data::U32(vec![0; len]),
            Scalar::I64 => Data::I64(vec![0; len]),
            Scalar::U64 => Data::U64(vec![0; len]),
            Scalar::Index => Data::Index(vec![0; len]),
            Scalar::F32 => Data::F32(vec![0.0; len]),
            Scalar::F64 => Data::F64(vec![0.0; len]),
        }
    }

    /// The type of the scalars.
    pub fn scalar(&self) -> Scalar {
        match self {
            Data::Bool(_) => Scalar::Bool,
            Data::I32(_) => Scalar::I32,
            Data::U32(_) => Scalar::U32,
            Data::I64(_) => Scalar::I64,
            Data::U64(_) => Scalar::U64,
            Data::Index(_) => Scalar::Index,
            Data::F32(_) => Scalar::F32,
            Data::F64(_) => Scalar::F64,
        }
    }
}
