//! Resolution of assignments and of the places that they assign.

use super::super::hir;
use super::super::signature::ParamKind;
use super::super::syntax::{plain_name, ungrouped};
use super::Resolver;
use crate::diag::Diagnostic;

impl Resolver<'_> {
    pub(super) fn assign(&mut self, assign: &syn::ExprAssign) -> hir::Expr {
        let span = self.span(assign);
        // `_ = value` evaluates the value and drops it.
        if matches!(*assign.left, syn::Expr::Infer(_)) {
            let value = self.expr(&assign.right);
            let stmts = vec![hir::Stmt { span: value.span, kind: hir::StmtKind::Expr(value) }];
            return hir::Expr { kind: hir::ExprKind::Block(hir::Block { stmts, tail: None }), ty: None, span };
        }
        if let Some(local) = self.named_local_array(&assign.left) {
            let (at, name) = (self.span(&assign.left), self.locals[local.0 as usize].name.clone());
            let diagnostic = Diagnostic::new(at, format!("the local array `{name}` cannot be assigned as a whole"));
            return self.error(
                diagnostic.help(format!("assign its elements: `for k in 0..{name}.len() {{ {name}[k] = … }}`")),
            );
        }
        if let Some(assigned) = self.assign_tuple(assign, span) {
            return assigned;
        }
        let value = Box::new(self.expr(&assign.right));
        let place = Box::new(self.place(&assign.left));
        let (place_ty, value_ty) = (self.value(&place), self.value(&value));
        self.equate(place_ty, value_ty, value.span);
        hir::Expr { kind: hir::ExprKind::Assign { place, value }, ty: None, span }
    }

    /// Resolves the left side of an assignment.
    pub(super) fn place(&mut self, expr: &syn::Expr) -> hir::Expr {
        if let Some(lent) = self.lent_value(expr) {
            let (span, name) = (self.span(expr), self.param(lent).name.clone());
            let diagnostic = Diagnostic::new(span, format!("`{name}` is a reference to the variable of the caller"));
            return self.error(diagnostic.help(format!("write `*{name}`")));
        }
        let place = self.place_form(expr);
        self.check_assignable(&place);
        place
    }

    /// Resolves an expression that is assigned, or that contains a part that is assigned. Only these forms denote a
    /// variable or element; any other expression denotes a copy of its value.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn place_form(&mut self, expr: &syn::Expr) -> hir::Expr {
        let span = self.span(expr);
        match expr {
            syn::Expr::Paren(inner) => self.place_form(&inner.expr),
            syn::Expr::Group(inner) => self.place_form(&inner.expr),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) => {
                match self.mutable_column(inner) {
                    Some(column) => column,
                    None if matches!(ungrouped(inner), syn::Expr::MethodCall(_)) => self.place_form(inner),
                    None => self.expr(expr),
                }
            }
            syn::Expr::Field(syn::ExprField { base, member: syn::Member::Named(name), .. }) => {
                let base = match self.mutable_column(base) {
                    Some(column) => column,
                    None => self.place_form(base),
                };
                self.field_of(base, plain_name(name), span)
            }
            syn::Expr::Field(syn::ExprField { base, member: syn::Member::Unnamed(number), .. }) => {
                let base = self.place_form(base);
                self.tuple_field(base, number, span)
            }
            syn::Expr::Index(index)
                if self.named_array(&index.expr).is_none()
                    && self.named_local_array(&index.expr).is_none()
                    && !self.is_array(&index.expr)
                    && self.optional_array(&index.expr).is_none() =>
            {
                let base = match self.mutable_column(&index.expr) {
                    Some(column) => column,
                    None => self.place_form(&index.expr),
                };
                self.component_of(base, &index.index, span)
            }
            syn::Expr::Index(index) => {
                if let Some(part) = self.named_part(&index.expr) {
                    self.check_part_assignable(part, &index.expr);
                }
                self.index(index)
            }
            other => {
                let value = self.expr(other);
                if let hir::ExprKind::Error = value.kind {
                    return value;
                }
                let help = match other {
                    syn::Expr::MethodCall(call) if call.method == "col" || call.method == "col_mut" => {
                        "write `*m.col_mut(k) = …`, or `m.col_mut(k).x = …` for a component"
                    }
                    _ => "assign a variable, an array element, or a component of one",
                };
                self.error(Diagnostic::new(span, "this cannot be assigned").help(help))
            }
        }
    }

    /// `m.col_mut(k)`, which is allowed only under `*`, `.x` or `[j]` of an assigned place.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn mutable_column(&mut self, expr: &syn::Expr) -> Option<hir::Expr> {
        let call = match expr {
            syn::Expr::MethodCall(call) if call.method == "col_mut" && call.args.len() == 1 => call,
            syn::Expr::Paren(inner) => return self.mutable_column(&inner.expr),
            syn::Expr::Group(inner) => return self.mutable_column(&inner.expr),
            _ => return None,
        };
        let span = self.span(call);
        let base = self.place_form(&call.receiver);
        let index = self.expr(&call.args[0]);
        let (base_ty, index_ty) = (self.value(&base), self.value(&index));
        Some(self.column((base, base_ty), (index, index_ty), span))
    }

    /// Reports places that cannot be assigned, so that the message is ours and not rustc's.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a place")]
    pub(super) fn check_assignable(&mut self, place: &hir::Expr) {
        let diagnostic = match &place.kind {
            hir::ExprKind::Element { array, .. } => {
                let param = self.param(*array);
                match param.kind {
                    ParamKind::Array { mutable: false, .. } => {
                        Diagnostic::new(place.span, format!("the array `{}` is read only", param.name))
                            .related(param.span, "declared here")
                            .help(format!("declare `{}` with `&mut`", param.name))
                    }
                    ParamKind::Value(_) | ParamKind::Array { .. } => return,
                }
            }
            hir::ExprKind::Local(id) | hir::ExprKind::LocalElement { local: id, .. } => {
                let local = &self.locals[id.0 as usize];
                // A variable that is a tuple has a local for each value.
                let tuple = self.tuple_locals.iter().find(|(_, locals)| locals.contains(id));
                let name = tuple.map_or(&local.name, |(name, _)| name);
                let (message, help) = match local.origin {
                    _ if local.mutable || self.infer.is_broken(local.ty) => return,
                    // The verifier checks that each path assigns it once.
                    hir::Origin::Late => return,
                    hir::Origin::Value if local.len.is_some() => (
                        format!("the elements of `{name}` cannot be assigned"),
                        format!("declare it with `let mut {name}`"),
                    ),
                    hir::Origin::Value => (
                        format!("`{name}` cannot be assigned a second time"),
                        format!("declare it with `let mut {name}`"),
                    ),
                    hir::Origin::Counter => (
                        format!("the loop variable `{name}` cannot be assigned"),
                        "copy it: `let mut k = j;`, or write a `while` loop".to_owned(),
                    ),
                    hir::Origin::Const => (
                        format!("the constant `{name}` cannot be assigned"),
                        "use `let mut` instead of `const`".to_owned(),
                    ),
                };
                Diagnostic::new(place.span, message).related(local.span, "declared here").help(help)
            }
            hir::ExprKind::Param(id) => {
                let param = self.param(*id);
                if let ParamKind::Value(None) = param.kind {
                    return;
                }
                // The receiver of a method.
                match param.name.as_str() {
                    "this" => Diagnostic::new(place.span, "the method only reads `self`").help("take `&mut self`"),
                    name => Diagnostic::new(place.span, format!("the parameter `{name}` cannot be assigned"))
                        .related(param.span, "declared here")
                        .help(format!("declare it as `mut {name}` to change the thread's own copy")),
                }
            }
            hir::ExprKind::Component { base, .. }
            | hir::ExprKind::Column { base, .. }
            | hir::ExprKind::Field { base, .. } => {
                return self.check_assignable(base);
            }
            hir::ExprKind::Error => return,
            _ => Diagnostic::new(place.span, "this cannot be assigned")
                .help("assign a variable, an array element, or a component of one"),
        };
        self.report(diagnostic);
    }
}
