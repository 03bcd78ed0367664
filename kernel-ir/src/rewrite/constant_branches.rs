//! Branches on constants: an instance of a generic kernel runs one side of `if SUM { … } else { … }` only.
//!
//! What the other side does has no derivative that anyone asks for, and no threads that meet.

#![expect(clippy::wildcard_enum_match_arm, reason = "what has no rule here is not constant")]

use crate::ir::{Block, Expr, ExprKind, Kernel, Literal, LocalMap, Stmt, StmtKind, Type};
use crate::ops::Op;
use std::cmp::Ordering;

/// Replaces every `if` on a constant by the side that it takes, and removes loops whose condition is `false`.
///
/// Constants are literals, immutable locals that are set to constants, and comparisons and sums of constants.
pub(crate) fn take_constant_branches(kernel: &mut Kernel) {
    let is_mutable = kernel.locals.iter().map(|local| local.mutable).collect();
    Constants { of_locals: LocalMap::default(), is_mutable }.block(&mut kernel.body);
}

/// A number or a truth value that is known when a kernel is compiled.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Constant {
    Bool(bool),
    Integer(i128),
    Float(f64),
}

struct Constants {
    /// The values of locals that are constants.
    of_locals: LocalMap<Constant>,
    /// Whether each local is mutable.
    is_mutable: Vec<bool>,
}

impl Constants {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for stmt in std::mem::take(block) {
            self.stmt(stmt, &mut out);
            if out.last().is_some_and(Stmt::is_jump) {
                break;
            }
        }
        *block = out;
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Block) {
        stmt.exprs_mut().for_each(|expr| self.select(expr));
        match stmt.kind {
            StmtKind::If { cond, mut then, mut other } => {
                let taken = match self.truth(&cond) {
                    Some(true) => &mut then,
                    Some(false) => &mut other,
                    None => {
                        self.block(&mut then);
                        self.block(&mut other);
                        out.push(Stmt { kind: StmtKind::If { cond, then, other }, span: stmt.span });
                        return;
                    }
                };
                self.block(taken);
                out.append(taken);
            }
            StmtKind::While { cond, .. } if self.truth(&cond) == Some(false) => {}
            mut kind => {
                if let StmtKind::Let { local, init: Some(init) } = &kind
                    && self.is_mutable.get(local.0 as usize) == Some(&false)
                    && let Some(value) = self.value(init)
                {
                    self.of_locals.insert(*local, value);
                }
                if let StmtKind::For { body, .. } | StmtKind::While { body, .. } = &mut kind {
                    self.block(body);
                }
                out.push(Stmt { kind, span: stmt.span });
            }
        }
    }

    /// Takes the sides of the `if` expressions on constants in `expr`.
    fn select(&self, expr: &mut Expr) {
        let taken = |expr: &Expr| match &expr.kind {
            ExprKind::Select { cond, then, other } => {
                let mut taken = Expr::clone(if self.truth(cond)? { then } else { other });
                self.select(&mut taken);
                Some(taken)
            }
            _ => None,
        };
        expr.replace(&mut |expr| taken(expr));
    }

    fn truth(&self, cond: &Expr) -> Option<bool> {
        match self.value(cond)? {
            Constant::Bool(truth) => Some(truth),
            _ => None,
        }
    }

    fn value(&self, expr: &Expr) -> Option<Constant> {
        match &expr.kind {
            ExprKind::Literal(Literal::Bool(truth)) => Some(Constant::Bool(*truth)),
            ExprKind::Literal(number) => {
                let integer = number.as_integer().map(Constant::Integer);
                integer.or_else(|| number.as_float().map(Constant::Float))
            }
            ExprKind::Local(local) => self.of_locals.get(*local).copied(),
            ExprKind::Cast(inner) if inner.ty.scalar().is_integer() => in_range(self.value(inner)?, expr.ty),
            ExprKind::Op(op, args) => match args.as_slice() {
                [a] => in_range(negated(*op, self.value(a)?)?, expr.ty),
                // One operand may decide alone.
                [a, b] if matches!(op, Op::And | Op::Or) => connected(*op, self.truth(a), self.truth(b)),
                [a, b] => {
                    let (a, b) = (self.value(a)?, self.value(b)?);
                    in_range(compared(*op, a, b).or_else(|| arithmetic(*op, a, b))?, expr.ty)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// The value, if it is one of the type `ty`: what overflows is not constant.
fn in_range(value: Constant, ty: Type) -> Option<Constant> {
    match value {
        Constant::Integer(number) => Literal::int(number, ty).map(|_| value),
        Constant::Bool(_) | Constant::Float(_) => Some(value),
    }
}

fn negated(op: Op, value: Constant) -> Option<Constant> {
    match (op, value) {
        (Op::Not, Constant::Bool(truth)) => Some(Constant::Bool(!truth)),
        (Op::Neg, Constant::Integer(number)) => Some(Constant::Integer(-number)),
        (Op::Neg, Constant::Float(number)) => Some(Constant::Float(-number)),
        _ => None,
    }
}

/// `a && b` or `a || b`, where some operands are known.
fn connected(op: Op, a: Option<bool>, b: Option<bool>) -> Option<Constant> {
    let decisive = op == Op::Or;
    let result = match (a, b) {
        (Some(a), _) if a == decisive => decisive,
        (_, Some(b)) if b == decisive => decisive,
        (Some(_), Some(_)) => !decisive,
        _ => return None,
    };
    Some(Constant::Bool(result))
}

fn arithmetic(op: Op, a: Constant, b: Constant) -> Option<Constant> {
    let (Constant::Integer(a), Constant::Integer(b)) = (a, b) else { return None };
    let number = match op {
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        Op::Mul => a.checked_mul(b),
        Op::Div => a.checked_div(b),
        Op::Rem => a.checked_rem(b),
        Op::BitAnd => Some(a & b),
        _ => None,
    };
    number.map(Constant::Integer)
}

fn compared(op: Op, a: Constant, b: Constant) -> Option<Constant> {
    let order = match (a, b) {
        (Constant::Bool(a), Constant::Bool(b)) => a.cmp(&b),
        (Constant::Integer(a), Constant::Integer(b)) => a.cmp(&b),
        // `None` of a NaN: no side is taken.
        (Constant::Float(a), Constant::Float(b)) => a.partial_cmp(&b)?,
        _ => return None,
    };
    let result = match op {
        Op::Eq => order == Ordering::Equal,
        Op::Ne => order != Ordering::Equal,
        Op::Lt => order == Ordering::Less,
        Op::Le => order != Ordering::Greater,
        Op::Gt => order == Ordering::Greater,
        Op::Ge => order != Ordering::Less,
        _ => return None,
    };
    Some(Constant::Bool(result))
}
