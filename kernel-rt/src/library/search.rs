//! Search in sorted arrays.

use crate::prelude::*;

/// The index of the first number of `x`, which rises, that is not below `value`; the last index, if there is none.
#[device(warp = "lower_bound")]
pub fn lower_bound<T: Number>(x: &[T], value: T) -> i32 {
    let (mut low, mut high) = (0, x.len() as i32 - 1);
    while low < high {
        let middle = low + (high - low) / 2;
        if x[middle as usize] < value {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
