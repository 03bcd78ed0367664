//! What an overload says about types: the class of its type `T`, and operands and result in terms of it.

use crate::ir::{ScalarSet, Shape, ShapePattern, Type, TypeFamily, TypeSet};

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// `bool`.
    Bool,
    /// `i32`, `i64`.
    Signed,
    /// `u32`, `u64`, `usize`.
    Unsigned,
    /// The integers of a fixed width.
    Int,
    /// `u32`, `u64`.
    Uint,
    /// `usize`.
    Index,
    /// Every integer, `usize` too.
    AnyInt,
    /// `f32`, `f64`.
    Float,
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
    /// Vectors of two components.
    Vec2,
    /// Vectors of three components.
    Vec3,
    /// Vectors of four components.
    Vec4,
    /// Every matrix.
    Mat,
    /// Matrices of two rows.
    Mat2,
    /// Matrices of three rows.
    Mat3,
    /// Matrices of four rows.
    Mat4,
    /// Every quaternion.
    Quat,
}

impl Class {
    /// The types of the class, whether or not the language has them.
    pub fn family(self) -> TypeFamily {
        use ShapePattern as Of;
        let signed = ScalarSet::SIGNED_INTEGERS;
        let (scalars, shape) = match self {
            Class::Bool => (ScalarSet::BOOL, Of::Scalar),
            Class::Signed => (signed, Of::Scalar),
            Class::Unsigned => (ScalarSet::UNSIGNED_INTEGERS | ScalarSet::INDEX, Of::Scalar),
            Class::Int => (ScalarSet::FIXED_INTEGERS, Of::Scalar),
            Class::Uint => (ScalarSet::UNSIGNED_INTEGERS, Of::Scalar),
            Class::Index => (ScalarSet::INDEX, Of::Scalar),
            Class::AnyInt => (ScalarSet::INTEGERS, Of::Scalar),
            Class::Float => (ScalarSet::FLOATS, Of::Scalar),
            Class::Num => (ScalarSet::NUMBERS, Of::Scalar),
            Class::FloatVec => (ScalarSet::FLOATS, Of::Vector(None)),
            Class::FloatVec2 => (ScalarSet::FLOATS, Of::Vector(Some(2))),
            Class::FloatVec3 => (ScalarSet::FLOATS, Of::Vector(Some(3))),
            Class::IntVec => (ScalarSet::INTEGERS, Of::Vector(None)),
            Class::SignedVec => (signed | ScalarSet::FLOATS, Of::Vector(None)),
            Class::Vec => (ScalarSet::NUMBERS, Of::Vector(None)),
            Class::Vec2 => (ScalarSet::NUMBERS, Of::Vector(Some(2))),
            Class::Vec3 => (ScalarSet::NUMBERS, Of::Vector(Some(3))),
            Class::Vec4 => (ScalarSet::NUMBERS, Of::Vector(Some(4))),
            Class::Mat => (ScalarSet::FLOATS, Of::Matrix(None, None)),
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
    /// `T` itself.
    T,
    /// The scalar that `T` is made of.
    S,
    /// The vector that is as long as a column of the matrix `T`.
    Col,
    /// The vector of three scalars of `T`.
    V3,
    /// The vector with one component more than `T`.
    Longer,
    /// The vector with one component less than `T`.
    Shorter,
    /// This type, whatever `T` is.
    Is(Type),
}

impl Pat {
    /// The type that the pattern stands for.
    pub fn apply(self, t: Type) -> Type {
        match (self, t.shape) {
            (Pat::S, _) => Type::of(t.scalar),
            (Pat::Col, Shape::Matrix(..)) => t.part(),
            (Pat::V3, _) => Type::vector(t.scalar, 3),
            (Pat::Longer, Shape::Vector(n)) => Type::vector(t.scalar, n + 1),
            (Pat::Shorter, Shape::Vector(n)) => Type::vector(t.scalar, n - 1),
            (Pat::Is(ty), _) => ty,
            (Pat::T | Pat::Col | Pat::Longer | Pat::Shorter, _) => t,
        }
    }

    /// The types that the pattern stands for where `T` is one of `family`.
    fn image(self, family: TypeFamily) -> TypeFamily {
        let shape = match (self, family.shape) {
            (Pat::T, shape) => shape,
            (Pat::S, _) => ShapePattern::Scalar,
            (Pat::Col, ShapePattern::Matrix(rows, _)) => ShapePattern::Vector(rows),
            (Pat::V3, _) => ShapePattern::Vector(Some(3)),
            (Pat::Longer, ShapePattern::Vector(n)) => ShapePattern::Vector(n.map(|n| n + 1)),
            (Pat::Shorter, ShapePattern::Vector(n)) => ShapePattern::Vector(n.map(|n| n - 1)),
            (Pat::Is(ty), _) => return TypeFamily::only(ty),
            (Pat::Col | Pat::Longer | Pat::Shorter, shape) => shape,
        };
        TypeFamily { shape, ..family }
    }

    /// What `T` is where the pattern stands for one of `family`, as far as that tells it.
    fn preimage(self, family: TypeFamily, t: TypeFamily) -> Option<TypeFamily> {
        let TypeFamily { scalars, shape } = family;
        let shape = match (self, shape) {
            (Pat::T, shape) => shape,
            (Pat::S, ShapePattern::Scalar) | (Pat::V3, ShapePattern::Vector(None | Some(3))) => t.shape,
            (Pat::Col, ShapePattern::Vector(n)) => ShapePattern::Matrix(n, None),
            (Pat::Longer, ShapePattern::Vector(n)) => ShapePattern::Vector(n.map(|n| n - 1)),
            (Pat::Shorter, ShapePattern::Vector(n)) => ShapePattern::Vector(n.map(|n| n + 1)),
            (Pat::Is(ty), _) => return family.contains(ty).then_some(t),
            (Pat::S | Pat::V3 | Pat::Col | Pat::Longer | Pat::Shorter, _) => return None,
        };
        t.and(TypeFamily { scalars, shape })
    }
}

/// The types that `T` may be, of those in `t`, where each of `pats` stands for a type of the set beside it.
pub(crate) fn narrow<'a>(t: &TypeSet, pats: impl Iterator<Item = (Pat, &'a TypeSet)> + Clone) -> TypeSet {
    // Mostly one of them tells.
    let told = pats.clone().find_map(|(pat, set)| if pat == Pat::T { set.single() } else { None });
    if let Some(told) = told {
        let fits = t.contains(told) && { pats }.all(|(pat, set)| set.contains(pat.apply(told)));
        return if fits { TypeSet::only(told) } else { TypeSet::default() };
    }
    pats.fold(t.clone(), |t, (pat, set)| {
        t.families().flat_map(|t| set.families().filter_map(move |family| pat.preimage(family, t))).collect()
    })
}

/// The types that `pat` stands for where `T` is one of `t`.
pub(crate) fn image(pat: Pat, t: &TypeSet) -> impl Iterator<Item = TypeFamily> {
    t.families().map(move |family| pat.image(family))
}
