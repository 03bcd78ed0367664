//! The functions of floats: near std everywhere, and the same bits on every machine.

use super::Std;
use super::number::Number;
use expect_test::expect_file;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A function of two numbers, or of the first of them.
type Function<N> = fn(N, N) -> N;

macro_rules! functions {
    ($number:ty: $($unary:ident)*; $($binary:ident)*;) => {
        vec![
            $((stringify!($unary), (|a: $number, _: $number| Number::$unary(a)) as Function<$number>),)*
            $((stringify!($binary), |a: $number, b: $number| Number::$binary(a, b)),)*
            ("powi", |a: $number, b: $number| Number::powi(a, (b.value() % 40.0) as i32)),
        ]
    };
    ($number:ty) => {
        functions!($number: cbrt exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan sinh cosh tanh;
            powf hypot atan2;)
    };
}

const SPECIAL: [f64; 8] = [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.5];

/// Numbers of all magnitudes that matter: most from -1 to 1 or from -100 to 100, some anywhere, some special.
fn draw(rng: &mut ChaCha8Rng) -> f64 {
    let unit = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0;
    match rng.next_u32() % 64 {
        0 => SPECIAL[rng.next_u32() as usize % SPECIAL.len()],
        1..8 => f64::from(f32::from_bits(rng.next_u32())),
        8..16 => f64::from_bits(rng.next_u64()),
        16..40 => unit,
        _ => 100.0 * unit,
    }
}

/// The bits of a number; every NaN counts as one.
fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

/// A hash over the bits of a million results of each function.
fn hashes<N: Number>(functions: &[(&str, Function<N>)], of: &str) -> String {
    let mut rng = ChaCha8Rng::seed_from_u64(23);
    let pairs: Vec<(N, N)> =
        (0..1_000_000).map(|_| (N::constant(draw(&mut rng)), N::constant(draw(&mut rng)))).collect();
    let mut lines = String::new();
    for (name, function) in functions {
        let hash = pairs.iter().fold(0u64, |hash, &(a, b)| {
            (hash.rotate_left(5) ^ bits(function(a, b).value())).wrapping_mul(0x517c_c1b7_2722_0a95)
        });
        writeln!(lines, "{of} {name} {hash:016x}").unwrap();
    }
    lines
}

#[test]
fn a_million_results_of_each_function_are_the_same_on_every_machine() {
    let found = hashes(&functions!(f32), "f32") + &hashes(&functions!(f64), "f64");
    expect_file!["number_hashes.txt"].assert_eq(&found);
}

/// How many numbers of the type lie between `a` and `b`.
fn distance(a: f64, b: f64, epsilon: f64, smallest: f64) -> f64 {
    match a == b || a.is_nan() && b.is_nan() {
        true => 0.0,
        // NaN, or an infinity where the other number is none or has another sign.
        false if !(a.is_finite() && b.is_finite()) => f64::INFINITY,
        false => (a - b).abs() / (a.abs().max(b.abs()) * epsilon).max(smallest),
    }
}

#[test]
fn portable_functions_are_within_two_units_of_those_of_std() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (single, single_std) = (functions!(f32), functions!(Std<f32>));
    let (double, double_std) = (functions!(f64), functions!(Std<f64>));
    let mut far = BTreeMap::new();
    let special = SPECIAL.into_iter().chain([-2.0, 2.0, -3.0, 3.0, -2.5, 1e20, -1e20]);
    let special = special.clone().flat_map(|a| special.clone().map(move |b| (a, b)));
    let drawn = (0..20_000).map(|_| (draw(&mut rng), draw(&mut rng)));
    for (a, b) in special.chain(drawn) {
        for ((name, portable), (_, of_std)) in single.iter().zip(&single_std) {
            let (a, b) = (a as f32, b as f32);
            let (found, expected) = (portable(a, b), of_std(Std(a), Std(b)).0);
            let apart = distance(found.into(), expected.into(), f32::EPSILON.into(), f32::from_bits(1).into());
            if apart > 2.0 {
                far.entry(format!("f32 {name}"))
                    .or_insert(format!("({a:?}, {b:?}): {found:?}, and by std {expected:?}"));
            }
        }
        for ((name, portable), (_, of_std)) in double.iter().zip(&double_std) {
            let (found, expected) = (portable(a, b), of_std(Std(a), Std(b)).0);
            let apart = distance(found, expected, f64::EPSILON, f64::from_bits(1));
            if apart > 2.0 {
                far.entry(format!("f64 {name}"))
                    .or_insert(format!("({a:?}, {b:?}): {found:?}, and by std {expected:?}"));
            }
        }
    }
    assert!(far.is_empty(), "{far:#?}");
}
