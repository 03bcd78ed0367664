//! The minimum or maximum of a row, with its position.

use super::super::generator::{Generator, Term};
use super::row::Row;
use kernel_ir::ir::{Block, Expr, Place, Stmt, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

/// The result of the search.
struct Best {
    value: Expr,
    /// The position, in the type of the loop variable.
    place: Expr,
    /// The second best value.
    second: Option<Expr>,
}

impl Generator {
    /// `if value < best { best = value; best_k = k; }` along a row, followed by a use of the position.
    pub(super) fn extreme(&mut self) {
        let nearest = if self.rng.percent(40) { self.distances() } else { None };
        let is_nearest = nearest.is_some();
        let row = nearest.unwrap_or_else(|| self.row(-6.0, 6.0));
        let op = if is_nearest || self.rng.percent(50) { Op::Lt } else { Op::Gt };
        let before = self.items.len();
        let best = self.best_of(&row, op);
        let name = self.row_words(&row);
        let what = match (is_nearest, op) {
            (true, _) => "the nearest",
            (false, Op::Lt) => "the smallest value",
            _ => "the largest value",
        };
        self.tell(
            match (is_nearest, op) {
                (true, _) => "nearest",
                (false, Op::Lt) => "argmin",
                _ => "argmax",
            },
            format!("looks for {what} of {name} and its place"),
        );
        self.use_best(&row, best);
        if row.is_shared() {
            self.share_since(before);
        }
    }

    /// A row of distances to a value of the thread.
    fn distances(&mut self) -> Option<Row> {
        let vectors = self.float_vectors();
        let ty = if vectors.is_empty() { self.number() } else { self.rng.pick(&vectors) };
        let depth = usize::from(self.rng.percent(30));
        let own = self.term(ty, depth);
        let own = if own.size > 1 || self.rng.percent(40) {
            let own = self.bind(&["mine", "query_point", "here", "p_i"], own);
            self.items.last_mut().into_iter().for_each(|item| item.uses = 1);
            own
        } else {
            own
        };
        let axis = self.inner_axis();
        let word = match self.arrays.iter().find(|array| array.elem == ty) {
            Some(array) => array.range,
            None => (-2.0, 2.0),
        };
        let name = self.one_of(&["centroids", "sites", "codebook", "candidates", "prototypes", "landmarks"]);
        let array = self.array_named(name, ty, vec![axis], word);
        let number: Type = ty.scalar().into();
        let squared = self.rng.percent(60);
        self.row_in(&array, axis, 0, |generator, element| match (ty.is_scalar(), squared) {
            (false, true) => generator.apply(Op::DistanceSquared, vec![element.clone(), own.clone()], number),
            (false, false) => generator.apply(Op::Distance, vec![element.clone(), own.clone()], number),
            (true, _) => {
                let gap = generator.apply(Op::Sub, vec![element.clone(), own.clone()], number)?;
                generator.apply(Op::Abs, vec![gap], number)
            }
        })
    }

    /// A start that every value beats, or the first value of the row.
    fn worst(&mut self, row: &Row, op: Op) -> (Expr, usize) {
        let number = self.number();
        let sign = if op == Op::Lt { 1.0 } else { -1.0 };
        let value = match self.rng.below(5) {
            0 => f64::INFINITY,
            1 => 1e9,
            2 if number == Type::F32 => f32::MAX.into(),
            2 => f64::MAX,
            _ => return (row.at(&Expr::index(0)), 1),
        };
        (Expr::number(sign * value, number.scalar()), 0)
    }

    fn best_of(&mut self, row: &Row, op: Op) -> Best {
        let number = self.number();
        let with_second = self.rng.percent(12);
        let (start, first) = self.worst(row, op);
        let first = if with_second { 0 } else { first };
        let start =
            if with_second { Expr::number(if op == Op::Lt { 1e6 } else { -1e6 }, number.scalar()) } else { start };
        let wishes: &[&str] = match op {
            Op::Lt => &["best", "lowest_value", "min_dist", "best_cost", "closest", "min_value"],
            _ => &["best", "highest_value", "best_score", "max_value", "peak_height"],
        };
        let best = self.hidden(wishes, start.clone());
        let second = with_second.then(|| self.hidden(&["second", "runner_up", "second_best"], start));
        let place = Expr::number(0, row.counts());
        let place = self.hidden(&["best_k", "best_index", "arg", "winner", "best_j", "which"], place);
        self.over(row, first, |generator, trip| {
            let value = generator.looked_at(&["cost_here", "d2", "candidate", "v", "score_here"], trip.value).expr;
            let better = Expr::op(op, [value.clone(), best.expr()]);
            let mut then: Block = Vec::new();
            if let Some(second) = second {
                then.push(second.set(best.expr()));
            }
            then.push(best.set(&value));
            then.push(place.set(trip.count));
            let other = match second {
                Some(second) => {
                    let next = Expr::op(op, [value.clone(), second.expr()]);
                    vec![Stmt::when(next, [second.set(value)])]
                }
                None => Vec::new(),
            };
            generator.push(Stmt::branch(better, then, other));
        });
        Best { value: best.expr(), place: place.expr(), second: second.map(|id| id.expr()) }
    }

    /// Offers the best value, the element of another array at its position, or the position itself.
    fn use_best(&mut self, row: &Row, best: Best) {
        let (low, high) = row.range();
        let kind = self.rng.below(10);
        if let Some(second) = best.second {
            // A row of one value has no second one.
            let margin = (second - &best.value).abs();
            let bound = margin.min(10.0);
            let margin = self.known(bound, 0.0, 10.0);
            self.bind(&["margin_found", "gap_to_second", "confidence_gap"], margin);
        }
        if kind < 7 {
            let value = self.known(best.value, low, high);
            self.offer(value);
        }
        match kind {
            0..3 => self.store_place(best.place),
            3..7 => self.fetch_at(row, best.place),
            _ => {
                let most = row.axis.most();
                let place = self.known(best.place.cast(Type::I32), 0.0, most);
                self.offer(place);
            }
        }
    }

    fn store_place(&mut self, place: Expr) {
        let elem = self.rng.pick(&[Type::I32, Type::I32, Type::U32]);
        let axes = self.launch_axes();
        let out =
            self.output(&["labels_out", "argbest", "assignment", "nearest_id", "choice", "cluster"], elem, &axes, None);
        let target = Place::element(out, self.tid.clone(), elem);
        self.push(target.set(place.cast(elem)));
        self.has_stored = true;
    }

    /// The element of another array at the position.
    fn fetch_at(&mut self, row: &Row, place: Expr) {
        let array = self.array_over(row.axis).0;
        let index = place.cast(Type::INDEX);
        let element: Term = self.element_at(&array, row.axis, &index);
        self.bind(&["fetched", "at_best", "chosen_value", "winner_value", "matched"], element);
    }
}
