use kernel_rt::prelude::*;

#[device]
fn shifted(by: usize) -> usize {
    tid() + by
}

fn main() {}
