//! Derivative rules of operations, instantiated for operand types.
//!
//! The table of operations holds the rules as formulas. A formula is instantiated once per thread and combination of
//! types, and cached. Each rule multiplies an adjoint with a derivative by a strong product, in which a zero adjoint
//! gives 0 even if the derivative is infinite or NaN. Where the derivative is provably finite, [`Template::over`]
//! replaces the strong product by the plain product, which is equal there and cheaper.

use super::analyze::magnitude;
use crate::ir::{Expr, ExprKind, Literal, LocalId, Type};
use crate::ops::{self, Key, KeyMap, Op};
use std::cell::RefCell;
use std::rc::Rc;

/// The rules of one operation for certain operand types.
#[derive(Debug)]
pub(super) struct Rules {
    /// The vector-Jacobian product for each operand; `None` if the operand carries no derivative.
    pub(super) vjps: Vec<Option<Template>>,
}

/// The vector-Jacobian product for one operand, over the placeholders of [`ops::pullback`].
#[derive(Debug)]
pub(super) struct Template {
    rule: Expr,
    /// The number of uses of each placeholder: the operands, the result, the adjoint.
    uses: Vec<usize>,
    /// Whether the rule contains a `Select`.
    chooses: bool,
}

/// The rules of `op` for these operands and a result of type `ret`.
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

    /// Whether the rule reads the placeholder `place`.
    pub(super) fn reads(&self, place: usize) -> bool {
        self.uses[place] > 0
    }

    /// The number of times that the rule reads the adjoint of the result. A caller binds the adjoint to a local if the
    /// sum over the operands exceeds 1.
    pub(super) fn uses_of_adjoint(&self) -> usize {
        self.uses.last().copied().unwrap_or(0)
    }

    /// Substitutes the placeholders: `values` are the operands and the result (those that the rule reads are present),
    /// and `adjoint` is the adjoint of the result. `magnitudes` are upper bounds of the absolute values of `values`,
    /// where known; they allow plain products. `None` keeps every guard.
    pub(super) fn over(&self, values: &[Option<Expr>], magnitudes: Option<&[Option<f64>]>, adjoint: &Expr) -> Expr {
        let mut vjp = self.rule.clone();
        if let Some(magnitudes) = magnitudes {
            weaken(&mut vjp, &|local| magnitudes.get(local.0 as usize).copied().flatten());
        }
        vjp = vjp.copy_with(&mut |expr| match values.get(expr.local_read()?.0 as usize) {
            // The placeholder after operands and result is the adjoint: `values` ends before it.
            Some(value) => value.clone(),
            None => Some(adjoint.clone()),
        });
        if self.chooses {
            settle(&mut vjp);
        }
        vjp
    }
}

/// Replaces strong products whose derivative is provably finite by plain products, and strong quotients by a nonzero
/// constant by plain quotients.
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

/// Evaluates `Select`s whose condition is decided by literals, and the comparisons, subtractions and casts that lead to
/// them. Such conditions arise in the slope of `x.powi(3)` and in the adjoint of a matrix row.
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
                // The cast of a larger integer would round, and rounding is left to the program.
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
