//! A loop of 100,000 steps: what it costs to reverse, in steps and in memory.

use super::{Case, TRIPS, case};
use kernel_ir::adjoint::{Source, backward};
use kernel_ir::check::check;
use kernel_ir::data::{Arg, Data};
use kernel_ir::ir::{Kernel, ParamId, Type};
use kernel_ir::{interp, text};
use kernel_rt::prelude::*;
use tests::report;

/// How many steps the loop makes.
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

/// How often the backward kernel of `case` makes a step, for each step of the kernel.
fn sweeps(case: &Case) -> f64 {
    let backward = backward(&case.kernel).expect("an adjoint");
    let counted = Counted::of(&backward.kernel);
    let args = case.args(0);
    let arg = |id: ParamId| &args[id.0 as usize];
    let mut args: Vec<Arg> = backward
        .sources
        .iter()
        .map(|source| match *source {
            Source::Primal(id) | Source::Result(id) => arg(id).clone(),
            Source::Adjoint(id) => Arg { data: Data::F64(vec![1.0; arg(id).data.len()]), ..arg(id).clone() },
        })
        .collect();
    args.push(Arg::zeros(Type::Scalar(kernel_ir::ir::Scalar::U32), &[1]));
    interp::run_with(&counted.0, &[case.threads], &mut args, TRIPS).expect("it runs");
    let Some(Data::U32(count)) = args.last().map(|arg| &arg.data) else { panic!("a count") };
    f64::from(count[0]) / f64::from(STEPS)
}

/// A kernel that counts the sines that it computes in one more array.
struct Counted(kernel_ir::check::CheckedKernel);

impl Counted {
    fn of(kernel: &Kernel) -> Counted {
        let (head, body) =
            text::print(kernel).split_once("\n) {\n").map(|(a, b)| (a.to_owned(), b.to_owned())).expect("a body");
        let mut out = format!("{head}\n    sines: &mut [u32; 1],\n) {{\n");
        for line in body.lines() {
            if line.contains(" sin(") {
                out += "atomic_add(sines[0usize], 1u32);\n";
            }
            out += &format!("{line}\n");
        }
        Counted(check(text::parse(&out).unwrap_or_else(|error| panic!("{error}\n{out}"))).expect("a kernel"))
    }
}

/// The scalars of a thread's locals.
fn memory(kernel: &Kernel) -> usize {
    kernel.locals.iter().map(|local| local.ty.components() * local.len.unwrap_or(1) as usize).sum()
}

/// One sweep is that of the kernel itself, and one evaluates each step where it is reversed.
#[test]
fn steps_are_made_a_few_times_each() {
    let case = case("long_pendulum", "").set("steps", STEPS).over(1);
    let sweeps = sweeps(&case);
    let extra = sweeps - 1.0;
    report(&format!("torture: {STEPS} steps are reversed in {extra:.2} sweeps besides the one that is reversed"));
    assert!(extra <= 4.5, "{extra}");
    assert!(extra >= 4.0, "{extra}: fewer than the schedule can do, so something is not counted");
}

#[test]
fn memory_does_not_grow_with_the_steps() {
    let dynamic = &case("long_pendulum", "").kernel;
    let constant = text::print(dynamic).replace("0i32..steps", "0i32..100000i32");
    let constant = check(text::parse(&constant).expect("a kernel")).expect("a kernel");
    assert_ne!(*dynamic, constant);
    let [dynamic, constant] = [dynamic, &constant].map(|kernel| memory(&backward(kernel).expect("an adjoint").kernel));
    report(&format!("torture: a thread keeps {dynamic} scalars, and {constant} if the number of steps is a constant"));
    // Two states and the number of the step in 32 slots, and some locals.
    assert!(dynamic.max(constant) <= 3 * 32 + 32);
}
