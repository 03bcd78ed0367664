use kernel_rt::prelude::*;

#[kernel]
fn broken(#[domain(0..256)] pixels: &[u8], #[shape(256)] count: &mut [u8]) {
    let i = tid();
    atomic_add(&mut count[pixels[i] as usize], 1);
}

fn main() {}
