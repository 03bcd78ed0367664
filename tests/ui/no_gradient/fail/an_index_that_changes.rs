use kernel_rt::prelude::*;

#[kernel]
fn broken(x: &[f64], y: &mut [f64]) {
    let mut place = tid();
    while place < x.len() {
        y[place] = y[place] * x[place];
        place += 32;
    }
}

fn main() {}
