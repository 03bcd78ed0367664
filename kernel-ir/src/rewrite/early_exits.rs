//! Removal of early exits from a block: the statements after an exit move into the branch that does not take the exit.
//!
//! `eliminate_returns` uses this for `return`, and the reversal of loops for `break` and `continue`. A flag is needed
//! only where both branches of an `if` may exit and at least one of them may also go on.

use super::build::{assign, bool, branch, declare, expr, local_place, not};
use crate::analysis::always_exits;
use crate::ir::{Block, ExprKind, Local, LocalId, Stmt, StmtKind, Type};

/// Rewrites `block` so that it has no statement for which `exit` holds. Where such a statement ran, control reaches the
/// end of the block.
pub(crate) fn end_early(block: Block, exit: &dyn Fn(&StmtKind) -> bool, locals: &mut Vec<Local>) -> Block {
    let mut rewriter = Rewriter { exit, locals, done: None };
    let mut block = rewriter.block(block, false);
    if let Some(done) = rewriter.done {
        block.insert(0, declare(done, bool(false)));
    }
    block
}

/// Whether `block` contains a statement for which `wanted` holds, outside of the loops in it. A `break` in an inner
/// loop belongs to that loop.
pub(crate) fn contains(block: &Block, wanted: &dyn Fn(&StmtKind) -> bool) -> bool {
    block
        .iter()
        .any(|stmt| wanted(&stmt.kind) || (!stmt.is_loop() && stmt.blocks().any(|block| contains(block, wanted))))
}

struct Rewriter<'a> {
    exit: &'a dyn Fn(&StmtKind) -> bool,
    locals: &'a mut Vec<Local>,
    /// The flag that records that an exit has been taken.
    done: Option<LocalId>,
}

/// Which paths through a block end it early.
#[derive(Clone, Copy, PartialEq)]
enum Exits {
    None,
    Some,
    All,
}

impl Rewriter<'_> {
    /// `mark`: an exit must set the flag.
    fn block(&mut self, block: Block, mark: bool) -> Block {
        let mut out = Block::new();
        let mut rest = block.into_iter();
        while let Some(stmt) = rest.next() {
            if (self.exit)(&stmt.kind) {
                if mark {
                    let done = self.flag();
                    out.push(assign(local_place(done, Type::BOOL), bool(true)));
                }
                return out;
            }
            let StmtKind::If { cond, then, other } = stmt.kind else {
                out.push(stmt);
                continue;
            };
            match (self.exits(&then), self.exits(&other)) {
                (Exits::None, Exits::None) => {
                    out.push(Stmt { kind: StmtKind::If { cond, then, other }, span: stmt.span });
                }
                (Exits::All, Exits::All) => {
                    out.extend(branch(cond, self.block(then, mark), self.block(other, mark)));
                    return out;
                }
                (Exits::All, Exits::None) => {
                    let then = self.block(then, mark);
                    let other = self.block(other.into_iter().chain(rest).collect(), mark);
                    out.extend(branch(cond, then, other));
                    return out;
                }
                (Exits::None, Exits::All) => {
                    let other = self.block(other, mark);
                    let then = self.block(then.into_iter().chain(rest).collect(), mark);
                    out.extend(branch(cond, then, other));
                    return out;
                }
                _ => {
                    let done = self.flag();
                    out.extend(branch(cond, self.block(then, true), self.block(other, true)));
                    let going = not(expr(ExprKind::Local(done), Type::BOOL));
                    out.extend(branch(going, self.block(rest.collect(), mark), Vec::new()));
                    return out;
                }
            }
        }
        out
    }

    fn flag(&mut self) -> LocalId {
        *self.done.get_or_insert_with(|| Local::fresh(self.locals, "done", Type::BOOL))
    }

    fn exits(&self, block: &Block) -> Exits {
        match (contains(block, self.exit), always_exits(block, self.exit)) {
            (false, _) => Exits::None,
            (true, false) => Exits::Some,
            (true, true) => Exits::All,
        }
    }
}
