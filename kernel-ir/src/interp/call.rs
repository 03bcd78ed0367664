//! Device functions called.
//!
//! Where the author gives the derivative of a function, it counts, and not that of the body. For the result
//! r = f(a, b, …) and the tangents ȧ, ḃ, … of the arguments, the tangent of the component k of r is
//! ⟨∂a(a, b, …, eₖ), ȧ⟩ + ⟨∂b(a, b, …, eₖ), ḃ⟩ + …, with the functions ∂a, ∂b, … that the author gives for parameters, and
//! the adjoint eₖ that is 1 in the component k and 0 elsewhere.

use super::ops::Outcome;
use super::thread::Thread;
use super::value::Value;
use super::{Dual, Number};
use crate::ir::{Expr, Function, Gradient};

impl<S: Number, D: Number> Thread<'_, S, D> {
    pub(super) fn call(&mut self, function: &Function, args: &[Expr]) -> Outcome<Value<S, D>> {
        let args = args.iter().map(|arg| self.eval(arg)).collect::<Outcome<Vec<_>>>()?;
        match &function.gradient {
            Some(gradient) => self.call_with_gradient(function, gradient, args),
            None => self.result(function, args),
        }
    }

    fn result(&mut self, function: &Function, args: Vec<Value<S, D>>) -> Outcome<Value<S, D>> {
        let result = self.body(&function.code, args)?;
        result.ok_or_else(|| format!("`{}` ended without a value", function.name()))
    }

    fn call_with_gradient(
        &mut self,
        function: &Function,
        gradient: &Gradient,
        args: Vec<Value<S, D>>,
    ) -> Outcome<Value<S, D>> {
        let tangents: Vec<Vec<f64>> =
            gradient.parts.iter().map(|(param, _)| args[param.0 as usize].tangents()).collect();
        let args: Vec<Value<S, D>> = args.into_iter().map(|arg| arg.with_tangents(&[])).collect();
        let result = self.result(function, args.clone())?;
        if tangents.iter().flatten().all(|tangent| *tangent == 0.0) {
            return Ok(result);
        }
        let mut slopes = Vec::new();
        for component in 0..function.ret.components() {
            let adjoint = Value::unit(function.ret, component);
            let mut slope = 0.0;
            for ((_, part), tangents) in gradient.parts.iter().zip(&tangents) {
                let args = args.iter().cloned().chain([adjoint.clone()]).collect();
                let values = self.result(part, args)?.floats();
                slope += values.iter().zip(tangents).map(|(value, tangent)| value.value * tangent).sum::<f64>();
            }
            slopes.push(slope);
        }
        Ok(result.with_tangents(&slopes))
    }
}

impl<S: Number, D: Number> Value<S, D> {
    fn tangents(&self) -> Vec<f64> {
        self.floats().into_iter().map(|number| number.tangent).collect()
    }

    /// The value with these tangents, 0 for those that are missing.
    fn with_tangents(self, tangents: &[f64]) -> Value<S, D> {
        self.map_floats(&mut |place, number| {
            let tangent = tangents.get(place).copied().unwrap_or(0.0);
            Dual { value: number.value, tangent }
        })
    }

    /// The value of floats that is 1 in one component and 0 in the others.
    fn unit(ty: crate::ir::Type, component: usize) -> Value<S, D> {
        Value::zero(ty).map_floats(&mut |place, _| Dual::constant(if place == component { 1.0 } else { 0.0 }))
    }

    /// The floats that the value is made of, in the order of memory.
    fn floats(&self) -> Vec<Dual> {
        let mut floats = Vec::new();
        let _ = self.clone().map_floats(&mut |_, number| {
            floats.push(number);
            number
        });
        floats
    }
}
