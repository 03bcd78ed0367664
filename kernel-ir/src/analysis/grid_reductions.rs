//! Array elements that are sums over the threads of a launch.

use super::accesses::{Access, AccessKind, accesses_to, written};
use super::commutativity::commute;
use crate::ir::{AtomicOp, Expr, ExprKind, Literal, Param, ParamId, StmtKind};
use crate::verify::VerifiedKernel;
use std::collections::{BTreeMap, BTreeSet};

/// The most scalars of an array of sums: threads have a copy of all of them.
const MOST: usize = 64;

/// The elements of each array that threads only add to, at constant indices and with no look at what is there: the
/// gradient of a by-value parameter, a total. Several threads may add their terms up among themselves first: sums of
/// integers are only those that overflow in no such order, or in every one.
pub fn grid_reductions(kernel: &VerifiedKernel) -> BTreeMap<ParamId, BTreeSet<u32>> {
    // Few kernels have any, and a look at the statements tells of which arrays.
    let mut added: Vec<ParamId> = Vec::new();
    kernel.walk_stmts(&mut |stmt| match written(stmt) {
        Some((array, access)) if constant(&access).is_some() => added.push(array),
        _ => {}
    });
    if added.is_empty() {
        return BTreeMap::new();
    }
    let accesses = accesses_to(kernel, &|array| added.contains(&array));
    let elements = |(id, param): (ParamId, &Param)| {
        let all = accesses.get(&id)?;
        let order_is_free = param.elem().is_float() || commute(all);
        Some((id, elements(param, all).filter(|_| order_is_free)?))
    };
    kernel.param_ids().filter_map(elements).collect()
}

/// The elements of an array with these accesses that are such sums; `None` if it is not made of them.
pub(super) fn elements(param: &Param, accesses: &[Access<'_>]) -> Option<BTreeSet<u32>> {
    let elements: BTreeSet<u32> = accesses.iter().map(constant).collect::<Option<_>>()?;
    let scalars = (*elements.last()? as usize).checked_add(1)?.checked_mul(param.elem().components())?;
    (scalars <= MOST).then_some(elements)
}

/// The element that the access adds to with no look at what is there, if its index is constant.
fn constant(access: &Access<'_>) -> Option<u32> {
    match (access.kind, access.index, &access.stmt.kind) {
        (
            AccessKind::Atomic(AtomicOp::Add | AtomicOp::Sub),
            [Expr { kind: ExprKind::Literal(Literal::Index(at)), .. }],
            StmtKind::Atomic { result: None, .. },
        ) => Some(*at),
        _ => None,
    }
}
