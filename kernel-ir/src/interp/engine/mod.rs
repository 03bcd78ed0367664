//! The engine: it executes programs, for a group of threads at a time.
//!
//! All threads of a group traverse a [`Program`] together. A mask holds the active threads. A branch runs each side for
//! the threads that take it. A loop repeats until no thread is left in it. A group may have a single thread.
//!
//! A group computes what its threads would compute sequentially, provided that no thread sees what another one writes;
//! [`Execution`](crate::analysis::Execution) establishes this. Floats that threads add to one array must be added in
//! thread order, and for each thread in program order. A group therefore buffers its additions until its threads end
//! ([`memory`]), or reach a synchronisation point in lockstep. If a thread of a larger group fails, the error does not
//! tell which one, and the arguments are left in an unspecified state; the caller restores them.

mod addition;
mod found;
mod memory;
mod registers;
#[cfg(test)]
mod rows;
mod scalars;
#[cfg(test)]
mod tests;
mod values;

use super::cast::literal;
use super::findings::{Findings, Site};
use super::number::Number;
use super::numerics::PerturbedModel;
use super::ops::Outcome;
use super::program::{Instr, Loop, Program, Source, Step};
use super::sums::{Parts, Sums};
use super::tid::Tid;
use super::watch::Watch;
use crate::data::{Argument, Scalars};
use crate::ir::{Direction, Kernel, Scalar};
use addition::Addition;
use found::Found;
use registers::{Mask, Registers, each, map, with_file};

/// The largest number of threads in a group.
pub(super) const MOST_LANES: usize = 64;

/// What a launch shows besides its results.
pub(super) struct Observed {
    pub(super) findings: Findings,
    /// For each region of the program, whether a thread has reached it.
    pub(super) reached: Vec<bool>,
}

/// The state of a group of threads.
pub(super) struct Engine<'a, S, D> {
    kernel: &'a Kernel,
    program: &'a Program,
    pub(super) args: &'a mut [Argument<S, D>],
    lanes: usize,
    registers: Registers<S, D>,
    /// The perturbed model whose functions are used, if any.
    model: Option<PerturbedModel>,
    /// Tracks accesses, for race detection.
    pub(super) watch: Option<Box<Watch>>,
    /// The partial sums for arrays to which threads add, if additions do not go to the arrays directly.
    pub(super) sums: Option<Sums<S, D>>,
    /// The grid reductions of a perturbed model.
    pub(super) parts: Option<Parts<S, D>>,
    /// If set, threads add up this multiple of the magnitudes of their terms in place of the terms.
    pub(super) magnitudes: Option<f64>,
    /// The findings in the current group.
    found: Found,
    /// The findings in all groups so far.
    pub(super) findings: Findings,
    /// For each region of the program, whether a thread has reached it.
    reached: Vec<bool>,
    /// The buffered additions of each thread, in program order.
    additions: Vec<Vec<Addition<S, D>>>,
    /// Whether the group runs in lockstep.
    pub(super) lockstep: bool,
    /// The last index of each thread.
    last: [usize; MOST_LANES],
    /// The number of loop trips left for this group and later ones.
    trips: u64,
    allowed: u64,
    /// The threads that have left the innermost loop by `break`.
    broken: Mask,
    /// The threads that wait for the next trip of the innermost loop after `continue`.
    continued: Mask,
}

impl<'a, S: Number, D: Number> Engine<'a, S, D> {
    /// An engine for groups of at most `lanes` threads.
    pub(super) fn new(
        kernel: &'a Kernel,
        program: &'a Program,
        args: &'a mut [Argument<S, D>],
        lanes: usize,
        trips: u64,
        model: Option<PerturbedModel>,
    ) -> Self {
        let registers = Registers::new(&program.counts, lanes);
        let engine = Engine {
            kernel,
            program,
            args,
            lanes,
            registers,
            model,
            watch: None,
            sums: None,
            parts: None,
            magnitudes: None,
            found: Found::default(),
            findings: Findings::default(),
            reached: vec![false; program.regions.len()],
            additions: vec![Vec::new(); if lanes > 1 { lanes } else { 0 }],
            lockstep: false,
            last: [0; MOST_LANES],
            trips,
            allowed: trips,
            broken: 0,
            continued: 0,
        };
        engine.preset();
        engine
    }

    /// Fills the registers that no instruction writes.
    fn preset(&self) {
        let regs = &self.registers;
        for preset in &self.program.presets {
            let reg = preset.reg;
            match preset.source {
                Source::Literal(value) => self.fill(reg, literal(value)),
                Source::Param(param, place) => {
                    macro_rules! fill {
                        ($($kind:ident $file:ident)*) => {
                            match &self.args[param.0 as usize].data {
                                $(Scalars::$kind(data) => regs.$file.fill(reg, data[place as usize]),)*
                            }
                        };
                    }
                    fill!(Bool bool I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 Index index F16 f16 BF16 bf16 F32 f32 F64 f64);
                }
                Source::Extent(array, axis) => {
                    regs.index.fill(reg, self.args[array.0 as usize].shape[usize::from(axis)]);
                }
                Source::Present(array) => {
                    regs.bool.fill(reg, self.args[array.0 as usize].shape.iter().all(|extent| *extent > 0));
                }
                // The thread indices change with every group; `run` sets them.
                Source::Tid(_) => {}
            }
        }
    }

    /// Starts a chunk of additions, if `first` is the first thread of a chunk.
    pub(super) fn start_chunk(&mut self, first: usize) {
        if let Some(sums) = &mut self.sums {
            sums.start(first, self.args);
        }
    }

    /// The observations in all groups so far.
    pub(super) fn observed(self) -> Observed {
        Observed { findings: self.findings, reached: self.reached }
    }

    /// Adds all partial sums to the arrays.
    pub(super) fn finish_sums(&mut self) {
        if let Some(sums) = self.sums.take() {
            sums.finish(self.args);
        }
        if let Some(mut parts) = self.parts.take() {
            parts.finish(self.args);
        }
    }

    /// Starts the additions of the next thread.
    fn start_thread(&mut self) {
        if let Some(parts) = &mut self.parts {
            parts.start_thread(self.args);
        }
    }

    /// Runs the threads `tids`, at most as many as there are lanes.
    pub(super) fn run(&mut self, tids: &[Tid]) -> Outcome<()> {
        for preset in &self.program.presets {
            if let Source::Tid(axis) = preset.source {
                for (cell, tid) in self.registers.index.row(preset.reg).iter().zip(tids) {
                    cell.set(tid[usize::from(axis)]);
                }
            }
        }
        for (last, tid) in self.last.iter_mut().zip(tids) {
            *last = tid.last().copied().unwrap_or(0);
        }
        if self.lanes == 1 {
            self.start_thread();
        }
        let program = self.program;
        // The mask has one bit for each thread; a group may have fewer threads than lanes.
        self.block(&program.body, Mask::MAX >> (MOST_LANES - tids.len()))?;
        self.add_up(tids.len());
        let site = |(lane, origin): (usize, u32)| Site {
            operation: program.strong[origin as usize].clone(),
            thread: tids[lane].to_vec(),
        };
        // Only the first finding of a launch is reported.
        let Findings { computed_zero, not_finite } = &mut self.findings;
        for (first, found) in [(computed_zero, &self.found.computed_zero), (not_finite, &self.found.not_finite)] {
            *first = first.take().or(found.take().map(site));
        }
        Ok(())
    }

    /// Runs steps in the threads of `mask`; returns the threads that reach the end.
    fn block(&mut self, steps: &'a [Step], mut mask: Mask) -> Outcome<Mask> {
        for step in steps {
            mask = match step {
                Step::Code(code) => {
                    code.iter().try_for_each(|instr| self.instr(instr, mask))?;
                    mask
                }
                Step::If { cond, then, other } => {
                    let holds = self.holding(*cond) & mask;
                    // Threads that need no code pass on at once.
                    let mut ended = mask & if then.is_empty() { holds } else { 0 };
                    if holds != 0 && !then.is_empty() {
                        ended |= self.block(then, holds)?;
                    }
                    if other.is_empty() {
                        ended | mask & !holds
                    } else if holds != mask {
                        ended | self.block(other, mask & !holds)?
                    } else {
                        ended
                    }
                }
                Step::For(of) => self.for_loop(of, mask)?,
                Step::While { head, cond, body } => self.while_loop((head, *cond), body, mask)?,
                Step::Break => {
                    self.broken |= mask;
                    0
                }
                Step::Continue => {
                    // `continue` keeps a thread in the loop, but out of the rest of this trip.
                    self.continued |= mask;
                    0
                }
                Step::Return => 0,
                Step::Reach(region) => {
                    self.reached[*region as usize] = true;
                    mask
                }
                Step::Meet => {
                    if self.lockstep {
                        self.add_up(self.lanes);
                    }
                    mask
                }
                Step::Call(function) => {
                    let program = self.program;
                    self.block(&program.functions[*function], mask)?;
                    mask
                }
            };
            // No thread is left, so the steps after have no effect.
            if mask == 0 {
                break;
            }
        }
        Ok(mask)
    }

    /// The threads for which a condition is true.
    fn holding(&self, cond: u32) -> Mask {
        let cells = self.registers.bool.row(cond);
        cells.iter().rev().fold(0, |mask, cell| mask << 1 | Mask::from(cell.get()))
    }

    /// Counts one trip for each thread of `mask`.
    fn start_trip(&mut self, mask: Mask) -> Outcome<()> {
        match self.trips.checked_sub(mask.count_ones().into()) {
            Some(left) => {
                self.trips = left;
                Ok(())
            }
            None => Err(format!("the loops of the launch make more than {} trips", self.allowed)),
        }
    }

    /// Runs one trip. Returns the threads that continue the loop, and the threads that leave it by `break`.
    fn trip(&mut self, body: &'a [Step], mask: Mask) -> Outcome<(Mask, Mask)> {
        self.start_trip(mask)?;
        // The masks belong to the innermost loop, so those of the outer loop are set aside.
        let outer = (std::mem::take(&mut self.broken), std::mem::take(&mut self.continued));
        let ended = self.block(body, mask)?;
        let (broken, continued) = (std::mem::replace(&mut self.broken, outer.0), self.continued);
        self.continued = outer.1;
        Ok((ended | continued, broken))
    }

    fn while_loop(&mut self, (head, cond): (&'a [Step], u32), body: &'a [Step], mask: Mask) -> Outcome<Mask> {
        let (mut inside, mut left) = (mask, 0);
        loop {
            self.block(head, inside)?;
            let holds = self.holding(cond) & inside;
            left |= inside & !holds;
            if holds == 0 {
                return Ok(left);
            }
            let (again, broken) = self.trip(body, holds)?;
            left |= broken;
            inside = again;
            if inside == 0 {
                return Ok(left);
            }
        }
    }

    fn for_loop(&mut self, of: &'a Loop, mask: Mask) -> Outcome<Mask> {
        let (mut counts, mut steps) = (vec![0; self.lanes], vec![0; self.lanes]);
        for lane in each(mask) {
            (counts[lane], steps[lane]) = self.start_loop(of, lane)?;
        }
        // Until the smallest count is reached, no thread leaves by its count, so the threads need no test one by one.
        let fewest = each(mask).map(|lane| counts[lane]).min().unwrap_or_default();
        let (mut inside, mut left) = (mask, 0);
        let is_phase = of.direction == Direction::Phase;
        self.meet(is_phase);
        // All threads in the loop have made the same number of trips.
        for made in 0.. {
            let holds = match made < fewest {
                true => inside,
                false => each(inside).filter(|&lane| made < counts[lane]).fold(0, |holds, lane| holds | 1 << lane),
            };
            left |= inside & !holds;
            if holds == 0 {
                break;
            }
            if made > 0 {
                self.advance(of, &steps);
            }
            if let Some(watch) = self.watch.as_mut().filter(|_| is_phase) {
                watch.start_lane(made as usize);
            }
            let (again, broken) = self.trip(&of.body, holds)?;
            left |= broken;
            inside = again;
        }
        self.meet(is_phase);
        Ok(left)
    }

    /// Tells the watch that a phase starts or ends.
    fn meet(&mut self, is_phase: bool) {
        self.watch.iter_mut().filter(|_| is_phase).for_each(|watch| watch.meet());
    }

    /// Initialises the loop variable in one thread; returns the number of trips and the increment.
    fn start_loop(&self, of: &Loop, lane: usize) -> Outcome<(u64, u64)> {
        let (start, end) = (self.integer(of.of, of.start, lane), self.integer(of.of, of.end, lane));
        let step = of.step.map_or(1, |step| self.registers.index.get(step, lane) as u64);
        if step == 0 {
            return Err("the step of a `for` is 0".to_owned());
        }
        // `i128` holds `end - 1` for every integer type.
        let last = if of.inclusive { end } else { end - 1 };
        let (first, by) = match of.direction {
            Direction::Up | Direction::Phase => (start, step),
            Direction::Down => (last, step.wrapping_neg()),
        };
        self.set_integer(of.of, of.variable, lane, first);
        // A count beyond `u64` saturates, because the limit on trips ends the loop long before.
        let count = if start > last { 0 } else { (last - start) / i128::from(step) + 1 };
        Ok((u64::try_from(count).unwrap_or(u64::MAX), by))
    }

    /// Increments the loop variable. An increment that wraps around is never read, because the loop has ended.
    fn advance(&self, of: &Loop, steps: &[u64]) {
        macro_rules! advance {
            ($($kind:ident $file:ident $ty:ty,)*) => {
                match of.of {
                    $(Scalar::$kind => {
                        for (variable, step) in self.registers.$file.row(of.variable).iter().zip(steps) {
                            variable.set(variable.get().wrapping_add(*step as $ty));
                        }
                    })*
                    Scalar::Bool | Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => {}
                }
            };
        }
        advance!(I8 i8 i8, U8 u8 u8, I16 i16 i16, U16 u16 u16, I32 i32 i32, U32 u32 u32, I64 i64 i64, U64 u64 u64, Index index usize,);
    }

    fn instr(&mut self, instr: &Instr, mask: Mask) -> Outcome<()> {
        let regs = &self.registers;
        match *instr {
            Instr::Op(ref op) => return self.scalars(op, mask),
            Instr::Cast { from, to, dst, src } => self.cast(from, to, dst, src),
            Instr::Move { of, dst, src, masked } => with_file!(regs, of, file => {
                // A move for all threads is a plain copy of the row, which the compiler vectorises.
                if masked && mask.count_ones() as usize != self.lanes {
                    each(mask).for_each(|lane| file.set(dst, lane, file.get(src, lane)));
                } else {
                    map(file.row(dst), file.row(src), |x| x);
                }
            }),
            Instr::Select { of, cond, dst, then, other } => with_file!(regs, of, file => {
                let sides = file.row(then).iter().zip(file.row(other));
                for ((dst, cond), (then, other)) in file.row(dst).iter().zip(regs.bool.row(cond)).zip(sides) {
                    dst.set(if cond.get() { then.get() } else { other.get() });
                }
            }),
            Instr::Clear { of, first, count } => with_file!(regs, of, file => {
                (first..first + count).for_each(|reg| file.fill(reg, Default::default()));
            }),
            Instr::Below { index, limit, what } => return self.below(index, limit, what, mask),
            Instr::Offset { dst, index, scale, plus } => {
                let scale = scale as usize;
                map(regs.index.row(dst), regs.index.row(index), |index| index.wrapping_mul(scale));
                if let Some(plus) = plus {
                    registers::zip(regs.index.row(dst), regs.index.row(dst), regs.index.row(plus), usize::wrapping_add);
                }
            }
            Instr::Gather { of, dst, base, at } => with_file!(regs, of, file => {
                each(mask).for_each(|lane| file.set(dst, lane, file.get(base + regs.index.get(at, lane) as u32, lane)));
            }),
            Instr::Scatter { of, base, at, src } => with_file!(regs, of, file => {
                each(mask).for_each(|lane| file.set(base + regs.index.get(at, lane) as u32, lane, file.get(src, lane)));
            }),
            Instr::Bounds { array, index } => return self.bounds(array, index, mask),
            Instr::Element { array, dst, rank, ref index } => {
                return self.element(array, dst, &index[..usize::from(rank)], mask);
            }
            Instr::Load { of, dst, ref from } => self.load(of, dst, from, mask),
            Instr::Store { of, src, ref to } => self.store(of, src, to, mask),
            Instr::Atomic(ref atomic) => return self.atomic(atomic, mask),
            Instr::Fail(ref failure) => return self.fail(failure, mask),
            Instr::Apply(ref apply) => return self.apply(apply, mask),
            Instr::Tangents(ref tangents) => self.tangents(tangents, mask),
        }
        Ok(())
    }
}
