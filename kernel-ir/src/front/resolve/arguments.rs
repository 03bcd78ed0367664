//! The arguments of calls, and how a device function gets the arrays and variables that it takes by reference.

use super::super::hir::{self, Origin, View, ViewRoot};
use super::super::links::{DeviceCode, prototype, type_of};
use super::super::signature::ParamKind;
use super::super::syntax::ungrouped;
use super::{Binding, Borrowed, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{self, ParamId, PlaceRoot, Span, Type};

/// An argument of a call.
pub(super) enum Argument<'e> {
    Written(&'e syn::Expr),
    /// A value that is resolved already, because its type decides the instance of a generic function.
    Resolved {
        value: hir::Expr,
        written: &'e syn::Expr,
    },
    /// The receiver of a method, or the right side of an operator that changes the left one.
    Receiver(hir::Expr),
    /// The variable or element that a method or an operator changes.
    Place(hir::Expr),
}

impl<'e> Argument<'e> {
    /// The argument as it is written; `None` for a receiver.
    pub(super) fn written(&self) -> Option<&'e syn::Expr> {
        match self {
            Argument::Written(written) | Argument::Resolved { written, .. } => Some(written),
            Argument::Receiver(_) | Argument::Place(_) => None,
        }
    }
}

/// An array or a variable that a call passes.
pub(super) struct Passed {
    pub(super) view: View,
    /// What the view is of, or what the part is of that it holds a copy of.
    root: ViewRoot,
    /// The part that takes the value of the copy behind the call.
    pub(super) restored: Option<hir::Expr>,
    /// Whether the function may change it.
    changes: bool,
    /// The number of the argument.
    position: usize,
    span: Span,
}

impl Resolver<'_> {
    /// Resolves the argument for a parameter of a function that is no value. The indices of a part of an array are
    /// declared by statements that go to `stmts`. `None` if there is a mistake, which is reported.
    pub(super) fn pass(
        &mut self,
        function: &DeviceCode,
        position: usize,
        arg: &syn::Expr,
        stmts: &mut Vec<hir::Stmt>,
    ) -> Option<Passed> {
        let (param, span) = (&function.code().params[position], self.span(arg));
        match param.rank() {
            0 => {
                let place = self.pass_place(function, param, arg)?;
                self.lend(function, position, place, span, stmts)
            }
            _ => {
                let view = self.pass_array(function, param, arg, stmts)?;
                self.passed(function, position, view, span)
            }
        }
    }

    /// Passes the value that a method or an operator changes: its first argument.
    pub(super) fn pass_receiver(
        &mut self,
        function: &DeviceCode,
        place: hir::Expr,
        stmts: &mut Vec<hir::Stmt>,
    ) -> Option<Passed> {
        let span = place.span;
        self.lend(function, 0, place, span, stmts)
    }

    fn passed(&mut self, function: &DeviceCode, position: usize, view: View, span: Span) -> Option<Passed> {
        let id = ParamId(position as u32);
        if !matches!(view.root, ViewRoot::Array(_)) && updates_atomically(function, id) {
            let message = "the function updates its argument by atomics, which are for arrays of the kernel";
            self.report(
                Diagnostic::new(span, message)
                    .note(format!("the function is `{}`", prototype(function)))
                    .help("write a function without atomics for what the thread has itself"),
            );
            return None;
        }
        let changes = function.code().params[position].is_mutable();
        Some(Passed { root: view.root, view, restored: None, changes, position, span })
    }

    fn pass_array(
        &mut self,
        function: &DeviceCode,
        param: &ir::Param,
        arg: &syn::Expr,
        stmts: &mut Vec<hir::Stmt>,
    ) -> Option<View> {
        let span = self.span(arg);
        let wanted = type_of(param);
        let is_plain_local = self.named_local_array(arg).is_some();
        if !self.is_array(arg) || is_plain_local {
            if let Some(array) = self.optional_array(arg) {
                self.may_be_absent(array, span);
                return None;
            }
            let help = match is_plain_local {
                true if param.is_mutable() => "write `&mut` before the local array".to_owned(),
                true => "write `&` before the local array".to_owned(),
                false => format!(
                    "pass an array parameter of {} by its name, or a part of one, such as `&x[a..b]`",
                    self.signature.kind.noun()
                ),
            };
            self.report(
                Diagnostic::new(span, format!("expected an array, `{wanted}`"))
                    .note(format!("the function is `{}`", prototype(function)))
                    .help(help),
            );
            return None;
        }
        let borrowed = self.borrow(arg, &param.name, stmts)?;
        self.check_array(function, param, arg, &borrowed).then_some(borrowed.view)
    }

    /// Whether a function may take the array as `param`. Reports a mistake if it may not.
    fn check_array(&mut self, function: &DeviceCode, param: &ir::Param, arg: &syn::Expr, given: &Borrowed) -> bool {
        let (span, rank) = (self.span(arg), self.rank(&given.view));
        let is_whole = given.view.len.is_none();
        let (name, at, len) = match given.view.root {
            ViewRoot::Array(array) => {
                let root = self.param(array);
                let ParamKind::Array { elem, len: of_param, .. } = root.kind else { return false };
                let Some(elem) = elem else { return false };
                let (name, at) = (root.name.clone(), root.span);
                if elem != param.elem() {
                    return self.other_array(function, param, (span, &name, at), given, Some(elem), rank);
                }
                (name, at, of_param.filter(|_| is_whole))
            }
            ViewRoot::LocalArray(local) | ViewRoot::Variable(local) => {
                let (name, at) = (self.locals[local.0 as usize].name.clone(), self.locals[local.0 as usize].span);
                let (wanted, found) = (self.infer.known(param.elem()), self.locals[local.0 as usize].ty);
                if let Some(mistake) = self.infer.equate(wanted, found, span) {
                    self.report(mistake.note(format!("the function is `{}`", prototype(function))));
                    return false;
                }
                (name, at, self.length_of(local).filter(|_| is_whole))
            }
        };
        if rank != param.rank() || param.is_mutable() && !given.mutable {
            return self.other_array(function, param, (span, &name, at), given, None, rank);
        }
        if let Some(wanted) = fixed_length(param)
            && len != Some(wanted)
        {
            self.report(
                Diagnostic::new(span, format!("expected `{}`, found an array of another length", type_of(param)))
                    .related(at, "declared here")
                    .note(format!("the function is `{}`", prototype(function)))
                    .help("take `&[T]` or `&mut [T]`, which have any length"),
            );
            return false;
        }
        if let syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr, .. }) = ungrouped(arg)
            && let syn::Expr::Path(_) = ungrouped(expr)
            && !matches!(given.view.root, ViewRoot::LocalArray(_))
        {
            // rustc would refuse it, because the parameter itself is not mutable.
            let name = self.named_part(expr).map_or(name, |number| self.parts[number].name.clone());
            let diagnostic = Diagnostic::new(span, format!("`{name}` is a reference already"));
            self.report(diagnostic.help(format!("write `{name}`")));
            return false;
        }
        true
    }

    /// Reports an array of another type or number of axes than `param`.
    fn other_array(
        &mut self,
        function: &DeviceCode,
        param: &ir::Param,
        (span, name, at): (Span, &str, Span),
        given: &Borrowed,
        elem: Option<Type>,
        rank: usize,
    ) -> bool {
        let elem = elem.unwrap_or(param.elem());
        let shape = vec![ir::Param::NO_EXTENT; rank];
        let kind = ir::ParamKind::Array { elem, mutable: given.mutable, optional: false, shape };
        let found = ir::Param { name: name.to_owned(), kind, domain: None, span }.rust_type();
        let is_mutable = match given.view.root {
            ViewRoot::Array(_) => self.may_be_lent(&given.view),
            ViewRoot::LocalArray(local) | ViewRoot::Variable(local) => self.locals[local.0 as usize].mutable,
        };
        let help = match param.is_mutable() && !given.mutable {
            true if is_mutable => "pass it by `&mut`, or by `row_mut`".to_owned(),
            true if matches!(given.view.root, ViewRoot::Array(_)) => format!("declare `{name}` with `&mut`"),
            true => format!("declare it with `let mut {name}`, and write `&mut`"),
            false => "pass an array of the same element type and number of axes".to_owned(),
        };
        let what = if given.view.as_param().is_some() { "" } else { "a part of " };
        self.report(
            Diagnostic::new(span, format!("expected `{}`, found {what}`{name}`, which is `{found}`", type_of(param)))
                .related(at, "declared here")
                .note(format!("the function is `{}`", prototype(function)))
                .help(help),
        );
        false
    }

    /// Resolves the argument for a parameter `&mut T`: `&mut y`, `&mut y[i].x`, or such a parameter of the caller.
    fn pass_place(&mut self, function: &DeviceCode, param: &ir::Param, arg: &syn::Expr) -> Option<hir::Expr> {
        let (span, wanted) = (self.span(arg), type_of(param));
        if let Some(place) = self.lent_place(arg) {
            return Some(place);
        }
        let value = self.expr(arg);
        if !matches!(value.kind, hir::ExprKind::Error) {
            self.report(
                Diagnostic::new(span, format!("expected `{wanted}`, found a value"))
                    .note(format!("the function is `{}`", prototype(function)))
                    .help("pass a variable or an element of an array by `&mut`"),
            );
        }
        None
    }

    /// A place as the argument for a parameter `&mut T`. A part of a variable or element is copied, and the function changes
    /// the copy: nothing else can reach the part as long as it is lent.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a whole variable or element")]
    fn lend(
        &mut self,
        function: &DeviceCode,
        position: usize,
        place: hir::Expr,
        span: Span,
        stmts: &mut Vec<hir::Stmt>,
    ) -> Option<Passed> {
        let param = &function.code().params[position];
        let (wanted_ty, found) = (self.infer.known(param.elem()), self.value(&place));
        if let Some(mistake) = self.infer.equate(wanted_ty, found, place.span) {
            self.report(mistake.note(format!("the function is `{}`", prototype(function))));
            return None;
        }
        let (root, positions) = match place.kind {
            hir::ExprKind::Local(local) => (ViewRoot::Variable(local), Vec::new()),
            hir::ExprKind::LocalElement { local, index } => (ViewRoot::LocalArray(local), vec![*index]),
            hir::ExprKind::Element { array, index } => (ViewRoot::Array(array), index),
            hir::ExprKind::Component { .. } | hir::ExprKind::Column { .. } | hir::ExprKind::Field { .. } => {
                let mut part = place;
                let root = self.hold_indices(&mut part, &param.name, stmts)?;
                let copy = self.new_local(param.name.clone(), found, true, Origin::Value, span);
                let init = Some(part.clone());
                stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local: copy, init }, span });
                let passed = self.passed(function, position, View::whole(ViewRoot::Variable(copy)), span)?;
                return Some(Passed { root, restored: Some(part), ..passed });
            }
            _ => return None,
        };
        let mut indices = Vec::new();
        for index in positions {
            indices.push(self.index_local(format!("{}_index", param.name), index, stmts));
        }
        self.passed(function, position, View { index: indices, ..View::whole(root) }, span)
    }

    /// The variable or array that a place is in. The indices of the place become locals, so that it can be evaluated twice;
    /// they are called after the parameter `name`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a place")]
    fn hold_indices(&mut self, place: &mut hir::Expr, name: &str, stmts: &mut Vec<hir::Stmt>) -> Option<ViewRoot> {
        Some(match &mut place.kind {
            hir::ExprKind::Local(local) => ViewRoot::Variable(*local),
            hir::ExprKind::LocalElement { local, index } => {
                self.hold_index(index, name, stmts);
                ViewRoot::LocalArray(*local)
            }
            hir::ExprKind::Element { array, index } => {
                index.iter_mut().for_each(|index| self.hold_index(index, name, stmts));
                ViewRoot::Array(*array)
            }
            hir::ExprKind::Component { base, index } | hir::ExprKind::Column { base, index } => {
                let root = self.hold_indices(base, name, stmts)?;
                self.hold_index(index, name, stmts);
                root
            }
            hir::ExprKind::Field { base, .. } => self.hold_indices(base, name, stmts)?,
            _ => return None,
        })
    }

    fn hold_index(&mut self, index: &mut hir::Expr, name: &str, stmts: &mut Vec<hir::Stmt>) {
        let span = index.span;
        let held = hir::Expr { kind: hir::ExprKind::Error, ty: None, span };
        let local = self.index_local(format!("{name}_index"), std::mem::replace(index, held), stmts);
        *index = self.index_value(local, span);
    }

    /// Assigns the copies that a call has changed to the parts that they are of, behind the call. Returns the value of the
    /// call.
    pub(super) fn restore(
        &mut self,
        restored: Vec<(hir::Expr, ViewRoot)>,
        call: hir::Expr,
        stmts: &mut Vec<hir::Stmt>,
    ) -> hir::Expr {
        if restored.is_empty() {
            return call;
        }
        let (ty, span) = (call.ty, call.span);
        let result = ty.map(|ty| self.new_local("result".to_owned(), ty, false, Origin::Value, span));
        let kind = match result {
            Some(local) => hir::StmtKind::Let { local, init: Some(call) },
            None => hir::StmtKind::Expr(call),
        };
        stmts.push(hir::Stmt { kind, span });
        for (place, copy) in restored {
            let ViewRoot::Variable(copy) = copy else { continue };
            let value = hir::Expr { kind: hir::ExprKind::Local(copy), ty: place.ty, span };
            let kind = hir::ExprKind::Assign { place: Box::new(place), value: Box::new(value) };
            stmts.push(hir::Stmt { kind: hir::StmtKind::Expr(hir::Expr { kind, ty: None, span }), span });
        }
        let kind = match result {
            Some(local) => hir::ExprKind::Local(local),
            None => hir::ExprKind::Block(hir::Block { stmts: Vec::new(), tail: None }),
        };
        hir::Expr { kind, ty, span }
    }

    /// The place that an argument lends: `&mut y`, `&mut y[i]`, or a parameter `&mut T` of the caller. `None` for others.
    pub(super) fn lent_place(&mut self, arg: &syn::Expr) -> Option<hir::Expr> {
        if let syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr, .. }) = ungrouped(arg) {
            return Some(self.place(expr));
        }
        self.lent_value(arg).map(|_| self.expr(arg))
    }

    /// The parameter `&mut T` that `expr` names.
    pub(super) fn lent_value(&self, expr: &syn::Expr) -> Option<ParamId> {
        let syn::Expr::Path(path) = ungrouped(expr) else { return None };
        let name = super::super::syntax::plain_name(path.path.get_ident()?);
        let Some(Binding::Array(array)) = self.lookup(&name) else { return None };
        matches!(self.param(array).kind, ParamKind::Array { rank: 0, .. }).then_some(array)
    }

    /// Gives the arguments names that come before the indices of a part of an array, in statements at position `at` of
    /// `stmts`, if the order in which they are evaluated shows.
    pub(super) fn hold(&mut self, args: &mut [hir::Expr], stmts: &mut Vec<hir::Stmt>, at: usize) {
        let is_plain = |stmt: &hir::Stmt| matches!(&stmt.kind, hir::StmtKind::LetIndex { init, .. } if init.is_plain());
        if stmts[at..].iter().all(is_plain) && args.iter().all(hir::Expr::is_plain) {
            return;
        }
        let mut declared = Vec::new();
        for arg in args {
            let Some(ty) = arg.ty else { continue };
            let span = arg.span;
            let local = self.new_local("before".to_owned(), ty, false, Origin::Value, span);
            let name = hir::Expr { kind: hir::ExprKind::Local(local), ty: Some(ty), span };
            let init = Some(std::mem::replace(arg, name));
            declared.push(hir::Stmt { kind: hir::StmtKind::Let { local, init }, span });
        }
        stmts.splice(at..at, declared);
    }

    /// Reports an array or a variable that a function changes, and that is another argument, too. rustc refuses most such
    /// calls, and its message does not name the way out.
    pub(super) fn check_aliases(&mut self, passed: &[Passed], written: &[Option<&syn::Expr>]) {
        for (place, one) in passed.iter().enumerate().filter(|(_, one)| one.changes) {
            let is_other = |other: &&Passed| other.root == one.root && other.position != one.position;
            // Of two that the function changes, the second one is reported.
            let other = passed.iter().filter(is_other).find(|other| !other.changes || other.position > one.position);
            if let Some(other) = other {
                let name = self.root_name(one.root);
                let (first, second) = if other.position > one.position { (one, other) } else { (other, one) };
                let diagnostic =
                    Diagnostic::new(second.span, format!("`{name}` is passed twice, and the function changes it"))
                        .related(first.span, "first passed here")
                        .note("an array that changes is lent to one parameter alone, also in parts");
                self.report(diagnostic.help(format!(
                    "pass `{name}` once, with the bounds of both parts as values, or copy what the function reads"
                )));
                return;
            }
            // An array that is passed by its name is borrowed when all arguments are evaluated.
            let is_name = |arg: &&syn::Expr| matches!(ungrouped(arg), syn::Expr::Path(_));
            if written[one.position].as_ref().is_some_and(is_name) {
                continue;
            }
            let later = written.iter().enumerate().skip(one.position + 1);
            let values = later.filter(|(position, _)| passed[place..].iter().all(|other| other.position != *position));
            for arg in values.filter_map(|(_, arg)| *arg) {
                let Some(mention) = self.mention(one.root, arg) else { continue };
                let (at, name) = (self.span(mention), self.root_name(one.root));
                self.report(
                    Diagnostic::new(at, format!("the function changes `{name}`, and a later argument reads it"))
                        .related(one.span, "lent here")
                        .help("compute the value first: `let v = …;`"),
                );
                return;
            }
        }
    }

    pub(super) fn root_name(&self, root: ViewRoot) -> String {
        match root {
            ViewRoot::Array(array) => self.param(array).name.clone(),
            ViewRoot::LocalArray(local) | ViewRoot::Variable(local) => self.locals[local.0 as usize].name.clone(),
        }
    }
}

/// The length of a parameter `&[T; N]`.
fn fixed_length(param: &ir::Param) -> Option<u32> {
    match &param.kind {
        ir::ParamKind::Array { shape, .. } => match shape.as_slice() {
            [ir::SizeExpr::Literal(len @ 1..)] => u32::try_from(*len).ok(),
            _ => None,
        },
        ir::ParamKind::Value(_) => None,
    }
}

/// Whether the function updates elements of the array by atomics.
fn updates_atomically(function: &DeviceCode, array: ParamId) -> bool {
    let is_it = |root: &PlaceRoot| matches!(root, PlaceRoot::Element { array: of, .. } if *of == array);
    let mut found = false;
    function.code().walk_stmts(&mut |stmt| found |= stmt.atomic().is_some_and(|(_, place)| is_it(&place.root)));
    found
}
