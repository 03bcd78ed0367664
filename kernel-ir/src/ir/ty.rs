//! The types of values.

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// `bool`.
    Bool,
    /// `i32`.
    I32,
    /// `u32`.
    U32,
    /// `i64`.
    I64,
    /// `u64`.
    U64,
    /// `usize`, the index type: 64 bits on the host, 32 or 64 bits in emitted CUDA.
    Index,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

/// One row of the scalar table: its names in Rust and in records, and those of what is made of it.
struct ScalarNames {
    name: &'static str,
    /// The names of its vectors of 2 to 4 components, if there are any.
    vectors: &'static [&'static str],
    /// The names of its matrices of 2 to 4 rows, if there are any.
    matrices: &'static [&'static str],
    /// The name of its quaternion, if there is one.
    quat: &'static str,
    /// The prefix of glam's vector and matrix names (`DVec3`).
    glam: &'static str,
}

impl ScalarNames {
    const fn alone(name: &'static str) -> ScalarNames {
        ScalarNames { name, vectors: &[], matrices: &[], quat: "?", glam: "" }
    }
}

/// In the order of [`Scalar`].
const SCALARS: [ScalarNames; 8] = [
    ScalarNames::alone("bool"),
    ScalarNames { vectors: &["vec2i", "vec3i", "vec4i"], glam: "I", ..ScalarNames::alone("i32") },
    ScalarNames { vectors: &["vec2ui", "vec3ui", "vec4ui"], glam: "U", ..ScalarNames::alone("u32") },
    ScalarNames::alone("i64"),
    ScalarNames::alone("u64"),
    ScalarNames::alone("usize"),
    ScalarNames {
        name: "f32",
        vectors: &["vec2", "vec3", "vec4"],
        matrices: &["mat22", "mat33", "mat44"],
        quat: "quat",
        glam: "",
    },
    ScalarNames {
        name: "f64",
        vectors: &["vec2d", "vec3d", "vec4d"],
        matrices: &["mat22d", "mat33d", "mat44d"],
        quat: "quatd",
        glam: "D",
    },
];

impl Scalar {
    /// Every scalar type.
    pub const ALL: [Scalar; 8] =
        [Scalar::Bool, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::Index, Scalar::F32, Scalar::F64];

    fn names(self) -> &'static ScalarNames {
        &SCALARS[self as usize]
    }

    /// The Rust name, which is also the name in records and in the text form.
    pub fn name(self) -> &'static str {
        self.names().name
    }

    /// `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// An integer of a fixed width, or the index type.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// A signed integer.
    pub fn is_signed_integer(self) -> bool {
        matches!(self, Scalar::I32 | Scalar::I64)
    }
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// One number or truth value.
    Scalar(Scalar),
    /// 2 to 4 components of `f32`, `f64`, `i32` or `u32`.
    Vector(Scalar, u8),
    /// A square matrix of `f32` or `f64`, 2 to 4 rows.
    Matrix(Scalar, u8),
    /// A quaternion of `f32` or `f64`, components x, y, z, w.
    Quat(Scalar),
}

impl Type {
    /// `bool`.
    pub const BOOL: Type = Type::Scalar(Scalar::Bool);
    /// `i32`.
    pub const I32: Type = Type::Scalar(Scalar::I32);
    /// `u32`.
    pub const U32: Type = Type::Scalar(Scalar::U32);
    /// `usize`.
    pub const INDEX: Type = Type::Scalar(Scalar::Index);
    /// `f32`.
    pub const F32: Type = Type::Scalar(Scalar::F32);
    /// `f64`.
    pub const F64: Type = Type::Scalar(Scalar::F64);

    /// Every type of the language.
    pub fn all() -> impl Iterator<Item = Type> {
        let scalars = Scalar::ALL.into_iter().map(Type::Scalar);
        let floats = [Scalar::F32, Scalar::F64];
        let vectors = [Scalar::F32, Scalar::F64, Scalar::I32, Scalar::U32]
            .into_iter()
            .flat_map(|s| (2..=4).map(move |n| Type::Vector(s, n)));
        let matrices = floats.into_iter().flat_map(|s| (2..=4).map(move |n| Type::Matrix(s, n)));
        scalars.chain(vectors).chain(matrices).chain(floats.map(Type::Quat))
    }

    /// Its position in [`all`](Type::all).
    pub(crate) fn number(self) -> usize {
        let size = |n: u8| usize::from(n.wrapping_sub(2));
        let of = |s: Scalar| match s {
            Scalar::F64 => 1,
            Scalar::I32 => 2,
            Scalar::U32 => 3,
            _ => 0,
        };
        match self {
            Type::Scalar(s) => s as usize,
            Type::Vector(s, n) => 8 + 3 * of(s) + size(n),
            Type::Matrix(s, n) => 20 + 3 * of(s) + size(n),
            Type::Quat(s) => 26 + of(s),
        }
    }

    /// The scalar that the value is made of.
    pub fn scalar(self) -> Scalar {
        match self {
            Type::Scalar(s) | Type::Vector(s, _) | Type::Matrix(s, _) | Type::Quat(s) => s,
        }
    }

    /// How many scalars the value is made of.
    pub fn components(self) -> usize {
        match self {
            Type::Scalar(_) => 1,
            Type::Vector(_, n) => usize::from(n),
            Type::Matrix(_, n) => usize::from(n) * usize::from(n),
            Type::Quat(_) => 4,
        }
    }

    /// Whether the value is a single scalar.
    pub fn is_scalar(self) -> bool {
        matches!(self, Type::Scalar(_))
    }

    /// Whether the value is made of floats, and so carries a derivative.
    pub fn is_float(self) -> bool {
        self.scalar().is_float()
    }

    /// The name in records and in the text form: Rust's for scalars, Warp's for the rest (`vec3`, `mat33d`, `quat`).
    pub fn name(self) -> &'static str {
        let names = self.scalar().names();
        // Only types of the language have names.
        let of = |list: &[&'static str], n: u8| list.get(usize::from(n.wrapping_sub(2))).copied().unwrap_or("?");
        match self {
            Type::Scalar(_) => names.name,
            Type::Vector(_, n) => of(names.vectors, n),
            Type::Matrix(_, n) => of(names.matrices, n),
            Type::Quat(_) => names.quat,
        }
    }

    /// The type of that [`name`](Type::name).
    pub fn from_name(name: &str) -> Option<Type> {
        static NAMES: OnceLock<HashMap<&str, Type>> = OnceLock::new();
        NAMES.get_or_init(|| Type::all().map(|ty| (ty.name(), ty)).collect()).get(name).copied()
    }

    /// The name that the author writes in Rust: `f32`, `DVec3`, `Mat3`, `Quat`.
    pub fn rust_name(self) -> String {
        let prefix = self.scalar().names().glam;
        // Only types of the language have names.
        let digit = |n: u8| ["2", "3", "4"].get(usize::from(n.wrapping_sub(2))).copied().unwrap_or("?");
        match self {
            Type::Scalar(s) => s.name().to_owned(),
            Type::Vector(_, n) => [prefix, "Vec", digit(n)].concat(),
            Type::Matrix(_, n) => [prefix, "Mat", digit(n)].concat(),
            Type::Quat(_) => [prefix, "Quat"].concat(),
        }
    }

    /// The type of that [`rust_name`](Type::rust_name).
    pub fn from_rust_name(name: &str) -> Option<Type> {
        static NAMES: OnceLock<HashMap<String, Type>> = OnceLock::new();
        NAMES.get_or_init(|| Type::all().map(|ty| (ty.rust_name(), ty)).collect()).get(name).copied()
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::Scalar(scalar)
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
    fn types_are_numbered_in_order() {
        assert!(Type::all().map(Type::number).eq(0..Type::all().count()));
    }
}
