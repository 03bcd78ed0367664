use kernel_rt::prelude::*;

/// It only ever runs forward.
#[kernel(no_grad)]
fn scan(x: &[f64], y: &mut [f64]) {
    for j in 1..x.len() {
        y[j] = y[j - 1] * x[j];
    }
}

/// Another array takes the results.
#[kernel]
fn smooth(a: &[f64], smoothed: &mut [f64]) {
    let i = tid();
    if i > 0 {
        smoothed[i] = 0.5 * (a[i - 1] + a[i]);
    }
}

/// One index that only this thread has.
#[kernel]
fn square(a: &mut [f64]) {
    let i = tid();
    a[i] *= a[i];
}

/// What a sum gives is read in a kernel that is launched later.
#[kernel]
fn sum(x: &[f64], total: &mut [f64]) {
    atomic_add(&mut total[0], x[tid()]);
}

#[kernel]
fn share(x: &[f64], total: &[f64], share: &mut [f64]) {
    let i = tid();
    share[i] = x[i] / total[0];
}

/// Every path accesses the element, so it exists.
#[kernel]
fn step(x: &[f64], y: &mut [f64]) {
    let i = tid();
    if x[i] > 0.0 {
        y[i] *= x[i];
    } else {
        y[i] += 1.0;
    }
}

/// No floats are written, so there is no gradient that could depend on the order of the threads.
#[kernel]
fn insert(x: &[f64], keys: &mut [u64], entry: &mut [u32]) {
    let i = tid();
    let key = (x[i] > 0.0) as u64 + 1;
    for k in 0..keys.len() {
        if atomic_cas(&mut keys[k], 0, key) == 0 {
            entry[i] = k as u32;
            break;
        }
    }
}

fn main() {}
