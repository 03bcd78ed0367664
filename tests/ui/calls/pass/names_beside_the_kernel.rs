//! A kernel is not in the way of locals, and device functions are found from a function's own scope.

use kernel_rt::prelude::*;

#[kernel]
fn scale(a: f32, y: &mut [f32]) {
    let i = tid();
    y[i] *= a;
}

fn main() {
    #[device]
    fn twice(x: f32) -> f32 {
        x + x
    }
    #[kernel]
    fn double(y: &mut [f32]) {
        let i = tid();
        y[i] = twice(twice(y[i]) - y[i]);
    }
    let scale = [1.0];
    let mut y = scale;
    double::cpu(1, &mut y).unwrap();
    scale::cpu(1, 2.0, &mut y).unwrap();
    assert_eq!(y, [4.0]);
}
