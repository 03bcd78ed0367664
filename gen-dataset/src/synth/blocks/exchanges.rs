//! Moves over shared arrays: stencils, permutations, sorting, sums over pairs, relaxation, histograms, products of matrices.
//!
//! A shared array is written in one phase and read in the next one. A thread writes its own elements only, so no two
//! threads meet.

use super::builder::{Builder, Each, Layout, Scope, assigned};
use super::text;
use crate::synth::docgen;
use crate::synth::generator::{Axis, Term};
use crate::synth::samples;
use kernel_ir::ir::{Expr, ParamId, ParamKind, Type};
use kernel_ir::ops::build::Operand;

/// Names of shared arrays.
const LINES: [&str; 8] = ["line", "cells", "stage", "window", "strip", "pool_of_block", "tile_values", "cache"];

/// The largest number of threads whose pairs are summed, because a launch of a record has up to 33 blocks.
const MOST_PAIRED: u32 = 64;

/// The largest number of threads whose values are sorted, in `k · (k + 1) / 2` phases for `2^k` values.
const MOST_SORTED: u32 = 128;

/// A shared array that a phase has filled with a value of each thread.
struct Staged {
    /// The declaration and the phase.
    lines: Vec<String>,
    /// The name of the array.
    line: String,
    ty: Type,
    range: (f64, f64),
}

impl Builder {
    /// Declares a shared array and a phase that fills it with a value of each thread. The lines are not yet appended.
    fn staged(&mut self, range: (f64, f64), steps: usize) -> Option<Staged> {
        let ty = self.generator.number();
        let (code, range) = self.part(Scope::Phase, ty, Some(range), steps, Vec::new())?;
        let line = self.name(&LINES);
        let inside = self.with_index(code.ending(|value| format!("{line}[t] = {value};")));
        let mut lines = vec![format!("let mut {line} = shared::<{}, {}>();", ty.rust_name(), self.threads)];
        lines.extend(text::phase(None, "t", inside));
        Some(Staged { lines, line, ty, range })
    }

    /// The element of a shared array at an index, in a known range.
    fn shared_element(&mut self, array: ParamId, index: Expr, ty: Type, (low, high): (f64, f64)) -> Term {
        let samples = samples::draw(&mut self.generator.rng, ty, low, high);
        Term::new(Expr::load(array, [index], ty), samples)
    }

    /// A phase whose value for each thread is a random term over the `nearby` elements of the array `line`, appended behind
    /// `lines`. `None` if it does not read all of them.
    fn gathered(
        &mut self,
        (mut lines, line): (Vec<String>, &str),
        wishes: &[&str],
        ty: Type,
        nearby: Vec<Term>,
        steps: usize,
    ) -> Option<Each> {
        let least = nearby.len();
        let (code, (low, high)) = self.part(Scope::Phase, ty, None, steps, nearby)?;
        let name = self.name(wishes);
        let inside = self.with_index(code.whole());
        if text::mentions(&inside, line) < least {
            return None;
        }
        lines.extend(text::phase(Some(&name), "t", inside));
        self.declare(&name, lines);
        let each = Each { name, ty, low, high };
        self.offer_each(&each);
        Some(each)
    }

    pub(super) fn stencil(&mut self, steps: usize) -> Option<()> {
        if self.layout == Layout::Flat && self.generator.rng.percent(50) {
            return self.stencil_with_halo(steps);
        }
        let range = self.usual_range();
        let Staged { lines, line, ty, range } = self.staged(range, steps)?;
        let array = self.local_array(&line, ty, self.threads);
        let count = self.threads as usize;
        let reach = self.generator.rng.pick(&[1, 1, 1, 2, 3]);
        let t = self.thread();
        let (before, after, edge) = match self.generator.rng.below(3) {
            0 => {
                let back = (&t + Expr::index(count - reach)) % Expr::index(count);
                let on = (&t + Expr::index(reach)) % Expr::index(count);
                (back, on, "wrapped around")
            }
            1 => {
                let back = t.saturating_sub(Expr::index(reach));
                let on = (&t + Expr::index(reach)).min(Expr::index(count - 1));
                (back, on, "the ends repeated")
            }
            _ => {
                let back = t.ge(Expr::index(reach)).select(&t - Expr::index(reach), &t);
                let on = (&t + Expr::index(reach)).lt(Expr::index(count)).select(&t + Expr::index(reach), &t);
                (back, on, "an end its own neighbour")
            }
        };
        let mut nearby = vec![self.shared_element(array, t.clone(), ty, range)];
        nearby.push(self.shared_element(array, before, ty, range));
        nearby.push(self.shared_element(array, after, ty, range));
        let names = ["smoothed_here", "laplacian", "around", "blended_here"];
        self.gathered((lines, &line), &names, ty, nearby, 0)?;
        self.tell(format!("combines each value with those {reach} before and behind it in a shared array, {edge}"));
        Some(())
    }

    /// A stencil over elements of the launch, where the block also loads those beside its own.
    fn stencil_with_halo(&mut self, steps: usize) -> Option<()> {
        let (axes, _) = self.own(Scope::Phase);
        let number = self.generator.number();
        let known = self.float_arrays(&axes);
        let array = match known.first() {
            Some(array) => array.clone(),
            None => {
                self.generator.inputs_left = self.generator.inputs_left.max(1);
                self.generator.array_input(number, axes)
            }
        };
        let input = self.generator.kernel.param(array.id).name.clone();
        let reach = self.generator.rng.pick(&[1, 1, 2, 3]) as u32;
        let (line, first) = (self.name(&LINES), self.name(&["first", "base", "origin_of_block"]));
        let (threads, size) = (self.threads, self.size.clone());
        let len = threads + 2 * reach;
        let mut inside = vec![format!("{line}[t + {reach}] = {input}[{first} + t];")];
        let below = match self.generator.rng.below(2) {
            0 => format!("{input}[({first} + t).saturating_sub({reach})]"),
            _ => format!("if {first} == 0 {{ {input}[0] }} else {{ {input}[{first} + t - {reach}] }}"),
        };
        let above = format!("{input}[({first} + {size} + t).min({input}.len() - 1)]");
        let mut edges = assigned(&format!("{line}[t]"), "=", &below);
        edges.push(format!("{line}[t + {size} + {reach}] = {above};"));
        inside.extend(text::braces(&format!("if t < {reach}"), edges, ""));
        let mut lines = vec![
            format!("let {first} = block.index * {size};"),
            format!("let mut {line} = shared::<{}, {len}>();", number.rust_name()),
        ];
        lines.extend(text::phase(None, "t", inside));
        let shared = self.local_array(&line, number, len);
        let t = self.thread();
        let offsets = if reach == 1 { vec![0, 1, 2] } else { vec![0, reach as usize, 2 * reach as usize] };
        let mut nearby = Vec::new();
        for offset in offsets {
            let index = if offset == 0 { t.clone() } else { &t + Expr::index(offset) };
            nearby.push(self.shared_element(shared, index, number, array.range));
        }
        let names = ["smoothed_here", "laplacian", "around", "filtered_here"];
        self.gathered((lines, &line), &names, number, nearby, steps)?;
        let word = docgen::words(&input);
        self.tell(format!("loads its {word} with {reach} beyond each end, and combines each with those {reach} away"));
        Some(())
    }

    pub(super) fn permute(&mut self, steps: usize) -> Option<()> {
        let range = self.usual_range();
        let Staged { lines, line, ty, range } = self.staged(range, steps)?;
        let array = self.local_array(&line, ty, self.threads);
        let (t, count) = (self.thread(), self.threads as usize);
        let number = |value: usize| Expr::index(value);
        let (index, told) = match self.generator.rng.below(4) {
            0 => (number(count - 1) - &t, "reverses the values of its threads".to_owned()),
            1 => {
                let by = self.generator.rng.int(1, count as i64 - 1) as usize;
                ((&t + number(by)) % number(count), format!("rotates the values of its threads by {by}"))
            }
            2 => {
                let rows = self.generator.rng.pick(&[4, 8]);
                let columns = count / rows;
                let index = &t % number(rows) * number(columns) + &t / number(rows);
                (index, format!("transposes the values of its threads as {rows} × {columns}"))
            }
            _ => {
                let stride = self.generator.rng.pick(&[3, 5, 7, 9, 11]);
                ((&t * number(stride)) % number(count), format!("takes the values of its threads in steps of {stride}"))
            }
        };
        let nearby = vec![self.shared_element(array, index, ty, range)];
        self.gathered((lines, &line), &["turned", "reordered", "swapped", "across"], ty, nearby, 0)?;
        self.tell(told);
        Some(())
    }

    pub(super) fn sort(&mut self, steps: usize) -> Option<()> {
        if self.threads > MOST_SORTED {
            return None;
        }
        let range = self.usual_range();
        let Staged { mut lines, line, ty, range } = self.staged(range, steps)?;
        let (size, threads) = (self.size.clone(), self.threads as usize);
        let descends = self.generator.rng.percent(35);
        let swap = text::braces(
            &format!("if (a {} b) == ascends", if descends { "<" } else { ">" }),
            vec![format!("{line}[t] = b;"), format!("{line}[other] = a;")],
            "",
        );
        let mut pair =
            vec![format!("let (a, b) = ({line}[t], {line}[other]);"), "let ascends = t & span == 0;".to_owned()];
        pair.extend(swap);
        let mut inside = vec!["let other = t ^ apart;".to_owned()];
        inside.extend(text::braces("if other > t", pair, ""));
        let mut rounds = text::phase(None, "t", inside);
        rounds.push("apart /= 2;".to_owned());
        let mut spans = vec!["let mut apart = span / 2;".to_owned()];
        spans.extend(text::braces("while apart > 0", rounds, ""));
        spans.push("span *= 2;".to_owned());
        lines.push("let mut span = 2;".to_owned());
        lines.extend(text::braces(&format!("while span <= {size}"), spans, ""));
        let array = self.local_array(&line, ty, self.threads);
        let t = self.thread();
        let mut nearby = vec![self.shared_element(array, t.clone(), ty, range)];
        if self.generator.rng.percent(40) {
            nearby.push(self.shared_element(array, Expr::index(threads / 2), ty, range));
        }
        self.gathered((lines, &line), &["ordered", "ranked", "sorted_value"], ty, nearby, 0)?;
        let order = if descends { "descending" } else { "ascending" };
        self.tell(format!("sorts the values of its threads in {order} order, by a bitonic network"));
        Some(())
    }

    pub(super) fn pairs(&mut self, steps: usize) -> Option<()> {
        if self.threads > MOST_PAIRED {
            return None;
        }
        let range = self.usual_range();
        let Staged { mut lines, line, ty, range } = self.staged(range, steps)?;
        let array = self.local_array(&line, ty, self.threads);
        let other = self.name(&["other", "n", "m", "source"]);
        let index = self.variable(&other, ParamKind::Value(Type::INDEX));
        let index = self.index(index);
        let mut nearby = vec![self.shared_element(array, index, ty, range)];
        let own = self.thread();
        nearby.push(self.shared_element(array, own, ty, range));
        let (code, (low, high)) = self.part(Scope::Phase, ty, Some((-2.0, 2.0)), 0, nearby)?;
        let all: Vec<String> = code.lines.iter().chain([&code.value]).cloned().collect();
        if text::mentions(&all, &other) == 0 {
            return None;
        }
        let (sum, name) = (
            self.name(&["sum", "acc", "pull", "weight_sum"]),
            self.name(&["influence_here", "total_of_pairs", "field_here"]),
        );
        let inner = code.ending(|value| format!("{sum} += {value};"));
        let n = self.threads;
        let head = if self.generator.rng.percent(50) {
            format!("for {other} in 0..{n}")
        } else {
            format!("for {other} in 0..{line}.len()")
        };
        let mut inside = vec![format!("let mut {sum} = 0.0{};", ty.rust_name())];
        inside.extend(text::braces(&head, inner, ""));
        inside.push(format!("{sum} / {n}.0"));
        let inside = self.with_index(inside);
        lines.extend(text::phase(Some(&name), "t", inside));
        self.declare(&name, lines);
        self.offer_each(&Each { name, ty, low, high });
        self.tell("shares the values of its threads, and averages for each thread a function of all pairs");
        Some(())
    }

    pub(super) fn relax(&mut self, steps: usize) -> Option<()> {
        let range = self.usual_range();
        let Staged { mut lines, line, ty, range } = self.staged(range, steps)?;
        let (count, trips) = (self.threads, self.generator.rng.int(2, 5));
        let rate = self.generator.rng.pick(&["0.25", "0.1", "0.2", "0.3"]);
        let next = self.name(&["next", "updated_here", "relaxed"]);
        let (last, ends) = (count - 1, self.generator.rng.percent(50));
        let (back, on) = match ends {
            true => (format!("(t + {last}) % {count}"), format!("(t + 1) % {count}")),
            false => ("t.saturating_sub(1)".to_owned(), format!("(t + 1).min({last})")),
        };
        let value = format!("{line}[t] + {rate} * ({line}[{back}] - 2.0 * {line}[t] + {line}[{on}])");
        let mut inside = text::phase(Some(&next), "t", vec![value]);
        inside.extend(text::phase(None, "t", vec![format!("{line}[t] = {next}[t];")]));
        lines.extend(text::braces(&format!("for _ in 0..{trips}"), inside, ""));
        let array = self.local_array(&line, ty, count);
        let own = self.thread();
        let nearby = vec![self.shared_element(array, own, ty, range)];
        self.gathered((lines, &line), &["settled_here", "diffused_here", "relaxed_here"], ty, nearby, 0)?;
        let edge = if ends { "on a ring" } else { "between insulated ends" };
        self.tell(format!("diffuses the values of its threads {edge}, in {trips} steps at a rate of {rate}"));
        Some(())
    }

    /// Counts the values of the block in bins, and stores the counts.
    pub(super) fn histogram(&mut self, steps: usize) -> Option<()> {
        let bins = self.generator.rng.pick(&[4, 8, 8, 16]) as u32;
        let v =
            self.value(&["codes", "bins_of_threads", "classes"], Type::U32, Some((0.0, f64::from(bins - 1))), steps)?;
        let count = self.threads;
        let axes = [Axis::Launch(0), Axis::Fixed(bins)];
        let out = self.output(Type::U32, &axes);
        if self.threads < 32 || self.generator.rng.percent(50) {
            let codes = self.name(&["labels_of_block", "shared_codes", "keys_of_block"]);
            let mut lines = vec![format!("let mut {codes} = shared::<u32, {count}>();")];
            lines.extend(text::phase(None, "t", vec![format!("{codes}[t] = {}[t];", v.name)]));
            let found = text::braces(&format!("if {codes}[n] == t as u32"), vec!["found += 1;".to_owned()], "");
            let mut inside = vec!["let mut found = 0u32;".to_owned()];
            inside.extend(text::braces(&format!("for n in 0..{count}"), found, ""));
            inside.push(format!("{out}[[block.index, t]] = found;"));
            lines.extend(text::phase(None, "t", text::braces(&format!("if t < {bins}"), inside, "")));
            self.push(lines);
            self.tell(format!("counts its threads in {bins} bins, a thread for a bin"));
        } else {
            let (warps, parts) = (count / 32, self.name(&["parts_of_bins", "bin_counts", "warp_counts"]));
            let (is_in, votes) = (self.name(&["is_in", "in_bin"]), self.name(&["votes", "bin_votes"]));
            let mut inside = text::phase(Some(&is_in), "t", vec![format!("{}[t] == bin as u32", v.name)]);
            inside.push(format!("let {votes} = {is_in}.ballot();"));
            let store = vec![format!("{parts}[t / 32 * {bins} + bin] = {votes}[t].count_ones();")];
            inside.extend(text::phase(None, "t", text::braces("if t % 32 == 0", store, "")));
            let mut lines = vec![format!("let mut {parts} = shared::<u32, {}>();", warps * bins)];
            lines.extend(text::braces(&format!("for bin in 0..{bins}"), inside, ""));
            let all: Vec<String> = (0..warps)
                .map(|warp| match warp {
                    0 => format!("{parts}[t]"),
                    _ => format!("{parts}[t + {}]", warp * bins),
                })
                .collect();
            let store = vec![format!("{out}[[block.index, t]] = {};", all.join(" + "))];
            lines.extend(text::phase(None, "t", text::braces(&format!("if t < {bins}"), store, "")));
            self.push(lines);
            self.tell(format!("counts its threads in {bins} bins, by the votes of each warp for each bin"));
        }
        Some(())
    }

    /// An element of a product of matrices for each thread, by shared tiles.
    pub(super) fn product(&mut self) -> Option<()> {
        let side = match self.threads {
            64 => 8,
            256 => 16,
            _ => return None,
        };
        let number = self.generator.number();
        let inner = self.generator.rng.int(i64::from(side), 3 * i64::from(side)) as u32;
        let left =
            self.matrix(&["a", "left", "inputs", "weights"], number, vec![Axis::OfBlocks(side), Axis::Fixed(inner)]);
        let right = self.matrix(
            &["b", "right", "basis_rows", "kernel_rows"],
            number,
            vec![Axis::Fixed(inner), Axis::Fixed(side)],
        );
        let (a, b) =
            (self.name(&["rows_of_block", "left_tile", "as_"]), self.name(&["columns_of_block", "right_tile", "bs"]));
        let (name, start, ty) =
            (self.name(&["products", "dots", "entries_here"]), self.name(&["start", "from"]), number.rust_name());
        let stage = vec![
            format!("let (i, j) = (t / {side}, t % {side});"),
            format!(
                "{a}[t] = if {start} + j < {inner} {{ {left}[[block.index * {side} + i, {start} + j]] }} else {{ 0.0 }};"
            ),
            format!("{b}[t] = if {start} + i < {inner} {{ {right}[[{start} + i, j]] }} else {{ 0.0 }};"),
        ];
        let step = format!("{name}[t] += {a}[t / {side} * {side} + n] * {b}[n * {side} + t % {side}];");
        let mut body = text::phase(None, "t", stage);
        body.extend(text::phase(None, "t", text::braces(&format!("for n in 0..{side}"), vec![step], "")));
        body.push(format!("{start} += {side};"));
        let mut lines = vec![
            format!("let mut {a} = shared::<{ty}, {}>();", self.threads),
            format!("let mut {b} = shared::<{ty}, {}>();", self.threads),
            format!("let mut {name} = block.per_thread(0.0{ty});"),
            format!("let mut {start} = 0;"),
        ];
        lines.extend(text::braces(&format!("while {start} < {inner}"), body, ""));
        self.declare(&name, lines);
        let most = f64::from(inner);
        self.offer_each(&Each { name, ty: number, low: -most, high: most });
        self.tell(format!(
            "multiplies {side} rows by a matrix of {inner} × {side}, in shared tiles of {side} × {side}"
        ));
        Some(())
    }

    /// A new matrix that is read, with elements from -1 to 1. Returns its name.
    pub(super) fn matrix(&mut self, wishes: &[&str], elem: Type, axes: Vec<Axis>) -> String {
        let name = self.name(wishes);
        let array = self.generator.array_named(name.clone(), elem, axes, (-1.0, 1.0));
        // The elements are read at indices of their own.
        self.generator.arrays.retain(|known| known.id != array.id);
        name
    }
}
