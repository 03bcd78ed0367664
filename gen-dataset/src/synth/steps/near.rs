//! Elements of other threads: neighbours, and those that an index array names.

use super::super::build;
use super::super::notes::Mark;
use super::super::sketch::{Array, Axis, Item, Sketch, Term};
use super::super::words;
use kernel_ir::ir::{Domain, Expr, ExprKind, ParamKind, SizeExpr, StmtKind, Type};
use kernel_ir::ops::Op;

impl Sketch {
    /// An array over the launch that is only read; mostly one that is there.
    fn launch_array(&mut self) -> Array {
        let axes = self.launch_axes();
        let known: Vec<Array> =
            self.arrays.iter().filter(|array| array.axes == axes && array.elem.is_float()).cloned().collect();
        if !known.is_empty() && self.dice.percent(70) {
            return known[self.dice.below(known.len())].clone();
        }
        let elem = if !self.shapes.is_empty() && self.dice.percent(25) {
            let place = self.dice.below(self.shapes.len());
            self.shapes[place]
        } else {
            self.number()
        };
        self.inputs_left = self.inputs_left.max(1);
        self.array_input(elem, axes)
    }

    /// What stands on both sides of this thread's element along an axis.
    pub(super) fn stencil(&mut self) {
        let array = self.launch_array();
        let axis = self.dice.below(array.axes.len());
        let here = self.tid[axis].clone();
        let extent = build::extent(array.id, axis as u8);
        let one = || build::index(1);
        let distance = if self.dice.percent(80) { 1 } else { 2 };
        let step = build::index(distance);
        let kind = if self.nesting == 0 { self.dice.below(4) } else { self.dice.below(3) };
        let last = || build::both(Op::Sub, extent.clone(), one());
        let (before, after, edge) = match kind {
            0 => (
                build::both(Op::SaturatingSub, here.clone(), step.clone()),
                build::both(Op::Min, build::both(Op::Add, here.clone(), step), last()),
                "the edges repeated",
            ),
            1 => {
                let back = build::both(Op::Sub, build::both(Op::Add, here.clone(), extent.clone()), one());
                let on = build::both(Op::Add, here.clone(), step);
                (build::both(Op::Rem, back, extent.clone()), build::both(Op::Rem, on, extent.clone()), "wrapped around")
            }
            2 => {
                let first = build::test(Op::Gt, here.clone(), build::index(0));
                let next = build::test(Op::Lt, build::both(Op::Add, here.clone(), one()), extent.clone());
                (
                    build::select(first, build::both(Op::Sub, here.clone(), one()), here.clone()),
                    build::select(next, build::both(Op::Add, here.clone(), one()), here.clone()),
                    "each edge its own neighbour",
                )
            }
            _ => {
                let first = build::test(Op::Lt, here.clone(), one());
                let next = build::test(Op::Ge, build::both(Op::Add, here.clone(), one()), extent.clone());
                let outside = build::test(Op::Or, first, next);
                self.push(build::branch(outside, vec![build::stmt(StmtKind::Return(None))], Vec::new()));
                (
                    build::both(Op::Sub, here.clone(), one()),
                    build::both(Op::Add, here.clone(), one()),
                    "the edges left alone",
                )
            }
        };
        let names = match (array.axes.len(), axis) {
            (1, _) | (2, 1) => self.dice.pick(&[["left", "right"], ["west", "east"], ["prev", "next"]]),
            (2, _) => self.dice.pick(&[["above", "below"], ["north", "south"], ["up", "down"]]),
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
        let name = super::super::say::words(&self.kernel.param(array.id).name);
        self.note(Mark::Array(array.id), "stencil", format!("looks at the neighbours in {name}, {edge}"));
    }

    fn neighbour(&mut self, array: &Array, axis: usize, wish: &str, index: Expr) {
        let index = if self.dice.percent(65) && !matches!(index.kind, ExprKind::Local(_)) {
            let local = self.local(wish, Type::INDEX, false);
            self.push(build::declare(local, index));
            build::local(local, Type::INDEX)
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
        let array = if self.kernel.dim == 1 && self.dice.percent(60) {
            self.launch_array()
        } else {
            let axis = Axis::Fixed(self.dice.int(3, 12) as u32);
            let elem = if !self.shapes.is_empty() && self.dice.percent(40) {
                let place = self.dice.below(self.shapes.len());
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
        let index = if self.dice.percent(50) {
            let local = self.local("source", Type::INDEX, false);
            self.push(build::declare(local, index));
            build::local(local, Type::INDEX)
        } else {
            index
        };
        let element = self.element(&array, vec![index]);
        if self.dice.percent(40) {
            self.bind(&["gathered", "fetched", "picked"], element);
        } else {
            self.items.push(Item { term: element, uses: 0, target: None });
        }
        let name = super::super::say::words(&self.kernel.param(array.id).name);
        self.note(Mark::Array(array.id), "gather", format!("fetches an element of {name} by index"));
    }

    /// An index of `axis` that an array of indices holds for this thread.
    pub(super) fn pointer(&mut self, axis: Axis) -> Expr {
        let name = self.one_of(&words::POINTERS);
        let ty = self.dice.pick(&[Type::I32, Type::I32, Type::U32]);
        let shape = self.launch_axes().iter().map(|axis| axis.size()).collect();
        let kind = ParamKind::Array { elem: ty, mutable: false, shape };
        let id = self.param(name, kind, Some(Domain::Int { low: SizeExpr::Literal(0), high: axis.size() }));
        build::cast(build::load(id, self.tid.clone(), ty), Type::INDEX)
    }

    /// A place in `count` that a term decides.
    pub(super) fn bucket(&mut self, count: u32) -> Term {
        let number = self.number();
        let term = self.term(number, 1);
        let term = self.fit(term, 0.02, 0.98);
        let scale = Term::number(count.into(), number);
        let lanes = super::super::lanes::draw(&mut self.dice, Type::INDEX, 0.0, count.into());
        let scaled = build::both(Op::Mul, term.expr.clone(), scale.expr);
        let place = build::both(Op::Min, build::cast(scaled, Type::INDEX), build::index(count as usize - 1));
        let bound = Term { expr: place, lanes, size: term.size + 3 };
        self.bind(&["bucket", "bin", "slot_index", "cell_index"], bound)
    }
}
