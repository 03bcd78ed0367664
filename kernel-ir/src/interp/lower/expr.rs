//! Lowers expressions.
//!
//! Operations that only move numbers, such as constructing and taking apart vectors and matrices, are resolved here by
//! register numbers. Componentwise operations on vectors become operations on scalars. Other operations are traced to
//! scalar operations or applied thread by thread.

use super::place::Target;
use super::{Bound, Lowering, listed, one};
use crate::analysis::cannot_fail;
use crate::interp::ops::is_arithmetic;
use crate::interp::program::{Apply, Instr, Mode, Operand, ScalarOp, Source, Step};
use crate::ir::{Expr, ExprKind, Literal, Scalar, Shape, Type};
use crate::ops::{Accuracy, Op};
use crate::text;

/// The largest number of operations of an expression that is computed speculatively for all threads.
const CHEAP: usize = 12;

impl<'a> Lowering<'a> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, expr: &'a Expr) -> Operand {
        let ty = expr.ty;
        match &expr.kind {
            ExprKind::Literal(value) => one(ty, self.constant(*value)),
            ExprKind::Local(local) => self.local(*local),
            ExprKind::LocalElement { local, index } => {
                let (first, at) = self.slot(*local, index);
                self.load(&Target::Indexed(first, at), ty)
            }
            ExprKind::Param(param) => match self.frame.params.get(param.0 as usize) {
                Some(Bound::Value(value)) => value.clone(),
                Some(Bound::Array(_)) | None => {
                    let mut value = one(ty, 0);
                    for ((place, reg), of) in (0..).zip(&mut value.regs[..ty.components()]).zip(ty.scalars()) {
                        *reg = self.preset(Source::Param(*param, place), of);
                    }
                    value
                }
            },
            ExprKind::Tid(axis) => one(ty, self.preset(Source::Tid(*axis), Scalar::Index)),
            ExprKind::Extent { array, axis } => {
                let array = self.array(*array);
                one(ty, self.preset(Source::Extent(array, *axis), Scalar::Index))
            }
            ExprKind::Present(array) => {
                let array = self.array(*array);
                one(ty, self.preset(Source::Present(array), Scalar::Bool))
            }
            ExprKind::Load { array, index } => {
                let spot = self.spot(*array, index);
                self.load(&Target::Element(spot), ty)
            }
            ExprKind::Op(op, args) => match args.as_slice() {
                [a, b] if op.is_lazy() => self.lazy(*op, a, b),
                args => {
                    let operands: Vec<Operand> = args.iter().map(|arg| self.expr(arg)).collect();
                    let is_exact = op.accuracy() == Accuracy::Exact || !ty.is_float();
                    let mode = if is_exact { Mode::Exact } else { Mode::Inexact };
                    match (op, args) {
                        // A row with a constant number only selects registers. A matrix is stored by columns.
                        (Op::Row, [_, Expr { kind: ExprKind::Literal(Literal::Index(row)), .. }]) => {
                            let rows = usize::from(operands[0].ty.part().parts());
                            listed(ty, |j| operands[0].regs[j * rows + *row as usize])
                        }
                        _ => {
                            if op.plain().is_some() {
                                self.strong.push(text::print_expr(self.frame.code, expr));
                            }
                            self.operation(*op, &operands, ty, mode)
                        }
                    }
                }
            },
            ExprKind::Call(callee, args) => {
                let args: Vec<Operand> = args.iter().map(|arg| self.expr(arg)).collect();
                let arrays = callee.arrays.iter().map(|array| self.array(*array)).collect();
                self.call(&callee.function, arrays, &args)
            }
            ExprKind::Cast(inner) => {
                let src = self.expr(inner).regs[0];
                let (from, to) = (inner.ty.scalar(), ty.scalar());
                if from == to {
                    return one(ty, src);
                }
                let dst = self.register(to);
                self.push(Instr::Cast { from, to, dst, src });
                one(ty, dst)
            }
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => self.part(base, index),
            ExprKind::Field(base, number) => self.field(base, *number),
            ExprKind::Tile(..) => unreachable!("{}", Type::NO_TILES),
            ExprKind::Struct(fields) => {
                let regs = fields.iter().flat_map(|field| self.expr(field).regs).collect();
                Operand { ty, regs }
            }
            ExprKind::Select { cond, then, other } => self.select(cond, then, other),
        }
    }

    fn select(&mut self, cond: &'a Expr, then: &'a Expr, other: &'a Expr) -> Operand {
        let (cond, ty) = (self.expr(cond).regs[0], then.ty);
        if is_cheap(then) && is_cheap(other) {
            let (then, other, result) = (self.expr(then), self.expr(other), self.temporaries(ty));
            for (place, of) in ty.scalars().enumerate() {
                let [dst, then, other] = [&result, &then, &other].map(|value| value.regs[place]);
                self.push(Instr::Select { of, cond, dst, then, other });
            }
            return result;
        }
        let result = self.temporaries(ty);
        let [then, other] = [then, other].map(|side| self.side(side, &result));
        self.steps.push(Step::If { cond, then, other });
        result
    }

    /// The steps that store the value of `side` in `result`, for the threads that take the side.
    fn side(&mut self, side: &'a Expr, result: &Operand) -> Vec<Step> {
        let (steps, ()) = self.steps_of(|this| {
            let value = this.expr(side);
            this.assign(result, &value, true);
        });
        steps
    }

    /// Lowers `a && b` or `a || b`.
    fn lazy(&mut self, op: Op, a: &'a Expr, b: &'a Expr) -> Operand {
        let a = self.expr(a);
        if is_cheap(b) {
            let b = self.expr(b);
            return self.operation(op, &[a, b], Type::BOOL, Mode::Exact);
        }
        let result = self.copied(&a);
        let steps = self.side(b, &result);
        let (then, other) = if op == Op::And { (steps, Vec::new()) } else { (Vec::new(), steps) };
        self.steps.push(Step::If { cond: a.regs[0], then, other });
        result
    }

    /// Lowers the operation `op` with a result of type `ty`.
    pub(super) fn operation(&mut self, op: Op, args: &[Operand], ty: Type, mode: Mode) -> Operand {
        if let Some(moved) = self.moved(op, args, ty) {
            return moved;
        }
        // An operation on states of random generators has operands of several types, so it is applied as a whole.
        let scalars = args.len() <= 3 && ty.is_scalar() && args.iter().all(|arg| arg.ty.is_scalar()) && !op.is_random();
        // Operations on vectors consist of IEEE operations, so models perturb them by component only.
        let mode = if scalars { mode } else { Mode::Component };
        if scalars || is_by_component(op, args, ty) {
            let result = self.temporaries(ty);
            for place in 0..ty.components() {
                let scalar = |arg: &Operand| arg.regs[if arg.ty.is_scalar() { 0 } else { place }];
                let first = scalar(&args[0]);
                let args_of = std::array::from_fn(|arg| args.get(arg).map_or(first, scalar));
                let of = args[0].ty.scalar();
                let number = args.get(1).map(|arg| arg.ty.scalar()).filter(|second| *second != of);
                let (count, dst) = (args.len() as u8, result.regs[place]);
                // The scalar is the second factor of each entry, whatever order the author wrote.
                let args = if matches!(args, [a, b] if a.ty.is_scalar() && b.ty.is_matrix()) {
                    let [a, b, c] = args_of;
                    [b, a, c]
                } else {
                    args_of
                };
                let origin = self.origin();
                self.push(Instr::Op(ScalarOp { op, of, number, count, mode, dst, args, origin }));
            }
            return result;
        }
        if let Some(traced) = self.traced(op, args, ty) {
            return traced;
        }
        let result = self.temporaries(ty);
        // An operation without a scalar form is applied thread by thread.
        self.push(Instr::Apply(Box::new(Apply { op, args: args.to_vec(), result: result.clone() })));
        result
    }

    /// The result of an operation that only moves numbers; `None` for other operations.
    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not listed of all operations is meant")]
    fn moved(&mut self, op: Op, args: &[Operand], ty: Type) -> Option<Operand> {
        let scalars = || args.iter().flat_map(|arg| arg.regs().iter().copied());
        match op {
            Op::VecNew | Op::QuatNew | Op::Extend => {}
            Op::MatFromCols | Op::Truncate => {}
            Op::Splat => return Some(one(ty, args[0].regs[0])),
            Op::Transpose => {
                let (rows, columns) = (usize::from(ty.part().parts()), usize::from(ty.parts()));
                return Some(listed(ty, |place| args[0].regs[place % rows * columns + place / rows]));
            }
            Op::FromDiagonal => {
                let zero = if ty.scalar() == Scalar::F32 { Literal::f32(0.0) } else { Literal::f64(0.0) };
                let zero = self.constant(zero);
                let n = usize::from(ty.parts());
                return Some(listed(ty, |place| if place % n == place / n { args[0].regs[place % n] } else { zero }));
            }
            _ => return None,
        }
        let mut regs = scalars();
        let mut value = one(ty, 0);
        for reg in &mut value.regs[..ty.components()] {
            *reg = regs.next()?;
        }
        Some(value)
    }
}

/// Whether the operation is a scalar operation for each scalar of its result. A scalar operand applies to all of them.
fn is_by_component(op: Op, args: &[Operand], ty: Type) -> bool {
    let fits = |arg: &Operand| arg.ty == ty || arg.ty == Type::of(ty.scalar());
    let by_number = matches!(args, [_, b] if b.ty.is_scalar());
    args.iter().all(fits)
        && match ty.shape {
            Shape::Scalar | Shape::Struct(_) | Shape::Tile(..) => false,
            Shape::Vector(_) => is_arithmetic(op),
            Shape::Matrix(..) => {
                matches!(op, Op::Add | Op::Sub | Op::Neg) || op == Op::Mul && (by_number || args[0].ty.is_scalar())
            }
            Shape::Quat => matches!(op, Op::Add | Op::Sub) || matches!(op, Op::Mul | Op::Div) && by_number,
        }
}

/// Whether the expression may be evaluated speculatively, and is cheaper to evaluate than to branch around.
fn is_cheap(expr: &Expr) -> bool {
    let mut work = 0;
    let mut walk = |expr: &Expr| {
        work += match &expr.kind {
            ExprKind::Op(op, _) if op.accuracy() != Accuracy::Exact && op.accuracy().ulp().is_some() => 2 * CHEAP,
            // A speculative evaluation of a strong operation would report findings for threads that do not evaluate it.
            ExprKind::Op(op, _) if op.plain().is_some() => 2 * CHEAP,
            ExprKind::Op(..) => expr.ty.components(),
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => 0,
        };
    };
    expr.walk(&mut |expr| walk(expr));
    cannot_fail(expr) && work <= CHEAP
}
