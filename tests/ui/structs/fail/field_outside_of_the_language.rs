use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy)]
struct Name {
    text: &'static str,
    width: f32,
}

fn main() {}
