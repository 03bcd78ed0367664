//! What vectors and matrices share: combining, indexing and writing parts.

use std::fmt::{self, Display, Formatter};

/// Combines `term(0)` to `term(count - 1)`, from the first to the last.
#[inline(always)]
pub(super) fn fold<T>(term: impl Fn(usize) -> T, count: usize, combine: impl Fn(T, T) -> T) -> T {
    (1..count).fold(term(0), |all, i| combine(all, term(i)))
}

/// The panic of an index outside of a vector or matrix, with the words of std.
#[cold]
#[inline(never)]
#[track_caller]
pub(super) fn out_of_bounds(len: usize, index: usize) -> ! {
    panic!("index out of bounds: the len is {len} but the index is {index}")
}

/// Writes the parts as a list.
pub(super) fn list(f: &mut Formatter<'_>, parts: &[impl Display]) -> fmt::Result {
    f.write_str("[")?;
    for (place, part) in parts.iter().enumerate() {
        f.write_str(if place > 0 { ", " } else { "" })?;
        part.fmt(f)?;
    }
    f.write_str("]")
}
