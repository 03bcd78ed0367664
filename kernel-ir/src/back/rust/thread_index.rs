//! Declarations of the thread index and of the block.

use super::writer::Writer;
use crate::ir::{Expr, ExprKind, Stmt, StmtKind};

impl Writer<'_> {
    /// Declares the thread indices at the start of the body, unless each is bound by a `let` where the IR reads it. The
    /// declaration also shows the number of launch axes.
    pub(super) fn bind_thread_index(&mut self) {
        if let Some(line) = self.thread_index_line() {
            self.line(&line);
        }
    }

    /// Declares the block of a block kernel at the start of its text.
    pub(super) fn bind_block(&mut self) {
        let Some(size) = self.kernel.block else { return };
        let name = self.names.fresh("block");
        self.line(&format!("let {name} = {}::<{size}>();", self.supplied("block")));
        self.tids = vec![format!("{name}.index")];
        self.block = Some(name);
    }

    /// The line that declares the thread indices; `None` if it is not needed.
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
        for (count, preferred) in read.iter().zip(["i", "j", "k", "l"]) {
            names.push(if *count == 0 { "_".to_owned() } else { self.names.fresh(preferred) });
        }
        let line = format!("let ({}) = {}();", names.join(", "), self.supplied(&format!("tid{dim}")));
        self.tids = names;
        Some(line)
    }

    /// Writes `let (i, j) = tid2();` for the declarations at the start of `block` that bind thread indices. Returns the
    /// number of statements that it replaces.
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
