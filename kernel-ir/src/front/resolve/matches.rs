//! Resolution of `match`: a chain of `if`s over one value.
//!
//! The value is computed once, into a local, unless it already has a name that nothing can assign. Each arm becomes a
//! condition and a block; alternatives, ranges and guards become `||`, comparisons and `&&`. The last arm without a
//! guard becomes the `else`: rustc has checked that the arms cover all values, because the CPU version is the author's
//! `match`. A name in a pattern is another name of the value. Of an enum, the conditions compare the numbers.

use super::super::hir::{self, Origin};
use super::super::infer::{About, TypeVar};
use super::super::syntax::plain_name;
use super::{Binding, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{ScalarSet, Span, StructId, Type, TypeSet};
use crate::ops::Syntax;
use std::collections::HashMap;

/// The value that is matched, under a name that nothing assigns.
#[derive(Clone, Copy)]
struct Matched {
    binding: Binding,
    ty: TypeVar,
    /// The enum that it is a value of.
    of: Option<StructId>,
}

/// An arm.
struct Arm {
    /// `None` if the arm takes every value.
    cond: Option<hir::Expr>,
    has_guard: bool,
    body: hir::Block,
}

impl Resolver<'_> {
    pub(super) fn match_expr(&mut self, expr: &syn::ExprMatch) -> hir::Expr {
        let span = self.span(expr);
        let value = self.expr(&expr.expr);
        let ty = self.value(&value);
        let of = self.enum_of(&[ty]);
        let matchable = self.infer.var(TypeSet::scalars(ScalarSet::INTEGERS | ScalarSet::BOOL));
        let is_known = of.is_some() || self.infer.is_broken(ty);
        if !is_known && self.infer.equate(matchable, ty, value.span).is_some() {
            return self.error(
                Diagnostic::new(value.span, "`match` works on integers, `bool` and enums")
                    .help("compare other values with `if` / `else if` / `else`"),
            );
        }
        let (binding, stmts) = self.matched(value, ty, &expr.arms);
        let matched = Matched { binding, ty, of };
        let arms = self.arms(&expr.arms, matched);
        let chain = self.chain(arms, span);
        let ty = chain.ty;
        match stmts.is_empty() {
            true => chain,
            false => {
                let block = hir::Block { stmts, tail: Some(Box::new(chain)) };
                hir::Expr { kind: hir::ExprKind::Block(block), ty, span }
            }
        }
    }

    /// The arms that a value can reach. Nothing reaches the arms after an arm for every value, nor those after the last
    /// arm without a guard, because for rustc the arms without guards alone must cover all values.
    fn arms(&mut self, arms: &[syn::Arm], matched: Matched) -> Vec<Arm> {
        let is_guarded = |arm: &syn::Arm| matches!(arm.pat, syn::Pat::Guard(_));
        let last = arms.iter().rposition(|arm| !is_guarded(arm)).unwrap_or(arms.len().saturating_sub(1));
        let mut found: Vec<Arm> = Vec::new();
        for arm in arms.iter().take(last + 1) {
            if found.last().is_some_and(|before| before.cond.is_none()) {
                break;
            }
            found.push(self.arm(arm, matched));
        }
        found
    }

    /// The matched value, and the statement that gives it a name if it has none: the first name in a pattern.
    fn matched(&mut self, value: hir::Expr, ty: TypeVar, arms: &[syn::Arm]) -> (Binding, Vec<hir::Stmt>) {
        if let Some(binding) = self.fixed_name(&value) {
            return (binding, Vec::new());
        }
        let name = arms.iter().find_map(|arm| bound_name(&arm.pat)).unwrap_or_else(|| "matched".to_owned());
        let span = value.span;
        let local = self.new_local(name, ty, false, Origin::Value, span);
        let kind = hir::StmtKind::Let { local, init: Some(value) };
        (Binding::Local(local), vec![hir::Stmt { kind, span }])
    }

    /// The name that the value already has, if nothing can assign it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other expressions have no name")]
    fn fixed_name(&self, value: &hir::Expr) -> Option<Binding> {
        match value.kind {
            hir::ExprKind::Local(local) => {
                let local_of = &self.locals[local.0 as usize];
                // A name of a constant would be compared where a pattern binds it again.
                let is_fixed = !local_of.mutable && local_of.origin != Origin::Const;
                is_fixed.then_some(Binding::Local(local))
            }
            hir::ExprKind::Param(param) => Some(Binding::Value(param)),
            _ => None,
        }
    }

    /// An expression that reads the matched value.
    fn read(&self, matched: Matched, span: Span) -> hir::Expr {
        let kind = match matched.binding {
            Binding::Local(local) => hir::ExprKind::Local(local),
            Binding::Value(param) | Binding::Array(param) => hir::ExprKind::Param(param),
            Binding::Optional(_) | Binding::Tuple(_) | Binding::Part(_) | Binding::Block | Binding::TileIndex(..) => {
                hir::ExprKind::Error
            }
        };
        hir::Expr { kind, ty: Some(matched.ty), span }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn arm(&mut self, arm: &syn::Arm, matched: Matched) -> Arm {
        self.scopes.push(HashMap::new());
        let (pat, guard) = match &arm.pat {
            syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
            pat => (pat, None),
        };
        let pattern = self.pattern(pat, matched);
        let guard = guard.map(|guard| self.guard(guard));
        let has_guard = guard.is_some();
        let cond = match (pattern, guard) {
            (Some(pattern), Some(guard)) => Some(self.both("&&", pattern, guard)),
            (pattern, guard) => pattern.or(guard),
        };
        let body = match &*arm.body {
            syn::Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            syn::Expr::Tuple(unit) if unit.elems.is_empty() => hir::Block { stmts: Vec::new(), tail: None },
            body => hir::Block { stmts: Vec::new(), tail: Some(Box::new(self.expr(body))) },
        };
        self.scopes.pop();
        Arm { cond, has_guard, body }
    }

    /// A guard. Rust may evaluate it once for each alternative of its pattern, so it has no effects.
    fn guard(&mut self, guard: &syn::Expr) -> hir::Expr {
        let cond = self.condition(guard);
        let is_reported = matches!(cond.kind, hir::ExprKind::Error);
        if !cond.is_plain() && !is_reported && !cond.ty.is_some_and(|ty| self.infer.is_broken(ty)) {
            self.report(
                Diagnostic::new(cond.span, "a guard only computes a condition")
                    .help("compute it before the `match`, or write an `if` in the arm"),
            );
        }
        cond
    }

    /// The arms as `if … else if … else …`.
    fn chain(&mut self, arms: Vec<Arm>, span: Span) -> hir::Expr {
        let mut rest: Option<hir::Expr> = None;
        for arm in arms.into_iter().rev() {
            let ty = arm.body.tail.as_ref().and_then(|tail| tail.ty);
            let is_else = rest.is_none() && !arm.has_guard;
            rest = Some(match arm.cond.filter(|_| !is_else) {
                None => hir::Expr { kind: hir::ExprKind::Block(arm.body), ty, span },
                Some(cond) => {
                    let ty = rest.as_ref().and_then(|rest| self.join(&arm.body, rest));
                    let (cond, other) = (Box::new(cond), rest.map(Box::new));
                    hir::Expr { kind: hir::ExprKind::If { cond, then: arm.body, other }, ty, span }
                }
            });
        }
        // A `match` without arms has no value; rustc reports it.
        rest.unwrap_or(hir::Expr { kind: hir::ExprKind::Error, ty: None, span })
    }

    /// The condition under which the value fits the pattern; `None` if every value does. Binds the pattern's names.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn pattern(&mut self, pat: &syn::Pat, matched: Matched) -> Option<hir::Expr> {
        let span = self.span(pat);
        match pat {
            syn::Pat::Wild(_) => None,
            syn::Pat::Paren(inner) => self.pattern(&inner.pat, matched),
            syn::Pat::Or(either) => {
                let cases: Option<Vec<hir::Expr>> =
                    either.cases.iter().map(|case| self.pattern(case, matched)).collect();
                cases?.into_iter().reduce(|a, b| self.both("||", a, b))
            }
            syn::Pat::Lit(literal) => match literal.lit {
                syn::Lit::Bool(syn::LitBool { value, .. }) => {
                    let wanted = self.infer.known(Type::BOOL);
                    self.equate(wanted, matched.ty, span);
                    let flag = self.read(matched, span);
                    Some(match value {
                        true => flag,
                        false => self.op(Syntax::Prefix("!"), About::Prefix("!"), vec![(flag, matched.ty)], span),
                    })
                }
                _ => {
                    let value = self.literal(&literal.lit, false);
                    Some(self.compared("==", matched, value, span))
                }
            },
            syn::Pat::Path(path) => {
                let value = self.path(path);
                Some(self.compared("==", matched, value, span))
            }
            syn::Pat::Range(range) => self.range_pattern(range, matched, span),
            syn::Pat::Ident(ident) => self.name_pattern(ident, matched, span),
            _ => {
                self.report(
                    Diagnostic::new(span, "this pattern is not in the kernel language")
                        .help("match on numbers, ranges such as `2..=5`, variants of enums, names and `_`"),
                );
                self.bind_broken(pat);
                None
            }
        }
    }

    /// A name: a constant of the kernel, or a new name of the value, perhaps with a pattern after `@`.
    fn name_pattern(&mut self, ident: &syn::PatIdent, matched: Matched, span: Span) -> Option<hir::Expr> {
        let name = plain_name(&ident.ident);
        let is_const =
            |binding| matches!(binding, Binding::Local(local) if self.locals[local.0 as usize].origin == Origin::Const);
        if ident.subpat.is_none() && self.lookup(&name).is_some_and(is_const) {
            let value = self.variable(&name, span);
            return Some(self.compared("==", matched, value, span));
        }
        if ident.by_ref.is_some() || ident.mutability.is_some() {
            self.report(
                Diagnostic::new(span, "a name in a pattern is only read").help("copy it in the arm: `let mut k = n;`"),
            );
            let ty = self.infer.broken();
            self.bind_index(ident, ty);
            return None;
        }
        if let Some(of) = matched.of.filter(|of| of.variants.iter().any(|(variant, _)| *variant == name)) {
            // rustc takes such a name as the variant only if it is imported, which the macro cannot see.
            let help = format!("write `{}::{name}`", of.name);
            self.report(Diagnostic::new(span, format!("`{name}` is not the path of a variant")).help(help));
            let ty = self.infer.broken();
            self.bind_index(ident, ty);
            return None;
        }
        // rustc takes such a name as the constant of an outer scope, if there is one.
        if ident.subpat.is_none() && name.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_') {
            self.report(
                Diagnostic::new(span, format!("`{name}` is no constant of the kernel"))
                    .note("`#[kernel]` sees only the function, not the items around it")
                    .help("define a `const` inside the kernel, or write a lowercase name for the value"),
            );
        }
        self.bind(name, matched.binding);
        self.pattern(&ident.subpat.as_ref()?.1, matched)
    }

    fn range_pattern(&mut self, range: &syn::PatRange, matched: Matched, span: Span) -> Option<hir::Expr> {
        let upper = if matches!(range.limits, syn::RangeLimits::Closed(_)) { "<=" } else { "<" };
        let mut bounds = [(">=", &range.start), (upper, &range.end)].into_iter().filter_map(|(symbol, bound)| {
            let bound = self.expr(bound.as_deref()?);
            Some(self.compared(symbol, matched, bound, span))
        });
        let (first, second) = (bounds.next(), bounds.next());
        match (first, second) {
            (Some(low), Some(high)) => Some(self.both("&&", low, high)),
            (one, _) => one,
        }
    }

    /// `matched symbol value`.
    fn compared(&mut self, symbol: &'static str, matched: Matched, value: hir::Expr, span: Span) -> hir::Expr {
        let ty = self.value(&value);
        self.equate(matched.ty, ty, value.span);
        let read = self.read(matched, span);
        let operands = match matched.of {
            Some(of) => vec![self.number_of(read, of), self.number_of(value, of)],
            None => vec![(read, matched.ty), (value, ty)],
        };
        self.op(Syntax::Infix(symbol), About::Infix(symbol), operands, span)
    }

    /// `a && b` or `a || b`.
    fn both(&mut self, symbol: &'static str, a: hir::Expr, b: hir::Expr) -> hir::Expr {
        let span = a.span;
        let operands = [a, b].map(|side| {
            let ty = self.value(&side);
            (side, ty)
        });
        self.op(Syntax::Infix(symbol), About::Infix(symbol), operands.into(), span)
    }
}

/// The first name that the pattern gives the value.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other pattern of the language has a name")]
fn bound_name(pat: &syn::Pat) -> Option<String> {
    match pat {
        syn::Pat::Ident(ident) => {
            let name = plain_name(&ident.ident);
            name.starts_with(|c: char| c.is_lowercase()).then_some(name)
        }
        syn::Pat::Paren(inner) => bound_name(&inner.pat),
        syn::Pat::Guard(guarded) => bound_name(&guarded.pat),
        _ => None,
    }
}
