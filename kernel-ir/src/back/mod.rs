//! The writers: a checked kernel in, source text out. No writer knows another; what they share is here.

#![deny(clippy::wildcard_enum_match_arm)]

pub mod c;
pub mod python;
pub mod rust;

mod names;
mod numbers;
mod parts;
mod ranges;
mod wrap;
