//! The operations of the language that functions with a bound such as `T: Float` may use.
//!
//! They are those of Rust's numbers. They stand in traits of their own, which the prelude leaves out, because `Ord` has a
//! `max`, too: with both in scope, `a.max(b)` on integers would be ambiguous. A bound brings them along.

/// Declares a trait with operations that the numbers have themselves.
macro_rules! operations {
    ($(#[$doc:meta])* $name:ident for $($kind:ident[$($number:ident)*])*: $methods:tt) => {
        operations!(@trait $(#[$doc])* $name $methods);
        $(operations!(@kind $kind [$($number)*] $name $methods);)*
    };
    (@trait $(#[$doc:meta])* $name:ident { $($method:ident($($arg:ident: $ty:ty),*) -> $ret:ty, $says:literal;)* }) => {
        $(#[$doc])*
        #[allow(clippy::wrong_self_convention, reason = "numbers are copied, and have these methods by value")]
        pub trait $name: Sized {
            $(
                #[doc = $says]
                fn $method(self, $($arg: $ty),*) -> $ret;
            )*
        }
    };
    (@kind $kind:ident [$($number:ident)*] $name:ident $methods:tt) => {
        $(operations!(@impl $kind $number $name $methods);)*
    };
    (@impl $kind:ident $number:ident $name:ident {
        $($method:ident($($arg:ident: $ty:ty),*) -> $ret:ty, $says:literal;)*
    }) => {
        impl $name for $number {
            $(
                #[inline]
                fn $method(self, $($arg: $ty),*) -> $ret {
                    operations!(@call $kind $number $method self $($arg)*)
                }
            )*
        }
    };
    // Integers have these from `Ord`, floats from themselves.
    (@call whole $number:ident min $this:ident $other:ident) => { Ord::min($this, $other) };
    (@call whole $number:ident max $this:ident $other:ident) => { Ord::max($this, $other) };
    (@call whole $number:ident clamp $this:ident $low:ident $high:ident) => { Ord::clamp($this, $low, $high) };
    (@call $kind:ident $number:ident $method:ident $($arg:ident)*) => { <$number>::$method($($arg),*) };
}

operations! {
    /// The operations of every number.
    NumberOperations for float[f32 f64] whole[i8 u8 i16 u16 i32 u32 i64 u64]: {
        min(other: Self) -> Self, "The smaller one.";
        max(other: Self) -> Self, "The larger one.";
        clamp(low: Self, high: Self) -> Self, "The number, limited to a range. Panics if `low > high`.";
        rem_euclid(other: Self) -> Self, "The remainder that is not negative.";
    }
}

operations! {
    /// The operations of numbers with a sign.
    SignedOperations for float[f32 f64] whole[i8 i16 i32 i64]: {
        abs() -> Self, "The absolute value.";
        signum() -> Self, "The sign: 1, 0 or -1 of an integer, 1 or -1 of a float.";
    }
}

operations! {
    /// The operations of integers.
    IntegerOperations for whole[i8 u8 i16 u16 i32 u32 i64 u64]: {
        wrapping_add(other: Self) -> Self, "The sum, modulo the number of values of the type.";
        wrapping_sub(other: Self) -> Self, "The difference, modulo the number of values of the type.";
        wrapping_mul(other: Self) -> Self, "The product, modulo the number of values of the type.";
        saturating_sub(other: Self) -> Self, "The difference, or the nearest value of the type.";
        pow(exponent: u32) -> Self, "The power.";
        count_ones() -> u32, "The number of bits that are 1.";
        leading_zeros() -> u32, "The number of zeros before the highest 1.";
        trailing_zeros() -> u32, "The number of zeros behind the lowest 1.";
        rotate_left(n: u32) -> Self, "The bits, rotated to the left.";
        rotate_right(n: u32) -> Self, "The bits, rotated to the right.";
    }
}

operations! {
    /// The operations of floats.
    FloatOperations for float[f32 f64]: {
        copysign(sign: Self) -> Self, "The magnitude with the sign of `sign`.";
        is_nan() -> bool, "Whether it is NaN.";
        is_finite() -> bool, "Whether it is neither infinite nor NaN.";
        floor() -> Self, "The largest whole number that is not larger.";
        ceil() -> Self, "The smallest whole number that is not smaller.";
        round() -> Self, "The nearest whole number; away from zero from the middle.";
        trunc() -> Self, "The whole part.";
        fract() -> Self, "The fraction, with the sign of the number.";
        sqrt() -> Self, "The square root.";
        cbrt() -> Self, "The cube root.";
        recip() -> Self, "1 divided by it.";
        mul_add(factor: Self, summand: Self) -> Self, "`self * factor + summand`, rounded once.";
        powi(exponent: i32) -> Self, "The power with a whole exponent.";
        powf(exponent: Self) -> Self, "The power.";
        hypot(other: Self) -> Self, "The length of the vector of both.";
        exp() -> Self, "e to the power of it.";
        exp2() -> Self, "2 to the power of it.";
        exp_m1() -> Self, "`exp` minus 1, exact near 0.";
        ln() -> Self, "The natural logarithm.";
        ln_1p() -> Self, "The natural logarithm of 1 plus it, exact near 0.";
        log2() -> Self, "The logarithm to the base 2.";
        log10() -> Self, "The logarithm to the base 10.";
        sin() -> Self, "The sine of an angle in radians.";
        cos() -> Self, "The cosine of an angle in radians.";
        tan() -> Self, "The tangent of an angle in radians.";
        asin() -> Self, "The arcsine, in radians.";
        acos() -> Self, "The arccosine, in radians.";
        atan() -> Self, "The arctangent, in radians.";
        atan2(x: Self) -> Self, "The angle of the point (`x`, `self`), in radians.";
        sinh() -> Self, "The hyperbolic sine.";
        cosh() -> Self, "The hyperbolic cosine.";
        tanh() -> Self, "The hyperbolic tangent.";
        to_radians() -> Self, "The angle in radians, of one in degrees.";
        to_degrees() -> Self, "The angle in degrees, of one in radians.";
    }
}

/// A number that any other number can be converted to: `T::cast(x)` is `x as T`.
pub trait Cast: Sized {
    /// The conversion of Rust's `as`: integers wrap, floats are rounded, and floats to integers saturate.
    fn cast<S: Castable>(value: S) -> Self;
}

/// Declares a trait of conversions. A method has the name of the type that it gives.
macro_rules! conversions {
    ($(#[$doc:meta])* $name:ident: $($to:ident)*) => {
        $(#[$doc])*
        pub trait $name: Copy {
            $(
                #[doc(hidden)]
                fn $to(self) -> $to;
            )*
        }
    };
}

conversions! {
    /// A number that can be converted by [`Cast`].
    Castable: f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 usize
}

conversions! {
    /// The type of a literal in `T::lit(…)`: `i32`, or `f64` for one with a fraction.
    Literal: f32 f64 i8 u8 i16 u16 i32 u32 i64 u64
}

/// Implements the conversions of the numbers to each other.
macro_rules! casts {
    ($($number:ident)*) => {
        casts!(@each [$($number)*] [$($number)*]);
    };
    (@each [$($number:ident)*] $all:tt) => {
        $(casts!(@of $number $all);)*
    };
    (@of $from:ident [$($to:ident)*]) => {
        impl Castable for $from {
            $(
                #[inline]
                fn $to(self) -> $to {
                    self as $to
                }
            )*
        }

        impl Cast for $from {
            #[inline]
            fn cast<S: Castable>(value: S) -> $from {
                value.$from()
            }
        }
    };
}

casts!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 usize);

/// Implements the conversions of a literal: those to floats are rounded, and those to integers panic where the integer does
/// not have the number.
macro_rules! literals {
    ($from:ident: $($whole:ident)*) => {
        impl Literal for $from {
            #[inline]
            fn f32(self) -> f32 {
                self as f32
            }

            #[inline]
            fn f64(self) -> f64 {
                self as f64
            }

            $(
                #[inline]
                fn $whole(self) -> $whole {
                    let whole = self as i128;
                    let value = <$whole>::try_from(whole).ok().filter(|_| whole as $from == self);
                    value.unwrap_or_else(|| panic!("`{}` does not have {self}", stringify!($whole)))
                }
            )*
        }
    };
}

literals!(f64: i8 u8 i16 u16 i32 u32 i64 u64);
literals!(i32: i8 u8 i16 u16 i32 u32 i64 u64);

#[cfg(test)]
mod tests {
    use super::Cast;
    use crate::value::{Float, Integer, Number};
    use std::panic::catch_unwind;

    fn half<T: Float>() -> T {
        T::lit(0.5)
    }

    fn hash<T: Integer>(x: T) -> T {
        (x ^ x >> 1).wrapping_mul(T::lit(3)).max(T::lit(2))
    }

    #[test]
    fn literals_have_the_type_of_the_parameter() {
        assert_eq!((half::<f32>(), half::<f64>()), (0.5, 0.5));
        assert_eq!((f32::lit(0.1), f64::lit(0.1), u8::lit(200), i64::lit(-7)), (0.1, 0.1, 200, -7));
        assert_eq!((hash(100u8), hash(0i64)), (86u8.wrapping_mul(3), 2));
    }

    #[test]
    fn a_literal_that_the_type_does_not_have_panics() {
        let wrong: [fn(); 5] = [
            || _ = u32::lit(-1),
            || _ = u64::lit(-1),
            || _ = i8::lit(128),
            || _ = i32::lit(0.5),
            || _ = i64::lit(9_223_372_036_854_775_808.0),
        ];
        for (number, literal) in wrong.into_iter().enumerate() {
            assert!(catch_unwind(literal).is_err(), "{number}");
        }
    }

    #[test]
    fn casts_are_those_of_rust() {
        assert_eq!((u8::cast(-1i32), i8::cast(300.0f32), u16::cast(f64::NAN), usize::cast(3u8)), (255, 127, 0, 3));
        assert_eq!((f32::cast(u64::MAX), i32::cast(1u64 << 40 | 5)), (u64::MAX as f32, 5));
    }
}
