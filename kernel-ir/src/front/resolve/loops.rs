//! Resolution of loops and jumps.

use super::super::hir;
use super::super::signature::FunctionKind;
use super::super::syntax::plain_name;
use super::{Binding, LoopExits, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{Direction, ScalarSet, Span, Type, TypeSet};
use std::collections::HashMap;

impl Resolver<'_> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn for_loop(&mut self, for_loop: &syn::ExprForLoop) -> hir::Expr {
        let span = self.span(for_loop);
        let range = self.range(&for_loop.expr);
        let ty = match &range {
            Some(range) => self.value(&range.start),
            None => self.infer.broken(),
        };
        let pat_span = self.span(&for_loop.pat);
        self.scopes.push(HashMap::new());
        let name = match &*for_loop.pat {
            syn::Pat::Wild(_) => "_".to_owned(),
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                if ident.mutability.is_some() {
                    self.report(
                        Diagnostic::new(pat_span, "a loop variable cannot be assigned")
                            .help("copy it: `let mut k = j;`"),
                    );
                }
                plain_name(&ident.ident)
            }
            _ => {
                self.report(
                    Diagnostic::new(pat_span, "a loop variable must be a plain name").help("write `for j in 0..n`"),
                );
                self.bind_broken(&for_loop.pat);
                "_".to_owned()
            }
        };
        let local = self.new_local(name.clone(), ty, false, hir::Origin::Counter, pat_span);
        if name != "_" {
            self.bind(name, Binding::Local(local));
        }
        let (body, _) = self.in_loop(for_loop.label.as_ref(), |resolver| resolver.block(&for_loop.body));
        self.scopes.pop();
        match range {
            Some(range) => {
                hir::Expr { kind: hir::ExprKind::For { local, range: Box::new(range), body }, ty: None, span }
            }
            None => hir::Expr { kind: hir::ExprKind::Error, ty: None, span },
        }
    }

    /// Reads the range of a `for`: `a..b` or `a..=b`, then optionally `.rev()`, then optionally `.step_by(n)`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn range(&mut self, expr: &syn::Expr) -> Option<hir::Range> {
        let span = self.span(expr);
        match expr {
            syn::Expr::Paren(inner) => self.range(&inner.expr),
            syn::Expr::Group(inner) => self.range(&inner.expr),
            syn::Expr::Range(range) => self.plain_range(range),
            syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                let range = self.range(&call.receiver)?;
                if range.step.is_some() || range.direction == Direction::Down {
                    self.report(
                        Diagnostic::new(span, "`.rev()` must come first, and only once")
                            .help("write `(a..b).rev().step_by(n)`; it starts from the last value, `b - 1`"),
                    );
                    return None;
                }
                Some(hir::Range { direction: Direction::Down, ..range })
            }
            syn::Expr::MethodCall(call) if call.method == "step_by" && call.args.len() == 1 => {
                let range = self.range(&call.receiver)?;
                if range.step.is_some() {
                    self.report(
                        Diagnostic::new(span, "`.step_by` is given twice")
                            .help("write one `.step_by` with the product of the steps"),
                    );
                    return None;
                }
                let step = self.expr(&call.args[0]);
                let found = self.value(&step);
                let wanted = self.infer.known(Type::INDEX);
                if let Some(mistake) = self.infer.equate(wanted, found, step.span) {
                    self.report(mistake.help("a step is a `usize`: convert with `as usize`"));
                }
                if let hir::ExprKind::Int(0) = step.kind {
                    self.report(Diagnostic::new(step.span, "a loop with step 0 never ends").help("use 1 or more"));
                }
                Some(hir::Range { step: Some(step), ..range })
            }
            _ => {
                self.report(
                    Diagnostic::new(span, "a `for` runs over a range of integers")
                        .help("write `for j in 0..n`, and read elements by their index"),
                );
                None
            }
        }
    }

    fn plain_range(&mut self, range: &syn::ExprRange) -> Option<hir::Range> {
        let span = self.span(range);
        let (Some(start), Some(end)) = (&range.start, &range.end) else {
            self.report(
                Diagnostic::new(span, "the range of a `for` needs both ends")
                    .help("write `0..n`, or `loop` with a `break`"),
            );
            return None;
        };
        let start = self.expr(start);
        let start_ty = self.value(&start);
        let end = self.expr(end);
        let end_ty = self.value(&end);
        let integers = self.infer.var(TypeSet::scalars(ScalarSet::INTEGERS));
        for (ty, at) in [(start_ty, start.span), (end_ty, end.span)] {
            if self.infer.equate(integers, ty, at).is_some() {
                let help = match self.infer.is_float(ty) {
                    true => "count in whole numbers and convert inside of the loop: `j as f32 * 0.1`",
                    false => "convert one, for example with `as usize`",
                };
                self.report(Diagnostic::new(at, "the ends of a range must be integers of one type").help(help));
                return None;
            }
        }
        let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
        Some(hir::Range { start, end, inclusive, direction: Direction::Up, step: None })
    }

    pub(super) fn while_loop(&mut self, while_loop: &syn::ExprWhile) -> hir::Expr {
        let span = self.span(while_loop);
        // The condition belongs to the loop: a labelled jump in it leaves the loop, too.
        let ((cond, body), _) = self.in_loop(while_loop.label.as_ref(), |resolver| {
            (Box::new(resolver.condition(&while_loop.cond)), resolver.block(&while_loop.body))
        });
        hir::Expr { kind: hir::ExprKind::While { cond, body }, ty: None, span }
    }

    pub(super) fn endless_loop(&mut self, endless: &syn::ExprLoop) -> hir::Expr {
        let span = self.span(endless);
        let (body, exits) = self.in_loop(endless.label.as_ref(), |resolver| resolver.block(&endless.body));
        let ty = exits.with_value.then(|| self.infer.broken());
        hir::Expr { kind: hir::ExprKind::Loop { body, ends: exits.breaks }, ty, span }
    }

    /// Resolves what belongs to a loop.
    fn in_loop<T>(&mut self, label: Option<&syn::Label>, resolve: impl FnOnce(&mut Self) -> T) -> (T, LoopExits) {
        let label = label.map(|label| plain_name(&label.name.ident));
        self.loops.push(LoopExits { label, ..LoopExits::default() });
        let inside = resolve(self);
        (inside, self.loops.pop().unwrap_or_default())
    }

    pub(super) fn break_expr(&mut self, leave: &syn::ExprBreak) -> hir::Expr {
        let span = self.span(leave);
        if let (Some(_), Some(around)) = (&leave.expr, self.loops.last_mut()) {
            around.with_value = true;
            self.report(
                Diagnostic::new(span, "`break` with a value is not in the kernel language")
                    .help("assign to a variable that is declared before the loop, then `break`"),
            );
        }
        match self.target(leave.label.as_ref(), "break", span) {
            Ok((place, outer)) => {
                self.loops[place].breaks = true;
                hir::Expr { kind: hir::ExprKind::Break(outer), ty: None, span }
            }
            Err(mistake) => self.error(mistake),
        }
    }

    pub(super) fn continue_expr(&mut self, next: &syn::ExprContinue) -> hir::Expr {
        let span = self.span(next);
        match self.target(next.label.as_ref(), "continue", span) {
            Ok((_, outer)) => hir::Expr { kind: hir::ExprKind::Continue(outer), ty: None, span },
            Err(mistake) => self.error(mistake),
        }
    }

    /// The position of the loop that a jump refers to, and its form for the jump if it is not the innermost one.
    fn target(
        &mut self,
        label: Option<&syn::Lifetime>,
        word: &str,
        span: Span,
    ) -> Result<(usize, Option<hir::Outer>), Diagnostic> {
        let Some(innermost) = self.loops.len().checked_sub(1) else {
            return Err(match self.phase {
                Some(_) => Diagnostic::new(span, "a phase is left at its end only, where the barrier is")
                    .help("put the rest of the phase into an `if`"),
                None => Diagnostic::new(span, format!("`{word}` outside of a loop"))
                    .help("to end this thread, write `return`"),
            });
        };
        let Some(label) = label else { return Ok((innermost, None)) };
        let name = plain_name(&label.ident);
        match self.loops.iter().rposition(|around| around.label.as_ref() == Some(&name)) {
            Some(place) if place == innermost => Ok((place, None)),
            Some(place) => Ok((place, Some(hir::Outer { inside: innermost - place, label: name }))),
            None => Err(Diagnostic::new(self.span(label), format!("no loop around this has the label `'{name}`"))
                .help(format!("write the label before the loop: `'{name}: for …`"))),
        }
    }

    pub(super) fn return_expr(&mut self, end: &syn::ExprReturn) -> hir::Expr {
        let span = self.span(end);
        let value = match (&end.expr, self.signature.ret) {
            (None, None) => None,
            (Some(_), None) if self.signature.kind == FunctionKind::Device => {
                let message = format!("`{}` declares no result", self.signature.name);
                return self.error(Diagnostic::new(span, message).help("declare its type, for example `-> f32`"));
            }
            (Some(_), None) => {
                return self.error(
                    Diagnostic::new(span, "a kernel returns nothing")
                        .help("write the value to an array parameter, then `return;`"),
                );
            }
            (None, Some(_)) => {
                return self
                    .error(Diagnostic::new(span, "a device function returns a value").help("write `return value;`"));
            }
            (Some(value), Some(ret)) => {
                let value = self.expr(value);
                let found = self.value(&value);
                self.result_type(ret, found, value.span);
                Some(Box::new(value))
            }
        };
        hir::Expr { kind: hir::ExprKind::Return(value), ty: None, span }
    }

    /// Reports a label before a block.
    pub(super) fn refuse_label(&mut self, label: &syn::Lifetime) {
        let span = self.span(label);
        self.report(
            Diagnostic::new(span, "only loops have labels in the kernel language")
                .help("write an `if`, or a `loop` that ends with `break`"),
        );
    }
}
