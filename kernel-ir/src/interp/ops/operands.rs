//! The operands and the outcome of an operation.

use crate::interp::num::Num;
use crate::interp::value::{Shaped, Value};
use crate::ir::Type;
use crate::ops::{MOST_OPERANDS, Op};

/// A result, or the message of the program's error.
pub(in crate::interp) type Outcome<T> = Result<T, String>;

/// The operands of an operation, as numbers of one type.
pub(super) struct Operands<'a, T> {
    /// The operands of that type. Unused entries repeat the first operand.
    pub(super) all: [&'a Shaped<T>; MOST_OPERANDS],
    /// The second operand, if it is an integer.
    pub(super) number: Option<i128>,
    /// The type of the result.
    pub(super) ret: Type,
}

impl<'a, T: Copy> Operands<'a, T> {
    pub(super) fn new<S: Copy, D: Copy>(
        args: &'a [Value<S, D>],
        first: &'a Shaped<T>,
        ret: Type,
        pick: impl Fn(&'a Value<S, D>) -> Option<&'a Shaped<T>>,
    ) -> Operands<'a, T> {
        let all = std::array::from_fn(|place| args.get(place).and_then(&pick).unwrap_or(first));
        Operands { all, number: args.get(1).and_then(Value::num).and_then(Num::as_integer), ret }
    }

    /// Whether a matrix or a quaternion operand selects the meaning of the operation.
    pub(super) fn has_matrix(&self) -> bool {
        matches!(self.all, [Shaped::Quat(_) | Shaped::Matrix(_), ..] | [_, Shaped::Quat(_) | Shaped::Matrix(_), ..])
    }

    /// The operands, if they are scalars.
    pub(super) fn scalars(&self) -> Option<Vec<T>> {
        self.all.iter().map(|operand| operand.scalar()).collect()
    }
}

/// The message for an operation without semantics here. The verifier has found the overload in the table, so this is a
/// gap in the interpreter.
pub(super) fn undefined(op: Op) -> String {
    format!("`{}` has no meaning for operands of these types", op.name())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "an operation that is not of this kind is an error")]
pub(super) fn compare<T: PartialOrd>(op: Op, a: T, b: T) -> Outcome<bool> {
    match op {
        Op::Eq => Ok(a == b),
        Op::Ne => Ok(a != b),
        Op::Lt => Ok(a < b),
        Op::Le => Ok(a <= b),
        Op::Gt => Ok(a > b),
        Op::Ge => Ok(a >= b),
        _ => Err(undefined(op)),
    }
}
