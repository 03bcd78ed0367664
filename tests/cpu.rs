//! Launches on several cores. The results must be those of the interpreter, bit for bit, for any number of cores.

use kernel_ir::adjoint;
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp::{self, Fault};
use kernel_ir::ir::{ParamId, Scalar, Type};
use kernel_rt::prelude::*;
use kernel_rt::{KernelInfo, LaunchError, registered_kernels};
use std::collections::BTreeMap;
use tests::{as_data, report};

/// A gradient that is one sum over all threads.
#[kernel(family = "cpu")]
fn scale(a: f32, x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = a * x[i];
}

/// A gradient that many threads add to at many elements, much work for each.
#[kernel(family = "cpu")]
fn blend(x: &[f32], #[shape(64)] weight: &[f32], y: &mut [f32]) {
    let i = tid();
    let mut sum = 0.0;
    for k in 0..weight.len() {
        sum += weight[k] * (x[i] + 0.1 * k as f32);
    }
    y[i] = sum;
}

/// Integers under atomic operations.
#[kernel(family = "cpu")]
fn count(x: &[u32], #[shape(8)] counts: &mut [u32], #[shape(1)] largest: &mut [u32]) {
    let i = tid();
    atomic_add(&mut counts[(x[i] % 8) as usize], 1);
    atomic_max(&mut largest[0], x[i]);
}

/// Vectors of integers under atomic operations, whole and by component, and bits.
#[kernel(family = "cpu")]
fn tally(x: &[u32], #[shape(8)] tallies: &mut [UVec3], #[shape(4)] seen: &mut [u32], #[shape(1)] parity: &mut [u32]) {
    let i = tid();
    let k = (x[i] % 8) as usize;
    atomic_add(&mut tallies[k], UVec3::new(1, x[i] % 3, 0));
    atomic_add(&mut tallies[k].z, 1);
    atomic_add(&mut tallies[k][i % 3], 2);
    atomic_or(&mut seen[k / 2], 1 << (x[i] % 32));
    atomic_xor(&mut parity[0], x[i]);
}

/// Numbers of every type that threads exchange: each element gets the value of its own thread, and every second one another.
#[kernel(family = "cpu", no_grad)]
fn exchanges(
    x: &[f32],
    a: &mut [f32],
    b: &mut [f64],
    c: &mut [i32],
    d: &mut [u32],
    #[domain(0..2)] e: &mut [i64],
    #[domain(0..2)] f: &mut [u64],
    olds: &mut [f64],
) {
    let i = tid();
    let mut sum = atomic_exch(&mut a[i], x[i]) as f64;
    sum += atomic_exch(&mut b[i], x[i] as f64);
    sum += atomic_exch(&mut c[i], i as i32) as f64;
    let before = d[i];
    sum += atomic_exch(&mut d[i], i as u32) as f64;
    sum += atomic_exch(&mut e[i], -(i as i64)) as f64;
    sum += atomic_exch(&mut f[i], i as u64) as f64;
    sum += atomic_cas(&mut c[i], 2, -1) as f64;
    sum += atomic_cas(&mut d[i], before.wrapping_add(1), 7) as f64;
    let new = if i % 2 == 0 { -1 } else { 1 << 40 };
    sum += atomic_cas(&mut e[i], 1 - i as i64 - 1, new) as f64;
    atomic_cas(&mut f[i], i as u64, 1 << 40);
    olds[i] = sum;
}

/// Several threads exchange the same element. The first one of each element counts, and the last one leaves what all leave.
#[kernel(family = "cpu", no_grad)]
fn claims(#[shape(3)] kept: &mut [f32], #[shape(3)] claimed: &mut [i64], #[shape(1)] firsts: &mut [u32]) {
    let i = tid();
    atomic_exch(&mut kept[i % 3], 5.0);
    if atomic_cas(&mut claimed[i % 3], 0, 1) == 0 {
        atomic_add(&mut firsts[0], 1);
    }
}

/// Vectors of floats under atomic sums, whole and by component.
#[kernel(family = "cpu")]
fn pushes(strength: f32, at: &[Vec3], #[shape(6)] total: &mut [Vec3], #[shape(1)] moments: &mut [Mat3]) {
    let i = tid();
    let push = at[i] * strength;
    atomic_add(&mut total[i * 7 % 6], push);
    atomic_sub(&mut total[i % 6].y, push.x * push.x);
    atomic_add(&mut moments[0], Mat3::from_cols(push * push.x, push * push.y, push * push.z));
}

/// Every thread adds a vector to all elements.
#[kernel(family = "cpu")]
fn shares(at: &[Vec3], total: &mut [Vec3]) {
    let i = tid();
    let mine = at[i];
    for k in 0..total.len() {
        atomic_add(&mut total[k], mine * (0.1 * k as f32));
    }
}

/// Every thread adds a vector to all elements, and to one of their components once more.
#[kernel(family = "cpu")]
fn shares_and_lifts(at: &[Vec3], total: &mut [Vec3]) {
    let i = tid();
    let mine = at[i];
    for k in 0..total.len() {
        atomic_add(&mut total[k], mine * (0.1 * k as f32));
        atomic_sub(&mut total[k].y, mine.x * mine.z);
    }
}

/// The largest of many values, of which many tie, times a number.
#[kernel(family = "cpu")]
fn peaks(a: f32, x: &[f32], #[shape(5)] peaks: &mut [f32]) {
    let i = tid();
    atomic_max(&mut peaks[i * 7 % 5], a * x[i]);
}

/// Rows of a matrix, with an element for each thread.
#[kernel(family = "cpu")]
fn outer(#[shape(dim0)] x: &[f32], #[shape(dim1)] y: &[f32], out: &mut Array2<f32>) {
    let (i, j) = tid2();
    out[[i, j]] = x[i] * y[j];
}

/// C = A·B, scaled: gradients that threads of one row or one column add to, in step.
#[kernel(family = "cpu")]
fn product(scale: f32, #[shape(dim0, 20)] a: &Array2<f32>, #[shape(20, dim1)] b: &Array2<f32>, c: &mut Array2<f32>) {
    let (i, j) = tid2();
    let mut sum = 0.0;
    for k in 0..a.shape()[1] {
        sum += a[[i, k]] * b[[k, j]];
    }
    c[[i, j]] = scale * sum.sin();
}

/// The line of the sum, which an error message names.
const PULL: u32 = line!() + 11;

/// The pull of all bodies on each.
#[kernel(family = "cpu")]
fn pull(#[domain(0.1..1.0)] softening: f32, at: &[Vec3], mass: &[f32], pulls: &mut [Vec3]) {
    let i = tid();
    let here = at[i];
    let mut sum = Vec3::ZERO;
    for j in 0..at.len() {
        let d = at[j] - here;
        let r2 = d.dot(d) + softening;
        sum += d * (mass[j] / (r2 * r2.sqrt()));
    }
    pulls[i] = sum;
}

/// Every thread adds to all elements, then to its own, to all again, and to one.
#[kernel(family = "cpu")]
fn votes(x: &[f32], votes: &mut [f32]) {
    let i = tid();
    let mine = x[i];
    for k in 0..votes.len() {
        atomic_add(&mut votes[k], mine * x[k]);
    }
    atomic_add(&mut votes[i], 1.0 + mine);
    for k in 0..x.len() {
        atomic_sub(&mut votes[k], 0.3 * x[k] - mine);
    }
    atomic_add(&mut votes[0], mine);
}

/// Each point turned by a matrix of the thread, in two loops: gradients of points add up in all parts of the adjoint.
#[kernel(family = "cpu")]
fn turned(at: &[Vec3], out: &mut [f32]) {
    let i = tid();
    let here = at[i];
    let turn = Mat3::from_cols(here, at[0], 2.0 * here);
    let mut sum = 0.0;
    for k in 0..at.len() {
        let moved = turn * at[k];
        sum += moved.dot(here);
    }
    let mut squares = sum * sum;
    for k in 0..at.len() {
        squares += sum * at[k].dot(here);
    }
    out[i] = squares;
}

fn info(name: &str) -> &'static KernelInfo {
    let found = registered_kernels().into_iter().find(|info| info.family == "cpu" && info.name == name);
    found.unwrap_or_else(|| panic!("`{name}` is registered"))
}

fn floats(shape: &[usize]) -> Arg {
    let len = shape.iter().product();
    let data = (0..len).map(|i: usize| ((i * 2_654_435_761) % 1009) as f32 * 1e-3 - 0.4).collect();
    Arg { ty: Type::F32, shape: shape.to_vec(), data: Data::F32(data) }
}

/// The same for elements that consist of floats.
fn of_floats(ty: Type, shape: &[usize]) -> Arg {
    let len: usize = shape.iter().product();
    Arg { ty, shape: shape.to_vec(), ..floats(&[len * ty.components()]) }
}

fn integers(len: usize) -> Arg {
    let data = (0..len).map(|i| ((i * 2_654_435_761) % 100_003) as u32).collect();
    Arg { ty: Type::U32, shape: vec![len], data: Data::U32(data) }
}

/// The results of `run` in pools of 1, 2 and 3 cores.
fn on_cores<T>(run: impl Fn() -> T + Sync) -> Vec<T>
where
    T: Send,
{
    let pool = |cores| rayon::ThreadPoolBuilder::new().num_threads(cores).build().expect("the cores are there");
    [1, 2, 3].map(|cores| pool(cores).install(&run)).into()
}

fn check_forward(name: &str, dim: &[usize], args: &[Arg]) {
    let info = info(name);
    let mut expected = args.to_vec();
    interp::run_over_std(&as_data(info), dim, &mut expected).unwrap();
    for found in on_cores(|| {
        let mut args = args.to_vec();
        (info.cpu)(dim, &mut args).map(|()| args)
    }) {
        assert!(found.unwrap() == expected, "{name} {dim:?}");
    }
}

fn check_backward(name: &str, dim: &[usize], args: &[Arg]) {
    let info = info(name);
    let backward = info.backward.as_ref().expect("it has a gradient");
    let kernel = as_data(info);
    let adjoint = adjoint::backward(&kernel).unwrap();
    let mut after = args.to_vec();
    interp::run_over_std(&kernel, dim, &mut after).unwrap();
    let weights = |id: ParamId| {
        let arg = &args[id.0 as usize];
        (kernel.param(id).rank() > 0).then(|| of_floats(arg.ty, &arg.shape))
    };
    let mut args = adjoint::arguments(&kernel, backward.sources, args, &after, weights);
    adjoint::launch(backward.sources, &mut args, |args| {
        let before = args.to_vec();
        interp::run_over_std(&adjoint.kernel, dim, args)?;
        for found in on_cores(|| {
            let mut args = before.clone();
            (backward.cpu)(dim, &mut args).map(|()| args)
        }) {
            assert!(found.unwrap() == args, "{name} {dim:?}");
        }
        Ok::<_, Fault>(())
    })
    .unwrap();
}

fn value(value: f32) -> Arg {
    Arg { ty: Type::F32, shape: Vec::new(), data: Data::F32(vec![value]) }
}

#[test]
fn elements_of_their_own() {
    for n in [1, 1000, 300_000] {
        check_forward("scale", &[n], &[value(1.5), floats(&[n]), floats(&[n])]);
    }
    check_forward("outer", &[700, 901], &[floats(&[700]), floats(&[901]), floats(&[700, 901])]);
}

#[test]
fn sums_over_all_threads() {
    for n in [1, 63, 64, 65, 8192, 20_000, 300_000] {
        check_backward("scale", &[n], &[value(1.5), floats(&[n]), floats(&[n])]);
    }
}

#[test]
fn sums_in_copies() {
    for n in [1, 100, 5000, 20_000] {
        check_backward("blend", &[n], &[floats(&[n]), floats(&[64]), floats(&[n])]);
    }
    check_backward("outer", &[700, 301], &[floats(&[700]), floats(&[301]), floats(&[700, 301])]);
}

#[test]
fn loops_in_step() {
    for [n, m] in [[1, 1], [3, 63], [70, 130], [200, 64], [128, 257]] {
        let args = [value(1.5), floats(&[n, 20]), floats(&[20, m]), floats(&[n, m])];
        check_forward("product", &[n, m], &args);
        check_backward("product", &[n, m], &args);
    }
    for n in [1, 63, 64, 65, 500] {
        let points = |n| of_floats(Vec3::ir_type(), &[n]);
        check_forward("pull", &[n], &[value(0.01), points(n), floats(&[n]), points(n)]);
        check_backward("pull", &[n], &[value(0.01), points(n), floats(&[n]), points(n)]);
    }
    let own = |name| {
        format!("all cores; each thread has its own elements of `{name}`; groups of threads run loops in lockstep")
    };
    assert_eq!((info("product").execution, info("pull").execution), (&*own("c"), &*own("pulls")));
    let backward = info("product").backward.as_ref().expect("it has a gradient");
    assert_eq!(
        backward.execution,
        "all cores; each thread has its own elements of `adj_c`; chunks of threads sum up `adj_scale`; chunks of threads \
         add to copies, where that pays, of `adj_a`, `adj_b`; groups of threads run loops in lockstep"
    );
}

/// Whole groups of threads and single threads beside them, in chunks with copies of the arrays and on the arrays
/// themselves.
#[test]
fn parts_that_add_to_the_same_elements() {
    for n in [1, 63, 64, 65, 200, 500] {
        check_forward("votes", &[n], &[floats(&[n]), floats(&[n])]);
        let points = of_floats(Vec3::ir_type(), &[n]);
        check_forward("turned", &[n], &[points.clone(), floats(&[n])]);
        check_backward("turned", &[n], &[points, floats(&[n])]);
    }
    // The launch has fewer threads than elements, so copies of the array are not worth their cost.
    check_forward("votes", &[130], &[floats(&[4000]), floats(&[4000])]);
    let in_step = |how: &str| how.ends_with("; groups of threads run loops in lockstep");
    assert!(in_step(info("votes").execution), "{}", info("votes").execution);
    for name in ["pull", "turned"] {
        let backward = info(name).backward.as_ref().expect("it has a gradient");
        assert!(in_step(backward.execution), "{}", backward.execution);
    }
}

#[test]
fn integers_that_commute() {
    let zeros = |len| Arg::zeros(Type::U32, &[len]);
    check_forward("count", &[300_000], &[integers(300_000), zeros(8), zeros(1)]);
    assert!(info("tally").execution.starts_with("all cores"), "{}", info("tally").execution);
    let tallies = Arg::zeros(Type::vector(Scalar::U32, 3), &[8]);
    check_forward("tally", &[300_000], &[integers(300_000), tallies, zeros(4), zeros(1)]);
}

#[test]
fn vectors_that_threads_add_to() {
    let vectors = |len: usize| of_floats(Type::vector(Scalar::F32, 3), &[len]);
    assert!(info("pushes").execution.starts_with("all cores"), "{}", info("pushes").execution);
    for n in [1, 64, 500, 100_000] {
        let args = [value(0.3), vectors(n), vectors(6), of_floats(Type::matrix(Scalar::F32, 3, 3), &[1])];
        check_forward("pushes", &[n], &args);
        check_backward("pushes", &[n], &args);
    }
    for n in [1, 63, 64, 200, 500] {
        for name in ["shares", "shares_and_lifts"] {
            check_forward(name, &[n], &[vectors(n), vectors(n)]);
            check_backward(name, &[n], &[vectors(n), vectors(n)]);
        }
    }
    // In step, all threads would add to an element as a whole before the first one adds to its component.
    let in_step = |name| info(name).execution.ends_with("; groups of threads run loops in lockstep");
    assert!(in_step("shares") && !in_step("shares_and_lifts"));
}

/// The threads of one launch count winners; those of the next one read the counts.
#[test]
fn winners_that_share() {
    for n in [1, 64, 500, 300_000] {
        check_forward("peaks", &[n], &[value(0.7), floats(&[n]), floats(&[5])]);
        check_backward("peaks", &[n], &[value(0.7), floats(&[n]), floats(&[5])]);
    }
    let backward = info("peaks").backward.as_ref().expect("it has a gradient");
    assert_eq!(
        backward.execution,
        "all cores; each thread has its own elements of `adj_x`; launches on one core update `peaks_winners`; chunks of \
         threads sum up `adj_a`"
    );
}

#[test]
fn the_first_thread_that_fails_is_told() {
    let n = 400_000;
    for cut in [399_999, 250_001, 3] {
        let x = vec![1.0; n];
        for error in on_cores(|| scale::cpu(n, 2.0, &x, &mut vec![0.0; cut]).unwrap_err()) {
            let LaunchError::Failed { thread, message, .. } = error else { panic!("{error}") };
            assert_eq!(thread, [cut]);
            assert_eq!(message, format!("index out of bounds: the len is {cut} but the index is {cut}"));
        }
    }
}

#[test]
fn a_loop_in_step_tells_the_first_thread_too() {
    // Every thread runs past the end of `mass`. The first one must be reported.
    let (at, mass) = (vec![Vec3::ONE; 200], vec![1.0; 150]);
    for error in on_cores(|| pull::cpu(200, 0.1, &at, &mass, &mut vec![Vec3::ZERO; 200]).unwrap_err()) {
        let expected = format!(
            "kernel `pull`, thread [0], array `mass`: index out of bounds: the len is 150 but the index is 150 ({}:{PULL}:21)",
            file!()
        );
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_kernel_says_how_it_runs() {
    assert_eq!(info("scale").execution, "all cores; each thread has its own elements of `y`");
    assert_eq!(info("count").execution, "all cores; atomic updates commute in `counts`, `largest`");
    let backward = |name| info(name).backward.as_ref().map_or("", |backward| backward.execution);
    assert_eq!(
        backward("scale"),
        "all cores; each thread has its own elements of `adj_x`, `adj_y`; chunks of threads sum up `adj_a`"
    );
    assert_eq!(
        backward("blend"),
        "all cores; each thread has its own elements of `adj_x`, `adj_y`; chunks of threads add to copies, where that \
         pays, of `adj_weight`; groups of threads run loops in lockstep"
    );
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    for info in registered_kernels() {
        *ways.entry(info.execution.split([',', ';']).next().unwrap_or("")).or_default() += 1;
    }
    report(&format!("registered kernels run on: {ways:?}"));
    assert!(ways["all cores"] > ways.get("one core").copied().unwrap_or(0));
}
