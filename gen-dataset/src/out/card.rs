//! The dataset card: `README.md` with the front matter that the Hugging Face hub reads.

use super::{CARD, REJECTS, RUN, STATS, Stats};
use crate::cli::{Device, Format};
use crate::record::{GENERATOR_VERSION, SCHEMA_VERSION};
use crate::settings::{PtxSettings, Settings};

/// The columns of a record, for the hub. `example` holds values of different types from record to record.
const FEATURES: &str = "  features:
  - name: id
    dtype: string
  - name: python_source
    dtype: string
  - name: rust_source
    dtype: string
  - name: cpu_forward
    dtype: string
  - name: cpu_backward
    dtype: string
  - name: cuda_forward
    dtype: string
  - name: cuda_backward
    dtype: string
  - name: ir
    dtype: string
  - name: example
    dtype: json
  - name: metadata
    struct:
    - name: kernel_name
      dtype: string
    - name: category
      dtype: string
    - name: device
      dtype: string
    - name: origin
      dtype: string
    - name: seed
      dtype: int64
    - name: index
      dtype: int64
    - name: difficulty
      dtype: int64
    - name: dim
      dtype: int64
    - name: features
      list: string
    - name: statements
      dtype: int64
    - name: operations
      dtype: int64
    - name: signature
      dtype: string
    - name: warp_gradient_reliable
      dtype: bool
  - name: verification
    struct:
    - name: outputs_finite
      dtype: bool
    - name: outputs_written
      dtype: bool
    - name: ir_reads_back
      dtype: bool
    - name: further_launches
      dtype: int64
    - name: allowed_ulp
      dtype: int64
    - name: interpreter_vs_cpu
      struct:
      - name: bit_equal
        dtype: bool
      - name: worst_ulp
        dtype: int64
      - name: allowed_ulp
        dtype: int64
    - name: adjoint
      struct:
      - name: error_f64
        dtype: float64
      - name: error_as_declared
        dtype: float64
      - name: allowed_ulp
        dtype: int64
      - name: interpreter_vs_cpu
        struct:
        - name: bit_equal
          dtype: bool
        - name: worst_ulp
          dtype: int64
        - name: allowed_ulp
          dtype: int64
  - name: hash
    dtype: string
  - name: skeleton_id
    dtype: string
  - name: split
    dtype: string
  - name: schema_version
    dtype: int64
  - name: generator_version
    dtype: string
";

/// The card of a dataset with these `stats`, whose data takes up `data_bytes`.
pub(crate) fn card(settings: &Settings, stats: &Stats, data_bytes: u64) -> String {
    let mut text = front_matter(settings, stats, data_bytes);
    text += &introduction(settings, stats);
    text += &layout(settings.format);
    text += &columns(settings);
    if settings.format == Format::Jsonl {
        text += LOADING;
    }
    text += &verification(stats);
    text += &synthesis(stats);
    text += &counts(stats);
    text += &limits(settings);
    text
}

fn front_matter(settings: &Settings, stats: &Stats, data_bytes: u64) -> String {
    let mut text = format!(
        "---\nlicense: mit\npretty_name: Weft kernel pairs\nlanguage:\n- code\n- en\ntags:\n- code\n- cuda\n- gpu\n\
         - nvidia-warp\n- rust\n- synthetic\ntask_categories:\n- text-generation\nsize_categories:\n- {}\n\
         annotations_creators:\n- machine-generated\n",
        size_category(stats.records),
    );
    // The hub can load the data file; folders are for people.
    if settings.format == Format::Jsonl {
        let text_before_ir = |features: String, name: &str| {
            features.replacen("  - name: ir\n", &format!("  - name: {name}\n    dtype: string\n  - name: ir\n"), 1)
        };
        let mut features = FEATURES.to_owned();
        if settings.ptx.is_some() {
            features = text_before_ir(features, "ptx");
        }
        if settings.cuda_source {
            features = text_before_ir(features, "cuda_source");
        }
        text += &format!(
            "configs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/train-*.jsonl\n\
             dataset_info:\n{features}  splits:\n  - name: train\n    num_bytes: {data_bytes}\n    num_examples: {}\n  \
             download_size: {data_bytes}\n  dataset_size: {data_bytes}\n",
            stats.records,
        );
    }
    text += "---\n\n";
    text
}

/// The hub's word for that many records.
fn size_category(records: usize) -> &'static str {
    match records {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        _ => "n>10M",
    }
}

fn introduction(settings: &Settings, stats: &Stats) -> String {
    let targets = match settings.device {
        Device::Cpu => "host C++",
        Device::Cuda => "CUDA C++",
        Device::Both => "CUDA C++ and host C++",
    };
    format!(
        "# Weft kernel pairs\n\n{} GPU kernels, each as NVIDIA Warp Python, as {targets}, and as the Rust function that \
         all of them were made from. Each record has an example: the inputs of a small launch and its outputs, computed \
         by executing the kernel before the record was written.\n\n",
        stats.records,
    )
}

fn layout(format: Format) -> String {
    let data = match format {
        Format::Files => "- `samples/<family>/<kernel>/`: a record as files\n",
        Format::Jsonl | Format::Parquet => {
            "- `data/train-00000-of-00001.jsonl`: the records, a JSON object on each line\n"
        }
    };
    format!(
        "## Files\n\n{data}- `{STATS}`: counts of records, bytes, rejects and checks\n- `{REJECTS}`: kernels that failed a \
         check, with the reason\n- `{RUN}`: the settings of the run\n- `{CARD}`: this card\n\n",
    )
}

/// The columns, with those that only some datasets have.
fn columns(settings: &Settings) -> String {
    let mut rows = String::new();
    if let Some(PtxSettings { architecture, nvrtc }) = &settings.ptx {
        rows += &format!("| `ptx` | what NVRTC {nvrtc} makes of `cuda_forward` for sm_{architecture} |\n");
    }
    if settings.cuda_source {
        rows += "| `cuda_source` | a CUDA program of its own: it makes the launch of the example and prints PASS or FAIL |\n";
    }
    COLUMNS.replacen("| `ir`", &format!("{rows}| `ir`"), 1)
}

const COLUMNS: &str = "\
## Fields

| field | meaning |
|---|---|
| `id` | the first 32 hexadecimal digits of the BLAKE3 hash over IR, seed and launch size |
| `python_source` | a Python module that defines the kernel with `@wp.kernel` |
| `rust_source` | the function under `#[kernel]` |
| `cpu_forward` | the kernel in C++17 for the host, complete in itself |
| `cpu_backward` | its adjoint (reverse mode) in C++17, complete in itself; null if it has none |
| `cuda_forward` | the kernel in CUDA C++, complete in itself |
| `cuda_backward` | its adjoint in CUDA C++, complete in itself; null if it has none |
| `ir` | the text form of the intermediate representation |
| `example` | `dim`, the launch size; `args`, the arguments before the launch; `outputs`, the writable arrays after it; `adj_outputs`, the adjoints of these; `gradients`, those of everything before it |
| `metadata` | name, family, origin, seed, features used, counts, signature, and whether the gradients that Warp itself computes from `python_source` are right |
| `verification` | the checks that the record passed |
| `hash` | the BLAKE3 hash of the IR without names: equal for kernels that differ in names alone |
| `skeleton_id` | the same without constants: equal for kernels that differ in names and constants alone |

Arrays are flat and row-major, matrices too. Every number reads back to the same bits. The texts for the CPU or those for
CUDA are null where the dataset was made for the other device only.

The adjoint of a launch takes what it needs of the arguments as they were before the launch, under their names, and for
every float parameter `x` an array `adj_x`, which it adds to: zeros, or for a writable array its entry in `adj_outputs`.
Afterwards `adj_x` is the entry in `gradients`. An array under `atomic_min` or `atomic_max` comes as it was after the
launch, and its gradient is zero wherever the launch has changed it.

";

const LOADING: &str = "\
## Loading

```python
from datasets import load_dataset

train = load_dataset(\"path/to/this/folder\", split=\"train\")
```

`example` is a JSON column, because its fields differ from record to record; `datasets` 5 reads it.

";

fn verification(stats: &Stats) -> String {
    let checks = &stats.verification;
    format!(
        "## Verification\n\nBefore a record is written, the interpreter of the IR and the CPU version that rustc compiled \
         from the Rust source run on the same inputs. Outputs must be finite, at least one of them must change, and both \
         executions must agree: bit for bit where all operations are exact, within the accuracy of the mathematical \
         functions otherwise. The adjoint is held against forward-mode \
         differentiation with dual numbers: for random v and w, ⟨v, Jᵀ·w⟩ against ⟨J·v, w⟩, to 1e-10 of the sum of the terms' \
         sizes in f64 and to 1e-4 in f32; and it is executed twice as well.\n\n| check | records |\n|---|---|\n| executed twice, in agreement | {} |\n| of these with the \
         same bits | {} |\n| largest distance of two floats | {} ulp |\n| adjoints \
         that agree with dual numbers | {} |\n| largest relative error of an adjoint in f64 | {:.1e} |\n| the same in the \
         types that it declares | {:.1e} |\n| rejected | {} |\n\n`gen-dataset validate DIR` \
         executes every record again.\n\n",
        checks.interpreter_vs_cpu,
        checks.bit_equal,
        checks.worst_ulp,
        checks.adjoints,
        checks.worst_adjoint_error_f64,
        checks.worst_adjoint_error_as_declared,
        stats.rejected,
    )
}

/// What was checked of synthesised kernels, and how different they are.
fn synthesis(stats: &Stats) -> String {
    let Some(near) = stats.near_duplicates else { return String::new() };
    format!(
        "## Synthesised kernels\n\n{} records are of kernels that a seeded generator made (`metadata.origin` is `synth`). \
         rustc has not compiled a CPU version of these, so `verification.interpreter_vs_cpu` is null: the interpreter ran \
         them, at several launch sizes; all outputs are finite and not constant, every input changes an output, and the \
         text form of the IR reads back to the same kernel. No two have the same structure, and one skeleton (a structure \
         without constants) makes up at most one record in 2000. Of {} kernels, {} were nearly the text of another one \
         (MinHash over runs of five tokens, 14 bands of 8); none of these became a record.\n\n",
        stats.records - stats.verification.interpreter_vs_cpu,
        near.compared,
        near.found,
    )
}

fn counts(stats: &Stats) -> String {
    let rows: String = stats.families.iter().map(|(family, count)| format!("| {family} | {count} |\n")).collect();
    format!(
        "## Families\n\n| family | records |\n|---|---|\n{rows}\n{} of the {} records have a structure of their own.\n\n",
        stats.distinct_structures, stats.records,
    )
}

fn limits(settings: &Settings) -> String {
    let (device, format) = (settings.device_name(), settings.format_name());
    let ptx = settings.ptx.as_ref().map(|ptx| format!(" --ptx sm_{}", ptx.architecture)).unwrap_or_default();
    let cuda_source = if settings.cuda_source { " --cuda-source" } else { "" };
    format!(
        "## Making it again\n\n```\ngen-dataset generate --family {} --count {} --seed {} --device {device} --format \
         {format}{ptx}{cuda_source}\n```\n\nWith version {GENERATOR_VERSION} (schema {SCHEMA_VERSION}) and the same kernels, this gives the \
         same bytes for any number of threads. Outputs of functions such as `sin` are those of the system's mathematical \
         library; everything else is the same on any machine.\n\n## Limits\n\nThe CUDA, C++ and \
         Python texts are not executed by the generator: it executes the IR that they are written from. There is one \
         split.\n",
        settings.families.join(","),
        settings.count,
        settings.seed,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::{self, Dataset};
    use crate::out::DATA_FILE;
    use std::fs;

    /// The front matter as the hub's YAML reader sees it: each line's indentation and text.
    #[test]
    fn the_columns_belong_to_the_dataset_info() {
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        dataset.generate(&[]).unwrap();
        let text = fs::read_to_string(dataset.path().join(CARD)).unwrap();
        let front = text.strip_prefix("---\n").unwrap().split_once("---\n\n# ").unwrap().0;
        let info = front.split_once("\ndataset_info:\n").unwrap().1;
        assert!(info.lines().all(|line| line.starts_with("  ")), "{info}");
        // Every field of a record is a column, in the same order.
        let record = fs::read_to_string(dataset.path().join(DATA_FILE)).unwrap();
        let record: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&record).unwrap();
        let columns = info.lines().filter_map(|line| line.strip_prefix("  - name: ")).filter(|name| *name != "train");
        assert_eq!(columns.collect::<Vec<_>>(), record.keys().collect::<Vec<_>>());
    }

    #[test]
    fn size_categories_are_those_of_the_hub() {
        assert_eq!(size_category(0), "n<1K");
        assert_eq!(size_category(1_000), "1K<n<10K");
        assert_eq!(size_category(99_999), "10K<n<100K");
    }
}
