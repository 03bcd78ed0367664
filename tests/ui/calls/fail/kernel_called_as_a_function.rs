use kernel_rt::prelude::*;

#[kernel]
fn scale(a: f32, y: &mut [f32]) {
    let i = tid();
    y[i] *= a;
}

fn main() {
    let mut y = [1.0];
    scale(2.0, &mut y);
}
