//! The binary `gen-dataset`. All code is in the library.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// A record is made of many small tree nodes and strings, so the time to allocate matters.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    gen_dataset::main()
}
