//! How a record is made of a synthesised kernel.

use crate::cli::Device;
use crate::compare::all_finite;
use crate::dedup::Signature;
use crate::example::Example;
use crate::facts::Facts;
use crate::gradient::{self, Gradients};
use crate::judges::Launch;
use crate::make::{Failure, launch, launch_size};
use crate::panics;
use crate::record::{
    AdjointCheck, GENERATOR_VERSION, Metadata, Reason, Record, Reject, SCHEMA_VERSION, Verification, example_seed, id,
    skeleton_id, structure_hash,
};
use crate::settings::{PtxCompiler, Settings};
use crate::synth::{self, Family, LAUNCHES, Sample};
use kernel_ir::adjoint::Backward;
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::back::{python, rust};
use kernel_ir::check::CheckedKernel;
use kernel_ir::text;

/// How many times inputs are drawn for results that are steady.
const ROUNDS: u64 = 8;

/// What came of a sample: a record with the signature of its text, if there is one, and every kernel that was drawn in
/// vain.
pub(crate) struct Synthesized {
    pub(crate) made: Option<(Record, Signature)>,
    pub(crate) rejects: Vec<Reject>,
}

/// Makes the record of the sample `index`, of `family`, of so many attempts at most.
pub(crate) fn synthesize(
    family: &Family,
    index: u64,
    settings: &Settings,
    ptx: Option<&PtxCompiler>,
    attempts: u64,
) -> Synthesized {
    let reject = |name: String, reason: Reason, detail: String| Reject {
        kernel_name: name,
        category: family.name.to_owned(),
        index: index as usize,
        reason,
        detail,
    };
    let drawn = panics::caught(|| synth::sample(family, settings.seed, index, attempts));
    let (sample, rejected) = match drawn {
        Ok(drawn) => drawn,
        Err(words) => {
            let reject = reject(String::new(), Reason::GeneratorFailed, words);
            return Synthesized { made: None, rejects: vec![reject] };
        }
    };
    let mut rejects: Vec<Reject> =
        rejected.into_iter().map(|rejected| reject(rejected.name, rejected.reason, rejected.detail)).collect();
    let made = sample.and_then(|sample| match panics::caught(|| record(&sample, index, settings, ptx)) {
        Ok(Ok(record)) => {
            let signature = Signature::of(&record.rust_source);
            Some((record, signature))
        }
        Ok(Err((reason, detail))) => {
            rejects.push(reject(sample.kernel.name.clone(), reason, detail));
            None
        }
        Err(words) => {
            rejects.push(reject(sample.kernel.name.clone(), Reason::GeneratorFailed, words));
            None
        }
    });
    Synthesized { made, rejects }
}

/// A launch and its gradients, proven.
type Proven = (Launch, Option<(Gradients, AdjointCheck)>);

/// A launch whose results, and gradients, do not hang on the last digits of a function. Where terms cancel they may; then
/// inputs are drawn again.
fn steady_launch(
    Sample { kernel, backward, .. }: &Sample,
    dim: &[usize],
    allowed_ulp: u64,
    seed: impl Fn(u64) -> u64,
) -> Result<Proven, Failure> {
    let mut failure = None;
    for round in 0..ROUNDS {
        let launch = launch(kernel, dim, |draw| seed(round << 32 | draw))?;
        if !all_finite(&launch.after) {
            return Err((Reason::NotFinite, "an output is infinite or NaN".to_owned()));
        }
        match steady(kernel, backward.as_ref(), &launch, allowed_ulp, seed(round << 32)) {
            Ok(gradients) => return Ok((launch, gradients)),
            Err(why) => failure = Some(why),
        }
    }
    Err(failure.unwrap_or((Reason::IllConditioned, "no launch was tried".to_owned())))
}

/// The gradients of a launch that is steady; those of the adjoint are too.
fn steady(
    kernel: &CheckedKernel,
    backward: Option<&Backward>,
    launch: &Launch,
    allowed_ulp: u64,
    seed: u64,
) -> Result<Option<(Gradients, AdjointCheck)>, Failure> {
    synth::is_steady(kernel, launch, allowed_ulp)?;
    let Some(backward) = backward else { return Ok(None) };
    let (gradients, check) = gradient::prove(kernel, backward, launch, seed, None)?;
    synth::is_steady(&backward.kernel, &gradients.run, check.allowed_ulp)?;
    Ok(Some((gradients, check)))
}

/// The record of a kernel that has been proven.
fn record(sample: &Sample, index: u64, settings: &Settings, ptx: Option<&PtxCompiler>) -> Result<Record, Failure> {
    let kernel = &sample.kernel;
    let facts = Facts::of(kernel);
    let ir = text::print(kernel);
    if text::parse(&ir).as_ref() != Ok(&**kernel) {
        return Err((Reason::NotReadBack, "the text form of the IR is another kernel".to_owned()));
    }
    let dim = launch_size(kernel.dim);
    let (launch, proven) =
        steady_launch(sample, dim, facts.allowed_ulp, |draw| example_seed(&ir, settings.seed, draw))?;
    let (gradients, adjoint) = proven.unzip();
    let backward = sample.backward.as_ref().map(|backward| &backward.kernel);
    let (for_cpu, for_cuda) = (settings.device != Device::Cuda, settings.device != Device::Cpu);
    let cuda_forward = c::write(kernel, Dialect::Cuda);
    let ptx = match ptx {
        Some(ptx) => Some(ptx.of(&cuda_forward, &kernel.name).map_err(|log| (Reason::PtxFailed, log))?),
        None => None,
    };
    Ok(Record {
        id: id(&ir, settings.seed, dim),
        python_source: python::write(kernel),
        rust_source: rust::write(kernel),
        cpu_forward: for_cpu.then(|| c::write(kernel, Dialect::Cpp)),
        cpu_backward: backward.filter(|_| for_cpu).map(|backward| c::write(backward, Dialect::Cpp)),
        cuda_forward: for_cuda.then_some(cuda_forward),
        cuda_backward: backward.filter(|_| for_cuda).map(|backward| c::write(backward, Dialect::Cuda)),
        ptx,
        example: Example::new(kernel, &launch, gradients.as_ref()),
        metadata: Metadata {
            kernel_name: kernel.name.clone(),
            category: kernel.family.clone(),
            device: settings.device,
            origin: "synth".to_owned(),
            seed: settings.seed,
            index: index as usize,
            difficulty: Some(sample.difficulty),
            dim: kernel.dim,
            features: facts.features,
            statements: facts.statements,
            operations: facts.operations,
            signature: facts.signature,
            warp_gradient_reliable: None,
        },
        verification: Verification {
            outputs_finite: true,
            outputs_written: true,
            ir_reads_back: true,
            further_launches: LAUNCHES,
            allowed_ulp: facts.allowed_ulp,
            interpreter_vs_cpu: None,
            adjoint,
        },
        hash: structure_hash(kernel),
        skeleton_id: skeleton_id(kernel),
        ir,
        split: "train".to_owned(),
        schema_version: SCHEMA_VERSION,
        generator_version: GENERATOR_VERSION.to_owned(),
    })
}
