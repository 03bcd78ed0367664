//! Block kernels, which are launched over blocks of threads.
//!
//! The body of a block kernel is what a block does, from top to bottom. A *phase* is what each thread of the block does
//! between two barriers: a `for` over the threads with the direction [`Phase`](Direction::Phase). All other code is
//! *uniform*: every thread computes the same values, and what it stores is stored once.
//!
//! A phase means the same as a plain loop, so the interpreter, the analyses and the adjoint know loops only. Texts for
//! GPUs run its trips on the threads of the block, and end it with a barrier. That is the same as long as no thread of a
//! phase accesses what another one writes in it; race detection checks this.
//!
//! Where the block keeps a local array follows from its accesses; see [`Memory`].

use super::{
    Direction, Expr, ExprKind, Kernel, Local, LocalId, LocalMap, LocalSet, Op, Place, PlaceRoot, Scalar, Stmt,
    StmtKind, Type,
};

/// Where a block keeps a local array that it declares outside of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// In registers: each thread of a phase accesses its own elements only. Of `T` threads, the thread `t` has the elements
    /// `t`, `t + T`, `t + 2·T` and so on, at indices of the form `r * T + t`.
    Thread,
    /// In registers, too: each thread has one element, and also reads those of other threads in its group of lanes, at indices
    /// of the form `t / W * W + lane % W`.
    Lanes,
    /// In memory that the threads of the block share.
    Shared,
    /// In every thread: phases only read it, so all copies are equal.
    Uniform,
}

impl Memory {
    /// Whether a thread may read what another one wrote.
    pub(crate) fn is_seen_by_others(self) -> bool {
        matches!(self, Memory::Shared | Memory::Lanes)
    }
}

/// The `r` in the index `r * T + t` of an element that belongs to the thread `t` of `T` threads. It is `None` inside for the
/// index `t`, and `None` for other indices.
pub(crate) fn own_round(index: &Expr, thread: LocalId, threads: u32) -> Option<Option<&Expr>> {
    let is_thread = |expr: &Expr| expr.kind == ExprKind::Local(thread);
    if is_thread(index) {
        return Some(None);
    }
    let ExprKind::Op(Op::Add, terms) = &index.kind else { return None };
    let [Expr { kind: ExprKind::Op(Op::Mul, factors), .. }, last] = terms.as_slice() else { return None };
    let [round, count] = factors.as_slice() else { return None };
    (is_thread(last) && count.as_integer() == Some(threads.into())).then_some(Some(round))
}

/// The value of another thread in the same group of lanes.
pub(crate) struct Lane<'e> {
    /// The number of the lane in the group is the remainder of this by the width.
    pub(crate) lane: &'e Expr,
    /// The number of lanes of a group.
    pub(crate) width: u32,
}

/// The lane in the index `t / W * W + lane % W`, whose element belongs to a thread of the group of `t`. The width `W` is a power
/// of two from 2 to [`Kernel::WARP`].
pub(crate) fn lane_of(index: &Expr, thread: LocalId) -> Option<Lane<'_>> {
    fn operands(expr: &Expr, op: Op) -> Option<&[Expr; 2]> {
        let ExprKind::Op(found, args) = &expr.kind else { return None };
        args.as_slice().try_into().ok().filter(|_| *found == op)
    }
    let [start, lane] = operands(index, Op::Add)?;
    let [group, width] = operands(start, Op::Mul)?;
    let [of, divisor] = operands(group, Op::Div)?;
    let [lane, modulus] = operands(lane, Op::Rem)?;
    let number = width.as_integer()?;
    let is_group = of.kind == ExprKind::Local(thread) && divisor.as_integer() == Some(number);
    let width =
        u32::try_from(number).ok().filter(|width| width.is_power_of_two() && (2..=Kernel::WARP).contains(width))?;
    (is_group && modulus.as_integer() == Some(number)).then_some(Lane { lane, width })
}

impl Kernel {
    /// The number of threads that exchange values without memory.
    pub const WARP: u32 = 32;
    /// The largest number of threads of a block.
    pub const MOST_THREADS: u32 = 1024;
    /// The largest size in bytes of the arrays that the threads of a block share. Every GPU has that much.
    pub const MOST_SHARED: usize = 48 << 10;

    /// Where the blocks of a block kernel keep each local array that is declared outside of phases. Empty for a kernel
    /// that is launched over threads.
    pub fn block_memory(&self) -> LocalMap<Memory> {
        let mut found = LocalMap::default();
        let Some(size) = self.block else { return found };
        let mut accesses = Accesses { threads: size, ..Accesses::default() };
        self.body.iter().for_each(|stmt| accesses.stmt(stmt, None));
        for local in accesses.declared.into_iter().filter(|local| self.local(*local).len.is_some()) {
            let of_threads = !accesses.uniform.contains(local) && !accesses.apart.contains(local);
            let memory = match accesses.lanes.contains(local) {
                true if of_threads && self.shuffles(local) => Memory::Lanes,
                false if of_threads && self.local(local).len.is_some_and(|len| len % size == 0) => Memory::Thread,
                _ if accesses.written.contains(local) => Memory::Shared,
                _ => Memory::Uniform,
            };
            found.insert(local, memory);
        }
        found
    }

    /// Whether threads may exchange the elements of an array without memory: warps are whole, and a GPU has instructions for
    /// values of the type.
    fn shuffles(&self, local: LocalId) -> bool {
        let Local { ty, len, .. } = self.local(local);
        let has_width = matches!(
            ty.scalar(),
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 | Scalar::F32 | Scalar::F64
        );
        *len == self.block && self.block.is_some_and(|size| size % Kernel::WARP == 0) && ty.is_scalar() && has_width
    }

    /// The size in bytes of the arrays that the threads of a block share.
    pub fn shared_bytes(&self) -> usize {
        let memory = self.block_memory();
        let shared = memory.iter().filter(|(_, memory)| **memory == Memory::Shared).map(|(local, _)| self.local(local));
        // An index has at most 8 bytes.
        let size = |ty: Type| ty.layout().map_or(8 * ty.components(), |layout| layout.size);
        shared.map(|local| size(local.ty) * local.len.unwrap_or(1) as usize).sum()
    }
}

impl Stmt {
    /// The thread and the body of a phase; `None` for other statements.
    pub fn phase(&self) -> Option<(LocalId, &[Stmt])> {
        match &self.kind {
            StmtKind::For { local, range, body } if range.direction == Direction::Phase => Some((*local, body)),
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
            | StmtKind::Print(_) => None,
        }
    }
}

/// How a block kernel accesses local arrays.
#[derive(Default)]
struct Accesses {
    /// The number of threads of the block.
    threads: u32,
    /// The arrays that are declared outside of phases, in order.
    declared: Vec<LocalId>,
    /// Those that uniform code accesses.
    uniform: LocalSet,
    /// Those of which a phase accesses elements that are not the thread's own.
    apart: LocalSet,
    /// Those of which a phase reads elements of other [lanes](lane_of), where all threads do.
    lanes: LocalSet,
    /// Those that a phase writes.
    written: LocalSet,
}

impl Accesses {
    /// Notes the accesses in a statement, which is in the phase of `thread` if that is given.
    fn stmt(&mut self, stmt: &Stmt, thread: Option<Running>) {
        if let StmtKind::Let { local, init: None } = stmt.kind
            && thread.is_none()
        {
            self.declared.push(local);
        }
        if let Some(Place { root: PlaceRoot::LocalElement { local, index }, .. }) = stmt.place() {
            if thread.is_some() {
                self.written.insert(*local);
            }
            // Atomic operations work on memory, also where each thread has an element of its own.
            match stmt.atomic() {
                Some(_) => drop(self.apart.insert(*local)),
                None => self.access(*local, index, thread),
            }
        }
        // Threads may take different branches, and leave a loop after different trips. So they evaluate its head differently often.
        let some = thread.map(|running| Running { all: false, ..running });
        let head = if stmt.is_loop() { some } else { thread };
        stmt.exprs().for_each(|expr| self.expr(expr, head));
        let inner = stmt.phase().map(|(thread, _)| Running { thread, all: true }).or(some);
        stmt.blocks().flatten().for_each(|stmt| self.stmt(stmt, inner));
    }

    fn expr(&mut self, expr: &Expr, thread: Option<Running>) {
        if let ExprKind::LocalElement { local, index } = &expr.kind {
            match thread {
                Some(Running { thread, all: true }) if lane_of(index, thread).is_some() => {
                    self.lanes.insert(*local);
                }
                _ => self.access(*local, index, thread),
            }
        }
        let is_lazy = match &expr.kind {
            ExprKind::Op(op, _) => op.is_lazy(),
            other => matches!(other, ExprKind::Select { .. }),
        };
        for (place, child) in expr.children().enumerate() {
            // The first operand is always evaluated.
            let all = !is_lazy || place == 0;
            self.expr(child, thread.map(|running| Running { all: running.all && all, ..running }));
        }
    }

    fn access(&mut self, array: LocalId, index: &Expr, thread: Option<Running>) {
        match thread {
            None => self.uniform.insert(array),
            Some(Running { thread, .. }) if own_round(index, thread, self.threads).is_none() => {
                self.apart.insert(array)
            }
            Some(_) => false,
        };
    }
}

/// The threads that run the code of a phase.
#[derive(Clone, Copy)]
struct Running {
    /// The index of a thread.
    thread: LocalId,
    /// Whether all threads of the block run the code, as often as each other.
    all: bool,
}
