//! Types of values. A type is a scalar and a shape.
//!
//! The name of a type follows from scalar and shape by rule. The table [`LANGUAGE`] says which combinations the
//! language has. Only parsing of names, messages, documentation and the generation of kernels read it, so a new size
//! needs no other change.

use super::scalar::{SCALARS, Scalar, ScalarNames};
use super::shape::{Shape, ShapePattern};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::{LazyLock, RwLock};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The scalar that the value consists of.
    pub scalar: Scalar,
    /// The arrangement of the scalars.
    pub shape: Shape,
}

/// A row of [`LANGUAGE`]: types with one of these scalars, one of these shapes and one of these sizes.
pub(super) struct Admitted {
    pub(super) scalars: &'static [Scalar],
    pub(super) shapes: ShapePattern,
    pub(super) sizes: RangeInclusive<u8>,
}

/// The types of the language.
pub(super) static LANGUAGE: [Admitted; 4] = [
    Admitted { scalars: &Scalar::ALL, shapes: ShapePattern::Scalar, sizes: 1..=1 },
    Admitted {
        scalars: &[Scalar::F32, Scalar::F64, Scalar::I32, Scalar::U32],
        shapes: ShapePattern::Vector(None),
        sizes: 2..=4,
    },
    Admitted { scalars: &[Scalar::F32, Scalar::F64], shapes: ShapePattern::Matrix(None, None), sizes: 2..=4 },
    Admitted { scalars: &[Scalar::F32, Scalar::F64], shapes: ShapePattern::Quat, sizes: 4..=4 },
];

impl Type {
    /// The largest number of components of a vector, and of rows and columns of a matrix.
    pub const MOST_PARTS: u8 = 16;

    /// `bool`.
    pub const BOOL: Type = Type::of(Scalar::Bool);
    /// `i32`.
    pub const I32: Type = Type::of(Scalar::I32);
    /// `u32`.
    pub const U32: Type = Type::of(Scalar::U32);
    /// `i64`.
    pub const I64: Type = Type::of(Scalar::I64);
    /// `u64`.
    pub const U64: Type = Type::of(Scalar::U64);
    /// `usize`.
    pub const INDEX: Type = Type::of(Scalar::Index);
    /// `f32`.
    pub const F32: Type = Type::of(Scalar::F32);
    /// `f64`.
    pub const F64: Type = Type::of(Scalar::F64);

    /// The type of values of `scalar` in the arrangement `shape`.
    pub const fn new(scalar: Scalar, shape: Shape) -> Type {
        Type { scalar, shape }
    }

    /// The scalar type of `scalar`.
    pub const fn of(scalar: Scalar) -> Type {
        Type::new(scalar, Shape::Scalar)
    }

    /// The type of vectors with `n` components.
    pub const fn vector(scalar: Scalar, n: u8) -> Type {
        Type::new(scalar, Shape::Vector(n))
    }

    /// The type of matrices with these numbers of rows and columns.
    pub const fn matrix(scalar: Scalar, rows: u8, columns: u8) -> Type {
        Type::new(scalar, Shape::Matrix(rows, columns))
    }

    /// The type of quaternions.
    pub const fn quat(scalar: Scalar) -> Type {
        Type::new(scalar, Shape::Quat)
    }

    /// All types of the language, for messages, documentation, tests and the generation of kernels.
    pub fn all() -> impl Iterator<Item = Type> {
        let shapes = |family: &'static Admitted| family.sizes.clone().map(|n| family.shapes.of_size(n));
        LANGUAGE.iter().flat_map(move |family| {
            family.scalars.iter().flat_map(move |scalar| shapes(family).map(|shape| Type::new(*scalar, shape)))
        })
    }

    /// Whether the type belongs to the language.
    pub fn is_admitted(self) -> bool {
        LANGUAGE.iter().any(|family| {
            family.scalars.contains(&self.scalar)
                && family.sizes.clone().any(|n| family.shapes.of_size(n) == self.shape)
        })
    }

    /// The scalar that the value consists of.
    pub const fn scalar(self) -> Scalar {
        self.scalar
    }

    /// The number of scalars in the value.
    pub fn components(self) -> usize {
        match self.shape {
            Shape::Scalar => 1,
            Shape::Vector(n) => n.into(),
            Shape::Matrix(rows, columns) => usize::from(rows) * usize::from(columns),
            Shape::Quat => 4,
        }
    }

    /// The type of a part: of a column for a matrix, of a component otherwise.
    pub fn part(self) -> Type {
        match self.shape {
            Shape::Matrix(rows, _) => Type::vector(self.scalar, rows),
            Shape::Scalar | Shape::Vector(_) | Shape::Quat => Type::of(self.scalar),
        }
    }

    /// The number of [`part`](Type::part)s: columns of a matrix, components otherwise; 1 for a scalar.
    pub fn parts(self) -> u8 {
        match self.shape {
            Shape::Scalar => 1,
            Shape::Vector(n) | Shape::Matrix(_, n) => n,
            Shape::Quat => 4,
        }
    }

    /// Whether the value is a single scalar.
    pub fn is_scalar(self) -> bool {
        self.shape == Shape::Scalar
    }

    /// Whether the value is a vector.
    pub fn is_vector(self) -> bool {
        matches!(self.shape, Shape::Vector(_))
    }

    /// Whether the value is a matrix.
    pub fn is_matrix(self) -> bool {
        matches!(self.shape, Shape::Matrix(..))
    }

    /// Whether the value is a quaternion.
    pub fn is_quat(self) -> bool {
        self.shape == Shape::Quat
    }

    /// Whether the value consists of floats, and so carries a derivative.
    pub fn is_float(self) -> bool {
        self.scalar.is_float()
    }

    /// The name in records and in the text form: Rust's name for scalars, Warp's names for the others (`vec3`,
    /// `mat33d`, `quat`).
    pub fn name(self) -> &'static str {
        static MADE: LazyLock<RwLock<HashMap<Type, &'static str>>> = LazyLock::new(RwLock::default);
        if self.is_scalar() {
            return self.scalar.name();
        }
        if let Some(name) = MADE.read().expect("nobody panics with the names").get(&self) {
            return name;
        }
        let warp = self.scalar.names().warp;
        let made = match self.shape {
            Shape::Scalar => self.scalar.name().to_owned(),
            Shape::Vector(n) => format!("vec{n}{warp}"),
            Shape::Matrix(rows, columns) => format!("mat{rows}{columns}{warp}"),
            Shape::Quat => format!("quat{warp}"),
        };
        // The leak is bounded, because a program uses few types.
        MADE.write().expect("nobody panics with the names").entry(self).or_insert_with(|| made.leak())
    }

    /// The type with this [`name`](Type::name); `None` if the language has none.
    pub fn from_name(name: &str) -> Option<Type> {
        let with_ending = |rest: &str, shape: Shape| {
            SCALARS.iter().position(|names| names.warp == rest).map(|place| Type::new(Scalar::ALL[place], shape))
        };
        let (family, rest) = name.split_at(name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len().min(4)));
        let size = |place: usize| Some(rest.as_bytes().get(place)?.wrapping_sub(b'0'));
        let found = match family {
            "vec" => with_ending(rest.get(1..)?, Shape::Vector(size(0)?)),
            "mat" => with_ending(rest.get(2..)?, Shape::Matrix(size(0)?, size(1)?)),
            "quat" => with_ending(rest, Shape::Quat),
            _ => SCALARS.iter().position(|names| names.name == name).map(|place| Type::of(Scalar::ALL[place])),
        };
        found.filter(|ty| ty.is_admitted())
    }

    /// The name in Rust: `f32`, `DVec3`, `Mat3`, `Quat`.
    pub fn rust_name(self) -> String {
        let prefix = self.scalar.names().prefix;
        match self.shape {
            Shape::Scalar => self.scalar.name().to_owned(),
            Shape::Vector(n) => format!("{prefix}Vec{n}"),
            Shape::Matrix(rows, columns) if rows == columns => format!("{prefix}Mat{rows}"),
            Shape::Matrix(rows, columns) => format!("{prefix}Mat{rows}x{columns}"),
            Shape::Quat => format!("{prefix}Quat"),
        }
    }

    /// The type with this [`rust_name`](Type::rust_name); `None` if the language has none.
    pub fn from_rust_name(name: &str) -> Option<Type> {
        let digit = |text: &str| text.parse::<u8>().ok().filter(|_| text.len() == 1);
        let of = |(scalar, names): (Scalar, &ScalarNames)| {
            if name == names.name {
                return Some(Type::of(scalar));
            }
            let shape = match name.strip_prefix(names.prefix)?.split_at_checked(3)? {
                ("Vec", n) => Shape::Vector(digit(n)?),
                ("Mat", n) => Shape::Matrix(digit(n)?, digit(n)?),
                ("Qua", "t") => Shape::Quat,
                _ => return None,
            };
            Some(Type::new(scalar, shape)).filter(|ty| ty.is_admitted())
        };
        Scalar::ALL.into_iter().zip(&SCALARS).find_map(of)
    }

    /// An injective encoding of the type, which also defines the order: by shape, then by scalar, then by size.
    fn bits(self) -> u32 {
        let (family, rows, columns) = match self.shape {
            Shape::Scalar => (0, 0, 0),
            Shape::Vector(n) => (1, n, 0),
            Shape::Matrix(rows, columns) => (2, rows, columns),
            Shape::Quat => (3, 0, 0),
        };
        u32::from_be_bytes([family, self.scalar as u8, rows, columns])
    }
}

impl Ord for Type {
    fn cmp(&self, other: &Type) -> Ordering {
        self.bits().cmp(&other.bits())
    }
}

impl PartialOrd for Type {
    fn partial_cmp(&self, other: &Type) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.bits());
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::of(scalar)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_types() {
        for ty in Type::all() {
            assert_eq!(Type::from_name(ty.name()), Some(ty));
            assert_eq!(Type::from_rust_name(&ty.rust_name()), Some(ty));
        }
        for name in [
            "vec5", "vec", "mat", "mat2", "mat23", "vec3l", "quati", "vec3é", "é", "", "Vec", "Vec03", "Vec+3",
            "IMat3", "BVec2",
        ] {
            assert_eq!((Type::from_name(name), Type::from_rust_name(name)), (None, None), "{name}");
        }
    }
}
