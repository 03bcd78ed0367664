//! Mutable arrays for the threads of a launch on several cores.
//!
//! Several threads cannot hold `&mut [T]` of one array. They hold [`View`]s instead, which a kernel's body uses like a
//! slice, and which lend one element at a time. [`Atomics`] does so for arrays under integer atomics. The compiler's
//! sharing analysis proves that the views do not conflict.

use crate::array::Array;
use crate::atomic::SharedElement;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A mutable array in which every thread of a launch has its own elements.
pub struct View<'a, T, const N: usize> {
    shape: [usize; N],
    elements: *mut T,
    array: PhantomData<&'a mut [T]>,
}

// SAFETY: a view is a `&mut [T]`. By the contract of `View::share`, the holders of its copies access different
// elements.
unsafe impl<T: Send, const N: usize> Send for View<'_, T, N> {}
// SAFETY: as above. Through `&View` elements are only read.
unsafe impl<T: Send + Sync, const N: usize> Sync for View<'_, T, N> {}

impl<'a, T> View<'a, T, 1> {
    /// A view of a slice.
    pub fn of_slice(array: &'a mut [T]) -> View<'a, T, 1> {
        View { shape: [array.len()], elements: array.as_mut_ptr(), array: PhantomData }
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.shape[0]
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, T, const N: usize> View<'a, T, N> {
    /// A view of an N-D array.
    pub fn of_array(array: &'a mut Array<T, N>) -> View<'a, T, N> {
        View { shape: array.shape(), elements: array.as_mut_slice().as_mut_ptr(), array: PhantomData }
    }

    /// The extents, outermost first.
    #[inline]
    pub fn shape(&self) -> [usize; N] {
        self.shape
    }

    /// Another view of the same array.
    ///
    /// # Safety
    /// While a reference to an element that one view has lent is alive, no other view accesses the element, unless all
    /// of them read, or all are [`Atomics`]. `#[kernel]` calls this function only for arrays with a proven
    /// [`Sharing`](kernel_ir::analysis::Sharing):
    /// - `Sharing::Own`: every thread accesses its own elements.
    /// - `Sharing::Commuting`: all accesses are atomic.
    /// - `Sharing::Phased`: a launch that writes the array uses one view at a time; other launches only read it.
    #[inline]
    pub unsafe fn share(&self) -> View<'a, T, N> {
        View { ..*self }
    }

    /// The address of an element. Panics if the index is out of bounds.
    #[inline]
    #[track_caller]
    fn place(&self, index: [usize; N]) -> *mut T {
        let offset = crate::array::offset(&self.shape, index);
        // SAFETY: `offset` has checked every index against its extent, so the offset is below the number of elements.
        unsafe { self.elements.add(offset) }
    }
}

impl<T> Index<usize> for View<'_, T, 1> {
    type Output = T;

    #[inline]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        check_slice(index, self.shape[0]);
        // SAFETY: the index is checked, and by the contract of `View::share` no thread writes the element meanwhile.
        unsafe { &*self.elements.add(index) }
    }
}

impl<T> IndexMut<usize> for View<'_, T, 1> {
    #[inline]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        check_slice(index, self.shape[0]);
        // SAFETY: the index is checked, and by the contract of `View::share` no other thread accesses the element
        // meanwhile.
        unsafe { &mut *self.elements.add(index) }
    }
}

macro_rules! index_by_axes {
    ($($n:literal)*) => {$(
        impl<T> Index<[usize; $n]> for View<'_, T, $n> {
            type Output = T;

            #[inline]
            #[track_caller]
            fn index(&self, index: [usize; $n]) -> &T {
                // SAFETY: by the contract of `View::share` no thread writes the element meanwhile.
                unsafe { &*self.place(index) }
            }
        }

        impl<T> IndexMut<[usize; $n]> for View<'_, T, $n> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, index: [usize; $n]) -> &mut T {
                // SAFETY: by the contract of `View::share` no other thread accesses the element meanwhile.
                unsafe { &mut *self.place(index) }
            }
        }
    )*};
}

index_by_axes!(2 3 4);

/// Panics with the message of a slice access, so that CPU errors do not depend on the array type.
#[inline]
#[track_caller]
fn check_slice(index: usize, len: usize) {
    if index >= len {
        outside(index, len);
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(index: usize, len: usize) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {index}")
}

/// A mutable array of integers, or of vectors of integers, that all threads of a launch access atomically.
pub struct Atomics<'a, T: SharedElement, const N: usize> {
    view: View<'a, T, N>,
    /// The place that `IndexMut` lends. It must lend a reference, so the place is stored here.
    current: T::Place<'a>,
}

impl<'a, T: SharedElement, const N: usize> Atomics<'a, T, N> {
    /// Atomic access to the elements of `view`.
    #[inline]
    pub fn new(view: View<'a, T, N>) -> Atomics<'a, T, N> {
        Atomics { view, current: T::nowhere() }
    }

    /// The extents, outermost first.
    #[inline]
    pub fn shape(&self) -> [usize; N] {
        self.view.shape
    }
}

impl<T: SharedElement> Atomics<'_, T, 1> {
    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.view.len()
    }

    /// Whether there are no elements.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.view.is_empty()
    }
}

macro_rules! atomic_by {
    ($($index:ty, $n:literal, |$view:ident, $at:ident| $place:expr;)*) => {$(
        impl<'a, T: SharedElement> Index<$index> for Atomics<'a, T, $n> {
            type Output = T::Place<'a>;

            // `IndexMut` requires it. Emitted code never loads elements of such an array, so it is not called.
            fn index(&self, _: $index) -> &T::Place<'a> {
                &self.current
            }
        }

        impl<'a, T: SharedElement> IndexMut<$index> for Atomics<'a, T, $n> {
            #[inline]
            #[track_caller]
            fn index_mut(&mut self, index: $index) -> &mut T::Place<'a> {
                let ($view, $at) = (&self.view, index);
                let place = $place;
                // SAFETY: the element is in the array. While views of the array exist, all accesses to it are atomic.
                self.current = unsafe { T::at(place) };
                &mut self.current
            }
        }
    )*};
}

atomic_by! {
    usize, 1, |view, index| {
        check_slice(index, view.shape[0]);
        view.place([index])
    };
    [usize; 2], 2, |view, index| view.place(index);
    [usize; 3], 3, |view, index| view.place(index);
    [usize; 4], 4, |view, index| view.place(index);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atomic::{atomic_add, atomic_max};

    #[test]
    fn a_view_is_the_array() {
        let mut array = Array::from_vec([2, 2], vec![1, 2, 3, 4]).unwrap();
        let mut view = View::of_array(&mut array);
        view[[1, 0]] += 10;
        assert_eq!((view[[1, 0]], view.shape()), (13, [2, 2]));
        assert_eq!(array.as_slice(), [1, 2, 13, 4]);
        let mut slice = [1.0, 2.0];
        let mut view = View::of_slice(&mut slice);
        view[1] = view[0] + view.len() as f32;
        assert_eq!(slice, [1.0, 3.0]);
    }

    #[test]
    #[should_panic(expected = "index out of bounds: the len is 2 but the index is 2")]
    fn a_view_ends_where_the_slice_does() {
        View::of_slice(&mut [1.0, 2.0])[2] = 0.0;
    }

    #[test]
    #[should_panic(expected = "the index is 2 along axis 1, whose extent is 2")]
    fn a_view_has_the_axes_of_the_array() {
        let mut array = Array::<f32, 2>::zeros([2, 2]);
        View::of_array(&mut array)[[0, 2]] = 0.0;
    }

    #[test]
    fn atomics_of_several_cores_add_up() {
        let mut counts = vec![0u32, 0];
        let view = View::of_slice(&mut counts);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                // SAFETY: the threads touch the elements by atomic operations only.
                let view = unsafe { view.share() };
                scope.spawn(move || {
                    let mut atomics = Atomics::new(view);
                    for i in 0..1000 {
                        atomic_add(&mut atomics[0], 1);
                        atomic_max(&mut atomics[1], i);
                    }
                });
            }
        });
        assert_eq!(counts, [2000, 999]);
    }
}
