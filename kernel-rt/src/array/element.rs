//! The Rust types of kernel values, and their conversion from and to [`Data`] and to the memory of devices.

use crate::error::DeviceError;
use crate::value::{Float, Matrix, Number, Quaternion, Vector};
use bytemuck::Pod;
use kernel_ir::data::Data;
use kernel_ir::ir::{Scalar, Shape, Type};
use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Add;

/// A type of by-value parameters of kernels.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of the kernel language",
    label = "not a kernel value",
    note = "values are `f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool usize`, vectors, matrices and quaternions of numbers, and device structs"
)]
pub trait Value: Copy + Send + Sync + sealed::Sealed + 'static {
    /// The type in the IR.
    fn ir_type() -> Type;

    /// The value as an argument of an emitted function.
    #[doc(hidden)]
    fn bits(&self) -> Bits;

    /// Appends the scalars of the value to its columns, one for each of the [`leaves`](Type::leaves) of its type.
    #[doc(hidden)]
    fn put(&self, columns: &mut ColumnsMut<'_>);

    /// Reads the value from its columns; `None` if they have other types, or end before it.
    #[doc(hidden)]
    fn take(columns: &mut Columns<'_>) -> Option<Self>;
}

/// A by-value argument of an emitted function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bits {
    /// An index. The emitted function decides its width.
    Index(usize),
    /// Any other value: its bytes in memory.
    Plain(Box<[u8]>),
}

/// Columns of values, from which one value is read.
#[derive(Debug)]
pub struct Columns<'a> {
    columns: &'a [&'a Data],
    /// The number of the value.
    value: usize,
}

/// Columns of values, to which one value is appended.
#[derive(Debug)]
pub struct ColumnsMut<'a>(&'a mut [Data]);

impl<'a> Columns<'a> {
    /// The number of the value.
    pub(super) fn value(&self) -> usize {
        self.value
    }

    /// The next column.
    pub(super) fn next(&mut self) -> Option<&'a Data> {
        let (first, rest) = self.columns.split_first()?;
        self.columns = rest;
        Some(first)
    }
}

impl ColumnsMut<'_> {
    /// The next column.
    pub(super) fn next(&mut self) -> &mut Data {
        let (first, rest) = std::mem::take(&mut self.0).split_first_mut().expect("there is a column for each value");
        self.0 = rest;
        first
    }
}

/// The value with this number in `columns`; `None` if they have other types, or fewer values.
pub(crate) fn value_of<T: Value>(columns: &[&Data], value: usize) -> Option<T> {
    T::take(&mut Columns { columns, value })
}

/// The columns of values.
pub(crate) fn columns_of<T: Value>(values: &[T]) -> Vec<Data> {
    let leaves = T::ir_type().leaves();
    let mut columns: Vec<Data> = leaves.iter().map(|leaf| Data::zeros(leaf.scalar(), 0)).collect();
    values.iter().for_each(|value| value.put(&mut ColumnsMut(&mut columns)));
    columns
}

/// A type-erased [`Value`].
pub trait AnyValue: Send + Sync {
    /// Its type.
    fn ty(&self) -> Type;

    /// Its size in bytes.
    fn size(&self) -> usize;

    /// The value as an argument of an emitted function.
    fn bits(&self) -> Bits;

    /// Its columns, of one value each.
    fn columns(&self) -> Vec<Data>;
}

impl<T: Value> AnyValue for T {
    fn ty(&self) -> Type {
        T::ir_type()
    }

    fn size(&self) -> usize {
        size_of::<T>()
    }

    fn bits(&self) -> Bits {
        Value::bits(self)
    }

    fn columns(&self) -> Vec<Data> {
        columns_of(&[*self])
    }
}

/// A type of array elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a kernel's array",
    label = "not an array element",
    note = "elements are `f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool`, vectors, matrices and quaternions of numbers, and device structs"
)]
pub trait Element: Value {
    /// The element whose scalars are all 0, or `false`.
    fn zero() -> Self;

    /// The columns of elements.
    #[doc(hidden)]
    fn columns(elements: &[Self]) -> Vec<Data> {
        columns_of(elements)
    }

    /// The first `len` elements in columns; `None` if the columns have other types, or fewer elements.
    #[doc(hidden)]
    fn from_columns(columns: &[&Data], len: usize) -> Option<Vec<Self>> {
        (0..len).map(|element| value_of(columns, element)).collect()
    }

    /// The bytes of elements as devices store them. Bytes between values are 0.
    #[doc(hidden)]
    fn to_memory(elements: &[Self]) -> Cow<'_, [u8]>;

    /// `len` elements whose bytes `read` writes.
    ///
    /// # Errors
    /// Those of `read`; [`DeviceError::NotBool`] if a byte of a `bool` is neither 0 nor 1; [`DeviceError::NotVariant`] if
    /// a number of an enum is that of no variant.
    #[doc(hidden)]
    fn from_memory(
        len: usize,
        read: impl FnOnce(&mut [u8]) -> Result<(), DeviceError>,
    ) -> Result<Vec<Self>, DeviceError>;
}

/// An element that consists of scalars of one type, in the order of [`Data`]: not a struct. Other libraries and files
/// take arrays of these.
#[diagnostic::on_unimplemented(
    message = "an array of `{Self}` has no form in other libraries",
    label = "not made of scalars of one type",
    note = "arrays of `f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool`, and of vectors, matrices and quaternions of numbers have one"
)]
pub trait UniformElement: Element + Debug + PartialEq {
    /// The type of the scalars.
    type Scalar: UniformElement<Scalar = Self::Scalar>;
    /// An element as devices and other libraries store it: the same size and alignment, and any bytes are valid.
    #[doc(hidden)]
    type Stored: Pod;

    /// The scalars of `elements`.
    fn data_from(elements: &[Self]) -> Data;

    /// The elements with these scalars; `None` if the scalars have another type, or their number is not a multiple of an
    /// element.
    fn from_data(data: &Data) -> Option<Vec<Self>> {
        let size = Self::ir_type().components();
        let len = data.len() / size;
        Self::from_columns(&[data], len).filter(|_| data.len() == len * size)
    }

    /// Views the elements as scalars.
    #[doc(hidden)]
    fn scalars_of(elements: &[Self]) -> &[Self::Scalar];

    /// The elements that consist of these scalars, whose number is a multiple of an element.
    #[doc(hidden)]
    fn from_scalars(scalars: Vec<Self::Scalar>) -> Vec<Self>;

    /// Whether all of `stored` are elements. They are, unless the element is a `bool` and the byte neither 0 nor 1.
    #[doc(hidden)]
    fn are_elements(stored: &[Self::Stored]) -> bool;

    /// Views the elements as they are stored.
    #[doc(hidden)]
    fn to_stored(elements: &[Self]) -> &[Self::Stored];

    /// The elements; `None` unless all of them [are elements](UniformElement::are_elements).
    #[doc(hidden)]
    fn from_stored(stored: Vec<Self::Stored>) -> Option<Vec<Self>>;
}

/// An element that [`Data`] holds as it is. It holds floats of 16 bits as `f32`.
pub trait DataElement: UniformElement {
    /// Views the scalars of `data` as elements; `None` if they have another type, or their number is not a multiple of
    /// an element.
    fn slice_of(data: &Data) -> Option<&[Self]>;

    /// Views the scalars of `data` as mutable elements; `None` if they have another type, or their number is not a
    /// multiple of an element.
    fn slice_of_mut(data: &mut Data) -> Option<&mut [Self]>;
}

/// An element with floats, so it has a gradient.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no gradient",
    label = "has no floats",
    note = "`f16`, `bf16`, `f32`, `f64`, vectors, matrices and quaternions of them, and device structs with such a field have gradients"
)]
pub trait FloatElement: Element {
    /// Adds `more` to `sums`, element by element. The scalars of structs that are no floats stay.
    #[doc(hidden)]
    fn add_all(sums: &mut [Self], more: &[Self]);

    /// Whether all floats are 0.
    #[doc(hidden)]
    fn are_zero(elements: &[Self]) -> bool;
}

/// The seal of [`Value`]. Emitted code names it for device structs.
pub mod sealed {
    /// Implemented for the types of the kernel language only.
    pub trait Sealed {}
}

/// The column of a value that is no struct.
fn put_scalars<T: UniformElement>(value: &T, columns: &mut ColumnsMut<'_>) {
    match (columns.next(), T::data_from(std::slice::from_ref(value))) {
        (Data::Bool(column), Data::Bool(scalars)) => column.extend(scalars),
        (Data::I8(column), Data::I8(scalars)) => column.extend(scalars),
        (Data::U8(column), Data::U8(scalars)) => column.extend(scalars),
        (Data::I16(column), Data::I16(scalars)) => column.extend(scalars),
        (Data::U16(column), Data::U16(scalars)) => column.extend(scalars),
        (Data::I32(column), Data::I32(scalars)) => column.extend(scalars),
        (Data::U32(column), Data::U32(scalars)) => column.extend(scalars),
        (Data::I64(column), Data::I64(scalars)) => column.extend(scalars),
        (Data::U64(column), Data::U64(scalars)) => column.extend(scalars),
        (Data::F32(column), Data::F32(scalars)) => column.extend(scalars),
        (Data::F64(column), Data::F64(scalars)) => column.extend(scalars),
        (column, _) => unreachable!("the columns {column:?} are made for other values"),
    }
}

/// A number that arrays consist of, directly or in vectors.
pub trait NumberElement: Number + UniformElement<Scalar = Self> + Pod {
    #[doc(hidden)]
    const SCALAR: Scalar;

    #[doc(hidden)]
    fn data(numbers: Vec<Self>) -> Data;
    #[doc(hidden)]
    fn numbers(data: &Data) -> Option<&[Self]>;
    #[doc(hidden)]
    fn numbers_mut(data: &mut Data) -> Option<&mut [Self]>;
}

macro_rules! numbers {
    ($($variant:ident $number:ident;)*) => {$(
        impl NumberElement for $number {
            const SCALAR: Scalar = Scalar::$variant;

            fn data(numbers: Vec<$number>) -> Data {
                Data::$variant(numbers)
            }

            fn numbers(data: &Data) -> Option<&[$number]> {
                if let Data::$variant(numbers) = data { Some(numbers) } else { None }
            }

            fn numbers_mut(data: &mut Data) -> Option<&mut [$number]> {
                if let Data::$variant(numbers) = data { Some(numbers) } else { None }
            }
        }
    )*};
}

numbers! {
    F32 f32;
    F64 f64;
    I8 i8;
    U8 u8;
    I16 i16;
    U16 u16;
    I32 i32;
    U32 u32;
    I64 i64;
    U64 u64;
}

/// A type with the layout of an array of numbers: a number, vector, matrix or quaternion.
pub trait Composite: Copy + Debug + PartialEq + Pod + Send + Sync {
    type Number: NumberElement;
    const SHAPE: Shape;
}

impl<T: Composite> sealed::Sealed for T {}

impl<T: Composite> Value for T {
    fn ir_type() -> Type {
        Type::new(T::Number::SCALAR, T::SHAPE)
    }

    fn bits(&self) -> Bits {
        Bits::Plain(bytemuck::bytes_of(self).into())
    }

    fn put(&self, columns: &mut ColumnsMut<'_>) {
        put_scalars(self, columns);
    }

    fn take(columns: &mut Columns<'_>) -> Option<T> {
        T::slice_of(columns.next()?)?.get(columns.value).copied()
    }
}

impl<T: Composite> Element for T {
    fn zero() -> T {
        T::zeroed()
    }

    fn columns(elements: &[T]) -> Vec<Data> {
        vec![T::data_from(elements)]
    }

    fn from_columns(columns: &[&Data], len: usize) -> Option<Vec<T>> {
        Some(T::slice_of(columns.first()?)?.get(..len)?.to_vec())
    }

    fn to_memory(elements: &[T]) -> Cow<'_, [u8]> {
        bytemuck::cast_slice(elements).into()
    }

    fn from_memory(len: usize, read: impl FnOnce(&mut [u8]) -> Result<(), DeviceError>) -> Result<Vec<T>, DeviceError> {
        let mut elements = vec![T::zeroed(); len];
        read(bytemuck::cast_slice_mut(&mut elements))?;
        Ok(elements)
    }
}

impl<T: Composite> DataElement for T {
    fn slice_of(data: &Data) -> Option<&[T]> {
        bytemuck::try_cast_slice(T::Number::numbers(data)?).ok()
    }

    fn slice_of_mut(data: &mut Data) -> Option<&mut [T]> {
        bytemuck::try_cast_slice_mut(T::Number::numbers_mut(data)?).ok()
    }
}

impl<T: Composite> UniformElement for T {
    type Scalar = T::Number;
    type Stored = T;

    fn data_from(elements: &[T]) -> Data {
        T::Number::data(T::scalars_of(elements).to_vec())
    }

    fn scalars_of(elements: &[T]) -> &[T::Number] {
        bytemuck::cast_slice(elements)
    }

    fn from_scalars(scalars: Vec<T::Number>) -> Vec<T> {
        // A vector whose capacity is no whole number of elements is copied.
        bytemuck::allocation::try_cast_vec(scalars)
            .unwrap_or_else(|(_, scalars)| bytemuck::cast_slice(&scalars).to_vec())
    }

    fn are_elements(_: &[T]) -> bool {
        true
    }

    fn to_stored(elements: &[T]) -> &[T] {
        elements
    }

    fn from_stored(stored: Vec<T>) -> Option<Vec<T>> {
        Some(stored)
    }
}

macro_rules! composite_numbers {
    ($($number:ident)*) => {$(
        impl Composite for $number {
            type Number = $number;
            const SHAPE: Shape = Shape::Scalar;
        }
    )*};
}

composite_numbers!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64);

impl<T: NumberElement, const N: usize> Composite for Vector<T, N> {
    type Number = T;
    const SHAPE: Shape = Shape::Vector(size(N));
}

impl<T: NumberElement, const R: usize, const C: usize> Composite for Matrix<T, R, C> {
    type Number = T;
    const SHAPE: Shape = Shape::Matrix(size(R), size(C));
}

impl<T: NumberElement> Composite for Quaternion<T> {
    type Number = T;
    const SHAPE: Shape = Shape::Quat;
}

/// The size of a vector or matrix in the IR.
const fn size(n: usize) -> u8 {
    assert!(n > 0 && n <= Type::MOST_PARTS as usize, "vectors and matrices have 1 to 16 components, rows and columns");
    n as u8
}

impl sealed::Sealed for bool {}

impl Value for bool {
    fn ir_type() -> Type {
        Type::BOOL
    }

    fn bits(&self) -> Bits {
        Bits::Plain([u8::from(*self)].into())
    }

    fn put(&self, columns: &mut ColumnsMut<'_>) {
        put_scalars(self, columns);
    }

    fn take(columns: &mut Columns<'_>) -> Option<bool> {
        bool::slice_of(columns.next()?)?.get(columns.value).copied()
    }
}

impl sealed::Sealed for usize {}

impl Value for usize {
    fn ir_type() -> Type {
        Type::INDEX
    }

    fn bits(&self) -> Bits {
        Bits::Index(*self)
    }

    fn put(&self, columns: &mut ColumnsMut<'_>) {
        if let Data::Index(column) = columns.next() {
            column.push(*self);
        }
    }

    fn take(columns: &mut Columns<'_>) -> Option<usize> {
        if let Data::Index(values) = columns.next()? { values.get(columns.value).copied() } else { None }
    }
}

impl Element for bool {
    fn zero() -> bool {
        false
    }

    fn to_memory(elements: &[bool]) -> Cow<'_, [u8]> {
        bytemuck::cast_slice(elements).into()
    }

    fn from_memory(
        len: usize,
        read: impl FnOnce(&mut [u8]) -> Result<(), DeviceError>,
    ) -> Result<Vec<bool>, DeviceError> {
        let mut stored = vec![0; len];
        read(&mut stored)?;
        bool::from_stored(stored).ok_or(DeviceError::NotBool)
    }
}

impl DataElement for bool {
    fn slice_of(data: &Data) -> Option<&[bool]> {
        match data {
            Data::Bool(values) => Some(values),
            _ => None,
        }
    }

    fn slice_of_mut(data: &mut Data) -> Option<&mut [bool]> {
        match data {
            Data::Bool(values) => Some(values),
            _ => None,
        }
    }
}

impl UniformElement for bool {
    type Scalar = bool;
    type Stored = u8;

    fn data_from(elements: &[bool]) -> Data {
        Data::Bool(elements.to_vec())
    }

    fn scalars_of(elements: &[bool]) -> &[bool] {
        elements
    }

    fn from_scalars(scalars: Vec<bool>) -> Vec<bool> {
        scalars
    }

    fn are_elements(stored: &[u8]) -> bool {
        stored.iter().all(|&byte| byte <= 1)
    }

    fn to_stored(elements: &[bool]) -> &[u8] {
        bytemuck::cast_slice(elements)
    }

    fn from_stored(stored: Vec<u8>) -> Option<Vec<bool>> {
        bool::are_elements(&stored).then(|| stored.into_iter().map(|byte| byte == 1).collect())
    }
}

impl<T: Composite + Add<Output = T>> FloatElement for T
where
    T::Number: Float,
{
    fn add_all(sums: &mut [T], more: &[T]) {
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum = *sum + *more);
    }

    fn are_zero(elements: &[T]) -> bool {
        elements.iter().all(|element| *element == T::zeroed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::*;
    use half::{bf16, f16};

    /// Checks a type against its row of the IR's table.
    fn check<T: Value>(rust_name: &str) {
        let ty = T::ir_type();
        assert_eq!(ty.rust_name(), rust_name);
        assert!(value_of::<T>(&[&Data::zeros(ty.scalar(), 0)], 0).is_none());
        assert!(value_of::<T>(&[&Data::zeros(ty.scalar(), ty.components())], 0).is_some());
        assert_eq!(size_of::<T>(), ty.layout().map_or(size_of::<usize>(), |layout| layout.size));
    }

    #[test]
    fn every_type_of_the_language_is_a_value() {
        let mut names: Vec<String> = Type::all().map(Type::rust_name).collect();
        macro_rules! check_all {
            ($($ty:ident)*) => {$(
                check::<$ty>(stringify!($ty));
                names.retain(|name| name != stringify!($ty));
            )*};
        }
        check_all!(bool usize f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64);
        check_all!(Vec2 Vec3 Vec4 DVec2 DVec3 DVec4 IVec2 IVec3 IVec4);
        check_all!(UVec2 UVec3 UVec4 Mat2 Mat3 Mat4 DMat2 DMat3 DMat4 Quat DQuat);
        assert!(names.is_empty(), "not values: {names:?}");
    }

    #[test]
    fn every_type_of_floats_has_a_gradient() {
        let mut names: Vec<String> = Type::all().filter(|ty| ty.is_float()).map(Type::rust_name).collect();
        fn name<T: FloatElement>() -> String {
            T::ir_type().rust_name()
        }
        macro_rules! check_all {
            ($($ty:ident)*) => {$(names.retain(|other| *other != name::<$ty>());)*};
        }
        check_all!(f16 bf16 f32 Vec2 Vec3 Vec4 Mat2 Mat3 Mat4 Quat f64 DVec2 DVec3 DVec4 DMat2 DMat3 DMat4 DQuat);
        assert!(names.is_empty(), "without a gradient: {names:?}");
    }

    #[test]
    fn matrices_lie_column_by_column() {
        let m = Mat2::from_cols(Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0));
        let data = Mat2::data_from(&[m]);
        assert_eq!(data, Data::F32(vec![1.0, 2.0, 3.0, 4.0]));
        assert_eq!(Mat2::slice_of(&data), Some(&[m][..]));
    }

    #[test]
    fn a_byte_that_is_no_bool_is_no_element() {
        assert_eq!(bool::from_stored(vec![0, 1, 1]), Some(vec![false, true, true]));
        for byte in 2..=u8::MAX {
            assert_eq!(bool::from_stored(vec![1, byte]), None);
        }
    }

    #[test]
    fn scalars_of_another_type_or_half_an_element_are_no_slice() {
        assert_eq!(Vec3::slice_of(&Data::F32(vec![0.0; 4])), None);
        assert_eq!(Vec3::slice_of(&Data::F64(vec![0.0; 3])), None);
    }
}
