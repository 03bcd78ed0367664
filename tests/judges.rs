//! Runs every installed judge on every registered kernel.
//!
//! A missing judge is reported and skipped. With `WEFT_REQUIRE_JUDGES=1`, as in CI, it fails the test. Those that run the
//! texts take a sample (`sampled`): `gen-dataset validate` gives them every kernel of the families, too, and with
//! `WEFT_FULL=1` they take every kernel here.

use crate::adjoint::backward;
use crate::hostile::registered::{Counts, adjoint_launches};
use crate::mutation::plain_update;
use gen_dataset::judges::cxx::Cxx;
use gen_dataset::judges::{Case, Judge, JudgeKind, Launch, Outcome, open};
use kernel_ir::back::c::{self, Dialect};
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Domain, Param, ParamId, Relation, SizeExpr, Structure, ValueRange};
use kernel_ir::{gradcheck, interp, sample};
use kernel_rt::prelude::*;
use kernel_rt::{BackwardInfo, KernelInfo};
use tests::{is_finite, is_selected, report, selected, skip};

#[test]
fn nvrtc_compiles_every_kernel() {
    if let Some(mut judge) = installed(JudgeKind::Nvrtc) {
        assert_all_pass(judge.as_mut(), &registered());
    }
}

/// Registered kernels with their HIP texts, which the macro does not write, and which differ from those in CUDA in few words:
/// one in three of them, unless `WEFT_FULL=1`.
fn in_hip() -> impl Iterator<Item = Case> {
    let kernels = selected(if is_full() { 1 } else { 3 });
    cases(kernels, |_| Vec::new(), |_, _| Vec::new()).into_iter().map(|mut case| {
        case.texts.insert("hip", c::write(&case.in_memory, Dialect::Hip));
        case
    })
}

#[test]
fn hip_compiles_every_kernel() {
    if let Some(mut judge) = installed(JudgeKind::Hip) {
        assert_all_pass(judge.as_mut(), &in_hip().collect::<Vec<_>>());
    }
}

/// Of many texts in one program, the wrong ones alone are refused.
#[test]
fn what_is_no_hip_is_refused() {
    let Some(mut judge) = installed(JudgeKind::Hip) else { return };
    let mut cases: Vec<Case> = in_hip().take(40).collect();
    let spoil: [fn(&str) -> String; 4] = [
        |text| text.replace("__global__", "__kernel__"),
        |text| text.replace("blockDim.x", "blockDimension.x"),
        |text| text.replacen('}', "", 1),
        // A local that nothing reads is a warning.
        |text| text.replacen(") {\n", ") {\n    int unread;\n", 1),
    ];
    for (place, spoil) in (3..).step_by(9).zip(spoil) {
        let text = cases[place].texts.get_mut("hip").expect("it has a HIP text");
        *text = spoil(text);
    }
    let outcomes = judge.judge(&cases).unwrap_or_else(|why| panic!("{why}"));
    let failed = outcomes.iter().enumerate().filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_)));
    assert_eq!(failed.map(|(place, _)| place).collect::<Vec<_>>(), [3, 12, 21, 30]);
}

/// A sum that an optimiser proves never to be reached has no atomic instruction, and is right.
#[kernel(family = "atomic")]
fn never_reached(x: &[f32], total: &mut [f32]) {
    let i = tid();
    let kind = (x[i] as i32).clamp(0, 2);
    if kind == 7 {
        atomic_add(&mut total[i], x[i]);
    } else {
        atomic_add(&mut total[0], 2.0 * x[i]);
    }
}

/// Of two zeros either may be the larger one. Coarse inputs have zeros.
#[kernel(family = "math")]
fn larger_of_two(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].max(-x[i]);
}

/// `abs` of integers beside that of vectors: judges compile many texts in one file.
#[kernel(family = "vector")]
fn both_kinds_of_abs(#[domain(-9.0..9.0)] x: &[Vec2], out: &mut [f32]) {
    let i = tid();
    out[i] = x[i].abs().y + (x[i].x as i32).abs() as f32;
}

/// Vectors that are called like a function of Python and one of Warp, where Warp would take the functions.
#[kernel(family = "vector")]
fn named_like_functions(#[domain(-9.0..9.0)] x: &[Vec3], #[domain(-9.0..9.0)] load: Vec3, out: &mut [f32]) {
    let i = tid();
    let sum = x[i] + load;
    out[i] = (sum.x as i32 - load.z as i32) as f32 + sum.y.signum();
}

#[test]
fn nvrtc_misses_every_atomic() {
    let Some(mut judge) = installed(JudgeKind::Nvrtc) else { return };
    // Each atomic is replaced alone, also where an unrolled loop has others; one in three, unless `WEFT_FULL=1`.
    let mut cases = Vec::new();
    for case in registered() {
        let lines = case.text("cuda").map(with_whole_additions).unwrap_or_default();
        for (number, line) in lines.iter().enumerate() {
            // Atomics in helper functions are counted as calls of them.
            let Some(plain) = plain_update(line).filter(|plain| !plain.trim_start().starts_with("p->")) else {
                continue;
            };
            let mut lines = lines.clone();
            lines[number] = plain;
            let name = format!("{} line {}", case.name, number + 1);
            let texts = [("cuda", lines.join("\n") + "\n")].into();
            cases.push(Case { name, texts, python: None, ..case.clone() });
        }
    }
    let cases: Vec<Case> = cases.into_iter().step_by(if is_full() || is_selected() { 1 } else { 3 }).collect();
    let outcomes = judge.judge(&cases).unwrap_or_else(|why| panic!("{why}"));
    let missed =
        |(case, outcome): (&Case, Outcome)| (!matches!(outcome, Outcome::Failed(_))).then(|| case.name.clone());
    let survivors: Vec<String> = cases.iter().zip(outcomes).filter_map(missed).collect();
    assert!(cases.len() > 50 && survivors.is_empty(), "{} of {} survive: {survivors:?}", survivors.len(), cases.len());
    report(&format!("{} missing atomics are noticed", cases.len()));
}

/// The lines of a text, with each atomic call joined into one line.
fn with_whole_additions(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let is_open = |last: &&mut String| {
            let call = last.trim_start();
            ["block_atomic_add(", "atomicAdd(", "atomic_add("].iter().any(|head| call.starts_with(head))
                && !call.ends_with(';')
        };
        match lines.last_mut().filter(is_open) {
            Some(call) => {
                let part = line.trim_start();
                call.push_str(if call.ends_with('(') || part.starts_with(')') { "" } else { " " });
                call.push_str(part);
            }
            None => lines.push(line.to_owned()),
        }
    }
    lines
}

#[test]
fn every_kernel_runs_as_compiled_by_cxx() {
    let Some(mut judge) = installed(JudgeKind::Cxx) else { return };
    let mut counts = Counts::default();
    let all = drawn(|case| launches(case, 0..1, 1), |info, backward| adjoint_launches(info, backward, &mut counts));
    assert_all_pass(judge.as_mut(), &all);
    counts.conclude("adjoints in C++ and CUDA at hostile numbers", 0.05);
}

#[test]
fn warp_runs_every_kernel() {
    if let Some(mut judge) = installed(JudgeKind::Warp) {
        let forward = |case: &Case| case.python.is_some();
        assert_all_pass(judge.as_mut(), &launched().into_iter().filter(forward).collect::<Vec<_>>());
    }
}

#[test]
fn both_cxx_compilers_are_there() {
    if let Ok(judge) = Cxx::open() {
        for name in judge.missing() {
            miss(&format!("no {name} on this machine"));
        }
    }
}

/// Opens the judge, if it is installed.
pub(crate) fn installed(kind: JudgeKind) -> Option<Box<dyn Judge>> {
    open(kind).map_err(|why| miss(&format!("judge {}: {why}", kind.name()))).ok()
}

pub(crate) fn miss(what: &str) {
    assert!(std::env::var_os("WEFT_REQUIRE_JUDGES").is_none_or(|value| value != "1"), "missing: {what}");
    skip(what);
}

/// Every registered kernel, also of other tests, and its adjoint.
fn registered() -> Vec<Case> {
    cases(selected(1), |_| Vec::new(), |_, _| Vec::new())
}

/// The kernels that run in the judges, with a launch of each size.
fn launched() -> Vec<Case> {
    drawn(|case| launches(case, 0..1, 1), |_, _| Vec::new())
}

/// Whether tests that else take a sample take everything.
pub(crate) fn is_full() -> bool {
    std::env::var_os("WEFT_FULL").is_some_and(|full| full == "1")
}

/// Those of the kernels that tests take which take long for each: one in six of the families, one in four of the tests' own;
/// all of them with `WEFT_FULL=1`, or where a family is selected.
pub(crate) fn sampled(mut kernels: Vec<&KernelInfo>) -> Vec<&KernelInfo> {
    if is_full() || is_selected() {
        return kernels;
    }
    let (mut of_families, mut of_tests, all) = (0, 0, kernels.len());
    kernels.retain(|info| {
        let (number, each) =
            if info.module.starts_with("kernels::") { (&mut of_families, 6) } else { (&mut of_tests, 4) };
        *number += 1;
        *number % each == 0
    });
    report(&format!("sampled: {} of {all} kernels; all with WEFT_FULL=1", kernels.len()));
    kernels
}

/// The kernels that run in the judges, as [`cases`] makes them.
fn drawn(
    launches: impl Fn(&Case) -> Vec<Launch>,
    further: impl FnMut(&KernelInfo, &BackwardInfo) -> Vec<Launch>,
) -> Vec<Case> {
    cases(sampled(selected(1)), launches, further)
}

/// Each kernel with its `launches`, and its adjoint with the launches that follow from them and with `further` ones.
pub(crate) fn cases(
    kernels: Vec<&KernelInfo>,
    launches: impl Fn(&Case) -> Vec<Launch>,
    mut further: impl FnMut(&KernelInfo, &BackwardInfo) -> Vec<Launch>,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for info in kernels {
        let case = case_of(info);
        let case = Case { launches: launches(&case), ..case };
        let backward = info.backward.map(|backward| {
            let mut adjoint = backward_of(&case, &backward);
            adjoint.launches.extend(further(info, &backward));
            adjoint
        });
        cases.push(case);
        cases.extend(backward);
    }
    cases
}

/// The adjoint of a registered kernel, with random adjoints of the outputs.
pub(crate) fn backward_of(case: &Case, info: &BackwardInfo) -> Case {
    backward_by(case, info, |launch, id| gradcheck::weights(&case.kernel, &launch.before, 0, id))
}

/// The same, with the output adjoints that `weights` gives.
pub(crate) fn backward_by(case: &Case, info: &BackwardInfo, weights: impl Fn(&Launch, ParamId) -> Option<Arg>) -> Case {
    let wrong = |why: String| -> ! { panic!("{}: {why}", case.name) };
    let adjoint = backward(&case.in_memory).unwrap_or_else(|why| wrong(why));
    let texts = info.texts.iter().map(|(id, text)| (*id, (*text).to_owned())).collect();
    case.backward(&adjoint, texts, weights).unwrap_or_else(|why| wrong(why))
}

/// The case of a kernel, without launches.
pub(crate) fn case_of(info: &KernelInfo) -> Case {
    let case = Case::registered(info).unwrap_or_else(|why| panic!("{}: {why}", info.name));
    Case { name: format!("{}::{}", info.family, info.name), ..case }
}

/// Launches of a kernel as the interpreter runs them. There are `seeds` launches of each size worth testing. One size
/// also has all seeds up to `most`, because a by-value parameter has one value in a launch and may select a branch.
/// That size also has launches with coarse inputs and with zeros.
pub(crate) fn launches(case: &Case, seeds: std::ops::Range<u64>, most: u64) -> Vec<Launch> {
    let sizes = sample::dims(&case.kernel);
    let all = sizes.iter().flat_map(|dim| seeds.clone().map(move |seed| (dim, seed)));
    let further = sizes.get(3).into_iter().flat_map(|dim| (seeds.end..most).map(move |seed| (dim, seed)));
    let fine = all.chain(further).map(|(dim, seed)| launch(case, dim.clone(), seed));
    let coarse = sizes.get(3).into_iter().flat_map(|dim| seeds.clone().filter_map(move |seed| coarse(case, dim, seed)));
    let zeros = sizes.get(3).and_then(|dim| zeros(case, dim));
    fine.chain(coarse).chain(zeros).collect()
}

/// A launch in which many inputs are zero, equal, or a simple sum of others. Random inputs are never so, and branches
/// for such inputs would not be taken. `None` if the kernel does not admit such inputs, because domains only describe
/// random ones.
fn coarse(case: &Case, dim: &[usize], seed: u64) -> Option<Launch> {
    let mut before = sample::args(&case.kernel, dim, seed).ok()?;
    let parts = [4.0, 2.0, 8.0][seed as usize % 3];
    for (param, arg) in case.kernel.params.iter().zip(&mut before) {
        let (low, high) = match param.domain.as_ref().map(|domain| &domain.range) {
            Some(ValueRange::Float { low, high }) => (f64::from_bits(*low), f64::from_bits(*high)),
            _ => (-1.0, 1.0),
        };
        // Steps are powers of two, so sums and small multiples of the inputs are exact.
        let step = 2f64.powf(((high - low) / parts).log2().floor());
        let rounded = |x: f64| Some((x / step).round() * step).filter(|x| (low..high).contains(x)).unwrap_or(x);
        match &mut arg.data {
            Data::F16(data) | Data::BF16(data) | Data::F32(data) => {
                data.iter_mut().for_each(|x| *x = rounded(f64::from(*x)) as f32)
            }
            Data::F64(data) => data.iter_mut().for_each(|x| *x = rounded(*x)),
            _ => {}
        }
    }
    steady(case, dim, before)
}

/// A launch whose arrays begin with zeros, if their domains contain zero: silence, black pixels, empty rows. `None` if
/// the kernel does not admit them.
fn zeros(case: &Case, dim: &[usize]) -> Option<Launch> {
    let mut before = sample::args(&case.kernel, dim, 0).ok()?;
    // Where elements must differ, most of them are not zero.
    let differs = |domain: &Domain| domain.structure.and_then(Structure::relation) == Some(Relation::Differ);
    let is_free = |param: &Param| param.rank() > 0 && !param.domain.as_ref().is_some_and(differs);
    for (param, arg) in case.kernel.params.iter().zip(&mut before).filter(|(param, _)| is_free(param)) {
        let has_zero = match param.domain.as_ref().map(|domain| &domain.range) {
            Some(ValueRange::Float { low, high }) => (f64::from_bits(*low)..f64::from_bits(*high)).contains(&0.0),
            // The value of a bound that is an extent is unknown here. An integer domain from a literal up to 0 contains
            // zero.
            Some(ValueRange::Int { low: SizeExpr::Literal(low), .. }) => *low <= 0,
            Some(ValueRange::Int { .. }) => false,
            Some(ValueRange::Bool) | None => true,
        };
        let half = arg.data.len() / 2;
        match &mut arg.data {
            _ if !has_zero => {}
            Data::F16(data) | Data::BF16(data) | Data::F32(data) => data[..half].fill(0.0),
            Data::F64(data) => data[..half].fill(0.0),
            Data::I8(data) => data[..half].fill(0),
            Data::U8(data) => data[..half].fill(0),
            Data::I16(data) => data[..half].fill(0),
            Data::U16(data) => data[..half].fill(0),
            Data::I32(data) => data[..half].fill(0),
            Data::I64(data) => data[..half].fill(0),
            Data::U32(data) => data[..half].fill(0),
            Data::U64(data) => data[..half].fill(0),
            Data::Bool(data) => data[..half].fill(false),
            Data::Index(_) => {}
        }
    }
    steady(case, dim, before)
}

/// The launch with these inputs, if it terminates with finite results and is not ill-conditioned.
fn steady(case: &Case, dim: &[usize], before: Vec<Arg>) -> Option<Launch> {
    let mut after = before.clone();
    interp::run(&case.kernel, dim, &mut after).ok()?;
    let launch = Launch { dim: dim.to_vec(), before, after };
    let is_steady = launch.after.iter().all(|arg| is_finite(&arg.data)) && launch.tolerances(&case.kernel).is_ok();
    is_steady.then_some(launch)
}

/// A launch as the interpreter runs it.
pub(crate) fn launch(case: &Case, dim: Vec<usize>, seed: u64) -> Launch {
    let before = sample::args(&case.kernel, &dim, seed).unwrap_or_else(|why| panic!("{}: {why}", case.name));
    let mut after = before.clone();
    if let Err(fault) = interp::run(&case.kernel, &dim, &mut after) {
        panic!("{}: {fault:?}", case.name);
    }
    Launch { dim, before, after }
}

pub(crate) fn assert_all_pass(judge: &mut dyn Judge, cases: &[Case]) {
    let outcomes = judge.judge(cases).unwrap_or_else(|why| panic!("{why}"));
    let failures: Vec<String> = cases
        .iter()
        .zip(outcomes)
        .filter_map(|(case, outcome)| match outcome {
            Outcome::Passed => None,
            Outcome::Skipped => Some(format!("{}: skipped", case.name)),
            Outcome::Failed(why) => Some(format!("{}: {why:.2000}", case.name)),
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} kernels fail:\n{}", failures.len(), cases.len(), failures.join("\n"));
    let (undecided, launches) = (judge.undecided(), cases.iter().map(|case| case.launches.len()).sum::<usize>());
    report(&format!(
        "judge {}: {} kernels pass, {launches} launches; of these {undecided} on some grid are ill-conditioned",
        judge.version(),
        cases.len()
    ));
    assert!(undecided * 100 < launches.max(1), "{undecided} of {launches} launches are ill-conditioned");
}
