use kernel_rt::prelude::*;

#[device]
type Pair<T> = Vector<T, 2>;

fn main() {}
