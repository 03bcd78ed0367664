//! A crate that forbids unsafe code can have kernels: the one unsafe call that `#[kernel]` emits has the macro's span. The
//! crate names no `kernel-ir` either.

#![forbid(unsafe_code)]
#![deny(clippy::undocumented_unsafe_blocks)]

use kernel_rt::ir::{Arg, Data, Type};
use kernel_rt::prelude::*;
use kernel_rt::{Pass, registered_kernels};

/// Every thread has an element of its own.
#[kernel]
pub fn double(x: &mut [f32]) {
    let i = tid();
    x[i] *= 2.0;
}

/// The same over two axes.
#[kernel]
pub fn transpose(a: &Array2<f32>, b: &mut Array2<f32>) {
    let (i, j) = tid2();
    b[[j, i]] = a[[i, j]];
}

/// Threads meet at elements, by atomic operations.
#[kernel]
pub fn histogram(values: &[u32], counts: &mut [u32]) {
    let i = tid();
    atomic_add(&mut counts[(values[i] % 4) as usize], 1);
}

/// A device function, whose kernel the macro resumes from another macro.
#[device]
pub fn square(x: f32) -> f32 {
    x * x
}

/// Calls it.
#[kernel]
pub fn squares(x: &[f32], y: &mut [f32]) {
    let i = tid();
    y[i] = square(x[i]);
}

macro_rules! scale {
    ($name:ident, $by:expr) => {
        /// Comes out of another macro.
        #[kernel]
        pub fn $name(x: &mut [f32]) {
            let i = tid();
            x[i] *= $by;
        }
    };
}
scale!(triple, 3.0);

#[test]
fn kernels_run_on_all_cores() {
    const N: usize = 1 << 16;
    let mut x = vec![1.0; N];
    double::cpu(N, &mut x).unwrap();
    triple::cpu(N, &mut x).unwrap();
    let mut y = vec![0.0; N];
    squares::cpu(N, &x, &mut y).unwrap();
    assert!(y.iter().all(|y| *y == 36.0));
    let (a, mut b) = (Array2::from_vec([1, 2], vec![1.0, 2.0]).unwrap(), Array2::zeros([2, 1]));
    transpose::cpu((1, 2), &a, &mut b).unwrap();
    assert_eq!(b.into_vec(), [1.0, 2.0]);
    let values: Vec<u32> = (0..N as u32).collect();
    let mut counts = vec![0; 4];
    histogram::cpu(N, &values, &mut counts).unwrap();
    assert_eq!(counts, [N as u32 / 4; 4]);
}

#[test]
fn a_kernel_runs_on_data_without_the_compiler_in_scope() {
    let kernels = registered_kernels();
    let kernel = kernels.into_iter().find(|kernel| kernel.name == "double").unwrap();
    let mut args = [Arg { ty: Type::F32, shape: vec![2], data: Data::F32(vec![1.0, 2.0]) }];
    Device::cpu().run(kernel, Pass::Forward, &[2], &mut args).unwrap();
    assert_eq!(args[0].data, Data::F32(vec![2.0, 4.0]));
}
