//! The memory of arrays: their own, a part of another's, or memory that another library owns.
//!
//! Two kinds of storage are read-only: a part of a storage that has several owners, and foreign memory that its owner
//! lends for reading. An [`Array`](super::Array) that a caller can change never has read-only storage; a
//! [`DeviceArray`](crate::DeviceArray) copies it before the first write.

use std::fmt;
use std::marker::PhantomData;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr::NonNull;
use std::sync::Arc;

/// Elements in a row in memory, and the owner of that memory.
pub(crate) struct Storage<T> {
    pointer: NonNull<T>,
    len: usize,
    owner: Owner<T>,
    elements: PhantomData<T>,
}

enum Owner<T> {
    /// The memory of a vector of this capacity.
    Vec { capacity: usize },
    /// The memory belongs to that storage, and others may read it.
    Shared(Arc<Storage<T>>),
    /// The memory belongs to that object until its drop.
    #[cfg_attr(not(feature = "dlpack"), expect(dead_code, reason = "only DLPack brings foreign memory"))]
    Foreign { _object: Box<dyn Send + Sync>, is_writable: bool },
    /// The memory is borrowed for the time of a write; see [`Storage::lend`].
    Lent,
}

// SAFETY: a storage is a `Vec<T>`, an `Arc<Storage<T>>`, or a `Box<dyn Send + Sync>` with `&mut [T]` or `&[T]`. `T: Sync`
// is needed because a shared storage is read from several threads.
unsafe impl<T: Send + Sync> Send for Storage<T> {}
// SAFETY: through `&Storage` elements are only read, and `T: Sync`. Dropping a `Shared` owner from another thread needs
// `T: Send`.
unsafe impl<T: Send + Sync> Sync for Storage<T> {}

// A panic leaves elements partly written, as in a vector, but never broken.
impl<T: UnwindSafe> UnwindSafe for Storage<T> {}
impl<T: RefUnwindSafe> RefUnwindSafe for Storage<T> {}

impl<T> Storage<T> {
    /// The `len` elements from `first` on of a storage, without a copy.
    ///
    /// # Panics
    /// The part is not inside.
    pub(crate) fn part(whole: &Arc<Storage<T>>, first: usize, len: usize) -> Storage<T> {
        let part = &whole.as_slice()[first..][..len];
        // The owner of a part is not itself a part, so chains of parts stay short.
        let owner = match &whole.owner {
            Owner::Shared(owner) => Arc::clone(owner),
            _ => Arc::clone(whole),
        };
        Storage { pointer: NonNull::from(part).cast(), len, owner: Owner::Shared(owner), elements: PhantomData }
    }

    /// Foreign memory, which `object` frees when it is dropped.
    ///
    /// # Safety
    /// Until the drop of `object`, `pointer` is valid for reads of `len` elements and aligned, and nothing else writes
    /// them. If `is_writable`, it is valid for writes too, and nothing else reads them while the storage is borrowed
    /// mutably.
    #[cfg(feature = "dlpack")]
    pub(crate) unsafe fn foreign(
        pointer: NonNull<T>,
        len: usize,
        object: Box<dyn Send + Sync>,
        is_writable: bool,
    ) -> Storage<T> {
        Storage { pointer, len, owner: Owner::Foreign { _object: object, is_writable }, elements: PhantomData }
    }

    /// The `len` elements from `first` on, as a storage of its own for the time of a write.
    ///
    /// # Safety
    /// The returned storage is dropped before `self` is used again, moved or dropped.
    ///
    /// # Panics
    /// The part is not inside.
    pub(crate) unsafe fn lend(&mut self, first: usize, len: usize) -> Storage<T> {
        let part = &mut self.as_mut_slice()[first..][..len];
        Storage { pointer: NonNull::from(part).cast(), len, owner: Owner::Lent, elements: PhantomData }
    }

    /// Whether this storage may be written to.
    pub(crate) fn is_writable(&self) -> bool {
        match self.owner {
            Owner::Vec { .. } | Owner::Lent => true,
            Owner::Foreign { is_writable, .. } => is_writable,
            Owner::Shared(_) => false,
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The address of the first element.
    #[inline]
    pub(crate) fn as_ptr(&self) -> *const T {
        self.pointer.as_ptr()
    }

    /// The address of the first element of storage that is writable.
    #[inline]
    pub(crate) fn as_mut_ptr(&mut self) -> *mut T {
        debug_assert!(self.is_writable(), "storage is copied before it is written, if others read it");
        self.pointer.as_ptr()
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: every constructor passes memory of `len` elements that the owner keeps alive, and nothing writes it
        // while the storage is borrowed.
        unsafe { std::slice::from_raw_parts(self.pointer.as_ptr(), self.len) }
    }

    /// The elements of storage that is writable.
    #[inline]
    pub(crate) fn as_mut_slice(&mut self) -> &mut [T] {
        debug_assert!(self.is_writable(), "storage is copied before it is written, if others read it");
        // SAFETY: as for `as_slice`. The storage is borrowed mutably and is writable, so nothing else reads the elements.
        unsafe { std::slice::from_raw_parts_mut(self.pointer.as_ptr(), self.len) }
    }
}

impl<T: Clone> Storage<T> {
    /// The elements as a vector; without a copy if they are the memory of a vector.
    pub(crate) fn into_vec(self) -> Vec<T> {
        match self.owner {
            Owner::Vec { capacity } => {
                let storage = std::mem::ManuallyDrop::new(self);
                // SAFETY: these are the parts of the vector of `From<Vec>`, and `ManuallyDrop` leaves them to this one.
                unsafe { Vec::from_raw_parts(storage.pointer.as_ptr(), storage.len, capacity) }
            }
            _ => self.as_slice().to_vec(),
        }
    }
}

impl<T> From<Vec<T>> for Storage<T> {
    fn from(elements: Vec<T>) -> Storage<T> {
        let mut elements = std::mem::ManuallyDrop::new(elements);
        let (len, capacity) = (elements.len(), elements.capacity());
        // SAFETY: the pointer of a vector is not null.
        let pointer = unsafe { NonNull::new_unchecked(elements.as_mut_ptr()) };
        Storage { pointer, len, owner: Owner::Vec { capacity }, elements: PhantomData }
    }
}

impl<T> Drop for Storage<T> {
    fn drop(&mut self) {
        if let Owner::Vec { capacity } = self.owner {
            // SAFETY: these are the parts of the vector of `From<Vec>`, which nothing else drops.
            drop(unsafe { Vec::from_raw_parts(self.pointer.as_ptr(), self.len, capacity) });
        }
    }
}

/// A copy of the elements, in memory of its own.
impl<T: Clone> Clone for Storage<T> {
    fn clone(&self) -> Storage<T> {
        Storage::from(self.as_slice().to_vec())
    }
}

impl<T: PartialEq> PartialEq for Storage<T> {
    fn eq(&self, other: &Storage<T>) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: fmt::Debug> fmt::Debug for Storage<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_goes_through_without_a_copy() {
        let mut elements = Vec::with_capacity(7);
        elements.extend([String::from("a"), String::from("b")]);
        let address = elements.as_ptr();
        let elements = Storage::from(elements).into_vec();
        assert_eq!((elements.as_ptr(), elements.capacity(), elements.len()), (address, 7, 2));
    }

    #[test]
    fn a_part_keeps_the_whole_alive_and_is_read_only() {
        let whole = Arc::new(Storage::from(vec![String::from("a"), String::from("b"), String::from("c")]));
        let part = Arc::new(Storage::part(&whole, 1, 2));
        let last = Storage::part(&part, 1, 1);
        assert_eq!(Arc::strong_count(&whole), 3, "the part of a part belongs to the whole");
        assert!(whole.is_writable() && !part.is_writable());
        drop((whole, part));
        assert_eq!(last.as_slice(), ["c"]);
        assert_eq!(last.into_vec(), ["c"]);
    }

    #[test]
    fn a_write_to_lent_storage_shows_in_its_owner() {
        let mut whole = Storage::from(vec![1, 2, 3]);
        // SAFETY: the part is dropped at the end of the statement.
        unsafe { whole.lend(1, 1) }.as_mut_slice()[0] = 7;
        assert_eq!(whole.as_slice(), [1, 7, 3]);
    }

    #[test]
    #[should_panic(expected = "out of range")]
    fn a_part_is_inside() {
        Storage::part(&Arc::new(Storage::from(vec![1, 2, 3])), 2, 2);
    }
}
