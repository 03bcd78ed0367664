//! Gradients of single threads, and what the text of an adjoint has. `tests/data/adjoint` has whole texts.

use super::{arguments, backward, differentiate, gradients, launch};
use crate::data::{Arg, Data};
use crate::interp::{Dual, Number};
use crate::text::{parse, print};
use crate::verify::verify;
use crate::{front, interp};

/// The adjoint of a kernel in text form, in text form.
fn adjoint(params: &str, body: &str) -> String {
    let text = format!("#[kernel(family = \"f\", dim = 1)]\nfn k({params}) {{\n{body}\n}}\n");
    let kernel = verify(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    match backward(&kernel) {
        Ok(backward) => print(&backward.kernel),
        Err(mistakes) => mistakes.iter().map(|mistake| mistake.message.clone() + "\n").collect(),
    }
}

#[test]
fn a_kernel_of_integers_has_no_adjoint() {
    // The loop stays in what the passes make, because it ends on a condition.
    let text = "#[kernel(family = \"f\", dim = 1)]\nfn k(n: &mut [u32; dim(0)],) {\n\
        let mut m.0: u32 = n[tid(0)]; while m.0 > 1u32 { m.0 /= 2u32; n[tid(0)] += 1u32; } }\n";
    let kernel = verify(parse(text).unwrap()).unwrap();
    assert!(differentiate(&kernel).unwrap().is_none());
}

/// Only one side of a branch on constants runs, so the other one decides nothing: here it would meet other threads.
#[test]
fn branches_on_constants_are_taken_first() {
    let params = "x: &[f32; dim(0)], y: &mut [f32; dim(0)],";
    let plain = adjoint(params, "let i.0: usize = tid(0); y[i.0] = x[i.0] * x[i.0];");
    for cond in [
        "SUM.1",
        "!ALL.2",
        "SUM.1 && !ALL.2 || x[0usize] > 1.0f32",
        "COUNT.3 * 2i32 + 1i32 == 9i32",
        "COUNT.3 % 2i32 != 0i32 || 1.5f32 <= HALF.4",
        "COUNT.3 as i64 / 3i64 > 0i64",
    ] {
        let body = format!(
            "let SUM.1: bool = true; let ALL.2: bool = !SUM.1; let COUNT.3: i32 = 4i32; let HALF.4: f32 = 1.5f32;
            let i.0: usize = tid(0);
            if {cond} {{ y[i.0] = x[i.0] * x[i.0]; return; }} else {{ atomic_add(y[0usize], x[i.0]); }}
            while ALL.2 {{ atomic_add(y[0usize], x[i.0]); }}"
        );
        assert_eq!(adjoint(params, &body), plain, "{cond}");
    }
    // Not constant: what overflows, what may change, and a comparison with NaN.
    for cond in ["COUNT.1 + 2147483647i32 > 0i32", "turn.2 == 0i32", "NAN.3 != NAN.3"] {
        let body = format!(
            "let COUNT.1: i32 = 4i32; let mut turn.2: i32 = 0i32; let NAN.3: f32 = f32::NAN;
            let i.0: usize = tid(0); turn.2 += 1i32;
            if {cond} {{ y[i.0] = x[i.0] * x[i.0]; }} else {{ atomic_add(y[0usize], x[i.0]); }}"
        );
        assert!(adjoint(params, &body).contains("depend on the order of the threads"), "{cond}");
    }
    let chosen = "let SUM.1: bool = true; let i.0: usize = tid(0);
        y[i.0] = if SUM.1 { x[i.0] * (if !SUM.1 { 2.0f32 } else { x[i.0] }) } else { y[0usize] };";
    assert_eq!(adjoint(params, chosen), plain);
}

#[test]
fn what_a_trip_sets_first_is_no_state() {
    // The element is a local of the thread, which a trip assigns before it reads it.
    let text = adjoint(
        "y: &mut [f32; dim(0)],",
        "let mut r.0: f32 = 1.0f32;
        while true { y[tid(0)] = r.0; r.0 = 1.0f32; if 1.0f32 > y[tid(0)] { break; } }",
    );
    assert!(text.contains("let mut y_value."), "{text}");
}

/// How many values a thread records in arrays of its own, without the numbers of the trips that checkpoints stand at.
fn recorded(params: &str, body: &str) -> usize {
    let text = adjoint(params, body);
    text.lines().filter(|line| line.contains("_kept.") && line.contains(": [f32; ")).count()
}

#[test]
fn only_what_is_needed_is_recorded() {
    let params = "steps: i32, x: &[f32; dim(0)], y: &mut [f32; dim(0)],";
    let count = |body: &str| recorded(params, &format!("let i.0: usize = tid(0); {body}"));
    // Linear in the state: nothing, however non-linear in the input.
    let sum = "let mut s.1: f32 = 0.0f32; for k.2: i32 in (0i32..steps) { s.1 += sin(x[i.0]) * x[i.0]; } y[i.0] = s.1;";
    assert_eq!(count(sum), 0);
    let decay =
        "let mut s.1: f32 = x[i.0]; for k.2: i32 in (0i32..steps) { s.1 = s.1 * 0.5f32 + 1.0f32; } y[i.0] = s.1;";
    assert_eq!(count(decay), 0);
    // A result that is used non-linearly after the loop is not recorded in it.
    assert_eq!(count(&sum.replace("y[i.0] = s.1", "y[i.0] = exp(s.1)")), 0);
    // One for each state that a non-linear step carries, whatever the number of trips is.
    for trips in ["8i32", "steps"] {
        let one = "let mut s.1: f32 = x[i.0]; for k.2: i32 in (0i32..TRIPS) { s.1 = s.1 * s.1; } y[i.0] = s.1;";
        assert_eq!(count(&one.replace("TRIPS", trips)), 1, "{trips}");
        let two = "let mut p.1: f32 = x[i.0]; let mut v.2: f32 = 0.0f32; for k.3: i32 in (0i32..TRIPS) { \
            v.2 -= sin(p.1) * v.2; p.1 += v.2 * p.1; } y[i.0] = p.1;";
        assert_eq!(count(&two.replace("TRIPS", trips)), 2, "{trips}");
    }
    // Straight-line code keeps what it overwrites in locals, and only that: the first square, for the second.
    let line = "let mut s.1: f32 = x[i.0]; s.1 = s.1 * s.1; s.1 = s.1 * s.1; s.1 = 3.0f32 * s.1; y[i.0] = s.1;";
    assert_eq!(count(line), 0);
}

/// The gradient by the first array of floats of the sum of what the kernel writes, for one thread. Every array of floats
/// holds `x`, or zeros if it is mutable and not the first; every array of integers holds `t`.
fn gradient(source: &str, x: &[f64], t: i32) -> Vec<f64> {
    let kernel = front::compile_file(source.parse().unwrap()).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let backward = backward(&kernel).unwrap_or_else(|error| panic!("{error:?}\n{source}"));
    let is_float = |arg: &Arg| matches!(arg.data, Data::F64(_));
    let mut before: Vec<Arg> = kernel.params.iter().map(|param| Arg::zeros(param.elem(), &[1])).collect();
    let first = before.iter().position(is_float).unwrap();
    before[first].data = Data::F64(x.to_vec());
    before.iter_mut().filter(|arg| matches!(arg.data, Data::I32(_))).for_each(|arg| arg.data = Data::I32(vec![t]));
    let mut after = before.clone();
    interp::run(&kernel, &[1], &mut after).unwrap();
    let ones = |arg: &Arg| Arg { data: Data::F64(vec![1.0; arg.data.len()]), ..arg.clone() };
    let seed =
        |id: crate::ir::ParamId| kernel.param(id).is_mutable().then(|| ones(&before[id.0 as usize])).filter(is_float);
    let mut args = arguments(&kernel, &backward.sources, &before, &after, seed);
    launch(&backward.sources, &mut args, |args| interp::run(&backward.kernel, &[1], args)).unwrap();
    let all = gradients(&backward.sources, &before, &after, args);
    let (_, found) = all.into_iter().find(|(id, _)| id.0 as usize == first).unwrap();
    let Data::F64(found) = found.data else { panic!("{source}") };
    found
}

/// The gradient of `y[i]`, of which `body` is the computation from `x[i]`, of the type `ty`, and `t[i]`.
fn gradient_of(ty: &str, body: &str, x: &[f64], t: i32) -> Vec<f64> {
    let head = format!("fn k(x: &[{ty}], #[domain(0..2)] t: &[i32], y: &mut [f64]) {{ let i = tid();");
    gradient(&format!("#[kernel] {head} {body} }}"), x, t)
}

#[test]
fn an_angle_has_a_derivative_near_the_origin_and_far_away() {
    // The square of the distance is 0 here, or infinite.
    for size in [1e-200, 1e200] {
        let slope = 0.5 / size;
        let [found] = gradient_of("f64", &format!("y[i] = x[i].atan2({size:e});"), &[size], 0)[..] else { panic!() };
        let dual = Dual { value: size, tangent: 1.0 }.atan2(Dual::constant(size)).tangent;
        for found in [found, dual] {
            assert!((found / slope - 1.0).abs() < 1e-12, "{size:e}: {found:e}");
        }
    }
}

#[test]
fn what_a_choice_drops_meets_no_infinity() {
    for (body, expected) in [
        ("let s = x[i] * t[i] as f64; let r = (s * s).sqrt(); y[i] = r.max(0.01) * x[i];", 0.01),
        ("let q = 1.0 / (x[i] * t[i] as f64); let c = q.clamp(0.0, 100.0); y[i] = c * x[i];", 100.0),
        ("let v = x[i] * t[i] as f64; let l = v.ln(); y[i] = l.max(-5.0) * x[i];", -5.0),
        ("let v = x[i] * t[i] as f64; let p = v.powf(-0.5); y[i] = p.min(8.0) * x[i];", 8.0),
        // The remainder of a division by infinity.
        ("let d = 1.0 / (x[i] * t[i] as f64); y[i] = x[i] % d;", 1.0),
    ] {
        assert_eq!(gradient_of("f64", body, &[0.5], 0), [expected], "{body}");
    }
    let device = "#[device] fn root(s: f64) -> f64 { let r = s.sqrt(); r.max(0.01) }
        #[kernel] fn k(x: &[f64], t: &[i32], y: &mut [f64]) { let i = tid(); y[i] = root(x[i] * t[i] as f64) * x[i]; }";
    assert_eq!(gradient(device, &[0.5], 0), [0.01]);
}

#[test]
fn what_an_exit_skips_meets_no_infinity() {
    let root = "let r = (x[i] * k as f64).sqrt();";
    for (rest, expected) in [
        ("if k == 0 { continue; } y[i] += r;", 1.0),
        ("if t[i] == 0 && k == 0 { continue; } let q = 2.0 * r; y[i] += q;", 2.0),
        ("let s = (x[i] * t[i] as f64).sqrt(); if t[i] == 0 { y[i] += r * (k as f64) * x[i]; break; } y[i] += s;", 0.0),
    ] {
        let body = format!("for k in 0..2 {{ {root} {rest} }}");
        assert_eq!(gradient_of("f64", &body, &[0.25], 0), [expected], "{body}");
    }
    let body = "let r = (x[i] * t[i] as f64).sqrt(); for k in 0..3 { if t[i] == 0 { return; } y[i] += r; }";
    assert_eq!(gradient_of("f64", body, &[0.25], 0), [0.0]);
    let body = "let r = (x[i] * t[i] as f64).sqrt(); if t[i] == 0 { return; } y[i] = r;";
    assert_eq!(gradient_of("f64", body, &[0.25], 0), [0.0]);
}

#[test]
fn what_is_overwritten_meets_no_infinity() {
    for (body, expected) in [
        ("let mut r = (x[i] * t[i] as f64).sqrt(); if t[i] == 1 { y[i] += r; } r = 2.0 * x[i]; y[i] += r;", 2.0),
        ("let mut r = (x[i] * t[i] as f64).sqrt(); r = 2.0 * x[i]; y[i] += r;", 2.0),
        ("y[i] = 1.0 / (x[i] * t[i] as f64); if t[i] == 0 { y[i] = 0.0; }", 0.0),
        ("for k in 0..2 { y[i] = 1.0 / (x[i] * k as f64); }", -4.0),
        ("y[i] += 1.0 / (x[i] * t[i] as f64); if t[i] == 0 { y[i] = x[i]; }", 1.0),
    ] {
        assert_eq!(gradient_of("f64", body, &[0.5], 0), [expected], "{body}");
    }
    let parts = "#[kernel] fn k(x: &[f64], t: &[i32], y: &mut [DVec2]) { let i = tid();
        y[i] = DVec2::new((x[i] * t[i] as f64).sqrt(), x[i]); if t[i] == 0 { y[i].x = 0.0; } }";
    assert_eq!(gradient(parts, &[0.5], 0), [1.0]);
    let part = "let mut v = x[i] / (t[i] as f64 * 2.0); v = x[i]; let mut w = v; w.x = (x[i].y * t[i] as f64).sqrt();
        w.x = x[i].z; y[i] = w.x * w.z;";
    assert_eq!(gradient_of("DVec3", part, &[0.5, 0.5, 3.0], 0), [0.0, 0.0, 6.0]);
}

#[test]
fn components_that_nothing_reads_meet_no_infinity() {
    for (body, expected) in [
        ("let v = DVec3::new((x[i].x * 0.0).sqrt(), 1.0 / (x[i].y * 0.0), x[i].z); y[i] = v.z * v.z;", 6.0),
        ("let a = (x[i].x * t[i] as f64).sqrt(); let v = DVec3::new(a, a, x[i].z); y[i] = v.z * v.z;", 6.0),
        ("let v = x[i] / DVec3::new(t[i] as f64, 1.0, 2.0); y[i] = v.z;", 0.5),
        ("let v = x[i] / x[i].truncate().extend(2.0); y[i] = v.truncate().extend(v.z).z;", 0.5),
    ] {
        assert_eq!(gradient_of("DVec3", body, &[0.0, 0.0, 3.0], 0), [0.0, 0.0, expected], "{body}");
    }
}

#[test]
fn an_element_may_be_owned_in_a_loop_of_one_trip() {
    let single = "#[kernel] fn k(y: &mut [f64]) { let i = tid();
        for k in 0..1 { let c = i + k; y[c] = y[i + k] * y[i + k]; } }";
    assert_eq!(gradient(single, &[3.0], 0), [6.0]);
}

/// A guard is a part of a product: branches would keep loops from becoming vectors.
#[test]
fn guards_are_no_branches() {
    let params = "t: &[f32; dim(0)], x: &[vec3; dim(0)], y: &mut [f32; dim(0)], z: &mut [vec3; dim(0)],";
    for body in [
        "let r.1: f32 = sqrt(t[i.0]); let q.2: f32 = 1.0f32 / r.1; y[i.0] = q.2 * r.1;",
        "let mut r.1: f32 = sqrt(t[i.0]); r.1 = 1.0f32 / r.1; r.1 += exp(r.1) + powi(r.1, 3i32); y[i.0] = r.1;",
        "let mut s.1: f32 = 0.0f32; for k.2: usize in (0usize..t.extent(0)) { s.1 += sqrt(t[k.2]); } y[i.0] = s.1;",
        "let l.1: f32 = length(x[i.0]); let n.2: vec3 = x[i.0] / l.1; y[i.0] = n.2.x + n.2.y * n.2.z; z[i.0] = n.2;",
        "let mut r.1: f32; if t[i.0] > 1.0f32 { r.1 = sqrt(t[i.0]); } else { r.1 = 1.0f32 / t[i.0]; } y[i.0] = r.1;",
        "if t[i.0] > 1.0f32 { y[i.0] = sqrt(t[i.0]); } else { y[i.0] = 1.0f32 / t[i.0]; }",
        "z[i.0].x = sqrt(t[i.0]); z[i.0].y = 1.0f32 / t[i.0]; z[i.0].z = t[i.0];",
        "z[i.0] = normalize_or_zero(z[i.0]); y[i.0] = t[i.0] * t[i.0];",
        "let mut q.1: vec3 = x[i.0] * t[i.0]; for k.2: i32 in (0i32..40i32) { q.1 = normalize(q.1); } z[i.0] = q.1;",
    ] {
        let text = adjoint(params, &format!("let i.0: usize = tid(0); {body}"));
        assert!(text.contains("adj_t") && !text.contains("!= 0.0"), "{body}\n{text}");
    }
}

/// A rotation and a matrix mix the components of a vector: each gets a part of each.
#[test]
fn what_mixes_components_is_not_asked_by_component() {
    // A third of a turn about (1, 1, 1) takes z to x; the root makes it one that may be infinite.
    let turn = "#[kernel] fn k(x: &[DVec3], y: &mut [f64]) { let i = tid();
        y[i] = (DQuat::from_xyzw(0.5, 0.5, 0.5, 0.5).normalize() * x[i]).x; }";
    let near = |found: Vec<f64>, wanted: [f64; 3]| found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near(gradient(turn, &[1.0, 2.0, 3.0], 0), [0.0, 0.0, 1.0]));
    let matrix = "#[kernel] fn k(x: &[DVec3], t: &[i32], y: &mut [f64]) { let i = tid(); let r = (t[i] as f64).sqrt();
        y[i] = (DMat3::from_cols(DVec3::splat(r), DVec3::splat(2.0 * r), DVec3::splat(3.0 * r)) * x[i]).x; }";
    assert!(near(gradient(matrix, &[1.0, 2.0, 3.0], 4), [2.0, 4.0, 6.0]));
}
