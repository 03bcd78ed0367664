//! Facts about a kernel from a walk over its IR: features, counts, signature.

use kernel_ir::ir::{Direction, Expr, ExprKind, Kernel, Memory, Param, Stmt, StmtKind};
use kernel_ir::ops::Op;
use kernel_ir::verify::VerifiedKernel;
use std::collections::BTreeSet;

/// The feature of a kernel whose author gives a derivative that differs from that of its code.
pub(crate) const SURROGATE_GRAD: &str = "surrogate_grad";

/// Facts about a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The constructs, operations and types in use, sorted.
    pub(crate) features: Vec<String>,
    /// The number of statements.
    pub(crate) statements: usize,
    /// The number of operations, updates and atomics included.
    pub(crate) operations: usize,
    /// The parameters in Rust syntax.
    pub(crate) signature: String,
}

impl Facts {
    /// The facts about `kernel`, as its author wrote it.
    pub(crate) fn of(kernel: &VerifiedKernel) -> Facts {
        let mut walk = Walk::default();
        walk.blocks(kernel);
        let kernel = kernel.with_tiles();
        kernel.walk_stmts(&mut |stmt| walk.stmt(stmt));
        kernel.walk_exprs(&mut |expr| walk.expr(expr));
        walk.types(kernel);
        for function in kernel.called() {
            function.code.walk_stmts(&mut |stmt| walk.stmt(stmt));
            function.code.walk_exprs(&mut |expr| walk.expr(expr));
            walk.types(&function.code);
        }
        Facts {
            features: walk.features.into_iter().collect(),
            statements: walk.statements,
            operations: walk.operations,
            signature: signature(kernel),
        }
    }
}

/// The parameters of `kernel` as its author wrote them: `(a: f32, x: &[f32], y: &mut [f32])`.
fn signature(kernel: &Kernel) -> String {
    let param = |param: &Param| format!("{}: {}", param.name, param.rust_type());
    format!("({})", kernel.params.iter().map(param).collect::<Vec<_>>().join(", "))
}

/// The findings of an unfinished walk.
#[derive(Default)]
struct Walk {
    features: BTreeSet<String>,
    statements: usize,
    operations: usize,
}

impl Walk {
    fn stmt(&mut self, stmt: &Stmt) {
        self.statements += 1;
        match &stmt.kind {
            StmtKind::Let { .. } => self.uses("let"),
            StmtKind::Assign { .. } => self.uses("assign"),
            StmtKind::Update { op, .. } => {
                self.uses("update");
                self.operation(*op);
            }
            StmtKind::Atomic { op, .. } => {
                self.operations += 1;
                self.uses(op.name());
            }
            StmtKind::If { other, .. } => {
                self.uses("if");
                if !other.is_empty() {
                    self.uses("else");
                }
            }
            StmtKind::For { range, .. } if range.direction == Direction::Phase => self.uses("phase"),
            StmtKind::For { range, .. } => {
                self.uses("for");
                if range.direction == Direction::Down {
                    self.uses("rev");
                }
                if range.step.is_some() {
                    self.uses("step_by");
                }
            }
            StmtKind::While { .. } => self.uses("while"),
            StmtKind::Break => self.uses("break"),
            StmtKind::Continue => self.uses("continue"),
            StmtKind::Return(_) => self.uses("return"),
            StmtKind::Print(message) => self.uses(if message.fails { "assert" } else { "print" }),
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::LocalElement { .. } | ExprKind::Param(_) => {}
            ExprKind::Tid(_) => self.uses("tid"),
            ExprKind::Extent { .. } => self.uses("len"),
            ExprKind::Present(_) => self.uses("is_some"),
            ExprKind::Load { .. } => self.uses("load"),
            ExprKind::Op(op, _) => self.operation(*op),
            ExprKind::Call(callee, _) => {
                self.uses("device");
                if let Some(gradient) = &callee.function.gradient {
                    self.uses("custom_grad");
                    if gradient.surrogate {
                        self.uses(SURROGATE_GRAD);
                    }
                }
            }
            ExprKind::Cast(_) => self.uses("cast"),
            ExprKind::Component(..) => self.uses("component"),
            ExprKind::Column(..) => self.uses("column"),
            ExprKind::Field(base, _) => self.uses(if base.ty.is_tuple() { "tuple" } else { "field" }),
            ExprKind::Struct(_) => self.uses(if expr.ty.is_tuple() { "tuple" } else { "struct" }),
            ExprKind::Tile(op, _) => {
                self.operations += 1;
                self.uses(op.name());
            }
            ExprKind::Select { .. } => self.uses("select"),
        }
    }

    fn types(&mut self, code: &Kernel) {
        let types = code.params.iter().map(Param::elem).chain(code.locals.iter().map(|local| local.ty));
        // The names of structs are their authors'.
        types.filter(|ty| !ty.is_struct()).for_each(|ty| self.uses(ty.name()));
    }

    fn blocks(&mut self, kernel: &Kernel) {
        if kernel.block.is_some() {
            self.uses("block");
        }
        if kernel.block_memory().iter().any(|(_, memory)| *memory == Memory::Shared) {
            self.uses("shared");
        }
    }

    fn operation(&mut self, op: Op) {
        self.operations += 1;
        self.uses(op.name());
    }

    fn uses(&mut self, feature: &str) {
        if !self.features.contains(feature) {
            self.features.insert(feature.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures;

    #[test]
    fn what_is_used_is_found_and_counted() {
        let facts = Facts::of(&fixtures::wave());
        assert_eq!(facts.features, ["add", "assign", "f32", "load", "mul", "sin", "tid", "update"]);
        assert_eq!((facts.statements, facts.operations), (2, 3));
        assert_eq!(facts.signature, "(a: f32, x: &[f32], y: &mut [f32])");
    }

    /// The feature follows from the functions that the kernel calls, not from its name.
    #[test]
    fn surrogate_gradients_are_a_feature() {
        kernels::link();
        let mut found = 0;
        for info in kernel_rt::registered_kernels() {
            let kernel = kernel_ir::text::parse(info.ir).unwrap();
            let kernel = kernel_ir::verify::verify(kernel).unwrap();
            let features = Facts::of(&kernel).features;
            let is_marked = features.iter().any(|feature| feature == SURROGATE_GRAD);
            assert_eq!(is_marked, kernel.has_surrogate(), "{}", info.name);
            found += usize::from(is_marked);
        }
        assert!(found > 0);
    }
}
