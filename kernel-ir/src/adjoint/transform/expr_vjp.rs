//! The vector-Jacobian product (VJP) of an expression.
//!
//! Going forward, an expression becomes a tree of [`Node`]s whose values can be named avjp: what a derivative rule needs
//! of an operand or of a result goes into a local. Going back, the adjoint of the result is propagated through the
//! tree: each rule says what it means for that of an operand, and at the leaves that is added to the adjoint of a local, of a parameter
//! or of an array element.

use super::context::{Env, ReverseSweep};
use super::parameter_sums::add_atomically;
use crate::adjoint::analyze::array_classes::ArrayClass;
use crate::adjoint::analyze::nonzero::{Nonzero, by_component, passed};
use crate::adjoint::build::{self, add, assign, branch, cast, compare, declare, expr, local_place, zero};
use crate::adjoint::rules::{self, Rules, Template};
use crate::adjoint::terms::{is_plain, parts};
use crate::ir::{Block, Expr, ExprKind, Function, LocalId, ParamId, Place, PlaceRoot, Projection, Span, Type};
use crate::ops::{self, Op};
use std::rc::Rc;
use std::sync::Arc;

/// What the adjoint of an expression is made of.
#[derive(Debug)]
pub(super) struct Node {
    ty: Type,
    span: Span,
    /// Whether a derivative rule in it may meet infinity or NaN.
    nonfinite: bool,
    kind: NodeKind,
}

#[derive(Debug)]
enum NodeKind {
    /// No derivative goes through it.
    Inactive,
    /// A local of the source.
    Local(LocalId),
    /// A by-value parameter.
    Param(ParamId),
    /// An element of an array.
    Load(ParamId, Vec<Expr>),
    /// An operation, with its operands.
    Op(Op, Vec<Node>, OperandVjps),
    /// A call of a function with a derivative of its own, with its arguments.
    Call(Vec<Node>, Arc<Function>, Vec<Expr>),
    /// A cast between floats.
    Cast(Box<Node>),
    /// A part of a value.
    Part(Box<Node>, Projection),
}

/// What the adjoint of the result of an operation means for those of its operands.
#[derive(Debug)]
pub(super) struct OperandVjps {
    rules: Rc<Rules>,
    /// The values of the operands and the result that a rule reads.
    values: Vec<Option<Expr>>,
    /// Whether one of the rules may meet infinity or NaN.
    nonfinite: bool,
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
            NodeKind::Op(_, kids, _) | NodeKind::Call(kids, ..) => kids.iter().any(|kid| kid.mentions(local)),
            NodeKind::Cast(kid) | NodeKind::Part(kid, _) => kid.mentions(local),
        }
    }

    /// If the value is the local plus or minus terms that do not depend on it: these terms, and which are subtracted.
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
            | NodeKind::Part(..) => None,
        }
    }
}

impl ReverseSweep<'_> {
    /// The value of `source` over the names of the adjoint kernel, and its tree, with what that needs in locals that
    /// `forward` declares.
    pub(super) fn node(&mut self, source: &Expr, env: &Env, forward: &mut Block) -> (Expr, Node) {
        let (ty, span) = (source.ty, source.span);
        let leaf = |kind| (self.rename(source, env), Node { ty, span, nonfinite: false, kind });
        match &source.kind {
            _ if !ty.is_float() => leaf(NodeKind::Inactive),
            ExprKind::Literal(_) | ExprKind::Tid(_) | ExprKind::Extent { .. } | ExprKind::LocalElement { .. } => {
                leaf(NodeKind::Inactive)
            }
            ExprKind::Local(_) | ExprKind::Call(..) | ExprKind::Select { .. }
                if !self.facts.activity.is_varied(source) =>
            {
                leaf(NodeKind::Inactive)
            }
            ExprKind::Local(local) => leaf(NodeKind::Local(*local)),
            ExprKind::Param(param) => leaf(NodeKind::Param(*param)),
            ExprKind::Load { array, index } => {
                leaf(NodeKind::Load(*array, index.iter().map(|index| self.rename(index, env)).collect()))
            }
            ExprKind::Op(op, args) => self.operation(*op, args, source, env, forward),
            ExprKind::Call(function, args) => self.call(function, args, source, env, forward),
            ExprKind::Cast(inner) => {
                let (value, kid) = self.node(inner, env, forward);
                let nonfinite = kid.nonfinite;
                let kind = if kid.is_active() { NodeKind::Cast(Box::new(kid)) } else { NodeKind::Inactive };
                (Expr { kind: ExprKind::Cast(Box::new(value)), ty, span }, Node { ty, span, nonfinite, kind })
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
                let nonfinite = kid.nonfinite;
                let kind = if kid.is_active() { NodeKind::Part(Box::new(kid), step) } else { NodeKind::Inactive };
                (Expr { kind: value, ty, span }, Node { ty, span, nonfinite, kind })
            }
            ExprKind::Select { .. } => unreachable!("`if` expressions with derivatives are statements"),
        }
    }

    fn operation(&mut self, op: Op, args: &[Expr], source: &Expr, env: &Env, forward: &mut Block) -> (Expr, Node) {
        let (ty, span) = (source.ty, source.span);
        let (smooth, rest) = args.split_at(ops::differentiable(op, args, ty).min(args.len()));
        let (mut values, mut kids) = (Vec::with_capacity(args.len()), Vec::with_capacity(args.len()));
        self.nodes(smooth, env, forward, &mut values, &mut kids);
        if !kids.iter().any(Node::is_active) {
            values.extend(rest.iter().map(|arg| self.rename(arg, env)));
            let value = Expr { kind: ExprKind::Op(op, values), ty, span };
            return (value, Node { ty, span, nonfinite: false, kind: NodeKind::Inactive });
        }
        self.nodes(rest, env, forward, &mut values, &mut kids);
        let rules = rules::of(op, args, ty);
        let active =
            || rules.vjps.iter().zip(&kids).filter(|(_, kid)| kid.is_active()).filter_map(|(rule, _)| rule.as_ref());
        let is_read = |place: usize| active().any(|rule| rule.reads(place));
        // What a rule reads gets a name.
        let mut named = Vec::with_capacity(values.len() + 1);
        let mut name = |place: usize, value: Expr| {
            let is_read = is_read(place);
            let value = if is_read { self.bound(value, forward) } else { value };
            named.push(is_read.then(|| value.clone()));
            value
        };
        let values = values.into_iter().enumerate().map(|(place, value)| name(place, value)).collect();
        let value = name(kids.len(), Expr { kind: ExprKind::Op(op, values), ty, span });
        let own = active().any(Template::reads_values) && self.facts.activity.may_be_nonfinite(source);
        let nonfinite = own || kids.iter().any(|kid| kid.nonfinite);
        (
            value,
            Node {
                ty,
                span,
                nonfinite,
                kind: NodeKind::Op(op, kids, OperandVjps { rules, values: named, nonfinite: own }),
            },
        )
    }

    /// Adds the values of operands, and their nodes.
    fn nodes(&mut self, args: &[Expr], env: &Env, forward: &mut Block, values: &mut Vec<Expr>, kids: &mut Vec<Node>) {
        for arg in args {
            let (value, kid) = self.node(arg, env, forward);
            values.push(value);
            kids.push(kid);
        }
    }

    /// A call of a function whose author gives the derivative: it has a rule for each parameter in the list, a call of the
    /// function there.
    fn call(
        &mut self,
        function: &Arc<Function>,
        args: &[Expr],
        source: &Expr,
        env: &Env,
        forward: &mut Block,
    ) -> (Expr, Node) {
        let (ty, span) = (source.ty, source.span);
        let (values, kids): (Vec<Expr>, Vec<Node>) = args.iter().map(|arg| self.node(arg, env, forward)).unzip();
        let values: Vec<Expr> = values.into_iter().map(|value| self.bound(value, forward)).collect();
        let value = Expr { kind: ExprKind::Call(Arc::clone(function), values.clone()), ty, span };
        (value, Node { ty, span, nonfinite: true, kind: NodeKind::Call(kids, Arc::clone(function), values) })
    }

    /// Adds what the adjoint `g` of `node` means for the adjoints of what it depends on. Where it may be zero and a rule may
    /// meet infinity or NaN, the rule is not asked if it is. `nonzero`: which components surely are not.
    pub(super) fn propagate(&mut self, node: &Node, g: Expr, nonzero: &Nonzero, back: &mut Block) {
        if !node.nonfinite || nonzero.any {
            return self.propagate_nonzero(node, g, nonzero, back);
        }
        let g = if is_plain(&g) { g } else { self.bind("g", g, back) };
        let mut propagated = Block::new();
        self.propagate_nonzero(node, g.clone(), &nonzero.where_any(g.ty), &mut propagated);
        back.extend(branch(is_nonzero(&g), propagated, Vec::new()));
    }

    fn propagate_nonzero(&mut self, node: &Node, g: Expr, nonzero: &Nonzero, back: &mut Block) {
        match &node.kind {
            NodeKind::Inactive => {}
            NodeKind::Op(op, kids, OperandVjps { rules, values, nonfinite }) => {
                let vjps = (0..).zip(kids.iter().zip(&rules.vjps));
                let vjps = vjps
                    .filter(|(_, (kid, _))| kid.is_active())
                    .filter_map(|(place, (kid, rule))| Some((place, kid, rule.as_ref()?)));
                let operands: Vec<Type> = kids.iter().map(|kid| kid.ty).collect();
                let is_split = |kid: &Node| {
                    *nonfinite && kid.ty == node.ty && !nonzero.is_all(node.ty) && by_component(*op, &operands)
                };
                let uses = |(_, kid, rule): (usize, &Node, &Template)| {
                    rule.uses_of_adjoint() + if is_split(kid) { 2 } else { 0 }
                };
                let count: usize = vjps.clone().map(uses).sum();
                let g = self.bound_if(count > 1, g, back);
                for (place, kid, rule) in vjps {
                    let mut vjp = rule.over(values, &g);
                    let passed = passed(*op, &vjp, place, &operands, node.ty, nonzero);
                    if is_split(kid) {
                        vjp = self.where_nonzero(&g, vjp, back);
                    }
                    self.propagate(kid, vjp, &passed, back);
                }
            }
            NodeKind::Call(kids, function, values) => {
                let part = |(param, kid): (u32, _)| Some((kid, function.gradient.as_ref()?.part(ParamId(param))?));
                let parts = (0..).zip(kids).filter(|(_, kid)| kid.is_active()).filter_map(part);
                let g = self.bound_if(parts.clone().count() > 1, g, back);
                for (kid, part) in parts {
                    let args = values.iter().chain([&g]).cloned().collect();
                    // What its author gives as the derivative may be zero.
                    self.propagate(
                        kid,
                        expr(ExprKind::Call(Arc::clone(part), args), part.ret),
                        &Nonzero::default(),
                        back,
                    );
                }
            }
            NodeKind::Cast(kid) => self.propagate(kid, cast(g, kid.ty), nonzero, back),
            NodeKind::Local(_) | NodeKind::Param(_) | NodeKind::Load(..) | NodeKind::Part(..) => {
                self.propagate_to_place(node, g, nonzero, Vec::new(), back)
            }
        }
    }

    /// The components of `vjp` where those of the vector `g` are not zero, and zeros elsewhere.
    fn where_nonzero(&mut self, g: &Expr, vjp: Expr, back: &mut Block) -> Expr {
        let ty = vjp.ty;
        let op = match ty.components() {
            2 => Op::Vec2New,
            3 => Op::Vec3New,
            _ => Op::Vec4New,
        };
        let vjp = self.bind("g", vjp, back);
        let chosen = |((_, vjp), (_, g)): ((_, Expr), (_, Expr))| {
            let (ty, nothing) = (vjp.ty, zero(g.ty));
            let cond = Box::new(compare(Op::Ne, g, nothing.clone()));
            expr(ExprKind::Select { cond, then: Box::new(vjp), other: Box::new(nothing) }, ty)
        };
        let components = parts(vjp).into_iter().zip(parts(g.clone())).map(chosen).collect();
        expr(ExprKind::Op(op, components), ty)
    }

    /// As [`propagate`](ReverseSweep::propagate), where `g` is the adjoint of the part of `node` at the end of `path`.
    fn propagate_to_place(
        &mut self,
        node: &Node,
        g: Expr,
        nonzero: &Nonzero,
        mut path: Vec<Projection>,
        back: &mut Block,
    ) {
        let (ty, span) = (g.ty, node.span);
        match &node.kind {
            NodeKind::Part(kid, step) => {
                path.insert(0, step.clone());
                self.propagate_to_place(kid, g, nonzero, path, back);
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
                    // The element's adjoint was taken over when its value was stored.
                    back.push(assign(place, g));
                } else if self.facts.exclusive.contains(array) {
                    back.push(add(place, g));
                } else {
                    let g = self.bound_if(!place.ty.is_scalar(), g, back);
                    add_atomically(&place, g, back);
                }
            }
            NodeKind::Inactive => {}
            NodeKind::Op(..) | NodeKind::Call(..) | NodeKind::Cast(_) => {
                let whole = self.fresh("g", node.ty);
                let nonzero = &nonzero.of_part(&path, ty, node.ty);
                back.push(declare(whole, zero(node.ty)));
                back.push(assign(Place { root: PlaceRoot::Local(whole), path, ty, span: Span::NONE }, g));
                self.propagate(node, expr(ExprKind::Local(whole), node.ty), nonzero, back);
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
