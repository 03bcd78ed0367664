//! Resolution of expressions: the dispatcher, literals, fields, indices, casts and branches.

use super::super::hir::{View, ViewRoot};
use super::super::infer::{About, Candidate, TypeVar};
use super::super::messages::{self, Written};
use super::super::signature::ParamKind;
use super::super::syntax::{axes, plain_name, ungrouped};
use super::super::{hir, types};
use super::{Binding, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{ParamId, ScalarSet, ShapePattern, Span, Type, TypeFamily, TypeSet};
use crate::ops::Pat;
use std::collections::HashMap;

/// The help text for arrays on the heap, which the language does not have.
const LOCAL_ARRAYS: &str = "use a local array such as `[0.0f32; 4]`, or an array parameter";

impl Resolver<'_> {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn expr(&mut self, expr: &syn::Expr) -> hir::Expr {
        match expr {
            syn::Expr::Paren(inner) => self.expr(&inner.expr),
            syn::Expr::Group(inner) => self.expr(&inner.expr),
            syn::Expr::Lit(literal) => self.literal(&literal.lit, false),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::MethodCall(call) => self.method_call(call),
            syn::Expr::Field(field) => self.field(field),
            syn::Expr::Tuple(tuple) if !tuple.elems.is_empty() => self.tuple(tuple),
            syn::Expr::Struct(literal) => self.struct_literal(literal),
            syn::Expr::Index(index) => self.index(index),
            syn::Expr::Array(_) | syn::Expr::Repeat(_) => {
                let span = self.span(expr);
                self.array_as_value(span)
            }
            syn::Expr::Cast(cast) => self.cast(cast),
            syn::Expr::If(branch) => self.if_expr(branch),
            syn::Expr::Match(choice) => self.match_expr(choice),
            syn::Expr::Block(block) => self.block_expr(block),
            syn::Expr::Assign(assign) => self.assign(assign),
            syn::Expr::ForLoop(for_loop) => self.for_loop(for_loop),
            syn::Expr::While(while_loop) => self.while_loop(while_loop),
            syn::Expr::Loop(endless) => self.endless_loop(endless),
            syn::Expr::Break(leave) => self.break_expr(leave),
            syn::Expr::Continue(next) => self.continue_expr(next),
            syn::Expr::Return(end) => self.return_expr(end),
            syn::Expr::Reference(_) if self.borrows_part(expr) => self.part_as_value(expr),
            syn::Expr::Macro(call) => {
                let span = self.span(call);
                self.macro_call(&call.mac, span)
            }
            other => self.unknown_form(other),
        }
    }

    /// Reports an expression that the language does not have.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn unknown_form(&mut self, expr: &syn::Expr) -> hir::Expr {
        let (what, help) = match expr {
            syn::Expr::Let(_) => (
                "`let` is not a value in the kernel language",
                "write it in the condition of an `if`, or test an optional array with `is_some()`",
            ),
            syn::Expr::Closure(_) => {
                ("closures are not in the kernel language", "write the code in place, or a function with `#[device]`")
            }
            syn::Expr::Reference(_) => (
                "references are not in the kernel language",
                "use the value itself; `&` and `&mut` are for arguments of device functions, parts of arrays and atomic operations",
            ),
            syn::Expr::Tuple(_) => ("`()` is not a value in the kernel language", "remove it"),
            syn::Expr::Range(_) => ("a range is allowed only in `for … in`", "compare with `>=` and `<`"),
            syn::Expr::Try(_) => ("`?` is not in the kernel language", "a kernel returns nothing: test and `return`"),
            syn::Expr::Unsafe(_) => ("`unsafe` is not in the kernel language", "remove it: a kernel needs none"),
            syn::Expr::Await(_) | syn::Expr::Async(_) => {
                ("`async` is not in the kernel language", "a launch runs every thread to its end")
            }
            _ => ("this expression is not in the kernel language", "docs/language.md lists all expressions"),
        };
        let span = self.span(expr);
        self.error(Diagnostic::new(span, what).help(help))
    }

    pub(super) fn macro_call(&mut self, mac: &syn::Macro, span: Span) -> hir::Expr {
        if let Some(written) = messages::written(mac) {
            return self.message(written, span);
        }
        let name = mac.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
        let help = match name.as_str() {
            "print" | "println" | "eprint" | "eprintln" | "dbg" => "write `kernel_print!(\"x = {x}\")`",
            "vec" => LOCAL_ARRAYS,
            "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "panic" | "todo" | "unreachable" => {
                "write `kernel_assert!(x > 0.0)`, or test the condition and `return`"
            }
            _ => "write the code in place",
        };
        self.error(
            Diagnostic::new(span, format!("the macro `{name}!` cannot be called in a kernel"))
                .note("`#[kernel]` sees only the call, not its expansion")
                .help(help),
        )
    }

    /// `kernel_print!("x = {}", x)`, or `kernel_assert!(x > 0.0, "x = {}", x)`.
    fn message(&mut self, written: Result<Written, (proc_macro2::Span, String)>, span: Span) -> hir::Expr {
        let Written { cond, text, values } = match written {
            Ok(written) => written,
            Err((at, mistake)) => {
                let at = self.spans.insert(at);
                return self.error(Diagnostic::new(at, mistake).help(
                    "write `kernel_print!(\"x = {}, y = {y:.3}\", x[i])`; values are numbers, without or with digits behind the point",
                ));
            }
        };
        let cond = cond.map(|cond| {
            let cond = self.expr(&cond);
            let (wanted, found) = (self.infer.known(Type::BOOL), self.value(&cond));
            self.equate(wanted, found, cond.span);
            Box::new(cond)
        });
        let mut args = Vec::new();
        for value in &values {
            let value = self.expr(value);
            let ty = self.value(&value);
            let of_enum = self.enum_of(&[ty]);
            let scalars = self.infer.var(TypeSet::scalars(ScalarSet::ALL));
            if !self.infer.is_broken(ty) && self.infer.equate(scalars, ty, value.span).is_some() {
                let message = Diagnostic::new(value.span, "a message prints single numbers and truth values");
                return self.error(match of_enum {
                    Some(of) => message.help(format!("print its number: `value as {}`", of.repr().rust_name())),
                    None => message.help("print each component: `{} {}` with `v.x, v.y`"),
                });
            }
            args.push(value);
        }
        let kind = match self.signature.debug {
            true => hir::ExprKind::Message { text, args, cond },
            false => hir::ExprKind::Block(hir::Block { stmts: Vec::new(), tail: None }),
        };
        hir::Expr { kind, ty: None, span }
    }

    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn literal(&mut self, literal: &syn::Lit, negative: bool) -> hir::Expr {
        let span = self.span(literal);
        match literal {
            syn::Lit::Bool(value) => {
                let ty = self.infer.known(Type::BOOL);
                hir::Expr { kind: hir::ExprKind::Bool(value.value), ty: Some(ty), span }
            }
            syn::Lit::Int(value) => {
                let Some(ty) = self.literal_type(value.suffix(), span, true) else {
                    return hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span };
                };
                // `1f32` is an integer token, but a float literal.
                if value.suffix().starts_with(['f', 'b']) {
                    let digits = value.base10_digits().to_owned();
                    return hir::Expr { kind: hir::ExprKind::Float { digits, negative }, ty: Some(ty), span };
                }
                match value.base10_parse::<i128>() {
                    Ok(magnitude) => {
                        let kind = hir::ExprKind::Int(if negative { -magnitude } else { magnitude });
                        hir::Expr { kind, ty: Some(ty), span }
                    }
                    Err(_) => self.error(Diagnostic::new(span, "this number is too large").help("use a smaller one")),
                }
            }
            syn::Lit::Float(value) => {
                let Some(ty) = self.literal_type(value.suffix(), span, false) else {
                    return hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span };
                };
                let digits = value.base10_digits().to_owned();
                hir::Expr { kind: hir::ExprKind::Float { digits, negative }, ty: Some(ty), span }
            }
            syn::Lit::Byte(value) => {
                let ty = self.infer.known(Type::U8);
                hir::Expr { kind: hir::ExprKind::Int(value.value().into()), ty: Some(ty), span }
            }
            _ => self.error(Diagnostic::new(span, "text is not in the kernel language").help("use a number")),
        }
    }

    fn literal_type(&mut self, suffix: &str, span: Span, integer: bool) -> Option<TypeVar> {
        if suffix.is_empty() {
            return Some(if integer { self.infer.integer_literal() } else { self.infer.float_literal() });
        }
        match Type::from_rust_name(suffix).filter(|ty| ty.is_scalar() && *ty != Type::BOOL) {
            Some(ty) if ty.scalar().is_half() => {
                self.report(
                    Diagnostic::new(span, format!("there are no literals of the type `{suffix}`"))
                        .help(format!("write `{suffix}::from_f32(1.0)`")),
                );
                None
            }
            Some(ty) => Some(self.infer.known(ty)),
            None => {
                self.report(
                    Diagnostic::new(span, format!("`{suffix}` is not a type of the kernel language"))
                        .help("use `f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 usize`"),
                );
                None
            }
        }
    }

    fn field(&mut self, field: &syn::ExprField) -> hir::Expr {
        let span = self.span(field);
        if let Some(block) = self.named_block(&field.base) {
            return self.block_field(block, &field.member, span);
        }
        let base = self.expr(&field.base);
        match &field.member {
            syn::Member::Named(name) => self.field_of(base, plain_name(name), span),
            syn::Member::Unnamed(number) => self.tuple_field(base, number, span),
        }
    }

    /// The component, column or field `name` of `base`. Every vector with more than `position` components is a candidate
    /// for a component, and so is the quaternion; likewise matrices for columns, and structs with a field of that name.
    pub(super) fn field_of(&mut self, base: hir::Expr, name: String, span: Span) -> hir::Expr {
        let base_ty = self.value(&base);
        let (component, axis) = match name.strip_suffix("_axis") {
            Some(axis) => (axis, true),
            None => (name.as_str(), false),
        };
        let components = ["x", "y", "z", "w"];
        let position = components.iter().position(|known| *known == component);
        let row = |(shape, part)| Candidate::of(TypeFamily { scalars: ScalarSet::ALL, shape }, &[Pat::T, part]);
        let mut rows: Vec<Candidate> = match position.map(|position| position as u8 + 1..=components.len() as u8) {
            None => Vec::new(),
            Some(sizes) if axis => sizes.map(|n| (ShapePattern::Matrix(None, Some(n)), Pat::Col)).map(row).collect(),
            Some(sizes) => {
                let vectors = sizes.map(|n| (ShapePattern::Vector(Some(n)), Pat::S));
                vectors.chain([(ShapePattern::Quat, Pat::S)]).map(row).collect()
            }
        };
        for id in self.known.met().into_iter().filter(|id| !id.is_enum()) {
            rows.extend(id.field(&name).map(|(_, field)| Candidate::field(Type::of_struct(id), field.ty)));
        }
        if rows.is_empty() {
            if self.infer.is_broken(base_ty) {
                return hir::Expr { kind: hir::ExprKind::Error, ty: Some(base_ty), span };
            }
            return self.error(no_field(&name, self.infer.ty(base_ty), span));
        }
        let part = self.infer.any();
        self.infer.constrain(vec![base_ty, part], rows, About::Field(name.clone()), span);
        hir::Expr { kind: hir::ExprKind::Field { base: Box::new(base), name }, ty: Some(part), span }
    }

    pub(super) fn index(&mut self, index: &syn::ExprIndex) -> hir::Expr {
        let span = self.span(index);
        if let Some(extent) = self.shape_extent(index, span) {
            return extent;
        }
        if let Some((array, rank)) = self.named_array(&index.expr) {
            return self.element(array, rank, &index.index, span);
        }
        if let Some(local) = self.named_local_array(&index.expr) {
            return self.local_element(local, &index.index, span);
        }
        if let Some(part) = self.named_part(&index.expr) {
            return self.part_element(part, &index.index, span);
        }
        if self.is_array(&index.expr) {
            return self.part_as_value(&index.expr);
        }
        if let Some(array) = self.optional_array(&index.expr) {
            let span = self.span(&index.expr);
            return self.may_be_absent(array, span);
        }
        let base = self.expr(&index.expr);
        self.component_of(base, &index.index, span)
    }

    /// The component of `base` at an index.
    pub(super) fn component_of(&mut self, base: hir::Expr, position: &syn::Expr, span: Span) -> hir::Expr {
        let position = self.expr(position);
        let (base_ty, position_ty) = (self.value(&base), self.value(&position));
        let vectors = TypeFamily { scalars: ScalarSet::ALL, shape: ShapePattern::Vector(None) };
        let rows = vec![Candidate::of(vectors, &[Pat::T, Pat::Is(Type::INDEX), Pat::S])];
        let part = self.infer.any();
        self.infer.constrain(vec![base_ty, position_ty, part], rows, About::Index, span);
        let kind = hir::ExprKind::Component { base: Box::new(base), index: Box::new(position) };
        hir::Expr { kind, ty: Some(part), span }
    }

    /// The array parameter that `expr` names, with its number of axes.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn named_array(&self, expr: &syn::Expr) -> Option<(ParamId, u8)> {
        let path = match expr {
            syn::Expr::Path(path) => path,
            syn::Expr::Paren(inner) => return self.named_array(&inner.expr),
            syn::Expr::Group(inner) => return self.named_array(&inner.expr),
            _ => return None,
        };
        let name = plain_name(path.path.get_ident()?);
        let Some(Binding::Array(array)) = self.lookup(&name) else { return None };
        match self.param(array).kind {
            ParamKind::Array { rank: 0, .. } | ParamKind::Value(_) => None,
            ParamKind::Array { rank, .. } => Some((array, rank)),
        }
    }

    fn element(&mut self, array: ParamId, rank: u8, index: &syn::Expr, span: Span) -> hir::Expr {
        let name = self.param(array).name.clone();
        match self.positions(&name, rank, index) {
            Ok(positions) => self.element_of(&View::whole(ViewRoot::Array(array)), positions, span),
            Err(error) => error,
        }
    }

    /// The indices of an element of the array `name`, or a reported mistake.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn positions(&mut self, name: &str, rank: u8, index: &syn::Expr) -> Result<Vec<hir::Expr>, hir::Expr> {
        let positions: Vec<&syn::Expr> = match index {
            syn::Expr::Array(list) => list.elems.iter().collect(),
            single => vec![single],
        };
        if let syn::Expr::Range(_) = index {
            let span = self.span(index);
            return Err(self.error(
                Diagnostic::new(span, format!("a range of `{name}` is not a value"))
                    .help(format!("read one element at a time: `{name}[i]`, or borrow the range: `&{name}[a..b]`")),
            ));
        }
        if positions.len() != usize::from(rank) || matches!(index, syn::Expr::Array(_)) != (rank > 1) {
            let wanted: Vec<&str> = ["i", "j", "k", "l"][..usize::from(rank)].to_vec();
            let form = match rank {
                1 => format!("{name}[i]"),
                _ => format!("{name}[[{}]]", wanted.join(", ")),
            };
            let span = self.span(index);
            return Err(self.error(
                Diagnostic::new(span, format!("`{name}` has {}", axes(rank.into())))
                    .help(format!("index it as `{form}`")),
            ));
        }
        let mut resolved = Vec::new();
        for position in positions {
            let position = self.expr(position);
            let found = self.value(&position);
            self.index_type(found, position.span);
            resolved.push(position);
        }
        Ok(resolved)
    }

    /// Requires that an index has the type `usize`.
    pub(super) fn index_type(&mut self, found: TypeVar, span: Span) {
        let wanted = self.infer.known(Type::INDEX);
        if let Some(mistake) = self.infer.equate(wanted, found, span) {
            let help = match self.infer.is_float(found) {
                true => "an index is a whole number: convert it with `as usize`, which drops the fraction",
                false => "convert it with `as usize`",
            };
            self.report(Diagnostic { help: Some(help.to_owned()), ..mistake });
        }
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> hir::Expr {
        let span = self.span(cast);
        match types::read(&cast.ty, self.known, self.spans, self.diagnostics) {
            Some(to) if to.is_scalar() && to.scalar().is_half() => {
                let operand = self.expr(&cast.expr);
                let from = operand.ty.and_then(|ty| self.infer.ty(ty)).filter(|ty| ty.is_scalar());
                let value = match from {
                    Some(Type::F32) => "x",
                    Some(from) if from.scalar().is_half() => "x.to_f32()",
                    _ => "x as f32",
                };
                let (at, name) = (self.span(&cast.ty), to.rust_name());
                self.error(
                    Diagnostic::new(at, format!("`as` does not convert to `{name}`"))
                        .note(format!("`{name}` is a type of the crate `half`, and rustc casts only its own types"))
                        .help(format!("write `{name}::from_f32({value})`")),
                )
            }
            Some(to) => self.cast_to(to, &cast.expr, span),
            None => {
                self.expr(&cast.expr);
                hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span }
            }
        }
    }

    /// `value as T`, or `T::cast(value)`.
    pub(super) fn cast_to(&mut self, to: Type, value: &syn::Expr, span: Span) -> hir::Expr {
        let mut operand = self.expr(value);
        let mut operand_ty = self.value(&operand);
        if let Some(of) = self.enum_of(&[operand_ty]) {
            (operand, operand_ty) = self.number_of(operand, of);
        }
        if !to.is_scalar() || to == Type::BOOL {
            let help = match to {
                Type::BOOL => "compare with zero: `k != 0`",
                _ => "`as` converts single numbers; convert the components one by one",
            };
            return self
                .error(Diagnostic::new(span, format!("nothing can be cast to `{}`", to.rust_name())).help(help));
        }
        let ty = self.infer.known(to);
        if let Some(literal) = operand.literal_type() {
            self.infer.prefer(literal, to);
        }
        self.infer.constrain(vec![operand_ty, ty], vec![Candidate::cast(to)], About::Cast, span);
        hir::Expr { kind: hir::ExprKind::Cast(Box::new(operand)), ty: Some(ty), span }
    }

    /// A condition: an expression of type `bool`.
    pub(super) fn condition(&mut self, cond: &syn::Expr) -> hir::Expr {
        if let syn::Expr::Assign(assign) = ungrouped(cond) {
            let span = self.span(assign);
            return self.error(Diagnostic::new(span, "an assignment is not a condition").help("compare with `==`"));
        }
        let resolved = self.expr(cond);
        let found = self.value(&resolved);
        let wanted = self.infer.known(Type::BOOL);
        if let Some(mistake) = self.infer.equate(wanted, found, resolved.span) {
            self.report(mistake.help("write a comparison, for example with `!= 0`"));
        }
        resolved
    }

    fn if_expr(&mut self, branch: &syn::ExprIf) -> hir::Expr {
        let span = self.span(branch);
        // The names that `if let` unwraps are visible in the rest of the condition and in the first block.
        self.scopes.push(HashMap::new());
        let cond = Box::new(self.unwrapping_condition(&branch.cond));
        let then = self.block(&branch.then_branch);
        self.scopes.pop();
        let other = branch.else_branch.as_ref().map(|(_, other)| Box::new(self.expr(other)));
        let ty = other.as_ref().and_then(|other| self.join(&then, other));
        hir::Expr { kind: hir::ExprKind::If { cond, then, other }, ty, span }
    }

    /// The type of an `if` with an `else`. A branch that diverges takes the type of the other branch.
    pub(super) fn join(&mut self, then: &hir::Block, other: &hir::Expr) -> Option<TypeVar> {
        let then_ty = then.tail.as_ref().and_then(|tail| tail.ty);
        match (then_ty, other.ty) {
            (Some(a), Some(b)) => {
                let tail = other.as_block().and_then(|block| block.tail.as_ref());
                let span = tail.map_or(other.span, |tail| tail.span);
                self.equate(a, b, span);
                Some(a)
            }
            (Some(a), None) if other.diverges() => Some(a),
            (None, Some(b)) if then.diverges() => Some(b),
            _ => None,
        }
    }

    fn block_expr(&mut self, block: &syn::ExprBlock) -> hir::Expr {
        let span = self.span(block);
        if let Some(label) = &block.label {
            self.refuse_label(&label.name);
        }
        let block = self.block(&block.block);
        let ty = block.tail.as_ref().and_then(|tail| tail.ty);
        hir::Expr { kind: hir::ExprKind::Block(block), ty, span }
    }

    /// The extent that an expression such as `m.shape()[1]` denotes; `None` if it has another form.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    fn shape_extent(&mut self, index: &syn::ExprIndex, span: Span) -> Option<hir::Expr> {
        let syn::Expr::MethodCall(call) = &*index.expr else { return None };
        let (array, rank) = self.named_array(&call.receiver).filter(|_| call.method == "shape")?;
        let axis = match &*index.index {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(axis), .. }) => axis.base10_parse::<u8>().ok(),
            _ => None,
        };
        let name = self.param(array).name.clone();
        if rank == 1 {
            return Some(
                self.error(
                    Diagnostic::new(span, format!("`{name}` is a slice and has no `shape`"))
                        .help(format!("write `{name}.len()`")),
                ),
            );
        }
        match axis.filter(|axis| *axis < rank) {
            Some(axis) => {
                let ty = self.infer.known(Type::INDEX);
                Some(hir::Expr { kind: hir::ExprKind::Extent { array, axis }, ty: Some(ty), span })
            }
            None => {
                let span = self.span(&index.index);
                let message = match axis {
                    Some(axis) => format!("`{name}` has no axis {axis}"),
                    None => "the axis of a shape must be a literal number".to_owned(),
                };
                let help = format!("the axes of `{name}` are 0 to {}", rank - 1);
                Some(self.error(Diagnostic::new(span, message).help(help)))
            }
        }
    }
}

/// The mistake of a field that nothing in the language has; `base` is the type of the value, if it is known.
fn no_field(name: &str, base: Option<Type>, span: Span) -> Diagnostic {
    if let Some(of) = base.and_then(Type::as_enum) {
        let help = format!("read its number: `value as {}`", of.repr().rust_name());
        return Diagnostic::new(span, format!("the enum `{}` has no fields", of.name)).help(help);
    }
    if let Some(of) = base.and_then(Type::as_struct) {
        let names: Vec<&str> = of.fields.iter().map(|field| field.name.as_str()).collect();
        return Diagnostic::new(span, format!("`{}` has no field `{name}`", of.name))
            .help(format!("its fields are `{}`", names.join("`, `")));
    }
    Diagnostic::new(span, format!("there is no field `{name}` in the kernel language"))
        .help("vectors and quaternions have `.x .y .z .w`, matrices `.x_axis .y_axis .z_axis .w_axis`")
}
