//! Lowers calls of device functions.
//!
//! If the author gives the derivative of a function, dual numbers use it in place of the derivative of the body. For r
//! = f(a, b, …) with tangents ȧ, ḃ, … of the arguments, the tangent of component k of r is ⟨∂a(a, b, …, eₖ), ȧ⟩ +
//! ⟨∂b(a, b, …, eₖ), ḃ⟩ + …. Here ∂a, ∂b, … are the author's functions for the parameters, and eₖ is the adjoint that
//! is 1 in component k and 0 elsewhere.

use super::{Bound, Frame, Lowered, Lowering, listed};
use crate::interp::program::{Instr, Operand, Reg, Step, Tangents};
use crate::ir::{Function, Gradient, Literal, ParamId, ParamKind, Scalar, Type};
use crate::ops::schedule::is_schedule;
use std::sync::Arc;

impl Lowering<'_> {
    /// Lowers the call of a function with these arrays of the kernel and these values.
    pub(super) fn call(&mut self, function: &Arc<Function>, arrays: Vec<ParamId>, args: &[Operand]) -> Operand {
        match &function.gradient {
            None => self.result(function, arrays, args),
            Some(gradient) => self.call_with_gradient(function, gradient, args),
        }
    }

    /// The result of a function, computed by its body.
    fn result(&mut self, function: &Arc<Function>, arrays: Vec<ParamId>, args: &[Operand]) -> Operand {
        let place = self.lowered(function, arrays);
        let Lowered { params, result, .. } = &self.functions[place];
        let (params, result) = (params.clone(), result.clone());
        // Inactive threads may get arguments, too: they do not read them.
        for (param, arg) in params.iter().zip(args) {
            self.assign(param, arg, false);
        }
        self.steps.push(Step::Call(place));
        // The next call of the function overwrites its result registers.
        self.copied(&result)
    }

    /// The position of the function with these arrays in the list of lowered functions; lowers it on first use.
    fn lowered(&mut self, function: &Arc<Function>, arrays: Vec<ParamId>) -> usize {
        let is_same = |other: &Lowered| Arc::ptr_eq(&other.function, function) && other.arrays == arrays;
        if let Some(place) = self.functions.iter().position(is_same) {
            return place;
        }
        let code = &function.code;
        // The function shares the register files and tables of its caller, but has its own frame.
        let mut lowering = Lowering {
            frame: Frame::new(code),
            sums: Vec::new(),
            counts: self.counts,
            constants: std::mem::take(&mut self.constants),
            names: std::mem::take(&mut self.names),
            regions: std::mem::take(&mut self.regions),
            counts_regions: self.counts_regions && !is_schedule(function),
            strong: std::mem::take(&mut self.strong),
            functions: std::mem::take(&mut self.functions),
            steps: Vec::new(),
        };
        let (mut params, mut of_kernel) = (Vec::new(), arrays.iter());
        for param in &code.params {
            let bound = match param.kind {
                ParamKind::Value(ty) => {
                    let value = lowering.registers(ty);
                    params.push(value.clone());
                    Some(Bound::Value(value))
                }
                ParamKind::Array { .. } => of_kernel.next().copied().map(Bound::Array),
            };
            lowering.frame.params.extend(bound);
        }
        let result = lowering.registers(function.ret);
        lowering.frame.result = Some(result.clone());
        let body = lowering.block(&code.body, false, format!("`{}`", function.code.name));
        self.counts = lowering.counts;
        self.constants = lowering.constants;
        self.names = lowering.names;
        self.regions = lowering.regions;
        self.strong = lowering.strong;
        self.functions = lowering.functions;
        self.functions.push(Lowered { function: Arc::clone(function), arrays, params, result, body });
        self.functions.len() - 1
    }

    fn call_with_gradient(&mut self, function: &Arc<Function>, gradient: &Gradient, args: &[Operand]) -> Operand {
        // The body must not compute tangents, because the author's derivative replaces them.
        let stripped: Vec<Operand> = args.iter().map(|arg| self.stripped(arg)).collect();
        let result = self.result(function, Vec::new(), &stripped);
        let moving: Vec<Operand> = gradient.parts.iter().map(|(param, _)| args[param.0 as usize].clone()).collect();
        let cond = self.register(Scalar::Bool);
        // Without tangents in the arguments, the derivative is not evaluated: it may fail where the function does not.
        self.push(Instr::Tangents(Box::new(Tangents::Any { dst: cond, of: moving.clone() })));
        // Only dual numbers have tangents, so other runs do not reach this code.
        let counts_regions = std::mem::replace(&mut self.counts_regions, false);
        let (then, ()) = self.steps_of(|this| {
            let slopes: Vec<Reg> = (0..function.ret.components())
                .map(|component| this.slope(gradient, &moving, &stripped, function.ret, component))
                .collect();
            for (dst, slope) in result.regs().iter().zip(slopes) {
                let of = function.ret.scalar();
                this.push(Instr::Tangents(Box::new(Tangents::Set { of, dst: *dst, slope })));
            }
        });
        self.counts_regions = counts_regions;
        self.steps.push(Step::If { cond, then, other: Vec::new() });
        result
    }

    /// The tangent of one component of the result, as an `f64`.
    fn slope(&mut self, gradient: &Gradient, moving: &[Operand], args: &[Operand], ret: Type, component: usize) -> Reg {
        let unit = |this: &mut Self, value: f64| {
            this.constant(Literal::float(value, ret.scalar()).unwrap_or(Literal::f64(value)))
        };
        let (zero, one) = (unit(self, 0.0), unit(self, 1.0));
        let adjoint = listed(ret, |place| if place == component { one } else { zero });
        let slope = self.register(Scalar::F64);
        let start = self.constant(Literal::f64(0.0));
        self.push(Instr::Move { of: Scalar::F64, dst: slope, src: start, masked: false });
        for ((_, part), tangents) in gradient.parts.iter().zip(moving) {
            let args = [args, std::slice::from_ref(&adjoint)].concat();
            let values = self.result(part, Vec::new(), &args);
            self.push(Instr::Tangents(Box::new(Tangents::Add { dst: slope, values, tangents: tangents.clone() })));
        }
        slope
    }

    /// The value without tangents.
    fn stripped(&mut self, value: &Operand) -> Operand {
        if !value.ty.is_float() {
            return value.clone();
        }
        let dst = self.temporaries(value.ty);
        self.push(Instr::Tangents(Box::new(Tangents::Strip { dst: dst.clone(), src: value.clone() })));
        dst
    }
}
