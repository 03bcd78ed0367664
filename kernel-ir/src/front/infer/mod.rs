//! Type inference by elimination.
//!
//! An unknown type is the set of those that it may still be: scalars × patterns of shapes. Every operation contributes a
//! constraint: the overloads that the table has for it, each with the set of types that its `T` may still be. Solving
//! narrows the sets of `T` to what the operands and the result may be, strikes out overloads of which nothing is left, and
//! narrows operands and result to what is left, until nothing changes. Literals that are still undecided then become `i32`
//! and `f64`, as in Rust, and solving goes on. rustc judges the same body, so this may be more generous than rustc where
//! that is simpler.

mod candidates;
mod report;
mod solve;

pub(super) use candidates::{Candidate, of_table};
pub(super) use solve::{About, ConstraintId, Infer, TypeVar};
