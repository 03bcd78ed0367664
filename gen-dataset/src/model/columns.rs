//! THE table of columns: the name, type and meaning of each column of each table of a dataset.
//!
//! Parquet files, the JSON Schema, the features in the card and its list of fields all come from this table. To give
//! records a new column, add one row here and one field to [`Record`](super::record::Record); a test compares the two.

use super::config::Config;
use super::settings::Settings;
use super::targets;
use kernel_ir::target::Target;
use std::sync::LazyLock;

/// A column of a table, or a field of a struct column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// The name of the column.
    pub(crate) name: &'static str,
    /// The type of its values.
    pub(crate) ty: Ty,
    /// The datasets that have the column.
    pub(crate) presence: Presence,
    /// The meaning, in Markdown.
    pub(crate) doc: &'static str,
}

/// The type of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Ty {
    /// A string.
    Text,
    /// A signed 64-bit integer.
    Int,
    /// A 64-bit float.
    Float,
    /// True or false.
    Bool,
    /// The inner type, or null.
    Maybe(&'static Ty),
    /// A list.
    List(&'static Ty),
    /// A struct with these fields.
    Struct(&'static [Column]),
    /// A string that holds JSON. The fields of this JSON differ from row to row, so no Arrow type fits.
    Json(&'static Ty),
    /// Inside JSON only: a number or boolean, or a list of them.
    Numbers,
    /// Inside JSON only: an object whose keys are names of the kernel's parameters.
    ByName(&'static Ty),
}

/// The datasets that have a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    /// All datasets.
    Always,
    /// Datasets with PTX.
    WithPtx,
    /// Datasets with standalone CUDA programs.
    WithCudaSource,
    /// Datasets with several examples in a record.
    WithMoreExamples,
    /// Datasets with test programs in rows of `rl`.
    WithRlPrograms,
}

impl Column {
    /// Whether a dataset that is made with `settings` has the column.
    pub(crate) fn is_in(&self, settings: &Settings) -> bool {
        match self.presence {
            Presence::Always => true,
            Presence::WithPtx => settings.ptx.is_some(),
            Presence::WithCudaSource => settings.cuda_source,
            Presence::WithMoreExamples => settings.examples.count > 1,
            Presence::WithRlPrograms => settings.rl_programs,
        }
    }
}

/// The columns of `table` in a dataset that is made with `settings`.
pub(crate) fn present(table: &'static [Column], settings: &Settings) -> Vec<Column> {
    table.iter().filter(|column| column.is_in(settings)).copied().collect()
}

impl Config {
    /// The columns of the config.
    pub(crate) fn columns(self) -> &'static [Column] {
        match self {
            Config::Default => record(),
            Config::Sft => SFT,
            Config::Chat => CHAT,
            Config::Rl => RL,
            Config::Contrast => CONTRAST,
        }
    }
}

const fn column(name: &'static str, ty: Ty, doc: &'static str) -> Column {
    Column { name, ty, presence: Presence::Always, doc }
}

const fn only(presence: Presence, name: &'static str, ty: Ty, doc: &'static str) -> Column {
    Column { name, ty, presence, doc }
}

const MAYBE_TEXT: Ty = Ty::Maybe(&Ty::Text);
const MAYBE_INT: Ty = Ty::Maybe(&Ty::Int);
const MAYBE_BOOL: Ty = Ty::Maybe(&Ty::Bool);
const TEXTS: Ty = Ty::List(&Ty::Text);

/// The columns of the config `default`: a kernel in every language, with its example and the evidence. The columns of
/// the target texts come from the table of targets.
pub(crate) fn record() -> &'static [Column] {
    static RECORD: LazyLock<Vec<Column>> = LazyLock::new(|| {
        let of_target = |(target, names): (&'static Target, [&'static str; 2])| {
            let docs = names.into_iter().zip(target.columns);
            docs.map(|(name, doc)| column(name, MAYBE_TEXT, doc)).collect::<Vec<_>>()
        };
        let targets: Vec<Column> = targets::columns().flat_map(of_target).collect();
        [SOURCES, &targets, REST].concat()
    });
    &RECORD
}

const SOURCES: &[Column] = &[
    column("id", Ty::Text, "the first 32 hexadecimal digits of the BLAKE3 hash over IR, seed and launch size"),
    column("python_source", Ty::Text, "a Python module that defines the kernel with `@wp.kernel`"),
    column("rust_source", Ty::Text, "the function under `#[kernel]`"),
];

const REST: &[Column] = &[
    only(Presence::WithPtx, "ptx", MAYBE_TEXT, "what NVRTC makes of `cuda_forward`"),
    only(
        Presence::WithCudaSource,
        "cuda_source",
        MAYBE_TEXT,
        "a CUDA program of its own: it makes the launch of the example and prints PASS or FAIL",
    ),
    column("ir", Ty::Text, "the text form of the intermediate representation"),
    column(
        "example",
        Ty::Json(&Ty::Struct(EXAMPLE)),
        "JSON in a string: a launch. `dim`, its size; `args`, the arguments before it; `outputs`, the writable arrays after it; \
         `adj_outputs`, the adjoints of these; `gradients`, those of everything before it",
    ),
    only(
        Presence::WithMoreExamples,
        "more_examples",
        Ty::Maybe(&Ty::Json(&Ty::List(&Ty::Struct(EXAMPLE)))),
        "JSON in a string: a list of further launches, each like `example`, with other inputs and in other sizes",
    ),
    column(
        "metadata",
        Ty::Struct(METADATA),
        "name, family, origin, seed, features used, counts, signature, and whether the gradients that Warp itself computes \
         from `python_source` are right",
    ),
    column(
        "tier",
        Ty::Int,
        "how far the evidence goes: 0 emitted, 1 parsed back, 2 compiled, 3 executed against the interpreter, 4 adjoint proven \
         against dual numbers, 5 run on a GPU",
    ),
    column(
        "verification",
        Ty::Struct(VERIFICATION),
        "the evidence: the checks that the record passed, with their errors",
    ),
    column("hash", Ty::Text, "the BLAKE3 hash of the IR without names: equal for kernels that differ in names alone"),
    column(
        "skeleton_id",
        Ty::Text,
        "the same without constants: equal for kernels that differ in names and constants alone",
    ),
    column("split", Ty::Text, "the split that the record belongs to: `train`, `validation` or `test`"),
    column("schema_version", Ty::Int, "the version of this table"),
    column("generator_version", Ty::Text, "the version of the program that wrote the record"),
];

const EXAMPLE: &[Column] = &[
    column("dim", Ty::List(&Ty::Int), "the launch size"),
    column("args", Ty::List(&Ty::Struct(ARGUMENT)), "the arguments before the launch, in the order of the parameters"),
    column("outputs", Ty::ByName(&MAYBE_NUMBERS), "every writable array after the launch; null for an absent one"),
    column(
        "tolerances",
        Ty::ByName(&Ty::Numbers),
        "how far each number of an output may be from that of another correct execution; of an output that is not here all \
         bits count",
    ),
    column("adj_outputs", Ty::ByName(&MAYBE_NUMBERS), "the adjoint of every writable float array after the launch"),
    column("gradients", Ty::ByName(&MAYBE_NUMBERS), "the gradient with respect to every float parameter"),
    column("gradient_tolerances", Ty::ByName(&Ty::Numbers), "the same as `tolerances` for the gradients"),
];

const MAYBE_NUMBERS: Ty = Ty::Maybe(&Ty::Numbers);

const ARGUMENT: &[Column] = &[
    column("name", Ty::Text, "the parameter"),
    column("kind", Ty::Text, "`scalar` or `array`"),
    column("dtype", Ty::Text, "the type of the value, or of an element"),
    column("shape", Ty::List(&Ty::Int), "the extents, outermost first; empty for a value"),
    column("mutable", Ty::Bool, "whether the kernel may write to it"),
    column(
        "data",
        MAYBE_NUMBERS,
        "a number or a boolean, or a flat list of them: element after element, each row by row; null for an absent array",
    ),
];

const METADATA: &[Column] = &[
    column("kernel_name", Ty::Text, "the author's name for it"),
    column("category", Ty::Text, "its family"),
    column(
        "device",
        Ty::Text,
        "which target texts the record has: `all`, or names such as `cpu,cuda`; `hip` is never in `all`",
    ),
    column("origin", Ty::Text, "where the kernel comes from: `registry` or `synth`"),
    column("seed", Ty::Int, "the seed of the run"),
    column("index", Ty::Int, "its place in the source"),
    column("difficulty", MAYBE_INT, "how hard it was meant to be, 1 to 5"),
    column("dim", Ty::Int, "the number of launch axes"),
    column(
        "features",
        TEXTS,
        "the constructs, operations and types that it uses, sorted; with `surrogate_grad`, the gradients are meant to differ from the \
         derivative of the code, as those of a straight-through estimator do",
    ),
    column("statements", Ty::Int, "how many statements it has"),
    column("operations", Ty::Int, "how many operations it has"),
    column("signature", Ty::Text, "its parameters, as in Rust"),
    column("arguments", Ty::Struct(ARGUMENTS), "the arguments of the functions in the C++ and CUDA texts, in order"),
    column("warp_gradient_reliable", MAYBE_BOOL, "whether Warp's own gradients of the Python text are right"),
];

const ARGUMENTS: &[Column] = &[
    column(
        "forward",
        TEXTS,
        "`x` is the value of a parameter or a pointer to its elements before the launch, `x.shape[1]` an extent, `dim[0]` a part of the \
         launch size",
    ),
    column(
        "backward",
        Ty::Maybe(&TEXTS),
        "the same of the adjoint: also `x.after`, the elements after the launch, and `x.adjoint`, which holds the adjoint of these on \
         entry, and that of the elements before the launch on exit",
    ),
];

const VERIFICATION: &[Column] = &[
    column(
        "toolchains",
        TEXTS,
        "the programs that took part, with their versions; `rustc` only if it compiled the kernel, judges only if they were asked",
    ),
    column("ir_reads_back", Ty::Bool, "whether the text form of the IR reads back to the same kernel"),
    column(
        "rust_reads_back",
        MAYBE_BOOL,
        "whether the front end reads `rust_source` back to the same kernel; null if the kernel was made of that text",
    ),
    column(
        "shapes",
        Ty::List(&Ty::List(&Ty::Int)),
        "the sizes of the launches that were executed, the examples' first",
    ),
    column("outputs_finite", Ty::Bool, "whether every output of all launches is finite"),
    column("outputs_written", Ty::Bool, "whether the launches of the examples change an output"),
    column(
        "tolerance_policy",
        Ty::Text,
        "what says how far results may be apart: `same_bits`, or `eight_machines`, measured for each number",
    ),
    column("allowed_ulp", Ty::Int, "the largest of the tolerances of the outputs, in units in the last place"),
    column(
        "interpreter_again",
        Ty::Struct(AGREEMENT),
        "the interpreter against itself, with poisoned outputs and threads in the opposite order, in all launches",
    ),
    column(
        "interpreter_vs_cpu",
        MAYBE_AGREEMENT,
        "the interpreter against the CPU version that rustc compiled, with poisoned outputs, in all launches",
    ),
    column(
        "adjoint",
        Ty::Maybe(&Ty::Struct(ADJOINT)),
        "how the adjoint stands against other ways to find the derivative, in all launches: the worst of each",
    ),
    column(
        "coverage",
        Ty::Struct(COVERAGE),
        "what the launches have executed of kernel and adjoint: each pair is a number and the number of all",
    ),
];

const PAIR: Ty = Ty::List(&Ty::Int);

const COVERAGE: &[Column] = &[
    column("statements", PAIR, "statements of the kernel and of the functions that it calls"),
    column("branches", PAIR, "sides of `if` statements"),
    column(
        "elements",
        PAIR,
        "elements of the arrays that the kernel only writes, over all launches: those written, and all",
    ),
    column("adjoint_statements", Ty::Maybe(&PAIR), "statements of the adjoint"),
    column("adjoint_branches", Ty::Maybe(&PAIR), "sides of `if` statements of the adjoint"),
    column(
        "missing",
        TEXTS,
        "statements that no launch executes, and gradients that are zero in all launches, each as a sentence",
    ),
];

const MAYBE_AGREEMENT: Ty = Ty::Maybe(&Ty::Struct(AGREEMENT));

const AGREEMENT: &[Column] = &[
    column("bit_equal", Ty::Bool, "whether all outputs have the same bits"),
    column("worst_absolute", Ty::Float, "the largest distance of two floats"),
    column("worst_relative", Ty::Float, "the largest distance of two floats, as a part of the larger one"),
    column("worst_ulp", Ty::Int, "the largest distance of two floats, in units in the last place"),
    column("allowed_ulp", Ty::Int, "the largest distance that the accuracy of the operations allows"),
];

const ADJOINT: &[Column] = &[
    column("error_f64", Ty::Float, "⟨v, Jᵀ·w⟩ by the adjoint against ⟨J·v, w⟩ by dual numbers, in f64"),
    column("bound_f64", Ty::Float, "what that may be"),
    column("error_as_declared", Ty::Float, "the same with the adjoint in the types that it declares"),
    column("bound_as_declared", Ty::Float, "what that may be"),
    column("allowed_ulp", Ty::Int, "the largest of the tolerances of the gradients, in units in the last place"),
    column(
        "condition",
        Ty::Maybe(&Ty::Float),
        "how far the gradients move, in units in the last place of the largest component, where all operations round otherwise",
    ),
    column("interpreter_vs_cpu", MAYBE_AGREEMENT, "the interpreter against the CPU version of the adjoint"),
];

/// The columns of every derived config that refer to the record of a row.
const FROM: [Column; 4] = [
    column("id", Ty::Text, "the record of the config `default` that the row is made of"),
    column("task", Ty::Text, "what is asked for: from which text to which"),
    column("category", Ty::Text, "the family of the kernel"),
    column("skeleton_id", Ty::Text, "the skeleton of the kernel: rows of one skeleton are in one split"),
];

/// The columns of the config `sft`: prompt and completion, in the format of TRL's `SFTTrainer`.
pub(crate) const SFT: &[Column] = &[
    column("prompt", Ty::Text, "the task and the text to start from"),
    column("completion", Ty::Text, "the text that is wanted"),
    FROM[0],
    FROM[1],
    FROM[2],
    FROM[3],
];

/// The columns of the config `chat`: the content of `sft` as a conversation.
pub(crate) const CHAT: &[Column] = &[
    column("messages", Ty::List(&Ty::Struct(MESSAGE)), "what the user asks and what the assistant answers"),
    FROM[0],
    FROM[1],
    FROM[2],
    FROM[3],
];

const MESSAGE: &[Column] =
    &[column("role", Ty::Text, "`user` or `assistant`"), column("content", Ty::Text, "what is said")];

/// The columns of the config `rl`: a prompt, and what a scorer needs to draw launches and compute their results.
pub(crate) const RL: &[Column] = &[
    column("prompt", Ty::List(&Ty::Struct(MESSAGE)), "the task and the text to start from, as a conversation"),
    column("entry_point", Ty::Text, "the name of the kernel that the answer must define"),
    column(
        "ir",
        Ty::Text,
        "the kernel of the record, of which `gen-dataset score` draws launches and computes results",
    ),
    column("seed", Ty::Int, "the seed of the record, on which the inputs of these launches depend"),
    only(
        Presence::WithRlPrograms,
        "test",
        Ty::Text,
        "`test.cu`, a program that includes `answer.cu`, launches it in several sizes and compares the results",
    ),
    only(Presence::WithRlPrograms, "build_command", Ty::Text, "how to compile the test with the answer beside it"),
    only(Presence::WithRlPrograms, "host_build_command", Ty::Text, "the same without a GPU: kernels run on the host"),
    only(
        Presence::WithRlPrograms,
        "test_command",
        Ty::Text,
        "how to run it: the exit status is 0 if the answer is right",
    ),
    only(
        Presence::WithRlPrograms,
        "launches",
        Ty::List(&Ty::List(&Ty::Int)),
        "the sizes of the launches that the test makes, that of the example first",
    ),
    FROM[0],
    FROM[1],
    FROM[2],
    FROM[3],
];

/// The columns of the config `contrast`: a prompt, the right answer, and an answer with a mistake.
pub(crate) const CONTRAST: &[Column] = &[
    column("prompt", Ty::Text, "the task and the text to start from"),
    column("chosen", Ty::Text, "the answer"),
    column("rejected", Ty::Text, "the answer with a mistake; it was run, ended, and left other results"),
    column("mistake", Ty::Text, "what kind of mistake that is"),
    FROM[0],
    FROM[1],
    FROM[2],
    FROM[3],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;
    use serde_json::Value;

    /// Asserts that the fields of `value` are those of the table, in the same order, at every level.
    fn assert_fits(ty: &Ty, value: &Value, path: &str) {
        match (ty, value) {
            (Ty::Maybe(_), Value::Null) => {}
            (Ty::Maybe(inner), value) => assert_fits(inner, value, path),
            (Ty::Json(inner), Value::String(text)) => assert_fits(inner, &serde_json::from_str(text).unwrap(), path),
            (Ty::List(inner), Value::Array(items)) => items.iter().for_each(|item| assert_fits(inner, item, path)),
            (Ty::ByName(inner), Value::Object(fields)) => {
                fields.values().for_each(|field| assert_fits(inner, field, path));
            }
            (Ty::Struct(columns), Value::Object(fields)) => assert_has(columns, fields, path),
            (Ty::Text, Value::String(_)) | (Ty::Bool, Value::Bool(_)) => {}
            (Ty::Int, Value::Number(number)) => assert!(number.is_i64(), "{path}"),
            (Ty::Float, Value::Number(number)) => assert!(number.is_f64(), "{path}"),
            (Ty::Numbers, Value::Number(_) | Value::Bool(_) | Value::Array(_)) => {}
            _ => panic!("{path} is {value}, not of {ty:?}"),
        }
    }

    fn assert_has(columns: &[Column], fields: &serde_json::Map<String, Value>, path: &str) {
        let always = columns.iter().filter(|column| column.presence == Presence::Always);
        assert!(always.clone().map(|column| column.name).eq(fields.keys()), "{path}: {fields:?}");
        for (column, value) in always.zip(fields.values()) {
            assert_fits(&column.ty, value, &format!("{path}.{}", column.name));
        }
    }

    #[test]
    fn a_record_is_what_the_table_says() {
        for args in [&[][..], &["--source", "synth", "--count", "20"]] {
            let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
            dataset.generate(args).unwrap();
            for record in dataset.records() {
                let Ok(Value::Object(fields)) = serde_json::to_value(&record) else { panic!("a record is an object") };
                assert_has(super::record(), &fields, "record");
            }
        }
    }
}
