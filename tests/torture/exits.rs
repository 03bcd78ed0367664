//! Torture: loops that end early or skip trips.

use kernel_rt::prelude::*;

/// Leaves the loop at an index.
#[kernel(family = "torture")]
fn break_on_the_index(#[domain(5..12)] trips: i32, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = 0.5;
    for k in 0..trips {
        if k >= 3 {
            break;
        }
        s = s * x[i] + 0.3 * s * s;
    }
    y[i] = s;
}

/// Leaves the loop when its value is large enough.
#[kernel(family = "torture")]
fn break_on_data(#[domain(5..12)] trips: i32, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for _ in 0..trips {
        s += 0.4 * s * s * x[i];
        if s > 2.0 {
            break;
        }
    }
    y[i] = s;
}

/// Cube roots by Newton's method, until the correction is small.
#[kernel(family = "torture")]
fn newton(#[domain(0.5..4.0)] a: &[f64], root: &mut [f64]) {
    let i = tid();
    let mut r = 1.0;
    for _ in 0..50 {
        let f = r * r * r - a[i];
        if f.abs() < 1e-13 {
            break;
        }
        r -= f / (3.0 * r * r);
    }
    root[i] = r;
}

/// Leaves out some trips, by index and by data.
#[kernel(family = "torture")]
fn continue_in_a_loop(#[domain(6..7)] n: i32, #[shape(6)] a: &[f64], #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = 1.0;
    for k in 0..n {
        if k % 3 == 1 || a[k as usize] < -0.5 {
            continue;
        }
        s = s * x[i] + a[k as usize] * s * s;
    }
    y[i] = s;
}

/// Returns from inside the loop when its value is large enough.
#[kernel(family = "torture")]
fn return_in_a_loop(#[domain(3..12)] trips: i32, #[domain(0.2..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = x[i];
    for _ in 0..trips {
        s = s * s * x[i] + 0.5;
        if s > 1.2 {
            y[i] = s * s;
            return;
        }
    }
    y[i] = -s;
}

/// The distance along a ray to a sphere, in steps as long as the distance to it.
#[kernel(family = "torture")]
fn sphere_tracing(#[domain(0.5..0.9)] radius: &[f64], #[domain(-0.3..0.3)] height: &[f64], distance: &mut [f64]) {
    let i = tid();
    let mut t = 0.0;
    for _ in 0..64 {
        let x = t - 2.0;
        let d = (x * x + height[i] * height[i]).sqrt() - radius[i];
        if d < 1e-12 {
            break;
        }
        t += d;
    }
    distance[i] = t;
}

/// Goes on or leaves the loop, both under one condition.
#[kernel(family = "torture")]
fn continue_before_a_break(#[domain(5..12)] trips: i32, #[domain(0.5..1.5)] x: &[f64], y: &mut [f64]) {
    let i = tid();
    let mut s = 0.6 * x[i];
    for _ in 0..trips {
        if s > 0.7 {
            if s < 2.0 {
                s = 0.9 * s * s + 0.5 * x[i];
                continue;
            }
            break;
        }
        s += 0.3 * s * x[i];
    }
    y[i] = s;
}

super::torture! {
    /// `break` on the index
    break_on_the_index;
    /// `break` on data
    break_on_data;
    /// Newton's method with an early `break`
    newton;
    /// `continue`
    continue_in_a_loop;
    /// `continue` before a `break`
    continue_before_a_break;
    /// early `return` in a loop
    return_in_a_loop;
    /// sphere tracing
    sphere_tracing;
}
