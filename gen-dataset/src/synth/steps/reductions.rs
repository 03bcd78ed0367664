//! Reductions over array axes: sums, products, extrema, counts, matrix products and windows.

use super::super::docgen;
use super::super::generator::{Array, Axis, Fact, Generator, Item, Term};
use super::super::lexicon;
use super::super::notes::Mark;
use super::super::samples;
use kernel_ir::ir::{Block, Direction, Expr, ExprKind, ParamId, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// The largest extent of an axis that is summed over.
const MOST_TRIPS: u32 = 9;

impl Generator {
    /// An axis to reduce over.
    pub(super) fn inner_axis(&mut self) -> Axis {
        if self.rng.percent(45) {
            return Axis::Fixed(self.rng.int(2, 8) as u32);
        }
        let name = self.one_of(&lexicon::SIZES);
        let ty = self.rng.pick(&[Type::INDEX, Type::I32, Type::INDEX, Type::U32]);
        let below = self.rng.int(4, i64::from(MOST_TRIPS)) as u32;
        let domain = Some(kernel_ir::ir::Domain::ints(if self.rng.percent(60) { 2 } else { 1 }, below.into()));
        let id = self.param(name, kernel_ir::ir::ParamKind::Value(ty), domain);
        Axis::Sized(id, below)
    }

    /// A loop variable over `axis`, and the end of the loop. `array` is an array with this axis.
    pub(super) fn run_over(&mut self, axis: Axis, array: Option<(ParamId, u8)>) -> (Var, Expr) {
        let name = self.one_of(&lexicon::LOOPS);
        let end = match (axis, array) {
            (Axis::Sized(id, _), _) if self.kernel.param(id).elem() != Type::INDEX || array.is_none() => {
                Expr::param(id, self.kernel.param(id).elem())
            }
            (Axis::Sized(id, _), Some(_)) if self.rng.percent(60) => Expr::param(id, Type::INDEX),
            (Axis::Fixed(extent), Some((id, place))) => {
                if self.rng.percent(30) {
                    Expr::extent(id, place)
                } else {
                    Expr::index(extent as usize)
                }
            }
            (Axis::Fixed(extent), None) => Expr::index(extent as usize),
            (_, Some((id, place))) => Expr::extent(id, place),
            (_, None) => Expr::index(1),
        };
        let local = self.local_named(name, end.ty, false);
        (local, end)
    }

    /// Adds the loop variable to the scope, as an index and as a number.
    pub(super) fn enter(&mut self, local: Var, ty: Type, axis: Axis) {
        let index = local.cast(Type::INDEX);
        self.facts.push(Fact { axis, index });
        let samples = samples::draw(&mut self.rng, ty, 0.0, axis.most());
        // Two earlier uses make it a rare choice.
        self.items.push(Item { term: Term::new(local.expr(), samples), uses: 2, target: None });
    }

    /// An array with the axis, often with a row for each thread.
    pub(super) fn array_over(&mut self, axis: Axis) -> (Array, u8) {
        let elem = if !self.shapes.is_empty() && self.rng.percent(30) {
            let place = self.rng.below(self.shapes.len());
            self.shapes[place]
        } else {
            self.number()
        };
        let mut axes = Vec::new();
        if self.kernel.dim < 4 && self.rng.percent(70) {
            let launch = self.launch_axes();
            if launch.len() < 3 || self.rng.percent(50) { axes.extend(launch) } else { axes.push(launch[0]) }
        }
        axes.push(axis);
        let place = axes.len() as u8 - 1;
        self.inputs_left = self.inputs_left.max(1);
        (self.array_input(elem, axes), place)
    }

    /// An element of the array at known indices, as an item.
    pub(super) fn element_here(&mut self, array: &Array) -> Term {
        let index = array.axes.iter().map(|axis| self.index_of(*axis)).collect();
        let element = self.element(array, index);
        self.items.push(Item { term: element.clone(), uses: 0, target: None });
        element
    }

    /// The kind of reduction for values of type `ty`.
    fn way(&mut self, ty: Type, trips: f64) -> Way {
        let float = ty.is_float();
        let (op, first) = match self.rng.below(10) {
            0 if ty.is_scalar() && float => (Op::Mul, 1.0),
            1 if ty.is_scalar() => (Op::Max, if float { -10.0 } else { 0.0 }),
            2 if ty.is_scalar() && float => (Op::Min, 10.0),
            _ => (Op::Add, 0.0),
        };
        let (low, high) = match op {
            Op::Mul => (0.6, 1.4),
            _ => (-4.0, 4.0),
        };
        let (least, most) = match op {
            Op::Mul => (0.1, 8.0),
            Op::Add => (low * trips, high * trips),
            _ => (low, high),
        };
        Way { op, first, range: (low, high), result: (least, most) }
    }

    /// Declares the accumulator of a reduction.
    fn start_sum(&mut self, ty: Type, way: &Way) -> Option<(Var, Term)> {
        let first = if ty.is_scalar() {
            Term::number(way.first, ty)
        } else {
            let zero = Term::number(0.0, ty.scalar().into());
            self.raw(Op::Splat, vec![zero], ty)?
        };
        let names: &[&str] = match way.op {
            Op::Mul => &["product", "factor", "compound"],
            Op::Max => &["largest", "peak_value", "best"],
            Op::Min => &["smallest", "lowest", "nearest"],
            _ => &lexicon::SUMS,
        };
        let sum = self.bind_mut(names, first);
        // Nothing may read the sum before it is complete.
        self.items.pop();
        Some(sum)
    }

    /// The statement that adds a term to the accumulator.
    fn add_to(&mut self, sum: Var, ty: Type, way: &Way, term: Term) -> Stmt {
        let term = if ty.is_scalar() && ty.is_float() { self.fit(term, way.range.0, way.range.1) } else { term };
        let place = sum.place();
        match way.op {
            Op::Add | Op::Mul => place.update(way.op, term.expr),
            op => place.set(Expr::op(op, [sum.expr(), term.expr])),
        }
    }

    /// The type of a reduction: numbers, or vectors of floats.
    fn sum_type(&mut self) -> Type {
        let vectors: Vec<Type> = self.shapes.iter().copied().filter(|ty| ty.is_vector() && ty.is_float()).collect();
        if !vectors.is_empty() && self.rng.percent(35) { self.rng.pick(&vectors) } else { self.number() }
    }

    fn end_sum(&mut self, sum: Var, ty: Type, way: &Way) {
        let (low, high) = way.result;
        let (low, high) = if ty.is_float() { (low, high) } else { (0.0, high.max(2.0)) };
        let samples = samples::draw(&mut self.rng, ty, low, high);
        let term = Term::new(sum.expr(), samples);
        self.items.push(Item { term, uses: 0, target: Some(sum) });
    }

    /// The term that a trip adds.
    fn addend(&mut self, ty: Type, element: &Term) -> Term {
        let depth = self.depth;
        self.made_of(ty, element, depth)
    }

    /// A term of about `depth` levels that contains the element.
    pub(super) fn made_of(&mut self, ty: Type, element: &Term, depth: usize) -> Term {
        for _ in 0..4 {
            let term = self.term(ty, depth);
            if contains(&term.expr, &element.expr) && term.samples.is_varied() {
                return term;
            }
            let Some(adapted) = self.adapted(element.clone(), ty) else { continue };
            let op = self.rng.pick(&[Op::Mul, Op::Add, Op::Sub, Op::Mul]);
            if let Some(term) = self.apply(op, vec![adapted, term], ty) {
                return term;
            }
        }
        self.adapted(element.clone(), ty).unwrap_or_else(|| element.clone())
    }

    /// The term combined with `other`, if it does not contain it yet.
    fn joined(&mut self, term: Term, other: &Term) -> Term {
        let ty = term.ty();
        if contains(&term.expr, &other.expr) {
            return term;
        }
        for _ in 0..4 {
            let Some(other) = self.adapted(other.clone(), ty) else { continue };
            let op = self.rng.pick(&[Op::Mul, Op::Mul, Op::Sub, Op::Add]);
            if let Some(both) = self.apply(op, vec![term.clone(), other], ty) {
                return both;
            }
        }
        term
    }

    pub(super) fn sum(&mut self) {
        let axis = self.inner_axis();
        let (array, place) = self.array_over(axis);
        let ty = self.sum_type();
        let way = self.way(ty, axis.most());
        let Some((sum, _)) = self.start_sum(ty, &way) else { return };
        let (variable, end) = self.run_over(axis, Some((array.id, place)));
        let with_condition = self.rng.percent(15);
        let (body, ()) = self.nested(|generator| {
            generator.enter(variable, end.ty, axis);
            let element = generator.element_here(&array);
            if generator.rng.percent(30) {
                generator.let_term();
            }
            let term = generator.addend(ty, &element);
            let stmt = generator.add_to(sum, ty, &way, term);
            match generator.comparison() {
                Some(cond) if with_condition => generator.push(Stmt::when(cond.expr, [stmt])),
                _ => generator.push(stmt),
            }
        });
        let mut stmt = Stmt::for_loop(variable, 0, end, body);
        if let StmtKind::For { range, .. } = &mut stmt.kind {
            if self.rng.percent(8) {
                range.direction = Direction::Down;
            }
            if self.rng.percent(6) {
                range.step = Some(Expr::index(2));
            }
        }
        self.push(stmt);
        self.end_sum(sum, ty, &way);
        self.note_sum(&way, &array, variable);
        if way.op == Op::Add && ty.is_float() && self.rng.percent(25) {
            self.mean(sum, ty, axis, (array.id, place));
        }
    }

    /// `let mean = sum / n as f32;`
    fn mean(&mut self, sum: Var, ty: Type, axis: Axis, array: (ParamId, u8)) {
        let count = match axis {
            Axis::Sized(id, _) if self.kernel.param(id).elem() != Type::INDEX => {
                Expr::param(id, self.kernel.param(id).elem())
            }
            _ => Expr::extent(array.0, array.1),
        };
        let scalar: Type = ty.scalar().into();
        let count = count.cast(scalar);
        let mean = sum / count;
        let samples = samples::draw(&mut self.rng, ty, -4.0, 4.0);
        self.bind(&["mean", "average", "per_item"], Term { expr: mean, samples, size: 3 });
        if let Some(item) = self.item_of(sum) {
            item.uses += 1;
        }
    }

    fn note_sum(&mut self, way: &Way, array: &Array, variable: Var) {
        let verb = match way.op {
            Op::Add => "sums up",
            Op::Mul => "multiplies",
            Op::Max => "finds the largest of",
            _ => "finds the smallest of",
        };
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.note(Mark::Local(variable.id), "sum", format!("{verb} terms over the last axis of {name}"));
    }

    /// A sum that skips terms, or ends when it is large enough.
    pub(super) fn search(&mut self) {
        let axis = self.inner_axis();
        let (array, place) = self.array_over(axis);
        let ty = self.number();
        let way = Way { op: Op::Add, first: 0.0, range: (-3.0, 3.0), result: (-3.0 * axis.most(), 3.0 * axis.most()) };
        let Some((sum, _)) = self.start_sum(ty, &way) else { return };
        let (variable, end) = self.run_over(axis, Some((array.id, place)));
        let jump = self.rng.pick(&[StmtKind::Break, StmtKind::Continue].map(|kind| kind == StmtKind::Break));
        let limit = round_limit(self.rng.float(1.0, 6.0));
        let first = self.rng.percent(50);
        let (body, leaves) = self.nested(|generator| {
            generator.enter(variable, end.ty, axis);
            let element = generator.element_here(&array);
            let value = generator.adapted(element.clone(), ty).unwrap_or_else(|| element.clone());
            let bound = generator.within(&value);
            let op = generator.rng.pick(&[Op::Lt, Op::Gt]);
            let kind = if jump { StmtKind::Break } else { StmtKind::Continue };
            let leave = match generator.apply(op, vec![value, bound], Type::BOOL) {
                Some(cond) if first || !jump => Some(cond.expr),
                _ if jump => {
                    let limit = Term::number(limit, ty);
                    Some(sum.gt(limit.expr))
                }
                _ => None,
            };
            let leaves = leave.is_some();
            let leave: Block = leave.map(|cond| Stmt::when(cond, [Stmt::new(kind)])).into_iter().collect();
            let term = generator.addend(ty, &element);
            let add = generator.add_to(sum, ty, &way, term);
            if first || !jump {
                generator.block.extend(leave);
                generator.push(add);
            } else {
                generator.push(add);
                generator.block.extend(leave);
            }
            leaves
        });
        self.push(Stmt::for_loop(variable, 0, end, body));
        self.end_sum(sum, ty, &way);
        if !leaves {
            return self.note_sum(&way, &array, variable);
        }
        let name = docgen::words(&self.kernel.param(array.id).name);
        let how = if jump { "stops early" } else { "leaves some out" };
        self.note(Mark::Local(variable.id), "scan", format!("goes through the last axis of {name} and {how}"));
    }

    pub(super) fn double_sum(&mut self) {
        let (outer, inner) = (self.inner_axis(), Axis::Fixed(self.rng.int(2, 5) as u32));
        let elem = self.number();
        let mut axes = vec![outer, inner];
        if self.kernel.dim == 1 && self.rng.percent(55) {
            axes.insert(0, Axis::Launch(0));
        }
        let last = axes.len() as u8 - 1;
        self.inputs_left = self.inputs_left.max(1);
        let array = self.array_input(elem, axes);
        let ty = self.sum_type();
        let way = self.way(ty, outer.most() * inner.most());
        let Some((sum, _)) = self.start_sum(ty, &way) else { return };
        let (row, row_end) = self.run_over(outer, Some((array.id, last - 1)));
        let (col, col_end) = self.run_over(inner, Some((array.id, last)));
        let triangle = row_end.ty == Type::INDEX && self.rng.percent(15);
        let (body, ()) = self.nested(|generator| {
            generator.enter(row, row_end.ty, outer);
            if generator.rng.percent(30) {
                generator.let_term();
            }
            let (inside, ()) = generator.nested(|generator| {
                generator.enter(col, col_end.ty, inner);
                let element = generator.element_here(&array);
                let term = generator.addend(ty, &element);
                let stmt = generator.add_to(sum, ty, &way, term);
                generator.push(stmt);
            });
            let mut stmt = Stmt::for_loop(col, 0, col_end.clone(), inside);
            if let (true, StmtKind::For { range, .. }) = (triangle, &mut stmt.kind)
                && col_end.ty == Type::INDEX
            {
                range.end = (row + 1).min(&col_end);
            }
            generator.push(stmt);
        });
        self.push(Stmt::for_loop(row, 0, row_end, body));
        self.end_sum(sum, ty, &way);
        self.note_sum(&way, &array, row);
    }

    /// `for k in 0..n { sum += f(a[[i, k]], b[[k, j]]); }`
    pub(super) fn product(&mut self) {
        let axis = self.inner_axis();
        let elem = if !self.shapes.is_empty() && self.rng.percent(30) {
            let place = self.rng.below(self.shapes.len());
            self.shapes[place]
        } else {
            self.number()
        };
        let (left_axes, right_axes) = match self.kernel.dim {
            1 => (vec![Axis::Launch(0), axis], vec![axis]),
            2 => (vec![Axis::Launch(0), axis], vec![axis, Axis::Launch(1)]),
            _ => (vec![Axis::Launch(0), Axis::Launch(1), axis], vec![axis, Axis::Launch(2)]),
        };
        let place = left_axes.len() as u8 - 1;
        self.inputs_left = self.inputs_left.max(2);
        let left = self.array_input(elem, left_axes);
        let number = self.number();
        let other = if self.rng.percent(70) { elem } else { number };
        let right = self.array_input(other, right_axes);
        let ty = self.sum_type();
        let way = self.way(ty, axis.most());
        let Some((sum, _)) = self.start_sum(ty, &way) else { return };
        let (variable, end) = self.run_over(axis, Some((left.id, place)));
        let (body, ()) = self.nested(|generator| {
            generator.enter(variable, end.ty, axis);
            let a = generator.element_here(&left);
            let b = generator.element_here(&right);
            let same = a.ty() == b.ty();
            let both = if same { generator.apply(Op::Mul, vec![a.clone(), b.clone()], a.ty()) } else { None };
            let term = match both {
                Some(both) if generator.rng.percent(60) => generator.adapted(both, ty),
                _ => None,
            };
            let term = term.unwrap_or_else(|| generator.addend(ty, &a));
            let term = generator.joined(term, &b);
            let stmt = generator.add_to(sum, ty, &way, term);
            generator.push(stmt);
        });
        self.push(Stmt::for_loop(variable, 0, end, body));
        self.end_sum(sum, ty, &way);
        let (a, b) = (&self.kernel.param(left.id).name, &self.kernel.param(right.id).name);
        let note = format!("pairs {} with {} along their common axis", docgen::words(a), docgen::words(b));
        self.note_if(vec![Mark::Local(variable.id), Mark::Array(left.id), Mark::Array(right.id)], "product", note);
    }

    /// `for dy in 0..3 { for dx in 0..3 { … image[[clamped, clamped]] … } }`
    pub(super) fn window(&mut self) {
        if self.kernel.dim != 2 {
            return self.double_sum();
        }
        let elem = self.number();
        self.inputs_left = self.inputs_left.max(1);
        let axes = self.launch_axes();
        let array = self.array_input(elem, axes);
        let width = self.rng.pick(&[3, 3, 3, 5, 2]);
        let reach = width / 2;
        let weights = self.rng.percent(40).then(|| {
            self.inputs_left = self.inputs_left.max(1);
            let axes = vec![Axis::Fixed(width as u32), Axis::Fixed(width as u32)];
            let name = self.one_of(&["kernel_weights", "mask_weights", "stencil_weights", "taps_2d"]);
            self.array_named(name, elem, axes, (-0.5, 0.8))
        });
        let ty = elem;
        let way = self.way(ty, (width * width) as f64);
        let Some((sum, _)) = self.start_sum(ty, &way) else { return };
        let names = self.rng.pick(&[["dy", "dx"], ["di", "dj"], ["down", "right"], ["u", "v"]]);
        let steps: Vec<Var> = names.iter().map(|name| self.local(name, Type::INDEX, false)).collect();
        let wrap = self.rng.percent(30);
        let (body, ()) = self.nested(|generator| {
            let rows = generator.shifted(&array, 0, steps[0], reach, wrap);
            let row_name = generator.rng.pick(&[["r", "c"], ["near_row", "near_col"], ["yy", "xx"], ["p", "q"]]);
            let axis = Axis::Fixed(width as u32);
            generator.facts.push(Fact { axis, index: steps[0].expr() });
            let row = generator.local(row_name[0], Type::INDEX, false);
            generator.push(row.declare(rows));
            let (inside, ()) = generator.nested(|generator| {
                let cols = generator.shifted(&array, 1, steps[1], reach, wrap);
                let col = generator.local(row_name[1], Type::INDEX, false);
                generator.push(col.declare(cols));
                let index = vec![row.expr(), col.expr()];
                let element = generator.element(&array, index);
                generator.items.push(Item { term: element.clone(), uses: 0, target: None });
                if let Some(weights) = &weights {
                    let index = steps.iter().map(|step| step.expr()).collect();
                    let weight = generator.element(weights, index);
                    generator.items.push(Item { term: weight, uses: 0, target: None });
                }
                let term = generator.addend(ty, &element);
                let stmt = generator.add_to(sum, ty, &way, term);
                generator.push(stmt);
            });
            generator.push(Stmt::for_loop(steps[1], 0, Expr::index(width), inside));
        });
        self.push(Stmt::for_loop(steps[0], 0, Expr::index(width), body));
        self.end_sum(sum, ty, &way);
        let name = docgen::words(&self.kernel.param(array.id).name);
        let edge = if wrap { "wrapped around at the edges" } else { "kept within the edges" };
        let text = format!("goes through the {width} × {width} window of {name} around each cell, {edge}");
        self.note(Mark::Local(steps[0].id), "window", text);
    }

    /// The index `tid + step - reach` along an axis, wrapped around or clamped.
    fn shifted(&mut self, array: &Array, axis: u8, step: Var, reach: usize, wrap: bool) -> Expr {
        let here = self.tid[usize::from(axis)].clone();
        let extent = Expr::extent(array.id, axis);
        let moved = here + step;
        if wrap {
            // A large window may wrap around more than once. Adding a multiple of the extent keeps the sum positive.
            let base = &extent * Expr::index(reach.max(1));
            let moved = moved + base - Expr::index(reach);
            return moved % extent;
        }
        let moved = moved.saturating_sub(Expr::index(reach));
        moved.min(extent - 1)
    }
}

/// A kind of reduction.
struct Way {
    op: Op,
    first: f64,
    /// The range of its terms.
    range: (f64, f64),
    /// The range of its result.
    result: (f64, f64),
}

fn round_limit(value: f64) -> f64 {
    (value * 2.0).round() / 2.0
}

/// Whether `expr` contains `part`.
fn contains(expr: &Expr, part: &Expr) -> bool {
    let mut found = false;
    expr.walk(&mut |expr| found |= expr == part);
    found || matches!(part.kind, ExprKind::Literal(_))
}
