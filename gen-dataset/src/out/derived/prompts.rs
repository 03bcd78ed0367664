//! The prompts of the tasks of a record. Each sentence has several wordings, and the record's id chooses one.
//!
//! A prompt states everything that a test of the config `rl` checks and that the source text does not show: how the
//! kernel is launched, how arrays are laid out, what may change, and what happens to adjoints.

use super::task::{Direction, Task};
use crate::model::{Record, differentiate, read_kernel};
use kernel_ir::adjoint::Source;
use kernel_ir::back::wgsl::WORKGROUP;
use kernel_ir::target::Tasks;
use kernel_rt::Pass;

/// The number of wordings of each sentence.
const WORDINGS: usize = 4;

/// The prompt without the source text. `params` are the parameters of the kernel, in order.
pub(super) fn ask(task: Task, record: &Record, head: &str, params: &[String]) -> String {
    let hash = blake3::hash(format!("weft prompt {} {}", record.id, task.name()).as_bytes());
    let [first, second, ..] = *hash.as_bytes();
    let say = |wordings: [&str; WORDINGS]| wordings[usize::from(first) % WORDINGS].to_owned();
    // A second byte of the hash, so that the first and the last sentence vary independently.
    let add = |wordings: [&str; WORDINGS]| wordings[usize::from(second) % WORDINGS].to_owned();
    let launched = || match task.target.tasks {
        Tasks::Shaders => dispatched(record, head, &add),
        Tasks::Kernels | Tasks::None => launched(record, head, threads_of_block(record, task.pass), &add),
    };
    let (answer, module) = match task.target.tasks {
        Tasks::Shaders => (shader(&add), module_of_shader(&add)),
        Tasks::Kernels | Tasks::None => (answer(&add), module(&add)),
    };
    let sentences = match (task.direction, task.pass) {
        (Direction::ToTarget, Pass::Forward) => {
            let ask = say([
                "Translate the NVIDIA Warp kernel `NAME` to LANGUAGE, with these types and this signature:",
                "Write the NVIDIA Warp kernel `NAME` in LANGUAGE. Its types and its signature are these:",
                "Port the kernel `NAME`, written in Python for NVIDIA Warp, to LANGUAGE. Keep these types and this signature:",
                "Give a LANGUAGE kernel that does what the NVIDIA Warp kernel `NAME` does, with this signature and these types:",
            ]);
            let rules = add([
                "Write only what `NAME` writes. Floats may be rounded elsewhere, and nothing else may differ.",
                "All arrays must hold what they hold after a launch of `NAME`, except for roundings of floats.",
                "What `NAME` does not write must not change; what it writes may differ by roundings of floats alone.",
                "Results must agree but for the roundings of floats, and all that is not a result must stay as it was.",
            ]);
            format!("{ask}\n\n{head}\n\n{} {rules} {answer}", launched())
        }
        (Direction::ToTarget, Pass::Backward) => {
            let ask = say([
                "Write the adjoint (reverse mode) of the NVIDIA Warp kernel `NAME` in LANGUAGE, with these types and this \
                 signature:",
                "Differentiate the NVIDIA Warp kernel `NAME` in reverse mode: write the LANGUAGE kernel that takes the adjoints \
                 of its results to those of its arguments. The types and the signature are these:",
                "Give the backward pass of the NVIDIA Warp kernel `NAME` as a LANGUAGE kernel with this signature and these types:",
                "The NVIDIA Warp kernel `NAME` is part of a differentiable program. Write the LANGUAGE kernel for its \
                 vector-Jacobian product. Keep these types and this signature:",
            ]);
            format!("{ask}\n\n{head}\n\n{}\n\n{} {answer}", adjoints(record, &add), launched())
        }
        (Direction::ToPython, Pass::Forward) => {
            let ask = say([
                "Translate the TARGET kernel `NAME` to a Python module for NVIDIA Warp.",
                "Write the TARGET kernel `NAME` as a kernel of NVIDIA Warp, in a Python module of its own.",
                "Port the kernel `NAME` from LANGUAGE to Python with NVIDIA Warp. Answer with the whole module.",
                "Give a Python module for NVIDIA Warp whose kernel `NAME` does what this TARGET kernel does.",
            ]);
            match params.is_empty() {
                true => format!("{ask} {module}"),
                false => format!("{ask} {} {module}", in_order(params)),
            }
        }
        (Direction::ToPython, Pass::Backward) => {
            let ask = say([
                "This TARGET kernel is the adjoint (reverse mode) of a kernel `NAME`. Write `NAME` itself as a Python module for \
                 NVIDIA Warp.",
                "Reverse-mode differentiation of a kernel `NAME` has given this TARGET kernel. Find `NAME`, and write it as a \
                 Python module for NVIDIA Warp.",
                "Of which kernel is this TARGET kernel the backward pass? Write that kernel, `NAME`, as a Python module for NVIDIA \
                 Warp.",
                "The TARGET kernel below computes the vector-Jacobian product of a kernel `NAME`. Give `NAME` as a Python module \
                 for NVIDIA Warp.",
            ]);
            format!("{ask} {} {} {module}", in_order(params), adjoints(record, &add))
        }
    };
    let sentences = sentences.replace("LANGUAGE", task.target.language).replace("TARGET", task.target.name);
    sentences.replace("NAME", &record.metadata.kernel_name)
}

/// The sentence about the order of parameters.
fn in_order(params: &[String]) -> String {
    let params: Vec<String> = params.iter().map(|param| format!("`{param}`")).collect();
    format!("The parameters of `NAME` are {}, in this order.", params.join(", "))
}

type Wordings<'a> = &'a dyn Fn([&str; WORDINGS]) -> String;

/// How tests launch the kernel, and how arrays are laid out in memory.
fn launched(record: &Record, head: &str, threads: Option<u32>, say: Wordings<'_>) -> String {
    let axes = record.example.dim.len();
    let (size, place) = match axes {
        1 => ("`dim`".to_owned(), "along `x`"),
        _ => {
            let extents: Vec<String> = (0..axes).map(|axis| format!("`dim{axis}`")).collect();
            let place = match axes {
                2 => "the last axis along `x`, the first along `y`",
                3 => "the last axis along `x`, the middle one along `y`, the first along `z`",
                _ => "all axes together, in row-major order, along `x`",
            };
            (extents.join(" × "), place)
        }
    };
    let launch = match threads {
        Some(_) => say([
            "The launch size is SIZE, a number of blocks. The grid has a block of THREADS threads for each, PLACE, and may have more \
             blocks, which must do nothing.",
            "It is launched with at least SIZE blocks, PLACE, of exactly THREADS threads each; blocks beyond SIZE have nothing to do.",
            "SIZE is the launch size: one index for each block of the grid, PLACE. A block has THREADS threads, and there may be more \
             blocks than indices.",
            "The grid covers the launch size, SIZE, by blocks of THREADS threads PLACE, a block for each index. It may have more blocks, \
             so check the bounds.",
        ]),
        None => say([
            "The launch size is SIZE. The grid has a thread for each index of the launch, PLACE, and may have more, which must do \
             nothing.",
            "It is launched with at least SIZE threads, PLACE; those beyond the launch size have nothing to do.",
            "SIZE is the launch size: one index for each thread of the grid, PLACE. Blocks may reach beyond it.",
            "The grid covers the launch size, SIZE, PLACE. It may be larger, so check the bounds.",
        ]),
    };
    let arrays = if head.contains("_shape") {
        say([
            " Arrays are dense and row-major; `x_shape1` is the extent of `x` along axis 1, and so on.",
            " Arrays lie in row-major order without gaps, and `x_shape1` is how long axis 1 of `x` is.",
            " All arrays are contiguous in row-major order; `x_shape1` stands for `x.shape[1]`.",
            " The last axis of an array is contiguous, and there is no padding; `x_shape1` means `x.shape[1]`.",
        ])
    } else {
        String::new()
    };
    let absent = if record.metadata.signature.contains("Option<") {
        say([
            " An array that the launch leaves out is a null pointer.",
            " Arrays may be left out where the kernel tests them; their pointers are null then.",
            " The pointer of an absent array is null.",
            " For an array that is not given, the argument is a null pointer.",
        ])
    } else {
        String::new()
    };
    let threads = threads.unwrap_or_default().to_string();
    format!("{launch}{arrays}{absent}").replace("SIZE", &size).replace("PLACE", place).replace("THREADS", &threads)
}

/// The number of threads of a block, if the kernel of the task is launched over blocks.
fn threads_of_block(record: &Record, pass: Pass) -> Option<u32> {
    // A cheap test first: most kernels need not be read for the answer.
    let ir = Some(&record.ir).filter(|ir| ir.contains("block = "))?;
    let kernel = read_kernel(ir).ok()?;
    match pass {
        Pass::Forward => kernel.block,
        Pass::Backward => differentiate(&kernel).ok()??.kernel.block,
    }
}

/// How tests launch the entry point of a shader, and how arrays lie in storage buffers.
fn dispatched(record: &Record, head: &str, say: Wordings<'_>) -> String {
    let axes = record.example.dim.len();
    let size = match axes {
        1 => "`args.dim`".to_owned(),
        _ => (0..axes).map(|axis| format!("`args.dim{axis}`")).collect::<Vec<_>>().join(" × "),
    };
    let order = if axes > 1 { ", in row-major order" } else { "" };
    let launch = say([
        "The launch size is SIZE. Workgroups have THREADS threads along `x` and are dispatched along `x` and `y`: the number of a \
         thread in the launchORDER is `id.y * (THREADS * groups.x) + id.x`. Threads beyond the launch size do nothing.",
        "It is dispatched in workgroups of THREADS threads along `x`, in rows along `y`, so a thread has the number \
         `id.y * (THREADS * groups.x) + id.x` in the launch of SIZE threadsORDER; those with larger numbers have nothing to do.",
        "SIZE threads are wantedORDER; with `id` and `groups` of a dispatch in two dimensions of workgroups of THREADS, the number of \
         a thread is `id.y * (THREADS * groups.x) + id.x`. There may be more threads, which must return.",
        "The dispatch covers the launch size, SIZE. Count its threadsORDER by `id.y * (THREADS * groups.x) + id.x`, as a workgroup has \
         THREADS of them and a long launch several rows of workgroups, and check the bounds.",
    ]);
    let arrays = say([
        " A storage buffer has the bytes of a dense array of C, row-major and without padding, so `vec3f` takes 12 bytes.",
        " Arrays are dense and row-major, with elements laid out as in C: three floats of a `vec3f` follow each other.",
        " Elements lie one after the other as C lays them out, without the padding that WGSL gives vectors of three.",
        " In memory arrays are those of C: row-major, without gaps, and a `vec3f` is three words.",
    ]);
    let extents = if head.contains("_shape") {
        say([
            " `args.x_shape1` is the extent of `x` along axis 1, and so on.",
            " The length of axis 1 of `x` is `args.x_shape1`.",
            " `args.x_shape1` stands for `x.shape[1]`.",
            " The field `x_shape1` of `args` means `x.shape[1]`.",
        ])
    } else {
        String::new()
    };
    let absent = if head.contains("_present") {
        say([
            " `args.x_present` is 0 if the launch leaves out the array `x`.",
            " Arrays may be left out; `args.x_present` is 0 then.",
            " Of an absent array `x`, `args.x_present` is 0.",
            " Where `args.x_present` is 0, there is no array `x`.",
        ])
    } else {
        String::new()
    };
    let text = format!("{launch}{arrays}{extents}{absent}");
    text.replace("SIZE", &size).replace("THREADS", &WORKGROUP.to_string()).replace("ORDER", order)
}

/// The conventions for the adjoint's parameters.
fn adjoints(record: &Record, say: Wordings<'_>) -> String {
    let rule = say([
        "Each `adj_x` has the shape of `x`, or is one element if `x` is a value, and is all that the adjoint writes. If `NAME` only \
         reads `x`, its gradient is added to what `adj_x` holds. If `NAME` writes `x`, `adj_x` holds the adjoint of `x` after the \
         launch of `NAME`, and is turned into that of `x` before it: 0 for an element that is overwritten, the gradient of the \
         old value for one that is updated in place, and as it was for one that is not written or only added to. `x` itself is \
         given as it was before that launch.",
        "`adj_x` belongs to `x` and is shaped like it; for a value it has one element. Add to it the gradient of an `x` that \
         `NAME` only reads. For an `x` that `NAME` writes, it comes in as the adjoint of what is left in `x`, and goes out as the \
         adjoint of what was there before: 0 where `NAME` overwrites, the gradient of the old value where it updates in place, \
         unchanged where it writes nothing or only adds. Nothing but the `adj_x` changes, and `x` has the contents from before \
         the launch of `NAME`.",
        "The arguments `x` are those before the launch of `NAME`, and must not change. To `adj_x` of what `NAME` only reads, its \
         gradient is added; `adj_x` of a value is an array of one element. For what `NAME` writes, `adj_x` holds the adjoint of \
         the result and must be replaced by the adjoint of the old contents: for elements that are overwritten this is 0, for \
         those updated in place the gradient of the old value, for those that are only added to or not written what it was.",
        "In reverse mode `adj_x` accumulates: the gradient of an `x` that `NAME` only reads is added to it (to its one element, \
         if `x` is a value). Where `NAME` writes to an array `x`, `adj_x` is on entry the adjoint of `x` after `NAME`, on exit \
         that of `x` before: 0 for overwritten elements, the gradient of the old value for elements updated in place, no change \
         for elements that `NAME` leaves alone or only adds to. No other array changes; each `x` is as before `NAME` ran.",
    ]);
    format!("{rule}{}", phase(record).map(|phase| winners(&phase)).unwrap_or_default())
}

/// The parameter of the adjoint that says whether the launch counts winners, if the adjoint has one.
fn phase(record: &Record) -> Option<String> {
    // A cheap test first: most kernels need not be differentiated for the answer.
    ["atomic_min(", "atomic_max("].iter().find(|call| record.python_source.contains(**call))?;
    let backward = differentiate(&read_kernel(&record.ir).ok()?).ok()??;
    let place = backward.sources.iter().position(|source| *source == Source::Counting)?;
    Some(backward.kernel.params[place].name.clone())
}

/// The paragraph about the two launches of an adjoint that counts winners.
fn winners(phase: &str) -> String {
    format!(
        " Exceptions are float arrays `x` under `atomic_min` or `atomic_max`, of which `x` is given as it is after the launch of \
         `NAME`. Winners share the gradient of an element equally: all values that threads put in and that equal the result. The \
         adjoint is launched twice. If `{phase}` is true it only counts: it adds the number of winners of each element to \
         `x_winners`, which holds 1 for the value from before where nothing beat that, and writes nothing else. If `{phase}` is \
         false, `x_winners` holds all counts, and the adjoint of a winner is that of the result over the count; `adj_x` and \
         `x_winners` stay as they are."
    )
}

/// The form of an answer in CUDA.
fn answer(say: Wordings<'_>) -> String {
    say([
        "Answer with one block of code that has all that the kernel needs, without `#include` and without `main`.",
        "The answer is a single block of code: types, helper functions and the kernel, no `#include`, no host code.",
        "Give the whole text, with the types, in one block of code; leave out `#include`s and host code.",
        "Put everything that the kernel needs into one block of code; there must be no `#include` and no `main`.",
    ])
}

/// The form of an answer in WGSL.
fn shader(say: Wordings<'_>) -> String {
    say([
        "Answer with one block of code that is a whole module: types, bindings, functions and the entry point.",
        "The answer is a single block of code, a module with one entry point and all that it needs.",
        "Give the whole module, with types and bindings, in one block of code.",
        "Put the complete module into one block of code; the entry point is the only one.",
    ])
}

/// The form of an answer in Python to a shader.
fn module_of_shader(say: Wordings<'_>) -> String {
    say([
        "The kernel's parameters are its arrays and values, by the same names; launch sizes and extents of arrays are not among \
         them.",
        "Keep the names of arrays and values; launch sizes (`dim`) and extents of arrays are no parameters in Warp.",
        "Its parameters are the arrays and values alone, with their names: Warp knows launch sizes and shapes.",
        "Fields of `args` that are a launch size or the extent of an array are dropped; the others keep their names.",
    ])
}

/// The form of an answer in Python.
fn module(say: Wordings<'_>) -> String {
    say([
        "The kernel's parameters are its arrays and values, by the same names; launch sizes and extents of arrays are not among \
         them.",
        "Keep the names of arrays and values; launch sizes (`dim`) and extents (`x_shape1`) are no parameters in Warp.",
        "Its parameters are the arrays and values alone, with their names: Warp knows launch sizes and shapes.",
        "Parameters that are a launch size or the extent of an array are dropped; the others keep their names.",
    ])
}
