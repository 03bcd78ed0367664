//! The rules that a kernel must keep, and the type that says that it does.
//!
//! **Numbers**: every parameter and local that the body names exists, and so does every array and launch axis.
//!
//! **Parameters**
//! - There are 1 to 4 launch axes. No two parameters have the same name.
//! - The elements of an array are neither `bool` nor `usize`; an array has 1 to 4 axes.
//! - Shapes and domains refer only to launch axes, integer parameters and arrays that stand earlier.
//! - A domain fits the type: integers for integers, floats for floats, none for `bool`. The bounds of a domain of floats
//!   are finite and in order.
//!
//! **Types**
//! - Every expression has the type that its parts give it; an operation has a row in the [table](crate::ops) for its
//!   operands and its result. A cast is one that Rust allows.
//! - A local array is used by element only.
//! - Indices are `usize`, as many as the array has axes. Conditions are `bool`.
//! - A number of a component, column or row that is a literal is below the size; for the components of quaternions
//!   and for rows it is a literal.
//! - An assigned value has the type of its place; an update is an operation that gives the place's type.
//! - The bounds of a `for` have the type of its variable, an integer type; its step is a `usize` and not a literal 0.
//!
//! **Effects**
//! - Only arrays declared `&mut` are written.
//! - Atomics work on numbers of a fixed width: elements, or parts of elements; their result goes to a local of the same type.
//!
//! **Flow**
//! - A local array is declared by a `Let` without a value; its elements have values from there on.
//! - A local is declared exactly once, and used only after that, to the end of the block.
//! - It has a value on every path to a read. One that is not mutable gets it once on each path; the variable of a `for`
//!   is not assigned.
//! - `break` and `continue` stand in loops.
//!
//! **Functions**
//! - A call gives each parameter of the function a value of its type, and has the type of its result.
//! - The body of a function keeps these rules, too. Its parameters are values, it has no launch axes, and every path
//!   through it ends in a `return` with a value of the type of the result; a kernel returns no value.
//! - Functions of one kernel have names of their own, which neither it nor an operation has.
//! - A derivative is by a parameter of floats, each at most once, of a result of floats; there is one at least. It takes
//!   the arguments and the adjoint of the result, and gives the type of the parameter.

#![deny(clippy::wildcard_enum_match_arm)]

mod code;
mod flow;
mod functions;
mod kernel;
mod numbers;
mod params;
mod places;
#[cfg(test)]
mod tests;
mod types;

pub(crate) use code::verify_function;
pub use kernel::{VerifiedKernel, verify};
