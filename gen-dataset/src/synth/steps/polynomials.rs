//! Polynomials by Horner's rule, Chebyshev series, and roots by bisection.

use super::super::generator::{Axis, Fact, Generator, Term};
use super::super::range_repair::round2;
use kernel_ir::ir::{Direction, Expr, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// A function that increases on `low..high`.
struct Growing {
    low: f64,
    high: f64,
    /// Its values at both ends.
    values: (f64, f64),
    kind: usize,
    /// A number between 0.2 and 0.9, the parameter of its shape.
    slope: Expr,
}

impl Growing {
    /// The function at `x`.
    fn at(&self, x: Expr) -> Expr {
        let x = &x;
        let cube = || x * x * x;
        match self.kind {
            0 => x + &self.slope * cube(),
            1 => x - &self.slope * x.sin(),
            2 => &self.slope * x.exp() + x,
            3 => &self.slope * x + Expr::op(Op::Tanh, [x.clone()]),
            _ => x * (1.0 + &self.slope * x),
        }
    }

    /// Its derivative at `x`.
    fn slope_at(&self, x: Expr) -> Expr {
        let slope = || self.slope.clone();
        match self.kind {
            0 => 1.0 + 3.0 * slope() * (&x * &x),
            1 => 1.0 - slope() * x.cos(),
            2 => slope() * x.exp() + 1.0,
            3 => {
                let t = Expr::op(Op::Tanh, [x.clone()]);
                slope() + (1.0 - &t * &t)
            }
            _ => 1.0 + 2.0 * slope() * &x,
        }
    }
}

impl Generator {
    /// A named value within a range.
    fn kept_value(&mut self, wishes: &[&str], low: f64, high: f64) -> Term {
        let ty = self.number();
        let depth = self.rng.below(3).min(self.depth);
        let term = self.term(ty, depth);
        let term = self.fit(term, low, high);
        if term.size == 1 && !self.rng.percent(25) {
            return term;
        }
        let bound = self.bind(wishes, term);
        self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
        bound
    }

    /// `p = p * x + coefficients[k]`, from the last coefficient to the first.
    pub(super) fn polynomial(&mut self) {
        let (reach, wishes): (_, &[&str]) =
            self.rng.pick(&[(1.2, &["x_in", "t", "s", "arg"]), (1.0, &["x_in", "u_in", "arg"])]);
        let x = self.kept_value(wishes, -reach, reach);
        let (by_thread, before) = (x.samples.by_thread, self.items.len());
        match self.rng.below(5) {
            0 | 1 => self.written_polynomial(x),
            2 if reach == 1.0 => self.chebyshev(x),
            _ => self.coefficient_loop(x),
        }
        if !by_thread {
            self.share_since(before);
        }
    }

    /// A polynomial with literal coefficients, which decrease as those of a series.
    fn written_polynomial(&mut self, x: Term) {
        let degree = self.rng.int(2, 6);
        let coefficients: Vec<Expr> = (0..=degree).map(|_| self.coefficient()).collect();
        let kind = self.rng.below(3);
        // The bound is that of a geometric series.
        let most = 2.0 * (1..=degree).fold(1.0, |sum, power| sum + 1.2f64.powi(power as i32));
        let mut left = coefficients.into_iter();
        let Some(first) = left.next() else { return };
        if kind == 0 {
            let poly = self.hidden(&["poly", "series", "p_of_x", "value_of_poly"], first);
            for coefficient in left {
                let next = poly * &x.expr + coefficient;
                self.push(poly.set(next));
            }
            let value = self.known(poly.expr(), -most, most);
            self.offer(value);
        } else {
            let value = left.fold(first, |value, coefficient| match kind {
                1 => Expr::op(Op::MulAdd, [value, x.expr.clone(), coefficient]),
                _ => coefficient + &x.expr * value,
            });
            let value = self.known(value, -most, most);
            self.bind(&["poly", "series", "approximation", "fitted"], value);
        }
        self.tell("polynomial", format!("evaluates a polynomial of degree {degree} by Horner's rule"));
    }

    fn coefficient(&mut self) -> Expr {
        let ty = self.number();
        if self.rng.percent(15) {
            let term = self.leaf(ty);
            return self.fit(term, -2.0, 2.0).expr;
        }
        let value = match self.rng.below(3) {
            0 => self.rng.pick(&[1.0, 0.5, -0.5, -1.0, 0.25, 2.0, 1.5, -0.75]),
            1 => round2(self.rng.float(-2.0, 2.0)),
            _ => self
                .rng
                .pick(&[0.166_667, -0.166_667, 0.041_667, 0.333_333, -0.333_331, 0.999_866, 0.180_141, -0.085_133]),
        };
        Expr::number(if value == 0.0 { 0.5 } else { value }, ty.scalar())
    }

    /// The array of coefficients: shared by all threads, or a row for each.
    fn coefficients(&mut self, axis: Axis) -> super::super::generator::Array {
        let number = self.number();
        let mut axes = Vec::new();
        if self.kernel.dim < 4 && self.rng.percent(35) {
            axes.push(Axis::Launch(0));
        }
        axes.push(axis);
        let name = self.one_of(&["coefficients", "coeffs", "poly_coeffs", "weights_by_power", "series_terms"]);
        self.array_named(name, number, axes, (-1.5, 1.5))
    }

    fn coefficient_loop(&mut self, x: Term) {
        let ty = self.number();
        let axis = self.inner_axis();
        let array = self.coefficients(axis);
        let place = array.axes.len() as u8 - 1;
        let with_slope = self.rng.percent(30);
        let zero = || Expr::number(0.0, ty.scalar());
        let poly = self.hidden(&["poly", "series", "p_of_x", "value_of_poly"], zero());
        let slope = with_slope.then(|| self.hidden(&["dpoly", "slope_of_poly", "derivative"], zero()));
        let (variable, end) = self.run_over(axis, Some((array.id, place)));
        let (body, ()) = self.nested(|generator| {
            let index = variable.cast(Type::INDEX);
            generator.facts.push(Fact { axis, index: index.clone() });
            let coefficient = generator.element_at(&array, axis, &index).expr;
            if let Some(slope) = slope {
                let next = slope * &x.expr + poly;
                generator.push(slope.set(next));
            }
            let next = match generator.rng.percent(25) {
                true => Expr::op(Op::MulAdd, [poly.expr(), x.expr.clone(), coefficient]),
                false => poly * &x.expr + coefficient,
            };
            generator.push(poly.set(next));
        });
        self.push_loop(variable, end, Direction::Down, body);
        let most = 1.5 * (0..axis.most() as i32).fold(0.0, |sum, power| sum + 1.2f64.powi(power));
        let value = self.known(poly.expr(), -most, most);
        self.offer(value);
        if let Some(slope) = slope {
            let steepest = most * axis.most();
            let value = self.known(slope.expr(), -steepest, steepest);
            self.offer(value);
        }
        let what = if with_slope { "a polynomial and its derivative" } else { "a polynomial" };
        self.tell("polynomial", format!("evaluates {what} by Horner's rule"));
    }

    fn push_loop(&mut self, variable: Var, end: Expr, direction: Direction, body: kernel_ir::ir::Block) {
        let mut stmt = Stmt::for_loop(variable, 0, end, body);
        if let StmtKind::For { range, .. } = &mut stmt.kind {
            range.direction = direction;
        }
        self.push(stmt);
    }

    /// A Chebyshev series, by Clenshaw's recurrence or by the recurrence of the polynomials.
    fn chebyshev(&mut self, x: Term) {
        let ty = self.number();
        let axis = self.inner_axis();
        let array = self.coefficients(axis);
        let place = array.axes.len() as u8 - 1;
        let number = |value| Expr::number(value, ty.scalar());
        let backwards = self.rng.percent(60);
        let wishes: [&[&str]; 2] =
            if backwards { [&["b1", "b_next"], &["b2", "b_after"]] } else { [&["t_prev", "t0"], &["t_curr", "t1"]] };
        let starts = if backwards { [number(0.0), number(0.0)] } else { [number(1.0), x.expr.clone()] };
        let [first, second] = [0, 1].map(|k: usize| self.hidden(wishes[k], starts[k].clone()));
        let sum = (!backwards).then(|| self.hidden(&["series", "cheb_sum"], number(0.0)));
        let (variable, end) = self.run_over(axis, Some((array.id, place)));
        let (body, ()) = self.nested(|generator| {
            let index = variable.cast(Type::INDEX);
            let coefficient = generator.element_at(&array, axis, &index).expr;
            let doubled = 2.0 * &x.expr * (if backwards { first } else { second });
            let next = doubled - if backwards { second } else { first };
            let next = if backwards { next + &coefficient } else { next };
            if let Some(sum) = sum {
                let term = coefficient * first;
                generator.push(sum.update(Op::Add, term));
            }
            let next = generator.known(next, -50.0, 50.0);
            let next = generator.bind(&["next", "b_new", "t_next"], next).expr;
            let (older, newer) = if backwards { (second, first) } else { (first, second) };
            generator.push(older.set(newer.expr()));
            generator.push(newer.set(next));
        });
        self.push_loop(variable, end, if backwards { Direction::Down } else { Direction::Up }, body);
        let most = 1.5 * axis.most();
        let value = match sum {
            Some(sum) => self.known(sum.expr(), -most, most),
            None => {
                let value = first - x.expr * second;
                self.known(value, -most, most)
            }
        };
        self.bind(&["chebyshev", "cheb_value", "series_value"], value);
        self.tell("polynomial", "evaluates a Chebyshev series");
    }

    /// Bisection: the root of a function, or a position in a sorted array.
    pub(super) fn bisect(&mut self) {
        if self.rng.percent(45) { self.lower_bound() } else { self.bisect_function() }
    }

    fn growing(&mut self) -> Growing {
        let kind = self.rng.below(5);
        let slope = self.kept_value(&["steepness", "bend_by", "coefficient"], 0.2, 0.9).expr;
        // The values at the ends, for every `slope`.
        let (low, high, values) = match kind {
            0 => (-2.0, 2.0, (-3.0, 3.0)),
            1 => (-3.0, 3.0, (-2.5, 2.5)),
            2 => (-3.0, 2.0, (-1.9, 3.0)),
            3 => (-3.0, 3.0, (-1.4, 1.4)),
            _ => (0.0, 3.0, (0.1, 4.0)),
        };
        Growing { low, high, values, kind, slope }
    }

    /// `if f(mid) < wanted { lo = mid; } else { hi = mid; }`
    fn bisect_function(&mut self) {
        let growing = self.growing();
        let (least, most) = growing.values;
        let wanted = self.kept_value(&["wanted", "level_sought", "rhs_value", "target_value"], least, most);
        let (by_thread, before) = (wanted.samples.by_thread, self.items.len());
        let ty = self.number();
        let number = |value| Expr::number(value, ty.scalar());
        let lo = self.hidden(&["lo", "left_end", "a_end", "lower"], number(growing.low));
        let hi = self.hidden(&["hi", "right_end", "b_end", "upper"], number(growing.high));
        let trips = self.rng.pick(&[8, 12, 16, 20, 24, 30]);
        let variable = self.local("_bisect", Type::I32, false);
        let middle = || 0.5 * (lo + hi);
        let early = self.rng.percent(25);
        let (body, ()) = self.nested(|generator| {
            let mid = generator.known(middle(), growing.low, growing.high);
            let mid = generator.bind(&["mid", "middle_point", "m"], mid).expr;
            let below = growing.at(mid.clone()).lt(&wanted.expr);
            let up = vec![lo.set(&mid)];
            let down = vec![hi.set(mid)];
            generator.push(Stmt::branch(below, up, down));
            if early {
                let narrow = (hi - lo).lt(1e-3);
                generator.push(Stmt::when(narrow, [Stmt::new(StmtKind::Break)]));
            }
        });
        self.push(Stmt::for_loop(variable, 0, trips, body));
        let root = self.known(middle(), growing.low, growing.high);
        let root = self.bind(&["root", "solution", "crossing", "inverse_value"], root);
        if self.rng.percent(55) {
            // Bisection has no derivative with respect to `wanted`. A final Newton step gives the root one.
            let gap = growing.at(root.expr.clone()) - wanted.expr;
            let step = gap / growing.slope_at(root.expr.clone());
            self.items.pop();
            let polished = self.known(root.expr - step, growing.low - 1.0, growing.high + 1.0);
            self.bind(&["polished", "refined_root", "root_final"], polished);
        }
        if !by_thread {
            self.share_since(before);
        }
        self.tell("bisect", "solves an equation by halving an interval");
    }

    /// The first index whose value is not below `sought`, if the array is sorted.
    fn lower_bound(&mut self) {
        let (low, high) = self.rng.pick(&[(-2.0, 2.0), (0.0, 1.0), (0.0, 4.0)]);
        let sought = self.kept_value(&["sought", "key_value", "sample_at", "level"], low, high);
        let (by_thread, before) = (sought.samples.by_thread, self.items.len());
        let ty = self.number();
        let axis = match self.rng.percent(60) {
            true => Axis::Fixed(self.rng.pick(&[8, 16, 12, 24, 32])),
            false => self.inner_axis(),
        };
        let name = self.one_of(&["sorted_edges", "breakpoints", "thresholds", "cdf", "bin_edges", "knots"]);
        let array = self.array_named(name, ty, vec![axis], (low, high));
        let counts = self.rng.pick(&[Type::INDEX, Type::INDEX, Type::I32, Type::U32]);
        let lo = self.hidden(&["lo", "first", "left_index"], Expr::number(0, counts));
        let hi = self.hidden(&["hi", "last", "right_index"], Expr::extent(array.id, 0).cast(counts));
        let two = || Expr::number(2, counts);
        let shifted = counts != Type::INDEX && self.rng.percent(40);
        let safe = self.rng.percent(40);
        let op = self.rng.pick(&[Op::Lt, Op::Le]);
        let (body, ()) = self.nested(|generator| {
            let width = || hi - lo;
            let mid = match (safe, shifted) {
                (true, _) => lo + width() / two(),
                (false, true) => (lo + hi) >> 1,
                (false, false) => (lo + hi) / two(),
            };
            let name = generator.one_of(&["mid", "middle", "m"]);
            let mid_local = generator.local_named(name, counts, false);
            generator.push(mid_local.declare(mid));
            let value = Expr::load(array.id, [mid_local.cast(Type::INDEX)], ty);
            let up = lo.set(mid_local + 1);
            let down = hi.set(mid_local.expr());
            generator.push(Stmt::branch(Expr::op(op, [value, sought.expr.clone()]), [up], [down]));
        });
        self.push(Stmt::while_loop(lo.lt(hi.expr()), body));
        let place = self.known(lo.cast(Type::I32), 0.0, axis.most() + 1.0);
        self.offer(place);
        if self.rng.percent(50) {
            let last = Expr::extent(array.id, 0) - 1;
            let index = lo.cast(Type::INDEX).min(last);
            let table = match self.rng.percent(50) {
                true => array.clone(),
                false => {
                    let name = self.one_of(&["payload", "bin_values", "levels_out", "rates_by_bin"]);
                    self.array_named(name, ty, vec![axis], (-2.0, 2.0))
                }
            };
            let element = self.element_at(&table, axis, &index);
            self.bind(&["bracket_value", "found_value", "step_value"], element);
        }
        let name = super::super::docgen::words(&self.kernel.param(array.id).name);
        if !by_thread {
            self.share_since(before);
        }
        self.tell("bisect", format!("searches {name} by halving"));
    }
}
