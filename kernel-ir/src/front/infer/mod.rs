//! Type inference by elimination.
//!
//! An unknown type is represented by the set of types that it may still be: scalars × patterns of shapes. Every
//! operation contributes a constraint: its overloads in the table, each with the set of types that its `T` may still
//! be. Solving repeats three steps until nothing changes: it narrows the sets of `T` by operands and result, strikes
//! out overloads whose set is empty, and narrows operands and result by the remaining overloads. Literals that are
//! still undecided then become `i32` and `f64`, as in Rust, and solving continues. rustc checks the same body, so
//! inference may accept more than rustc where that is simpler.

mod candidates;
mod report;
mod solve;

pub(super) use candidates::{Candidate, of_table};
pub(super) use solve::{About, ConstraintId, Infer, TypeVar};
