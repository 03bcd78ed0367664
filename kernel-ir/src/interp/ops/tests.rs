//! Every row of the table against std and glam: the same bits, and a fault where they panic. NaNs count as one value.

use super::{Outcome, apply};
use crate::data::{Data, Scalars};
use crate::interp::Std;
use crate::interp::value::Value;
use crate::ir::{Scalar, Type};
use crate::ops::{Op, TABLE};
use glam::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, Quat, UVec2, UVec3, UVec4,
    Vec2, Vec3, Vec4,
};
use half::{bf16, f16};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A type that rustc knows as well.
trait Host: Copy + 'static {
    fn ty() -> Type;
    fn read(data: &Data) -> Self;
    fn data(self) -> Data;
}

macro_rules! host_scalars {
    ($($host:ty, $variant:ident, $scalar:ident;)*) => {
        $(impl Host for $host {
            fn ty() -> Type {
                Type::of(Scalar::$scalar)
            }

            fn read(data: &Data) -> $host {
                if let Data::$variant(data) = data { data[0] } else { panic!("not a {}", stringify!($host)) }
            }

            fn data(self) -> Data {
                Data::$variant(vec![self])
            }
        })*
    };
}

host_scalars! {
    bool, Bool, Bool; i8, I8, I8; u8, U8, U8; i16, I16, I16; u16, U16, U16;
    i32, I32, I32; u32, U32, U32; i64, I64, I64; u64, U64, U64; usize, Index, Index; f32, F32, F32;
    f64, F64, F64;
}

macro_rules! host_halves {
    ($($host:ident $variant:ident,)*) => {
        $(impl Host for $host {
            fn ty() -> Type {
                Type::of(Scalar::$variant)
            }

            fn read(data: &Data) -> $host {
                if let Data::$variant(data) = data { $host::from_f32(data[0]) } else { panic!("not a {}", stringify!($host)) }
            }

            fn data(self) -> Data {
                Data::$variant(vec![self.to_f32()])
            }
        })*
    };
}

host_halves! { f16 F16, bf16 BF16, }

macro_rules! host_aggregates {
    ($($host:ty, $variant:ident, $ty:expr, $from:ident, $to:ident;)*) => {
        $(impl Host for $host {
            fn ty() -> Type {
                $ty
            }

            fn read(data: &Data) -> $host {
                let Data::$variant(data) = data else { panic!("not a {}", stringify!($host)) };
                <$host>::$from(data)
            }

            fn data(self) -> Data {
                Data::$variant(self.$to().to_vec())
            }
        })*
    };
}

host_aggregates! {
    Vec2, F32, Type::vector(Scalar::F32, 2), from_slice, to_array;
    Vec3, F32, Type::vector(Scalar::F32, 3), from_slice, to_array;
    Vec4, F32, Type::vector(Scalar::F32, 4), from_slice, to_array;
    DVec2, F64, Type::vector(Scalar::F64, 2), from_slice, to_array;
    DVec3, F64, Type::vector(Scalar::F64, 3), from_slice, to_array;
    DVec4, F64, Type::vector(Scalar::F64, 4), from_slice, to_array;
    IVec2, I32, Type::vector(Scalar::I32, 2), from_slice, to_array;
    IVec3, I32, Type::vector(Scalar::I32, 3), from_slice, to_array;
    IVec4, I32, Type::vector(Scalar::I32, 4), from_slice, to_array;
    UVec2, U32, Type::vector(Scalar::U32, 2), from_slice, to_array;
    UVec3, U32, Type::vector(Scalar::U32, 3), from_slice, to_array;
    UVec4, U32, Type::vector(Scalar::U32, 4), from_slice, to_array;
    Mat2, F32, Type::matrix(Scalar::F32, 2, 2), from_cols_slice, to_cols_array;
    Mat3, F32, Type::matrix(Scalar::F32, 3, 3), from_cols_slice, to_cols_array;
    Mat4, F32, Type::matrix(Scalar::F32, 4, 4), from_cols_slice, to_cols_array;
    DMat2, F64, Type::matrix(Scalar::F64, 2, 2), from_cols_slice, to_cols_array;
    DMat3, F64, Type::matrix(Scalar::F64, 3, 3), from_cols_slice, to_cols_array;
    DMat4, F64, Type::matrix(Scalar::F64, 4, 4), from_cols_slice, to_cols_array;
    Quat, F32, Type::quat(Scalar::F32), from_slice, to_array;
    DQuat, F64, Type::quat(Scalar::F64), from_slice, to_array;
}

type HostFn = dyn Fn(&[Data]) -> Data;

/// A row for one choice of its `T`, as rustc computes it.
struct Row {
    op: Op,
    args: Vec<Type>,
    ret: Type,
    host: Box<HostFn>,
}

#[derive(Default)]
struct Rows(Vec<Row>);

impl Rows {
    fn add(&mut self, op: Op, args: &[Type], ret: Type, host: impl Fn(&[Data]) -> Data + 'static) {
        self.0.push(Row { op, args: args.to_vec(), ret, host: Box::new(host) });
    }

    fn one<A: Host, R: Host>(&mut self, op: Op, f: impl Fn(A) -> R + 'static) {
        self.add(op, &[A::ty()], R::ty(), move |x| f(A::read(&x[0])).data());
    }

    fn two<A: Host, B: Host, R: Host>(&mut self, op: Op, f: impl Fn(A, B) -> R + 'static) {
        self.add(op, &[A::ty(), B::ty()], R::ty(), move |x| f(A::read(&x[0]), B::read(&x[1])).data());
    }

    fn three<A: Host, B: Host, C: Host, R: Host>(&mut self, op: Op, f: impl Fn(A, B, C) -> R + 'static) {
        self.add(op, &[A::ty(), B::ty(), C::ty()], R::ty(), move |x| {
            f(A::read(&x[0]), B::read(&x[1]), C::read(&x[2])).data()
        });
    }

    fn four<A: Host, R: Host>(&mut self, op: Op, f: impl Fn(A, A, A, A) -> R + 'static) {
        self.add(op, &[A::ty(); 4], R::ty(), move |x| {
            f(A::read(&x[0]), A::read(&x[1]), A::read(&x[2]), A::read(&x[3])).data()
        });
    }
}

fn truths(rows: &mut Rows) {
    rows.two(Op::Eq, |a: bool, b: bool| a == b);
    rows.two(Op::Ne, |a: bool, b: bool| a != b);
    rows.two(Op::And, |a: bool, b: bool| a && b);
    rows.two(Op::Or, |a: bool, b: bool| a || b);
    rows.one(Op::Not, |a: bool| !a);
    rows.two(Op::BitAnd, |a: bool, b: bool| a & b);
    rows.two(Op::BitOr, |a: bool, b: bool| a | b);
    rows.two(Op::BitXor, |a: bool, b: bool| a ^ b);
}

macro_rules! numbers {
    ($rows:ident, $($t:ident)*) => {$(
        $rows.two(Op::Add, |a: $t, b: $t| a + b);
        $rows.two(Op::Sub, |a: $t, b: $t| a - b);
        $rows.two(Op::Mul, |a: $t, b: $t| a * b);
        $rows.two(Op::Div, |a: $t, b: $t| a / b);
        $rows.two(Op::Rem, |a: $t, b: $t| a % b);
        $rows.two(Op::Eq, |a: $t, b: $t| a == b);
        $rows.two(Op::Ne, |a: $t, b: $t| a != b);
        $rows.two(Op::Lt, |a: $t, b: $t| a < b);
        $rows.two(Op::Le, |a: $t, b: $t| a <= b);
        $rows.two(Op::Gt, |a: $t, b: $t| a > b);
        $rows.two(Op::Ge, |a: $t, b: $t| a >= b);
        $rows.two(Op::Min, |a: $t, b: $t| a.min(b));
        $rows.two(Op::Max, |a: $t, b: $t| a.max(b));
        $rows.three(Op::Clamp, |a: $t, b: $t, c: $t| a.clamp(b, c));
        $rows.two(Op::RemEuclid, |a: $t, b: $t| a.rem_euclid(b));
    )*};
}

macro_rules! integers {
    ($rows:ident, $($t:ident)*) => {$(
        $rows.two(Op::BitAnd, |a: $t, b: $t| a & b);
        $rows.two(Op::BitOr, |a: $t, b: $t| a | b);
        $rows.two(Op::BitXor, |a: $t, b: $t| a ^ b);
        $rows.two(Op::SaturatingSub, |a: $t, b: $t| a.saturating_sub(b));
        $rows.two(Op::Pow, |a: $t, b: u32| a.pow(b));
    )*};
}

macro_rules! fixed_width {
    ($rows:ident, $($t:ident)*) => {$(
        $rows.one(Op::Not, |a: $t| !a);
        $rows.two(Op::Shl, |a: $t, b: $t| a << b);
        $rows.two(Op::Shr, |a: $t, b: $t| a >> b);
        $rows.two(Op::WrappingAdd, |a: $t, b: $t| a.wrapping_add(b));
        $rows.two(Op::WrappingSub, |a: $t, b: $t| a.wrapping_sub(b));
        $rows.two(Op::WrappingMul, |a: $t, b: $t| a.wrapping_mul(b));
        $rows.one(Op::CountOnes, |a: $t| a.count_ones());
        $rows.one(Op::LeadingZeros, |a: $t| a.leading_zeros());
        $rows.one(Op::TrailingZeros, |a: $t| a.trailing_zeros());
        $rows.two(Op::RotateLeft, |a: $t, b: u32| a.rotate_left(b));
        $rows.two(Op::RotateRight, |a: $t, b: u32| a.rotate_right(b));
    )*};
}

macro_rules! signed {
    ($rows:ident, $($t:ident)*) => {$(
        $rows.one(Op::Neg, |a: $t| -a);
        $rows.one(Op::Abs, |a: $t| a.abs());
        $rows.one(Op::Signum, |a: $t| a.signum());
    )*};
}

macro_rules! halves {
    ($rows:ident, $($t:ident)*) => {$(
        $rows.two(Op::Add, |a: $t, b: $t| a + b);
        $rows.two(Op::Sub, |a: $t, b: $t| a - b);
        $rows.two(Op::Mul, |a: $t, b: $t| a * b);
        $rows.two(Op::Div, |a: $t, b: $t| a / b);
        $rows.two(Op::StrongMul, |a: $t, b: $t| if a == $t::ZERO { $t::ZERO } else { a * b });
        $rows.two(Op::StrongDiv, |a: $t, b: $t| if a == $t::ZERO { $t::ZERO } else { a / b });
        $rows.one(Op::Neg, |a: $t| -a);
        $rows.two(Op::Eq, |a: $t, b: $t| a == b);
        $rows.two(Op::Ne, |a: $t, b: $t| a != b);
        $rows.two(Op::Lt, |a: $t, b: $t| a < b);
        $rows.two(Op::Le, |a: $t, b: $t| a <= b);
        $rows.two(Op::Gt, |a: $t, b: $t| a > b);
        $rows.two(Op::Ge, |a: $t, b: $t| a >= b);
        $rows.one(Op::IsNan, |a: $t| a.is_nan());
        $rows.one(Op::IsFinite, |a: $t| a.is_finite());
    )*};
}

macro_rules! floats {
    ($rows:ident, $($t:ident)*) => {$(
        floats!(unary $rows, $t, Floor floor Ceil ceil Round round Trunc trunc Fract fract Sqrt sqrt Cbrt cbrt
            Recip recip Exp exp Exp2 exp2 ExpM1 exp_m1 Ln ln Ln1p ln_1p Log2 log2 Log10 log10 Sin sin Cos cos Tan tan
            Asin asin Acos acos Atan atan Sinh sinh Cosh cosh Tanh tanh ToRadians to_radians ToDegrees to_degrees
            IsNan is_nan IsFinite is_finite);
        $rows.two(Op::Copysign, |a: $t, b: $t| a.copysign(b));
        $rows.two(Op::Powf, |a: $t, b: $t| a.powf(b));
        $rows.two(Op::Powi, |a: $t, b: i32| a.powi(b));
        $rows.two(Op::Hypot, |a: $t, b: $t| a.hypot(b));
        $rows.two(Op::Atan2, |a: $t, b: $t| a.atan2(b));
        $rows.three(Op::MulAdd, |a: $t, b: $t, c: $t| a.mul_add(b, c));
    )*};
    (unary $rows:ident, $t:ident, $($op:ident $method:ident)*) => {
        $($rows.one(Op::$op, |a: $t| a.$method());)*
    };
}

macro_rules! vectors {
    ($rows:ident, $($v:ident $s:ident)*) => {$(
        $rows.two(Op::Add, |a: $v, b: $v| a + b);
        $rows.two(Op::Sub, |a: $v, b: $v| a - b);
        $rows.two(Op::Mul, |a: $v, b: $v| a * b);
        $rows.two(Op::Mul, |a: $v, b: $s| a * b);
        $rows.two(Op::Mul, |a: $s, b: $v| a * b);
        $rows.two(Op::Div, |a: $v, b: $v| a / b);
        $rows.two(Op::Div, |a: $v, b: $s| a / b);
        $rows.two(Op::Min, |a: $v, b: $v| a.min(b));
        $rows.two(Op::Max, |a: $v, b: $v| a.max(b));
        $rows.two(Op::Dot, |a: $v, b: $v| a.dot(b));
        $rows.one(Op::Splat, |a: $s| $v::splat(a));
        $rows.one(Op::MinElement, |a: $v| a.min_element());
        $rows.one(Op::MaxElement, |a: $v| a.max_element());
        $rows.one(Op::ElementSum, |a: $v| a.element_sum());
        $rows.one(Op::ElementProduct, |a: $v| a.element_product());
    )*};
}

macro_rules! signed_vectors {
    ($rows:ident, $($v:ident)*) => {$(
        $rows.one(Op::Neg, |a: $v| -a);
        $rows.one(Op::Abs, |a: $v| a.abs());
    )*};
}

macro_rules! vector_sizes {
    ($rows:ident, $($s:ident $v2:ident $v3:ident $v4:ident)*) => {$(
        $rows.two(Op::VecNew, |a: $s, b: $s| $v2::new(a, b));
        $rows.three(Op::VecNew, |a: $s, b: $s, c: $s| $v3::new(a, b, c));
        $rows.four(Op::VecNew, |a: $s, b: $s, c: $s, d: $s| $v4::new(a, b, c, d));
        $rows.two(Op::Extend, |a: $v2, b: $s| a.extend(b));
        $rows.two(Op::Extend, |a: $v3, b: $s| a.extend(b));
        $rows.one(Op::Truncate, |a: $v3| a.truncate());
        $rows.one(Op::Truncate, |a: $v4| a.truncate());
    )*};
}

macro_rules! float_vectors {
    ($rows:ident, $($v:ident $s:ident)*) => {$(
        $rows.one(Op::Length, |a: $v| a.length());
        $rows.one(Op::LengthSquared, |a: $v| a.length_squared());
        $rows.two(Op::Distance, |a: $v, b: $v| a.distance(b));
        $rows.two(Op::DistanceSquared, |a: $v, b: $v| a.distance_squared(b));
        $rows.one(Op::Normalize, |a: $v| a.normalize());
        $rows.one(Op::NormalizeOrZero, |a: $v| if a.length() > 0.0 { a / a.length() } else { <$v>::ZERO });
        $rows.three(Op::Lerp, |a: $v, b: $v, s: $s| a.lerp(b, s));
    )*};
}

macro_rules! matrices {
    ($rows:ident, $($m:ident $v:ident $s:ident)*) => {$(
        $rows.two(Op::Add, |a: $m, b: $m| a + b);
        $rows.two(Op::Sub, |a: $m, b: $m| a - b);
        $rows.two(Op::Mul, |a: $m, b: $m| a * b);
        $rows.two(Op::Mul, |a: $m, b: $s| a * b);
        $rows.two(Op::Mul, |a: $s, b: $m| a * b);
        $rows.two(Op::Mul, |a: $m, b: $v| a * b);
        $rows.one(Op::Neg, |a: $m| -a);
        $rows.one(Op::FromDiagonal, |a: $v| $m::from_diagonal(a));
        $rows.two(Op::Row, |a: $m, b: usize| a.row(b));
        $rows.one(Op::Transpose, |a: $m| a.transpose());
        $rows.one(Op::Determinant, |a: $m| a.determinant());
        $rows.one(Op::Trace, |a: $m| {
            let diagonal = a.to_cols_array_2d().into_iter().enumerate().map(|(k, column)| column[k]);
            diagonal.reduce(|sum, entry| sum + entry).unwrap_or_default()
        });
        $rows.two(Op::Outer, |a: $v, b: $v| $m::from_cols_array_2d(&b.to_array().map(|b| (a * b).to_array())));
        $rows.one(Op::Inverse, |a: $m| a.inverse());
    )*};
}

macro_rules! quaternions {
    ($rows:ident, $($q:ident $s:ident $v2:ident $v3:ident $v4:ident $m2:ident $m3:ident $m4:ident)*) => {$(
        $rows.two(Op::Add, |a: $q, b: $q| a + b);
        $rows.two(Op::Sub, |a: $q, b: $q| a - b);
        $rows.two(Op::Mul, |a: $q, b: $s| a * b);
        $rows.two(Op::Mul, |a: $q, b: $q| a * b);
        $rows.two(Op::Mul, |a: $q, b: $v3| a * b);
        $rows.two(Op::Div, |a: $q, b: $s| a / b);
        $rows.one(Op::Neg, |a: $q| -a);
        $rows.four(Op::QuatNew, |a: $s, b: $s, c: $s, d: $s| $q::from_xyzw(a, b, c, d));
        $rows.two(Op::Dot, |a: $q, b: $q| a.dot(b));
        $rows.one(Op::Length, |a: $q| a.length());
        $rows.one(Op::LengthSquared, |a: $q| a.length_squared());
        $rows.one(Op::Normalize, |a: $q| a.normalize());
        $rows.one(Op::Inverse, |a: $q| a.inverse());
        $rows.one(Op::Conjugate, |a: $q| a.conjugate());
        $rows.two(Op::Cross, |a: $v3, b: $v3| a.cross(b));
        $rows.one(Op::Skew, |v: $v3| {
            $m3::from_cols_array(&[0.0, v.z, -v.y, -v.z, 0.0, v.x, v.y, -v.x, 0.0])
        });
        $rows.two(Op::PerpDot, |a: $v2, b: $v2| a.perp_dot(b));
        $rows.two(Op::Reflect, |a: $v2, b: $v2| a.reflect(b));
        $rows.two(Op::Reflect, |a: $v3, b: $v3| a.reflect(b));
        $rows.two(Op::MatFromCols, |a: $v2, b: $v2| $m2::from_cols(a, b));
        $rows.three(Op::MatFromCols, |a: $v3, b: $v3, c: $v3| $m3::from_cols(a, b, c));
        $rows.four(Op::MatFromCols, |a: $v4, b: $v4, c: $v4, d: $v4| $m4::from_cols(a, b, c, d));
    )*};
}

/// The product in which a zero of the first factor is strong.
fn times<T: Copy + Default + PartialEq + std::ops::Mul<Output = T>>(g: T, d: T) -> T {
    if g == T::default() { g * g } else { g * d }
}

/// The quotient in which a zero of the dividend is strong.
fn over<T: Copy + Default + PartialEq + std::ops::Mul<Output = T> + std::ops::Div<Output = T>>(g: T, d: T) -> T {
    if g == T::default() { g * g } else { g / d }
}

/// The sum of such products, from the first one on.
fn sum_of_products<T>(pairs: impl IntoIterator<Item = (T, T)>) -> T
where
    T: Copy + Default + PartialEq + std::ops::Mul<Output = T> + std::ops::Add<Output = T>,
{
    pairs.into_iter().map(|(g, d)| times(g, d)).reduce(|sum, product| sum + product).unwrap_or_default()
}

macro_rules! strong_vectors {
    ($rows:ident, $($v:ident $s:ident $m:ident $n:literal)*) => {$(
        $rows.two(Op::StrongMul, |a: $v, b: $v| $v::from_array(std::array::from_fn(|i| times(a[i], b[i]))));
        $rows.two(Op::StrongMul, |a: $v, b: $s| $v::from_array(a.to_array().map(|a| times(a, b))));
        $rows.two(Op::StrongMul, |a: $s, b: $v| $v::from_array(b.to_array().map(|b| times(a, b))));
        $rows.two(Op::StrongDiv, |a: $v, b: $v| $v::from_array(std::array::from_fn(|i| over(a[i], b[i]))));
        $rows.two(Op::StrongDiv, |a: $v, b: $s| $v::from_array(a.to_array().map(|a| over(a, b))));
        $rows.two(Op::StrongDot, |a: $v, b: $v| sum_of_products((0..$n).map(|i| (a[i], b[i]))));
        $rows.two(Op::StrongMul, |a: $m, b: $s| $m::from_cols_array(&a.to_cols_array().map(|a| times(a, b))));
        $rows.two(Op::StrongMul, |a: $s, b: $m| $m::from_cols_array(&b.to_cols_array().map(|b| times(a, b))));
        $rows.two(Op::StrongMul, |a: $v, b: $m| {
            $v::from_array(std::array::from_fn(|j| sum_of_products((0..$n).map(|i| (a[i], b.col(j)[i])))))
        });
        $rows.two(Op::StrongMul, |a: $m, b: $m| {
            let entry = |j: usize, i: usize| sum_of_products((0..$n).map(|k| (a.col(k)[i], b.col(j)[k])));
            $m::from_cols_array_2d(&std::array::from_fn(|j| std::array::from_fn(|i| entry(j, i))))
        });
    )*};
}

macro_rules! strong_quaternions {
    ($rows:ident, $($q:ident $s:ident $v:ident)*) => {$(
        $rows.two(Op::StrongMul, |a: $s, b: $s| times(a, b));
        $rows.two(Op::StrongDiv, |a: $s, b: $s| over(a, b));
        $rows.two(Op::StrongMul, |a: $q, b: $s| $q::from_array(a.to_array().map(|a| times(a, b))));
        $rows.two(Op::StrongMul, |a: $s, b: $q| $q::from_array(b.to_array().map(|b| times(a, b))));
        $rows.two(Op::StrongDiv, |a: $q, b: $s| $q::from_array(a.to_array().map(|a| over(a, b))));
        $rows.two(Op::StrongDot, |a: $q, b: $q| {
            sum_of_products((0..4).map(|i| (a.to_array()[i], b.to_array()[i])))
        });
        $rows.two(Op::StrongCross, |a: $v, b: $v| {
            let minor = |j: usize, k: usize| times(a[j], b[k]) - times(a[k], b[j]);
            $v::new(minor(1, 2), minor(2, 0), minor(0, 1))
        });
        $rows.two(Op::StrongMul, |a: $q, b: $q| {
            let p = |g: usize, d: usize| times(a.to_array()[g], b.to_array()[d]);
            $q::from_xyzw(
                p(3, 0) + p(0, 3) + p(1, 2) - p(2, 1),
                p(3, 1) - p(0, 2) + p(1, 3) + p(2, 0),
                p(3, 2) + p(0, 1) - p(1, 0) + p(2, 3),
                p(3, 3) - p(0, 0) - p(1, 1) - p(2, 2),
            )
        });
    )*};
}

/// The next state of a random generator.
fn pcg(state: u32) -> u32 {
    let state = u64::from(state) * 747_796_405 + 2_891_336_453;
    let state = state as u32;
    let word = (u64::from((state >> ((state >> 28) + 4)) ^ state) * 277_803_737) as u32;
    (word >> 22) ^ word
}

fn random(rows: &mut Rows) {
    let unit = |bits: u32| (bits >> 8) as f32 * 2f32.powi(-24);
    rows.two(Op::RandInit, |seed: i32, offset: i32| pcg((seed as u32).wrapping_add(pcg(offset as u32))));
    rows.one(Op::RandSeed, |seed: i32| pcg(seed as u32));
    rows.one(Op::Randu, pcg);
    rows.one(Op::Randi, |state: u32| pcg(state) as i32);
    rows.one(Op::Randf, move |state: u32| unit(pcg(state)));
    rows.three(Op::RanduRange, |state: u32, a: u32, b: u32| (pcg(state) % b.wrapping_sub(a)).wrapping_add(a));
    rows.three(Op::RandiRange, |state: u32, a: i32, b: i32| {
        (pcg(state) % b.wrapping_sub(a) as u32).wrapping_add(a as u32) as i32
    });
    rows.three(Op::RandfRange, move |state: u32, a: f32, b: f32| (b - a) * unit(pcg(state)) + a);
    rows.one(Op::Randn, move |state: u32| {
        let (radius, angle) = (unit(pcg(state)), unit(pcg(pcg(state))));
        (-2.0 * (radius + 5.96e-8).ln()).sqrt() * (std::f32::consts::TAU * angle).cos()
    });
}

fn rows() -> Vec<Row> {
    let mut rows = Rows::default();
    strong_vectors!(rows, Vec2 f32 Mat2 2 Vec3 f32 Mat3 3 Vec4 f32 Mat4 4 DVec2 f64 DMat2 2 DVec3 f64 DMat3 3
        DVec4 f64 DMat4 4);
    strong_quaternions!(rows, Quat f32 Vec3 DQuat f64 DVec3);
    truths(&mut rows);
    random(&mut rows);
    numbers!(rows, i8 u8 i16 u16 i32 u32 i64 u64 usize f32 f64);
    integers!(rows, i8 u8 i16 u16 i32 u32 i64 u64 usize);
    fixed_width!(rows, i8 u8 i16 u16 i32 u32 i64 u64);
    signed!(rows, i8 i16 i32 i64 f32 f64);
    floats!(rows, f32 f64);
    halves!(rows, f16 bf16);
    rows.two(Op::AbsDiff, |a: u8, b: u8| a.abs_diff(b));
    rows.two(Op::AbsDiff, |a: u16, b: u16| a.abs_diff(b));
    rows.two(Op::AbsDiff, |a: u32, b: u32| a.abs_diff(b));
    rows.two(Op::AbsDiff, |a: u64, b: u64| a.abs_diff(b));
    rows.two(Op::AbsDiff, |a: usize, b: usize| a.abs_diff(b));
    rows.two(Op::Below, |a: usize, b: usize| {
        assert!(a < b);
        a
    });
    vectors!(rows, Vec2 f32 Vec3 f32 Vec4 f32 DVec2 f64 DVec3 f64 DVec4 f64
        IVec2 i32 IVec3 i32 IVec4 i32 UVec2 u32 UVec3 u32 UVec4 u32);
    signed_vectors!(rows, Vec2 Vec3 Vec4 DVec2 DVec3 DVec4 IVec2 IVec3 IVec4);
    vector_sizes!(rows, f32 Vec2 Vec3 Vec4 f64 DVec2 DVec3 DVec4 i32 IVec2 IVec3 IVec4 u32 UVec2 UVec3 UVec4);
    float_vectors!(rows, Vec2 f32 Vec3 f32 Vec4 f32 DVec2 f64 DVec3 f64 DVec4 f64);
    matrices!(rows, Mat2 Vec2 f32 Mat3 Vec3 f32 Mat4 Vec4 f32 DMat2 DVec2 f64 DMat3 DVec3 f64 DMat4 DVec4 f64);
    quaternions!(rows, Quat f32 Vec2 Vec3 Vec4 Mat2 Mat3 Mat4 DQuat f64 DVec2 DVec3 DVec4 DMat2 DMat3 DMat4);
    rows.0
}

/// Draws scalars: ordinary ones, the special ones of the type, and any bits.
pub(in crate::interp) fn draw(ty: Type, rng: &mut ChaCha8Rng) -> Data {
    let count = ty.components();
    let special = rng.next_u32().is_multiple_of(3);
    let mut integer = || match rng.next_u32() % if special { 3 } else { 1 } {
        0 => rng.next_u32() as i64 % 8 - 3,
        1 => [0, 1, -1, i64::MIN, i64::MAX, i32::MIN.into(), i32::MAX.into(), 31, 32, 63, 64]
            [rng.next_u32() as usize % 11],
        _ => rng.next_u64() as i64,
    };
    match ty.scalar() {
        Scalar::Bool => Data::Bool((0..count).map(|_| integer() & 1 == 0).collect()),
        Scalar::I8 => Data::I8((0..count).map(|_| integer() as i8).collect()),
        Scalar::U8 => Data::U8((0..count).map(|_| integer() as u8).collect()),
        Scalar::I16 => Data::I16((0..count).map(|_| integer() as i16).collect()),
        Scalar::U16 => Data::U16((0..count).map(|_| integer() as u16).collect()),
        Scalar::I32 => Data::I32((0..count).map(|_| integer() as i32).collect()),
        Scalar::U32 => Data::U32((0..count).map(|_| integer() as u32).collect()),
        Scalar::I64 => Data::I64((0..count).map(|_| integer()).collect()),
        Scalar::U64 => Data::U64((0..count).map(|_| integer() as u64).collect()),
        Scalar::Index => Data::Index((0..count).map(|_| integer() as usize).collect()),
        scalar @ (Scalar::F16 | Scalar::BF16) => {
            Data::rounded(scalar, (0..count).map(|_| draw_float(special, rng) as f32).collect())
        }
        Scalar::F32 => Data::F32((0..count).map(|_| draw_float(special, rng) as f32).collect()),
        Scalar::F64 => Data::F64((0..count).map(|_| draw_float(special, rng)).collect()),
    }
}

fn draw_float(special: bool, rng: &mut ChaCha8Rng) -> f64 {
    const SPECIAL: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.5,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::MIN_POSITIVE,
        f64::MAX,
        1e-40,
        3e38,
        1e300,
        -1e-310,
    ];
    let ordinary = rng.next_u32() as f64 / f64::from(1 << 29) - 4.0;
    match rng.next_u32() % if special { 4 } else { 1 } {
        0 => ordinary,
        1 | 2 => SPECIAL[rng.next_u32() as usize % SPECIAL.len()],
        _ if rng.next_u32().is_multiple_of(2) => f32::from_bits(rng.next_u32()).into(),
        _ => f64::from_bits(rng.next_u64()),
    }
}

/// The scalars as bits, all NaNs alike.
pub(in crate::interp) fn bits(data: &Data) -> Vec<u64> {
    match data {
        Data::F16(data) | Data::BF16(data) | Data::F32(data) => {
            data.iter().map(|x| if x.is_nan() { f32::NAN } else { *x }.to_bits().into()).collect()
        }
        Data::F64(data) => data.iter().map(|x| if x.is_nan() { f64::NAN } else { *x }.to_bits()).collect(),
        Data::Bool(data) => data.iter().map(|x| u64::from(*x)).collect(),
        Data::I8(data) => data.iter().map(|x| *x as u64).collect(),
        Data::U8(data) => data.iter().map(|x| u64::from(*x)).collect(),
        Data::I16(data) => data.iter().map(|x| *x as u64).collect(),
        Data::U16(data) => data.iter().map(|x| u64::from(*x)).collect(),
        Data::I32(data) => data.iter().map(|x| *x as u64).collect(),
        Data::U32(data) => data.iter().map(|x| u64::from(*x)).collect(),
        Data::I64(data) => data.iter().map(|x| *x as u64).collect(),
        Data::U64(data) => data.clone(),
        Data::Index(data) => data.iter().map(|x| *x as u64).collect(),
    }
}

fn interpret(row: &Row, args: &[Data]) -> Outcome<Data> {
    let args = row.args.iter().zip(args);
    let values: Vec<Value<Std<f32>, Std<f64>>> =
        args.map(|(ty, data)| Value::read(*ty, &data.map_floats(|x| Std(*x), |x| Std(*x)), 0)).collect();
    let result = apply(row.op, &values, row.ret)?;
    let mut data = Scalars::zeros(row.ret.scalar(), row.ret.components());
    result.write(row.ret, &mut data, 0);
    Ok(data.map_floats(|x| x.0, |x| x.0))
}

/// What differs first between the interpreter and rustc.
fn first_difference(row: &Row, rng: &mut ChaCha8Rng) -> Option<String> {
    (0..1500).find_map(|_| {
        let args: Vec<Data> = row.args.iter().map(|ty| draw(*ty, rng)).collect();
        let expected = catch_unwind(AssertUnwindSafe(|| (row.host)(&args))).ok();
        let found = interpret(row, &args);
        let same = found.as_ref().ok().map(bits) == expected.as_ref().map(bits);
        (!same).then(|| format!("{:?} {:?} of {args:?}: expected {expected:?}, found {found:?}", row.op, row.args))
    })
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "Rust panics at integer overflow only where it checks arithmetic")]
fn every_row_gives_the_bits_of_std_and_glam() {
    let rows = rows();
    let covered: HashSet<_> = rows.iter().map(|row| (row.op, row.args.clone(), row.ret)).collect();
    assert_eq!(covered.len(), rows.len(), "a row stands twice");
    for def in &TABLE {
        for (row, t) in def.rows() {
            let args: Vec<Type> = row.args.iter().map(|pat| pat.apply(t)).collect();
            assert!(covered.contains(&(def.op, args.clone(), row.ret.apply(t))), "{} of {args:?} is missing", def.name);
        }
    }
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let differences: Vec<String> = rows.iter().filter_map(|row| first_difference(row, &mut rng)).collect();
    std::panic::set_hook(hook);
    let (count, equal) = (rows.len(), rows.len() - differences.len());
    assert!(differences.is_empty(), "{equal} of {count} rows are equal\n{}", differences.join("\n"));
}
