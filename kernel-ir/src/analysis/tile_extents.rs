//! What the tiles of a kernel need of the extents of arrays, so that a launch can refuse what they do not cover.
//!
//! A load with a padding value needs nothing, and stores leave out what lies outside of the array.

use crate::ir::{Expr, ExprKind, ParamId, TileOp, tile_steps};
use crate::ops::Op;
use crate::verify::VerifiedKernel;
use std::collections::BTreeSet;

/// What a load of tiles needs of the extent of an array along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TileExtent {
    /// The array.
    pub array: ParamId,
    /// The axis.
    pub axis: u8,
    /// What the extent must be.
    pub fit: TileFit,
}

/// What the extent of an array must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TileFit {
    /// A multiple of this number: the place of a tile counts in tiles, and what is left over at the end is in none of them.
    Multiple(u32),
    /// At least this number: the place of a tile is a constant.
    AtLeast(u32),
}

impl TileFit {
    /// Whether the extent is so.
    pub fn admits(self, extent: usize) -> bool {
        match self {
            TileFit::Multiple(step) => extent.is_multiple_of(step as usize),
            TileFit::AtLeast(least) => extent >= least as usize,
        }
    }
}

/// What the tiles of the kernel need. Sorted, without duplicates.
pub fn tile_extents(kernel: &VerifiedKernel) -> BTreeSet<TileExtent> {
    let mut found = BTreeSet::new();
    if kernel.has_tiles() {
        kernel.with_tiles().walk_stmts(&mut |stmt| stmt.exprs().for_each(|expr| loads(expr, &mut found)));
    }
    found
}

fn loads(expr: &Expr, found: &mut BTreeSet<TileExtent>) {
    if let ExprKind::Load { array, index } = &expr.kind
        && let Some(shape) = expr.ty.as_tile()
    {
        let axes = (0..).zip(index).zip(tile_steps(shape, index.len()));
        found.extend(
            axes.filter_map(|((axis, at), step)| Some(TileExtent { array: *array, axis, fit: fit(at, step)? })),
        );
    }
    if let ExprKind::Tile(TileOp::Pad, args) = &expr.kind {
        // Only the places of a padded load may have loads that count.
        args[0].children().chain(&args[1..]).for_each(|part| loads(part, found));
    } else {
        expr.children().for_each(|child| loads(child, found));
    }
}

/// What a tile of `step` elements at `at` needs; `None` if its place counts in elements.
fn fit(at: &Expr, step: u16) -> Option<TileFit> {
    if let Some(first) = at.as_integer() {
        return Some(TileFit::AtLeast(u32::try_from(first).ok()?.saturating_add(step.into())));
    }
    let ExprKind::Op(Op::Mul, args) = &at.kind else { return None };
    (args[1].as_integer() == Some(step.into())).then_some(TileFit::Multiple(step.into()))
}
