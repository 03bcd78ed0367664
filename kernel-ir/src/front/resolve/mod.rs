//! Name resolution: Rust's syntax tree becomes [`hir`](super::hir), and every expression contributes type constraints.
//! Constructs outside of the language are reported here.

mod arguments;
mod block_operations;
mod blocks;
mod calls;
mod enums;
mod exprs;
mod generics;
mod local_arrays;
mod loops;
mod matches;
mod operators;
mod optional;
mod paths;
mod places;
mod random;
mod stmts;
mod tiles;
mod tuples;
mod views;

use super::hir::{self, Origin};
use super::infer::{Infer, TypeVar};
use super::items::Known;
use super::signature::{Param, ParamKind, Signature};
use crate::diag::Diagnostic;
use crate::ir::{LocalId, LocalMap, ParamId, Span, SpanTable, Type};
use std::collections::{HashMap, HashSet};

/// A resolved body.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) code: hir::Block,
    pub(super) locals: Vec<hir::Local>,
    pub(super) infer: Infer,
    /// The number of launch axes: that of the `tid` function that the body calls, else 1.
    pub(super) dim: u8,
    /// Whether the body ends with a value, as in a device function with a result.
    pub(super) returns: bool,
    /// Whether the body passes an array that may change to a device function.
    pub(super) lends: bool,
    /// The number of threads of a block, for a kernel that is launched over blocks.
    pub(super) block: Option<u32>,
    /// Whether the body has tiles.
    pub(super) tiles: bool,
}

/// Resolves the body of a kernel or device function that may use the items in `known`.
pub(super) fn resolve(
    signature: &Signature,
    known: &Known,
    block: &syn::Block,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Body {
    let mut resolver = Resolver {
        signature,
        known,
        spans,
        diagnostics,
        infer: Infer::default(),
        locals: Vec::new(),
        scopes: vec![HashMap::new()],
        launch: None,
        loops: Vec::new(),
        unset_consts: HashSet::new(),
        constant_integers: LocalMap::default(),
        tuples: HashMap::new(),
        tuple_locals: Vec::new(),
        parts: Vec::new(),
        lends: false,
        constants: HashMap::new(),
        values: Vec::new(),
        block: None,
        phase: None,
        per_thread: Vec::new(),
        shared: Vec::new(),
        operation: None,
        tiles: false,
        outside_elements: None,
    };
    let copies = resolver.bind_params();
    let mut resolved = resolver.block(block);
    let values = std::mem::take(&mut resolver.values);
    resolved.stmts.splice(0..0, copies.into_iter().chain(values));
    if let Some(ret @ (Some(_), _)) = signature.ret {
        resolver.check_result(&resolved, ret);
    }
    let dim = resolver.launch.map_or(1, |(dim, _)| dim);
    let Resolver { infer, locals, lends, block, tiles, .. } = resolver;
    let block = block.map(|block| block.size);
    Body { code: resolved, locals, infer, dim, returns: signature.ret.is_some(), lends, block, tiles }
}

/// The meaning of a name.
#[derive(Clone, Copy, Debug)]
enum Binding {
    Local(LocalId),
    Value(ParamId),
    Array(ParamId),
    /// An array parameter that may be absent.
    Optional(ParamId),
    /// A variable that is a tuple: its number in [`Resolver::tuple_locals`].
    Tuple(usize),
    /// A part of an array: its number in [`Resolver::parts`].
    Part(usize),
    /// The block of a block kernel.
    Block,
    /// The number of the row (0) or of the column (1) of an element of a tile of this shape.
    TileIndex(u8, hir::Shape),
}

/// The block of a block kernel.
#[derive(Clone, Copy, Debug)]
struct BlockOf {
    /// The number of its threads.
    size: u32,
    span: Span,
}

/// A borrowed array, or a borrowed part of one.
#[derive(Clone, Debug)]
struct Borrowed {
    view: hir::View,
    /// Whether its elements may be changed.
    mutable: bool,
}

/// A part of an array that has a name.
#[derive(Clone, Debug)]
struct Part {
    name: String,
    borrowed: Borrowed,
    span: Span,
}

struct Resolver<'a> {
    signature: &'a Signature,
    /// The device functions and structs that may be used.
    known: &'a Known,
    spans: &'a mut SpanTable,
    diagnostics: &'a mut Vec<Diagnostic>,
    infer: Infer,
    locals: Vec<hir::Local>,
    scopes: Vec<HashMap<String, Binding>>,
    /// The number of launch axes, with the place that first determines it.
    launch: Option<(u8, Span)>,
    /// The surrounding loops, outermost first.
    loops: Vec<LoopExits>,
    /// Constants of surrounding blocks whose values come later in the source.
    unset_consts: HashSet<LocalId>,
    /// The values of the constants of blocks that are integers, for the lengths of local arrays.
    constant_integers: LocalMap<i128>,
    /// The types of the values of each tuple, by the type variable of the tuple.
    tuples: HashMap<TypeVar, Vec<TypeVar>>,
    /// The name of each variable that is a tuple, and its locals.
    tuple_locals: Vec<(String, Vec<LocalId>)>,
    /// The parts of arrays that have names.
    parts: Vec<Part>,
    lends: bool,
    /// The locals for device constants, by path.
    constants: HashMap<String, LocalId>,
    /// The declarations of these locals.
    values: Vec<hir::Stmt>,
    /// The block of a block kernel.
    block: Option<BlockOf>,
    /// The thread of the surrounding phase.
    phase: Option<LocalId>,
    /// The local arrays that have an element for each thread, which only that thread uses.
    per_thread: Vec<LocalId>,
    /// The arrays that the threads of the block share.
    shared: Vec<LocalId>,
    /// The call of the operation on the values of threads whose code is resolved. It has access to the values of all threads.
    operation: Option<Span>,
    /// Whether the body has tiles.
    tiles: bool,
    /// In the code for each element of tiles: the number of scopes outside. The tiles of these are whole.
    outside_elements: Option<usize>,
}

/// The exits of a loop.
#[derive(Default)]
struct LoopExits {
    /// The label of the loop.
    label: Option<String>,
    /// Whether there is a `break`.
    breaks: bool,
    /// Whether there is a `break` with a value, which is reported.
    with_value: bool,
}

impl Resolver<'_> {
    /// Binds the parameters. A `mut` parameter becomes a local that starts as a copy of it.
    fn bind_params(&mut self) -> Vec<hir::Stmt> {
        let mut copies = Vec::new();
        for (id, param) in (0..).map(ParamId).zip(&self.signature.params) {
            let binding = match param.kind {
                ParamKind::Array { optional: true, .. } => Binding::Optional(id),
                ParamKind::Array { optional: false, .. } => Binding::Array(id),
                ParamKind::Value(_) if param.mutable => {
                    let value = self.param_value(id, param.span);
                    let ty = value.ty.expect("a parameter has a value");
                    let local = self.new_local(param.name.clone(), ty, true, Origin::Value, param.span);
                    let kind = hir::StmtKind::Let { local, init: Some(value) };
                    copies.push(hir::Stmt { kind, span: param.span });
                    Binding::Local(local)
                }
                ParamKind::Value(_) => Binding::Value(id),
            };
            self.bind(param.name.clone(), binding);
        }
        copies
    }

    /// Checks that every path through a device function ends with a value of the type `ret`.
    fn check_result(&mut self, block: &hir::Block, ret: (Option<Type>, Span)) {
        match &block.tail {
            Some(tail) if tail.ty.is_some() => {
                let found = self.value(tail);
                self.result_type(ret, found, tail.span);
            }
            _ if block.diverges() => {}
            _ => self.report(
                Diagnostic::new(ret.1, format!("`{}` may end without a value", self.signature.name))
                    .note("a device function must return a value on every path")
                    .help("end it with an expression without `;`, or with `return value;`"),
            ),
        }
    }

    /// Requires that a result has the type that the signature gives.
    fn result_type(&mut self, (wanted, at): (Option<Type>, Span), found: TypeVar, span: Span) {
        let wanted = match wanted {
            Some(ty) => self.known_type(ty),
            None => self.infer.broken(),
        };
        if let Some(mistake) = self.equate_tuples(wanted, found, span) {
            self.report(mistake.related(at, "the return type is declared here"));
        }
    }

    fn param(&self, id: ParamId) -> &Param {
        &self.signature.params[id.0 as usize]
    }

    fn new_local(&mut self, name: String, ty: TypeVar, mutable: bool, origin: Origin, span: Span) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.infer.declare(ty, span);
        self.locals.push(hir::Local { name, ty, len: None, tile: None, mutable, origin, span });
        id
    }

    fn bind(&mut self, name: String, binding: Binding) {
        self.scopes.last_mut().expect("the outermost scope stays").insert(name, binding);
    }

    fn lookup(&self, name: &str) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    fn span(&mut self, at: &impl quote::ToTokens) -> Span {
        self.operation.unwrap_or_else(|| self.spans.insert_tokens(at))
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a mistake and returns a placeholder expression.
    fn error(&mut self, diagnostic: Diagnostic) -> hir::Expr {
        let span = diagnostic.span;
        self.report(diagnostic);
        hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span }
    }

    /// Requires that two types are equal.
    fn equate(&mut self, expected: TypeVar, found: TypeVar, span: Span) {
        let mistake = self.equate_tuples(expected, found, span);
        self.diagnostics.extend(mistake);
    }

    /// The type of an expression that is used as a value. Reports a mistake if it has none.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the hint fits whatever has no value")]
    fn value(&mut self, expr: &hir::Expr) -> TypeVar {
        match expr.ty {
            Some(ty) => ty,
            None => {
                let diagnostic = match expr.diverges() {
                    true => Diagnostic::new(expr.span, "a value is needed here, but this expression never has one")
                        .help("make it a statement of its own"),
                    false => Diagnostic::new(expr.span, "a value is needed here, but this expression has none").help(
                        match &expr.kind {
                            hir::ExprKind::If { other: None, .. } => "add an `else` with the other value",
                            hir::ExprKind::If { .. } | hir::ExprKind::Block(_) => {
                                "end each block with the value, without a semicolon"
                            }
                            hir::ExprKind::Atomic { .. } => {
                                "update the whole element: its parts have no old value, because Warp gives none"
                            }
                            _ => "make it a statement of its own, and let it set a variable",
                        },
                    ),
                };
                self.report(diagnostic);
                self.infer.broken()
            }
        }
    }
}
