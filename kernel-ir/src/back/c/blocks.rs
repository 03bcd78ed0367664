//! Block kernels in the dialects for GPUs.
//!
//! The threads of a block run the text together. The code outside of phases is run by all of them, with equal values; what it
//! stores is stored by the first thread. A barrier ends each phase, and stands behind each statement of the block, that
//! accesses what threads share and change. So at each statement of the block, all earlier accesses are over.

use super::expr::{Code, Level};
use super::writer::Writer;
use crate::ir::{Block, Expr, ExprKind, Lane, LocalId, Memory, PlaceRoot, Stmt, StmtKind, lane_of, own_round};
use crate::ops::Op;

const BARRIER: &str = "__syncthreads();";

impl Writer<'_> {
    /// Whether the text that is being written is that of all threads of a block.
    pub(super) fn is_of_block(&self) -> bool {
        self.frame.threads.as_ref().is_some_and(|threads| threads.phase.is_none())
    }

    /// Whether the array is a variable of each thread.
    pub(super) fn is_own(&self, array: LocalId) -> bool {
        matches!(self.memory(array), Some(Memory::Thread | Memory::Lanes))
    }

    /// The lane of the thread whose variable an element is, if it is that of another thread.
    pub(super) fn other_lane<'e>(&self, array: LocalId, index: &'e Expr) -> Option<Lane<'e>> {
        let thread = self.frame.threads.as_ref()?.phase.filter(|_| self.memory(array) == Some(Memory::Lanes))?;
        lane_of(index, thread)
    }

    /// The variable that another thread has.
    pub(super) fn value_of_lane(&mut self, array: LocalId, lane: Lane<'_>) -> Code {
        let own = self.text(|w| w.local(array));
        let (shuffle, number) = match self.lane_by_bits(&lane) {
            Some(bits) => (self.dialect.shuffle_xor(), bits),
            None => (self.dialect.shuffle(), lane.lane),
        };
        let number = match number.as_integer() {
            Some(number) => number.to_string(),
            None => {
                let number = self.text(|w| {
                    let number = w.expr(number);
                    w.at(number, Level::Unary);
                    number
                });
                ["(int)", &number.text].concat()
            }
        };
        let mask = self.dialect.all_lanes();
        let text = [shuffle, "(", mask, &own.text, ", ", &number, ", ", &lane.width.to_string(), ")"].concat();
        self.primary(&text)
    }

    /// The bits in which the number of the lane differs from that of the thread, if the lane is given by them. They must be a
    /// constant: the functions give no lane of the group for higher bits.
    fn lane_by_bits<'e>(&self, lane: &Lane<'e>) -> Option<&'e Expr> {
        let thread = self.frame.threads.as_ref()?.phase?;
        let ExprKind::Op(Op::BitXor, args) = &lane.lane.kind else { return None };
        let is_lane = args[1].as_integer().is_some_and(|bits| bits < lane.width.into());
        (is_lane && args[0].kind == ExprKind::Local(thread)).then_some(&args[1])
    }

    /// The element of an array of each thread that belongs to the thread.
    pub(super) fn own_element(&mut self, base: Code, array: LocalId, index: &Expr) -> Code {
        if self.kernel.local(array).len == self.kernel.block {
            return base;
        }
        let thread = self.frame.threads.as_ref().and_then(|threads| threads.phase);
        let round = thread.and_then(|thread| own_round(index, thread, self.kernel.block?)).flatten();
        self.subscript(base, |w| w.expr(round.unwrap_or(&Expr::index(0))))
    }

    fn memory(&self, array: LocalId) -> Option<Memory> {
        self.frame.threads.as_ref().and_then(|threads| threads.memory.get(array).copied())
    }

    /// Writes a statement of the block, whose results `after` may use first.
    pub(super) fn block_stmt(&mut self, stmt: &Stmt, after: &[Stmt]) {
        if let Some((thread, body)) = stmt.phase() {
            return self.phase(thread, body);
        }
        match &stmt.kind {
            StmtKind::Let { local, init: None } => match self.memory(*local) {
                Some(Memory::Thread | Memory::Lanes) => self.declare_own(*local),
                Some(Memory::Shared) => self.declare_shared(*local, after),
                Some(Memory::Uniform) | None => self.plain(stmt),
            },
            StmtKind::Let { .. } | StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => self.plain(stmt),
            StmtKind::Assign { .. } | StmtKind::Update { .. } | StmtKind::Atomic { .. } => {
                if self.stores_shared(stmt) {
                    self.by_first_thread(stmt)
                } else {
                    self.plain(stmt)
                }
            }
            StmtKind::Print(_) => self.by_first_thread(stmt),
            StmtKind::If { cond, then, other } => self.block_branch(cond, then, other),
            StmtKind::For { .. } | StmtKind::While { .. } => self.block_loop(stmt),
        }
    }

    /// A statement that all threads run alike.
    fn plain(&mut self, stmt: &Stmt) {
        self.single(stmt);
        if self.reads_shared(stmt.exprs()) {
            self.lines.line(BARRIER);
        }
    }

    /// A statement that changes what threads share, or prints.
    fn by_first_thread(&mut self, stmt: &Stmt) {
        self.lines.open("if (threadIdx.x == 0)");
        self.single(stmt);
        self.lines.close();
        self.lines.line(BARRIER);
    }

    fn phase(&mut self, thread: LocalId, body: &[Stmt]) {
        self.lines.line("{");
        self.lines.depth += 1;
        self.set_phase(Some(thread));
        if body.iter().any(|stmt| stmt.any(&mut |stmt| self.names_thread(stmt, thread))) {
            let line = ["const index_t ", self.names.local(thread), " = threadIdx.x;"].concat();
            self.lines.line(line);
        }
        self.block(body);
        self.set_phase(None);
        self.lines.close();
        if body.iter().any(|stmt| stmt.any(&mut |stmt| self.stores_shared(stmt) || self.reads_shared(stmt.exprs()))) {
            self.lines.line(BARRIER);
        }
    }

    /// Whether the text of the statement itself has the index of the thread. That of an element in a register has not.
    fn names_thread(&self, stmt: &Stmt, thread: LocalId) -> bool {
        let own_place = stmt.place().and_then(|place| match &place.root {
            PlaceRoot::LocalElement { local, index } if self.is_own(*local) => Some(index),
            PlaceRoot::LocalElement { .. } | PlaceRoot::Local(_) | PlaceRoot::Element { .. } => None,
        });
        let mut exprs = stmt.exprs().filter(|expr| own_place.is_none_or(|index| !std::ptr::eq(*expr, index)));
        exprs.any(|expr| self.expr_names(expr, thread))
    }

    fn expr_names(&self, expr: &Expr, thread: LocalId) -> bool {
        match &expr.kind {
            ExprKind::Local(local) => *local == thread,
            ExprKind::LocalElement { local, index } if self.is_own(*local) => {
                let lane = self.other_lane(*local, index);
                lane.is_some_and(|lane| self.expr_names(self.lane_by_bits(&lane).unwrap_or(lane.lane), thread))
            }
            ExprKind::Literal(_)
            | ExprKind::LocalElement { .. }
            | ExprKind::Param(_)
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
            | ExprKind::Select { .. } => expr.children().any(|child| self.expr_names(child, thread)),
        }
    }

    fn set_phase(&mut self, thread: Option<LocalId>) {
        self.frame.threads.iter_mut().for_each(|threads| threads.phase = thread);
    }

    fn block_branch(&mut self, cond: &Expr, then: &Block, other: &Block) {
        if self.reads_shared(std::iter::once(cond)) {
            let (holds, value) = (self.names.fresh("holds"), self.text(|w| w.expr(cond)));
            self.lines.line(["const bool ", &holds, " = ", &value.text, ";"].concat());
            self.lines.line(BARRIER);
            self.push(&["if (", &holds].concat());
        } else {
            self.push("if (");
            self.expr(cond);
        }
        self.open_line();
        self.block(then);
        if !other.is_empty() {
            self.lines.reopen("else");
            self.block(other);
        }
        self.lines.close();
    }

    /// A loop of the block. Its head is evaluated before each trip, so a barrier is in its body and behind it.
    fn block_loop(&mut self, stmt: &Stmt) {
        let reads = self.reads_shared(stmt.exprs());
        self.loop_head(&stmt.kind);
        if reads {
            self.lines.line(BARRIER);
        }
        stmt.blocks().for_each(|body| self.block(body));
        self.lines.close();
        if reads {
            self.lines.line(BARRIER);
        }
    }

    /// Declares the own values of each thread.
    fn declare_own(&mut self, array: LocalId) {
        let declared = self.kernel.local(array);
        let (ty, rounds) = (self.ty(declared.ty), declared.len.unwrap_or(1) / self.kernel.block.unwrap_or(1));
        let len = if rounds == 1 { String::new() } else { format!("[{rounds}]") };
        let line = [&ty, " ", self.names.local(array), &len, " = {};"].concat();
        self.lines.line(line);
    }

    /// Declares an array that the threads share. Its elements start as zeros, unless the next phase gives each a value.
    fn declare_shared(&mut self, array: LocalId, after: &[Stmt]) {
        let (declared, name) = (self.kernel.local(array), self.names.local(array).to_owned());
        let (ty, len) = (self.ty(declared.ty), declared.len.unwrap_or_default().to_string());
        self.lines.line(["__shared__ ", &ty, " ", &name, "[", &len, "];"].concat());
        let filling = Filling { array, len: declared.len.unwrap_or(1), threads: self.kernel.block.unwrap_or(1) };
        if filling.is_first(after) {
            return;
        }
        let k = self.names.fresh("k");
        let head = ["for (index_t ", &k, " = threadIdx.x; ", &k, " < ", &len, "; ", &k, " += blockDim.x)"].concat();
        self.lines.open(head);
        self.lines.line([&name, "[", &k, "] = {};"].concat());
        self.lines.close();
        self.lines.line(BARRIER);
    }

    /// Whether the statement itself changes memory that threads share.
    fn stores_shared(&self, stmt: &Stmt) -> bool {
        stmt.place().is_some_and(|place| match place.root {
            PlaceRoot::Local(_) => false,
            PlaceRoot::LocalElement { local, .. } => self.memory(local) == Some(Memory::Shared),
            PlaceRoot::Element { .. } => true,
        })
    }

    /// Whether expressions read memory that threads share and change.
    fn reads_shared<'e>(&self, exprs: impl Iterator<Item = &'e Expr>) -> bool {
        let mut is_shared = |expr: &Expr| match expr.kind {
            ExprKind::Load { array, .. } => self.kernel.param(array).is_mutable(),
            ExprKind::LocalElement { local, .. } => self.memory(local) == Some(Memory::Shared),
            ExprKind::Literal(_)
            | ExprKind::Local(_)
            | ExprKind::Param(_)
            | ExprKind::Tid(_)
            | ExprKind::Extent { .. }
            | ExprKind::Present(_)
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
        let mut exprs = exprs;
        exprs.any(|expr| expr.any(&mut is_shared))
    }
}

/// An array that a phase may fill.
struct Filling {
    array: LocalId,
    len: u32,
    threads: u32,
}

impl Filling {
    /// Whether the first statement that uses the array is a phase that assigns all elements before it uses the array
    /// otherwise. The phase may be in a loop, if only the loop uses the array.
    fn is_first(&self, after: &[Stmt]) -> bool {
        let mut uses = after.iter().filter(|stmt| stmt.mentions(self.array));
        let Some(first) = uses.next() else { return true };
        let Some((thread, body)) = first.phase() else {
            let is_only = uses.next().is_none() && !first.exprs().any(|expr| expr.reads(self.array));
            return is_only && first.is_loop() && first.blocks().all(|body| self.is_first(body));
        };
        self.is_filled(body, thread, 1)
    }

    /// Whether this body of a phase, of `rounds` rounds, assigns the elements of the thread in each round, before it uses the
    /// array otherwise.
    fn is_filled(&self, body: &[Stmt], thread: LocalId, rounds: u32) -> bool {
        let Some(first) = body.iter().find(|stmt| stmt.mentions(self.array)) else { return false };
        match &first.kind {
            StmtKind::Assign { place, value } => {
                let is_own = match &place.root {
                    PlaceRoot::LocalElement { local, index } => {
                        *local == self.array && own_round(index, thread, self.threads).is_some()
                    }
                    PlaceRoot::Local(_) | PlaceRoot::Element { .. } => false,
                };
                is_own && place.path.is_empty() && !value.reads(self.array) && rounds * self.threads >= self.len
            }
            // Each round is one trip of the only loop.
            StmtKind::For { range, body, .. } if rounds == 1 && range.step.is_none() && !range.inclusive => {
                let ends = (range.start.as_integer(), range.end.as_integer());
                let (Some(0), Some(end)) = ends else { return false };
                u32::try_from(end).is_ok_and(|end| self.is_filled(body, thread, end))
            }
            // There are no elements behind the last one.
            StmtKind::If { cond, then, other } if other.is_empty() => {
                let ExprKind::Op(Op::Lt, args) = &cond.kind else { return false };
                let is_end = args[1].as_integer() == Some(self.len.into());
                is_end && own_round(&args[0], thread, self.threads).is_some() && self.is_filled(then, thread, rounds)
            }
            StmtKind::Let { .. }
            | StmtKind::Update { .. }
            | StmtKind::Atomic { .. }
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_)
            | StmtKind::Print(_) => false,
        }
    }
}
