//! Floats of 16 bits, of the crate `half`, as values and elements.
//!
//! [`Data`] holds them as `f32` of the same values. In memory, and in other libraries, they are 16 bits.

use super::element::{Bits, Columns, ColumnsMut, Element, FloatElement, UniformElement, Value, sealed};
use crate::error::DeviceError;
use half::slice::HalfFloatSliceExt;
use half::vec::HalfBitsVecExt;
use half::{bf16, f16};
use kernel_ir::data::Data;
use kernel_ir::ir::Type;
use std::borrow::Cow;

/// The numbers of a column of `Data`, converted to the type.
fn numbers<T: 'static>(data: &Data, ty: Type, of: fn(f32) -> T) -> Option<impl Iterator<Item = T> + '_> {
    let singles = data.singles().filter(|_| data.scalar() == ty.scalar())?;
    Some(singles.iter().map(move |number| of(*number)))
}

macro_rules! halves {
    ($($half:ident $variant:ident;)*) => {$(
        impl sealed::Sealed for $half {}

        impl Value for $half {
            fn ir_type() -> Type {
                Type::$variant
            }

            fn bits(&self) -> Bits {
                Bits::Plain(self.to_bits().to_ne_bytes().into())
            }

            fn put(&self, columns: &mut ColumnsMut<'_>) {
                if let Data::$variant(column) = columns.next() {
                    column.push(self.to_f32());
                }
            }

            fn take(columns: &mut Columns<'_>) -> Option<$half> {
                let place = columns.value();
                numbers(columns.next()?, Type::$variant, $half::from_f32)?.nth(place)
            }
        }

        impl Element for $half {
            fn zero() -> $half {
                $half::ZERO
            }

            fn columns(elements: &[$half]) -> Vec<Data> {
                vec![$half::data_from(elements)]
            }

            fn from_columns(columns: &[&Data], len: usize) -> Option<Vec<$half>> {
                let found: Vec<$half> = numbers(columns.first()?, Type::$variant, $half::from_f32)?.take(len).collect();
                Some(found).filter(|found| found.len() == len)
            }

            fn to_memory(elements: &[$half]) -> Cow<'_, [u8]> {
                bytemuck::cast_slice(elements.reinterpret_cast()).into()
            }

            fn from_memory(
                len: usize,
                read: impl FnOnce(&mut [u8]) -> Result<(), DeviceError>,
            ) -> Result<Vec<$half>, DeviceError> {
                let mut stored = vec![0_u16; len];
                read(bytemuck::cast_slice_mut(&mut stored))?;
                Ok(stored.reinterpret_into())
            }
        }

        impl UniformElement for $half {
            type Scalar = $half;
            type Stored = u16;

            fn data_from(elements: &[$half]) -> Data {
                Data::$variant(elements.iter().map(|element| element.to_f32()).collect())
            }

            fn scalars_of(elements: &[$half]) -> &[$half] {
                elements
            }

            fn from_scalars(scalars: Vec<$half>) -> Vec<$half> {
                scalars
            }

            fn are_elements(_: &[u16]) -> bool {
                true
            }

            fn to_stored(elements: &[$half]) -> &[u16] {
                elements.reinterpret_cast()
            }

            fn from_stored(stored: Vec<u16>) -> Option<Vec<$half>> {
                Some(stored.reinterpret_into())
            }
        }

        impl FloatElement for $half {
            fn add_all(sums: &mut [$half], more: &[$half]) {
                sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += *more);
            }

            fn are_zero(elements: &[$half]) -> bool {
                elements.iter().all(|element| *element == $half::ZERO)
            }
        }
    )*};
}

halves! {
    f16 F16;
    bf16 BF16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::element::value_of;

    #[test]
    fn values_go_through_data_and_memory() {
        let numbers = [0.5, -0.0, 65504.0, f32::INFINITY, 5.9604645e-8];
        let halves = numbers.map(f16::from_f32);
        let columns = f16::columns(&halves);
        assert_eq!(columns, [Data::F16(numbers.to_vec())]);
        assert_eq!(f16::from_columns(&[&columns[0]], 5).unwrap(), halves);
        assert_eq!(f16::from_columns(&[&columns[0]], 6), None);
        assert_eq!(bf16::from_columns(&[&columns[0]], 5), None);
        assert_eq!(value_of::<f16>(&[&columns[0]], 2), Some(f16::MAX));
        assert_eq!(value_of::<f16>(&[&columns[0]], 5), None);
        let memory = f16::to_memory(&halves).into_owned();
        assert_eq!(columns[0].to_bytes(), Some(memory.clone()));
        let read = f16::from_memory(5, |bytes| {
            bytes.copy_from_slice(&memory);
            Ok(())
        });
        assert_eq!(read.unwrap(), halves);
    }

    #[test]
    fn sums_are_rounded_to_the_type() {
        let mut sums = [bf16::from_f32(256.0)];
        bf16::add_all(&mut sums, &[bf16::ONE]);
        assert_eq!(sums, [bf16::from_f32(256.0)]);
        assert!(bf16::are_zero(&[-bf16::ZERO]) && !bf16::are_zero(&sums));
    }
}
