use kernel_rt::prelude::*;

#[device]
#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Millimetre = 1,
    Metre = 1000,
}

#[device]
#[derive(Clone, Copy)]
struct Length {
    count: f32,
    unit: Unit,
}

#[kernel]
fn broken(lengths: &[Length], y: &mut [f32]) {
    let i = tid();
    y[i] = lengths[i].count;
}

fn main() {}
