//! Properties of synthesised kernels.

use super::*;
use crate::model::Facts;
use kernel_ir::back::rust;
use kernel_ir::ir::{Expr, ExprKind, Literal, StmtKind};
use kernel_ir::ops::{Op, TABLE};
use kernel_ir::text;
use std::collections::{BTreeMap, HashSet};

/// The number of kernels in a test: `WEFT_SYNTH_KERNELS`, or `usual`.
fn count(usual: u64) -> u64 {
    std::env::var("WEFT_SYNTH_KERNELS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Samples of all families.
fn samples(seed: u64, count: u64) -> impl Iterator<Item = Sample> {
    let families: Vec<&Family> = FAMILIES.iter().collect();
    (0..count).filter_map(move |index| sample(family(&families, index), seed, index, ATTEMPTS).0)
}

#[test]
fn a_sample_is_a_function_of_seed_and_index() {
    let family = &FAMILIES[2];
    let text = |seed, index| sample(family, seed, index, ATTEMPTS).0.map(|sample| text::print(&sample.kernel));
    let first: Vec<_> = (0..20).map(|index| text(3, index)).collect();
    let alone: Vec<_> = (0..20).rev().map(|index| text(3, index)).collect();
    assert!(first.iter().eq(alone.iter().rev()));
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), 20);
    assert_ne!(text(4, 0), first[0]);
}

/// Samples of a seed are part of the format. If they change, the version of the generator must change.
#[test]
fn samples_stay_what_they_were() {
    let sample = sample(&FAMILIES[0], 0, 0, ATTEMPTS).0.expect("the sample can be made");
    expect_test::expect_file!["goldens/arithmetic_0_0.rs"].assert_eq(&rust::write(&sample.kernel));
}

#[test]
fn nearly_every_sample_can_be_made_in_its_family() {
    let mut made = 0;
    for sample in samples(1, 130) {
        made += 1;
        assert!(FAMILIES.iter().any(|family| family.name == sample.kernel.family));
        assert!(sample.kernel.doc.iter().all(|line| !line.is_empty()) && !sample.kernel.doc.is_empty());
        assert!((1..=5).contains(&sample.difficulty));
    }
    assert!(made >= 128, "{made} of 130");
}

/// Dead-code elimination also removes the sentences about what it removes.
#[test]
fn comments_and_families_tell_what_is_there() {
    let loops =
        ["repeats a step", "by Newton's method", "over the last axis", "goes through", "along their common axis"];
    let mut told = 0;
    for Sample { kernel, .. } in samples(8, 390) {
        let mut has_loop = false;
        kernel.walk_stmts(&mut |stmt| has_loop |= matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. }));
        let comment = kernel.doc.join(" ");
        let tells = loops.iter().any(|words| comment.contains(words));
        told += usize::from(tells);
        let needs = ["loop", "nested_loop", "reduction"].contains(&kernel.family.as_str());
        assert!(has_loop || !(tells || needs), "{}", rust::write(&kernel));
    }
    assert!(told > 50, "{told}");
}

/// Properties that were found on a few inputs hold on others.
#[test]
fn kernels_are_sound_on_inputs_that_they_were_not_tried_on() {
    let (mut unsound, mut made) = (Vec::new(), 0);
    for sample in samples(2, count(260)) {
        made += 1;
        let dim: &[usize] = match sample.kernel.dim {
            1 => &[150],
            2 => &[11, 13],
            3 => &[5, 6, 5],
            _ => &[3, 4, 4, 3],
        };
        let mut args = kernel_ir::sample::args(&sample.kernel, dim, 99).expect("inputs can be drawn");
        let outcome = kernel_ir::interp::run(&sample.kernel, dim, &mut args);
        if outcome.is_err() || !crate::model::all_finite(&args) {
            unsound.push(format!("{outcome:?}\n{}", rust::write(&sample.kernel)));
        }
    }
    assert!(unsound.len() <= made / 100, "{} of {made}:\n{}", unsound.len(), unsound.join("\n"));
}

/// With `WEFT_SYNTH_KERNELS=20000` the test also finds operations and types that occur once in ten thousand kernels.
#[test]
fn every_operation_and_type_occurs() {
    let count = count(1300);
    let least = (count / 1000) as usize;
    let written = TABLE.iter().filter(|def| def.op.is_ordinary());
    let mut found: BTreeMap<String, usize> = written.map(|def| (def.name.to_owned(), 0)).collect();
    // The kernels have no integers of 8 and 16 bits; see `overloads.rs`.
    found.extend(Type::all().filter(|ty| !ty.scalar().is_narrow()).map(|ty| (ty.name().to_owned(), 0)));
    for sample in samples(5, count) {
        for feature in Facts::of(&sample.kernel).features {
            if let Some(count) = found.get_mut(&feature) {
                *count += 1;
            }
        }
    }
    let mut rare: Vec<_> = found.iter().filter(|(_, found)| **found < least).collect();
    rare.sort_by_key(|(_, found)| **found);
    assert!(rare.is_empty(), "fewer than {least} times: {rare:?}");
}

/// Compilers warn about such a comparison.
#[test]
fn no_unsigned_number_is_asked_whether_it_is_below_zero() {
    let is_zero = |expr: &Expr| Literal::int(0, expr.ty).is_some_and(|zero| expr.kind == ExprKind::Literal(zero));
    for sample in samples(21, count(400)) {
        sample.kernel.walk_exprs(&mut |expr| {
            if let ExprKind::Op(Op::Lt | Op::Ge, args) = &expr.kind {
                let scalar = args[0].ty.scalar();
                let may_be_below = scalar.is_float() || scalar.is_signed_integer();
                assert!(may_be_below || !is_zero(&args[1]), "{}", rust::write(&sample.kernel));
            }
        });
    }
}

/// Regression: each component of a vector held the whole vector and was repaired again and again, up to 300,000
/// characters.
#[test]
fn no_term_grows_without_end() {
    let families: Vec<&Family> = FAMILIES.iter().collect();
    for index in [3565, 19541, 63110, 37064] {
        let sample = sample(family(&families, index), 1, index, ATTEMPTS).0.expect("the sample can be made");
        let statement = text::print(&sample.kernel).lines().map(str::len).max();
        assert!(statement < Some(6000), "{statement:?}");
    }
}

#[test]
fn skeletons_leave_constants_out() {
    let sample = samples(1, 1).next().expect("the sample can be made");
    let mut other = (*sample.kernel).clone();
    for param in &mut other.params {
        param.domain = None;
        param.name += "_other";
    }
    assert_eq!(crate::source::identity::skeleton_id(&sample.kernel), crate::source::identity::skeleton_id(&other));
    let skeletons: HashSet<String> =
        samples(1, 130).map(|sample| crate::source::identity::skeleton_id(&sample.kernel)).collect();
    assert!(skeletons.len() >= 125, "{}", skeletons.len());
}

#[test]
fn the_rust_text_reads_back_to_the_same_ir() {
    let mut failures = Vec::new();
    for sample in samples(7, count(500)) {
        let source = rust::write(&sample.kernel);
        match read(&source) {
            Ok(again) if again != *sample.kernel => {
                let (before, after) = (text::print(&sample.kernel), text::print(&again));
                failures.push(format!("{source}\n{before}\n{after}"));
            }
            Ok(_) => {}
            Err(why) => failures.push(format!("{why}\n{source}")),
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n\n"));
}
