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

/// Declares the numbers that can be cast to each other. A method has the name of the type that it gives.
macro_rules! casts {
    ($($number:ident)*) => {
        casts!(@castable [$($number)*] [$($number)*]);

        $(
            impl Cast for $number {
                #[inline]
                fn cast<S: Castable>(value: S) -> $number {
                    value.$number()
                }
            }
        )*
    };
    (@castable [$($from:ident)*] $all:tt) => {
        $(casts!(@of $from $all);)*
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
    };
}

/// A number that can be converted by [`Cast`].
pub trait Castable: Copy {
    #[doc(hidden)]
    fn f32(self) -> f32;
    #[doc(hidden)]
    fn f64(self) -> f64;
    #[doc(hidden)]
    fn i8(self) -> i8;
    #[doc(hidden)]
    fn u8(self) -> u8;
    #[doc(hidden)]
    fn i16(self) -> i16;
    #[doc(hidden)]
    fn u16(self) -> u16;
    #[doc(hidden)]
    fn i32(self) -> i32;
    #[doc(hidden)]
    fn u32(self) -> u32;
    #[doc(hidden)]
    fn i64(self) -> i64;
    #[doc(hidden)]
    fn u64(self) -> u64;
    #[doc(hidden)]
    fn usize(self) -> usize;
}

casts!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 usize);

/// The type of a literal in `T::lit(…)`: `i32`, or `f64` for one with a fraction.
pub trait Literal: Copy {
    #[doc(hidden)]
    fn f32(self) -> f32;
    #[doc(hidden)]
    fn f64(self) -> f64;
    #[doc(hidden)]
    fn i8(self) -> i8;
    #[doc(hidden)]
    fn u8(self) -> u8;
    #[doc(hidden)]
    fn i16(self) -> i16;
    #[doc(hidden)]
    fn u16(self) -> u16;
    #[doc(hidden)]
    fn i32(self) -> i32;
    #[doc(hidden)]
    fn u32(self) -> u32;
    #[doc(hidden)]
    fn i64(self) -> i64;
    #[doc(hidden)]
    fn u64(self) -> u64;
}

/// Conversions to integers that panic where the integer does not have the number.
macro_rules! whole {
    ($from:ident: $($to:ident)*) => {$(
        #[inline]
        fn $to(self) -> $to {
            let value = self as $to;
            assert!(value as $from == self, "`{}` does not have {self}", stringify!($to));
            value
        }
    )*};
}

impl Literal for f64 {
    #[inline]
    fn f32(self) -> f32 {
        self as f32
    }

    #[inline]
    fn f64(self) -> f64 {
        self
    }

    whole!(f64: i8 u8 i16 u16 i32 u32 i64 u64);
}

impl Literal for i32 {
    #[inline]
    fn f32(self) -> f32 {
        self as f32
    }

    #[inline]
    fn f64(self) -> f64 {
        self.into()
    }

    whole!(i32: i8 u8 i16 u16 i32 u32 i64 u64);
}
