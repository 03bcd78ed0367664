//! Which array elements a thread accesses: indices as affine functions of thread indices, sizes and a bounded rest.

use crate::ir::{Expr, ExprKind, ForRange, Kernel, LocalMap, ParamId, Scalar, Shape, StmtKind, Type};
use crate::ops::Op;
use std::collections::BTreeMap;

/// An integer of the form Σ cᵢ·tidᵢ + Σ dⱼ·sizeⱼ + r, with low ≤ r ≤ high. A size is the same for all threads of a
/// launch.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Affine {
    /// The coefficient of each thread index.
    tids: [i64; 4],
    /// The coefficients of by-value parameters and extents. No coefficient is 0, so equal functions compare equal.
    sizes: BTreeMap<Size, i64>,
    /// The smallest value of the rest.
    low: i64,
    /// The largest value of the rest.
    high: i64,
}

/// A value that is the same for all threads of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Param(ParamId),
    Extent(ParamId, u8),
}

impl Affine {
    fn number(value: i64) -> Affine {
        Affine { low: value, high: value, ..Affine::default() }
    }

    fn size(size: Size) -> Affine {
        Affine { sizes: BTreeMap::from([(size, 1)]), ..Affine::default() }
    }

    fn plus(mut self, other: &Affine) -> Option<Affine> {
        for (own, more) in self.tids.iter_mut().zip(other.tids) {
            *own = own.checked_add(more)?;
        }
        for (size, factor) in &other.sizes {
            let own = self.sizes.entry(*size).or_insert(0);
            *own = own.checked_add(*factor)?;
        }
        self.sizes.retain(|_, factor| *factor != 0);
        self.low = self.low.checked_add(other.low)?;
        self.high = self.high.checked_add(other.high)?;
        Some(self)
    }

    fn times(mut self, by: i64) -> Option<Affine> {
        for factor in self.tids.iter_mut().chain(self.sizes.values_mut()) {
            *factor = factor.checked_mul(by)?;
        }
        self.sizes.retain(|_, factor| *factor != 0);
        let ends = [self.low.checked_mul(by)?, self.high.checked_mul(by)?];
        (self.low, self.high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        Some(self)
    }

    /// The value, if it is a constant.
    fn as_number(&self) -> Option<i64> {
        let is_number = self.tids == [0; 4] && self.sizes.is_empty() && self.low == self.high;
        is_number.then_some(self.low)
    }

    /// Whether the two values differ in every launch, for every thread.
    fn differs(&self, other: &Affine) -> bool {
        self.tids == other.tids && self.sizes == other.sizes && (self.high < other.low || other.high < self.low)
    }

    /// Whether all coefficients and constants fit into 32 bits.
    fn is_narrow(&self) -> bool {
        let numbers = self.tids.iter().chain(self.sizes.values()).chain([&self.low, &self.high]);
        numbers.copied().all(|number| i32::try_from(number).is_ok())
    }

    /// Whether a thread has only one value of this index: the rest is constant.
    pub fn is_single(&self) -> bool {
        self.low == self.high
    }
}

/// The locals of a kernel, as far as indices need them.
#[derive(Debug)]
pub struct Indices<'a> {
    kernel: &'a Kernel,
    /// The values of locals that are never reassigned.
    values: LocalMap<&'a Expr>,
    /// The ranges of loop variables.
    ranges: LocalMap<&'a ForRange>,
}

impl<'a> Indices<'a> {
    /// Collects the declarations of `kernel`.
    pub fn of(kernel: &'a Kernel) -> Indices<'a> {
        let mut found = Indices { kernel, values: LocalMap::default(), ranges: LocalMap::default() };
        kernel.walk_stmts(&mut |stmt| {
            if let StmtKind::For { local, range, .. } = &stmt.kind {
                found.ranges.insert(*local, range);
            } else if let StmtKind::Let { local, init: Some(init) } = &stmt.kind
                // A mutable local may have several values, so it has no affine form.
                && !kernel.local(*local).mutable
            {
                found.values.insert(*local, init);
            }
        });
        found
    }

    /// The value of the field of a struct that is never reassigned; `None` if it is not known.
    fn field<'b>(&'b self, base: &'b Expr, number: u8) -> Option<&'b Expr> {
        let known = if let ExprKind::Local(local) = &base.kind { self.values.get(*local)? } else { base };
        if let ExprKind::Field(outer, of_outer) = &known.kind {
            return self.field(self.field(outer, *of_outer)?, number);
        }
        if let ExprKind::Struct(fields) = &known.kind { fields.get(usize::from(number)) } else { None }
    }

    /// The affine form of an integer expression; `None` if it has none, or if a coefficient overflows.
    pub fn affine(&self, expr: &Expr) -> Option<Affine> {
        match &expr.kind {
            ExprKind::Literal(literal) => i64::try_from(literal.as_integer()?).ok().map(Affine::number),
            ExprKind::Local(local) => match (self.values.get(*local), self.ranges.get(*local)) {
                (Some(value), _) => self.affine(value),
                (None, Some(range)) => self.range(range),
                (None, None) => None,
            },
            ExprKind::Param(param) if is_integer(expr.ty) => Some(Affine::size(Size::Param(*param))),
            ExprKind::Extent { array, axis } => Some(Affine::size(Size::Extent(*array, *axis))),
            ExprKind::Tid(axis) => {
                let mut tid = Affine::default();
                tid.tids[usize::from(*axis)] = 1;
                Some(tid)
            }
            ExprKind::Cast(inner) if is_integer(inner.ty) && is_integer(expr.ty) => {
                // A cast to fewer bits cuts off high bits, in which two values may differ.
                self.affine(inner).filter(|value| match expr.ty.scalar().limits() {
                    Some((min, max)) if expr.ty.scalar().is_narrow() => {
                        value.as_number().is_some_and(|number| (min..=max).contains(&number.into()))
                    }
                    _ => !is_wide(inner.ty) || is_wide(expr.ty) || value.is_narrow(),
                })
            }
            ExprKind::Field(base, number) => self.affine(self.field(base, *number)?),
            // A sum of 8 or 16 bits soon wraps around, where overflow is not checked.
            ExprKind::Op(..) if expr.ty.scalar().is_narrow() => None,
            ExprKind::Op(op, args) => match (op, args.as_slice()) {
                (Op::Add, [a, b]) => self.affine(a)?.plus(&self.affine(b)?),
                (Op::Sub, [a, b]) => self.affine(a)?.plus(&self.affine(b)?.times(-1)?),
                (Op::Below, [index, _]) => self.affine(index),
                // A product is affine only if one factor is constant.
                (Op::Mul, [a, b]) => {
                    let (a, b) = (self.affine(a)?, self.affine(b)?);
                    match (a.as_number(), b.as_number()) {
                        (_, Some(factor)) => a.times(factor),
                        (Some(factor), _) => b.times(factor),
                        _ => None,
                    }
                }
                _ => None,
            },
            ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Select { .. } => None,
        }
    }

    /// The affine form of a loop variable whose range is constant: a rest between its bounds.
    fn range(&self, range: &ForRange) -> Option<Affine> {
        // Bounds that depend on the launch would leave the rest without limits.
        let (start, end) = (self.affine(&range.start)?.as_number()?, self.affine(&range.end)?.as_number()?);
        let last = if range.inclusive { end } else { end.checked_sub(1)? };
        Some(Affine { low: start.min(last), high: start.max(last), ..Affine::default() })
    }

    /// The largest absolute coefficient of a thread index in these indices.
    pub fn stride<'e>(&self, accesses: impl Iterator<Item = &'e [Expr]>) -> usize {
        let factors = accesses.flatten().filter_map(|index| self.affine(index)).flat_map(|index| index.tids);
        factors.map(|factor| usize::try_from(factor.unsigned_abs()).unwrap_or(usize::MAX)).max().unwrap_or(0)
    }

    /// The launch axis whose thread index equals `index`.
    pub fn thread_axis(&self, index: &Expr) -> Option<u8> {
        let index = self.affine(index)?;
        (0..4).find(|&axis| {
            let mut tid = Affine::default();
            tid.tids[usize::from(axis)] = 1;
            index == tid
        })
    }

    /// Whether all launches agree which of these `accesses` name one element.
    pub fn are_distinguished(&self, accesses: &[&[Expr]]) -> bool {
        let of = |index: &[Expr]| index.iter().map(|index| self.affine(index)).collect::<Option<Vec<Affine>>>();
        let Some(all) = accesses.iter().map(|index| of(index)).collect::<Option<Vec<_>>>() else { return false };
        let differ = |a: &[Affine], b: &[Affine]| a.iter().zip(b).any(|(a, b)| a.differs(b));
        all.iter().enumerate().all(|(place, a)| all[..place].iter().all(|b| a == b || differ(a, b)))
    }

    /// Whether the index is the same in all threads, as far as it is affine.
    pub fn is_same_for_all(&self, index: &Expr) -> bool {
        self.affine(index).is_some_and(|index| index.tids == [0; 4])
    }

    /// Whether distinct threads access distinct elements of an array through these `accesses`, each given by its
    /// indices.
    ///
    /// The condition is sufficient: every launch axis has an array axis of its own along which all indices are c·tid +
    /// d + r, with the same c ≠ 0 and the same sizes d, and with the rests r closer together than |c|.
    pub fn are_disjoint(&self, accesses: &[&[Expr]]) -> bool {
        let Some(rank) = accesses.first().map(|index| index.len()) else { return true };
        // The affine forms along each array axis; `None` if some access has none there.
        let columns: Vec<Option<Vec<Affine>>> =
            (0..rank).map(|axis| accesses.iter().map(|index| self.affine(index.get(axis)?)).collect()).collect();
        // An array axis can tell apart the threads along one launch axis only, so a matched axis is removed.
        let mut free: Vec<&Vec<Affine>> = columns.iter().flatten().collect();
        (0..usize::from(self.kernel.dim)).all(|tid| {
            let found = free.iter().position(|column| follow(column, tid));
            found.map(|place| free.remove(place)).is_some()
        })
    }
}

/// Whether these indices, one for each access, are distinct for distinct thread indices along the launch axis `tid`.
fn follow(values: &[Affine], tid: usize) -> bool {
    let Some(first) = values.first() else { return false };
    let step = first.tids[tid];
    let alike = values.iter().all(|value| {
        let only = value.tids.iter().enumerate().all(|(axis, factor)| *factor == if axis == tid { step } else { 0 });
        only && value.sizes == first.sizes
    });
    // All accesses of a thread must stay within one step, or it reaches elements of its neighbour.
    let low = values.iter().map(|value| value.low).min().unwrap_or(0);
    let high = values.iter().map(|value| value.high).max().unwrap_or(0);
    alike && step != 0 && high.saturating_sub(low) < step.saturating_abs()
}

fn is_wide(ty: Type) -> bool {
    matches!(ty, Type::I64 | Type::U64)
}

pub(super) fn is_integer(ty: Type) -> bool {
    matches!(ty, Type { scalar, shape: Shape::Scalar } if scalar != Scalar::Bool && !scalar.is_float())
}
