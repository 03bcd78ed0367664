//! The vector-Jacobian product (VJP) of an expression.
//!
//! Going forward, [`node`](ReverseSweep::node) turns an expression into a tree of [`Node`]s. Each operand or result
//! that a derivative rule reads is bound to a local, so that it is computed once. Going back,
//! [`propagate`](ReverseSweep::propagate) walks the tree from the root: each rule turns the adjoint of a result into
//! the adjoint of an operand. At the leaves the adjoint is added to that of a local, a parameter or an array element.

use super::context::{Env, ReverseSweep};
use super::parameter_sums::add_atomically;
use super::tiles;
use crate::adjoint::analyze::array_classes::ArrayClass;
use crate::adjoint::analyze::magnitude;
use crate::adjoint::rules::{self, Rules};
use crate::adjoint::terms::parts;
use crate::ir::{
    Block, Callee, Expr, ExprKind, Function, LocalId, ParamId, Place, PlaceRoot, Projection, Span, TileOp, Type,
};
use crate::ops::build::Operand;
use crate::ops::{self, Op};
use crate::rewrite::build::{self, add, assign, cast, compare, declare, expr, local_place, zero};
use std::rc::Rc;
use std::sync::Arc;

/// A node of the tree that an active expression becomes.
#[derive(Debug)]
pub(super) struct Node {
    ty: Type,
    span: Span,
    kind: NodeKind,
}

#[derive(Debug)]
enum NodeKind {
    /// No derivative goes through the expression.
    Inactive,
    /// A local of the source.
    Local(LocalId),
    /// A by-value parameter.
    Param(ParamId),
    /// An element of an array.
    Load(ParamId, Vec<Expr>),
    /// An operation with its operands.
    Op(Op, Vec<Node>, OperandVjps),
    /// A call of a function whose author gives the derivative, with its arguments.
    Call(Vec<Node>, Arc<Function>, Vec<Expr>),
    /// A cast between floats.
    Cast(Box<Node>),
    /// A component or column of a value.
    Part(Box<Node>, Projection),
    /// A choice between the elements of two tiles, by a condition that is a tile or a single `bool`.
    Select(Expr, Box<[Node; 2]>),
    /// An operation on tiles, with its operands, and with the values of operands and result that its derivative reads.
    Tile(TileOp, Vec<Node>, Vec<Expr>),
}

/// The derivative rules of an operation, with the values that they read.
#[derive(Debug)]
pub(super) struct OperandVjps {
    rules: Rc<Rules>,
    /// The values of the operands and the result, where a rule reads them.
    values: Vec<Option<Expr>>,
    /// Upper bounds of the absolute values of operands and result, where known.
    magnitudes: Vec<Option<f64>>,
}

impl Node {
    pub(super) fn is_active(&self) -> bool {
        !matches!(self.kind, NodeKind::Inactive)
    }

    /// Whether a derivative goes through the local.
    pub(super) fn mentions(&self, local: LocalId) -> bool {
        match &self.kind {
            NodeKind::Inactive | NodeKind::Param(_) | NodeKind::Load(..) => false,
            NodeKind::Local(own) => *own == local,
            NodeKind::Op(_, kids, _) | NodeKind::Call(kids, ..) | NodeKind::Tile(_, kids, _) => {
                kids.iter().any(|kid| kid.mentions(local))
            }
            NodeKind::Select(_, sides) => sides.iter().any(|side| side.mentions(local)),
            NodeKind::Cast(kid) | NodeKind::Part(kid, _) => kid.mentions(local),
        }
    }

    /// If the value is `local` plus or minus terms that do not depend on it: the terms, each with whether it is
    /// subtracted. `local += …` then needs no new adjoint of `local`.
    pub(super) fn without(&self, local: LocalId) -> Option<Vec<(&Node, bool)>> {
        match &self.kind {
            NodeKind::Local(own) => (*own == local).then(Vec::new),
            NodeKind::Op(op, kids, _) => {
                let (Op::Add | Op::Sub, [a, b]) = (op, kids.as_slice()) else { return None };
                let (sum, term, negative) = match (a.mentions(local), b.mentions(local), op) {
                    (true, false, _) => (a, b, *op == Op::Sub),
                    (false, true, Op::Add) => (b, a, false),
                    _ => return None,
                };
                let mut terms = sum.without(local)?;
                terms.push((term, negative));
                Some(terms)
            }
            NodeKind::Inactive
            | NodeKind::Param(_)
            | NodeKind::Load(..)
            | NodeKind::Call(..)
            | NodeKind::Cast(_)
            | NodeKind::Part(..)
            | NodeKind::Select(..)
            | NodeKind::Tile(..) => None,
        }
    }
}

impl ReverseSweep<'_> {
    /// The value of `source` over the names of the adjoint kernel, and its node. Values that rules read are bound to
    /// locals in `forward`.
    pub(super) fn node(&mut self, source: &Expr, env: &Env, forward: &mut Block) -> (Expr, Node) {
        let (ty, span) = (source.ty, source.span);
        let leaf = |kind| (self.rename(source, env), Node { ty, span, kind });
        match &source.kind {
            // Integers and booleans carry no derivative; casts from float to integer end it.
            _ if !ty.is_float() => leaf(NodeKind::Inactive),
            ExprKind::Literal(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::LocalElement { .. } => leaf(NodeKind::Inactive),
            ExprKind::Local(_) | ExprKind::Call(..) | ExprKind::Select { .. }
                if !self.facts.activity.is_varied(source) =>
            {
                leaf(NodeKind::Inactive)
            }
            ExprKind::Local(local) => leaf(NodeKind::Local(*local)),
            ExprKind::Param(param) => leaf(NodeKind::Param(*param)),
            ExprKind::Load { array, index } => {
                let array = self.facts.aliases.array(*array);
                leaf(NodeKind::Load(array, index.iter().map(|index| self.rename(index, env)).collect()))
            }
            ExprKind::Op(op, args) => self.operation(*op, args, source, env, forward),
            ExprKind::Call(callee, args) => self.call(callee, args, source, env, forward),
            ExprKind::Cast(inner) => {
                let (value, kid) = self.node(inner, env, forward);
                let kind = if kid.is_active() { NodeKind::Cast(Box::new(kid)) } else { NodeKind::Inactive };
                (Expr { kind: ExprKind::Cast(Box::new(value)), ty, span }, Node { ty, span, kind })
            }
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                let (base, kid) = self.node(base, env, forward);
                let index = self.rename(index, env);
                let (base, at) = (Box::new(base), Box::new(index.clone()));
                let (value, step) = if let ExprKind::Component(..) = source.kind {
                    (ExprKind::Component(base, at), Projection::Component(index))
                } else {
                    (ExprKind::Column(base, at), Projection::Column(index))
                };
                let kind = if kid.is_active() { NodeKind::Part(Box::new(kid), step) } else { NodeKind::Inactive };
                (Expr { kind: value, ty, span }, Node { ty, span, kind })
            }
            ExprKind::Tile(op, args) => self.tile_operation(*op, args, source, env, forward),
            ExprKind::Select { cond, then, other } if ty.is_tile() => {
                let cond = self.rename(cond, env);
                let cond = self.bound(cond, forward);
                let [(then, of_then), (other, of_other)] = [then, other].map(|side| self.node(side, env, forward));
                let kind = NodeKind::Select(cond.clone(), Box::new([of_then, of_other]));
                let [cond, then, other] = [cond, then, other].map(Box::new);
                (Expr { kind: ExprKind::Select { cond, then, other }, ty, span }, Node { ty, span, kind })
            }
            ExprKind::Select { .. } => unreachable!("`if` expressions with derivatives are statements"),
            ExprKind::Field(..) | ExprKind::Struct(_) => unreachable!("structs are split into their fields"),
        }
    }

    fn operation(&mut self, op: Op, args: &[Expr], source: &Expr, env: &Env, forward: &mut Block) -> (Expr, Node) {
        let (ty, span) = (source.ty, source.span);
        // The operands after the differentiable ones, such as an integer exponent, never get a derivative.
        let (smooth, rest) = args.split_at(ops::differentiable(op, args, ty).min(args.len()));
        let (mut values, mut kids) = (Vec::with_capacity(args.len()), Vec::with_capacity(args.len()));
        self.nodes(smooth, env, forward, &mut values, &mut kids);
        if !kids.iter().any(Node::is_active) {
            values.extend(rest.iter().map(|arg| self.rename(arg, env)));
            let value = Expr { kind: ExprKind::Op(op, values), ty, span };
            return (value, Node { ty, span, kind: NodeKind::Inactive });
        }
        self.nodes(rest, env, forward, &mut values, &mut kids);
        let rules = rules::of(op, args, ty);
        let active =
            || rules.vjps.iter().zip(&kids).filter(|(_, kid)| kid.is_active()).filter_map(|(rule, _)| rule.as_ref());
        let is_read = |place: usize| active().any(|rule| rule.reads(place));
        // Only values that a rule of an active operand reads get a name.
        let mut named = Vec::with_capacity(values.len() + 1);
        let mut name = |place: usize, value: Expr| {
            let is_read = is_read(place);
            let value = if is_read { self.bound(value, forward) } else { value };
            named.push(is_read.then(|| value.clone()));
            value
        };
        let values = values.into_iter().enumerate().map(|(place, value)| name(place, value)).collect();
        let value = name(kids.len(), Expr { kind: ExprKind::Op(op, values), ty, span });
        let known = |expr: &Expr| magnitude::of(expr, &|local| self.facts.magnitudes.get(local).copied());
        let magnitudes = args.iter().chain([source]).map(known).collect();
        (value, Node { ty, span, kind: NodeKind::Op(op, kids, OperandVjps { rules, values: named, magnitudes }) })
    }

    /// An operation on tiles.
    fn tile_operation(
        &mut self,
        op: TileOp,
        args: &[Expr],
        source: &Expr,
        env: &Env,
        forward: &mut Block,
    ) -> (Expr, Node) {
        let (ty, span) = (source.ty, source.span);
        let (mut values, mut kids) = (Vec::new(), Vec::new());
        self.nodes(args, env, forward, &mut values, &mut kids);
        let is_active = kids.iter().any(Node::is_active);
        let (reads_operands, reads_result) = tiles::reads(op);
        if is_active && reads_operands {
            values = values.into_iter().map(|value| self.bound(value, forward)).collect();
        }
        let mut value = Expr { kind: ExprKind::Tile(op, values.clone()), ty, span };
        if !is_active {
            return (value, Node { ty, span, kind: NodeKind::Inactive });
        }
        if reads_result {
            value = self.bound(value, forward);
            values.push(value.clone());
        }
        (value, Node { ty, span, kind: NodeKind::Tile(op, kids, values) })
    }

    /// Appends the values and nodes of operands.
    fn nodes(&mut self, args: &[Expr], env: &Env, forward: &mut Block, values: &mut Vec<Expr>, kids: &mut Vec<Node>) {
        for arg in args {
            let (value, kid) = self.node(arg, env, forward);
            values.push(value);
            kids.push(kid);
        }
    }

    /// A call of a function whose author gives the derivative. The derivative by a parameter is itself a function over
    /// the arguments and the adjoint, so all arguments are bound.
    fn call(&mut self, callee: &Callee, args: &[Expr], source: &Expr, env: &Env, forward: &mut Block) -> (Expr, Node) {
        let (ty, span) = (source.ty, source.span);
        let (values, kids): (Vec<Expr>, Vec<Node>) = args.iter().map(|arg| self.node(arg, env, forward)).unzip();
        // The arguments are read again by each partial derivative, in the reverse part.
        let values: Vec<Expr> = values.into_iter().map(|value| self.bound(value, forward)).collect();
        let value = Expr { kind: ExprKind::Call(Box::new(callee.clone()), values.clone()), ty, span };
        (value, Node { ty, span, kind: NodeKind::Call(kids, Arc::clone(&callee.function), values) })
    }

    /// Propagates the adjoint `g` of `node` to the leaves of the tree.
    pub(super) fn propagate(&mut self, node: &Node, g: Expr, back: &mut Block) {
        match &node.kind {
            NodeKind::Inactive => {}
            NodeKind::Op(_, kids, OperandVjps { rules, values, magnitudes }) => {
                let vjps = kids.iter().zip(&rules.vjps).filter(|(kid, _)| kid.is_active());
                let vjps = vjps.filter_map(|(kid, rule)| Some((kid, rule.as_ref()?)));
                // A rule may read the adjoint several times. It is computed once.
                let count: usize = vjps.clone().map(|(_, rule)| rule.uses_of_adjoint()).sum();
                let g = self.bound_if(count > 1, g, back);
                for (kid, rule) in vjps {
                    let magnitudes = (!self.facts.all_guards).then_some(magnitudes.as_slice());
                    let mut vjp = rule.over(values, magnitudes, &g);
                    if node.ty.is_tile() {
                        vjp.lift();
                        vjp = tiles::as_operand(vjp, kid.ty);
                    }
                    self.propagate(kid, vjp, back);
                }
            }
            NodeKind::Call(kids, function, values) => {
                let part = |(param, kid): (u32, _)| Some((kid, function.gradient.as_ref()?.part(ParamId(param))?));
                let parts = (0..).zip(kids).filter(|(_, kid)| kid.is_active()).filter_map(part);
                let g = self.bound_if(parts.clone().count() > 0, g, back);
                for (kid, part) in parts {
                    let args = values.iter().chain([&g]).cloned().collect();
                    let vjp = expr(ExprKind::Call(Callee::of_values(Arc::clone(part)), args), part.ret);
                    // The author's derivative may be infinite where the adjoint is zero, so the call is guarded.
                    self.propagate(kid, is_nonzero(&g).select(vjp, zero(part.ret)), back);
                }
            }
            NodeKind::Cast(kid) => self.propagate(kid, cast(g, kid.ty), back),
            NodeKind::Select(cond, sides) => {
                let g = self.bound_if(sides.iter().all(Node::is_active), g, back);
                let zero_of = zero(g.ty.element());
                for (place, side) in sides.iter().enumerate().filter(|(_, side)| side.is_active()) {
                    let values = [g.clone(), zero_of.clone()];
                    let [then, other] = if place == 0 {
                        values
                    } else {
                        let [g, zero] = values;
                        [zero, g]
                    };
                    let vjp = tiles::chosen(cond.clone(), then, other, node.ty);
                    self.propagate(side, tiles::as_operand(vjp, side.ty), back);
                }
            }
            NodeKind::Tile(op, kids, values) => {
                let g = self.bound_if(kids.iter().filter(|kid| kid.is_active()).count() > 1, g, back);
                for (place, kid) in kids.iter().enumerate().filter(|(_, kid)| kid.is_active()) {
                    self.propagate(kid, tiles::vjp(*op, place, kid.ty, values, g.clone()), back);
                }
            }
            NodeKind::Local(_) | NodeKind::Param(_) | NodeKind::Load(..) | NodeKind::Part(..) => {
                self.propagate_to_place(node, g, Vec::new(), back)
            }
        }
    }

    /// As [`propagate`](ReverseSweep::propagate), where `g` is the adjoint of the part of `node` at the end of `path`.
    fn propagate_to_place(&mut self, node: &Node, g: Expr, mut path: Vec<Projection>, back: &mut Block) {
        let (ty, span) = (g.ty, node.span);
        match &node.kind {
            NodeKind::Part(kid, step) => {
                // The walk goes from the outermost projection inwards, and a path starts at the root.
                path.insert(0, step.clone());
                self.propagate_to_place(kid, g, path, back);
            }
            NodeKind::Local(local) => {
                let place = self.adjoint_place(*local);
                back.push(add(Place { path, ty, ..place }, g));
            }
            NodeKind::Param(param) => {
                let place = local_place(self.sum(*param), ty);
                back.push(add(Place { path, ..place }, g));
            }
            NodeKind::Load(array, index) => {
                let root = PlaceRoot::Element { array: self.adjoint_param(*array), index: index.clone() };
                let place = Place { root, path, ty, span };
                if self.facts.classes.get(array) == Some(&ArrayClass::Owned) {
                    // The reverse of the store has already moved the adjoint of the element into the local's adjoint,
                    // so the element is overwritten and not added to.
                    back.push(assign(place, g));
                } else if self.facts.exclusive.contains(array) {
                    back.push(add(place, g));
                } else {
                    // A vector is added by one atomic for each scalar, so its value is read several times.
                    let g = self.bound_if(!place.ty.is_scalar(), g, back);
                    add_atomically(&place, g, back);
                }
            }
            NodeKind::Inactive => {}
            NodeKind::Op(..) | NodeKind::Call(..) | NodeKind::Cast(_) | NodeKind::Select(..) | NodeKind::Tile(..) => {
                // A part of a computed value: the adjoint of the whole is zero except for that part.
                let whole = self.fresh("g", node.ty);
                back.push(declare(whole, zero(node.ty)));
                back.push(assign(Place { root: PlaceRoot::Local(whole), path, ty, span: Span::NONE }, g));
                self.propagate(node, expr(ExprKind::Local(whole), node.ty), back);
            }
        }
    }
}

/// Whether some scalar of the value is not zero.
fn is_nonzero(value: &Expr) -> Expr {
    let differs = |part: Expr| compare(Op::Ne, part.clone(), zero(part.ty));
    let all = parts(value.clone()).into_iter().map(|(_, part)| differs(part));
    all.reduce(|a, b| compare(Op::Or, a, b)).unwrap_or_else(|| build::bool(true))
}
