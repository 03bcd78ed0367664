//! Phases: launches of one kernel that differ in a by-value `bool`.
//!
//! The body of a kernel may be one branch on a by-value parameter, as in an adjoint that counts winners. Then all
//! threads of a launch take the same side, and accesses on different sides never occur in one launch.

use super::accesses::Access;
use crate::ir::{Block, ExprKind, Kernel, ParamId, Stmt, StmtKind};

/// The launches in which a by-value parameter has a certain value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    /// The parameter.
    pub param: ParamId,
    /// Its value.
    pub value: bool,
}

/// The only phase of `kernel` in which an array with these `accesses` is written, with the accesses in that phase;
/// `None` if the kernel has no phases, or if both phases write the array or neither does.
pub(super) fn writing<'a>(kernel: &Kernel, accesses: &[Access<'a>]) -> Option<(Phase, Vec<Access<'a>>)> {
    let [Stmt { kind: StmtKind::If { cond, then, other }, .. }] = kernel.body.as_slice() else { return None };
    let ExprKind::Param(param) = cond.kind else { return None };
    let in_side = |side: &Block| accesses.iter().filter(|access| holds(side, access.stmt)).copied().collect();
    let sides: [Vec<Access<'a>>; 2] = [in_side(then), in_side(other)];
    let [then, other] = &sides;
    // Only writes decide about the phase. The reads of that side are returned with them.
    match [then, other].map(|side| side.iter().any(|access| !access.is_read())) {
        [true, false] => Some((Phase { param, value: true }, then.clone())),
        [false, true] => Some((Phase { param, value: false }, other.clone())),
        _ => None,
    }
}

fn holds(block: &Block, wanted: &Stmt) -> bool {
    let mut found = false;
    block.iter().for_each(|stmt| stmt.walk(&mut |stmt| found |= std::ptr::eq(stmt, wanted)));
    found
}
