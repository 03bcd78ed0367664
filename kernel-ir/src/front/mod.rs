//! The front end: Rust syntax to IR.
//!
//! The stages are `tokens` (limits on nesting, and attributes, before parsing), `signature` (attributes and
//! parameters), `resolve` (names to ids, removal of syntactic sugar, collection of type constraints), `infer` (types),
//! `lower` (effects of expressions to statements) and [`verify`](crate::verify). Every stage reports all mistakes that
//! it finds. The next stage runs only if there are none.
//!
//! `items` compiles the device functions, structs, enums, constants and methods that a function reaches, when it first names them.

#![deny(clippy::wildcard_enum_match_arm)]

mod arguments;
mod array_structs;
mod attributes;
mod binders;
mod compile;
mod consts;
mod device;
mod enums;
mod file;
mod foreign;
mod generics;
mod hir;
mod infer;
mod items;
mod lengths;
mod links;
mod lower;
mod messages;
mod methods;
mod module;
mod named;
mod params;
mod passed;
mod reach;
mod resolve;
mod signature;
mod structs;
mod syntax;
mod tables;
mod tokens;
mod type_syntax;
mod types;

#[cfg(test)]
mod tests;

pub use arguments::derivatives;
pub use array_structs::{is_array_struct, without_attributes};
pub use binders::Binders;
pub use compile::{
    Compiled, CompiledDevice, check_array_struct, compile, compile_alias, compile_device, compile_enum, compile_method,
    compile_struct, compile_with, read_function,
};
pub use file::compile_file;
pub use generics::{Instance, Instances, instances, sample_arguments};
pub use links::{DeviceItem, Devices, Link, Source, link_name, without_arguments};
pub use messages::{asks_for_messages, is_message, message_values, visit_values};
pub use methods::Method;
pub use module::{Contents, Part};
pub use named::{as_function, is_constant_name, launch_axes, named_in_kernel, owner};
