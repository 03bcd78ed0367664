//! What of a kernel can be read off its adjoint.

use kernel_ir::adjoint::{Backward, Source};
use kernel_ir::ir::{AtomicOp, ExprKind, Kernel, Literal, ParamId, PlaceRoot, Scalar, StmtKind};
use kernel_ir::ops::Op;
use kernel_ir::verify::VerifiedKernel;
use std::collections::{BTreeSet, HashMap};

/// Whether each parameter of `kernel` occurs in the adjoint, itself or by its adjoint, and each literal, operation and cast at
/// least as often as in the kernel. So no constant that is only added and no integer that is only stored is asked for.
pub(super) fn shows(kernel: &VerifiedKernel, backward: &Backward) -> bool {
    let (of_kernel, of_adjoint) = (Traces::of(kernel), Traces::of(&backward.kernel));
    let params: BTreeSet<ParamId> = of_adjoint
        .params
        .iter()
        .map(|id| match backward.sources[id.0 as usize] {
            Source::Primal(id) | Source::Result(id) | Source::Adjoint(id) => id,
        })
        .collect();
    kernel.param_ids().all(|(id, _)| params.contains(&id))
        && of_kernel.counts.iter().all(|(trace, count)| of_adjoint.counts.get(trace) >= Some(count))
}

/// Something that stands in a kernel and cannot be guessed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Trace {
    Literal(Literal),
    Op(Op),
    Cast(Scalar, Scalar),
}

/// What stands in a kernel.
#[derive(Default)]
struct Traces {
    counts: HashMap<Trace, usize>,
    params: BTreeSet<ParamId>,
}

impl Traces {
    /// Those of a kernel and of the functions that it calls.
    fn of(kernel: &VerifiedKernel) -> Traces {
        let mut traces = Traces::default();
        traces.walk(kernel);
        // Their parameters are others.
        let params = std::mem::take(&mut traces.params);
        kernel.called().iter().for_each(|function| traces.walk(&function.code));
        Traces { params, ..traces }
    }

    fn walk(&mut self, code: &Kernel) {
        let Traces { counts, params } = self;
        let mut count = |trace: Trace| *counts.entry(trace).or_default() += 1;
        code.walk_exprs(&mut |expr| match &expr.kind {
            ExprKind::Literal(value) => count(Trace::Literal(*value)),
            ExprKind::Op(op, _) => count(Trace::Op(*op)),
            ExprKind::Cast(inner) => count(Trace::Cast(inner.ty.scalar(), expr.ty.scalar())),
            ExprKind::Param(id) | ExprKind::Load { array: id, .. } => {
                params.insert(*id);
            }
            _ => {}
        });
        code.walk_stmts(&mut |stmt| {
            match &stmt.kind {
                StmtKind::Update { op, .. } => count(Trace::Op(*op)),
                StmtKind::Atomic { op: AtomicOp::Min, .. } => count(Trace::Op(Op::Min)),
                StmtKind::Atomic { op: AtomicOp::Max, .. } => count(Trace::Op(Op::Max)),
                _ => {}
            }
            if let StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } | StmtKind::Atomic { place, .. } =
                &stmt.kind
                && let PlaceRoot::Element { array, .. } = place.root
            {
                params.insert(array);
            }
        });
    }
}
