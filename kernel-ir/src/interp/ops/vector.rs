//! Vectors. The order of operations is that of `kernel-rt`: sums and products go from the first component to
//! the last.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "an operation that these operands do not have is an error, and a test runs every row of the table"
)]

use super::operands::{Operands, Outcome, undefined};
use crate::interp::value::{Shaped, Vector};
use crate::interp::{Algebra, Number};
use crate::ir::Shape;
use crate::ops::Op;

/// Applies `op` to each component. A scalar operand is broadcast.
pub(super) fn by_component<T: Copy>(
    op: Op,
    x: &Operands<T>,
    scalar: impl Fn(Op, [T; 3]) -> Outcome<T>,
) -> Outcome<Shaped<T>> {
    let Shape::Vector(n) = x.ret.shape else { return Err(undefined(op)) };
    let component = |operand: &Shaped<T>, i: usize| match operand {
        Shaped::Scalar(value) => Some(*value),
        Shaped::Vector(v) => Some(v.get(i)),
        Shaped::Quat(_) | Shaped::Matrix(_) => None,
    };
    let result = |i: usize| {
        let [a, b, c] = [0, 1, 2].map(|place| component(x.all[place], i));
        let operands = a.zip(b).zip(c).map(|((a, b), c)| [a, b, c]);
        scalar(op, operands.ok_or_else(|| undefined(op))?)
    };
    let first = result(0)?;
    let mut vector = Vector::from_fn(n.into(), |_| first);
    for i in 1..usize::from(n) {
        vector.set(i, result(i)?);
    }
    Ok(Shaped::Vector(vector))
}

/// Constructs a vector from scalars or from another vector.
pub(super) fn build<T: Copy>(op: Op, x: &Operands<T>) -> Outcome<Shaped<T>> {
    let Shape::Vector(n) = x.ret.shape else { return Err(undefined(op)) };
    let n = usize::from(n);
    match (op, x.all, x.scalars()) {
        (Op::VecNew, _, Some(components)) => Ok(Shaped::Vector(Vector::from_fn(n, |i| components[i]))),
        (Op::Splat, [Shaped::Scalar(a), ..], _) => Ok(Shaped::Vector(Vector::from_fn(n, |_| *a))),
        (Op::Truncate, [Shaped::Vector(v), ..], _) => Ok(Shaped::Vector(Vector::from_fn(n, |i| v.get(i)))),
        (Op::Extend, [Shaped::Vector(v), Shaped::Scalar(last), ..], _) => {
            Ok(Shaped::Vector(Vector::from_fn(n, |i| if i < v.len() { v.get(i) } else { *last })))
        }
        _ => Err(undefined(op)),
    }
}

/// The float operations that a reduction applies to two components.
pub(super) fn pair<N: Algebra>(op: Op, [a, b, _]: [N; 3]) -> Outcome<N> {
    match op {
        Op::Add => Ok(a + b),
        Op::Mul => Ok(a * b),
        Op::StrongMul => Ok(a.strong_mul(b)),
        Op::Min => Ok(a.lesser(b)),
        Op::Max => Ok(a.greater(b)),
        _ => Err(undefined(op)),
    }
}

/// Reduces components to a scalar; `scalar` computes the single operations.
pub(super) fn reduce<T: Copy>(op: Op, x: &Operands<T>, scalar: impl Fn(Op, [T; 3]) -> Outcome<T>) -> Outcome<T> {
    let (a, b) = match x.all {
        [Shaped::Vector(a), Shaped::Vector(b), ..] | [Shaped::Quat(a), Shaped::Quat(b), ..] => (a, b),
        _ => return Err(undefined(op)),
    };
    let pair = |op, a, b| scalar(op, [a, b, b]);
    let last = a.len() - 1;
    let (first, mut rest) = (a.get(0), 1..=last);
    match op {
        Op::Dot | Op::StrongDot => {
            let times = if op == Op::Dot { Op::Mul } else { Op::StrongMul };
            let product = |i| pair(times, a.get(i), b.get(i));
            rest.try_fold(product(0)?, |sum, i| pair(Op::Add, sum, product(i)?))
        }
        Op::ElementSum => rest.try_fold(first, |sum, i| pair(Op::Add, sum, a.get(i))),
        Op::ElementProduct => rest.try_fold(first, |product, i| pair(Op::Mul, product, a.get(i))),
        // These nest from the right: `x.min(y.min(z))`. The order shows for zeros and NaN.
        Op::MinElement => (0..last).rev().try_fold(a.get(last), |least, i| pair(Op::Min, a.get(i), least)),
        Op::MaxElement => (0..last).rev().try_fold(a.get(last), |most, i| pair(Op::Max, a.get(i), most)),
        _ => Err(undefined(op)),
    }
}

/// Lengths, directions and products.
pub(super) fn geometry<N: Algebra>(op: Op, x: &Operands<N>) -> Outcome<Shaped<N>> {
    let (a, b, wrap): (_, _, fn(_) -> _) = match x.all {
        [Shaped::Quat(a), ..] => (a, a, Shaped::Quat),
        [Shaped::Vector(a), Shaped::Vector(b), ..] => (a, b, Shaped::Vector),
        _ => return Err(undefined(op)),
    };
    let difference = || a.zip(b, |a, b| a - b);
    Ok(match op {
        Op::Cross => wrap(cross(a, b)),
        Op::StrongCross => wrap(Vector::from_fn(3, |i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            a.get(j).strong_mul(b.get(k)) - a.get(k).strong_mul(b.get(j))
        })),
        Op::PerpDot => Shaped::Scalar(a.get(0) * b.get(1) - a.get(1) * b.get(0)),
        Op::Length => Shaped::Scalar(dot(a, a).root()),
        Op::LengthSquared => Shaped::Scalar(dot(a, a)),
        Op::Distance => Shaped::Scalar(dot(&difference(), &difference()).root()),
        Op::DistanceSquared => Shaped::Scalar(dot(&difference(), &difference())),
        Op::Normalize => wrap(scale(a, length_recip(a))),
        Op::Lerp => {
            let s = x.all[2].scalar().ok_or_else(|| undefined(op))?;
            let (from_a, from_b) = (scale(a, N::constant(1.0) - s), scale(b, s));
            wrap(from_a.zip(&from_b, |a, b| a + b))
        }
        Op::Reflect => {
            let twice = N::constant(2.0) * dot(a, b);
            wrap(a.zip(&scale(b, twice), |a, b| a - b))
        }
        _ => return Err(undefined(op)),
    })
}

pub(super) fn dot<N: Algebra>(a: &Vector<N>, b: &Vector<N>) -> N {
    let product = |i| a.get(i) * b.get(i);
    (1..a.len()).fold(product(0), |sum, i| sum + product(i))
}

pub(super) fn cross<N: Algebra>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    Vector::from_fn(3, |i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        a.get(j) * b.get(k) - b.get(j) * a.get(k)
    })
}

pub(super) fn scale<N: Algebra>(a: &Vector<N>, s: N) -> Vector<N> {
    a.map(|a| a * s)
}

fn length_recip<N: Algebra>(a: &Vector<N>) -> N {
    N::constant(1.0) / dot(a, a).sqrt()
}

/// `normalize_or_zero`: zero where the length is not positive.
pub(super) fn normalize_or_zero<N: Number>(op: Op, x: &Operands<N>) -> Outcome<Shaped<N>> {
    let Shaped::Vector(a) = x.all[0] else { return Err(undefined(op)) };
    let (length, zero) = (dot(a, a).sqrt(), N::constant(0.0));
    Ok(Shaped::Vector(a.map(|a| if length > zero { a / length } else { zero })))
}
