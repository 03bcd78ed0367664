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
fn skip_compiling(compiler: &std::ffi::OsStr, error: &std::io::Error) {
    skip(&format!("{} does not start: {error}", compiler.display()));
}

/// Names the running test as skipped.
fn skip(why: &str) {
    // The test harness names threads after their tests.
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a test");
    // A closed standard error is no reason to fail.
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}
