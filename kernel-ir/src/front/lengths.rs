//! The lengths of local arrays: integers that are known when a kernel is compiled.

use super::items::Known;
use super::links::link_name;
use super::syntax::{plain_name, ungrouped};
use crate::ir::{Expr, ExprKind, Kernel, LocalMap, SpanTable, StmtKind};
use crate::ops::Op;

/// The largest length of a local array. A GPU keeps the arrays of every thread in its memory at the same time.
pub(super) const MOST_ELEMENTS: u32 = 1024;

/// The integer that an expression of literals and constants is. `local` has the constants of the body, by name.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a constant")]
pub(super) fn constant_integer(
    expr: &syn::Expr,
    local: &dyn Fn(&str) -> Option<i128>,
    known: &Known,
    spans: &mut SpanTable,
) -> Option<i128> {
    match ungrouped(expr) {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().ok(),
        syn::Expr::Cast(cast) => constant_integer(&cast.expr, local, known, spans),
        syn::Expr::Path(path) if path.qself.is_none() => match known.constant(&link_name(&path.path), spans) {
            Some(code) => code.ok().and_then(|code| result_of(code.code())),
            None => local(&plain_name(path.path.get_ident()?)),
        },
        syn::Expr::Binary(binary) => {
            let op = match binary.op {
                syn::BinOp::Add(_) => Op::Add,
                syn::BinOp::Sub(_) => Op::Sub,
                syn::BinOp::Mul(_) => Op::Mul,
                syn::BinOp::Div(_) => Op::Div,
                _ => return None,
            };
            let mut side = |side: &syn::Expr| constant_integer(side, local, known, spans);
            apply(op, side(&binary.left)?, side(&binary.right)?)
        }
        _ => None,
    }
}

/// The result of a function without parameters, if it is a constant integer.
fn result_of(code: &Kernel) -> Option<i128> {
    let mut known = LocalMap::default();
    for stmt in &code.body {
        match &stmt.kind {
            StmtKind::Let { local, init: Some(init) } => {
                if let Some(number) = evaluate(init, &known) {
                    known.insert(*local, number);
                }
            }
            StmtKind::Return(Some(result)) => return evaluate(result, &known),
            StmtKind::Let { init: None, .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None)
            | StmtKind::Print(_) => return None,
        }
    }
    None
}

#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a constant")]
fn evaluate(expr: &Expr, known: &LocalMap<i128>) -> Option<i128> {
    match &expr.kind {
        ExprKind::Local(local) => known.get(*local).copied(),
        ExprKind::Cast(inner) => evaluate(inner, known),
        ExprKind::Op(op, args) => match args.as_slice() {
            [a, b] => apply(*op, evaluate(a, known)?, evaluate(b, known)?),
            _ => None,
        },
        _ => expr.as_integer(),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "lengths need no other operations")]
fn apply(op: Op, a: i128, b: i128) -> Option<i128> {
    match op {
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        Op::Mul => a.checked_mul(b),
        Op::Div => a.checked_div(b),
        _ => None,
    }
}
