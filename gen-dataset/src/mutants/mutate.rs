//! Makes the mutants of a kernel, runs them, and draws one whose results show its mistake.
//!
//! The mutants of a kernel for one mistake are numbered in the order of a walk through its body.

use super::changes;
use super::dead;
use super::mistake::Mistake;
use crate::model::{Launch, agreement};
use crate::synth::Rng;
use kernel_ir::columns;
use kernel_ir::data::Arg;
use kernel_ir::interp;
use kernel_ir::ir::{Block, Expr, Kernel, ParamKind, Place, PlaceRoot, Stmt, StmtKind};
use kernel_ir::verify::{self, VerifiedKernel};

/// The limit on loop trips of a mutant. A mutated loop may not terminate.
const TRIPS: u64 = 1 << 20;

/// The number of mutants that are drawn until one shows its mistake.
const DRAWS: u64 = 16;

/// The number of mutants of `kernel` with `mistake`. Some of them break a rule of the language.
pub(crate) fn count(kernel: &Kernel, mistake: Mistake) -> usize {
    // `left` never runs out, so the walk passes every replacement and makes none.
    let mut cursor = Cursor { mistake, kernel, left: usize::MAX };
    cursor.block(&mut kernel.body.clone());
    usize::MAX - cursor.left
}

/// The mutant `number` of `kernel`. `None` if it breaks a rule of the language, or if there are fewer mutants.
pub(crate) fn mutant(kernel: &Kernel, mistake: Mistake, number: usize) -> Option<VerifiedKernel> {
    let mut body = kernel.body.clone();
    if !(Cursor { mistake, kernel, left: number }).block(&mut body) {
        return None;
    }
    let mut mutant = Kernel { body, ..kernel.clone() };
    // The language demands `&mut` for an array that is written, so the parameter changes with the body.
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

/// Whether the body writes to each parameter.
fn written(kernel: &Kernel) -> Vec<bool> {
    let mut written = vec![false; kernel.params.len()];
    kernel.walk_stmts(&mut |stmt| {
        if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place() {
            written[array.0 as usize] = true;
        }
    });
    written
}

/// A walk through a body to one of its replacements.
struct Cursor<'a> {
    mistake: Mistake,
    kernel: &'a Kernel,
    /// The number of replacements that are still to be passed.
    left: usize,
}

impl Cursor<'_> {
    /// The replacement to make, if it is among `changes`.
    fn choose<T>(&mut self, changes: Vec<T>) -> Option<T> {
        match self.left.checked_sub(changes.len()) {
            Some(left) => {
                self.left = left;
                None
            }
            None => changes.into_iter().nth(self.left),
        }
    }

    /// Makes the replacement if it is in the block. Returns whether it did.
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

/// The outcome of a launch of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MutantOutcome {
    /// All arguments agree within the tolerances.
    Same,
    /// An argument differs.
    Differs(String),
    /// The launch ends with an error, does not terminate, or has a data race.
    Fails(String),
}

/// Runs a mutant on the arguments before `launch`, and compares the result with those after it, within `allowed`.
pub(crate) fn run(mutant: &VerifiedKernel, launch: &Launch, allowed: &[Arg]) -> MutantOutcome {
    let mutant = &*columns::of_kernel(mutant);
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

/// Draws by `seed` a mutant of `kernel` that terminates and whose results differ from those of `launch`. Code that the
/// mistake made dead is removed, because dead code would tell which of two answers is wrong. The mistake is made in the
/// tiles, if the kernel has some: a text of phases beside one of tiles would tell, too.
pub(crate) fn rejected(
    kernel: &VerifiedKernel,
    launch: &Launch,
    allowed: &[Arg],
    seed: u64,
) -> Option<(VerifiedKernel, Mistake)> {
    let kernel = kernel.with_tiles();
    let counts: Vec<(Mistake, usize)> = Mistake::ALL
        .into_iter()
        .filter(|mistake| mistake.is_natural())
        .map(|mistake| (mistake, count(kernel, mistake)))
        // A kernel without its only store does nothing. Nobody learns from that mistake.
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
