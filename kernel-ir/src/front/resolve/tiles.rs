//! Resolution of tiles: values of a whole block, with a static shape.
//!
//! The shape of a tile shows in the text: where it is loaded or made, and by the rules of operators and methods after that.
//! Inference knows the types of elements only, so an operator on tiles is one on their elements, and `lower` gives it the type
//! of a tile.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not about tiles is resolved elsewhere"
)]

use super::super::hir::{self, Origin, Shape};
use super::super::infer::{About, TypeVar};
use super::super::signature::ParamKind;
use super::super::syntax::{plain_name, ungrouped, ungrouped_type};
use super::super::types;
use super::blocks::{DECLARATION, as_expr};
use super::{Binding, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{
    AtomicOp, Kernel, LocalId, Over, ParamId, REDUCTIONS, SCANS, Span, TileForm, TileOp, Type, tile_steps,
};
use crate::ops::Syntax;
use std::collections::HashMap;

/// The help for a tile whose shape is not known.
const SHAPES: &str =
    "write its shape: `let t: Tile<f32, 16, 32> = x.load_tile([i, k]);`, or `x.load_tile::<16, 32>([i, k])`";

/// The help for operands whose shapes do not fit.
const OPERANDS: &str =
    "operators take tiles of one shape, a tile and a row or column that fits, or a tile and a number";

/// What a method of an array does with a tile.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Load,
    Store,
    AtomicAdd,
}

/// A method of an array that loads or stores a tile, as its name says.
struct Method {
    access: Access,
    form: TileForm,
    /// Whether the index counts in elements, and not in tiles.
    at: bool,
    /// Whether elements outside of the array have a padding value.
    or: bool,
}

impl Method {
    fn named(name: &str) -> Option<Method> {
        let heads = [("load_", Access::Load), ("store_", Access::Store), ("atomic_add_", Access::AtomicAdd)];
        let (rest, access) = heads.into_iter().find_map(|(head, access)| Some((name.strip_prefix(head)?, access)))?;
        let (rest, form) = TileForm::ALL.into_iter().find_map(|form| Some((rest.strip_prefix(form.word())?, form)))?;
        let (at, or) = match rest {
            "" => (false, false),
            "_at" => (true, false),
            "_or" => (false, true),
            "_at_or" => (true, true),
            _ => return None,
        };
        (access == Access::Load || !or).then_some(Method { access, form, at, or })
    }
}

impl Resolver<'_> {
    /// The shape of the tile that an expression is; `None` for other values.
    pub(super) fn shape_of(&self, expr: &hir::Expr) -> Option<Shape> {
        if self.tiles { expr.shape(&|local| self.locals[local.0 as usize].tile) } else { None }
    }

    /// `let t: Tile<f32, 16, 32> = …;`, and `let t = …;` with a tile as its value. Returns whether the statement is one of
    /// these, or has a type that is a tile.
    pub(super) fn let_tile(
        &mut self,
        ident: &syn::PatIdent,
        annotation: Option<&syn::Type>,
        init: Option<&syn::Expr>,
        stmts: &mut Vec<hir::Stmt>,
        span: Span,
    ) -> bool {
        let Some((form, args)) = annotation.and_then(tile_type) else { return false };
        let at = annotation.map_or(span, |ty| self.span(ty));
        let (elem, shape) = self.read_tile(form, &args, at);
        let Ok(shape) = shape else {
            self.bind_broken(&syn::Pat::Ident(ident.clone()));
            return true;
        };
        let Some(init) = init else {
            self.report(Diagnostic::new(span, "a tile is declared with its value").help("write `= Tile::splat(0.0)`"));
            self.bind_broken(&syn::Pat::Ident(ident.clone()));
            return true;
        };
        let value = match self.made(init, shape) {
            Some(value) => value,
            None => self.expr(init),
        };
        let found = self.value(&value);
        self.equate(elem, found, value.span);
        let is_wrong = shape.is_some() && self.shape_of(&value) != shape && !self.infer.is_broken(found);
        if is_wrong {
            let found = self.shape_of(&value).map_or_else(|| "one value".to_owned(), words);
            let message = format!("mismatched types: the value is {found}");
            self.report(Diagnostic::new(value.span, message).related(at, "the type is given here").help(SHAPES));
        }
        let local = self.declare_tile(ident, elem, shape);
        stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local, init: Some(value) }, span });
        true
    }

    /// Gives the locals for the values of a tuple the shapes of these values.
    pub(super) fn set_shapes(&mut self, locals: &[Option<LocalId>], value: &hir::Expr) {
        let Some(values) = value.tuple_values() else { return };
        for (local, value) in locals.iter().zip(values) {
            if let Some(local) = local {
                self.locals[local.0 as usize].tile = self.shape_of(value);
            }
        }
    }

    fn declare_tile(&mut self, ident: &syn::PatIdent, elem: TypeVar, shape: Option<Shape>) -> LocalId {
        let (name, at) = (plain_name(&ident.ident), self.span(&ident.ident));
        let local = self.new_local(name.clone(), elem, ident.mutability.is_some(), Origin::Value, at);
        self.locals[local.0 as usize].tile = shape;
        self.bind(name, Binding::Local(local));
        local
    }

    /// The type of the elements and the [sizes](Self::sizes) of a type of tiles.
    fn read_tile(
        &mut self,
        form: TileForm,
        args: &[&syn::GenericArgument],
        span: Span,
    ) -> (TypeVar, Result<Option<Shape>, hir::Expr>) {
        let elem = match args.first() {
            Some(syn::GenericArgument::Type(syn::Type::Infer(_))) | None => self.infer.any(),
            Some(syn::GenericArgument::Type(elem)) => {
                match types::read(elem, self.known, self.spans, self.diagnostics) {
                    Some(ty) => self.known_type(ty),
                    None => self.infer.broken(),
                }
            }
            Some(_) => self.infer.any(),
        };
        let shape = self.sizes(form, args.get(1..).unwrap_or_default(), span);
        (elem, shape)
    }

    /// The shape with these sizes; `None` if one is `_`, and an error, which is reported, if there is no such shape.
    fn sizes(
        &mut self,
        form: TileForm,
        sizes: &[&syn::GenericArgument],
        span: Span,
    ) -> Result<Option<Shape>, hir::Expr> {
        if sizes.iter().any(|size| matches!(size, syn::GenericArgument::Type(syn::Type::Infer(_)))) {
            return Ok(None);
        }
        let most = Kernel::MOST_SHARED as i128;
        let numbers: Vec<Option<i128>> =
            sizes.iter().map(|size| as_expr(size).and_then(|size| self.constant_integer(&size))).collect();
        let known: Option<Vec<u16>> = numbers
            .iter()
            .map(|size| size.and_then(|size| u16::try_from(size).ok()).filter(|size| *size > 0))
            .collect();
        let shape = known.and_then(|sizes| form.shape(&sizes));
        let is_right = shape.is_some_and(|(rows, columns)| {
            i128::from(rows) * i128::from(columns) <= most && (form != TileForm::Tile || (rows > 1 && columns > 1))
        });
        if is_right {
            return Ok(shape);
        }
        let message = match form {
            TileForm::Tile => "a tile has constant numbers of rows and columns, at least 2 of each",
            TileForm::Row => "a row has a constant number of columns, at least 1",
            TileForm::Col => "a column has a constant number of rows, at least 1",
        };
        let help = format!("write `Tile<f32, 16, 32>`, `Row<f32, 64>` or `Col<f32, 64>`, of at most {most} elements");
        Err(self.error(Diagnostic::new(span, message).help(help)))
    }

    /// A load or a constructor whose shape may be that of the variable which it is the value of.
    fn made(&mut self, init: &syn::Expr, shape: Option<Shape>) -> Option<hir::Expr> {
        match ungrouped(init) {
            syn::Expr::MethodCall(call) => {
                let (array, rank) = self.named_array(&call.receiver)?;
                self.array_tile(array, rank, call, shape)
            }
            syn::Expr::Call(call) => self.constructor(call, shape),
            _ => None,
        }
    }

    /// `Tile::splat(v)`, `Row::<f32, 64>::zeros()` and the like; `None` for other calls.
    pub(super) fn constructor(&mut self, call: &syn::ExprCall, wanted: Option<Shape>) -> Option<hir::Expr> {
        let syn::Expr::Path(path) = ungrouped(&call.func) else { return None };
        let segments: Vec<&syn::PathSegment> = path.path.segments.iter().collect();
        let [.., of, name] = segments.as_slice() else { return None };
        let form = form_named(&plain_name(&of.ident))?;
        let (name, span) = (plain_name(&name.ident), self.span(call));
        let mut elem = self.infer.any();
        let mut shape = wanted;
        if let syn::PathArguments::AngleBracketed(list) = &of.arguments {
            let args: Vec<&syn::GenericArgument> = list.args.iter().collect();
            let (given, sizes) = self.read_tile(form, &args, span);
            match sizes {
                Ok(sizes) => (elem, shape) = (given, sizes.or(wanted)),
                Err(error) => return Some(error),
            }
        }
        let value = match (name.as_str(), call.args.first()) {
            ("splat", Some(value)) if call.args.len() == 1 => self.expr(value),
            ("zeros", None) => {
                let Some(shape) = shape else { return Some(self.unknown_shape(form, span)) };
                return Some(self.tile(TileOp::Broadcast, Vec::new(), Some(shape), elem, span));
            }
            _ => {
                let message = format!("`{}::{name}` is not in the kernel language", form.type_name());
                let help = "write `Tile::<f32, 16, 32>::zeros()` or `Tile::<f32, 16, 32>::splat(value)`";
                return Some(self.error(Diagnostic::new(span, message).help(help)));
            }
        };
        let found = self.value(&value);
        self.equate(elem, found, value.span);
        let Some(shape) = shape else {
            return Some(self.unknown_shape(form, span));
        };
        Some(self.tile(TileOp::Broadcast, vec![value], Some(shape), elem, span))
    }

    fn unknown_shape(&mut self, form: TileForm, span: Span) -> hir::Expr {
        self.error(Diagnostic::new(span, format!("the shape of the {} is not known", form.noun())).help(SHAPES))
    }

    /// An operation on tiles.
    fn tile(&mut self, op: TileOp, args: Vec<hir::Expr>, shape: Option<Shape>, elem: TypeVar, span: Span) -> hir::Expr {
        self.misplaced_tile(span).unwrap_or(hir::Expr {
            kind: hir::ExprKind::Tile { op, args, shape },
            ty: Some(elem),
            span,
        })
    }

    /// Notes that the body has tiles. Reports one where there is no block, or in a phase.
    fn misplaced_tile(&mut self, span: Span) -> Option<hir::Expr> {
        self.tiles = true;
        let (message, help) = match (self.block, self.phase) {
            (None, _) => ("only a block has tiles", DECLARATION),
            (_, Some(_)) => (
                "a tile belongs to the whole block, and a phase is the work of one thread",
                "write it outside of phases",
            ),
            (Some(_), None) => return None,
        };
        Some(self.error(Diagnostic::new(span, message).help(help)))
    }

    /// `a.load_tile([i, k])`, `a.store_row(k, row)` and the like; `None` for other methods. `wanted`: the shape of the
    /// variable that is declared.
    pub(super) fn array_tile(
        &mut self,
        array: ParamId,
        rank: u8,
        call: &syn::ExprMethodCall,
        wanted: Option<Shape>,
    ) -> Option<hir::Expr> {
        let name = plain_name(&call.method);
        let method = Method::named(&name)?;
        let span = self.span(call);
        let (form, array_name) = (method.form, self.param(array).name.clone());
        let index_form = match (form, rank) {
            (TileForm::Tile, 2) => "[i, k]",
            (TileForm::Row, 2) => "[i, k]",
            (TileForm::Col, 2) => "[k, j]",
            (TileForm::Row | TileForm::Col, 1) => "k",
            (TileForm::Tile, _) => {
                let message = format!("a tile is part of an array with 2 axes, and `{array_name}` has {rank}");
                return Some(self.error(Diagnostic::new(span, message).help("write `load_row` or `load_col`")));
            }
            _ => {
                let message =
                    format!("a row or column is part of an array with 1 or 2 axes, and `{array_name}` has {rank}");
                return Some(self.error(Diagnostic::new(span, message).help("read the elements in a phase")));
            }
        };
        let count = if method.or || method.access != Access::Load { 2 } else { 1 };
        if call.args.len() != count {
            return Some(self.wrong_arity(&name, count, call.args.len(), span));
        }
        let last = (count == 2).then(|| self.expr(&call.args[1]));
        let shape = match method.access {
            Access::Load => match &call.turbofish {
                Some(list) => {
                    let sizes: Vec<&syn::GenericArgument> = list.args.iter().collect();
                    match self.sizes(form, &sizes, span) {
                        Ok(sizes) => sizes.or(wanted),
                        Err(error) => return Some(error),
                    }
                }
                None => wanted,
            },
            _ => last.as_ref().and_then(|value| self.shape_of(value)),
        };
        let elem = self.array_elem(array);
        let Some(shape) = shape else {
            let broken = last.as_ref().and_then(|value| value.ty).is_some_and(|ty| self.infer.is_broken(ty));
            if broken {
                return Some(hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span });
            }
            if method.access == Access::Load {
                return Some(self.unknown_shape(form, span));
            }
            let message = format!("`{name}` stores a {}", form.noun());
            let help = format!("for one value, write `{array_name}[…] = value`");
            return Some(self.error(Diagnostic::new(span, message).help(help)));
        };
        if TileForm::of(shape) != form && shape != (1, 1) {
            let message = format!("`{name}` takes a {}, and the value is {}", form.noun(), words(shape));
            return Some(self.error(Diagnostic::new(span, message).help("use the method for that shape")));
        }
        let Some(index) = self.tile_index(&call.args[0], rank, shape, &method) else {
            let help = format!("write `{array_name}.{name}({index_form}…)`");
            let at = self.span(&call.args[0]);
            return Some(self.error(Diagnostic::new(at, "a tile has a place for each axis of the array").help(help)));
        };
        if let Some(error) = self.misplaced_tile(span) {
            return Some(error);
        }
        let part = hir::Expr { kind: hir::ExprKind::Part { array, index, shape }, ty: Some(elem), span };
        let Some(value) = last else { return Some(part) };
        let found = self.value(&value);
        self.equate(elem, found, value.span);
        let place = Box::new(part);
        let kind = match method.access {
            Access::Load => return Some(self.tile(TileOp::Pad, vec![*place, value], Some(shape), elem, span)),
            Access::Store => hir::ExprKind::Assign { place, value: Box::new(value) },
            Access::AtomicAdd => hir::ExprKind::Atomic { op: AtomicOp::Add, place, operands: vec![value] },
        };
        Some(hir::Expr { kind, ty: None, span })
    }

    /// The index of the first element of a tile.
    fn tile_index(&mut self, written: &syn::Expr, rank: u8, shape: Shape, method: &Method) -> Option<Vec<hir::Expr>> {
        let parts: Vec<&syn::Expr> = match (ungrouped(written), rank) {
            (syn::Expr::Array(list), 2) if list.elems.len() == 2 => list.elems.iter().collect(),
            (syn::Expr::Array(_), _) | (_, 2) => return None,
            (only, _) => vec![only],
        };
        let steps = if method.at { [1, 1] } else { tile_steps(shape, rank.into()) };
        let ty = self.infer.known(Type::INDEX);
        let mut index = Vec::new();
        for (part, step) in parts.into_iter().zip(steps) {
            let part = self.expr(part);
            let (found, span) = (self.value(&part), part.span);
            self.equate(ty, found, span);
            index.push(match (step, &part.kind) {
                (1, _) => part,
                (step, hir::ExprKind::Int(number)) => {
                    hir::Expr { kind: hir::ExprKind::Int(number * i128::from(step)), ..part }
                }
                (step, _) => {
                    let step = hir::Expr { kind: hir::ExprKind::Int(step.into()), ty: Some(ty), span };
                    self.op_giving(ty, Syntax::Infix("*"), About::Infix("*"), vec![(part, ty), (step, ty)], span)
                }
            });
        }
        Some(index)
    }

    fn array_elem(&mut self, array: ParamId) -> TypeVar {
        let element = match self.param(array).kind {
            ParamKind::Array { elem, .. } => elem,
            ParamKind::Value(_) => None,
        };
        match element {
            Some(ty) if ty.is_scalar() => self.infer.known(ty),
            Some(ty) => {
                let span = self.param(array).span;
                let message =
                    format!("the elements of a tile are numbers, and those of the array are {}", ty.rust_name());
                self.report(Diagnostic::new(span, message).help("keep each component in an array of its own"));
                self.infer.broken()
            }
            None => self.infer.broken(),
        }
    }

    /// The number of the row or column of each element.
    pub(super) fn tile_number(&mut self, axis: u8, shape: Shape, span: Span) -> hir::Expr {
        let index = self.infer.known(Type::INDEX);
        self.tile(TileOp::Index(axis), Vec::new(), Some(shape), index, span)
    }

    /// Reports the name of a tile in a closure that goes over the elements of others.
    pub(super) fn check_element(&mut self, name: &str, local: LocalId, span: Span) {
        let Some(outside) = self.outside_elements else { return };
        let is_whole = !self.scopes[outside..].iter().any(|scope| scope.contains_key(name));
        if is_whole && self.locals[local.0 as usize].tile.is_some() {
            let message = format!("`{name}` is a whole tile, and the closure is what is done with one element");
            self.report(Diagnostic::new(span, message).help("go over two tiles with `a.zip_map(b, |v, w| …)`"));
        }
    }

    /// A method of a tile; `None` for one of its elements.
    pub(super) fn tile_method(
        &mut self,
        receiver: &hir::Expr,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Option<hir::Expr> {
        // In the closure of `map`, a name stands for one element.
        let shape = self.shape_of(receiver).filter(|_| self.outside_elements.is_none())?;
        let elem = receiver.ty?;
        let (rows, columns) = shape;
        let name = plain_name(&call.method);
        let reduction = REDUCTIONS.iter().find(|(known, ..)| *known == name).copied();
        let count = match name.as_str() {
            "matmul" | "map" | "map_with_location" => 1,
            "zip_map" => 2,
            _ => 0,
        };
        let is_line = TileForm::of(shape) != TileForm::Tile;
        let gives_number = |op| matches!(op, TileOp::ArgMax | TileOp::ArgMin);
        let is_reduction = reduction.is_some_and(|(_, op, over)| match over {
            Over::All => is_line || !gives_number(op),
            Over::Rows | Over::Columns => !is_line,
        });
        let scan = SCANS.iter().find(|(known, _)| is_line && *known == name).map(|(_, scan)| *scan);
        let reshape =
            name.strip_prefix("reshape_").and_then(|word| TileForm::ALL.into_iter().find(|form| form.word() == word));
        if !(count > 0 || name == "transpose" || is_reduction || scan.is_some() || reshape.is_some()) {
            let message = format!("{} has no method `{name}`", words(shape));
            let help = if crate::ops::TABLE.iter().any(|def| def.rust == Syntax::Method(def.name) && def.name == name) {
                format!("write `tile.map(|v| v.{name}(…))`")
            } else if let Some(help) = other_form(&name, is_line) {
                help
            } else {
                "docs/guide/tiles.md lists the methods of tiles".to_owned()
            };
            return Some(self.error(Diagnostic::new(span, message).help(help)));
        }
        if call.args.len() != count {
            return Some(self.wrong_arity(&name, count, call.args.len(), span));
        }
        let of = || vec![receiver.clone()];
        if let Some((_, op, over)) = reduction {
            let shape = match over {
                Over::All => None,
                Over::Rows => Some((rows, 1)),
                Over::Columns => Some((1, columns)),
            };
            let elem = if gives_number(op) { self.infer.known(Type::U32) } else { elem };
            return Some(self.tile(op, of(), shape, elem, span));
        }
        if let Some(scan) = scan {
            return Some(self.tile(TileOp::Scan(scan), of(), Some(shape), elem, span));
        }
        if let Some(form) = reshape {
            return Some(self.reshaped(form, receiver, shape, call, span));
        }
        Some(match name.as_str() {
            "transpose" => self.tile(TileOp::Transpose, of(), Some((columns, rows)), elem, span),
            "matmul" => {
                let other = self.expr(&call.args[0]);
                let found = self.value(&other);
                self.equate(elem, found, other.span);
                match self.shape_of(&other) {
                    Some((inner, across)) if inner == columns => {
                        let args = vec![receiver.clone(), other];
                        self.tile(TileOp::Matmul, args, Some((rows, across)), elem, span)
                    }
                    _ if self.infer.is_broken(found) => other,
                    found => {
                        let found = found.map_or_else(|| "one value".to_owned(), words);
                        let message = format!("a product of {} and {found}", words(shape));
                        let help = format!("the second factor has {columns} rows");
                        self.error(Diagnostic::new(span, message).help(help))
                    }
                }
            }
            _ => self.mapped(&name, receiver, shape, call, span),
        })
    }

    /// `t.reshape_tile::<4, 8>()`, `t.reshape_row::<32>()` and `t.reshape_col::<32>()`.
    fn reshaped(
        &mut self,
        form: TileForm,
        receiver: &hir::Expr,
        shape: Shape,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> hir::Expr {
        let sizes: Vec<&syn::GenericArgument> = call.turbofish.iter().flat_map(|list| &list.args).collect();
        let elem = receiver.ty.unwrap_or_else(|| self.infer.broken());
        let elements = |(rows, columns): Shape| u32::from(rows) * u32::from(columns);
        match self.sizes(form, &sizes, span) {
            Err(error) => error,
            Ok(None) => self.unknown_shape(form, span),
            Ok(Some(to)) if elements(to) == elements(shape) => {
                self.tile(TileOp::Reshape, vec![receiver.clone()], Some(to), elem, span)
            }
            Ok(Some(to)) => {
                let message = format!("{} does not become {}", words(shape), words(to));
                let help = format!("it has {} elements, and that {}", elements(shape), elements(to));
                self.error(Diagnostic::new(span, message).help(help))
            }
        }
    }

    /// `t.map(|v| …)`, `a.zip_map(b, |v, w| …)` and `t.map_with_location(|i, j, v| …)`: the code of the closure, where the names
    /// are those of tiles.
    fn mapped(
        &mut self,
        name: &str,
        receiver: &hir::Expr,
        shape: Shape,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> hir::Expr {
        let mut values = Vec::new();
        let axes: &[u8] = match TileForm::of(shape) {
            _ if name != "map_with_location" => &[],
            TileForm::Tile => &[0, 1],
            TileForm::Row => &[1],
            TileForm::Col => &[0],
        };
        values.push(receiver.clone());
        if name == "zip_map" {
            let other = self.expr(&call.args[0]);
            if self.shape_of(&other) != Some(shape) && other.ty.is_some_and(|ty| !self.infer.is_broken(ty)) {
                let found = self.shape_of(&other).map_or_else(|| "one value".to_owned(), words);
                let message = format!("`zip_map` goes over two values of one shape, not {} and {found}", words(shape));
                return self.error(Diagnostic::new(span, message).help("in `map`, a number has its own name"));
            }
            values.push(other);
        }
        let closure = match call.args.last().map(ungrouped) {
            Some(syn::Expr::Closure(closure)) if closure.inputs.len() == axes.len() + values.len() => Some(closure),
            _ => None,
        };
        let idents: Option<Vec<Option<&syn::PatIdent>>> =
            closure.and_then(|closure| closure.inputs.iter().map(named_element).collect());
        let (Some(closure), Some(idents)) = (closure, idents) else {
            let names = match (axes.len(), values.len()) {
                (0, 1) => "|v| …",
                (0, _) => "|v, w| …",
                (1, _) => "|i, v| …",
                _ => "|i, j, v| …",
            };
            let message = format!("`{name}` takes what is done with each element");
            return self.error(Diagnostic::new(span, message).help(format!("write `{name}(…, {names})`")));
        };
        let outside = self.outside_elements.replace(self.scopes.len());
        self.scopes.push(HashMap::new());
        let mut stmts = Vec::new();
        let (of_axes, of_values) = idents.split_at(axes.len());
        for (axis, ident) in axes.iter().zip(of_axes) {
            if let Some(ident) = ident {
                self.bind(plain_name(&ident.ident), Binding::TileIndex(*axis, shape));
            }
        }
        for (ident, value) in of_values.iter().zip(values) {
            let Some(ident) = ident else { continue };
            let elem = value.ty.unwrap_or_else(|| self.infer.broken());
            if let hir::ExprKind::Local(local) = &value.kind {
                self.bind(plain_name(&ident.ident), Binding::Local(*local));
                continue;
            }
            let local = self.declare_tile(ident, elem, Some(shape));
            stmts.push(hir::Stmt { kind: hir::StmtKind::Let { local, init: Some(value) }, span });
        }
        let body = self.expr(&closure.body);
        self.scopes.pop();
        self.outside_elements = outside;
        let body = self.as_shape(body, shape);
        let ty = body.ty;
        hir::Expr { kind: hir::ExprKind::Block(hir::Block { stmts, tail: Some(Box::new(body)) }), ty, span }
    }

    /// The value, repeated to this shape where it is one value, a row or a column.
    pub(super) fn as_shape(&mut self, value: hir::Expr, shape: Shape) -> hir::Expr {
        let (found, span) = (self.shape_of(&value), value.span);
        let Some(elem) = value.ty else { return value };
        match found {
            Some(found) if found == shape => value,
            Some((1, columns)) if columns == shape.1 => {
                self.tile(TileOp::Broadcast, vec![value], Some(shape), elem, span)
            }
            Some((rows, 1)) if rows == shape.0 => self.tile(TileOp::Broadcast, vec![value], Some(shape), elem, span),
            None => self.tile(TileOp::Broadcast, vec![value], Some(shape), elem, span),
            Some(found) => {
                let message = format!("{} beside {}", words(found), words(shape));
                self.error(Diagnostic::new(span, message).help(OPERANDS))
            }
        }
    }

    /// Gives the operands of a pointwise operation one shape. Single values need none.
    pub(super) fn of_one_shape(&mut self, operands: &mut [(hir::Expr, TypeVar)]) {
        let shapes: Vec<Option<Shape>> = operands.iter().map(|(operand, _)| self.shape_of(operand)).collect();
        let tiles = || shapes.iter().flatten();
        let rows = tiles().map(|shape| shape.0).max();
        let columns = tiles().map(|shape| shape.1).max();
        let (Some(rows), Some(columns)) = (rows, columns) else { return };
        let fits = |shape: &Shape| (shape.0 == 1 || shape.0 == rows) && (shape.1 == 1 || shape.1 == columns);
        let misfit = shapes.iter().position(|shape| shape.is_some_and(|shape| !fits(&shape)));
        if let Some((misfit, found)) = misfit.and_then(|at| Some((at, shapes[at]?))) {
            let others = || tiles().filter(|other| **other != found).map(|other| words(*other)).next();
            let message = format!("{} beside {}", words(found), others().unwrap_or_default());
            let span = operands[misfit].0.span;
            operands[misfit].0 = self.error(Diagnostic::new(span, message).help(OPERANDS));
            return;
        }
        for (operand, _) in operands {
            if self.shape_of(operand).is_some_and(|shape| shape != (rows, columns)) {
                let value = operand.clone();
                *operand = self.as_shape(value, (rows, columns));
            }
        }
    }
}

/// The form whose type has this name.
fn form_named(name: &str) -> Option<TileForm> {
    TileForm::ALL.into_iter().find(|form| form.type_name() == name)
}

/// The name that a closure gives an element, `None` inside for `_`; `None` for other patterns.
fn named_element(input: &syn::Pat) -> Option<Option<&syn::PatIdent>> {
    if let syn::Pat::Wild(_) = input {
        return Some(None);
    }
    if let syn::Pat::Ident(ident) = input { Some(Some(ident)) } else { None }
}

/// The help for a method that only rows and columns have, or only other tiles.
fn other_form(name: &str, is_line: bool) -> Option<String> {
    let of_lines = |name: &str| SCANS.iter().any(|(known, _)| *known == name) || ["argmax", "argmin"].contains(&name);
    match is_line {
        false if name.starts_with("arg") && of_lines(name) => Some(format!("write `row_{name}` or `column_{name}`")),
        false if of_lines(name) => Some("rows and columns have it: write `tile.reshape_row::<N>()` first".to_owned()),
        true => {
            let name = name.strip_prefix("row_").or_else(|| name.strip_prefix("column_"))?;
            REDUCTIONS.iter().any(|(known, ..)| *known == name).then(|| format!("write `{name}`"))
        }
        false => None,
    }
}

/// A shape in words.
fn words(shape: Shape) -> String {
    match (TileForm::of(shape), shape) {
        (TileForm::Tile, (rows, columns)) => format!("a tile of {rows} × {columns}"),
        (TileForm::Row, (_, columns)) => format!("a row of {columns}"),
        (TileForm::Col, (rows, _)) => format!("a column of {rows}"),
    }
}

/// The form and the generic arguments of a type of tiles.
fn tile_type(ty: &syn::Type) -> Option<(TileForm, Vec<&syn::GenericArgument>)> {
    let syn::Type::Path(path) = ungrouped_type(ty) else { return None };
    let last = path.path.segments.last()?;
    let form = form_named(&plain_name(&last.ident))?;
    let args = match &last.arguments {
        syn::PathArguments::AngleBracketed(list) => list.args.iter().collect(),
        _ => Vec::new(),
    };
    Some((form, args))
}
