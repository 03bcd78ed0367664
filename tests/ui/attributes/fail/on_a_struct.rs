use kernel_rt::prelude::*;

#[kernel]
struct Broken;

fn main() {}
