//! Rewrites of code that several stages need: calls become the code of their functions, `return` becomes branches, structs
//! become their fields, and what never runs or what nothing reads is removed.

pub(crate) mod build;
pub(crate) mod columns;
#[cfg(test)]
mod columns_tests;
pub(crate) mod constant_branches;
pub(crate) mod dead_code;
pub(crate) mod early_exits;
pub(crate) mod eliminate_returns;
pub(crate) mod inline;
pub(crate) mod phases;
pub(crate) mod shared_arrays;
pub(crate) mod shared_atomics;
pub(crate) mod split_structs;
pub(crate) mod views;
