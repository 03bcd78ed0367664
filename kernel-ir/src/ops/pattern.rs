//! Types in overloads: the class of `T`, and the patterns of operands and result in terms of `T`.

use crate::ir::{Scalar, ScalarSet, Shape, ShapePattern, Type, TypeFamily, TypeSet};

/// A set of types, for `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `bool`.
    Bool,
    /// The signed integers.
    Signed,
    /// The unsigned integers, `usize` included.
    Unsigned,
    /// The integers of a fixed width.
    Int,
    /// The unsigned integers of a fixed width.
    Uint,
    /// `u32`, the state of a random generator.
    State,
    /// `usize`.
    Index,
    /// Every integer, `usize` included.
    AnyInt,
    /// `f32`, `f64`.
    Float,
    /// Every float, those of 16 bits included.
    AnyFloat,
    /// Every number.
    Num,
    /// Vectors of floats.
    FloatVec,
    /// Vectors of two floats.
    FloatVec2,
    /// Vectors of three floats.
    FloatVec3,
    /// Vectors of integers.
    IntVec,
    /// Vectors of signed integers.
    SignedVec,
    /// Every vector.
    Vec,
    /// Vectors of this many components.
    VecOf(u8),
    /// Vectors of two components.
    Vec2,
    /// Vectors of three components.
    Vec3,
    /// Vectors of four components.
    Vec4,
    /// Every matrix.
    Mat,
    /// Matrices of this many columns.
    Columns(u8),
    /// Matrices of this many rows and columns.
    Square(u8),
    /// 2×2 matrices.
    Mat2,
    /// 3×3 matrices.
    Mat3,
    /// 4×4 matrices.
    Mat4,
    /// Every quaternion.
    Quat,
}

impl Class {
    /// The types of the class, including types that the language does not have.
    pub fn family(self) -> TypeFamily {
        use ShapePattern as Of;
        let signed = ScalarSet::SIGNED_INTEGERS;
        let (scalars, shape) = match self {
            Class::Bool => (ScalarSet::BOOL, Of::Scalar),
            Class::Signed => (signed, Of::Scalar),
            Class::Unsigned => (ScalarSet::UNSIGNED_INTEGERS | ScalarSet::INDEX, Of::Scalar),
            Class::Int => (ScalarSet::FIXED_INTEGERS, Of::Scalar),
            Class::Uint => (ScalarSet::UNSIGNED_INTEGERS, Of::Scalar),
            Class::State => (ScalarSet::of(&[Scalar::U32]), Of::Scalar),
            Class::Index => (ScalarSet::INDEX, Of::Scalar),
            Class::AnyInt => (ScalarSet::INTEGERS, Of::Scalar),
            Class::Float => (ScalarSet::FLOATS, Of::Scalar),
            Class::AnyFloat => (ScalarSet::ANY_FLOATS, Of::Scalar),
            Class::Num => (ScalarSet::NUMBERS, Of::Scalar),
            Class::FloatVec => (ScalarSet::FLOATS, Of::Vector(None)),
            Class::FloatVec2 => (ScalarSet::FLOATS, Of::Vector(Some(2))),
            Class::FloatVec3 => (ScalarSet::FLOATS, Of::Vector(Some(3))),
            Class::IntVec => (ScalarSet::INTEGERS, Of::Vector(None)),
            Class::SignedVec => (signed | ScalarSet::FLOATS, Of::Vector(None)),
            Class::Vec => (ScalarSet::NUMBERS, Of::Vector(None)),
            Class::VecOf(n) => (ScalarSet::NUMBERS, Of::Vector(Some(n))),
            Class::Vec2 => (ScalarSet::NUMBERS, Of::Vector(Some(2))),
            Class::Vec3 => (ScalarSet::NUMBERS, Of::Vector(Some(3))),
            Class::Vec4 => (ScalarSet::NUMBERS, Of::Vector(Some(4))),
            Class::Mat => (ScalarSet::FLOATS, Of::Matrix(None, None)),
            Class::Columns(n) => (ScalarSet::FLOATS, Of::Matrix(None, Some(n))),
            Class::Square(n) => (ScalarSet::FLOATS, Of::Matrix(Some(n), Some(n))),
            Class::Mat2 => (ScalarSet::FLOATS, Of::Matrix(Some(2), Some(2))),
            Class::Mat3 => (ScalarSet::FLOATS, Of::Matrix(Some(3), Some(3))),
            Class::Mat4 => (ScalarSet::FLOATS, Of::Matrix(Some(4), Some(4))),
            Class::Quat => (ScalarSet::FLOATS, Of::Quat),
        };
        TypeFamily { scalars, shape }
    }

    /// Whether `ty` belongs to the class.
    pub fn contains(self, ty: Type) -> bool {
        self.family().contains(ty)
    }
}

/// An operand or result type, in terms of the row's type `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pat {
    /// The type `T`.
    T,
    /// The scalar of `T`.
    S,
    /// The vector type of a column of the matrix `T`.
    Col,
    /// The vector type of a row of the matrix `T`.
    Row,
    /// The matrix type with the rows and columns of `T` exchanged.
    Transposed,
    /// A right factor of the matrix `T`: a matrix of this many columns, with as many rows as `T` has columns.
    Right(u8),
    /// The product of the matrix `T` with a right factor: the matrix of as many rows as `T`, and this many columns.
    With(u8),
    /// The vector with three scalars of `T`.
    V3,
    /// The vector with one component more than `T`.
    Longer,
    /// The vector with one component fewer than `T`.
    Shorter,
    /// A fixed type.
    Is(Type),
}

impl Pat {
    /// The type that the pattern denotes for `T` = `t`.
    pub fn apply(self, t: Type) -> Type {
        match (self, t.shape) {
            (Pat::S, _) => Type::of(t.scalar),
            (Pat::Col, Shape::Matrix(..)) => t.part(),
            (Pat::Row, Shape::Matrix(_, columns)) => Type::vector(t.scalar, columns),
            (Pat::Transposed, Shape::Matrix(rows, columns)) => Type::matrix(t.scalar, columns, rows),
            (Pat::Right(n), Shape::Matrix(_, columns)) => Type::matrix(t.scalar, columns, n),
            (Pat::With(n), Shape::Matrix(rows, _)) => Type::matrix(t.scalar, rows, n),
            (Pat::V3, _) => Type::vector(t.scalar, 3),
            (Pat::Longer, Shape::Vector(n)) => Type::vector(t.scalar, n + 1),
            (Pat::Shorter, Shape::Vector(n)) => Type::vector(t.scalar, n - 1),
            (Pat::Is(ty), _) => ty,
            (Pat::T | Pat::Col | Pat::Row | Pat::Transposed | Pat::Right(_) | Pat::With(_), _) => t,
            (Pat::Longer | Pat::Shorter, _) => t,
        }
    }

    /// The types that the pattern denotes if `T` is in `family`.
    fn image(self, family: TypeFamily) -> TypeFamily {
        let shape = match (self, family.shape) {
            (Pat::T, shape) => shape,
            (Pat::S, _) => ShapePattern::Scalar,
            (Pat::Col, ShapePattern::Matrix(rows, _)) => ShapePattern::Vector(rows),
            (Pat::Row, ShapePattern::Matrix(_, columns)) => ShapePattern::Vector(columns),
            (Pat::Transposed, ShapePattern::Matrix(rows, columns)) => ShapePattern::Matrix(columns, rows),
            (Pat::Right(n), ShapePattern::Matrix(_, columns)) => ShapePattern::Matrix(columns, Some(n)),
            (Pat::With(n), ShapePattern::Matrix(rows, _)) => ShapePattern::Matrix(rows, Some(n)),
            (Pat::V3, _) => ShapePattern::Vector(Some(3)),
            (Pat::Longer, ShapePattern::Vector(n)) => ShapePattern::Vector(n.map(|n| n + 1)),
            (Pat::Shorter, ShapePattern::Vector(n)) => ShapePattern::Vector(n.map(|n| n - 1)),
            (Pat::Is(ty), _) => return TypeFamily::only(ty),
            (Pat::Col | Pat::Row | Pat::Transposed | Pat::Right(_) | Pat::With(_), shape) => shape,
            (Pat::Longer | Pat::Shorter, shape) => shape,
        };
        TypeFamily { shape, ..family }
    }

    /// The subset of `t` for which the pattern may denote a type in `family`.
    fn preimage(self, family: TypeFamily, t: TypeFamily) -> Option<TypeFamily> {
        let TypeFamily { scalars, shape } = family;
        let shape = match (self, shape) {
            (Pat::T, shape) => shape,
            (Pat::S, ShapePattern::Scalar) | (Pat::V3, ShapePattern::Vector(None | Some(3))) => t.shape,
            (Pat::Col, ShapePattern::Vector(n)) => ShapePattern::Matrix(n, None),
            (Pat::Row, ShapePattern::Vector(n)) => ShapePattern::Matrix(None, n),
            (Pat::Transposed, ShapePattern::Matrix(rows, columns)) => ShapePattern::Matrix(columns, rows),
            (Pat::Right(n), ShapePattern::Matrix(rows, columns)) if columns.is_none_or(|columns| columns == n) => {
                ShapePattern::Matrix(None, rows)
            }
            (Pat::With(n), ShapePattern::Matrix(rows, columns)) if columns.is_none_or(|columns| columns == n) => {
                ShapePattern::Matrix(rows, None)
            }
            (Pat::Longer, ShapePattern::Vector(n)) => ShapePattern::Vector(n.map(|n| n - 1)),
            (Pat::Shorter, ShapePattern::Vector(n)) => ShapePattern::Vector(n.map(|n| n + 1)),
            (Pat::Is(ty), _) => return family.contains(ty).then_some(t),
            (Pat::S | Pat::V3 | Pat::Col | Pat::Row | Pat::Transposed, _) => return None,
            (Pat::Right(_) | Pat::With(_) | Pat::Longer | Pat::Shorter, _) => return None,
        };
        t.and(TypeFamily { scalars, shape })
    }
}

/// The subset of `t` for which each of `pats` may denote a type in the set next to it.
pub(crate) fn narrow<'a>(t: &TypeSet, pats: impl Iterator<Item = (Pat, &'a TypeSet)> + Clone) -> TypeSet {
    // A fast path: in most calls an operand has the type `T` and is known.
    let told = pats.clone().find_map(|(pat, set)| if pat == Pat::T { set.single() } else { None });
    if let Some(told) = told {
        let fits = t.contains(told) && { pats }.all(|(pat, set)| set.contains(pat.apply(told)));
        return if fits { TypeSet::only(told) } else { TypeSet::default() };
    }
    pats.fold(t.clone(), |t, (pat, set)| {
        t.families().flat_map(|t| set.families().filter_map(move |family| pat.preimage(family, t))).collect()
    })
}

/// The types that `pat` denotes if `T` is in `t`.
pub(crate) fn image(pat: Pat, t: &TypeSet) -> impl Iterator<Item = TypeFamily> {
    t.families().map(move |family| pat.image(family))
}
