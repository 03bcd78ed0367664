//! Operations on scalars, for all threads of a group.
//!
//! Frequent operations have loops over all threads, which the compiler vectorises. Other operations go through
//! [`ops`](crate::interp::ops), thread by thread.

use super::Engine;
use super::registers::{File, Mask, each, map, zip};
use crate::interp::Number;
use crate::interp::ops::integer::{self, Integer};
use crate::interp::ops::{Outcome, scalar, truths};
use crate::interp::program::{Mode, ScalarOp};
use crate::ir::{FloatFormat, Scalar};
use crate::ops::Op;
use std::cell::Cell;

impl<S: Number, D: Number> Engine<'_, S, D> {
    pub(super) fn scalars(&self, op: &ScalarOp, mask: Mask) -> Outcome<()> {
        let regs = &self.registers;
        match op.of {
            Scalar::Bool => self.truths(op),
            Scalar::I8 => self.integers(&regs.i8, op, mask),
            Scalar::U8 => self.integers(&regs.u8, op, mask),
            Scalar::I16 => self.integers(&regs.i16, op, mask),
            Scalar::U16 => self.integers(&regs.u16, op, mask),
            Scalar::I32 => self.integers(&regs.i32, op, mask),
            Scalar::U32 => self.integers(&regs.u32, op, mask),
            Scalar::I64 => self.integers(&regs.i64, op, mask),
            Scalar::U64 => self.integers(&regs.u64, op, mask),
            Scalar::Index => self.integers(&regs.index, op, mask),
            Scalar::F16 => self.floats(&regs.f16, FloatFormat::F16, op, mask),
            Scalar::BF16 => self.floats(&regs.bf16, FloatFormat::BF16, op, mask),
            Scalar::F32 => self.floats(&regs.f32, FloatFormat::F32, op, mask),
            Scalar::F64 => self.floats(&regs.f64, FloatFormat::F64, op, mask),
        }
    }

    fn truths(&self, op: &ScalarOp) -> Outcome<()> {
        let file = &self.registers.bool;
        let (dst, a, b) = (file.row(op.dst), file.row(op.args[0]), file.row(op.args[1]));
        for ((dst, a), b) in dst.iter().zip(a).zip(b) {
            dst.set(truths(op.op, a.get(), b.get())?);
        }
        Ok(())
    }

    /// Executes a comparison; returns false if `op` is none.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed of all operations is meant")]
    fn compare<T: Copy + PartialOrd>(&self, op: &ScalarOp, a: &[Cell<T>], b: &[Cell<T>]) -> bool {
        let dst = || self.registers.bool.row(op.dst);
        match op.op {
            Op::Eq => zip(dst(), a, b, |a, b| a == b),
            Op::Ne => zip(dst(), a, b, |a, b| a != b),
            Op::Lt => zip(dst(), a, b, |a, b| a < b),
            Op::Le => zip(dst(), a, b, |a, b| a <= b),
            Op::Gt => zip(dst(), a, b, |a, b| a > b),
            Op::Ge => zip(dst(), a, b, |a, b| a >= b),
            _ => return false,
        }
        true
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed of all operations is meant")]
    fn integers<T: Integer + Default>(&self, file: &File<T>, op: &ScalarOp, mask: Mask) -> Outcome<()> {
        let (a, b) = operands(file, op);
        if self.compare(op, a, b) {
            return Ok(());
        }
        if let Op::CountOnes | Op::LeadingZeros | Op::TrailingZeros = op.op {
            let dst = self.registers.u32.row(op.dst);
            return each(mask).try_for_each(|lane| {
                dst[lane].set(integer::bits(op.op, a[lane].get())?);
                Ok(())
            });
        }
        let dst = file.row(op.dst);
        // The fast path also computes inactive threads, whose operands are arbitrary and may overflow. On overflow, the
        // slow path checks the active threads one by one.
        let is_done = match op.op {
            Op::Add => all_fit(dst, a, b, T::overflowing_add),
            Op::Sub => all_fit(dst, a, b, T::overflowing_sub),
            Op::Mul => all_fit(dst, a, b, T::overflowing_mul),
            Op::Min => all_fit(dst, a, b, |a, b| (a.min(b), false)),
            Op::Max => all_fit(dst, a, b, |a, b| (a.max(b), false)),
            Op::BitAnd => all_fit(dst, a, b, |a, b| (a.and(b), false)),
            Op::BitOr => all_fit(dst, a, b, |a, b| (a.or(b), false)),
            Op::BitXor => all_fit(dst, a, b, |a, b| (a.xor(b), false)),
            Op::WrappingAdd => all_fit(dst, a, b, |a, b| (T::overflowing_add(a, b).0, false)),
            Op::WrappingSub => all_fit(dst, a, b, |a, b| (T::overflowing_sub(a, b).0, false)),
            Op::WrappingMul => all_fit(dst, a, b, |a, b| (T::overflowing_mul(a, b).0, false)),
            _ => false,
        };
        if is_done {
            return Ok(());
        }
        each(mask).try_for_each(|lane| {
            let (a, b, c) = (a[lane].get(), b[lane].get(), file.get(op.args[2], lane));
            let quick = match op.op {
                Op::Div => a.quotient(b),
                Op::Rem => a.remainder(b),
                _ => None,
            };
            let result = match quick {
                Some(result) => result,
                None => integer::arithmetic(op.op, [a, b, c], self.number(op, lane))?,
            };
            dst[lane].set(result);
            Ok(())
        })
    }

    /// The second operand, if it has a type of its own.
    fn number(&self, op: &ScalarOp, lane: usize) -> Option<i128> {
        op.number.map(|of| self.integer(of, op.args[1], lane))
    }

    fn floats<N: Number>(&self, file: &File<N>, format: FloatFormat, op: &ScalarOp, mask: Mask) -> Outcome<()> {
        let (a, b) = operands(file, op);
        if self.compare(op, a, b) {
            return Ok(());
        }
        if let Op::IsNan | Op::IsFinite = op.op {
            let dst = self.registers.bool.row(op.dst);
            return each(mask).try_for_each(|lane| {
                let x = a[lane].get();
                dst[lane].set(scalar::question(op.op, x, x)?);
                Ok(())
            });
        }
        let dst = file.row(op.dst);
        match (op.op, op.mode) {
            (Op::Add, _) => zip(dst, a, b, |a, b| a + b),
            (Op::Sub, _) => zip(dst, a, b, |a, b| a - b),
            (Op::Mul, _) => zip(dst, a, b, |a, b| a * b),
            (Op::Div, _) => zip(dst, a, b, |a, b| a / b),
            (Op::StrongMul, _) => zip(dst, a, b, N::strong_mul),
            (Op::StrongDiv, _) => zip(dst, a, b, N::strong_div),
            (Op::Neg, _) => map(dst, a, |a| -a),
            (Op::Abs, _) => map(dst, a, N::abs),
            (Op::Sqrt, Mode::Component) => map(dst, a, N::root),
            (Op::Min, Mode::Component) => zip(dst, a, b, N::lesser),
            (Op::Max, Mode::Component) => zip(dst, a, b, N::greater),
            (Op::Min, _) => zip(dst, a, b, N::min),
            (Op::Max, _) => zip(dst, a, b, N::max),
            _ => match scalar::function(op.op) {
                Some(function) => each(mask).for_each(|lane| dst[lane].set(function(a[lane].get()))),
                None => each(mask).try_for_each(|lane| {
                    let operands = [a[lane].get(), b[lane].get(), file.get(op.args[2], lane)];
                    dst[lane].set(scalar::arithmetic(op.op, operands, self.number(op, lane))?);
                    Ok::<_, String>(())
                })?,
            },
        }
        // The registers of floats of 16 bits hold numbers that stand for `f32`.
        let round = || {
            if format.is_half() {
                map(dst, dst, |x| x.rounded_to(format));
            }
        };
        round();
        if let Op::StrongMul | Op::StrongDiv = op.op {
            self.examine(op, a, b, dst, mask);
        }
        let Some(model) = self.model else { return Ok(()) };
        if op.mode == Mode::Inexact {
            for lane in each(mask) {
                let second = match self.number(op, lane) {
                    Some(number) => number as f64,
                    None => b[lane].get().value(),
                };
                let operands = &[a[lane].get().value(), second][..usize::from(op.count.min(2))];
                dst[lane].set(model.other(op.op, operands, dst[lane].get(), format));
            }
        } else if model.reassociates() {
            for lane in each(mask) {
                let operands = [a[lane].get().value(), b[lane].get().value()];
                dst[lane].set(model.reassociated(op.op, operands, dst[lane].get(), format));
            }
        }
        round();
        Ok(())
    }

    /// Records adjoints that meet a derivative so that the gradient is in doubt; see
    /// [`Findings`](crate::interp::Findings).
    fn examine<N: Number>(&self, op: &ScalarOp, a: &[Cell<N>], b: &[Cell<N>], result: &[Cell<N>], mask: Mask) {
        if !N::KNOWS_INPUTS {
            return;
        }
        for lane in each(mask) {
            let (adjoint, by) = (a[lane].get(), b[lane].get().value());
            let derivative = if op.op == Op::StrongDiv { by.recip() } else { by };
            if adjoint.value() == 0.0 {
                if adjoint.is_varied() && !derivative.is_finite() {
                    self.found.computed_zero.note(lane, op.origin);
                }
            } else if adjoint.value().is_finite() && !result[lane].get().value().is_finite() {
                self.found.not_finite.note(lane, op.origin);
            }
        }
    }
}

/// The first two operands. If the second one has a type of its own, the first one takes its place.
#[inline]
fn operands<'a, T: Copy + Default>(file: &'a File<T>, op: &ScalarOp) -> (&'a [Cell<T>], &'a [Cell<T>]) {
    let a = file.row(op.args[0]);
    (a, if op.number.is_some() { a } else { file.row(op.args[1]) })
}

/// Computes a register from two others; returns whether no result overflowed.
fn all_fit<T: Copy>(dst: &[Cell<T>], a: &[Cell<T>], b: &[Cell<T>], f: impl Fn(T, T) -> (T, bool)) -> bool {
    let mut overflows = false;
    for ((dst, a), b) in dst.iter().zip(a).zip(b) {
        let (result, overflow) = f(a.get(), b.get());
        dst.set(result);
        overflows |= overflow;
    }
    !overflows
}
