use kernel_rt::prelude::*;

#[device]
fn root(x: f32) -> f32 {
    if x > 0.0 {
        return x.sqrt();
    }
}

fn main() {}
