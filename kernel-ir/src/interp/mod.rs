//! The interpreter: it executes the IR, and so defines its meaning.
//!
//! A run computes with Rust's semantics, overflow checks included, and with the order of operations of `kernel-rt`'s
//! vectors. The kernel's `f32` and `f64` are two number types `S` and `D` of the run:
//!
//! - `f32` and `f64`, as declared, with functions whose results are the same bits on every machine ([`run`]);
//! - [`Std`] of these, with the functions of std: the bits of the kernel's CPU version ([`run_over_std`]);
//! - `f64` and `f64`: everything in the wider type, to measure rounding errors;
//! - [`Dual`] and [`Dual`]: with derivatives along the direction in which the arguments are seeded (forward mode);
//! - [`Single`] and [`Dual`]: the same, with values in the declared types;
//! - [`Varied`] of `f32` and `f64`: with a flag for values that depend on inputs, to find places where a gradient may
//!   be wrong ([`Findings`]).
//!
//! A kernel is lowered once (`lower`) to a program over registers (`program`). The program runs (`engine`) for groups
//! of threads side by side if no thread sees what another one writes, and thread by thread otherwise. `ops` defines the
//! operations, and `sums` the order in which threads add floats.
//!
//! [`tolerances`] measures how much the results of a launch may differ on another machine.

#![deny(clippy::wildcard_enum_match_arm)]

mod algebra;
mod cast;
mod coverage;
mod dual;
mod dual_functions;
mod engine;
mod findings;
mod hash;
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
pub use coverage::{Coverage, run_covered};
pub use dual::Dual;
pub use findings::{Findings, Site};
pub use number::Number;
pub use numerics::{
    Computation, PerturbedModel, Slack, is_exact, tolerances, tolerances_of, tolerances_when_reassociated,
    type_of_tolerance,
};
pub use program::Region;
pub use races::check_races;
pub use run::{Fault, NumberTypes, TRIPS, run, run_in_order, run_on, run_over_std, run_varied, run_with};
pub use single::Single;
pub use std_math::Std;
pub use tid::{Tid, row_major};
pub use varied::Varied;
