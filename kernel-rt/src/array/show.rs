//! The elements of arrays in `Debug`.

use std::fmt::{self, Debug, Formatter};

/// Arrays of more elements are shortened.
const MOST: usize = 1000;
/// The number of entries at each end of a shortened axis.
const EDGE: usize = 3;

/// The elements of an array, as nested lists: `[[1, 2], [3, 4]]`. A large array is shortened: of each axis with more
/// than six entries, only the first three and the last three are shown.
pub(crate) struct ElementList<'a, T> {
    shape: &'a [usize],
    elements: &'a [T],
    is_short: bool,
}

impl<'a, T> ElementList<'a, T> {
    /// `elements` are in row-major order, as many as `shape` says.
    pub(crate) fn new(shape: &'a [usize], elements: &'a [T]) -> ElementList<'a, T> {
        ElementList { shape, elements, is_short: elements.len() > MOST }
    }
}

impl<T: Debug> Debug for ElementList<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (&extent, inner) = match (self.shape.split_first(), self.elements) {
            (Some(split), _) => split,
            (None, [element]) => return element.fmt(f),
            (None, _) => return f.write_str("[]"),
        };
        // An array without elements may have large extents.
        if self.elements.is_empty() {
            return f.write_str("[]");
        }
        let size = self.elements.len() / extent;
        let entry = |at: usize| ElementList { shape: inner, elements: &self.elements[at * size..][..size], ..*self };
        let mut list = f.debug_list();
        if self.is_short && extent > 2 * EDGE {
            list.entries((0..EDGE).map(entry)).entry(&Gap).entries((extent - EDGE..extent).map(entry));
        } else {
            list.entries((0..extent).map(entry));
        }
        list.finish()
    }
}

/// The entries that are not shown.
struct Gap;

impl Debug for Gap {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("...")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(shape: &[usize]) -> String {
        let elements: Vec<usize> = (0..shape.iter().product()).collect();
        format!("{:?}", ElementList::new(shape, &elements))
    }

    #[test]
    fn rows_are_lists() {
        assert_eq!(shown(&[2, 3]), "[[0, 1, 2], [3, 4, 5]]");
        assert_eq!(shown(&[2, 1, 2]), "[[[0, 1]], [[2, 3]]]");
        assert_eq!(shown(&[]), "0");
        assert_eq!(shown(&[3, 0]), "[]");
        assert_eq!(format!("{:?}", ElementList::<u8>::new(&[usize::MAX, 0], &[])), "[]");
    }

    #[test]
    fn large_arrays_are_shortened() {
        assert_eq!(shown(&[1001]), "[0, 1, 2, ..., 998, 999, 1000]");
        assert_eq!(shown(&[7]), "[0, 1, 2, 3, 4, 5, 6]", "a small array is shown whole");
        let grid = shown(&[1000, 2]);
        assert_eq!(grid, "[[0, 1], [2, 3], [4, 5], ..., [1994, 1995], [1996, 1997], [1998, 1999]]");
    }

    #[test]
    fn the_precision_is_that_of_the_elements() {
        assert_eq!(format!("{:.1?}", ElementList::new(&[2], &[1.0, 2.25])), "[1.0, 2.2]");
    }
}
