//! Expressions evaluated.

use super::Number;
use super::cast::{cast, literal};
use super::num::Num;
use super::ops::{Outcome, apply, apply_scalars};
use super::races::Access;
use super::thread::Thread;
use super::value::{Part, Value};
use crate::ir::{Expr, ExprKind, Type};
use crate::ops::Op;

impl<S: Number, D: Number> Thread<'_, S, D> {
    pub(super) fn eval(&mut self, expr: &Expr) -> Outcome<Value<S, D>> {
        if expr.ty.is_scalar() { self.eval_scalar(expr).map(Value::from) } else { self.eval_any(expr) }
    }

    /// The value of an expression, which is a scalar.
    pub(super) fn eval_scalar(&mut self, expr: &Expr) -> Outcome<Num<S, D>> {
        match &expr.kind {
            ExprKind::Literal(value) => Ok(literal(*value)),
            ExprKind::Local(local) => self.locals[local.0 as usize].num().ok_or_else(|| unexpected(expr)),
            ExprKind::Param(param) => self.values[param.0 as usize].num().ok_or_else(|| unexpected(expr)),
            ExprKind::Tid(axis) => Ok(Num::Index(self.tid[usize::from(*axis)])),
            ExprKind::Extent { array, axis } => Ok(Num::Index(self.args[array.0 as usize].shape[usize::from(*axis)])),
            ExprKind::Load { array, index } => {
                let element = self.element(*array, index)?;
                self.note(*array, element, Access::Read);
                Ok(Num::read(&self.args[array.0 as usize].data, element))
            }
            ExprKind::Op(op, args) if args.len() <= 3 && args.iter().all(|arg| arg.ty.is_scalar()) => {
                self.scalar_operation(*op, args)
            }
            ExprKind::Cast(inner) => {
                let value = self.eval_scalar(inner)?;
                cast(value, expr.ty.scalar()).ok_or_else(|| unexpected(inner))
            }
            ExprKind::Select { cond, then, other } => {
                let chosen = if self.eval_bool(cond)? { then } else { other };
                self.eval_scalar(chosen)
            }
            _ => self.eval_any(expr)?.num().ok_or_else(|| unexpected(expr)),
        }
    }

    /// The value of an expression that is no scalar, or is made of such.
    fn eval_any(&mut self, expr: &Expr) -> Outcome<Value<S, D>> {
        match &expr.kind {
            ExprKind::Local(local) => Ok(self.locals[local.0 as usize].clone()),
            ExprKind::Slot { local, index } => {
                let slot = self.slot(*local, index)?;
                Ok(self.slots[local.0 as usize][slot].clone())
            }
            ExprKind::Param(param) => Ok(self.values[param.0 as usize].clone()),
            ExprKind::Load { array, index } => {
                let element = self.element(*array, index)?;
                self.note(*array, element, Access::Read);
                Ok(self.load_element(*array, element))
            }
            ExprKind::Op(op, args) => self.operation(*op, args, expr.ty),
            ExprKind::Call(function, args) => self.call(function, args),
            ExprKind::Component(base, index) => self.part(base, index, Part::Component),
            ExprKind::Column(base, index) => self.part(base, index, Part::Column),
            ExprKind::Select { cond, then, other } => {
                let chosen = if self.eval_bool(cond)? { then } else { other };
                self.eval(chosen)
            }
            ExprKind::Literal(_) | ExprKind::Tid(_) | ExprKind::Extent { .. } | ExprKind::Cast(_) => {
                self.eval_scalar(expr).map(Value::from)
            }
        }
    }

    /// An operation of scalars, at most three, with a scalar for a result.
    fn scalar_operation(&mut self, op: Op, args: &[Expr]) -> Outcome<Num<S, D>> {
        if let ([a, b], true) = (args, op.is_lazy()) {
            let decides = self.eval_bool(a)? == (op == Op::Or);
            return Ok(Num::Bool(if decides { op == Op::Or } else { self.eval_bool(b)? }));
        }
        let mut operands = [Num::Bool(false); 3];
        for (operand, arg) in operands.iter_mut().zip(args) {
            *operand = self.eval_scalar(arg)?;
        }
        self.apply_scalars(op, &operands[..args.len()])
    }

    /// The result of `op`, on the machine that runs.
    pub(super) fn apply_scalars(&self, op: Op, operands: &[Num<S, D>]) -> Outcome<Num<S, D>> {
        let value = apply_scalars(op, operands)?;
        Ok(if let Some(machine) = self.machine { machine.err(op, operands, value) } else { value })
    }

    /// An operation with vectors, matrices or quaternions in it. All machines do these alike.
    fn operation(&mut self, op: Op, args: &[Expr], ty: Type) -> Outcome<Value<S, D>> {
        // Operations have at most four operands; none of the usual numbers needs the heap.
        match args {
            [a] => apply(op, &[self.eval(a)?], ty),
            [a, b] => apply(op, &[self.eval(a)?, self.eval(b)?], ty),
            [a, b, c] => apply(op, &[self.eval(a)?, self.eval(b)?, self.eval(c)?], ty),
            _ => {
                let values = args.iter().map(|arg| self.eval(arg)).collect::<Outcome<Vec<_>>>()?;
                apply(op, &values, ty)
            }
        }
    }

    fn part(&mut self, base: &Expr, index: &Expr, part: fn(usize) -> Part) -> Outcome<Value<S, D>> {
        let found = match base.kind {
            ExprKind::Local(local) => {
                let number = self.part_number(index, base.ty)?;
                self.locals[local.0 as usize].part(part(number))
            }
            _ => {
                let value = self.eval(base)?;
                let number = self.part_number(index, base.ty)?;
                value.part(part(number))
            }
        };
        found.ok_or_else(|| unexpected(base))
    }

    pub(super) fn eval_bool(&mut self, expr: &Expr) -> Outcome<bool> {
        if let Num::Bool(value) = self.eval_scalar(expr)? { Ok(value) } else { Err(unexpected(expr)) }
    }

    pub(super) fn eval_integer(&mut self, expr: &Expr) -> Outcome<i128> {
        self.eval_scalar(expr)?.as_integer().ok_or_else(|| unexpected(expr))
    }

    pub(super) fn eval_index(&mut self, expr: &Expr) -> Outcome<usize> {
        match self.eval_scalar(expr)? {
            Num::Index(value) => Ok(value),
            other => other.as_integer().map(|value| value as usize).ok_or_else(|| unexpected(expr)),
        }
    }
}

/// The check of types makes sure that this does not happen.
fn unexpected(expr: &Expr) -> String {
    format!("a value of type {} is used as another", expr.ty.rust_name())
}
