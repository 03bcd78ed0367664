//! Lowers statements.

use super::place::Target;
use super::{Lowering, Stored, heading, one};
use crate::interp::program::{Atomic, Failure, Instr, Loop, Mode, Operand, Reg, Spot, Step};
use crate::ir::{Block, Expr, ForRange, Local, LocalId, PlaceRoot, Scalar, Stmt, StmtKind, Type};

impl<'a> Lowering<'a> {
    pub(super) fn stmt(&mut self, stmt: &'a Stmt) {
        let mark = self.frame.taken.len();
        let mut kept = None;
        match &stmt.kind {
            StmtKind::Let { local, init: Some(init) } => kept = Some(self.declare(*local, init, mark)),
            StmtKind::Let { local, init: None } => return self.declare_open(*local),
            StmtKind::Assign { place, value } => {
                let value = self.expr(value);
                let target = self.target(place);
                self.store(&target, &value);
            }
            StmtKind::Update { place, op, value } => {
                let value = self.expr(value);
                let target = self.target(place);
                let old = self.load(&target, place.ty);
                let value = self.operation(*op, &[old, value], place.ty, Mode::Exact);
                self.store(&target, &value);
            }
            StmtKind::Atomic { op, place, compare, value, result } => {
                // Only scalars are compared.
                let compare = compare.as_ref().map(|compare| self.expr(compare).regs[0]);
                let value = self.expr(value);
                let (Target::Element(to), PlaceRoot::Element { array, .. }) = (self.target(place), &place.root) else {
                    return;
                };
                let result = result.map(|local| self.local(local));
                let (is_sum, of) = (self.sums.contains(array), place.ty.scalar());
                for (scalar, &value) in value.regs().iter().enumerate() {
                    let to = Spot { part: to.part + scalar as u32, ..to };
                    let result = result.as_ref().map(|result| result.regs[scalar]);
                    self.push(Instr::Atomic(Box::new(Atomic { op: *op, of, to, compare, value, result, is_sum })));
                }
            }
            StmtKind::If { cond, then, other } => {
                let cond = self.expr(cond).regs[0];
                let words = heading(self.frame.code, stmt);
                let otherwise = format!("`else` of {words}");
                let (then, other) = (self.block(then, true, words), self.block(other, true, otherwise));
                self.steps.push(Step::If { cond, then, other });
            }
            StmtKind::For { local, range, body } => self.for_loop(*local, range, body, heading(self.frame.code, stmt)),
            StmtKind::While { cond, body } => {
                let (head, cond) = self.steps_of(|this| this.expr(cond).regs[0]);
                let body = self.block(body, false, heading(self.frame.code, stmt));
                self.steps.push(Step::While { head, cond, body });
            }
            StmtKind::Print(message) => {
                let args: Vec<(Scalar, Reg)> =
                    message.args.iter().map(|arg| (arg.ty.scalar(), self.expr(arg).regs[0])).collect();
                if message.fails {
                    self.push(Instr::Fail(Box::new(Failure { message: message.clone(), args })));
                }
            }
            StmtKind::Break => self.steps.push(Step::Break),
            StmtKind::Continue => self.steps.push(Step::Continue),
            StmtKind::Return(result) => {
                if let (Some(result), Some(to)) = (result, self.frame.result.clone()) {
                    let value = self.expr(result);
                    self.assign(&to, &value, true);
                }
                self.steps.push(Step::Return);
            }
        }
        self.release(mark, kept.as_ref());
    }

    /// Declares a local with a value; returns its registers. Registers allocated since `mark` are temporaries of this
    /// statement.
    fn declare(&mut self, local: LocalId, init: &'a Expr, mark: usize) -> Operand {
        let value = self.expr(init);
        let is_own = |this: &Self, own: (Scalar, Reg)| this.frame.taken[mark..].contains(&own);
        let mutable = self.frame.code.local(local).mutable;
        let is_kept = match mutable {
            true => value.ty.is_scalar() && is_own(self, (value.ty.scalar(), value.regs[0])),
            // Registers of other variables may be reassigned later, so they cannot be aliased.
            false => {
                let is_fixed = |(of, reg)| is_own(self, (of, reg)) || self.is_constant(&one(Type::of(of), reg));
                value.scalars().all(is_fixed)
            }
        };
        let stored = if is_kept {
            value
        } else {
            let stored = self.registers(value.ty);
            self.assign(&stored, &value, false);
            stored
        };
        self.frame.locals[local.0 as usize] = Some(Stored::Value(stored.clone()));
        stored
    }

    /// Declares a local without a value.
    fn declare_open(&mut self, local: LocalId) {
        let Local { ty, len, .. } = *self.frame.code.local(local);
        let stored = match len {
            None => Stored::Value(self.registers(ty)),
            Some(len) => {
                let (of, count) = (ty.scalar(), len as usize * ty.components());
                let first = self.neighbours(of, count);
                self.push(Instr::Clear { of, first, count: count as u32 });
                Stored::LocalElements(first)
            }
        };
        self.frame.locals[local.0 as usize] = Some(stored);
    }

    fn for_loop(&mut self, local: LocalId, range: &'a ForRange, body: &'a Block, words: String) {
        let ty = self.frame.code.local(local).ty;
        let start = self.expr(&range.start).regs[0];
        let end = self.expr(&range.end).regs[0];
        let step = range.step.as_ref().map(|step| self.expr(step).regs[0]);
        let variable = self.registers(ty);
        self.frame.locals[local.0 as usize] = Some(Stored::Value(variable.clone()));
        let body = self.block(body, false, words);
        let (inclusive, direction) = (range.inclusive, range.direction);
        let (of, variable) = (ty.scalar(), variable.regs[0]);
        self.steps.push(Step::For(Box::new(Loop { of, variable, start, end, step, inclusive, direction, body })));
    }
}
