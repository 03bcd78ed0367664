//! Declarations that Rust has a form of its own for: `mut` parameters, constants, thread indices.

use super::writer::{Writer, any};
use crate::ir::{Block, Expr, ExprKind, Kernel, LocalId, ParamId, Stmt, StmtKind};
use crate::ops::Syntax;
use std::collections::{HashMap, HashSet};

/// The locals that begin as copies of parameters with the same name, at the head of the body and in the order of the
/// parameters, whose originals nothing else reads: the parameters are declared `mut`.
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

/// The locals that are written as `const` items: named like constants, at the head of their block, with a value that
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

/// Whether Rust computes the value at compile time: operators on numbers, and vectors of such.
fn is_constant(expr: &Expr, consts: &HashSet<LocalId>) -> bool {
    !any(expr, |kind| match kind {
        ExprKind::Literal(_) | ExprKind::Cast(_) => false,
        ExprKind::Local(local) => !consts.contains(local),
        ExprKind::Op(op, args) => match op.def().rust {
            Syntax::Infix(_) | Syntax::Prefix(_) => args.iter().any(|arg| !arg.ty.is_scalar()),
            Syntax::Assoc(_) => false,
            Syntax::Method(_) => true,
        },
        _ => true,
    })
}

impl Writer<'_> {
    /// Declares the thread indices at the head of the body if `let`s do not do it where the IR reads them. A launch of
    /// several axes shows in the text by the function that is called.
    pub(super) fn bind_thread_index(&mut self) {
        if let Some(line) = self.thread_index_line() {
            self.line(&line);
        }
    }

    /// The line that declares them, if it is needed.
    pub(super) fn thread_index_line(&mut self) -> Option<String> {
        let dim = self.kernel.dim;
        if dim <= 1 {
            return None;
        }
        let mut bound = 0;
        self.kernel.walk_stmts(&mut |stmt| {
            bound += usize::from(matches!(&stmt.kind, StmtKind::Let { init: Some(init), .. } if is_tid(init)));
        });
        let mut read = vec![0; usize::from(dim)];
        self.kernel.walk_exprs(&mut |expr| {
            if let ExprKind::Tid(axis) = expr.kind {
                read[usize::from(axis)] += 1;
            }
        });
        let everywhere: usize = read.iter().sum();
        if everywhere > 0 && everywhere == bound {
            return None;
        }
        let mut names = Vec::new();
        for (count, wish) in read.iter().zip(["i", "j", "k", "l"]) {
            names.push(if *count == 0 { "_".to_owned() } else { self.names.fresh(wish) });
        }
        let line = format!("let ({}) = {}();", names.join(", "), self.supplied(&format!("tid{dim}")));
        self.tids = names;
        Some(line)
    }

    /// Writes the `let (i, j) = tid2();` that declares the locals at the head of `block`, if there is one. Returns how
    /// many statements it stands for.
    pub(super) fn thread_index(&mut self, block: &[Stmt]) -> usize {
        let dim = self.kernel.dim;
        if dim <= 1 || !self.tids.is_empty() {
            return 0;
        }
        let mut parts: Vec<String> = Vec::new();
        let mut count = 0;
        for stmt in block {
            let StmtKind::Let { local, init: Some(Expr { kind: ExprKind::Tid(axis), .. }) } = stmt.kind else { break };
            let (axis, name) = (usize::from(axis), self.names.local(local));
            let part = if self.kernel.local(local).mutable { format!("mut {name}") } else { name.to_owned() };
            if axis < parts.len() || parts.contains(&part) {
                break;
            }
            parts.resize(axis, "_".to_owned());
            parts.push(part);
            count += 1;
        }
        if count > 0 {
            parts.resize(usize::from(dim), "_".to_owned());
            self.line(&format!("let ({}) = {}();", parts.join(", "), self.supplied(&format!("tid{dim}"))));
        }
        count
    }
}

fn is_tid(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Tid(_))
}
