//! How a record is made of a synthesised kernel.

use crate::cli::Device;
use crate::compare::allowed_ulp;
use crate::dedup::Signature;
use crate::example::Example;
use crate::facts::Facts;
use crate::make::{Failure, Steady, launch_size, steady_launch, toolchains};
use crate::panics;
use crate::program::program;
use crate::record::{
    GENERATOR_VERSION, Metadata, Reason, Record, Reject, SCHEMA_VERSION, SYNTH, TolerancePolicy, Verification,
    example_seed, id, skeleton_id, structure_hash,
};
use crate::settings::{PtxCompiler, Settings};
use crate::synth::{self, Family, Sample};
use crate::trials::tried;
use kernel_ir::back::c;
use kernel_ir::back::{python, rust};
use kernel_ir::text;

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
        origin: SYNTH.to_owned(),
        seed: settings.seed,
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

/// The record of a kernel that has been proven.
fn record(sample: &Sample, index: u64, settings: &Settings, ptx: Option<&PtxCompiler>) -> Result<Record, Failure> {
    let kernel = &sample.kernel;
    let facts = Facts::of(kernel);
    let ir = text::print(kernel);
    if text::parse(&ir).as_ref() != Ok(&**kernel) {
        return Err((Reason::NotReadBack, "the text form of the IR is another kernel".to_owned()));
    }
    let rust_source = rust::write(kernel);
    if synth::read(&rust_source).as_ref() != Ok(&**kernel) {
        return Err((Reason::NotReadBack, "the Rust text is another kernel".to_owned()));
    }
    let dim = launch_size(kernel.dim);
    let Steady { launch, tolerances, proven } =
        steady_launch(kernel, sample.backward.as_ref(), dim, |draw| example_seed(&ir, settings.seed, draw), None)?;
    let trials = tried(kernel, (&launch, &tolerances), |launch| example_seed(&ir, settings.seed, launch), None)?;
    let (gradients, adjoint) = proven.unzip();
    let backward = sample.backward.as_ref().map(|backward| &backward.kernel);
    let (for_cpu, for_cuda) = (settings.device != Device::Cuda, settings.device != Device::Cpu);
    let (cuda_forward, cpu_forward) = c::write_both(kernel);
    let (cuda_backward, cpu_backward) = backward.map(c::write_both).unzip();
    let ptx = match ptx {
        Some(ptx) => Some(ptx.of(&cuda_forward, &kernel.name).map_err(|log| (Reason::PtxFailed, log))?),
        None => None,
    };
    let cuda_source = settings.cuda_source.then(|| program(kernel, &cuda_forward, &launch, &tolerances));
    let verification = Verification {
        toolchains: toolchains(None, settings),
        ir_reads_back: true,
        rust_reads_back: Some(true),
        shapes: trials.shapes,
        outputs_finite: true,
        outputs_written: true,
        tolerance_policy: TolerancePolicy::of(kernel),
        allowed_ulp: allowed_ulp(&launch.after, &tolerances),
        interpreter_again: trials.again,
        interpreter_vs_cpu: None,
        adjoint,
    };
    Ok(Record {
        id: id(&ir, settings.seed, dim),
        python_source: python::write(kernel),
        rust_source,
        cpu_forward: for_cpu.then_some(cpu_forward),
        cpu_backward: cpu_backward.filter(|_| for_cpu),
        cuda_forward: for_cuda.then_some(cuda_forward),
        cuda_backward: cuda_backward.filter(|_| for_cuda),
        ptx,
        cuda_source,
        example: Example::new(kernel, &launch, &tolerances, gradients.as_ref()),
        metadata: Metadata {
            kernel_name: kernel.name.clone(),
            category: kernel.family.clone(),
            device: settings.device,
            origin: SYNTH.to_owned(),
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
        tier: verification.tier(),
        verification,
        hash: structure_hash(kernel),
        skeleton_id: skeleton_id(kernel),
        ir,
        split: "train".to_owned(),
        schema_version: SCHEMA_VERSION,
        generator_version: GENERATOR_VERSION.to_owned(),
    })
}
