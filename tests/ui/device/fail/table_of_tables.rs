use kernel_rt::prelude::*;

#[device]
const FACES: [[u32; 2]; 2] = [[0, 1], [1, 0]];

fn main() {}
