//! Tests of the writer: what it writes, and that compilers take it.

mod build;
mod compile;
mod goldens;
mod run;
mod scalars;
