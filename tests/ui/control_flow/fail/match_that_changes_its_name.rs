use kernel_rt::prelude::*;

#[kernel]
fn broken(n: u32, out: &mut [f32]) {
    let i = tid();
    match n / 2 {
        0 => {}
        mut half => {
            half += 1;
            out[i] = half as f32;
        }
    }
}

fn main() {}
