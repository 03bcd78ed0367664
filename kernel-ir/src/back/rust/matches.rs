//! Chains of branches that compare one integer, or one enum, with constants. They are written as `match`.

use super::writer::{Enums, Writer};
use crate::ir::{Block, Expr, ExprKind, Stmt, StmtKind};
use crate::ops::Op;

/// The least number of values and ranges in the conditions of a `match`. Fewer are an `if`.
const FEWEST: usize = 3;

/// A chain of branches as a `match`.
pub(super) struct Match<'a, T> {
    /// The integer; of an enum its number.
    pub(super) subject: &'a Expr,
    /// The patterns, each with what is done where it holds.
    pub(super) arms: Vec<(String, &'a T)>,
    /// What is done where none holds.
    pub(super) rest: &'a T,
}

/// A pattern.
struct Pattern {
    text: String,
    /// The values that fit, as ranges of which both ends fit.
    ranges: Vec<(i128, i128)>,
}

impl<'a> Writer<'_> {
    /// The statement `if cond { then } else { other }` as a `match`, if it is one.
    pub(super) fn match_of_blocks(
        &self,
        cond: &'a Expr,
        then: &'a Block,
        other: &'a Block,
    ) -> Option<Match<'a, Block>> {
        let mut arms = vec![(cond, then)];
        let mut rest = other;
        while let [Stmt { kind: StmtKind::If { cond, then, other }, .. }] = rest.as_slice()
            && self.subject(cond) == self.subject(arms[0].0)
        {
            arms.push((cond, then));
            rest = other;
        }
        self.match_of(arms, rest)
    }

    /// The value `if cond { then } else { other }` as a `match`, if it is one.
    pub(super) fn match_of_values(&self, cond: &'a Expr, then: &'a Expr, other: &'a Expr) -> Option<Match<'a, Expr>> {
        let mut arms = vec![(cond, then)];
        let mut rest = other;
        while let ExprKind::Select { cond, then, other } = &rest.kind
            && self.subject(cond) == self.subject(arms[0].0)
        {
            arms.push((cond, then));
            rest = other;
        }
        self.match_of(arms, rest)
    }

    fn match_of<T>(&self, conds: Vec<(&'a Expr, &'a T)>, rest: &'a T) -> Option<Match<'a, T>> {
        let subject = self.subject(conds.first()?.0)?;
        let mut known: Vec<(i128, i128)> = Vec::new();
        let mut arms = Vec::new();
        for (cond, arm) in conds {
            let Pattern { text, ranges } = self.pattern(cond, subject)?;
            for (low, high) in ranges {
                // rustc warns about values that an arm above takes.
                if known.iter().any(|(from, to)| low <= *to && *from <= high) {
                    return None;
                }
                known.push((low, high));
            }
            arms.push((text, arm));
        }
        (arms.len() > 1 && known.len() >= FEWEST).then_some(Match { subject, arms, rest })
    }

    /// The integer that the condition is about, if it has a name that nothing assigns. Any other one would get a name.
    fn subject(&self, cond: &'a Expr) -> Option<&'a Expr> {
        let ExprKind::Op(op, args) = &cond.kind else { return None };
        let [first, _] = args.as_slice() else { return None };
        if matches!(op, Op::Or | Op::And) {
            return self.subject(first);
        }
        let of_enum = self.enum_read(first).filter(|_| self.enums == Enums::All);
        let named = of_enum.map_or(first, |(value, _)| value);
        let is_fixed = match named.kind {
            ExprKind::Local(local) => !self.kernel.local(local).mutable && !self.consts.contains(&local),
            ExprKind::Param(param) => !self.copies.values().any(|copied| *copied == param),
            ExprKind::LocalElement { .. }
            | ExprKind::Literal(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Op(..)
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Select { .. } => false,
        };
        (is_fixed && first.ty.is_scalar() && first.ty.scalar().is_integer()).then_some(first)
    }

    /// The condition on the subject as a pattern: a value, values, or a range.
    fn pattern(&self, cond: &Expr, subject: &Expr) -> Option<Pattern> {
        let ExprKind::Op(op, args) = &cond.kind else { return None };
        let [a, b] = args.as_slice() else { return None };
        if *op == Op::Eq {
            if let Some((_, of)) = self.enum_read(subject) {
                let value = b.as_integer().filter(|_| a == subject)?;
                return Some(Pattern { text: self.variant(of, b)?.text, ranges: vec![(value, value)] });
            }
            let value = compared(a, b, subject)?;
            return Some(Pattern { text: value.to_string(), ranges: vec![(value, value)] });
        }
        if *op == Op::And && self.enum_read(subject).is_none() {
            let (low, high) = (bound(a, Op::Ge, subject)?, bound(b, Op::Le, subject)?);
            return (low < high).then(|| Pattern { text: format!("{low}..={high}"), ranges: vec![(low, high)] });
        }
        // Alternatives are read from the left.
        if *op != Op::Or || matches!(b.kind, ExprKind::Op(Op::Or, _)) {
            return None;
        }
        let (a, b) = (self.pattern(a, subject)?, self.pattern(b, subject)?);
        let ranges = a.ranges.into_iter().chain(b.ranges).collect();
        Some(Pattern { text: format!("{} | {}", a.text, b.text), ranges })
    }
}

fn bound(cond: &Expr, wanted: Op, subject: &Expr) -> Option<i128> {
    let ExprKind::Op(op, args) = &cond.kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    if *op == wanted { compared(a, b, subject) } else { None }
}

/// The constant that the subject is compared with.
fn compared(of: &Expr, with: &Expr, subject: &Expr) -> Option<i128> {
    with.as_integer().filter(|value| of == subject && *value >= 0)
}
