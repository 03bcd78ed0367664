//! One thread: its locals, and statements executed.

use super::num::Num;
use super::ops::{Outcome, apply};
use super::races::{Access, Watch};
use super::value::Value;
use super::{Fault, Machine, Number};
use crate::data::Argument;
use crate::ir::{AtomicOp, Block, Direction, Expr, ForRange, Kernel, Local, LocalId, Param, ParamKind, Stmt, StmtKind};
use crate::ops::Op;

/// The thread that runs. Threads run one after the other, so one is enough.
pub(super) struct Thread<'a, S, D> {
    pub(super) kernel: &'a Kernel,
    pub(super) args: &'a mut [Argument<S, D>],
    /// The by-value parameters; of an array, anything.
    pub(super) values: Vec<Value<S, D>>,
    pub(super) tid: [usize; 4],
    /// The value of every local. No local is read before this thread has assigned it, so none is cleared.
    pub(super) locals: Vec<Value<S, D>>,
    /// The elements of every local array.
    pub(super) slots: Vec<Vec<Value<S, D>>>,
    /// Whose functions are used, if not those of this machine.
    pub(super) machine: Option<Machine>,
    /// Who touches what, if somebody wants to know.
    pub(super) watch: Option<Box<Watch>>,
    /// How many trips of loops are left, for this thread and those after it.
    trips: u64,
    allowed: u64,
}

/// Where execution goes on after a statement.
enum Next<S, D> {
    Statement,
    Break,
    Continue,
    /// With the result of a device function.
    Return(Option<Value<S, D>>),
}

impl<'a, S: Number, D: Number> Thread<'a, S, D> {
    pub(super) fn new(
        kernel: &'a Kernel,
        dim: &[usize],
        args: &'a mut [Argument<S, D>],
        trips: u64,
        machine: Option<Machine>,
    ) -> Self {
        debug_assert_eq!(dim.len(), usize::from(kernel.dim));
        let value = |(param, arg): (&Param, &Argument<S, D>)| match param.kind {
            ParamKind::Value(ty) => Value::read(ty, &arg.data, 0),
            ParamKind::Array { .. } => Value::Bool(false),
        };
        let values = kernel.params.iter().zip(&*args).map(value).collect();
        Thread::with_values(kernel, args, values, trips, trips, machine)
    }

    fn with_values(
        kernel: &'a Kernel,
        args: &'a mut [Argument<S, D>],
        values: Vec<Value<S, D>>,
        trips: u64,
        allowed: u64,
        machine: Option<Machine>,
    ) -> Self {
        let locals = vec![Value::Bool(false); kernel.locals.len()];
        let slots = vec![Vec::new(); kernel.locals.len()];
        Thread { kernel, args, values, tid: [0; 4], locals, slots, machine, watch: None, trips, allowed }
    }

    /// Runs the body of a device function, and takes the trips of its loops.
    pub(super) fn body(&mut self, code: &Kernel, values: Vec<Value<S, D>>) -> Outcome<Option<Value<S, D>>> {
        let mut callee = Thread::with_values(code, &mut [], values, self.trips, self.allowed, self.machine);
        let next = callee.block(&code.body);
        self.trips = callee.trips;
        match next? {
            Next::Return(result) => Ok(result),
            _ => Ok(None),
        }
    }

    /// Runs the threads of these indices.
    pub(super) fn run_all(&mut self, tids: impl IntoIterator<Item = Vec<usize>>) -> Result<(), Fault> {
        tids.into_iter().try_for_each(|tid| self.run(&tid).map_err(|message| Fault { message, thread: tid }))
    }

    /// Runs the thread of the index `tid`.
    pub(super) fn run(&mut self, tid: &[usize]) -> Outcome<()> {
        self.tid[..tid.len()].copy_from_slice(tid);
        let kernel = self.kernel;
        self.block(&kernel.body).map(|_| ())
    }

    pub(super) fn local(&mut self, local: LocalId) -> &mut Value<S, D> {
        &mut self.locals[local.0 as usize]
    }

    fn block(&mut self, block: &Block) -> Outcome<Next<S, D>> {
        for stmt in block {
            match self.stmt(stmt)? {
                Next::Statement => {}
                other => return Ok(other),
            }
        }
        Ok(Next::Statement)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Outcome<Next<S, D>> {
        match &stmt.kind {
            StmtKind::Let { local, init } => {
                if let Some(init) = init {
                    *self.local(*local) = self.eval(init)?;
                } else if let Local { ty, len: Some(len), .. } = *self.kernel.local(*local) {
                    self.slots[local.0 as usize] = vec![Value::zero(ty); len as usize];
                }
            }
            StmtKind::Assign { place, value } => {
                let value = self.eval(value)?;
                let target = self.target(place)?;
                self.note_place(&target, Access::Write);
                self.store(&target, value);
            }
            StmtKind::Update { place, op, value } => {
                let value = self.eval(value)?;
                let target = self.target(place)?;
                self.note_place(&target, Access::Write);
                let value = apply(*op, &[self.load(&target), value], place.ty)?;
                self.store(&target, value);
            }
            StmtKind::Atomic { op, place, value, result } => {
                let value = self.eval(value)?;
                let target = self.target(place)?;
                self.note_place(&target, Access::Atomic);
                let old = self.load(&target);
                let value = match (old.num(), value.num()) {
                    (Some(old), Some(value)) => self.apply_scalars(combination(*op), &[old, value])?.into(),
                    _ => apply(combination(*op), &[old.clone(), value], place.ty)?,
                };
                self.store(&target, value);
                if let Some(result) = result {
                    *self.local(*result) = old;
                }
            }
            StmtKind::If { cond, then, other } => {
                let chosen = if self.eval_bool(cond)? { then } else { other };
                return self.block(chosen);
            }
            StmtKind::For { local, range, body } => return self.for_loop(*local, range, body),
            StmtKind::While { cond, body } => return self.while_loop(cond, body),
            StmtKind::Break => return Ok(Next::Break),
            StmtKind::Continue => return Ok(Next::Continue),
            StmtKind::Return(result) => {
                let result = result.as_ref().map(|result| self.eval(result)).transpose()?;
                return Ok(Next::Return(result));
            }
        }
        Ok(Next::Statement)
    }

    /// Counts a trip of a loop.
    fn start_trip(&mut self) -> Outcome<()> {
        match self.trips.checked_sub(1) {
            Some(left) => {
                self.trips = left;
                Ok(())
            }
            None => Err(format!("the loops of the launch make more than {} trips", self.allowed)),
        }
    }

    fn while_loop(&mut self, cond: &Expr, body: &Block) -> Outcome<Next<S, D>> {
        while self.eval_bool(cond)? {
            self.start_trip()?;
            match self.block(body)? {
                Next::Statement | Next::Continue => {}
                Next::Break => break,
                end @ Next::Return(_) => return Ok(end),
            }
        }
        Ok(Next::Statement)
    }

    fn for_loop(&mut self, local: LocalId, range: &ForRange, body: &Block) -> Outcome<Next<S, D>> {
        let start = self.eval_integer(&range.start)?;
        let end = self.eval_integer(&range.end)?;
        let step = range.step.as_ref().map_or(Ok(1), |step| self.eval_integer(step))?;
        if step == 0 {
            return Err("the step of a `for` is 0".to_owned());
        }
        let scalar = self.kernel.local(local).ty.scalar();
        let last = if range.inclusive { end } else { end - 1 };
        let (mut value, step) = match range.direction {
            Direction::Up => (start, step),
            Direction::Down => (last, -step),
        };
        while (start..=last).contains(&value) {
            self.start_trip()?;
            *self.local(local) = Num::integer(scalar, value).into();
            match self.block(body)? {
                Next::Statement | Next::Continue => {}
                Next::Break => break,
                end @ Next::Return(_) => return Ok(end),
            }
            value += step;
        }
        Ok(Next::Statement)
    }
}

/// What an atomic statement computes.
pub(super) fn combination(op: AtomicOp) -> Op {
    match op {
        AtomicOp::Add => Op::Add,
        AtomicOp::Sub => Op::Sub,
        AtomicOp::Min => Op::Min,
        AtomicOp::Max => Op::Max,
    }
}
