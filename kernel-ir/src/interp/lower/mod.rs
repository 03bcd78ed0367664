//! Lowers a kernel to a [`Program`].
//!
//! This module allocates registers. The temporaries of a statement are freed after it, and the registers of a
//! declaration at the end of its block. A local that is never reassigned gets no registers of its own; it aliases the
//! registers of its value.

mod call;
mod expr;
mod place;
mod stmt;
mod trace;

use super::program::{Instr, Operand, Preset, Program, Reg, Region, Regs, Source, Step};
use crate::analysis::{Execution, Lockstep, Sharing, float_sums, grid_reductions};
use crate::ir::{Block, Function, Kernel, LocalId, ParamId, Scalar, Stmt, StmtKind, Type};
use crate::rewrite::shared_atomics;
use crate::text::print_expr;
use crate::verify::VerifiedKernel;
use smallvec::smallvec;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

impl VerifiedKernel {
    /// The program of the kernel, lowered on first use.
    pub(super) fn program(&self) -> &Program {
        self.attached(|kernel| {
            let execution = Execution::of(kernel);
            let scatters = execution.sharing.values().any(|class| *class == Sharing::Scatter);
            let lockstep = scatters.then(|| Lockstep::of(kernel, &execution)).flatten();
            lower(kernel, execution, lockstep)
        })
    }

    /// Lowers the kernel for another execution than its own, without lockstep.
    ///
    /// # Panics
    /// If the kernel has run already.
    pub(crate) fn set_execution(&self, execution: Execution) {
        let mut is_new = false;
        self.attached(|kernel| {
            is_new = true;
            lower(kernel, execution, None)
        });
        assert!(is_new, "`{}` runs already as its own analysis says", self.name);
    }
}

/// Lowers `kernel`.
fn lower(kernel: &VerifiedKernel, execution: Execution, lockstep: Option<Lockstep>) -> Program {
    let mut reduced: BTreeSet<ParamId> =
        grid_reductions(kernel).into_keys().filter(|id| kernel.param(*id).elem().is_float()).collect();
    // A GPU adds in any order, even if the CPU runs the threads in launch order.
    let proven = if execution.reason.is_some() { Execution::proven(kernel) } else { execution.clone() };
    if proven.reason.is_some() {
        reduced.extend(float_sums(kernel));
    }
    let shared = proven.sharing.iter().filter(|(_, class)| class.is_sum()).map(|(id, _)| *id);
    let sums: Vec<ParamId> = shared.chain(reduced.iter().copied()).collect();
    let serial = shared_atomics::as_updates(kernel);
    let mut lowering = Lowering {
        frame: Frame::new(&serial),
        sums: sums.clone(),
        counts: [0; Scalar::ALL.len()],
        constants: HashMap::new(),
        names: Vec::new(),
        regions: Vec::new(),
        counts_regions: true,
        strong: Vec::new(),
        functions: Vec::new(),
        steps: Vec::new(),
    };
    let body = lowering.body(&serial.body, lockstep.as_ref());
    let presets = lowering.constants.into_iter().map(|((source, _), reg)| Preset { source, reg }).collect();
    Program {
        body,
        functions: lowering.functions.into_iter().map(|function| function.body).collect(),
        counts: lowering.counts,
        presets,
        names: lowering.names,
        regions: lowering.regions,
        strong: lowering.strong,
        sums_are_open: proven.has_sums() && adds_floats(kernel),
        sums,
        execution,
        lockstep,
        reduced: reduced.into_iter().collect(),
    }
}

struct Lowering<'a> {
    frame: Frame<'a>,
    /// The arrays to which several threads add; duplicates are harmless.
    sums: Vec<ParamId>,
    counts: [u32; Scalar::ALL.len()],
    constants: HashMap<(Source, Scalar), Reg>,
    names: Vec<String>,
    regions: Vec<Region>,
    /// Whether the current code counts for coverage.
    counts_regions: bool,
    /// The expressions of strong operations so far. The last one belongs to the current operation.
    strong: Vec<String>,
    functions: Vec<Lowered>,
    /// The steps of the current block.
    steps: Vec<Step>,
}

/// A parameter of a function.
#[derive(Clone)]
enum Bound {
    Value(Operand),
    /// An array of the kernel.
    Array(ParamId),
}

/// A function, lowered for the arrays that it takes.
struct Lowered {
    function: Arc<Function>,
    /// The arrays of the kernel.
    arrays: Vec<ParamId>,
    /// The registers of the by-value parameters.
    params: Vec<Operand>,
    result: Operand,
    body: Vec<Step>,
}

/// The state for the kernel, or for one function.
struct Frame<'a> {
    code: &'a Kernel,
    locals: Vec<Option<Stored>>,
    /// The parameters, of a function.
    params: Vec<Bound>,
    /// The registers for the result, of a function.
    result: Option<Operand>,
    /// The registers that may be reused, by type.
    free: [Vec<Reg>; Scalar::ALL.len()],
    /// The registers in use, the latest last.
    taken: Vec<(Scalar, Reg)>,
}

/// The location of a local.
#[derive(Clone)]
enum Stored {
    Value(Operand),
    /// A local array; its first register.
    LocalElements(Reg),
}

impl<'a> Frame<'a> {
    fn new(code: &'a Kernel) -> Frame<'a> {
        Frame {
            code,
            locals: vec![None; code.locals.len()],
            params: Vec::new(),
            result: None,
            free: Default::default(),
            taken: Vec::new(),
        }
    }
}

impl<'a> Lowering<'a> {
    /// Allocates a register.
    fn register(&mut self, of: Scalar) -> Reg {
        let reg = self.frame.free[of as usize].pop().unwrap_or_else(|| self.neighbours(of, 1));
        self.frame.taken.push((of, reg));
        reg
    }

    /// Allocates `count` new adjacent registers; returns the first.
    fn neighbours(&mut self, of: Scalar, count: usize) -> Reg {
        let count_of = &mut self.counts[of as usize];
        let first = *count_of;
        *count_of += count as u32;
        first
    }

    /// Allocates registers for the scalars of a value. Those of a vector, matrix or quaternion, also of one in a struct,
    /// are adjacent.
    fn registers(&mut self, ty: Type) -> Operand {
        let leaves = ty.leaves().into_iter();
        Operand { ty, regs: leaves.flat_map(|leaf| self.adjacent(leaf)).collect() }
    }

    /// Allocates adjacent registers for the scalars of a value that is no struct.
    fn adjacent(&mut self, ty: Type) -> Regs {
        let (of, count) = (ty.scalar(), ty.components());
        if count == 1 {
            return smallvec![self.register(of)];
        }
        let first = self.neighbours(of, count);
        let regs: Regs = (first..first + count as u32).collect();
        self.frame.taken.extend(regs.iter().map(|reg| (of, *reg)));
        regs
    }

    /// Allocates registers for the scalars of a value, not necessarily adjacent.
    fn temporaries(&mut self, ty: Type) -> Operand {
        Operand { ty, regs: ty.scalars().map(|of| self.register(of)).collect() }
    }

    /// Frees the registers allocated since `mark`, except those of `kept`.
    fn release(&mut self, mark: usize, kept: Option<&Operand>) {
        let frame = &mut self.frame;
        let mut end = mark;
        for place in mark..frame.taken.len() {
            let (of, reg) = frame.taken[place];
            if kept.is_some_and(|kept| kept.contains(of, reg)) {
                frame.taken[end] = (of, reg);
                end += 1;
            } else {
                frame.free[of as usize].push(reg);
            }
        }
        frame.taken.truncate(end);
    }

    /// The register that holds `source`.
    fn preset(&mut self, source: Source, of: Scalar) -> Reg {
        if let Some(reg) = self.constants.get(&(source, of)) {
            return *reg;
        }
        let reg = self.neighbours(of, 1);
        self.constants.insert((source, of), reg);
        reg
    }

    /// The number of the current expression with a strong operation.
    fn origin(&self) -> u32 {
        (self.strong.len() as u32).saturating_sub(1)
    }

    fn push(&mut self, instr: Instr) {
        if let Some(Step::Code(code)) = self.steps.last_mut() {
            code.push(instr);
        } else {
            self.steps.push(Step::Code(vec![instr]));
        }
    }

    /// The steps that `make` appends.
    fn steps_of<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> (Vec<Step>, T) {
        let outer = std::mem::take(&mut self.steps);
        let made = make(self);
        (std::mem::replace(&mut self.steps, outer), made)
    }

    /// Lowers a block, a region that [`Region`] describes by `words`.
    fn block(&mut self, block: &'a Block, is_branch: bool, words: String) -> Vec<Step> {
        let mark = self.frame.taken.len();
        let steps = self.regions_of(block, (is_branch, words), Self::stmt);
        self.release(mark, None);
        steps
    }

    /// Lowers the body of the kernel. Lockstep groups synchronise before and after each lockstep loop, and after each
    /// of its trips.
    fn body(&mut self, block: &'a Block, lockstep: Option<&Lockstep>) -> Vec<Step> {
        let loops: Vec<&Stmt> =
            lockstep.into_iter().flat_map(|of| of.loops.iter().map(|place| &block[*place])).collect();
        self.regions_of(block, (false, "the body".to_owned()), |this, stmt| {
            if !loops.iter().any(|of| std::ptr::eq(*of, stmt)) {
                return this.stmt(stmt);
            }
            this.steps.push(Step::Meet);
            this.stmt(stmt);
            if let Some(Step::For(of)) = this.steps.last_mut() {
                of.body.push(Step::Meet);
            }
        })
    }

    /// Lowers the statements of a block by `lower`. A region starts with the block, and after each statement by which
    /// threads may leave it.
    fn regions_of(
        &mut self,
        block: &'a Block,
        (is_branch, words): (bool, String),
        lower: impl Fn(&mut Self, &'a Stmt),
    ) -> Vec<Step> {
        let (steps, ()) = self.steps_of(|this| {
            let mut region = this.start_region(is_branch, words);
            for (place, stmt) in block.iter().enumerate() {
                this.regions[region].statements += usize::from(this.counts_regions);
                lower(this, stmt);
                if place + 1 < block.len() && leaves(stmt) {
                    region = this.start_region(false, format!("after {}", heading(this.frame.code, stmt)));
                }
            }
        });
        steps
    }

    /// Starts a region; returns its number.
    fn start_region(&mut self, is_branch: bool, words: String) -> usize {
        let number = self.regions.len();
        self.regions.push(Region { statements: 0, is_branch: is_branch && self.counts_regions, words });
        self.steps.push(Step::Reach(number as u32));
        number
    }

    /// Copies a value into registers of its type.
    fn assign(&mut self, to: &Operand, value: &Operand, masked: bool) {
        // Sources are read one by one, so a destination may overwrite a source that is still needed. The value is then
        // copied first.
        let overwrites = |place: usize| to.regs()[..place].contains(&value.regs()[place]);
        let source = if (0..value.regs().len()).any(overwrites) { self.copied(value) } else { value.clone() };
        for ((of, dst), src) in to.scalars().zip(source.regs()).filter(|((_, dst), src)| dst != *src) {
            self.push(Instr::Move { of, dst, src: *src, masked });
        }
    }

    /// A copy of the value in new registers.
    fn copied(&mut self, value: &Operand) -> Operand {
        let copy = self.temporaries(value.ty);
        for ((of, dst), src) in copy.scalars().zip(value.regs()) {
            self.push(Instr::Move { of, dst, src: *src, masked: false });
        }
        copy
    }

    /// The array of the kernel that the current code calls `array`.
    fn array(&self, array: ParamId) -> ParamId {
        match self.frame.params.get(array.0 as usize) {
            Some(Bound::Array(of_kernel)) => *of_kernel,
            Some(Bound::Value(_)) | None => array,
        }
    }

    fn stored(&self, local: LocalId) -> Stored {
        // The verifier has checked that a local is used after its declaration only.
        self.frame.locals[local.0 as usize].clone().unwrap_or(Stored::LocalElements(0))
    }

    fn local(&self, local: LocalId) -> Operand {
        match self.stored(local) {
            Stored::Value(value) => value,
            Stored::LocalElements(first) => one(self.frame.code.local(local).ty, first),
        }
    }
}

/// A scalar in a register; every entry of the operand is that register.
fn one(ty: Type, reg: Reg) -> Operand {
    Operand { ty, regs: smallvec![reg; ty.components()] }
}

/// A value, given the register of each scalar.
fn listed(ty: Type, reg: impl Fn(usize) -> Reg) -> Operand {
    Operand { ty, regs: (0..ty.components()).map(reg).collect() }
}

/// Whether a thread that executes the statement may not execute the next one.
fn leaves(stmt: &Stmt) -> bool {
    let mut leaves = false;
    stmt.walk(&mut |stmt| leaves |= matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)));
    leaves
}

/// The head of a compound statement for messages, as in "`if x > 0f32`".
fn heading(code: &Kernel, stmt: &Stmt) -> String {
    let text = |expr| print_expr(code, expr);
    match &stmt.kind {
        StmtKind::If { cond, .. } => format!("`if {}`", text(cond)),
        StmtKind::For { local, .. } => format!("`for {}`", code.local(*local).name),
        StmtKind::While { cond, .. } => format!("`while {}`", text(cond)),
        StmtKind::Let { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Update { .. }
        | StmtKind::Atomic { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Print(_) => "a statement".to_owned(),
    }
}

/// Whether threads add floats to arrays.
fn adds_floats(kernel: &Kernel) -> bool {
    let mut adds = false;
    kernel.walk_stmts(&mut |stmt| {
        adds |= stmt.atomic().is_some_and(|(_, place)| place.ty.is_float());
    });
    adds
}
