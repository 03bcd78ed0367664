//! Indices into parts of arrays.
//!
//! The compiler gives a part of an array, such as `&x[a..b]`, the indices of the array. A part ends before its array does,
//! so the bound of an index into it is checked by itself.

/// A check of an index.
pub trait IndexBelow {
    /// The index itself, which must be below `bound`.
    ///
    /// # Panics
    /// The index is out of bounds. In a launch this is an error of the launch. Emitted texts do not check, except those of
    /// bounds-checked devices.
    fn index_below(self, bound: Self) -> Self;
}

impl IndexBelow for usize {
    #[inline]
    #[track_caller]
    fn index_below(self, bound: usize) -> usize {
        if self >= bound {
            outside(self, bound);
        }
        self
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn outside(index: usize, bound: usize) -> ! {
    panic!("index out of bounds: the index is {index}, but it must be below {bound}")
}

#[cfg(test)]
mod tests {
    use super::IndexBelow;

    #[test]
    fn an_index_within_bounds_is_itself() {
        assert_eq!(2usize.index_below(3), 2);
    }

    #[test]
    #[should_panic(expected = "the index is 3, but it must be below 3")]
    fn an_index_at_the_bound_panics() {
        let _ = 3usize.index_below(3);
    }
}
