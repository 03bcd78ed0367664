//! Scores answers of models: texts that claim to be the kernel, or the adjoint, of a record.
//!
//! An answer is hostile. Nothing that it prints, returns, defines or writes decides anything:
//!
//! 1. [`task`] draws launches and computes their results. They stay in this process.
//! 2. [`compile`] makes a library of the answer alone, in a [`sandbox`]. The library may refer to CUDA's words and to
//!    mathematics, and to nothing else.
//! 3. [`host`] starts a program that was built before the answer was seen. It loads the library and runs the kernel on
//!    copies of the inputs, with the threads of several blocks side by side, and counts its work ([`instrument`]).
//! 4. When all processes of the answer are dead, [`scorer`] compares what they left with the results.
//!
//! An answer is correct if all results are right within the tolerances for a kernel by another author, and if neither
//! the work of all its threads nor that of the longest one is much more than the reference's. The verdict does not
//! depend on time: the limits are counts of instructions, and CPU time far beyond them.

mod answer;
mod compile;
mod host;
mod instrument;
mod landlock;
pub(crate) mod sandbox;
pub(crate) mod scorer;
mod task;
pub(crate) mod verdict;

#[cfg(test)]
mod tests;
