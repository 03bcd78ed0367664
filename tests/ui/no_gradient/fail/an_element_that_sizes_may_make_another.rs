use kernel_rt::prelude::*;

#[kernel]
fn broken(a: usize, b: usize, #[shape(dim0, 2)] m: &mut Array2<f32>) {
    let i = tid();
    m[[i, a]] = m[[i, a]].sin();
    m[[i, b]] = m[[i, b]].cos();
}

fn main() {}
