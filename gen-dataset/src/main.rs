//! The tool; everything is in the library.

use mimalloc::MiMalloc;
use std::process::ExitCode;

/// Making a record allocates a great many small pieces of trees and texts.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    gen_dataset::main()
}
