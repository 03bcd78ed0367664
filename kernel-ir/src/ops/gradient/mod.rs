//! The derivative rules of the table.
//!
//! A rule says what the adjoint of one operand gains when the adjoint of the result is known: the product of that adjoint
//! with the transposed Jacobian. In the table it is a formula over [`Symbols`]: the operands `a`, `b` and `c`, the result
//! `r`, and the adjoint of the result `g`. The formulas build expressions of the IR out of operations of the same table
//! ([`build`](crate::ops::build)); none of them can fail. Where a function is not smooth they follow [`Dual`](crate::interp::Dual), and
//! otherwise a formula that uses `r` is preferred where it is cheaper. A minus stands first, so that what is negative may be
//! subtracted.
//!
//! What does not fit into the table stands here: rules for [`scalar`]s, for [`vector`]s, and for matrices and
//! quaternions ([`matrix`]).

pub(super) mod matrix;
mod rule;
pub(super) mod scalar;
pub(super) mod vector;

pub use rule::Rule;
pub(super) use rule::{Symbols, unless, when};
