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
    Direction, Expr, ExprKind, Kernel, LocalId, LocalMap, LocalSet, Op, Place, PlaceRoot, Stmt, StmtKind, Type,
};

/// Where a block keeps a local array that it declares outside of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// In registers: each thread of a phase accesses its own elements only. Of `T` threads, the thread `t` has the elements
    /// `t`, `t + T`, `t + 2·T` and so on, at indices of the form `r * T + t`.
    Thread,
    /// In memory that the threads of the block share.
    Shared,
    /// In every thread: phases only read it, so all copies are equal.
    Uniform,
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

impl Kernel {
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
            let memory = match (accesses.uniform.contains(local), accesses.apart.contains(local)) {
                (false, false) if self.local(local).len.is_some_and(|len| len % size == 0) => Memory::Thread,
                _ if accesses.written.contains(local) => Memory::Shared,
                _ => Memory::Uniform,
            };
            found.insert(local, memory);
        }
        found
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
    /// Those that a phase writes.
    written: LocalSet,
}

impl Accesses {
    /// Notes the accesses in a statement, which is in the phase of `thread` if that is given.
    fn stmt(&mut self, stmt: &Stmt, thread: Option<LocalId>) {
        if let StmtKind::Let { local, init: None } = stmt.kind
            && thread.is_none()
        {
            self.declared.push(local);
        }
        if let Some(Place { root: PlaceRoot::LocalElement { local, index }, .. }) = stmt.place() {
            if thread.is_some() {
                self.written.insert(*local);
            }
            self.access(*local, index, thread);
        }
        for expr in stmt.exprs() {
            expr.walk(&mut |expr| {
                if let ExprKind::LocalElement { local, index } = &expr.kind {
                    self.access(*local, index, thread);
                }
            });
        }
        let thread = stmt.phase().map(|(thread, _)| thread).or(thread);
        stmt.blocks().flatten().for_each(|inner| self.stmt(inner, thread));
    }

    fn access(&mut self, array: LocalId, index: &Expr, thread: Option<LocalId>) {
        match thread {
            None => self.uniform.insert(array),
            Some(thread) if own_round(index, thread, self.threads).is_none() => self.apart.insert(array),
            Some(_) => false,
        };
    }
}
