//! Helpers for parts of vectors and matrices: field names, constant indices, and places as expressions.

use crate::ir::{Expr, ExprKind, Kernel, Place, PlaceRoot, Projection, Span, Stmt, StmtKind};

/// The names of the components of vectors and quaternions.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The names of the columns of matrices.
pub(super) const COLUMNS: [&str; 4] = ["x_axis", "y_axis", "z_axis", "w_axis"];

/// The number of a component or column, if it is a constant.
pub(super) fn constant_index(index: &Expr) -> Option<usize> {
    let index = usize::try_from(index.as_integer()?).ok()?;
    (index < COMPONENTS.len()).then_some(index)
}

/// The place that a statement assigns or updates; `None` for other statements.
pub(super) fn stored_place(stmt: &Stmt) -> Option<&Place> {
    match &stmt.kind {
        StmtKind::Assign { place, .. } | StmtKind::Update { place, .. } | StmtKind::Atomic { place, .. } => Some(place),
        StmtKind::Let { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::While { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_) => None,
    }
}

/// An expression that reads the place.
pub(super) fn read(kernel: &Kernel, place: &Place) -> Expr {
    let expr = |kind, ty| Expr { kind, ty, span: Span::NONE };
    let root = match &place.root {
        PlaceRoot::Local(local) => expr(ExprKind::Local(*local), kernel.local(*local).ty),
        PlaceRoot::LocalElement { local, index } => {
            let element = ExprKind::LocalElement { local: *local, index: Box::new(index.clone()) };
            expr(element, kernel.local(*local).ty)
        }
        PlaceRoot::Element { array, index } => {
            let load = ExprKind::Load { array: *array, index: index.clone() };
            expr(load, kernel.param(*array).elem())
        }
    };
    place.path.iter().fold(root, |base, step| {
        let ty = base.ty.part();
        match step {
            Projection::Component(index) => expr(ExprKind::Component(Box::new(base), Box::new(index.clone())), ty),
            Projection::Column(index) => expr(ExprKind::Column(Box::new(base), Box::new(index.clone())), ty),
        }
    })
}
