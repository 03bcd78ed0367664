//! Tests of the checks themselves: `validate` must not accept mutants of records of all families, nor the records of a
//! list of cheats. `docs/verifier.md` has the figures of a full run and explains the survivors.
//!
//! `WEFT_VERIFIER_MUTANTS=20000 cargo test --release -p gen-dataset mutants -- --nocapture` makes that many mutants.

use super::mistake::Mistake;
use super::mutate::{count, mutant, rejected};
use crate::fixtures::Dataset;
use crate::model::{Arguments, DecodedAdjoint, DecodedRecord, Facts, Launch, Outcome, Record, TolerancePolicy, decode};
use crate::model::{Device, TargetTexts, targets};
use crate::mutants::mutate::{MutantOutcome, run};
use crate::prove::check::{Verdict, check};
use crate::source::identity::{id, skeleton_id, structure_hash};
use crate::synth::{FAMILIES, Rng};
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::back::{python, rust};
use kernel_ir::data::Arg;
use kernel_ir::verify::VerifiedKernel;
use kernel_ir::{gradcheck, interp, sample, text};
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::Range;

/// The number of mutants without `WEFT_VERIFIER_MUTANTS`.
const MUTANTS: usize = 400;

/// The share of mutants with another meaning that may survive.
const UNNOTICED: f64 = 0.005;

/// The number of mutants for each record.
const OF_A_RECORD: usize = 40;

/// Seeds of further launches, tried if the example does not show the mistake: of the example's size, and of the other
/// sizes.
const FURTHER: [Range<u64>; 2] = [100..108, 100..104];

/// Seeds of the referee launches, which decide whether a survivor computes something else at all.
const REFEREES: [Range<u64>; 2] = [0..32, 0..6];

/// Writes a line of the report to stderr directly, because the test harness captures `println!`.
fn report(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Records of all families, enough for `mutants` mutants.
fn records(mutants: usize) -> Vec<Record> {
    let count = mutants.div_ceil(OF_A_RECORD).max(FAMILIES.len()).to_string();
    let dataset = Dataset::new(&[]);
    dataset.generate(&["--source", "synth", "--count", &count, "--seed", "4"]).expect("synthesis works");
    dataset.records()
}

/// A kernel or an adjoint, with its launch from the record.
struct Original {
    record: usize,
    kernel: VerifiedKernel,
    /// The kernel with the columns that its launches have.
    data: VerifiedKernel,
    launch: Launch,
    /// The tolerance of each number after the launch.
    allowed: Vec<Arg>,
    /// The kernel and its adjoint with their columns, if this is an adjoint.
    of: Option<(VerifiedKernel, Backward)>,
}

impl Original {
    /// The kernel of a record, and its adjoint. An adjoint is left out if its launch is ill-conditioned by itself.
    fn all_of(number: usize, record: &Record) -> Vec<Original> {
        let DecodedRecord { kernel, data, launch, backward, .. } = decode(record).expect("the record is sound");
        let allowed = launch.tolerances(&data).expect("the record is sound");
        let adjoint = backward.and_then(|DecodedAdjoint { adjoint, data: of_adjoint, launches }| {
            let launch = launches.gradients;
            let allowed = launch.tolerances(&of_adjoint.kernel).ok()?;
            let of = Some((data.clone(), of_adjoint.clone()));
            Some(Original { record: number, kernel: adjoint.kernel, data: of_adjoint.kernel, launch, allowed, of })
        });
        let forward = Original { record: number, kernel, data, launch, allowed, of: None };
        std::iter::once(forward).chain(adjoint).collect()
    }

    /// Launches with other inputs: of the example's size, and of the other sizes.
    fn launches(&self, [of_size, of_others]: [Range<u64>; 2]) -> impl Iterator<Item = Launch> {
        let (kernel, backward) = match &self.of {
            Some((kernel, backward)) => (kernel, Some(backward)),
            None => (&self.data, None),
        };
        let of_size = of_size.map(|seed| (self.launch.dim.clone(), seed));
        let sizes = sample::dims(kernel).into_iter();
        let of_others = sizes.flat_map(move |dim| of_others.clone().map(move |seed| (dim.clone(), seed)));
        let launch = move |(dim, seed): (Vec<usize>, u64)| {
            let before = sample::args(kernel, &dim, seed).ok()?;
            let mut after = before.clone();
            interp::run(kernel, &dim, &mut after).ok()?;
            let launch = Launch { dim, before, after };
            let Some(backward) = backward else { return Some(vec![launch]) };
            let weights = |id| gradcheck::weights(kernel, &launch.before, seed, id);
            Some(launch.backward(kernel, backward, weights).ok()?.into_iter().collect())
        };
        of_size.chain(of_others).filter_map(launch).flatten()
    }

    /// Whether one of these launches, plain or poisoned, distinguishes the mutant from the original.
    fn differs(&self, mutant: &VerifiedKernel, seeds: [Range<u64>; 2]) -> bool {
        let poisoned = self.launch.poisoned(&self.data);
        poisoned.into_iter().chain(self.launches(seeds)).any(|launch| {
            // Tolerances take long to measure. Most mutants give the same bits and need none.
            run(mutant, &launch, &zeros(&launch.after)) != MutantOutcome::Same
                && launch
                    .tolerances(&self.data)
                    .is_ok_and(|allowed| run(mutant, &launch, &allowed) != MutantOutcome::Same)
        })
    }
}

/// Tolerances of zero: all bits must be the same.
fn zeros(args: &[Arg]) -> Vec<Arg> {
    args.iter().map(|arg| Arg::zeros(arg.ty, &arg.shape)).collect()
}

/// A record that claims the mutant as its kernel. All metadata is derived from the mutant; the example is that of
/// `record`.
fn forged(record: &Record, kernel: &VerifiedKernel) -> Record {
    let facts = Facts::of(kernel);
    let ir = text::print(kernel);
    let backward = adjoint::differentiate(kernel).ok().flatten();
    let mut forged = Record {
        id: id(&ir, record.metadata.seed, &record.example.dim),
        python_source: python::write(kernel),
        rust_source: rust::write(kernel),
        targets: TargetTexts::write(kernel, backward.as_ref(), Device::all()),
        hash: structure_hash(kernel),
        skeleton_id: skeleton_id(kernel),
        ir,
        ..record.clone()
    };
    forged.metadata.features = facts.features;
    forged.metadata.statements = facts.statements;
    forged.metadata.operations = facts.operations;
    forged.metadata.signature = facts.signature;
    forged.metadata.arguments = Some(Arguments::of(kernel, backward.as_ref()));
    forged.verification.tolerance_policy = TolerancePolicy::of(kernel);
    forged
}

/// The record with the texts of a mutant, one text replaced in each copy.
fn with_texts(record: &Record, mutant: &VerifiedKernel, is_adjoint: bool) -> Vec<Record> {
    let written = TargetTexts::write(mutant, None, Device::all());
    let mut forged: Vec<Record> = targets::columns()
        .filter(|(target, _)| record.metadata.device.has(target))
        .map(|(target, [forward, backward])| {
            let mut forged = record.clone();
            let text = written.forward(target.id).map(str::to_owned);
            assert!(forged.targets.set(if is_adjoint { backward } else { forward }, text));
            forged
        })
        .collect();
    if !is_adjoint {
        forged.push(Record { python_source: python::write(mutant), ..record.clone() });
        forged.push(Record { rust_source: rust::write(mutant), ..record.clone() });
    }
    forged
}

fn fails(record: &Record) -> bool {
    let Verdict { structure, texts, interpreter, cpu, adjoint, cpu_adjoint } = check(record, &[]);
    [structure, texts, interpreter, cpu, adjoint, cpu_adjoint]
        .iter()
        .any(|outcome| matches!(outcome, Outcome::Failed(_)))
}

/// The classification of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    /// A launch shows the mistake by an error, a race or other results. The text says which launch or symptom.
    Killed(&'static str),
    /// No launch distinguishes the mutant from the original, not even a referee launch.
    Equal,
    /// Only a referee launch distinguishes the mutant from the original.
    Survived,
}

/// A mutant with its original, its mistake and its number.
struct Specimen {
    original: usize,
    mistake: Mistake,
    number: usize,
    kernel: VerifiedKernel,
}

/// The first `wanted` mutants of a fixed list that alternates between originals and mistakes.
fn specimens(originals: &[Original], wanted: usize) -> Vec<Specimen> {
    let mut specimens = Vec::new();
    let mut seen = HashSet::new();
    for round in 0.. {
        let before = specimens.len();
        for (place, original) in originals.iter().enumerate() {
            let mut dice = Rng::new(4, place as u64, round);
            let mistake = Mistake::ALL[(round as usize + place) % Mistake::ALL.len()];
            let count = count(&original.kernel, mistake);
            if count == 0 {
                continue;
            }
            let number = dice.below(count);
            if seen.insert((place, mistake, number))
                && let Some(kernel) = mutant(&original.kernel, mistake, number)
            {
                specimens.push(Specimen { original: place, mistake, number, kernel });
            }
            if specimens.len() == wanted {
                return specimens;
            }
        }
        // The draws are random, so a round may repeat earlier ones. 400 rounds find the rare mutants of small kernels.
        if specimens.len() == before && round > 400 {
            return specimens;
        }
    }
    specimens
}

#[test]
fn mutants_are_killed() {
    let wanted = std::env::var("WEFT_VERIFIER_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(MUTANTS);
    let records = records(wanted);
    let originals: Vec<Original> =
        records.iter().enumerate().flat_map(|(number, record)| Original::all_of(number, record)).collect();
    let specimens = specimens(&originals, wanted);
    let fates: Vec<(Fate, bool)> = specimens
        .par_iter()
        .map(|Specimen { original, kernel, .. }| {
            let original = &originals[*original];
            let record = &records[original.record];
            let fate = match run(kernel, &original.launch, &original.allowed) {
                MutantOutcome::Differs(_) => Fate::Killed("differs"),
                MutantOutcome::Fails(why) if why.contains("a race") => Fate::Killed("race"),
                MutantOutcome::Fails(_) => Fate::Killed("error"),
                MutantOutcome::Same if original.differs(kernel, FURTHER) => Fate::Killed("further"),
                MutantOutcome::Same if original.differs(kernel, REFEREES) => Fate::Survived,
                MutantOutcome::Same => Fate::Equal,
            };
            let lies = with_texts(record, kernel, original.of.is_some());
            let claim = original.of.is_none().then(|| forged(record, kernel));
            (fate, lies.iter().chain(&claim).all(fails))
        })
        .collect();
    let mut table: BTreeMap<Mistake, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut survivors = Vec::new();
    for (specimen, (fate, caught)) in specimens.iter().zip(&fates) {
        let name = match fate {
            Fate::Killed(by) => by,
            Fate::Equal => "equal",
            Fate::Survived => "survived",
        };
        let row = table.entry(specimen.mistake).or_default();
        *row.entry(name).or_default() += 1;
        *row.entry("not caught by validate").or_default() += usize::from(!caught);
        if *fate == Fate::Survived {
            let original = &originals[specimen.original];
            survivors.push(format!(
                "{:?} {} of `{}` of {}",
                specimen.mistake, specimen.number, original.kernel.name, records[original.record].metadata.category
            ));
        }
    }
    for (mistake, row) in &table {
        report(&format!("{}: {row:?}", mistake.name()));
    }
    let equal = fates.iter().filter(|(fate, _)| *fate == Fate::Equal).count();
    let meaning = specimens.len() - equal;
    report(&format!(
        "{} mutants of {} kernels and adjoints in {} records; {equal} equal; {} of {meaning} survive",
        specimens.len(),
        originals.len(),
        records.len(),
        survivors.len()
    ));
    for survivor in survivors.iter().take(60) {
        report(survivor);
    }
    assert!(specimens.len() >= wanted.min(200), "{} mutants", specimens.len());
    let missed = fates.iter().filter(|(_, caught)| !caught).count();
    assert_eq!(missed, 0, "validate takes {missed} records with a text or an IR of a mutant");
    assert!(survivors.len() as f64 <= UNNOTICED * meaning as f64 + 1.0, "{} of {meaning} survive", survivors.len());
}

/// Forges a record. `None` if the record has nothing to forge.
type Cheat = fn(&Record) -> Option<Record>;

/// Applies `change` to the number lists of `map`, up to the first that it changes.
fn change_numbers(map: &mut serde_json::Map<String, Value>, change: impl Fn(&mut Vec<Value>)) -> Option<()> {
    map.values_mut().find_map(|value| {
        let numbers = value.as_array_mut()?;
        let before = numbers.clone();
        change(numbers);
        (*numbers != before).then_some(())
    })
}

/// Known ways to look right without being right.
const CHEATS: [(&str, Cheat); 9] = [
    ("the output of another kernel is used again", |record| {
        let mut cheat = record.clone();
        change_numbers(&mut cheat.example.outputs, |numbers| numbers.rotate_left(1))?;
        Some(cheat)
    }),
    ("NaN as a wildcard", |record| {
        let mut cheat = record.clone();
        change_numbers(&mut cheat.example.outputs, |numbers| {
            if let Some(first) = numbers.first_mut() {
                *first = Value::Null;
            }
        })?;
        Some(cheat)
    }),
    ("a constant output", |record| {
        let mut cheat = record.clone();
        change_numbers(&mut cheat.example.outputs, |numbers| {
            if let Some(first) = numbers.first().cloned() {
                numbers.fill(first);
            }
        })?;
        Some(cheat)
    }),
    ("an input is overwritten", |record| {
        let kernel = decode(record).ok()?.kernel;
        let mutant = (0..count(&kernel, Mistake::OverwrittenInput))
            .find_map(|number| mutant(&kernel, Mistake::OverwrittenInput, number))?;
        Some(forged(record, &mutant))
    }),
    ("an empty kernel", |record| Some(forged(record, &emptied(record)))),
    ("the output is left as it was", |record| {
        let mut cheat = forged(record, &emptied(record));
        let DecodedRecord { kernel, launch, .. } = decode(record).ok()?;
        let left = Launch { after: launch.before.clone(), ..launch };
        cheat.example.outputs = crate::model::Example::new(&kernel, &left, &left.after, None).outputs;
        Some(cheat)
    }),
    ("the recorded answer is returned", |record| {
        let answers = answering(record)?;
        Some(forged(record, &answers))
    }),
    ("zeros for gradients", |record| {
        let mut cheat = record.clone();
        change_numbers(&mut cheat.example.gradients, |numbers| numbers.fill(json!(0.0)))?;
        Some(cheat)
    }),
    ("tolerances that allow everything", |record| {
        let mut cheat = record.clone();
        let outputs = cheat.example.outputs.clone();
        let (name, numbers) = outputs.iter().find(|(_, value)| value[0].is_f64())?;
        let allowed = vec![json!(1e30); numbers.as_array()?.len()];
        cheat.example.tolerances.insert(name.clone(), allowed.into());
        Some(cheat)
    }),
];

/// The kernel of the record without a body.
fn emptied(record: &Record) -> VerifiedKernel {
    let mut kernel = (*decode(record).expect("the record is sound").kernel).clone();
    kernel.body.clear();
    kernel.locals.clear();
    kernel_ir::verify::verify(kernel).expect("an empty body keeps the rules")
}

/// A kernel that stores the recorded outputs as constants. `None` if an output is not a flat list of `f32`.
fn answering(record: &Record) -> Option<VerifiedKernel> {
    use kernel_ir::data::Data;
    use kernel_ir::ir::{Expr, ExprKind, Literal, ParamId, Place, PlaceRoot, Span, Stmt, StmtKind, Type};
    use kernel_ir::ops::Op;
    let DecodedRecord { kernel, launch, .. } = decode(record).ok()?;
    let stmt = |kind| Stmt { kind, span: Span::NONE };
    let tid = Expr { kind: ExprKind::Tid(0), ty: Type::INDEX, span: Span::NONE };
    let mut body = Vec::new();
    for (array, param) in kernel.param_ids().filter(|(_, param)| param.is_mutable()) {
        let Data::F32(after) = &launch.after[array.0 as usize].data else { return None };
        if param.rank() != 1 || !param.elem().is_scalar() || after.len() != launch.dim[0] || kernel.dim != 1 {
            return None;
        }
        for (place, value) in (0..).zip(after) {
            let index = Expr::literal(Literal::Index(place));
            let is_it = ExprKind::Op(Op::Eq, vec![tid.clone(), index]);
            let root = PlaceRoot::Element { array: ParamId(array.0), index: vec![tid.clone()] };
            let place = Place { root, path: Vec::new(), ty: Type::F32, span: Span::NONE };
            let value = Expr::literal(Literal::f32(*value));
            let cond = Expr { kind: is_it, ty: Type::BOOL, span: Span::NONE };
            let then = vec![stmt(StmtKind::Assign { place, value })];
            body.push(stmt(StmtKind::If { cond, then, other: Vec::new() }));
        }
    }
    let mut answering = (*kernel).clone();
    answering.body = body;
    answering.locals.clear();
    kernel_ir::verify::verify(answering).ok()
}

#[test]
fn cheats_are_killed_without_exception() {
    let records = records(5 * OF_A_RECORD * FAMILIES.len());
    assert!(records.iter().all(|record| !fails(record)), "the records are sound");
    for (name, cheat) in CHEATS {
        let cheats: Vec<Record> = records.par_iter().filter_map(cheat).collect();
        let passed = cheats.par_iter().filter(|cheat| !fails(cheat)).count();
        report(&format!("{name}: {} records, {passed} pass", cheats.len()));
        assert!(!cheats.is_empty(), "no record can be cheated with: {name}");
        assert_eq!(passed, 0, "{name}");
    }
}

#[test]
fn a_program_that_returns_the_answer_is_one_for_the_example_alone() {
    // The example cannot show this cheat, because its outputs are right. The inputs do: they are not those that the
    // seed draws for this kernel.
    let records = records(5 * OF_A_RECORD * FAMILIES.len());
    let (record, answers) = records.iter().find_map(|record| Some((record, answering(record)?))).expect("one has f32s");
    let DecodedRecord { launch, .. } = decode(record).unwrap();
    assert_eq!(run(&answers, &launch, &zeros(&launch.after)), MutantOutcome::Same);
    let Outcome::Failed(why) = check(&forged(record, &answers), &[]).structure else { panic!("it passes") };
    assert!(why.contains("are not those that the seed draws") || why.contains("adjoint"), "{why}");
}

#[test]
fn every_mistake_can_be_made_and_named() {
    let records = records(5 * OF_A_RECORD * FAMILIES.len());
    let originals: Vec<Original> =
        records.iter().enumerate().flat_map(|(number, record)| Original::all_of(number, record)).collect();
    for mistake in Mistake::ALL {
        let made = originals.iter().any(|original| {
            (0..count(&original.kernel, mistake)).any(|number| mutant(&original.kernel, mistake, number).is_some())
        });
        assert!(made, "{}", mistake.name());
        // A number beyond the last has no mutant.
        let kernel = &originals[0].kernel;
        assert!(mutant(kernel, mistake, count(kernel, mistake)).is_none());
    }
}

#[test]
fn a_mutant_differs_in_one_place() {
    let records = records(1);
    let DecodedRecord { kernel, .. } = decode(&records[0]).unwrap();
    let printed = text::print(&kernel);
    for mistake in Mistake::ALL {
        let mutants: Vec<String> = (0..count(&kernel, mistake))
            .into_par_iter()
            .filter_map(|number| mutant(&kernel, mistake, number))
            .map(|mutant| text::print(&mutant))
            .collect();
        for (place, mutant) in mutants.iter().enumerate() {
            assert_ne!(*mutant, printed);
            assert!(mistake == Mistake::DroppedTerm || !mutants[..place].contains(mutant), "{mutant}");
        }
    }
}

/// The number of locals that are declared and never read.
fn unread(kernel: &VerifiedKernel) -> usize {
    use kernel_ir::ir::{ExprKind, StmtKind};
    let mut read = HashSet::new();
    kernel.walk_exprs(&mut |expr| {
        if let ExprKind::Local(local) | ExprKind::LocalElement { local, .. } = expr.kind {
            read.insert(local);
        }
    });
    let mut unread = 0;
    kernel.walk_stmts(&mut |stmt| {
        unread += match &stmt.kind {
            StmtKind::Let { local, .. } => usize::from(!read.contains(local)),
            _ => 0,
        };
    });
    unread
}

#[test]
fn a_rejected_answer_leaves_nothing_dead_behind() {
    let records = records(10 * OF_A_RECORD * FAMILIES.len());
    let originals: Vec<Original> =
        records.iter().enumerate().flat_map(|(number, record)| Original::all_of(number, record)).collect();
    let (mut rejects, mut cleaned) = (0, 0);
    for original in &originals {
        for seed in 0..4 {
            let Original { kernel, launch, allowed, .. } = original;
            let Some((answer, mistake)) = rejected(kernel, launch, allowed, seed) else { continue };
            rejects += 1;
            assert!(unread(&answer) <= unread(kernel), "{}: {}", mistake.name(), text::print(&answer));
            assert!(matches!(run(&answer, launch, allowed), MutantOutcome::Differs(_)));
        }
        for mistake in [Mistake::DroppedTerm, Mistake::StaleOutput] {
            for mutant in
                (0..count(&original.kernel, mistake)).filter_map(|number| mutant(&original.kernel, mistake, number))
            {
                cleaned += usize::from(unread(&mutant) > unread(&original.kernel));
            }
        }
    }
    report(&format!("{rejects} rejected answers; {cleaned} mutants have something dead before it is dropped"));
    assert!(rejects > originals.len() && cleaned > 0);
}

#[test]
fn a_wrong_axis_has_no_second_name() {
    use kernel_ir::ir::{ExprKind, Kernel, StmtKind};
    let axes = |kernel: &Kernel| {
        let mut axes = Vec::new();
        kernel.walk_stmts(&mut |stmt| {
            if let StmtKind::Let { init: Some(init), .. } = &stmt.kind
                && let ExprKind::Tid(axis) = init.kind
            {
                axes.push(axis);
            }
        });
        axes
    };
    let records = records(5 * OF_A_RECORD * FAMILIES.len());
    let mut exchanged = 0;
    for record in &records {
        let DecodedRecord { kernel, .. } = decode(record).unwrap();
        for number in 0..count(&kernel, Mistake::WrongIndex) {
            let Some(mutant) = mutant(&kernel, Mistake::WrongIndex, number) else { continue };
            assert_eq!(axes(&mutant), axes(&kernel), "{}", text::print(&mutant));
            let is_as_long = text::print(&mutant).len() == text::print(&kernel).len();
            exchanged += usize::from(is_as_long && axes(&kernel).len() > 1);
        }
    }
    assert!(exchanged > 0, "no index is that of another axis");
}
