//! Random statements.

use super::numbers::is_integer;
use super::rules::Range;
use super::terms::Term;
use super::{Access, Array, Generator, Role, Var};
use kernel_ir::ir::{AtomicOp, Block, LocalId, Place, Stmt, StmtKind, Type};
use kernel_ir::ops::Op;
use kernel_ir::ops::build;

/// The depth of the terms in statements.
const DEPTH: usize = 2;

/// The range of locals and elements that are assigned.
pub(super) const STATE: Range = Range::around_zero(2.0);

/// The range of sums over all trips of the loops.
const SUM: Range = Range::around_zero(2000.0);

/// The largest slope of a carried value with respect to its predecessor, so that iterations do not diverge.
const STEADY: f64 = 1.2;

#[derive(Clone, Copy)]
enum Choice {
    Let,
    LetLater,
    Assign,
    Update,
    Part,
    Store,
    If,
    For,
    While,
    Loop,
    Leave,
    Neighbour,
}

const CHOICES: [(usize, Choice); 12] = [
    (20, Choice::Let),
    (5, Choice::LetLater),
    (14, Choice::Assign),
    (12, Choice::Update),
    (8, Choice::Part),
    (12, Choice::Store),
    (10, Choice::If),
    (9, Choice::For),
    (6, Choice::While),
    (3, Choice::Loop),
    (6, Choice::Leave),
    (3, Choice::Neighbour),
];

impl Generator {
    /// Up to `most` statements, while the budget lasts.
    pub(super) fn statements(&mut self, most: usize, block: &mut Block) {
        for _ in 0..most {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.rng.weighted(&CHOICES) {
                Choice::Let => self.declaration(block),
                Choice::LetLater => self.late_declaration(block),
                Choice::Assign => self.assignment(block),
                Choice::Update => self.update(block),
                Choice::Part => self.part(block),
                Choice::Store => self.store(block),
                Choice::If => self.branch(block),
                Choice::For => self.for_loop(block),
                Choice::While => self.while_loop(block),
                Choice::Loop => self.endless_loop(block),
                Choice::Leave => self.leave(block),
                Choice::Neighbour => self.near(block),
            }
        }
    }

    /// A nested block.
    pub(super) fn nested(&mut self) -> Block {
        let most = self.rng.pick(&[1, 2, 2, 3, 4]);
        self.scoped(|generator| {
            let mut block = Vec::new();
            generator.statements(most, &mut block);
            if block.is_empty() {
                generator.assignment(&mut block);
            }
            block
        })
    }

    /// `term` scaled to a smaller slope, if it may be carried from trip to trip.
    fn steady(&mut self, term: Term, limit: f64) -> Term {
        if self.loops.is_empty() || term.slope <= limit {
            return term;
        }
        let size = term.range.size() * limit / term.slope;
        self.scale(term, size)
    }

    fn declaration(&mut self, block: &mut Block) {
        match self.rng.below(20) {
            0..9 => {
                let ty = self.shaped_or_number(40);
                let term = self.term_within(ty, STATE, DEPTH);
                self.declare(block, term, STATE, Role::State);
            }
            9..13 => {
                let ty = self.shaped_or_number(30);
                let term = self.term(ty, DEPTH + 1);
                let range = term.range;
                self.declare(block, term, range, Role::Fixed);
            }
            13..16 => {
                let ty = self.shaped_or_number(30);
                let term = self.term_within(ty, STATE, 1);
                self.declare(block, term, SUM, Role::Sum);
            }
            16..18 => {
                let ty = self.rng.pick(&[Type::I32, Type::I32, Type::U32, Type::INDEX]);
                let term = self.integer(ty, 1);
                let range = Range::new(0.0, 6.0);
                let term = self.integer_within(term, range);
                self.declare(block, term, range, Role::State);
            }
            _ => {
                let cond = self.condition(1);
                self.declare(block, Term::new(cond, Range::new(0.0, 1.0), 0.0), Range::new(0.0, 1.0), Role::State);
            }
        }
    }

    /// Declares a local with a first value. Sometimes it shadows another one.
    fn declare(&mut self, block: &mut Block, init: Term, range: Range, role: Role) {
        let ty = init.ty();
        let hidden = if self.rng.percent(10) { self.pick_var(|var| var.ty.is_float()) } else { None };
        let name = match hidden {
            Some(var) => {
                self.vars.retain(|other| other.local != var.local);
                self.kernel.local(var.local).name.clone()
            }
            None => self.fresh_name(ty),
        };
        let local = self.new_local(name, ty);
        block.push(build::Var::new(local, ty).declare(init.expr));
        let slope = if role == Role::Fixed { init.slope } else { 1.0 };
        self.vars.push(Var { local, ty, range, slope, role });
    }

    /// `let t;`, followed by an assignment on every branch.
    fn late_declaration(&mut self, block: &mut Block) {
        let ty = self.shaped_or_number(30);
        let name = self.fresh_name(ty);
        let local = self.new_local(name, ty);
        block.push(Stmt::new(StmtKind::Let { local, init: None }));
        let branches = self.rng.pick(&[2, 2, 3]);
        let leaves = self.rng.percent(15).then(|| self.rng.below(branches));
        let mut chain: Vec<Block> = Vec::new();
        for number in 0..branches {
            let most = self.rng.below(2);
            let made = self.scoped(|generator| {
                let mut inner = Vec::new();
                generator.statements(most, &mut inner);
                if leaves == Some(number) {
                    inner.push(generator.jump());
                } else {
                    let value = generator.term_within(ty, STATE, DEPTH);
                    inner.push(build::Var::new(local, ty).set(value.expr));
                }
                inner
            });
            chain.push(made);
        }
        let mut other = chain.pop().unwrap_or_default();
        while let Some(then) = chain.pop() {
            other = vec![Stmt::branch(self.condition(1), then, other)];
        }
        block.extend(other);
        self.vars.push(Var { local, ty, range: STATE, slope: 1.0, role: Role::State });
    }

    /// The place of a local that changes, which becomes mutable.
    pub(super) fn changed(&mut self, local: LocalId, ty: Type) -> Place {
        self.kernel.locals[local.0 as usize].mutable = true;
        build::Var::new(local, ty).place()
    }

    fn assignment(&mut self, block: &mut Block) {
        if self.rng.percent(12)
            && let Some(var) = self.pick_var(|var| var.role == Role::State && is_integer(var.ty))
        {
            let value = self.integer(var.ty, 1);
            let value = self.integer_within(value, var.range);
            let place = self.changed(var.local, var.ty);
            return block.push(place.set(value.expr));
        }
        let Some(var) = self.pick_var(|var| var.role == Role::State && !is_integer(var.ty)) else {
            return self.declaration(block);
        };
        let value = if var.ty == Type::BOOL {
            self.condition(1)
        } else {
            let value = self.term_within(var.ty, var.range, DEPTH);
            self.steady(value, STEADY).expr
        };
        let place = self.changed(var.local, var.ty);
        block.push(place.set(value));
    }

    fn update(&mut self, block: &mut Block) {
        let Some(var) = self.pick_var(|var| var.ty.is_float()) else { return self.declaration(block) };
        let number = Type::from(var.ty.scalar());
        let (op, value) = match var.role {
            Role::Sum if self.rng.percent(85) => {
                let value = self.term_within(var.ty, Range::around_zero(4.0), DEPTH);
                (self.rng.pick(&[Op::Add, Op::Add, Op::Sub]), self.steady(value, 0.4))
            }
            _ if self.rng.percent(25) && !var.ty.is_matrix() => {
                (Op::Div, self.term_within(number, Range::new(1.0, 4.0), 1))
            }
            _ => {
                let value = self.term_within(number, Range::around_zero(0.95), 1);
                (Op::Mul, self.steady(value, 0.3))
            }
        };
        let place = self.changed(var.local, var.ty);
        block.push(place.update(op, value.expr));
    }

    /// Changes a component or a column.
    fn part(&mut self, block: &mut Block) {
        let Some(var) = self.pick_var(|var| var.ty.is_float() && !var.ty.is_scalar()) else {
            return self.assignment(block);
        };
        let place = self.changed(var.local, var.ty);
        let place = self.part_of(place);
        let stmt = self.changed_part(place, var.role);
        block.push(stmt);
    }

    fn part_of(&mut self, place: Place) -> Place {
        let number = self.part_number(place.ty);
        if !place.ty.is_matrix() {
            return place.part(number);
        }
        let column = place.part(number);
        if self.rng.percent(50) { column } else { self.part_of(column) }
    }

    fn changed_part(&mut self, place: Place, role: Role) -> Stmt {
        if role == Role::Sum {
            let value = self.term_within(place.ty, Range::around_zero(4.0), DEPTH);
            let value = self.steady(value, 0.4);
            return place.update(Op::Add, value.expr);
        }
        let value = self.term_within(place.ty, STATE, DEPTH);
        let value = self.steady(value, STEADY);
        place.set(value.expr)
    }

    fn store(&mut self, block: &mut Block) {
        let arrays: Vec<Array> = self.arrays.iter().filter(|array| array.access != Access::Read).cloned().collect();
        let array = &arrays[self.rng.below(arrays.len())];
        let stmt = self.store_to(array);
        block.push(stmt);
    }

    /// Stores to every array at the end of the kernel.
    pub(super) fn stores(&mut self, body: &mut Block) {
        for array in self.arrays.clone() {
            if array.access != Access::Read {
                body.push(self.store_to(&array));
            }
        }
    }

    fn store_to(&mut self, array: &Array) -> Stmt {
        let own = Place::element(array.id, self.tid.clone(), array.elem);
        let partial = !array.elem.is_scalar() && self.rng.percent(25);
        match array.access {
            _ if array.elem == Type::BOOL => {
                let value = self.condition(1);
                match self.rng.below(5) {
                    0 => own.update(Op::BitAnd, value),
                    1 => own.update(Op::BitOr, value),
                    2 => own.update(Op::BitXor, value),
                    _ => own.set(value),
                }
            }
            Access::Accumulate => {
                let place = if partial { self.part_of(own) } else { own };
                let value = self.term_within(place.ty, Range::around_zero(50.0), DEPTH + 1);
                place.update(self.rng.pick(&[Op::Add, Op::Add, Op::Sub]), value.expr)
            }
            Access::Atomic => {
                let mut place = Place::element(array.id, self.indices(array), array.elem);
                while partial && !place.ty.is_scalar() {
                    place = self.part_of(place);
                }
                let value = self.term_within(place.ty, Range::around_zero(50.0), DEPTH + 1).expr;
                let op = self.rng.pick(&[AtomicOp::Add, AtomicOp::Add, AtomicOp::Sub]);
                Stmt::new(StmtKind::Atomic { op, place, compare: None, value, result: None })
            }
            Access::Own if partial => {
                let place = self.part_of(own);
                self.changed_part(place, Role::State)
            }
            Access::Own if self.rng.percent(25) => {
                let value = self.term_within(array.elem.scalar().into(), Range::around_zero(0.95), 1);
                let value = self.steady(value, 0.3);
                own.update(Op::Mul, value.expr)
            }
            Access::Own => self.changed_part(own, Role::State),
            Access::Write | Access::Read => {
                let place = if partial { self.part_of(own) } else { own };
                let value = self.term_within(place.ty, Range::around_zero(100.0), DEPTH + 1);
                place.set(value.expr)
            }
        }
    }
}
