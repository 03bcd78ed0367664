//! The tool; everything is in the library.

use gen_dataset::allocator::Allocator;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    gen_dataset::main()
}
