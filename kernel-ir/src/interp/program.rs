//! A kernel as the machine runs it.
//!
//! A [`Program`] is made once for a kernel ([`lower`](super::lower)) and depends on nothing but the kernel: not on a launch,
//! and not on what floats are in a run. Statements stay a tree of [`Step`]s. Expressions become [`Instr`]s, which follow
//! each other without jumps.
//!
//! **Registers.** Every scalar type has a file of registers. A vector, matrix or quaternion is a list of registers of its
//! scalars, in the order of memory, not necessarily neighbours: to make a vector of scalars, to take a component or a
//! column, to transpose costs nothing. A register holds a number for each thread that runs ([`engine`](super::engine)).
//!
//! **Who may write what.** The threads of a group are at one place of the program, though some of them may wait: they took
//! another branch, or left a loop. A register that is written before it is read, in one run through the block that it
//! belongs to, may be written for all threads, even for those that wait: they read it no more. That is so for all
//! temporaries and for declarations. Only what outlives the block (an assigned local, the result of a function) is written
//! for those threads alone that are there: [`Instr::Move`] with `masked`. For the same reason an operation that cannot
//! fail may be computed for all threads. What may fail, and what touches memory, is done for those that are there.
//!
//! **Functions** have registers of their own, once for all calls: none calls itself.

use crate::analysis::{Execution, Lockstep, Sharing};
use crate::ir::{AtomicOp, Direction, Literal, ParamId, Scalar, Type};
use crate::ops::Op;

/// The number of a register in the file of its type.
pub(super) type Reg = u32;

/// A kernel, lowered.
pub(super) struct Program {
    pub(super) body: Vec<Step>,
    /// The bodies of the functions that it calls.
    pub(super) functions: Vec<Vec<Step>>,
    /// How many registers each type has, in the order of [`Scalar`].
    pub(super) counts: [u32; 8],
    /// What stands in registers before a launch.
    pub(super) presets: Vec<Preset>,
    /// How messages call what has an index.
    pub(super) names: Vec<String>,
    /// The expressions that operations with a strong zero come from, as text.
    pub(super) strong: Vec<String>,
    /// How the threads may run.
    pub(super) execution: Execution,
    /// How groups of threads go in step, if they do and if it shows in the order of additions.
    pub(super) lockstep: Option<Lockstep>,
    /// Whether the order of threads shows in sums of floats, and in nothing else.
    pub(super) sums_are_open: bool,
    /// The arrays of floats that are sums over all threads.
    pub(super) grid_reductions: Vec<ParamId>,
}

impl Program {
    /// Whether anybody may take sums of floats in another order than the interpreter: the cores of a CPU, or the blocks of a
    /// GPU, which add up what their threads do even where one core must run them all.
    pub(super) fn has_sums_in_any_order(&self) -> bool {
        self.sums_are_open || !self.grid_reductions.is_empty()
    }

    /// Whether the elements of the parameter are such sums.
    pub(super) fn is_sum(&self, param: ParamId) -> bool {
        self.execution.sharing.get(&param).is_some_and(Sharing::is_sum) || self.grid_reductions.contains(&param)
    }
}

/// A register that no instruction writes.
pub(super) struct Preset {
    pub(super) source: Source,
    pub(super) reg: Reg,
}

/// Where the value of such a register comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Literal(Literal),
    /// A scalar of a by-value parameter.
    Param(ParamId, u32),
    Extent(ParamId, u8),
    /// The index of the thread along a launch axis.
    Tid(u8),
}

/// A statement, or a part of an expression that not every thread evaluates.
pub(super) enum Step {
    Code(Vec<Instr>),
    If {
        cond: Reg,
        then: Vec<Step>,
        other: Vec<Step>,
    },
    For(Box<Loop>),
    /// Runs `head` and, in the threads for which `cond` then holds, `body`; and so on.
    While {
        head: Vec<Step>,
        cond: Reg,
        body: Vec<Step>,
    },
    Break,
    Continue,
    Return,
    /// Runs the body of a function.
    Call(usize),
    /// The threads of a whole group that goes in step come here before any of them goes on.
    Meet,
}

/// A `for`.
pub(super) struct Loop {
    /// The type of the variable and of the bounds.
    pub(super) of: Scalar,
    pub(super) variable: Reg,
    pub(super) start: Reg,
    pub(super) end: Reg,
    pub(super) step: Option<Reg>,
    pub(super) inclusive: bool,
    pub(super) direction: Direction,
    pub(super) body: Vec<Step>,
}

/// An instruction.
pub(super) enum Instr {
    /// An operation of scalars.
    Op(ScalarOp),
    Cast {
        from: Scalar,
        to: Scalar,
        dst: Reg,
        src: Reg,
    },
    Move {
        of: Scalar,
        dst: Reg,
        src: Reg,
        /// Whether only in the threads that are there.
        masked: bool,
    },
    /// `cond ? then : other`, both sides being known.
    Select {
        of: Scalar,
        cond: Reg,
        dst: Reg,
        then: Reg,
        other: Reg,
    },
    /// Clears neighbouring registers.
    Clear {
        of: Scalar,
        first: Reg,
        count: u32,
    },
    /// Fails if an index is not below `limit`.
    Below {
        index: Reg,
        limit: u32,
        what: Indexed,
    },
    /// `index * scale + plus`.
    Offset {
        dst: Reg,
        index: Reg,
        scale: u32,
        plus: Option<Reg>,
    },
    /// Reads the register `base + at`.
    Gather {
        of: Scalar,
        dst: Reg,
        base: Reg,
        at: Reg,
    },
    /// Writes the register `base + at`.
    Scatter {
        of: Scalar,
        base: Reg,
        at: Reg,
        src: Reg,
    },
    /// Fails if an index is outside an array of one axis.
    Bounds {
        array: ParamId,
        index: Reg,
    },
    /// The number of an element of an array of `rank` axes; fails if an index is outside.
    Element {
        array: ParamId,
        dst: Reg,
        rank: u8,
        index: [Reg; 4],
    },
    Load {
        of: Scalar,
        dst: Reg,
        from: Spot,
    },
    Store {
        of: Scalar,
        src: Reg,
        to: Spot,
    },
    Atomic(Box<Atomic>),
    /// Any operation, thread by thread.
    Apply(Box<Apply>),
    Tangents(Box<Tangents>),
}

/// An operation of scalars.
#[derive(Clone, Copy)]
pub(super) struct ScalarOp {
    pub(super) op: Op,
    /// The type of the first operand.
    pub(super) of: Scalar,
    /// That of the second one, where it is another: an exponent or a distance.
    pub(super) number: Option<Scalar>,
    pub(super) count: u8,
    pub(super) mode: Mode,
    pub(super) dst: Reg,
    /// The operands; behind the last one the first again.
    pub(super) args: [Reg; 3],
    /// Which of [`Program::strong`] it comes from, if its zero is strong.
    pub(super) origin: u32,
}

/// Where an operation of scalars comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// From one of scalars of which the result is the same on all machines.
    Exact,
    /// From one of which it is not.
    Inexact,
    /// From one of vectors, by component.
    Component,
}

/// What an index is the number of.
#[derive(Clone, Copy)]
pub(super) enum Indexed {
    /// A component or a column.
    Part(Type),
    /// An element of the local array with that name.
    LocalElement(usize),
}

/// A scalar of an array: `element * scale + part + at`.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) array: ParamId,
    pub(super) element: Reg,
    pub(super) scale: u32,
    pub(super) part: u32,
    pub(super) at: Option<Reg>,
}

/// An atomic statement.
pub(super) struct Atomic {
    pub(super) op: AtomicOp,
    pub(super) of: Scalar,
    pub(super) to: Spot,
    pub(super) value: Reg,
    pub(super) result: Option<Reg>,
    /// Whether other threads add to the array, so that the order of all additions is that of the threads.
    pub(super) is_sum: bool,
}

/// An operation that has no instructions of its own.
pub(super) struct Apply {
    pub(super) op: Op,
    pub(super) args: Vec<Operand>,
    pub(super) result: Operand,
}

/// A value in registers.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) ty: Type,
    /// Its scalars, in the order of memory; behind the last one anything.
    pub(super) regs: [Reg; 16],
}

impl Operand {
    pub(super) fn regs(&self) -> &[Reg] {
        &self.regs[..self.ty.components()]
    }
}

/// What a call of a function with a derivative of its own does to tangents.
pub(super) enum Tangents {
    /// The values without tangents.
    Strip { dst: Operand, src: Operand },
    /// Whether one of these tangents is not zero.
    Any { dst: Reg, of: Vec<Operand> },
    /// The scalar product of the values with the tangents, added up in the `f64` in `dst`.
    Add { dst: Reg, values: Operand, tangents: Operand },
    /// The value of `dst` with the tangent that stands in `slope`.
    Set { of: Scalar, dst: Reg, slope: Reg },
}
