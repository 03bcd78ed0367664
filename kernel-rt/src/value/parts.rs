//! What vectors and matrices share: combining, indexing and writing parts.

use std::fmt::{self, Display, Formatter};

/// Hands the macro `$declare` each number of parts that a constructor takes, with names for the parts.
macro_rules! of_each_size {
    ($declare:ident) => {
        $declare! {
            1: x;
            2: x y;
            3: x y z;
            4: x y z w;
            5: a b c d e;
            6: a b c d e f;
            7: a b c d e f g;
            8: a b c d e f g h;
            9: a b c d e f g h i;
            10: a b c d e f g h i j;
            11: a b c d e f g h i j k;
            12: a b c d e f g h i j k l;
            13: a b c d e f g h i j k l m;
            14: a b c d e f g h i j k l m n;
            15: a b c d e f g h i j k l m n o;
            16: a b c d e f g h i j k l m n o p;
        }
    };
}

pub(super) use of_each_size;

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
