use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
#[allow(non_camel_case_types)]
enum shape {
    Sphere,
    Box,
}

fn main() {}
