//! Makes a record: reads the kernel from its IR, proves it, and puts texts and evidence together.
//!
//! A record exists only if every proof succeeded. Otherwise a [`Reject`] with a [`Reason`] takes its place.

use super::gradient;
use super::launches::{ROUNDS, example_bits, example_sizes, launch};
use super::program::program;
use super::trials::{self, Proven, tried};
use crate::judges::ptx::PtxCompiler;
use crate::model::TargetTexts;
use crate::model::targets::targets;
use crate::model::{
    AdjointCheck, Arguments, Example, Facts, Failure, GENERATOR_VERSION, Gradients, Launch, Metadata, REGISTRY, Reason,
    Record, Reject, SCHEMA_VERSION, SYNTH, Settings, TolerancePolicy, Verification, largest_allowed_ulp, not_finite,
    read_kernel,
};
use crate::source::identity::{example_seed, id, skeleton_id, structure_hash};
use crate::source::registry::Candidate;
use crate::source::warp_gradients;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::columns;
use kernel_ir::data::Arg;
use kernel_ir::text;
use kernel_ir::verify::VerifiedKernel;
use kernel_rt::KernelInfo;

/// The compiler of this program, which has also compiled the CPU versions of registered kernels.
const RUSTC: &str = concat!("rustc ", env!("WEFT_RUSTC"));

/// Makes the record of `candidate`. The record has PTX if there is a compiler for it.
///
/// # Errors
/// The reject, with its reason.
pub(crate) fn make(
    candidate: &Candidate,
    settings: &Settings,
    ptx: Option<&PtxCompiler>,
) -> Result<Record, Box<Reject>> {
    let info = candidate.info;
    texts_present(info)
        .and_then(|()| read_kernel(info.ir).map_err(|detail| (Reason::IrInvalid, detail)))
        .and_then(|kernel| registered(candidate, &kernel, settings, ptx))
        .map_err(|(reason, detail)| {
            Box::new(Reject {
                kernel_name: info.name.to_owned(),
                category: info.family.to_owned(),
                origin: REGISTRY.to_owned(),
                seed: settings.seed,
                index: candidate.index,
                reason,
                detail,
            })
        })
}

fn texts_present(info: &KernelInfo) -> Result<(), Failure> {
    let sources = [("Rust", info.rust_source), ("IR", info.ir), ("Python", info.python)];
    let texts = targets().iter().filter_map(|target| Some((target.name, crate::model::registered(info, target.id)?)));
    let is_empty = |text: &str| text.trim().is_empty();
    let forward = texts.clone().map(|(language, (text, _))| (language, text));
    if let Some((language, _)) = sources.into_iter().chain(forward).find(|(_, text)| is_empty(text)) {
        return Err((Reason::TextMissing, format!("the {language} text is empty")));
    }
    let backward = texts.filter_map(|(language, (_, text))| Some((language, text?)));
    match backward.into_iter().find(|(_, text)| is_empty(text)) {
        Some((language, _)) => Err((Reason::TextMissing, format!("the backward {language} text is empty"))),
        None => Ok(()),
    }
}

/// Makes the record of a registered kernel.
fn registered(
    candidate: &Candidate,
    kernel: &VerifiedKernel,
    settings: &Settings,
    ptx: Option<&PtxCompiler>,
) -> Result<Record, Failure> {
    let info = candidate.info;
    let backward = adjoint(info, kernel)?;
    let data = columns::of_kernel(kernel);
    let adjoint_data = backward.as_ref().map(|backward| columns::of_backward(kernel, backward));
    let subject = Subject {
        kernel: &data,
        backward: adjoint_data.as_deref(),
        in_memory: (kernel, backward.as_ref()),
        ir: text::print(kernel.with_tiles()),
        info: Some(info),
        index: candidate.index,
        difficulty: None,
    };
    let texts = || Texts {
        rust: info.rust_source.to_owned(),
        python: info.python.to_owned(),
        targets: TargetTexts::registered(info, kernel, backward.as_ref(), settings.device),
    };
    record(subject, texts, settings, ptx)
}

/// A kernel to make a record of.
pub(crate) struct Subject<'a> {
    /// The kernel with the [columns] that its launches have.
    pub(crate) kernel: &'a VerifiedKernel,
    /// Its adjoint, likewise.
    pub(crate) backward: Option<&'a Backward>,
    /// Kernel and adjoint with the parameters that the texts have.
    pub(crate) in_memory: (&'a VerifiedKernel, Option<&'a Backward>),
    /// The text form of its IR.
    pub(crate) ir: String,
    /// Its entry in the registry. `None` for a synthesised kernel, whose Rust text has been read back instead.
    pub(crate) info: Option<&'a KernelInfo>,
    /// Its index among the registered kernels, or among the samples.
    pub(crate) index: usize,
    /// The difficulty asked of a synthesised kernel.
    pub(crate) difficulty: Option<u8>,
}

/// The texts of a kernel in all languages.
pub(crate) struct Texts {
    pub(crate) rust: String,
    pub(crate) python: String,
    pub(crate) targets: TargetTexts,
}

/// Makes the record of `subject`. `texts` is called only after the proofs, because most rejected kernels need no texts.
///
/// # Errors
/// The first proof that fails.
pub(crate) fn record(
    subject: Subject<'_>,
    texts: impl FnOnce() -> Texts,
    settings: &Settings,
    ptx: Option<&PtxCompiler>,
) -> Result<Record, Failure> {
    let Subject { kernel, backward, in_memory, ir, info, index, difficulty } = subject;
    let seed = |launch| example_seed(kernel, &ir, settings.seed, launch);
    let example = |(number, dim): (u64, Vec<usize>)| {
        let seed = |launch| seed(example_bits(number) | launch);
        well_conditioned_launch(kernel, backward, &dim, seed, info)
    };
    let sizes = example_sizes(kernel, &settings.examples);
    let proven = (0..).zip(sizes).map(example).collect::<Result<Vec<_>, _>>()?;
    let launches: Vec<(&Launch, &[Arg])> = proven.iter().map(|one| (&one.launch, &*one.tolerances)).collect();
    let examples: Vec<Proven<'_>> = proven.iter().map(WellConditioned::proven).collect();
    let trials = tried(trials::Subject { kernel, backward, info }, &examples, seed)?;
    if let ([missing, ..], None) = (&*trials.coverage.missing, info) {
        return Err((Reason::NotCovered, missing.clone()));
    }
    let adjoint = proven.iter().filter_map(|one| Some(one.gradients.as_ref()?.1)).reduce(AdjointCheck::and);
    let adjoint = adjoint.map(|check| trials.adjoint.map_or(check, |errors| check.with(errors)));
    let Texts { rust, python, targets } = texts();
    let cuda = targets.forward("cuda");
    let ptx = match (ptx, cuda) {
        (Some(ptx), Some(cuda)) => Some(ptx.of(cuda, &kernel.name).map_err(|log| (Reason::PtxFailed, log))?),
        _ => None,
    };
    let cuda_source = cuda.filter(|_| settings.cuda_source).map(|cuda| program(in_memory.0, cuda, &launches));
    let facts = Facts::of(in_memory.0);
    let verification = Verification {
        toolchains: toolchains(info.map(|_| RUSTC), settings),
        // A registered kernel is parsed from its IR text; the IR of a synthesised kernel has been parsed again.
        ir_reads_back: true,
        rust_reads_back: info.is_none().then_some(true),
        shapes: trials.shapes,
        // A launch with an infinite or unwritten output has been rejected above.
        outputs_finite: true,
        outputs_written: true,
        tolerance_policy: TolerancePolicy::of(in_memory.0),
        allowed_ulp: largest_allowed_ulp(&launches),
        interpreter_again: trials.again,
        interpreter_vs_cpu: trials.vs_cpu,
        adjoint,
        coverage: Some(trials.coverage),
    };
    let written = |one: &WellConditioned| {
        Example::new(kernel, &one.launch, &one.tolerances, one.gradients.as_ref().map(|(gradients, _)| gradients))
    };
    let mut examples = proven.iter().map(written);
    let example = examples.next().ok_or((Reason::NoInputs, "no example was asked for".to_owned()))?;
    Ok(Record {
        id: id(&ir, settings.seed, &example.dim),
        python_source: python,
        rust_source: rust,
        targets,
        ptx,
        cuda_source,
        example,
        more_examples: examples.collect(),
        metadata: Metadata {
            kernel_name: kernel.name.clone(),
            category: kernel.family.clone(),
            device: settings.device,
            origin: if info.is_some() { REGISTRY } else { SYNTH }.to_owned(),
            seed: settings.seed,
            index,
            difficulty,
            dim: kernel.dim,
            features: facts.features,
            statements: facts.statements,
            operations: facts.operations,
            signature: facts.signature,
            arguments: Some(Arguments::of(in_memory.0, in_memory.1)),
            warp_gradient_reliable: info.and_then(warp_gradients::reliable),
        },
        tier: verification.tier(),
        verification,
        hash: structure_hash(in_memory.0),
        skeleton_id: skeleton_id(in_memory.0),
        ir,
        split: "train".to_owned(),
        schema_version: SCHEMA_VERSION,
        generator_version: GENERATOR_VERSION.to_owned(),
    })
}

/// A launch whose results and gradients do not depend on the last digits of an inexact function.
pub(crate) struct WellConditioned {
    pub(crate) launch: Launch,
    /// The tolerance of each number after the launch.
    pub(crate) tolerances: Vec<Arg>,
    /// The gradients with their proof, if the kernel has an adjoint.
    pub(crate) gradients: Option<(Gradients, AdjointCheck)>,
}

impl WellConditioned {
    fn proven(&self) -> Proven<'_> {
        let gradients = self.gradients.as_ref().map(|(found, _)| (&found.run, &*found.gradients));
        Proven { launch: &self.launch, tolerances: &self.tolerances, gradients }
    }
}

/// The first well-conditioned launch of those that `seed` draws. `info` may have a CPU version of the adjoint.
///
/// # Errors
/// The last reason for which a launch was refused.
pub(crate) fn well_conditioned_launch(
    kernel: &VerifiedKernel,
    backward: Option<&Backward>,
    dim: &[usize],
    seed: impl Fn(u64) -> u64,
    info: Option<&KernelInfo>,
) -> Result<WellConditioned, Failure> {
    let cpu = info.and_then(|info| info.backward).map(|backward| backward.cpu);
    let mut failure = None;
    for round in 0..ROUNDS {
        let launch = launch(kernel, dim, |draw| seed(round << 32 | draw))?;
        if let Some(why) = not_finite(kernel, dim, &launch.before, &launch.after) {
            return Err((Reason::NotFinite, why));
        }
        let found = match backward {
            None => launch.tolerances(kernel).map(|found| (found, None)).map_err(|why| (Reason::IllConditioned, why)),
            Some(backward) => gradient::prove(kernel, backward, &launch, seed(round << 32), cpu)
                .map(|(found, check)| (found.tolerances.outputs.clone(), Some((found, check)))),
        };
        match found {
            Ok((tolerances, gradients)) => return Ok(WellConditioned { launch, tolerances, gradients }),
            // Only an ill-conditioned launch is a matter of luck. Every other failure is one of the kernel.
            Err((Reason::IllConditioned, why)) => failure = Some((Reason::IllConditioned, why)),
            Err(other) => return Err(other),
        }
    }
    Err(failure.unwrap_or((Reason::IllConditioned, "no launch was tried".to_owned())))
}

/// The toolchains that took part in making a record, with their versions. `compiler` compiled the kernel's CPU version.
pub(crate) fn toolchains(compiler: Option<&str>, settings: &Settings) -> Vec<String> {
    let nvrtc = settings.ptx.as_ref().map(|ptx| format!("nvrtc {}", ptx.nvrtc));
    let own = format!("weft {GENERATOR_VERSION}");
    [own].into_iter().chain(compiler.map(str::to_owned)).chain(nvrtc).collect()
}

/// The adjoint of the kernel, if the registry has one.
fn adjoint(info: &KernelInfo, kernel: &VerifiedKernel) -> Result<Option<Backward>, Failure> {
    let of = |_| {
        adjoint::backward(kernel).map_err(|mistakes| {
            let message = mistakes.first().map(|mistake| mistake.message.clone());
            (Reason::AdjointRefused, message.unwrap_or_default())
        })
    };
    info.backward.map(of).transpose()
}
