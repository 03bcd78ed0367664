use kernel_rt::prelude::*;

#[kernel]
fn line(out: &mut [f32]) {
    out[tid()] = 1.0;
}

#[kernel]
fn plane(out: &mut Array2<f32>) {
    let (i, j) = tid2();
    out[[i, j]] = 1.0;
}

#[kernel(no_grad)]
fn space(out: &mut Array3<f32>) {
    let (i, _, k) = tid3();
    out[[i, 0, k]] = 1.0;
}

#[kernel(no_grad)]
fn time(out: &mut Array4<f32>) {
    let (i, j, k, mut l) = tid4();
    l = l.min(3);
    out[[i, j, k, l]] = 1.0;
}

fn main() {}
