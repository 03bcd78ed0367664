//! Atomic updates of array elements.
//!
//! They are plain updates if the threads of a launch run on one core, or if a chunk of threads adds to its own partial
//! sums. They are atomic instructions on a GPU, and if several cores share an element ([`AtomicPlace`]).

use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64};

/// A target of atomic updates: a number of type `f32 f64 i32 u32 i64 u64`, or a shared element of such a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic operations",
    label = "not an atomic number",
    note = "elements of the types `f32 f64 i32 u32 i64 u64` have atomic operations"
)]
pub trait AtomicNumber: sealed::Sealed {
    /// The type of the number.
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

/// Adds atomically: `*place += value`. Returns the value from before the update.
#[inline]
pub fn atomic_add<T: AtomicNumber>(place: &mut T, value: T::Number) -> T::Number {
    place.add(value)
}

/// Subtracts atomically: `*place -= value`. Returns the value from before the update.
#[inline]
pub fn atomic_sub<T: AtomicNumber>(place: &mut T, value: T::Number) -> T::Number {
    place.sub(value)
}

/// Takes the minimum atomically: `*place = (*place).min(value)`. Returns the value from before the update.
#[inline]
pub fn atomic_min<T: AtomicNumber>(place: &mut T, value: T::Number) -> T::Number {
    place.keep_smaller(value)
}

/// Takes the maximum atomically: `*place = (*place).max(value)`. Returns the value from before the update.
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

/// An array element that several cores update concurrently.
pub struct AtomicPlace<'a, T> {
    place: *mut T,
    array: PhantomData<&'a T>,
}

impl<T> AtomicPlace<'_, T> {
    /// A null place, until an index sets it.
    pub(crate) fn nowhere() -> Self {
        AtomicPlace { place: std::ptr::null_mut(), array: PhantomData }
    }

    /// The element at `place`.
    ///
    /// # Safety
    /// `place` points to an element of an array that outlives the result. All accesses to the element go through such
    /// places.
    pub(crate) unsafe fn at(place: *mut T) -> Self {
        AtomicPlace { place, array: PhantomData }
    }
}

/// An integer that several cores can update concurrently. Floats are not among them, because their sums depend on the
/// order.
pub trait SharedNumber: AtomicNumber<Number = Self> + Copy {}

impl<T> sealed::Sealed for AtomicPlace<'_, T> {}

macro_rules! shared_numbers {
    ($($number:ident $atomic:ident;)*) => {$(
        impl SharedNumber for $number {}

        impl AtomicPlace<'_, $number> {
            #[inline]
            fn atomic(&self) -> &$atomic {
                assert!(!self.place.is_null(), "only an index gives a place");
                // SAFETY: by the contract of `AtomicPlace::at`, the place is an aligned element that lives long enough,
                // and all accesses to it are atomic.
                unsafe { $atomic::from_ptr(self.place) }
            }
        }

        impl AtomicNumber for AtomicPlace<'_, $number> {
            type Number = $number;

            #[inline]
            fn add(&mut self, value: $number) -> $number {
                let old = self.atomic().fetch_add(value, Relaxed);
                // `fetch_add` wraps. The plain addition panics on overflow in builds with overflow checks, like a plain
                // update.
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
