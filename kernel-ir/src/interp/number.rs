//! The number types of floats during a run.

use super::algebra::Algebra;
use super::dual::Dual;
use super::std_math::Std;
use crate::ir::FloatFormat;
use std::fmt::Debug;
use std::ops::Rem;

macro_rules! number {
    (
        exact: $($exact:ident)*;
        exact of two: $($exact_of_two:ident)*;
        library: $($unary:ident $unary_f32:ident $unary_f64:ident,)*;
        library of two: $($binary:ident $binary_f32:ident $binary_f64:ident,)*;
    ) => {
        /// A float during a run: `f32` and `f64` themselves, [`Std`](super::Std), or [`Dual`] and its variants.
        /// Comparisons use the value.
        ///
        /// For `f32` and `f64` the functions are those of the crates `pxfm` and `libm`, not those of std. Std calls the
        /// C library, which selects an implementation of `exp` or `sin` by processor. Records must not depend on the
        /// machine that made them.
        pub trait Number: Algebra + Debug + Default + PartialOrd + Rem<Output = Self> {
            /// The number nearest to an integer.
            fn from_integer(value: i128) -> Self;
            /// The number of this type nearest to `value`.
            fn from_dual(value: Dual) -> Self;
            /// The number rounded to a format of 16 bits. Where the type stands for a kernel's `f32`, it stands for its
            /// `f16` and `bf16`, too. A type that is wider than `f32` does not round.
            fn rounded_to(self, format: FloatFormat) -> Self;
            /// The value, with its tangent if the type has one.
            fn to_dual(self) -> Dual;
            /// `self * b + c`, rounded once.
            fn mul_add(self, b: Self, c: Self) -> Self;
            /// The power with the integer exponent `n`.
            fn powi(self, n: i32) -> Self;
            $(
                #[doc = concat!("As `f64::", stringify!($exact), "`.")]
                fn $exact(self) -> Self;
            )*
            $(
                #[doc = concat!("As `f64::", stringify!($unary), "`.")]
                fn $unary(self) -> Self;
            )*
            $(
                #[doc = concat!("As `f64::", stringify!($exact_of_two), "`.")]
                fn $exact_of_two(self, other: Self) -> Self;
            )*
            $(
                #[doc = concat!("As `f64::", stringify!($binary), "`.")]
                fn $binary(self, other: Self) -> Self;
            )*

            /// The distance from 1 to the next number.
            const EPSILON: f64;

            /// Whether [`is_varied`](Number::is_varied) carries information.
            const KNOWS_INPUTS: bool = false;

            /// Whether the number depends on an input of the launch. Only [`Varied`](super::Varied) tracks this.
            fn is_varied(self) -> bool {
                false
            }

            /// The same number, as one that varies and has this mark, 1 or more. Only [`Varied`](super::Varied)
            /// tracks this.
            fn marked(self, _: u8) -> Self {
                self
            }

            /// The value without a tangent.
            fn value(self) -> f64 {
                self.to_dual().value
            }
        }

        number!(impl f32: $($exact)*; $($exact_of_two)*; $($unary $unary_f32,)*; $($binary $binary_f32,)*;);
        number!(impl f64: $($exact)*; $($exact_of_two)*; $($unary $unary_f64,)*; $($binary $binary_f64,)*;);
        number!(impl Std f32: $($exact)* $($unary)*; $($exact_of_two)* $($binary)*;);
        number!(impl Std f64: $($exact)* $($unary)*; $($exact_of_two)* $($binary)*;);
    };
    (
        impl $float:ident: $($exact:ident)*; $($exact_of_two:ident)*;
        $($unary:ident $unary_of:ident,)*; $($binary:ident $binary_of:ident,)*;
    ) => {
        impl Number for $float {
            const EPSILON: f64 = $float::EPSILON as f64;

            fn from_integer(value: i128) -> $float {
                value as $float
            }

            fn from_dual(value: Dual) -> $float {
                value.value as $float
            }

            fn rounded_to(self, format: FloatFormat) -> $float {
                rounded(f64::from(self), <Self as Number>::EPSILON, format) as $float
            }

            fn to_dual(self) -> Dual {
                Dual::constant(f64::from(self))
            }

            fn mul_add(self, b: $float, c: $float) -> $float {
                $float::mul_add(self, b, c)
            }

            fn powi(self, n: i32) -> $float {
                power(self, n)
            }

            $(fn $exact(self) -> $float {
                $float::$exact(self)
            })*

            $(fn $exact_of_two(self, other: $float) -> $float {
                $float::$exact_of_two(self, other)
            })*

            $(fn $unary(self) -> $float {
                library::$unary_of(self)
            })*

            $(fn $binary(self, other: $float) -> $float {
                library::$binary_of(self, other)
            })*
        }
    };
    (impl Std $float:ident: $($unary:ident)*; $($binary:ident)*;) => {
        impl Number for Std<$float> {
            const EPSILON: f64 = $float::EPSILON as f64;

            fn from_integer(value: i128) -> Self {
                Std(value as $float)
            }

            fn from_dual(value: Dual) -> Self {
                Std(value.value as $float)
            }

            fn rounded_to(self, format: FloatFormat) -> Self {
                Std(rounded(f64::from(self.0), <Self as Number>::EPSILON, format) as $float)
            }

            fn to_dual(self) -> Dual {
                self.0.to_dual()
            }

            fn mul_add(self, b: Self, c: Self) -> Self {
                Std(self.0.mul_add(b.0, c.0))
            }

            fn powi(self, n: i32) -> Self {
                Std(self.0.powi(n))
            }

            $(fn $unary(self) -> Self {
                Std($float::$unary(self.0))
            })*

            $(fn $binary(self, other: Self) -> Self {
                Std($float::$binary(self.0, other.0))
            })*
        }
    };
}

number! {
    exact: abs signum floor ceil round trunc fract recip to_radians to_degrees;
    exact of two: min max copysign rem_euclid;
    library:
        cbrt f_cbrtf f_cbrt, exp f_expf f_exp, exp2 f_exp2f f_exp2, exp_m1 f_expm1f f_expm1,
        ln f_logf f_log, ln_1p f_log1pf f_log1p, log2 f_log2f f_log2, log10 f_log10f f_log10,
        sin f_sinf f_sin, cos f_cosf f_cos, tan f_tanf f_tan, asin f_asinf f_asin, acos f_acosf f_acos,
        atan f_atanf f_atan, sinh f_sinhf f_sinh, cosh f_coshf f_cosh, tanh f_tanhf f_tanh,;
    library of two: powf f_powf f_pow, hypot f_hypotf f_hypot, atan2 f_atan2f f_atan2,;
}

/// The number `value` of a type with this epsilon, rounded to `format` if the type is `f32`.
fn rounded(value: f64, epsilon: f64, format: FloatFormat) -> f64 {
    if epsilon == FloatFormat::F32.epsilon() { format.round(value) } else { value }
}

/// The functions of `pxfm`. Others replace them where their special cases differ from those of std, or where their
/// results depend on whether the compiler may use fused multiply-add: builds for other processors and architectures
/// must give the same bits.
mod library {
    pub(super) use libm::{pow as f_pow, sinh as f_sinh};
    pub(super) use pxfm::*;

    /// Powers of the negative zero have its sign if the exponent is odd.
    pub(super) fn f_powf(x: f32, y: f32) -> f32 {
        let is_odd = || y.fract() == 0.0 && (0.5 * y).fract() != 0.0;
        match x == 0.0 && x.is_sign_negative() && is_odd() {
            true => -pxfm::f_powf(0.0, y),
            false => pxfm::f_powf(x, y),
        }
    }

    /// The result is infinite if either operand is, even if the other one is NaN.
    pub(super) fn f_hypotf(a: f32, b: f32) -> f32 {
        if a.is_infinite() || b.is_infinite() { f32::INFINITY } else { pxfm::f_hypotf(a, b) }
    }
}

/// The power `n` by squaring. The steps are those of `powi` in LLVM's runtime library (compiler-rt), so the bits agree.
/// Std does not specify them.
fn power<F: Algebra>(base: F, n: i32) -> F {
    let (mut square, mut left, mut product) = (base, n.unsigned_abs(), F::constant(1.0));
    loop {
        if left & 1 == 1 {
            product = product * square;
        }
        left >>= 1;
        if left == 0 {
            break;
        }
        square = square * square;
    }
    if n < 0 { F::constant(1.0) / product } else { product }
}
