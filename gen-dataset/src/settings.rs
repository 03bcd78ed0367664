//! The arguments of `generate`, as meant.

use crate::cli::{Device, Format, GenerateArgs, Source};
use crate::error::Error;
use crate::judges::nvrtc::Nvrtc;
use crate::source::{self, Candidate};
use crate::synth::Family;
use clap::ValueEnum;
use kernel_rt::KernelInfo;
use serde::{Deserialize, Serialize};
use std::num::NonZero;
use std::path::PathBuf;

/// Everything that the bytes of a dataset depend on. `run.json` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// Where the kernels come from.
    pub(crate) source: Source,
    /// The families, in order.
    pub(crate) families: Vec<String>,
    /// How many kernels are taken.
    pub(crate) count: usize,
    /// Which target texts a record has.
    pub(crate) device: Device,
    /// What the inputs of the examples are drawn from.
    pub(crate) seed: u64,
    /// How the records are stored.
    pub(crate) format: Format,
    /// What PTX is made by and for; none if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ptx: Option<PtxSettings>,
    /// Whether records have a standalone CUDA program.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) cuda_source: bool,
    /// The hash of every text of the kernels that are taken, so that a changed kernel is noticed.
    pub(crate) kernels: String,
}

/// What PTX depends on, besides the CUDA text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PtxSettings {
    /// The architecture, without `sm_`.
    pub(crate) architecture: u32,
    /// The version of NVRTC.
    pub(crate) nvrtc: String,
}

/// What makes PTX.
#[derive(Debug)]
pub(crate) struct PtxCompiler {
    nvrtc: Nvrtc,
    architecture: u32,
}

impl PtxCompiler {
    /// The PTX of a CUDA text.
    ///
    /// # Errors
    /// The log of the compiler.
    pub(crate) fn of(&self, cuda: &str, name: &str) -> Result<String, String> {
        self.nvrtc.ptx(cuda, &format!("{name}.cu"), self.architecture)
    }

    fn settings(&self) -> PtxSettings {
        PtxSettings { architecture: self.architecture, nvrtc: self.nvrtc.release().to_owned() }
    }
}

impl Settings {
    /// The device as typed.
    pub(crate) fn device_name(&self) -> String {
        name(&self.device)
    }

    /// The format as typed.
    pub(crate) fn format_name(&self) -> String {
        name(&self.format)
    }
}

/// A choice as typed.
fn name(choice: &impl ValueEnum) -> String {
    choice.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

/// What to do with what is in the output folder already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// Refuse.
    Refuse,
    /// Replace it.
    Overwrite,
    /// Go on with it.
    Resume,
}

/// Kernels to be synthesised.
#[derive(Debug)]
pub(crate) struct Synthesis {
    /// The families, which take turns.
    pub(crate) families: Vec<&'static Family>,
    /// How many records are wanted.
    pub(crate) count: usize,
}

/// A run of `generate`.
#[derive(Debug)]
pub(crate) struct Plan {
    /// What to write.
    pub(crate) settings: Settings,
    /// What makes PTX, if it is wanted.
    pub(crate) ptx: Option<PtxCompiler>,
    /// The kernels, in the order of their records.
    pub(crate) candidates: Vec<Candidate>,
    /// The kernels that are synthesised after them.
    pub(crate) synthesis: Option<Synthesis>,
    /// Where to.
    pub(crate) output: PathBuf,
    /// How many threads may work.
    pub(crate) jobs: usize,
    /// What to do with what is there already.
    pub(crate) existing: Existing,
}

impl Plan {
    /// Settles what `args` mean, given the `kernels` of the registry.
    pub(crate) fn new(args: &GenerateArgs, kernels: &[&'static KernelInfo]) -> Result<Plan, Error> {
        if args.format == Format::Parquet {
            return Err(Error::Config("Parquet is not available yet; use `--format jsonl` or `files`".to_owned()));
        }
        let ptx = args.ptx.map(|architecture| ptx_compiler(architecture, args.device)).transpose()?;
        if args.cuda_source && args.device == Device::Cpu {
            return Err(Error::Config(
                "`--cuda-source` needs the CUDA text, which `--device cpu` leaves out".to_owned(),
            ));
        }
        let (families, candidates, synthesis) = sources(args, kernels)?;
        Ok(Plan {
            settings: Settings {
                source: args.source,
                families,
                count: candidates.len() + synthesis.as_ref().map_or(0, |synthesis| synthesis.count),
                device: args.device,
                seed: args.seed,
                format: args.format,
                ptx: ptx.as_ref().map(PtxCompiler::settings),
                cuda_source: args.cuda_source,
                kernels: source::digest(&candidates),
            },
            ptx,
            candidates,
            synthesis,
            output: args.output.clone(),
            jobs: jobs(args.jobs),
            existing: match (args.overwrite, args.resume) {
                (true, _) => Existing::Overwrite,
                (_, true) => Existing::Resume,
                _ => Existing::Refuse,
            },
        })
    }
}

/// The families, the kernels of the registry, and those to be synthesised.
type Sources = (Vec<String>, Vec<Candidate>, Option<Synthesis>);

/// What `args` ask for.
fn sources(args: &GenerateArgs, kernels: &[&'static KernelInfo]) -> Result<Sources, Error> {
    let wanted = args.count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    let (mut families, mut candidates) = match args.source {
        Source::Synth => (Vec::new(), Vec::new()),
        Source::Registry | Source::All => source::select(kernels, &args.family)?,
    };
    if args.source == Source::Registry {
        if candidates.is_empty() {
            return Err(Error::Config("the registry holds no kernels; link a crate that defines some".to_owned()));
        }
        let there = candidates.len();
        if let Some(count) = wanted.filter(|count| *count > there) {
            return Err(Error::Config(format!(
                "`--count {count}` is more than there is: the source has {there} kernels"
            )));
        }
    }
    candidates.truncate(wanted.unwrap_or(usize::MAX));
    if args.source == Source::Registry {
        return Ok((families, candidates, None));
    }
    let Some(wanted) = wanted else {
        return Err(Error::Config("synthesised kernels have no end; say how many with `--count`".to_owned()));
    };
    let synthesised = source::synthesised(&args.family)?;
    if args.source == Source::Synth {
        families = synthesised.iter().map(|family| family.name.to_owned()).collect();
    }
    let synthesis = Synthesis { families: synthesised, count: wanted - candidates.len() };
    Ok((families, candidates, Some(synthesis)))
}

fn ptx_compiler(architecture: u32, device: Device) -> Result<PtxCompiler, Error> {
    if device == Device::Cpu {
        return Err(Error::Config("`--ptx` needs the CUDA text, which `--device cpu` leaves out".to_owned()));
    }
    let nvrtc = Nvrtc::open().map_err(|why| Error::Config(format!("`--ptx` needs NVRTC: {why}")))?;
    Ok(PtxCompiler { nvrtc, architecture })
}

/// The number of threads that is meant: as many as there are cores if none is given.
pub(crate) fn jobs(wanted: Option<u64>) -> usize {
    match wanted {
        Some(jobs) => jobs as usize,
        None => std::thread::available_parallelism().map_or(1, NonZero::get),
    }
}
