//! Transfer functions of the operations. They keep a random kernel away from poles, overflow and chaos.
//!
//! Every term carries the range of its components and a bound of its slope with respect to the state of the thread. The
//! bounds may be loose, but must hold.

use kernel_ir::ir::{Shape, Type};
use kernel_ir::ops::{Op, TABLE};
use std::collections::HashMap;
use std::sync::LazyLock;

/// An interval of values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

/// The range and the slope of an operand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) range: Range,
    pub(super) slope: f64,
}

impl Range {
    /// Contains all values of the generator.
    pub(super) const ANY: Range = Range::new(-1e4, 1e4);

    pub(super) const fn new(low: f64, high: f64) -> Range {
        Range { low, high }
    }

    pub(super) const fn around_zero(size: f64) -> Range {
        Range::new(-size, size)
    }

    pub(super) fn size(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    pub(super) fn contains(self, other: Range) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    pub(super) fn join(self, other: Range) -> Range {
        Range::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub(super) fn plus(self, other: Range) -> Range {
        Range::new(self.low + other.low, self.high + other.high)
    }

    pub(super) fn minus(self, other: Range) -> Range {
        Range::new(self.low - other.high, self.high - other.low)
    }

    pub(super) fn times(self, other: Range) -> Range {
        let ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        Range::new(ends.into_iter().fold(f64::MAX, f64::min), ends.into_iter().fold(f64::MIN, f64::max))
    }
}

/// Unary functions: the range where they are well-behaved, their values there, and their largest slope.
const FUNCTIONS: [(Op, Range, Range, f64); 27] = [
    (Op::Sin, Range::ANY, Range::around_zero(1.0), 1.0),
    (Op::Cos, Range::ANY, Range::around_zero(1.0), 1.0),
    (Op::Tanh, Range::ANY, Range::around_zero(1.0), 1.0),
    (Op::Atan, Range::ANY, Range::around_zero(1.6), 1.0),
    (Op::Tan, Range::around_zero(1.0), Range::around_zero(1.6), 3.5),
    (Op::Asin, Range::around_zero(0.8), Range::around_zero(1.0), 1.7),
    (Op::Acos, Range::around_zero(0.8), Range::new(0.6, 2.5), 1.7),
    (Op::Exp, Range::new(-2.0, 1.0), Range::new(0.1, 2.8), 2.8),
    (Op::Exp2, Range::around_zero(2.0), Range::new(0.2, 4.1), 2.8),
    (Op::ExpM1, Range::new(-2.0, 1.0), Range::new(-0.9, 1.8), 2.8),
    (Op::Ln, Range::new(0.5, 4.0), Range::new(-0.7, 1.4), 2.0),
    (Op::Ln1p, Range::new(-0.5, 2.0), Range::new(-0.7, 1.2), 2.0),
    (Op::Log2, Range::new(0.5, 4.0), Range::new(-1.1, 2.1), 3.0),
    (Op::Log10, Range::new(0.5, 4.0), Range::new(-0.4, 0.7), 1.0),
    (Op::Sqrt, Range::new(0.25, 16.0), Range::new(0.4, 4.1), 1.0),
    (Op::Cbrt, Range::new(0.25, 8.0), Range::new(0.6, 2.1), 1.0),
    (Op::Recip, Range::new(0.5, 16.0), Range::new(0.06, 2.1), 4.0),
    (Op::Sinh, Range::around_zero(1.5), Range::around_zero(2.2), 2.4),
    (Op::Cosh, Range::around_zero(1.5), Range::new(0.9, 2.4), 2.2),
    (Op::ToRadians, Range::ANY, Range::around_zero(180.0), 0.02),
    (Op::ToDegrees, Range::around_zero(0.1), Range::around_zero(6.0), 58.0),
    (Op::Fract, Range::ANY, Range::around_zero(1.0), 1.0),
    (Op::Signum, Range::ANY, Range::around_zero(1.0), 0.0),
    (Op::Floor, Range::around_zero(8.0), Range::around_zero(9.0), 0.0),
    (Op::Ceil, Range::around_zero(8.0), Range::around_zero(9.0), 0.0),
    (Op::Round, Range::around_zero(8.0), Range::around_zero(9.0), 0.0),
    (Op::Trunc, Range::around_zero(8.0), Range::around_zero(9.0), 0.0),
];

/// Whether the derivative of the operation is 0 wherever it exists.
pub(super) fn is_flat(op: Op) -> bool {
    FUNCTIONS.iter().any(|(known, .., steepness)| *known == op && *steepness == 0.0)
}

/// The range of an operand in which the operation is well-behaved.
pub(super) fn domain(op: Op, operand: usize) -> Range {
    const AWAY_FROM_ZERO: Range = Range::new(0.5, 4.0);
    if let Some((_, domain, _, _)) = FUNCTIONS.iter().find(|(known, ..)| *known == op) {
        return *domain;
    }
    match (op, operand) {
        (Op::Div | Op::Rem | Op::RemEuclid | Op::Atan2, 1) | (Op::Hypot, 0) => AWAY_FROM_ZERO,
        (Op::Length | Op::Normalize | Op::NormalizeOrZero, _) | (Op::Distance, 0) => AWAY_FROM_ZERO,
        (Op::Distance, _) => Range::new(-2.0, 0.0),
        (Op::Powf, 0) => Range::new(0.5, 2.0),
        (Op::Powf, _) => Range::around_zero(2.0),
        (Op::Powi, _) => Range::around_zero(1.5),
        (Op::Clamp, 1) => Range::new(-2.0, -0.25),
        (Op::Clamp, 2) => Range::new(0.25, 2.0),
        (Op::Lerp, 2) => Range::new(0.0, 1.0),
        (Op::Rem | Op::RemEuclid, _) => Range::around_zero(8.0),
        (Op::Mul | Op::MulAdd | Op::Dot | Op::Outer | Op::Cross | Op::PerpDot | Op::Div, _) => Range::around_zero(50.0),
        (Op::LengthSquared | Op::DistanceSquared | Op::Reflect | Op::Lerp, _) => Range::around_zero(4.0),
        (Op::Determinant | Op::ElementProduct | Op::Inverse, _) => Range::around_zero(1.5),
        _ => Range::ANY,
    }
}

/// The bounds of the result of an operation on operands in its domain.
pub(super) fn result(op: Op, types: &[Type], args: &[Bounds]) -> Option<Bounds> {
    if let Some((_, _, range, steepness)) = FUNCTIONS.iter().find(|(known, ..)| *known == op) {
        return Some(Bounds { range: *range, slope: steepness * args[0].slope });
    }
    let size = |operand: usize| args[operand].range.size();
    let slope = |operand: usize| args[operand].slope;
    let count = match types[0] {
        Type { shape: Shape::Vector(n), .. } | Type { shape: Shape::Matrix(n, _), .. } => f64::from(n),
        Type { shape: Shape::Quat, .. } => 4.0,
        Type { shape: Shape::Scalar | Shape::Struct(_) | Shape::Tile(..), .. } => 1.0,
    };
    let steepest = args.iter().map(|arg| arg.slope).fold(0.0, f64::max);
    let hull = || args.iter().map(|arg| arg.range).reduce(Range::join);
    let bounds = |range: Range, slope: f64| Some(Bounds { range, slope });
    let product = || slope(0) * size(1) + size(0) * slope(1);
    let both = || slope(0) + slope(1);
    match op {
        Op::Add => bounds(args[0].range.plus(args[1].range), both()),
        Op::Sub => bounds(args[0].range.minus(args[1].range), both()),
        Op::Neg => bounds(Range::new(-args[0].range.high, -args[0].range.low), slope(0)),
        Op::Mul => {
            let terms = match (types[0], types[1]) {
                (Type { shape: Shape::Quat, .. }, Type { shape: Shape::Vector(_), .. }) => {
                    let size = 12.0 * size(0).max(1.0);
                    return bounds(Range::around_zero(size * size * args[1].range.size()), size * size * product());
                }
                (
                    Type { shape: Shape::Matrix(..), .. },
                    Type { shape: Shape::Matrix(..), .. } | Type { shape: Shape::Vector(_), .. },
                )
                | (Type { shape: Shape::Quat, .. }, Type { shape: Shape::Quat, .. }) => count,
                (Type { shape: Shape::Scalar, .. }, Type { shape: Shape::Scalar, .. }) => {
                    return bounds(args[0].range.times(args[1].range), product());
                }
                _ => 1.0,
            };
            bounds(Range::around_zero(terms * size(0) * size(1)), terms * product())
        }
        Op::Div => bounds(Range::around_zero(2.0 * size(0)), 2.0 * slope(0) + 4.0 * size(0) * slope(1)),
        Op::Rem | Op::RemEuclid => bounds(Range::around_zero(4.0), slope(0) + 17.0 * slope(1)),
        Op::MulAdd => bounds(args[0].range.times(args[1].range).plus(args[2].range), product() + slope(2)),
        Op::Min | Op::Max | Op::MinElement | Op::MaxElement => bounds(hull()?, steepest),
        Op::Clamp => bounds(Range::new(args[1].range.low, args[2].range.high), steepest),
        Op::Abs => bounds(Range::new(0.0, size(0)), slope(0)),
        Op::Copysign => bounds(Range::around_zero(size(0)), slope(0)),
        Op::Powi => bounds(Range::around_zero(1.5f64.powi(3)), 7.0 * slope(0)),
        Op::Powf => bounds(Range::new(0.25, 4.0), 8.0 * slope(0) + 3.0 * slope(1)),
        Op::Hypot => bounds(Range::new(0.5, size(0) + size(1)), both()),
        Op::Atan2 => bounds(Range::around_zero(1.6), 2.0 * both()),
        Op::VecNew | Op::Splat | Op::QuatNew | Op::Extend | Op::Truncate => bounds(hull()?, steepest),
        Op::MatFromCols | Op::Transpose | Op::Row => bounds(hull()?, steepest),
        Op::Skew => bounds(Range::around_zero(size(0)), slope(0)),
        Op::Outer => bounds(Range::around_zero(size(0) * size(1)), product()),
        Op::Trace => bounds(Range::around_zero(count * size(0)), count * slope(0)),
        Op::FromDiagonal => bounds(hull()?.join(Range::new(0.0, 0.0)), steepest),
        Op::Dot => bounds(Range::around_zero(count * size(0) * size(1)), count * product()),
        Op::Cross | Op::PerpDot => bounds(Range::around_zero(2.0 * size(0) * size(1)), 2.0 * product()),
        Op::Length => bounds(Range::new(0.5, 2.0 * size(0)), count * slope(0)),
        Op::LengthSquared => bounds(Range::new(0.0, count * size(0) * size(0)), 2.0 * count * size(0) * slope(0)),
        Op::Distance => bounds(Range::new(0.5, 2.0 * (size(0) + size(1))), count * both()),
        Op::DistanceSquared => {
            let far = size(0) + size(1);
            bounds(Range::new(0.0, count * far * far), 2.0 * count * far * both())
        }
        Op::Normalize | Op::NormalizeOrZero => bounds(Range::around_zero(1.0), 2.0 * count * slope(0)),
        Op::Lerp => {
            let far = size(0) + size(1);
            bounds(Range::around_zero(far), both() + far * slope(2))
        }
        Op::Reflect => {
            let normal = 1.0 + 2.0 * count * size(1) * size(1);
            bounds(Range::around_zero(size(0) * normal), slope(0) * normal + 4.0 * count * size(0) * size(1) * slope(1))
        }
        Op::ElementSum => bounds(Range::around_zero(count * size(0)), count * slope(0)),
        Op::ElementProduct => bounds(Range::around_zero(1.5f64.powf(count)), count * 4.0 * slope(0)),
        Op::Determinant => bounds(Range::around_zero(130.0), 130.0 * slope(0)),
        // The generator only makes matrices with a small inverse, and unit quaternions.
        Op::Inverse => bounds(Range::around_zero(2.0), 4.0 * slope(0)),
        Op::Conjugate => bounds(Range::around_zero(size(0)), slope(0)),
        _ => None,
    }
}

/// An operation with the types of its operands.
pub(super) type Row = (Op, Vec<Type>);

/// The operations with a float result that authors write, by result type.
pub(super) static OPERATIONS: LazyLock<HashMap<Type, Vec<Row>>> = LazyLock::new(|| {
    let mut operations: HashMap<Type, Vec<Row>> = HashMap::new();
    for def in TABLE.iter().filter(|def| def.op.is_ordinary()) {
        for (row, t) in def.rows() {
            let ret = row.ret.apply(t);
            if ret.is_float() {
                let args = row.args.iter().map(|pat| pat.apply(t)).collect();
                operations.entry(ret).or_default().push((def.op, args));
            }
        }
    }
    operations
});

#[test]
fn every_operation_of_floats_has_a_rule() {
    for (op, args) in OPERATIONS.values().flatten() {
        let bounds = Bounds { range: Range::around_zero(1.0), slope: 1.0 };
        assert!(result(*op, args, &vec![bounds; args.len()]).is_some(), "{op:?} {args:?}");
    }
}
