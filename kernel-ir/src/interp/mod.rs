//! The meaning of the IR, executed.
//!
//! A run computes with Rust's semantics, overflow checks and all, and with glam's order of operations. What the kernel
//! calls `f32` and `f64` are two number types `S` and `D` of the run:
//! - `f32` and `f64`, as declared, with functions that have the same bits on every machine ([`run`]);
//! - [`Std`] of these, with the functions of std: the same bits as the CPU version of the kernel ([`run_over_std`]);
//! - `f64` and `f64`: everything in the wider type, to see how much is lost to rounding;
//! - [`Dual`] and [`Dual`]: with derivatives along the direction in which the arguments are seeded;
//! - [`Single`] and [`Dual`]: the same with values in the types that are declared;
//! - [`Varied`] of `f32` and `f64`: with the knowledge of what depends on inputs, to find out where a gradient may be
//!   wrong ([`Findings`]).
//!
//! A kernel is lowered once (`lower`) to a program over registers (`program`). It runs (`engine`) for groups of threads
//! side by side where no thread sees what another one writes, else thread by thread. What operations mean stands in `ops`,
//! the order in which threads add up in `sums`.
//!
//! [`tolerances`] says how far a launch may come out different on another machine.

#![deny(clippy::wildcard_enum_match_arm)]

mod algebra;
mod cast;
mod dual;
mod dual_functions;
mod engine;
mod findings;
mod lower;
mod num;
mod number;
#[cfg(test)]
mod number_tests;
mod numerics;
mod ops;
pub mod pointwise;
mod program;
mod races;
mod run;
mod single;
mod std_math;
mod sums;
#[cfg(test)]
mod tests;
mod tid;
mod value;
mod varied;
mod watch;

pub use algebra::Algebra;
pub use dual::Dual;
pub use findings::{Findings, Site};
pub use number::Number;
pub use numerics::{PerturbedModel, Slack, is_exact, tolerances, tolerances_of, tolerances_when_reassociated};
pub use races::check_races;
pub use run::{Fault, NumberTypes, TRIPS, run, run_in_order, run_on, run_over_std, run_varied, run_with};
pub use single::Single;
pub use std_math::Std;
pub use tid::{Tid, row_major};
pub use varied::Varied;
