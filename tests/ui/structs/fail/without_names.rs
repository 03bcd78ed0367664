use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Angle(f32);

fn main() {}
