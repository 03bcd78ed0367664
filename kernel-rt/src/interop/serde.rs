//! Host arrays and values in the formats of serde. An array is a structure of `shape` and `elements`, the elements in
//! row-major order. A vector or a matrix is a sequence of numbers, a matrix column by column: `Vec3` of 3, `Mat2` of 4.
//! JSON has no NaN and no infinity: `serde_json` writes them as `null`, which cannot be read back.

use crate::array::Array;
use crate::value::{Matrix, Quaternion, Vector};
use ::serde::de::{Error, SeqAccess, Visitor};
use ::serde::ser::{SerializeStruct, SerializeTuple};
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::{self, Formatter};
use std::marker::PhantomData;

impl<T: Serialize, const N: usize> Serialize for Array<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Array", 2)?;
        fields.serialize_field("shape", &self.shape()[..])?;
        fields.serialize_field("elements", self.as_slice())?;
        fields.end()
    }
}

#[derive(Deserialize)]
#[serde(rename = "Array", deny_unknown_fields)]
struct Fields<T> {
    shape: Vec<usize>,
    elements: Vec<T>,
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Array<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Array<T, N>, D::Error> {
        let Fields { shape, elements } = Fields::deserialize(deserializer)?;
        let axes = shape.len();
        let shape: [usize; N] = shape
            .try_into()
            .map_err(|_| D::Error::custom(format_args!("the array has {N} axes, the data have {axes}")))?;
        Array::from_vec(shape, elements).map_err(D::Error::custom)
    }
}

/// Writes `count` numbers as a sequence of known length.
fn serialize<S: Serializer, T: Serialize>(
    numbers: impl Iterator<Item = T>,
    count: usize,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(count)?;
    for number in numbers {
        tuple.serialize_element(&number)?;
    }
    tuple.end()
}

/// Reads a sequence of `count` numbers.
fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    count: usize,
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct Numbers<T>(usize, PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Numbers<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
            write!(f, "a sequence of {} numbers", self.0)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Vec<T>, A::Error> {
            let mut numbers = Vec::with_capacity(self.0);
            while let Some(number) = sequence.next_element()? {
                numbers.push(number);
            }
            if numbers.len() == self.0 { Ok(numbers) } else { Err(A::Error::invalid_length(numbers.len(), &self)) }
        }
    }

    deserializer.deserialize_tuple(count, Numbers(count, PhantomData))
}

impl<T: Serialize + Copy, const N: usize> Serialize for Vector<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.to_array().into_iter(), N, serializer)
    }
}

impl<'de, T: Deserialize<'de> + Copy, const N: usize> Deserialize<'de> for Vector<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Vector<T, N>, D::Error> {
        let numbers: Vec<T> = deserialize(N, deserializer)?;
        Ok(Vector::from_fn(|component| numbers[component]))
    }
}

impl<T: Serialize + Copy, const R: usize, const C: usize> Serialize for Matrix<T, R, C> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.to_cols_array_2d().into_iter().flatten(), R * C, serializer)
    }
}

impl<'de, T: Deserialize<'de> + Copy, const R: usize, const C: usize> Deserialize<'de> for Matrix<T, R, C> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Matrix<T, R, C>, D::Error> {
        let numbers: Vec<T> = deserialize(R * C, deserializer)?;
        Ok(Matrix::from_fn(|column| Vector::from_fn(|row| numbers[column * R + row])))
    }
}

impl<T: Serialize + Copy> Serialize for Quaternion<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize(self.to_array().into_iter(), 4, serializer)
    }
}

impl<'de, T: Deserialize<'de> + Copy> Deserialize<'de> for Quaternion<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Quaternion<T>, D::Error> {
        let numbers: Vec<T> = deserialize(4, deserializer)?;
        Ok(Quaternion::from_xyzw(numbers[0], numbers[1], numbers[2], numbers[3]))
    }
}
