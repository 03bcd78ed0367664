//! The adjoint of an expression.
//!
//! Going forward, an expression becomes a tree of [`Node`]s whose values can be named again: what a derivative rule needs
//! of an operand or of a result goes into a local. Going back, the adjoint of the result is pulled through the tree: each
//! rule says what an operand's adjoint gains, and at the leaves that is added to the adjoint of a local, of a parameter
//! or of an array element.

use super::arrays::Class;
use super::build::{add, assign, branch, cast, compare, declare, expr, local_place, zero};
use super::rules::{self, Rules, Template};
use super::sure::{self, Sure};
use super::sweep::{Env, Sweep, parts};
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
    wild: bool,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// No derivative goes through it.
    Inactive,
    /// A local of the source.
    Local(LocalId),
    /// A by-value parameter.
    Param(ParamId),
    /// An element of an array.
    Load(ParamId, Vec<Expr>),
    /// An operation, with its operands.
    Op(Op, Vec<Node>, Gains),
    /// A call of a function with a derivative of its own, with its arguments.
    Call(Vec<Node>, Arc<Function>, Vec<Expr>),
    /// A cast between floats.
    Cast(Box<Node>),
    /// A part of a value.
    Part(Box<Node>, Projection),
}

/// What the adjoints of the operands of an operation gain.
#[derive(Debug)]
pub(super) struct Gains {
    rules: Rc<Rules>,
    /// The values of the operands and the result that a rule reads.
    values: Vec<Option<Expr>>,
    /// Whether one of the rules may meet infinity or NaN.
    wild: bool,
}

impl Node {
    pub(super) fn is_active(&self) -> bool {
        !matches!(self.kind, Kind::Inactive)
    }

    /// Whether a derivative goes through the local.
    pub(super) fn mentions(&self, local: LocalId) -> bool {
        match &self.kind {
            Kind::Inactive | Kind::Param(_) | Kind::Load(..) => false,
            Kind::Local(own) => *own == local,
            Kind::Op(_, kids, _) | Kind::Call(kids, ..) => kids.iter().any(|kid| kid.mentions(local)),
            Kind::Cast(kid) | Kind::Part(kid, _) => kid.mentions(local),
        }
    }

    /// If the value is the local plus or minus terms that do not depend on it: these terms, and which are subtracted.
    pub(super) fn without(&self, local: LocalId) -> Option<Vec<(&Node, bool)>> {
        match &self.kind {
            Kind::Local(own) => (*own == local).then(Vec::new),
            Kind::Op(op @ (Op::Add | Op::Sub), kids, _) => {
                let [a, b] = kids.as_slice() else { return None };
                let (sum, term, negative) = match (a.mentions(local), b.mentions(local), op) {
                    (true, false, _) => (a, b, *op == Op::Sub),
                    (false, true, Op::Add) => (b, a, false),
                    _ => return None,
                };
                let mut terms = sum.without(local)?;
                terms.push((term, negative));
                Some(terms)
            }
            _ => None,
        }
    }
}

impl Sweep<'_> {
    /// The value of `source` over the names of the adjoint kernel, and its tree, with what that needs in locals that
    /// `forward` declares.
    pub(super) fn node(&mut self, source: &Expr, env: &Env, forward: &mut Block) -> (Expr, Node) {
        let (ty, span) = (source.ty, source.span);
        let leaf = |kind| (self.rename(source, env), Node { ty, span, wild: false, kind });
        match &source.kind {
            _ if !ty.is_float() => leaf(Kind::Inactive),
            ExprKind::Literal(_) | ExprKind::Tid(_) | ExprKind::Extent { .. } | ExprKind::LocalElement { .. } => {
                leaf(Kind::Inactive)
            }
            ExprKind::Local(_) | ExprKind::Call(..) | ExprKind::Select { .. }
                if !self.facts.activity.is_varied(source) =>
            {
                leaf(Kind::Inactive)
            }
            ExprKind::Local(local) => leaf(Kind::Local(*local)),
            ExprKind::Param(param) => leaf(Kind::Param(*param)),
            ExprKind::Load { array, index } => {
                leaf(Kind::Load(*array, index.iter().map(|index| self.rename(index, env)).collect()))
            }
            ExprKind::Op(op, args) => self.operation(*op, args, source, env, forward),
            ExprKind::Call(function, args) => self.call(function, args, source, env, forward),
            ExprKind::Cast(inner) => {
                let (value, kid) = self.node(inner, env, forward);
                let wild = kid.wild;
                let kind = if kid.is_active() { Kind::Cast(Box::new(kid)) } else { Kind::Inactive };
                (Expr { kind: ExprKind::Cast(Box::new(value)), ty, span }, Node { ty, span, wild, kind })
            }
            ExprKind::Component(base, index) | ExprKind::Column(base, index) => {
                let (base, kid) = self.node(base, env, forward);
                let index = self.rename(index, env);
                let (base, at) = (Box::new(base), Box::new(index.clone()));
                let (value, step) = match source.kind {
                    ExprKind::Component(..) => (ExprKind::Component(base, at), Projection::Component(index)),
                    _ => (ExprKind::Column(base, at), Projection::Column(index)),
                };
                let wild = kid.wild;
                let kind = if kid.is_active() { Kind::Part(Box::new(kid), step) } else { Kind::Inactive };
                (Expr { kind: value, ty, span }, Node { ty, span, wild, kind })
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
            return (value, Node { ty, span, wild: false, kind: Kind::Inactive });
        }
        self.nodes(rest, env, forward, &mut values, &mut kids);
        let rules = rules::of(op, args, ty);
        let active =
            || rules.gains.iter().zip(&kids).filter(|(_, kid)| kid.is_active()).filter_map(|(rule, _)| rule.as_ref());
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
        let own = active().any(Template::reads_values) && self.facts.activity.is_wild(source);
        let wild = own || kids.iter().any(|kid| kid.wild);
        (value, Node { ty, span, wild, kind: Kind::Op(op, kids, Gains { rules, values: named, wild: own }) })
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
        (value, Node { ty, span, wild: true, kind: Kind::Call(kids, Arc::clone(function), values) })
    }

    /// The value as one that can be named again.
    pub(super) fn bound(&mut self, value: Expr, forward: &mut Block) -> Expr {
        if is_plain(&value) { value } else { self.bind("t", value, forward) }
    }

    /// The adjoint `g`, as one that can be named again if it `is_named_again`.
    fn bound_if(&mut self, is_named_again: bool, g: Expr, back: &mut Block) -> Expr {
        if is_named_again && !is_plain(&g) { self.bind("g", g, back) } else { g }
    }

    /// Adds what the adjoint `g` of `node` means for the adjoints of what it depends on. Where it may be zero and a rule may
    /// meet infinity or NaN, the rule is not asked if it is. `sure`: which components surely are not.
    pub(super) fn pull(&mut self, node: &Node, g: Expr, sure: Sure, back: &mut Block) {
        if !node.wild || sure.any {
            return self.pull_on(node, g, sure, back);
        }
        let g = if is_plain(&g) { g } else { self.bind("g", g, back) };
        let mut pulled = Block::new();
        self.pull_on(node, g.clone(), sure.nonzero(g.ty), &mut pulled);
        back.extend(branch(is_nonzero(&g), pulled, Vec::new()));
    }

    fn pull_on(&mut self, node: &Node, g: Expr, sure: Sure, back: &mut Block) {
        match &node.kind {
            Kind::Inactive => {}
            Kind::Op(op, kids, Gains { rules, values, wild }) => {
                let gains = (0..).zip(kids.iter().zip(&rules.gains));
                let gains = gains
                    .filter(|(_, (kid, _))| kid.is_active())
                    .filter_map(|(place, (kid, rule))| Some((place, kid, rule.as_ref()?)));
                let operands: Vec<Type> = kids.iter().map(|kid| kid.ty).collect();
                let is_split = |kid: &Node| {
                    *wild && kid.ty == node.ty && !sure.is_all(node.ty) && sure::by_component(*op, &operands)
                };
                let uses = |(_, kid, rule): (usize, &Node, &Template)| {
                    rule.uses_of_adjoint() + if is_split(kid) { 2 } else { 0 }
                };
                let count: usize = gains.clone().map(uses).sum();
                let g = self.bound_if(count > 1, g, back);
                for (place, kid, rule) in gains {
                    let mut gain = rule.over(values, &g);
                    let passed = sure::passed(*op, &gain, place, &operands, node.ty, sure);
                    if is_split(kid) {
                        gain = self.where_nonzero(&g, gain, back);
                    }
                    self.pull(kid, gain, passed, back);
                }
            }
            Kind::Call(kids, function, values) => {
                let part = |(param, kid): (u32, _)| Some((kid, function.gradient.as_ref()?.part(ParamId(param))?));
                let parts = (0..).zip(kids).filter(|(_, kid)| kid.is_active()).filter_map(part);
                let g = self.bound_if(parts.clone().count() > 1, g, back);
                for (kid, part) in parts {
                    let args = values.iter().chain([&g]).cloned().collect();
                    // What its author gives as the derivative may be zero.
                    self.pull(kid, expr(ExprKind::Call(Arc::clone(part), args), part.ret), Sure::NOTHING, back);
                }
            }
            Kind::Cast(kid) => self.pull(kid, cast(g, kid.ty), sure, back),
            Kind::Local(_) | Kind::Param(_) | Kind::Load(..) | Kind::Part(..) => {
                self.pull_place(node, g, sure, Vec::new(), back)
            }
        }
    }

    /// The components of `gain` where those of the vector `g` are not zero, and zeros elsewhere.
    fn where_nonzero(&mut self, g: &Expr, gain: Expr, back: &mut Block) -> Expr {
        let ty = gain.ty;
        let op = match ty.components() {
            2 => Op::Vec2New,
            3 => Op::Vec3New,
            _ => Op::Vec4New,
        };
        let gain = self.bind("g", gain, back);
        let chosen = |((_, gain), (_, g)): ((_, Expr), (_, Expr))| {
            let (ty, nothing) = (gain.ty, zero(g.ty));
            let cond = Box::new(compare(Op::Ne, g, nothing.clone()));
            expr(ExprKind::Select { cond, then: Box::new(gain), other: Box::new(nothing) }, ty)
        };
        let components = parts(gain).into_iter().zip(parts(g.clone())).map(chosen).collect();
        expr(ExprKind::Op(op, components), ty)
    }

    /// As [`pull`](Sweep::pull), where `g` is the adjoint of the part of `node` at the end of `path`.
    fn pull_place(&mut self, node: &Node, g: Expr, sure: Sure, mut path: Vec<Projection>, back: &mut Block) {
        let (ty, span) = (g.ty, node.span);
        match &node.kind {
            Kind::Part(kid, step) => {
                path.insert(0, step.clone());
                self.pull_place(kid, g, sure, path, back);
            }
            Kind::Local(local) => {
                let place = self.adjoint_place(*local);
                back.push(add(Place { path, ty, ..place }, g));
            }
            Kind::Param(param) => {
                let place = local_place(self.sum(*param), ty);
                back.push(add(Place { path, ..place }, g));
            }
            Kind::Load(array, index) => {
                let root = PlaceRoot::Element { array: self.adjoint_param(*array), index: index.clone() };
                let place = Place { root, path, ty, span };
                if self.facts.classes.get(array) == Some(&Class::Owned) {
                    // The element's adjoint was taken over when its value was stored.
                    back.push(assign(place, g));
                } else if self.facts.exclusive.contains(array) {
                    back.push(add(place, g));
                } else {
                    self.add_atomically(&place, g, back);
                }
            }
            Kind::Inactive => {}
            Kind::Op(..) | Kind::Call(..) | Kind::Cast(_) => {
                let whole = self.fresh("g", node.ty);
                let sure = sure.of_part(&path, ty, node.ty);
                back.push(declare(whole, zero(node.ty)));
                back.push(assign(Place { root: PlaceRoot::Local(whole), path, ty, span: Span::NONE }, g));
                self.pull(node, expr(ExprKind::Local(whole), node.ty), sure, back);
            }
        }
    }

    /// The local that sums up the adjoint of a by-value parameter.
    fn sum(&mut self, param: ParamId) -> LocalId {
        if let Some(local) = self.sums.get(&param) {
            return *local;
        }
        let param_of = self.kernel.param(param);
        let name = [param_of.name.trim_start_matches("r#"), "_sum"].concat();
        let local = self.fresh(name, param_of.elem());
        self.sums.insert(param, local);
        local
    }
}

/// Whether some scalar of the value is not zero.
fn is_nonzero(value: &Expr) -> Expr {
    let differs = |part: Expr| compare(Op::Ne, part.clone(), zero(part.ty));
    let all = parts(value.clone()).into_iter().map(|(_, part)| differs(part));
    all.reduce(|a, b| compare(Op::Or, a, b)).unwrap_or_else(|| super::build::bool(true))
}

/// Whether the value can be named twice without being computed twice: loads of what cannot change count.
pub(super) fn is_plain(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) | ExprKind::Param(_) | ExprKind::Tid(_) | ExprKind::Extent { .. } => {
            true
        }
        ExprKind::Component(base, index) | ExprKind::Column(base, index) => is_plain(base) && is_plain(index),
        ExprKind::Load { index, .. } => index.iter().all(is_plain),
        _ => false,
    }
}
