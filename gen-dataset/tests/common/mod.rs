//! What the tests from outside share: the built program, and skips that are printed.

#![allow(dead_code, reason = "each test uses a part")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

/// The variables by which job schedulers name a worker.
const SCHEDULERS: [&str; 4] =
    ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "HQ_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"];

/// `gen-dataset` with these arguments, in `folder`, outside of any job scheduler.
pub(crate) fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gen-dataset"));
    command.args(args).current_dir(folder);
    for name in SCHEDULERS {
        command.env_remove(name);
    }
    command
}

/// Runs `gen-dataset` in `folder`.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Output {
    command(folder, args).output().expect("the program was built")
}

/// Runs `gen-dataset`, which must succeed. Returns what it prints.
pub(crate) fn succeed(folder: &Path, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the output is text")
}

/// Prints the reason for which the running test skips something. The test harness captures `eprintln!`, but not this.
pub(crate) fn skip(what: &str) {
    // The test harness names threads after their tests.
    let thread = std::thread::current();
    // A closed standard error must not fail the test.
    let _ = writeln!(std::io::stderr(), "SKIPPED {}: {what}", thread.name().unwrap_or("a test"));
}

/// Skips what a judge or reader is needed for. With `WEFT_REQUIRE_JUDGES`, as in `.ci/run`, that is a failure.
pub(crate) fn skip_judged(what: &str) {
    assert!(std::env::var_os("WEFT_REQUIRE_JUDGES").is_none(), "{what}");
    skip(what);
}
