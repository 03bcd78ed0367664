//! Paths that end a block early.

use crate::ir::{Block, StmtKind};

/// Whether every path through `block` reaches a statement for which `exit` holds, provided that it reaches no other
/// exit before.
pub(crate) fn always_exits(block: &Block, exit: &dyn Fn(&StmtKind) -> bool) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::If { then, other, .. } => always_exits(then, exit) && always_exits(other, exit),
        kind @ (StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Print(_)) => exit(kind),
    })
}
