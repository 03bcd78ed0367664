//! Decides whether a kernel can be recovered from its adjoint.

use kernel_ir::adjoint::Backward;
use kernel_ir::ir::{ExprKind, Kernel, Literal, ParamId, Place, PlaceRoot, Scalar, StmtKind};
use kernel_ir::ops::Op;
use kernel_ir::verify::VerifiedKernel;
use std::collections::{BTreeSet, HashMap};

/// Whether each parameter of `kernel` occurs in the adjoint, itself or as its adjoint, and each literal, operation and
/// cast at least as often as in the kernel. Otherwise a task from adjoint to kernel would ask for something that the
/// adjoint does not show, such as a constant that is only added.
pub(super) fn is_recoverable(kernel: &VerifiedKernel, backward: &Backward) -> bool {
    let (of_kernel, of_adjoint) = (Ingredients::of(kernel), Ingredients::of(&backward.kernel));
    let params: BTreeSet<ParamId> =
        of_adjoint.params.iter().filter_map(|id| backward.sources[id.0 as usize].param()).collect();
    kernel.param_ids().all(|(id, _)| params.contains(&id))
        && of_kernel.counts.iter().all(|(ingredient, count)| of_adjoint.counts.get(ingredient) >= Some(count))
}

/// An element of a kernel that nobody can guess.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Ingredient {
    Literal(Literal),
    Op(Op),
    Cast(Scalar, Scalar),
}

/// The ingredients of a kernel, with their counts.
#[derive(Default)]
struct Ingredients {
    counts: HashMap<Ingredient, usize>,
    params: BTreeSet<ParamId>,
}

impl Ingredients {
    /// The ingredients of a kernel and of the functions that it calls.
    fn of(kernel: &VerifiedKernel) -> Ingredients {
        let mut ingredients = Ingredients::default();
        ingredients.walk(kernel);
        // The parameters of functions are not those of the kernel.
        let params = std::mem::take(&mut ingredients.params);
        kernel.called().iter().for_each(|function| ingredients.walk(&function.code));
        Ingredients { params, ..ingredients }
    }

    fn walk(&mut self, code: &Kernel) {
        let Ingredients { counts, params } = self;
        let mut count = |ingredient: Ingredient| *counts.entry(ingredient).or_default() += 1;
        code.walk_exprs(&mut |expr| match &expr.kind {
            ExprKind::Literal(value) => count(Ingredient::Literal(*value)),
            // `strong_mul` in an adjoint shows the `*` that it was derived from.
            ExprKind::Op(op, _) => count(Ingredient::Op(op.plain().unwrap_or(*op))),
            ExprKind::Cast(inner) => count(Ingredient::Cast(inner.ty.scalar(), expr.ty.scalar())),
            ExprKind::Param(_) | ExprKind::Load { .. } | ExprKind::Call(..) => params.extend(expr.params()),
            _ => {}
        });
        code.walk_stmts(&mut |stmt| {
            match &stmt.kind {
                StmtKind::Update { op, .. } => count(Ingredient::Op(*op)),
                // The adjoint of a sum has no sum.
                StmtKind::Atomic { op, .. } if !op.is_sum() => {
                    op.op().into_iter().for_each(|op| count(Ingredient::Op(op)))
                }
                _ => {}
            }
            if let Some(Place { root: PlaceRoot::Element { array, .. }, .. }) = stmt.place() {
                params.insert(*array);
            }
        });
    }
}
