//! The rules of block kernels.

use super::tiles;
use crate::diag::Diagnostic;
use crate::ir::{
    Block, Direction, ForRange, Kernel, Local, LocalId, LocalSet, Memory, Place, PlaceRoot, Span, Stmt, StmtKind, Type,
};

/// Checks the phases of a kernel, and the memory that a block shares.
pub(super) fn check(kernel: &Kernel, mistakes: &mut Vec<Diagnostic>) {
    let Some(size) = kernel.block else {
        kernel.walk_stmts(&mut |stmt| {
            if stmt.phase().is_some() {
                mistakes.push(Diagnostic::new(stmt.span, "a phase is in a kernel that is not launched over blocks"));
            }
            tiles::check_absent(
                stmt,
                "a tile is in a kernel that is not launched over blocks",
                "write `let block = block::<256>();` at the start of the kernel",
                mistakes,
            );
        });
        return;
    };
    if !(1..=Kernel::MOST_THREADS).contains(&size) {
        let message = format!("a block has 1 to {} threads, not {size}", Kernel::MOST_THREADS);
        mistakes.push(Diagnostic::new(Span::NONE, message));
    }
    if kernel.dim != 1 {
        let message = format!("a launch over blocks has 1 axis, not {}", kernel.dim);
        mistakes.push(Diagnostic::new(Span::NONE, message));
    }
    check_shared(kernel, mistakes);
    Phases { kernel, size, mistakes, own: None, loops: 0 }.block(&kernel.body);
}

/// Checks the arrays that the threads of a block share. Their elements are those that an array parameter may have, because race
/// detection makes parameters of them.
fn check_shared(kernel: &Kernel, mistakes: &mut Vec<Diagnostic>) {
    let memory = kernel.block_memory();
    let shared = memory.iter().filter(|(_, memory)| **memory == Memory::Shared);
    let shared: Vec<&Local> = shared.map(|(local, _)| kernel.local(local)).collect();
    for local in shared.iter().filter(|local| local.ty == Type::INDEX || local.ty.is_struct()) {
        let message = format!("the threads of a block cannot share `{}`, an array of {}", local.name, local.ty);
        let help = "share numbers, vectors or matrices: `u32` for indices, an array for each field of a struct";
        mistakes.push(Diagnostic::new(local.span, message).help(help));
    }
    let bytes = kernel.shared_bytes();
    if bytes > Kernel::MOST_SHARED {
        let message =
            format!("the threads of a block share {bytes} bytes, and a GPU has {} bytes", Kernel::MOST_SHARED);
        let at = shared.first().map_or(Span::NONE, |local| local.span);
        mistakes.push(Diagnostic::new(at, message).help("use smaller arrays, or several passes over them"));
    }
}

struct Phases<'a> {
    kernel: &'a Kernel,
    size: u32,
    mistakes: &'a mut Vec<Diagnostic>,
    /// In a phase, the locals that it declares.
    own: Option<LocalSet>,
    /// The number of loops around the statement, inside of the phase.
    loops: usize,
}

impl Phases<'_> {
    fn report(&mut self, span: Span, message: impl Into<String>, help: &str) {
        self.mistakes.push(Diagnostic::new(span, message).help(help));
    }

    fn block(&mut self, block: &Block) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let (Some(own), Some(local)) = (&mut self.own, stmt.declared_local()) {
            own.insert(local);
        }
        self.assigned(stmt);
        if self.own.is_some() {
            let message = "a tile belongs to the whole block, and a phase is the work of one thread";
            tiles::check_absent(stmt, message, "write it outside of phases", self.mistakes);
        }
        match &stmt.kind {
            StmtKind::For { local, range, body } if range.direction == Direction::Phase => {
                return self.phase(*local, range, body, stmt.span);
            }
            StmtKind::Return(_) if self.own.is_some() => {
                let help = "put the rest of the phase into an `if`";
                self.report(stmt.span, "a phase has no `return`: all threads must reach the barrier at its end", help);
            }
            StmtKind::Break | StmtKind::Continue if self.own.is_some() && self.loops == 0 => {
                let help = "put the rest of the phase into an `if`";
                self.report(stmt.span, "a phase is left at its end only, where the barrier is", help);
            }
            StmtKind::Atomic { result: Some(_), .. } if self.own.is_none() => {
                let help = "write it in a phase, for one thread: `if t == 0 { … }`";
                self.report(
                    stmt.span,
                    "outside of phases, the old value of an atomic operation is not known to all threads",
                    help,
                );
            }
            StmtKind::Atomic { place: Place { root: PlaceRoot::LocalElement { local, .. }, .. }, .. }
                if self.own.as_ref().is_none_or(|own| own.contains(*local)) =>
            {
                let name = self.kernel.local(*local).name.clone();
                let help = "an array of the block is updated in a phase; anything else needs no atomics";
                self.report(stmt.span, format!("no threads meet at `{name}` here"), help);
            }
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
            | StmtKind::Print(_) => {}
        }
        self.loops += usize::from(stmt.is_loop());
        stmt.blocks().for_each(|block| self.block(block));
        self.loops -= usize::from(stmt.is_loop());
    }

    fn phase(&mut self, thread: LocalId, range: &ForRange, body: &Block, span: Span) {
        if self.own.is_some() {
            return self.report(span, "a phase is inside of another one", "end the first phase before the second one");
        }
        let of_block = (Some(0), Some(i128::from(self.size))) == (range.start.as_integer(), range.end.as_integer());
        if !of_block || range.inclusive || range.step.is_some() || self.kernel.local(thread).ty != Type::INDEX {
            return self.report(
                span,
                format!("a phase goes over the threads 0..{} of the block", self.size),
                "use a plain loop",
            );
        }
        let mut own = LocalSet::default();
        own.insert(thread);
        let loops = std::mem::take(&mut self.loops);
        self.own = Some(own);
        self.block(body);
        self.own = None;
        self.loops = loops;
    }

    /// Reports the assignment of a variable of the block in a phase.
    fn assigned(&mut self, stmt: &Stmt) {
        let Some(own) = &self.own else { return };
        let root = stmt.place().and_then(|place| match place.root {
            PlaceRoot::Local(local) => Some(local),
            PlaceRoot::LocalElement { .. } | PlaceRoot::Element { .. } => None,
        });
        let result = match stmt.kind {
            StmtKind::Atomic { result, .. } => result,
            StmtKind::Let { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Update { .. }
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => None,
        };
        let Some(local) = root.or(result).filter(|local| !own.contains(*local)) else { return };
        let local = self.kernel.local(local);
        let (name, declared) = (local.name.clone(), local.span);
        let diagnostic =
            Diagnostic::new(stmt.span, format!("a phase cannot assign `{name}`, which belongs to the whole block"));
        self.mistakes.push(
            diagnostic
                .related(declared, "declared here")
                .note("all threads of the phase would assign it at once")
                .help(format!("give each thread its own: `let mut {name} = block.per_thread(…);` and `{name}[t]`")),
        );
    }
}
