//! What the other configs make of a record: tasks with a prompt and an answer, in both directions, forward and backward.

use super::Config;
use crate::check::{BackwardProof, Proof, proof};
use crate::compare::all_finite;
use crate::judges::Launch;
use crate::make;
use crate::mutants::rejected;
use crate::record::{Record, example_seed};
use crate::trials::shapes;
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::back::python;
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::Arg;
use kernel_ir::gradcheck;
use serde_json::{Map, Value, json};

/// The file that holds the answer to a task of `rl`.
const ANSWER: &str = "answer.cu";
/// The file that holds its test, without the ending.
const TEST: &str = "test";

/// From which text to which.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    PythonToCuda,
    CudaToPython,
    PythonToCudaBackward,
    CudaBackwardToPython,
}

impl Task {
    const ALL: [Task; 4] =
        [Task::PythonToCuda, Task::CudaToPython, Task::PythonToCudaBackward, Task::CudaBackwardToPython];

    fn name(self) -> &'static str {
        match self {
            Task::PythonToCuda => "python_to_cuda",
            Task::CudaToPython => "cuda_to_python",
            Task::PythonToCudaBackward => "python_to_cuda_backward",
            Task::CudaBackwardToPython => "cuda_backward_to_python",
        }
    }

    /// What is asked, and the answer; none if the record has not both texts.
    fn of(self, record: &Record) -> Option<(String, String)> {
        let python = ("python", record.python_source.as_str());
        let cuda = record.cuda_forward.as_deref().map(|text| ("cuda", text));
        let backward = record.cuda_backward.as_deref().map(|text| ("cuda", text));
        let name = &record.metadata.kernel_name;
        let (ask, from, to) = match self {
            Task::PythonToCuda => {
                let head = head(cuda?.1);
                (
                    format!(
                        "Translate the NVIDIA Warp kernel `{name}` to CUDA C++, with these types and this signature:\n\n{head}"
                    ),
                    python,
                    cuda?,
                )
            }
            Task::CudaToPython => {
                (format!("Translate the CUDA kernel `{name}` to a Python module for NVIDIA Warp."), cuda?, python)
            }
            Task::PythonToCudaBackward => {
                let head = head(backward?.1);
                let ask = format!(
                    "Write the adjoint (reverse mode) of the NVIDIA Warp kernel `{name}` in CUDA C++, with these \
                     types and this signature. It takes the arguments as they were before the launch, and adds to each `adj_x`, which \
                     for an array that the kernel writes holds the adjoint of the result:\n\n{head}"
                );
                (ask, python, backward?)
            }
            Task::CudaBackwardToPython => {
                let ask = format!(
                    "This CUDA kernel is the adjoint (reverse mode) of a kernel `{name}`. Write `{name}` itself as a \
                     Python module for NVIDIA Warp."
                );
                (ask, backward?, python)
            }
        };
        Some((format!("{ask}\n\n{}", fenced(from)), fenced(to)))
    }
}

/// The rows that `config` has for `record`.
///
/// # Errors
/// A sentence that says what does not fit in the record.
pub(crate) fn rows(config: Config, record: &Record) -> Result<Vec<Value>, String> {
    let tasks = || Task::ALL.into_iter().filter_map(|task| Some((task, task.of(record)?)));
    match config {
        Config::Default => serde_json::to_value(record).map(|row| vec![row]).map_err(|error| error.to_string()),
        Config::Sft => Ok(tasks()
            .map(|(task, (prompt, completion))| {
                row([("prompt", json!(prompt)), ("completion", json!(completion))], task, record)
            })
            .collect()),
        Config::Chat => Ok(tasks()
            .map(|(task, (prompt, completion))| {
                let messages = json!([message("user", &prompt), message("assistant", &completion)]);
                row([("messages", messages)], task, record)
            })
            .collect()),
        Config::Rl => rl(record),
        Config::Contrast => contrast(record),
    }
}

/// What seeds of the launches of tests have, and those of examples and trials have not.
const HELD_OUT: u64 = 1 << 49;

/// The tasks whose answers are CUDA texts, with a program that tests them: it makes the launch of the example, and launches
/// of other sizes and with other inputs, which an answer that knows the example does not know.
fn rl(record: &Record) -> Result<Vec<Value>, String> {
    let Proof { kernel, launch, backward } = proof(record)?;
    let others = held_out(record, &kernel);
    let mut rows = Vec::new();
    let mut add = |task: Task, kernel: &CheckedKernel, launches: Vec<Launch>| {
        let Some((prompt, _)) = task.of(record) else { return };
        // No program can say what is right where terms cancel to nothing, as in the launch of an adjoint by itself they may,
        // or where a result is no number: which NaN it is differs from device to device.
        let tested: Vec<(Launch, Vec<Arg>)> = launches
            .into_iter()
            .filter(|launch| all_finite(&launch.after))
            .filter_map(|launch| {
                let allowed = launch.tolerances(kernel).ok()?;
                Some((launch, allowed))
            })
            .collect();
        if tested.is_empty() {
            return;
        }
        let launches: Vec<c::Launch<'_>> = tested
            .iter()
            .map(|(Launch { dim, before, after }, allowed)| c::Launch { dim, before, after, allowed })
            .collect();
        let test = c::write_program(kernel, &format!("#include \"{ANSWER}\"\n"), &launches, TEST);
        let fields = [
            ("prompt", json!([message("user", &prompt)])),
            ("test", json!(test)),
            ("build_command", json!(format!("nvcc -O2 -fmad=false {TEST}.cu -o {TEST}"))),
            ("host_build_command", json!(format!("g++ -O2 -ffp-contract=off -DWEFT_HOST -x c++ {TEST}.cu -o {TEST}"))),
            ("test_command", json!(format!("./{TEST}"))),
            ("entry_point", json!(c::entry_name(kernel))),
            ("launches", json!(launches.iter().map(|launch| launch.dim).collect::<Vec<_>>())),
        ];
        rows.push(row(fields, task, record));
    };
    add(Task::PythonToCuda, &kernel, [launch].into_iter().chain(others.iter().cloned()).collect());
    if let Some(BackwardProof { adjoint, launch, .. }) = backward {
        let follows = |(number, launch): (u64, &Launch)| {
            let weights = |id| gradcheck::weights(&kernel, &launch.before, held_out_seed(record, number), id);
            launch.backward(&kernel, &adjoint, weights).ok()
        };
        let more = (0..).zip(&others).filter_map(follows);
        add(Task::PythonToCudaBackward, &adjoint.kernel, [launch].into_iter().chain(more).collect());
    }
    Ok(rows)
}

/// Launches of `kernel` besides the example: of one thread, of one more than a warp, uneven ones.
fn held_out(record: &Record, kernel: &CheckedKernel) -> Vec<Launch> {
    let launch = |(number, dim): (u64, &&[usize])| {
        make::launch(kernel, dim, |draw| held_out_seed(record, number << 8 | draw)).ok()
    };
    (1..).zip(shapes(kernel.dim)).filter_map(launch).collect()
}

fn held_out_seed(record: &Record, number: u64) -> u64 {
    example_seed(&record.ir, record.metadata.seed, HELD_OUT | number)
}

/// The tasks with a wrong answer beside the right one: the text of a kernel with a mistake, which was run, and which left other
/// results than the example has.
fn contrast(record: &Record) -> Result<Vec<Value>, String> {
    let Proof { kernel, launch, backward } = proof(record)?;
    let forward = launch.tolerances(&kernel).ok().map(|allowed| (&kernel, &launch, allowed));
    let adjoint = backward.as_ref().and_then(|BackwardProof { adjoint, launch, .. }| {
        let allowed = launch.tolerances(&adjoint.kernel).ok()?;
        Some((&adjoint.kernel, launch, allowed))
    });
    let row = |task: Task| {
        let (prompt, chosen) = task.of(record)?;
        let asked = if task == Task::PythonToCudaBackward { &adjoint } else { &forward };
        let (kernel, launch, allowed) = asked.as_ref()?;
        let (mutant, mistake) = rejected(kernel, launch, allowed, seed(record, task))?;
        let rejected = match task {
            Task::PythonToCuda | Task::PythonToCudaBackward => fenced(("cuda", &c::write(&mutant, Dialect::Cuda))),
            Task::CudaToPython | Task::CudaBackwardToPython => fenced(("python", &python::write(&mutant))),
        };
        let fields = [
            ("prompt", json!(prompt)),
            ("chosen", json!(chosen)),
            ("rejected", json!(rejected)),
            ("mistake", json!(mistake.name())),
        ];
        (rejected != chosen).then(|| self::row(fields, task, record))
    };
    Ok(Task::ALL.into_iter().filter_map(row).collect())
}

/// What the mistake of a wrong answer is drawn by.
fn seed(record: &Record, task: Task) -> u64 {
    let hash = blake3::hash(format!("weft contrast {} {}", record.id, task.name()).as_bytes());
    hash.as_bytes()[..8].iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// A row of these fields, and of what every row says of its record.
fn row<const N: usize>(fields: [(&str, Value); N], task: Task, record: &Record) -> Value {
    let from = [
        ("id", json!(record.id)),
        ("task", json!(task.name())),
        ("category", json!(record.metadata.category)),
        ("skeleton_id", json!(record.skeleton_id)),
    ];
    let row: Map<String, Value> =
        fields.into_iter().chain(from).map(|(name, value)| (name.to_owned(), value)).collect();
    Value::Object(row)
}

fn message(role: &str, content: &str) -> Value {
    json!({ "role": role, "content": content })
}

fn fenced((language, text): (&str, &str)) -> String {
    format!("```{language}\n{}\n```", text.trim_end())
}

/// The types that a CUDA kernel's signature names, and the signature, as a block of code.
fn head(cuda: &str) -> String {
    let mut head = String::new();
    let mut lines = cuda.lines();
    while let Some(line) = lines.next() {
        let end = match line {
            _ if line.starts_with("using index_t") => line,
            _ if line.starts_with("struct ") => "};",
            _ if line.starts_with("extern \"C\" __global__") => ") {",
            _ => continue,
        };
        head += line;
        head.push('\n');
        if line != end {
            for line in lines.by_ref() {
                head += line;
                head.push('\n');
                if line == end {
                    break;
                }
            }
        }
        head.push('\n');
    }
    let head = head.trim_end().trim_end_matches('{').trim_end();
    fenced(("cuda", &format!("{head};")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Dataset;
    use expect_test::expect;

    /// A record with an adjoint.
    fn record() -> Record {
        let dataset = Dataset::new(&[]);
        dataset.generate(&["--source", "synth", "--count", "20", "--family", "math"]).unwrap();
        dataset.records().into_iter().find(|record| record.cuda_backward.is_some()).expect("some have gradients")
    }

    #[test]
    fn every_config_has_the_columns_of_its_table() {
        let record = record();
        for config in [Config::Sft, Config::Chat, Config::Rl, Config::Contrast] {
            let rows = rows(config, &record).unwrap();
            assert_eq!(rows.len(), if config == Config::Rl { 2 } else { 4 });
            for row in rows {
                let names = row.as_object().unwrap().keys().map(String::as_str);
                assert!(names.eq(config.columns().iter().map(|column| column.name)), "{row}");
            }
        }
    }

    #[test]
    fn both_directions_are_there_forward_and_backward() {
        let record = record();
        let rows = rows(Config::Sft, &record).unwrap();
        let text = |row: usize, field: &str| rows[row][field].as_str().unwrap().to_owned();
        assert!(text(0, "prompt").contains(record.python_source.trim_end()));
        assert!(text(0, "completion").contains(record.cuda_forward.as_deref().unwrap().trim_end()));
        assert!(text(1, "completion").contains(record.python_source.trim_end()));
        assert!(text(2, "completion").contains(record.cuda_backward.as_deref().unwrap().trim_end()));
        assert!(text(3, "prompt").contains(record.cuda_backward.as_deref().unwrap().trim_end()));
    }

    #[test]
    fn a_rejected_answer_is_the_chosen_one_with_a_mistake() {
        let record = record();
        let contrast = rows(Config::Contrast, &record).unwrap();
        let sft = rows(Config::Sft, &record).unwrap();
        assert_eq!(contrast, rows(Config::Contrast, &record).unwrap());
        for (row, right) in contrast.iter().zip(&sft) {
            assert_eq!([&row["prompt"], &row["chosen"]], [&right["prompt"], &right["completion"]]);
            let lines = |field: &str| row[field].as_str().unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
            let (chosen, rejected) = (lines("chosen"), lines("rejected"));
            // The signature is the same, and so is most of the text.
            assert_eq!(chosen[0], rejected[0]);
            let kept = rejected.iter().filter(|line| chosen.contains(line)).count();
            assert!(kept < rejected.len() || rejected.len() < chosen.len(), "{row}");
            assert!(2 * kept > rejected.len(), "{row}");
        }
    }

    #[test]
    fn types_and_signature_are_those_of_the_text() {
        let cuda = "using index_t = unsigned int;\n\nstruct vec2 {\n    float x, y;\n};\n\n__device__ inline float f() { return 1; }\n\n/// Doc.\nextern \"C\" __global__ void wave(\n    float a,\n    index_t dim\n) {\n}\n";
        expect![[r#"
            ```cuda
            using index_t = unsigned int;

            struct vec2 {
                float x, y;
            };

            extern "C" __global__ void wave(
                float a,
                index_t dim
            );
            ```"#]]
        .assert_eq(&head(cuda));
    }
}
