//! `return`, `break` and `continue` turned into branches, so that what runs of a block is a matter of conditions only.
//!
//! A `return` inside a loop becomes a flag and a `break`; every other exit, to the end of a block, moves what follows it
//! into the branch that does not exit. Only where the exit depends on more than one branch does a flag remember it.

use super::build::{assign, bool, branch, declare, expr, local_place, not};
use crate::ir::{Block, ExprKind, Kernel, Local, LocalId, Span, Stmt, StmtKind, Type};

/// Makes a local and returns its number.
pub(super) fn fresh(locals: &mut Vec<Local>, name: impl Into<String>, ty: Type) -> LocalId {
    locals.push(Local { name: name.into(), ty, mutable: true, len: None, span: Span::NONE });
    LocalId(u32::try_from(locals.len() - 1).expect("a kernel has fewer than 2^32 locals"))
}

/// Removes every `return` of `kernel`.
pub(super) fn remove_returns(kernel: &mut Kernel) {
    if !contains(&kernel.body, true, &|kind| matches!(kind, StmtKind::Return(_))) {
        return;
    }
    let body = std::mem::take(&mut kernel.body);
    let mut returned = None;
    let body = returns_of_loops(body, false, &mut kernel.locals, &mut returned);
    let mut body = end_early(body, &|kind| matches!(kind, StmtKind::Return(_)), &mut kernel.locals);
    if let Some(returned) = returned {
        body.insert(0, declare(returned, bool(false)));
    }
    kernel.body = body;
}

/// Turns every `return` in a loop into `returned = true; break`, followed by the same after the loop.
fn returns_of_loops(block: Block, in_loop: bool, locals: &mut Vec<Local>, returned: &mut Option<LocalId>) -> Block {
    let mut out = Block::new();
    for Stmt { kind, span } in block {
        let mut leaves = false;
        let kind = match kind {
            StmtKind::Return(_) if in_loop => {
                let flag = *returned.get_or_insert_with(|| fresh(locals, "returned", Type::BOOL));
                out.push(assign(local_place(flag, Type::BOOL), bool(true)));
                StmtKind::Break
            }
            StmtKind::If { cond, then, other } => StmtKind::If {
                cond,
                then: returns_of_loops(then, in_loop, locals, returned),
                other: returns_of_loops(other, in_loop, locals, returned),
            },
            StmtKind::For { local, range, body } => {
                leaves = contains(&body, true, &|kind| matches!(kind, StmtKind::Return(_)));
                StmtKind::For { local, range, body: returns_of_loops(body, true, locals, returned) }
            }
            StmtKind::While { cond, body } => {
                leaves = contains(&body, true, &|kind| matches!(kind, StmtKind::Return(_)));
                StmtKind::While { cond, body: returns_of_loops(body, true, locals, returned) }
            }
            kind => kind,
        };
        out.push(Stmt { kind, span });
        if let (true, Some(flag)) = (leaves, *returned) {
            let exit = if in_loop { StmtKind::Break } else { StmtKind::Return(None) };
            let cond = expr(ExprKind::Local(flag), Type::BOOL);
            out.extend(branch(cond, vec![Stmt { kind: exit, span }], Vec::new()));
        }
    }
    out
}

/// The same block without the statements for which `exit` holds, which go to its end.
pub(super) fn end_early(block: Block, exit: &dyn Fn(&StmtKind) -> bool, locals: &mut Vec<Local>) -> Block {
    let mut rewriter = Rewriter { exit, locals, done: None };
    let mut block = rewriter.block(block, false);
    if let Some(done) = rewriter.done {
        block.insert(0, declare(done, bool(false)));
    }
    block
}

/// Whether `block` contains such a statement; in the loops inside it only if `deep`.
pub(super) fn contains(block: &Block, deep: bool, wanted: &dyn Fn(&StmtKind) -> bool) -> bool {
    block.iter().any(|stmt| {
        let is_loop = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
        wanted(&stmt.kind) || ((deep || !is_loop) && stmt.blocks().any(|block| contains(block, deep, wanted)))
    })
}

struct Rewriter<'a> {
    exit: &'a dyn Fn(&StmtKind) -> bool,
    locals: &'a mut Vec<Local>,
    /// The flag that says that an exit has been taken.
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
        *self.done.get_or_insert_with(|| fresh(self.locals, "done", Type::BOOL))
    }

    fn exits(&self, block: &Block) -> Exits {
        if !contains(block, false, self.exit) {
            return Exits::None;
        }
        let all = block.iter().any(|stmt| match &stmt.kind {
            StmtKind::If { then, other, .. } => self.exits(then) == Exits::All && self.exits(other) == Exits::All,
            kind => (self.exit)(kind),
        });
        if all { Exits::All } else { Exits::Some }
    }
}
