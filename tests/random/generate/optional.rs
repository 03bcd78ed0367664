//! Optional arrays. A complete kernel gets one: what writes to the array is skipped where it is absent, and what reads it
//! takes a number of the same range.

use super::rules::Range;
use super::{Array, Generator};
use kernel_ir::ir::{Block, Expr, ExprKind, Param, ParamId, ParamKind, PlaceRoot, SizeExpr, Stmt, StmtKind};
use kernel_ir::ops::build::Operand;

impl Generator {
    /// Makes an array of numbers optional, in some kernels that have one.
    pub(super) fn make_optional(&mut self) {
        let sizes: Vec<ParamId> = self.kernel.params.iter().flat_map(Param::sizes).flat_map(SizeExpr::params).collect();
        let may_be_absent =
            |array: &&Array| array.elem.is_scalar() && array.elem.is_float() && !sizes.contains(&array.id);
        let arrays: Vec<Array> = self.arrays.iter().filter(may_be_absent).cloned().collect();
        if arrays.is_empty() || !self.rng.percent(15) {
            return;
        }
        let array = self.rng.choose(&arrays).clone();
        // What nobody reads may have any range.
        let range = if array.range.low.is_finite() { array.range } else { Range::around_zero(1.0) };
        let absent = self.number_within(range, array.elem.scalar()).expr;
        if let ParamKind::Array { optional, .. } = &mut self.kernel.params[array.id.0 as usize].kind {
            *optional = true;
        }
        guard_block(&mut self.kernel.body, array.id, &absent);
    }
}

fn guard_block(block: &mut Block, array: ParamId, absent: &Expr) {
    for stmt in block {
        let place = stmt.place().map(|place| &place.root);
        if matches!(place, Some(PlaceRoot::Element { array: written, .. }) if *written == array) {
            let (cond, span) = (Expr::present(array), stmt.span);
            let kind = StmtKind::If { cond, then: vec![stmt.clone()], other: Block::new() };
            *stmt = Stmt { kind, span };
            continue;
        }
        stmt.exprs_mut().for_each(|expr| guard(expr, array, absent));
        stmt.blocks_mut().for_each(|block| guard_block(block, array, absent));
    }
}

fn guard(expr: &mut Expr, array: ParamId, absent: &Expr) {
    expr.children_mut().for_each(|child| guard(child, array, absent));
    if matches!(expr.kind, ExprKind::Load { array: read, .. } if read == array) {
        *expr = Expr::present(array).select(expr.clone(), absent.clone());
    }
}
