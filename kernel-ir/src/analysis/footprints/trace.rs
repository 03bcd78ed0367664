//! Walks a kernel in the order of execution and finds the value of every index as a polynomial over symbols.
//!
//! A symbol is a value that the walk does not look into: a thread index, a by-value parameter, an extent, the number of a
//! trip of a loop, the quotient of a division, an element of an array. A variable that is reassigned has the value that
//! its last assignment gave it. Where two paths meet, and at the head of a loop, a variable that they change becomes a new
//! symbol, unless the loop adds the same number to it in every trip.
//!
//! The walk takes integers as they are in mathematics: arithmetic that overflows is a mistake of the kernel, which a
//! checked launch reports. Casts of negative numbers to unsigned types are no mistake; their values are used as indices,
//! where a wrapped value is out of bounds, and not for conditions.

use super::polynomial::{Polynomial, Symbol};
use super::system::{Fact, is_impossible};
use crate::analysis::accesses::{AccessKind, written};
use crate::analysis::exits::always_exits;
use crate::analysis::indices::is_integer;
use crate::analysis::stability::Mutations;
use crate::ir::{
    Block, Direction, Expr, ExprKind, ForRange, Kernel, LocalId, LocalMap, ParamId, PlaceRoot, Projection, Span, Stmt,
    StmtKind, Type,
};
use crate::ops::Op;
use std::collections::{BTreeMap, BTreeSet};

/// An access to an array.
#[derive(Clone, Debug)]
pub(super) struct Footprint {
    pub(super) kind: AccessKind,
    /// The indices, one for each axis. A call that takes the array may read any element: `None`.
    pub(super) index: Option<Vec<Polynomial>>,
    /// The number of the component or column, if the access is to a certain one.
    pub(super) part: Option<i128>,
    /// What is known wherever the access is made.
    pub(super) path: Vec<Fact>,
    /// The loops around the access, from the outside: numbers of loops, with the symbols that count their trips.
    pub(super) loops: Vec<(u32, Symbol)>,
    /// The position of the access in the order of execution of one pass over the kernel.
    pub(super) place: u32,
    /// The number of the load among all loads of the kernel, in source order.
    pub(super) load: Option<u32>,
    pub(super) span: Span,
}

/// What is known of a symbol.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Whether all threads of a launch have the same value.
    pub(super) is_shared: bool,
    /// The number of loops in which the symbol has a value for each trip.
    pub(super) depth: usize,
    /// What holds of its value.
    pub(super) facts: Vec<Fact>,
}

/// The result of the walk.
#[derive(Debug, Default)]
pub(super) struct Trace {
    pub(super) symbols: Vec<Known>,
    /// The thread indices along the axes of the launch.
    pub(super) tids: Vec<Symbol>,
    pub(super) accesses: BTreeMap<ParamId, Vec<Footprint>>,
    /// The elements of arrays with one axis that the kernel does not write: the array, and the index.
    pub(super) elements: BTreeMap<Symbol, (ParamId, Polynomial)>,
}

impl Trace {
    pub(super) fn of(kernel: &Kernel) -> Trace {
        let mut walk = Walk {
            kernel,
            written: BTreeSet::new(),
            found: Trace::default(),
            named: BTreeMap::new(),
            values: LocalMap::default(),
            conditions: LocalMap::default(),
            path: Vec::new(),
            loops: Vec::new(),
            loop_count: 0,
            place: 0,
            load: 0,
            may_wrap: false,
        };
        kernel.walk_stmts(&mut |stmt| walk.written.extend(written(stmt).map(|(array, _)| array)));
        for axis in 0..kernel.dim {
            let tid = walk.named(Name::Tid(axis), true);
            walk.found.tids.push(tid);
        }
        walk.block(&kernel.body);
        walk.found
    }

    /// The symbols of these polynomials, and those that the facts about them and the indices of elements mention.
    pub(super) fn symbols_of<'a>(&'a self, of: impl Iterator<Item = &'a Polynomial>) -> BTreeSet<Symbol> {
        let mut open: Vec<Symbol> = of.flat_map(Polynomial::symbols).collect();
        let mut seen = BTreeSet::new();
        while let Some(symbol) = open.pop() {
            if seen.insert(symbol) {
                let facts = self.symbols[symbol.0 as usize].facts.iter().map(Fact::polynomial);
                let index = self.elements.get(&symbol).map(|(_, index)| index);
                open.extend(facts.chain(index).flat_map(Polynomial::symbols));
            }
        }
        seen
    }

    /// The facts about these symbols.
    pub(super) fn facts_of<'a>(&'a self, symbols: &BTreeSet<Symbol>) -> impl Iterator<Item = &'a Fact> {
        symbols.iter().flat_map(|symbol| &self.symbols[symbol.0 as usize].facts)
    }
}

/// What makes two occurrences of a symbol the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Tid(u8),
    Param(ParamId),
    Extent(ParamId, u8),
    /// An element of an array that the kernel does not write.
    Element(ParamId, Vec<Polynomial>),
    /// The quotient, rounded down.
    Quotient(Polynomial, Polynomial),
    /// 2 to the power of a value.
    Power(Polynomial),
    /// Another operation on integers.
    Op(Op, Vec<Polynomial>),
}

/// The value of a variable, and whether it may have wrapped around.
#[derive(Clone, Debug)]
struct Value {
    of: Polynomial,
    may_wrap: bool,
}

struct Walk<'a> {
    kernel: &'a Kernel,
    /// The arrays that the kernel writes.
    written: BTreeSet<ParamId>,
    found: Trace,
    named: BTreeMap<Name, Symbol>,
    /// The values of variables of integers at this point.
    values: LocalMap<Value>,
    /// What holds where an immutable variable is true, and where it is false.
    conditions: LocalMap<[Vec<Fact>; 2]>,
    path: Vec<Fact>,
    loops: Vec<(u32, Symbol)>,
    loop_count: u32,
    place: u32,
    load: u32,
    /// Whether a value that was evaluated may have wrapped around.
    may_wrap: bool,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) {
        let known = self.path.len();
        block.iter().for_each(|stmt| self.stmt(stmt));
        self.path.truncate(known);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.place += 2;
        if let StmtKind::While { cond, body } = &stmt.kind {
            return self.repeat(body, None, &mut |walk| {
                walk.reads(cond);
                walk.condition(cond, true)
            });
        }
        stmt.exprs().for_each(|expr| self.reads(expr));
        match &stmt.kind {
            StmtKind::Let { local, init: Some(init) } => self.set(*local, init),
            StmtKind::Let { local, init: None } => self.forget(*local),
            StmtKind::Assign { place, value } => match (&place.root, place.path.is_empty()) {
                (PlaceRoot::Local(local), true) => self.set(*local, value),
                (PlaceRoot::Local(local), false) => self.forget(*local),
                (PlaceRoot::Element { .. } | PlaceRoot::LocalElement { .. }, _) => self.write(stmt),
            },
            StmtKind::Update { place, op, value } => match &place.root {
                PlaceRoot::Local(local) if place.path.is_empty() && is_integer(place.ty) => {
                    let old = Expr::new(ExprKind::Local(*local), place.ty);
                    self.set(*local, &Expr::new(ExprKind::Op(*op, vec![old, value.clone()]), place.ty));
                }
                PlaceRoot::Local(local) => self.forget(*local),
                PlaceRoot::Element { .. } | PlaceRoot::LocalElement { .. } => self.write(stmt),
            },
            StmtKind::Atomic { result, .. } => {
                self.write(stmt);
                if let Some(result) = result {
                    self.forget(*result);
                }
            }
            StmtKind::If { cond, then, other } => self.branch(cond, [then, other]),
            StmtKind::For { local, range, body } => self.repeat(body, Some((*local, range)), &mut |_| Vec::new()),
            StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => {}
        }
    }

    fn branch(&mut self, cond: &Expr, sides: [&Block; 2]) {
        let before = self.values.clone();
        let known = self.path.len();
        let facts = [true, false].map(|holds| self.condition(cond, holds));
        let mut ends = Vec::new();
        for (side, facts) in sides.into_iter().zip(&facts) {
            self.path.extend(facts.iter().cloned());
            self.values = before.clone();
            self.block(side);
            self.path.truncate(known);
            if !always_exits(side, &is_exit) {
                ends.push((std::mem::take(&mut self.values), facts));
            }
        }
        match <[_; 1]>::try_from(ends) {
            // Behind `if c { return; }`, `c` is false, and variables have the values of the other side.
            Ok([(values, facts)]) => {
                self.values = values;
                self.path.extend(facts.iter().cloned());
            }
            Err(ends) => {
                self.values = ends.into_iter().next().map_or(before, |(values, _)| values);
                let changed = sides.map(|side| Mutations::of(side));
                self.forget_all(&|local| changed.iter().any(|side| side.changes(local)));
            }
        }
    }

    /// Walks the body of a loop. `enter` says what holds in a trip.
    fn repeat(
        &mut self,
        body: &Block,
        range: Option<(LocalId, &ForRange)>,
        enter: &mut dyn FnMut(&mut Self) -> Vec<Fact>,
    ) {
        let changed = Mutations::of(body);
        let known = self.path.len();
        self.may_wrap = false;
        let bounds = range.map(|(local, range)| {
            let [start, end] = [&range.start, &range.end].map(|bound| self.value(bound));
            let step = range.step.as_ref().map_or_else(|| Polynomial::number(1), |step| self.value(step));
            (local, range, [start, end, step], self.may_wrap)
        });
        let before = self.values.clone();
        // The trips are counted inside of the loop, so the symbol has a value for each trip.
        self.loops.push((self.loop_count, Symbol(0)));
        self.loop_count += 1;
        let trip = self.unknown();
        self.require(trip, &Polynomial::symbol(trip));
        if let Some(last) = self.loops.last_mut() {
            last.1 = trip;
        }
        self.forget_all(&|local| changed.changes(local));
        for (local, added) in self.steady(body, &changed) {
            let start = before.get(local).cloned();
            let value = start.and_then(|start| {
                let offset = added.times(&Polynomial::symbol(trip))?;
                Some(Value { of: start.of.plus(&offset)?, ..start })
            });
            if let Some(value) = value {
                self.values.insert(local, value);
            }
        }
        if let Some((local, range, bounds, may_wrap)) = bounds {
            self.count(local, range, bounds, may_wrap, trip);
        }
        let facts = enter(self);
        self.path.extend(facts);
        self.block(body);
        self.path.truncate(known);
        self.loops.pop();
        self.values = before;
        self.forget_all(&|local| changed.changes(local));
    }

    /// Gives the variable of a `for` its value in the trip with this number.
    fn count(&mut self, local: LocalId, range: &ForRange, bounds: [Polynomial; 3], may_wrap: bool, trip: Symbol) {
        let [start, end, step] = bounds;
        let last = if range.inclusive { Some(end) } else { end.plus_number(-1) };
        let value = last.and_then(|last| {
            let offset = step.times(&Polynomial::symbol(trip))?;
            let value = match range.direction {
                Direction::Up | Direction::Phase => start.plus(&offset)?,
                Direction::Down => last.minus(&offset)?,
            };
            let bounds = [value.minus(&start)?, last.minus(&value)?];
            // A negative bound that wraps around is a large one.
            if !may_wrap {
                self.path.extend(bounds.map(Fact::NotNegative));
            }
            Some(value)
        });
        match value {
            Some(of) => self.values.insert(local, Value { of, may_wrap }),
            None => self.forget(local),
        }
    }

    /// The variables to which every trip of a loop adds the same value, with that value.
    fn steady(&mut self, body: &Block, changed: &Mutations) -> Vec<(LocalId, Polynomial)> {
        let leaves = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Continue);
        if body.iter().any(|stmt| stmt.any(&mut |stmt| leaves(stmt))) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for stmt in body {
            let (added, place, op) = match &stmt.kind {
                StmtKind::Update { place, op: op @ (Op::Add | Op::Sub), value } => (value, place, *op),
                StmtKind::Let { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Update { .. }
                | StmtKind::Atomic { .. }
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::While { .. }
                | StmtKind::Break
                | StmtKind::Continue
                | StmtKind::Return(_)
                | StmtKind::Print(_) => continue,
            };
            let (PlaceRoot::Local(local), true) = (&place.root, is_integer(place.ty) && changed.keep(added)) else {
                continue;
            };
            let mut changes = 0;
            body.iter().for_each(|stmt| {
                stmt.walk(&mut |stmt| {
                    changes +=
                        usize::from(stmt.assigned_local() == Some(*local) || stmt.declared_local() == Some(*local));
                });
            });
            self.may_wrap = false;
            let by = self.value(added);
            let by = if op == Op::Sub { Polynomial::default().minus(&by) } else { Some(by) };
            if let (1, true, false, Some(by)) = (changes, place.path.is_empty(), self.may_wrap, by) {
                found.push((*local, by));
            }
        }
        found
    }

    /// Records the reads of an expression.
    fn reads(&mut self, expr: &Expr) {
        self.reads_of(expr, None);
    }

    /// Records the reads of an expression of which only this part is used.
    fn reads_of(&mut self, expr: &Expr, part: Option<i128>) {
        if let ExprKind::Load { array, index } = &expr.kind {
            let index = index.iter().map(|index| self.value(index)).collect();
            let load = self.load;
            self.load += 1;
            self.access(*array, AccessKind::Read, Some(index), part, Some(load), expr.span);
        } else if let ExprKind::Call(callee, _) = &expr.kind {
            for array in &callee.arrays {
                self.access(*array, AccessKind::Read, None, None, None, expr.span);
            }
        }
        if let ExprKind::Component(base, number) | ExprKind::Column(base, number) = &expr.kind {
            self.reads_of(base, number.as_integer());
            self.reads(number);
        } else {
            expr.children().for_each(|child| self.reads(child));
        }
    }

    /// Records the write of a statement. It comes behind the reads of the statement.
    fn write(&mut self, stmt: &Stmt) {
        let Some((array, access)) = written(stmt) else { return };
        let index = access.index.iter().map(|index| self.value(index)).collect();
        let part = match stmt.place().and_then(|place| place.path.first()) {
            Some(Projection::Component(number) | Projection::Column(number)) => number.as_integer(),
            Some(Projection::Field(_)) | None => None,
        };
        self.place += 1;
        self.access(array, access.kind, Some(index), part, None, access.span);
        self.place -= 1;
    }

    fn access(
        &mut self,
        array: ParamId,
        kind: AccessKind,
        index: Option<Vec<Polynomial>>,
        part: Option<i128>,
        load: Option<u32>,
        span: Span,
    ) {
        if !self.written.contains(&array) {
            return;
        }
        let (path, loops) = (self.path.clone(), self.loops.clone());
        let access = Footprint { kind, index, part, path, loops, place: self.place, load, span };
        self.found.accesses.entry(array).or_default().push(access);
    }

    fn set(&mut self, local: LocalId, value: &Expr) {
        if is_integer(value.ty) {
            self.may_wrap = false;
            let of = self.value(value);
            self.values.insert(local, Value { of, may_wrap: self.may_wrap });
        } else if value.ty == Type::BOOL && !self.kernel.local(local).mutable {
            let sides = [true, false].map(|holds| self.condition(value, holds));
            self.conditions.insert(local, sides);
        }
    }

    /// Makes the value of a variable unknown.
    fn forget(&mut self, local: LocalId) {
        let ty = self.kernel.local(local).ty;
        if is_integer(ty) {
            let of = Polynomial::symbol(self.unknown_of(ty));
            self.values.insert(local, Value { of, may_wrap: false });
        }
    }

    fn forget_all(&mut self, which: &dyn Fn(LocalId) -> bool) {
        let all: Vec<LocalId> = self.values.iter().map(|(local, _)| local).filter(|local| which(*local)).collect();
        all.into_iter().for_each(|local| self.forget(local));
    }

    /// A new symbol with a value for each trip of the loops here.
    fn unknown(&mut self) -> Symbol {
        self.add(false, self.loops.len())
    }

    fn add(&mut self, is_shared: bool, depth: usize) -> Symbol {
        let symbol = Symbol(self.found.symbols.len() as u32);
        self.found.symbols.push(Known { is_shared, depth, facts: Vec::new() });
        symbol
    }

    fn unknown_of(&mut self, ty: Type) -> Symbol {
        let symbol = self.unknown();
        self.limit(symbol, ty);
        symbol
    }

    /// The symbol with this name, which is new or not. `not_negative`: whether its value is at least 0.
    fn named(&mut self, name: Name, not_negative: bool) -> Symbol {
        if let Some(symbol) = self.named.get(&name) {
            return *symbol;
        }
        let of: Vec<&Polynomial> = match &name {
            Name::Tid(_) | Name::Param(_) | Name::Extent(..) => Vec::new(),
            Name::Element(_, of) | Name::Op(_, of) => of.iter().collect(),
            Name::Quotient(a, b) => vec![a, b],
            Name::Power(of) => vec![of],
        };
        let from = of.into_iter().flat_map(Polynomial::symbols);
        let from: Vec<&Known> = from.map(|symbol| &self.found.symbols[symbol.0 as usize]).collect();
        let is_shared = !matches!(name, Name::Tid(_)) && from.iter().all(|known| known.is_shared);
        let depth = from.iter().map(|known| known.depth).max().unwrap_or(0);
        let symbol = self.add(is_shared, depth);
        if not_negative {
            self.require(symbol, &Polynomial::symbol(symbol));
        }
        self.named.insert(name, symbol);
        symbol
    }

    /// Notes that a polynomial is not negative, for every value of the symbol.
    fn require(&mut self, symbol: Symbol, of: &Polynomial) {
        let fact = Fact::NotNegative(of.clone());
        let facts = &mut self.found.symbols[symbol.0 as usize].facts;
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    }

    /// Notes that `high` is at least `low`, for every value of the symbol.
    fn order(&mut self, symbol: Symbol, low: &Polynomial, high: &Polynomial) {
        if let Some(difference) = high.minus(low) {
            self.require(symbol, &difference);
        }
    }

    /// Notes the limits of the type.
    fn limit(&mut self, symbol: Symbol, ty: Type) {
        let of = Polynomial::symbol(symbol);
        if !ty.scalar().is_signed_integer() {
            self.require(symbol, &of);
        }
        if let (true, Some((low, high))) = (ty.scalar().is_narrow(), ty.scalar().limits()) {
            self.order(symbol, &Polynomial::number(low), &of);
            self.order(symbol, &of, &Polynomial::number(high));
        }
    }

    /// The value of an integer expression.
    fn value(&mut self, expr: &Expr) -> Polynomial {
        self.known_value(expr).unwrap_or_else(|| Polynomial::symbol(self.unknown_of(expr.ty)))
    }

    fn known_value(&mut self, expr: &Expr) -> Option<Polynomial> {
        let ty = expr.ty;
        match &expr.kind {
            ExprKind::Literal(literal) => literal.as_integer().map(Polynomial::number),
            ExprKind::Local(local) => {
                if !self.values.contains(*local) {
                    self.forget(*local);
                }
                let value = self.values.get(*local)?;
                self.may_wrap |= value.may_wrap;
                Some(value.of.clone())
            }
            ExprKind::Param(param) if is_integer(ty) => {
                let symbol = self.named(Name::Param(*param), false);
                self.limit(symbol, ty);
                Some(Polynomial::symbol(symbol))
            }
            ExprKind::Extent { array, axis } => Some(Polynomial::symbol(self.named(Name::Extent(*array, *axis), true))),
            ExprKind::Tid(axis) => Some(Polynomial::symbol(self.named(Name::Tid(*axis), true))),
            ExprKind::Load { array, index } if is_integer(ty) && !self.written.contains(array) => {
                let index: Vec<Polynomial> = index.iter().map(|index| self.value(index)).collect();
                let symbol = self.named(Name::Element(*array, index.clone()), false);
                self.limit(symbol, ty);
                if let [index] = index.as_slice() {
                    self.found.elements.insert(symbol, (*array, index.clone()));
                }
                Some(Polynomial::symbol(symbol))
            }
            ExprKind::Cast(inner) if is_integer(inner.ty) && is_integer(ty) => {
                let value = self.value(inner);
                // A cast to fewer bits cuts off high bits. Sizes and thread indices fit into 32 bits where that matters.
                let bits = |ty: Type| ty.scalar().bits().filter(|_| ty != Type::INDEX).unwrap_or(32);
                if let (true, Some((low, high))) = (bits(ty) < bits(inner.ty), ty.scalar().limits()) {
                    return value.as_number().is_some_and(|number| (low..=high).contains(&number)).then_some(value);
                }
                let is_signed = |ty: Type| ty.scalar().is_signed_integer();
                self.may_wrap |= match (is_signed(inner.ty), is_signed(ty)) {
                    (true, false) => !self.is_not_negative(&value),
                    // A large number becomes a negative one.
                    (false, true) => inner.ty != Type::INDEX && bits(inner.ty) >= bits(ty),
                    (true, true) | (false, false) => false,
                };
                Some(value)
            }
            // A sum of 8 or 16 bits soon wraps around.
            ExprKind::Op(op, args) if !ty.scalar().is_narrow() && is_integer(ty) => self.operation(*op, args, ty),
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
            | ExprKind::Field(..)
            | ExprKind::Op(..)
            | ExprKind::Select { .. } => None,
        }
    }

    fn operation(&mut self, op: Op, args: &[Expr], ty: Type) -> Option<Polynomial> {
        if !args.iter().all(|arg| is_integer(arg.ty)) {
            return None;
        }
        let args: Vec<Polynomial> = args.iter().map(|arg| self.value(arg)).collect();
        let known = match (op, args.as_slice()) {
            (Op::Add, [a, b]) => a.plus(b),
            (Op::Sub, [a, b]) => a.minus(b),
            (Op::Mul, [a, b]) => a.times(b),
            (Op::Neg, [a]) => Polynomial::default().minus(a),
            (Op::Below, [index, _]) => Some(index.clone()),
            (Op::Div, [a, b]) => self.quotient(a, b, ty),
            (Op::Rem, [a, b]) => {
                let quotient = self.quotient(a, b, ty);
                quotient.and_then(|quotient| a.minus(&quotient.times(b)?))
            }
            (Op::Shl, [a, by]) => self.power(by).and_then(|power| a.times(&power)),
            (Op::Shr, [a, by]) => self.power(by).and_then(|power| self.quotient(a, &power, ty)),
            // The low bits are the remainder of a division by a power of two.
            (Op::BitAnd, [a, mask]) => mask.plus_number(1).filter(|size| self.is_power(size)).and_then(|size| {
                let quotient = self.quotient(a, &size, ty)?;
                a.minus(&quotient.times(&size)?)
            }),
            _ => None,
        };
        known.or_else(|| Some(Polynomial::symbol(self.result(op, args, ty))))
    }

    /// The symbol for the result of an operation on these values.
    fn result(&mut self, op: Op, args: Vec<Polynomial>, ty: Type) -> Symbol {
        let symbol = self.named(Name::Op(op, args.clone()), false);
        let result = Polynomial::symbol(symbol);
        self.limit(symbol, ty);
        match (op, args.as_slice()) {
            (Op::Min, [a, b]) => [a, b].into_iter().for_each(|bound| self.order(symbol, &result, bound)),
            (Op::Max, [a, b]) => [a, b].into_iter().for_each(|bound| self.order(symbol, bound, &result)),
            (Op::Clamp, [_, low, high]) => {
                self.order(symbol, low, &result);
                self.order(symbol, &result, high);
            }
            (Op::Abs | Op::AbsDiff, _) => self.require(symbol, &result),
            (Op::SaturatingSub, [a, b]) if !ty.scalar().is_signed_integer() => {
                self.order(symbol, &result, a);
                if let Some(difference) = a.minus(b) {
                    self.order(symbol, &difference, &result);
                }
            }
            _ => {}
        }
        symbol
    }

    /// `a / b`, where neither is negative.
    fn quotient(&mut self, a: &Polynomial, b: &Polynomial, ty: Type) -> Option<Polynomial> {
        if ty.scalar().is_signed_integer() && !(self.is_not_negative(a) && self.is_not_negative(b)) {
            return None;
        }
        let symbol = self.named(Name::Quotient(a.clone(), b.clone()), true);
        let quotient = Polynomial::symbol(symbol);
        // 0 ≤ a - q·b < b
        let product = quotient.times(b)?;
        self.order(symbol, &product, a);
        self.order(symbol, &a.plus_number(1)?, &product.plus(b)?);
        Some(quotient)
    }

    /// 2 to the power of `by`.
    fn power(&mut self, by: &Polynomial) -> Option<Polynomial> {
        match by.as_number() {
            Some(by @ 0..=62) => Some(Polynomial::number(1 << by)),
            Some(_) => None,
            None => {
                let symbol = self.named(Name::Power(by.clone()), false);
                let power = Polynomial::symbol(symbol);
                self.order(symbol, &Polynomial::number(1), &power);
                Some(power)
            }
        }
    }

    /// Whether the value is a power of two.
    fn is_power(&self, value: &Polynomial) -> bool {
        let mut powers = self.named.iter().filter(|(name, _)| matches!(name, Name::Power(_)));
        value.as_number().is_some_and(|number| number > 0 && number & (number - 1) == 0)
            || powers.any(|(_, symbol)| *value == Polynomial::symbol(*symbol))
    }

    /// Whether the value is surely at least 0 here.
    fn is_not_negative(&self, value: &Polynomial) -> bool {
        if let Some(number) = value.as_number() {
            return number >= 0;
        }
        let Some(negative) = Polynomial::number(-1).minus(value) else { return false };
        let all = [Fact::NotNegative(negative)];
        let symbols = self.found.symbols_of(self.path.iter().chain(&all).map(Fact::polynomial));
        is_impossible(self.found.facts_of(&symbols).chain(&self.path).chain(&all))
    }

    /// What follows if the condition is true, or false.
    fn condition(&mut self, cond: &Expr, holds: bool) -> Vec<Fact> {
        match &cond.kind {
            ExprKind::Local(local) => {
                self.conditions.get(*local).map_or_else(Vec::new, |sides| sides[usize::from(!holds)].clone())
            }
            ExprKind::Op(Op::Not, args) => self.condition(&args[0], !holds),
            ExprKind::Op(op @ (Op::And | Op::Or), args) if holds == (*op == Op::And) => {
                args.iter().flat_map(|arg| self.condition(arg, holds)).collect()
            }
            ExprKind::Op(op, args) if args.len() == 2 && args.iter().all(|arg| is_integer(arg.ty)) => {
                self.may_wrap = false;
                let [a, b] = [&args[0], &args[1]].map(|arg| self.value(arg));
                if self.may_wrap { Vec::new() } else { comparison(*op, holds, &a, &b).into_iter().collect() }
            }
            ExprKind::Literal(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
            | ExprKind::Load { .. }
            | ExprKind::Tile(..)
            | ExprKind::Struct(_)
            | ExprKind::Call(..)
            | ExprKind::Cast(_)
            | ExprKind::Component(..)
            | ExprKind::Column(..)
            | ExprKind::Field(..)
            | ExprKind::Op(..)
            | ExprKind::Select { .. } => Vec::new(),
        }
    }
}

/// What a comparison says of its operands.
fn comparison(op: Op, holds: bool, a: &Polynomial, b: &Polynomial) -> Option<Fact> {
    let below = |a: &Polynomial, b: &Polynomial| b.minus(a)?.plus_number(-1).map(Fact::NotNegative);
    let at_most = |a: &Polynomial, b: &Polynomial| b.minus(a).map(Fact::NotNegative);
    match (op, holds) {
        (Op::Lt, true) | (Op::Ge, false) => below(a, b),
        (Op::Le, true) | (Op::Gt, false) => at_most(a, b),
        (Op::Gt, true) | (Op::Le, false) => below(b, a),
        (Op::Ge, true) | (Op::Lt, false) => at_most(b, a),
        (Op::Eq, true) | (Op::Ne, false) => a.minus(b).map(Fact::Zero),
        _ => None,
    }
}

/// Whether control leaves the block at the statement.
fn is_exit(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_))
}
