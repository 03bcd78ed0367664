//! Finds array elements that are reductions over all threads of the grid: their additions may be combined within a
//! block before one atomic addition.

use super::accesses::{Access, AccessKind, accesses_to, written};
use super::commutativity::commute;
use crate::ir::{AtomicOp, Expr, ExprKind, Literal, Param, ParamId, StmtKind};
use crate::verify::VerifiedKernel;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of scalars of a reduced array. Every thread keeps a private copy of all of them.
const MOST: usize = 64;

/// For each array that threads only add to, at constant indices and without use of the old value: the indices of its
/// elements. Examples are the gradient of a by-value parameter and a total. Threads may add up their terms in any order
/// first. Integers qualify only if the additions commute, overflow included.
pub fn grid_reductions(kernel: &VerifiedKernel) -> BTreeMap<ParamId, BTreeSet<u32>> {
    // Few kernels have reductions. This cheap walk over the statements finds the candidates, and only their accesses
    // are collected.
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
        // A block adds up numbers, and a struct has fields.
        let order_is_free = !param.elem().is_struct() && (param.elem().is_float() || commute(all))
            // Warps would add them up with fewer digits than one after the other.
            && !param.elem().scalar().is_half();
        Some((id, elements(param, all).filter(|_| order_is_free)?))
    };
    kernel.param_ids().filter_map(elements).collect()
}

/// The indices of the elements of an array with these accesses; `None` if some access is not a reduction or the array
/// is too large.
pub(super) fn elements(param: &Param, accesses: &[Access<'_>]) -> Option<BTreeSet<u32>> {
    let elements: BTreeSet<u32> = accesses.iter().map(constant).collect::<Option<_>>()?;
    let scalars = (*elements.last()? as usize).checked_add(1)?.checked_mul(param.elem().components())?;
    (scalars <= MOST).then_some(elements)
}

/// The constant index that the access adds to; `None` if the index varies or the old value is used.
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
