//! Host arrays in the formats of serde: a structure of `shape` and `elements`, the elements in row-major order.
//!
//! glam decides the form of an element: `Vec3` is a sequence of 3 numbers, `Mat2` one of 4, column by column. JSON has no
//! NaN and no infinity: `serde_json` writes them as `null`, which cannot be read back.

use crate::array::Array;
use ::serde::de::Error;
use ::serde::ser::SerializeStruct;
use ::serde::{Deserialize, Deserializer, Serialize, Serializer};

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
