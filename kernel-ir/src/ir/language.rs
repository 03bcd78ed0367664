//! The types of the language, except for structs. Only parsing of names, messages, documentation and the generation of
//! kernels read them, so a new size needs no other change.

use super::scalar::Scalar;
use super::shape_pattern::ShapePattern;
use super::ty::Type;
use std::ops::RangeInclusive;

/// A row of [`LANGUAGE`]: types with one of these scalars, one of these shapes, and sizes in this range.
pub(super) struct Admitted {
    pub(super) scalars: &'static [Scalar],
    pub(super) shapes: ShapePattern,
    pub(super) sizes: RangeInclusive<u8>,
}

/// The scalars of vectors.
const VECTORS: [Scalar; 6] = [Scalar::F32, Scalar::F64, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64];

/// The scalars of matrices and quaternions.
const FLOATS: [Scalar; 2] = [Scalar::F32, Scalar::F64];

/// The types of the language.
pub(super) static LANGUAGE: [Admitted; 4] = [
    Admitted { scalars: &Scalar::ALL, shapes: ShapePattern::Scalar, sizes: 1..=1 },
    Admitted { scalars: &VECTORS, shapes: ShapePattern::Vector(None), sizes: 1..=Type::MOST_PARTS },
    Admitted { scalars: &FLOATS, shapes: ShapePattern::Matrix(None, None), sizes: 1..=Type::MOST_PARTS },
    Admitted { scalars: &FLOATS, shapes: ShapePattern::Quat, sizes: 4..=4 },
];

impl Type {
    /// The scalars, quaternions, and the usual vectors and matrices: for messages, documentation, tests and the generation
    /// of kernels.
    pub fn all() -> impl Iterator<Item = Type> {
        let scalars = Scalar::ALL.into_iter().map(Type::of);
        let sized = |scalar: Scalar, of: fn(Scalar, u8) -> Type| (2..=4).map(move |n| of(scalar, n));
        let vectors = VECTORS[..4].iter().flat_map(move |scalar| sized(*scalar, Type::vector));
        let matrices = FLOATS.iter().flat_map(move |scalar| sized(*scalar, |scalar, n| Type::matrix(scalar, n, n)));
        scalars.chain(vectors).chain(matrices).chain(FLOATS.into_iter().map(Type::quat))
    }

    /// Whether the type is among [`Type::all`].
    pub fn is_usual(self) -> bool {
        Type::all().any(|usual| usual == self)
    }

    /// Whether the type belongs to the language.
    pub fn is_admitted(self) -> bool {
        LANGUAGE.iter().any(|admitted| admitted.contains(self))
    }
}
