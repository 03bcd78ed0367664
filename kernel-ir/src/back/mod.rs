//! The writers: a verified kernel in, source text out. No writer imports another; what they share is here.
//!
//! Matches over the kinds of statements, expressions, places and types are exhaustive: the compiler shows whoever adds a
//! kind what each writer must do with it.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod c;
pub mod python;
pub mod rust;

mod names;
mod numbers;
mod parts;
mod ranges;
mod wrap;
