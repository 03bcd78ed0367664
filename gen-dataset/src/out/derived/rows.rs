//! The rows of a record in each derived config: tasks with a prompt and an answer, in both directions, for kernel and
//! adjoint.

use super::prompts;
use super::recoverable;
use super::task::{Direction, Task};
use crate::model::{Config, DecodedAdjoint, DecodedRecord, Launch, Record, all_finite, decode, read_kernel};
use crate::mutants::mutate::rejected;
use crate::prove::launches::{self, shapes};
use crate::source::identity::example_seed;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::back::c;
use kernel_ir::back::python;
use kernel_ir::data::Arg;
use kernel_ir::gradcheck;
use kernel_ir::ir::Kernel;
use kernel_ir::target::{self, Tasks};
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::Pass;
use serde_json::{Map, Value, json};

/// The file of the answer to a task of `rl`.
const ANSWER: &str = "answer.cu";
/// The stem of the file of its test.
const TEST: &str = "test";

/// The prompt and the answer. `None` if the record lacks one of the two texts, or if one does not determine the other.
fn ask_and_answer(task: Task, record: &Record) -> Option<(String, String)> {
    let python = ("python", record.python_source.as_str());
    let text = match task.pass {
        Pass::Forward => record.targets.forward(task.target.id),
        Pass::Backward => record.targets.backward(task.target.id),
    };
    let target = (task.target.id, text?);
    let (from, to) = match task.direction {
        Direction::ToTarget => (python, target),
        Direction::ToPython => (target, python),
    };
    let params = match (task.direction, task.pass) {
        // A shader does not show how values and arrays alternate.
        (Direction::ToPython, Pass::Forward) if task.target.tasks == Tasks::Shaders => params(record)?,
        // Only this task asks for a kernel from its adjoint, which may not show all of it.
        (Direction::ToPython, Pass::Backward) => params_if_shown(record)?,
        _ => Vec::new(),
    };
    let head = match task.target.tasks {
        Tasks::Shaders => head(target, &OF_SHADER, ""),
        Tasks::Kernels | Tasks::None => head(target, &OF_KERNEL, ";"),
    };
    let ask = prompts::ask(task, record, &head, &params);
    Some((format!("{ask}\n\n{}", fenced(from)), fenced(to)))
}

/// The parameters of the kernel, if its adjoint determines it.
fn params_if_shown(record: &Record) -> Option<Vec<String>> {
    let kernel = read_kernel(&record.ir).ok()?;
    let backward = adjoint::differentiate(&kernel).ok()??;
    if recoverable::is_recoverable(&kernel, &backward) { params(record) } else { None }
}

/// The parameters of the kernel.
fn params(record: &Record) -> Option<Vec<String>> {
    let kernel = read_kernel(&record.ir).ok()?;
    Some(kernel.params.iter().map(|param| param.name.clone()).collect())
}

/// The rows of `record` in `config`. `programs` adds test programs to those of `rl`.
///
/// # Errors
/// A sentence about the part of the record that does not fit.
pub(crate) fn rows(config: Config, record: &Record, programs: bool) -> Result<Vec<Value>, String> {
    let tasks = || Task::all().filter_map(|task| Some((task, ask_and_answer(task, record)?)));
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
        Config::Rl => rl(record, programs),
        Config::Contrast => contrast(record),
    }
}

/// A bit that is set in the seeds of the launches of tests, and in no seed of examples and trials.
const HELD_OUT: u64 = 1 << 49;

/// The tasks whose answers are CUDA texts. `programs` adds a program that tests the answer: it makes the launch of the
/// example, and launches with other sizes and inputs, which an answer that only knows the example fails.
fn rl(record: &Record, programs: bool) -> Result<Vec<Value>, String> {
    let rows = |Candidate { pass, kernel, data, launches }: Candidate| {
        let tasks = Task::all().filter(move |task| {
            task.target.tasks == Tasks::Kernels && task.direction == Direction::ToTarget && task.pass == pass
        });
        let prompts: Vec<(Task, String)> =
            tasks.filter_map(|task| Some((task, ask_and_answer(task, record)?.0))).collect();
        if prompts.is_empty() {
            return Vec::new();
        }
        let Some(tested) = tested(&data, launches) else { return Vec::new() };
        let program = if programs { program(&kernel, &tested) } else { Vec::new() };
        let row = |(task, prompt): &(Task, String)| {
            let fields = [
                ("prompt", json!([message("user", prompt)])),
                ("entry_point", json!(c::entry_name(&kernel))),
                ("ir", json!(record.ir)),
                ("seed", json!(record.metadata.seed)),
            ];
            self::row(fields.into_iter().chain(program.iter().cloned()), *task, record)
        };
        prompts.iter().map(row).collect()
    };
    Ok(candidates(record)?.into_iter().flat_map(rows).collect())
}

/// The fields of the program that tests an answer by these launches.
fn program(kernel: &VerifiedKernel, tested: &[(Launch, Vec<Arg>)]) -> Vec<(&'static str, Value)> {
    let launches: Vec<c::RecordedLaunch<'_>> = tested
        .iter()
        .map(|(Launch { dim, before, after }, allowed)| c::RecordedLaunch { dim, before, after, allowed })
        .collect();
    let test = c::write_program(kernel, &format!("#include \"{ANSWER}\"\n"), &launches, TEST);
    vec![
        ("test", json!(test)),
        ("build_command", json!(format!("nvcc -O2 -fmad=false {TEST}.cu -o {TEST}"))),
        ("host_build_command", json!(format!("g++ -O2 -ffp-contract=off -DWEFT_HOST -x c++ {TEST}.cu -o {TEST}"))),
        ("test_command", json!(format!("./{TEST}"))),
        ("launches", json!(launches.iter().map(|launch| launch.dim).collect::<Vec<_>>())),
    ]
}

/// A text to ask for, with groups of launches. The launches of a group belong together, as those of an adjoint that
/// counts winners.
struct Candidate {
    pass: Pass,
    /// The kernel, or its adjoint.
    kernel: VerifiedKernel,
    /// The same with the [columns] that the launches have.
    data: VerifiedKernel,
    launches: Vec<Vec<Launch>>,
}

/// The kernel and, if there is one, its adjoint.
fn candidates(record: &Record) -> Result<Vec<Candidate>, String> {
    let DecodedRecord { kernel, data, launch, backward, .. } = decode(record)?;
    let others = held_out(record, &data);
    let follows = |adjoint: &Backward, (number, launch): (u64, &Launch)| {
        let weights = |id| gradcheck::weights(&data, &launch.before, held_out_seed(record, &data, number), id);
        launch.backward(&data, adjoint, weights).ok()
    };
    let of_adjoint = backward.map(|DecodedAdjoint { adjoint, data, launches }| {
        let more = (0..).zip(&others).filter_map(|other| follows(&data, other));
        let launches = [launches].into_iter().chain(more).map(|launches| launches.into_iter().collect()).collect();
        Candidate { pass: Pass::Backward, kernel: adjoint.kernel, data: data.kernel, launches }
    });
    let launches = [launch].into_iter().chain(others.iter().cloned()).map(|launch| vec![launch]).collect();
    let forward = Candidate { pass: Pass::Forward, kernel, data: data.clone(), launches };
    Ok([forward].into_iter().chain(of_adjoint).collect())
}

/// The launches of those groups in `launches` that a program can judge for a kernel by another author, with their
/// tolerances. `None` if they would not distinguish a right kernel from a trivial one.
///
/// A launch cannot be judged if the order of threads shows in its result, if terms cancel to nothing (as they may in an
/// adjoint by itself), if an integer depends on a rounding, or if a result is NaN, whose bits differ between devices.
fn tested(kernel: &VerifiedKernel, launches: Vec<Vec<Launch>>) -> Option<Vec<(Launch, Vec<Arg>)>> {
    if c::depends_on_order(kernel) {
        return None;
    }
    let allowed = |launch: Launch| {
        let is_decided = all_finite(&launch.after);
        let allowed = launch.tolerances_when_reassociated(kernel).ok().filter(|_| is_decided)?;
        Some((launch, allowed))
    };
    let whole = |group: Vec<Launch>| group.into_iter().map(allowed).collect::<Option<Vec<_>>>();
    let tested: Vec<Vec<(Launch, Vec<Arg>)>> = launches.into_iter().filter_map(whole).collect();
    // At least one launch must change something and have several threads. Otherwise a kernel that does nothing passes,
    // or one that ignores its thread index.
    let tells = |launch: &Launch| launch.before != launch.after && launch.dim.iter().product::<usize>() > 1;
    let phases = 0..tested.first()?.len();
    let all_tell = phases.into_iter().all(|phase| tested.iter().any(|group| tells(&group[phase].0)));
    all_tell.then(|| tested.into_iter().flatten().collect())
}

/// Launches of `kernel` besides the example: one thread, one more than a warp, odd sizes.
fn held_out(record: &Record, kernel: &VerifiedKernel) -> Vec<Launch> {
    let launch = |(number, dim): (u64, &&[usize])| {
        launches::launch(kernel, dim, |draw| held_out_seed(record, kernel, number << 8 | draw)).ok()
    };
    (1..).zip(shapes(kernel)).filter_map(launch).collect()
}

fn held_out_seed(record: &Record, kernel: &Kernel, number: u64) -> u64 {
    example_seed(kernel, &record.ir, record.metadata.seed, HELD_OUT | number)
}

/// The tasks with a right and a wrong answer. The wrong answer is the text of a mutant, which was executed and gave
/// other results than the example.
fn contrast(record: &Record) -> Result<Vec<Value>, String> {
    let DecodedRecord { kernel, data, launch, backward, .. } = decode(record)?;
    let forward = launch.tolerances(&data).ok().map(|allowed| (&kernel, &launch, allowed));
    let adjoint = backward.as_ref().and_then(|DecodedAdjoint { adjoint, data, launches }| {
        let launch = &launches.gradients;
        let allowed = launch.tolerances(&data.kernel).ok()?;
        Some((&adjoint.kernel, launch, allowed))
    });
    let row = |task: Task| {
        let (prompt, chosen) = ask_and_answer(task, record)?;
        let asked = match (task.direction, task.pass) {
            (Direction::ToTarget, Pass::Backward) => &adjoint,
            _ => &forward,
        };
        let (kernel, launch, allowed) = asked.as_ref()?;
        let (mutant, mistake) = rejected(kernel, launch, allowed, seed(record, task))?;
        let rejected = match task.direction {
            Direction::ToTarget => fenced((task.target.id, &target::write(&[task.target], &mutant).pop()??)),
            Direction::ToPython => fenced(("python", &python::write(&mutant))),
        };
        let fields = [
            ("prompt", json!(prompt)),
            ("chosen", json!(chosen)),
            ("rejected", json!(rejected)),
            ("mistake", json!(mistake.name())),
        ];
        // Another mistake in the IR may give the same text in one language.
        (rejected != chosen).then(|| self::row(fields, task, record))
    };
    Ok(Task::all().filter_map(row).collect())
}

/// The seed of the mistake in a wrong answer.
fn seed(record: &Record, task: Task) -> u64 {
    let hash = blake3::hash(format!("weft contrast {} {}", record.id, task.name()).as_bytes());
    hash.as_bytes()[..8].iter().fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// A row of these fields, followed by the fields that refer to the record.
fn row<'a>(fields: impl IntoIterator<Item = (&'a str, Value)>, task: Task, record: &'a Record) -> Value {
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

/// The parts of a CUDA text that a prompt shows, by the starts of their first lines and the ends of their last ones: the
/// struct types that the kernel's signature names, and the signature.
const OF_KERNEL: [(&str, &str); 3] = [("using index_t", ";"), ("struct ", "};"), ("extern \"C\" __global__", ") {")];

/// Those of a shader: the structs, the bindings and the signature of the entry point.
const OF_SHADER: [(&str, &str); 3] = [("struct ", "}"), ("@group(", ";"), ("@compute ", "{")];

/// Parts of a text and `end`, as a code block.
fn head((language, text): (&str, &str), parts: &[(&str, &str)], end: &str) -> String {
    let mut head = String::new();
    let (mut lines, mut was_line) = (text.lines(), false);
    while let Some(line) = lines.next() {
        let Some((_, last)) = parts.iter().find(|(first, _)| line.starts_with(first)) else { continue };
        let mut part = vec![line];
        while !part.last().is_some_and(|line| line.ends_with(last)) {
            let Some(line) = lines.next() else { break };
            part.push(line);
        }
        // Parts of one line stand together.
        let is_line = part.len() == 1;
        head += match head.is_empty() {
            true => "",
            false if is_line && was_line => "\n",
            false => "\n\n",
        };
        head += &part.join("\n");
        was_line = is_line;
    }
    let head = head.trim_end_matches('{').trim_end();
    fenced((language, &format!("{head}{end}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::fixtures::{Dataset, reassociated};
    use crate::model::differentiate;
    use crate::mutants::mistake::Mistake;
    use crate::mutants::mutate;
    use crate::out::derived::task::Task;
    use expect_test::expect;
    use kernel_ir::{text, verify};
    use std::collections::BTreeSet;
    use std::io::Write;

    /// A record whose adjoint determines its kernel.
    fn record() -> Record {
        let has_all = |record: &Record| Task::all().all(|task| ask_and_answer(task, record).is_some());
        records("math").into_iter().find(has_all).expect("some adjoints show what the kernel is")
    }

    fn records(family: &str) -> Vec<Record> {
        let dataset = Dataset::new(&[]);
        dataset.generate(&["--source", "synth", "--count", "40", "--family", family]).unwrap();
        dataset.records()
    }

    #[test]
    fn every_config_has_the_columns_of_its_table() {
        let record = record();
        for config in [Config::Sft, Config::Chat, Config::Rl, Config::Contrast] {
            let rows = rows(config, &record, true).unwrap();
            assert_eq!(rows.len(), if config == Config::Rl { 2 } else { 8 });
            for row in rows {
                let names = row.as_object().unwrap().keys().map(String::as_str);
                assert!(names.eq(config.columns().iter().map(|column| column.name)), "{row}");
            }
        }
    }

    #[test]
    fn both_directions_are_there_forward_and_backward() {
        let record = record();
        let rows = rows(Config::Sft, &record, true).unwrap();
        let text = |row: usize, field: &str| rows[row][field].as_str().unwrap().to_owned();
        assert!(text(0, "prompt").contains(record.python_source.trim_end()));
        assert!(text(0, "completion").contains(record.targets.forward("cuda").unwrap().trim_end()));
        assert!(text(1, "completion").contains(record.python_source.trim_end()));
        assert!(text(2, "completion").contains(record.targets.backward("cuda").unwrap().trim_end()));
        assert!(text(3, "prompt").contains(record.targets.backward("cuda").unwrap().trim_end()));
    }

    /// Measures how many reassociated kernels and how many mutants the tests accept, with tolerances for reassociation
    /// and with those of the records.
    #[test]
    fn tests_take_what_rounds_elsewhere_and_no_mistakes() {
        let count = std::env::var("WEFT_RL_RECORDS").unwrap_or_else(|_| "52".to_owned());
        let dataset = Dataset::new(&[]);
        dataset.generate(&["--source", "synth", "--count", &count, "--seed", "3"]).unwrap();
        let strict = |kernel: &VerifiedKernel, launches: &[Vec<Launch>]| {
            let allowed = |launch: &Launch| launch.tolerances(kernel).ok().map(|allowed| (launch.clone(), allowed));
            launches.iter().flatten().filter(|launch| all_finite(&launch.after)).filter_map(allowed).collect::<Vec<_>>()
        };
        let passes = |answer: &VerifiedKernel, tested: &[(Launch, Vec<Arg>)]| {
            tested.iter().all(|(launch, allowed)| mutate::run(answer, launch, allowed) == mutate::MutantOutcome::Same)
        };
        #[derive(Default, Debug)]
        struct Figures {
            rows: [usize; 2],
            launches: [usize; 2],
            rewritten: usize,
            taken: [usize; 2],
            mistakes: usize,
            missed: [usize; 2],
        }
        let mut all = Figures::default();
        let mut others = Vec::new();
        for record in dataset.records() {
            for Candidate { data: kernel, launches, .. } in candidates(&record).unwrap() {
                let before = strict(&kernel, &launches);
                all.rows[0] += usize::from(!before.is_empty());
                all.launches[0] += before.len();
                let Some(after) = tested(&kernel, launches) else { continue };
                all.rows[1] += 1;
                all.launches[1] += after.len();
                if let Some(answer) = reassociated(&kernel) {
                    all.rewritten += 1;
                    all.taken[0] += usize::from(passes(&answer, &before));
                    all.taken[1] += usize::from(passes(&answer, &after));
                }
                for mistake in Mistake::ALL {
                    let count = mutate::count(&kernel, mistake);
                    for number in (0..count).step_by(count.div_ceil(3).max(1)) {
                        let Some(mutant) = mutate::mutant(&kernel, mistake, number) else { continue };
                        all.mistakes += 1;
                        let missed = [&before, &after].map(|tested| passes(&mutant, tested));
                        all.missed.iter_mut().zip(missed).for_each(|(count, missed)| *count += usize::from(missed));
                        if missed == [false, true] {
                            let [was, is] = [&kernel, &mutant].map(|kernel| c::write(kernel, c::Dialect::Cuda));
                            let line = is.lines().find(|line| !was.contains(line)).unwrap_or("(a line less)").trim();
                            others.push(format!("{} in {}: {line}", mistake.name(), record.metadata.kernel_name));
                        }
                    }
                }
            }
        }
        let _ = writeln!(std::io::stderr(), "{all:?}\n{}", others.join("\n"));
        assert!(all.taken[0] < all.rewritten, "none rounds elsewhere: {all:?}");
        assert!(all.taken[1] * 100 >= all.rewritten * 98, "{all:?}");
        assert!(all.missed[1] <= all.missed[0] + all.mistakes / 100, "{all:?}");
    }

    fn task(name: &str) -> Task {
        Task::all().find(|task| task.name() == name).unwrap()
    }

    #[test]
    fn prompts_say_what_tests_check() {
        let record = record();
        let of = |name: &str| ask_and_answer(task(name), &record).unwrap().0;
        let text = of("python_to_cuda_backward");
        for rule in ["overwritten", "overwrites"].iter().filter(|rule| text.contains(**rule)) {
            assert!(text.contains("added") || text.contains("adds"), "{rule}: {text}");
        }
        assert!(text.contains("overwr") && text.contains("in place") && text.contains("#include"), "{text}");
        assert!(of("python_to_cuda").contains("`dim"));
        assert!(of("cuda_backward_to_python").contains("in this order"));
        assert!(!Task::all().map(|task| of(&task.name())).any(|text| {
            ["NAME", "SIZE", "TARGET", "LANGUAGE", "ORDER", "THREADS"].iter().any(|word| text.contains(word))
        }));
        // Records that differ in their ids get different wordings.
        let asked = |id: String| ask_and_answer(task("python_to_cuda"), &Record { id, ..record.clone() }).unwrap().0;
        let wordings: BTreeSet<String> = (0..64).map(|n| asked(n.to_string())).collect();
        assert!(wordings.len() > 8, "{}", wordings.len());
        assert_eq!(asked("7".to_owned()), asked("7".to_owned()));
    }

    #[test]
    fn prompts_say_how_many_threads_a_block_has() {
        // What is said before the source text, which may count threads, too.
        let said = |name: &str, record: &Record| {
            let (text, _) = ask_and_answer(task(name), record)?;
            text.split("```python").next().map(str::to_owned)
        };
        let mut passes = BTreeSet::new();
        for record in records("shared") {
            let kernel = text::parse(&record.ir).unwrap();
            let threads = format!("{} threads", kernel.block.expect("kernels of the family are over blocks"));
            let text = said("python_to_cuda", &record).unwrap();
            assert!(text.contains("block") && text.contains(&threads), "{threads}: {text}");
            let Some(text) = said("python_to_cuda_backward", &record) else { continue };
            let is_over_blocks =
                differentiate(&read_kernel(&record.ir).unwrap()).unwrap().unwrap().kernel.block.is_some();
            assert_eq!(text.contains(&threads), is_over_blocks, "{threads}: {text}");
            passes.insert(is_over_blocks);
        }
        assert!(!passes.is_empty(), "some have adjoints");
    }

    #[test]
    fn prompts_say_how_winners_are_counted() {
        let dataset = Dataset::new(&[]);
        dataset.generate(&["--source", "synth", "--family", "atomic", "--count", "40"]).unwrap();
        let mut counting = 0;
        for record in dataset.records() {
            let Some((text, _)) = ask_and_answer(task("python_to_cuda_backward"), &record) else { continue };
            let counts = decode(&record).unwrap().backward.is_some_and(|adjoint| adjoint.launches.counting.is_some());
            assert_eq!(text.contains("If `counting` is true it only counts"), counts, "{text}");
            counting += usize::from(counts);
        }
        assert!(counting > 0, "no kernel has a float under `atomic_min` or `atomic_max`");
    }

    #[test]
    fn only_adjoints_that_show_their_kernel_are_turned_round() {
        let shows = |body: &str| {
            let text = format!(
                "#[kernel(family = \"f\", dim = 1)]\nfn k(a: f32, x: &[f32; dim(0)], n: &[i32; dim(0)], y: &mut [f32; \
                 dim(0)],) {{\nlet i.0: usize = tid(0);\n{body}\n}}\n"
            );
            let kernel = verify::verify(text::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
            recoverable::is_recoverable(&kernel, &adjoint::differentiate(&kernel).unwrap().unwrap())
        };
        assert!(shows("y[i.0] = a * x[i.0] * (n[i.0] as f32);"));
        // The derivative does not show an added constant or a floor, nor a parameter that only occurs in such terms.
        assert!(!shows("y[i.0] = a * x[i.0] * (n[i.0] as f32) + 5f32;"));
        assert!(!shows("y[i.0] = a * x[i.0] * (n[i.0] as f32) + floor(x[i.0]);"));
        assert!(!shows("y[i.0] = a * x[i.0] + (n[i.0] as f32);"));
    }

    #[test]
    fn a_rejected_answer_is_the_chosen_one_with_a_mistake() {
        let record = record();
        let contrast = rows(Config::Contrast, &record, true).unwrap();
        let sft = rows(Config::Sft, &record, true).unwrap();
        assert_eq!(contrast, rows(Config::Contrast, &record, true).unwrap());
        for (row, right) in contrast.iter().zip(&sft) {
            assert_eq!([&row["prompt"], &row["chosen"]], [&right["prompt"], &right["completion"]]);
            let lines = |field: &str| row[field].as_str().unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
            let (chosen, rejected) = (lines("chosen"), lines("rejected"));
            // The signature is unchanged, and so are most lines.
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
        .assert_eq(&head(("cuda", cuda), &OF_KERNEL, ";"));
        let wgsl = "fn half(x: f32) -> f32 { return 0.5f * x; }\n\n/// A ray.\nstruct Ray {\n    at: vec3f,\n}\n\nstruct Args {\n    dim: u32,\n}\n\n@group(0) @binding(0) var<uniform> args: Args;\n@group(0) @binding(1) var<storage, read> x: array<f32>;\n\nfn load_x(index: u32) -> f32 {\n    return x[index];\n}\n\n@compute @workgroup_size(64)\nfn wave(@builtin(global_invocation_id) id: vec3u) {\n    let i = id.x;\n}\n";
        expect![[r#"
            ```wgsl
            struct Ray {
                at: vec3f,
            }

            struct Args {
                dim: u32,
            }

            @group(0) @binding(0) var<uniform> args: Args;
            @group(0) @binding(1) var<storage, read> x: array<f32>;

            @compute @workgroup_size(64)
            fn wave(@builtin(global_invocation_id) id: vec3u)
            ```"#]]
        .assert_eq(&head(("wgsl", wgsl), &OF_SHADER, ""));
    }
}
