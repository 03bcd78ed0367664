use kernel_rt::prelude::*;

#[derive(Clone, Copy)]
struct Point {
    x: f32,
}

#[device]
#[derive(Clone, Copy)]
struct Segment {
    start: Point,
}

fn main() {}
