//! Bounds checks, loads, stores and atomics.

use super::Engine;
use super::addition::Addition;
use super::registers::{self, Mask, each};
use crate::data::Scalars;
use crate::interp::Number;
use crate::interp::num::Num;
use crate::interp::numerics::PerturbedModel;
use crate::interp::ops::{Outcome, apply_scalars};
use crate::interp::program::{Atomic, Failure, Indexed, Reg, Spot};
use crate::interp::watch::Access;
use crate::ir::{FloatFormat, ParamId, Piece, Scalar};
use crate::ops::Op;
use std::cell::Cell;

/// The largest number of additions that a thread of a group may buffer. It bounds the memory; a launch beyond it runs
/// thread by thread.
const MOST_ADDITIONS: usize = 1 << 16;

impl<S: Number, D: Number> Engine<'_, S, D> {
    /// Executes [`Instr::Below`](crate::interp::program::Instr::Below).
    pub(super) fn below(&self, index: Reg, limit: u32, what: Indexed, mask: Mask) -> Outcome<()> {
        let limit = limit as usize;
        let row = self.registers.index.row(index);
        let Some(lane) = each(mask).find(|&lane| row[lane].get() >= limit) else { return Ok(()) };
        let index = row[lane].get();
        Err(match what {
            Indexed::LocalElement(name) => {
                let name = &self.program.names[name];
                format!("index out of bounds: `{name}` has length {limit}, the index is {index}")
            }
            Indexed::Part(ty) => {
                let parts = if ty.is_matrix() { "columns" } else { "components" };
                format!("index out of bounds: {} has {limit} {parts}, the index is {index}", ty.rust_name())
            }
        })
    }

    /// Executes [`Instr::Bounds`](crate::interp::program::Instr::Bounds).
    pub(super) fn bounds(&self, array: ParamId, index: Reg, mask: Mask) -> Outcome<()> {
        let extent = self.args[array.0 as usize].shape[0];
        let row = self.registers.index.row(index);
        // A quick test over all threads. Indices of inactive threads are arbitrary, so a failure must be checked for
        // active ones.
        if row.iter().all(|index| index.get() < extent) {
            return Ok(());
        }
        match each(mask).find(|&lane| row[lane].get() >= extent) {
            None => Ok(()),
            Some(lane) => Err(self.outside(array, 0, row[lane].get(), extent)),
        }
    }

    /// Executes [`Instr::Element`](crate::interp::program::Instr::Element).
    pub(super) fn element(&self, array: ParamId, dst: Reg, index: &[Reg], mask: Mask) -> Outcome<()> {
        let shape = &self.args[array.0 as usize].shape;
        let file = &self.registers.index;
        for lane in each(mask) {
            let mut element = 0;
            for (axis, (reg, extent)) in index.iter().zip(shape).enumerate() {
                let at = file.get(*reg, lane);
                if at >= *extent {
                    return Err(self.outside(array, axis, at, *extent));
                }
                element = element * extent + at;
            }
            file.set(dst, lane, element);
        }
        Ok(())
    }

    fn outside(&self, array: ParamId, axis: usize, at: usize, extent: usize) -> String {
        let param = self.kernel.param(array);
        let axis = if param.rank() == 1 { String::new() } else { format!(" along axis {axis}") };
        format!("index out of bounds: `{}` has length {extent}{axis}, the index is {at}", param.name)
    }

    /// The position of a scalar in its array, for one thread.
    fn scalar(&self, spot: &Spot, lane: usize) -> usize {
        let file = &self.registers.index;
        // For an index that is computed at run time, `at` selects the part of the element.
        let at = spot.at.map_or(0, |at| file.get(at, lane));
        file.get(spot.element, lane) * spot.scale as usize + spot.part as usize + at
    }

    /// The row of element numbers, if all threads are active and access the same part of their elements.
    fn elements(&self, spot: &Spot, mask: Mask) -> Option<&[Cell<usize>]> {
        let are_all = spot.at.is_none() && mask.count_ones() as usize == self.lanes;
        are_all.then(|| self.registers.index.row(spot.element))
    }

    /// Records the accesses of the threads.
    fn note(&mut self, spot: &Spot, access: Access, mask: Mask) {
        if let Some(watch) = &mut self.watch {
            each(mask).for_each(|lane| {
                watch.note(spot.array, self.registers.index.get(spot.element, lane), access);
            });
        }
    }

    pub(super) fn load(&mut self, of: Scalar, dst: Reg, from: &Spot, mask: Mask) {
        self.note(from, Access::Read, mask);
        let (scale, part) = (from.scale as usize, from.part as usize);
        macro_rules! load {
            ($($kind:ident $file:ident)*) => {
                match (of, &self.args[from.array.0 as usize].data) {
                    $((Scalar::$kind, Scalars::$kind(data)) => {
                        let row = self.registers.$file.row(dst);
                        match self.elements(from, mask) {
                            Some(elements) => registers::map(row, elements, |element| data[element * scale + part]),
                            None => each(mask).for_each(|lane| row[lane].set(data[self.scalar(from, lane)])),
                        }
                    })*
                    _ => {}
                }
            };
        }
        load!(Bool bool I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 Index index F16 f16 BF16 bf16 F32 f32 F64 f64);
    }

    pub(super) fn store(&mut self, of: Scalar, src: Reg, to: &Spot, mask: Mask) {
        self.note(to, Access::Write, mask);
        let arg = to.array.0 as usize;
        let (scale, part) = (to.scale as usize, to.part as usize);
        // The data is taken out, so that the registers of `self` can be read while it is written.
        let mut data = std::mem::replace(&mut self.args[arg].data, Scalars::Bool(Vec::new()));
        macro_rules! store {
            ($($kind:ident $file:ident)*) => {
                match (of, &mut data) {
                    $((Scalar::$kind, Scalars::$kind(data)) => {
                        let row = self.registers.$file.row(src);
                        match self.elements(to, mask) {
                            Some(elements) => {
                                for (element, value) in elements.iter().zip(row) {
                                    data[element.get() * scale + part] = value.get();
                                }
                            }
                            None => each(mask).for_each(|lane| data[self.scalar(to, lane)] = row[lane].get()),
                        }
                    })*
                    _ => {}
                }
            };
        }
        store!(Bool bool I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 Index index F16 f16 BF16 bf16 F32 f32 F64 f64);
        self.args[arg].data = data;
    }

    pub(super) fn atomic(&mut self, atomic: &Atomic, mask: Mask) -> Outcome<()> {
        self.note(&atomic.to, Access::Atomic, mask);
        let array = atomic.to.array;
        for lane in each(mask) {
            let scalar = self.scalar(&atomic.to, lane);
            let value = self.num(atomic.of, atomic.value, lane);
            let Some(op) = atomic.op.op() else {
                let compare = atomic.compare.map(|compare| self.num(atomic.of, compare, lane));
                let old = self.exchange(array, scalar, compare, value)?;
                if let Some(result) = atomic.result {
                    self.set(result, lane, old);
                }
                continue;
            };
            let addition = Addition { array, scalar, op, value };
            // The model of magnitudes measures the largest partial sum.
            if atomic.is_sum
                && let Some(times) = self.magnitudes
            {
                self.add_magnitudes(&addition, times);
                continue;
            }
            if atomic.is_sum && self.lanes > 1 {
                self.additions[lane].push(addition);
                // In lockstep the limit does not apply: the launch cannot run thread by thread instead, because that
                // changes the order of its additions. The buffer stays small between two synchronisation points.
                if !self.lockstep && self.additions[lane].len() > MOST_ADDITIONS {
                    return Err("a thread adds too often to do so in a group".to_owned());
                }
                continue;
            }
            let old = self.add(&addition, lane)?;
            if let Some(result) = atomic.result {
                self.set(result, lane, old);
            }
        }
        Ok(())
    }

    /// The assertion fails, if there is a thread that has come to it.
    pub(super) fn fail(&self, failure: &Failure, mask: Mask) -> Outcome<()> {
        let Some(lane) = each(mask).next() else { return Ok(()) };
        let mut args = failure.args.iter();
        let words = failure.message.pieces().map(|(piece, _)| match piece {
            Piece::Text(text) => text,
            Piece::Value { digits, .. } => {
                args.next().map_or_else(String::new, |(of, reg)| self.num(*of, *reg, lane).to_text(digits))
            }
        });
        Err(words.collect())
    }

    /// Makes the buffered additions of the first `threads` threads, thread by thread.
    pub(super) fn add_up(&mut self, threads: usize) {
        if self.lanes == 1 {
            return;
        }
        for lane in 0..threads {
            self.start_thread();
            let mut additions = std::mem::take(&mut self.additions[lane]);
            for addition in additions.drain(..) {
                // Only additions of floats are buffered, and these cannot fail.
                let _ = self.add(&addition, lane);
            }
            self.additions[lane] = additions;
        }
    }

    /// Adds `times` the magnitude of a float to the magnitude in memory. A term that is too small to change the sum
    /// still changes its last place here, because in another order it may combine with others to a larger term.
    fn add_magnitudes(&mut self, addition: &Addition<S, D>, times: f64) {
        let Addition { array, scalar, value, .. } = *addition;
        let sum = |there: f64, value: f64, format: FloatFormat| {
            let least = if value == 0.0 { 0.0 } else { there.abs() * (1.0 + format.epsilon()) };
            (there.abs() + times * value.abs()).max(least)
        };
        match (&mut self.args[array.0 as usize].data, value) {
            // A magnitude is no number of the kernel, so it is not rounded to 16 bits.
            (Scalars::F16(data), Num::F16(value)) => {
                data[scalar] = S::constant(sum(data[scalar].value(), value.value(), FloatFormat::F16));
            }
            (Scalars::BF16(data), Num::BF16(value)) => {
                data[scalar] = S::constant(sum(data[scalar].value(), value.value(), FloatFormat::BF16));
            }
            (Scalars::F32(data), Num::F32(value)) => {
                data[scalar] = S::constant(sum(data[scalar].value(), value.value(), FloatFormat::F32));
            }
            (Scalars::F64(data), Num::F64(value)) => {
                data[scalar] = D::constant(sum(data[scalar].value(), value.value(), FloatFormat::F64));
            }
            // Only floats have magnitudes.
            _ => {}
        }
    }

    /// Applies an atomic operation to a scalar; returns the old value.
    fn add(&mut self, addition: &Addition<S, D>, lane: usize) -> Outcome<Num<S, D>> {
        let Addition { array, scalar, op, value } = *addition;
        // Sums and private scatters go to partial sums; everything else goes to memory.
        let data = match self.sums.as_mut().and_then(|sums| sums.of(array, self.last[lane])) {
            Some(data) => data,
            None => &mut self.args[array.0 as usize].data,
        };
        let old = Num::read(data, scalar);
        match (op, data, value) {
            (Op::Add | Op::Sub, Scalars::F16(data), Num::F16(value)) => {
                data[scalar] = sum_in(self.model, op, data[scalar], value, FloatFormat::F16);
            }
            (Op::Add | Op::Sub, Scalars::BF16(data), Num::BF16(value)) => {
                data[scalar] = sum_in(self.model, op, data[scalar], value, FloatFormat::BF16);
            }
            (Op::Add | Op::Sub, Scalars::F32(data), Num::F32(value)) => {
                data[scalar] = sum_in(self.model, op, data[scalar], value, FloatFormat::F32);
            }
            (Op::Add | Op::Sub, Scalars::F64(data), Num::F64(value)) => {
                data[scalar] = sum_in(self.model, op, data[scalar], value, FloatFormat::F64);
            }
            (_, data, value) => {
                // Integers may overflow, and `min` and `max` have the rules of the table, so they take the general
                // path.
                let new = apply_scalars(op, &[old, value])?;
                let new = self.model.map_or(new, |model| model.perturb(op, &[old, value], new));
                new.write(data, scalar);
            }
        }
        Ok(old)
    }

    /// Stores `value`, if the old value equals `compare` or that is `None`; returns the old value.
    fn exchange(
        &mut self,
        array: ParamId,
        scalar: usize,
        compare: Option<Num<S, D>>,
        value: Num<S, D>,
    ) -> Outcome<Num<S, D>> {
        let data = &mut self.args[array.0 as usize].data;
        let old = Num::read(data, scalar);
        let is_there = match compare {
            Some(compare) => matches!(apply_scalars(Op::Eq, &[old, compare])?, Num::Bool(true)),
            None => true,
        };
        if is_there {
            value.write(data, scalar);
        }
        Ok(old)
    }

    /// The number of one thread in a register.
    pub(super) fn num(&self, of: Scalar, reg: Reg, lane: usize) -> Num<S, D> {
        let regs = &self.registers;
        match of {
            Scalar::Bool => Num::Bool(regs.bool.get(reg, lane)),
            Scalar::I8 => Num::I8(regs.i8.get(reg, lane)),
            Scalar::U8 => Num::U8(regs.u8.get(reg, lane)),
            Scalar::I16 => Num::I16(regs.i16.get(reg, lane)),
            Scalar::U16 => Num::U16(regs.u16.get(reg, lane)),
            Scalar::I32 => Num::I32(regs.i32.get(reg, lane)),
            Scalar::U32 => Num::U32(regs.u32.get(reg, lane)),
            Scalar::I64 => Num::I64(regs.i64.get(reg, lane)),
            Scalar::U64 => Num::U64(regs.u64.get(reg, lane)),
            Scalar::Index => Num::Index(regs.index.get(reg, lane)),
            Scalar::F16 => Num::F16(regs.f16.get(reg, lane)),
            Scalar::BF16 => Num::BF16(regs.bf16.get(reg, lane)),
            Scalar::F32 => Num::F32(regs.f32.get(reg, lane)),
            Scalar::F64 => Num::F64(regs.f64.get(reg, lane)),
        }
    }

    fn set(&self, reg: Reg, lane: usize, value: Num<S, D>) {
        let regs = &self.registers;
        match value {
            Num::Bool(x) => regs.bool.set(reg, lane, x),
            Num::I8(x) => regs.i8.set(reg, lane, x),
            Num::U8(x) => regs.u8.set(reg, lane, x),
            Num::I16(x) => regs.i16.set(reg, lane, x),
            Num::U16(x) => regs.u16.set(reg, lane, x),
            Num::I32(x) => regs.i32.set(reg, lane, x),
            Num::U32(x) => regs.u32.set(reg, lane, x),
            Num::I64(x) => regs.i64.set(reg, lane, x),
            Num::U64(x) => regs.u64.set(reg, lane, x),
            Num::Index(x) => regs.index.set(reg, lane, x),
            Num::F16(x) => regs.f16.set(reg, lane, x),
            Num::BF16(x) => regs.bf16.set(reg, lane, x),
            Num::F32(x) => regs.f32.set(reg, lane, x),
            Num::F64(x) => regs.f64.set(reg, lane, x),
        }
    }

    /// Sets the register to one number for all threads.
    pub(super) fn fill(&self, reg: Reg, value: Num<S, D>) {
        let regs = &self.registers;
        match value {
            Num::Bool(x) => regs.bool.fill(reg, x),
            Num::I8(x) => regs.i8.fill(reg, x),
            Num::U8(x) => regs.u8.fill(reg, x),
            Num::I16(x) => regs.i16.fill(reg, x),
            Num::U16(x) => regs.u16.fill(reg, x),
            Num::I32(x) => regs.i32.fill(reg, x),
            Num::U32(x) => regs.u32.fill(reg, x),
            Num::I64(x) => regs.i64.fill(reg, x),
            Num::U64(x) => regs.u64.fill(reg, x),
            Num::Index(x) => regs.index.fill(reg, x),
            Num::F16(x) => regs.f16.fill(reg, x),
            Num::BF16(x) => regs.bf16.fill(reg, x),
            Num::F32(x) => regs.f32.fill(reg, x),
            Num::F64(x) => regs.f64.fill(reg, x),
        }
    }

    /// The integer of one thread in a register; 0 if the register has another type.
    pub(super) fn integer(&self, of: Scalar, reg: Reg, lane: usize) -> i128 {
        self.num(of, reg, lane).as_integer().unwrap_or_default()
    }

    pub(super) fn set_integer(&self, of: Scalar, reg: Reg, lane: usize, value: i128) {
        self.set(reg, lane, Num::integer(of, value));
    }
}

/// The sum or difference of the value in memory and the term of a thread, in `model` if it reassociates.
fn sum_in<N: Number>(model: Option<PerturbedModel>, op: Op, old: N, value: N, format: FloatFormat) -> N {
    let rounded = |sum: N| if format.is_half() { sum.rounded_to(format) } else { sum };
    let sum = rounded(if op == Op::Sub { old - value } else { old + value });
    match model.filter(|model| model.reassociates()) {
        Some(model) => rounded(model.reassociated(op, [old.value(), value.value()], sum, format)),
        None => sum,
    }
}
