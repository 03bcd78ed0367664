//! Mean and variance of a row, and standardization by them.

use super::super::generator::{Array, Generator};
use super::row::{Row, Trip};
use kernel_ir::ir::{Domain, Expr, ParamKind};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

/// The largest magnitude of values in rows.
const REACH: f64 = 4.0;
/// The largest distance from the mean, in standard deviations. Short rows cannot have a larger one.
const FARTHEST: f64 = 3.5;

/// Locals with the moments of a row.
struct Moments {
    /// `None` if the values are taken relative to zero.
    mean: Option<Expr>,
    variance: Expr,
}

impl Generator {
    /// The mean and the variance of a row, in one loop or two, and a result that uses them.
    pub(super) fn moments(&mut self) {
        let row = self.row(-REACH, REACH);
        let before = self.items.len();
        let moments = match self.rng.below(10) {
            0 | 1 => self.root_mean_square(&row),
            2 | 3 => self.two_sums(&row),
            4 => self.running_moments(&row),
            _ => self.two_loops(&row),
        };
        let name = self.row_words(&row);
        match self.rng.below(8) {
            0..4 if self.kernel.dim < 4 => self.store_standardized(&row, &moments, &name),
            4 => self.higher_moment(&row, &moments, &name),
            5 => self.spread(&moments, &name),
            _ => self.one_standardized(&row, &moments, &name),
        }
        if row.is_shared() {
            self.share_since(before);
        }
    }

    fn zero(&self) -> Expr {
        Expr::number(0.0, self.float)
    }

    /// `let mean = sum / n as f32;`
    fn mean_of(&mut self, row: &Row, sum: Expr, wishes: &[&str], low: f64, high: f64) -> Expr {
        let mean = sum / row.len(self.number());
        let mean = self.known(mean, low, high);
        let bound = self.bind(wishes, mean).expr;
        // The next statements read it, so it does not count as unread.
        self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
        bound
    }

    fn mean_of_row(&mut self, row: &Row) -> Expr {
        let zero = self.zero();
        let sum = self.hidden(&["sum", "total", "acc", "row_sum", "mean_sum"], zero);
        self.over(row, 0, |generator, trip| {
            generator.push(sum.update(Op::Add, trip.value.expr));
        });
        self.mean_of(row, sum.expr(), &["mean", "mu", "average", "row_mean"], -REACH, REACH)
    }

    fn two_loops(&mut self, row: &Row) -> Moments {
        let mean = self.mean_of_row(row);
        let zero = self.zero();
        let squares = self.hidden(&["var_sum", "squares", "sq_sum", "deviation_sum", "m2"], zero);
        let direct = self.rng.percent(15);
        self.over(row, 0, |generator, trip| {
            let gap = trip.value.expr - &mean;
            let place = squares.place();
            if direct {
                let square = gap.powi(2);
                return generator.push(place.update(Op::Add, square));
            }
            let gap = generator.known(gap, -2.0 * REACH, 2.0 * REACH);
            let gap = generator.bind(&["diff", "centered_value", "delta", "gap"], gap).expr;
            generator.push(place.update(Op::Add, &gap * &gap));
        });
        let variance = self.mean_of(row, squares.expr(), VARIANCES, 0.0, REACH * REACH);
        Moments { mean: Some(mean), variance }
    }

    /// The mean of the squares minus the square of the mean. Rounding may make it negative.
    fn two_sums(&mut self, row: &Row) -> Moments {
        let (zero, ty) = (self.zero(), self.number());
        let sum = self.hidden(&["sum", "s1", "total"], zero.clone());
        let squares = self.hidden(&["sum_sq", "s2", "total_sq"], zero.clone());
        self.over(row, 0, |generator, trip| {
            let value = generator.looked_at(&["v", "entry", "item_value"], trip.value).expr;
            generator.push(sum.update(Op::Add, &value));
            generator.push(squares.update(Op::Add, &value * &value));
        });
        let mean = self.mean_of(row, sum.expr(), &["mean", "mu", "average"], -REACH, REACH);
        let square = squares / row.len(ty);
        let variance = square - &mean * &mean;
        let variance = variance.max(zero);
        let variance = self.known(variance, 0.0, REACH * REACH);
        let variance = self.bind(VARIANCES, variance).expr;
        Moments { mean: Some(mean), variance }
    }

    /// Welford's algorithm: updates mean and sum of squares for each value.
    fn running_moments(&mut self, row: &Row) -> Moments {
        let (zero, ty) = (self.zero(), self.number());
        let mean = self.hidden(&["running_mean", "mean", "mu"], zero.clone());
        let squares = self.hidden(&["m2", "running_sq", "scatter"], zero);
        self.over(row, 0, |generator, trip| {
            let here = mean.expr();
            let value = generator.looked_at(&["v", "entry", "item_value"], trip.value).expr;
            let gap = generator.known(&value - &here, -2.0 * REACH, 2.0 * REACH);
            let gap = generator.bind(&["delta", "diff", "gap"], gap).expr;
            let count = trip.count.cast(ty) + 1.0;
            generator.push(mean.update(Op::Add, &gap / count));
            let square = gap * (value - here);
            generator.push(squares.update(Op::Add, square));
        });
        let variance = self.mean_of(row, squares.expr(), VARIANCES, 0.0, REACH * REACH);
        Moments { mean: Some(mean.expr()), variance }
    }

    fn root_mean_square(&mut self, row: &Row) -> Moments {
        let zero = self.zero();
        let squares = self.hidden(&["sum_sq", "squares", "energy_sum", "power_sum"], zero);
        self.over(row, 0, |generator, trip| {
            let value = generator.looked_at(&["v", "entry", "item_value"], trip.value).expr;
            generator.push(squares.update(Op::Add, &value * &value));
        });
        let names: &[&str] = &["mean_square", "ms", "mean_sq", "mean_power"];
        let variance = self.mean_of(row, squares.expr(), names, 0.0, REACH * REACH);
        Moments { mean: None, variance }
    }

    /// The variance plus a small number, because a root and a division follow.
    fn steadied(&mut self, variance: Expr) -> Expr {
        let ty = variance.ty;
        let small = if self.rng.percent(35) {
            let name = self.one_of(&["eps", "epsilon", "floor_variance"]);
            let id = self.param(name, ParamKind::Value(ty), Some(Domain::floats(1e-4, 1e-2)));
            Expr::param(id, ty)
        } else {
            Expr::number(self.rng.pick(&[1e-5, 1e-3, 1e-4, 1e-6, 1e-5]), ty.scalar())
        };
        variance + small
    }

    /// `let inv_std = 1.0 / (variance + eps).sqrt();`, or the root itself. Also returns whether to multiply by it.
    fn scale_of(&mut self, variance: Expr) -> (Expr, bool) {
        let steady = self.steadied(variance);
        let root = steady.sqrt();
        let (scale, names): (_, &[&str]) = match self.rng.below(4) {
            0 => (root, &["std_dev", "sigma_row", "rms", "norm_by"]),
            1 => (Expr::op(Op::Recip, [root]), &["inv_std", "rstd", "r_sigma"]),
            _ => (1.0 / root, &["inv_std", "rstd", "inv_norm"]),
        };
        let inverse = !matches!(names[0], "std_dev");
        let scale = self.known(scale, 0.0, if inverse { 1000.0 } else { REACH });
        let bound = self.bind(names, scale).expr;
        // Its reciprocal may be large, so later terms must not read it.
        self.items.pop();
        (bound, inverse)
    }

    /// Stores the layer norm of the whole row, mostly with a gain and an offset for each position.
    fn store_standardized(&mut self, row: &Row, moments: &Moments, name: &str) {
        let (scale, inverse) = self.scale_of(moments.variance.clone());
        let number = self.number();
        let gain =
            self.rng.percent(60).then(|| self.per_place(row, &["gamma_row", "gain_row", "ln_weight"], (0.5, 1.5)));
        let offset =
            self.rng.percent(50).then(|| self.per_place(row, &["beta_row", "ln_bias", "offset_row"], (-1.0, 1.0)));
        let mean = moments.mean.clone();
        let wishes = &["normalized_row", "layer_norm", "standardized_row", "whitened"];
        self.store_row(row, wishes, |generator, trip| {
            let index = trip.index.clone();
            let value = standardized(&trip, &mean, &scale, inverse);
            let value = generator.known(value, -FARTHEST, FARTHEST);
            let mut value = generator.looked_at(&["normed", "x_hat", "z_here"], value).expr;
            if let Some(gain) = &gain {
                value = value * Expr::load(gain.id, [index.clone()], number);
            }
            if let Some(offset) = &offset {
                value = value + Expr::load(offset.id, [index], number);
            }
            value
        });
        self.tell(
            if mean.is_some() { "layer_norm" } else { "rms_norm" },
            format!("stores the values of {name}, standardized"),
        );
    }

    /// An array with a value for each position of the row, shared by all threads.
    fn per_place(&mut self, row: &Row, wishes: &[&str], range: (f64, f64)) -> Array {
        let (name, number) = (self.one_of(wishes), self.number());
        self.array_named(name, number, vec![row.axis], range)
    }

    fn one_standardized(&mut self, row: &Row, moments: &Moments, name: &str) {
        let (scale, inverse) = self.scale_of(moments.variance.clone());
        let place = self.place_in(row);
        let value = row.at(&place);
        let centered = match &moments.mean {
            Some(mean) => value - mean,
            None => value,
        };
        let op = if inverse { Op::Mul } else { Op::Div };
        let score = self.known(Expr::op(op, [centered, scale]), -FARTHEST, FARTHEST);
        self.bind(&["z_score", "standard_score", "normed_value", "outlierness"], score);
        self.tell("standardize", format!("standardizes one value of {name}"));
    }

    /// The mean of a power of the standardized values, or of another function of them.
    fn higher_moment(&mut self, row: &Row, moments: &Moments, name: &str) {
        let (scale, inverse) = self.scale_of(moments.variance.clone());
        let (zero, ty) = (self.zero(), self.number());
        let kind = self.rng.below(3);
        let names: &[&str] =
            [&["skew_sum", "third_sum"][..], &["fourth_sum", "tail_sum"], &["shaped_sum", "score_sum"]][kind];
        let sum = self.hidden(names, zero);
        let mean = moments.mean.clone();
        self.over(row, 0, |generator, trip| {
            let value = standardized(&trip, &mean, &scale, inverse);
            let value = generator.known(value, -FARTHEST, FARTHEST);
            let value = generator.bind(&["z_here", "normed", "x_hat"], value);
            let z = value.expr.clone();
            let term = match kind {
                0 => &z * &z * z,
                1 => z.powi(4),
                _ => {
                    let made = generator.made_of(ty, &value, 2);
                    generator.fit(made, -4.0, 4.0).expr
                }
            };
            generator.push(sum.update(Op::Add, term));
        });
        let names: &[&str] =
            [&["skewness", "asymmetry"][..], &["kurtosis", "tailedness"], &["mean_shaped", "mean_score"]][kind];
        let (low, high) = [(-6.0, 6.0), (0.0, 12.0), (-4.0, 4.0)][kind];
        self.mean_of(row, sum.expr(), names, low, high);
        self.items.last_mut().into_iter().for_each(|item| item.uses = 0);
        self.tell("moment", format!("averages a function of the standardized values of {name}"));
    }

    /// The standard deviation, and the mean.
    fn spread(&mut self, moments: &Moments, name: &str) {
        let steady = self.steadied(moments.variance.clone());
        let root = self.known(steady.sqrt(), 0.0, REACH);
        self.bind(&["std_dev", "sigma_row", "spread_of_row", "volatility_of_row"], root);
        if let Some(mean) = moments.mean.clone() {
            let mean = self.known(mean, -REACH, REACH);
            self.items.retain(|item| item.term.expr != mean.expr);
            self.offer(mean);
        }
        self.tell("variance", format!("finds the mean and the spread of {name}"));
    }
}

/// Names of variances.
const VARIANCES: &[&str] = &["variance", "var_row", "sigma2", "row_variance"];

/// `(value - mean) * scale`
fn standardized(trip: &Trip, mean: &Option<Expr>, scale: &Expr, inverse: bool) -> Expr {
    let value = trip.value.expr.clone();
    let centered = match mean {
        Some(mean) => value - mean,
        None => value,
    };
    Expr::op(if inverse { Op::Mul } else { Op::Div }, [centered, scale.clone()])
}
