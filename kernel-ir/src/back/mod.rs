//! The writers: a checked kernel in, source text out. No writer knows another; what they share is here.

pub mod c;
pub mod python;
pub mod rust;

mod names;
mod numbers;
mod ranges;
mod wrap;
