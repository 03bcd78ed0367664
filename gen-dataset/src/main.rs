//! Writes datasets of kernel pairs.

fn main() {}
