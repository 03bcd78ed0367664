//! Expressions evaluated.

use super::Number;
use super::cast::{cast, literal};
use super::ops::{Outcome, apply};
use super::races::Access;
use super::thread::Thread;
use super::value::{Part, Value};
use crate::ir::{Expr, ExprKind, Type};
use crate::ops::Op;

impl<S: Number, D: Number> Thread<'_, S, D> {
    pub(super) fn eval(&mut self, expr: &Expr) -> Outcome<Value<S, D>> {
        match &expr.kind {
            ExprKind::Literal(value) => Ok(literal(*value)),
            ExprKind::Local(local) => Ok(self.locals[local.0 as usize].clone()),
            ExprKind::Slot { local, index } => {
                let slot = self.slot(*local, index)?;
                Ok(self.slots[local.0 as usize][slot].clone())
            }
            ExprKind::Param(param) => Ok(self.values[param.0 as usize].clone()),
            ExprKind::Tid(axis) => Ok(Value::index(self.tid[usize::from(*axis)])),
            ExprKind::Extent { array, axis } => Ok(Value::index(self.args[array.0 as usize].shape[usize::from(*axis)])),
            ExprKind::Load { array, index } => {
                let element = self.element(*array, index)?;
                self.note(*array, element, Access::Read);
                Ok(self.load_element(*array, element))
            }
            ExprKind::Op(op, args) => self.operation(*op, args, expr),
            ExprKind::Call(function, args) => self.call(function, args),
            ExprKind::Cast(inner) => {
                let value = self.eval(inner)?;
                cast(&value, expr.ty.scalar()).ok_or_else(|| unexpected(inner))
            }
            ExprKind::Component(base, index) => self.part(base, index, Part::Component),
            ExprKind::Column(base, index) => self.part(base, index, Part::Column),
            ExprKind::Select { cond, then, other } => {
                let chosen = if self.eval_bool(cond)? { then } else { other };
                self.eval(chosen)
            }
        }
    }

    fn operation(&mut self, op: Op, args: &[Expr], expr: &Expr) -> Outcome<Value<S, D>> {
        // Operations have at most four operands; none of the usual numbers needs the heap.
        match args {
            [a, b] if op.is_lazy() => {
                let decides = self.eval_bool(a)? == (op == Op::Or);
                Ok(Value::Bool(if decides { op == Op::Or } else { self.eval_bool(b)? }))
            }
            [a] => {
                let operands = [self.eval(a)?];
                self.apply(op, &operands, expr.ty)
            }
            [a, b] => {
                let operands = [self.eval(a)?, self.eval(b)?];
                self.apply(op, &operands, expr.ty)
            }
            [a, b, c] => {
                let operands = [self.eval(a)?, self.eval(b)?, self.eval(c)?];
                self.apply(op, &operands, expr.ty)
            }
            _ => {
                let values = args.iter().map(|arg| self.eval(arg)).collect::<Outcome<Vec<_>>>()?;
                self.apply(op, &values, expr.ty)
            }
        }
    }

    /// The result of `op`, on the machine that runs.
    pub(super) fn apply(&self, op: Op, operands: &[Value<S, D>], ty: Type) -> Outcome<Value<S, D>> {
        let value = apply(op, operands, ty)?;
        Ok(if let Some(machine) = self.machine { machine.err(op, operands, value) } else { value })
    }

    fn part(&mut self, base: &Expr, index: &Expr, part: fn(usize) -> Part) -> Outcome<Value<S, D>> {
        let value = self.eval(base)?;
        let number = self.part_number(index, base.ty)?;
        value.part(part(number)).ok_or_else(|| unexpected(base))
    }

    pub(super) fn eval_bool(&mut self, expr: &Expr) -> Outcome<bool> {
        if let Value::Bool(value) = self.eval(expr)? { Ok(value) } else { Err(unexpected(expr)) }
    }

    pub(super) fn eval_integer(&mut self, expr: &Expr) -> Outcome<i128> {
        self.eval(expr)?.as_integer().ok_or_else(|| unexpected(expr))
    }

    pub(super) fn eval_index(&mut self, expr: &Expr) -> Outcome<usize> {
        self.eval_integer(expr).map(|value| value as usize)
    }
}

/// The check of types makes sure that this does not happen.
fn unexpected(expr: &Expr) -> String {
    format!("a value of type {} is used as another", expr.ty.rust_name())
}
