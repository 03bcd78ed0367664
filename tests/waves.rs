//! The program of `docs/guide/your-own-dataset.md`. The binary is both the tool with the kernels of that page, and the
//! test that runs the commands of the page.

use kernel_rt::prelude::*;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The height of a wave that travels to the right.
#[kernel(family = "waves")]
fn travelling(
    #[domain(0.0..10.0)] time: f64,
    #[domain(0.5..2.0)] speed: f64,
    #[domain(0.0..6.0)] x: &[f64],
    height: &mut [f64],
) {
    let i = tid();
    height[i] = (x[i] - speed * time).sin();
}

/// The sum of waves that start at four points, each with an amplitude.
#[kernel(family = "waves")]
fn superposition(
    #[domain(-1.0..1.0)]
    #[shape(4)]
    amplitude: &[f64],
    #[domain(0.0..6.0)]
    #[shape(4)]
    origin: &[f64],
    #[domain(0.0..6.0)] x: &[f64],
    height: &mut [f64],
) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..origin.len() {
        sum += amplitude[k] * (x[i] - origin[k]).cos();
    }
    height[i] = sum;
}

/// The environment variable that makes the process act as the tool.
const AS_TOOL: &str = "WEFT_TEST_AS_TOOL";

/// The command by which the page calls the tool.
const CALL: &str = "cargo run --release -- ";

fn main() -> ExitCode {
    if std::env::var_os(AS_TOOL).is_some() {
        return gen_dataset::main();
    }
    let page = include_str!("../docs/guide/your-own-dataset.md");
    the_kernels_are_those_of(page);
    the_commands_run(page);
    ExitCode::SUCCESS
}

fn the_kernels_are_those_of(page: &str) {
    let (_, block) = page.split_once("```rust,no_run\n").expect("the page has the program");
    let (block, _) = block.split_once("```").expect("the block ends");
    let kernels = &block[block.find("///").expect("a kernel")..block.find("fn main").expect("a program")];
    assert!(include_str!("waves.rs").contains(kernels), "the page has other kernels:\n{kernels}");
}

fn the_commands_run(page: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(CALL)).collect();
    let outputs: Vec<String> = commands.iter().map(|command| tool(folder.path(), command)).collect();
    let output_of = |verb: &str| {
        let place = commands.iter().position(|command| command.starts_with(verb));
        &outputs[place.unwrap_or_else(|| panic!("the page has no `{verb}`"))]
    };
    assert!(output_of("list").contains("travelling") && !output_of("list").contains("saxpy"));
    assert!(output_of("show").contains("@wp.kernel"), "{}", output_of("show"));
    output_of("validate");
    output_of("audit");
    let records = folder.path().join("waves/data/default");
    let files =
        std::fs::read_dir(records).expect("the page writes to `waves`").map(|file| file.expect("a file").path());
    let records: String = files.map(|file| std::fs::read_to_string(file).expect("JSONL")).collect();
    assert_eq!(records.lines().count(), 2, "both kernels are records");
}

/// The output of the tool for `arguments`.
fn tool(folder: &Path, arguments: &str) -> String {
    let this = std::env::current_exe().expect("this program has a path");
    let mut command = Command::new(this);
    let output = command
        .args(arguments.replace('\'', "").split(' '))
        .env(AS_TOOL, "1")
        .current_dir(folder)
        .output()
        .expect("it starts");
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the tool prints UTF-8")
}
