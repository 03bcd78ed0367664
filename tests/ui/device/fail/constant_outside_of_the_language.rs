use kernel_rt::prelude::*;

#[device]
const NAME: &str = "n";

fn main() {}
