//! Tests of the writer: what it writes, and that compilers take it.

mod blocks;
mod build;
mod compile;
mod halves;
mod programs;
mod run;
mod scalars;
mod spelling;

use std::io::Write;

/// Says that the running test leaves out what needs a compiler. The test harness swallows `eprintln!`, but not this.
fn skip_compiling(error: &std::io::Error) {
    // The test harness names threads after their tests.
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: g++ does not start: {error}");
}
