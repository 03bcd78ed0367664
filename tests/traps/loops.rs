//! Traps: the ranges of `for`.

use super::trap;
use kernel_rt::prelude::*;

/// A kernel with every form of a range. The trips of a loop are recorded as the digits of a number, 0 if there are
/// none.
macro_rules! every_range {
    ($name:ident, $ty:ty, $domain:expr, $zero:expr) => {
        /// A range up and down, with and without its end, in steps.
        #[kernel(family = "traps")]
        fn $name(
            #[domain($domain)] first: &[$ty],
            #[domain($domain)] last: &[$ty],
            #[domain(1..4)] step: usize,
            #[shape(dim0 * 8)] digits: &mut [i32],
        ) {
            let i = tid();
            let a = first[i];
            let b = last[i];
            for j in a..b {
                digits[i * 8] = digits[i * 8] * 10 + (j - $zero) as i32;
            }
            for j in a..=b {
                digits[i * 8 + 1] = digits[i * 8 + 1] * 10 + (j - $zero) as i32;
            }
            for j in (a..b).rev() {
                digits[i * 8 + 2] = digits[i * 8 + 2] * 10 + (j - $zero) as i32;
            }
            for j in (a..=b).rev() {
                digits[i * 8 + 3] = digits[i * 8 + 3] * 10 + (j - $zero) as i32;
            }
            for j in (a..b).step_by(step) {
                digits[i * 8 + 4] = digits[i * 8 + 4] * 10 + (j - $zero) as i32;
            }
            for j in (a..=b).step_by(2) {
                digits[i * 8 + 5] = digits[i * 8 + 5] * 10 + (j - $zero) as i32;
            }
            for j in (a..b).rev().step_by(2) {
                digits[i * 8 + 6] = digits[i * 8 + 6] * 10 + (j - $zero) as i32;
            }
            for j in (a..=b).rev().step_by(step) {
                digits[i * 8 + 7] = digits[i * 8 + 7] * 10 + (j - $zero) as i32;
            }
        }
    };
}

every_range!(ranges_i32, i32, -4..5, -5);
every_range!(ranges_u32, u32, 1..10, 0);
every_range!(ranges_i64, i64, -4..5, -5);
every_range!(ranges_u64, u64, 1..10, 0);

/// The expected results of `every_range` for one thread.
fn digits(a: i32, b: i32, step: usize) -> [i32; 8] {
    fn number(range: impl Iterator<Item = i32>) -> i32 {
        range.fold(0, |number, digit| number * 10 + digit)
    }
    [
        number(a..b),
        number(a..=b),
        number((a..b).rev()),
        number((a..=b).rev()),
        number((a..b).step_by(step)),
        number((a..=b).step_by(2)),
        number((a..b).rev().step_by(2)),
        number((a..=b).rev().step_by(step)),
    ]
}

/// The first and last digits of the ranges. Some ranges are empty.
const FIRST: [i32; 7] = [1, 4, 4, 5, 9, 3, 1];
const LAST: [i32; 7] = [9, 8, 4, 4, 1, 4, 2];

#[test]
fn ranges_go_where_rusts_go() {
    for step in [1, 2, 3, 20] {
        let expected: Vec<i32> = FIRST.into_iter().zip(LAST).flat_map(|(a, b)| digits(a, b, step)).collect();
        let (first, last) = (FIRST.map(|a| a - 5), LAST.map(|b| b - 5));
        let signed = trap("ranges_i32", 7).input(&first).input(&last);
        signed.index(step).output(&expected).spring();
        let long = trap("ranges_i64", 7).input(&first.map(i64::from)).input(&last.map(i64::from));
        long.index(step).output(&expected).spring();
        let unsigned = trap("ranges_u32", 7).input(&FIRST.map(|a| a as u32)).input(&LAST.map(|b| b as u32));
        unsigned.index(step).output(&expected).spring();
        let unsigned_long = trap("ranges_u64", 7).input(&FIRST.map(|a| a as u64)).input(&LAST.map(|b| b as u64));
        unsigned_long.index(step).output(&expected).spring();
    }
}

/// Ranges of indices, whose ends are where an unsigned number is about to pass zero.
#[kernel(family = "traps")]
fn index_ranges(#[domain(0..4)] n: &[u32], #[shape(dim0 * 5)] digits: &mut [i32]) {
    let i = tid();
    let end = n[i] as usize;
    for j in (0..end).rev() {
        digits[i * 5] = digits[i * 5] * 10 + j as i32 + 1;
    }
    for j in (0..=end).rev() {
        digits[i * 5 + 1] = digits[i * 5 + 1] * 10 + j as i32 + 1;
    }
    for j in (0..=end).rev().step_by(2) {
        digits[i * 5 + 2] = digits[i * 5 + 2] * 10 + j as i32 + 1;
    }
    for j in (0..end).rev().step_by(3) {
        digits[i * 5 + 3] = digits[i * 5 + 3] * 10 + j as i32 + 1;
    }
    for j in (2..end).rev() {
        digits[i * 5 + 4] = digits[i * 5 + 4] * 10 + j as i32 + 1;
    }
}

#[test]
fn ranges_of_indices_stop_at_zero() {
    trap("index_ranges", 4)
        .input(&[0u32, 1, 3, 4])
        .output([0, 1, 1, 0, 0, 1, 21, 2, 1, 0, 321, 4321, 42, 3, 3, 4321, 54321, 531, 41, 43])
        .spring();
}

/// A kernel whose ranges may touch the limits of a type. Digits count from the first integer.
macro_rules! ends_of_type {
    ($name:ident, $ty:ident) => {
        /// Ranges up to the largest and down to the smallest integer.
        #[kernel(family = "traps")]
        fn $name(#[domain(0..3)] first: &[$ty], #[domain(0..4)] last: &[$ty], #[shape(dim0 * 6)] digits: &mut [i32]) {
            let i = tid();
            let a = first[i];
            let b = last[i];
            for j in a..=b {
                digits[i * 6] = digits[i * 6] * 10 + (j - a) as i32 + 1;
            }
            for j in (a..=b).step_by(2) {
                digits[i * 6 + 1] = digits[i * 6 + 1] * 10 + (j - a) as i32 + 1;
            }
            for j in (a..=b).rev() {
                digits[i * 6 + 2] = digits[i * 6 + 2] * 10 + (j - a) as i32 + 1;
            }
            for j in (a..b).rev() {
                digits[i * 6 + 3] = digits[i * 6 + 3] * 10 + (j - a) as i32 + 1;
            }
            for j in (a..b).rev().step_by(2) {
                digits[i * 6 + 4] = digits[i * 6 + 4] * 10 + (j - a) as i32 + 1;
            }
            for j in ($ty::MAX - 2..=$ty::MAX).rev().step_by(2) {
                digits[i * 6 + 5] = digits[i * 6 + 5] * 10 + ($ty::MAX - j) as i32 + 1;
            }
        }
    };
}

ends_of_type!(ends_of_i32, i32);
ends_of_type!(ends_of_u32, u32);
ends_of_type!(ends_of_i64, i64);
ends_of_type!(ends_of_u64, u64);

#[test]
fn ranges_reach_the_ends_of_their_types() {
    let of_three = [123, 13, 321, 21, 2, 13];
    let of_one = [1, 1, 1, 0, 0, 13];
    let expected = [of_three, of_one, of_three, of_one].concat();
    macro_rules! check {
        ($name:literal, $ty:ident) => {
            let (min, max) = ($ty::MIN, $ty::MAX);
            trap($name, 4).input(&[max - 2, max, min, min]).input(&[max, max, min + 2, min]).output(&expected).spring();
        };
    }
    check!("ends_of_i32", i32);
    check!("ends_of_u32", u32);
    check!("ends_of_i64", i64);
    check!("ends_of_u64", u64);
}

/// The bounds of a range are evaluated once, its variable is new on every trip, and the outer one comes back.
#[kernel(family = "traps")]
fn fixed_bounds(#[domain(0..4)] n: &mut [i32], sum: &mut [i32]) {
    let i = tid();
    let mut end = n[i];
    let mut total = 0;
    let mut step = 1usize;
    for j in 0..end {
        end += 5;
        total = total * 10 + j;
    }
    for j in (0..n[i] + 3).step_by(step + 1) {
        n[i] -= 1;
        step = 7;
        let j = j + 1;
        for j in 0..2 {
            total += j;
        }
        total = total * 10 + j;
    }
    let j = end;
    for j in (0..step).rev() {
        if j < 6 {
            break;
        }
        total += j as i32 * 1000;
    }
    sum[i] = total + j;
}

#[test]
fn bounds_are_evaluated_once() {
    let expected = [3, 0].map(|n: i32| {
        let mut total = (0..n).fold(0, |total, j| total * 10 + j);
        total = (0..n + 3).step_by(2).fold(total, |total, j| (total + 1) * 10 + j + 1);
        total + 6000 + n + 5 * n
    });
    trap("fixed_bounds", 2).changes(&[3, 0], &[0, -2]).output(expected).spring();
}

/// A loop whose bounds are constants and whose variable is not named; Warp writes its body out.
#[kernel(family = "traps")]
fn unnamed_loops(#[domain(-3..4)] k: i32, #[domain(0..3)] n: &[u32], out: &mut [i32]) {
    let i = tid();
    let mut total = k;
    for _ in 0..3 {
        for _ in 1..=2u32 {
            let mut inner = 0;
            for _ in 0..n[i] {
                inner += 1;
            }
            total = total * 2 + inner;
        }
    }
    out[i] = total;
}

#[test]
fn loops_need_no_variable() {
    trap("unnamed_loops", 3).value(-2).input(&[0u32, 1, 5]).output([-128, -128 + 63, -128 + 315]).spring();
}

/// Ranges of unsigned numbers that were negative.
#[kernel(family = "traps")]
fn reread_ranges(#[domain(0..3)] first: &[i32], #[domain(0..4)] last: &[i32], count: &mut [i32]) {
    let i = tid();
    for j in first[i] as u32..=last[i] as u32 {
        count[i] += 1 + (j % 2) as i32 * 10;
    }
    for j in (first[i] as u64..=last[i] as u64).rev() {
        count[i] += 100 + (j % 2) as i32 * 1000;
    }
}

#[test]
fn negative_numbers_are_large_unsigned_ones() {
    trap("reread_ranges", 3).input(&[-3, -1, 5]).input(&[-1, -1, 4]).output([2323, 1111, 0]).spring();
}

/// Ranges that end far before they begin, and one that its body leaves long before its end.
#[kernel(family = "traps")]
fn empty_ranges(#[domain(5..9)] first: &[i64], #[domain(0..4)] last: &[i64], count: &mut [i32]) {
    let i = tid();
    for _ in first[i]..last[i] {
        count[i] += 1;
    }
    for _ in (0..=last[i] - first[i]).rev() {
        count[i] += 10;
    }
    for _ in (first[i] as i32)..=(last[i] as i32) {
        count[i] += 100;
    }
    for _ in 0..=last[i] as i32 {
        count[i] += 1000;
        for k in (-5..i32::MAX).rev() {
            for _ in 1..=k {
                count[i] += 10000;
                break;
            }
            break;
        }
    }
}

#[test]
fn empty_ranges_stay_empty() {
    let first = [4294967294i64, 2147483647, 5000000000];
    let last = [0i64, -2147483648, -4294967295];
    trap("empty_ranges", 3).input(&first).input(&last).output([11000 + 300, 0, 22000]).spring();
}
