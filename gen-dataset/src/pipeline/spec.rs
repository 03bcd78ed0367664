//! The specification of a dataset: the arguments, resolved against the registry and the installed tools.

use crate::cli::SpecArgs;
use crate::error::Error;
use crate::judges::nvrtc::Nvrtc;
use crate::judges::ptx::PtxCompiler;
use crate::judges::validators::ValidatorSet;
use crate::model::targets::targets;
use crate::model::{
    Config, Device, ExampleSettings, Failure, Format, JudgeChoice, JudgeKind, JudgeSettings, Record, Settings, Source,
    SplitSettings, read_kernel,
};
use crate::source::registry::{self, Candidate};
use crate::split::Benchmarks;
use crate::synth::{FAMILIES, Family};
use kernel_ir::target::{Target, Tasks};
use kernel_rt::KernelInfo;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The synthesis part of a specification.
#[derive(Debug)]
pub(crate) struct Synthesis {
    /// The families, which alternate.
    pub(crate) families: Vec<&'static Family>,
    /// The number of records.
    pub(crate) count: usize,
}

/// A dataset to make, with all resources for it.
#[derive(Debug)]
pub(crate) struct DatasetSpec {
    /// The settings.
    pub(crate) settings: Settings,
    /// The PTX compiler, if records have PTX.
    pub(crate) ptx: Option<PtxCompiler>,
    /// The judges that records must pass, if any.
    pub(crate) validators: Option<Mutex<ValidatorSet>>,
    /// The registered kernels, in the order of their records.
    pub(crate) candidates: Vec<Candidate>,
    /// The synthesised kernels, which come after the registered ones.
    pub(crate) synthesis: Option<Synthesis>,
    /// The benchmarks that records must not share text with, if any.
    pub(crate) benchmarks: Option<Benchmarks>,
}

impl DatasetSpec {
    /// Resolves `args` against the registered `kernels`.
    pub(crate) fn new(args: &SpecArgs, kernels: &[&'static KernelInfo]) -> Result<DatasetSpec, Error> {
        let configs = configs(args)?;
        if args.cuda_source && !args.device.has_id(CUDA) {
            return Err(Error::Config(format!("`--cuda-source` {}", needs_cuda(args.device))));
        }
        if args.rl_programs && !configs.contains(&Config::Rl) {
            return Err(Error::Config("`--rl-programs` is for the config `rl`; add it to `--configs`".to_owned()));
        }
        let ptx = args.ptx.map(|architecture| ptx_compiler(architecture, args.device)).transpose()?;
        let (validators, judges) = validators(&args.judges, args.device)?;
        let wanted = args.count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        let families = families(args, kernels)?;
        let (candidates, synthesis) = sources(args.source, (&families, &args.module), wanted, kernels)?;
        let examples = args.examples();
        check_sizes(&examples, &candidates, synthesis.as_ref())?;
        let splits = args.splits.map(|parts| SplitSettings::new(parts, &args.hold_out, &families)).transpose()?;
        let benchmarks = args.decontaminate.as_deref().map(|dir| Benchmarks::read(dir, kernels)).transpose()?;
        let settings = Settings {
            source: args.source,
            families,
            modules: args.module.clone(),
            count: candidates.len() + synthesis.as_ref().map_or(0, |synthesis| synthesis.count),
            device: args.device,
            seed: args.seed,
            format: args.format,
            configs,
            splits,
            benchmarks: benchmarks.as_ref().map(Benchmarks::digest),
            ptx: ptx.as_ref().map(PtxCompiler::settings),
            judges,
            cuda_source: args.cuda_source,
            rl_programs: args.rl_programs,
            examples,
            card: args.card.settings(),
            kernels: registry::digest(&candidates),
        };
        Ok(DatasetSpec { settings, ptx, validators, candidates, synthesis, benchmarks })
    }

    /// Resolves `settings` of an earlier run again, against the registered `kernels` and the same benchmarks.
    ///
    /// # Errors
    /// Something has changed since then.
    pub(crate) fn again(
        settings: Settings,
        kernels: &[&'static KernelInfo],
        benchmarks: Option<Benchmarks>,
    ) -> Result<DatasetSpec, Error> {
        let changed = |what: &str| Error::Config(format!("{what} changed since the plan was made; make a new plan"));
        let chosen = (&settings.families[..], &settings.modules[..]);
        let (candidates, synthesis) = sources(settings.source, chosen, Some(settings.count), kernels)?;
        let architecture = settings.ptx.as_ref().map(|ptx| ptx.architecture);
        let ptx = architecture.map(|architecture| ptx_compiler(architecture, settings.device)).transpose()?;
        let choices: Vec<JudgeChoice> = settings.judges.iter().map(|judge| JudgeChoice::One(judge.judge)).collect();
        let (validators, judges) = validators(&choices, settings.device)?;
        if judges != settings.judges {
            return Err(changed("the version of a judge"));
        }
        if registry::digest(&candidates) != settings.kernels {
            return Err(changed("the kernels of the registry"));
        }
        if ptx.as_ref().map(PtxCompiler::settings) != settings.ptx {
            return Err(changed("the version of NVRTC"));
        }
        if benchmarks.as_ref().map(Benchmarks::digest) != settings.benchmarks {
            return Err(changed("the texts of the benchmarks"));
        }
        Ok(DatasetSpec { settings, ptx, validators, candidates, synthesis, benchmarks })
    }

    /// A note about kernels that the user may miss. `None` if all requested kernels are taken.
    pub(crate) fn remark(&self) -> Option<String> {
        let Settings { source, count, .. } = self.settings;
        let is_cut = source == Source::All && self.synthesis.as_ref().is_some_and(|synthesis| synthesis.count == 0);
        is_cut.then(|| {
            format!(
                "all {count} kernels are from the registry, whose kernels come first; a larger `--count` adds synthesised ones\n"
            )
        })
    }

    /// Asks the judges about `records`, and adds them to the toolchains of the records that they accept. Returns the
    /// reason of each rejection. Empty if there are no judges.
    ///
    /// # Errors
    /// A judge does not work.
    pub(crate) fn judged(&self, records: &mut [&mut Record]) -> Result<Vec<Result<(), Failure>>, Error> {
        match &self.validators {
            Some(validators) => validators.lock().unwrap_or_else(PoisonError::into_inner).admit(records),
            None => Ok(vec![Ok(()); records.len()]),
        }
    }
}

/// Opens the judges that are asked for.
fn validators(
    choices: &[JudgeChoice],
    device: Device,
) -> Result<(Option<Mutex<ValidatorSet>>, Vec<JudgeSettings>), Error> {
    if choices.is_empty() {
        return Ok((None, Vec::new()));
    }
    let mut named = Vec::new();
    for choice in choices {
        match choice {
            // A judge whose texts are left out has nothing to judge.
            JudgeChoice::All => {
                let reads = |kind: &JudgeKind| kind.is_built() && texts_of(*kind, device).is_ok();
                named.extend(JudgeKind::ALL.into_iter().filter(reads).map(JudgeChoice::One));
            }
            JudgeChoice::One(kind) => {
                texts_of(*kind, device).map_err(Error::Config)?;
                named.push(*choice);
            }
            JudgeChoice::None => named.push(*choice),
        }
    }
    let validators = ValidatorSet::new(&named)?;
    let judges: Vec<JudgeSettings> = validators
        .kinds()
        .zip(validators.versions())
        .map(|(judge, version)| JudgeSettings { judge, version })
        .collect();
    Ok(((!judges.is_empty()).then(|| Mutex::new(validators)), judges))
}

/// Whether a dataset for `device` has a text that the judge reads.
///
/// # Errors
/// It has none; a sentence about the texts that are left out.
fn texts_of(kind: JudgeKind, device: Device) -> Result<(), String> {
    let name = kind.name();
    let read: Vec<&&Target> = targets().iter().filter(|target| target.judges.contains(&name.as_str())).collect();
    // A judge without a target reads the Python text, which every record has.
    if read.is_empty() || read.iter().any(|target| device.has(target)) {
        return Ok(());
    }
    let names: Vec<&str> = read.iter().map(|target| target.name).collect();
    Err(format!(
        "the judge `{name}` needs the {} text, which `--device {device}` leaves out; name other judges in `--judges`",
        names.join(" or the ")
    ))
}

/// The configs that are asked for, in the order of the table.
fn configs(args: &SpecArgs) -> Result<Vec<Config>, Error> {
    let configs: Vec<Config> = Config::ALL.into_iter().filter(|config| args.configs.contains(config)).collect();
    if Config::is_only_default(&configs) {
        return Ok(configs);
    }
    if !configs.contains(&Config::Default) {
        return Err(Error::Config(
            "the other configs are derived from `default`; add `default` to `--configs`".to_owned(),
        ));
    }
    if args.format == Format::Files {
        return Err(Error::Config(
            "`--format files` cannot hold other configs than `default`; choose another `--format`, or remove `--configs`"
                .to_owned(),
        ));
    }
    let tasks: Vec<Tasks> =
        targets().iter().filter(|target| args.device.has(target)).map(|target| target.tasks).collect();
    if tasks.iter().all(|tasks| *tasks == Tasks::None) {
        return Err(Error::Config(format!(
            "the other configs need the CUDA or the WGSL text, which `--device {}` leaves out; remove `--configs`",
            args.device
        )));
    }
    if configs.contains(&Config::Rl) && !tasks.contains(&Tasks::Kernels) {
        return Err(Error::Config(format!(
            "the config `rl` needs the CUDA text, which `--device {}` leaves out; remove it from `--configs`",
            args.device
        )));
    }
    Ok(configs)
}

/// The families that are asked for, in order.
fn families(args: &SpecArgs, kernels: &[&'static KernelInfo]) -> Result<Vec<String>, Error> {
    if args.source == Source::Synth && !args.module.is_empty() {
        let why = "`--module` selects registered kernels, but `--source synth` takes none; remove one of the two";
        return Err(Error::Config(why.to_owned()));
    }
    let mut families = BTreeSet::new();
    if args.source != Source::Synth {
        families.extend(registry::select(kernels, &args.family, &args.module)?.0);
    }
    if args.source != Source::Registry {
        families.extend(registry::synthesised(&args.family)?.iter().map(|family| family.name.to_owned()));
    }
    Ok(families.into_iter().collect())
}

/// The registered kernels and the synthesis for these families and modules, `wanted` kernels in all if it is given.
fn sources(
    source: Source,
    (families, modules): (&[String], &[String]),
    wanted: Option<usize>,
    kernels: &[&'static KernelInfo],
) -> Result<(Vec<Candidate>, Option<Synthesis>), Error> {
    let mut candidates = match source {
        Source::Synth => Vec::new(),
        Source::Registry | Source::All => registry::candidates(kernels, families, modules),
    };
    if source == Source::Registry {
        if candidates.is_empty() {
            return Err(Error::Config(
                "the registry has no kernels; link a crate that defines some: `use that_crate as _;`".to_owned(),
            ));
        }
        let there = candidates.len();
        if let Some(count) = wanted.filter(|count| *count > there) {
            return Err(Error::Config(format!("`--count {count}` is too large: the source has {there} kernels")));
        }
    }
    candidates.truncate(wanted.unwrap_or(usize::MAX));
    if source == Source::Registry {
        return Ok((candidates, None));
    }
    let Some(wanted) = wanted else {
        return Err(Error::Config(
            "synthesis has no end of its own; give the number of kernels with `--count`".to_owned(),
        ));
    };
    let families = FAMILIES.iter().filter(|family| families.iter().any(|name| name == family.name)).collect();
    let synthesis = Synthesis { families, count: wanted - candidates.len() };
    Ok((candidates, Some(synthesis)))
}

/// Checks that every launch size that is asked for is used.
///
/// # Errors
/// A size is named twice, there are more sizes than examples, or no kernel has so many axes.
fn check_sizes(
    examples: &ExampleSettings,
    candidates: &[Candidate],
    synthesis: Option<&Synthesis>,
) -> Result<(), Error> {
    let sizes = &examples.sizes;
    let refuse = |why: String| Err(Error::Config(why));
    let text = |size: &[usize]| size.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
    if let Some((_, twice)) = sizes.iter().enumerate().find(|(place, size)| sizes[..*place].contains(size)) {
        return refuse(format!(
            "`--sizes` has {} twice; the examples take the sizes in turn, so name it once",
            text(twice)
        ));
    }
    let families = synthesis.filter(|synthesis| synthesis.count > 0).map_or(&[][..], |synthesis| &synthesis.families);
    let mut axes_of_kernels: BTreeSet<usize> = families.iter().flat_map(|family| family.axes()).collect();
    if !sizes.is_empty() {
        // An IR that cannot be read is rejected later, with its reason.
        let kernels = candidates.iter().filter_map(|candidate| read_kernel(candidate.info.ir).ok());
        axes_of_kernels.extend(kernels.map(|kernel| usize::from(kernel.dim)));
    }
    for axes in 1..=4 {
        let of_axes: Vec<&Vec<usize>> = sizes.iter().filter(|size| size.len() == axes).collect();
        let (noun, count) = (if axes == 1 { "axis" } else { "axes" }, examples.count);
        if let Some(size) = of_axes.first().filter(|_| !axes_of_kernels.contains(&axes)) {
            return refuse(format!(
                "none of these kernels has {axes} {noun}, so none takes the size {}; leave it out of `--sizes`",
                text(size)
            ));
        }
        if of_axes.len() as u64 > count {
            return refuse(format!(
                "`--sizes` has {} sizes of {axes} {noun}, but a record has {count} {}: add `--examples {}`, or name fewer sizes",
                of_axes.len(),
                if count == 1 { "example" } else { "examples" },
                of_axes.len()
            ));
        }
    }
    Ok(())
}

/// The target whose text NVRTC compiles.
const CUDA: &str = "cuda";

/// The message for an option that needs a CUDA text which `device` leaves out.
fn needs_cuda(device: Device) -> String {
    format!("needs the CUDA text, which `--device {device}` leaves out")
}

fn ptx_compiler(architecture: u32, device: Device) -> Result<PtxCompiler, Error> {
    if !device.has_id(CUDA) {
        return Err(Error::Config(format!("`--ptx` {}", needs_cuda(device))));
    }
    let nvrtc = Nvrtc::open().map_err(|why| Error::Config(format!("`--ptx` needs NVRTC: {why}")))?;
    Ok(PtxCompiler::new(nvrtc, architecture))
}
