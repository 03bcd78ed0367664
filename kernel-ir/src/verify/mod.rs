//! The verifier: the rules of the IR, and the type of kernels that keep them.
//!
//! The checks run in the order of this list, and a later check may rely on the earlier ones.
//!
//! **Numbers**: every parameter, local, array and launch axis that the body refers to exists. Only optional arrays are
//! tested for their presence.
//!
//! **Parameters**
//! - There are 1 to 4 launch axes. Parameters have distinct names.
//! - The elements of an array are not `usize`; an array has 1 to 4 axes.
//! - Shapes and domains refer only to launch axes and to earlier parameters: integers, and arrays that are always
//!   present.
//! - A domain fits the type: integers for integers, floats for floats, both values for `bool`. The bounds of a float
//!   domain are finite and in order.
//!
//! **Types**
//! - Every expression has the type that follows from its operands. An operation has a row in the [table](crate::ops)
//!   for its operand types and its result type. A cast is one that Rust allows.
//! - A local array is accessed by element only.
//! - Indices are `usize`; an access has one index for each axis of the array. Conditions are `bool`.
//! - A literal number of a component, column, row or element of a local array is within the size. Components of quaternions and rows are always
//!   selected by literals.
//! - An assigned value has the type of its place. An update applies an operation whose result has the type of the
//!   place.
//! - The bounds of a `for` have the integer type of its variable. Its step is a `usize` other than the literal 0.
//!
//! - A struct has 1 to 255 fields, none of which is a tuple. Structs that a kernel takes have no `usize`.
//! - A tuple is the result of a function, and nothing else: the value of a `return`, made there, or an immutable local
//!   whose initial value is a call. Only its fields are read.
//!
//! **Effects**
//! - Only arrays declared `&mut` are written.
//! - Atomics work on scalars of a fixed width, which are array elements or parts of array elements. Their result goes
//!   to a local of the same type.
//!
//! **Flow**
//! - A local array is declared by a `Let` without a value. Its elements count as initialised from there on.
//! - A local is declared exactly once, and used only after its declaration, up to the end of the block.
//! - A local has a value on every path to a read. An immutable local is assigned at most once on each path. The
//!   variable of a `for` is not assigned.
//! - `break` and `continue` occur in loops only.
//!
//! **Blocks**
//! - A block has 1 to 1024 threads, and shares at most 48 KiB: arrays of neither structs nor `usize`. The launch has one axis. Phases are in block kernels only, and not in each other. A phase goes over all
//!   threads of the block, and is left at its end only.
//! - A phase assigns no local of the block but elements of local arrays. Outside of phases, atomics have no results.
//!
//! **Functions**
//! - A call passes a value of the right type for each by-value parameter, and an array of the caller with the same
//!   element type and number of axes for each array parameter, and has the result type of the function. The caller
//!   only reads that array.
//! - The body of a function keeps these rules. Its arrays are read only, always present and without a shape, it has no launch axes, and
//!   every path ends in a `return` with a value of the result type. A kernel returns no value.
//! - The functions of a kernel have distinct names, which differ from those of the kernel and of operations.
//! - The derivatives of a function are by distinct float parameters, of a float result, and there is at least one. A
//!   derivative takes the arguments and the adjoint of the result, and returns the type of the parameter. A function
//!   that takes arrays, or that takes or returns a struct, has no derivatives of its own.

#![deny(clippy::wildcard_enum_match_arm)]

mod code;
mod flow;
mod functions;
mod kernel;
mod numbers;
mod params;
mod phases;
mod places;
mod structs;
#[cfg(test)]
mod tests;
pub(crate) mod tile_phases;
mod tiles;
mod types;

pub(crate) use code::{verify_function, verify_procedure};
pub use kernel::{VerifiedKernel, verify};
