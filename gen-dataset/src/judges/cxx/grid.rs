//! CUDA grids: the blocks and threads that run a launch.

use kernel_ir::interp::{Tid, row_major};

/// A grid: its number of blocks, and of threads in a block, along `x`, `y` and `z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of blocks.
    pub blocks: [u32; 3],
    /// The number of threads in a block.
    pub threads: [u32; 3],
}

impl Grid {
    /// One thread, which strides through the whole launch.
    pub const ONE: Grid = Grid { blocks: [1, 1, 1], threads: [1, 1, 1] };

    /// The grids to test for a launch over `axes` axes: one thread, a warp, several blocks, an odd number, and blocks
    /// with several axes, larger along the first or along the last. A grid has no more axes than the launch, because
    /// threads along further axes would repeat the work.
    pub fn all(axes: usize) -> Vec<Grid> {
        let line = |blocks, threads| Grid { blocks: [blocks, 1, 1], threads: [threads, 1, 1] };
        let mut grids = vec![Grid::ONE, line(1, 32), line(2, 16), line(3, 7)];
        match axes {
            2 => grids.extend([
                Grid { blocks: [2, 3, 1], threads: [2, 4, 1] },
                Grid { blocks: [3, 2, 1], threads: [4, 2, 1] },
            ]),
            3 => grids.extend([
                Grid { blocks: [1, 2, 3], threads: [2, 3, 4] },
                Grid { blocks: [3, 2, 1], threads: [4, 3, 2] },
            ]),
            _ => {}
        }
        grids
    }

    /// The grids to test for a launch over blocks of `size` threads: one block, which strides through the launch, and several.
    pub fn of_blocks(size: u32) -> Vec<Grid> {
        [1, 2, 5].map(|blocks| Grid { blocks: [blocks, 1, 1], threads: [size, 1, 1] }).into()
    }

    /// The indices of a launch of `dim` in the order in which the harness runs them, for a launch over threads or over blocks.
    pub fn order(self, dim: &[usize], is_over_blocks: bool) -> Vec<Tid> {
        match is_over_blocks {
            true => Grid { threads: [1, 1, 1], ..self }.threads(dim),
            false => self.threads(dim),
        }
    }

    /// The smallest grid of blocks of `threads` with a thread for each index of a launch of `dim`. The last axis is on
    /// `x`; four axes are one.
    pub fn covering(dim: &[usize], threads: [u32; 3]) -> Grid {
        let all = [dim.iter().product()];
        let axes = if dim.len() > threads.len() { &all } else { dim };
        let mut blocks = [1; 3];
        for ((extent, threads), blocks) in axes.iter().rev().zip(threads).zip(&mut blocks) {
            *blocks = u32::try_from(*extent).unwrap_or(u32::MAX).div_ceil(threads).max(1);
        }
        Grid { blocks, threads }
    }

    /// The indices of a launch of `dim` in the order of the harness: block after block, thread after thread, each
    /// striding through the launch. A launch with four axes is a single strided loop.
    pub fn threads(self, dim: &[usize]) -> Vec<Tid> {
        let mut order = Vec::new();
        for [bz, by, bx] in boxes(self.blocks) {
            for [tz, ty, tx] in boxes(self.threads) {
                // Start and stride of the thread along `x`, `y` and `z`.
                let [x, y, z] = [(0, bx, tx), (1, by, ty), (2, bz, tz)].map(|(axis, block, thread)| {
                    let (blocks, threads) = (self.blocks[axis], self.threads[axis]);
                    ((block * threads + thread) as usize, (blocks * threads) as usize)
                });
                stride(dim, [x, y, z], &mut order);
            }
        }
        order
    }
}

/// The number of grid axes that a launch of `dim` uses. A launch with four axes is a single loop along `x`.
pub(super) fn axes(dim: &[usize]) -> usize {
    if dim.len() > 3 { 1 } else { dim.len() }
}

/// The indices of a box, with `z` as the outermost loop.
fn boxes([x, y, z]: [u32; 3]) -> impl Iterator<Item = [u32; 3]> {
    (0..z).flat_map(move |c| (0..y).flat_map(move |b| (0..x).map(move |a| [c, b, a])))
}

/// Appends the indices of one thread, by its start and stride along each axis.
fn stride(dim: &[usize], strides: [(usize, usize); 3], order: &mut Vec<Tid>) {
    if dim.len() > strides.len() {
        let (start, step) = strides[0];
        return order.extend(row_major(dim).skip(start).step_by(step));
    }
    let mut partial = vec![Vec::new()];
    // The last axis of the launch is `x`, so that neighbouring threads access neighbouring elements.
    for (axis, extent) in dim.iter().enumerate() {
        let (start, step) = strides[dim.len() - 1 - axis];
        let grown = partial.iter().flat_map(|tid: &Vec<usize>| {
            (start..*extent).step_by(step).map(|index| tid.iter().copied().chain([index]).collect())
        });
        partial = grown.collect();
    }
    order.extend(partial.iter().map(|tid: &Vec<usize>| Tid::from(tid.as_slice())));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grid_runs_every_index_once() {
        for dim in [&[10][..], &[5, 7], &[2, 3, 4], &[2, 3, 2, 2], &[0], &[3, 0]] {
            let sorted = |grid: Grid| {
                let mut threads = grid.threads(dim);
                threads.sort();
                threads
            };
            for grid in Grid::all(dim.len()) {
                assert_eq!(sorted(grid), Grid::ONE.threads(dim), "{grid:?} {dim:?}");
            }
        }
    }

    #[test]
    fn threads_stride() {
        let grid = Grid { blocks: [2, 1, 1], threads: [2, 1, 1] };
        assert_eq!(grid.threads(&[6]).into_iter().map(|tid| tid[0]).collect::<Vec<_>>(), [0, 4, 1, 5, 2, 3]);
    }
}
