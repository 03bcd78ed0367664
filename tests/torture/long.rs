//! Torture: a loop of 100,000 steps, and the cost of reversing it in steps and in memory.

use super::{Case, TRIPS, case};
use kernel_ir::adjoint::{arguments, backward};
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Kernel, Scalar, Type};
use kernel_ir::verify::{VerifiedKernel, verify};
use kernel_ir::{interp, text};
use kernel_rt::prelude::*;
use tests::report;

/// The number of steps of the loop.
const STEPS: i32 = 100_000;

/// Short steps of a pendulum, each with one sine.
#[kernel(family = "torture")]
fn long_pendulum(
    #[domain(1..60)] steps: i32,
    #[domain(0.5..2.0)] k: &[f64],
    #[domain(-1.0..1.0)] start: &[f64],
    end: &mut [f64],
) {
    let i = tid();
    let mut p = start[i];
    let mut v = 0.0;
    for _ in 0..steps {
        v -= 0.0001 * k[i] * p.sin();
        p += 0.0001 * v;
    }
    end[i] = p;
}

super::torture! {
    /// pendulum, 100,000 steps
    long_pendulum.set("steps", STEPS).over(1).launches(2);
}

/// The number of steps that the adjoint of `kernel` makes for each step of the kernel.
fn sweeps(kernel: &VerifiedKernel) -> f64 {
    let case = Case { kernel: kernel.clone(), ..long() };
    let backward = backward(kernel).expect("an adjoint");
    let before = case.args(0);
    let mut args = arguments(kernel, &backward.sources, &before, &before, |id| {
        let of = &before[id.0 as usize];
        kernel.param(id).is_mutable().then(|| Arg { data: Data::F64(vec![1.0; of.data.len()]), ..of.clone() })
    });
    args.push(Arg::zeros(Type::of(Scalar::U32), &[1]));
    interp::run_with(&counted(&backward.kernel), &[case.threads], &mut args, TRIPS).expect("it runs");
    let Some(Data::U32(count)) = args.last().map(|arg| &arg.data) else { panic!("a count") };
    f64::from(count[0]) / f64::from(STEPS)
}

/// The same kernel with one more array, in which it counts the sines that it computes.
fn counted(kernel: &Kernel) -> VerifiedKernel {
    let printed = text::print(kernel);
    let (head, body) = printed.split_once("\n) {\n").expect("a body");
    let mut counted = format!("{head}\n    sines: &mut [u32; 1],\n) {{\n");
    for line in body.lines() {
        if line.contains(" sin(") {
            counted += "atomic_add(sines[0usize], 1u32);\n";
        }
        counted += &format!("{line}\n");
    }
    read(&counted)
}

fn read(text: &str) -> VerifiedKernel {
    verify(text::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).expect("a kernel")
}

/// The pendulum with a part of its text replaced.
fn pendulum(part: &str, other: &str) -> VerifiedKernel {
    let printed = text::print(&long().kernel);
    assert!(printed.contains(part), "{printed}");
    read(&printed.replace(part, other))
}

fn long() -> Case {
    case("long_pendulum", "").set("steps", STEPS).over(1)
}

/// The number of scalars in a thread's locals.
fn memory(kernel: &Kernel) -> usize {
    kernel.locals.iter().map(|local| local.ty.components() * local.len.unwrap_or(1) as usize).sum()
}

#[test]
fn steps_are_made_a_few_times_each() {
    // Each step is evaluated once more when it is reversed. The gradient of the first kernel does not need its result;
    // that of the second does.
    let squared = pendulum("] = p.", "] = p.1 * p.");
    for (kernel, own) in [(&long().kernel, 1.0), (&squared, 2.0)] {
        let extra = sweeps(kernel) - own;
        report(&format!("torture: reversing {STEPS} steps takes {extra:.2} sweeps besides {own} of its own"));
        assert!(extra <= 4.5, "{extra}");
        assert!(extra >= 4.0, "{extra}: fewer than any schedule needs, so something is not counted");
    }
}

/// The same pendulum with another number of checkpoints.
fn with_slots(slots: u32) -> VerifiedKernel {
    verify(Kernel { slots: Some(slots), ..Kernel::clone(&long().kernel) }).expect("a kernel")
}

#[test]
fn memory_is_traded_for_steps() {
    // The best cost of the binomial schedule for 100,000 steps: the least total number of evaluations.
    for slots in [8, 32, 128, 1024] {
        let kernel = with_slots(slots);
        let (extra, kept) = (sweeps(&kernel) - 1.0, memory(&backward(&kernel).expect("an adjoint").kernel));
        report(&format!("torture: with {slots} slots a thread keeps {kept} scalars, for {extra:.2} more sweeps"));
        assert!(kept <= 3 * slots as usize + 32, "{kept}");
        let best = best_sweeps(u64::from(slots));
        assert!((best - 1.0..=best + 0.01).contains(&extra), "{extra} of {best}");
    }
}

/// The least number of forward sweeps over the steps with this many checkpoints, by Griewank and Walther (2000): r·l −
/// C(s + r, r − 1) steps, where r is the least number with C(s + r, s) ≥ l.
fn best_sweeps(slots: u64) -> f64 {
    let steps = u64::from(STEPS.unsigned_abs());
    let (mut r, mut reach, mut before) = (1, slots + 1, 1);
    while reach < steps {
        r += 1;
        before = reach;
        reach = reach * (slots + r) / r;
    }
    // C(s + r, r - 1) = C(s + r - 1, r - 1) · (s + r) / (s + 1).
    let saved = before * (slots + r) / (slots + 1);
    (r * steps - saved) as f64 / steps as f64
}

#[test]
fn memory_does_not_grow_with_the_steps() {
    let constant = pendulum("0i32..steps", "0i32..100000i32");
    let [dynamic, constant] =
        [&long().kernel, &constant].map(|kernel| memory(&backward(kernel).expect("an adjoint").kernel));
    report(&format!("torture: a thread keeps {dynamic} scalars, and {constant} if the number of steps is a constant"));
    // Two states and the step number in each of 32 checkpoints, and some locals.
    assert!(dynamic.max(constant) <= 3 * 32 + 32);
}
