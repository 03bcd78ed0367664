use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Nothing {}

fn main() {}
