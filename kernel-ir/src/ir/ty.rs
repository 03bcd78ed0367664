//! Types of values. A type is a scalar and a shape, where a shape may be a struct.
//!
//! The name of a type follows from scalar and shape by rule. The table [`LANGUAGE`] says which combinations the
//! language has. Only parsing of names, messages, documentation and the generation of kernels read it, so a new size
//! needs no other change.

use super::scalar::{SCALARS, Scalar, ScalarNames};
use super::shape::{Shape, ShapePattern};
use super::structs::{Field, StructId};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::{LazyLock, RwLock};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The scalar that the value consists of. For a struct, the first float in it, or its first scalar if it has none.
    pub scalar: Scalar,
    /// The arrangement of the scalars.
    pub shape: Shape,
}

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

    /// The type of a struct.
    pub fn of_struct(id: StructId) -> Type {
        let scalars = || id.fields.iter().map(|field| field.ty.scalar);
        let scalar = scalars().find(|scalar| scalar.is_float()).or_else(|| scalars().next()).unwrap_or(Scalar::Bool);
        Type::new(scalar, Shape::Struct(id))
    }

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

    /// The scalar that the value consists of; for a struct, see the field [`scalar`](Type::scalar).
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
            Shape::Struct(id) => id.fields.iter().map(|field| field.ty.components()).sum(),
        }
    }

    /// The types of the value without structs: of its fields and those of structs inside, in order; the type itself
    /// if it is no struct.
    pub fn leaves(self) -> Vec<Type> {
        match self.shape {
            Shape::Struct(id) => id.fields.iter().flat_map(|field| field.ty.leaves()).collect(),
            Shape::Scalar | Shape::Vector(_) | Shape::Matrix(..) | Shape::Quat => vec![self],
        }
    }

    /// The scalar of each component, in order.
    pub fn scalars(self) -> impl Iterator<Item = Scalar> {
        self.leaves().into_iter().flat_map(|leaf| std::iter::repeat_n(leaf.scalar, leaf.components()))
    }

    /// The fields, in order; empty if the type is no struct.
    pub fn fields(self) -> &'static [Field] {
        if let Shape::Struct(id) = self.shape { id.all() } else { &[] }
    }

    /// The struct, if the type is one.
    pub fn as_struct(self) -> Option<StructId> {
        if let Shape::Struct(id) = self.shape { Some(id) } else { None }
    }

    /// The type of the field with this number.
    ///
    /// # Panics
    /// If the type has no such field.
    pub fn field(self, number: u8) -> Type {
        self.fields()[usize::from(number)].ty
    }

    /// The number of components before the field with this number.
    pub fn field_offset(self, number: u8) -> usize {
        self.fields()[..usize::from(number)].iter().map(|field| field.ty.components()).sum()
    }

    /// The type of a part: of a column for a matrix, of a component otherwise; the type itself for a struct, whose parts
    /// are its [`fields`](Type::fields).
    pub fn part(self) -> Type {
        match self.shape {
            Shape::Matrix(rows, _) => Type::vector(self.scalar, rows),
            Shape::Scalar | Shape::Vector(_) | Shape::Quat => Type::of(self.scalar),
            Shape::Struct(_) => self,
        }
    }

    /// The number of [`part`](Type::part)s: columns of a matrix, components otherwise; 1 for a scalar or struct.
    pub fn parts(self) -> u8 {
        match self.shape {
            Shape::Scalar | Shape::Struct(_) => 1,
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

    /// Whether the value is a struct.
    pub fn is_struct(self) -> bool {
        matches!(self.shape, Shape::Struct(_))
    }

    /// Whether the value is a tuple, the result of a function with several results.
    pub fn is_tuple(self) -> bool {
        self.as_struct().is_some_and(|id| id.is_tuple())
    }

    /// Whether the value has floats, and so carries a derivative. All scalars of a value are floats, or none, except in
    /// a struct.
    pub fn is_float(self) -> bool {
        self.scalar.is_float()
    }

    /// The name in records and in the text form: Rust's name for scalars and structs, Warp's names for the others
    /// (`vec3`, `mat33d`, `quat`), and a list in parentheses for a tuple.
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
            Shape::Matrix(rows @ ..10, columns @ ..10) => format!("mat{rows}{columns}{warp}"),
            Shape::Matrix(rows, columns) => format!("mat{rows}x{columns}{warp}"),
            Shape::Quat => format!("quat{warp}"),
            Shape::Struct(id) if id.is_tuple() => tuple(id, Type::to_string),
            Shape::Struct(id) => id.name.clone(),
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
        let (sizes, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit() && c != 'x').unwrap_or(rest.len()));
        let found = match family {
            "vec" => with_ending(rest, Shape::Vector(size(sizes)?)),
            "mat" => {
                let (rows, columns) = match sizes.split_once('x') {
                    Some(sizes) => sizes,
                    None => sizes.split_at_checked(1)?,
                };
                with_ending(rest, Shape::Matrix(size(rows)?, size(columns)?))
            }
            "quat" => with_ending(rest, Shape::Quat),
            _ => SCALARS.iter().position(|names| names.name == name).map(|place| Type::of(Scalar::ALL[place])),
        };
        // `mat4x4` and `mat04` are no names.
        let found = found.filter(|ty| ty.name() == name);
        found.filter(|ty| ty.is_admitted())
    }

    /// The name in Rust: `f32`, `DVec3`, `Mat3`, `Quat`, and `Vector<f32, 6>` for what has no name of its own.
    pub fn rust_name(self) -> String {
        self.rust_text("<")
    }

    /// The name in Rust as the start of a path in an expression: `Vec3`, `Vector::<f32, 6>`.
    pub fn rust_path(self) -> String {
        self.rust_text("::<")
    }

    /// The name in Rust, where `open` starts a list of generic arguments.
    fn rust_text(self, open: &str) -> String {
        let (scalar, prefix) = (self.scalar.name(), self.scalar.names().prefix);
        match self.shape {
            Shape::Scalar => scalar.to_owned(),
            Shape::Vector(n @ 2..=4) => format!("{prefix}Vec{n}"),
            Shape::Vector(n) => format!("Vector{open}{scalar}, {n}>"),
            Shape::Matrix(n @ 2..=4, columns) if n == columns => format!("{prefix}Mat{n}"),
            Shape::Matrix(rows, columns) => format!("Matrix{open}{scalar}, {rows}, {columns}>"),
            Shape::Quat => format!("{prefix}Quat"),
            Shape::Struct(id) if id.is_tuple() => tuple(id, |ty| ty.rust_name()),
            Shape::Struct(id) => id.name.clone(),
        }
    }

    /// The type with this [`rust_name`](Type::rust_name), or this generic name; `None` if the language has none.
    pub fn from_rust_name(name: &str) -> Option<Type> {
        if let Some((family, args)) = name.strip_suffix('>').and_then(|name| name.split_once('<')) {
            let mut args = args.split(", ");
            let scalar = Type::from_rust_name(args.next()?).filter(|ty| ty.is_scalar())?.scalar;
            let shape = match (family, args.next(), args.next(), args.next()) {
                ("Vector", Some(n), None, None) => Shape::Vector(size(n)?),
                ("Matrix", Some(rows), Some(columns), None) => Shape::Matrix(size(rows)?, size(columns)?),
                ("Quaternion", None, None, None) => Shape::Quat,
                _ => return None,
            };
            return Some(Type::new(scalar, shape)).filter(|ty| ty.is_admitted());
        }
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
            Some(Type::new(scalar, shape)).filter(|ty| ty.is_admitted() && ty.rust_name() == name)
        };
        Scalar::ALL.into_iter().zip(&SCALARS).find_map(of)
    }

    /// An encoding of the type, injective except for structs, which also defines the order: by shape, then by scalar,
    /// then by size.
    fn bits(self) -> u32 {
        let (family, rows, columns) = match self.shape {
            Shape::Scalar => (0, 0, 0),
            Shape::Vector(n) => (1, n, 0),
            Shape::Matrix(rows, columns) => (2, rows, columns),
            Shape::Quat => (3, 0, 0),
            Shape::Struct(_) => (4, 0, 0),
        };
        u32::from_be_bytes([family, self.scalar as u8, rows, columns])
    }
}

/// The types of a tuple in parentheses.
fn tuple(id: StructId, name: impl Fn(&Type) -> String) -> String {
    let types: Vec<String> = id.fields.iter().map(|field| name(&field.ty)).collect();
    format!("({})", types.join(", "))
}

/// The size that digits denote.
fn size(digits: &str) -> Option<u8> {
    digits.parse().ok().filter(|_| digits.bytes().all(|digit| digit.is_ascii_digit()) && !digits.starts_with('0'))
}

impl Ord for Type {
    fn cmp(&self, other: &Type) -> Ordering {
        self.bits().cmp(&other.bits()).then_with(|| self.as_struct().cmp(&other.as_struct()))
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
        self.as_struct().hash(state);
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
        for (name, rust_name) in [
            ("vec1", "Vector<f32, 1>"),
            ("vec6d", "Vector<f64, 6>"),
            ("vec16ul", "Vector<u64, 16>"),
            ("vec2l", "I64Vec2"),
            ("mat23", "Matrix<f32, 2, 3>"),
            ("mat66d", "Matrix<f64, 6, 6>"),
            ("mat12x3", "Matrix<f32, 12, 3>"),
        ] {
            let ty = Type::from_name(name).unwrap();
            assert_eq!(
                (ty.name(), ty.rust_name().as_str(), Type::from_rust_name(rust_name)),
                (name, rust_name, Some(ty))
            );
        }
        assert_eq!(Type::from_rust_name("Vector<f32, 3>"), Type::from_rust_name("Vec3"));
        for name in [
            "vec17",
            "vec0",
            "vec",
            "mat",
            "mat2",
            "mat2x3",
            "mat03",
            "vec3b",
            "quati",
            "vec3é",
            "é",
            "",
            "Vec",
            "Vec03",
            "Vec+3",
            "IMat3",
            "BVec2",
            "Vec6",
            "Vector<f32>",
            "Vector<f32, 17>",
            "Vector<bool, 2>",
            "Matrix<i32, 2, 2>",
        ] {
            assert_eq!((Type::from_name(name), Type::from_rust_name(name)), (None, None), "{name}");
        }
    }
}
