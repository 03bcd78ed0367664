//! The derivative rules of the table.
//!
//! A rule says what the adjoint of one operand gains when the adjoint of the result is known: the product of that adjoint
//! with the transposed Jacobian. In the table it is a formula over [`Symbols`]: the operands `a`, `b` and `c`, the result
//! `r`, and the adjoint of the result `g`. The formulas build expressions of the IR out of operations of the same table
//! ([`build`](crate::ops::build)); none of them can fail. Where a function is not smooth they follow [`Dual`](crate::interp::Dual), and
//! otherwise a formula that uses `r` is preferred where it is cheaper. A minus stands first, so that what is negative may be
//! subtracted.
//!
//! An adjoint that is zero contributes nothing, even where the derivative is infinite or NaN: 0 · ∞ would make a NaN of the
//! gradient of a value that nothing depends on. So an adjoint meets a derivative in `strong_mul`, `strong_div`,
//! `strong_dot` and `strong_cross` alone, as their first operand.
//!
//! What does not fit into the table stands here: rules for [`scalar`]s, for [`vector`]s, and for matrices and
//! quaternions ([`matrix`]).

pub(super) mod matrix;
mod rule;
pub(super) mod scalar;
pub(super) mod vector;

pub use rule::Rule;
pub(super) use rule::{Symbols, unless, when};
