//! The throughput of dataset generation, beside NVIDIA Warp's own code generator on the same kernels, in the same run.
//!
//! ```text
//! cargo bench -p gen-dataset --bench throughput             # 4,000 records
//! cargo bench -p gen-dataset --bench throughput 1000000     # so many
//! cargo bench -p gen-dataset --bench throughput -- --text-only     # text only, without Warp
//! ```
//!
//! - *text only*: from the IR of a kernel to its texts in Rust, Python, C++ and CUDA, its adjoint, and the texts of the
//!   adjoint.
//! - *proven, as Parquet*: the tool itself. It draws a kernel, writes and reads back its texts, executes launches,
//!   compares the adjoint with dual numbers, removes duplicates, and writes the record.
//!
//! Warp gets the Python texts of the same records, several kernels in a file, and generates CUDA, forward and backward.
//! It runs on one core, because Warp's code generator has no threads. Warp is that of `scripts/install-judges.sh`.

use kernel_ir::back::{c, python, rust};
use kernel_ir::verify::{VerifiedKernel, verify};
use kernel_ir::{adjoint, text};
use mimalloc::MiMalloc;
use rayon::prelude::*;
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The allocator of the tool.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The number of records, if the command line has none.
const RECORDS: usize = 4000;

/// The number of records for Warp.
const FOR_WARP: usize = 1000;

/// The number of kernels in a file.
const KERNELS_IN_A_FILE: usize = 50;

/// The number of rounds. The fastest counts.
const ROUNDS: usize = 3;

#[expect(clippy::print_stdout, reason = "that is what a benchmark is for")]
fn main() {
    // Cargo passes `--bench`.
    let records = std::env::args().find_map(|arg| arg.parse().ok()).unwrap_or(RECORDS);
    let text_only = std::env::args().any(|arg| arg == "--text-only");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sample = sample(folder.path());
    let warp = if text_only { None } else { Warp::generate(&sample, folder.path()) };
    match &warp {
        Some(warp) => println!("{}: {} kernels, {:.0} a second", warp.version, warp.kernels, warp.rate),
        None if text_only => {}
        None => println!("SKIPPED: no Warp; `scripts/install-judges.sh` installs it"),
    }
    let beside = |rate: f64, goal: u32| match &warp {
        Some(warp) => format!("{rate:.0} a second, {:.0} times Warp's rate (goal: {goal})", rate / warp.rate),
        None => format!("{rate:.0} a second"),
    };

    let kernels: Vec<VerifiedKernel> = sample.iter().map(|record| read(string(record, "ir"))).collect();
    let best = |run: &dyn Fn()| {
        let seconds = (0..ROUNDS).map(|_| time(run)).min().unwrap_or_default();
        kernels.len() as f64 / seconds.as_secs_f64()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("text only, one core: {}", beside(best(&|| kernels.iter().for_each(write_all)), 200));
    println!("text only, {cores} cores: {}", beside(best(&|| kernels.par_iter().for_each(write_all)), 200));
    if text_only {
        return;
    }

    let mut alone = None;
    for jobs in if cores > 1 { vec![1, cores] } else { vec![1] } {
        let made = Made::new(records, jobs, &folder.path().join(format!("jobs{jobs}")));
        let rate = records as f64 / made.seconds;
        let speedup = alone.map_or_else(String::new, |alone| format!(", {:.2} times one core", rate / alone));
        println!("proven, as Parquet, {jobs} cores: {}{speedup}", beside(rate, 50));
        println!("  {records} records, {:.1} s, at most {} MB of memory", made.seconds, made.memory >> 20);
        alone.get_or_insert(rate);
    }
}

fn time(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// The records for both measurements.
fn sample(folder: &Path) -> Vec<Value> {
    let output = folder.join("sample");
    let made = generate(FOR_WARP, &["--format", "jsonl"], &output).status().expect("the tool runs");
    assert!(made.success(), "the tool makes a dataset");
    let file = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("the folder can be read").path();
    let mut shards: Vec<PathBuf> = std::fs::read_dir(output.join("data/default")).expect("data").map(file).collect();
    shards.sort();
    let lines = shards.iter().map(|shard| std::fs::read_to_string(shard).expect("a shard is text"));
    lines
        .flat_map(|text| text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect::<Vec<_>>())
        .collect()
}

/// The command that makes `records` records with the tool.
fn generate(records: usize, arguments: &[&str], output: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gen-dataset"));
    command.args(["generate", "--source", "synth", "--count", &records.to_string(), "--output"]).arg(output);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn string<'a>(record: &'a Value, field: &str) -> &'a str {
    record[field].as_str().expect("a text field")
}

fn read(ir: &str) -> VerifiedKernel {
    verify(text::parse(ir).expect("the record holds IR")).expect("it is a kernel")
}

/// Writes all texts of a kernel.
fn write_all(kernel: &VerifiedKernel) {
    std::hint::black_box((rust::write(kernel), python::write(kernel), c::write_both(kernel)));
    if let Some(backward) = adjoint::differentiate(kernel).expect("it has been differentiated") {
        std::hint::black_box(c::write_both(&backward.kernel));
    }
}

/// The result of a run of the tool.
struct Made {
    seconds: f64,
    /// The peak memory in bytes.
    memory: u64,
}

impl Made {
    fn new(records: usize, jobs: usize, output: &Path) -> Made {
        let start = Instant::now();
        let arguments = ["--format", "parquet", "--jobs", &jobs.to_string()];
        let mut process = generate(records, &arguments, output).spawn().expect("the tool runs");
        let mut memory = 0;
        let status = loop {
            if let Some(status) = process.try_wait().expect("a child can be waited for") {
                break status;
            }
            memory = peak(process.id()).unwrap_or(0).max(memory);
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "the tool makes a dataset");
        Made { seconds: start.elapsed().as_secs_f64(), memory }
    }
}

/// The peak memory of a process so far in bytes, where the system reports it.
fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes << 10)
}

/// The result of Warp's code generator.
struct Warp {
    version: String,
    kernels: usize,
    /// Kernels per second.
    rate: f64,
}

impl Warp {
    /// Lets Warp generate CUDA from the records. `None` without Warp.
    fn generate(records: &[Value], folder: &Path) -> Option<Warp> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let judges = std::env::var_os("WEFT_JUDGES").map_or(root.join("../.judges"), PathBuf::from);
        let output = Command::new(judges.join("venv/bin/python"))
            .arg(root.join("benches/warp_codegen.py"))
            .args(files(records, folder))
            .output()
            .ok()?;
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
        let version = said.lines().find(|line| line.starts_with("Warp "))?.to_owned();
        let (seconds, kernels) = said.lines().find_map(|line| line.strip_prefix("took ")?.split_once(' '))?;
        let (seconds, kernels): (f64, usize) = (seconds.parse().ok()?, kernels.parse().ok()?);
        Some(Warp { version, kernels, rate: kernels as f64 / seconds })
    }
}

/// Writes the Python texts to files, so that no name is defined twice in a file.
fn files(records: &[Value], folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<(HashSet<String>, String)> = Vec::new();
    let mut in_file = 0;
    for record in records {
        let text = string(record, "python_source");
        let name = |line: &str| line.strip_prefix("def ").map(|rest| rest.split('(').next().unwrap_or(rest).to_owned());
        let names: HashSet<String> = text.lines().filter_map(name).collect();
        let fits = files.last().is_some_and(|(taken, _)| in_file < KERNELS_IN_A_FILE && taken.is_disjoint(&names));
        if !fits {
            files.push((HashSet::new(), String::new()));
            in_file = 0;
        }
        if let Some((taken, file)) = files.last_mut() {
            taken.extend(names);
            file.push_str(text);
            file.push('\n');
            in_file += 1;
        }
    }
    let write = |(number, (_, text)): (usize, (HashSet<String>, String))| {
        let path = folder.join(format!("kernels_{number}.py"));
        std::fs::write(&path, text).expect("the temporary folder can be written to");
        path
    };
    files.into_iter().enumerate().map(write).collect()
}
