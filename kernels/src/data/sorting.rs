//! Sorting.

use kernel_rt::prelude::*;

/// The digit of four bits of a key at a place.
#[device]
fn digit_of<T: Integer>(key: T, shift: u32) -> usize {
    usize::cast((key >> shift) & T::lit(15))
}

/// A pass of a radix sort over segments of keys with values, one segment a thread: it counts the digits of four bits at `shift`, sums
/// the counts up to the first place of each digit, and moves keys and values there. Equal digits keep their order, so passes
/// from the lowest digit to the highest sort the segments. `moved` counts the keys that changed their place,
/// `busiest` those with the most frequent digit.
#[kernel(family = "nested_loop", instances(u32, u64))]
pub fn radix_sort_pass<T: Integer>(
    #[domain(0..7)] digit: u32,
    #[shape(dim0, 12)]
    #[domain(0..1000000000)]
    keys: &Array2<T>,
    #[shape(dim0, 12)]
    #[domain(0..1000)]
    values: &Array2<u32>,
    #[shape(dim0, 12)] sorted_keys: &mut Array2<T>,
    #[shape(dim0, 12)] sorted_values: &mut Array2<u32>,
    #[shape(dim0, 16)] counts: &mut Array2<u32>,
    moved: &mut [u32],
    busiest: &mut [u32],
) {
    const DIGITS: usize = 16;
    let segment = tid();
    let length = keys.shape()[1];
    let shift = 4 * digit;
    let mut count = [0u32; DIGITS];
    let mut first = [0u32; DIGITS];
    for k in 0..length {
        count[digit_of(keys[[segment, k]], shift)] += 1;
    }
    let mut total = 0;
    for d in 0..DIGITS {
        first[d] = total;
        total += count[d];
        counts[[segment, d]] = count[d];
    }
    let mut changed = 0;
    for k in 0..length {
        let key = keys[[segment, k]];
        let d = digit_of(key, shift);
        let place = first[d] as usize;
        first[d] += 1;
        sorted_keys[[segment, place]] = key;
        sorted_values[[segment, place]] = values[[segment, k]];
        if place != k {
            changed += 1;
        }
    }
    let mut largest = 0;
    for d in 0..DIGITS {
        largest = largest.max(count[d]);
    }
    moved[segment] = changed;
    busiest[segment] = largest;
}
