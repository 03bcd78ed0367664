//! Revival of dead inputs: an input that changes no output is added to the last result that the kernel stores.
//!
//! Minima, roundings and conditions may hide an input. Long kernels have many inputs, so most of them would be rejected
//! for one.

use kernel_ir::ir::{Expr, ExprKind, Kernel, Literal, LocalId, ParamId, ParamKind, PlaceRoot, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;
use std::collections::HashSet;

/// The factors of revived inputs, in turn.
const FACTORS: [f64; 5] = [0.25, 0.1, 0.5, 0.05, 0.2];

/// The kernel with the inputs `dead` added to its last result. `None` if one of them has no number that could be added, or if
/// the kernel stores no float at the end.
pub(super) fn revived(kernel: &Kernel, dead: &[usize]) -> Option<Kernel> {
    let mut terms = Vec::new();
    for place in dead {
        terms.push(read(kernel, ParamId(*place as u32))?);
    }
    let mut kernel = kernel.clone();
    let stores = kernel.body.iter_mut().rev();
    let value = stores.filter_map(|stmt| match &mut stmt.kind {
        StmtKind::Assign { place, value }
            if matches!(place.root, PlaceRoot::Element { .. }) && place.path.is_empty() =>
        {
            (value.ty.is_float() && (value.ty.is_scalar() || value.ty.is_vector())).then_some(value)
        }
        _ => None,
    });
    let value = value.into_iter().next()?;
    for (term, factor) in terms.into_iter().zip(FACTORS.into_iter().cycle()) {
        let scalar = value.ty.scalar();
        // A number of 16 bits has no literals in Rust.
        let term = (factor * number_of(term, Type::of(scalar.computed_in()))).cast(scalar);
        let term = if value.ty.is_vector() { term.splat(value.ty) } else { term };
        *value = Expr::op(Op::Add, [value.clone(), term]);
    }
    Some(kernel)
}

/// An expression that reads the input, in the thread's own place.
fn read(kernel: &Kernel, id: ParamId) -> Option<Expr> {
    let param = kernel.param(id);
    let ty = param.elem();
    if param.is_mutable() || param.is_optional() || ty.is_struct() || !(ty.is_float() || ty == Type::BOOL) {
        return None;
    }
    if let ParamKind::Value(ty) = param.kind {
        return Some(Expr::param(id, ty));
    }
    let own = thread_indices(kernel);
    let mut found = None;
    kernel.walk_exprs(&mut |expr| {
        if let ExprKind::Load { array, index } = &expr.kind
            && *array == id
            && found.is_none()
        {
            let index: Option<Vec<Expr>> = index.iter().map(|index| fixed(index, &own)).collect();
            found = index.map(|index| Expr::load(id, index, ty));
        }
    });
    found
}

/// The locals that hold the index of the thread.
fn thread_indices(kernel: &Kernel) -> HashSet<LocalId> {
    let own = kernel.body.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Let { local, init: Some(init) } if matches!(init.kind, ExprKind::Tid(_)) => Some(*local),
        _ => None,
    });
    own.collect()
}

/// The index, if it is valid everywhere in the body. That of a loop becomes 0, because no axis is empty.
fn fixed(index: &Expr, own: &HashSet<LocalId>) -> Option<Expr> {
    let of_loop = match &index.kind {
        ExprKind::Cast(inner) => &inner.kind,
        kind => kind,
    };
    match of_loop {
        ExprKind::Local(local) if !own.contains(local) => Some(Expr::literal(Literal::Index(0))),
        _ => {
            let mut is_fixed = true;
            index.walk(&mut |part| {
                is_fixed &= match &part.kind {
                    ExprKind::Local(local) => own.contains(local),
                    ExprKind::LocalElement { .. } => false,
                    _ => true,
                };
            });
            is_fixed.then(|| index.clone())
        }
    }
}

/// The value as a number.
fn number_of(value: Expr, number: Type) -> Expr {
    let part = match value.ty {
        Type::BOOL => return value.select(Expr::number(1.0, number), 0.0),
        ty if ty.is_matrix() => value.part(0).part(0),
        ty if ty.is_scalar() => value,
        _ => value.part(0),
    };
    part.cast(number)
}
