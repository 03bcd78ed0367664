//! Resolution of local arrays: their declarations, lengths and elements.
//!
//! A local array is declared with its values, and afterwards used by element only. Its name alone is therefore no
//! value, and every other use of it is reported here.

use super::super::hir::{self, Elements, Origin};
use super::super::infer::TypeVar;
use super::super::lengths::{self, MOST_ELEMENTS};
use super::super::syntax::{plain_name, ungrouped, ungrouped_type};
use super::super::types;
use super::{Binding, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{LocalId, Span, Type};

/// What to write where an array is no value.
const NO_VALUE: &str = "bind it to a name: `let a = [x, y];`, and read its elements: `a[i]`";

/// Whether the expression makes an array: `[a, b]` or `[value; n]`.
fn makes_array(expr: &syn::Expr) -> bool {
    matches!(ungrouped(expr), syn::Expr::Array(_) | syn::Expr::Repeat(_))
}

/// The type of the elements and the length in the type of an array.
pub(super) fn array_type(ty: &syn::Type) -> Option<&syn::TypeArray> {
    if let syn::Type::Array(array) = ungrouped_type(ty) { Some(array) } else { None }
}

impl Resolver<'_> {
    /// `let a = [x, y];` and `let mut a: [f32; 4] = [0.0; 4];`. Returns whether the statement declares an array.
    pub(super) fn let_array(
        &mut self,
        ident: &syn::PatIdent,
        annotation: Option<&syn::Type>,
        init: Option<&syn::Expr>,
        stmts: &mut Vec<hir::Stmt>,
        span: Span,
    ) -> bool {
        let array = annotation.and_then(array_type);
        let Some(init) = init.filter(|init| makes_array(init)) else {
            let Some(array) = array else { return false };
            let at = match init {
                Some(init) => self.span(init),
                None => self.span(array),
            };
            self.report(
                Diagnostic::new(at, "a local array is declared with its values")
                    .help("write `let mut a = [0.0f32; 4];`, and assign its elements"),
            );
            self.bind_broken(&syn::Pat::Ident(ident.clone()));
            return true;
        };
        let elem = match (array, annotation) {
            (Some(array), _) => self.element_type(array),
            (None, Some(other)) if !matches!(ungrouped_type(other), syn::Type::Infer(_)) => {
                let at = self.span(init);
                self.report(
                    Diagnostic::new(at, "mismatched types: the value is an array")
                        .help("declare it with the type of an array, such as `[f32; 4]`"),
                );
                self.infer.broken()
            }
            _ => self.infer.any(),
        };
        let wanted = array.and_then(|array| self.length(&array.len));
        let found = self.elements(init, elem);
        let Some((init, len)) = self.of_length(found, wanted, init) else {
            self.bind_broken(&syn::Pat::Ident(ident.clone()));
            return true;
        };
        let (name, at) = (plain_name(&ident.ident), self.span(&ident.ident));
        let local = self.new_local(name.clone(), elem, ident.mutability.is_some(), Origin::Value, at);
        self.locals[local.0 as usize].len = Some(len);
        self.bind(name, Binding::Local(local));
        stmts.push(hir::Stmt { kind: hir::StmtKind::LetArray { local, init }, span });
        true
    }

    /// The type of the elements that the type of an array gives.
    pub(super) fn element_type(&mut self, array: &syn::TypeArray) -> TypeVar {
        if let syn::Type::Infer(_) = ungrouped_type(&array.elem) {
            return self.infer.any();
        }
        if array_type(&array.elem).is_some() {
            let at = self.span(&array.elem);
            self.report(arrays_of_arrays(at));
            return self.infer.broken();
        }
        match types::read(&array.elem, self.known, self.spans, self.diagnostics) {
            Some(ty) => self.known_type(ty),
            None => self.infer.broken(),
        }
    }

    /// The values of a `const` that is an array of the type `array`.
    pub(super) fn const_array(&mut self, local: LocalId, array: &syn::TypeArray, init: &syn::Expr) -> Option<Elements> {
        let wanted = self.length(&array.len);
        let found = self.elements(init, self.locals[local.0 as usize].ty);
        let (elements, len) = self.of_length(found, wanted, init)?;
        self.locals[local.0 as usize].len = Some(len);
        Some(elements)
    }

    /// The values, if there are as many as wanted.
    fn of_length(
        &mut self,
        found: Option<(Elements, u32)>,
        wanted: Option<u32>,
        init: &syn::Expr,
    ) -> Option<(Elements, u32)> {
        let (elements, len) = found?;
        if let Some(wanted) = wanted.filter(|wanted| *wanted != len) {
            let at = self.span(init);
            let message = format!("mismatched types: expected an array of length {wanted}, found one of length {len}");
            self.report(Diagnostic::new(at, message).help("give both the same length"));
            return None;
        }
        Some((elements, len))
    }

    /// The values in `[a, b]` or `[value; n]`, of the type `elem`, and their number.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is an array")]
    fn elements(&mut self, init: &syn::Expr, elem: TypeVar) -> Option<(Elements, u32)> {
        match ungrouped(init) {
            syn::Expr::Array(list) => {
                let values: Vec<hir::Expr> = list.elems.iter().map(|value| self.element_value(value, elem)).collect();
                let at = self.span(list);
                let len = self.checked_length(values.len() as i128, at)?;
                Some((Elements::List(values), len))
            }
            syn::Expr::Repeat(repeat) => {
                let value = self.element_value(&repeat.expr, elem);
                Some((Elements::Repeat(value), self.length(&repeat.len)?))
            }
            other => {
                let at = self.span(other);
                self.report(
                    Diagnostic::new(at, "mismatched types: expected an array").help("list its values: `[x, y]`"),
                );
                None
            }
        }
    }

    fn element_value(&mut self, value: &syn::Expr, elem: TypeVar) -> hir::Expr {
        if makes_array(value) {
            let at = self.span(value);
            return self.error(arrays_of_arrays(at));
        }
        let value = self.expr(value);
        let found = self.value(&value);
        if self.tuples.contains_key(&found) {
            let diagnostic = Diagnostic::new(value.span, "an element of a local array cannot be a tuple");
            return self.error(diagnostic.help("use an array for each value"));
        }
        self.equate(elem, found, value.span);
        value
    }

    /// The length that an expression gives: a constant.
    fn length(&mut self, len: &syn::Expr) -> Option<u32> {
        let at = self.span(len);
        match self.constant_integer(len) {
            Some(number) => self.checked_length(number, at),
            None => {
                self.report(
                    Diagnostic::new(at, "the length of a local array must be a constant")
                        .help("write a number, or a `const` of type `usize` that is defined in the kernel, or outside with `#[device]`"),
                );
                None
            }
        }
    }

    fn checked_length(&mut self, len: i128, at: Span) -> Option<u32> {
        let (message, help) = match u32::try_from(len) {
            Ok(len @ 1..=MOST_ELEMENTS) => return Some(len),
            Ok(0) => ("a local array has at least one element".to_owned(), "remove it, or make it longer"),
            _ => (
                format!("a local array has at most {MOST_ELEMENTS} elements"),
                "use an array parameter, with a part for each thread",
            ),
        };
        self.report(Diagnostic::new(at, message).help(help));
        None
    }

    /// The integer that an expression of literals and constants is.
    pub(super) fn constant_integer(&mut self, expr: &syn::Expr) -> Option<i128> {
        let (scopes, integers) = (&self.scopes, &self.constant_integers);
        let local = |name: &str| match scopes.iter().rev().find_map(|scope| scope.get(name))? {
            Binding::Local(local) => integers.get(*local).copied(),
            Binding::Value(_)
            | Binding::Array(_)
            | Binding::Optional(_)
            | Binding::Tuple(_)
            | Binding::Part(_)
            | Binding::Block
            | Binding::TileIndex(..) => None,
        };
        lengths::constant_integer(expr, &local, self.known, self.spans)
    }

    /// The local array that `expr` names.
    pub(super) fn named_local_array(&self, expr: &syn::Expr) -> Option<LocalId> {
        let syn::Expr::Path(path) = ungrouped(expr) else { return None };
        let Some(Binding::Local(local)) = self.lookup(&plain_name(path.path.get_ident()?)) else { return None };
        self.length_of(local).map(|_| local)
    }

    /// The length of the local, if it is an array.
    pub(super) fn length_of(&self, local: LocalId) -> Option<u32> {
        self.locals[local.0 as usize].len
    }

    /// `a[i]`.
    pub(super) fn local_element(&mut self, local: LocalId, index: &syn::Expr, span: Span) -> hir::Expr {
        let (name, ty) = (self.locals[local.0 as usize].name.clone(), self.locals[local.0 as usize].ty);
        if let syn::Expr::Range(_) | syn::Expr::Array(_) = ungrouped(index) {
            let at = self.span(index);
            let diagnostic = Diagnostic::new(at, format!("`{name}` is read one element at a time"));
            return self.error(diagnostic.help(format!("index it as `{name}[i]`")));
        }
        if self.unset_consts.contains(&local) {
            return self.variable(&name, span);
        }
        let index = self.expr(index);
        let found = self.value(&index);
        self.index_type(found, index.span);
        self.check_own(local, &index);
        hir::Expr { kind: hir::ExprKind::LocalElement { local, index: Box::new(index) }, ty: Some(ty), span }
    }

    /// A method of a local array: `len` alone.
    pub(super) fn local_array_method(&mut self, local: LocalId, call: &syn::ExprMethodCall, span: Span) -> hir::Expr {
        if let Some(value) = self.block_operation(local, call, span) {
            return value;
        }
        let (array, name) = (self.locals[local.0 as usize].name.clone(), plain_name(&call.method));
        if let ("len", true, Some(len)) = (name.as_str(), call.args.is_empty(), self.length_of(local)) {
            let ty = self.infer.known(Type::INDEX);
            return hir::Expr { kind: hir::ExprKind::Int(len.into()), ty: Some(ty), span };
        }
        let at = self.span(&call.method);
        self.error(
            Diagnostic::new(at, format!("local arrays have no method `{name}` in the kernel language"))
                .help(format!("loop over indices: `for j in 0..{array}.len()`")),
        )
    }

    /// Reports the use of a local array as a value.
    pub(super) fn whole_array(&mut self, local: LocalId, span: Span) -> hir::Expr {
        let known = &self.locals[local.0 as usize];
        let diagnostic = Diagnostic::new(span, format!("the local array `{}` is not a value", known.name))
            .related(known.span, "declared here")
            .help(format!("read an element: `{}[i]`; a copy needs a loop over the elements", known.name));
        self.error(diagnostic)
    }

    /// Reports an array where a value is needed.
    pub(super) fn array_as_value(&mut self, span: Span) -> hir::Expr {
        self.error(Diagnostic::new(span, "an array is not a value here").help(NO_VALUE))
    }
}

fn arrays_of_arrays(span: Span) -> Diagnostic {
    Diagnostic::new(span, "arrays of arrays are not in the kernel language")
        .help("use one array, `a[3 * i + j]`, or a matrix such as `Mat3`")
}
