//! Torture: loops whose trips depend on each other.

#![allow(clippy::reversed_empty_ranges, reason = "a loop without a trip is a case")]

use kernel_rt::prelude::*;

/// The logistic map with a rate of each thread, `trips` times.
#[kernel(family = "torture")]
fn recurrence(
    #[domain(2..20)] trips: i32,
    #[domain(2.5..3.3)] rate: &[f64],
    #[domain(0.2..0.8)] x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut s = x[i];
    for _ in 0..trips {
        s = rate[i] * s * (1.0 - s);
    }
    y[i] = s;
}

/// The same with a constant number of trips that other systems unroll.
#[kernel(family = "torture")]
fn recurrence_16(#[domain(2.5..3.3)] rate: &[f64], #[domain(0.2..0.8)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for _ in 0..16 {
        s = rate[i] * s * (1.0 - s);
    }
    y[i] = s;
}

/// The same with one trip more than they do.
#[kernel(family = "torture")]
fn recurrence_17(#[domain(2.5..3.3)] rate: &[f64], #[domain(0.2..0.8)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for _ in 0..17 {
        s = rate[i] * s * (1.0 - s);
    }
    y[i] = s;
}

/// Symplectic Euler steps of a pendulum.
#[kernel(family = "torture")]
fn pendulum(
    #[domain(1..120)] steps: i32,
    #[domain(0.5..2.0)] k: &[f64],
    #[domain(-1.0..1.0)] start: &[f64],
    end: &mut [f64],
) {
    let i = tid();
    let mut p = start[i];
    let mut v = 0.0;
    for _ in 0..steps {
        v -= 0.05 * k[i] * p.sin();
        p += 0.05 * v;
    }
    end[i] = p;
}

/// A polynomial by Horner's scheme, with a derivative by `x`.
#[kernel(family = "torture")]
fn horner(#[shape(6)] coefficient: &[f64], #[domain(-1.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut r = 0.0;
    for k in 0..coefficient.len() {
        r = r * x[i] + coefficient[k];
    }
    y[i] = r;
}

/// A loop that counts down to 0 and uses the count.
#[kernel(family = "torture")]
fn while_counting_down(#[domain(3..9)] count: i32, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut left = count;
    let mut s = x[i];
    while left > 0 {
        s = (s * x[i]).sin() + 0.1 * left as f64 * s;
        left -= 1;
    }
    y[i] = s;
}

/// A loop that ends when its value is large enough.
#[kernel(family = "torture")]
fn while_on_data(#[domain(0.2..0.9)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    while s < 10.0 {
        s = s * s * x[i] + 1.3 * s;
    }
    y[i] = s;
}

/// A product of sums, both over dynamic ranges.
#[kernel(family = "torture")]
fn product_of_sums(
    #[domain(2..5)] rows: i32,
    #[domain(2..5)] columns: i32,
    #[shape(rows * columns)]
    #[domain(0.2..0.8)]
    a: &[f64],
    #[domain(0.5..1.5)] x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut product = 1.0;
    for row in 0..rows {
        let mut sum = 0.0;
        for column in 0..columns {
            sum += a[(row * columns + column) as usize] * x[i];
        }
        product *= sum;
    }
    y[i] = product;
}

/// A branch that changes what the next trip starts with.
#[kernel(family = "torture")]
fn if_changes_the_state(#[domain(3..12)] trips: i32, #[domain(0.2..0.9)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for _ in 0..trips {
        if s > 0.6 {
            s = 0.8 * s * s;
        } else {
            s += x[i] * x[i];
        }
    }
    y[i] = s;
}

/// A number of trips of each thread, from an array.
#[kernel(family = "torture")]
fn trips_from_an_array(#[domain(0..9)] trips: &[i32], #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = 1.0;
    for k in 0..trips[i] {
        s = s * x[i] + 0.1 * k as f64 * s * s;
    }
    y[i] = s;
}

/// A random factor times the index: the generator's state goes from trip to trip, and only its value matters.
#[kernel(family = "torture")]
fn random_factor(#[domain(2..9)] trips: i32, #[domain(1..1000)] seed: &[u32], x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut state = seed[i];
    let mut s = 0.0;
    for k in 0..trips {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        s += (state >> 8) as f64 / 16777216.0 * k as f64 * x[i];
    }
    y[i] = s;
}

/// A loop of a constant number of trips, which is 0, and one that runs down in steps; both use by-value floats.
#[kernel(family = "torture")]
fn scalar_in_a_loop(
    #[domain(0.5..1.2)] rate: f64,
    #[domain(3..30)] last: i32,
    #[domain(0.2..0.8)] x: &[f64],
    y: &mut [f64],
) {
    let i = tid();
    let mut s = x[i];
    for _ in 5..5 {
        s = s * s;
    }
    for k in (0..=last).rev().step_by(3) {
        s = s * rate * (1.0 - s) + 0.01 * k as f64 * rate;
    }
    y[i] = s;
}

super::torture! {
    /// logistic map, constant 16 trips
    recurrence_16;
    /// logistic map, constant 17 trips
    recurrence_17;
    /// logistic map, 16 trips at run time
    recurrence_dynamic_16 = recurrence.set("trips", 16);
    /// logistic map, 17 trips at run time
    recurrence_dynamic_17 = recurrence.set("trips", 17);
    /// no trip
    recurrence_0 = recurrence.set("trips", 0);
    /// one trip
    recurrence_1 = recurrence.set("trips", 1);
    /// pendulum, two states, 100 steps
    pendulum.set("steps", 100);
    /// Horner's scheme, by x
    horner;
    /// `while` counting down
    while_counting_down;
    /// `while` on data
    while_on_data;
    /// product of inner sums, nested dynamic loops
    product_of_sums;
    /// `if` in a loop changes the state
    if_changes_the_state;
    /// by-value factor, steps down
    scalar_in_a_loop;
    /// number of trips from an array
    trips_from_an_array;
    /// random factor weighted by the index
    random_factor;
}
