//! Mutation testing of the judges: small changes of texts, of which the judges must find almost all that change the
//! meaning. `docs/judges.md` has the figures of a full run and explains every survivor.
//!
//! `WEFT_MUTANTS=1000` makes that many mutants of the C++ and CUDA texts of kernels and adjoints,
//! `WEFT_PYTHON_MUTANTS=400` that many of the Python texts.

mod mutate;

use crate::judges::{backward_of, case_of, installed, launches};
use gen_dataset::judges::nvrtc::Nvrtc;
use gen_dataset::judges::{Case, Judge, JudgeKind, Launch, Outcome};
use kernel_rt::{BackwardInfo, KernelInfo, registered_kernels};
pub(crate) use mutate::plain_update;
use mutate::{KERNEL, Language, Mistake, Mutant, Random, mutate};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use tests::report;

/// The number of mutants of C++ and CUDA texts without `WEFT_MUTANTS`.
const MUTANTS: usize = 200;

/// The number of mutants of Python texts without `WEFT_PYTHON_MUTANTS`. Warp takes longer for each.
const PYTHON_MUTANTS: usize = 40;

/// The share of changes in meaning that may survive.
const UNNOTICED: f64 = 0.01;

/// Changes that no execution can show: the end of the kernel's name, a part of the line, and the reason.
const EXCUSES: [(&str, &str, &str); 31] = [
    ("", "block_atomic_add(&p->", "no two threads run at once on the host, and NVRTC counts in kernels only"),
    ("", "if (v != 0) atomicAdd", "a sum of 0 may be added"),
    ("", "__shared__", "there is room for more warps than a block has"),
    ("", "(index_t)-1) ? (index_t)-1", "no index of a domain comes near the end of its type"),
    ("", "if (x != x) return 0;", "no input of a domain makes NaN"),
    ("(backward)", "trips_to_next_checkpoint(", "where checkpoints are placed changes the work and not the gradient"),
    (
        "(backward)",
        "reach",
        "where checkpoints are placed changes the work and not the gradient; the schedule has a test of its own",
    ),
    ("(backward)", "sweeps += 1;", "where checkpoints are placed changes the work and not the gradient"),
    ("(backward)", "index_t sweeps = 1;", "where checkpoints are placed changes the work and not the gradient"),
    ("::bisection_root (backward)", "high_kept[0] = high;", "the bracket starts with constants: the gradient is 0"),
    ("::trilinear_sample (backward)", "min(to_usize(place.", "no point of the domain lies on the far face"),
    ("::wrap_angle (backward)", "wrapped -= ", "the derivative is 1 however often an angle is wrapped"),
    ("::bounding_box", "in range(3)", "Warp reads no number behind the last component, and so changes nothing"),
    ("::bessel_j0", "for (int k = 1; k <= 24;", "the last terms of the series are below the last place"),
    ("::bessel_j0", "for k in range(1, 25):", "the last terms of the series are below the last place"),
    ("::count_primes", "break;", "leaving the loop early saves time and changes nothing"),
    (
        "::decicelsius_to_fahrenheit",
        "half = -25 if numerator < 0",
        "no temperature is 0 there, and 0 ± 25 has no fifties",
    ),
    ("::factorial", "while (left > 1ULL)", "a factor of 1 changes nothing"),
    ("::hausdorff_distance", "nearest = wp.float64(1.79", "any number beyond all distances does"),
    ("::histogram", "wp.min(bin, 15)", "no sample of the domain falls behind the last bin"),
    ("::integrate_attitude (backward)", "trips = steps > 0 ?", "there is at least one step"),
    ("::lambert_w", "for (int k = 0; k < 6;", "the iteration has converged"),
    ("::lambert_w", "for _ in range(6):", "the iteration has converged"),
    ("::lift_gamma_gain (backward)", "t_2 == 0.0f ?", "the exponent is between 0.4 and 2"),
    ("::newton_cube_root", "for (int k = 0; k < 40;", "the iteration has converged"),
    ("::orbit_radius", "for (int k = 0; k < 8;", "the iteration has converged"),
    ("::patch_normals", "for (int k = 0; k < 24;", "the rotations have converged"),
    ("::power_to_decibels", "1e-10", "what is fainter is below the floor"),
    ("::sinc", "fabsf(angle) < 0.0001f", "on both sides of the limit the quotient rounds to 1"),
    ("::transform_points", "affine[3, ", "Warp drops what is assigned beyond a local matrix, and the row is not used"),
    ("::van_der_corput", "bits & 858993459u", "indices below a million have none of the bits that it changes"),
];

/// A kernel or an adjoint whose texts are mutated.
struct Original {
    /// The texts, without launches.
    case: Case,
    /// The kernel and the registry's entry of the adjoint, if this is the adjoint.
    forward: Option<(Case, BackwardInfo)>,
}

impl Original {
    /// A registered kernel, and its adjoint if it has one.
    fn all_of(info: &KernelInfo) -> Vec<Original> {
        let forward = case_of(info);
        let adjoint = info
            .backward
            .map(|info| Original { case: backward_of(&forward, &info), forward: Some((forward.clone(), info)) });
        std::iter::once(Original { case: forward, forward: None }).chain(adjoint).collect()
    }

    fn name(&self) -> &str {
        &self.case.name
    }

    /// Launches of all sizes. Those of an adjoint follow from the launches of its kernel.
    fn launches(&self) -> Vec<Launch> {
        match &self.forward {
            None => launches(&self.case, 0..3, 16),
            Some((forward, info)) => {
                let launched = Case { launches: launches(forward, 0..3, 16), ..forward.clone() };
                backward_of(&launched, info).launches
            }
        }
    }
}

/// The fates of the mutants with one kind of mistake.
#[derive(Default)]
struct Count {
    made: usize,
    by: BTreeMap<String, usize>,
    same: usize,
    excused: usize,
    survived: usize,
}

#[test]
fn compilers_notice_mistakes() {
    if let (Some(nvrtc), Some(cxx)) = (installed(JudgeKind::Nvrtc), installed(JudgeKind::Cxx)) {
        assert_noticed(&[Language::Cuda, Language::Cpp], vec![nvrtc, cxx], wanted("WEFT_MUTANTS", MUTANTS));
    }
}

#[test]
fn warp_notices_mistakes() {
    if let Some(warp) = installed(JudgeKind::Warp) {
        assert_noticed(&[Language::Python], vec![warp], wanted("WEFT_PYTHON_MUTANTS", PYTHON_MUTANTS));
    }
}

/// The number of mutants: the value of the variable, or `usual`.
fn wanted(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// Gives mutants of texts in `languages` to `judges`, one judge after the other, until one finds the mistake.
fn assert_noticed(languages: &[Language], judges: Vec<Box<dyn Judge>>, wanted: usize) {
    // Kernels in tests exist for other purposes than their results.
    let hand_written = |info: &&KernelInfo| info.module.starts_with("kernels::");
    let originals: Vec<Original> =
        registered_kernels().into_iter().filter(hand_written).flat_map(Original::all_of).collect();
    let mutants = mutants(&originals, languages, wanted);
    let mut counts: BTreeMap<Mistake, Count> = BTreeMap::new();
    for (_, mutant, _) in &mutants {
        counts.entry(mutant.mistake).or_default().made += 1;
    }
    let mut left: Vec<usize> = (0..mutants.len()).collect();
    for mut judge in judges {
        let cases: Vec<Case> = left.iter().map(|&number| mutants[number].2.clone()).collect();
        let outcomes = judge.judge(&cases).unwrap_or_else(|why| panic!("{why}"));
        let caught: Vec<bool> = outcomes.iter().map(|outcome| matches!(outcome, Outcome::Failed(_))).collect();
        for (&number, _) in left.iter().zip(&caught).filter(|(_, caught)| **caught) {
            let by = &mut counts.entry(mutants[number].1.mistake).or_default().by;
            *by.entry(judge.kind().name()).or_default() += 1;
        }
        left = left.into_iter().zip(caught).filter(|(_, caught)| !caught).map(|(number, _)| number).collect();
    }
    let mut survivors = Vec::new();
    for number in left {
        let (original, mutant, case) = &mutants[number];
        let count = counts.entry(mutant.mistake).or_default();
        if same_program(&originals[*original].case, case) {
            count.same += 1;
        } else if excuse(originals[*original].name(), mutant).is_some() {
            count.excused += 1;
        } else {
            count.survived += 1;
            survivors.push(format!(
                "{} {:?} {:?}: `{}` became `{}`",
                originals[*original].name(),
                mutant.language,
                mutant.mistake,
                mutant.before,
                mutant.after
            ));
        }
    }
    for (mistake, Count { made, by, same, excused, survived }) in &counts {
        report(&format!(
            "{mistake:?}: {made} made, caught {by:?}, {same} the same program, {excused} excused, {survived} survived"
        ));
    }
    let same: usize = counts.values().map(|count| count.same + count.excused).sum();
    let meaning = mutants.len() - same;
    report(&format!("mutation {languages:?}: {} of {meaning} with another meaning survived", survivors.len()));
    assert!(
        survivors.len() as f64 <= UNNOTICED * meaning as f64,
        "{} of {meaning} survived:\n{}",
        survivors.len(),
        survivors.join("\n")
    );
    for survivor in survivors {
        report(&survivor);
    }
}

/// Mutants: the index of the original, the change, and the case for the judges. The mutants of one kernel do not depend
/// on the other kernels, so a new kernel does not replace all mutants.
fn mutants(originals: &[Original], languages: &[Language], wanted: usize) -> Vec<(usize, Mutant, Case)> {
    let rounds = wanted.div_ceil(originals.len().max(1)) as u64 + 1;
    let mut draws: Vec<(Random, usize, u64)> = (0..originals.len())
        .flat_map(|number| (0..rounds).map(move |round| (number, round)))
        .map(|(number, round)| (Random::new(originals[number].name(), round), number, round))
        .collect();
    draws.sort();
    let mut all_launches = BTreeMap::new();
    let mut mutants = Vec::new();
    for (mut random, number, round) in draws {
        let original = &originals[number].case;
        let language = languages[round as usize % languages.len()];
        let text = match language {
            Language::Cuda => original.text("cuda"),
            Language::Cpp => original.text("cpp"),
            Language::Python => original.python.as_deref(),
        };
        let Some(mutant) = text.and_then(|text| mutate(text, language, &mut random)) else { continue };
        let mut case = Case {
            name: format!("{}_{round}", original.name),
            texts: BTreeMap::new(),
            python: None,
            launches: all_launches.entry(number).or_insert_with(|| originals[number].launches()).clone(),
            kernel: original.kernel.clone(),
            in_memory: original.in_memory.clone(),
        };
        match language {
            Language::Cuda => drop(case.texts.insert("cuda", mutant.text.clone())),
            Language::Cpp => drop(case.texts.insert("cpp", mutant.text.clone())),
            // Warp cannot build two kernels of the same name at once.
            Language::Python => case.python = Some(renamed(&mutant.text, round)),
        }
        mutants.push((number, mutant, case));
        if mutants.len() == wanted {
            break;
        }
    }
    mutants
}

/// A Python module with its kernel renamed.
fn renamed(module: &str, round: u64) -> String {
    let (before, kernel) = module.split_once(KERNEL).expect("a module has a kernel");
    let (name, after) = kernel.split_once('(').expect("a function has parameters");
    format!("{before}{KERNEL}{name}_mutant_{round}({after}")
}

/// The reason for which a mutant computes the same over the domains of its inputs, if it is known to.
fn excuse(kernel: &str, mutant: &Mutant) -> Option<&'static str> {
    EXCUSES.iter().find(|(name, part, _)| kernel.ends_with(name) && mutant.before.contains(part)).map(|row| row.2)
}

/// Whether an optimising compiler gives the same program for mutant and original.
fn same_program(original: &Case, mutant: &Case) -> bool {
    match (original.text("cuda"), mutant.text("cuda"), original.text("cpp"), mutant.text("cpp")) {
        (Some(original), Some(mutant), ..) => {
            let nvrtc = Nvrtc::open().expect("it was there");
            nvrtc.ptx(original, "kernel.cu", 90) == nvrtc.ptx(mutant, "kernel.cu", 90)
        }
        (_, _, Some(original), Some(mutant)) => assembly(original) == assembly(mutant),
        _ => false,
    }
}

/// The assembly that g++ generates for a text.
fn assembly(text: &str) -> Vec<u8> {
    let mut compiler = Command::new("g++")
        .args(["-std=c++17", "-O2", "-ffp-contract=off", "-w", "-S", "-x", "c++", "-o", "-", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it was there");
    let mut input = compiler.stdin.take().expect("piped");
    input.write_all(text.as_bytes()).expect("the compiler reads its input");
    drop(input);
    compiler.wait_with_output().expect("the compiler ends").stdout
}
