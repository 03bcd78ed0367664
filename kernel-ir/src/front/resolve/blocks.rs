//! Resolution of block kernels: `let block = block::<256>();`, its phases, and the arrays of a block.
//!
//! Nothing behind this module knows closures: a phase becomes a `for` over the threads, and a value for each thread a local
//! array. [Operations](super::block_operations) on these are code of the kernel language.

use super::super::hir::{self, Elements, Origin, StmtKind};
use super::super::syntax::{plain_name, ungrouped};
use super::super::types;
use super::{Binding, BlockOf, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{Direction, Kernel, LocalId, Span, Type};
use std::collections::HashMap;

/// The help for a block that is not declared as it must be.
pub(super) const DECLARATION: &str = "write `let block = block::<256>();` at the start of the kernel";

impl Resolver<'_> {
    /// Whether an expression is the call `block::<256>()`.
    pub(super) fn is_block(expr: &syn::Expr) -> bool {
        arguments_of("block", expr).is_some()
    }

    /// `let block = block::<256>();`.
    pub(super) fn let_block(&mut self, ident: &syn::PatIdent, init: &syn::Expr) {
        let span = self.span(init);
        self.bind(plain_name(&ident.ident), Binding::Block);
        let size = self.threads(init, span);
        if let Some(BlockOf { span: first, .. }) = self.block {
            let diagnostic = Diagnostic::new(span, "a kernel has one block").related(first, "declared here");
            return self.report(diagnostic.help("use the first one"));
        }
        if self.scopes.len() > 2 || !self.loops.is_empty() {
            let diagnostic = Diagnostic::new(span, "the block of a kernel is declared at its start");
            return self.report(diagnostic.help(DECLARATION));
        }
        if let Some((_, first)) = self.launch {
            let diagnostic = Diagnostic::new(span, "a kernel is launched over threads or over blocks");
            return self.report(
                diagnostic
                    .related(first, "this is the index of a thread")
                    .help("`block.index` is the index of the block, and the argument of a phase is the thread"),
            );
        }
        self.launch = Some((1, span));
        self.block = Some(BlockOf { size: size.unwrap_or(1), span });
    }

    /// The number of threads in `block::<256>()`.
    fn threads(&mut self, init: &syn::Expr, span: Span) -> Option<u32> {
        let size = match arguments_of("block", init).as_deref() {
            Some([size]) => as_expr(size).and_then(|size| self.constant_integer(&size)),
            _ => None,
        };
        match size.and_then(|size| u32::try_from(size).ok()).filter(|size| (1..=Kernel::MOST_THREADS).contains(size)) {
            Some(size) => Some(size),
            None => {
                let message = format!("a block has a constant number of threads from 1 to {}", Kernel::MOST_THREADS);
                self.report(Diagnostic::new(span, message).help(DECLARATION));
                None
            }
        }
    }

    /// The block, if an expression names it.
    pub(super) fn named_block(&self, expr: &syn::Expr) -> Option<BlockOf> {
        let syn::Expr::Path(path) = ungrouped(expr) else { return None };
        let Some(Binding::Block) = self.lookup(&plain_name(path.path.get_ident()?)) else { return None };
        self.block
    }

    /// `block.index` or `block.size`.
    pub(super) fn block_field(&mut self, block: BlockOf, member: &syn::Member, span: Span) -> hir::Expr {
        let ty = Some(self.infer.known(Type::INDEX));
        let name = match member {
            syn::Member::Named(name) => plain_name(name),
            syn::Member::Unnamed(number) => number.index.to_string(),
        };
        match name.as_str() {
            "index" => hir::Expr { kind: hir::ExprKind::Tid(0), ty, span },
            "size" => hir::Expr { kind: hir::ExprKind::Int(block.size.into()), ty, span },
            "count" => self.error(
                Diagnostic::new(span, "the number of blocks is not known in the kernel")
                    .help("pass it as a parameter, for example `blocks: usize`"),
            ),
            _ => self.error(
                Diagnostic::new(span, format!("a block has no field `{name}`"))
                    .help("it has `index`, the index of the block, and `size`, the number of its threads"),
            ),
        }
    }

    /// A method of the block where its value, if it has one, is not bound to a name.
    pub(super) fn block_method(&mut self, block: BlockOf, call: &syn::ExprMethodCall, span: Span) -> hir::Expr {
        match plain_name(&call.method).as_str() {
            "phase" => {
                let Some((closure, thread)) = self.closure(call, span) else { return self.broken(span) };
                let (body, local) = self.phase_body(thread, closure, span);
                self.phase_over(block, local, body, span)
            }
            "per_thread" => self.error(
                Diagnostic::new(span, "the values of the threads are bound to a name")
                    .help("write `let mut sums = block.per_thread(0.0f32);`"),
            ),
            name => self.error(
                Diagnostic::new(span, format!("a block has no method `{name}`"))
                    .help("it has `phase` and `per_thread`"),
            ),
        }
    }

    /// `let mut v = block.per_thread(0.0f32);`, `let v = block.phase(|t| …);` and `let mut a = shared::<f32, 64>();`.
    /// Returns whether the statement is one of these.
    pub(super) fn let_of_block(
        &mut self,
        ident: &syn::PatIdent,
        annotation: Option<&syn::Type>,
        init: &syn::Expr,
        stmts: &mut Vec<hir::Stmt>,
    ) -> bool {
        let span = self.span(init);
        if let Some(arguments) = arguments_of("shared", init) {
            self.let_shared(ident, annotation, &arguments, span, stmts);
            return true;
        }
        let syn::Expr::MethodCall(call) = ungrouped(init) else { return false };
        let Some(block) = self.named_block(&call.receiver) else {
            return self.let_of_operation(ident, init, stmts);
        };
        match (plain_name(&call.method).as_str(), call.args.first()) {
            ("per_thread", Some(value)) if call.args.len() == 1 => {
                let value = self.expr(value);
                self.let_per_thread(block, ident, value, stmts);
            }
            ("phase", Some(_)) => {
                if self.let_phase(block, ident, call, stmts).is_none() {
                    self.bind_broken(&syn::Pat::Ident(ident.clone()));
                }
            }
            _ => return false,
        }
        true
    }

    /// Declares a value for each thread, that of the phase `call`; `None`, with a message, if it has none.
    pub(super) fn let_phase(
        &mut self,
        block: BlockOf,
        ident: &syn::PatIdent,
        call: &syn::ExprMethodCall,
        stmts: &mut Vec<hir::Stmt>,
    ) -> Option<LocalId> {
        let span = self.span(call);
        let (closure, thread) = self.closure(call, span)?;
        let (mut body, local) = self.phase_body(thread, closure, span);
        let Some(value) = body.tail.take() else {
            self.report(
                Diagnostic::new(span, "the phase has no value")
                    .help("end it with the value of the thread, or remove `let`"),
            );
            return None;
        };
        let elem = self.value(&value);
        let array = self.array_of_block(ident, elem, block.size);
        self.per_thread.push(array);
        stmts.push(hir::Stmt { kind: zeros(array), span });
        body.stmts.push(self.set_own(array, local, *value));
        let phase = self.phase_over(block, local, body, span);
        stmts.push(hir::Stmt { kind: StmtKind::Expr(phase), span });
        Some(array)
    }

    /// Declares a value for each thread, which starts as `value`.
    fn let_per_thread(&mut self, block: BlockOf, ident: &syn::PatIdent, value: hir::Expr, stmts: &mut Vec<hir::Stmt>) {
        let (elem, span) = (self.value(&value), value.span);
        let is_zero = is_zero(&value.kind);
        // A literal is written where it is used.
        let value = if is_literal(&value.kind) {
            value
        } else {
            let local = self.new_local("value".to_owned(), elem, false, Origin::Value, span);
            stmts.push(hir::Stmt { kind: StmtKind::Let { local, init: Some(value) }, span });
            hir::Expr { kind: hir::ExprKind::Local(local), ty: Some(elem), span }
        };
        let array = self.array_of_block(ident, elem, block.size);
        self.per_thread.push(array);
        stmts.push(hir::Stmt { kind: zeros(array), span });
        if is_zero {
            return;
        }
        let ty = self.infer.known(Type::INDEX);
        let thread = self.new_local("t".to_owned(), ty, false, Origin::Counter, span);
        let body = hir::Block { stmts: vec![self.set_own(array, thread, value)], tail: None };
        let phase = self.phase_over(block, thread, body, span);
        stmts.push(hir::Stmt { kind: StmtKind::Expr(phase), span });
    }

    /// `array[thread] = value`.
    fn set_own(&mut self, array: LocalId, thread: LocalId, value: hir::Expr) -> hir::Stmt {
        let (span, ty) = (value.span, Some(self.infer.known(Type::INDEX)));
        let index = Box::new(hir::Expr { kind: hir::ExprKind::Local(thread), ty, span });
        let place = hir::ExprKind::LocalElement { local: array, index };
        let place = Box::new(hir::Expr { kind: place, ty: Some(self.locals[array.0 as usize].ty), span });
        let assign = hir::ExprKind::Assign { place, value: Box::new(value) };
        hir::Stmt { kind: StmtKind::Expr(hir::Expr { kind: assign, ty: None, span }), span }
    }

    /// `let mut a = shared::<f32, 64>();`.
    fn let_shared(
        &mut self,
        ident: &syn::PatIdent,
        annotation: Option<&syn::Type>,
        arguments: &[&syn::GenericArgument],
        span: Span,
        stmts: &mut Vec<hir::Stmt>,
    ) {
        const HELP: &str = "write `let mut tile = shared::<f32, 256>();`";
        let mistake = match (self.block, self.phase) {
            (None, _) => Some(("only a block shares an array", DECLARATION)),
            (_, Some(_)) => Some(("an array of the whole block is declared outside of phases", HELP)),
            (Some(_), None) => None,
        };
        if let Some((message, help)) = mistake {
            self.report(Diagnostic::new(span, message).help(help));
            return self.bind_broken(&syn::Pat::Ident(ident.clone()));
        }
        let ([syn::GenericArgument::Type(elem), len], None) = (arguments, annotation) else {
            self.report(Diagnostic::new(span, "an array of a block has a type and a length").help(HELP));
            return self.bind_broken(&syn::Pat::Ident(ident.clone()));
        };
        let elem = if let syn::Type::Infer(_) = elem {
            self.infer.any()
        } else {
            match types::read(elem, self.known, self.spans, self.diagnostics) {
                Some(ty) => self.known_type(ty),
                None => self.infer.broken(),
            }
        };
        let len = as_expr(len).and_then(|len| self.constant_integer(&len)).and_then(|len| u32::try_from(len).ok());
        let Some(len) = len.filter(|len| (1..=Kernel::MOST_SHARED as u32).contains(len)) else {
            let message = format!("the length of a shared array is a constant from 1 to {}", Kernel::MOST_SHARED);
            self.report(Diagnostic::new(span, message).help(HELP));
            return self.bind_broken(&syn::Pat::Ident(ident.clone()));
        };
        let local = self.array_of_block(ident, elem, len);
        self.shared.push(local);
        stmts.push(hir::Stmt { kind: zeros(local), span });
    }

    /// Declares an array of the block.
    pub(super) fn array_of_block(&mut self, ident: &syn::PatIdent, elem: super::TypeVar, len: u32) -> LocalId {
        let (name, at) = (plain_name(&ident.ident), self.span(&ident.ident));
        let local = self.new_local(name.clone(), elem, ident.mutability.is_some(), Origin::Value, at);
        self.locals[local.0 as usize].len = Some(len);
        self.bind(name, Binding::Local(local));
        local
    }

    /// The closure of a phase, and the name of the thread.
    fn closure<'e>(&mut self, call: &'e syn::ExprMethodCall, span: Span) -> Option<(&'e syn::Expr, &'e syn::PatIdent)> {
        let closure = match call.args.first().map(ungrouped) {
            Some(syn::Expr::Closure(closure)) if call.args.len() == 1 => Some(closure),
            _ => None,
        };
        let thread = closure.and_then(|closure| match closure.inputs.first() {
            Some(syn::Pat::Ident(ident)) if closure.inputs.len() == 1 && ident.mutability.is_none() => Some(ident),
            _ => None,
        });
        let mistake = match (self.phase, closure, thread) {
            (Some(_), ..) => Some(("a phase is inside of another one", "end the first phase before the second one")),
            (None, Some(closure), Some(thread)) => return Some((&closure.body, thread)),
            _ => Some(("a phase is what each thread does", "write `block.phase(|t| { … })`, where `t` is the thread")),
        };
        if let Some((message, help)) = mistake {
            self.report(Diagnostic::new(span, message).help(help));
        }
        None
    }

    /// The body of a phase, with the local of its thread.
    fn phase_body(&mut self, thread: &syn::PatIdent, body: &syn::Expr, span: Span) -> (hir::Block, LocalId) {
        self.scopes.push(HashMap::new());
        let (name, at, ty) = (plain_name(&thread.ident), self.span(&thread.ident), self.infer.known(Type::INDEX));
        let local = self.new_local(name.clone(), ty, false, Origin::Counter, at);
        self.bind(name, Binding::Local(local));
        self.phase = Some(local);
        // Jumps do not leave a phase.
        let loops = std::mem::take(&mut self.loops);
        let body = if let syn::Expr::Block(syn::ExprBlock { label: None, block, .. }) = ungrouped(body) {
            self.block(block)
        } else {
            let value = self.expr(body);
            match value.ty {
                Some(_) => hir::Block { stmts: Vec::new(), tail: Some(Box::new(value)) },
                None => hir::Block { stmts: vec![hir::Stmt { kind: StmtKind::Expr(value), span }], tail: None },
            }
        };
        self.loops = loops;
        self.phase = None;
        self.scopes.pop();
        (body, local)
    }

    /// The loop over the threads of the block.
    fn phase_over(&mut self, block: BlockOf, local: LocalId, mut body: hir::Block, span: Span) -> hir::Expr {
        if let Some(unused) = body.tail.take() {
            body.stmts.push(hir::Stmt { span: unused.span, kind: StmtKind::Expr(*unused) });
        }
        let ty = Some(self.infer.known(Type::INDEX));
        let number = |value: u32| hir::Expr { kind: hir::ExprKind::Int(value.into()), ty, span };
        let (start, end) = (number(0), number(block.size));
        let range = hir::Range { start, end, inclusive: false, direction: Direction::Phase, step: None };
        hir::Expr { kind: hir::ExprKind::For { local, range: Box::new(range), body }, ty: None, span }
    }

    /// Checks the index of a value that each thread has its own of.
    pub(super) fn check_own(&mut self, array: LocalId, index: &hir::Expr) {
        if self.operation.is_some() || !self.per_thread.contains(&array) {
            return;
        }
        let is_own = self.phase.is_some_and(|thread| matches!(index.kind, hir::ExprKind::Local(at) if at == thread));
        if !is_own {
            let name = self.locals[array.0 as usize].name.clone();
            let diagnostic = Diagnostic::new(index.span, format!("a thread has its own element of `{name}` only"));
            self.report(diagnostic.note("the values of the other threads are in their registers").help(format!(
                "write `{name}[t]` in a phase of the thread `t`, exchange values by `let w = {name}.shuffle(|t| …);`, or \
                 share an array: `shared::<f32, 256>()`"
            )));
        }
    }

    pub(super) fn broken(&mut self, span: Span) -> hir::Expr {
        hir::Expr { kind: hir::ExprKind::Error, ty: Some(self.infer.broken()), span }
    }
}

fn is_literal(kind: &hir::ExprKind) -> bool {
    matches!(kind, hir::ExprKind::Int(_) | hir::ExprKind::Float { .. } | hir::ExprKind::Bool(_))
}

/// Whether it is the literal of the value with which elements start.
fn is_zero(kind: &hir::ExprKind) -> bool {
    if let hir::ExprKind::Float { digits, negative } = kind {
        return !negative && digits.parse() == Ok(0.0);
    }
    matches!(kind, hir::ExprKind::Int(0) | hir::ExprKind::Bool(false))
}

/// The declaration of an array whose elements are zeros.
pub(super) fn zeros(local: LocalId) -> StmtKind {
    StmtKind::LetArray { local, init: Elements::List(Vec::new()) }
}

/// The generic arguments in `name::<…>()`; `None` for other expressions.
fn arguments_of<'e>(name: &str, expr: &'e syn::Expr) -> Option<Vec<&'e syn::GenericArgument>> {
    let syn::Expr::Call(call) = ungrouped(expr) else { return None };
    let syn::Expr::Path(path) = ungrouped(&call.func) else { return None };
    let last = path.path.segments.last().filter(|last| call.args.is_empty() && plain_name(&last.ident) == name)?;
    let syn::PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    Some(list.args.iter().collect())
}

/// A generic argument that is a constant. The name of a constant looks like a type.
pub(super) fn as_expr(argument: &syn::GenericArgument) -> Option<syn::Expr> {
    if let syn::GenericArgument::Const(value) = argument {
        return Some(value.clone());
    }
    let syn::GenericArgument::Type(syn::Type::Path(path)) = argument else { return None };
    Some(syn::Expr::Path(syn::ExprPath { attrs: Vec::new(), qself: None, path: path.path.clone() }))
}
