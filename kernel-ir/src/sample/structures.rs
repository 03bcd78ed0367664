//! Samples of structured arrays: sorted, offsets, permutations, different integers, unit vectors, probabilities, positive definite
//! matrices.
//!
//! Only operations that IEEE 754 rounds correctly are used (no logarithm, no sine), so the numbers are the same on all
//! machines.

use super::draw::{Ranges, Source};
use crate::data::Data;
use crate::ir::{Scalar, Structure, Type};
use std::collections::BTreeMap;

/// The largest number of reflections that rotate the eigenvectors of a matrix. Each reflection mixes all axes.
const MOST_REFLECTIONS: usize = 16;

/// Draws the scalars of a parameter of type `ty` and extents `shape`; `None` if the range does not fit the type.
///
/// # Errors
/// The extents do not allow the structure. The message continues a sentence about the parameter.
pub(super) fn draw(
    source: &mut Source,
    structure: Structure,
    (ty, shape): (Type, &[usize]),
    ranges: &Ranges,
) -> Result<Option<Data>, String> {
    let count = shape.iter().product::<usize>() * ty.components();
    // The unit that has the structure: the components of an element, or the elements along the last axis.
    let row = match ty.is_scalar() {
        true => shape.last().copied().unwrap_or(1),
        false => ty.components(),
    };
    Ok(match structure {
        Structure::Sorted => source.draw(ty.scalar(), ranges, count).map(|data| sorted(data, row)),
        Structure::Offsets => offsets(source, ty.scalar(), ranges, (count, row)),
        Structure::Permutation => permutations(source, ty.scalar(), (count, row)),
        Structure::Distinct => {
            let (low, high) = ranges.ints;
            if high - low < row as i128 {
                return Err(format!("has rows of {row} different integers, and its range has only {}", high - low));
            }
            distinct(source, ty.scalar(), ranges, (count, row))
        }
        Structure::Unit => floats(ty.scalar(), rows(count, row, |row| unit(source, row))),
        Structure::Probability => floats(ty.scalar(), rows(count, row, |row| probabilities(source, row))),
        Structure::PositiveDefinite => {
            let n = match shape {
                [.., rows, columns] if ty.is_scalar() && rows != columns => {
                    return Err(format!("is positive definite, and its last two extents are {rows} and {columns}"));
                }
                [.., n] if ty.is_scalar() => *n,
                _ => ty.components().isqrt(),
            };
            floats(ty.scalar(), rows(count, n * n, |matrix| positive_definite(source, matrix, n, ranges.floats)))
        }
    })
}

/// `count` floats; `fill` sets each row.
fn rows(count: usize, row: usize, fill: impl FnMut(&mut [f64])) -> Vec<f64> {
    let mut values = vec![0.0; count];
    values.chunks_exact_mut(row).for_each(fill);
    values
}

fn floats(scalar: Scalar, values: Vec<f64>) -> Option<Data> {
    match scalar {
        Scalar::F16 | Scalar::BF16 | Scalar::F32 => {
            Some(Data::rounded(scalar, values.into_iter().map(|value| value as f32).collect()))
        }
        Scalar::F64 => Some(Data::F64(values)),
        Scalar::Bool | Scalar::Index => None,
        Scalar::I8 | Scalar::U8 | Scalar::I16 | Scalar::U16 | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 => {
            None
        }
    }
}

fn ints(scalar: Scalar, values: &[i128]) -> Option<Data> {
    fn all<T: TryFrom<i128>>(values: &[i128]) -> Option<Vec<T>> {
        values.iter().map(|value| T::try_from(*value).ok()).collect()
    }
    match scalar {
        Scalar::I8 => all(values).map(Data::I8),
        Scalar::U8 => all(values).map(Data::U8),
        Scalar::I16 => all(values).map(Data::I16),
        Scalar::U16 => all(values).map(Data::U16),
        Scalar::I32 => all(values).map(Data::I32),
        Scalar::U32 => all(values).map(Data::U32),
        Scalar::I64 => all(values).map(Data::I64),
        Scalar::U64 => all(values).map(Data::U64),
        Scalar::Index => all(values).map(Data::Index),
        Scalar::Bool | Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::F64 => None,
    }
}

/// The data with each row in ascending order.
fn sorted(mut data: Data, row: usize) -> Data {
    fn sort<T>(data: &mut [T], row: usize, order: impl Fn(&T, &T) -> std::cmp::Ordering) {
        data.chunks_exact_mut(row).for_each(|row| row.sort_unstable_by(&order));
    }
    match &mut data {
        Data::Bool(data) => sort(data, row, bool::cmp),
        Data::I8(data) => sort(data, row, i8::cmp),
        Data::U8(data) => sort(data, row, u8::cmp),
        Data::I16(data) => sort(data, row, i16::cmp),
        Data::U16(data) => sort(data, row, u16::cmp),
        Data::I32(data) => sort(data, row, i32::cmp),
        Data::U32(data) => sort(data, row, u32::cmp),
        Data::I64(data) => sort(data, row, i64::cmp),
        Data::U64(data) => sort(data, row, u64::cmp),
        Data::Index(data) => sort(data, row, usize::cmp),
        Data::F16(data) | Data::BF16(data) | Data::F32(data) => sort(data, row, f32::total_cmp),
        Data::F64(data) => sort(data, row, f64::total_cmp),
    }
    data
}

/// Rows that ascend from the smallest to the largest integer of the range. A row of one element is the smallest
/// integer, because it separates nothing.
fn offsets(source: &mut Source, scalar: Scalar, ranges: &Ranges, (count, row): (usize, usize)) -> Option<Data> {
    let mut values: Vec<i128> = (0..count).map(|_| source.int(ranges.ints)).collect();
    for row in values.chunks_exact_mut(row) {
        row.sort_unstable();
        if let [.., last] = row {
            *last = ranges.ints.1 - 1;
        }
        row[0] = ranges.ints.0;
    }
    ints(scalar, &values)
}

/// Rows of shuffled integers from 0 (Fisher–Yates).
fn permutations(source: &mut Source, scalar: Scalar, (count, row): (usize, usize)) -> Option<Data> {
    let mut values: Vec<i128> = (0..count).map(|place| (place % row) as i128).collect();
    for row in values.chunks_exact_mut(row) {
        for place in (1..row.len()).rev() {
            let other = source.int((0, place as i128 + 1));
            row.swap(place, other as usize);
        }
    }
    ints(scalar, &values)
}

/// Rows of different integers of the range, in any order.
fn distinct(source: &mut Source, scalar: Scalar, ranges: &Ranges, (count, row): (usize, usize)) -> Option<Data> {
    let (low, high) = ranges.ints;
    let mut values = Vec::with_capacity(count);
    for _ in 0..count / row.max(1) {
        // The first elements of a shuffle of the whole range, of which only the places that have moved are kept.
        let mut moved: BTreeMap<i128, i128> = BTreeMap::new();
        for place in (low..high).take(row) {
            let other = source.int((place, high));
            let (at, here) = (moved.get(&other).copied(), moved.get(&place).copied());
            values.push(at.unwrap_or(other));
            moved.insert(other, here.unwrap_or(place));
        }
    }
    ints(scalar, &values)
}

/// A uniformly distributed direction, by rejection: a uniform point of the ball, projected to the sphere.
fn unit(source: &mut Source, row: &mut [f64]) {
    let square = loop {
        row.fill_with(|| source.f64((-1.0, 1.0)));
        let square: f64 = row.iter().map(|value| value * value).sum();
        // Near the centre, rounding errors would dominate the direction.
        if (0.01..=1.0).contains(&square) {
            break square;
        }
    };
    row.iter_mut().for_each(|value| *value /= square.sqrt());
}

/// A uniformly distributed point of the probability simplex: the spacings of sorted uniform numbers (Devroye,
/// Non-Uniform Random Variate Generation, chapter V, 2.1).
fn probabilities(source: &mut Source, row: &mut [f64]) {
    let Some((last, cuts)) = row.split_last_mut() else { return };
    cuts.fill_with(|| source.f64((0.0, 1.0)));
    cuts.sort_unstable_by(f64::total_cmp);
    *last = 1.0;
    for place in (1..row.len()).rev() {
        row[place] -= row[place - 1];
    }
}

/// A symmetric `n`×`n` matrix with eigenvalues in the range: a diagonal matrix, conjugated by random Householder
/// reflections.
fn positive_definite(source: &mut Source, matrix: &mut [f64], n: usize, eigenvalues: (f64, f64)) {
    (0..n).for_each(|k| matrix[k * n + k] = source.f64(eigenvalues));
    let mut axis = vec![0.0; n];
    for _ in 0..n.min(MOST_REFLECTIONS) {
        unit_of_any_length(source, &mut axis);
        // H·A·H for H = I − 2·v·vᵀ is A − v·wᵀ − w·vᵀ, where w = 2·A·v − 2·(vᵀ·A·v)·v.
        let product: Vec<f64> = matrix.chunks_exact(n).map(|row| dot(row, &axis)).collect();
        let along = dot(&product, &axis);
        let w: Vec<f64> = product.iter().zip(&axis).map(|(a, v)| 2.0 * (a - along * v)).collect();
        for (i, row) in matrix.chunks_exact_mut(n).enumerate() {
            for (j, value) in row.iter_mut().enumerate() {
                // The two products are added first, so the result is exactly symmetric.
                *value -= axis[i] * w[j] + w[i] * axis[j];
            }
        }
    }
}

/// A direction in any number of dimensions. It is not uniform: in many dimensions almost all points of the cube lie
/// outside of the ball, so rejection would not end.
fn unit_of_any_length(source: &mut Source, row: &mut [f64]) {
    let square = loop {
        row.fill_with(|| source.f64((-1.0, 1.0)));
        let square = dot(row, row);
        if square > 0.01 {
            break square;
        }
    };
    row.iter_mut().for_each(|value| *value /= square.sqrt());
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
