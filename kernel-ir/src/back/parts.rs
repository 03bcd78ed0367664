//! Helpers for parts of vectors and matrices: field names, constant indices, and places as expressions.

use crate::ir::{Expr, ExprKind, Kernel, Place, PlaceRoot, Projection, Span, Stmt, StmtKind, Type};

/// The names of the components of vectors and quaternions.
pub(super) const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// The names of the columns of matrices.
pub(super) const COLUMNS: [&str; 4] = ["x_axis", "y_axis", "z_axis", "w_axis"];

/// The name of the component of a value of type `base`, if the index is a constant and the component has a name.
pub(super) fn component_name(index: &Expr, base: Type) -> Option<&'static str> {
    COMPONENTS.get(named_part(index, base)?).copied()
}

/// The name of the column of a matrix of type `base`, if the index is a constant and the column has a name.
pub(super) fn column_name(index: &Expr, base: Type) -> Option<&'static str> {
    COLUMNS.get(named_part(index, base)?).copied()
}

/// The number of the part, if it is a constant. The parts of a value with more than four have no names.
fn named_part(index: &Expr, base: Type) -> Option<usize> {
    let index = constant_index(index)?;
    (index < base.parts().into() && usize::from(base.parts()) <= COMPONENTS.len()).then_some(index)
}

/// The number of a component or column, if it is a constant.
pub(super) fn constant_index(index: &Expr) -> Option<usize> {
    usize::try_from(index.as_integer()?).ok()
}

/// The type of the variable or element of a place.
pub(super) fn root_type(kernel: &Kernel, place: &Place) -> Type {
    match &place.root {
        PlaceRoot::Local(local) | PlaceRoot::LocalElement { local, .. } => kernel.local(*local).ty,
        PlaceRoot::Element { array, .. } => kernel.param(*array).elem(),
    }
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
