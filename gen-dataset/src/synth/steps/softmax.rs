//! Softmax and log-sum-exp of a row. The maximum of the row is subtracted first, so that `exp` cannot overflow.

use super::super::generator::{Axis, Generator, Term};
use super::row::{Row, Trip};
use kernel_ir::ir::{Expr, Place, Stmt, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::{Operand, Var};

/// The largest magnitude of scores.
const REACH: f64 = 6.0;

/// Locals with the reductions of a row of scores.
struct Weights {
    /// The largest score.
    top: Expr,
    /// The sum of all weights.
    sum: Expr,
    /// A weighted sum of other values.
    other: Option<Expr>,
}

impl Generator {
    /// The maximum, then the sum of `(value - maximum).exp()`, and a result that uses them.
    pub(super) fn softmax(&mut self) {
        let row = self.row(-REACH, REACH);
        let (name, before) = (self.row_words(&row), self.items.len());
        let kind = self.rng.below(7);
        let weights = match kind {
            0 | 1 => self.expectation(&row),
            _ if self.rng.percent(25) => self.weights_in_one_loop(&row),
            _ => self.weights_in_two_loops(&row),
        };
        match (kind, weights.other.clone()) {
            (0 | 1, Some(other)) => {
                let mean = other / weights.sum;
                let mean = self.known(mean, -4.0, 4.0);
                self.bind(&["expected_value", "attended", "soft_value", "blended", "context"], mean);
                self.tell("attention", format!("averages terms by the softmax of {name}"));
            }
            (2, _) => self.log_sum_exp(&weights, &name),
            (3, _) => self.cross_entropy(&row, &weights, &name),
            _ if kind == 4 || self.kernel.dim > 3 => self.one_weight(&row, &weights, &name),
            _ => self.store_softmax(&row, &weights, &name),
        }
        if row.is_shared() {
            self.share_since(before);
        }
    }

    /// A start below all values, or the first value. Also returns the index of the first other value.
    fn lowest(&mut self, row: &Row) -> (Expr, usize) {
        let number = self.number();
        match self.rng.below(6) {
            0 => (Expr::number(f64::NEG_INFINITY, number.scalar()), 0),
            1 => (Expr::number(-1e9, number.scalar()), 0),
            2 => (Expr::number(-100.0, number.scalar()), 0),
            _ => (row.at(&Expr::index(0)), self.rng.below(2)),
        }
    }

    /// `for k in 0..n { top = top.max(value); }`
    pub(super) fn largest_of(&mut self, row: &Row) -> Expr {
        let (start, first) = self.lowest(row);
        let top = self.hidden(&["row_max", "max_score", "peak", "top", "highest", "m"], start);
        let branches = self.rng.percent(25);
        self.over(row, first, |generator, trip| {
            let here = top.expr();
            let place = top.place();
            if branches {
                let value = generator.looked_at(&["v", "candidate", "score"], trip.value).expr;
                let cond = value.gt(here);
                generator.push(Stmt::when(cond, [place.set(value)]));
            } else {
                generator.push(place.set(here.max(trip.value.expr)));
            }
        });
        top.expr()
    }

    fn weights_in_two_loops(&mut self, row: &Row) -> Weights {
        let top = self.largest_of(row);
        let number = self.number();
        let sum = self.weight_sum(number);
        self.over(row, 0, |generator, trip| {
            let weight = weight(&trip, &top);
            generator.push(sum.update(Op::Add, weight));
        });
        Weights { top, sum: sum.expr(), other: None }
    }

    fn weight_sum(&mut self, number: Type) -> Var {
        let zero = Expr::number(0.0, number.scalar());
        self.hidden(&["denominator", "sum_exp", "normalizer", "partition", "denom", "total_weight"], zero)
    }

    /// The maximum and the sum in one loop: the sum is rescaled whenever a larger value comes (online softmax).
    fn weights_in_one_loop(&mut self, row: &Row) -> Weights {
        let number = self.number();
        let start = row.at(&Expr::index(0));
        let top = self.hidden(&["running_max", "row_max", "m", "peak"], start);
        let sum = self.hidden(&["running_sum", "denominator", "normalizer"], Expr::number(1.0, number.scalar()));
        self.over(row, 1, |generator, trip| {
            let here = top.expr();
            let value = generator.looked_at(&["v", "score", "logit_here"], trip.value.clone()).expr;
            let higher = here.max(&value);
            let higher = generator.known(higher, -REACH, REACH);
            let higher = generator.bind(&["new_max", "raised", "m_new"], higher).expr;
            let shrunk = (here - &higher).exp();
            let shrunk = sum * shrunk;
            let own = (value - &higher).exp();
            generator.push(sum.set(shrunk + own));
            generator.push(top.set(higher));
        });
        Weights { top: top.expr(), sum: sum.expr(), other: None }
    }

    /// The weights and a weighted sum, both in the second loop.
    fn expectation(&mut self, row: &Row) -> Weights {
        let others = if self.rng.percent(60) { Some(self.array_over(row.axis).0) } else { None };
        let top = self.largest_of(row);
        let number = self.number();
        let sum = self.weight_sum(number);
        let zero = Expr::number(0.0, number.scalar());
        let other = self.hidden(&["weighted_sum", "numerator", "mixture_sum", "acc"], zero);
        self.over(row, 0, |generator, trip| {
            let weight = generator.known(weight(&trip, &top), 0.0, 1.0);
            let weight = generator.bind(&["weight_here", "e", "w_k", "p_k"], weight).expr;
            let value = match &others {
                Some(others) => {
                    let element = generator.element_here(others);
                    match generator.rng.percent(50) {
                        true => generator.adapted(element.clone(), number),
                        false => Some(generator.made_of(number, &element, 1)),
                    }
                }
                None => Some(generator.made_of(number, &trip.value, 1)),
            };
            let value = generator.fit(value.unwrap_or(trip.value), -4.0, 4.0);
            generator.push(sum.update(Op::Add, &weight));
            generator.push(other.update(Op::Add, weight * value.expr));
        });
        Weights { top, sum: sum.expr(), other: Some(other.expr()) }
    }

    fn log_sum_exp(&mut self, weights: &Weights, name: &str) {
        let value = &weights.top + weights.sum.ln();
        let value = self.known(value, -REACH, REACH + 3.0);
        self.bind(&["log_sum_exp", "lse", "soft_max_value", "log_partition"], value);
        self.tell("logsumexp", format!("finds the logarithm of the sum of exponentials of {name}"));
    }

    /// The negative logarithm of one weight.
    fn cross_entropy(&mut self, row: &Row, weights: &Weights, name: &str) {
        let place = self.place_in(row);
        let place =
            if self.rng.percent(50) { self.named_place(&["label", "class", "wanted_place"], place) } else { place };
        let log = &weights.top + weights.sum.ln();
        let loss = log - row.at(&place);
        let loss = self.known(loss, 0.0, 2.0 * REACH + 2.0);
        self.bind(&["cross_entropy", "nll", "log_loss", "surprisal"], loss);
        self.tell("cross_entropy", format!("finds the cross entropy of one place of {name}"));
    }

    fn one_weight(&mut self, row: &Row, weights: &Weights, name: &str) {
        let place = self.place_in(row);
        let value = (row.at(&place) - &weights.top).exp();
        let share = self.known(value / &weights.sum, 0.0, 1.0);
        self.bind(&["probability", "softmax_weight", "share", "attention_weight"], share);
        self.tell("softmax", format!("finds the softmax weight of one place of {name}"));
    }

    /// `for k in 0..n { out[[i, k]] = (value - top).exp() / sum; }`
    fn store_softmax(&mut self, row: &Row, weights: &Weights, name: &str) {
        let logarithms = self.rng.percent(30);
        let sum = weights.sum.clone();
        let (sum, inverse) = match (logarithms, self.rng.below(3)) {
            (true, _) => {
                let log = self.known(sum.ln(), 0.0, 2.5);
                (self.bind(&["log_sum", "log_total", "shift_by"], log).expr, false)
            }
            (false, 0) => {
                let one = Expr::number(1.0, sum.ty.scalar());
                let inverse = self.known(one / sum, 0.1, 1.0);
                (self.bind(&["inv_sum", "scale_by", "norm_factor"], inverse).expr, true)
            }
            _ => (sum, false),
        };
        let wishes: &[&str] = match logarithms {
            true => &["log_probabilities", "log_softmax", "log_probs"],
            false => &["probabilities", "softmax_out", "attention_weights", "probs"],
        };
        let top = weights.top.clone();
        self.store_row(row, wishes, |_, trip| match (logarithms, inverse) {
            (true, _) => trip.value.expr - top - sum,
            (false, true) => weight(&trip, &top) * sum,
            (false, false) => weight(&trip, &top) / sum,
        });
        let what = if logarithms { "log-softmax" } else { "softmax" };
        self.tell("softmax", format!("stores the {what} of {name}"));
    }

    /// A loop that stores a value at every position of the row.
    pub(super) fn store_row(&mut self, row: &Row, wishes: &[&str], value: impl FnOnce(&mut Generator, Trip) -> Expr) {
        let (elem, axes) = (self.number(), self.row_axes(row));
        let out = self.output(wishes, elem, &axes, None);
        self.over(row, 0, |generator, trip| {
            let index = generator.row_place(&trip);
            let value = value(generator, trip);
            generator.push(Place::element(out, index, elem).set(value));
        });
        self.has_stored = true;
    }

    /// The axes of an array with a row for each thread. Launches may have up to three axes.
    pub(super) fn row_axes(&self, row: &Row) -> Vec<Axis> {
        self.launch_axes().into_iter().chain([row.axis]).collect()
    }

    /// The index of the trip's position in the thread's row.
    pub(super) fn row_place(&self, trip: &Trip) -> Vec<Expr> {
        self.tid.iter().cloned().chain([trip.index.clone()]).collect()
    }

    /// `let name = index;`
    pub(super) fn named_place(&mut self, wishes: &[&str], index: Expr) -> Expr {
        let name = self.one_of(wishes);
        let local = self.local_named(name, Type::INDEX, false);
        self.push(local.declare(index));
        local.expr()
    }
}

/// `(value - top).exp()`
fn weight(trip: &Trip, top: &Expr) -> Expr {
    let Term { expr, .. } = trip.value.clone();
    (expr - top).exp()
}
