//! The tool; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    gen_dataset::main()
}
