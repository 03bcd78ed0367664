use kernel_rt::prelude::*;

#[kernel]
fn broken(a: &mut [f64]) {
    if tid() == 0 {
        for _ in 0..4 {
            for j in 1..a.len() {
                a[j] = 0.5 * a[j - 1] * a[j];
            }
        }
    }
}

fn main() {}
