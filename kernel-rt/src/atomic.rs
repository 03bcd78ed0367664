//! Atomic updates of array elements. Where the threads of a launch run one after the other, and where a chunk of them adds
//! to numbers of its own, they are plain updates; where several cores meet at an element ([`AtomicPlace`]), and on a GPU,
//! they are indivisible.

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64};

/// What has atomic operations: a number of the type `f32 f64 i32 u32 i64 u64`, alone or where several cores meet.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic operations",
    label = "not an atomic number",
    note = "elements of the types `f32 f64 i32 u32 i64 u64` have atomic operations"
)]
pub trait AtomicNumber: sealed::Sealed {
    /// The number.
    type Number;

    #[doc(hidden)]
    fn add(&mut self, value: Self::Number) -> Self::Number;
    #[doc(hidden)]
    fn sub(&mut self, value: Self::Number) -> Self::Number;
    #[doc(hidden)]
    fn keep_smaller(&mut self, value: Self::Number) -> Self::Number;
    #[doc(hidden)]
    fn keep_larger(&mut self, value: Self::Number) -> Self::Number;
}

/// `*place += value`, indivisibly; returns the value from before.
#[inline]
pub fn atomic_add<T: AtomicNumber>(place: &mut T, value: T::Number) -> T::Number {
    place.add(value)
}

/// `*place -= value`, indivisibly; returns the value from before.
#[inline]
pub fn atomic_sub<T: AtomicNumber>(place: &mut T, value: T::Number) -> T::Number {
    place.sub(value)
}

/// `*place = (*place).min(value)`, indivisibly; returns the value from before.
#[inline]
pub fn atomic_min<T: AtomicNumber>(place: &mut T, value: T::Number) -> T::Number {
    place.keep_smaller(value)
}

/// `*place = (*place).max(value)`, indivisibly; returns the value from before.
#[inline]
pub fn atomic_max<T: AtomicNumber>(place: &mut T, value: T::Number) -> T::Number {
    place.keep_larger(value)
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! atomic_numbers {
    ($($number:ident: $min:path, $max:path;)*) => {$(
        impl sealed::Sealed for $number {}

        impl AtomicNumber for $number {
            type Number = $number;

            #[inline]
            fn add(&mut self, value: $number) -> $number {
                let sum = *self + value;
                std::mem::replace(self, sum)
            }

            #[inline]
            fn sub(&mut self, value: $number) -> $number {
                let difference = *self - value;
                std::mem::replace(self, difference)
            }

            #[inline]
            fn keep_smaller(&mut self, value: $number) -> $number {
                let smaller = $min(*self, value);
                std::mem::replace(self, smaller)
            }

            #[inline]
            fn keep_larger(&mut self, value: $number) -> $number {
                let larger = $max(*self, value);
                std::mem::replace(self, larger)
            }
        }
    )*};
}

atomic_numbers! {
    f32: f32::min, f32::max;
    f64: f64::min, f64::max;
    i32: Ord::min, Ord::max;
    u32: Ord::min, Ord::max;
    i64: Ord::min, Ord::max;
    u64: Ord::min, Ord::max;
}

/// An element of an array that several cores update at once.
pub struct AtomicPlace<'a, T> {
    place: *mut T,
    array: PhantomData<&'a T>,
}

impl<T> AtomicPlace<'_, T> {
    /// No place yet.
    pub(crate) fn nowhere() -> Self {
        AtomicPlace { place: std::ptr::null_mut(), array: PhantomData }
    }

    /// The element at `place`.
    ///
    /// # Safety
    /// It is an element of an array that lives as long as the result, and is touched through such places only.
    pub(crate) unsafe fn at(place: *mut T) -> Self {
        AtomicPlace { place, array: PhantomData }
    }
}

/// An integer that several cores can update at once.
pub trait SharedNumber: AtomicNumber<Number = Self> + Copy {}

impl<T> sealed::Sealed for AtomicPlace<'_, T> {}

macro_rules! shared_numbers {
    ($($number:ident $atomic:ident;)*) => {$(
        impl SharedNumber for $number {}

        impl AtomicPlace<'_, $number> {
            #[inline]
            fn atomic(&self) -> &$atomic {
                assert!(!self.place.is_null(), "only an index gives a place");
                // SAFETY: by the promise of `AtomicPlace::at` the place is an aligned element that lives long enough and is
                // touched by atomic operations only.
                unsafe { $atomic::from_ptr(self.place) }
            }
        }

        impl AtomicNumber for AtomicPlace<'_, $number> {
            type Number = $number;

            #[inline]
            fn add(&mut self, value: $number) -> $number {
                let old = self.atomic().fetch_add(value, Relaxed);
                // An overflow is an error where that of a plain update is one.
                let _sum = old + value;
                old
            }

            #[inline]
            fn sub(&mut self, value: $number) -> $number {
                let old = self.atomic().fetch_sub(value, Relaxed);
                let _difference = old - value;
                old
            }

            #[inline]
            fn keep_smaller(&mut self, value: $number) -> $number {
                self.atomic().fetch_min(value, Relaxed)
            }

            #[inline]
            fn keep_larger(&mut self, value: $number) -> $number {
                self.atomic().fetch_max(value, Relaxed)
            }
        }
    )*};
}

shared_numbers! {
    i32 AtomicI32;
    u32 AtomicU32;
    i64 AtomicI64;
    u64 AtomicU64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_update_returns_the_value_from_before() {
        let mut place = 5;
        assert_eq!(atomic_add(&mut place, 2), 5);
        assert_eq!(atomic_sub(&mut place, 4), 7);
        assert_eq!(atomic_min(&mut place, 1), 3);
        assert_eq!(atomic_max(&mut place, 9), 1);
        assert_eq!(place, 9);
    }

    #[test]
    fn float_extremes_skip_nan_as_rust_does() {
        let mut place = f32::NAN;
        atomic_min(&mut place, 2.0);
        assert_eq!(place, 2.0);
        atomic_max(&mut place, f32::NAN);
        assert_eq!(place, 2.0);
    }
}
