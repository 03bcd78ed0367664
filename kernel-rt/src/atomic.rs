//! Atomic updates of array elements. The CPU runs the threads of a launch one after the other, so they are plain
//! updates here; on a GPU they are indivisible.

/// A number that has atomic operations: `f32 f64 i32 u32 i64 u64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no atomic operations",
    label = "not an atomic number",
    note = "elements of the types `f32 f64 i32 u32 i64 u64` have atomic operations"
)]
pub trait AtomicNumber: Copy + sealed::Sealed {
    #[doc(hidden)]
    fn add(self, value: Self) -> Self;
    #[doc(hidden)]
    fn sub(self, value: Self) -> Self;
    #[doc(hidden)]
    fn smaller(self, value: Self) -> Self;
    #[doc(hidden)]
    fn larger(self, value: Self) -> Self;
}

/// `*place += value`, indivisibly; returns the value from before.
#[inline]
pub fn atomic_add<T: AtomicNumber>(place: &mut T, value: T) -> T {
    let new = place.add(value);
    std::mem::replace(place, new)
}

/// `*place -= value`, indivisibly; returns the value from before.
#[inline]
pub fn atomic_sub<T: AtomicNumber>(place: &mut T, value: T) -> T {
    let new = place.sub(value);
    std::mem::replace(place, new)
}

/// `*place = (*place).min(value)`, indivisibly; returns the value from before.
#[inline]
pub fn atomic_min<T: AtomicNumber>(place: &mut T, value: T) -> T {
    let new = place.smaller(value);
    std::mem::replace(place, new)
}

/// `*place = (*place).max(value)`, indivisibly; returns the value from before.
#[inline]
pub fn atomic_max<T: AtomicNumber>(place: &mut T, value: T) -> T {
    let new = place.larger(value);
    std::mem::replace(place, new)
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! atomic_numbers {
    ($($number:ident: $min:path, $max:path;)*) => {$(
        impl sealed::Sealed for $number {}

        impl AtomicNumber for $number {
            #[inline]
            fn add(self, value: $number) -> $number {
                self + value
            }

            #[inline]
            fn sub(self, value: $number) -> $number {
                self - value
            }

            #[inline]
            fn smaller(self, value: $number) -> $number {
                $min(self, value)
            }

            #[inline]
            fn larger(self, value: $number) -> $number {
                $max(self, value)
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
