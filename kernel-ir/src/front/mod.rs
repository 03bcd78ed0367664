//! From Rust syntax to IR.
//!
//! `tokens` (what must be judged before parsing) → `signature` (attributes and parameters) → `resolve` (names to ids, sugar removed, constraints on types
//! collected) → `infer` (types found) → `lower` (effects made statements) → [`check`](crate::verify). Every stage
//! reports all that it finds; the next one runs only if nothing was found.

#![deny(clippy::wildcard_enum_match_arm)]

mod attributes;
mod compile;
mod consts;
mod device;
mod file;
mod foreign;
mod hir;
mod infer;
mod links;
mod lower;
mod params;
mod resolve;
mod signature;
mod syntax;
mod tokens;
mod types;

#[cfg(test)]
mod tests;

pub use compile::{Compiled, CompiledDevice, compile, compile_device, compile_with, read_function};
pub use device::named_functions;
pub use file::compile_file;
pub use links::{Devices, Link, Source, link_name};
