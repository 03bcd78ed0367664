//! Resolution of tuples and struct literals.
//!
//! A tuple is several values. A variable that is a tuple becomes a variable for each of them, so tuples occur in the IR
//! only as results of functions. The type variable of a tuple is a key of [`Resolver::tuples`], where the types of its
//! values are.

use super::super::infer::TypeVar;
use super::super::links::link_name;
use super::super::syntax::{plain_name, ungrouped};
use super::super::{hir, types};
use super::{Binding, Resolver};
use crate::diag::{Diagnostic, nearest};
use crate::ir::{LocalId, ScalarSet, ShapePattern, Span, StructId, Type, TypeFamily};

impl Resolver<'_> {
    /// A new type variable for a tuple of values of these types.
    pub(super) fn tuple_type(&mut self, values: Vec<TypeVar>) -> TypeVar {
        let any = TypeFamily { scalars: ScalarSet::ALL, shape: ShapePattern::Struct(None) };
        let ty = self.infer.var(any.into());
        self.tuples.insert(ty, values);
        ty
    }

    /// A new type variable for values of the type `ty`, which may be a tuple.
    pub(super) fn known_type(&mut self, ty: Type) -> TypeVar {
        if !ty.is_tuple() {
            return self.infer.known(ty);
        }
        let values = ty.fields().iter().map(|field| self.infer.known(field.ty)).collect();
        self.tuple_type(values)
    }

    /// Requires that two types are equal, of which at least one is a tuple.
    pub(super) fn equate_tuples(&mut self, expected: TypeVar, found: TypeVar, span: Span) -> Option<Diagnostic> {
        let (Some(a), Some(b)) = (self.tuples.get(&expected).cloned(), self.tuples.get(&found).cloned()) else {
            return self.infer.equate(expected, found, span);
        };
        if a.len() != b.len() {
            let message = format!("mismatched types: expected {} values, found {}", a.len(), b.len());
            return Some(Diagnostic::new(span, message).help("give both sides the same number of values"));
        }
        a.into_iter().zip(b).fold(None, |mistake, (a, b)| mistake.or(self.infer.equate(a, b, span)))
    }

    /// `(a, b)`.
    pub(super) fn tuple(&mut self, tuple: &syn::ExprTuple) -> hir::Expr {
        let span = self.span(tuple);
        if tuple.elems.len() < 2 {
            let diagnostic = Diagnostic::new(span, "a tuple has at least two values");
            return self.error(diagnostic.help("write the value without the comma"));
        }
        let values: Vec<hir::Expr> = tuple.elems.iter().map(|value| self.expr(value)).collect();
        let types: Vec<TypeVar> = values.iter().map(|value| self.value(value)).collect();
        if let Some(place) = types.iter().position(|ty| self.tuples.contains_key(ty)) {
            let diagnostic = Diagnostic::new(values[place].span, "a tuple cannot be in a tuple");
            return self.error(diagnostic.help("write its values one by one, or use a device struct"));
        }
        let ty = Some(self.tuple_type(types));
        hir::Expr { kind: hir::ExprKind::Tuple(values), ty, span }
    }

    /// The value with this number of a tuple.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other tuple is evaluated first")]
    pub(super) fn tuple_field(&mut self, base: hir::Expr, member: &syn::Index, span: Span) -> hir::Expr {
        let number = member.index as usize;
        let types = base.ty.and_then(|ty| self.tuples.get(&ty).cloned());
        let Some(types) = types else {
            if base.ty.is_some_and(|ty| self.infer.is_broken(ty)) {
                return hir::Expr { kind: hir::ExprKind::Error, ty: base.ty, span };
            }
            let diagnostic = Diagnostic::new(base.span, format!("this is not a tuple, and has no value `.{number}`"));
            return self.error(diagnostic.help("components of vectors are `.x`, `.y`, `.z`, `.w`, or `v[k]`"));
        };
        let Some(ty) = types.get(number).copied() else {
            let diagnostic = Diagnostic::new(span, format!("the tuple has no value `.{number}`"));
            return self.error(diagnostic.help(format!("its values are `.0` to `.{}`", types.len() - 1)));
        };
        let is_local = |value: &hir::Expr| matches!(value.kind, hir::ExprKind::Local(_));
        let kind = match base.kind {
            // The variable is a variable for each value.
            hir::ExprKind::Tuple(mut values) if values.iter().all(is_local) => {
                return hir::Expr { span, ..values.swap_remove(number) };
            }
            kind => {
                let base = Box::new(hir::Expr { kind, ..base });
                hir::ExprKind::Field { base, name: number.to_string() }
            }
        };
        hir::Expr { kind, ty: Some(ty), span }
    }

    /// Binds `name` to a tuple: a local for each value.
    pub(super) fn bind_tuple(&mut self, name: &str, mutable: bool, types: &[TypeVar], span: Span) -> Vec<LocalId> {
        let locals: Vec<LocalId> = types
            .iter()
            .enumerate()
            .map(|(number, ty)| self.new_local(format!("{name}_{number}"), *ty, mutable, hir::Origin::Value, span))
            .collect();
        self.tuple_locals.push((name.to_owned(), locals.clone()));
        self.bind(name.to_owned(), Binding::Tuple(self.tuple_locals.len() - 1));
        locals
    }

    /// The variable that is the tuple with this number in [`Resolver::tuple_locals`].
    pub(super) fn tuple_variable(&mut self, number: usize, span: Span) -> hir::Expr {
        let locals = self.tuple_locals[number].1.clone();
        let types: Vec<TypeVar> = locals.iter().map(|local| self.locals[local.0 as usize].ty).collect();
        let values = locals.into_iter().zip(&types);
        let values = values.map(|(local, ty)| hir::Expr { kind: hir::ExprKind::Local(local), ty: Some(*ty), span });
        let values = values.collect();
        let ty = Some(self.tuple_type(types));
        hir::Expr { kind: hir::ExprKind::Tuple(values), ty, span }
    }

    /// `let (a, b) = value;`
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn let_tuple(
        &mut self,
        tuple: &syn::PatTuple,
        annotation: Option<&syn::Type>,
        init: Option<&syn::Expr>,
        stmts: &mut Vec<hir::Stmt>,
    ) {
        let span = self.span(tuple);
        let Some(init) = init else {
            self.report(
                Diagnostic::new(span, "a tuple needs a value where it is declared")
                    .help("write one `let` for each value"),
            );
            return tuple.elems.iter().for_each(|element| self.bind_broken(element));
        };
        let init = self.expr(init);
        let found = self.value(&init);
        if let Some(ty) = annotation.and_then(|ty| types::read(ty, self.known, self.spans, self.diagnostics)) {
            let wanted = self.known_type(ty);
            self.equate(wanted, found, init.span);
        }
        let Some(types) = self.tuples.get(&found).cloned() else {
            if !self.infer.is_broken(found) {
                self.report(
                    Diagnostic::new(init.span, "this is one value, and not a tuple").help("bind it to one name"),
                );
            }
            return tuple.elems.iter().for_each(|element| self.bind_broken(element));
        };
        if types.len() != tuple.elems.len() {
            let message = format!("the value has {} parts, but {} names are bound", types.len(), tuple.elems.len());
            self.report(
                Diagnostic::new(span, message)
                    .help("bind one name for each value; write `_` for a value that you do not need"),
            );
            return tuple.elems.iter().for_each(|element| self.bind_broken(element));
        }
        let mut locals = Vec::new();
        for (element, ty) in tuple.elems.iter().zip(types) {
            locals.push(match element {
                syn::Pat::Wild(_) => None,
                syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                    Some(self.bind_index(ident, ty))
                }
                _ => {
                    let span = self.span(element);
                    self.report(
                        Diagnostic::new(span, "a value of a tuple must be bound to a plain name")
                            .help("write a name, or `_`"),
                    );
                    self.bind_broken(element);
                    None
                }
            });
        }
        self.set_shapes(&locals, &init);
        stmts.push(hir::Stmt { kind: hir::StmtKind::LetTuple { locals, init }, span });
    }

    /// `let Ray { from, to: end, .. } = value;`
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn let_struct(
        &mut self,
        pattern: &syn::PatStruct,
        init: Option<&syn::Expr>,
        stmts: &mut Vec<hir::Stmt>,
    ) {
        let span = self.span(pattern);
        let of = self.struct_named(&pattern.path, span);
        let init = init.map(|init| self.expr(init));
        if init.is_none() {
            self.report(
                Diagnostic::new(span, "a pattern needs a value where it is declared")
                    .help("write one `let` for each field"),
            );
        }
        let (Some(of), Some(init)) = (of, init) else {
            return pattern.fields.iter().for_each(|field| self.bind_broken(&field.pat));
        };
        let ty = self.infer.known(Type::of_struct(of));
        let found = self.value(&init);
        self.equate(ty, found, init.span);
        let at = init.span;
        let whole = self.new_local("value".to_owned(), ty, false, hir::Origin::Value, at);
        stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local: whole, init: Some(init) }, span });
        for field in &pattern.fields {
            let syn::Member::Named(name) = &field.member else { continue };
            let (name, at) = (plain_name(name), self.span(&field.member));
            if of.field(&name).is_none() {
                self.report(no_field(of, &name, at));
                self.bind_broken(&field.pat);
                continue;
            }
            match &*field.pat {
                syn::Pat::Wild(_) => {}
                syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                    let base = hir::Expr { kind: hir::ExprKind::Local(whole), ty: Some(ty), span: at };
                    let value = self.field_of(base, name, at);
                    let field_ty = self.value(&value);
                    let local = self.bind_index(ident, field_ty);
                    stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local, init: Some(value) }, span: at });
                }
                other => {
                    let span = self.span(other);
                    self.report(
                        Diagnostic::new(span, "a field must be bound to a plain name").help("write a name, or `_`"),
                    );
                    self.bind_broken(other);
                }
            }
        }
        let is_named = |name: &str| {
            pattern
                .fields
                .iter()
                .any(|field| matches!(&field.member, syn::Member::Named(own) if plain_name(own) == name))
        };
        let missing = of.fields.iter().filter(|field| !is_named(&field.name)).map(|field| format!("`{}`", field.name));
        let missing: Vec<String> = missing.collect();
        if pattern.rest.is_none() && !missing.is_empty() {
            self.report(
                Diagnostic::new(span, format!("the pattern lacks {}", fields_named(&missing)))
                    .help("name every field, or write `..` for the others"),
            );
        }
    }

    /// The struct with this path. `None`, with a diagnostic, if there is none, and without one if it has mistakes.
    fn struct_named(&mut self, path: &syn::Path, span: Span) -> Option<StructId> {
        let written = link_name(path);
        match self.known.structure(&written) {
            Some(Some(of)) if of.is_enum() => {
                let help = format!("write one of its variants, such as `{written}::{}`", of.variants[0].0);
                self.report(Diagnostic::new(span, format!("`{written}` is an enum, and has no fields")).help(help));
                None
            }
            Some(found) => found,
            None => {
                let diagnostic = Diagnostic::new(span, format!("`{written}` is not a struct of the kernel language"));
                self.report(diagnostic.help("write `#[device]` before the struct"));
                None
            }
        }
    }

    /// An assignment whose left side is a list of places, or a variable that is a tuple; `None` for other assignments.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other places are not tuples")]
    pub(super) fn assign_tuple(&mut self, assign: &syn::ExprAssign, span: Span) -> Option<hir::Expr> {
        let variable = match ungrouped(&assign.left) {
            syn::Expr::Tuple(_) => None,
            syn::Expr::Path(path) => match self.lookup(&plain_name(path.path.get_ident()?))? {
                Binding::Tuple(number) => Some(number),
                _ => return None,
            },
            _ => return None,
        };
        let value = self.expr(&assign.right);
        let found = self.value(&value);
        let left_span = self.span(&assign.left);
        let places: Vec<Option<hir::Expr>> = match (variable, ungrouped(&assign.left)) {
            (Some(number), _) => match self.tuple_variable(number, left_span).kind {
                hir::ExprKind::Tuple(values) => values.into_iter().map(Some).collect(),
                _ => Vec::new(),
            },
            (None, syn::Expr::Tuple(tuple)) => {
                let place = |this: &mut Self, place: &syn::Expr| match place {
                    syn::Expr::Infer(_) => None,
                    place => Some(this.place_form(place)),
                };
                tuple.elems.iter().map(|element| place(self, element)).collect()
            }
            (None, _) => Vec::new(),
        };
        let types = places.iter().map(|place| match place {
            Some(place) => self.value(place),
            None => self.infer.any(),
        });
        let types: Vec<TypeVar> = types.collect();
        places.iter().flatten().for_each(|place| self.check_assignable(place));
        let wanted = self.tuple_type(types);
        if self.tuples.contains_key(&found) || !self.infer.is_broken(found) {
            self.equate(wanted, found, value.span);
        }
        let value = Box::new(value);
        Some(hir::Expr { kind: hir::ExprKind::AssignTuple { places, value }, ty: None, span })
    }

    /// A struct literal.
    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct) -> hir::Expr {
        let span = self.span(literal);
        let of = self.struct_named(&literal.path, span);
        let mut fields: Vec<(u8, hir::Expr)> = Vec::new();
        let before = self.diagnostics.len();
        for field in &literal.fields {
            let value = self.expr(&field.expr);
            let found = self.value(&value);
            let (syn::Member::Named(name), Some(of)) = (&field.member, of) else { continue };
            let (name, at) = (plain_name(name), self.span(&field.member));
            match of.field(&name) {
                None => self.report(no_field(of, &name, at)),
                Some((number, _)) if fields.iter().any(|(other, _)| *other == number) => {
                    self.report(
                        Diagnostic::new(at, format!("the field `{name}` is given twice")).help("keep one of the two"),
                    );
                }
                Some((number, field)) => {
                    let wanted = self.infer.known(field.ty);
                    self.equate(wanted, found, value.span);
                    fields.push((number, value));
                }
            }
        }
        let base = literal.rest.as_ref().map(|base| self.expr(base));
        let base_ty = base.as_ref().map(|base| self.value(base));
        // The mistakes of a struct without a definition are reported there.
        let Some(of) = of else { return hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span } };
        let ty = self.infer.known(Type::of_struct(of));
        match base_ty {
            Some(base_ty) => self.equate(ty, base_ty, span),
            // A misspelt field is missing, too.
            None if self.diagnostics.len() > before => {}
            None => {
                let is_given = |number: u8| fields.iter().any(|(other, _)| *other == number);
                let missing = (0..).zip(&of.fields).filter(|(number, _)| !is_given(*number));
                let missing: Vec<String> = missing.map(|(_, field)| format!("`{}`", field.name)).collect();
                if !missing.is_empty() {
                    let message = format!("`{}` lacks {}", of.name, fields_named(&missing));
                    self.report(Diagnostic::new(span, message).help("give every field a value"));
                }
            }
        }
        let kind = hir::ExprKind::Struct { of, fields, base: base.map(Box::new) };
        hir::Expr { kind, ty: Some(ty), span }
    }
}

/// "the field `a`", "the fields `a`, `b`".
fn fields_named(names: &[String]) -> String {
    format!("the field{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
}

/// The mistake of a field that the struct does not have.
fn no_field(of: StructId, name: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(span, format!("`{}` has no field `{name}`", of.name));
    let names: Vec<&str> = of.fields.iter().map(|field| field.name.as_str()).collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("its fields are `{}`", names.join("`, `"))),
    }
}
