//! The functions of floats that the text has of its own, on an adapter, over the whole range of their arguments.

use super::parity::opened;
use crate::judges::assert_all_pass;
use gen_dataset::judges::vulkan::Counts;
use gen_dataset::judges::{Case, Launch};
use kernel_ir::back::wgsl;
use kernel_ir::data::{Arg, Data};
use kernel_ir::interp;
use kernel_ir::ir::{Op, Scalar, Type};
use kernel_ir::ops::{Syntax, TABLE};
use kernel_ir::text;
use kernel_ir::verify::verify;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tests::report;

/// The number of arguments of each function.
const COUNT: usize = 2048;

#[test]
fn functions_are_accurate_over_their_whole_range() {
    let Some(mut judge) = opened() else { return };
    let cases: Vec<Case> = [Scalar::F32, Scalar::F64].into_iter().flat_map(functions).collect();
    assert_all_pass(&mut judge, &cases);
    let Counts { launches, rounded, undecided, .. } = judge.counts();
    report(&format!("{} functions in WGSL, {launches} launches of {COUNT} arguments", cases.len()));
    assert!(cases.len() > 50 && rounded == 0 && undecided == 0, "{} {rounded} {undecided}", cases.len());
}

/// A kernel for each function of one or two floats, with arguments of every size.
fn functions(scalar: Scalar) -> Vec<Case> {
    let ty = Type::of(scalar);
    let mut cases = Vec::new();
    for def in &TABLE {
        if matches!(def.rust, Syntax::Infix(_) | Syntax::Prefix(_)) {
            continue;
        }
        for (count, args) in [(1, "x[i.0]"), (2, "x[i.0], y[i.0]")] {
            if def.op.row(&vec![ty; count], ty).is_none() {
                continue;
            }
            let name = scalar.name();
            let source = format!(
                "#[kernel(family = \"f\", dim = 1)]\nfn k(x: &[{name}; dim(0)], y: &[{name}; dim(0)], out: &mut [{name}; dim(0)],) \
                 {{\n    let i.0: usize = tid(0);\n    out[i.0] = {}({args});\n}}\n",
                def.name
            );
            let kernel = text::parse(&source).unwrap_or_else(|error| panic!("{error}\n{source}"));
            let kernel = verify(kernel).unwrap_or_else(|mistakes| panic!("{mistakes:?}\n{source}"));
            let shader = wgsl::write(&kernel).unwrap_or_else(|why| panic!("{}: WGSL has no {why}", def.name));
            let launch = |most: f64| {
                let before = [arguments(scalar, 1, most), arguments(scalar, 2, most), vec![0.0; COUNT]];
                let before: Vec<Arg> = before.map(|values| array(scalar, values)).into();
                let mut after = before.clone();
                interp::run(&kernel, &[COUNT], &mut after).unwrap_or_else(|fault| panic!("{}: {fault:?}", def.name));
                Launch { dim: vec![COUNT], before, after }
            };
            let launches = limits(def.op, scalar).iter().map(|most| launch(*most)).collect();
            let case = Case {
                name: format!("{} of {name}", def.name),
                kernel: kernel.clone(),
                in_memory: kernel.clone(),
                texts: [("wgsl", shader)].into(),
                python: None,
                launches,
            };
            cases.push(case);
        }
    }
    cases
}

/// The powers of two up to which arguments go.
fn limits(op: Op, scalar: Scalar) -> &'static [f64] {
    match (op, scalar) {
        // Angles beyond lose digits, as docs/wgsl.md says.
        (Op::Sin | Op::Cos | Op::Tan, Scalar::F64) => &[1.0, 5.0, 19.0],
        (_, Scalar::F64) => &[1.0, 5.0, 30.0, 900.0],
        _ => &[1.0, 5.0, 30.0, 120.0],
    }
}

/// Numbers of either sign up to 2 to the power of `most`: of every order of magnitude, evenly spaced ones, and whole ones.
fn arguments(scalar: Scalar, seed: u64, most: f64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut unit = || f64::from(random.next_u32()) / f64::from(u32::MAX);
    let least = if scalar == Scalar::F64 { -900.0 } else { -120.0 };
    (0..COUNT)
        .map(|number| {
            let size = match number % 4 {
                0 => (least + (most - least) * unit()).exp2(),
                1 => (most * unit()).exp2(),
                2 => most.exp2() * unit(),
                _ => (most.min(20.0).exp2() * unit()).round(),
            };
            if unit() < 0.5 { -size } else { size }
        })
        .collect()
}

fn array(scalar: Scalar, values: Vec<f64>) -> Arg {
    let shape = vec![values.len()];
    let data = match scalar {
        Scalar::F64 => Data::F64(values),
        _ => Data::F32(values.into_iter().map(|value| value as f32).collect()),
    };
    Arg { ty: Type::of(scalar), shape, data }
}
