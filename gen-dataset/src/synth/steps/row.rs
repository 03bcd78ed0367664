//! Rows of arrays that several loops traverse, with the same expression of an element in each.

use super::super::docgen;
use super::super::generator::{Array, Axis, Generator, Term};
use super::super::samples::Samples;
use kernel_ir::ir::{Block, Direction, Expr, ExprKind, Stmt, StmtKind, Type};
use kernel_ir::ops::build::{Operand, Var};

/// A row, and the expression of an element.
pub(super) struct Row {
    pub(super) array: Array,
    pub(super) axis: Axis,
    /// The name of the loop variables.
    name: String,
    /// The loop variable in `value`.
    variable: Var,
    /// The end of the loops.
    end: Expr,
    /// The expression of an element.
    value: Expr,
    size: usize,
    samples: Samples,
}

/// A trip of a loop over a row.
pub(super) struct Trip {
    /// The value at this position of the row.
    pub(super) value: Term,
    /// The position, in the type of the loop variable.
    pub(super) count: Expr,
    /// The position as an index.
    pub(super) index: Expr,
}

impl Row {
    /// The range of the values.
    pub(super) fn range(&self) -> (f64, f64) {
        self.samples.range()
    }

    /// Whether all threads have the same values.
    pub(super) fn is_shared(&self) -> bool {
        let mut others = false;
        self.value.walk(&mut |part| others |= matches!(part.kind, ExprKind::Local(id) if id != self.variable.id));
        !others
    }

    /// The type of the loop variable.
    pub(super) fn counts(&self) -> Type {
        self.end.ty
    }

    /// The number of positions, as a `ty`.
    pub(super) fn len(&self, ty: Type) -> Expr {
        match (&self.end.kind, self.axis) {
            (ExprKind::Literal(_), Axis::Fixed(extent)) => Expr::number(f64::from(extent), ty),
            _ => self.end.cast(ty),
        }
    }

    /// The value at another position.
    pub(super) fn at(&self, index: &Expr) -> Expr {
        let own = self.variable.cast(Type::INDEX);
        let mut value = self.value.clone();
        value.walk_mut(&mut |part| {
            if *part == own {
                *part = index.clone();
            }
        });
        // The remaining uses compute with the position as a number.
        let number = index.cast(self.end.ty);
        value.walk_mut(&mut |part| {
            if part.kind == ExprKind::Local(self.variable.id) {
                *part = number.clone();
            }
        });
        value
    }
}

impl Generator {
    /// A row of numbers within a range.
    pub(super) fn row(&mut self, low: f64, high: f64) -> Row {
        let ty = self.number();
        self.row_of(|generator, element| {
            let term = match generator.rng.percent(45) {
                true => generator.adapted(element.clone(), ty)?,
                false => generator.made_of(ty, element, 1),
            };
            Some(generator.fit(term, low, high))
        })
        .unwrap_or_else(|| self.plain_row(low, high))
    }

    /// A row of plain elements within a range.
    fn plain_row(&mut self, low: f64, high: f64) -> Row {
        let axis = self.inner_axis();
        let (number, mut axes) = (self.number(), self.launch_axes());
        axes.truncate(3);
        axes.push(axis);
        let place = axes.len() as u8 - 1;
        let name = self.one_of(&["row_values", "entries_of_row", "raw_scores", "table_rows"]);
        let array = self.array_named(name, number, axes, (low, high));
        let (variable, end) = self.run_over(axis, Some((array.id, place)));
        let here = variable.cast(Type::INDEX);
        let Term { expr, samples, size } = self.element_at(&array, axis, &here);
        let name = self.kernel.local(variable.id).name.clone();
        Row { array, axis, name, variable, end, value: expr, size, samples }
    }

    /// A row of `make` of each element. `None` if `make` appends statements.
    pub(super) fn row_of(&mut self, make: impl FnMut(&mut Generator, &Term) -> Option<Term>) -> Option<Row> {
        let axis = self.inner_axis();
        let (array, place) = self.array_over(axis);
        self.row_in(&array, axis, place, make)
    }

    /// The row along `axis`, at position `place`, of `make` of each element of the array.
    pub(super) fn row_in(
        &mut self,
        array: &Array,
        axis: Axis,
        place: u8,
        mut make: impl FnMut(&mut Generator, &Term) -> Option<Term>,
    ) -> Option<Row> {
        let (variable, end) = self.run_over(axis, Some((array.id, place)));
        for _ in 0..6 {
            let (block, term) = self.nested(|generator| {
                generator.enter(variable, end.ty, axis);
                let element = generator.element_here(array);
                make(generator, &element)
            });
            if let Some(Term { expr, samples, size }) = term
                && block.is_empty()
                && samples.is_varied()
            {
                let name = self.kernel.local(variable.id).name.clone();
                return Some(Row { array: array.clone(), axis, name, variable, end, value: expr, size, samples });
            }
        }
        None
    }

    /// `for k in first..n { … }`
    pub(super) fn over(&mut self, row: &Row, first: usize, body: impl FnOnce(&mut Generator, Trip)) {
        self.go_over(row, first, Direction::Up, body);
    }

    /// The same, in the given direction.
    pub(super) fn go_over(
        &mut self,
        row: &Row,
        first: usize,
        direction: Direction,
        body: impl FnOnce(&mut Generator, Trip),
    ) {
        let variable = self.local_named(row.name.clone(), row.end.ty, false);
        let (body, ()): (Block, ()) = self.nested(|generator| {
            generator.enter(variable, row.end.ty, row.axis);
            let count = variable.expr();
            let index = count.cast(Type::INDEX);
            let mut expr = row.value.clone();
            expr.walk_mut(&mut |part| {
                if part.kind == ExprKind::Local(row.variable.id) {
                    part.kind = ExprKind::Local(variable.id);
                }
            });
            let value = Term { expr, samples: row.samples.clone(), size: row.size };
            body(generator, Trip { value, count, index });
        });
        let mut stmt = Stmt::for_loop(variable, first as i64, &row.end, body);
        if let StmtKind::For { range, .. } = &mut stmt.kind {
            range.direction = direction;
        }
        self.push(stmt);
    }

    /// A position in the row: fixed, or from an array of labels.
    pub(super) fn place_in(&mut self, row: &Row) -> Expr {
        match row.axis {
            _ if self.rng.percent(55) => self.pointer(row.axis),
            Axis::Fixed(extent) => Expr::index(self.rng.below(extent as usize)),
            _ => Expr::index(0),
        }
    }

    /// The value of the trip. A long one gets a name.
    pub(super) fn looked_at(&mut self, wishes: &[&str], value: Term) -> Term {
        if value.size > 2 || self.rng.percent(30) { self.bind(wishes, value) } else { value }
    }

    /// The name of the row's array, as words.
    pub(super) fn row_words(&self, row: &Row) -> String {
        docgen::words(&self.kernel.param(row.array.id).name)
    }

    /// The element of `array` at known indices, except at `index` along `axis`.
    pub(super) fn element_at(&mut self, array: &Array, axis: Axis, index: &Expr) -> Term {
        let all = array.axes.iter().map(|of| if *of == axis { index.clone() } else { self.index_of(*of) }).collect();
        self.element(array, all)
    }
}
