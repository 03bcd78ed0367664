//! Synthesis: random kernels, generated as IR.
//!
//! # Structure of a kernel
//!
//! Sample `index` of a `seed` is a function of these two numbers alone: all choices come from a ChaCha stream keyed by them
//! ([`rng`]). The index decides the family, in turn.
//!
//! A kernel is composed of *steps* ([`steps`]): a let-binding, a branch, a reduction over an axis, a stencil, an iterated
//! map, a Newton iteration, a hash of the thread, and so on. A family ([`families`]) says which steps define its kernels and
//! which may occur beside them. The operands of a step are random expressions ([`terms`]). Each kernel is built around one
//! overload of the operation table, chosen so that every operation is equally likely ([`overloads`]). The table alone
//! defines the operations, so a new row needs no change here. Inputs enter the signature when an expression asks for them
//! ([`generator`]), with a name and the range that such a quantity usually has ([`lexicon`]).
//!
//! Constructs that published kernels have at a known rate, such as local arrays, are steps too. They are drawn for every
//! family alike ([`constructs`]). The intended difficulty decides how long a kernel becomes ([`lengths`]).
//!
//! Terms are simplified while they grow ([`simplify`]). The doc comment ([`docgen`]) describes what dead-code elimination
//! leaves ([`notes`]). A kernel that has lost the defining feature of its family is rejected.
//!
//! Block kernels, those of the families `shared` and `tile`, are composed as text around fragments of the same generator
//! ([`blocks`]).
//!
//! # Why a kernel is well-defined
//!
//! - **Evaluated while it grows.** Every expression carries its values at a dozen sample points ([`samples`]), the corners
//!   of the inputs' domains among them. An operation is taken only if the interpreter finds it sound there and on points
//!   around: no error, no infinity, no huge value, not constant. Otherwise its operands are replaced or brought into the
//!   range where the operation is defined ([`range_repair`]).
//! - **Loops** carry states that each trip brings back into a known range. Sums know the range of their terms and their
//!   trip count.
//! - **Indices** are in bounds by construction: the thread's own, a loop variable's over that axis, clamped or wrapped
//!   neighbours, or those of an input of indices.
//! - **Threads** write their own elements, or use atomics whose results are not read. In block kernels a phase reads what
//!   an earlier one wrote, and race detection runs on each.
//! - **Tested.** Dead code is removed ([`dead_code`]), the rules of the language are verified, and the kernel is run at
//!   several launch sizes ([`prove`]). An input that changes no output is added to a result ([`revive`]). On failure the
//!   next attempt is drawn, from a stream of its own.

mod blocks;
mod constructs;
mod conversion;
mod dead_code;
mod docgen;
mod families;
mod generator;
mod lengths;
mod lexicon;
mod notes;
mod overloads;
mod prove;
mod range_repair;
mod revive;
mod rng;
mod samples;
mod simplify;
mod steps;
mod terms;
#[cfg(test)]
mod tests;

use crate::model::Reason;
pub(crate) use dead_code::{jumps, live, number_locals, without_constants};
use families::Level;
pub(crate) use families::{FAMILIES, Family};
use generator::Generator;
use kernel_ir::adjoint::{self, Backward};
use kernel_ir::columns;
use kernel_ir::front;
use kernel_ir::ir::{Expr, ExprKind, Kernel, Param, ParamKind, PlaceRoot, Shape, StmtKind, Type};
use kernel_ir::verify::{self, VerifiedKernel};
use overloads::feature;
use proc_macro2::LexError;
pub(crate) use rng::Rng;

/// The number of kernels that are drawn for one sample.
pub(crate) const ATTEMPTS: u64 = 12;

/// A synthesised kernel.
#[derive(Debug)]
pub(crate) struct Sample {
    /// The kernel.
    pub(crate) kernel: VerifiedKernel,
    /// The adjoint. `None` if no float depends on another, or if the kernel is marked `no_grad`.
    pub(crate) backward: Option<Backward>,
    /// The intended difficulty, 1 to 5.
    pub(crate) difficulty: u8,
    /// The Rust text that the kernel was read from, if it was composed as text.
    pub(crate) source: Option<String>,
}

/// A drawn kernel that failed a test.
#[derive(Debug)]
pub(crate) struct Rejected {
    /// The name of the kernel.
    pub(crate) name: String,
    /// The failed test.
    pub(crate) reason: Reason,
    /// The details, as a sentence.
    pub(crate) detail: String,
}

/// The family of the sample `index`. The `families` alternate.
pub(crate) fn family<'a>(families: &[&'a Family], index: u64) -> &'a Family {
    families[(index % families.len() as u64) as usize]
}

/// Makes the sample `index` of `seed`, in at most `attempts` attempts, and returns it with the rejected kernels.
pub(crate) fn sample(family: &Family, seed: u64, index: u64, attempts: u64) -> (Option<Sample>, Vec<Rejected>) {
    let mut rejected = Vec::new();
    for attempt in 0..attempts {
        let draft = drafted(family, seed, index, attempt);
        let (name, difficulty) = (draft.kernel.name.clone(), draft.difficulty as u8);
        let of_family = match (&draft.mistake, draft.is_of_family) {
            (Some(why), _) => Err((Reason::IrInvalid, why.clone())),
            (None, true) => Ok(draft),
            (None, false) => {
                Err((Reason::OffFamily, format!("nothing is left of what makes it one of `{}`", family.name)))
            }
        };
        // The first attempt is the kernel as drafted, because workers are chosen by the draft.
        match of_family.and_then(|draft| proven(draft, attempt > 0)) {
            Ok((kernel, backward, source)) => {
                return (Some(Sample { kernel, backward, difficulty, source }), rejected);
            }
            Err((reason, detail)) => rejected.push(Rejected { name, reason, detail }),
        }
    }
    (None, rejected)
}

/// The first draft of the sample `index` of `seed`, which is not yet proven.
pub(crate) fn draft(family: &Family, seed: u64, index: u64) -> Kernel {
    let kernel = drafted(family, seed, index, 0).kernel;
    // The skeleton of a record of tiles is that of its phases.
    match kernel.block {
        Some(_) => verify::verify(kernel.clone()).map_or(kernel, |verified| Kernel::clone(&verified)),
        None => kernel,
    }
}

/// A kernel as drawn, before its proof.
struct Draft {
    kernel: Kernel,
    /// The text of a block kernel.
    text: Option<blocks::Text>,
    /// The sentences about its steps.
    notes: Vec<String>,
    /// Whether it has the defining feature of its family.
    is_of_family: bool,
    /// Why its text is no kernel, if it is so.
    mistake: Option<String>,
    /// The intended difficulty.
    difficulty: usize,
    /// The seed for the inputs of its proof.
    draws: u64,
}

fn drafted(family: &Family, seed: u64, index: u64, attempt: u64) -> Draft {
    // All attempts have one difficulty and length: long kernels fail more often, and short ones would take their places.
    let mut plan = Rng::new(seed, index, 0);
    let difficulty = plan.weighted(&[(3, 1), (4, 2), (4, 3), (3, 4), (2, 5)]);
    let least = lengths::least(&mut plan, difficulty);
    let mut rng = Rng::new(seed, index, attempt + 1);
    let draws = rng.bits();
    if family.level != Level::Threads {
        return drafted_as_text(family, rng, difficulty, draws);
    }
    let (kernel, notes, is_of_family) = generate(family, rng, difficulty, least);
    Draft { kernel, text: None, notes, is_of_family, mistake: None, difficulty, draws }
}

/// A block kernel as drawn. Without a valid text, it is a kernel without a body.
fn drafted_as_text(family: &Family, rng: Rng, difficulty: usize, draws: u64) -> Draft {
    let text = blocks::drawn(family, rng, difficulty);
    let source = text.as_ref().and_then(|text| text.source(false)).ok_or("no move found room".to_owned());
    let (kernel, mistake) = match source.and_then(|source| read(&source)) {
        Ok(kernel) => (kernel, None),
        Err(why) => {
            let head = text.as_ref().map(|text| text.head().clone());
            (
                head.unwrap_or_else(|| Generator::new(Rng::new(0, 0, 0), family.name, 1, family.op_class, 1).kernel),
                Some(why),
            )
        }
    };
    let is_of_family = family.has.holds(&kernel);
    Draft { kernel, text, notes: Vec::new(), is_of_family, mistake, difficulty, draws }
}

/// A kernel with its adjoint, and with the text that it was read from.
type Proven = (VerifiedKernel, Option<Backward>, Option<String>);

/// Proves the kernel. `revives`: dead inputs are revived.
fn proven(draft: Draft, revives: bool) -> Result<Proven, prove::Failure> {
    let Draft { kernel, text, notes, draws, .. } = draft;
    if let Some(text) = text {
        return proven_text(&text, kernel, draws);
    }
    let mut kernel = checked(kernel)?;
    for revivals in 0.. {
        let dead = prove::prove(&columns::of_kernel(&kernel), &kernel.columns(), draws)?;
        let Some(first) = dead.first() else { break };
        let Some(mut revived) = revive::revived(&kernel, &dead).filter(|_| revives && revivals == 0) else {
            return Err((Reason::DeadInput, format!("`{}` changes no output", kernel.params[*first].name)));
        };
        revived.doc = comment(&revived, &notes);
        kernel = checked(revived)?;
    }
    let (kernel, backward) = match adjoint::differentiate(&kernel) {
        Ok(Some(backward)) if !teaches(&backward) => without_gradient(&kernel),
        Ok(backward) => Ok((kernel, backward)),
        Err(_) => without_gradient(&kernel),
    }?;
    let of_data = backward.as_ref().map(|backward| columns::of_backward(&kernel, backward));
    prove::everything_is_reached(&columns::of_kernel(&kernel), of_data.as_deref(), draws)?;
    Ok((kernel, backward, None))
}

/// Proves a block kernel that was read from `text`. Dead inputs are not revived, because the text is not written again.
fn proven_text(text: &blocks::Text, kernel: Kernel, draws: u64) -> Result<Proven, prove::Failure> {
    let invalid = || (Reason::IrInvalid, "the text is no kernel".to_owned());
    let kernel = checked(kernel)?;
    let dead = prove::prove(&kernel, &kernel.columns(), draws)?;
    if let Some(first) = dead.first() {
        return Err((Reason::DeadInput, format!("`{}` changes no output", kernel.params[*first].name)));
    }
    prove::no_races(&kernel, draws)?;
    prove::everything_is_reached(&kernel, None, draws)?;
    // The adjoint of a reduction takes arrays apart, and may have branches that no thread takes. Such a kernel goes without.
    let is_reached = |backward: &Backward| prove::everything_is_reached(&kernel, Some(backward), draws).is_ok();
    let backward = adjoint::differentiate(&kernel).ok().flatten().filter(teaches).filter(is_reached);
    let source = text.source(backward.is_none()).ok_or_else(invalid)?;
    let kernel = match backward {
        Some(_) => kernel,
        None => read(&source).map_err(|why| (Reason::NotReadBack, why)).and_then(checked)?,
    };
    Ok((kernel, backward, Some(source)))
}

/// The kernel marked `no_grad`, as an author would mark a kernel without a derivative.
fn without_gradient(kernel: &Kernel) -> Result<(VerifiedKernel, Option<Backward>), prove::Failure> {
    Ok((checked(Kernel { no_grad: true, ..kernel.clone() })?, None))
}

/// Whether the adjoint does more than setting adjoints to zero.
fn teaches(backward: &Backward) -> bool {
    let is_zero = |value: &Expr| matches!(value.kind, ExprKind::Literal(_));
    let mut teaches = false;
    backward.kernel.walk_stmts(&mut |stmt| {
        teaches |= match &stmt.kind {
            StmtKind::Atomic { .. } => true,
            StmtKind::Assign { place, value } | StmtKind::Update { place, value, .. } => {
                matches!(place.root, PlaceRoot::Element { .. }) && !is_zero(value)
            }
            _ => false,
        }
    });
    teaches
}

fn checked(kernel: Kernel) -> Result<VerifiedKernel, prove::Failure> {
    verify::verify(kernel).map_err(|mistakes| {
        let first = mistakes.first().map(|mistake| mistake.message.clone());
        (Reason::IrInvalid, first.unwrap_or_default())
    })
}

/// Reads a synthesised kernel from its Rust text.
///
/// # Errors
/// A sentence with the first mistake in the text.
pub(crate) fn read(source: &str) -> Result<Kernel, String> {
    let tokens = source.parse().map_err(|error: LexError| error.to_string())?;
    let compiled = front::compile_file(tokens);
    // `proc_macro2` with line numbers keeps every parsed text until its thread ends. Without this call a long run would
    // use more and more memory.
    proc_macro2::extra::invalidate_current_thread_spans();
    let mut kernel = compiled
        .map(|kernel| kernel.with_tiles().clone())
        .map_err(|mistakes| mistakes.into_iter().map(|mistake| mistake.message).collect::<Vec<_>>().join("; "))?;
    dead_code::number_locals(&mut kernel);
    Ok(kernel)
}

/// Draws a kernel of the family, of at least `least` lines before dead code is removed. Also returns whether it has the defining feature.
fn generate(family: &Family, mut rng: Rng, difficulty: usize, least: usize) -> (Kernel, Vec<String>, bool) {
    let axes: Vec<(usize, u8)> = family.dims.iter().copied().zip(1..).collect();
    let dim = rng.weighted(&axes);
    let overload = feature(&mut rng, family.op_class);
    let depth = [1, 2, 2, 3, 3][difficulty - 1];
    let mut generator = Generator::new(rng, family.name, dim, family.op_class, depth);
    generator.values = family.values;
    if let Some(overload) = overload {
        generator.lean_towards(overload);
    }
    let more = family.shapes(&mut generator.rng, generator.float);
    for ty in more {
        generator.add_shape(ty);
    }
    let in_place = if generator.rng.percent(18) { generator.start_in_place() } else { None };
    let steps = [1, 1, 2, 3, 5][difficulty - 1];
    let first = generator.rng.below(steps);
    let mut constructs = constructs::chosen(&mut generator.rng, difficulty);
    for number in 0..steps {
        if number == first {
            let step = generator.rng.weighted(family.core);
            generator.step(step);
        } else {
            let step = generator.rng.weighted(family.more);
            generator.step(step);
        }
        if number == 0
            && let Some(overload) = overload
        {
            generator.feature(overload);
        }
        if let Some(construct) = constructs.pop() {
            generator.step(construct);
        }
    }
    constructs.into_iter().rev().for_each(|construct| generator.step(construct));
    generator.grow(family, least);
    let meets = generator.rng.below(100) < family.meets;
    if meets {
        generator.meet();
    }
    let more = generator.rng.below(1 + lengths::of(&generator.block) / 20).min(3);
    let stores = more
        + match (meets, in_place.is_some()) {
            (true, _) => usize::from(generator.rng.percent(35)),
            (_, true) => usize::from(generator.rng.percent(30)),
            _ if generator.has_stored => usize::from(generator.rng.percent(50)),
            _ => generator.rng.pick(&[1, 1, 1, 1, 2]),
        };
    generator.store(stores);
    if let Some(in_place) = in_place {
        generator.end_in_place(in_place);
    }
    finished(generator, family)
}

/// Removes dead code, names the kernel, and writes its doc comment. Also returns the sentences about its steps, and whether it
/// has the family's defining feature.
fn finished(mut generator: Generator, family: &Family) -> (Kernel, Vec<String>, bool) {
    let mut kernel = generator.kernel;
    kernel.body = std::mem::take(&mut generator.block);
    dead_code::drop_dead_statements(&mut kernel);
    // Before `clean_up`, because the marks of notes are locals by their first numbers.
    let said = notes::said(&generator.notes, &kernel);
    dead_code::clean_up(&mut kernel);
    let output = docgen::outputs(&kernel).pop().unwrap_or_default();
    let verb = generator.rng.pick(family.verbs);
    let floats = |param: &&Param| param.elem().is_float() && matches!(param.kind, ParamKind::Array { .. });
    let subject = kernel.params.iter().find(floats).or(kernel.params.first());
    let noun = subject.map(|param| param.name.clone()).unwrap_or_default();
    let noun = if generator.rng.percent(50) { output.clone() } else { noun };
    let noun = noun.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    kernel.name = match said.tag {
        Some(tag) if !noun.contains(tag) && generator.rng.percent(40) => format!("{verb}_{noun}_{tag}"),
        _ => format!("{verb}_{noun}"),
    };
    kernel.doc = comment(&kernel, &said.texts);
    let is_of_family = family.has.holds(&kernel);
    (kernel, said.texts, is_of_family)
}

/// The doc comment: results, inputs, the formula if it is short, and sentences about the steps.
fn comment(kernel: &Kernel, notes: &[String]) -> Vec<String> {
    let (outputs, inputs) = (docgen::outputs(kernel), docgen::inputs(kernel));
    let results: Vec<String> = outputs.iter().map(|name| docgen::words(name)).collect();
    let mut head = docgen::list(&results);
    if let Some(first) = head.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let others: Vec<String> = inputs.into_iter().filter(|name| !results.contains(name)).collect();
    let mut text = match others.is_empty() {
        true => head,
        false => format!("{head} from {}", docgen::list(&others)),
    };
    let formulas: Vec<String> = outputs
        .iter()
        .filter_map(|name| {
            let (sign, value) = docgen::stored(kernel, name)?;
            docgen::formula(kernel, value).map(|formula| format!("{name} {sign} {formula}"))
        })
        .collect();
    if !formulas.is_empty() {
        text += &format!(": {}", formulas.join("; "));
    }
    text += ".";
    if !notes.is_empty() {
        text += &format!(" Each thread {}.", docgen::list(notes));
    }
    docgen::lines(&text)
}

impl Generator {
    /// Chooses the types of a kernel that is built around `overload`.
    fn lean_towards(&mut self, overload: &overloads::Overload) {
        for ty in overload.args.iter().copied().chain([overload.ret, overload.t]) {
            match ty {
                Type { scalar, shape: Shape::Scalar } if scalar.is_float() => self.float = scalar,
                Type { scalar, shape: Shape::Scalar }
                    if scalar.is_integer() && ty != Type::INDEX && ty == overload.t =>
                {
                    self.int = scalar
                }
                Type { shape: Shape::Scalar, .. } => {}
                shaped => {
                    if shaped.is_float() {
                        self.float = shaped.scalar();
                    }
                    self.add_shape(shaped);
                }
            }
        }
    }

    fn add_shape(&mut self, ty: Type) {
        if !self.shapes.contains(&ty) {
            self.shapes.push(ty);
        }
    }
}
