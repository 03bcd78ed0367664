//! Makes the record of a synthesised kernel.
//!
//! A sample counts only if both its IR text and its Rust text read back to the same kernel.

use super::make::{Subject, Texts, record};
use crate::judges::ptx::PtxCompiler;
use crate::model::TargetTexts;
use crate::model::{Failure, Reason, Record, Reject, SYNTH, Settings};
use crate::panics;
use crate::split::Signature;
use crate::synth::{self, Family, Sample};
use kernel_ir::back::{python, rust};
use kernel_ir::columns;
use kernel_ir::text;

/// The result for one sample: a record with the MinHash signature of its text, if one was made, and all kernels that
/// were rejected on the way.
pub(crate) struct Synthesized {
    pub(crate) made: Option<(Record, Signature)>,
    pub(crate) rejects: Vec<Reject>,
}

/// Makes the record of sample `index` of `family`, with at most `attempts` draws.
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
    let made = sample.and_then(|sample| match panics::caught(|| read_back(&sample, index, settings, ptx)) {
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

/// Makes the record of a kernel, if its texts read back.
fn read_back(sample: &Sample, index: u64, settings: &Settings, ptx: Option<&PtxCompiler>) -> Result<Record, Failure> {
    let kernel = &sample.kernel;
    let ir = text::print(kernel.with_tiles());
    if text::parse(&ir).as_ref() != Ok(kernel.with_tiles()) {
        return Err((Reason::NotReadBack, "the text form of the IR is another kernel".to_owned()));
    }
    let rust = sample.source.clone().unwrap_or_else(|| rust::write(kernel));
    if synth::read(&rust).as_ref() != Ok(kernel.with_tiles()) {
        return Err((Reason::NotReadBack, "the Rust text is another kernel".to_owned()));
    }
    let backward = sample.backward.as_ref();
    let data = columns::of_kernel(kernel);
    let adjoint_data = backward.map(|backward| columns::of_backward(kernel, backward));
    let subject = Subject {
        kernel: &data,
        backward: adjoint_data.as_deref(),
        in_memory: (kernel, backward),
        ir,
        info: None,
        index: index as usize,
        difficulty: Some(sample.difficulty),
    };
    let texts = || Texts {
        rust,
        python: python::write(kernel),
        targets: TargetTexts::write(kernel, backward, settings.device),
    };
    record(subject, texts, settings, ptx)
}
