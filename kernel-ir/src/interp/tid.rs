//! Thread indices.

use std::ops::Deref;

/// The index of a thread: a number for each launch axis, outermost first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tid {
    axes: u8,
    index: [usize; Tid::AXES],
}

impl Tid {
    /// The largest number of launch axes.
    const AXES: usize = 4;

    /// The thread with this row-major number in a launch of `dim`.
    fn numbered(mut number: usize, dim: &[usize]) -> Tid {
        let mut tid = Tid::from(dim);
        for (index, extent) in tid.index[..dim.len()].iter_mut().zip(dim).rev() {
            (*index, number) = (number % extent, number / extent);
        }
        tid
    }

    /// The row-major number of the thread in a launch of `dim`; `None` if it is outside.
    pub(super) fn number(&self, dim: &[usize]) -> Option<usize> {
        self.iter().zip(dim).try_fold(0usize, |number, (index, extent)| {
            (index < extent).then(|| number.checked_mul(*extent)?.checked_add(*index)).flatten()
        })
    }
}

impl Deref for Tid {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.index[..usize::from(self.axes)]
    }
}

impl From<&[usize]> for Tid {
    /// # Panics
    /// If there are more than four axes.
    fn from(axes: &[usize]) -> Tid {
        let mut index = [0; Tid::AXES];
        index[..axes.len()].copy_from_slice(axes);
        Tid { axes: axes.len() as u8, index }
    }
}

/// The thread indices of a launch of `dim`, in row-major order.
///
/// # Panics
/// If there are more than four axes.
pub fn row_major(dim: &[usize]) -> impl DoubleEndedIterator<Item = Tid> + ExactSizeIterator {
    let threads = dim.iter().copied().fold(1, usize::saturating_mul);
    (0..threads).map(|number| Tid::numbered(number, dim))
}
