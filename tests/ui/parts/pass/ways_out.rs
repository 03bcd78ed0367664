#![deny(warnings)]

use kernel_rt::prelude::*;

#[device]
fn sum(x: &[f32]) -> f32 {
    let mut sum = 0.0;
    for k in 0..x.len() {
        sum += x[k];
    }
    sum
}

#[device]
fn copy(y: &mut [f32], from: usize, to: usize) {
    y[to] = y[from];
}

#[device]
fn put(y: &mut f32, value: f32) {
    *y = value;
}

#[device]
fn sum_of_two(x: &[f32; 2]) -> f32 {
    sum(x)
}

#[kernel]
fn kernel(m: &mut Array2<f32>, v: &mut [Vec3], out: &mut [f32]) {
    let i = tid();
    let row = m.row(i);
    let first = row.len();
    let r = m.row_mut(i);
    r[0] = 1.0;
    copy(&mut r[..2], 0, 1);
    let next = m[[i, 1]];
    copy(m.row_mut(i), 0, 1);
    put(&mut v[i].y, 2.0);
    put(&mut v[i][2], next);
    let mut x = v[i].x;
    put(&mut x, next);
    v[i].x = x;
    put(&mut out[i], 1.0 + first as f32);
    let pair = [x, 1.0];
    out[i] += sum(&pair) + sum_of_two(&pair);
}

fn main() {}
