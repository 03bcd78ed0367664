//! Lowers operations on vectors, matrices and quaternions to scalar instructions, by tracing.
//!
//! The operations are defined in [`ops`](crate::interp::ops) only, generically over the number type. An operation is
//! run once over symbolic numbers that record the scalar operations applied to them.

use super::{Lowering, listed};
use crate::interp::Algebra;
use crate::interp::ops::apply_algebra;
use crate::interp::program::{Instr, Mode, Operand, Reg, ScalarOp};
use crate::interp::value::Shaped;
use crate::ir::{Literal, Scalar, Type};
use crate::ops::Op;
use std::cell::RefCell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A symbolic number, or a constant.
#[derive(Clone, Copy)]
enum Traced<'t> {
    Constant(f64),
    /// A scalar of the operands, or the result of a recorded operation, by number.
    Number(&'t Tape, usize),
}

/// The recorded operations.
struct Tape {
    /// The number of scalars in the operands.
    operands: usize,
    notes: RefCell<Vec<Note>>,
}

/// A recorded operation.
struct Note {
    op: Op,
    mode: Mode,
    args: Vec<Place>,
}

/// An operand of a recorded operation.
#[derive(Clone, Copy)]
enum Place {
    Constant(f64),
    Number(usize),
}

impl<'t> Traced<'t> {
    fn place(self) -> Place {
        match self {
            Traced::Constant(value) => Place::Constant(value),
            Traced::Number(_, number) => Place::Number(number),
        }
    }

    /// Records `op` and returns its symbolic result. At least one operand is symbolic, because no operation of the
    /// table computes on constants alone.
    fn note(op: Op, mode: Mode, args: &[Traced<'t>]) -> Traced<'t> {
        let Some(tape) = args.iter().find_map(|arg| if let Traced::Number(tape, _) = arg { Some(*tape) } else { None })
        else {
            return Traced::Constant(f64::NAN);
        };
        let mut notes = tape.notes.borrow_mut();
        notes.push(Note { op, mode, args: args.iter().map(|arg| arg.place()).collect() });
        Traced::Number(tape, tape.operands + notes.len() - 1)
    }
}

macro_rules! infix {
    ($($op:ident $method:ident)*) => {
        $(impl<'t> $op for Traced<'t> {
            type Output = Traced<'t>;

            fn $method(self, other: Traced<'t>) -> Traced<'t> {
                Traced::note(Op::$op, Mode::Exact, &[self, other])
            }
        })*
    };
}

infix!(Add add Sub sub Mul mul Div div);

impl<'t> Neg for Traced<'t> {
    type Output = Traced<'t>;

    fn neg(self) -> Traced<'t> {
        Traced::note(Op::Neg, Mode::Exact, &[self])
    }
}

impl Algebra for Traced<'_> {
    fn constant(value: f64) -> Self {
        Traced::Constant(value)
    }

    fn sqrt(self) -> Self {
        Traced::note(Op::Sqrt, Mode::Exact, &[self])
    }

    fn root(self) -> Self {
        Traced::note(Op::Sqrt, Mode::Component, &[self])
    }

    fn strong_mul(self, other: Self) -> Self {
        Traced::note(Op::StrongMul, Mode::Exact, &[self, other])
    }

    fn strong_div(self, other: Self) -> Self {
        Traced::note(Op::StrongDiv, Mode::Exact, &[self, other])
    }

    fn lesser(self, other: Self) -> Self {
        Traced::note(Op::Min, Mode::Component, &[self, other])
    }

    fn greater(self, other: Self) -> Self {
        Traced::note(Op::Max, Mode::Component, &[self, other])
    }
}

impl Lowering<'_> {
    /// Lowers `op` by tracing; `None` if its steps depend on the values of its operands.
    pub(super) fn traced(&mut self, op: Op, args: &[Operand], ty: Type) -> Option<Operand> {
        let of = ty.scalar();
        if !of.is_float() || args.iter().any(|arg| arg.ty.scalar() != of) {
            return None;
        }
        let mut regs: Vec<Reg> = args.iter().flat_map(|arg| arg.regs()).copied().collect();
        let tape = Tape { operands: regs.len(), notes: RefCell::default() };
        let mut next = 0;
        let mut shaped = |arg: &Operand| {
            let start = next;
            next += arg.regs().len();
            let numbers: Vec<Traced> = (start..next).map(|place| Traced::Number(&tape, place)).collect();
            Shaped::read(arg.ty, &numbers)
        };
        let shapes: Vec<Shaped<Traced>> = args.iter().map(&mut shaped).collect();
        let mut found = vec![Traced::Constant(0.0); ty.components()];
        apply_algebra(op, &shapes, ty)?.write(&mut found);
        let found: Vec<Place> = found.into_iter().map(Traced::place).collect();
        for Note { op, mode, args } in tape.notes.into_inner() {
            let args: Vec<Reg> = args.iter().map(|arg| self.register_of(*arg, &regs, of)).collect();
            let dst = self.register(of);
            regs.push(dst);
            let count = args.len() as u8;
            let args = std::array::from_fn(|place| args.get(place).copied().unwrap_or(args[0]));
            let origin = self.origin();
            self.push(Instr::Op(ScalarOp { op, of, number: None, count, mode, dst, args, origin }));
        }
        let found: Vec<Reg> = found.into_iter().map(|place| self.register_of(place, &regs, of)).collect();
        Some(listed(ty, |place| found[place]))
    }

    fn register_of(&mut self, place: Place, regs: &[Reg], of: Scalar) -> Reg {
        match place {
            Place::Number(number) => regs[number],
            Place::Constant(value) if of == Scalar::F32 => self.constant(Literal::f32(value as f32)),
            Place::Constant(value) => self.constant(Literal::f64(value)),
        }
    }
}
