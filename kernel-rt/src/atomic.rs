//! Atomic updates of array elements.
//!
//! They are plain updates if the threads of a launch run on one core, or if a chunk of threads adds to its own partial
//! sums. They are atomic instructions on a GPU, and if several cores share an element ([`SharedElement`]).

use crate::value::{Float, Matrix, Number, Quaternion, Vector};
use half::{bf16, f16};
use std::marker::PhantomData;
use std::ops::{Add, Sub};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicI32, AtomicI64, AtomicU32, AtomicU64};

/// A target of atomic sums: a number of type `f16 bf16 f32 f64 i32 u32 i64 u64`, a vector, matrix or quaternion of such numbers,
/// or a shared element of such a type. The numbers of a vector are updated one by one, so other threads may see some of
/// them changed and others not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic sums",
    label = "not an atomic number",
    note = "elements of the types `f16 bf16 f32 f64 i32 u32 i64 u64`, and vectors of these, have atomic sums"
)]
pub trait AtomicSum: sealed::Sealed {
    /// The type of the values.
    type Value;

    #[doc(hidden)]
    fn add(&mut self, value: Self::Value) -> Self::Value;
    #[doc(hidden)]
    fn sub(&mut self, value: Self::Value) -> Self::Value;
}

/// A target of atomic minima and maxima: a number of type `f32 f64 i32 u32 i64 u64`, or a shared element of such a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic operations",
    label = "not an atomic number",
    note = "elements of the types `f32 f64 i32 u32 i64 u64` have atomic operations"
)]
pub trait AtomicNumber: AtomicSum {
    #[doc(hidden)]
    fn keep_smaller(&mut self, value: Self::Value) -> Self::Value;
    #[doc(hidden)]
    fn keep_larger(&mut self, value: Self::Value) -> Self::Value;
    #[doc(hidden)]
    fn exchange(&mut self, value: Self::Value) -> Self::Value;
}

/// A target of atomic comparisons and of atomic operations on bits: an integer of type `i32 u32 i64 u64`, or a shared element
/// of such a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic operations on bits, and is not compared atomically",
    label = "not an atomic integer",
    note = "elements of the types `i32 u32 i64 u64` have these operations"
)]
pub trait AtomicInteger: AtomicNumber {
    #[doc(hidden)]
    fn and(&mut self, value: Self::Value) -> Self::Value;
    #[doc(hidden)]
    fn or(&mut self, value: Self::Value) -> Self::Value;
    #[doc(hidden)]
    fn xor(&mut self, value: Self::Value) -> Self::Value;
    #[doc(hidden)]
    fn compare_and_swap(&mut self, compare: Self::Value, value: Self::Value) -> Self::Value;
}

/// Adds atomically: `*place += value`. Returns the value from before the update.
#[inline]
pub fn atomic_add<T: AtomicSum>(place: &mut T, value: T::Value) -> T::Value {
    place.add(value)
}

/// Subtracts atomically: `*place -= value`. Returns the value from before the update.
#[inline]
pub fn atomic_sub<T: AtomicSum>(place: &mut T, value: T::Value) -> T::Value {
    place.sub(value)
}

/// Takes the minimum atomically: `*place = (*place).min(value)`. Returns the value from before the update.
#[inline]
pub fn atomic_min<T: AtomicNumber>(place: &mut T, value: T::Value) -> T::Value {
    place.keep_smaller(value)
}

/// Takes the maximum atomically: `*place = (*place).max(value)`. Returns the value from before the update.
#[inline]
pub fn atomic_max<T: AtomicNumber>(place: &mut T, value: T::Value) -> T::Value {
    place.keep_larger(value)
}

/// Keeps the bits of `value` atomically: `*place &= value`. Returns the value from before the update.
#[inline]
pub fn atomic_and<T: AtomicInteger>(place: &mut T, value: T::Value) -> T::Value {
    place.and(value)
}

/// Sets the bits of `value` atomically: `*place |= value`. Returns the value from before the update.
#[inline]
pub fn atomic_or<T: AtomicInteger>(place: &mut T, value: T::Value) -> T::Value {
    place.or(value)
}

/// Flips the bits of `value` atomically: `*place ^= value`. Returns the value from before the update.
#[inline]
pub fn atomic_xor<T: AtomicInteger>(place: &mut T, value: T::Value) -> T::Value {
    place.xor(value)
}

/// Stores `value` atomically, and returns the value from before.
#[inline]
pub fn atomic_exch<T: AtomicNumber>(place: &mut T, value: T::Value) -> T::Value {
    place.exchange(value)
}

/// Stores `value` atomically if the value there equals `compare`. Returns the value from before: the store was made if that
/// equals `compare`.
#[inline]
pub fn atomic_cas<T: AtomicInteger>(place: &mut T, compare: T::Value, value: T::Value) -> T::Value {
    place.compare_and_swap(compare, value)
}

mod sealed {
    pub trait Sealed {}
}

/// A value that an update of one core at a time adds to.
pub trait Summand: Copy + Add<Output = Self> + Sub<Output = Self> {}

impl<T: Number> Summand for T {}
impl Summand for f16 {}
impl Summand for bf16 {}
impl<T: Number, const N: usize> Summand for Vector<T, N> {}
impl<T: Number, const R: usize, const C: usize> Summand for Matrix<T, R, C> {}
impl<T: Float> Summand for Quaternion<T> {}

impl<T: Summand> sealed::Sealed for T {}

impl<T: Summand> AtomicSum for T {
    type Value = T;

    #[inline]
    fn add(&mut self, value: T) -> T {
        let sum = *self + value;
        std::mem::replace(self, sum)
    }

    #[inline]
    fn sub(&mut self, value: T) -> T {
        let difference = *self - value;
        std::mem::replace(self, difference)
    }
}

macro_rules! atomic_numbers {
    ($($number:ident: $min:path, $max:path;)*) => {$(
        impl AtomicNumber for $number {
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

            #[inline]
            fn exchange(&mut self, value: $number) -> $number {
                std::mem::replace(self, value)
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

macro_rules! atomic_integers {
    ($($integer:ident)*) => {$(
        impl AtomicInteger for $integer {
            #[inline]
            fn and(&mut self, value: $integer) -> $integer {
                let bits = *self & value;
                std::mem::replace(self, bits)
            }

            #[inline]
            fn or(&mut self, value: $integer) -> $integer {
                let bits = *self | value;
                std::mem::replace(self, bits)
            }

            #[inline]
            fn xor(&mut self, value: $integer) -> $integer {
                let bits = *self ^ value;
                std::mem::replace(self, bits)
            }

            #[inline]
            fn compare_and_swap(&mut self, compare: $integer, value: $integer) -> $integer {
                let kept = if *self == compare { value } else { *self };
                std::mem::replace(self, kept)
            }
        }
    )*};
}

atomic_integers!(i32 u32 i64 u64);

/// An integer that several cores update concurrently.
pub struct AtomicPlace<'a, T> {
    place: *mut T,
    array: PhantomData<&'a T>,
}

impl<T> sealed::Sealed for AtomicPlace<'_, T> {}

/// An element that several cores can update concurrently: an integer, or a vector of integers. Floats are not among
/// them, because their sums depend on the order.
pub trait SharedElement: Sized {
    /// What the kernel has in place of the element.
    type Place<'a>;

    /// A null place, until an index sets it.
    fn nowhere<'a>() -> Self::Place<'a>;

    /// The element at `place`.
    ///
    /// # Safety
    /// `place` points to an element of an array that lives for `'a`. Meanwhile all accesses to the element go through
    /// such places.
    unsafe fn at<'a>(place: *mut Self) -> Self::Place<'a>;
}

macro_rules! shared_numbers {
    ($($number:ident $atomic:ident;)*) => {$(
        impl SharedElement for $number {
            type Place<'a> = AtomicPlace<'a, $number>;

            fn nowhere<'a>() -> Self::Place<'a> {
                AtomicPlace { place: std::ptr::null_mut(), array: PhantomData }
            }

            unsafe fn at<'a>(place: *mut Self) -> Self::Place<'a> {
                AtomicPlace { place, array: PhantomData }
            }
        }

        impl AtomicPlace<'_, $number> {
            #[inline]
            fn atomic(&self) -> &$atomic {
                assert!(!self.place.is_null(), "only an index gives a place");
                // SAFETY: by the contract of `SharedElement::at`, the place is an aligned element that lives long
                // enough, and all accesses to it are atomic.
                unsafe { $atomic::from_ptr(self.place) }
            }
        }

        impl AtomicSum for AtomicPlace<'_, $number> {
            type Value = $number;

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
        }

        impl AtomicNumber for AtomicPlace<'_, $number> {
            #[inline]
            fn keep_smaller(&mut self, value: $number) -> $number {
                self.atomic().fetch_min(value, Relaxed)
            }

            #[inline]
            fn keep_larger(&mut self, value: $number) -> $number {
                self.atomic().fetch_max(value, Relaxed)
            }

            #[inline]
            fn exchange(&mut self, value: $number) -> $number {
                self.atomic().swap(value, Relaxed)
            }
        }

        impl AtomicInteger for AtomicPlace<'_, $number> {
            #[inline]
            fn and(&mut self, value: $number) -> $number {
                self.atomic().fetch_and(value, Relaxed)
            }

            #[inline]
            fn or(&mut self, value: $number) -> $number {
                self.atomic().fetch_or(value, Relaxed)
            }

            #[inline]
            fn xor(&mut self, value: $number) -> $number {
                self.atomic().fetch_xor(value, Relaxed)
            }

            #[inline]
            fn compare_and_swap(&mut self, compare: $number, value: $number) -> $number {
                match self.atomic().compare_exchange(compare, value, Relaxed, Relaxed) {
                    Ok(old) | Err(old) => old,
                }
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

impl<T: SharedElement, const N: usize> SharedElement for Vector<T, N> {
    type Place<'a> = Vector<T::Place<'a>, N>;

    fn nowhere<'a>() -> Self::Place<'a> {
        Vector::from_fn(|_| T::nowhere())
    }

    unsafe fn at<'a>(place: *mut Self) -> Self::Place<'a> {
        let first = place.cast::<T>();
        // SAFETY: by the contract of this function `place` points to a vector, which has the layout of an array. Its
        // components are in it, and have the same contract.
        Vector::from_fn(|component| unsafe { T::at(first.add(component)) })
    }
}

impl<T, const N: usize> sealed::Sealed for Vector<AtomicPlace<'_, T>, N> {}

/// The components are updated one by one.
impl<'a, T: Copy, const N: usize> AtomicSum for Vector<AtomicPlace<'a, T>, N>
where
    AtomicPlace<'a, T>: AtomicSum<Value = T>,
{
    type Value = Vector<T, N>;

    #[inline]
    fn add(&mut self, value: Vector<T, N>) -> Vector<T, N> {
        Vector::from_fn(|component| self[component].add(value[component]))
    }

    #[inline]
    fn sub(&mut self, value: Vector<T, N>) -> Vector<T, N> {
        Vector::from_fn(|component| self[component].sub(value[component]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{IVec2, Vec3};

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
    fn the_bits_of_integers_are_updated() {
        let mut place = 0b1100;
        assert_eq!(atomic_and(&mut place, 0b0110), 0b1100);
        assert_eq!(atomic_or(&mut place, 0b0001), 0b0100);
        assert_eq!(atomic_xor(&mut place, 0b0111), 0b0101);
        assert_eq!(place, 0b0010);
    }

    #[test]
    fn values_are_exchanged() {
        let mut place = 5.0;
        assert_eq!(atomic_exch(&mut place, 2.0), 5.0);
        assert_eq!(place, 2.0);
        let mut place = 5;
        assert_eq!(atomic_cas(&mut place, 4, 1), 5);
        assert_eq!(place, 5);
        assert_eq!(atomic_cas(&mut place, 5, 1), 5);
        assert_eq!(place, 1);
        // SAFETY: nothing else accesses the number.
        let mut shared = unsafe { i32::at(&raw mut place) };
        assert_eq!(atomic_cas(&mut shared, 0, 7), 1);
        assert_eq!(atomic_cas(&mut shared, 1, 7), 1);
        assert_eq!(atomic_exch(&mut shared, 9), 7);
        assert_eq!(place, 9);
    }

    #[test]
    fn a_vector_is_updated_by_components() {
        let mut place = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(atomic_add(&mut place, Vec3::ONE), Vec3::new(1.0, 2.0, 3.0));
        atomic_sub(&mut place.y, 5.0);
        assert_eq!(place, Vec3::new(2.0, -2.0, 4.0));
        let mut shared = IVec2::new(1, 2);
        // SAFETY: nothing else accesses the vector.
        let mut both = unsafe { IVec2::at(&raw mut shared) };
        assert_eq!(atomic_add(&mut both, IVec2::new(10, 20)), IVec2::new(1, 2));
        atomic_sub(&mut both.x, 1);
        atomic_add(&mut both[1], 5);
        assert_eq!(shared, IVec2::new(10, 27));
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
