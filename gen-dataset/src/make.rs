//! How a record is made: the kernel is read, executed twice on the same inputs, compared and put down.

use crate::cli::Device;
use crate::compare::{agreement, all_finite};
use crate::example::Example;
use crate::facts::Facts;
use crate::panics;
use crate::record::{
    GENERATOR_VERSION, Metadata, Reason, Record, Reject, SCHEMA_VERSION, Verification, example_seed, id, skeleton_id,
    structure_hash,
};
use crate::settings::{PtxCompiler, Settings};
use crate::source::{Candidate, read_kernel};
use kernel_ir::check::CheckedKernel;
use kernel_ir::data::Arg;
use kernel_ir::{interp, sample, text};
use kernel_rt::KernelInfo;

/// How many times inputs are drawn until a launch changes something.
const DRAWS: u64 = 16;

/// Why no record can be made: what failed, and what happened there.
pub(crate) type Failure = (Reason, String);

/// Makes the record of `candidate`, with PTX if there is a compiler for it.
///
/// # Errors
/// Why there is none.
pub(crate) fn make(
    candidate: &Candidate,
    settings: &Settings,
    ptx: Option<&PtxCompiler>,
) -> Result<Record, Box<Reject>> {
    let info = candidate.info;
    texts_present(info)
        .and_then(|()| read_kernel(info.ir).map_err(|detail| (Reason::IrInvalid, detail)))
        .and_then(|kernel| record(candidate, &kernel, settings, ptx))
        .map_err(|(reason, detail)| {
            Box::new(Reject {
                kernel_name: info.name.to_owned(),
                category: info.family.to_owned(),
                index: candidate.index,
                reason,
                detail,
            })
        })
}

/// The size of the example's launch: small, with different extents, so that a record stays small and a kernel that
/// mixes up its axes gives itself away.
pub(crate) fn launch_size(axes: u8) -> &'static [usize] {
    match axes {
        1 => &[16],
        2 => &[4, 5],
        3 => &[2, 3, 4],
        _ => &[2, 3, 2, 2],
    }
}

/// Runs the CPU version of `info`.
///
/// # Errors
/// Why it refused the launch, or with which words it panicked.
pub(crate) fn run_cpu(info: &KernelInfo, dim: &[usize], args: &mut [Arg]) -> Result<(), String> {
    match panics::caught(|| (info.cpu)(dim, args)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(refused)) => Err(refused.to_string()),
        Err(words) => Err(format!("it panicked: {words}")),
    }
}

/// Runs the interpreter.
///
/// # Errors
/// The error of the program.
pub(crate) fn run_interpreter(kernel: &CheckedKernel, dim: &[usize], args: &mut [Arg]) -> Result<(), String> {
    interp::run(kernel, dim, args).map_err(|fault| format!("thread {:?}: {}", fault.thread, fault.message))
}

fn texts_present(info: &KernelInfo) -> Result<(), Failure> {
    let texts = [
        ("Rust", info.rust_source),
        ("IR", info.ir),
        ("C++", info.cpp_forward),
        ("CUDA", info.cuda_forward),
        ("Python", info.python),
    ];
    match texts.iter().find(|(_, text)| text.trim().is_empty()) {
        Some((language, _)) => Err((Reason::TextMissing, format!("the {language} text is empty"))),
        None => Ok(()),
    }
}

fn record(
    candidate: &Candidate,
    kernel: &CheckedKernel,
    settings: &Settings,
    ptx: Option<&PtxCompiler>,
) -> Result<Record, Failure> {
    let info = candidate.info;
    let facts = Facts::of(kernel);
    let ir = text::print(kernel);
    let dim = launch_size(kernel.dim);
    let (before, after) = launch(kernel, dim, |draw| example_seed(&ir, settings.seed, draw))?;
    let verification = verify(info, kernel, dim, &before, &after, facts.allowed_ulp)?;
    let ptx = match ptx {
        Some(ptx) => Some(ptx.of(info.cuda_forward, info.name).map_err(|log| (Reason::PtxFailed, log))?),
        None => None,
    };
    Ok(Record {
        id: id(&ir, settings.seed, dim),
        python_source: info.python.to_owned(),
        rust_source: info.rust_source.to_owned(),
        cpu_forward: (settings.device != Device::Cuda).then(|| info.cpp_forward.to_owned()),
        cuda_forward: (settings.device != Device::Cpu).then(|| info.cuda_forward.to_owned()),
        ptx,
        example: Example::new(kernel, dim, &before, &after),
        metadata: Metadata {
            kernel_name: kernel.name.clone(),
            category: kernel.family.clone(),
            device: settings.device,
            origin: "registry".to_owned(),
            seed: settings.seed,
            index: candidate.index,
            difficulty: None,
            dim: kernel.dim,
            features: facts.features,
            statements: facts.statements,
            operations: facts.operations,
            signature: facts.signature,
        },
        verification,
        hash: structure_hash(kernel),
        skeleton_id: skeleton_id(kernel),
        ir,
        split: "train".to_owned(),
        schema_version: SCHEMA_VERSION,
        generator_version: GENERATOR_VERSION.to_owned(),
    })
}

/// The arguments before and after a launch that changes something: the first of the draws whose seeds `seed` gives. A
/// size that is drawn as 0 gives launches that do nothing, which teach nothing.
pub(crate) fn launch(
    kernel: &CheckedKernel,
    dim: &[usize],
    seed: impl Fn(u64) -> u64,
) -> Result<(Vec<Arg>, Vec<Arg>), Failure> {
    for draw in 0..DRAWS {
        let before = sample::args(kernel, dim, seed(draw)).map_err(|why| (Reason::NoInputs, why))?;
        let mut after = before.clone();
        run_interpreter(kernel, dim, &mut after).map_err(|fault| (Reason::Fault, fault))?;
        if after != before {
            return Ok((before, after));
        }
    }
    Err((Reason::NothingWritten, format!("{DRAWS} launches changed no output")))
}

/// Runs the CPU version on `before` and compares what it makes of it with `after`, which the interpreter did.
fn verify(
    info: &KernelInfo,
    kernel: &CheckedKernel,
    dim: &[usize],
    before: &[Arg],
    after: &[Arg],
    allowed_ulp: u64,
) -> Result<Verification, Failure> {
    let mut on_cpu = before.to_vec();
    run_cpu(info, dim, &mut on_cpu).map_err(|failure| (Reason::CpuFailed, failure))?;
    if !all_finite(after) || !all_finite(&on_cpu) {
        return Err((Reason::NotFinite, "an output is infinite or NaN".to_owned()));
    }
    let names = kernel.params.iter().map(|param| param.name.as_str());
    let interpreter_vs_cpu =
        agreement(names, after, &on_cpu, allowed_ulp).map_err(|difference| (Reason::Mismatch, difference))?;
    Ok(Verification {
        outputs_finite: true,
        outputs_written: true,
        // That is where the kernel comes from.
        ir_reads_back: true,
        further_launches: 0,
        allowed_ulp,
        interpreter_vs_cpu: Some(interpreter_vs_cpu),
    })
}
