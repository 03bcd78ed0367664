//! Scalar types, and sets of them.

use std::ops::BitOr;

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

/// One row of the scalar table: its name in Rust and in records, and what it adds to the names of what is made of it.
pub(super) struct ScalarNames {
    pub(super) name: &'static str,
    /// The end of Warp's names (`vec3d`).
    pub(super) warp: &'static str,
    /// The beginning of glam's names (`DVec3`).
    pub(super) glam: &'static str,
}

const fn names(name: &'static str, warp: &'static str, glam: &'static str) -> ScalarNames {
    ScalarNames { name, warp, glam }
}

/// In the order of [`Scalar`].
pub(super) const SCALARS: [ScalarNames; 8] = [
    names("bool", "b", "B"),
    names("i32", "i", "I"),
    names("u32", "ui", "U"),
    names("i64", "l", "I64"),
    names("u64", "ul", "U64"),
    names("usize", "z", "USize"),
    names("f32", "", ""),
    names("f64", "d", "D"),
];

impl Scalar {
    /// Every scalar type.
    pub const ALL: [Scalar; 8] =
        [Scalar::Bool, Scalar::I32, Scalar::U32, Scalar::I64, Scalar::U64, Scalar::Index, Scalar::F32, Scalar::F64];

    pub(super) fn names(self) -> &'static ScalarNames {
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

/// A set of scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarSet(u32);

impl ScalarSet {
    /// `bool`.
    pub const BOOL: ScalarSet = ScalarSet::of(&[Scalar::Bool]);
    /// The integers with a sign.
    pub const SIGNED_INTEGERS: ScalarSet = ScalarSet::of(&[Scalar::I32, Scalar::I64]);
    /// The integers of a fixed width without a sign.
    pub const UNSIGNED_INTEGERS: ScalarSet = ScalarSet::of(&[Scalar::U32, Scalar::U64]);
    /// `usize`.
    pub const INDEX: ScalarSet = ScalarSet::of(&[Scalar::Index]);
    /// The integers of a fixed width.
    pub const FIXED_INTEGERS: ScalarSet = ScalarSet::SIGNED_INTEGERS.or(ScalarSet::UNSIGNED_INTEGERS);
    /// Every integer, `usize` too.
    pub const INTEGERS: ScalarSet = ScalarSet::FIXED_INTEGERS.or(ScalarSet::INDEX);
    /// The floats.
    pub const FLOATS: ScalarSet = ScalarSet::of(&[Scalar::F32, Scalar::F64]);
    /// Every number.
    pub const NUMBERS: ScalarSet = ScalarSet::INTEGERS.or(ScalarSet::FLOATS);
    /// Every scalar.
    pub const ALL: ScalarSet = ScalarSet::NUMBERS.or(ScalarSet::BOOL);

    /// These scalars.
    pub const fn of(scalars: &[Scalar]) -> ScalarSet {
        let (mut set, mut place) = (0, 0);
        while place < scalars.len() {
            set |= 1 << scalars[place] as u32;
            place += 1;
        }
        ScalarSet(set)
    }

    const fn or(self, other: ScalarSet) -> ScalarSet {
        ScalarSet(self.0 | other.0)
    }

    pub(super) fn and(self, other: ScalarSet) -> ScalarSet {
        ScalarSet(self.0 & other.0)
    }

    pub(super) fn without(self, other: ScalarSet) -> ScalarSet {
        ScalarSet(self.0 & !other.0)
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether `scalar` is one of them.
    pub const fn contains(self, scalar: Scalar) -> bool {
        self.0 & 1 << scalar as u32 != 0
    }

    pub(super) fn single(self) -> Option<Scalar> {
        Scalar::ALL.into_iter().find(|scalar| self == ScalarSet::of(&[*scalar]))
    }
}

impl BitOr for ScalarSet {
    type Output = ScalarSet;

    fn bitor(self, other: ScalarSet) -> ScalarSet {
        self.or(other)
    }
}
