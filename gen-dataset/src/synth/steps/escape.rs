//! Points that are moved until they escape, and how long that takes.

use super::super::build;
use super::super::sketch::{Sketch, Term};
use kernel_ir::ir::{Expr, LocalId, StmtKind, Type};
use kernel_ir::ops::Op;

/// How a point is moved, besides by the constant.
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

impl Sketch {
    /// `while count < most && x * x + y * y <= 4.0 { … }`
    pub(super) fn escape(&mut self) {
        let map = self.dice.weighted(&[(6, Map::Square), (2, Map::Conjugate), (2, Map::Ship), (1, Map::Cube)]);
        let ty = self.number();
        let number = |value| build::float(value, ty.scalar());
        let point =
            [self.coordinate(&["cx", "c_re", "u0"], -2.0, 1.0), self.coordinate(&["cy", "c_im", "v0"], -1.2, 1.2)];
        let (by_thread, before) = (point.iter().any(|c| c.lanes.by_thread), self.items.len());
        // The set of Julia: the point is the start, and the constant is the same everywhere.
        let julia = self.dice.percent(35);
        let (starts, added) = match julia {
            true => {
                let constants = self.dice.pick(&[[-0.8, 0.156], [-0.4, 0.6], [0.285, 0.01], [-0.70, -0.38]]);
                (point.map(|c| c.expr), constants.map(number))
            }
            false => ([number(0.0), number(0.0)], point.map(|c| c.expr)),
        };
        let wishes: [&[&str]; 2] = [&["zx", "re", "x_n"], &["zy", "im", "y_n"]];
        let [x, y] = [0, 1].map(|k: usize| self.hidden(wishes[k], starts[k].clone()));
        let count_ty = self.dice.pick(&[Type::I32, Type::I32, Type::U32]);
        let count = self.hidden(&["iterations", "steps_taken", "escape_time", "n_iter"], build::int(0, count_ty));
        let limit = number(self.dice.pick(&[4.0, 4.0, 4.0, 16.0]));
        let trips = self.dice.pick(&[8, 12, 16, 20, 32]);
        let local = |id: LocalId| build::local(id, ty);
        let size = || build::add(build::mul(local(x), local(x)), build::mul(local(y), local(y)));
        let style = self.dice.below(3);
        let (body, ()) = self.nested(|sketch| {
            if style == 0 {
                let out = build::test(Op::Gt, size(), limit.clone());
                sketch.push(build::branch(out, vec![build::stmt(StmtKind::Break)], Vec::new()));
            }
            sketch.move_point(map, [x, y], &added);
            sketch.push(build::update(build::local_place(count, count_ty), Op::Add, build::int(1, count_ty)));
        });
        if style == 0 {
            let variable = self.local("_escape", Type::I32, false);
            self.push(build::for_loop(variable, build::int(0, Type::I32), build::int(trips, Type::I32), body));
        } else {
            let counted = build::test(Op::Lt, build::local(count, count_ty), build::int(trips, count_ty));
            let inside = build::test(Op::Le, size(), limit);
            let cond = if style == 1 { [counted, inside] } else { [inside, counted] };
            let [first, second] = cond;
            self.push(build::while_loop(build::test(Op::And, first, second), body));
        }
        self.offer_escape(map, count, count_ty, trips, size());
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
        let depth = self.dice.below(2).min(self.depth);
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
    fn move_point(&mut self, map: Map, [x, y]: [LocalId; 2], added: &[Expr; 2]) {
        let ty = self.number();
        let number = |value| build::float(value, ty.scalar());
        let (re, im) = (build::local(x, ty), build::local(y, ty));
        let (xx, yy) = (build::mul(re.clone(), re.clone()), build::mul(im.clone(), im.clone()));
        let (real, imaginary) = match map {
            Map::Cube => {
                let real = build::sub(xx.clone(), build::mul(number(3.0), yy.clone()));
                let imaginary = build::sub(build::mul(number(3.0), xx), yy);
                (build::mul(re, real), build::mul(imaginary, im))
            }
            _ => {
                let both = build::mul(build::mul(number(2.0), re), im);
                let both = match map {
                    Map::Ship => build::call(Op::Abs, both),
                    Map::Conjugate => build::call(Op::Neg, both),
                    _ => both,
                };
                (build::sub(xx, yy), both)
            }
        };
        let next = self.known(build::add(real, added[0].clone()), -6.0, 6.0);
        let next = self.bind(&["next_x", "re_new", "xt", "tmp"], next).expr;
        self.push(build::assign(build::local_place(y, ty), build::add(imaginary, added[1].clone())));
        self.push(build::assign(build::local_place(x, ty), next));
    }

    /// The count, as it is, as a share, or made smooth by how far the point has come.
    fn offer_escape(&mut self, map: Map, count: LocalId, count_ty: Type, trips: i64, size: Expr) {
        let ty = self.number();
        let most = trips as f64;
        let counted = build::local(count, count_ty);
        match self.dice.below(4) {
            0 => {
                let share = build::div(build::cast(counted, ty), build::float(most, ty.scalar()));
                let share = self.known(share, 0.0, 1.0);
                self.bind(&["shade_level", "escape_share", "tone_level"], share);
            }
            1 if map != Map::Cube => {
                // A point that has not left counts as if it were just outside.
                let size = build::both(Op::Max, size, build::float(4.0, ty.scalar()));
                let far = build::call(Op::Log2, build::call(Op::Log2, size));
                let smooth = build::sub(build::cast(counted, ty), far);
                let smooth = self.known(smooth, -4.0, most);
                self.bind(&["smooth_count", "mu_smooth", "fractional_count"], smooth);
            }
            2 => {
                let size = build::both(Op::Min, size, build::float(50.0, ty.scalar()));
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
