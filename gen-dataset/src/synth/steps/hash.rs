//! Random numbers from integers: hashes of thread index and seed, and generators in loops.

use super::super::generator::{Generator, Item, Term};
use super::super::notes::Mark;
use super::super::samples;
use kernel_ir::ir::{Domain, Expr, ParamKind, Stmt, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// Odd multipliers of known integer hashes.
const FACTORS: [u64; 12] = [
    0x9e37_79b1,
    0x85eb_ca6b,
    0xc2b2_ae35,
    0x27d4_eb2d,
    0x1656_67b1,
    0x7feb_352d,
    0x846c_a68b,
    0x2c1b_3c6d,
    0x297a_2d39,
    0xcc9e_2d51,
    0x1b87_3593,
    0x0019_660d,
];

/// An operation that mixes bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mix {
    /// Mixes with higher bits.
    Down,
    /// Mixes with lower bits.
    Up,
    Multiply,
    /// Rotates the word, and adds a number.
    Turn,
}

impl Generator {
    /// Declares a word of random bits for each thread.
    fn seeded(&mut self) -> (Var, Type) {
        let ty = if self.rng.percent(85) { Type::U32 } else { Type::U64 };
        let tid = self.tid.clone();
        let mut word = tid[0].cast(ty);
        for index in &tid[1..] {
            let moved = word.wrapping_mul(self.factor(ty));
            word = moved.wrapping_add(index.cast(ty));
        }
        if self.rng.percent(60) {
            word = word.wrapping_mul(self.factor(ty));
        }
        let name = self.one_of(&["seed", "run", "stream", "salt"]);
        let id = self.param(name, ParamKind::Value(ty), Some(Domain::ints(0, 1_000_000)));
        let op = self.rng.pick(&[Op::WrappingAdd, Op::BitXor]);
        word = Expr::op(op, [word, Expr::param(id, ty)]);
        let samples = samples::draw(&mut self.rng, ty, 0.0, 4.2e9);
        let term = Term { expr: word, samples, size: 5 };
        let (local, _) = self.bind_mut(&["h", "bits", "state", "hash", "rng"], term);
        // Later terms should read numbers that are derived from the word, not the word.
        self.items.pop();
        (local, ty)
    }

    fn factor(&mut self, ty: Type) -> Expr {
        let factor = self.rng.pick(&FACTORS);
        let wide = if ty == Type::U32 { factor } else { factor << 24 | 0x5bd1_e995 };
        Expr::number(wide as i64 & i64::MAX, ty)
    }

    /// Appends `count` statements that mix the bits. No two in a row are of the same kind, which would mix little.
    fn mix(&mut self, local: Var, ty: Type, count: usize) {
        let mut last = None;
        for _ in 0..count {
            let kind = loop {
                let kind = self.rng.weighted(&[(4, Mix::Down), (4, Mix::Multiply), (1, Mix::Up), (1, Mix::Turn)]);
                if last != Some(kind) {
                    break kind;
                }
            };
            self.mix_once(local, ty, kind);
            last = Some(kind);
        }
    }

    fn mix_once(&mut self, local: Var, ty: Type, kind: Mix) {
        let place = local.place();
        let word = local.expr();
        let distance = Expr::number(self.rng.int(5, 17), ty);
        let factor = self.factor(ty);
        let stmt = match kind {
            Mix::Down => place.update(Op::BitXor, word >> distance),
            Mix::Up => place.update(Op::BitXor, word << distance),
            Mix::Multiply => place.set(word.wrapping_mul(factor)),
            Mix::Turn => {
                let op = self.rng.pick(&[Op::RotateLeft, Op::RotateRight]);
                let turned = Expr::op(op, [word, Expr::number(self.rng.int(3, 19), Type::U32)]);
                place.set(turned.wrapping_add(factor))
            }
        };
        self.push(stmt);
    }

    /// The upper bits as a number in [0, 1).
    fn unit(&mut self, local: Var, ty: Type) -> Term {
        let number = self.number();
        let width = if ty == Type::U32 { 32 } else { 64 };
        let high = local >> Expr::number(width - 24, ty);
        let expr = high.cast(number) / 16_777_216.0;
        Term { expr, samples: samples::draw(&mut self.rng, number, 0.0, 1.0), size: 4 }
    }

    pub(super) fn hash(&mut self) {
        let (local, ty) = self.seeded();
        let count = self.rng.pick(&[2, 3, 3, 4, 5]);
        self.mix(local, ty, count);
        let unit = self.unit(local, ty);
        self.bind(&["u", "uniform", "chance", "draw", "noise"], unit);
        if self.rng.percent(35) {
            self.mix(local, ty, 1);
            let unit = self.unit(local, ty);
            self.bind(&["u2", "second", "other_draw"], unit);
        }
        self.note(Mark::Local(local.id), "random", "draws a random number from a hash of thread and seed");
    }

    /// `for … { state = state · a + c; sum += f(u); }`
    pub(super) fn random_loop(&mut self) {
        let (local, ty) = self.seeded();
        if self.rng.percent(60) {
            self.mix(local, ty, 1);
        }
        let number = self.number();
        let trips = self.rng.int(2, 8);
        let zero = Term::number(0.0, number);
        let (sum, _) = self.bind_mut(&["sum", "walk", "hits", "accumulated", "estimate"], zero);
        // Nothing may read the sum before it is complete.
        self.items.pop();
        let name = self.one_of(&["_draw", "_trial", "_sample"]);
        let variable = self.local_named(name, Type::I32, false);
        let walk = self.rng.percent(40);
        let (body, ()) = self.nested(|generator| {
            let rounds = generator.rng.pick(&[1, 2, 3]);
            if rounds == 1 {
                let (factor, offset) = (generator.factor(ty), generator.rng.int(1000, 2_000_000_000) | 1);
                let scaled = local.wrapping_mul(factor);
                let next = scaled.wrapping_add(Expr::number(offset, ty));
                generator.push(local.set(next));
            } else {
                generator.mix(local, ty, rounds);
            }
            let unit = generator.unit(local, ty);
            let unit = generator.bind(&["u", "x_draw", "sample_value", "jump"], unit);
            let term = if walk {
                let half = Term::number(0.5, number);
                generator.raw(Op::Sub, vec![unit, half], number)
            } else {
                let depth = generator.depth;
                let made = generator.term(number, depth);
                let made = generator.fit(made, -3.0, 3.0);
                generator.raw(Op::Mul, vec![made, unit], number)
            };
            if let Some(term) = term {
                let stmt = sum.update(Op::Add, term.expr);
                match generator.comparison() {
                    Some(cond) if generator.rng.percent(25) => generator.push(Stmt::when(cond.expr, [stmt])),
                    _ => generator.push(stmt),
                }
            }
        });
        self.push(Stmt::for_loop(variable, 0, trips, body));
        let reach = trips as f64 * if walk { 0.5 } else { 3.0 };
        let samples = samples::draw(&mut self.rng, number, -reach, reach);
        if !self.rng.percent(40) {
            let term = Term::new(sum.expr(), samples);
            self.items.push(Item { term, uses: 0, target: Some(sum) });
        } else {
            let mean = sum / Expr::number(trips as f64, number.scalar());
            let samples = samples::draw(&mut self.rng, number, -3.0, 3.0);
            self.bind(&["mean", "average", "monte_carlo"], Term { expr: mean, samples, size: 3 });
        }
        let text = format!("draws {trips} random numbers from a generator of its own");
        self.note(Mark::Local(variable.id), "sample", text);
    }
}
