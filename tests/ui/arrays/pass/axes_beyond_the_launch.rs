//! Only a kernel that names its family is sampled, and needs the extents of all axes.

use kernel_rt::prelude::*;

#[kernel]
fn sums_of_rows(m: &Array2<f32>, out: &mut [f32]) {
    let i = tid();
    for j in 0..m.shape()[1] {
        out[i] += m[[i, j]];
    }
}

fn main() {
    let mut sums = [0.0; 2];
    sums_of_rows::cpu(2, &Array2::from_vec([2, 3], vec![1.0; 6]).unwrap(), &mut sums).unwrap();
    assert_eq!(sums, [3.0, 3.0]);
}
