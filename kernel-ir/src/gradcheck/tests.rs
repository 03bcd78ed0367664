//! The judge, judged.

use super::*;
use crate::adjoint::Source;
use crate::text;
use crate::verify::verify;

/// In place, accumulated and read, with a value that every thread reads.
const FORWARD: &str = "#[kernel(family = \"f\", dim = 1)] fn k(a: f32, x: &[vec2; dim(0)], \
    y: &mut [f32; dim(0)] in -1.0f64..1.0f64, out: &mut [f32; dim(0)],) { \
    y[tid(0)] = a * y[tid(0)] * y[tid(0)]; out[tid(0)] += sin(x[tid(0)].x) * x[tid(0)].y; }";

const ADJOINT: &str = "#[kernel(family = \"f\", dim = 1)] fn k(a: f32, x: &[vec2; dim(0)], y: &[f32; dim(0)], \
    adj_a: &mut [f32; 1], adj_x: &mut [vec2; dim(0)], adj_y: &mut [f32; dim(0)], adj_out: &mut [f32; dim(0)],) { \
    let i.0: usize = tid(0); \
    adj_x[i.0] += vec2(cos(x[i.0].x) * x[i.0].y, sin(x[i.0].x)) * adj_out[i.0]; \
    atomic_add(adj_a[0usize], y[i.0] * y[i.0] * adj_y[i.0]); \
    adj_y[i.0] *= 2.0f32 * a * y[i.0]; }";

fn kernel(text: &str) -> VerifiedKernel {
    verify(text::parse(text).unwrap()).unwrap()
}

fn judge(backward: &Backward) -> Result<f64, Failure> {
    judge_of(&kernel(FORWARD), backward)
}

fn judge_of(kernel: &VerifiedKernel, backward: &Backward) -> Result<f64, Failure> {
    let args = sample::args(kernel, &[7], 1).unwrap();
    dot_product(kernel, backward, Launch { dim: &[7], args: &args, trips: 10, seed: 3 })
}

fn adjoint(text: &str) -> Backward {
    let (primal, adjoint) = (|id| Source::Primal(ParamId(id)), |id| Source::Adjoint(ParamId(id)));
    let sources = vec![primal(0), primal(1), primal(2), adjoint(0), adjoint(1), adjoint(2), adjoint(3)];
    Backward { kernel: kernel(text), sources }
}

#[test]
fn a_right_adjoint_holds() {
    assert!(judge(&adjoint(ADJOINT)).unwrap() < 1e-12);
}

#[test]
fn a_backward_kernel_may_take_results() {
    let forward = "#[kernel(family = \"f\", dim = 1)] fn k(y: &mut [f32; dim(0)] in 0.0f64..1.0f64,) { \
        y[tid(0)] = exp(y[tid(0)]); }";
    let adjoint = "#[kernel(family = \"f\", dim = 1)] fn k(y: &[f32; dim(0)], adj_y: &mut [f32; dim(0)],) { \
        adj_y[tid(0)] *= y[tid(0)]; }";
    let judge = |source: Source| {
        let sources = vec![source, Source::Adjoint(ParamId(0))];
        judge_of(&kernel(forward), &Backward { kernel: kernel(adjoint), sources })
    };
    assert!(judge(Source::Result(ParamId(0))).unwrap() < 1e-12);
    assert!(matches!(judge(Source::Primal(ParamId(0))), Err(Failure::Mismatch(_))));
}

#[test]
fn wrong_adjoints_do_not() {
    for (right, wrong, culprit) in [
        ("cos(x", "sin(x", "by `x`"),
        ("2.0f32 * a", "2.0001f32 * a", "by `y`"),
        ("y[i.0] * y[i.0] *", "y[i.0] *", "by `a`"),
    ] {
        let found = judge(&adjoint(&ADJOINT.replace(right, wrong)));
        let Err(Failure::Mismatch(message)) = found else { panic!("{wrong}: {found:?}") };
        assert_eq!(message.matches("by `").count(), 1, "{message}");
        assert!(message.contains(culprit), "{message}");
    }
}

#[test]
fn other_failures_have_names() {
    assert!(matches!(judge(&adjoint(&ADJOINT.replace("a[0usize]", "a[1usize]"))), Err(Failure::Fault(_))));
    let infinite = ADJOINT.replace("2.0f32", "f32::INFINITY");
    assert!(matches!(judge(&adjoint(&infinite)), Err(Failure::NotFinite(_))));
}

#[test]
fn rounding_is_forgiven_in_f32_alone() {
    let kernel = kernel(FORWARD);
    let args = sample::args(&kernel, &[7], 1).unwrap();
    let launch = Launch { dim: &[7], args: &args, trips: 10, seed: 3 };
    let judge = |backward: &Backward| {
        let run = |args: &mut [Arg]| interp::run(&backward.kernel, &[7], args).map_err(|fault| fault.message);
        dot_product_rounded(&kernel, backward, launch, run)
    };
    let error = judge(&adjoint(ADJOINT)).unwrap();
    assert!(error > 1e-12 && error < 1e-6, "{error:e}");
    assert!(matches!(judge(&adjoint(&ADJOINT.replace("2.0f32", "2.01f32"))), Err(Failure::Mismatch(_))));
}

fn judge_one<T>(text: &str, judge: fn(&VerifiedKernel, Launch) -> T) -> T {
    let kernel = kernel(text);
    let args = sample::args(&kernel, &[7], 1).unwrap();
    judge(&kernel, Launch { dim: &[7], args: &args, trips: 10, seed: 3 })
}

#[test]
fn differences_notice_a_jump() {
    let found = judge_one(FORWARD, differences).unwrap();
    assert!(found.agree && found.converge && found.tangent != 0.0);
    let jump = FORWARD.replace("a * y[tid(0)]", "signum(y[tid(0)])").replace("1.0f64", "1e-10f64");
    let found = judge_one(&jump, differences).unwrap();
    assert!(!found.agree && !found.converge);
}

#[test]
fn the_order_of_threads_is_noticed() {
    assert_eq!(judge_one(FORWARD, order_is_free), Ok(()));
    let meeting = FORWARD.replace("y[tid(0)] * y[tid(0)]", "y[tid(0) / 2usize]");
    let found = judge_one(&meeting, order_is_free);
    assert_eq!(found, Err(Failure::Mismatch("`y` depends on the order of the threads".to_owned())));
}
