//! Device functions and derivatives of the author's own.

use kernel_rt::prelude::*;

/// Smooth step between 0 and 1.
#[device]
fn smoothstep(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

/// Softens.
#[kernel(family = "test")]
fn soften(#[domain(0.0..1.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = smoothstep(x[i]);
}

/// Newton's steps for the cube root.
#[device]
fn newton(a: f32) -> f32 {
    let mut root = a.max(1.0);
    for _ in 0..40 {
        let next = root - (root * root * root - a) / (3.0 * root * root);
        if (next - root).abs() < 1e-7 * root {
            return next;
        }
        root = next;
    }
    root
}

/// The cube root.
#[device(grad(a = cube_root_da))]
fn cube_root(a: f32) -> f32 {
    newton(a)
}

#[device]
fn cube_root_da(a: f32, adj: f32) -> f32 {
    let root = newton(a);
    adj / (3.0 * root * root)
}

/// Roots.
#[kernel(family = "test")]
fn roots(#[domain(0.5..8.0)] x: &[f32], y: &mut [f32]) {
    let i = tid();
    if x[i] > 0.0 {
        y[i] = cube_root(x[i] * x[i]) + newton(x[i]);
    }
}

#[test]
fn look() {
    println!("{}\n{}\n{}\n{}\n{}", soften::RUST_SOURCE, soften::IR, soften::CUDA_FORWARD, soften::PYTHON, soften::CUDA_BACKWARD);
    println!("{}\n{}\n{}\n{}\n{}\n{}", roots::RUST_SOURCE, roots::IR, roots::CPP_FORWARD, roots::PYTHON, roots::CPP_BACKWARD, roots::IR_BACKWARD);
}
