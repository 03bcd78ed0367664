//! Kernels of phases: a chain of moves over values of the threads, and stores of what they give.

use super::builder::{Builder, Code, Each, Scope, assigned};
use super::text::{self, Text};
use crate::synth::families::Family;
use crate::synth::generator::{Array, Generator};
use crate::synth::rng::Rng;
use kernel_ir::ir::{Expr, Scalar, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build::Operand;

/// The ranges of values that are added up or compared.
const RANGES: [(f64, f64); 5] = [(-1.0, 1.0), (0.0, 1.0), (-2.0, 2.0), (0.0, 4.0), (-4.0, 4.0)];

/// A move: statements of the block that make new values of those that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// The sum, the mean or an extremum of the threads' values.
    Reduce,
    /// The thread with an extreme value.
    Place,
    /// The number of threads with a property.
    Count,
    /// Prefix sums over the block.
    Scan,
    /// A sum, an extremum or a scan in groups of lanes.
    Lanes,
    /// Values of other lanes.
    Shuffle,
    /// The votes of lanes.
    Vote,
    /// A reduction by warps, then over the warps.
    ByWarps,
    /// Neighbours in a shared array.
    Stencil,
    /// Elements of the block in another order.
    Permute,
    /// The values of the block, sorted.
    Sort,
    /// Every value of the block, for each thread.
    Pairs,
    /// Repeated steps on a shared array.
    Relax,
    /// The numbers of values in bins.
    Histogram,
    /// A row that is longer than the block.
    Rounds,
    /// A product of matrices by shared tiles.
    Product,
}

use Move::*;

/// The moves with their weights.
const MOVES: [(usize, Move); 16] = [
    (5, Reduce),
    (2, Place),
    (2, Count),
    (3, Scan),
    (4, Lanes),
    (4, Shuffle),
    (3, Vote),
    (2, ByWarps),
    (4, Stencil),
    (3, Permute),
    (1, Sort),
    (2, Pairs),
    (2, Relax),
    (2, Histogram),
    (4, Rounds),
    (1, Product),
];

/// The numbers of threads of a block. With more than 64, a kernel has no gradient; with 16, also reductions have one.
const THREADS: [(usize, u32); 5] = [(4, 16), (7, 32), (6, 64), (3, 128), (1, 256)];
/// The number of threads from which on a kernel has one move, because judges run each thread of a block by itself.
const MANY: u32 = 256;

/// By how many columns a row is longer than the block, at most.
const MOST_MORE: i64 = 128;

/// Draws a kernel of phases.
pub(super) fn drawn(family: &Family, mut rng: Rng, difficulty: usize) -> Option<Text> {
    let threads = rng.weighted(&THREADS);
    let mut builder = Builder::new(family, rng, threads, difficulty);
    let count = if threads < MANY { [1, 1, 2, 2, 3][difficulty - 1] } else { 1 };
    let mut made = 0;
    for _ in 0..3 * count {
        let next = builder.generator.rng.weighted(&MOVES);
        let steps = builder.generator.rng.below(1 + difficulty.min(3));
        made += usize::from(builder.take(next, steps).is_some());
        if made == count {
            break;
        }
    }
    if made == 0 {
        return None;
    }
    builder.store_results(difficulty);
    builder.finish(&format!("let block = block::<{threads}>();"))
}

impl Builder {
    fn take(&mut self, next: Move, steps: usize) -> Option<()> {
        match next {
            Reduce => self.reduce(steps),
            Place => self.extreme_place(steps),
            Count => self.count(steps),
            Scan => self.scan(steps),
            Lanes => self.lanes(steps),
            Shuffle => self.shuffle(steps),
            Vote => self.vote(steps),
            ByWarps => self.by_warps(steps),
            Stencil => self.stencil(steps),
            Permute => self.permute(steps),
            Sort => self.sort(steps),
            Pairs => self.pairs(steps),
            Relax => self.relax(steps),
            Histogram => self.histogram(steps),
            Rounds => self.rounds(steps),
            Product => self.product(),
        }
    }

    /// Stores what nothing has read yet: values of threads, of groups of lanes, and of the block.
    fn store_results(&mut self, difficulty: usize) {
        let thread = self.thread;
        let of_thread = |expr: &Expr| expr.any(&mut |part| part.params().contains(&thread));
        let of_block = |expr: &Expr| !expr.any(&mut |part| part.params().contains(&thread));
        let number = self.generator.number();
        let has_each = self.has_unread(of_thread);
        let only_block = !has_each && self.generator.rng.percent(60);
        if only_block && self.has_unread(of_block) && self.store_one(number).is_some() {
            return;
        }
        let steps = self.generator.rng.below(difficulty.min(3));
        let stored = self.store_each(number, steps);
        if stored.is_none() || self.has_unread(of_block) && self.generator.rng.percent(35) {
            self.store_one(number);
        }
    }

    /// A range for values that are added up or compared.
    pub(super) fn usual_range(&mut self) -> (f64, f64) {
        self.generator.rng.pick(&RANGES)
    }

    /// A value of each thread in a moderate range: an integer sometimes.
    fn operand(&mut self, wishes: &[&str], steps: usize) -> Option<Each> {
        if self.generator.rng.percent(18) {
            let ty = self.generator.rng.pick(&[Type::U32, Type::I32, Type::U32]);
            return self.value(wishes, ty, Some((0.0, 31.0)), steps);
        }
        let (number, range) = (self.generator.number(), self.usual_range());
        self.value(wishes, number, Some(range), steps)
    }

    fn float_operand(&mut self, wishes: &[&str], steps: usize) -> Option<Each> {
        let (number, range) = (self.generator.number(), self.usual_range());
        self.value(wishes, number, Some(range), steps)
    }

    fn reduce(&mut self, steps: usize) -> Option<()> {
        let v = self.operand(&["terms", "parts", "shares", "readings"], steps)?;
        let (name, n) = (v.name.clone(), f64::from(self.threads));
        let words = format!("`{name}`");
        match self.generator.rng.below(7) {
            0 | 1 => {
                let sum = format!("{name}.block_sum()");
                self.let_one(&["total", "sum", "pooled"], &sum, v.ty, n * v.low.min(0.0), n * v.high.max(0.0));
                self.tell(format!("adds up the {words} of its threads"));
            }
            2 | 3 if v.ty.is_float() => {
                let mean = format!("{name}.block_sum() / {}", self.threads_as_float());
                self.let_one(&["mean", "average", "center_level"], &mean, v.ty, v.low, v.high);
                self.tell(format!("takes the mean of the {words} of its threads"));
            }
            4 if v.ty.is_float() => {
                let spread = format!("{name}.block_max() - {name}.block_min()");
                self.let_one(
                    &["spread_of_block", "width_of_block", "reach_of_block"],
                    &spread,
                    v.ty,
                    0.0,
                    v.high - v.low,
                );
                self.tell(format!("takes the range of the {words} of its threads"));
            }
            5 => {
                self.let_one(&["least", "floor_level", "lowest"], &format!("{name}.block_min()"), v.ty, v.low, v.high);
                self.tell(format!("takes the smallest of the {words} of its threads"));
            }
            _ => {
                self.let_one(&["top", "most", "ceiling"], &format!("{name}.block_max()"), v.ty, v.low, v.high);
                self.tell(format!("takes the largest of the {words} of its threads"));
            }
        }
        Some(())
    }

    /// The number of threads as a literal of the kernel's floats.
    fn threads_as_float(&self) -> String {
        format!("{}.0", self.threads)
    }

    fn extreme_place(&mut self, steps: usize) -> Option<()> {
        let v = self.operand(&["candidates", "ratings", "offers"], steps)?;
        let (method, word) = self.generator.rng.pick(&[("block_argmax", "largest"), ("block_argmin", "smallest")]);
        let last = f64::from(self.threads);
        let best =
            self.let_one(&["best", "winner", "chosen"], &format!("{}.{method}()", v.name), Type::INDEX, 0.0, last);
        let words = format!("`{}`", v.name);
        self.tell(format!("finds the thread with the {word} of the {words}, the first of equal ones"));
        let (axes, _) = self.own(Scope::Phase);
        let arrays = self.float_arrays(&axes);
        if !arrays.is_empty() && self.generator.rng.percent(60) {
            let array = self.generator.rng.pick(&(0..arrays.len()).collect::<Vec<_>>());
            let array = arrays[array].clone();
            let name = self.generator.kernel.param(array.id).name.clone();
            let at = match axes.len() {
                1 => format!("[block.index * {} + {best}]", self.size),
                _ => format!("[[block.index, {best}]]"),
            };
            let (low, high) = array.range;
            self.let_one(&["found", "picked", "taken"], &format!("{name}{at}"), array.elem, low, high);
        }
        Some(())
    }

    fn count(&mut self, steps: usize) -> Option<()> {
        let code = self.condition(Scope::Phase, steps)?;
        let name = self.name(&["flags_here", "counted", "hits", "passing"]);
        let lines = self.with_index(code.ending(|value| format!("({value}) as u32")));
        self.declare(&name, text::phase(Some(&name), "t", lines));
        let each = Each { name: name.clone(), ty: Type::U32, low: 0.0, high: 2.0 };
        self.offer_each(&each);
        let n = f64::from(self.threads);
        if self.generator.rng.percent(50) {
            self.let_one(
                &["number_of_hits", "matches_found", "votes_cast"],
                &format!("{name}.block_sum()"),
                Type::U32,
                0.0,
                n + 1.0,
            );
            self.tell("counts the threads with a property");
        } else {
            self.let_each(
                &["slot_of_thread", "rank_of_thread"],
                &format!("{name}.block_exclusive_sum()"),
                Type::U32,
                0.0,
                n,
            );
            self.tell("numbers the threads with a property in their order");
        }
        Some(())
    }

    fn scan(&mut self, steps: usize) -> Option<()> {
        let v = self.operand(&["increments", "parts", "steps_of_walk", "deltas"], steps)?;
        let (method, word) =
            self.generator.rng.pick(&[("block_inclusive_sum", "inclusive"), ("block_exclusive_sum", "exclusive")]);
        let n = f64::from(self.threads);
        let names = ["running", "prefix", "cumulative", "so_far"];
        self.let_each(&names, &format!("{}.{method}()", v.name), v.ty, n * v.low.min(0.0), n * v.high.max(0.0));
        let words = format!("`{}`", v.name);
        self.tell(format!("computes the {word} prefix sums of the {words} of its threads"));
        Some(())
    }

    /// A width for groups of lanes, and the text that makes groups of `name`.
    fn groups(&mut self, name: &str) -> (u32, String) {
        let mut widths = vec![(1, 2), (3, 4), (4, 8), (3, 16), (5, 32)];
        widths.retain(|(_, width)| *width <= self.threads);
        let width = self.generator.rng.weighted(&widths);
        match width {
            32 if self.generator.rng.percent(60) => (32, name.to_owned()),
            _ => (width, format!("{name}.lanes::<{width}>()")),
        }
    }

    fn lanes(&mut self, steps: usize) -> Option<()> {
        let v = self.operand(&["parts", "amounts", "terms", "loads"], steps)?;
        let (width, groups) = self.groups(&v.name);
        let w = f64::from(width);
        let (low, high) = (w * v.low.min(0.0), w * v.high.max(0.0));
        let group = format!("each group of {width} lanes");
        let words = format!("`{}`", v.name);
        match self.generator.rng.below(7) {
            0 | 1 => {
                self.let_each(&["sums", "of_group", "group_total"], &format!("{groups}.warp_sum()"), v.ty, low, high);
                self.tell(format!("adds up the {words} of {group}"));
            }
            2 | 3 => {
                let (method, word) = self.generator.rng.pick(&[("warp_max", "largest"), ("warp_min", "smallest")]);
                self.let_each(
                    &["extreme", "group_peak", "bound"],
                    &format!("{groups}.{method}()"),
                    v.ty,
                    v.low,
                    v.high,
                );
                self.tell(format!("takes the {word} of the {words} of {group}"));
            }
            4 | 5 => {
                let names = ["running", "prefix_in_group", "so_far"];
                self.let_each(&names, &format!("{groups}.warp_inclusive_sum()"), v.ty, low, high);
                self.tell(format!("computes inclusive prefix sums of the {words} in {group}"));
            }
            _ => {
                let names = ["before_it", "prefix_in_group", "offset_in_group"];
                self.let_each(&names, &format!("{groups}.warp_exclusive_sum()"), v.ty, low, high);
                self.tell(format!("computes exclusive prefix sums of the {words} in {group}"));
            }
        }
        Some(())
    }

    fn shuffle(&mut self, steps: usize) -> Option<()> {
        let v = self.operand(&["signals", "levels_of_threads", "readings"], steps)?;
        let count = self.generator.rng.pick(&[1, 1, 2]);
        for _ in 0..count {
            let (width, groups) = self.groups(&v.name);
            let number = self.generator.rng.int(1, i64::from(width / 2).max(1));
            let group = format!("in groups of {width} lanes");
            let words = format!("`{}`", v.name);
            let (call, told) = match self.generator.rng.below(6) {
                0 => {
                    let mask = 1 << self.generator.rng.below(width.trailing_zeros() as usize);
                    (
                        format!("shuffle_xor({mask})"),
                        format!("exchanges {words} between lanes whose numbers differ in bit {mask}, {group}"),
                    )
                }
                1 => (format!("shuffle_xor({})", width - 1), format!("reverses the {words} {group}")),
                2 => (format!("shuffle_up({number})"), format!("moves {words} up by {number}, {group}")),
                3 => (format!("shuffle_down({number})"), format!("moves {words} down by {number}, {group}")),
                4 => (format!("shuffle(|t| t + {number})"), format!("rotates the {words} by {number}, {group}")),
                _ => {
                    let factor = self.generator.rng.pick(&[3, 5, 7]);
                    (format!("shuffle(|t| t * {factor} + {number})"), format!("permutes the {words} {group}"))
                }
            };
            let names = ["other", "partner", "moved", "neighbor_value"];
            self.let_each(&names, &format!("{groups}.{call}"), v.ty, v.low, v.high);
            self.tell(told);
        }
        Some(())
    }

    fn vote(&mut self, steps: usize) -> Option<()> {
        let code = self.condition(Scope::Phase, steps)?;
        let name = self.name(&["is_in", "votes_yes", "is_active", "above"]);
        let lines = self.with_index(code.whole());
        self.declare(&name, text::phase(Some(&name), "t", lines));
        let each = Each { name: name.clone(), ty: Type::BOOL, low: 0.0, high: 2.0 };
        self.offer_each(&each);
        let (width, groups) = self.groups(&name);
        let group = format!("each group of {width} lanes");
        let case = self.generator.rng.below(4);
        if case > 1 {
            let (method, word) = self.generator.rng.pick(&[("warp_any", "any"), ("warp_all", "every")]);
            self.let_each(&["agreed", "decided", "settled"], &format!("{groups}.{method}()"), Type::BOOL, 0.0, 2.0);
            self.tell(format!("asks whether {word} lane of {group} has a property"));
            return Some(());
        }
        let votes = self.name(&["votes", "ballots", "lane_mask"]);
        self.declare(&votes, vec![format!("let {votes} = {groups}.ballot();")]);
        let array = self.local_array(&votes, Type::U32, self.threads);
        let own = Expr::load(array, [self.thread()], Type::U32);
        let ones = |bits: Expr| Expr::op(Op::CountOnes, [bits]);
        let value = if case == 0 {
            self.tell(format!("counts the lanes of {group} with a property"));
            ones(own)
        } else {
            self.tell(format!("counts, for each lane, those before it in {group} with a property"));
            let lane = (self.thread() % Expr::index(width as usize)).cast(Scalar::U32);
            let below = Expr::op(Op::Shl, [Expr::number(1, Type::U32), lane]) - Expr::number(1, Type::U32);
            ones(Expr::op(Op::BitAnd, [own, below]))
        };
        let term = self.generator.known(value, 0.0, f64::from(width) + 1.0);
        self.offer(term);
        Some(())
    }

    fn by_warps(&mut self, steps: usize) -> Option<()> {
        if self.threads < 64 {
            return None;
        }
        let v = self.float_operand(&["parts", "terms", "shares"], steps)?;
        let warps = self.threads / 32;
        let of_warp = self.name(&["of_warp", "warp_sums", "in_warp"]);
        let totals = self.name(&["totals", "warp_totals", "of_warps"]);
        let total = self.name(&["total", "sum", "grand_total"]);
        let ty = v.ty.rust_name();
        let mut lines = vec![
            format!("let {of_warp} = {}.warp_sum();", v.name),
            format!("let mut {totals} = shared::<{ty}, {warps}>();"),
        ];
        let store = text::braces("if t % 32 == 0", vec![format!("{totals}[t / 32] = {of_warp}[t];")], "");
        lines.extend(text::phase(None, "t", store));
        if self.generator.rng.percent(50) {
            let parts: Vec<String> = (0..warps).map(|warp| format!("{totals}[{warp}]")).collect();
            lines.push(format!("let {total} = {};", parts.join(" + ")));
        } else {
            lines.push(format!("let mut {total} = 0.0{ty};"));
            lines.extend(text::braces(
                &format!("for warp in 0..{warps}"),
                vec![format!("{total} += {totals}[warp];")],
                "",
            ));
        }
        self.declare(&total, lines);
        let n = f64::from(self.threads);
        self.offer_one(&total, v.ty, n * v.low.min(0.0), n * v.high.max(0.0));
        let words = format!("`{}`", v.name);
        self.tell(format!("adds up the {words} of each warp by lanes, then the sums of its {warps} warps"));
        Some(())
    }

    /// A row that is longer than the block: a sum or an extremum in rounds, and sometimes a second pass that writes the row.
    fn rounds(&mut self, steps: usize) -> Option<()> {
        if self.columns != self.threads {
            return None;
        }
        let rng = &mut self.generator.rng;
        self.columns = self.threads + rng.int(1, i64::from(2 * self.threads).min(MOST_MORE)) as u32;
        let (columns, number, ty) = (self.columns, self.generator.number(), self.generator.number().rust_name());
        self.generator.inputs_left = self.generator.inputs_left.max(1);
        let (axes, _) = self.own(Scope::Round);
        let array = self.generator.array_input(number, axes);
        let (low, high) = self.usual_range();
        let (code, (low, high)) = self.in_round(Some((low, high)), steps, &array)?;
        let name = self.generator.kernel.param(array.id).name.clone();
        let all: Vec<String> = code.lines.iter().chain([&code.value]).cloned().collect();
        if text::mentions(&all, &name) == 0 {
            return None;
        }
        let kind = self.generator.rng.below(4);
        let (first, method) = match kind {
            0 | 1 => (format!("0.0{ty}"), "block_sum"),
            2 => (format!("{ty}::NEG_INFINITY"), "block_max"),
            _ => (format!("{ty}::INFINITY"), "block_min"),
        };
        let each = self.name(&["sums", "partial_sums", "so_far", "of_thread"]);
        let lines = match kind {
            0 | 1 => code.ending(|value| format!("{each}[t] += {value};")),
            2 => code.ending(|value| format!("{each}[t] = {each}[t].max({value});")),
            _ => code.ending(|value| format!("{each}[t] = {each}[t].min({value});")),
        };
        let start = self.name(&["start", "first", "round_start", "base"]);
        let mut all = vec![format!("let mut {each} = block.per_thread({first});"), format!("let mut {start} = 0;")];
        all.extend(self.over_rounds(&start, lines, &array));
        let one = self.name(&["of_row", "row_total", "row_level", "row_value"]);
        let is_mean = kind == 0;
        let value = match is_mean {
            true => format!("{each}.block_sum() / {columns}.0"),
            false => format!("{each}.{method}()"),
        };
        all.push(format!("let {one} = {value};"));
        self.push(all);
        let n = if kind == 1 { f64::from(columns) } else { 1.0 };
        let term = self.offer_one(&one, number, (n * low).min(low), (n * high).max(high));
        let (what, row) = (["mean", "sum", "largest", "smallest"][kind], format!("row of {columns} columns"));
        self.tell(format!("takes the {what} over a {row}, in rounds of its {} threads", self.threads));
        if self.generator.rng.percent(55) {
            self.rewrite_row(&start, &array, term.expr)?;
        }
        Some(())
    }

    /// The code of a value in a round, of the element of `array` among others.
    fn in_round(&mut self, range: Option<(f64, f64)>, steps: usize, array: &Array) -> Option<(Code, (f64, f64))> {
        let (_, index) = self.own(Scope::Round);
        let element = self.generator.element(array, index);
        self.offer(element);
        self.part(Scope::Round, self.generator.number(), range, steps, Vec::new())
    }

    /// The loop over the rounds of a row.
    fn over_rounds(&mut self, start: &str, lines: Vec<String>, array: &Array) -> Vec<String> {
        let (_, index) = self.own(Scope::Round);
        let at = self.place_text(&index[1..]);
        let column = at.trim_matches(['[', ']']).to_owned();
        let name = self.generator.kernel.param(array.id).name.clone();
        let bound =
            if self.generator.rng.percent(70) { format!("{name}.shape()[1]") } else { self.columns.to_string() };
        let mut inside = vec![format!("let {column} = {start} + t;")];
        inside.extend(text::braces(&format!("if {column} < {bound}"), lines, ""));
        let mut body = text::phase(None, "t", inside);
        body.push(format!("{start} += {};", self.size));
        text::braces(&format!("while {start} < {bound}"), body, "")
    }

    /// A second pass over the row, which writes each element with what the first one has found.
    fn rewrite_row(&mut self, start: &str, array: &Array, found: Expr) -> Option<()> {
        let number = self.generator.number();
        let (_, index) = self.own(Scope::Round);
        let element = self.generator.element(array, index.clone());
        self.enter(Scope::Round);
        let level = self.generator.items.iter().find(|item| item.term.expr == found).map(|item| item.term.clone())?;
        let op = self.generator.rng.pick(&[Op::Sub, Op::Mul, Op::Sub, Op::Add]);
        let centered = self.generator.apply(op, vec![element, level], number);
        let ops = Generator::joining(number);
        let term = centered.map(|centered| self.generator.with_unread(centered, 2, ops));
        self.generator.items.iter_mut().filter(|item| item.term.expr == found).for_each(|item| item.uses += 1);
        let code = term.and_then(|term| self.code(term.expr));
        self.leave();
        let code = code?;
        let (axes, _) = self.own(Scope::Round);
        let out = self.output(number, &axes);
        let at = self.place_text(&index);
        let mut lines = code.lines;
        lines.extend(assigned(&format!("{out}{at}"), "=", &code.value));
        let mut all = vec![format!("{start} = 0;")];
        all.extend(self.over_rounds(start, lines, array));
        self.push(all);
        self.tell("goes over the row again to write its elements");
        Some(())
    }
}
