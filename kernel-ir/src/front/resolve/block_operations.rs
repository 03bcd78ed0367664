//! Operations on a value that each thread of a block has: sums, scans, exchanges between lanes.
//!
//! They stand between phases, so that all threads take part. Each one is code of the kernel language, which is resolved in its
//! place; so the order of a sum is that of its code, on every device. Lanes read each other's values at indices of one form,
//! which [texts for GPUs](crate::ir::lane_of) turn into shuffles.

use super::super::hir::{self, Origin, StmtKind};
use super::super::syntax::{plain_name, ungrouped};
use super::blocks::{DECLARATION, as_expr, zeros};
use super::{Binding, BlockOf, Resolver};
use crate::diag::Diagnostic;
use crate::ir::{Kernel, LocalId, Span, Type};
use std::collections::HashMap;

/// The threads whose values an operation combines.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    /// All threads of the block.
    Block,
    /// Those of a group of lanes.
    Lanes,
}

/// What an operation takes besides the values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    /// A number of lanes, `k` in the code.
    Lanes,
    /// A lane of each thread, `k[t]` in the code.
    LaneOfThread,
}

/// What an operation gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// One value of the block, that of the code. The number of threads must be a power of two.
    One,
    /// A value of the same type for each thread, which the code puts into `out`.
    Each,
    /// An `u32` for each thread.
    EachBits,
}

/// An operation on the `values` of the threads.
struct Operation {
    name: &'static str,
    of: Of,
    /// Whether the values are `bool`.
    votes: bool,
    takes: Takes,
    gives: Gives,
    /// Code of the kernel language. `$N` is the number of threads, and `$W` that of the lanes of a group.
    code: &'static str,
}

/// The values of the two halves are combined until one is left.
macro_rules! halves {
    ($combined:literal) => {
        concat!(
            "{
                let mut totals = shared::<_, $N>();
                block.phase(|t| totals[t] = values[t]);
                let mut half = $N / 2;
                while half > 0 {
                    block.phase(|t| if t < half { totals[t] = ",
            $combined,
            "; });
                    half /= 2;
                }
                totals[0]
            }"
        )
    };
}

/// The index of the thread with an extreme value, the first of equal ones.
macro_rules! place_of {
    ($beats:literal) => {
        concat!(
            "{
                let mut best = shared::<_, $N>();
                let mut at = shared::<u32, $N>();
                block.phase(|t| {
                    best[t] = values[t];
                    at[t] = t as u32;
                });
                let mut half = $N / 2;
                while half > 0 {
                    block.phase(|t| if t < half {
                        let other = best[t + half];
                        if other ",
            $beats,
            " best[t] || other == best[t] && at[t + half] < at[t] {
                            best[t] = other;
                            at[t] = at[t + half];
                        }
                    });
                    half /= 2;
                }
                at[0] as usize
            }"
        )
    };
}

/// Each thread takes in the values before it, over twice the distance in each round.
macro_rules! scan {
    ($result:literal) => {
        concat!(
            "{
                let mut line = shared::<_, $N>();
                block.phase(|t| line[t] = values[t]);
                let mut step = 1;
                while step < $N {
                    let before = block.phase(|t| if t >= step { line[t - step] } else { line[t] });
                    block.phase(|t| if t >= step { line[t] = before[t] + line[t]; });
                    step *= 2;
                }
                ",
            $result,
            "
            }"
        )
    };
}

/// Lanes exchange what they have at half the distance in each round, so all of a group end with the same value.
macro_rules! butterfly {
    ($first:literal, $combined:literal) => {
        concat!(
            "{
                block.phase(|t| out[t] = ",
            $first,
            ");
                let mut step = $W / 2;
                while step > 0 {
                    let other = block.phase(|t| out[t / $W * $W + (t ^ step) % $W]);
                    block.phase(|t| ",
            $combined,
            ");
                    step /= 2;
                }
            }"
        )
    };
}

/// As `scan`, in a group of lanes.
macro_rules! scan_of_lanes {
    ($result:literal) => {
        concat!(
            "{
                let mut sums = block.phase(|t| values[t]);
                let mut step = 1;
                while step < $W {
                    let before = block.phase(|t| sums[t / $W * $W + (t + $W - step) % $W]);
                    block.phase(|t| if t % $W >= step { sums[t] = before[t] + sums[t]; });
                    step *= 2;
                }
                ",
            $result,
            "
            }"
        )
    };
}

const fn one(name: &'static str, code: &'static str) -> Operation {
    Operation { name, of: Of::Block, votes: false, takes: Takes::Nothing, gives: Gives::One, code }
}

const fn scan(name: &'static str, code: &'static str) -> Operation {
    Operation { name, of: Of::Block, votes: false, takes: Takes::Nothing, gives: Gives::Each, code }
}

const fn of_lanes(name: &'static str, takes: Takes, code: &'static str) -> Operation {
    Operation { name, of: Of::Lanes, votes: false, takes, gives: Gives::Each, code }
}

const fn vote(name: &'static str, gives: Gives, code: &'static str) -> Operation {
    Operation { name, of: Of::Lanes, votes: true, takes: Takes::Nothing, gives, code }
}

const OPERATIONS: [Operation; 19] = [
    one("block_sum", halves!("totals[t] + totals[t + half]")),
    one("block_max", halves!("totals[t].max(totals[t + half])")),
    one("block_min", halves!("totals[t].min(totals[t + half])")),
    one("block_argmax", place_of!(">")),
    one("block_argmin", place_of!("<")),
    scan("block_inclusive_sum", scan!("block.phase(|t| out[t] = line[t]);")),
    scan("block_exclusive_sum", scan!("block.phase(|t| if t > 0 { out[t] = line[t - 1]; });")),
    of_lanes("warp_sum", Takes::Nothing, butterfly!("values[t]", "out[t] += other[t]")),
    of_lanes("warp_max", Takes::Nothing, butterfly!("values[t]", "out[t] = out[t].max(other[t])")),
    of_lanes("warp_min", Takes::Nothing, butterfly!("values[t]", "out[t] = out[t].min(other[t])")),
    vote("warp_any", Gives::Each, butterfly!("values[t]", "out[t] = out[t] || other[t]")),
    vote("warp_all", Gives::Each, butterfly!("values[t]", "out[t] = out[t] && other[t]")),
    of_lanes("warp_inclusive_sum", Takes::Nothing, scan_of_lanes!("block.phase(|t| out[t] = sums[t]);")),
    of_lanes(
        "warp_exclusive_sum",
        Takes::Nothing,
        scan_of_lanes!(
            "let before = block.phase(|t| sums[t / $W * $W + (t + $W - 1) % $W]);
            block.phase(|t| if t % $W > 0 { out[t] = before[t]; });"
        ),
    ),
    vote(
        "ballot",
        Gives::EachBits,
        butterfly!("if values[t] { 1u32 << (t % $W) as u32 } else { 0u32 }", "out[t] |= other[t]"),
    ),
    of_lanes("shuffle", Takes::LaneOfThread, "{ block.phase(|t| out[t] = values[t / $W * $W + k[t] % $W]); }"),
    of_lanes("shuffle_xor", Takes::Lanes, "{ block.phase(|t| out[t] = values[t / $W * $W + (t ^ k) % $W]); }"),
    of_lanes(
        "shuffle_up",
        Takes::Lanes,
        "{
            block.phase(|t| {
                let other = values[t / $W * $W + (t + $W - k % $W) % $W];
                out[t] = if k <= t % $W { other } else { values[t] };
            });
        }",
    ),
    of_lanes(
        "shuffle_down",
        Takes::Lanes,
        "{
            block.phase(|t| {
                let other = values[t / $W * $W + (t + k % $W) % $W];
                out[t] = if k < $W - t % $W { other } else { values[t] };
            });
        }",
    ),
];

/// The values that an operation takes.
struct Operands {
    block: BlockOf,
    values: LocalId,
    /// The number of lanes of a group.
    width: u32,
}

impl Resolver<'_> {
    /// A method of the values of the threads where its value is not bound to a name, such as `values.block_sum()`; `None` for
    /// other methods.
    pub(super) fn block_operation(
        &mut self,
        values: LocalId,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Option<hir::Expr> {
        let block = self.block.filter(|_| self.per_thread.contains(&values))?;
        let name = plain_name(&call.method);
        if name == "lanes" {
            let diagnostic = Diagnostic::new(span, "the groups of lanes are no value");
            return Some(
                self.error(diagnostic.help("call an operation on them: `let sums = v.lanes::<8>().warp_sum();`")),
            );
        }
        let operation = OPERATIONS.iter().find(|operation| operation.name == name)?;
        if operation.gives != Gives::One {
            let diagnostic = Diagnostic::new(span, format!("`{name}` gives each thread a value"));
            return Some(self.error(diagnostic.help(format!("bind them to a name: `let all = v.{name}(…);`"))));
        }
        let operands = Operands { block, values, width: Kernel::WARP };
        if let Err(error) = self.check_operation(operation, &operands, call, span) {
            return Some(error);
        }
        let code = operation.code(&operands);
        let value = self.in_operation(&operands, [], span, |resolver| resolver.expr(&syn::Expr::Block(code)));
        Some(hir::Expr { span, ..value })
    }

    /// `let sums = values.warp_sum();` and the like. Returns whether the statement is one of these.
    pub(super) fn let_of_operation(
        &mut self,
        ident: &syn::PatIdent,
        init: &syn::Expr,
        stmts: &mut Vec<hir::Stmt>,
    ) -> bool {
        let syn::Expr::MethodCall(call) = ungrouped(init) else { return false };
        let (name, span) = (plain_name(&call.method), self.span(init));
        let Some(operation) = OPERATIONS.iter().find(|operation| operation.name == name) else { return false };
        let Some((values, groups)) = self.values_of_threads(&call.receiver) else { return false };
        if operation.gives == Gives::One && groups.is_none() {
            return false;
        }
        if self.let_each(ident, operation, (values, groups), call, span, stmts).is_err() {
            self.bind_broken(&syn::Pat::Ident(ident.clone()));
        }
        true
    }

    /// Declares what an operation gives each thread. A mistake is reported.
    fn let_each(
        &mut self,
        ident: &syn::PatIdent,
        operation: &Operation,
        (values, groups): (LocalId, Option<&syn::ExprMethodCall>),
        call: &syn::ExprMethodCall,
        span: Span,
        stmts: &mut Vec<hir::Stmt>,
    ) -> Result<(), hir::Expr> {
        let Some(block) = self.block else { return Ok(()) };
        let width = groups.map_or(Ok(Kernel::WARP), |groups| self.width(groups, operation))?;
        let operands = Operands { block, values, width };
        self.check_operation(operation, &operands, call, span)?;
        let taken = match operation.takes {
            Takes::Nothing => None,
            Takes::Lanes => Some(self.lanes_taken(&call.args[0], stmts)),
            Takes::LaneOfThread => {
                if !matches!(ungrouped(&call.args[0]), syn::Expr::Closure(_)) {
                    let message = format!("`{}` takes the lane that each thread reads", operation.name);
                    let help = format!("write `v.{}(|t| t + 1)`, where `t` is the thread", operation.name);
                    return Err(self.error(Diagnostic::new(span, message).help(help)));
                }
                // The name of the lanes is not one of the author's.
                self.scopes.push(HashMap::new());
                let lanes = syn::PatIdent {
                    attrs: Vec::new(),
                    by_ref: None,
                    mutability: None,
                    ident: syn::Ident::new("lane", call.method.span()),
                    subpat: None,
                };
                let taken = self.let_phase(block, &lanes, call, stmts);
                self.scopes.pop();
                let taken = taken.ok_or_else(|| self.broken(span))?;
                let ty = self.locals[taken.0 as usize].ty;
                self.index_type(ty, span);
                Some(taken)
            }
        };
        let elem = match operation.gives {
            Gives::One | Gives::Each => self.locals[values.0 as usize].ty,
            Gives::EachBits => self.infer.known(Type::U32),
        };
        let out = self.array_of_block(ident, elem, block.size);
        self.per_thread.push(out);
        stmts.push(hir::Stmt { kind: zeros(out), span });
        let names = [("out", Some(out)), ("k", taken)];
        let names = names.into_iter().filter_map(|(name, local)| Some((name, local?)));
        let code = operation.code(&operands);
        // The code assigns what is not `mut` for the author.
        let mutable = std::mem::replace(&mut self.locals[out.0 as usize].mutable, true);
        let block = self.in_operation(&operands, names, span, |resolver| resolver.block(&code.block));
        self.locals[out.0 as usize].mutable = mutable;
        let code = hir::Expr { kind: hir::ExprKind::Block(block), ty: None, span };
        stmts.push(hir::Stmt { kind: StmtKind::Expr(code), span });
        Ok(())
    }

    /// The values of threads that an expression names, and the call that makes groups of lanes of them.
    fn values_of_threads<'e>(&self, expr: &'e syn::Expr) -> Option<(LocalId, Option<&'e syn::ExprMethodCall>)> {
        let groups = if let syn::Expr::MethodCall(call) = ungrouped(expr) { Some(call) } else { None };
        let groups = groups.filter(|call| plain_name(&call.method) == "lanes");
        let named = groups.map_or(expr, |call| &call.receiver);
        let values = self.named_local_array(named).filter(|values| self.per_thread.contains(values))?;
        Some((values, groups))
    }

    /// The number of lanes in `values.lanes::<8>()`.
    fn width(&mut self, groups: &syn::ExprMethodCall, operation: &Operation) -> Result<u32, hir::Expr> {
        let span = self.span(groups);
        if operation.of == Of::Block {
            let diagnostic = Diagnostic::new(span, format!("`{}` takes the values of the whole block", operation.name));
            return Err(self.error(diagnostic.help("call it without `lanes`")));
        }
        let arguments = groups.turbofish.as_ref().map(|list| &list.args).filter(|list| list.len() == 1);
        let width = arguments.and_then(|list| as_expr(&list[0])).and_then(|width| self.constant_integer(&width));
        let width = width.and_then(|width| u32::try_from(width).ok());
        let is_group = |width: &u32| width.is_power_of_two() && (2..=Kernel::WARP).contains(width);
        width.filter(|width| is_group(width) && groups.args.is_empty()).ok_or_else(|| {
            let diagnostic = Diagnostic::new(span, "a group has 2, 4, 8, 16 or 32 lanes");
            self.error(diagnostic.help("write `v.lanes::<8>()`"))
        })
    }

    /// Reports a call that does not fit its operation.
    fn check_operation(
        &mut self,
        operation: &Operation,
        operands: &Operands,
        call: &syn::ExprMethodCall,
        span: Span,
    ) -> Result<(), hir::Expr> {
        let Operation { name, .. } = operation;
        let Operands { block, width, .. } = operands;
        let wanted = usize::from(operation.takes != Takes::Nothing);
        if call.args.len() != wanted {
            return Err(self.wrong_arity(name, wanted, call.args.len(), span));
        }
        if self.phase.is_some() {
            let diagnostic = Diagnostic::new(span, format!("`{name}` takes the values of all threads"));
            return Err(self.error(diagnostic.help("call it between phases")));
        }
        if operation.votes {
            let (wanted, found) = (self.infer.known(Type::BOOL), self.locals[operands.values.0 as usize].ty);
            self.equate(wanted, found, span);
        }
        let size = block.size;
        if operation.gives == Gives::One && !size.is_power_of_two() {
            let message = format!("`{name}` needs a block whose number of threads is a power of two, not {size}");
            return Err(self.error(Diagnostic::new(span, message).help(DECLARATION)));
        }
        if operation.of == Of::Lanes && !size.is_multiple_of(*width) {
            let message = format!("the {size} threads of the block are no groups of {width} lanes");
            let help =
                format!("take groups of fewer lanes, as in `v.lanes::<8>().{name}(…)`, or blocks of more threads");
            return Err(self.error(Diagnostic::new(span, message).help(help)));
        }
        Ok(())
    }

    /// The number of lanes that an operation takes, which is computed once.
    fn lanes_taken(&mut self, arg: &syn::Expr, stmts: &mut Vec<hir::Stmt>) -> LocalId {
        let value = self.expr(arg);
        let (found, span) = (self.value(&value), value.span);
        self.index_type(found, span);
        let local = self.new_local("k".to_owned(), found, false, Origin::Value, span);
        stmts.push(hir::Stmt { kind: StmtKind::Let { local, init: Some(value) }, span });
        local
    }

    /// Resolves the code of an operation, whose names are its own. `span` is the call, where mistakes are reported.
    fn in_operation<T>(
        &mut self,
        operands: &Operands,
        names: impl IntoIterator<Item = (&'static str, LocalId)>,
        span: Span,
        resolve: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let locals = [("values", operands.values)].into_iter().chain(names);
        let names = locals.map(|(name, local)| (name, Binding::Local(local))).chain([("block", Binding::Block)]);
        self.scopes.push(names.map(|(name, binding)| (name.to_owned(), binding)).collect());
        self.operation = Some(span);
        let resolved = resolve(self);
        self.operation = None;
        self.scopes.pop();
        resolved
    }
}

impl Operation {
    /// The code, with the numbers of threads and of lanes.
    fn code(&self, operands: &Operands) -> syn::ExprBlock {
        let number = |number: u32| number.to_string();
        let text = self.code.replace("$N", &number(operands.block.size)).replace("$W", &number(operands.width));
        syn::parse_str(&text).expect("the code of an operation is Rust")
    }
}
