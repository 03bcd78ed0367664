//! The program of a kernel: what the engine executes.
//!
//! A [`Program`] is made once for a kernel ([`lower`](super::lower)). It depends on the kernel alone, not on a launch,
//! nor on the number types of a run. Statements form a tree of [`Step`]s. Expressions are sequences of [`Instr`]s
//! without jumps.
//!
//! **Registers.** Every scalar type has a register file. A vector, matrix, quaternion or struct is a list of registers,
//! one for each scalar in memory order. The registers need not be adjacent, so constructing a vector, taking a component or a
//! column, and transposing need no instructions. A register holds a number for each thread of the group
//! ([`engine`](super::engine)).
//!
//! **Masks.** The threads of a group are at one place of the program, but some may be inactive because they took
//! another branch or left a loop. A register that a run through its block always writes before it reads may be written
//! for all threads, because inactive threads do not read it again. This holds for all temporaries and declarations. A
//! value that outlives its block (an assigned local, or the result of a function) is written for active threads only,
//! by [`Instr::Move`] with `masked`. Likewise, an operation that cannot fail may run for all threads, while operations
//! that may fail or that access memory run for active threads only.
//!
//! **Functions** have one set of registers for all calls, because there is no recursion.

use crate::analysis::{Execution, Lockstep};
use crate::ir::{AtomicOp, Direction, Literal, Message, ParamId, Scalar, Type};
use crate::ops::Op;
use smallvec::SmallVec;

/// The number of a register in the file of its type.
pub(super) type Reg = u32;

/// A lowered kernel.
pub(super) struct Program {
    pub(super) body: Vec<Step>,
    /// The bodies of the functions that the kernel calls.
    pub(super) functions: Vec<Vec<Step>>,
    /// The number of registers of each type, in the order of [`Scalar`].
    pub(super) counts: [u32; Scalar::ALL.len()],
    /// The registers that are filled before a launch.
    pub(super) presets: Vec<Preset>,
    /// The names of indexed variables, for messages.
    pub(super) names: Vec<String>,
    /// The regions of the kernel and its functions.
    pub(super) regions: Vec<Region>,
    /// The expressions of strong operations as text, for findings.
    pub(super) strong: Vec<String>,
    /// How the threads may run.
    pub(super) execution: Execution,
    /// The lockstep groups, if they affect the order of additions.
    pub(super) lockstep: Option<Lockstep>,
    /// Whether the order of threads affects sums of floats and nothing else.
    pub(super) sums_are_open: bool,
    /// The float arrays to which a GPU adds in another order, even if a CPU must run the threads in launch order: grid
    /// reductions, and all sums where nothing proves that the threads may run side by side.
    pub(super) reduced: Vec<ParamId>,
    /// The arrays to which several threads add floats.
    pub(super) sums: Vec<ParamId>,
}

impl Program {
    /// Whether another executor may add floats in another order than the interpreter: the cores of a CPU, or a GPU, even
    /// if a CPU must run the launch on one core.
    pub(super) fn has_sums_in_any_order(&self) -> bool {
        self.sums_are_open || !self.reduced.is_empty()
    }

    /// Whether threads add floats to the parameter in an order that is observable.
    pub(super) fn is_sum(&self, param: ParamId) -> bool {
        self.sums.contains(&param)
    }
}

/// A register that no instruction writes.
pub(super) struct Preset {
    pub(super) source: Source,
    pub(super) reg: Reg,
}

/// The source of such a register.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Source {
    Literal(Literal),
    /// A scalar of a by-value parameter.
    Param(ParamId, u32),
    Extent(ParamId, u8),
    /// Whether an optional array is present.
    Present(ParamId),
    /// The index of the thread along a launch axis.
    Tid(u8),
}

/// A part of a kernel whose statements a thread executes all or not at all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The number of statements, without those of regions inside.
    pub statements: usize,
    /// Whether the region is a side of an `if`, possibly an empty one.
    pub is_branch: bool,
    /// The region in words, with the text of the condition or loop.
    pub words: String,
}

/// A statement, or a part of an expression that only some threads evaluate.
pub(super) enum Step {
    Code(Vec<Instr>),
    If {
        cond: Reg,
        then: Vec<Step>,
        other: Vec<Step>,
    },
    For(Box<Loop>),
    /// Runs `head`, then `body` in the threads for which `cond` is true, and repeats.
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
    /// Notes that threads reach the region with this number.
    Reach(u32),
    /// A synchronisation point of a lockstep group: all threads arrive before any continues.
    Meet,
}

/// A `for` loop.
pub(super) struct Loop {
    /// The type of the variable and the bounds.
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
    /// An operation on scalars.
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
        /// Whether only active threads are written.
        masked: bool,
    },
    /// `cond ? then : other`, where both sides are computed.
    Select {
        of: Scalar,
        cond: Reg,
        dst: Reg,
        then: Reg,
        other: Reg,
    },
    /// Sets adjacent registers to zero.
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
    /// Reads the register number `base + at`.
    Gather {
        of: Scalar,
        dst: Reg,
        base: Reg,
        at: Reg,
    },
    /// Writes the register number `base + at`.
    Scatter {
        of: Scalar,
        base: Reg,
        at: Reg,
        src: Reg,
    },
    /// Fails if an index is out of bounds for an array of one axis.
    Bounds {
        array: ParamId,
        index: Reg,
    },
    /// Computes the element number in an array of `rank` axes; fails if an index is out of bounds.
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
    /// The assertion does not hold.
    Fail(Box<Failure>),
    /// Any operation, thread by thread.
    Apply(Box<Apply>),
    Tangents(Box<Tangents>),
}

/// An operation on scalars.
#[derive(Clone, Copy)]
pub(super) struct ScalarOp {
    pub(super) op: Op,
    /// The type of the first operand.
    pub(super) of: Scalar,
    /// The type of the second operand if it differs: that of an exponent or a shift distance.
    pub(super) number: Option<Scalar>,
    pub(super) count: u8,
    pub(super) mode: Mode,
    pub(super) dst: Reg,
    /// The operands. Unused entries repeat the first operand.
    pub(super) args: [Reg; 3],
    /// For a strong operation, its expression in [`Program::strong`].
    pub(super) origin: u32,
}

/// The origin of a scalar operation, which decides how perturbed models treat it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// A scalar operation whose result is the same on all machines.
    Exact,
    /// A scalar operation whose result may differ between machines.
    Inexact,
    /// A componentwise part of an operation on vectors.
    Component,
}

/// The subject of an index, for messages.
#[derive(Clone, Copy)]
pub(super) enum Indexed {
    /// A component or a column.
    Part(Type),
    /// An element of the local array with that name.
    LocalElement(usize),
}

/// The position of a scalar in an array: `element * scale + part + at`.
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
    /// The value that the element must have.
    pub(super) compare: Option<Reg>,
    pub(super) value: Reg,
    pub(super) result: Option<Reg>,
    /// Whether several threads add to the array, so that the additions must be made in thread order.
    pub(super) is_sum: bool,
}

/// The message of an assertion that does not hold.
pub(super) struct Failure {
    pub(super) message: Message,
    pub(super) args: Vec<(Scalar, Reg)>,
}

/// An operation without instructions of its own.
pub(super) struct Apply {
    pub(super) op: Op,
    pub(super) args: Vec<Operand>,
    pub(super) result: Operand,
}

/// A list of registers. Most values have at most four scalars.
pub(super) type Regs = SmallVec<[Reg; 4]>;

/// A value in registers.
#[derive(Clone)]
pub(super) struct Operand {
    pub(super) ty: Type,
    /// The registers of its scalars in memory order.
    pub(super) regs: Regs,
}

impl Operand {
    pub(super) fn regs(&self) -> &[Reg] {
        &self.regs
    }

    /// The registers of the scalars in memory order, each with its type.
    pub(super) fn scalars(&self) -> impl Iterator<Item = (Scalar, Reg)> {
        self.ty.scalars().zip(self.regs.iter().copied())
    }

    /// Whether a scalar of the value is in this register.
    pub(super) fn contains(&self, of: Scalar, reg: Reg) -> bool {
        self.regs.contains(&reg) && self.scalars().any(|own| own == (of, reg))
    }
}

/// The steps of a call of a function whose author gives the derivative, for dual numbers.
pub(super) enum Tangents {
    /// Copies the values without tangents.
    Strip { dst: Operand, src: Operand },
    /// Whether one of the tangents is not zero.
    Any { dst: Reg, of: Vec<Operand> },
    /// Adds the dot product of values and tangents to the `f64` in `dst`.
    Add { dst: Reg, values: Operand, tangents: Operand },
    /// Gives the value in `dst` the tangent that `slope` holds.
    Set { of: Scalar, dst: Reg, slope: Reg },
}
