//! The lengths of kernels. Half of the published kernels have about 15 lines in their bodies, and some have over 80.

use super::families::Family;
use super::generator::Generator;
use super::rng::Rng;
use kernel_ir::ir::{Block, Expr, ExprKind, Place, PlaceRoot, Stmt, StmtKind};

/// The number of items that nothing has read yet, from which on a kernel that grows combines them.
const UNREAD: usize = 3;

/// The least number of lines of a kernel, before dead code is removed.
pub(super) fn least(rng: &mut Rng, difficulty: usize) -> usize {
    let (low, high) = match difficulty {
        1 => (0, 6),
        2 => (4, 12),
        3 => (8, 19),
        4 => (15, 32),
        _ if rng.percent(35) => (90, 130),
        _ => (26, 60),
    };
    rng.int(low, high) as usize
}

/// The number of lines of the block, about.
pub(super) fn of(block: &Block) -> usize {
    block.iter().map(lines).sum()
}

fn lines(stmt: &Stmt) -> usize {
    match &stmt.kind {
        // The first values of a local array stand in its declaration.
        StmtKind::Assign { place: Place { root: PlaceRoot::LocalElement { index, .. }, .. }, .. }
            if matches!(index.kind, ExprKind::Literal(_)) =>
        {
            0
        }
        StmtKind::Let { init: Some(value), .. } | StmtKind::Assign { value, .. } => 1 + 2 * choices(value),
        StmtKind::If { then, other, .. } => {
            let is_chain = matches!(&other[..], [Stmt { kind: StmtKind::If { .. }, .. }]);
            let end = if is_chain { 0 } else { 1 + usize::from(!other.is_empty()) };
            1 + of(then) + of(other) + end
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => 2 + of(body),
        _ => 1,
    }
}

/// The number of choices in a chain of `if`s, which has a line for each condition and value.
fn choices(value: &Expr) -> usize {
    match &value.kind {
        ExprKind::Select { other, .. } if matches!(other.kind, ExprKind::Select { .. }) => 1 + choices(other),
        _ => 0,
    }
}

impl Generator {
    /// Takes further steps of the family until the kernel has about `least` lines.
    pub(super) fn grow(&mut self, family: &Family, least: usize) {
        // A step may find no room.
        for _ in 0..2 * least {
            let lines = of(&self.block);
            if lines >= least {
                return;
            }
            if self.rng.below(100) < (least - lines).min(35) {
                self.inputs_left = self.inputs_left.max(1);
            }
            let steps = if self.rng.percent(30) { family.core } else { family.more };
            let step = self.rng.weighted(steps);
            self.step(step);
            if self.items.iter().filter(|item| item.uses == 0).count() > UNREAD {
                self.merge(UNREAD);
            }
        }
    }
}
