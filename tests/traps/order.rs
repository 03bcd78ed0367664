//! Traps: the order of evaluation.

use super::trap;
use kernel_rt::prelude::*;

/// Operands that change what other operands read.
#[kernel(family = "traps")]
fn effects_in_operands(#[domain(-9..9)] x: &[i32], out: &mut [i32], updated: &mut [i32]) {
    let i = tid();
    let mut n = x[i];
    let left = n
        + {
            n += 1;
            n
        } * 10
        + n;
    let right = {
        n *= 2;
        n
    } - n * {
        n = 3;
        n
    };
    out[i] = left * 1000 + right;
    // The right side of a compound assignment goes first.
    n += {
        n = 10;
        n
    };
    updated[i] = n;
}

#[test]
fn operands_are_evaluated_left_to_right() {
    let x = [0, 5, -4];
    let expected = x.map(|x| {
        let left = x + (x + 1) * 10 + x + 1;
        let doubled = (x + 1) * 2;
        left * 1000 + doubled - doubled * 3
    });
    trap("effects_in_operands", 3).input(&x).output(expected).output([20; 3]).spring();
}

/// Indices and conditions with effects.
#[kernel(family = "traps")]
fn effects_in_indices(#[domain(0..3)] x: &[i32], #[shape(dim0 * 4)] out: &mut [i32]) {
    let i = tid();
    let mut n = i * 4;
    out[{
        n += 1;
        n
    }] = n as i32;
    out[{
        n += 1;
        n
    }] += {
        n += 1;
        x[i] + 7
    };
    let mut calls = 0;
    if {
        calls += 1;
        x[i] > 0
    } && {
        calls += 10;
        x[i] > 1
    } || {
        calls += 100;
        false
    } {
        calls += 1000;
    }
    out[i * 4] = calls;
    out[i * 4 + 2] = if {
        calls = 5;
        calls > x[i]
    } {
        calls
    } else {
        -calls
    };
}

#[test]
fn places_are_evaluated_after_values() {
    let x = [0, 1, 2];
    // A plain assignment evaluates its value first, then the place.
    let expected: Vec<i32> = (0..3)
        .flat_map(|i| {
            let calls = [101, 111, 1011][i as usize];
            [calls, i * 4, 5, x[i as usize] + 7]
        })
        .collect();
    trap("effects_in_indices", 3).input(&x).output(expected).spring();
}

/// Atomics give the old value, and happen in the order in which they are written.
#[kernel(family = "traps", no_grad)]
fn atomic_results(#[domain(0..9)] x: &[i32], counter: &mut [i32], out: &mut [i32], least: &mut [f32]) {
    let i = tid();
    let difference =
        atomic_add(&mut counter[i], 5) * 100 - atomic_sub(&mut counter[i], 2) * 10 + atomic_max(&mut counter[i], x[i]);
    let mut taken = 0;
    if x[i] > 3 && atomic_add(&mut counter[i], 1000) > 5 {
        taken = 1;
    }
    out[i] = difference * 10 + taken + counter[i] * 10000;
    least[i] = atomic_min(&mut least[i], x[i] as f32 - 4.0) + least[i] * 10.0;
}

#[test]
fn atomics_give_the_old_value() {
    let x = [2, 4, 9];
    let expected = x.map(|x: i32| {
        let (mut counter, mut taken) = (3.max(x), 0);
        if x > 3 {
            taken = i32::from(counter > 5);
            counter += 1000;
        }
        (-50 + 3) * 10 + taken + counter * 10000
    });
    let counters = x.map(|x: i32| 3.max(x) + if x > 3 { 1000 } else { 0 });
    trap("atomic_results", 3)
        .input(&x)
        .changes(&[0, 0, 0], &counters)
        .output(expected)
        .output([-20.0f32, 0.0, 0.0])
        .spring();
}

/// Every thread takes a ticket of its own.
#[kernel(family = "traps")]
fn tickets(#[shape(1)] next: &mut [u32], order: &mut [u32]) {
    let i = tid();
    let ticket = atomic_add(&mut next[0], 1);
    order[ticket as usize] += 1;
    if i % 2 == 0 {
        atomic_add(&mut next[0], 0);
    }
}

#[test]
fn tickets_are_unique() {
    trap("tickets", 4).changes(&[0u32], &[4]).output([1u32; 4]).spring();
}

/// Parentheses that matter.
#[kernel(family = "traps")]
fn grouping(
    #[domain(1..9)] a: &[i32],
    #[domain(1..9)] b: &[i32],
    out: &mut [i32],
    logic: &mut [i32],
    float: &mut [f32],
) {
    let i = tid();
    let x = a[i];
    let y = b[i];
    out[i] = x - (y - 3) - (x + y) * (7 / (y * 2) + 40 / y * 2) - -(x - y) - (-(-x)) + x % (y % 5 + 1) * 3;
    out[i] += (x & 6) + (y | 1) * (x ^ y) + (!x & 15) - (x << 1 & 12) + (1 << (y & 3)) + (x & y | x ^ 3 & y);
    let mut bits = 0;
    bits += if (x & 1) == 1 { 1 } else { 0 };
    bits += if (x < y) == (y < 5) { 2 } else { 0 };
    bits += if !(x == y) != (x > 4) { 4 } else { 0 };
    bits += if x > 2 || x < 2 && y > 3 { 8 } else { 0 };
    bits += if (x > 2 || x < 2) && y > 3 { 16 } else { 0 };
    bits += if !(x > 2 && y > 2) { 32 } else { 0 };
    bits += if ((x > 2) ^ (y > 2)) & (x != y) | (y == 8) { 64 } else { 0 };
    logic[i] = bits;
    let f = x as f32;
    let g = y as f32;
    float[i] = f - (g - f * (g + 0.5)) / (f / g) - -g.max(f) * -(f + g) + (-f).abs() - (f / g / f) / (g * f) * 0.1;
}

#[test]
fn parentheses_are_kept_where_they_matter() {
    let a = [1, 2, 3, 8, 5, 4];
    let b = [1, 8, 3, 2, 4, 6];
    let pairs: Vec<(i32, i32)> = a.into_iter().zip(b).collect();
    let out = |x: i32, y: i32| {
        let arithmetic = x - (y - 3) - (x + y) * (7 / (y * 2) + 40 / y * 2) + (x - y) - x + (x % (y % 5 + 1)) * 3;
        let bits =
            (x & 6) + (y | 1) * (x ^ y) + (!x & 15) - ((x << 1) & 12) + (1 << (y & 3)) + ((x & y) | (x ^ (3 & y)));
        arithmetic + bits
    };
    let logic = |x: i32, y: i32| {
        i32::from(x & 1 == 1)
            + 2 * i32::from((x < y) == (y < 5))
            + 4 * i32::from((x != y) != (x > 4))
            + 8 * i32::from(x > 2 || (x < 2 && y > 3))
            + 16 * i32::from(x != 2 && y > 3)
            + 32 * i32::from(x <= 2 || y <= 2)
            + 64 * i32::from((((x > 2) != (y > 2)) && x != y) || y == 8)
    };
    let float = |f: f32, g: f32| {
        let quotient = (g - f * (g + 0.5)) / (f / g);
        let product = -(g.max(f)) * -(f + g);
        f - quotient - product + f.abs() - f / g / f / (g * f) * 0.1
    };
    trap("grouping", 6)
        .input(&a)
        .input(&b)
        .output(pairs.iter().map(|(x, y)| out(*x, *y)).collect::<Vec<_>>())
        .output(pairs.iter().map(|(x, y)| logic(*x, *y)).collect::<Vec<_>>())
        .output(pairs.iter().map(|(x, y)| float(*x as f32, *y as f32)).collect::<Vec<_>>())
        .spring();
}
