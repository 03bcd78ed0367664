//! The registered kernels and their adjoints on an adapter, by the judge `vulkan`.
//!
//! CI takes every fourth or sixth kernel; `WEFT_FULL=1` takes all.

use crate::judges::{assert_all_pass, cases, is_full, launches, miss};
use gen_dataset::judges::vulkan::{Counts, Vulkan};
use gen_dataset::judges::{Case, Judge, Launch, Outcome};
use kernel_ir::back::wgsl;
use kernel_ir::interp;
use kernel_ir::ir::{Kernel, StmtKind};
use kernel_ir::verify::{VerifiedKernel, verify};
use tests::{is_selected, report, selected};

#[test]
fn every_kernel_and_adjoint_computes_what_the_interpreter_does() {
    let Some(mut judge) = opened() else { return };
    let cases = shaders(4);
    assert_all_pass(&mut judge, &cases);
    let Counts { launches, signs, rounded, undecided, .. } = judge.counts();
    report(&format!(
        "{}: {} texts in WGSL agree with the interpreter in {launches} launches, but for {undecided} ill-conditioned ones, {signs} \
         in which signs of zeros differ, and {rounded} within the accuracy of WGSL alone",
        judge.adapter(),
        cases.len()
    ));
    assert!(rounded * 500 < launches, "{rounded} of {launches} launches agree within the accuracy of WGSL alone");
    assert!(signs * 50 < launches, "the signs of zeros differ in {signs} of {launches} launches");
    assert!(undecided * 100 < launches, "{undecided} of {launches} launches are ill-conditioned");
}

/// How often a mutant is launched at most. On a loaded machine, threads of a driver in software seldom meet.
const ROUNDS: usize = 8;

/// Threads run side by side. So an update that is not atomic loses terms where several threads update an element.
#[test]
fn missing_atomics_are_noticed() {
    let Some(mut judge) = opened() else { return };
    let (mut mutants, mut apart) = (Vec::new(), 0);
    for case in shaders(6) {
        let Some((kernel, in_memory)) = without_atomics(&case.kernel).zip(without_atomics(&case.in_memory)) else {
            continue;
        };
        let Ok(text) = wgsl::write(&in_memory) else { continue };
        let largest = case.launches.iter().max_by_key(|launch| launch.dim.iter().product::<usize>());
        match largest.filter(|launch| do_threads_meet(&kernel, launch)).cloned() {
            Some(launch) => mutants.push(Case { texts: [("wgsl", text)].into(), launches: vec![launch], ..case }),
            None => apart += 1,
        }
    }
    report(&format!("{apart} texts need no atomics in the launch: no two threads update one element"));
    let (made, mut round) = (mutants.len(), 0);
    assert!(made > 50 || is_selected(), "{made} mutants");
    while mutants.len() * 4 >= made && round < ROUNDS {
        round += 1;
        let mut outcomes = judge.judge(&mutants).expect("the judge works").into_iter();
        mutants.retain(|_| !matches!(outcomes.next(), Some(Outcome::Failed(_))));
    }
    let survivors: Vec<&str> = mutants.iter().map(|case| case.name.as_str()).collect();
    report(&format!("{} of {made} missing atomics survive {round} rounds: {survivors:?}", survivors.len()));
    assert!(survivors.len() * 4 < made.max(1), "{survivors:?}");
}

/// Whether threads meet in the launch: it is a race.
fn do_threads_meet(kernel: &VerifiedKernel, launch: &Launch) -> bool {
    let raced = interp::check_races(kernel, &launch.dim, &mut launch.before.clone());
    raced.is_err_and(|fault| format!("{fault:?}").contains("a data race"))
}

/// The kernel with plain sums in the place of atomic ones. `None` if it has none.
fn without_atomics(kernel: &VerifiedKernel) -> Option<VerifiedKernel> {
    let mut plain = Kernel::clone(kernel);
    let mut is_changed = false;
    for stmt in &mut plain.body {
        stmt.walk_mut(&mut |stmt| {
            let StmtKind::Atomic { op, place, value, result: None, .. } = &stmt.kind else { return };
            let Some(sum) = op.op().filter(|_| op.is_sum()) else { return };
            stmt.kind = StmtKind::Update { place: place.clone(), op: sum, value: value.clone() };
            is_changed = true;
        });
    }
    is_changed.then(|| verify(plain).unwrap_or_else(|mistakes| panic!("{}: {mistakes:?}", kernel.name)))
}

pub(super) fn opened() -> Option<Vulkan> {
    Vulkan::open().map_err(|why| miss(&format!("judge vulkan: {why}"))).ok()
}

/// One in `step` of the kernels and adjoints that have a text in WGSL, with launches of every size worth testing.
fn shaders(step: usize) -> Vec<Case> {
    let with_text = |case: Case| {
        let text = wgsl::write(&case.in_memory).ok()?;
        Some(Case { texts: [("wgsl", text)].into(), ..case })
    };
    let kernels = selected(if is_full() { 1 } else { step });
    cases(kernels, |case| launches(case, 0..1, 1), |_, _| Vec::new()).into_iter().filter_map(with_text).collect()
}
