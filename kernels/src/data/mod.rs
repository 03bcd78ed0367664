//! Data: sorting, text, ciphers and signals.

pub mod cipher;
pub mod signals;
pub mod sorting;
pub mod text;
