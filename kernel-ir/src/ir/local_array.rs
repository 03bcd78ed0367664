//! The first values of local arrays. A declaration of an array has none; they are assigned behind it.

use super::{Expr, ExprKind, Kernel, Literal, LocalId, Place, PlaceRoot, Stmt, StmtKind};

impl Kernel {
    /// The values that the statements `behind` a declaration give to the array that it declares, as [`first_values`]
    /// finds them, and whether the array changes later.
    pub fn declared_values<'s>(&self, stmt: &Stmt, behind: &'s [Stmt]) -> Option<(LocalId, Vec<&'s Expr>, bool)> {
        let StmtKind::Let { local, init: None } = stmt.kind else { return None };
        let len = self.local(local).len?;
        let values = first_values(local, len, behind);
        let mut changes = 0;
        self.walk_stmts(&mut |stmt| changes += usize::from(stmt.assigned_local() == Some(local)));
        let changes_later = changes > values.len();
        Some((local, values, changes_later))
    }
}

/// The values that the statements `behind` the declaration of a local array of `len` elements assign to its elements,
/// if they begin with one assignment for each element, in order. Empty if they do not, or if a value reads the array.
pub fn first_values(array: LocalId, len: u32, behind: &[Stmt]) -> Vec<&Expr> {
    let values = (0..len).zip(behind).map(|(number, stmt)| first_value(array, number, stmt));
    let values: Option<Vec<&Expr>> = values.collect();
    values.filter(|values| values.len() == len as usize).unwrap_or_default()
}

fn first_value(array: LocalId, number: u32, stmt: &Stmt) -> Option<&Expr> {
    let StmtKind::Assign { place: Place { root: PlaceRoot::LocalElement { local, index }, path, .. }, value } =
        &stmt.kind
    else {
        return None;
    };
    let is_next = *local == array && path.is_empty() && index.kind == ExprKind::Literal(Literal::Index(number));
    (is_next && !value.reads(array)).then_some(value)
}
