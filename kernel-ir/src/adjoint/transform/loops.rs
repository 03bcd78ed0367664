//! Reversal of loops: trips are reversed from the last to the first, each replayed from the state at its start.
//!
//! The *state* of a loop is what a trip needs of earlier trips: the locals that the body changes and that the adjoint
//! of a trip reads, and the locals that are needed to recompute these. A loop without state, such as a sum, stores
//! nothing.
//! - A loop with a constant number of trips that is small enough stores the state of every trip in local arrays while
//!   it runs forward. So does a loop that may end earlier, by a `break`.
//! - Any other loop with a state stores states in a fixed number of checkpoints, and runs forward again from the
//!   nearest one. The checkpoints follow the binomial schedule of Griewank and Walther (Algorithm 799, "revolve",
//!   2000). To reverse l trips with s checkpoints, the first of which holds the state at their start, it advances
//!   min(C(s+r-1, s), l - C(s+r-2, s-1)) trips and stores a checkpoint there. Here r is the smallest number with C(s+r,
//!   s) ≥ l.
//!
//! A `break` or `continue` ends a trip. The number of trips is known when the loop is reversed, so both become branches
//! in the replayed body. A loop that may end early, `while` included, counts its trips on the way forward.

use super::context::{Env, ReverseSweep};
use crate::analysis::always_exits;
use crate::ir::{
    Block, Callee, Direction, Expr, ExprKind, ForRange, Literal, LocalId, Place, PlaceRoot, Span, Stmt, StmtKind, Type,
};
use crate::ops::Op;
use crate::ops::schedule::trips_to_next_checkpoint;
use crate::rewrite::build::{
    self, assign, binary, branch, cast, compare, declare, expr, index, local_place, stmt, zero,
};
use crate::rewrite::dead_code::{self, Live};
use crate::rewrite::early_exits::{contains, end_early};

/// The largest number of checkpoints of a loop, unless the author sets one.
const CHECKPOINTS: u32 = 32;

/// The largest number of scalars that a thread stores for one loop, unless the author sets a number of states.
const KEPT: u32 = 256;

/// A loop of the source.
struct Loop<'s> {
    /// The variable and range of a `for`, over the names before the loop.
    counter: Option<(LocalId, ForRange)>,
    cond: Option<&'s Expr>,
    body: &'s Block,
    /// The locals declared outside of the loop that the loop changes.
    changed: Vec<LocalId>,
    /// The names of the locals before the loop.
    before: Env,
}

/// The blocks that replay a loop.
struct Replay {
    /// The adjoint of one trip, from the state at its start.
    reverse: Block,
    /// One trip forward: it computes the state of the next trip from the state at its start.
    advance: Block,
    /// The loop variable of a `for` in `reverse` and in `advance`.
    variables: Option<[LocalId; 2]>,
    /// The state: locals of the source, with their names in both blocks.
    state: Vec<(LocalId, LocalId)>,
    /// Names in `advance` of changed locals that are not state: every trip sets them before it reads them.
    scratch: Vec<LocalId>,
}

fn read(local: LocalId, ty: Type) -> Expr {
    expr(ExprKind::Local(local), ty)
}

fn usize_of(local: LocalId) -> Expr {
    read(local, Type::INDEX)
}

fn set(local: LocalId, value: Expr) -> Stmt {
    assign(local_place(local, value.ty), value)
}

impl ReverseSweep<'_> {
    /// Writes the loop `stmt` forward and back.
    pub(super) fn repeat(&mut self, stmt: &Stmt, env: &mut Env, forward: &mut Block, back: &mut Block) {
        let (counter, cond, body) = match &stmt.kind {
            StmtKind::For { local, range, body } => (Some((*local, self.rename_range(range, env))), None, body),
            StmtKind::While { cond, body } => (None, Some(cond), body),
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::If { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => return,
        };
        let changed = self.changed(stmt, env);
        let lp = Loop { counter, cond, body, changed, before: env.clone() };
        // An empty range: the loop has no effect, and its adjoint none either.
        if lp.number_of_trips() == Some(0) {
            return;
        }
        let replay = self.replay(&lp);
        // After the loop a changed local holds the value of the last trip, so it gets one new name for the whole loop.
        self.new_names(&lp.changed, env, forward);
        let mut names = env.clone();
        if let Some((local, _)) = lp.counter {
            names.insert(local, self.renamed(local));
        }
        let mut trip = self.copy(body, &mut names.clone());
        // Three strategies, cheapest first: store every state, need no state, or recompute states from checkpoints.
        match (lp.number_of_trips(), lp.is_regular()) {
            (Some(trips), true) if replay.state.is_empty() || trips <= self.most_kept(&replay.state) => {
                let kept = self.keep_all(trips, &lp, &replay, &names, &mut trip, forward);
                forward.push(self.plain_loop(&lp, &names, trip));
                back.extend(reverse_all(&lp, replay, &kept));
            }
            (_, true) if replay.state.is_empty() => {
                forward.push(self.plain_loop(&lp, &names, trip));
                back.extend(reverse_all(&lp, replay, &[]));
            }
            (Some(most), false) if lp.has_unit_step() && most <= self.most_kept(&replay.state) => {
                let kept = self.keep_all(most, &lp, &replay, &names, &mut trip, forward);
                let trips = self.count(&lp, &mut trip, forward);
                forward.push(self.plain_loop(&lp, &names, trip));
                self.reverse_counted(&lp, replay, &kept, trips, back);
            }
            _ => {
                let trips = self.count(&lp, &mut trip, forward);
                forward.push(self.plain_loop(&lp, &names, trip));
                self.reverse_by_checkpoints(&lp, replay, trips, back);
            }
        }
    }

    /// The loop over the current names, with the body `body`.
    fn plain_loop(&self, lp: &Loop<'_>, names: &Env, body: Block) -> Stmt {
        match (&lp.counter, lp.cond) {
            (Some((local, range)), _) => {
                let local = names.get(*local).copied().unwrap_or(*local);
                stmt(StmtKind::For { local, range: range.clone(), body })
            }
            (None, cond) => {
                let cond = cond.map_or_else(|| build::bool(true), |cond| self.rename(cond, names));
                stmt(StmtKind::While { cond, body })
            }
        }
    }

    /// Makes the blocks that replay a trip, and computes the state: a fixpoint, because a local that `advance` needs is
    /// itself state.
    fn replay(&mut self, lp: &Loop<'_>) -> Replay {
        // In the reversed trip an exit is a branch.
        let is_exit = |kind: &StmtKind| matches!(kind, StmtKind::Break | StmtKind::Continue);
        let body = end_early(lp.body.clone(), &is_exit, &mut self.kernel.locals);
        // The reverse trip reads the state under new names. The names that it reads before it sets them are the state.
        let mut env = lp.before.clone();
        let names: Vec<(LocalId, LocalId)> = lp.changed.iter().map(|local| (*local, self.renamed(*local))).collect();
        env.extend(names.iter().copied());
        let variables = lp.counter.as_ref().map(|(local, _)| [self.renamed(*local), self.renamed(*local)]);
        let with_variable = |env: &Env, place: usize| {
            let mut env = env.clone();
            if let (Some((local, _)), Some(variables)) = (&lp.counter, variables) {
                env.insert(*local, variables[place]);
            }
            env
        };
        let mut reverse = self.reverse(&body, &with_variable(&env, 0));
        // The accumulations into these adjoints are the purpose of the trip, so they are its roots.
        let mut live = self.adjoint_locals();
        dead_code::eliminate(&mut reverse, &mut live);
        let needed_by = |live: &Live| names.iter().filter(|(_, name)| live.contains(*name)).copied().collect();
        let mut state: Vec<(LocalId, LocalId)> = needed_by(&live);
        // `end_early` has changed only `body`; the forward copy keeps `continue`. A trip with a `break` is the last one,
        // and the forward copy runs for earlier trips only.
        let whole = self.copy(&without_breaks(lp.body), &mut with_variable(&env, 1));
        loop {
            let mut advance = whole.clone();
            // Live after a trip is the state of the next one. Live before it may be more, which then is state too.
            let mut live: Live = state.iter().map(|(_, name)| *name).collect();
            let after = live.clone();
            dead_code::eliminate_in_trip(&mut advance, &mut live);
            live.add(&after);
            let more: Vec<(LocalId, LocalId)> = needed_by(&live);
            if more.len() == state.len() {
                let is_scratch = |(_, name): &&(LocalId, LocalId)| !live.contains(*name);
                let scratch = names.iter().filter(is_scratch).map(|(_, name)| *name).collect();
                return Replay { reverse, advance, variables, state, scratch };
            }
            state = more;
        }
    }

    /// The number of scalars that a thread stores of the state.
    fn size(&self, state: &[(LocalId, LocalId)]) -> u32 {
        let size = |ty: Type| match (ty.components() as u32, self.kernel.block) {
            (components, Some(threads)) if ty.is_tile() => components.div_ceil(threads),
            (components, _) => components,
        };
        state.iter().map(|(local, _)| size(self.kernel.local(*local).ty)).sum()
    }

    /// A local array for states of a local of the source.
    fn kept(&mut self, local: LocalId, len: u32) -> LocalId {
        let (name, ty) = (self.kernel.local(local).name.clone(), self.kernel.local(local).ty);
        self.local_array(&format!("{}_kept", name.trim_start_matches("r#")), ty, len)
    }

    fn local_array(&mut self, name: &str, ty: Type, len: u32) -> LocalId {
        let array = self.fresh(name, ty);
        self.adjoint.locals[array.0 as usize].len = Some(len);
        array
    }

    /// Stores the state of every trip as the loop runs forward. The stores go to the start of `trip`.
    fn keep_all(
        &mut self,
        trips: u32,
        lp: &Loop<'_>,
        replay: &Replay,
        names: &Env,
        trip: &mut Block,
        forward: &mut Block,
    ) -> Vec<Kept> {
        let Some((variable, range)) = &lp.counter else { return Vec::new() };
        let mut all = Vec::new();
        for (local, state) in &replay.state {
            let ty = self.kernel.local(*local).ty;
            // A range without a step numbers its trips densely, so the trip number indexes the array.
            let array = self.kept(*local, trips);
            forward.push(stmt(StmtKind::Let { local: array, init: None }));
            let name = |local: LocalId| names.get(local).copied().unwrap_or(local);
            let counter = read(name(*variable), range.start.ty);
            trip.insert(0, assign(element(array, number_of(range, counter), ty), read(name(*local), ty)));
            all.push(Kept { state: *state, array, ty });
        }
        all
    }

    /// The number of trips: computed from the range, or counted in `trip`.
    fn count(&mut self, lp: &Loop<'_>, trip: &mut Block, forward: &mut Block) -> Expr {
        if let (Some((_, range)), true) = (&lp.counter, lp.is_regular()) {
            let name = "trips";
            return self.bind(name, distance(range), forward);
        }
        // A `break` or a step makes the number of trips irregular, so the forward loop counts them.
        let trips = self.fresh("trips", Type::INDEX);
        forward.push(declare(trips, index(0)));
        trip.insert(0, build::add(local_place(trips, Type::INDEX), index(1)));
        usize_of(trips)
    }

    /// Reverses the first `trips` trips, whose states are all known.
    fn reverse_counted(&mut self, lp: &Loop<'_>, replay: Replay, kept: &[Kept], trips: Expr, back: &mut Block) {
        let (Some((_, range)), Some([variable, _])) = (&lp.counter, replay.variables) else { return };
        if replay.reverse.is_empty() {
            return;
        }
        let trip = self.fresh("trip", Type::INDEX);
        let states =
            kept.iter().map(|kept| declare(kept.state, element(kept.array, usize_of(trip), kept.ty).value(kept.ty)));
        let mut body: Block = states.collect();
        body.push(declare(variable, value_at(range, usize_of(trip))));
        body.extend(replay.reverse);
        let range = ForRange { start: index(0), end: trips, inclusive: false, direction: Direction::Down, step: None };
        back.push(stmt(StmtKind::For { local: trip, range, body }));
    }

    /// Reverses `trips` trips, restoring states from checkpoints.
    fn reverse_by_checkpoints(&mut self, lp: &Loop<'_>, replay: Replay, trips: Expr, back: &mut Block) {
        let Replay { reverse, advance, variables, state, scratch } = replay;
        if reverse.is_empty() {
            return;
        }
        let trip = self.fresh("trip", Type::INDEX);
        let variable = |place: usize, trip: Expr| match (&lp.counter, variables) {
            (Some((_, range)), Some(variables)) => vec![declare(variables[place], value_at(range, trip))],
            _ => Vec::new(),
        };
        let mut body = Block::new();
        if !state.is_empty() {
            let len = self.checkpoint_count(&state);
            let top = self.fresh("top", Type::INDEX);
            let kept_trip = self.local_array("trip_kept", Type::INDEX, len);
            let mut kept = Vec::new();
            // Checkpoint 0 is the state before the loop. `top` is the last checkpoint in use, and `trip_kept` the trip
            // of each.
            for (local, name) in &state {
                let ty = self.kernel.local(*local).ty;
                let array = self.kept(*local, len);
                let before = lp.before.get(*local).copied().unwrap_or(*local);
                back.push(stmt(StmtKind::Let { local: array, init: None }));
                back.push(assign(element(array, index(0), ty), read(before, ty)));
                kept.push(Kept { state: *name, array, ty });
            }
            back.push(stmt(StmtKind::Let { local: kept_trip, init: None }));
            back.push(declare(top, index(0)));

            // Every reversed trip starts from the last checkpoint: restore it, walk to `trip`, then reverse `trip`.
            let at = self.fresh("at", Type::INDEX);
            for Kept { state, array, ty } in &kept {
                body.push(declare(*state, element(*array, usize_of(top), *ty).value(*ty)));
            }
            let trip_of_top = || element(kept_trip, usize_of(top), Type::INDEX).value(Type::INDEX);
            body.push(declare(at, trip_of_top()));

            // From the state at `top`, advance towards `trip`, and store checkpoints where the schedule puts them.
            let mut walk = Block::new();
            let steps = self.advance_by(trip, at, top, len, &mut walk);
            let next = self.fresh("next", Type::INDEX);
            let mut trip_forward = variable(1, usize_of(next));
            // Scratch locals are set before they are read in a trip, so they need no value from the checkpoint.
            trip_forward.extend(scratch.into_iter().map(|local| stmt(StmtKind::Let { local, init: None })));
            trip_forward.extend(advance);
            let range = ForRange {
                start: usize_of(at),
                end: binary(Op::Add, usize_of(at), steps.clone()),
                inclusive: false,
                direction: Direction::Up,
                step: None,
            };
            walk.push(stmt(StmtKind::For { local: next, range, body: trip_forward }));
            walk.push(build::add(local_place(at, Type::INDEX), steps));
            let mut keep = vec![build::add(local_place(top, Type::INDEX), index(1))];
            for Kept { state, array, ty } in &kept {
                keep.push(assign(element(*array, usize_of(top), *ty), read(*state, *ty)));
            }
            keep.push(assign(element(kept_trip, usize_of(top), Type::INDEX), usize_of(at)));
            // Once the last checkpoint is in use, the walk stores nothing.
            let is_free = compare(Op::Lt, usize_of(top), index(len - 1));
            walk.extend(branch(is_free, keep, Vec::new()));
            let cond = compare(Op::Lt, usize_of(at), usize_of(trip));
            body.push(stmt(StmtKind::While { cond, body: walk }));

            body.extend(variable(0, usize_of(trip)));
            body.extend(reverse);
            // A checkpoint whose own trip has been reversed is not needed again.
            let is_used_up = compare(
                Op::And,
                compare(Op::Gt, usize_of(top), index(0)),
                compare(Op::Eq, trip_of_top(), usize_of(trip)),
            );
            let drop = set(top, binary(Op::Sub, usize_of(top), index(1)));
            body.extend(branch(is_used_up, vec![drop], Vec::new()));
        } else {
            body.extend(variable(0, usize_of(trip)));
            body.extend(reverse);
        }
        // The trips are reversed from the last to the first.
        let range = ForRange { start: index(0), end: trips, inclusive: false, direction: Direction::Down, step: None };
        back.push(stmt(StmtKind::For { local: trip, range, body }));
    }

    /// The largest number of states to store: the author's number, or as many as fit into `KEPT` scalars.
    fn most_kept(&self, state: &[(LocalId, LocalId)]) -> u32 {
        self.kernel.slots.unwrap_or_else(|| KEPT / self.size(state).max(1))
    }

    /// The number of checkpoints.
    fn checkpoint_count(&self, state: &[(LocalId, LocalId)]) -> u32 {
        self.kernel.slots.unwrap_or_else(|| CHECKPOINTS.min(self.most_kept(state)).max(2))
    }

    /// Emits the schedule: how many trips to advance from the state of the trip `at`, on the way to `trip`.
    fn advance_by(&mut self, trip: LocalId, at: LocalId, top: LocalId, len: u32, out: &mut Block) -> Expr {
        let all = binary(Op::Sub, binary(Op::Add, usize_of(trip), index(1)), usize_of(at));
        let free = binary(Op::Sub, index(len), usize_of(top));
        let function = trips_to_next_checkpoint(|name| self.kernel.functions().iter().any(|own| own.name() == name));
        let steps = expr(ExprKind::Call(Callee::of_values(function), vec![all, free]), Type::INDEX);
        self.bind("steps", steps, out)
    }
}

/// A local array with the stored states of a local.
struct Kept {
    /// The name of the local in the replay blocks.
    state: LocalId,
    array: LocalId,
    ty: Type,
}

fn element(array: LocalId, index: Expr, ty: Type) -> Place {
    Place { root: PlaceRoot::LocalElement { local: array, index }, path: Vec::new(), ty, span: Span::NONE }
}

impl Loop<'_> {
    /// Whether the range alone determines the trips: the loop is a `for` without a step and without `break`.
    fn is_regular(&self) -> bool {
        self.has_unit_step() && !contains(self.body, &|kind| matches!(kind, StmtKind::Break))
    }

    /// Whether the loop is a `for` without a step.
    fn has_unit_step(&self) -> bool {
        matches!(&self.counter, Some((_, range)) if range.step.is_none())
    }

    /// The number of trips if it is a constant; without those after a `break`, it is smaller.
    fn number_of_trips(&self) -> Option<u32> {
        let (_, range) = self.counter.as_ref()?;
        let trips = range.end.as_integer()?.checked_sub(range.start.as_integer()?)? + i128::from(range.inclusive);
        u32::try_from(trips.max(0)).ok()
    }
}

/// The body of a loop for trips that are known to take no `break`. The `break` of an inner loop belongs to that loop.
fn without_breaks(body: &Block) -> Block {
    let mut out = Block::new();
    for stmt in body {
        let StmtKind::If { cond, then, other } = &stmt.kind else {
            out.push(stmt.clone());
            continue;
        };
        match (breaks(then), breaks(other)) {
            (true, _) => out.extend(without_breaks(other)),
            (false, true) => out.extend(without_breaks(then)),
            (false, false) => out.extend(branch(cond.clone(), without_breaks(then), without_breaks(other))),
        }
    }
    out
}

/// Whether every path through the block takes a `break`. A path with a `continue` before it does not.
fn breaks(block: &Block) -> bool {
    let [breaks, continues] = [StmtKind::Break, StmtKind::Continue].map(|exit| move |kind: &StmtKind| *kind == exit);
    always_exits(block, &breaks) && !contains(block, &continues)
}

/// Reverses a loop whose states are all known: the same range in the opposite direction.
fn reverse_all(lp: &Loop<'_>, replay: Replay, kept: &[Kept]) -> Block {
    let (Some((_, range)), Some([variable, _])) = (&lp.counter, replay.variables) else { return Block::new() };
    if replay.reverse.is_empty() {
        return Block::new();
    }
    let number = number_of(range, read(variable, range.start.ty));
    let states =
        kept.iter().map(|kept| declare(kept.state, element(kept.array, number.clone(), kept.ty).value(kept.ty)));
    let mut body: Block = states.collect();
    body.extend(replay.reverse);
    let direction = match range.direction {
        Direction::Up | Direction::Phase => Direction::Down,
        Direction::Down => Direction::Up,
    };
    vec![stmt(StmtKind::For { local: variable, range: ForRange { direction, ..range.clone() }, body })]
}

/// The number of values between start and end of a range without a step; 0 if the range is empty.
fn distance(range: &ForRange) -> Expr {
    let ty = range.start.ty;
    // The difference of two `i32` may exceed `i32`.
    let wide = if ty == Type::I32 { Type::I64 } else { roomy(ty) };
    let (start, end) = (cast(range.start.clone(), wide), cast(range.end.clone(), wide));
    let (nothing, span) = (index(0), if is_zero(&start) { end } else { binary(Op::Sub, end, start) });
    let mut span = cast(span, Type::INDEX);
    let mut order = Op::Gt;
    if range.inclusive {
        span = binary(Op::Add, span, index(1));
        order = Op::Ge;
    }
    // A difference of indices is not negative here, so no condition is needed.
    if is_zero(&range.start) && ty == Type::INDEX {
        return span;
    }
    let cond = Box::new(compare(order, range.end.clone(), range.start.clone()));
    expr(ExprKind::Select { cond, then: Box::new(span), other: Box::new(nothing) }, Type::INDEX)
}

/// The type in which the values of a loop variable of type `ty` are computed: differences of narrow integers, and steps
/// over them, may exceed their type.
fn roomy(ty: Type) -> Type {
    if ty.scalar().is_narrow() { Type::I32 } else { ty }
}

fn is_zero(value: &Expr) -> bool {
    *value == zero(value.ty)
}

/// The first value of a range in its direction.
fn first(range: &ForRange) -> Expr {
    match (range.direction, range.inclusive) {
        (Direction::Up | Direction::Phase, _) => range.start.clone(),
        (Direction::Down, true) => range.end.clone(),
        (Direction::Down, false) => {
            let one = Literal::int(1, range.end.ty).map_or_else(|| index(1), Expr::literal);
            binary(Op::Sub, range.end.clone(), one)
        }
    }
}

/// The value of the loop variable in trip number `trip`, which is a `usize`.
fn value_at(range: &ForRange, trip: Expr) -> Expr {
    let ty = roomy(range.start.ty);
    let mut offset = cast(trip, ty);
    if let Some(step) = &range.step {
        offset = binary(Op::Mul, offset, cast(step.clone(), ty));
    }
    let first = cast(first(range), ty);
    let value = match range.direction {
        Direction::Up | Direction::Phase if is_zero(&first) => offset,
        Direction::Up | Direction::Phase => binary(Op::Add, first, offset),
        Direction::Down => binary(Op::Sub, first, offset),
    };
    cast(value, range.start.ty)
}

/// The number of the trip in which the variable of a range without a step has the value `value`.
fn number_of(range: &ForRange, value: Expr) -> Expr {
    let ty = roomy(value.ty);
    let (first, value) = (cast(first(range), ty), cast(value, ty));
    let offset = match range.direction {
        Direction::Up | Direction::Phase if is_zero(&first) => value,
        Direction::Up | Direction::Phase => binary(Op::Sub, value, first),
        Direction::Down => binary(Op::Sub, first, value),
    };
    cast(offset, Type::INDEX)
}
