//! Single operations on arrays of values. Synthesis uses them to learn the values that an operation produces.

use super::cast;
use super::num::Num;
use super::ops::{self, MOST_SCALARS};
use super::value::{Part, Value};
use crate::data::{Arg, Data};
use crate::ir::{Scalar, Type};
use crate::ops::Op;

/// Applies `op` elementwise to `operands`; each result has type `ty`. The result has as many elements as the shortest
/// operand.
///
/// # Errors
/// The message of the first application that fails.
pub fn apply(op: Op, operands: &[&Arg], ty: Type) -> Result<Arg, String> {
    if ty.is_scalar() && operands.len() <= MOST_SCALARS && operands.iter().all(|operand| operand.ty.is_scalar()) {
        let mut scalars: [Num<f32, f64>; MOST_SCALARS] = [Num::Bool(false); MOST_SCALARS];
        return each(shortest(operands), ty, |element| {
            for (scalar, operand) in scalars.iter_mut().zip(operands) {
                *scalar = Num::read(&operand.data, element);
            }
            ops::apply_scalars(op, &scalars[..operands.len()]).map(Value::from)
        });
    }
    let mut values: Vec<Value<f32, f64>> = Vec::with_capacity(operands.len());
    each(shortest(operands), ty, |element| {
        values.clear();
        values.extend(operands.iter().map(|operand| Value::read(operand.ty, &operand.data, element)));
        ops::apply(op, &values, ty)
    })
}

/// Casts every element of the scalar array `operand` to `to`.
///
/// # Errors
/// A message if there is no such cast.
pub fn convert(operand: &Arg, to: Scalar) -> Result<Arg, String> {
    each(operand.len(), Type::of(to), |element| {
        cast::cast(Num::read(&operand.data, element), to)
            .map(Value::from)
            .ok_or_else(|| format!("there is no cast to {}", to.name()))
    })
}

/// Takes the component, or the column of a matrix, with number `number` of every element of `operand`.
///
/// # Errors
/// A message if there is no part with this number.
pub fn part(operand: &Arg, number: usize) -> Result<Arg, String> {
    let part = if operand.ty.is_matrix() { Part::Column(number) } else { Part::Component(number) };
    each(operand.len(), operand.ty.part(), |element| {
        let value: Value<f32, f64> = Value::read(operand.ty, &operand.data, element);
        value.part(part).ok_or_else(|| format!("there is no part {number}"))
    })
}

/// The number of elements that all operands have.
fn shortest(operands: &[&Arg]) -> usize {
    operands.iter().map(|operand| operand.len()).min().unwrap_or_default()
}

fn each(
    count: usize,
    ty: Type,
    mut element: impl FnMut(usize) -> Result<Value<f32, f64>, String>,
) -> Result<Arg, String> {
    let mut data = Data::zeros(ty.scalar(), count * ty.components());
    for place in 0..count {
        element(place)?.write(ty, &mut data, place);
    }
    Ok(Arg { ty, shape: vec![count], data })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> Arg {
        Arg { ty: Type::F32, shape: vec![values.len()], data: Data::F32(values.to_vec()) }
    }

    #[test]
    fn elements_are_taken_together() {
        let sum = apply(Op::Add, &[&floats(&[1.0, 2.0]), &floats(&[0.5, -2.0])], Type::F32).unwrap();
        assert_eq!(sum.data, Data::F32(vec![1.5, 0.0]));
        let point = apply(Op::VecNew, &[&floats(&[1.0, 2.0]), &sum], Type::vector(Scalar::F32, 2)).unwrap();
        assert_eq!(part(&point, 1).unwrap(), sum);
        assert!(part(&point, 2).is_err());
        assert_eq!(convert(&sum, Scalar::I32).unwrap().data, Data::I32(vec![1, 0]));
    }

    #[test]
    fn an_error_of_the_program_is_reported() {
        let numbers = Arg { ty: Type::I32, shape: vec![2], data: Data::I32(vec![3, i32::MAX]) };
        assert!(apply(Op::Add, &[&numbers, &numbers], Type::I32).is_err());
        assert!(apply(Op::WrappingAdd, &[&numbers, &numbers], Type::I32).is_ok());
    }
}
