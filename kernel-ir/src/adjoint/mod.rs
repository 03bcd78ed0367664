//! Reverse-mode differentiation: from a kernel to the kernel that computes its vector-Jacobian product.
//!
//! For a launch y = f(x), where x are all float inputs (arrays, by-value parameters, the elements of mutable arrays before
//! the launch) and y the elements of mutable arrays after it, `backward` makes a kernel of the same launch size that
//! turns the adjoint of y into the adjoint of x, exactly, or says why it cannot.
//!
//! The `pipeline` is one list of passes. They `normalize` the kernel, `analyze` it, `transform` it into its adjoint, and
//! `cleanup` that. `rules` has the derivatives of operations; `backward` says what the result is, and how the winners of
//! `atomic_min` and `atomic_max` share a gradient.

#![deny(clippy::wildcard_enum_match_arm)]

mod analyze;
mod backward;
mod build;
mod cleanup;
mod launch;
mod normalize;
#[cfg(debug_assertions)]
mod pass_check;
mod pipeline;
mod rules;
mod terms;
#[cfg(test)]
mod tests;
mod transform;
#[cfg(test)]
mod winners_tests;

pub use backward::{Backward, Source};
pub use launch::{Share, arguments, gradients, launch};
pub use pipeline::{backward, backward_with_all_guards, differentiate};
