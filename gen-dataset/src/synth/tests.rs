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

/// The families whose kernels are launched over blocks, or those of the others.
fn families(are_blocks: bool) -> Vec<&'static Family> {
    FAMILIES.iter().filter(|family| (family.level != Level::Threads) == are_blocks).collect()
}

/// Samples of all families of kernels over threads.
fn samples(seed: u64, count: u64) -> impl Iterator<Item = Sample> {
    let families = families(false);
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
    let families = families(false);
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

/// Samples of the families of block kernels.
fn block_samples(seed: u64, count: u64) -> impl Iterator<Item = Sample> {
    let families = families(true);
    (0..count).filter_map(move |index| sample(family(&families, index), seed, index, ATTEMPTS).0)
}

/// What drafts of the family are to have, as words of their texts.
fn missing(family: &'static str, drafts: u64, words: &[&'static str]) -> Vec<&'static str> {
    let family = FAMILIES.iter().find(|known| known.name == family).expect("the family exists");
    let draft = |index| drafted(family, 41, index, 0).text.and_then(|text| text.source(false));
    let texts: Vec<String> = (0..drafts).filter_map(draft).collect();
    assert!(texts.len() as u64 > drafts * 3 / 4, "{} of {drafts} drafts have a text", texts.len());
    words.iter().copied().filter(|word| !texts.iter().any(|text| text.contains(word))).collect()
}

#[test]
fn every_move_of_phases_is_drawn() {
    let words = [
        "block::<16>",
        "block::<32>",
        "block::<64>",
        "block::<128>",
        "block::<256>",
        "block.size",
        "per_thread(",
        "block_sum()",
        "block_max()",
        "block_min()",
        "block_argmax()",
        "block_argmin()",
        "block_inclusive_sum()",
        "block_exclusive_sum()",
        "warp_sum()",
        "warp_max()",
        "warp_min()",
        "warp_inclusive_sum()",
        "warp_exclusive_sum()",
        "lanes::<2>",
        "lanes::<4>",
        "lanes::<8>",
        "lanes::<16>",
        "shuffle_xor(",
        "shuffle_up(",
        "shuffle_down(",
        "shuffle(|t|",
        "ballot()",
        "warp_any()",
        "warp_all()",
        "shared::<f32",
        "shared::<f64",
        "shared::<u32",
        "span *= 2",
        "sorts",
        "reverses",
        "transposes",
        "rotates",
        "diffuses",
        "beyond each end",
        "wrapped around",
        "averages for each thread",
        "bins",
        "in shared tiles",
        "goes over the row",
    ];
    assert_eq!(missing("shared", 400, &words), [""; 0]);
}

#[test]
fn every_operation_on_tiles_is_drawn() {
    let words = [
        "load_tile::<",
        "load_row::<",
        "load_col::<",
        "load_tile_or::<",
        "load_tile_at::<",
        "load_row_at::<",
        "store_tile(",
        "store_row(",
        "store_col(",
        "atomic_add_row(",
        "atomic_add_tile(",
        ".map(|",
        ".zip_map(",
        ".map_with_location(|",
        ".matmul(",
        ".transpose()",
        ".sum()",
        ".max()",
        ".min()",
        ".row_sums()",
        ".row_maxima()",
        ".row_minima()",
        ".column_sums()",
        ".row_argmax()",
        ".row_argmin()",
        ".argmax()",
        ".inclusive_sum()",
        ".exclusive_sum()",
        ".reshape_tile::<",
        ".reshape_row::<",
        "::zeros()",
        "+= ",
        "while ",
        "for ",
        "softmax",
        "mean and variance",
        "root mean square",
        "squared distances",
        "outer product",
        "convolves",
        "diffusion",
        "the diagonal",
    ];
    assert_eq!(missing("tile", 250, &words), [""; 0]);
}

/// The text is what the kernel was read from, so the record has the author's words, and the kernel is theirs.
#[test]
fn the_text_of_a_block_kernel_is_read_to_the_same_ir() {
    let (mut made, mut adjoints) = (0, 0);
    for Sample { kernel, backward, source, .. } in block_samples(7, count(60)) {
        let source = source.expect("a block kernel is composed as text");
        assert_eq!(read(&source).as_ref(), Ok(kernel.with_tiles()), "{source}");
        assert_eq!(kernel.no_grad, backward.is_none());
        assert_eq!(kernel.has_tiles(), kernel.family == "tile");
        assert!(kernel.block.is_some());
        (made, adjoints) = (made + 1, adjoints + usize::from(backward.is_some()));
    }
    assert!(made >= 58, "{made} of 60");
    assert!(adjoints > made / 3, "{adjoints} of {made} have a gradient");
}

/// Races and infinities would show on other inputs, too.
#[test]
fn block_kernels_are_sound_on_inputs_that_they_were_not_tried_on() {
    for Sample { kernel, source, .. } in block_samples(9, count(40)) {
        let mut args = kernel_ir::sample::args(&kernel, &[6], 99).expect("inputs can be drawn");
        let outcome = kernel_ir::interp::check_races(&kernel, &[6], &mut args);
        assert!(outcome.is_ok() && crate::model::all_finite(&args), "{outcome:?}\n{}", source.unwrap_or_default());
    }
}

/// A comment names an operation exactly if the text has it.
#[test]
fn comments_of_block_kernels_tell_what_is_there() {
    let pairs: [(&str, &[&str]); 9] = [
        ("adds up", &["_sum()"]),
        ("takes the largest of", &["_max()"]),
        ("takes the smallest of", &["_min()"]),
        ("prefix sums", &["inclusive_sum()", "exclusive_sum()"]),
        ("finds the thread", &["_argmax()", "_argmin()"]),
        ("sorts the values", &["span *= 2"]),
        ("takes the softmax", &[".exp())"]),
        ("stores the transpose", &[".transpose());"]),
        ("by the votes", &["ballot()"]),
    ];
    let mut told = 0;
    for Sample { kernel, source, .. } in block_samples(13, count(60)) {
        let (comment, source) = (kernel.doc.join(" "), source.unwrap_or_default());
        let body = source.split_once("pub fn").map_or("", |(_, body)| body);
        for (words, codes) in pairs {
            let tells = comment.contains(words);
            told += usize::from(tells);
            assert!(!tells || codes.iter().any(|code| body.contains(code)), "{words}:\n{source}");
        }
    }
    assert!(told > 15, "{told}");
}

#[test]
fn block_kernels_rarely_share_a_skeleton() {
    let skeletons: HashSet<String> =
        block_samples(17, 60).map(|sample| crate::source::identity::skeleton_id(&sample.kernel)).collect();
    assert!(skeletons.len() >= 58, "{}", skeletons.len());
}

#[test]
fn a_block_sample_is_a_function_of_seed_and_index() {
    let families = families(true);
    let source = |index| sample(family(&families, index), 3, index, ATTEMPTS).0.and_then(|sample| sample.source);
    let first: Vec<_> = (0..8).map(source).collect();
    let alone: Vec<_> = (0..8).rev().map(source).collect();
    assert!(first.iter().eq(alone.iter().rev()));
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), 8);
}
