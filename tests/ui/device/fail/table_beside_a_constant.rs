use kernel_rt::prelude::*;

mod stencils {
    use kernel_rt::prelude::*;

    #[device]
    pub const WEIGHTS: [f32; 3] = [0.25, 0.5, 0.25];
}

#[kernel(family = "test")]
fn weighted(x: &mut [f32]) {
    const WEIGHTS: f32 = 2.0;
    let i = tid();
    x[i] = x[i] * WEIGHTS + stencils::WEIGHTS[i % 3];
}

fn main() {}
