use kernel_rt::prelude::*;

#[device]
fn half(x: f32) -> f32 {
    if x < 0.0 {
        return 0;
    }
    (0.5 * x) as f64
}

fn main() {}
