//! Helpers for parts of vectors and matrices: field names, constant indices, and places as expressions.

use crate::ir::{Expr, ExprKind, Kernel, Place, PlaceRoot, Stmt, StmtKind, Type};

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
        | StmtKind::Return(_)
        | StmtKind::Print(_) => None,
    }
}

/// The statements at the start of a block that take the result of a function apart, if the author wrote them as one.
pub(super) struct Results<'a> {
    /// The call.
    pub(super) call: &'a Expr,
    /// The statement that declares or assigns a variable, for each value of the result that is used.
    pub(super) values: Vec<Option<&'a Stmt>>,
    /// The number of statements.
    pub(super) count: usize,
}

impl<'a> Results<'a> {
    /// The statements at the start of `block`: the declaration of a tuple, then the declarations of locals for its values,
    /// or the assignments of its values. `None` if the block starts otherwise, or if something else reads the tuple.
    pub(super) fn at_start(kernel: &Kernel, block: impl IntoIterator<Item = &'a Stmt>) -> Option<Results<'a>> {
        let mut block = block.into_iter();
        let StmtKind::Let { local, init: Some(call) } = &block.next()?.kind else { return None };
        if !call.ty.is_tuple() {
            return None;
        }
        let mut values: Vec<Option<&Stmt>> = Vec::new();
        let mut count = 1;
        for stmt in block {
            let (StmtKind::Let { init: Some(value), .. } | StmtKind::Assign { value, .. }) = &stmt.kind else { break };
            let ExprKind::Field(base, number) = &value.kind else { break };
            let is_alike =
                |first: &&Stmt| matches!(first.kind, StmtKind::Let { .. }) == matches!(stmt.kind, StmtKind::Let { .. });
            let is_next = usize::from(*number) >= values.len() && values.iter().flatten().all(is_alike);
            if base.kind != ExprKind::Local(*local) || !is_next {
                break;
            }
            values.resize(usize::from(*number), None);
            values.push(Some(stmt));
            count += 1;
        }
        values.resize(call.ty.fields().len(), None);
        let mut reads = 0;
        kernel.walk_exprs(&mut |expr| reads += usize::from(expr.kind == ExprKind::Local(*local)));
        (reads == count - 1).then_some(Results { call, values, count })
    }
}

/// Whether the two statements are one draw of a random number, as the author writes it: the first one stores the number
/// that a draw from a variable gives, and the second one advances the variable.
pub(super) fn is_draw(first: &Stmt, second: &Stmt) -> bool {
    let (StmtKind::Let { init: Some(value), .. } | StmtKind::Assign { value, .. }) = &first.kind else { return false };
    let (ExprKind::Op(op, args), StmtKind::Assign { place, value: next }) = (&value.kind, &second.kind) else {
        return false;
    };
    let Some(state) = args.first().filter(|_| op.is_draw()) else { return false };
    let ExprKind::Local(local) = state.kind else { return false };
    let advances = place.root == PlaceRoot::Local(local) && *next == op.advanced(state.clone());
    // Nothing else reads the variable or is drawn, so the order within the statement does not matter.
    let (mut reads, mut draws) = (0, 0);
    let mut count = |expr: &Expr| {
        reads += usize::from(expr.kind == state.kind);
        draws += usize::from(matches!(expr.kind, ExprKind::Op(op, _) if op.is_draw()));
    };
    first.exprs().for_each(|expr| expr.walk(&mut count));
    let changes = matches!(&first.kind, StmtKind::Assign { place, .. } if place.root == PlaceRoot::Local(local));
    advances && !changes && reads == 1 && draws == 1
}

/// The call whose result the two statements return, if the first one declares a tuple and the second one returns all of
/// its values.
pub(super) fn returned_call<'a>(first: &'a Stmt, second: &Stmt) -> Option<&'a Expr> {
    let (StmtKind::Let { local, init: Some(call) }, StmtKind::Return(Some(result))) = (&first.kind, &second.kind)
    else {
        return None;
    };
    let ExprKind::Struct(values) = &result.kind else { return None };
    let is_own = |(number, value): (u8, &Expr)| matches!(&value.kind, ExprKind::Field(base, own) if *own == number && base.kind == ExprKind::Local(*local));
    (call.ty == result.ty && call.ty.is_tuple() && (0..).zip(values).all(is_own)).then_some(call)
}
