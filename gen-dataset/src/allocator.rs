//! Memory by mimalloc.

use libmimalloc_sys::{
    mi_free, mi_malloc, mi_malloc_aligned, mi_realloc, mi_realloc_aligned, mi_zalloc, mi_zalloc_aligned,
};
use std::alloc::{GlobalAlloc, Layout};

/// mimalloc as the allocator of a program. Making a record allocates a great many small pieces of trees and texts.
///
/// Unlike that of the crate `mimalloc`, it asks for an alignment only where there is one to ask for, as the standard
/// library does of `malloc`: a piece of memory so takes half as long.
#[derive(Debug)]
pub struct Allocator;

/// Whether mimalloc aligns `size` bytes so without being asked: by 16, as C's largest types need it, or by what is left
/// of that in smaller pieces.
fn is_natural(size: usize, align: usize) -> bool {
    align <= 16 && align <= size
}

// SAFETY: Memory is mimalloc's, of the size and at least of the alignment that is asked for, and goes back to it.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        // SAFETY: Any size may be asked for, and an alignment is a power of two.
        unsafe { if is_natural(size, align) { mi_malloc(size) } else { mi_malloc_aligned(size, align) }.cast() }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let (size, align) = (layout.size(), layout.align());
        // SAFETY: As above.
        unsafe { if is_natural(size, align) { mi_zalloc(size) } else { mi_zalloc_aligned(size, align) }.cast() }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, _: Layout) {
        // SAFETY: It came from one of the functions here.
        unsafe { mi_free(memory.cast()) }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (memory, align) = (memory.cast(), layout.align());
        // SAFETY: It came from one of the functions here.
        unsafe {
            if is_natural(size, align) { mi_realloc(memory, size) } else { mi_realloc_aligned(memory, size, align) }
                .cast()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned() {
        for align in [1, 2, 4, 8, 16, 32, 4096] {
            for size in 1..=300 {
                let layout = Layout::from_size_align(size, align).unwrap();
                // SAFETY: The layout has a size; what is allocated is given back with the layout that it then has.
                unsafe {
                    let (one, zeros) = (Allocator.alloc(layout), Allocator.alloc_zeroed(layout));
                    let one = Allocator.realloc(one, layout, size + 100);
                    assert!(one.addr().is_multiple_of(align) && zeros.addr().is_multiple_of(align), "{layout:?}");
                    Allocator.dealloc(one, Layout::from_size_align(size + 100, align).unwrap());
                    Allocator.dealloc(zeros, layout);
                }
            }
        }
    }
}
