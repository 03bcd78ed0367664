//! The derivative rules of operations, ready for use.
//!
//! The table has them as formulas. What a formula comes to for given types is found once a thread.

use crate::ir::{Expr, ExprKind, Literal, LocalId, Type};
use crate::ops::{self, Key, KeyMap, Op};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// The rules of one operation for operands of certain types.
#[derive(Debug)]
pub(super) struct Rules {
    /// What the adjoint of the result means for that of each operand; `None` if it carries no derivative.
    pub(super) vjps: Vec<Option<Template>>,
    /// Whether the operation, or its derivative, may be infinite or NaN for finite operands.
    pub(super) may_be_infinite: bool,
}

/// What the adjoint of the result means for that of one operand, over the placeholders of [`ops::pullback`].
#[derive(Debug)]
pub(super) struct Template {
    rule: Expr,
    /// How often the rule names each placeholder.
    uses: Vec<usize>,
    /// Whether there is a choice in it.
    chooses: bool,
}

/// The rules of `op` with these operands and a result of the type `ret`.
pub(super) fn of(op: Op, operands: &[Expr], ret: Type) -> Rc<Rules> {
    thread_local! {
        static KNOWN: RefCell<KeyMap<(Op, Key), Rc<Rules>>> = RefCell::default();
    }
    let find = || {
        let types: Vec<Type> = operands.iter().map(|operand| operand.ty).collect();
        Rc::new(Rules::new(op, &types, ret))
    };
    let key = (op, Key::new(operands.iter().map(|operand| operand.ty), ret));
    KNOWN.with_borrow_mut(|known| Rc::clone(known.entry(key).or_insert_with(find)))
}

impl Rules {
    fn new(op: Op, operands: &[Type], ret: Type) -> Rules {
        let count = operands.len();
        let rules = ops::pullback(op, operands, ret);
        let may_be_infinite = rules.iter().flatten().any(|rule| may_be_infinite(rule, count));
        let vjps = rules.into_iter().map(|rule| rule.map(|rule| Template::new(rule, count))).collect();
        Rules { vjps, may_be_infinite }
    }
}

/// Whether the rule of an operation with `count` operands says so. See [`Rules::may_be_infinite`].
fn may_be_infinite(rule: &Expr, count: usize) -> bool {
    let (result, adjoint) = (LocalId(count as u32), LocalId(count as u32 + 1));
    let mut grows = |expr: &Expr| match &expr.kind {
        // Divisors, and results in a product: those of exponentials overflow.
        ExprKind::Op(Op::Div | Op::Recip | Op::Powf | Op::Powi | Op::Exp | Op::Sinh | Op::Cosh, _) => true,
        ExprKind::Op(Op::Mul, args) => args.iter().any(|arg| arg.kind == ExprKind::Local(result)),
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Load { .. }
        | ExprKind::Op(..)
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Select { .. } => false,
    };
    rule.kind != ExprKind::Local(adjoint) && rule.any(&mut grows)
}

impl Template {
    /// The rule of an operation with `count` operands.
    fn new(rule: Expr, count: usize) -> Template {
        let mut uses = vec![0; count + 2];
        rule.walk(&mut |expr| {
            if let ExprKind::Local(LocalId(place)) = expr.kind {
                uses[place as usize] += 1;
            }
        });
        let chooses = rule.any(&mut |expr| matches!(expr.kind, ExprKind::Select { .. }));
        Template { rule, uses, chooses }
    }

    /// Whether the rule reads that placeholder.
    pub(super) fn reads(&self, place: usize) -> bool {
        self.uses[place] > 0
    }

    /// Whether the rule reads an operand or the result.
    pub(super) fn reads_values(&self) -> bool {
        self.uses.iter().rev().skip(1).any(|uses| *uses > 0)
    }

    /// How often the rule names the adjoint of the result.
    pub(super) fn uses_of_adjoint(&self) -> usize {
        self.uses.last().copied().unwrap_or(0)
    }

    /// The rule with the operands that are known in their places.
    pub(super) fn known(&self, operands: &[Option<Expr>]) -> Cow<'_, Expr> {
        if operands.iter().all(Option::is_none) {
            return Cow::Borrowed(&self.rule);
        }
        let mut rule = self.rule.copy_with(&mut |expr| operands.get(expr.local_read()?.0 as usize)?.clone());
        if self.chooses {
            settle(&mut rule);
        }
        Cow::Owned(rule)
    }

    /// The rule over the operands and the result, `values`, of which those are there that it reads, and the adjoint of the
    /// result.
    pub(super) fn over(&self, values: &[Option<Expr>], adjoint: &Expr) -> Expr {
        let mut vjp = self.rule.copy_with(&mut |expr| match values.get(expr.local_read()?.0 as usize) {
            Some(value) => value.clone(),
            None => Some(adjoint.clone()),
        });
        if self.chooses {
            settle(&mut vjp);
        }
        vjp
    }
}

/// Makes the choices that literals decide, as in the slope of `x.powi(3)` or of a row of a matrix, with what leads to them.
#[expect(clippy::wildcard_enum_match_arm, reason = "what else there is stays as it is")]
fn settle(expr: &mut Expr) {
    expr.children_mut().for_each(settle);
    let integer = |args: &[Expr], place: usize| args.get(place).and_then(Expr::as_integer);
    let settled = match &mut expr.kind {
        ExprKind::Op(op, args) => match (*op, integer(args, 0), integer(args, 1)) {
            (Op::Eq, Some(a), Some(b)) => Some(Expr::literal(Literal::Bool(a == b))),
            (Op::SaturatingSub, Some(a), Some(b)) => Literal::int(a - b, expr.ty).map(Expr::literal),
            _ => None,
        },
        ExprKind::Cast(inner) => inner.as_integer().and_then(|value| {
            match expr.ty {
                Type::F32 if value.abs() < 1 << f32::MANTISSA_DIGITS => Some(Literal::f32(value as f32)),
                Type::F64 if value.abs() < 1 << f64::MANTISSA_DIGITS => Some(Literal::f64(value as f64)),
                _ => None,
            }
            .map(Expr::literal)
        }),
        ExprKind::Select { cond, then, other } => match cond.kind {
            ExprKind::Literal(Literal::Bool(holds)) => {
                let side = if holds { then } else { other };
                Some(std::mem::replace(&mut **side, Expr::literal(Literal::Bool(holds))))
            }
            _ => None,
        },
        _ => None,
    };
    if let Some(settled) = settled {
        *expr = settled;
    }
}
