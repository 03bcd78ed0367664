//! Branches, and exits from loops and threads.

use super::Generator;
use kernel_ir::ir::{Block, Stmt, StmtKind};

impl Generator {
    pub(super) fn branch(&mut self, block: &mut Block) {
        let cond = self.condition(2);
        let mut then = self.nested();
        let mut other = Vec::new();
        if self.rng.percent(20) {
            self.branch(&mut other);
        } else if self.rng.percent(45) {
            other = self.nested();
        }
        let leaves = if self.loops.is_empty() { 4 } else { 15 };
        if self.rng.percent(leaves) {
            let jump = self.jump();
            if other.is_empty() || self.rng.percent(50) { then.push(jump) } else { other.push(jump) }
        }
        block.push(Stmt::branch(cond, then, other));
    }

    /// `if … { …; break; }` and similar exits. There may be an exit before the exit: `if … { if … { …; continue; } break; }`.
    pub(super) fn leave(&mut self, block: &mut Block) {
        if self.loops.is_empty() && self.rng.percent(60) {
            // Only a few threads should end early.
            return self.branch(block);
        }
        let cond = self.condition(1);
        let mut then = if self.rng.percent(40) { self.nested() } else { Vec::new() };
        if !self.loops.is_empty() && self.rng.percent(25) {
            let cond = self.condition(1);
            let mut before = self.nested();
            before.push(self.jump());
            then.push(Stmt::when(cond, before));
        }
        then.push(self.jump());
        block.push(Stmt::when(cond, then));
    }

    /// An exit from the current place.
    pub(super) fn jump(&mut self) -> Stmt {
        let Some(innermost) = self.loops.last() else { return Stmt::new(StmtKind::Return(None)) };
        let may_continue = usize::from(innermost.may_continue);
        let kind = match self.rng.weighted(&[(4, 0), (4 * may_continue, 1), (2, 2)]) {
            0 => StmtKind::Break,
            1 => StmtKind::Continue,
            _ => StmtKind::Return(None),
        };
        Stmt::new(kind)
    }

    /// A branch under the condition that an index near the thread's own is in range.
    pub(super) fn near(&mut self, block: &mut Block) {
        let Some((cond, fact)) = self.neighbour() else { return self.branch(block) };
        let then = self.scoped(|generator| {
            // Added several times, so that the index is used often.
            generator.facts.extend([fact.clone(), fact.clone(), fact]);
            generator.nested()
        });
        let other = if self.rng.percent(30) { self.nested() } else { Vec::new() };
        block.push(Stmt::branch(cond, then, other));
    }
}
