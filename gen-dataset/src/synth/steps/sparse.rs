//! Sparse matrix rows and graph neighbourhoods in CSR form.

use super::super::docgen;
use super::super::generator::{Array, Axis, Generator, Item, Term};
use super::super::samples;
use kernel_ir::ir::{Domain, Expr, ParamId, ParamKind, SizeExpr, Stmt, StmtKind, Structure, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// The largest magnitude of the terms of a row.
const REACH: f64 = 4.0;

/// The layout of the entries of a sparse matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// From one entry of an offset array to the next (CSR).
    Compressed,
    /// From an entry of one array to an entry of another.
    Ranges,
    /// A start, and a count from another array.
    Counted,
    /// The same number for every row (ELL).
    Padded,
    /// A fixed capacity, and a count for each row.
    Degrees,
}

/// The entries of the thread's row.
struct Entries {
    layout: Layout,
    /// The first entry, and the one after the last.
    range: (Expr, Expr),
    /// The largest number of entries in a row.
    most: f64,
    /// The array of columns, and the axes of the arrays of entries.
    columns: ParamId,
    shape: Vec<Axis>,
    /// The axis that columns are indices of.
    of: Axis,
    /// Whether a column may be -1, for no entry.
    has_gaps: bool,
    /// The type of columns.
    ty: Type,
}

impl Generator {
    /// `for e in row_start[i]..row_start[i + 1] { sum += values[e] * x[col[e]]; }`
    pub(super) fn sparse_row(&mut self) {
        let entries = self.entries();
        let number = self.number();
        let source = self.column_source(entries.of);
        let values = self.rng.percent(75).then(|| {
            let name = self.one_of(&["entry_values", "edge_weight", "coefficients", "nonzeros", "strengths"]);
            self.array_named(name, number, entries.shape.clone(), (-1.5, 1.5))
        });
        let op = self.rng.weighted(&[(7, Op::Add), (2, Op::Max), (1, Op::Min)]);
        let counts = op == Op::Add && self.rng.percent(20);
        let sum = self.start_row(op);
        let count = counts.then(|| {
            let zero = Expr::number(0, Type::I32);
            self.hidden(&["used", "degree_found", "n_valid", "present"], zero)
        });
        let name = self.one_of(&["e", "entry", "edge_id", "k", "slot"]);
        let variable = self.local_named(name, entries.range.0.ty, false);
        let (body, ()) = self.nested(|generator| {
            let here = variable.cast(Type::INDEX);
            let column = generator.column(&entries, &here);
            let found = generator.found_in(&entries, &source, values.as_ref(), &here, &column);
            let term = generator.row_term(&found, values.as_ref());
            let place = sum.place();
            generator.push(match op {
                Op::Add => place.update(Op::Add, term.expr),
                _ => place.set(Expr::op(op, [sum.expr(), term.expr])),
            });
            if let Some(count) = count {
                generator.push(count.update(Op::Add, 1));
            }
        });
        self.push(Stmt::for_loop(variable, entries.range.0.clone(), entries.range.1.clone(), body));
        self.end_row(op, sum, count, entries.most);
        let source = docgen::words(&self.kernel.param(source.id).name);
        self.tell(
            if entries.layout == Layout::Padded { "ell" } else { "sparse" },
            format!("gathers {source} over the entries of its {}", layout_words(entries.layout)),
        );
    }

    /// Adds the arrays that describe the entries.
    fn entries(&mut self) -> Entries {
        let layout = self.rng.weighted(&[
            (5, Layout::Compressed),
            (2, Layout::Ranges),
            (2, Layout::Counted),
            (4, Layout::Padded),
            (2, Layout::Degrees),
        ]);
        let ty = self.rng.pick(&[Type::I32, Type::U32, Type::I32]);
        let of = if self.kernel.dim == 1 && self.rng.percent(65) { Axis::Launch(0) } else { self.inner_axis() };
        let (range, most, shape) = match layout {
            Layout::Padded | Layout::Degrees => self.padded_entries(layout, ty),
            _ => self.packed_entries(layout, ty),
        };
        let has_gaps = ty == Type::I32 && layout == Layout::Padded && self.rng.percent(55);
        let name = self.one_of(&["col", "col_idx", "columns_of", "adjacency", "neighbors_of", "targets_of"]);
        let low = SizeExpr::Literal(if has_gaps { -1 } else { 0 });
        let domain = Domain::sizes(low, of.size());
        let columns = self.indices(name, ty, shape.iter().map(|axis| axis.size()).collect(), domain);
        Entries { layout, range, most, columns, shape, of, has_gaps, ty }
    }

    /// An array of integers within `domain`.
    pub(super) fn indices(&mut self, name: String, ty: Type, shape: Vec<SizeExpr>, domain: Domain) -> ParamId {
        self.param(name, ParamKind::Array { elem: ty, mutable: false, optional: false, shape }, Some(domain))
    }

    /// All entries in one array, with the rows' positions in other arrays. Rows may overlap or be empty: the loops are
    /// well-defined for every content of these arrays.
    fn packed_entries(&mut self, layout: Layout, ty: Type) -> ((Expr, Expr), f64, Vec<Axis>) {
        let total = if self.rng.percent(50) {
            Axis::Fixed(self.rng.pick(&[12, 16, 20, 24]))
        } else {
            let name = self.one_of(&["nnz", "edge_count", "n_entries", "total_entries"]);
            let id = self.param(name, ParamKind::Value(Type::INDEX), Some(Domain::ints(8, 25)));
            Axis::Sized(id, 25)
        };
        let behind = |size: SizeExpr| moved(size, 1);
        let row = self.tid[0].clone();
        let at = |array, index| Expr::load(array, [index], ty).cast(Type::INDEX);
        let until = Domain::sizes(SizeExpr::Literal(0), behind(total.size()));
        let range = match layout {
            Layout::Compressed => {
                let name = self.one_of(&["row_start", "row_ptr", "offsets", "indptr", "first_edge"]);
                let starts = self.indices(name, ty, vec![behind(SizeExpr::Dim(0))], until.with(Structure::Offsets));
                (at(starts, row.clone()), at(starts, row + 1))
            }
            Layout::Ranges => {
                let starts = self.name("row_begin");
                let ends = self.name("row_end");
                let starts = self.indices(starts, ty, vec![SizeExpr::Dim(0)], until.clone());
                let ends = self.indices(ends, ty, vec![SizeExpr::Dim(0)], until);
                (at(starts, row.clone()), at(ends, row))
            }
            _ => {
                let longest = self.rng.int(3, 6);
                let (starts, lengths) =
                    (self.one_of(&["first_entry", "offset_of"]), self.one_of(&["row_len", "fan_out"]));
                let domain = Domain::sizes(SizeExpr::Literal(0), moved(total.size(), -longest));
                let starts = self.indices(starts, ty, vec![SizeExpr::Dim(0)], domain);
                let lengths = self.indices(lengths, ty, vec![SizeExpr::Dim(0)], Domain::ints(0, longest + 1));
                let start = self.named_place(&["begin", "start", "first"], at(starts, row.clone()));
                (start.clone(), start + at(lengths, row))
            }
        };
        let (low, high) = if self.rng.percent(45) && layout != Layout::Counted {
            let low = self.named_place(&["begin", "start", "first"], range.0);
            (low, self.named_place(&["end", "stop", "last"], range.1))
        } else {
            range
        };
        ((low, high), total.most(), vec![total])
    }

    /// A matrix of entries, with a row of the largest width for each row.
    fn padded_entries(&mut self, layout: Layout, ty: Type) -> ((Expr, Expr), f64, Vec<Axis>) {
        let width = self.inner_axis();
        let shape = vec![Axis::Launch(0), width];
        let end = match (layout, width) {
            (Layout::Degrees, _) => {
                let name = self.one_of(&["degree", "n_neighbors", "row_nnz", "valence"]);
                let domain = Domain::sizes(SizeExpr::Literal(0), moved(width.size(), 1));
                let degrees = self.indices(name, ty, vec![SizeExpr::Dim(0)], domain);
                Expr::load(degrees, [self.tid[0].clone()], ty).cast(Type::INDEX)
            }
            (_, Axis::Sized(id, _)) => Expr::param(id, self.kernel.param(id).elem()),
            (_, Axis::Fixed(extent)) => Expr::index(extent as usize),
            (_, Axis::Launch(_) | Axis::OfBlocks(_)) => Expr::index(1),
        };
        ((Expr::number(0, end.ty), end), width.most(), shape)
    }

    /// The array that columns are indices of.
    fn column_source(&mut self, of: Axis) -> Array {
        let known: Vec<Array> =
            self.arrays.iter().filter(|array| array.axes == [of] && array.elem == self.number()).cloned().collect();
        if !known.is_empty() && self.rng.percent(60) {
            return known[self.rng.below(known.len())].clone();
        }
        let vectors = self.float_vectors().first().copied();
        let elem = match vectors {
            Some(ty) if self.rng.percent(30) => ty,
            _ => self.number(),
        };
        self.inputs_left = self.inputs_left.max(1);
        self.array_input(elem, vec![of])
    }

    fn place_of_entry(&self, entries: &Entries, here: &Expr) -> Vec<Expr> {
        match entries.shape.len() {
            1 => vec![here.clone()],
            _ => vec![self.tid[0].clone(), here.clone()],
        }
    }

    /// The column of an entry. Gaps are skipped.
    fn column(&mut self, entries: &Entries, here: &Expr) -> Expr {
        let column = Expr::load(entries.columns, self.place_of_entry(entries, here), entries.ty);
        if !entries.has_gaps {
            let index = column.cast(Type::INDEX);
            return if self.rng.percent(55) {
                self.named_place(&["c", "j", "other", "neighbor_id", "q"], index)
            } else {
                index
            };
        }
        let name = self.one_of(&["c", "j", "other", "neighbor_id"]);
        let local: Var = self.local_named(name, entries.ty, false);
        self.push(local.declare(column));
        let column = local.expr();
        let is_gap = column.lt(0);
        self.push(Stmt::when(is_gap, [Stmt::new(StmtKind::Continue)]));
        column.cast(Type::INDEX)
    }

    /// The element that an entry refers to, and the entry's own value.
    fn found_in(
        &mut self,
        entries: &Entries,
        source: &Array,
        values: Option<&Array>,
        here: &Expr,
        column: &Expr,
    ) -> (Term, Option<Term>) {
        let element = self.element(source, vec![column.clone()]);
        self.offer(element.clone());
        let value = values.map(|values| {
            let place = self.place_of_entry(entries, here);
            let value = self.element(values, place);
            self.offer(value.clone());
            value
        });
        // The thread's own element beside that of the neighbour.
        if entries.of == Axis::Launch(0) && self.rng.percent(35) {
            let own = self.element(source, vec![self.tid[0].clone()]);
            self.items.push(Item { term: own, uses: 0, target: None });
        }
        (element, value)
    }

    /// The term that an entry adds.
    fn row_term(&mut self, (element, value): &(Term, Option<Term>), values: Option<&Array>) -> Term {
        let number = self.number();
        let made = match self.rng.below(5) {
            0 | 1 => self.adapted(element.clone(), number),
            _ => Some(self.made_of(number, element, 1)),
        };
        let made = made.unwrap_or_else(|| Term::number(1.0, number));
        let term = match (value, values) {
            (Some(value), Some(_)) => {
                let made = self.fit(made, -2.5, 2.5);
                let args = if self.rng.percent(65) { vec![value.clone(), made] } else { vec![made, value.clone()] };
                self.raw(Op::Mul, args, number).unwrap_or_else(|| value.clone())
            }
            _ => made,
        };
        self.fit(term, -REACH, REACH)
    }

    /// The accumulator of the row.
    fn start_row(&mut self, op: Op) -> Var {
        let (first, names): (f64, &[&str]) = match op {
            Op::Add => (0.0, &["sum", "acc", "dot", "row_sum", "aggregated", "message"]),
            Op::Max => (-10.0, &["strongest", "largest", "best"]),
            _ => (10.0, &["weakest", "smallest", "lowest"]),
        };
        let first = Expr::number(first, self.float);
        self.hidden(names, first)
    }

    /// Offers the result of the row, plain or as a mean.
    fn end_row(&mut self, op: Op, sum: Var, count: Option<Var>, most: f64) {
        let number = self.number();
        let sum = sum.expr();
        match count {
            Some(count) => {
                let count = count.max(1);
                let mean = self.known(sum / count.cast(number), -REACH, REACH);
                self.bind(&["mean_of_row", "neighbor_mean", "averaged", "per_entry"], mean);
            }
            None => {
                let reach = if op == Op::Add { REACH * most } else { 10.0 };
                let samples = samples::draw(&mut self.rng, number, -reach, reach);
                self.offer(Term::new(sum, samples));
            }
        }
    }
}

/// The extent plus a number.
pub(super) fn moved(size: SizeExpr, by: i64) -> SizeExpr {
    let number = |value| Box::new(SizeExpr::Literal(value));
    match size {
        SizeExpr::Literal(value) => SizeExpr::Literal(value + by),
        size if by < 0 => SizeExpr::Sub(Box::new(size), number(-by)),
        size => SizeExpr::Add(Box::new(size), number(by)),
    }
}

fn layout_words(layout: Layout) -> &'static str {
    match layout {
        Layout::Compressed | Layout::Ranges => "sparse row",
        Layout::Counted => "list",
        Layout::Padded => "padded row",
        Layout::Degrees => "neighbourhood",
    }
}
