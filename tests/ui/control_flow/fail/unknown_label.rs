use kernel_rt::prelude::*;

#[kernel]
fn broken(n: i32, out: &mut [f32]) {
    let i = tid();
    'rows: for _ in 0..n {
        out[i] += 1.0;
    }
    for _ in 0..n {
        if out[i] > 5.0 {
            break 'rows;
        }
    }
}

fn main() {}
