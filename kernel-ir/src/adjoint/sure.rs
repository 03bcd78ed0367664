//! Which adjoints are surely not zero, so that infinite derivatives need no guard against them.
//!
//! The adjoints of the outputs count as not zero. A rule passes that on unless there is a choice in it, or it passes on
//! some components only; a product counts as passing it on, because a derivative goes through it whatever the other factor
//! is. What a local gets from its readers is found by going back through the kernel: an assignment takes it, a branch
//! leaves what both sides do, and before an exit nothing is sure. In doubt an adjoint is not sure; that costs a comparison.

use super::activity::Activity;
use super::arrays::Class;
use super::rules;
use crate::ir::{
    AtomicOp, Expr, ExprKind, Kernel, Literal, LocalId, LocalMap, ParamId, Place, PlaceRoot, Projection, Shape, Stmt,
    StmtKind, Type,
};
use crate::ops::{self, Op};
use std::collections::BTreeMap;

/// Which components of an adjoint are surely not zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sure {
    /// A bit for each component, column by column.
    each: u16,
    /// Whether some component is surely not zero.
    pub(super) any: bool,
}

impl Sure {
    pub(super) const NOTHING: Sure = Sure { each: 0, any: false };

    pub(super) fn all(ty: Type) -> Sure {
        Sure::of(Sure::bits(ty))
    }

    fn of(each: u16) -> Sure {
        Sure { each, any: each != 0 }
    }

    fn bits(ty: Type) -> u16 {
        u16::MAX >> (u16::BITS as usize - ty.components())
    }

    pub(super) fn is_all(self, ty: Type) -> bool {
        self.each == Sure::bits(ty)
    }

    /// The same where some component is not zero.
    pub(super) fn nonzero(self, ty: Type) -> Sure {
        if ty.is_scalar() { Sure::all(ty) } else { Sure { any: true, ..self } }
    }

    /// What that means for a value of the type `ty` where it is known of the part at the end of `path`, and of nothing
    /// else.
    pub(super) fn of_part(self, path: &[Projection], part: Type, ty: Type) -> Sure {
        match offset(path, ty) {
            Some(offset) if self.each != 0 => Sure::of((self.each & Sure::bits(part)) << offset),
            _ => Sure { each: 0, any: self.any },
        }
    }

    /// What that means for the part at the end of `path` of a value of the type `ty`.
    pub(super) fn part(self, path: &[Projection], part: Type, ty: Type) -> Sure {
        match offset(path, ty) {
            Some(offset) => Sure::of((self.each >> offset) & Sure::bits(part)),
            None if self.is_all(ty) => Sure::all(part),
            None => Sure::NOTHING,
        }
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
/// `gain`: the rule, as far as its operands are known.
pub(super) fn passed(op: Op, gain: &Expr, place: usize, operands: &[Type], ret: Type, sure: Sure) -> Sure {
    let operand = operands[place];
    match op {
        Op::Vec2New
        | Op::Vec3New
        | Op::Vec4New
        | Op::Mat2FromCols
        | Op::Mat3FromCols
        | Op::Mat4FromCols
        | Op::QuatNew => {
            let offset = place * operand.components();
            return Sure::of((sure.each >> offset) & Sure::bits(operand));
        }
        Op::Extend if place == 0 => return Sure::of(sure.each & Sure::bits(operand)),
        Op::Extend => return Sure::of(sure.each >> (ret.components() - 1)),
        Op::Truncate => return sure,
        _ => {}
    }
    if gain.any(&mut is_doubtful) {
        Sure::NOTHING
    } else if sure.is_all(ret) {
        Sure::all(operand)
    } else if operand == ret && by_component(op, operands) {
        sure
    } else if operand.is_scalar() && sure.any {
        Sure::all(operand)
    } else {
        Sure::NOTHING
    }
}

/// Whether the rules of `op` for these operands go by component. A matrix or quaternion mixes those of a vector.
pub(super) fn by_component(op: Op, operands: &[Type]) -> bool {
    match op {
        Op::Add | Op::Sub | Op::Neg => true,
        Op::Mul | Op::Div => operands.iter().all(|ty| ty.is_vector() || ty.is_scalar()),
        _ => false,
    }
}

/// Whether what this is part of may be zero where the adjoint in it is not: a choice, a step, a zero.
fn is_doubtful(gain: &Expr) -> bool {
    match &gain.kind {
        ExprKind::Select { .. } => true,
        ExprKind::Op(op, _) => matches!(op, Op::Trunc | Op::Floor | Op::Ceil | Op::Round | Op::Signum),
        ExprKind::Literal(Literal::F32(bits)) => *bits << 1 == 0,
        ExprKind::Literal(Literal::F64(bits)) => *bits << 1 == 0,
        _ => false,
    }
}

/// What is sure of the adjoints that assignments take.
#[derive(Debug, Default)]
pub(super) struct Certainty {
    /// The components of each local that are in doubt where one of its assignments takes the adjoint.
    doubts: LocalMap<u16>,
    /// The elements that are assigned, and may be assigned again later.
    overwritten: Vec<Place>,
}

impl Certainty {
    pub(super) fn of(kernel: &Kernel, classes: &BTreeMap<ParamId, Class>, activity: &Activity) -> Certainty {
        let found = Certainty::default();
        let mut walk = Walk { kernel, classes, activity, found, later: Vec::new(), is_trial: false };
        walk.block(&kernel.body, &mut Sums::default());
        walk.found
    }

    /// What is sure of the adjoint of the part of the local at the end of `path`, where that is assigned.
    pub(super) fn of_local(&self, local: LocalId, ty: Type, path: &[Projection], part: Type) -> Sure {
        let doubts = self.doubts.get(local).copied().unwrap_or(0);
        Sure::of(Sure::bits(ty) & !doubts).part(path, part, ty)
    }

    /// What is sure of the adjoint of an array element where `place` is assigned.
    pub(super) fn of_store(&self, place: &Place) -> Sure {
        if self.overwritten.contains(place) { Sure::NOTHING } else { Sure::all(place.ty) }
    }
}

/// For each local the components whose adjoints are surely not zero at some place in the kernel.
#[derive(Clone, Default)]
struct Sums {
    each: LocalMap<u16>,
}

impl Sums {
    fn get(&self, local: LocalId) -> u16 {
        self.each.get(local).copied().unwrap_or(0)
    }

    fn set(&mut self, local: LocalId, each: u16) {
        if self.get(local) != each {
            self.each.insert(local, each);
        }
    }

    /// Leaves what is sure in `other`, too; whether that is less.
    fn meet(&mut self, other: &Sums) -> bool {
        let doubtful = self.each.iter().filter(|(local, each)| *each & !other.get(*local) != 0);
        let less: Vec<(LocalId, u16)> = doubtful.map(|(local, each)| (local, each & other.get(local))).collect();
        less.iter().for_each(|(local, each)| self.set(*local, *each));
        !less.is_empty()
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
    classes: &'a BTreeMap<ParamId, Class>,
    activity: &'a Activity,
    found: Certainty,
    later: Vec<Later<'a>>,
    /// Whether nothing is written down yet: what is sure behind a trip of a loop shows only when the loop has been gone through.
    is_trial: bool,
}

impl<'a> Walk<'a> {
    /// Goes back through the block, from what is sure behind it to what is sure before it.
    fn block(&mut self, block: &'a [Stmt], sums: &mut Sums) {
        block.iter().rev().for_each(|stmt| self.stmt(stmt, sums));
    }

    fn stmt(&mut self, stmt: &'a Stmt, sums: &mut Sums) {
        match &stmt.kind {
            StmtKind::Let { local, init: None } => sums.set(*local, 0),
            StmtKind::Let { local, init: Some(init) } => self.take(*local, &[], init, sums),
            StmtKind::Assign { place, value } => match place.root {
                PlaceRoot::Local(local) => self.take(local, &place.path, value, sums),
                PlaceRoot::Element { .. } => {
                    let sure = self.store(place);
                    reach(value, sure, sums);
                    self.later.push(Later { place, trip: None });
                }
                PlaceRoot::LocalElement { .. } => {}
            },
            StmtKind::Update { place, op, value } => match place.root {
                PlaceRoot::Local(local) => {
                    let old = place.value(self.kernel.local(local).ty);
                    let kind = ExprKind::Op(*op, vec![old, value.clone()]);
                    self.take(local, &place.path, &Expr { kind, ty: place.ty, span: stmt.span }, sums);
                }
                PlaceRoot::Element { .. } => reach(value, self.store(place), sums),
                PlaceRoot::LocalElement { .. } => {}
            },
            StmtKind::Atomic { op, value, result, .. } => {
                if let Some(result) = result {
                    sums.set(*result, 0);
                }
                if matches!(op, AtomicOp::Add | AtomicOp::Sub) {
                    reach(value, Sure::all(value.ty), sums);
                }
            }
            StmtKind::If { then, other, .. } => {
                let mut others = sums.clone();
                let behind = self.later.len();
                self.block(then, sums);
                let of_then = self.later.split_off(behind);
                self.block(other, &mut others);
                self.later.extend(of_then);
                sums.meet(&others);
            }
            StmtKind::For { body, .. } | StmtKind::While { body, .. } => {
                let variable = match stmt.kind {
                    StmtKind::For { local, .. } => Some(local),
                    _ => None,
                };
                let mut later = |stmt: &'a Stmt| {
                    if let StmtKind::Assign { place, .. } = &stmt.kind
                        && matches!(place.root, PlaceRoot::Element { .. })
                    {
                        self.later.push(Later { place, trip: Some(variable) });
                    }
                };
                body.iter().for_each(|stmt| stmt.walk(&mut later));
                self.trips(body, sums);
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => *sums = Sums::default(),
        }
    }

    /// Goes back through the body of a loop. Behind a trip is what is behind the loop, or before the next trip.
    fn trips(&mut self, body: &'a [Stmt], sums: &mut Sums) {
        let mut behind = sums.clone();
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
        sums.meet(&before);
    }

    /// The local, or a part of it, is set to `value`, which takes its adjoint.
    fn take(&mut self, local: LocalId, path: &[Projection], value: &Expr, sums: &mut Sums) {
        let ty = self.kernel.local(local).ty;
        if !ty.is_float() {
            return;
        }
        let before = sums.get(local);
        let (sure, part) = (Sure::of(before).part(path, value.ty, ty), Sure::bits(ty));
        let touched = match offset(path, ty) {
            Some(offset) => Sure::bits(value.ty) << offset,
            None => part,
        };
        // Where nothing can be infinite no doubt matters.
        if !self.is_trial && self.activity.is_wild(value) {
            let doubts = self.found.doubts.get(local).copied().unwrap_or(0);
            let doubtful = if offset(path, ty).is_none() && !sure.any { part } else { touched & !before };
            self.found.doubts.insert(local, doubts | doubtful);
        }
        sums.set(local, before & !touched);
        reach(value, sure, sums);
    }

    /// What is sure of the adjoint of an element where it is assigned or added to.
    fn store(&mut self, place: &'a Place) -> Sure {
        let PlaceRoot::Element { array, .. } = &place.root else { return Sure::NOTHING };
        if self.classes.get(array) == Some(&Class::Owned) || !self.later.iter().any(|later| may_meet(place, later)) {
            return Sure::all(place.ty);
        }
        if !self.is_trial {
            self.found.overwritten.push(place.clone());
        }
        Sure::NOTHING
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
fn reach(value: &Expr, sure: Sure, sums: &mut Sums) {
    if !sure.any || !value.ty.is_float() {
        return;
    }
    match &value.kind {
        ExprKind::Local(local) => sums.set(*local, sums.get(*local) | sure.each),
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
                let Some(rule) = rules.gains.get(place).and_then(Option::as_ref) else { continue };
                if arg.ty.is_float()
                    && !matches!(arg.kind, ExprKind::Literal(_) | ExprKind::Load { .. } | ExprKind::Param(_))
                {
                    let gain = rule.known(&literals);
                    reach(arg, passed(*op, &gain, place, &operands, value.ty, sure), sums);
                }
            }
        }
        ExprKind::Cast(inner) => reach(inner, sure, sums),
        ExprKind::Component(base, index) => {
            let path = [Projection::Component(Expr::clone(index))];
            reach(base, sure.of_part(&path, value.ty, base.ty), sums);
        }
        ExprKind::Column(base, index) => {
            let path = [Projection::Column(Expr::clone(index))];
            reach(base, sure.of_part(&path, value.ty, base.ty), sums);
        }
        // What its author gives as the derivative may be zero.
        ExprKind::Call(..) => {}
        _ => {}
    }
}
