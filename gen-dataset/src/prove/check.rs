//! Checks a record again: derives its metadata anew from the IR, and executes its examples anew.
//!
//! All that follows from IR and seed is compared, and so is all evidence that this program can measure. A record whose
//! metadata disagrees with its IR is not executed.

use super::evidence::{same_evidence, stated};
use super::gradient;
use super::launches::{drawn_by, example_bits};
use super::program::program;
use super::trials::{Proven, Subject, Trials, tried};
use crate::model::{
    AdjointCheck, AdjointErrors, Agreement, Arguments, DecodedExample, Example, Facts, GENERATOR_VERSION, Launch,
    Outcome, REGISTRY, Record, SCHEMA_VERSION, SYNTH, Split, TolerancePolicy, Tolerances, all_finite, decode_examples,
    differentiate, gradients_of, inexact, largest_allowed_ulp, read_kernel, run_interpreter, same,
};
use crate::model::{TargetText, TargetTexts, targets};
use crate::panics;
use crate::source::identity::{example_seed, id, skeleton_id, structure_hash};
use crate::synth;
use kernel_ir::adjoint::Backward;
use kernel_ir::back::c::entry_name;
use kernel_ir::back::{python, rust};
use kernel_ir::columns;
use kernel_ir::data::Arg;
use kernel_ir::ir::ParamId;
use kernel_ir::target::{Target, Writer};
use kernel_ir::verify::VerifiedKernel;
use kernel_ir::{gradcheck, interp, text};
use kernel_rt::{CpuVersion, KernelInfo};

/// The outcomes of the checks of one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Whether the metadata agrees with the IR.
    pub(crate) structure: Outcome,
    /// Whether the texts are those that this program writes from the IR. Skipped if they differ and another version of
    /// this program wrote them. A text that differs may do anything when it runs, so such texts are never executed.
    pub(crate) texts: Outcome,
    /// Whether the interpreter computes the recorded outputs, bit for bit.
    pub(crate) interpreter: Outcome,
    /// Whether the CPU version computes the recorded outputs, with the recorded agreement. Skipped for kernels that are
    /// not in the registry.
    pub(crate) cpu: Outcome,
    /// Whether the adjoint computes the recorded gradients, bit for bit, and agrees with dual numbers as recorded.
    /// Skipped if the kernel has no adjoint.
    pub(crate) adjoint: Outcome,
    /// Whether the CPU version of the adjoint agrees as recorded. Skipped if there is none.
    pub(crate) cpu_adjoint: Outcome,
}

impl Verdict {
    /// The verdict on something that cannot be read as a record.
    pub(crate) fn unreadable(why: String) -> Verdict {
        let [texts, interpreter, cpu, adjoint, cpu_adjoint] = [const { Outcome::Skipped }; 5];
        Verdict { structure: Outcome::Failed(why), texts, interpreter, cpu, adjoint, cpu_adjoint }
    }

    /// Whether the texts may be executed. They must be those that this program writes, of a kernel that the
    /// interpreter, which checks every index, has run to its end.
    pub(crate) fn is_safe_to_run(&self) -> bool {
        self.texts == Outcome::Passed
            && self.interpreter == Outcome::Passed
            && !matches!(self.adjoint, Outcome::Failed(_))
    }
}

/// Checks `record`. `kernels` are those of the registry.
pub(crate) fn check(record: &Record, kernels: &[&'static KernelInfo]) -> Verdict {
    // A CPU version is evidence only for the kernel that it was compiled from, so the IR must be the same.
    let is_of_record = |info: &&KernelInfo| info.name == record.metadata.kernel_name && info.ir == record.ir;
    let registered = kernels.iter().copied().find(is_of_record);
    let decoded = structure(record).and_then(|decoded| stated(record, registered).map(|()| decoded));
    let Decoded { kernel: in_memory, adjoint: adjoint_in_memory, examples } = match decoded {
        Ok(decoded) => decoded,
        Err(why) => return Verdict::unreadable(why),
    };
    let kernel = columns::of_kernel(&in_memory);
    let adjoint = adjoint_in_memory.as_ref().map(|adjoint| columns::of_backward(&in_memory, adjoint));
    let backward = adjoint.as_deref();
    let interpreted = interpreter(record, &in_memory, &kernel, backward, &examples);
    let on_cpu = registered.map(|info| cpu(record, &kernel, backward, info, &examples));
    // The errors of the adjoint in the trials. After a failure there are none, and the recorded ones are not compared.
    let errors = interpreted.as_ref().ok().copied();
    let errors_on_cpu = on_cpu.as_ref().and_then(|found| found.as_ref().ok().copied());
    Verdict {
        structure: Outcome::Passed,
        texts: match texts(record, &in_memory, adjoint_in_memory.as_ref(), registered) {
            // Another version may have written other texts. They are unknown then, but not wrong.
            Err(_) if record.generator_version != GENERATOR_VERSION => Outcome::Skipped,
            found => Outcome::of(found),
        },
        interpreter: Outcome::of(interpreted.map(drop)),
        cpu: on_cpu.map_or(Outcome::Skipped, |found| Outcome::of(found.map(drop))),
        adjoint: match backward {
            Some(adjoint) => Outcome::of(self::adjoint(record, &kernel, adjoint, &examples, errors)),
            None => Outcome::Skipped,
        },
        cpu_adjoint: match (backward, registered.and_then(|info| info.backward)) {
            (Some(adjoint), Some(info)) => {
                Outcome::of(cpu_adjoint(record, adjoint, &examples, info.cpu, errors_on_cpu))
            }
            _ => Outcome::Skipped,
        },
    }
}

/// The content of a sound record.
struct Decoded {
    /// Kernel and adjoint with the parameters that the texts have.
    kernel: VerifiedKernel,
    adjoint: Option<Backward>,
    /// The examples of the record, in order.
    examples: Vec<DecodedExample>,
}

/// Compares all metadata with what follows from the IR. Returns the decoded record if everything agrees.
fn structure(record: &Record) -> Result<Decoded, String> {
    let metadata = &record.metadata;
    let kernel = read_kernel(&record.ir)?;
    let facts = Facts::of(&kernel);
    let adjoint = differentiate(&kernel)?;
    let has = |text: &str| !text.trim().is_empty();
    let fits_device = |(target, text): &(&Target, &TargetText)| {
        let fits = |text: &Option<String>, kernel: Option<&VerifiedKernel>| {
            let wanted = metadata.device.has(target) && kernel.is_some_and(|kernel| target.lacks(kernel).is_empty());
            // Whether such a writer refuses the kernel, the comparison of texts shows.
            let is_refused = text.is_none() && matches!(target.writer, Writer::Refusing(_));
            (text.is_some() == wanted || is_refused) && text.as_deref().is_none_or(has)
        };
        [fits(&text.forward, Some(&kernel)), fits(&text.backward, adjoint.as_ref().map(|adjoint| &adjoint.kernel))]
    };
    let entry = format!(".visible .entry {}(", entry_name(&kernel));
    let claims = [
        ("the schema version is not that of this program", record.schema_version == SCHEMA_VERSION),
        ("`ir` is not in its printed form", text::print(kernel.with_tiles()) == record.ir),
        (
            "`id` is not the hash of IR, seed and launch size",
            id(&record.ir, metadata.seed, &record.example.dim) == record.id,
        ),
        ("`hash` is not the hash of the structure", structure_hash(&kernel) == record.hash),
        ("`skeleton_id` is not the hash of the skeleton", skeleton_id(&kernel) == record.skeleton_id),
        ("`python_source` is empty", has(&record.python_source)),
        ("`rust_source` is empty", has(&record.rust_source)),
        ("`ptx` is not that of the kernel", record.ptx.as_ref().is_none_or(|ptx| ptx.contains(&entry))),
        ("`kernel_name` is not that of the IR", metadata.kernel_name == kernel.name),
        ("`category` is not that of the IR", metadata.category == kernel.family),
        ("`origin` is unknown", [REGISTRY, SYNTH].contains(&metadata.origin.as_str())),
        ("`tier` is not that of the verification", record.tier == record.verification.tier()),
        (
            "`tolerance_policy` is not that of the IR",
            record.verification.tolerance_policy == TolerancePolicy::of(&kernel),
        ),
        ("`rust_source` does not read back to the IR", metadata.origin == REGISTRY || reads_back(record, &kernel)),
        ("`split` is unknown", Split::of_name(&record.split).is_some()),
        ("`dim` is not that of the IR", metadata.dim == kernel.dim),
        (
            "the launch size does not fit the IR",
            record.examples().all(|example| example.dim.len() == usize::from(kernel.dim)),
        ),
        ("`features` are not those of the IR", metadata.features == facts.features),
        ("`statements` is not the count of the IR", metadata.statements == facts.statements),
        ("`operations` is not the count of the IR", metadata.operations == facts.operations),
        ("`signature` is not that of the IR", metadata.signature == facts.signature),
        ("`arguments` are not those of the IR", metadata.arguments == Some(Arguments::of(&kernel, adjoint.as_ref()))),
        ("the verification of the adjoint fits no adjoint", record.verification.adjoint.is_some() == adjoint.is_some()),
    ];
    if let Some((wrong, _)) = claims.into_iter().find(|(_, holds)| !holds) {
        return Err(wrong.to_owned());
    }
    for (text, (_, [forward, backward])) in record.targets.iter().zip(targets::columns()) {
        match fits_device(&text) {
            [false, _] => return Err(format!("`{forward}` does not fit the device")),
            [_, false] => return Err(format!("`{backward}` fits neither adjoint nor device")),
            [true, true] => {}
        }
    }
    let data = columns::of_kernel(&kernel);
    // Another version may draw other inputs from the same seed.
    if record.generator_version == GENERATOR_VERSION {
        (0..).zip(record.examples()).try_for_each(|(number, example)| drawn(record, &data, number, example))?;
    }
    let of_adjoint = adjoint.as_ref().map(|adjoint| columns::of_backward(&kernel, adjoint));
    let examples = decode_examples(record, &data, of_adjoint.as_deref())?;
    drop((data, of_adjoint));
    Ok(Decoded { kernel, adjoint, examples })
}

/// Compares the texts of the record with those that this program writes from the IR and from the IR of the adjoint. The
/// Rust text of a kernel that was written by hand must be the `registered` one.
///
/// # Errors
/// A sentence that names the first column that differs.
pub(crate) fn texts(
    record: &Record,
    kernel: &VerifiedKernel,
    backward: Option<&Backward>,
    registered: Option<&KernelInfo>,
) -> Result<(), String> {
    let is_own = record.metadata.origin == SYNTH;
    let texts = [
        // The IR of a synthesised block kernel was read from its Rust text, and is read from it again.
        ("rust_source", !is_own || kernel.block.is_some() || record.rust_source == rust::write(kernel)),
        ("rust_source", is_own || registered.is_none_or(|info| record.rust_source == info.rust_source)),
        ("python_source", record.python_source == python::write(kernel)),
    ];
    let written = TargetTexts::write(kernel, backward, record.metadata.device);
    let of_targets =
        record.targets.fields().zip(written.fields()).map(|((name, found), (_, text))| (name, found == text));
    match texts.into_iter().chain(of_targets).find(|(_, holds)| !holds) {
        Some((name, _)) => Err(format!("`{name}` is not the text of the IR")),
        None => Ok(()),
    }
}

/// Checks that the inputs of example `number` and the adjoints of its outputs follow from IR and seed. Without this
/// check an author of records could choose inputs on which a mistake does not show.
fn drawn(record: &Record, kernel: &VerifiedKernel, number: u64, example: &Example) -> Result<(), String> {
    let inputs = example.inputs(kernel)?;
    let seed = |draw| example_seed(kernel, &record.ir, record.metadata.seed, example_bits(number) | draw);
    let seed = drawn_by(kernel, &example.dim, &inputs, seed);
    let seed = seed.ok_or("the inputs are not those that the seed draws")?;
    if record.verification.adjoint.is_none() {
        return Ok(());
    }
    let adjoints = example.adj_outputs(kernel, &inputs)?;
    match adjoints.into_iter().all(|(id, found)| gradcheck::weights(kernel, &inputs, seed, id) == Some(found)) {
        true => Ok(()),
        false => Err("the adjoints of the outputs are not those that the seed draws".to_owned()),
    }
}

/// Whether the Rust text of a synthesised kernel compiles to that kernel.
fn reads_back(record: &Record, kernel: &VerifiedKernel) -> bool {
    panics::caught(|| synth::read(&record.rust_source)).flatten().is_ok_and(|read| read == *kernel.with_tiles())
}

/// Compares the outputs, the tolerances and the trials with those that the interpreter gives. Returns the errors of the
/// adjoint in the trials.
fn interpreter(
    record: &Record,
    in_memory: &VerifiedKernel,
    kernel: &VerifiedKernel,
    backward: Option<&Backward>,
    examples: &[DecodedExample],
) -> Result<Option<AdjointErrors>, String> {
    for (recorded, DecodedExample { launch, .. }) in record.examples().zip(examples) {
        let mut args = launch.before.clone();
        panics::caught(|| run_interpreter(kernel, &launch.dim, &mut args)).flatten()?;
        same(names(kernel), &args, &launch.after)?;
        races(kernel, launch)?;
        let tolerances = panics::caught(|| launch.tolerances(kernel)).flatten()?;
        if inexact(kernel, kernel.param_ids().map(|(id, _)| id).zip(&tolerances)) != recorded.tolerances {
            return Err("the tolerances are not those of the launch".to_owned());
        }
    }
    let tolerances = tolerances(kernel, examples)?;
    let launches = launches(examples, &tolerances);
    let proven = proven(examples, &tolerances);
    let found = trials(record, Subject { kernel, backward, info: None }, &proven)?;
    let recorded = &record.verification;
    let finite = launches.iter().all(|(launch, _)| all_finite(&launch.after));
    let written = launches.iter().all(|(launch, _)| launch.after != launch.before);
    same_evidence("verification.outputs_finite", recorded.outputs_finite, finite)?;
    same_evidence("verification.outputs_written", recorded.outputs_written, written)?;
    // `make` rejects such launches.
    if !(finite && written) {
        return Err("an example has an output that is not finite, or changes no output".to_owned());
    }
    same_evidence("verification.allowed_ulp", recorded.allowed_ulp, largest_allowed_ulp(&launches))?;
    same_evidence("verification.shapes", &recorded.shapes, found.shapes)?;
    same_evidence("verification.interpreter_again", recorded.interpreter_again, found.again)?;
    same_evidence("verification.coverage", &recorded.coverage, Some(found.coverage))?;
    let Some(source) = &record.cuda_source else { return Ok(found.adjoint) };
    let cuda = record.targets.forward("cuda").ok_or("`cuda_source` is there, and `cuda_forward` is not")?;
    match *source == program(in_memory, cuda, &launches) {
        true => Ok(found.adjoint),
        false => Err("`cuda_source` is not the program of the launches".to_owned()),
    }
}

/// The tolerances of each number after the launch of each example.
fn tolerances(kernel: &VerifiedKernel, examples: &[DecodedExample]) -> Result<Vec<Vec<Arg>>, String> {
    examples.iter().map(|example| panics::caught(|| example.launch.tolerances(kernel)).flatten()).collect()
}

/// The launches of the examples with their tolerances.
fn launches<'a>(examples: &'a [DecodedExample], tolerances: &'a [Vec<Arg>]) -> Vec<(&'a Launch, &'a [Arg])> {
    examples.iter().map(|example| &example.launch).zip(tolerances.iter().map(Vec::as_slice)).collect()
}

/// The examples as the trials take them.
fn proven<'a>(examples: &'a [DecodedExample], tolerances: &'a [Vec<Arg>]) -> Vec<Proven<'a>> {
    let proven = |(example, tolerances): (&'a DecodedExample, &'a Vec<Arg>)| Proven {
        launch: &example.launch,
        tolerances,
        gradients: example.gradients.as_ref().map(|(run, gradients)| (run, &**gradients)),
    };
    examples.iter().zip(tolerances).map(proven).collect()
}

/// Whether threads of a launch meet where they must not.
fn races(kernel: &VerifiedKernel, launch: &Launch) -> Result<(), String> {
    let found = panics::caught(|| interp::check_races(kernel, &launch.dim, &mut launch.before.clone()))?;
    found.map_err(|fault| format!("thread {:?}: {}", fault.thread, fault.message))
}

/// The CPU version of the kernel's entry in the registry. Returns the errors of the adjoint in the trials.
fn cpu(
    record: &Record,
    kernel: &VerifiedKernel,
    backward: Option<&Backward>,
    info: &KernelInfo,
    examples: &[DecodedExample],
) -> Result<Option<AdjointErrors>, String> {
    let tolerances = tolerances(kernel, examples)?;
    let subject = Subject { kernel, backward, info: Some(info) };
    let Trials { vs_cpu, adjoint, .. } = trials(record, subject, &proven(examples, &tolerances))?;
    same_evidence("verification.interpreter_vs_cpu", record.verification.interpreter_vs_cpu, vs_cpu)?;
    Ok(adjoint)
}

/// The trials of the kernel of `record`, anew.
fn trials(record: &Record, subject: Subject<'_>, examples: &[Proven<'_>]) -> Result<Trials, String> {
    let seed = |launch| example_seed(subject.kernel, &record.ir, record.metadata.seed, launch);
    panics::caught(|| tried(subject, examples, seed).map_err(|(_, why)| why)).flatten()
}

/// The recorded gradients against the adjoint, and the adjoint against dual numbers.
fn adjoint(
    record: &Record,
    kernel: &VerifiedKernel,
    adjoint: &Backward,
    examples: &[DecodedExample],
    errors: Option<Option<AdjointErrors>>,
) -> Result<(), String> {
    let mut measured: Option<AdjointCheck> = None;
    for (recorded, DecodedExample { launch, gradients }) in record.examples().zip(examples) {
        let Some((launches, gradients)) = gradients else { continue };
        let mut runs = launches.iter();
        runs.try_for_each(|run| races(&adjoint.kernel, run)).map_err(|why| format!("the adjoint: {why}"))?;
        let found = gradients_of(adjoint, launch, launches.gradients.after.clone());
        let args = |gradients: &[(ParamId, Arg)]| gradients.iter().map(|(_, arg)| arg.clone()).collect::<Vec<_>>();
        let names = found.iter().map(|(id, _)| kernel.param(*id).name.as_str());
        same(names, &args(&found), &args(gradients)).map_err(|why| format!("gradient {why}"))?;
        let weights = recorded.adj_outputs(kernel, &launch.before)?;
        let weights = |id| weights.iter().find(|(of, _)| *of == id).map(|(_, arg)| arg.clone());
        let tolerances = panics::caught(|| Tolerances::of(kernel, adjoint, launch, weights, gradients)).flatten()?;
        let named = inexact(kernel, tolerances.gradients.iter().map(|(id, arg)| (*id, arg)));
        if named != recorded.gradient_tolerances {
            return Err("the tolerances of the gradients are not those of the launch".to_owned());
        }
        let check = || gradient::measured(kernel, adjoint, launch, weights, (gradients, &tolerances));
        let check = panics::caught(check)?.map_err(|(_, why)| why)?;
        measured = Some(measured.map_or(check, |measured| measured.and(check)));
    }
    // The agreement with the CPU version is compared with the runs of that version.
    let Some(errors) = errors else { return Ok(()) };
    let measured = measured.map(|check| errors.map_or(check, |errors| check.with(errors)));
    let recorded = record.verification.adjoint.map(|check| AdjointCheck { interpreter_vs_cpu: None, ..check });
    same_evidence("verification.adjoint", recorded, measured)
}

/// The CPU version of the adjoint.
fn cpu_adjoint(
    record: &Record,
    adjoint: &Backward,
    examples: &[DecodedExample],
    cpu: CpuVersion,
    errors: Option<Option<AdjointErrors>>,
) -> Result<(), String> {
    let runs = examples.iter().filter_map(|example| example.gradients.as_ref());
    let each = runs.map(|(launches, _)| gradient::against_cpu(adjoint, launches, cpu).map_err(|(_, why)| why));
    let of_examples = each.collect::<Result<Vec<Agreement>, String>>()?;
    let Some(errors) = errors else { return Ok(()) };
    let of_trials = errors.and_then(|errors| errors.interpreter_vs_cpu);
    let all = of_examples.into_iter().chain(of_trials).reduce(Agreement::and);
    let recorded = record.verification.adjoint.and_then(|check| check.interpreter_vs_cpu);
    same_evidence("verification.adjoint.interpreter_vs_cpu", recorded, all)
}

fn names(kernel: &VerifiedKernel) -> impl Iterator<Item = &str> {
    kernel.params.iter().map(|param| param.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;
    use crate::fixtures::Dataset;
    use crate::model::Outcome;

    /// What fails of a registered and of a synthesised record after `change`.
    fn failures(change: impl Fn(&mut Record)) -> Vec<String> {
        let kernels = [fixtures::info("math", "wave")];
        let dataset = Dataset::new(&kernels);
        dataset.generate(&["--source", "all", "--count", "2"]).unwrap();
        let checked = dataset.records().into_iter().flat_map(|mut record| {
            change(&mut record);
            let Verdict { structure, texts, interpreter, cpu, adjoint, cpu_adjoint } = check(&record, &kernels);
            [structure, texts, interpreter, cpu, adjoint, cpu_adjoint]
        });
        let why = |outcome| match outcome {
            Outcome::Failed(why) => Some(why),
            Outcome::Passed | Outcome::Skipped => None,
        };
        checked.filter_map(why).collect()
    }

    #[test]
    fn evidence_that_was_not_found_is_refused() {
        assert_eq!(failures(|_| {}), Vec::<String>::new());
        let tier = "`tier` is not that of the verification";
        assert_eq!(failures(|record| record.tier = 5), [tier; 2]);
        let shape = "`verification.shapes[2][0]` is 64 in the record, and 31 if measured again";
        assert_eq!(failures(|record| record.verification.shapes[2] = vec![64]), [shape; 2]);
        let again = "`verification.interpreter_again.worst_ulp` is 1 in the record, and 0 if measured again";
        assert_eq!(failures(|record| record.verification.interpreter_again.worst_ulp = 1), [again; 2]);
        assert_eq!(
            failures(|record| record.verification.rust_reads_back = record.verification.rust_reads_back.map(|_| false)),
            [tier]
        );
        let failed = failures(|record| record.rust_source = record.rust_source.replace("pub fn", "pub struct"));
        assert_eq!(failed, ["`rust_source` does not read back to the IR"]);
    }
}
