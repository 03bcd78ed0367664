//! Cases by an integer, with alternatives and ranges. The Rust text of such a chain is a `match`.

use super::super::generator::{Generator, Term};
use kernel_ir::ir::{ExprKind, Type};
use kernel_ir::ops::Op;

impl Generator {
    /// `match kind { 0 => …, 1 | 4 => …, 5..=7 => …, _ => … }`, as a value or as statements.
    pub(super) fn matching(&mut self) {
        let ty: Type = self.int.into();
        let count = self.rng.pick(&[4, 5, 6, 8, 10]);
        let subject = self.leaf(ty);
        let subject = self.fit_int(subject, 0, count);
        let subject = match subject.expr.kind {
            ExprKind::Param(_) => subject,
            _ => self.bind(&["mode", "kind", "class_id", "state_id", "opcode", "variant"], subject),
        };
        if !subject.samples.is_varied() {
            return;
        }
        let Some(conds) = self.patterns(&subject, count) else { return };
        self.pick_case(conds);
    }

    /// Conditions on the subject, from 0 to below `count`, that leave at least one value to the last case.
    fn patterns(&mut self, subject: &Term, count: i64) -> Option<Vec<Term>> {
        let mut conds = Vec::new();
        let mut next = 0;
        while next < count - 1 && conds.len() < 5 {
            let left = count - 1 - next;
            // From 0 on, a lower bound would say nothing about an unsigned number.
            let widest = if next == 0 { left.min(2) } else { left.min(4) };
            let width = if widest > 1 && self.rng.percent(45) { self.rng.int(2, widest) } else { 1 };
            let (first, last) = (next, next + width - 1);
            next += width;
            let cond = match width {
                1 => self.is_value(subject, first)?,
                2 if first == 0 || self.rng.percent(60) => {
                    let (a, b) = (self.is_value(subject, first)?, self.is_value(subject, last)?);
                    self.raw(Op::Or, vec![a, b], Type::BOOL)?
                }
                _ => {
                    let (low, high) =
                        (Term::number(first as f64, subject.ty()), Term::number(last as f64, subject.ty()));
                    let above = self.raw(Op::Ge, vec![subject.clone(), low], Type::BOOL)?;
                    let below = self.raw(Op::Le, vec![subject.clone(), high], Type::BOOL)?;
                    self.raw(Op::And, vec![above, below], Type::BOOL)?
                }
            };
            conds.push(cond);
        }
        (conds.len() > 1).then_some(conds)
    }

    fn is_value(&mut self, subject: &Term, value: i64) -> Option<Term> {
        self.raw(Op::Eq, vec![subject.clone(), Term::number(value as f64, subject.ty())], Type::BOOL)
    }
}
