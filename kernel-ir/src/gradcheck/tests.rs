//! The judge, judged.

use super::*;
use crate::adjoint::Source;
use crate::adjoint::{arguments, gradients};
use crate::data::Data;
use crate::ir::Type;
use crate::sample;
use crate::text;
use crate::verify::verify;

/// In place, accumulated and read, with a value that every thread reads.
const FORWARD: &str = "#[kernel(family = \"f\", dim = 1)] fn k(a: f32, x: &[vec2; dim(0)], \
    y: &mut [f32; dim(0)] in -1.0f64..1.0f64, out: &mut [f32; dim(0)],) { \
    y[tid(0)] = a * y[tid(0)] * y[tid(0)]; out[tid(0)] += sin(x[tid(0)].x) * x[tid(0)].y; }";

const ADJOINT: &str = "#[kernel(family = \"f\", dim = 1)] fn k(a: f32, x: &[vec2; dim(0)], y: &[f32; dim(0)], \
    adj_a: &mut [f32; 1], adj_x: &mut [vec2; dim(0)], adj_y: &mut [f32; dim(0)], adj_out: &mut [f32; dim(0)],) { \
    let i.0: usize = tid(0); \
    adj_x[i.0] += vec(cos(x[i.0].x) * x[i.0].y, sin(x[i.0].x)) * adj_out[i.0]; \
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
    Backward { kernel: kernel(text), sources, promises: Vec::new() }
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
        judge_of(&kernel(forward), &Backward { kernel: kernel(adjoint), sources, promises: Vec::new() })
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

/// What the judge says of the adjoint of a kernel whose body is `body`, at inputs `x` and `m`.
fn judged_at(body: &str, x: [f32; 2], m: f32) -> Result<f64, Failure> {
    let text = format!(
        "#[kernel(family = \"f\", dim = 1)] fn k(x: &[f32; 2], m: &[f32; 1], y: &mut [f32; dim(0)],) {{\n{body}\n}}\n"
    );
    let kernel = kernel(&text);
    let backward = crate::adjoint::backward(&kernel).unwrap();
    let arg = |data: Vec<f32>| Arg { ty: Type::F32, shape: vec![data.len()], data: Data::F32(data) };
    let args = [arg(x.to_vec()), arg(vec![m]), arg(vec![0.0])];
    let run = |args: &mut [Arg]| interp::run(&backward.kernel, &[1], args).map_err(|fault| fault.message);
    dot_product_rounded(&kernel, &backward, Launch { dim: &[1], args: &args, trips: 100, seed: 3 }, run)
}

#[test]
fn computed_zeros_are_reported_with_operation_and_thread() {
    for (body, operation) in [
        ("let s.0: f32 = sqrt(x[0usize]); y[tid(0)] = s.0 * s.0;", "strong_div(0.5f32 * adj_s, t)"),
        ("y[tid(0)] = 1f32 / (1f32 / x[0usize] + 1f32 / x[1usize]);", "strong_div(g, x[0usize])"),
        ("y[tid(0)] = atan(1f32 / x[0usize]);", "strong_div(strong_div("),
        ("y[tid(0)] = exp(ln(x[0usize]));", "strong_div("),
        // A mask is an input.
        ("y[tid(0)] = m[0usize] * sqrt(x[0usize]);", "strong_div("),
        // In a loop.
        (
            "let mut s.0: f32 = x[0usize]; for k.1: i32 in (0i32..1i32) { s.0 = sqrt(s.0); } y[tid(0)] = s.0 * s.0;",
            "strong_div(",
        ),
        // Of a vector.
        (
            "let v.0: vec2 = vec(1f32, x[1usize]); let w.1: vec2 = v.0 / x[0usize]; y[tid(0)] = exp(-dot(w.1, w.1));",
            "strong",
        ),
    ] {
        let found = judged_at(body, [0.0, 2.0], 0.0);
        let Err(Failure::ComputedZero(zero)) = found else { panic!("{body}: {found:?}") };
        assert_eq!(zero.thread, [0], "{body}");
        assert!(zero.operation.contains(operation), "{body}: {}", zero.operation);
        // Elsewhere there is none.
        assert!(judged_at(body, [0.7, 2.0], 0.3).is_ok(), "{body}");
    }
}

#[test]
fn structural_zeros_are_not_reported() {
    for body in [
        // A factor that is zero whatever the input is.
        "y[tid(0)] = 0f32 * sqrt(x[0usize] + 1f32) + x[1usize];",
        "let s.0: f32 = sqrt(x[0usize]); y[tid(0)] = x[1usize] + (tid(0) as f32) * s.0;",
        // A side that is not taken, an output that is not used, an operand that loses.
        "let s.0: f32 = sqrt(x[0usize]); y[tid(0)] = x[1usize]; if x[1usize] < 1f32 { y[tid(0)] = s.0; }",
        "let s.0: f32 = sqrt(x[0usize]); let t.1: f32 = s.0; y[tid(0)] = x[1usize];",
        "y[tid(0)] = max(sqrt(x[0usize]), x[1usize]);",
        "y[tid(0)] = min(1f32 / x[0usize], x[1usize]);",
        // The derivative of a length is 0 at 0.
        "let v.0: vec2 = vec(x[0usize], x[0usize]); y[tid(0)] = length(v.0) * length(v.0) + x[1usize];",
    ] {
        let found = judged_at(body, [0.0, 2.0], 0.0);
        assert!(found.is_ok(), "{body}: {found:?}");
    }
}

#[test]
fn the_condition_tells_what_rounding_does() {
    let condition = |body: &str| {
        let text =
            format!("#[kernel(family = \"f\", dim = 1)] fn k(x: &[f64; 1], y: &mut [f64; dim(0)],) {{\n{body}\n}}\n");
        let kernel = kernel(&text);
        let backward = crate::adjoint::backward(&kernel).unwrap();
        let arg = |value: f64| Arg { ty: Type::F64, shape: vec![1], data: Data::F64(vec![value]) };
        let before = [arg(0.7), arg(0.0)];
        let seeds = |id: ParamId| (id.0 == 1).then(|| arg(1.0));
        let mut after = before.to_vec();
        interp::run(&kernel, &[1], &mut after).unwrap();
        let mut args = arguments(&kernel, &backward.sources, &before, &after, seeds);
        interp::run(&backward.kernel, &[1], &mut args).unwrap();
        let gradient = gradients(&backward.sources, &before, &after, args);
        condition(&kernel, &backward, (&[1], &before), seeds, &gradient).unwrap()
    };
    assert_eq!(condition("y[tid(0)] = 2f64 * x[0usize];"), 0.0);
    let good = condition("y[tid(0)] = sin(x[0usize]) * x[0usize];");
    assert!(good > 0.0 && good < 100.0, "{good}");
    // The fixed point of this map is unstable: an error grows by 1.9 with each trip.
    let bad = condition(
        "let mut v.0: f64 = 1f64 - 1f64 / 3.9f64 + 0f64 * x[0usize]; let mut w.1: f64 = v.0 + x[0usize] - 0.7f64; \
         for k.2: i32 in (0i32..60i32) { w.1 = 3.9f64 * w.1 * (1f64 - w.1); } y[tid(0)] = w.1;",
    );
    assert!(bad > 1e6, "{bad}");
}

#[test]
fn a_mismatch_that_rounding_explains_is_told_apart() {
    // What is left of `1 - r * r` where the root is nearly 1.
    let found = judged_at("y[tid(0)] = 1000f32 * tanh(4f32 * x[0usize]);", [1.8, 2.0], 0.3);
    assert!(matches!(found, Err(Failure::IllConditioned(_))), "{found:?}");
}
