//! Loop-carried state: iterated maps and Newton's method, with every state in a known range.

use super::super::generator::{Generator, Item, Term};
use super::super::lexicon;
use super::super::notes::Mark;
use super::super::samples;
use kernel_ir::ir::{Block, Domain, Expr, ExprKind, ParamKind, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// The ranges in which states stay.
const HOMES: [(f64, f64); 4] = [(-1.5, 1.5), (0.05, 0.95), (0.2, 2.0), (-1.0, 1.0)];

/// A local that a loop carries from trip to trip.
#[derive(Clone, Copy)]
struct State {
    local: Var,
    ty: Type,
    home: (f64, f64),
}

impl State {
    fn expr(self) -> Expr {
        self.local.expr()
    }
}

impl Generator {
    /// The trip count: a literal, or a parameter.
    fn trip_count(&mut self, most: i64) -> Expr {
        if self.rng.percent(45) {
            return Expr::number(self.rng.int(2, most), Type::I32);
        }
        let name = self.one_of(&lexicon::SIZES);
        let ty = self.rng.pick(&[Type::I32, Type::I32, Type::U32, Type::INDEX]);
        let id = self.param(name, ParamKind::Value(ty), Some(Domain::ints(1, most + 1)));
        Expr::param(id, ty)
    }

    /// A new state whose first value is in its range.
    fn state(&mut self) -> State {
        let home = self.rng.pick(&HOMES);
        let ty = self.number();
        let first = if self.rng.percent(25) { self.within_home(home, ty) } else { self.term(ty, 1) };
        let first = self.fit(first, home.0, home.1);
        let (local, _) = self.bind_mut(&lexicon::STATES, first);
        State { local, ty, home }
    }

    fn within_home(&mut self, home: (f64, f64), ty: Type) -> Term {
        let value = self.rng.float(home.0, home.1);
        Term::number(super::super::range_repair::round2(value), ty)
    }

    /// Widens what is known of the state to its whole range, because a loop may have assigned it any value there.
    fn forget(&mut self, state: State) {
        let samples = samples::draw(&mut self.rng, state.ty, state.home.0, state.home.1);
        self.set_samples(state.local, samples);
        if let Some(item) = self.item_of(state.local) {
            item.uses = 0;
        }
    }

    /// A statement that assigns the next value of the state, which stays in its range.
    fn advance(&mut self, state: State) {
        let (low, high) = state.home;
        let place = state.local.place();
        let depth = self.depth;
        let Some(old) = self.item_of(state.local).map(|item| item.term.clone()) else { return };
        if self.rng.percent(45) {
            // A convex combination with another value of the range.
            let target = self.term(state.ty, depth);
            let target = self.fit(target, low, high);
            let old = old.clone();
            let rate = Term::number(self.rng.pick(&[0.1, 0.25, 0.5, 0.05, 0.3, 0.8]), state.ty);
            if target.expr != old.expr
                && let Some(gap) = self.raw(Op::Sub, vec![target, old], state.ty)
                && let Some(step) = self.raw(Op::Mul, vec![rate, gap], state.ty)
            {
                self.push(place.update(Op::Add, step.expr));
                return;
            }
        }
        let next = self.addition_of(state, old, depth);
        let next = self.fit(next, low, high);
        if next.expr != state.expr() {
            self.push(place.set(next.expr));
        }
    }

    /// A term that depends on the state.
    fn addition_of(&mut self, state: State, old: Term, depth: usize) -> Term {
        for _ in 0..4 {
            let term = self.term(state.ty, depth);
            let mut depends = false;
            term.expr.walk(&mut |expr| depends |= *expr == old.expr);
            if depends && term.samples.is_varied() {
                return term;
            }
            let op = self.rng.pick(&[Op::Mul, Op::Add, Op::Sub]);
            if let Some(term) = self.apply(op, vec![old.clone(), term], state.ty) {
                return term;
            }
        }
        old
    }

    /// A loop body that advances the states in order, with other statements between.
    fn body(&mut self, states: &[State], variable: Option<(Var, Type)>) -> Block {
        let (block, ()) = self.nested(|generator| {
            if let Some((local, ty)) = variable {
                let samples = samples::draw(&mut generator.rng, ty, 0.0, 12.0);
                generator.items.push(Item { term: Term::new(local.expr(), samples), uses: 2, target: None });
            }
            for state in states {
                generator.forget(*state);
            }
            if generator.rng.percent(30) {
                generator.let_term();
            }
            for state in states {
                if generator.rng.percent(12)
                    && let Some(cond) = generator.comparison()
                {
                    let (then, ()) = generator.nested(|generator| generator.advance(*state));
                    let other = if generator.rng.percent(50) {
                        generator.nested(|generator| generator.advance(*state)).0
                    } else {
                        Vec::new()
                    };
                    generator.push(Stmt::branch(cond.expr, then, other));
                } else {
                    generator.advance(*state);
                }
            }
        });
        block
    }

    fn states(&mut self) -> Vec<State> {
        let count = self.rng.pick(&[1, 1, 2, 2, 3]);
        (0..count).map(|_| self.state()).collect()
    }

    pub(super) fn iterate(&mut self) {
        let states = self.states();
        let end = self.trip_count(9);
        let name = self.one_of(&lexicon::LOOPS);
        let uses_variable = self.rng.percent(35);
        let ty = end.ty;
        let variable = self.local_named(if uses_variable { name } else { format!("_{name}") }, ty, false);
        let mut body = self.body(&states, uses_variable.then_some((variable, ty)));
        if self.rng.percent(15) {
            let state = states[0];
            let bound = self.within_home(state.home, state.ty);
            let op = self.rng.pick(&[Op::Gt, Op::Lt]);
            let cond = Expr::op(op, [state.expr(), bound.expr]);
            body.push(Stmt::when(cond, [Stmt::new(StmtKind::Break)]));
        }
        self.push(Stmt::for_loop(variable, 0, end, body));
        self.leave(Mark::Local(variable.id), &states, "repeats a step");
    }

    pub(super) fn iterate_twice(&mut self) {
        let states = self.states();
        let (outer, inner) = (self.trip_count(5), Expr::number(self.rng.int(2, 4), Type::I32));
        let names = [self.one_of(&lexicon::LOOPS), self.one_of(&lexicon::LOOPS)];
        let outer_variable = self.local_named(names[0].clone(), outer.ty, false);
        let inner_variable = self.local_named(names[1].clone(), inner.ty, false);
        let (body, ()) = self.nested(|generator| {
            for state in &states {
                generator.forget(*state);
            }
            let samples = samples::draw(&mut generator.rng, outer.ty, 0.0, 6.0);
            let item = Term::new(outer_variable.expr(), samples);
            generator.items.push(Item { term: item, uses: 1, target: None });
            let inside = generator.body(&states, Some((inner_variable, inner.ty)));
            generator.push(Stmt::for_loop(inner_variable, 0, inner.clone(), inside));
            if generator.rng.percent(60) {
                for state in &states {
                    generator.forget(*state);
                }
                generator.advance(states[0]);
            }
        });
        self.push(Stmt::for_loop(outer_variable, 0, outer, body));
        self.leave(Mark::Local(outer_variable.id), &states, "repeats a step in two nested loops");
    }

    pub(super) fn while_loop(&mut self) {
        let states = self.states();
        let ty = self.rng.pick(&[Type::I32, Type::U32, Type::I32]);
        let first = Term::number(0.0, ty);
        let (counter, _) = self.bind_mut(&lexicon::COUNTERS, first);
        let end = self.trip_count(9);
        let end = match end.kind {
            ExprKind::Literal(_) => Expr::number(self.rng.int(2, 9), ty),
            _ => end.cast(ty),
        };
        let state = states[0];
        let bound = self.within_home(state.home, state.ty);
        let op = self.rng.pick(&[Op::Gt, Op::Lt]);
        let goes_on = Expr::op(op, [state.expr(), bound.expr]);
        let counted = counter.lt(end);
        // The counter is read only after the loop.
        let place = self.items.iter().position(|item| item.target == Some(counter));
        let hidden = place.map(|place| self.items.remove(place));
        let mut body = self.body(&states, None);
        body.push(counter.update(Op::Add, 1));
        if self.rng.percent(70) {
            let cond = match self.rng.percent(60) {
                true => counted.and(goes_on),
                false => goes_on.and(counted),
            };
            self.push(Stmt::while_loop(cond, body));
        } else {
            let stop = opposite(counted).or(opposite(goes_on));
            let mut all = vec![Stmt::when(stop, [Stmt::new(StmtKind::Break)])];
            all.append(&mut body);
            let forever = Expr::literal(kernel_ir::ir::Literal::Bool(true));
            self.push(Stmt::while_loop(forever, all));
        }
        self.items.extend(hidden);
        let samples = samples::draw(&mut self.rng, ty, 0.0, 10.0);
        self.set_samples(counter, samples);
        self.leave(Mark::Local(counter.id), &states, "repeats a step while a condition holds");
    }

    /// Ends a loop that carries the states, and notes it.
    fn leave(&mut self, loop_mark: Mark, states: &[State], note: &str) {
        for state in states {
            self.forget(*state);
        }
        self.note_of(loop_mark, "iterate", note, states.iter().map(|state| state.local.id).collect());
    }

    /// Newton's method for a root, Kepler's equation and others.
    pub(super) fn newton(&mut self) {
        let ty = self.number();
        let kind = self.rng.below(5);
        let (low, high) = match kind {
            0 | 1 => (0.3, 4.0),
            2 => (-1.5, 1.5),
            3 => (0.3, 2.5),
            _ => (0.2, 3.0),
        };
        let depth = self.depth;
        let target = self.term(ty, depth);
        let target = self.fit(target, low, high);
        let target = self.bind(&["rhs_value", "wanted", "target_value", "radicand", "argument"], target);
        let number = |value: f64| Term::number(value, ty).expr;
        let start = match kind {
            0 | 1 => 0.5 + 0.5 * &target.expr,
            3 => number(0.5),
            _ => target.expr.clone(),
        };
        let values = match kind {
            0 => (0.5, 2.1),
            1 => (0.6, 1.7),
            2 => (-2.2, 2.2),
            3 => (-1.3, 1.0),
            _ => (0.15, 1.7),
        };
        let start = Term { expr: start, samples: samples::draw(&mut self.rng, ty, values.0, values.1), size: 3 };
        let (root, x) = self.bind_mut(&["root", "guess", "x_n", "solution", "estimate"], start);
        let (x, a) = (x.expr, target.expr);
        let slope = self.rng.pick(&[0.3, 0.5, 0.2, 0.4, 0.6]);
        // The residual, its derivative, and the equation in words.
        let (residual, derivative, equation) = match kind {
            0 => (&x * &x - a, 2.0 * x, "x² = a".to_owned()),
            1 => {
                let square = &x * &x;
                (&square * x - a, 3.0 * square, "x³ = a".to_owned())
            }
            2 => {
                let wave = slope * x.sin();
                let below = 1.0 - slope * x.cos();
                (x - wave - a, below, format!("x − {slope}·sin x = a"))
            }
            3 => {
                let e = x.exp();
                (&e - a, e, "exp x = a".to_owned())
            }
            _ => {
                let cube = &x * &x * &x;
                let slope_of = 1.0 + 3.0 * (&x * &x);
                (x + cube - a, slope_of, "x + x³ = a".to_owned())
            }
        };
        let variable = self.local("_newton", Type::I32, false);
        if self.rng.percent(50) {
            let trips = Expr::number(self.rng.int(3, 7), Type::I32);
            let body = vec![root.update(Op::Sub, residual / derivative)];
            self.push(Stmt::for_loop(variable, 0, trips, body));
        } else {
            let step = self.local("correction", ty, false);
            let small = number(1e-4);
            let size = step.expr().abs();
            let done = size.lt(small);
            let body = vec![
                step.declare(residual / derivative),
                root.update(Op::Sub, step),
                Stmt::when(done, [Stmt::new(StmtKind::Break)]),
            ];
            self.push(Stmt::for_loop(variable, 0, 12, body));
        }
        let samples = samples::draw(&mut self.rng, ty, values.0, values.1);
        self.set_samples(root, samples);
        self.note(Mark::Local(variable.id), "solve", format!("solves {equation} by Newton's method"));
    }
}

/// The negated comparison.
fn opposite(test: Expr) -> Expr {
    let ExprKind::Op(op, args) = test.kind else { return test };
    let op = match op {
        Op::Lt => Op::Ge,
        Op::Gt => Op::Le,
        other => other,
    };
    Expr::op(op, args)
}
