//! Gradients of launches in which a thread meets infinity or NaN on a path that does not affect the result.
//!
//! The derivative exists in each of these kernels, in the declared types. A plain product of adjoint and derivative
//! would give NaN, because 0 · ∞ is NaN. The last tests check the strong operations in every text, and that their guard
//! is what makes the difference.

pub(crate) mod numbers;
pub(crate) mod registered;

use crate::judges::{case_of, installed};
use gen_dataset::judges::{Case, JudgeKind, Launch, Outcome};
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_ir::ir::Type;
use kernel_rt::prelude::*;
use kernel_rt::registered_kernels;

const HUGE: f32 = 1e20;

/// A product that overflows, in a thread that the loss does not depend on.
#[kernel]
fn scaled_squares(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = a * (x[i] * x[i]);
}

#[test]
fn an_overflow_in_one_thread_leaves_the_gradients_of_others() {
    let x = [3.0, HUGE, f32::NAN, f32::INFINITY];
    let [mut adj_a, mut adj_x, mut adj_y] = [vec![0.0], vec![0.0; 4], vec![1.0, 0.0, 0.0, 0.0]];
    scaled_squares::cpu_backward(4, 2.0, &x, &mut adj_a, &mut adj_x, &mut adj_y).unwrap();
    assert_eq!((adj_a, adj_x), (vec![9.0], vec![12.0, 0.0, 0.0, 0.0]));
}

/// The gradient of `y[0]` by `x`.
macro_rules! gradient {
    ($kernel:ident, $x:expr) => {{
        let x = $x;
        let mut adj_x = x.map(|_| Default::default());
        $kernel::cpu_backward(1, &x, &mut adj_x, &mut [1.0]).unwrap();
        adj_x
    }};
}

/// A product that is used only where it is finite.
#[kernel]
fn guarded_product(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let product = x[0] * x[1];
    y[i] = if x[0] < 1e10 { product } else { x[0] };
}

#[test]
fn a_product_behind_a_guard_counts_where_it_is_used() {
    assert_eq!(gradient!(guarded_product, [2.0, 3.0]), [3.0, 2.0]);
    assert_eq!(gradient!(guarded_product, [HUGE, f32::INFINITY]), [1.0, 0.0]);
    assert_eq!(gradient!(guarded_product, [HUGE, f32::NAN]), [1.0, 0.0]);
}

/// The nearest of three hits, which starts at infinity.
#[kernel]
fn nearest_hit(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut nearest = f32::INFINITY;
    let mut weight = 0.0;
    for k in 0..x.len() {
        let t = 2.0 / x[k];
        if t < nearest {
            weight = nearest.min(8.0) * 0.5;
            nearest = t;
        }
    }
    y[i] = nearest * nearest + 0.0 * weight;
}

#[test]
fn a_search_may_start_at_infinity() {
    assert_eq!(gradient!(nearest_hit, [0.0, 1.0, 2.0]), [0.0, 0.0, -1.0]);
}

#[kernel]
fn smaller(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    y[i] = (1.0 / x[0]).min(x[1] * x[1]) + (x[2] * x[2]).max(x[1]);
}

#[test]
fn an_infinite_operand_that_loses_contributes_nothing() {
    assert_eq!(gradient!(smaller, [0.0, 3.0, 0.5]), [0.0, 7.0, 0.0]);
    assert_eq!(gradient!(smaller, [0.0, 3.0, f32::NAN]), [0.0, 7.0, 0.0]);
}

/// Solves with the inverse only if there is one.
#[kernel]
fn solved(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[Vec2],
    y: &mut [f32],
) {
    let i = tid();
    let m = Mat2::from_cols(x[0], Vec2::new(-x[0].y, x[1].x));
    let inverse = m.inverse();
    let mut v = x[0];
    if m.determinant() != 0.0 {
        v = inverse * x[1];
    }
    y[i] = v.x * v.x;
}

#[test]
fn the_inverse_of_a_singular_matrix_may_stay_unused() {
    assert_eq!(gradient!(solved, [Vec2::new(3.0, 6.0), Vec2::new(-12.0, 1.0)]), [Vec2::new(6.0, 0.0), Vec2::ZERO]);
}

/// An iteration that may diverge; then its start counts.
#[kernel]
fn rejected(
    #[domain(0.0..1.0)]
    #[shape(2)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let mut v = x[0];
    for _k in 0..20 {
        v = v * v - x[1] * v;
    }
    y[i] = if v.abs() < 10.0 { v } else { x[0] * 3.0 };
}

#[test]
fn an_iteration_that_diverges_may_be_rejected() {
    assert_eq!(gradient!(rejected, [5.0, 1.0]), [3.0, 0.0]);
}

/// One component of what mixes components.
#[kernel]
fn one_component(
    #[domain(0.5..1.5)]
    #[shape(3)]
    x: &[Vec3],
    y: &mut [f32],
) {
    let i = tid();
    let across = x[0].cross(x[1]);
    let turned = Mat3::from_cols(x[0], x[1], x[0]) * x[2];
    y[i] = across.x + turned.y;
}

#[test]
fn components_that_nothing_reads_contribute_nothing() {
    let x = [Vec3::new(f32::NAN, 2.0, 3.0), Vec3::new(f32::INFINITY, 5.0, 7.0), Vec3::new(1.0, 2.0, 4.0)];
    let found = gradient!(one_component, x);
    assert_eq!(found[0], Vec3::new(0.0, 7.0 + 5.0, -5.0));
    assert_eq!(found[1], Vec3::new(0.0, -3.0 + 2.0, 2.0));
    assert_eq!(found[2], Vec3::new(2.0, 5.0, 2.0));
}

/// Sums and casts that overflow, read where they do not.
#[kernel]
fn narrowed(
    #[domain(0.5..1.5)]
    #[shape(2)]
    x: &[f64],
    y: &mut [f32],
) {
    let i = tid();
    let narrow = (x[0] * x[0]) as f32;
    let along = DVec2::new(x[0], x[1]).dot(DVec2::new(x[0], 1.0));
    y[i] = if x[1] > 0.0 { x[1] as f32 } else { narrow * along as f32 };
}

#[test]
fn a_cast_or_a_sum_that_overflows_may_stay_unused() {
    assert_eq!(gradient!(narrowed, [1e200, 2.0]), [0.0, 1.0]);
}

/// One rule for a square of a root, whether or not the compiler can see that it is used.
#[kernel]
fn square_of_root(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let s = x[0].sqrt();
    y[i] = s * s;
}

#[kernel]
fn square_of_root_in_a_branch(
    #[domain(0.5..1.5)]
    #[shape(1)]
    x: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let s = x[0].sqrt();
    if x[0] < 1.0 {
        y[i] = s * s;
    }
}

/// A convention; see `docs/language.md`.
#[test]
fn a_computed_zero_at_an_infinite_derivative_gives_zero() {
    assert_eq!(gradient!(square_of_root, [0.0]), [0.0]);
    assert_eq!(gradient!(square_of_root_in_a_branch, [0.0]), [0.0]);
}

#[kernel]
fn root(#[domain(0.5..1.5)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = x[i].sqrt();
}

#[kernel]
fn masked(mask: &[i32], x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = if mask[i] == 0 { 0.0 } else { 2.0 * x[i] };
}

#[test]
fn what_a_later_launch_masks_meets_no_infinity() {
    let device = Device::cpu();
    let (mask, x) = (device.array_from(&[1, 0]).unwrap(), device.array_from(&[0.25f32, 0.0]).unwrap());
    let [middle, y] = [0, 1].map(|_| device.zeros::<f32>(2).unwrap());
    let tape = Tape::new(&device);
    root::launch(&tape, 2, (&x, &middle)).unwrap();
    masked::launch(&tape, 2, (&mask, &middle, &y)).unwrap();
    tape.backward_from(&[Seed::new(&y, &device.array_from(&[1.0, 1.0]).unwrap()).unwrap()]).unwrap();
    assert_eq!(tape.gradient(&x).unwrap().to_vec().unwrap(), [2.0, 0.0]);
}

/// Every operation in which a zero is strong, on `g` and the quotient `a / b` alone and as components.
#[kernel]
fn strong_operations(
    #[domain(0.5..1.5)] g: &[f32],
    #[domain(0.5..1.5)] a: &[f32],
    #[domain(0.5..1.5)] b: &[f32],
    y: &mut [f32],
) {
    let i = tid();
    let g = g[i];
    let d = a[i] / b[i];
    let all = Vec3::splat(g);
    let some = Vec3::new(g, 2.0, g);
    let derivative = Vec3::splat(d);
    let columns = Mat3::from_cols(derivative, Vec3::ONE, derivative);
    let turn = Quat::from_xyzw(g, g, g, g);
    let turned = Quat::from_xyzw(d, 1.0, d, 2.0);
    let scalars = g.strong_mul(d) + g.strong_div(d);
    let vectors = some.strong_mul(Vec3::new(d, 3.0, d))
        + some.strong_div(Vec3::new(d, 4.0, d))
        + g.strong_mul(derivative)
        + all.strong_mul(d)
        + all.strong_div(d)
        + all.strong_cross(derivative)
        + all.strong_mul(columns);
    let matrix = Mat3::from_diagonal(all);
    let matrices = matrix.strong_mul(d) + g.strong_mul(columns) + matrix.strong_mul(columns);
    let quaternions = turn.strong_mul(turned) + turn.strong_mul(d) + g.strong_mul(turned) + turn.strong_div(d);
    let sums = some.strong_dot(Vec3::new(d, 5.0, d)) + turn.strong_dot(turned);
    y[i] = scalars + sums + vectors.element_sum() + (matrices * Vec3::ONE).element_sum() + quaternions.length_squared();
}

/// A launch of `strong_operations` in which zeros meet infinity and NaN.
fn case_of_zeros() -> Case {
    let array = |data: &[f32]| Arg { ty: Type::F32, shape: vec![data.len()], data: Data::F32(data.to_vec()) };
    let g = array(&[0.0, 0.0, -0.0, 0.0, 0.5]);
    // The quotients: both infinities, NaN, 0, and 2. The inputs are finite, as in records.
    let [a, b] = [array(&[1.0, -1.0, 0.0, 0.0, 3.0]), array(&[0.0, 0.0, 0.0, 1.0, 1.5])];
    let before = vec![g, a, b, array(&[0.0; 5])];
    let info = registered_kernels().into_iter().find(|info| info.name == "strong_operations").unwrap();
    let case = case_of(info);
    let mut after = before.clone();
    interp::run(&case.kernel, &[5], &mut after).unwrap();
    Case { launches: vec![Launch { dim: vec![5], before, after }], ..case }
}

#[test]
fn a_zero_is_strong_on_the_cpu() {
    let case = case_of_zeros();
    let [before, after] = [&case.launches[0].before, &case.launches[0].after];
    let floats = |arg: &Arg| match &arg.data {
        Data::F32(data) => data.clone(),
        _ => panic!("floats"),
    };
    let mut y = [0.0; 5];
    strong_operations::cpu(5, &floats(&before[0]), &floats(&before[1]), &floats(&before[2]), &mut y).unwrap();
    assert!(y.iter().all(|y| y.is_finite()));
    assert_eq!(y, floats(&after[3])[..]);
}

/// The guards in the texts, each with the unguarded expression.
const GUARDS: [[&str; 2]; 4] = [
    ["g == 0 ? 0 : g * d", "g * d"],
    ["g == 0 ? 0 : g / d", "g / d"],
    ["wp.where(g == type(g)(0.0), type(g)(0.0), g * d)", "g * d"],
    ["wp.where(g == type(g)(0.0), type(g)(0.0), g / d)", "g / d"],
];

#[test]
fn a_zero_is_strong_in_every_text_and_by_its_guard_alone() {
    let case = case_of_zeros();
    for kind in [JudgeKind::Cxx, JudgeKind::Warp] {
        let Some(mut judge) = installed(kind) else { continue };
        let mut judge = |case: &Case| judge.judge(std::slice::from_ref(case)).unwrap().remove(0);
        let found = judge(&case);
        assert!(matches!(found, Outcome::Passed), "{}: {found:?}", kind.name());
        let mut unguarded = 0;
        for [guard, plain] in GUARDS {
            let texts = case.texts.iter().map(|(target, text)| (*target, text.replace(guard, plain))).collect();
            let python = case.python.as_ref().map(|text| text.replace(guard, plain));
            let is_python = python != case.python;
            if is_python == (kind == JudgeKind::Warp) {
                unguarded += 1;
                let found = judge(&Case { texts, python, ..case.clone() });
                assert!(matches!(found, Outcome::Failed(_)), "{} without `{guard}`: {found:?}", kind.name());
            }
        }
        assert_eq!(unguarded, 2);
    }
}
