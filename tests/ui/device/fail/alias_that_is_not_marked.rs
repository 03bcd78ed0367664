use kernel_rt::prelude::*;

type Spatial = Vector<f32, 6>;

#[device]
fn doubled(x: Spatial) -> Spatial {
    x * 2.0
}

fn main() {}
