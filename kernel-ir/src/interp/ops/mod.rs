//! The meaning of every operation.
//!
//! [`Family::of`] sorts the operations; a file for each family says what its operations do.

mod integer;
mod matrix;
mod scalar;
#[cfg(test)]
mod tests;
mod vector;

use super::Number;
use super::value::{Shaped, Value};
use crate::ir::Type;
use crate::ops::Op;
use integer::Integer;

/// A result, or what the program did wrong.
pub(super) type Outcome<T> = Result<T, String>;

/// What an operation is about.
enum Family {
    /// Questions about numbers, answered by a `bool`.
    Question,
    /// Counts of bits, of type `u32`.
    Bits,
    /// Arithmetic and functions of scalars; of vectors and more by component, or with a meaning of its own.
    Arithmetic,
    /// Putting vectors together and taking them apart.
    Vector,
    /// From the components of vectors to a scalar.
    Reduction,
    /// Lengths, directions and products of vectors.
    Geometry,
    /// What exists only for matrices and quaternions.
    Matrix,
}

impl Family {
    fn of(op: Op) -> Family {
        match op {
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::IsNan | Op::IsFinite => Family::Question,
            Op::CountOnes | Op::LeadingZeros | Op::TrailingZeros => Family::Bits,
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::Neg => Family::Arithmetic,
            Op::And | Op::Or | Op::Not | Op::BitAnd | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr => Family::Arithmetic,
            Op::WrappingAdd | Op::WrappingSub | Op::WrappingMul | Op::SaturatingSub => Family::Arithmetic,
            Op::AbsDiff | Op::Pow | Op::RotateLeft | Op::RotateRight | Op::RemEuclid => Family::Arithmetic,
            Op::Min | Op::Max | Op::Clamp | Op::Abs | Op::Signum | Op::Copysign => Family::Arithmetic,
            Op::Floor | Op::Ceil | Op::Round | Op::Trunc | Op::Fract => Family::Arithmetic,
            Op::Sqrt | Op::Cbrt | Op::Recip | Op::MulAdd | Op::Powi | Op::Powf | Op::Hypot => Family::Arithmetic,
            Op::Exp | Op::Exp2 | Op::ExpM1 | Op::Ln | Op::Ln1p | Op::Log2 | Op::Log10 => Family::Arithmetic,
            Op::Sin | Op::Cos | Op::Tan | Op::Asin | Op::Acos | Op::Atan | Op::Atan2 => Family::Arithmetic,
            Op::Sinh | Op::Cosh | Op::Tanh | Op::ToRadians | Op::ToDegrees => Family::Arithmetic,
            Op::Vec2New | Op::Vec3New | Op::Vec4New | Op::Splat | Op::Extend | Op::Truncate => Family::Vector,
            Op::Dot | Op::MinElement | Op::MaxElement | Op::ElementSum | Op::ElementProduct => Family::Reduction,
            Op::Cross | Op::PerpDot | Op::Length | Op::LengthSquared => Family::Geometry,
            Op::Distance | Op::DistanceSquared | Op::Lerp | Op::Reflect => Family::Geometry,
            Op::Normalize | Op::NormalizeOrZero => Family::Geometry,
            Op::Mat2FromCols | Op::Mat3FromCols | Op::Mat4FromCols | Op::FromDiagonal => Family::Matrix,
            Op::QuatNew | Op::Conjugate => Family::Matrix,
            Op::Row | Op::Transpose | Op::Determinant | Op::Inverse => Family::Matrix,
        }
    }
}

/// The operands of an operation, seen as numbers of one type.
struct Operands<'a, T> {
    /// The operands of that type; after the last one the first again.
    all: [&'a Shaped<T>; 4],
    /// The second operand, if it is an integer.
    number: Option<i128>,
    /// The type of the result.
    ret: Type,
}

impl<'a, T: Copy> Operands<'a, T> {
    fn new<S: Copy, D: Copy>(
        args: &'a [Value<S, D>],
        first: &'a Shaped<T>,
        ret: Type,
        pick: impl Fn(&'a Value<S, D>) -> Option<&'a Shaped<T>>,
    ) -> Operands<'a, T> {
        let all = std::array::from_fn(|place| args.get(place).and_then(&pick).unwrap_or(first));
        Operands { all, number: args.get(1).and_then(Value::as_integer), ret }
    }

    /// The operands, if they are scalars.
    fn scalars(&self) -> Option<[T; 4]> {
        let [a, b, c, d] = self.all;
        Some([a.scalar()?, b.scalar()?, c.scalar()?, d.scalar()?])
    }
}

/// The result of an operation on numbers of type `T`.
enum Answer<T> {
    Number(Shaped<T>),
    Truth(bool),
    Count(u32),
}

impl<T> Answer<T> {
    fn scalar(value: T) -> Answer<T> {
        Answer::Number(Shaped::Scalar(value))
    }

    fn into_value<S, D>(self, wrap: impl Fn(Shaped<T>) -> Value<S, D>) -> Value<S, D> {
        match self {
            Answer::Number(number) => wrap(number),
            Answer::Truth(truth) => Value::Bool(truth),
            Answer::Count(count) => Value::U32(Shaped::Scalar(count)),
        }
    }
}

/// A check found the row in the table, so this says that the interpreter lacks its meaning.
fn undefined(op: Op) -> String {
    format!("`{}` has no meaning for operands of these types", op.name())
}

/// `op` of `args`, all of them evaluated, with a result of type `ret`.
pub(super) fn apply<S: Number, D: Number>(op: Op, args: &[Value<S, D>], ret: Type) -> Outcome<Value<S, D>> {
    macro_rules! numbers {
        ($family:ident, $kind:ident, $first:expr) => {{
            let operands = Operands::new(args, $first, ret, |value| match value {
                Value::$kind(number) => Some(number),
                _ => None,
            });
            $family(op, &operands).map(|answer| answer.into_value(Value::$kind))
        }};
    }
    match args.first() {
        Some(Value::Bool(a)) => truths(op, *a, args.get(1)).map(Value::Bool),
        Some(Value::I32(first)) => numbers!(integers, I32, first),
        Some(Value::U32(first)) => numbers!(integers, U32, first),
        Some(Value::I64(first)) => numbers!(integers, I64, first),
        Some(Value::U64(first)) => numbers!(integers, U64, first),
        Some(Value::Index(first)) => numbers!(integers, Index, first),
        Some(Value::F32(first)) => numbers!(floats, F32, first),
        Some(Value::F64(first)) => numbers!(floats, F64, first),
        None => Err(undefined(op)),
    }
}

fn truths<S, D>(op: Op, a: bool, b: Option<&Value<S, D>>) -> Outcome<bool> {
    let b = if let Some(Value::Bool(b)) = b { *b } else { a };
    match op {
        Op::Not => Ok(!a),
        Op::And | Op::BitAnd => Ok(a & b),
        Op::Or | Op::BitOr => Ok(a | b),
        Op::Eq => Ok(a == b),
        Op::Ne | Op::BitXor => Ok(a != b),
        _ => Err(undefined(op)),
    }
}

fn integers<T: Integer>(op: Op, x: &Operands<T>) -> Outcome<Answer<T>> {
    let arithmetic = |op, operands| integer::arithmetic(op, operands, x.number);
    match Family::of(op) {
        Family::Question => compare(op, x).map(Answer::Truth),
        Family::Bits => integer::bits(op, x).map(Answer::Count),
        Family::Arithmetic => vector::by_component(op, x, arithmetic).map(Answer::Number),
        Family::Vector => vector::build(op, x).map(Answer::Number),
        Family::Reduction => vector::reduce(op, x, arithmetic).map(Answer::scalar),
        Family::Geometry | Family::Matrix => Err(undefined(op)),
    }
}

fn floats<N: Number>(op: Op, x: &Operands<N>) -> Outcome<Answer<N>> {
    match Family::of(op) {
        Family::Question => scalar::question(op, x).map(Answer::Truth),
        Family::Bits => Err(undefined(op)),
        Family::Arithmetic => match x.all {
            [Shaped::Scalar(a), Shaped::Scalar(b), Shaped::Scalar(c), _] => {
                scalar::arithmetic(op, [*a, *b, *c], x.number).map(Answer::scalar)
            }
            [Shaped::Quat(_) | Shaped::Matrix(_), ..] | [_, Shaped::Matrix(_), ..] => {
                matrix::arithmetic(op, x.all[0], x.all[1]).map(Answer::Number)
            }
            _ => vector::by_component(op, x, scalar::component).map(Answer::Number),
        },
        Family::Vector => vector::build(op, x).map(Answer::Number),
        Family::Reduction => vector::reduce(op, x, scalar::component).map(Answer::scalar),
        Family::Geometry => vector::geometry(op, x).map(Answer::Number),
        Family::Matrix => matrix::build(op, x).map(Answer::Number),
    }
}

fn compare<T: Copy + PartialOrd>(op: Op, x: &Operands<T>) -> Outcome<bool> {
    let [a, b, ..] = x.scalars().ok_or_else(|| undefined(op))?;
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
