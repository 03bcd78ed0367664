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
    found.extend(Type::all().map(|ty| (ty.name().to_owned(), 0)));
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

/// The number of lines in the body of a kernel's Rust text.
fn body_lines(kernel: &Kernel) -> usize {
    let text = rust::write(&verify::verify(kernel.clone()).expect("the sample is valid"));
    let of_kernel = text.rfind("\npub fn ").expect("the text has a kernel");
    let body = &text[of_kernel..];
    let head = body[1..].lines().position(|line| line.ends_with('{') && !line.starts_with(' ')).expect("a body opens");
    // Without the head and the closing brace.
    body[1..].lines().count() - head - 2
}

/// Published kernels have a median of 15 lines, and a tail above 80.
#[test]
fn lengths_are_those_of_published_kernels() {
    let mut lengths: Vec<usize> = samples(31, count(390)).map(|sample| body_lines(&sample.kernel)).collect();
    lengths.sort_unstable();
    let at = |part: usize| lengths[lengths.len() * part / 100];
    let long = lengths.iter().filter(|lines| **lines >= 80).count();
    let of = lengths.len();
    assert!((12..=20).contains(&at(50)), "median {} of {lengths:?}", at(50));
    assert!((30..=60).contains(&at(90)), "90th percentile {} of {lengths:?}", at(90));
    assert!(at(10) <= 9, "10th percentile {} of {lengths:?}", at(10));
    assert!(100 * long >= of && 100 * long <= 8 * of, "{long} of {of} kernels have 80 lines or more");
}

/// The estimate that decides when a kernel is long enough is near the number of lines in its text.
#[test]
fn lengths_are_estimated_well() {
    for sample in samples(32, 60) {
        let (estimated, written) = (lengths::of(&sample.kernel.body), body_lines(&sample.kernel));
        // Long statements take several lines.
        assert!(estimated <= written + 4 && written <= 2 * estimated + 12, "{estimated} for {written} lines");
    }
}

/// A construct, whether a kernel has it, and the share of published kernels that do, in thousandths.
type Construct = (&'static str, fn(&Kernel, &str) -> bool, usize);

/// The rates are those of published Warp kernels. Those of local arrays, narrow integers and floats of 16 bits, which are
/// more common in CUDA, are between the two; there are none of `match`.
const PUBLISHED: [Construct; 15] = [
    ("match", |_, text| text.contains("match "), 80),
    ("local arrays", |kernel, _| codes(kernel).iter().any(|code| code.locals.iter().any(|l| l.len.is_some())), 140),
    ("bool arrays", |kernel, _| kernel.params.iter().any(|p| p.rank() > 0 && p.elem() == Type::BOOL), 117),
    ("8 and 16 bits", |kernel, _| has_type(kernel, |ty| ty.scalar().is_narrow()), 95),
    ("floats of 16 bits", |kernel, _| has_type(kernel, |ty| ty.scalar().is_half()), 36),
    ("optional arrays", |kernel, _| kernel.params.iter().any(kernel_ir::ir::Param::is_optional), 84),
    ("several results", |kernel, _| kernel.called().iter().any(|f| f.ret.is_tuple()), 94),
    ("functions of arrays", |kernel, _| kernel.called().iter().any(|f| !takes_values_only(&f.code)), 172),
    ("functions of values", |kernel, _| kernel.called().iter().any(|f| takes_values_only(&f.code)), 200),
    ("arrays of structs", |kernel, _| kernel.params.iter().any(|p| p.rank() > 0 && p.elem().is_struct()), 41),
    ("structs", |kernel, _| kernel.params.iter().any(|p| p.elem().is_struct()), 100),
    ("random numbers", |kernel, text| kernel.dim > 0 && text.contains("rand_init("), 15),
    ("5 components", |kernel, _| has_type(kernel, |ty| ty.is_vector() && ty.components() > 4), 70),
    (
        "oblong matrices",
        |kernel, _| has_type(kernel, |ty| ty.is_matrix() && ![4, 9, 16].contains(&ty.components())),
        28,
    ),
    ("atomics on vectors", |kernel, _| adds_vectors(kernel), 57),
];

/// The code of the kernel and of the functions that it calls.
fn codes(kernel: &Kernel) -> Vec<Kernel> {
    std::iter::once(kernel.clone()).chain(kernel.called().iter().map(|function| function.code.clone())).collect()
}

fn takes_values_only(code: &Kernel) -> bool {
    code.params.iter().all(|param| param.rank() == 0)
}

fn has_type(kernel: &Kernel, is_such: fn(Type) -> bool) -> bool {
    kernel.params.iter().any(|param| param.elem().leaves().into_iter().any(is_such))
}

fn adds_vectors(kernel: &Kernel) -> bool {
    let mut found = false;
    kernel.walk_stmts(&mut |stmt| {
        found |= stmt.atomic().is_some() && stmt.place().is_some_and(|place| !place.ty.is_scalar());
    });
    found
}

#[test]
fn constructs_occur_as_often_as_in_published_kernels() {
    let (mut found, mut made) = ([0; PUBLISHED.len()], 0);
    for sample in samples(33, count(624)) {
        made += 1;
        let text = rust::write(&sample.kernel);
        for (found, (_, has, _)) in found.iter_mut().zip(PUBLISHED) {
            *found += usize::from(has(&sample.kernel, &text));
        }
    }
    let rates: Vec<_> = found.iter().zip(PUBLISHED).map(|(found, (name, ..))| (name, 1000 * found / made)).collect();
    for ((name, rate), (.., published)) in rates.iter().zip(PUBLISHED) {
        let (least, most) = (published * 6 / 10, published * 15 / 10 + 8);
        assert!((least..=most).contains(rate), "{name}: {rate} of a thousand, published {published}; all: {rates:?}");
    }
}

/// An input that changes no output is added to the last result.
#[test]
fn dead_inputs_are_revived() {
    let source = "#[kernel(family = \"math\")]
        pub fn k(a: f32, x: &[f32], m: &[bool], y: &mut [f32]) {
            let i = tid();
            let hidden = (x[i] + a).min(-100.0) + if m[i] { 0.0 } else { 0.0 };
            y[i] = hidden + i as f32;
        }";
    let kernel = read(source).expect("the kernel is right");
    let dead = |kernel: &Kernel| {
        let kernel = verify::verify(kernel.clone()).expect("the kernel is valid");
        prove::prove(&kernel, &kernel.columns(), 5).expect("the kernel is sound")
    };
    assert_eq!(dead(&kernel), [0, 1, 2]);
    let revived = revive::revived(&kernel, &[0, 1, 2]).expect("all inputs are numbers");
    assert_eq!(dead(&revived), [0; 0]);
    // An integer is no number that could be added.
    let source = source.replace("a: f32", "a: i32").replace("+ a)", "+ a as f32)");
    let kernel = read(&source).expect("the kernel is right");
    assert_eq!(dead(&kernel), [0, 1, 2]);
    assert_eq!(revive::revived(&kernel, &[0]), None);
}

/// A kernel with a statement that no launch reaches is rejected before a record is made of it.
#[test]
fn what_is_never_reached_is_found() {
    let reaches = |limit: &str| {
        let source = format!(
            "#[kernel(family = \"math\")]
            pub fn k(#[domain(0.0..1.0)] x: &[f32], y: &mut [f32]) {{
                let i = tid();
                y[i] = if x[i] > {limit} {{ x[i] * x[i] }} else {{ 2.0 * x[i] }};
            }}"
        );
        let kernel = verify::verify(read(&source).expect("the kernel is right")).expect("it is valid");
        let backward = adjoint::differentiate(&kernel).expect("it has an adjoint");
        prove::everything_is_reached(&kernel, backward.as_ref(), 3)
    };
    assert_eq!(reaches("0.5"), Ok(()));
    assert!(matches!(reaches("2.0"), Err((Reason::NotCovered, _))));
}
