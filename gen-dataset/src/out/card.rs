//! The dataset card: `README.md`, with the YAML front matter that the Hugging Face hub reads.

use super::layout::{CARD, DATA, REJECTS, RUN, STATS};
use super::manifest::Manifest;
use super::schema::features;
use super::stats::{Stats, TableCounts};
use crate::model::columns::{Presence, present};
use crate::model::{
    CardSettings, Config, Format, GENERATOR_VERSION, JudgeKind, PtxSettings, SCHEMA_VERSION, Settings, Split,
    SplitSettings, typed,
};

/// The card of a dataset with these `stats`.
pub(crate) fn card(run: &Manifest, stats: &Stats) -> String {
    let settings = &run.settings;
    let mut text = front_matter(settings, stats);
    text += &introduction(settings, stats);
    text += &layout(settings);
    text += &tables(stats);
    text += &columns(settings);
    if settings.format != Format::Files {
        text += &loading(settings);
    }
    text += &verification(stats);
    text += &synthesis(stats);
    text += &counts(stats);
    text += &leakage(settings, stats);
    text += &limits(settings, run.partitions);
    text
}

fn front_matter(settings: &Settings, stats: &Stats) -> String {
    let tags: String = settings.card.tags.iter().map(|tag| format!("- {}\n", yaml(tag))).collect();
    let mut text = format!(
        "---\nlicense: {}\npretty_name: {}\nlanguage:\n- code\n- en\ntags:\n- code\n- cuda\n- gpu\n\
         - nvidia-warp\n- rust\n- synthetic\n{tags}task_categories:\n- text-generation\nsize_categories:\n- {}\n\
         annotations_creators:\n- machine-generated\n",
        yaml(&settings.card.license),
        yaml(&settings.card.title),
        size_category(stats.records),
    );
    // The hub loads tables only. The format `files` has none.
    if let Some(extension) = settings.format.extension() {
        text += "configs:\n";
        for (config, splits) in in_order(stats) {
            text += &format!("- config_name: {}\n", config.name());
            if config == Config::Default {
                text += "  default: true\n";
            }
            text += "  data_files:\n";
            for (split, _) in splits {
                text +=
                    &format!("  - split: {0}\n    path: {DATA}/{1}/{0}-*.{extension}\n", split.name(), config.name());
            }
        }
        text += "dataset_info:\n";
        for (config, splits) in in_order(stats) {
            let features = features(&present(config.columns(), settings), "  ");
            text += &format!("- config_name: {}\n  features:\n{features}  splits:\n", config.name());
            for (split, counts) in &splits {
                text += &format!(
                    "  - name: {}\n    num_bytes: {}\n    num_examples: {}\n",
                    split.name(),
                    counts.contents,
                    counts.rows
                );
            }
            let bytes: u64 = splits.iter().map(|(_, counts)| counts.bytes).sum();
            let contents: u64 = splits.iter().map(|(_, counts)| counts.contents).sum();
            text += &format!("  download_size: {bytes}\n  dataset_size: {contents}\n");
        }
    }
    text += "---\n\n";
    text
}

/// The text as a YAML scalar: plain if that cannot be read as another type, else as a JSON string, which is valid YAML.
fn yaml(text: &str) -> String {
    // `no` and `on` are booleans in YAML 1.1, which the readers in Python follow.
    let is_plain = text.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && text.chars().all(|sign| sign.is_ascii_alphanumeric() || " -_.".contains(sign))
        && !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

/// A config with the counts of its splits.
type ConfigCounts = (Config, Vec<(Split, TableCounts)>);

/// The configs and splits that have rows, in the order of the enums.
fn in_order(stats: &Stats) -> Vec<ConfigCounts> {
    let splits = |config: Config| -> Option<ConfigCounts> {
        let counts = stats.tables.get(config.name())?;
        let splits = Split::ALL.into_iter().filter_map(|split| Some((split, *counts.get(split.name())?)));
        Some((config, splits.collect()))
    };
    Config::ALL.into_iter().filter_map(splits).collect()
}

/// The hub's size category for this number of records.
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
    let targets = settings.device.languages();
    let CardSettings { title, authors, .. } = &settings.card;
    let by = if authors.is_empty() { String::new() } else { format!("By {}.\n\n", authors.join(", ")) };
    format!(
        "# {title}\n\n{by}{} GPU kernels, each as NVIDIA Warp Python, as {targets}, and as the Rust function that \
         all of them were made from. Each record has an example: the inputs of a small launch and its outputs, computed \
         by executing the kernel before the record was written.\n\n",
        stats.records,
    )
}

fn layout(settings: &Settings) -> String {
    let data = match settings.format.extension() {
        None => "- `samples/<family>/<kernel>/`: a record as files\n".to_owned(),
        Some(extension) => format!("- `{DATA}/<config>/<split>-00000-of-00001.{extension}`: the tables\n"),
    };
    format!(
        "## Files\n\n{data}- `{STATS}`: counts of records, bytes, rejects and checks\n- `{REJECTS}`: kernels that failed a \
         check, with the reason\n- `{RUN}`: the settings of the run\n- `{CARD}`: this card\n\n",
    )
}

/// The list of configs with their numbers of rows.
fn tables(stats: &Stats) -> String {
    if stats.tables.is_empty() {
        return String::new();
    }
    let row = |config: Config, split: Split, counts: TableCounts| {
        format!("| {} | {} | {} | {} | {} |\n", config.name(), split.name(), counts.files, counts.rows, counts.bytes)
    };
    let rows: String = in_order(stats)
        .into_iter()
        .flat_map(|(config, splits)| splits.into_iter().map(move |(split, counts)| row(config, split, counts)))
        .collect();
    format!("| config | split | files | rows | bytes |\n|---|---|---|---|---|\n{rows}\n")
}

/// The list of columns of each config.
fn columns(settings: &Settings) -> String {
    let mut text = String::new();
    for config in &settings.configs {
        let rows: String = present(config.columns(), settings)
            .iter()
            .map(|column| match (&settings.ptx, column.presence) {
                (Some(PtxSettings { architecture, nvrtc }), Presence::WithPtx) => {
                    format!("| `{}` | {}, by version {nvrtc} for sm_{architecture} |\n", column.name, column.doc)
                }
                _ => format!("| `{}` | {} |\n", column.name, column.doc),
            })
            .collect();
        text += &format!("## Columns of `{}`\n\n| column | meaning |\n|---|---|\n{rows}\n", config.name());
        if *config == Config::Default {
            text += VALUES;
        }
    }
    text
}

const VALUES: &str = "\
Arrays are flat and row-major, matrices too. Every number reads back to the same bits. The texts of a
target are null where `--device` leaves it out, or where its language lacks what the kernel needs.

The adjoint of a launch takes what it needs of the arguments as they were before the launch, under their names, and for
every float parameter `x` an array `adj_x`, which it adds to: zeros, or for a writable array its entry in `adj_outputs`.
Afterwards `adj_x` is the entry in `gradients`. An array `x` under `atomic_min` or `atomic_max` comes as it was after the
launch. Winners share its gradient equally: the values that were put in and equal the result, and the value from before, if
nothing beat it. The adjoint is launched twice. In `x_winners` the first launch, with `counting`, finds 1 where the launch of
the kernel has left `x` as it was, else 0, and adds the number of winners among the threads; it changes nothing else. The
second launch, without `counting`, computes the gradients and leaves `adj_x`: the gradient by `x` is the quotient of `adj_x`
by `x_winners` where the launch of the kernel has left `x` as it was, and 0 elsewhere. `metadata.arguments`
lists the arguments of the functions in the C++, CUDA and HIP texts; a text in WGSL names its bindings.

";

fn loading(settings: &Settings) -> String {
    let package = match settings.format {
        Format::JsonlZst => " The package `zstandard` must be installed.",
        Format::Jsonl | Format::Parquet | Format::Files => "",
    };
    format!(
        "## Loading\n\n```python\nfrom datasets import load_dataset\n\ntrain = load_dataset(\"path/to/this/folder\", \
         split=\"train\")\n```\n\n`example` is JSON in a string, because its fields differ from record to record: \
         `json.loads(row[\"example\"])`.{package}\n\n"
    )
}

fn verification(stats: &Stats) -> String {
    let checks = &stats.verification;
    let tiers: String =
        checks.tiers.iter().map(|(tier, records)| format!("| {tier}: {} | {records} |\n", tier_name(*tier))).collect();
    let programs: Vec<String> =
        checks.toolchains.iter().map(|(program, records)| format!("{program} ({records} records)")).collect();
    format!(
        "## Verification\n\nBefore a record is written, the interpreter of the IR runs it in launches of several sizes, from one \
         thread to one more than a warp, and once more each, with threads in the opposite order and with poison (NaN, or \
         an integer that nobody expects) in every array that is only written to. Where rustc compiled a CPU version of the Rust source, \
         that runs on the same inputs and on poison too. Outputs must be finite, at least one of them must change, inputs must \
         not, and all executions must agree: bit for bit where all operations are exact, within the accuracy of the mathematical \
         functions otherwise. NaN passes only as poison that neither side overwrote. The adjoint is held against forward-mode \
         differentiation with dual numbers: for random v and w, ⟨v, Jᵀ·w⟩ against ⟨J·v, w⟩, to 1e-10 of the sum of the terms' \
         sizes in f64 and to 1e-4 in f32; where there is a CPU version of it, that is executed as well.\n\n| tier | records \
         |\n|---|---|\n{tiers}\n| check | records |\n|---|---|\n| launches executed | {} |\n| executed again, poisoned and in \
         the opposite order | {} |\n| of these with the same bits | {} |\n| largest relative distance in the others | {:.1e} |\n| \
         executed by the CPU version too, in agreement | {} |\n| of these with the \
         same bits | {} |\n| largest distance of two floats | {} ulp |\n| the same as such | {:.1e} |\n| the same relative | {:.1e} \
         |\n| adjoints \
         that agree with dual numbers | {} |\n| of these with surrogate gradients, as the feature `surrogate_grad` says | {} \
         |\n| largest relative error of an adjoint in f64 | {:.1e} |\n| the same in the \
         types that it declares | {:.1e} |\n| rejected | {} |\n\nPrograms that took part: {}. `gen-dataset validate DIR` \
         executes every record again.\n\n",
        checks.launches,
        checks.again,
        checks.again_bit_equal,
        checks.again_worst_relative,
        checks.interpreter_vs_cpu,
        checks.bit_equal,
        checks.worst_ulp,
        checks.worst_absolute,
        checks.worst_relative,
        checks.adjoints,
        checks.surrogate_gradients,
        checks.worst_adjoint_error_f64,
        checks.worst_adjoint_error_as_declared,
        stats.rejected,
        programs.join(", "),
    )
}

/// The evidence of a tier, as a word.
pub(crate) fn tier_name(tier: u8) -> &'static str {
    match tier {
        0 => "emitted",
        1 => "parsed back",
        2 => "compiled",
        3 => "executed",
        4 => "adjoint proven",
        _ => "run on a GPU",
    }
}

/// The paragraph about the checks and the diversity of synthesised kernels.
fn synthesis(stats: &Stats) -> String {
    let Some(near) = stats.near_duplicates else { return String::new() };
    format!(
        "## Synthesised kernels\n\n{} records are of kernels that a seeded generator made (`metadata.origin` is `synth`). \
         rustc has not compiled a CPU version of these, so `verification.interpreter_vs_cpu` is null, and tier 2 means that \
         the kernel compiler accepts the kernel and prints it in every language. The Rust text and the \
         text form of the IR read back to the same kernel; all outputs are finite and not constant, and every input changes an output. No two have the same structure, and one skeleton (a structure \
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

/// The paragraph about splits and decontamination.
fn leakage(settings: &Settings, stats: &Stats) -> String {
    let mut text = String::new();
    if let Some(splits) = &settings.splits {
        let rows: String = Split::ALL
            .iter()
            .filter_map(|split| Some(format!("| {} | {} |\n", split.name(), stats.splits.get(split.name())?)))
            .collect();
        let [train, validation, test] = splits.parts;
        text += &format!(
            "## Splits\n\n| split | records |\n|---|---|\n{rows}\nOf the skeletons, {train} in a hundred were meant for train, \
             {validation} for validation and {test} for test; a hash of the skeleton decides. No skeleton is in two splits, \
             and no two records of different splits have nearly the same text.{}\n\n",
            match splits.held_out.is_empty() {
                true => String::new(),
                false => format!(" Held out for test: {}.", splits.held_out.join(", ")),
            }
        );
    }
    if settings.benchmarks.is_some() {
        text += &format!(
            "## Benchmarks\n\nNo record shares a run of 12 tokens, or a skeleton, with the benchmarks that were given to the \
             generator; {} records that did were rejected.\n\n",
            stats.rejects.get("contaminated").copied().unwrap_or_default(),
        );
    }
    text
}

/// What the name of an adapter has if its driver runs on the CPU.
const IN_SOFTWARE: &str = "in software";

fn limits(settings: &Settings, partitions: Option<u32>) -> String {
    let (device, format) = (settings.device.to_string(), typed(&settings.format));
    let mut more = settings.ptx.as_ref().map(|ptx| format!(" --ptx sm_{}", ptx.architecture)).unwrap_or_default();
    if !settings.judges.is_empty() {
        let names: Vec<String> = settings.judges.iter().map(|judge| judge.judge.name()).collect();
        more += &format!(" --judges {}", names.join(","));
    }
    if settings.cuda_source {
        more += " --cuda-source";
    }
    if settings.rl_programs {
        more += " --rl-programs";
    }
    if settings.examples.count > 1 {
        more += &format!(" --examples {}", settings.examples.count);
    }
    if !settings.examples.sizes.is_empty() {
        let size = |size: &Vec<usize>| size.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
        let sizes: Vec<String> = settings.examples.sizes.iter().map(size).collect();
        more += &format!(" --sizes {}", sizes.join(","));
    }
    if !Config::is_only_default(&settings.configs) {
        let names: Vec<&str> = settings.configs.iter().map(|config| config.name()).collect();
        more += &format!(" --configs {}", names.join(","));
    }
    if let Some(SplitSettings { parts: [train, validation, test], held_out }) = &settings.splits {
        more += &format!(" --splits {train},{validation},{test}");
        if !held_out.is_empty() {
            more += &format!(" --hold-out {}", held_out.join(","));
        }
    }
    if settings.benchmarks.is_some() {
        more += " --decontaminate BENCHMARKS";
    }
    let adapter = settings.judges.iter().find(|judge| judge.judge == JudgeKind::Vulkan).map(|judge| &judge.version);
    let on_gpu = match adapter.is_some_and(|adapter| !adapter.contains(IN_SOFTWARE)) {
        true => "**Nothing but the WGSL was executed on a GPU.**",
        false => "**Nothing was executed on a GPU.**",
    };
    let (verb, then) = match partitions {
        None => ("generate", String::new()),
        Some(partitions) => {
            more += &format!(" --partitions {partitions} --output RUN");
            ("plan", "gen-dataset run RUN\ngen-dataset finalize RUN --output DATASET\n".to_owned())
        }
    };
    format!(
        "## Making it again\n\n```\ngen-dataset {verb} --source {} --family {} --count {} --seed {} --device {device} \
         --format {format}{more}\n{then}```\n\nWith version {GENERATOR_VERSION} (schema {SCHEMA_VERSION}) and the same kernels, this gives the \
         same bytes for any number of threads and workers, on any processor.\n\n## Limits\n\n{on_gpu} \
         The texts of the targets and those in Python are not executed by the generator: it executes the IR that they are \
         written from, on the CPU. {judged}\n",
        typed(&settings.source),
        settings.families.join(","),
        settings.count,
        settings.seed,
        judged = match (settings.judges.is_empty(), &adapter) {
            (true, _) => "No judge was asked (`--judges`).".to_owned(),
            (false, None) => "What the judges ran of them, they ran on the CPU, too.".to_owned(),
            (false, Some(adapter)) => format!(
                "The judges ran those in WGSL on this adapter: {adapter}. What they ran of the others, they ran on the CPU."
            ),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;
    use crate::model::JudgeSettings;
    use std::fs;

    fn front_matter_of(args: &[&str]) -> String {
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        dataset.generate(args).unwrap();
        let text = fs::read_to_string(dataset.path().join(CARD)).unwrap();
        text.strip_prefix("---\n").unwrap().split_once("---\n\n# ").unwrap().0.to_owned()
    }

    #[test]
    fn title_licence_authors_and_tags_are_those_of_the_owner() {
        let args =
            ["--title", "Cloth: kernels", "--license", "apache-2.0", "--author", "A. Turing", "--author", "B. Liskov"];
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        dataset.generate(&[&args[..], &["--tags", "cloth,true"]].concat()).unwrap();
        let text = fs::read_to_string(dataset.path().join(CARD)).unwrap();
        assert!(text.starts_with("---\nlicense: apache-2.0\npretty_name: \"Cloth: kernels\"\n"), "{text}");
        assert!(text.contains("\n- synthetic\n- cloth\n- \"true\"\ntask_categories:\n"), "{text}");
        assert!(text.contains("\n# Cloth: kernels\n\nBy A. Turing, B. Liskov.\n\n1 GPU kernels,"), "{text}");
    }

    #[test]
    fn surrogate_gradients_are_counted() {
        kernels::link();
        let quantize = kernel_rt::registered_kernels().into_iter().find(|info| info.name == "fake_quantize").unwrap();
        let dataset = Dataset::new(&[fixtures::info("math", "wave"), quantize]);
        let args = ["--source", "registry", "--family", "math,scalar_param", "--device", "cpu"];
        let stats = dataset.generate(&args).unwrap().unwrap();
        let is_marked = |record: &crate::model::Record| record.metadata.features.contains(&"surrogate_grad".to_owned());
        let records = dataset.records();
        let marked = records.iter().filter(|record| is_marked(record)).count();
        assert!(marked > 0 && marked < records.len());
        assert!(records.iter().all(|record| is_marked(record) == (record.metadata.kernel_name == "fake_quantize")));
        assert_eq!(stats.verification.surrogate_gradients, marked);
        let text = fs::read_to_string(dataset.path().join(CARD)).unwrap();
        let row = format!("| of these with surrogate gradients, as the feature `surrogate_grad` says | {marked} |");
        assert!(text.contains(&row), "{text}");
    }

    #[test]
    fn the_columns_belong_to_the_dataset_info() {
        let front = front_matter_of(&[]);
        let info = front.split_once("\ndataset_info:\n- config_name: default\n").unwrap().1;
        assert!(info.lines().all(|line| line.starts_with("  ")), "{info}");
        let columns = info.lines().filter_map(|line| line.strip_prefix("  - name: ")).filter(|name| *name != "train");
        let without_ptx = Config::Default.columns().iter().filter(|column| column.presence == Presence::Always);
        assert!(columns.eq(without_ptx.map(|column| column.name)), "{info}");
    }

    #[test]
    fn every_config_and_split_has_its_files() {
        let args = ["--source", "all", "--count", "30", "--format", "parquet", "--splits", "50,25,25"];
        let front = front_matter_of(&[&args[..], &["--configs", "default,sft,chat,rl,contrast"]].concat());
        for config in Config::ALL {
            for split in Split::ALL {
                let path = format!("  - split: {0}\n    path: data/{1}/{0}-*.parquet\n", split.name(), config.name());
                assert!(front.contains(&path), "{path} is missing in {front}");
            }
        }
        assert!(front.contains("    dtype: string\n"), "{front}");
    }

    #[test]
    fn the_card_says_what_ran_where() {
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        let mut settings = dataset.request(&[]).unwrap().spec.settings;
        let vulkan = |version: &str| vec![JudgeSettings { judge: JudgeKind::Vulkan, version: version.to_owned() }];
        settings.judges = vulkan("llvmpipe (Vulkan, in software)");
        let text = limits(&settings, None);
        assert!(
            text.contains("Nothing was executed on a GPU.") && text.contains("adapter: llvmpipe (Vulkan"),
            "{text}"
        );
        settings.judges = vulkan("NVIDIA H100 (Vulkan)");
        assert!(limits(&settings, None).contains("**Nothing but the WGSL was executed on a GPU.**"));
    }

    #[test]
    fn the_card_says_that_no_gpu_took_part() {
        let dataset = Dataset::new(&[fixtures::info("math", "wave")]);
        dataset.generate(&[]).unwrap();
        let text = fs::read_to_string(dataset.path().join(CARD)).unwrap();
        assert!(
            text.contains("Nothing was executed on a GPU.") && text.ends_with("No judge was asked (`--judges`).\n")
        );
    }

    #[test]
    fn size_categories_are_those_of_the_hub() {
        assert_eq!(size_category(0), "n<1K");
        assert_eq!(size_category(1_000), "1K<n<10K");
        assert_eq!(size_category(99_999), "10K<n<100K");
    }
}
