//! Table lookup with interpolation: linear, cubic, bilinear.

use super::super::docgen;
use super::super::generator::{Array, Axis, Generator, Term};
use super::super::range_repair::round2;
use super::super::samples;
use kernel_ir::ir::{Expr, ExprKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

/// Names of an entry and the next one.
const PAIRS: [(&str, &str); 5] =
    [("ia", "ib"), ("lo", "hi"), ("cell", "cell_next"), ("left", "right"), ("near", "far")];

/// A position between two entries of a table: their indices, and the distance from the first.
struct Between {
    near: Expr,
    far: Expr,
    part: Expr,
}

impl Generator {
    /// An interpolated entry of a table, along one axis or two.
    pub(super) fn interpolate(&mut self) {
        let axes = if self.rng.percent(35) { 2 } else { 1 };
        let table = self.table(axes);
        let wraps = self.rng.percent(20);
        let (mut found, mut by_thread) = (Vec::new(), false);
        for axis in 0..axes {
            let position = self.position(&table, axis, wraps);
            by_thread |= position.samples.by_thread;
            found.push(self.between(&table, axis, position, wraps));
        }
        let (low, high) = table.range;
        let (value, how) = match &found[..] {
            [along] if self.rng.percent(15) => (self.cubic(&table, along), "by a cubic curve"),
            [along] => (self.straight(&table, along), "along a straight line"),
            [down, right, ..] => (self.bilinear(&table, down, right), "bilinearly"),
            [] => return,
        };
        // A cubic curve overshoots its points.
        let room = 0.3 * (high - low);
        let mut value = self.known(value, low - room, high + room);
        value.samples.by_thread = by_thread;
        self.bind(&["interpolated", "looked_up", "sampled", "table_value", "lerped"], value);
        let name = docgen::words(&self.kernel.param(table.id).name);
        self.tell(if axes == 1 { "lookup" } else { "bilinear" }, format!("looks up {name} {how}"));
    }

    /// A table. A field over the launch counts as one.
    fn table(&mut self, axes: usize) -> Array {
        let vectors = self.float_vectors();
        let elem = match vectors.is_empty() || self.rng.percent(70) {
            true => self.number(),
            false => self.rng.pick(&vectors),
        };
        let axes: Vec<Axis> = match usize::from(self.kernel.dim) == axes && self.rng.percent(40) {
            true => self.launch_axes(),
            false => (0..axes).map(|_| self.table_axis()).collect(),
        };
        self.inputs_left = self.inputs_left.max(1);
        let name =
            self.one_of(&["table", "lut", "curve", "profile", "grid_values", "texture", "ramp_table", "field_map"]);
        let (low, high) = self.rng.pick(&[(0.0, 1.0), (-1.0, 1.0), (0.5, 2.0), (-2.0, 2.0)]);
        self.array_named(name, elem, axes, (low, high))
    }

    fn table_axis(&mut self) -> Axis {
        if self.rng.percent(70) {
            return Axis::Fixed(self.rng.pick(&[4, 8, 16, 9, 12, 32]));
        }
        self.inner_axis()
    }

    /// The position of the lookup, in entries from the first one.
    fn position(&mut self, table: &Array, axis: usize, wraps: bool) -> Term {
        let ty = self.number();
        let depth = self.rng.below(3).min(self.depth);
        let term = self.term(ty, depth);
        let last = Expr::extent(table.id, axis as u8) - 1;
        let most = table.axes[axis].most() - 1.0;
        let by_thread = term.samples.by_thread;
        let kind = self.rng.below(3);
        let term = match kind {
            // A coordinate that is in units of entries already.
            0 if !wraps => {
                let step = round2(self.rng.float(0.1, 0.8));
                let term = self.fit(term, -2.0, 3.0);
                let origin = Expr::number(self.rng.pick(&[1.0, 0.5, 2.0]), ty.scalar());
                let scaled = (term.expr + origin) / step;
                self.known(scaled, -10.0, 50.0)
            }
            _ if wraps => {
                let term = self.fit(term, -3.0, 3.0);
                let turned = &term.expr - term.expr.floor();
                let scaled = turned * Expr::extent(table.id, axis as u8).cast(ty);
                self.known(scaled, 0.0, most + 1.0)
            }
            _ => {
                let term = self.fit(term, 0.0, 1.0);
                let scaled = term.expr * last.cast(ty);
                self.known(scaled, 0.0, most.max(1.0))
            }
        };
        let inside = if wraps || (kind > 0 && self.rng.percent(50)) {
            term
        } else {
            let clamped = term.expr.clamp(0.0, last.cast(ty));
            self.known(clamped, 0.0, most.max(1.0))
        };
        let inside = Term { samples: samples::Samples { by_thread, ..inside.samples }, ..inside };
        let bound = self.bind(&["pos", "t_scaled", "u_pos", "coord", "at"], inside);
        // Later terms should read the entries, not the position.
        self.items.pop();
        bound
    }

    /// The entries around a position.
    fn between(&mut self, table: &Array, axis: usize, position: Term, wraps: bool) -> Between {
        let extent = Expr::extent(table.id, axis as u8);
        let last = &extent - 1;
        let base = position.expr.floor();
        let (base, part) = if self.rng.percent(50) {
            let base = self.known(base, 0.0, 40.0);
            let base = self.bind(&["base", "cell_floor", "whole"], base).expr;
            self.items.pop();
            (base.clone(), position.expr - base)
        } else {
            (base.clone(), position.expr - base)
        };
        let near = base.cast(Type::INDEX);
        let near = if wraps { near % &extent } else { near.min(&last) };
        let near = self.named_place(&PAIRS.map(|pair| pair.0), near);
        let next = &near + 1;
        let far = if wraps { next % extent } else { next.min(last) };
        let far = if self.rng.percent(60) {
            let mate = self.mate(&near);
            self.named_place(&[mate], far)
        } else {
            far
        };
        // Outside the table, the last entry is used.
        let part = part.clamp(0.0, 1.0);
        let part = self.known(part, 0.0, 1.0);
        let part = self.bind(&["frac", "f", "w", "blend_by", "fraction"], part);
        self.items.pop();
        let part = if self.rng.percent(15) { self.eased(part.expr) } else { part.expr };
        Between { near, far, part }
    }

    /// The name of the entry after `near`.
    fn mate(&self, near: &Expr) -> &'static str {
        let ExprKind::Local(id) = near.kind else { return "next_place" };
        let name = docgen::words(&self.kernel.local(id).name);
        PAIRS.iter().find(|pair| docgen::words(pair.0) == name).map_or("next_place", |pair| pair.1)
    }

    /// `f * f * (3.0 - 2.0 * f)`
    fn eased(&mut self, part: Expr) -> Expr {
        let slope = 3.0 - 2.0 * &part;
        let eased = &part * &part * slope;
        let eased = self.known(eased, 0.0, 1.0);
        let bound = self.bind(&["smooth", "eased", "s_curve"], eased).expr;
        self.items.pop();
        bound
    }

    /// Interpolates from `a` to `b`.
    fn mixed(&mut self, a: Expr, b: Expr, part: &Expr) -> Expr {
        match self.rng.below(4) {
            0 if !a.ty.is_scalar() => Expr::op(Op::Lerp, [a, b, part.clone()]),
            0 | 1 => a * (1.0 - part) + b * part,
            _ => &a + (b - &a) * part,
        }
    }

    fn straight(&mut self, table: &Array, along: &Between) -> Expr {
        let at = |index: &Expr| Expr::load(table.id, [index.clone()], table.elem);
        let (a, b) = (at(&along.near), at(&along.far));
        self.mixed(a, b, &along.part)
    }

    fn bilinear(&mut self, table: &Array, down: &Between, right: &Between) -> Expr {
        let at = |row: &Expr, col: &Expr| Expr::load(table.id, [row.clone(), col.clone()], table.elem);
        let mut rows = Vec::new();
        for (row, wishes) in [(&down.near, ["top_mix", "v0", "lower"]), (&down.far, ["bottom_mix", "v1", "upper"])] {
            let mixed = self.mixed(at(row, &right.near), at(row, &right.far), &right.part);
            let mixed = self.known(mixed, table.range.0, table.range.1);
            rows.push(self.bind(&wishes, mixed).expr);
            self.items.pop();
        }
        self.mixed(rows[0].clone(), rows[1].clone(), &down.part)
    }

    /// A Catmull-Rom curve through four entries.
    fn cubic(&mut self, table: &Array, along: &Between) -> Expr {
        let ty = table.elem;
        let last = Expr::extent(table.id, 0) - 1;
        let before = along.near.saturating_sub(1);
        let behind = (&along.far + 1).min(last);
        let places = [before, along.near.clone(), along.far.clone(), behind];
        let mut points = Vec::new();
        for (place, wish) in places.into_iter().zip(["p0", "p1", "p2", "p3"]) {
            let point = self.known(Expr::load(table.id, [place], ty), table.range.0, table.range.1);
            points.push(self.bind(&[wish], point).expr);
            self.items.pop();
        }
        let [p0, p1, p2, p3] = [0, 1, 2, 3].map(|k: usize| points[k].clone());
        let number = |value| Expr::number(value, ty.scalar());
        let times = |value: Expr, by: Expr| value * by;
        let f = || along.part.clone();
        // p1 + f/2·(p2 − p0 + f·(2 p0 − 5 p1 + 4 p2 − p3 + f·(3 (p1 − p2) + p3 − p0)))
        let third = times(&p1 - &p2, number(3.0)) + &p3 - &p0;
        let second = times(p0.clone(), number(2.0)) - times(p1.clone(), number(5.0));
        let second = second + times(p2.clone(), number(4.0)) - p3;
        let inner = second + times(third, f());
        let outer = p2 - p0 + times(inner, f());
        p1 + times(outer, 0.5 * f())
    }
}
