use kernel_rt::prelude::*;

#[allow(non_camel_case_types)]
#[device]
type vec6 = Vector<f32, 6>;

fn main() {}
