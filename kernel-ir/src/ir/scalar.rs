//! Scalar types, and sets of them.

use super::float_format::FloatFormat;
use std::ops::BitOr;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// `bool`.
    Bool,
    /// `i8`.
    I8,
    /// `u8`.
    U8,
    /// `i16`.
    I16,
    /// `u16`.
    U16,
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
    /// `f16`, IEEE 754's binary16.
    F16,
    /// `bf16`, bfloat16: the upper half of an `f32`.
    BF16,
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

/// One row of the scalar table: the name of a scalar in Rust and in records, and its affix in the names of composed
/// types.
pub(super) struct ScalarNames {
    pub(super) name: &'static str,
    /// The suffix of Warp's names (`vec3d`).
    pub(super) warp: &'static str,
    /// The prefix of Rust's names of composed types (`DVec3`).
    pub(super) prefix: &'static str,
}

const fn names(name: &'static str, warp: &'static str, prefix: &'static str) -> ScalarNames {
    ScalarNames { name, warp, prefix }
}

/// The names, in the order of [`Scalar`].
pub(super) const SCALARS: [ScalarNames; Scalar::ALL.len()] = [
    names("bool", "bool", "B"),
    names("i8", "b", "I8"),
    names("u8", "ub", "U8"),
    names("i16", "s", "I16"),
    names("u16", "us", "U16"),
    names("i32", "i", "I"),
    names("u32", "ui", "U"),
    names("i64", "l", "I64"),
    names("u64", "ul", "U64"),
    names("usize", "z", "USize"),
    names("f16", "h", "H"),
    names("bf16", "bf", "BF"),
    names("f32", "", ""),
    names("f64", "d", "D"),
];

impl Scalar {
    /// Every scalar type.
    pub const ALL: [Scalar; 14] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::U8,
        Scalar::I16,
        Scalar::U16,
        Scalar::I32,
        Scalar::U32,
        Scalar::I64,
        Scalar::U64,
        Scalar::Index,
        Scalar::F16,
        Scalar::BF16,
        Scalar::F32,
        Scalar::F64,
    ];

    pub(super) fn names(self) -> &'static ScalarNames {
        &SCALARS[self as usize]
    }

    /// The Rust name, which is also the name in records and in the text form.
    pub fn name(self) -> &'static str {
        self.names().name
    }

    /// Whether the scalar is a float.
    pub fn is_float(self) -> bool {
        ScalarSet::ANY_FLOATS.contains(self)
    }

    /// Whether the scalar is a float of 16 bits. An operation on these is that on `f32`, and its result is rounded to
    /// the type. For `+ - * /` this equals rounding once, because `f32` has more than twice the digits and two more
    /// (Figueroa, "When is double rounding innocuous?", 1995).
    pub fn is_half(self) -> bool {
        ScalarSet::HALVES.contains(self)
    }

    /// The type in which an operation on the scalar is computed: `f32` for the floats of 16 bits, else the scalar itself.
    pub fn computed_in(self) -> Scalar {
        if self.is_half() { Scalar::F32 } else { self }
    }

    /// The format of a float; `None` for other scalars.
    pub fn format(self) -> Option<FloatFormat> {
        match self {
            Scalar::F16 => Some(FloatFormat::F16),
            Scalar::BF16 => Some(FloatFormat::BF16),
            Scalar::F32 => Some(FloatFormat::F32),
            Scalar::F64 => Some(FloatFormat::F64),
            Scalar::Bool
            | Scalar::I8
            | Scalar::U8
            | Scalar::I16
            | Scalar::U16
            | Scalar::I32
            | Scalar::U32
            | Scalar::I64
            | Scalar::U64
            | Scalar::Index => None,
        }
    }

    /// Whether the scalar is an integer of a fixed width or the index type.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// Whether the scalar is a signed integer.
    pub fn is_signed_integer(self) -> bool {
        ScalarSet::SIGNED_INTEGERS.contains(self)
    }

    /// Whether the scalar is an integer of 8 or 16 bits. C computes with these as `int`.
    pub fn is_narrow(self) -> bool {
        ScalarSet::NARROW_INTEGERS.contains(self)
    }

    /// The number of bits in memory; `None` for `usize`, whose width differs between the targets.
    pub fn bits(self) -> Option<u32> {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => Some(8),
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::BF16 => Some(16),
            Scalar::I32 | Scalar::U32 | Scalar::F32 => Some(32),
            Scalar::I64 | Scalar::U64 | Scalar::F64 => Some(64),
            Scalar::Index => None,
        }
    }

    /// The smallest and the largest value of an integer of a fixed width; `None` for other scalars.
    pub fn limits(self) -> Option<(i128, i128)> {
        let bits = self.bits().filter(|_| ScalarSet::FIXED_INTEGERS.contains(self))?;
        Some(match self.is_signed_integer() {
            true => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            false => (0, (1 << bits) - 1),
        })
    }
}

/// A set of scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarSet(u32);

impl ScalarSet {
    /// `bool`.
    pub const BOOL: ScalarSet = ScalarSet::of(&[Scalar::Bool]);
    /// The signed integers.
    pub const SIGNED_INTEGERS: ScalarSet = ScalarSet::of(&[Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64]);
    /// The unsigned integers of a fixed width.
    pub const UNSIGNED_INTEGERS: ScalarSet = ScalarSet::of(&[Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64]);
    /// The integers of 8 and 16 bits.
    pub const NARROW_INTEGERS: ScalarSet = ScalarSet::of(&[Scalar::I8, Scalar::U8, Scalar::I16, Scalar::U16]);
    /// `usize`.
    pub const INDEX: ScalarSet = ScalarSet::of(&[Scalar::Index]);
    /// The integers of a fixed width.
    pub const FIXED_INTEGERS: ScalarSet = ScalarSet::SIGNED_INTEGERS.or(ScalarSet::UNSIGNED_INTEGERS);
    /// Every integer, `usize` included.
    pub const INTEGERS: ScalarSet = ScalarSet::FIXED_INTEGERS.or(ScalarSet::INDEX);
    /// The floats that have literals, functions and vectors.
    pub const FLOATS: ScalarSet = ScalarSet::of(&[Scalar::F32, Scalar::F64]);
    /// The floats of 16 bits.
    pub const HALVES: ScalarSet = ScalarSet::of(&[Scalar::F16, Scalar::BF16]);
    /// Every float.
    pub const ANY_FLOATS: ScalarSet = ScalarSet::FLOATS.or(ScalarSet::HALVES);
    /// Every number.
    pub const NUMBERS: ScalarSet = ScalarSet::INTEGERS.or(ScalarSet::ANY_FLOATS);
    /// Every scalar.
    pub const ALL: ScalarSet = ScalarSet::NUMBERS.or(ScalarSet::BOOL);

    /// The set of these scalars.
    pub const fn of(scalars: &[Scalar]) -> ScalarSet {
        let (mut set, mut place) = (0, 0);
        while place < scalars.len() {
            set |= 1 << scalars[place] as u32;
            place += 1;
        }
        ScalarSet(set)
    }

    pub(super) const fn or(self, other: ScalarSet) -> ScalarSet {
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

    /// Whether the set contains `scalar`.
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
