use kernel_rt::prelude::*;

#[device]
fn factorial(n: u32) -> u32 {
    if n == 0 { 1 } else { n * factorial(n - 1) }
}

#[kernel]
fn stays_quiet(x: &mut [u32]) {
    let i = tid();
    x[i] = factorial(x[i]);
}

fn main() {
    stays_quiet::cpu(1, &mut [factorial(3)]).unwrap();
}
