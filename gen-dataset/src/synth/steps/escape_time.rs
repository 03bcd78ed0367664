//! Escape-time fractals: iterated maps of the plane with a bound on the radius.

use super::super::generator::{Generator, Term};
use kernel_ir::ir::{Expr, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// The map that is iterated, without its constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Map {
    /// z²
    Square,
    /// The square of the conjugate.
    Conjugate,
    /// The square of the absolute values.
    Ship,
    /// z³
    Cube,
}

impl Generator {
    /// `while count < most && x * x + y * y <= 4.0 { … }`
    pub(super) fn escape(&mut self) {
        let map = self.rng.weighted(&[(6, Map::Square), (2, Map::Conjugate), (2, Map::Ship), (1, Map::Cube)]);
        let ty = self.number();
        let number = |value| Expr::number(value, ty.scalar());
        let point =
            [self.coordinate(&["cx", "c_re", "u0"], -2.0, 1.0), self.coordinate(&["cy", "c_im", "v0"], -1.2, 1.2)];
        let (by_thread, before) = (point.iter().any(|c| c.samples.by_thread), self.items.len());
        // In a Julia set the point is the start, and all points share the constant.
        let julia = self.rng.percent(35);
        let (starts, added) = match julia {
            true => {
                let constants = self.rng.pick(&[[-0.8, 0.156], [-0.4, 0.6], [0.285, 0.01], [-0.70, -0.38]]);
                (point.map(|c| c.expr), constants.map(number))
            }
            false => ([number(0.0), number(0.0)], point.map(|c| c.expr)),
        };
        let wishes: [&[&str]; 2] = [&["zx", "re", "x_n"], &["zy", "im", "y_n"]];
        let [x, y] = [0, 1].map(|k: usize| self.hidden(wishes[k], starts[k].clone()));
        let count_ty = self.rng.pick(&[Type::I32, Type::I32, Type::U32]);
        let count = self.hidden(&["iterations", "steps_taken", "escape_time", "n_iter"], Expr::number(0, count_ty));
        let limit = number(self.rng.pick(&[4.0, 4.0, 4.0, 16.0]));
        let trips = self.rng.pick(&[8, 12, 16, 20, 32]);
        let size = || x * x + y * y;
        let style = self.rng.below(3);
        let (body, ()) = self.nested(|generator| {
            if style == 0 {
                let out = size().gt(&limit);
                generator.push(Stmt::when(out, [Stmt::new(StmtKind::Break)]));
            }
            generator.move_point(map, [x, y], &added);
            generator.push(count.update(Op::Add, 1));
        });
        if style == 0 {
            let variable = self.local("_escape", Type::I32, false);
            self.push(Stmt::for_loop(variable, 0, trips, body));
        } else {
            let counted = count.lt(Expr::number(trips, count_ty));
            let inside = size().le(limit);
            let cond = if style == 1 { [counted, inside] } else { [inside, counted] };
            let [first, second] = cond;
            self.push(Stmt::while_loop(first.and(second), body));
        }
        self.offer_escape(map, count, trips, size());
        if !by_thread {
            self.share_since(before);
        }
        self.tell(
            if julia { "julia" } else { "escape" },
            format!("moves a point by {}, and counts how long it stays", map_words(map)),
        );
    }

    fn coordinate(&mut self, wishes: &[&str], low: f64, high: f64) -> Term {
        let ty = self.number();
        let depth = self.rng.below(2).min(self.depth);
        let term = self.term(ty, depth);
        let term = self.fit(term, low, high);
        if term.size == 1 {
            return term;
        }
        let bound = self.bind(wishes, term);
        self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
        bound
    }

    /// `let next = x * x - y * y + cx; y = 2.0 * x * y + cy; x = next;`
    fn move_point(&mut self, map: Map, [x, y]: [Var; 2], added: &[Expr; 2]) {
        let (xx, yy) = (x * x, y * y);
        let (real, imaginary) = match map {
            Map::Cube => {
                let real = &xx - 3.0 * &yy;
                let imaginary = 3.0 * xx - yy;
                (x * real, imaginary * y)
            }
            _ => {
                let both = 2.0 * x * y;
                let both = match map {
                    Map::Ship => both.abs(),
                    Map::Conjugate => -both,
                    _ => both,
                };
                (xx - yy, both)
            }
        };
        let next = self.known(real + &added[0], -6.0, 6.0);
        let next = self.bind(&["next_x", "re_new", "xt", "tmp"], next).expr;
        self.push(y.set(imaginary + &added[1]));
        self.push(x.set(next));
    }

    /// Offers the count: as it is, as a share of the limit, or smoothed by the final radius.
    fn offer_escape(&mut self, map: Map, count: Var, trips: i64, size: Expr) {
        let ty = self.number();
        let most = trips as f64;
        let counted = count.expr();
        match self.rng.below(4) {
            0 => {
                let share = counted.cast(ty) / most;
                let share = self.known(share, 0.0, 1.0);
                self.bind(&["shade_level", "escape_share", "tone_level"], share);
            }
            1 if map != Map::Cube => {
                // A point that has not escaped counts as just outside, so that the logarithm is defined.
                let size = size.max(4.0);
                let far = size.log2().log2();
                let smooth = counted.cast(ty) - far;
                let smooth = self.known(smooth, -4.0, most);
                self.bind(&["smooth_count", "mu_smooth", "fractional_count"], smooth);
            }
            2 => {
                let size = size.min(50.0);
                let size = self.known(size, 0.0, 50.0);
                self.bind(&["size_squared", "orbit_size", "distance2"], size);
                let counted = self.known(counted, 0.0, most + 1.0);
                self.offer(counted);
            }
            _ => {
                let counted = self.known(counted, 0.0, most + 1.0);
                self.offer(counted);
            }
        }
    }
}

fn map_words(map: Map) -> &'static str {
    match map {
        Map::Square => "z² + c",
        Map::Conjugate => "the square of its conjugate and a constant",
        Map::Ship => "z² + c with the sign of its second part dropped",
        Map::Cube => "z³ + c",
    }
}
