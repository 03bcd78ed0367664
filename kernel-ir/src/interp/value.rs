//! Values during a run.

use crate::data::Scalars;
use crate::ir::{Shape, Type};

/// A value. `S` and `D` are the number types for `f32` and `f64`.
#[derive(Clone, Debug)]
pub(super) enum Value<S, D> {
    Bool(bool),
    I8(Shaped<i8>),
    U8(Shaped<u8>),
    I16(Shaped<i16>),
    U16(Shaped<u16>),
    I32(Shaped<i32>),
    U32(Shaped<u32>),
    I64(Shaped<i64>),
    U64(Shaped<u64>),
    Index(Shaped<usize>),
    F16(Shaped<S>),
    BF16(Shaped<S>),
    F32(Shaped<S>),
    F64(Shaped<D>),
}

/// Numbers of one type in a shape.
#[derive(Clone, Debug)]
pub(super) enum Shaped<T> {
    Scalar(T),
    Vector(Vector<T>),
    Quat(Vector<T>),
    Matrix(Matrix<T>),
}

/// The largest number of components of a vector, and of rows and columns of a matrix.
const MOST: usize = Type::MOST_PARTS as usize;

/// A vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vector<T> {
    len: u8,
    /// The components. Entries from `len` on are arbitrary.
    at: [T; MOST],
}

/// A matrix.
#[derive(Clone, Debug)]
pub(super) struct Matrix<T> {
    /// The columns, at least one, all of one length.
    cols: Vec<Vector<T>>,
}

/// A part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Component(usize),
    Column(usize),
}

impl<T: Copy> Vector<T> {
    pub(super) fn from_fn(len: usize, component: impl Fn(usize) -> T) -> Vector<T> {
        let mut vector = Vector { len: len as u8, at: [component(0); MOST] };
        (1..len).for_each(|i| vector.at[i] = component(i));
        vector
    }

    pub(super) fn as_slice(&self) -> &[T] {
        &self.at[..usize::from(self.len)]
    }

    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    pub(super) fn get(&self, index: usize) -> T {
        self.at[index]
    }

    pub(super) fn set(&mut self, index: usize, value: T) {
        self.at[index] = value;
    }

    pub(super) fn map(&self, f: impl Fn(T) -> T) -> Vector<T> {
        Vector::from_fn(self.len(), |i| f(self.at[i]))
    }

    pub(super) fn zip(&self, other: &Vector<T>, f: impl Fn(T, T) -> T) -> Vector<T> {
        Vector::from_fn(self.len(), |i| f(self.at[i], other.at[i]))
    }
}

impl<T: Copy> Matrix<T> {
    /// The matrix of `count` columns.
    pub(super) fn from_fn(count: usize, column: impl FnMut(usize) -> Vector<T>) -> Matrix<T> {
        Matrix { cols: (0..count).map(column).collect() }
    }

    pub(super) fn columns(&self) -> usize {
        self.cols.len()
    }

    pub(super) fn rows(&self) -> usize {
        self.cols[0].len()
    }

    pub(super) fn col(&self, index: usize) -> &Vector<T> {
        &self.cols[index]
    }

    pub(super) fn cols(&self) -> &[Vector<T>] {
        &self.cols
    }

    /// The entry in this column and row.
    pub(super) fn at(&self, column: usize, row: usize) -> T {
        self.cols[column].get(row)
    }

    pub(super) fn map(&self, f: impl Fn(T) -> T) -> Matrix<T> {
        Matrix::from_fn(self.columns(), |j| self.cols[j].map(&f))
    }

    pub(super) fn zip(&self, other: &Matrix<T>, f: impl Fn(T, T) -> T) -> Matrix<T> {
        Matrix::from_fn(self.columns(), |j| self.cols[j].zip(&other.cols[j], &f))
    }
}

impl<T: Copy> Shaped<T> {
    /// The value with the shape of `ty` whose scalars are at the start of `data`.
    pub(super) fn read(ty: Type, data: &[T]) -> Shaped<T> {
        match ty.shape {
            // Operations take no structs.
            Shape::Scalar | Shape::Struct(_) | Shape::Tile(..) => Shaped::Scalar(data[0]),
            Shape::Vector(n) => Shaped::Vector(Vector::from_fn(n.into(), |i| data[i])),
            Shape::Quat => Shaped::Quat(Vector::from_fn(4, |i| data[i])),
            Shape::Matrix(rows, columns) => {
                let rows = usize::from(rows);
                Shaped::Matrix(Matrix::from_fn(columns.into(), |j| Vector::from_fn(rows, |i| data[j * rows + i])))
            }
        }
    }

    pub(super) fn write(&self, data: &mut [T]) {
        match self {
            Shaped::Scalar(value) => data[0] = *value,
            Shaped::Vector(v) | Shaped::Quat(v) => data[..v.len()].copy_from_slice(v.as_slice()),
            Shaped::Matrix(m) => {
                for (column, place) in m.cols().iter().zip(data.chunks_exact_mut(m.rows())) {
                    place.copy_from_slice(column.as_slice());
                }
            }
        }
    }

    pub(super) fn scalar(&self) -> Option<T> {
        if let Shaped::Scalar(value) = self { Some(*value) } else { None }
    }

    fn part(&self, part: Part) -> Option<Shaped<T>> {
        match (self, part) {
            (Shaped::Vector(v) | Shaped::Quat(v), Part::Component(i)) => {
                v.as_slice().get(i).copied().map(Shaped::Scalar)
            }
            (Shaped::Matrix(m), Part::Column(j)) => m.cols().get(j).copied().map(Shaped::Vector),
            _ => None,
        }
    }
}

impl<S: Copy, D: Copy> Value<S, D> {
    /// The element number `element` of type `ty`.
    pub(super) fn read(ty: Type, data: &Scalars<S, D>, element: usize) -> Value<S, D> {
        let start = element * ty.components();
        match data {
            Scalars::Bool(data) => Value::Bool(data[start]),
            Scalars::I8(data) => Value::I8(Shaped::read(ty, &data[start..])),
            Scalars::U8(data) => Value::U8(Shaped::read(ty, &data[start..])),
            Scalars::I16(data) => Value::I16(Shaped::read(ty, &data[start..])),
            Scalars::U16(data) => Value::U16(Shaped::read(ty, &data[start..])),
            Scalars::I32(data) => Value::I32(Shaped::read(ty, &data[start..])),
            Scalars::U32(data) => Value::U32(Shaped::read(ty, &data[start..])),
            Scalars::I64(data) => Value::I64(Shaped::read(ty, &data[start..])),
            Scalars::U64(data) => Value::U64(Shaped::read(ty, &data[start..])),
            Scalars::Index(data) => Value::Index(Shaped::read(ty, &data[start..])),
            Scalars::F16(data) => Value::F16(Shaped::read(ty, &data[start..])),
            Scalars::BF16(data) => Value::BF16(Shaped::read(ty, &data[start..])),
            Scalars::F32(data) => Value::F32(Shaped::read(ty, &data[start..])),
            Scalars::F64(data) => Value::F64(Shaped::read(ty, &data[start..])),
        }
    }

    /// Stores the value, which has type `ty`, as element number `element`.
    pub(super) fn write(&self, ty: Type, data: &mut Scalars<S, D>, element: usize) {
        let start = element * ty.components();
        match (self, data) {
            (Value::Bool(value), Scalars::Bool(data)) => data[start] = *value,
            (Value::I8(value), Scalars::I8(data)) => value.write(&mut data[start..]),
            (Value::U8(value), Scalars::U8(data)) => value.write(&mut data[start..]),
            (Value::I16(value), Scalars::I16(data)) => value.write(&mut data[start..]),
            (Value::U16(value), Scalars::U16(data)) => value.write(&mut data[start..]),
            (Value::I32(value), Scalars::I32(data)) => value.write(&mut data[start..]),
            (Value::U32(value), Scalars::U32(data)) => value.write(&mut data[start..]),
            (Value::I64(value), Scalars::I64(data)) => value.write(&mut data[start..]),
            (Value::U64(value), Scalars::U64(data)) => value.write(&mut data[start..]),
            (Value::Index(value), Scalars::Index(data)) => value.write(&mut data[start..]),
            (Value::F16(value), Scalars::F16(data)) => value.write(&mut data[start..]),
            (Value::BF16(value), Scalars::BF16(data)) => value.write(&mut data[start..]),
            (Value::F32(value), Scalars::F32(data)) => value.write(&mut data[start..]),
            (Value::F64(value), Scalars::F64(data)) => value.write(&mut data[start..]),
            _ => {}
        }
    }

    /// A part of the value; `None` if it has no such part.
    pub(super) fn part(&self, part: Part) -> Option<Value<S, D>> {
        match self {
            Value::Bool(_) => None,
            Value::I8(x) => x.part(part).map(Value::I8),
            Value::U8(x) => x.part(part).map(Value::U8),
            Value::I16(x) => x.part(part).map(Value::I16),
            Value::U16(x) => x.part(part).map(Value::U16),
            Value::I32(x) => x.part(part).map(Value::I32),
            Value::U32(x) => x.part(part).map(Value::U32),
            Value::I64(x) => x.part(part).map(Value::I64),
            Value::U64(x) => x.part(part).map(Value::U64),
            Value::Index(x) => x.part(part).map(Value::Index),
            Value::F16(x) => x.part(part).map(Value::F16),
            Value::BF16(x) => x.part(part).map(Value::BF16),
            Value::F32(x) => x.part(part).map(Value::F32),
            Value::F64(x) => x.part(part).map(Value::F64),
        }
    }
}
