//! Resolution of unary, binary and compound assignment operators.

use super::super::hir;
use super::super::infer::{About, TypeVar, of_table};
use super::super::items::Missing;
use super::super::links::DeviceCode;
use super::super::syntax::ungrouped;
use super::Resolver;
use super::arguments::Argument;
use crate::diag::Diagnostic;
use crate::ir::{Callee, ScalarSet, Span, Type, TypeSet};
use crate::ops::{OpDef, Syntax, TABLE};
use syn::BinOp;

/// The operations of the table that are written as `syntax`.
pub(super) fn written(syntax: Syntax) -> impl Iterator<Item = &'static OpDef> {
    TABLE.iter().filter(move |def| def.rust == syntax)
}

/// The symbol of an operator, and whether it is a compound assignment.
fn symbol(op: &BinOp) -> Option<(&'static str, bool)> {
    Some(match op {
        BinOp::Add(_) => ("+", false),
        BinOp::Sub(_) => ("-", false),
        BinOp::Mul(_) => ("*", false),
        BinOp::Div(_) => ("/", false),
        BinOp::Rem(_) => ("%", false),
        BinOp::And(_) => ("&&", false),
        BinOp::Or(_) => ("||", false),
        BinOp::BitXor(_) => ("^", false),
        BinOp::BitAnd(_) => ("&", false),
        BinOp::BitOr(_) => ("|", false),
        BinOp::Shl(_) => ("<<", false),
        BinOp::Shr(_) => (">>", false),
        BinOp::Eq(_) => ("==", false),
        BinOp::Lt(_) => ("<", false),
        BinOp::Le(_) => ("<=", false),
        BinOp::Ne(_) => ("!=", false),
        BinOp::Ge(_) => (">=", false),
        BinOp::Gt(_) => (">", false),
        BinOp::AddAssign(_) => ("+", true),
        BinOp::SubAssign(_) => ("-", true),
        BinOp::MulAssign(_) => ("*", true),
        BinOp::DivAssign(_) => ("/", true),
        BinOp::RemAssign(_) => ("%", true),
        BinOp::BitXorAssign(_) => ("^", true),
        BinOp::BitAndAssign(_) => ("&", true),
        BinOp::BitOrAssign(_) => ("|", true),
        BinOp::ShlAssign(_) => ("<<", true),
        BinOp::ShrAssign(_) => (">>", true),
        _ => return None,
    })
}

impl Resolver<'_> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary) -> hir::Expr {
        let span = self.span(unary);
        let symbol = match unary.op {
            syn::UnOp::Neg(_) => {
                // `-128` must be one literal: the magnitude of the smallest integer does not fit its type.
                if let syn::Expr::Lit(literal) = ungrouped(&unary.expr)
                    && matches!(literal.lit, syn::Lit::Int(_) | syn::Lit::Float(_))
                {
                    let value = self.literal(&literal.lit, true);
                    return hir::Expr { span, ..value };
                }
                "-"
            }
            syn::UnOp::Not(_) => "!",
            _ if self.lent_value(&unary.expr).is_some() => return self.expr(&unary.expr),
            _ => {
                return self
                    .error(Diagnostic::new(span, "references are not in the kernel language").help("remove the `*`"));
            }
        };
        let operand = self.expr(&unary.expr);
        let ty = self.value(&operand);
        if symbol == "-"
            && self.known.has_negations()
            && let Some(of) = self.settled(ty)
            && let Some(callee) = self.known.negation(of, self.spans)
        {
            return self.operator_call(symbol, callee, vec![(operand, of)], span);
        }
        self.op(Syntax::Prefix(symbol), About::Prefix(symbol), vec![(operand, ty)], span)
    }

    pub(super) fn binary(&mut self, binary: &syn::ExprBinary) -> hir::Expr {
        let span = self.span(binary);
        let Some((symbol, assigns)) = symbol(&binary.op) else {
            return self.error(
                Diagnostic::new(span, "this operator is not in the kernel language")
                    .help("docs/operations.md lists all operations"),
            );
        };
        if assigns {
            return self.update(symbol, binary, span);
        }
        let left = self.expr(&binary.left);
        let left_ty = self.value(&left);
        let (right, right_ty) = self.right_side(symbol, &binary.right, left_ty);
        if let Some((of_left, of_right)) = self.operands_of_structs(symbol, left_ty, right_ty)
            && let Some(callee) = self.known.operator(symbol, of_left, of_right, self.spans)
        {
            return self.operator_call(symbol, callee, vec![(left, of_left), (right, of_right)], span);
        }
        let operands = self.comparable(symbol, (left, left_ty), (right, right_ty));
        self.op(Syntax::Infix(symbol), About::Infix(symbol), operands, span)
    }

    /// The types of the operands, if an operator of a device struct takes them.
    fn operands_of_structs(&mut self, symbol: &str, left: TypeVar, right: TypeVar) -> Option<(Type, Type)> {
        let known = self.known.operands_of(symbol);
        if known.is_empty() {
            return None;
        }
        let of_struct = [self.settled(left), self.settled(right)].into_iter().flatten().find(|ty| ty.is_struct())?;
        // A literal has no type yet, and takes that of the operator.
        known.into_iter().find(|(of_left, of_right)| {
            [*of_left, *of_right].contains(&of_struct)
                && self.infer.may_be(left, *of_left)
                && self.infer.may_be(right, *of_right)
        })
    }

    /// The call of an operator of a device struct.
    fn operator_call(
        &mut self,
        symbol: &str,
        callee: Result<DeviceCode, Missing>,
        operands: Vec<(hir::Expr, Type)>,
        span: Span,
    ) -> hir::Expr {
        let function = match callee {
            Ok(DeviceCode::Function(function)) => function,
            // An operator changes no array, as it takes none.
            Ok(DeviceCode::Procedure(_)) => return self.missing(Missing::HasMistakes, symbol, span),
            Err(missing) => return self.missing(missing, symbol, span),
        };
        let ty = Some(self.known_type(function.ret));
        let args = operands.into_iter().map(|(operand, ty)| {
            let (wanted, found) = (self.infer.known(ty), self.value(&operand));
            self.equate(wanted, found, operand.span);
            operand
        });
        let args = args.collect();
        hir::Expr { kind: hir::ExprKind::Call { callee: Callee::of_values(function), args }, ty, span }
    }

    fn update(&mut self, symbol: &'static str, binary: &syn::ExprBinary, span: Span) -> hir::Expr {
        let place = self.place(&binary.left);
        let place_ty = self.value(&place);
        let (value, value_ty) = self.right_side(symbol, &binary.right, place_ty);
        let assigning = format!("{symbol}=");
        if let Some((of_left, of_right)) = self.operands_of_structs(&assigning, place_ty, value_ty)
            && let Some(callee) = self.known.operator(&assigning, of_left, of_right, self.spans)
        {
            let right_ty = self.infer.known(of_right);
            self.equate(right_ty, value_ty, value.span);
            let args = vec![Argument::Place(place), Argument::Receiver(value)];
            return self.device_call(&assigning, callee, args, span);
        }
        let value = match self.shape_of(&place) {
            Some(shape) if self.shape_of(&value).is_some() => self.as_shape(value, shape),
            _ => value,
        };
        let result = place_ty;
        let rows = of_table(Syntax::Infix(symbol), 2).to_vec();
        let constraint = self.infer.constrain(vec![place_ty, value_ty, result], rows, About::Infix(symbol), span);
        let (place, value) = (Box::new(place), Box::new(value));
        hir::Expr { kind: hir::ExprKind::Update { constraint, place, value }, ty: None, span }
    }

    /// The right operand. Rust shifts by any integer type, while the table requires the type of the left operand, so
    /// another type is cast. An unsuffixed literal takes the type of the left operand by inference.
    fn right_side(&mut self, symbol: &str, right: &syn::Expr, left_ty: TypeVar) -> (hir::Expr, TypeVar) {
        let value = self.expr(right);
        let ty = self.value(&value);
        if !matches!(symbol, "<<" | ">>") || value.literal_type().is_some() {
            return (value, ty);
        }
        let span = value.span;
        let integers = self.infer.var(TypeSet::scalars(ScalarSet::INTEGERS));
        if self.infer.equate(integers, ty, span).is_some() {
            let error =
                Diagnostic::new(span, "the distance of a shift must be an integer").help("convert it with `as u32`");
            return (self.error(error), self.infer.broken());
        }
        (hir::Expr { kind: hir::ExprKind::Cast(Box::new(value)), ty: Some(left_ty), span }, left_ty)
    }

    /// An operation that is written as `syntax`.
    pub(super) fn op(
        &mut self,
        syntax: Syntax,
        about: About,
        operands: Vec<(hir::Expr, TypeVar)>,
        span: Span,
    ) -> hir::Expr {
        let result = self.infer.any();
        self.op_giving(result, syntax, about, operands, span)
    }

    /// An operation that is written as `syntax`, with a result of type `result`.
    pub(super) fn op_giving(
        &mut self,
        result: TypeVar,
        syntax: Syntax,
        about: About,
        operands: Vec<(hir::Expr, TypeVar)>,
        span: Span,
    ) -> hir::Expr {
        let mut operands = operands;
        if self.tiles {
            self.of_one_shape(&mut operands);
        }
        let rows = of_table(syntax, operands.len()).to_vec();
        let (args, mut vars): (Vec<hir::Expr>, Vec<TypeVar>) = operands.into_iter().unzip();
        vars.push(result);
        let constraint = self.infer.constrain(vars, rows, about, span);
        hir::Expr { kind: hir::ExprKind::Op { constraint, args }, ty: Some(result), span }
    }
}
