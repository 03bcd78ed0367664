//! Reverse-mode differentiation: from a kernel to the kernel that computes its vector-Jacobian product.
//!
//! Let a launch compute y = f(x). Here x are all float inputs: arrays, by-value parameters, and the elements of mutable
//! arrays before the launch. The elements of mutable arrays after the launch are y. `backward` makes a kernel of the
//! same launch size that turns the adjoint of y into the adjoint of x. The result is exact; a kernel that has no exact
//! adjoint is refused with a diagnostic.
//!
//! `pipeline` lists the passes in order. They `normalize` the kernel, `analyze` it, `transform` it into its adjoint,
//! and `cleanup` the adjoint. `rules` holds the derivatives of operations. `backward` describes the result, and how the
//! winners of `atomic_min` and `atomic_max` share a gradient. `launch` makes the arguments of the adjoint's launches.

#![deny(clippy::wildcard_enum_match_arm)]

mod analyze;
mod backward;
mod cleanup;
mod columns;
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
pub use launch::{arguments, gradients, launch};
pub use pipeline::{backward, backward_with_all_guards, differentiate};
