//! The value types of the kernel language: vectors, matrices and quaternions.
//!
//! [`Vector<T, N>`](Vector), [`Matrix<T, R, C>`](Matrix) and [`Quaternion<T>`](Quaternion) have the layout of arrays of
//! their numbers: size and alignment of `[T; N]`. The usual sizes have the names that graphics programs use: [`Vec3`],
//! [`DMat4`], [`IVec2`]. Generic types have no other names, so `Vec3` and `Vector<f32, 3>` are the same type.
//!
//! Every operation has one written order of its steps, the same on all machines: sums and products go from the first
//! component to the last. The interpreter and the emitted programs repeat this order, so results are equal bit for bit.
//!
//! A quaternion's generic type is called `Quaternion`, and not `Quat`: with `Quat<T = f32>`, the call
//! `Quat::from_xyzw(0.1, 0.2, 0.3, 0.9)` would leave `T` open, and rustc would choose `f64` where a kernel has `f32`.

mod coordinates;
mod matrix;
mod number;
mod operations;
mod parts;
mod quaternion;
mod vector;

pub use coordinates::{ColumnsX, ColumnsXY, ColumnsXYZ, ColumnsXYZW, X, XY, XYZ, XYZW};
pub use matrix::Matrix;
pub use number::{Float, Integer, Number, SignedNumber};
pub use operations::{Cast, Castable, FloatOperations, IntegerOperations, Literal, NumberOperations, SignedOperations};
pub use quaternion::Quaternion;
pub use vector::Vector;

/// Declares the names of the usual sizes.
macro_rules! names {
    ($($(#[$doc:meta])* $name:ident = $ty:ty;)*) => {$(
        $(#[$doc])*
        pub type $name = $ty;
    )*};
}

names! {
    /// A vector of two `f32`.
    Vec2 = Vector<f32, 2>;
    /// A vector of three `f32`.
    Vec3 = Vector<f32, 3>;
    /// A vector of four `f32`.
    Vec4 = Vector<f32, 4>;
    /// A vector of two `f64`.
    DVec2 = Vector<f64, 2>;
    /// A vector of three `f64`.
    DVec3 = Vector<f64, 3>;
    /// A vector of four `f64`.
    DVec4 = Vector<f64, 4>;
    /// A vector of two `i32`.
    IVec2 = Vector<i32, 2>;
    /// A vector of three `i32`.
    IVec3 = Vector<i32, 3>;
    /// A vector of four `i32`.
    IVec4 = Vector<i32, 4>;
    /// A vector of two `u32`.
    UVec2 = Vector<u32, 2>;
    /// A vector of three `u32`.
    UVec3 = Vector<u32, 3>;
    /// A vector of four `u32`.
    UVec4 = Vector<u32, 4>;
    /// A vector of two `i64`.
    I64Vec2 = Vector<i64, 2>;
    /// A vector of three `i64`.
    I64Vec3 = Vector<i64, 3>;
    /// A vector of four `i64`.
    I64Vec4 = Vector<i64, 4>;
    /// A vector of two `u64`.
    U64Vec2 = Vector<u64, 2>;
    /// A vector of three `u64`.
    U64Vec3 = Vector<u64, 3>;
    /// A vector of four `u64`.
    U64Vec4 = Vector<u64, 4>;
    /// A 2×2 matrix of `f32`.
    Mat2 = Matrix<f32, 2, 2>;
    /// A 3×3 matrix of `f32`.
    Mat3 = Matrix<f32, 3, 3>;
    /// A 4×4 matrix of `f32`.
    Mat4 = Matrix<f32, 4, 4>;
    /// A 2×2 matrix of `f64`.
    DMat2 = Matrix<f64, 2, 2>;
    /// A 3×3 matrix of `f64`.
    DMat3 = Matrix<f64, 3, 3>;
    /// A 4×4 matrix of `f64`.
    DMat4 = Matrix<f64, 4, 4>;
    /// A quaternion of `f32`.
    Quat = Quaternion<f32>;
    /// A quaternion of `f64`.
    DQuat = Quaternion<f64>;
}
