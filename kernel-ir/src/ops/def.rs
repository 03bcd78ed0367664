//! What the columns of the table mean: an operation, its overloads, its spellings, its accuracy.

use super::gradient::Rule;
use super::pattern::{Class, Pat};
use crate::ir::{Op, Scalar};

/// An operation: one entry of the table.
#[derive(Debug)]
pub struct OpDef {
    /// The operation itself.
    pub op: Op,
    /// Its name in the text form; unique.
    pub name: &'static str,
    /// How the author writes it.
    pub rust: Syntax,
    /// What it computes, as a sentence.
    pub doc: &'static str,
    /// Its rows, tried in order.
    pub overloads: &'static [Overload],
}

/// How the author writes an operation in Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// `a + b`.
    Infix(&'static str),
    /// `-a`.
    Prefix(&'static str),
    /// `a.max(b)`, and also `f32::max(a, b)`.
    Method(&'static str),
    /// `Vec3::new(a, b, c)`: an associated function of the result type.
    Assoc(&'static str),
}

/// One row of an operation: its operand types for every type `T` of a class, and its spelling for them.
#[derive(Debug)]
pub struct Overload {
    /// Which types `T` stands for.
    pub class: Class,
    /// The operand types.
    pub args: &'static [Pat],
    /// The result type.
    pub ret: Pat,
    /// The spelling in CUDA and C++.
    pub c: Spelling,
    /// The spelling in Warp Python.
    pub py: Spelling,
    /// How far two correct implementations may differ.
    pub accuracy: Accuracy,
    /// What the adjoint of each operand gains, where the types are floats; operands beyond the list carry no derivative.
    pub gradient: &'static [Rule],
}

impl Overload {
    /// Whether its result is made of floats, for some types of the class.
    pub(super) fn gives_floats(&self) -> bool {
        let scalars = match self.ret {
            Pat::Is(ty) => return ty.is_float(),
            Pat::T | Pat::S | Pat::Col | Pat::V3 | Pat::Longer | Pat::Shorter => self.class.family().scalars,
        };
        scalars.contains(Scalar::F32) || scalars.contains(Scalar::F64)
    }
}

/// How a language writes an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Between its operands.
    Infix(&'static str),
    /// Before its operand.
    Prefix(&'static str),
    /// A call of a function that the language has, by its full name (`wp.sin`).
    Call(&'static str),
    /// A call of a `<cmath>` function: with an `f` after the name for `f32`.
    Math(&'static str),
    /// A call of a function of the language's prelude, which is emitted with the kernel.
    Helper(&'static str),
    /// A construction of a value of the result type from its operands: `vec3(a, b, c)`.
    Construct,
}

/// How far two correct implementations of an operation may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// Not at all: IEEE 754 or integer arithmetic in a stated order.
    Exact,
    /// Not at all, but that of two zeros of different signs either may be the result.
    EitherZero,
    /// Units in the last place, as libm's functions do.
    Ulp(u32),
    /// The same, and the result is never beyond -1 and 1.
    UlpWithinOne(u32),
}

impl Accuracy {
    /// The units in the last place, of a function of a library.
    pub fn ulp(self) -> Option<u32> {
        match self {
            Accuracy::Exact | Accuracy::EitherZero => None,
            Accuracy::Ulp(ulp) | Accuracy::UlpWithinOne(ulp) => Some(ulp),
        }
    }
}
