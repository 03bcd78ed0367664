use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
enum Nothing {}

fn main() {}
