//! The derivative rules of the table.
//!
//! A rule gives the term that the adjoint of one operand receives: the vector-Jacobian product of the adjoint of the
//! result with the derivative by that operand. In the table it is a formula over [`Symbols`]: the operands `a`, `b` and
//! `c`, the result `r`, and the adjoint of the result `g`. A formula builds IR from operations of the same table
//! ([`build`](crate::ops::build)), and cannot fail.
//!
//! Three conventions hold. Where a function is not smooth, its rule agrees with [`Dual`](crate::interp::Dual). A
//! formula over `r` is preferred where it is cheaper than one over the operands. A minus comes first in a formula, so
//! that the term can be subtracted instead of negated and added.
//!
//! A zero adjoint contributes nothing, even if the derivative is infinite or NaN: 0 · ∞ would turn the gradient of a
//! value that nothing depends on into NaN. So an adjoint is multiplied with a derivative only by `strong_mul`,
//! `strong_div`, `strong_dot` and `strong_cross`, as their first operand.
//!
//! This module has the rules that are too long for the table: for [`scalar`]s, for [`vector`]s, and for matrices and
//! quaternions ([`matrix`]).

pub(super) mod matrix;
mod rule;
pub(super) mod scalar;
pub(super) mod vector;

pub use rule::Rule;
pub(super) use rule::{Symbols, unless, when};
