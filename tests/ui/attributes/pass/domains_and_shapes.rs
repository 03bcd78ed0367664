use kernel_rt::prelude::*;

#[kernel(family = "math")]
fn domains_and_shapes(
    #[domain(0.0..1.0)] a: f32,
    #[domain(1..9)] n: u32,
    #[domain(-1.0..1.0)]
    #[shape(n * 4 + 1)]
    x: &[f32],
    #[shape(dim0, x.len())] m: &Array2<f32>,
    #[domain(0..x.len())] index: &[u32],
    out: &mut [f32],
) {
    let i = tid();
    #[allow(clippy::let_and_return)]
    let b = a + n as f32;
    out[i] = b + m[[i, index[i] as usize]];
}

fn main() {}
