use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f32], #[domain(0..8)] place: &[u32], #[shape(8)] y: &mut [f32]) {
    let i = tid();
    y[place[i] as usize] = 2.0 * x[i];
}

fn main() {}
