//! The derivative rules of operations, ready for use.
//!
//! The table has them as formulas. What a formula comes to for given types is found once a thread. A zero in an adjoint is strong
//! in all of them; where a derivative is surely finite the plain product is the same, and takes its place.

use super::analyze::magnitude;
use crate::ir::{Expr, ExprKind, Literal, LocalId, Type};
use crate::ops::{self, Key, KeyMap, Op};
use std::cell::RefCell;
use std::rc::Rc;

/// The rules of one operation for operands of certain types.
#[derive(Debug)]
pub(super) struct Rules {
    /// What the adjoint of the result means for that of each operand; `None` if it carries no derivative.
    pub(super) vjps: Vec<Option<Template>>,
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
        let rules = ops::pullback(op, operands, ret).into_iter();
        Rules { vjps: rules.map(|rule| rule.map(|rule| Template::new(rule, operands.len()))).collect() }
    }
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

    /// How often the rule names the adjoint of the result.
    pub(super) fn uses_of_adjoint(&self) -> usize {
        self.uses.last().copied().unwrap_or(0)
    }

    /// The rule over the operands and the result, `values`, of which those are there that it reads, and the adjoint of the
    /// result. `magnitudes`: what they do not exceed, as far as that is known; `None` to guard every product.
    pub(super) fn over(&self, values: &[Option<Expr>], magnitudes: Option<&[Option<f64>]>, adjoint: &Expr) -> Expr {
        let mut vjp = self.rule.clone();
        if let Some(magnitudes) = magnitudes {
            weaken(&mut vjp, &|local| magnitudes.get(local.0 as usize).copied().flatten());
        }
        vjp = vjp.copy_with(&mut |expr| match values.get(expr.local_read()?.0 as usize) {
            Some(value) => value.clone(),
            None => Some(adjoint.clone()),
        });
        if self.chooses {
            settle(&mut vjp);
        }
        vjp
    }
}

/// Makes plain products of those whose derivative is surely finite, and plain quotients of those by a constant.
fn weaken(vjp: &mut Expr, known: &dyn Fn(LocalId) -> Option<f64>) {
    vjp.children_mut().for_each(|part| weaken(part, known));
    let ExprKind::Op(op @ (Op::StrongMul | Op::StrongDiv), args) = &mut vjp.kind else { return };
    let [g, derivative] = args.as_slice() else { return };
    let is_plain = derivative.ty.is_scalar() || (derivative.ty == g.ty && g.ty.is_vector());
    let is_finite = magnitude::of(derivative, known).is_some_and(|most| most <= magnitude::largest(derivative.ty));
    let is_exact = if *op == Op::StrongMul { is_plain } else { magnitude::is_constant_but_zero(derivative) };
    if is_finite && is_exact {
        *op = op.plain().expect("a strong operation");
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
