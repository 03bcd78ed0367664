//! Replaces the phases of a block kernel by the loops that they mean, so that the adjoint knows loops and tiles only.

use crate::ir::{Direction, Kernel, StmtKind};
use crate::verify::tile_phases::has_tiles;

/// Makes a kernel of a block kernel whose threads are the blocks. If it has tiles, it stays a block kernel, whose threads work
/// together on the tiles.
pub(crate) fn as_loops(kernel: &mut Kernel) {
    if kernel.block.is_none() {
        return;
    }
    if !has_tiles(kernel) {
        kernel.block = None;
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
