//! Command lines of the documentation that this test does not run, each with the reason.

use super::pages::root;
use std::fs;

/// The reason for which a command line does not run here.
pub(super) enum Why {
    /// This line of `.ci/run` covers it.
    Ci(&'static str),
    /// It needs something that a test does not have.
    Lacks(&'static str),
}

/// The test command of `.ci/run`, and its features.
const ALL_TESTS: &str = "cargo test --workspace --features cuda,object-store,wgpu";
const FEATURES: [&str; 3] = ["cuda", "object-store", "wgpu"];

/// The command lines other than tests.
pub(super) const ELSEWHERE: [(&str, Why); 27] = [
    ("scripts/install-judges.sh", Why::Ci("scripts/install-judges.sh")),
    ("scripts/install-readers.sh", Why::Ci("scripts/install-readers.sh")),
    ("scripts/install-tools.sh", Why::Ci("scripts/install-tools.sh")),
    ("scripts/check-layers.sh", Why::Ci("scripts/check-layers.sh")),
    ("scripts/check-packages.sh", Why::Ci("scripts/check-packages.sh")),
    ("scripts/check-dependencies.sh", Why::Ci("scripts/check-dependencies.sh")),
    ("scripts/check-api.sh", Why::Ci("scripts/check-api.sh")),
    ("scripts/build-wheel.sh", Why::Ci("scripts/build-wheel.sh --dev")),
    ("pip install dist/gen_dataset-*.whl", Why::Ci("scripts/build-wheel.sh --dev")),
    ("python -m weft", Why::Ci("scripts/build-wheel.sh --dev")),
    ("cargo install --locked --path gen-dataset", Why::Lacks("an optimised build, for minutes; `WEFT_FULL=1` has one")),
    ("cargo build --release -p gen-dataset --features object-store", Why::Ci(ALL_TESTS)),
    ("cargo run --release -p gen-dataset --features wgpu", Why::Ci(ALL_TESTS)),
    ("cargo run", Why::Lacks("the crate of the guide; its doc test runs the program")),
    ("cargo bench -p tests --bench cpu", Why::Lacks("an idle machine, for minutes")),
    ("cargo bench -p tests --bench adjoint", Why::Lacks("an idle machine, for minutes")),
    ("cargo bench -p tests --features cuda --bench device", Why::Lacks("a GPU")),
    (
        "cargo bench -p gen-dataset --features object-store --bench throughput",
        Why::Lacks("an idle machine, for minutes"),
    ),
    ("scripts/run_on_gpu.sh --report docs/gpu-report.md", Why::Lacks("a GPU")),
    ("scripts/run_on_gpu.sh --prepare gpu", Why::Lacks("an optimised build of all suites, for minutes")),
    ("scripts/run_on_gpu.sh --prepared gpu --report report.md", Why::Lacks("a GPU")),
    ("scripts/install-judges.sh --peers", Why::Lacks("gigabytes of other systems")),
    ("scripts/grpo.py", Why::Lacks("gigabytes of PyTorch")),
    (
        "python3 -m venv .tools-grpo/venv",
        Why::Lacks("gigabytes of PyTorch; `tests/score.rs` checks what trainers call"),
    ),
    (
        ".tools-grpo/venv/bin/pip install torch==2.15.0 transformers==5.24.0 trl==1.16.0",
        Why::Lacks("gigabytes of PyTorch"),
    ),
    (
        ".tools-grpo/venv/bin/python scripts/grpo.py --program gen-dataset --steps 40",
        Why::Lacks("gigabytes of PyTorch"),
    ),
    ("scripts/torture.sh", Why::Lacks("those systems; `torture::` of the tests has the same kernels")),
];

/// Whether the command line is in the table, or runs tests that `.ci/run` covers: all tests or a subset, in another
/// profile, with other numbers, or with `UPDATE_EXPECT`. The tests of the examples run theirs.
pub(super) fn is_elsewhere(command: &str) -> bool {
    is_of_all_tests(command)
        || command.starts_with("cargo run --release -p examples ")
        || ELSEWHERE.iter().any(|(line, _)| *line == command)
}

fn is_of_all_tests(command: &str) -> bool {
    let words: Vec<&str> = command.split(' ').skip_while(|word| word.contains('=')).collect();
    let features = words.iter().position(|word| *word == "--features").map(|at| words[at + 1]);
    words.starts_with(&["cargo", "test"]) && features.into_iter().all(|feature| FEATURES.contains(&feature))
}

/// The stale entries of the table, given the command `lines` of the documentation.
pub(super) fn stale(lines: &[String]) -> Vec<String> {
    let ci = fs::read_to_string(root().join(".ci/run")).unwrap();
    let wrong = |(line, why): &(&str, Why)| {
        let is_undone = match why {
            Why::Ci(command) => !ci.contains(command),
            Why::Lacks(what) => what.is_empty(),
        };
        match (lines.iter().any(|known| known == line), is_undone) {
            (false, _) => Some(format!("`{line}` stands nowhere in the documentation")),
            (_, true) => Some(format!("`.ci/run` does not do `{line}`")),
            _ => None,
        }
    };
    let tests = Some(format!("`.ci/run` has no `{ALL_TESTS}`")).filter(|_| !ci.contains(ALL_TESTS));
    ELSEWHERE.iter().filter_map(wrong).chain(tests).collect()
}
