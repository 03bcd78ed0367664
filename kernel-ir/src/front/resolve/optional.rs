//! Resolution of the tests of optional arrays.
//!
//! An optional array has no other use than a test. `if let Some(m) = z` and `let Some(m) = z else { … }` bind a second
//! name of the array, under which it is an array like any other. So no later stage distinguishes the two, except for
//! the test itself, [`hir::ExprKind::Present`].

use super::super::hir;
use super::super::infer::About;
use super::super::syntax::{plain_name, ungrouped};
use super::{Binding, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{ParamId, Span, Type};
use crate::ops::Syntax;

impl Resolver<'_> {
    /// Reports the use of an array that may be absent.
    pub(super) fn may_be_absent(&mut self, array: ParamId, span: Span) -> hir::Expr {
        let param = self.param(array);
        let name = &param.name;
        let diagnostic = Diagnostic::new(span, format!("the array `{name}` may be absent"))
            .related(param.span, "declared here")
            .help(format!("test it: `if let Some({name}) = {name} {{ … }}`"));
        self.error(diagnostic)
    }

    /// The optional array that `expr` names, or borrows: `z`, `&z`, `&mut z`, `z.as_deref_mut()` and the like.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn optional_array(&self, expr: &syn::Expr) -> Option<ParamId> {
        match ungrouped(expr) {
            syn::Expr::Path(path) => match self.lookup(&plain_name(path.path.get_ident()?)) {
                Some(Binding::Optional(array)) => Some(array),
                _ => None,
            },
            syn::Expr::Reference(reference) => self.optional_array(&reference.expr),
            syn::Expr::MethodCall(call) if call.args.is_empty() => {
                let borrows = ["as_ref", "as_mut", "as_deref", "as_deref_mut"];
                let is_borrow = borrows.iter().any(|method| call.method == method);
                self.optional_array(&call.receiver).filter(|_| is_borrow)
            }
            _ => None,
        }
    }

    /// `z.is_some()` or `z.is_none()`.
    pub(super) fn presence_method(&mut self, name: &str, call: &syn::ExprMethodCall, span: Span) -> Option<hir::Expr> {
        let array = self.optional_array(&call.receiver).filter(|_| call.args.is_empty())?;
        match name {
            "is_some" => Some(self.present(array, span)),
            "is_none" => Some(self.absent(array, span)),
            _ => None,
        }
    }

    /// The condition of an `if`, with `let Some(m) = z` anywhere between its `&&`. Binds `m` in the current scope.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn unwrapping_condition(&mut self, cond: &syn::Expr) -> hir::Expr {
        match cond {
            syn::Expr::Let(test) => self.unwrap_in(test),
            syn::Expr::Binary(both) if matches!(both.op, syn::BinOp::And(_)) && has_let(cond) => {
                let span = self.span(both);
                let operands = [&both.left, &both.right].map(|side| {
                    let side = self.unwrapping_condition(side);
                    let ty = self.value(&side);
                    (side, ty)
                });
                self.op(Syntax::Infix("&&"), About::Infix("&&"), operands.into(), span)
            }
            _ => self.condition(cond),
        }
    }

    /// `let Some(m) = z` in the condition of an `if`. Binds `m` in the current scope.
    fn unwrap_in(&mut self, test: &syn::ExprLet) -> hir::Expr {
        let span = self.span(test);
        match self.unwrap(&test.pat, &test.expr, span) {
            Some(array) => self.present(array, span),
            None => hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span },
        }
    }

    /// `let Some(m) = z else { return };`
    pub(super) fn let_else(
        &mut self,
        pat: &syn::Pat,
        value: &syn::Expr,
        diverge: &syn::Expr,
        span: Span,
        stmts: &mut Vec<hir::Stmt>,
    ) {
        // The block does not see the name.
        let other = self.expr(diverge);
        let Some(array) = self.unwrap(pat, value, span) else { return };
        if !other.diverges() {
            let diagnostic = Diagnostic::new(other.span, "the `else` of a `let` must leave the code after it");
            self.report(diagnostic.help("end it with `return`, `break` or `continue`"));
        }
        let cond = Box::new(self.absent(array, span));
        let then = hir::Block { stmts: Vec::new(), tail: Some(Box::new(other)) };
        let kind =
            hir::StmtKind::Expr(hir::Expr { kind: hir::ExprKind::If { cond, then, other: None }, ty: None, span });
        stmts.push(hir::Stmt { kind, span });
    }

    /// Binds the name in the pattern `Some(name)` to the optional array that `value` names, and returns the array.
    /// Reports a mistake if they have other forms.
    fn unwrap(&mut self, pat: &syn::Pat, value: &syn::Expr, span: Span) -> Option<ParamId> {
        let Some(array) = self.optional_array(value) else {
            let diagnostic = Diagnostic::new(span, "this `let` is not in the kernel language")
                .note("a pattern that may not match is for optional arrays: `let Some(z) = z`")
                .help("compare with `==`, or write a `match`");
            self.report(diagnostic);
            self.bind_broken(pat);
            return None;
        };
        match name_in_some(pat) {
            Some(name) => self.bind(plain_name(name), Binding::Array(array)),
            None => {
                let (at, name) = (self.span(pat), self.param(array).name.clone());
                let diagnostic =
                    Diagnostic::new(at, format!("the pattern for `{name}` must be `Some` of a plain name"));
                self.report(diagnostic.help(format!("write `Some({name})`, or test `{name}.is_some()`")));
                self.bind_broken(pat);
            }
        }
        Some(array)
    }

    fn present(&mut self, array: ParamId, span: Span) -> hir::Expr {
        hir::Expr { kind: hir::ExprKind::Present(array), ty: Some(self.infer.known(Type::BOOL)), span }
    }

    fn absent(&mut self, array: ParamId, span: Span) -> hir::Expr {
        let (present, ty) = (self.present(array, span), self.infer.known(Type::BOOL));
        self.op(Syntax::Prefix("!"), About::Prefix("!"), vec![(present, ty)], span)
    }
}

/// Whether a condition has a `let` between its `&&`.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
fn has_let(cond: &syn::Expr) -> bool {
    match cond {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(both) => {
            matches!(both.op, syn::BinOp::And(_)) && (has_let(&both.left) || has_let(&both.right))
        }
        _ => false,
    }
}

/// The name in the pattern `Some(name)`.
fn name_in_some(pat: &syn::Pat) -> Option<&syn::Ident> {
    let syn::Pat::TupleStruct(some) = pat else { return None };
    let syn::Pat::Ident(name) = some.elems.first().filter(|_| some.elems.len() == 1)? else { return None };
    let is_some = some.path.segments.last().is_some_and(|last| last.ident == "Some");
    let is_plain = name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none();
    (is_some && is_plain).then_some(&name.ident)
}
