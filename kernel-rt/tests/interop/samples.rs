//! Arrays of every element type. Python checks the same numbers; see `peer.py`. `library.rs` includes this file too.

use kernel_rt::ir::{Data, Scalar};
use kernel_rt::prelude::*;

/// The shape of the samples.
pub(crate) const SHAPE: [usize; 2] = [2, 3];

/// An array whose scalars count up in the order of memory: 0, 1, 2 and so on for integers, 0.5, 1.5 and so on for floats.
/// The odd ones of type `bool` are true.
pub(crate) fn sample<T: UniformElement>() -> Array2<T> {
    let scalars = SHAPE[0] * SHAPE[1] * T::ir_type().components();
    let data = match T::ir_type().scalar() {
        Scalar::I8 => Data::I8((0..scalars).map(|k| k as i8).collect()),
        Scalar::U8 => Data::U8((0..scalars).map(|k| k as u8).collect()),
        Scalar::I16 => Data::I16((0..scalars).map(|k| k as i16).collect()),
        Scalar::U16 => Data::U16((0..scalars).map(|k| k as u16).collect()),
        Scalar::I32 => Data::I32((0..scalars).map(|k| k as i32).collect()),
        Scalar::U32 => Data::U32((0..scalars).map(|k| k as u32).collect()),
        Scalar::I64 => Data::I64((0..scalars).map(|k| k as i64).collect()),
        Scalar::U64 => Data::U64((0..scalars).map(|k| k as u64).collect()),
        Scalar::F16 => Data::F16((0..scalars).map(|k| k as f32 + 0.5).collect()),
        Scalar::BF16 => Data::BF16((0..scalars).map(|k| k as f32 + 0.5).collect()),
        Scalar::F32 => Data::F32((0..scalars).map(|k| k as f32 + 0.5).collect()),
        Scalar::F64 => Data::F64((0..scalars).map(|k| k as f64 + 0.5).collect()),
        Scalar::Bool => Data::Bool((0..scalars).map(|k| k % 2 == 1).collect()),
        Scalar::Index => unreachable!("no element consists of these"),
    };
    let elements = T::from_data(&data).expect("the scalars are those of the type");
    Array2::from_vec(SHAPE, elements).expect("the shape has that many elements")
}

/// Calls a generic function once for every element type.
macro_rules! with_all {
    ($function:ident $arguments:tt) => {
        with_all!(@ $function $arguments f32 Vec2 Vec3 Vec4 Mat2 Mat3 Mat4 Quat);
        with_all!(@ $function $arguments f64 DVec2 DVec3 DVec4 DMat2 DMat3 DMat4 DQuat);
        with_all!(@ $function $arguments f16 i8 u8 i16 u16 i32 IVec2 IVec3 IVec4 u32 UVec2 UVec3 UVec4 i64 u64 bool);
    };
    (@ $function:ident $arguments:tt $($ty:ident)*) => {$($function::<$ty> $arguments;)*};
}
pub(crate) use with_all;
