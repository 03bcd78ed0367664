//! Turns `return` into branches.
//!
//! A `return` inside a loop becomes `returned = true; break`, and the same test follows every surrounding loop. Any
//! other `return` ends the body early and is removed by [`early_exits`](super::early_exits).

use super::build::{assign, bool, branch, declare, expr, local_place};
use super::early_exits::end_early;
use crate::ir::{Block, ExprKind, Kernel, Local, LocalId, Stmt, StmtKind, Type};

/// Removes every `return` from `kernel`.
pub(crate) fn eliminate_returns(kernel: &mut Kernel) {
    if !kernel.body.iter().any(|stmt| stmt.any(&mut |stmt| is_return(&stmt.kind))) {
        return;
    }
    let body = std::mem::take(&mut kernel.body);
    let mut returned = None;
    let body = returns_of_loops(body, false, &mut kernel.locals, &mut returned);
    let mut body = end_early(body, &is_return, &mut kernel.locals);
    if let Some(returned) = returned {
        body.insert(0, declare(returned, bool(false)));
    }
    kernel.body = body;
}

/// Turns every `return` in a loop into `returned = true; break`. After the loop, the same exit follows: a `break`
/// inside another loop, else a `return`.
fn returns_of_loops(block: Block, in_loop: bool, locals: &mut Vec<Local>, returned: &mut Option<LocalId>) -> Block {
    let mut out = Block::new();
    for mut stmt in block {
        let (is_loop, span) = (stmt.is_loop(), stmt.span);
        let leaves = is_loop && stmt.any(&mut |stmt| is_return(&stmt.kind));
        if in_loop && is_return(&stmt.kind) {
            let flag = *returned.get_or_insert_with(|| Local::fresh(locals, "returned", Type::BOOL));
            out.push(assign(local_place(flag, Type::BOOL), bool(true)));
            stmt.kind = StmtKind::Break;
        }
        for inner in stmt.blocks_mut() {
            *inner = returns_of_loops(std::mem::take(inner), in_loop || is_loop, locals, returned);
        }
        out.push(stmt);
        if let (true, Some(flag)) = (leaves, *returned) {
            let exit = if in_loop { StmtKind::Break } else { StmtKind::Return(None) };
            let cond = expr(ExprKind::Local(flag), Type::BOOL);
            out.extend(branch(cond, vec![Stmt { kind: exit, span }], Vec::new()));
        }
    }
    out
}

pub(crate) fn is_return(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Return(_))
}
