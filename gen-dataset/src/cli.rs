//! The arguments as typed. Doc comments of commands and arguments are the help texts.

mod values;

pub(crate) use values::Text;

use crate::model::{
    CardSettings, Config, Device, ExampleSettings, Existing, Format, JudgeChoice, ShaderFormat, Source,
};
use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;
use values::{
    LaunchSize, architecture, at_least_one, device_help, identifier, judges_help, launch_size, one_line_of_text, parts,
    text, whole,
};

/// The largest seed. Readers of JSON and Parquet store it as a signed 64-bit integer.
const MAX_SEED: u64 = i64::MAX as u64;

/// The largest number of examples in a record.
const MOST_EXAMPLES: u64 = 16;

const EXAMPLES: &str = "\
Examples:
  gen-dataset                                      every kernel of the registry, to ./dataset
  gen-dataset --family vector,matrix --output vm   two families
  gen-dataset --format files --device cuda         a folder for each kernel, CUDA only
  gen-dataset --format parquet --configs default,sft,chat,rl,contrast --splits 90,5,5
  gen-dataset --module kernels::vector --title Vectors --license apache-2.0 --author Turing --tags vectors
  gen-dataset list --family atomic                 the registered kernels of a family
  gen-dataset show saxpy                           Python and CUDA side by side
  gen-dataset validate dataset                     executes every record again
  gen-dataset stats dataset                        statistics of a dataset
  gen-dataset export dataset --cu programs         a CUDA program for each record

Exit status: 0 success, 1 a dataset failed validation, 2 arguments or files that cannot be used,
70 any other failure, 75 work is left: the same command continues it, 130 interrupted.";

/// Writes datasets of GPU kernels: Warp Python, CUDA C++, host C++ and Rust of one kernel in each record, executed
/// before it is written.
#[derive(Debug, Parser)]
#[command(name = "gen-dataset", version, after_help = EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    /// The command; `generate` if none is given.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// The arguments of `generate`, if no command is given.
    #[command(flatten)]
    pub(crate) generate: GenerateArgs,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a dataset (the default).
    #[command(after_help = "\
Examples:
  gen-dataset generate --count 20 --seed 7
  gen-dataset generate --family atomic --output atomics --overwrite
  gen-dataset generate --source synth --count 10000 --seed 7 --output synth
  gen-dataset generate --source synth --count 500 --judges all --output judged
  gen-dataset generate --resume")]
    Generate(GenerateArgs),
    /// List the registered kernels.
    #[command(after_help = "\
Examples:
  gen-dataset list
  gen-dataset list --family vector,matrix --json")]
    List(ListArgs),
    /// Write a crate for a dataset of your own kernels.
    #[command(after_help = "\
Examples:
  gen-dataset new mykernels
  gen-dataset new ../mykernels --weft weft

The crate has two kernels to begin with, and the same commands: `cargo run --release -- list --module mykernels`.")]
    New(NewArgs),
    /// Show one kernel: Python and CUDA side by side.
    #[command(after_help = "\
Examples:
  gen-dataset show saxpy
  gen-dataset show saxpy --stage cpp
  gen-dataset show 4f2a91c07be35d18 --dataset dataset
  gen-dataset show 7:1274 --stage rust             the synthesised kernel of seed 7 and index 1274, made again")]
    Show(ShowArgs),
    /// Check a finished dataset again: its texts, its examples and its counts.
    #[command(after_help = "\
Examples:
  gen-dataset validate dataset
  gen-dataset validate dataset --judges nvrtc,cxx
  gen-dataset validate dataset --judges all --evidence judged.jsonl

Judges, which `scripts/install-judges.sh` installs:
  nvrtc  compiles the CUDA text to PTX
  cxx    compiles the C++ and the CUDA text for the host and runs them
  warp   imports the Python text and runs it
  vulkan runs the WGSL text on an adapter, in a build with the feature `wgpu`
  hip    compiles the HIP text for AMD GPUs; nothing is run")]
    Validate(ValidateArgs),
    /// Recompute every figure of a dataset from its files, and look for leakage between splits.
    #[command(after_help = "\
Examples:
  gen-dataset audit dataset")]
    Audit(AuditArgs),
    /// Print statistics of a dataset by family: skeletons, near-duplicates, lengths, types, operations, tiers.
    #[command(after_help = "\
Examples:
  gen-dataset stats dataset
  gen-dataset stats dataset --json | jq .rare
  gen-dataset stats dataset --plots plots

A token is a word or a sign: a run of letters, digits and underscores, or any other character except spaces.")]
    Stats(StatsArgs),
    /// Write a dataset as one HTML page: plots, and samples in all languages side by side, to browse and search.
    #[command(after_help = "\
Examples:
  gen-dataset report dataset
  gen-dataset report dataset --output report.html --samples 50 --seed 7
  gen-dataset validate dataset > judged.txt; gen-dataset report dataset --judged judged.txt")]
    Report(ReportArgs),
    /// Print the JSON Schema of a config.
    #[command(after_help = "\
Examples:
  gen-dataset schema
  gen-dataset schema --config sft")]
    Schema(SchemaArgs),
    /// Plan a large run in partitions, for many machines; a plan never changes.
    #[command(after_help = "\
Examples:
  gen-dataset plan --source synth --count 1000000 --partitions 64 --format parquet --output /shared/run
  gen-dataset run /shared/run
  gen-dataset finalize /shared/run --output dataset")]
    Plan(PlanArgs),
    /// Make the partitions of one worker; complete partitions stay as they are.
    #[command(after_help = "\
Examples:
  gen-dataset run /shared/run
  gen-dataset run /shared/run --shard-index 3 --num-shards 8
  sbatch --array=0-7 --wrap 'gen-dataset run /shared/run'

Without `--shard-index` and `--num-shards`, environment variables give both: SLURM_ARRAY_TASK_ID (with _MIN and _COUNT),
JOB_COMPLETION_INDEX (Kubernetes), HQ_TASK_ID (HyperQueue), AWS_BATCH_JOB_ARRAY_INDEX (with _SIZE). If they do not give
the number of tasks, there is one task for each partition.

Exit status: 0 success, 2 arguments or a plan that cannot be used, 75 stopped, or another process is at work: the same
command continues.

An object store keeps no journal: an interrupted partition there starts from its beginning.")]
    Run(RunArgs),
    /// Make the partitions that another program names on standard input, for engines such as Ray and Spark.
    #[command(after_help = "\
Examples:
  seq 0 63 | gen-dataset worker /shared/run --ndjson
  echo '{\"partition\": 3}' | gen-dataset worker /shared/run --ndjson")]
    Worker(WorkerArgs),
    /// Print the progress of a run.
    #[command(after_help = "\
Examples:
  gen-dataset status /shared/run
  sbatch --array=$(gen-dataset status /shared/run --json | jq -r .array) --wrap \
    'gen-dataset run /shared/run --shard-index $SLURM_ARRAY_TASK_ID --num-shards 64'")]
    Status(StatusArgs),
    /// Make a dataset of the partitions of a run, when all of them are complete.
    #[command(after_help = "\
Examples:
  gen-dataset finalize /shared/run --output dataset")]
    Finalize(FinalizeArgs),
    /// Write the records of a dataset as standalone CUDA programs, or their WGSL as shaders for GPU interfaces.
    #[command(after_help = "\
Examples:
  gen-dataset export dataset --cu programs
  nvcc -O2 -fmad=false programs/arithmetic/saxpy.cu -o saxpy && ./saxpy
  g++ -O2 -ffp-contract=off -DWEFT_HOST -x c++ programs/arithmetic/saxpy.cu -o saxpy && ./saxpy
  gen-dataset export dataset --shaders shaders --language msl")]
    Export(ExportArgs),
    /// Say which outside programs are installed, and what each missing one disables.
    #[command(after_help = "\
Examples:
  gen-dataset doctor
  gen-dataset doctor --json | jq '.parts[] | select(.installed | not) | .name'
  gen-dataset doctor --require g++,readers         exit status 2 if one of them is missing")]
    Doctor(DoctorArgs),
    /// Print the completions of a shell.
    #[command(after_help = "\
Examples:
  gen-dataset completions bash > ~/.local/share/bash-completion/completions/gen-dataset
  gen-dataset completions zsh > ~/.zfunc/_gen-dataset
  gen-dataset completions fish > ~/.config/fish/completions/gen-dataset.fish")]
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands to a folder.
    #[command(after_help = "\
Examples:
  gen-dataset man | man -l -
  gen-dataset man --output ~/.local/share/man/man1")]
    Man(ManArgs),
    /// Score answers of models to the tasks of a dataset: compile, run, compare.
    #[command(after_help = "\
Examples:
  gen-dataset score answers.jsonl --dataset pairs
  gen-dataset score answers.jsonl --dataset pairs --k 1,5,10 --output scores.jsonl
  echo '{\"id\": \"4f2a91c07be35d18\", \"task\": \"python_to_cuda\", \"completion\": \"…\"}' | gen-dataset score --ndjson --dataset pairs

Each line of the answers is a JSON object with the `id` of a record, the name of the `task`, and the `completion`: a text
or a list of messages. Each verdict is a line with the same id and task, `correct`, `compiled`, `outcome`, and `why`.

Answers run in a sandbox, in processes that hold no expected result, on launches that no dataset holds. They are right
if all results are, within the tolerances for another order of operations, and if they do no more than --work times the
work of the reference and --span times that of its longest thread.")]
    Score(ScoreArgs),
}

/// The arguments of `generate`.
#[derive(Args, Debug)]
pub(crate) struct GenerateArgs {
    /// What to write.
    #[command(flatten)]
    pub(crate) spec: SpecArgs,
    /// How to write it.
    #[command(flatten)]
    pub(crate) out: OutArgs,
    /// Start even if the dataset is probably larger than the free disk space
    #[arg(long)]
    pub(crate) yes: bool,
}

/// The output of a dataset.
#[derive(Args, Debug)]
pub(crate) struct OutArgs {
    /// The folder to write to
    #[arg(long, value_name = "DIR", default_value = "dataset")]
    pub(crate) output: PathBuf,
    /// The number of threads [default: one for each core]; the dataset does not depend on it
    #[arg(long, value_name = "J", allow_negative_numbers = true, value_parser = whole::<u64>(1, 1024))]
    pub(crate) jobs: Option<u64>,
    /// Replace the dataset in the folder; it stays until the new one is complete
    #[arg(long, conflicts_with = "resume")]
    pub(crate) overwrite: bool,
    /// Continue an earlier run with the same settings in the folder
    #[arg(long)]
    pub(crate) resume: bool,
}

impl OutArgs {
    /// The treatment of existing files in the output folder.
    pub(crate) fn existing(&self) -> Existing {
        match (self.overwrite, self.resume) {
            (true, _) => Existing::Overwrite,
            (_, true) => Existing::Resume,
            _ => Existing::Refuse,
        }
    }
}

/// The contents of a dataset: everything that its bytes depend on.
#[derive(Args, Debug)]
pub(crate) struct SpecArgs {
    /// The number of kernels to take from the source, in its order [default: all registered ones]; with `--source all`
    /// registered kernels come first, so a small number includes no synthesised ones
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    pub(crate) count: Option<u64>,
    /// The families to write, separated by commas
    #[arg(long, value_name = "A,B|all", value_delimiter = ',', default_value = "all")]
    pub(crate) family: Vec<String>,
    /// Take only kernels of these crates or modules, separated by commas, as `mykernels,kernels::vector` [default: all
    /// that are linked into this program]
    #[arg(long, value_name = "PATH", value_delimiter = ',', value_parser = one_line_of_text)]
    pub(crate) module: Vec<String>,
    /// The source of the kernels; `all` takes every registered one and, up to `--count`, synthesised ones
    #[arg(long, value_enum, default_value_t = Source::Registry)]
    pub(crate) source: Source,
    /// The number of examples in a record; those after the first are in the column `more_examples`
    #[arg(long, value_name = "K", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(1, MOST_EXAMPLES))]
    pub(crate) examples: u64,
    /// The launch sizes of the examples, separated by commas, as `64,1000,33x17`; the examples of a kernel with two axes
    /// take those with two in turn [default: small ones]
    #[arg(long, value_name = "N,NxM", value_delimiter = ',', allow_negative_numbers = true, value_parser = launch_size)]
    pub(crate) sizes: Vec<LaunchSize>,
    #[arg(long, value_name = "A,B|all", value_parser = Device::of_names, default_value_t = Device::all(), help = device_help())]
    pub(crate) device: Device,
    /// The seed of the inputs of the examples, and of synthesis
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0, MAX_SEED))]
    pub(crate) seed: u64,
    /// Add the PTX that NVRTC compiles for this architecture, one of sm_75, sm_80, sm_90 and sm_100
    #[arg(long, value_name = "SM", value_parser = architecture)]
    pub(crate) ptx: Option<u32>,
    #[arg(long, value_name = "A,B|all|none", value_enum, value_delimiter = ',', hide_possible_values = true, help = judges_help())]
    pub(crate) judges: Vec<JudgeChoice>,
    /// Add a standalone CUDA program that makes the launch of the example, as `export` writes it
    #[arg(long)]
    pub(crate) cuda_source: bool,
    /// Add a program of its own to each row of `rl`, which tests an answer without this tool; `score` needs none
    #[arg(long)]
    pub(crate) rl_programs: bool,
    /// The format of the records
    #[arg(long, value_enum, default_value_t = Format::Jsonl)]
    pub(crate) format: Format,
    /// The configs to write, separated by commas; the others are derived from `default`
    #[arg(long, value_name = "A,B", value_enum, value_delimiter = ',', default_value = "default")]
    pub(crate) configs: Vec<Config>,
    /// The percentages of train, validation and test, as `90,5,5`; all kernels of one skeleton are in one split
    #[arg(long, value_name = "T,V,E", value_parser = parts)]
    pub(crate) splits: Option<[u8; 3]>,
    /// Put all of these into the test split, separated by commas: families, or `registry` for the hand-written kernels
    #[arg(long, value_name = "A,B", value_delimiter = ',', requires = "splits")]
    pub(crate) hold_out: Vec<String>,
    /// A folder with texts of benchmarks: no record may share a run of 12 tokens, or a skeleton, with them
    #[arg(long, value_name = "DIR")]
    pub(crate) decontaminate: Option<PathBuf>,
    /// The contents of the card.
    #[command(flatten)]
    pub(crate) card: CardArgs,
}

impl SpecArgs {
    /// The settings that these arguments stand for.
    pub(crate) fn examples(&self) -> ExampleSettings {
        let sizes = self.sizes.iter().map(|LaunchSize(size)| size.clone()).collect();
        ExampleSettings { count: self.examples, sizes }
    }
}

/// The owner's part of the card.
#[derive(Args, Debug)]
#[command(next_help_heading = "Card")]
pub(crate) struct CardArgs {
    /// The name of the dataset
    #[arg(long, default_value = CardSettings::TITLE, value_parser = one_line_of_text)]
    pub(crate) title: String,
    /// The licence, as the Hugging Face hub calls it: `mit`, `apache-2.0`, `cc-by-4.0`
    #[arg(long, value_name = "ID", default_value = CardSettings::LICENSE, value_parser = identifier)]
    pub(crate) license: String,
    /// An author; repeat the option for each author
    #[arg(long, value_name = "NAME", value_parser = one_line_of_text)]
    pub(crate) author: Vec<String>,
    /// Tags, separated by commas, besides those that every dataset has
    #[arg(long, value_name = "A,B", value_delimiter = ',', value_parser = identifier)]
    pub(crate) tags: Vec<String>,
}

impl CardArgs {
    /// The settings that these arguments stand for.
    pub(crate) fn settings(&self) -> CardSettings {
        let CardArgs { title, license, author, tags } = self;
        CardSettings { title: title.clone(), license: license.clone(), authors: author.clone(), tags: tags.clone() }
    }
}

/// The arguments of `list`.
#[derive(Args, Debug)]
pub(crate) struct ListArgs {
    /// The families to show, separated by commas
    #[arg(long, value_name = "A,B|all", value_delimiter = ',', default_value = "all")]
    pub(crate) family: Vec<String>,
    /// Show only kernels of these crates or modules, separated by commas
    #[arg(long, value_name = "PATH", value_delimiter = ',', value_parser = one_line_of_text)]
    pub(crate) module: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `show`.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// The name of a kernel, the id of a record or its beginning, or seed and index of a synthesised kernel
    #[arg(value_name = "ID|KERNEL|SEED:INDEX")]
    pub(crate) which: String,
    /// Print only this stage of the compiler
    #[arg(long, alias = "only", value_parser = text())]
    pub(crate) stage: Option<Text>,
    /// The dataset in which to look for an id
    #[arg(long, value_name = "DIR", default_value = "dataset")]
    pub(crate) dataset: PathBuf,
}

/// The arguments of `validate`.
#[derive(Args, Debug)]
pub(crate) struct ValidateArgs {
    /// The folder of the dataset
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The judges to run, separated by commas [default: those that are installed]
    #[arg(long, value_name = "A,B|all|none", value_enum, value_delimiter = ',', hide_possible_values = true)]
    pub(crate) judges: Vec<JudgeChoice>,
    /// Also let judges compile and run texts that differ from those that this version writes; they run with your rights,
    /// so use it only if you trust the author of the dataset
    #[arg(long)]
    pub(crate) trust: bool,
    /// Write a JSON line for each record to this file: its id, and the result of every check and judge
    #[arg(long, value_name = "FILE")]
    pub(crate) evidence: Option<PathBuf>,
    /// The number of threads [default: one for each core]
    #[arg(long, value_name = "J", allow_negative_numbers = true, value_parser = whole::<u64>(1, 1024))]
    pub(crate) jobs: Option<u64>,
}

/// The arguments of `audit`.
#[derive(Args, Debug)]
pub(crate) struct AuditArgs {
    /// The folder of the dataset
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
}

/// The arguments of `stats`.
#[derive(Args, Debug)]
pub(crate) struct StatsArgs {
    /// The folder of the dataset
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write plots to this folder, as SVG
    #[arg(long, value_name = "OUT")]
    pub(crate) plots: Option<PathBuf>,
    /// Call an operation rare if fewer records have it [default: 1000 in a million]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(0, u64::MAX))]
    pub(crate) rare_below: Option<usize>,
}

/// The arguments of `report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// The folder of the dataset
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The file to write; an existing one is replaced
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    pub(crate) output: PathBuf,
    /// The number of samples, spread evenly over the families
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = whole::<usize>(1, 2000))]
    pub(crate) samples: usize,
    /// The seed by which the samples are chosen
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) seed: u64,
    /// A file with the output of `validate`, to show on the page
    #[arg(long, value_name = "FILE")]
    pub(crate) judged: Option<PathBuf>,
}

/// The arguments of `score`.
#[derive(Args, Debug)]
pub(crate) struct ScoreArgs {
    /// A file with an answer in each line
    #[arg(value_name = "ANSWERS", required_unless_present = "ndjson", conflicts_with = "ndjson")]
    pub(crate) answers: Option<PathBuf>,
    /// The dataset whose tasks are answered [default: dataset]; it is not read if each line has `ir` and `seed` of a row
    /// of `rl`
    #[arg(long, value_name = "DIR")]
    pub(crate) dataset: Option<PathBuf>,
    /// Read answers from standard input, and write a verdict to standard output for each, in order, until the input ends
    #[arg(long, conflicts_with_all = ["output", "json"])]
    pub(crate) ndjson: bool,
    /// The file for the verdicts [default: ANSWERS with the ending `.scores.jsonl`]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Print the table as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The numbers of tries for which to print pass@k, separated by commas
    #[arg(long, value_name = "K", value_delimiter = ',', default_value = "1", value_parser = whole::<u64>(1, 1000))]
    pub(crate) k: Vec<u64>,
    /// How many times the work of the reference an answer may do, in instructions of all threads
    #[arg(long, value_name = "X", default_value_t = 16.0, value_parser = at_least_one)]
    pub(crate) work: f64,
    /// How many times the work of the reference's longest thread that of an answer may do
    #[arg(long, value_name = "X", default_value_t = 8.0, value_parser = at_least_one)]
    pub(crate) span: f64,
    /// The seed of the inputs of the launches; keep it from whoever writes the answers
    #[arg(long, value_name = "S", default_value_t = 0, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    pub(crate) seed: u64,
    /// The sandbox for answers [default: landlock, or bubblewrap where the kernel has no Landlock]; `none` runs them
    /// with your rights
    #[arg(long, value_enum)]
    pub(crate) sandbox: Option<SandboxChoice>,
    /// The number of threads [default: one for each core]; no verdict depends on it
    #[arg(long, value_name = "J", allow_negative_numbers = true, value_parser = whole::<u64>(1, 1024))]
    pub(crate) jobs: Option<u64>,
}

/// A sandbox to choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SandboxChoice {
    /// Rules of the kernel for files, and a filter of system calls.
    Landlock,
    /// Namespaces by the program bubblewrap.
    Bubblewrap,
    /// Limits of time and memory alone.
    None,
}

/// The arguments of `new`.
#[derive(Args, Debug)]
pub(crate) struct NewArgs {
    /// The folder of the crate; its last part is the name of the crate
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The checkout of Weft that the crate depends on [default: the one that this program was built from]
    #[arg(long, value_name = "DIR")]
    pub(crate) weft: Option<PathBuf>,
}

/// The arguments of `schema`.
#[derive(Args, Debug)]
pub(crate) struct SchemaArgs {
    /// The config
    #[arg(long, value_enum, default_value = "default")]
    pub(crate) config: Config,
}

/// The arguments of `plan`.
#[derive(Args, Debug)]
pub(crate) struct PlanArgs {
    /// What to write.
    #[command(flatten)]
    pub(crate) spec: SpecArgs,
    /// The number of partitions; choose a multiple of every number of workers that you may use
    #[arg(long, value_name = "P", default_value_t = 64, allow_negative_numbers = true, value_parser = whole::<u32>(1, 10_000))]
    pub(crate) partitions: u32,
    /// The place of the run: a folder that all workers share, or a URL; an object store keeps no journal, so an
    /// interrupted partition there starts from its beginning
    #[arg(long, value_name = "URL")]
    pub(crate) output: String,
}

/// The arguments of `run`.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// The place of the run
    #[arg(value_name = "URL")]
    pub(crate) run: String,
    /// The index of this worker, counted from 0 [default: from the environment, or 0]
    #[arg(long, value_name = "I", allow_negative_numbers = true, value_parser = whole::<u32>(0, u64::from(u32::MAX)))]
    pub(crate) shard_index: Option<u32>,
    /// The number of workers [default: from the environment, or 1]; the dataset does not depend on it
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u32>(1, u64::from(u32::MAX)))]
    pub(crate) num_shards: Option<u32>,
    /// The number of threads [default: one for each core]
    #[arg(long, value_name = "J", allow_negative_numbers = true, value_parser = whole::<u64>(1, 1024))]
    pub(crate) jobs: Option<u64>,
}

/// The arguments of `worker`.
#[derive(Args, Debug)]
pub(crate) struct WorkerArgs {
    /// The place of the run
    #[arg(value_name = "URL")]
    pub(crate) run: String,
    /// Read a partition from each line of standard input, and write a JSON line with its result
    #[arg(long, required = true)]
    pub(crate) ndjson: bool,
    /// The number of threads [default: one for each core]
    #[arg(long, value_name = "J", allow_negative_numbers = true, value_parser = whole::<u64>(1, 1024))]
    pub(crate) jobs: Option<u64>,
}

/// The arguments of `status`.
#[derive(Args, Debug)]
pub(crate) struct StatusArgs {
    /// The place of the run
    #[arg(value_name = "URL")]
    pub(crate) run: String,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// The arguments of `finalize`.
#[derive(Args, Debug)]
pub(crate) struct FinalizeArgs {
    /// The place of the run
    #[arg(value_name = "URL")]
    pub(crate) run: String,
    /// How to write the dataset.
    #[command(flatten)]
    pub(crate) out: OutArgs,
}

/// The arguments of `export`.
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    /// The folder of the dataset
    #[arg(value_name = "DIR")]
    pub(crate) dir: PathBuf,
    /// The folder for a CUDA program of each record; a program runs the example, compares, and prints PASS or FAIL
    #[arg(long, value_name = "OUT", required_unless_present = "shaders", conflicts_with = "shaders")]
    pub(crate) cu: Option<PathBuf>,
    /// The folder for the shaders of each record, for GPU interfaces
    #[arg(long, value_name = "OUT")]
    pub(crate) shaders: Option<PathBuf>,
    /// The language of the shaders; all but `wgsl` need a build with the feature `wgpu`
    #[arg(long, value_enum, default_value_t = ShaderFormat::Spirv, requires = "shaders")]
    pub(crate) language: ShaderFormat,
    /// Also export texts that differ from those that this version writes; such a program may do anything with your
    /// rights, so use it only if you trust the author of the dataset
    #[arg(long)]
    pub(crate) trust: bool,
}

/// The arguments of `doctor`.
#[derive(Args, Debug)]
pub(crate) struct DoctorArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Fail if one of these parts is missing, separated by commas; the names are those of the table
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    pub(crate) require: Vec<String>,
}

/// The arguments of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// The arguments of `man`.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Write the page of the program and a page of each command to this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// The error of clap as one line, without the usage and tips on its further lines.
pub(crate) fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let wrong: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .collect();
    let wrong = wrong.join(" ");
    let wrong = wrong.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{}; `gen-dataset --help` shows the commands and options", wrong.trim_start_matches("error: "))
}

#[cfg(test)]
mod documented;

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(args: &[&str]) -> String {
        one_line(&Cli::try_parse_from(args).expect_err("the arguments are wrong"))
    }

    #[test]
    fn the_arguments_are_declared_soundly() {
        <Cli as clap::CommandFactory>::command().debug_assert();
    }

    #[test]
    fn generate_is_the_default() {
        let cli = Cli::try_parse_from(["gen-dataset", "--count", "3", "--family", "a,b"]).unwrap();
        assert!(cli.command.is_none());
        assert_eq!(cli.generate.spec.count, Some(3));
        assert_eq!(cli.generate.spec.family, ["a", "b"]);
    }

    #[test]
    fn what_a_number_must_be_is_said() {
        for (args, why) in [
            (&["--count", "-3"][..], "'-3' for '--count <N>': it must be a whole number, at least 1;"),
            (&["--count", "1.5"], "a whole number, at least 1;"),
            (&["--seed", "-1"], "'-1' for '--seed <S>': it must be a whole number, at least 0;"),
            (&["--seed", "9223372036854775808"], "a whole number, at least 0;"),
            (&["--jobs", "-1"], "a whole number from 1 to 1024;"),
            (&["generate", "--count", "-3"], "a whole number, at least 1;"),
            (&["plan", "--output", "x", "--partitions", "-2"], "a whole number from 1 to 10000;"),
            (&["run", "x", "--shard-index", "-1"], "a whole number, at least 0;"),
            (&["run", "x", "--num-shards", "-1"], "a whole number, at least 1;"),
            (&["report", "x", "--samples", "-1"], "a whole number from 1 to 2000;"),
            (&["report", "x", "--seed", "-1"], "a whole number, at least 0;"),
            (&["stats", "x", "--rare-below", "-1"], "a whole number, at least 0;"),
        ] {
            let line = refused(&[&["gen-dataset"], args].concat());
            assert!(line.contains(why), "{line}");
        }
    }

    #[test]
    fn a_mistake_is_one_line() {
        for args in [
            &["gen-dataset", "--cuont", "3"][..],
            &["gen-dataset", "--count", "0"],
            &["gen-dataset", "--format", "csv"],
            &["gen-dataset", "--overwrite", "--resume"],
            &["gen-dataset", "show"],
        ] {
            let line = refused(args);
            assert!(!line.contains('\n') && line.contains("--help"), "{line:?}");
        }
        assert!(refused(&["gen-dataset", "show"]).contains("<ID|KERNEL|SEED:INDEX>"));
    }
}
