//! Random numbers of a generator with a state: single draws, and loops of them.

use super::super::generator::{Generator, Term};
use super::super::notes::Mark;
use kernel_ir::ir::{Domain, Expr, ParamKind, Stmt, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

impl Generator {
    pub(super) fn random_numbers(&mut self) {
        let name = self.one_of(&["seed", "rng_seed", "frame_seed", "seed_base"]);
        let seed = self.param(name, ParamKind::Value(Type::I32), Some(Domain::ints(0, 1000)));
        let mut offset = self.tid[0].cast(Type::I32);
        for (axis, index) in self.tid.clone().into_iter().enumerate().skip(1) {
            offset = offset * Expr::number([0, 1009, 131, 17][axis], Type::I32) + index.cast(Type::I32);
        }
        let state = Expr::op(Op::RandInit, [Expr::param(seed, Type::I32), offset]);
        let rng = self.hidden(&["rng", "random", "generator_state"], state);
        match self.rng.below(3) {
            0 => self.hits(rng),
            _ => {
                for _ in 0..self.rng.pick(&[1, 2, 2, 3]) {
                    let (draw, low, high) = self.draw(rng);
                    self.bind_draw(rng, draw, low, high);
                }
            }
        }
        self.note(Mark::Local(rng.id), "random", "draws random numbers from a generator that its index seeds");
    }

    /// A draw, and its range.
    fn draw(&mut self, rng: Var) -> (Expr, f64, f64) {
        let state = rng.expr();
        let number = |value: f64| Expr::number(value, Type::F32);
        match self.rng.below(7) {
            0..3 => (Expr::op(Op::Randf, [state]), 0.0, 1.0),
            3 | 4 => {
                let (low, high) = self.rng.pick(&[(-1.0, 1.0), (0.5, 2.0), (-0.5, 0.5), (0.0, 4.0)]);
                (Expr::op(Op::RandfRange, [state, number(low), number(high)]), low, high)
            }
            5 => (Expr::op(Op::Randn, [state]), -6.0, 6.0),
            _ => {
                let below = self.rng.int(3, 20);
                let bounds = [Expr::number(0, Type::I32), Expr::number(below, Type::I32)];
                let [low, high] = bounds;
                (Expr::op(Op::RandiRange, [state, low, high]), 0.0, below as f64)
            }
        }
    }

    /// `let u = randf(&mut rng);`: the number, and the state behind it.
    fn bind_draw(&mut self, rng: Var, draw: Expr, low: f64, high: f64) -> Term {
        let advanced = match &draw.kind {
            kernel_ir::ir::ExprKind::Op(op, _) => op.advanced(rng.expr()),
            _ => rng.expr(),
        };
        let value = self.known(draw, low, high);
        let value = self.bind(&["u", "jitter", "noise_value", "sample_value", "kick", "draw_value"], value);
        self.push(rng.set(advanced));
        value
    }

    /// The share of random points in a circle, or under a curve.
    fn hits(&mut self, rng: Var) {
        let trips = self.rng.int(3, 9);
        let hits = self.hidden(&["hits", "inside_count", "accepted"], Expr::number(0.0, Type::F32));
        let name = self.one_of(&["_trial", "_shot", "_sample"]);
        let variable = self.local_named(name, Type::I32, false);
        let (low, high) = self.rng.pick(&[(-1.0, 1.0), (0.0, 1.0)]);
        let bounds = || [Expr::number(low, Type::F32), Expr::number(high, Type::F32)];
        let (body, ()) = self.nested(|generator| {
            let mut points = Vec::new();
            for _ in 0..2 {
                let [least, most] = bounds();
                let draw = Expr::op(Op::RandfRange, [rng.expr(), least, most]);
                points.push(generator.bind_draw(rng, draw, low, high).expr);
            }
            let (x, y) = (&points[0], &points[1]);
            let inside = match generator.rng.percent(50) {
                true => (x * x + y * y).lt(1.0),
                false => y.lt(x.sin()),
            };
            generator.push(Stmt::when(inside, [hits.update(Op::Add, 1.0)]));
        });
        self.push(Stmt::for_loop(variable, 0, trips, body));
        let share = hits / trips as f64;
        let share = self.known(share, 0.0, 1.0);
        self.bind(&["share", "estimate_mc", "probability"], share);
    }
}
