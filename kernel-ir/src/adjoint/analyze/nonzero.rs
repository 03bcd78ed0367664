//! Which adjoints are surely not zero, so that infinite derivatives need no guard against them.
//!
//! The adjoints of the outputs count as not zero. A rule passes that on unless there is a choice in it, or it passes on
//! some components only; a product counts as passing it on, because a derivative goes through it whatever the other factor
//! is. What a local gets from its readers is found by going back through the kernel: an assignment takes it, a branch
//! leaves what both sides do, and before an exit nothing is sure. In doubt an adjoint is not sure; that costs a comparison.

use super::activity::Activity;
use super::array_classes::ArrayClass;
use super::components::ComponentSet;
use crate::adjoint::rules;
use crate::ir::{
    AtomicOp, Expr, ExprKind, Kernel, Literal, LocalId, LocalMap, ParamId, Place, PlaceRoot, Projection, Shape, Stmt,
    StmtKind, Type,
};
use crate::ops::{self, Op};
use std::collections::BTreeMap;

/// Which components of an adjoint are surely not zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nonzero {
    each: ComponentSet,
    /// Whether some component is surely not zero.
    pub(crate) any: bool,
}

impl Nonzero {
    pub(crate) fn all(ty: Type) -> Nonzero {
        Nonzero::of(Nonzero::components(ty))
    }

    fn of(each: ComponentSet) -> Nonzero {
        Nonzero { any: !each.is_empty(), each }
    }

    fn components(ty: Type) -> ComponentSet {
        ComponentSet::below(ty.components())
    }

    pub(crate) fn is_all(&self, ty: Type) -> bool {
        self.each == Nonzero::components(ty)
    }

    /// The same where some component is not zero.
    pub(crate) fn where_any(&self, ty: Type) -> Nonzero {
        if ty.is_scalar() { Nonzero::all(ty) } else { Nonzero { any: true, ..self.clone() } }
    }

    /// What that means for a value of the type `ty` where it is known of the part at the end of `path`, and of nothing
    /// else.
    pub(crate) fn of_part(&self, path: &[Projection], part: Type, ty: Type) -> Nonzero {
        match offset(path, ty) {
            Some(offset) if !self.each.is_empty() => {
                Nonzero::of(self.each.and(&Nonzero::components(part)).behind(offset))
            }
            _ => Nonzero { any: self.any, ..Nonzero::default() },
        }
    }

    /// What that means for the part at the end of `path` of a value of the type `ty`.
    pub(crate) fn part(&self, path: &[Projection], part: Type, ty: Type) -> Nonzero {
        match offset(path, ty) {
            Some(offset) => self.components_from(offset, part),
            None if self.is_all(ty) => Nonzero::all(part),
            None => Nonzero::default(),
        }
    }

    /// What that means for a part of the type `part` whose first component is the one of that number.
    fn components_from(&self, offset: usize, part: Type) -> Nonzero {
        Nonzero::of(self.each.from(offset).and(&Nonzero::components(part)))
    }
}

/// The number of the first component of the part at the end of `path`, if it is a constant.
fn offset(path: &[Projection], ty: Type) -> Option<usize> {
    let (mut offset, mut ty) = (0, ty);
    for step in path {
        let (index, part) = match (step, ty) {
            (Projection::Column(index), Type { scalar, shape: Shape::Matrix(n, _) }) => {
                (index, Type::vector(scalar, n))
            }
            (Projection::Component(index), _) => (index, Type::of(ty.scalar())),
            (Projection::Column(_), _) => return None,
        };
        let index = usize::try_from(index.as_integer()?).ok()?;
        offset += Some(index).filter(|index| *index < ty.components())? * part.components();
        ty = part;
    }
    Some(offset)
}

/// What a rule makes of the adjoint of the result, of the type `ret`, for that of one of the `operands`, that number `place`.
/// `vjp`: the rule, as far as its operands are known.
#[expect(clippy::wildcard_enum_match_arm, reason = "most operations follow the general rule")]
pub(crate) fn passed(op: Op, vjp: &Expr, place: usize, operands: &[Type], ret: Type, nonzero: &Nonzero) -> Nonzero {
    let operand = operands[place];
    match op {
        Op::Vec2New
        | Op::Vec3New
        | Op::Vec4New
        | Op::Mat2FromCols
        | Op::Mat3FromCols
        | Op::Mat4FromCols
        | Op::QuatNew => {
            return nonzero.components_from(place * operand.components(), operand);
        }
        Op::Extend if place == 0 => return nonzero.components_from(0, operand),
        Op::Extend => return nonzero.components_from(ret.components() - 1, operand),
        Op::Truncate => return nonzero.clone(),
        _ => {}
    }
    if vjp.any(&mut is_doubtful) {
        Nonzero::default()
    } else if nonzero.is_all(ret) {
        Nonzero::all(operand)
    } else if operand == ret && by_component(op, operands) {
        nonzero.clone()
    } else if operand.is_scalar() && nonzero.any {
        Nonzero::all(operand)
    } else {
        Nonzero::default()
    }
}

/// Whether the rules of `op` for these operands go by component. A matrix or quaternion mixes those of a vector.
#[expect(clippy::wildcard_enum_match_arm, reason = "few operations go by component")]
pub(crate) fn by_component(op: Op, operands: &[Type]) -> bool {
    match op {
        Op::Add | Op::Sub | Op::Neg => true,
        Op::Mul | Op::Div => operands.iter().all(|ty| ty.is_vector() || ty.is_scalar()),
        _ => false,
    }
}

/// Whether what this is part of may be zero where the adjoint in it is not: a choice, a step, a zero.
fn is_doubtful(vjp: &Expr) -> bool {
    match &vjp.kind {
        ExprKind::Select { .. } => true,
        ExprKind::Op(op, _) => matches!(op, Op::Trunc | Op::Floor | Op::Ceil | Op::Round | Op::Signum),
        ExprKind::Literal(Literal::F32(bits)) => *bits << 1 == 0,
        ExprKind::Literal(Literal::F64(bits)) => *bits << 1 == 0,
        ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Load { .. }
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Literal(_) => false,
    }
}

/// Which adjoints are surely not zero where assignments take them.
#[derive(Debug, Default)]
pub(crate) struct NonzeroAnalysis {
    /// The components of each local that are in doubt where one of its assignments takes the adjoint.
    doubts: LocalMap<ComponentSet>,
    /// The elements that are assigned, and may be assigned again later.
    overwritten: Vec<Place>,
}

impl NonzeroAnalysis {
    pub(crate) fn of(kernel: &Kernel, classes: &BTreeMap<ParamId, ArrayClass>, activity: &Activity) -> NonzeroAnalysis {
        let found = NonzeroAnalysis::default();
        let mut walk = Walk { kernel, classes, activity, found, later: Vec::new(), is_trial: false };
        walk.block(&kernel.body, &mut State::default());
        walk.found
    }

    /// The adjoint of the part of the local at the end of `path`, where that is assigned.
    pub(crate) fn of_local(&self, local: LocalId, ty: Type, path: &[Projection], part: Type) -> Nonzero {
        let all = Nonzero::all(ty);
        match self.doubts.get(local) {
            Some(doubts) => Nonzero::of(all.each.without(doubts)).part(path, part, ty),
            None => all.part(path, part, ty),
        }
    }

    /// The adjoint of an array element where `place` is assigned.
    pub(crate) fn of_store(&self, place: &Place) -> Nonzero {
        if self.overwritten.contains(place) { Nonzero::default() } else { Nonzero::all(place.ty) }
    }
}

/// For each local the components whose adjoints are surely not zero at some place in the kernel.
#[derive(Clone, Default)]
struct State {
    each: LocalMap<ComponentSet>,
}

impl State {
    fn get(&self, local: LocalId) -> ComponentSet {
        self.each.get(local).cloned().unwrap_or_default()
    }

    fn set(&mut self, local: LocalId, each: ComponentSet) {
        if self.get(local) != each {
            self.each.insert(local, each);
        }
    }

    /// Leaves what is sure in `other`, too; whether that is less.
    fn meet(&mut self, other: &State) -> bool {
        let both = self.each.iter().map(|(local, each)| (local, each, each.and(&other.get(local))));
        let less: Vec<_> = both.filter(|(_, each, both)| *each != both).map(|(local, _, both)| (local, both)).collect();
        let is_less = !less.is_empty();
        self.each.extend(less);
        is_less
    }
}

/// An assignment to an array element that comes later.
struct Later<'a> {
    place: &'a Place,
    /// It comes in a later trip of this loop, whose variable is here if it has one.
    trip: Option<Option<LocalId>>,
}

/// The way back through the kernel.
struct Walk<'a> {
    kernel: &'a Kernel,
    classes: &'a BTreeMap<ParamId, ArrayClass>,
    activity: &'a Activity,
    found: NonzeroAnalysis,
    later: Vec<Later<'a>>,
    /// Whether nothing is written down yet: what is sure behind a trip of a loop shows only when the loop has been gone through.
    is_trial: bool,
}

impl<'a> Walk<'a> {
    /// Goes back through the block, from what is sure behind it to what is sure before it.
    fn block(&mut self, block: &'a [Stmt], state: &mut State) {
        block.iter().rev().for_each(|stmt| self.stmt(stmt, state));
    }

    fn stmt(&mut self, stmt: &'a Stmt, state: &mut State) {
        match &stmt.kind {
            StmtKind::Let { local, init: None } => state.set(*local, ComponentSet::default()),
            StmtKind::Let { local, init: Some(init) } => self.take(*local, &[], init, state),
            StmtKind::Assign { place, value } => match place.root {
                PlaceRoot::Local(local) => self.take(local, &place.path, value, state),
                PlaceRoot::Element { .. } => {
                    let nonzero = self.store(place);
                    reach(value, &nonzero, state);
                    self.later.push(Later { place, trip: None });
                }
                PlaceRoot::LocalElement { .. } => {}
            },
            StmtKind::Update { place, op, value } => match place.root {
                PlaceRoot::Local(local) => {
                    let old = place.value(self.kernel.local(local).ty);
                    let kind = ExprKind::Op(*op, vec![old, value.clone()]);
                    self.take(local, &place.path, &Expr { kind, ty: place.ty, span: stmt.span }, state);
                }
                PlaceRoot::Element { .. } => reach(value, &self.store(place), state),
                PlaceRoot::LocalElement { .. } => {}
            },
            StmtKind::Atomic { op, value, result, .. } => {
                if let Some(result) = result {
                    state.set(*result, ComponentSet::default());
                }
                if matches!(op, AtomicOp::Add | AtomicOp::Sub) {
                    reach(value, &Nonzero::all(value.ty), state);
                }
            }
            StmtKind::If { then, other, .. } => {
                let mut others = state.clone();
                let behind = self.later.len();
                self.block(then, state);
                let of_then = self.later.split_off(behind);
                self.block(other, &mut others);
                self.later.extend(of_then);
                state.meet(&others);
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                let variable = stmt.declared_local();
                let mut later = |stmt: &'a Stmt| {
                    if let StmtKind::Assign { place, .. } = &stmt.kind
                        && matches!(place.root, PlaceRoot::Element { .. })
                    {
                        self.later.push(Later { place, trip: Some(variable) });
                    }
                };
                body.iter().for_each(|stmt| stmt.walk(&mut later));
                self.trips(body, state);
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => *state = State::default(),
        }
    }

    /// Goes back through the body of a loop. Behind a trip is what is behind the loop, or before the next trip.
    fn trips(&mut self, body: &'a [Stmt], state: &mut State) {
        let mut behind = state.clone();
        let is_trial = std::mem::replace(&mut self.is_trial, true);
        let later = self.later.len();
        loop {
            let mut before = behind.clone();
            self.block(body, &mut before);
            self.later.truncate(later);
            if !behind.meet(&before) {
                break;
            }
        }
        self.is_trial = is_trial;
        let mut before = behind;
        self.block(body, &mut before);
        state.meet(&before);
    }

    /// The local, or a part of it, is set to `value`, which takes its adjoint.
    fn take(&mut self, local: LocalId, path: &[Projection], value: &Expr, state: &mut State) {
        let ty = self.kernel.local(local).ty;
        if !ty.is_float() {
            return;
        }
        let (before, whole) = (state.get(local), Nonzero::components(ty));
        let nonzero = Nonzero::of(before.clone()).part(path, value.ty, ty);
        let (is_constant, touched) = match offset(path, ty) {
            Some(offset) => (true, Nonzero::components(value.ty).behind(offset)),
            None => (false, whole.clone()),
        };
        // Where nothing can be infinite no doubt matters.
        if !self.is_trial && self.activity.may_be_nonfinite(value) {
            let doubtful = if !is_constant && !nonzero.any { whole } else { touched.without(&before) };
            let doubts = self.found.doubts.get(local).map_or(doubtful.clone(), |doubts| doubts.or(&doubtful));
            self.found.doubts.insert(local, doubts);
        }
        state.set(local, before.without(&touched));
        reach(value, &nonzero, state);
    }

    /// What is sure of the adjoint of an element where it is assigned or added to.
    fn store(&mut self, place: &'a Place) -> Nonzero {
        let PlaceRoot::Element { array, .. } = &place.root else { return Nonzero::default() };
        if self.classes.get(array) == Some(&ArrayClass::Owned) || !self.later.iter().any(|later| may_meet(place, later))
        {
            return Nonzero::all(place.ty);
        }
        if !self.is_trial {
            self.found.overwritten.push(place.clone());
        }
        Nonzero::default()
    }
}

/// Whether the later assignment may be to the same components.
fn may_meet(place: &Place, later: &Later<'_>) -> bool {
    let (PlaceRoot::Element { array, index }, PlaceRoot::Element { array: other, index: others }) =
        (&place.root, &later.place.root)
    else {
        return false;
    };
    let differ = |a: &Expr, b: &Expr| matches!((a.as_integer(), b.as_integer()), (Some(a), Some(b)) if a != b);
    let is_variable = |expr: &Expr| match (&expr.kind, later.trip) {
        (ExprKind::Local(local), Some(Some(variable))) => *local == variable,
        _ => false,
    };
    let elsewhere = |(a, b): (&Expr, &Expr)| differ(a, b) || (is_variable(a) && is_variable(b));
    let aside = |(a, b): (&Projection, &Projection)| match (a, b) {
        (Projection::Component(a), Projection::Component(b)) | (Projection::Column(a), Projection::Column(b)) => {
            differ(a, b)
        }
        _ => false,
    };
    array == other && !index.iter().zip(others).any(elsewhere) && !place.path.iter().zip(&later.place.path).any(aside)
}

/// Adds what the adjoint of `value` makes sure of those of the locals in it.
fn reach(value: &Expr, nonzero: &Nonzero, state: &mut State) {
    if !nonzero.any || !value.ty.is_float() {
        return;
    }
    match &value.kind {
        ExprKind::Local(local) => state.set(*local, state.get(*local).or(&nonzero.each)),
        ExprKind::Op(op, args) => {
            let smooth = ops::differentiable(*op, args, value.ty).min(args.len());
            let rules = rules::of(*op, args, value.ty);
            let operands: Vec<Type> = args.iter().map(|arg| arg.ty).collect();
            let literals: Vec<Option<Expr>> = args
                .iter()
                .map(|arg| matches!(arg.kind, ExprKind::Literal(_)).then(|| arg.clone()))
                .chain([None])
                .collect();
            for (place, arg) in args[..smooth].iter().enumerate() {
                let Some(rule) = rules.vjps.get(place).and_then(Option::as_ref) else { continue };
                if arg.ty.is_float()
                    && !matches!(arg.kind, ExprKind::Literal(_) | ExprKind::Load { .. } | ExprKind::Param(_))
                {
                    let vjp = rule.known(&literals);
                    reach(arg, &passed(*op, &vjp, place, &operands, value.ty, nonzero), state);
                }
            }
        }
        ExprKind::Cast(inner) => reach(inner, nonzero, state),
        ExprKind::Component(base, index) => {
            let path = [Projection::Component(Expr::clone(index))];
            reach(base, &nonzero.of_part(&path, value.ty, base.ty), state);
        }
        ExprKind::Column(base, index) => {
            let path = [Projection::Column(Expr::clone(index))];
            reach(base, &nonzero.of_part(&path, value.ty, base.ty), state);
        }
        // What its author gives as the derivative may be zero.
        ExprKind::Call(..) => {}
        ExprKind::Literal(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Param(_)
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Load { .. }
        | ExprKind::Select { .. } => {}
    }
}
