//! Elements of other threads: stencils, and gathers through an index array.

use super::super::generator::{Array, Axis, Generator, Item, Term};
use super::super::lexicon;
use super::super::notes::Mark;
use kernel_ir::ir::{Domain, Expr, ExprKind, ParamKind, SizeExpr, Stmt, StmtKind, Type};
use kernel_ir::ops::build::Operand;

impl Generator {
    /// An array over the launch that is only read, preferably an existing one.
    fn launch_array(&mut self) -> Array {
        let axes = self.launch_axes();
        let known: Vec<Array> =
            self.arrays.iter().filter(|array| array.axes == axes && array.elem.is_float()).cloned().collect();
        if !known.is_empty() && self.rng.percent(70) {
            return known[self.rng.below(known.len())].clone();
        }
        let elem = if !self.shapes.is_empty() && self.rng.percent(25) {
            let place = self.rng.below(self.shapes.len());
            self.shapes[place]
        } else {
            self.number()
        };
        self.inputs_left = self.inputs_left.max(1);
        self.array_input(elem, axes)
    }

    /// The elements on both sides of the thread's own along an axis.
    pub(super) fn stencil(&mut self) {
        let array = self.launch_array();
        let axis = self.rng.below(array.axes.len());
        let here = self.tid[axis].clone();
        let extent = Expr::extent(array.id, axis as u8);
        let one = || Expr::index(1);
        let distance = if self.rng.percent(80) { 1 } else { 2 };
        let step = Expr::index(distance);
        let kind = if self.nesting == 0 { self.rng.below(4) } else { self.rng.below(3) };
        let last = || &extent - one();
        let (before, after, edge) = match kind {
            0 => (here.saturating_sub(&step), (&here + step).min(last()), "the edges repeated"),
            1 => {
                let back = &here + &extent - one();
                let on = &here + step;
                (back % &extent, on % &extent, "wrapped around")
            }
            2 => {
                let first = here.gt(0);
                let next = (&here + one()).lt(&extent);
                (first.select(&here - one(), &here), next.select(&here + one(), &here), "each edge its own neighbour")
            }
            _ => {
                let first = here.lt(one());
                let next = (&here + one()).ge(&extent);
                let outside = first.or(next);
                self.push(Stmt::when(outside, [Stmt::new(StmtKind::Return(None))]));
                (&here - one(), &here + one(), "the edges left alone")
            }
        };
        let names = match (array.axes.len(), axis) {
            (1, _) | (2, 1) => self.rng.pick(&[["left", "right"], ["west", "east"], ["prev", "next"]]),
            (2, _) => self.rng.pick(&[["above", "below"], ["north", "south"], ["up", "down"]]),
            _ => ["prev", "next"],
        };
        for (wish, index) in names.into_iter().zip([before, after]) {
            self.neighbour(&array, axis, wish, index);
        }
        let centre = array.axes.iter().map(|axis| self.index_of(*axis)).collect();
        let centre = self.element(&array, centre);
        if !self.items.iter().any(|item| item.term.expr == centre.expr) {
            self.items.push(Item { term: centre, uses: 0, target: None });
        }
        let name = super::super::docgen::words(&self.kernel.param(array.id).name);
        self.note(Mark::Array(array.id), "stencil", format!("looks at the neighbours in {name}, {edge}"));
    }

    fn neighbour(&mut self, array: &Array, axis: usize, wish: &str, index: Expr) {
        let index = if self.rng.percent(65) && !matches!(index.kind, ExprKind::Local(_)) {
            let local = self.local(wish, Type::INDEX, false);
            self.push(local.declare(index));
            local.expr()
        } else {
            index
        };
        let mut all: Vec<Expr> = self.tid.clone();
        all[axis] = index;
        let element = self.element(array, all);
        self.items.push(Item { term: element, uses: 0, target: None });
    }

    /// `source[parent[i] as usize]`
    pub(super) fn gather(&mut self) {
        let array = if self.kernel.dim == 1 && self.rng.percent(60) {
            self.launch_array()
        } else {
            let axis = Axis::Fixed(self.rng.int(3, 12) as u32);
            let elem = if !self.shapes.is_empty() && self.rng.percent(40) {
                let place = self.rng.below(self.shapes.len());
                self.shapes[place]
            } else {
                self.number()
            };
            self.inputs_left = self.inputs_left.max(1);
            self.array_input(elem, vec![axis])
        };
        if array.axes.len() != 1 {
            return;
        }
        let index = self.pointer(array.axes[0]);
        let index = if self.rng.percent(50) {
            let local = self.local("source", Type::INDEX, false);
            self.push(local.declare(index));
            local.expr()
        } else {
            index
        };
        let element = self.element(&array, vec![index]);
        if self.rng.percent(40) {
            self.bind(&["gathered", "fetched", "picked"], element);
        } else {
            self.items.push(Item { term: element, uses: 0, target: None });
        }
        let name = super::super::docgen::words(&self.kernel.param(array.id).name);
        self.note(Mark::Array(array.id), "gather", format!("fetches an element of {name} by index"));
    }

    /// The thread's entry of an index array, as an index along `axis`.
    pub(super) fn pointer(&mut self, axis: Axis) -> Expr {
        let name = self.one_of(&lexicon::POINTERS);
        let ty = self.rng.pick(&[Type::I32, Type::I32, Type::U32]);
        let shape = self.launch_axes().iter().map(|axis| axis.size()).collect();
        let kind = ParamKind::Array { elem: ty, mutable: false, optional: false, shape };
        let id = self.param(name, kind, Some(Domain::sizes(SizeExpr::Literal(0), axis.size())));
        Expr::load(id, self.tid.clone(), ty).cast(Type::INDEX)
    }

    /// An index below `count` that is computed from a term.
    pub(super) fn bucket(&mut self, count: u32) -> Term {
        let number = self.number();
        let term = self.term(number, 1);
        let term = self.fit(term, 0.02, 0.98);
        let scale = Term::number(count.into(), number);
        let samples = super::super::samples::draw(&mut self.rng, Type::INDEX, 0.0, count.into());
        let scaled = &term.expr * scale.expr;
        let place = scaled.cast(Type::INDEX).min(Expr::index(count as usize - 1));
        let bound = Term { expr: place, samples, size: term.size + 3 };
        self.bind(&["bucket", "bin", "slot_index", "cell_index"], bound)
    }
}
