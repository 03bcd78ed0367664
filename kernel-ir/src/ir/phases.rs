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

use super::{Direction, Expr, ExprKind, Kernel, LocalId, LocalMap, LocalSet, Place, PlaceRoot, Stmt, StmtKind, Type};

/// Where a block keeps a local array that it declares outside of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// In registers: each thread of a phase accesses its own element only.
    Thread,
    /// In memory that the threads of the block share.
    Shared,
    /// In every thread: phases only read it, so all copies are equal.
    Uniform,
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
        let mut accesses = Accesses::default();
        self.body.iter().for_each(|stmt| accesses.stmt(stmt, None));
        for local in accesses.declared.into_iter().filter(|local| self.local(*local).len.is_some()) {
            let memory = match (accesses.uniform.contains(local), accesses.apart.contains(local)) {
                (false, false) if self.local(local).len == Some(size) => Memory::Thread,
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
    /// The arrays that are declared outside of phases, in order.
    declared: Vec<LocalId>,
    /// Those that uniform code accesses.
    uniform: LocalSet,
    /// Those that a phase accesses at another index than that of the thread.
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
            Some(thread) if index.kind != ExprKind::Local(thread) => self.apart.insert(array),
            Some(_) => false,
        };
    }
}
