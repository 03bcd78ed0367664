//! Tolerances of small launches.

use super::slack::rounded_up;
use super::{tolerances, tolerances_when_reassociated};
use crate::data::{Arg, Data};
use crate::interp::number::Number;
use crate::interp::run;
use crate::interp::run::{TRIPS, run_on};
use crate::interp::tid::row_major;
use crate::ir::Type;
use crate::text::parse;
use crate::verify::{VerifiedKernel, verify};

/// The tolerances of `y` after one thread that computes `body` of `x`.
fn of(x: f32, body: &str) -> Result<f32, String> {
    measured(x, body, |kernel, before, after| tolerances(kernel, &[1], before, after, || row_major(&[1]).collect()))
}

/// The tolerances of a kernel text by another author.
fn of_rewrites(x: f32, body: &str) -> Result<f32, String> {
    measured(x, body, |kernel, before, after| tolerances_when_reassociated(kernel, &[1], before, after))
}

fn measured(
    x: f32,
    body: &str,
    measure: impl Fn(&VerifiedKernel, &[Arg], &[Arg]) -> Result<Vec<Arg>, String>,
) -> Result<f32, String> {
    let text = format!("#[kernel(family = \"f\", dim = 1)]\nfn k(x: f32, n: i32, y: &mut [f32; 1],) {{\n{body}\n}}\n");
    let kernel = verify(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    let arg = |data: Data, shape: &[usize]| Arg { ty: Type::of(data.scalar()), shape: shape.to_vec(), data };
    let before = [arg(Data::F32(vec![x]), &[]), arg(Data::I32(vec![3]), &[]), arg(Data::F32(vec![0.0]), &[1])];
    let mut after = before.clone();
    run(&kernel, &[1], &mut after).unwrap();
    let found = measure(&kernel, &before, &after)?;
    let Data::F32(y) = &found[2].data else { panic!("`y` is of floats") };
    Ok(y[0])
}

#[test]
fn exact_results_are_allowed_nothing() {
    assert_eq!(of(0.3, "y[0usize] = sqrt(x * x + 1f32);"), Ok(0.0));
    // The function does not reach the result, or is exact there.
    assert_eq!(of(0.3, "if sin(x) < 0.9f32 { y[0usize] = x; }"), Ok(0.0));
    assert_eq!(of(0.0, "y[0usize] = cos(x) + exp(x);"), Ok(0.0));
}

#[test]
fn what_is_written_otherwise_may_round_otherwise() {
    let ulp = f64::from(f32::EPSILON);
    let product = |text: &str| f64::from(of_rewrites(0.3, &format!("y[0usize] = {text};")).unwrap());
    // What one of the two forms gives may be a unit in the last place off, and must be allowed; little more may be.
    for (text, largest) in [
        ("x * 0.7f32 * 1.3f32", 1.0),
        ("x / 3f32", 1.0),
        ("sqrt(x)", 1.0),
        ("x + 0.7f32", 1.0),
        ("x * 0.7f32 - 5f32", 5.0),
    ] {
        assert_eq!(of(0.3, &format!("y[0usize] = {text};")), Ok(0.0), "{text}");
        assert!((ulp * 0.3..ulp * 8.0 * largest).contains(&product(text)), "{text}: {}", product(text));
    }
    // Nobody rounds these.
    for text in ["x * 2f32", "x / 4f32", "x - x", "n as f32 * 0.5f32 + 7f32", "(n as f32 + 1f32) / 2f32"] {
        assert_eq!(product(text), 0.0, "{text}");
    }
    // The terms of a sum may be taken in another order: what is lost then is of the terms.
    let terms = product("(x - 0.31f32) + 0.011f32");
    assert!((0.3 * ulp..3.0 * ulp).contains(&terms), "{terms}");
    // An integer that depends on a rounding has no tolerance.
    assert!(of_rewrites(0.3, "y[0usize] = floor(x / 0.1f32);").is_err());
    // The marking models never come near enough; they end all the same.
    let halved = "let mut s.0: f32 = x; while s.0 - x * 0.5f32 > 0.0001f32 { s.0 = 0.5f32 * (s.0 + x * 0.5f32); } y[0usize] = s.0;";
    assert!(of_rewrites(0.3, halved).is_ok());
    assert_eq!(of_rewrites(0.3, "y[0usize] = floor(n as f32 / 2f32);"), Ok(0.0));
}

#[test]
fn perturbations_of_a_quotient_and_of_a_sum_do_not_cancel() {
    for x in (1..=5000).map(|n| n as f32 * 0.37) {
        let quotient = x / 7.0;
        if f64::from(quotient) * 7.0 == f64::from(x) {
            continue;
        }
        let unit = quotient.next_up() - quotient;
        // The slack of a unit in the last place is of the fraction, and does not hide what cancels before it.
        // Where it jumps, nothing is compared.
        let Ok(allowed) = of_rewrites(x, "y[0usize] = fract(0.0625f32 + x / 7f32);") else { continue };
        assert!(allowed >= unit, "{x}: {allowed} is allowed, and a unit in the last place is {unit}");
    }
}

#[test]
fn what_cancels_is_allowed_what_it_loses() {
    let one = of(0.3, "y[0usize] = exp(x);").unwrap();
    let ulp = f32::EPSILON;
    assert!((8.0 * ulp..40.0 * ulp).contains(&one), "{one}");
    let amplified = of(0.3, "y[0usize] = exp(x) - 1.3f32;").unwrap();
    assert!((0.5 * one..1.1 * one).contains(&amplified), "{amplified} {one}");
    // The same operand gives the same error. Nothing is left of it but the slack of two roundings.
    let slack = of(0.3, "y[0usize] = exp(x) - exp(x) + x;").unwrap();
    assert!((2.0 * 0.3 * ulp..2.1 * 0.3 * ulp).contains(&slack), "{slack}");
}

#[test]
fn what_hangs_on_last_digits_is_refused() {
    let third = Number::exp(0.3f32);
    for body in [
        format!("if exp(x) > {third:?}f32 {{ y[0usize] = 1f32; }}"),
        format!("y[0usize] = floor(exp(x) / {third:?}f32);"),
        format!("y[0usize] = exp(x) - {third:?}f32;"),
        format!("y[(exp(x) / {third:?}f32) as usize - 1usize] = 2f32;"),
    ] {
        assert!(of(0.3, &body).is_err(), "{body}");
    }
    // A branch that changes nothing does not matter.
    assert!(of(0.3, &format!("y[0usize] = exp(x); if exp(x) != {third:?}f32 {{ y[0usize] += 0f32; }}")).is_ok());
}

#[test]
fn of_two_zeros_either_may_be_the_result() {
    let tiny = f32::from_bits(1);
    assert_eq!(of(-0.0, "y[0usize] = max(x, 0f32);"), Ok(tiny));
    assert_eq!(of(0.0, "y[0usize] = min(x, -0f32);"), Ok(tiny));
    // Equal zeros, other numbers, and what does not show the sign.
    assert_eq!(of(0.0, "y[0usize] = max(x, 0f32);"), Ok(0.0));
    assert_eq!(of(0.5, "y[0usize] = max(x, 0f32);"), Ok(0.0));
    assert_eq!(of(-0.0, "y[0usize] = max(x, 0f32) + 1f32;"), Ok(0.0));
    // A branch on the sign has no tolerance.
    assert!(of(-0.0, "y[0usize] = 1f32 / max(x, 0f32);").is_err());
    assert!(of(-0.0, "y[0usize] = signum(max(x, 0f32));").is_err());
}

#[test]
fn sums_of_equal_terms_are_allowed_what_their_parts_round() {
    let text = "#[kernel(family = \"f\", dim = 1)]\nfn k(y: &mut [f32; 1],) {\natomic_add(y[0usize], 0.7f32);\n}\n";
    let kernel = verify(parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    let before = [Arg { ty: Type::F32, shape: vec![1], data: Data::F32(vec![0.7]) }];
    let mut after = before.clone();
    run(&kernel, &[1000], &mut after).unwrap();
    let found = tolerances(&kernel, &[1000], &before, &after, || row_major(&[1000]).collect()).unwrap();
    let Data::F32(y) = &found[0].data else { panic!("`y` is of floats") };
    assert!((1e-4..0.5).contains(&y[0]), "{y:?}");
}

/// The sum of `terms` and `first`, and what it may be off.
fn summed(first: f32, terms: &[f32]) -> (f32, Result<f32, String>) {
    let text = "#[kernel(family = \"f\", dim = 1)]
fn k(x: &[f32; dim(0)], y: &mut [f32; 1],) {
let i.0: usize = tid(0);
atomic_add(y[0usize], x[i.0]);
}
";
    let kernel = verify(parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    let arg = |data: &[f32]| Arg { ty: Type::F32, shape: vec![data.len()], data: Data::F32(data.to_vec()) };
    let value = |args: &[Arg]| if let Data::F32(y) = &args[1].data { y[0] } else { panic!("`y` is of floats") };
    let (dim, before) = ([terms.len()], [arg(terms), arg(&[first])]);
    let mut after = before.clone();
    run_on(None, &kernel, &dim, &mut after, TRIPS, row_major(&dim)).unwrap();
    let allowed = tolerances(&kernel, &dim, &before, &after, || row_major(&dim).collect());
    (value(&after), allowed.map(|allowed| value(&allowed)))
}

#[test]
fn sums_that_are_the_same_in_most_orders_are_allowed_what_others_give() {
    let mut terms = [
        0.5834397,
        -0.5063964,
        0.3097633,
        0.8353524,
        -0.75054646,
        -0.96243095,
        -0.39631486,
        0.037307978,
        0.32127333,
        0.12300742,
        0.5753441,
        0.38420773,
        0.5842265,
        -0.8825325,
        0.17449903,
        -0.614794,
        0.61628544,
        -0.39607704,
    ];
    let (sum, allowed) = summed(0.0, &terms);
    terms.sort_by(f32::total_cmp);
    let off = (summed(0.0, &terms).0 - sum).abs();
    assert!(off > 0.0 && (off..1e-5).contains(&allowed.unwrap()), "{off}");
    // Where every addition is exact, no order gives anything else: two units of 9 are allowed, and of the 10 that was there.
    assert_eq!(summed(0.0, &[0.5; 18]).1, Ok(2.2e-6));
    assert_eq!(summed(-10.0, &[0.5; 18]).1, Ok(4.6e-6));
    // Terms that are too small to change the sum one by one may change it together.
    assert!(summed(0.7, &[-3e-9; 9]).1.unwrap() > 0.0);
    // What cancels may leave something; a term that is missing is much more.
    assert_eq!(summed(0.0, &[1e6, -1e6, 1e6, -1e6]).1, Ok(0.96));
    // A term that is too small for what is there shows with others that are added first.
    assert_eq!(summed(0.7, &[1e-9]), (0.7, Ok(1.7e-7)));
    assert_eq!(summed(0.7, &[0.0]), (0.7, Ok(0.0)));
    // A difference that depends on the order of the terms has no tolerance.
    assert!(summed(0.0, &[0.1, 1e6, -1e6, 1e6, -1e6]).1.is_err());
}

/// A thread's own element is what it is, though it is added to atomically.
#[test]
fn only_sums_of_several_threads_are_allowed_another_order() {
    let text = "#[kernel(family = \"f\", dim = 1)]
fn k(x: &[f32; dim(0)], own: &mut [f32; dim(0)], sum: &mut [f32; 1],) {
let i.0: usize = tid(0);
atomic_add(own[i.0], x[i.0]);
atomic_add(sum[0usize], x[i.0]);
}
";
    let kernel = verify(parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    let arg = |data: Vec<f32>| Arg { ty: Type::F32, shape: vec![data.len()], data: Data::F32(data) };
    let before = [arg(vec![0.1, 0.7, -0.3]), arg(vec![1.0; 3]), arg(vec![0.0])];
    let mut after = before.clone();
    run(&kernel, &[3], &mut after).unwrap();
    let found = tolerances(&kernel, &[3], &before, &after, || row_major(&[3]).collect()).unwrap();
    assert_eq!(found[1].data, Data::F32(vec![0.0; 3]));
    assert_ne!(found[2].data, Data::F32(vec![0.0]));
}

/// One core runs the threads, which may write to one element of `y`; a GPU adds in any order all the same, also to elements
/// that several threads choose.
#[test]
fn sums_are_open_where_one_core_runs_the_threads() {
    let text = "#[kernel(family = \"f\", dim = 1)]
fn k(at: &[u32; dim(0)], x: &[f32; dim(0)], y: &mut [f32; dim(0)], sum: &mut [f32; 1], bins: &mut [f32; 2],) {
let i.0: usize = tid(0);
y[at[i.0] as usize] = x[i.0];
atomic_add(sum[0usize], x[i.0]);
atomic_add(bins[at[i.0] as usize / 2usize], x[i.0]);
}
";
    let kernel = verify(parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap();
    let arg = |data: Vec<f32>| Arg { ty: Type::F32, shape: vec![data.len()], data: Data::F32(data) };
    let at = Arg { ty: Type::U32, shape: vec![3], data: Data::U32(vec![1, 0, 2]) };
    let before = [at, arg(vec![0.1, 0.7, -0.3]), arg(vec![1.0; 3]), arg(vec![0.2]), arg(vec![0.2, 0.0])];
    let mut after = before.clone();
    run(&kernel, &[3], &mut after).unwrap();
    let found = tolerances(&kernel, &[3], &before, &after, || row_major(&[3]).collect()).unwrap();
    assert_eq!(found[2].data, Data::F32(vec![0.0; 3]));
    assert_ne!(found[3].data, Data::F32(vec![0.0]));
    let Data::F32(bins) = &found[4].data else { panic!("`bins` is of floats") };
    assert!(bins.iter().all(|bin| *bin > 0.0), "{bins:?}");
}

/// A large number absorbs the error of a function in most machines, and not in all.
#[test]
fn what_no_machine_shows_is_marked() {
    let absorbed = of(0.3, "y[0usize] = (x + exp(x) * 1e-9f32) - 0.1f32;").unwrap();
    assert!(absorbed > 0.0);
    // A branch that an inexact number chooses gives exact ones.
    let body = "if exp(x) > 1.3505f32 || exp(x) < 1.349f32 { y[0usize] = 1e30f32; } else { y[0usize] = 1f32; }";
    assert_eq!(of(0.3, body), Ok(0.0));
}

/// Libraries round `cosh` correctly or to a neighbour. Where terms cancel, what is left depends on that and on the
/// roundings behind it. One draw of roundings allowed too little.
#[test]
fn what_cancels_is_allowed_what_roundings_leave_of_it() {
    const ELEMENTS: usize = 2000;
    let kernel_of = |cosh: fn(usize) -> String| {
        let sum = (0..5).map(cosh).collect::<Vec<_>>().join(" + ");
        let text = format!(
            "#[kernel(family = \"f\", dim = 1)]
fn k(x: &[f32; dim(0), 5], m: &[f32; dim(0), 5], y: &mut [f32; dim(0)],) {{
let i.0: usize = tid(0);
let s.1: f32 = {sum};
y[i.0] = m[i.0, 0usize] + s.1 * m[i.0, 1usize] * m[i.0, 2usize] + s.1 * m[i.0, 3usize] * m[i.0, 4usize];
}}
"
        );
        verify(parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap()
    };
    let of_functions = kernel_of(|place| format!("cosh(x[i.0, {place}usize])"));
    // A library's functions are inputs of this kernel.
    let of_values = kernel_of(|place| format!("x[i.0, {place}usize]"));
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 24) as f32
    };
    let x: Vec<f32> = (0..ELEMENTS * 5).map(|_| random() - 0.5).collect();
    let m: Vec<f32> = (0..ELEMENTS * 5).map(|_| 2.0 * random() - 1.0).collect();
    let arg =
        |data: &[f32], shape: &[usize]| Arg { ty: Type::F32, shape: shape.to_vec(), data: Data::F32(data.to_vec()) };
    let launch = |kernel: &VerifiedKernel, x: &[f32]| {
        let (rows, shape) = ([ELEMENTS, 5], [ELEMENTS]);
        let before = [arg(x, &rows), arg(&m, &rows), arg(&[0.0; ELEMENTS], &shape)];
        let mut after = before.clone();
        run(kernel, &shape, &mut after).unwrap();
        (before, after)
    };
    let y = |args: &[Arg]| args[2].data.singles().unwrap().clone();

    let (before, after) = launch(&of_functions, &x);
    let threads = || row_major(&[ELEMENTS]).collect();
    let allowed = y(&tolerances(&of_functions, &[ELEMENTS], &before, &after, threads).unwrap());
    for library in 0..10 {
        let mut cosh = |x: &f32| {
            let value = Number::cosh(*x);
            match (4.0 * random()) as u32 {
                0 => value.next_down(),
                1 => value.next_up(),
                _ => value,
            }
        };
        let there = y(&launch(&of_values, &x.iter().map(&mut cosh).collect::<Vec<_>>()).1);
        for (place, (here, there)) in y(&after).iter().zip(&there).enumerate() {
            let (off, allowed) = ((here - there).abs(), allowed[place]);
            assert!(off <= allowed, "library {library}, element {place}: {off} off, and {allowed} is allowed");
        }
    }
}

/// e⁻⁹² is many times the smallest number, and may be one more of these elsewhere.
#[test]
fn the_unit_of_a_subnormal_number_is_the_smallest_one() {
    let smallest = f32::from_bits(1);
    assert!(of(-92.0, "y[0usize] = exp(x) * 20f32;").unwrap() >= 20.0 * smallest);
    assert!(of(-92.0, "y[0usize] = exp(x) * 20f32 - exp(x) * 10f32;").unwrap() >= 10.0 * smallest);
}

#[test]
fn tolerances_have_two_digits() {
    assert_eq!([0.0, 1.0, 0.12345, 9.99e-7].map(rounded_up), [0.0, 1.0, 0.13, 1e-6]);
    assert_eq!(rounded_up(f64::from_bits(3)), f64::from_bits(3));
}
