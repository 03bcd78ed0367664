//! Casts, operations that are applied thread by thread, and tangents.

use super::Engine;
use super::registers::{Mask, each, map, zip};
use crate::interp::cast::cast;
use crate::interp::num::Num;
use crate::interp::ops::{self, Outcome};
use crate::interp::program::{Apply, Operand, Reg, Tangents};
use crate::interp::value::{Shaped, Value};
use crate::interp::{Dual, Number};
use crate::ir::Scalar;
use smallvec::{SmallVec, smallvec};

/// The numbers of a value.
type Numbers<T> = SmallVec<[T; 16]>;

impl<S: Number, D: Number> Engine<'_, S, D> {
    /// Executes a cast, which never fails.
    pub(super) fn cast(&self, from: Scalar, to: Scalar, dst: Reg, src: Reg) {
        let regs = &self.registers;
        macro_rules! casts {
            (to $source:ident, $src:expr; $($kind:ident $file:ident)*) => {
                match to {
                    $(Scalar::$kind => map(regs.$file.row(dst), $src, |x| {
                        match cast::<S, D>(Num::$source(x), Scalar::$kind) {
                            Some(Num::$kind(x)) => x,
                            _ => Default::default(),
                        }
                    }),)*
                }
            };
            ($($kind:ident $file:ident)*) => {
                match from {
                    $(Scalar::$kind => casts!(to $kind, regs.$file.row(src);
                        Bool bool I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 Index index F16 f16 BF16 bf16 F32 f32 F64 f64),)*
                }
            };
        }
        casts!(Bool bool I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 Index index F16 f16 BF16 bf16 F32 f32 F64 f64);
        // The verifier admits no other casts to floats of 16 bits.
        let (Some(model), Scalar::F32) = (self.model.filter(|model| model.reassociates()), from) else { return };
        let (Some(file), Some(format)) = (regs.singles(to), to.format().filter(|format| format.is_half())) else {
            return;
        };
        let perturbed = |exact: S, rounded: S| model.reassociated_rounding(exact, rounded, format);
        zip(file.row(dst), regs.f32.row(src), file.row(dst), perturbed);
    }

    pub(super) fn apply(&self, apply: &Apply, mask: Mask) -> Outcome<()> {
        let mut args = Vec::with_capacity(apply.args.len());
        for lane in each(mask) {
            args.clear();
            args.extend(apply.args.iter().map(|arg| self.value(arg, lane)));
            let mut result = ops::apply(apply.op, &args, apply.result.ty)?;
            if let (Some(model), Some(number)) = (self.model, result.num())
                && let Some(operand) = args[0].num()
            {
                result = model.perturb(apply.op, &[operand], number).into();
            }
            self.set_value(&apply.result, lane, &result);
        }
        Ok(())
    }

    /// The value of one thread.
    fn value(&self, operand: &Operand, lane: usize) -> Value<S, D> {
        let regs = &self.registers;
        macro_rules! gather {
            ($($kind:ident $file:ident)*) => {
                match operand.ty.scalar() {
                    Scalar::Bool => Value::Bool(regs.bool.get(operand.regs[0], lane)),
                    $(Scalar::$kind => {
                        let data: Numbers<_> = operand.regs().iter().map(|reg| regs.$file.get(*reg, lane)).collect();
                        Value::$kind(Shaped::read(operand.ty, &data))
                    })*
                }
            };
        }
        gather!(I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 Index index F16 f16 BF16 bf16 F32 f32 F64 f64)
    }

    fn set_value(&self, operand: &Operand, lane: usize, value: &Value<S, D>) {
        let regs = &self.registers;
        macro_rules! scatter {
            ($($kind:ident $file:ident)*) => {
                match value {
                    Value::Bool(value) => regs.bool.set(operand.regs[0], lane, *value),
                    $(Value::$kind(value) => {
                        let mut data: Numbers<_> = smallvec![Default::default(); operand.regs().len()];
                        value.write(&mut data);
                        for (scalar, reg) in data.iter().zip(operand.regs()) {
                            regs.$file.set(*reg, lane, *scalar);
                        }
                    })*
                }
            };
        }
        scatter!(I8 i8 U8 u8 I16 i16 U16 u16 I32 i32 U32 u32 I64 i64 U64 u64 Index index F16 f16 BF16 bf16 F32 f32 F64 f64);
    }

    /// The float of one thread, with its tangent.
    fn dual(&self, of: Scalar, reg: Reg, lane: usize) -> Dual {
        let regs = &self.registers;
        match regs.singles(of) {
            Some(file) => file.get(reg, lane).to_dual(),
            None => regs.f64.get(reg, lane).to_dual(),
        }
    }

    fn set_dual(&self, of: Scalar, reg: Reg, lane: usize, value: Dual) {
        let regs = &self.registers;
        match regs.singles(of) {
            Some(file) => file.set(reg, lane, S::from_dual(value)),
            None => regs.f64.set(reg, lane, D::from_dual(value)),
        }
    }

    pub(super) fn tangents(&self, tangents: &Tangents, mask: Mask) {
        each(mask).for_each(|lane| self.tangents_of(tangents, lane));
    }

    fn tangents_of(&self, tangents: &Tangents, lane: usize) {
        let duals = |value: &Operand| -> Vec<Dual> {
            value.regs().iter().map(|reg| self.dual(value.ty.scalar(), *reg, lane)).collect()
        };
        match tangents {
            Tangents::Strip { dst, src } => {
                for (reg, number) in dst.regs().iter().zip(duals(src)) {
                    self.set_dual(dst.ty.scalar(), *reg, lane, Dual::constant(number.value));
                }
            }
            Tangents::Any { dst, of } => {
                let moves = of.iter().flat_map(duals).any(|number| number.tangent != 0.0);
                self.registers.bool.set(*dst, lane, moves);
            }
            Tangents::Add { dst, values, tangents } => {
                let pairs = duals(values).into_iter().zip(duals(tangents));
                let product = pairs.map(|(value, tangent)| value.value * tangent.tangent).sum::<f64>();
                let sum = self.dual(Scalar::F64, *dst, lane).value + product;
                self.set_dual(Scalar::F64, *dst, lane, Dual::constant(sum));
            }
            Tangents::Set { of, dst, slope } => {
                let (value, tangent) = (self.dual(*of, *dst, lane).value, self.dual(Scalar::F64, *slope, lane).value);
                self.set_dual(*of, *dst, lane, Dual { value, tangent });
            }
        }
    }
}
