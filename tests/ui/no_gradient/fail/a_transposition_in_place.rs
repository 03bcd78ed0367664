use kernel_rt::prelude::*;

#[kernel]
fn broken(a: &mut Array2<f64>) {
    let (i, j) = tid2();
    let upper = a[[i, j]];
    a[[i, j]] = a[[j, i]];
    a[[j, i]] = upper;
}

fn main() {}
