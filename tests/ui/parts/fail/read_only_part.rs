use kernel_rt::prelude::*;

#[kernel]
fn broken(m: &mut Array2<f32>) {
    let i = tid();
    let r = m.row(i);
    r[0] = 1.0;
}

fn main() {}
