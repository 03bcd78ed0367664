//! A target that exists only in this test: a writer ([`writer`]) and a row of the table. It must appear in `show`, in
//! records and in the schema, although no other code of the tool knows it.
//!
//! The binary is both the tool with this target linked in, and the test that runs it.

mod writer;

use kernel_ir::target::{Capabilities, Target, Tasks, Writer};
use kernel_ir::text;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, ExitCode};

inventory::submit! {
    gen_dataset::ExtraTarget(Target {
        id: "toy",
        device: "toy",
        name: "Toy",
        language: "Toy assembly",
        columns: ["the kernel in Toy assembly", "its adjoint in Toy assembly; null if it has none"],
        extension: "toy",
        capabilities: Capabilities { f64: false, ..Capabilities::ALL },
        writer: Writer::Own(writer::write),
        judges: &[],
        tasks: Tasks::None,
        is_default: true,
    })
}

/// The environment variable that makes the process act as the tool.
const AS_TOOL: &str = "WEFT_TEST_AS_TOOL";

fn main() -> ExitCode {
    if std::env::var_os(AS_TOOL).is_some() {
        return gen_dataset::main();
    }
    let folder = tempfile::tempdir().expect("a folder");
    it_is_shown();
    let dataset = folder.path().join("dataset");
    it_is_in_records(&dataset);
    it_is_in_the_schema();
    judges_take_the_texts_of_their_targets(&dataset);
    ExitCode::SUCCESS
}

/// The output of the tool for `args`.
fn tool(args: &[&str]) -> String {
    let this = std::env::current_exe().expect("this program has a path");
    let output = Command::new(this).args(args).env(AS_TOOL, "1").output().expect("it starts");
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("the tool prints UTF-8")
}

fn it_is_shown() {
    assert_eq!(tool(&["show", "saxpy", "--only", "toy"]), "kernel saxpy: 2 statements\n");
    assert!(tool(&["show", "saxpy", "--only", "toy-backward"]).starts_with("kernel saxpy_backward: "));
    assert!(tool(&["generate", "--help"]).contains("toy"), "the device is an option");
}

fn it_is_in_records(dataset: &Path) {
    let path = dataset.to_str().expect("UTF-8");
    tool(&["generate", "--family", "arithmetic,matrix", "--output", path]);
    let rows = std::fs::read_to_string(dataset.join("data/default/train-00000-of-00001.jsonl")).expect("records");
    let mut refused = 0;
    for row in rows.lines() {
        let record: Value = serde_json::from_str(row).expect("a record");
        let kernel = text::parse(record["ir"].as_str().expect("text")).expect("IR");
        let needs_f64 = Capabilities::needed_by(&kernel).f64;
        assert_eq!(record["toy_forward"].is_null(), needs_f64, "{}", record["metadata"]["kernel_name"]);
        assert!(record["cuda_forward"].is_string());
        refused += usize::from(needs_f64);
    }
    assert!(refused > 0, "no kernel needs what the toy lacks");
    tool(&["validate", path, "--judges", "none"]);

    let only = dataset.with_extension("only");
    tool(&["generate", "--family", "arithmetic", "--device", "toy", "--output", only.to_str().expect("UTF-8")]);
    let rows = std::fs::read_to_string(only.join("data/default/train-00000-of-00001.jsonl")).expect("records");
    let record: Value = serde_json::from_str(rows.lines().next().expect("a record")).expect("a record");
    assert!(record["toy_forward"].is_string() && record["cuda_forward"].is_null());
}

fn it_is_in_the_schema() {
    let schema: Value = serde_json::from_str(&tool(&["schema"])).expect("JSON");
    assert!(schema["properties"]["toy_backward"].is_object(), "{schema}");
}

/// A judge must be refused if the dataset has none of the texts that it reads.
fn judges_take_the_texts_of_their_targets(dataset: &Path) {
    let refusal = |device: &str, judge: &str| {
        let this = std::env::current_exe().expect("this program has a path");
        let mut command = Command::new(this);
        command
            .args(["generate", "--device", device, "--judges", judge, "--output"])
            .arg(dataset.with_extension("judged"));
        let output = command.env(AS_TOOL, "1").output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{device} {judge}");
        String::from_utf8(output.stderr).expect("the tool prints UTF-8")
    };
    let why = refusal("toy", "cxx");
    assert!(why.contains("the judge `cxx` needs the C++ or the CUDA text, which `--device toy` leaves out"), "{why}");
    let why = refusal("cpu", "nvrtc");
    assert!(why.contains("the judge `nvrtc` needs the CUDA text, which `--device cpu` leaves out"), "{why}");
}
