//! The writers: each turns a verified kernel into source text of one language. No writer imports another one; shared
//! helpers are in this folder.
//!
//! Matches over the kinds of statements, expressions, places and types are exhaustive, so the compiler points at every
//! place that a new kind must change.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod c;
pub mod python;
pub mod rust;
pub mod wgsl;

mod bounds;
mod fault;
mod halves;
mod names;
mod numbers;
mod parts;
mod printf;
mod ranges;
mod wrap;

pub use fault::Fault;
