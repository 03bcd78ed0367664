//! Arrays of the thread: weights, sorted values, small histograms, coefficients, delay lines, the largest values of a row.

use super::super::docgen;
use super::super::generator::{Array, Axis, Generator, Term};
use super::super::lexicon;
use super::super::range_repair::round2;
use kernel_ir::ir::{Block, Direction, Expr, ExprKind, LocalId, Place, PlaceRoot, Span, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// A local array.
#[derive(Clone, Copy)]
struct LocalArray {
    id: LocalId,
    ty: Type,
    len: usize,
}

impl LocalArray {
    /// The element at `index`.
    fn at(self, index: impl Operand) -> Expr {
        Expr::new(ExprKind::LocalElement { local: self.id, index: Box::new(index.into_expr()) }, self.ty)
    }

    fn place(self, index: impl Operand) -> Place {
        let root = PlaceRoot::LocalElement { local: self.id, index: index.into_expr() };
        Place { root, path: Vec::new(), ty: self.ty, span: Span::NONE }
    }
}

impl Generator {
    pub(super) fn local_array(&mut self) {
        match self.rng.below(12) {
            0 | 1 => self.weighted_window(),
            2..5 => self.sorted_values(),
            5 | 6 => self.small_histogram(),
            7 | 8 => self.computed_coefficients(),
            9 => self.delay_line(),
            _ => self.largest_values(),
        }
    }

    /// Declares a local array of zeros.
    fn zeros(&mut self, wishes: &[&str], ty: Type, len: usize) -> LocalArray {
        let name = self.one_of(wishes);
        let local = self.local_named(name, ty, true);
        self.kernel.locals[local.id.0 as usize].len = Some(len as u32);
        self.push(Stmt::new(StmtKind::Let { local: local.id, init: None }));
        LocalArray { id: local.id, ty, len }
    }

    /// Declares a local array with these values.
    fn array_of(&mut self, wishes: &[&str], ty: Type, values: Vec<Expr>) -> LocalArray {
        let array = self.zeros(wishes, ty, values.len());
        for (number, value) in values.into_iter().enumerate() {
            self.push(array.place(Expr::index(number)).set(value));
        }
        array
    }

    fn counter(&mut self) -> Var {
        let name = self.one_of(&lexicon::LOOPS);
        self.local_named(name, Type::INDEX, false)
    }

    /// `for k in 0..n { … }`, over an index.
    fn count_to(&mut self, end: usize, body: impl FnOnce(&mut Generator, Var)) {
        let k = self.counter();
        let (body, ()) = self.nested(|generator| body(generator, k));
        self.push(Stmt::for_loop(k, 0, Expr::index(end), body));
    }

    /// An array of numbers with `count` elements for each thread.
    fn values_for_each(&mut self, count: usize) -> Array {
        let (number, mut axes) = (self.number(), self.launch_axes());
        axes.truncate(3);
        axes.push(Axis::Fixed(count as u32));
        self.inputs_left = self.inputs_left.max(1);
        self.array_input(number, axes)
    }

    /// The value at `k` among those of the thread.
    fn own_value(&mut self, array: &Array, k: Var) -> Term {
        let mut index = self.tid.clone();
        index.truncate(3);
        index.push(k.expr());
        self.element(array, index)
    }

    /// `let taps = [0.25, 0.5, 0.25]; for k in 0..3 { sum += taps[k] * x[…]; }`
    fn weighted_window(&mut self) {
        let number = self.number();
        let half = self.rng.pick(&[1, 1, 2, 3]);
        let len = 2 * half + 1;
        let is_even = self.rng.percent(60);
        let mut weights: Vec<f64> = (0..len).map(|_| round2(self.rng.float(-0.4, 0.9))).collect();
        for k in 0..half {
            weights[len - 1 - k] = if is_even { weights[k] } else { -weights[k] };
        }
        let reach = weights.iter().map(|weight| weight.abs()).sum::<f64>();
        let values = weights.into_iter().map(|weight| Expr::number(weight, number)).collect();
        let taps = self.array_of(&["taps", "weights", "stencil", "fir", "window"], number, values);
        let axes = self.launch_axes();
        self.inputs_left = self.inputs_left.max(1);
        let array = self.array_input(number, axes);
        let axis = self.rng.below(self.tid.len());
        let sum = self.hidden(&lexicon::SUMS, Expr::number(0.0, number));
        self.count_to(len, |generator, k| {
            let last = Expr::extent(array.id, axis as u8) - 1;
            let at = (&generator.tid[axis] + k).saturating_sub(Expr::index(half)).min(last);
            let name = generator.one_of(&["at", "from", "near", "source"]);
            let near = generator.local_named(name, Type::INDEX, false);
            generator.push(near.declare(at));
            let mut index = generator.tid.clone();
            index[axis] = near.expr();
            let value = generator.element(&array, index);
            generator.push(sum.update(Op::Add, taps.at(k) * value.expr));
        });
        let reach = reach * array.range.0.abs().max(array.range.1.abs());
        let sum = self.known(sum.expr(), -reach, reach);
        self.offer(sum);
        let name = docgen::words(&self.kernel.param(array.id).name);
        self.tell("fir", format!("weighs {len} neighbours in {name} with constant taps"));
    }

    /// Sorts a few values, and takes the middle, the ends, or the mean without the ends.
    fn sorted_values(&mut self) {
        let number = self.number();
        let len = self.rng.pick(&[3, 4, 5, 5, 7]);
        let array = self.values_for_each(len);
        let sorted = self.zeros(&["sorted", "ordered", "window_values", "ranked"], number, len);
        let (low, high) = array.range;
        self.count_to(len, |generator, k| {
            let value = generator.own_value(&array, k);
            generator.push(sorted.place(k).set(value.expr));
        });
        self.insertion_sort(sorted);
        let middle = || sorted.at(Expr::index(len / 2));
        let name = docgen::words(&self.kernel.param(array.id).name);
        match self.rng.below(4) {
            0 | 1 => {
                let median =
                    if len % 2 == 1 { middle() } else { 0.5 * (sorted.at(Expr::index(len / 2 - 1)) + middle()) };
                let median = self.known(median, low, high);
                self.bind(&["median", "middle_value", "typical"], median);
                self.tell("median", format!("sorts its {len} values of {name} and takes the median"));
            }
            2 => {
                let width = sorted.at(Expr::index(len - 1)) - sorted.at(Expr::index(0));
                let width = self.known(width, 0.0, high - low);
                self.bind(&["spread_found", "span_found", "value_range"], width);
                self.tell("spread", format!("sorts its {len} values of {name} and takes their spread"));
            }
            _ => {
                let sum = self.hidden(&lexicon::SUMS, Expr::number(0.0, number));
                let k = self.counter();
                let body = vec![sum.update(Op::Add, sorted.at(k))];
                self.push(Stmt::for_loop(k, 1, Expr::index(len - 1), body));
                let mean = sum / (len - 2).max(1) as f64;
                let mean = self.known(mean, low, high);
                self.bind(&["trimmed_mean", "robust_mean", "inner_mean"], mean);
                self.tell("trimmed", format!("averages its {len} values of {name} without the two at the ends"));
            }
        }
    }

    /// Sorts the array by insertion.
    fn insertion_sort(&mut self, array: LocalArray) {
        let outer = self.counter();
        let key = self.local("key_value", array.ty, false);
        let hole = self.local("hole", Type::INDEX, true);
        let moves = hole.gt(0).and(array.at(hole - 1).gt(key));
        let shift: Block = vec![array.place(hole).set(array.at(hole - 1)), hole.update(Op::Sub, 1)];
        let body = vec![
            key.declare(array.at(outer)),
            hole.declare(outer),
            Stmt::while_loop(moves, shift),
            array.place(hole).set(key),
        ];
        self.push(Stmt::for_loop(outer, 1, Expr::index(array.len), body));
    }

    /// Counts the values of a row by class.
    fn small_histogram(&mut self) {
        let row = self.row(0.02, 0.98);
        let classes = self.rng.pick(&[3, 4, 4, 5, 8]);
        let ty = self.rng.pick(&[Type::U32, Type::I32]);
        let counts = self.zeros(&["counts", "histogram", "tallies", "bins_found"], ty, classes);
        let name = self.row_words(&row);
        self.over(&row, 0, |generator, trip| {
            let class = generator.local("class", Type::INDEX, false);
            let scaled = trip.value.expr * classes as f64;
            generator.push(class.declare(scaled.cast(Type::INDEX).min(Expr::index(classes - 1))));
            generator.push(counts.place(class).update(Op::Add, 1));
        });
        let most = row.axis.most();
        match self.rng.below(3) {
            0 => {
                let class = self.bucket(classes as u32);
                self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
                let found = self.known(counts.at(class.expr), 0.0, most);
                self.bind(&["members", "class_size", "peers"], found);
                self.tell("histogram", format!("counts {name} in {classes} classes, and looks up one"));
            }
            1 => {
                let largest = self.hidden(&["mode_count", "largest_class", "peak_count"], Expr::number(0, ty));
                self.count_to(classes, |generator, k| {
                    generator.push(largest.set(largest.max(counts.at(k))));
                });
                let found = self.known(largest.expr(), 0.0, most);
                self.offer(found);
                self.tell("mode", format!("counts {name} in {classes} classes, and finds the largest"));
            }
            _ => {
                let number = self.number();
                let sum = self.hidden(&["purity", "concentration_index", "evenness"], Expr::number(0.0, number));
                self.count_to(classes, |generator, k| {
                    let share = generator.local("share", number, false);
                    generator.push(share.declare(counts.at(k).cast(number) / row.len(number)));
                    generator.push(sum.update(Op::Add, share * share));
                });
                let found = self.known(sum.expr(), 0.1, 1.0);
                self.offer(found);
                self.tell("purity", format!("counts {name} in {classes} classes, and sums up the squared shares"));
            }
        }
    }

    /// Coefficients that differ between threads, and the polynomial or a lookup by the thread's own index.
    fn computed_coefficients(&mut self) {
        let number = self.number();
        let len = self.rng.pick(&[3, 4, 4, 5]);
        let mut values: Vec<Expr> = Vec::new();
        for _ in 0..len {
            let value = if self.rng.percent(40) { self.literal(number) } else { self.term(number, 1) };
            values.push(self.fit(value, -2.0, 2.0).expr);
        }
        let array = self.array_of(&["coefficients", "c", "control", "knots"], number, values);
        if self.rng.percent(35) {
            let index = self.bucket(len as u32);
            self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
            let found = self.known(array.at(index.expr), -2.0, 2.0);
            self.bind(&["picked_value", "entry", "chosen"], found);
            self.tell("table", format!("picks one of {len} values by a computed index"));
            return;
        }
        let x = self.term(number, 1);
        let x = self.fit(x, -1.0, 1.0);
        let x = self.bind(&["x_in", "arg", "coordinate", "u_in"], x);
        self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
        let result = self.hidden(&["value_at", "p_of_x", "horner", "poly"], Expr::number(0.0, number));
        let k = self.counter();
        let mut stmt = Stmt::for_loop(k, 0, Expr::index(len), vec![result.set(result * x.expr + array.at(k))]);
        if let StmtKind::For { range, .. } = &mut stmt.kind {
            range.direction = Direction::Down;
        }
        self.push(stmt);
        let reach = 2.0 * len as f64;
        let value = self.known(result.expr(), -reach, reach);
        self.offer(value);
        self.tell("poly", format!("evaluates a polynomial whose {len} coefficients it computes"));
    }

    /// `ring[k % 4] = x - rate * ring[k % 4];`
    fn delay_line(&mut self) {
        let row = self.row(-2.0, 2.0);
        let number = self.number();
        let len = self.rng.pick(&[2, 3, 4]);
        let rate = Expr::number(self.rng.pick(&[0.25, 0.4, 0.5, 0.6]), number);
        let ring = self.zeros(&["ring", "delay", "history", "recent"], number, len);
        let sum = self.hidden(&["echoes", "mixed_sum", "running", "total_out"], Expr::number(0.0, number));
        let adds = self.rng.percent(50);
        let name = self.row_words(&row);
        self.over(&row, 0, |generator, trip| {
            let slot = generator.local("slot_k", Type::INDEX, false);
            generator.push(slot.declare(trip.index % Expr::index(len)));
            let back = rate * ring.at(slot);
            let now = if adds { trip.value.expr + back } else { trip.value.expr - back };
            generator.push(ring.place(slot).set(now));
            generator.push(sum.update(Op::Add, ring.at(slot)));
        });
        let reach = 5.0 * row.axis.most();
        let sum = self.known(sum.expr(), -reach, reach);
        self.offer(sum);
        self.tell("echo", format!("runs {name} through a delay line of {len} values"));
    }

    /// The largest values of a row, in order.
    fn largest_values(&mut self) {
        let row = self.row(-4.0, 4.0);
        let number = self.number();
        let len = self.rng.pick(&[2, 3, 3, 4]);
        let least = Expr::number(-8.0, number);
        let best = self.array_of(&["top", "best_values", "leaders", "peaks"], number, vec![least; len]);
        let name = self.row_words(&row);
        self.over(&row, 0, |generator, trip| {
            let entry = generator.hidden(&["incoming", "entry_value", "challenger"], trip.value.expr);
            generator.count_to(len, |generator, k| {
                let old = generator.local("old_value", number, false);
                let swap = vec![old.declare(best.at(k)), best.place(k).set(entry), entry.set(old)];
                generator.push(Stmt::when(entry.gt(best.at(k)), swap));
            });
        });
        let sum = self.hidden(&lexicon::SUMS, Expr::number(0.0, number));
        self.count_to(len, |generator, k| generator.push(sum.update(Op::Add, best.at(k))));
        let reach = 8.0 * len as f64;
        let sum = self.known(sum.expr(), -reach, reach);
        self.offer(sum);
        self.tell("top", format!("adds up the {len} largest values of {name}"));
    }
}
