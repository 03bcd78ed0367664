//! Replaces the phases of a block kernel by the loops that they mean, so that the adjoint knows loops only.

use crate::ir::{Direction, Kernel, StmtKind};

/// Makes a kernel of a block kernel whose threads are the blocks.
pub(crate) fn as_loops(kernel: &mut Kernel) {
    if kernel.block.take().is_none() {
        return;
    }
    for stmt in &mut kernel.body {
        stmt.walk_mut(&mut |stmt| {
            if let StmtKind::For { range, .. } = &mut stmt.kind
                && range.direction == Direction::Phase
            {
                range.direction = Direction::Up;
            }
        });
    }
}
