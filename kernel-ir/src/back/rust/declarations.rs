//! Locals that Rust declares without `let`: `mut` parameters and constants.

use crate::ir::{Block, Expr, ExprKind, Kernel, LocalId, ParamId, StmtKind};
use crate::ops::Syntax;
use std::collections::{HashMap, HashSet};

/// The locals that become `mut` parameters. They start as copies of parameters with the same name, at the start of the
/// body and in the order of the parameters, and nothing else reads the originals.
pub(super) fn mutable_params(kernel: &Kernel) -> HashMap<LocalId, ParamId> {
    let is_read_once = |param: ParamId| {
        let mut reads = 0;
        kernel.walk_exprs(&mut |expr| reads += usize::from(expr.kind == ExprKind::Param(param)));
        reads == 1
    };
    let mut copies = HashMap::new();
    let mut last = None;
    for stmt in &kernel.body {
        let StmtKind::Let { local, init: Some(Expr { kind: ExprKind::Param(param), .. }) } = stmt.kind else { break };
        let copy = kernel.local(local);
        if !copy.mutable || copy.name != kernel.param(param).name || last >= Some(param) || !is_read_once(param) {
            break;
        }
        copies.insert(local, param);
        last = Some(param);
    }
    copies
}

/// The locals that become `const` items: immutable, named in upper case, at the start of their block, with a value that
/// Rust computes at compile time.
pub(super) fn consts(kernel: &Kernel, copies: &HashMap<LocalId, ParamId>) -> HashSet<LocalId> {
    let mut found = HashSet::new();
    consts_of(kernel, &kernel.body, copies, &mut found);
    kernel.walk_stmts(&mut |stmt| {
        for block in stmt.blocks() {
            consts_of(kernel, block, copies, &mut found);
        }
    });
    found
}

fn consts_of(kernel: &Kernel, block: &Block, copies: &HashMap<LocalId, ParamId>, found: &mut HashSet<LocalId>) {
    for stmt in block {
        let StmtKind::Let { local, init: Some(init) } = &stmt.kind else { return };
        if copies.contains_key(local) {
            continue;
        }
        let known = kernel.local(*local);
        let is_named_so = known.name.contains(|c: char| c.is_uppercase()) && known.name == known.name.to_uppercase();
        if known.mutable || !is_named_so || !is_constant(init, found) {
            return;
        }
        found.insert(*local);
    }
}

/// Whether Rust computes the value at compile time: operators on numbers, constructors of vectors, and enums.
fn is_constant(expr: &Expr, consts: &HashSet<LocalId>) -> bool {
    !expr.any(&mut |part| match &part.kind {
        ExprKind::Literal(_) | ExprKind::Cast(_) => false,
        ExprKind::Local(local) => !consts.contains(local),
        ExprKind::Op(op, args) => match op.def().rust {
            Syntax::Infix(_) | Syntax::Prefix(_) => args.iter().any(|arg| !arg.ty.is_scalar()),
            Syntax::Assoc(_) => false,
            Syntax::Method(_) | Syntax::Function(_) | Syntax::Draw(_) => true,
        },
        ExprKind::Struct(_) => part.ty.as_enum().is_none(),
        ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Field(..)
        | ExprKind::Tile(..)
        | ExprKind::Select { .. } => true,
    })
}
