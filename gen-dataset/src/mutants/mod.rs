//! Kernels with a mistake: what a careless author, or a model, makes of a kernel.
//!
//! A mutant is the IR of a kernel or adjoint with one [`Mistake`] in one place, and keeps the rules of the language. It can
//! be printed as every text, and the interpreter runs it in microseconds, so that thousands can be put before the checks
//! (`tests`), and each task of the config `contrast` has one ([`rejected`]).

mod changes;
mod dead;
#[cfg(test)]
mod tests;

use crate::compare::agreement;
use crate::judges::Launch;
use crate::synth::Rng;
use kernel_ir::data::Arg;
use kernel_ir::interp;
use kernel_ir::ir::{Block, Expr, Kernel, ParamKind, Place, PlaceRoot, Stmt, StmtKind};
use kernel_ir::verify::{self, VerifiedKernel};

/// How many trips of loops a mutant may make: its loops may not end.
const TRIPS: u64 = 1 << 20;

/// How many mutants are drawn until one shows.
const DRAWS: u64 = 16;

/// What is wrong with a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mistake {
    /// A loop or a comparison of integers is off by one.
    Bound,
    /// An operand of a sum, a product or an extremum, or a summand, is gone.
    DroppedTerm,
    /// A sign, or the direction of an update, is the opposite.
    Sign,
    /// An atomic is a plain update.
    MissingAtomic,
    /// An index is off by one, of another axis, or that of another component.
    WrongIndex,
    /// Two arguments, indices or branches are exchanged.
    SwappedArguments,
    /// A store is gone.
    StaleOutput,
    /// NaN is stored.
    NanOutput,
    /// A result is stored in an input, too.
    OverwrittenInput,
    /// Zero is stored, or added: in an adjoint, a gradient is zero.
    ZeroedValue,
}

impl Mistake {
    /// Every mistake.
    pub(crate) const ALL: [Mistake; 10] = [
        Mistake::Bound,
        Mistake::DroppedTerm,
        Mistake::Sign,
        Mistake::MissingAtomic,
        Mistake::WrongIndex,
        Mistake::SwappedArguments,
        Mistake::StaleOutput,
        Mistake::NanOutput,
        Mistake::OverwrittenInput,
        Mistake::ZeroedValue,
    ];

    /// Whether people make it without meaning to, and see it where threads run one after the other.
    fn is_natural(self) -> bool {
        !matches!(self, Mistake::MissingAtomic | Mistake::NanOutput | Mistake::OverwrittenInput | Mistake::ZeroedValue)
    }

    /// The name in datasets.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mistake::Bound => "bound",
            Mistake::DroppedTerm => "dropped_term",
            Mistake::Sign => "sign",
            Mistake::MissingAtomic => "missing_atomic",
            Mistake::WrongIndex => "wrong_index",
            Mistake::SwappedArguments => "swapped_arguments",
            Mistake::StaleOutput => "stale_output",
            Mistake::NanOutput => "nan_output",
            Mistake::OverwrittenInput => "overwritten_input",
            Mistake::ZeroedValue => "zeroed_value",
        }
    }
}

/// How many mutants of `kernel` have that mistake. Some of them break a rule of the language.
pub(crate) fn count(kernel: &Kernel, mistake: Mistake) -> usize {
    let mut cursor = Cursor { mistake, kernel, left: usize::MAX };
    cursor.block(&mut kernel.body.clone());
    usize::MAX - cursor.left
}

/// The mutant of that number; none if it breaks a rule of the language, or if there is none of that number.
pub(crate) fn mutant(kernel: &Kernel, mistake: Mistake, number: usize) -> Option<VerifiedKernel> {
    let mut body = kernel.body.clone();
    if !(Cursor { mistake, kernel, left: number }).block(&mut body) {
        return None;
    }
    let mut mutant = Kernel { body, ..kernel.clone() };
    if mistake == Mistake::OverwrittenInput {
        let written = written(&mutant);
        for (param, _) in mutant.params.iter_mut().zip(written).filter(|(_, written)| *written) {
            if let ParamKind::Array { mutable, .. } = &mut param.kind {
                *mutable = true;
            }
        }
    }
    verify::verify(mutant).ok()
}

/// Which parameters the body writes to.
fn written(kernel: &Kernel) -> Vec<bool> {
    let mut written = vec![false; kernel.params.len()];
    kernel.walk_stmts(&mut |stmt| {
        if let StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } | StmtKind::Atomic { place, .. } =
            &stmt.kind
            && let PlaceRoot::Element { array, .. } = place.root
        {
            written[array.0 as usize] = true;
        }
    });
    written
}

/// The way through a body to one of its changes.
struct Cursor<'a> {
    mistake: Mistake,
    kernel: &'a Kernel,
    /// How many changes are passed by.
    left: usize,
}

impl Cursor<'_> {
    /// The change to make of these, if it is one of them.
    fn choose<T>(&mut self, changes: Vec<T>) -> Option<T> {
        match self.left.checked_sub(changes.len()) {
            Some(left) => {
                self.left = left;
                None
            }
            None => changes.into_iter().nth(self.left),
        }
    }

    /// Makes the change, if it is in the block.
    fn block(&mut self, block: &mut Block) -> bool {
        for place in 0..block.len() {
            if let Some(stmts) = self.choose(changes::of_stmt(self.mistake, &block[place], self.kernel)) {
                block.splice(place..=place, stmts);
                return true;
            }
            if self.stmt(&mut block[place]) {
                return true;
            }
        }
        false
    }

    fn stmt(&mut self, stmt: &mut Stmt) -> bool {
        let place: Option<&mut Place> = match &mut stmt.kind {
            StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } | StmtKind::Atomic { place, .. } => {
                Some(place)
            }
            _ => None,
        };
        if let Some(place) = place
            && let Some(other) = self.choose(changes::of_place(self.mistake, place, self.kernel))
        {
            *place = other;
            return true;
        }
        if self.mistake == Mistake::WrongIndex && changes::axis_of(stmt).is_some() {
            return false;
        }
        stmt.exprs_mut().any(|expr| self.expr(expr)) || stmt.blocks_mut().any(|block| self.block(block))
    }

    fn expr(&mut self, expr: &mut Expr) -> bool {
        if let Some(other) = self.choose(changes::of_expr(self.mistake, expr, self.kernel)) {
            *expr = other;
            return true;
        }
        expr.children_mut().any(|child| self.expr(child))
    }
}

/// What comes of a launch of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// All arguments are what they should be, as far as the tolerances tell.
    Same,
    /// One of them is not.
    Differs(String),
    /// It ends with an error, or not at all, or threads meet where they must not.
    Fails(String),
}

/// Runs a mutant on the arguments before `launch`, of which it should make those after it, give or take `allowed`.
pub(crate) fn run(mutant: &VerifiedKernel, launch: &Launch, allowed: &[Arg]) -> Run {
    let mut args = launch.before.clone();
    if let Err(fault) = interp::run_with(mutant, &launch.dim, &mut args, TRIPS) {
        return Run::Fails(fault.message);
    }
    let names = mutant.params.iter().map(|param| param.name.as_str());
    if let Err(why) = agreement(names, &args, &launch.after, allowed) {
        return Run::Differs(why);
    }
    match interp::check_races(mutant, &launch.dim, &mut launch.before.clone()) {
        Ok(()) => Run::Same,
        Err(fault) => Run::Fails(fault.message),
    }
}

/// A mutant of `kernel` that ends and leaves other results than `launch` has, as `seed` draws it, without what its mistake made
/// dead: that would tell which of two answers is the wrong one.
pub(crate) fn rejected(
    kernel: &VerifiedKernel,
    launch: &Launch,
    allowed: &[Arg],
    seed: u64,
) -> Option<(VerifiedKernel, Mistake)> {
    let counts: Vec<(Mistake, usize)> = Mistake::ALL
        .into_iter()
        .filter(|mistake| mistake.is_natural())
        .map(|mistake| (mistake, count(kernel, mistake)))
        // Without its only store a kernel does nothing, which is no mistake to learn from.
        .filter(|(mistake, count)| *count > usize::from(*mistake == Mistake::StaleOutput))
        .collect();
    if counts.is_empty() {
        return None;
    }
    (0..DRAWS).find_map(|draw| {
        let mut dice = Rng::new(seed, 0, draw);
        let (mistake, count) = dice.pick(&counts);
        let mutant = dead::without_dead(kernel, mutant(kernel, mistake, dice.below(count))?)?;
        matches!(run(&mutant, launch, allowed), Run::Differs(_)).then_some((mutant, mistake))
    })
}
