//! Makes mutants of a kernel, runs them, and draws one whose results show its mistake.

use super::changes;
use super::dead;
use super::mistake::Mistake;
use crate::model::{Launch, agreement};
use crate::synth::Rng;
use kernel_ir::data::Arg;
use kernel_ir::interp;
use kernel_ir::ir::{Block, Expr, Kernel, ParamKind, Place, PlaceRoot, Stmt, StmtKind};
use kernel_ir::verify::{self, VerifiedKernel};

/// How many trips of loops a mutant may make: its loops may not end.
const TRIPS: u64 = 1 << 20;

/// How many mutants are drawn until one shows.
const DRAWS: u64 = 16;

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
        if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place() {
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
pub(crate) enum MutantOutcome {
    /// All arguments are what they should be, as far as the tolerances tell.
    Same,
    /// One of them is not.
    Differs(String),
    /// It ends with an error, or not at all, or threads meet where they must not.
    Fails(String),
}

/// Runs a mutant on the arguments before `launch`, of which it should make those after it, give or take `allowed`.
pub(crate) fn run(mutant: &VerifiedKernel, launch: &Launch, allowed: &[Arg]) -> MutantOutcome {
    let mut args = launch.before.clone();
    if let Err(fault) = interp::run_with(mutant, &launch.dim, &mut args, TRIPS) {
        return MutantOutcome::Fails(fault.message);
    }
    let names = mutant.params.iter().map(|param| param.name.as_str());
    if let Err(why) = agreement(names, &args, &launch.after, allowed) {
        return MutantOutcome::Differs(why);
    }
    match interp::check_races(mutant, &launch.dim, &mut launch.before.clone()) {
        Ok(()) => MutantOutcome::Same,
        Err(fault) => MutantOutcome::Fails(fault.message),
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
        matches!(run(&mutant, launch, allowed), MutantOutcome::Differs(_)).then_some((mutant, mistake))
    })
}
